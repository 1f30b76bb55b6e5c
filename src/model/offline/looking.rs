//! Questions about what was spent: totals and lists.
//!
//! A bound it cannot read exactly is asked about; it is never left out of the query.

use serde_json::{Value, json};

use super::{
    Call, Question, Reply,
    adding::Said,
    bounds, briefly, bulk,
    conversation::one,
    currency::currency_alone,
    describing, excepting, speech,
    subjects::{
        WEEKDAYS, about, category_after, category_before, in_currency, is_of_weekdays, latest, leaves_something_out,
        limit, plainly, with_plain_years, without_figures,
    },
    summing, wording,
};
use crate::phrases::{
    CATEGORIES, DateReading, DecimalMark, RangeMention, Reader, is_one_of, plurals::are_alike, upper_first,
};

/// Any question about what was spent.
pub(super) fn question(text: &str, command: &str, reader: Reader) -> Option<Reply> {
    if let Some(rows) = briefly::numbered(text) {
        return Some(rows);
    }
    if let Some(whole) = briefly::of_so_many(text, reader) {
        return question(&whole, wording::after_courtesies(&whole), reader);
    }
    let plain = plainly(text, reader);
    if let Some((rest, code)) = in_currency(&plain, reader) {
        let asked = question(&rest, wording::after_courtesies(&rest), reader)?;
        return Some(narrowed(asked, "currency", code.into()));
    }
    let (text, command) = if plain == text { (text, command) } else { (&*plain, wording::after_courtesies(&plain)) };
    let excepted = excepting::read(text, reader);
    let asked = match &excepted {
        Some(excepted) => whole(&excepted.rest, wording::after_courtesies(&excepted.rest), reader)?,
        None => whole(text, command, reader)?,
    };
    if is_of_weekdays(text) || names_a_weekday(&asked) {
        return Some(Reply::Say(wording::NO_WEEKDAYS.to_owned()));
    }
    let Some(excepted) = excepted else { return Some(asked) };
    Some(narrowed(asked, "without", json!(excepted.names)))
}

/// The same with one filter more, if what is asked has such filters.
fn narrowed(asked: Reply, filter: &str, value: Value) -> Reply {
    let Reply::Calls(calls) = asked else { return asked };
    match <[Call; 1]>::try_from(calls) {
        Ok([Call { name, mut arguments }]) if NARROWED.contains(&name) && arguments[filter].is_null() => {
            arguments[filter] = value;
            one(name, arguments)
        }
        _ => cannot(),
    }
}

/// "weekend expenses": nothing is called so.
fn names_a_weekday(asked: &Reply) -> bool {
    let Reply::Calls(calls) = asked else { return false };
    let named = calls.iter().flat_map(|call| ["category", "words"].map(|field| call.arguments[field].as_str()));
    named.flatten().any(|name| WEEKDAYS.iter().any(|day| are_alike(day, name)))
}

/// Tools that can leave something out, and keep to a currency.
const NARROWED: [&str; 4] = ["get_balance", "list_expenses", "filter_expenses", "summarize_expenses"];

fn whole(text: &str, command: &str, reader: Reader) -> Option<Reply> {
    describing::read(text, command, reader)
        .or_else(|| summing::read(text, reader))
        .or_else(|| read(text, command, reader))
}

