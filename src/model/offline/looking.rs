//! Questions about what was spent: totals and lists.
//!
//! A bound it cannot read exactly is asked about; it is never left out of the query.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{Question, Reply, conversation::one, wording};
use crate::phrases::{self, DateReading, Reading};

pub(super) fn read(text: &str, command: &str, today: Date) -> Option<Reply> {
    let lower = text.to_lowercase().replace('’', "'");
    let first = wording::first_word(command);
    let words = wording::words(&lower);
    let says = |word: &str| words.iter().any(|(_, said)| said == word);
    let asks = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    let listing =
        matches!(first.as_str(), "list" | "show" | "display" | "see" | "view" | "find" | "search" | "expenses")
            || asks(&["what did i buy", "what have i bought", "what are my", "which expenses", "what expenses"])
            || matches!(first.as_str(), "last" | "recent" | "latest" | "my") && (says("expenses") || says("purchases"));
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
    let mut arguments = json!({});
    if let Err(question) = add_range(&mut arguments, text, today) {
        return Reply::Ask(question);
    }
    if let Some(category) =
        category_after(lower, &["on", "for"], today).or_else(|| category_after(lower, &["in"], today))
    {
        arguments["category"] = category.into();
    }
    one("get_balance", arguments)
}

fn list(text: &str, lower: &str, today: Date) -> Reply {
    let mut arguments = json!({});
    let bounded = add_range(&mut arguments, text, today).and_then(|()| add_bounds(&mut arguments, lower));
    if let Err(question) = bounded {
        return Reply::Ask(question);
    }
    if let Some(category) = category_after(lower, &["on", "for", "in"], today).or_else(|| category_before(lower, today))
    {
        arguments["category"] = category.into();
    }
    if let Some(limit) = limit(lower) {
        arguments["limit"] = limit.into();
    }
    one("list_expenses", arguments)
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

fn add_bounds(arguments: &mut Value, lower: &str) -> Result<(), Question> {
    let amounts = phrases::amounts(lower);
    let limited =
        |start: usize| ["last", "latest", "top", "first", "recent"].contains(&last_word(&lower[..start]).as_str());
    let amounts: Vec<_> = amounts.into_iter().filter(|found| !limited(found.span.start)).collect();
    let between = amounts.len() == 2 && lower[..amounts[0].span.start].trim_end().ends_with("between");
    for (index, found) in amounts.iter().enumerate() {
        let value = match &found.reading {
            Reading::Exact(value) => value.clone(),
            Reading::Ambiguous(options) => return Err(which_amount(options)),
        };
        let before = &lower[..found.span.start];
        let ends = |words: &[&str]| words.iter().any(|word| before.trim_end().ends_with(word));
        let key = match index {
            0 if between => "min_amount",
            1 if between => "max_amount",
            _ if ends(&[
                "over",
                "above",
                "more than",
                "at least",
                "from",
                "greater than",
                "bigger than",
                "exceeding",
            ]) =>
            {
                "min_amount"
            }
            _ if ends(&["under", "below", "less than", "up to", "at most", "smaller than"]) => "max_amount",
            _ => {
                return Err(Question {
                    text: format!("Expenses over {value}, or up to {value}?"),
                    options: vec![format!("over {value}"), format!("up to {value}")],
                    missing: vec![],
                });
            }
        };
        arguments[key] = value.into();
    }
    Ok(())
}

pub(super) fn which_amount(options: &[String]) -> Question {
    let text = match options {
        [one, other] => format!("Is that {one} or {other}?"),
        _ => "What is the exact amount?".to_owned(),
    };
    Question { text, options: if options.len() > 1 { options.to_vec() } else { Vec::new() }, missing: vec!["amount"] }
}

fn limit(lower: &str) -> Option<u64> {
    let words = wording::words(lower);
    let pairs =
        words.windows(2).filter(|pair| ["last", "latest", "top", "first", "recent"].contains(&pair[0].1.as_str()));
    let mut limits = pairs
        .filter(|pair| !lower[pair[1].0.end..].trim_start().starts_with(['d', 'w', 'm', 'y']))
        .filter_map(|pair| pair[1].1.parse().ok());
    limits.next().filter(|limit| (1..=500).contains(limit))
}

fn last_word(text: &str) -> String {
    wording::words(text).pop().map(|(_, word)| word).unwrap_or_default()
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
    let front = [
        "list", "show", "display", "see", "view", "find", "search", "me", "my", "all", "the", "please", "can", "you",
        "i", "want", "to", "what", "are", "last", "latest", "recent", "which", "top", "first", "of", "for", "could",
        "would", "like", "a", "did", "have", "is", "were",
    ];
    let kept = wording::trimmed(&text[..end], &front, &front);
    named(kept).filter(|name| !name.chars().any(|character| character.is_ascii_digit()))
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
