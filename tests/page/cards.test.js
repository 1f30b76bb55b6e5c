import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lastCard, listed, lists, rowsOf, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const MESSAGE = 'coffee 3.50 and lunch 12';
async function proposed(tenant) {
  const page = await sayso.visit({ tenant });
  await say(page, MESSAGE);
  const card = lastCard(page);
  await card.getByRole('button', { name: 'Add them' }).waitFor();
  return { page, card };
}

test('a row is edited in its place, and the sum follows', async () => {
  const { page, card } = await proposed('edited');
  await card.getByRole('button', { name: 'Edit coffee' }).click();
  await card.getByLabel('What').fill('flat white');
  await card.getByLabel('Amount').fill('4.20');
  await card.getByLabel('Category').fill('Cafe');
  await card.getByRole('button', { name: 'Change' }).click();
  await card.getByText('£16.20').waitFor();
  assert.deepEqual(await rowsOf(card), ['flat white £4.20', 'lunch £12.00']);
  await card.getByRole('button', { name: 'Add them' }).click();
  await card.getByText('Added 2 expenses').last().waitFor();
  await lists(page, ['flat white £4.20', 'lunch £12.00'], { sorted: true });
});

test('an edit that is no amount says so and sends nothing', async () => {
  const { page, card } = await proposed('wrong-edit');
  const sent = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await card.getByRole('button', { name: 'Edit coffee' }).click();
  await card.getByLabel('Amount').fill('a lot');
  await card.getByRole('button', { name: 'Change' }).click();
  await card.getByText('Write the amount as a number, like 12.50.').waitFor();
  assert.deepEqual(sent, []);
});

test('an amount that is finer than its currency is refused and not rounded', async () => {
  const { card } = await proposed('too-fine');
  await card.getByRole('button', { name: 'Edit coffee' }).click();
  await card.getByLabel('Amount').fill('1.005');
  await card.getByRole('button', { name: 'Change' }).click();
  await card.getByText('Write the amount as a number, like 12.50.').waitFor();
  await card.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await rowsOf(card), ['coffee £3.50', 'lunch £12.00']);
});

test('parts of a split must add up', async () => {
  const { card } = await proposed('split');
  await card.getByRole('button', { name: 'Edit lunch' }).click();
  await card.getByRole('button', { name: 'Split' }).click();
  await card.getByLabel('Part 1, £').fill('7');
  await card.getByLabel('Category').nth(0).fill('food');
  await card.getByLabel('Part 2, £').fill('4');
  await card.getByLabel('Category').nth(1).fill('work');
  await card.getByRole('button', { name: 'Change', exact: true }).click();
  await card.getByText(/£1.00 of £12.00 is left/).waitFor();
  await card.getByLabel('Part 2, £').fill('5');
  await card.getByRole('button', { name: 'Change', exact: true }).click();
  await card.getByText('work £5.00').waitFor();
  assert.deepEqual(await card.locator('.lines li').allTextContents(), ['food £7.00', 'work £5.00']);
});

test('a row is left out and put back, and only what is shown is added', async () => {
  const { page, card } = await proposed('left-out');
  await card.getByRole('button', { name: 'Leave lunch out' }).click();
  await card.getByRole('heading', { name: 'Add coffee' }).waitFor();
  assert.deepEqual(await rowsOf(card), ['coffee £3.50', 'out: lunch £12.00']);
  await card.getByRole('button', { name: 'Put back lunch' }).click();
  await card.getByRole('heading', { name: 'Add 2 expenses' }).waitFor();
  await card.getByRole('button', { name: 'Leave coffee out' }).click();
  await card.getByRole('button', { name: 'Add it' }).click();
  await card.getByText('Added lunch').last().waitFor();
  await lists(page, ['lunch £12.00']);
});

test('a typed yes respects what was left out', async () => {
  const { page, card } = await proposed('left-out-typed');
  await card.getByRole('button', { name: 'Leave lunch out' }).click();
  await say(page, 'yes');
  await page.getByText('Added coffee').last().waitFor();
  await lists(page, ['coffee £3.50']);
});

test('a refused card writes nothing and says so', async () => {
  const { page, card } = await proposed('refused');
  await card.getByRole('button', { name: 'Not now' }).click();
  await card.getByText('Not added. Nothing was changed').waitFor();
  assert.equal(await card.getByRole('button').count(), 0);
  await lists(page, []);
});

