//! "Yes, and tea 2": a yes to what waits, and a further addition. Both become one revision of what waits.
//!
//! If the policy lets the addition execute at once, the revision is approved in the same turn: the person saw what
//! waited, and said the rest in this message. Otherwise the revision waits. It is stored first and approved second, in
//! two transactions. The same message sent again finds it by its derived id.

use serde_json::json;

use super::{
    Agent, CurrentTurn, TurnError,
    plain_answer::DecisionTarget,
    planned_changes::{DUE_TOOL, PlannedChanges},
    propose::{duplicate, turn_outcome, with_offers},
    reply::Reply,
};
use crate::{
    phrases::yes_no,
    proposal::{
        Call, Change, Decision, Draft, Fingerprint, Note, Operation, Outcome, Policy, Proposal, ProposalId,
        ProposalStatus, Revision, Task,
    },
    store::WaitingProposal,
};

const NOT_ADDED: &str = "\n\nWhat you said besides was not added. Please say it again.";
const NOT_SAVED: &str = "Nothing is saved yet. This is everything together:\n";

impl CurrentTurn<'_> {
    /// What waits, if it alone waits and was shown last, and the message approves it and goes on with "and".
    fn proposal_to_extend(&self) -> Option<&WaitingProposal> {
        let yes = yes_no::joined_yes(self.message)?;
        let shown = self.shown_proposal()?;
        let is_only = self.only_live().is_some() && !self.has_unread();
        (is_only && !self.request.is_click() && yes_no::agrees(yes, &shown.changes.verbs())).then_some(shown)
    }

    /// The revision that an earlier attempt at this message stored and did not approve.
    pub fn own_extension(&self) -> Option<(ProposalId, Fingerprint)> {
        let shown = self.proposal_to_extend().filter(|shown| shown.id == self.proposal_id())?;
        Some((shown.id.clone(), shown.fingerprint.clone()))
    }
}

impl Agent {
    /// The proposal that these changes belong to. None if they are not only new rows, or it has several chunks.
    pub(super) async fn extended_proposal(
        &self,
        turn: &CurrentTurn<'_>,
        planned: &PlannedChanges,
    ) -> Result<Option<Proposal>, TurnError> {
        let Some(waiting) = turn.proposal_to_extend() else { return Ok(None) };
        let is_row = |change: &Change| matches!(change, Change::Create(draft) if !draft.is_preference());
        if !planned.changes.iter().all(is_row) {
            return Ok(None);
        }
        let known = turn.context.proposals.iter().find(|proposal| proposal.header.id == waiting.id).cloned();
        let found = match known {
            Some(known) => Some(known),
            None => turn.store.proposal(&waiting.id).await?,
        };
        let is_pending = |found: &Proposal| found.header.status(turn.request.at) == ProposalStatus::Pending;
        Ok(found.filter(|found| is_pending(found) && found.body.manifest.is_none()))
    }

    pub(super) async fn extend(
        &self,
        turn: &CurrentTurn<'_>,
        found: Proposal,
        planned: PlannedChanges,
        policy: Policy,
    ) -> Result<Reply, TurnError> {
        let PlannedChanges { call, changes, mut notes, not_stated } = planned;
        let mut added = self.numbered(turn, changes, &mut notes).await?;
        let waiting = found.body.changes.operations();
        notes.extend(added.iter().filter_map(|row| repeats(row, waiting)));
        let doubts = (&mut notes, not_stated);
        let (policy, _) = self.apply_policy(&mut added, doubts, policy, &turn.tool_context(&[], &[]))?;
        let at_once = policy == Policy::Cleared;
        // Of a due item it remains one, so that a no still skips it.
        let call = if found.body.call.tool == DUE_TOOL { found.body.call.clone() } else { extending(&found, call) };
        let operations = [waiting, &added].concat();
        let notes = [&found.body.notes[..], &notes].concat();
        let (revision, rest) = self.assemble(turn, call, notes, operations)?;
        let (id, fingerprint) = (revision.header.id.clone(), revision.header.fingerprint.clone());
        let decision = Decision::Revise(Revision { proposal: Box::new(revision), rest });
        let task =
            Task::Decide { id: found.header.id.clone(), fingerprint: Some(found.header.fingerprint.clone()), decision };
        let keep = |outcome: &Outcome| {
            let (mut bookkeeping, _) = self.submit_bookkeeping(turn, outcome, &[], NOT_SAVED)?;
            if let (true, Some((_, reply))) = (at_once, &mut bookkeeping.claim) {
                // Not the final answer: the same message sent again approves it.
                *reply = None;
            }
            Ok(bookkeeping)
        };
        let (outcome, kept) = self.run(turn.request, task, keep).await?;
        if at_once && matches!(&outcome, Outcome::Waiting(waiting) if waiting.header.id == id) {
            return self.approve_extension(turn, (id, fingerprint)).await;
        }
        let mut reply = with_offers(self.conversation_reply(turn, &outcome)?, turn, &outcome, &[], NOT_SAVED);
        // Somebody decided what waited at the same moment.
        if !matches!(&outcome, Outcome::Waiting(waiting) if waiting.header.id == id) {
            reply.answer.push_str(NOT_ADDED);
        }
        if kept { Ok(reply) } else { self.conclude(turn, reply, turn_outcome(turn, &outcome)).await }
    }

    pub(super) async fn approve_extension(
        &self,
        turn: &CurrentTurn<'_>,
        (id, fingerprint): (ProposalId, Fingerprint),
    ) -> Result<Reply, TurnError> {
        let revision = DecisionTarget { id, fingerprint: Some(fingerprint) };
        self.decide_each(turn, &[revision], Decision::Approve).await
    }
}

/// "Coffee 3", and then "yes, and coffee 3"; "yes, and the coffee was 4" may correct it.
fn repeats(added: &Operation, waiting: &[Operation]) -> Option<Note> {
    let draft = &added.row().draft;
    let name = |draft: &Draft| draft.name.as_deref().map(str::to_lowercase);
    let is_same = |other: &Operation| {
        let other = &other.row().draft;
        let is_duplicate = draft.duplicate_key.is_some() && other.duplicate_key == draft.duplicate_key;
        let is_same_name = draft.name.is_some() && name(other) == name(draft);
        other.kind == draft.kind && (is_same_name || is_duplicate && other.date == draft.date)
    };
    waiting.iter().any(is_same).then(|| duplicate(&draft.kind, json!(draft)).because("twice"))
}

fn extending(found: &Proposal, call: Call) -> Call {
    Call { tool: "edit".into(), arguments: json!({ "proposal": found.header.id, "and": call }) }
}
