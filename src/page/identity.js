// Who the person is. In development they pick; otherwise an OpenID provider tells (authorization code with PKCE).
import { config, local, me, session, stored } from './state.js';
import { computed, signal } from './vendor/preact.js';

/** Of development: `{ tenant, user, name, roles }`. */
export const picked = stored(local, 'who', null);
export const known = stored(local, 'known', []);
/** Of a provider: `{ token, expires }`. It ends with the tab. */
const tokens = stored(session, 'tokens', null);
const pending = stored(session, 'signing-in', null);
/** The session ended while the page was open. */
export const expired = signal(false);
export const signInError = signal('');

export const identity = computed(() => (config.value?.auth === 'oidc' ? tokens.value : picked.value));

export async function headers() {
  if (config.value?.auth === 'oidc') return tokens.value ? { authorization: `Bearer ${tokens.value.token}` } : {};
  const who = picked.value;
  if (!who) return {};
  // A header has bytes, so other letters go as their UTF-8.
  const bytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));
  const name = who.name ? { 'x-user-name': bytes(who.name) } : {};
  return { 'x-tenant-id': bytes(who.tenant), 'x-user-id': bytes(who.user), 'x-roles': who.roles, ...name };
}

/** The page stays as it is, so nothing that was typed is lost. */
export function signInAgain() {
  expired.value = true;
}

export function pick(who) {
  known.value = [who, ...known.value.filter((one) => one.user !== who.user || one.tenant !== who.tenant)].slice(0, 6);
  picked.value = who;
}

const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
const random = () => encode(crypto.getRandomValues(new Uint8Array(32)));
const home = () => location.origin + location.pathname;

async function discover() {
  const issuer = config.value.issuer.replace(/\/$/, '');
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error('The sign-in service does not answer. Try again in a moment.');
  const found = await response.json();
  if (found.issuer.replace(/\/$/, '') !== issuer) throw new Error('The sign-in service is not the expected one.');
  return found;
}

export async function signIn() {
  signInError.value = '';
  try {
    const { authorization_endpoint } = await discover();
    const request = { state: random(), nonce: random(), verifier: random(), at: location.hash };
    pending.value = request;
    const challenge = encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(request.verifier)));
    location.assign(`${authorization_endpoint}?${new URLSearchParams({
      response_type: 'code',
      client_id: config.value.clientId,
      redirect_uri: home(),
      scope: config.value.scope ?? 'openid profile',
      state: request.state,
      nonce: request.nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })}`);
  } catch (error) {
    signInError.value = error.message;
  }
}

/** Reads the provider's answer from the address, if there is one. */
export async function finishSignIn() {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state') || !(answer.has('code') || answer.has('error'))) return;
  const request = pending.value;
  pending.value = null;
  history.replaceState(null, '', home() + (request?.at ?? ''));
  try {
    if (!request || answer.get('state') !== request.state) throw new Error('This sign-in was not started here. Sign in again.');
    if (answer.has('error')) throw new Error(`You are not signed in: ${answer.get('error_description') ?? answer.get('error')}.`);
    const { token_endpoint } = await discover();
    const response = await fetch(token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: config.value.clientId,
        code: answer.get('code'),
        redirect_uri: home(),
        code_verifier: request.verifier,
      }),
    });
    if (!response.ok) throw new Error('The sign-in service refused. Sign in again.');
    const { id_token } = await response.json();
    // The token comes straight from the provider over TLS, so its claims are checked and not its signature; the service
    // checks that on every request.
    const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(id_token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))));
    const issuer = config.value.issuer.replace(/\/$/, '');
    const isOurs = claims.nonce === request.nonce && claims.iss?.replace(/\/$/, '') === issuer && [claims.aud].flat().includes(config.value.clientId);
    if (!isOurs) throw new Error('The answer of the sign-in service is not for this page. Sign in again.');
    tokens.value = { token: id_token, expires: claims.exp * 1000 };
    expired.value = false;
  } catch (error) {
    signInError.value = error.message;
  }
}

/** A token that has run out is noticed before a request is refused. */
export function watchExpiry() {
  const check = () => tokens.value && tokens.value.expires < Date.now() && signInAgain();
  check();
  addEventListener('focus', check);
  setInterval(check, 30_000);
}

export async function signOut() {
  const wasProvider = config.value?.auth === 'oidc';
  me.value = null;
  tokens.value = null;
  picked.value = null;
  try {
    for (const key of Object.keys(sessionStorage)) sessionStorage.removeItem(key);
  } catch {}
  if (!wasProvider) return location.reload();
  const { end_session_endpoint } = await discover().catch(() => ({}));
  if (end_session_endpoint)
    location.assign(`${end_session_endpoint}?${new URLSearchParams({ client_id: config.value.clientId, post_logout_redirect_uri: home() })}`);
  else location.reload();
}
