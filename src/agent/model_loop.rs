//! The model loop: each round calls the model and runs its tools, until it asks, proposes or answers.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use jiff::civil::Date;
use tokio::time::Instant;

use super::{
    Agent, CurrentTurn, TurnError,
    events::Events,
    false_write_claims::{Seen, claims_a_write},
    merge_results,
    partial_answer::{PartialAnswer, SentText},
    planned_changes::{PlannedChanges, check_count},
    prompt::Prompt,
    reply::Reply,
    unknown_kind::unknown_kind,
    wording::mention,
};
use crate::{
    model::{
        CallOutcome, Completion, Ending, Message, Model, ModelError, ModelRequest, TextPieces, ToolCall, ToolChoice,
    },
    phrases::{Reader, is_quoted},
    proposal::{Change, Note, Policy, RowRef, change_set::CHUNK_ACTIONS},
    shown::{Asked, Shown, ShownRow},
    store::{StoreError, TurnOutcome},
    tool::{
        AnswerFlaw, Edits, Merge, ModelAnswer, Plan, QueryResult, Question, ToolContext, ToolKind, ToolOutcome,
        VisibleAnswer,
    },
};

/// Rounds of a turn. The last round offers no tools, so that the model must answer.
pub const MAX_ROUNDS: usize = 5;

/// Queries of one round. Each may read many rows.
const MAX_QUERIES: usize = 10;

const NOTHING_UNDERSTOOD: &str = "I didn't understand that. Nothing was changed. Please say it in other words.";
const DECLINED: &str = "I can't answer that. Nothing was changed. Please say it in other words.";
const CUT_OFF: &str = "My answer got too long. Nothing was changed. Please ask for less at once.";
const TOO_LONG: &str = "This conversation is too long for me. Nothing was changed. Please start a new one, or send a shorter \
                        message.";
const NOT_GOT_RIGHT: &str =
    "I didn't understand that. Nothing was changed. What should I do? Please say it in other words.";
const NOT_READ: &str = "One part could not be read right now. Ask for it again in a moment.";
const NOTHING_DONE: &str = "Nothing was changed. Say what to add, change or delete. I will show it to you first.";

/// For the person, while the model is asked.
const THINKING: &str = "Thinking…";

/// Messages for the model. They are never shown to the person.
const ANSWER_NOW: &str = "(The application: your answer was empty. Answer the person now.)";
const CLAIMED: &str = "(The application: nothing was written, so your answer was not shown. To change something, call the \
                       tool. Otherwise answer, and do not say that something was done.)";

/// The result of the loop. Nothing is written yet.
enum LoopResult {
    /// Empty if only the results of queries are shown.
    Answer(String),
    /// The request cannot be done.
    Refuse(String),
    Ask(Question),
    Propose(PlannedChanges, Policy),
    /// Edits of the waiting proposal.
    Revise(Edits),
}

impl Agent {
    pub(super) async fn run_model_loop(&self, turn: &CurrentTurn<'_>) -> Result<Reply, TurnError> {
        if let Some(refusal) = self.refuse_unknown_kind(turn, &*self.model) {
            return self.finish_turn(turn, refusal, vec![]).await;
        }
        let mut found = Vec::new();
        let deadline = turn.request.deadline.model;
        let running = Box::pin(self.run_rounds(turn, &*self.model, deadline, &mut found));
        let result = tokio::time::timeout_at(deadline, running).await;
        match result.unwrap_or(Err(TurnError::ModelUnavailable(ModelError::Timeout))) {
            // The results of queries are still valid if the model fails after them.
            Err(TurnError::ModelUnavailable(_)) if !found.is_empty() => {
                self.finish_turn(turn, LoopResult::Answer(String::new()), found).await
            }
            Err(TurnError::ModelUnavailable(cause)) => self.run_fallback_model(turn, cause).await,
            result => self.finish_turn(turn, result?, found).await,
        }
    }

    /// If the fallback calls no tool, it did not understand the message with certainty.
    async fn run_fallback_model(&self, turn: &CurrentTurn<'_>, cause: ModelError) -> Result<Reply, TurnError> {
        let unavailable = TurnError::ModelUnavailable(cause);
        let Some(fallback) = &self.fallback else { return Err(unavailable) };
        let (turn, mut found) = (turn.in_limited_mode(), Vec::new());
        if let Some(refusal) = self.refuse_unknown_kind(&turn, &**fallback) {
            return self.finish_turn(&turn, refusal, found).await;
        }
        match self.run_rounds(&turn, &**fallback, turn.request.deadline.answer, &mut found).await? {
            LoopResult::Answer(_) | LoopResult::Refuse(_) if found.is_empty() => Err(unavailable),
            result => self.finish_turn(&turn, result, found).await,
        }
    }

