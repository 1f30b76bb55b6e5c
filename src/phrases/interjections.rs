//! What people say before they say something: sighs, apologies, objections, and that it was well so.
//!
//! Closed classes in four languages. None of these words alone is the name of a thing, but for praise: "Super" is petrol, too.

use super::is_one_of;

/// They change nothing.
pub const SIGHS: &[&str] = &[
    "hmm", "hm", "hmmm", "mm", "um", "uh", "er", "erm", "eh", "oh", "ah", "aha", "huh", "well", "so", "ugh", "argh",
    "äh", "ähm", "na", "naja", "tja", "ach", "euh", "bah", "bueno", "pues", "uy", "ay",
];

pub const APOLOGIES: &[&str] = &[
    "sorry", "oops", "whoops", "oups", "entschuldigung", "entschuldige", "verzeihung", "pardon", "perdón", "perdon",
    "perdona", "perdone", "désolé", "désolée", "excuse", "excusez", "zut", "mist", "verdammt", "merde", "damn",
    "shoot", "vaya",
];

/// Something is, or was, not as it should be. What is said after it is meant instead.
pub const OBJECTIONS: &[&str] = &[
    "no", "nope", "nah", "ne", "wrong", "mistake", "typo", "actually", "nein", "nee", "nö", "quatsch", "eigentlich",
    "falsch", "irrtum", "non", "erreur", "faux", "error", "mentira", "equivocado",
];

/// Asks to wait for what comes.
pub const PAUSES: &[&str] = &["wait", "moment", "warte", "attends", "attendez", "espera", "espere"];

/// That it was well so, and nothing else.
pub const PRAISE: &[&str] = &[
    "brilliant", "super", "awesome", "cool", "nice", "great", "perfect", "lovely", "wonderful", "excellent",
    "fantastic", "amazing", "ta", "cheers", "prima", "toll", "klasse", "spitze", "listo", "genial", "estupendo",
    "parfait", "impeccable", "formidable",
];

/// Greets, thanks or takes note.
const REACTIONS: &[&str] = &[
    "hey", "hi", "hello", "ok", "okay", "thanks", "cheers", "great", "cool", "nice", "perfect", "right", "alright",
    "danke", "hallo", "merci", "bonjour", "salut", "gracias", "hola",
];

/// Whether it only reacts to what was said before, where a mark parts it from what comes then: "thanks, make it 4".
pub fn reacts(word: &str) -> bool {
    [SIGHS, REACTIONS].iter().any(|class| is_one_of(word, class))
}

/// All but praise: "Super" is petrol, too.
pub fn is_interjection(word: &str) -> bool {
    [SIGHS, APOLOGIES, OBJECTIONS, PAUSES].iter().any(|class| is_one_of(word, class))
}

/// Whether what is said after it is meant instead of something else.
pub fn takes_back(word: &str) -> bool {
    [APOLOGIES, OBJECTIONS, PAUSES].iter().any(|class| is_one_of(word, class))
}

/// Without what is said before a yes or no, and changes neither: "oh well, yes".
pub(super) fn after_sighs(words: &str) -> &str {
    let mut rest = words;
    while let Some((_, after)) = rest.split_once(' ').filter(|(first, after)| {
        // "Na ja" is no "ja".
        let doubts = *first == "na" && after.starts_with("ja");
        !doubts && [SIGHS, APOLOGIES].iter().any(|class| is_one_of(first, class))
    }) {
        rest = after;
    }
    rest
}
