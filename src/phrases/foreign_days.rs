//! Plain days in German, French and Spanish: "gestern", "le 3 mars 2026", "el lunes", "hace 3 días".
//!
//! They are read in any text where they can be nothing else. A word that says another thing in another of the languages,
//! or names what was bought, only counts where the writer's language or the words beside it settle it; else it is
//! reported as unclear, or left.

use jiff::{ToSpan, civil::Date};

use super::{
    DateReading, Language,
    day_words::{closes, is_after_price},
    days::{self, Day, digit_day, impossible, most_recent, unclear},
    foreign_names::{self, PARTS_OF_DAY, month, unit},
    foreign_numbers,
    month_days::day_of_recent_month,
    numeric_dates::numeric,
    tokens::Line,
    vocabulary::{self, Unit},
};

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    if !line.starts(at) {
        return None;
    }
    relative(line, at, today)
        .or_else(|| day_and_month(line, at, today))
        .or_else(|| ago(line, at, today))
        .or_else(|| weekday(line, at, today))
        .or_else(|| nth(line, at, today))
        .or_else(|| part(line, at).or_else(|| occasion(line, at)).map(unclear))
}

fn relative(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let (end, days) = match (line.word(at), line.word(at + 1), line.word(at + 2)) {
        ("heute", ..) => (parts_end(line, at + 1), 0),
        ("gestern", ..) => (parts_end(line, at + 1), -1),
        ("vorgestern", ..) => (parts_end(line, at + 1), -2),
        ("letzte" | "vergangene", "nacht", _) | ("nuit", "dernière", _) => (at + 2, -1),
        ("la", "nuit", "dernière") => (at + 3, -1),
        ("cette", "nuit", _) => {
            let either = DateReading::Ambiguous(vec![today.yesterday().ok()?, today]);
            return Some(Day { end: at + 2, reading: either, yearless: None });
        }
        ("übermorgen", ..) => (at + 1, 2),
        ("aujourd'hui", ..) => (at + 1, 0),
        ("ce", "matin" | "midi" | "soir", _) | ("cet", "après", _) => (parts_end(line, at + 1), 0),
        ("avant", "hier", _) => (at + 2, -2),
        ("avant", _, "hier") if line.mark(at + 1) == Some('-') => (parts_end(line, at + 3), -2),
        ("hier", "matin" | "midi" | "soir" | "après", _) => (parts_end(line, at + 1), -1),
        ("hier", ..) => return here_or_yesterday(line, at, today),
        ("demain", ..) => (parts_end(line, at + 1), 1),
        ("hoy", ..) | ("esta", "mañana" | "tarde" | "noche", _) => {
            (parts_end(line, at + 1 + usize::from(line.word(at) == "esta")), 0)
        }
        ("antes", "de", "ayer") => (at + 3, -2),
        ("anteayer" | "antier", ..) => (parts_end(line, at + 1), -2),
        ("ayer", ..) => (parts_end(line, at + 1), -1),
        ("anoche", ..) => (at + 1, -1),
        ("pasado", "mañana", _) => (at + 2, 2),
        ("l'autre", "jour" | "soir" | "nuit" | "matin", _) | ("la", "veille", _) | ("am", "vortag", _) => {
            return Some(unclear(at + 2));
        }
        ("el", "otro", "día" | "dia") | ("la", "otra", "noche" | "tarde" | "mañana" | "semana") => {
            return Some(unclear(at + 3));
        }
        // The next day, or a morning.
        ("morgen" | "mañana", ..) if !line.follows(at, &["am", "jeden", "guten", "la", "cada"]) => {
            return Some(unclear(at + 1));
        }
        _ => return None,
    };
    on(end, today.checked_add(days.days()).ok()?)
}

/// Past "soir", "après-midi", "por la mañana".
fn parts_end(line: &Line<'_>, at: usize) -> usize {
    if line.word(at) == "après" && line.word(at + 2) == "midi" {
        return at + 3;
    }
    if line.is(at, &["por", "en"]) && line.word(at + 1) == "la" && line.is(at + 2, &["mañana", "tarde", "noche"]) {
        return at + 3;
    }
    line.skip(line.skip(at, &[], PARTS_OF_DAY), &[], &["matin", "midi", "soir"])
}

