//! Tools that a model can call. A query reads. An action returns planned changes and never writes them.
//!
//! This module uses records, change sets and rollups, but no toolkit. A toolkit registers its tools, its kinds of
//! record and its prompt text with the [`Registry`].

use std::future::Future;

use jiff::{civil::Date, tz::TimeZone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    identity::{Caller, Members},
    json_fields::FieldError,
    model::{Message, embeddings::Embeddings},
    phrases::{Conventions, Reader, Style},
    proposal::{Change, Note, Record, RowRef},
    shown::{Asked, AskedPart, List, ShownRow},
    store::{StoreError, TenantStore},
};

pub use ask_questions::AskQuestions;
pub use get_chat_history::GetChatHistory;
pub use kind::{
    DueItem, Duplicates, Editing, Grounding, ListForPage, OverviewText, PageQuery, PreferenceOffer, Preferences,
    ReadingPreferences, RecordKind, Rendering, Schedule, Search, Snapshot, SnapshotList, SumStatus, Totals, VerbWords,
    Watch, WatchedSums,
};
pub use names::NameCache;
pub use registry::{
    CheckAnswer, Effect, PageFilters, PublicTool, Registry, RegistryError, ToolKind, ToolOutcome, Toolkit,
};
pub use reply_fields::{CORE_FIELDS, Merge, ReplyField};
pub use revise_proposal::{Edits, ReviseProposal};
pub use row_names::{RowNames, row_view, shown_row, with_kind};
pub use whose::{Owners, Whose};

pub mod ask_questions;
pub mod field_changes;
pub mod field_filters;
mod field_grounding;
pub mod fields;
pub mod find_row;
mod get_chat_history;
mod kind;
pub mod listing;
pub mod names;
pub mod plain_text;
pub mod registry;
mod reply_fields;
pub mod revise_proposal;
pub mod row_filter;
mod row_names;
pub mod search;
pub mod search_by_meaning;
pub mod selection;
pub mod whose;
pub mod word_match;
pub mod word_query;
pub mod words;

/// A tool that reads. The struct has the arguments. Its doc comment is the description for the model, and the doc
/// comments of its fields describe the parameters. It must have `#[serde(deny_unknown_fields)]`.
pub trait Query: JsonSchema + DeserializeOwned + Send + 'static {
    const NAME: &'static str;

    /// Whether the tool is offered to the model in this turn, for costly tools that are seldom needed. A call of a tool
    /// that was not offered is refused like an unknown name.
    const GATE: Option<Gate> = None;

    /// What it does, for the person who waits.
    fn status(&self, _context: &ToolContext<'_>) -> String {
        "Looking it up…".to_owned()
    }

    fn run(self, context: &ToolContext<'_>) -> impl Future<Output = Result<QueryResult, ToolError>> + Send;
}

/// A cheap test before the model is called.
pub type Gate = fn(GateInput<'_>) -> bool;

#[derive(Debug, Clone, Copy, Default)]
pub struct GateInput<'a> {
    /// The person's messages, oldest first.
    pub said: &'a [String],
    /// The name of the kind of record that the page shows.
    pub scope: Option<&'a str>,
    /// There is an endpoint for searches by meaning.
    pub has_embeddings: bool,
}

/// A tool that plans changes. It never writes them. Declared like a [`Query`].
pub trait Action: JsonSchema + DeserializeOwned + Send + 'static {
    const NAME: &'static str;

    /// Like the gate of a query.
    const GATE: Option<Gate> = None;

    /// It never changes or deletes what is stored.
    const ONLY_ADDS: bool = false;

    /// A message that calls this tool, to suggest after each write.
    const AFTER_A_WRITE: Option<&'static str> = None;

    fn plan(self, context: &ToolContext<'_>) -> impl Future<Output = Result<Plan, ToolError>> + Send;
}

