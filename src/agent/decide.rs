//! Decisions: by a plain word, by form, and by tool and arguments. No model takes part.

use serde_json::Value;

use super::{
    Agent, CurrentTurn, Decision, RELEASING, TurnError, TurnRequest,
    memory::Moment,
    reply::{ReceiptView, Reply},
    think::{BATCH, Planned, check_count},
    wording::closed,
};
use crate::{
    model::ToolCall,
    phrases::{PlainAnswer, Reader, upper_first, yes_no},
    proposal::{
        Call, Fingerprint, Outcome, Policy, Proposal, ProposalId, Record, Standing, State, Task, Verdict, data_version,
        hash_json,
    },
    store::{Bookkeeping, Ended, Settings, StoreError, Turn, Waiting, keys},
    tool::{Question, ToolKind, ToolOutcome},
};

/// What a plain answer means in its conversation.
pub(super) enum Meant {
    /// The fingerprint is absent only if it no longer waits; then the proposal itself says what became of it.
    Decide { id: ProposalId, fingerprint: Option<Fingerprint>, verdict: Verdict },
    /// More than one thing waits.
    Which { approve: bool },
    /// Something else was said since it was shown, so it is shown again.
    Unsure { waiting: Waiting, approve: bool },
}

impl CurrentTurn<'_> {
    /// None if the message is not a plain answer to something that waits: then it is for the model.
    pub(super) fn plain_answer(&self) -> Option<Meant> {
        if yes_no::is_stop(self.message)
            && let Some(id) = self.under_way()
        {
            return Some(Meant::Decide { id: id.clone(), fingerprint: None, verdict: Verdict::Stop });
        }
        let answer = self.plainly()?;
        let decide = |id: &ProposalId, approve: bool| {
            let shown = self.context.waiting.iter().find(|waiting| waiting.id == *id);
            let fingerprint = shown.map(|waiting| waiting.fingerprint.clone());
            Some(Meant::Decide { id: id.clone(), fingerprint, verdict: verdict(approve) })
        };
        if let (Some(Ended::Listed { proposals, approve }), Some((n, approve_this))) =
            (self.last_ended(), answer.numbered())
        {
            return decide(proposals.get(n - 1)?, approve_this.unwrap_or(*approve));
        }
        let approve = match answer {
            PlainAnswer::Yes(None) => true,
            PlainAnswer::No(None) => false,
            _ => return None,
        };
        let mut live = self.live();
        // "Ok, delete it" after everything is decided is something new.
        let idle = self.live().next().is_none() && !yes_no::agrees(self.message, "");
        if approve && (idle || !self.live().all(|waiting| yes_no::agrees(self.message, &waiting.summary))) {
            return None;
        }
        match (live.next(), live.next(), self.last_ended()) {
            // A no to the question that was asked since.
            (Some(_), Some(_), Some(Ended::Asked)) if !approve => None,
            (Some(_), Some(_), _) => Some(Meant::Which { approve }),
            (Some(only), None, Some(Ended::Shown(id))) if *id == only.id => decide(id, approve),
            // A no after an answer that told of it; to a question it may be an answer.
            (Some(only), None, Some(Ended::Answered)) if !approve && self.was_told_of() => decide(&only.id, approve),
            (Some(only), None, _) => Some(Meant::Unsure { waiting: only.clone(), approve }),
            // Decided, here or elsewhere, or expired since: the proposal itself says which.
            (None, _, Some(Ended::Shown(id) | Ended::Decided(id))) if !self.takes_back() => decide(id, approve),
            (None, _, _) => None,
        }
    }

    /// The run that is meant where none is named: the one decided last, or the only one.
    fn under_way(&self) -> Option<&ProposalId> {
        let runs = &self.context.settings.runs;
        let decided = runs.iter().find(|(id, _)| self.last_ended() == Some(&Ended::Decided(id.clone())));
        let only = if runs.len() == 1 { runs.first() } else { None };
        decided.or(only).map(|(id, _)| id)
    }
}

