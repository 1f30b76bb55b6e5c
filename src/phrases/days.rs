//! Single days: "yesterday", "last Friday", "20 Nov", "the 3rd", "2026-11-20", "3 days ago".
//!
//! Each reader looks at one position and says where its phrase ends. What surrounds the phrase is `periods`' concern.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateReading, day_words, foreign_days,
    foreign_hours::is_money,
    lexicon::{Class, Entry},
    month_days, number_words,
    numeric_dates::numeric,
    short_weekdays, times,
    tokens::Line,
    vocabulary, years,
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
    let day = times::outer(line, at, today).or_else(|| plain(line, at, today))?;
    // "Jul 18, Fri", "20 Nov (Friday)"
    let parted = line.skip(day.end, &[',', '('], &[]);
    let names_month = || (at..day.end).any(|at| vocabulary::month(line.word(at)).is_some());
    let weekday = vocabulary::weekday(line.word(parted)).filter(|_| parted > day.end && names_month());
    let end = line.skip(parted + 1, &[')'], &[]);
    match weekday.filter(|_| day_words::closes(line, end)) {
        Some(weekday) => Some(checked(Day { end, ..day }, weekday)),
        None => Some(day),
    }
}

/// One that is not counted from another.
pub(super) fn plain(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let Some(day) = times::day(line, at, today) else { return dated(line, at, today) };
    Some(dated(line, at, today).filter(|longer| longer.end > day.end).unwrap_or(day))
}

/// By a number, a month or a weekday.
fn dated(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    numeric(line, at, today)
        .or_else(|| after_weekday(line, at, today))
        .or_else(|| years::led_day(line, at, today))
        .or_else(|| month_and_day(line, at, today))
        .or_else(|| weekday(line, at, today))
        .or_else(|| month_days::day_of_month(line, at, today))
        .or_else(|| if line.openings().foreign { foreign_days::day(line, at, today) } else { None })
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
    let money = is_money(line, at + 1) && (line.mark(at + 1).is_none() || line.glued(at + 1));
    (line.ends(at + 1) && !money).then_some((at + 1, digits))
}

/// "nineteen ninety nine", "two thousand and twenty", and where it ends.
pub(super) fn year_in_words(line: &Line<'_>, at: usize) -> Option<(usize, i16)> {
    let (end, year) = number_words::year(line, at)?;
    Some((end, i16::try_from(year).ok().filter(|year| !is_money(line, end) && (1970..=2100).contains(year))?))
}

pub(super) fn on(end: usize, date: Date) -> Day {
    Day { end, reading: DateReading::On(date), yearless: None }
}

/// "Monday, 16 Nov", "Friday the 20th".
fn after_weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let weekday = vocabulary::weekday(line.word(at)).filter(|_| line.starts(at))?;
    if let Some(day) = behind_weekday(line, at + 1, weekday, today) {
        return Some(day);
    }
    let next = line.skip(line.skip(at + 1, &['.'], &[]), &[','], &[]);
    match line.word(next) {
        // A weekday of some month, or one whose day is said in a way not read here.
        word if vocabulary::month(word).is_some() => Some(unclear(next + 1)),
        "the" if digit_day(line, next + 1).is_some() => {
            let (end, number, _) = digit_day(line, next + 1).filter(|(end, ..)| day_words::closes(line, *end))?;
            Some(checked(on(end, month_days::day_of_recent_month(number, today)?), weekday))
        }
        "the" => month_days::spelt_day(line, next + 1, today).map(|day| checked(day, weekday)),
        _ => None,
    }
}

/// "Monday, 16 Nov", "Montag, den 16. November".
pub(super) fn behind_weekday(line: &Line<'_>, end: usize, weekday: Weekday, today: Date) -> Option<Day> {
    let next = line.skip(line.skip(line.skip(end, &['.'], &[]), &[','], &[]), &[], &["den", "dem", "der"]);
    let foreign = || if line.openings().foreign { foreign_days::day_and_month(line, next, today) } else { None };
    let day = foreign().or_else(|| numeric(line, next, today)).or_else(|| month_and_day(line, next, today));
    day.or_else(|| month_days::day_of_month(line, next, today)).map(|day| checked(day, weekday))
}

