// The list of expenses: its rows and filters, also for the chat, and its screen.
import { get, paged } from './api.js';
import { decimal, ExpenseSheet } from './expense.js';
import { capital, day, firstOfMonth, groupBy, lastOfMonth, money, plural, range, shiftMonth, sums, today } from './format.js';
import { FileButtons } from './files.js';
import { canWrite, propose } from './proposals.js';
import { changes, go, highlight, isShared, isWide, leave, me, place, written } from './state.js';
import { Button, Chip, Empty, Failed, Field, Icon, MoneyList, Row, Sheet, Skeleton } from './ui.js';
import { batch, computed, effect, html, signal, useEffect, useRef, useState } from './vendor/preact.js';

const filters = signal({});
/** Set by hand, so they also apply to what is said. */
const areOwn = signal(false);
const search = signal('');
const order = signal('newest');
const selected = signal(new Set());
const selecting = signal(false);

const allFilters = computed(() => (search.value.trim() ? { ...filters.value, text: search.value.trim() } : filters.value));
const hasFilters = computed(() => Object.keys(allFilters.value).length > 0);

export const categories = signal([]);
function learnCategories(items) {
  const names = items.flatMap((row) => [row.category, ...(row.lines ?? []).map((line) => line.category)]).filter(Boolean);
  const all = new Set([...categories.peek(), ...names]);
  if (all.size > categories.peek().length) categories.value = [...all].sort();
}

export function setFilters(next, own = true) {
  const kept = Object.entries(next).filter(([, value]) => value !== undefined && value !== null && value !== '' && value.length !== 0);
  batch(() => {
    filters.value = Object.fromEntries(kept);
    areOwn.value = own && kept.length > 0;
    search.value = '';
    stopSelecting();
  });
}

export function stopSelecting() {
  selecting.value = false;
  selected.value = new Set();
}

function toggleSelected(id) {
  const next = new Set(selected.value);
  if (!next.delete(id)) next.add(id);
  batch(() => {
    selecting.value = next.size > 0;
    selected.value = next;
  });
}

function parameters({ range, ...others }) {
  return { ...others, from: range?.from, to: range?.to };
}

let version;
// What was loaded stays loaded, so that the reader's place does.
const { list: rows, again: readAgain, more: readMore } = paged('records/expense', (more, items) => ({
  ...parameters(allFilters.peek()), order: order.peek(), limit: more ? 50 : Math.min(100, Math.max(50, items.length)),
}), (page) => { version = page.dataVersion; learnCategories(page.items); });
export async function refreshRows() {
  if (!version) return;
  const { dataVersion } = await get('records/expense', { limit: 1 }).catch(() => ({ dataVersion: version }));
  if (dataVersion !== version) changes.value++;
}

let started;
export function startLedger() {
  if (started) return;
  started = true;
  effect(() => {
    [allFilters.value, order.value, changes.value, me.value?.user];
    if (me.value) readAgain();
  });
  // What was just written is in view, unless the person chose otherwise.
  effect(() => {
    if (written.value.length && !areOwn.peek()) setFilters({}, false);
  });
}

const isShown = () => (isWide.value ? place.value.name !== 'overview' && place.value.name !== 'receipts' : place.value.name === 'expenses');

/** What "this" and "these" mean in the next message. */
export function scope() {
  if (!isShown()) return {};
  const picked = selected.value.size ? [...selected.value] : rows.value.items.slice(0, 100).map((row) => row.id);
  const active = allFilters.value;
  // With several kinds of records a scope would hide the others, so it needs a selection.
  const isOnly = (me.value?.kinds?.length ?? 1) === 1 || selected.value.size > 0;
  return {
    ...(chatFilters.value && { activeFilters: active, applyFiltersToQuery: true }),
    ...(isOnly && { scope: { kind: 'expense', rows: picked.slice(0, 100).map((id) => ({ kind: 'expense', id })), filters: active } }),
  };
}

/** The filters that apply to the next message. Those that the chat set itself do not. */
export const chatFilters = computed(() => (isShown() && hasFilters.value && (areOwn.value || search.value.trim()) ? allFilters.value : null));

