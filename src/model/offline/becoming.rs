//! What something came to, said with other words than "was": "ended up being 32", "is now 950", "should say 4".
//!
//! It knows no expense, and nothing of whose price it is.

use super::wording;
use crate::phrases::{Reader, is_one_of, phrase_length};

/// With "was" or "should be" in the place of those words, where an amount follows them. None for everything else.
pub(super) fn plainly(text: &str, reader: Reader) -> Option<String> {
    let words = wording::words(text);
    if !words.iter().any(|(_, word)| is_one_of(word, &FIRST)) {
        return None;
    }
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    // What a budget is now, is said in words of its own.
    if said.contains(&"budget") {
        return None;
    }
    let is_now = said.contains(&"now");
    let (at, length, verb) = (0..words.len()).find_map(|at| {
        let mut phrases = CAME_TO.iter().filter(|(_, verb)| is_now || *verb != IS);
        phrases.find_map(|(phrase, verb)| Some((at, phrase_length(phrase, &said[at..])?, *verb)))
    })?;
    let links = said[at + length..].iter().take_while(|word| LINKS.contains(word)).count();
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
    if !wording::trimmed(&plain[end..price.span.start], &HEDGED, &[]).is_empty() {
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

/// What the phrases begin with.
const FIRST: [&str; 30] = [
    "ended", "turned", "worked", "came", "amounted", "added", "set", "is", "are", "went", "has", "should", "should've",
    "ought", "needs", "kam", "belief", "ist", "est", "a", "salió", "acabó", "terminó", "es", "ahora", "now", "costs",
    "kostet", "coûte", "cuesta",
];

const CAME_TO: [(&str, &str); 45] = [
    ("ended up paying", "paid"),
    ("ended up spending", "spent"),
    ("ended up", "was"),
    ("turned out", "was"),
    ("worked out", "was"),
    ("came out", "was"),
    ("came to", "was"),
    ("came in at", "was"),
    ("amounted to", "was"),
    ("added up to", "was"),
    ("set me back", "was"),
    ("set us back", "was"),
    ("now costs", "was"),
    ("costs now", "was"),
    ("is now", "was"),
    ("are now", "was"),
    ("is", IS),
    ("are", IS),
    ("costs", IS),
    ("went up to", "was"),
    ("went down to", "was"),
    ("has gone up to", "was"),
    ("has gone down to", "was"),
    ("should have been", "should be"),
    ("should've been", "should be"),
    ("should say", "should be"),
    ("should read", "should be"),
    ("should show", "should be"),
    ("ought to", "should be"),
    ("needs to be", "should be"),
    ("kam auf", "war"),
    ("belief sich auf", "war"),
    ("ist jetzt", "war"),
    ("kostet jetzt", "war"),
    ("est revenu à", "était"),
    ("est maintenant", "était"),
    ("coûte maintenant", "était"),
    ("a fini par coûter", "était"),
    ("salió", "fue"),
    ("acabó", "fue"),
    ("terminó", "fue"),
    ("es ahora", "fue"),
    ("ahora es", "fue"),
    ("ahora cuesta", "fue"),
    ("cuesta ahora", "fue"),
];

/// Between such words and the price.
const LINKS: [&str; 12] =
    ["to", "be", "being", "costing", "at", "as", "have", "been", "por", "a", "costando", "siendo"];

const HEDGED: [&str; 10] =
    ["about", "around", "roughly", "only", "just", "actually", "really", "nearly", "almost", "de"];
