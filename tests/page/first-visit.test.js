import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lastCard, lists, PHONE, rowsOf, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

test('a person signs in, taps an example, says yes and has a receipt', async () => {
  const page = await sayso.visit(null, PHONE);
  await page.getByLabel('Your name').fill('Zoë');
  await page.getByLabel('User id').fill('zoe');
  await page.getByLabel('Tenant').fill('first');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Hello Zoë.').waitFor();
  await page.getByRole('button', { name: 'coffee 3.50 and lunch 12' }).click();
  const card = lastCard(page);
  await card.getByRole('heading', { name: 'Add 2 expenses' }).waitFor();
  assert.deepEqual(await rowsOf(card), ['coffee £3.50', 'lunch £12.00']);
  assert.equal(await card.locator('header .sum').textContent(), '£15.50');
  await card.getByRole('button', { name: 'Add them' }).click();
  await card.getByText('Added 2 expenses', { exact: true }).last().waitFor();
  assert.equal(await card.getByRole('button', { name: 'Undo' }).count(), 1);
  await page.getByRole('button', { name: 'Receipts' }).click();
  await page.getByText('Added 2 expenses').waitFor();
  assert.equal(await page.locator('.receipt').count(), 1);
  await page.getByRole('button', { name: 'Expenses', exact: true }).click();
  await lists(page, ['coffee £3.50', 'lunch £12.00'], { sorted: true });
});

test('a typed yes does the same as the button', async () => {
  const page = await sayso.visit({ tenant: 'typed' });
  await say(page, 'coffee 3.50 and lunch 12');
  await say(page, 'yes');
  await lastCard(page).getByText('Added 2 expenses').last().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add them' }).count(), 0);
  await lists(page, ['coffee £3.50', 'lunch £12.00'], { sorted: true });
});

test('a complete expense is added at once, with a way back', async () => {
  const page = await sayso.visit({ tenant: 'at-once' });
  await say(page, 'tea 2.20 today');
  await page.getByText('Added “tea”').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).count(), 1);
  await lists(page, ['tea £2.20']);
});

test('a question has its answer typed, and an option pressed', async () => {
  const page = await sayso.visit({ tenant: 'question' });
  await say(page, 'I want to add an item');
  await page.getByText('What did you buy, and how much was it?').waitFor();
  await say(page, 'umbrella, 14');
  await lists(page, ['umbrella £14.00']);
});

test('the conversation is there after a reload and on another device', async () => {
  const who = { tenant: 'reload' };
  const page = await sayso.visit(who);
  await say(page, 'coffee 3.50 and lunch 12');
  await say(page, 'how much did I spend in 2019?');
  const read = async (of) => {
    await of.locator('.turn').nth(1).waitFor();
    return of.locator('.said').allTextContents();
  };
  const said = ['coffee 3.50 and lunch 12', 'how much did I spend in 2019?'];
  assert.deepEqual(await read(page), said);
  await page.reload();
  assert.deepEqual(await read(page), said);
  const phone = await sayso.visit(who, PHONE);
  assert.deepEqual(await read(phone), said);
  assert.deepEqual(await rowsOf(lastCard(phone)), ['coffee £3.50', 'lunch £12.00']);
});

test('older conversations are opened again, and a new one is empty', async () => {
  const page = await sayso.visit({ tenant: 'several' });
  await say(page, 'how much did I spend in 2018?');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByText('Hello Ann.').waitFor();
  await say(page, 'how much did I spend in 2017?');
  await page.getByRole('button', { name: 'Conversations', exact: true }).click();
  await page.locator('.list-row').nth(1).waitFor();
  assert.deepEqual(await page.locator('.list-row .item').allTextContents(), ['how much did I spend in 2017?', 'how much did I spend in 2018?']);
  await page.getByRole('button', { name: 'how much did I spend in 2018?' }).click();
  await page.locator('.said', { hasText: '2018' }).waitFor();
  assert.deepEqual(await page.locator('.said').allTextContents(), ['how much did I spend in 2018?']);
});

test('markup in words, rows and notes stays text', async () => {
  const page = await sayso.visit({ tenant: 'markup', name: '<b>Ann</b>' });
  const words = '<img src=x onerror=alert(1)> tea 4 and <script>alert(2)</script> bun 5';
  await say(page, words);
  assert.equal(await page.locator('.said').last().textContent(), words);
  await say(page, 'coffee 3.50 and lunch 12');
  const card = lastCard(page);
  await card.getByRole('button', { name: 'Edit coffee' }).click();
  await card.getByLabel('Notes').fill('<i>with</i> milk & "sugar"');
  await card.getByRole('button', { name: 'Change' }).click();
  await card.locator('.details', { hasText: 'milk' }).waitFor();
  assert.equal(await page.locator('#app img, #app script, #app i:not(.working i), .item b, .details i').count(), 0);
});

test('a long conversation is read back to its first message, and the reader stays where they are', async () => {
  const headers = { 'content-type': 'application/json', 'x-tenant-id': 'long', 'x-user-id': 'ann' };
  for (let year = 1980; year < 2010; year++) {
    const body = JSON.stringify({ message: `how much did I spend in ${year}?`, messageId: `m-${year}`, conversationId: 'long' });
    await fetch(`${sayso.service.url}chat`, { method: 'POST', headers, body });
  }
  const page = await sayso.visit({ tenant: 'long' }, PHONE);
  await page.locator('.said', { hasText: '2009' }).waitFor();
  const log = page.getByLabel('Conversation', { exact: true });
  assert.equal(await page.locator('.said', { hasText: '1980' }).count(), 0);
  // At the top of what was loaded, older turns come in above it.
  const top = page.locator('.said').first();
  const text = await top.textContent();
  await log.evaluate((box) => { box.scrollTop = 0; });
  await page.locator('.said', { hasText: '1980' }).waitFor();
  const { y } = await page.locator('.said', { hasText: text }).boundingBox();
  assert.ok(y > 0 && y < 400, `the first turn that was in view is now at ${y}`);
  await page.getByRole('button', { name: 'New below' }).click();
  await page.getByRole('button', { name: 'New below' }).waitFor({ state: 'detached' });
  assert.equal((await page.locator('.said').allTextContents()).length, 30);
});

test('a scroll that is told after the conversation has left the page does nothing', async () => {
  const page = await sayso.visit({ tenant: 'left' }, PHONE);
  const log = await page.getByLabel('Conversation', { exact: true }).elementHandle();
  await page.getByRole('button', { name: 'Overview' }).click();
  await log.waitForElementState('hidden');
  const errors = await log.evaluate((box) => {
    const errors = [];
    addEventListener('error', ({ message }) => errors.push(message));
    box.dispatchEvent(new Event('scroll'));
    return errors;
  });
  assert.deepEqual(errors, []);
});
