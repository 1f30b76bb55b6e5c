//! "What was #42 before?", "who changed #42?": what happened to one row.

use serde_json::json;

use super::{Reply, conversation::one, wording};

/// The number of the row stands for `#`.
const ASKS: [&str; 27] = [
    "what was # before",
    "what was # before that",
    "what was # originally",
    "what was # at first",
    "what did # say before",
    "what did # look like before",
    "history of #",
    "the history of #",
    "show history of #",
    "show the history of #",
    "show me the history of #",
    "show me history of #",
    "what is the history of #",
    "what's the history of #",
    "who changed #",
    "who edited #",
    "when was # changed",
    "when was # edited",
    "who changed # and when",
    "what changed in #",
    "what was changed in #",
    "what changed about #",
    "how was # changed",
    "how did # change",
    "has # been changed",
    "what happened to #",
    "what happened with #",
];

pub(super) fn read(command: &str) -> Option<Reply> {
    let words: Vec<String> = wording::words(command)
        .into_iter()
        .map(|(at, word)| {
            let is_numbered = command[..at.start].ends_with('#');
            if is_numbered { format!("#{word}") } else { word.to_lowercase() }
        })
        .collect();
    let number = |word: &str| word.strip_prefix('#')?.parse::<u64>().ok();
    let id = words.iter().find_map(|word| number(word))?;
    let nouns = ["expense", "number", "row", "entry"];
    let plain = words.iter().filter(|word| !nouns.contains(&word.as_str()));
    let plain: Vec<&str> = plain.map(|word| if number(word).is_some() { "#" } else { word.as_str() }).collect();
    ASKS.contains(&&*plain.join(" ")).then(|| one("get_row_history", json!({ "id": id })))
}
