// The conversation: its turns, sending messages, and how they look. `Turn` is in types.d.ts.
import { get, newId, paged, Problem, send } from './api.js';
import { Card, inView, title } from './card.js';
import { capital, count, day, time, toDay } from './format.js';
import { chatFilters, described, scope, setFilters, showListed } from './expenses.js';
import { canWrite, card, flush, isDone, learn, read, readWaiting, replacedBy, takeReply, waiting } from './proposals.js';
import { expired } from './sign-in.js';
import { go, isWide, me, online, session, stored, toast } from './state.js';
import { Bars, Button, Empty, Failed, Icon, Row, Sheet, Skeleton } from './ui.js';
import { batch, html, signal, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';

const conversationId = signal(null);
const turns = signal([]);
const history = signal({});
const conversations = paged('conversations');
const draft = stored(session, 'draft', '');
/** A message without an answer yet, so that a reload does not lose it. */
const unanswered = stored(session, 'unanswered', null);

const update = (id, fields) => (turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...fields } : turn)));
const isSending = () => turns.value.some((turn) => turn.state === 'sending');

/** Ends when the conversation is known. What is said earlier waits for it. */
let opened = Promise.resolve();
export const startConversation = () => (opened = openNewest());

async function openNewest() {
  conversationId.value = null;
  turns.value = [];
  const waiting = readWaiting().catch(() => []);
  await conversations.again();
  const [newest] = conversations.list.value.items;
  const left = unanswered.value;
  await open(left?.conversationId ?? newest?.id ?? newId());
  await waiting;
  if (left?.conversationId === conversationId.value && !turns.value.some(({ id }) => id === left.id)) {
    turns.value = [...turns.value, { ...left, answer: '', proposals: [], state: 'failed', isNew: true }];
    // The same id cannot write twice. An old message is left to the person.
    if (Date.now() - new Date(left.at) < 120_000) await resend(left.id);
  } else unanswered.value = null;
}

async function open(id) {
  batch(() => {
    if (conversationId.value) turns.value = [];
    conversationId.value = id;
    history.value = {};
  });
  await readOlder();
}

export function startNew() {
  batch(() => {
    conversationId.value = newId();
    turns.value = [];
    history.value = { complete: true };
  });
}

async function readTurns(id, cursor) {
  const { items, nextCursor } = await get(`conversations/${encodeURIComponent(id)}/turns`, { limit: 20, cursor });
  const found = items.map((turn) => ({ ...turn, proposals: turn.proposals ?? [], state: 'done' })).reverse();
  const missing = found.flatMap(({ proposals }) => proposals).filter((id) => !card(id).peek().view);
  // Cards that are read quickly come in with their turns, so that nothing moves afterwards.
  const cards = Promise.allSettled(missing.map((proposal) => read(proposal).then((view) => learn({ ...view, conversationId: id }))));
  await Promise.race([cards, new Promise((done) => setTimeout(done, 1500))]);
  const here = new Set(turns.value.map(({ id }) => id));
  return { found: found.filter(({ id }) => !here.has(id)), nextCursor };
}

/** What was said in another place. A decision that was clicked there is told by its card. */
export async function readNewer() {
  const id = conversationId.value;
  if (!turns.value.length || history.value.loading) return;
  const { found } = await readTurns(id).catch(() => ({ found: [] }));
  const newer = found.filter(({ at, message }) => at > turns.value[0].at && !CLICKED.test(message));
  if (newer.length && id === conversationId.value && !isSending()) turns.value = [...turns.value, ...newer];
}

async function readOlder() {
  const id = conversationId.value;
  if (history.value.loading || history.value.complete) return;
  history.value = { ...history.value, loading: true, error: undefined };
  try {
    const { found, nextCursor } = await readTurns(id, history.value.cursor);
    if (id !== conversationId.value) return;
    batch(() => {
      turns.value = [...found, ...turns.value];
      history.value = { cursor: nextCursor, complete: !nextCursor };
    });
  } catch (error) {
    if (id === conversationId.value) history.value = { ...history.value, loading: false, error };
  }
}

