//! The fields of a reply that toolkits bring, beside those that the core's own reply has.

use serde_json::Value;

/// Declared by a toolkit; queries of a toolkit may set no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyField {
    /// As clients know it.
    pub name: &'static str,
    pub merge: Merge,
}

/// What a reply gets of a field that several queries of a turn set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// The value, if all agree on it.
    Agree,
    /// All elements of the lists.
    Append,
    /// All elements of the lists; nothing if two elements have equal values under all of these names.
    AppendUnlessConflict { keys: &'static [&'static str] },
}

/// The core's own fields: no toolkit can declare one of them.
pub const CORE_FIELDS: [&str; 21] = [
    "added", "answer", "attemptedAdd", "confirmationRequired", "conversationId", "count", "dataVersion", "deleted",
    "detectedFilters", "limited", "listed", "nextCursor", "progress", "proposal", "question", "receipt", "receipts",
    "remembered", "suggestions", "total", "updated",
];

impl Merge {
    /// None if there is nothing to say, or no agreement.
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
