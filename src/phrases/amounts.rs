//! Amounts of money in a text, with the currency said beside them.
//!
//! A number that is part of a date, a time, an id, a percentage or a quantity is not one. It knows no default currency
//! and no sense of which amounts are likely.

use super::{
    AmountMention, CurrencyMention, DecimalMark, Language, Reading, composed,
    currencies::{self, Named},
    denominations::{leading, past_scale, scale, trailing},
    doubts::{is_between, is_count, is_doubtful, may_be_hour},
    hours::{self, is_minute},
    lexicon::Class,
    list_marks::unnumbered,
    numerals,
    periods::{self, Found},
    spelt,
    tokens::{Kind, Line},
    vocabulary,
};
use crate::money::MoneyStyle;

mod minor_units;

/// Beside what the text says about time.
pub(super) fn mentions(line: &Line<'_>, times: &[Found]) -> Vec<AmountMention> {
    let mut found: Vec<AmountMention> = Vec::new();
    let mut bare = None;
    let (mut at, mut free) = (0, 0);
    while at < line.tokens.len() {
        let token = &line.tokens[at].span;
        let timed = times.iter().any(|time| time.span.start < token.end && token.start < time.span.end);
        // A sign within it is of the time.
        free = if timed { at + 1 } else { free };
        match if timed { None } else { number(line, at) } {
            Some(number) => match money(line, at, free, number) {
                (end, Some(mention)) => {
                    found.push(mention);
                    (at, free) = (end, end);
                }
                (end, None) => {
                    bare = bare.or_else(|| spelt::price(line, at, end));
                    at = end;
                }
            },
            None => at += 1,
        }
    }
    // Beside another amount it is part of a name: "dinner for four 80".
    if found.is_empty() { bare.into_iter().collect() } else { found }
}

/// A number and where it ends.
struct Number {
    end: usize,
    reading: Reading,
    one_group: Option<char>,
    in_words: bool,
    /// It needs no currency beside it to be sure.
    is_settled: bool,
}

fn number(line: &Line<'_>, at: usize) -> Option<Number> {
    let (end, reading, one_group, in_words) = match numerals::numeral(line, at) {
        Some((end, reading, one_group)) => match composed::dash_price(line, end) {
            Some(end) => (end, numerals::ungrouped(reading), None, false),
            None => (end, reading, one_group, false),
        },
        None => match composed::below_one(line, at) {
            Some((end, value)) => (end, Reading::Exact(value), None, false),
            None => spelt::number(line, at).map(|(end, reading)| (end, reading, None, true))?,
        },
    };
    if let Some((end, value, is_settled)) = composed::extended(line, at, end, &reading) {
        let in_words = in_words && line.digits(end - 1).is_none();
        return Some(Number { end, reading: Reading::Exact(value), one_group, in_words, is_settled });
    }
    // ".50" may be something else.
    Some(Number { end, reading, one_group, in_words, is_settled: line.mark(at).is_none() })
}

/// "10-20 dollars": one of two, and to be asked about.
fn either(line: &Line<'_>, at: usize, free: usize, first: &Number) -> Option<(usize, AmountMention)> {
    let second = composed::second(line, first.end)?;
    let other = number(line, second).filter(|_| !first.in_words && !periods::begins(line, second))?;
    let (start, prefix, _) = leading(line, at, free);
    let sign = line.mark(second - 1).and_then(currencies::sign);
    let places = scale(line, other.end, true);
    let end = past_scale(line, other.end, places);
    let suffix = trailing(line, end, prefix.is_some() || sign.is_some());
    let has_own = sign.is_some() || suffix.is_some();
    let timed = line.mark(first.end) == Some(':');
    let parted = timed || line.mark(first.end) == Some(',');
    let low = if parted { numerals::ungrouped(first.reading.clone()) } else { first.reading.clone() };
    let (Reading::Exact(low), Reading::Exact(high)) = (&low, &other.reading) else { return None };
    let is_major = |named: &Named| named.places == 0 && named.currency != CurrencyMention::Ambiguous(Vec::new());
    let is_major = suffix.as_ref().is_none_or(|(_, named)| is_major(named));
    let is_whole = is_major && !low.contains('.') && (timed || prefix.is_none());
    if !has_own && (prefix.is_none() || !line.glued(second)) || parted && !is_whole {
        return None;
    }
    let end = suffix.as_ref().map_or(end, |(end, _)| *end);
    let options = if parted { vec![format!("{low}.{high}")] } else { vec![low.clone(), high.clone()] };
    let named: Vec<Named> = [prefix, sign, suffix.map(|(_, named)| named)].into_iter().flatten().collect();
    let shift = places + named.iter().map(|named| named.places).min().unwrap_or(0);
    let currency = named.into_iter().map(|named| named.currency).fold(CurrencyMention::None, currencies::combined);
    let reading = shifted(Reading::Ambiguous(options), shift);
    Some((end, AmountMention { span: line.span(start, end), reading, currency: line.conventions.meant(currency) }))
}

