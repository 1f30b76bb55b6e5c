import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listed, lists, PHONE, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start({ seed: 300 }); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const SEEDED = { tenant: 'seeded', user: 'me', roles: 'admin' };
async function withRows(tenant, ...messages) {
  const page = await sayso.visit({ tenant });
  for (const message of messages) await say(page, message);
  return page;
}
const row = (page, item) => page.locator('.expenses .row', { hasText: item }).getByRole('button');

test('days have their sums, and older rows come in on the way down', async () => {
  const page = await sayso.visit(SEEDED);
  await page.locator('.expenses .row').first().waitFor();
  const first = await page.locator('.expenses .row').count();
  await page.locator('.expenses .row').last().scrollIntoViewIfNeeded();
  await page.waitForFunction((first) => document.querySelectorAll('.expenses .row').length > first, first);
  const sums = await page.locator('.day-head .sum').allTextContents();
  assert.ok(sums.length > 3 && sums.every((sum) => /^£[\d,]+\.\d\d$/.test(sum)), sums.join());
});

test('the list is ordered by amount on request', async () => {
  const page = await withRows('ordered', 'coffee 3.50 today', 'rent 900 yesterday', 'taxi 9 today');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Order').selectOption('Largest first');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('region', { name: 'By amount' }).waitFor();
  await lists(page, ['rent £900.00', 'taxi £9.00', 'coffee £3.50']);
});

test('what the chat understood is shown as chips, and each can be removed', async () => {
  const page = await withRows('chips', 'coffee 3.50 today', 'rent 900 today', 'show expenses over £100 this month');
  await lists(page, ['rent £900.00']);
  const chips = page.getByRole('group', { name: 'Filters' });
  await chips.getByRole('button', { name: 'Remove over £100.00' }).click();
  await lists(page, ['coffee £3.50', 'rent £900.00'], { sorted: true });
});

test('filters of the list go with the next message, and can be taken off it', async () => {
  const page = await withRows('about', 'coffee 3.50 today', 'rent 900 today');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('At most').fill('10');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('About: £10.00 or less').waitFor();
  await lists(page, ['coffee £3.50']);
  const sent = page.waitForRequest('**/chat');
  await page.getByLabel('Message', { exact: true }).fill('how much did I spend this month?');
  await page.keyboard.press('Enter');
  const body = (await sent).postDataJSON();
  assert.deepEqual([body.activeFilters, body.applyFiltersToQuery, body.scope.filters], [{ maxAmount: '10.00' }, true, { maxAmount: '10.00' }]);
  assert.deepEqual(body.scope.rows, [{ kind: 'expense', id: 1 }]);
  assert.equal(body.userContext.timezone, 'Europe/London');
  assert.equal(body.userContext.locale, 'en-GB');
});

test('the search finds while one types', async () => {
  const page = await withRows('search', 'coffee 3.50 today', 'taxi 9 today');
  await page.getByLabel('Search expenses').fill('tax');
  await lists(page, ['taxi £9.00']);
  await page.getByLabel('Search expenses').fill('zeppelin');
  await page.getByText('Nothing fits.').waitFor();
});

test('a row is edited, copied and deleted in its sheet, and the last step is undone', async () => {
  const page = await withRows('sheet', 'coffee 3.50 yesterday');
  await row(page, 'coffee').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Added by you').waitFor();
  await sheet.getByRole('button', { name: 'Edit' }).click();
  await sheet.getByLabel('Amount').fill('3.80');
  await sheet.getByLabel('Notes').fill('with <b>cream</b>');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed coffee.').waitFor();
  await lists(page, ['coffee £3.80']);
  await row(page, 'coffee').click();
  await sheet.getByRole('button', { name: 'Duplicate' }).click();
  await sheet.getByRole('button', { name: 'Add it' }).click();
  await page.getByText('Added coffee.').waitFor();
  await lists(page, ['coffee £3.80', 'coffee £3.80']);
  await row(page, 'coffee').first().click();
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted coffee.').waitFor();
  await lists(page, ['coffee £3.80']);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await sheet.getByRole('button', { name: 'Undo it' }).click();
  await sheet.getByText('Restored coffee').last().waitFor();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await lists(page, ['coffee £3.80', 'coffee £3.80']);
});

test('a row that changed since it was opened is not overwritten', async () => {
  const page = await withRows('conflict', 'coffee 3.50 today');
  await row(page, 'coffee').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Edit' }).click();
  await sheet.getByLabel('Amount').fill('5');
  const other = await sayso.tab(page.context(), '#/expenses/1');
  await other.getByRole('button', { name: 'Edit' }).click();
  await other.getByLabel('Amount').fill('4');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Changed coffee.').waitFor();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('Expense #1 has changed since it was shown. Nothing was changed. Look at it again.').waitFor();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await sheet.getByText('£4.00').waitFor();
});

