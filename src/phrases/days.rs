//! Single days: "yesterday", "last Friday", "20 Nov", "the 3rd", "2026-11-20", "3 days ago".
//!
//! Each reader looks at one position and says where its phrase ends. What surrounds the phrase is `periods`' concern.

use jiff::{
    Span, ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateReading, Language, currencies, day_words, foreign_days, month_days,
    numeric_dates::numeric,
    tokens::Line,
    vocabulary::{self, Unit},
};

/// A day that was read, and where the phrase ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Day {
    pub end: usize,
    pub reading: DateReading,
    /// Month and day when no year was said: a range's other end may supply it.
    pub yearless: Option<(i8, i8)>,
}

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    numeric(line, at, today)
        .or_else(|| after_weekday(line, at, today))
        .or_else(|| month_and_day(line, at, today))
        .or_else(|| relative(line, at, today))
        .or_else(|| counted(line, at, today))
        .or_else(|| month_days::nth_weekday(line, at, today))
        .or_else(|| weekday(line, at, today))
        .or_else(|| month_days::day_of_month(line, at, today))
        .or_else(|| foreign_days::day(line, at, today))
        .or_else(|| day_words::day(line, at, today))
}

pub(super) fn unclear(end: usize) -> Day {
    Day { end, reading: DateReading::Ambiguous(Vec::new()), yearless: None }
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

/// A four-digit year that is no amount of money, and where it ends.
pub(super) fn year<'l>(line: &'l Line<'_>, at: usize) -> Option<(usize, &'l str)> {
    let digits = line.digits(at).filter(|digits| digits.len() == 4)?;
    let money = currencies::word(line.tokens.get(at + 1).map_or("", |next| next.text), line.word(at + 1)).is_some()
        || line.mark(at + 1).and_then(currencies::sign).is_some_and(|_| line.glued(at + 1));
    (line.ends(at + 1) && !money).then_some((at + 1, digits))
}

/// "nineteen ninety nine", "two thousand and twenty", and where it ends.
pub(super) fn year_in_words(line: &Line<'_>, at: usize) -> Option<(usize, i16)> {
    let (end, year) = vocabulary::year(&line.tokens, at)?;
    let money = currencies::word(line.tokens.get(end).map_or("", |next| next.text), line.word(end)).is_some();
    Some((end, i16::try_from(year).ok().filter(|year| !money && (1970..=2100).contains(year))?))
}

pub(super) fn on(end: usize, date: Date) -> Day {
    Day { end, reading: DateReading::On(date), yearless: None }
}

/// "Monday, 16 Nov", "Friday the 20th".
fn after_weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let weekday = vocabulary::weekday(line.word(at)).filter(|_| line.starts(at))?;
    let next = line.skip(line.skip(at + 1, &['.'], &[]), &[','], &[]);
    let read = numeric(line, next, today)
        .or_else(|| month_and_day(line, next, today))
        .or_else(|| month_days::day_of_month(line, next, today));
    match read {
        Some(day) => Some(checked(day, weekday)),
        // A weekday of some month, or one whose day is said in a way not read here.
        None if vocabulary::month(line.word(next)).is_some() => Some(unclear(next + 1)),
        None if line.word(next) == "the" => {
            month_days::spelt_day(line, next + 1, today).map(|day| checked(day, weekday))
        }
        None => None,
    }
}

fn checked(day: Day, weekday: Weekday) -> Day {
    match day.reading {
        DateReading::On(date) if date.weekday() != weekday => {
            let why = format!("{} is a {:?}, not a {:?}", long(date), date.weekday(), weekday);
            impossible(day.end, why)
        }
        _ => day,
    }
}

