//! Plain days in German, French and Spanish: "gestern", "le 3 mars 2026", "el lunes", "hace 3 días".
//!
//! They are read in any text where they can be nothing else. A word that says another thing in another of the languages,
//! or names what was bought, only counts where the writer's language or the words beside it settle it; else it is
//! reported as unclear, or left.

use jiff::{ToSpan, civil::Date};

use super::{
    DateReading, Language, currencies,
    day_words::{closes, is_after_price},
    days::{self, Day, impossible, most_recent, unclear},
    foreign_spans::{is_month, is_year},
    foreign_weekdays::weekday,
    foreign_within::{self, before, named_period, quantity},
    lexicon::Class,
    month_days::day_of_recent_month,
    number_words,
    tokens::Line,
    vocabulary::{self, Unit},
};

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    if !line.starts(at) {
        return None;
    }
    foreign_within::part_of_span(line, at, today)
        .map(unclear)
        .or_else(|| foreign_within::beside(line, at, today))
        .or_else(|| relative(line, at, today))
        .or_else(|| day_and_month(line, at, today))
        .or_else(|| foreign_within::nth_weekday(line, at, today))
        .or_else(|| foreign_within::in_named_week(line, at, today))
        .or_else(|| ago(line, at, today))
        .or_else(|| weekday(line, at, today))
        .or_else(|| nth(line, at, today))
        .or_else(|| part(line, at).or_else(|| occasion(line, at)).map(unclear))
}

