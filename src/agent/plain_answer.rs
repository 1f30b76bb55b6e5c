//! Decisions by a plain word: which proposal a yes or a no means, and what is done when it could mean more than one. No
//! model takes part.

use jiff::SignedDuration;

use super::{
    Agent, CurrentTurn, TurnError,
    decide::{no_chunk_done, outcome_after_decision},
    reply::Reply,
    wording::{closed, still_waiting},
};
use crate::{
    phrases::{PlainAnswer, choices, sentence, yes_no},
    proposal::{Decision, Fingerprint, Outcome, Progress, ProposalId, ProposalStatus, Receipt, Task},
    store::{TurnOutcome, WaitingProposal},
    tool::Question,
};

/// What a plain answer means in its conversation.
pub(super) enum PlainDecision {
    Decide {
        proposals: Vec<DecisionTarget>,
        decision: Decision,
    },
    /// More than one thing waits.
    AskWhich {
        approve: bool,
    },
    /// Something else was said since it was shown, so it is shown again.
    ShowAgain {
        waiting: WaitingProposal,
        approve: bool,
    },
}

/// The fingerprint is absent only if it no longer waits; then the proposal itself says what became of it.
pub(super) struct DecisionTarget {
    pub id: ProposalId,
    fingerprint: Option<Fingerprint>,
}

