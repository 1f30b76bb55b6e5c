// Exported journals are accepted by the programs that they are for.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startService } from '../page/service.js';

const BIN = path.resolve(import.meta.dirname, '../../.tools/clients/bin');

let service, folder;
before(async () => {
  service = await startService();
  folder = await mkdtemp(path.join(tmpdir(), 'journals-'));
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const headers = { 'x-tenant-id': 'home', 'x-user-id': 'ann', 'x-user-name': 'Ann', 'x-roles': 'member' };

/** Names, categories and notes with everything that these formats give a meaning to. */
const ODD = [
  { item: 'coffee', amount: '3.50', category: 'eating out' },
  { item: '* (draft) = ! ; note', amount: '1234.56', category: 'a:b  c;d', notes: 'date: tomorrow, [2026-99-99] "x" \\ y' },
  { item: '"quoted" \\', amount: '0.01', category: '食品' },
  { item: '=1+1', amount: '7', category: '(🍕)', notes: '; date:x' },
  { item: 'sushi', amount: '500', currency: 'JPY', category: 'öl & gas' },
  { item: 'rug', amount: '12.345', currency: 'KWD' },
  { item: 'tesco', amount: '50', lines: [{ amount: '30', category: 'food' }, { amount: '20', category: 'household', note: 'soap: date:1' }] },
];

async function exported(format) {
  const answer = await fetch(`${service.url}expenses/export?format=${format}`, { headers });
  assert.equal(answer.status, 200, await answer.clone().text());
  const file = path.join(folder, /filename="(.+)"/.exec(answer.headers.get('content-disposition'))[1]);
  await writeFile(file, await answer.text());
  return file;
}

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  assert.equal(status, 0, `${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

test('journals of odd names pass the strict checks and have the same sums', async () => {
  const operations = ODD.map((fields) => ({ op: 'create', kind: 'expense', fields: { date: '2026-10-19', ...fields } }));
  const body = JSON.stringify({ operations, approve: true });
  const added = await fetch(`${service.url}proposals`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
  assert.equal(added.status, 200, await added.text());
  const journal = await exported('hledger');
  const hledger = process.env.HLEDGER ?? 'hledger';
  run(hledger, '-f', journal, 'check', '--strict');
  const sums = run(hledger, '-f', journal, 'balance', 'assets', '--format', '%(total)', '--no-total');
  assert.deepEqual(sums.trim().split('\n').map((line) => line.trim()).sort(), ['-1295.07 GBP', '-12.345 KWD', '-500 JPY'].sort());
  run(path.join(BIN, 'bean-check'), await exported('beancount'));
});

test('a journal that broke off is refused', async () => {
  for (const [program, format, ...args] of [[process.env.HLEDGER ?? 'hledger', 'hledger', '-f'], [path.join(BIN, 'bean-check'), 'beancount']]) {
    const file = await exported(format);
    await writeFile(file, '\nINCOMPLETE: this export broke off here. Export it again.\n', { flag: 'a' });
    const { status } = spawnSync(program, [...args, file, ...(format === 'hledger' ? ['check'] : [])]);
    assert.notEqual(status, 0, format);
  }
});
