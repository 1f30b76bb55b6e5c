//! The year of a day or of a month, as it is said beside it: "18 Nov '25", "March 5 of last year", "2025 Mar 18".

use jiff::{Span, ToSpan, civil::Date};

use super::{
    calendar::{self, Period},
    currencies, day_words,
    days::{self, Day, in_year, known_year, unclear},
    durations, number_words,
    tokens::Line,
    vocabulary,
};

/// Where it ends, and the year; none when it is none that an expense may be of.
pub(super) fn behind(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<i16>)> {
    let next = line.skip(line.skip(at, &[','], &[]), &[], &["of", "in", "de", "del"]);
    if line.mark(next).is_some_and(|mark| "'’‘".contains(mark)) && line.glued(next + 1) && line.ends(next + 2) {
        let digits = line.digits(next + 1).filter(|digits| digits.len() == 2)?;
        return Some((
            next + 2,
            digits.parse::<i16>().ok().map(|year| if year < 70 { 2000 + year } else { 1900 + year }),
        ));
    }
    if let Some((end, digits)) = days::year(line, next) {
        return Some((end, known_year(digits)));
    }
    if let Some((end, year)) = days::year_in_words(line, next) {
        return Some((end, Some(year)));
    }
    told(line, next, today).map(|(end, year)| (end, Some(year)))
}

/// "letzten Jahres", "del año pasado", "vor zwei Jahren".
pub(super) fn named(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<i16>)> {
    if let Some((end, range)) = calendar::named_period(line, at, today).filter(|(_, range)| calendar::is_year(range)) {
        return Some((end, Some(range.from.year())));
    }
    let (end, length) = durations::length(line, at + 1).filter(|_| line.is(at, &["vor", "hace"]))?;
    Some((end, years_before(length, today)))
}

/// "last year", "the year before last", "two years ago".
fn told(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, i16)> {
    let in_shift = |end: usize, shift: i16| Some((end, today.year().checked_add(shift)?));
    if let Some(shift) = days::year_shift(line, at) {
        return in_shift(at + 2, shift);
    }
    if line.word(at) == "the" && line.word(at + 1) == "year" {
        let is_last = line.word(at + 2) == "before" && line.word(at + 3) == "last";
        return is_last.then(|| in_shift(at + 4, -2))?;
    }
    if !line.leads_to(at, &["ago"]) {
        return None;
    }
    let is_counted =
        line.digits(at).is_some() || line.is(at, &["a", "one"]) || number_words::is_number_word(line.word(at));
    let (end, span) = durations::duration(line, at).filter(|_| is_counted)?;
    Some((end + 1, years_before(span, today).filter(|_| line.word(end) == "ago")?))
}

fn years_before(length: Span, today: Date) -> Option<i16> {
    let is_whole = length.fieldwise() == length.get_years().years().fieldwise();
    today.year().checked_sub(length.get_years()).filter(|_| is_whole)
}

/// Where a year that leads a day or a month ends, and the day or month begins.
fn leading(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, i16)> {
    if let Some(year) = line.digits(at).and_then(known_year) {
        let money = at > 0 && currencies::word(line.tokens[at - 1].text, line.word(at - 1)).is_some();
        let is_month = vocabulary::month(line.word(line.skip(at + 1, &[','], &[]))).is_some();
        return (is_month && !money && line.starts(at) && line.ends(at + 1))
            .then(|| (line.skip(at + 1, &[','], &[]), year));
    }
    let (end, year) = told(line, at, today)?;
    Some((line.skip(line.skip(end, &[','], &[]), &[], &["on", "in"]), year))
}

/// "2025 Mar 18", "last year on March 5".
pub(super) fn led_day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let (next, year) = leading(line, at, today)?;
    let day = days::month_and_day(line, next, today)?;
    // "tv 1999 march 5": it may be the price.
    const BEFORE: [&str; 14] =
        ["on", "in", "from", "since", "until", "till", "to", "by", "before", "after", "and", "of", "for", "between"];
    let may_be_price = line.digits(at).is_some() && !line.before(at, 1).is_empty() && !line.follows(at, &BEFORE);
    Some(match day.yearless {
        Some((month, number)) if !may_be_price => in_year(day.end, year, month, number),
        _ => unclear(day.end),
    })
}

/// "last year in March"
pub(super) fn led_month(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let (next, year) = leading(line, at, today).filter(|_| line.digits(at).is_none())?;
    let month = vocabulary::month(line.word(next))?;
    let meant = vocabulary::is_plain_month(line.word(next)) || line.follows(next, &["in"]);
    let meant = meant || day_words::closes(line, next + 1);
    (meant && line.digits(next + 1).is_none())
        .then(|| Some(calendar::settled(next + 1, calendar::whole_month(Date::new(year, month, 1).ok()?))))?
}
