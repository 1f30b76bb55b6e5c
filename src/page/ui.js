// The small parts that screens are made of.
import { capital, count, day, hue, moneyParts, person } from './format.js';
import { highlighted, isShared, me, toast } from './state.js';
import { html, useEffect, useRef, useState } from './vendor/preact.js';

const ICONS = {
  chat: 'M4 5h16v11H9l-5 4z',
  expenses: 'M5 6h14M5 12h14M5 18h9',
  overview: 'M5 19v-6M12 19V5M19 19v-9',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M5 20a7 7 0 0 1 14 0',
  send: 'M12 19V5M6 11l6-6 6 6',
  plus: 'M12 5v14M5 12h14',
  pencil: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  cross: 'M7 7l10 10M17 7L7 17',
  down: 'M7 10l5 5 5-5',
  check: 'M5 13l4 4L19 7',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M16 16l4 4',
  undo: 'M9 7L5 11l4 4M5 11h9a5 5 0 0 1 0 10h-2',
  warn: 'M12 5l8 14H4zM12 11v4M12 17.5v.01',
  menu: 'M4 7h16M4 12h16M4 17h10',
  compose: 'M12 5H5v14h14v-7M18.5 3.5l2 2L12 14h-2v-2z',
  filter: 'M4 7h16M7 12h10M10 17h4',
};

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

export const Button = ({ kind = 'plain', icon, label, children, class: more = '', ...rest }) => html`
  <button type="button" class=${`button ${kind} ${children ? '' : 'only-icon'} ${more}`} aria-label=${label} title=${children ? undefined : label} ...${rest}>
    ${icon && html`<${Icon} name=${icon} />`}${children && html`<span>${children}</span>`}
  </button>`;

export const Money = ({ value, struck, strong }) => {
  const parts = moneyParts(value).map(({ type, value }) =>
    type === 'fraction' || type === 'decimal' ? html`<span class="minor">${value}</span>` : value);
  return html`<span class=${`money ${strong ? 'strong' : ''}`}>${struck ? html`<s>${parts}</s>` : parts}</span>`;
};

export const MoneyList = ({ totals }) =>
  totals.map((total, at) => html`${at > 0 && ' + '}<${Money} value=${total} />`);

export const Dot = ({ category }) => html`<span class=${category ? 'dot' : 'dot none'} style=${category && { background: `var(--hue-${hue(category)})` }} aria-hidden="true"></span>`;

export const categoriesOf = (row) => (row.lines?.length ? [...new Set(row.lines.map((line) => line.category))] : row.category ? [row.category] : []);

export const Row = ({ row, withDay, still, selecting, selected, onClick, onSelect, tools, struck }) => {
  const hold = useRef({});
  const release = () => clearTimeout(hold.current.timer);
  const press = ({ pointerType }) => {
    hold.current = {};
    if (onSelect && pointerType === 'touch') hold.current.timer = setTimeout(() => { hold.current.wasLong = true; onSelect(); }, 500);
  };
  const categories = categoriesOf(row);
  const details = [
    withDay && day(row.date),
    categories.map(capital).join(', '),
    isShared.value && row.owner && !(still && row.owner === me.value?.user) && (row.owner === me.value?.user ? 'you' : (row.ownerName ?? person(row.owner))),
    row.notes,
  ].filter(Boolean);
  const inside = html`
    <${Dot} category=${categories[0]} />
    <span class="what"><span class="item">${struck ? html`<s>${row.item}</s>` : row.item}</span>
      ${details.length > 0 && html`<span class="details">${details.join(' · ')}</span>`}</span>
    <${Money} value=${row.money} struck=${struck} />`;
  return html`<div class=${`row ${!still && highlighted.value.has(row.id) ? 'fresh' : ''} ${selected ? 'selected' : ''}`}>
    ${selecting && html`<label class="pick"><input type="checkbox" checked=${selected} aria-label=${`Select ${row.item}`} onChange=${onSelect} /></label>`}
    ${onClick
      ? html`<button type="button" class="row-main" data-row=${row.id} onClick=${() => { if (!hold.current.wasLong) (selecting ? onSelect : onClick)(); }}
          onPointerDown=${press} onPointerUp=${release} onPointerCancel=${release} onPointerMove=${(event) => Math.abs(event.movementY) > 2 && release()}
          onContextMenu=${(event) => event.pointerType === 'touch' && event.preventDefault()}>${inside}</button>`
      : html`<span class="row-main">${inside}</span>`}
    ${tools}
  </div>`;
};

