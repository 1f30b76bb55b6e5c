//! Which field of an expense a command names, and what it costs where that points at it.

use std::sync::LazyLock;

use super::wording;
use crate::phrases::{AmountMention, Class, CurrencyMention, Reader, Reading};

static FIELDS: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    let lines = include_str!("fields.txt").lines().filter_map(|line| line.split_once(" = "));
    lines.map(|(field, words)| (field, words.split(", ").collect())).collect()
});

/// A category or a day, where something is moved to.
pub(super) const PLACE: &str = "place";

/// The field that a word says.
pub(super) fn field(word: &str) -> Option<&'static str> {
    FIELDS.iter().find(|(_, words)| words.contains(&word)).map(|(field, _)| *field)
}

/// The field of this name.
pub(super) fn named(name: &str) -> Option<&'static str> {
    FIELDS.iter().map(|(field, _)| *field).chain([PLACE]).find(|field| *field == name)
}

/// "the £2 one", "the 12 one", "the 3.50 coffee": what it costs is no number of a row.
pub(super) fn cost_in(target: &str, reader: Reader) -> Option<(String, String)> {
    let words = wording::words(target).into_iter();
    let ones: Vec<_> = words.filter(|(_, word)| word == "one").map(|(span, _)| span).collect();
    let told = wording::without(target, ones.iter().cloned(), &[]);
    let amounts = reader.amounts(&told);
    let ([found], false) = (amounts.as_slice(), target.contains(['“', '"'])) else { return None };
    let Reading::Exact(value) = &found.reading else { return None };
    let rest = wording::without(&told, [found.span.clone()], &[Class::BeforePrice]);
    (is_money(found) || !ones.is_empty()).then(|| (value.clone(), rest))
}

/// "lunch 8" before what it should be.
pub(super) fn cost_after(name: &str, reader: Reader) -> (&str, Option<String>) {
    let closing = reader.amounts(name).pop().filter(|found| name[found.span.end..].trim().is_empty());
    match closing.map(|found| (name[..found.span.start].trim_end(), found.reading)) {
        Some((name, Reading::Exact(cost))) if !name.is_empty() => (name, Some(cost)),
        _ => (name, None),
    }
}

/// No number of a row is written so.
pub(super) fn is_money(found: &AmountMention) -> bool {
    let decimals = matches!(&found.reading, Reading::Exact(value) if value.contains('.'));
    decimals || found.currency != CurrencyMention::None
}
