// An example of a client with types from the document: `openapi-typescript` writes `service.d.ts`.
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './service.js';

type Schemas = components['schemas'];
/** A turn can also answer with a stream of events, which this client does not ask for. */
type Media = 'application/json' | 'application/problem+json';
export type Service = Client<paths, Media>;

export function connect(baseUrl: string, headers: Record<string, string>): Service {
  return createClient<paths, Media>({ baseUrl, headers });
}

/** A reply, or the problem as an error: its `type` is stable, its `detail` says what to do. */
function replied(answer: { data?: Schemas['Reply']; error?: Schemas['Problem'] }): Schemas['Reply'] {
  if (answer.data) return answer.data;
  throw new Error(answer.error ? `${answer.error.type}: ${answer.error.detail}` : 'no answer');
}

/** Clarify, propose, confirm, receipt. `decide` is the person. */
export async function converse(
  service: Service,
  messages: string[],
  decide: (proposal: Schemas['Proposal']) => boolean,
): Promise<{ questions: string[]; receipt?: Schemas['Receipt'] }> {
  const questions: string[] = [];
  for (const message of messages) {
    const reply = replied(await service.POST('/chat', { body: { message, conversationId: 'example' } }));
    if (reply.question) questions.push(reply.question.text);
    if (!reply.proposal) continue;
    const { id, fingerprint } = reply.proposal;
    const params = { path: { id } };
    const decided = decide(reply.proposal)
      ? await service.POST('/proposals/{id}/confirm', { params, body: { fingerprint } })
      : await service.POST('/proposals/{id}/reject', { params, body: { fingerprint, reason: 'not mine' } });
    return { questions, receipt: replied(decided).receipt };
  }
  return { questions };
}

/** What a program does that imports expenses: it proposes, and somebody approves later. */
export async function propose(
  service: Service,
  key: string,
  expenses: Schemas['ExpenseForm'][],
): Promise<Schemas['Proposal']> {
  const operations = expenses.map((fields) => ({ op: 'create' as const, kind: 'expense', fields }));
  const params = { header: { 'Idempotency-Key': key } };
  const { proposal } = replied(await service.POST('/proposals', { params, body: { operations } }));
  if (!proposal) throw new Error('nothing waits');
  return proposal;
}

export async function waiting(service: Service): Promise<string[]> {
  const { data } = await service.GET('/proposals', { params: { query: { state: 'waiting' } } });
  return data?.items.map(({ id }) => id) ?? [];
}
