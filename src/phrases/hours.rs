//! Hours of a day and lengths of time, whose numbers are no amounts: "7 pm", "um halb 4", "à 9 heures 30",
//! "a las 8 de la tarde", "2 Stunden", "3 hours 40".

use std::ops::Range;

use jiff::civil::Date;

use super::{
    DateReading, DayOrder,
    denominations::is_money,
    durations,
    lexicon::Class,
    periods::{self, Found, When},
    times,
    tokens::Line,
    vocabulary,
};

/// An hour in digits: no currency or length, and no decimals.
pub(super) fn hour(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let hour = line.digits(at).filter(|digits| digits.len() <= 2)?.parse().ok().filter(|hour| *hour <= 24)?;
    let is_other = has_decimals(line, at + 1) || vocabulary::is_foreign_unit(line, at + 1);
    (!is_other && !is_money(line, at + 1)).then_some((at + 1, hour))
}

/// The minutes of an hour. Behind it they may be a price, if there is none beside.
pub(super) fn minutes(line: &Line<'_>, at: usize) -> Option<usize> {
    line.digits(at).filter(|digits| digits.len() == 2 && digits < &"60")?;
    let is_price = |other: usize| line.digits(other).is_some() && !line.is(other + 1, Class::Hour);
    let others = || (0..line.tokens.len()).any(|other| other != at && is_price(other));
    let is_whole = !has_decimals(line, at + 1) && !is_money(line, at + 1);
    (is_whole && (line.glued(at) || others())).then_some(at + 1)
}

fn has_decimals(line: &Line<'_>, at: usize) -> bool {
    line.glued_mark(at).is_some_and(|mark| ".,".contains(mark)) && line.glued(at + 1)
}

/// The number there is said as one of a clock.
pub(super) fn is_hour(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, Class::BeforeHourInDigits)
        && (1..=3.min(at)).any(|back| times::hour(line, at - back).is_some_and(|(end, _)| end > at))
        || is_minutes(line, at)
            && (2..=5.min(at)).any(|back| times::hour(line, at - back).is_some_and(|(end, _)| end > at))
        || is_linked(line, at + 1) && line.is(at + 3, Class::Hour)
}

/// "9 bis 17 Uhr": between two numbers of one kind.
fn is_linked(line: &Line<'_>, at: usize) -> bool {
    let from = at > 1 && line.is(at - 2, Class::FromHourOfTwo) && line.is(at, Class::ToHourOfTwo);
    let linked = line.is(at, Class::LinksHours) || line.mark(at).is_some_and(|mark| "-–".contains(mark));
    (from || linked) && line.digits(at + 1).is_some()
}

/// "15 Uhr 20", "2 hours 15", "3 hours and 40": they may be minutes.
pub(super) fn is_minutes(line: &Line<'_>, at: usize) -> bool {
    hours_before(line, at).is_some()
        && line.digits(at).is_some_and(|digits| digits.len() == 2 && *digits < *"60")
        && !has_decimals(line, at + 1)
}

/// "in 3 hours 40": the minutes of how long it took.
pub(super) fn is_time_taken(line: &Line<'_>, at: usize) -> bool {
    is_minutes(line, at) && hours_before(line, at).is_some_and(|hours| line.follows(hours, Class::LeadToTimeTaken))
}

/// "10k in 52:30", "5k in 24 minutes": so far in that time.
pub(super) fn is_distance(line: &Line<'_>, end: usize) -> bool {
    let is_clock = line.mark(end + 2) == Some(':') && line.digits(end + 3).is_some();
    line.word(end) == "in" && line.digits(end + 1).is_some() && (is_clock || line.is(end + 2, Class::LengthOfTime))
}

/// The number of the hours that stand before it.
fn hours_before(line: &Line<'_>, at: usize) -> Option<usize> {
    let end = at - usize::from(line.follows(at, Class::And));
    let hours = end.checked_sub(2).filter(|_| line.follows(end, Class::Hour))?;
    line.digits(hours).filter(|hours| hours.len() <= 2).map(|_| hours)
}

/// "2 Stunden", "12 mois", "1 día": how long it was.
pub(super) fn is_length(line: &Line<'_>, at: usize, end: usize) -> bool {
    if is_linked(line, end) && is_length(line, end + 1, end + 2) {
        return true;
    }
    let few = end == at + 1 || end == at + 3 && line.digits(at + 2).is_some_and(|decimals| decimals.len() == 1);
    let said = line.is(end, Class::Periods) || line.is(end, Class::OnePeriod) && line.digits(at) == Some("1");
    few && said && !line.glued(end) && !periods::begins(line, end)
}

/// The hour before which nobody says so.
pub(super) fn part_of_day(word: &str) -> i8 {
    Class::FromHour.sense(word).and_then(|sense| i8::try_from(sense.number()).ok()).unwrap_or(0)
}

