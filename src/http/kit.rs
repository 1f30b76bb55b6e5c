//! What the chat kits share: the cards that wait for an approval, and the turns that their requests ask for.

use serde_json::{Value, json};

use super::{
    HttpError,
    request::{self, RequestError},
};
use crate::{
    agent::{Input, ProposalView, TurnError},
    json_fields::{FieldError, Fields, at_most},
    phrases::clean,
    proposal::{Decision, Fingerprint, ProposalId, ProposalStatus, hash_json},
    tool::Edits,
};

/// A proposal as it was shown once. It can be shown again, and then a kit needs other ids, because it finds a card by
/// them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    proposal: ProposalId,
    fingerprint: Fingerprint,
    showing: Showing,
}

/// Names the turn that showed a card, in 8 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Showing(String);

/// A decision on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub card: Card,
    pub approved: bool,
}

impl Showing {
    /// Of the turn of a message or decision.
    pub fn by(message_id: &str) -> Showing {
        Showing(digits(message_id))
    }
}

impl Card {
    pub fn new(proposal: &ProposalView, showing: &Showing) -> Card {
        let (proposal, fingerprint) = (proposal.id.clone(), proposal.fingerprint.clone());
        Card { proposal, fingerprint, showing: showing.clone() }
    }

    /// Reads the id of an approval. Whether there is such a proposal, the store knows.
    pub fn parse(approval: &str) -> Result<Card, RequestError> {
        let mut parts = approval.split('.');
        let (proposal, fingerprint, showing) = (parts.next(), parts.next(), parts.next());
        let is_showing = |text: &&str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match (proposal.and_then(ProposalId::parse), fingerprint, showing.filter(is_showing), parts.next()) {
            (Some(proposal), Some(fingerprint), Some(showing), None) => {
                Ok(Card { proposal, fingerprint: Fingerprint(fingerprint.into()), showing: Showing(showing.into()) })
            }
            _ => Err(RequestError::NoSuchProposal),
        }
    }

    /// The id that an approval names: all that is needed to decide.
    pub fn approval_id(&self) -> String {
        format!("{}.{}.{}", self.proposal.as_str(), self.fingerprint, self.showing.0)
    }

    /// The id of the tool call.
    pub fn call_id(&self) -> String {
        format!("{}.{}", self.proposal.as_str(), self.showing.0)
    }

    pub fn is_of(&self, proposal: &ProposalId) -> bool {
        self.proposal == *proposal
    }

    /// The decision. `fields` may have a reason for a rejection.
    pub fn decide(&self, approved: bool, fields: &Fields<'_>) -> Result<Input, RequestError> {
        let reason = fields.text("reason")?;
        at_most(&fields.path("reason"), reason.unwrap_or_default(), request::MAX_REASON)?;
        let reason = reason.map(clean).filter(|reason| !reason.is_empty());
        Ok(self.decision(if approved { Decision::Approve } else { Decision::Reject { reason } }))
    }

    pub fn decision(&self, decision: Decision<Edits>) -> Input {
        Input::Decision { id: self.proposal.clone(), fingerprint: self.fingerprint.clone(), decision }
    }
}

/// The input of the tool call that a card is.
pub fn call_input(proposal: &ProposalView) -> Value {
    let ProposalView { operations, count, outliers, totals, warnings, .. } = proposal;
    let mut input = json!({ "operations": operations, "count": count, "totals": totals, "warnings": warnings });
    if !outliers.is_empty() {
        input["outliers"] = json!(outliers);
    }
    input
}

/// The proposal of a reply, if it waits for an approval.
pub fn waiting(proposal: Option<&ProposalView>) -> Option<&ProposalView> {
    proposal.filter(|proposal| proposal.state == ProposalStatus::Pending)
}

/// The decision can have no other result if it is sent again. `Err`: it can.
pub fn refusal(error: HttpError) -> Result<Option<Box<ProposalView>>, HttpError> {
    match error {
        HttpError::Turn(TurnError::Stale { revision, .. }) => Ok(revision),
        HttpError::Turn(
            TurnError::NoSuchProposal
            | TurnError::FingerprintMismatch
            | TurnError::Closed { .. }
            | TurnError::Expired { .. }
            | TurnError::Forbidden(_)
            | TurnError::Unprocessable(_),
        ) => Ok(None),
        other => Err(other),
    }
}

/// The idempotency key of a message of a kit. It depends on the text too, because an edited message keeps its id.
pub fn message_key(id: &str, text: &str) -> String {
    format!("{id}.{}", digits(text))
}

/// The texts of a message's parts. A kit can also send files.
pub fn text_of(path: &str, parts: &[Value]) -> Result<String, RequestError> {
    let mut texts = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        let part = Fields::of(&format!("{path}[{n}]"), part)?;
        match part.required_text("type")? {
            "text" => texts.push(part.required_text("text")?),
            "file" | "image" | "audio" | "video" | "document" | "binary" => {
                let detail = format!("`{}` is a file, and files are not read. Send its content as text", part.name);
                return Err(FieldError::Unprocessable(detail).into());
            }
            _ => {}
        }
    }
    request::message_text(path, &texts.join("\n"))
}

fn digits(text: &str) -> String {
    hash_json(&text)[..8].to_owned()
}
