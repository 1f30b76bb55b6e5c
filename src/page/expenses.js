// The list of expenses: filters, search, days, selection.
import { capital, day, firstOfMonth, groupBy, lastOfMonth, plural, shiftMonth, sums, today } from './format.js';
import { ExpenseSheet } from './sheet.js';
import {
  allFilters, categories, described, filters, hasFilters, order, readAgain, readMore, removeFilter, rows, search, selected, selecting, setFilters,
  stopSelecting, toggleSelected,
} from './ledger.js';
import { act, canWrite, openCard } from './proposals.js';
import { go, me, place, say } from './state.js';
import { Button, Chip, Empty, Failed, Field, Icon, MoneyList, Row, Sheet, Skeleton } from './ui.js';
import { html, useEffect, useRef, useState } from './vendor/preact.js';

export const forgetSelection = stopSelecting;
/** The key x: the row that has the focus. */
export function selectFocused() {
  const id = document.activeElement?.dataset?.row;
  if (id && canWrite()) toggleSelected(Number(id));
}

const month = (by) => {
  const first = shiftMonth(firstOfMonth(today()), by);
  return { from: first, to: lastOfMonth(first) };
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const Filters = () => {
  const [isOpen, setOpen] = useState(false);
  const active = described(filters.value);
  const quick = [['This month', month(0)], ['Last month', month(-1)]].filter(([, range]) => !same(filters.value.range, range));
  return html`<div class="filters">
    <div class="search"><${Icon} name="search" /><input type="search" aria-label="Search expenses" placeholder="Search" value=${search.value}
      onInput=${(event) => { clearTimeout(typing); const text = event.target.value; typing = setTimeout(() => (search.value = text), 180); }} />
      <${Button} kind="quiet" icon="filter" label="Filters" onClick=${() => setOpen(true)} /></div>
    <div class="chips" role="group" aria-label="Filters">
      ${active.map(({ name, words }) => html`<${Chip} key=${name} active label=${words} onRemove=${() => removeFilter(name)}>${words}<//>`)}
      ${quick.map(([name, range]) => html`<${Chip} key=${name} onClick=${() => setFilters({ ...filters.value, range })}>${name}<//>`)}
      ${(me.value?.members.length ?? 1) > 1 && !filters.value.whose && html`<${Chip} onClick=${() => setFilters({ ...filters.value, whose: 'me' })}>Mine<//>`}
      ${active.length > 1 && html`<${Button} kind="quiet" onClick=${() => setFilters({})}>Clear all<//>`}
    </div>
    ${isOpen && html`<${FilterSheet} onClose=${() => setOpen(false)} />`}
  </div>`;
};
let typing;

const FilterSheet = ({ onClose }) => {
  const now = filters.value;
  const [fields, setFields] = useState({
    from: now.range?.from ?? '', to: now.range?.to ?? '', category: now.category ?? '', minAmount: now.minAmount ?? '', maxAmount: now.maxAmount ?? '',
    whose: now.whose ?? '', order: order.value,
  });
  const set = (name) => (event) => setFields({ ...fields, [name]: event.target.value });
  const { from, to, category, minAmount, maxAmount, whose } = fields;
  const apply = (event) => {
    event?.preventDefault();
    const range = from || to ? { from: from || '0001-01-01', to: to || '9999-12-31' } : undefined;
    setFilters({ ...now, range, category: category.trim().toLowerCase(), minAmount, maxAmount, whose });
    order.value = fields.order;
    onClose();
  };
  const members = me.value?.members ?? [];
  return html`<${Sheet} title="Filters" onClose=${onClose} actions=${html`<${Button} kind="main" onClick=${apply}>Show<//><${Button} onClick=${() => { setFilters({}); onClose(); }}>Clear all<//>`}>
    <form onSubmit=${apply}>
      <div class="fields"><${Field} label="From" type="date" value=${from} onInput=${set('from')} /><${Field} label="To" type="date" value=${to} onInput=${set('to')} /></div>
      <${Field} label="Category" value=${category} onInput=${set('category')} list="categories" autocomplete="off" />
      <datalist id="categories">${categories.value.map((name) => html`<option value=${name} />`)}</datalist>
      <div class="fields"><${Field} label="At least" value=${minAmount} onInput=${set('minAmount')} inputmode="decimal" /><${Field} label="At most" value=${maxAmount} onInput=${set('maxAmount')} inputmode="decimal" /></div>
      ${members.length > 1 && html`<label class="field"><span>Whose</span><select value=${whose} onChange=${set('whose')}>
        <option value="">Everyone</option><option value="me">Mine</option>
        ${members.filter(({ user }) => user !== me.value.user).map(({ user, name }) => html`<option value=${user}>${name ?? user}</option>`)}</select></label>`}
      <label class="field"><span>Order</span><select value=${fields.order} onChange=${set('order')}><option value="newest">Newest first</option><option value="oldest">Oldest first</option></select></label>
      <button type="submit" hidden></button>
    </form>
  <//>`;
};

export const Expenses = () => {
  const { items, loading, error, complete } = rows.value;
  const end = useRef();
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && readMore(), { rootMargin: '600px' });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [items.length]);
  const days = [...groupBy(items, (row) => row.date)];
  const openId = place.value.name === 'expenses' && place.value.id;
  return html`<div class="expenses">
    <${Filters} />
    ${error && html`<${Failed} problem=${error} again=${readAgain} />`}
    ${days.map(([date, of], at) => html`<section key=${date} aria-label=${day(date)}>
      <h2 class="day-head"><span>${capital(day(date))}</span>
        ${(at < days.length - 1 || complete) && html`<span class="sum"><${MoneyList} totals=${sums(of)} /></span>`}</h2>
      ${of.map((row) => html`<${Row} key=${row.id} row=${row} selecting=${selecting.value} selected=${selected.value.has(row.id)}
        onClick=${() => go(`expenses/${row.id}`)} onSelect=${canWrite() ? () => toggleSelected(row.id) : undefined} />`)}
    </section>`)}
    ${loading && html`<${Skeleton} lines=${items.length ? 2 : 8} />`}
    ${!items.length && !loading && !error && html`<${Nothing} />`}
    <div ref=${end} class="end"></div>
    ${selecting.value && html`<${SelectionBar} />`}
    ${openId && html`<${ExpenseSheet} id=${Number(openId)} key=${openId} onClose=${() => go('expenses', { replace: true })} />`}
  </div>`;
};

