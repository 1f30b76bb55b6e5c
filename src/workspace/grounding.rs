//! What in changes of tasks and notes the person did not say. It is shown as assumed, and waits.

use jiff::{ToSpan, civil::Date};
use serde_json::Value;

use super::entry::{EntryKind, quoted};
use crate::{
    phrases::{DateReading, plurals::forms},
    proposal::{Body, Change, Note, NoteKind, Record},
    tool::{RecordKind, Rendering, ToolContext, words::words},
};

/// Words that tell nothing of which row is meant.
pub const FILLERS: [&str; 11] = ["a", "an", "the", "my", "to", "that", "this", "task", "tasks", "note", "notes"];

/// What says a status: one of these.
const STATUS_WORDS: [(&str, &[&str]); 3] = [
    ("completed", &["complete", "completed", "done", "finish", "finished", "tick", "ticked", "check", "close", "did"]),
    ("in_progress", &["start", "started", "progress", "working", "begin", "began", "doing"]),
    ("todo", &["todo", "do", "reopen", "open", "again", "not", "later"]),
];

pub fn unsupported(kind: &EntryKind, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
    let said = Said { kind, context, words: words(&context.user_messages.join(" ")) };
    let mut unsaid = Vec::new();
    for change in changes {
        match change {
            Change::Create(draft) => {
                let todo = Body::from([("status".to_owned(), "todo".into())]);
                unsaid.extend(said.unsaid(&todo, &draft.body));
            }
            Change::Update { before, after } => {
                unsaid.extend(said.unsaid_row(before).into_iter().chain(said.unsaid(&before.draft.body, &after.body)));
            }
            Change::Delete { before: row } | Change::Restore(row) => unsaid.extend(said.unsaid_row(row)),
        }
    }
    unsaid.into_iter().map(|text| Note { kind: NoteKind::Assumed, text }).collect()
}

struct Said<'a> {
    kind: &'a EntryKind,
    context: &'a ToolContext<'a>,
    words: String,
}

impl Said<'_> {
    /// Of the fields that are new.
    fn unsaid(&self, before: &Body, after: &Body) -> Vec<String> {
        let new = |name: &str| after.get(name).filter(|value| before.get(name) != Some(*value)).and_then(Value::as_str);
        let texts = [("title", "title"), ("text", self.kind.text), ("project", "project")].into_iter();
        let texts = texts.filter_map(|(name, told)| {
            let text = new(name).filter(|text| !words(text).split_whitespace().all(|word| self.says(word)))?;
            Some(format!("the {told}, {}", quoted(text)))
        });
        let due = new("due").and_then(|due| due.parse::<Date>().ok()).filter(|due| !self.says_day(*due));
        let due = due.map(|due| format!("the day it is due, {}", self.context.style().days.written(due)));
        let says = |status: &str| {
            STATUS_WORDS.iter().any(|(name, any)| *name == status && any.iter().any(|word| self.says(word)))
        };
        let status = new("status").filter(|status| !says(status));
        texts.chain(due).chain(status.map(|status| format!("the status, {}", status.replace('_', " ")))).collect()
    }

    /// A row must have been named by its number or by a word of its title, or shown just before.
    fn unsaid_row(&self, row: &Record) -> Option<String> {
        let title = words(&self.kind.title(&row.draft).unwrap_or_default());
        let mut telling = title.split_whitespace().filter(|word| !FILLERS.contains(word));
        let is_named = telling.any(|word| self.says(word)) || self.context.names_row(&row.row_ref());
        (!is_named).then(|| format!("which {}, #{}", self.kind.name(), row.id))
    }

    /// In one or in many.
    fn says(&self, word: &str) -> bool {
        forms(word).iter().any(|form| self.words.contains(&format!(" {form} ")))
    }

    /// Days are read as the last such day, and something is due on the next.
    fn says_day(&self, due: Date) -> bool {
        let (reader, today) = (self.context.reader(), self.context.today);
        let next = |day: Date| [day.saturating_add(1.week()), day.saturating_add(1.year())];
        let is_it = |day: Date| day == due || day < today && next(day).contains(&due);
        self.context.user_messages.iter().any(|text| {
            let is_said =
                reader.dates(text).iter().any(|said| matches!(said.reading, DateReading::On(day) if is_it(day)));
            is_said || reader.ranges(text).iter().any(|said| is_it(said.range.to))
        })
    }
}
