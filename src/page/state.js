// What several screens share.
import { effect, signal } from './vendor/preact.js';

/** @type {any} `GET /config.json` */
export const config = signal(null);
/** @type {any} `GET /me` */
export const me = signal(null);
export const online = signal(navigator.onLine);
/** Grows when rows may have changed, so that lists and sums read again. */
export const changes = signal(0);
/** Ids of expenses that were just written or listed, shown for a moment. */
export const highlighted = signal(new Set());
/** A short text at the bottom, with at most one button: `{ text, action?, run? }`. */
export const toast = signal(null);
export const isWide = signal(false);

/** Where the person is: `{ name: 'expenses', id: '42' }`, from the address after `#/`. */
export const place = signal(readPlace());

function readPlace() {
  const [name, id] = location.hash.replace(/^#\/?/, '').split('/');
  return { name: ['chat', 'expenses', 'overview', 'receipts'].includes(name) ? name : 'chat', id };
}

/** Goes to a place. Closing a sheet replaces its address, so that *back* does not open it again. */
export function go(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, '', `#/${path}`);
  else if (location.hash !== `#/${path}`) history.pushState(null, '', `#/${path}`);
  place.value = readPlace();
}

addEventListener('popstate', () => (place.value = readPlace()));
addEventListener('hashchange', () => (place.value = readPlace()));
addEventListener('online', () => (online.value = true));
addEventListener('offline', () => (online.value = false));

const wide = matchMedia('(min-width: 960px)');
isWide.value = wide.matches;
wide.addEventListener('change', () => (isWide.value = wide.matches));

/** A value that a browser keeps. Storage may be forbidden; then it lasts as long as the page. */
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

/** `light`, `dark` or as the system has it. */
export const theme = stored(local, 'theme', 'system');
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function rowsChanged(ids = []) {
  changes.value++;
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
