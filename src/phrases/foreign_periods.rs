//! Months in German, French and Spanish.

use jiff::civil::Date;

use super::{
    calendar::{self, Period},
    days,
    lexicon::Class,
    number_words,
    tokens::Line,
    vocabulary, years,
};

/// Between the two ends of a range.
pub(super) const CONNECTIVES: &[&str] = &["bis", "au", "al", "hasta", "à"];

/// "im Oktober", "en octubre de 2025", "le mois de mars". Some months are also names and words.
///
/// `meant`: the words before it say that it is one.
pub(super) fn month(line: &Line<'_>, at: usize, today: Date, meant: bool) -> Option<Period> {
    let named = line.is(at, &["mois", "mes"]) && line.word(at + 1) == "de";
    let led = named || line.is(at, &["im", "en"]) || line.word(at).starts_with("d'");
    let start = if named { at + 2 } else { at + usize::from(line.is(at, &["im", "en"])) };
    let (month, language) = match vocabulary::foreign_month(line.word(start)) {
        Some((month, language)) => (month, Some(language)),
        // "im November": written as in English, which leaves the word before it out.
        None => (vocabulary::month(line.word(start)).filter(|_| led)?, None),
    };
    // "im Oktober letzten Jahres"
    if let Some((end, year)) = years::behind(line, line.skip(start + 1, &['.'], &[]), today) {
        let first = year.and_then(|year| Date::new(year, month, 1).ok());
        return Some(Period { end, range: first.map(calendar::whole_month), yearless: None });
    }
    let is_month = |at: usize| vocabulary::foreign_month(line.word(at)).is_some();
    let linked = |at: usize| line.is(at, CONNECTIVES) || line.word(at) == "a";
    let paired = linked(start + 1) && is_month(start + 2) || at >= 2 && linked(at - 1) && is_month(at - 2);
    let since = line.follows(at, Class::SinceMonth) || paired;
    let counted = at > 0 && (line.digits(at - 1).is_some() || line.follows(at, &["bis", "au", "al"]))
        || line.follows(at, &["de"]) && (line.before(at, 2).is_empty() || is_number(line, at - 2));
    if !led && !meant && (counted && !paired || !since && line.conventions.language != language) {
        return None;
    }
    // A day in it, or a part of it.
    if line.digits(start + 1).is_some() || at > 0 && days::direction(line.before(at, 1)).is_some() {
        return None;
    }
    if line.is(start + 1, Class::LastBehind) {
        return Some(Period { end: start + 2, range: None, yearless: None });
    }
    let year = if today.month() >= month { today.year() } else { today.year().checked_sub(1)? };
    let range = calendar::whole_month(Date::new(year, month, 1).ok()?);
    Some(Period { end: start + 1, range: Some(range), yearless: Some(month) })
}

fn is_number(line: &Line<'_>, at: usize) -> bool {
    number_words::foreign_cardinal(line, at).is_some() || number_words::foreign_ordinal(line.word(at)).is_some()
}
