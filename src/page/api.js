// Requests to the service, and its errors in the person's words.
import { signal } from './vendor/preact.js';
import { headers, identity, signInAgain } from './sign-in.js';
import { userContext } from './format.js';

const base = new URL('.', location.href.split('#')[0]);
export const unreachable = signal(false);

export class Problem extends Error {
  constructor(fields) {
    super(words(fields));
    Object.assign(this, fields);
    this.slug = fields.type?.split(':').pop();
  }
}

/** First what happened to the data, then why. */
function words({ type, status, detail }) {
  const slug = type?.split(':').pop();
  if (status === 401) return 'Nothing was saved. You are signed out. Sign in again, and what you typed is still here.';
  if (slug === 'offline') return 'Nothing was sent. You are offline.';
  if (slug === 'no-answer')
    return 'It is not clear whether this was saved: the connection broke. Sending it again is safe, it cannot be saved twice.';
  if (slug === 'internal') return 'Something went wrong on our side. Sending it again is safe, it cannot be saved twice.';
  if (!detail) return 'Nothing was saved. The service did not answer as expected. Try again in a moment.';
  const tells = /nothing was|is safe|not clear|still working|was done/i.test(detail);
  return tells ? detail : `Nothing was saved. ${detail}`;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function request(path, options = {}) {
  const who = identity.value;
  let response;
  try {
    response = await fetch(new URL(path, base), {
      ...options,
      headers: { ...(await headers()), ...options.headers },
      cache: 'no-cache',
    });
  } catch {
    unreachable.value = true;
    throw new Problem({ type: navigator.onLine ? 'no-answer' : 'offline' });
  }
  unreachable.value = false;
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  if (response.status === 401 && who === identity.value) signInAgain();
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw new Problem({ ...body, status: response.status, retryAfter, body });
}

export async function get(path, query = {}, as = 'json') {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== '') parameters.append(name, one);
  const text = parameters.size ? `${path}?${parameters}` : path;
  return (await request(text))[as]();
}

/** Sends something that may write. The message id makes it safe to repeat, so a broken connection is repeated here. */
export async function send(path, body, onEvent = () => {}) {
  const content = JSON.stringify({ messageId: newId(), userContext: userContext(), ...body });
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(path, content, onEvent);
    } catch (problem) {
      const wait = delay(problem, attempt);
      if (wait === undefined) throw problem;
      onEvent('again', {});
      await pause(wait);
    }
  }
}

function delay(problem, attempt) {
  if (!(problem instanceof Problem)) return undefined;
  // A claim of a message expires after a minute.
  if (problem.slug === 'still-answering') return attempt < 40 ? (problem.retryAfter ?? 2) * 1000 : undefined;
  if (problem.slug === 'no-answer') return attempt < 5 ? 400 * 2 ** attempt : undefined;
  if (['busy', 'outcome-unknown', 'store-unavailable'].includes(problem.slug)) return attempt < 4 ? 1000 * attempt : undefined;
  return undefined;
}

async function sendOnce(path, content, onEvent) {
  const response = await request(path, {
    method: 'POST',
    body: content,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json' },
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.json();
  for await (const { name, data } of events(response.body)) {
    if (name === 'done') return data;
    if (name === 'error') throw new Problem({ ...data, body: data });
    onEvent(name, data);
  }
  throw new Problem({ type: 'no-answer' });
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    text += value.replaceAll('\r\n', '\n');
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const lines = text.slice(0, end).split('\n');
      const name = lines.find((line) => line.startsWith('event:'))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n');
      if (name && data) yield { name, data: JSON.parse(data) };
    }
  }
}

export const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('-');

export function paged(path, query = () => ({}), onPage = () => {}) {
  const list = signal({ items: [] });
  let latest = 0;
  async function read(more) {
    const mine = ++latest;
    const { items, cursor } = list.peek();
    list.value = { ...list.peek(), loading: true, error: undefined };
    try {
      const page = await get(path, { limit: 20, ...query(more, items), cursor: more ? cursor : undefined });
      if (mine !== latest) return;
      onPage(page);
      list.value = { items: more ? [...items, ...page.items] : page.items, cursor: page.nextCursor, complete: !page.nextCursor };
    } catch (error) {
      if (mine === latest) list.value = { ...list.peek(), loading: false, error };
    }
  }
  return { list, again: () => read(false), more: () => !list.peek().loading && !list.peek().complete && read(true) };
}
