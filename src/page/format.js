// Money, days and counts as the person writes them.
import { me } from './state.js';

const locale = navigator.languages?.length ? [...navigator.languages] : navigator.language;
const formats = new Map();

function format(make, options) {
  const key = make.name + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new make(locale, options));
  return formats.get(key);
}

const timezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
export const userContext = () => ({ timezone: timezone(), locale: navigator.language });

function currencyFormat(currency, options) {
  try {
    return format(Intl.NumberFormat, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...options });
  } catch {
    return format(Intl.NumberFormat, options ?? {});
  }
}

export function moneyParts({ amount, currency }) {
  return currencyFormat(currency).formatToParts(amount);
}

export const money = (value) => moneyParts(value).map((part) => part.value).join('');
export const roundMoney = ({ amount, currency }) => currencyFormat(currency, { maximumFractionDigits: 0 }).format(amount);
export const symbol = (currency) =>
  moneyParts({ amount: '0', currency }).find((part) => part.type === 'currency')?.value ?? currency;
export const count = (n) => format(Intl.NumberFormat, {}).format(n);
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

const minorDigits = (currency) => currencyFormat(currency).resolvedOptions().maximumFractionDigits;

/** Adds decimal strings in minor units, which numbers hold exactly. */
export function add(currency, amounts) {
  const digits = minorDigits(currency);
  const minor = amounts.reduce((sum, amount) => sum + Math.round(amount * 10 ** digits), 0);
  return (minor / 10 ** digits).toFixed(digits);
}

export function sums(rows) {
  const by = groupBy(rows, (row) => row.money.currency);
  return [...by].map(([currency, of]) => ({ currency, amount: add(currency, of.map((row) => row.money.amount)), count: of.length }));
}

export function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

export const today = () => toDay(new Date());
export function toDay(date) {
  const pad = (n) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
const fromDay = (day) => new Date(`${day}T12:00:00`);
export function shiftDay(day, by) {
  const date = fromDay(day);
  date.setDate(date.getDate() + by);
  return toDay(date);
}
export function shiftMonth(day, by) {
  const [year, month] = day.split('-').map(Number);
  return toDay(new Date(year, month - 1 + by, 1, 12));
}
export const firstOfMonth = (day) => `${day.slice(0, 8)}01`;
export const lastOfMonth = (day) => shiftDay(shiftMonth(firstOfMonth(day), 1), -1);

export function day(text) {
  if (text === today()) return 'Today';
  if (text === shiftDay(today(), -1)) return 'Yesterday';
  const options = text.slice(0, 4) === today().slice(0, 4)
    ? { weekday: 'short', day: 'numeric', month: 'short' }
    : { day: 'numeric', month: 'short', year: 'numeric' };
  return format(Intl.DateTimeFormat, options).format(fromDay(text)).replace(/^(\p{L}+),/u, '$1');
}
export const shortDay = (text) => {
  const sameYear = text.slice(0, 4) === today().slice(0, 4);
  return format(Intl.DateTimeFormat, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }).format(fromDay(text));
};
export const monthName = (text, style = 'long') => {
  const sameYear = text.slice(0, 4) === today().slice(0, 4);
  return format(Intl.DateTimeFormat, { month: style, ...(sameYear ? {} : { year: 'numeric' }) }).format(fromDay(`${text.slice(0, 7)}-15`));
};
export const time = (at) => format(Intl.DateTimeFormat, { hour: '2-digit', minute: '2-digit' }).format(new Date(at));

export function moment(at) {
  const of = toDay(new Date(at));
  if (of === today()) return time(at);
  if (of === shiftDay(today(), 1)) return `tomorrow ${time(at)}`;
  return `${day(of)} ${time(at)}`.replace(/^Yesterday/, 'yesterday');
}

export function range({ from, to }) {
  if (from && from === to) return day(from);
  if (from && to && from === firstOfMonth(from) && to === lastOfMonth(from)) return monthName(from);
  if (from && to && from.endsWith('-01-01') && to === `${from.slice(0, 4)}-12-31`) return from.slice(0, 4);
  const farPast = !from || from < '1900';
  const farFuture = !to || to > '2900';
  if (farPast && farFuture) return 'Any day';
  if (farPast) return `until ${shortDay(to)}`;
  if (farFuture) return `since ${shortDay(from)}`;
  return `${shortDay(from)} – ${shortDay(to)}`;
}

export function person(user) {
  if (user === me.value?.user) return 'you';
  return me.value?.members.find((member) => member.user === user)?.name ?? user;
}

/** The same category always has the same colour. With this factor common categories differ. */
export function hue(category) {
  let hash = 0;
  for (const letter of category) hash = (hash * 151 + letter.codePointAt(0)) >>> 0;
  return hash % 10;
}
export const capital = (text) => text && text[0].toLocaleUpperCase() + text.slice(1);
