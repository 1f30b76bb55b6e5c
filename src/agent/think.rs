//! The loop: think, then clarify, look, propose or answer.

use futures_util::future::join_all;

use tokio::time::Instant;

use super::{
    Agent, CurrentTurn, TurnError,
    claims::{Seen, claims_a_write},
    figures::{self, Figures},
    looked, prompt,
    reply::Reply,
    wording::lower_first,
};
use crate::{
    model::{CallOutcome, Completion, Ending, Message, Model, ModelError, ModelRequest, System, ToolCall, ToolChoice},
    money::Currency,
    phrases::shown::STILL_WAITING,
    proposal::{Call, Change, ChangeSetError, Note, Policy, change_set::CHUNK_ACTIONS},
    store::{Ended, Waiting},
    tool::{Edits, Plan, QueryResult, Question, ToolContext, ToolKind, ToolOutcome},
};

/// Rounds of a turn; the last one offers no tools, so that the model must answer.
pub const ROUNDS: usize = 5;

/// Of a round: each may read a lot.
const QUERIES: usize = 10;

const NOTHING_UNDERSTOOD: &str = "I didn't understand that. Nothing was changed. Please say it in other words.";
const DECLINED: &str = "I can't answer that. Nothing was changed. Please say it in other words.";
const CUT_OFF: &str = "My answer got too long. Nothing was changed. Please ask for less at once.";
const TOO_LONG: &str = "This conversation is too long for me. Nothing was changed. Please start a new one, or send a shorter \
                        message.";
const NOT_GOT_RIGHT: &str =
    "I didn't understand that. Nothing was changed. What should I do? Please say it in other words.";
const NOTHING_DONE: &str = "Nothing was changed. Say what to add, change or delete. I will show it to you first.";

/// Said to the model, never to the person.
const ANSWER_NOW: &str = "(The application: your answer was empty. Answer the person now.)";
const CLAIMED: &str = "(The application: nothing was written, so your answer was not shown. To change something, call the \
                       tool. Otherwise answer, and do not say that something was done.)";

