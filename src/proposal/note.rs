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
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
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
    /// The person's words do not plainly say to do this: a question, another verb.
    NotStated,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Draft;

    fn row(id: u64, body: Value) -> Record {
        let body = serde_json::from_value(body).expect("a body");
        let date = "2026-11-20".parse().expect("a date");
        Record { id, version: 1, draft: Draft { kind: "E".into(), body, date, ..Draft::default() } }
    }

    #[test]
    fn a_note_applies_while_rows_have_its_value() {
        let coffee = row(3, json!({ "item": "coffee", "minor": 350, "currency": "GBP", "lines": [{ "minor": 100 }] }));
        let tea = row(4, json!({ "item": "tea", "minor": 200, "currency": "GBP" }));
        let amount = |minor: u64| json!({ "minor": minor, "currency": "GBP" });
        for (note, applies) in [
            (Note::assumed("E", "item", "coffee"), true),
            (Note::assumed("E", "item", "cof"), false),
            (Note::assumed("T", "item", "coffee"), false),
            (Note::assumed("E", "item", json!(["coffee", "tea"])), true),
            (Note::assumed("E", "item", json!(["coffee", "bun"])), false),
            (Note::assumed("E", "amount", amount(350)), true),
            (Note::assumed("E", "amount", amount(35)), false),
            (Note::assumed("E", "date", "2026-11-20"), true),
            (Note::assumed("E", "date", "2026-11-02"), false),
            (Note::assumed("E", "lines", json!({ "lines": [{ "minor": 100 }] })), true),
            (Note::assumed("E", "lines", json!({ "lines": [{ "minor": 50 }] })), false),
            (Note::assumed_row(coffee.row_ref()), true),
            (Note::assumed_row(RowRef { kind: "E".into(), id: 33 }), false),
            (Note::assumed("E", "select", Value::Null), false),
        ] {
            assert_eq!(note.applies_to(&[&coffee, &tea]), applies, "{note:?}");
        }
    }

    #[test]
    fn what_is_taken_in_after_all_is_not_left_out() {
        let left_out = |values: Value| Note::new(NoteKind::LeftOut, "E", "said", values);
        assert_eq!(left_out(json!(["5", "7"])).without(&[&json!("5")]), Some(left_out(json!(["7"]))));
        assert_eq!(left_out(json!(["5"])).without(&[&json!("5")]), None);
        assert_eq!(left_out(json!(["15"])).without(&[&json!("5")]), Some(left_out(json!(["15"]))));
    }
}
