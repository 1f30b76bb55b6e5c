//! A change of mind about what was shown: "yes but 45", "no, yesterday", "all except the taxis".
//!
//! Only what is nothing but that is read so; "tea 2" beside a waiting proposal is something new.

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::wording::words;
use crate::phrases::{self, CurrencyMention, DateReading, Reading};

/// How a proposal's question ends.
const ASKED: &str = "(yes / no)";

/// Words that say nothing but that something is meant otherwise.
const LEADS: [&str; 40] = [
    "yes", "yep", "yeah", "ok", "okay", "no", "nope", "but", "actually", "sorry", "wait", "make", "change", "set",
    "it", "that", "this", "was", "is", "it's", "its", "should", "be", "to", "rather", "instead", "on", "for", "with",
    "the", "amount", "date", "price", "day", "please", "i", "meant", "mean", "not", "only",
];

/// The arguments of `revise_proposal`, if that is what the person says about what they were shown.
pub(super) fn read(shown: &str, said: &str, today: Date) -> Option<Value> {
    if !shown.contains(ASKED) {
        return None;
    }
    let lines = lines(shown);
    excluded(&lines, said).map(|numbers| json!({ "exclude": numbers })).or_else(|| {
        // Of several lines it could mean any.
        let fields = if lines.is_empty() { edited(said, today)? } else { return None };
        Some(json!({ "edits": [{ "line": 1, "fields": fields }] }))
    })
}

/// The numbered lines of a proposal of several operations, with what they are about in words.
fn lines(shown: &str) -> Vec<(usize, String)> {
    let numbered = shown.lines().filter_map(|line| {
        let (number, text) = line.split_once(". ")?;
        Some((number.parse().ok()?, text.to_lowercase()))
    });
    numbered.collect()
}

/// One amount, one day or both, and a word that says that it is a correction.
fn edited(said: &str, today: Date) -> Option<Map<String, Value>> {
    let (amounts, dates) = (phrases::amounts(said), phrases::dates(said, today));
    if amounts.len() > 1 || dates.len() > 1 {
        return None;
    }
    let mut fields = Map::new();
    if let Some(mention) = amounts.first() {
        let Reading::Exact(amount) = &mention.reading else { return None };
        fields.insert("amount".into(), json!(amount));
        match &mention.currency {
            CurrencyMention::None => {}
            CurrencyMention::Known(currency) => {
                fields.insert("currency".into(), json!(currency.code()));
            }
            CurrencyMention::Ambiguous(_) => return None,
        }
    }
    if let Some(mention) = dates.first() {
        let DateReading::On(date) = mention.reading else { return None };
        fields.insert("date".into(), json!(date.to_string()));
    }
    let spans: Vec<_> =
        amounts.iter().map(|it| it.span.clone()).chain(dates.iter().map(|it| it.span.clone())).collect();
    let mut rest =
        words(said).into_iter().filter(|(at, _)| !spans.iter().any(|span| span.start < at.end && at.start < span.end));
    let mut leads = rest.by_ref().peekable();
    (!fields.is_empty() && leads.peek().is_some() && leads.all(|(_, word)| LEADS.contains(&word.as_str())))
        .then_some(fields)
}

/// The numbers of the lines that are excepted, each of which must be there, and not all of them.
fn excluded(lines: &[(usize, String)], said: &str) -> Option<Vec<usize>> {
    const BEFORE: [&str; 18] = [
        "yes",
        "and",
        "yep",
        "yeah",
        "ok",
        "okay",
        "sure",
        "please",
        "do",
        "add",
        "delete",
        "change",
        "all",
        "everything",
        "both",
        "of",
        "them",
        "it",
    ];
    const EXCEPT: [&str; 6] = ["except", "excluding", "without", "minus", "excepting", "but"];
    const EMPTY: [&str; 12] =
        ["the", "for", "one", "ones", "not", "number", "line", "from", "please", "those", "that", "my"];
    let said = words(&said.replace(',', " and "));
    let at = said.iter().position(|(_, word)| EXCEPT.contains(&word.as_str()))?;
    let (before, after) = said.split_at(at);
    // "yes but 45" is no exception; "all but 2" is one, and "yes but not 2" too.
    let but = after.first()?.1 == "but";
    let whole = before.iter().any(|(_, word)| matches!(word.as_str(), "all" | "everything" | "both"));
    let not = after.get(1).is_some_and(|(_, word)| word == "not" || word == "without");
    if before.iter().any(|(_, word)| !BEFORE.contains(&word.as_str())) || (but && !whole && !not) {
        return None;
    }
    let names = after[1..].split(|(_, word)| word == "and" || word == "or" || word == "&");
    let mut numbers = Vec::new();
    for name in names {
        let telling = name.iter().map(|(_, word)| word.trim_start_matches('#')).filter(|word| !EMPTY.contains(word));
        let telling: Vec<&str> = telling.filter(|word| !EXCEPT.contains(word)).collect();
        if name.is_empty() {
            continue;
        }
        let number = |word: &&str| word.parse::<usize>().ok();
        let found: Vec<usize> = match telling.iter().map(number).collect::<Option<Vec<_>>>() {
            _ if telling.is_empty() => return None,
            Some(numbers) if numbers.iter().all(|n| lines.iter().any(|(line, _)| line == n)) => numbers,
            Some(_) => return None,
            None => {
                let is_meant = |text: &str| {
                    let text = words(text);
                    let has = |name: &&str| text.iter().any(|(_, word)| singular(word) == singular(name));
                    telling.iter().all(has)
                };
                lines.iter().filter(|(_, text)| is_meant(text)).map(|(n, _)| *n).collect()
            }
        };
        if found.is_empty() {
            return None;
        }
        numbers.extend(found);
    }
    numbers.sort_unstable();
    numbers.dedup();
    (numbers.len() < lines.len()).then_some(numbers)
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}