/// What thinking came to; nothing has been written yet.
enum Thought {
    Answer(String),
    /// What was asked for could not be done.
    Refuse(String),
    Ask(Question),
    Propose(Planned, Policy),
    /// What waits, shown again.
    Revise(Edits),
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
        let deadline = turn.request.deadline.model;
        let thinking = self.rounds(turn, &*self.model, deadline, &mut found);
        let thought = tokio::time::timeout_at(deadline, thinking).await;
        match thought.unwrap_or(Err(TurnError::ModelUnavailable(ModelError::Timeout))) {
            // What was looked up is true whether or not the model gets to say so.
            Err(TurnError::ModelUnavailable(_)) if !found.is_empty() => {
                self.act_on(turn, Thought::Answer(String::new()), found).await
            }
            Err(TurnError::ModelUnavailable(cause)) => self.think_in_limited_mode(turn, cause).await,
            thought => self.act_on(turn, thought?, found).await,
        }
    }

    /// What the fallback calls no tool for, it has not surely understood.
    async fn think_in_limited_mode(&self, turn: &CurrentTurn<'_>, cause: ModelError) -> Result<Reply, TurnError> {
        let unavailable = TurnError::ModelUnavailable(cause);
        let Some(fallback) = &self.fallback else { return Err(unavailable) };
        let (turn, mut found) = (turn.in_limited_mode(), Vec::new());
        match self.rounds(&turn, &**fallback, turn.request.deadline.answer, &mut found).await? {
            Thought::Answer(_) | Thought::Refuse(_) if found.is_empty() => Err(unavailable),
            thought => self.act_on(&turn, thought, found).await,
        }
    }

    async fn act_on(
        &self,
        turn: &CurrentTurn<'_>,
        thought: Thought,
        found: Vec<QueryResult>,
    ) -> Result<Reply, TurnError> {
        // Plain code looks at what was named, and says of what.
        let is_believed = turn.limited || !self.model.reads_prompts();
        let note = if is_believed { None } else { looked::elsewhere(&found) };
        match thought {
            Thought::Propose(planned, policy) => self.propose(turn, planned, policy).await,
            Thought::Revise(edits) => self.revise(turn, &edits).await,
            Thought::Ask(question) => {
                let reply = Reply { answer: spoken(&question), question: Some(question), ..Reply::default() };
                self.conclude(turn, reply, Ended::Asked).await
            }
            Thought::Answer(text) => {
                let reply = answer(text, found, note);
                let open = reply.answer.trim_end().ends_with('?');
                self.answered(turn, Reply { open, ..reply }).await
            }
            Thought::Refuse(text) => self.answered(turn, Reply { open: true, ..answer(text, found, note) }).await,
        }
    }

    async fn answered(&self, turn: &CurrentTurn<'_>, mut reply: Reply) -> Result<Reply, TurnError> {
        // Only mentioned: a yes to the answer's own words must not be one to this.
        reply.answer.push_str(&still_waiting(turn.live()));
        self.conclude(turn, reply, Ended::Answered).await
    }

    async fn rounds(
        &self,
        turn: &CurrentTurn<'_>,
        model: &dyn Model,
        deadline: Instant,
        found: &mut Vec<QueryResult>,
    ) -> Result<Thought, TurnError> {
        let said = turn.said();
        let shown = turn.still_shown();
        // What queries find, the person has not seen: it tells what is true, and points at no row.
        let mut known = shown.clone();
        let system = prompt::system(turn, &self.registry);
        let (mut messages, tools) = (turn.messages(), self.registry.offered(&said));
        let mut slips = Slips::default();
        for round in 1..=ROUNDS {
            let choice = if round < ROUNDS { ToolChoice::Auto } else { ToolChoice::None };
            let request = ModelRequest {
                system: &system,
                today: turn.today,
                hour: turn.hour,
                conventions: turn.conventions,
                messages: &messages,
                tools: &tools,
                choice,
                deadline,
            };
            let completion = match model.complete(request).await {
                Err(ModelError::TooLong) => return Ok(Thought::instead(TOO_LONG, found)),
                completion => completion.map_err(TurnError::ModelUnavailable)?,
            };
            let context = turn.tool_context(&said, &shown);
            let seen = Seen { texts: &known, reader: context.reader() };
            let (calls, policy) = match slips.read(completion, choice, seen, &mut messages) {
                Heard::Words(mut text) => {
                    let figures = Figures { reader: context.reader(), own: own_currency(turn) };
                    let seen = || told(turn, &system, found);
                    if let Some(made_up) = figures.made_up(&text, seen) {
                        let looks = found.is_empty() && choice == ToolChoice::Auto;
                        tracing::info!(
                            looked = found.len(),
                            asked_again = looks && !slips.made_up,
                            "an amount was made up"
                        );
                        if looks && !std::mem::replace(&mut slips.made_up, true) {
                            let why = figures::nowhere(&made_up);
                            messages.extend([Message::assistant(text), Message::User(why)]);
                            continue;
                        }
                        text = beside(&text, &figures::beside(&made_up, found));
                    }
                    let is_refused = found.is_empty() && is_refused(&messages);
                    return Ok(if is_refused { Thought::Refuse(text) } else { Thought::Answer(text) });
                }
                Heard::Nothing(apology) => return Ok(Thought::instead(apology, found)),
                Heard::Unfinished => continue,
                Heard::Calls { calls, waits } => {
                    // What was shown is not done by it, so nothing else is done either.
                    (calls, if waits || turn.goes_on_after_yes() { Policy::Always } else { turn.policy })
                }
            };
            let outcomes = match self.run_calls(&calls, &context, policy, found).await? {
                Ran::Enough(thought) => return Ok(thought),
                Ran::Malformed(_) if slips.malformed => {
                    let question = Question { text: NOT_GOT_RIGHT.into(), ..Question::default() };
                    return Ok(Thought::Ask(question));
                }
                Ran::Malformed(outcomes) => {
                    slips.malformed = true;
                    outcomes
                }
                Ran::More(outcomes) => outcomes,
            };
            known.extend(outcomes.iter().map(|outcome| outcome.content.clone()));
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
        policy: Policy,
        found: &mut Vec<QueryResult>,
    ) -> Result<Ran, TurnError> {
        check_count(calls.len())?;
        let first = calls.iter().map(|call| self.registry.tool_kind(&call.name)).min();
        let (now, later): (Vec<&ToolCall>, Vec<&ToolCall>) =
            calls.iter().partition(|call| Some(self.registry.tool_kind(&call.name)) == first);
        let at_once = if first == Some(ToolKind::Query) { QUERIES } else { CHUNK_ACTIONS };
        let (now, over) = now.split_at(now.len().min(at_once));
        let results = join_all(now.iter().map(|call| self.registry.dispatch(call, context))).await;
        let (mut outcomes, mut plans, mut malformed) = (Vec::new(), Vec::new(), false);
        outcomes.extend(
            over.iter().map(|call| refused(call, "not done: these are too many calls at once. Call this again")),
        );
        for (&call, result) in now.iter().zip(results) {
            match result? {
                ToolOutcome::Asked(question) => return Ok(Ran::Enough(Thought::Ask(question))),
                ToolOutcome::Forbidden(reason) => return Err(TurnError::Forbidden(reason)),
                ToolOutcome::Malformed(reason) => {
                    malformed = true;
                    outcomes.push(refused(call, &reason));
                }
                ToolOutcome::Refused(reason) => outcomes.push(refused(call, &reason)),
                ToolOutcome::Revised(edits) if calls.len() == 1 => return Ok(Ran::Enough(Thought::Revise(edits))),
                ToolOutcome::Revised(_) => outcomes.push(refused(call, "not done: call this tool alone")),
                ToolOutcome::Planned(plan) => plans.push((call, plan)),
                ToolOutcome::Found(result) => {
                    let content = result.summary_for_llm.clone();
                    outcomes.push(CallOutcome { call_id: call.id.clone(), content, refused: false });
                    found.push(result);
                }
            }
        }
        if outcomes.is_empty() && !plans.is_empty() {
            let said = plans.iter().filter(|(_, plan)| plan.stored.is_none()).flat_map(|(_, plan)| &plan.changes);
            let said = said.collect::<Vec<_>>();
            let doubts = self.doubts(&said, context);
            let learned = self.learned(&said.into_iter().cloned().collect::<Vec<_>>(), context);
            let policy = if plans.iter().any(|(_, plan)| plan.stored.is_some()) { Policy::Always } else { policy };
            let mut planned = merge(plans);
            planned.notes.extend(doubts);
            planned.changes.extend(learned);
            return Ok(Ran::Enough(Thought::Propose(planned, policy)));
        }
        let siblings = plans.iter().map(|(call, _)| *call).chain(later);
        outcomes.extend(siblings.map(|call| refused(call, "not done: another call of the same response comes first")));
        Ok(if malformed { Ran::Malformed(outcomes) } else { Ran::More(outcomes) })
    }

    /// Grounding is asked of every change that a model plans, by kind, so that no tool can forget it.
    pub(super) fn doubts(&self, changes: &[&Change], context: &ToolContext<'_>) -> Vec<Note> {
        let of_kind = |prefix: &str| -> Vec<Change> {
            changes.iter().filter(|change| change.draft().kind == prefix).map(|change| (*change).clone()).collect()
        };
        let kinds = self.registry.kinds().map(|kind| (kind, of_kind(kind.prefix())));
        kinds
            .filter(|(_, changes)| !changes.is_empty())
            .flat_map(|(kind, changes)| kind.doubts(&changes, context))
            .collect()
    }
}

