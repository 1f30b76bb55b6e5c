//! Plain spans of days in German, French and Spanish: "letzte Woche", "le mois dernier", "del 1 al 5 de noviembre".
//!
//! As with single days, only what can be nothing else is read. What may be the last days or the last whole month
//! ("la última semana") is unclear.

use jiff::{ToSpan, civil::Date};

use super::{
    DateRange,
    calendar::{self, Period},
    days, foreign_names,
    tokens::Line,
    vocabulary::{self, Unit},
};

pub(super) fn period(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let start = line.skip(at, &[], ARTICLES);
    looking_back(line, start, today).or_else(|| relative(line, start, today)).or_else(|| month(line, at, today))
}

/// "vom 1. bis 5. November", "du 1er au 5 novembre", "del 1 al 5".
pub(super) fn numbered_days(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let start = line.is(at, &["vom", "von", "du", "del"]).then_some(at + 1)?;
    let (end, from) = nth(line, start)?;
    let next = line.is(end, CONNECTIVES).then_some(line.skip(end + 1, &[], &["zum"]))?;
    let (end, to) = nth(line, next)?;
    let named = line.skip(end, &[], &["de"]);
    let Some(month) = month_named(line.word(named)) else {
        // "von 5 bis 10" may be prices. Reaching past today they may as well be another month's.
        let first = today.first_of_month();
        let past = to <= today.day();
        let range = calendar::numbered(first.year(), first.month(), (from, to)).filter(|_| past);
        return (line.word(at) != "von").then_some(Period { end, range, yearless: None });
    };
    let after = line.skip(named + 1, &[], &["de", "del"]);
    let end = if days::year(line, after).is_some() { after } else { named + 1 };
    calendar::in_month(line, end, month, (from, to), today)
}

/// Between the two ends of a range.
pub(super) const CONNECTIVES: &[&str] = &["bis", "au", "al", "hasta", "à"];
/// What begins with the day it leads to, and ends today.
pub(super) const SINCE: &[&str] = &["seit", "depuis", "desde"];
/// What makes of the day behind it one end of something.
pub(super) const BOUNDS: &[&str] = &["bis", "ab", "jusqu'au", "hasta"];

const ARTICLES: &[&str] = &["le", "la", "el", "les", "los", "las", "die", "den", "der", "das", "in", "im", "am"];
const LAST: &[&str] = &[
    "letzte", "letzten", "letzter", "letztes", "letztem", "vergangene", "vergangenen", "vergangener", "vergangenes",
    "vorige", "voriger", "vorigen", "voriges",
];
const THIS: &[&str] = &["diese", "diesen", "dieser", "dieses", "diesem", "cette", "ce", "este", "esta"];
const LAST_BEHIND: &[&str] = &["dernier", "dernière", "passé", "passée", "pasado", "pasada"];
/// Before the noun they may mean the last days, or the last whole one.
const EITHER: &[&str] = &["dernier", "dernière", "última", "último", "pasado", "pasada"];

/// "die letzten 7 Tage", "les 3 derniers mois", "los últimos 30 días": ending today.
fn looking_back(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let count = |at: usize| line.digits(at).filter(|digits| digits.len() <= 3)?.parse::<i64>().ok();
    let (end, count) = match count(at) {
        Some(number) if line.is(at + 1, &["derniers", "dernières", "últimos", "últimas"]) => (at + 2, number),
        None if line.is(at, LAST) || line.is(at, &["últimos", "últimas"]) => (at + 2, count(at + 1)?),
        _ => return None,
    };
    let span = match foreign_names::unit(line.word(end))? {
        Unit::Day => count.days(),
        Unit::Week => (count * 7).days(),
        Unit::Month => count.months(),
        Unit::Year => count.years(),
    };
    let from = today.checked_sub(span).ok()?.tomorrow().ok()?;
    Some(calendar::settled(end + 1, DateRange::new(from, today)?))
}

