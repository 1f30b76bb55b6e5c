//! Everything a text says about time, from left to right: days, and spans of days like "last month" or "since Monday".
//!
//! Words beside a phrase can change what it means ("late last month", "the first week of October"); what those words
//! make of it is not worked out here, the phrase is then reported as unclear.

use std::ops::Range;

use jiff::civil::{Date, date};

use super::{
    DateMention, DateRange, DateReading, RangeMention, calendar,
    day_qualifiers::{is_continued, is_left_out, is_qualified, is_second_of_pair},
    day_words, days, ends, hours,
    lexicon::Class,
    openings, times,
    tokens::Line,
    vocabulary, weekdays,
};
use crate::sorted::Sort;

/// One phrase about time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub span: Range<usize>,
    pub when: When,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum When {
    Day(DateReading),
    Period(DateRange),
}

impl When {
    /// A span, or words that settle none.
    pub fn of(range: Option<DateRange>) -> When {
        range.map_or(When::Day(DateReading::Ambiguous(Vec::new())), When::Period)
    }

    /// The day, or the last one of a span.
    pub fn last_day(self) -> DateReading {
        match self {
            When::Day(reading) => reading,
            When::Period(range) => DateReading::On(range.to),
        }
    }
}

impl Found {
    pub fn into_date(self) -> Option<DateMention> {
        match self.when {
            When::Day(reading) => Some(DateMention { span: self.span, reading }),
            When::Period(_) => None,
        }
    }

    pub fn into_range(self) -> Option<RangeMention> {
        let range = match self.when {
            When::Period(range) => range,
            When::Day(DateReading::On(date)) => DateRange::day(date),
            When::Day(_) => return None,
        };
        Some(RangeMention { span: self.span, range })
    }
}

pub(super) fn scan(line: &Line<'_>, today: Date, hour: i8) -> Vec<Found> {
    let (mut found, mut hours) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < line.tokens.len() {
        if !openings::of(line).is_at(at) {
            at += 1;
            continue;
        }
        if let Some(end) = hours::hours_ago(line, at, hour) {
            found.push(Found { span: line.span(at, end), when: When::Day(DateReading::On(today)) });
            at = end;
            continue;
        }
        // "at noon yesterday"
        let timed = times::hour(line, at);
        let start = timed.map_or(at, |(start, _)| start);
        let next = if start > at { line.skip(start, &[], &["on"]) } else { at };
        if let Some((end, when)) = phrase(line, next, today) {
            let timed = times::hour(line, end).map(|(end, _)| end);
            let timed = timed.filter(|end| matches!(when, When::Day(_)) && day_words::closes(line, *end));
            let end = timed.unwrap_or(end);
            found.push(Found { span: line.span(at, end), when });
            at = end;
        } else if timed.is_some() && day_words::is_after_price(line, at) && day_words::closes(line, start) {
            hours
                .extend(timed.map(|(end, said)| Found { span: line.span(at, end), when: today_at(said, today, hour) }));
            at = start;
        } else {
            at += 1;
        }
    }
    if found.is_empty() {
        return hours;
    }
    // Which day that was is said beside it: "yesterday taxi 12 at 11pm". Further away it may be the day of something else.
    let gap = |day: &Found, hour: &Found| {
        let between = day.span.end.min(hour.span.end)..day.span.start.max(hour.span.start);
        line.text.get(between).filter(|between| !between.contains([',', ';'])).map(str::len)
    };
    let day_of = |hour: Found| {
        let next = found.partition_point(|day| day.span.start < hour.span.start);
        let near = [next.checked_sub(1).and_then(|at| found.get(at)), found.get(next)].into_iter().flatten();
        let day = near.filter_map(|day| Some((gap(day, &hour)?, day))).min_by_key(|(gap, _)| *gap);
        let unsettled = When::of(None);
        Found { span: hour.span, when: day.map_or(unsettled, |(_, day)| day.when.clone()) }
    };
    let beside: Vec<Found> = hours.into_iter().map(day_of).collect();
    found.extend(beside);
    found.put_in_order_of(|found| found.span.start);
    found
}

