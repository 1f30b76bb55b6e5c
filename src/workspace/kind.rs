//! Tasks and notes as kinds of record: their words, and how clients see them.

use serde_json::{Map, Value, json};

use super::{
    entry::{Entry, EntryKind, NoteValues, Status, TASK, TaskValues, quoted},
    grounding,
};
use crate::{
    phrases::{DateRange, Style},
    proposal::{Change, Draft, Note, Operation, Record, Risk},
    store::Condition,
    tool::{
        Duplicates, Editing, Grounding, RecordKind, Rendering, Search, Snapshot, SnapshotList, ToolContext, ToolError,
        VerbWords,
    },
};

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

impl Rendering for EntryKind {
    fn describe(&self, draft: &Draft, style: Style) -> String {
        let Ok(entry) = Entry::of(draft) else { return format!("a {} that I cannot read", self.names[0]) };
        let mut line = format!("“{}”", entry.title);
        line.extend(entry.project.map(|project| format!(", in {project}")));
        line.extend(entry.due.map(|due| format!(", due {}", style.days.written(due))));
        line.extend(
            entry.status.filter(|status| *status != Status::Todo).map(|status| format!(", {}", status.spoken())),
        );
        line.extend(entry.done_on.map(|done| format!(" {}", style.days.written(done))));
        line.extend(entry.text.map(|text| format!(" ({})", quoted(&text))));
        line
    }

    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String {
        let fields = |draft: &Draft| {
            let entry = Entry::of(draft).unwrap_or_default();
            let due = entry.due.map(|due| style.days.written(due));
            let status = entry.status.map(|status| status.spoken().to_owned());
            [Some(quoted(&entry.title)), entry.text.as_deref().map(quoted), entry.project, due, status]
        };
        let none = || "none".to_owned();
        let fields =
            ["title", self.text, "project", "due", "status"].into_iter().zip(fields(before)).zip(fields(after));
        let changed = fields.filter(|((_, before), after)| before != after);
        let told = |((name, before), after): ((&str, Option<String>), Option<String>)| {
            format!("{name} {} → {}", before.unwrap_or_else(none), after.unwrap_or_else(none))
        };
        changed.map(told).collect::<Vec<_>>().join(", ")
    }

    fn row(&self, record: &Record) -> Value {
        let Entry { title, text, project, status, due, done_on, day } = Entry::of(&record.draft).unwrap_or_default();
        let Record { id, version, draft } = record;
        let mut row = json!({ "id": id, "title": title, self.text: text, "project": project, "owner": draft.owner, "version": version });
        match status {
            Some(status) => row["status"] = json!(status),
            None => row["date"] = json!(day),
        }
        if self.prefix == TASK.prefix {
            (row["due"], row["doneOn"]) = (json!(due), json!(done_on));
        }
        row
    }

    fn title(&self, draft: &Draft) -> Option<String> {
        Entry::of(draft).ok().map(|entry| entry.title)
    }

    /// Where nothing but the status changes.
    fn verb(&self, operation: &Operation) -> Option<VerbWords> {
        let Operation::Update { before, after } = operation else { return None };
        let (before, after) = (Entry::of(&before.draft).ok()?, Entry::of(&after.draft).ok()?);
        let moved = Entry { status: after.status, done_on: after.done_on, ..before.clone() };
        let (imperative, past, progressive) = match (before.status?, after.status?) {
            (from, to) if moved != after || from == to => return None,
            (_, Status::Completed) => ("Complete", "Completed", "Completing"),
            (Status::Completed, _) => ("Reopen", "Reopened", "Reopening"),
            (_, Status::InProgress) => ("Start", "Started", "Starting"),
            (_, Status::Todo) => ("Put off", "Put off", "Putting off"),
        };
        Some(VerbWords { imperative, past, progressive })
    }
}

impl Grounding for EntryKind {
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        grounding::unsupported(self, changes, context)
    }
}

impl Editing for EntryKind {
    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        let values = match self.prefix == TASK.prefix {
            true => serde_json::from_value::<TaskValues>(fields.into()),
            false => serde_json::from_value::<NoteValues>(fields.into()).map(TaskValues::from),
        };
        let values = values.map_err(|error| ToolError::Malformed(error.to_string()))?;
        Ok(values.redrafted(draft, self, context)?.unwrap_or_else(|| draft.clone()))
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
