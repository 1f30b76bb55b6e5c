//! Spans of the calendar: weeks, months, quarters and years, "last 7 days".
//!
//! Weeks begin on Monday. Each reader looks at one position; what surrounds the phrase is `periods`' concern.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateRange, days, ends, lexicon::Class, number_words, periods::Point, times, tokens::Line, vocabulary, years,
};

/// `years`: a bare year counts, because of the words before it.
pub(super) fn period(line: &Line<'_>, at: usize, today: Date, years: bool) -> Option<Point> {
    // "jan-oct"
    let is_dash = |at: usize| line.mark(at).is_some_and(|mark| "-–—".contains(mark));
    let is_second = at > 1 && is_dash(at - 1) && vocabulary::month(line, at - 2).is_some();
    if line.starts(at) || is_second { plain(line, at, today, years) } else { None }
}

/// One that is no part of another.
pub(super) fn plain(line: &Line<'_>, at: usize, today: Date, years: bool) -> Option<Point> {
    year_and_month(line, at)
        .or_else(|| span_of_years(line, at))
        .or_else(|| years::led_month(line, at, today))
        .or_else(|| times::span(line, at, today))
        .or_else(|| month(line, at, today, years))
        .or_else(|| bare_year(line, at, years))
}

pub(super) fn numbered(year: i16, month: i8, (from, to): (i8, i8)) -> Option<DateRange> {
    DateRange::new(Date::new(year, month, from).ok()?, Date::new(year, month, to).ok()?)
}

/// `2026-11`, `11/2026`
fn year_and_month(line: &Line<'_>, at: usize) -> Option<Point> {
    let (first, second) = (line.digits(at)?, line.digits(at + 2)?);
    if !matches!(line.mark(at + 1), Some('-' | '/')) || !line.ends(at + 3) {
        return None;
    }
    let month = |digits: &str| digits.parse().ok().filter(|month| digits.len() <= 2 && (1..=12).contains(month));
    let (year, month) = match (days::known_year(first), days::known_year(second)) {
        (Some(year), None) => (year, month(second)?),
        (None, Some(year)) => (year, month(first)?),
        _ => return None,
    };
    Some(Point::of(at + 3, whole_month(Date::new(year, month, 1).ok()?)))
}

/// `2024-2026`
fn span_of_years(line: &Line<'_>, at: usize) -> Option<Point> {
    let first = line.digits(at).and_then(days::known_year)?;
    let last = line.digits(at + 2).and_then(days::known_year)?;
    let dashed = matches!(line.mark(at + 1), Some('-' | '–' | '—'));
    let joined = line.glued(at + 1) == line.glued(at + 2) && dashed || line.word(at + 1) == "to";
    let range = DateRange::new(Date::new(first, 1, 1).ok()?, Date::new(last, 12, 31).ok()?)?;
    (joined && line.ends(at + 3)).then(|| Point::of(at + 3, range))
}

/// "letzten Monats", "de la semaine dernière", "of last year", "des Monats".
pub(super) fn named(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let start = line.skip(line.skip(at, &[], Class::LeadToSpan), &[], &["the"]);
    let is_this = start > 0 && line.is(start, Class::OwnMonth) && line.is(start - 1, Class::OfOwnMonth);
    times::whole(line, start, today).or_else(|| is_this.then(|| Point::of(start + 1, whole_month(today))))
}

/// The whole week, month or the like that is so many steps from this one.
pub(super) fn so_far_away(word: &str, steps: i16, today: Date) -> Option<DateRange> {
    Some(match word {
        "week" => week(today, steps)?,
        "weekend" => {
            let week = week(today, steps)?;
            DateRange::new(week.to.yesterday().ok()?, week.to)?
        }
        "month" => whole_month(today.first_of_month().checked_add(steps.months()).ok()?),
        "quarter" => {
            let first = Date::new(today.year(), (today.month() - 1) / 3 * 3 + 1, 1).ok()?;
            let first = first.checked_add((steps * 3).months()).ok()?;
            DateRange::new(first, first.checked_add(2.months()).ok()?.last_of_month())?
        }
        "year" => whole_year(today.year().checked_add(steps)?)?,
        _ => return None,
    })
}

/// "last September" said in November is two months ago to some, and last year's to others.
pub(super) fn relative_month(steps: i16, month: i8, today: Date) -> Option<DateRange> {
    let clear = match steps {
        ..-1 => false,
        -1 => month >= today.month(),
        0 => true,
        _ => month <= today.month(),
    };
    let first = Date::new(today.year().checked_add(steps)?, month, 1).ok()?;
    clear.then(|| whole_month(first))
}

