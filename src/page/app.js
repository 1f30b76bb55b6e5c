// Starts the page: settings, who it is, the places and the keys.
import { CardSheet } from './card.js';
import { Chat, Composer, Conversations, WaitingBanner } from './chat.js';
import { start as startConversation, startNew } from './conversation.js';
import { get, unreachable } from './api.js';
import { Expenses } from './expenses.js';
import { expired, finishSignIn, identity, signOut, watchExpiry } from './identity.js';
import { KeysHelp, listenToKeys, showKeys } from './keys.js';
import { startLedger } from './ledger.js';
import { Overview } from './overview.js';
import { refreshWaiting } from './proposals.js';
import { Receipts } from './receipts.js';
import { SignIn, SignInAgain } from './sign-in.js';
import { config, go, isWide, me, online, place, theme } from './state.js';
import { Button, Failed, Icon, Sheet, Skeleton, Tabs, Toast } from './ui.js';
import { effect, html, render, signal, useState } from './vendor/preact.js';

const startProblem = signal(null);

const PLACES = [{ id: 'chat', name: 'Chat' }, { id: 'expenses', name: 'Expenses' }, { id: 'overview', name: 'Overview' }];

const Menu = ({ onClose }) => html`<${Sheet} title=${me.value?.name ?? me.value?.user ?? 'Settings'} onClose=${onClose}
    actions=${html`<${Button} onClick=${signOut}>Sign out<//>`}>
  <dl class="facts">
    <div><dt>Signed in as</dt><dd>${me.value?.user}</dd></div>
    <div><dt>Shared space</dt><dd>${me.value?.tenant}</dd></div>
    ${(me.value?.members.length ?? 1) > 1 && html`<div><dt>People</dt><dd>${me.value.members.map(({ user, name }) => name ?? user).join(', ')}</dd></div>`}
    <div><dt>May</dt><dd>${me.value?.role === 'viewer' ? 'look' : 'look and change'}</dd></div>
  </dl>
  <p class="label" id="looks">Looks</p>
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
    <${Button} kind="quiet" icon="compose" label="New conversation" onClick=${() => { startNew(); document.getElementById('box')?.focus(); }} />
    <${Button} kind="quiet" icon="menu" label="Conversations" onClick=${() => setOpen(true)} />
    ${isOpen && html`<${Conversations} onClose=${() => setOpen(false)} />`}
  </div>`;
};

const Offline = () => (!online.value || unreachable.value) && html`<p class="offline" role="status">
  ${online.value ? 'The service cannot be reached right now. What you see may be old.' : 'You are offline. What you see may be old, and nothing is sent.'}</p>`;

const SCREENS = { chat: Chat, expenses: Expenses, overview: Overview, receipts: Receipts };
const TITLES = { chat: 'sayso', expenses: 'Expenses', overview: 'Overview', receipts: 'Receipts' };

const Phone = () => {
  const { name } = place.value;
  const Screen = SCREENS[name];
  return html`<div class="phone">
    <header class="bar"><h1 class=${name === 'chat' ? 'wordmark' : ''}>${TITLES[name]}</h1>${name === 'chat' && html`<${ChatActions} />`}<${Actions} /></header>
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

const App = () => {
  if (startProblem.value) return html`<main class="sign-in"><div class="sign-in-inside"><p class="wordmark">sayso</p><${Failed} problem=${startProblem.value} again=${begin} /></div></main>`;
  if (!config.value) return html`<main class="sign-in"><div class="sign-in-inside"><p class="wordmark">sayso</p><${Skeleton} /></div></main>`;
  if (!identity.value) return html`<${SignIn} />`;
  if (!me.value) return html`<main class="sign-in"><div class="sign-in-inside"><p class="wordmark">sayso</p><${Skeleton} /></div></main>`;
  return html`${isWide.value ? html`<${Desk} />` : html`<${Phone} />`}
    <${CardSheet} /><${KeysHelp} /><${Toast} />${expired.value && html`<${SignInAgain} />`}`;
};

async function begin() {
  startProblem.value = null;
  try {
    if (!config.value) {
      const found = await get('config.json');
      config.value = found;
      await finishSignIn();
      if (found.auth === 'oidc') watchExpiry();
    }
    if (identity.value) await enter();
  } catch (problem) {
    startProblem.value = problem;
  }
}

async function enter() {
  me.value = await get('me');
  startLedger();
  await startConversation();
}

// What failed for want of a network is tried again with it.
effect(() => {
  if (online.value && startProblem.peek()) begin();
});

// Signing in happens while the page is open.
let wasSignedIn = false;
effect(() => {
  const isSignedIn = Boolean(identity.value);
  if (isSignedIn && !wasSignedIn && config.value && !me.peek()) enter().catch((problem) => (startProblem.value = problem));
  wasSignedIn = isSignedIn;
});

// Others may have decided while this page was not looked at.
const lookAgain = () => document.visibilityState === 'visible' && me.value && refreshWaiting();
addEventListener('focus', lookAgain);
document.addEventListener('visibilitychange', lookAgain);

// Browsers that do not shrink the page for their keyboard tell its height here.
const fit = () => document.documentElement.style.setProperty('--height', `${visualViewport.height}px`);
if (window.visualViewport) {
  visualViewport.addEventListener('resize', fit);
  fit();
}

listenToKeys();
render(html`<${App} />`, document.getElementById('app'));
begin();
if ('serviceWorker' in navigator && isSecureContext) navigator.serviceWorker.register('service-worker.js').catch(() => {});
