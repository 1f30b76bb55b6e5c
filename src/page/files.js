// Export and import of files.
import { get, send } from './api.js';
import { add, capital, plural } from './format.js';
import { canWrite, openCard, takeReply } from './proposals.js';
import { Button, Failed, Field, MoneyList, Row, Sheet, Skeleton } from './ui.js';
import { html, useEffect, useRef, useState } from './vendor/preact.js';

const FORMATS = { csv: ['csv', 'CSV, for spreadsheets'], json: ['json', 'JSON'], hledger: ['journal', 'hledger'], beancount: ['beancount', 'Beancount'] };

const ExportSheet = ({ query, words, onClose }) => {
  const [problem, setProblem] = useState();
  const save = async (format) => {
    setProblem();
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await get('expenses/export', { ...query, format }, 'blob'));
      link.download = `expenses.${FORMATS[format][0]}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      onClose();
    } catch (error) {
      setProblem(error.type ? error : new Error('The file broke off while it was sent. Export it again.'));
    }
  };
  return html`<${Sheet} title="Export" onClose=${onClose}>
    <p>${words ? `Expenses that fit: ${words}.` : 'All expenses.'}</p>
    ${problem && html`<${Failed} problem=${problem} />`}
    <div class="options">${Object.entries(FORMATS).map(([format, [, name]]) => html`<${Button} key=${format} onClick=${() => save(format)}>${name}<//>`)}</div>
  <//>`;
};

const CHOICES = {
  encoding: ['Letters', { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16 BE', 'windows-1252': 'Windows-1252' }],
  delimiter: ['Between columns', { ',': 'Comma', ';': 'Semicolon', tab: 'Tab', '|': 'Bar' }],
  header: ['First line', { true: 'Names of columns', false: 'An expense' }],
  decimalMark: ['Decimals', { point: '1.50', comma: '1,50' }],
  dateOrder: ['Dates', { 'day-first': 'Day first', 'month-first': 'Month first', 'year-first': 'Year first' }],
  spending: ['Spending is', { negative: 'Negative', positive: 'Positive' }],
};
const ROLES = ['ignored', 'date', 'name', 'amount', 'debit', 'credit', 'category', 'notes', 'currency', 'bankId', 'lines'];
const LABELS = { bankId: 'Bank’s number', lines: 'Parts', debit: 'Spent', credit: 'Came in' };
const label = (role) => LABELS[role] ?? capital(role);

const base64 = (file) => new Promise((done, failed) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(',')[1] ?? '');
  reader.onerror = () => failed(new Error('This file cannot be read.'));
  reader.readAsDataURL(file);
});

