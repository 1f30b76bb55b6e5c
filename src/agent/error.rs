//! Why a turn could not be answered. Each says what to do next; one place maps them to statuses.

use serde_json::Value;

use crate::{agent::reply::ProposalView, model::ModelError, store::StoreError};

#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// The request contradicts itself or a rule of the domain.
    #[error("{0}")]
    Unprocessable(String),
    #[error("{0}")]
    Forbidden(String),
    /// There is no such proposal here; nobody learns whether another tenant has it.
    #[error("this proposal does not exist. Say again what you want")]
    NoSuchProposal,
    #[error("this is not what was shown. Read the proposal again, and send its current fingerprint")]
    FingerprintMismatch,
    /// Rejected, superseded, stale, or executed where a rejection was asked for.
    #[error("{detail}")]
    Closed { detail: String, proposal: Box<ProposalView> },
    /// Rows are no longer as they were shown; nothing was changed. What still holds waits in its place.
    #[error("{detail}")]
    Stale { detail: String, proposal: Box<ProposalView>, changed: Vec<Value>, revision: Option<Box<ProposalView>> },
    #[error("it is too late to answer this, and nothing was changed. Say it again if you still want it")]
    Expired { proposal: Box<ProposalView> },
    /// What was done is kept for so many days.
    #[error("this was done more than {0} days ago, so it cannot be undone. Change it by hand instead")]
    TooOld(i64),
    #[error("I am still working on this message. Send it again in a few seconds to get the answer")]
    StillAnswering,
    #[error("this message id was already used for another message. Send the new message with a new id")]
    MessageIdReused,
    /// Nothing was written.
    #[error("too much is happening at once. Nothing was changed. Try again in a moment")]
    Busy,
    /// Something may have been written; the same request again is safe and tells.
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
    /// Where the caller can only report a failure of the store.
    pub(super) fn into_store_error(self) -> StoreError {
        match self {
            TurnError::Store(error) => error,
            other => StoreError::Corrupt(other.to_string()),
        }
    }
}

/// What the provider said is the operator's to know.
fn unavailable(error: &ModelError) -> String {
    match error {
        ModelError::Busy { retry_after } => {
            format!("the assistant is busy. Nothing was changed. Try again in {} seconds", retry_after.as_secs().max(1))
        }
        _ => "the assistant is not available right now. Nothing was changed. Try again in a moment".into(),
    }
}
