//! One change for many: "delete everything from last year", "put all taxis in transport", "delete these".
//!
//! Which rows are meant is read by the same words as a list of them is, so both mean the same rows.

use serde_json::{Map, Value, json};

use super::{
    Call, Message, Question, Reply, following, frames,
    options::{self, Asking},
    orders::Order,
    shown_rows, wording,
};
use crate::{
    phrases::{Class, Reader, bounds::bound},
    shown::Shown,
    sorted::Collect,
};

/// None if it is not about several.
pub(super) fn read(text: &str, command: &str, reader: Reader) -> Option<Reply> {
    let order = Order::read(command, reader).filter(|order| !order.states)?;
    let target = order.which.to_lowercase();
    if order.deletes {
        let is_of_several =
            wording::says(&target, Class::Quantifiers) || is_of_days(&target, reader) || is_bounded(&target, reader);
        return is_of_several.then(|| of_those(&order.which, None, text, reader));
    }
    // "put all in misc except rent"
    let (new, excepted) = exception(&order.new).map_or((&*order.new, ""), |at| order.new.split_at(at));
    let target = format!("{target} {excepted}").trim().to_owned();
    let change = changed(&target, new.trim_end_matches([' ', ',']), order.field, reader)?;
    wording::says(&target, Class::Quantifiers).then(|| match change {
        Ok(change) => match moved_from(&target, &change, reader) {
            Some((rest, category)) => narrowed_to(of_those(rest, Some(change.clone()), text, reader), category),
            None => of_those(&target, Some(change), text, reader),
        },
        Err(why) => Reply::Say(why),
    })
}

/// "Delete these" or "delete all", said of what was listed or summed; and which were meant, if that was asked.
pub(super) fn of_what_was_listed(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [before @ .., told, Message::User(said)] = messages else { return None };
    let asking = options::question_in(std::slice::from_ref(told));
    if told.shown().is_none() && !asking.is_for("which") {
        return None;
    }
    // What the order says, and what answers the question that it led to.
    let (told, of_all, chosen_all) = match (means_all(said, reader), before) {
        (Some(of_all), _) => (told, of_all, None),
        (None, [.., told, Message::User(before)]) if asking.is_for("which") => {
            (told, means_all(before, reader)?, Some(says_all(said, &asking)?))
        }
        _ => return None,
    };
    let told = told.shown()?;
    let numbers = shown_rows::numbers(told);
    let (filters, is_first) = looked_at(told)?;
    let is_part = is_first || told.list.as_ref().is_some_and(|list| list.has_more || list.continues);
    let those = || if is_part && !numbers.is_empty() { json!({ "ids": numbers }) } else { filters.clone() };
    Some(match (chosen_all, of_all) {
        (Some(false), _) => propose(those(), None),
        (Some(true), true) => propose(json!({}), None),
        // What was looked at was everything.
        (None, true) if filters == json!({}) && !is_first => return None,
        (None, true) => Reply::Ask(Question {
            text: "Do you mean only the ones that you just saw, or all your expenses?".to_owned(),
            options: vec!["only those".to_owned(), "all expenses".to_owned()],
            missing: vec!["which"],
        }),
        // A sum pointed out no rows.
        (None, false) if numbers.is_empty() => Reply::Say(wording::NOT_SO_MANY.to_owned()),
        (None, false) if is_first => propose(those(), None),
        _ => propose(filters, None),
    })
}

/// Whether all are meant, and not only those that were shown, which is the first option.
fn says_all(answer: &str, asking: &Asking) -> Option<bool> {
    match options::chosen(answer, asking) {
        Some(option) => Some(asking.options.first() != Some(&option)),
        None if wording::says(answer, Class::OnlyThose) => Some(false),
        None if wording::says(answer, Class::AllOfThemAll) => Some(true),
        None => None,
    }
}