fn read(text: &str, command: &str, reader: Reader) -> Option<Reply> {
    let lower = text.to_lowercase().replace('’', "'");
    let first = wording::first_word(command);
    let words = wording::words(&lower);
    let says = |word: &str| words.iter().any(|(_, said)| said == word);
    let asks = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    const LATEST: [&str; 3] = ["last thing i bought", "last purchase", "last expense"];
    if asks(&LATEST) && matches!(first.as_str(), "what" | "what's" | "whats" | "which") {
        return Some(one("list_expenses", json!({ "limit": 1 })));
    }
    let did = did(&lower);
    if did && (says("spend") || says("spent")) {
        return Some(total(text, &lower, reader));
    }
    let newest = matches!(first.as_str(), "what" | "what's" | "whats" | "which") && latest(&lower, reader).is_some();
    let listing = did
        || newest
        || asks(&["is there any", "are there any", "do i have any", "when did i", "when did we", "when was my last"])
        || matches!(first.as_str(), "list" | "show" | "display" | "see" | "view" | "find" | "search" | "expenses")
        || asks(&["what did i buy", "what have i bought", "what are my", "which expenses", "what expenses"])
        || asks(&["what's in ", "what is in ", "whats in "])
        || matches!(first.as_str(), "all" | "everything" | "anything") && is_of_figures(&lower, reader)
        || matches!(first.as_str(), "last" | "recent" | "latest" | "my") && (says("expenses") || says("purchases"))
        || matches!(first.as_str(), "last" | "latest") && words.len() == 2 && limit(&lower).is_some();
    if listing && (says("budget") || says("budgets")) {
        return None;
    }
    if listing && !says("balance") && !says("total") {
        return Some(list(text, &lower, reader));
    }
    let totalling = words.len() > 1
        && matches!((first.as_str(), &*words[1].1), ("my" | "our", "spending") | ("money", "spent"))
        && reader.amounts(&lower).is_empty()
        || asks(&[
            "how much", "what's my balance", "what is my balance", "my balance", "what did i spend",
            "what have i spent",
        ])
        || says("total") && words.last().is_some_and(|(_, word)| word == "total") && reader.amounts(&lower).is_empty()
        || matches!(first.as_str(), "total" | "balance" | "sum" | "spending")
            && !speech::is_priced_name(command, reader)
        || (listing || matches!(first.as_str(), "what" | "what's" | "whats")) && (says("total") || says("balance"));
    (totalling && !asks(&["how much is ", "how much does "])).then(|| total(text, &lower, reader))
}

/// "everything over 100", "all expenses in October": of bounds or days, and of nothing else.
fn is_of_figures(lower: &str, reader: Reader) -> bool {
    let bounded = bounds::cut(lower, reader).filter(|_| about(lower, None, reader).is_empty());
    bounded
        .is_some_and(|plain| plain.len() < lower.len() || !reader.ranges(lower).is_empty() || plain == "all expenses")
}

/// The question before, with what was left open now said.
pub(super) fn answered(before: &str, answer: &str, reader: Reader) -> Option<Reply> {
    if let (Some(Said::Exactly(code)), []) = (currency_alone(answer, reader), reader.amounts(before).as_slice()) {
        return look(&format!("{before} in {code}"), reader);
    }
    if let Some(text) = bounds::answered(before, answer, reader) {
        return look(&text, reader);
    }
    let unsettled = reader.dates(before);
    let spans: Vec<_> = unsettled
        .into_iter()
        .filter(|found| !matches!(found.reading, DateReading::On(_)))
        .map(|found| found.span)
        .collect();
    // "Last September"; "2025".
    let month = spans.first().and_then(|span| before[span.clone()].split_whitespace().last()).unwrap_or_default();
    let of_year = reader.resolve_range(&format!("{month} {}", answer.trim()));
    let range = of_year.or_else(|_| reader.resolve_range(answer)).ok()?;
    let text = format!("{} from {} to {}", wording::without(before, &spans, &LEADS), range.from, range.to);
    look(&text, reader)
}

fn look(text: &str, reader: Reader) -> Option<Reply> {
    let command = wording::after_courtesies(text);
    bulk::read(text, command, reader).or_else(|| question(text, command, reader))
}

const LEADS: [&str; 9] = ["on", "in", "for", "from", "during", "since", "of", "the", "at"];

/// "How much over 50 on food": sums have no bounds, so it is the list that says what it comes to.
fn bounded(lower: &str, reader: Reader) -> Reply {
    let Some(rest) = bounds::cut(lower, reader).filter(|rest| reader.amounts(rest).is_empty()) else {
        return cannot();
    };
    let calls = match total(&rest, &rest, reader) {
        Reply::Calls(calls) => calls,
        other => return other,
    };
    let Ok([Call { mut arguments, .. }]) = <[Call; 1]>::try_from(calls) else { return cannot() };
    // Of several categories there is no list.
    if arguments["category"].as_str().is_some_and(|name| name.contains(',') || name.contains(" and ")) {
        return cannot();
    }
    match bounds::add(&mut arguments, lower, reader) {
        Err(question) => Reply::Ask(question),
        Ok(()) => one("list_expenses", arguments),
    }
}

