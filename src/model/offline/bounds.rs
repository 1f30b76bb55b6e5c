//! Amounts that bound a list: "over £50", "between 10 and 20".
//!
//! "over" leaves the amount itself out, "at least" does not; an amount that is neither is asked about.

use serde_json::Value;

use super::{
    Question,
    adding::{Said, currency_alone},
    looking::which_amount,
    wording,
};
use crate::phrases::{AmountMention, CurrencyMention, Reader, Reading};

pub(super) fn add(arguments: &mut Value, lower: &str, reader: Reader) -> Result<(), Question> {
    let amounts: Vec<_> = reader.amounts(lower).into_iter().filter(|found| !is_limit(lower, found)).collect();
    let between = amounts.len() == 2 && lower[..amounts[0].span.start].trim_end().ends_with("between");
    for (index, found) in amounts.iter().enumerate() {
        let value = match &found.reading {
            Reading::Exact(value) => value.clone(),
            Reading::Ambiguous(options) => return Err(which_amount(options, reader)),
        };
        let key = match index {
            0 if between => "min_amount",
            1 if between => "max_amount",
            _ => bound(&lower[..found.span.start], &lower[found.span.end..]).ok_or_else(|| over_or_up_to(&value))?,
        };
        arguments[key] = value.into();
        match &found.currency {
            CurrencyMention::None => {}
            CurrencyMention::Known(currency) => arguments["currency"] = currency.code().into(),
            CurrencyMention::Ambiguous(many) => {
                return Err(Question {
                    text: "In which currency?".to_owned(),
                    options: many.iter().take(4).map(|currency| currency.code().to_owned()).collect(),
                    missing: vec!["currency"],
                });
            }
        }
    }
    Ok(())
}

/// "Have I paid rent 950?": one amount that bounds nothing. False if there is none, or it is not exact.
pub(super) fn exactly(arguments: &mut Value, lower: &str, reader: Reader) -> bool {
    let amounts = reader.amounts(lower);
    let [AmountMention { span, reading: Reading::Exact(value), currency }] = &amounts[..] else { return false };
    let unbounded = bound(&lower[..span.start], &lower[span.end..]).is_none();
    if !unbounded || matches!(currency, CurrencyMention::Ambiguous(_)) {
        return false;
    }
    (arguments["min_amount"], arguments["max_amount"]) = (value.clone().into(), value.clone().into());
    if let CurrencyMention::Known(currency) = currency {
        arguments["currency"] = currency.code().into();
    }
    true
}

fn bound(before: &str, after: &str) -> Option<&'static str> {
    const BOUNDS: [(&str, &[&str]); 4] = [
        ("min_amount", &["at least", "from", "no less than", "not less than", "minimum"]),
        ("max_amount", &["up to", "at most", "no more than", "not more than", "maximum"]),
        ("more_than", &["over", "above", "more than", "greater than", "bigger than", "exceeding"]),
        ("less_than", &["under", "below", "less than", "smaller than", "cheaper than"]),
    ];
    let said = BOUNDS.iter().find(|(_, words)| words.iter().any(|word| before.trim_end().ends_with(word)));
    match (said, after.trim_start()) {
        (Some((key, _)), _) => Some(key),
        (None, after) if after.starts_with("and over") || after.starts_with("and more") => Some("min_amount"),
        (None, after) if after.starts_with("and under") || after.starts_with("and less") => Some("max_amount"),
        _ => None,
    }
}

fn over_or_up_to(value: &str) -> Question {
    Question {
        text: format!("Expenses over {value}, or up to {value}?"),
        options: vec![format!("over {value}"), format!("up to {value}")],
        missing: vec![],
    }
}

fn is_limit(lower: &str, found: &AmountMention) -> bool {
    let before = wording::words(&lower[..found.span.start]).pop().map(|(_, word)| word).unwrap_or_default();
    ["last", "latest", "top", "first", "recent"].contains(&&*before)
}

/// The question before, with the bound or the currency that was asked for.
pub(super) fn answered(before: &str, answer: &str, reader: Reader) -> Option<String> {
    let asked = reader.amounts(before);
    if let Some(Said::Exactly(code)) = currency_alone(answer, reader) {
        let [found] = &asked[..] else { return None };
        let Reading::Exact(value) = &found.reading else { return None };
        return Some(format!("{}{value} {code}{}", &before[..found.span.start], &before[found.span.end..]));
    }
    let said = reader.amounts(answer);
    let [found] = &said[..] else { return None };
    bound(&answer[..found.span.start].to_lowercase(), &answer[found.span.end..])?;
    let spans: Vec<_> = asked.into_iter().map(|found| found.span).collect();
    Some(format!(
        "{} {answer}",
        wording::without(before, &spans, &["over", "under", "above", "below", "than", "more", "less"])
    ))
}
