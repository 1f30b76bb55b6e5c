// The kits' React packages, unmodified: useChat, and assistant-ui over both protocols.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startService } from '../page/service.js';
import { page } from './react.js';

const { createElement: h, useState } = await import('react');
const { useChat } = await import('@ai-sdk/react');
const { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } = await import('ai');
const { AssistantRuntimeProvider, MessagePrimitive, ThreadPrimitive, useAui } = await import('@assistant-ui/react');
const { AssistantChatTransport, useChatRuntime } = await import('@assistant-ui/ai-sdk');
const { useAgUiRuntime, useAgUiSteerAway } = await import('@assistant-ui/react-ag-ui');
const { HttpAgent } = await import('@ag-ui/client-0.0.59');

let sayso;
before(async () => { sayso = await startService({ settings: { CONFIRM_POLICY: 'always' } }); });
after(async () => { await sayso.stop(); });

const headersOf = (tenant) => ({ 'x-tenant-id': tenant, 'x-user-id': 'ann', 'x-roles': 'member' });

async function rows(tenant) {
  const answer = await fetch(`${sayso.url}expenses`, { headers: headersOf(tenant) });
  return (await answer.json()).items.map((row) => [row.item, row.money.amount]);
}

const MESSAGES = ['I want to add an item', 'coffee 3.50 on 5 March 2025', 'tea 2 on 5 March 2025', 'yes'];

/** Buttons that say the messages, in place of a text field. */
const sayButtons = (say) => MESSAGES.map((message) => h('button', { key: message, onClick: () => say(message) }, message));

function Chat({ tenant }) {
  const [transport] = useState(() => new DefaultChatTransport({ api: `${sayso.url}api/chat`, headers: headersOf(tenant) }));
  const { messages, sendMessage, addToolApprovalResponse } = useChat({ id: 'c1', transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
  const part = (one, key) => {
    if (one.type === 'text') return h('p', { key, className: 'text' }, one.text);
    if (one.type !== 'dynamic-tool') return null;
    const button = (label, approved) => h('button', { key: label, onClick: () => addToolApprovalResponse({ id: one.approval.id, approved }) }, label);
    const buttons = one.state === 'approval-requested' ? [button('Approve', true), button('Deny', false)] : [];
    return h('section', { key, className: 'card' }, one.state, buttons);
  };
  const shown = messages.filter(({ role }) => role === 'assistant').map((message) => h('article', { key: message.id }, message.parts.map(part)));
  return h('div', null, shown, sayButtons((text) => sendMessage({ text })));
}

/** A tool call as assistant-ui's own components show it. */
function ToolCall({ approval, status, result, isError, respondToApproval }) {
  const isOpen = approval && approval.approved === undefined && !approval.resolution && status.type === 'requires-action';
  const button = (label, approved) => h('button', { key: label, onClick: () => respondToApproval({ approved }) }, label);
  const state = isOpen ? 'open' : result?.receipt ? result.receipt.title : result?.rejected || approval?.approved === false ? 'denied' : isError ? 'error' : status.type;
  return h('section', { className: 'card' }, state, isOpen ? [button('Approve', true), button('Deny', false)] : []);
}

const Text = ({ text }) => h('p', { className: 'text' }, text);
const Message = () => h('article', null, h(MessagePrimitive.Parts, { components: { Text, tools: { Fallback: ToolCall } } }));

function Say() {
  const api = useAui();
  return h('div', null, sayButtons((text) => api.thread().append({ role: 'user', content: [{ type: 'text', text }] })));
}

/** Also while an interrupt is open: then `append` refuses. */
function SteerAway() {
  const steerAway = useAgUiSteerAway();
  return h('div', null, sayButtons((text) => steerAway(text)));
}

const thread = (runtime, field = Say) => h(AssistantRuntimeProvider, { runtime },
  h(ThreadPrimitive.Messages, { components: { UserMessage: () => null, AssistantMessage: Message } }), h(field));

function OverAiSdk({ tenant }) {
  const [transport] = useState(() => new AssistantChatTransport({ api: `${sayso.url}api/chat`, headers: headersOf(tenant) }));
  return thread(useChatRuntime({ transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses }));
}

function OverAgUi({ tenant }) {
  const [agent] = useState(() => new HttpAgent({ url: `${sayso.url}ag-ui`, headers: headersOf(tenant) }));
  return thread(useAgUiRuntime({ agent }), SteerAway);
}

const KITS = {
  'useChat': { component: Chat, open: 'approval-requestedApproveDeny', done: 'output-available', denied: 'output-denied', left: 'approval-requestedApproveDeny' },
  'assistant-ui over the AI SDK': { component: OverAiSdk, open: 'openApproveDeny', done: 'Added 1 expense', denied: 'denied', left: 'error' },
  'assistant-ui over AG-UI': { component: OverAgUi, open: 'openApproveDeny', done: 'Added 1 expense', denied: 'denied', left: 'Added 1 expense' },
};

for (const [name, { component, open, done, denied, left }] of Object.entries(KITS)) {
  test(`${name}: asked, shown, approved; shown, denied`, async () => {
    const tenant = name.replaceAll(' ', '-');
    const view = page(component, { tenant });
    try {
      await view.click('I want to add an item');
      await view.answers('What did you buy, and how much was it?');
      await view.click('coffee 3.50 on 5 March 2025');
      await view.answers('Add “coffee”, £3.50, 5 Mar 2025? (yes / no)');
      await view.until(() => view.texts('.card').at(-1) === open);
      await view.click('Approve');
      await view.answers('Added “coffee”, £3.50, 5 Mar 2025 (#1).');
      await view.until(() => view.texts('.card').at(-1) === done);
      await view.click('tea 2 on 5 March 2025');
      await view.until(() => view.texts('.card').at(-1) === open);
      await view.click('Deny');
      await view.answers('OK, nothing was changed.');
      await view.until(() => view.texts('.card').at(-1) === denied);
      assert.deepEqual(view.texts('.card'), [done, denied]);
      assert.deepEqual(await rows(tenant), [['coffee', '3.50']]);
    } finally {
      view.close();
    }
  });

  test(`${name}: a yes that is typed while a card is open writes once`, async () => {
    const tenant = `${name.replaceAll(' ', '-')}-typed`;
    const view = page(component, { tenant });
    try {
      await view.click('coffee 3.50 on 5 March 2025');
      await view.until(() => view.texts('.card').at(-1) === open);
      await view.click('yes');
      await view.answers('Added “coffee”, £3.50, 5 Mar 2025 (#1).');
      assert.deepEqual(view.texts('.card'), [left]);
      assert.deepEqual(await rows(tenant), [['coffee', '3.50']]);
    } finally {
      view.close();
    }
  });
}
