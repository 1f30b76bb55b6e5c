// Proposals and receipts as the person sees them: exactly what will be written, and what was.
import { get, paged } from './api.js';
import { add, capital, count, day, groupBy, moment, money, person, plural, time, toDay } from './format.js';
import {
  canUndo, canWrite, card, decide, follow, isDone, openCard, PAST, read, replacedBy, revise, rowKey, shownState, split, toggleRow, totalsOf, undo,
} from './proposals.js';
import { ExpenseForm } from './expense.js';
import { changes, me, say } from './state.js';
import { Button, Empty, Failed, Icon, MoneyList, Row, Sheet, Skeleton } from './ui.js';
import { html, signal, useEffect, useRef, useState } from './vendor/preact.js';

const DOING = { add: 'Adding', change: 'Changing', delete: 'Deleting', restore: 'Restoring' };
const NOUNS = { expense: ['expense'], budget: ['budget'], recurring: ['recurring entry', 'recurring entries'], category: ['remembered category', 'remembered categories'], setting: ['setting'] };
const noun = (kind, n) => plural(n, ...(NOUNS[kind] ?? [kind]));

export function title(view, leftOut, forms) {
  const { rows } = split(view.operations);
  const kept = rows.filter((row) => !leftOut.has(rowKey(row)));
  const verb = (op) => capital(forms?.[op] ?? op);
  const all = view.count > view.operations.length;
  const done = view.receipt?.count;
  if (forms === PAST && rows.length && done !== undefined && done < view.count) return `${verb(rows[0].op)} ${count(done)} of ${noun(rows[0].kind, view.count)}`;
  const by = groupBy(all ? rows : kept, ({ op, kind }) => `${op} ${kind}`);
  if (all && by.size === 1) return `${verb(rows[0].op)} ${noun(rows[0].kind, view.count - leftOut.size)}`;
  if (all) return `${verb('change')} ${noun('expense', view.count - leftOut.size)}`;
  if (kept.length === 1) {
    const [{ op, text, after, before }] = kept;
    return `${verb(op)} ${(after ?? before)?.item ?? text}`;
  }
  return capital([...by.values()].map((of) => `${verb(of[0].op)} ${noun(of[0].kind, of.length)}`).join(', ').toLowerCase());
}

function totals(view, leftOut, extra) {
  if (view.count <= view.operations.length) return totalsOf(split(view.operations).rows.filter((row) => !leftOut.has(rowKey(row))));
  const less = totalsOf([...leftOut].map((key) => extra?.[key]).filter(Boolean));
  return view.totals.map((total) => {
    const minus = less.find(({ currency }) => currency === total.currency);
    return minus ? { ...total, amount: add(total.currency, [total.amount, -minus.amount]) } : total;
  });
}

const LABELS = { item: 'name', money: 'amount', date: 'day', category: 'category', notes: 'notes', lines: 'parts' };
const lineText = ({ amount, category, note }, currency) => `${category} ${money({ amount, currency })}${note ? ` (${note})` : ''}`;
function fieldText(name, row) {
  const value = row?.[name];
  if (name === 'money') return money(value);
  if (name === 'date') return day(value);
  if (name === 'lines') return value?.length ? value.map((line) => lineText(line, row.money.currency)).join(', ') : 'none';
  return value || 'none';
}

export const Changes = ({ before, after }) => {
  const different = Object.keys(LABELS).filter((field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null));
  return html`<dl>${different.map((field) => html`<div key=${field}><dt>${capital(LABELS[field])}</dt>
    <dd><span class="old">${fieldText(field, before)}</span><span aria-hidden="true"> → </span><span class="hidden">becomes</span><b>${fieldText(field, after)}</b></dd></div>`)}</dl>`;
};