    /// The answer to a message about records that the model does not understand.
    fn refuse_unknown_kind(&self, turn: &CurrentTurn<'_>, model: &dyn Model) -> Option<LoopResult> {
        let reader = Reader { today: turn.today, hour: turn.hour, conventions: turn.conventions };
        let kind = unknown_kind(turn.message, model.toolkits()?, &self.registry, reader)?;
        // A single word after a question may be its answer.
        let is_an_answer = turn.last_outcome() == Some(&TurnOutcome::Asked) && !turn.message.trim().contains(' ');
        let text = format!("I need a language model for {}. Nothing was changed.", kind.noun(2));
        (!is_an_answer).then_some(LoopResult::Refuse(text))
    }

    async fn finish_turn(
        &self,
        turn: &CurrentTurn<'_>,
        result: LoopResult,
        found: Vec<QueryResult>,
    ) -> Result<Reply, TurnError> {
        // The fallback queries exactly what was named, so its results need no note.
        let is_plain_code = turn.limited || !self.model.reads_prompts();
        let note = if is_plain_code { None } else { merge_results::filter_mismatch(&found) };
        let is_told_by_rules = is_plain_code && found.is_empty();
        match result {
            LoopResult::Propose(planned, policy) => self.propose(turn, planned, policy).await,
            LoopResult::Revise(edits) => self.revise(turn, &edits).await,
            LoopResult::Ask(question) => {
                let shown = Shown { asked: Some(question.asked()), rows: question.rows.clone(), ..Shown::default() };
                let answer = question_text(&question);
                let reply = Reply { answer, question: Some(question), shown, ..Reply::default() };
                self.conclude(turn, reply, TurnOutcome::Asked).await
            }
            LoopResult::Answer(told) => {
                let reply = answer(told, found, note, self.registry.reply_fields());
                let is_open = reply.shown.asked.as_ref().is_some_and(|asked| asked.is_at_the_end);
                self.conclude_answer(turn, Reply { is_open, ..reply }, is_told_by_rules).await
            }
            LoopResult::Refuse(told) => {
                if let Some(reply) = self.ask_for_missing_row(turn).await? {
                    return Ok(reply);
                }
                let reply = answer(told, found, note, self.registry.reply_fields());
                self.conclude_answer(turn, Reply { is_open: true, ..reply }, is_told_by_rules).await
            }
        }
    }

    async fn conclude_answer(
        &self,
        turn: &CurrentTurn<'_>,
        mut reply: Reply,
        is_told_by_rules: bool,
    ) -> Result<Reply, TurnError> {
        // Rules offer nothing in their answers, so that the next yes can only be to the one that waits.
        if let (Some(only), true) = (turn.only_live(), is_told_by_rules && reply.shown.asked.is_none()) {
            return self.show_with(turn, only, &reply.answer, None).await;
        }
        // Waiting proposals are only listed, so that a yes to the answer itself does not approve one.
        mention(&mut reply, turn.live());
        self.conclude(turn, reply, TurnOutcome::Answered).await
    }