/// "20 Nov", "20th of November 2025", "Nov 20", "May twenty-first".
pub(super) fn month_and_day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let (end, month, day) = day_then_month(line, at).or_else(|| month_then_day(line, at))?;
    if let Some(end) = foreign_days::dotted_with_short_year(line, at, today) {
        return Some(unclear(end));
    }
    // "12 Nov 5" can be the 12th or the 5th.
    let two_days =
        line.digits(at).is_some() && line.digits(at + 1).is_none() && vocabulary::month(line.word(at + 1)).is_some();
    if two_days
        && !line.glued(end)
        && digit_day(line, end).is_some_and(|(after, ..)| after == end + 1 && line.ends(after))
    {
        let year = usize::from(year(line, end + 1).is_some());
        return Some(unclear(end + 1 + year));
    }
    let dashed = line.glued_mark(end) == Some('-') && line.glued(end + 1);
    let next = if dashed { end + 1 } else { line.skip(line.skip(end, &['.'], &[]), &[','], &[]) };
    if let Some((end, digits)) = year(line, next) {
        let Some(year) = known_year(digits) else {
            return Some(impossible(end, "I only know the years from 1970 to 2100".to_owned()));
        };
        return Some(in_year(end, year, month, day));
    }
    if let Some((end, year)) = year_in_words(line, next) {
        return Some(in_year(end, year, month, day));
    }
    // "Oct-16" can be a year's.
    if !line.glued(at)
        && vocabulary::month(line.word(at)).is_some()
        && day >= 10
        && matches!(line.glued_mark(at + 1), Some('-' | '/'))
    {
        return Some(unclear(end));
    }
    if let Some(shift) = year_shift(line, next) {
        return Some(in_year(next + 2, today.year().checked_add(shift)?, month, day));
    }
    let number_follows = vocabulary::is_number_word(line.word(next))
        || vocabulary::is_number_word(line.word(next + 1)) && line.word(next) == "the";
    if number_follows {
        return Some(unclear(next + 1));
    }
    Some(match most_recent(month, day, today) {
        Some(date) => Day { end, reading: DateReading::On(date), yearless: Some((month, day)) },
        None => impossible(end, no_such_day(month, day)),
    })
}

/// "last year" and its like, as a number of years.
pub(super) fn year_shift(line: &Line<'_>, at: usize) -> Option<i16> {
    if line.word(at + 1) != "year" {
        return None;
    }
    direction(line.word(at))
}

/// "last", "this", "next" and their like, as a number of steps.
pub(super) fn direction(word: &str) -> Option<i16> {
    Some(match word {
        "last" | "previous" => -1,
        "this" | "current" => 0,
        "next" | "upcoming" => 1,
        _ => return None,
    })
}

pub(super) fn in_year(end: usize, year: i16, month: i8, day: i8) -> Day {
    let missing = |_| impossible(end, format!("there is no {day} {} {year}", month_name(month)));
    Date::new(year, month, day).map_or_else(missing, |date| on(end, date))
}

fn day_then_month(line: &Line<'_>, at: usize) -> Option<(usize, i8, i8)> {
    if !line.starts(at) {
        return None;
    }
    let (end, day) = match digit_day(line, at) {
        Some((end, day, _)) => (line.skip(end, &['.', '-', '/'], &["of"]), day),
        None => {
            let (end, day) = vocabulary::ordinal_words(&line.tokens, at)?;
            (end + 1, i8::try_from(day).ok().filter(|_| line.word(end) == "of")?)
        }
    };
    let month = vocabulary::month(line.word(end))?;
    Some((end + 1, month, day))
}

fn month_then_day(line: &Line<'_>, at: usize) -> Option<(usize, i8, i8)> {
    let month = vocabulary::month(line.word(at)).filter(|_| line.starts(at))?;
    let joined = matches!(line.glued_mark(at + 1), Some('-' | '/')) && line.glued(at + 2);
    let marks: &[char] = if joined { &['-', '/'] } else { &['.'] };
    let next = line.skip(line.skip(at + 1, marks, &[]), &[], &["the"]);
    if let Some((end, day, ordinal)) = digit_day(line, next) {
        let written = line.tokens.get(end).map_or("", |token| token.text);
        let money = currencies::word(written, line.word(end)).is_some();
        let range = line.glued_mark(end) == Some('-');
        return ((line.ends(end) || range) && (ordinal || !money) && (!line.glued(next) || joined || next == at + 1))
            .then_some((end, month, day));
    }
    let (end, day) =
        vocabulary::ordinal_words(&line.tokens, next).or_else(|| vocabulary::cardinal(&line.tokens, next))?;
    Some((end, month, i8::try_from(day).ok().filter(|day| *day <= 31)?))
}

