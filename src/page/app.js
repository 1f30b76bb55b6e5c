// Starts the page: settings, who it is, the places and the keys.
import { CardSheet, Receipts, undoLast } from './card.js';
import { Chat, Composer, Conversations, focusBox, readNewer, startConversation, startNew, WaitingBanner } from './chat.js';
import { get, unreachable } from './api.js';
import { capital } from './format.js';
import { Expenses, refreshRows, selectFocused, startLedger, stopSelecting } from './expenses.js';
import { Overview } from './overview.js';
import { refreshWaiting } from './proposals.js';
import { expired, finishSignIn, identity, SignIn, SignInAgain, signOut } from './sign-in.js';
import { config, go, isShared, isWide, me, online, place, theme } from './state.js';
import { Button, Facts, Failed, Icon, Sheet, Skeleton, Tabs, Toast } from './ui.js';
import { effect, html, render, signal, useState } from './vendor/preact.js';

const startProblem = signal(null);
const showKeys = signal(false);

const PLACES = [{ id: 'chat', name: 'Chat' }, { id: 'expenses', name: 'Expenses' }, { id: 'overview', name: 'Overview' }];

const Menu = ({ onClose }) => html`<${Sheet} title=${me.value?.name ?? me.value?.user ?? 'Settings'} onClose=${onClose}
    actions=${html`<${Button} onClick=${signOut}>Sign out<//>`}>
  <${Facts} items=${[
    ['Signed in as', me.value.user], ['Shared space', me.value.tenant],
    isShared.value && ['People', me.value.members.map(({ user, name }) => name ?? user).join(', ')],
    ['You may', me.value.role === 'viewer' ? 'look' : 'look and change'],
  ]} />
  <p class="label">Looks</p>
  <${Tabs} label="Looks" current=${theme.value} onPick=${(id) => (theme.value = id)}
    items=${[{ id: 'system', name: 'As the system' }, { id: 'light', name: 'Light' }, { id: 'dark', name: 'Dark' }]} />
  ${isWide.value && html`<p><${Button} kind="quiet" onClick=${() => { onClose(); showKeys.value = true; }}>Keys<//></p>`}
<//>`;

const Actions = () => {
  const [isOpen, setOpen] = useState(false);
  return html`<div class="actions">
    <${Button} kind="quiet" icon="clock" label="Receipts" aria-current=${place.value.name === 'receipts' ? 'page' : undefined} onClick=${() => go('receipts')} />
    <${Button} kind="quiet" icon="person" label="You and settings" onClick=${() => setOpen(true)} />
    ${isOpen && html`<${Menu} onClose=${() => setOpen(false)} />`}
  </div>`;
};

const ChatActions = () => {
  const [isOpen, setOpen] = useState(false);
  return html`<div class="actions">
    <${Button} kind="quiet" icon="compose" label="New conversation" onClick=${() => { startNew(); focusBox(); }} />
    <${Button} kind="quiet" icon="menu" label="Conversations" onClick=${() => setOpen(true)} />
    ${isOpen && html`<${Conversations} onClose=${() => setOpen(false)} />`}
  </div>`;
};

const Offline = () => (!online.value || unreachable.value) && html`<p class="offline" role="status">
  ${online.value ? 'The service cannot be reached right now. What you see may be old.' : 'You are offline. What you see may be old, and nothing is sent.'}</p>`;

const SCREENS = { chat: Chat, expenses: Expenses, overview: Overview, receipts: Receipts };

const Phone = () => {
  const { name } = place.value;
  const Screen = SCREENS[name];
  return html`<div class="phone">
    <header class="bar"><h1 class=${name === 'chat' ? 'wordmark' : ''}>${name === 'chat' ? 'sayso' : capital(name)}</h1>${name === 'chat' && html`<${ChatActions} />`}<${Actions} /></header>
    <${Offline} />
    <${WaitingBanner} />
    <main class="screen" key=${name}><${Screen} /></main>
    ${(name === 'chat' || name === 'expenses') && html`<${Composer} />`}
    <nav class="places" aria-label="Places">${PLACES.map(({ id, name: title }) => html`<button type="button" key=${id} aria-current=${id === name ? 'page' : undefined} onClick=${() => go(id)}>
      <${Icon} name=${id} /><span>${title}</span></button>`)}</nav>
  </div>`;
};

