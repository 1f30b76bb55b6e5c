//! How often something comes back: "every month", "weekly", "pro Jahr", "al mes".
//!
//! One closed class of words in the four languages. It knows no days, and not what comes back.

use super::tokens::{is_one_of, phrase_length};

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

/// The words for a stretch of time, and those that are "every" such a stretch in one.
struct Words {
    unit: Unit,
    nouns: &'static [&'static str],
    adverbs: &'static [&'static str],
    /// What is of another language than English. Where a word alone is something else ("mes", "an"), the one before it
    /// is part of it.
    foreign_nouns: &'static [&'static str],
    foreign_adverbs: &'static [&'static str],
}

const UNITS: [Words; 5] = [
    Words {
        unit: Unit::Day,
        nouns: &["day", "days"],
        adverbs: &["daily"],
        foreign_nouns: &["tag", "tage", "jour", "jours", "día", "días"],
        foreign_adverbs: &["täglich", "quotidien", "diario", "tous les jours", "todos los días"],
    },
    Words {
        unit: Unit::Week,
        nouns: &["week"],
        adverbs: &["weekly"],
        foreign_nouns: &["woche", "semaine", "semana"],
        foreign_adverbs: &["wöchentlich", "hebdomadaire", "semanal", "toutes les semaines", "todas las semanas"],
    },
    Words {
        unit: Unit::Month,
        nouns: &["month"],
        adverbs: &["monthly"],
        foreign_nouns: &["monat", "mois"],
        foreign_adverbs: &[
            "monatlich", "mensuel", "mensuelle", "mensual", "al mes", "cada mes", "por mes", "tous les mois",
            "todos los meses",
        ],
    },
    Words {
        unit: Unit::Year,
        nouns: &["year"],
        adverbs: &["yearly", "annual", "annually"],
        foreign_nouns: &["jahr", "année", "año"],
        foreign_adverbs: &["jährlich", "annuel", "annuelle", "anual", "par an", "tous les ans", "todos los años"],
    },
    Words {
        unit: Unit::Other,
        nouns: &[
            "weekday", "weekdays", "weekend", "weekends", "weeks", "fortnight", "months", "quarter", "years",
            "morning", "evening", "hour",
        ],
        adverbs: &["hourly", "fortnightly", "biweekly", "quarterly"],
        foreign_nouns: &["wochen", "monate", "jahre"],
        foreign_adverbs: &[],
    },
];

/// What stands before a stretch of time to mean each of them. "A" and "per" make it a rate.
pub const EVERY: [&str; 8] = ["every", "each", "jeden", "jede", "jedes", "alle", "chaque", "cada"];
const FOREIGN_RATES: [&str; 6] = ["pro", "im", "par", "al", "por", "a la"];

/// "100 per week" is a rate; as what comes back each week, it is an amount like any other.
pub fn without_rates(text: &str) -> String {
    text.replace(" per ", " a ")
}

/// Of a stretch of time, in any language.
pub fn unit(word: &str) -> Option<Unit> {
    find(|words| is_one_of(word, words.nouns) || is_one_of(word, words.foreign_nouns))
}

/// Of a word or phrase that says it alone: "monthly", "al mes".
pub fn adverb(phrase: &str) -> Option<Unit> {
    find(|words| is_one_of(phrase, words.adverbs) || is_one_of(phrase, words.foreign_adverbs))
}

/// Of an English word, alone or not.
pub fn english(word: &str) -> Option<Unit> {
    find(|words| is_one_of(word, words.nouns) || is_one_of(word, words.adverbs))
}

/// All that speaks of it.
pub fn spoken(unit: Unit) -> impl Iterator<Item = &'static str> {
    let of = UNITS.iter().filter(move |words| words.unit == unit);
    of.flat_map(|words| [words.nouns, words.adverbs, words.foreign_nouns, words.foreign_adverbs]).flatten().copied()
}

/// "Weekly shop", "monthly pass": bought once, whatever it is good for.
pub fn names_a_thing(noun: &str) -> bool {
    const THINGS: [&str; 12] = [
        "shop", "shopping", "groceries", "pass", "ticket", "travelcard", "card", "mail", "special", "magazine",
        "paper", "box",
    ];
    THINGS.contains(&noun)
}

/// "jeden Monat", "par an", "wöchentlich" in front of other words, in lower case: how many words it is. None of them
/// is English.
pub fn foreign(said: &[&str]) -> Option<(usize, Unit)> {
    let longest = |phrases: &[&str]| phrases.iter().filter_map(|phrase| phrase_length(phrase, said)).max();
    let adverb = || UNITS.iter().find_map(|words| Some((longest(words.foreign_adverbs)?, words.unit)));
    let counted = || {
        let lead = longest(&EVERY[2..]).max(longest(&FOREIGN_RATES))?;
        let noun = said.get(lead)?;
        Some((lead + 1, find(|words| is_one_of(noun, words.foreign_nouns))?))
    };
    counted().or_else(adverb)
}

fn find(is_it: impl Fn(&Words) -> bool) -> Option<Unit> {
    UNITS.iter().find(|words| is_it(words)).map(|words| words.unit)
}

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
        let read = |word| (unit(word), adverb(word), english(word));
        assert_eq!(read("week"), (Some(Unit::Week), None, Some(Unit::Week)));
        assert_eq!(read("weekly"), (None, Some(Unit::Week), Some(Unit::Week)));
        assert_eq!(read("semaine"), (Some(Unit::Week), None, None));
        assert_eq!(read("coffee"), (None, None, None));
    }
}
