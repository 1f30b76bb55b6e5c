//! Numbers that are said in parts: "50,- €", "10 point 5", "a hundred and 5", "3 and a half", "10-20 dollars".

use super::{
    Language, Reading, currencies,
    day_words::closes,
    denominations::{scale, trailing},
    hours::is_minute,
    lexicon::Class,
    number_words, periods,
    tokens::Line,
};

/// "50,-", "450/-": past the marks that stand for no cents.
pub(super) fn dash_price(line: &Line<'_>, at: usize) -> Option<usize> {
    let is_dash = |at: usize| line.glued_mark(at).is_some_and(|mark| "-–—".contains(mark));
    let pointed = line.glued_mark(at).is_some_and(|mark| ".,/".contains(mark)) && is_dash(at + 1);
    let end = if is_dash(at + 2) { at + 3 } else { at + 2 };
    (pointed && !(line.glued(end) && line.digits(end).is_some())).then_some(end)
}

/// Past what a number that ends at `end` goes on with, its value with that, and whether it is sure without a currency
/// beside it.
pub(super) fn extended(line: &Line<'_>, at: usize, end: usize, reading: &Reading) -> Option<(usize, String, bool)> {
    let Reading::Exact(value) = reading else { return None };
    if let Some((end, value)) = decimals(line, end, value) {
        return Some((end, value, true));
    }
    let fraction = with_half(line, end, value).or_else(|| with_fraction(line, end, value));
    let (end, value) = fraction.or_else(|| below_scale(line, at, end, value))?;
    Some((end, value, false))
}

/// "10 point 5", "drei Komma fünf", "three point two five".
fn decimals(line: &Line<'_>, end: usize, value: &str) -> Option<(usize, String)> {
    if value.contains('.') || !line.is(end, Class::Point) {
        return None;
    }
    if let Some(digits) = line.digits(end + 1).filter(|_| line.ends(end + 2)) {
        return Some((end + 2, format!("{value}.{digits}")));
    }
    let (mut at, mut decimals) = (end + 1, String::new());
    while let Some((after, digits)) = digit_in_words(line, at) {
        decimals += &digits;
        at = after;
    }
    (at > end + 1).then(|| (at, format!("{value}.{decimals}")))
}

fn digit_in_words(line: &Line<'_>, at: usize) -> Option<(usize, String)> {
    if line.is(at, Class::Zero) {
        return Some((at + 1, "0".to_owned()));
    }
    let (end, value) = number_words::any_cardinal(line, at)?;
    (value < 100).then(|| (end, value.to_string()))
}

/// "3 and a half", "trois et demi".
fn with_half(line: &Line<'_>, end: usize, value: &str) -> Option<(usize, String)> {
    if value.contains('.') {
        return None;
    }
    let (at, part) = match line.word(end) {
        "and" => {
            let part = line.skip(end + 1, &[], Class::BeforeFraction);
            (
                part,
                match line.word(part) {
                    "half" => "5",
                    "quarter" if part > end + 1 => "25",
                    _ => return None,
                },
            )
        }
        _ if line.is(end, Class::And) && line.is(end + 1, Class::HalfBehind) => (end + 1, "5"),
        _ => return None,
    };
    Some((at + 1, format!("{value}.{part}")))
}

/// "3 1/2 euros", where a currency says that it is no day.
fn with_fraction(line: &Line<'_>, end: usize, value: &str) -> Option<(usize, String)> {
    let part = match (line.digits(end)?, line.glued_mark(end + 1)?, line.digits(end + 2)?) {
        ("1", '/', "2") => "5",
        ("1", '/', "4") => "25",
        ("3", '/', "4") => "75",
        _ => return None,
    };
    let is_whole = !value.contains('.') && !line.glued(end) && line.glued(end + 2);
    (is_whole && trailing(line, end + 3, false).is_some()).then(|| (end + 3, format!("{value}.{part}")))
}

/// A fraction behind a whole number is no day.
pub(super) fn is_fraction(line: &Line<'_>, at: usize) -> bool {
    at > 0 && line.digits(at - 1).is_some_and(|whole| with_fraction(line, at, whole).is_some())
}