/// "hier" is yesterday in French, and here in German.
fn here_or_yesterday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let yesterday = today.yesterday().ok()?;
    const FRENCH: &[&str] =
        &["non", "oui", "j'ai", "c'était", "était", "pour", "chez", "au", "du", "des", "une", "avec", "payé", "acheté"];
    let french = (0..line.tokens.len()).any(|at| line.is(at, FRENCH));
    match line.conventions.language {
        Some(Language::French) => on(at + 1, yesterday),
        None if french => on(at + 1, yesterday),
        Some(Language::German) => None,
        _ => Some(Day { end: at + 1, reading: DateReading::Ambiguous(vec![yesterday, today]), yearless: None }),
    }
}

/// "am 3. März", "le 1er mars 2026", "el 3 de marzo de 2026", "3. März", "am 3.3."
fn day_and_month(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let led = line.is(at, &["am", "vom", "den", "le", "du", "el", "del"]);
    let start = line.skip(at + usize::from(led), &[], if led { &["día", "dia"] } else { &[] });
    if let Some(day) = dotted(line, start, today).filter(|_| led || line.conventions.language == Some(Language::German))
    {
        return Some(day);
    }
    let spelt = || spelt_day(line, start).filter(|_| led).map(|(end, day)| (end, day, false));
    let (mut end, day, _) = digit_day(line, start).or_else(spelt)?;
    let first = day == 1 && line.glued(end) && line.word(end) == "er";
    end += usize::from(first);
    let link = line.skip(end, &['.'], &["de"]);
    let english = || vocabulary::month(line.word(link)).filter(|_| led).map(|month| (month, Language::English));
    let (month, language) = month(line.word(link)).or_else(english)?;
    let after = line.skip(link + 1, &['.', ','], &["de", "del"]);
    let year = days::year(line, after);
    let settled = led || link > end || year.is_some() || first || line.conventions.language == Some(language);
    if !settled && matches!(line.word(link), "mars" | "mai" | "mayo" | "julio" | "agosto") {
        return None;
    }
    let date = match year {
        Some((end, digits)) => {
            let Some(year) = days::known_year(digits) else {
                return Some(impossible(end, "I only know the years from 1970 to 2100".to_owned()));
            };
            return Some(
                Date::new(year, month, day).map_or_else(|_| no_such_day(end, month, day), |date| settled_on(end, date)),
            );
        }
        None => most_recent(month, day, today),
    };
    let end = link + 1;
    Some(match date {
        Some(date) => Day { end, reading: DateReading::On(date), yearless: Some((month, day)) },
        None => no_such_day(end, month, day),
    })
}

/// "dritten", "premier", "tres", before a month.
fn spelt_day(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let number = match line.word(at) {
        "ersten" | "erster" | "premier" | "primero" => Some((at + 1, 1)),
        "dritten" => Some((at + 1, 3)),
        "siebten" => Some((at + 1, 7)),
        "achten" => Some((at + 1, 8)),
        word => {
            let stem = word.strip_suffix("sten").or_else(|| word.strip_suffix("ten"));
            stem.and_then(foreign_numbers::german).map(|day| (at + 1, day))
        }
    };
    let cardinal = || foreign_numbers::cardinal(line, at).and_then(|(end, day)| Some((end, day?)));
    let (end, day) = number.or_else(cardinal)?;
    Some((end, i8::try_from(day).ok().filter(|day| *day <= 31)?))
}

/// `3.3.`, day first as wherever days are written with dots.
fn dotted(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let part = |at: usize| line.digits(at).filter(|digits| digits.len() <= 2)?.parse::<i8>().ok();
    let dot = |at: usize| line.glued_mark(at) == Some('.');
    let (day, month) = (part(at)?, part(at + 2)?);
    let whole = dot(at + 1) && line.glued(at + 2) && dot(at + 3) && !line.glued(at + 4);
    if !whole || !(1..=31).contains(&day) || !(1..=12).contains(&month) {
        return None;
    }
    Some(match most_recent(month, day, today) {
        Some(date) => Day { end: at + 4, reading: DateReading::On(date), yearless: Some((month, day)) },
        None => no_such_day(at + 4, month, day),
    })
}

