//! One and many of a word: what is asked for in the plural may be there in the singular, and the other way round.
//!
//! It knows the plurals that end in "s", and no dictionary: a form that is no word is looked for in vain.

use super::lexicon::Class;

/// How a word ends when it is one, and when it is many.
const ENDINGS: [(&str, &str); 9] = [
    ("", "s"),
    ("s", "ses"),
    ("x", "xes"),
    ("z", "zes"),
    ("ch", "ches"),
    ("sh", "shes"),
    ("o", "oes"),
    ("y", "ies"),
    ("fe", "ves"),
];

/// The word or name itself, then what it may be in the other number. Of a name the last word counts.
pub fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    let letters = word.chars().rev().take_while(|letter| letter.is_alphabetic()).count();
    if letters < 2 || Class::NotOneAndMany.contains(word) {
        return forms;
    }
    for (one, many) in ENDINGS {
        let plain = one.is_empty();
        if let Some(stem) = word.strip_suffix(many).filter(|stem| stem.len() > 1 && !(plain && hisses(stem))) {
            forms.push(format!("{stem}{one}"));
        }
        if let Some(stem) = word.strip_suffix(one).filter(|stem| !(plain && hisses(stem))) {
            forms.push(format!("{stem}{many}"));
        }
    }
    forms
}

/// Whether they differ in nothing but their number.
pub fn are_alike(one: &str, other: &str) -> bool {
    // Both begin alike, and most pairs do not.
    one == other || one.as_bytes().first() == other.as_bytes().first() && forms(one).iter().any(|form| form == other)
}

/// Then "s" alone makes no plural of it.
fn hisses(stem: &str) -> bool {
    stem.ends_with(['s', 'x', 'z']) || stem.ends_with("ch") || stem.ends_with("sh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_alike_in_one_and_in_many_and_no_other_is() {
        for (one, many) in [
            ("taxi", "taxis"),
            ("lunch", "lunches"),
            ("bus", "buses"),
            ("glass", "glasses"),
            ("shoe", "shoes"),
            ("potato", "potatoes"),
            ("grocery", "groceries"),
            ("cookie", "cookies"),
            ("knife", "knives"),
            ("box", "boxes"),
            ("café", "cafés"),
            ("gym membership", "gym memberships"),
        ] {
            assert!(are_alike(one, many) && are_alike(many, one), "{one}: {:?}, {many}: {:?}", forms(one), forms(many));
        }
        for (one, other) in [("new", "news"), ("tea", "steak"), ("glass", "glas"), ("gas", "gases s"), ("a", "as")] {
            assert!(!are_alike(one, other) && !are_alike(other, one), "{one}, {other}");
        }
    }

    #[test]
    fn what_is_no_word_has_no_other_number() {
        for text in ["", "a", "42", "s"] {
            assert_eq!(forms(text), [text]);
        }
    }
}
