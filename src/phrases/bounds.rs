//! Amounts that bound others: "over £50", "20 or more". "Over" leaves the amount itself out, "at least" does not.

use std::ops::Range;

use super::lexicon::{Class, Sense};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    AtLeast,
    AtMost,
    MoreThan,
    LessThan,
}

/// What the amount there bounds, and where that is said with it. The text is in small letters.
pub fn bound(lower: &str, amount: &Range<usize>) -> Option<(Bound, Range<usize>)> {
    let (before, after) = (lower[..amount.start].trim_end(), lower[amount.end..].trim_start());
    let leads = |phrase: &str| before.strip_suffix(phrase).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    // "no more than" is longer than "more than".
    let said = Class::BoundBefore.all().iter().filter(|(phrase, _)| leads(phrase));
    if let Some((phrase, sense)) = said.max_by_key(|(phrase, _)| phrase.len()) {
        return Some((named(sense), before.len() - phrase.len()..amount.end));
    }
    let (phrase, sense) = Class::BoundBehind.all().iter().find(|(phrase, _)| after.starts_with(phrase))?;
    Some((named(sense), amount.start..lower.len() - after.len() + phrase.len()))
}

fn named(sense: &Sense) -> Bound {
    match sense.says {
        "at least" => Bound::AtLeast,
        "at most" => Bound::AtMost,
        "more than" => Bound::MoreThan,
        _ => Bound::LessThan,
    }
}
