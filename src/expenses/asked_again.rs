//! The question for a value in doubt, after a no to it, and the value in the answer.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::{
    money::Currency,
    phrases::{Class, CurrencyMention, Reader, Reading, intents, is_a_fragment, verdict},
    proposal::{Note, NoteKind},
    sorted::Collect,
};

/// Words of an answer beside the value.
const AROUND: [&str; 24] = [
    "it", "its", "that", "was", "is", "should", "be", "make", "just", "only", "to", "on", "in", "for", "the", "my",
    "i", "paid", "spent", "please", "actually", "sorry", "oh", "amount",
];

/// A name, category or note that answers a question.
const MOST_WORDS: usize = 4;

pub fn question(note: &Note) -> Option<&'static str> {
    Some(match (note.kind, &*note.field, &*note.why.code) {
        (NoteKind::UnusualAmount, "amount", _) | (NoteKind::Assumed, "amount", "" | "roughly" | "each" | "shared") => {
            "What should the amount be?"
        }
        (NoteKind::Assumed, "currency", "") => "What should the currency be?",
        (NoteKind::Assumed, "date", "") => "What should the date be?",
        (NoteKind::Assumed, "item", "") => "What should the name be?",
        (NoteKind::Assumed, "category", "" | "remembered") => "What should the category be?",
        (NoteKind::Assumed, "notes", "") => "What should the notes be?",
        _ => return None,
    })
}

/// None if the answer says something else too, or is not clear.
pub fn answer(field: &str, said: &str, reader: Reader) -> Option<Map<String, Value>> {
    if said.contains('?') {
        return None;
    }
    let value = |text: &str| Some([(field.to_owned(), text.into())].inserted());
    match field {
        "amount" => amount(said, reader),
        "date" => match &reader.dates(said)[..] {
            [only] if is_alone(said, &only.span) => value(&said[only.span.clone()]),
            _ => None,
        },
        "currency" => value(Currency::parse(&said.trim().to_uppercase()).ok()?.code()),
        _ => value(&name(said, reader)?),
    }
}

fn amount(said: &str, reader: Reader) -> Option<Map<String, Value>> {
    let found = reader.amounts(said);
    let [only] = &found[..] else { return None };
    let Reading::Exact(number) = &only.reading else { return None };
    let mut fields: Map<String, Value> = [("amount".to_owned(), Value::from(number.as_str()))].inserted();
    match &only.currency {
        CurrencyMention::None => {}
        CurrencyMention::Known(currency) => {
            fields.insert("currency".to_owned(), currency.code().into());
        }
        CurrencyMention::Ambiguous(_) => return None,
    }
    is_alone(said, &only.span).then_some(fields)
}

fn is_alone(said: &str, span: &Range<usize>) -> bool {
    words(&said[..span.start]).chain(words(&said[span.end..])).all(|word| AROUND.contains(&&*word))
}

/// "It's food" is the category food. An order, an amount, and what is no more than a reply ("ok", "thanks", "maybe") is
/// something else.
fn name(said: &str, reader: Reader) -> Option<String> {
    const LEADS: [&str; 9] =
        ["it's ", "it’s ", "its ", "it is ", "it was ", "that's ", "that was ", "make it ", "call it "];
    let said = said.trim().trim_end_matches(['.', '!']);
    let led = |lead: &&str| said.get(..lead.len()).filter(|start| start.eq_ignore_ascii_case(lead)).map(str::len);
    let name = &said[LEADS.iter().find_map(led).unwrap_or_default()..];
    let is_reply = verdict(name).is_some() || words(name).all(|word| Class::Closed.contains(word));
    let is_plain = intents(said, &[]).is_empty() && reader.amounts(said).is_empty() && !said.contains([',', ';', '\n']);
    let names: Vec<&str> = name.split_whitespace().collect();
    (is_plain && !is_reply && !is_a_fragment(name) && (1..=MOST_WORDS).contains(&names.len())).then(|| names.join(" "))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    words.filter(|word| !word.is_empty()).map(|word| word.to_lowercase().replace(['\'', '’'], ""))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::phrases::Conventions;

    #[rstest]
    #[case("amount", "4", json!({ "amount": "4" }))]
    #[case("amount", "it was £4.50, sorry", json!({ "amount": "4.50", "currency": "GBP" }))]
    #[case("amount", "4 euros", json!({ "amount": "4", "currency": "EUR" }))]
    #[case("amount", "lunch 12", json!(null))]
    #[case("amount", "3 or 4", json!(null))]
    #[case("amount", "was it 4?", json!(null))]
    #[case("date", "on Monday", json!({ "date": "Monday" }))]
    #[case("date", "tea on Monday", json!(null))]
    #[case("category", "It's eating out.", json!({ "category": "eating out" }))]
    #[case("category", "delete the coffee", json!(null))]
    #[case("category", "ok", json!(null))]
    #[case("category", "maybe", json!(null))]
    #[case("category", "thanks", json!(null))]
    #[case("category", "undo", json!(null))]
    #[case("item", "hello", json!(null))]
    #[case("item", "it was Just Eat", json!({ "item": "Just Eat" }))]
    #[case("item", "The Ivy", json!({ "item": "The Ivy" }))]
    #[case("category", "coffee 3", json!(null))]
    #[case("item", "we had 3 cakes", json!(null))]
    #[case("category", "the one that I always use for such things", json!(null))]
    #[case("currency", "usd", json!({ "currency": "USD" }))]
    #[case("currency", "the usual", json!(null))]
    fn an_answer_is_a_value_if_it_says_nothing_else(#[case] field: &str, #[case] said: &str, #[case] expected: Value) {
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        assert_eq!(json!(answer(field, said, reader)), expected, "{said}");
    }
}
