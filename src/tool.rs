//! Tools: what a model may call. A query reads; an action returns what would change and never changes it.
//!
//! This module knows records, change sets and rollups. It names no toolkit: a toolkit brings its tools, its kinds of
//! record and its prompt text, and registers them with the [`Registry`].

use std::future::Future;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    identity::Caller,
    json_fields::FieldError,
    model::{Message, embeddings::Embeddings},
    phrases::{Conventions, Reader, Style},
    proposal::{Change, Note, Record, RowRef},
    store::{StoreError, TenantStore},
};

pub use ask_questions::AskQuestions;
pub use get_chat_history::GetChatHistory;
pub use kind::{
    DueItem, Duplicates, Editing, Grounding, OverviewText, PreferenceOffer, Preferences, ReadingPreferences,
    RecordKind, Rendering, Schedule, Search, Snapshot, SnapshotList, SumStatus, Totals, VerbWords, Watch, WatchedSums,
};
pub use registry::{CheckAnswer, PageFilters, Registry, RegistryError, ToolKind, ToolOutcome, Toolkit};
pub use reply_fields::{CORE_FIELDS, Merge, ReplyField};
pub use revise_proposal::{Edits, ReviseProposal};
pub use row_names::{RowNames, row_view, with_kind};

pub mod ask_questions;
mod get_chat_history;
mod kind;
pub mod listing;
pub mod registry;
mod reply_fields;
pub mod revise_proposal;
pub mod row_filter;
mod row_names;
pub mod search;
pub mod search_by_meaning;
pub mod selection;
pub mod word_match;
pub mod words;

/// A call that reads. The struct is the arguments; its doc comment is the description the model reads, its fields' doc
/// comments describe the parameters. It must carry `#[serde(deny_unknown_fields)]`.
pub trait Query: JsonSchema + DeserializeOwned + Send + 'static {
    const NAME: &'static str;

    /// Whether the model is told of it, by what the person said: for a costly one that is seldom needed. A call of one
    /// that was not offered is refused like one that does not exist.
    const GATE: Option<Gate> = None;

    fn run(self, context: &ToolContext<'_>) -> impl Future<Output = Result<QueryResult, ToolError>> + Send;
}

/// A cheap test of what is known before the model is asked.
pub type Gate = fn(GateInput<'_>) -> bool;

#[derive(Debug, Clone, Copy, Default)]
pub struct GateInput<'a> {
    /// The person's own words, oldest first.
    pub said: &'a [String],
    /// The name of the kind of record that the page is about.
    pub scope: Option<&'a str>,
}

/// A call that writes, which only ever returns what would change. Declared like a [`Query`].
pub trait Action: JsonSchema + DeserializeOwned + Send + 'static {
    const NAME: &'static str;

    /// As a query's.
    const GATE: Option<Gate> = None;

    /// What a person says to have it, where that is worth suggesting after anything was written.
    const AFTER_A_WRITE: Option<&'static str> = None;

    fn plan(self, context: &ToolContext<'_>) -> impl Future<Output = Result<Plan, ToolError>> + Send;
}

/// Read-only.
#[derive(Clone, Copy)]
pub struct ToolContext<'a> {
    pub caller: &'a Caller,
    /// In the tenant's time zone.
    pub today: Date,
    /// The hour it is there.
    pub hour: i8,
    /// How the person writes numbers and days, and is written to.
    pub conventions: Conventions,
    /// The currency meant when none is named: an ISO 4217 code.
    pub currency: Option<&'a str>,
    /// The one that the client names, whatever is set: it goes before that.
    pub given_currency: Option<&'a str>,
    /// All records of the kinds that are remembered.
    pub preferences: &'a [Record],
    /// The person's own words, oldest first: this message, and the ones it continues.
    pub user_messages: &'a [String],
    /// What the person was last shown: ids may come from there. What queries of this turn found, they have not seen.
    pub visible_answers: &'a [VisibleAnswer],
    /// How rows are named by number.
    pub row_names: &'a RowNames,
    /// The name of the kind of record that the page is about.
    pub scope: Option<&'a str>,
    /// What the store keeps of the conversation, if the model does not see all of it anyway.
    pub conversation: Option<Conversation<'a>>,
    /// The page's filters, applied on top of every query.
    pub filters: &'a Map<String, Value>,
    pub store: TenantStore<'a>,
    /// For searches by meaning, where there is an endpoint for them.
    pub embeddings: Option<&'a dyn Embeddings>,
}

/// An answer that the person has before their eyes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VisibleAnswer {
    pub text: String,
    /// What it shows, in that order.
    pub rows: Vec<RowRef>,
}

#[derive(Debug, Clone, Copy)]
pub struct Conversation<'a> {
    pub name: &'a str,
    /// So many of its last turns are in the model's messages.
    pub seen: usize,
}

