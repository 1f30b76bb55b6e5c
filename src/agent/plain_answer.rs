//! Decisions by plain answers: which proposal a yes or no means, and what happens if it can mean several. No model is
//! called.

use jiff::SignedDuration;
use meaning::{Choice, Facts, LastAnswer, Meaning, Target, Waiting, Words};

use super::{
    Agent, CurrentTurn, TurnError, TurnRequest,
    decide::{no_chunk_done, outcome_after_decision},
    reply::Reply,
    wording::{closed, mention},
};
use crate::{
    phrases::{
        PlainAnswer, Verdict,
        choices::{self, Named},
        sentence, verdict, yes_no,
    },
    proposal::{Decision, Fingerprint, Outcome, Progress, Proposal, ProposalId, ProposalStatus, Receipt, Task},
    shown::{Asked, Line, Shown},
    store::{TurnOutcome, WaitingProposal},
    tool::Question,
};

mod meaning;

const UNREAD: &str = "Something else waits too, but what is stored of it cannot be read. ";

/// What to do with a plain answer.
pub(super) enum PlainDecision {
    Decide {
        proposals: Vec<DecisionTarget>,
        decision: Decision,
    },
    /// Several proposals wait.
    AskWhich {
        approve: bool,
    },
    /// The proposal was not shown last, so it is shown again before it is decided.
    ShowAgain {
        waiting: WaitingProposal,
        approve: bool,
    },
}

/// A proposal to decide. Without a fingerprint it no longer waits, and the reply tells its state.
pub(super) struct DecisionTarget {
    pub id: ProposalId,
    pub fingerprint: Option<Fingerprint>,
}

