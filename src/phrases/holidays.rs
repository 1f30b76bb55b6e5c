//! Days with a name: "christmas", "new year's eve", "an Silvester", "el día de Navidad".
//!
//! Only where the words can be nothing but a day: before a noun they name what was bought ("christmas tree"), and at the
//! beginning of a text they may. What has another day each year, or spans several, is reported as unclear.

use jiff::civil::Date;

use super::{
    DateReading,
    day_words::{closes, is_after_price},
    days::{self, Day, in_year, most_recent, unclear},
    lexicon::Class,
    tokens::Line,
    vocabulary, years,
};

/// A name of a day, and where it ends.
struct Holiday {
    end: usize,
    month_and_day: Option<(i8, i8)>,
    /// It may be the days around it, too.
    is_season: bool,
    /// It ends with "day" or "eve", so it is no name of a thing.
    is_spelt_out: bool,
}

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let turned = line.is(at, Class::WhichHoliday);
    let led = turned || line.is(at, Class::BeforeHoliday);
    let start = at + usize::from(led);
    let holiday = named(line, line.skip(start, &[], Class::HolidayArticle))?;
    let end = line.skip(holiday.end, &[], Class::LastBehindHoliday);
    let bound = line.follows(at, Class::BesideHoliday);
    let (led, turned) = (led || bound, turned || bound || end > holiday.end);
    let aimed = line.follows(at, Class::For);
    // "last christmas gifts" were for one of them, whatever "last" is said of.
    let is_of_one = holiday.is_spelt_out || line.is(at, Class::LastHoliday);
    let is_day = closes(line, end) && (led || aimed || holiday.is_spelt_out || is_after_price(line, at));
    let behind = years::behind(line, end, today);
    let Some((month, day)) = holiday.month_and_day else {
        // "A Father's Day card" is bought on any day; "easter monday lunch" may have been then.
        let names_weekday = (at..holiday.end).any(|at| vocabulary::weekday(line, at).is_some());
        let is_one = is_of_one && (names_weekday || line.is(at, Class::LastHoliday));
        // "thanksgiving 2025"
        let is_read = is_day || is_one || behind.is_some();
        return is_read.then(|| unclear(behind.map_or(end, |(end, _)| end)));
    };
    if let Some((end, year)) = behind {
        return Some(in_year(end, year?, month, day));
    }
    let recent = most_recent(month, day, today)?;
    let either = || Day { reading: DateReading::Ambiguous(vec![recent]), ..days::on(end, recent) };
    match is_day {
        // On Boxing Day, "last Christmas" may be the one a year before.
        true if line.word(at) == "last" && recent.duration_until(today).as_hours() > 60 * 24 => {
            Some(days::on(end, recent))
        }
        true if holiday.is_season || aimed || turned => Some(either()),
        true => Some(days::latest(end, month, day, today)),
        false => is_of_one.then(either),
    }
}

fn named(line: &Line<'_>, at: usize) -> Option<Holiday> {
    // "easter monday"
    if line.is(at, Class::BeforeHolidayWeekday) && vocabulary::weekday(line, at + 1).is_some() {
        return Some(Holiday { end: at + 2, month_and_day: None, is_season: false, is_spelt_out: true });
    }
    let (end, sense) = line.sense(at, Class::Holiday).or_else(|| line.sense(at, Class::Season))?;
    // It has another day each year where none is said.
    let month_and_day = sense.says.split_once('-').and_then(|(month, day)| month.parse().ok().zip(day.parse().ok()));
    let is_season = sense.class == Class::Season;
    Some(Holiday { end, month_and_day, is_season, is_spelt_out: !is_season && end > at + 1 })
}
