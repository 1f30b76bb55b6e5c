//! What was meant instead of what was just done or picked: "make it 25", "I meant euros", "no, the other one".
//!
//! Of what still waits, `revising` reads it; here it is done already, or it was a choice between two.

use serde_json::{Value, json};

use super::{
    Message, Question, Reply,
    changing::{Changing, DELETING, IT, is_change},
    conversation,
    conversation::one,
    options, revising, rows, speech, splitting, wording,
};
use crate::phrases::{AmountMention, Reader, YES_OR_NO, is_one_of, shown, yes_no};

pub(super) fn read(messages: &[Message], reader: Reader) -> Option<Reply> {
    the_other(messages, reader)
        .or_else(|| another_row(messages))
        .or_else(|| restored(messages))
        .or_else(|| done(messages, reader))
}

/// "bring it back", "restore the coffee": what was deleted last, and nothing that was added.
fn restored(messages: &[Message]) -> Option<Reply> {
    let [before @ .., Message::User(said)] = messages else { return None };
    let command = wording::trimmed(wording::after_courtesies(said), &[], &["please", "again", "now"]).to_lowercase();
    let what = match (&*wording::first_word(&command), wording::rest(&command)) {
        ("put" | "bring" | "get", rest) => rest.strip_suffix(" back")?,
        ("restore" | "undelete", rest) => rest,
        ("undo" | "revert" | "reverse", "the delete" | "the deletion" | "delete" | "the deleting") => "it",
        _ => return None,
    };
    let told = before.iter().rev().find_map(|message| match message {
        Message::Assistant { text, .. } if shown::is_written(text) => Some(text),
        _ => None,
    });
    let name = wording::trimmed(what, &["the", "my"], &["expense"]).to_lowercase();
    let is_it = |told: &str| matches!(&*name, "" | "it" | "that" | "them" | "last one") || told.contains(&name);
    Some(match told.map(|told| told.to_lowercase()) {
        Some(told) if DELETED.iter().any(|deleted| told.starts_with(deleted)) && is_it(&told) => one("undo", json!({})),
        _ => Reply::Say(wording::NOTHING_DELETED.to_owned()),
    })
}

/// How an answer begins that says what was deleted, in small letters.
const DELETED: [&str; 1] = ["deleted "];

/// "no, the coffee", of what was to be deleted.
fn another_row(messages: &[Message]) -> Option<Reply> {
    let [.., Message::Assistant { text: shown, .. }, Message::User(said)] = messages else { return None };
    let told = wording::trimmed(said, &["please"], &["please"]);
    let meant = ["no", "nope", "nein", "non"].iter().find_map(|no| {
        let rest = told.get(no.len()..).filter(|_| told[..no.len()].eq_ignore_ascii_case(no))?;
        rest.starts_with([',', '.', ';', ':', '!', ' ']).then_some(rest)
    })?;
    let front = ["i", "meant", "mean", "it", "was", "that", "delete", "remove", "the", "my", "rather", "number"];
    let meant = wording::trimmed(meant, &front, &["instead", "one"]);
    if !shown.starts_with("Delete #") || !shown.ends_with(YES_OR_NO) || meant.is_empty() || speech::is_filler(meant) {
        return None;
    }
    if meant.eq_ignore_ascii_case("other") {
        let text = conversation::WHICH_TO_DELETE.to_owned();
        return Some(Reply::Ask(Question { text, ..Question::default() }));
    }
    let target = match meant.trim_start_matches('#').parse::<u64>() {
        Ok(id) => json!({ "id": id }),
        Err(_)
            if meant.split_whitespace().count() <= 3
                && meant.chars().all(|letter| letter.is_alphabetic() || " '-&".contains(letter)) =>
        {
            json!({ "description": meant })
        }
        Err(_) => return None,
    };
    Some(one("delete_expense", target))
}

/// A change of the one row that the answer before said was written.
fn done(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., Message::Assistant { text: told, .. }, Message::User(said)] = messages else { return None };
    if let Some(command) = of_written(told, said, reader).or_else(|| of_listed(told, said, reader)) {
        return Some(conversation::reply(&[Message::User(command)], reader));
    }
    if shown::is_written(told) && yes_no::cancels(said) {
        return Some(one("undo", json!({})));
    }
    if let Some(change) = of_several(told, said, reader) {
        return Some(change);
    }
    let command = wording::trimmed(wording::after_courtesies(said), &[], &["please", "again"]).to_lowercase();
    let deletes = DELETING.contains(&&*wording::first_word(&command));
    if deletes && let Some([one, other]) = last_two(wording::rest(&command), messages) {
        return Some(conversation::reply(&[Message::User(format!("delete #{one} and #{other}"))], reader));
    }
    if deletes
        && speech::is_the_last(wording::trimmed(wording::rest(&command), &["the", "my"], &[]))
        && let Some(id) = last_added(messages)
    {
        return Some(one("delete_expense", json!({ "id": id })));
    }
    let points = || wording::words(said).iter().any(|(_, word)| is_one_of(word, &IT));
    let id = row_written(told).or_else(|| only_row(told).filter(|_| points()))?;
    if row_written(told).is_none()
        && let Some(command) = Changing::of_it(&command, id, reader).filter(|command| command.starts_with("delete"))
    {
        return Some(conversation::reply(&[Message::User(command)], reader));
    }
    if let Some((verb, "it" | "that" | "this" | "that one" | "this one" | "the last one")) = command.split_once(' ')
        && ["change", "edit", "update", "fix", "correct", "rename"].contains(&verb)
    {
        let text = format!("What should I {verb} #{id} to?");
        return Some(Reply::Ask(Question { text, ..Question::default() }));
    }
    if revising::denies_another(told, costs(told, reader).as_slice(), said, reader) {
        return None;
    }
    let mut arguments = revising::edited(said, reader)?;
    arguments.insert("id".into(), id.into());
    Some(one("update_expense", Value::Object(arguments)))
}

