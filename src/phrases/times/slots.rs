//! What slots of phrases about time hold, and what comes of it.

use jiff::{
    Span, ToSpan,
    civil::{Date, Weekday},
};

use super::{
    super::{
        DateRange, DateReading, DayOrder, calendar,
        day_words::{closes, is_price},
        days, durations, ends, hours,
        lexicon::{Class, Sense},
        month_days, number_words, openings,
        periods::{self, Point},
        tokens::Line,
        vocabulary, weekdays, years,
    },
    Match,
};

#[derive(Default)]
pub struct Slots {
    length: Option<Span>,
    number: Option<i64>,
    /// Its place in a row, or -1 of the last.
    nth: Option<i64>,
    steps: Option<i16>,
    /// What a whole span is called: "week".
    whole: Option<&'static Sense>,
    weekday: Option<Weekday>,
    second_weekday: Option<Weekday>,
    month: Option<i8>,
    year: Option<Option<i16>>,
    span: Option<DateRange>,
    day: Option<DateReading>,
    /// Days of a month by their numbers, and that not all between them are said.
    first: Option<i8>,
    last: Option<i8>,
    is_apart: bool,
    /// The ends of a span.
    start: Option<Point>,
    end: Option<Point>,
    pub hour: Option<i8>,
}

impl Slots {
    fn only_day(&self) -> Option<Date> {
        self.day.as_ref()?.only()
    }
}

type Read = fn(&mut Match<'_, '_>, usize) -> Option<usize>;

