// Proposals by id, and the decisions about them.
import { get, Problem, send } from './api.js';
import { add } from './format.js';
import { me, rowsChanged, say } from './state.js';
import { computed, signal } from './vendor/preact.js';

const cards = new Map();
const known = signal(0);
/** By the id of a replaced proposal: the id of the one that took its place. */
export const replacedBy = signal(new Map());

export function card(id) {
  if (!cards.has(id)) {
    cards.set(id, signal({ leftOut: new Set() }));
    known.value++;
  }
  return cards.get(id);
}

const patch = (id, fields) => (card(id).value = { ...card(id).peek(), ...fields });

export function learn(view) {
  const before = card(view.id).peek().view;
  // A run that ended does not begin again, whatever order the answers have.
  if (before && isDone(before) && view.state === 'EXECUTING') return before;
  patch(view.id, { view: { ...before, ...view }, unread: undefined, progress: view.progress });
  const replaced = view.tool === 'edit' && view.args?.proposal;
  if (replaced) replacedBy.value = new Map(replacedBy.value).set(replaced, view.id);
  return view;
}

/** A receipt without its proposal: something small was written at once. */
function learnReceipt(receipt) {
  const { view } = card(receipt.proposalId).peek();
  const complete = !receipt.skipped && !receipt.notDone;
  const state = complete ? 'EXECUTED' : receipt.notDone ? 'STOPPED' : 'PARTIAL';
  const { operations, count } = receipt;
  patch(receipt.proposalId, {
    view: { totals: totalsOf(operations), warnings: [], operations, count, ...view, id: receipt.proposalId, state, receipt },
    progress: undefined,
  });
}

export const isOpen = (view) => view.state === 'PENDING' || view.state === 'EXECUTING';
export const isDone = (view) => ['EXECUTED', 'PARTIAL', 'STOPPED', 'HALTED'].includes(view.state);

export const waiting = computed(() => {
  known.value;
  return [...cards.values()].map((card) => card.value.view).filter((view) => view && shownState(view) === 'PENDING');
});

/** The state now: a waiting proposal can run out while it is looked at. */
export function shownState(view) {
  return view.state === 'PENDING' && new Date(view.expiresAt) <= new Date() ? 'EXPIRED' : view.state;
}

/** `isHere`: what ended it was said in this page. */
export async function read(id, isHere) {
  const before = card(id).peek().view;
  let view;
  try {
    view = learn(await get(`proposals/${id}`, { run: false }));
  } catch (problem) {
    if (!before) patch(id, { unread: problem.message });
    throw problem;
  }
  if (before && isOpen(before) && !isOpen(view) && !card(id).peek().busy && !card(id).peek().here) {
    patch(id, { elsewhere: !isHere });
    if (isDone(view)) rowsChanged();
  }
  return view;
}

export async function refreshWaiting() {
  const ids = [...cards].filter(([, { value }]) => value.view && isOpen(value.view) && !value.busy).map(([id]) => id);
  await Promise.allSettled(ids.map((id) => read(id)));
}

export async function readWaiting() {
  const { items } = await get('proposals', { state: 'waiting' });
  items.filter(({ unreadable }) => !unreadable).forEach(learn);
  const broken = items.find(({ unreadable }) => unreadable);
  if (broken) say(broken.unreadable);
}

export const rowKey = ({ kind, before, after, n }) => `${kind}:${(before ?? after)?.id ?? n}`;

export function toggleRow(id, operation) {
  const leftOut = new Set(card(id).peek().leftOut);
  const key = rowKey(operation);
  if (!leftOut.delete(key)) leftOut.add(key);
  // Row numbers are needed to send it, also of rows that are on a later page of a long list.
  const numbers = { ...card(id).peek().numbers, [key]: operation };
  patch(id, { leftOut, numbers, problem: undefined });
}

const numbersOf = ({ leftOut, numbers }) => [...leftOut].map((key) => numbers[key].n);

