//! Words that are about a day and do not settle which: misspelt days, "the weekend", "a while ago", days that may be to
//! come; and names made of days.

use std::ops::Range;

use jiff::{ToSpan, civil::Date};

use super::{
    DateReading, DayOrder, Language, currencies,
    days::{Day, digit_day, on, unclear},
    durations, foreign_hours, holidays,
    lexicon::Class,
    number_words,
    periods::{Found, When},
    spelling::{ascii_letters, can_be_near, is_near, letters},
    times,
    tokens::Line,
    vocabulary,
};

/// The day soon to come that is said with the same words as a past one: "25 Dec" in November, "the 22nd" on the 21st.
pub(super) fn coming(line: &Line<'_>, at: usize, day: &Day, today: Date) -> Option<Date> {
    if let Some((month, day)) = day.yearless {
        let years = [today.year(), today.year().checked_add(1)?];
        let soon = today.checked_add(60.days()).ok()?;
        let weekday = vocabulary::weekday(line.word(at)).is_some();
        let mut days = years.into_iter().filter_map(|year| Date::new(year, month, day).ok());
        return days.find(|date| *date > today && *date <= soon && !weekday);
    }
    let led = line.skip(at, &[], &["the", "am", "vom", "den", "le", "el"]);
    let start = line.skip(led, &[], &["día", "dia"]);
    let spelt = || number_words::day_in_words(line, start).map(|(end, day)| (end, day, true));
    let (end, number, ordinal) = digit_day(line, start).or_else(spelt)?;
    let end = if day.end > end { line.skip(end, &['.'], &[]) } else { end };
    let months = [today.first_of_month(), today.first_of_month().checked_add(1.month()).ok()?];
    let mut days = months.into_iter().filter_map(|month| Date::new(month.year(), month.month(), number).ok());
    let DateReading::On(past) = day.reading else { return None };
    // Twice as near as the one that was.
    let is_soon = |date: &Date| *date > today && date.duration_since(today) * 2 <= today.duration_since(past);
    days.find(|date| is_soon(date) && (ordinal || start > at) && end == day.end)
}

/// Such words, if they stand there.
pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    if !line.starts(at) {
        return None;
    }
    let hier = || if line.is(at, &["hier"]) { here_or_yesterday(line, at, today) } else { None };
    let misspelt = || is_misspelt(line.word(at)).then(|| unclear(at + 1));
    holidays::day(line, at, today).or_else(hier).or_else(misspelt)
}

/// "hier" is yesterday in French, and here in German.
fn here_or_yesterday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let yesterday = today.yesterday().ok()?;
    let french = (0..line.tokens.len()).any(|at| line.is(at, Class::SaysFrench));
    match line.conventions.language {
        Some(Language::French) => Some(on(at + 1, yesterday)),
        None if french => Some(on(at + 1, yesterday)),
        Some(Language::German) => None,
        _ => Some(Day { end: at + 1, reading: DateReading::Ambiguous(vec![yesterday, today]), yearless: None }),
    }
}

/// "around the 5th"; but "what about Friday?"
pub(super) fn is_roughly(line: &Line<'_>, at: usize) -> bool {
    let led = line.word(at.wrapping_sub(1)) == "um" && line.is(at, &["den"]);
    led || line.follows(at, Class::Roughly) || line.follows(at, &["about"]) && is_after_price(line, at - 1)
}

/// What follows is no noun, which would make a name of the words before it: "the weekend market".
pub(super) fn closes(line: &Line<'_>, end: usize) -> bool {
    line.word(end).is_empty() && line.ends(end) || line.is(end, Class::AfterPhrase)
}

/// Right behind a number, or a currency behind one.
pub(super) fn is_after_price(line: &Line<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let named = line.word(before).len() != 1 && foreign_hours::is_money(line, before);
    line.digits(before).is_some() || named && before > 0 && line.digits(before - 1).is_some()
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
        let is_led = line.is(at, &["at", "um", "à"]) && is_hour;
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
    let half = half.filter(|after| minutes || *after > end + 1 || line.word(end).len() == 2 || is_hour(line, at));
    let named = half.or_else(|| line.is(end, &["uhr", "o'clock"]).then_some(end + 1));
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
    if line.is(at, &["am", "pm"]) {
        return Some(at + 1);
    }
    if !line.is(at, &["a", "p"]) {
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
pub(super) fn is_hour(line: &Line<'_>, at: usize) -> bool {
    let hour =
        line.digits(at).and_then(|digits| digits.parse::<u8>().ok()).is_some_and(|hour| (1..=12).contains(&hour));
    let american = line.conventions.day_order == Some(DayOrder::MonthFirst);
    let others = || (0..line.tokens.len()).any(|other| other != at && line.digits(other).is_some());
    let is_said_at = line.follows(at, &["at"]) && !line.is(at + 2, Class::Each);
    hour && line.glued(at + 1) && line.is(at + 1, &["a", "p"]) && (american || is_said_at && others())
}

/// "10:30": the number there says at what minute.
pub(super) fn is_minute(line: &Line<'_>, at: usize) -> bool {
    let is_short = |at: usize| line.digits(at).is_some_and(|digits| digits.len() <= 2);
    at > 1 && line.mark(at - 1) == Some(':') && line.glued(at - 1) && line.glued(at) && is_short(at) && is_short(at - 2)
}

pub(super) fn is_price(line: &Line<'_>, at: usize) -> bool {
    line.digits(at + usize::from(line.mark(at).is_some_and(currencies::is_sign))).is_some()
}

/// "an hour ago", "5 minutes ago": where it ends, if that was today.
pub(super) fn hours_ago(line: &Line<'_>, at: usize, now: i8) -> Option<usize> {
    if !line.leads_to(at, &["ago"]) {
        return None;
    }
    let article = line.is(at, &["a", "an"]).then_some((at + 1, 1));
    let (end, count) = article.or_else(|| durations::number(line, at))?;
    if line.word(end + 1) != "ago" || !line.starts(at) || line.follows(at, &["half", "and", "than", "over"]) {
        return None;
    }
    let hours = match line.word(end) {
        "hour" | "hours" | "hr" | "hrs" => count,
        "minute" | "minutes" | "min" | "mins" => (count + 59) / 60,
        _ => return None,
    };
    (hours <= i64::from(now)).then_some(end + 2)
}

/// "sunday roast" and "black friday" name what was bought.
pub(super) fn is_name(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, Class::BeforeDayOfName) || line.is(at, &["sunday"]) && line.is(at + 1, Class::OfSunday)
}

pub(super) fn is_misspelt(word: &str) -> bool {
    if !(5..=12).contains(&word.len()) || word.ends_with("'s") {
        return false;
    }
    let own = letters(word);
    let days = [(Class::LongDay, 2), (Class::ShortDay, 1)];
    let is_near = days.into_iter().any(|(class, most)| {
        let mut days = class.all().iter().map(|(day, _)| *day);
        days.any(|day| can_be_near(own, ascii_letters(day), most) && is_near(word, day, most) && word != day)
    });
    is_near && !Class::NearToDay.contains(word)
}
