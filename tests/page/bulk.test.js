import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lastCard, say, start } from './harness.js';

let sayso;
const WHO = { tenant: 'seeded', user: 'me', roles: 'admin' };
// Slow enough that there is a middle.
before(async () => { sayso = await start({ seed: 1000, settings: { ROWS_PER_SECOND: '100' } }); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const total = async () => {
  const answer = await fetch(`${sayso.service.url}records/expense?limit=1`, { headers: { 'x-tenant-id': 'seeded', 'x-user-id': 'me' } });
  return (await answer.json()).items.length;
};

test('a change of 1,000 rows shows all of them, its progress, stops, and goes on after a reload', { timeout: 120_000 }, async (t) => {
  const page = await sayso.visit(WHO);
  await say(page, 'delete everything');
  const card = lastCard(page);
  await card.getByRole('heading', { name: 'Delete 1,000 expenses' }).waitFor();
  assert.equal(await card.locator('.operation').count(), 5 + 3);
  await card.getByText('Much larger than the others').waitFor();

  await t.test('the rows come page by page', async () => {
    await card.getByRole('button', { name: 'Show all 1,000' }).click();
    const sheet = page.getByRole('dialog');
    const more = sheet.getByRole('button', { name: /^Show more \(\d/ });
    await more.waitFor();
    const first = await sheet.locator('.operation').count();
    await more.click();
    await page.waitForFunction((first) => document.querySelectorAll('dialog .operation').length > first, first);
    await sheet.getByRole('button', { name: 'Back' }).click();
  });

  await t.test('a row of a long list is left out', async () => {
    await card.locator('.operation').first().getByRole('button', { name: /Leave .* out/ }).click();
    await card.getByRole('heading', { name: 'Delete 999 expenses' }).waitFor();
  });

  await t.test('the progress is shown, and goes on after a reload', async () => {
    await card.getByRole('button', { name: 'Delete 999' }).click();
    await card.getByText(/^[1-9]\d* of 999 done/).waitFor({ timeout: 20_000 });
    await page.reload();
    const again = lastCard(page);
    await again.getByText(/^[1-9]\d* of 999 done/).waitFor({ timeout: 20_000 });
    await again.getByText('Deleted 999 expenses').last().waitFor({ timeout: 60_000 });
    assert.equal(await total(), 1);
  });

  await t.test('its undo can be stopped in the middle', async () => {
    await lastCard(page).getByRole('button', { name: 'Undo' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Undo it' }).click();
    await sheet.getByText(/^[1-9]\d* of 999 done/).waitFor({ timeout: 20_000 });
    await sheet.getByRole('button', { name: 'Stop' }).click();
    await sheet.getByText(/^Stopped\. [\d,]+ done, [\d,]+ left as they were$/).waitFor({ timeout: 30_000 });
  });
});
