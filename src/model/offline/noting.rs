//! What is noted of an expense: a remark, or how it was paid.

use super::{
    means::{self, Means},
    naming, wording,
};
use crate::phrases::{Class, Reader};

/// "note: with Anna", and how it was paid: "paid by card", "in cash".
pub(super) fn split_notes(text: &str, reader: Reader) -> (String, Option<String>) {
    let noted = wording::words(text).into_iter().find_map(|(span, word)| {
        let is_label = span.start > 0 && Class::LabelOfForm.says(&word) == Some("note:");
        let behind = Some(text[span.end..].trim_start()).filter(|_| is_label)?;
        // "note pad" and "note it" note nothing.
        let is_note = |note: &str| {
            let first = wording::first_word(note);
            note.split_whitespace().nth(1).is_some()
                && !Class::NoNote.contains(first)
                && reader.amounts(note).is_empty()
                && reader.dates(note).is_empty()
        };
        let is_apart = || word == "note" && is_note(behind) && is_whole(text[..span.start].trim_end(), reader);
        let note = behind.strip_prefix(':').or_else(|| is_apart().then_some(behind))?;
        Some((span.start, text.len() - note.len()))
    });
    if let Some((at, end)) = noted {
        // "(note: for Dad)"
        let (before, note) = (&text[..at], text[end..].trim());
        let note = if before.ends_with('(') { note.trim_end_matches(')') } else { note };
        let (rest, paid) = split_means(before.trim_end_matches([' ', ',', ';', '(']), reader);
        let notes = paid.into_iter().chain(Some(note.to_owned()).filter(|note| !note.is_empty()));
        return (rest, notes.reduce(|paid, note| paid + ", " + &note));
    }
    split_means(text, reader)
}

/// "vet 86 yesterday", "taxi 12,": a name and its price, with nothing behind them that leads on.
fn is_whole(before: &str, reader: Reader) -> bool {
    let amounts = reader.amounts(before).into_iter().map(|found| found.span.end);
    let days = reader.dates(before).into_iter().map(|found| found.span.end);
    let means = || wording::words(before).last().is_some_and(|(_, word)| Class::Means.contains(word));
    let is_apart = before.ends_with([',', ';', '-', '.']) || amounts.chain(days).any(|end| end == before.len());
    (is_apart || means()) && naming::is_named(before) && !reader.amounts(before).is_empty()
}

/// How all of it was paid. Of several, each may have been paid in its own way: "train 20 by card, bus 3 in cash".
fn split_means(text: &str, reader: Reader) -> (String, Option<String>) {
    let is_of_one = reader.amounts(text).len() < 2;
    let is_of_all = |means: &Means| {
        let (before, behind) = (text[..means.words.start].trim_end(), &text[means.words.end..]);
        let is_last = behind.trim().is_empty() && (means.says_paid || before.ends_with([',', ';']));
        let is_first = !naming::is_named(before) && reader.amounts(before).is_empty();
        is_of_one || means.is_of_all || is_first || is_last
    };
    match means::of(text, reader).filter(is_of_all) {
        Some(Means { words, noted, .. }) => (means::without(text, &words), Some(text[noted].to_owned())),
        None => (text.to_owned(), None),
    }
}
