//! The options that a question offers, and which of them an answer takes.

use super::wording;
pub(super) use crate::phrases::list_marks::{number_first, unmarked};
use crate::shown::{Asked, ShownRow};
use serde_json::Value;

/// What was asked between two of the person's messages.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Asking {
    pub text: String,
    pub options: Vec<String>,
    /// What the options stand for, where that is known; as many as there are options.
    pub values: Vec<Value>,
    /// What the answer must contain.
    pub missing: Vec<String>,
    /// The words that fit several rows.
    pub name: Option<String>,
    /// The rows that it names.
    pub rows: Vec<ShownRow>,
    /// It was a yes or a no that was asked for.
    pub proposes: bool,
}

impl Asking {
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.options.is_empty() && !self.proposes
    }

    pub fn is_for(&self, missing: &str) -> bool {
        self.missing.iter().any(|other| other == missing)
    }

    pub fn add(&mut self, asked: Asked) {
        self.text.push_str(&asked.text);
        self.options.extend(asked.options);
        self.values.extend(asked.values);
        self.values.resize(self.options.len(), Value::Null);
        self.missing.extend(asked.missing);
        self.name = asked.name.or(self.name.take());
    }

    /// The number of the row that an option is. Where a model wrote the options, only their text has it.
    pub fn row_number(&self, option: usize) -> Option<u64> {
        match &self.values[option] {
            Value::Null => Some(number_first(&self.options[option])?.0),
            value => value["id"].as_u64(),
        }
    }
}

/// What the option says that the answer repeats, or names by its place. Rows are named by their number instead.
pub(super) fn chosen(answer: &str, asking: &Asking) -> Option<String> {
    let options = &asking.options;
    if options.is_empty() || (0..options.len()).any(|at| asking.row_number(at).is_some()) {
        return None;
    }
    named(answer, options).map(str::to_owned)
}

/// Of two options, the one that the answer did not take.
pub(super) fn other<'q>(answer: &str, asking: &'q Asking) -> Option<&'q str> {
    let taken = chosen(answer, asking)?;
    match &asking.options[..] {
        [one, other] => Some(if *one == taken { other } else { one }),
        _ => None,
    }
}

pub(super) fn is_offered(answer: &str, asking: &Asking) -> bool {
    asking.options.iter().any(|option| letters(option) == letters(answer))
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
