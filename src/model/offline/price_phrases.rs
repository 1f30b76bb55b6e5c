//! What something came to, said with other words than "was": "ended up being 32", "is now 950", "should say 4".
//!
//! It knows no expense, and nothing of whose price it is.

use super::wording;
use crate::phrases::{Class, Reader, phrase_length};

/// With "was" or "should be" in the place of those words, where an amount follows them. None for everything else.
pub(super) fn with_was(text: &str, reader: Reader) -> Option<String> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    // What a budget is now, is said in words of its own.
    if said.contains(&"budget") {
        return None;
    }
    let is_now = said.contains(&"now");
    let (at, length, verb) = (0..words.len()).find_map(|at| {
        let phrases = Class::PricePhrases.phrases(said[at]);
        let phrases = phrases.filter_map(|(phrase, sense)| Some((phrase_length(phrase, &said[at..])?, sense.says)));
        let word = Class::PricePhrases.sense(said[at]).map(|sense| (1, sense.says));
        let (length, verb) = phrases.chain(word).find(|(_, verb)| is_now || *verb != IS)?;
        Some((at, length, verb))
    })?;
    let links = said[at + length..].iter().take_while(|word| Class::PricePhrasesLinks.contains(word)).count();
    let (start, last) = (words[at].0.start, at + length + links - 1);
    // "came out at 9" may be an hour: only what is there can have come to that.
    let said_as = match verb {
        IS => "was",
        "was" if said[last] == "at" => "should be",
        verb => verb,
    };
    let plain = format!("{}{said_as}{}", &text[..start], &text[words[last].0.end..]);
    let end = start + said_as.len();
    let price = reader.amounts(&plain).into_iter().find(|price| price.span.start >= end)?;
    if !wording::trimmed(&plain[end..price.span.start], &[Class::Hedged], &[]).is_empty() {
        return None;
    }
    // What follows the price of such a correction is of something else.
    let is_whole = said_as != "should be" || wording::trimmed(&plain[price.span.end..], &[], &[]).is_empty();
    if verb != IS {
        return Some(plain).filter(|_| is_whole);
    }
    let after = plain[price.span.end..].trim_start().strip_prefix("now")?;
    Some(format!("{}{after}", &plain[..price.span.end]))
}

/// Only with "now" behind the price.
const IS: &str = "is";