const Operation = ({ operation, out, onEdit, onToggle }) => {
  const { op, kind, text, before, after, outcome } = operation;
  const name = (after ?? before)?.item ?? text;
  const tools = html`
    ${outcome === 'skipped' && html`<span class="tag">skipped</span>`}
    ${onEdit && !out && html`<${Button} kind="quiet" icon="pencil" label=${`Edit ${name}`} onClick=${onEdit} />`}
    ${onToggle && (out
      ? html`<${Button} kind="quiet" class="put-back" label=${`Put back ${name}`} onClick=${onToggle}>Put back<//>`
      : html`<${Button} kind="quiet" icon="cross" label=${`Leave ${name} out`} onClick=${onToggle} />`)}`;
  const row = after ?? before;
  if (kind !== 'expense' || !row?.money) {
    return html`<li class=${`operation other ${out ? 'out' : ''}`}><span class="row-main"><span class="what">${op === 'delete' || out ? html`<s>${text}</s>` : text}</span></span>${tools}</li>`;
  }
  if (before && after) {
    return html`<li class=${`operation ${out ? 'out' : ''}`}>
      <div class="change"><span class="item">${before.item}${before.date && html`<span class="details"> · ${day(before.date)}</span>`}</span>
        <${Changes} before=${before} after=${after} /></div>${tools}</li>`;
  }
  const lines = row.lines?.length > 0 && html`<ul class="lines">${row.lines.map((line, at) => html`<li key=${at}>${lineText(line, row.money.currency)}</li>`)}</ul>`;
  return html`<li class=${`operation ${out ? 'out' : ''}`}><${Row} row=${row} withDay still struck=${out || op === 'delete'} tools=${tools} />${lines}</li>`;
};

const AllRows = ({ id, view, canEdit, onClose }) => {
  const [{ list, more }] = useState(() => paged(`proposals/${id}/operations`, () => ({ limit: undefined })));
  useEffect(() => void more(), []);
  const { items, loading, complete, error } = list.value;
  const { leftOut, numbers } = card(id).value;
  return html`<${Sheet} title=${title(view, leftOut, isDone(view) ? PAST : undefined)} onClose=${onClose}
      actions=${html`<${Button} kind="main" onClick=${onClose}>Back<//>`}>
    <p class="sum"><${MoneyList} totals=${totals(view, leftOut, numbers)} /></p>
    <ul class="operations">${items.map((operation) => html`<${Operation} key=${operation.n} operation=${operation}
      out=${leftOut.has(rowKey(operation))} onToggle=${canEdit ? () => toggleRow(id, operation) : undefined} />`)}</ul>
    ${error && html`<${Failed} problem=${error} />`}
    ${!complete && html`<${Button} onClick=${more} disabled=${loading}>${loading ? 'Loading…' : `Show more (${count(items.length)} of ${count(view.count)})`}<//>`}
  <//>`;
};

const PER_CARD = 12;

const Undo = ({ id, view }) =>
  canUndo(view) && (view.receipt?.count ?? view.count) > 0 && html`<${Button} kind="quiet" class="undo" icon="undo" onClick=${() => undo(id, view.conversationId)}>Undo<//>`;

const Outcome = ({ id, view, budgets, elsewhere }) => {
  const state = shownState(view);
  const { receipt } = view;
  const ops = new Set(split(view.operations).rows.map(({ op }) => op));
  const where = elsewhere ? ` ${receipt && receipt.executedBy !== me.value?.user ? 'by somebody else' : 'in another place'}` : '';
  const WORDS = {
    EXECUTED: `${view.tool === 'undo' ? 'Undone' : (PAST[ops.size === 1 && [...ops][0]] ?? 'Done')}${where || (receipt ? `, ${moment(receipt.executedAt)}` : '')}`,
    PARTIAL: `Done in part. ${plural(receipt?.skipped ?? 0, 'row')} skipped, changed since they were shown`,
    STOPPED: `Stopped. ${count(receipt?.count ?? 0)} done, ${count(receipt?.notDone ?? 0)} left as they were`,
    HALTED: `Ended early. ${count(receipt?.count ?? 0)} done, the rest could not be read`,
    REJECTED: `Not ${(PAST[view.operations[0]?.op] ?? 'done').toLowerCase()}. Nothing was changed${where ? ' (decided in another place)' : ''}`,
    EXPIRED: 'Expired. Nothing was changed. Say it again if you still want it',
    STALE: 'Nothing was changed, because a row has changed since this was shown',
    SUPERSEDED: 'Replaced by a newer version',
  };
  const done = isDone(view);
  return html`<div class=${`outcome ${done ? 'done' : ''}`}>
    <p class="outcome-line" tabindex="-1"><${Icon} name=${done ? 'check' : 'cross'} /><span>${WORDS[state]}</span>
      ${done && html`<${Undo} id=${id} view=${view} />`}</p>
    ${(budgets ?? []).map((budget) => html`<p class="note" key=${budget.id}>${capital(budget.category ?? 'everything')}:
      ${' '}${money({ ...budget.money, amount: budget.spent })} of ${money(budget.money)} this ${budget.period}${over(budget)}</p>`)}
  </div>`;
};

