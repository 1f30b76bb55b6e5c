//! The options that a question offers, and which of them an answer takes.

use super::{Message, wording};
use crate::only::Only;
pub(super) use crate::phrases::list_marks::{number_first, unmarked};
use crate::phrases::{Class, PlainAnswer, yes_no};
use crate::shown::{Asked, AskedPart, ShownRow};
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
    /// The questions, if there are several.
    pub parts: Vec<AskedPart>,
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
        self.parts.extend(asked.parts);
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

/// What was asked between two of the person's messages. What only waits beside it is no part of it.
pub(super) fn question_in(messages: &[Message]) -> Asking {
    let mut found = Asking::default();
    for message in messages {
        let Message::Assistant { calls, shown, .. } = message else { continue };
        if let Some(shown) = shown {
            found.proposes |= shown.proposal.is_some();
            if let Some(asked) = &shown.asked {
                found.add(asked.clone());
                found.rows.extend(shown.rows.iter().cloned());
            }
        }
        let questions = calls.iter().filter(|call| call.name == "ask_questions");
        for question in questions.filter_map(|call| call.arguments["questions"].as_array()).flatten() {
            let texts = |field: &str| -> Vec<String> {
                let texts = question[field].as_array().into_iter().flatten().filter_map(|text| text.as_str());
                texts.map(str::to_owned).collect()
            };
            let text = question["text"].as_str().unwrap_or_default().to_owned();
            found.add(Asked { text, options: texts("options"), missing: texts("missing"), ..Asked::default() });
        }
    }
    found
}

/// What the option says that the answer repeats, or names by its place. Rows are named by their number instead.
pub(super) fn chosen(answer: &str, asking: &Asking) -> Option<String> {
    let options = &asking.options;
    if !asking.parts.is_empty() {
        return chosen_of_each(answer, &asking.parts);
    }
    if options.is_empty() || (0..options.len()).any(|at| asking.row_number(at).is_some()) {
        return None;
    }
    match &options[..] {
        [only] if yes_no::read(answer) == Some(PlainAnswer::Yes(None)) => Some(only.clone()),
        options => named(answer, options).map(str::to_owned),
    }
}

/// Of several questions: an answer to each of them in their order, or an option that only one of them has.
fn chosen_of_each(answer: &str, parts: &[AskedPart]) -> Option<String> {
    let pieces: Vec<&str> =
        answer.split([',', ';', '\n']).flat_map(|piece| piece.split(" and ")).map(str::trim).collect();
    if pieces.len() == parts.len() {
        let each = pieces.into_iter().zip(parts).map(|(piece, part)| match part.options.is_empty() {
            true => Some(piece),
            false => named(piece, &part.options),
        });
        return Some(each.collect::<Option<Vec<_>>>()?.join(", "));
    }
    let has = |option: &&String| letters(option) == letters(answer);
    parts.iter().filter_map(|part| part.options.iter().find(has)).only().cloned()
}

/// Of two options, the one that the answer did not take.
pub(super) fn other<'q>(answer: &str, asking: &'q Asking) -> Option<&'q str> {
    let taken = chosen(answer, asking).filter(|_| asking.parts.is_empty())?;
    match &asking.options[..] {
        [one, other] => Some(if *one == taken { other } else { one }),
        _ => None,
    }
}

pub(super) fn named<'o, O: AsRef<str>>(answer: &str, options: &'o [O]) -> Option<&'o str> {
    let mut options_said = options.iter().map(AsRef::as_ref);
    if let Some(option) = options_said.clone().find(|option| letters(option) == letters(answer)) {
        return Some(option);
    }
    let Some(place) = place(answer, options.len()) else { return only_with(answer, options) };
    // "2" of "2 November" and "11 February" may be either.
    let digits = (place + 1).to_string();
    let doubtful = letters(answer) == digits
        && options_said.any(|option| wording::first_word(option) == digits && options[place].as_ref() != option);
    (!doubtful).then(|| options[place].as_ref())
}

