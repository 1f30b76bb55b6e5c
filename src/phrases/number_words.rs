//! Whole numbers and places in a row in words: "two hundred and fifty", "twenty-first", "fünfundzwanzig",
//! "quatre-vingt-dix", "treinta y cinco", "1er".
//!
//! All words of a number are read, or none of it is: "vingt" of "quatre-vingts" would be another amount.

use super::{
    Language, Reading, days,
    denominations::is_money,
    lexicon::{Class, Sense},
    spelt,
    tokens::Line,
};

/// A whole number in English words, like `two hundred and fifty` or `twenty-five`: where it ends and what it is.
pub(super) fn cardinal(line: &Line<'_>, at: usize) -> Option<(usize, u64)> {
    let is_scaled = line.is(at, Class::IndefiniteArticle) && line.is(at + 1, Class::Scale);
    if is_scaled { scaled(line, at + 1) } else { summed(line, at, Language::English) }
}

/// "hundred and fifty": one hundred, though nobody says so.
pub(super) fn scaled(line: &Line<'_>, at: usize) -> Option<(usize, u64)> {
    let one = Sum { total: 0, rest: 1 }.with(scale(line, at)?, Language::English)?;
    Some(continued(line, at + 1, Language::English, one))
}

/// In words of any language.
pub(super) fn any_cardinal(line: &Line<'_>, at: usize) -> Option<(usize, u64)> {
    cardinal(line, at).or_else(|| foreign_cardinal(line, at).and_then(|(end, count)| Some((end, count?))))
}

/// The longest number that begins there.
fn summed(line: &Line<'_>, at: usize, language: Language) -> Option<(usize, u64)> {
    // The French plural comes after a number; by itself it is a coin.
    let first = value(line, at, language).filter(|_| line.word(at) != "cents")?;
    Some(continued(line, at + 1, language, Sum { total: 0, rest: 0 }.with(first, language)?))
}

fn continued(line: &Line<'_>, at: usize, language: Language, mut sum: Sum) -> (usize, u64) {
    let mut end = at;
    loop {
        let is_linked = language != Language::English || line.is(end - 1, Class::Scale);
        let next = past_link(line, end, is_linked);
        let said = value(line, next, language).or_else(|| scale(line, next).filter(|_| language == Language::English));
        let Some(more) = said.and_then(|value| sum.with(value, language)) else { return (end, sum.total + sum.rest) };
        (sum, end) = (more, next + 1);
    }
}

/// Past a hyphen, or "and" where that may be within a number.
fn past_link(line: &Line<'_>, at: usize, is_linked: bool) -> usize {
    at + usize::from(line.mark(at) == Some('-') || is_linked && line.is(at, Class::And))
}

/// What words of one number come to so far.
#[derive(Clone, Copy)]
struct Sum {
    total: u64,
    rest: u64,
}

impl Sum {
    /// Each part must be smaller than the place before it leaves room for.
    fn with(self, value: u64, language: Language) -> Option<Sum> {
        let Sum { total, rest } = self;
        let low = rest % 100;
        let french = language == Language::French;
        let hundreds = if language == Language::English { 100 } else { 10 };
        let rest = match value {
            1000.. if total.is_multiple_of(value.checked_mul(1000)?) => {
                return Some(Sum { total: total.checked_add(rest.max(1).checked_mul(value)?)?, rest: 0 });
            }
            100 if rest < hundreds && (rest == 0 || language != Language::Spanish) => rest.max(1) * 100,
            // "quatre-vingts"
            20 if low == 4 && french => rest - 4 + 80,
            1..=9 if low.is_multiple_of(10) && low != 10 => rest + value,
            // "soixante-dix", "quatre-vingt-quinze"
            10..=19 if french && matches!(low, 60 | 80) => rest + value,
            10..=99 if low == 0 => rest + value,
            101..=999 if rest == 0 => value,
            _ => return None,
        };
        Some(Sum { total, rest })
    }
}

/// All numbers in a row.
pub(super) fn parts(line: &Line<'_>, at: usize, language: Language) -> Option<(usize, Vec<u64>)> {
    let is_english = language == Language::English;
    let (mut end, first) = if is_english { cardinal(line, at) } else { summed(line, at, language) }?;
    let mut parts = vec![first];
    while let Some((next, part)) = summed(line, past_link(line, end, !is_english), language) {
        parts.push(part);
        end = next;
    }
    Some((end, parts))
}

fn value(line: &Line<'_>, at: usize, language: Language) -> Option<u64> {
    match language {
        Language::German => german(line.word(at)),
        language => in_language(line.senses(at, Class::Number), language),
    }
}

/// An English ordinal below a hundred in words, like `third` or `twenty-first`.
pub(super) fn ordinal_words(line: &Line<'_>, at: usize) -> Option<(usize, u64)> {
    let ordinal = |at| in_language(line.senses(at, Class::Ordinal), Language::English);
    if let Some(value) = ordinal(at) {
        return Some((at + 1, value));
    }
    let tens = value(line, at, Language::English).filter(|tens| *tens >= 20)?;
    let next = line.skip(at + 1, &['-'], &[]);
    let unit = ordinal(next).filter(|unit| *unit < 10)?;
    Some((next + 1, tens + unit))
}

