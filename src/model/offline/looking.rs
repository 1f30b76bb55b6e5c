//! Questions about what was spent: totals and lists.
//!
//! A bound it cannot read exactly is asked about; it is never left out of the query.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{Question, Reply, adding::currency_alone, bounds, conversation::one, wording};
use crate::phrases::{self, DateReading};

pub(super) fn read(text: &str, command: &str, today: Date) -> Option<Reply> {
    let lower = text.to_lowercase().replace('’', "'");
    let first = wording::first_word(command);
    let words = wording::words(&lower);
    let says = |word: &str| words.iter().any(|(_, said)| said == word);
    let asks = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    let listing =
        matches!(first.as_str(), "list" | "show" | "display" | "see" | "view" | "find" | "search" | "expenses")
            || asks(&["what did i buy", "what have i bought", "what are my", "which expenses", "what expenses"])
            || matches!(first.as_str(), "last" | "recent" | "latest" | "my") && (says("expenses") || says("purchases"))
            || matches!(first.as_str(), "last" | "latest") && words.len() == 2 && limit(&lower).is_some();
    if listing && (says("budget") || says("budgets")) {
        return None;
    }
    if listing && !says("balance") && !says("total") {
        return Some(list(text, &lower, today));
    }
    let totalling = asks(&[
        "how much",
        "what's my balance",
        "what is my balance",
        "my balance",
        "what did i spend",
        "what have i spent",
        "how many pounds",
    ]) || matches!(first.as_str(), "total" | "balance" | "sum" | "spending")
        || (listing || first == "what") && (says("total") || says("balance"));
    (totalling && !asks(&["how much is ", "how much does "])).then(|| total(text, &lower, today))
}

/// The question before, with what was left open now said.
pub(super) fn answered(before: &str, answer: &str, today: Date) -> Option<Reply> {
    if let Some(text) = bounds::answered(before, answer) {
        return read(&text, wording::after_courtesies(&text), today);
    }
    let range = phrases::resolve_range(answer, today).ok()?;
    let unsettled = phrases::dates(before, today);
    let spans: Vec<_> = unsettled
        .into_iter()
        .filter(|found| !matches!(found.reading, DateReading::On(_)))
        .map(|found| found.span)
        .collect();
    let text = format!("{} from {} to {}", wording::without(before, &spans, &LEADS), range.from, range.to);
    read(&text, wording::after_courtesies(&text), today)
}

const LEADS: [&str; 9] = ["on", "in", "for", "from", "during", "since", "of", "the", "at"];

fn total(text: &str, lower: &str, today: Date) -> Reply {
    if is_beyond(lower) {
        return cannot();
    }
    let mut arguments = json!({});
    if let Err(question) = add_range(&mut arguments, text, today) {
        return Reply::Ask(question);
    }
    let category = category_after(lower, &["on", "for"], today).or_else(|| category_after(lower, &["in"], today));
    if category.as_deref().is_some_and(|name| currency_alone(name).is_some()) {
        return Reply::Say(wording::PER_CURRENCY.to_owned());
    }
    let others = about(lower, category.as_deref(), today);
    let priced = ["how much was ", "how much were "].iter().any(|opening| lower.contains(opening));
    match category {
        None if priced && !others.is_empty() => arguments["words"] = others.into(),
        _ if !others.is_empty() || !phrases::amounts(&with_plain_years(lower)).is_empty() => return cannot(),
        Some(category) => arguments["category"] = category.into(),
        None => {}
    }
    let name = if arguments.get("words").is_some() { "list_expenses" } else { "get_balance" };
    one(name, arguments)
}

fn list(text: &str, lower: &str, today: Date) -> Reply {
    if is_beyond(lower) {
        return cannot();
    }
    let mut arguments = json!({});
    let bounded = add_range(&mut arguments, text, today).and_then(|()| bounds::add(&mut arguments, lower));
    if let Err(question) = bounded {
        return Reply::Ask(question);
    }
    let generic = ["expenses", "purchases", "spending", "transactions"].iter().any(|word| lower.contains(word));
    let known = |name: &String| generic || wording::KNOWN_CATEGORIES.contains(&name.as_str());
    let category = category_after(lower, &["on", "for", "in"], today)
        .or_else(|| category_before(lower, today))
        .or_else(|| (!generic).then(|| about(lower, None, today)))
        .filter(|name| !name.is_empty() && known(name));
    let others = about(lower, category.as_deref(), today);
    let by_words = !generic || NAMING.iter().any(|word| last_word_before(lower, &others) == *word);
    match others.as_str() {
        "" => {}
        words if by_words && category.is_none() => arguments["words"] = words.into(),
        _ => return cannot(),
    }
    if let Some(category) = category {
        arguments["category"] = category.into();
    }
    if let Some(limit) = limit(lower) {
        arguments["limit"] = limit.into();
    }
    one("list_expenses", arguments)
}

