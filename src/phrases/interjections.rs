//! What people say before they say something: sighs, apologies, objections, and that it was well so. And words that tell
//! of something that may be known already.
//!
//! Closed classes in four languages. What is known it does not know.

use super::{
    Conventions,
    lexicon::{Class, past},
    tokens::Line,
};

/// What only reacts to what was said before, where a mark parts it from what comes then: "thanks, make it 4".
pub const REACTIONS: [Class; 3] = [Class::Sigh, Class::Reaction, Class::Exclamation];

/// All but praise, of which a word alone may be the name of a thing: "Super" is petrol, too.
pub const INTERJECTIONS: [Class; 5] = [Class::Sigh, Class::Apology, Class::Objection, Class::Pause, Class::Exclamation];

pub fn is_interjection(word: &str) -> bool {
    Class::any(&INTERJECTIONS, word)
}

/// Whether what is said after it is meant instead of something else.
pub fn takes_back(word: &str) -> bool {
    Class::any(&[Class::Apology, Class::Objection, Class::Pause], word)
}

/// Without what is said before a yes or no, and changes neither: "oh well, yes".
pub(super) fn after_sighs(words: &str) -> &str {
    // "Uh huh" is a yes, and "na ja" is no "ja".
    let is_answer = |first: &str, after: &str| {
        let is_it = |phrase: &str| format!("{first} {after} ").starts_with(&format!("{phrase} "));
        Class::PlainAnswer.phrases(first).any(|(phrase, _)| is_it(phrase))
    };
    past(words, |first, after| Class::any(&[Class::Sigh, Class::Apology], first) && !is_answer(first, after))
}

/// "The lunch 14", "lunch cost me 14": as people speak of what was spoken of before.
pub fn tells_of_known(text: &str) -> bool {
    has_any(text, [Class::OfKnown, Class::Was, Class::Apology])
}

/// "Lunch was 14", "lunch ended up at 14", "sorry, lunch 14": as people say what something was, whatever they said of it before.
pub fn tells_anew(text: &str) -> bool {
    has_any(text, [Class::Was, Class::Apology])
}

fn has_any<const N: usize>(text: &str, classes: [Class; N]) -> bool {
    let line = Line::new(text, Conventions::default());
    (0..line.tokens.len()).any(|at| line.is(at, classes))
}
