// AG-UI's own clients against the service, in both versions that are in use.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startService } from '../page/service.js';
import { VERSIONS, agentFor, answer, say } from './ag-ui.js';
import { plain } from './plain.js';

let sayso;
before(async () => { sayso = await startService({ settings: { CONFIRM_POLICY: 'always' } }); });
after(async () => { await sayso.stop(); });

const SAY_COFFEE = 'coffee 3.50 on 5 March 2025';
const ASKED = 'Add “coffee”, £3.50, 5 Mar 2025? (yes / no)';
const DONE = 'Added “coffee”, £3.50, 5 Mar 2025 (#1).';
const operation = {
  after: {
    amount: 3.5, category: null, currency: 'GBP', date: '2025-03-05', id: 1, item: 'coffee', kind: 'expense',
    money: { amount: '3.50', currency: 'GBP' }, notes: null, owner: 'ann', version: 1,
  },
  kind: 'expense', n: 1, op: 'add', text: '“coffee”, £3.50, 5 Mar 2025',
};
const input = { count: 1, operations: [operation], totals: [{ amount: '3.50', count: 1, currency: 'GBP' }], warnings: [] };
const receipt = {
  count: 1, executedAt: 'TIME', executedBy: 'ann', fingerprint: 'FINGERPRINT', operations: [operation], proposalId: 'PROPOSAL',
  title: 'Added 1 expense',
};

/** Messages without ids, with the arguments and results of tools as values. */
function told(messages) {
  const open = (text) => { try { return JSON.parse(text); } catch { return text; } };
  const named = (value) => JSON.parse(JSON.stringify(plain(value)).replace(/"fingerprint\d"/g, '"FINGERPRINT"').replace(/"id\d+"/g, '"PROPOSAL"'));
  return messages.map(({ role, content, toolCalls }) => named({
    role, ...(content && { content: role === 'tool' ? open(content) : content }),
    ...(toolCalls && { calls: toolCalls.map((call) => [call.function.name, open(call.function.arguments)]) }),
  }));
}

const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });
const card = { role: 'assistant', content: ASKED, calls: [['add_expense', input]] };
const tool = (content) => ({ role: 'tool', content });
const cancel = (agent) => ({ resume: [{ interruptId: agent.pendingInterrupts[0].id, status: 'cancelled' }] });

