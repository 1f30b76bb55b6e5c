//! A plain no to a row with a value in doubt. sayso asks what the value should be, and the answer makes a new proposal
//! of the same row. An answer that says more than a value goes to the model.

use std::collections::BTreeMap;

use super::{Agent, CurrentTurn, TurnError, planned_changes::DUE_TOOL, propose::turn_outcome, reply::Reply};
use crate::{
    phrases::{PlainAnswer, Reader, Style, Verdict, verdict},
    proposal::{Operation, Policy, Proposal, ProposalId, ProposalStatus, Task},
    sorted::Collect,
    store::{StoreError, TurnOutcome},
    tool::{Edits, Question},
};

/// Several values are in doubt.
const WHAT_INSTEAD: &str = "What should it be instead?";

impl CurrentTurn<'_> {
    /// The declined proposal that the last answer asked about, and the field.
    fn asked_again(&self) -> Option<(&ProposalId, &str)> {
        let last = self.context.turns.last().filter(|last| last.outcome == TurnOutcome::Asked)?;
        let ([id], Some(asked)) = (&last.shown.decided[..], &last.shown.asked) else { return None };
        let [field] = &asked.missing[..] else { return None };
        self.sees_last_answer().then_some((id, field))
    }
}

impl Agent {
    /// None if no value is in doubt, several rows were declined, or the no is to all of it.
    pub(super) fn question_after_no(&self, said: &str, declined: &Proposal) -> Result<Option<Question>, StoreError> {
        if let Some(Verdict::Decline | Verdict::Cancel | Verdict::Stop) = verdict(said) {
            return Ok(None);
        }
        let Some((_, row)) = self.only_row(declined)? else { return Ok(None) };
        let kind = self.registry.kind_of(&row.row().draft.kind)?;
        let (Some(editing), Some(_)) = (kind.editing(), row.after()) else { return Ok(None) };
        let of_kind = declined.body.notes.iter().filter(|note| note.of == kind.prefix());
        let asked: BTreeMap<&str, &str> =
            of_kind.filter_map(|note| Some((&*note.field, editing.question_about(note)?))).inserted();
        let missing = asked.keys().map(|field| (*field).to_owned()).collect();
        let text = match asked.len() {
            0 => return Ok(None),
            1 => asked.into_values().collect(),
            _ => WHAT_INSTEAD.to_owned(),
        };
        Ok(Some(Question { text, missing, ..Question::default() }))
    }

    pub(super) fn asks_after_no(&self, said: &str, declined: &Proposal) -> bool {
        matches!(self.question_after_no(said, declined), Ok(Some(_)))
    }

    /// The only row, with its number.
    fn only_row<'p>(&self, declined: &'p Proposal) -> Result<Option<(usize, &'p Operation)>, StoreError> {
        if declined.body.manifest.is_some() || declined.body.call.tool == DUE_TOOL {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for (n, operation) in (1..).zip(declined.body.changes.operations()) {
            if self.registry.side_effect(operation, Style::default())?.is_none() {
                rows.push((n, operation));
            }
        }
        Ok(<[_; 1]>::try_from(rows).ok().map(|[only]| only))
    }

    /// The reply, if the message answers the question after a no.
    pub(super) async fn answer_after_no(&self, turn: &CurrentTurn<'_>) -> Result<Option<Reply>, TurnError> {
        let Some((id, field)) = turn.asked_again() else { return Ok(None) };
        if matches!(turn.yes_or_no(), Some(PlainAnswer::No(None))) {
            let reply = Reply { answer: "OK, nothing was changed.".into(), ..Reply::default() };
            return self.conclude(turn, reply, TurnOutcome::Answered).await.map(Some);
        }
        let declined = turn.store.proposal(id).await?;
        let is_declined = |found: &Proposal| found.header.status(turn.request.at) == ProposalStatus::Rejected;
        let Some(declined) = declined.filter(is_declined) else { return Ok(None) };
        let Some((n, row)) = self.only_row(&declined)? else { return Ok(None) };
        let reader = Reader { today: turn.today, hour: turn.hour, conventions: turn.conventions };
        let editing = self.registry.kind_of(&row.row().draft.kind)?.editing();
        let Some(fields) = editing.and_then(|editing| editing.answered(field, turn.message, reader)) else {
            return Ok(None);
        };
        let edits = Edits { fields: [(n, fields)].inserted(), ..Edits::default() };
        match self.propose_edited(turn, &declined, &edits).await {
            // The model sees what was asked, and can ask again.
            Err(TurnError::Unprocessable(_) | TurnError::Unclear(_)) => Ok(None),
            reply => reply.map(Some),
        }
    }

    /// A new proposal that waits, from the rows of a declined one.
    async fn propose_edited(
        &self,
        turn: &CurrentTurn<'_>,
        declined: &Proposal,
        edits: &Edits,
    ) -> Result<Reply, TurnError> {
        let unsupported = self.unsupported_edits(turn, declined, edits).await?;
        let (proposal, rest) = self.revision(turn, turn.proposal_id(), declined, edits, &unsupported).await?;
        let task = Task::Submit { proposal, rest: rest.into(), policy: Policy::Always };
        let keep = |outcome: &_| Ok(self.submit_bookkeeping(turn, outcome, &[], "")?.0);
        let (outcome, kept) = self.run(turn.request, task, keep).await?;
        let reply = self.conversation_reply(turn, &outcome)?;
        if kept { Ok(reply) } else { self.conclude(turn, reply, turn_outcome(turn, &outcome)).await }
    }
}
