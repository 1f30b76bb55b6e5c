//! A record of everything that happened, which no part of the model can read. Properties compare it with what is stored
//! and answered.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use sayso::proposal::{Approved, Chunk, Fingerprint, Header, Operation, Proposal, ProposalId, Record, State};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct History {
    /// Operations that were shown, chunk by chunk, by proposal and fingerprint.
    pub shown: BTreeMap<(ProposalId, String), Vec<Vec<Operation>>>,
    /// Operations that took effect, by proposal, chunk and index; one entry for each time.
    pub effects: BTreeMap<(ProposalId, usize, usize), Vec<(Fingerprint, Operation)>>,
    /// True if a row was changed that was not as it had been shown.
    pub overwrote: bool,
    /// The highest number of executed chunks of a run.
    pub reached: BTreeMap<ProposalId, usize>,
    /// The first state after PENDING and EXECUTING.
    pub decided: BTreeMap<ProposalId, State>,
    /// When content was added without a confirmation, by content.
    pub unasked: BTreeMap<String, Vec<Timestamp>>,
    /// Proposals with a lost or altered chunk.
    pub damaged: BTreeSet<ProposalId>,
    pub altered: bool,
    /// Chunks that were lost before they were executed.
    pub lost: BTreeMap<ProposalId, usize>,
    /// Proposals that DynamoDB's TTL deleted.
    pub forgotten: BTreeSet<ProposalId>,
}

impl History {
    pub fn show(&mut self, proposal: &Proposal, rest: &[Chunk]) {
        let name = (proposal.header.id.clone(), proposal.header.fingerprint.0.clone());
        let chunks = || std::iter::once(&proposal.body.changes).chain(rest.iter().map(|chunk| &chunk.changes));
        self.shown.entry(name).or_insert_with(|| chunks().map(|changes| changes.operations().to_vec()).collect());
    }

    pub fn shown(&self, header: &Header) -> Option<&Vec<Vec<Operation>>> {
        self.shown.get(&(header.id.clone(), header.fingerprint.0.clone()))
    }

    pub fn note(&mut self, header: &Header) {
        match &header.state {
            State::Pending => {}
            State::Executing { run, .. } => self.reach(&header.id, run.cursor),
            state => {
                if let State::Executed { run: Some(run), .. } = state {
                    self.reach(&header.id, run.cursor);
                }
                self.decided.entry(header.id.clone()).or_insert_with(|| state.clone());
            }
        }
    }

    fn reach(&mut self, id: &ProposalId, cursor: usize) {
        let reached = self.reached.entry(id.clone()).or_default();
        *reached = cursor.max(*reached);
    }

    /// `now`: the row as it was found.
    pub fn take_effect(&mut self, approved: &Approved, index: usize, operation: &Operation, now: Option<&Record>) {
        let header = &approved.proposal().header;
        let chunk = match &header.state {
            State::Executing { run, .. } | State::Executed { run: Some(run), .. } => run.cursor.saturating_sub(1),
            _ => 0,
        };
        let effect = (header.fingerprint.clone(), operation.clone());
        self.effects.entry((header.id.clone(), chunk, index)).or_default().push(effect);
        self.overwrote |= now.map(|now| &now.draft) != operation.before().map(|before| &before.draft);
    }

    /// Executed operations, in order.
    pub fn done(&self, id: &ProposalId) -> impl Iterator<Item = (usize, &Operation)> {
        let of_id = self.effects.iter().filter(move |((of, ..), _)| of == id);
        of_id.flat_map(|((_, chunk, _), effects)| effects.iter().map(move |(_, operation)| (*chunk, operation)))
    }
}