export function showListed({ listed, detectedFilters }) {
  if (!listed && !detectedFilters) return;
  if (listed?.some((row) => row.kind && row.kind !== 'expense')) return;
  setFilters(detectedFilters ?? {}, false);
  if (isWide.value && listed && place.value.name !== 'chat') go('expenses');
  highlight((listed ?? []).map((row) => row.id));
}

export function described(active) {
  const { range: days, category, categories: several, words, text, minAmount, maxAmount, moreThan, lessThan, currency, hasNotes, without, whose } = active;
  const amount = (value) => (currency ?? me.value?.currency ? money({ amount: String(value), currency: currency ?? me.value.currency }) : value);
  const parts = [
    days && ['range', typeof days === 'string' ? capital(days) : capital(range(days))],
    category && ['category', capital(category)],
    several?.length && ['categories', several.map(capital).join(' or ')],
    words && ['words', `“${words}”`],
    text && ['text', `“${text}”`],
    minAmount !== undefined && ['minAmount', `${amount(minAmount)} or more`],
    maxAmount !== undefined && ['maxAmount', `${amount(maxAmount)} or less`],
    moreThan !== undefined && ['moreThan', `over ${amount(moreThan)}`],
    lessThan !== undefined && ['lessThan', `under ${amount(lessThan)}`],
    currency && ['currency', currency],
    hasNotes !== undefined && ['hasNotes', hasNotes ? 'With notes' : 'Without notes'],
    without?.length && ['without', `Not ${without.join(', ')}`],
    whose && isShared.value && ['whose', whose === 'me' ? 'Mine' : whose === 'everyone' ? 'Everyone' : (me.value.members.find(({ user }) => user === whose)?.name ?? whose)],
  ];
  return parts.filter(Boolean).map(([name, words]) => ({ name, words }));
}

