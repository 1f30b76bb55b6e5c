//! Decisions by form or by tool call, and the replies to all decisions. No model is called.

use serde_json::Value;
use tokio::time::timeout_at;

use super::{
    Agent, CurrentTurn, Input, RELEASE_TIME, TurnError, TurnRequest, last_month,
    planned_changes::{BATCH_TOOL, PlannedChanges, check_count},
    preferences::ReplyContext,
    reply::{ReceiptView, Reply},
    wording::closed,
};
use crate::{
    model::ToolCall,
    phrases::{PlainAnswer, Reader, Style, sentence, yes_no},
    proposal::{
        Call, Conflict, Decision, Fingerprint, Outcome, Policy, Proposal, ProposalId, State, Task, data_version,
        hash_json,
    },
    shown::{Changes, Shown, ShownRow},
    store::{Bookkeeping, StoreError, Turn, TurnContext, TurnOutcome, keys},
    tool::{Edits, ToolKind, ToolOutcome},
};

impl Agent {
    pub(super) async fn decide_by_form(
        &self,
        request: &TurnRequest,
        id: &ProposalId,
        fingerprint: &Fingerprint,
        decision: &Decision<Edits>,
    ) -> Result<Reply, TurnError> {
        let decision = match decision {
            Decision::Approve => Decision::Approve,
            Decision::Reject { reason } => Decision::Reject { reason: reason.clone() },
            Decision::Stop => Decision::Stop,
            Decision::Revise(edits) => return self.edit(request, id, fingerprint, edits).await,
        };
        let task = Task::Decide { id: id.clone(), fingerprint: Some(fingerprint.clone()), decision };
        let (outcome, stored) = self.run_form_decision(request, task).await?;
        self.form_reply(request, &outcome, stored).await
    }