fn cannot() -> Reply {
    Reply::Say(wording::CANNOT_LOOK.to_owned())
}

/// What no total and no list can show: orders, averages, groups, exceptions, and rows by number.
fn is_beyond(lower: &str) -> bool {
    const BEYOND: [&str; 24] = [
        "excluding",
        "except",
        "without",
        "besides",
        "biggest",
        "largest",
        "smallest",
        "highest",
        "lowest",
        "cheapest",
        "expensive",
        "average",
        "sorted",
        "sort",
        "order",
        "per",
        "each",
        "by",
        "breakdown",
        "compare",
        "versus",
        "vs",
        "not",
        "or",
    ];
    wording::words(lower).iter().any(|(_, word)| BEYOND.contains(&word.as_str()) || word.starts_with('#'))
}

fn add_range(arguments: &mut Value, text: &str, today: Date) -> Result<(), Question> {
    let text = with_plain_years(text);
    let unsettled = phrases::dates(&text, today).into_iter().find(|found| !matches!(found.reading, DateReading::On(_)));
    if let Some(found) = unsettled {
        return Err(which_day(found.reading));
    }
    match &phrases::ranges(&text, today)[..] {
        [] => Ok(()),
        [found] => {
            arguments["range"] = format!("{}..{}", found.range.from, found.range.to).into();
            Ok(())
        }
        many => Err(Question {
            text: "Which of these days do you mean?".to_owned(),
            options: many.iter().map(|found| found.range.to_string()).collect(),
            missing: vec!["date"],
        }),
    }
}

/// In a question about what was spent, a year after "for" or "of" is a year.
fn with_plain_years(text: &str) -> String {
    let mut plain = text.to_owned();
    for (span, word) in
        wording::words(text).windows(2).rev().map(|pair| (pair[0].0.clone(), (pair[0].1.as_str(), pair[1].1.as_str())))
    {
        let year = word.1.len() == 4 && (word.1.starts_with("19") || word.1.starts_with("20"));
        if year && matches!(word.0, "for" | "expenses") {
            plain.replace_range(span, "in");
        }
    }
    plain
}

pub(super) fn which_day(reading: DateReading) -> Question {
    let missing = vec!["date"];
    match reading {
        DateReading::Impossible(why) => {
            let mut characters = why.chars();
            let sentence = characters.next().map(|first| first.to_uppercase().chain(characters).collect::<String>());
            Question {
                text: format!("{}. Which day was it?", sentence.unwrap_or_default()),
                options: Vec::new(),
                missing,
            }
        }
        DateReading::Ambiguous(many) => {
            let options = many.iter().map(|day| day.strftime("%-d %B %Y").to_string()).collect();
            Question { text: "Which day do you mean?".to_owned(), options, missing }
        }
        DateReading::On(_) => Question { text: "Which day do you mean?".to_owned(), options: Vec::new(), missing },
    }
}

pub(super) fn which_amount(options: &[String]) -> Question {
    let text = match options {
        [one, other] => format!("Is that {one} or {other}?"),
        _ => "What is the exact amount?".to_owned(),
    };
    Question { text, options: if options.len() > 1 { options.to_vec() } else { Vec::new() }, missing: vec!["amount"] }
}

fn limit(lower: &str) -> Option<u64> {
    const COUNTED: [&str; 5] = ["expenses", "purchases", "entries", "items", "transactions"];
    let words = wording::words(lower);
    let ranked =
        words.windows(2).filter(|pair| ["last", "latest", "top", "first", "recent"].contains(&pair[0].1.as_str()));
    let ranked = ranked
        .filter(|pair| !lower[pair[1].0.end..].trim_start().starts_with(['d', 'w', 'm', 'y']))
        .map(|pair| &pair[1].1);
    let counted = words.windows(2).filter(|pair| COUNTED.contains(&pair[1].1.as_str())).map(|pair| &pair[0].1);
    ranked.chain(counted).filter_map(|word| word.parse().ok()).find(|limit| (1..=500).contains(limit))
}

