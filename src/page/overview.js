// The month at a glance, and what recurs, is limited or was learned.
import { get, reading } from './api.js';
import { add, capital, count, day, firstOfMonth, lastOfMonth, money, monthName, plural, roundMoney, shiftDay, shiftMonth, shortDay, today } from './format.js';
import { setFilters } from './ledger.js';
import { act, canWrite } from './proposals.js';
import { changes, go, me, say } from './state.js';
import { Button, Dot, Empty, Failed, Money, Skeleton, Tabs } from './ui.js';
import { html, signal, useEffect, useState } from './vendor/preact.js';

const whose = signal('everyone');
const currency = signal(null);

const isShared = () => (me.value?.members.length ?? 1) > 1;
const query = (more) => ({ ...more, ...(isShared() && whose.value !== 'everyone' ? { whose: whose.value } : {}) });

/** Reads while the component is there, and again after each change. */
function useReading(start) {
  const [{ state, stop }] = useState(() => reading(() => { changes.value; return start(); }));
  useEffect(() => stop, []);
  return state.value;
}

const sameDaysBefore = (now) => {
  const from = shiftMonth(firstOfMonth(now), -1);
  const to = [lastOfMonth(from), from.slice(0, 8) + now.slice(8)].sort()[0];
  return { from, to };
};

async function readMonth() {
  const now = today();
  const before = sameDaysBefore(now);
  const sums = (range, by) => get('sums', query({ ...range, by }));
  const [current, previous, categories, months] = await Promise.all([
    sums({ from: firstOfMonth(now), to: now }, 'day'),
    sums({ from: before.from, to: lastOfMonth(before.from) }, 'day'),
    sums({ from: firstOfMonth(now), to: now }, 'category'),
    sums({ from: shiftMonth(firstOfMonth(now), -11), to: now }, 'month'),
  ]);
  return { now, before, current, previous, categories, months };
}

const of = (groups, code) => groups.filter((group) => group.currency === code);
const total = (sums, code) => sums.totals.find((one) => one.currency === code)?.amount ?? '0';

/** Sums up to each day of the month, as numbers for drawing. */
function running(groups, from, to) {
  const by = new Map(groups.map(({ key, amount }) => [key, Number(amount)]));
  const points = [];
  let sum = 0;
  for (let at = from; at <= to; at = shiftDay(at, 1)) points.push((sum += by.get(at) ?? 0));
  return points;
}