fn no_such_day(end: usize, month: i8, day: i8) -> Day {
    impossible(end, days::no_such_day(month, day))
}

/// "vor 3 Tagen", "il y a 2 semaines", "hace un mes".
fn ago(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = match (line.word(at), line.word(at + 1), line.word(at + 2)) {
        ("vor" | "hace", ..) => at + 1,
        ("il", "y", "a") => at + 3,
        _ => return None,
    };
    // "vor kurzem": no number of days.
    if line.is(start, &["kurzem", "langem", "längerem", "longtemps", "peu", "poco", "mucho", "tiempo"]) {
        return Some(unclear(start + 1));
    }
    let (end, count) = match line.digits(start) {
        Some(digits) => (start + 1, digits.parse::<i64>().ok().filter(|_| digits.len() <= 3)?),
        None if line.word(start) == "einer" => (start + 1, 1),
        None => match foreign_numbers::cardinal(line, start) {
            Some((end, Some(count))) => (end, i64::try_from(count).ok().filter(|count| *count <= 999)?),
            _ => (start, 0),
        },
    };
    // "Quinze jours" are two weeks to most, and "acht Tage" one.
    let weeks = match (line.word(at), count) {
        ("vor" | "il", 8) => 1,
        ("il" | "hace", 15) => 2,
        _ => 0,
    };
    if weeks > 0 && unit(line.word(end)) == Some(Unit::Day) {
        let days = vec![today.checked_sub(count.days()).ok()?, today.checked_sub((weeks * 7).days()).ok()?];
        return Some(Day { end: end + 1, reading: DateReading::Ambiguous(days), yearless: None });
    }
    let span = match unit(line.word(end)).filter(|_| end > start) {
        Some(Unit::Day) => count.days(),
        Some(Unit::Week) => (count * 7).days(),
        Some(Unit::Month) => count.months(),
        Some(Unit::Year) => count.years(),
        // "a few days", "an hour".
        None => {
            let is_time = |at: &usize| unit(line.word(*at)).is_some() || line.is(*at, TIMES);
            return Some(unclear((start..start + 4).find(is_time)? + 1));
        }
    };
    if line.is(end + 1, &["environ", "ungefähr", "aproximadamente"]) {
        return Some(unclear(end + 2));
    }
    on(end + 1, today.checked_sub(span).ok()?)
}

const TIMES: &[&str] = &[
    "stunde", "stunden", "minuten", "heure", "heures", "minutes", "hora", "horas", "minutos", "moment", "momento",
    "rato",
];

/// "am 5.", "el día 5", and "le 5" or "el 5" where nothing follows: the most recent such day.
fn nth(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let dotted = line.is(at, &["am", "vom", "den", "zum"]);
    let number = line.skip(at + 1, &[], &["día", "dia"]);
    let (end, day, _) = digit_day(line, number).filter(|_| dotted || line.is(at, &["le", "el"]))?;
    let point = line.glued_mark(end) == Some('.') && !line.glued(end + 1);
    let first = line.glued(end) && line.word(end) == "er";
    let whole = dotted && point || first || number > at + 1 || line.tokens.get(end).is_none();
    let end = if point || first { end + 1 } else { end };
    let of_month = month(line.word(end)).is_some() || vocabulary::month(line.word(end)).is_some();
    (whole && !of_month).then(|| on(end, day_of_recent_month(day, today)?)).flatten()
}

/// "Ende Oktober", "fin du mois", "a principios de mes": part of a span, and no day of it.
fn part(line: &Line<'_>, at: usize) -> Option<usize> {
    const PARTS: &[&str] =
        &["anfang", "mitte", "ende", "début", "milieu", "mi", "fin", "principios", "mediados", "finales", "fines"];
    const LINKS: &[&str] = &[
        "des", "der", "dieses", "dieser", "diesen", "letzten", "letzter", "vorigen", "de", "du", "del", "la", "le",
        "este", "esta", "cette", "ce",
    ];
    let start = line.skip(at, &[], &["a"]);
    let named = line.skip(line.skip(line.skip(start + 1, &['-'], &[]), &[], LINKS), &[], LINKS);
    let word = line.word(named);
    let word = word.strip_prefix("d'").unwrap_or(word);
    let is_span = unit(word).is_some() || month(word).is_some() || vocabulary::month(word).is_some();
    let weekend = line.word(start) == "fin" && unit(word) == Some(Unit::Week);
    (line.is(start, PARTS) && is_span && !weekend).then_some(named + 1)
}

