//! AG-UI 1.0: its runs, and the events that answer them. Clients of 0.0.59 understand these too.
//!
//! A waiting proposal is a tool call, and an interrupt that asks for its approval. Nothing but ids and the person's own
//! words is read from the posted messages: they are the client's.

use serde_json::{Map, Value, json};

use super::{
    HttpError,
    kit::{self, Answered, Card, Showing},
    request::{self, RequestError, TurnInput},
    turn_stream::{Writer, data, status},
};
use crate::{
    agent::{Input, ProposalView, ReceiptView, Reply, TurnEvent},
    json_fields::{FieldError, Fields},
    proposal::{Decision, hash_json},
    tool::Registry,
};

/// Of an interrupt that a person closed without an answer.
const DISMISSED: &str = "dismissed";

/// The turn that a run asks for, and the writer of its answer.
pub fn read(
    body: &Map<String, Value>,
    nonce: [u8; 16],
    registry: &Registry,
) -> Result<(TurnInput, RunEvents), RequestError> {
    let body = Fields::root(body);
    let (thread, run) = (body.required_text("threadId")?, body.required_text("runId")?);
    let messages = body.list("messages")?.unwrap_or_default();
    let decision = match body.list("resume")?.unwrap_or_default() {
        [] => None,
        [entry] => Some(resumed(entry, messages.last().is_some_and(is_of_user))?),
        _ => {
            let detail = "`resume` has several entries, and a run has one interrupt at most. Send one entry";
            return Err(FieldError::Unprocessable(detail.into()).into());
        }
    };
    let (message_id, input, answered, left) = match decision {
        Some(Resumed::Answered(answered, input)) => (answered.card.approval_id(), input, Some(answered), None),
        left => {
            let at = messages.iter().rposition(is_of_user).ok_or_else(request::no_message)?;
            let message = Fields::of(&format!("messages[{at}]"), &messages[at])?;
            let text = text(&message)?;
            let left = match left {
                Some(Resumed::LeftFor(card)) => Some(card),
                _ => None,
            };
            (kit::message_key(message.required_text("id")?, &text), Input::Message(text), None, left)
        }
    };
    let events = RunEvents {
        thread: thread.to_owned(),
        run: run.to_owned(),
        id: hash_json(&nonce),
        answered,
        left,
        showing: Showing::by(&message_id),
    };
    let nothing = Map::new();
    let context = body.object("forwardedProps")?.unwrap_or_else(|| Fields::at("forwardedProps", &nothing));
    Ok((request::of_kit(thread, &message_id, input, &context, registry)?, events))
}

/// What a client says of the interrupt of its last run.
enum Resumed {
    Answered(Answered, Input),
    /// A new message came instead. It decides by what it says.
    LeftFor(Card),
}

fn resumed(entry: &Value, has_new_message: bool) -> Result<Resumed, RequestError> {
    let entry = Fields::of("resume[0]", entry)?;
    let card = Card::parse(entry.required_text("interruptId")?)?;
    match entry.required_text("status")? {
        "resolved" => {
            let payload = entry.required_object("payload")?;
            let approved = payload.required_flag("approved")?;
            let input = card.decide(approved, &payload)?;
            Ok(Resumed::Answered(Answered { card, approved }, input))
        }
        "cancelled" if has_new_message => Ok(Resumed::LeftFor(card)),
        "cancelled" => {
            let input = card.decision(Decision::Reject { reason: Some(DISMISSED.into()) });
            Ok(Resumed::Answered(Answered { card, approved: false }, input))
        }
        _ => Err(FieldError::Malformed("`resume[0].status` must be `resolved` or `cancelled`".into()).into()),
    }
}

fn is_of_user(message: &Value) -> bool {
    message["role"] == "user"
}

fn text(message: &Fields<'_>) -> Result<String, RequestError> {
    match message.get("content") {
        Some(Value::Array(parts)) => kit::text_of(&message.path("content"), parts),
        _ => request::message_text(&message.path("content"), message.required_text("content")?),
    }
}

/// Writes a turn as events of one run.
///
/// The answer is sent when it is whole, because no event takes a text back. An interrupt has no `expiresAt`: a client of
/// 0.0.59 could not go on with a thread after it. An answer that is too late gets its refusal.
#[derive(Debug)]
pub struct RunEvents {
    thread: String,
    run: String,
    /// The ids of messages end with it. A run that goes on after an interrupt can have the same id as before.
    id: String,
    answered: Option<Answered>,
    /// The card for which the person sent a message instead of an answer.
    left: Option<Card>,
    showing: Showing,
}

impl Writer for RunEvents {
    fn begin(&mut self) -> Vec<u8> {
        data(&json!({ "type": "RUN_STARTED", "threadId": self.thread, "runId": self.run }))
    }

