//! Which field of an expense a command names.

use super::wording;

/// "category of 42" and "42 amount": the target, and the field.
pub(super) fn split_field(target: &str) -> (String, Option<&'static str>) {
    for (span, word) in wording::words(target) {
        let field = match word.as_str() {
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
