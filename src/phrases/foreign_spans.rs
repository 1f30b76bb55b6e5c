//! Days from one to another in German, French and Spanish: "13. bis 15. Juli", "du lundi 9 au mercredi 11 novembre".
//!
//! The month and the year that one end leaves out are the other's. What cannot be settled is unclear as a whole.

use jiff::civil::Date;

use super::{
    DateRange, DateReading,
    day_words::closes,
    days, foreign_bounds, foreign_periods,
    month_days::day_of_recent_month,
    number_words,
    periods::{Endpoint, Point, When, ended, endpoint, joined, of_day},
    tokens::Line,
    vocabulary,
};

pub(super) fn phrase(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, When)> {
    if !line.starts(at) {
        return None;
    }
    let read = pair(line, at, today);
    let (end, range) = read.or_else(|| foreign_bounds::bounded(line, at, today))?;
    Some((end, settled(range)))
}

fn settled(range: Option<DateRange>) -> When {
    range.map_or(When::Day(DateReading::Ambiguous(Vec::new())), When::Period)
}

const ARTICLES: &[&str] = &["dem", "den", "der", "zum", "am", "le", "les", "el", "los"];
const OPENINGS: &[&str] =
    &["vom", "von", "zwischen", "ab", "seit", "du", "de", "entre", "depuis", "dès", "del", "desde"];

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Link {
    To,
    Dash,
    And,
    Or,
}

/// Past what stands between two ends.
pub(super) fn link(line: &Line<'_>, at: usize) -> Option<(usize, Link)> {
    const TO: &[&str] = &["bis", "au", "al", "à", "a", "hasta", "jusqu'au", "jusqu'à"];
    let comma = line.skip(at, &[','], &[]);
    if line.is(comma, TO) {
        let at = comma;
        return Some((line.skip(at + 1, &[], &["zum", "einschließlich"]), Link::To));
    }
    if line.is(at, &["und", "et", "y"]) || line.mark(at).is_some_and(|mark| "&+/".contains(mark)) {
        return Some((at + 1, Link::And));
    }
    if line.is(at, &["oder", "ou", "o"]) {
        return Some((at + 1, Link::Or));
    }
    line.mark(at).filter(|mark| "-–—".contains(*mark)).map(|_| (at + 1, Link::Dash))
}

/// One end of a span, whatever it is.
pub(super) fn end(line: &Line<'_>, at: usize, led: bool, today: Date) -> Option<Endpoint> {
    // "jusqu'au 15", "hasta el 15"
    let number = line.skip(line.skip(at, &[], ARTICLES), &[], &["día", "dia"]);
    if (led || number > at)
        && let Some((end, number, _)) = number_words::numbered(line, number).filter(|(end, ..)| closes(line, *end))
    {
        let day = days::on(end, day_of_recent_month(number, today)?);
        return Some(of_day(line, at, day, today));
    }
    if led && let Some(read) = endpoint(line, at - 1, today, false) {
        return Some(read);
    }
    let named = line.skip(at, &[], ARTICLES);
    if vocabulary::foreign_month(line.word(named)).is_some()
        && let Some(period) = foreign_periods::month(line, named, today, true)
    {
        let yearless = period.yearless.map(|month| (month, None));
        let unclear = (period.end, DateReading::Ambiguous(Vec::new()));
        return Some(
            period.range.map_or(Err(unclear), |range| Ok(Point { end: period.end, range, yearless, coming: None })),
        );
    }
    let read = endpoint(line, at, today, false).or_else(|| endpoint(line, named, today, false));
    match vocabulary::foreign_weekday(line.word(named)) {
        // Beside the other end it is no name.
        Some((weekday, _)) if read.as_ref().is_none_or(|read| ended(read) == named + 1) => {
            let date = days::recent(weekday, today)?;
            Some(Ok(Point { end: named + 1, range: DateRange::day(date), yearless: None, coming: None }))
        }
        _ => read,
    }
}

/// "von Montag bis Mittwoch", "entre lundi et mercredi", "desde octubre hasta ayer".
fn pair(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<DateRange>)> {
    let opened = line.is(at, OPENINGS);
    let is_weekday = |at: usize| vocabulary::foreign_weekday(line.word(line.skip(at, &[], ARTICLES))).is_some();
    let between_weekdays =
        || is_weekday(at) && link(line, line.skip(at, &[], ARTICLES) + 1).is_some_and(|(next, _)| is_weekday(next));
    if !(opened || between_weekdays()) {
        return None;
    }
    let first = end(line, at + usize::from(opened), false, today)?;
    let (next, link) = link(line, ended(&first))?;
    let between = line.is(at, &["zwischen", "entre"]);
    if link == Link::Or || link == Link::And && !between || link == Link::Dash && line.glued(next) {
        return None;
    }
    let second = end(line, next, false, today)?;
    let last = ended(&second);
    let (Ok(first), Ok(second)) = (first, second) else { return Some((last, None)) };
    let is_weekday =
        last == line.skip(next, &[], ARTICLES) + 1 && vocabulary::foreign_weekday(line.word(last - 1)).is_some();
    if is_weekday && first.range.from == first.range.to {
        // The day of the week after the first, and not the last there was.
        let day = first.range.from.nth_weekday(1, second.range.from.weekday()).ok();
        return Some((last, day.filter(|day| *day <= today).and_then(|day| DateRange::new(first.range.from, day))));
    }
    Some((last, joined(&first, &second, today)))
}

/// Past the second end, where a first one that is not settled goes on.
pub(super) fn goes_on(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    let (next, _) = link(line, at).filter(|(_, link)| *link == Link::To)?;
    Some(ended(&end(line, next, false, today)?))
}
