//! Units of time, months and weekdays by their names, in English and in the other languages.
//!
//! Only what a word can mean, never what it means in its sentence.

use jiff::{Span, ToSpan, civil::Weekday};

use super::{
    Language,
    lexicon::{Class, Sense},
    tokens::Line,
};

/// The first meaning in English.
pub(super) fn english(mut senses: impl Iterator<Item = &'static Sense>) -> Option<&'static Sense> {
    senses.find(|sense| sense.language == Some(Language::English))
}

/// The first in another language.
pub(super) fn foreign(senses: impl Iterator<Item = &'static Sense>) -> Option<(&'static Sense, Language)> {
    let mut senses = senses.filter_map(|sense| Some((sense, sense.language?)));
    senses.find(|(_, language)| *language != Language::English)
}

/// The same of the word there, or of what is behind its "d'".
fn foreign_at(line: &Line<'_>, at: usize, class: Class) -> Option<(&'static Sense, Language)> {
    let behind_de = || foreign(class.senses(line.word(at).strip_prefix("d'")?));
    foreign(line.senses(at, class)).or_else(behind_de)
}

/// One of the unit.
fn length(unit: &Sense) -> Span {
    match unit.says {
        "day" => 1.day(),
        "week" => 7.days(),
        "month" => 1.month(),
        _ => 1.year(),
    }
}

/// How long one of the English unit there is.
pub(super) fn unit(line: &Line<'_>, at: usize) -> Option<Span> {
    english(line.senses(at, Class::Unit)).map(length)
}

pub(super) fn is_foreign_unit(line: &Line<'_>, at: usize) -> bool {
    foreign(line.senses(at, Class::Unit)).is_some()
}

/// In any language.
pub(super) fn any_unit(line: &Line<'_>, at: usize) -> Option<Span> {
    unit(line, at).or_else(|| foreign_at(line, at, Class::Unit).map(|(unit, _)| length(unit)))
}

pub(super) fn month(line: &Line<'_>, at: usize) -> Option<i8> {
    english(line.senses(at, Class::Month)).and_then(month_of)
}

fn month_of(sense: &Sense) -> Option<i8> {
    i8::try_from(sense.number()).ok()
}

/// Those that are written as in English are read there.
pub(super) fn foreign_month(line: &Line<'_>, at: usize) -> Option<(i8, Language)> {
    let (month, language) = foreign_at(line, at, Class::Month)?;
    Some((month_of(month)?, language))
}

/// In any language.
pub(super) fn month_and_language(line: &Line<'_>, at: usize) -> Option<(i8, Language)> {
    month(line, at).map(|month| (month, Language::English)).or_else(|| foreign_month(line, at))
}

pub(super) fn any_month(line: &Line<'_>, at: usize) -> Option<i8> {
    month_and_language(line, at).map(|(month, _)| month)
}

/// A month's name that is nothing else: "may" and "march" are also verbs, and the short forms of
/// most need a clue beside them.
pub(super) fn is_plain_month(line: &Line<'_>, at: usize) -> bool {
    month(line, at).is_some() && !line.is(at, Class::MonthOrName)
}

pub(super) fn weekday(line: &Line<'_>, at: usize) -> Option<Weekday> {
    let of_day = || english(Class::Weekday.senses(line.word(at).strip_suffix("'s")?));
    english(line.senses(at, Class::Weekday)).or_else(of_day).and_then(weekday_of)
}

pub(super) fn weekday_of(sense: &Sense) -> Option<Weekday> {
    Weekday::from_monday_one_offset(i8::try_from(sense.number()).ok()?).ok()
}

pub(super) fn foreign_weekday(line: &Line<'_>, at: usize) -> Option<(Weekday, Language)> {
    let word = line.word(at);
    // "Freitagabend", "freitags"
    let mut parts = Class::EndOfWeekday.all().iter().filter_map(|(part, _)| word.strip_suffix(part));
    let day = if word.len() > 6 { parts.find(|day| day.ends_with("tag")) } else { None };
    let (weekday, language) = match day {
        Some(day) => foreign(Class::Weekday.senses(day)),
        None => foreign(line.senses(at, Class::Weekday)),
    }?;
    Some((weekday_of(weekday)?, language))
}

/// The short forms of weekdays, and whose they are.
pub(super) fn short_weekday(line: &Line<'_>, at: usize) -> Option<(Weekday, Vec<Language>)> {
    let mut senses = line.senses(at, Class::ShortWeekday).peekable();
    let weekday = weekday_of(senses.peek()?)?;
    Some((weekday, senses.filter_map(|sense| sense.language).collect()))
}
