// The published MCP client of TypeScript and raw requests, against the real program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startService } from '../page/service.js';

const REVISION = '2026-07-28';
const QUERIES = ['get_balance', 'get_budgets', 'get_currency', 'list_expenses', 'list_recurring', 'summarize_expenses'];
const CHANGES = ['delete_expense', 'propose_operations', 'set_budget', 'set_currency', 'set_recurring', 'stop_recurring', 'undo', 'update_expense'];
const PYTHON = path.join(import.meta.dirname, '../../.tools/clients/bin/python');
const run = promisify(execFile);
const YES = () => ({ action: 'accept', content: { approve: true } });

let sayso;
// Even where the deployment writes at once, a change by another assistant waits.
before(async () => { sayso = await startService({ settings: { CONFIRM_POLICY: 'never', TOOLKITS: 'expenses,workspace' } }); });
after(async () => { await sayso.stop(); });

let tenants = 0;
const person = (headers = {}) => ({ 'x-tenant-id': `t${++tenants}`, 'x-user-id': 'ann', 'x-roles': 'member', ...headers });

/** A connected client. `answer` fills in the forms; without it the client shows none. */
async function connect(headers, answer, { mode = { pin: REVISION } } = {}) {
  const forms = [];
  const capabilities = answer ? { elicitation: {} } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      forms.push(params);
      return answer(params, forms.length);
    });
  }
  await client.connect(new StreamableHTTPClientTransport(new URL('mcp', sayso.url), { requestInit: { headers } }));
  // The client checks results against the schemas of this list.
  const { tools } = await client.listTools();
  const call = async (name, args = {}) => client.callTool({ name, arguments: args });
  return { client, tools, forms, call };
}

/** A request without a client. `params.meta` replaces the usual `_meta`. */
async function raw(headers, method, params = {}, { id = 1, sent = {}, body } = {}) {
  const { meta, ...others } = params;
  const usual = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const message = { jsonrpc: '2.0', id, method, params: { ...others, _meta: meta ?? usual } };
  const own = { 'content-type': 'application/json', 'mcp-protocol-version': REVISION, 'mcp-method': method, ...(others.name && { 'mcp-name': others.name }), ...sent };
  const all = Object.entries({ ...headers, ...own }).filter(([, value]) => value !== undefined);
  const answer = await fetch(new URL('mcp', sayso.url), { method: 'POST', headers: Object.fromEntries(all), body: body ?? JSON.stringify(message) });
  return { status: answer.status, ...(await answer.json()) };
}

const ask = (headers, path, body) => fetch(new URL(path, sayso.url), body && { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } } || { headers }).then((answer) => answer.json());
const items = async (headers) => (await ask(headers, 'expenses')).items.map(({ item, amount }) => `${item} ${amount}`);
const coffee = { name: 'add_expense', arguments: { item: 'coffee', amount: '3.50', date: '2025-06-02' } };
const answering = (state, response) => ({ ...coffee, requestState: state, inputResponses: { confirm: response } });
const text = ({ content }) => content.map((part) => part.text).join('\n');

test('the tools of all toolkits are listed, with hints, for clients of every kind', async () => {
  const { client, tools } = await connect(person(), YES);
  const hints = (names, readOnlyHint, destructiveHint) => names.map((name) => [name, { readOnlyHint, destructiveHint, idempotentHint: false, openWorldHint: false }]);
  const expected = [
    ...hints([...QUERIES, 'query_notes', 'query_tasks'], true, false),
    ...hints([...CHANGES, 'complete_tasks', 'delete_note', 'delete_task', 'propose_task_operations', 'update_note', 'update_task'], false, true),
    ...hints(['add_expense', 'add_note', 'add_task'], false, false),
  ].sort();
  assert.deepEqual(tools.map(({ name, annotations: { title, ...others } }) => [name, others]), expected);
  assert.ok(tools.every(({ title, description, inputSchema, outputSchema }) => title && description && inputSchema.type === 'object' && outputSchema.type === 'object'));
  assert.equal(tools.find(({ name }) => name === 'add_expense').title, 'Add expense');
  assert.deepEqual([client.getNegotiatedProtocolVersion(), client.getServerVersion()], [REVISION, { name: 'sayso', title: 'sayso', version: '0.1.0' }]);
  const without = await connect(person({ 'x-roles': 'viewer' }));
  assert.deepEqual(without.tools, tools);
});

