//! A question that goes on from the one before: "what about last week?", "and on groceries?".
//!
//! Everything that is not said anew stays as it was asked: the arguments of the query that was answered last.

use jiff::{ToSpan, civil::Date};
use serde_json::{Value, json};

use super::{Call, Message, Reply, bounds, comparing::compared_days, frames, one, shown_rows, wording};
use crate::{
    phrases::{self, Class, DateRange, Reader, is_one_of},
    shown::Shown,
};

/// `whole` reads a question by itself.
pub(super) fn read(messages: &[Message], whole: impl Fn(&str) -> Reply, reader: Reader) -> Option<Reply> {
    let [.., Message::Assistant { .. }, Message::User(said)] = messages else { return None };
    if Class::MoreRows.says(&wording::trimmed(said, &[Class::BeforeMore], &[Class::Please]).to_lowercase()).is_some() {
        return next(messages, None);
    }
    let told = shown_rows::shown_last(messages).next().filter(|told| !shown_rows::asks(told))?;
    let (name, mut arguments) = queried(told)?;
    // "And everyone's?"
    if phrases::possessors(said, &[], reader.conventions.language).iter().any(|of| of.may_own) {
        arguments.as_object_mut()?.remove("whose");
    }
    let plain = said.trim_end_matches(['?', '.', '!']);
    let groups = |more: &Option<Reply>| matches!(more, Some(Reply::Calls(calls)) if calls.iter().any(|call| call.arguments["by"].is_string()));
    let more = frames::follow_up(plain, false, reader);
    if !groups(&more)
        && let Some(reply) = elliptical((name, &arguments), said, whole, reader)
    {
        return Some(reply);
    }
    let is_whole = || frames::read(said, reader).is_some();
    let more = more.or_else(|| frames::follow_up(plain, true, reader).filter(|_| !is_whole()));
    let is_grouped = groups(&more);
    let mut more = match more? {
        Reply::Calls(calls) => calls.into_iter().next()?.arguments,
        // "12" alone bounds nothing.
        Reply::Ask(question) if question.missing.iter().all(|missing| *missing == "amount") => return None,
        other => return Some(other),
    };
    let is_of_average = !arguments["average"].is_null();
    if is_grouped {
        // "And per month", of an average.
        if more.as_object_mut()?.remove("each").is_some() && is_of_average {
            more = json!({ "by": "none", "average": more["by"] });
        }
        // "By how much?", of two that were compared.
        if more["than_before"] == true && (!arguments["than"].is_null() || !arguments["compare"].is_null()) {
            return Some(one(name, arguments));
        }
        // "Which month was the highest?" is whole where neither several months nor something bought were spoken of.
        let goes_on = more["order"].is_null()
            || more["by"] == arguments["by"]
            || is_of_some(&arguments)
            || has_several(&arguments, &more["by"], reader);
        if more["compare"] == true {
            let than_before = more.as_object_mut()?.remove("than_before").is_some();
            compare(&mut more, &arguments, than_before.then(|| asked_before(messages, reader)).flatten(), reader)?;
        }
        let fields = more.as_object_mut()?;
        let (count, usual) = (fields.remove("limit"), fields.remove("usual"));
        if let Some(count) = count.or(usual) {
            more["top"] = count;
        }
        return goes_on.then(|| summed(name, more, &arguments));
    }
    let says = |more: &Value, what: &str| more[what] == true;
    if says(&more, "next") {
        return next(messages, more["limit"].as_u64());
    }
    if let Some(days) = more["from_there"].as_str() {
        let asked = reader.resolve_range(arguments["range"].as_str()?).ok()?;
        let there = Reader { today: asked.from, ..reader };
        let a_year_before = || {
            let before = |day: Date| day.checked_sub(1.year()).ok();
            // Of all of February, its last day.
            let is_month_end = asked.to == asked.to.last_of_month();
            let to = before(asked.to)?;
            DateRange::new(before(asked.from)?, if is_month_end { to.last_of_month() } else { to })
        };
        let range = match days {
            "last year" if asked.to < asked.from.saturating_add(11.months()) => a_year_before()?,
            _ => there.resolve_range(days).ok()?,
        };
        more = json!({ "range": format!("{}..{}", range.from, range.to) });
    }
    if says(&more, "of_group") {
        let days = told.list.as_ref()?.group.clone()?;
        arguments["range"] = days.into();
        arguments.as_object_mut()?.retain(|field, _| !is_one_of(field, &["top", "order"]));
        more = json!({ "rows": true });
    }
    if says(&more, "rows") {
        // Of groups or an average: the rows of all of it.
        if arguments["top"].is_null() && name == "summarize_expenses" {
            arguments["by"] = "none".into();
            arguments.as_object_mut()?.remove("average");
        }
        return list_of(name, &mut arguments).map(|list| one(list, arguments));
    }
    arguments.as_object_mut()?.remove("after");
    if says(&more, "total") {
        return is_of_some(&arguments).then(|| Reply::Say(wording::IN_TOTAL_OF_WHAT.to_owned()));
    }
    let fields = more.as_object_mut()?;
    let mut take = |name: &str| fields.remove(name).unwrap_or_default();
    let (order, count, usual) = (take("order"), take("limit"), take("usual"));
    let is_ordered = !order.is_null() || !count.is_null();
    let only = fields.remove("only").is_some();
    if fields.remove("asks").is_some() && !said.ends_with('?') || fields.is_empty() && !is_ordered {
        return None;
    }
    if fields.get("range").is_some_and(Value::is_null) {
        is_of_some(&arguments).then_some(())?;
        fields.remove("range");
        arguments.as_object_mut()?.remove("range");
    }
    let is_bounded = BOUNDS.iter().any(|bound| fields.contains_key(*bound));
    let name = if is_bounded { list_of(name, &mut arguments)? } else { name };
    // Those who are named are no name of an expense: "and everyone?".
    let is_name = |subject: &&str| phrases::possessors(subject, &[], reader.conventions.language).is_empty();
    let subject = fields.remove("text");
    if let Some(subject) = subject.as_ref().and_then(Value::as_str).filter(is_name) {
        if subject.split(' ').any(|word| word != "and" && Class::Glue.contains(word)) {
            return None;
        }
        concerning(&mut arguments, name, subject, only);
    }
    if let (Some(Value::Array(known)), Some(Value::Array(without))) =
        (arguments.get("without"), fields.get_mut("without"))
    {
        without.splice(0..0, known.iter().filter(|name| !without.contains(name)).cloned().collect::<Vec<_>>());
    }
    bounds::replace(arguments.as_object_mut()?, fields);
    Some(if is_ordered { ordered(name, arguments, order, count, usual) } else { one(name, arguments) })
}

