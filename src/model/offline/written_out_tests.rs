//! For tests that write answers out: what such an answer shows.

use serde_json::{Value, json};

use super::{Message, options::Asking, tests::reader};
use crate::{
    money::Money,
    phrases::{AmountMention, CurrencyMention, DateReading, Reading, list_marks::number_first},
    proposal::Call,
    shown::{Asked, Changes, Counted, Line, List, Shown, ShownRow},
};

const YES_OR_NO: &str = "(yes / no)";

/// If it is a list, the query is the one that found it.
pub(super) fn answer(text: &str, query: Option<Call>) -> Message {
    let mut shown = shown(text);
    if let Some(list) = &mut shown.list {
        list.call = query;
    }
    Message::answer(text, shown)
}

pub(super) fn asking(question: &str) -> Asking {
    super::options::question_in(&[answer(question, None)])
}

fn shown(text: &str) -> Shown {
    let first = text.split(' ').next().unwrap_or_default();
    let verb = first.to_lowercase();
    if text.contains(YES_OR_NO) {
        return Shown { proposal: Some(changes(text, &verb)), ..Shown::default() };
    }
    if ["added", "changed", "deleted", "restored"].contains(&&*verb) {
        let verb = verb.strip_suffix("ed").unwrap_or(&verb);
        let verb = ["delete", "change", "restore"].into_iter().find(|whole| whole.starts_with(verb)).unwrap_or(verb);
        return Shown { written: Some(changes(text, verb)), ..Shown::default() };
    }
    let numbered = || text.lines().filter_map(|line| number_first(line)).map(|(id, line)| row(id, line));
    if text.contains('?') || text.starts_with("- #") {
        return Shown { asked: Some(asked(text)), rows: numbered().collect(), ..Shown::default() };
    }
    let rows: Vec<ShownRow> = numbered().collect();
    let is_of = text.split(' ').nth(1) == Some("of") && first.parse::<usize>().is_ok();
    let has_more =
        is_of || ["The next ", "and there are more", "… and ", " more)"].iter().any(|more| text.contains(more));
    let list = List { lines: rows.len(), has_more, continues: text.starts_with("The last "), ..List::default() };
    Shown { rows, list: Some(list), ..Shown::default() }
}

fn asked(text: &str) -> Asked {
    const MISSING: [(&str, &str); 9] = [
        ("currency", "currency"),
        ("day", "date"),
        ("which category is it", "category"),
        ("how much was each part", "lines"),
        ("how much is each part", "lines"),
        ("is all of it", "all"),
        ("do you mean only the", "which"),
        ("which one should i stop", "item"),
        ("which expense should i delete", "expense"),
    ];
    let (options, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("- "));
    let lower = text.to_lowercase();
    let missing = MISSING.iter().filter(|(words, _)| lower.contains(words)).map(|(_, missing)| (*missing).to_owned());
    let options: Vec<String> = options.iter().map(|option| option[2..].to_owned()).collect();
    Asked {
        text: lines.join("\n"),
        values: options.iter().map(|option| value(option)).collect(),
        name: text.strip_prefix("Which “").and_then(|rest| Some(rest.split_once('”')?.0.to_owned())),
        options,
        missing: missing.collect(),
        is_at_the_end: true,
        ..Asked::default()
    }
}

/// "#9 “uber”, £12.00", "the recurring entry “netflix”, £12.00 every month from 1 Dec 2026", "15 Oct 2026"
fn value(option: &str) -> Value {
    let entry = || {
        let (item, told) = option.strip_prefix("the recurring entry ").unwrap_or(option).split_once('”')?;
        let every = told.split_once(" every ")?.1.split(' ').next()?;
        Some(json!({ "item": item.strip_prefix('“')?, "every": every }))
    };
    let row = number_first(option).map(|(id, _)| json!({ "id": id }));
    row.or_else(entry).or_else(|| Some(json!({ "date": day(option)? }))).unwrap_or_default()
}

fn changes(text: &str, verb: &str) -> Changes {
    let headline = text.lines().next().unwrap_or_default();
    let count = headline.split(' ').nth(1).and_then(|word| word.replace(',', "").parse().ok());
    let of = |line: &str| {
        let (id, line) = number_first(line).unwrap_or((0, line));
        let id = line.split_once("(#").and_then(|(_, id)| id.split(')').next()?.parse().ok()).unwrap_or(id);
        let (before, after) = (row(id, line), changed(id, line));
        match verb {
            "add" => Line { verb: verb.into(), before: None, after: Some(after), is_side_effect: false },
            "delete" => Line { verb: verb.into(), before: Some(before), after: None, is_side_effect: false },
            _ => Line { verb: verb.into(), before: Some(before), after: Some(after), is_side_effect: false },
        }
    };
    let listed = text.lines().skip(1).filter_map(|line| match line.split_once(". ") {
        Some((number, line)) if number.parse::<usize>().is_ok() => Some(line),
        _ => line.starts_with('#').then_some(line),
    });
    let lines: Vec<Line> = match count {
        Some(_) => listed.map(of).collect(),
        None => vec![of(headline.split_once(' ').map_or("", |(_, rest)| rest))],
    };
    let rows = count.unwrap_or(1);
    let kind = lines.first().and_then(Line::row).map_or("E", |row| &row.kind).to_owned();
    let rough = text.contains("that this is the exact amount").then(|| "roughly".to_owned());
    Changes { counts: vec![Counted { verb: verb.into(), kind, rows }], lines, doubts: rough.into_iter().collect() }
}

/// “coffee”, £3.50 (food £2.00, household £1.50), 20 Nov 2026: amount £3.50 → £4.00
fn row(id: u64, line: &str) -> ShownRow {
    let line = line.split(" → ").next().unwrap_or_default();
    let (name, figures) = line.split_once('“').and_then(|(_, rest)| rest.split_once('”')).unwrap_or(("", line));
    let figures = figures.split(": ").next().unwrap_or_default();
    let prices = reader().amounts(figures);
    let money = prices.first().and_then(money_of);
    let parts = figures.split_once(" (").and_then(|(_, rest)| rest.split_once(')')).map_or("", |(parts, _)| parts);
    let parts = parts.split(", ").filter_map(|part| {
        let price = reader().amounts(part).into_iter().next()?;
        Some((part[..price.span.start].trim().to_owned(), money_of(&price)?.minor))
    });
    ShownRow {
        kind: if line.contains("the budget for") { "MB" } else { "E" }.into(),
        id,
        name: (!name.is_empty()).then(|| name.to_owned()),
        date: day(figures),
        amount: money.map(|money: Money| money.minor),
        unit: money.map(|money| money.currency.code().to_owned()),
        parts: parts.collect(),
    }
}

fn changed(id: u64, line: &str) -> ShownRow {
    let before = row(id, line);
    let Some((_, new)) = line.split_once(" → ") else { return before };
    let money = reader().amounts(new).first().and_then(money_of).filter(|_| line.contains("amount "));
    ShownRow {
        amount: money.map(|money| money.minor).or(before.amount),
        date: day(new).filter(|_| line.contains("date ")).or(before.date),
        ..before
    }
}

fn money_of(price: &AmountMention) -> Option<Money> {
    let (Reading::Exact(value), CurrencyMention::Known(currency)) = (&price.reading, &price.currency) else {
        return None;
    };
    Money::parse(value, *currency).ok()
}

fn day(text: &str) -> Option<jiff::civil::Date> {
    match reader().dates(text).into_iter().next()?.reading {
        DateReading::On(day) => Some(day),
        _ => None,
    }
}