fn total(text: &str, lower: &str, reader: Reader) -> Reply {
    let plain = with_plain_years(lower);
    if !reader.amounts(&plain).is_empty() {
        return bounded(&plain, reader);
    }
    // "How much more on food than last month?" is no question about last month.
    let compares = wording::words(lower).iter().any(|(_, word)| matches!(&**word, "than" | "more" | "less"));
    if is_beyond(lower) || compares {
        return cannot();
    }
    let mut arguments = json!({});
    if let Err(question) = add_range(&mut arguments, text, reader) {
        return Reply::Ask(question);
    }
    if leaves_something_out(lower, reader) {
        return cannot();
    }
    if let Some(name) = latest(lower, reader) {
        (arguments["words"], arguments["limit"]) = (name.into(), 1.into());
        return one("list_expenses", arguments);
    }
    let several = |name: &String| name.contains(" and ") || name.contains(',');
    let category = category_after(lower, &["on", "for"], reader)
        .or_else(|| category_after(lower, &["in"], reader))
        .or_else(|| category_after(lower, &["at", "from"], reader).filter(several));
    let others = about(lower, category.as_deref(), reader);
    // "total novembre"
    if let (None, None, Some(range)) = (arguments.get("range"), &category, alone_in_days(&others, reader)) {
        arguments["range"] = range;
        return one("get_balance", arguments);
    }
    let priced = ["how much was ", "how much were "].iter().any(|opening| lower.contains(opening));
    let money = match &category {
        Some(category) => currency_alone(category, reader),
        None => currency_named(&others, text, reader),
    };
    match category {
        Some(_) if !others.is_empty() => return cannot(),
        _ if money.is_some() => match money {
            Some(Said::Exactly(code)) => arguments["currency"] = code.into(),
            _ => return Reply::Say(wording::PER_CURRENCY.to_owned()),
        },
        None if priced && !others.is_empty() => arguments["words"] = others.into(),
        // "How much coffee?", and not what "bob" did or "I owe".
        None if others.split(' ').count() > 2 || is_of_a_clause(last_word_before(lower, &others)) => return cannot(),
        None if !others.is_empty() => arguments["category"] = others.into(),
        Some(category) => arguments["category"] = category.into(),
        None => {}
    }
    let name = if arguments.get("words").is_some() { "list_expenses" } else { "get_balance" };
    one(name, arguments)
}

fn list(text: &str, lower: &str, reader: Reader) -> Reply {
    if is_beyond(lower) {
        return cannot();
    }
    let dated = only_days(text, lower, reader);
    let (text, lower) = dated.as_deref().map_or((text, lower), |dated| (dated, dated));
    let mut arguments = json!({});
    let exactly = did(lower) && bounds::exactly(&mut arguments, lower, reader);
    let bounded = add_range(&mut arguments, text, reader)
        .and_then(|()| if exactly { Ok(()) } else { bounds::add(&mut arguments, lower, reader) });
    if let Err(question) = bounded {
        return Reply::Ask(question);
    }
    if leaves_something_out(lower, reader) {
        return cannot();
    }
    if did(lower) {
        match about(lower, None, reader) {
            words if !words.is_empty() => arguments["words"] = words.into(),
            // "Did I buy anything on Sunday?"
            _ if lower.contains("anything") => {}
            _ => return cannot(),
        }
        return one("list_expenses", arguments);
    }
    let generic = ["expenses", "purchases", "spending", "transactions"].iter().any(|word| lower.contains(word));
    // "show euros", "show my pounds in October", "list food and travel"
    let bare = without_figures(wording::rest(lower), &LEADS, reader);
    let bare = wording::trimmed(
        &bare,
        &["me", "only", "just", "my", "our", "all", "the"],
        &["expenses", "purchases", "please"],
    );
    let is_category = |name: &str| CATEGORIES.contains(&name);
    let known = |name: &String| generic || name.split(" and ").all(is_category);
    let joined =
        || bare.contains(" and ").then(|| bare.to_owned()).filter(|names| names.split(" and ").all(is_category));
    let category = joined()
        .or_else(|| category_after(lower, &["on", "for", "in"], reader))
        .or_else(|| category_before(lower, reader))
        .or_else(|| (!generic).then(|| about(lower, None, reader)))
        .filter(|name| !name.is_empty() && known(name));
    let others = about(lower, category.as_deref(), reader);
    let by_words = !generic || NAMING.iter().any(|word| last_word_before(lower, &others) == *word);
    match (others.as_str(), currency_alone(bare, reader)) {
        (_, Some(Said::Exactly(code))) => arguments["currency"] = code.into(),
        (_, Some(Said::OneOf(many))) => return which_money(&many),
        (_, Some(Said::Shared)) => return which_money(&["USD", "CAD", "AUD", "NZD"].map(str::to_owned)),
        ("", _) => {}
        (words, _) if by_words && category.is_none() => arguments["words"] = words.into(),
        _ => return cannot(),
    }
    let several =
        category.as_deref().filter(|category| category.split(" and ").all(is_category) && category.contains(' '));
    if let Some(several) = several {
        arguments["categories"] = several.split(" and ").collect();
        return one("filter_expenses", arguments);
    }
    if let Some(category) = category {
        arguments["category"] = category.into();
    }
    let latest = latest(lower, reader).map(|_| 1).filter(|_| arguments.get("words").is_some());
    if let Some(limit) = limit(lower).or(latest) {
        arguments["limit"] = limit.into();
    }
    // Who looks for words may have them a little wrong.
    let looked_for =
        arguments.as_object().is_some_and(|given| given.keys().all(|name| name == "words" || name == "range"));
    if looked_for && arguments["words"].is_string() && ["find", "search"].contains(&wording::first_word(lower).as_str())
    {
        arguments["query"] = arguments["words"].take();
        arguments.as_object_mut().map(|given| given.remove("words"));
        return one("search_expenses", arguments);
    }
    one("list_expenses", arguments)
}

