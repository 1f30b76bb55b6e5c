// The conversation that is open: its turns, and sending messages.
import { get, newId, Problem, send } from './api.js';
import { card, flush, learn, read, readWaiting, takeReply } from './proposals.js';
import { session, stored } from './state.js';
import { scope, showListed } from './ledger.js';
import { batch, signal } from './vendor/preact.js';

/**
 * @typedef {object} Turn
 * @property {string} id the message id
 * @property {string} at
 * @property {string} message
 * @property {string} answer
 * @property {'sending' | 'failed' | 'done'} state
 * @property {string} [status] what the service is doing
 * @property {Problem} [problem]
 * @property {any} [question]
 * @property {string[]} proposals
 * @property {any} [reply] of this visit
 * @property {boolean} [isNew] of this visit
 */

export const conversationId = signal(null);
/** @type {import('./vendor/preact.js').Signal<Turn[]>} oldest first */
export const turns = signal([]);
export const history = signal({ cursor: undefined, loading: false, error: null, complete: false });
export const conversations = signal({ items: [], cursor: undefined, error: null });
export const draft = stored(session, 'draft', '');
/** A message without an answer yet, so that a reload does not lose it. */
const unanswered = stored(session, 'unanswered', null);

const update = (id, fields) => (turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...fields } : turn)));
export const isSending = () => turns.value.some((turn) => turn.state === 'sending');

/** Opens the newest conversation, or a new one. */
export async function start() {
  const waiting = readWaiting().catch(() => []);
  await readConversations();
  const [newest] = conversations.value.items;
  const left = unanswered.value;
  await open(left?.conversationId ?? newest?.id ?? newId());
  await waiting;
  if (left?.conversationId === conversationId.value && !turns.value.some(({ id }) => id === left.id)) {
    turns.value = [...turns.value, { ...left, answer: '', proposals: [], state: 'failed', isNew: true }];
    // The same id cannot write twice. An old message is left to the person.
    if (Date.now() - new Date(left.at) < 120_000) await resend(left.id);
  } else unanswered.value = null;
}

export async function readConversations(more = false) {
  try {
    const { items, nextCursor } = await get('conversations', { limit: 20, cursor: more ? conversations.value.cursor : undefined });
    conversations.value = { items: more ? [...conversations.value.items, ...items] : items, cursor: nextCursor, error: null };
  } catch (error) {
    conversations.value = { ...conversations.value, error };
  }
}

export async function open(id) {
  batch(() => {
    conversationId.value = id;
    turns.value = [];
    history.value = { cursor: undefined, loading: false, error: null, complete: false };
  });
  await readOlder();
}

export function startNew() {
  batch(() => {
    conversationId.value = newId();
    turns.value = [];
    history.value = { cursor: undefined, loading: false, error: null, complete: true };
  });
}

export async function readOlder() {
  const id = conversationId.value;
  if (history.value.loading || history.value.complete) return;
  history.value = { ...history.value, loading: true, error: null };
  try {
    const { items, nextCursor } = await get(`conversations/${encodeURIComponent(id)}/turns`, { limit: 20, cursor: history.value.cursor });
    if (id !== conversationId.value) return;
    const older = items.map((turn) => ({ ...turn, proposals: turn.proposals ?? [], state: 'done' })).reverse();
    const missing = older.flatMap(({ proposals }) => proposals).filter((id) => !card(id).peek().view);
    // Cards come in with their turns, so that nothing moves afterwards.
    await Promise.allSettled(missing.map((proposal) => read(proposal).then((view) => learn({ ...view, conversationId: id }))));
    const here = new Set(turns.value.map(({ id }) => id));
    batch(() => {
      turns.value = [...older.filter(({ id }) => !here.has(id)), ...turns.value];
      history.value = { cursor: nextCursor, loading: false, error: null, complete: !nextCursor };
    });
  } catch (error) {
    if (id === conversationId.value) history.value = { ...history.value, loading: false, error };
  }
}

/** Sends what was typed or clicked. */
export async function sayMessage(message) {
  if (isSending() || !message.trim()) return false;
  const turn = { id: newId(), at: new Date().toISOString(), message, answer: '', state: 'sending', proposals: [], isNew: true, ...scope() };
  turns.value = [...turns.value, turn];
  draft.value = '';
  await answer(turn);
  return true;
}

/** The same message with the same id. */
export async function resend(id) {
  const turn = turns.value.find((turn) => turn.id === id);
  if (!turn || isSending()) return;
  update(id, { state: 'sending', problem: undefined });
  await answer(turn);
}

export function forget(id) {
  const turn = turns.value.find((turn) => turn.id === id);
  turns.value = turns.value.filter((turn) => turn.id !== id);
  unanswered.value = null;
  if (!draft.value) draft.value = turn.message;
}

async function answer({ id, at, message, activeFilters, applyFiltersToQuery, scope }) {
  const conversation = conversationId.value;
  unanswered.value = { id, at, message, conversationId: conversation, activeFilters, applyFiltersToQuery, scope };
  try {
    await flush();
    const body = { message, messageId: id, conversationId: conversation, activeFilters, applyFiltersToQuery, scope };
    const reply = await send('chat', body, (name, data) => onEvent(id, name, data));
    takeReply(reply);
    const receipts = reply.receipts ?? (reply.receipt ? [reply.receipt] : []);
    const proposals = [...receipts.map((receipt) => receipt.proposalId), ...(reply.proposal ? [reply.proposal.id] : [])];
    update(id, { state: 'done', status: undefined, answer: reply.answer, question: reply.question, proposals: [...new Set(proposals)], reply });
    unanswered.value = null;
    settleOthers(reply, proposals);
    showListed(reply);
    if (conversations.value.items[0]?.id !== conversation) readConversations();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    update(id, { state: 'failed', status: undefined, answer: '', problem });
    // A refused message cannot be answered later; its text stays in the turn.
    if (problem.status && problem.status < 500 && problem.status !== 401 && problem.status !== 409) unanswered.value = null;
  }
}

/** A typed yes, no or change may have decided cards that the reply does not name. */
function settleOthers(reply, named) {
  for (const id of turns.value.flatMap(({ proposals }) => proposals)) {
    if (card(id).peek().view?.state === 'PENDING' && !named.includes(id)) read(id).catch(() => {});
  }
}

function onEvent(id, name, data) {
  const turn = turns.value.find((turn) => turn.id === id);
  if (!turn) return;
  if (name === 'status') update(id, { status: data.text });
  if (name === 'delta') update(id, { answer: turn.answer + data.text });
  if (name === 'reset' || name === 'again') update(id, { answer: '', status: name === 'again' ? 'The connection broke. Trying again…' : undefined });
}

