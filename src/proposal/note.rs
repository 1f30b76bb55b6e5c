//! Notes: what a person should see before a yes. A note is data. It is worded when it is shown.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::record::{Record, RowRef};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Note {
    pub kind: NoteKind,
    /// Prefix of the kind of record that it is about, which words it. Empty: the core words it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// The field that it is about, as records store it; `id` for the row itself.
    pub field: String,
    /// The value in doubt, as records store it. An object has several fields of one row, a list has several values.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub value: Value,
    #[serde(default, skip_serializing_if = "Why::is_unsaid")]
    pub why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A value that the person did not say.
    Assumed,
    PossibleDuplicate,
    UnusualAmount,
    /// Part of the message that is not part of this proposal.
    LeftOut,
    /// How the selection of the rows was understood.
    Chosen,
}

/// The reason for a note. The default: the person did not say the value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Why {
    /// A name of the toolkit's own, or of the core's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// The words of the person that raise the doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The name of the row, where several are proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Why {
    fn is_unsaid(&self) -> bool {
        *self == Why::default()
    }
}

impl Note {
    pub fn new(kind: NoteKind, of: &str, field: &str, value: impl Into<Value>) -> Note {
        Note { kind, of: of.into(), field: field.into(), value: value.into(), why: Why::default() }
    }

    pub fn assumed(of: &str, field: &str, value: impl Into<Value>) -> Note {
        Note::new(NoteKind::Assumed, of, field, value)
    }

    /// That the person may mean another row.
    pub fn assumed_row(row: RowRef) -> Note {
        Note::assumed(&row.kind, "id", row.id)
    }

    /// Rows that changed since they were shown, or since they were written, so they are left out. `all`: of how many.
    pub fn changed_since(rows: Vec<RowRef>, all: Option<usize>) -> Note {
        let value = json!({ "rows": rows, "all": all });
        Note::new(NoteKind::LeftOut, "", "rows", value).because("changed_since")
    }

    pub fn because(mut self, code: &str) -> Note {
        self.why.code = code.into();
        self
    }

    pub fn said(mut self, words: impl Into<String>) -> Note {
        self.why.said = Some(words.into());
        self
    }

    pub fn named(mut self, name: Option<String>) -> Note {
        self.why.name = name;
        self
    }

    /// Each value, if there are several.
    pub fn values(&self) -> &[Value] {
        match &self.value {
            Value::Null => &[],
            Value::Array(values) => values,
            value => std::slice::from_ref(value),
        }
    }

    /// Without the values that are taken in after all. None if no value is left.
    pub fn without(&self, taken: &[&Value]) -> Option<Note> {
        let Value::Array(values) = &self.value else { return Some(self.clone()) };
        let left: Vec<Value> = values.iter().filter(|value| !taken.contains(value)).cloned().collect();
        (!left.is_empty()).then(|| Note { value: left.into(), ..self.clone() })
    }

    /// Whether the rows still have the value in doubt.
    pub fn applies_to(&self, rows: &[&Record]) -> bool {
        let mut values = self.values().iter().peekable();
        let has = |value: &Value| rows.iter().any(|row| row.draft.kind == self.of && self.is_of(row, value));
        values.peek().is_some() && values.all(has)
    }

    fn is_of(&self, row: &Record, value: &Value) -> bool {
        let has = |name: &str, value: &Value| match (row.draft.body.get(name), value) {
            (Some(Value::Array(stored)), Value::Array(values)) => values.iter().all(|value| stored.contains(value)),
            (None, _) if name == "date" => *value == json!(row.draft.date),
            (None, _) if name == "id" => *value == json!(row.id),
            (stored, value) => stored == Some(value),
        };
        match value {
            Value::Object(fields) => fields.iter().all(|(name, value)| has(name, value)),
            value => has(&self.field, value),
        }
    }
}
