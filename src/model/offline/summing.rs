//! Questions that want rows counted, grouped, compared or put in order of size.
//!
//! Every word of such a question must have been understood, or be what it is about: what is left over makes it somebody
//! else's to read, or to refuse.

use std::{borrow::Cow, ops::Range};

use serde_json::{Value, json};

use super::{
    Reply, bounds,
    comparing::{compared, of_two, paired},
    conversation::one,
    currency::currency_alone,
    looking::{add_range, alone_in_days},
    subjects::{about, category_after, without_figures},
    wording,
};
use crate::phrases::{CATEGORIES, DateRange, Reader, is_one_of, phrase_length};

pub(super) fn read(text: &str, reader: Reader) -> Option<Reply> {
    if let Some(both) = of_two(text, reader) {
        return Some(both);
    }
    let paired = paired(text, reader);
    let text = paired.as_deref().unwrap_or(text);
    let lower = text.to_lowercase().replace('’', "'");
    if !is_question(&lower, reader) || says(&lower, &EXCEPTIONS) || lower.contains('#') {
        return None;
    }
    if is_in_the_middle(&lower) {
        return Some(Reply::Say(wording::ONLY_FIRST.to_owned()));
    }
    if says(&lower, &AVERAGE) {
        return averaged(&lower, reader);
    }
    // "Top 3 this month" is of no day.
    let number = number(&lower);
    let lower = number
        .as_ref()
        .map_or_else(|| lower.clone(), |(span, _)| wording::without(&lower, std::slice::from_ref(span), &[]));
    let plain = without_figures(&lower, &LEADS, reader);
    let mut said = Said::new(&plain);
    // "Did I pay more than 900 for rent?" is about an amount.
    let bounds =
        ["more than", "less than"].iter().any(|words| lower.contains(words)) && !reader.amounts(&lower).is_empty();
    let compares = !bounds && said.takes(&COMPARING);
    let sums_up = said.takes(&SUMMARY);
    let by = said.group().or(sums_up.then_some("category"));
    let order = said.order().or_else(|| said.oldest().then_some("oldest"));
    let by = by.or_else(|| order.and_then(|_| said.ranked_group()));
    // "What categories do I have?"
    let lists_groups =
        by.is_none() && order.is_none() && !says(&lower, &["how"]) && said.is_about("categories", reader);
    let by = by.or_else(|| if lists_groups { said.ranked_group() } else { None });
    let count = number.map(|(_, number)| number).or_else(|| order.filter(|_| said.is_about_one()).map(|_| 1));
    let counts = said.takes(&COUNTING);
    let mut arguments = match (by, order) {
        (Some(_), Some("oldest")) => return None,
        (Some(by), _) => json!({ "by": by }),
        (None, Some(_)) if !compares && !counts => json!({}),
        (None, None) if compares || counts => json!({ "by": "none" }),
        _ => return None,
    };
    let sums = arguments.get("by").is_some();
    if let (Some(order), true) = (order, !sums || by.is_some()) {
        arguments["order"] = order.into();
    }
    match count {
        Some(count) => arguments[if sums { "top" } else { "limit" }] = count.into(),
        None if !sums => arguments["limit"] = USUAL_LIMIT.into(),
        None => {}
    }
    if compares {
        match compared(text, reader) {
            Ok(range) => (arguments["range"], arguments["compare"]) = (iso(range), true.into()),
            Err(reply) => return Some(reply),
        }
    } else if let Err(question) = add_range(&mut arguments, &lower, reader) {
        return Some(Reply::Ask(question));
    }
    said.subject(arguments, sums, counts, reader).and_then(|arguments| bounded(arguments, &lower, sums, reader))
}