    /// For older clients that confirm a call without a proposal id. Approves the waiting proposal of this call, or
    /// repeats the receipt if it was executed. Otherwise the call becomes a waiting proposal and nothing is written.
    pub(super) async fn confirm_call(&self, request: &TurnRequest, call: &Call) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let known = store.proposal_by_arguments(request.caller.user().as_str(), &hash_json(call)).await?;
        if let Some(id) = known {
            let task = Task::Decide { id, fingerprint: None, decision: Decision::Approve };
            let (outcome, stored) = self.run_form_decision(request, task).await?;
            if !matches!(outcome, Outcome::NotFound | Outcome::Expired(_) | Outcome::Closed(_)) {
                return self.form_reply(request, &outcome, stored).await;
            }
        }
        self.propose_call(request, call, "Yes.").await
    }

    /// Shows what a call would change. `said` is stored as the person's message.
    pub(super) async fn propose_call(
        &self,
        request: &TurnRequest,
        call: &Call,
        said: &str,
    ) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation, None).await?;
        let turn = CurrentTurn::new(request, store, context, None, said, self);
        let planned = self.plan_call(&turn, call).await?;
        self.propose(&turn, planned, Policy::Always).await
    }

    async fn plan_call(&self, turn: &CurrentTurn<'_>, call: &Call) -> Result<PlannedChanges, TurnError> {
        let refused = |reason: String| TurnError::Unprocessable(reason);
        let calls = match call.tool.as_str() {
            BATCH_TOOL => serde_json::from_value(call.arguments["calls"].clone())
                .map_err(|error| refused(format!("args.calls must be a list of {{tool, args}}. {error}")))?,
            _ => vec![call.clone()],
        };
        check_count(calls.len())?;
        let mut planned = PlannedChanges { call: call.clone(), changes: vec![], notes: vec![], not_stated: None };
        for Call { tool, arguments } in calls {
            if self.registry.tool_kind(&tool) != ToolKind::Action {
                return Err(refused(
                    "confirm.tool must be a tool that changes something. Send it as it was shown".into(),
                ));
            }
            let call = ToolCall { id: String::new(), name: tool, arguments };
            match self.registry.dispatch(&call, &turn.tool_context(&[], &[])).await? {
                ToolOutcome::Planned(plan) => {
                    if let (Some(meant), false) = (&plan.stored, planned.call.tool == BATCH_TOOL) {
                        planned.call.arguments = meant.clone();
                    }
                    planned.changes.extend(plan.changes);
                    planned.notes.extend(plan.notes);
                }
                outcome => {
                    return Err(not_done(outcome, "confirm.tool must be a tool that changes something"));
                }
            }
        }
        Ok(planned)
    }

    /// Decides in one read and one transaction, which also stores the outcome in the conversation. Also returns the
    /// reply, if it was stored.
    pub(super) async fn run_form_decision(
        &self,
        request: &TurnRequest,
        task: Task,
    ) -> Result<(Outcome, Option<Reply>), TurnError> {
        let mut stored = None;
        let keep = |outcome: &Outcome| {
            let (bookkeeping, reply) = self.form_bookkeeping(request, outcome)?;
            stored = reply;
            Ok(bookkeeping)
        };
        let (outcome, kept) = self.run(request, task, keep).await?;
        if let Outcome::Rejected(proposal) = &outcome {
            self.skip_due_item(request, proposal).await;
        }
        Ok((outcome, stored.filter(|_| kept)))
    }

    /// Also returns the reply to the decision, if there is one.
    fn form_bookkeeping(
        &self,
        request: &TurnRequest,
        outcome: &Outcome,
    ) -> Result<(Bookkeeping, Option<Reply>), StoreError> {
        let (proposal, said) = match outcome {
            Outcome::Executed { proposal, .. } => (proposal, "Yes.".to_owned()),
            Outcome::Executing(proposal) if no_chunk_done(proposal) => (proposal, "Yes.".to_owned()),
            Outcome::Rejected(proposal) => (proposal, rejection(proposal)),
            Outcome::Stale { revision: Some(revision), .. } => (&**revision, "Yes.".to_owned()),
            _ => return Ok((Bookkeeping::default(), None)),
        };
        let (said, has_turn) = match &request.input {
            Input::Form(form) => (self.wording(Style::default()).summary_with_names(proposal)?, form.in_conversation),
            _ => (said, true),
        };
        if !has_turn || proposal.header.user != request.caller.user().as_str() {
            let bookkeeping = Bookkeeping::default();
            return Ok((self.with_waiting_entry(bookkeeping, proposal, request.conventions().style)?, None));
        }
        let mut stored = None;
        let Reply { answer, shown, .. } = match self.outcome_reply(outcome, request) {
            Err(TurnError::Stale { detail, revision, .. }) => Reply {
                answer: sentence(&detail),
                proposal: revision.map(|revision| *revision),
                shown: Shown { decided: decided(outcome), ..Shown::default() },
                ..Reply::default()
            },
            reply => stored.insert(reply.map_err(TurnError::into_store_error)?).clone(),
        };
        let prefix = keys::conversation(&proposal.header.user, &proposal.header.conversation);
        let nonce = hex::encode(request.nonce);
        let outcome = outcome_after_decision(&proposal.header.id, outcome);
        let turn = Turn {
            at: request.at,
            nonce,
            message: said,
            answer,
            shown: shown.capped(),
            outcome,
            message_id: request.message_id.clone(),
            is_click: request.is_click(),
        };
        let bookkeeping = Bookkeeping { turn: Some((prefix, turn)), ..Bookkeeping::default() };
        Ok((self.with_waiting_entry(bookkeeping, proposal, request.conventions().style)?, stored))
    }

    /// `stored`: the reply, if it was stored with the decision.
    pub(super) async fn form_reply(
        &self,
        request: &TurnRequest,
        outcome: &Outcome,
        stored: Option<Reply>,
    ) -> Result<Reply, TurnError> {
        let mut reply = stored.map_or_else(|| self.outcome_reply(outcome, request), Ok)?;
        reply.conversation_id = match outcome {
            Outcome::Executed { proposal, .. } | Outcome::Executing(proposal) | Outcome::Rejected(proposal) => {
                proposal.header.conversation.clone()
            }
            _ => request.conversation.clone(),
        };
        match outcome {
            Outcome::Executed { proposal, .. } if proposal.body.is_watched => {
                Ok(self.with_statuses_by_form(request, outcome, reply).await)
            }
            _ => Ok(reply),
        }
    }

    /// Reads the preferences and the sums after the write together.
    async fn with_statuses_by_form(&self, request: &TurnRequest, outcome: &Outcome, reply: Reply) -> Reply {
        let (store, deadline) = (self.store.tenant(request.caller.tenant()), request.deadline.answer - RELEASE_TIME);
        let from = last_month(request.at);
        let TurnContext { settings, preferences, rollups, rollups_are_partial, .. } =
            match timeout_at(deadline, store.settings_from(Some(from))).await {
                Ok(Ok(context)) => context,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "what is remembered could not be read after an approval");
                    return reply;
                }
                Err(_) => return reply,
            };
        let settings = self.registry.reading_preferences(&preferences).settings(settings);
        let now = request.now(&settings, &self.defaults);
        let reader = Reader { today: now.date(), hour: now.hour(), conventions: request.conventions() };
        let rollups = (!rollups_are_partial).then(|| (from.first_of_month(), &rollups));
        let at = ReplyContext { caller: &request.caller, store, reader, rollups, deadline };
        self.with_statuses(at, &preferences, std::slice::from_ref(outcome), reply).await
    }

    /// Adds the entry of a proposal among the waiting ones.
    pub(super) fn with_waiting_entry(
        &self,
        bookkeeping: Bookkeeping,
        proposal: &Proposal,
        style: Style,
    ) -> Result<Bookkeeping, StoreError> {
        let wording = self.wording(style);
        let (summary, changes) = (wording.summary_with_names(proposal)?, wording.changes(proposal)?);
        Ok(Bookkeeping { summary, changes, ..bookkeeping })
    }

    fn revision_changes(&self, outcome: &Outcome) -> Result<Option<Changes>, StoreError> {
        let Outcome::Stale { revision: Some(revision), .. } = outcome else { return Ok(None) };
        self.wording(Style::default()).changes(revision).map(Some)
    }

    /// The reply to a decision. The error tells why the decision had no effect.
    pub(super) fn outcome_reply(&self, outcome: &Outcome, request: &TurnRequest) -> Result<Reply, TurnError> {
        let mut reply = self.reply_to_outcome(outcome, request)?;
        reply.shown.decided = decided(outcome);
        Ok(reply)
    }

    fn reply_to_outcome(&self, outcome: &Outcome, request: &TurnRequest) -> Result<Reply, TurnError> {
        let (wording, now) = (self.wording(request.conventions().style), request.at);
        let view = |proposal: &Proposal| Ok::<_, TurnError>(Box::new(wording.proposal_view(proposal, now)?));
        match outcome {
            Outcome::Executed { receipt, replayed, .. } => {
                let mut reply = Reply { answer: wording.done(&[receipt])?, ..Reply::default() };
                reply.shown.written = Some(wording.written(receipt)?);
                wording.put_rows(receipt, &mut reply)?;
                reply.data_version = Some(receipt.data_version.clone());
                reply.found.suggestions = self.registry.suggestions_after_a_write();
                reply.receipt = Some(ReceiptView { replayed: *replayed, ..wording.receipt_view(receipt)? });
                Ok(reply)
            }
            Outcome::Rejected(proposal) => Ok(Reply {
                answer: wording.rejected(proposal)?,
                attempted_add: self.attempted_add(proposal)?,
                shown: shown_of_declined(proposal, wording.changes(proposal)?),
                ..Reply::default()
            }),
            Outcome::Waiting(proposal) => self.waiting_reply(proposal, request),
            Outcome::Executing(proposal) => Ok(Reply {
                answer: wording.working(proposal)?,
                proposal: Some(wording.proposal_view(proposal, now)?),
                progress: wording.progress(proposal),
                data_version: data_version(&proposal.header),
                shown: Shown { rows: rows_of(&wording.changes(proposal)?), ..Shown::default() },
                ..Reply::default()
            }),
            Outcome::Stale { proposal, changed, revision } => {
                let lines = wording.changed(proposal, changed)?;
                let what_now = match revision {
                    Some(revision) => format!("Do you still want this?\n{}", wording.question(revision)?),
                    None => "Say it again if you still want it.".to_owned(),
                };
                let detail = format!("Nothing was changed, because {}. {what_now}", lines.join(", and "));
                let rows = changed.iter().filter_map(|(_, conflict)| match conflict {
                    Conflict::Changed(now) => Some(wording.row(now)),
                    Conflict::Deleted | Conflict::Taken => None,
                });
                let changed = rows.collect::<Result<_, _>>()?;
                let revision = revision.as_deref().map(view).transpose()?;
                Err(TurnError::Stale { detail, proposal: view(proposal)?, changed, revision })
            }
            Outcome::Closed(proposal) => {
                Err(TurnError::Closed { detail: closed(proposal, now).into(), proposal: view(proposal)? })
            }
            Outcome::Expired(proposal) => Err(TurnError::Expired { proposal: view(proposal)? }),
            Outcome::NotFound => Err(TurnError::NoSuchProposal),
            Outcome::Altered(id) => Err(StoreError::altered(id).into()),
            Outcome::Forbidden => {
                Err(TurnError::Forbidden("you may not change this. Ask its owner or an administrator".into()))
            }
            Outcome::FingerprintMismatch => Err(TurnError::FingerprintMismatch),
            Outcome::Busy => Err(TurnError::Busy),
            Outcome::Unknown => Err(TurnError::OutcomeUnknown),
        }
    }

    /// Like [`Self::outcome_reply`], but in a conversation the reason for no effect is an answer, not an error.
    pub(super) fn conversation_reply(&self, turn: &CurrentTurn<'_>, outcome: &Outcome) -> Result<Reply, TurnError> {
        let mut reply = match self.outcome_reply(outcome, turn.request) {
            Err(
                error @ (TurnError::Stale { .. }
                | TurnError::Closed { .. }
                | TurnError::Expired { .. }
                | TurnError::NoSuchProposal),
            ) => {
                let answer = sentence(&error.to_string());
                let revision = match error {
                    TurnError::Stale { revision, .. } => revision.map(|revision| *revision),
                    _ => None,
                };
                let proposal = self.revision_changes(outcome)?;
                let shown = Shown { decided: decided(outcome), proposal, ..Shown::default() };
                Reply {
                    answer,
                    confirmation_required: revision.is_some(),
                    proposal: revision,
                    shown,
                    ..Reply::default()
                }
            }
            result => result?,
        };
        let told = matches!(turn.last_outcome(), Some(TurnOutcome::Decided(_)));
        let again = told && matches!(yes_no::read(turn.message), Some(PlainAnswer::Yes(_)));
        if again && reply.receipt.as_ref().is_some_and(|receipt| receipt.replayed) {
            reply.answer.insert_str(0, "This was already done:\n");
        }
        Ok(turn.finish(reply))
    }

    fn attempted_add(&self, proposal: &Proposal) -> Result<Option<Value>, StoreError> {
        let mut rows = proposal.body.changes.operations().iter().filter(|row| !row.row().draft.is_preference());
        let created = rows.find(|operation| operation.before().is_none());
        let created = created.and_then(|operation| operation.after());
        let mut row = created.map(|record| self.registry.row(record)).transpose()?;
        if let Some(fields) = row.as_mut().and_then(Value::as_object_mut) {
            // The row does not exist, so it has no id and no version.
            fields.retain(|name, _| name != "id" && name != "version");
        }
        Ok(row)
    }
}