pub const SLOTS: &[(&str, Read)] = &[
    // "3 days", "zwei Wochen"
    ("length", |found, at| keep(&mut found.slots.length, durations::length(found.line, at))),
    ("number", |found, at| keep(&mut found.slots.number, durations::number(found.line, at))),
    // "3rd", "letzten"
    ("nth", |found, at| keep(&mut found.slots.nth, nth(found.line, at))),
    ("any unit", |found, at| vocabulary::any_unit(found.line, at).map(|_| at + 1)),
    // The same, with the number before it as a length.
    ("counted unit", |found, at| {
        let unit = vocabulary::any_unit(found.line, at)?;
        keep(&mut found.slots.length, one(at, unit.checked_mul(found.slots.number.unwrap_or(1)).ok()))
    }),
    ("whole", |found, at| keep(&mut found.slots.whole, found.line.sense(at, Class::Whole))),
    ("whole's", |found, at| {
        let word = found.line.word(at).strip_suffix('s')?.trim_end_matches('\'');
        keep(&mut found.slots.whole, one(at, Class::Whole.sense(word)))
    }),
    // "last", "diese"
    ("steps", |found, at| keep(&mut found.slots.steps, one(at, days::direction(found.line, at)))),
    ("any month", |found, at| keep(&mut found.slots.month, one(at, vocabulary::any_month(found.line, at)))),
    // "d'octobre"
    ("of month", |found, at| {
        let month = vocabulary::any_month(found.line, at).filter(|_| found.line.word(at).starts_with("d'"));
        keep(&mut found.slots.month, one(at, month))
    }),
    ("any weekday", |found, at| keep(&mut found.slots.weekday, one(at, any_weekday(found.line, at)))),
    ("second weekday", |found, at| keep(&mut found.slots.second_weekday, one(at, any_weekday(found.line, at)))),
    ("english weekday", |found, at| keep(&mut found.slots.weekday, one(at, vocabulary::weekday(found.line, at)))),
    ("foreign weekday", |found, at| keep(&mut found.slots.weekday, one(at, foreign_weekday(found.line, at)))),
    // "Fridays"
    ("weekdays", |found, at| {
        let day = vocabulary::english(Class::Weekday.senses(found.line.word(at).strip_suffix('s')?))?;
        keep(&mut found.slots.weekday, one(at, vocabulary::weekday_of(day)))
    }),
    ("plain year", |found, at| {
        let (end, digits) = days::year(found.line, at)?;
        keep(&mut found.slots.year, days::known_year(digits).map(|year| (end, Some(year))))
    }),
    // Something may stick to it: "2025H2".
    ("leading year", |found, at| {
        let year = found.line.digits(at).and_then(days::known_year);
        keep(&mut found.slots.year, one(at, year.map(Some)))
    }),
    // "2025", "of last year"
    ("year", |found, at| keep(&mut found.slots.year, years::behind(found.line, at, found.today))),
    ("span", |found, at| calendar::named(found.line, at, found.today).map(|span| span.end)),
    ("week", |found, at| named(found, at, |range| calendar::week(range.from, 0) == Some(*range))),
    ("month span", |found, at| named(found, at, DateRange::is_month)),
    // "October", "the year"
    ("whole span", |found, at| {
        let named = found.line.skip(at, &[], &["the"]);
        let this = calendar::so_far_away(found.line.word(named), 0, found.today).filter(|_| named > at);
        let this = this.map(|range| Point::of(named + 1, range));
        let span = this.or_else(|| calendar::plain(found.line, named, found.today, true))?;
        found.slots.span = span.range();
        Some(span.end)
    }),
    // A day, or the last one of a span.
    ("close", |found, at| {
        let (line, today) = (found.line, found.today);
        let period = || calendar::plain(line, at, today, !line.follows(at, &["to"]));
        let point = days::plain(line, at, today).or_else(period)?;
        keep(&mut found.slots.day, Some((point.end, point.when.last_day())))
    }),
    // Any day but one that is counted from another.
    ("day", |found, at| keep(&mut found.slots.day, anchor(found.line, at, found.today))),
    // The same in other languages, where it may be a number.
    ("end", |found, at| {
        let led = found.line.follows(at, Class::OfArticle);
        let end = ends::end(found.line, at, (led, false), found.today)?;
        let day = end.range().filter(|range| range.from == range.to && end.coming.is_none());
        let reading = day.map_or_else(unsettled, |range| DateReading::On(range.from));
        keep(&mut found.slots.day, Some((end.end, reading)))
    }),
    // "at 11", where something else is the price
    ("hour", |found, at| {
        let (end, hour, _) = days::digit_day(found.line, at + 1).filter(|_| found.line.word(at) == "at")?;
        let is_priced = (0..found.start).any(|at| found.line.digits(at).is_some());
        (hour <= 12 && closes(found.line, end) && is_priced).then_some(end)
    }),
    ("start day", |found, at| keep(&mut found.slots.start, dated(found.line, at, found.today))),
    ("end day", |found, at| keep(&mut found.slots.end, dated(found.line, at, found.today))),
    // "7 pm", "19:30"
    ("clock", |found, at| keep(&mut found.slots.hour, hours::clock(found.line, at))),
    ("number of hour", |found, at| keep(&mut found.slots.hour, hours::hour(found.line, at))),
    ("minutes", |found, at| hours::minutes(found.line, at)),
    ("first day", |found, at| keep(&mut found.slots.first, day_number(found.line, at))),
    ("last day", |found, at| keep(&mut found.slots.last, day_number(found.line, at))),
    ("ordinal day", |found, at| {
        let is_plain = |end: &usize| found.line.digits(end - 1).is_some();
        day_number(found.line, at).map(|(end, _)| end).filter(|end| !is_plain(end))
    }),
    // One of a list.
    ("next day", |found, at| {
        let before = found.slots.last.or(found.slots.first)?;
        let (end, day) = day_number(found.line, at).filter(|(_, day)| *day > before)?;
        found.slots.is_apart |= day != before + 1;
        keep(&mut found.slots.last, Some((end, day)))
    }),
    ("number word", |found, at| number_words::is_number_word(found.line.word(at)).then_some(at + 1)),
    ("digits", |found, at| found.line.digits(at).map(|_| at + 1)),
    ("word", |found, at| (!found.line.word(at).is_empty()).then_some(at + 1)),
    // A word, a number or a mark.
    ("thing", |found, at| found.line.tokens.get(at).map(|_| at + 1)),
    // One begins there.
    ("price", |found, at| is_price(found.line, at).then_some(at)),
];

fn keep<T>(slot: &mut Option<T>, read: Option<(usize, T)>) -> Option<usize> {
    let (end, value) = read?;
    *slot = Some(value);
    Some(end)
}

/// What one word says.
fn one<T>(at: usize, said: Option<T>) -> Option<(usize, T)> {
    Some((at + 1, said?))
}

fn named(found: &mut Match<'_, '_>, at: usize, is_it: impl Fn(&DateRange) -> bool) -> Option<usize> {
    let span = calendar::named(found.line, at, found.today)?;
    keep(&mut found.slots.span, span.range().filter(is_it).map(|range| (span.end, range)))
}

fn foreign_weekday(line: &Line<'_>, at: usize) -> Option<Weekday> {
    vocabulary::foreign_weekday(line, at).map(|(weekday, _)| weekday)
}

