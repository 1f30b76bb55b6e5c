//! Finds messages about kinds that a model does not understand, for models that understand some toolkits only.

use std::ops::Range;

use crate::{
    phrases::{AmountMention, CurrencyMention, Reader, Reading},
    tool::{RecordKind, Registry},
};

/// A noun directly after one of these is a detail: "with notes".
const PREPOSITIONS: [&str; 7] = ["about", "for", "from", "in", "on", "to", "with"];

/// After one of these and a noun, a number is a row number and not an amount: "delete tasks 3".
const ORDERS: [&str; 9] = ["change", "complete", "delete", "finish", "remove", "rename", "show", "tick", "update"];

/// The kind that the message is about, if its toolkit is not known. The first noun counts, unless it belongs to
/// something with an amount: "coffee 3, note: with Ana".
pub(super) fn unknown_kind<'r>(
    message: &str,
    known: &[&str],
    registry: &'r Registry,
    reader: Reader,
) -> Option<&'r dyn RecordKind> {
    let is_known = |kind: &dyn RecordKind| registry.toolkit_of_kind(kind.prefix()).is_none_or(|of| known.contains(&of));
    let called = |word: &str| {
        let named = || registry.kinds().filter(|kind| [kind.noun(1), kind.noun(2)].contains(&word));
        named().find(|kind| is_known(*kind)).or_else(|| named().next())
    };
    let words: Vec<(Range<usize>, String)> = words(message).collect();
    let (at, kind) = words.iter().enumerate().find_map(|(at, (_, word))| Some((at, called(word)?)))?;
    let (span, word) = &words[at];
    let noun = Noun { span, is_plural: word == kind.noun(2), is_ordered: ORDERS.contains(&&*words[0].1) };
    let is_detail = at > 0 && PREPOSITIONS.contains(&&*words[at - 1].1);
    let is_unknown = !is_known(kind) && !is_detail && !noun.has_amount(message, reader);
    is_unknown.then_some(kind)
}

struct Noun<'a> {
    span: &'a Range<usize>,
    is_plural: bool,
    /// The message begins with one of [`ORDERS`].
    is_ordered: bool,
}

impl Noun<'_> {
    fn has_amount(&self, message: &str, reader: Reader) -> bool {
        let rest = message[self.span.end..].trim_start();
        // The rest is the text of the row: "task: pay the rent of 500".
        let is_titled = rest.starts_with(':') || rest.starts_with("to ");
        reader.amounts(message).iter().any(|amount| match amount.span.start < self.span.start {
            true => !self.is_count(message, amount),
            false => !is_titled && !self.is_row_number(message, amount),
        })
    }

    /// "3 tasks", "the 3 oldest tasks".
    fn is_count(&self, message: &str, amount: &AmountMention) -> bool {
        let between = message.get(amount.span.end..self.span.start).unwrap_or_default();
        let is_one_phrase = between.chars().all(|mark| mark.is_alphanumeric() || mark.is_whitespace());
        is_whole(amount) && self.is_plural && is_one_phrase
    }

    /// "task 3", "task number 3".
    fn is_row_number(&self, message: &str, amount: &AmountMention) -> bool {
        let between = message.get(self.span.end..amount.span.start).unwrap_or_default();
        let is_beside = words(between).all(|(_, word)| ["and", "id", "no", "number"].contains(&&*word));
        is_whole(amount) && is_beside && (!self.is_plural || self.is_ordered)
    }
}

/// A whole number without a currency. It may be a count or a row number.
fn is_whole(amount: &AmountMention) -> bool {
    amount.currency == CurrencyMention::None
        && matches!(&amount.reading, Reading::Exact(number) if number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Words in lower case, with their byte ranges.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let is_end = |mark: char| !mark.is_alphanumeric();
    let mut start = 0;
    text.split_inclusive(is_end).filter_map(move |part| {
        let (from, word) = (start, part.trim_end_matches(is_end));
        start += part.len();
        (!word.is_empty()).then(|| (from..from + word.len(), word.to_lowercase()))
    })
}
