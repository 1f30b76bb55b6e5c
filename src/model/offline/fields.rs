//! Which field of an expense a command names, and what it costs where that points at it.

use super::wording;
use crate::phrases::{AmountMention, CurrencyMention, Reader, Reading};

/// "category of 42" and "42 amount": the target, and the field.
pub(super) fn split_field(target: &str) -> (String, Option<&'static str>) {
    for (span, word) in wording::words(target) {
        let field = match &*word {
            "amount" | "price" | "cost" => "amount",
            "date" | "day" => "date",
            "category" => "category",
            "name" | "title" => "item",
            "note" | "notes" => "notes",
            "currency" => "currency",
            _ => continue,
        };
        let kept = format!("{} {}", &target[..span.start], &target[span.end..]);
        return (wording::trimmed(&kept, &["the", "of", "for", "on"], &["the", "'s"]).to_owned(), Some(field));
    }
    (target.to_owned(), None)
}

/// "the £2 one", "the 12 one", "the 3.50 coffee": what it costs is no number of a row.
pub(super) fn cost_in(target: &str, reader: Reader) -> Option<(String, String)> {
    let words = wording::words(target).into_iter();
    let ones: Vec<_> = words.filter(|(_, word)| word == "one").map(|(span, _)| span).collect();
    let told = wording::without(target, &ones, &[]);
    let amounts = reader.amounts(&told);
    let ([found], false) = (amounts.as_slice(), target.contains(['“', '"'])) else { return None };
    let Reading::Exact(value) = &found.reading else { return None };
    let rest = wording::without(&told, std::slice::from_ref(&found.span), &["for", "of", "at", "from", "costing"]);
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