/// "a hundred and 5", "2 thousand 500", "1 lakh 20 thousand": what is said in words has room for the digits behind it.
fn below_scale(line: &Line<'_>, at: usize, end: usize, value: &str) -> Option<(usize, String)> {
    let mut total: u64 = value.parse().ok()?;
    let said = scale(line, end, true);
    let (mut end, mut places) = match line.digits(at) {
        Some(_) if !line.glued(end) && said >= 2 => {
            total = total.checked_mul(10_u64.checked_pow(said.unsigned_abs())?)?;
            (end + 1, said)
        }
        Some(_) => return None,
        None => (end, last_scale(line, at, end)?),
    };
    let is_minor = |at: usize| trailing(line, at, false).is_some_and(|(_, named)| named.places < 0);
    let first = end;
    loop {
        let next = line.skip(end, &[], Class::And);
        let Some(part) = line.digits(next).filter(|_| !line.glued(next)) else { break };
        // "a hundred and 5.50"
        let decimals = line.digits(next + 2).filter(|decimals| {
            let pointed = line.glued_mark(next + 1).is_some_and(|mark| ".,".contains(mark)) && line.glued(next + 2);
            pointed && decimals.len() == 2 && line.ends(next + 3)
        });
        if let Some(decimals) = decimals.filter(|_| part.len() <= usize::try_from(places).unwrap_or(0)) {
            return Some((next + 3, format!("{}.{decimals}", total.checked_add(part.parse::<u64>().ok()?)?)));
        }
        if !line.ends(next + 1) {
            break;
        }
        let more = scale(line, next + 1, false);
        let room = usize::try_from(places - more).unwrap_or(0);
        if part.len() > room || periods::begins(line, next) || is_minor(next + 1) {
            break;
        }
        total = total.checked_add(part.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(more.unsigned_abs())?)?)?;
        (end, places) = (next + 1 + usize::from(more > 0), more);
        if more == 0 {
            break;
        }
    }
    (end > first).then(|| (end, total.to_string()))
}

/// How many noughts the last word of a number stands for: "two hundred", "zweihundert", "deux cent".
fn last_scale(line: &Line<'_>, at: usize, end: usize) -> Option<i32> {
    let word = line.word(end - 1);
    // A cent is a coin as well.
    let is_french = end > at + 1 || line.conventions.language == Some(Language::French);
    let places = match word {
        _ if Class::ForeignHundred.senses(word).any(|sense| is_french || sense.language != Some(Language::French)) => 2,
        _ if Class::ForeignHundred.contains(word) => 0,
        _ if Class::ThousandAsNumber.contains(word) => 3,
        _ if word.ends_with("hundert") || word.ends_with("cientos") || word.ends_with("cientas") => 2,
        _ if word.ends_with("tausend") => 3,
        _ => scale(line, end - 1, false),
    };
    (places >= 2).then_some(places)
}

/// "10-20 dollars", "£10-£20", "118, 99 TL", "£3:50": where a second number begins, of which nobody knows whether it is another end
/// or the decimals.
pub(super) fn second(line: &Line<'_>, end: usize) -> Option<usize> {
    let dash = line.mark(end).is_some_and(|mark| "-–—".contains(mark)) && line.glued(end) == line.glued(end + 1);
    let sign = dash && line.mark(end + 1).is_some_and(currencies::is_sign);
    let second = end + 1 + usize::from(sign);
    let digits = line.digits(second)?;
    let parted = match line.glued_mark(end) {
        Some(',') => !line.glued(second) && digits.len() == 2,
        Some(':') => is_minute(line, second) && digits.len() == 2,
        _ => false,
    };
    (dash && (!sign || line.glued(second)) || parted).then_some(second)
}

/// "trois euros et demi": but "3 euros and a half pint".
pub(super) fn half_behind(line: &Line<'_>, end: usize, reading: &Reading) -> Option<(usize, Reading)> {
    let Reading::Exact(value) = reading else { return None };
    let (after, value) = with_half(line, end, value)?;
    (closes(line, after) || periods::begins(line, after)).then_some((after, Reading::Exact(value)))
}

/// "dreieinhalb", "anderthalb".
pub(super) fn german_half(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let value = match line.word(at).strip_suffix("halb")? {
        "andert" => 1,
        word => number_words::german(word.strip_suffix("ein")?)?,
    };
    Some((at + 1, Reading::Exact(format!("{value}.5"))))
}

/// "2€50"
pub(super) fn around_sign(line: &Line<'_>, end: usize, reading: &Reading) -> Option<(usize, Reading)> {
    let Reading::Exact(whole) = reading else { return None };
    let minor = line.digits(end).filter(|minor| minor.len() == 2 && line.glued(end) && line.ends(end + 1))?;
    let sign = line.glued_mark(end - 1).filter(|mark| currencies::is_sign(*mark) && !whole.contains('.'))?;
    let value = format!("{whole}.{minor}");
    Some((end + 1, if sign == '€' { Reading::Exact(value) } else { Reading::Ambiguous(vec![value]) }))
}

/// "£.50"
pub(super) fn below_one(line: &Line<'_>, at: usize) -> Option<(usize, String)> {
    let starts = at == 0 || !line.glued(at) || line.mark(at - 1).is_some_and(currencies::is_sign);
    let digits = line.digits(at + 1).filter(|_| line.mark(at) == Some('.') && line.glued(at + 1) && starts)?;
    line.ends(at + 2).then(|| (at + 2, format!("0.{digits}")))
}
