//! Days and spans that are counted from another day: "the day before last Friday", "the Monday after 1 November",
//! "a week ago yesterday", "week ending 15 Nov".

use jiff::{
    Span, ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateRange, DateReading,
    calendar::{self, Period},
    day_words,
    days::{self, Day, beside, in_week, unclear},
    durations::duration,
    number_words,
    tokens::Line,
    vocabulary,
};

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    const LINKS: [&str; 8] = ["before", "after", "ago", "to", "back", "from", "preceding", "following"];
    if !line.leads_to(at, &LINKS) || !line.starts(at) {
        return None;
    }
    weekday_beside(line, at, today)
        .or_else(|| nearest(line, at, today))
        .or_else(|| counted(line, at, today))
        .or_else(|| of_a_week_ago(line, at, today))
        .or_else(|| weekdays_ago(line, at, today))
}

/// "the day before last Friday", "3 days after the 10th"; "a year ago today", "two weeks ago on Friday".
fn counted(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = line.skip(at, &[], &["the"]);
    let is_unit = vocabulary::unit(line.word(start)).is_some() || line.is(start, &["weekend", "fortnight"]);
    let is_day = line.is(start, &["day", "night", "evening"]);
    let named = is_day || start > at && is_unit;
    let (end, span) = if named { (start + 1, 1.day()) } else { duration(line, at)? };
    let steps = match line.word(end) {
        "before" | "preceding" => -1,
        "after" | "following" => 1,
        "ago" if !named => return ago(line, end + 1, span, today),
        _ => return None,
    };
    if line.is(end + 1, &["yesterday", "today", "tomorrow", "now"]) {
        return None;
    }
    let anchor = anchor(line, end + 1, today)?;
    // The week before a day may be the seven days, or the calendar's; "the 2 weeks before" it are no day.
    let is_span = named && !is_day || !named && line.follows(at, &["the"]);
    if is_span {
        return Some(unclear(anchor.end));
    }
    shifted(&anchor, |day| day.checked_add(span.checked_mul(steps).ok()?).ok())
}

/// What stands behind "a week ago".
fn ago(line: &Line<'_>, at: usize, span: Span, today: Date) -> Option<Day> {
    let next = line.skip(at, &[], &["on"]);
    let back = |anchor: &Day| shifted(anchor, |day| day.checked_sub(span).ok());
    if let Some(weekday) = vocabulary::weekday(line.word(next)) {
        return weekday_ago(next + 1, weekday, span, today);
    }
    let relative = line.is(at, &["today", "yesterday", "tomorrow"]) || line.word(at) == "last";
    back(&days::plain(line, at, today).filter(|_| relative)?)
}

/// "Monday two weeks ago", "Monday the week before last".
fn of_a_week_ago(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let weekday = vocabulary::weekday(line.word(at))?;
    let next = line.skip(at + 1, &[], &["of", "from", "in"]);
    let led = line.word(next) == "the" && line.word(next + 1) == "week";
    if led && line.word(next + 2) == "before" && line.word(next + 3) == "last" {
        return Some(days::on(next + 4, in_week(today, -2, weekday)?));
    }
    let (end, span) = duration(line, next).filter(|(end, _)| line.word(*end) == "ago")?;
    weekday_ago(end + 1, weekday, span, today)
}

/// That weekday of a week some weeks ago; "two weeks ago on Sunday" said on a Friday may be one of two.
fn weekday_ago(end: usize, weekday: Weekday, span: Span, today: Date) -> Option<Day> {
    let weeks = i16::try_from(span.get_days() / 7).ok()?;
    if span.fieldwise() != (i64::from(weeks) * 7).days().fieldwise() {
        return Some(unclear(end));
    }
    let of_week = in_week(today, -weeks, weekday)?;
    let back = (i32::from(weekday.until(today.weekday())) + i32::from(weeks) * 7).days();
    let counted = today.checked_sub(back).ok()?;
    Some(either(end, counted, of_week))
}

fn either(end: usize, one: Date, other: Date) -> Day {
    let reading = if one == other { DateReading::On(one) } else { DateReading::Ambiguous(vec![one, other]) };
    Day { end, reading, yearless: None }
}

/// "the Friday before 10 Nov", "Friday before last", "the Monday following the 1st".
fn weekday_beside(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = line.skip(at, &[], &["the"]);
    let start = number_words::ordinal_words(&line.tokens, start).map_or(start, |(end, _)| end);
    let weekday = vocabulary::weekday(line.word(start))?;
    let before = line.is(start + 1, &["before", "preceding"]);
    if !before && !line.is(start + 1, &["after", "following"]) {
        return None;
    }
    match line.word(start + 2) {
        "last" if before && day_words::closes(line, start + 3) => {
            let last = Day { end: start + 3, reading: beside(today, -1, weekday)?, yearless: None };
            return shifted(&last, |day| day.checked_sub(7.days()).ok());
        }
        "next" if !before => return Some(unclear(start + 3)),
        _ => {}
    }
    let anchor = anchor(line, start + 2, today)?;
    // "the third Friday after 1 October"
    if start > 0 && number_words::is_number_word(line.word(start - 1)) {
        return Some(unclear(anchor.end));
    }
    shifted(&anchor, |day| day.nth_weekday(if before { -1 } else { 1 }, weekday).ok())
}

