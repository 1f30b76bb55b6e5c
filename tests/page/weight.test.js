import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { start } from './harness.js';

const FOLDER = path.join(import.meta.dirname, '../../src/page');
const files = (await readdir(FOLDER, { recursive: true })).filter((name) => /\.(js|css|html|webmanifest)$/.test(name));

let sayso;
before(async () => { sayso = await start(); });
after(() => sayso.stop());

test('the whole page is smaller than 60 kB', async () => {
  // Files are served compressed, whatever is asked for.
  const addresses = files.map((name) => (['index.html', 'manifest.webmanifest', 'service-worker.js'].includes(name) ? name.replace('index.html', '') : `page/${name}`));
  const sizes = await Promise.all(addresses.map(async (address) => Number((await fetch(sayso.service.url + address)).headers.get('content-length'))));
  assert.ok(sizes.every((size) => size > 100), sizes.join());
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`page: ${total} bytes`);
  assert.ok(total < 60_000, `${total} bytes`);
});

test('the first load takes few requests, none of them to others', async () => {
  const page = await sayso.visit({ tenant: 'weight' });
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.reload();
  await page.getByText('Hello Ann.').waitFor();
  await page.getByText('No expenses yet.').waitFor();
  const ours = requests.filter((url) => !url.startsWith('data:'));
  assert.deepEqual(ours.filter((url) => !url.startsWith(sayso.service.url)), []);
  assert.ok(ours.length <= 32, `${ours.length} requests:\n${ours.join('\n')}`);
});

test('the page names every file, to preload it and to keep it for offline', async () => {
  const index = await readFile(path.join(FOLDER, 'index.html'), 'utf8');
  const served = files.filter((name) => !['index.html', 'service-worker.js', 'manifest.webmanifest'].includes(name));
  assert.deepEqual(served.filter((name) => !index.includes(`"page/${name}"`)), []);
});

test('no file writes markup from text or needs an unsafe policy', async () => {
  for (const name of files.filter((name) => !name.startsWith('vendor'))) {
    const text = await readFile(path.join(FOLDER, name), 'utf8');
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|dangerously/, name);
    if (name.endsWith('.html')) assert.doesNotMatch(text, / style=| on\w+=|<style|<script>/, name);
  }
});

test('the policy of the page allows no inline code', async () => {
  const answer = await fetch(sayso.service.url);
  const policy = answer.headers.get('content-security-policy');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
});
