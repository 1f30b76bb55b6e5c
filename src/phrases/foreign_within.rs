//! Days named by the span they are in, or by another day, in German, French and Spanish: "am 5. letzten Monats", "lundi
//! de la semaine dernière", "el primer lunes de octubre", "zwei Tage vor dem 10. November".

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateRange, DateReading,
    calendar::whole_month,
    days::{self, Day, known_year, unclear},
    foreign_periods,
    foreign_spans::{end, is_month, is_year},
    lexicon::Class,
    number_words,
    periods::ended,
    tokens::Line,
    vocabulary::{self, Unit},
};

/// "letzten Monats", "de la semaine dernière", "del año pasado", "des Monats".
pub(super) fn named_period(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, DateRange)> {
    const LINKS: &[&str] = &["des", "de", "du", "del", "von", "vom", "im", "in", "en"];
    let next = line.skip(at, &[','], &[]);
    let start = line.skip(next, &[], LINKS);
    if let Some(period) = foreign_periods::relative_period(line, start, today) {
        return Some((period.end, period.range?));
    }
    let is_this = line.is(start, &["monats", "mois", "mes"]) && line.is(next, &["des", "du", "del"]);
    is_this.then(|| (start + 1, whole_month(today)))
}

/// "de la semaine d'avant": a span that settles nothing.
pub(super) fn unsettled_period(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    let start = line.skip(at, &[], &["des", "de", "du", "del"]);
    foreign_periods::relative_period(line, start, today)
        .filter(|period| period.range.is_none())
        .map(|period| period.end)
}

/// "la première semaine d'octobre", "los primeros diez días de octubre", "der letzte Tag des Monats": part of a span.
pub(super) fn part_of_span(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    const ARTICLES: &[&str] = &["le", "la", "les", "el", "los", "las", "die", "der", "den", "am", "in"];
    (at + 1..at + 7).find(|at| vocabulary::foreign_unit(line.word(*at)).is_some())?;
    let mut start = line.skip(line.skip(at, &[], ARTICLES), &[], ARTICLES);
    let counted = |at: usize| {
        number_words::foreign_cardinal(line, at).map_or(at + usize::from(line.digits(at).is_some()), |(end, _)| end)
    };
    let is_nth = |at: usize| {
        line.is(at, Class::PartOfSpan)
            || foreign_periods::is_last(line.word(at))
            || number_words::foreign_ordinal(line.word(at)).is_some()
    };
    // "les dix premiers jours"
    if !is_nth(start) {
        start = Some(counted(start)).filter(|end| *end > start && is_nth(*end))?;
    }
    let named = counted(start + 1);
    vocabulary::foreign_unit(line.word(named))?;
    let next = line.skip(named + 1, &[], &["im", "in", "vom", "von", "des", "de", "du", "del", "en"]);
    let name = line.word(next);
    let month = vocabulary::any_month(name).is_some();
    if month && (next > named + 1 || name.starts_with("d'")) {
        return Some(year_of(line, next + 1, today).map_or(next + 1, |(end, _)| end));
    }
    let (end, _) = named_period(line, named + 1, today).filter(|_| next > named + 1)?;
    Some(end)
}

/// That day of it, when it is a week.
pub(super) fn of_week(range: &DateRange, weekday: Weekday) -> Option<Date> {
    let is_week = range.from.weekday() == Weekday::Monday && range.from.checked_add(6.days()).ok() == Some(range.to);
    is_week.then(|| range.from.checked_add(i32::from(weekday.to_monday_zero_offset()).days()).ok())?
}

/// "letzte Woche Montag", "la semaine dernière lundi".
pub(super) fn in_named_week(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let period = foreign_periods::relative_period(line, at, today)?;
    let next = line.skip(line.skip(period.end, &[','], &[]), &[], &["am", "le", "el"]);
    let (weekday, _) = vocabulary::foreign_weekday(line.word(next))?;
    Some(days::on(next + 1, of_week(&period.range?, weekday)?))
}

