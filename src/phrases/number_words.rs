//! Whole numbers and places in a row in words: "two hundred and fifty", "twenty-first", "fünfundzwanzig",
//! "quatre-vingt-dix", "treinta y cinco", "1er".
//!
//! All words of a number are read, or none of it is: "vingt" of "quatre-vingts" would be another amount.

use super::{
    Language, Reading, days,
    lexicon::Class,
    spelt,
    tokens::{Line, Token},
};

/// A whole number in English words, like `two hundred and fifty` or `twenty-five`: where it ends and what it is.
pub(super) fn cardinal(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    below_hundred(tokens, start).or_else(|| article(tokens, start)).map(|group| summed(tokens, group))
}

/// "hundred and fifty": one hundred, though nobody says so.
pub(super) fn scaled(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    scale(tokens.get(start)?.word()?).map(|_| summed(tokens, (start, 1)))
}

/// From a number below a hundred on.
fn summed(tokens: &[Token<'_>], mut group: (usize, u64)) -> (usize, u64) {
    let mut total = 0_u64;
    while let Some(word) = tokens.get(group.0).and_then(Token::word) {
        match scale(word) {
            Some(100) if group.1 < 100 => {
                group = (group.0 + 1, group.1 * 100);
                let next = group.0 + usize::from(tokens.get(group.0).and_then(Token::word) == Some("and"));
                if let Some((end, rest)) = below_hundred(tokens, next) {
                    group = (end, group.1 + rest);
                }
            }
            Some(scale) if scale > 100 && total.is_multiple_of(scale * 1000) => {
                total += group.1 * scale;
                let and = usize::from(tokens.get(group.0 + 1).and_then(Token::word) == Some("and"));
                let Some(next) = below_hundred(tokens, group.0 + 1 + and) else { return (group.0 + 1, total) };
                group = next;
            }
            _ => break,
        }
    }
    (group.0, total + group.1)
}

/// An English ordinal below a hundred in words, like `third` or `twenty-first`.
pub(super) fn ordinal_words(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let word = tokens.get(start)?.word()?;
    if let Some(value) = ordinal(word) {
        return Some((start + 1, value));
    }
    let tens = number(word, Language::English).filter(|tens| *tens >= 20)?;
    let next = start + 1 + usize::from(tokens.get(start + 1)?.mark() == Some('-'));
    let unit = ordinal(tokens.get(next)?.word()?).filter(|unit| *unit < 10)?;
    Some((next + 1, tens + unit))
}

/// A year in words, like `two thousand and twenty` or `nineteen ninety-nine`; whether it is a likely one is not known here.
pub(super) fn year(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let (end, value) = cardinal(tokens, start)?;
    match below_hundred(tokens, end) {
        Some((last, rest)) if matches!(value, 19..=21) && rest >= 10 => Some((last, value * 100 + rest)),
        _ => Some((end, value)),
    }
}

pub(super) fn is_number_word(word: &str) -> bool {
    number(word, Language::English).or_else(|| ordinal(word)).is_some() || matches!(word, "hundred" | "thousand")
}

fn below_hundred(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let english = |word: &str| number(word, Language::English);
    let value = english(tokens.get(start)?.word()?)?;
    if value < 20 {
        return Some((start + 1, value));
    }
    let next = start + 1 + usize::from(tokens.get(start + 1).and_then(Token::mark) == Some('-'));
    match tokens.get(next).and_then(Token::word).and_then(english).filter(|one| *one < 10) {
        Some(one) => Some((next + 1, value + one)),
        None => Some((start + 1, value)),
    }
}

/// "a hundred", "a million".
fn article(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let article = matches!(tokens.get(start)?.word()?, "a" | "an");
    let scaled = tokens.get(start + 1)?.word().is_some_and(|word| scale(word).is_some());
    (article && scaled).then_some((start + 1, 1))
}

fn scale(word: &str) -> Option<u64> {
    Class::Scale.sense(word).map(|sense| sense.number)
}

fn ordinal(word: &str) -> Option<u64> {
    Class::Ordinal.senses(word).find(|sense| sense.language == Some(Language::English)).map(|sense| sense.number)
}

fn number(word: &str, language: Language) -> Option<u64> {
    Class::Number.senses(word).find(|sense| sense.language == Some(language)).map(|sense| sense.number)
}

/// Where number words of other languages end, and what they come to; None for words that make no number together.
pub(super) fn foreign_cardinal(line: &Line<'_>, at: usize) -> Option<(usize, Option<u64>)> {
    let (end, parts, language) = longest(line, at)?;
    Some((end, sum(&parts, language)))
}

/// The same as an amount, where words that make no number may be major and minor units: "zwölf fünfzig".
pub(super) fn foreign_amount(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let (end, parts, language) = longest(line, at)?;
    // Eleven in Spanish, and a word of English.
    let doubtful = line.word(at) == "once" && line.conventions.language != Some(Language::Spanish);
    let linked = (at..end).any(|at| line.mark(at).is_some() || line.is(at, LINKS));
    let reading = match sum(&parts, language) {
        Some(value) if !doubtful => spelt::together(&[value]),
        None if !linked => spelt::together(&parts),
        _ => Reading::Ambiguous(Vec::new()),
    };
    Some((end, reading))
}

const LINKS: &[&str] = &["et", "y", "und"];

fn longest(line: &Line<'_>, at: usize) -> Option<(usize, Vec<u64>, Language)> {
    let languages = [Language::German, Language::French, Language::Spanish].into_iter();
    let runs = languages.filter_map(|language| run(line, at, language).map(|(end, parts)| (end, parts, language)));
    runs.max_by_key(|(end, ..)| *end)
}

/// The longest row of such words, with "et", "y", "und" and hyphens between them.
fn run(line: &Line<'_>, at: usize, language: Language) -> Option<(usize, Vec<u64>)> {
    let word = |word: &str| if language == Language::German { german(word) } else { number(word, language) };
    // The French plural comes after a number; by itself it is a coin.
    if line.word(at) == "cents" {
        return None;
    }
    let first = word(line.word(at))?;
    let mut values = vec![first];
    let mut end = at + 1;
    loop {
        let next = match line.mark(end) {
            Some('-') => end + 1,
            _ => line.skip(end, &[], LINKS),
        };
        let Some(value) = word(line.word(next)) else { return Some((end, values)) };
        values.push(value);
        end = next + 1;
    }
}

/// Each part must be smaller than the place before it leaves room for.
fn sum(values: &[u64], language: Language) -> Option<u64> {
    let french = language == Language::French;
    let (mut thousands, mut rest) = (0_u64, 0_u64);
    for &value in values {
        let low = rest % 100;
        rest = match value {
            1000 if thousands == 0 => {
                thousands = rest.max(1) * 1000;
                0
            }
            100 if rest < 10 && (rest == 0 || language != Language::Spanish) => rest.max(1) * 100,
            // "quatre-vingts"
            20 if low == 4 && french => rest - 4 + 80,
            1..=9 if low.is_multiple_of(10) && low != 10 => rest + value,
            // "soixante-dix", "quatre-vingt-quinze"
            10..=19 if french && matches!(low, 60 | 80) => rest + value,
            10..=99 if low == 0 => rest + value,
            101..=999 if rest == 0 => value,
            _ => return None,
        };
    }
    Some(thousands + rest)
}

/// German writes a number below a million as one word.
pub(super) fn german(word: &str) -> Option<u64> {
    // Looking for the parts of a word takes long.
    if !may_be_german(word) {
        return None;
    }
    let part = |part: &str, empty: u64| if part.is_empty() { Some(empty) } else { german_below_thousand(part) };
    match word.split_once("tausend") {
        Some((before, after)) => Some(part(before, 1)? * 1000 + part(after.strip_prefix("und").unwrap_or(after), 0)?),
        None => german_below_thousand(word),
    }
}

/// Most words begin like no number.
fn may_be_german(word: &str) -> bool {
    const BEGINNINGS: [&[u8; 2]; 14] =
        [b"ei", b"zw", b"dr", b"vi", b"f\xc3", b"fu", b"se", b"si", b"ac", b"ne", b"ze", b"el", b"hu", b"ta"];
    word.as_bytes().first_chunk().is_some_and(|first| BEGINNINGS.contains(&first))
}

fn german_below_thousand(word: &str) -> Option<u64> {
    match word.split_once("hundert") {
        Some((before, after)) => {
            let hundreds = if before.is_empty() { 1 } else { german_digit(before)? };
            let after = after.strip_prefix("und").unwrap_or(after);
            Some(hundreds * 100 + if after.is_empty() { 0 } else { german_below_hundred(after)? })
        }
        None => german_below_hundred(word),
    }
}

fn german_below_hundred(word: &str) -> Option<u64> {
    if let Some(value) = number(word, Language::German) {
        return Some(value);
    }
    if let Some((unit, tens)) = word.split_once("und") {
        return Some(german_digit(unit)? + number(tens, Language::German).filter(|tens| *tens >= 20)?);
    }
    // "dreizehn", and not "einzehn"
    Some(german_digit(word.strip_suffix("zehn")?)? + 10).filter(|_| !word.starts_with("ein"))
}

fn german_digit(word: &str) -> Option<u64> {
    number(word, Language::German).filter(|digit| *digit < 10)
}

/// Behind a number in digits.
pub(super) const FOREIGN_ENDINGS: &[&str] = &["er", "e", "ère", "te", "ten", "ter", "tes", "ste", "sten", "ster", "º"];

/// A day's number in digits: where it ends, and whether a dot or an ending says that it is an ordinal.
pub(super) fn numbered(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let (end, day, english) = days::digit_day(line, at)?;
    let marked = line.glued(end) && line.is(end, FOREIGN_ENDINGS) || line.glued_mark(end) == Some('.');
    Some((end + usize::from(marked), day, marked || english))
}

/// In one foreign word, as it stands before a month or a weekday.
pub(super) fn foreign_ordinal(word: &str) -> Option<i8> {
    let listed = Class::Ordinal.senses(word).find(|sense| sense.language != Some(Language::English));
    listed.and_then(|sense| i8::try_from(sense.number).ok()).or_else(|| german_ordinal(word))
}

/// "fünften", "dritter"
pub(super) fn german_ordinal(word: &str) -> Option<i8> {
    // Looking for the parts of a word takes long.
    if !word.ends_with(['e', 'n', 'r']) || !(word.starts_with("er") || may_be_german(word)) {
        return None;
    }
    let number = |ending: &&str| {
        let stem = word.strip_suffix(*ending)?;
        match stem {
            "er" => Some(1),
            "drit" => Some(3),
            "sieb" => Some(7),
            "ach" => Some(8),
            _ => german(stem).and_then(|day| i8::try_from(day).ok()),
        }
    };
    ["sten", "ster", "ste", "ten", "ter", "te"].iter().find_map(number).filter(|day| (1..=31).contains(day))
}
