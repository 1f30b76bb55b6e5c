//! A kind of record that a toolkit brings: a small required part, and capabilities that the kind declares.
//!
//! The core asks a kind for a capability and does without where the kind has none, so a kind says only what is true of
//! it. One unit struct implements the traits and returns itself.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::{ToolContext, ToolError};
use crate::{
    money::Currency,
    phrases::{DateRange, DayOrder, DecimalMark, Reader, SharedSign, Style},
    proposal::{Change, Draft, Note, Operation, Record, Risk, Rollup, RollupKey, Verb},
    store::{Condition, Overview},
};

pub trait RecordKind: Rendering {
    /// Prefix of its keys, e.g. `E`. Those that begin with `M`, and no others, are of kinds that declare
    /// [`Preferences`].
    fn prefix(&self) -> &'static str;
    /// What programs call it, e.g. `expense`: unique among all kinds.
    fn name(&self) -> &'static str;
    /// What a person calls it: one, and several.
    fn noun(&self, count: usize) -> &'static str;

    /// What an operation may do without a yes, if it changes one row and everything about it was said.
    fn risk(&self, _operation: &Operation) -> Risk {
        Risk::AsUsual
    }
    /// Without it, all that a model plans counts as said by the person.
    fn grounding(&self) -> Option<&dyn Grounding> {
        None
    }
    /// Without it, no field can be changed while a change waits.
    fn editing(&self) -> Option<&dyn Editing> {
        None
    }
    /// Without it, nobody is warned of what is already there.
    fn duplicates(&self) -> Option<&dyn Duplicates> {
        None
    }
    /// Of a kind whose records every turn reads.
    fn preferences(&self) -> Option<&dyn Preferences> {
        None
    }
    /// Without it, nothing of it is ever due.
    fn schedule(&self) -> Option<&dyn Schedule> {
        None
    }
    /// Of a kind whose records add to rollups.
    fn totals(&self) -> Option<&dyn Totals> {
        None
    }
    /// Of a kind that is about the sums of another.
    fn watch(&self) -> Option<&dyn Watch> {
        None
    }
    /// Without it, a prompt has no rows of it.
    fn snapshot(&self) -> Option<&dyn Snapshot> {
        None
    }
    /// Without it, no search looks at its records.
    fn search(&self) -> Option<&dyn Search> {
        None
    }
}

/// The words for records of a kind, and how clients see them.
pub trait Rendering: Send + Sync {
    /// One line for a person: "coffee, £3.50, 19 Nov 2026".
    fn describe(&self, draft: &Draft, style: Style) -> String;
    /// What differs: "amount £3.50 → £4.20".
    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String;
    /// As clients see it.
    fn row(&self, record: &Record) -> Value;
    /// What the person calls one, without quotes: where several are named in one line.
    fn title(&self, _draft: &Draft) -> Option<String> {
        None
    }
    /// The verb for an operation that does one thing the kind has an own word for, like "Complete", and nothing else.
    fn verb(&self, _operation: &Operation) -> Option<VerbWords> {
        None
    }
}

/// The forms of a verb, as a sentence begins with them.
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

/// Whether a change was asked for.
pub trait Grounding {
    /// What in a model's changes does not trace to the person's words, today's date or settings.
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note>;
}

/// Changes of fields while a change waits.
pub trait Editing {
    /// With fields as a form names them changed.
    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError>;
}

/// What about a new record should be looked at twice.
pub trait Duplicates {
    /// Which rows of which days it may repeat, after what the person said.
    fn possible_duplicates(&self, draft: &Draft, _user_messages: &[String]) -> Option<(Condition, DateRange)> {
        Some((Condition::DuplicateOf(draft.duplicate_key.clone()?), DateRange { from: draft.date, to: draft.date }))
    }
    /// What is unusual about it alone.
    fn unusual(&self, _draft: &Draft, _style: Style) -> Option<Note> {
        None
    }
}

/// Records that lie beside the tenant's settings, and what they do to other changes of the same toolkit.
pub trait Preferences {
    /// What one of them sets for every turn.
    fn apply(&self, _draft: &Draft, _reading: &mut ReadingPreferences) {}

    /// What follows from these changes, as further changes. Only changes of kinds of the same toolkit are among them.
    fn infer(&self, _changes: &[Change], _context: &ToolContext<'_>) -> Vec<Change> {
        vec![]
    }

    /// The words for an operation that only comes along with what was asked for: "remember GBP as your currency". Such
    /// operations do not count when the policy decides.
    fn side_effect(&self, _operation: &Operation, _style: Style) -> Option<String> {
        None
    }

    /// Whether what was inferred still follows from these rows, where some of them were edited or left out.
    fn still_applies(&self, _preference: &Draft, _rows: &[&Draft]) -> bool {
        true
    }

