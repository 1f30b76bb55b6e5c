import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lastCard, lists, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

test('two members see whose expenses are whose, and only their own conversations', async () => {
  const ann = await sayso.visit({ tenant: 'flat' });
  await say(ann, 'coffee 3.50 today');
  const bob = await sayso.visit({ tenant: 'flat', user: 'bob', name: 'Bob' });
  await bob.getByText('Hello Bob.').waitFor();
  await say(bob, 'taxi 9 today');
  await bob.reload();
  const details = bob.locator('.expenses .row .details');
  await details.nth(1).waitFor();
  assert.deepEqual((await details.allTextContents()).sort(), ['Ann', 'you']);
  await bob.getByRole('button', { name: 'Mine' }).click();
  await bob.locator('.expenses .row', { hasText: 'coffee' }).waitFor({ state: 'detached' });
  await lists(bob, ['taxi £9.00']);
  await bob.getByRole('button', { name: 'Overview' }).click();
  await bob.locator('.overview .amount', { hasText: '£12.50' }).waitFor();
  await bob.getByRole('group', { name: 'Whose' }).getByRole('button', { name: 'Ann' }).click();
  await bob.locator('.overview .amount', { hasText: '£3.50' }).waitFor();
});

test('a viewer looks and is offered nothing to change', async () => {
  const ann = await sayso.visit({ tenant: 'view' });
  await say(ann, 'coffee 3.50 today');
  const guest = await sayso.visit({ tenant: 'view', user: 'guest', name: 'Guest', roles: 'viewer' });
  await guest.locator('.expenses .row', { hasText: 'coffee' }).getByRole('button').click();
  const sheet = guest.getByRole('dialog');
  await sheet.getByText('£3.50').waitFor();
  assert.equal(await sheet.getByRole('button', { name: 'Edit' }).count(), 0);
  await sheet.getByRole('button', { name: 'Close' }).click();
  await guest.getByRole('button', { name: 'Receipts' }).click();
  await guest.getByText('Added coffee').waitFor();
  assert.equal(await guest.getByRole('button', { name: 'Undo' }).count(), 0);
});

test('what a member waits with is not on the other one\'s page', async () => {
  const ann = await sayso.visit({ tenant: 'own-cards' });
  await say(ann, 'coffee 3.50 and lunch 12');
  await lastCard(ann).getByRole('button', { name: 'Add them' }).waitFor();
  const bob = await sayso.visit({ tenant: 'own-cards', user: 'bob', name: 'Bob' });
  await bob.getByText('Hello Bob.').waitFor();
  assert.equal(await bob.locator('.card, .banner-line').count(), 0);
});

test('an undo of rows that are another member\'s is not offered', async () => {
  const ann = await sayso.visit({ tenant: 'own-undo' });
  await say(ann, 'coffee 3.50 today');
  const bob = await sayso.visit({ tenant: 'own-undo', user: 'bob', name: 'Bob' });
  await bob.getByRole('button', { name: 'Receipts' }).click();
  await bob.getByText('Added coffee').waitFor();
  assert.equal(await bob.getByRole('button', { name: 'Undo' }).count(), 0);
});

test('a refused message is not offered to be sent again', async () => {
  const page = await sayso.visit({ tenant: 'refused', user: 'guest', roles: 'viewer' });
  await say(page, 'coffee 3.50');
  await page.getByText('Nothing was saved. Your role is viewer').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0);
  await page.getByRole('button', { name: 'Take it back' }).click();
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'coffee 3.50');
});
