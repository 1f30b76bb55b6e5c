//! A kind of record that a toolkit adds: a small required part and optional capabilities.
//!
//! The core asks a kind for a capability and skips the step if there is none. One unit struct implements the traits and
//! returns itself.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::{QueryResult, ToolContext, ToolError};
use crate::{
    money::Currency,
    phrases::{DateRange, DayOrder, DecimalMark, Reader, SharedSign, Style},
    proposal::{Change, Draft, Note, Operation, Policy, Record, Risk, Rollup, RollupKey, Verb},
    store::{Condition, Settings},
};

pub trait RecordKind: Rendering {
    /// Prefix of its keys, e.g. `E`. A kind declares [`Preferences`] if, and only if, its prefix begins with `M`.
    fn prefix(&self) -> &'static str;
    /// The name for programs, e.g. `expense`. Unique among all kinds.
    fn name(&self) -> &'static str;
    /// The name for people, singular or plural by `count`.
    fn noun(&self, count: usize) -> &'static str;

    /// How much harm an operation can do. With `Low`, it needs no approval if it is the only row and has no note.
    fn risk(&self, _operation: &Operation) -> Risk {
        Risk::AsUsual
    }
    /// Without it, all values that a model plans count as said by the person.
    fn grounding(&self) -> Option<&dyn Grounding> {
        None
    }
    /// Without it, a waiting change cannot be edited.
    fn editing(&self) -> Option<&dyn Editing> {
        None
    }
    /// Without it, there are no warnings about duplicates.
    fn duplicates(&self) -> Option<&dyn Duplicates> {
        None
    }
    /// For a kind whose records every turn reads.
    fn preferences(&self) -> Option<&dyn Preferences> {
        None
    }
    /// Without it, no record is ever due.
    fn schedule(&self) -> Option<&dyn Schedule> {
        None
    }
    /// For a kind whose records are summed in rollups.
    fn totals(&self) -> Option<&dyn Totals> {
        None
    }
    /// For a kind that is about the sums of another kind, like budgets.
    fn watch(&self) -> Option<&dyn Watch> {
        None
    }
    /// Without it, the prompt has no rows of the kind.
    fn snapshot(&self) -> Option<&dyn Snapshot> {
        None
    }
    /// Without it, searches ignore its records.
    fn search(&self) -> Option<&dyn Search> {
        None
    }
}

/// How records are written for people and for clients.
pub trait Rendering: Send + Sync {
    /// One line for a person: "coffee, £3.50, 19 Nov 2026".
    fn describe(&self, draft: &Draft, style: Style) -> String;
    /// The fields that differ: "amount £3.50 → £4.20".
    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String;
    /// The JSON object that clients receive.
    fn row(&self, record: &Record) -> Value;
    /// A short name without quotes, for lists of names.
    fn title(&self, _draft: &Draft) -> Option<String> {
        None
    }
    /// A note in words, if the default words do not say it well.
    fn note(&self, _note: &Note, _style: Style) -> Option<String> {
        None
    }
    /// The verb, if the kind has its own word for exactly this operation, like "Complete".
    fn verb(&self, _operation: &Operation) -> Option<VerbWords> {
        None
    }
}

/// The forms of a verb at the beginning of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerbWords {
    /// "Complete"
    pub imperative: &'static str,
    /// "Completed"
    pub past: &'static str,
    /// "Completing"
    pub progressive: &'static str,
}

impl From<Verb> for VerbWords {
    fn from(verb: Verb) -> VerbWords {
        let (imperative, past, progressive) = match verb {
            Verb::Restore => ("Restore", "Restored", "Restoring"),
            Verb::Add => ("Add", "Added", "Adding"),
            Verb::Change => ("Change", "Changed", "Changing"),
            Verb::Delete => ("Delete", "Deleted", "Deleting"),
        };
        VerbWords { imperative, past, progressive }
    }
}

/// Checks that a change is what the person asked for.
pub trait Grounding {
    /// Notes for the values that do not come from the person's words, today's date or settings. The changes then wait
    /// for approval.
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note>;
}