/** Sends rows that were left out, so that a typed yes means what is shown. */
export async function flush() {
  for (const [id, { value }] of [...cards]) {
    if (value.leftOut.size && value.view?.state === 'PENDING') await revise(id, { exclude: numbersOf(value) });
  }
}

export async function revise(id, { exclude, edits }) {
  const { view, leftOut, numbers } = card(id).peek();
  patch(id, { busy: 'edit', problem: undefined });
  try {
    const confirm = { proposalId: id, fingerprint: view.fingerprint, decision: 'edit', ...(exclude && { exclude }), ...(edits && { edits }) };
    const reply = await send('chat', { conversationId: view.conversationId, confirm });
    const next = learn({ conversationId: view.conversationId, ...reply.proposal });
    replacedBy.value = new Map(replacedBy.value).set(id, next.id);
    const kept = edits ? next.operations.filter((operation) => leftOut.has(rowKey(operation))) : [];
    patch(next.id, {
      leftOut: new Set(kept.map(rowKey)),
      numbers: { ...numbers, ...Object.fromEntries(kept.map((operation) => [rowKey(operation), operation])) },
    });
    patch(id, { busy: undefined, leftOut: new Set(), view: { ...view, state: 'SUPERSEDED' } });
    return next.id;
  } catch (problem) {
    refused(id, problem);
    if (edits) patch(id, { problem: undefined });
    throw problem;
  }
}

const shown = ({ op, kind, before, after }) => JSON.stringify([op, kind, before, after]);

/** The revision has exactly the rows that the card showed, and nothing new to warn of. */
function isAsShown(before, after, leftOut) {
  if (before.count > before.operations.length) return after.count === before.count - leftOut.size;
  const rows = before.operations.filter((operation) => !leftOut.has(rowKey(operation))).map(shown);
  const same = rows.length === after.operations.length && rows.every((row, at) => row === shown(after.operations[at]));
  const told = new Set(before.warnings.map(({ text }) => text));
  return same && after.warnings.every(({ kind, text }) => kind === 'left_out' || told.has(text));
}

export async function decide(id, decision) {
  const { view, leftOut } = card(id).peek();
  if (decision === 'confirm' && leftOut.size) {
    const next = await revise(id, { exclude: numbersOf(card(id).peek()) }).catch(() => null);
    if (next && isAsShown(view, card(next).peek().view, leftOut)) return decide(next, 'confirm');
    if (next) patch(next, { problem: 'This changed when rows were left out. Look at it again.' });
    return null;
  }
  patch(id, { busy: decision, problem: undefined, elsewhere: false });
  try {
    const reply = await send(`proposals/${id}/${decision}`, { fingerprint: view.fingerprint, conversationId: view.conversationId }, (name, data) => {
      if (name === 'progress') patch(id, { progress: data });
    });
    takeReply(reply);
    if (decision === 'reject' && !reply.receipt) patch(id, { view: { ...view, state: 'REJECTED' } });
    if (reply.progress) patch(id, { progress: reply.progress });
    patch(id, { busy: undefined, here: true, budgets: reply.budgets });
    if (card(id).peek().view.state === 'EXECUTING') follow(id);
    return reply;
  } catch (problem) {
    refused(id, problem);
    return null;
  }
}

