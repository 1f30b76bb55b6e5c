//! What rows are to the reference model, how a tool is told of them, and how clients see them.

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::USER;

/// Code and decimals.
pub const CURRENCIES: [(&str, u32); 3] = [("GBP", 2), ("JPY", 0), ("KWD", 3)];

/// What can be said of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field {
    Item(&'static str),
    /// In minor units of one of the currencies.
    Money(i64, usize),
    Date(Date),
    /// Empty for none.
    Category(&'static str),
    /// Empty for none.
    Notes(&'static str),
}

/// One call of a tool. `R` is how a row is meant: by its number, or at random.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation<R> {
    Add(Vec<Field>),
    Change(R, Vec<Field>),
    Delete(R),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    pub id: u64,
    pub version: u64,
    pub spent: Spent,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    pub item: &'static str,
    pub minor: i64,
    pub currency: usize,
    pub date: Date,
    pub category: &'static str,
    pub notes: &'static str,
}

impl Spent {
    /// Of two fields that are of one kind the last holds, as in an object.
    pub fn with(mut self, fields: &[Field]) -> Spent {
        for field in fields {
            match *field {
                Field::Item(item) => self.item = item,
                Field::Money(minor, currency) => (self.minor, self.currency) = (minor, currency),
                Field::Date(date) => self.date = date,
                Field::Category(category) => self.category = category,
                Field::Notes(notes) => self.notes = notes,
            }
        }
        self
    }
}

impl Row {
    pub fn json(&self) -> Value {
        let Row { id, version, spent: Spent { item, minor, currency, date, category, notes } } = *self;
        let (decimal, scale) = (decimal(minor, currency), 10_i64.pow(CURRENCIES[currency].1));
        let number = if minor % scale == 0 { json!(minor / scale) } else { json!(decimal.parse::<f64>().ok()) };
        let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        json!({
            "id": id, "version": version, "item": item, "amount": number, "currency": CURRENCIES[currency].0,
            "money": { "amount": decimal, "currency": CURRENCIES[currency].0 }, "date": date,
            "category": some(category), "notes": some(notes), "owner": USER,
        })
    }
}

impl Operation<u64> {
    pub fn call(&self) -> (&'static str, Value) {
        let of = |id: &u64, mut fields: Map<String, Value>| {
            fields.insert("id".into(), json!(id));
            Value::Object(fields)
        };
        match self {
            Operation::Add(fields) => ("add_expense", Value::Object(arguments(fields))),
            Operation::Change(id, fields) => ("update_expense", of(id, arguments(fields))),
            Operation::Delete(id) => ("delete_expense", of(id, Map::new())),
        }
    }
}

pub fn arguments(fields: &[Field]) -> Map<String, Value> {
    let mut arguments = Map::new();
    for field in fields {
        let (name, value) = match *field {
            Field::Item(item) => ("item", json!(item)),
            Field::Money(minor, currency) => {
                arguments.insert("currency".into(), json!(CURRENCIES[currency].0));
                ("amount", json!(decimal(minor, currency)))
            }
            Field::Date(date) => ("date", json!(date)),
            Field::Category(category) => ("category", json!(category)),
            Field::Notes(notes) => ("notes", json!(notes)),
        };
        arguments.insert(name.into(), value);
    }
    arguments
}

pub fn decimal(minor: i64, currency: usize) -> String {
    match CURRENCIES[currency].1 {
        0 => minor.to_string(),
        places => {
            let scale = 10_i64.pow(places);
            format!("{}.{:0width$}", minor / scale, minor % scale, width = places as usize)
        }
    }
}