/// `3`, `03`, `3rd`: where it ends, the day, and whether it is an ordinal.
pub(super) fn digit_day(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let digits = line.digits(at).filter(|digits| digits.len() <= 2)?;
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    let ordinal = line.glued(at + 1) && line.is(at + 1, &["st", "nd", "rd", "th"]);
    Some((at + 1 + usize::from(ordinal), day, ordinal))
}

fn relative(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let word = line.word(at);
    let word = word.strip_suffix("'s").unwrap_or(word);
    let start = line.skip(at, &[], &["the"]);
    let around =
        |near: &str, far: &str| line.word(start) == "day" && line.word(start + 1) == near && line.is(start + 2, &[far]);
    if around("before", "yesterday") {
        return Some(on(part_end(line, at, start + 3), today.checked_sub(2.days()).ok()?));
    }
    if around("after", "tomorrow") {
        return Some(on(start + 3, today.checked_add(2.days()).ok()?));
    }
    let (end, days) = match word {
        "today" | "tonight" | "todays" => (at + 1, 0),
        "this" if line.is(at + 1, &PARTS_OF_DAY[..3]) || line.word(at + 1) == "lunchtime" => {
            (part_end(line, at, at + 1), 0)
        }
        "last" if line.is(at + 1, &["night's", "nights"]) => (at + 2, -1),
        "last" if line.word(at + 1) == "night" => (part_end(line, at, at + 1), -1),
        "yesterday" | "yesterdays" => (part_end(line, at, at + 1), -1),
        "tomorrow" => (part_end(line, at, at + 1), 1),
        _ => return None,
    };
    Some(on(end, today.checked_add(days.days()).ok()?))
}

/// Past "evening", and past the hour of it: "3.50 last night at 11". Without a price before, it may be the price.
fn part_end(line: &Line<'_>, at: usize, end: usize) -> usize {
    let part = line.is(end, &PARTS_OF_DAY) || line.word(end) == "lunchtime";
    let hour = part && line.word(end + 1) == "at" && day_words::is_after_price(line, at);
    let hour =
        hour && digit_day(line, end + 2).is_some_and(|(end, hour, _)| hour <= 12 && day_words::closes(line, end));
    end + usize::from(part) + if hour { 2 } else { 0 }
}

pub(super) const PARTS_OF_DAY: [&str; 4] = ["morning", "afternoon", "evening", "night"];

/// "3 days ago", "two weeks from now", "2 days before yesterday".
fn counted(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    if !line.starts(at) || line.follows(at, &["half", "quarter"]) {
        return None;
    }
    let (end, span) = duration(line, at)?;
    let anchored = |shift: i32| today.checked_add(shift.days()).ok();
    let (end, date) = match (line.word(end), line.word(end + 1)) {
        ("ago", _) => (end + 1, today.checked_sub(span).ok()?),
        ("from" | "after", "now" | "today") => (end + 2, today.checked_add(span).ok()?),
        ("from" | "after", "tomorrow") => (end + 2, anchored(1)?.checked_add(span).ok()?),
        ("from" | "after", "yesterday") => (end + 2, anchored(-1)?.checked_add(span).ok()?),
        ("before", "today" | "now") => (end + 2, today.checked_sub(span).ok()?),
        ("before", "yesterday") => (end + 2, anchored(-1)?.checked_sub(span).ok()?),
        _ if line.follows(at, &["in"]) && !line.is(end, &["total"]) => return Some(unclear(end)),
        _ => return None,
    };
    const ROUGHLY: [&str; 12] = [
        "over", "about", "around", "almost", "nearly", "than", "within", "roughly", "for", "and", "some",
        "approximately",
    ];
    Some(if line.follows(at, &ROUGHLY) { unclear(end) } else { on(end, date) })
}

