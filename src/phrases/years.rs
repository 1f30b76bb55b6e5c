//! The year of a day or of a month, as it is said beside it: "18 Nov '25", "March 5 of last year", "2025 Mar 18".

use jiff::{ToSpan, civil::Date};

use super::{
    calendar, day_words,
    days::{self, in_year, known_year, unclear},
    denominations::is_money,
    durations,
    lexicon::Class,
    month_days, number_words,
    numeric_dates::full_year,
    openings,
    periods::Point,
    times,
    tokens::Line,
    vocabulary,
};

/// Where it ends, and the year; none when it is none that an expense may be of.
pub(super) fn behind(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<i16>)> {
    let next = line.skip(line.skip(at, &[','], &[]), &[], Class::LeadToSpan);
    if line.mark(next).is_some_and(|mark| "'’‘".contains(mark)) && line.glued(next + 1) && line.ends(next + 2) {
        let digits = line.digits(next + 1).filter(|digits| digits.len() == 2)?;
        return Some((next + 2, full_year(digits)));
    }
    if let Some((end, digits)) = days::year(line, next) {
        return Some((end, known_year(digits)));
    }
    if let Some((end, year)) = number_words::year(line, next) {
        return Some((end, Some(year)));
    }
    named(line, next, today).map(|(end, year)| (end, Some(year)))
}

/// "last year", "the year before last", "del año pasado", "two years ago", "vor zwei Jahren".
pub(super) fn named(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, i16)> {
    told(line, line.skip(line.skip(at, &[','], &[]), &[], Class::LeadToSpan), today)
}

fn told(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, i16)> {
    let whole = times::whole(line, at, today);
    if let Some((end, range)) = whole.and_then(|whole| Some((whole.end, whole.range()?))) {
        return range.is_year().then_some((end, range.from.year()));
    }
    let leads = line.is(at, Class::BeforeAge);
    let (end, length) = durations::length(line, at + usize::from(leads))?;
    let is_whole = length.fieldwise() == length.get_years().years().fieldwise();
    let year = today.year().checked_sub(length.get_years())?;
    (is_whole && (leads || line.word(end) == "ago")).then_some((end + usize::from(!leads), year))
}

/// Where a year that leads a day or a month ends, and the day or month begins.
fn leading(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, i16)> {
    if let Some(year) = line.digits(at).and_then(known_year) {
        let money = at > 0 && is_money(line, at - 1);
        let next = line.skip(at + 1, &[','], &[]);
        let is_month = vocabulary::month(line, next).is_some();
        return (is_month && !money && line.starts(at) && line.ends(at + 1)).then_some((next, year));
    }
    let (end, year) = if openings::of(line).month { told(line, at, today)? } else { return None };
    Some((line.skip(line.skip(end, &[','], &[]), &[], Class::BehindYear), year))
}

/// "2025 Mar 18", "last year on March 5".
pub(super) fn led_day(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let (next, year) = leading(line, at, today)?;
    let day = month_days::month_and_day(line, next, today)?;
    // "tv 1999 march 5": it may be the price.
    let may_be_price = line.digits(at).is_some()
        && !line.before(at, 1).is_empty()
        && !line.follows(at, [Class::BeforeDay, Class::LeadToSpan, Class::And]);
    Some(match day.yearless {
        Some((month, Some(number))) if !may_be_price => in_year(day.end, year, month, number),
        _ => unclear(day.end),
    })
}

/// "last year in March", "2025 October"
pub(super) fn led_month(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let (next, year) = leading(line, at, today)?;
    let month = vocabulary::month(line, next)?;
    let meant = line.digits(at).is_some() || vocabulary::is_plain_month(line, next);
    let meant = meant || line.follows(next, &["in"]) || day_words::closes(line, next + 1);
    (meant && line.digits(next + 1).is_none())
        .then(|| Some(Point::of(next + 1, calendar::whole_month(Date::new(year, month, 1).ok()?))))?
}