/// Each turn reads all that a tenant has remembered: one page of the store holds ten times as much.
const MAX_PREFERENCES: usize = 300;
const MAX_PREFERENCE_BYTES: usize = 100_000;

impl ToolContext<'_> {
    /// What the person's words, and a model's arguments, are read with.
    pub fn reader(&self) -> Reader {
        Reader { today: self.today, hour: self.hour, conventions: self.conventions }
    }

    /// What is said to the person is written in.
    pub fn style(&self) -> Style {
        self.conventions.style
    }

    /// Whether the person was last shown this row.
    pub fn shows(&self, row: &RowRef) -> bool {
        self.visible_answers.iter().any(|answer| answer.rows.contains(row))
    }

    /// Whether the person's words, or what they were last shown, name this row.
    pub fn names_row(&self, row: &RowRef) -> bool {
        self.shows(row) || self.user_messages.iter().any(|said| self.row_names.is_pointed_at(said, row))
    }

    /// How many more records may be remembered.
    pub fn remaining_capacity(&self) -> usize {
        let bytes = |record: &Record| serde_json::to_vec(record).map_or(MAX_PREFERENCE_BYTES, |json| json.len());
        let is_full = self.preferences.iter().map(bytes).sum::<usize>() >= MAX_PREFERENCE_BYTES;
        if is_full { 0 } else { MAX_PREFERENCES.saturating_sub(self.preferences.len()) }
    }

    /// What is remembered of one kind, the newest last.
    pub fn preferences_of(&self, kind: &str) -> impl DoubleEndedIterator<Item = &Record> {
        self.preferences.iter().filter(move |record| record.draft.kind == kind)
    }
}

/// The words that a model answers with, before the person sees them.
#[derive(Clone, Copy)]
pub struct ModelAnswer<'a> {
    pub text: &'a str,
    /// What was said before and in this turn, oldest first.
    pub conversation: &'a [Message],
    /// What the prompt tells of what is recorded.
    pub recorded: Option<&'a str>,
    /// By the queries of this turn.
    pub found: &'a [QueryResult],
}

/// What is wrong with a model's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerFlaw {
    /// Said to the model, never to the person: the model answers once more.
    pub retry_request: String,
    /// Said to the person beside the words, if the model does not answer again.
    pub correction: String,
}

/// One shape for all queries.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryResult {
    pub count: usize,
    /// Capped text that the model reads.
    pub summary_for_llm: String,
    /// Full rows for the page, if it is a list.
    pub items: Option<Vec<Value>>,
    pub state_updates: StateUpdates,
}

/// The only parts of a reply that a query may set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StateUpdates {
    /// How many there are in all of what is shown: rows of a list, groups of sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detected_filters: Option<Value>,
    /// None where nothing was looked at that a person could name by days or amounts.
    #[serde(skip)]
    pub filter_match: Option<FilterMatch>,
    /// Preferences as they are: no rows of a list.
    #[serde(skip)]
    pub preferences: Vec<Value>,
    /// Messages worth sending next, each of which is understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// The toolkit's own, as it declares them.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl StateUpdates {
    /// With a field that the toolkit declares.
    pub fn with_field(mut self, name: &'static str, value: Value) -> StateUpdates {
        self.fields.insert(name.to_owned(), value);
        self
    }
}

/// Whether a query is of the days and amounts that the person named, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterMatch {
    Matches,
    /// What it is of instead, and what was named.
    Differs {
        queried: String,
        named: String,
    },
}

/// What an action would change, and what the person should know about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
    /// The changes come from what is stored, not from a model's arguments: there is nothing in them to doubt, and they
    /// wait whatever the policy. These arguments name what is meant for good, where the model's do not ("the last").
    pub stored: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Question {
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What the answer has to bring, e.g. `amount`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The rows that are options.
    #[serde(skip)]
    pub rows: Vec<RowRef>,
}

#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// There is no such tool, or it does not take these arguments: the model is told, and may repair it once.
    #[error("{0}")]
    Malformed(String),
    /// The model is told, and may do better.
    #[error("{0}")]
    Refused(String),
    /// The person has to say more.
    #[error("{}", .0.text)]
    Ask(Question),
    /// A cursor that this list did not give out.
    #[error("the cursor does not belong to this list. Leave it out to start again")]
    BadCursor,
    /// The caller may not do this, whatever the model says next.
    #[error("{0}")]
    Forbidden(String),
    /// Ends the turn.
    #[error(transparent)]
    Fault(#[from] StoreError),
}

impl From<FieldError> for ToolError {
    fn from(error: FieldError) -> ToolError {
        match error {
            FieldError::Malformed(detail) => ToolError::Malformed(detail),
            FieldError::TooLarge(detail) | FieldError::Unprocessable(detail) => ToolError::Refused(detail),
        }
    }
}
