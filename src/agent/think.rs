//! The loop: think, then clarify, look, propose or answer.

use std::time::Duration;

use futures_util::future::join_all;

use super::{Agent, CurrentTurn, TurnError, prompt, reply::Reply};
use crate::{
    model::{CallOutcome, Message, ModelError, ModelRequest, ToolCall},
    proposal::{
        Call, Change, ChangeSetError, Note,
        change_set::{RESERVED_ACTIONS, TRANSACTION_ACTIONS},
    },
    store::Ended,
    tool::{Plan, QueryResult, Question, ToolContext, ToolOutcome},
};

/// Rounds of a turn; the last one offers no tools, so that the model must answer.
pub const ROUNDS: usize = 5;

const NOTHING_UNDERSTOOD: &str = "I couldn't work that out, and nothing was changed. Please say it in other words.";

/// What is left of a turn's time when the model has had its own.
const WRITING: Duration = Duration::from_secs(8);

/// What thinking came to; nothing has been written yet.
enum Thought {
    Answer(String),
    Ask(Question),
    Propose(Planned),
}

/// What the model's actions of one round would change, merged.
pub(super) struct Planned {
    pub call: Call,
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
}

impl Agent {
    pub(super) async fn think(&self, turn: &CurrentTurn<'_>) -> Result<Reply, TurnError> {
        let mut found = Vec::new();
        let budget = turn.request.budget.saturating_sub(WRITING);
        let thought = match tokio::time::timeout(budget, self.rounds(turn, &mut found)).await {
            // What was looked up is true whether or not the model gets to say so.
            Err(_) | Ok(Err(TurnError::ModelUnavailable(_))) if !found.is_empty() => Thought::Answer(String::new()),
            Err(_) => return Err(TurnError::ModelUnavailable(ModelError::Timeout)),
            Ok(thought) => thought?,
        };
        match thought {
            Thought::Propose(planned) => self.propose(turn, planned, turn.policy).await,
            Thought::Ask(question) => {
                let reply = Reply { answer: spoken(&question), question: Some(question), ..Reply::default() };
                self.conclude(turn, reply, Ended::Asked).await
            }
            Thought::Answer(text) => self.conclude(turn, answer(text, found), Ended::Answered).await,
        }
    }

    async fn rounds(&self, turn: &CurrentTurn<'_>, found: &mut Vec<QueryResult>) -> Result<Thought, TurnError> {
        let said = turn.said();
        let mut shown: Vec<String> = turn.context.turns.last().map(|turn| turn.answer.clone()).into_iter().collect();
        let system = prompt::system(turn, self.registry.guidance());
        let mut messages = turn.messages();
        for round in 1..=ROUNDS {
            let tools = if round < ROUNDS { self.registry.specs() } else { &[] };
            let request = ModelRequest { system: &system, today: turn.today, messages: &messages, tools };
            let completion = self.model.complete(request).await.map_err(TurnError::ModelUnavailable)?;
            if completion.calls.is_empty() || tools.is_empty() {
                return Ok(Thought::Answer(completion.text));
            }
            let context = turn.tool_context(&said, &shown);
            let outcomes = match self.run_calls(&completion.calls, &context, found).await? {
                Ran::Enough(thought) => return Ok(thought),
                Ran::More(outcomes) => outcomes,
            };
            shown.extend(outcomes.iter().map(|outcome| outcome.content.clone()));
            messages.push(Message::Assistant { text: completion.text, calls: completion.calls });
            messages.push(Message::Outcomes(outcomes));
        }
        Ok(Thought::Answer(String::new()))
    }