impl Agent {
    pub(super) async fn decide_by_word(&self, turn: &CurrentTurn<'_>, meant: Meant) -> Result<Reply, TurnError> {
        match meant {
            Meant::Which { approve } => self.ask_which(turn, approve).await,
            Meant::Unsure { waiting, approve } => self.show_again(turn, &waiting, approve).await,
            Meant::Decide { id, fingerprint, verdict } => {
                let rejects = matches!(verdict, Verdict::Reject { .. });
                let keep = |outcome: &Outcome| {
                    let reply = self.spoken_reply(turn, outcome).map_err(store_error)?;
                    let mut bookkeeping = turn.bookkeeping(&reply, decided_or_shown(&id, outcome));
                    if let Outcome::Executing(proposal) = outcome {
                        // Not the message's answer yet: said again, it goes on with the run.
                        bookkeeping.claim = None;
                        if !begins(proposal) {
                            bookkeeping.turn = None;
                        }
                    }
                    if let Outcome::Stale { revision: Some(revision), .. } = outcome {
                        bookkeeping.summary = self.wording(turn.conventions.style).summary(revision)?;
                    }
                    Ok(bookkeeping)
                };
                let task = Task::Decide { id: id.clone(), fingerprint: fingerprint.clone(), verdict };
                let (mut outcome, mut kept) = self.run(turn.request, task, keep).await?;
                if let (true, Outcome::Closed(proposal)) = (rejects, &outcome)
                    && matches!(proposal.header.standing(turn.request.at), Standing::Executing | Standing::Stopped)
                {
                    // A no to what is under way, or was when it was said first.
                    let task = Task::Decide { id: id.clone(), fingerprint, verdict: Verdict::Stop };
                    (outcome, kept) = self.run(turn.request, task, keep).await?;
                }
                let reply = self.spoken_reply(turn, &outcome)?;
                if let Outcome::Rejected(proposal) = &outcome {
                    self.skip(turn.request, proposal).await;
                }
                let reply = match outcome {
                    _ if kept => reply,
                    Outcome::Executing(_) => {
                        turn.release().await;
                        reply
                    }
                    _ => self.conclude(turn, reply, decided_or_shown(&id, &outcome)).await?,
                };
                Ok(self.with_statuses(turn.moment(), &turn.context.memory, &outcome, reply).await)
            }
        }
    }

    pub(super) async fn decide_by_form(
        &self,
        request: &TurnRequest,
        id: &ProposalId,
        fingerprint: &Fingerprint,
        decision: &Decision,
    ) -> Result<Reply, TurnError> {
        let verdict = match decision {
            Decision::Approve => Verdict::Approve,
            Decision::Reject { reason } => Verdict::Reject { reason: reason.clone() },
            Decision::Stop => Verdict::Stop,
            Decision::Edit(edits) => return self.edit(request, id, fingerprint, edits).await,
        };
        let task = Task::Decide { id: id.clone(), fingerprint: Some(fingerprint.clone()), verdict };
        let (outcome, remembered) = self.decide_outside(request, task).await?;
        self.form_reply(request, &outcome, remembered).await
    }