/// "How much a week on average?", "the average price of a coffee"; with neither a period nor a price, a month.
fn averaged(lower: &str, reader: Reader) -> Option<Reply> {
    let plain = without_figures(lower, &LEADS, reader);
    let mut said = Said::new(&plain);
    while said.takes(&["on average", "average", "averages", "averaging", "avg"]) {}
    let per = if said.takes(&["per year", "a year", "each year", "yearly", "year"]) {
        "year"
    } else {
        match said.group().or_else(|| said.ranked_group()) {
            Some("category" | "item") => return None,
            Some(period) => period,
            None if lower.contains("how much is ") || lower.contains("how much does ") => "expense",
            None if said.takes(&["price", "prices", "cost", "costs", "per expense", "expense", "purchase"]) => {
                "expense"
            }
            None => "month",
        }
    };
    let spends = lower.contains("spen");
    let mut arguments = json!({ "by": "none", "average": per });
    if let Err(question) = add_range(&mut arguments, lower, reader) {
        return Some(Reply::Ask(question));
    }
    let mut arguments = said.subject(arguments, true, true, reader)?;
    let fields = arguments.as_object_mut()?;
    // A price is of something, and what is no category costs something each time.
    let of_things = !spends && per == "month" && !says(lower, &["month", "monthly", "months"]);
    if (per == "expense" || of_things)
        && let Some(name) = fields.get("category").and_then(Value::as_str).map(str::to_owned)
        && !CATEGORIES.contains(&name.as_str())
    {
        fields.remove("category");
        fields.insert("words".to_owned(), name.into());
    }
    if of_things && fields.contains_key("words") {
        fields.insert("average".to_owned(), "expense".into());
    }
    reader.amounts(lower).is_empty().then(|| one("summarize_expenses", arguments))
}

/// Without a number, "the biggest expenses" are so many.
const USUAL_LIMIT: u64 = 5;

pub(super) const LEADS: [&str; 7] = ["in", "for", "from", "during", "since", "of", "at"];
const AVERAGE: [&str; 4] = ["average", "averages", "averaging", "avg"];
pub(super) const EXCEPTIONS: [&str; 7] = ["excluding", "except", "without", "besides", "not", "or", "budget"];
const COMPARING: [&str; 9] =
    ["compare", "compared to", "compared with", "comparison", "versus", "vs", "more than", "less than", "against"];
const COUNTING: [&str; 11] = [
    "number of expenses", "number of", "count", "how many times", "how many expenses", "how many purchases",
    "how many transactions", "how many entries", "how many things", "how many", "how often",
];
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "category",
        &[
            "group by category",
            "by category",
            "by categories",
            "per category",
            "each category",
            "category breakdown",
            "a breakdown",
            "breakdown",
            "break down",
            "where does my money go",
            "where did my money go",
            "where is my money going",
            "spend the most money on",
            "spend the most on",
            "spend most on",
            "spend most money on",
            "spent the most on",
            "spent most on",
            "spending the most on",
        ],
    ),
    (
        "month",
        &[
            "group by month", "by month", "per month", "each month", "every month", "a month", "month by month",
            "monthly",
        ],
    ),
    ("week", &["by week", "per week", "each week", "every week", "a week", "week by week", "weekly"]),
    ("day", &["by day", "per day", "each day", "every day", "a day", "day by day", "daily"]),
    (
        "item",
        &[
            "by item",
            "by items",
            "per item",
            "each item",
            "where did i spend the most",
            "where did i spend most",
            "where do i spend the most",
            "where do i spend most",
            "where have i spent the most",
            "where have i spent most",
            "where am i spending the most",
            "where am i spending most",
        ],
    ),
];
const LARGEST: [&str; 11] = [
    "spend the most", "spent the most", "spend most", "spent most", "most expensive", "biggest", "largest", "highest",
    "priciest", "dearest", "top",
];
const OLDEST: [&str; 10] = [
    "my first", "my very first", "the first", "the very first", "i first", "we first", "first expense",
    "first purchase", "oldest", "earliest",
];
const SUMMARY: [&str; 5] = ["summary", "overview", "stats", "statistics", "report"];
const SMALLEST: [&str; 5] = ["least expensive", "smallest", "cheapest", "lowest", "tiniest"];

/// The words of a question, of which what is understood is taken away.
struct Said<'t> {
    words: Vec<Cow<'t, str>>,
}

impl<'t> Said<'t> {
    fn new(text: &'t str) -> Self {
        Self { words: wording::words(text).into_iter().map(|(_, word)| word).collect() }
    }

    /// The first of the phrases that is there, and whether one was.
    fn takes(&mut self, phrases: &[&str]) -> bool {
        let found = phrases.iter().find_map(|phrase| {
            (0..self.words.len()).find_map(|at| Some(at..at + phrase_length(phrase, &self.words[at..])?))
        });
        found.map(|found| self.words.drain(found)).is_some()
    }

