// What several screens share.
import { computed, effect, signal } from './vendor/preact.js';

export const config = signal(null);
export const me = signal(null);
export const online = signal(navigator.onLine);
export const changes = signal(0);
/** Ids of expenses that were just written or listed, shown for a moment. */
export const highlighted = signal(new Set());
export const toast = signal(null);
export const isWide = signal(false);
export const isShared = computed(() => (me.value?.members.length ?? 1) > 1);

/** Where the person is: `{ name: 'expenses', id: '42' }`, from the address after `#/`. */
export const place = signal(readPlace());

function readPlace() {
  const [name, id] = location.hash.replace(/^#\/?/, '').split('/');
  return { name: ['chat', 'expenses', 'overview', 'receipts'].includes(name) ? name : 'chat', id };
}

export function go(path) {
  if (location.hash !== `#/${path}`) history.pushState('ours', '', `#/${path}`);
  place.value = readPlace();
}

/** Closes what has an address, so that *back* neither opens it again nor does nothing. */
export function leave(path) {
  if (history.state) return history.back();
  history.replaceState(null, '', `#/${path}`);
  place.value = readPlace();
}

addEventListener('popstate', () => (place.value = readPlace()));
addEventListener('hashchange', () => (place.value = readPlace()));
addEventListener('online', () => (online.value = true));
addEventListener('offline', () => (online.value = false));

const wide = matchMedia('(min-width: 960px)');
isWide.value = wide.matches;
wide.addEventListener('change', () => (isWide.value = wide.matches));

export function stored(area, key, initial) {
  const value = signal(initial);
  try {
    value.value = JSON.parse(area().getItem(key)) ?? initial;
  } catch {}
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      if (value.value === initial) area().removeItem(key);
      else area().setItem(key, text);
    } catch {}
  });
  return value;
}

export const local = () => localStorage;
export const session = () => sessionStorage;

export const theme = stored(local, 'theme', 'system');
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export const written = signal([]);
export function rowsChanged(ids = []) {
  changes.value++;
  written.value = ids;
  highlight(ids);
}

let fading;
export function highlight(ids) {
  if (!ids.length) return;
  highlighted.value = new Set(ids.map(Number));
  clearTimeout(fading);
  fading = setTimeout(() => (highlighted.value = new Set()), 4000);
}

let hiding;
export function say(text, action, run) {
  toast.value = { text, action, run };
  clearTimeout(hiding);
  // A button needs time to be reached.
  hiding = setTimeout(() => (toast.value = null), action ? 10_000 : 5_000);
}
