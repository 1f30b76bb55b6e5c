// Starts the real program with a fresh data file, and a browser for each person.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const PROGRAM = path.resolve(process.env.SAYSO ?? path.join(import.meta.dirname, '../../target/debug/sayso'));
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESK = { viewport: { width: 1280, height: 800 } };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/**
 * A running service and a browser. `t` is the test, or a suite's hook, after which both end.
 * @param {{ seed?: number, settings?: Record<string, string> }} [options] seed: made-up expenses of the tenant `seeded`
 */
export async function start({ seed, settings = {} } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'sayso-page-'));
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
    async run() {
      program = spawn(PROGRAM, [], { env, stdio: process.env.SHOW_LOG ? 'inherit' : 'ignore' });
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
  };
  await service.run();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  const problems = [];

  /** A browser of its own. */
  async function visit(who, options = {}) {
    const context = await browser.newContext({ ...DESK, locale: 'en-GB', timezoneId: 'Europe/London', serviceWorkers: 'block', ...options });
    if (who) {
      const person = { tenant: 'home', user: 'ann', name: 'Ann', roles: 'member', ...who };
      await context.addInitScript((text) => { localStorage.setItem('who', text); }, JSON.stringify(person));
    }
    return tab(context);
  }

  async function tab(context, hash = '') {
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => problems.push(error.stack));
    page.on('console', (message) => { if (/Content Security Policy/i.test(message.text())) problems.push(message.text()); });
    await page.goto(service.url + hash);
    return page;
  }

  return {
    service, visit, tab, problems,
    async stop() {
      await browser.close();
      await service.kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** Types a message and waits for its answer. */
export async function say(page, message) {
  await page.getByLabel('Message', { exact: true }).fill(message);
  await page.keyboard.press('Enter');
  await page.getByText(message, { exact: true }).last().waitFor();
  await page.locator('.status').waitFor({ state: 'detached' });
}

/** The newest card. */
export const lastCard = (page) => page.getByRole('log').locator('section.card').last();

/** Whole texts of the rows of the list of expenses. */
export async function listed(page) {
  await page.locator('.expenses .skeleton').waitFor({ state: 'detached' });
  return page.locator('.expenses .row').evaluateAll((rows) => rows.map((row) => {
    const text = (name) => row.querySelector(name)?.textContent ?? '';
    return [text('.item'), text('.money')].join(' ');
  }));
}

export const rowsOf = (card) => card.locator('.operation').evaluateAll((rows) => rows.map((row) => `${row.classList.contains('out') ? 'out: ' : ''}${row.querySelector('.item')?.textContent} ${row.querySelector('.money')?.textContent ?? ''}`.trim()));
