//! What a question, or a change of many, leaves out: "everything but rent", "all except food and taxis".
//!
//! Only names are read here. What is left out by its amount, its day or its place in a list is not understood.

use super::{lists, wording};
use crate::phrases::{Reader, is_one_of};

/// A text without its exception.
pub(super) struct Excepted {
    pub rest: String,
    pub names: Vec<String>,
}

/// None if nothing is left out, or not by a name.
pub(super) fn read(text: &str, reader: Reader) -> Option<Excepted> {
    let words = wording::words(text);
    let (from, to) = exception(&words.iter().map(|(_, word)| &**word).collect::<Vec<_>>())?;
    let tail = &text[words[to - 1].0.end..];
    if !reader.amounts(tail).is_empty() || tail.contains('#') {
        return None;
    }
    let days: Vec<_> = reader.ranges(tail).into_iter().map(|found| found.span).collect();
    let named = wording::without(tail, &days, &["in", "on", "from", "for", "during", "since", "of", "at"]);
    let names = named.split(',').flat_map(|names| names.split(" and ")).flat_map(|names| names.split(" or "));
    let names: Vec<String> = names
        .map(|name| wording::trimmed(name, &FRONT, &["ones", "expenses", "expense", "category", "please"]))
        .map(str::to_lowercase)
        .collect();
    let is_name = |name: &String| {
        let words = wording::words(name);
        (1..=3).contains(&words.len()) && !words.iter().any(|(_, word)| is_one_of(word, &lists::EXCEPTING_POINTING))
    };
    if !names.iter().all(is_name) {
        return None;
    }
    let before = text[..words[from].0.start].trim_end_matches([' ', ',']);
    let days: Vec<&str> = days.into_iter().map(|span| &tail[span]).collect();
    Some(Excepted { rest: format!("{before} {}", days.join(" ")).trim_end().to_owned(), names })
}

/// Whether something is left out, also where it is not by a name.
pub(super) fn excepts(text: &str) -> bool {
    let words = wording::words(text);
    exception(&words.iter().map(|(_, word)| &**word).collect::<Vec<_>>()).is_some()
}

const FRONT: [&str; 9] = ["the", "my", "all", "any", "for", "on", "and", "keep", "leave"];

/// What names nothing.

/// Where the words that except stand.
fn exception(words: &[&str]) -> Option<(usize, usize)> {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    (1..words.len()).find_map(|at| {
        let length = match (word(at), word(at + 1)) {
            ("except", "for") | ("apart" | "aside", "from") | ("other", "than") | ("leaving", "out") => 2,
            ("but" | "and", "not") | ("not", "including" | "counting") => 2,
            ("except" | "excepting" | "excluding" | "without" | "besides" | "non", _) => 1,
            ("but", _) if matches!(word(at - 1), "all" | "everything" | "anything") => 1,
            _ => return None,
        };
        (at + length < words.len()).then_some((at, at + length))
    })
}

#[cfg(test)]
mod tests {
    use super::{super::tests::reader, *};

    #[test]
    fn what_is_left_out_by_name_is_told_from_the_days_that_are_meant() {
        for (text, rest, names) in [
            ("show everything but rent", "show everything", &["rent"][..]),
            ("how much without rent in October?", "how much October", &["rent"]),
            ("delete all, except for the taxis and my Gym", "delete all", &["taxis", "gym"]),
            ("how much last month apart from eating out", "how much last month", &["eating out"]),
            ("show food but not takeaways", "show food", &["takeaways"]),
            ("show non-housing expenses in October", "show October", &["housing"]),
        ] {
            let found = read(text, reader()).map(|found| (found.rest, found.names));
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(found, Some((rest.to_owned(), names)), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_otherwise_is_not_read() {
        for text in
            ["show all but the last", "all except those", "all except #3", "all but 2", "nothing but net", "except"]
        {
            assert!(read(text, reader()).is_none(), "{text}");
        }
    }
}