    /// "first coffee?", "my first expense": of many orders, "first" alone is a place.
    fn oldest(&mut self) -> bool {
        let leads = self.words.first().is_some_and(|word| word == "first");
        leads && self.words.remove(0) == "first" || self.takes(&OLDEST)
    }

    fn group(&mut self) -> Option<&'static str> {
        let (group, phrases) = GROUPS.iter().find(|(_, phrases)| self.takes(phrases))?;
        // "breakdown by category"
        while self.takes(phrases) {}
        Some(group)
    }

    fn order(&mut self) -> Option<&'static str> {
        if self.takes(&LARGEST) { Some("largest") } else { self.takes(&SMALLEST).then_some("smallest") }
    }

    /// "the top 3 categories", "the biggest month"; the smallest of them are not to be had.
    fn ranked_group(&mut self) -> Option<&'static str> {
        let groups: [(&str, &[&str]); 4] = [
            ("category", &["category", "categories"]),
            ("month", &["month", "months"]),
            ("week", &["week", "weeks"]),
            ("day", &["day", "days"]),
        ];
        groups.iter().find(|(_, nouns)| self.takes(nouns)).map(|(group, _)| *group)
    }

    fn is_about(&self, group: &str, reader: Reader) -> bool {
        about(&self.words.join(" "), None, reader) == group
    }

    fn is_about_one(&self) -> bool {
        !self.words.iter().any(|word| word.ends_with('s') && !matches!(&**word, "was" | "is" | "whats" | "what's"))
    }

    /// With what the question is about; None if words are left that nothing is known of.
    fn subject(self, mut arguments: Value, sums: bool, counts: bool, reader: Reader) -> Option<Value> {
        let text = self.words.join(" ");
        // "how many may": what alone may be anything is a month.
        if let (None, [found]) = (arguments.get("range"), &reader.ranges(&text)[..]) {
            arguments["range"] = iso(found.range);
        }
        let category = category_after(&text, &["on", "for", "in"], reader);
        let others = about(&text, category.as_deref(), reader);
        // A sign of several currencies.
        if category.as_deref().or(Some(&others)).is_some_and(|name| currency_alone(name, reader).is_some()) {
            return None;
        }
        // "How many days did I buy something?"
        if counts && ["days", "weeks", "months", "years", "categories"].contains(&others.as_str()) {
            return None;
        }
        // "How many times did I eat out?"
        let others = if matches!(others.as_str(), "eat out" | "dine out") { "eating out".to_owned() } else { others };
        let known = CATEGORIES.contains(&others.as_str()) || others == "eating out";
        let category = category.or_else(|| known.then(|| others.clone()));
        let others = if known { String::new() } else { others };
        match category {
            Some(category) if sums => arguments["category"] = category.into(),
            Some(category) => arguments["categories"] = json!([category]),
            None => {}
        }
        match others.split(' ').count() {
            _ if others.is_empty() => {}
            // "Statistik Oktober"
            1 if arguments.get("range").is_none()
                && let Some(range) = alone_in_days(&others, reader) =>
            {
                arguments["range"] = range;
            }
            1 | 2 if counts && sums => arguments["words"] = others.into(),
            1 | 2 if !sums => arguments["text"] = others.into(),
            _ => return None,
        }
        Some(arguments)
    }
}

/// Lists have bounds, sums have none.
fn bounded(mut arguments: Value, lower: &str, sums: bool, reader: Reader) -> Option<Reply> {
    let bounded = sums && !reader.amounts(lower).is_empty();
    // A list begins with how many it has.
    if bounded && arguments["by"] == "none" && arguments.get("compare").is_none() {
        arguments.as_object_mut()?.remove("by");
    } else if bounded {
        return None;
    }
    if let Err(question) = bounds::add(&mut arguments, lower, reader) {
        return Some(Reply::Ask(question));
    }
    // The smallest groups would be as many as there are.
    if sums && arguments.get("order").is_some_and(|order| order == "smallest") {
        return None;
    }
    let name = match sums {
        true if bounded => "list_expenses",
        true => "summarize_expenses",
        false => "filter_expenses",
    };
    Some(one(name, arguments))
}

fn iso(range: DateRange) -> Value {
    format!("{}..{}", range.from, range.to).into()
}

/// "the second biggest"
fn is_in_the_middle(lower: &str) -> bool {
    const PLACES: [&str; 9] = ["second", "third", "fourth", "fifth", "2nd", "3rd", "4th", "5th", "next"];
    let words = wording::words(lower);
    words.windows(2).any(|pair| PLACES.contains(&&*pair[0].1) && ranks(&pair[1].1))
}