/// "1 month and 21 days".
pub(super) fn duration(line: &Line<'_>, at: usize) -> Option<(usize, Span)> {
    let mut span = Span::new();
    let mut end = at;
    let mut next = at;
    while let Some((after, count, unit)) = quantity(line, next) {
        span = match unit {
            Unit::Day => span.try_days(i64::from(span.get_days()) + count),
            Unit::Week => span.try_days(i64::from(span.get_days()) + count * 7),
            Unit::Month => span.try_months(i64::from(span.get_months()) + count),
            Unit::Year => span.try_years(i64::from(span.get_years()) + count),
        }
        .ok()?;
        end = after;
        next = line.skip(end, &[','], &["and"]);
    }
    (end > at).then_some((end, span))
}

fn quantity(line: &Line<'_>, at: usize) -> Option<(usize, i64, Unit)> {
    let (end, count) = match line.digits(at) {
        Some(digits) => (at + 1, digits.parse().ok().filter(|_| digits.len() <= 4)?),
        None if line.is(at, &["a", "an"]) => (at + 1, 1),
        None => vocabulary::cardinal(&line.tokens, at)?,
    };
    let unit = vocabulary::unit(line.word(end))?;
    Some((end + 1, i64::try_from(count).ok().filter(|count| *count <= 9999)?, unit))
}

/// "Friday", "last Friday", "Friday of last week", "next week on Friday".
fn weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    if !line.starts(at) {
        return None;
    }
    let past = at + usize::from(line.word(at) == "this");
    if line.word(past) == "past" && vocabulary::weekday(line.word(past + 1)).is_some() {
        return weekday(line, past + 1, today);
    }
    if let Some(steps) = direction(line.word(at)) {
        let week = usize::from(line.is(at + 1, &["week", "week's"]));
        let named = line.skip(at + 1 + week, &[], if week == 1 { &["on"] } else { &[] });
        let weekday = vocabulary::weekday(line.word(named))?;
        let end = line.skip(named + 1, &[], &PARTS_OF_DAY);
        let of_month = line.is(end, &["of", "in"]) || vocabulary::month(line.word(end)).is_some();
        return Some(match week {
            _ if of_month => unclear(end + 1),
            1 => on(end, in_week(today, steps, weekday)?),
            _ => Day { end, reading: beside(today, steps, weekday)?, yearless: None },
        });
    }
    let weekday = vocabulary::weekday(line.word(at))?;
    let of = line.skip(at + 1, &[], &["of"]);
    if let Some(steps) = direction(line.word(of)).filter(|_| line.word(of + 1) == "week") {
        return Some(on(of + 2, in_week(today, steps, weekday)?));
    }
    if !vocabulary::is_full_weekday(line.word(at)) && !is_meant_as_weekday(line, at) {
        return opening(line, at, weekday, today);
    }
    // "monday.com"
    let is_address = line.glued_mark(at + 1) == Some('.') && line.glued(at + 2) && !line.word(at + 2).is_empty();
    if is_address || day_words::is_name(line, at) {
        return None;
    }
    let counted = at > 0
        && (vocabulary::is_number_word(line.word(at - 1))
            || line.digits(at - 1).is_some_and(|_| !line.glued(at)) && line.is(at + 1, &["later", "ago", "from"]));
    if counted || line.follows(at, &["every", "each", "few", "couple"]) || line.is(at + 1, &["week", "fortnight"]) {
        return Some(unclear(at + 1));
    }
    if line.word(at + 1) == "before" && line.word(at + 2) == "last" {
        return Some(unclear(at + 3));
    }
    let end = part_end(line, at, at + 1);
    let gone = line.skip(end, &[], &["just"]);
    let end = if line.word(gone) == "gone" { gone + 1 } else { end };
    let back = weekday.until(today.weekday());
    let is_its = line.word(at).ends_with("'s");
    if line.follows(at, &["for"]) && (is_its || is_aimed(line, at, end)) {
        return past_or_coming(end, weekday, today);
    }
    Some(on(end, today.checked_sub(i32::from(back).days()).ok()?))
}

/// "tickets 30 for Friday": beside a price, behind a word that says what for.
pub(super) fn is_aimed(line: &Line<'_>, at: usize, end: usize) -> bool {
    day_words::is_after_price(line, at - 1) || line.digits(end).is_some()
}

