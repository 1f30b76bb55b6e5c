//! Receipts: what an approval did, derived from the operations and the header that were committed together.

use jiff::Timestamp;
use serde::Serialize;

use super::{Fingerprint, Header, OperationSummary, Proposal, ProposalId, State, change_set::Operation};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub proposal_id: ProposalId,
    pub fingerprint: Fingerprint,
    /// The approval; of several transactions, the last.
    pub executed_at: Timestamp,
    pub executed_by: String,
    /// Changes whenever something was written; ordered by time.
    pub data_version: String,
    /// As they were done; of several chunks, those of the first.
    #[serde(skip)]
    pub operations: Vec<Operation>,
    /// All that was done.
    #[serde(skip)]
    pub summary: OperationSummary,
    /// Rows that were left as they were, because they had changed.
    #[serde(skip)]
    pub skipped: usize,
    /// Rows that were left as they were, because somebody stopped it.
    #[serde(skip)]
    pub not_done: usize,
}

impl Receipt {
    /// None unless the proposal has been executed, to its end or until it was stopped.
    pub fn of(proposal: &Proposal) -> Option<Receipt> {
        let State::Executed { at, by, run } = &proposal.header.state else { return None };
        let body = &proposal.body;
        let operations = match run {
            Some(run) if run.cursor == 0 => vec![],
            _ => body.changes.adjusted(&proposal.header.adjustments),
        };
        let summary = run.as_ref().map_or_else(|| OperationSummary::of(&operations), |run| run.done.clone());
        let skipped = run.as_ref().map_or(0, |run| run.skipped);
        let not_done = body.manifest.as_ref().map_or(0, |all| all.summary.rows() - summary.rows() - skipped);
        Some(Receipt {
            proposal_id: proposal.header.id.clone(),
            fingerprint: proposal.header.fingerprint.clone(),
            executed_at: run.as_ref().map_or(*at, |run| run.touched_at),
            executed_by: by.clone(),
            data_version: data_version(&proposal.header)?,
            operations,
            summary,
            skipped,
            not_done,
        })
    }
}

/// Whether a text can be one: it becomes part of a key.
pub fn is_data_version(text: &str) -> bool {
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = text.split('-');
    parts.next().is_some_and(|millis| digits(millis, 15))
        && parts.next().is_some_and(|id| ProposalId::parse(id).is_some())
        && parts.next().is_none_or(|chunk| digits(chunk, 5))
        && parts.next().is_none()
}

/// Sorts by time, and tells two receipts of one millisecond apart, and the chunks of one run. None if nothing was
/// written yet.
pub fn data_version(header: &Header) -> Option<String> {
    match &header.state {
        State::Executed { at, run: None, .. } => Some(format!("{:015}-{}", at.as_millisecond(), header.id)),
        State::Executing { run, .. } | State::Executed { run: Some(run), .. } => {
            Some(format!("{:015}-{}-{:05}", run.touched_at.as_millisecond(), header.id, run.cursor))
        }
        _ => None,
    }
}
