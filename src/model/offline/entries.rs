//! An entry that comes back, where a question offers it beside expenses of the same name.

use serde_json::{Map, Value};

use super::{
    Reply, one,
    options::{self, Asking},
    wording,
};
use crate::{
    only::Only,
    phrases::{Class, frequency},
};

/// The one that is offered and that the answer means, as the arguments of a tool that point at it.
pub(super) fn picked(answer: &str, asking: &Asking) -> Option<Map<String, Value>> {
    let is_entry = |value: &Value| ["item", "every"].iter().all(|field| value[*field].is_string());
    let mut entries = asking.options.iter().zip(&asking.values).filter(|(_, value)| is_entry(value));
    let says =
        |(_, word): &wording::Word<'_>| Class::SaysRecurring.contains(word) || frequency::english(word).is_some();
    let (_, picked) = match options::named(answer, &asking.options) {
        Some(named) => entries.find(|(option, _)| *option == named)?,
        None => entries.only().filter(|_| wording::words(answer).iter().any(says))?,
    };
    picked.as_object().cloned()
}

/// The call that changes it. Only its amount can be changed.
pub(super) fn changed(entry: Map<String, Value>, mut changes: Map<String, Value>) -> Reply {
    let is_known = |field: &String| matches!(field.as_str(), "amount" | "currency" | "category");
    if !changes.contains_key("amount") || !changes.keys().all(is_known) {
        return Reply::Say(wording::ONLY_ITS_AMOUNT.to_owned());
    }
    changes.extend(entry);
    one("set_recurring", changes.into())
}