/// "The November one" of "3 Nov 2026" and "3 Dec 2026": the only option with all these words.
fn only_with<'o, O: AsRef<str>>(answer: &str, options: &'o [O]) -> Option<&'o str> {
    let said = wording::trimmed(answer, &[Class::BeforeChoice], &[Class::BehindChoice]).to_lowercase();
    let said: Vec<&str> = said.split_whitespace().collect();
    let has = |option: &&O| {
        let words: Vec<String> = letters(option.as_ref()).split_whitespace().map(str::to_owned).collect();
        // "November" is written "Nov".
        let is_said = |word: &str, other: &str| word == other || other.len() > 2 && word.starts_with(other);
        said.iter().all(|word| words.iter().any(|other| is_said(word, other)))
    };
    options.iter().filter(has).only().filter(|_| !said.is_empty()).map(AsRef::as_ref)
}

/// "the first and the third", "1, 3", "the first two".
pub(super) fn places(answer: &str, count: usize) -> Option<Vec<usize>> {
    let name = wording::trimmed(answer, &[Class::BeforeChoice], &[Class::BehindChoice]).to_lowercase();
    let (lead, rest) = name.split_once(' ').unwrap_or_default();
    let first = Some(rest).filter(|_| Class::FirstOfSome.contains(lead));
    let first = first.and_then(|many| usize::try_from(wording::count(many)?).ok());
    if let Some(many) = first.filter(|many| *many <= count) {
        return Some((0..many).collect());
    }
    let parted = name.replace([',', '&'], " , ");
    let words: Vec<&str> = parted.split_whitespace().collect();
    let parts = words.split(|word| *word == "," || Class::And.contains(word));
    parts.filter(|part| !part.is_empty()).map(|part| place(&part.join(" "), count)).collect()
}

/// "the second one", "option 2", "last".
pub(super) fn place(answer: &str, count: usize) -> Option<usize> {
    let name = wording::trimmed(answer, &[Class::BeforeChoice], &[Class::BehindChoice]).to_lowercase();
    let number = match name.as_str() {
        word if Class::LastOfSome.contains(word) => count,
        word => word.parse().ok().or_else(|| usize::try_from(Class::Ordinal.sense(word)?.number()).ok())?,
    };
    number.checked_sub(1).filter(|place| *place < count)
}

/// What is compared: no marks, no case.
pub(super) fn letters(text: &str) -> String {
    let marks = |character: &char| !"\"“”‘’'?!".contains(*character);
    unmarked(text).trim_end_matches(['.', ',', ';']).chars().filter(marks).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1 and Monday", Some("£5, Monday"))]
    #[case("2, second", Some("£7, Tuesday"))]
    #[case("first; last", Some("£5, Tuesday"))]
    #[case("Tuesday", Some("Tuesday"))]
    #[case("2", None)]
    #[case("£5, £7", None)]
    #[case("the £5 one and the Tuesday one", Some("£5, Tuesday"))]
    fn an_answer_to_several_questions_takes_the_options_of_each(#[case] answer: &str, #[case] expected: Option<&str>) {
        let part =
            |options: [&str; 2]| AskedPart { options: options.map(str::to_owned).into(), ..AskedPart::default() };
        let parts = vec![part(["£5", "£7"]), part(["Monday", "Tuesday"])];
        let options = parts.iter().flat_map(|part| part.options.clone()).collect();
        let mut asking = Asking::default();
        asking.add(Asked { options, parts, ..Asked::default() });
        assert_eq!(chosen(answer, &asking).as_deref(), expected);
    }

    #[rstest]
    #[case("the november one", Some("3 Nov 2026"))]
    #[case("In December.", Some("3 Dec 2026"))]
    #[case("the second one", Some("3 Dec 2026"))]
    #[case("2026", None)]
    #[case("3", None)]
    #[case("the one", None)]
    #[case("november 5", None)]
    fn a_word_that_only_one_option_has_takes_it(#[case] answer: &str, #[case] expected: Option<&str>) {
        assert_eq!(named(answer, &["3 Nov 2026", "3 Dec 2026"]), expected);
    }

    #[test]
    fn a_number_that_only_one_option_has_takes_it() {
        assert_eq!(named("27", &["27 Nov 2026", "20 Nov 2026"]), Some("27 Nov 2026"));
        assert_eq!(named("26", &["27 Nov 2026", "20 Nov 2026"]), None);
    }
}
