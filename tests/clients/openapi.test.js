// The description of the interface, with public tools: a generated client and a tester that generates requests.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { startService } from '../page/service.js';

const here = import.meta.dirname;
const DOCUMENT = path.join(here, '../../src/http/openapi.json');
const VENV = path.join(here, '../../.tools/clients/bin');
const TSC = path.join(here, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

let service;
let built;
let client;

before(async () => {
  service = await startService({ settings: { CONFIRM_POLICY: 'always' } });
  const types = await openapiTypescript(pathToFileURL(DOCUMENT));
  await writeFile(path.join(here, 'openapi/service.d.ts'), astToString(types));
  built = await mkdtemp(path.join(here, 'openapi/built-'));
  const options = ['--strict', '--noEmitOnError', '--target', 'es2022', '--module', 'nodenext', '--outDir', built];
  // It writes its errors to the standard output.
  await run(process.execPath, [TSC, ...options, path.join(here, 'openapi/example.ts')]).catch((error) => assert.fail(error.stdout));
  client = await import(pathToFileURL(path.join(built, 'example.js')));
});

after(async () => {
  await service?.stop();
  if (built) await rm(built, { recursive: true });
});

const as = (tenant) => client.connect(service.url, { 'x-tenant-id': tenant, 'x-user-id': 'ana', 'x-roles': 'member' });
const items = async (person) => (await person.GET('/expenses')).data.items.map(({ item, money }) => [item, money.amount]);

test('a generated client goes from a question to a receipt', async () => {
  const person = as('conversation');
  const { questions, receipt } = await client.converse(
    person, ['I want to add an item', 'electricity bill, 200 GBP'], () => true);
  assert.equal(questions.length, 1);
  assert.deepEqual(receipt.operations.map(({ op, after }) => [op, after.item, after.money]), [
    ['add', 'electricity bill', { amount: '200.00', currency: 'GBP' }],
  ]);
  assert.deepEqual(await items(person), [['electricity bill', '200.00']]);
});

test('a rejected proposal has no receipt and writes nothing', async () => {
  const person = as('rejection');
  const { receipt } = await client.converse(person, ['electricity bill, 200 GBP'], () => false);
  assert.equal(receipt, undefined);
  assert.deepEqual([await items(person), await client.waiting(person)], [[], []]);
});

test('what a program proposes waits for a person, once for each key', async () => {
  const program = as('program');
  const bought = [{ item: 'coffee', amount: '3.50' }, { item: 'tea', amount: '2' }];
  const proposal = await client.propose(program, 'k1', bought);
  const again = await client.propose(program, 'k1', bought);
  assert.deepEqual([proposal.state, proposal.count, again.id], ['PENDING', 2, proposal.id]);
  assert.deepEqual([await items(program), await client.waiting(program)], [[], [proposal.id]]);
  const { id, fingerprint } = proposal;
  const confirm = () => program.POST('/proposals/{id}/confirm', { params: { path: { id } }, body: { fingerprint } });
  const [first, second] = [await confirm(), await confirm()];
  assert.deepEqual([first.data.receipt.count, second.data.receipt.replayed], [2, true]);
  assert.deepEqual((await items(program)).sort(), [['coffee', '3.50'], ['tea', '2.00']]);
  const late = await program.POST('/proposals/{id}/reject', { params: { path: { id } }, body: { fingerprint } });
  assert.deepEqual([late.response.status, late.error.type], [409, 'urn:sayso:problem:proposal-closed']);
});

test('one impossible operation refuses all, and the problem names it', async () => {
  const program = as('refused');
  const create = (fields) => ({ op: 'create', kind: 'expense', fields });
  const propose = async (operations) => {
    const { response, error } = await program.POST('/proposals', { body: { operations } });
    return [response.status, error.type, error.detail];
  };
  const [status, type, detail] = await propose([create({ item: 'tea', amount: '2' }), create({ item: 'cup', amount: '-2' })]);
  assert.deepEqual([status, type], [422, 'urn:sayso:problem:unprocessable']);
  assert.match(detail, /^`operations\[1\]`: /);
  const gone = await propose([create({ item: 'tea', amount: '2' }), { op: 'delete', kind: 'expense', id: 7 }]);
  assert.deepEqual(gone, [404, 'urn:sayso:problem:no-such-record', 'There is no expense #7. It may have been deleted.']);
  assert.deepEqual([await items(program), await client.waiting(program)], [[], []]);
});

test('the document is a valid OpenAPI document', async () => {
  await run(path.join(VENV, 'openapi-spec-validator'), ['--schema', '3.1', DOCUMENT]).catch((error) => assert.fail(error.stdout));
});

test('generated requests find no undescribed answer and no fault', { timeout: 300_000 }, async (t) => {
  // The document describes the filters of all toolkits. One that is not served checks none.
  const whole = await startService({ settings: { CONFIRM_POLICY: 'always', TOOLKITS: 'expenses,workspace' } });
  t.after(() => whole.stop());
  const settings = path.join(here, 'openapi/schemathesis.toml');
  const options = ['--no-color', '--config-file', settings, 'run', DOCUMENT, '--url', whole.url];
  await run(path.join(VENV, 'st'), options, { maxBuffer: 1 << 26 }).catch((error) => assert.fail(error.stdout + error.stderr));
});