/// What a tool can read. Tools cannot write.
#[derive(Clone, Copy)]
pub struct ToolContext<'a> {
    pub caller: &'a Caller,
    /// The date in the person's time zone: the client's, else the tenant's, else the default.
    pub today: Date,
    /// The hour in the same time zone, 0 to 23.
    pub hour: i8,
    pub zone: &'a TimeZone,
    /// How numbers and days are read and written.
    pub conventions: Conventions,
    /// The default currency: an ISO 4217 code.
    pub currency: Option<&'a str>,
    /// The currency that the client sets. It overrides the stored setting.
    pub given_currency: Option<&'a str>,
    /// All records of the kinds that declare [`Preferences`].
    pub preferences: &'a [Record],
    /// The person's messages, oldest first: those that this message continues, then this message.
    pub user_messages: &'a [String],
    /// The answers that the person sees. Row numbers may come from there. Results of this turn's queries are not among
    /// them.
    pub visible_answers: &'a [VisibleAnswer],
    /// The rows that the page shows beside the conversation.
    pub page_rows: &'a [ShownRow],
    /// Reads and writes row numbers in texts.
    pub row_names: &'a RowNames,
    /// The name of the kind of record that the page shows.
    pub scope: Option<&'a str>,
    /// The stored conversation. None if the model sees all of it.
    pub conversation: Option<Conversation<'a>>,
    /// The page's filters. They apply to every query.
    pub filters: &'a Map<String, Value>,
    /// Everybody who shares the records.
    pub members: &'a Members,
    pub store: TenantStore<'a>,
    /// The names of rows that were read in this turn.
    pub names: &'a NameCache,
    /// The endpoint for searches by meaning, if configured.
    pub embeddings: Option<&'a dyn Embeddings>,
}

/// An answer that the person sees.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VisibleAnswer {
    /// The rows in the answer, in their order.
    pub rows: Vec<ShownRow>,
    /// The list that the answer is, if it is one.
    pub list: Option<List>,
    /// What the options that it offers stand for.
    pub values: Vec<Value>,
    /// It shows a proposal that waits.
    pub proposes: bool,
}

impl VisibleAnswer {
    pub fn of_row(row: RowRef) -> VisibleAnswer {
        VisibleAnswer { rows: vec![ShownRow::of(row)], ..VisibleAnswer::default() }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Conversation<'a> {
    pub name: &'a str,
    /// The number of last turns that the model's messages contain.
    pub seen: usize,
}

/// Limits for the preferences of a tenant, because each turn reads all of them. One page of the store holds ten times
/// as much.
const MAX_PREFERENCES: usize = 300;
const MAX_PREFERENCE_BYTES: usize = 100_000;

/// Limits for the inferred ones of one kind, so that they leave room for what people ask for.
const MAX_INFERRED: usize = 200;
const MAX_INFERRED_BYTES: usize = 60_000;

impl ToolContext<'_> {
    /// Reads the person's messages and the model's arguments.
    pub fn reader(&self) -> Reader {
        Reader { today: self.today, hour: self.hour, conventions: self.conventions }
    }

    /// How texts for the person are written.
    pub fn style(&self) -> Style {
        self.conventions.style
    }

    /// Whether a visible answer or the page shows this row.
    pub fn shows(&self, row: &RowRef) -> bool {
        let answered = self.visible_answers.iter().flat_map(|answer| &answer.rows);
        answered.chain(self.page_rows).any(|shown| shown.is(row))
    }

    /// The only row of this kind in the last answer, as it is now: what "it" means.
    pub fn only_row_shown(&self, kind: &str) -> Option<&ShownRow> {
        let rows = &self.visible_answers.last()?.rows;
        let only = rows.iter().rfind(|row| row.kind == kind)?;
        rows.iter().all(|row| row.kind != kind || row.id == only.id).then_some(only)
    }

    /// Whether the change is of the row that "it" means.
    pub fn is_of_row_shown(&self, change: &Change) -> bool {
        let shown = self.only_row_shown(&change.draft().kind);
        change.before().zip(shown).is_some_and(|(before, shown)| before.id == shown.id)
    }

    /// Whether a visible answer or the page shows this row, or a message names it.
    pub fn names_row(&self, row: &RowRef) -> bool {
        self.shows(row) || self.user_messages.iter().any(|said| self.row_names.is_pointed_at(said, row))
    }

    /// How many more preferences can be stored.
    pub fn remaining_capacity(&self) -> usize {
        remaining(self.preferences.iter(), MAX_PREFERENCES, MAX_PREFERENCE_BYTES)
    }

    /// How many more preferences of a kind can be inferred.
    pub fn remaining_to_infer(&self, kind: &str) -> usize {
        remaining(self.preferences_of(kind), MAX_INFERRED, MAX_INFERRED_BYTES)
    }

    /// The preferences of one kind, newest last.
    pub fn preferences_of(&self, kind: &str) -> impl DoubleEndedIterator<Item = &Record> {
        self.preferences.iter().filter(move |record| record.draft.kind == kind)
    }
}

fn remaining<'r>(preferences: impl Iterator<Item = &'r Record>, most: usize, most_bytes: usize) -> usize {
    let bytes = |record: &Record| serde_json::to_vec(record).map_or(MAX_PREFERENCE_BYTES, |json| json.len());
    let (count, size) = preferences.fold((0, 0), |(count, size), record| (count + 1, size + bytes(record)));
    if size >= most_bytes { 0 } else { most.saturating_sub(count) }
}

