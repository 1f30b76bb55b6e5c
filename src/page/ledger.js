// The rows and filters of the list of expenses, for its screen and for the chat.
import { get } from './api.js';
import { capital, money, range } from './format.js';
import { changes, go, highlight, isWide, me, place } from './state.js';
import { batch, computed, effect, signal } from './vendor/preact.js';

/** In the form of `activeFilters`. */
export const filters = signal({});
/** Set by hand, so they also apply to what is said. */
const areOwn = signal(false);
export const search = signal('');
export const order = signal('newest');
export const rows = signal({ items: [], cursor: undefined, loading: false, error: null, complete: false });
export const selected = signal(new Set());
export const selecting = signal(false);

export const allFilters = computed(() => (search.value.trim() ? { ...filters.value, text: search.value.trim() } : filters.value));
export const hasFilters = computed(() => Object.keys(allFilters.value).length > 0);

/** Names of categories that were seen, for suggestions. */
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

export function toggleSelected(id) {
  const next = new Set(selected.value);
  if (!next.delete(id)) next.add(id);
  batch(() => {
    selecting.value = next.size > 0;
    selected.value = next;
  });
}

/** Query parameters of a list or a sum. */
export function parameters({ range, ...others }) {
  return { ...others, from: range?.from, to: range?.to };
}

let latest = 0;
async function readRows(cursor) {
  const mine = ++latest;
  rows.value = { ...rows.peek(), loading: true, error: null };
  try {
    const list = await get('records/expense', { ...parameters(allFilters.peek()), order: order.peek(), limit: 50, cursor });
    if (mine !== latest) return;
    learnCategories(list.items);
    const items = cursor ? [...rows.peek().items, ...list.items] : list.items;
    rows.value = { items, cursor: list.nextCursor, loading: false, error: null, complete: !list.nextCursor };
  } catch (error) {
    if (mine === latest) rows.value = { ...rows.peek(), loading: false, error };
  }
}

export const readMore = () => !rows.peek().loading && !rows.peek().complete && readRows(rows.peek().cursor);
export const readAgain = () => readRows(undefined);

let started;
/** From now on the rows follow the filters and what is written. */
export function startLedger() {
  started ??= effect(() => {
    [allFilters.value, order.value, changes.value, me.value?.user];
    if (me.value) readRows(undefined);
  });
}

/** Whether the list is in view. */
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

/** Shows in the list what an answer listed. */
export function showListed({ listed, detectedFilters }) {
  if (!listed && !detectedFilters) return;
  if (listed?.some((row) => row.kind && row.kind !== 'expense')) return;
  setFilters(detectedFilters ?? {}, false);
  if (isWide.value && listed && place.value.name !== 'chat') go('expenses');
  highlight((listed ?? []).map((row) => row.id));
}

/** A filter in words, and the filters without it. */
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
    whose && (me.value?.members.length ?? 1) > 1 && ['whose', whose === 'me' ? 'Mine' : whose === 'everyone' ? 'Everyone' : (me.value.members.find(({ user }) => user === whose)?.name ?? whose)],
  ];
  return parts.filter(Boolean).map(([name, words]) => ({ name, words }));
}

export function removeFilter(name) {
  if (name === 'text' && search.value) return (search.value = '');
  const { [name]: _, ...others } = filters.value;
  setFilters(others);
}