    /// Questions come before actions, and actions before queries; nothing of a later kind runs in the same round. Actions
    /// are merged into one proposal, which ends the loop; if one is refused, none of its siblings is used.
    async fn run_calls(
        &self,
        calls: &[ToolCall],
        context: &ToolContext<'_>,
        found: &mut Vec<QueryResult>,
    ) -> Result<Ran, TurnError> {
        check_count(calls.len())?;
        let first = calls.iter().map(|call| self.registry.tool_kind(&call.name)).min();
        let (now, later): (Vec<&ToolCall>, Vec<&ToolCall>) =
            calls.iter().partition(|call| Some(self.registry.tool_kind(&call.name)) == first);
        let results = join_all(now.iter().map(|call| self.registry.dispatch(call, context))).await;
        let (mut outcomes, mut plans) = (Vec::new(), Vec::new());
        for (call, result) in now.into_iter().zip(results) {
            match result? {
                ToolOutcome::Asked(question) => return Ok(Ran::Enough(Thought::Ask(question))),
                ToolOutcome::Forbidden(reason) => return Err(TurnError::Forbidden(reason)),
                ToolOutcome::Refused(reason) => outcomes.push(refused(call, &reason)),
                ToolOutcome::Planned(plan) => plans.push((call, plan)),
                ToolOutcome::Found(result) => {
                    let content = result.summary_for_llm.clone();
                    outcomes.push(CallOutcome { call_id: call.id.clone(), content, refused: false });
                    found.push(result);
                }
            }
        }
        if outcomes.is_empty() && !plans.is_empty() {
            let mut planned = merge(plans);
            planned.notes.extend(self.doubts(&planned.changes, context));
            return Ok(Ran::Enough(Thought::Propose(planned)));
        }
        let siblings = plans.iter().map(|(call, _)| *call).chain(later);
        outcomes.extend(siblings.map(|call| refused(call, "not done, because of another call of the same response")));
        Ok(Ran::More(outcomes))
    }

    /// Grounding is asked of every change that a model plans, by kind, so that no tool can forget it.
    fn doubts(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        let of_kind = |prefix: &str| -> Vec<Change> {
            changes.iter().filter(|change| change.draft().kind == prefix).cloned().collect()
        };
        let kinds = self.registry.kinds().map(|kind| (kind, of_kind(kind.prefix())));
        kinds
            .filter(|(_, changes)| !changes.is_empty())
            .flat_map(|(kind, changes)| kind.doubts(&changes, context))
            .collect()
    }
}

enum Ran {
    Enough(Thought),
    More(Vec<CallOutcome>),
}

/// Several calls are known to clients without ids as one call of `batch`.
pub(super) const BATCH: &str = "batch";

/// More could never be one approval, and each may read a lot before that is found out.
pub(super) fn check_count(calls: usize) -> Result<(), TurnError> {
    let limit = TRANSACTION_ACTIONS - RESERVED_ACTIONS;
    let too_many = ChangeSetError::TooManyActions { actions: calls, limit };
    if calls > limit { Err(TurnError::Unprocessable(too_many.to_string())) } else { Ok(()) }
}

fn refused(call: &ToolCall, reason: &str) -> CallOutcome {
    CallOutcome { call_id: call.id.clone(), content: reason.to_owned(), refused: true }
}

fn merge(plans: Vec<(&ToolCall, Plan)>) -> Planned {
    let calls: Vec<Call> =
        plans.iter().map(|(call, ..)| Call { tool: call.name.clone(), arguments: call.arguments.clone() }).collect();
    let call = match <[Call; 1]>::try_from(calls) {
        Ok([call]) => call,
        Err(calls) => Call { tool: BATCH.into(), arguments: serde_json::json!({ "calls": calls }) },
    };
    let (mut changes, mut notes) = (Vec::new(), Vec::new());
    for (_, plan) in plans {
        changes.extend(plan.changes);
        notes.extend(plan.notes);
    }
    Planned { call, changes, notes }
}

fn answer(text: String, mut found: Vec<QueryResult>) -> Reply {
    let answer = match (text.trim(), found.as_slice()) {
        ("", []) => NOTHING_UNDERSTOOD.to_owned(),
        ("", found) => found.iter().map(|result| result.summary_for_llm.as_str()).collect::<Vec<_>>().join("\n"),
        (text, _) => text.to_owned(),
    };
    let Some(last) = found.pop() else { return Reply { answer, ..Reply::default() } };
    let lists = last.state_updates.totals.is_none();
    Reply {
        answer,
        listed: lists.then_some(last.items),
        count: Some(last.count),
        found: last.state_updates,
        ..Reply::default()
    }
}

fn spoken(question: &Question) -> String {
    let mut text = question.text.clone();
    for option in &question.options {
        text.push_str("\n- ");
        text.push_str(option);
    }
    text
}
