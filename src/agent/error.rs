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
    #[error("there is no such proposal; say again what you want, and you get a new one")]
    NoSuchProposal,
    #[error("this is not what was shown; read the proposal again and approve its present fingerprint")]
    FingerprintMismatch,
    /// Rejected, superseded, stale, or executed where a rejection was asked for.
    #[error("{detail}")]
    Closed { detail: String, proposal: Box<ProposalView> },
    /// Rows are no longer as they were shown; nothing was changed. What still holds waits in its place.
    #[error("{detail}")]
    Stale { detail: String, proposal: Box<ProposalView>, changed: Vec<Value>, revision: Option<Box<ProposalView>> },
    #[error("this proposal has expired and nothing was changed; say it again to get a new one")]
    Expired { proposal: Box<ProposalView> },
    /// What was done is kept for so many days.
    #[error("that was done more than {0} days ago and can no longer be undone; change what is there now instead")]
    TooOld(i64),
    #[error("this message is still being answered; send it again in a few seconds to get the answer")]
    StillAnswering,
    #[error("this message id was used for another message; send the new one with an id of its own")]
    MessageIdReused,
    /// Nothing was written.
    #[error("too much is happening at once and nothing was changed; try again in a moment")]
    Busy,
    /// Something may have been written; the same request again is safe and tells.
    #[error("the outcome is unknown; send the same request again: it is safe and will tell")]
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
        ModelError::Busy { retry_after } => format!(
            "the assistant is busy and nothing was changed; try again in {} seconds",
            retry_after.as_secs().max(1)
        ),
        _ => "the assistant cannot be reached right now and nothing was changed; try again in a moment".into(),
    }
}
