//! Days named by their place in a month: "the 3rd", "on the 27", "the first Friday of July", "the twenty-first".

use jiff::{ToSpan, civil::Date};

use super::{
    calendar, currencies,
    day_words::closes,
    days::{Day, digit_day, in_year, on, unclear},
    lexicon::Class,
    number_words,
    tokens::Line,
    vocabulary,
};

/// "the 3rd", "on the 3rd", "the 20th of last month".
pub(super) fn day_of_month(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = line.skip(at, &[], &["the"]);
    if start > at && line.follows(at, &["on"]) && !line.is(start, &["second"]) {
        let spelt = number_words::ordinal_words(line, start).and_then(|_| spelt_day(line, start, today));
        if let Some(day) = spelt.filter(|day| closes(line, day.end)) {
            return Some(day);
        }
    }
    let Some((end, day, ordinal)) = digit_day(line, start).filter(|_| line.starts(start)) else {
        let (end, day) = number_words::day_in_words(line, start)?;
        return of_that_month(line, end, day, today);
    };
    let led = line.follows(at, Class::BeforeDay) || at > 0 && vocabulary::weekday(line.word(at - 1)).is_some();
    // "on the 27"
    let ends =
        line.tokens.get(end).is_none() || line.mark(end).is_some_and(|mark| ".!?,".contains(mark)) && line.ends(end);
    let of = of_that_month(line, end, day, today);
    if of.is_some() && (ordinal || line.word(end) == "of") {
        return of;
    }
    let is_day = ordinal || start > at && line.follows(at, &["on"]) && ends;
    if !is_day || line.word(end) == "of" {
        return None;
    }
    // "20th Friday"; the "2nd Friday" may be one of a month.
    if let Some(weekday) = vocabulary::weekday(line.word(end)).filter(|_| ordinal) {
        let date = day_of_recent_month(day, today).filter(|date| day > 5 && date.weekday() == weekday);
        return Some(date.map_or_else(|| unclear(end + 1), |date| on(end + 1, date)));
    }
    let alone =
        line.tokens.get(end).is_none() || line.mark(end).is_some() && line.ends(end) || line.is(end, Class::BehindDay);
    // "lunch 5th 12", "lunch 12 5th"
    let priced = line.digits(end).is_some() || line.mark(end).is_some_and(currencies::is_sign);
    let bare = ordinal && at > 0 && (priced || line.tokens.get(end).is_none());
    if !led && !bare && (!alone || start == at)
        || vocabulary::weekday(line.word(end)).is_some()
        || vocabulary::unit(line.word(end)).is_some()
    {
        return None;
    }
    Some(on(end, day_of_recent_month(day, today)?))
}

/// "of last month", "this month", "of the current month", after a day's number.
fn of_that_month(line: &Line<'_>, at: usize, day: i8, today: Date) -> Option<Day> {
    let month = calendar::named(line, at, today)?;
    let first = month.range.filter(calendar::is_month)?.from;
    Some(in_year(month.end, first.year(), first.month(), day))
}

/// "twenty-first", "fifteen": the most recent such day of a month.
pub(super) fn spelt_day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let spelt = number_words::ordinal_words(line, at).or_else(|| number_words::cardinal(line, at));
    let (end, number) = spelt?;
    let Some(day) = i8::try_from(number).ok().filter(|day| *day <= 31) else { return Some(unclear(end)) };
    let date = day_of_recent_month(day, today)?;
    Some(on(end, date))
}

/// The most recent day of that number, today included.
pub(super) fn day_of_recent_month(day: i8, today: Date) -> Option<Date> {
    let months = (0..12).filter_map(|back| today.first_of_month().checked_sub(back.months()).ok());
    let mut days = months.filter_map(|month| Date::new(month.year(), month.month(), day).ok());
    days.find(|date| *date <= today)
}
