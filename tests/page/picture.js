// Draws the picture of the page in the README: a conversation beside the list, with a card that waits.
import path from 'node:path';
import { lastCard, say, start } from './harness.js';

const sayso = await start({ seed: 400 });
try {
  const page = await sayso.visit({ tenant: 'seeded' }, { viewport: { width: 1200, height: 760 } });
  await say(page, 'how much did we spend on food this month?');
  await say(page, 'coffee 3.50 and lunch 12');
  await lastCard(page).getByRole('button', { name: 'Add them' }).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: path.join(import.meta.dirname, 'picture.png') });
} finally {
  await sayso.stop();
}