/// What the row that was written costs now: the second of "amount £3.00 → £4.00", and the whole of what is split.
fn costs(told: &str, reader: Reader) -> Option<AmountMention> {
    let line = told.lines().next()?;
    if let Some((_, changed)) = line.split_once(": amount ") {
        return reader.amounts(changed).into_iter().nth(1);
    }
    let figures = line.split_once("”, ").map_or(line, |(_, figures)| figures);
    reader.amounts(figures).into_iter().next()
}

fn is_split(told: &str, reader: Reader) -> bool {
    let line = told.lines().next().unwrap_or_default();
    line.contains(" (") && reader.amounts(line).len() > 1
}

/// What is said of the one row that was written just before, as an order about it.
pub(super) fn of_written(told: &str, said: &str, reader: Reader) -> Option<String> {
    let id = row_written(told)?;
    if let Some((_, value)) = speech::correction(said).filter(|(name, _)| speech::is_the_last(name))
        && !(reader.amounts(value).is_empty() && reader.dates(value).is_empty())
    {
        return Some(format!("change #{id} to {}", value.trim()));
    }
    // "60, not 50", of what is split: its parts are asked for, and answered.
    if is_split(told, reader)
        && !revising::denies_another(told, costs(told, reader).as_slice(), said, reader)
        && revising::edited(said, reader).is_some_and(|fields| !fields.contains_key("date"))
        && let plain = revising::without_old(said, reader).0
        && let [price] = &reader.amounts(&plain)[..]
    {
        return Some(format!("change #{id} to {}", &plain[price.span.clone()]));
    }
    if let Some((_, category)) = Changing::classed(said).filter(|(it, _)| IT.contains(it)) {
        return Some(format!("put #{id} in {category}"));
    }
    // "lunch was yesterday", of the lunch that was just added.
    if let Some((name, value)) = speech::correction(said)
        && let Some((_, own)) = told.lines().next()?.split_once('“')
        && own.split('”').next().is_some_and(|own| own.eq_ignore_ascii_case(name))
        && let [day] = &reader.dates(value)[..]
        && wording::trimmed(&wording::without(value, std::slice::from_ref(&day.span), &["on"]), &[], &[]).is_empty()
    {
        return Some(format!("change #{id} to {}", &value[day.span.clone()]));
    }
    if let Some((field, value)) = revising::alone(said, reader)
        && !revising::denies_another(told, costs(told, reader).as_slice(), said, reader)
    {
        return Some(format!("change the {field} of #{id} to {value}"));
    }
    splitting::of_written(id, said, reader).or_else(|| Changing::of_it(wording::after_courtesies(said), id, reader))
}

/// "they were yesterday", "both in euros", of rows that were added or listed together.
fn of_several(told: &str, said: &str, reader: Reader) -> Option<Reply> {
    let numbers = shown::numbers(told);
    if numbers.len() < 2 || told.contains('?') || shown::has_more(told) || told.starts_with("Deleted ") {
        return None;
    }
    let mut arguments = revising::of_all(said, numbers.len(), told.starts_with("Added "), reader)?;
    arguments.insert("description".into(), joined(&numbers).into());
    Some(one("update_expense", Value::Object(arguments)))
}

fn joined(numbers: &[u64]) -> String {
    numbers.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(" and ")
}

/// "both", "my last two expenses": of those that were added one after the other, just before.
fn last_two(rest: &str, messages: &[Message]) -> Option<[u64; 2]> {
    const TWO: [&str; 5] = ["both", "them both", "both of them", "last two", "last 2"];
    let what = wording::trimmed(rest, &["the", "my"], &["expenses", "entries", "purchases", "ones"]);
    let [.., first, Message::User(_), second, Message::User(_)] = messages else { return None };
    let added = |message: &Message| match message {
        Message::Assistant { text, .. } if text.starts_with("Added ") => row_written(text),
        _ => None,
    };
    TWO.contains(&what).then_some([added(first)?, added(second)?])
}