const over = ({ left, money: { currency } }) =>
  left.startsWith('-') ? html`, <b class="over">${money({ amount: left.slice(1), currency })} over</b>` : `, ${money({ amount: left, currency })} left`;

export const inView = signal(new Set());
const watcher = new IntersectionObserver((entries) => {
  const next = new Set(inView.value);
  for (const { target, isIntersecting } of entries) next[isIntersecting ? 'add' : 'delete'](target.dataset.card);
  inView.value = next;
}, { threshold: 0.3 });

export const Card = ({ id: asked, compact, level = 2 }) => {
  let id = asked;
  while (replacedBy.value.has(id)) id = replacedBy.value.get(id);
  const { view, leftOut, numbers, busy, progress, problem, budgets, elsewhere, unread } = card(id).value;
  const [editing, setEditing] = useState(null);
  const [showAll, setShowAll] = useState(false);
  const [, tick] = useState(0);
  const place = useRef();
  const before = useRef(view?.state);
  const state = view && shownState(view);
  useEffect(() => {
    // The buttons are gone with the decision, so the focus goes to what became of it.
    const wasHere = before.current === 'PENDING' && state !== 'PENDING' && (document.activeElement === document.body || place.current?.contains(document.activeElement));
    if (wasHere) place.current?.querySelector('.outcome-line')?.focus();
    before.current = state;
    if (state === 'EXECUTING') follow(id);
  }, [state]);
  useEffect(() => {
    const element = place.current;
    if (state !== 'PENDING' || !element) return undefined;
    watcher.observe(element);
    return () => {
      watcher.unobserve(element);
      inView.value = new Set([...inView.value].filter((one) => one !== id));
    };
  }, [id, state]);
  useEffect(() => {
    if (state !== 'PENDING') return undefined;
    const left = new Date(view.expiresAt) - Date.now();
    const timer = left < 2 ** 31 ? setTimeout(() => tick((n) => n + 1), left + 500) : undefined;
    return () => clearTimeout(timer);
  }, [state, view?.expiresAt]);
  if (!view) {
    return html`<div class="card">${unread ? html`<p class="wrong">This cannot be read right now.</p><${Button} onClick=${() => read(id).catch(() => {})}>Try again<//>` : html`<${Skeleton} lines=${2} />`}</div>`;
  }
  if (compact) return html`<${Undo} id=${id} view=${view} />`;
  if (state === 'SUPERSEDED') return html`<p class="quiet">Replaced by a newer version.</p>`;

  const open = state === 'PENDING';
  const running = state === 'EXECUTING' || busy === 'confirm' || busy === 'stop';
  const mayDecide = open && canWrite() && !running;
  const { rows, besides } = split(view.operations);
  const isLong = view.count > view.operations.length;
  const single = rows.length === 1 && !isLong;
  const ops = new Set(rows.map(({ op }) => op));
  const shownRows = rows.slice(0, isLong ? 5 : open ? rows.length : Math.min(rows.length, PER_CARD));
  const keptCount = (isLong ? view.count : rows.length) - leftOut.size;
  const isUndo = view.tool === 'undo';
  const [op] = ops.size === 1 ? ops : ['do'];
  const verb = isUndo ? 'Undo it' : `${capital(op)} ${isLong ? count(keptCount) : keptCount === 1 ? 'it' : leftOut.size ? count(keptCount) : 'them'}`;
  const heading = `card-${id}-${level}`;
  const save = (n) => async (edit) => {
    await revise(id, { edits: { [n]: edit } });
    setEditing(null);
  };
  const Title = `h${level}`;
  return html`<section class=${`card ${open ? 'open' : state.toLowerCase()}`} role="group" aria-labelledby=${heading} data-card=${id} ref=${place}>
    <header><${Title} id=${heading}>${isUndo && open ? 'Undo: ' : ''}${title(view, open ? leftOut : new Set(), isDone(view) ? PAST : running ? DOING : undefined)}<//>
      ${totals(view, leftOut, numbers).length > 0 && (open || running || state === 'EXECUTED') && html`<span class="sum"><${MoneyList} totals=${totals(view, leftOut, numbers)} /></span>`}</header>
    <ul class="operations">
      ${shownRows.map((operation) => (editing === rowKey(operation) && open
        ? html`<li key=${rowKey(operation)} class="editing"><${ExpenseForm} row=${operation.after} verb="Change" onSave=${save(operation.n)} onCancel=${() => setEditing(null)} /></li>`
        : html`<${Operation} key=${rowKey(operation)} operation=${operation} out=${open && leftOut.has(rowKey(operation))}
            onEdit=${mayDecide && operation.after?.money && operation.kind === 'expense' && !isUndo ? () => setEditing(rowKey(operation)) : undefined}
            onToggle=${mayDecide && !single ? () => toggleRow(id, operation) : undefined} />`))}
    </ul>
    ${(isLong || shownRows.length < rows.length) && html`<${Button} kind="quiet" class="all" onClick=${() => setShowAll(true)}>Show all ${count(view.count)}<//>`}
    ${view.outliers?.length > 0 && html`<p class="label">Much larger than the others</p><ul class="operations">${view.outliers.map((operation) => html`<${Operation} key=${operation.n} operation=${operation} />`)}</ul>`}
    ${besides.map((operation) => html`<p class="note" key=${operation.n}>Also: ${besideText(operation)}</p>`)}
    ${view.warnings.map(({ kind, text }) => html`<p class=${`note warning ${kind}`} key=${text}><${Icon} name=${kind === 'chosen' ? 'filter' : 'warn'} /><span>${warningText(kind, text)}</span></p>`)}
    ${problem && html`<p class="wrong" role="alert">${problem}</p>`}
    ${open && !running && html`<div class="buttons">
      ${canWrite()
        ? html`<${Button} kind=${ops.has('delete') && !isUndo ? 'main danger' : 'main'} disabled=${Boolean(busy) || keptCount === 0 || editing} onClick=${() => decide(id, 'confirm')}>${verb}<//>
          <${Button} disabled=${Boolean(busy)} onClick=${() => decide(id, 'reject')}>${busy === 'reject' ? 'One moment…' : 'Not now'}<//>`
        : html`<p class="note">You can look, and a member can decide.</p>`}
      <span class="until">until ${moment(view.expiresAt)}</span>
    </div>`}
    ${running && html`<${Running} id=${id} progress=${progress ?? view.progress} total=${keptCount} />`}
    ${!open && !running && html`<${Outcome} id=${id} view=${view} budgets=${budgets} elsewhere=${elsewhere} />`}
    ${showAll && html`<${AllRows} id=${id} view=${view} canEdit=${mayDecide} onClose=${() => setShowAll(false)} />`}
  </section>`;
};

