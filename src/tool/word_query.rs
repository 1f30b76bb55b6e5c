//! The words that a person looks for: `uber "green tea" -decaf`. Words in quotes stand beside each other, and what follows
//! a minus sign is left out.

use super::words::{name_words, words};
use crate::phrases::plurals::forms;

const QUOTES: [char; 7] = ['"', '“', '”', '„', '«', '»', '″'];

/// Each entry is a word, or the words of a phrase with a space between two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordQuery {
    pub wanted: Vec<String>,
    pub left_out: Vec<String>,
}

impl WordQuery {
    pub fn new(text: &str) -> WordQuery {
        Self::read(text, |text| words(text).split_whitespace().map(str::to_owned).collect())
    }

    /// Like [`Self::new`], for words of names: a name without letters, like an emoji, is a word.
    pub fn of_names(text: &str) -> WordQuery {
        Self::read(text, name_words)
    }

    fn read(text: &str, split: fn(&str) -> Vec<String>) -> WordQuery {
        let (mut plain, mut phrases, mut left_out) = (String::new(), Vec::new(), Vec::new());
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let is_apart = plain.is_empty() || plain.ends_with(char::is_whitespace);
            let after_minus = rest.strip_prefix(['-', '−']).filter(|_| is_apart);
            let begin = after_minus.unwrap_or(rest);
            let quoted = begin.strip_prefix(QUOTES).and_then(|inner| inner.split_once(QUOTES)).filter(|_| is_apart);
            let (phrase, after) = match (quoted, after_minus) {
                (Some(quoted), _) => quoted,
                (None, Some(begin)) => begin.split_at(begin.find(char::is_whitespace).unwrap_or(begin.len())),
                (None, None) => {
                    plain.push(letter);
                    rest = &rest[letter.len_utf8()..];
                    continue;
                }
            };
            let phrase = words(phrase).trim().to_owned();
            if !phrase.is_empty() {
                if after_minus.is_some() { left_out.push(phrase) } else { phrases.push(phrase) }
            }
            // What is beside a phrase is another word.
            plain.push(' ');
            rest = after;
        }
        let mut plain = if plain.trim().is_empty() { vec![] } else { split(&plain) };
        // "Anna's" is of Anna.
        if plain.len() > 1 {
            plain.retain(|word| word != "s");
        }
        WordQuery { wanted: [plain, phrases].concat(), left_out }
    }

    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.left_out.is_empty()
    }

    pub fn and(mut self, other: WordQuery) -> WordQuery {
        self.wanted.extend(other.wanted);
        self.wanted.dedup();
        self.left_out.extend(other.left_out);
        self.left_out.dedup();
        self
    }

    /// The number of words in it.
    pub fn count(&self) -> usize {
        self.wanted.iter().chain(&self.left_out).map(|term| term.split(' ').count()).sum()
    }

    /// A text that is read as the same query.
    pub fn text(&self) -> String {
        let left_out = self.left_out.iter().map(|term| format!("-{}", quoted(term)));
        self.wanted.iter().map(|term| quoted(term)).chain(left_out).collect::<Vec<_>>().join(" ")
    }

    /// “green tea” without “decaf”. `before` and `after` are around what is wanted.
    pub fn described(&self, before: &str, after: &str) -> String {
        let wanted = match self.wanted.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(several.iter().map(|term| quoted(term)).collect::<Vec<_>>().join(" ")),
        };
        let wanted = wanted.map(|wanted| format!("{before}“{wanted}”{after}"));
        let left_out: Vec<String> = self.left_out.iter().map(|term| format!("“{term}”")).collect();
        let left_out = (!left_out.is_empty()).then(|| format!("without {}", left_out.join(" or ")));
        wanted.into_iter().chain(left_out).collect::<Vec<_>>().join(" ")
    }
}

fn quoted(term: &str) -> String {
    if term.contains(' ') { format!("\"{term}\"") } else { term.to_owned() }
}

/// Whether normalised words contain the word or the phrase, in singular or plural.
pub fn has_term(normalised: &str, term: &str) -> bool {
    spaced_forms(term).iter().any(|form| normalised.contains(form))
}

/// The singular and the plural of a word or phrase, with a space on both sides as in stored words.
pub fn spaced_forms(term: &str) -> Vec<String> {
    forms(term).iter().map(|form| format!(" {form} ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together_and_a_minus_leaves_out() {
        for (text, wanted, left_out, described) in [
            ("Uber airport", &["uber", "airport"][..], &[][..], "“uber airport”"),
            ("\"Green  Tea\"", &["green tea"], &[], "“green tea”"),
            ("“green tea” mint -decaf", &["mint", "green tea"], &["decaf"], "“mint \"green tea\"” without “decaf”"),
            ("tea -\"iced tea\" −decaf", &["tea"], &["iced tea", "decaf"], "“tea” without “iced tea” or “decaf”"),
            ("-rent", &[], &["rent"], "without “rent”"),
            ("Anna's birthday", &["anna", "birthday"], &[], "“anna birthday”"),
            ("coca-cola", &["coca", "cola"], &[], "“coca cola”"),
            ("tea - cake", &["tea", "cake"], &[], "“tea cake”"),
            ("5\" screen", &["5", "screen"], &[], "“5 screen”"),
            ("\"open end", &["open", "end"], &[], "“open end”"),
            ("\"\" -", &[], &[], ""),
        ] {
            let query = WordQuery::new(text);
            assert_eq!(
                (&*query.wanted, &*query.left_out, &*query.described("", "")),
                (
                    &*wanted.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>(),
                    &*left_out.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>(),
                    described,
                ),
                "{text}"
            );
            assert_eq!(WordQuery::new(&query.text()), query, "{text}");
        }
    }

    #[test]
    fn a_term_is_in_words_as_a_whole_and_in_both_numbers() {
        let said = words("Green teas, iced");
        for (term, is_there) in
            [("green tea", true), ("tea", true), ("green", true), ("tea iced", false), ("gree", false)]
        {
            assert_eq!(has_term(&said, term), is_there, "{term}");
        }
    }
}
