import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lastCard, lists, PHONE, rowsOf, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

test('the service is killed while it answers and started again: one expense', async () => {
  const page = await sayso.visit({ tenant: 'killed' });
  await page.getByText('Hello Ann.').waitFor();
  sayso.service.freeze();
  await page.getByLabel('Message', { exact: true }).fill('tea 2.20 today');
  await page.keyboard.press('Enter');
  await page.locator('.status').waitFor();
  await sayso.service.kill();
  await page.getByText('The connection broke. Trying again…').waitFor();
  await sayso.service.run();
  await page.getByText('Added “tea”').waitFor({ timeout: 20_000 });
  await lists(page, ['tea £2.20']);
});

test('what is said while the page still reads its conversations is sent in the newest one', async () => {
  const before = await sayso.visit({ tenant: 'early' });
  await say(before, 'tea 2.20 today');
  const page = await sayso.visit(null);
  let release;
  const released = new Promise((done) => { release = done; });
  await page.route('**/conversations?*', async (route) => {
    await released;
    await route.continue();
  });
  await page.evaluate((who) => { localStorage.setItem('who', who); }, JSON.stringify({ tenant: 'early', user: 'ann', name: 'Ann', roles: 'member' }));
  await page.reload();
  await page.getByLabel('Message', { exact: true }).fill('bun 2 today');
  await page.keyboard.press('Enter');
  await page.locator('.status').waitFor();
  release();
  await page.getByText('Added “bun”').waitFor();
  assert.deepEqual(await page.locator('.said').allTextContents(), ['tea 2.20 today', 'bun 2 today']);
});

test('a stream that breaks before its end is asked again with the same id', async () => {
  const page = await sayso.visit({ tenant: 'broken' });
  await page.getByText('Hello Ann.').waitFor();
  const ids = [];
  await page.route('**/chat', async (route) => {
    ids.push(route.request().postDataJSON().messageId);
    if (ids.length > 1) return route.continue();
    return route.fulfill({ contentType: 'text/event-stream', body: 'event: status\ndata: {"text":"Looking at October…"}\n\nevent: delta\ndata: {"text":"You spe"}\n\n' });
  });
  await say(page, 'tea 2.20 today');
  await page.getByText('Added “tea”').waitFor();
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
  assert.equal(await page.getByText('You spe', { exact: true }).count(), 0);
});

test('a message that fails stays, and is sent again with the same id', async () => {
  const page = await sayso.visit({ tenant: 'failed' });
  await page.getByText('Hello Ann.').waitFor();
  const ids = [];
  await page.route('**/chat', async (route) => {
    ids.push(route.request().postDataJSON().messageId);
    if (ids.length > 1) return route.continue();
    const problem = { type: 'urn:sayso:problem:model-unavailable', title: '', status: 503, detail: 'The assistant is not available right now. Nothing was changed. Try again in a moment.' };
    return route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  await say(page, 'tea 2.20 today');
  await page.getByRole('alert').getByText('The assistant is not available right now. Nothing was changed.').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Added “tea”').waitFor();
  assert.equal(ids[0], ids[1]);
  assert.deepEqual(await page.locator('.said').allTextContents(), ['tea 2.20 today']);
});

test('a message without an answer is asked again after a reload', async () => {
  const page = await sayso.visit({ tenant: 'reloaded' });
  await page.getByText('Hello Ann.').waitFor();
  const ids = [];
  let arrive;
  let release;
  const arrived = new Promise((done) => { arrive = done; });
  const released = new Promise((done) => { release = done; });
  await page.route('**/chat', async (route) => {
    ids.push(route.request().postDataJSON().messageId);
    if (ids.length > 1) return route.continue();
    arrive();
    await released;
    return route.abort().catch(() => {});
  });
  await page.getByLabel('Message', { exact: true }).fill('tea 2.20 today');
  await page.keyboard.press('Enter');
  // The status can be there before the request is.
  await Promise.all([page.locator('.status').waitFor(), arrived]);
  await page.reload();
  release();
  await page.getByText('Added “tea”').waitFor();
  assert.equal(ids[0], ids[1]);
  await lists(page, ['tea £2.20']);
});

test('offline, the page opens, says so, sends nothing and keeps what was typed', async () => {
  const page = await sayso.visit({ tenant: 'offline' }, { ...PHONE, serviceWorkers: 'allow' });
  await say(page, 'coffee 3.50 and lunch 12');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await lastCard(page).waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline. What you see may be old, and nothing is sent.').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('bun 2');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'bun 2');
  await lastCard(page).getByRole('button', { name: 'Add them' }).click();
  await lastCard(page).getByText('Nothing was sent. You are offline.').waitFor();
  await page.reload();
  await page.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await lastCard(page).getByRole('button', { name: 'Add them' }).waitFor();
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'bun 2');
  assert.deepEqual(await rowsOf(lastCard(page)), ['coffee £3.50', 'lunch £12.00']);
});

test('the page can be installed', async () => {
  const page = await sayso.visit({ tenant: 'installed' }, { ...PHONE, serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  const browser = await page.context().newCDPSession(page);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // A test's browser keeps nothing, as a private window does.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId), ['in-incognito']);
});

test('a session that ends keeps what was typed', async () => {
  const page = await sayso.visit({ tenant: 'session' });
  await page.getByText('Hello Ann.').waitFor();
  await page.route('**/chat', (route) => route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify({ type: 'urn:sayso:problem:not-signed-in', status: 401, detail: '' }) }));
  await say(page, 'tea 2.20 today');
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await page.getByText('Nothing was saved. You are signed out.').waitFor();
  assert.deepEqual(await page.locator('.said').allTextContents(), ['tea 2.20 today']);
});
