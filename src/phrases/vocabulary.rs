//! Units of time, months and weekdays by their names, in English and in the other languages.
//!
//! Only what a word can mean, never what it means in its sentence.

use jiff::{Span, ToSpan, civil::Weekday};

use super::{
    Language,
    lexicon::{Class, Sense},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    pub fn times(self, count: i64) -> Span {
        match self {
            Unit::Day => count.days(),
            Unit::Week => (count * 7).days(),
            Unit::Month => count.months(),
            Unit::Year => count.years(),
        }
    }

    fn of(sense: &Sense) -> Unit {
        match sense.says {
            "day" => Unit::Day,
            "week" => Unit::Week,
            "month" => Unit::Month,
            _ => Unit::Year,
        }
    }
}

fn english(class: Class, word: &str) -> Option<&'static Sense> {
    class.senses(word).find(|sense| sense.language == Some(Language::English))
}

fn foreign(class: Class, word: &str) -> Option<(&'static Sense, Language)> {
    let mut senses = class.senses(word).filter_map(|sense| Some((sense, sense.language?)));
    senses.find(|(_, language)| *language != Language::English)
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    english(Class::Unit, word).map(Unit::of)
}

pub(super) fn foreign_unit(word: &str) -> Option<Unit> {
    foreign(Class::Unit, word).map(|(sense, _)| Unit::of(sense))
}

/// In any language.
pub(super) fn any_unit(word: &str) -> Option<Unit> {
    unit(word).or_else(|| foreign_unit(word.strip_prefix("d'").unwrap_or(word)))
}

pub(super) fn month(word: &str) -> Option<i8> {
    english(Class::Month, word).and_then(|sense| i8::try_from(sense.number()).ok())
}

/// Those that are written as in English are read there.
pub(super) fn foreign_month(word: &str) -> Option<(i8, Language)> {
    let (sense, language) = foreign(Class::Month, word.strip_prefix("d'").unwrap_or(word))?;
    Some((i8::try_from(sense.number()).ok()?, language))
}

/// In any language.
pub(super) fn month_of(word: &str) -> Option<(i8, Language)> {
    month(word).map(|month| (month, Language::English)).or_else(|| foreign_month(word))
}

pub(super) fn any_month(word: &str) -> Option<i8> {
    month_of(word).map(|(month, _)| month)
}

/// A month's name that is nothing else: "may" and "march" are also verbs, and the short forms of
/// most need a clue beside them.
pub(super) fn is_plain_month(word: &str) -> bool {
    month(word).is_some() && !Class::MonthOrName.contains(word)
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    english(Class::Weekday, word.strip_suffix("'s").unwrap_or(word)).and_then(named)
}

fn named(sense: &Sense) -> Option<Weekday> {
    Weekday::from_monday_one_offset(i8::try_from(sense.number()).ok()?).ok()
}

pub(super) fn foreign_weekday(word: &str) -> Option<(Weekday, Language)> {
    // "Freitagabend", "freitags"
    let mut parts = Class::EndOfWeekday.all().iter().filter_map(|(part, _)| word.strip_suffix(part));
    let day = if word.len() > 6 { parts.find(|day| day.ends_with("tag")) } else { None };
    let (sense, language) = foreign(Class::Weekday, day.unwrap_or(word))?;
    Some((named(sense)?, language))
}

/// The short forms of weekdays, and whose they are.
pub(super) fn short_weekday(word: &str) -> Option<(Weekday, Vec<Language>)> {
    let weekday = named(Class::ShortWeekday.sense(word)?)?;
    Some((weekday, Class::ShortWeekday.senses(word).filter_map(|sense| sense.language).collect()))
}
