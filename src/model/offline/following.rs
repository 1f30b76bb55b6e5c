//! A question that goes on from the one before: "what about last week?", "and on groceries?".
//!
//! Everything that is not said anew stays as it was asked: the arguments of the query that was answered last.

use serde_json::{Value, json};

use super::{
    Call, Message, Reply, bounds, conversation, corrections,
    currency::currency_alone,
    frames, lists,
    looking::add_range,
    short_questions,
    subjects::{about, category_after},
    wording,
};
use crate::{
    phrases::{CATEGORIES, Reader, is_one_of},
    shown::Shown,
};

pub(super) fn read(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., told @ Message::Assistant { .. }, Message::User(said)] = messages else { return None };
    let nothing = Shown::default();
    let told = told.shown().unwrap_or(&nothing);
    if wants_more(said) {
        return more(messages);
    }
    if let Some(reply) = compared(told, said, reader) {
        return Some(reply);
    }
    if !narrows(said, reader)
        && let Some(reply) = elliptical(told, said, reader)
    {
        return Some(reply);
    }
    let shows = shows_them(said);
    let only = wording::first_word(said) == "only";
    let rest = match goes_on(said) {
        _ if shows => String::new(),
        None if only => wording::rest(said).to_lowercase(),
        None if short_questions::is_days(said, reader) || narrows(said, reader) || is_subject(said) => {
            said.to_lowercase()
        }
        rest => rest?,
    };
    if corrections::asks(told) {
        return None;
    }
    let plain = bounds::cut(&rest, reader)?;
    let bounded = !reader.amounts(&rest).is_empty();
    let (name, mut arguments) = queried(told)?;
    if shows {
        return rows_of(name, arguments);
    }
    arguments.as_object_mut()?.remove("after");
    if lists::TOTALS.contains(&&*rest)
        && ["category", "categories", "words", "text"].iter().any(|field| !arguments[*field].is_null())
    {
        return Some(Reply::Say(wording::IN_TOTAL_OF_WHAT.to_owned()));
    }
    if let Some(order) = order_alone(&rest) {
        return Some(ordered(name, arguments, order, &rest));
    }
    let name = if bounded { list_of(name, &mut arguments)? } else { name };
    let mut bound = json!({});
    let added = add_range(&mut arguments, &plain, reader).and_then(|()| bounds::add(&mut bound, &rest, reader));
    if let Err(question) = added {
        return Some(Reply::Ask(question));
    }
    bounds::replace(arguments.as_object_mut()?, bound.as_object()?);
    let subject = match category_after(&plain, &["on", "for", "in"], reader) {
        Some(category) => category,
        None => about(&plain, None, reader),
    };
    if !subject.is_empty() && !is_english(said) {
        return None;
    }
    if subject.split(' ').count() > 2 || currency_alone(&subject, reader).is_some() {
        return None;
    }
    if !subject.is_empty() {
        concerning(&mut arguments, name, &subject, only);
    }
    let says_more = bounded || !subject.is_empty() || !reader.ranges(&plain).is_empty();
    says_more.then(|| conversation::one(name, arguments))
}

/// "on groceries?"
fn is_subject(said: &str) -> bool {
    said.ends_with('?') && matches!(wording::first_word(said).as_str(), "on" | "at" | "for")
}

/// "how many?", "the average per week?", "vs last month", "without rent?": of what the question before was about. None of
/// what is a question of its own: those say who spends, or of what.
fn elliptical(told: &Shown, said: &str, reader: Reader) -> Option<Reply> {
    const WITHOUT: [&str; 4] = ["without ", "except ", "excluding ", "but not "];
    let lower = said.to_lowercase();
    let plain = wording::trimmed(&lower, &["and", "ok", "so", "then"], &["please", "then", "though"]);
    if corrections::asks(told) {
        return None;
    }
    if let Some(left_out) = WITHOUT.iter().find_map(|opening| plain.strip_prefix(opening)) {
        let (name, mut arguments) = queried(told)?;
        let left_out = wording::trimmed(left_out, &["the"], &["?"]);
        let is_name = !left_out.is_empty() && left_out.split(' ').count() <= 2 && reader.ranges(left_out).is_empty();
        arguments["without"] = json!([left_out]);
        return is_name.then(|| conversation::one(name, arguments));
    }
    let words = wording::words(plain);
    if words.is_empty()
        || words.len() > 6
        || lists::TOTALS.contains(&plain)
        || !words.iter().all(|(_, word)| is_one_of(word, &lists::OF_NOTHING))
    {
        return None;
    }
    let (before, filters) = queried(told)?;
    // "How much is that?", of rows.
    let is_of_rows = before == "list_expenses" && plain.starts_with("how much") && reader.ranges(plain).is_empty();
    let sums_up = is_of_rows || plain.contains("total");
    let whole = if is_of_rows { "total" } else { plain };
    let Reply::Calls(calls) = conversation::reply(&[Message::User(whole.to_owned())], reader) else { return None };
    let [Call { name, arguments }] = <[Call; 1]>::try_from(calls).ok()?;
    if !QUERIES.contains(&name) {
        return None;
    }
    Some(match of_the_same(name, arguments, &filters) {
        Some(arguments) => conversation::one(name, arguments),
        // How many there are, and how much that is, a list says.
        None if before == "list_expenses" && (sums_up || plain.contains("how many")) => {
            conversation::one(before, filters)
        }
        None => Reply::Say(wording::SAY_IT_WHOLE.to_owned()),
    })
}

