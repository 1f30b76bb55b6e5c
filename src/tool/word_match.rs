//! How well the texts of a row fit words that may be misspelt. It reads nothing by itself.
//!
//! More of the words come before fewer; then a whole word before a beginning before a misspelling.

use std::{borrow::Cow, collections::HashMap};

use serde_json::Value;

use super::words::words;
use crate::{
    phrases::{
        plurals::forms,
        spelling::{can_be_near, letters, place},
    },
    proposal::Body,
};

/// Words of a query that are looked for.
const WORDS: usize = 8;

/// How well one word is met.
const WHOLE: u16 = 3;
const BEGINNING: u16 = 2;
const MISSPELT: u16 = 1;

/// A query, and what it has learned of the words of the rows so far: most rows repeat what others say.
pub struct WordMatch {
    wanted: Vec<QueryWord>,
}

struct QueryWord {
    word: String,
    /// In the other number.
    others: Vec<String>,
    letters: u32,
    /// How far off a word may be.
    distance: usize,
    /// By the word of a row.
    known: HashMap<String, u16>,
}

/// The better the larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchScore {
    /// How many of the words were found.
    pub words: u16,
    /// How well, in sum.
    pub quality: u16,
}

impl WordMatch {
    /// None if there is no word in it.
    pub fn new(query: &str) -> Option<WordMatch> {
        let mut wanted: Vec<QueryWord> = Vec::new();
        for word in words(query).split_whitespace() {
            if wanted.len() < WORDS && wanted.iter().all(|other| other.word != word) {
                let distance = match word.chars().count() {
                    0..=3 => 0,
                    4..=7 => 1,
                    _ => 2,
                };
                let others = forms(word).split_off(1);
                wanted.push(QueryWord {
                    word: word.to_owned(),
                    others,
                    letters: letters(word),
                    distance,
                    known: HashMap::new(),
                });
            }
        }
        (!wanted.is_empty()).then_some(WordMatch { wanted })
    }

    /// None if these fields of the row have none of the words. A field is a text, or a list of them.
    pub fn fit(&mut self, body: &Body, fields: &[&str]) -> Option<MatchScore> {
        let mut best = [0; WORDS];
        for value in fields.iter().filter_map(|name| body.get(*name)) {
            let texts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for text in texts.iter().filter_map(Value::as_str) {
                // Most are stored in lower case.
                let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
                let text = if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) };
                each_word(&text, |word, letters| self.match_word(word, letters, &mut best));
            }
        }
        let words = best.iter().filter(|met| **met > 0).count();
        let words = u16::try_from(words).expect("a few");
        (words > 0).then(|| MatchScore { words, quality: best.iter().sum() })
    }

    fn match_word(&mut self, word: &str, letters: u32, best: &mut [u16; WORDS]) {
        for (wanted, best) in self.wanted.iter_mut().zip(best).filter(|(_, best)| **best < WHOLE) {
            *best = wanted.word_score(word, letters).max(*best);
        }
    }

    /// Whether a row with this fit has every word as it was written, or its beginning.
    pub fn is_sure(&self, fit: MatchScore) -> bool {
        usize::from(fit.words) == self.wanted.len() && fit.quality >= fit.words * BEGINNING
    }
}

impl QueryWord {
    fn word_score(&mut self, word: &str, letters: u32) -> u16 {
        if self.letters & !letters == 0 && word.starts_with(&self.word) {
            return if word.len() == self.word.len() { WHOLE } else { BEGINNING };
        }
        if self.others.iter().any(|other| other == word) {
            return BEGINNING;
        }
        if self.distance == 0 || !can_be_near(letters, self.letters, self.distance) {
            return 0;
        }
        if let Some(known) = self.known.get(word) {
            return *known;
        }
        let met = if strsim::osa_distance(word, &self.word) <= self.distance { MISSPELT } else { 0 };
        self.known.insert(word.to_owned(), met);
        met
    }
}

/// In one pass, because it is done for every word of every row: each word, and its letters.
fn each_word(text: &str, mut match_word: impl FnMut(&str, u32)) {
    let (mut start, mut letters) = (None, 0);
    for (at, character) in text.char_indices() {
        let in_word =
            if character.is_ascii() { character.is_ascii_alphanumeric() } else { character.is_alphanumeric() };
        if in_word {
            start.get_or_insert(at);
            letters |= place(character);
        } else if let Some(start) = start.take() {
            match_word(&text[start..at], std::mem::take(&mut letters));
        }
    }
    if let Some(start) = start {
        match_word(&text[start..], letters);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(item: &str, notes: &str, category: &str) -> Body {
        let body = [("words", words(item)), ("notes", notes.to_owned()), ("category", category.to_owned())];
        body.into_iter().map(|(name, text)| (name.to_owned(), json!(text))).collect()
    }

    const FIELDS: [&str; 3] = ["words", "category", "notes"];

    fn fit(query: &str, row: &Body) -> Option<(u16, u16)> {
        WordMatch::new(query).unwrap().fit(row, &FIELDS).map(|fit| (fit.words, fit.quality))
    }

    #[test]
    fn a_whole_word_is_better_than_a_beginning_and_that_better_than_a_misspelling() {
        let coffee = row("Coffee to go", "", "");
        assert_eq!(fit("coffee", &coffee), Some((1, WHOLE)));
        assert_eq!(fit("coff", &coffee), Some((1, BEGINNING)));
        assert_eq!(fit("cofee", &coffee), Some((1, MISSPELT)));
        assert_eq!(fit("cofefe", &coffee), Some((1, MISSPELT)), "two letters the other way round");
        assert_eq!(fit("coffees", &coffee), Some((1, BEGINNING)), "the plural");
        assert_eq!(fit("toffees", &coffee), None);
        assert_eq!(fit("taxi", &coffee), None);
    }

    #[test]
    fn short_words_must_be_right() {
        assert_eq!(fit("tea", &row("pea soup", "", "")), None);
        assert_eq!(fit("bus", &row("gas", "", "")), None);
    }

    #[test]
    fn notes_and_categories_are_looked_through_too_and_more_words_are_better() {
        let lunch = row("lunch", "with Zoë, birthday", "eating out");
        assert_eq!(fit("zoë", &lunch), Some((1, WHOLE)));
        assert_eq!(fit("eating lunch", &lunch), Some((2, 2 * WHOLE)));
        assert_eq!(fit("lunch taxi", &lunch), Some((1, WHOLE)));
        let better = MatchScore { words: 2, quality: 2 };
        assert!(better > MatchScore { words: 1, quality: WHOLE });
    }

    #[test]
    fn a_query_without_words_is_none() {
        assert!(WordMatch::new("?! …").is_none());
    }
}
