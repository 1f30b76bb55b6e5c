//! What a turn answers, in the fields that clients know. A reply can be stored and repeated: the same message sent twice
//! gets the same one.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    proposal::{Fingerprint, Note, ProposalId, ProposalStatus, RowRef},
    tool::{Question, RowNames, StateUpdates},
};

/// Of a list, so many rows are kept as shown.
const SHOWN_ROWS: usize = 100;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// What the person reads.
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
    /// What is remembered differently now, as it stands or as it was last.
    #[serde(rename = "remembered", default, skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<Value>,
    /// Where in the answer it begins how sums stand that a write touched. That is not kept with the reply: said again, it
    /// would be yesterday's.
    #[serde(skip)]
    pub status_offset: Option<usize>,
    /// It refuses, or asks in its own words: nothing else is asked with it.
    #[serde(skip)]
    pub is_open: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<Vec<Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    #[serde(flatten)]
    pub found: StateUpdates,
    /// What was understood of an add that was not made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempted_add: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptView>,
    /// All of them, if the message decided several things; `receipt` is the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receipts: Vec<ReceiptView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_version: Option<String>,
    /// Approved, and not all done yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Answered without the language model, which could not be reached.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub limited: bool,
}

impl Reply {
    /// The rows that it shows, each once, those of a list first.
    pub fn rows(&self, names: &RowNames) -> Vec<RowRef> {
        let listed = self.listed.iter().flatten().take(SHOWN_ROWS);
        let proposed = self.proposal.iter().flat_map(|proposal| &proposal.operations);
        let received = self.receipt.iter().chain(&self.receipts).flat_map(|receipt| &receipt.operations);
        let operations = proposed.chain(received).flat_map(|operation| operation.before.iter().chain(&operation.after));
        let shown = listed.chain(operations).filter_map(|row| names.row_ref(row));
        let mut rows = Vec::new();
        for row in shown.chain(self.question.iter().flat_map(|question| question.rows.clone())) {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows
    }

    /// Of a message that decided several things: this, and then the next of them. The same words are said once.
    pub fn and(self, next: Reply) -> Reply {
        let both = |one: Vec<Value>, next: Vec<Value>| [one, next].concat();
        let receipts = if self.receipts.is_empty() { self.receipt.iter().cloned().collect() } else { self.receipts };
        let receipts = [receipts, next.receipt.iter().cloned().collect()].concat();
        Reply {
            answer: if self.answer == next.answer { self.answer } else { format!("{}\n{}", self.answer, next.answer) },
            confirmation_required: self.confirmation_required || next.confirmation_required,
            proposal: next.proposal.or(self.proposal),
            added: both(self.added, next.added),
            updated: both(self.updated, next.updated),
            deleted: both(self.deleted, next.deleted),
            preferences: both(self.preferences, next.preferences),
            receipt: next.receipt.or(self.receipt),
            receipts: if receipts.len() > 1 { receipts } else { vec![] },
            data_version: next.data_version.or(self.data_version),
            attempted_add: next.attempted_add.or(self.attempted_add),
            ..next
        }
    }

    /// As it is kept.
    pub fn without_statuses(&self) -> Reply {
        match self.status_offset {
            // A reply to a write has no other fields of toolkits.
            Some(at) => Reply {
                answer: self.answer[..at].to_owned(),
                found: StateUpdates { fields: Map::new(), ..self.found.clone() },
                ..self.clone()
            },
            None => self.clone(),
        }
    }
}

/// How many rows of a run are done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub done: usize,
    /// Left as they were, because they had changed since they were shown.
    pub skipped: usize,
    pub total: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    pub id: ProposalId,
    pub state: ProposalStatus,
    pub fingerprint: Fingerprint,
    pub tool: String,
    pub args: Value,
    /// All of them; or the first, if `count` is more.
    pub operations: Vec<OperationView>,
    #[serde(default)]
    pub count: usize,
    pub totals: Vec<Total>,
    pub warnings: Vec<Note>,
    pub expires_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptView>,
}

/// One numbered line of what was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationView {
    pub n: usize,
    pub op: String,
    /// The name of its row's kind.
    #[serde(default)]
    pub kind: String,
    /// The line as the person reads it.
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// Where operations are read one by one: what became of it, if it was its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OperationOutcome>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationOutcome {
    Done,
    /// The row had changed since it was shown, and was left as it is.
    Skipped,
}

/// The rows of a proposal in one currency; currencies are never summed together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    pub currency: String,
    /// A decimal string.
    pub amount: String,
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptView {
    pub proposal_id: ProposalId,
    pub fingerprint: Fingerprint,
    pub executed_at: Timestamp,
    pub executed_by: String,
    /// True if it had been executed before this request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// All of them; or the first, if `count` is more.
    pub operations: Vec<OperationView>,
    #[serde(default)]
    pub count: usize,
    /// Rows left as they were, because they had changed since they were shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: usize,
    /// Rows left as they were, because it was stopped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_done: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A receipt with what led to it: who asked, what was shown beside the operations, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditView {
    #[serde(flatten)]
    pub receipt: ReceiptView,
    pub asked_by: String,
    pub asked_at: Timestamp,
    /// `executedAt` is when the last of it was done.
    pub approved_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    pub conversation_id: String,
    pub tool: String,
    pub warnings: Vec<Note>,
    /// What this took the place of, if it was changed before it was approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<ProposalId>,
}