fn propose(select: Value, change: Option<Value>) -> Reply {
    let mut arguments = json!({ "select": select });
    if let Some(change) = change {
        arguments["change"] = change;
    }
    Reply::Calls(vec![Call { name: "propose_operations", arguments }])
}

/// The filters of what a list of them would be.
fn of_those(target: &str, change: Option<Value>, text: &str, reader: Reader) -> Reply {
    let words = wording::words(target);
    let ranges: Vec<_> = reader.ranges(target).into_iter().map(|found| found.span).collect();
    let beyond = |(span, word): &wording::Word<'_>| {
        Class::Beyond.contains(word) && !ranges.iter().any(|range| range.start <= span.start && span.end <= range.end)
    };
    if words.iter().any(beyond) {
        return Reply::Say(wording::NOT_SO_MANY.to_owned());
    }
    let is_empty = |(_, word): &&wording::Word<'_>| Class::Quantifiers.contains(word) || Class::Anything.contains(word);
    let empty = words.iter().filter(is_empty).map(|(span, _)| span.clone());
    let named = wording::without(target, empty, &[Class::BeforeEmpty]);
    let named = wording::trimmed(&named, &[Class::BeforeRows], &[Class::Please]);
    // Of which item, if of any: "everything from last year" names none.
    let any = Class::RowsByName.all().iter().any(|(noun, _)| named.to_lowercase().contains(noun));
    let bare = any || !words.iter().any(|(_, word)| Class::Anything.contains(word));
    let spans = reader.ranges(named).into_iter().map(|found| found.span);
    let names = wording::without(named, spans, &[Class::BeforeSpanOfRows]);
    let question =
        if bare && exception(named) != Some(0) { format!("show {named}") } else { format!("show expenses {named}") };
    let question = if named.is_empty() { "show expenses".to_owned() } else { question };
    // "all under 5"
    let of_any = || frames::read(&format!("show expenses {named}"), reader);
    // What is only read in any words of questions says too little of rows that are to be changed.
    let refused = || frames::last(&question, reader).filter(|reply| matches!(reply, Reply::Say(_)));
    match frames::read(&question, reader).or_else(of_any).or_else(refused) {
        Some(Reply::Calls(calls)) => match calls.as_slice() {
            [Call { name: "list_expenses", arguments }]
                if ["limit", "ids", "order", "text", "search"].iter().all(|few| arguments.get(*few).is_none()) =>
            {
                let mut select = arguments.clone();
                if select["words"].is_string() && (names.contains(',') || wording::says(&names, Class::AndOr)) {
                    select["words"] = names.into();
                }
                propose(select, change)
            }
            _ => Reply::Say(wording::NOT_SO_MANY.to_owned()),
        },
        // What would be shown in one of several currencies is no answer to what should be changed.
        Some(Reply::Ask(question)) if text.len() < 4_000 && question.missing != ["currency"] => Reply::Ask(question),
        Some(Reply::Say(why)) if why == wording::NO_WEEKDAYS => Reply::Say(why),
        _ => Reply::Say(wording::NOT_SO_MANY.to_owned()),
    }
}

/// "expenses under 5": any number of them may cost so much.
fn is_bounded(target: &str, reader: Reader) -> bool {
    let lower = target.to_lowercase();
    lower.len() == target.len() && reader.amounts(target).iter().any(|found| bound(&lower, &found.span).is_some())
}

/// "the coffee from last year", "expenses from yesterday" may be several; of one day "the coffee" is one.
fn is_of_days(target: &str, reader: Reader) -> bool {
    let ranges = reader.ranges(target);
    let rest = wording::without(target, ranges.iter().map(|found| found.span.clone()), &[]);
    let is_numbered = rest.contains(|character: char| character.is_ascii_digit() || character == '#');
    let are_several = wording::says(&rest, Class::RowsNamed);
    !is_numbered && ranges.iter().any(|found| are_several || found.range.from < found.range.to)
}