/// Values by form: of a change that waits for approval, and of a row that a page adds or changes.
pub trait Editing {
    /// Whether rows can be added and changed by form, too, and not only while they wait in a conversation.
    fn has_form(&self) -> bool {
        true
    }
    /// A new row of the caller. The fields have the names of the kind's add tool. An error if a value is invalid.
    fn created(&self, _fields: Map<String, Value>, _context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        Err(ToolError::Refused("it cannot be added by form. Say it in the chat".into()))
    }
    /// The draft with new field values. The fields have the names of the kind's update tool. An error if a value is
    /// invalid.
    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError>;
    /// After a no to a row with a value in doubt: what the value should be. None if the note is about no such value.
    fn question_about(&self, _note: &Note) -> Option<&'static str> {
        None
    }
    /// The value of this field in the answer to that question, if the answer says nothing else.
    fn answered(&self, _field: &str, _said: &str, _reader: Reader) -> Option<Map<String, Value>> {
        None
    }
}

/// Warnings about a new record.
pub trait Duplicates {
    /// The condition and the days of rows that the new record may repeat, among those with its name. The person's messages
    /// can widen them.
    fn possible_duplicates(&self, draft: &Draft, _user_messages: &[String]) -> Option<(Condition, DateRange)> {
        Some((Condition::DuplicateOf(draft.duplicate_key.clone()?), DateRange { from: draft.date, to: draft.date }))
    }
    /// A note about an unusual value, whatever other records say.
    fn unusual(&self, _draft: &Draft) -> Option<Note> {
        None
    }
}

/// Records that store preferences of the tenant, and their effect on other changes of the same toolkit.
pub trait Preferences {
    /// Adds what a record sets for every turn.
    fn apply(&self, _draft: &Draft, _reading: &mut ReadingPreferences) {}

    /// Changes to preferences that follow from other changes. `changes` has only kinds of the same toolkit.
    fn infer(&self, _changes: &[Change], _context: &ToolContext<'_>) -> Vec<Change> {
        vec![]
    }

    /// The text for an operation that is a side effect of what the person asked for: "remember GBP as your currency".
    /// Side effects do not count when the policy decides.
    fn side_effect(&self, _operation: &Operation, _style: Style) -> Option<String> {
        None
    }

    /// Whether an inferred preference still follows from the rows, after some were edited or left out.
    fn still_applies(&self, _preference: &Draft, _rows: &[&Draft]) -> bool {
        true
    }

    /// A stored value for a new row of the same toolkit that the person did not say this time.
    fn offer(&self, _draft: &Draft, _context: &ToolContext<'_>) -> Option<PreferenceOffer> {
        None
    }
}

/// Records that are due on a day.
pub trait Schedule {
    /// The question about a due record. None if it is not due or not for this person.
    fn due_item(&self, record: &Record, context: &ToolContext<'_>) -> Option<DueItem>;
}

/// Texts about rollups of the records.
pub trait Totals {
    /// An amount in minor units as a decimal string and as text for people.
    fn amount(&self, unit: &str, minor: i128, style: Style) -> (String, String);
    /// A few lines about the records of this and last month for the prompt. They tell the model what it can query.
    fn overview(&self) -> Option<OverviewText> {
        None
    }
}

pub type OverviewText = fn(&BTreeMap<RollupKey, Rollup>, caller: &str, today: Date) -> Option<String>;

/// A record about sums, like a budget. After a write that changes the sums, the reply has its status.
pub trait Watch {
    /// The sums that the record is about today.
    fn watched_sums(&self, draft: &Draft, today: Date) -> Option<WatchedSums>;
    /// The sums are of all owners; `caller` is the user id of the person who is told.
    fn status(
        &self,
        record: &Record,
        rollups: &BTreeMap<RollupKey, Rollup>,
        caller: &str,
        reader: Reader,
    ) -> Option<SumStatus>;
}

/// Rows for the prompt, so that the model knows them without a query.
pub trait Snapshot {
    /// Each list is one read in every turn with a model that reads prompts.
    fn lists(&self) -> Vec<SnapshotList>;
}

/// The newest rows that meet the conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotList {
    /// "Open tasks"
    pub title: &'static str,
    pub conditions: Vec<Condition>,
    pub limit: usize,
}

/// How the tenant's users write numbers, days and currencies, and what else holds for every turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadingPreferences {
    /// The default currency: an ISO 4217 code.
    pub currency: Option<String>,
    pub decimal_mark: Option<DecimalMark>,
    pub day_order: Option<DayOrder>,
    /// The currency meant by a sign that several currencies share.
    pub signs: Vec<(SharedSign, Currency)>,
    pub policy: Option<Policy>,
    /// An IANA name.
    pub timezone: Option<String>,
}

impl ReadingPreferences {
    /// The settings of the tenant, where a preference does not say otherwise.
    pub fn settings(&self, stored: Settings) -> Settings {
        Settings {
            policy: self.policy.or(stored.policy),
            timezone: self.timezone.clone().or(stored.timezone),
            ..stored
        }
    }
}

