//! What is called recurring, whether or not it is said how often.

use super::{Question, wording};
use crate::phrases::is_one_of;

/// "add a recurring expense of 900 for rent", without the words that call it so.
pub(super) fn without_calling(command: &str, words: &[wording::Word<'_>]) -> Option<String> {
    const KINDS: [&str; 7] = ["expense", "payment", "entry", "bill", "cost", "order", "outgoing"];
    let is_kind = |at: usize| words.get(at).is_some_and(|(_, word)| is_one_of(word, &KINDS));
    let at = (0..words.len()).find(|at| match &*words[*at].1 {
        word if word.starts_with("recurr") => true,
        "regular" | "standing" => is_kind(at + 1),
        word => word == "dauerauftrag",
    })?;
    let last = at + usize::from(is_kind(at + 1));
    Some(format!("{}{}", &command[..words[at].0.start], &command[words[last].0.end..]))
}

pub(super) fn how_often() -> Question {
    Question {
        text: "How often does it come back?".to_owned(),
        options: ["every week", "every month", "every year"].map(str::to_owned).to_vec(),
        missing: vec!["every"],
    }
}
