// What was done, by whom and when.
import { get } from './api.js';
import { capital, count, day, groupBy, person, plural, time, toDay } from './format.js';
import { canWrite, openCard, split, totalsOf, undo } from './proposals.js';
import { changes, me, say } from './state.js';
import { Button, Empty, Failed, Icon, MoneyList, Skeleton } from './ui.js';
import { html, signal, useEffect, useState } from './vendor/preact.js';

const list = signal({ items: [], cursor: undefined, loading: false, error: null });
const PAST = { add: 'Added', change: 'Changed', delete: 'Deleted', restore: 'Restored' };

async function read(more) {
  list.value = { ...list.value, loading: true, error: null };
  try {
    const { items, nextCursor } = await get('receipts', { limit: 20, cursor: more ? list.value.cursor : undefined });
    list.value = { items: more ? [...list.value.items, ...items] : items, cursor: nextCursor, loading: false, error: null };
  } catch (error) {
    list.value = { ...list.value, loading: false, error };
  }
}

/** Shows the card that undoes it. */
async function propose(id) {
  try {
    const reply = await undo(id);
    if (reply.proposal) openCard.value = reply.proposal.id;
    else say(reply.answer);
  } catch (problem) {
    say(problem.message);
  }
}

/** The key u: the person's own last change. */
export async function undoLast() {
  if (!canWrite()) return;
  try {
    const { items } = await get('receipts', { limit: 20 });
    const mine = items.find((receipt) => receipt.executedBy === me.value.user && receipt.tool !== 'undo');
    if (mine) await propose(mine.proposalId);
    else say('There is nothing of yours to undo.');
  } catch (problem) {
    say(problem.message);
  }
}

export function summary({ operations, count: all }) {
  const { rows } = split(operations);
  if (all > operations.length) return `${PAST[rows[0]?.op] ?? 'Changed'} ${plural(all, 'row')}`;
  if (rows.length === 1) return `${PAST[rows[0].op] ?? capital(rows[0].op)} ${(rows[0].after ?? rows[0].before)?.item ?? rows[0].text}`;
  return [...groupBy(rows, ({ op }) => op)].map(([op, of], at) => `${at ? (PAST[op] ?? op).toLowerCase() : (PAST[op] ?? capital(op))} ${plural(of.length, 'row')}`).join(', ');
}

const Receipt = ({ receipt }) => {
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const { proposalId, executedAt, executedBy, askedBy, operations, unreadable, skipped = 0, notDone = 0 } = receipt;
  if (unreadable) {
    return html`<li class="receipt"><p class="receipt-line"><${Icon} name="warn" /><span class="what"><span class="item">Receipt that cannot be read</span>
      <span class="details">${executedAt ? time(executedAt) : ''} · ${proposalId}</span><span class="details">${unreadable}</span></span></p></li>`;
  }
  const who = [`${capital(person(executedBy))}${askedBy !== executedBy ? `, asked by ${person(askedBy)}` : ''}`, time(executedAt),
    receipt.tool === 'undo' && 'an undo', skipped > 0 && `${count(skipped)} skipped`, notDone > 0 && `${count(notDone)} not done`].filter(Boolean).join(' · ');
  const totals = receipt.count > operations.length ? [] : totalsOf(split(operations).rows);
  return html`<li class="receipt">
    <div class="receipt-line">
      <button type="button" class="receipt-open" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
        <span class="what"><span class="item">${summary(receipt)}</span><span class="details">${who}</span></span><span class="sum"><${MoneyList} totals=${totals} /></span></button>
      ${canWrite() && html`<${Button} kind="quiet" icon="undo" disabled=${busy} onClick=${async () => { setBusy(true); await propose(proposalId); setBusy(false); }}>Undo<//>`}
    </div>
    ${isOpen && html`<ul class="texts">${operations.map(({ n, op, text }) => html`<li key=${n}>${PAST[op] ?? capital(op)} ${text}</li>`)}
      ${receipt.count > operations.length && html`<li class="quiet">and ${count(receipt.count - operations.length)} more</li>`}</ul>`}
  </li>`;
};

export const Receipts = () => {
  useEffect(() => void read(false), [changes.value]);
  const { items, cursor, loading, error } = list.value;
  const days = groupBy(items, ({ executedAt }) => (executedAt ? toDay(new Date(executedAt)) : ''));
  return html`<div class="receipts">
    <h2 class="screen-title">Receipts</h2>
    ${error && html`<${Failed} problem=${error} again=${() => read(false)} />`}
    ${[...days].map(([of, receipts]) => html`<section key=${of}><h3 class="day-head"><span>${of ? capital(day(of)) : 'Unknown day'}</span></h3>
      <ul class="list">${receipts.map((receipt) => html`<${Receipt} key=${receipt.proposalId} receipt=${receipt} />`)}</ul></section>`)}
    ${loading && html`<${Skeleton} lines=${items.length ? 2 : 6} />`}
    ${!items.length && !loading && !error && html`<${Empty} title="Nothing was done yet."><p>Every change is listed here with who made it, and can be undone.</p><//>`}
    ${cursor && !loading && html`<${Button} onClick=${() => read(true)}>Show older<//>`}
  </div>`;
};