const besideText = ({ op, text }) => (op === 'delete' ? `forget ${text}` : op === 'add' ? `remember ${text}` : text);
const LABEL = { assumed: 'Assumed', possible_duplicate: 'Possible duplicate', unusual_amount: 'Unusual amount', left_out: 'Left out', chosen: 'Chosen' };
const warningText = (kind, text) => (LABEL[kind] ? `${LABEL[kind]}: ${text}` : capital(text));

const Running = ({ id, progress, total }) => {
  const { busy } = card(id).value;
  const known = progress && progress.total > 0;
  const all = progress?.total ?? total;
  return html`<div class="running">
    <progress max=${all} value=${known ? progress.done + progress.skipped : undefined} aria-label="Progress"></progress>
    <p role="status">${known ? `${count(progress.done)} of ${count(all)} done${progress.skipped ? `, ${count(progress.skipped)} skipped` : ''}` : 'Working…'}</p>
    ${(known || all > 100) && html`<${Button} disabled=${busy === 'stop'} onClick=${() => decide(id, 'stop')}>${busy === 'stop' ? 'Stopping…' : 'Stop'}<//>`}
  </div>`;
};

export const CardSheet = () => {
  const id = openCard.value;
  if (!id) return null;
  const close = () => (openCard.value = null);
  const { view } = card(id).value;
  return html`<${Sheet} title=${view && isDone(view) ? 'This was done' : 'Look before it is done'} onClose=${close}><${Card} id=${id} level=${3} /><//>`;
};

