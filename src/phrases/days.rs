//! Single days: "yesterday", "last Friday", "20 Nov", "the 3rd", "2026-11-20", "3 days ago".
//!
//! Each reader looks at one position and says where its phrase ends. What surrounds the phrase is `periods`' concern.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateReading, calendar, day_words,
    denominations::is_money,
    lexicon::Class,
    month_days,
    numeric_dates::numeric,
    periods::{Point, When},
    times,
    tokens::Line,
    vocabulary, weekdays, years,
};

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let day = times::outer(line, at, today).or_else(|| plain(line, at, today))?;
    // "Jul 18, Fri", "20 Nov (Friday)"
    let parted = line.skip(day.end, &[',', '('], &[]);
    let names_month = || (at..day.end).any(|at| vocabulary::month(line, at).is_some());
    let weekday = vocabulary::weekday(line, parted).filter(|_| parted > day.end && names_month());
    let end = line.skip(parted + 1, &[')'], &[]);
    match weekday.filter(|_| day_words::closes(line, end)) {
        Some(weekday) => Some(checked(Point { end, ..day }, weekday)),
        None => Some(day),
    }
}

/// One that is not counted from another.
pub(super) fn plain(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let Some(day) = times::day(line, at, today) else { return dated(line, at, today) };
    Some(dated(line, at, today).filter(|longer| longer.end > day.end).unwrap_or(day))
}

/// By a number, a month or a weekday.
fn dated(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    numeric(line, at, today)
        .or_else(|| years::led_day(line, at, today))
        .or_else(|| month_days::month_and_day(line, at, today))
        .or_else(|| weekdays::weekday(line, at, today))
        .or_else(|| month_days::day_of_month(line, at, today))
        .or_else(|| day_words::day(line, at, today))
}

pub(super) fn unclear(end: usize) -> Point {
    read(end, DateReading::Ambiguous(Vec::new()))
}

/// `1970..=2100`: other years are typing errors.
pub(super) fn known_year(digits: &str) -> Option<i16> {
    digits.parse().ok().filter(|year| digits.len() == 4 && (1970..=2100).contains(year))
}

/// The most recent day of that month and day, today included.
pub(super) fn most_recent(month: i8, day: i8, today: Date) -> Option<Date> {
    // A leap day of years ago has to be said with its year.
    let candidates = (0..=1).filter_map(|back| Date::new(today.year().checked_sub(back)?, month, day).ok());
    candidates.into_iter().find(|date| *date <= today)
}

/// Such a day of the next 60: "25 Dec" in November.
fn soon(month: i8, day: i8, today: Date) -> Option<Date> {
    let years = [today.year(), today.year().checked_add(1)?];
    let days = years.into_iter().filter_map(|year| Date::new(year, month, day).ok());
    let last = today.checked_add(60.days()).ok()?;
    days.into_iter().find(|date| *date > today && *date <= last)
}

/// A four-digit year that is no amount of money, and where it ends.
pub(super) fn year<'l>(line: &'l Line<'_>, at: usize) -> Option<(usize, &'l str)> {
    let digits = line.digits(at).filter(|digits| digits.len() == 4)?;
    let money = is_money(line, at + 1) && (line.mark(at + 1).is_none() || line.glued(at + 1));
    (line.ends(at + 1) && !money).then_some((at + 1, digits))
}

pub(super) fn read(end: usize, reading: DateReading) -> Point {
    Point { end, when: When::Day(reading), yearless: None, coming: None }
}

pub(super) fn on(end: usize, date: Date) -> Point {
    read(end, DateReading::On(date))
}

pub(super) fn checked(day: Point, weekday: Weekday) -> Point {
    match day.when {
        When::Day(DateReading::On(date)) if date.weekday() != weekday => {
            let why = format!("{} is a {:?}, not a {:?}", date.strftime("%-d %B %Y"), date.weekday(), weekday);
            impossible(day.end, why)
        }
        // There is but one.
        _ => Point { coming: None, ..day },
    }
}

/// "last", "this", "nächsten" and their like, as a number of steps.
pub(super) fn direction(line: &Line<'_>, at: usize) -> Option<i16> {
    let steps = [(Class::Last, -1), (Class::This, 0), (Class::Next, 1), (Class::LastButOne, -2)];
    steps.into_iter().find(|(words, _)| line.is(at, *words)).map(|(_, steps)| steps)
}

pub(super) fn in_year(end: usize, year: i16, month: i8, day: i8) -> Point {
    let missing = |_| impossible(end, format!("there is no {day} {} {year}", month_name(month)));
    Date::new(year, month, day).map_or_else(missing, |date| on(end, date))
}

/// `3`, `03`, `3rd`: where it ends, the day, and whether it is an ordinal.
pub(super) fn digit_day(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let digits = line.digits(at).filter(|digits| digits.len() <= 2)?;
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    let ordinal = line.glued(at + 1) && line.is(at + 1, Class::OrdinalEnding);
    Some((at + 1 + usize::from(ordinal), day, ordinal))
}

/// The last such weekday there was, today included.
pub(super) fn recent(weekday: Weekday, today: Date) -> Option<Date> {
    today.checked_sub(i32::from(weekday.until(today.weekday())).days()).ok()
}

/// "last Tuesday" said on a Thursday is two days ago to some, and nine to others: exact only where both agree.
pub(super) fn beside(today: Date, steps: i16, weekday: Weekday) -> Option<DateReading> {
    let of_week = calendar::of_week(&calendar::week(today, steps)?, weekday)?;
    let nearest = match steps {
        0 => of_week,
        -1 => today.checked_sub(((i32::from(weekday.until(today.weekday())) + 6).rem_euclid(7) + 1).days()).ok()?,
        _ => today.checked_add(((i32::from(today.weekday().until(weekday)) + 6).rem_euclid(7) + 1).days()).ok()?,
    };
    Some(if nearest == of_week { DateReading::On(of_week) } else { DateReading::Ambiguous(vec![nearest, of_week]) })
}

pub(super) fn impossible(end: usize, why: String) -> Point {
    read(end, DateReading::Impossible(why))
}

pub(super) fn in_unknown_year(end: usize) -> Point {
    impossible(end, "I only know the years from 1970 to 2100".to_owned())
}

/// The most recent such day.
pub(super) fn latest(end: usize, month: i8, day: i8, today: Date) -> Point {
    match most_recent(month, day, today) {
        Some(date) => Point { yearless: Some((month, Some(day))), coming: soon(month, day, today), ..on(end, date) },
        None if (month, day) == (2, 29) => {
            impossible(end, "29 February is only in leap years: write it with its year, like 29 Feb 2024".to_owned())
        }
        None => impossible(end, format!("there is no {day} {}", month_name(month))),
    }
}

pub(super) fn month_name(month: i8) -> String {
    jiff::civil::date(2000, month.clamp(1, 12), 1).strftime("%B").to_string()
}