impl CurrentTurn<'_> {
    /// None if the message is for the model.
    pub(super) fn plain_decision(&self) -> Option<PlainDecision> {
        let live: Vec<&WaitingProposal> = self.live().collect();
        let (target, approve) = match self.facts(&live).meaning() {
            Meaning::ForModel => return None,
            Meaning::StopRun => {
                let proposals = vec![DecisionTarget { id: self.running_proposal()?.clone(), fingerprint: None }];
                return Some(PlainDecision::Decide { proposals, decision: Decision::Stop });
            }
            Meaning::AskWhich(approve) => return Some(PlainDecision::AskWhich { approve }),
            Meaning::ShowAgain(at, approve) => {
                return Some(PlainDecision::ShowAgain { waiting: live[at].clone(), approve });
            }
            Meaning::Decide(target, approve) => (target, approve),
        };
        let ids: Vec<&ProposalId> = match target {
            Target::AllListed => self.listed().iter().collect(),
            Target::Listed(at) => vec![&self.listed()[at]],
            Target::AllWaiting => live.iter().map(|waiting| &waiting.id).collect(),
            Target::Waiting(at) => vec![&live[at].id],
            Target::OfLastAnswer => match self.last_outcome() {
                Some(TurnOutcome::ShowedProposal(id) | TurnOutcome::Decided(id)) => vec![id],
                _ => return None,
            },
        };
        let target = |id: &ProposalId| DecisionTarget {
            id: id.clone(),
            fingerprint: self.waiting(id).map(|waiting| waiting.fingerprint.clone()),
        };
        let proposals = ids.into_iter().map(target).collect();
        Some(PlainDecision::Decide { proposals, decision: decision_of(approve) })
    }

    fn facts(&self, live: &[&WaitingProposal]) -> Facts {
        let said = self.yes_or_no();
        Facts {
            stops_run: self.running_proposal().is_some() && verdict(self.message) == Some(Verdict::Stop),
            last: self.last_answer(),
            is_visible: self.sees_last_answer(),
            has_unread: self.has_unread(),
            waiting: match live.len() {
                0 => Waiting::Nothing,
                1 => Waiting::One,
                _ => Waiting::Several,
            },
            choice: self.choice(said),
            named: choices::names_one(self.message, &live.iter().map(|waiting| named(waiting)).collect::<Vec<_>>()),
            words: self.words(live, said),
            yes_fits: match live {
                // "Ok, delete it" is a new request if nothing waits.
                [] => yes_no::agrees(self.message, &[]),
                live => live.iter().all(|waiting| yes_no::agrees(self.message, &waiting.changes.verbs())),
            },
        }
    }

    fn last_answer(&self) -> LastAnswer {
        match self.last_outcome() {
            Some(TurnOutcome::ShowedProposal(id)) if self.live().any(|waiting| waiting.id == *id) => {
                LastAnswer::Proposal
            }
            Some(TurnOutcome::ShowedProposal(_)) => LastAnswer::ClosedProposal,
            Some(TurnOutcome::AskedWhich { approve, .. }) => LastAnswer::List { approve: *approve },
            Some(TurnOutcome::Asked) => LastAnswer::Question,
            Some(TurnOutcome::Answered) if self.mentions_waiting_last() => LastAnswer::Mention,
            Some(TurnOutcome::Decided(_)) => LastAnswer::Decided,
            Some(TurnOutcome::Answered) | None => LastAnswer::Other,
        }
    }

    fn choice(&self, said: Option<PlainAnswer>) -> Choice {
        let listed = self.listed();
        let waiting: Vec<Option<&WaitingProposal>> = listed.iter().map(|id| self.waiting(id)).collect();
        let is_visible = self.sees_last_answer();
        if let Some(said) = choices::for_all(self.message, listed.len()).filter(|_| is_visible) {
            let yes_fits =
                waiting.iter().flatten().all(|waiting| yes_no::agrees(self.message, &waiting.changes.verbs()));
            return Choice::All { said, yes_fits };
        }
        // Clients send the text of an option as an answer.
        let options = self.context.turns.last().and_then(|turn| turn.shown.asked.as_ref()).map(|asked| &asked.options);
        let chosen = options.and_then(|options| options.iter().position(|option| self.message.trim() == option));
        if let Some(at) = chosen.filter(|at| *at < listed.len()) {
            return Choice::One(at, None);
        }
        let gone = Named { name: None, verb: "" };
        let names = waiting.iter().map(|waiting| waiting.map_or(gone, named)).collect::<Vec<_>>();
        if let Some((at, said)) = choices::names_one(self.message, &names).filter(|_| is_visible) {
            return Choice::One(at, said);
        }
        // "#1" is a row number, not a number in the list.
        let is_row = self.message.contains('#');
        match said.and_then(PlainAnswer::numbered) {
            Some((n, said)) if is_visible && !is_row => match (1..=listed.len()).contains(&n) {
                true => Choice::One(n - 1, said),
                false => Choice::OutOfRange,
            },
            Some(_) => Choice::Unclear,
            None if choices::may_choose(self.message, listed.len()) => Choice::Unclear,
            None => Choice::None,
        }
    }

    fn words(&self, live: &[&WaitingProposal], said: Option<PlainAnswer>) -> Words {
        if live.is_empty() && self.takes_back_last_decision() {
            return Words::TakeBack;
        }
        let for_all = choices::for_all(self.message, live.len());
        // "Both" may mean two rows of one proposal.
        let is_single = |waiting: &&WaitingProposal| waiting.changes.count() == Some(1);
        let to_all = for_all.is_some() && live.iter().all(is_single);
        match (for_all, said) {
            (Some(Some(approve)), _) => Words::YesOrNo { approve, to_all },
            (_, Some(PlainAnswer::Yes(None))) => Words::YesOrNo { approve: true, to_all },
            (_, Some(PlainAnswer::No(None))) => Words::YesOrNo { approve: false, to_all },
            (_, Some(PlainAnswer::Pick(_))) => Words::Number,
            (Some(None), None) => Words::All,
            _ => Words::Other,
        }
    }

    /// The proposals that the last answer listed, if it asked which one is meant.
    fn listed(&self) -> &[ProposalId] {
        match self.last_outcome() {
            Some(TurnOutcome::AskedWhich { proposals, .. }) => proposals,
            _ => &[],
        }
    }

    /// Includes expired proposals.
    fn waiting(&self, id: &ProposalId) -> Option<&WaitingProposal> {
        self.context.waiting.iter().find(|waiting| waiting.id == *id)
    }

    /// The run that is meant if none is named: the last one decided, or the only one.
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

    /// Decides the proposals one by one. Each transaction also stores the decisions so far, so that a message sent
    /// again after a crash decides the rest.
    pub(super) async fn decide_each(
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
            // The same message sent again continues with the rest.
            let then = |outcome: &Outcome| match outcome {
                Outcome::Executing(_) if proposals.len() > 1 => listed.clone(),
                Outcome::Rejected(declined) if proposals.len() == 1 && self.asks_after_no(turn.message, declined) => {
                    TurnOutcome::Asked
                }
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
        mention(&mut reply, turn.live().filter(waits));
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

    /// After an error, reports the decisions so far and the error. The same message sent again continues from there.
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
        // The claim is not stored, because this is not the final answer to the message.
        let reply = self.conclude(&CurrentTurn { claim: None, ..turn.clone() }, reply, listed).await?;
        turn.release().await;
        Ok(self.with_statuses(turn.reply_context(), &turn.context.preferences, outcomes, reply).await)
    }

    /// Returns the outcome, and whether the turn was stored with it. `before`: earlier decisions by the same message.
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
            if let (false, Some((_, reply))) = (is_answer, &mut bookkeeping.claim) {
                // Not the final answer: the same message sent again continues.
                *reply = None;
            }
            if let Outcome::Executing(proposal) = outcome
                && !no_chunk_done(proposal)
            {
                bookkeeping.turn = None;
            }
            if let Outcome::Stale { revision: Some(revision), .. } = outcome {
                return self.with_waiting_entry(bookkeeping, revision, turn.conventions.style);
            }
            Ok(bookkeeping)
        };
        // Receipts are sorted by time, so each gets its own.
        let at = turn.request.at + SignedDuration::from_millis(i64::try_from(before.len()).unwrap_or_default());
        let decide = |decision: Decision, known: Option<Proposal>| {
            let task = Task::Decide { id: id.clone(), fingerprint: fingerprint.clone(), decision };
            let progress = Progress::new(turn.request.caller.clone(), at, task);
            let TurnRequest { deadline, events, .. } = turn.request;
            self.drive(turn.store, progress, known, deadline.answer, events.as_ref(), keep)
        };
        let known = turn.context.proposals.iter().find(|proposal| proposal.header.id == *id).cloned();
        let (mut outcome, mut kept) = decide(decision.clone(), known).await?;
        if let (Decision::Reject { .. }, Outcome::Closed(proposal)) = (decision, &outcome)
            && matches!(
                proposal.header.status(turn.request.at),
                ProposalStatus::Executing | ProposalStatus::Stopped | ProposalStatus::Halted
            )
        {
            // A no to a run stops it.
            (outcome, kept) = decide(Decision::Stop, None).await?;
        }
        if let Outcome::Rejected(proposal) = &outcome {
            self.skip_due_item(turn.request, proposal).await;
        }
        Ok((outcome, kept))
    }

    /// One reply for all decisions. They are numbered if their outcomes differ.
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
        if let [Outcome::Rejected(declined)] = outcomes
            && let Some(question) = self.question_after_no(turn.message, declined)?
        {
            reply.answer = format!("{} {}", reply.answer, question.text);
            reply.shown.asked = Some(question.asked());
            reply.question = Some(question);
        }
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
        let which = if turn.has_unread() { UNREAD } else { "" };
        let text = format!("{which}{} to which one? Say a number, or “{all}”.", if approve { "Yes" } else { "No" });
        let answer = format!("{text}\n{}", options.join("\n"));
        let question = Question { text, options, missing: vec!["proposal".into()], ..Question::default() };
        let shown = Shown { asked: Some(question.asked()), ..Shown::default() };
        let proposals = live.iter().map(|waiting| waiting.id.clone()).collect();
        let reply = Reply { answer, question: Some(question), shown, ..Reply::default() };
        self.conclude(turn, reply, TurnOutcome::AskedWhich { proposals, approve }).await
    }

    /// Shows the waiting proposal again, so that the next plain answer is about it.
    pub(super) async fn show_again(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &WaitingProposal,
        approve: bool,
    ) -> Result<Reply, TurnError> {
        let lead = if approve { "Do you mean this?" } else { "This still needs your yes or no:" };
        self.show_with(turn, waiting, lead, None).await
    }

    pub(super) async fn show_with(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &WaitingProposal,
        lead: &str,
        asked: Option<Asked>,
    ) -> Result<Reply, TurnError> {
        let found = turn.store.proposal(&waiting.id).await?.ok_or(TurnError::NoSuchProposal)?;
        if found.header.status(turn.request.at) != ProposalStatus::Pending {
            let text = format!("{}. {}", waiting.summary, sentence(closed(&found, turn.request.at)));
            return self.conclude(turn, Reply { answer: text, ..Reply::default() }, TurnOutcome::Answered).await;
        }
        let mut reply = self.waiting_reply(&found, turn.request)?;
        reply.answer = format!("{lead}\n{}", reply.answer);
        reply.shown.asked = asked;
        self.conclude(turn, reply, TurnOutcome::ShowedProposal(waiting.id.clone())).await
    }
}

/// The text of one proposal in a list.
fn option(at: usize, summary: &str) -> String {
    format!("{}. {summary}", at + 1)
}

fn named(waiting: &WaitingProposal) -> Named<'_> {
    let only = waiting.changes.only();
    Named { name: only.and_then(Line::name), verb: only.map_or("", |line| &line.verb) }
}

fn receipt(outcome: &Outcome) -> Option<&Receipt> {
    match outcome {
        Outcome::Executed { receipt, .. } => Some(receipt),
        _ => None,
    }
}

/// Later decisions wait until the run is done.
fn is_under_way(outcomes: &[Outcome]) -> bool {
    matches!(outcomes.last(), Some(Outcome::Executing(_)))
}

fn decision_of(approve: bool) -> Decision {
    if approve { Decision::Approve } else { Decision::Reject { reason: None } }
}
