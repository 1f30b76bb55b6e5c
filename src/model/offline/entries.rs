//! An entry that comes back, where a question offers it beside expenses of the same name.

use serde_json::{Map, Value};

use super::{
    Reply, one,
    options::{self, Asking},
    wording,
};
use crate::{
    phrases::{Class, frequency},
    sorted::Collect,
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    item: String,
    every: String,
}

/// The one that is offered and that the answer means.
pub(super) fn picked(answer: &str, asking: &Asking) -> Option<Entry> {
    let offered = asking.options.iter().zip(&asking.values);
    let mut entries = offered.filter_map(|(option, value)| Some((option.as_str(), Entry::of(value)?)));
    let says =
        |(_, word): &wording::Word<'_>| Class::SaysRecurring.contains(word) || frequency::english(word).is_some();
    match options::named(answer, &asking.options) {
        Some(named) => entries.find(|(option, _)| *option == named).map(|(_, entry)| entry),
        None => {
            let (_, only) = entries.next().filter(|_| wording::words(answer).iter().any(says))?;
            entries.next().is_none().then_some(only)
        }
    }
}

impl Entry {
    fn of(value: &Value) -> Option<Entry> {
        let text = |field: &str| value[field].as_str().map(str::to_owned);
        Some(Entry { item: text("item")?, every: text("every")? })
    }

    /// As arguments of a tool.
    pub fn pointer(self) -> Map<String, Value> {
        [("item".to_owned(), self.item.into()), ("every".to_owned(), self.every.into())].inserted()
    }

    pub fn changed(self, mut changes: Map<String, Value>) -> Reply {
        let is_known = |field: &String| matches!(field.as_str(), "amount" | "currency" | "category");
        if !changes.contains_key("amount") || !changes.keys().all(is_known) {
            return Reply::Say(wording::ONLY_ITS_AMOUNT.to_owned());
        }
        changes.extend(self.pointer());
        one("set_recurring", changes.into())
    }
}