fn relative(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    if let Some((end, unit)) = noun(line, at + 1) {
        let steps = match line.word(at) {
            word if LAST.contains(&word) => -1,
            word if THIS.contains(&word) => 0,
            word if EITHER.contains(&word) => return unclear(end),
            _ => return None,
        };
        // "ce mois-ci"
        let here = line.mark(end) == Some('-') && line.glued(end) && line.word(end + 1) == "ci";
        return of(unit, steps, end + if here { 2 } else { 0 }, today);
    }
    let (end, unit) = noun(line, at)?;
    if matches!(unit, Noun::Weekend) && !line.is(end, LAST_BEHIND) {
        return line.follows(at, ARTICLES).then(|| unclear(end)).flatten();
    }
    line.is(end, LAST_BEHIND).then(|| of(unit, -1, end + 1, today)).flatten()
}

#[derive(Clone, Copy)]
enum Noun {
    Unit(Unit),
    Weekend,
}

fn noun(line: &Line<'_>, at: usize) -> Option<(usize, Noun)> {
    let hyphenated = line.word(at) == "week" && line.mark(at + 1) == Some('-') && line.word(at + 2) == "end";
    match line.word(at) {
        "wochenende" => Some((at + 1, Noun::Weekend)),
        _ if hyphenated => Some((at + 3, Noun::Weekend)),
        "fin" if line.word(at + 1) == "de" && line.word(at + 2) == "semana" => Some((at + 3, Noun::Weekend)),
        "l'an" | "l'année" => Some((at + 1, Noun::Unit(Unit::Year))),
        word => foreign_names::unit(word).map(|unit| (at + 1, Noun::Unit(unit))),
    }
}

fn of(noun: Noun, steps: i16, end: usize, today: Date) -> Option<Period> {
    let range = match noun {
        Noun::Unit(Unit::Day) => return unclear(end),
        Noun::Unit(Unit::Week) => calendar::week(today, steps)?,
        Noun::Unit(Unit::Month) => calendar::whole_month(today.first_of_month().checked_add(steps.months()).ok()?),
        Noun::Unit(Unit::Year) => calendar::whole_year(today.year().checked_add(steps)?)?,
        Noun::Weekend => {
            let week = calendar::week(today, steps)?;
            DateRange::new(week.to.yesterday().ok()?, week.to)?
        }
    };
    Some(calendar::settled(end, range))
}

/// "im Oktober", "en octubre de 2025". Some months are also names and words.
fn month(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let led = line.is(at, &["im", "en"]);
    let start = at + usize::from(led);
    let (month, language) = match foreign_names::month(line.word(start)) {
        Some((month, language)) => (month, Some(language)),
        // "im November": written as in English, which leaves the word before it out.
        None => (vocabulary::month(line.word(start)).filter(|_| led)?, None),
    };
    let after = line.skip(start + 1, &['.'], &["de", "del"]);
    if let Some((end, digits)) = days::year(line, after) {
        let first = days::known_year(digits).and_then(|year| Date::new(year, month, 1).ok());
        return Some(Period { end, range: first.map(calendar::whole_month), yearless: None });
    }
    let is_month = |at: usize| foreign_names::month(line.word(at)).is_some();
    let linked = |at: usize| line.is(at, CONNECTIVES) || line.word(at) == "a";
    let paired = linked(start + 1) && is_month(start + 2) || at >= 2 && linked(at - 1) && is_month(at - 2);
    let since = line.follows(at, SINCE) || paired;
    let counted = at > 0 && (line.digits(at - 1).is_some() || line.follows(at, &["de", "bis", "au", "al"]));
    if !led && (counted && !paired || !since && line.conventions.language != language) {
        return None;
    }
    // A day in it, or a part of it.
    if line.digits(start + 1).is_some() || line.follows(at, LAST) || line.follows(at, THIS) {
        return None;
    }
    if line.is(start + 1, LAST_BEHIND) {
        return unclear(start + 2);
    }
    let year = if today.month() >= month { today.year() } else { today.year().checked_sub(1)? };
    let range = calendar::whole_month(Date::new(year, month, 1).ok()?);
    Some(Period { end: start + 1, range: Some(range), yearless: Some(month) })
}

/// "1.", "1er", "5".
fn nth(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let (end, day, _) = days::digit_day(line, at)?;
    let first = day == 1 && line.glued(end) && line.word(end) == "er";
    Some((if first { end + 1 } else { line.skip(end, &['.'], &[]) }, day))
}

fn month_named(word: &str) -> Option<i8> {
    foreign_names::month(word).map(|(month, _)| month).or_else(|| vocabulary::month(word))
}

fn unclear(end: usize) -> Option<Period> {
    Some(Period { end, range: None, yearless: None })
}