/// The mention that the number at `at` is, unless it is no amount of money; and where to go on.
fn money(line: &Line<'_>, at: usize, free: usize, number: Number) -> (usize, Option<AmountMention>) {
    if let Some((end, mention)) = either(line, at, free, &number) {
        return (end, Some(mention));
    }
    if is_minute(line, at) {
        return (number.end, None);
    }
    let (start, prefix, negative) = leading(line, at, free);
    let mut places = scale(line, number.end, prefix.is_some());
    let mut end = past_scale(line, number.end, places);
    let suffix = trailing(line, end, prefix.is_some());
    let mut contradicted = false;
    if let Some((after, named)) = &suffix {
        end = *after;
        // "£3.50p", "9,50p", "2,50 cents": pounds and pence of one number. "64.2 cents" is a price.
        let decimals = match &number.reading {
            Reading::Exact(one) => one.split_once('.').map(|(_, decimals)| decimals.len()),
            Reading::Ambiguous(_) => None,
        };
        let decimals = decimals.is_some_and(|count| count == 2 || line.glued(number.end));
        let twice = named.places < 0 && (prefix.is_some() || decimals);
        contradicted = twice;
        places += if twice { 0 } else { named.places };
        let scaled = scale(line, end, true);
        if places == 0 && scaled > 0 {
            (places, end) = (scaled, end + 1);
        }
    }
    let named = prefix.is_some() || suffix.is_some();
    let label = label(line, end, &number.reading);
    let needs_unit = number.in_words && !spelt::is_note(line, number.end);
    if !named && (needs_unit || is_something_else(line, at, number.end, places, label.is_some())) {
        return (number.end, None);
    }
    if !named
        && places == 0
        && let Some(both) = minor_units::after_number(line, start, number.end, &number.reading)
    {
        return both;
    }
    let prefix_places = prefix.as_ref().map_or(0, |named| named.places);
    let currency = [prefix, suffix.map(|(_, named)| named)]
        .into_iter()
        .flatten()
        .fold(CurrencyMention::None, |currency, named| currencies::combined(currency, named.currency));
    let currency = line.conventions.meant(currency);
    let (past, reading) = match label {
        Some((end, Some(either))) if !named => (Some(end), either),
        label => (label.map(|(end, _)| end), number.reading),
    };
    let reading = match grouped(line, reading, number.one_group, &currency, places) {
        // "Quid fifty"
        Reading::Exact(value) if needs_unit && value.len() == 2 && line.follows(at, Class::OneOfMoney) => {
            Reading::Ambiguous(vec![format!("1.{value}"), value])
        }
        reading => reading,
    };
    let mut reading = signed(shifted(reading, places + prefix_places), negative);
    if named && places == 0 {
        let behind = composed::half_behind(line, end, &reading).or_else(|| composed::around_sign(line, end, &reading));
        (end, reading) = behind.unwrap_or((end, reading));
    }
    let sign_between = is_between(line, number.end, end);
    let doubt = is_doubtful(line, (start, at), number.end, end, named);
    let major_end = end;
    if named && places == 0 && past.is_none() {
        (end, reading) = minor_units::after_major(line, end, reading);
    }
    if doubt || contradicted || !named && !number.is_settled || sign_between && end == major_end {
        reading = doubtful(reading);
    }
    (past.unwrap_or(end), Some(AmountMention { span: line.span(start, end), reading, currency }))
}