const Lines = ({ current, previous, days, code, now, before }) => {
  const [width, height, left, bottom] = [640, 180, 8, 22];
  const top = Math.max(...current, ...previous, 1);
  const x = (at) => left + (at * (width - 2 * left)) / Math.max(days - 1, 1);
  const y = (value) => 12 + (1 - value / top) * (height - bottom - 12);
  const path = (points) => points.map((value, at) => `${at ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const end = current.length - 1;
  return html`<figure class="lines-chart">
    <svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`Spent so far in ${monthName(now)}: ${roundMoney({ amount: current[end], currency: code })}. In ${monthName(before)} until the same day: ${roundMoney({ amount: previous[Math.min(end, previous.length - 1)], currency: code })}.`}>
      <path class="axis" d=${`M${left} ${y(0)}H${width - left}`} />
      <path class="line before" d=${path(previous)} />
      <path class="area" d=${`${path(current)}L${x(end)} ${y(0)}L${x(0)} ${y(0)}Z`} />
      <path class="line now" d=${path(current)} />
      <circle class="now" cx=${x(end)} cy=${y(current[end])} r="4.5" />
    </svg>
    <div class="ticks" aria-hidden="true"><span>1</span><span>${Math.ceil(days / 2)}</span><span>${days}</span></div>
    <figcaption><span class="key now">${capital(monthName(now))}</span><span class="key before">${capital(monthName(before))}</span></figcaption>
  </figure>`;
};

const MonthSentence = ({ data, code }) => {
  const { now, before, current, previous } = data;
  const spent = total(current, code);
  const until = of(previous.groups, code).filter(({ key }) => key <= before.to);
  const then = add(code, until.map(({ amount }) => amount));
  const difference = add(code, [spent, then.startsWith('-') ? then.slice(1) : `-${then}`]);
  const isMore = !difference.startsWith('-');
  const gap = money({ amount: difference.replace('-', ''), currency: code });
  const own = isShared() && whose.value === 'everyone' ? current.totals.find((one) => one.currency === code)?.own : undefined;
  return html`<div class="month">
    <p class="amount"><${Money} value=${{ amount: spent, currency: code }} /></p>
    <p>${whose.value === 'me' || !isShared() ? 'You spent this' : 'Spent'} in ${monthName(now)} so far${own ? `, ${money({ amount: own, currency: code })} of it by you` : ''}. ${Number(difference) === 0
      ? `The same as in the same days of ${monthName(before.from)}.`
      : html`That is <b>${gap} ${isMore ? 'more' : 'less'}</b> than in the same days of ${monthName(before.from)}.`}</p>
    ${current.groups.length + previous.groups.length > 0 && html`<${Lines} code=${code} now=${now} before=${before.from} days=${Math.max(Number(lastOfMonth(now).slice(8)), Number(lastOfMonth(before.from).slice(8)))}
      current=${running(of(current.groups, code), firstOfMonth(now), now)} previous=${running(of(previous.groups, code), before.from, lastOfMonth(before.from))} />`}
  </div>`;
};

const SHOWN = 8;
const Bars = ({ groups, code, name, onPick, dots }) => {
  const [all, setAll] = useState(false);
  const top = Math.max(...groups.map(({ amount }) => Number(amount)), 1);
  const shown = all ? groups : groups.slice(0, SHOWN);
  return html`<ul class="bars">${shown.map((group) => html`<li key=${group.key}><button type="button" class="bar-row" onClick=${() => onPick(group.key)}>
      <span class="bar-name">${dots && html`<${Dot} category=${group.key === 'uncategorised' ? '' : group.key} />`}${name(group.key)}</span>
      <${Money} value=${{ amount: group.amount, currency: code }} />
      <span class="bar-track" aria-hidden="true"><span class="bar-fill" style=${{ width: `${Math.max(0, (Number(group.amount) / top) * 100)}%` }}></span></span></button></li>`)}
    ${groups.length > shown.length && html`<li><${Button} kind="quiet" onClick=${() => setAll(true)}>Show ${count(groups.length - shown.length)} more<//></li>`}</ul>`;
};

function showRows(active) {
  setFilters(query(active));
  go('expenses');
}

const Month = () => {
  const { value: data, error, loading } = useReading(() => readMonth());
  if (error && !data) return html`<${Failed} problem=${error} again=${() => changes.value++} />`;
  if (!data) return html`<${Skeleton} lines=${6} />`;
  const used = new Map();
  for (const { totals } of [data.months, data.current, data.previous]) for (const one of totals) used.set(one.currency, (used.get(one.currency) ?? 0) + one.count);
  const codes = [...used].sort((a, b) => b[1] - a[1]).map(([code]) => code);
  if (!codes.length) {
    return html`<${Empty} title="Nothing to add up yet."><p>Say “coffee 3.50”, and this month starts here.</p><//>`;
  }
  const code = codes.includes(currency.value) ? currency.value : codes.includes(me.value.currency) ? me.value.currency : codes[0];
  const range = { from: firstOfMonth(data.now), to: data.now };
  const categories = of(data.categories.groups, code);
  const months = of(data.months.groups, code);
  return html`<div aria-busy=${loading}>
    ${codes.length > 1 && html`<${Tabs} label="Currency" current=${code} onPick=${(one) => (currency.value = one)} items=${codes.map((one) => ({ id: one, name: one }))} />`}
    <${MonthSentence} data=${data} code=${code} />
    ${categories.length > 0 && html`<section><h3>By category</h3><${Bars} dots groups=${categories} code=${code} name=${(key) => (key === 'uncategorised' ? 'No category' : capital(key))}
      onPick=${(category) => showRows({ range, category })} /></section>`}
    ${months.length > 1 && html`<section><h3>By month</h3><${Months} groups=${months} code=${code} now=${data.now} /></section>`}
  </div>`;
};

/** The last twelve months as columns; each opens its rows. */
const Months = ({ groups, code, now }) => {
  const by = new Map(groups.map((group) => [group.key.slice(0, 7), group.amount]));
  const months = Array.from({ length: 12 }, (_, at) => shiftMonth(firstOfMonth(now), at - 11));
  const top = Math.max(...groups.map(({ amount }) => Number(amount)), 1);
  return html`<ul class="months">${months.map((first) => {
    const amount = by.get(first.slice(0, 7)) ?? '0';
    return html`<li key=${first}><button type="button" aria-label=${`${monthName(first)}: ${money({ amount, currency: code })}`} title=${money({ amount, currency: code })}
      onClick=${() => showRows({ range: { from: first, to: lastOfMonth(first) } })}>
      <span class="column" aria-hidden="true"><span style=${{ height: `${Math.max(1, (Number(amount) / top) * 100)}%` }}></span></span>
      <span class="month-name" aria-hidden="true">${Intl.DateTimeFormat(navigator.language, { month: 'narrow' }).format(new Date(`${first}T12:00`))}</span></button></li>`;
  })}</ul>`;
};

