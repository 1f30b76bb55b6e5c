// The fields of one expense: in a card, in a sheet, for a new one.
import { add, capital, count, minorDigits, money, symbol } from './format.js';
import { categories } from './ledger.js';
import { Button, Field } from './ui.js';
import { html, useState } from './vendor/preact.js';

/** What people type as an amount, as a decimal string: "1.234,50", "12". Undefined if it is none. */
export function decimal(text) {
  const plain = text.trim().replace(/[\s'\u00a0\u202f]/g, '');
  const mark = Intl.NumberFormat(navigator.language).formatToParts(1.5).find(({ type }) => type === 'decimal').value;
  const group = mark === ',' ? '.' : ',';
  const grouped = new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+(\\${mark}\\d*)?$`);
  const simple = /^-?\d+([.,]\d{1,2})?$/;
  if (simple.test(plain)) return plain.replace(',', '.');
  if (grouped.test(plain)) return plain.replaceAll(group, '').replace(mark, '.');
  return /^\d+[.,]\d+$/.test(plain) && plain.includes(mark) ? plain.replace(mark, '.') : undefined;
}

/** The fields that differ from the row, with the names that edits and operations have. */
function changed(row, fields, lines) {
  const edit = {};
  for (const name of ['item', 'category', 'notes', 'date']) {
    if (name === 'category' && lines.length) continue;
    if ((fields[name] ?? '').trim() !== (row[name] ?? '')) edit[name] = fields[name].trim();
  }
  if (fields.amount !== row.money?.amount) edit.amount = fields.amount;
  if (fields.currency !== row.money?.currency) edit.currency = fields.currency;
  const parts = lines.map(({ amount, category, note }) => ({ amount, category: category.trim(), ...(note && { note }) }));
  const before = (row.lines ?? []).map(({ amount, category, note }) => ({ amount, category, ...(note && { note }) }));
  if (JSON.stringify(parts) !== JSON.stringify(before)) edit.lines = parts;
  return edit;
}

/**
 * @param {{row: any, verb: string, onSave: (edit: any) => Promise<any>, onCancel: () => void, isNew?: boolean}} props
 */
export const ExpenseForm = ({ row, verb = 'Save', isNew, onSave, onCancel }) => {
  const [fields, setFields] = useState({
    item: row.item ?? '', amount: row.money?.amount ?? '', currency: row.money?.currency, date: row.date,
    category: row.category ?? '', notes: row.notes ?? '',
  });
  const [lines, setLines] = useState(row.lines ?? []);
  const [wrong, setWrong] = useState('');
  const [busy, setBusy] = useState(false);
  const set = (name) => (event) => setFields({ ...fields, [name]: event.target.value });
  const setLine = (at, name) => (event) => setLines(lines.map((line, n) => (n === at ? { ...line, [name]: event.target.value } : line)));
  const save = async (event) => {
    event.preventDefault();
    const amount = decimal(fields.amount);
    if (!fields.item.trim()) return setWrong('Write what it was.');
    if (amount === undefined) return setWrong('Write the amount as a number, like 12.50.');
    const parts = lines.map((line) => ({ ...line, amount: decimal(String(line.amount)) }));
    if (parts.some((line) => line.amount === undefined || !line.category.trim())) return setWrong('Each part needs an amount and a category.');
    const sum = parts.length && add(fields.currency, parts.map((line) => line.amount));
    const whole = add(fields.currency, [amount]);
    if (parts.length && sum !== whole) return setWrong(`The parts are ${money({ amount: sum, currency: fields.currency })}, and the amount is ${money({ amount: whole, currency: fields.currency })}.`);
    const digits = minorDigits(fields.currency);
    if ((amount.split('.')[1] ?? '').length > digits) return setWrong(digits ? `${fields.currency} has ${count(digits)} decimals.` : `${fields.currency} has no decimals.`);
    const edit = changed(row, { ...fields, amount: whole }, parts.map((line) => ({ ...line, amount: add(fields.currency, [line.amount]) })));
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
