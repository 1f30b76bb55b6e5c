//! Tasks and notes: their fields, and the arguments that set them.

use crate::tool::fields::{Choice, Field, FieldValue};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy)]
pub struct EntryKind {
    pub prefix: &'static str,
    /// One and several.
    pub names: [&'static str; 2],
    pub fields: &'static [Field],
}

pub const TASK: EntryKind = EntryKind {
    prefix: "T",
    names: ["task", "tasks"],
    fields: &[
        TITLE,
        Field { name: "notes", label: "notes", value: FieldValue::Text { chars: 1_000 } },
        PROJECT,
        DUE,
        STATUS,
    ],
};
pub const NOTE: EntryKind = EntryKind {
    prefix: "N",
    names: ["note", "notes"],
    fields: &[TITLE, Field { name: "content", label: "content", value: FieldValue::Text { chars: 4_000 } }, PROJECT],
};

pub const TITLE: Field = Field { name: "title", label: "title", value: FieldValue::Title { chars: 200 } };
pub const PROJECT: Field = Field { name: "project", label: "project", value: FieldValue::Name { chars: 60 } };
pub const DUE: Field = Field { name: "due", label: "day it is due", value: FieldValue::DayAhead };
pub const STATUS: Field = Field {
    name: "status",
    label: "status",
    value: FieldValue::Choice(&[
        Choice {
            stored: Status::Todo.name(),
            shown: "to do",
            said_by: &["todo", "do", "reopen", "open", "again", "not", "later"],
        },
        Choice {
            stored: Status::InProgress.name(),
            shown: "in progress",
            said_by: &["start", "started", "progress", "working", "begin", "began", "doing"],
        },
        Choice {
            stored: Status::Completed.name(),
            shown: "completed",
            said_by: &[
                "complete", "completed", "done", "finish", "finished", "tick", "ticked", "check", "close", "did",
            ],
        },
    ]),
};

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
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
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
    pub const fn name(self) -> &'static str {
        match self {
            Status::Todo => "todo",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
        }
    }
}