fn cannot() -> Reply {
    Reply::Say(wording::CANNOT_LOOK.to_owned())
}

/// "show oct": what alone may be anything is a month where nothing else is said.
fn only_days(text: &str, lower: &str, reader: Reader) -> Option<String> {
    let name = about(lower, None, reader);
    let is_timeless = !name.is_empty() && reader.ranges(text).is_empty() && reader.dates(text).is_empty();
    let dated = format!("in {name}");
    (is_timeless && reader.resolve_range(&dated).is_ok()).then(|| lower.replacen(&name, &dated, 1))
}

/// What alone may be anything is a span of days in a sum.
pub(super) fn alone_in_days(name: &str, reader: Reader) -> Option<Value> {
    let name = wording::trimmed(name, &["de", "vom", "du"], &[]);
    if name.is_empty() || name.contains(' ') {
        return None;
    }
    let range = ["in", "im", "en"].iter().find_map(|lead| reader.resolve_range(&format!("{lead} {name}")).ok())?;
    Some(format!("{}..{}", range.from, range.to).into())
}

/// "show dollars"
fn which_money(many: &[String]) -> Reply {
    let text = "Which of these do you mean?".to_owned();
    let options = many.iter().take(4).map(|code| format!("show {code}")).collect();
    Reply::Ask(Question { text, options, missing: vec!["currency"] })
}

/// What no total and no list can show: orders, averages, groups, exceptions, and rows by number.
fn is_beyond(lower: &str) -> bool {
    const BEYOND: [&str; 24] = [
        "excluding", "except", "without", "besides", "biggest", "largest", "smallest", "highest", "lowest", "cheapest",
        "expensive", "average", "sorted", "sort", "order", "per", "each", "by", "breakdown", "compare", "versus", "vs",
        "not", "or",
    ];
    wording::words(lower).iter().any(|(_, word)| is_one_of(word, &BEYOND) || word.starts_with('#'))
}

