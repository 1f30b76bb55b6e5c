//! Days from one to another in German, French and Spanish: "13. bis 15. Juli", "du lundi 9 au mercredi 11 novembre".
//!
//! The month and the year that one end leaves out are the other's. What cannot be settled is unclear as a whole.

use jiff::civil::{Date, Weekday};

use super::{
    DateRange, DateReading, DayOrder, Language,
    calendar::{self, is_month, named_period},
    day_words::closes,
    days::{self, most_recent},
    foreign_bounds,
    foreign_hours::HOURS,
    foreign_periods,
    month_days::day_of_recent_month,
    number_words,
    numeric_dates::full_year,
    periods::{Endpoint, Point, When, ended, endpoint, joined, of_day},
    tokens::Line,
    vocabulary, years,
};

pub(super) fn phrase(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, When)> {
    if !line.starts(at) {
        return None;
    }
    let read = numbered(line, at, today).or_else(|| pair(line, at, today));
    let (end, range) = read.or_else(|| foreign_bounds::bounded(line, at, today))?;
    Some((end, settled(range)))
}

fn settled(range: Option<DateRange>) -> When {
    range.map_or(When::Day(DateReading::Ambiguous(Vec::new())), When::Period)
}

const ARTICLES: &[&str] = &["dem", "den", "der", "zum", "am", "le", "les", "el", "los"];
const OPENINGS: &[&str] =
    &["vom", "von", "zwischen", "ab", "seit", "du", "de", "entre", "depuis", "dès", "del", "desde"];

/// One end, by its number: "5.", "5. Mai", "lundi 9", "1er novembre 2025", "14.10."
struct Numbered {
    end: usize,
    weekday: Option<Weekday>,
    day: i8,
    month: Option<i8>,
    year: Option<i16>,
    /// Behind an article.
    led: bool,
    /// With a dot or an ending behind the number.
    is_ordinal: bool,
    /// It can be no price.
    is_day: bool,
    /// Said in one of these languages.
    is_foreign: bool,
}

impl Numbered {
    fn read(line: &Line<'_>, at: usize, today: Date) -> Option<Numbered> {
        let named = line.skip(at, &[], ARTICLES);
        let weekday = vocabulary::foreign_weekday(line.word(named)).map(|(weekday, _)| weekday);
        let start = match weekday {
            Some(_) => line.skip(line.skip(named + 1, &[','], &[]), &[], ARTICLES),
            None => line.skip(named, &[], &["día", "dia", "días", "dias"]),
        };
        let spelt = || number_words::foreign_ordinal(line.word(start)).map(|day| (start + 1, day, true));
        let (end, day, is_ordinal) = number_words::numbered(line, start).or_else(spelt)?;
        if line.is(end, HOURS) {
            return None;
        }
        let alone = Numbered {
            end,
            weekday,
            day,
            month: None,
            year: None,
            led: start > at,
            is_ordinal,
            is_day: false,
            is_foreign: is_ordinal && !line.is(end - 1, days::ORDINAL_ENDINGS) || start > at,
        };
        let dotted = is_ordinal && line.mark(end - 1) == Some('.');
        Some(if dotted { alone.in_digits(line) } else { None }.or_else(|| alone.in_words(line, today)).unwrap_or(alone))
    }

    /// "14.10.", "14.10.2026", "5. 3."
    fn in_digits(&self, line: &Line<'_>) -> Option<Numbered> {
        if line.conventions.day_order == Some(DayOrder::MonthFirst) {
            return None;
        }
        let month = line.digits(self.end).filter(|digits| digits.len() <= 2)?.parse().ok();
        let month = month.filter(|month| (1..=12).contains(month))?;
        let end = self.end + 1;
        let closed = line.glued_mark(end) == Some('.');
        let year = line.digits(end + 1).filter(|digits| {
            closed && (digits.len() == 4 || digits.len() == 2 && line.glued(end + 1)) && line.glued(self.end)
                || closed && digits.len() == 4
        });
        let plain = closed || line.ends(end) || line.glued_mark(end).is_some_and(|mark| "-–".contains(mark));
        let run_on = closed && year.is_none() && line.glued(end + 1) && line.digits(end + 1).is_some();
        if !(closed || line.glued(self.end)) || !plain || run_on {
            return None;
        }
        let end = end + usize::from(closed) + usize::from(year.is_some());
        Some(Numbered {
            end,
            month: Some(month),
            year: year.map(|digits| full_year(digits).unwrap_or(NO_YEAR)),
            is_day: closed,
            is_foreign: true,
            ..*self
        })
    }

