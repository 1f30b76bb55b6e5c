// A chat of the AI SDK without React: the SDK's own chat and transport, over a plain state.
import { EventEmitter, once } from 'node:events';

import { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';

class State {
  status = 'ready';
  error = undefined;
  messages = [];
  onReplaced = () => {};
  pushMessage(message) { this.messages = [...this.messages, structuredClone(message)]; }
  popMessage() { this.messages = this.messages.slice(0, -1); }
  replaceMessage(index, message) {
    this.messages = this.messages.with(index, structuredClone(message));
    this.onReplaced(message);
  }
  snapshot(thing) { return structuredClone(thing); }
}

class Chat extends AbstractChat {
  constructor(init) { super({ ...init, state: new State() }); }
}

/**
 * A person's chat. Transient parts are in `transient`, and bodies of requests in `posted`.
 * @param {{ url: string }} service
 * @param {{ id?: string, path?: string, who?: Record<string, string>, options?: object }} [settings]
 */
export function chatWith(service, { id = 'c1', path = 'api/chat', who = {}, ...options } = {}) {
  const [transient, posted] = [[], []];
  const finished = new EventEmitter();
  const transport = new DefaultChatTransport({
    api: service.url + path,
    headers: { 'x-tenant-id': 'home', 'x-user-id': 'ann', 'x-roles': 'member', ...who },
    fetch: (url, request) => {
      if (request.body) posted.push(JSON.parse(request.body));
      return fetch(url, request);
    },
  });
  const chat = new Chat({
    id, transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onData: (part) => transient.push(part), onFinish: (end) => finished.emit('finish', end), ...options,
  });
  return Object.assign(chat, { transient, posted, finished });
}

export async function say(chat, text) {
  await chat.sendMessage({ text });
  return chat.lastMessage;
}

/** The calls of a message that wait for an approval. */
export const openCards = (message) => message.parts.filter((part) => part.state === 'approval-requested');

/** Answers the card of a message, as a button does. The chat sends the answer by itself if the card is in the last message. */
export async function answer(chat, message, approved, reason) {
  const { approval } = message.parts.findLast((part) => part.type === 'dynamic-tool');
  const finished = once(chat.finished, 'finish');
  await chat.addToolApprovalResponse({ id: approval.id, approved, reason });
  if (message.id !== chat.lastMessage.id) await chat.sendMessage();
  await finished;
}
