//! The reply of a turn, with the JSON fields that clients receive. Replies are stored, so that the same message sent
//! twice gets the same reply.

use std::ops::Range;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    proposal::{Fingerprint, NoteKind, ProposalId, ProposalStatus},
    shown::Shown,
    tool::{Question, StateUpdates},
};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// The text for the person.
    pub answer: String,
    pub conversation_id: String,
    pub confirmation_required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalView>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updated: Vec<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deleted: Vec<Value>,
    /// Preferences that changed: their new state, or the last one if deleted.
    #[serde(rename = "remembered", default, skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<Value>,
    /// The bytes of `answer` that tell the status of changed sums. The status is not stored, because it would be outdated
    /// in a repeated reply.
    #[serde(skip)]
    pub statuses: Option<Range<usize>>,
    /// Byte offset in `answer` where the proposals that still wait are listed, as the last thing in it.
    #[serde(skip)]
    pub waiting_offset: Option<usize>,
    /// What the answer shows, asks and does, for later turns.
    #[serde(skip)]
    pub shown: Shown,
    /// The answer is a refusal or a question, so no other question is added.
    #[serde(skip)]
    pub is_open: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<Vec<Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    #[serde(flatten)]
    pub found: StateUpdates,
    /// What was understood of an addition that was not made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempted_add: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptView>,
    /// All receipts, if the message decided several proposals. `receipt` is the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receipts: Vec<ReceiptView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_version: Option<String>,
    /// Set while an approved run is not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// The language model was not available.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub limited: bool,
}

impl Reply {
    /// Joins the replies of a message that decided several proposals. Equal texts appear once.
    pub fn and(self, next: Reply) -> Reply {
        let both = |one: Vec<Value>, next: Vec<Value>| [one, next].concat();
        let receipts = [self.all_receipts(), next.receipt.as_slice()].concat();
        Reply {
            answer: if self.answer == next.answer { self.answer } else { format!("{}\n{}", self.answer, next.answer) },
            confirmation_required: self.confirmation_required || next.confirmation_required,
            proposal: next.proposal.or(self.proposal),
            added: both(self.added, next.added),
            updated: both(self.updated, next.updated),
            deleted: both(self.deleted, next.deleted),
            preferences: both(self.preferences, next.preferences),
            shown: self.shown.and(next.shown),
            receipt: next.receipt.or(self.receipt),
            receipts: if receipts.len() > 1 { receipts } else { vec![] },
            data_version: next.data_version.or(self.data_version),
            attempted_add: next.attempted_add.or(self.attempted_add),
            ..next
        }
    }

    /// Of every proposal that the turn decided.
    pub fn all_receipts(&self) -> &[ReceiptView] {
        if self.receipts.is_empty() { self.receipt.as_slice() } else { &self.receipts }
    }

    /// The reply as it is stored.
    pub fn without_statuses(&self) -> Reply {
        match &self.statuses {
            // In a reply to a write, statuses are the only fields of toolkits.
            Some(Range { start, end }) => Reply {
                answer: [&self.answer[..*start], &self.answer[*end..]].concat(),
                found: StateUpdates { fields: Map::new(), ..self.found.clone() },
                ..self.clone()
            },
            None => self.clone(),
        }
    }
}

/// The progress of a run, in rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct Progress {
    pub done: usize,
    /// Not changed, because they had changed since they were shown.
    pub skipped: usize,
    pub total: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Proposal"))]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    pub id: ProposalId,
    /// "Delete 515 expenses"
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub state: ProposalStatus,
    pub fingerprint: Fingerprint,
    pub tool: String,
    pub args: Value,
    /// All operations, or the first ones if `count` is larger.
    pub operations: Vec<OperationView>,
    #[serde(default)]
    pub count: usize,
    /// Of many operations, those that stand out by their amount. They have no `n`: they are among the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outliers: Vec<OperationView>,
    pub totals: Vec<Total>,
    pub warnings: Vec<NoteView>,
    pub expires_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptView>,
}

