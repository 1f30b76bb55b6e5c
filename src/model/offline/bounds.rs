//! Amounts that bound a list: "over £50", "between 10 and 20". One that bounds nothing is asked about.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{Question, draft, parts, questions::which_amount, wording};
use crate::{
    phrases::{
        AmountMention, Class, CurrencyMention, Reader, Reading,
        bounds::{Bound, bound},
        is_one_of,
    },
    sorted::Collect,
};

/// The arguments for amounts of a text in small letters. `between` them are two.
pub(super) fn of(
    amounts: &[AmountMention],
    between: bool,
    lower: &str,
    reader: Reader,
) -> Result<Map<String, Value>, Question> {
    let mut arguments = Map::new();
    for (index, found) in amounts.iter().enumerate() {
        let value = match &found.reading {
            Reading::Exact(value) => value,
            Reading::Ambiguous(options) => return Err(which_amount(options, reader)),
        };
        let key = match (bound(lower, &found.span), index) {
            (Some((bound, _)), _) => key(bound),
            (None, 0) if between => "min_amount",
            (None, 1) if between => "max_amount",
            _ => {
                return Err(Question {
                    text: format!("Expenses over {value}, or up to {value}?"),
                    options: vec![format!("over {value}"), format!("up to {value}")],
                    missing: vec![],
                });
            }
        };
        if let CurrencyMention::Ambiguous(many) = &found.currency {
            return Err(Question {
                text: "In which currency?".to_owned(),
                options: many.iter().take(4).map(|currency| currency.code().to_owned()).collect(),
                missing: vec!["currency"],
            });
        }
        arguments.extend(money(found, &[key]).into_iter().flatten());
    }
    Ok(arguments)
}

/// "between 10 and 20", "over 10 but under 20"
pub(super) fn between(lower: &str, amounts: &[Range<usize>]) -> Option<Range<usize>> {
    let [from, to] = amounts else { return None };
    if let (Some((one, low)), Some((other, high))) = (bound(lower, from), bound(lower, to))
        && one != other
        && let link = lower.get(low.end..high.start)?.trim()
        && (link.is_empty() || Class::JoinsBounds.contains(link))
    {
        return Some(low.start..high.end);
    }
    let before = lower[..from.start].trim_end();
    Class::OpensPair.all().iter().find_map(|(word, _)| Some(before.strip_suffix(word)?.len()..to.end))
}

/// A bound that goes on from others, "over 10" and then "under 5": with what it leaves room for, and else in its place.
pub(super) fn replace(arguments: &mut Map<String, Value>, bound: &Map<String, Value>) {
    const LEAST: [&str; 2] = ["min_amount", "more_than"];
    const MOST: [&str; 2] = ["max_amount", "less_than"];
    for side in [LEAST, MOST] {
        if side.iter().any(|key| bound.contains_key(*key)) {
            arguments.retain(|key, _| !is_one_of(key, &side));
        }
    }
    arguments.extend(bound.iter().map(|(key, value)| (key.clone(), value.clone())));
    let amount = |keys: [&str; 2]| keys.iter().find_map(|key| arguments.get(*key)?.as_str().and_then(parts::scaled));
    if let (Some(least), Some(most)) = (amount(LEAST), amount(MOST))
        && least >= most
    {
        arguments.retain(|key, _| bound.contains_key(key) || !is_one_of(key, &LEAST) && !is_one_of(key, &MOST));
    }
}

/// As these arguments, with the currency. None if it is not exact.
pub(super) fn money(amount: &AmountMention, names: &[&str]) -> Option<Map<String, Value>> {
    let Reading::Exact(value) = &amount.reading else { return None };
    let amounts = names.iter().map(|name| ((*name).to_owned(), value.clone().into()));
    let currency = match &amount.currency {
        CurrencyMention::None => None,
        CurrencyMention::Known(currency) => Some(("currency".to_owned(), currency.code().into())),
        CurrencyMention::Ambiguous(_) => return None,
    };
    Some(amounts.chain(currency).inserted())
}

/// "How much over 50 on food": the question without its bounds. None if an amount bounds nothing.
pub(super) fn cut(lower: &str, reader: Reader) -> Option<String> {
    let amounts: Vec<_> = reader.amounts(lower).into_iter().map(|found| found.span).collect();
    let spans = match between(lower, &amounts) {
        Some(whole) => vec![whole],
        None => amounts.iter().map(|span| Some(bound(lower, span)?.1)).collect::<Option<Vec<_>>>()?,
    };
    Some(wording::without(lower, spans, &[Class::BeforeBound]))
}

fn key(bound: Bound) -> &'static str {
    match bound {
        Bound::AtLeast => "min_amount",
        Bound::AtMost => "max_amount",
        Bound::MoreThan => "more_than",
        Bound::LessThan => "less_than",
    }
}

/// The question before, with the bound or the currency that was asked for.
pub(super) fn answered(before: &str, answer: &str, reader: Reader) -> Option<String> {
    let asked = reader.amounts(before);
    if let Some(draft::Said::Exactly(code)) = draft::currency_alone(answer, reader) {
        let [found] = &asked[..] else { return None };
        let Reading::Exact(value) = &found.reading else { return None };
        return Some(format!("{}{value} {code}{}", &before[..found.span.start], &before[found.span.end..]));
    }
    let lower = answer.to_lowercase();
    let said = reader.amounts(&lower);
    let [found] = &said[..] else { return None };
    bound(&lower, &found.span)?;
    let spans = asked.into_iter().map(|found| found.span);
    Some(format!("{} {answer}", wording::without(before, spans, &[Class::BoundsAmount])))
}