    fn event(&mut self, event: TurnEvent) -> Vec<u8> {
        match event {
            TurnEvent::Status { text, tool } => custom("sayso.status", status(&text, tool)),
            TurnEvent::Progress(progress) => custom("sayso.progress", json!(progress)),
            TurnEvent::Delta(_) | TurnEvent::Reset => vec![],
        }
    }

    fn end(&mut self, result: Result<Reply, HttpError>) -> Vec<u8> {
        match result {
            Ok(reply) => self.reply(&reply),
            Err(error) => self.error(error),
        }
    }
}

impl RunEvents {
    fn reply(&self, reply: &Reply) -> Vec<u8> {
        let receipts = reply.all_receipts();
        let result = match (&self.answered, &self.left) {
            (Some(Answered { card, approved: false }), _) => self.result(card, json!({ "rejected": true })),
            (Some(Answered { card, .. }), _) => {
                let written = json!({ "receipt": reply.receipt });
                self.result(card, reply.progress.as_ref().map_or(written, |progress| json!({ "progress": progress })))
            }
            (None, Some(card)) => {
                let written = receipts.iter().find(|receipt| card.is_of(&receipt.proposal_id));
                written.map(|receipt| self.result(card, json!({ "receipt": receipt }))).unwrap_or_default()
            }
            (None, None) => vec![],
        };
        let question = reply.question.iter().flat_map(|question| custom("sayso.question", json!(question)));
        let receipt = |receipt: &ReceiptView| custom("sayso.receipt", json!(receipt));
        let shown = question.chain(receipts.iter().flat_map(receipt)).collect();
        [result, self.text(&reply.answer), shown, self.finish(kit::waiting(reply.proposal.as_ref()))].concat()
    }

    fn error(&self, error: HttpError) -> Vec<u8> {
        let (text, code) = (error.told().1, error.slug());
        match (&self.answered, kit::refusal(error)) {
            (Some(Answered { card, .. }), Ok(revision)) => {
                let result = self.result(card, json!({ "error": text, "code": code }));
                [result, self.text(&text), self.finish(revision.as_deref())].concat()
            }
            // The interrupt stays open, because the same run can still answer it.
            _ => data(&json!({ "type": "RUN_ERROR", "message": text, "code": code })),
        }
    }

    fn result(&self, card: &Card, content: Value) -> Vec<u8> {
        data(&json!({
            "type": "TOOL_CALL_RESULT", "messageId": format!("result-{}", self.id), "toolCallId": card.call_id(),
            "content": content.to_string(), "role": "tool",
        }))
    }

    fn text(&self, text: &str) -> Vec<u8> {
        let id = self.message_id();
        [
            data(&json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" })),
            data(&json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text })),
            data(&json!({ "type": "TEXT_MESSAGE_END", "messageId": id })),
        ]
        .concat()
    }

    fn finish(&self, proposal: Option<&ProposalView>) -> Vec<u8> {
        let card = proposal.map(|proposal| (proposal, Card::new(proposal, &self.showing)));
        let outcome = match &card {
            Some((proposal, card)) => json!({ "type": "interrupt", "interrupts": [interrupt(proposal, card)] }),
            None => json!({ "type": "success" }),
        };
        let call = card.map(|(proposal, card)| self.call(proposal, &card.call_id())).unwrap_or_default();
        let finished =
            json!({ "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run, "outcome": outcome });
        [call, data(&finished)].concat()
    }

    fn call(&self, proposal: &ProposalView, id: &str) -> Vec<u8> {
        let start = json!({
            "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": proposal.tool,
            "parentMessageId": self.message_id(),
        });
        let input = kit::call_input(proposal).to_string();
        [
            data(&start),
            data(&json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": input })),
            data(&json!({ "type": "TOOL_CALL_END", "toolCallId": id })),
        ]
        .concat()
    }

    fn message_id(&self) -> String {
        format!("answer-{}", self.id)
    }
}

/// assistant-ui offers its buttons only for this reason and schema.
fn interrupt(proposal: &ProposalView, card: &Card) -> Value {
    let ProposalView { id, fingerprint, expires_at, title, .. } = proposal;
    json!({
        "id": card.approval_id(), "reason": "tool_call", "toolCallId": card.call_id(), "message": title,
        "responseSchema": {
            "type": "object",
            "properties": { "approved": { "type": "boolean" }, "reason": { "type": "string" } },
            "required": ["approved"],
        },
        "metadata": { "proposalId": id, "fingerprint": fingerprint, "expiresAt": expires_at },
    })
}

fn custom(name: &str, value: Value) -> Vec<u8> {
    data(&json!({ "type": "CUSTOM", "name": name, "value": value }))
}