fn checked(day: Day, weekday: Weekday) -> Day {
    match day.reading {
        DateReading::On(date) if date.weekday() != weekday => {
            let why = format!("{} is a {:?}, not a {:?}", date.strftime("%-d %B %Y"), date.weekday(), weekday);
            impossible(day.end, why)
        }
        _ => day,
    }
}

/// "20 Nov", "20th of November 2025", "Nov 20", "May twenty-first".
pub(super) fn month_and_day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    // "since the 1st of November"
    let at = if line.word(at) == "the" && vocabulary::month(line.word(at + 1)).is_none() { at + 1 } else { at };
    let (end, month, day) = day_then_month(line, at).or_else(|| month_then_day(line, at))?;
    if let Some(end) = foreign_days::dotted_with_short_year(line, at, today) {
        return Some(unclear(end));
    }
    // "12 Nov 5" can be the 12th or the 5th.
    let two_days =
        line.digits(at).is_some() && line.digits(at + 1).is_none() && vocabulary::month(line.word(at + 1)).is_some();
    // "coffee 3 nov.18"
    if two_days && line.glued_mark(end) == Some('.') && line.glued(end + 1) && digit_day(line, end + 1).is_some() {
        return Some(unclear(end + 2));
    }
    if two_days
        && vocabulary::unit(line.word(end + 1)).is_none()
        && !line.glued(end)
        && digit_day(line, end).is_some_and(|(after, ..)| after == end + 1 && line.ends(after))
    {
        let year = usize::from(year(line, end + 1).is_some());
        return Some(unclear(end + 1 + year));
    }
    let dashed = line.glued_mark(end).is_some_and(|mark| "-/".contains(mark)) && line.glued(end + 1);
    let next = if dashed { end + 1 } else { line.skip(end, &['.'], &[]) };
    match years::behind(line, next, today) {
        Some((end, Some(year))) => return Some(in_year(end, year, month, day)),
        Some((end, None)) => return Some(in_unknown_year(end)),
        None => {}
    }
    let next = line.skip(next, &[','], &[]);
    // "Oct-16" can be a year's.
    if !line.glued(at)
        && vocabulary::month(line.word(at)).is_some()
        && day >= 10
        && matches!(line.glued_mark(at + 1), Some('-' | '/'))
    {
        return Some(unclear(end));
    }
    let number_follows = number_words::is_number_word(line.word(next))
        || number_words::is_number_word(line.word(next + 1)) && line.word(next) == "the";
    if number_follows {
        return Some(unclear(next + 1));
    }
    Some(latest(end, month, day, today))
}

/// "last", "this", "nächsten" and their like, as a number of steps.
pub(super) fn direction(word: &str) -> Option<i16> {
    let steps = [(Class::Last, -1), (Class::This, 0), (Class::Next, 1), (Class::LastButOne, -2)];
    let entry = Entry::of(word);
    steps.into_iter().find(|(words, _)| entry.has(*words)).map(|(_, steps)| steps)
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
            let (end, day) = number_words::day_in_words(line, at)?;
            let next = line.skip(end, &[], &["of"]);
            let meant = next > end || vocabulary::is_plain_month(line.word(end));
            (next, Some(day).filter(|_| meant)?)
        }
    };
    let month = vocabulary::month(line.word(end))?;
    // "lunch 12 March 8th"
    let after = line.skip(line.skip(end + 1, &['.'], &[]), &[','], &[]);
    let priced = end == at + 1 && digit_day(line, after).is_some_and(|(_, _, ordinal)| ordinal);
    (!priced).then_some((end + 1, month, day))
}

fn month_then_day(line: &Line<'_>, at: usize) -> Option<(usize, i8, i8)> {
    let month = vocabulary::month(line.word(at)).filter(|_| line.starts(at))?;
    let joined = matches!(line.glued_mark(at + 1), Some('-' | '/')) && line.glued(at + 2);
    let marks: &[char] = if joined { &['-', '/'] } else { &['.'] };
    // "March, 8th"
    let comma = line.mark(at + 1) == Some(',')
        && digit_day(line, at + 2).is_some_and(|(end, _, ordinal)| {
            ordinal && line.word(end) != "of" && vocabulary::month(line.word(end)).is_none()
        });
    let next = if comma { at + 2 } else { line.skip(line.skip(at + 1, marks, &[]), &[], &["the"]) };
    if let Some((end, day, ordinal)) = digit_day(line, next) {
        let more = line.glued_mark(end) == Some('-')
            || line.glued_mark(end).is_some_and(|mark| ",/".contains(mark)) && year(line, end + 1).is_some();
        let pointed = line.glued_mark(at + 1) == Some('.');
        let whole = !line.glued(next) || joined || pointed || next == at + 1;
        return ((line.ends(end) || more) && (ordinal || !is_money(line, end)) && whole).then_some((end, month, day));
    }
    // "The November one" is one of several.
    if line.is(next, &["one"]) && line.follows(at, &["the"]) {
        return None;
    }
    let (end, day) = number_words::ordinal_words(line, next).or_else(|| number_words::cardinal(line, next))?;
    Some((end, month, i8::try_from(day).ok().filter(|day| *day <= 31)?))
}