fn unsettled() -> DateReading {
    DateReading::Ambiguous(Vec::new())
}

/// The day that something else is counted from, or all days that it may be.
fn anchor(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, DateReading)> {
    let day = days::plain(line, at, today);
    let period = calendar::plain(line, at, today, false).map_or(0, |period| period.end);
    let Some(day) = day.filter(|day| day.end >= period) else {
        return (period > 0).then(|| (period, unsettled()));
    };
    let reading = match (day.range(), day.coming) {
        (Some(past), Some(coming)) => either(past.from, coming),
        _ => day.when.last_day(),
    };
    Some((day.end, reading))
}

fn either(one: Date, other: Date) -> DateReading {
    any_of(if one == other { vec![one] } else { vec![one, other] })
}

fn any_weekday(line: &Line<'_>, at: usize) -> Option<Weekday> {
    foreign_weekday(line, at).or_else(|| vocabulary::weekday(line, at))
}

/// A day of a month that is named with it. Beside another one, dots can be nothing else.
fn dated(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Point)> {
    // Most words need not be asked any further.
    if !openings::of(line).is_at(at) || !(at..at + 4).any(|at| line.digits(at).is_some()) {
        return None;
    }
    let is_usual = line.conventions.day_order != Some(DayOrder::MonthFirst);
    let dotted = month_days::dotted(line, at, is_usual, today).filter(|day| day.end > at + 3);
    let day = dotted.or_else(|| weekdays::weekday(line, at, today));
    let day = day.or_else(|| month_days::month_and_day(line, at, today))?;
    (at..day.end).any(|at| line.digits(at).is_some()).then_some((day.end, day))
}

/// "13", "13th", "thirteenth", "13.", "1er", "ersten".
fn day_number(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let digits = number_words::numbered(line, at).map(|(end, day, _)| (end, day));
    let (end, day) = digits.or_else(|| number_words::day_in_words(line, at))?;
    (line.ends(end) || line.glued_mark(end).is_some_and(|mark| "/-".contains(mark))).then_some((end, day))
}

/// "3rd", "dritten", "5.", and -1 of "last".
fn nth(line: &Line<'_>, at: usize) -> Option<(usize, i64)> {
    let word = line.word(at);
    if let Some((end, nth, true)) = number_words::numbered(line, at) {
        return Some((end, nth.into()));
    }
    let is_last = || line.is(at, [Class::Last, Class::LastOrLatest]) || word == "final";
    let foreign = number_words::foreign_ordinal(line, at).or_else(|| is_last().then_some(-1));
    let english = || number_words::ordinal_words(line, at);
    foreign
        .map(|nth| (at + 1, nth.into()))
        .or_else(|| english().and_then(|(end, nth)| Some((end, nth.try_into().ok()?))))
}

/// What a section is told beside the slots: numbers, or the name of a span.
type Told = &'static str;

type Make<T> = fn(&Slots, Told, Date) -> Option<T>;