/// Past what says which year or week a price was for, "20.00 week 47"; and what was paid, if it may be the number that
/// follows: "350 year 9" may be the price for the ninth year, "2 week 40" the one for two weeks.
fn label(line: &Line<'_>, at: usize, reading: &Reading) -> Option<(usize, Option<Reading>)> {
    let (Some(digits), Reading::Exact(value)) = (line.digits(at + 1), reading) else { return None };
    let (is_one, is_many) = (line.is(at, Class::PricedPeriod), line.is(at, Class::LabelledPeriods));
    let is_price = value.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 2);
    // "one day 15", "2 hours 5": how long it was.
    let counts = !is_price && (is_many || value == "1");
    let is_whole = line.starts(at + 1) && line.ends(at + 2) && trailing(line, at + 2, false).is_none();
    if !(is_one || is_many) || counts || !is_whole || scale(line, at + 2, false) > 0 || periods::begins(line, at) {
        return None;
    }
    let either = Reading::Ambiguous(vec![value.clone(), digits.to_owned()]);
    Some((at + 2, (is_many || !is_price).then_some(either)))
}

/// "1. coffee 3", where a line begins.
fn numbers_a_line(line: &Line<'_>, at: usize) -> bool {
    let marked = line.glued_mark(at + 1).is_some_and(|mark| ".)".contains(mark)) && !line.glued(at + 2);
    let start = line.tokens[at].span.start;
    marked && (at == 0 || line.text[line.tokens[at - 1].span.end..start].contains('\n')) && {
        let own = line.text[start..].lines().next().unwrap_or_default();
        unnumbered(own).len() < own.len()
    }
}

/// A bare number that is part of a time, an id, a quantity, a range or a name.
fn is_something_else(line: &Line<'_>, at: usize, end: usize, places: i32, labelled: bool) -> bool {
    // "Cinema 20 kids 8" may be two prices, "babysitter 40 night" has one.
    if numbers_a_line(line, at) {
        return true;
    }
    let integer = end == at + 1;
    let glued_before = line.glued(at) && at > 0;
    let joined_before = glued_before
        && match line.tokens[at - 1].kind {
            Kind::Word(_) | Kind::Digits(_) | Kind::OddNumber => true,
            Kind::Mark('#' | '/' | '_' | '@' | '*' | '\\') => true,
            Kind::Mark(mark @ ('-' | ':' | '.' | ',')) => {
                line.glued(at - 1)
                    && match line.tokens.get(at.wrapping_sub(2)).map(|token| &token.kind) {
                        Some(Kind::Mark(_)) | None => false,
                        // "lunch:12", "lunch,12": the mark parts the two.
                        Some(Kind::Word(_)) => !matches!(mark, ':' | ','),
                        Some(_) => true,
                    }
            }
            _ => false,
        };
    let next = end + usize::from(places > 0);
    let joined_after = line.glued(next)
        && match line.tokens[next].kind {
            // "15ish"
            Kind::Word(_) => places == 0 && !line.is(next, Class::SticksToNumber),
            // "9.99/month"
            Kind::Mark('/') => line.glued(next + 1) && vocabulary::unit(line, next + 1).is_none(),
            Kind::Mark(mark) => mark == '%' || ":_-@".contains(mark) && line.glued(next + 1),
            _ => false,
        };
    // "3,50 am 3. März": no time is written with a comma, and to Germans "am" is "on the".
    let german = line.conventions.language == Some(Language::German) || line.text[line.span(at, end)].contains(',');
    let is_hour = line.digits(at).is_some_and(|digits| digits.parse::<u8>().is_ok_and(|hour| hour <= 24));
    let timed = line.word(next) == "am" && !german && !periods::begins(line, next) && !may_be_hour(line, at)
        || line.word(next) == "pm" && is_hour
        || line.is(next, Class::LengthOfTime)
        || line.mark(next) == Some('%')
        || line.is(next, Class::LetterOfHalfDay) && line.mark(next + 1) == Some('.') && line.word(next + 2) == "m"
        || integer && line.follows(at, &["at"]) && is_hour && !line.is(next, Class::Each);
    let counts = integer && is_count(line, at, next);
    let others = || (0..line.tokens.len()).any(|other| other != at && line.digits(other).is_some());
    let is_many = line.digits(at).and_then(|digits| digits.parse::<u32>().ok()).is_none_or(|count| count > 12);
    let is_had = line.follows(at, Class::Having);
    let is_price = line.is(next, Class::CountedOrPriced) && (is_many || !others()) && !is_had;
    let counted = counts && !is_price
        || line.is(next, Class::Counted)
            && !is_price
            && !(line.digits(next + 1).is_some() && (line.word(next) == "times" || !integer))
        || vocabulary::unit(line, next).is_some() && !periods::begins(line, next)
        || hours::is_length(line, at, next)
        || line.mark(next) == Some('@') && line.digits(next + 1).is_some();
    // "8.50 no 9", "petrol, no 16"
    let refused =
        line.follows(at, &["no"]) && at > 1 && (line.digits(at - 2).is_some() || line.mark(at - 2) == Some(','));
    // "flight 80"; "flight 80 to Berlin" has a number.
    let ends = line.word(next).is_empty() || line.is(next, Class::And) || periods::begins(line, next);
    let priced = line.follows(at, &["flight"]) && ends;
    // "add expense 20 petrol", "/expense 15 lunch"
    let ordered = line.follows(at, &["expense"])
        && !line.word(next).is_empty()
        && (line.is(at.wrapping_sub(2), Class::Add)
            || line.word(at.wrapping_sub(2)) == "new"
            || line.mark(at.wrapping_sub(2)) == Some('/'));
    let id = integer
        && (line.follows(at, Class::Numbered) && !refused && !priced && !ordered
            || line.mark(at.wrapping_sub(1)) == Some('#') && at > 0);
    joined_before
        || joined_after
        || (timed || counted) && !labelled
        || id
        || integer && (hours::is_hour(line, at) || hours::is_time_taken(line, at))
        || places > 0 && hours::is_distance(line, next)
        || integer && is_of_phone_number(line, at)
}