const Desk = () => {
  const { name } = place.value;
  const current = name === 'chat' ? 'expenses' : name;
  const Screen = SCREENS[current];
  return html`<div class="desk">
    <section class="pane talk" aria-label="Chat">
      <header class="bar"><h1 class="wordmark">sayso</h1><${ChatActions} /></header>
      <${WaitingBanner} />
      <${Chat} />
      <${Composer} />
    </section>
    <main class="pane book">
      <header class="bar"><${Tabs} label="Ledger" current=${current} onPick=${go} items=${PLACES.slice(1)} /><${Actions} /></header>
      <${Offline} />
      <div class="screen" key=${current}><${Screen} /></div>
    </main>
  </div>`;
};

const KEYS = {
  '/': ['write a message', focusBox],
  u: ['undo the last change', undoLast],
  x: ['select the expense with the focus', selectFocused],
  e: ['expenses', () => go('expenses')],
  o: ['overview', () => go('overview')],
  r: ['receipts', () => go('receipts')],
  Escape: ['close, or end the selection', stopSelecting],
  '?': ['these keys', () => (showKeys.value = true)],
};

function listenToKeys() {
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input:not([type=checkbox]), textarea, select');
    const isOver = document.querySelector('dialog[open]');
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || isOver || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key][1]();
  });
}

const KeysHelp = () => showKeys.value && html`<${Sheet} title="Keys" onClose=${() => (showKeys.value = false)}>
  <${Facts} items=${Object.entries(KEYS).map(([key, [what]]) => [html`<kbd>${key.slice(0, 3)}</kbd>`, what])} /><//>`;

const App = () => {
  if (config.value && !identity.value) return html`<${SignIn} />`;
  if (startProblem.value || !me.value) {
    return html`<main class="sign-in"><div class="sign-in-inside"><p class="wordmark">sayso</p>${startProblem.value
      ? html`<${Failed} problem=${startProblem.value} again=${begin} />` : html`<${Skeleton} />`}</div></main>`;
  }
  return html`${isWide.value ? html`<${Desk} />` : html`<${Phone} />`}
    <${CardSheet} /><${KeysHelp} /><${Toast} />${expired.value && html`<${SignInAgain} />`}`;
};

async function begin() {
  startProblem.value = null;
  try {
    if (!config.value) {
      config.value = await get('config.json');
      await finishSignIn();
    }
    await enter();
  } catch (problem) {
    startProblem.value = problem;
  }
}

let isEntering = false;
async function enter() {
  if (!identity.value || me.value || isEntering) return;
  isEntering = true;
  try {
    me.value = await get('me');
    startLedger();
    await startConversation();
  } finally {
    isEntering = false;
  }
}

// Signing in happens while the page is open. What failed for want of a network is tried again with it.
effect(() => {
  if (identity.value && config.value && !startProblem.peek()) begin();
});
effect(() => {
  if (online.value && startProblem.peek()) begin();
});

// Others may have decided while this page was not looked at.
const lookAgain = () => {
  if (document.visibilityState !== 'visible' || !me.value) return;
  refreshWaiting();
  readNewer();
  refreshRows();
};
addEventListener('focus', lookAgain);
document.addEventListener('visibilitychange', lookAgain);

// Browsers that do not shrink the page for their keyboard tell its height here.
const fit = () => document.documentElement.style.setProperty('--height', `${visualViewport.height * visualViewport.scale}px`);
if (window.visualViewport) {
  visualViewport.addEventListener('resize', fit);
  fit();
}

listenToKeys();
render(html`<${App} />`, document.getElementById('app'));
begin();
if ('serviceWorker' in navigator && isSecureContext) navigator.serviceWorker.register('service-worker.js').catch(() => {});