async function sayMessage(message) {
  if (isSending() || !message.trim()) return false;
  const turn = { id: newId(), at: new Date().toISOString(), message, answer: '', state: 'sending', proposals: [], isNew: true, ...scope() };
  turns.value = [...turns.value, turn];
  draft.value = '';
  toast.value = null;
  await opened;
  await answer(turn);
  return true;
}

async function resend(id) {
  const turn = turns.value.find((turn) => turn.id === id);
  if (!turn || isSending()) return;
  update(id, { state: 'sending', problem: undefined });
  await answer(turn);
}

function forget(id) {
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
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    update(id, { state: 'failed', status: undefined, answer: '', problem });
    if (isRefused(problem)) unanswered.value = null;
  }
}

/** It would be refused again; its text stays in the turn. */
const isRefused = (problem) => problem?.status < 500 && problem.status !== 401 && problem.status !== 409;

/** A typed yes, no or change may have decided cards that the reply does not name. */
function settleOthers(reply, named) {
  for (const id of turns.value.flatMap(({ proposals }) => proposals)) {
    if (card(id).peek().view?.state === 'PENDING' && !named.includes(id)) read(id, true).catch(() => {});
  }
}

function onEvent(id, name, data) {
  const turn = turns.value.find((turn) => turn.id === id);
  if (!turn) return;
  if (name === 'status') update(id, { status: data.text });
  if (name === 'delta') update(id, { answer: turn.answer + data.text });
  if (name === 'reset' || name === 'again') update(id, { answer: '', status: name === 'again' ? 'The connection broke. Trying again…' : undefined });
}

const EXAMPLES = ['coffee 3.50 and lunch 12', 'how much did I spend this month?', 'budget 200 a month for food'];
const QUESTION = / \(yes \/ no\)$/;
const CLICKED = /^(Yes|No|Change this|Undo that)\.$/;

function bars({ answer, reply }) {
  const groups = reply?.aggregation ?? [];
  const isListed = groups.every(({ key, previous }) => !previous && answer.includes(`\n- ${key}: `));
  return isListed && new Set(groups.map((group) => group.currency)).size === 1 ? groups : [];
}