/// "Is that more than last month?", of a sum; "on what?", by category, and what is of one category or name by item.
fn summed(name: &'static str, mut said: Value, asked: &Value) -> Reply {
    let compares = said["compare"] == true;
    if said["by"] == "category" && is_of_some(asked) {
        said["by"] = "item".into();
    }
    let sums_up = said["by"] == "none" && !compares;
    // "How much were they?", of the last ones that were bought.
    let says_only_that = said.as_object().is_some_and(|fields| fields.len() == 1);
    if sums_up && says_only_that && !asked["limit"].is_null() {
        return one(name, asked.clone());
    }
    let whole = of_the_same("summarize_expenses", said, asked);
    // How many there are, and how much that is, a list says.
    if whole.is_none() && sums_up && name == "list_expenses" {
        return one(name, asked.clone());
    }
    let cannot = if compares { wording::CANNOT_COMPARE } else { wording::SAY_IT_WHOLE };
    whole.map_or_else(|| Reply::Say(cannot.to_owned()), |whole| one("summarize_expenses", whole))
}

/// The days that are compared: of the question, and those that are said or were asked about before it.
fn compare(more: &mut Value, asked: &Value, before: Option<DateRange>, reader: Reader) -> Option<()> {
    let range = |days: &Value| reader.resolve_range(days.as_str()?).ok();
    let (days, than) = (range(&asked["range"]), range(&more["than"]).or(before));
    let (Some(days), Some(than)) = (days, than.filter(|than| days != Some(*than))) else { return Some(()) };
    // Of two that were asked about, the later one is compared with the earlier one.
    let pair = if than.from > days.from && before == Some(than) { [than, days] } else { [days, than] };
    let (range, than) = compared_days(pair.map(Some), false, reader).ok()?;
    let written = |days: DateRange| Value::from(format!("{}..{}", days.from, days.to));
    more["range"] = written(range);
    let fields = more.as_object_mut()?;
    fields.remove("than");
    fields.extend(than.map(|than| ("than".to_owned(), written(than))));
    Some(())
}

