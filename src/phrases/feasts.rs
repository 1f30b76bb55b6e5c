//! Days with a name: "christmas", "new year's eve", "an Silvester", "el día de Navidad".
//!
//! Only where the words can be nothing but a day: before a noun they name what was bought ("christmas tree"), and at the
//! beginning of a text they may. What has another day each year, or spans several, is reported as unclear.

use jiff::civil::Date;

use super::{
    DateReading,
    day_words::{closes, is_after_price},
    days::{self, Day, in_year, most_recent, unclear},
    tokens::Line,
    vocabulary, years,
};

/// A name of a day, and where it ends.
struct Feast {
    end: usize,
    month_and_day: Option<(i8, i8)>,
    /// It may be the days around it, too.
    is_season: bool,
    /// It ends with "day" or "eve", so it is no name of a thing.
    is_spelt_out: bool,
}

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let turned = line.is(at, &["last", "this", "that", "next", "letzte", "letzten", "letztes", "dieses"]);
    let led = turned || line.is(at, &["on", "at", "over", "during", "an", "zu", "über", "à", "en"]);
    let start = at + usize::from(led);
    let feast = named(line, line.skip(start, &[], &["the", "le", "la", "el"]))?;
    let end = line.skip(feast.end, &[], &["dernier", "pasada", "pasado"]);
    let bound = line.follows(at, &["before", "after", "since", "until", "around", "by"]);
    let (led, turned) = (led || bound, turned || bound || end > feast.end);
    let aimed = line.follows(at, &["for", "für", "pour", "para"]);
    let dated =
        |dates: Option<Date>| Day { end, reading: DateReading::Ambiguous(dates.into_iter().collect()), yearless: None };
    let (month, day) = match feast.month_and_day {
        Some(month_and_day) => month_and_day,
        None => {
            let is_day = closes(line, end) && (led || aimed || is_after_price(line, at));
            // "thanksgiving 2025"
            let dated = years::behind(line, end, today).map(|(end, _)| end);
            return (is_day || feast.is_spelt_out || dated.is_some()).then(|| unclear(dated.unwrap_or(end)));
        }
    };
    if let Some((end, year)) = years::behind(line, end, today) {
        return Some(in_year(end, year?, month, day));
    }
    let recent = most_recent(month, day, today)?;
    let is_day = closes(line, end) && (led || aimed || feast.is_spelt_out || is_after_price(line, at));
    match is_day {
        // On Boxing Day, "last Christmas" may be the one a year before.
        true if line.word(at) == "last" && recent.duration_until(today).as_hours() > 60 * 24 => {
            Some(days::on(end, recent))
        }
        true if feast.is_season || aimed || turned => Some(dated(Some(recent))),
        true => Some(Day { yearless: Some((month, day)), ..days::on(end, recent) }),
        false => feast.is_spelt_out.then(|| dated(Some(recent))),
    }
}

fn named(line: &Line<'_>, at: usize) -> Option<Feast> {
    let next = line.word(at + 1);
    let of = |words: usize, month: i8, day: i8| {
        Some(Feast {
            end: at + words,
            month_and_day: Some((month, day)),
            is_season: words == 1,
            is_spelt_out: words > 1,
        })
    };
    let moving =
        |words: usize| Some(Feast { end: at + words, month_and_day: None, is_season: false, is_spelt_out: words > 1 });
    let alone = |found: Option<Feast>| found.map(|feast| Feast { is_season: false, ..feast });
    match line.word(at) {
        "new" if matches!(next, "year" | "years" | "year's") => match line.word(at + 2) {
            "eve" => of(3, 12, 31),
            "day" => of(3, 1, 1),
            _ => of(2, 1, 1).map(|feast| Feast { is_season: true, is_spelt_out: false, ..feast }),
        },
        "christmas" | "xmas" => match next {
            "eve" => of(2, 12, 24),
            "day" => of(2, 12, 25),
            _ => of(1, 12, 25),
        },
        "boxing" if next == "day" => of(2, 12, 26),
        "valentines" | "valentine's" if next == "day" => of(2, 2, 14),
        "valentines" | "valentine's" => alone(of(1, 2, 14)),
        "halloween" => alone(of(1, 10, 31)),
        "nye" => alone(of(1, 12, 31)),
        "bonfire" | "fireworks" if next == "night" => of(2, 11, 5),
        "guy" if next == "fawkes" && matches!(line.word(at + 2), "night" | "day") => of(3, 11, 5),
        "st" if matches!(next, "patrick's" | "patricks") && line.word(at + 2) == "day" => of(3, 3, 17),
        "black" | "cyber" if matches!(next, "friday" | "monday") => {
            moving(2).map(|feast| Feast { is_spelt_out: false, ..feast })
        }
        "easter" | "whit" | "trinity" | "palm" | "maundy" | "mothering" | "ash" | "shrove" | "holy"
            if vocabulary::weekday(next).is_some() =>
        {
            moving(2)
        }
        "chinese" | "parsi" | "lunar" | "islamic" | "jewish" | "persian" | "orthodox" | "vietnamese" | "korean"
        | "hindu"
            if next == "new" && matches!(line.word(at + 2), "year" | "years" | "year's") =>
        {
            moving(3)
        }
        "good" if next == "friday" => moving(2),
        "mothers" | "mother's" | "fathers" | "father's" | "pancake" if next == "day" => moving(2),
        "easter" | "thanksgiving" | "diwali" | "hanukkah" | "ostern" | "pfingsten" | "pâques" => moving(1),
        "weihnachten" | "noël" | "navidad" => of(1, 12, 25),
        "heiligabend" | "nochebuena" => alone(of(1, 12, 24)),
        "silvester" | "nochevieja" => alone(of(1, 12, 31)),
        "neujahr" => alone(of(1, 1, 1)),
        "semana" if next == "santa" => moving(2),
        _ => None,
    }
}