/// What a completion is good for.
enum Heard {
    Words(String),
    /// No answer will come; this is said instead.
    Nothing(&'static str),
    /// The model goes on in the next round.
    Unfinished,
    Calls {
        calls: Vec<ToolCall>,
        waits: bool,
    },
}

/// What a model may do wrong once in a turn.
#[derive(Default)]
struct Slips {
    silent: bool,
    /// It said that something was written.
    claimed: bool,
    /// It told an amount that is from nowhere.
    made_up: bool,
    /// It called what does not exist, or with arguments that do not fit.
    malformed: bool,
}

impl Slips {
    /// What the model has to see again goes to the end of `messages`.
    fn read(
        &mut self,
        completion: Completion,
        choice: ToolChoice,
        seen: Seen<'_>,
        messages: &mut Vec<Message>,
    ) -> Heard {
        let Completion { text, calls, ending, confirmation_suggested, native } = completion;
        match ending {
            Ending::Complete => {}
            Ending::Paused => {
                messages.push(Message::Assistant { text, calls, native });
                return Heard::Unfinished;
            }
            Ending::Refused => return Heard::Nothing(DECLINED),
            Ending::Truncated => return Heard::Nothing(CUT_OFF),
            // Its words may be whole; its calls cannot be known to be.
            Ending::Unknown => return Heard::Words(without_claims(text, seen)),
        }
        if choice == ToolChoice::None {
            return Heard::Words(without_claims(text, seen));
        }
        if !calls.is_empty() {
            messages.push(Message::Assistant { text, calls: calls.clone(), native });
            return Heard::Calls { calls, waits: confirmation_suggested };
        }
        if text.trim().is_empty() {
            if std::mem::replace(&mut self.silent, true) {
                return Heard::Words(String::new());
            }
            messages.push(Message::User(ANSWER_NOW.to_owned()));
            return Heard::Unfinished;
        }
        if !claims_a_write(&text, seen) {
            return Heard::Words(text);
        }
        if std::mem::replace(&mut self.claimed, true) {
            return Heard::Nothing(NOTHING_DONE);
        }
        messages.push(Message::Assistant { text, calls, native });
        messages.push(Message::User(CLAIMED.to_owned()));
        Heard::Unfinished
    }
}

enum Ran {
    Enough(Thought),
    More(Vec<CallOutcome>),
    /// At least one call was none that there is.
    Malformed(Vec<CallOutcome>),
}

impl Thought {
    /// What was looked up before is a better answer than an apology.
    fn instead(apology: &str, found: &[QueryResult]) -> Thought {
        Thought::Answer(if found.is_empty() { apology.to_owned() } else { String::new() })
    }
}

fn without_claims(text: String, seen: Seen<'_>) -> String {
    if claims_a_write(&text, seen) { NOTHING_DONE.to_owned() } else { text }
}

/// Several calls are known to clients without ids as one call of `batch`.
pub(super) const BATCH: &str = "batch";

/// More could never be one approval, and each may read a lot before that is found out.
pub(super) fn check_count(calls: usize) -> Result<(), TurnError> {
    let too_many = ChangeSetError::TooMany { changes: calls, limit: CHUNK_ACTIONS };
    if calls > CHUNK_ACTIONS { Err(TurnError::Unprocessable(too_many.to_string())) } else { Ok(()) }
}

/// What an answer's amounts may be from: what was said and found, and what there is.
fn told(turn: &CurrentTurn<'_>, system: &System, found: &[QueryResult]) -> Vec<String> {
    let messages = turn.messages();
    let recent = messages.into_iter().rev().take(REMEMBERED).filter_map(|message| match message {
        Message::User(text) => Some(text),
        Message::Assistant { text, .. } => Some(figures::found_in(&text).to_owned()),
        Message::Outcomes(_) => None,
    });
    let recorded = system.now.split_once(prompt::RECORDED).map(|(_, recorded)| recorded.to_owned());
    let found = found.iter().map(|result| result.summary_for_llm.clone());
    recent.chain(recorded).chain(found).collect()
}

/// So many messages back, an answer's amounts may be from.
const REMEMBERED: usize = 12;

fn own_currency(turn: &CurrentTurn<'_>) -> Option<Currency> {
    Currency::parse(turn.currency.as_deref()?).ok()
}

/// Behind the model's words; before them if they end in a question, so that the answer still does.
fn beside(text: &str, note: &str) -> String {
    match text.trim_end().ends_with('?') {
        true => format!("{note}\n\n{text}"),
        false => format!("{text}\n\n{note}"),
    }
}

/// The last that was tried was.
fn is_refused(messages: &[Message]) -> bool {
    matches!(messages.last(), Some(Message::Outcomes(outcomes)) if outcomes.iter().any(|outcome| outcome.refused))
}

fn refused(call: &ToolCall, reason: &str) -> CallOutcome {
    CallOutcome { call_id: call.id.clone(), content: reason.to_owned(), refused: true }
}

fn merge(plans: Vec<(&ToolCall, Plan)>) -> Planned {
    let calls = plans.iter().map(|(call, plan)| {
        let arguments = plan.stored.as_ref().unwrap_or(&call.arguments);
        Call { tool: call.name.clone(), arguments: arguments.clone() }
    });
    let calls: Vec<Call> = calls.collect();
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

fn answer(text: String, found: Vec<QueryResult>, note: Option<String>) -> Reply {
    let answer = match (text.trim(), found.as_slice()) {
        ("", []) => NOTHING_UNDERSTOOD.to_owned(),
        ("", found) => found.iter().map(|result| result.summary_for_llm.as_str()).collect::<Vec<_>>().join("\n"),
        (text, _) => text.to_owned(),
    };
    let answer = note.map_or_else(|| answer.clone(), |note| beside(&answer, &note));
    Reply { answer, ..looked::reply(found) }
}

/// What waits is offered again after any other answer.
pub(super) fn still_waiting<'w>(waiting: impl Iterator<Item = &'w Waiting>) -> String {
    let summaries: Vec<String> = waiting.map(|waiting| lower_first(&waiting.summary)).collect();
    match summaries.as_slice() {
        [] => String::new(),
        [only] => format!("\n\n{STILL_WAITING} {only}."),
        several => format!("\n\n{STILL_WAITING}\n- {}", several.join("\n- ")),
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