fn relative(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let (end, days) = match (line.word(at), line.word(at + 1), line.word(at + 2)) {
        ("heute", ..) => (parts_end(line, at + 1), 0),
        ("gestern", ..) => (parts_end(line, at + 1), -1),
        ("vorvorgestern", ..) => (at + 1, -3),
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
    let date = today.checked_add(days.days()).ok()?;
    // "heute vor einer Woche", "heute in einer Woche"
    match quantity(line, end + 1) {
        Some((end, count, unit)) if line.is(end - 3, &["vor", "hace"]) => on(end, before(date, count, unit)?),
        Some((end, ..)) if line.is(end - 3, &["in"]) => Some(unclear(end)),
        _ => on(end, date),
    }
}

/// Past "soir", "après-midi", "por la mañana".
pub(super) fn parts_end(line: &Line<'_>, at: usize) -> usize {
    if line.word(at) == "après" && line.word(at + 2) == "midi" {
        return at + 3;
    }
    if line.is(at, &["por", "en"]) && line.word(at + 1) == "la" && line.is(at + 2, &["mañana", "tarde", "noche"]) {
        return at + 3;
    }
    line.skip(line.skip(at, &[], vocabulary::FOREIGN_PARTS_OF_DAY), &[], &["matin", "midi", "soir"])
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

/// "am 3. März", "le 1er mars 2026", "el 3 de marzo de 2026", "3. März", "15te Oktober", "am 3.3."
pub(super) fn day_and_month(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let led = line.is(at, LEADS);
    let start = line.skip(at + usize::from(led), &[], if led { &["día", "dia"][..] } else { &[] });
    if let Some(day) = dotted(line, start, led, today) {
        return Some(day);
    }
    let word = line.word(start);
    let spelt = || number_words::foreign_ordinal(word).map(|day| (start + 1, day, true));
    let linked = || (start + 1..start + 4).any(|at| line.word(at) == "de");
    let counted = || {
        if !led && !linked() {
            return None;
        }
        let (end, day) =
            number_words::foreign_cardinal(line, start).filter(|(end, _)| led || line.word(*end) == "de")?;
        Some((end, i8::try_from(day?).ok().filter(|day| *day <= 31)?, false))
    };
    let numbered = number_words::numbered(line, start).or_else(spelt).or_else(counted);
    let Some((end, day, marked)) = numbered else { return month_first(line, start, today) };
    let link = line.skip(end, &[], &["de"]);
    let english = || {
        let marked = marked && line.mark(end - 1) != Some('.') && !line.is(end - 1, days::ORDINAL_ENDINGS);
        vocabulary::month(line.word(link))
            .filter(|_| led || marked || link > end)
            .map(|month| (month, Language::English))
    };
    let (month, language) = vocabulary::foreign_month(line.word(link)).or_else(english)?;
    let own = line.conventions.language == Some(language)
        || line.word(link) == "mai" && line.conventions.language == Some(Language::French);
    let after = line.skip(link + 1, &['.', ','], &["de", "del"]);
    let year = days::year(line, after);
    let priced = is_after_price(line, at) && closes(line, link + 1);
    let settled = led || link > end || year.is_some() || marked || own || priced;
    if !settled && matches!(line.word(link), "mars" | "mai" | "mayo" | "julio" | "agosto") {
        return None;
    }
    let on_day = |year: i16, end: usize| {
        Date::new(year, month, day).map_or_else(|_| no_such_day(end, month, day), |date| settled_on(end, date))
    };
    if let Some((end, digits)) = year {
        return Some(match days::known_year(digits) {
            Some(year) => on_day(year, end),
            None => impossible(end, "I only know the years from 1970 to 2100".to_owned()),
        });
    }
    let end = link + 1;
    // "3 noviembre 5" can be the 3rd or the 5th.
    let two_days = || days::digit_day(line, end).is_some_and(|(after, ..)| line.ends(after));
    if language == Language::Spanish && link == start + 1 && !led && two_days() {
        return Some(unclear(end + 1));
    }
    if let Some((end, range)) = named_period(line, end, today).filter(|(_, range)| is_year(range)) {
        return Some(on_day(range.from.year(), end));
    }
    // "am 3. Oktober vor zwei Jahren"
    if let Some(then) = ago(line, end, today) {
        return Some(match quantity(line, then.end - 2) {
            Some((end, count, Unit::Year)) => on_day(today.year() - i16::try_from(count).ok()?, end),
            _ => unclear(then.end),
        });
    }
    if let Some(after) = short_year(line, end, today) {
        return Some(unclear(after));
    }
    Some(match most_recent(month, day, today) {
        Some(date) => Day { end, reading: DateReading::On(date), yearless: Some((month, day)) },
        None => no_such_day(end, month, day),
    })
}

const LEADS: &[&str] = &["am", "vom", "den", "dem", "zum", "le", "du", "au", "el", "del", "al"];

/// "18. November 25", which in English would be a day and a price.
pub(super) fn dotted_with_short_year(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    let dotted = line.digits(at).is_some() && line.glued_mark(at + 1) == Some('.');
    vocabulary::month(line.word(at + 2)).filter(|_| dotted)?;
    short_year(line, at + 3, today)
}

/// The number may be the year, or a price.
fn short_year(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    let years = today.year() % 100 - 1..=today.year() % 100;
    let digits = line.digits(at).filter(|digits| digits.len() == 2 && !line.glued(at) && line.ends(at + 1))?;
    let is_year = digits.parse().is_ok_and(|year: i16| years.contains(&year)) && closes(line, at + 1);
    let is_money = line.mark(at + 1).and_then(currencies::sign).is_some();
    (is_year && !is_money).then_some(at + 1)
}

/// "noviembre 18", "mayo 5 del 2026": as it is said in America; the number may be a price, too.
fn month_first(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let (month, _) = vocabulary::foreign_month(line.word(at)).filter(|(_, language)| *language == Language::Spanish)?;
    let is_own = line.conventions.language == Some(Language::Spanish);
    // They are names, too.
    if !is_own && line.is(at, &["mayo", "julio", "agosto"]) {
        return None;
    }
    let (end, day, _) = number_words::numbered(line, at + 1)?;
    let year = days::year(line, line.skip(end, &[','], &["de", "del"]));
    let is_other = line.glued(at + 1) || !line.ends(end) || line.follows(at, &["de"]);
    let is_money = line.tokens.get(end).is_some_and(|token| currencies::word(token.text, line.word(end)).is_some())
        || line.mark(end).and_then(currencies::sign).is_some();
    if is_other || is_money {
        return None;
    }
    if let Some((end, digits)) = year {
        return Some(days::in_year(end, days::known_year(digits)?, month, day));
    }
    let Some(date) = most_recent(month, day, today) else { return Some(no_such_day(end, month, day)) };
    let priced = (0..line.tokens.len()).any(|other| other != at + 1 && line.digits(other).is_some());
    let settled = priced || at == 0 && line.tokens.len() == end;
    Some(if settled { Day { end, reading: DateReading::On(date), yearless: Some((month, day)) } } else { unclear(end) })
}

/// `3.3.`, `3. 3.`, `3.3.26`, day first as wherever days are written with dots.
fn dotted(line: &Line<'_>, at: usize, led: bool, today: Date) -> Option<Day> {
    let german = line.conventions.language == Some(Language::German);
    let part = |at: usize| line.digits(at).filter(|digits| digits.len() <= 2)?.parse::<i8>().ok();
    let dot = |at: usize| line.glued_mark(at) == Some('.');
    let (day, month) = (part(at)?, part(at + 2)?);
    if !dot(at + 1) || !(1..=31).contains(&day) || !(1..=12).contains(&month) {
        return None;
    }
    let close = line.glued(at + 2);
    let year = line.digits(at + 4).filter(|digits| {
        let short = digits.len() == 2 && close && line.glued(at + 4);
        dot(at + 3) && (short || digits.len() == 4 && line.glued(at + 4) == close) && line.ends(at + 5)
    });
    if let Some(digits) = year {
        let year = match digits.len() {
            2 => Some(2000 + digits.parse::<i16>().ok()?).filter(|year| *year <= today.year() + 1),
            _ => days::known_year(digits),
        };
        return Some(match year {
            Some(year) => days::in_year(at + 5, year, month, day),
            None => impossible(at + 5, "I only know the years from 1970 to 2100".to_owned()),
        });
    }
    let whole = dot(at + 3) && !line.glued(at + 4) && (led || german);
    // "am 15.10": after an hour, "am" is English.
    let bare = close && line.ends(at + 3) && !dot(at + 3) && led && (german || at < 2 || line.digits(at - 2).is_none());
    let is_price =
        line.tokens.get(at + 3).is_some_and(|token| currencies::word(token.text, line.word(at + 3)).is_some())
            || line.mark(at + 3).and_then(currencies::sign).is_some();
    if !(whole || bare && !is_price) {
        return None;
    }
    let end = at + 3 + usize::from(whole);
    Some(match most_recent(month, day, today) {
        Some(date) => Day { end, reading: DateReading::On(date), yearless: Some((month, day)) },
        None => no_such_day(end, month, day),
    })
}

fn no_such_day(end: usize, month: i8, day: i8) -> Day {
    impossible(end, days::no_such_day(month, day))
}

/// "vor 3 Tagen", "il y a 2 semaines", "hace un mes".
pub(super) fn ago(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let start = match (line.word(at), line.word(at + 1), line.word(at + 2)) {
        ("vor" | "hace", ..) => at + 1,
        ("il", "y", "a") => at + 3,
        ("d'il", "y", "a") => at + 3,
        ("il", "ya", _) => at + 2,
        // "3 días atrás"
        _ => quantity(line, at).filter(|(end, ..)| line.is(*end, BACK)).map(|_| at)?,
    };
    // "vor kurzem": no number of days.
    if line.is(start, &["kurzem", "langem", "längerem", "longtemps", "peu", "poco", "mucho", "tiempo"]) {
        return Some(unclear(start + 1));
    }
    let Some((end, count, named)) = quantity(line, start) else {
        // "a few days", "an hour", "dos lunes".
        let is_time = |at: &usize| {
            vocabulary::foreign_unit(line.word(*at)).is_some()
                || line.is(*at, Class::ShortTime)
                || vocabulary::foreign_weekday(line.word(*at)).is_some()
        };
        return Some(unclear((start..start + 4).find(is_time)? + 1));
    };
    // "Quinze jours" are two weeks to most, and "acht Tage" one.
    let weeks = match (line.word(at), count) {
        ("vor" | "il", 8) => 1,
        ("il" | "hace", 15) => 2,
        _ => 0,
    };
    if weeks > 0 && named == Unit::Day {
        let days = vec![today.checked_sub(count.days()).ok()?, today.checked_sub((weeks * 7).days()).ok()?];
        return Some(Day { end, reading: DateReading::Ambiguous(days), yearless: None });
    }
    let date = before(today, count, named)?;
    // "2 Wochen und 3 Tagen"
    let more = quantity(line, line.skip(end, &[], &["und", "et", "y"])).filter(|_| line.is(end, &["und", "et", "y"]));
    let (end, date) = match more {
        Some((end, count, unit)) => (end, before(date, count, unit)?),
        None => (end, date),
    };
    let end = line.skip(end, &[], BACK);
    if line.is(end, &["environ", "ungefähr", "aproximadamente"]) {
        return Some(unclear(end + 1));
    }
    on(end, date)
}

const BACK: &[&str] = &["atrás", "atras"];

/// "am 5.", "el día 5", "am 5. letzten Monats", and "le 5" or "el 5" where nothing follows: the most recent such day.
fn nth(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let dotted = line.is(at, &["am", "vom", "den", "dem", "zum"]);
    let led = dotted || line.is(at, &["le", "el", "du", "del"]);
    let start = at + usize::from(led);
    let number = line.skip(start, &[], &["día", "dia"]);
    let spelt = || number_words::foreign_ordinal(line.word(number)).map(|day| (number + 1, day, false));
    let (end, day, marked) = number_words::numbered(line, number).or_else(spelt)?;
    if let Some((end, range)) = named_period(line, end, today).filter(|(_, range)| (led || marked) && is_month(range)) {
        return Some(days::in_year(end, range.from.year(), range.from.month(), day));
    }
    let ends = line.tokens.get(end).is_none() && line.digits(number).is_some();
    // "le 16 à 18h", "el 16 a las 18"
    let timed = line.is(end, &["à", "um"]) && line.digits(end + 1).is_some()
        || line.word(end) == "a" && line.is(end + 1, &["la", "las"]) && line.digits(end + 2).is_some();
    let plain = line.is(at, &["le", "el"]);
    let whole = dotted && (marked || ends) || number > start || plain && (ends || marked || timed);
    let of_month = vocabulary::any_month(line.word(end)).is_some();
    (led && whole && !of_month && !line.glued(end)).then(|| on(end, day_of_recent_month(day, today)?)).flatten()
}

/// "Ende Oktober", "fin du mois", "a principios de mes": part of a span, and no day of it.
fn part(line: &Line<'_>, at: usize) -> Option<usize> {
    const PARTS: &[&str] =
        &["anfang", "mitte", "ende", "début", "milieu", "mi", "fin", "principios", "mediados", "finales", "fines"];
    let start = line.skip(at, &[], &["a"]);
    let named = line.skip(line.skip(line.skip(start + 1, &['-'], &[]), &[], Class::LinkToSpan), &[], Class::LinkToSpan);
    let word = line.word(named);
    let word = word.strip_prefix("d'").unwrap_or(word);
    let is_span = vocabulary::foreign_unit(word).is_some() || vocabulary::any_month(word).is_some();
    let weekend = line.word(start) == "fin" && vocabulary::foreign_unit(word) == Some(Unit::Week);
    (line.is(start, PARTS) && is_span && !weekend).then_some(named + 1)
}

/// "letzten Sommer", "l'été dernier", "en vacaciones", after a price: elsewhere they are names.
fn occasion(line: &Line<'_>, at: usize) -> Option<usize> {
    const BEHIND: &[&str] = &["dernier", "dernière", "dernières", "passé", "pasado", "pasada", "pasadas"];
    let noun = (at..at + 4).find(|at| !line.is(*at, Class::LeadToOccasion))?;
    let end = line.skip(noun + 1, &[], BEHIND);
    (line.is(noun, Class::OccasionAfterPrice) && is_after_price(line, at) && closes(line, end)).then_some(end)
}

fn on(end: usize, date: Date) -> Option<Day> {
    Some(settled_on(end, date))
}

fn settled_on(end: usize, date: Date) -> Day {
    Day { end, reading: DateReading::On(date), yearless: None }
}
