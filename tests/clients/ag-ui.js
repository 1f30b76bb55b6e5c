// Agents of both published versions of AG-UI's client.
import * as current from '@ag-ui/client';
import * as before from '@ag-ui/client-0.0.59';

export const VERSIONS = { '1.0.0': current, '0.0.59': before };

/** A body that broke off ends: the client would reject a promise that nobody can catch. */
async function fetchToTheEnd(url, request) {
  const answer = await fetch(url, request);
  const reader = answer.body.getReader();
  const body = new ReadableStream({
    async pull(stream) {
      const { value } = await reader.read().catch(() => ({}));
      if (value) stream.enqueue(value);
      else stream.close();
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** An agent of a person. `events` has what it received. */
export function agentFor(service, { HttpAgent }, { threadId = 'c1', who = {} } = {}) {
  const agent = new HttpAgent({
    url: `${service.url}ag-ui`, threadId, fetch: fetchToTheEnd,
    headers: { 'x-tenant-id': 'home', 'x-user-id': 'ann', 'x-roles': 'member', ...who },
  });
  const events = [];
  agent.subscribe({ onEvent: ({ event }) => { events.push(event); } });
  return Object.assign(agent, { events });
}

let messages = 0;

export async function say(agent, content, run = {}) {
  agent.addMessage({ id: `u${++messages}`, role: 'user', content });
  return agent.runAgent(run);
}

export const answer = (agent, payload, interrupt = agent.pendingInterrupts[0]) => agent.runAgent({ resume: [{ interruptId: interrupt.id, status: 'resolved', payload }] });