const Nothing = () => (hasFilters.value
  ? html`<${Empty} title="Nothing fits."><p>No expense is ${described(allFilters.value).map(({ words }) => words).join(', ')}.</p><${Button} onClick=${() => setFilters({})}>Show all<//><//>`
  : html`<${Empty} title="No expenses yet."><p>Say “coffee 3.50” in the chat, and it is here.</p><//>`);

const SelectionBar = () => {
  const ids = [...selected.value];
  const [moving, setMoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const picked = rows.value.items.filter((row) => selected.value.has(row.id));
  const propose = async (operation) => {
    setBusy(true);
    try {
      const reply = await act(picked.map((row) => ({ kind: 'expense', id: row.id, version: row.version, ...operation })), false);
      stopSelecting();
      if (reply.proposal) openCard.value = reply.proposal.id;
      else say(reply.answer);
    } catch (problem) {
      say(problem.message);
    }
    setBusy(false);
  };
  return html`<div class="selection" role="region" aria-label="Selection">
    <span class="grow">${plural(ids.length, 'expense')} <span class="sum"><${MoneyList} totals=${sums(picked)} /></span></span>
    <${Button} disabled=${busy} onClick=${() => setMoving(true)}>Move to…<//>
    <${Button} class="danger" disabled=${busy} onClick=${() => propose({ op: 'delete' })}>Delete ${ids.length}<//>
    <${Button} kind="quiet" icon="cross" label="End the selection" onClick=${stopSelecting} />
    ${moving && html`<${MoveSheet} count=${ids.length} onClose=${() => setMoving(false)} onMove=${(category) => { setMoving(false); propose({ op: 'update', fields: { category } }); }} />`}
  </div>`;
};

const MoveSheet = ({ count, onClose, onMove }) => {
  const [name, setName] = useState('');
  const move = (event) => { event.preventDefault(); if (name.trim()) onMove(name.trim()); };
  return html`<${Sheet} title=${`Move ${plural(count, 'expense')}`} onClose=${onClose}>
    <form onSubmit=${move}><${Field} label="To the category" value=${name} onInput=${(event) => setName(event.target.value)} list="move-to" autocomplete="off" maxlength="40" />
      <datalist id="move-to">${categories.value.map((one) => html`<option value=${one} />`)}</datalist>
      <div class="options">${categories.value.slice(0, 12).map((one) => html`<${Button} key=${one} onClick=${() => onMove(one)}>${capital(one)}<//>`)}</div>
      <div class="buttons"><button type="submit" class="button main" disabled=${!name.trim()}><span>Look at it</span></button></div></form>
  <//>`;
};