/// A note in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "ProposalNote"))]
pub struct NoteView {
    pub kind: NoteKind,
    pub text: String,
}

/// One numbered line of a proposal or receipt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Operation"))]
pub struct OperationView {
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n: usize,
    /// What is done, in one word of the kind: `add`, `change`, `delete`, `complete`.
    pub op: String,
    /// The name of the row's kind.
    #[serde(default)]
    pub kind: String,
    /// The line as the person reads it.
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// The outcome of this operation, if it was reached. Only where operations are listed with outcomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OperationOutcome>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OperationOutcome {
    Done,
    /// The row had changed since it was shown, so it was not changed.
    Skipped,
}

/// The sum of the rows in one currency. Currencies are never added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct Total {
    pub currency: String,
    /// A decimal string.
    pub amount: String,
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Receipt"))]
#[serde(rename_all = "camelCase")]
pub struct ReceiptView {
    pub proposal_id: ProposalId,
    /// "Deleted 515 expenses"; empty if nothing was done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub fingerprint: Fingerprint,
    pub executed_at: Timestamp,
    pub executed_by: String,
    /// The proposal was executed before this request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// All operations, or the first ones if `count` is larger.
    pub operations: Vec<OperationView>,
    #[serde(default)]
    pub count: usize,
    /// Rows that were not changed, because they had changed since they were shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: usize,
    /// Rows that were not changed, because the run was stopped or halted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_done: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A receipt with its history: who asked, which notes were shown, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "AuditedReceipt"))]
#[serde(rename_all = "camelCase")]
pub struct AuditView {
    #[serde(flatten)]
    pub receipt: ReceiptView,
    pub asked_by: String,
    pub asked_at: Timestamp,
    /// `executedAt` is the time of the last operation.
    pub approved_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    pub conversation_id: String,
    pub tool: String,
    pub warnings: Vec<NoteView>,
    /// The proposal that this one replaced, if it was edited before approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<ProposalId>,
}

/// An entry of the list of receipts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ListedReceipt {
    Readable(Box<AuditView>),
    #[serde(rename_all = "camelCase")]
    Unreadable {
        proposal_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        executed_at: Option<Timestamp>,
        /// Why it cannot be shown.
        unreadable: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::tool::CORE_FIELDS;

    #[test]
    fn the_fields_of_a_reply_are_those_that_no_toolkit_can_declare() {
        let receipt = json!({
            "proposalId": "0".repeat(32), "fingerprint": "0".repeat(64), "executedAt": "2026-11-20T12:00:00Z",
            "executedBy": "me", "operations": [],
        });
        let proposal = json!({
            "id": "0".repeat(32), "state": "PENDING", "fingerprint": "0".repeat(64), "tool": "", "args": {},
            "operations": [], "totals": [], "warnings": [], "expiresAt": "2026-11-20T12:00:00Z",
        });
        let receipt: ReceiptView = serde_json::from_value(receipt).unwrap();
        let one = || vec![json!({})];
        // Every field by name, so that a new one is not forgotten here.
        let reply = Reply {
            answer: String::new(),
            conversation_id: String::new(),
            confirmation_required: true,
            question: Some(Question::default()),
            proposal: Some(serde_json::from_value(proposal).unwrap()),
            added: one(),
            updated: one(),
            deleted: one(),
            preferences: one(),
            statuses: None,
            waiting_offset: None,
            shown: Shown::default(),
            is_open: false,
            listed: Some(one()),
            count: Some(1),
            found: StateUpdates {
                total: Some(1),
                next_cursor: Some(String::new()),
                detected_filters: Some(json!({})),
                filter_match: None,
                preferences: vec![],
                suggestions: vec![String::new()],
                fields: Map::new(),
            },
            attempted_add: Some(json!({})),
            receipts: vec![receipt.clone()],
            receipt: Some(receipt),
            data_version: Some(String::new()),
            progress: Some(Progress { done: 0, skipped: 0, total: 1 }),
            limited: true,
        };
        let json = serde_json::to_value(reply).unwrap();
        let names: BTreeSet<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(CORE_FIELDS));
    }
}
