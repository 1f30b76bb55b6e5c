//! Whose things a message speaks of: “my expenses”, “what did we spend?”, “Anna's”.
//!
//! Closed classes of words, in the four languages. The names are those of the people it may speak of.

use std::ops::Range;

use super::{Language, Reader, lexicon::Class};
use crate::only::Only;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Possessor {
    /// Who writes the message.
    Speaker,
    Everyone,
    /// The place in the list of names.
    Named(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PossessorMention {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub possessor: Possessor,
    /// Something may be theirs: “Anna's”, “Anna spent”, “I spent”. Not in “lunch with Anna” and “can I see”.
    pub may_own: bool,
    /// “Anna's”, “Annas”.
    pub is_genitive: bool,
}

impl PossessorMention {
    /// Whether something is theirs without doubt. May is a month, and “May's” a person.
    pub fn is_sure(&self, text: &str, reader: Reader) -> bool {
        let is_days = || !self.is_genitive && !reader.ranges(&text[self.span.clone()]).is_empty();
        self.may_own && !(matches!(self.possessor, Possessor::Named(_)) && is_days())
    }
}

/// From left to right. A name is found whole, or by its first word if no other name begins with it.
pub fn possessors(text: &str, names: &[&str], language: Option<Language>) -> Vec<PossessorMention> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|(_, word)| word.as_str()).collect();
    let names: Vec<Vec<String>> =
        names.iter().map(|name| self::tokens(name).into_iter().map(|(_, word)| word).collect()).collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let named = named(&words[at..], &names).map(|(place, length)| (Possessor::Named(place), length));
        let before = at.checked_sub(1).map(|before| words[before]).unwrap_or_default();
        let Some((possessor, length)) = named.or_else(|| pronoun(&words[at..], before, language)) else {
            at += 1;
            continue;
        };
        let span = tokens[at].0.start..tokens[at + length - 1].0.end;
        let after = words.get(at + length).copied().unwrap_or_default();
        let may_own = match possessor {
            Possessor::Named(_) => !Class::BeforeObject.contains(before),
            Possessor::Speaker => ![before, after].iter().any(|beside| Class::Wishing.contains(beside)),
            Possessor::Everyone => true,
        };
        let is_genitive = match possessor {
            Possessor::Named(place) => {
                text[span.end..].starts_with(['\'', '’']) || words[at + length - 1] != names[place][length - 1]
            }
            Possessor::Speaker | Possessor::Everyone => false,
        };
        // “US dollars”
        if &text[span.clone()] != "US" {
            found.push(PossessorMention { span, possessor, may_own, is_genitive });
        }
        at += length;
    }
    found
}

fn pronoun(words: &[&str], before: &str, language: Option<Language>) -> Option<(Possessor, usize)> {
    if Class::Told.contains(words[0]) && Class::Telling.contains(before) {
        return None;
    }
    let speaker = Class::Speaker.length(words);
    // In English it is a weekday.
    let in_french = language == Some(Language::French) && words[0] == "mon";
    let speaker = speaker.or(in_french.then_some(1));
    let everyone = || Some((Possessor::Everyone, Class::Everyone.length(words)?));
    speaker.map(|length| (Possessor::Speaker, length)).or_else(everyone)
}

/// The place and the number of words. The genitive may lack its apostrophe: “Annas”.
fn named(words: &[&str], names: &[Vec<String>]) -> Option<(usize, usize)> {
    let is = |word: &str, name: &String| word == name || word.strip_suffix('s') == Some(name);
    let is_whole = |name: &Vec<String>| {
        !name.is_empty() && name.len() <= words.len() && name.iter().zip(words).all(|(name, word)| is(word, name))
    };
    let whole: Vec<usize> = (0..names.len()).filter(|place| is_whole(&names[*place])).collect();
    if let Some(length) = whole.iter().map(|place| names[*place].len()).max() {
        let place = whole.into_iter().filter(|place| names[*place].len() == length).only()?;
        return Some((place, length));
    }
    let is_first = |place: &usize| names[*place].first().is_some_and(|name| is(words[0], name));
    let place = (0..names.len()).filter(is_first).only()?;
    (words[0].chars().count() > 1).then_some((place, 1))
}

/// The words in lower case. An apostrophe ends one.
fn tokens(text: &str) -> Vec<(Range<usize>, String)> {
    let (mut tokens, mut start) = (Vec::new(), None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, c.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                tokens.push((from..at, text[from..at].to_lowercase()));
                start = None;
            }
            _ => {}
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Possessor::*, *};

    #[rstest]
    #[case("how much did I spend this month?", &[Speaker])]
    #[case("I've lost my receipts", &[Speaker, Speaker])]
    #[case("show me the expenses", &[])]
    #[case("show me my expenses", &[Speaker])]
    #[case("how much was spent this month?", &[])]
    #[case("what did we spend together?", &[Everyone, Everyone])]
    #[case("tell us what everyone spent", &[Everyone])]
    #[case("5 US dollars for coffee", &[])]
    #[case("how much did anna spend?", &[Named(0)])]
    #[case("Anna's expenses", &[Named(0)])]
    #[case("Annas Ausgaben", &[Named(0)])]
    #[case("Anna Maria spent", &[Named(1)])]
    #[case("what did Ben Smith buy?", &[Named(2)])]
    #[case("what did Smith buy?", &[])]
    #[case("Wie viel habe ich ausgegeben?", &[Speaker])]
    #[case("Was haben wir ausgegeben?", &[Everyone])]
    #[case("Zeig mir alle Ausgaben", &[])]
    #[case("combien j'ai dépensé ?", &[Speaker])]
    #[case("les dépenses de tout le monde", &[Everyone])]
    #[case("¿cuánto gastamos nosotros?", &[Everyone])]
    #[case("mis gastos", &[Speaker])]
    #[case("spending mon to fri", &[])]
    fn pronouns_and_names_say_whose_things_are(#[case] text: &str, #[case] expected: &[Possessor]) {
        let found = possessors(text, &["Anna", "Anna Maria", "Ben Smith"], None);
        assert!(found.iter().all(|mention| mention.may_own), "{text}");
        assert_eq!(found.iter().map(|mention| mention.possessor).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn whoever_is_only_mentioned_owns_nothing() {
        for (text, may_own) in [
            ("lunch with Anna", false),
            ("presents for Anna", false),
            ("by Anna", true),
            ("can I see the expenses?", false),
            ("I'd like to see the expenses", false),
            ("have I paid?", true),
        ] {
            let found = possessors(text, &["Anna"], None);
            assert_eq!(found.iter().map(|mention| mention.may_own).collect::<Vec<_>>(), [may_own], "{text}");
        }
    }

    #[test]
    fn a_name_that_two_have_is_nobodys() {
        for names in [["Anna Berg", "Anna Tal"], ["Anna", "anna"]] {
            assert_eq!(possessors("what did Anna spend?", &names, None), []);
        }
    }

    #[test]
    fn a_weekday_is_a_pronoun_in_french_only() {
        let found = possessors("mon budget", &[], Some(Language::French));
        assert_eq!(found.iter().map(|mention| mention.possessor).collect::<Vec<_>>(), [Speaker]);
    }
}