test('a query is answered from the caller’s own tenant', async () => {
  const ann = person();
  await ask(ann, 'chat', { message: 'coffee 3.50 on 2025-06-02' });
  const { call } = await connect(ann);
  const { content, structuredContent, isError } = await call('get_balance', { range: '2025-06' });
  const { answer, detectedFilters, ...fields } = structuredContent;
  assert.deepEqual([isError, content], [false, [{ type: 'text', text: answer }]]);
  assert.deepEqual([detectedFilters.range, fields], [{ from: '2025-06-01', to: '2025-06-30' }, { balance: 3.5, count: 1, totals: [{ amount: '3.50', count: 1, currency: 'GBP' }] }]);
  assert.match(answer, /£3\.50/);
  const rows = (await call('list_expenses')).structuredContent.listed;
  assert.deepEqual(rows.map(({ item, money }) => [item, money]), [['coffee', { amount: '3.50', currency: 'GBP' }]]);
  const other = await connect(person());
  assert.deepEqual((await other.call('list_expenses')).structuredContent.listed, []);
});

test('every tool’s result has the form that the list declares', async () => {
  const ann = person();
  const { tools, call } = await connect(ann, YES);
  const told = {
    add_expense: coffee.arguments, set_budget: { amount: '200', category: 'food' }, set_currency: { currency: 'EUR' },
    set_recurring: { item: 'rent', amount: '950', every: 'month', starting: '2025-06-01' }, update_expense: { id: 1, category: 'food' },
    add_task: { title: 'call the bank' }, add_note: { title: 'idea', content: 'save more' },
    get_balance: {}, get_budgets: {}, get_currency: {}, list_expenses: { search: 'cofee' }, list_recurring: {},
    summarize_expenses: { by: 'category', compare: true, range: '2025-06' }, query_tasks: {}, query_notes: {},
    stop_recurring: { item: 'rent' }, propose_operations: { select: { category: 'food' }, change: { category: 'drinks' } },
    update_task: { which: { id: 1 }, change: { title: 'call them' } }, update_note: { which: { id: 1 }, change: { content: 'save' } },
    complete_tasks: { ids: [1] }, propose_task_operations: { select: {}, change: { project: 'home' } },
    delete_note: { id: 1 }, delete_task: { id: 1 }, delete_expense: { id: 1 }, undo: {},
  };
  assert.deepEqual(Object.keys(told).sort(), tools.map(({ name }) => name));
  const results = [];
  for (const [name, args] of Object.entries(told)) {
    // The client throws if the result has another form.
    const result = await call(name, args);
    results.push([name, result.isError, result.structuredContent?.status ?? (result.isError ? text(result) : 'found')]);
  }
  const isQuery = (name) => tools.find((tool) => tool.name === name).annotations.readOnlyHint;
  assert.deepEqual(results, Object.keys(told).map((name) => [name, false, isQuery(name) ? 'found' : 'done']));
});

test('a change is shown in a form, and written after a yes', async () => {
  const ann = person();
  const { forms, call } = await connect(ann, async () => {
    assert.deepEqual(await items(ann), [], 'nothing is written before');
    return YES();
  });
  const { structuredContent: { receipt, proposalId, added, answer, ...others }, isError } = await call('add_expense', coffee.arguments);
  assert.deepEqual(forms, [{
    mode: 'form',
    message: 'Add “coffee”, £3.50, 2 Jun 2025? (yes / no)',
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Yes: Add 1 expense', description: 'Nothing is written without this.', default: false },
        reason: { type: 'string', title: 'If not: why?', maxLength: 1000 },
      },
      required: ['approve'],
    },
  }]);
  assert.deepEqual([isError, answer, others], [false, 'Added “coffee”, £3.50, 2 Jun 2025 (expense #1).', { status: 'done' }]);
  assert.deepEqual([receipt.proposalId, added.map(({ id }) => id)], [proposalId, [1]]);
  assert.deepEqual(await items(ann), ['coffee 3.5']);
  const turns = (await ask(ann, 'conversations/mcp/turns')).items;
  assert.deepEqual(turns.map(({ message }) => message), ['Yes.', 'Add expense']);
});