/// "07700 900123": no price begins so, and what follows it goes on with it.
fn is_of_phone_number(line: &Line<'_>, at: usize) -> bool {
    let first = (0..at).rev().find(|before| line.digits(*before).is_none()).map_or(0, |before| before + 1);
    line.digits(first).is_some_and(|digits| digits.len() > 3 && digits.starts_with('0'))
}

/// What `1,234` is, as far as the currency or the writer's habit tells.
fn grouped(
    line: &Line<'_>,
    reading: Reading,
    one_group: Option<char>,
    currency: &CurrencyMention,
    places: i32,
) -> Reading {
    let (Reading::Ambiguous(options), Some(mark)) = (&reading, one_group) else { return reading };
    let [joined, decimal] = &options[..] else { return reading };
    let few_decimals = match currency {
        CurrencyMention::None => false,
        CurrencyMention::Known(one) => one.exponent() <= 2,
        CurrencyMention::Ambiguous(many) => !many.is_empty() && many.iter().all(|one| one.exponent() <= 2),
    };
    let three_decimals = matches!(currency, CurrencyMention::Known(one) if one.exponent() == 3);
    // A space may also part two numbers: "bus 12 350 yen".
    let parts_so = || !mark.is_whitespace() || line.conventions.style.money == MoneyStyle::SpacedComma;
    let is_own = |own| mark == if own == DecimalMark::Point { '.' } else { ',' };
    let exact = match line.conventions.decimal_mark.map(is_own) {
        // The writer parts thousands with it; "1.234 million" says otherwise.
        Some(false) if places == 0 && !three_decimals && parts_so() => joined,
        Some(true) if places > 0 || three_decimals => decimal,
        None if mark == ',' && few_decimals && places == 0 => joined,
        None if mark == '.' && (places > 0 || three_decimals) => decimal,
        _ => return reading,
    };
    Reading::Exact(exact.clone())
}

fn shifted(reading: Reading, places: i32) -> Reading {
    if places == 0 {
        return reading;
    }
    map(reading, |decimal| crate::money::shifted(decimal, places))
}

fn signed(reading: Reading, negative: bool) -> Reading {
    if negative { map(reading, |decimal| format!("-{decimal}")) } else { reading }
}

fn doubtful(reading: Reading) -> Reading {
    match reading {
        Reading::Exact(one) => Reading::Ambiguous(vec![one]),
        many @ Reading::Ambiguous(_) => many,
    }
}

fn map(reading: Reading, change: impl Fn(&str) -> String) -> Reading {
    match reading {
        Reading::Exact(one) => Reading::Exact(change(&one)),
        Reading::Ambiguous(many) => Reading::Ambiguous(many.iter().map(|one| change(one)).collect()),
    }
}
