import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { say, start } from './harness.js';

let sayso;
before(async () => { sayso = await start(); });
after(async () => {
  await sayso.stop();
  assert.deepEqual(sayso.problems, []);
});

const ISSUER = 'https://login.example';
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that signs everybody in. `claims` changes the token that it gives. */
async function withProvider(claims = () => ({}), { stateSent = (state) => state } = {}) {
  const page = await sayso.visit(null);
  const seen = { bearers: new Set() };
  await page.route((url) => url.href.startsWith(sayso.service.url) && url.pathname === '/', async (route) => {
    // A deployment with a provider lets the page connect to it.
    const answer = await route.fetch({ url: sayso.service.url });
    const policy = answer.headers()['content-security-policy'].replace("connect-src 'self'", `connect-src 'self' ${ISSUER}`);
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': policy } });
  });
  await page.route('**/config.json', (route) => route.fulfill({ json: { auth: 'oidc', issuer: ISSUER, clientId: 'page', scope: 'openid profile' } }));
  await page.route(`${ISSUER}/**`, async (route) => {
    const url = new URL(route.request().url());
    const headers = { 'access-control-allow-origin': '*' };
    if (url.pathname === '/.well-known/openid-configuration') {
      return route.fulfill({ headers, json: { issuer: ISSUER, authorization_endpoint: `${ISSUER}/authorize`, token_endpoint: `${ISSUER}/token` } });
    }
    if (url.pathname === '/authorize') {
      seen.asked = Object.fromEntries(url.searchParams);
      const back = new URL(seen.asked.redirect_uri);
      back.search = new URLSearchParams({ code: 'a-code', state: stateSent(seen.asked.state) });
      // Not a redirect: the browser would follow it past these routes.
      return route.fulfill({ contentType: 'text/html', body: `<meta http-equiv="refresh" content="0;url=${back.href.replaceAll('&', '&amp;')}">` });
    }
    seen.exchanged = Object.fromEntries(new URLSearchParams(route.request().postData()));
    const token = { iss: ISSUER, aud: 'page', nonce: seen.asked.nonce, exp: Date.now() / 1000 + 3600, sub: 'ann', ...claims(seen) };
    return route.fulfill({ headers, json: { id_token: `${encoded({})}.${encoded(token)}.signature`, token_type: 'Bearer' } });
  });
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization) seen.bearers.add(authorization);
  });
  await page.goto(sayso.service.url);
  return { page, seen };
}

test('a person signs in with a code and a proof, and requests carry the token', async () => {
  const { page, seen } = await withProvider();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Say what you spent. Nothing is written until you have seen it.').waitFor();
  const { code_challenge: challenge, ...asked } = seen.asked;
  assert.deepEqual(
    { ...asked, nonce: undefined, state: undefined },
    { response_type: 'code', client_id: 'page', redirect_uri: sayso.service.url, scope: 'openid profile', code_challenge_method: 'S256', nonce: undefined, state: undefined },
  );
  assert.equal(createHash('sha256').update(seen.exchanged.code_verifier).digest('base64url'), challenge);
  assert.equal(seen.exchanged.code, 'a-code');
  assert.equal(seen.bearers.size, 1);
  assert.equal(new URL(page.url()).search, '');
});

const NOT_STARTED = 'This sign-in was not started here. Sign in again.';
const NOT_OURS = 'The answer of the sign-in service is not for this page. Sign in again.';
for (const [what, [provider, words]] of Object.entries({
  'another state': [() => withProvider(undefined, { stateSent: () => 'forged' }), NOT_STARTED],
  'another nonce': [() => withProvider(() => ({ nonce: 'forged' })), NOT_OURS],
  'another audience': [() => withProvider(() => ({ aud: 'other' })), NOT_OURS],
  'another issuer': [() => withProvider(() => ({ iss: 'https://other.example' })), NOT_OURS],
})) {
  test(`an answer with ${what} is refused`, async () => {
    const { page, seen } = await provider();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(words).waitFor();
    assert.deepEqual([...seen.bearers], []);
  });
}

test('a session that runs out asks to sign in again and keeps what was typed', async () => {
  let expires = 2;
  const { page } = await withProvider(() => ({ exp: Date.now() / 1000 + expires }));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Message', { exact: true }).fill('half a sentence');
  await page.waitForFunction(() => JSON.parse(sessionStorage.tokens).expires < Date.now());
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  expires = 3600;
  await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Nothing is written until you have seen it.').waitFor();
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'half a sentence');
  await say(page, 'how much did I spend in 2019?');
});