const Budgets = () => {
  const { value, error } = useReading(() => get('budgets'));
  if (error) return html`<${Failed} problem=${error} again=${() => changes.value++} />`;
  if (!value) return html`<${Skeleton} lines=${2} />`;
  if (!value.items.length) return html`<p class="quiet">None yet. Say “budget 200 a month for food”.</p>`;
  return html`<ul class="budgets">${value.items.map((budget) => {
    const { money: limit, spent, left, daysLeft, period, category, own } = budget;
    const code = limit.currency;
    const isOver = left.startsWith('-');
    const perDay = !isOver && daysLeft > 1 && Number(left) > 0 ? roundMoney({ amount: Number(left) / daysLeft, currency: code }) : undefined;
    const share = Math.min(100, (Number(spent) / Math.max(Number(limit.amount), 0.01)) * 100);
    return html`<li key=${budget.id}>
      <p class="budget-line"><span class="item">${category ? html`<${Dot} category=${category} />${capital(category)}` : 'Everything'} <span class="details">a ${period}</span></span>
        <span>${isOver ? html`<b class="over">${money({ amount: left.slice(1), currency: code })} over</b>` : html`<b>${money({ amount: left, currency: code })}</b> left`}</span></p>
      <span class=${`bar-track ${isOver ? 'over' : ''}`} role="img" aria-label=${`${Math.round(share)} percent spent`}><span class="bar-fill" style=${{ width: `${share}%` }}></span></span>
      <p class="details">${money({ amount: spent, currency: code })} of ${money(limit)}${own ? `, ${money({ amount: own, currency: code })} by you` : ''}${daysLeft ? ` · ${plural(daysLeft, 'day')} to go` : ''}${perDay ? ` · about ${perDay} a day` : ''}</p></li>`;
  })}</ul>`;
};

const Recurring = () => {
  const { value, error } = useReading(() => get('recurring'));
  if (error) return html`<${Failed} problem=${error} again=${() => changes.value++} />`;
  if (!value) return html`<${Skeleton} lines=${2} />`;
  if (!value.items.length) return html`<p class="quiet">Nothing yet. Say “rent 950 every month on the 1st”.</p>`;
  return html`<ul class="list">${value.items.map((entry) => html`<li class="line" key=${entry.id}><span class="what"><span class="item">${entry.item}</span>
    <span class="details">every ${entry.every} · next ${nextDay(entry.nextDate ?? entry.next)}</span></span>
    <${Money} value=${entry.money ?? { amount: entry.amount, currency: entry.currency }} /></li>`)}</ul>`;
};
const nextDay = (text) => (text === today() ? 'today' : text === shiftDay(today(), 1) ? 'tomorrow' : text < shiftDay(today(), 300) ? shortDay(text) : day(text));

const KINDS = { category: 'Category', setting: 'Setting', budget: 'Budget', recurring: 'Recurring' };
const Learned = () => {
  const { value, error } = useReading(() => get('preferences'));
  const [busy, setBusy] = useState(null);
  if (error) return html`<${Failed} problem=${error} again=${() => changes.value++} />`;
  if (!value) return html`<${Skeleton} lines=${2} />`;
  if (!value.items.length) return html`<p class="quiet">Nothing yet. Categories that you name are remembered here.</p>`;
  const remove = async (item) => {
    setBusy(item.kind + item.id);
    try {
      await act([{ op: 'delete', kind: item.kind, id: item.id, ...(item.version && { version: item.version }) }], true);
    } catch (problem) {
      say(problem.message);
    }
    setBusy(null);
  };
  return html`<ul class="list">${value.items.map((item) => html`<li class="line" key=${item.kind + item.id}><span class="what"><span class="item">${capital(item.text)}</span>
    <span class="details">${KINDS[item.kind] ?? item.kind}</span></span>
    ${canWrite() && html`<${Button} kind="quiet" icon="cross" label=${`Forget ${item.text}`} disabled=${busy === item.kind + item.id} onClick=${() => remove(item)} />`}</li>`)}</ul>`;
};

export const Overview = () => {
  const others = (me.value?.members ?? []).filter(({ user }) => user !== me.value.user);
  return html`<div class="overview">
    ${isShared() && html`<${Tabs} label="Whose" current=${whose.value} onPick=${(id) => (whose.value = id)}
      items=${[{ id: 'everyone', name: 'Everyone' }, { id: 'me', name: 'Mine' }, ...others.map(({ user, name }) => ({ id: user, name: name ?? user }))]} />`}
    <${Month} />
    <section><h3>Budgets</h3><${Budgets} /></section>
    <section><h3>Recurring</h3><${Recurring} /></section>
    <section><h3>Learned</h3><${Learned} /></section>
  </div>`;
};