impl CurrentTurn<'_> {
    /// None if the message is not a plain answer to something that waits: then it is for the model.
    pub(super) fn plain_decision(&self) -> Option<PlainDecision> {
        if yes_no::is_stop(self.message)
            && let Some(id) = self.running_proposal()
        {
            let proposals = vec![DecisionTarget { id: id.clone(), fingerprint: None }];
            return Some(PlainDecision::Decide { proposals, decision: Decision::Stop });
        }
        let waiting = |id: &ProposalId| self.context.waiting.iter().find(|waiting| waiting.id == *id);
        let decide = |ids: &[ProposalId], approve: bool| {
            let named = |id: &ProposalId| DecisionTarget {
                id: id.clone(),
                fingerprint: waiting(id).map(|waiting| waiting.fingerprint.clone()),
            };
            Some(PlainDecision::Decide { proposals: ids.iter().map(named).collect(), decision: decision_of(approve) })
        };
        let agrees = |waiting: &WaitingProposal| yes_no::agrees(self.message, &waiting.summary);
        if let Some(TurnOutcome::AskedWhich { proposals, approve }) = self.last_outcome()
            && self.sees_last_answer()
            && let Some(said) = choices::for_all(self.message, proposals.len())
        {
            let approve = said.unwrap_or(*approve);
            let agreed = !approve || proposals.iter().filter_map(waiting).all(agrees);
            return decide(proposals, approve).filter(|_| agreed);
        }
        let answer = self.yes_or_no();
        if let Some(TurnOutcome::AskedWhich { proposals, approve }) = self.last_outcome() {
            let summaries: Vec<&str> =
                proposals.iter().map(|id| waiting(id).map_or("", |waiting| &waiting.summary)).collect();
            // A page sends back the option as it was given.
            let is_option = |at: &usize| self.message.trim() == option(*at, summaries[*at]);
            if let Some(at) = (0..summaries.len()).find(is_option) {
                return decide(std::slice::from_ref(&proposals[at]), *approve);
            }
            if let Some((at, said)) = choices::names_one(self.message, &summaries).filter(|_| self.sees_last_answer()) {
                return decide(std::slice::from_ref(&proposals[at]), said.unwrap_or(*approve));
            }
            let numbered = answer.and_then(PlainAnswer::numbered);
            // "#1" is a row everywhere else.
            let is_row = self.message.contains('#')
                && proposals.iter().filter_map(waiting).any(|waiting| waiting.summary.contains('#'));
            if let Some((n, approve_this)) = numbered.filter(|_| !is_row && self.sees_last_answer()) {
                return decide(std::slice::from_ref(proposals.get(n - 1)?), approve_this.unwrap_or(*approve));
            }
            if numbered.is_some() || choices::may_choose(self.message, proposals.len()) {
                return (self.live().count() > 1).then_some(PlainDecision::AskWhich { approve: *approve });
            }
        }
        let live: Vec<&WaitingProposal> = self.live().collect();
        let was_just_shown = self.shown_proposal().is_some()
            || self.last_outcome() == Some(&TurnOutcome::Answered)
                && self.last_answer_mentions_waiting()
                && self.sees_last_answer();
        let summaries: Vec<&str> = live.iter().map(|waiting| &*waiting.summary).collect();
        // A no can be taken back by saying it again.
        if let Some((at, Some(approve))) = choices::names_one(self.message, &summaries)
            && (was_just_shown || !approve)
            && self.last_outcome() != Some(&TurnOutcome::Asked)
        {
            return decide(std::slice::from_ref(&live[at].id), approve);
        }
        // Right after another of them was decided, its number or name alone.
        if matches!(self.last_outcome(), Some(TurnOutcome::Decided(_))) {
            let named = choices::names_one(self.message, &summaries).map(|(at, _)| at);
            let is_picked = matches!(answer, Some(PlainAnswer::Pick(_)));
            match (&live[..], named) {
                (live, Some(at)) => return Some(PlainDecision::ShowAgain { waiting: live[at].clone(), approve: true }),
                ([only], None) if is_picked => {
                    return Some(PlainDecision::ShowAgain { waiting: (*only).clone(), approve: true });
                }
                ([_, ..], None) if is_picked => return Some(PlainDecision::AskWhich { approve: true }),
                _ => {}
            }
        }
        let for_all = choices::for_all(self.message, live.len());
        let approve = match (for_all, answer) {
            (Some(Some(approve)), _) => approve,
            (_, Some(PlainAnswer::Yes(None))) => true,
            (_, Some(PlainAnswer::No(None))) => false,
            // "Both", and nothing was asked.
            (Some(None), None) if was_just_shown => return Some(PlainDecision::AskWhich { approve: true }),
            _ => return None,
        };
        // "Ok, delete it" after everything is decided is something new.
        let idle = live.is_empty() && !yes_no::agrees(self.message, "");
        if approve && (idle || !live.iter().all(|waiting| agrees(waiting))) {
            return None;
        }
        // "Both" can also be said of two rows that wait together, or of what was asked since.
        let is_single = |waiting: &&WaitingProposal| yes_no::counted(&waiting.summary) == Some(1);
        let is_for_all = for_all.is_some() && was_just_shown && live.iter().all(is_single);
        let one = |id: &ProposalId| decide(std::slice::from_ref(id), approve);
        match (&live[..], self.last_outcome()) {
            // A no to the question that was asked since.
            ([_, _, ..], Some(TurnOutcome::Asked)) if !approve => None,
            ([_, _, ..], _) if is_for_all => {
                decide(&live.iter().map(|waiting| waiting.id.clone()).collect::<Vec<_>>(), approve)
            }
            ([_, _, ..], _) => Some(PlainDecision::AskWhich { approve }),
            ([only], Some(TurnOutcome::ShowedProposal(id))) if *id == only.id && self.sees_last_answer() => one(id),
            // A no after an answer that told of it; to a question it may be an answer.
            ([only], Some(TurnOutcome::Answered)) if !approve && self.last_answer_mentions_waiting() => one(&only.id),
            ([only], _) => Some(PlainDecision::ShowAgain { waiting: (*only).clone(), approve }),
            // Decided, here or elsewhere, or expired since: the proposal itself says which.
            ([], Some(TurnOutcome::ShowedProposal(id) | TurnOutcome::Decided(id)))
                if !self.takes_back_last_decision() =>
            {
                one(id)
            }
            ([], Some(TurnOutcome::AskedWhich { proposals, .. })) => decide(proposals, approve),
            ([], _) => None,
        }
    }

    /// The run that is meant where none is named: the one decided last, or the only one.
    fn running_proposal(&self) -> Option<&ProposalId> {
        let runs = &self.context.settings.runs;
        let decided = runs.iter().find(|(id, _)| self.last_outcome() == Some(&TurnOutcome::Decided(id.clone())));
        let only = if runs.len() == 1 { runs.first() } else { None };
        decided.or(only).map(|(id, _)| id)
    }
}

impl Agent {
    pub(super) async fn apply_plain_decision(
        &self,
        turn: &CurrentTurn<'_>,
        plain: PlainDecision,
    ) -> Result<Reply, TurnError> {
        match plain {
            PlainDecision::AskWhich { approve } => self.ask_which(turn, approve).await,
            PlainDecision::ShowAgain { waiting, approve } => self.show_again(turn, &waiting, approve).await,
            PlainDecision::Decide { proposals, decision } => self.decide_each(turn, &proposals, decision).await,
        }
    }

