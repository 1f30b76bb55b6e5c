// One expense: its fields in a form, and the sheet with everything about it.
import { get } from './api.js';
import { Changes } from './card.js';
import { add, capital, day, moment, person, symbol, today } from './format.js';
import { categories } from './expenses.js';
import { act, canWrite, PAST } from './proposals.js';
import { changes, isShared, me } from './state.js';
import { Button, categoriesOf, Dot, Facts, Failed, Field, Money, Sheet, Skeleton } from './ui.js';
import { html, useEffect, useState } from './vendor/preact.js';

const mark = Intl.NumberFormat(navigator.language).format(1.5)[1];
const typed = (amount = '') => amount.replace('.', mark);

/** What people type as an amount, as a decimal string: "1.234,50", "12". Undefined if it is none, or finer than the currency. */
export function decimal(text, currency) {
  const plain = text.replace(/[\s'\u00a0\u202f]/g, '');
  const group = mark === ',' ? '.' : ',';
  const number = /^\d+([.,]\d{1,2})?$/.test(plain) ? plain.replace(',', '.') : plain.replaceAll(group, '').replace(mark, '.');
  const whole = /^\d+(\.\d+)?$/.test(number) ? add(currency, [number]) : undefined;
  return Number(whole) === Number(number) ? whole : undefined;
}

function changed(row, fields, lines) {
  const edit = {};
  for (const name of ['item', 'category', 'notes', 'date']) {
    if (name === 'category' && lines.length) continue;
    if ((fields[name] ?? '').trim() !== (row[name] ?? '')) edit[name] = fields[name].trim();
  }
  if (fields.amount !== row.money?.amount) edit.amount = fields.amount;
  const parts = lines.map(({ amount, category, note }) => ({ amount, category: category.trim(), ...(note && { note }) }));
  const before = (row.lines ?? []).map(({ amount, category, note }) => ({ amount, category, ...(note && { note }) }));
  if (JSON.stringify(parts) !== JSON.stringify(before)) edit.lines = parts;
  return edit;
}

export const ExpenseForm = ({ row, verb = 'Save', isNew, onSave, onCancel }) => {
  const [fields, setFields] = useState({
    item: row.item ?? '', amount: typed(row.money?.amount), currency: row.money?.currency, date: row.date,
    category: row.category ?? '', notes: row.notes ?? '',
  });
  const [lines, setLines] = useState((row.lines ?? []).map((line) => ({ ...line, amount: typed(line.amount) })));
  const [wrong, setWrong] = useState('');
  const [busy, setBusy] = useState(false);
  const set = (name) => (event) => setFields({ ...fields, [name]: event.target.value });
  const setLine = (at, name) => (event) => setLines(lines.map((line, n) => (n === at ? { ...line, [name]: event.target.value } : line)));
  const save = async (event) => {
    event.preventDefault();
    const { currency } = fields;
    const amount = decimal(fields.amount, currency);
    const parts = lines.map((line) => ({ ...line, amount: decimal(line.amount, currency) }));
    if (!fields.item.trim()) return setWrong('Write what it was.');
    if (amount === undefined) return setWrong(`Write the amount as a number, like ${typed(add(currency, [12.5]))}.`);
    if (parts.some((line) => line.amount === undefined || !line.category.trim())) return setWrong('Each part needs an amount and a category.');
    const edit = changed(row, { ...fields, amount }, parts);
    if (!Object.keys(edit).length && !isNew) return onCancel();
    setBusy(true);
    setWrong('');
    try {
      await onSave(edit);
    } catch (problem) {
      setWrong(problem.message);
      setBusy(false);
    }
  };
  return html`<form class="expense-form" onSubmit=${save} onKeyDown=${(event) => { if (event.key === 'Escape') { event.stopPropagation(); event.preventDefault(); onCancel(); } }}>
    <${Field} label="What" value=${fields.item} onInput=${set('item')} maxlength="120" autocomplete="off" />
    <div class="fields">
      <${Field} label=${`Amount, ${symbol(fields.currency)}`} value=${fields.amount} onInput=${set('amount')} inputmode="decimal" autocomplete="off" />
      <${Field} label="Day" type="date" value=${fields.date} onInput=${set('date')} required />
    </div>
    ${lines.length === 0 && html`<${Field} label="Category" value=${fields.category} onInput=${set('category')} list="categories" maxlength="40" autocomplete="off" />`}
    ${lines.map((line, at) => html`<div class="fields part" key=${at}>
      <${Field} label=${`Part ${at + 1}, ${symbol(fields.currency)}`} value=${line.amount} onInput=${setLine(at, 'amount')} inputmode="decimal" autocomplete="off" />
      <${Field} label="Category" value=${line.category} onInput=${setLine(at, 'category')} list="categories" autocomplete="off" />
      <${Button} kind="quiet" icon="cross" label=${`Remove part ${at + 1}`} onClick=${() => setLines(lines.length > 2 ? lines.filter((_, n) => n !== at) : [])} />
    </div>`)}
    <datalist id="categories">${categories.value.map((name) => html`<option value=${name}>${capital(name)}</option>`)}</datalist>
    <${Field} label="Notes" value=${fields.notes} onInput=${set('notes')} maxlength="500" autocomplete="off" />
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    <div class="buttons">
      <button type="submit" class="button main" disabled=${busy}><span>${busy ? 'Saving…' : verb}</span></button>
      <${Button} onClick=${onCancel}>Cancel<//>
      <${Button} kind="quiet" class="end" onClick=${() => setLines(lines.length ? [...lines, { amount: '', category: '' }]
        : [{ amount: '', category: fields.category }, { amount: '', category: '' }])}>${lines.length ? 'Add part' : 'Split'}<//>
    </div>
  </form>`;
};

export const ExpenseSheet = ({ id, onClose }) => {
  const [found, setFound] = useState({});
  const [mode, setMode] = useState('look');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const readRow = () => get(`expenses/${id}`).then((row) => setFound((before) => ({ ...before, row, error: undefined })), (error) => setFound({ error }));
  useEffect(() => void readRow(), [id, changes.value]);
  useEffect(() => void readHistory(id).then((past) => setFound((before) => ({ ...before, past })), () => {}), [id, changes.value]);
  const { row, error, past } = found;
  const name = row?.item ?? 'Expense';
  if (error) {
    const isGone = error.status === 404;
    return html`<${Sheet} title=${isGone ? 'No longer there' : 'Expense'} onClose=${onClose}>
      ${isGone ? html`<p>This expense was deleted.</p>` : html`<${Failed} problem=${error} again=${readRow} />`}<//>`;
  }
  if (!row) return html`<${Sheet} title="Expense" onClose=${onClose}><${Skeleton} /><//>`;
  const mayChange = canWrite() && (me.value.role === 'admin' || row.owner === me.value.user || !isShared.value);
  const run = async (operation) => {
    setProblem('');
    setBusy(true);
    try {
      await act(operation);
      onClose();
    } catch (error) {
      setProblem(error.status === 409 ? 'Nothing was changed, because this expense has changed meanwhile. This is how it is now.' : error.message);
      setBusy(false);
      readRow();
      throw error;
    }
  };
  if (mode === 'edit') {
    return html`<${Sheet} title=${`Edit ${name}`} onClose=${onClose}>
      <${ExpenseForm} row=${row} verb="Save" onCancel=${() => setMode('look')} onSave=${(fields) => run({ op: 'update', kind: 'expense', id, version: row.version, fields })} /><//>`;
  }
  if (mode === 'copy') {
    const start = { ...row, date: today() };
    return html`<${Sheet} title=${`Add ${name} again`} onClose=${onClose}>
      <${ExpenseForm} row=${start} verb="Add it" onCancel=${() => setMode('look')} isNew onSave=${(edit) => run({ op: 'create', kind: 'expense', fields: { ...fieldsOf(start), ...edit } })} /><//>`;
  }
  const categories = categoriesOf(row);
  return html`<${Sheet} title=${name} onClose=${onClose} actions=${mayChange && html`
      <${Button} kind="main" disabled=${busy} onClick=${() => setMode('edit')}>Edit<//>
      <${Button} disabled=${busy} onClick=${() => setMode('copy')}>Duplicate<//>
      <${Button} class="danger end" disabled=${busy} onClick=${() => run({ op: 'delete', kind: 'expense', id, version: row.version }).catch(() => {})}>Delete<//>`}>
    <p class="amount"><${Money} value=${row.money} /></p>
    ${problem && html`<p class="wrong" role="alert">${problem}</p>`}
    <${Facts} items=${[
      ['Day', capital(day(row.date))],
      ['Category', categories.length ? categories.map((category) => html`<span class="with-dot" key=${category}><${Dot} category=${category} />${capital(category)}</span>`) : 'None'],
      ...(row.lines ?? []).map(({ amount, category, note }) => [note ? `${capital(category)}, ${note}` : capital(category), html`<${Money} value=${{ amount, currency: row.money.currency }} />`]),
      row.notes && ['Notes', row.notes],
      isShared.value && ['Whose', capital(row.ownerName ?? person(row.owner))],
      ['Number', `#${row.id}`],
    ]} />
    ${past?.length > 0 && html`<h3 class="label">What happened</h3><ul class="past">${past.map(({ at, by, op, before, after }) => html`<li key=${at}>
      <span class="change">${PAST[op] ?? capital(op)} by ${person(by)}
        ${before?.money && after?.money && html`<${Changes} before=${before} after=${after} />`}</span>
      <span class="details">${moment(at)}</span></li>`)}</ul>`}
  <//>`;
};

const fieldsOf = ({ item, money: { amount, currency }, date, category, notes, lines }) => ({
  item, amount, currency, date, ...(category && { category }), ...(notes && { notes }), ...(lines?.length && { lines }),
});

async function readHistory(id) {
  const { items } = await get('receipts', { limit: 50 });
  return items.flatMap((receipt) => (receipt.operations ?? [])
    .filter((operation) => operation.kind === 'expense' && (operation.after ?? operation.before)?.id === id)
    .map(({ op, before, after }) => ({ at: receipt.executedAt, by: receipt.executedBy, op, before, after })));
}
