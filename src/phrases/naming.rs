//! Words that no name of a thing has: the verb, the person or the courtesy of the sentence that it stood in.
//!
//! Closed classes in four languages, without the words that are another's noun. It knows no things, so it never says
//! that something is a name.

use super::{Conventions, interjections::APOLOGIES, tokens::Line};

/// Whether it looks like a piece of a sentence, and not like what somebody would call a thing.
pub fn is_a_fragment(name: &str) -> bool {
    let line = Line::new(name, Conventions::default());
    let Some(last) = line.tokens.len().checked_sub(1) else { return true };
    line.is(0, LEADING)
        || last > 0 && line.is(last, TRAILING)
        || (0..=last).any(|at| line.is(at, TELLING) || line.is(at, APOLOGIES))
        || line.mark(0).is_some_and(|mark| mark.is_ascii_punctuation() && !"#('\"@&".contains(mark))
}

/// What a name does not begin with, unless it is one like "Off White".
const LEADING: &[&str] = &[
    "of", "off", "by", "than", "over", "but", "or", "including", "incl", "plus", "per", "each", "as", "because",
    "together", "between", "about", "most", "more", "less", "de", "del", "von", "vom", "mit", "aber", "con", "avec",
    "mais", "pero", "sí", "oui", "ja", "non", "nein", "y", "à", "entre", "bis", "zwischen", "que",
];

/// What a name does not end with.
const TRAILING: &[&str] = &[
    "back", "of", "for", "with", "by", "but", "than", "more", "less", "over", "then", "before", "after", "between",
    "because", "de", "del", "von", "mit", "aber", "con", "avec", "mais", "pero", "und", "zurück", "a", "à",
];

/// Who did it, what was done, and what is said around it. Not "me" and "her": "lunch with her" is a name.
const TELLING: &[&str] = &[
    "i", "i've", "ive", "i'm", "i'd", "i'll", "we", "we've", "you", "he", "she", "they", "it's", "that's", "there's",
    "was", "were", "am", "is", "are", "been", "be", "have", "had", "has", "did", "does", "went", "paid", "payed",
    "bought", "spent", "told", "said", "treated", "gave", "claimed", "reduced", "pls", "please", "could", "would",
    "should", "let's", "want", "wanted", "need", "needed", "add", "forgot", "missed", "already", "wrong", "before",
    "guess", "ich", "wir", "habe", "hab", "hatte", "haben", "ist", "waren", "wurde", "bezahlt", "gekauft",
    "ausgegeben", "bitte", "j'ai", "je", "nous", "est", "était", "suis", "avons", "payé", "acheté", "dépensé", "plaît",
    "yo", "fue", "pagué", "compré", "gasté", "hemos", "pagó", "tengo",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_sentence_is_told_from_a_name() {
        for fragment in [
            "went to the dentist and paid",
            "off credit card",
            "mum back",
            "already told you",
            "as before",
            "wrong chat",
            "pls add coffee",
            "tom treated me to lunch",
            "/C repair",
            "von Mama",
            "sí pero el café",
            "Ausgaben über 50, bitte",
            "hoppla, perdón",
            "",
        ] {
            assert!(is_a_fragment(fragment), "{fragment}");
        }
        for name in [
            "coffee", "Just Eat", "lunch with her", "gift for me", "A/C repair", "down jacket", "back massage",
            "can of coke", "dinner with Will", "la Redoute", "Pfand", "pain au chocolat", "£5 voucher", "#1 cream",
            "(gift)",
        ] {
            assert!(!is_a_fragment(name), "{name}");
        }
    }
}