    async fn run_rounds(
        &self,
        turn: &CurrentTurn<'_>,
        model: &dyn Model,
        deadline: Instant,
        found: &mut Vec<QueryResult>,
    ) -> Result<LoopResult, TurnError> {
        let (said, shown) = (turn.user_messages(), turn.visible_answers());
        let prompt = Prompt::new(turn, &said, &self.registry);
        let recorded = &prompt.recorded;
        let context = turn.tool_context(&said, &shown);
        let events = turn.request.events.as_ref();
        let mut rounds = Rounds::new(turn, &shown);
        for round in 1..=MAX_ROUNDS {
            let choice = if round < MAX_ROUNDS { ToolChoice::Auto } else { ToolChoice::None };
            rounds.know(found);
            events.inspect(|events| events.status(THINKING, None));
            let passes = |text: &str| {
                !claims_a_write(text, rounds.seen(&context))
                    && self.flaw(text, recorded, &rounds, &context, found).is_none()
            };
            let partial = events.map(|events| PartialAnswer::new(events, passes));
            let pieces = partial.as_ref().map(|partial| partial as &dyn TextPieces);
            let request = prompt.request(&rounds.messages, choice, deadline);
            let completion = match model.complete(ModelRequest { pieces, ..request }).await {
                Err(ModelError::TooLong) => return Ok(LoopResult::apology(TOO_LONG, found)),
                completion => completion.map_err(TurnError::ModelUnavailable)?,
            };
            let sent = partial.map(PartialAnswer::into_sent);
            let (calls, policy) = match rounds.read(completion, choice, &context) {
                ModelOutput::Text(text) => {
                    let read = self.read_text(text, recorded, &mut rounds, choice, &context, found);
                    let Some(result) = read else { continue };
                    result.keep(sent);
                    return Ok(result);
                }
                ModelOutput::Apology(apology) => return Ok(LoopResult::apology(apology, found)),
                ModelOutput::NextRound => continue,
                ModelOutput::Calls { calls, confirmation_suggested } => {
                    (calls, if confirmation_suggested { Policy::Always } else { turn.policy })
                }
            };
            drop(sent);
            let outcomes = match self.run_calls(&calls, &context, policy, events, found).await? {
                RoundResult::Finished(result) => return Ok(result),
                RoundResult::Malformed(_)
                    if std::mem::replace(&mut rounds.retries.malformed, true) && found.is_empty() =>
                {
                    let question = Question { text: NOT_GOT_RIGHT.into(), ..Question::default() };
                    return Ok(LoopResult::Ask(question));
                }
                RoundResult::Malformed(outcomes) | RoundResult::NextRound(outcomes) => outcomes,
            };
            rounds.known.extend(outcomes.iter().map(|outcome| outcome.content.clone()));
            rounds.messages.push(Message::Outcomes(outcomes));
        }
        Ok(LoopResult::Answer(String::new()))
    }

    /// Checks the model's text. None if the model must answer again.
    fn read_text(
        &self,
        text: String,
        recorded: &str,
        rounds: &mut Rounds,
        choice: ToolChoice,
        context: &ToolContext<'_>,
        found: &[QueryResult],
    ) -> Option<LoopResult> {
        let told = match self.flaw(&text, recorded, rounds, context, found) {
            None => text,
            Some(flaw) => {
                let may_retry = found.is_empty() && choice == ToolChoice::Auto;
                if may_retry && !std::mem::replace(&mut rounds.retries.flawed_answer, true) {
                    rounds.messages.extend([Message::assistant(text), Message::User(flaw.retry_request)]);
                    return None;
                }
                with_note(&text, &flaw.correction)
            }
        };
        let is_refused = found.is_empty() && is_refused(&rounds.messages);
        Some(if is_refused { LoopResult::Refuse(told) } else { LoopResult::Answer(told) })
    }

    /// What a toolkit finds wrong with an answer.
    fn flaw(
        &self,
        text: &str,
        recorded: &str,
        rounds: &Rounds,
        context: &ToolContext<'_>,
        found: &[QueryResult],
    ) -> Option<AnswerFlaw> {
        let conversation = &rounds.messages[..rounds.conversation];
        self.registry.answer_flaw(rounds.called(), &ModelAnswer { text, conversation, recorded, found }, context)
    }

