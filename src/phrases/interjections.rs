//! What people say before they say something: sighs, apologies, objections, and that it was well so.
//!
//! Closed classes in four languages. None of these words alone is the name of a thing, but for praise: "Super" is petrol, too.

use super::lexicon::{Class, past};

/// Whether it only reacts to what was said before, where a mark parts it from what comes then: "thanks, make it 4".
pub fn reacts(word: &str) -> bool {
    [Class::Sigh, Class::Reaction, Class::Exclamation].iter().any(|class| class.contains(word))
}

/// All but praise: "Super" is petrol, too.
pub fn is_interjection(word: &str) -> bool {
    [Class::Sigh, Class::Apology, Class::Objection, Class::Pause, Class::Exclamation]
        .iter()
        .any(|class| class.contains(word))
}

/// Whether what is said after it is meant instead of something else.
pub fn takes_back(word: &str) -> bool {
    [Class::Apology, Class::Objection, Class::Pause].iter().any(|class| class.contains(word))
}

/// Without what is said before a yes or no, and changes neither: "oh well, yes".
pub(super) fn after_sighs(words: &str) -> &str {
    past(words, |first, after| {
        // "Na ja" is no "ja".
        let doubts = first == "na" && after.starts_with("ja");
        !doubts && [Class::Sigh, Class::Apology].iter().any(|class| class.contains(first))
    })
}
