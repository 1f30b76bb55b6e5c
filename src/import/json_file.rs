//! JSON: a list of expenses, as sayso exports it.

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use super::{Entry, Part, Reading, Rejection, Settings, Unreadable, check_count, notation::is_zero};
use crate::money::{Amount, Currency};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expense {
    date: Date,
    item: String,
    money: Option<Money>,
    amount: Option<Amount>,
    currency: Option<Currency>,
    category: Option<String>,
    notes: Option<String>,
    #[serde(default)]
    lines: Vec<Part>,
    bank_id: Option<String>,
}

#[derive(Deserialize)]
struct Money {
    amount: Amount,
    currency: Currency,
}

pub(super) fn read(text: &str) -> Result<Reading, Unreadable> {
    let broken = |error: serde_json::Error| Unreadable::Json(error.to_string());
    let list: Value = serde_json::from_str(text).map_err(broken)?;
    let list = match list {
        Value::Array(list) => list,
        Value::Object(mut fields) => match fields.remove("items") {
            Some(Value::Array(list)) => list,
            _ => return Err(Unreadable::Json("it is no list of expenses".into())),
        },
        _ => return Err(Unreadable::Json("it is no list of expenses".into())),
    };
    check_count(list.len())?;
    let mut reading = Reading { settings: Settings::default(), ..Reading::default() };
    for (at, value) in list.into_iter().enumerate() {
        match entry(at + 1, &value) {
            Ok(entry) => reading.entries.push(entry),
            Err(reason) => reading.rejections.push(Rejection::new(at + 1, &value.to_string(), reason)),
        }
    }
    Ok(reading)
}

fn entry(line: usize, value: &Value) -> Result<Entry, String> {
    let expense = Expense::deserialize(value).map_err(|error| error.to_string())?;
    let Expense { date, item, money, amount, currency, category, notes, lines, bank_id } = expense;
    let (amount, currency) = match (money, amount) {
        (Some(Money { amount, currency }), _) => (amount, Some(currency)),
        (None, Some(amount)) => (amount, currency),
        (None, None) => return Err("there is no amount".into()),
    };
    if is_zero(amount.as_str()) {
        return Err("the amount is zero".into());
    }
    let amount = amount.as_str().to_owned();
    Ok(Entry { line, date, name: item, amount, currency, category, notes, bank_id, parts: lines })
}
