//! How an expense is written for a person, for clients and for embeddings.

use serde_json::{Value, json};

use super::{
    expense::{BANK_ID, Expense, KIND, Line},
    spoken_facts::money_fields,
};
use crate::{
    money::{Currency, Money},
    phrases::Style,
    proposal::{Draft, Note, NoteKind, Record},
    shown::ShownRow,
};

/// One line for a person: “coffee”, £3.50, 19 Nov 2026.
pub fn describe(draft: &Draft, style: Style) -> String {
    let Some(expense) = Expense::of(draft) else { return "an expense that I cannot read".into() };
    let category = expense.category.map(|category| format!(", in {category}")).unwrap_or_default();
    let notes = expense.notes.map(|notes| format!(" (“{notes}”)")).unwrap_or_default();
    let (money, day) = (expense.money.written(style.money), style.days.written(expense.date));
    let parts = match expense.lines.as_slice() {
        [] => String::new(),
        lines => format!(" ({})", describe_lines(lines, ", ", expense.money.currency, style)),
    };
    format!("“{}”, {money}{parts}, {day}{category}{notes}", expense.item)
}

/// A row as later messages refer to it.
pub fn shown(record: &Record) -> ShownRow {
    ShownRow::described(record, Expense::of(&record.draft).map(|expense| expense.item))
}

/// The fields that differ: "amount £3.50 → £4.20".
pub fn describe_change(before: &Draft, after: &Draft, style: Style) -> String {
    let (Some(before), Some(after)) = (Expense::of(before), Expense::of(after)) else {
        return "an expense that I cannot read".into();
    };
    let none = || "none".to_owned();
    let filed = |Expense { category, lines, money, .. }: &Expense| match lines.as_slice() {
        [] => category.clone().unwrap_or_else(none),
        lines => describe_lines(lines, " + ", money.currency, style),
    };
    let split = if before.lines.is_empty() || after.lines.is_empty() { "category" } else { "parts" };
    let fields = [
        ("name", format!("“{}”", before.item), format!("“{}”", after.item)),
        ("amount", before.money.written(style.money), after.money.written(style.money)),
        ("date", style.days.written(before.date), style.days.written(after.date)),
        (split, filed(&before), filed(&after)),
        ("notes", before.notes.unwrap_or_else(none), after.notes.unwrap_or_else(none)),
    ];
    let changes = fields.into_iter().filter(|(_, before, after)| before != after);
    changes.map(|(name, before, after)| format!("{name} {before} → {after}")).collect::<Vec<_>>().join(", ")
}

/// `amount` is a number, for older clients; `money` is exact.
pub fn row(record: &Record) -> Value {
    let Some(expense) = Expense::of(&record.draft) else {
        return json!({ "id": record.id, "version": record.version });
    };
    let decimal = expense.money.decimal();
    let mut row = json!({
        "id": record.id,
        "item": expense.item,
        "amount": number(&decimal),
        "currency": expense.money.currency.code(),
        "money": { "amount": decimal, "currency": expense.money.currency.code() },
        "date": expense.date,
        "category": expense.category,
        "notes": expense.notes,
        "owner": record.draft.owner,
        "version": record.version,
    });
    if !expense.lines.is_empty() {
        row["lines"] = line_rows(&expense.lines, expense.money.currency);
    }
    if let Some(id) = expense.bank_id {
        row[BANK_ID] = id.into();
    }
    row
}

pub fn amount(unit: &str, minor: i128, style: Style) -> (String, String) {
    match (Currency::parse(unit), i64::try_from(minor)) {
        (Ok(currency), Ok(minor)) => {
            let money = Money { minor, currency };
            (money.decimal(), money.written(style.money))
        }
        _ => (minor.to_string(), format!("{minor} minor units of {unit}")),
    }
}

/// "food £30.00, household £20.00", with `between` as the separator.
pub fn describe_lines(lines: &[Line], between: &str, currency: Currency, style: Style) -> String {
    let told = lines.iter().map(|Line { minor, category, note }| {
        let note = note.as_ref().map(|note| format!(" (“{note}”)")).unwrap_or_default();
        format!("{category} {}{note}", Money { minor: *minor, currency }.written(style.money))
    });
    told.collect::<Vec<_>>().join(between)
}

/// The shape that clients receive: `[{ amount, category, note }]`.
pub fn line_rows(lines: &[Line], currency: Currency) -> Value {
    let view = lines.iter().map(|Line { minor, category, note }| {
        json!({ "amount": Money { minor: *minor, currency }.decimal(), "category": category, "note": note })
    });
    view.collect()
}

/// "£3.50, €4.00 and $5.00"
pub fn listed(amounts: Vec<String>) -> String {
    match amounts.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        Some((only, _)) => only.clone(),
        None => String::new(),
    }
}

/// The text that an embedding is made from.
pub fn meaning(draft: &Draft) -> String {
    let text = |name: &str| draft.body.get(name).and_then(Value::as_str);
    let of_parts = draft.body.get("categories").and_then(Value::as_array).into_iter().flatten();
    let categories: Vec<&str> = text("category").into_iter().chain(of_parts.filter_map(Value::as_str)).collect();
    let category = if categories.is_empty() { String::new() } else { format!(" ({})", categories.join(", ")) };
    let notes = text("notes").map(|notes| format!(": {notes}")).unwrap_or_default();
    format!("{}{category}{notes}", text("item").unwrap_or_default())
}

/// A decimal as a number, for older clients. Whole amounts become integers.
pub fn number(decimal: &str) -> Value {
    let whole = decimal
        .split_once('.')
        .map_or(decimal, |(whole, fraction)| if fraction.bytes().all(|digit| digit == b'0') { whole } else { decimal });
    serde_json::from_str(whole).unwrap_or_default()
}

/// In major units. A larger amount gets a note, except in the currencies below.
const USUAL: i64 = 1_000;

/// How many times as much is usual in currencies whose units are worth less than a fifth of a euro, roughly, and less
/// than a thirtieth.
const SMALL_UNITS: [(i64, &[&str]); 2] = [
    (
        10,
        &[
            "BOB", "BWP", "CNY", "CZK", "DKK", "GTQ", "HKD", "MAD", "MDL", "MXN", "NOK", "SEK", "THB", "TTD", "TWD",
            "ZAR",
        ],
    ),
    (
        100,
        &[
            "ALL", "AMD", "ARS", "BDT", "CLP", "COP", "CRC", "DOP", "DZD", "EGP", "ETB", "HUF", "IDR", "INR", "IQD",
            "IRR", "ISK", "JPY", "KES", "KRW", "KZT", "LBP", "LKR", "MMK", "NGN", "NPR", "PHP", "PKR", "PYG", "RSD",
            "RUB", "TRY", "TZS", "UAH", "UGX", "UYU", "UZS", "VND", "XAF", "XOF",
        ],
    ),
];

pub fn unusual(money: Money) -> Option<Note> {
    let scale =
        SMALL_UNITS.iter().find(|(_, codes)| codes.contains(&money.currency.code())).map_or(1, |(scale, _)| *scale);
    let limit = USUAL * scale * 10_i64.pow(money.currency.exponent());
    (money.minor > limit).then(|| Note::new(NoteKind::UnusualAmount, KIND, "amount", money_fields(money)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_small_unit_is_a_currency() {
        for code in super::SMALL_UNITS.into_iter().flat_map(|(_, codes)| codes) {
            assert!(crate::money::Currency::parse(code).is_ok(), "{code}");
        }
    }
}
