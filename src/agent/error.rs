//! Errors of a turn. Each text says what to do next. The HTTP layer maps them to status codes.

use serde_json::Value;

use crate::{agent::reply::ProposalView, model::ModelError, store::StoreError, tool::Question};

#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// The request contradicts itself or a rule of its kind of record.
    #[error("{0}")]
    Unprocessable(String),
    /// The request lacks something that only the person knows.
    #[error("{}", .0.text)]
    Unclear(Box<Question>),
    #[error("{0}")]
    Forbidden(String),
    /// The proposal does not exist for this tenant. The text does not tell whether another tenant has it.
    #[error("this proposal does not exist. Say again what you want")]
    NoSuchProposal,
    /// A row that a form is about.
    #[error("{0}")]
    NoSuchRow(String),
    /// A row is no longer as the form showed it.
    #[error("{detail}")]
    RowChanged { detail: String, row: Value },
    #[error("this is not what was shown. Read the proposal again, and send its current fingerprint")]
    FingerprintMismatch,
    /// The proposal was rejected, superseded or stale, or was executed when a rejection was requested.
    #[error("{detail}")]
    Closed { detail: String, proposal: Box<ProposalView> },
    /// Rows changed since they were shown, and nothing was written. `revision` has the operations that are still
    /// possible.
    #[error("{detail}")]
    Stale { detail: String, proposal: Box<ProposalView>, changed: Vec<Value>, revision: Option<Box<ProposalView>> },
    #[error("it is too late to answer this, and nothing was changed. Say it again if you still want it")]
    Expired { proposal: Box<ProposalView> },
    /// Too old to undo. In days: how long receipts can be undone.
    #[error("this was done more than {0} days ago, so it cannot be undone. Change it by hand instead")]
    TooOld(i64),
    #[error("I am still working on this message. Send it again in a few seconds to get the answer")]
    StillAnswering,
    #[error("this message id was already used for another message. Send the new message with a new id")]
    MessageIdReused,
    /// Nothing was written.
    #[error("too much is happening at once. Nothing was changed. Try again in a moment")]
    Busy,
    /// The result of a write is unknown. Repeating the request is safe and tells the result.
    #[error(
        "it is not clear whether this was done. Send the same request again: that is safe, and the answer tells you"
    )]
    OutcomeUnknown,
    #[error("{}", unavailable(.0))]
    ModelUnavailable(#[source] ModelError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TurnError {
    /// For callers that can only report errors of the store.
    pub(super) fn into_store_error(self) -> StoreError {
        match self {
            TurnError::Store(error) => error,
            other => StoreError::Corrupt(other.to_string()),
        }
    }
}

/// The provider's message is logged but not shown to the person.
fn unavailable(error: &ModelError) -> String {
    match error {
        ModelError::Busy { retry_after } => {
            format!("the assistant is busy. Nothing was changed. Try again in {} seconds", retry_after.as_secs().max(1))
        }
        _ => "the assistant is not available right now. Nothing was changed. Try again in a moment".into(),
    }
}
