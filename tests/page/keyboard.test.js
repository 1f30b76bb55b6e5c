import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lists, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);

/** Presses Tab until the button has the focus. */
async function tabTo(page, name) {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  assert.fail(`no way to ${name} with Tab`);
}

test('without a mouse: sign in, add, leave a row out, undo', { timeout: 60_000 }, async () => {
  const page = await sayso.visit(null);
  await page.getByLabel('Your name').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ann');
  await page.keyboard.press('Enter');
  await page.getByText('Hello Ann.').waitFor();
  await page.keyboard.press('/');
  // The page moves the focus with its next frame.
  await page.locator('textarea:focus').waitFor();
  assert.equal(await focused(page), 'Message');
  await page.keyboard.type('coffee 3.50 and lunch 12');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add 2 expenses' }).waitFor();
  assert.equal(await focused(page), 'Message');
  await page.getByLabel('Conversation', { exact: true }).focus();
  await tabTo(page, 'Leave lunch out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add coffee' }).waitFor();
  await tabTo(page, 'Add it');
  await page.keyboard.press('Enter');
  await page.getByText('Added coffee').last().waitFor();
  // The focus goes to what became of the card, not to the top of the page, and with the next frame.
  await page.locator('.outcome-line:focus').waitFor();
  assert.match(await focused(page), /^Added/);
  await lists(page, ['coffee £3.50']);
  await page.keyboard.press('u');
  await page.getByRole('dialog').getByRole('heading', { name: 'Undo: Delete coffee' }).waitFor();
  await tabTo(page, 'Undo it');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Deleted coffee').last().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await lists(page, []);
});

test('keys go to the places, and ? lists them', async () => {
  const page = await sayso.visit({ tenant: 'keys' });
  await page.getByText('Hello Ann.').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('undo the last change').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.getByText('Nothing was done yet.').waitFor();
  await page.keyboard.press('o');
  await page.getByText('Nothing to add up yet.').waitFor();
  await page.keyboard.press('e');
  await page.getByText('No expenses yet.').waitFor();
});
