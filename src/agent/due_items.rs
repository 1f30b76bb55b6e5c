//! Questions about due records. After an answer that leaves nothing open, the oldest due record is shown as a proposal.
//! It waits for approval under every policy.
//!
//! The tenant's next turn asks. The sweeper cannot ask, because it has no conversation and would have to read all
//! tenants. The record's kind says what is asked and for which day.

use tokio::time::timeout_at;

use super::{
    Agent, CurrentTurn, RELEASE_TIME, TurnError, TurnRequest,
    planned_changes::{DUE_TOOL, new_ids},
    reply::Reply,
};
use crate::{
    proposal::{
        Audience, Call, Change, ChangeSet, ChangeSetError, Outcome, Policy, Proposal, ProposalBody, ProposalId, Record,
        State, Task, number,
    },
    sorted::Sort,
    store::{Bookkeeping, StoreError, TurnOutcome},
    tool::DueItem,
};

/// The tool name of the change that skips a due item.
const SKIP_TOOL: &str = "skip";

impl Agent {
    /// Adds the question about the oldest due item to the reply. If there is no time left, the next turn asks, so that
    /// the answer to this message is not delayed.
    pub(super) async fn with_due_question(
        &self,
        turn: &CurrentTurn<'_>,
        decided: &[ProposalId],
        reply: Reply,
    ) -> Reply {
        let open = reply.is_open || reply.proposal.is_some() || reply.question.is_some() || reply.progress.is_some();
        let others = turn.live().any(|waiting| !decided.contains(&waiting.id));
        if open || others || self.due_items(turn, &turn.context.preferences).is_empty() {
            return reply;
        }
        let found = match timeout_at(turn.reply_context().deadline, self.next_due_proposal(turn, decided)).await {
            Ok(Ok(Some((proposal, lead)))) => self.submit_due_proposal(turn, proposal, &lead, &reply).await,
            Ok(Ok(None)) | Err(_) => return reply,
            Ok(Err(error)) => Err(error),
        };
        match found {
            Ok(asked) => asked.unwrap_or(reply),
            Err(error) => {
                tracing::warn!(%error, "what is due could not be asked about");
                reply
            }
        }
    }

    /// The oldest due item that was not asked about today, as a proposal, with the text before it.
    async fn next_due_proposal(
        &self,
        turn: &CurrentTurn<'_>,
        decided: &[ProposalId],
    ) -> Result<Option<(Proposal, String)>, TurnError> {
        let fresh;
        let preferences = match decided {
            [] => &turn.context.preferences,
            // The decision may have changed a preference that is due.
            _ => {
                fresh = turn.store.preferences().await?.1;
                &fresh
            }
        };
        for (record, due) in self.due_items(turn, preferences) {
            let id = due_proposal_id(turn, record, &due);
            let Some(asked) = turn.store.proposal(&id).await? else {
                return Ok(Some((self.due_proposal(turn, id, record, &due).await?, due.lead)));
            };
            // The person declined it earlier, but the skip was not written.
            if let Some(declined_proposal) = declined_proposal(turn, asked).await? {
                self.skip_due_item(turn.request, &declined_proposal).await;
            }
        }
        Ok(None)
    }

    async fn submit_due_proposal(
        &self,
        turn: &CurrentTurn<'_>,
        proposal: Proposal,
        lead: &str,
        reply: &Reply,
    ) -> Result<Option<Reply>, TurnError> {
        let asking = self.waiting_reply(&proposal, turn.request)?;
        let after = |reply: Reply| {
            let Reply { answer: question, confirmation_required, proposal, shown, .. } = asking.clone();
            let answer = format!("{}\n\n{lead}\n{question}", reply.answer);
            Reply { answer, confirmation_required, proposal, shown: reply.shown.clone().and(shown), ..reply }
        };
        let asked = after(reply.clone());
        let keep = |outcome: &Outcome| {
            let Outcome::Waiting(proposal) = outcome else { return Ok(Bookkeeping::default()) };
            // Replaces the stored outcome of this turn, so that the next plain answer is about this proposal.
            let mut bookkeeping = turn.bookkeeping(&asked, TurnOutcome::ShowedProposal(proposal.header.id.clone()));
            bookkeeping.claim = turn.bookkeeping(&after(reply.without_statuses()), TurnOutcome::Answered).claim;
            self.with_waiting_entry(bookkeeping, proposal, turn.conventions.style)
        };
        let task = Task::Submit { proposal, rest: [].into(), policy: Policy::Always };
        match timeout_at(turn.reply_context().deadline, self.run(turn.request, task, keep)).await {
            Ok(Ok((Outcome::Waiting(_), true))) => Ok(Some(asked)),
            // The proposal may be stored. It is shown, so that a yes cannot approve something the person has not seen.
            Ok(Ok((Outcome::Unknown, _))) | Err(_) => Ok(Some(asked)),
            Ok(outcome) => outcome.map(|_| None),
        }
    }