function removeFilter(name) {
  if (name === 'text' && search.value) return (search.value = '');
  const { [name]: _, ...others } = filters.value;
  setFilters(others);
}

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
      ${isShared.value && !filters.value.whose && html`<${Chip} onClick=${() => setFilters({ ...filters.value, whose: 'me' })}>Mine<//>`}
      ${active.length > 1 && html`<${Button} kind="quiet" onClick=${() => setFilters({})}>Clear all<//>`}
      ${canWrite() && !selecting.value && html`<${Button} kind="quiet" onClick=${() => (selecting.value = true)}>Select<//>`}
      ${!selecting.value && html`<${FileButtons} query=${parameters(allFilters.value)} words=${described(allFilters.value).map(({ words }) => words).join(', ')} />`}
    </div>
    ${isOpen && html`<${FilterSheet} onClose=${() => setOpen(false)} />`}
  </div>`;
};
let typing;

const FilterSheet = ({ onClose }) => {
  const [fields, setFields] = useState({ ...filters.value.range, ...filters.value, order: order.value });
  const [wrong, setWrong] = useState('');
  const field = (name, label, more) => html`<${Field} label=${label} value=${fields[name] ?? ''} autocomplete="off" onInput=${(event) => setFields({ ...fields, [name]: event.target.value })} ...${more} />`;
  const choice = (name, label, options) => html`<label class="field"><span>${label}</span><select value=${fields[name] ?? ''} onChange=${(event) => setFields({ ...fields, [name]: event.target.value })}>
    ${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`;
  const apply = (event) => {
    event.preventDefault();
    const { from, to, order: next, ...others } = fields;
    for (const name of ['minAmount', 'maxAmount']) {
      if (!others[name]) continue;
      others[name] = decimal(String(others[name]), others.currency ?? me.value.currency);
      if (!others[name]) return setWrong('Write amounts as numbers, like 12.');
    }
    setFilters({ ...others, category: fields.category?.trim().toLowerCase(), range: from || to ? { from: from || '0001-01-01', to: to || '9999-12-31' } : undefined });
    order.value = next;
    onClose();
  };
  const others = me.value.members.filter(({ user }) => user !== me.value.user);
  return html`<${Sheet} title="Filters" onClose=${onClose}>
    <form onSubmit=${apply}>
      <div class="fields">${field('from', 'From', { type: 'date' })}${field('to', 'To', { type: 'date' })}</div>
      ${field('category', 'Category', { list: 'categories' })}
      <datalist id="categories">${categories.value.map((name) => html`<option value=${name} />`)}</datalist>
      <div class="fields">${field('minAmount', 'At least', { inputmode: 'decimal' })}${field('maxAmount', 'At most', { inputmode: 'decimal' })}</div>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      ${others.length > 0 && choice('whose', 'Whose', [['', 'Everyone'], ['me', 'Mine'], ...others.map(({ user, name }) => [user, name ?? user])])}
      ${choice('order', 'Order', [['newest', 'Newest first'], ['oldest', 'Oldest first'], ['largest', 'Largest first'], ['smallest', 'Smallest first']])}
      <div class="buttons"><button type="submit" class="button main"><span>Show</span></button><${Button} onClick=${() => { setFilters({}); onClose(); }}>Clear all<//></div>
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
  const byAmount = order.value === 'largest' || order.value === 'smallest';
  const groups = [...groupBy(items, (row) => (byAmount ? '' : row.date))];
  const openId = place.value.name === 'expenses' && place.value.id;
  return html`<div class="expenses">
    <${Filters} />
    ${error && html`<${Failed} problem=${error} again=${readAgain} />`}
    ${groups.map(([date, of], at) => html`<section key=${date} aria-label=${date ? day(date) : 'By amount'}>
      ${date && html`<h2 class="day-head"><span>${capital(day(date))}</span>
        ${(at < groups.length - 1 || complete) && html`<span class="sum"><${MoneyList} totals=${sums(of)} /></span>`}</h2>`}
      ${of.map((row) => html`<${Row} key=${row.id} row=${row} withDay=${byAmount} selecting=${selecting.value} selected=${selected.value.has(row.id)}
        onClick=${() => go(`expenses/${row.id}`)} onSelect=${canWrite() ? () => toggleSelected(row.id) : undefined} />`)}
    </section>`)}
    ${loading && html`<${Skeleton} lines=${items.length ? 2 : 8} />`}
    ${!items.length && !loading && !error && html`<${Nothing} />`}
    <div ref=${end} class="end"></div>
    ${selecting.value && html`<${SelectionBar} />`}
    ${openId && html`<${ExpenseSheet} id=${Number(openId)} key=${openId} onClose=${() => leave('expenses')} />`}
  </div>`;
};

const Nothing = () => (hasFilters.value
  ? html`<${Empty} title="Nothing fits."><p>No expense fits: ${described(allFilters.value).map(({ words }) => words).join(', ')}.</p><${Button} onClick=${() => setFilters({})}>Show all<//><//>`
  : html`<${Empty} title="No expenses yet."><p>Say “coffee 3.50” in the chat, and it is here.</p><//>`);

const SelectionBar = () => {
  const ids = [...selected.value];
  const [moving, setMoving] = useState(false);
  const picked = rows.value.items.filter((row) => selected.value.has(row.id));
  const proposeAll = (operation) => {
    propose(picked.map(({ id, version }) => ({ kind: 'expense', id, version, ...operation })));
    stopSelecting();
  };
  return html`<div class="selection" role="region" aria-label="Selection">
    <span class="grow">${plural(ids.length, 'expense')} <span class="sum"><${MoneyList} totals=${sums(picked)} /></span></span>
    <${Button} disabled=${!ids.length} onClick=${() => setMoving(true)}>Move to…<//>
    <${Button} class="danger" disabled=${!ids.length} onClick=${() => proposeAll({ op: 'delete' })}>Delete ${ids.length || ''}<//>
    <${Button} kind="quiet" class="end" icon="cross" label="End the selection" onClick=${stopSelecting} />
    ${moving && html`<${MoveSheet} count=${ids.length} onClose=${() => setMoving(false)} onMove=${(category) => { setMoving(false); proposeAll({ op: 'update', fields: { category } }); }} />`}
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