    /// Runs questions before actions, and actions before queries. Only the first of these three types runs in a round.
    /// Actions are merged into one proposal, which ends the loop. If one action is refused, none is used.
    async fn run_calls(
        &self,
        calls: &[ToolCall],
        context: &ToolContext<'_>,
        policy: Policy,
        events: Option<&Events>,
        found: &mut Vec<QueryResult>,
    ) -> Result<RoundResult, TurnError> {
        check_count(calls.len())?;
        let first = calls.iter().map(|call| self.registry.tool_kind(&call.name)).min();
        let (now, later): (Vec<&ToolCall>, Vec<&ToolCall>) =
            calls.iter().partition(|call| Some(self.registry.tool_kind(&call.name)) == first);
        let at_once = if first == Some(ToolKind::Query) { MAX_QUERIES } else { CHUNK_ACTIONS };
        let (now, over) = now.split_at(now.len().min(at_once));
        if let Some(events) = events {
            let statuses = now.iter().filter_map(|call| self.registry.status(call, context));
            statuses.for_each(|(tool, text)| events.status(text, Some(tool)));
        }
        let results = join_all(now.iter().map(|call| self.registry.dispatch(call, context))).await;
        let (mut outcomes, mut plans, mut malformed) = (Vec::new(), Vec::new(), false);
        outcomes.extend(
            over.iter().map(|call| refused(call, "not done: these are too many calls at once. Call this again")),
        );
        let results = if first == Some(ToolKind::Query) { with_faults_refused(results, found) } else { results };
        for (&call, outcome) in now.iter().zip(results) {
            match outcome? {
                ToolOutcome::Asked(question) => return Ok(RoundResult::Finished(LoopResult::Ask(question))),
                ToolOutcome::Forbidden(reason) => return Err(TurnError::Forbidden(reason)),
                ToolOutcome::Malformed(reason) => {
                    malformed = true;
                    outcomes.push(refused(call, &reason));
                }
                ToolOutcome::Refused(reason) => outcomes.push(refused(call, &reason)),
                ToolOutcome::NothingFound(why) => outcomes.push(nothing_found(call, &why)),
                ToolOutcome::Revised(edits) if calls.len() == 1 => {
                    return Ok(RoundResult::Finished(LoopResult::Revise(edits)));
                }
                ToolOutcome::Revised(_) => outcomes.push(refused(call, "not done: call this tool alone")),
                ToolOutcome::Planned(plan) => plans.push((call, plan)),
                ToolOutcome::Found(result) => {
                    let content = result.summary_for_llm.clone();
                    outcomes.push(CallOutcome {
                        call_id: call.id.clone(),
                        content,
                        refused: false,
                        nothing_found: false,
                    });
                    found.push(result);
                }
            }
        }
        tell_not_read(&outcomes, found);
        if outcomes.is_empty() && !plans.is_empty() {
            let planned = self.planned(plans, policy, !found.is_empty(), context);
            return Ok(RoundResult::Finished(planned));
        }
        let siblings = plans.iter().map(|(call, _)| *call).chain(later);
        outcomes.extend(siblings.map(|call| refused(call, "not done: another call of the same response comes first")));
        Ok(if malformed { RoundResult::Malformed(outcomes) } else { RoundResult::NextRound(outcomes) })
    }

    /// The changes of one round. `queried`: the model read stored rows before.
    fn planned(
        &self,
        plans: Vec<(&ToolCall, Plan)>,
        policy: Policy,
        queried: bool,
        context: &ToolContext<'_>,
    ) -> LoopResult {
        let said = plans.iter().filter(|(_, plan)| plan.stored.is_none()).flat_map(|(_, plan)| &plan.changes);
        let said = said.collect::<Vec<_>>();
        let unsupported = self.unsupported(&said, context);
        let inferred = self.infer_preferences(&said.iter().copied().cloned().collect::<Vec<_>>(), context);
        let not_stated = self.not_stated(&said, queried, context);
        let policy = if plans.iter().any(|(_, plan)| plan.stored.is_some()) { Policy::Always } else { policy };
        let mut planned = PlannedChanges { not_stated, ..PlannedChanges::merge(plans) };
        planned.notes.extend(unsupported);
        planned.changes.extend(inferred);
        LoopResult::Propose(planned, policy)
    }

    /// Grounding runs here for all planned changes, by kind, so that no tool can skip it.
    pub(super) fn unsupported(&self, changes: &[&Change], context: &ToolContext<'_>) -> Vec<Note> {
        let of_kind = |prefix: &str| -> Vec<Change> {
            changes.iter().filter(|change| change.draft().kind == prefix).map(|change| (*change).clone()).collect()
        };
        let kinds = self.registry.kinds().map(|kind| (kind, of_kind(kind.prefix())));
        kinds
            .filter(|(_, changes)| !changes.is_empty())
            .filter_map(|(kind, changes)| Some(kind.grounding()?.unsupported(&changes, context)))
            .flatten()
            .collect()
    }
}

/// A query that failed is refused where the turn has something else to tell.
fn with_faults_refused(
    results: Vec<Result<ToolOutcome, StoreError>>,
    found: &[QueryResult],
) -> Vec<Result<ToolOutcome, StoreError>> {
    if found.is_empty() && !results.iter().any(|result| matches!(result, Ok(ToolOutcome::Found(_)))) {
        return results;
    }
    let told = results.into_iter().map(|result| {
        result.or_else(|error| {
            tracing::warn!(%error, "one of several queries failed");
            Ok(ToolOutcome::Refused(NOT_READ.into()))
        })
    });
    told.collect()
}

