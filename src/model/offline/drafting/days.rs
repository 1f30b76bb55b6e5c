//! Which day each of several expenses was on.

use std::ops::Range;

use jiff::{ToSpan, civil::Date};

use super::{Draft, Marked, name_in, wording};
use crate::{
    only::Only,
    phrases::{AmountMention, Class, DateRange, DateReading, Reader},
};

impl Marked<'_> {
    /// The days of some for others.
    pub(super) fn relate_days(&self, segments: &[Range<usize>], drafts: &mut [Draft], reader: Reader) {
        self.say_the_day(segments, drafts);
        self.leave_open(drafts, reader);
        self.follow(segments, drafts, reader);
    }

    /// A day that was said of the occasion, before all of them. With another one it may be of any.
    fn say_the_day(&self, segments: &[Range<usize>], drafts: &mut [Draft]) {
        let [(span, day), others @ ..] = &self.times[..] else { return };
        if segments.first().is_some_and(|first| span.end <= first.start) {
            let any = || DateReading::Ambiguous(self.times.iter().flat_map(|(_, day)| day.days()).copied().collect());
            let day = if others.is_empty() { day.clone() } else { any() };
            drafts.iter_mut().for_each(|draft| draft.date = Some(day.clone()));
        }
    }

    /// Where a day was said that is not settled, it is one of these.
    fn leave_open(&self, drafts: &mut [Draft], reader: Reader) {
        let unsettled = DateReading::Ambiguous(Vec::new());
        let times = self.times.iter().filter(|(_, reading)| *reading == unsettled);
        let within = match (times.only(), &self.ranges[..]) {
            (Some(_), [(_, range)]) => Some(*range),
            (Some((span, _)), []) => reader.among(&self.text[span.clone()]),
            _ => return,
        };
        // "Due next week": when it is paid already, it was none of those days.
        let within = within.filter(|range| range.from <= reader.today);
        let open = drafts.iter_mut().filter(|draft| draft.date.as_ref() == Some(&unsettled));
        open.for_each(|draft| draft.within = within);
    }

    /// "dentist 65 on 14 october and optician 40 on the 15th": of the month that was spoken of. Grounding shows it.
    fn follow(&self, segments: &[Range<usize>], drafts: &mut [Draft], reader: Reader) {
        if self.times.len() < 2 {
            return;
        }
        for at in 1..drafts.len() {
            let (Some(DateReading::On(before)), Some(DateReading::On(day))) =
                (drafts[at - 1].date.clone(), drafts[at].date.clone())
            else {
                continue;
            };
            let said = self.days(&segments[at]).find(|(_, reading)| *reading == DateReading::On(day));
            if let Some((span, _)) = said
                && let Some(near) = reader.nearer(&self.text[span.clone()], day, before)
            {
                let is_same_day = near.day() == day.day();
                let either = DateReading::Ambiguous(vec![near, day]);
                drafts[at].date = Some(if is_same_day { DateReading::On(near) } else { either });
            }
        }
    }

    /// A day that opens goes for what follows, up to the next one; a day that closes, for what is before it: "Monday
    /// coffee 3 and tea 2, Tuesday cake 4". None if that leaves one of them without a day, or with two.
    pub(super) fn days_of(&self, segments: &[Range<usize>]) -> Option<Vec<DateReading>> {
        let is_bare = |text: &str| wording::trimmed(text, &[Class::NamingFront], &[Class::BehindItem]).is_empty();
        let (mut open, mut close) = (Vec::new(), Vec::new());
        for segment in segments {
            let said: Vec<_> = self.days(segment).collect();
            let [(span, day)] = said[..] else {
                open.push(None);
                close.push(None);
                if said.is_empty() { continue } else { return None }
            };
            open.push(is_bare(&self.text[segment.start..span.start]).then_some(day));
            close.push(is_bare(&self.text[span.end..segment.end]).then_some(day));
            if open.last() == close.last() {
                return None;
            }
        }
        if close.iter().all(Option::is_none) {
            return carried(open.iter());
        }
        let days = carried(close.iter().rev()).filter(|_| open.iter().all(Option::is_none))?;
        let mut days: Vec<DateReading> = days.into_iter().rev().collect();
        // "coffee 3 mon, lunch 8, bus 2 tue": of the day before it, or of the one after.
        for at in 1..days.len() {
            if close[at].is_none() && days[at - 1] != days[at] {
                days[at] = DateReading::Ambiguous([days[at - 1].days(), days[at].days()].concat());
            }
        }
        Some(days)
    }
}

/// The only day that it may be is taken, and grounding says that it is assumed.
pub(super) fn only(day: DateReading) -> DateReading {
    match day {
        DateReading::Ambiguous(days) if let [only] = days[..] => DateReading::On(only),
        day => day,
    }
}