test('Enter without a focus on the card decides nothing', async () => {
  const { page, card } = await proposed('enter');
  await page.getByLabel('Message', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Enter');
  assert.equal(await card.getByRole('button', { name: 'Add them' }).count(), 1);
  await lists(page, []);
});

test('a card expires in front of the person', async () => {
  const page = await sayso.visit({ tenant: 'expired' });
  await page.clock.install();
  await page.reload();
  await page.getByText('Hello Ann.').waitFor();
  await page.getByLabel('Message', { exact: true }).fill(MESSAGE);
  await page.keyboard.press('Enter');
  const card = lastCard(page);
  await card.getByText('until tomorrow').waitFor();
  await page.clock.fastForward('24:00:05');
  await card.getByText('Expired. Nothing was changed.').waitFor();
  assert.equal(await card.getByRole('button', { name: 'Add them' }).count(), 0);
});

test('the service says that a card has expired', async () => {
  const { page, card } = await proposed('expired-there');
  await page.route('**/proposals/*/confirm', async (route) => {
    const [id] = /[0-9a-f]{32}/.exec(route.request().url());
    const view = await (await page.request.get(`${sayso.service.url}proposals/${id}`, { headers: { 'x-tenant-id': 'expired-there', 'x-user-id': 'ann' } })).json();
    const problem = { type: 'urn:sayso:problem:proposal-expired', title: 'Expired', status: 410, detail: 'It is too late to answer this, and nothing was changed.', proposal: { ...view, state: 'EXPIRED' } };
    await route.fulfill({ status: 410, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  await card.getByRole('button', { name: 'Add them' }).click();
  await card.getByText('Expired. Nothing was changed.').waitFor();
});

test('a card that was decided in another tab says so', async () => {
  const { page, card } = await proposed('two-tabs');
  const other = await sayso.tab(page.context());
  await lastCard(other).getByRole('button', { name: 'Add them' }).click();
  await lastCard(other).getByText('Added 2 expenses').last().waitFor();
  await page.bringToFront();
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await card.getByText('Added in another place').waitFor();
  assert.equal(await card.getByRole('button', { name: 'Add them' }).count(), 0);
  await lists(page, ['coffee £3.50', 'lunch £12.00'], { sorted: true });
});

test('a yes to a card that was refused in another tab says what is still true', async () => {
  const { page, card } = await proposed('two-decisions');
  const other = await sayso.tab(page.context());
  await lastCard(other).getByRole('button', { name: 'Not now' }).click();
  await lastCard(other).getByText('Not added').waitFor();
  await card.getByRole('button', { name: 'Add them' }).evaluate((button) => button.click());
  await card.getByText('Not added. Nothing was changed (decided in another place)').waitFor();
  await lists(page, []);
});

test('a row that changed meanwhile: nothing is written, and what is left is offered', async () => {
  const { page } = await proposed('stale');
  await say(page, 'yes');
  await say(page, 'delete everything');
  const card = lastCard(page);
  await card.getByRole('button', { name: 'Delete them' }).waitFor();
  const other = await sayso.tab(page.context(), '#/expenses');
  await other.locator('.expenses .row', { hasText: 'lunch' }).getByRole('button').click();
  await other.getByRole('button', { name: 'Edit', exact: true }).click();
  await other.getByLabel('Amount').fill('13');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.locator('.expenses .row', { hasText: '£13.00' }).waitFor();
  await card.getByRole('button', { name: 'Delete them' }).evaluate((button) => button.click());
  await page.getByText(/Nothing was changed, because/).first().waitFor();
  const rest = lastCard(page);
  assert.deepEqual(await rowsOf(rest), ['coffee £3.50']);
  await lists(page, ['coffee £3.50', 'lunch £13.00'], { sorted: true });
});

test('an undo is a card, and undoes', async () => {
  const { page, card } = await proposed('undo');
  await card.getByRole('button', { name: 'Add them' }).click();
  await card.getByRole('button', { name: 'Undo' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('heading', { name: 'Undo: Delete 2 expenses' }).waitFor();
  assert.equal((await listed(page)).length, 2);
  await sheet.getByRole('button', { name: 'Undo it' }).click();
  await sheet.getByText('Deleted 2 expenses').last().waitFor();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await lists(page, []);
});

test('what waits in another conversation is named in a banner', async () => {
  const { page } = await proposed('banner');
  await page.getByRole('button', { name: 'New conversation' }).click();
  const banner = page.getByRole('button', { name: /Waiting for your yes: Add 2 expenses/ });
  await banner.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add them' }).click();
  await page.getByRole('dialog').getByText('Added 2 expenses').last().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await lists(page, ['coffee £3.50', 'lunch £12.00'], { sorted: true });
});

test('a typed no is told as decided here', async () => {
  const { page, card } = await proposed('typed-no');
  await say(page, 'no');
  await card.getByText('Not added. Nothing was changed').waitFor();
  assert.equal(await page.getByText('in another place').count(), 0);
});

test('what was said in another tab is shown, once', async () => {
  const page = await sayso.visit({ tenant: 'said-elsewhere' });
  await say(page, 'coffee 3.50');
  const other = await sayso.tab(page.context());
  await other.getByText('Added “coffee”').waitFor();
  await say(other, 'tea 2 and bun 3');
  await lastCard(other).getByRole('button', { name: 'Add them' }).click();
  await lastCard(other).getByText('Added 2 expenses').last().waitFor();
  for (let time = 0; time < 2; time++) {
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await lastCard(page).getByText('Added 2 expenses').last().waitFor();
  }
  assert.equal(await page.locator('.said').count(), 2);
});

test('the options of a question are there once, as buttons', async () => {
  const page = await sayso.visit({ tenant: 'options' });
  await say(page, 'coffee 3.50');
  await say(page, 'coffee 4');
  await say(page, 'delete the coffee');
  const options = page.getByRole('group', { name: 'Answers' }).getByRole('button');
  await options.nth(1).waitFor();
  const [first] = await options.allTextContents();
  assert.equal(await page.locator('.answer').last().textContent(), 'Which “coffee” do you mean?');
  await options.first().click();
  await lastCard(page).getByRole('button', { name: 'Delete it' }).waitFor();
  await page.getByText(`- ${first}`).waitFor();
});

test('a name from right to left does not turn its answer around', async () => {
  const page = await sayso.visit({ tenant: 'right-to-left' });
  await say(page, 'قهوة 4.50 today');
  assert.match(await page.locator('.answer').last().textContent(), /^Added \u2068“قهوة”\u2069, £4\.50,/);
});

test('an undo that waits is opened again and not proposed twice', async () => {
  const page = await sayso.visit({ tenant: 'undo-twice' });
  await say(page, 'coffee 3.50');
  const waiting = async () => (await page.request.get(`${sayso.service.url}proposals?state=waiting`, { headers: { 'x-tenant-id': 'undo-twice', 'x-user-id': 'ann' } })).json();
  for (let time = 0; time < 2; time++) {
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Undo it' }).waitFor();
    await sheet.getByRole('button', { name: 'Close' }).click();
  }
  assert.equal((await waiting()).items.length, 1);
});

test('a receipt of many rows shows all of them', async () => {
  const page = await sayso.visit({ tenant: 'long-receipt' });
  await page.getByText('Hello Ann.').waitFor();
  const operations = Array.from({ length: 60 }, (_, n) => ({ op: 'create', kind: 'expense', fields: { item: `thing ${n + 1}`, amount: '1', date: '2026-01-05' } }));
  const answer = await page.request.post(`${sayso.service.url}proposals`, {
    headers: { 'x-tenant-id': 'long-receipt', 'x-user-id': 'ann' }, data: { messageId: 'many', approve: true, operations },
  });
  assert.equal(answer.status(), 200);
  await page.getByRole('button', { name: 'Receipts' }).click();
  await page.getByRole('button', { name: /^Added 60 expenses/ }).click();
  await page.getByRole('button', { name: 'Show all 60' }).click();
  const sheet = page.getByRole('dialog', { name: 'Added 60 expenses' });
  await sheet.locator('.operation').first().waitFor();
  await page.waitForFunction(() => {
    [...document.querySelectorAll('dialog button')].find((button) => button.textContent.startsWith('Show more'))?.click();
    return document.querySelectorAll('dialog .operation').length === 60;
  });
});

test('what waits is not told again in each answer', async () => {
  const { page } = await proposed('still-waiting');
  await say(page, 'show expenses');
  await page.getByText(/no expenses/i).last().waitFor();
  assert.equal(await page.getByText('Still waiting').count(), 0);
});
