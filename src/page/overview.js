// The month at a glance, and what recurs, is limited or was learned.
import { get } from './api.js';
import { add, capital, count, day, firstOfMonth, lastOfMonth, money, monthName, plural, roundMoney, shiftDay, shiftMonth, shortDay, today } from './format.js';
import { setFilters } from './expenses.js';
import { act, canWrite } from './proposals.js';
import { changes, go, isShared, isWide, me, say } from './state.js';
import { Bars, Button, Dot, Empty, Failed, Money, Skeleton, Tabs } from './ui.js';
import { html, signal, useEffect, useState } from './vendor/preact.js';

const whose = signal('everyone');
const currency = signal(null);

const query = (more) => ({ ...more, ...(isShared.value && whose.value !== 'everyone' ? { whose: whose.value } : {}) });

/** What `start` reads, again after each change; an older answer never replaces a newer one. */
function useReading(start, ...on) {
  const [state, set] = useState({});
  useEffect(() => {
    let isLatest = true;
    start().then((value) => isLatest && set({ value }), (error) => isLatest && set(({ value }) => ({ value, error })));
    return () => { isLatest = false; };
  }, [changes.value, ...on]);
  return state;
}

const Section = ({ title, path, empty, list, row, others = [] }) => {
  const { value, error } = useReading(() => get(path));
  const items = value?.items.filter(({ kind }) => !others.includes(kind));
  return html`<section><h2>${title}</h2>${error
    ? html`<${Failed} problem=${error} again=${() => changes.value++} />`
    : !items ? html`<${Skeleton} lines=${2} />`
      : items.length ? html`<ul class=${list}>${items.map(row)}</ul>` : html`<p class="quiet">${empty}</p>`}</section>`;
};

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

function running(groups, from, to) {
  const by = new Map(groups.map(({ key, amount }) => [key, Number(amount)]));
  const points = [];
  let sum = 0;
  for (let at = from; at <= to; at = shiftDay(at, 1)) points.push((sum += by.get(at) ?? 0));
  return points;
}

