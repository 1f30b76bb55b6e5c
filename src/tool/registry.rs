//! The registry of tools, kinds and toolkits: schemas, dispatch, and one log line and one count per call.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    pin::Pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Action, AnswerFlaw, AskQuestions, CORE_FIELDS, Edits, Gate, GateInput, GetChatHistory, Merge, ModelAnswer, Plan,
    Preferences, Query, QueryResult, Question, ReadingPreferences, RecordKind, ReplyField, ReviseProposal, RowNames,
    Snapshot, SnapshotList, ToolContext, ToolError, row_view, whose::WHOSE,
};
use crate::{
    json_fields::{FieldError, Fields, short},
    model::{ToolCall, ToolSpec},
    phrases::Style,
    proposal::{Call, Change, Operation, Record, is_preference},
    sorted::Collect,
    store::StoreError,
};

pub use public::{Effect, PublicTool};
use row_history::RowHistory;
use specs::{spec, spec_of_action};

mod public;
mod row_history;
mod specs;
mod unsure;

/// The parts of a toolkit.
pub struct Toolkit {
    /// Unique among all toolkits.
    pub name: &'static str,
    /// Text for the system prompt.
    pub guidance: &'static str,
    pub register: fn(Registry) -> Result<Registry, RegistryError>,
    /// Page filters that its queries apply.
    pub page_filters: Option<PageFilters>,
    /// Fields that its queries and statuses can set in a reply.
    pub reply_fields: &'static [ReplyField],
    /// Checks a model's answer, if the turn called a tool of this toolkit or no tool of any toolkit.
    pub check_answer: Option<CheckAnswer>,
}

/// Returns the error in a model's answer, if there is one.
pub type CheckAnswer = fn(&ModelAnswer<'_>, &ToolContext<'_>) -> Option<AnswerFlaw>;

impl Toolkit {
    /// A toolkit with the required parts only. Set the other fields as needed.
    pub fn new(
        name: &'static str,
        guidance: &'static str,
        register: fn(Registry) -> Result<Registry, RegistryError>,
    ) -> Toolkit {
        Toolkit { name, guidance, register, page_filters: None, reply_fields: &[], check_answer: None }
    }
}

struct RegisteredKind {
    kind: Box<dyn RecordKind>,
    toolkit: Option<&'static str>,
}

/// The page filters that a toolkit supports.
#[derive(Debug, Clone, Copy)]
pub struct PageFilters {
    pub names: &'static [&'static str],
    /// Checks the values.
    pub check: fn(&Fields<'_>) -> Result<(), FieldError>,
}