test('rows and warnings are in the form', async () => {
  const ann = person();
  await ask(ann, 'chat', { message: 'coffee 3.50 on 2025-06-02' });
  const { forms, call } = await connect(ann, YES);
  await call('propose_operations', { operations: [{ op: 'add', ...coffee.arguments }, { op: 'update', id: 1, amount: '4' }, { op: 'add', item: 'car', amount: '9000', date: '2025-06-01' }] });
  assert.equal(forms[0].message, [
    'Add 2 expenses and change 1 expense, £9,007.50 in total? (yes / no)',
    '1. “coffee”, £3.50, 2 Jun 2025',
    '2. “coffee”, £3.50, 2 Jun 2025: amount £3.50 → £4.00',
    '3. “car”, £9,000.00, 1 Jun 2025',
    'Unusual amount: £9,000.00 is a lot for one expense',
    'Possible duplicate: you already have expense #1 “coffee”, £3.50, 2 Jun 2025',
  ].join('\n'));
});

test('a no, an empty form and a closed form write nothing', async () => {
  const ann = person();
  const answers = [{ action: 'decline' }, { action: 'accept', content: { approve: false, reason: 'too much' } }, { action: 'cancel' }];
  const { call } = await connect(ann, (_, n) => answers[n - 1]);
  const results = [];
  for (const _ of answers) results.push((await call('add_expense', coffee.arguments)).structuredContent);
  const { answer, proposalId, ...waits } = results.pop();
  assert.deepEqual(results.map(({ proposalId, ...others }) => others), Array(2).fill({ status: 'rejected', answer: 'OK, nothing was changed.' }));
  assert.deepEqual(waits, { status: 'waiting' });
  assert.match(answer, /^Nothing is written yet\. .*yes at http:\/\/127\.0\.0\.1:\d+\/ under/);
  assert.deepEqual(await items(ann), []);
  const waiting = (await ask(ann, 'proposals?state=waiting')).items;
  assert.deepEqual(waiting.map(({ id }) => id), [proposalId]);
});

test('the same yes sent again gives the same receipt', async () => {
  const ann = person();
  const { result: { requestState } } = await raw(ann, 'tools/call', coffee);
  const yes = () => raw(ann, 'tools/call', answering(requestState, YES()), { id: 'again' });
  const [first, second] = await Promise.all([yes(), yes()]);
  const receipts = [first, second, await yes()].map(({ result }) => result.structuredContent.receipt);
  const [{ replayed, ...receipt }] = receipts;
  assert.deepEqual(receipts.map(({ replayed, ...same }) => same), [receipt, receipt, receipt]);
  assert.deepEqual(await items(ann), ['coffee 3.5']);
});

test('a client without forms is told where it waits, and the person decides there', async () => {
  const ann = person();
  const { call } = await connect(ann);
  const { structuredContent: { status, answer, proposalId }, isError } = await call('add_expense', coffee.arguments);
  assert.deepEqual([status, isError], ['waiting', false]);
  assert.match(answer, /^Add “coffee”, £3\.50, 2 Jun 2025\? \(yes \/ no\)\n\nNothing is written yet\./);
  const [{ id, fingerprint }] = (await ask(ann, 'proposals?state=waiting')).items;
  assert.equal(id, proposalId);
  assert.deepEqual(await items(ann), []);
  await ask(ann, `proposals/${id}/confirm`, { fingerprint });
  assert.deepEqual(await items(ann), ['coffee 3.5']);
});