/// An hour that is yet to come was yesterday's.
fn today_at(said: i8, today: Date, hour: i8) -> When {
    When::Day(match today.yesterday() {
        Ok(yesterday) if said > hour => DateReading::Ambiguous(vec![yesterday, today]),
        _ => DateReading::On(today),
    })
}

/// Something about time begins there.
pub(super) fn begins(line: &Line<'_>, at: usize) -> bool {
    let known = line.tokens.get(at).and_then(|token| token.opens_time.get().copied());
    // Whether it does depends on no day.
    known.unwrap_or_else(|| openings::of(line).is_at(at) && phrase(line, at, date(2020, 6, 15)).is_some())
}

/// One end of a range, or a range of its own; or words about time that settle nothing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    pub end: usize,
    pub when: When,
    /// Month, and day if any, when no year was said: a range's other end may supply it.
    pub yearless: Option<(i8, Option<i8>)>,
    /// A day soon to come that the same words may mean.
    pub coming: Option<Date>,
}

pub(super) fn phrase(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, When)> {
    let found = read(line, at, today);
    if let Some(token) = line.tokens.get(at) {
        token.opens_time.get_or_init(|| found.is_some());
    }
    found
}

fn read(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, When)> {
    if openings::of(line).foreign
        && let Some(day) = weekdays::march(line, at, today)
    {
        return day.and_then(|day| finished(line, at, day.end, day.when));
    }
    let opened = line.is(at, Class::OpensEnglishSpan);
    // "two weeks from Monday", "November from the 3rd"
    let before = at.wrapping_sub(1);
    if opened && (vocabulary::unit(line, before).is_some() || vocabulary::month(line, before).is_some()) {
        let first = || Some((endpoint(line, at + 1, today, true)?.end, When::of(None)));
        return ends::pair(line, at, today).or_else(first).map(|(end, _)| (end, When::of(None)));
    }
    if let Some(days) = times::days_of_month(line, at + usize::from(opened), today) {
        return finished(line, at, days.end, days.when);
    }
    let found = ends::pair(line, at, today).or_else(|| ends::bounded(line, at, today));
    // "from" alone belongs to what is said around it ("the bill from yesterday").
    if found.is_some() || opened {
        return found;
    }
    let first = endpoint(line, at, today, false)?;
    let unclear = |end| Some((end, When::of(None)));
    if first.range().is_none() {
        return ends::goes_on(line, first.end, today).map_or_else(|| single(line, at, first), unclear);
    }
    if let Some((end, months)) = months_in_row(line, &first, today) {
        return finished(line, at, end, When::Period(months));
    }
    let Some(next) = ends::connective(line, first.end, None) else {
        return onwards(line, at, &first, today).or_else(|| single(line, at, first));
    };
    match endpoint(line, next, today, true) {
        Some(second) => finished(line, at, second.end, between(&first, &second, today)),
        // "vom 1. bis 5": an end that is not read.
        None if line.digits(next).is_some() && line.is(next - 1, Class::EndOfSpan) => unclear(next),
        None => single(line, at, first),
    }
}

/// "jul aug sep", "July, August and September": three or more, each the next one. Two may be meant apart.
fn months_in_row(line: &Line<'_>, first: &Point, today: Date) -> Option<(usize, DateRange)> {
    let is_whole_month = first.yearless.is_some_and(|(_, day)| day.is_none());
    if !is_whole_month {
        return None;
    }
    let (mut range, mut end, mut count) = (first.range()?, first.end, 1);
    loop {
        let next = line.skip(line.skip(end, &[','], &[]), &['&'], Class::And);
        let following = calendar::month(line, next, today, true).and_then(|month| Some((month.end, month.range()?)));
        let Some((after, month)) =
            following.filter(|(_, month)| range.to.tomorrow().is_ok_and(|day| day == month.from))
        else {
            return (count > 2).then_some((end, range));
        };
        (range.to, end, count) = (month.to, after, count + 1);
    }
}

impl Point {
    /// A span, or words that settle none.
    pub fn of(end: usize, range: impl Into<Option<DateRange>>) -> Point {
        Point { end, when: When::of(range.into()), yearless: None, coming: None }
    }

    /// Where it is settled.
    pub fn range(&self) -> Option<DateRange> {
        match &self.when {
            When::Day(reading) => reading.only().map(DateRange::day),
            When::Period(range) => Some(*range),
        }
    }
}