/// The same. Of "the 3rd" in the last month and in the next, nothing was spent yet on the one to come.
pub(super) fn spent_on(day: DateReading, today: Date) -> DateReading {
    match day {
        DateReading::Ambiguous(days)
            if let [past, next] = days[..]
                && past <= today
                && today < next
                && past.day() == next.day()
                && past.month() != next.month() =>
        {
            DateReading::On(past)
        }
        day => only(day),
    }
}

pub(super) fn is_open(day: &DateReading) -> bool {
    matches!(day, DateReading::Ambiguous(days) if days.is_empty())
}

/// "early october": the word before it is of the day, and not of a name.
pub(super) fn take_in_part(text: &str, span: &mut Range<usize>) {
    if let Some((part, word)) = wording::words(&text[..span.start]).pop()
        && Class::PartOfSpanBefore.contains(word)
    {
        span.start = part.start;
    }
}

/// "Lunch with May 14", and no price: she may be called as a month is. The day goes, and grounding shows what is assumed.
pub(super) fn price_of_namesake(
    text: &str,
    times: &mut Vec<(Range<usize>, DateReading)>,
    reader: Reader,
) -> Option<AmountMention> {
    let (at, number) = times.iter().enumerate().find_map(|(at, (span, _))| {
        let (name, number) = text[span.clone()].rsplit_once(' ')?;
        let (before, lead) = text[..span.start].trim_end().rsplit_once(' ')?;
        let is_name = Class::Namesakes.contains(name.to_lowercase())
            && Class::DaysLeads.contains(lead.to_lowercase().as_str())
            && !name_in(before).is_empty();
        (is_name && number.bytes().all(|byte| byte.is_ascii_digit())).then_some((at, span.end - number.len()..span.end))
    })?;
    times.remove(at);
    let mut price = reader.amounts(&text[number.clone()]).pop()?;
    price.span = number;
    Some(price)
}

/// "Cake for Friday", before its price was said: what the day is beside one.
pub(super) fn aim(text: &str, times: &mut [(Range<usize>, DateReading)], reader: Reader) {
    for (span, reading) in times {
        let lead = text[..span.start].split_whitespace().next_back().unwrap_or_default();
        let DateReading::On(day) = *reading else { continue };
        if Class::For.contains(lead) {
            let priced = reader.dates(&format!("{lead} {} 1", &text[span.clone()])).pop().map(|found| found.reading);
            let either = priced.filter(|it| matches!(it, DateReading::Ambiguous(days) if days.contains(&day)));
            *reading = either.unwrap_or(DateReading::On(day));
        }
    }
}

/// Each takes the one before it where it has none.
fn carried<'d>(days: impl Iterator<Item = &'d Option<&'d DateReading>>) -> Option<Vec<DateReading>> {
    let said = days.scan(None, |last, day| {
        *last = day.or(*last);
        Some(*last)
    });
    said.map(Option::<&DateReading>::cloned).collect()
}

/// The day that an answer means, of those that were spoken of: "in October", and then "the 3rd".
pub(in crate::model::offline) fn day_within(
    range: DateRange,
    said: DateReading,
    answer: &str,
    reader: Reader,
) -> DateReading {
    const DAYS: usize = 366;
    const OFFERED: usize = 5;
    let told = |today: Date, day: Date| {
        let found = Reader { today, hour: 23, ..reader }.dates(answer);
        matches!(&found[..], [found] if found.reading == DateReading::On(day))
    };
    let is_dated = |said: &DateReading| match said {
        DateReading::On(date) => date.checked_add(45.days()).is_ok_and(|later| told(later, *date)),
        _ => false,
    };
    match &said {
        DateReading::On(date) if range.contains(*date) => return said,
        DateReading::Ambiguous(days) if days.iter().any(|day| !range.contains(*day)) => {
            let days: Vec<Date> = days.iter().copied().filter(|day| range.contains(*day)).collect();
            return if let [day] = days[..] { DateReading::On(day) } else { DateReading::Ambiguous(days) };
        }
        DateReading::On(_) => {}
        _ => return said,
    }
    // Said on the day itself, it would have meant that day.
    let days = range.from.series(1.day()).take_while(|day| *day <= range.to).take(DAYS);
    let meant: Vec<Date> = days.filter(|day| told(*day, *day)).take(OFFERED + 1).collect();
    match meant[..] {
        // "1 Nov" is that, whatever was said before.
        [] if is_dated(&said) => said,
        [] => DateReading::Impossible("that is not one of the days you said".to_owned()),
        [day] => DateReading::On(day),
        _ if meant.len() > OFFERED => DateReading::Impossible("that can be many days".to_owned()),
        _ => DateReading::Ambiguous(meant),
    }
}
