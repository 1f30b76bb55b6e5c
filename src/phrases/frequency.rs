//! How often something comes back: "every month", "weekly", "pro Jahr", "al mes".
//!
//! One closed class of words in the four languages. It knows no days, and not what comes back.

use super::{
    Language,
    lexicon::{Class, Sense, phrase_length},
};

/// What such words count by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Day,
    Week,
    Month,
    Year,
    /// "fortnight", "quarter", or several weeks.
    Other,
}

/// "100 per week" is a rate; as what comes back each week, it is an amount like any other. Letters stay where they are.
pub fn without_rates(text: &str) -> String {
    text.replace(" per ", " a   ")
}

/// Of an English word, alone or not.
pub fn english(word: &str) -> Option<Unit> {
    let mut senses = Class::Every.senses(word).chain(Class::Adverb.senses(word));
    senses.find(|sense| sense.language == Some(Language::English)).map(of)
}

/// All that speaks of it.
pub fn spoken(unit: Unit) -> impl Iterator<Item = &'static str> {
    let all = Class::Every.all().iter().chain(Class::Adverb.all());
    all.filter(move |(_, sense)| of(sense) == unit).map(|(phrase, _)| *phrase)
}

fn of(sense: &Sense) -> Unit {
    match sense.says {
        "day" => Unit::Day,
        "week" => Unit::Week,
        "month" => Unit::Month,
        "year" => Unit::Year,
        _ => Unit::Other,
    }
}

/// "jeden Monat", "par an", "wöchentlich" in front of other words, in lower case: how many words it is. None of them
/// is English.
pub fn foreign(said: &[&str]) -> Option<(usize, Unit)> {
    how_often(said, |sense| sense.language != Some(Language::English))
}

/// The same in any language: "a week", "every month", "yearly".
pub fn read(said: &[impl AsRef<str>]) -> Option<(usize, Unit)> {
    let said: Vec<&str> = said.iter().take(LONGEST).map(AsRef::as_ref).collect();
    how_often(&said, |_| true)
}

fn how_often(said: &[&str], is_read: fn(&Sense) -> bool) -> Option<(usize, Unit)> {
    let first = said.first()?;
    let begins = |class: Class| {
        let phrases = class.phrases(first).filter_map(|(phrase, sense)| Some((phrase_length(phrase, said)?, sense)));
        phrases.chain(class.senses(first).map(|sense| (1, sense))).filter(|(_, sense)| is_read(sense))
    };
    let counted = begins(Class::BeforeEach).chain(begins(Class::BeforeRate)).find_map(|(length, lead)| {
        let word = said.get(length)?;
        let mut units = Class::Every.senses(word).chain(Class::Adverb.senses(word));
        Some((length + 1, of(units.find(|unit| unit.language == lead.language)?)))
    });
    counted.or_else(|| begins(Class::Adverb).next().map(|(length, sense)| (length, of(sense))))
}

/// "toutes les semaines", "a la semana".
const LONGEST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_often_is_read_in_four_languages_and_only_where_all_of_it_is_said() {
        for (phrase, expected) in [
            ("jeden monat", Some((2, Unit::Month))),
            ("pro jahr", Some((2, Unit::Year))),
            ("par an", Some((2, Unit::Year))),
            ("a la semana", Some((3, Unit::Week))),
            ("al mes", Some((2, Unit::Month))),
            ("wöchentlich", Some((1, Unit::Week))),
            ("cada día", Some((2, Unit::Day))),
            ("jeden monat am ersten", Some((2, Unit::Month))),
            ("tous les mois", Some((3, Unit::Month))),
            ("todas las semanas", Some((3, Unit::Week))),
            ("tous les", None),
            ("mes", None),
            ("an", None),
            ("monat", None),
            ("every month", None),
            ("monthly", None),
        ] {
            let said: Vec<&str> = phrase.split(' ').collect();
            assert_eq!(foreign(&said), expected, "{phrase}");
        }
    }

    #[test]
    fn a_stretch_of_time_is_no_adverb() {
        let both = |word| (read(&[word]), english(word));
        assert_eq!(both("week"), (None, Some(Unit::Week)));
        assert_eq!(both("weekly"), (Some((1, Unit::Week)), Some(Unit::Week)));
        assert_eq!(both("wöchentlich"), (Some((1, Unit::Week)), None));
        assert_eq!(both("coffee"), (None, None));
        assert_eq!(read(&["per", "week"]), Some((2, Unit::Week)));
        assert_eq!(read(&["every", "coffee"]), None);
    }
}