const ImportSheet = ({ file, onClose }) => {
  const [{ seen, given, ticks, busy, problem }, setState] = useState({ given: {}, ticks: new Map() });
  const set = (more) => setState((before) => ({ ...before, ...more }));
  const ask = async (more) => {
    set({ busy: true, problem: undefined });
    try {
      return await send('imports', { name: file.name.slice(0, 200), base64: await base64(file), ...more });
    } catch (problem) {
      set({ problem });
    } finally {
      set({ busy: false });
    }
  };
  const read = async (settings) => {
    set({ given: settings, ticks: new Map() });
    const seen = await ask({ settings });
    if (seen) set({ seen });
  };
  useEffect(() => void read({}), []);
  const more = async () => {
    const next = await ask({ settings: given, from: seen.next });
    if (next) set({ seen: { ...seen, next: next.next, rows: [...seen.rows, ...next.rows] } });
  };
  // Other lines and columns make the columns that were chosen before meaningless.
  const correct = (name, value) => read({ ...given, ...(['delimiter', 'header', 'encoding'].includes(name) && { columns: undefined }), [name]: value });
  const select = (name, text, value, options, onPick, wrong) => html`<label class="field" key=${name}><span>${text}${wrong && ' (guessed)'}</span>
    <select value=${String(value)} onChange=${({ target }) => onPick(target.value)}>${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`;
  const isIn = (row) => ticks.get(row.line) ?? row.included;
  const toggle = (row) => set({ ticks: new Map(ticks).set(row.line, !isIn(row)) });
  const picked = (wanted) => [...ticks].filter(([, isIn]) => isIn === wanted).map(([line]) => line);
  const save = async () => {
    const reply = await ask({ settings: seen.settings, include: picked(true), exclude: picked(false), propose: true });
    if (!reply) return;
    takeReply(reply);
    onClose();
    openCard.value = reply.proposal.id;
  };
  const changed = seen?.rows.filter((row) => isIn(row) !== row.included) ?? [];
  const number = seen?.count + changed.reduce((sum, row) => sum + (isIn(row) ? 1 : -1), 0);
  const totals = seen?.totals.map(({ currency, amount }) => ({ currency, amount: add(currency, [amount, ...changed.filter(({ money }) => money.currency === currency).map((row) => (isIn(row) ? '' : '-') + row.money.amount)]) }));
  const { settings = {}, guesses = [] } = seen ?? {};
  const isGuess = (name) => guesses.some(({ setting }) => setting === name);
  const button = html`<${Button} kind="main" disabled=${busy || !(number > 0)} onClick=${save}>Import ${plural(number || 0, 'expense')}<//>`;
  return html`<${Sheet} title=${`Import ${file.name}`} onClose=${onClose} actions=${seen && button}>
    ${problem && html`<${Failed} problem=${problem} />`}
    ${!seen && !problem && html`<${Skeleton} />`}
    ${seen && html`
      ${guesses.map(({ setting, why }) => html`<p class="wrong" key=${setting}>Please check: ${why}.</p>`)}
      <details open=${guesses.length > 0}><summary>How the file is read</summary><form>
        ${Object.entries(CHOICES).filter(([name]) => settings[name] !== undefined).map(([name, [text, options]]) =>
          select(name, text, settings[name], Object.entries(options), (value) => correct(name, name === 'header' ? value === 'true' : value), isGuess(name)))}
        <${Field} label=${`Currency${isGuess('currency') ? ' (missing)' : ''}`} value=${settings.currency ?? ''} maxlength="3" autocomplete="off"
          onChange=${({ target }) => correct('currency', target.value.trim().toUpperCase() || undefined)} />
        ${seen.columns.map(({ name, sample }, at) => select(`column ${at}`, `${name ?? `Column ${at + 1}`}: ${sample.slice(0, 2).join(', ')}`, settings.columns[at], ROLES.map((role) => [role, label(role)]),
          (role) => correct('columns', settings.columns.map((own, n) => (n === at ? role : own === role && role !== 'ignored' ? 'ignored' : own))), isGuess('columns')))}
      </form></details>
      <p class="sum">${plural(number, 'expense')} ${number > 0 && html`<${MoneyList} totals=${totals} />`}</p>
      ${seen.duplicates > 0 && html`<p class="note">${plural(seen.duplicates, 'row')} may be there already, and ${seen.duplicates === 1 ? 'is' : 'are'} left out unless you tick ${seen.duplicates === 1 ? 'it' : 'them'}.</p>`}
      ${seen.rows.map((row) => html`<${Row} key=${row.line} row=${row} withDay still selecting selected=${isIn(row)} onClick=${() => toggle(row)} onSelect=${() => toggle(row)}
        tools=${row.duplicate && html`<span class="tag">duplicate</span>`} />`)}
      ${seen.next && html`<${Button} onClick=${more} disabled=${busy}>Show more<//>`}
      ${seen.incoming.count > 0 && html`<details><summary>Left out: ${plural(seen.incoming.count, 'amount')} that came in</summary>
        ${seen.incoming.rows.map((row) => html`<${Row} key=${row.line} row=${row} withDay still />`)}</details>`}
      ${seen.rejected.count > 0 && html`<details><summary>Left out: ${plural(seen.rejected.count, 'line')} that cannot be read</summary>
        <ul>${seen.rejected.rows.map(({ line, text, reason }) => html`<li key=${line}>Line ${line}: ${reason} <span class="details">${text}</span></li>`)}</ul></details>`}`}
  <//>`;
};

export const FileButtons = ({ query, words }) => {
  const [file, setFile] = useState();
  const [isExporting, setExporting] = useState();
  const input = useRef();
  return html`<${Button} kind="quiet" onClick=${() => setExporting(true)}>Export<//>
    ${canWrite() && html`<${Button} kind="quiet" onClick=${() => input.current.click()}>Import<//>
      <input type="file" hidden ref=${input} accept=".csv,.tsv,.txt,.ofx,.qfx,.qif,.json" onChange=${({ target }) => { setFile(target.files[0]); target.value = ''; }} />`}
    ${file && html`<${ImportSheet} file=${file} onClose=${() => setFile()} />`}
    ${isExporting && html`<${ExportSheet} query=${query} words=${words} onClose=${() => setExporting()} />`}`;
};
