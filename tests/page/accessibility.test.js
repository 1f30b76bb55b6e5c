import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { DESK, lastCard, PHONE, say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start({ seed: 200 }); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// The schemes differ in colours alone, so the rest is checked in one of them.
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

async function findings(page, screen, colorScheme) {
  // Without frames the legacy mode finds the same. The other one opens a page of its own for each run, for half of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (colorScheme === 'dark' ? axe.withRules(OF_COLOURS) : axe.withTags(RULES)).analyze();
  return violations.map(({ id, nodes }) => `${screen}, ${colorScheme}: ${id} ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`);
}

/** Buttons that a thumb would miss. */
const small = (page) => page.evaluate(() => [...document.querySelectorAll('button, input, select')]
  .filter((element) => element.checkVisibility() && !element.closest('.pick'))
  .map((element) => ({ element, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 1 && (box.height < 43.5 || box.width < 24))
  .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width}×${box.height}`));

for (const [size, options] of Object.entries({ phone: PHONE, desk: DESK })) {
  test(`no screen has findings of axe, light or dark: ${size}`, { timeout: 180_000 }, async () => {
    const found = [];
    const check = async (page, screen) => {
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        found.push(...await findings(page, screen, colorScheme));
      }
      if (size === 'phone') found.push(...(await small(page)).map((button) => `${screen}: small ${button}`));
    };
    const outside = await sayso.visit(null, options);
    await outside.getByLabel('Your name').waitFor();
    await check(outside, 'sign-in');
    const fresh = await sayso.visit({ tenant: `fresh-${size}` }, options);
    await fresh.getByText('Hello Ann.').waitFor();
    await check(fresh, 'first visit');
    for (const place of ['expenses', 'overview', 'receipts']) {
      await fresh.evaluate((place) => { location.hash = `#/${place}`; }, place);
      await fresh.locator('.empty-title').last().waitFor();
      await check(fresh, `empty ${place}`);
    }
    const page = await sayso.visit({ tenant: 'seeded', user: size, roles: 'admin' }, options);
    await say(page, 'coffee 3.50 and lunch 12 yesterday');
    await lastCard(page).getByRole('button', { name: 'Edit coffee' }).click();
    await check(page, 'editing in a card');
    await lastCard(page).getByRole('button', { name: 'Cancel' }).click();
    await lastCard(page).getByRole('button', { name: 'Leave lunch out' }).click();
    await check(page, 'card');
    await lastCard(page).getByRole('button', { name: 'Add it' }).click();
    await lastCard(page).getByText('Added coffee').last().waitFor();
    await say(page, 'budget 200 a month for food');
    await say(page, 'rent 950 every month on the 1st');
    await say(page, 'show the biggest expenses of this year');
    await say(page, 'delete everything from last year');
    await check(page, 'conversation');
    await lastCard(page).getByRole('button', { name: /^Show all/ }).click();
    await page.getByRole('dialog').locator('.operation').nth(10).waitFor();
    await check(page, 'all rows');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await page.locator('.list-row').first().waitFor();
    await check(page, 'conversations');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'You and settings' }).click();
    await check(page, 'settings');
    await page.keyboard.press('Escape');
    await page.evaluate(() => { location.hash = '#/expenses'; });
    const chips = page.getByRole('group', { name: 'Filters' });
    await chips.getByRole('button', { name: 'Last month' }).click();
    await page.locator('.expenses .row').nth(3).waitFor();
    await check(page, 'expenses');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await check(page, 'filters');
    await page.keyboard.press('Escape');
    await page.locator('input[type=file]').setInputFiles(new URL('../suite/files/uk.csv', import.meta.url).pathname);
    await page.getByText('How the file is read').waitFor();
    await check(page, 'import');
    await page.keyboard.press('Escape');
    await page.locator('.expenses .row-main').nth(1).focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    await check(page, 'selection');
    await page.keyboard.press('Escape');
    await page.locator('.expenses .row-main').nth(2).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).waitFor();
    await check(page, 'one expense');
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await check(page, 'editing one expense');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.evaluate(() => { location.hash = '#/overview'; });
    await page.locator('.bar-row').first().waitFor();
    await page.locator('.budgets li').first().waitFor();
    await check(page, 'overview');
    await page.evaluate(() => { location.hash = '#/receipts'; });
    await page.locator('.receipt-open').first().click();
    await check(page, 'receipts');
    assert.deepEqual(found, []);
  });
}

test('the log, the cards and what they became are announced', async () => {
  const page = await sayso.visit({ tenant: 'announced' });
  await say(page, 'coffee 3.50 and lunch 12');
  assert.equal(await page.getByRole('log').getAttribute('aria-live'), 'polite');
  await page.getByRole('group', { name: 'Add 2 expenses' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'box');
});

test('the switch of looks wins over the system', async () => {
  const page = await sayso.visit({ tenant: 'looks' }, { colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByText('Hello Ann.').waitFor();
  const light = await background();
  await page.getByRole('button', { name: 'You and settings' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.notEqual(await background(), light);
  await page.reload();
  await page.getByText('Hello Ann.').waitFor();
  assert.notEqual(await background(), light);
});
