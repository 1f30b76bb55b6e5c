//! Looking for what is described and not named: “did I buy anything like a gift last month?”

use serde_json::json;

use super::{Reply, conversation::one, looking, wording};
use crate::phrases::{Reader, described};

/// What such a question begins with.
const LOOKING: [&str; 26] = [
    "find", "show", "search", "list", "look", "see", "get", "any", "anything", "what", "what's", "which", "did",
    "have", "do", "is", "was", "were", "are", "things", "stuff", "expenses", "give", "got", "gimme", "there",
];

pub(super) fn read(text: &str, command: &str, reader: Reader) -> Option<Reply> {
    if !LOOKING.contains(&wording::first_word(command).as_str()) {
        return None;
    }
    let description = described(text)?;
    let mut arguments = json!({});
    if let Err(question) = looking::add_range(&mut arguments, text, reader) {
        return Some(Reply::Ask(question));
    }
    let days: Vec<_> = reader.ranges(description).into_iter().map(|found| found.span).collect();
    arguments["query"] = wording::without(description, &days, &["in", "from", "since", "during", "on"]).trim().into();
    Some(one("search_by_meaning", arguments))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;
    use crate::phrases::Conventions;

    fn read(text: &str) -> Option<Value> {
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        match super::read(text, wording::after_courtesies(text), reader)? {
            Reply::Calls(calls) => Some(calls.into_iter().map(|call| call.arguments).collect()),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn what_is_looked_for_is_what_was_described_and_the_days_are_apart() {
        let range = "2026-10-01..2026-10-31";
        for (text, arguments) in [
            ("did I buy anything like a gift?", json!([{ "query": "a gift" }])),
            ("Please show me things for the garden", json!([{ "query": "the garden" }])),
            ("anything to do with the car last month?", json!([{ "query": "the car", "range": range }])),
            ("in October, did I buy something like flowers?", json!(null)),
        ] {
            assert_eq!(read(text).unwrap_or_default(), arguments, "{text}");
        }
    }

    #[test]
    fn a_sum_and_an_expense_are_no_search() {
        for text in
            ["how much did I spend on things for the garden?", "add something like coffee", "bought stuff for me 20"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
