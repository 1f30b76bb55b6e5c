//! Plain spans of days in German, French and Spanish: "letzte Woche", "le mois dernier", "del 1 al 5 de noviembre".
//!
//! As with single days, only what can be nothing else is read. What may be the last days or the last whole month
//! ("la última semana") is unclear.

use jiff::civil::Date;

use super::{
    DateRange,
    calendar::{self, Period},
    days,
    foreign_spans::is_year,
    foreign_within::{named_period, quantity},
    lexicon::Class,
    number_words,
    tokens::Line,
    vocabulary,
};

pub(super) fn period(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let start = line.skip(at, &[], Class::Article);
    looking_back(line, start, today).or_else(|| relative(line, start, today)).or_else(|| month(line, at, today, false))
}

/// "letzte Woche", "le mois dernier", "del año pasado".
pub(super) fn relative_period(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    relative(line, line.skip(at, &[], Class::Article), today)
}

pub(super) fn is_last(word: &str) -> bool {
    Class::Last.contains(word) || matches!(word, "dernier" | "último" | "ultimo")
}

/// Between the two ends of a range.
pub(super) const CONNECTIVES: &[&str] = &["bis", "au", "al", "hasta", "à"];
const SINCE: &[&str] = &["seit", "depuis", "desde"];
/// What makes of the day behind it one end of something.
pub(super) const BOUNDS: &[&str] = &["bis", "ab", "jusqu'au", "hasta"];

/// "die letzten 7 Tage", "les deux derniers mois", "los últimos 30 días": ending today.
fn looking_back(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let (end, count, unit) = if line.is(at, Class::Last) || line.is(at, Class::Latest) {
        quantity(line, at + 1)?
    } else {
        let number = || number_words::foreign_cardinal(line, at).filter(|(end, _)| line.is(*end, Class::Latest));
        let count = match line.digits(at) {
            Some(digits) => {
                digits.parse::<i64>().ok().filter(|_| digits.len() <= 3 && line.is(at + 1, Class::Latest))?
            }
            None if line.is(at + 1, Class::Latest) => i64::try_from(number()?.1?).ok()?,
            None => return None,
        };
        (at + 3, count, vocabulary::foreign_unit(line.word(at + 2))?)
    };
    let from = today.checked_sub(unit.times(count)).ok()?.tomorrow().ok()?;
    Some(calendar::settled(end, DateRange::new(from, today)?))
}

/// How many steps a word before the noun goes.
fn steps(line: &Line<'_>, at: usize) -> Option<i16> {
    let steps = [(Class::Last, -1), (Class::This, 0), (Class::Next, 1), (Class::LastButOne, -2)];
    steps.into_iter().find(|(words, _)| line.is(at, *words)).map(|(_, steps)| steps)
}

/// And one behind it; None for what settles nothing.
fn steps_behind(line: &Line<'_>, at: usize) -> Option<(usize, Option<i16>)> {
    match (line.word(at), line.word(at + 1)) {
        ("que", "viene") => Some((at + 2, Some(1))),
        ("prochain" | "prochaine", _) => Some((at + 1, Some(1))),
        ("antepasado" | "antepasada", _) => Some((at + 1, Some(-2))),
        ("d'avant" | "précédent" | "précédente" | "anterior" | "suivant" | "suivante" | "siguiente", _) => {
            Some((at + 1, None))
        }
        _ => line.is(at, Class::LastBehind).then_some((at + 1, Some(-1))),
    }
}

fn relative(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    if let Some((end, unit)) = noun(line, at + 1) {
        let Some(steps) = steps(line, at) else {
            return line.is(at, Class::LastOrLatest).then(|| unclear(end))?;
        };
        // "ce mois-ci"
        let here = line.mark(end) == Some('-') && line.glued(end) && line.word(end + 1) == "ci";
        return of(unit, steps, end + if here { 2 } else { 0 }, today);
    }
    // "nächsten März", "letzten Oktober"
    if let Some(month) = vocabulary::any_month(line.word(at + 1))
        && let Some(steps) = steps(line, at)
    {
        let dated = line.digits(at + 2).is_some() || steps == -2;
        return (!dated).then(|| calendar::relative_month(at + 2, steps, month, today));
    }
    let (end, unit) = noun(line, at)?;
    match steps_behind(line, end) {
        Some((end, Some(steps))) => of(unit, steps, end, today),
        Some((end, None)) => line.follows(at, Class::Article).then(|| unclear(end))?,
        None => (unit == "weekend" && line.follows(at, Class::Article) && line.word(at) != "weekend")
            .then(|| unclear(end))?,
    }
}