pub(super) fn add_range(arguments: &mut Value, text: &str, reader: Reader) -> Result<(), Question> {
    let text = with_plain_years(text);
    let unsettled = reader.dates(&text).into_iter().find(|found| !matches!(found.reading, DateReading::On(_)));
    if let Some(found) = unsettled {
        return Err(match &found.reading {
            DateReading::Ambiguous(days) if days.is_empty() => which_days(&text[found.span], reader),
            _ => which_day(found.reading, reader),
        });
    }
    match &reader.ranges(&text)[..] {
        [] => Ok(()),
        [found] => {
            arguments["range"] = format!("{}..{}", found.range.from, found.range.to).into();
            Ok(())
        }
        [one, other] if follow(&text, one, other) => {
            let range = (one.range.from.min(other.range.from), one.range.to.max(other.range.to));
            arguments["range"] = format!("{}..{}", range.0, range.1).into();
            Ok(())
        }
        many => Err(Question {
            text: "Which of these days do you mean?".to_owned(),
            options: many.iter().map(|found| found.range.written(reader.conventions.style.days)).collect(),
            missing: vec!["date"],
        }),
    }
}

/// "euros", "EUR": three small letters may be a name.
fn currency_named(name: &str, text: &str, reader: Reader) -> Option<Said> {
    currency_alone(name, reader).filter(|_| name.len() != 3 || text.contains(&name.to_uppercase()))
}

/// "October and November": one right after the other.
fn follow(text: &str, one: &RangeMention, other: &RangeMention) -> bool {
    let (first, last) = if one.range.from < other.range.from { (one, other) } else { (other, one) };
    text[one.span.end..other.span.start].trim() == "and"
        && first.range.to.tomorrow().is_ok_and(|day| day == last.range.from)
}

/// "last September" in November: this year's to some, and last year's to others.
fn which_days(said: &str, reader: Reader) -> Question {
    let (day, month) = (reader.conventions.style.days.written(reader.today), reader.today.strftime("%B %Y"));
    let text = format!("Which days do you mean by “{said}”? Name them, like “since {day}” or “{month}”.");
    Question { text, options: Vec::new(), missing: vec!["date"] }
}

pub(super) fn which_day(reading: DateReading, reader: Reader) -> Question {
    let missing = vec!["date"];
    match reading {
        DateReading::Impossible(why) => {
            Question { text: format!("{}. Which day was it?", upper_first(&why)), options: Vec::new(), missing }
        }
        DateReading::Ambiguous(many) => {
            let options = many.iter().map(|day| reader.conventions.style.days.written(*day)).collect();
            Question { text: "Which day do you mean?".to_owned(), options, missing }
        }
        DateReading::On(_) => Question { text: "Which day do you mean?".to_owned(), options: Vec::new(), missing },
    }
}

pub(super) fn which_amount(options: &[String], reader: Reader) -> Question {
    let mut options: Vec<String> = options.iter().map(|option| with_mark(option, reader)).collect();
    options.dedup();
    let text = match &options[..] {
        [one, other] => format!("Is that {one} or {other}?"),
        _ => "What is the exact amount?".to_owned(),
    };
    Question { text, options: if options.len() > 1 { options } else { Vec::new() }, missing: vec!["amount"] }
}

/// A plain decimal as the person writes it: to some, `1.234` is a thousand and more.
pub(super) fn with_mark(plain: &str, reader: Reader) -> String {
    match reader.conventions.decimal_mark {
        Some(DecimalMark::Comma) => plain.replace('.', ","),
        _ => plain.to_owned(),
    }
}

fn last_word_before<'l>(lower: &'l str, words: &str) -> &'l str {
    let first = words.split(' ').next().unwrap_or_default();
    lower.split(first).next().unwrap_or_default().split_whitespace().last().unwrap_or_default()
}

/// What follows is who did something, or what was done.
fn is_of_a_clause(word: &str) -> bool {
    matches!(word, "did" | "do" | "does" | "has" | "have" | "had" | "is" | "was" | "were" | "will" | "should" | "can")
        || matches!(word, "i" | "we" | "you")
}

/// "did I buy", "have we already paid", "has the rent been paid": what else it says is the name of something.
fn did(lower: &str) -> bool {
    let words = wording::words(lower);
    let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
    let passive = || words.iter().any(|(_, word)| matches!(&**word, "paid" | "bought" | "added"));
    matches!(word(0), "did" | "have" | "had") && matches!(word(1), "i" | "we" | "you")
        || matches!(word(0), "has" | "have" | "was" | "were" | "is" | "are") && passive()
}

const NAMING: [&str; 10] =
    ["from", "at", "with", "containing", "named", "called", "matching", "like", "about", "mentioning"];