    /// What is known about a row of the same toolkit that is to be added, and that the person did not say this time.
    fn offer(&self, _draft: &Draft, _context: &ToolContext<'_>) -> Option<PreferenceOffer> {
        None
    }
}

/// Records that are due on a day.
pub trait Schedule {
    /// What of one is due, to be asked about.
    fn due_item(&self, record: &Record, context: &ToolContext<'_>) -> Option<DueItem>;
}

/// Rollups that records add to.
pub trait Totals {
    /// An amount of minor units as a decimal string, and as a person reads it.
    fn amount(&self, unit: &str, minor: i128, style: Style) -> (String, String);
    /// A few lines about all of them, for a model to know what it can ask for. The rollups of a kind are read for the
    /// prompt only if it has these lines.
    fn overview(&self) -> Option<OverviewText> {
        None
    }
}

pub type OverviewText = fn(&Overview, today: Date) -> Option<String>;

/// A record that is about sums: who changes them is told how it stands.
pub trait Watch {
    /// The sums that it is about today.
    fn watched_sums(&self, draft: &Draft, today: Date) -> Option<WatchedSums>;
    fn status(&self, record: &Record, rollups: &BTreeMap<RollupKey, Rollup>, reader: Reader) -> Option<SumStatus>;
}

/// Rows for the prompt, for a model to know what is there before it asks.
pub trait Snapshot {
    /// Each is one read in every turn of a model that reads prompts.
    fn lists(&self) -> Vec<SnapshotList>;
}

/// The newest rows that meet some conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotList {
    /// "Open tasks"
    pub title: &'static str,
    pub conditions: Vec<Condition>,
    pub limit: usize,
}

/// How a tenant's people write, as the preferences say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadingPreferences {
    /// The currency meant where none is named: an ISO 4217 code.
    pub currency: Option<String>,
    pub decimal_mark: Option<DecimalMark>,
    pub day_order: Option<DayOrder>,
    /// Which currency they mean by a sign that several share.
    pub signs: Vec<(SharedSign, Currency)>,
}

/// What searches look at.
pub trait Search {
    /// The fields of the body that searches by words look through: each is a text, or a list of them.
    fn word_fields(&self) -> &'static [&'static str];
    /// The text of a record for searches by meaning; none of a kind that is not searched so.
    fn meaning(&self) -> Option<fn(&Draft) -> String> {
        None
    }
}

/// What the person is asked about without having said anything.
#[derive(Debug, Clone, PartialEq)]
pub struct DueItem {
    /// What a yes does. The changes of what is remembered are what a no does, too.
    pub changes: Vec<Change>,
    /// Said before the question.
    pub lead: String,
    pub on: Date,
}

/// Sums of some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedSums {
    /// The prefix of the kind that is summed.
    pub kind: &'static str,
    /// Inclusive.
    pub from: Date,
    /// Inclusive.
    pub to: Date,
    pub unit: String,
    /// None is any.
    pub group: Option<String>,
}

impl WatchedSums {
    pub fn is_affected_by(&self, key: &RollupKey, delta: &Rollup) -> bool {
        self.days(key, delta).any(|sums| sums != (0, 0))
    }

    /// What it comes to, in minor units.
    pub fn sum(&self, rollups: &BTreeMap<RollupKey, Rollup>) -> i128 {
        rollups.iter().flat_map(|(key, rollup)| self.days(key, rollup)).map(|(sum, _)| sum).sum()
    }

    /// The sums and counts of its days.
    fn days<'r>(&self, key: &'r RollupKey, rollup: &'r Rollup) -> impl Iterator<Item = (i128, i64)> {
        let (from, to) = (self.from, self.to);
        let is_of = self.kind == key.kind
            && self.unit == key.unit
            && self.group.as_ref().is_none_or(|group| *group == key.group);
        let within = move |day: i8| Date::new(key.year, key.month, day).is_ok_and(|day| from <= day && day <= to);
        rollup.days.iter().filter(move |(day, _)| is_of && within(**day)).map(|(_, sums)| *sums)
    }
}

/// How something that is about sums stands: for a person, and for clients.
#[derive(Debug, Clone, PartialEq)]
pub struct SumStatus {
    pub line: String,
    /// The field of the reply, a list, that `view` is put into.
    pub field: &'static str,
    pub view: Value,
}

/// Never written unseen: what waits anyway is shown with it, and what does not is written as it was said.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferenceOffer {
    /// With what is remembered.
    pub draft: Draft,
    /// Why it is so. It ends with what was assumed, after a comma.
    pub note: Note,
    /// Said after it was written without.
    pub invitation: String,
    /// What the person can say to have it so.
    pub say: String,
}