const Lines = ({ current, previous, days, now, before }) => {
  const [width, height, left, bottom] = [isWide.value ? 640 : 358, 180, 8, 22];
  const top = Math.max(...current, ...previous, 1);
  const x = (at) => left + (at * (width - 2 * left)) / Math.max(days - 1, 1);
  const y = (value) => 12 + (1 - value / top) * (height - bottom - 12);
  const path = (points) => points.map((value, at) => `${at ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const end = current.length - 1;
  return html`<figure class="lines-chart">
    <svg viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
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
  const difference = add(code, [spent, -then]);
  const isMore = !difference.startsWith('-');
  const gap = money({ amount: difference.replace('-', ''), currency: code });
  const own = isShared.value && whose.value === 'everyone' ? current.totals.find((one) => one.currency === code)?.own : undefined;
  return html`<div class="month">
    <p class="amount"><${Money} value=${{ amount: spent, currency: code }} /></p>
    <p>${whose.value === 'me' || !isShared.value ? 'You spent this' : 'Spent'} in ${monthName(now)} so far${own ? `, ${money({ amount: own, currency: code })} of it by you` : ''}. ${Number(difference) === 0
      ? `The same as in the same days of ${monthName(before.from)}.`
      : html`That is <b>${gap} ${isMore ? 'more' : 'less'}</b> than in the same days of ${monthName(before.from)}.`}</p>
    ${current.groups.length + previous.groups.length > 0 && html`<${Lines} now=${now} before=${before.from} days=${Math.max(Number(lastOfMonth(now).slice(8)), Number(lastOfMonth(before.from).slice(8)))}
      current=${running(of(current.groups, code), firstOfMonth(now), now)} previous=${running(of(previous.groups, code), before.from, lastOfMonth(before.from))} />`}
  </div>`;
};

function showRows(active) {
  setFilters(query(active));
  go('expenses');
}

const Month = () => {
  const { value: data, error } = useReading(readMonth, whose.value);
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
  const only = codes.length > 1 ? { currency: code } : {};
  const categories = of(data.categories.groups, code);
  const months = of(data.months.groups, code);
  return html`<div>
    ${codes.length > 1 && html`<${Tabs} label="Currency" current=${code} onPick=${(one) => (currency.value = one)} items=${codes.map((one) => ({ id: one, name: one }))} />`}
    <${MonthSentence} data=${data} code=${code} />
    ${categories.length > 0 && html`<section><h2>By category</h2><${Bars} dots groups=${categories}
      onPick=${(category) => showRows({ range, category, ...only })} /></section>`}
    ${months.length > 1 && html`<section><h2>By month</h2><${Bars} groups=${[...months].reverse()} name=${(key) => capital(monthName(key))}
      onPick=${(key) => showRows({ range: { from: `${key.slice(0, 7)}-01`, to: lastOfMonth(`${key.slice(0, 7)}-01`) }, ...only })} /></section>`}
  </div>`;
};

const Forget = ({ item: { kind, id, version }, name }) => canWrite() && html`<${Button} kind="quiet" icon="cross" label=${`Forget ${name}`}
  onClick=${() => act({ op: 'delete', kind, id, version }, name).catch((problem) => say(problem.message))} />`;

const budgetRow = (item) => {
  const { id, money: limit, spent, left, daysLeft, period, category, own } = item;
  const { currency: code } = limit;
  const isOver = left.startsWith('-');
  const perDay = !isOver && daysLeft > 1 && Number(left) > 0 && roundMoney({ amount: Number(left) / daysLeft, currency: code });
  const share = Math.min(100, (Number(spent) / Math.max(Number(limit.amount), 0.01)) * 100);
  return html`<li key=${id}>
    <p class="budget-line"><span class="item">${category && html`<${Dot} category=${category} />`}${capital(category ?? 'everything')} <span class="details">a ${period}</span></span>
      <span>${isOver ? html`<b class="over">${money({ amount: left.slice(1), currency: code })} over</b>` : html`<b>${money({ amount: left, currency: code })}</b> left`}</span><${Forget} item=${item} name=${`the budget for ${category ?? 'everything'}`} /></p>
    <span class=${`bar-track ${isOver ? 'over' : ''}`} aria-hidden="true"><span class="bar-fill" style=${{ width: `${share}%` }}></span></span>
    <p class="details">${[`${money({ amount: spent, currency: code })} of ${money(limit)}`, own && `${money({ amount: own, currency: code })} by you`, daysLeft && `${plural(daysLeft, 'day')} to go`, perDay && `about ${perDay} a day`].filter(Boolean).join(' · ')}</p></li>`;
};

const line = (key, item, details, end) => html`<li class="line" key=${key}><span class="what"><span class="item">${item}</span><span class="details">${details}</span></span>${end}</li>`;

const recurringRow = (entry) => {
  const { id, item, every, next, money: value } = entry;
  return line(id, item, `every ${every} · next ${next <= shiftDay(today(), 1) ? day(next).toLowerCase() : shortDay(next)}`, html`<${Money} value=${value} /><${Forget} item=${entry} name=${item} />`);
};

const learnedRow = (item) => line(item.kind + item.id, capital(item.text), capital(item.kind), html`<${Forget} item=${item} name=${item.text} />`);

export const Overview = () => {
  const others = (me.value?.members ?? []).filter(({ user }) => user !== me.value.user);
  return html`<div class="overview">
    ${isShared.value && html`<${Tabs} label="Whose" current=${whose.value} onPick=${(id) => (whose.value = id)}
      items=${[{ id: 'everyone', name: 'Everyone' }, { id: 'me', name: 'Mine' }, ...others.map(({ user, name }) => ({ id: user, name: name ?? user }))]} />`}
    <${Month} />
    <${Section} title="Budgets" path="budgets" list="budgets" row=${budgetRow} empty="None yet. Say “budget 200 a month for food”." />
    <${Section} title="Recurring" path="recurring" list="list" row=${recurringRow} empty="Nothing yet. Say “rent 950 every month on the 1st”." />
    <${Section} title="Learned" path="preferences" list="list" row=${learnedRow} others=${['budget', 'recurring']} empty="Nothing yet. Categories that you name are remembered here." />
  </div>`;
};