    /// Legacy: an open proposal of this call is approved, an executed one replays its receipt; anything else becomes a
    /// waiting proposal, never a write.
    pub(super) async fn confirm_call(&self, request: &TurnRequest, call: &Call) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let known = store.proposal_by_arguments(request.caller.user().as_str(), &hash_json(call)).await?;
        if let Some(id) = known {
            let task = Task::Decide { id, fingerprint: None, verdict: Verdict::Approve };
            let (outcome, remembered) = self.decide_outside(request, task).await?;
            if !matches!(outcome, Outcome::NotFound | Outcome::Expired(_) | Outcome::Closed(_)) {
                return self.form_reply(request, &outcome, remembered).await;
            }
        }
        self.propose_call(request, call, "Yes.").await
    }

    /// Shows what a call would change. `said` stands for it in the conversation.
    pub(super) async fn propose_call(
        &self,
        request: &TurnRequest,
        call: &Call,
        said: &str,
    ) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let context = self.context(store, request).await?;
        let turn = CurrentTurn::new(request, store, context, None, said, self);
        let planned = self.plan_call(&turn, call).await?;
        self.propose(&turn, planned, Policy::Always).await
    }

    async fn plan_call(&self, turn: &CurrentTurn<'_>, call: &Call) -> Result<Planned, TurnError> {
        let refused = |reason: String| TurnError::Unprocessable(reason);
        let calls = match call.tool.as_str() {
            BATCH => serde_json::from_value(call.arguments["calls"].clone())
                .map_err(|error| refused(format!("args.calls must list calls of the form {{tool, args}}: {error}")))?,
            _ => vec![call.clone()],
        };
        check_count(calls.len())?;
        let mut planned = Planned { call: call.clone(), changes: vec![], notes: vec![] };
        for Call { tool, arguments } in calls {
            if self.registry.tool_kind(&tool) != ToolKind::Action {
                return Err(refused("confirm.tool must name a tool that changes something, as it was shown".into()));
            }
            let call = ToolCall { id: String::new(), name: tool, arguments };
            match self.registry.dispatch(&call, &turn.tool_context(&[], &[])).await? {
                ToolOutcome::Planned(plan) => {
                    if let (Some(meant), false) = (&plan.stored, planned.call.tool == BATCH) {
                        planned.call.arguments = meant.clone();
                    }
                    planned.changes.extend(plan.changes);
                    planned.notes.extend(plan.notes);
                }
                ToolOutcome::Asked(question) => return Err(refused(question.text)),
                ToolOutcome::Forbidden(reason) => return Err(TurnError::Forbidden(reason)),
                ToolOutcome::Malformed(reason) | ToolOutcome::Refused(reason) => return Err(refused(reason)),
                ToolOutcome::Found(_) | ToolOutcome::Revised(_) => {
                    return Err(refused("confirm.tool must name a tool that changes something".into()));
                }
            }
        }
        Ok(planned)
    }

    /// One read and one transaction, which also tells the conversation what was decided. Beside them, what is remembered:
    /// an approval may touch what it is about.
    async fn decide_outside(
        &self,
        request: &TurnRequest,
        task: Task,
    ) -> Result<(Outcome, (Settings, Vec<Record>)), TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let approves = matches!(task, Task::Decide { verdict: Verdict::Approve, .. });
        let remembered = async { if approves { store.remembered().await } else { Ok(Default::default()) } };
        let deciding = self.run(request, task, |outcome| self.keep_form(request, outcome));
        let (decided, remembered) = tokio::join!(deciding, remembered);
        let remembered = remembered.unwrap_or_else(|error| {
            tracing::warn!(%error, "what is remembered could not be read beside an approval");
            Default::default()
        });
        let (outcome, _) = decided?;
        if let Outcome::Rejected(proposal) = &outcome {
            self.skip(request, proposal).await;
        }
        Ok((outcome, remembered))
    }

    fn keep_form(&self, request: &TurnRequest, outcome: &Outcome) -> Result<Bookkeeping, StoreError> {
        let (proposal, said) = match outcome {
            Outcome::Executed { proposal, .. } => (proposal, "Yes.".to_owned()),
            Outcome::Executing(proposal) if begins(proposal) => (proposal, "Yes.".to_owned()),
            Outcome::Rejected(proposal) => (proposal, rejection(proposal)),
            Outcome::Stale { revision: Some(revision), .. } => (&**revision, "Yes.".to_owned()),
            _ => return Ok(Bookkeeping::default()),
        };
        if proposal.header.user != request.caller.user().as_str() {
            return Ok(Bookkeeping::default());
        }
        let answer = match self.decided_reply(outcome, request) {
            Err(error @ TurnError::Stale { .. }) => upper_first(&error.to_string()),
            reply => reply.map_err(store_error)?.answer,
        };
        let prefix = keys::conversation(&proposal.header.user, &proposal.header.conversation);
        let nonce = data_encoding::HEXLOWER.encode(&request.nonce);
        let ended = decided_or_shown(&proposal.header.id, outcome);
        let turn = Turn { at: request.at, nonce, said, answer, ended };
        Ok(Bookkeeping {
            turn: Some((prefix, turn)),
            summary: self.wording(request.conventions().style).summary(proposal)?,
            ..Bookkeeping::default()
        })
    }

    async fn form_reply(
        &self,
        request: &TurnRequest,
        outcome: &Outcome,
        (settings, memory): (Settings, Vec<Record>),
    ) -> Result<Reply, TurnError> {
        let mut reply = self.decided_reply(outcome, request)?;
        let now = request.now(&settings, &self.defaults);
        reply.conversation_id = match outcome {
            Outcome::Executed { proposal, .. } | Outcome::Executing(proposal) | Outcome::Rejected(proposal) => {
                proposal.header.conversation.clone()
            }
            _ => request.conversation.clone(),
        };
        let moment = Moment {
            store: self.store.tenant(request.caller.tenant()),
            reader: Reader { today: now.date(), hour: now.hour(), conventions: request.conventions() },
            deadline: request.deadline.answer - RELEASING,
        };
        Ok(self.with_statuses(moment, &memory, outcome, reply).await)
    }

    /// The reply to a decision, or the error that says why it did not take effect.
    pub(super) fn decided_reply(&self, outcome: &Outcome, request: &TurnRequest) -> Result<Reply, TurnError> {
        let (wording, now) = (self.wording(request.conventions().style), request.at);
        let view = |proposal: &Proposal| Ok::<_, TurnError>(Box::new(wording.proposal_view(proposal, now)?));
        match outcome {
            Outcome::Executed { receipt, replayed, .. } => {
                let mut reply = Reply { answer: wording.done(receipt)?, ..Reply::default() };
                wording.put_rows(receipt, &mut reply)?;
                reply.data_version = Some(receipt.data_version.clone());
                reply.found.suggestions = self.registry.suggestions_after_a_write();
                reply.receipt = Some(ReceiptView { replayed: *replayed, ..wording.receipt_view(receipt)? });
                Ok(reply)
            }
            Outcome::Rejected(proposal) => Ok(Reply {
                answer: wording.rejected(proposal)?,
                attempted_add: self.attempted_add(proposal)?,
                ..Reply::default()
            }),
            Outcome::Waiting(proposal) => self.waiting_reply(proposal, request),
            Outcome::Executing(proposal) => Ok(Reply {
                answer: wording.working(proposal)?,
                proposal: Some(wording.proposal_view(proposal, now)?),
                progress: wording.progress(proposal),
                data_version: data_version(&proposal.header),
                ..Reply::default()
            }),
            Outcome::Halted(proposal) => {
                let text = format!("the next chunk of proposal {} is missing or was altered", proposal.header.id);
                Err(StoreError::Corrupt(text).into())
            }
            Outcome::Stale { proposal, changed, revision } => {
                let lines = wording.changed(proposal, changed)?;
                let what_now = match revision {
                    Some(revision) => format!("This still holds:\n{}", wording.question(revision)?),
                    None => "Say it again if you still want it.".to_owned(),
                };
                let detail = format!("Nothing was changed, because {}. {what_now}", lines.join("; "));
                let rows = changed.iter().filter_map(|(_, now)| now.as_ref()).map(|record| wording.row(record));
                let changed = rows.collect::<Result<_, _>>()?;
                let revision = revision.as_deref().map(view).transpose()?;
                Err(TurnError::Stale { detail, proposal: view(proposal)?, changed, revision })
            }
            Outcome::Closed(proposal) => {
                Err(TurnError::Closed { detail: closed(proposal, now).into(), proposal: view(proposal)? })
            }
            Outcome::Expired(proposal) => Err(TurnError::Expired { proposal: view(proposal)? }),
            Outcome::NotFound => Err(TurnError::NoSuchProposal),
            Outcome::Forbidden => {
                Err(TurnError::Forbidden("you may not change this; ask its owner or an administrator to decide".into()))
            }
            Outcome::FingerprintMismatch => Err(TurnError::FingerprintMismatch),
            Outcome::Busy => Err(TurnError::Busy),
            Outcome::Unknown => Err(TurnError::OutcomeUnknown),
        }
    }

    /// In a conversation, why something did not take effect is an answer.
    pub(super) fn spoken_reply(&self, turn: &CurrentTurn<'_>, outcome: &Outcome) -> Result<Reply, TurnError> {
        let mut reply = match self.decided_reply(outcome, turn.request) {
            Err(
                error @ (TurnError::Stale { .. }
                | TurnError::Closed { .. }
                | TurnError::Expired { .. }
                | TurnError::NoSuchProposal),
            ) => {
                let answer = upper_first(&error.to_string());
                let revision = match error {
                    TurnError::Stale { revision, .. } => revision.map(|revision| *revision),
                    _ => None,
                };
                Reply { answer, confirmation_required: revision.is_some(), proposal: revision, ..Reply::default() }
            }
            result => result?,
        };
        let told = matches!(turn.last_ended(), Some(Ended::Decided(_)));
        let again = told && matches!(yes_no::read(turn.message), Some(PlainAnswer::Yes(_)));
        if again && reply.receipt.as_ref().is_some_and(|receipt| receipt.replayed) {
            reply.answer.insert_str(0, "That was decided already. ");
        }
        Ok(turn.finish(reply))
    }

    fn attempted_add(&self, proposal: &Proposal) -> Result<Option<Value>, StoreError> {
        let mut rows = proposal.body.changes.operations().iter().filter(|row| !row.row().draft.is_remembered());
        let created = rows.find(|operation| operation.before().is_none());
        let created = created.and_then(|operation| operation.after());
        let mut row =
            created.map(|record| self.registry.kind_of(&record.draft.kind).map(|kind| kind.row(record))).transpose()?;
        if let Some(fields) = row.as_mut().and_then(Value::as_object_mut) {
            // There is no such row.
            fields.retain(|name, _| name != "id" && name != "version");
        }
        Ok(row)
    }

    async fn ask_which(&self, turn: &CurrentTurn<'_>, approve: bool) -> Result<Reply, TurnError> {
        let live: Vec<&Waiting> = turn.live().collect();
        let options = live.iter().enumerate().map(|(n, waiting)| format!("{}. {}", n + 1, waiting.summary));
        let options: Vec<String> = options.collect();
        let text = format!("{} to which one?", if approve { "Yes" } else { "No" });
        let answer = format!("{text}\n{}", options.join("\n"));
        let question = Question { text, options, missing: vec!["proposal".into()] };
        let proposals = live.iter().map(|waiting| waiting.id.clone()).collect();
        let reply = Reply { answer, question: Some(question), ..Reply::default() };
        self.conclude(turn, reply, Ended::Listed { proposals, approve }).await
    }

    /// Offers the waiting proposal again, so that the next plain answer can only mean it.
    pub(super) async fn show_again(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &Waiting,
        approve: bool,
    ) -> Result<Reply, TurnError> {
        let lead =
            if approve { "Do you mean this, which is still waiting?" } else { "All right. This is still waiting:" };
        self.show_with(turn, waiting, lead).await
    }

    pub(super) async fn show_with(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &Waiting,
        lead: &str,
    ) -> Result<Reply, TurnError> {
        let found = turn.store.proposal(&waiting.id).await?.ok_or(TurnError::NoSuchProposal)?;
        if found.header.standing(turn.request.at) != Standing::Pending {
            let text = format!("{}: {}", closed(&found, turn.request.at), waiting.summary);
            return self
                .conclude(turn, Reply { answer: upper_first(&text), ..Reply::default() }, Ended::Answered)
                .await;
        }
        let mut reply = self.waiting_reply(&found, turn.request)?;
        reply.answer = format!("{lead}\n{}", reply.answer);
        self.conclude(turn, reply, Ended::Shown(waiting.id.clone())).await
    }
}

/// Its first transaction is the approval itself.
fn begins(proposal: &Proposal) -> bool {
    matches!(&proposal.header.state, State::Executing { run, .. } if run.cursor == 0)
}

/// What the next plain answer is about.
fn decided_or_shown(id: &ProposalId, outcome: &Outcome) -> Ended {
    match outcome {
        Outcome::Stale { revision: Some(revision), .. } => Ended::Shown(revision.header.id.clone()),
        _ => Ended::Decided(id.clone()),
    }
}

fn verdict(approve: bool) -> Verdict {
    if approve { Verdict::Approve } else { Verdict::Reject { reason: None } }
}

fn rejection(proposal: &Proposal) -> String {
    match &proposal.header.state {
        State::Rejected { reason: Some(reason), .. } => format!("No: {reason}"),
        _ => "No.".into(),
    }
}

pub(super) fn store_error(error: TurnError) -> StoreError {
    match error {
        TurnError::Store(error) => error,
        other => StoreError::Corrupt(other.to_string()),
    }
}