fn last_word_before<'l>(lower: &'l str, words: &str) -> &'l str {
    let first = words.split(' ').next().unwrap_or_default();
    lower.split(first).next().unwrap_or_default().split_whitespace().last().unwrap_or_default()
}

/// "on food", "for groceries": what is left there when time and money are taken out.
fn category_after(lower: &str, leads: &[&str], today: Date) -> Option<String> {
    let text = bare(lower, today);
    let words = wording::words(&text);
    let lead = words.iter().rposition(|(_, word)| leads.contains(&word.as_str()))?;
    let rest = &text[words[lead].0.end..];
    named(wording::trimmed(
        rest,
        &["the", "my", "category"],
        &["category", "expenses", "so", "far", "please", "total", "all"],
    ))
}

/// "food expenses"
fn category_before(lower: &str, today: Date) -> Option<String> {
    let text = bare(lower, today);
    let end = text.find("expenses")?;
    let kept = wording::trimmed(&text[..end], &GLUE, &GLUE);
    named(kept).filter(|name| !name.chars().any(|character| character.is_ascii_digit()))
}

/// The words of a question that say neither what to do, nor when, nor how much: it is about these.
fn about(lower: &str, category: Option<&str>, today: Date) -> String {
    let text = bare(lower, today);
    let without = category.map_or(text.clone(), |category| text.replacen(category, " ", 1));
    let numbered = limit(lower).is_some();
    let kept = wording::words(&without).into_iter().map(|(_, word)| word).filter(|word| {
        let counts = numbered && word.bytes().all(|byte| byte.is_ascii_digit());
        !counts && !GLUE.contains(&word.as_str()) && !(category.is_some() && word == "category")
    });
    kept.collect::<Vec<_>>().join(" ")
}

fn bare(lower: &str, today: Date) -> String {
    let plain = with_plain_years(lower);
    let times = phrases::ranges(&plain, today).into_iter().map(|found| found.span);
    let amounts = phrases::amounts(&plain).into_iter().map(|found| found.span);
    let leads = [
        "on", "in", "for", "from", "during", "since", "of", "the", "over", "under", "above", "below", "more", "less",
        "than", "between", "and", "at", "least", "most", "up", "to",
    ];
    wording::without(&plain, &times.chain(amounts).collect::<Vec<_>>(), &leads)
}

fn named(text: &str) -> Option<String> {
    let count = wording::words(text).len();
    let pronoun = matches!(text, "i" | "me" | "it" | "that" | "this" | "everything" | "average" | "far");
    ((1..=3).contains(&count) && !pronoun).then(|| text.to_owned())
}

const NAMING: [&str; 8] = ["with", "containing", "named", "called", "matching", "like", "about", "mentioning"];

/// Words that questions are made of, whatever they ask about.
const GLUE: [&str; 130] = [
    "list",
    "show",
    "display",
    "see",
    "view",
    "find",
    "search",
    "look",
    "me",
    "my",
    "all",
    "the",
    "please",
    "can",
    "you",
    "i",
    "we",
    "us",
    "our",
    "want",
    "to",
    "what",
    "whats",
    "what's",
    "are",
    "last",
    "latest",
    "recent",
    "which",
    "top",
    "first",
    "of",
    "for",
    "could",
    "would",
    "like",
    "a",
    "an",
    "did",
    "do",
    "have",
    "has",
    "had",
    "is",
    "was",
    "were",
    "be",
    "been",
    "expenses",
    "expense",
    "purchases",
    "purchase",
    "transactions",
    "transaction",
    "entries",
    "entry",
    "items",
    "item",
    "buy",
    "bought",
    "spend",
    "spent",
    "spending",
    "spendings",
    "pay",
    "paid",
    "cost",
    "costs",
    "costing",
    "that",
    "in",
    "on",
    "from",
    "during",
    "since",
    "up",
    "so",
    "far",
    "now",
    "total",
    "totals",
    "sum",
    "balance",
    "amount",
    "how",
    "much",
    "many",
    "money",
    "pounds",
    "i've",
    "ive",
    "get",
    "give",
    "tell",
    "and",
    "at",
    "any",
    "every",
    "everything",
    "with",
    "containing",
    "named",
    "called",
    "matching",
    "about",
    "mentioning",
    "altogether",
    "overall",
    "there",
    "it",
    "than",
    "need",
    "know",
    "just",
    "only",
    "record",
    "recorded",
    "let",
    "over",
    "under",
    "above",
    "below",
    "more",
    "less",
    "least",
    "most",
    "between",
    "rows",
    "list's",
    "history",
];
