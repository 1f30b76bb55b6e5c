// One expense with everything, and what can be done with it.
import { get } from './api.js';
import { capital, day, money, moment, person, today } from './format.js';
import { ExpenseForm } from './expense-form.js';
import { act, canWrite } from './proposals.js';
import { changes, me } from './state.js';
import { Button, categoriesOf, Dot, Failed, Money, Sheet, Skeleton } from './ui.js';
import { html, useEffect, useState } from './vendor/preact.js';

const HISTORY = { add: 'Added', change: 'Changed', delete: 'Deleted', restore: 'Restored' };

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
  const mayChange = canWrite() && (me.value.role === 'admin' || row.owner === me.value.user || me.value.members.length === 1);
  const run = async (operation) => {
    setProblem('');
    setBusy(true);
    try {
      await act([operation], true);
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
      <${Button} kind="main" icon="pencil" disabled=${busy} onClick=${() => setMode('edit')}>Edit<//>
      <${Button} icon="copy" disabled=${busy} onClick=${() => setMode('copy')}>Duplicate<//>
      <${Button} class="danger end" icon="bin" disabled=${busy} onClick=${() => run({ op: 'delete', kind: 'expense', id, version: row.version }).catch(() => {})}>Delete<//>`}>
    <p class="amount"><${Money} value=${row.money} /></p>
    ${problem && html`<p class="wrong" role="alert">${problem}</p>`}
    <dl class="facts">
      <div><dt>Day</dt><dd>${capital(day(row.date))}</dd></div>
      <div><dt>Category</dt><dd>${categories.length ? categories.map((category) => html`<span class="with-dot" key=${category}><${Dot} category=${category} />${capital(category)}</span>`) : 'None'}</dd></div>
      ${row.lines?.map((line, at) => html`<div key=${at}><dt>${capital(line.category)}${line.note ? `, ${line.note}` : ''}</dt><dd><${Money} value=${{ amount: line.amount, currency: row.money.currency }} /></dd></div>`)}
      ${row.notes && html`<div><dt>Notes</dt><dd class="text">${row.notes}</dd></div>`}
      ${me.value.members.length > 1 && html`<div><dt>Whose</dt><dd>${capital(row.ownerName ?? person(row.owner))}</dd></div>`}
      <div><dt>Number</dt><dd>#${row.id}</dd></div>
    </dl>
    ${past?.length > 0 && html`<h3 class="label">What happened</h3><ul class="past">${past.map(({ at, by, op, before }) => html`<li key=${at}>
      <span>${HISTORY[op] ?? capital(op)} by ${person(by)}${op === 'change' && before?.money ? html`<span class="details"> · it was ${before.item}, ${money(before.money)}</span>` : ''}</span><span class="details">${moment(at)}</span></li>`)}</ul>`}
  <//>`;
};

const fieldsOf = ({ item, money: { amount, currency }, date, category, notes, lines }) => ({
  item, amount, currency, date, ...(category && { category }), ...(notes && { notes }), ...(lines?.length && { lines }),
});

/** What the latest receipts say about this row. */
async function readHistory(id) {
  const { items } = await get('receipts', { limit: 50 });
  return items.flatMap((receipt) => (receipt.operations ?? [])
    .filter((operation) => operation.kind === 'expense' && (operation.after ?? operation.before)?.id === id)
    .map(({ op, before }) => ({ at: receipt.executedAt, by: receipt.executedBy, op, before })));
}