/// "letzten Sommer", "l'été dernier", "en vacaciones", after a price: elsewhere they are names.
fn occasion(line: &Line<'_>, at: usize) -> Option<usize> {
    const LEADS: &[&str] = &[
        "in", "im", "am", "an", "den", "der", "die", "zum", "letzten", "letzter", "letztes", "diesen", "diesem",
        "meinem", "en", "au", "à", "le", "la", "les", "cet", "cette", "ce", "mon", "pendant", "pour", "el", "las",
        "los", "mi", "este", "esta", "durante", "por",
    ];
    const NOUNS: &[&str] = &[
        "sommer", "winter", "frühling", "frühjahr", "herbst", "ferien", "urlaub", "geburtstag", "feiertag",
        "feiertagen", "été", "l'été", "hiver", "l'hiver", "printemps", "automne", "l'automne", "vacances",
        "anniversaire", "verano", "invierno", "otoño", "primavera", "vacaciones", "cumpleaños",
    ];
    const BEHIND: &[&str] = &["dernier", "dernière", "dernières", "passé", "pasado", "pasada", "pasadas"];
    let noun = (at..at + 4).find(|at| !line.is(*at, LEADS))?;
    let end = line.skip(noun + 1, &[], BEHIND);
    (line.is(noun, NOUNS) && is_after_price(line, at) && closes(line, end)).then_some(end)
}

/// "am Montag", "le lundi", "el lunes"; with no article and no known language it may be a name.
fn weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    const BESIDE: &[&str] = &[
        "letzten", "letzter", "vergangenen", "nächsten", "kommenden", "diesen", "jeden", "jeder", "pasado", "último",
        "próximo", "este", "cada", "ce", "chaque", "dernier", "prochain", "passé", "los", "les",
    ];
    let led = line.is(at, &["am", "le", "el", "vom", "du", "del"]);
    let start = at + usize::from(led);
    let start = start + usize::from(line.is(start, BESIDE));
    let (weekday, language) = foreign_names::weekday(line.word(start))?;
    if line.word(start) == "mardi" && line.word(start + 1) == "gras" {
        return None;
    }
    let end = parts_end(line, start + 1);
    // "Montag, den 16. November"
    let next = line.skip(line.skip(end, &[','], &[]), &[], &["den"]);
    let dated = day_and_month(line, next, today)
        .or_else(|| days::month_and_day(line, next, today))
        .or_else(|| numeric(line, next, today));
    if let Some(day) = dated {
        return Some(match day.reading {
            DateReading::On(date) if date.weekday() != weekday => unclear(day.end),
            _ => day,
        });
    }
    const LAST: &[&str] = &["letzten", "letzter", "vergangenen", "dernier", "passé", "pasado"];
    if (line.follows(start, LAST) && start > at + usize::from(led)) || line.is(end, LAST) {
        let end = line.skip(end, &[], LAST);
        return Some(Day { end, reading: days::beside(today, -1, weekday)?, yearless: None });
    }
    if start > at + usize::from(led) || line.is(end, BESIDE) || line.follows(at, BESIDE) {
        return Some(unclear(line.skip(end, &[], BESIDE)));
    }
    if line.follows(at, &["für", "pour", "para"]) && days::is_aimed(line, at, end) {
        return days::past_or_coming(end, weekday, today);
    }
    let date = today.checked_sub(i32::from(weekday.until(today.weekday())).days()).ok()?;
    let settled = led
        || line.conventions.language == Some(language)
        || line.follows(at, &["seit", "depuis", "desde"])
        || is_after_price(line, at) && closes(line, end);
    Some(if settled {
        settled_on(end, date)
    } else {
        Day { end, reading: DateReading::Ambiguous(vec![date]), yearless: None }
    })
}

fn on(end: usize, date: Date) -> Option<Day> {
    Some(settled_on(end, date))
}

fn settled_on(end: usize, date: Date) -> Day {
    Day { end, reading: DateReading::On(date), yearless: None }
}