/// What goes on may go on from. None of a search, of which all words are looked for.
const QUERIES: [&str; 3] = ["get_balance", "list_expenses", "summarize_expenses"];

/// The query that was answered, if it is one of these.
fn queried(told: &Shown) -> Option<(&'static str, Value)> {
    let call = told.list.as_ref()?.call.as_ref()?;
    let name = QUERIES.into_iter().find(|name| *name == call.tool)?;
    call.arguments["search"].is_null().then(|| (name, call.arguments.clone()))
}

/// With the filters of another query, but for what it says itself. None if it has no room for them.
fn of_the_same(name: &str, mut arguments: Value, filters: &Value) -> Option<Value> {
    const SUBJECT: [&str; 4] = ["category", "categories", "words", "text"];
    let own = SUBJECT.iter().any(|field| !arguments[*field].is_null());
    for (field, value) in filters.as_object()? {
        let subject = SUBJECT.contains(&field.as_str());
        if subject && own || !arguments[field.as_str()].is_null() {
            continue;
        }
        let (field, value) = match (field.as_str(), name) {
            ("range" | "without" | "currency", _) => (field.as_str(), value.clone()),
            ("category", _) | ("words", "list_expenses" | "summarize_expenses") => (field.as_str(), value.clone()),
            ("words" | "text", "get_balance") => ("category", value.clone()),
            ("categories", "get_balance" | "summarize_expenses") => match value.as_array().map(Vec::as_slice) {
                Some([one]) => ("category", one.clone()),
                _ => return None,
            },
            ("text", "summarize_expenses") => ("words", value.clone()),
            ("categories" | "text", _) => (field.as_str(), value.clone()),
            ("min_amount" | "max_amount" | "more_than" | "less_than", "list_expenses") => {
                (field.as_str(), value.clone())
            }
            ("min_amount" | "max_amount" | "more_than" | "less_than", _) => return None,
            _ => continue,
        };
        arguments[field] = value;
    }
    Some(arguments)
}

/// "and in total?", of petrol in October, may be of all days, or of all there is.

/// "is that more than last month?", of a sum: of what was asked about.
fn compared(told: &Shown, said: &str, reader: Reader) -> Option<Reply> {
    let lower = said.to_lowercase();
    let rest =
        ["is that ", "is it ", "is this ", "was that "].iter().find_map(|opening| lower.strip_prefix(opening))?;
    if corrections::asks(told) {
        return None;
    }
    let compares = |calls: &[Call]| matches!(calls, [call] if call.arguments["compare"] == true);
    let Some(Reply::Calls(calls)) = frames::read(rest, reader).filter(|reply| match reply {
        Reply::Calls(calls) => compares(calls),
        _ => false,
    }) else {
        return None;
    };
    let ((name, arguments), [compared]) = (queried(told)?, &calls[..]) else { return None };
    let mut merged = compared.arguments.clone();
    if !matches!(name, "get_balance" | "summarize_expenses") {
        return Some(Reply::Say(wording::CANNOT_COMPARE.to_owned()));
    }
    for field in ["category", "words", "without", "currency"] {
        if let Some(value) = arguments.get(field) {
            merged[field] = value.clone();
        }
    }
    Some(conversation::one(compared.name, merged))
}

fn wants_more(said: &str) -> bool {
    let plain = wording::trimmed(said, &["ok", "okay", "yes", "and", "the"], &["please"]).to_lowercase();
    lists::MORE.iter().any(|more| *more == plain || more.strip_prefix("the ") == Some(&plain))
}