pub const DAYS: &[(&str, Make<DateReading>)] = &[
    // Any of the days that are so many from today.
    ("on", |_, away, today| {
        let days: Option<Vec<Date>> = away.split(' ').map(|away| shifted(today, 1.day(), away)).collect();
        days.map(any_of)
    }),
    ("unclear", |_, _, _| Some(unsettled())),
    // So long from today, or from another day.
    ("away", |slots, times, today| Some(DateReading::On(shifted(today, slots.length?, times)?))),
    ("beside", |slots, times, _| {
        let length = slots.length.unwrap_or(1.day());
        slots.day.clone()?.shifted(|day| shifted(day, length, times))
    }),
    // The last weekday before another day, or the next after it.
    ("weekday", |slots, nth, _| {
        let (nth, weekday) = (nth.parse().ok()?, slots.weekday?);
        slots.day.clone()?.shifted(|day| day.nth_weekday(nth, weekday).ok())
    }),
    // "last Friday", "next Friday"
    ("turned", |slots, steps, today| days::beside(today, steps.parse().ok().or(slots.steps)?, slots.weekday?)),
    ("recent", |slots, _, today| days::recent(slots.weekday?, today).map(DateReading::On)),
    // That weekday of a week so long ago; "two weeks ago on Sunday" said on a Friday may be one of two.
    ("weekday-ago", |slots, _, today| {
        let (weekday, length) = (slots.weekday?, slots.length?);
        let weeks = i16::try_from(length.get_days() / 7).ok()?;
        if length.fieldwise() != (i64::from(weeks) * 7).days().fieldwise() {
            return Some(unsettled());
        }
        let counted = days::recent(weekday, today.checked_sub(length).ok()?)?;
        Some(either(counted, calendar::of_week(&calendar::week(today, -weeks)?, weekday)?))
    }),
    ("weekday-before-last", |slots, _, today| {
        days::beside(today, -1, slots.weekday?)?.shifted(|day| day.checked_sub(7.days()).ok())
    }),
    ("weekdays-ago", |slots, _, today| {
        let last = today.nth_weekday(-1, slots.weekday?).ok()?;
        Some(DateReading::On(last.checked_sub((slots.number?.checked_sub(1)? * 7).days()).ok()?))
    }),
    // A weekday of a week that is named, or that is so many weeks from this one.
    ("in-week", |slots, weeks, today| {
        let week = weeks.parse().map_or(slots.span, |weeks| calendar::week(today, weeks))?;
        Some(DateReading::On(calendar::of_week(&week, slots.weekday?)?))
    }),
    // A weekday of a month.
    ("nth", |slots, _, today| {
        let (nth, weekday) = (i8::try_from(slots.nth?).ok().filter(|nth| *nth <= 5)?, slots.weekday?);
        let of = |month: Date| month.nth_weekday_of_month(nth, weekday).ok();
        let in_year = |year: i16| Date::new(year, slots.month?, 1).ok().and_then(of);
        let day = match (slots.span, slots.year) {
            (Some(month), _) => of(month.from),
            (None, Some(year)) => year.and_then(in_year),
            (None, None) => {
                let days = [0, 1].into_iter().filter_map(|back| in_year(today.year().checked_sub(back)?));
                days.into_iter().find(|day| *day <= today)
            }
        };
        Some(any_of(day.into_iter().collect()))
    }),
];