/// Without words of the model, the person sees the results, so a part that was not read is one of them.
fn tell_not_read(outcomes: &[CallOutcome], found: &mut Vec<QueryResult>) {
    let not_read = QueryResult { summary_for_llm: NOT_READ.into(), ..QueryResult::default() };
    let is_missing = outcomes.iter().any(|outcome| outcome.content == NOT_READ);
    if is_missing && !found.is_empty() && !found.contains(&not_read) {
        found.push(not_read);
    }
}

/// How the loop continues after a completion.
enum ModelOutput {
    Text(String),
    /// The model will not answer. The text replaces its answer.
    Apology(&'static str),
    /// The model is called again.
    NextRound,
    Calls {
        calls: Vec<ToolCall>,
        confirmation_suggested: bool,
    },
}

/// The state of the loop.
struct Rounds {
    /// The conversation, then the messages of this turn.
    messages: Vec<Message>,
    /// The number of messages that are the conversation.
    conversation: usize,
    /// Results of this turn. The model may repeat them.
    known: Vec<String>,
    known_rows: Vec<RowRef>,
    /// Of rows that earlier answers showed.
    known_days: Vec<Date>,
    retries: RetryState,
}

impl Rounds {
    fn new(turn: &CurrentTurn<'_>, shown: &[VisibleAnswer]) -> Rounds {
        let messages = turn.messages();
        Rounds {
            conversation: messages.len(),
            messages,
            known: vec![],
            known_rows: shown.iter().flat_map(|answer| &answer.rows).map(ShownRow::row_ref).collect(),
            known_days: shown.iter().flat_map(|answer| &answer.rows).filter_map(|row| row.date).collect(),
            retries: RetryState::default(),
        }
    }

    fn read(&mut self, completion: Completion, choice: ToolChoice, context: &ToolContext<'_>) -> ModelOutput {
        let seen = Seen {
            texts: &self.known,
            rows: &self.known_rows,
            days: &self.known_days,
            row_names: context.row_names,
            reader: context.reader(),
        };
        self.retries.read(completion, choice, seen, &mut self.messages)
    }

    /// The person has not seen results of this turn, so they count as known but not as visible.
    fn know(&mut self, found: &[QueryResult]) {
        self.known_rows.extend(found.iter().flat_map(|result| &result.rows).map(ShownRow::row_ref));
    }

    fn seen<'s>(&'s self, context: &ToolContext<'s>) -> Seen<'s> {
        let Rounds { known, known_rows, known_days, .. } = self;
        let (row_names, reader) = (context.row_names, context.reader());
        Seen { texts: known, rows: known_rows, days: known_days, row_names, reader }
    }

    /// The names of all tools called in this turn.
    fn called(&self) -> impl Iterator<Item = &str> {
        let calls = self.messages[self.conversation..].iter().filter_map(|message| match message {
            Message::Assistant { calls, .. } => Some(calls),
            _ => None,
        });
        calls.flatten().map(|call| call.name.as_str())
    }
}

/// Errors that a model may make once in a turn.
#[derive(Default)]
struct RetryState {
    empty_answer: bool,
    /// The answer claimed a write.
    false_claim: bool,
    /// A toolkit found an error in the answer.
    flawed_answer: bool,
    /// A call had an unknown name or invalid arguments.
    malformed: bool,
}

impl RetryState {
    /// Appends to `messages` what the model must see in the next round.
    fn read(
        &mut self,
        completion: Completion,
        choice: ToolChoice,
        seen: Seen<'_>,
        messages: &mut Vec<Message>,
    ) -> ModelOutput {
        let Completion { text, calls, ending, confirmation_suggested, native } = completion;
        match ending {
            Ending::Complete => {}
            Ending::Paused => {
                messages.push(Message::Assistant { text, calls, native, shown: None });
                return ModelOutput::NextRound;
            }
            Ending::Refused => return ModelOutput::Apology(DECLINED),
            Ending::Truncated => return ModelOutput::Apology(CUT_OFF),
            // The text may be complete, but calls cannot be trusted.
            Ending::Unknown => return ModelOutput::Text(without_write_claims(text, seen)),
        }
        if choice == ToolChoice::None {
            return ModelOutput::Text(without_write_claims(text, seen));
        }
        if !calls.is_empty() {
            messages.push(Message::Assistant { text, calls: calls.clone(), native, shown: None });
            return ModelOutput::Calls { calls, confirmation_suggested };
        }
        if text.trim().is_empty() {
            if std::mem::replace(&mut self.empty_answer, true) {
                return ModelOutput::Text(String::new());
            }
            messages.push(Message::User(ANSWER_NOW.to_owned()));
            return ModelOutput::NextRound;
        }
        if !claims_a_write(&text, seen) {
            return ModelOutput::Text(text);
        }
        if std::mem::replace(&mut self.false_claim, true) {
            return ModelOutput::Apology(NOTHING_DONE);
        }
        messages.push(Message::Assistant { text, calls, native, shown: None });
        messages.push(Message::User(CLAIMED.to_owned()));
        ModelOutput::NextRound
    }
}

enum RoundResult {
    Finished(LoopResult),
    NextRound(Vec<CallOutcome>),
    /// At least one call had an unknown name or invalid arguments.
    Malformed(Vec<CallOutcome>),
}

impl LoopResult {
    /// Earlier results are a better answer than an apology.
    fn apology(apology: &str, found: &[QueryResult]) -> LoopResult {
        let text = if found.is_empty() { apology.to_owned() } else { String::new() };
        LoopResult::Answer(text)
    }

