//! Plain days in German, French and Spanish: "gestern", "le 3 mars 2026", "el lunes", "hace 3 días".
//!
//! They are read in any text where they can be nothing else. A word that says another thing in another of the languages,
//! or names what was bought, only counts where the writer's language or the words beside it settle it; else it is
//! reported as unclear, or left.

use jiff::civil::Date;

use super::{
    DateReading, Language,
    calendar::{is_month, named_period},
    currencies,
    day_words::{closes, is_after_price},
    days::{self, Day, unclear},
    foreign_hours::is_money,
    foreign_weekdays::weekday,
    lexicon::Class,
    month_days::day_of_recent_month,
    number_words,
    tokens::Line,
    vocabulary, years,
};

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    if !line.starts(at) {
        return None;
    }
    let hier = || if line.word(at) == "hier" { here_or_yesterday(line, at, today) } else { None };
    hier()
        .or_else(|| day_and_month(line, at, today))
        .or_else(|| weekday(line, at, today))
        .or_else(|| nth(line, at, today))
}

/// "hier" is yesterday in French, and here in German.
fn here_or_yesterday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let yesterday = today.yesterday().ok()?;
    let french = (0..line.tokens.len()).any(|at| line.is(at, Class::SaysFrench));
    match line.conventions.language {
        Some(Language::French) => Some(days::on(at + 1, yesterday)),
        None if french => Some(days::on(at + 1, yesterday)),
        Some(Language::German) => None,
        _ => Some(Day { end: at + 1, reading: DateReading::Ambiguous(vec![yesterday, today]), yearless: None }),
    }
}

/// "am 3. März", "le 1er mars 2026", "el 3 de marzo de 2026", "3. März", "15te Oktober", "am 3.3."
pub(super) fn day_and_month(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let led = line.is(at, Class::LeadToDay);
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
        let marked = marked && line.mark(end - 1) != Some('.') && !line.is(end - 1, Class::OrdinalEnding);
        vocabulary::month(line.word(link))
            .filter(|_| led || marked || link > end)
            .map(|month| (month, Language::English))
    };
    let (month, language) = vocabulary::foreign_month(line.word(link)).or_else(english)?;
    let own = line.conventions.language == Some(language)
        || line.word(link) == "mai" && line.conventions.language == Some(Language::French);
    let year = years::behind(line, line.skip(link + 1, &['.'], &[]), today);
    let priced = is_after_price(line, at) && closes(line, link + 1);
    let settled = led || link > end || year.is_some() || marked || own || priced;
    if !settled && matches!(line.word(link), "mars" | "mai" | "mayo" | "julio" | "agosto") {
        return None;
    }
    match year {
        Some((end, Some(year))) => return Some(days::in_year(end, year, month, day)),
        Some((end, None)) => return Some(days::in_unknown_year(end)),
        None => {}
    }
    let end = link + 1;
    // "3 noviembre 5" can be the 3rd or the 5th.
    let two_days = || days::digit_day(line, end).is_some_and(|(after, ..)| line.ends(after));
    if language == Language::Spanish && link == start + 1 && !led && two_days() {
        return Some(unclear(end + 1));
    }
    if let Some(after) = short_year(line, end, today) {
        return Some(unclear(after));
    }
    Some(days::latest(end, month, day, today))
}

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
    let is_money = line.mark(at + 1).is_some_and(currencies::is_sign);
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
    if is_other || is_money(line, end) {
        return None;
    }
    if let Some((end, digits)) = year {
        return Some(days::in_year(end, days::known_year(digits)?, month, day));
    }
    let priced = (0..line.tokens.len()).any(|other| other != at + 1 && line.digits(other).is_some());
    let settled = priced || at == 0 && line.tokens.len() == end;
    Some(if settled { days::latest(end, month, day, today) } else { unclear(end) })
}

/// `3.3.`, `3. 3.`, `3.3.26`, day first as wherever days are written with dots.
pub(super) fn dotted(line: &Line<'_>, at: usize, led: bool, today: Date) -> Option<Day> {
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
            None => days::in_unknown_year(at + 5),
        });
    }
    let parted = !line.glued(at + 4) || line.mark(at + 4).is_some_and(|mark| "-–".contains(mark));
    let whole = dot(at + 3) && parted && (led || german);
    // "am 15.10": after an hour, "am" is English.
    let bare = close && line.ends(at + 3) && !dot(at + 3) && led && (german || at < 2 || line.digits(at - 2).is_none());
    if !(whole || bare && !is_money(line, at + 3)) {
        return None;
    }
    let end = at + 3 + usize::from(whole);
    Some(days::latest(end, month, day, today))
}

/// "am 5.", "el día 5", "am 5. letzten Monats", and "le 5" or "el 5" where nothing follows: the most recent such day.
fn nth(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let dotted = line.is(at, &["am", "vom", "den", "dem", "zum"]);
    let led = dotted || line.is(at, &["le", "el", "du", "del"]);
    let start = at + usize::from(led);
    let number = line.skip(start, &[], &["día", "dia"]);
    let spelt = || number_words::foreign_ordinal(line.word(number)).map(|day| (number + 1, day, false));
    let (end, day, marked) = number_words::numbered(line, number).or_else(spelt)?;
    let is_foreign = led || marked && !line.is(end - 1, Class::OrdinalEnding);
    if let Some((end, range)) = named_period(line, end, today).filter(|(_, range)| is_foreign && is_month(range)) {
        return Some(days::in_year(end, range.from.year(), range.from.month(), day));
    }
    let ends = line.tokens.get(end).is_none() && line.digits(number).is_some();
    // "le 16 à 18h", "el 16 a las 18"
    let timed = line.is(end, &["à", "um"]) && line.digits(end + 1).is_some()
        || line.word(end) == "a" && line.is(end + 1, &["la", "las"]) && line.digits(end + 2).is_some();
    let plain = line.is(at, &["le", "el"]);
    let whole = dotted && (marked || ends) || number > start || plain && (ends || marked || timed);
    let of_month = vocabulary::any_month(line.word(end)).is_some();
    (led && whole && !of_month && !line.glued(end)).then(|| Some(days::on(end, day_of_recent_month(day, today)?)))?
}