test('a client of an older revision lists, asks and is sent to the page', async () => {
  const ann = person();
  const { client, tools, call } = await connect(ann, YES, { mode: 'legacy' });
  assert.deepEqual([client.getNegotiatedProtocolVersion(), tools.length > 10], ['2025-11-25', true]);
  assert.deepEqual((await call('list_expenses')).structuredContent.listed, []);
  assert.equal((await call('add_expense', coffee.arguments)).structuredContent.status, 'waiting');
  assert.deepEqual(await items(ann), []);
  const sent = { 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 'unknown' };
  const { result } = await raw(ann, 'tools/list', { meta: {} }, { sent });
  assert.deepEqual([Object.keys(result).includes('resultType'), result.tools.length], [false, tools.length]);
  const asked = await raw(ann, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' }, meta: {} }, { sent: { 'mcp-protocol-version': undefined } });
  assert.equal(asked.result.protocolVersion, '2025-06-18');
});

test('what a tool cannot do is told to the assistant', async () => {
  const ann = person();
  const { call } = await connect(ann, YES);
  const guest = await connect({ ...ann, 'x-user-id': 'guest', 'x-roles': 'viewer' }, YES);
  const told = [
    await call('delete_expense', { id: 7 }),
    await call('add_expense', { item: 'coffee', amount: '3.50', date: '3/4/2025' }),
    await call('add_expense', { item: 'coffee', amount: '-1' }),
    await call('add_expense', { item: 'coffee', price: '3.50' }),
    await call('get_balance', { range: 'since my last haircut' }),
    await guest.call('add_expense', coffee.arguments),
  ];
  assert.deepEqual(told.map((result) => [result.isError, text(result)]), [
    'There is no expense #7. To see the numbers, ask for a list, like “show expenses this week”.',
    'Which day do you mean? It can be 3 Apr 2025, 4 Mar 2025.',
    'The amount must be more than zero. Say how much you paid.',
    'These arguments are not valid: unknown field `price`, expected one of `item`, `amount`, `currency`, `date`, `category`, `notes`, `lines`.',
    'I don\'t understand the days "since my last haircut". Write them like "last month", 2026-11 or 2026-11-01..2026-11-20.',
    'Your role is viewer, so you can look but not add. Ask an administrator for another role.',
  ].map((reason) => [true, reason]));
  assert.deepEqual(await items(ann), []);
});

test('rows that changed meanwhile are shown again', async () => {
  const ann = person();
  for (const item of ['coffee', 'tea']) await ask(ann, 'chat', { message: `${item} 3.50 on 2025-06-02` });
  const { forms, call } = await connect(ann, async (_, n) => {
    const change = { op: 'update', kind: 'expense', id: 1, fields: { amount: '4' } };
    if (n === 1) await ask(ann, 'proposals', { messageId: 'm', approve: true, operations: [change] });
    return YES();
  });
  const { structuredContent } = await call('propose_operations', { operations: [{ op: 'delete', id: 1 }, { op: 'delete', id: 2 }] });
  assert.deepEqual([forms.length, structuredContent.status], [2, 'done']);
  assert.match(forms[1].message, /#1 is now “coffee”, £4\.00, .*Do you still want this\?/s);
  assert.deepEqual(await items(ann), ['coffee 4']);
});

test('a state that does not fit is refused, and nothing is written', async () => {
  const [ann, bob] = [person(), person()];
  const { result: { requestState } } = await raw(ann, 'tools/call', coffee);
  const [id, fingerprint, call] = requestState.split('.');
  const flipped = fingerprint.replace(/^./, (first) => (first === '0' ? '1' : '0'));
  const tea = { name: 'add_expense', arguments: { item: 'tea', amount: '1' } };
  const refused = [
    await raw(bob, 'tools/call', answering(requestState, YES())),
    await raw(ann, 'tools/call', answering(`${id}.${flipped}.${call}`, YES())),
    await raw(ann, 'tools/call', answering(`${'0'.repeat(32)}.${fingerprint}.${call}`, YES())),
    await raw(ann, 'tools/call', answering(`${requestState}.`, YES())),
    await raw(ann, 'tools/call', answering('', YES())),
    await raw(ann, 'tools/call', { ...answering(requestState, YES()), ...tea }),
    await raw(ann, 'tools/call', answering(requestState, { action: 'accept', content: { approve: 'true' } })),
    await raw(ann, 'tools/call', answering(requestState, { action: 'ok' })),
    await raw(ann, 'tools/call', answering(requestState, { action: 'accept', content: { approve: false, reason: 'x'.repeat(1001) } })),
  ];
  assert.deepEqual(refused.map(({ status, error }) => [status, error?.code]), Array(9).fill([400, -32602]));
  // Without a form's answer the person is asked.
  const unanswered = [{ ...coffee, inputResponses: { confirm: YES() } }, { ...coffee, requestState }, answering(requestState, { action: 'accept', content: {} })];
  for (const params of unanswered) {
    const { result } = await raw(ann, 'tools/call', params);
    assert.equal(result.resultType, 'input_required');
  }
  const formless = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
  const { result } = await raw(ann, 'tools/call', { ...answering(requestState, YES()), meta: formless });
  assert.equal(result.structuredContent.status, 'waiting');
  assert.deepEqual([await items(ann), await items(bob)], [[], []]);
});

test('a malformed message gets the error of the protocol', async () => {
  const ann = person();
  const meta = (version, capabilities = {}) => ({ 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': capabilities });
  const refused = [
    [{ sent: { 'mcp-method': 'tools/call' } }, 400, -32020],
    [{ sent: { 'mcp-method': undefined } }, 400, -32020],
    [{ sent: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32020],
    [{ sent: { 'mcp-protocol-version': undefined } }, 400, -32020],
    [{ params: { ...coffee }, sent: { 'mcp-name': 'undo' } }, 400, -32020],
    [{ params: { ...coffee }, sent: { 'mcp-name': '=?base64?!?=' } }, 400, -32020],
    [{ params: { meta: meta('1900-01-01') }, sent: { 'mcp-protocol-version': '1900-01-01' } }, 400, -32022],
    [{ params: { meta: {} }, sent: { 'mcp-protocol-version': '1900-01-01' } }, 400, -32022],
    [{ params: { meta: {} } }, 400, -32602],
    [{ params: { meta: meta(REVISION, null) } }, 400, -32602],
    [{ params: { meta: [] } }, 400, -32602],
    [{ params: { cursor: 'x' } }, 400, -32602],
    [{ method: 'tools/call', params: { name: 'ask_questions' } }, 400, -32602],
    [{ method: 'tools/call', params: { name: 'get_balance', arguments: [] } }, 400, -32602],
    [{ method: 'resources/list' }, 404, -32601],
    [{ method: 'initialize' }, 404, -32601],
    [{ id: null }, 400, -32600],
    [{ id: 1.5 }, 400, -32600],
    [{ body: '[]' }, 400, -32600],
    [{ body: '{"jsonrpc": "2.0", "id": 1, "result": {}}' }, 400, -32600],
    [{ body: '{' }, 400, -32700],
    [{ body: '{"id": 1, "id": 1}' }, 400, -32700],
    [{ body: JSON.stringify({ text: 'x'.repeat(2_000_000) }) }, 413, -32600],
    [{ sent: { origin: 'http://evil.example' } }, 403, -32600],
  ];
  for (const [{ method, params, ...options }, status, code] of refused) {
    const answer = await raw(ann, method ?? (params?.name ? 'tools/call' : 'tools/list'), params, options);
    assert.deepEqual([answer.status, answer.error?.code], [status, code], JSON.stringify([method, params, options]).slice(0, 300));
  }
  const { error } = await raw(ann, 'tools/list', { meta: meta('1900-01-01') }, { sent: { 'mcp-protocol-version': '1900-01-01' } });
  assert.deepEqual(error, { code: -32022, message: 'Unsupported protocol version.', data: { supported: [REVISION, '2025-11-25'], requested: '1900-01-01' } });
  assert.deepEqual(await items(ann), []);
});

test('what fits in other forms is accepted', async () => {
  const ann = person();
  const encoded = await raw(ann, 'tools/call', { name: 'get_balance' }, { sent: { 'mcp-name': `=?base64?${Buffer.from('get_balance').toString('base64')}?=` } });
  assert.deepEqual([encoded.status, encoded.result.isError], [200, false]);
  const own = await raw(ann, 'tools/list', {}, { sent: { origin: new URL(sayso.url).origin } });
  assert.equal(own.status, 200);
  const discovered = await raw(ann, 'server/discover');
  const { instructions, ...others } = discovered.result;
  assert.deepEqual(others, {
    resultType: 'complete', supportedVersions: [REVISION], capabilities: { tools: {} }, ttlMs: 300000, cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sayso', title: 'sayso', version: '0.1.0' } },
  });
  const send = (method, body) => fetch(new URL('mcp', sayso.url), { method, body, headers: ann });
  const notified = await send('POST', '{"jsonrpc": "2.0", "method": "notifications/initialized"}');
  assert.deepEqual([notified.status, await notified.text()], [202, '']);
  const stream = await send('GET');
  assert.deepEqual([stream.status, stream.headers.get('allow')], [405, 'POST']);
});

test('a large change is shown by number, sum and first rows, and can be undone', async () => {
  const ann = person();
  const operations = Array.from({ length: 60 }, (_, n) => ({ op: 'create', kind: 'expense', fields: { item: `taxi ${n}`, amount: '10', date: '2025-06-01' } }));
  await ask(ann, 'proposals', { messageId: 'm', approve: true, operations });
  const { forms, call } = await connect(ann, YES);
  const { structuredContent: { status, answer, receipt } } = await call('propose_operations', { select: { range: '2025' } });
  assert.deepEqual([status, answer, receipt.count], ['done', 'Deleted 60 expenses, £600.00.', 60]);
  const lines = forms[0].message.split('\n');
  assert.deepEqual([lines[0], lines.slice(1, -1).map((line) => line.replace(/\d+/g, 'N')), lines.at(-1)], [
    'Delete 60 expenses, £600.00? (yes / no)',
    ['The first N of them:', ...Array(5).fill('N. “taxi N”, £N.N, N Jun N'), 'Chosen: all your expenses from N Jan N to N Dec N'],
    'The page shows all of them. To look first, close this form: it waits there.',
  ]);
  assert.deepEqual(await items(ann), []);
  const undone = await call('undo', { receipt: receipt.proposalId });
  assert.deepEqual([undone.structuredContent.status, (await ask(ann, 'sums?by=none')).totals], ['done', [{ currency: 'GBP', amount: '600.00', count: 60 }]]);
});

test('without a token a client learns who gives one', async () => {
  const issuer = 'https://cognito-idp.eu-west-2.amazonaws.com/eu-west-2_EXAMPLE';
  const settings = { AUTH: 'gateway', OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'client', PUBLIC_URL: 'https://sayso.example/app' };
  const service = await startService({ settings });
  try {
    const refused = await fetch(new URL('mcp', service.url), { method: 'POST', body: '{}' });
    const metadata = 'https://sayso.example/app/.well-known/oauth-protected-resource/mcp';
    assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, `Bearer resource_metadata="${metadata}"`]);
    for (const path of ['.well-known/oauth-protected-resource', '.well-known/oauth-protected-resource/mcp']) {
      assert.deepEqual(await ask({}, new URL(path, service.url)), {
        resource: 'https://sayso.example/app/mcp', resource_name: 'sayso', authorization_servers: [issuer],
        scopes_supported: ['openid', 'profile'], bearer_methods_supported: ['header'],
      });
    }
  } finally {
    await service.stop();
  }
  assert.equal((await ask({}, '.well-known/oauth-protected-resource')).status, 404);
});

test('the client of Python gets the same', async () => {
  const form = 'Add “coffee”, £3.50, 2 Jun 2025? (yes / no)';
  const missing = [true, 'There is no expense #7. To see the numbers, ask for a list, like “show expenses this week”.'];
  const cases = [
    ['auto', 'yes', { version: REVISION, forms: [form], status: 'done', listed: ['coffee'] }],
    [REVISION, 'no', { version: REVISION, forms: [form], status: 'rejected', listed: [] }],
    ['auto', 'close', { version: REVISION, forms: [form], status: 'waiting', listed: [] }],
    ['auto', 'none', { version: REVISION, forms: [], status: 'waiting', listed: [] }],
    ['legacy', 'yes', { version: '2025-11-25', forms: [], status: 'waiting', listed: [] }],
  ];
  for (const [mode, answer, expected] of cases) {
    const { 'x-tenant-id': tenant } = person();
    const { stdout } = await run(PYTHON, [path.join(import.meta.dirname, 'mcp_client.py'), `${sayso.url}mcp`, tenant, mode, answer]);
    assert.deepEqual(JSON.parse(stdout), { ...expected, missing, error: -32602 }, `${mode} ${answer}`);
  }
});