/// What becomes of them; or why that cannot be.
fn changed(target: &str, new: &str, field: Option<&str>, reader: Reader) -> Option<Result<Value, String>> {
    let value = wording::trimmed(new, &[Class::BeforeCategory], &[Class::BehindCategory]);
    let is_name = (1..=3).contains(&wording::words(value).len());
    let is_category = |name: &str| Class::CommonCategory.says(name).is_some();
    let known = is_category(&value.to_lowercase());
    let is_moved = target.rsplit_once(" from ").is_some_and(|(_, from)| is_category(from));
    // "To the 15th" is a day.
    let day = reader.resolve_date(value).or_else(|_| reader.resolve_date(&format!("the {value}")));
    Some(match (field, day) {
        _ if target.is_empty() || !is_name => return None,
        (Some("item"), _) => Ok(json!({ "item": value })),
        (_, Ok(day)) => Ok(json!({ "date": day.to_string() })),
        _ if !reader.ranges(value).is_empty() || !reader.dates(value).is_empty() => Err(wording::ONE_DAY.to_owned()),
        _ if !reader.amounts(value).is_empty() => Err(wording::NO_ONE_AMOUNT.to_owned()),
        (field, _) if known || field.is_some() || is_moved => Ok(json!({ "category": value.to_lowercase() })),
        _ => Err(format!(
            "Is “{value}” their new category or their new name? Say “put {target} in {value}” or “rename {target} to {value}”."
        )),
    })
}

/// Where it begins to say what is left out: "misc except rent".
fn exception(said: &str) -> Option<usize> {
    let words = wording::words(said);
    let texts: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    (0..words.len()).find(|at| Class::Excepting.length(&texts[*at..]).is_some()).map(|at| words[at].0.start)
}

/// "all taxis from transport", to another category: the rows, and the one that they are in.
fn moved_from<'t>(target: &'t str, change: &Value, reader: Reader) -> Option<(&'t str, &'t str)> {
    let (rest, from) = target.rsplit_once(" from ").filter(|_| change["category"].is_string())?;
    let from = wording::trimmed(from, &[Class::BeforeCategory], &[Class::BehindCategory]);
    let is_name = (1..=3).contains(&wording::words(from).len()) && reader.ranges(from).is_empty();
    is_name.then_some((rest, from))
}

fn narrowed_to(reply: Reply, category: &str) -> Reply {
    let Reply::Calls(mut calls) = reply else { return reply };
    calls[0].arguments["select"]["category"] = category.into();
    Reply::Calls(calls)
}

/// Whether all are to be deleted, and not only those that were looked at.
fn means_all(said: &str, reader: Reader) -> Option<bool> {
    let order = Order::read(wording::after_courtesies(said), reader).filter(|order| order.deletes)?;
    match wording::trimmed(&order.which, &[], &[Class::Expenses]).to_lowercase().as_str() {
        which if Class::AllWithoutAName.says(which).is_some() => Some(true),
        which => Class::AllOfThem.says(which).map(|_| false),
    }
}

/// What a list showed or a sum was of; and whether only so many were asked for, the first in some order, or by their
/// numbers.
fn looked_at(told: &Shown) -> Option<(Value, bool)> {
    const FILTERS: [&str; 11] = [
        "range", "category", "categories", "without", "words", "min_amount", "max_amount", "more_than", "less_than",
        "currency", "whose",
    ];
    let (_, arguments) = following::queried(told)?;
    let fields = arguments.as_object().filter(|fields| !fields.contains_key("compare"))?;
    let filter = |(name, value): (&String, &Value)| match name.as_str() {
        "text" => Some(("words".to_owned(), value.clone())),
        name => FILTERS.contains(&name).then(|| (name.to_owned(), value.clone())),
    };
    let filters: Map<String, Value> = fields.iter().filter_map(filter).inserted();
    Some((filters.into(), ["limit", "ids"].iter().any(|few| fields.contains_key(*few))))
}