    /// The text that was passed on is the beginning of this one.
    fn keep(&self, sent: Option<SentText<'_>>) {
        if let (Some(sent), LoopResult::Answer(told) | LoopResult::Refuse(told)) = (sent, self) {
            sent.keep(told);
        }
    }
}

fn without_write_claims(text: String, seen: Seen<'_>) -> String {
    if claims_a_write(&text, seen) { NOTHING_DONE.to_owned() } else { text }
}

/// Puts the note after the text, or before it if the text ends with a question, so that the question stays at the end.
fn with_note(text: &str, note: &str) -> String {
    match text.trim_end().ends_with('?') {
        true => format!("{note}\n\n{text}"),
        false => format!("{text}\n\n{note}"),
    }
}

/// Whether a call of the last round was refused.
fn is_refused(messages: &[Message]) -> bool {
    matches!(messages.last(), Some(Message::Outcomes(outcomes)) if outcomes.iter().any(|outcome| outcome.refused))
}

fn refused(call: &ToolCall, reason: &str) -> CallOutcome {
    CallOutcome { call_id: call.id.clone(), content: reason.to_owned(), refused: true, nothing_found: false }
}

fn nothing_found(call: &ToolCall, reason: &str) -> CallOutcome {
    CallOutcome { nothing_found: true, ..refused(call, reason) }
}

fn answer(
    told: String,
    found: Vec<QueryResult>,
    note: Option<String>,
    fields: &BTreeMap<&'static str, Merge>,
) -> Reply {
    let asked = asked_in(&told);
    let answer = match (told.trim(), found.as_slice()) {
        ("", []) => NOTHING_UNDERSTOOD.to_owned(),
        ("", found) => found.iter().map(|result| result.summary_for_llm.as_str()).collect::<Vec<_>>().join("\n"),
        (text, _) => text.to_owned(),
    };
    let answer = note.map_or_else(|| answer.clone(), |note| with_note(&answer, &note));
    let reply = merge_results::reply(found, fields);
    Reply { answer, shown: Shown { asked, ..reply.shown }, ..reply }
}

/// The lines of a model's text that ask something.
fn asked_in(text: &str) -> Option<Asked> {
    // What is said to be said, like “how much on food?”, asks nothing.
    let asks = |line: &&str| line.match_indices('?').any(|(at, _)| !is_quoted(line, at));
    let asking: Vec<&str> = text.lines().filter(asks).collect();
    let is_at_the_end = text.trim_end().ends_with('?');
    (!asking.is_empty()).then(|| Asked { text: asking.join("\n"), is_at_the_end, ..Asked::default() })
}

fn question_text(question: &Question) -> String {
    let with_options = |text: &str, options: &[String]| {
        options.iter().fold(text.to_owned(), |text, option| format!("{text}\n- {option}"))
    };
    if question.options.is_empty() || question.parts.is_empty() {
        return with_options(&question.text, &question.options);
    }
    let parts = question.parts.iter().map(|part| with_options(&part.text, &part.options));
    parts.collect::<Vec<_>>().join("\n")
}
