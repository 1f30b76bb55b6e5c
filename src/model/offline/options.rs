//! The options that a question offers, and which of them an answer takes.

use super::wording;
pub(super) use crate::phrases::shown::{number_first, unmarked};

/// What the option says that the answer repeats, or names by its place. Rows are named by their number instead.
pub(super) fn chosen(answer: &str, question: &str) -> Option<String> {
    let options = offered(question);
    if options.is_empty() || options.iter().any(|option| option.starts_with('#')) {
        return None;
    }
    named(answer, &options).map(str::to_owned)
}

/// Of two options, the one that the answer did not take.
pub(super) fn other<'q>(answer: &str, question: &'q str) -> Option<&'q str> {
    let taken = chosen(answer, question)?;
    match offered(question)[..] {
        [one, other] => Some(if one == taken { other } else { one }),
        _ => None,
    }
}

fn offered(question: &str) -> Vec<&str> {
    question.lines().filter_map(|line| line.strip_prefix("- ")).map(str::trim).collect()
}

pub(super) fn is_offered(answer: &str, question: &str) -> bool {
    offered(question).iter().any(|option| letters(option) == letters(answer))
}

pub(super) fn named<'o, O: AsRef<str>>(answer: &str, options: &'o [O]) -> Option<&'o str> {
    let mut options_said = options.iter().map(AsRef::as_ref);
    if let Some(option) = options_said.clone().find(|option| letters(option) == letters(answer)) {
        return Some(option);
    }
    let place = place(answer, options.len())?;
    // "2" of "2 November" and "11 February" may be either.
    let digits = (place + 1).to_string();
    let doubtful = letters(answer) == digits
        && options_said.any(|option| wording::first_word(option) == digits && options[place].as_ref() != option);
    (!doubtful).then(|| options[place].as_ref())
}

/// "the second one", "option 2", "last".
pub(super) fn place(answer: &str, count: usize) -> Option<usize> {
    let front = ["the", "option", "number", "no", "choice", "take", "it", "is", "it's"];
    let name = wording::trimmed(answer, &front, &["one", "option", "please"]).to_lowercase();
    let place = match name.as_str() {
        "first" | "1st" | "1" => 0,
        "second" | "2nd" | "2" => 1,
        "third" | "3rd" | "3" => 2,
        "fourth" | "4th" | "4" => 3,
        "fifth" | "5th" | "5" => 4,
        "last" | "latter" => count.checked_sub(1)?,
        _ => return None,
    };
    (place < count).then_some(place)
}

/// What is compared: no marks, no case.
pub(super) fn letters(text: &str) -> String {
    let marks = |character: &char| !"\"“”‘’'?!".contains(*character);
    unmarked(text).trim_end_matches(['.', ',', ';']).chars().filter(marks).flat_map(char::to_lowercase).collect()
}