/// "Tonight" at noon, "lunch at 1pm 9" in the morning: words about a time of this day that is yet to come.
pub(super) fn still_to_come(line: &Line<'_>, times: &[Found], today: Date, hour: i8) -> Option<Range<usize>> {
    let of_today = |found: &&Found| found.when == When::Day(DateReading::On(today));
    (0..line.tokens.len()).find_map(|at| {
        let start = line.tokens[at].span.start;
        let day = times.iter().find(|found| found.span.contains(&start));
        let is_hour = line.digits(at + 1).is_some() || part_of_day(line.word(at + 1)) > 0;
        let is_led = line.is(at, Class::AtHour) && is_hour;
        let (span, said) = match day {
            Some(found) if is_led => (found.span.clone(), times::hour(line, at)?.1),
            Some(found) => (found.span.clone(), part_of_day(line.word(at))),
            None if is_led && times.iter().all(|found| of_today(&found)) => {
                let (end, said) = times::hour(line, at)?;
                (line.span(at, end), said)
            }
            None => return None,
        };
        (said > hour && day.is_none_or(|found| of_today(&found))).then_some(span)
    })
}

/// "7 pm", "19:30", "5 o'clock".
pub(super) fn clock(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let part =
        |at: usize| line.digits(at)?.parse::<u8>().ok().filter(|_| line.digits(at).is_some_and(|it| it.len() < 3));
    // "15.10 Uhr" is no ten o'clock.
    let is_decimals = at > 1 && line.digits(at - 2).is_some() && line.glued(at) && line.glued_mark(at - 1) == Some('.');
    let hour = part(at).filter(|hour| *hour <= 24 && !is_decimals)?;
    let full = line.digits(at + 2).is_some_and(|digits| digits.len() == 2) && part(at + 2).is_some_and(|it| it < 60);
    let minutes = line.glued_mark(at + 1) == Some(':') && line.glued(at + 2) && full;
    let end = at + if minutes { 3 } else { 1 };
    let half = half_of_day(line, end).filter(|_| hour <= 12);
    let half = half.filter(|after| minutes || *after > end + 1 || line.word(end).len() == 2 || is_short_hour(line, at));
    let named = half.or_else(|| line.is(end, Class::OnTheClock).then_some(end + 1));
    let hour = match line.word(end).bytes().next() {
        Some(b'a') if half.is_some() && hour == 12 => 0,
        Some(b'p') if half.is_some() && hour < 12 => hour + 12,
        _ => hour,
    };
    let zone = |end: usize| line.skip(end, &[], Class::TimeZone);
    (minutes || named.is_some()).then_some((zone(named.unwrap_or(end)), i8::try_from(hour).ok()?))
}

/// Past "am", "p.m.", "p m", or the letter that sticks to an hour: "3:15p".
fn half_of_day(line: &Line<'_>, at: usize) -> Option<usize> {
    if line.is(at, Class::HalfOfDay) {
        return Some(at + 1);
    }
    if !line.is(at, Class::LetterOfHalfDay) {
        return None;
    }
    let dot = line.glued_mark(at + 1) == Some('.');
    let letter = at + 1 + usize::from(dot);
    if line.word(letter) == "m" && line.glued(letter) == dot {
        return Some(letter + 1 + usize::from(line.glued_mark(letter + 1) == Some('.') && !line.glued(letter + 2)));
    }
    (line.glued(at) && line.ends(at + 1)).then_some(at + 1)
}

/// "lunch 12 at 3p": an hour, where pence are not said or something else is the price.
pub(super) fn is_short_hour(line: &Line<'_>, at: usize) -> bool {
    let hour =
        line.digits(at).and_then(|digits| digits.parse::<u8>().ok()).is_some_and(|hour| (1..=12).contains(&hour));
    let american = line.conventions.day_order == Some(DayOrder::MonthFirst);
    let others = || (0..line.tokens.len()).any(|other| other != at && line.digits(other).is_some());
    let is_said_at = line.follows(at, &["at"]) && !line.is(at + 2, Class::Each);
    hour && line.glued(at + 1) && line.is(at + 1, Class::LetterOfHalfDay) && (american || is_said_at && others())
}

/// "10:30": the number there says at what minute.
pub(super) fn is_minute(line: &Line<'_>, at: usize) -> bool {
    let is_short = |at: usize| line.digits(at).is_some_and(|digits| digits.len() <= 2);
    at > 1 && line.mark(at - 1) == Some(':') && line.glued(at - 1) && line.glued(at) && is_short(at) && is_short(at - 2)
}

/// "an hour ago", "5 minutes ago": where it ends, if that was today.
pub(super) fn hours_ago(line: &Line<'_>, at: usize, now: i8) -> Option<usize> {
    let article = line.is(at, Class::IndefiniteArticle).then_some((at + 1, 1));
    let (end, count) = article.or_else(|| durations::number(line, at))?;
    if line.word(end + 1) != "ago" || !line.starts(at) || line.follows(at, Class::NoHourAgo) {
        return None;
    }
    let hours = match line.is(end, Class::HoursAgo) {
        true => count,
        false if line.is(end, Class::MinutesAgo) => (count + 59) / 60,
        false => return None,
    };
    (hours <= i64::from(now)).then_some(end + 2)
}