/// "the closest Monday to Oct 5th"
fn nearest(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = line.skip(at, &[], &["the"]);
    let weekday = line.skip(start + 1, &[], &["day"]);
    let said = line.is(start, &["closest", "nearest"]) && line.word(weekday + 1) == "to";
    vocabulary::weekday(line.word(weekday)).filter(|_| said)?;
    anchor(line, weekday + 2, today).map(|anchor| unclear(anchor.end))
}

/// "two Fridays ago"
fn weekdays_ago(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let digits = || line.digits(at).filter(|digits| digits.len() <= 2)?.parse().ok().map(|count| (at + 1, count));
    let counted = || digits().or_else(|| number_words::cardinal(&line.tokens, at));
    // Most numbers count something else.
    if !(1..=4).any(|ahead| line.word(at + ahead).ends_with("days")) {
        return None;
    }
    let (end, count) = counted()?;
    let weekday = vocabulary::weekday(line.word(end).strip_suffix('s')?)?;
    match (line.word(end + 1), line.word(end + 2)) {
        ("ago" | "back", _) => {}
        ("from" | "before" | "after", "now" | "today" | "last") => return Some(unclear(end + 3)),
        _ => return None,
    }
    let last = today.nth_weekday(-1, weekday).ok()?;
    Some(days::on(end + 2, last.checked_sub((i64::try_from(count).ok()?.checked_sub(1)? * 7).days()).ok()?))
}

/// The day that something else is counted from, or all days that it may be.
fn anchor(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let day = days::plain(line, at, today);
    let period = calendar::plain(line, at, today, false);
    let Some(day) = day.filter(|day| period.as_ref().is_none_or(|period| day.end >= period.end)) else {
        return period.map(|period| unclear(period.end));
    };
    match (&day.reading, day_words::coming(line, at, &day, today)) {
        (DateReading::On(past), Some(coming)) => Some(either(day.end, *past, coming)),
        _ => Some(day),
    }
}

fn shifted(anchor: &Day, shift: impl Fn(Date) -> Option<Date>) -> Option<Day> {
    let reading = match &anchor.reading {
        DateReading::On(day) => DateReading::On(shift(*day)?),
        DateReading::Ambiguous(days) => DateReading::Ambiguous(days.iter().copied().map(shift).collect::<Option<_>>()?),
        impossible @ DateReading::Impossible(_) => impossible.clone(),
    };
    Some(Day { end: anchor.end, reading, yearless: None })
}

/// "week ending 15 Nov", "year to date", "the week before last".
pub(super) fn span(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let start = line.skip(at, &[], &["the"]);
    if let Some(range) = before_last(line, start, today).filter(|_| day_words::closes(line, start + 3)) {
        return Some(calendar::settled(start + 3, range));
    }
    if let Some((end, range)) = to_date(line, at, today) {
        return Some(calendar::settled(end, range));
    }
    if !line.leads_to(at, &["ending", "ended", "to"]) {
        return None;
    }
    let named = vocabulary::unit(line.word(start)).filter(|_| line.is(start, &["week", "wk", "month", "year", "yr"]));
    let (end, span) = match named {
        Some(unit) => (start + 1, unit.times(1)),
        None if line.is(start, &["quarter", "qtr"]) => (start + 1, 3.months()),
        None => duration(line, start)?,
    };
    let ends = line.is(end, &["ending", "ended"]);
    let next = match (line.word(end), line.word(end + 1)) {
        _ if ends => line.skip(end + 1, &[], &["on"]),
        ("to", _) => end + 1,
        ("up", "to") => end + 2,
        _ => return None,
    };
    let day = days::plain(line, next, today);
    let (end, to) = match &day {
        Some(Day { end, reading: DateReading::On(to), .. }) => (*end, Some(*to)),
        Some(day) => (day.end, None),
        None => {
            calendar::plain(line, next, today, ends).map(|period| (period.end, period.range.map(|range| range.to)))?
        }
    };
    // "The year to October" may have begun in January.
    let range = to.filter(|_| ends).and_then(|to| {
        // Months that end with the last day of one are whole.
        let is_whole = to == to.last_of_month() && span.get_days() == 0;
        let end = if is_whole { to.tomorrow().ok()? } else { to };
        let from = end.checked_sub(span).ok()?;
        DateRange::new(if is_whole { from } else { from.tomorrow().ok()? }, to)
    });
    Some(Period { end, range, yearless: None })
}

/// "week before last"
fn before_last(line: &Line<'_>, at: usize, today: Date) -> Option<DateRange> {
    if line.word(at + 1) != "before" || line.word(at + 2) != "last" {
        return None;
    }
    calendar::so_far_away(line.word(at), -2, today)
}

/// "year to date", "ytd": where it ends.
fn to_date(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, DateRange)> {
    let start = line.skip(at, &[], &["the", "this"]);
    let (end, unit) = match line.word(at) {
        "ytd" => (at + 1, "year"),
        "qtd" => (at + 1, "quarter"),
        "mtd" => (at + 1, "month"),
        "wtd" => (at + 1, "week"),
        _ if line.word(start + 1) == "to" && line.word(start + 2) == "date" => (start + 3, line.word(start)),
        _ => return None,
    };
    let whole = calendar::so_far_away(unit, 0, today)?;
    Some((end, DateRange::new(whole.from, today)?))
}