/// The days of the query before the last one.
fn asked_before(messages: &[Message], reader: Reader) -> Option<DateRange> {
    let (_, arguments) = shown_rows::shown_last(messages).filter_map(queried).nth(1)?;
    reader.resolve_range(arguments["range"].as_str()?).ok()
}

/// "how many?", "the average per week?", "vs last month": of what the question before was about. None of what is a
/// question of its own: those say who spends, or of what.
fn elliptical(
    (before, filters): (&'static str, &Value),
    said: &str,
    read: impl Fn(&str) -> Reply,
    reader: Reader,
) -> Option<Reply> {
    let lower = said.to_lowercase();
    let plain = wording::trimmed(&lower, &[Class::GoesOn], &[Class::BehindWhatGoesOn]);
    let days = reader.ranges(plain);
    let beside_days = wording::without(plain, days.iter().map(|found| found.span.clone()), &[Class::BeforeDays]);
    let is_counted = wording::says(&beside_days, Class::NumberAskedFor);
    let words = wording::words(if is_counted { &beside_days } else { plain });
    if words.is_empty()
        || words.len() > 6
        || Class::Totals.says(plain).is_some()
        // "Total this month" is whole.
        || plain.contains("total") && !days.is_empty()
        || !words.iter().all(|(_, word)| Class::OfNothing.contains(word))
    {
        return None;
    }
    // "How much is that?", of rows or of how many there were.
    let is_of_rows =
        plain.starts_with("how much") && days.is_empty() && (before == "list_expenses" || plain.ends_with("that"));
    // "How much was it?", of the last one.
    let points = words.last().is_some_and(|(_, word)| Class::PointingAtShown.contains(word));
    if is_of_rows && points && !filters["limit"].is_null() {
        return Some(one(before, filters.clone()));
    }
    let sums_up = is_of_rows || plain.contains("total");
    let is_of_count =
        plain.starts_with("how many") && words.last().is_some_and(|(_, word)| Class::PointingAtShown.contains(word));
    let whole = if is_of_rows { "total" } else { plain };
    let whole = if is_of_count { "how many" } else { whole };
    let Reply::Calls(calls) = read(whole) else { return None };
    let [Call { name, arguments }] = <[Call; 1]>::try_from(calls).ok()?;
    // "And last month?", of rows, groups or an average: those of other days.
    let is_no_sum = before == "list_expenses"
        || filters["by"].as_str().is_some_and(|by| by != "none")
        || !filters["average"].is_null();
    if name == "get_balance" && !sums_up && is_no_sum {
        return None;
    }
    if !QUERIES.contains(&name) {
        return None;
    }
    Some(match of_the_same(name, arguments, filters) {
        Some(arguments) => one(name, arguments),
        // How many there are, and how much that is, a list says.
        None if before == "list_expenses" && (sums_up || plain.contains("how many")) => one(before, filters.clone()),
        None => Reply::Say(wording::SAY_IT_WHOLE.to_owned()),
    })
}

/// Whether the days of a query are more than one such unit.
fn has_several(arguments: &Value, unit: &Value, reader: Reader) -> bool {
    let days = arguments["range"].as_str().and_then(|range| reader.resolve_range(range).ok());
    let longest = match unit.as_str() {
        Some("day") => 1,
        Some("week") => 7,
        _ => 31,
    };
    days.is_some_and(|days| (days.to - days.from).get_days() >= longest)
}

/// What an expense of a query is called, or in which category it is.
const SUBJECT: [&str; 4] = ["category", "categories", "words", "text"];

fn is_of_some(arguments: &Value) -> bool {
    SUBJECT.iter().any(|field| !arguments[*field].is_null())
}

const BOUNDS: [&str; 4] = ["min_amount", "max_amount", "more_than", "less_than"];

/// What goes on may go on from. None of a search, of which all words are looked for.
pub(super) const QUERIES: [&str; 3] = ["get_balance", "list_expenses", "summarize_expenses"];

/// The query that was answered, if it is one of these.
pub(super) fn queried(told: &Shown) -> Option<(&'static str, Value)> {
    let call = told.list.as_ref()?.call.as_ref()?;
    let name = QUERIES.into_iter().find(|name| *name == call.tool)?;
    call.arguments["search"].is_null().then(|| (name, call.arguments.clone()))
}

/// Whether it told the sums of some days, and nothing of what they are of.
pub(super) fn sums_up(told: &Shown) -> bool {
    let tells_more = !told.rows.is_empty() || told.written.is_some() || shown_rows::asks(told);
    !tells_more && queried(told).is_some_and(|(_, arguments)| !is_of_some(&arguments))
}

/// With the filters of another query, but for what it says itself. None if it has no room for them.
fn of_the_same(name: &str, mut arguments: Value, filters: &Value) -> Option<Value> {
    let own = is_of_some(&arguments);
    for (field, value) in filters.as_object()? {
        let is_subject = is_one_of(field, &SUBJECT);
        if is_subject && own || !arguments[field.as_str()].is_null() {
            continue;
        }
        let field = match (field.as_str(), name) {
            ("words" | "text", "get_balance") => "category",
            ("text", "summarize_expenses") => "words",
            (field @ ("range" | "without" | "currency" | "category" | "whose"), _)
            | (field @ "words", "summarize_expenses")
            | (field, "list_expenses")
                if is_subject
                    || is_one_of(field, &BOUNDS)
                    || matches!(field, "range" | "without" | "currency" | "whose") =>
            {
                field
            }
            (field, _) if is_subject || is_one_of(field, &BOUNDS) => return None,
            _ => continue,
        };
        arguments[field] = value.clone();
    }
    Some(arguments)
}

/// What comes after what was shown of a list; of an order, or of groups, more from the beginning. None if nothing of the
/// kind was asked before.
fn next(messages: &[Message], count: Option<u64>) -> Option<Reply> {
    let told = shown_rows::shown_last(messages).next()?;
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
    let shown = |usual| arguments["limit"].as_u64().unwrap_or(usual);
    match (name, usual) {
        ("summarize_expenses", _) => arguments["top"] = 50.into(),
        (_, Some(usual)) => arguments["limit"] = (shown(usual) + count.unwrap_or(shown(usual))).min(50).into(),
        (_, None) => {
            arguments["after"] = (*shown_rows::numbers(told).last()?).into();
            if let Some(count) = count {
                arguments["limit"] = count.into();
            }
        }
    }
    Some(one(name, arguments))
}

/// The list of the same filters, which may have bounds; of two spans that are compared, the first. None of what is
/// grouped, averaged over days or a share.
fn list_of(name: &'static str, arguments: &mut Value) -> Option<&'static str> {
    if name == "list_expenses" {
        return Some(name);
    }
    let is_sum = name == "get_balance" || arguments["by"] == "none";
    let is_of_rows = arguments.get("average").is_none_or(|per| per == "expense");
    let is_plain = is_sum && is_of_rows && arguments["share_of"].is_null();
    let fields = arguments.as_object_mut().filter(|_| is_plain)?;
    fields
        .retain(|field, _| matches!(field.as_str(), "range" | "category" | "words" | "without" | "currency" | "whose"));
    frames::name_each_category(arguments);
    Some("list_expenses")
}

/// The largest or smallest of what was asked for: of rows, or of groups.
fn ordered(name: &'static str, mut arguments: Value, order: Value, count: Value, usual: Value) -> Reply {
    let is_of_groups = name == "summarize_expenses" && arguments["by"] != "none";
    let count = if count.is_null() && (is_of_groups || arguments["order"].is_null()) { usual } else { count };
    let listed = if is_of_groups { Some(name) } else { list_of(name, &mut arguments) };
    let Some(name) = listed else { return Reply::Say(wording::CANNOT_LOOK.to_owned()) };
    for (key, value) in [(if is_of_groups { "top" } else { "limit" }, count), ("order", order)] {
        if !value.is_null() {
            arguments[key] = value;
        }
    }
    one(name, arguments)
}

/// Of "only" that, what else was asked for stays.
fn concerning(arguments: &mut Value, name: &str, subject: &str, only: bool) {
    let Some(fields) = arguments.as_object_mut() else { return };
    if !only {
        fields.retain(|field, _| !is_one_of(field, &SUBJECT));
    }
    let is_name = name == "list_expenses" && Class::CommonCategory.says(subject).is_none();
    fields.insert(if is_name { "words" } else { "category" }.to_owned(), subject.into());
}
