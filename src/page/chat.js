// The conversation: what was said, the answers and cards, and the box for words.
import { Card, inView, title } from './card.js';
import {
  conversationId, conversations, draft, forget, history, isSending, open, readConversations, readOlder, resend, sayMessage, startNew, turns,
} from './conversation.js';
import { capital, count, day, time, toDay } from './format.js';
import { chatFilters, described, setFilters } from './ledger.js';
import { canWrite, card, isDone, replacedBy, waiting } from './proposals.js';
import { expired } from './identity.js';
import { go, isWide, me, online } from './state.js';
import { Button, Empty, Failed, Icon, Row, Sheet, Skeleton } from './ui.js';
import { html, signal, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';

const EXAMPLES = ['coffee 3.50 and lunch 12', 'how much did I spend this month?', 'budget 200 a month for food'];
/** An answer repeats its card as text from here on. */
const QUESTION = / \(yes \/ no\)$/;
const CLICKED = /^(Yes|No|Change this|Undo that)\.$/;

/** The part of an answer that its card or rows do not show. */
function lead({ answer, proposals, reply }) {
  let lines = answer.split('\n');
  const shows = proposals.some((id) => card(id).value.view);
  const cut = lines.findIndex((line) => QUESTION.test(line));
  if (shows && cut >= 0) lines = lines.slice(0, cut);
  const listed = new Set(reply?.listed?.map((row) => row.id));
  return lines.filter((line) => !listed.has(Number(/^#(\d+) /.exec(line)?.[1]))).join('\n').trim();
}

const LISTED = 5;

const Listed = ({ rows, total }) => html`<div class="listed">
  ${rows.slice(0, LISTED).map((row) => html`<${Row} key=${row.id} row=${row} withDay onClick=${() => go(`expenses/${row.id}`)} />`)}
  ${!(isWide.value && rows.length <= LISTED) && html`<${Button} kind="quiet" onClick=${() => go('expenses')}>
    ${rows.length > LISTED || (total ?? 0) > rows.length ? `Show all ${count(total ?? rows.length)} in Expenses` : 'Show in Expenses'}<//>`}
</div>`;

/** A turn that proposes has the full card; one that wrote or decided has a line. */
const proposes = ({ answer }) => answer.split('\n').some((line) => QUESTION.test(line));
const resolved = (id) => (replacedBy.value.has(id) ? resolved(replacedBy.value.get(id)) : id);

/** By proposal: the last turn that shows it in full, so that each card is there once. */
function placesOf(list) {
  const places = new Map();
  list.forEach((turn) => { if (proposes(turn)) turn.proposals.forEach((id) => places.set(resolved(id), turn.id)); });
  return places;
}

const Turn = ({ turn, isLast, places }) => {
  const { message, answer, state, status, problem, question, reply, id } = turn;
  const proposals = [...new Set(turn.proposals.map(resolved))];
  const isClick = !turn.isNew && CLICKED.test(message);
  // A clicked decision is told by its card.
  if (isClick && proposals.length > 0 && proposals.every((proposal) => places.has(proposal) && places.get(proposal) !== id)) return null;
  const text = state === 'sending' ? answer : lead(turn);
  const cards = proposals.filter((proposal) => places.get(proposal) === id);
  const written = proposals.filter((proposal) => !proposes(turn) && isDone(card(proposal).value.view ?? {}));
  return html`<article class="turn">
    ${!isClick && html`<div class="said"><p>${message}</p></div>`}
    ${state === 'sending' && !text && html`<p class="status"><span class="working" aria-hidden="true"><i></i><i></i><i></i></span>${status ?? 'One moment…'}</p>`}
    ${text && html`<p class="answer">${text}</p>`}
    ${!text && state === 'done' && proposals.length > 0 && !cards.length && !written.length && html`<p class="quiet">Continued below.</p>`}
    ${state === 'sending' && text && status && html`<p class="status">${status}</p>`}
    ${isRows(reply?.listed) && html`<${Listed} rows=${reply.listed} total=${reply.total} />`}
    ${written.map((proposal) => html`<${Card} id=${proposal} compact key=${proposal} />`)}
    ${cards.map((proposal) => html`<${Card} id=${proposal} key=${proposal} />`)}
    ${state === 'failed' && html`<div class="failed" role="alert"><${Icon} name="warn" />
      <p>${problem?.message ?? 'This was not answered yet. Sending it again is safe, it cannot be saved twice.'}</p>
      <div class="buttons"><${Button} onClick=${() => resend(id)}>Send again<//>
      <${Button} kind="quiet" onClick=${() => forget(id)}>Take it back<//></div></div>`}
    ${isLast && state === 'done' && question?.options?.length > 0 && html`<div class="options" role="group" aria-label="Answers">
      ${question.options.map((option) => html`<${Button} key=${option} onClick=${() => sayMessage(option)}>${option}<//>`)}</div>`}
    ${isLast && state === 'done' && reply?.suggestions?.length > 0 && html`<div class="suggestions" role="group" aria-label="Suggestions">
      ${reply.suggestions.map((words) => html`<button type="button" class="suggestion" key=${words} onClick=${() => sayMessage(words)}>${words}</button>`)}</div>`}
    ${reply?.limited && html`<p class="quiet">The assistant could not be reached, so simple rules answered.</p>`}
  </article>`;
};

/** Rows of expenses; rows of other kinds are only in the text. */
const isRows = (listed) => listed?.length > 0 && (listed[0].kind ?? 'expense') === 'expense' && listed[0].money;

export const isAtEnd = signal(true);

export const Chat = () => {
  const log = useRef();
  const height = useRef(0);
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
    const watcher = new ResizeObserver(() => { if (isAtEnd.value) toEnd(); });
    watcher.observe(log.current.firstElementChild);
    watcher.observe(log.current);
    return () => watcher.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = log.current;
    isAtEnd.value = scrollHeight - scrollTop - clientHeight < 48;
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

/** What waits for a yes and is out of sight. */
export const WaitingBanner = () => {
  const others = waiting.value.filter(({ id }) => !inView.value.has(id));
  const [isOpen, setOpen] = useState(false);
  if (!others.length) return null;
  return html`<div class="banner"><button type="button" class="banner-line" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      <span>${others.length === 1 ? 'Waiting for your yes' : `${count(others.length)} are waiting for your yes`}: ${others.map((view) => title(view, new Set())).join(', ')}</span><${Icon} name="down" /></button>
    ${isOpen && html`<${Sheet} title="Waiting for your yes" onClose=${() => setOpen(false)}>
      ${others.map(({ id }) => html`<${Card} key=${id} id=${id} />`)}<//>`}
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
  return html`<form class="composer" onSubmit=${submit}>
    ${about && html`<p class="about"><${Icon} name="filter" /><span>About: ${about.slice(0, ABOUT).map(({ words }) => words).join(', ')}${about.length > ABOUT ? '…' : ''}</span>
      <${Button} kind="quiet" icon="cross" label="Ask about all expenses instead" onClick=${() => setFilters({})} /></p>`}
    <div class="box">
      <textarea id="box" ref=${box} rows="1" value=${draft.value} placeholder=${placeholder()} aria-label="Message" maxlength="4000" enterkeyhint="send"
        onInput=${(event) => { draft.value = event.target.value; }} onKeyDown=${onKeyDown}></textarea>
      <button type="submit" class="send" aria-label="Send" disabled=${!draft.value.trim() || isBusy || !online.value}><${Icon} name="send" /></button>
    </div>
  </form>`;
};

/** The conversations of before. */
export const Conversations = ({ onClose }) => {
  useEffect(() => void readConversations(), []);
  const { items, cursor, error } = conversations.value;
  const pick = (id) => { open(id); onClose(); };
  return html`<${Sheet} title="Conversations" onClose=${onClose} actions=${html`<${Button} kind="main" icon="plus" onClick=${() => { startNew(); onClose(); focusBox(); }}>New conversation<//>`}>
    ${error && html`<${Failed} problem=${error} again=${() => readConversations()} />`}
    <ul class="list">${items.map(({ id, title, lastAt }) => html`<li key=${id}><button type="button" class="list-row" aria-current=${id === conversationId.value} onClick=${() => pick(id)}>
      <span class="item">${title || 'Untitled'}</span><span class="details">${capital(day(toDay(new Date(lastAt))))}, ${time(lastAt)}</span></button></li>`)}</ul>
    ${!items.length && !error && html`<${Empty} title="No conversations yet."><p>What you say is kept here.</p><//>`}
    ${cursor && html`<${Button} onClick=${() => readConversations(true)}>Show older<//>`}
  <//>`;
};

export const focusBox = () => requestAnimationFrame(() => document.getElementById('box')?.focus());
