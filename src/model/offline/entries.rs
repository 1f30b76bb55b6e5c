//! An entry that comes back, where a question offers it beside expenses of the same name.

use serde_json::{Map, Value, json};

use super::{
    Reply,
    conversation::one,
    options::{self, Asking},
    wording,
};
use crate::phrases::frequency;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    item: String,
    every: String,
}

/// The one that is offered and that the answer means.
pub(super) fn picked(answer: &str, asking: &Asking) -> Option<Entry> {
    const ENTRY: &str = "the recurring entry “";
    let offered = &asking.options;
    let entries: Vec<&str> = offered.iter().map(String::as_str).filter(|option| option.starts_with(ENTRY)).collect();
    let says = |(_, word): &wording::Word<'_>| {
        matches!(&**word, "recurring" | "repeating" | "subscription" | "entry") || frequency::english(word).is_some()
    };
    let meant = match (options::named(answer, offered), entries.as_slice()) {
        (Some(option), _) => option,
        (None, [entry]) if wording::words(answer).iter().any(says) => entry,
        (None, _) => return None,
    };
    Entry::written(meant.strip_prefix("the recurring entry ")?)
}

impl Entry {
    /// “netflix”, £12.00 every month from 1 Dec 2026
    pub fn written(line: &str) -> Option<Entry> {
        let (item, told) = line.strip_prefix('“')?.split_once('”')?;
        let every = told.split_once(" every ")?.1.split(' ').next()?;
        Some(Entry { item: item.to_owned(), every: every.to_owned() })
    }

    pub fn stopped(self) -> Reply {
        one("stop_recurring", json!({ "item": self.item, "every": self.every }))
    }

    pub fn changed(self, mut changes: Map<String, Value>) -> Reply {
        let is_known = |field: &String| matches!(field.as_str(), "amount" | "currency" | "category");
        if !changes.contains_key("amount") || !changes.keys().all(is_known) {
            return Reply::Say(wording::ONLY_ITS_AMOUNT.to_owned());
        }
        changes.extend([("item".to_owned(), self.item.into()), ("every".to_owned(), self.every.into())]);
        one("set_recurring", changes.into())
    }
}
