// The AI SDK's own chat against the service: its messages as a person's page would hold them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';

import { startService } from '../page/service.js';
import { answer, chatWith, say } from './ai-sdk.js';
import { plain } from './plain.js';

let sayso;
before(async () => { sayso = await startService({ settings: { CONFIRM_POLICY: 'always' } }); });
after(async () => { await sayso.stop(); });

let chats = 0;
/** A chat of a tenant of its own. */
const newChat = (settings) => chatWith(sayso, { who: { 'x-tenant-id': `home-${++chats}` }, ...settings });

const step = { type: 'step-start' };
const text = (words) => ({ type: 'text', text: words, state: 'done' });
const partsOf = (message) => plain(message.parts);

/** An expense of one line, and what the service tells of it. */
function added({ id = 1, item, amount, words }) {
  const [whole, minor] = amount.split('.');
  const row = {
    amount: Number(amount), category: null, currency: 'GBP', date: '2025-03-05', id, item, kind: 'expense',
    money: { amount: `${whole}.${minor}`, currency: 'GBP' }, notes: null, owner: 'ann', version: 1,
  };
  const operation = { after: row, kind: 'expense', n: 1, op: 'add', text: words };
  const input = { count: 1, operations: [operation], totals: [{ amount, count: 1, currency: 'GBP' }], warnings: [] };
  const receipt = {
    count: 1, executedAt: 'TIME', executedBy: 'ann', fingerprint: 'fingerprint1', operations: [operation],
    proposalId: 'id1', title: 'Added 1 expense',
  };
  return { input, receipt };
}

/** The card of a tool call. */
const call = (input, state, rest = {}, approval = {}) => ({
  type: 'dynamic-tool', toolName: 'add_expense', toolCallId: 'id1.showing1', title: 'Add 1 expense', input, state,
  approval: {
    id: 'id1.fingerprint1.showing1', ...approval,
    descriptor: { proposalId: 'id1', fingerprint: 'fingerprint1', expiresAt: 'TIME' },
  },
  ...rest,
});

const COFFEE = { item: 'coffee', amount: '3.50', words: '“coffee”, £3.50, 5 Mar 2025' };
const SAY_COFFEE = 'coffee 3.50 on 5 March 2025';
const ASKED = text('Add “coffee”, £3.50, 5 Mar 2025? (yes / no)');
const DONE = text('Added “coffee”, £3.50, 5 Mar 2025 (#1).');

/** The rows of a chat's tenant. */
async function rows(chat) {
  const { headers } = chat.transport;
  const answer = await fetch(`${sayso.url}expenses`, { headers });
  return (await answer.json()).items.map((row) => [row.item, row.money.amount]);
}

/** The change of a row by another page of the person. */
async function change(chat, operation) {
  const body = JSON.stringify({ messageId: `form-${Math.random()}`, approve: true, operations: [{ kind: 'expense', ...operation }] });
  const answer = await fetch(`${sayso.url}proposals`, { method: 'POST', headers: { ...chat.transport.headers, 'content-type': 'application/json' }, body });
  assert.equal(answer.status, 200, await answer.text());
}

for (const path of ['api/chat', 'chat']) {
  test(`at ${path} a person is asked what is missing, approves what is shown and gets the receipt`, async () => {
    const chat = newChat({ path });
    const question = await say(chat, 'I want to add an item');
    const asks = 'What did you buy, and how much was it?';
    assert.deepEqual(partsOf(question), [step, text(asks), { type: 'data-question', data: { text: asks, missing: ['item', 'amount'] } }]);
    const shown = await say(chat, SAY_COFFEE);
    const { input, receipt } = added(COFFEE);
    assert.deepEqual(partsOf(shown), [step, ASKED, call(input, 'approval-requested')]);
    assert.deepEqual(await rows(chat), []);
    await answer(chat, shown, true);
    assert.deepEqual(partsOf(chat.lastMessage), [step, ASKED, call(input, 'output-available', { output: { receipt } }, { approved: true }), step, DONE]);
    assert.deepEqual([chat.status, chat.messages.length, chat.lastMessage.id], ['ready', 4, shown.id]);
    assert.deepEqual(await rows(chat), [['coffee', '3.50']]);
    const statuses = chat.transient.filter((part) => part.type === 'data-status');
    assert.deepEqual(statuses[0], { type: 'data-status', data: { text: 'Thinking…' }, transient: true });
  });
}

test('a rejection with a reason writes nothing', async () => {
  const chat = newChat();
  await answer(chat, await say(chat, SAY_COFFEE), false, 'not mine');
  const { input } = added(COFFEE);
  const denied = call(input, 'output-denied', {}, { approved: false, reason: 'not mine' });
  assert.deepEqual(partsOf(chat.lastMessage), [step, ASKED, denied, step, text('OK, nothing was changed.')]);
  assert.deepEqual(await rows(chat), []);
});

