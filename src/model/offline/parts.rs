//! The parts of an expense: how much of it is for what.

use serde_json::{Value, json};

use super::{draft::Said, options::Asking, wording};
use crate::{
    phrases::{AmountMention, Class, Reader, Reading},
    sorted::Sort,
};

/// Decimals of the currency that has the most.
const PLACES: usize = 4;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub share: Share,
    pub category: String,
    /// Where it begins.
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Share {
    Amount(String),
    Rest,
    /// One of two.
    Half,
    /// Only what it is for.
    Unsaid,
}

/// "£5.00 of £50.00 is left: which category is it?", answered: a part more, or one that has the rest.
pub(super) fn with_rest(lines: &[Value], asking: &Asking, answer: &str) -> Option<Vec<Value>> {
    let name = category(answer).filter(|_| asking.is_for(CATEGORY))?;
    let mut lines = lines.to_vec();
    let same = |line: &&mut Value| line["category"].as_str().is_some_and(|own| own.eq_ignore_ascii_case(&name));
    match lines.iter_mut().find(same) {
        Some(line) => *line = json!({ "category": name }),
        None => lines.push(json!({ "category": name })),
    }
    Some(lines)
}

/// Whether it asks about parts.
pub(super) fn asks(asking: &Asking) -> bool {
    [CATEGORY, LINES, ALL].iter().any(|missing| asking.is_for(missing))
}

/// What the questions about parts are for: the category of what is left, all parts, or whether there is only one.
const CATEGORY: &str = "category";

const LINES: &str = "lines";

pub(super) const ALL: &str = "all";

/// One of the parts, where all were asked for.
pub(super) fn is_one_part(asking: &Asking, answer: &str, reader: Reader) -> bool {
    let parts = parts(answer, reader).filter(|_| asking.is_for(LINES));
    let known = || asking.rows.iter().flat_map(|row| &row.parts);
    let is_part = |part: &Part| known().any(|(category, _)| category.eq_ignore_ascii_case(&part.category));
    parts.is_some_and(|parts| matches!(&parts[..], [part] if is_part(part)))
}

/// How much is each part now? All of them, said anew.
pub(super) fn parted(asking: &Asking, answer: &str, reader: Reader) -> Option<Vec<Value>> {
    let parts = parts(answer, reader)
        .filter(|parts| asking.is_for(LINES) && parts.len() > 1 && of(parts, Share::Unsaid) == 0)?;
    Some(arguments(&parts))
}

/// None if one of them says anything else.
pub(super) fn parts(tail: &str, reader: Reader) -> Option<Vec<Part>> {
    let amounts = reader.amounts(tail);
    let taken = |at: usize| amounts.iter().any(|found| found.span.contains(&at));
    let marks =
        tail.char_indices().filter(|(_, mark)| ",;&+".contains(*mark)).map(|(at, mark)| (at, at + mark.len_utf8()));
    let words = wording::words(tail).into_iter().filter_map(|(span, word)| match &*word {
        word if Class::JoinsPart.contains(word) => Some((span.start, span.end)),
        // "half food half household"
        "half" => Some((span.start, span.start)),
        _ => None,
    });
    let mut cuts: Vec<(usize, usize)> = marks.chain(words).filter(|(at, _)| !taken(*at)).collect();
    cuts.push((tail.len(), tail.len()));
    cuts.put_in_order(Ord::cmp);
    let mut from = 0;
    let mut parts = Vec::new();
    for (end, next) in cuts {
        let at = from.min(end);
        let piece = &tail[at..end];
        from = next;
        if !piece.trim().is_empty() {
            parts.push(Part { at, ..part(piece, reader)? });
        }
    }
    (!parts.is_empty()).then_some(parts)
}

fn part(piece: &str, reader: Reader) -> Option<Part> {
    match reader.amounts(piece).as_slice() {
        [] => {
            let words = wording::words(piece);
            let says = |names: Class| words.iter().any(|(_, word)| names.contains(word));
            let share = match (says(Class::RestOfSplit), says(Class::Half)) {
                (true, _) => Share::Rest,
                (_, true) => Share::Half,
                _ => Share::Unsaid,
            };
            let around = [Class::SplittingAround, Class::RestOfSplit, Class::BesideRest];
            Some(Part { share, category: category(wording::trimmed(piece, &around, &around))?, at: 0 })
        }
        [AmountMention { span, reading: Reading::Exact(amount), .. }] => {
            let rest = wording::without(piece, [span.clone()], &[Class::BeforePart]);
            let category = category(wording::trimmed(&rest, &[Class::SplittingAround], &[Class::SplittingAround]))?;
            Some(Part { share: Share::Amount(amount.clone()), category, at: 0 })
        }
        _ => None,
    }
}

/// A name of a few plain words.
pub(super) fn category(name: &str) -> Option<String> {
    let name = wording::trimmed(name, &[Class::BeforePartCategory], &[Class::BehindPartCategory]);
    let words = wording::words(name);
    // Shared with people, not over categories.
    if words.iter().any(|(_, word)| Class::SharedAmong.contains(word)) {
        return None;
    }
    let is_plain = name.chars().all(|letter| letter.is_alphabetic() || " '-".contains(letter));
    ((1..=3).contains(&words.len()) && is_plain && !wording::is_filler(name)).then(|| name.to_owned())
}

pub(super) fn of(parts: &[Part], share: Share) -> usize {
    parts.iter().filter(|part| part.share == share).count()
}

pub(super) fn arguments(parts: &[Part]) -> Vec<Value> {
    let argument = |part: &Part| match &part.share {
        Share::Amount(amount) => json!({ "amount": amount, "category": part.category }),
        Share::Rest | Share::Half | Share::Unsaid => json!({ "category": part.category }),
    };
    parts.iter().map(argument).collect()
}

/// What the parts leave of the whole; None if one of them is not said.
pub(super) fn leaves(parts: &[Part], whole: &Said) -> Option<i64> {
    let Said::Exactly(whole) = whole else { return None };
    scaled(whole)?.checked_sub(scaled_sum(parts)?)
}

/// As a decimal, exactly; None if one of them is not said, or too precise for any currency.
pub(super) fn sum(parts: &[Part]) -> Option<String> {
    let sum = scaled_sum(parts)?;
    let scale = 10_i64.pow(u32::try_from(PLACES).ok()?);
    let fraction = format!("{:0PLACES$}", sum % scale);
    let fraction = fraction.trim_end_matches('0');
    // "4.50", as people write it.
    let decimal = if fraction.is_empty() { String::new() } else { format!(".{fraction:0<2}") };
    Some(format!("{}{decimal}", sum / scale))
}

fn scaled_sum(parts: &[Part]) -> Option<i64> {
    let amount = |part: &Part| match &part.share {
        Share::Amount(amount) => scaled(amount),
        Share::Rest | Share::Half | Share::Unsaid => None,
    };
    parts.iter().map(amount).try_fold(0_i64, |sum, part| sum.checked_add(part?))
}

/// In the smallest units that any currency has.
pub(super) fn scaled(amount: &str) -> Option<i64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    (fraction.len() <= PLACES).then(|| format!("{whole}{fraction:0<PLACES$}").parse().ok()).flatten()
}