/// Why a call has no result. `other`: the reason if its tool does something else.
pub(super) fn not_done(outcome: ToolOutcome, other: &str) -> TurnError {
    match outcome {
        ToolOutcome::Asked(question) => TurnError::Unclear(Box::new(question)),
        ToolOutcome::Forbidden(reason) => TurnError::Forbidden(reason),
        ToolOutcome::Malformed(reason) | ToolOutcome::Refused(reason) | ToolOutcome::NothingFound(reason) => {
            TurnError::Unprocessable(reason)
        }
        ToolOutcome::Found(_) | ToolOutcome::Planned(_) | ToolOutcome::Revised(_) => {
            TurnError::Unprocessable(other.to_owned())
        }
    }
}

/// The proposal that a decision ended. Empty if there is none, or if it still waits.
fn decided(outcome: &Outcome) -> Vec<ProposalId> {
    match outcome {
        Outcome::Executed { proposal, .. }
        | Outcome::Executing(proposal)
        | Outcome::Rejected(proposal)
        | Outcome::Stale { proposal, .. }
        | Outcome::Closed(proposal)
        | Outcome::Expired(proposal) => vec![proposal.header.id.clone()],
        _ => vec![],
    }
}

fn shown_of_declined(proposal: &Proposal, changes: Changes) -> Shown {
    let kept = changes.lines.into_iter().filter(|line| !line.is_side_effect).filter_map(|line| line.before);
    Shown { decided: vec![proposal.header.id.clone()], kept: kept.collect(), ..Shown::default() }
}

fn rows_of(changes: &Changes) -> Vec<ShownRow> {
    changes.lines.iter().flat_map(|line| line.before.iter().chain(&line.after)).cloned().collect()
}

/// The approval is the first transaction, so it may be the only one done.
pub(super) fn no_chunk_done(proposal: &Proposal) -> bool {
    matches!(&proposal.header.state, State::Executing { run, .. } if run.cursor == 0)
}

/// The stored outcome of the turn, which tells what the next plain answer is about.
pub(super) fn outcome_after_decision(id: &ProposalId, outcome: &Outcome) -> TurnOutcome {
    match outcome {
        Outcome::Stale { revision: Some(revision), .. } => TurnOutcome::ShowedProposal(revision.header.id.clone()),
        _ => TurnOutcome::Decided(id.clone()),
    }
}

fn rejection(proposal: &Proposal) -> String {
    match &proposal.header.state {
        State::Rejected { reason: Some(reason), .. } => format!("No: {reason}"),
        _ => "No.".into(),
    }
}
