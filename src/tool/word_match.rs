//! Scores how well the texts of a row match words that may be misspelt.
//!
//! A row with more of the words comes first. For one word, a whole word is better than a beginning, and a beginning is
//! better than a misspelling.

use std::{borrow::Cow, collections::HashMap, slice};

use serde_json::Value;

use super::{
    word_query::{WordQuery, has_term},
    words::words,
};
use crate::{
    phrases::{
        plurals::forms,
        spelling::{can_be_near, letters, place},
    },
    proposal::Body,
};

/// Words of a query. Later words are ignored.
const MAX_WORDS: usize = 8;

/// The score of one word.
const WHOLE: u16 = 3;
const BEGINNING: u16 = 2;
const MISSPELT: u16 = 1;

/// The words of a query. Scores of row words are cached, because most rows repeat the same words.
pub struct WordMatch {
    wanted: Vec<QueryWord>,
    /// Without one of these there is no match.
    phrases: Vec<String>,
    /// With one of these there is no match.
    left_out: Vec<String>,
}

struct QueryWord {
    word: String,
    /// The other forms: singular or plural.
    other_forms: Vec<String>,
    letters: u32,
    /// The largest edit distance that counts as a misspelling.
    max_distance: usize,
    /// Cached scores, by word of a row.
    known: HashMap<String, u16>,
}

/// A larger score is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchScore {
    /// How many words of the query were found.
    pub words: u16,
    /// Sum of the scores of the words.
    pub quality: u16,
}

impl WordMatch {
    /// None if the query has no words to look for.
    pub fn new(query: &str) -> Option<WordMatch> {
        let WordQuery { wanted: terms, left_out } = WordQuery::new(query);
        let (phrases, terms): (Vec<String>, Vec<String>) = terms.into_iter().partition(|term| term.contains(' '));
        let mut wanted: Vec<QueryWord> = Vec::new();
        for word in &terms {
            if wanted.len() < MAX_WORDS && wanted.iter().all(|other| other.word != *word) {
                let distance = match word.chars().count() {
                    0..=3 => 0,
                    4..=7 => 1,
                    _ => 2,
                };
                let other_forms = forms(word).split_off(1);
                wanted.push(QueryWord {
                    word: word.clone(),
                    other_forms,
                    letters: letters(word),
                    max_distance: distance,
                    known: HashMap::new(),
                });
            }
        }
        (!wanted.is_empty() || !phrases.is_empty()).then_some(WordMatch { wanted, phrases, left_out })
    }

    /// Whether rows with certain words are left out.
    pub fn leaves_out(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Whether the row has every phrase and nothing that is left out.
    pub fn allows(&self, body: &Body, fields: &[&str]) -> bool {
        self.allows_texts(|| texts_of(body, fields))
    }

    fn allows_texts<'t, T: Iterator<Item = &'t str>>(&self, texts: impl Fn() -> T) -> bool {
        if self.phrases.is_empty() && self.left_out.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts().map(words).collect();
        let has = |term: &String| texts.iter().any(|text| has_term(text, term));
        self.phrases.iter().all(has) && !self.left_out.iter().any(has)
    }

    /// None if the fields have none of the words. A field is a text or a list of texts.
    pub fn fit(&mut self, body: &Body, fields: &[&str]) -> Option<MatchScore> {
        self.fit_texts(|| texts_of(body, fields))
    }

    /// None if the texts have none of the words, lack a phrase, or have what is left out.
    pub fn fit_texts<'t, T: Iterator<Item = &'t str>>(&mut self, texts: impl Fn() -> T) -> Option<MatchScore> {
        let mut best = [0; MAX_WORDS];
        for text in texts() {
            // Most texts are stored in lower case, so copying is seldom needed.
            let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
            let text = if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) };
            each_word(&text, |word, letters| self.match_word(word, letters, &mut best));
        }
        let phrases = u16::try_from(self.phrases.len()).unwrap_or(u16::MAX);
        let words = u16::try_from(best.iter().filter(|met| **met > 0).count()).expect("a few").saturating_add(phrases);
        let fits = words > 0 && self.allows_texts(texts);
        fits.then(|| MatchScore { words, quality: phrases.saturating_mul(WHOLE).saturating_add(best.iter().sum()) })
    }

    fn match_word(&mut self, word: &str, letters: u32, best: &mut [u16; MAX_WORDS]) {
        for (wanted, best) in self.wanted.iter_mut().zip(best).filter(|(_, best)| **best < WHOLE) {
            *best = wanted.word_score(word, letters).max(*best);
        }
    }

    /// Whether it has every word, misspelt words included.
    pub fn has_all(&self, fit: MatchScore) -> bool {
        usize::from(fit.words) == self.wanted.len() + self.phrases.len()
    }

    /// Whether the row has every word whole or its beginning.
    pub fn is_sure(&self, fit: MatchScore) -> bool {
        self.has_all(fit) && fit.quality >= fit.words * BEGINNING
    }
}

/// A field is a text or a list of texts.
fn texts_of<'b>(body: &'b Body, fields: &[&str]) -> impl Iterator<Item = &'b str> {
    let values = fields.iter().filter_map(|name| body.get(*name));
    let texts = values.flat_map(|value| value.as_array().map_or(slice::from_ref(value), Vec::as_slice));
    texts.filter_map(Value::as_str)
}

impl QueryWord {
    fn word_score(&mut self, word: &str, letters: u32) -> u16 {
        if self.letters & !letters == 0 && word.starts_with(&self.word) {
            return if word.len() == self.word.len() { WHOLE } else { BEGINNING };
        }
        if self.other_forms.iter().any(|other| other == word) {
            return BEGINNING;
        }
        if self.max_distance == 0 || !can_be_near(letters, self.letters, self.max_distance) {
            return 0;
        }
        if let Some(known) = self.known.get(word) {
            return *known;
        }
        let met = if strsim::osa_distance(word, &self.word) <= self.max_distance { MISSPELT } else { 0 };
        self.known.insert(word.to_owned(), met);
        met
    }
}

/// One pass over the text, because this runs for every row: returns each word and its letters.
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
    fn whole_words_score_above_beginnings_and_beginnings_above_misspellings() {
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
    fn short_words_allow_no_misspelling() {
        assert_eq!(fit("tea", &row("pea soup", "", "")), None);
        assert_eq!(fit("bus", &row("gas", "", "")), None);
    }

    #[test]
    fn notes_and_categories_are_searched_and_more_words_score_higher() {
        let lunch = row("lunch", "with Zoë, birthday", "eating out");
        assert_eq!(fit("zoë", &lunch), Some((1, WHOLE)));
        assert_eq!(fit("eating lunch", &lunch), Some((2, 2 * WHOLE)));
        assert_eq!(fit("lunch taxi", &lunch), Some((1, WHOLE)));
        let better = MatchScore { words: 2, quality: 2 };
        assert!(better > MatchScore { words: 1, quality: WHOLE });
    }

    #[test]
    fn a_query_without_words_has_no_match() {
        assert!(WordMatch::new("?! …").is_none());
    }
}
