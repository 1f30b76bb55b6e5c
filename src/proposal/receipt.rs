//! Receipts: what an approval did, derived from the operations and the header that were committed together.

use jiff::Timestamp;
use serde::Serialize;

use super::{Fingerprint, Proposal, ProposalId, State, change_set::Operation};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub proposal_id: ProposalId,
    pub fingerprint: Fingerprint,
    pub executed_at: Timestamp,
    pub executed_by: String,
    /// Changes whenever something was written; ordered by time.
    pub data_version: String,
    #[serde(skip)]
    pub operations: Vec<Operation>,
}

impl Receipt {
    /// None unless the proposal has been executed.
    pub fn of(proposal: &Proposal) -> Option<Receipt> {
        let State::Executed { at, by } = &proposal.header.state else { return None };
        Some(Receipt {
            proposal_id: proposal.header.id.clone(),
            fingerprint: proposal.header.fingerprint.clone(),
            executed_at: *at,
            executed_by: by.clone(),
            data_version: data_version(*at, &proposal.header.id),
            operations: proposal.body.changes.operations().to_vec(),
        })
    }
}

/// Whether a text can be one: it becomes part of a key.
pub fn is_data_version(text: &str) -> bool {
    text.split_once('-').is_some_and(|(millis, id)| {
        millis.len() == 15 && millis.bytes().all(|b| b.is_ascii_digit()) && ProposalId::parse(id).is_some()
    })
}

/// Sorts by time, and tells two receipts of one millisecond apart.
pub fn data_version(executed_at: Timestamp, id: &ProposalId) -> String {
    format!("{:015}-{id}", executed_at.as_millisecond())
}
