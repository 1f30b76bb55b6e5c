// The real service, and a browser for each person.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { chromium } from 'playwright-core';
import { startService } from './service.js';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESK = { viewport: { width: 1280, height: 800 } };

/**
 * A running service and a browser.
 * @param {{ seed?: number, settings?: Record<string, string> }} [options] as of `startService`
 */
export async function start(options) {
  const service = await startService(options);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  const problems = [];

  /** A browser of its own. */
  async function visit(who, options = {}) {
    // Motion takes a tenth of the time.
    const usual = { ...DESK, locale: 'en-GB', timezoneId: 'Europe/London', serviceWorkers: 'block', reducedMotion: 'reduce' };
    const context = await browser.newContext({ ...usual, ...options });
    if (who) {
      const person = { tenant: 'home', user: 'ann', name: 'Ann', roles: 'member', ...who };
      await context.addInitScript((text) => { localStorage.setItem('who', text); }, JSON.stringify(person));
    }
    return tab(context);
  }

  async function tab(context, hash = '') {
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => problems.push(error.stack));
    page.on('console', (message) => { if (/Content Security Policy/i.test(message.text())) problems.push(message.text()); });
    await page.goto(service.url + hash);
    return page;
  }

  return {
    service, visit, tab, problems,
    async stop() {
      await browser.close();
      await service.stop();
    },
  };
}

/** Types a message and waits for its answer. */
export async function say(page, message) {
  await page.getByLabel('Message', { exact: true }).fill(message);
  await page.keyboard.press('Enter');
  await page.getByText(message, { exact: true }).last().waitFor();
  await page.locator('.status').waitFor({ state: 'detached' });
}

/** The newest card. */
export const lastCard = (page) => page.getByRole('log').locator('section.card').last();

/** The rows of the list of expenses, each as its item and amount, or nothing while they are read. */
const readList = () => document.querySelector('.expenses .skeleton') === null
  && [...document.querySelectorAll('.expenses .row')].map((row) => {
    const text = (name) => row.querySelector(name)?.textContent ?? '';
    return [text('.item'), text('.money')].join(' ');
  });

export async function listed(page) {
  return (await page.waitForFunction(readList)).jsonValue();
}

/** Waits for the list to have these rows. An answer is there before the list that it changes. */
export async function lists(page, expected, { sorted = false } = {}) {
  const inOrder = (rows) => (sorted ? rows.toSorted() : rows);
  for (let reads = 0; reads < 100; reads++) {
    if (isDeepStrictEqual(inOrder(await listed(page)), expected)) return;
    await page.waitForTimeout(50);
  }
  assert.deepEqual(inOrder(await listed(page)), expected);
}

export const rowsOf = (card) => card.locator('.operation').evaluateAll((rows) => rows.map((row) => `${row.classList.contains('out') ? 'out: ' : ''}${row.querySelector('.item')?.textContent} ${row.querySelector('.money')?.textContent ?? ''}`.trim()));