/// "Paid 900 on the 1st", and not "to be paid on the 1st" or "was 900, due on the 1st".
fn is_already_paid(line: &Line<'_>) -> bool {
    let has = |class: Class| (0..line.tokens.len()).any(|at| line.is(at, class) && !line.follows(at, Class::Passive));
    has(Class::AlreadyPaid) && !has(Class::ToBePaid)
}

fn single(line: &Line<'_>, at: usize, point: Point) -> Option<(usize, When)> {
    let when = match (point.coming, point.range()) {
        (Some(coming), Some(range)) if !is_already_paid(line) => {
            When::Day(DateReading::Ambiguous(vec![range.from, coming]))
        }
        (_, Some(range)) if range.from == range.to => When::Day(DateReading::On(range.from)),
        _ => point.when,
    };
    finished(line, at, point.end, when)
}

/// Unless the words around it change what it means.
pub(super) fn finished(line: &Line<'_>, at: usize, end: usize, when: When) -> Option<(usize, When)> {
    let settled = matches!(when, When::Period(_) | When::Day(DateReading::On(_)));
    let is_day = matches!(when, When::Day(_));
    let roughly = is_day && day_words::is_roughly(line, at);
    let changed = roughly
        || is_left_out(line, at)
        || is_qualified(line, at, is_day)
        || is_continued(line, end, is_day)
        || is_second_of_pair(line, at);
    Some(if settled && changed { (end, When::of(None)) } else { (end, when) })
}

pub(super) fn endpoint(line: &Line<'_>, at: usize, today: Date, years: bool) -> Option<Point> {
    if years && (line.word(at) == "now" || line.word(at) == "date" && line.follows(at, &["to"])) {
        return Some(days::on(at + 1, today));
    }
    let period = calendar::period(line, at, today, years);
    let longer = |day: &Point| period.as_ref().is_none_or(|period| day.end >= period.end);
    days::day(line, at, today).filter(longer).or(period)
}

/// "10 November onwards", "from 10 November on": up to today.
pub(super) fn onwards(line: &Line<'_>, at: usize, first: &Point, today: Date) -> Option<(usize, When)> {
    let (end, from) = (first.end, first.range()?.from);
    let (_, onwards) = line.sense(end, Class::Onwards)?;
    let is_led = || line.is(at, &["from"]) && line.word(end + 1).is_empty() && line.ends(end + 1);
    (onwards.says != "behind from" || is_led())
        .then(|| finished(line, at, end + 1, When::of(DateRange::new(from, today))))?
}

/// From one end to the other, unless one of them is not settled.
pub(super) fn between(first: &Point, second: &Point, today: Date) -> When {
    let unsettled = [first, second].into_iter().find(|point| point.range().is_none());
    unsettled.map_or_else(|| When::of(joined(first, second, today)), |point| point.when.clone())
}

/// From the first day of one end to the last day of the other, whichever year one of them leaves out.
pub(super) fn joined(first: &Point, second: &Point, today: Date) -> Option<DateRange> {
    let (DateRange { from, .. }, DateRange { to, .. }) = (first.range()?, second.range()?);
    let Some(end) = second.yearless else {
        let first_in = |(month, day): (i8, Option<i8>)| days::most_recent(month, day.unwrap_or(1), to);
        return DateRange::new(first.yearless.map_or(Some(from), first_in)?, to);
    };
    let to = next_end(end, from)?;
    // Reaching past today it may as well be last year's.
    let this_month = (to.year(), to.month()) == (today.year(), today.month());
    let is_month = end.1.is_none() || from.first_of_month() == today.first_of_month();
    let clear = first.yearless.is_none() || to <= today || this_month && is_month;
    clear.then(|| DateRange::new(from, to))?
}

/// The first such day, or end of such a month, on or after a date.
fn next_end((month, day): (i8, Option<i8>), from: Date) -> Option<Date> {
    let candidates = (0..=8).filter_map(|ahead| {
        let first = Date::new(from.year().checked_add(ahead)?, month, 1).ok()?;
        day.map_or(Some(first.last_of_month()), |day| Date::new(first.year(), month, day).ok())
    });
    candidates.into_iter().find(|date| *date >= from)
}
