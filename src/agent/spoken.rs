//! Decisions by a plain word: which proposal a yes or a no means, and what is done when it could mean more than one. No
//! model takes part.

use super::{
    Agent, CurrentTurn, TurnError,
    decide::{begins, decided_or_shown, store_error},
    reply::Reply,
    wording::closed,
};
use crate::{
    phrases::{PlainAnswer, upper_first, yes_no},
    proposal::{Fingerprint, Outcome, ProposalId, Standing, Task, Verdict},
    store::{Ended, Waiting},
    tool::Question,
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

fn verdict(approve: bool) -> Verdict {
    if approve { Verdict::Approve } else { Verdict::Reject { reason: None } }
}
