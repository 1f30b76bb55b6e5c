//! Reply fields that toolkits add to those of the core.

use serde_json::Value;

/// A declared field. Queries of a toolkit can set its declared fields only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyField {
    /// The JSON name.
    pub name: &'static str,
    pub merge: Merge,
}

/// How the values of several queries in one turn are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// The value, if all queries that set one agree.
    Agree,
    /// All elements of the lists.
    Append,
    /// All elements of the lists. The field is left out if two elements have the same values for these keys.
    AppendUnlessConflict { keys: &'static [&'static str] },
}

/// Fields of the core. Toolkits cannot declare them.
pub const CORE_FIELDS: [&str; 21] = [
    "added", "answer", "attemptedAdd", "confirmationRequired", "conversationId", "count", "dataVersion", "deleted",
    "detectedFilters", "limited", "listed", "nextCursor", "progress", "proposal", "question", "receipt", "receipts",
    "remembered", "suggestions", "total", "updated",
];

impl Merge {
    /// None if there is no value or the values cannot be merged.
    pub fn merge<'v>(self, mut values: impl Iterator<Item = &'v Value>) -> Option<Value> {
        match self {
            Merge::Agree => {
                let first = values.next()?;
                values.all(|other| other == first).then(|| first.clone())
            }
            Merge::Append => append(values, &[]),
            Merge::AppendUnlessConflict { keys } => append(values, keys),
        }
    }
}

fn append<'v>(values: impl Iterator<Item = &'v Value>, keys: &[&str]) -> Option<Value> {
    let mut all: Vec<Value> = Vec::new();
    for element in values.filter_map(Value::as_array).flatten() {
        let is_same = |other: &Value| !keys.is_empty() && keys.iter().all(|key| other[key] == element[key]);
        if all.iter().any(is_same) {
            return None;
        }
        all.push(element.clone());
    }
    (!all.is_empty()).then_some(Value::Array(all))
}
