//! The Vercel AI SDK (`ai` 7): its chat requests, and the UI message stream that answers them.
//!
//! A waiting proposal is a tool call that needs an approval. Nothing but ids and the person's own words is read from the
//! posted messages: they are the client's.

use axum::{
    http::{HeaderName, HeaderValue},
    response::Response,
};
use serde_json::{Map, Value, json};

use super::{
    HttpError,
    kit::{self, Answered, Card, Showing},
    request::{self, RequestError, TurnInput},
    turn_stream::{Writer, data, status},
};
use crate::{
    agent::{Input, ProposalView, Reply, TurnEvent},
    json_fields::Fields,
    tool::Registry,
};

const END: &[u8] = b"data: [DONE]\n\n";

/// Tells a body of this kit from the service's own.
pub fn is_request(body: &Map<String, Value>) -> bool {
    let messages = body.get("messages").and_then(Value::as_array);
    messages.is_some_and(|messages| messages.iter().any(|message| message.get("parts").is_some()))
}

/// The turn that a request asks for, and the writer of its answer.
pub fn read(body: &Map<String, Value>, registry: &Registry) -> Result<(TurnInput, UiMessageStream), RequestError> {
    let body = Fields::root(body);
    let conversation = body.required_text("id")?;
    let messages = body.list("messages")?.unwrap_or_default();
    let answered = match body.text("messageId")? {
        Some(id) => answered(messages, id)?,
        None => None,
    };
    let (message_id, input, answered) = match answered {
        Some((answered, input)) => (answered.card.approval_id(), input, Some(answered)),
        None => {
            let (id, text) = said(messages)?;
            (kit::message_key(id, &text), Input::Message(text), None)
        }
    };
    let stream = UiMessageStream { answered, showing: Showing::by(&message_id), ..UiMessageStream::default() };
    Ok((request::of_kit(conversation, &message_id, input, &body, registry)?, stream))
}

/// The id and the text of the person's last message.
fn said(messages: &[Value]) -> Result<(&str, String), RequestError> {
    let at = messages.iter().rposition(|message| message["role"] == "user").ok_or_else(request::no_message)?;
    let message = Fields::of(&format!("messages[{at}]"), &messages[at])?;
    let text = kit::text_of(&message.path("parts"), message.list("parts")?.unwrap_or_default())?;
    Ok((message.required_text("id")?, text))
}

/// The decision that a request sends: of the assistant's message that it names. The states of other messages are old.
fn answered(messages: &[Value], id: &str) -> Result<Option<(Answered, Input)>, RequestError> {
    let is_named = |message: &Value| message["role"] == "assistant" && message["id"] == id;
    let Some(at) = messages.iter().rposition(is_named) else { return Ok(None) };
    let path = format!("messages[{at}]");
    let parts = Fields::of(&path, &messages[at])?.list("parts")?.unwrap_or_default();
    // An output that is preliminary is of a run that was approved. The approval goes on with it.
    let is_answered = |part: &Value| match part["state"].as_str() {
        Some("approval-responded") => true,
        Some("output-available") => part["preliminary"] == true && part["approval"]["approved"] == true,
        _ => false,
    };
    let Some(n) = parts.iter().rposition(is_answered) else { return Ok(None) };
    let part = Fields::of(&format!("{path}.parts[{n}]"), &parts[n])?;
    let approval = part.required_object("approval")?;
    let card = Card::parse(approval.required_text("id")?)?;
    let approved = approval.required_flag("approved")?;
    let input = card.decide(approved, &approval)?;
    Ok(Some((Answered { card, approved }, input)))
}

/// The headers of the protocol, beside those of every stream.
pub fn with_headers(mut response: Response) -> Response {
    let name = HeaderName::from_static("x-vercel-ai-ui-message-stream");
    response.headers_mut().insert(name, HeaderValue::from_static("v1"));
    response
}

/// Writes a turn as chunks of one message. The client makes the message's id: another id in the answer to a decision
/// would make another message.
#[derive(Debug, Default)]
pub struct UiMessageStream {
    answered: Option<Answered>,
    showing: Showing,
    has_step: bool,
    /// How many texts were begun.
    texts: usize,
    /// What was sent of the answer.
    sent: String,
}

impl Writer for UiMessageStream {
    fn begin(&mut self) -> Vec<u8> {
        data(&json!({ "type": "start" }))
    }

    fn event(&mut self, event: TurnEvent) -> Vec<u8> {
        match event {
            TurnEvent::Status { text, tool } => {
                data(&json!({ "type": "data-status", "data": status(&text, tool), "transient": true }))
            }
            TurnEvent::Delta(text) => self.text(&text),
            TurnEvent::Reset => self.take_back(),
            TurnEvent::Progress(progress) => match &self.answered {
                Some(Answered { card, .. }) => output(card, &json!({ "progress": progress }), true),
                None => data(&json!({ "type": "data-progress", "data": progress, "transient": true })),
            },
        }
    }