test('several rows are selected and deleted by a card', async () => {
  const page = await withRows('select', 'coffee 3.50 today', 'taxi 9 today', 'bread 2 today');
  await row(page, 'coffee').focus();
  await page.keyboard.press('x');
  await page.getByLabel('Select taxi').check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('£12.50').waitFor();
  await bar.getByRole('button', { name: 'Delete 2' }).click();
  const sheet = page.getByRole('dialog');
  assert.equal((await listed(page)).length, 3);
  await sheet.getByRole('button', { name: 'Delete them' }).click();
  await sheet.getByText('Deleted 2 expenses').last().waitFor();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await lists(page, ['bread £2.00']);
});

test('several rows are moved to a category by a card', async () => {
  const page = await withRows('move', 'coffee 3.50 today', 'taxi 9 today');
  await row(page, 'coffee').focus();
  await page.keyboard.press('x');
  await page.getByLabel('Select taxi').check();
  await page.getByRole('button', { name: 'Move to…' }).click();
  await page.getByLabel('To the category').fill('Work');
  await page.getByRole('button', { name: 'Look at it' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Change them' }).click();
  await sheet.getByText('Changed 2 expenses').last().waitFor();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.locator('.expenses .details', { hasText: 'Work' }).nth(1).waitFor();
});

test('the overview compares the month, and a category opens its rows', async () => {
  const page = await withRows('overview', 'coffee 3.50 today in food', 'taxi 9 today in travel', 'budget 200 a month for food', 'rent 950 every month on the 1st');
  await page.getByRole('button', { name: 'Overview' }).click();
  await page.locator('.overview .amount', { hasText: '£12.50' }).waitFor();
  await page.getByText(/more than in the same days of/).waitFor();
  await page.getByText('£196.50', { exact: true }).waitFor();
  await page.getByText(/every month · next/).waitFor();
  await page.locator('.bar-row', { hasText: 'Travel' }).click();
  await lists(page, ['taxi £9.00']);
});

test('what was learned is forgotten on request', async () => {
  const page = await withRows('learned', 'budget 200 a month for food');
  await page.getByRole('button', { name: 'Overview' }).click();
  await page.getByRole('button', { name: /^Forget the budget for food/ }).click();
  await page.getByText('None yet. Say “budget 200 a month for food”.').waitFor();
  await page.getByText('Deleted the budget for food.').waitFor();
});

test('on a phone, the list and the chat are places of their own', async () => {
  const page = await sayso.visit({ tenant: 'phone' }, PHONE);
  await say(page, 'coffee 3.50 today');
  await page.getByRole('button', { name: 'Expenses' }).click();
  await lists(page, ['coffee £3.50']);
  await page.getByLabel('Message', { exact: true }).fill('taxi 9 today');
  await page.keyboard.press('Enter');
  await page.getByText('Added “taxi”').waitFor();
  await page.goBack();
  await lists(page, ['coffee £3.50', 'taxi £9.00'], { sorted: true });
});

test('the history of an expense tells old and new', async () => {
  const page = await withRows('history', 'coffee 3.50 today');
  await row(page, 'coffee').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Edit' }).click();
  await sheet.getByLabel('Category').fill('drinks');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed coffee.').waitFor();
  await row(page, 'coffee').click();
  await sheet.getByText('Changed by you').waitFor();
  assert.equal(await sheet.locator('.past dd').textContent(), 'none → becomesdrinks');
});

test('a bar shows the rows of its currency', async () => {
  const page = await withRows('currencies', 'coffee 3.50 today', 'croissant 3 EUR today', 'tea 2 today');
  await page.getByRole('button', { name: 'Overview' }).click();
  await page.locator('.bar-row', { hasText: 'No category' }).click();
  await row(page, 'croissant').waitFor({ state: 'detached' });
  await lists(page, ['coffee £3.50', 'tea £2.00'], { sorted: true });
});

test('amounts in forms are written and read like the person writes them', async () => {
  const page = await sayso.visit({ tenant: 'german' }, { locale: 'de-DE' });
  await say(page, 'Tee 1,234 KWD');
  await row(page, 'Tee').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await sheet.getByLabel('Amount').inputValue(), '1,234');
  await sheet.getByLabel('Notes').fill('grün');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await row(page, 'grün').waitFor();
  await lists(page, ['Tee 1,234\u00a0KWD']);
  await page.getByRole('button', { name: 'Filters' }).click();
  await sheet.getByLabel('At least').fill('viel');
  await sheet.getByRole('button', { name: 'Show' }).click();
  await sheet.getByText('Write amounts as numbers, like 12.').waitFor();
  await sheet.getByLabel('At least').fill('1.000,50');
  await sheet.getByRole('button', { name: 'Show' }).click();
  await page.getByText(/^1\.000,50\s£ or more$/).first().waitFor();
});

test('back leaves the list at once after a sheet was closed', async () => {
  const page = await sayso.visit({ tenant: 'back' }, PHONE);
  await say(page, 'coffee 3.50 today');
  await page.getByRole('button', { name: 'Expenses' }).click();
  await row(page, 'coffee').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('log').waitFor();
});

test('a mouse selects many', async () => {
  const page = await withRows('mouse', 'coffee 3.50 today', 'taxi 9 today');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  assert.ok(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled());
  await row(page, 'coffee').click();
  await row(page, 'taxi').click();
  await page.getByRole('button', { name: 'Delete 2' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Delete 2 expenses' }).waitFor();
});