/// A word that puts in order.
fn ranks(word: &str) -> bool {
    LARGEST.iter().chain(&SMALLEST).any(|rank| rank.split(' ').any(|part| part == word))
}

/// "the top 3", "three biggest": where it stands, and what it is.
fn number(lower: &str) -> Option<(Range<usize>, u64)> {
    const WORDS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let words = wording::words(lower);
    let ranked =
        |at: usize| words.get(at).is_some_and(|(_, word)| ranks(word) || matches!(&**word, "first" | "oldest"));
    words.iter().enumerate().find_map(|(at, (span, word))| {
        let spelt = WORDS.iter().position(|known| known == word).map(|index| index as u64 + 2);
        let number = spelt.or_else(|| word.parse().ok())?;
        let is_beside = ranked(at + 1) || at > 0 && ranked(at - 1);
        (is_beside && (1..=50).contains(&number)).then(|| (span.clone(), number))
    })
}

/// "the cheapest one", "and the smallest"
pub(super) fn order_alone(text: &str) -> Option<&'static str> {
    let mut said = Said::new(text);
    let order = said.order();
    order.filter(|_| said.words.iter().all(|word| matches!(&**word, "the" | "and" | "one" | "ones")))
}

fn is_question(lower: &str, reader: Reader) -> bool {
    const OPENERS: [&str; 34] = [
        "what", "what's", "whats", "which", "when", "how", "average", "avg", "where", "count", "categories", "per",
        "show", "list", "find", "search", "compare", "give", "tell", "break", "breakdown", "summarise", "summarize",
        "sum", "total", "totals", "spending", "expenses", "monthly", "weekly", "daily", "did", "am", "is",
    ];
    const OURS: [&str; 6] = ["expenses", "expense", "purchases", "purchase", "categories", "category"];
    let said = wording::trimmed(wording::after_courtesies(lower), &["my", "our"], &[]);
    let first = wording::first_word(said);
    let last = said.split_whitespace().next_back().unwrap_or_default();
    let sums_up = SUMMARY.contains(&first.as_str()) || SUMMARY.contains(&last);
    let is_count = |word: &str| word.len() < 3 && word.parse::<u8>().is_ok();
    let ranked = || {
        // "the 3 biggest expenses"
        let told = wording::trimmed(said, &["the"], &[]);
        let told = if is_count(&wording::first_word(told)) { wording::rest(told) } else { told };
        ["top", "biggest", "largest", "highest", "smallest", "cheapest"].contains(&&*wording::first_word(told))
            && (says(lower, &OURS)
                // "top 3 this month"
                || is_count(&wording::first_word(wording::rest(told)))
                    && is_of_days(wording::rest(wording::rest(told)), reader))
            || ["first", "oldest", "earliest"].contains(&first.as_str()) && says(lower, &OURS)
            || ["biggest", "largest", "highest", "smallest", "cheapest", "lowest", "most expensive", "least expensive"]
                .iter()
                .any(|rank| said.starts_with(rank))
                && !has_figures(lower)
    };
    // "October by week"
    let groups = GROUPS.iter().flat_map(|(_, phrases)| *phrases).filter(|phrase| phrase.starts_with("by "));
    let ends_in_group = groups.into_iter().any(|phrase| lower.trim_end().ends_with(phrase));
    lower.contains('?')
        || order_alone(lower).is_some()
        || ends_in_group
        || is_in_the_middle(lower) && !has_figures(lower)
        || sums_up
        || lower.starts_with("number of ")
        || OPENERS.contains(&first.as_str())
        || OPENERS.contains(&wording::first_word(lower).as_str())
        || ranked()
}

/// One span of days, or nothing.
fn is_of_days(text: &str, reader: Reader) -> bool {
    let spans: Vec<_> = reader.ranges(text).into_iter().map(|found| found.span).collect();
    wording::without(text, &spans, &LEADS).is_empty()
}

fn has_figures(lower: &str) -> bool {
    lower.split_whitespace().any(|word| word.ends_with(|letter: char| letter.is_ascii_digit()))
}

pub(super) fn says(lower: &str, any: &[&str]) -> bool {
    wording::words(lower).iter().any(|(_, word)| is_one_of(word, any))
}