/// The answer of a model, before the person sees it.
#[derive(Clone, Copy)]
pub struct ModelAnswer<'a> {
    pub text: &'a str,
    /// Earlier messages and those of this turn, oldest first.
    pub conversation: &'a [Message],
    /// The part of the prompt with stored data.
    pub recorded: &'a str,
    /// The results of this turn's queries.
    pub found: &'a [QueryResult],
}

/// An error in a model's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerFlaw {
    /// A message for the model, never shown to the person. The model then answers again.
    pub retry_request: String,
    /// A note for the person beside the answer, if the second answer has an error too.
    pub correction: String,
}

/// The result of any query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryResult {
    pub count: usize,
    /// The text for the model, limited in length.
    pub summary_for_llm: String,
    /// All rows for clients, if the result is a list.
    pub items: Option<Vec<Value>>,
    /// The same rows as later messages refer to them.
    pub rows: Vec<ShownRow>,
    /// Which part of the list this is.
    pub list: List,
    pub state_updates: StateUpdates,
}

/// The fields of a reply that a query can set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StateUpdates {
    /// The number of all rows of a list or all groups of sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detected_filters: Option<Value>,
    /// None if the query has no days or amounts that a person could name.
    #[serde(skip)]
    pub filter_match: Option<FilterMatch>,
    /// JSON objects of preferences. They are not rows of a list.
    #[serde(skip)]
    pub preferences: Vec<Value>,
    /// Messages to suggest. Each works without a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// Fields that the toolkit declares.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl StateUpdates {
    /// Sets a field that the toolkit declares.
    pub fn with_field(mut self, name: &'static str, value: Value) -> StateUpdates {
        self.fields.insert(name.to_owned(), value);
        self
    }
}

/// Whether a query is about the days and amounts that the person named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterMatch {
    Matches,
    /// What was queried, and what the person named.
    Differs {
        queried: String,
        named: String,
    },
}

/// The changes that an action plans, and notes for the person.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
    /// Resolved arguments, for changes that come from stored data. Their values are not checked against the person's
    /// words, and they wait for approval under every policy. The arguments mean the same later, unlike those of the
    /// model ("the last").
    pub stored: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct Question {
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What the answer must contain, e.g. `amount`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// If several questions are asked: each of them. The fields above are those of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<AskedPart>,
    /// The rows that it names, first those among the options.
    #[serde(skip)]
    pub rows: Vec<ShownRow>,
    /// See [`Asked::values`].
    #[serde(skip)]
    pub values: Vec<Value>,
    /// See [`Asked::name`].
    #[serde(skip)]
    pub name: Option<String>,
}

impl Question {
    /// As later turns refer to it.
    pub fn asked(&self) -> Asked {
        Asked {
            text: self.text.clone(),
            options: self.options.clone(),
            missing: self.missing.clone(),
            values: self.values.clone(),
            name: self.name.clone(),
            parts: self.parts.clone(),
            is_at_the_end: true,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// Unknown tool or invalid arguments. The model is told and may repair the call once.
    #[error("{0}")]
    Malformed(String),
    /// The tool cannot do this. The model is told and may try another call.
    #[error("{0}")]
    Refused(String),
    /// Nothing is called what the person said. The model is told and may try another call.
    #[error("{0}")]
    NothingFound(String),
    /// The person must answer a question first.
    #[error("{}", .0.text)]
    Ask(Box<Question>),
    /// The cursor belongs to another list.
    #[error("the cursor does not belong to this list. Leave it out to start again")]
    BadCursor,
    /// The caller has no permission. The model cannot change this.
    #[error("{0}")]
    Forbidden(String),
    /// An error of the store. It ends the turn, unless a query failed and the turn has other outcomes.
    #[error("{0}")]
    Fault(#[source] StoreError),
}

impl ToolError {
    pub fn ask(question: Question) -> ToolError {
        ToolError::Ask(Box::new(question))
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> ToolError {
        match error {
            StoreError::TooManyConditions => ToolError::Refused(error.to_string()),
            fault => ToolError::Fault(fault),
        }
    }
}

impl From<FieldError> for ToolError {
    fn from(error: FieldError) -> ToolError {
        match error {
            FieldError::Malformed(detail) => ToolError::Malformed(detail),
            FieldError::TooLarge(detail) | FieldError::Unprocessable(detail) => ToolError::Refused(detail),
        }
    }
}