const receipts = paged('receipts');

export async function undoLast() {
  if (!canWrite()) return;
  try {
    const { items } = await get('receipts', { limit: 20 });
    const mine = items.find((receipt) => receipt.executedBy === me.value.user && receipt.tool !== 'undo');
    if (mine) await undo(mine.proposalId);
    else say('There is nothing of yours to undo.');
  } catch (problem) {
    say(problem.message);
  }
}

const Receipt = ({ receipt }) => {
  const [isOpen, setOpen] = useState(false);
  const [showAll, setShowAll] = useState(false);
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
        <span class="what"><span class="item">${title(receipt, new Set(), PAST)}</span><span class="details">${who}</span></span><span class="sum"><${MoneyList} totals=${totals} /></span></button>
      ${canUndo(receipt) && html`<${Button} kind="quiet" icon="undo" onClick=${() => undo(proposalId)}>Undo<//>`}
    </div>
    ${isOpen && html`<ul class="operations">${operations.map((operation) => html`<${Operation} key=${operation.n} operation=${operation} />`)}</ul>
      ${receipt.count > operations.length && html`<${Button} kind="quiet" onClick=${() => setShowAll(true)}>Show all ${count(receipt.count)}<//>`}`}
    ${showAll && html`<${AllRows} id=${proposalId} view=${{ totals: [], ...receipt, state: 'EXECUTED' }} onClose=${() => setShowAll(false)} />`}
  </li>`;
};

export const Receipts = () => {
  useEffect(() => void receipts.again(), [changes.value]);
  const { items, complete, loading, error } = receipts.list.value;
  const days = groupBy(items, ({ executedAt }) => (executedAt ? toDay(new Date(executedAt)) : ''));
  return html`<div class="receipts">
    <p class="screen-title">Receipts</p>
    ${error && html`<${Failed} problem=${error} again=${receipts.again} />`}
    ${[...days].map(([of, items]) => html`<section key=${of}><h2 class="day-head"><span>${of ? capital(day(of)) : 'Unknown day'}</span></h2>
      <ul class="list">${items.map((receipt) => html`<${Receipt} key=${receipt.proposalId} receipt=${receipt} />`)}</ul></section>`)}
    ${loading && html`<${Skeleton} lines=${items.length ? 2 : 6} />`}
    ${!items.length && !loading && !error && html`<${Empty} title="Nothing was done yet."><p>Every change is listed here with who made it, and can be undone.</p><//>`}
    ${!complete && !loading && html`<${Button} onClick=${receipts.more}>Show older<//>`}
  </div>`;
};