/** The part of an answer that its card, rows or buttons do not show. */
function lead(turn, isLast) {
  const { answer, proposals, reply } = turn;
  // The banner tells what else waits.
  let lines = answer.split(/\n+Still waiting for your yes/)[0].split('\n');
  const shows = proposals.some((id) => card(id).value.view);
  const cut = lines.findIndex((line) => QUESTION.test(line));
  if (shows && cut >= 0) lines = lines.slice(0, cut);
  const listed = new Set(reply?.listed?.map((row) => row.id));
  const drawn = bars(turn).map(({ key }) => `- ${key}: `);
  const options = new Set(isLast ? [
    ...(turn.question?.options ?? []).map((option) => `- ${option}`),
    ...withOptions(turn.question?.parts).map(({ text }) => text),
  ] : []);
  lines = lines.filter((line) => !options.has(line) && !listed.has(Number(/^#(\d+) /.exec(line)?.[1])) && !drawn.some((start) => line.startsWith(start)));
  // A name from right to left keeps its place among the words.
  return lines.join('\n').trim().replace(/“[^”]*[\u0590-\u08ff][^”]*”/g, '\u2068$&\u2069');
}

const LISTED = 5;

const Listed = ({ rows, total }) => html`<div class="listed">
  ${rows.slice(0, LISTED).map((row) => html`<${Row} key=${row.id} row=${row} withDay still onClick=${() => go(`expenses/${row.id}`)} />`)}
  ${!(isWide.value && rows.length <= LISTED) && html`<${Button} kind="quiet" onClick=${() => go('expenses')}>
    ${rows.length > LISTED || (total ?? 0) > rows.length ? `Show all ${count(total ?? rows.length)} in Expenses` : 'Show in Expenses'}<//>`}
</div>`;

const proposes = ({ answer }) => answer.split('\n').some((line) => QUESTION.test(line));
const resolved = (id) => (replacedBy.value.has(id) ? resolved(replacedBy.value.get(id)) : id);

/** By proposal: the last turn that shows it in full, so that each card is there once. */
function placesOf(list) {
  const places = new Map();
  list.forEach((turn) => { if (proposes(turn)) turn.proposals.forEach((id) => places.set(resolved(id), turn.id)); });
  return places;
}

const withOptions = (parts) => (parts ?? []).filter(({ options }) => options?.length > 0);

/** Several questions: once each of them has an answer, the answers are said together. */
const Parts = ({ parts }) => {
  const [chosen, choose] = useState({});
  const asked = withOptions(parts);
  const take = (n, option) => {
    const next = { ...chosen, [n]: option };
    choose(next);
    if (asked.every((_, m) => next[m])) sayMessage(asked.map((_, m) => next[m]).join(', '));
  };
  return asked.map(({ text, options }, n) => html`<div class="asked" role="group" aria-label=${text} key=${text}><p class="answer">${text}</p>
    <div class="options">${options.map((option) => html`<${Button} key=${option} aria-pressed=${chosen[n] === option} onClick=${() => take(n, option)}>${option}<//>`)}</div></div>`);
};

const Turn = ({ turn, isLast, places }) => {
  const { message, answer, state, status, problem, question, reply, id } = turn;
  const proposals = [...new Set(turn.proposals.map(resolved))];
  const isClick = !turn.isNew && CLICKED.test(message);
  // A clicked decision is told by its card.
  if (isClick && proposals.length > 0 && proposals.every((proposal) => places.has(proposal) && places.get(proposal) !== id)) return null;
  const text = state === 'sending' ? answer : lead(turn, isLast);
  const isElsewhere = (proposal) => places.has(proposal) || isDone(card(proposal).value.view ?? {});
  const cards = proposals.filter((proposal) => places.get(proposal) === id || !isElsewhere(proposal));
  const written = proposals.filter((proposal) => !proposes(turn) && isDone(card(proposal).value.view ?? {}));
  return html`<article class="turn">
    ${!isClick && html`<div class="said"><p dir="auto">${message}</p></div>`}
    ${state === 'sending' && !text && html`<p class="status"><span class="working" aria-hidden="true"><i></i><i></i><i></i></span>${status ?? 'One moment…'}</p>`}
    ${text && html`<p class="answer">${text}</p>`}
    ${!text && state === 'done' && proposals.length > 0 && !cards.length && !written.length && html`<p class="quiet">Continued below.</p>`}
    ${state === 'sending' && text && status && html`<p class="status">${status}</p>`}
    ${bars(turn).length > 0 && html`<${Bars} dots groups=${reply.aggregation} />`}
    ${isRows(reply?.listed) && html`<${Listed} rows=${reply.listed} total=${reply.total} />`}
    ${written.map((proposal) => html`<${Card} id=${proposal} compact key=${proposal} />`)}
    ${cards.map((proposal) => html`<${Card} id=${proposal} key=${proposal} />`)}
    ${state === 'failed' && html`<div class="failed" role="alert"><${Icon} name="warn" />
      <p>${problem?.message ?? 'This was not answered yet. Sending it again is safe, it cannot be saved twice.'}</p>
      <div class="buttons">${!isRefused(problem) && html`<${Button} onClick=${() => resend(id)}>Send again<//>`}
      <${Button} kind="quiet" onClick=${() => forget(id)}>Take it back<//></div></div>`}
    ${isLast && state === 'done' && question?.options?.length > 0 && (question.parts ? html`<${Parts} parts=${question.parts} />`
      : html`<div class="options" role="group" aria-label="Answers">
      ${question.options.map((option) => html`<${Button} key=${option} onClick=${() => sayMessage(option)}>${option}<//>`)}</div>`)}
    ${isLast && state === 'done' && !written.length && reply?.suggestions?.length > 0 && html`<div class="suggestions" role="group" aria-label="Suggestions">
      ${reply.suggestions.map((words) => html`<button type="button" class="suggestion" key=${words} onClick=${() => sayMessage(words)}>${words}</button>`)}</div>`}
    ${reply?.limited && html`<p class="quiet">The assistant could not be reached, so simple rules answered.</p>`}
  </article>`;
};

const isRows = (listed) => listed?.length > 0 && (listed[0].kind ?? 'expense') === 'expense' && listed[0].money;

const isAtEnd = signal(true);

export const Chat = () => {
  const log = useRef();
  const height = useRef(0);
  const lastTop = useRef(0);
  const first = useRef();
  const list = turns.value;
  const { loading, complete, error } = history.value;
  const lastId = list.at(-1)?.id;

  // Older turns come in above; the reader's place stays where it is.
  useLayoutEffect(() => {
    const box = log.current;
    if (first.current && list[0]?.id !== first.current && list.some(({ id }) => id === first.current)) {
      box.scrollTop += box.scrollHeight - height.current;
    }
    first.current = list[0]?.id;
    height.current = box.scrollHeight;
  });
  const toEnd = () => { log.current.scrollTop = log.current.scrollHeight; };
  useLayoutEffect(() => { toEnd(); isAtEnd.value = true; }, [conversationId.value, lastId]);
  useEffect(() => {
    // Cards and answers grow; who reads at the end stays there.
    const watcher = new ResizeObserver(() => { if (isAtEnd.value && log.current) toEnd(); });
    watcher.observe(log.current.firstElementChild);
    watcher.observe(log.current);
    return () => watcher.disconnect();
  }, []);
  // An element can be told of a scroll after it has left the page.
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
    // What grows below is no scrolling of the reader: only going up leaves the end.
    if (scrollHeight - scrollTop - clientHeight < 48) isAtEnd.value = true;
    else if (scrollTop < lastTop.current) isAtEnd.value = false;
    lastTop.current = scrollTop;
    if (scrollTop < 200 && !complete && !loading && !error) readOlder();
  };
  useEffect(() => {
    const box = log.current;
    if (!complete && !loading && !error && list.length && box.scrollHeight <= box.clientHeight) readOlder();
  });

  const places = placesOf(list);
  let lastDay;
  return html`<div class="chat">
    <div class="log" ref=${log} onScroll=${onScroll} tabindex="0" role="region" aria-label="Conversation">
      <div role="log" aria-live="polite" aria-relevant="additions text" aria-label="Messages">
        ${error && html`<${Failed} problem=${error} again=${readOlder}>Older messages cannot be read right now.<//>`}
        ${loading && html`<${Skeleton} lines=${list.length ? 1 : 4} />`}
        ${!list.length && !loading && !error && html`<${Welcome} />`}
        ${list.map((turn, at) => {
          const of = toDay(new Date(turn.at));
          const separator = of !== lastDay && html`<p class="day" key=${of}><span>${day(of)}</span></p>`;
          lastDay = of;
          return html`${separator}<${Turn} key=${turn.id} turn=${turn} isLast=${at === list.length - 1} places=${places} />`;
        })}
      </div>
    </div>
    ${!isAtEnd.value && html`<${Button} class="new-below" icon="down" onClick=${toEnd}>New below<//>`}
  </div>`;
};

const Welcome = () => html`<${Empty} title=${me.value?.name ? `Hello ${me.value.name}.` : 'Hello.'}>
  <p>Say what you spent. Nothing is written until you have seen it.</p>
  <div class="examples">${(canWrite() ? EXAMPLES : EXAMPLES.slice(1, 2)).map((words) => html`<button type="button" class="suggestion" key=${words} onClick=${() => sayMessage(words)}>${words}</button>`)}</div>
<//>`;

export const WaitingBanner = () => {
  const others = waiting.value.filter(({ id }) => !inView.value.has(id));
  // Those that were waiting when it was opened stay, also decided.
  const [opened, setOpened] = useState(null);
  if (!others.length && !opened) return null;
  return html`<div class="banner">${others.length > 0 && html`<button type="button" class="banner-line" aria-haspopup="dialog" onClick=${() => setOpened(others.map(({ id }) => id))}>
      <span>${others.length === 1 ? 'Waiting for your yes' : `${count(others.length)} are waiting for your yes`}: ${others.map((view) => title(view, new Set())).join(', ')}</span><${Icon} name="down" /></button>`}
    ${opened && html`<${Sheet} title="Waiting for your yes" onClose=${() => setOpened(null)}>
      ${opened.map((id) => html`<${Card} key=${id} id=${id} level=${3} />`)}<//>`}
  </div>`;
};

const ABOUT = 3;
const placeholder = () => {
  const last = turns.value.at(-1);
  if (last?.question) return 'Your answer';
  return me.value?.role === 'viewer' ? 'Ask about the expenses' : 'What did you spend?';
};

export const Composer = () => {
  const box = useRef();
  const grow = () => {
    const { style } = box.current;
    style.setProperty('height', 'auto');
    style.setProperty('height', `${Math.min(box.current.scrollHeight, 160)}px`);
  };
  useLayoutEffect(grow, [draft.value]);
  const isBusy = isSending();
  const submit = async (event) => {
    event?.preventDefault();
    const message = draft.value.trim();
    if (!message || isBusy || !online.value || expired.value) return;
    if (!isWide.value) go('chat');
    await sayMessage(message);
  };
  const onKeyDown = (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event);
    if (event.key === 'Escape') box.current.blur();
  };
  const about = chatFilters.value && described(chatFilters.value);
  return html`<form class="composer" aria-label="Say something" onSubmit=${submit}>
    ${about && html`<p class="about"><${Icon} name="filter" /><span>About: ${about.slice(0, ABOUT).map(({ words }) => words).join(', ')}${about.length > ABOUT ? '…' : ''}</span>
      <${Button} kind="quiet" icon="cross" label="Ask about all expenses instead" onClick=${() => setFilters({})} /></p>`}
    <div class="box">
      <textarea id="box" ref=${box} rows="1" value=${draft.value} placeholder=${placeholder()} aria-label="Message" dir="auto" maxlength="4000" enterkeyhint="send"
        onInput=${(event) => { draft.value = event.target.value; }} onKeyDown=${onKeyDown}></textarea>
      <button type="submit" class="send" aria-label="Send" disabled=${!draft.value.trim() || isBusy || !online.value}><${Icon} name="send" /></button>
    </div>
  </form>`;
};

export const Conversations = ({ onClose }) => {
  useEffect(() => void conversations.again(), []);
  const { items, complete, error } = conversations.list.value;
  const pick = (id) => { open(id); onClose(); };
  return html`<${Sheet} title="Conversations" onClose=${onClose} actions=${html`<${Button} kind="main" icon="plus" onClick=${() => { startNew(); onClose(); focusBox(); }}>New conversation<//>`}>
    ${error && html`<${Failed} problem=${error} again=${conversations.again} />`}
    <ul class="list">${items.map(({ id, title, lastAt }) => html`<li key=${id}><button type="button" class="list-row" aria-current=${id === conversationId.value} onClick=${() => pick(id)}>
      <span class="item">${title || 'Untitled'}</span><span class="details">${capital(day(toDay(new Date(lastAt))))}, ${time(lastAt)}</span></button></li>`)}</ul>
    ${!items.length && !error && html`<${Empty} title="No conversations yet."><p>What you say is kept here.</p><//>`}
    ${!complete && html`<${Button} onClick=${conversations.more}>Show older<//>`}
  <//>`;
};

export const focusBox = () => requestAnimationFrame(() => document.getElementById('box')?.focus());
