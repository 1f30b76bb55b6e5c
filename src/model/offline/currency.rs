//! "My currency is EUR", "use euros from now on", "what is my currency?".
//!
//! The currency of one expense is changed as the rest of it is.

use serde_json::json;

use super::{Reply, adding::Said, conversation::one, drafting, wording};
use crate::{
    money::Currency,
    phrases::{Reader, is_word_too},
};

/// All words but the currency's name must be of these.
const AROUND: [&str; 37] = [
    "can", "you", "please", "set", "change", "make", "use", "switch", "my", "our", "the", "default", "main", "home",
    "to", "is", "as", "be", "should", "now", "from", "on", "always", "i", "want", "pay", "in", "by", "it", "what",
    "what's", "whats", "which", "do", "does", "are", "instead",
];

pub(super) fn read(text: &str, reader: Reader) -> Option<Reply> {
    let words = wording::words(text);
    let says = |word: &str| words.iter().any(|(_, said)| said == word);
    let lasting = says("always") || says("default") || says("now") && says("from");
    if !says("currency") && !(lasting && (says("use") || says("switch"))) {
        return None;
    }
    let rest: Vec<&str> =
        words.iter().map(|(_, word)| &**word).filter(|word| !AROUND.contains(word) && *word != "currency").collect();
    // "my currency is €"
    let sign = text.split_whitespace().next_back().unwrap_or_default().trim_end_matches(['.', '!']);
    let name = if rest.is_empty() { sign.to_owned() } else { rest.join(" ") };
    // "my currency is mad"
    let name = Currency::parse(&name).map_or(name, |code| code.code().to_owned());
    match currency_alone(&name, reader) {
        Some(Said::Exactly(code)) => Some(one("set_currency", json!({ "currency": code }))),
        None if rest.is_empty() => Some(one("get_currency", json!({}))),
        _ => None,
    }
}

/// An answer that is a currency and nothing else.
pub(super) fn currency_alone(answer: &str, reader: Reader) -> Option<Said> {
    let name = wording::trimmed(answer, &["in", "it", "was", "it's", "the"], &["please"]);
    if let Some(code) = Currency::parse(name).ok().filter(|_| !is_word_too(name)) {
        return Some(Said::Exactly(code.code().to_owned()));
    }
    Some(drafting::currency(&reader.currency(name))).filter(|said| *said != Said::Nothing)
}
