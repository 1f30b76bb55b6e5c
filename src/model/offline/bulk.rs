//! One change for many: "delete everything from last year", "put all taxis in transport", "delete these".
//!
//! Which rows are meant is read by the same words as a list of them is, so both mean the same rows.

use serde_json::{Map, Value, json};

use super::{Call, Message, Reply, looking, options, wording};
use crate::phrases::Reader;

const DELETING: [&str; 5] = ["delete", "remove", "erase", "drop", "clear"];
/// What points at rows instead of describing them, or describes them by what no filter knows.
const BEYOND: [&str; 20] = [
    "these", "those", "them", "they", "ones", "it", "that", "recent", "latest", "newest", "oldest", "last", "first",
    "top", "most", "least", "just", "only", "added", "money",
];
const ALL: [&str; 3] = ["all", "everything", "every"];

/// None if it is not about several.
pub(super) fn read(text: &str, command: &str, reader: Reader) -> Option<Reply> {
    let first = wording::first_word(command);
    let rest = wording::rest(command);
    if DELETING.contains(&first.as_str()) {
        return is_about_all(rest).then(|| of_those(rest, None, text, reader));
    }
    let (target, category) = recategorised(&first, rest, reader)?;
    is_about_all(&target).then(|| of_those(&target, Some(&category), text, reader))
}

/// "Delete these" or "delete all", said of a list; and which were meant, if that was asked.
pub(super) fn of_what_was_listed(messages: &[Message], reader: Reader) -> Option<Reply> {
    let (asked, answer) = match messages {
        [before @ .., Message::User(said)] if points(said) => (before, None),
        [before @ .., Message::User(said), Message::Assistant { text, .. }, Message::User(answer)]
            if points(said) && text.starts_with("Do you mean only the ") =>
        {
            (before, Some(which(answer, text)?))
        }
        _ => return None,
    };
    let [.., Message::User(looked), Message::Assistant { text: list, .. }] = asked else { return None };
    let select = match answer {
        Some(answer) if answer.starts_with("only") => json!({ "ids": numbers(list) }),
        _ => listed(looked, reader)?,
    };
    Some(propose(select, None))
}

/// The option that is meant, also where it is not said in full.
fn which(answer: &str, question: &str) -> Option<String> {
    let says = |words: &[&str]| wording::words(answer).iter().any(|(_, word)| words.contains(&word.as_str()));
    match options::chosen(answer, question) {
        Some(option) => Some(option),
        None if says(&["only", "just", "listed", "shown"]) => Some("only".to_owned()),
        None if says(&["all", "everything"]) => Some("all".to_owned()),
        None => None,
    }
}

fn propose(select: Value, category: Option<&str>) -> Reply {
    let mut arguments = json!({ "select": select });
    if let Some(category) = category {
        arguments["change"] = json!({ "category": category });
    }
    Reply::Calls(vec![Call { name: "propose_operations", arguments }])
}

/// The filters of what a list of them would be.
fn of_those(target: &str, category: Option<&str>, text: &str, reader: Reader) -> Reply {
    let words = wording::words(target);
    let ranges: Vec<_> = reader.ranges(target).into_iter().map(|found| found.span).collect();
    let beyond = |(span, word): &(std::ops::Range<usize>, String)| {
        BEYOND.contains(&word.as_str())
            && !ranges.iter().any(|range| range.start <= span.start && span.end <= range.end)
    };
    if words.iter().any(beyond) {
        return Reply::Say(wording::NOT_SO_MANY.to_owned());
    }
    let quantifiers: Vec<_> =
        words.iter().filter(|(_, word)| ALL.contains(&word.as_str())).map(|(span, _)| span.clone()).collect();
    let named = wording::without(target, &quantifiers, &["of", "the", "my"]);
    let named = wording::trimmed(&named, &["of", "the", "my"], &["please"]);
    // Of which item, if of any: "everything from last year" names none.
    let any = ["expenses", "expense", "purchases", "spending"].iter().any(|noun| named.to_lowercase().contains(noun));
    let bare = any || !words.iter().any(|(_, word)| matches!(word.as_str(), "everything"));
    let question = if bare { format!("show {named}") } else { format!("show expenses {named}") };
    let question = if named.is_empty() { "show expenses".to_owned() } else { question };
    match looking::read(&question, &question, reader) {
        Some(Reply::Calls(calls)) => match calls.as_slice() {
            [Call { name: "list_expenses", arguments }] if arguments.get("limit").is_none() => {
                propose(arguments.clone(), category)
            }
            _ => Reply::Say(wording::NOT_SO_MANY.to_owned()),
        },
        Some(Reply::Ask(question)) if text.len() < 4_000 => Reply::Ask(question),
        _ => Reply::Say(wording::NOT_SO_MANY.to_owned()),
    }
}

fn is_about_all(target: &str) -> bool {
    wording::words(target).iter().any(|(_, word)| ALL.contains(&word.as_str()))
}

/// "the category of all taxis to transport", "all taxis in transport", "all taxis as transport".
fn recategorised(verb: &str, rest: &str, reader: Reader) -> Option<(String, String)> {
    let links: &[&str] = match verb {
        "change" | "set" | "update" => &["to"],
        "put" | "move" => &["into", "in", "under", "to"],
        "categorise" | "categorize" | "file" => &["as", "under", "in"],
        _ => return None,
    };
    let words = wording::words(rest);
    let (link, _) = words.iter().rfind(|(_, word)| links.contains(&word.as_str()))?;
    let (target, value) = (&rest[..link.start], &rest[link.end..]);
    let target = match verb {
        "change" | "set" | "update" => target.to_lowercase().trim().strip_prefix("the category of ")?.to_owned(),
        _ => target.trim().to_owned(),
    };
    let value = wording::trimmed(value, &["the", "category"], &["category", "please"]);
    let one = wording::words(value).len() == 1;
    // "Move all of them to yesterday" names no category.
    (one && !target.is_empty() && reader.resolve_date(value).is_err()).then(|| (target, value.to_lowercase()))
}

fn points(said: &str) -> bool {
    const POINTING: [&str; 8] =
        ["these", "those", "them", "all of these", "all of those", "all of them", "", "everything"];
    let command = wording::after_courtesies(said);
    let rest = wording::trimmed(wording::rest(command), &[], &["please", "all", "expenses"]).to_lowercase();
    DELETING.contains(&wording::first_word(command).as_str()) && POINTING.contains(&rest.as_str())
}

fn listed(looked: &str, reader: Reader) -> Option<Value> {
    match looking::read(looked, wording::after_courtesies(looked), reader)? {
        Reply::Calls(calls) => match calls.as_slice() {
            [Call { name: "list_expenses", arguments }] => {
                let mut filters: Map<String, Value> = arguments.as_object()?.clone();
                filters.remove("limit").is_none().then_some(filters.into())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Of the rows of a list.
fn numbers(list: &str) -> Vec<u64> {
    list.lines().filter_map(|line| Some(options::number_first(line)?.0)).collect()
}