/// What is bought for a Friday may be for the next one.
pub(super) fn past_or_coming(end: usize, weekday: Weekday, today: Date) -> Option<Day> {
    let past = today.checked_sub(i32::from(weekday.until(today.weekday())).days()).ok()?;
    let either = DateReading::Ambiguous(vec![past, past.checked_add(7.days()).ok()?]);
    Some(Day { end, reading: either, yearless: None })
}

/// "mon coffee 3, tue cake 4": a short form that opens a clause. "Mon" is also what French say for "my",
/// and "sun" and "sat" begin names.
fn opening(line: &Line<'_>, at: usize, weekday: Weekday, today: Date) -> Option<Day> {
    const THINGS: [&str; 20] = [
        "cream", "block", "screen", "lotion", "hat", "hats", "glasses", "bed", "beds", "tan", "lamp", "dress", "shade",
        "umbrella", "flower", "flowers", "nav", "navs", "tv", "dish",
    ];
    let opens = at == 0 || line.mark(at - 1).is_some_and(|mark| ",;:.".contains(mark)) || line.follows(at, &["and"]);
    let headed = line.mark(at + 1) == Some(':');
    let leads = headed || !line.word(at + 1).is_empty() && !line.glued(at + 1) && !line.is(at + 1, &THINGS);
    let beside = || (0..line.tokens.len()).any(|other| other != at && vocabulary::weekday(line.word(other)).is_some());
    let is_french = line.conventions.language == Some(Language::French);
    match line.word(at) {
        _ if !opens || !leads => None,
        "mon" if is_french => None,
        "mon" | "sat" | "sun" if !headed && !beside() => Some(unclear(at + 1)),
        _ => Some(on(at + 1, today.checked_sub(i32::from(weekday.until(today.weekday())).days()).ok()?)),
    }
}

/// Short forms like "sun" and "sat" are words too.
fn is_meant_as_weekday(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, &["on", "since", "until", "till", "from", "to", "between", "by", "before", "after"])
        || line.is(at + 1, &PARTS_OF_DAY)
        || day_words::is_after_price(line, at) && day_words::closes(line, at + 1)
        || [line.word(at + 1), line.before(at, 1)].into_iter().any(|word| vocabulary::weekday(word).is_some())
        || line.tokens.get(at + 1).is_none()
        || line.mark(at + 1).is_some_and(|mark| ".,!?;)".contains(mark)) && line.ends(at + 1)
}

/// That weekday of a week, Monday first.
fn in_week(today: Date, weeks: i16, weekday: Weekday) -> Option<Date> {
    let monday = today.checked_sub(i16::from(today.weekday().to_monday_zero_offset()).days()).ok()?;
    monday.checked_add((weeks * 7 + i16::from(weekday.to_monday_zero_offset())).days()).ok()
}

/// "last Tuesday" said on a Thursday is two days ago to some, and nine to others: exact only where both agree.
pub(super) fn beside(today: Date, steps: i16, weekday: Weekday) -> Option<DateReading> {
    let of_week = in_week(today, steps, weekday)?;
    let nearest = match steps {
        0 => of_week,
        -1 => today.checked_sub(((i32::from(weekday.until(today.weekday())) + 6).rem_euclid(7) + 1).days()).ok()?,
        _ => today.checked_add(((i32::from(today.weekday().until(weekday)) + 6).rem_euclid(7) + 1).days()).ok()?,
    };
    Some(if nearest == of_week { DateReading::On(of_week) } else { DateReading::Ambiguous(vec![nearest, of_week]) })
}

pub(super) fn impossible(end: usize, why: String) -> Day {
    Day { end, reading: DateReading::Impossible(why), yearless: None }
}

pub(super) fn no_such_day(month: i8, day: i8) -> String {
    match (month, day) {
        (2, 29) => "29 February is only in leap years: write it with its year, like 29 Feb 2024".to_owned(),
        _ => format!("there is no {day} {}", month_name(month)),
    }
}

pub(super) fn long(date: Date) -> String {
    format!("{} {} {}", date.day(), month_name(date.month()), date.year())
}

pub(super) fn month_name(month: i8) -> &'static str {
    const NAMES: [&str; 12] = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ];
    NAMES[usize::from(month.unsigned_abs().clamp(1, 12)) - 1]
}
