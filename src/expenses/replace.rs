//! Replaces a part of names or notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    arguments::refused,
    expense::{self, Expense, words},
    page_filters::Filters,
};
use crate::tool::ToolError;

/// Replaces these words wherever they stand in a name or in notes, in any case of letters. Rows without them stay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    pub field: TextField,
    /// Whole words: "Tesco Express".
    pub find: String,
    /// What stands there instead; empty for nothing.
    pub with: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TextField {
    Item,
    Notes,
}

impl Replace {
    pub fn apply(&self, expense: &mut Expense) -> Result<(), ToolError> {
        if self.find.trim().is_empty() {
            return Err(ToolError::Refused("there are no words to replace. Say which".into()));
        }
        let replaced = |text: &str| replaced(text, self.find.trim(), self.with.trim());
        match (self.field, &expense.notes) {
            (TextField::Item, _) => {
                if let Some(item) = replaced(&expense.item) {
                    expense.item = expense::item(&item).map_err(refused)?;
                }
            }
            (TextField::Notes, Some(notes)) => {
                if let Some(notes) = replaced(notes) {
                    expense.notes = expense::notes(&notes).map_err(refused)?;
                }
            }
            (TextField::Notes, None) => {}
        }
        Ok(())
    }

    /// Leaves out rows that do not have the words, so that they are not read where an index can tell.
    pub fn narrow(&self, filters: &mut Filters) {
        let phrase = words(&self.find);
        let (wanted, is_word) = (format!("\"{}\"", phrase.trim()), !phrase.trim().is_empty());
        let text = match self.field {
            TextField::Item => &mut filters.words,
            TextField::Notes => &mut filters.text,
        };
        if is_word && text.as_ref().is_none_or(|text| !text.contains(&wanted)) {
            *text = Some(text.iter().map(String::as_str).chain([&*wanted]).collect::<Vec<_>>().join(" "));
        }
    }

    /// "“tesco express” in its name"
    pub fn sought(&self) -> String {
        let place = if self.field == TextField::Item { "its name" } else { "its notes" };
        format!("“{}” in {place}", self.find.trim())
    }
}

/// None if the text does not have the words.
fn replaced(text: &str, find: &str, with: &str) -> Option<String> {
    let (mut result, mut rest, mut before) = (String::new(), text, None);
    let mut is_there = false;
    while let Some(letter) = rest.chars().next() {
        let end = begins(rest, find).filter(|end| {
            let (first, last) = (find.chars().next(), find.chars().next_back());
            !are_one_word(before, first) && !are_one_word(last, rest[*end..].chars().next())
        });
        let taken = end.unwrap_or(letter.len_utf8());
        result.push_str(if end.is_some() { with } else { &rest[..taken] });
        is_there |= end.is_some();
        before = rest[..taken].chars().next_back();
        rest = &rest[taken..];
    }
    is_there.then_some(result)
}

/// The end of `find` at the beginning of the text, in any case of letters.
fn begins(text: &str, find: &str) -> Option<usize> {
    let mut wanted = find.chars().flat_map(char::to_lowercase).peekable();
    for (at, letter) in text.char_indices() {
        if wanted.peek().is_none() {
            return Some(at);
        }
        if !letter.to_lowercase().all(|lower| wanted.next() == Some(lower)) {
            return None;
        }
    }
    wanted.peek().is_none().then_some(text.len())
}

fn are_one_word(one: Option<char>, next: Option<char>) -> bool {
    one.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_replaced_in_any_case_of_letters() {
        for (text, find, with, expected) in [
            ("Tesco Express", "tesco express", "Tesco", Some("Tesco")),
            ("lunch, TESCO EXPRESS (Tesco Express)", "Tesco Express", "Tesco", Some("lunch, Tesco (Tesco)")),
            ("uber home", "uber", "Uber", Some("Uber home")),
            ("ubers", "uber", "Uber", None),
            ("steak and tea", "tea", "chai", Some("steak and chai")),
            ("Straße, STRASSE", "straße", "Weg", Some("Weg, STRASSE")),
            ("Q&A", "&", " and ", Some("Q and A")),
            ("🍕🍕 night", "🍕", "pizza", Some("pizzapizza night")),
            ("İzmir", "i", "x", None),
            ("coffee", "tea", "chai", None),
        ] {
            assert_eq!(replaced(text, find, with).as_deref(), expected, "{text}");
        }
    }
}
