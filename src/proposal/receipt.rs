//! Receipts: what an approval changed. A receipt is derived from the operations and the header that were committed
//! together.

use jiff::Timestamp;
use serde::Serialize;

use super::{Fingerprint, Header, OperationSummary, Proposal, ProposalId, State, change_set::Operation};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub proposal_id: ProposalId,
    pub fingerprint: Fingerprint,
    /// The time of the approval; of a run, of its last transaction.
    pub executed_at: Timestamp,
    pub executed_by: String,
    /// Changes with every write, and sorts by time.
    pub data_version: String,
    /// The executed operations; of a run, those of its first chunk.
    #[serde(skip)]
    pub operations: Vec<Operation>,
    /// Operations of a single transaction that were left out: what they wanted to remember was there already.
    #[serde(skip)]
    pub left_out: Vec<Operation>,
    /// All executed operations.
    #[serde(skip)]
    pub summary: OperationSummary,
    /// Rows that were not changed, because they no longer were as shown.
    #[serde(skip)]
    pub skipped: usize,
    /// Rows that were not changed, because the run ended early.
    #[serde(skip)]
    pub not_done: usize,
    /// It ended early because its next chunk was missing or altered.
    #[serde(skip)]
    pub halted: bool,
}

impl Receipt {
    /// None unless the proposal was executed, completely or until it was stopped.
    pub fn of(proposal: &Proposal) -> Option<Receipt> {
        let Proposal { header, body } = proposal;
        let State::Executed { at, by, run } = &header.state else { return None };
        let operations = match run {
            Some(run) if run.cursor == 0 => vec![],
            _ => body.changes.adjusted(&header.adjustments),
        };
        let summary = run.as_ref().map_or_else(|| OperationSummary::of(&operations), |run| run.done.clone());
        let is_left_out = |index: &usize| header.adjustments.skipped.contains(index);
        let left_out = (0..).zip(body.changes.operations()).filter(|(index, _)| run.is_none() && is_left_out(index));
        let skipped = run.as_ref().map_or(0, |run| run.skipped);
        let not_done = body.manifest.as_ref().map_or(0, |all| all.summary.rows() - summary.rows() - skipped);
        Some(Receipt {
            proposal_id: header.id.clone(),
            fingerprint: header.fingerprint.clone(),
            executed_at: run.as_ref().map_or(*at, |run| run.touched_at),
            executed_by: by.clone(),
            data_version: data_version(header)?,
            operations,
            left_out: left_out.map(|(_, operation)| operation.clone()).collect(),
            summary,
            skipped,
            not_done,
            halted: run.as_ref().is_some_and(|run| run.is_halted()),
        })
    }
}

/// Whether a text has the form of a data version. It becomes part of a key.
pub fn is_data_version(text: &str) -> bool {
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = text.split('-');
    parts.next().is_some_and(|millis| digits(millis, 15))
        && parts.next().is_some_and(|id| ProposalId::parse(id).is_some())
        && parts.next().is_none_or(|chunk| digits(chunk, 5))
        && parts.next().is_none()
}

/// Sorts by time, and distinguishes receipts of the same millisecond and chunks of the same run. None if nothing was
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