/// The row that was added last, whatever was asked since; of a list, the last one may be another.
fn last_added(messages: &[Message]) -> Option<u64> {
    let mut told = messages.iter().rev().filter_map(|message| match message {
        Message::Assistant { text, .. } => Some(&**text),
        _ => None,
    });
    let is_list = told.clone().next().is_some_and(|last| !shown::is_written(last) && shown::numbers(last).len() > 1);
    let written = told.find(|text| shown::is_written(text)).filter(|_| !is_list)?;
    let several = || shown::numbers(written).pop().filter(|_| written.starts_with("Added "));
    row_written(written).or_else(several)
}

/// The command that a question like "What should I change #1 to?" leaves open, with its answer.
pub(super) fn completed(question: &str, answer: &str) -> Option<String> {
    let (_, asked) = question.rsplit_once("What should I ")?;
    Some(format!("{} {answer}", asked.strip_suffix('?').filter(|asked| asked.contains('#'))?))
}

/// Of a list with one row.
fn only_row(told: &str) -> Option<u64> {
    match shown::numbers(told)[..] {
        [id] if !told.contains('?') => Some(id),
        _ => None,
    }
}

/// "delete the first", "the second one was 4", said of a list that was shown: the same with the number of the row.
fn of_listed(told: &str, said: &str, reader: Reader) -> Option<String> {
    let numbers = shown::numbers(told);
    if numbers.len() < 2 || told.contains('?') {
        return None;
    }
    let command = wording::trimmed(wording::after_courtesies(said), &[], &["please"]);
    let listed = rows::rows(told);
    let row = |name: &str| {
        let is_place = !name.bytes().any(|byte| byte.is_ascii_digit()) && !name.contains("last");
        let placed = options::place(name, numbers.len()).filter(|_| is_place).map(|place| numbers[place]);
        placed.or_else(|| rows::by_rank(name, &listed, reader).filter(|_| !shown::has_more(told)))
    };
    let (verb, rest) = (wording::first_word(command), wording::rest(command));
    let is_order = is_change(&verb) || DELETING.contains(&verb.as_str());
    if is_order
        && let Some(rest) = past_them(rest, numbers.len())
        && !shown::has_more(told)
        && !told.starts_with("Deleted ")
    {
        return Some(format!("{verb} {} {rest}", joined(&numbers)));
    }
    if let Some((name, value)) = speech::correction(command)
        && let Some(id) = row(name)
    {
        return matches!(reader.amounts(value)[..], [_]).then(|| format!("change #{id} to {}", value.trim()));
    }
    let (name, link) = rest.split_once(" to ").map_or((rest, String::new()), |(name, to)| (name, format!(" to {to}")));
    let id = row(name).filter(|_| is_order)?;
    Some(format!("{verb} #{id}{link}"))
}

/// "them in food", "both": what comes after all that were listed.
fn past_them(rest: &str, count: usize) -> Option<&str> {
    const BOTH: [&str; 3] = ["both of them", "them both", "both"];
    const THEM: [&str; 6] = ["all of them", "all of those", "them all", "them", "those", "these"];
    let past = |phrase: &&str| rest.strip_prefix(*phrase).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    let both = BOTH.iter().find_map(past).filter(|_| count == 2);
    Some(both.or_else(|| THEM.iter().find_map(past))?.trim_start())
}

/// "Added “coffee”, £3.50, 20 Nov 2026 (#1)." and "Changed #1 …", if it says nothing else that was done.
fn row_written(told: &str) -> Option<u64> {
    let first = told.lines().next()?;
    let number = match first.strip_prefix("Changed #") {
        Some(rest) => rest,
        None => first.strip_prefix("Added ")?.rsplit_once("(#")?.1,
    };
    let digits = number.find(|character: char| !character.is_ascii_digit()).unwrap_or(number.len());
    number[..digits].parse().ok()
}

/// Of two that were offered, the one that was not picked. The question is answered anew with it.
fn the_other(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [
        before @ ..,
        Message::Assistant { text: question, .. },
        Message::User(picked),
        Message::Assistant { .. },
        Message::User(said),
    ] = messages
    else {
        return None;
    };
    let plain = wording::trimmed(said, &["no", "sorry", "i", "meant", "mean", "wait", "actually"], &["please"]);
    if !matches!(plain.to_lowercase().as_str(), "the other" | "the other one" | "the other day" | "other one") {
        return None;
    }
    let offered = rows::rows(question);
    let other = match &offered[..] {
        [one, other] => {
            let taken = rows::picked(picked, &offered, reader)?;
            let left = if taken == one.0 { other.0 } else { one.0 };
            format!("#{left}")
        }
        [] => options::other(picked, question)?.to_owned(),
        _ => return None,
    };
    let asked = Message::assistant(question.clone());
    let messages = [before, &[asked, Message::User(other)]].concat();
    Some(conversation::reply(&messages, reader))
}
