// Keys of the page, and the list of them.
import { forgetSelection, selectFocused } from './expenses.js';
import { focusBox } from './chat.js';
import { undoLast } from './receipts.js';
import { go } from './state.js';
import { Sheet } from './ui.js';
import { html, signal } from './vendor/preact.js';

export const showKeys = signal(false);

const KEYS = [
  ['/', 'write a message'], ['u', 'undo the last change'], ['x', 'select the expense with the focus'],
  ['e', 'expenses'], ['o', 'overview'], ['r', 'receipts'], ['Esc', 'close, or end the selection'], ['?', 'these keys'],
];

const RUN = {
  '/': focusBox,
  u: () => undoLast(),
  x: () => selectFocused(),
  e: () => go('expenses'),
  o: () => go('overview'),
  r: () => go('receipts'),
  '?': () => (showKeys.value = !showKeys.value),
  Escape: () => forgetSelection(),
};

export function listenToKeys() {
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input:not([type=checkbox]), textarea, select');
    const isOver = document.querySelector('dialog[open]');
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || isOver || !RUN[event.key]) return;
    event.preventDefault();
    RUN[event.key]();
  });
}

export const KeysHelp = () => showKeys.value && html`<${Sheet} title="Keys" onClose=${() => (showKeys.value = false)}>
  <dl class="facts">${KEYS.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl><//>`;