/// The same as a day's number, in any language.
pub(super) fn day_in_words(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let english = ordinal_words(line, at).and_then(|(end, day)| Some((end, i8::try_from(day).ok()?)));
    english.or_else(|| Some((at + 1, foreign_ordinal(line, at)?))).filter(|(_, day)| *day <= 31)
}

/// A year in words that is no amount of money, like `two thousand and twenty` or `nineteen ninety-nine`.
pub(super) fn year(line: &Line<'_>, at: usize) -> Option<(usize, i16)> {
    let (end, value) = cardinal(line, at)?;
    let (end, year) = match cardinal(line, end) {
        Some((last, rest @ 10..=99)) if matches!(value, 19..=21) => (last, value * 100 + rest),
        _ => (end, value),
    };
    Some((end, i16::try_from(year).ok().filter(|year| (1970..=2100).contains(year) && !is_money(line, end))?))
}

pub(super) fn is_number_word(word: &str) -> bool {
    // A "grand hotel" is no number.
    let scales = Class::Scale.senses(word).filter(|_| word != "grand");
    let mut senses = Class::Number.senses(word).chain(Class::Ordinal.senses(word)).chain(scales);
    senses.any(|sense| sense.language == Some(Language::English))
}

fn scale(line: &Line<'_>, at: usize) -> Option<u64> {
    line.senses(at, Class::Scale).next().map(Sense::number)
}

fn in_language(mut senses: impl Iterator<Item = &'static Sense>, language: Language) -> Option<u64> {
    senses.find(|sense| sense.language == Some(language)).map(Sense::number)
}

/// Where number words of other languages end, and what they come to; None for words that make no number together.
pub(super) fn foreign_cardinal(line: &Line<'_>, at: usize) -> Option<(usize, Option<u64>)> {
    let (end, parts) = longest(line, at)?;
    Some((end, if let [one] = parts[..] { Some(one) } else { None }))
}

/// The same as an amount, where words that make no number may be major and minor units: "zwölf fünfzig".
pub(super) fn foreign_amount(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let (end, parts) = longest(line, at)?;
    // Eleven in Spanish, and a word of English.
    let doubtful = line.word(at) == "once" && line.conventions.language != Some(Language::Spanish);
    let linked = (at..end).any(|at| line.mark(at).is_some() || line.is(at, Class::And));
    let is_read = if parts.len() == 1 { !doubtful } else { !linked };
    Some((end, if is_read { spelt::together(&parts) } else { Reading::Ambiguous(Vec::new()) }))
}

fn longest(line: &Line<'_>, at: usize) -> Option<(usize, Vec<u64>)> {
    let languages = [Language::German, Language::French, Language::Spanish].into_iter();
    languages.filter_map(|language| parts(line, at, language)).max_by_key(|(end, _)| *end)
}

/// German writes a number below a million as one word.
pub(super) fn german(word: &str) -> Option<u64> {
    let number = |word| in_language(Class::Number.senses(word), Language::German);
    let listed = number(word);
    // No other is shorter.
    if listed.is_some() || word.len() < "hundert".len() {
        return listed;
    }
    for (name, scale, most) in [("tausend", 1000, 1000), ("hundert", 100, 10)] {
        if let Some((before, after)) = word.split_once(name) {
            let part = |part: &str, empty| if part.is_empty() { Some(empty) } else { german(part) };
            let count = part(before, 1).filter(|count| *count < most)?;
            let rest = part(after.strip_prefix("und").unwrap_or(after), 0).filter(|rest| *rest < scale)?;
            return Some(count * scale + rest);
        }
    }
    let digit = |word| number(word).filter(|digit| *digit < 10);
    if let Some((unit, tens)) = word.split_once("und") {
        return Some(digit(unit)? + number(tens).filter(|tens| *tens >= 20)?);
    }
    // "dreizehn", and not "einzehn"
    Some(digit(word.strip_suffix("zehn")?)? + 10).filter(|_| !word.starts_with("ein"))
}

/// A day's number in digits: where it ends, and whether a dot or an ending says that it is an ordinal.
pub(super) fn numbered(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let (end, day, english) = days::digit_day(line, at)?;
    let marked = line.glued(end) && line.is(end, Class::ForeignOrdinalEnding) || line.glued_mark(end) == Some('.');
    Some((end + usize::from(marked), day, marked || english))
}

/// In one foreign word, as it stands before a month or a weekday.
pub(super) fn foreign_ordinal(line: &Line<'_>, at: usize) -> Option<i8> {
    let listed = line.senses(at, Class::Ordinal).find(|sense| sense.language != Some(Language::English));
    listed.and_then(|sense| i8::try_from(sense.number()).ok()).or_else(|| german_ordinal(line.word(at)))
}

/// "fünften", "dritter"
pub(super) fn german_ordinal(word: &str) -> Option<i8> {
    // Looking for the parts of a word takes long.
    if !word.ends_with(['e', 'n', 'r']) {
        return None;
    }
    let number = |(ending, _): &(&str, &Sense)| {
        let stem = word.strip_suffix(ending)?;
        match stem {
            "er" => Some(1),
            "drit" => Some(3),
            "sieb" => Some(7),
            "ach" => Some(8),
            _ => german(stem).and_then(|day| i8::try_from(day).ok()),
        }
    };
    let mut endings =
        Class::ForeignOrdinalEnding.all().iter().filter(|(_, sense)| sense.language == Some(Language::German));
    endings.find_map(number).filter(|day| (1..=31).contains(day))
}