test('an approval that is sent again gets the same receipt', async () => {
  const [chat, { input, receipt }] = [newChat(), added(COFFEE)];
  const shown = await say(chat, SAY_COFFEE);
  // The same card in a second tab.
  const second = newChat({ who: { 'x-tenant-id': `home-${chats}` } });
  second.messages = structuredClone(chat.messages);
  await answer(chat, shown, true);
  await answer(second, second.lastMessage, true);
  const output = { receipt: { ...receipt, replayed: true } };
  assert.deepEqual(partsOf(second.lastMessage), [step, ASKED, call(input, 'output-available', { output }, { approved: true }), step, DONE]);
  const request = { method: 'POST', headers: chat.transport.headers, body: JSON.stringify(chat.posted.at(-1)) };
  const sent = await (await fetch(`${sayso.url}api/chat`, request)).text();
  const chunks = sent.split('\n\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)));
  assert.deepEqual(plain(chunks[1]), { type: 'tool-output-available', toolCallId: 'id1.showing1', output });
  assert.deepEqual(await rows(chat), [['coffee', '3.50']]);
});

test('a card of rows that have changed since gets an error and a new card in the same message', async () => {
  const chat = newChat();
  await answer(chat, await say(chat, 'coffee 3.50 on 5 March 2025, tea 2 on 5 March 2025'), true);
  const shown = await say(chat, 'delete the coffee and the tea');
  await change(chat, { op: 'update', id: 2, fields: { amount: '2.50' } });
  await answer(chat, shown, true);
  const [, , old, , renewed] = chat.lastMessage.parts;
  assert.deepEqual([old.state, old.errorText.split('\n')[0]], ['output-error', 'Nothing was changed, because #2 is now “tea”, £2.50, 5 Mar 2025 (it was “tea”, £2.00, 5 Mar 2025). Do you still want this?']);
  assert.deepEqual([renewed.state, renewed.input.operations.map((one) => one.text)], ['approval-requested', ['“coffee”, £3.50, 5 Mar 2025']]);
  assert.deepEqual([chat.lastMessage.parts.length, chat.lastMessage.id, chat.status], [5, shown.id, 'ready']);
  await answer(chat, chat.lastMessage, true);
  assert.deepEqual(chat.lastMessage.parts.filter((part) => part.type === 'dynamic-tool').map((part) => part.state), ['output-error', 'output-available']);
  assert.deepEqual(await rows(chat), [['tea', '2.50']]);
});

test('a yes that is typed while a card is open writes once, and a late click gets the receipt', async () => {
  const [chat, { input, receipt }] = [newChat(), added(COFFEE)];
  const shown = await say(chat, SAY_COFFEE);
  const told = await say(chat, 'yes');
  assert.deepEqual(partsOf(told), [step, DONE, { type: 'data-receipt', data: receipt }]);
  assert.deepEqual(partsOf(chat.messages[1]), [step, ASKED, call(input, 'approval-requested')]);
  await answer(chat, shown, true);
  const output = { receipt: { ...receipt, replayed: true } };
  assert.deepEqual(partsOf(chat.messages[1]), [step, ASKED, call(input, 'output-available', { output }, { approved: true }), step, DONE]);
  assert.deepEqual([chat.messages.length, chat.status], [4, 'ready']);
  assert.deepEqual(await rows(chat), [['coffee', '3.50']]);
});

test('a late approval after a typed no is told why it has no effect', async () => {
  const [chat, { input }] = [newChat(), added(COFFEE)];
  const shown = await say(chat, SAY_COFFEE);
  assert.deepEqual(partsOf(await say(chat, 'no')), [step, text('OK, nothing was changed.')]);
  await answer(chat, shown, true);
  const refused = chat.messages[1].parts[2];
  assert.deepEqual([refused.state, refused.errorText], ['output-error', 'You said no to this before, and nothing was changed. Say it again if you want it now.']);
  assert.deepEqual(plain(refused.input), input);
  assert.deepEqual(await rows(chat), []);
});

test('a proposal that is shown again has a card of its own, and each can be answered', async () => {
  const chat = newChat();
  const first = await say(chat, SAY_COFFEE);
  await say(chat, 'how much did I spend?');
  const again = await say(chat, 'yes');
  const cards = [first, again].map((message) => message.parts.at(-1));
  assert.deepEqual(cards.map((card) => card.state), ['approval-requested', 'approval-requested']);
  assert.equal(new Set(cards.map((card) => card.approval.id)).size, 2);
  assert.equal(new Set(cards.map((card) => card.approval.descriptor.proposalId)).size, 1);
  await answer(chat, again, true);
  assert.deepEqual(partsOf(chat.lastMessage).at(-1), DONE);
  assert.deepEqual(await rows(chat), [['coffee', '3.50']]);
});

test('an edited message is a new message, and a repeated one the same', async () => {
  const chat = newChat();
  await say(chat, 'coffee 3 on 5 March 2025');
  await chat.sendMessage({ text: SAY_COFFEE, messageId: chat.messages[0].id });
  const shown = partsOf(chat.lastMessage);
  assert.deepEqual(shown.slice(0, 2), [step, ASKED]);
  const { proposalId } = chat.lastMessage.parts.at(-1).approval.descriptor;
  await chat.regenerate();
  assert.deepEqual(partsOf(chat.lastMessage), shown);
  assert.equal(chat.lastMessage.parts.at(-1).approval.descriptor.proposalId, proposalId);
  await answer(chat, chat.lastMessage, true);
  assert.deepEqual(await rows(chat), [['coffee', '3.50']]);
});

test('a page that was loaded again has nothing to resume', async () => {
  const chat = newChat();
  await say(chat, SAY_COFFEE);
  const before = structuredClone(chat.messages);
  await chat.resumeStream();
  assert.deepEqual([chat.messages, chat.status, chat.error], [before, 'ready', undefined]);
});

test('an error before the answer is shown in words', async () => {
  const chat = newChat({ who: { 'x-user-id': '' } });
  await chat.sendMessage({ text: SAY_COFFEE });
  assert.deepEqual([chat.status, chat.error.statusCode, chat.error.message], ['error', 403, 'The token must name exactly one user. Sign in again.']);
});

test('an error within the answer is shown in words, and the message can be sent again', async () => {
  const broken = await startService({ settings: { TOOLKITS: 'workspace', MODEL_PROVIDER: 'openai', MODEL_NAME: 'none', MODEL_API_KEY: 'none', MODEL_BASE_URL: 'http://127.0.0.1:1' } });
  try {
    const chat = chatWith(broken);
    await chat.sendMessage({ text: 'call mum' });
    assert.deepEqual([chat.status, chat.error.message], ['error', 'The assistant is not available right now. Nothing was changed. Try again in a moment.']);
    await chat.regenerate();
    assert.deepEqual([chat.status, chat.messages.length], ['error', 1]);
  } finally {
    await broken.stop();
  }
});

test('a run tells its progress in its card, and goes on after the service was killed', async () => {
  const bulk = await startService({ seed: 1000, settings: { ROWS_PER_SECOND: '100' } });
  try {
    const chat = chatWith(bulk, { who: { 'x-tenant-id': 'seeded', 'x-user-id': 'me', 'x-roles': 'admin' } });
    const shown = await say(chat, 'delete everything from last year');
    const total = shown.parts.at(-1).input.count;
    const outputs = [];
    const killed = new Promise((done) => {
      chat.state.onReplaced = (message) => {
        const card = message.parts.find((part) => part.type === 'dynamic-tool');
        if (card.state !== 'output-available') return;
        outputs.push([card.preliminary, card.output]);
        // After the second transaction.
        if (card.output.progress.done === 0) return;
        chat.state.onReplaced = () => {};
        done(bulk.kill());
      };
    });
    const ended = once(chat.finished, 'finish');
    await chat.addToolApprovalResponse({ id: shown.parts.at(-1).approval.id, approved: true });
    await killed;
    const [{ isError }] = await ended;
    assert.deepEqual([isError, chat.status, outputs[0]], [true, 'error', [true, { progress: { done: 0, skipped: 0, total } }]]);
    await bulk.run({ ROWS_PER_SECOND: '100000' });
    await chat.sendMessage();
    const card = chat.lastMessage.parts.find((part) => part.type === 'dynamic-tool');
    assert.deepEqual([chat.status, card.state, card.preliminary, card.output.receipt.count, card.output.receipt.title], ['ready', 'output-available', undefined, total, `Deleted ${total} expenses`]);
    assert.equal(chat.messages.length, 2);
  } finally {
    await bulk.stop();
  }
});

test('a person who stops the answer does not stop the run', async () => {
  const bulk = await startService({ seed: 1000, settings: { ROWS_PER_SECOND: '250' } });
  try {
    const chat = chatWith(bulk, { who: { 'x-tenant-id': 'seeded', 'x-user-id': 'me', 'x-roles': 'admin' } });
    const { approval, input } = (await say(chat, 'delete everything from last year')).parts.at(-1);
    const stopped = new Promise((done) => {
      chat.state.onReplaced = (message) => {
        if (!message.parts.some((part) => part.preliminary)) return;
        chat.state.onReplaced = () => {};
        done(chat.stop());
      };
    });
    await chat.addToolApprovalResponse({ id: approval.id, approved: true });
    await stopped;
    assert.deepEqual([chat.status, chat.lastMessage.parts.find((part) => part.preliminary).output.progress.total], ['ready', input.count]);
    // The same approval again, until the run has ended.
    while (chat.lastMessage.parts.some((part) => part.preliminary)) await chat.sendMessage();
    const [card] = chat.lastMessage.parts.filter((part) => part.type === 'dynamic-tool');
    assert.deepEqual([card.state, card.output.receipt.count, chat.messages.length], ['output-available', input.count, 2]);
  } finally {
    await bulk.stop();
  }
});