/// The texts that searches read.
pub trait Search: Sync {
    /// The fields of the body for searches by words. Each is a text or a list of texts.
    fn word_fields(&self) -> &'static [&'static str];
    /// The text of a record for searches by meaning. None if the kind has no search by meaning.
    fn meaning(&self) -> Option<fn(&Draft) -> String> {
        None
    }
    /// The names of the kind's own filters in `GET /records/{kind}`. Those of every list, like days, are not among them.
    fn parameters(&self) -> &'static [&'static str] {
        &["text", "words"]
    }
    /// The names of the orders of its lists, other than by day.
    fn orders(&self) -> &'static [&'static str] {
        &[]
    }
    /// The kind's own list for a page. Without it, `words` and `text` are searched for in the fields above.
    fn list(&self) -> Option<ListForPage> {
        None
    }
}

/// # Errors
/// [`ToolError::Malformed`] if a filter cannot be read, [`ToolError::Refused`] if its value is not possible.
pub type ListForPage = for<'a> fn(&'a ToolContext<'a>, &'a PageQuery) -> BoxFuture<'a, Result<QueryResult, ToolError>>;

/// What the address of a page's list asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageQuery {
    /// As the person's words name days.
    pub range: Option<String>,
    pub whose: Option<String>,
    /// `newest`, `oldest`, or one of [`Search::orders`].
    pub order: String,
    pub limit: usize,
    pub cursor: Option<String>,
    /// The kind's own filters. Each is a text, or a list of texts if it is there several times.
    pub filters: Map<String, Value>,
}

/// A question that the person is asked without a request.
#[derive(Debug, Clone, PartialEq)]
pub struct DueItem {
    /// The changes after a yes. After a no, only the changes of preferences are made.
    pub changes: Vec<Change>,
    /// The text before the question.
    pub lead: String,
    pub on: Date,
}

/// Sums over a range of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedSums {
    /// Prefix of the kind that is summed.
    pub kind: &'static str,
    /// Inclusive.
    pub from: Date,
    /// Inclusive.
    pub to: Date,
    pub unit: String,
    /// None: all groups.
    pub group: Option<String>,
}

impl WatchedSums {
    pub fn is_affected_by(&self, key: &RollupKey, delta: &Rollup) -> bool {
        self.days(key, delta).any(|sums| sums != (0, 0))
    }

    /// The sum, in minor units.
    pub fn sum(&self, rollups: &BTreeMap<RollupKey, Rollup>) -> i128 {
        rollups.iter().flat_map(|(key, rollup)| self.days(key, rollup)).map(|(sum, _)| sum).sum()
    }

    /// The part of one owner, in minor units. None if nobody else has a part.
    pub fn part_of(&self, owner: &str, rollups: &BTreeMap<RollupKey, Rollup>) -> Option<i128> {
        let is_shared = rollups.iter().any(|(key, rollup)| key.owner != owner && self.is_affected_by(key, rollup));
        let own = rollups.iter().filter(|(key, _)| key.owner == owner);
        is_shared.then(|| own.flat_map(|(key, rollup)| self.days(key, rollup)).map(|(sum, _)| sum).sum())
    }

    /// The sum and the count of each day.
    fn days<'r>(&self, key: &'r RollupKey, rollup: &'r Rollup) -> impl Iterator<Item = (i128, i64)> {
        let (from, to) = (self.from, self.to);
        let is_of = self.kind == key.kind
            && self.unit == key.unit
            && self.group.as_ref().is_none_or(|group| *group == key.group);
        let within = move |day: i8| Date::new(key.year, key.month, day).is_ok_and(|day| from <= day && day <= to);
        rollup.days.iter().filter(move |(day, _)| is_of && within(**day)).map(|(_, sums)| *sums)
    }
}

/// The status of a record about sums: a line for people and an object for clients.
#[derive(Debug, Clone, PartialEq)]
pub struct SumStatus {
    pub line: String,
    /// The name of the reply field, a list, to which `view` is added.
    pub field: &'static str,
    pub view: Value,
}

/// A stored value for a new row. It is added to a row that waits for approval. A row that is written at once stays as
/// the person said it, and the value is offered after that.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferenceOffer {
    /// The row with the stored value.
    pub draft: Draft,
    /// The assumption.
    pub note: Note,
    /// The offer after the row was written without the value.
    pub invitation: String,
    /// A message that the person can send to accept the offer.
    pub say: String,
}