export const Chip = ({ children, onClick, onRemove, label, active }) => html`
  <span class=${`chip ${active ? 'active' : ''}`}>
    ${onClick ? html`<button type="button" aria-pressed=${active} onClick=${onClick}>${children}</button>` : html`<span>${children}</span>`}
    ${onRemove && html`<button type="button" class="remove" aria-label=${`Remove ${label}`} onClick=${onRemove}><${Icon} name="cross" /></button>`}
  </span>`;

export const Facts = ({ items }) => html`<dl class="facts">${items.filter(Boolean).map(([name, value], at) => html`<div key=${at}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

const BARS = 6;
export const Bars = ({ groups, dots, name = (key) => (key === 'uncategorised' ? 'No category' : capital(key)), onPick }) => {
  const [all, setAll] = useState(false);
  const top = Math.max(...groups.map(({ amount }) => Number(amount)), 1);
  const shown = all ? groups : groups.slice(0, BARS);
  const inside = (group) => html`<span class="bar-name">${dots && html`<${Dot} category=${group.key === 'uncategorised' ? '' : group.key} />`}${name(group.key)}</span>
    <${Money} value=${group} />
    <span class="bar-track" aria-hidden="true"><span class="bar-fill" style=${{ width: `${Math.max(0, (Number(group.amount) / top) * 100)}%` }}></span></span>`;
  return html`<ul class="bars">${shown.map((group) => html`<li key=${group.key}>${onPick
    ? html`<button type="button" class="bar-row" onClick=${() => onPick(group.key)}>${inside(group)}</button>`
    : html`<span class="bar-row">${inside(group)}</span>`}</li>`)}
    ${groups.length > shown.length && html`<li><${Button} kind="quiet" onClick=${() => setAll(true)}>Show ${count(groups.length - shown.length)} more<//></li>`}</ul>`;
};

export const Empty = ({ title, children }) => html`<div class="empty"><p class="empty-title">${title}</p>${children}</div>`;

export const Skeleton = ({ lines = 3 }) => html`
  <div class="skeleton" role="status"><span class="hidden">Loading</span>${Array.from({ length: lines }, () => html`<span></span>`)}</div>`;

export const Failed = ({ problem, again, children }) => html`
  <div class="failed" role="alert"><${Icon} name="warn" /><p>${children ?? problem?.message}</p>${again && html`<${Button} onClick=${again}>Try again<//>`}</div>`;

/** A panel over the page: from below on a phone, in the middle on a desk. */
export const Sheet = ({ title, onClose, children, actions }) => {
  const panel = useRef();
  useEffect(() => {
    const before = document.activeElement;
    panel.current.showModal();
    // Not the first button: a key that was pressed twice must not press it.
    panel.current.querySelector('h2').focus();
    return () => before?.isConnected && before.focus();
  }, []);
  return html`<dialog class="sheet" ref=${panel} aria-label=${title}
      onCancel=${(event) => { event.preventDefault(); onClose(); }}
      onClick=${(event) => event.target === panel.current && onClose()}>
    <div class="sheet-inside">
      <div class="sheet-head"><h2 tabindex="-1">${title}</h2><${Button} kind="quiet" icon="cross" label="Close" onClick=${onClose} /></div>
      <div class="sheet-body">${children}</div>
      ${actions && html`<div class="sheet-foot">${actions}</div>`}
    </div>
  </dialog>`;
};

export const Toast = () => {
  const { text, action, run } = toast.value ?? {};
  return html`<div class="toast-place" role="status">${text && html`<div class="toast"><span>${text}</span>
    ${action && html`<button type="button" onClick=${() => { toast.value = null; run(); }}>${action}</button>`}</div>`}</div>`;
};

export const Tabs = ({ label, items, current, onPick }) => html`
  <div class="tabs" role="group" aria-label=${label}>
    ${items.map(({ id, name }) => html`<button type="button" key=${id} aria-pressed=${id === current} onClick=${() => onPick(id)}>${name}</button>`)}
  </div>`;

export const Field = ({ label, hint, ...rest }) => html`
  <label class="field"><span>${label}</span><input ...${rest} />${hint && html`<small>${hint}</small>`}</label>`;
