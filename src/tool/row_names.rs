//! Row numbers in texts: how they are written for the person and how they are read from messages.

use std::collections::BTreeMap;

use serde_json::Value;

use super::RecordKind;
use crate::{
    proposal::{Record, RowRef, is_preference},
    shown::ShownRow,
};

/// The kinds whose rows have numbers that people see, by prefix: all except preferences.
#[derive(Debug, Clone, Default)]
pub struct RowNames(BTreeMap<&'static str, KindNames>);

#[derive(Debug, Clone)]
struct KindNames {
    name: &'static str,
    /// Singular and plural.
    nouns: [&'static str; 2],
}

/// Rows that a text lists by number.
const NAMED: usize = 10;

/// Words between a noun or verb and its number: "tasks 3 and 4", "task number 3", "tick off 3".
const BETWEEN: [&str; 5] = ["and", "id", "number", "no", "off"];

impl RowNames {
    pub(super) fn add(&mut self, kind: &dyn RecordKind) {
        let names = KindNames { name: kind.name(), nouns: [kind.noun(1), kind.noun(2)] };
        self.0.insert(kind.prefix(), names);
    }

    /// `#3`, or `task #3` if several kinds have numbers.
    pub fn reference(&self, kind: &str, id: u64) -> String {
        match self.0.get(kind) {
            Some(names) if self.0.len() > 1 => format!("{} #{id}", names.nouns[0]),
            _ => format!("#{id}"),
        }
    }

    /// "task #3, #4 and 2 more"; a preference has no number that people see.
    pub fn references(&self, rows: &[RowRef]) -> String {
        let mut names = rows.iter().map(|row| match is_preference(&row.kind) {
            true => "a setting".to_owned(),
            false => self.reference(&row.kind, row.id),
        });
        let mut named: Vec<String> = names.by_ref().take(NAMED).collect();
        named.dedup();
        let more = names.count();
        let named = named.join(", ");
        if more > 0 { format!("{named} and {more} more") } else { named }
    }

    /// The row of a JSON object in a reply.
    pub fn row_ref(&self, row: &Value) -> Option<RowRef> {
        let (name, id) = (row.get("kind")?.as_str()?, row.get("id")?.as_u64()?);
        let (kind, _) = self.0.iter().find(|(_, names)| names.name == name)?;
        Some(RowRef { kind: (*kind).to_owned(), id })
    }

    /// Whether a text names the row as `#3`. Quoted names are ignored, because users can write anything there.
    pub fn names(&self, text: &str, row: &RowRef) -> bool {
        self.numbered(text).iter().any(|(kind, id)| *id == row.id && kind.is_none_or(|kind| kind == row.kind))
    }

    /// All `#3` numbers of a text outside quoted names, each with the kind that the noun before it names.
    pub fn numbered(&self, text: &str) -> Vec<(Option<&'static str>, u64)> {
        let outside = text.split('“').map(|part| part.split_once('”').map_or(part, |(_, rest)| rest));
        let mut found = Vec::new();
        for part in outside {
            let mut kind = None;
            for token in tokens(part) {
                match token.strip_prefix('#') {
                    Some(number) => found.extend(number.parse().ok().map(|id| (kind, id))),
                    None if BETWEEN.contains(&&*token) => {}
                    None => kind = self.kind_called(&token),
                }
            }
        }
        found
    }

    /// Whether a message names the row: `#42`, "delete 42" (after a word that is not followed by a price), or only the
    /// number. After a noun of another kind, the number means a row of that kind.
    pub fn is_pointed_at(&self, text: &str, row: &RowRef) -> bool {
        const POINTERS: [&str; 14] = [
            "change", "complete", "delete", "finish", "id", "join", "number", "of", "remove", "rename", "row", "split",
            "tick", "update",
        ];
        let number = row.id.to_string();
        let tokens: Vec<String> = tokens(text).collect();
        // "Delete 211, 212 and 213"
        let (mut points, mut is_of_another) = (false, false);
        for token in &tokens {
            let is_number = token.bytes().all(|digit| digit.is_ascii_digit());
            let is_it = points && *token == number || token.strip_prefix('#') == Some(&number);
            if is_it && !is_of_another {
                return true;
            }
            let kind = self.kind_called(token);
            let goes_on = is_number || token.starts_with('#') || BETWEEN.contains(&&**token);
            is_of_another = kind.map_or(is_of_another && goes_on, |kind| kind != row.kind);
            points = points && (is_number || BETWEEN.contains(&&**token))
                || POINTERS.contains(&&**token)
                || self.0.get(&*row.kind).is_some_and(|names| names.nouns[0] == token);
        }
        tokens == [number]
    }

    fn kind_called(&self, word: &str) -> Option<&'static str> {
        self.0.iter().find(|(_, names)| names.nouns.contains(&word)).map(|(kind, _)| *kind)
    }
}

/// The JSON object of a record, with the name of its kind.
pub fn row_view(kind: &dyn RecordKind, record: &Record) -> Value {
    with_kind(kind.row(record), kind.name())
}

/// A row as later messages refer to it.
pub fn shown_row(kind: &dyn RecordKind, record: &Record) -> ShownRow {
    ShownRow::described(record, kind.title(&record.draft))
}

/// Adds the name of the kind to the JSON object of a row.
pub fn with_kind(mut row: Value, name: &str) -> Value {
    if let Some(fields) = row.as_object_mut() {
        // A kind may set `kind` itself, if it has several types.
        fields.entry("kind").or_insert_with(|| name.into());
    }
    row
}

/// Words in lower case, and `#` marks.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    let tokens = text.split(|mark: char| !(mark.is_alphanumeric() || mark == '#')).filter(|token| !token.is_empty());
    tokens.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> RowNames {
        let kinds = [("E", "expense", ["expense", "expenses"]), ("T", "task", ["task", "tasks"])];
        RowNames(kinds.map(|(kind, name, nouns)| (kind, KindNames { name, nouns })).into())
    }

    fn row(kind: &str, id: u64) -> RowRef {
        RowRef { kind: kind.into(), id }
    }

    #[test]
    fn a_number_alone_names_a_row_where_one_kind_has_numbers() {
        let mut one = names();
        assert_eq!(one.reference("T", 3), "task #3");
        one.0.remove("E");
        assert_eq!(one.reference("T", 3), "#3");
        assert_eq!(one.reference("MB", 3), "#3");
    }

    #[test]
    fn a_row_of_a_reply_has_the_kind_it_names() {
        let names = names();
        assert_eq!(names.row_ref(&serde_json::json!({ "kind": "task", "id": 3 })), Some(row("T", 3)));
        assert_eq!(names.row_ref(&serde_json::json!({ "kind": "budget", "id": 3 })), None);
        assert_eq!(names.row_ref(&serde_json::json!({ "id": 3 })), None);
    }

    #[test]
    fn a_number_after_a_noun_means_a_row_of_that_kind() {
        let names = names();
        for (text, expense, task) in [
            ("#3", true, true),
            ("3", true, true),
            ("delete 3", true, true),
            ("delete #3", true, true),
            ("delete task 3", false, true),
            ("delete expense 3", true, false),
            ("delete task #3", false, true),
            ("delete tasks 2 and 3", false, false),
            ("delete tasks #2 and #3", false, true),
            ("delete task number 3", false, true),
            ("delete task 2 and expense 3", true, false),
            ("tick off 3", true, true),
            ("3 coffees", false, false),
        ] {
            let is_pointed_at = |kind| names.is_pointed_at(text, &row(kind, 3));
            assert_eq!((is_pointed_at("E"), is_pointed_at("T")), (expense, task), "{text}");
        }
        assert_eq!(names.numbered("Task #3 and “a #4”, #5"), [(Some("T"), 3), (None, 5)]);
        assert!(names.names("I've changed expense #3.", &row("E", 3)));
        assert!(!names.names("I've changed expense #3.", &row("T", 3)));
    }
}