    /// "5. Mai", "13 de julio de 2025", "5 mars de l'année dernière"
    fn in_words(&self, line: &Line<'_>, today: Date) -> Option<Numbered> {
        let named = line.skip(self.end, &[], &["de"]);
        let foreign = vocabulary::foreign_month(line.word(named)).map(|(month, _)| month);
        let month = foreign.or_else(|| vocabulary::month(line.word(named)))?;
        let is_foreign = self.is_foreign || foreign.is_some() || named > self.end;
        let end = named + 1 + usize::from(line.glued_mark(named + 1) == Some('.'));
        let (end, year) = match years::behind(line, end, today) {
            Some((end, year)) => (end, Some(year.unwrap_or(NO_YEAR))),
            None => (end, None),
        };
        Some(Numbered { end, month: Some(month), year, is_day: true, is_foreign, ..*self })
    }
}

/// One that no calendar has.
const NO_YEAR: i16 = i16::MAX;

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

/// "vom 13. - 15. Juli", "entre el 13 y el 15 de julio", "14.10. bis 15.10.2026", "13., 14. und 15. Juli".
fn numbered(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<DateRange>)> {
    let opened = line.is(at, OPENINGS);
    let first = Numbered::read(line, at + usize::from(opened), today)?;
    let listed = Numbered::read(line, first.end + 1, today).filter(|_| line.mark(first.end) == Some(','));
    let before = listed.as_ref().unwrap_or(&first);
    let (next, link) = link(line, before.end)?;
    let second = Numbered::read(line, next, today)?;
    let worded = !matches!(line.word(next - 1), "" | "a");
    let led = first.led || line.is(at, &["vom", "du", "del"]);
    // "du 3/10"
    let slashed = line.mark(next - 1) == Some('/') && second.month.is_none();
    if slashed || !(opened || worded || first.is_foreign || second.is_foreign) {
        return None;
    }
    // Two or three days are a span where one follows the other.
    let is_span = matches!(link, Link::To | Link::Dash) || line.is(at, &["zwischen", "entre"]);
    let adjoining = second.day == before.day + 1 && (listed.is_none() || before.day == first.day + 1);
    let is_list = first.month.is_none() && (adjoining || first.is_ordinal == second.is_ordinal);
    if is_span && listed.is_some() || !is_span && !is_list {
        return None;
    }
    let Some(month) = second.month else { return unnamed(line, at, (&first, &second), led, today) };
    let german = line.conventions.language == Some(Language::German) && first.is_ordinal;
    if !(first.is_day || second.is_day || led || german) {
        return None;
    }
    let range = match first.month {
        Some(_) => first.until(&second, month, today),
        None => {
            let latest = || most_recent(month, first.day, today).map(Date::year);
            calendar::numbered(second.year.or_else(latest)?, month, (first.day, second.day))
        }
    };
    let is_settled = link != Link::Or && (is_span || adjoining);
    Some((second.end, range.filter(|range| is_settled && first.fits(range.from) && second.fits(range.to))))
}

impl Numbered {
    fn fits(&self, date: Date) -> bool {
        self.weekday.is_none_or(|weekday| date.weekday() == weekday)
    }

    /// From one day of a month to one of another, or of the same.
    fn until(&self, last: &Numbered, month: i8, today: Date) -> Option<DateRange> {
        joined(&self.point(self.month?, today)?, &last.point(month, today)?, today)
    }

    fn point(&self, month: i8, today: Date) -> Option<Point> {
        let day = match self.year {
            Some(year) => Date::new(year, month, self.day).ok(),
            None => most_recent(month, self.day, today),
        };
        let yearless = self.year.is_none().then_some((month, Some(self.day)));
        Some(Point { end: self.end, range: DateRange::day(day?), yearless, coming: None })
    }
}

/// "vom 1. bis 5.", "del 4 al 22 del mes pasado", "5 mai au 8".
fn unnamed(
    line: &Line<'_>,
    at: usize,
    (first, second): (&Numbered, &Numbered),
    led: bool,
    today: Date,
) -> Option<(usize, Option<DateRange>)> {
    if let Some((end, month)) = named_period(line, second.end, today).filter(|(_, range)| is_month(range)) {
        let (year, month) = (month.from.year(), month.from.month());
        return Some((end, calendar::numbered(year, first.month.unwrap_or(month), (first.day, second.day))));
    }
    if let Some(month) = first.month {
        let closed = first.is_day && closes(line, second.end);
        return closed.then(|| (second.end, first.until(second, month, today)));
    }
    // "von 5 bis 10" may be prices. Reaching past today they may as well be another month's.
    let range = calendar::numbered(today.year(), today.month(), (first.day, second.day));
    let settled = range.filter(|range| range.to <= today && first.fits(range.from) && second.fits(range.to));
    (led && !line.is(at, &["am"])).then_some((second.end, settled))
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
