//! Tasks and notes as kinds of record: their words, and how clients see them.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::entry::{DUE, EntryKind, PROJECT, STATUS, Status, TASK, TITLE};
use crate::{
    phrases::{DateRange, Style},
    proposal::{Draft, Note, Operation, Record, Risk, hash_text},
    store::Condition,
    tool::{
        Duplicates, Editing, Grounding, RecordKind, Rendering, Search, Snapshot, SnapshotList, VerbWords,
        fields::{self, Field, FieldKind, quoted, stored},
        words::words,
    },
};

/// The field with the day of completion.
const DONE_ON: &str = "doneOn";

impl RecordKind for EntryKind {
    fn prefix(&self) -> &'static str {
        self.prefix
    }

    fn name(&self) -> &'static str {
        self.names[0]
    }

    fn noun(&self, count: usize) -> &'static str {
        self.names[usize::from(count != 1)]
    }

    /// A new status is easily seen and taken back.
    fn risk(&self, operation: &Operation) -> Risk {
        if self.verb(operation).is_some() { Risk::Low } else { Risk::AsUsual }
    }

    fn grounding(&self) -> Option<&dyn Grounding> {
        Some(self)
    }

    fn editing(&self) -> Option<&dyn Editing> {
        Some(self)
    }

    fn duplicates(&self) -> Option<&dyn Duplicates> {
        Some(self)
    }

    fn snapshot(&self) -> Option<&dyn Snapshot> {
        Some(self)
    }

    fn search(&self) -> Option<&dyn Search> {
        Some(self)
    }
}

impl FieldKind for EntryKind {
    fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// A row is listed under the day it is due, or else the day of creation. Only open tasks have duplicates.
    fn derive(&self, before: &Draft, after: &mut Draft, today: Date) {
        let status = stored(after, STATUS.name).map(str::to_owned);
        let is_completed = status.as_deref() == Some(Status::Completed.name());
        if status.as_deref() != stored(before, STATUS.name) {
            after.body.remove(DONE_ON);
            after.body.extend(is_completed.then(|| (DONE_ON.to_owned(), json!(today))));
        }
        let title = stored(after, TITLE.name).unwrap_or_default();
        after.duplicate_key = (status.is_some() && !is_completed).then(|| hash_text(&words(title)));
        after.date = day(after, DUE.name).unwrap_or(after.date);
    }
}

impl Rendering for EntryKind {
    fn describe(&self, draft: &Draft, style: Style) -> String {
        let Some(title) = self.title(draft) else { return format!("a {} that I cannot read", self.names[0]) };
        let shown = |field: &Field| stored(draft, field.name).map(|value| field.shown(value, style));
        let is_told = stored(draft, STATUS.name) != Some(Status::Todo.name());
        let mut line = format!("“{title}”");
        line.extend(shown(&PROJECT).map(|project| format!(", in {project}")));
        line.extend(shown(&DUE).map(|due| format!(", due {due}")));
        line.extend(shown(&STATUS).filter(|_| is_told).map(|status| format!(", {status}")));
        line.extend(day(draft, DONE_ON).map(|done| format!(" {}", style.days.written(done))));
        let text = stored(draft, "notes").or_else(|| stored(draft, "content"));
        line.extend(text.map(|text| format!(" ({})", quoted(text))));
        line
    }

    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String {
        fields::describe_change(self.fields, before, after, style)
    }

    fn row(&self, record: &Record) -> Value {
        let mut row = fields::row(self.fields, record);
        if self.prefix == TASK.prefix {
            row[DONE_ON] = json!(stored(&record.draft, DONE_ON));
        } else {
            row["date"] = json!(record.draft.date);
        }
        row
    }

    fn title(&self, draft: &Draft) -> Option<String> {
        stored(draft, TITLE.name).map(str::to_owned)
    }

    fn note(&self, note: &Note, style: Style) -> Option<String> {
        fields::note_text(self.fields, note, style)
    }

    /// Where nothing but the status changes.
    fn verb(&self, operation: &Operation) -> Option<VerbWords> {
        let Operation::Update { before, after } = operation else { return None };
        let (before, after) = (&before.draft, &after.draft);
        let is_same = |name: &str| name == STATUS.name || stored(before, name) == stored(after, name);
        let (from, to) = (stored(before, STATUS.name)?, stored(after, STATUS.name)?);
        if from == to || before.date != after.date || !self.fields.iter().all(|field| is_same(field.name)) {
            return None;
        }
        let (imperative, past, progressive) = match (from, to) {
            (_, "completed") => ("Complete", "Completed", "Completing"),
            ("completed", _) => ("Reopen", "Reopened", "Reopening"),
            (_, "in_progress") => ("Start", "Started", "Starting"),
            _ => ("Put off", "Put off", "Putting off"),
        };
        Some(VerbWords { imperative, past, progressive })
    }
}

impl Duplicates for EntryKind {
    /// An open task of the same title, whatever its day.
    fn possible_duplicates(&self, draft: &Draft, _: &[String]) -> Option<(Condition, DateRange)> {
        Some((Condition::DuplicateOf(draft.duplicate_key.clone()?), DateRange::ALL))
    }
}

impl Search for EntryKind {
    fn word_fields(&self) -> &'static [&'static str] {
        &["words", "project"]
    }
}

impl Snapshot for EntryKind {
    fn lists(&self) -> Vec<SnapshotList> {
        let with = |status: Status| vec![Condition::Equals("status", status.name().into())];
        match self.prefix == TASK.prefix {
            true => vec![
                SnapshotList { title: "Tasks to do", conditions: with(Status::Todo), limit: 10 },
                SnapshotList { title: "Tasks in progress", conditions: with(Status::InProgress), limit: 5 },
            ],
            false => vec![SnapshotList { title: "Notes", conditions: vec![], limit: 15 }],
        }
    }
}

fn day(draft: &Draft, name: &str) -> Option<Date> {
    stored(draft, name)?.parse().ok()
}