    /// One after the other, each in a transaction that also keeps what was decided so far: a message that is sent again
    /// after a crash decides the rest.
    async fn decide_each(
        &self,
        turn: &CurrentTurn<'_>,
        proposals: &[DecisionTarget],
        decision: Decision,
    ) -> Result<Reply, TurnError> {
        let listed = TurnOutcome::AskedWhich {
            proposals: proposals.iter().map(|named| named.id.clone()).collect(),
            approve: decision == Decision::Approve,
        };
        let (mut outcomes, mut left, mut kept, mut turn_outcome) = (Vec::new(), proposals, false, listed.clone());
        while let ([named, rest @ ..], false) = (left, is_under_way(&outcomes)) {
            left = rest;
            // Said again, it goes on with what is not decided, or not done.
            let then = |outcome: &Outcome| match outcome {
                Outcome::Executing(_) if proposals.len() > 1 => listed.clone(),
                _ if rest.is_empty() => outcome_after_decision(&named.id, outcome),
                _ => listed.clone(),
            };
            let decided = self.decide_one(turn, named, &decision, &outcomes, then).await;
            let told =
                decided.and_then(|(outcome, kept)| self.conversation_reply(turn, &outcome).map(|_| (outcome, kept)));
            let (outcome, committed) = match told {
                Ok(decided) => decided,
                Err(error) => return self.conclude_after_error(turn, &outcomes, error, listed).await,
            };
            (kept, turn_outcome) = (committed, then(&outcome));
            outcomes.push(outcome);
        }
        let mut reply = self.combined_reply(turn, &outcomes)?;
        let waits = |waiting: &&WaitingProposal| left.iter().any(|named| named.id == waiting.id);
        reply.answer.push_str(&still_waiting(turn.live().filter(waits)));
        let reply = match kept {
            true => reply,
            false if is_under_way(&outcomes) => {
                turn.release().await;
                reply
            }
            false => self.conclude(turn, reply, turn_outcome).await?,
        };
        Ok(self.with_statuses(turn.reply_context(), &turn.context.preferences, &outcomes, reply).await)
    }

    /// What was decided before something failed is told, and that it did; said again, the message goes on from there.
    async fn conclude_after_error(
        &self,
        turn: &CurrentTurn<'_>,
        outcomes: &[Outcome],
        error: TurnError,
        listed: TurnOutcome,
    ) -> Result<Reply, TurnError> {
        if outcomes.is_empty() {
            return Err(error);
        }
        let mut reply = self.combined_reply(turn, outcomes)?;
        reply.answer = format!("{}\n\nThen there was a problem. {}", reply.answer, sentence(&error.to_string()));
        // Not the message's answer yet.
        let reply = self.conclude(&CurrentTurn { claim: None, ..turn.clone() }, reply, listed).await?;
        turn.release().await;
        Ok(self.with_statuses(turn.reply_context(), &turn.context.preferences, outcomes, reply).await)
    }

    /// What became of it, and whether the turn is kept with that. `before`: what the same message decided before it.
    async fn decide_one(
        &self,
        turn: &CurrentTurn<'_>,
        DecisionTarget { id, fingerprint }: &DecisionTarget,
        decision: &Decision,
        before: &[Outcome],
        turn_outcome: impl Fn(&Outcome) -> TurnOutcome,
    ) -> Result<(Outcome, bool), TurnError> {
        let keep = |outcome: &Outcome| {
            let told = [before, std::slice::from_ref(outcome)].concat();
            let reply = self.combined_reply(turn, &told).map_err(TurnError::into_store_error)?;
            let turn_outcome = turn_outcome(outcome);
            let is_answer =
                !matches!((&turn_outcome, outcome), (TurnOutcome::AskedWhich { .. }, _) | (_, Outcome::Executing(_)));
            let mut bookkeeping = turn.bookkeeping(&reply, turn_outcome);
            if !is_answer {
                // Not the message's answer yet: said again, it goes on.
                bookkeeping.claim = None;
            }
            if let Outcome::Executing(proposal) = outcome
                && !no_chunk_done(proposal)
            {
                bookkeeping.turn = None;
            }
            if let Outcome::Stale { revision: Some(revision), .. } = outcome {
                bookkeeping.summary = self.wording(turn.conventions.style).summary_with_names(revision)?;
            }
            Ok(bookkeeping)
        };
        // Receipts are in the order of their times.
        let at = turn.request.at + SignedDuration::from_millis(i64::try_from(before.len()).unwrap_or_default());
        let decide = |decision: Decision| {
            let task = Task::Decide { id: id.clone(), fingerprint: fingerprint.clone(), decision };
            let progress = Progress::new(turn.request.caller.clone(), at, task);
            self.drive(turn.store, progress, turn.request.deadline.answer, keep)
        };
        let (mut outcome, mut kept) = decide(decision.clone()).await?;
        if let (Decision::Reject { .. }, Outcome::Closed(proposal)) = (decision, &outcome)
            && matches!(proposal.header.status(turn.request.at), ProposalStatus::Executing | ProposalStatus::Stopped)
        {
            // A no to what is under way, or was when it was said first.
            (outcome, kept) = decide(Decision::Stop).await?;
        }
        if let Outcome::Rejected(proposal) = &outcome {
            self.skip_due_item(turn.request, proposal).await;
        }
        Ok((outcome, kept))
    }

