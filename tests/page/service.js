// Starts the real program with a fresh data file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PROGRAM = path.resolve(process.env.SAYSO ?? path.join(import.meta.dirname, '../../target/debug/sayso'));

// In memory, where the system has such a folder: the disk is most of the time of a seed.
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/**
 * A running service. `stop` also deletes its data.
 * @param {{ seed?: number, settings?: Record<string, string> }} [options] seed: made-up expenses of the tenant `seeded`
 */
export async function startService({ seed, settings = {} } = {}) {
  const folder = await mkdtemp(path.join(FOLDER, 'sayso-'));
  const address = `127.0.0.1:${await freePort()}`;
  const env = {
    PATH: process.env.PATH, AUTH: 'dev', DEFAULT_CURRENCY: 'GBP', MODEL_PROVIDER: 'offline', LOCAL_ADDR: address,
    LOCAL_DATA: path.join(folder, 'sayso.db'), ...settings,
  };
  if (seed) {
    const seeding = spawn(PROGRAM, ['seed', String(seed), 'seeded'], { env, stdio: 'ignore' });
    await once(seeding, 'exit');
  }
  let program;
  const service = {
    url: `http://${address}/`,
    /** Again, after `kill`; with other settings, if some are given. */
    async run(other = {}) {
      // The one before may not have ended yet, and holds the address and the data.
      if (program) await service.kill();
      program = spawn(PROGRAM, [], { env: { ...env, ...other }, stdio: process.env.SHOW_LOG ? 'inherit' : 'ignore' });
      for (let tries = 0; ; tries++) {
        const answer = await fetch(`${service.url}health`).catch(() => null);
        if (answer?.ok) return;
        if (tries > 200 || program.exitCode !== null) throw new Error(`${PROGRAM} does not start`);
        await new Promise((done) => setTimeout(done, 50));
      }
    },
    /** It keeps its connections and answers nothing. */
    freeze: () => program.kill('SIGSTOP'),
    async kill() {
      if (program.exitCode !== null || program.signalCode) return;
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
    },
    async stop() {
      await service.kill();
      await rm(folder, { recursive: true });
    },
  };
  await service.run();
  return service;
}