/// "October", "October 2025", "im Oktober letzten Jahres", "en octubre", "le mois de mars". Some months are also names and
/// words.
///
/// `meant`: the words before it say that it is one.
pub(super) fn month(line: &Line<'_>, at: usize, today: Date, meant: bool) -> Option<Point> {
    let start = match line.is(at, Class::BeforeMonthOf) && line.is(at + 1, Class::From) {
        true => at + 2,
        false => line.skip(at, &[], Class::InMonth),
    };
    let word = line.word(start);
    let led = start > at || word.starts_with("d'");
    let month = vocabulary::any_month(line, start)?;
    let foreign = vocabulary::foreign_month(line, start).map(|(_, language)| language);
    // "Sep-2026"
    let is_glued = line.glued_mark(start + 1).is_some_and(|mark| "-/".contains(mark)) && line.glued(start + 2);
    let joined = is_glued && line.digits(start + 2).is_some();
    let year = if joined { start + 2 } else { line.skip(start + 1, &['.'], &[]) };
    // "december 1200" has a price.
    let behind = years::behind(line, year, today).filter(|(_, year)| year.is_some() || led || foreign.is_some());
    if let Some((end, year)) = behind {
        let first = year.and_then(|year| Date::new(year, month, 1).ok());
        return Some(Point::of(end, first.map(whole_month)));
    }
    let is_paired = is_of_pair(line, at, start + 1);
    let is_meant = match foreign {
        _ if led || meant => true,
        None => {
            let is_alone = line.follows(at, Class::BeforeMonth) || line.tokens.len() == 1;
            vocabulary::is_plain_month(line, start) || is_alone || is_paired
        }
        Some(language) => {
            let is_day = at > 0 && (line.digits(at - 1).is_some() || line.follows(at, Class::DayToDay))
                || line.follows(at, &["de"]) && (line.before(at, 2).is_empty() || is_number(line, at - 2));
            let is_own = line.follows(at, Class::SinceMonth) || line.conventions.language == Some(language);
            is_paired || !is_day && is_own
        }
    };
    // A day in it, or a part of it.
    let is_part = line.digits(start + 1).is_some() || at > 0 && days::direction(line, at - 1).is_some();
    if !is_meant || is_part && (led || foreign.is_some()) {
        return None;
    }
    // A day or a year said in a way that is not read; "november 900" has neither.
    let next = line.skip(year, &[], &["of"]);
    let is_year = |digits: &str| digits.len() < 3 || days::known_year(digits).is_some();
    let more = line.digits(next).is_some_and(|digits| is_year(digits) && line.ends(next + 1))
        || joined
        || number_words::is_number_word(line.word(next))
        || line.is(next, &["the"])
        || line.is(next, Class::LastBehind)
        || line.mark(next) == Some('\'') && line.digits(next + 1).is_some();
    if more {
        return Some(Point::of(next + 1, None));
    }
    let year = if today.month() >= month { today.year() } else { today.year().checked_sub(1)? };
    let range = whole_month(Date::new(year, month, 1).ok()?);
    Some(Point { yearless: Some((month, None)), ..Point::of(start + 1, range) })
}

fn is_number(line: &Line<'_>, at: usize) -> bool {
    number_words::foreign_cardinal(line, at).is_some() || number_words::foreign_ordinal(line, at).is_some()
}

/// "jan to march": what alone may be another word is a month beside one.
fn is_of_pair(line: &Line<'_>, start: usize, end: usize) -> bool {
    let is_month = |at: usize| vocabulary::any_month(line, at).is_some();
    let to_day = line.is(end, Class::Until) && line.is(end + 1, Class::UntilNow);
    let follows = start >= 2 && ends::is_link(line, start - 1) && is_month(start - 2);
    to_day || follows || ends::is_link(line, end) && is_month(end + 1)
}

fn bare_year(line: &Line<'_>, at: usize, led: bool) -> Option<Point> {
    if !led && !line.follows(at, Class::BeforeYear) && line.tokens.len() > 1 {
        return None;
    }
    let (end, digits) = days::year(line, at)?;
    Some(Point::of(end, whole_year(days::known_year(digits)?)?))
}

/// That day of it, when it is a week.
pub(super) fn of_week(range: &DateRange, weekday: Weekday) -> Option<Date> {
    let is_week = week(range.from, 0) == Some(*range);
    is_week.then(|| range.from.checked_add(i32::from(weekday.to_monday_zero_offset()).days()).ok())?
}

pub(super) fn week(today: Date, steps: i16) -> Option<DateRange> {
    let offset = i16::from(today.weekday().to_monday_zero_offset());
    let monday = today.checked_add((steps * 7 - offset).days()).ok()?;
    DateRange::new(monday, monday.checked_add(6.days()).ok()?)
}

pub(super) fn whole_month(day: Date) -> DateRange {
    DateRange { from: day.first_of_month(), to: day.last_of_month() }
}

pub(super) fn whole_year(year: i16) -> Option<DateRange> {
    DateRange::new(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?)
}
