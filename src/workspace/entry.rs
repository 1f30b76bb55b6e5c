//! A task or a note, and how it becomes a record.

use jiff::{ToSpan, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    phrases::DateError,
    proposal::{Body, Draft, hash_text},
    tool::{
        Question, ToolContext, ToolError,
        plain_text::{capped, plain},
        words::words,
    },
};

const TITLE_CHARS: usize = 200;
const PROJECT_CHARS: usize = 60;

/// Of a text in a line, in characters.
const SHOWN_TEXT: usize = 200;

#[derive(Debug, Clone, Copy)]
pub struct EntryKind {
    pub prefix: &'static str,
    /// One and several.
    pub names: [&'static str; 2],
    /// What its text is called.
    pub text: &'static str,
    pub text_chars: usize,
}

pub const TASK: EntryKind = EntryKind { prefix: "T", names: ["task", "tasks"], text: "notes", text_chars: 1_000 };
pub const NOTE: EntryKind = EntryKind { prefix: "N", names: ["note", "notes"], text: "content", text_chars: 4_000 };

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub title: String,
    /// The notes of a task, or the content of a note.
    pub text: Option<String>,
    pub project: Option<String>,
    /// None of a note.
    pub status: Option<Status>,
    pub due: Option<Date>,
    pub done_on: Option<Date>,
    /// The day that it is listed under: the day a task is due, or else the day of creation.
    #[serde(skip)]
    pub day: Date,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Todo,
    InProgress,
    Completed,
}

/// Only what the person said.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskValues {
    /// What is to be done.
    pub title: Option<String>,
    /// A remark; empty for none.
    pub notes: Option<String>,
    pub status: Option<Status>,
    /// Empty for none.
    pub project: Option<String>,
    /// YYYY-MM-DD or the person's words ("tomorrow"); empty for none.
    pub due: Option<String>,
}

/// Only what the person said.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteValues {
    /// A few words of what it is about.
    title: Option<String>,
    /// All of it; empty for none.
    content: Option<String>,
    /// Empty for none.
    project: Option<String>,
}

impl Status {
    /// As it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Status::Todo => "todo",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
        }
    }

    /// For a person.
    pub fn spoken(self) -> &'static str {
        match self {
            Status::Todo => "to do",
            Status::InProgress => "in progress",
            Status::Completed => "completed",
        }
    }
}

impl Entry {
    pub fn of(draft: &Draft) -> Result<Entry, ToolError> {
        let entry = serde_json::to_value(&draft.body).and_then(serde_json::from_value::<Entry>);
        let entry = entry.map_err(|_| ToolError::Refused("I cannot read this row".into()))?;
        Ok(Entry { day: draft.date, ..entry })
    }

    pub fn draft(&self, kind: &EntryKind, owner: &str) -> Draft {
        let fields = json!(self).as_object().cloned().unwrap_or_default();
        let mut body: Body = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
        let text = self.text.as_deref().unwrap_or_default();
        body.insert("words".into(), json!(words(&format!("{} {text}", self.title))));
        let is_open = self.status.is_some_and(|status| status != Status::Completed);
        Draft {
            kind: kind.prefix.into(),
            owner: owner.into(),
            body,
            date: self.due.unwrap_or(self.day),
            rollups: vec![],
            duplicate_key: is_open.then(|| hash_text(&words(&self.title))),
        }
    }
}

impl From<NoteValues> for TaskValues {
    fn from(NoteValues { title, content, project }: NoteValues) -> TaskValues {
        TaskValues { title, notes: content, project, ..TaskValues::default() }
    }
}

impl TaskValues {
    pub fn applied(&self, entry: &Entry, kind: &EntryKind, context: &ToolContext<'_>) -> Result<Entry, ToolError> {
        let mut entry = entry.clone();
        if let Some(title) = &self.title {
            entry.title = cleaned("title", title, TITLE_CHARS)?.unwrap_or_default();
        }
        if !entry.title.contains(char::is_alphanumeric) {
            return Err(ToolError::Refused("the title is missing. Say what it is about".into()));
        }
        if let Some(text) = &self.notes {
            entry.text = cleaned(kind.text, text, kind.text_chars)?;
        }
        if let Some(name) = &self.project {
            entry.project = project(name)?;
        }
        if let Some(words) = &self.due {
            entry.due = due(words, context)?;
        }
        if let Some(status) = self.status.filter(|status| Some(*status) != entry.status) {
            entry.status = Some(status);
            entry.done_on = (status == Status::Completed).then_some(context.today);
        }
        Ok(entry)
    }

    /// None of a row that is so already.
    pub fn redrafted(
        &self,
        row: &Draft,
        kind: &EntryKind,
        context: &ToolContext<'_>,
    ) -> Result<Option<Draft>, ToolError> {
        let after = self.applied(&Entry::of(row)?, kind, context)?.draft(kind, &row.owner);
        Ok((after != *row).then_some(after))
    }
}

/// Projects are equal whatever their case.
pub fn project(name: &str) -> Result<Option<String>, ToolError> {
    cleaned("project", &name.to_lowercase(), PROJECT_CHARS)
}

fn cleaned(what: &str, text: &str, characters: usize) -> Result<Option<String>, ToolError> {
    let text = capped(&format!("the {what}"), plain(text), characters).map_err(ToolError::Refused)?;
    Ok((!text.is_empty()).then_some(text))
}

/// A weekday alone is the next such day.
fn due(words: &str, context: &ToolContext<'_>) -> Result<Option<Date>, ToolError> {
    let is_weekday = |day: Date| day.strftime("%A").to_string().eq_ignore_ascii_case(words.trim());
    match context.reader().resolve_date(words) {
        _ if words.trim().is_empty() => Ok(None),
        Ok(day) if day < context.today && is_weekday(day) => Ok(Some(day.saturating_add(1.week()))),
        Ok(day) => Ok(Some(day)),
        Err(DateError::Ambiguous { options, .. }) => Err(ToolError::Ask(Question {
            text: "Which day do you mean?".into(),
            options: options.iter().map(|day| context.style().days.written(*day)).collect(),
            ..Question::default()
        })),
        Err(error) => Err(ToolError::Refused(error.to_string())),
    }
}

/// In quotes; of a long text the beginning.
pub fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN_TEXT).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("“{cut}{more}”")
}
