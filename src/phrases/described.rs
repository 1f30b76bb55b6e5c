//! What a person describes rather than names: “anything like a gift”, “things for the garden”. Words alone do not find
//! it, because what is stored says it in others.

use super::lexicon::Class;

/// Where it ends.
const ENDS: [char; 6] = ['?', '!', '.', ',', ';', '\n'];

/// The description in a message, as it is written; None if there is none, or if it is a number ("something like 20").
pub fn described(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let words = lower.char_indices().map(|(at, _)| at).filter(|at| !lower[..*at].ends_with(char::is_alphanumeric));
    let end = |at: usize, opening: &str| lower[at..].starts_with(opening).then_some(at + opening.len());
    let openings = Class::Describing.all();
    let ends = words.flat_map(|at| openings.iter().filter_map(move |(opening, _)| end(at, opening)));
    let ends = ends.filter(|end| lower[*end..].starts_with(char::is_whitespace));
    let rest = &text[ends.min()?..];
    let description = rest[..rest.find(ENDS).unwrap_or(rest.len())].trim();
    let is_words = description.contains(char::is_alphabetic) && !description.contains(|c: char| c.is_ascii_digit());
    is_words.then_some(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_what_follows_likeness_or_purpose() {
        for (text, description) in [
            ("Did I buy anything like a gift?", "a gift"),
            ("show me things for the garden, please", "the garden"),
            ("what did I spend that had to do with Mum's birthday?", "Mum's birthday"),
            ("Find expenses similar to Netflix", "Netflix"),
            ("STUFF LIKE flowers!", "flowers"),
            ("Habe ich etwas wie ein Geschenk?", "ein Geschenk"),
            ("des choses pour le jardin", "le jardin"),
            ("¿algo relacionado con el viaje?", "el viaje"),
        ] {
            assert_eq!(described(text), Some(description), "{text}");
        }
    }

    #[test]
    fn names_numbers_and_wishes_are_no_descriptions() {
        for text in [
            "coffee 3.50",
            "I'd like to add a coffee",
            "lunch, something like 12 pounds",
            "how much did I spend on food?",
            "find uber",
            "anything like",
            "is there anything like?",
            "etwas für Mama 20",
            "nothing similar tomorrow",
            "",
        ] {
            assert_eq!(described(text), None, "{text}");
        }
    }
}
