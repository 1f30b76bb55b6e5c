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
    days::{self, Day, in_week, unclear},
    durations::length,
    tokens::Line,
    vocabulary,
};

/// That weekday of a week some weeks ago; "two weeks ago on Sunday" said on a Friday may be one of two.
pub(super) fn weekday_ago(weekday: Weekday, span: Span, today: Date) -> Option<DateReading> {
    let weeks = i16::try_from(span.get_days() / 7).ok()?;
    if span.fieldwise() != (i64::from(weeks) * 7).days().fieldwise() {
        return Some(DateReading::Ambiguous(Vec::new()));
    }
    let of_week = in_week(today, -weeks, weekday)?;
    let back = (i32::from(weekday.until(today.weekday())) + i32::from(weeks) * 7).days();
    let counted = today.checked_sub(back).ok()?;
    Some(either(counted, of_week))
}

fn either(one: Date, other: Date) -> DateReading {
    if one == other { DateReading::On(one) } else { DateReading::Ambiguous(vec![one, other]) }
}

/// The day that something else is counted from, or all days that it may be.
pub(super) fn anchor(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let day = days::plain(line, at, today);
    let period = calendar::plain(line, at, today, false);
    let Some(day) = day.filter(|day| period.as_ref().is_none_or(|period| day.end >= period.end)) else {
        return period.map(|period| unclear(period.end));
    };
    match (&day.reading, day_words::coming(line, at, &day, today)) {
        (DateReading::On(past), Some(coming)) => Some(Day { reading: either(*past, coming), ..day }),
        _ => Some(day),
    }
}

/// "week ending 15 Nov"
pub(super) fn span(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let start = line.skip(at, &[], &["the"]);
    if !line.leads_to(at, &["ending", "ended", "to"]) {
        return None;
    }
    let named = vocabulary::unit(line.word(start)).filter(|_| line.is(start, &["week", "wk", "month", "year", "yr"]));
    let (end, span) = match named {
        Some(unit) => (start + 1, unit.times(1)),
        None if line.is(start, &["quarter", "qtr"]) => (start + 1, 3.months()),
        None => length(line, start)?,
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