    fn end(&mut self, result: Result<Reply, HttpError>) -> Vec<u8> {
        let chunks = match result {
            Ok(reply) => self.reply(&reply),
            Err(error) => self.error(error),
        };
        [chunks, END.to_vec()].concat()
    }
}

impl UiMessageStream {
    fn reply(&mut self, reply: &Reply) -> Vec<u8> {
        let (result, receipts) = match self.answered.take() {
            Some(Answered { card, approved: false }) => {
                (data(&json!({ "type": "tool-output-denied", "toolCallId": card.call_id() })), Default::default())
            }
            Some(Answered { card, approved: true }) => match &reply.progress {
                Some(progress) => (output(&card, &json!({ "progress": progress }), true), Default::default()),
                None => (output(&card, &json!({ "receipt": reply.receipt }), false), Default::default()),
            },
            None => (vec![], reply.all_receipts()),
        };
        let receipts = receipts.iter().map(|receipt| json!({ "type": "data-receipt", "data": receipt }));
        let question = reply.question.iter().map(|question| json!({ "type": "data-question", "data": question }));
        let parts = receipts.chain(question).flat_map(|part| data(&part)).collect();
        [result, self.answer(&reply.answer), parts, self.finish(kit::waiting(reply.proposal.as_ref()))].concat()
    }

    fn error(&mut self, error: HttpError) -> Vec<u8> {
        let text = error.told().1;
        match (self.answered.take(), kit::refusal(error)) {
            (Some(Answered { card, .. }), Ok(revision)) => {
                let chunk = json!({ "type": "tool-output-error", "toolCallId": card.call_id(), "errorText": text });
                [data(&chunk), self.step(), self.finish(revision.as_deref())].concat()
            }
            // A card stays as it is, because the same request can still decide.
            _ => data(&json!({ "type": "error", "errorText": text })),
        }
    }

    /// The whole answer, after what was sent of it.
    fn answer(&mut self, answer: &str) -> Vec<u8> {
        let taken_back = if answer.starts_with(&self.sent) { vec![] } else { self.take_back() };
        let rest = self.text(&answer[self.sent.len()..]);
        let end =
            if self.sent.is_empty() { vec![] } else { data(&json!({ "type": "text-end", "id": self.text_id() })) };
        [taken_back, rest, end].concat()
    }

    fn text(&mut self, text: &str) -> Vec<u8> {
        if text.is_empty() {
            return self.step();
        }
        let mut chunks = self.step();
        if self.sent.is_empty() {
            self.texts += 1;
            chunks.extend(data(&json!({ "type": "text-start", "id": self.text_id() })));
        }
        self.sent.push_str(text);
        chunks.extend(data(&json!({ "type": "text-delta", "id": self.text_id(), "delta": text })));
        chunks
    }

    fn take_back(&mut self) -> Vec<u8> {
        match std::mem::take(&mut self.sent).is_empty() {
            true => vec![],
            false => data(&json!({ "type": "reset-step" })),
        }
    }

    /// Begins the step, so that what was in the message before is not taken back.
    fn step(&mut self) -> Vec<u8> {
        match std::mem::replace(&mut self.has_step, true) {
            true => vec![],
            false => data(&json!({ "type": "start-step" })),
        }
    }

    fn finish(&self, proposal: Option<&ProposalView>) -> Vec<u8> {
        let card = proposal.map(|proposal| self.card(proposal)).unwrap_or_default();
        let reason = if proposal.is_some() { "tool-calls" } else { "stop" };
        let finish = data(&json!({ "type": "finish", "finishReason": reason }));
        [card, data(&json!({ "type": "finish-step" })), finish].concat()
    }

    fn card(&self, proposal: &ProposalView) -> Vec<u8> {
        let card = Card::new(proposal, &self.showing);
        let ProposalView { id, fingerprint, expires_at, title, tool, .. } = proposal;
        let call = json!({
            "type": "tool-input-available", "toolCallId": card.call_id(), "toolName": tool, "dynamic": true,
            "title": title, "input": kit::call_input(proposal),
        });
        let request = json!({
            "type": "tool-approval-request", "approvalId": card.approval_id(), "toolCallId": card.call_id(),
            "approvalDescriptor": { "proposalId": id, "fingerprint": fingerprint, "expiresAt": expires_at },
        });
        [data(&call), data(&request)].concat()
    }

    fn text_id(&self) -> String {
        format!("t{}", self.texts)
    }
}

fn output(card: &Card, output: &Value, is_preliminary: bool) -> Vec<u8> {
    let mut chunk = json!({ "type": "tool-output-available", "toolCallId": card.call_id(), "output": output });
    if is_preliminary {
        chunk["preliminary"] = true.into();
    }
    data(&chunk)
}
