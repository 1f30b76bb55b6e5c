// Signing in, and what stays on the screen when a session ends.
import { known, pick, picked, signIn, signInError, signOut } from './identity.js';
import { config } from './state.js';
import { Button, Field, Sheet } from './ui.js';
import { html, useState } from './vendor/preact.js';

const ROLES = [['admin', 'Admin'], ['member', 'Member'], ['viewer', 'Viewer']];

const Picker = () => {
  const last = known.value[0];
  const [who, setWho] = useState(last ?? { tenant: 'demo', user: 'me', name: '', roles: 'admin' });
  const set = (name) => (event) => setWho({ ...who, [name]: event.target.value });
  const submit = (event) => {
    event.preventDefault();
    pick({ tenant: who.tenant.trim(), user: who.user.trim(), name: who.name.trim(), roles: who.roles });
  };
  return html`<form onSubmit=${submit}>
    <${Field} label="Your name" value=${who.name} onInput=${set('name')} autocomplete="off" hint="What others call you" />
    <${Field} label="User id" value=${who.user} onInput=${set('user')} required pattern=".*\\S.*" autocomplete="off" />
    <${Field} label="Tenant" value=${who.tenant} onInput=${set('tenant')} required pattern=".*\\S.*" autocomplete="off" hint="People of one tenant share their expenses" />
    <label class="field"><span>Role</span><select value=${who.roles} onChange=${set('roles')}>
      ${ROLES.map(([value, name]) => html`<option value=${value} selected=${value === who.roles}>${name}</option>`)}</select></label>
    <button type="submit" class="button main wide"><span>Start</span></button>
    ${known.value.length > 0 && html`<p class="quiet">Or go on as</p><div class="options">
      ${known.value.map((one) => html`<${Button} key=${one.tenant + one.user} onClick=${() => pick(one)}>${one.name || one.user}, ${one.tenant}<//>`)}</div>`}
  </form>`;
};

export const SignIn = () => html`<main class="sign-in">
  <div class="sign-in-inside">
    <p class="wordmark" aria-hidden="true">sayso</p>
    <h1>Say what you spent.</h1>
    <p>Nothing is written until you have seen it.</p>
    ${config.value.auth === 'dev'
      ? html`<${Picker} />`
      : html`${signInError.value && html`<p class="wrong" role="alert">${signInError.value}</p>`}
          <${Button} kind="main" class="wide" onClick=${signIn}>Sign in<//>`}
  </div>
</main>`;

/** The session ended. The page and what was typed stay. */
export const SignInAgain = () => html`<${Sheet} title="Sign in again" onClose=${() => {}}
    actions=${html`<${Button} kind="main" onClick=${config.value.auth === 'dev' ? () => { picked.value = null; location.reload(); } : signIn}>Sign in<//>
      <${Button} onClick=${signOut}>Sign out<//>`}>
  <p>Nothing was saved since your session ended. What you typed is kept.</p>
  ${signInError.value && html`<p class="wrong" role="alert">${signInError.value}</p>`}
<//>`;