/// `3`, `03`, `3rd`: where it ends, the day, and whether it is an ordinal.
pub(super) fn digit_day(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let digits = line.digits(at).filter(|digits| digits.len() <= 2)?;
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    let ordinal = line.glued(at + 1) && line.is(at + 1, Class::OrdinalEnding);
    Some((at + 1 + usize::from(ordinal), day, ordinal))
}

/// "Friday", "Friday evening", "Friday just gone".
fn weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    // "mon-wed"
    let joined = line.mark(at.wrapping_sub(1)) == Some('-') && vocabulary::weekday(line.before(at, 2)).is_some();
    if !line.starts(at) && !joined {
        return None;
    }
    let weekday = vocabulary::weekday(line.word(at))?;
    if !vocabulary::is_full_weekday(line.word(at)) && !short_weekdays::is_meant(line, at) {
        return short_weekdays::day(line, at, weekday, today);
    }
    // "monday.com"
    let is_address = line.glued_mark(at + 1) == Some('.') && line.glued(at + 2) && !line.word(at + 2).is_empty();
    if is_address || day_words::is_name(line, at) {
        return None;
    }
    let counted = number_words::is_number_word(line.before(at, 1));
    if counted || line.follows(at, &["every", "each", "few", "couple"]) || line.is(at + 1, &["week", "fortnight"]) {
        return Some(unclear(at + 1));
    }
    let end = times::part_of_day(line, at + 1);
    let gone = line.skip(end, &[], &["just"]);
    let end = if line.word(gone) == "gone" { gone + 1 } else { end };
    let is_its = line.word(at).ends_with("'s");
    if line.follows(at, &["for"]) && (is_its || is_aimed(line, at, end)) {
        return past_or_coming(end, weekday, today);
    }
    Some(on(end, recent(weekday, today)?))
}

/// "tickets 30 for Friday": beside a price, behind a word that says what for.
pub(super) fn is_aimed(line: &Line<'_>, at: usize, end: usize) -> bool {
    day_words::is_after_price(line, at - 1) || line.digits(end).is_some()
}

/// What is bought for a Friday may be for the next one.
pub(super) fn past_or_coming(end: usize, weekday: Weekday, today: Date) -> Option<Day> {
    let past = recent(weekday, today)?;
    let either = DateReading::Ambiguous(vec![past, past.checked_add(7.days()).ok()?]);
    Some(Day { end, reading: either, yearless: None })
}

/// The last such weekday there was, today included.
pub(super) fn recent(weekday: Weekday, today: Date) -> Option<Date> {
    today.checked_sub(i32::from(weekday.until(today.weekday())).days()).ok()
}

/// That weekday of a week, Monday first.
pub(super) fn in_week(today: Date, weeks: i16, weekday: Weekday) -> Option<Date> {
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

pub(super) fn in_unknown_year(end: usize) -> Day {
    impossible(end, "I only know the years from 1970 to 2100".to_owned())
}

/// The most recent such day.
pub(super) fn latest(end: usize, month: i8, day: i8, today: Date) -> Day {
    match most_recent(month, day, today) {
        Some(date) => Day { yearless: Some((month, day)), ..on(end, date) },
        None if (month, day) == (2, 29) => {
            impossible(end, "29 February is only in leap years: write it with its year, like 29 Feb 2024".to_owned())
        }
        None => impossible(end, format!("there is no {day} {}", month_name(month))),
    }
}

pub(super) fn month_name(month: i8) -> String {
    jiff::civil::date(2000, month.clamp(1, 12), 1).strftime("%B").to_string()
}
