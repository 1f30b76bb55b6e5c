//! The closed lists of plain answers, from `*.txt`: what each word or phrase says.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

use crate::phrases::lexicon::sections;

/// The closed lists of a language. A further language is a further file.
const LANGUAGES: [&str; 4] =
    [include_str!("en.txt"), include_str!("de.txt"), include_str!("fr.txt"), include_str!("es.txt")];

/// All languages together, because people mix them.
#[derive(Default)]
pub struct Lists {
    /// The section of each phrase, which says what it means.
    pub says: Words<&'static str>,
    /// In words.
    longest: usize,
    /// What orders what waits in one phrase, and its verb.
    pub orders: Words<&'static str>,
    /// The places of those that were listed, from 1.
    pub places: Words<usize>,
}

type Words<T> = HashMap<&'static str, T, FixedState>;

pub static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    // A table of this size is never made anew while the files are read.
    let says = Words::with_capacity_and_hasher(2_000, FixedState::default());
    let mut lists = Lists { says, ..Lists::default() };
    for (section, phrases) in LANGUAGES.iter().flat_map(|language| sections(language)) {
        lists.add(section, phrases);
    }
    lists
});

impl Lists {
    fn add(&mut self, section: &'static str, phrases: impl Iterator<Item = &'static str>) {
        const PLACES: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
        if let Some(verb) = section.strip_prefix("order ") {
            return self.orders.extend(phrases.map(|phrase| (phrase, verb)));
        }
        if let Some(place) = PLACES.iter().position(|place| *place == section) {
            return self.places.extend(phrases.map(|phrase| (phrase, place + 1)));
        }
        for phrase in phrases {
            // The first language wins.
            self.says.entry(phrase).or_insert(section);
            self.longest = self.longest.max(phrase.bytes().filter(|byte| *byte == b' ').count() + 1);
        }
    }

    /// The longest phrase that the words begin with: what it says, and the rest.
    pub fn first<'w>(&self, words: &'w str) -> Option<(&'static str, &'w str)> {
        let ends = words.match_indices(' ').map(|(at, _)| at).take(self.longest - 1).chain([words.len()]);
        let ends: Vec<usize> = ends.collect();
        ends.into_iter().rev().find_map(|end| {
            let (phrase, rest) = words.split_at(end);
            let says = self.says.get(phrase).or_else(|| self.says.get(unstretched(phrase)))?;
            Some((*says, rest.trim_start()))
        })
    }

    /// What each phrase of the message says. None for a word that is in no list.
    pub fn each(&self, words: &str) -> impl Iterator<Item = Option<&'static str>> {
        let mut rest = words;
        std::iter::from_fn(move || {
            let first = self.first(Some(rest).filter(|rest| !rest.is_empty())?);
            rest = first.map_or_else(|| rest.split_once(' ').map_or("", |(_, after)| after), |(_, after)| after);
            Some(first.map(|(says, _)| says))
        })
    }
}

/// "yessss", "nooo".
fn unstretched(word: &str) -> &str {
    let last = word.chars().last().unwrap_or_default();
    let start = word.trim_end_matches(last).len();
    if word[start..].chars().count() < 3 { word } else { &word[..start + last.len_utf8()] }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::phrases::lexicon::tests::assert_format;

    #[test]
    fn a_phrase_of_a_language_says_one_thing() {
        for language in LANGUAGES {
            assert_format(language);
            let mut known: BTreeMap<&str, &str> = BTreeMap::new();
            let mut twice = Vec::new();
            for (section, phrases) in sections(language) {
                let mut lists = Lists::default();
                lists.add(section, phrases.clone());
                let says = phrases.filter(|phrase| lists.says.contains_key(phrase));
                twice.extend(says.filter(|phrase| known.insert(*phrase, section).is_some()));
            }
            let none: [&str; 0] = [];
            assert_eq!(twice, none);
        }
    }
}