/// A span that these do not make is not settled.
pub const SPANS: &[(&str, Make<DateRange>)] = &[
    ("unclear", |_, _, _| None),
    // The week or the like that is so many steps from this one.
    ("steps", |slots, steps, today| {
        calendar::so_far_away(slots.whole?.says, steps.parse().ok().or(slots.steps)?, today)
    }),
    ("ago", |slots, whole, today| {
        calendar::so_far_away(whole, i16::try_from(slots.number?.checked_neg()?).ok()?, today)
    }),
    ("month", |slots, _, today| calendar::relative_month(slots.steps?, slots.month?, today)),
    // So long, up to today.
    ("back", |slots, _, today| DateRange::new(shifted(today, slots.length?, "-1")?.tomorrow().ok()?, today)),
    ("fortnight", |_, _, today| DateRange::new(today.checked_sub(13.days()).ok()?, today)),
    // So long, from tomorrow on.
    ("ahead", |slots, _, today| DateRange::new(today.tomorrow().ok()?, shifted(today, slots.length?, "1")?)),
    // So long, up to a day. Months that end with the last day of one are whole.
    ("ending", |slots, months, _| {
        let (to, length) =
            (slots.only_day()?, months.parse().map_or(slots.length, |months: i64| Some(months.months()))?);
        let is_whole = to == to.last_of_month() && length.get_days() == 0;
        let end = if is_whole { to.tomorrow().ok()? } else { to };
        let from = end.checked_sub(length).ok()?;
        DateRange::new(if is_whole { from } else { from.tomorrow().ok()? }, to)
    }),
    // A part of a span, from its beginning or its end.
    ("part", |slots, piece, _| {
        let (whole, nth) = (slots.span?, slots.nth?);
        let (is_year, is_outer) = (whole.is_year(), matches!(nth, 1 | -1));
        let days = i64::from(whole.to.day());
        let (nth, length) = match piece {
            "" if is_outer => (nth, slots.length?),
            "day" => (nth, 1.day()),
            "month" if is_year || is_outer => (nth, 1.month()),
            "quarter" if is_year => (nth, 3.months()),
            "half" if is_year && nth > 0 => (nth, 6.months()),
            "half" if whole.is_month() && nth == 1 => (1, (days / 2).days()),
            "half" if whole.is_month() && nth == 2 => (-1, (days - days / 2).days()),
            _ => return None,
        };
        let from = match nth {
            -1 => whole.to.tomorrow().ok()?.checked_sub(length).ok()?,
            _ => whole.from.checked_add(length.checked_mul(nth - 1).ok()?).ok()?,
        };
        let range = DateRange::new(from, from.checked_add(length).ok()?.yesterday().ok()?)?;
        (whole.contains(range.from) && whole.contains(range.to)).then_some(range)
    }),
    ("since", |slots, _, today| {
        let from = slots.span.map_or_else(|| shifted(today, slots.length?, "-1"), |span| Some(span.from));
        DateRange::new(from?, today)
    }),
    ("to-date", |slots, unit, today| {
        let unit = slots.whole.map_or(unit, |sense| sense.says);
        DateRange::new(calendar::so_far_away(unit, 0, today)?.from, today)
    }),
    // So many months of a year from one on; of the last year that had them begin.
    ("months", |slots, months, today| {
        let (month, count) = months.split_once(' ')?;
        let month: i8 = month.parse().ok()?;
        let latest = today.year() - i16::from(today.month() < month);
        let first = Date::new(slots.year.unwrap_or(Some(latest))?, month, 1).ok()?;
        DateRange::new(first, shifted(first, 1.month(), count)?.yesterday().ok()?)
    }),
    // Days of a month that is named, or of the last one that had the first of them.
    // Reaching past today, some may as well be another year's.
    ("of-month", |slots, past, today| {
        let (first, last) = (slots.first?, slots.last.filter(|_| !slots.is_apart)?);
        let (year, month) = match slots.span {
            Some(span) => (span.from.year(), span.from.month()),
            None => {
                let latest = || days::most_recent(slots.month?, first, today).map(Date::year);
                (slots.year.unwrap_or_else(latest)?, slots.month?)
            }
        };
        calendar::numbered(year, month, (first, last)).filter(|range| past.is_empty() || range.to <= today)
    }),
    // Of the month of today, and not past it.
    ("of-this-month", |slots, _, today| {
        let days = (slots.first?, slots.last?);
        calendar::numbered(today.year(), today.month(), days).filter(|range| range.to <= today)
    }),
    // Up to a day of a month that is named, or of the last one that had the first of them.
    ("to-day", |slots, _, today| {
        let (first, end) = (slots.first?, slots.end.as_ref()?);
        let to = end.range()?.from;
        let year = match end.yearless {
            Some((month, _)) => days::most_recent(month, first, today)?.year(),
            None => to.year(),
        };
        let range = calendar::numbered(year, to.month(), (first, to.day()))?;
        slots.weekday.is_none_or(|weekday| range.from.weekday() == weekday).then_some(range)
    }),
    // The month is said once: "13th of July to the 15th".
    ("day-to-number", |slots, _, today| {
        let (start, last) = (slots.start.as_ref()?, slots.last?);
        let from = start.range()?.from;
        let to = days::on(0, Date::new(from.year(), from.month(), last).ok()?);
        let end = Point { yearless: start.yearless.map(|(month, _)| (month, Some(last))), ..to };
        periods::joined(start, &end, today)
    }),
    ("from-day-to-day", |slots, _, today| periods::joined(slots.start.as_ref()?, slots.end.as_ref()?, today)),
    // From the last such weekday to the next other one.
    ("weekdays-until", |slots, _, today| {
        let from = days::recent(slots.weekday?, today)?;
        let to = from.nth_weekday(1, slots.second_weekday?).ok()?;
        DateRange::new(from, to).filter(|range| range.to <= today)
    }),
    // From one weekday of a week to another.
    ("weekdays", |slots, _, _| {
        let day = |weekday| calendar::of_week(&slots.span?, weekday?);
        DateRange::new(day(slots.weekday)?, day(slots.second_weekday)?)
    }),
    // "The month of January"
    ("named", |slots, _, _| slots.span),
    // The calendar's week of a day, or weeks from it on.
    ("week-of", |slots, _, _| calendar::week(slots.only_day()?, 0)),
    ("weeks-from", |slots, _, _| {
        let from = slots.only_day()?;
        DateRange::new(from, from.checked_add((slots.number.unwrap_or(1) * 7 - 1).days()).ok()?)
    }),
    // The one before, or the one that is not over.
    ("weekend", |_, _, today| match today.weekday() {
        Weekday::Sunday => None,
        _ => calendar::so_far_away("weekend", -1, today),
    }),
];

fn shifted(day: Date, length: Span, times: Told) -> Option<Date> {
    day.checked_add(length.checked_mul(times.parse().ok()?).ok()?).ok()
}

/// One day, or several that it may be.
fn any_of(days: Vec<Date>) -> DateReading {
    match days[..] {
        [day] => DateReading::On(day),
        _ => DateReading::Ambiguous(days),
    }
}
