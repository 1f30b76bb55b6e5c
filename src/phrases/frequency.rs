//! How often something comes back: "every month", "weekly", "pro Jahr", "al mes".
//!
//! One closed class of words in the four languages. It knows no days, and not what comes back.

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
    find(|words| words.nouns.contains(&word) || words.foreign_nouns.contains(&word))
}

/// Of a word or phrase that says it alone: "monthly", "al mes".
pub fn adverb(phrase: &str) -> Option<Unit> {
    find(|words| words.adverbs.contains(&phrase) || words.foreign_adverbs.contains(&phrase))
}

/// Of an English word, alone or not.
pub fn english(word: &str) -> Option<Unit> {
    find(|words| words.nouns.contains(&word) || words.adverbs.contains(&word))
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

/// The words of "jeden Monat", "par an", "wöchentlich": in lower case, and none of them English.
pub fn foreign(said: &[&str]) -> Option<Unit> {
    let (noun, lead) = said.split_last()?;
    let initial = said[0].as_bytes().first();
    let is = |phrase: &str, said: &[&str]| {
        phrase.as_bytes().first() == initial && phrase.split(' ').eq(said.iter().copied())
    };
    let adverb = find(|words| words.foreign_adverbs.iter().any(|adverb| is(adverb, said)));
    let mut leads = EVERY[2..].iter().chain(&FOREIGN_RATES);
    adverb.or_else(|| leads.any(|known| is(known, lead)).then(|| find(|words| words.foreign_nouns.contains(noun)))?)
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
            ("jeden monat", Some(Unit::Month)),
            ("pro jahr", Some(Unit::Year)),
            ("par an", Some(Unit::Year)),
            ("a la semana", Some(Unit::Week)),
            ("al mes", Some(Unit::Month)),
            ("wöchentlich", Some(Unit::Week)),
            ("cada día", Some(Unit::Day)),
            ("tous les mois", Some(Unit::Month)),
            ("todas las semanas", Some(Unit::Week)),
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
