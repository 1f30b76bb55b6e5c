//! What people say before they say something: sighs, apologies, objections, and that it was well so.
//!
//! Closed classes in four languages. None of these words alone is the name of a thing, but for praise: "Super" is petrol, too.

use super::lexicon::Class;

/// They change nothing.
pub const SIGHS: Class = Class::Sigh;

pub const APOLOGIES: Class = Class::Apology;

/// Something is, or was, not as it should be. What is said after it is meant instead.
pub const OBJECTIONS: Class = Class::Objection;

/// Asks to wait for what comes.
pub const PAUSES: Class = Class::Pause;

/// That it was well so, and nothing else.
pub const PRAISE: Class = Class::Praise;

/// Whether it only reacts to what was said before, where a mark parts it from what comes then: "thanks, make it 4".
pub fn reacts(word: &str) -> bool {
    [SIGHS, Class::Reaction, Class::Exclamation].iter().any(|class| class.contains(word))
}

/// All but praise: "Super" is petrol, too.
pub fn is_interjection(word: &str) -> bool {
    [SIGHS, APOLOGIES, OBJECTIONS, PAUSES, Class::Exclamation].iter().any(|class| class.contains(word))
}

/// Whether what is said after it is meant instead of something else.
pub fn takes_back(word: &str) -> bool {
    [APOLOGIES, OBJECTIONS, PAUSES].iter().any(|class| class.contains(word))
}

/// Without what is said before a yes or no, and changes neither: "oh well, yes".
pub(super) fn after_sighs(words: &str) -> &str {
    let mut rest = words;
    while let Some((_, after)) = rest.split_once(' ').filter(|(first, after)| {
        // "Na ja" is no "ja".
        let doubts = *first == "na" && after.starts_with("ja");
        !doubts && [SIGHS, APOLOGIES].iter().any(|class| class.contains(first))
    }) {
        rest = after;
    }
    rest
}