/// What the spans there are called in English, and where that ends.
fn noun(line: &Line<'_>, at: usize) -> Option<(usize, &'static str)> {
    let hyphenated = line.word(at) == "week" && line.mark(at + 1) == Some('-') && line.word(at + 2) == "end";
    match line.word(at) {
        "wochenende" | "weekend" => Some((at + 1, "weekend")),
        _ if hyphenated => Some((at + 3, "weekend")),
        "fin" if line.word(at + 1) == "de" && line.word(at + 2) == "semana" => Some((at + 3, "weekend")),
        "quartal" | "quartals" | "trimestre" => Some((at + 1, "quarter")),
        "l'an" | "l'année" => Some((at + 1, "year")),
        word => vocabulary::foreign_unit_name(word).map(|name| (at + 1, name)),
    }
}

/// No span is so many days away.
fn of(noun: &str, steps: i16, end: usize, today: Date) -> Option<Period> {
    if noun == "day" { unclear(end) } else { Some(calendar::settled(end, calendar::so_far_away(noun, steps, today)?)) }
}

/// "im Oktober", "en octubre de 2025", "le mois de mars". Some months are also names and words.
///
/// `meant`: the words before it say that it is one.
pub(super) fn month(line: &Line<'_>, at: usize, today: Date, meant: bool) -> Option<Period> {
    let named = line.is(at, &["mois", "mes"]) && line.word(at + 1) == "de";
    let led = named || line.is(at, &["im", "en"]) || line.word(at).starts_with("d'");
    let start = if named { at + 2 } else { at + usize::from(line.is(at, &["im", "en"])) };
    let (month, language) = match vocabulary::foreign_month(line.word(start)) {
        Some((month, language)) => (month, Some(language)),
        // "im November": written as in English, which leaves the word before it out.
        None => (vocabulary::month(line.word(start)).filter(|_| led)?, None),
    };
    let after = line.skip(start + 1, &['.'], &["de", "del"]);
    if let Some((end, digits)) = days::year(line, after) {
        let first = days::known_year(digits).and_then(|year| Date::new(year, month, 1).ok());
        return Some(Period { end, range: first.map(calendar::whole_month), yearless: None });
    }
    // "im Oktober letzten Jahres"
    if let Some((end, year)) = named_period(line, start + 1, today).filter(|(_, range)| is_year(range)) {
        let first = Date::new(year.from.year(), month, 1).ok();
        return Some(Period { end, range: first.map(calendar::whole_month), yearless: None });
    }
    let is_month = |at: usize| vocabulary::foreign_month(line.word(at)).is_some();
    let linked = |at: usize| line.is(at, CONNECTIVES) || line.word(at) == "a";
    let paired = linked(start + 1) && is_month(start + 2) || at >= 2 && linked(at - 1) && is_month(at - 2);
    let since = line.follows(at, SINCE) || paired;
    let counted = at > 0 && (line.digits(at - 1).is_some() || line.follows(at, &["bis", "au", "al"]))
        || line.follows(at, &["de"]) && (line.before(at, 2).is_empty() || is_number(line, at - 2));
    if !led && !meant && (counted && !paired || !since && line.conventions.language != language) {
        return None;
    }
    // A day in it, or a part of it.
    if line.digits(start + 1).is_some() || at > 0 && steps(line, at - 1).is_some() {
        return None;
    }
    if line.is(start + 1, Class::LastBehind) {
        return unclear(start + 2);
    }
    let year = if today.month() >= month { today.year() } else { today.year().checked_sub(1)? };
    let range = calendar::whole_month(Date::new(year, month, 1).ok()?);
    Some(Period { end: start + 1, range: Some(range), yearless: Some(month) })
}

fn is_number(line: &Line<'_>, at: usize) -> bool {
    number_words::foreign_cardinal(line, at).is_some() || number_words::foreign_ordinal(line.word(at)).is_some()
}

fn unclear(end: usize) -> Option<Period> {
    Some(Period { end, range: None, yearless: None })
}