/// "am ersten Montag im Oktober", "le dernier vendredi du mois", "el primer lunes de octubre de 2025".
pub(super) fn nth_weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    const LINKS: &[&str] = &["im", "in", "vom", "von", "des", "de", "du", "del", "en"];
    (at + 1..at + 4).find(|at| vocabulary::foreign_weekday(line.word(*at)).is_some())?;
    let start = line.skip(at, &[], &["am", "der", "den", "dem", "vom", "le", "du", "el", "del"]);
    let last = foreign_periods::is_last(line.word(start));
    let spelt = || number_words::foreign_ordinal(line.word(start)).map(|nth| (start + 1, nth, true));
    let (next, nth) = match number_words::numbered(line, start).or_else(spelt) {
        Some((end, nth, true)) => (end, nth),
        _ if last => (start + 1, -1),
        _ => return None,
    };
    let (weekday, _) = vocabulary::foreign_weekday(line.word(next)).filter(|_| nth <= 5)?;
    let of = |month: Date| month.nth_weekday_of_month(nth, weekday).ok();
    let named = line.skip(next + 1, &[], LINKS);
    let name = line.word(named);
    let month = vocabulary::any_month(name);
    if let Some(month) = month.filter(|_| named > next + 1 || name.starts_with("d'")) {
        let (end, date) = match year_of(line, named + 1, today) {
            Some((end, year)) => (end, year.and_then(|year| of(Date::new(year, month, 1).ok()?))),
            None => {
                let years = (0..=1).filter_map(|back| Date::new(today.year().checked_sub(back)?, month, 1).ok());
                (named + 1, years.filter_map(of).find(|date| *date <= today))
            }
        };
        return Some(date.map_or_else(|| unclear(end), |date| days::on(end, date)));
    }
    match named_period(line, next + 1, today).filter(|(_, range)| is_month(range)) {
        Some((end, range)) => {
            Some(of(range.from).filter(|date| *date <= today).map_or_else(|| unclear(end), |date| days::on(end, date)))
        }
        None if last => None,
        None => Some(unclear(next + 1)),
    }
}

/// "2025", "de 2025", "letzten Jahres": None for a year that is not known.
fn year_of(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<i16>)> {
    if let Some((end, digits)) = days::year(line, line.skip(at, &[','], &["de", "del"])) {
        return Some((end, known_year(digits)));
    }
    let (end, range) = named_period(line, at, today).filter(|(_, range)| is_year(range))?;
    Some((end, Some(range.from.year())))
}

/// "zwei Tage vor dem 10. November", "le lendemain du 1er", "el día antes del 3 de marzo", "Montag vor dem 10.".
pub(super) fn beside(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = line.skip(at, &[], &["am", "der", "den", "dem", "le", "la", "el"]);
    let (named, span) = match line.word(start) {
        "lendemain" | "veille" | "surlendemain" => (start, Some((1, Unit::Day))),
        "tag" | "jour" | "día" | "dia" => (start, Some((1, Unit::Day))),
        word if vocabulary::foreign_weekday(word).is_some() => (start, None),
        _ => quantity(line, start).map(|(end, count, unit)| (end - 1, Some((count, unit))))?,
    };
    let (next, back) = match (line.word(named), line.word(named + 1), line.word(named + 2)) {
        ("lendemain" | "surlendemain", "du" | "de", _) => (named + 2, false),
        ("veille", "du" | "de", _) => (named + 2, true),
        (_, "vor" | "avant", _) => (named + 2, true),
        (_, "nach" | "après", _) => (named + 2, false),
        (_, "antes", "de" | "del") => (named + 3, true),
        (_, "después" | "despues", "de" | "del") => (named + 3, false),
        _ => return None,
    };
    let led = line.is(next - 1, &["du", "del"]);
    let anchor = end(line, next, led, today)?;
    let last = ended(&anchor);
    let span = span.filter(|_| line.word(named) != "surlendemain");
    let date = anchor.ok().filter(|point| point.range.from == point.range.to && point.coming.is_none());
    let date = date
        .zip(span)
        .and_then(|(point, (count, unit))| before(point.range.from, if back { count } else { -count }, unit));
    Some(Day { end: last, reading: date.map_or(DateReading::Ambiguous(Vec::new()), DateReading::On), yearless: None })
}

/// "3 Tage", "zwei Wochen", "un mois".
pub(super) fn quantity(line: &Line<'_>, at: usize) -> Option<(usize, i64, Unit)> {
    (at + 1..at + 4).find(|at| vocabulary::foreign_unit(line.word(*at)).is_some())?;
    let (end, count) = match line.digits(at) {
        Some(digits) => (at + 1, digits.parse::<i64>().ok().filter(|_| digits.len() <= 3)?),
        None if line.word(at) == "einer" => (at + 1, 1),
        None => {
            let (end, count) = number_words::foreign_cardinal(line, at)?;
            (end, i64::try_from(count?).ok().filter(|count| *count <= 999)?)
        }
    };
    Some((end + 1, count, vocabulary::foreign_unit(line.word(end))?))
}

/// So long before a day.
pub(super) fn before(day: Date, count: i64, unit: Unit) -> Option<Date> {
    day.checked_sub(unit.times(count)).ok()
}