    /// What was decided, in one answer: by its number, where not all of it went the same way.
    fn combined_reply(&self, turn: &CurrentTurn<'_>, outcomes: &[Outcome]) -> Result<Reply, TurnError> {
        let replies =
            outcomes.iter().map(|outcome| self.conversation_reply(turn, outcome)).collect::<Result<Vec<_>, _>>()?;
        let receipts: Option<Vec<_>> = outcomes.iter().map(receipt).collect();
        let all_same = receipts.is_some() || outcomes.iter().all(|outcome| matches!(outcome, Outcome::Rejected(_)));
        let numbered = replies.into_iter().zip(1..).map(|(reply, n)| match all_same || outcomes.len() == 1 {
            true => reply,
            false => Reply { answer: format!("{n}. {}", reply.answer), ..reply },
        });
        let mut reply = numbered.reduce(Reply::and).unwrap_or_default();
        if let Some(receipts) = receipts.filter(|receipts| receipts.len() > 1) {
            reply.answer = self.wording(turn.conventions.style).done(&receipts)?;
        }
        Ok(reply)
    }

    async fn ask_which(&self, turn: &CurrentTurn<'_>, approve: bool) -> Result<Reply, TurnError> {
        let live: Vec<&WaitingProposal> = turn.live().collect();
        let options = live.iter().enumerate().map(|(at, waiting)| option(at, &waiting.summary));
        let options: Vec<String> = options.collect();
        let all = if live.len() == 2 { "both" } else { "all" };
        let text = format!("{} to which one? Say a number, or “{all}”.", if approve { "Yes" } else { "No" });
        let answer = format!("{text}\n{}", options.join("\n"));
        let question = Question { text, options, missing: vec!["proposal".into()] };
        let proposals = live.iter().map(|waiting| waiting.id.clone()).collect();
        let reply = Reply { answer, question: Some(question), ..Reply::default() };
        self.conclude(turn, reply, TurnOutcome::AskedWhich { proposals, approve }).await
    }

    /// Offers the waiting proposal again, so that the next plain answer can only mean it.
    pub(super) async fn show_again(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &WaitingProposal,
        approve: bool,
    ) -> Result<Reply, TurnError> {
        let lead = if approve { "Do you mean this?" } else { "This still needs your yes or no:" };
        self.show_with(turn, waiting, lead).await
    }

    pub(super) async fn show_with(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &WaitingProposal,
        lead: &str,
    ) -> Result<Reply, TurnError> {
        let found = turn.store.proposal(&waiting.id).await?.ok_or(TurnError::NoSuchProposal)?;
        if found.header.status(turn.request.at) != ProposalStatus::Pending {
            let text = format!("{}. {}", waiting.summary, sentence(closed(&found, turn.request.at)));
            return self.conclude(turn, Reply { answer: text, ..Reply::default() }, TurnOutcome::Answered).await;
        }
        let mut reply = self.waiting_reply(&found, turn.request)?;
        reply.answer = format!("{lead}\n{}", reply.answer);
        self.conclude(turn, reply, TurnOutcome::ShowedProposal(waiting.id.clone())).await
    }
}

/// One of several that wait, as it is listed.
fn option(at: usize, summary: &str) -> String {
    format!("{}. {summary}", at + 1)
}

fn receipt(outcome: &Outcome) -> Option<&Receipt> {
    match outcome {
        Outcome::Executed { receipt, .. } => Some(receipt),
        _ => None,
    }
}

/// The rest waits until it is done.
fn is_under_way(outcomes: &[Outcome]) -> bool {
    matches!(outcomes.last(), Some(Outcome::Executing(_)))
}

fn decision_of(approve: bool) -> Decision {
    if approve { Decision::Approve } else { Decision::Reject { reason: None } }
}
