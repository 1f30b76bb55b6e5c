import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { say, start } from './harness.js';

const ASKED = { questions: [
  { text: 'How much was lunch?', options: ['£5', '£7'] },
  { text: 'Which day was it?', options: ['Monday', 'Tuesday'] },
] };

/** A model that asks two questions, and then repeats what was said last. */
const model = createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    const messages = body ? JSON.parse(body).messages : [];
    const said = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
    const calls = [{ index: 0, id: 'c', type: 'function', function: { name: 'ask_questions', arguments: JSON.stringify(ASKED) } }];
    const asks = said.startsWith('lunch');
    const choice = asks ? { delta: { tool_calls: calls }, finish_reason: 'tool_calls' } : { delta: { content: `You said ${said}.` }, finish_reason: 'stop' };
    response.setHeader('content-type', 'text/event-stream');
    response.end(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\ndata: [DONE]\n\n`);
  });
}).listen(0, '127.0.0.1');

let sayso;
before(async () => {
  if (!model.listening) await once(model, 'listening');
  const MODEL_BASE_URL = `http://127.0.0.1:${model.address().port}/v1`;
  sayso = await start({ settings: { MODEL_PROVIDER: 'openai', MODEL_NAME: 'm', MODEL_API_KEY: 'sk', MODEL_BASE_URL } });
});
after(async () => {
  await sayso.stop();
  model.close();
  assert.deepEqual(sayso.problems, []);
});

test('each of several questions has its own options, and the answers are said together', async () => {
  const page = await sayso.visit({ tenant: 'questions' });
  await say(page, 'lunch');
  const options = (name) => page.getByRole('group', { name }).getByRole('button');
  await options('Which day was it?').first().waitFor();
  assert.deepEqual(await options('How much was lunch?').allTextContents(), ['£5', '£7']);
  assert.deepEqual(await options('Which day was it?').allTextContents(), ['Monday', 'Tuesday']);
  assert.equal(await page.getByText('Which day was it?', { exact: true }).count(), 1);
  await options('Which day was it?').nth(1).click();
  await options('How much was lunch?').first().click();
  await page.getByText('You said £5, Tuesday.').waitFor();
  assert.deepEqual(await page.locator('.said').allTextContents(), ['lunch', '£5, Tuesday']);
});