    async fn due_proposal(
        &self,
        turn: &CurrentTurn<'_>,
        id: ProposalId,
        record: &Record,
        due: &DueItem,
    ) -> Result<Proposal, TurnError> {
        let created = due.changes.iter().filter_map(|change| match change {
            Change::Create(draft) => Some((None, draft)),
            _ => None,
        });
        let (ids, notes) =
            tokio::try_join!(new_ids(&turn.store, &due.changes), self.find_duplicates(turn, created.collect()))?;
        let too_much = |error: ChangeSetError| self.impossible(&error);
        let arguments = serde_json::json!({ "kind": record.draft.kind, "id": record.id, "on": due.on });
        let changes = ChangeSet::new(number(due.changes.clone(), ids, turn.request.at)).map_err(too_much)?;
        let is_watched = self.is_watched(changes.operations(), &turn.context.preferences, turn.today);
        let call = Call { tool: DUE_TOOL.into(), arguments };
        let body = ProposalBody { call, notes, changes, manifest: None, is_watched };
        let audience = Audience {
            tenant: turn.request.caller.tenant().as_str(),
            user: turn.request.caller.user().as_str(),
            conversation: &turn.request.conversation,
        };
        Ok(Proposal::new(id, audience, body, turn.request.at))
    }

    /// Skips a due item for its day after a no. This is a separate write with a receipt and can be undone. If it fails,
    /// the next turn finds the rejected proposal and tries again.
    pub(super) async fn skip_due_item(&self, request: &TurnRequest, rejected: &Proposal) {
        let (header, body) = (&rejected.header, &rejected.body);
        if body.call.tool != DUE_TOOL {
            return;
        }
        let moved_on = body.changes.operations().iter().filter(|row| row.row().draft.is_preference()).cloned();
        let Ok(changes) = ChangeSet::new(moved_on.collect()) else { return };
        let call = Call { tool: SKIP_TOOL.into(), arguments: body.call.arguments.clone() };
        let body = ProposalBody { call, notes: vec![], changes, manifest: None, is_watched: false };
        let tenant = request.caller.tenant().as_str();
        let audience = Audience { tenant, user: &header.user, conversation: &header.conversation };
        let id = ProposalId::derived(&[SKIP_TOOL, tenant, header.id.as_str()]);
        let proposal = Proposal::new(id, audience, body, request.at);
        let task = Task::Submit { proposal, rest: [].into(), policy: Policy::Cleared };
        let skipping = self.run(request, task, |_| Ok(Bookkeeping::default()));
        if let Ok(Err(error)) = timeout_at(request.deadline.answer - RELEASE_TIME, skipping).await {
            tracing::warn!(%error, "what was declined could not be left out yet");
        }
    }

    /// The due proposal that a message like “no, coffee 3” rejects.
    pub(super) async fn replaced_due_proposal(&self, turn: &CurrentTurn<'_>) -> Result<Option<Proposal>, StoreError> {
        let Some(refused) = turn.proposal_to_replace() else { return Ok(None) };
        Ok(turn.store.proposal(&refused.id).await?.filter(|refused| refused.body.call.tool == DUE_TOOL))
    }

    /// Oldest first.
    fn due_items<'m>(&self, turn: &CurrentTurn<'_>, preferences: &'m [Record]) -> Vec<(&'m Record, DueItem)> {
        let context = turn.tool_context(&[], &[]);
        let due = preferences.iter().filter_map(|record| {
            let schedule = self.registry.kind_of(&record.draft.kind).ok()?.schedule()?;
            Some((record, schedule.due_item(record, &context)?))
        });
        let mut due: Vec<_> = due.collect();
        due.put_in_order_of(|(record, due)| (due.on, record.id));
        due
    }
}

/// The proposal that the person declined: this one or its last revision. None if it was not declined. A proposal that
/// replaced it without being a revision counts as a no.
async fn declined_proposal(turn: &CurrentTurn<'_>, mut asked: Proposal) -> Result<Option<Proposal>, StoreError> {
    loop {
        match &asked.header.state {
            State::Rejected { .. } => return Ok(Some(asked)),
            State::Superseded { by, .. } => match turn.store.proposal(by).await? {
                Some(changed) if changed.body.call.tool == DUE_TOOL => asked = changed,
                other => return Ok(other.map(|_| asked)),
            },
            _ => return Ok(None),
        }
    }
}

/// One id per item, day and today's date. An item is asked about again each day until it is decided, but only once a
/// day over all devices.
fn due_proposal_id(turn: &CurrentTurn<'_>, record: &Record, due: &DueItem) -> ProposalId {
    let tenant = turn.request.caller.tenant().as_str();
    let (row, on, today) = (record.id.to_string(), due.on.to_string(), turn.today.to_string());
    ProposalId::derived(&[DUE_TOOL, tenant, &record.draft.kind, &row, &on, &today])
}
