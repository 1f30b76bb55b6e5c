import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { lists, rowsOf, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const FILES = path.join(import.meta.dirname, '../suite/files');
const choose = (page, name) => page.locator('input[type=file]').setInputFiles(path.join(FILES, name));
const sheet = (page) => page.getByRole('dialog').last();
async function withList(tenant, ...messages) {
  const page = await sayso.visit({ tenant });
  for (const message of messages) await say(page, message);
  return page;
}

test('a file is looked at, imported by a card, and undone', async () => {
  const page = await withList('import');
  await choose(page, 'german.csv');
  await sheet(page).getByRole('button', { name: 'Import 3 expenses' }).waitFor();
  await sheet(page).getByText('Left out: 1 amount that came in').waitFor();
  await sheet(page).getByText('Left out: 3 lines that cannot be read').click();
  await sheet(page).getByText('Line 9: “Summe” is no date').waitFor();
  await sheet(page).getByLabel('Select Stadtwerke Überall').uncheck();
  await sheet(page).getByRole('button', { name: 'Import 2 expenses' }).click();
  const card = sheet(page).locator('section.card');
  await card.getByText('Add 2 expenses').waitFor();
  assert.deepEqual(await rowsOf(card), ['Bäckerei Müller €3.50', 'Café „Größe – 12 € €12.80']);
  await card.getByRole('button', { name: /^Add/ }).click();
  await card.getByText(/^Added/).last().waitFor();
  await card.getByRole('button', { name: 'Undo' }).click();
  await sheet(page).getByRole('button', { name: 'Undo it' }).click();
  await sheet(page).getByText(/^Undone/).waitFor();
  await sheet(page).getByRole('button', { name: 'Close' }).click();
  await lists(page, []);
});

test('a guess is pointed out and corrected, and duplicates are left out until they are ticked', async () => {
  const page = await withList('guess');
  await choose(page, 'uk.csv');
  await sheet(page).getByText('every date, like 03/04, can have the day or the month first').waitFor();
  await sheet(page).getByLabel('Dates (guessed)').selectOption('Month first');
  await sheet(page).getByText('11 Mar').first().waitFor();
  await sheet(page).getByRole('button', { name: 'Import 2 expenses' }).waitFor();
  await sheet(page).getByLabel('Select =HYPERLINK(x)').last().check();
  await sheet(page).getByRole('button', { name: 'Import 3 expenses' }).waitFor();
  await sheet(page).getByText('£22.78').waitFor();
});

test('a file that cannot be read is refused in words', async () => {
  const page = await withList('refused');
  await page.locator('input[type=file]').setInputFiles({ name: 'photo.csv', mimeType: 'text/csv', buffer: Buffer.from('\x89PNG\0\0') });
  await sheet(page).getByText(/The file is no text/).waitFor();
});

test('what the list shows is exported', async () => {
  const page = await withList('export', 'coffee 3.50 in food today', 'taxi 9 in travel today', 'show my expenses in food');
  await page.getByRole('button', { name: 'Export' }).click();
  await sheet(page).getByText(/Expenses that fit: .*Food/).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), sheet(page).getByRole('button', { name: 'CSV, for spreadsheets' }).click()]);
  assert.equal(download.suggestedFilename(), 'expenses.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.match(lines[1], /^1,\d{4}-\d\d-\d\d,coffee,3\.50,GBP,food,,,,ann,Ann$/);
  assert.equal(lines.length, 2);
});

test('a viewer exports, and imports nothing', async () => {
  const page = await sayso.visit({ tenant: 'viewer', roles: 'viewer' });
  await page.getByRole('button', { name: 'Export' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Import' }).count(), 0);
});