function refused(id, problem) {
  const fields = problem instanceof Problem ? (problem.body ?? {}) : {};
  const conversationId = card(id).peek().view?.conversationId;
  if (fields.proposal) learn(fields.proposal);
  if (fields.revision) {
    learn({ conversationId, ...fields.revision });
    replacedBy.value = new Map(replacedBy.value).set(id, fields.revision.id);
    patch(fields.revision.id, { problem: problem.message.split('\n')[0] });
  }
  const known = fields.proposal && ['proposal-closed', 'proposal-expired'].includes(problem.slug);
  patch(id, { busy: undefined, elsewhere: Boolean(known) && !card(id).peek().here && card(id).peek().busy !== 'stop', problem: known ? undefined : problem.message.split('\n')[0] });
  if (fields.proposal) rowsChanged();
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const following = new Set();
export async function follow(id) {
  if (following.has(id)) return;
  following.add(id);
  try {
    const isRunning = () => card(id).peek().view?.state === 'EXECUTING';
    while (isRunning()) {
      // Reading it continues the run and takes as long; a second reading tells how far it is.
      let ended = false;
      const working = get(`proposals/${id}`).finally(() => { ended = true; });
      working.catch(() => {});
      while (!ended) {
        await Promise.race([working, pause(1000)]);
        if (!ended) await get(`proposals/${id}`, { run: false }).then((view) => isRunning() && learn(view), () => {});
      }
      if (isRunning()) learn(await working);
      if (isRunning()) await pause(1000);
    }
    rowsChanged();
  } catch (problem) {
    patch(id, { problem: `How far it is cannot be read right now. ${problem.slug === 'offline' ? 'You are offline.' : ''}` });
  } finally {
    following.delete(id);
  }
}

export function takeReply(reply) {
  if (reply.proposal) learn({ conversationId: reply.conversationId, ...reply.proposal });
  const receipts = reply.receipts ?? (reply.receipt ? [reply.receipt] : []);
  receipts.forEach(learnReceipt);
  const written = [reply.added, reply.updated, reply.deleted].flatMap((rows) => rows ?? []);
  if (receipts.length || written.length || reply.remembered) rowsChanged(written.filter((row) => row.item).map((row) => row.id));
  return receipts;
}

/** Shows the card of what was asked for outside the conversation, or says why there is none. */
async function showCard(asked) {
  try {
    const reply = await asked;
    takeReply(reply);
    if (reply.proposal) openCard.value = reply.proposal.id;
    else say(reply.answer);
  } catch (problem) {
    say(problem.message);
  }
}

export function undo(id, conversationId) {
  const same = waiting.peek().find(({ tool, args }) => tool === 'undo' && args?.receipt === id);
  if (same) openCard.value = same.id;
  else showCard(send(`proposals/${id}/undo`, { ...(conversationId && { conversationId }) }));
}

/** What the person clicked in the ledger is done at once. What is about several rows is shown as a card first. */
export const propose = (operations) => showCard(send('proposals', { operations }));
export async function act(operation, name) {
  const reply = await send('proposals', { operations: [operation], approve: true });
  takeReply(reply);
  const words = { create: 'Added', update: 'Changed', delete: 'Deleted' }[operation.op];
  const [row] = [reply.added, reply.updated, reply.deleted].find((rows) => rows?.length) ?? [];
  say(`${words} ${name ?? row?.item}.`, 'Undo', () => undo(reply.receipt.proposalId));
}

export const openCard = signal(null);

export const PAST = { add: 'Added', change: 'Changed', delete: 'Deleted', restore: 'Restored' };

const isSetting = ({ kind }) => ['budget', 'recurring', 'category', 'setting'].includes(kind);
/** What changes beside the rows that were asked for, like a remembered category. */
export function split(operations) {
  const rows = operations.filter((operation) => !isSetting(operation));
  return rows.length ? { rows, besides: operations.filter(isSetting) } : { rows: operations, besides: [] };
}

export function totalsOf(operations) {
  const by = new Map();
  for (const { kind, before, after } of operations) {
    const row = after ?? before;
    if (kind !== 'expense' || !row?.money || (before && after)) continue;
    by.set(row.money.currency, [...(by.get(row.money.currency) ?? []), row.money.amount]);
  }
  return [...by].map(([currency, amounts]) => ({ currency, amount: add(currency, amounts), count: amounts.length }));
}

export const canWrite = () => me.value?.role !== 'viewer';
/** Others' rows are for their owners and administrators. */
export const canUndo = ({ operations }) => canWrite() && (me.value?.role === 'admin'
  || operations.every(({ before, after }) => ((after ?? before)?.owner ?? me.value.user) === me.value.user));