pub struct Registry {
    page_filters: Vec<PageFilters>,
    tools: BTreeMap<&'static str, Run>,
    /// Tools without a gate come first, because providers cache equal beginnings of prompts.
    specs: Vec<ToolSpec>,
    /// The gates of the other tools.
    gates: BTreeMap<&'static str, Gate>,
    /// Of queries.
    statuses: BTreeMap<&'static str, Status>,
    after_a_write: Vec<&'static str>,
    only_add: BTreeSet<&'static str>,
    kinds: BTreeMap<&'static str, RegisteredKind>,
    /// The name of the toolkit that registers now. None: the core. `toolkits` has the toolkit of each tool.
    registering: Option<&'static str>,
    toolkits: BTreeMap<&'static str, Option<&'static str>>,
    row_names: RowNames,
    reply_fields: BTreeMap<&'static str, Merge>,
    /// By toolkit.
    answer_checks: Vec<(&'static str, CheckAnswer)>,
    /// By toolkit.
    guidance: Vec<(&'static str, &'static str)>,
    counts: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    /// Monotonic. Passed in, because this module reads no clock.
    clock: fn() -> Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    #[error("tool {0} is registered twice")]
    DuplicateTool(&'static str),
    #[error("toolkit {0} is registered twice")]
    DuplicateToolkit(&'static str),
    #[error("record kind {0} is registered twice")]
    DuplicateKind(&'static str),
    #[error("record kind {0} would collide with the store's own keys")]
    ReservedKind(&'static str),
    #[error(
        "every turn would read all records of kind {0}: a prefix begins with M only where a kind declares preferences"
    )]
    NoPreferences(&'static str),
    #[error("no turn would read the preferences of kind {0}: its prefix has to begin with M")]
    UnreadPreferences(&'static str),
    #[error("the reply field {0} is of the core or of another toolkit")]
    ReservedReplyField(&'static str),
    #[error("the arguments of {0} must deny unknown fields")]
    OpenArguments(&'static str),
    #[error("src/tool/registry/specs.json does not have {0}: run the test of the specs with UPDATE_SPECS=1")]
    NoSpec(&'static str),
}

/// The outcome of a call. Includes every error that the model or the person can act on.
#[derive(Debug)]
pub enum ToolOutcome {
    Found(QueryResult),
    Planned(Plan),
    Asked(Question),
    /// Edits of the waiting proposal.
    Revised(Edits),
    Malformed(String),
    Refused(String),
    /// Nothing is called what the person said.
    NothingFound(String),
    Forbidden(String),
}

/// The order in which the calls of one round are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    Clarify,
    Action,
    Query,
}

/// The words for a call; none if its arguments are invalid.
type Status = fn(&Value, &ToolContext<'_>) -> Option<String>;

enum Run {
    Query(for<'a> fn(Value, &'a ToolContext<'a>) -> Running<'a, QueryResult>),
    Action(RunAction),
    Clarify,
    Revise,
    RowHistory,
}

type RunAction = for<'a> fn(Value, &'a ToolContext<'a>) -> Running<'a, Plan>;

type Running<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

impl Registry {
    /// Registers the tools of the core and of each toolkit. An error if names or prefixes are invalid or not unique.
    pub fn new(clock: fn() -> Duration, toolkits: &[Toolkit]) -> Result<Registry, RegistryError> {
        let empty = Registry {
            page_filters: toolkits.iter().filter_map(|toolkit| toolkit.page_filters).collect(),
            tools: BTreeMap::new(),
            specs: Vec::new(),
            gates: BTreeMap::new(),
            statuses: BTreeMap::new(),
            after_a_write: Vec::new(),
            only_add: BTreeSet::new(),
            kinds: BTreeMap::new(),
            registering: None,
            toolkits: BTreeMap::new(),
            row_names: RowNames::default(),
            reply_fields: BTreeMap::new(),
            answer_checks: Vec::new(),
            guidance: Vec::new(),
            counts: Mutex::default(),
            clock,
        };
        let registry = empty
            .insert(spec::<AskQuestions>(AskQuestions::NAME)?, Run::Clarify)?
            .query::<GetChatHistory>()?
            .insert(spec_of_action::<ReviseProposal>(ReviseProposal::NAME)?, Run::Revise)?
            .with_row_history()?;
        let registry = toolkits.iter().enumerate().try_fold(registry, |mut registry, (n, toolkit)| {
            if toolkits[..n].iter().any(|other| other.name == toolkit.name) {
                return Err(RegistryError::DuplicateToolkit(toolkit.name));
            }
            registry.registering = Some(toolkit.name);
            registry.guidance.push((toolkit.name, toolkit.guidance));
            for ReplyField { name, merge } in toolkit.reply_fields {
                if CORE_FIELDS.contains(name) || registry.reply_fields.insert(name, *merge).is_some() {
                    return Err(RegistryError::ReservedReplyField(name));
                }
            }
            registry.answer_checks.extend(toolkit.check_answer.map(|check| (toolkit.name, check)));
            (toolkit.register)(registry)
        })?;
        Ok(Registry { registering: None, ..registry })
    }

    /// Checks that all filters of a page are known.
    pub fn check_names_of_page_filters(&self, active: &Fields<'_>) -> Result<(), FieldError> {
        let mut known: Vec<&str> = Vec::new();
        let of_core = if self.page_filters.is_empty() { None } else { Some(&WHOSE) };
        for name in self.page_filters.iter().flat_map(|filters| filters.names).chain(of_core) {
            if !known.contains(name) {
                known.push(name);
            }
        }
        if let Some(unknown) = active.fields.keys().find(|name| !known.contains(&name.as_str())) {
            let known: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let detail = format!("`{}` cannot have {:?}. It can have {known}", active.name, short(unknown));
            return Err(FieldError::Unprocessable(detail));
        }
        Ok(())
    }

    /// Checks that the known filters of a page have valid values.
    pub fn check_page_filters(&self, active: &Fields<'_>) -> Result<(), FieldError> {
        active.text(WHOSE)?;
        self.page_filters.iter().try_for_each(|filters| (filters.check)(active))
    }

    pub fn query<Q: Query>(mut self) -> Result<Registry, RegistryError> {
        self.gates.extend(Q::GATE.map(|gate| (Q::NAME, gate)));
        let status: Status = |arguments, context| Some(parse::<Q>(arguments.clone()).ok()?.status(context));
        self.statuses.insert(Q::NAME, status);
        let run = Run::Query(|arguments, context| Box::pin(async move { parse::<Q>(arguments)?.run(context).await }));
        self.insert(spec::<Q>(Q::NAME)?, run)
    }

    pub fn action<A: Action>(mut self) -> Result<Registry, RegistryError> {
        self.gates.extend(A::GATE.map(|gate| (A::NAME, gate)));
        self.after_a_write.extend(A::AFTER_A_WRITE);
        self.only_add.extend(A::ONLY_ADDS.then_some(A::NAME));
        let run = Run::Action(|arguments, context| Box::pin(async move { parse::<A>(arguments)?.plan(context).await }));
        self.insert(spec_of_action::<A>(A::NAME)?, run)
    }

    pub fn kind(mut self, kind: impl RecordKind + 'static) -> Result<Registry, RegistryError> {
        let prefix = kind.prefix();
        // These prefixes belong to other items of the table. Rollups (`L`) lie beside the settings, where every turn reads.
        let is_taken = matches!(prefix, "" | "A" | "D" | "U" | "MEMBER" | "META" | "SEQ") || prefix.starts_with('L');
        if is_taken || !prefix.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(RegistryError::ReservedKind(prefix));
        }
        match (is_preference(prefix), kind.preferences().is_some()) {
            (true, false) => return Err(RegistryError::NoPreferences(prefix)),
            (false, true) => return Err(RegistryError::UnreadPreferences(prefix)),
            _ => {}
        }
        if self.kind_named(kind.name()).is_some() {
            return Err(RegistryError::DuplicateKind(kind.name()));
        }
        if !is_preference(prefix) {
            self.row_names.add(&kind);
        }
        let registered = RegisteredKind { kind: Box::new(kind), toolkit: self.registering };
        match self.kinds.insert(prefix, registered) {
            None => Ok(self),
            Some(_) => Err(RegistryError::DuplicateKind(prefix)),
        }
    }

    /// All tools. Those without a gate come first. Both parts are sorted by name.
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The tools that are offered to the model in this turn.
    pub fn offered(&self, input: GateInput<'_>) -> Cow<'_, [ToolSpec]> {
        let (always, gated) = self.specs.split_at(self.specs.len() - self.gates.len());
        let is_offered = |spec: &&ToolSpec| self.is_offered(spec.name, input);
        match input.scope {
            None if !gated.iter().any(|spec| is_offered(&spec)) => Cow::Borrowed(always),
            _ => Cow::Owned(self.specs.iter().filter(is_offered).cloned().collect()),
        }
    }

    fn is_offered(&self, name: &str, input: GateInput<'_>) -> bool {
        self.gates.get(name).is_none_or(|gate| gate(input)) && self.is_in_scope(self.toolkit_of_tool(name), input.scope)
    }

    /// With a scope: the core, toolkits without kinds, and the toolkit of the kind that the page shows.
    fn is_in_scope(&self, toolkit: Option<&str>, scope: Option<&str>) -> bool {
        if scope.is_none() {
            return true;
        }
        let mut kinds = self.kinds.values().filter(|registered| registered.toolkit == toolkit).peekable();
        kinds.peek().is_none() || kinds.any(|registered| Some(registered.kind.name()) == scope)
    }

    /// Messages to suggest after a write.
    pub fn suggestions_after_a_write(&self) -> Vec<String> {
        self.after_a_write.iter().map(|said| (*said).to_owned()).collect()
    }

    /// The texts of the toolkits for the system prompt.
    pub fn guidance(&self, scope: Option<&str>) -> impl Iterator<Item = &'static str> {
        self.guidance.iter().filter(move |(toolkit, _)| self.is_in_scope(Some(toolkit), scope)).map(|(_, text)| *text)
    }

    /// The lists of rows for the prompt, with their kinds.
    pub fn snapshot_lists(&self, scope: Option<&str>) -> impl Iterator<Item = (&dyn RecordKind, SnapshotList)> {
        let kinds = self.kinds.values().filter(move |registered| self.is_in_scope(registered.toolkit, scope));
        kinds.flat_map(|registered| {
            let kind = &*registered.kind;
            kind.snapshot().into_iter().flat_map(Snapshot::lists).map(move |list| (kind, list))
        })
    }

    /// How to read texts, by the tenant's preferences.
    pub fn reading_preferences(&self, preferences: &[Record]) -> ReadingPreferences {
        let mut reading = ReadingPreferences::default();
        for record in preferences {
            // Records of toolkits that are not active are ignored.
            let kind = self.kind_of(&record.draft.kind).ok();
            if let Some(preferences) = kind.and_then(RecordKind::preferences) {
                preferences.apply(&record.draft, &mut reading);
            }
        }
        reading
    }

    /// The kind of a stored record. An error if its toolkit is not active.
    pub fn kind_of(&self, prefix: &str) -> Result<&dyn RecordKind, StoreError> {
        let registered = self.kinds.get(prefix).map(|registered| &*registered.kind);
        registered.ok_or_else(|| StoreError::Corrupt(format!("no toolkit knows records of kind {prefix}")))
    }

    /// The kind with this name.
    pub fn kind_named(&self, name: &str) -> Option<&dyn RecordKind> {
        self.kinds().find(|kind| kind.name() == name)
    }

    /// The declared reply fields of all toolkits.
    pub fn reply_fields(&self) -> &BTreeMap<&'static str, Merge> {
        &self.reply_fields
    }

    /// Checks a model's answer with the toolkits of the called tools, or with all toolkits if no toolkit's tool was
    /// called.
    pub fn answer_flaw<'n>(
        &self,
        called: impl Iterator<Item = &'n str>,
        answer: &ModelAnswer<'_>,
        context: &ToolContext<'_>,
    ) -> Option<AnswerFlaw> {
        let has_kinds = |toolkit: &&str| self.kinds.values().any(|kind| kind.toolkit == Some(*toolkit));
        let called: BTreeSet<&str> = called.filter_map(|tool| self.toolkit_of_tool(tool)).filter(has_kinds).inserted();
        let asked = self.answer_checks.iter().filter(|(toolkit, _)| called.is_empty() || called.contains(toolkit));
        asked.filter_map(|(_, check)| check(answer, context)).next()
    }

    /// Reads and writes row numbers in texts.
    pub fn row_names(&self) -> &RowNames {
        &self.row_names
    }

    /// The JSON object of a record.
    pub fn row(&self, record: &Record) -> Result<Value, StoreError> {
        Ok(row_view(self.kind_of(&record.draft.kind)?, record))
    }

    pub fn kinds(&self) -> impl Iterator<Item = &dyn RecordKind> {
        self.kinds.values().map(|registered| &*registered.kind)
    }

    /// The name of the kind's toolkit.
    pub fn toolkit_of_kind(&self, prefix: &str) -> Option<&'static str> {
        self.kinds.get(prefix)?.toolkit
    }

    /// The name of the tool's toolkit. None: a tool of the core.
    pub fn toolkit_of_tool(&self, name: &str) -> Option<&'static str> {
        *self.toolkits.get(name)?
    }

    /// The preference kinds of the same toolkit.
    pub fn preferences_beside(&self, prefix: &str) -> impl Iterator<Item = &dyn Preferences> {
        let toolkit = self.kinds.get(prefix).map(|registered| registered.toolkit);
        let beside = self.kinds.values().filter(move |registered| Some(registered.toolkit) == toolkit);
        beside.filter_map(|registered| registered.kind.preferences())
    }

    /// Changes to preferences that follow from other changes. Each kind of preference gets the changes of its own
    /// toolkit.
    pub fn infer_preferences(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Change> {
        let mut inferred = Vec::new();
        for RegisteredKind { kind, toolkit } in self.kinds.values() {
            let Some(preferences) = kind.preferences() else { continue };
            let is_beside =
                |change: &&Change| self.kinds.get(&*change.draft().kind).map(|of| of.toolkit) == Some(*toolkit);
            let beside: Vec<Change> = changes.iter().filter(is_beside).cloned().collect();
            inferred.extend(preferences.infer(&beside, context));
        }
        inferred
    }

    /// The text of an operation that is a side effect. None: the person asked for it.
    pub fn side_effect(&self, operation: &Operation, style: Style) -> Result<Option<String>, StoreError> {
        let kind = self.kind_of(&operation.row().draft.kind)?;
        Ok(kind.preferences().and_then(|preferences| preferences.side_effect(operation, style)))
    }

    /// An amount in minor units as a decimal string and as text for people.
    pub fn amount(&self, prefix: &str, unit: &str, minor: i128, style: Style) -> Result<(String, String), StoreError> {
        let totals = self.kind_of(prefix)?.totals();
        let plain = || (minor.to_string(), format!("{minor} {unit}"));
        Ok(totals.map_or_else(plain, |totals| totals.amount(unit, minor, style)))
    }

    /// An unknown name counts as a query, because it is refused and changes nothing.
    pub fn tool_kind(&self, name: &str) -> ToolKind {
        self.tools.get(name).map_or(ToolKind::Query, Run::kind)
    }

    /// The query that is called, and what it does in words for the person who waits.
    pub fn status(&self, call: &ToolCall, context: &ToolContext<'_>) -> Option<(&'static str, String)> {
        let (name, status) = self.statuses.get_key_value(call.name.as_str())?;
        Some((name, status(&call.arguments, context)?))
    }

    /// Number of calls in this process, by tool and outcome.
    pub fn counts(&self) -> BTreeMap<(&'static str, &'static str), u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub async fn dispatch(&self, call: &ToolCall, context: &ToolContext<'_>) -> Result<ToolOutcome, StoreError> {
        let started = (self.clock)();
        let (said, has_embeddings) = (context.user_messages, context.embeddings.is_some());
        let input = GateInput { said, scope: context.scope, has_embeddings };
        let offered = self.tools.get(call.name.as_str()).filter(|_| self.is_offered(&call.name, input));
        let result = match offered {
            Some(Run::Query(run)) => run(call.arguments.clone(), context).await.map(ToolOutcome::Found),
            Some(Run::Action(run)) => planned(*run, call.arguments.clone(), context).await,
            Some(Run::RowHistory) => match parse::<RowHistory>(call.arguments.clone()) {
                Ok(asked) => self.row_history(asked, context).await.map(ToolOutcome::Found),
                Err(error) => Err(error),
            },
            Some(Run::Clarify) => parse::<AskQuestions>(call.arguments.clone()).and_then(|asked| {
                let question = asked.into_question();
                question.map(ToolOutcome::Asked).ok_or_else(|| ToolError::Malformed("the question is missing".into()))
            }),
            // What a guess is about is not told: a revision waits in any case.
            Some(Run::Revise) => unsure::take(call.arguments.clone()).and_then(|(arguments, _)| {
                let edits = parse::<ReviseProposal>(arguments)?.into_edits();
                edits.map(ToolOutcome::Revised).ok_or_else(|| ToolError::Malformed("this changes nothing".into()))
            }),
            None => Err(ToolError::Malformed(format!("there is no tool called {}", shorten(&call.name)))),
        };
        let result = result.map(|outcome| self.with_declared_fields(call, outcome, context));
        let outcome = match &result {
            Ok(ToolOutcome::Asked(_)) | Err(ToolError::Ask(_)) => "asked",
            Ok(_) => "ok",
            Err(ToolError::Malformed(_)) => "malformed",
            Err(ToolError::Refused(_) | ToolError::NothingFound(_) | ToolError::BadCursor) => "refused",
            Err(ToolError::Forbidden(_)) => "forbidden",
            Err(ToolError::Fault(_)) => "fault",
        };
        self.record(&call.name, outcome, (self.clock)() - started);
        match result {
            Ok(outcome) => Ok(outcome),
            Err(ToolError::Malformed(reason)) => Ok(ToolOutcome::Malformed(reason)),
            Err(error @ (ToolError::Refused(_) | ToolError::BadCursor)) => Ok(ToolOutcome::Refused(error.to_string())),
            Err(ToolError::NothingFound(reason)) => Ok(ToolOutcome::NothingFound(reason)),
            Err(ToolError::Ask(question)) => Ok(ToolOutcome::Asked(*question)),
            Err(ToolError::Forbidden(reason)) => Ok(ToolOutcome::Forbidden(reason)),
            Err(ToolError::Fault(error)) => Err(error),
        }
    }

    /// Removes undeclared fields, because clients do not know them, and adds the call to what it found.
    fn with_declared_fields(&self, call: &ToolCall, outcome: ToolOutcome, context: &ToolContext<'_>) -> ToolOutcome {
        let ToolOutcome::Found(mut found) = outcome else { return outcome };
        let tool = call.name.as_str();
        let mut arguments = call.arguments.clone();
        // Whose records were meant may only have been in the message, which those that go on from it do not repeat. The
        // page's own filter may be another one then.
        let detected = found.state_updates.detected_filters.as_ref().filter(|_| !context.filters.contains_key(WHOSE));
        if let (Some(whose), Some(arguments)) =
            (detected.and_then(|filters| filters.get(WHOSE)), arguments.as_object_mut())
        {
            arguments.insert(WHOSE.to_owned(), whose.clone());
        }
        found.list.call = Some(Call { tool: tool.to_owned(), arguments });
        found.state_updates.fields.retain(|name, _| {
            let is_declared = self.reply_fields.contains_key(name.as_str());
            if !is_declared {
                tracing::error!(tool, field = name, "a tool set a field of the reply that no toolkit declares");
            }
            is_declared
        });
        ToolOutcome::Found(found)
    }

    /// An unknown name is not logged or counted by name, because it is text of the model.
    fn record(&self, name: &str, outcome: &'static str, duration: Duration) {
        let (name, kind) = match self.tools.get_key_value(name) {
            Some((name, run)) => (*name, run.kind().as_str()),
            None => ("unknown", "unknown"),
        };
        let duration_ms = duration.as_secs_f64() * 1000.0;
        tracing::info!(tool = name, kind, outcome, duration_ms, "tool {name}: {outcome}");
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry((name, outcome)).or_default() += 1;
    }

    fn insert(mut self, spec: ToolSpec, run: Run) -> Result<Registry, RegistryError> {
        if self.tools.insert(spec.name, run).is_some() {
            return Err(RegistryError::DuplicateTool(spec.name));
        }
        self.toolkits.insert(spec.name, self.registering);
        let order = |spec: &ToolSpec| (self.gates.contains_key(spec.name), spec.name);
        let place = self.specs.partition_point(|other| order(other) < order(&spec));
        self.specs.insert(place, spec);
        Ok(self)
    }
}

impl Run {
    fn kind(&self) -> ToolKind {
        match self {
            Run::Clarify => ToolKind::Clarify,
            Run::Action(_) | Run::Revise => ToolKind::Action,
            Run::Query(_) | Run::RowHistory => ToolKind::Query,
        }
    }
}

impl ToolKind {
    pub fn as_str(self) -> &'static str {
        match self {
            ToolKind::Clarify => "clarify",
            ToolKind::Action => "action",
            ToolKind::Query => "query",
        }
    }
}

async fn planned(run: RunAction, arguments: Value, context: &ToolContext<'_>) -> Result<ToolOutcome, ToolError> {
    let (arguments, doubt) = unsure::take(arguments)?;
    let mut plan = run(arguments, context).await?;
    plan.notes.extend(doubt);
    Ok(ToolOutcome::Planned(plan))
}

fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolError> {
    serde_json::from_value(arguments)
        .map_err(|error| ToolError::Malformed(format!("these arguments are not valid: {error}")))
}

fn shorten(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect()
}
