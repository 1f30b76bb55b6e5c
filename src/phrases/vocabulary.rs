//! The closed classes of English words that numbers and days are said with.
//!
//! Only what a word can mean, never what it means in its sentence.

use jiff::civil::Weekday;

use super::tokens::{Token, place};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "day" | "days" => Unit::Day,
        "week" | "weeks" | "wk" | "wks" => Unit::Week,
        "month" | "months" => Unit::Month,
        "year" | "years" | "yr" | "yrs" => Unit::Year,
        _ => return None,
    })
}

pub(super) fn month(word: &str) -> Option<i8> {
    const NAMES: [&str; 12] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ];
    // Most words are no month's, and this is asked about each of them many times.
    let short = word.as_bytes().first_chunk::<3>()?;
    let found = NAMES.iter().position(|name| name.as_bytes().first_chunk::<3>() == Some(short))?;
    let is_meant = word.len() == 3 || word == NAMES[found] || word == "sept";
    i8::try_from(found + 1).ok().filter(|_| is_meant)
}

/// A month's name that is nothing else: "may" and "march" are also verbs, and short forms need a clue beside them.
pub(super) fn is_plain_month(word: &str) -> bool {
    month(word).is_some() && word.len() > 4 && word != "march" || matches!(word, "june" | "july")
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word.strip_suffix("'s").unwrap_or(word) {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tue" | "tues" => Weekday::Tuesday,
        "wednesday" | "wed" | "weds" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" | "sat" => Weekday::Saturday,
        "sunday" | "sun" => Weekday::Sunday,
        _ => return None,
    })
}

pub(super) fn is_full_weekday(word: &str) -> bool {
    weekday(word).is_some() && word.trim_end_matches("'s").ends_with("day")
}

/// A whole number in words, like `two hundred and fifty` or `twenty-five`: where it ends and what it is.
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

/// An ordinal below a hundred in words, like `third` or `twenty-first`.
pub(super) fn ordinal_words(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let word = tokens.get(start)?.word()?;
    if let Some(value) = ordinal(word) {
        return Some((start + 1, value));
    }
    let tens = tens(word)?;
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
    ones(word).is_some() || tens(word).is_some() || ordinal(word).is_some() || matches!(word, "hundred" | "thousand")
}

fn below_hundred(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let word = tokens.get(start)?.word()?;
    if let Some(value) = ones(word) {
        return Some((start + 1, value));
    }
    let tens = tens(word)?;
    let next = start + 1 + usize::from(tokens.get(start + 1).and_then(Token::mark) == Some('-'));
    match tokens.get(next).and_then(Token::word).and_then(ones).filter(|one| *one < 10) {
        Some(one) => Some((next + 1, tens + one)),
        None => Some((start + 1, tens)),
    }
}

/// "a hundred", "a million".
fn article(tokens: &[Token<'_>], start: usize) -> Option<(usize, u64)> {
    let article = matches!(tokens.get(start)?.word()?, "a" | "an");
    let scaled = tokens.get(start + 1)?.word().is_some_and(|word| scale(word).is_some());
    (article && scaled).then_some((start + 1, 1))
}

fn scale(word: &str) -> Option<u64> {
    Some(match word {
        "hundred" => 100,
        "thousand" | "grand" => 1_000,
        "million" => 1_000_000,
        "billion" => 1_000_000_000,
        _ => return None,
    })
}

fn ones(word: &str) -> Option<u64> {
    const WORDS: [&str; 19] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ];
    place(&WORDS, word).map(|index| index as u64 + 1)
}

fn tens(word: &str) -> Option<u64> {
    if !word.ends_with('y') {
        return None;
    }
    const WORDS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    place(&WORDS, word).map(|index| index as u64 * 10 + 20)
}

fn ordinal(word: &str) -> Option<u64> {
    if !word.ends_with(['t', 'd', 'h']) {
        return None;
    }
    const WORDS: [&str; 20] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
        "twentieth",
    ];
    let found = place(&WORDS, word).map(|index| index as u64 + 1);
    found.or((word == "thirtieth").then_some(30))
}