let threads = 0;
for (const [version, client] of Object.entries(VERSIONS)) {
  const at = (name) => `${version}: ${name}`;
  /** An agent of a tenant of its own. */
  const newAgent = (service = sayso, who = {}) => agentFor(service, client, { who: { 'x-tenant-id': `${version}-${++threads}`, ...who } });
  const rows = async (agent) => {
    const read = await fetch(`${sayso.url}expenses`, { headers: agent.headers });
    return (await read.json()).items.map((row) => [row.item, row.money.amount]);
  };
  const customs = (agent, name) => agent.events.filter((event) => event.name === name).map((event) => event.value);

  test(at('a person is asked what is missing, approves what is shown and gets the receipt'), async () => {
    const agent = newAgent();
    await say(agent, 'I want to add an item');
    const asks = 'What did you buy, and how much was it?';
    assert.deepEqual(customs(agent, 'sayso.question'), [{ text: asks, missing: ['item', 'amount'] }]);
    await say(agent, SAY_COFFEE);
    const [interrupt] = agent.pendingInterrupts;
    assert.deepEqual(plain(interrupt), {
      id: 'id1.fingerprint1.showing1', reason: 'tool_call', toolCallId: 'id1.showing1', message: 'Add 1 expense',
      responseSchema: { type: 'object', properties: { approved: { type: 'boolean' }, reason: { type: 'string' } }, required: ['approved'] },
      metadata: { proposalId: 'id1', fingerprint: 'fingerprint1', expiresAt: 'TIME' },
    });
    assert.equal(interrupt.toolCallId, agent.messages.at(-1).toolCalls[0].id);
    await answer(agent, { approved: true });
    assert.deepEqual(told(agent.messages), [user('I want to add an item'), assistant(asks), user(SAY_COFFEE), card, tool({ receipt }), assistant(DONE)]);
    assert.deepEqual([agent.pendingInterrupts, customs(agent, 'sayso.receipt').length, await rows(agent)], [[], 1, [['coffee', '3.50']]]);
  });

  test(at('a rejection with a reason writes nothing'), async () => {
    const agent = newAgent();
    await say(agent, SAY_COFFEE);
    await answer(agent, { approved: false, reason: 'not mine' });
    assert.deepEqual(told(agent.messages), [user(SAY_COFFEE), card, tool({ rejected: true }), assistant('OK, nothing was changed.')]);
    assert.deepEqual([agent.pendingInterrupts, await rows(agent)], [[], []]);
  });

  test(at('an interrupt that is closed without an answer is a rejection'), async () => {
    const agent = newAgent();
    await say(agent, SAY_COFFEE);
    await agent.runAgent(cancel(agent));
    assert.deepEqual(told(agent.messages), [user(SAY_COFFEE), card, tool({ rejected: true }), assistant('OK, nothing was changed.')]);
    assert.deepEqual([agent.pendingInterrupts, await rows(agent)], [[], []]);
  });

  test(at('CopilotKit adds a message of its own and keeps the id of the run: the answer counts'), async () => {
    const agent = newAgent();
    await say(agent, SAY_COFFEE, { runId: 'r1' });
    const [{ id, toolCallId }] = agent.pendingInterrupts;
    agent.addMessage({ id: 'local', role: 'tool', toolCallId, content: '{"approved":true}' });
    await agent.runAgent({ runId: 'r1', resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] });
    assert.deepEqual([told(agent.messages).at(-1), await rows(agent)], [assistant(DONE), [['coffee', '3.50']]]);
  });

  test(at('a message in place of an answer decides by what it says'), async () => {
    for (const [words, last, result, written] of [
      ['yes', DONE, [tool({ receipt })], [['coffee', '3.50']]],
      ['no', 'OK, nothing was changed.', [], []],
      ['how much did I spend?', 'You spent nothing.\n\nStill waiting for your yes or no: add “coffee”, £3.50, 5 Mar 2025.', [], []],
    ]) {
      const agent = newAgent();
      await say(agent, SAY_COFFEE);
      await say(agent, words, cancel(agent));
      const messages = told(agent.messages);
      const results = messages.filter(({ role }) => role === 'tool');
      assert.deepEqual([messages.at(-1), results, await rows(agent)], [assistant(last), result, written]);
      assert.deepEqual(agent.pendingInterrupts, []);
    }
  });

  test(at('an approval that is sent again gets the same receipt'), async () => {
    const agent = newAgent();
    await say(agent, SAY_COFFEE);
    const [interrupt] = agent.pendingInterrupts;
    await answer(agent, { approved: true });
    await answer(agent, { approved: true }, interrupt);
    const replayed = { ...receipt, replayed: true };
    assert.deepEqual(told(agent.messages).filter(({ role }) => role === 'tool'), [tool({ receipt }), tool({ receipt: replayed })]);
    assert.deepEqual(await rows(agent), [['coffee', '3.50']]);
    // And a late no: it was done.
    await answer(agent, { approved: false }, interrupt);
    const refused = 'This is already done, so it is too late to say no. Say “undo” to undo it.';
    assert.deepEqual(told(agent.messages).slice(-1), [assistant(refused)]);
  });

  test(at('a card of rows that have changed since gets an error and a new card'), async () => {
    const agent = newAgent();
    await say(agent, 'coffee 3.50 on 5 March 2025, tea 2 on 5 March 2025');
    await answer(agent, { approved: true });
    await say(agent, 'delete the coffee and the tea');
    const operations = [{ op: 'update', kind: 'expense', id: 2, fields: { amount: '2.50' } }];
    const changed = await fetch(`${sayso.url}proposals`, { method: 'POST', headers: agent.headers, body: JSON.stringify({ messageId: 'f1', approve: true, operations }) });
    assert.equal(changed.status, 200);
    await answer(agent, { approved: true });
    const [, result, renewed] = told(agent.messages).slice(-3);
    const refused = 'Nothing was changed, because #2 is now “tea”, £2.50, 5 Mar 2025 (it was “tea”, £2.00, 5 Mar 2025). Do you still want this?';
    assert.deepEqual([result.content.code, result.content.error.split('\n')[0], renewed.content.split('\n')[0]], ['proposal-stale', refused, refused]);
    assert.equal(agent.pendingInterrupts.length, 1);
    await answer(agent, { approved: true });
    assert.deepEqual([await rows(agent), agent.pendingInterrupts], [[['tea', '2.50']], []]);
  });

  test(at('an error before the run is the error of the request, and the interrupt stays open'), async () => {
    const agent = newAgent();
    await say(agent, SAY_COFFEE);
    await assert.rejects(answer(agent, { approved: 'yes' }), /^Error: HTTP 400: `resume\[0\]\.payload\.approved` must be true or false\.$/);
    await answer(agent, { approved: true });
    assert.deepEqual(told(agent.messages).at(-1), assistant(DONE));
  });

  test(at('an error within the run is told in words'), async () => {
    const broken = await startService({ settings: { TOOLKITS: 'workspace', MODEL_PROVIDER: 'openai', MODEL_NAME: 'none', MODEL_API_KEY: 'none', MODEL_BASE_URL: 'http://127.0.0.1:1' } });
    try {
      const agent = newAgent(broken);
      await say(agent, 'call mum');
      const { message, code } = agent.events.at(-1);
      assert.deepEqual([message, code], ['The assistant is not available right now. Nothing was changed. Try again in a moment.', 'model-unavailable']);
    } finally {
      await broken.stop();
    }
  });

  test(at('a run of many rows tells its progress, and goes on after the service was killed'), async () => {
    const bulk = await startService({ seed: 1000, settings: { ROWS_PER_SECOND: '100' } });
    try {
      const agent = newAgent(bulk, { 'x-tenant-id': 'seeded', 'x-user-id': 'me', 'x-roles': 'admin' });
      await say(agent, 'delete everything from last year');
      const total = JSON.parse(agent.messages.at(-1).toolCalls[0].function.arguments).count;
      const killing = agent.subscribe({ onCustomEvent: ({ event }) => { if (event.name === 'sayso.progress' && event.value.done > 0) bulk.kill(); } });
      await answer(agent, { approved: true }).catch(() => {});
      killing.unsubscribe();
      assert.deepEqual(customs(agent, 'sayso.progress')[0], { done: 0, skipped: 0, total });
      assert.equal(agent.pendingInterrupts.length, 1);
      await bulk.run({ ROWS_PER_SECOND: '100000' });
      await answer(agent, { approved: true });
      const [result] = agent.messages.filter(({ role }) => role === 'tool');
      const { receipt: { count, title } } = JSON.parse(result.content);
      assert.deepEqual([count, title, agent.pendingInterrupts], [total, `Deleted ${total} expenses`, []]);
    } finally {
      await bulk.stop();
    }
  });
}
