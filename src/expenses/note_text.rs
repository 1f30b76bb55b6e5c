//! The words of notes about expenses.

use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{expense::Line, expense_text::describe_lines};
use crate::{
    money::{Currency, Money},
    phrases::Style,
    proposal::{Note, NoteKind},
};

/// None if the default words say it.
pub fn of_expense(note: &Note, style: Style) -> Option<String> {
    let (value, said) = (&note.value, note.why.said.as_deref().unwrap_or_default());
    let (name, text) = (note.why.name.as_deref().unwrap_or_default(), value.as_str().unwrap_or_default());
    let of_it = if name.is_empty() { String::new() } else { format!(" of “{name}”") };
    let day = |text: &str| text.parse().map_or_else(|_| text.to_owned(), |day: Date| style.days.written(day));
    Some(match (&*note.field, &*note.why.code) {
        ("amount", "") => match note.kind {
            NoteKind::UnusualAmount => {
                format!("{} is a lot for one expense", money(value)?.written(style.money))
            }
            _ => format!("the amount, {}", money(value)?.written(style.money)),
        },
        ("amount", "another") => format!("that this is another “{name}”, {}", money(value)?.written(style.money)),
        ("amount", why) => format!("{} (you said “{said}”), {}", doubt(why)?, money(value)?.written(style.money)),
        ("currency", "") if !said.is_empty() => format!("the currency of “{said}”, {text}"),
        ("date", "") if !said.is_empty() => format!("the date{of_it}, {} (you said “{said}”)", day(text)),
        ("date", "") => format!("the date{of_it}, {}", day(text)),
        ("item", "") => format!("the name, “{text}”"),
        ("item", "place") => {
            format!("that “{said}” is part of the name. If it is a category, say “put it in {said}”")
        }
        ("item", "of_its_own") => format!("that “{text}” is an expense of its own"),
        ("item", "two") => {
            format!("that “{}” and “{}” are two expenses", value[0].as_str()?, value[1].as_str()?)
        }
        ("item", "not_spent") => format!("{} (you said “{said}”), “{text}”", doubt("not_spent")?),
        ("category", "") => format!("the category{of_it}, {text}"),
        ("category", "remembered") => format!("the category{of_it}, as on {}, in {text}", day(said)),
        ("category", "last") => format!("that only “{name}” is in {text}"),
        ("notes", "") => format!("the notes, “{text}”"),
        ("lines", "split") => split_rows(value)?,
        ("lines", why) => parts(value, why, style)?,
        ("select", "all") => format!("all of them (you said “{said}”)"),
        ("said", "also_said") => {
            let values: Vec<String> = note.values().iter().map(said_value).collect();
            format!("you also said {}", values.join(" and "))
        }
        _ => return None,
    })
}

/// What is assumed where words like "around" or "Anna paid" make an amount doubtful.
fn doubt(why: &str) -> Option<&'static str> {
    Some(match why {
        "roughly" => "that this is the exact amount",
        "each" => "that this is the whole price",
        "repeated" => "that you paid it once",
        "to_come" => "that you paid it already",
        "unsure" => "that it is certain",
        "shared" => "that you paid all of it",
        "not_mine" => "that you paid it",
        "not_spent" => "that this is an expense",
        _ => return None,
    })
}

fn parts(value: &Value, why: &str, style: Style) -> Option<String> {
    let (lines, currency) = (read::<Vec<Line>>(&value["lines"])?, Currency::parse(value["currency"].as_str()?).ok()?);
    let described = describe_lines(&lines, ", ", currency, style);
    Some(match why {
        "category" => format!("the category of a part, {described}"),
        "remark" => format!("the remark on a part, “{}”", lines.first()?.note.as_ref()?),
        "larger" => format!("which part is the larger one, {described}"),
        _ => format!("the parts, {described}"),
    })
}

fn split_rows(value: &Value) -> Option<String> {
    let row = |row: &Value| {
        let categories: Vec<&str> = row["categories"].as_array()?.iter().filter_map(Value::as_str).collect();
        Some(format!("#{} “{}” is split over {}", row["id"], row["item"].as_str()?, categories.join(" and ")))
    };
    let mut named: Vec<String> = value["rows"].as_array()?.iter().filter_map(row).collect();
    named.extend(value["more"].as_u64().filter(|more| *more > 0).map(|more| format!("{more} more are split too")));
    Some(format!("{}. Change or delete a split expense by itself", named.join(", ")))
}

fn said_value(value: &Value) -> String {
    match (value["id"].as_u64(), value["item"].as_str()) {
        (Some(id), _) => format!("#{id}"),
        (None, Some(item)) => format!("“{item}”"),
        (None, None) => value.as_str().unwrap_or_default().to_owned(),
    }
}

pub fn money(value: &Value) -> Option<Money> {
    let currency = Currency::parse(value["currency"].as_str()?).ok()?;
    Some(Money { minor: value["minor"].as_i64()?, currency })
}

pub fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}