/// What comes after what was shown of a list; of an order, or of groups, more from the beginning. None if nothing of the
/// kind was asked before.
fn more(messages: &[Message]) -> Option<Reply> {
    // An answer in words alone, like that there is no more, shows nothing.
    let told = messages.iter().rev().filter_map(Message::shown).find(|told| **told != Shown::default())?;
    let list = told.list.as_ref()?;
    let call = list.call.as_ref()?;
    let name = QUERIES.into_iter().find(|name| *name == call.tool && *name != "get_balance")?;
    if !list.has_more {
        return Some(Reply::Say(wording::THAT_WAS_ALL.to_owned()));
    }
    let mut arguments = call.arguments.clone();
    let usual = match arguments["order"].as_str() {
        _ if arguments["search"].is_string() => Some(20),
        Some("largest" | "smallest") => Some(5),
        _ => None,
    };
    match (name, usual) {
        ("summarize_expenses", _) => arguments["top"] = 50.into(),
        (_, Some(usual)) => arguments["limit"] = (arguments["limit"].as_u64().unwrap_or(usual) * 2).min(50).into(),
        (_, None) => arguments["after"] = (*corrections::numbers(told).last()?).into(),
    }
    Some(conversation::one(name, arguments))
}

fn shows_them(said: &str) -> bool {
    let plain = wording::trimmed(wording::after_courtesies(said), &[], &["please", "all"]).to_lowercase();
    lists::THEM.contains(&plain.as_str())
}

/// "over 20", "the biggest": what alone says which of those.
fn narrows(said: &str, reader: Reader) -> bool {
    let lower = said.to_lowercase();
    order_alone(&lower).is_some()
        || !reader.amounts(said).is_empty() && bounds::cut(&lower, reader).is_some_and(|rest| rest.is_empty())
}

/// The rows of a sum, by the same filters.
fn rows_of(name: &'static str, mut arguments: Value) -> Option<Reply> {
    let is_sum = matches!(name, "get_balance" | "summarize_expenses");
    let name = if is_sum { list_of(name, &mut arguments) } else { None };
    name.map(|name| conversation::one(name, arguments))
}

/// The list of the same filters, which may have bounds. None of what is grouped, compared or averaged.
fn list_of(name: &'static str, arguments: &mut Value) -> Option<&'static str> {
    if name == "list_expenses" {
        return Some(name);
    }
    let is_sum = name == "get_balance" || arguments["by"] == "none";
    let is_plain = is_sum && ["compare", "average"].iter().all(|field| arguments.get(*field).is_none());
    let fields = arguments.as_object_mut().filter(|_| is_plain)?;
    fields.retain(|field, _| matches!(field.as_str(), "range" | "category" | "words" | "without" | "currency"));
    Some("list_expenses")
}

/// The largest or smallest of what was asked for: of rows, or of groups.
fn ordered(name: &'static str, mut arguments: Value, order: &str, said: &str) -> Reply {
    let count = if said.ends_with("ones") { 5 } else { 1 };
    let cannot = || Reply::Say(wording::CANNOT_LOOK.to_owned());
    if name == "summarize_expenses" && arguments["by"] != "none" {
        (arguments["order"], arguments["top"]) = (order.into(), count.into());
        return if order == "largest" { conversation::one(name, arguments) } else { cannot() };
    }
    let Some(name) = list_of(name, &mut arguments) else { return cannot() };
    if arguments["order"].is_null() {
        arguments["limit"] = count.into();
    }
    arguments["order"] = order.into();
    conversation::one(name, arguments)
}

/// What is said after the words that go on from a question.
fn goes_on(said: &str) -> Option<String> {
    const OPENINGS: [&str; 10] = [
        "und ", "et ", "y ", "and what about ", "and how about ", "what about ", "how about ", "same for ", "and ",
        "what of ",
    ];
    let lower = wording::trimmed(said, &["ok", "okay", "so"], &["please", "then", "instead"]).to_lowercase();
    OPENINGS.iter().find_map(|opening| lower.strip_prefix(opening)).map(str::to_owned)
}

/// "the cheapest one", "and the smallest"
fn order_alone(text: &str) -> Option<&'static str> {
    const LARGEST: [&str; 7] = ["most expensive", "biggest", "largest", "highest", "priciest", "dearest", "top"];
    const SMALLEST: [&str; 5] = ["least expensive", "smallest", "cheapest", "lowest", "tiniest"];
    let order = wording::trimmed(text, &["the", "and"], &["one", "ones"]);
    if LARGEST.contains(&order) { Some("largest") } else { SMALLEST.contains(&order).then_some("smallest") }
}

/// Of other languages only the days are read here.
fn is_english(said: &str) -> bool {
    !matches!(wording::first_word(said).as_str(), "und" | "et" | "y")
}

/// Of "only" that, what else was asked for stays.
fn concerning(arguments: &mut Value, name: &str, subject: &str, only: bool) {
    let Some(fields) = arguments.as_object_mut() else { return };
    if !only {
        fields.retain(|field, _| !matches!(field.as_str(), "category" | "categories" | "words" | "text"));
    }
    let known = CATEGORIES.contains(&subject);
    let (field, value) = match name {
        "list_expenses" if !known => ("words", subject.into()),
        _ => ("category", subject.into()),
    };
    fields.insert(field.to_owned(), value);
}
