//! Days with a name: "christmas", "new year's eve", "an Silvester", "el día de Navidad".
//!
//! Only where the words can be nothing but a day: before a noun they name what was bought ("christmas tree"), and at the
//! beginning of a text they may. What has another day each year, or spans several, is reported as unclear.

use jiff::civil::Date;

use super::{
    DateReading,
    day_words::{closes, is_after_price},
    days::{self, in_year, most_recent, unclear},
    lexicon::{Class, Sense},
    periods::Point,
    tokens::Line,
    vocabulary, years,
};

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let turned = line.is(at, Class::WhichHoliday);
    let led = turned || line.is(at, Class::BeforeHoliday);
    let start = line.skip(at + usize::from(led), &[], Class::HolidayArticle);
    let (name_end, sense) = named(line, start)?;
    // It may be the days around it, too.
    let is_season = sense.is_some_and(|sense| sense.class == Class::Season);
    // It ends with "day" or "eve", so it is no name of a thing.
    let is_spelt_out = !is_season && name_end > start + 1;
    let end = line.skip(name_end, &[], Class::LastBehindHoliday);
    let bound = line.follows(at, Class::BesideHoliday);
    let (led, turned) = (led || bound, turned || bound || end > name_end);
    let aimed = line.follows(at, Class::For);
    // "last christmas gifts" were for one of them, whatever "last" is said of.
    let is_of_one = is_spelt_out || line.is(at, Class::LastHoliday);
    let is_day = closes(line, end) && (led || aimed || is_spelt_out || is_after_price(line, at));
    let behind = years::behind(line, end, today);
    let month_and_day = sense.and_then(|sense| sense.says.split_once('-'));
    // It has another day each year where none is said.
    let Some((month, day)) = month_and_day.and_then(|(month, day)| month.parse().ok().zip(day.parse().ok())) else {
        // "A Father's Day card" is bought on any day; "easter monday lunch" may have been then.
        let names_weekday = (at..name_end).any(|at| vocabulary::weekday(line, at).is_some());
        let is_one = is_of_one && (names_weekday || line.is(at, Class::LastHoliday));
        // "thanksgiving 2025"
        let is_read = is_day || is_one || behind.is_some();
        return is_read.then(|| unclear(behind.map_or(end, |(end, _)| end)));
    };
    if let Some((end, year)) = behind {
        return Some(in_year(end, year?, month, day));
    }
    let recent = most_recent(month, day, today)?;
    let either = || days::read(end, DateReading::Ambiguous(vec![recent]));
    match is_day {
        // On Boxing Day, "last Christmas" may be the one a year before.
        true if line.word(at) == "last" && recent.duration_until(today).as_hours() > 60 * 24 => {
            Some(days::on(end, recent))
        }
        true if is_season || aimed || turned => Some(either()),
        true => Some(days::latest(end, month, day, today)),
        false => is_of_one.then(either),
    }
}

/// Where a name of a day ends, and what it says; none for "easter monday".
fn named(line: &Line<'_>, at: usize) -> Option<(usize, Option<&'static Sense>)> {
    if line.is(at, Class::BeforeHolidayWeekday) && vocabulary::weekday(line, at + 1).is_some() {
        return Some((at + 2, None));
    }
    let named = line.sense(at, Class::Holiday).or_else(|| line.sense(at, Class::Season));
    named.map(|(end, sense)| (end, Some(sense)))
}
