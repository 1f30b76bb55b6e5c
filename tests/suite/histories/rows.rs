//! Rows of the reference model, as arguments of tools and as clients see them.

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::USER;

/// Code and number of decimals.
pub const CURRENCIES: [(&str, u32); 3] = [("GBP", 2), ("JPY", 0), ("KWD", 3)];

/// A field of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field {
    Item(&'static str),
    /// In minor units, with the index of a currency.
    Money(i64, usize),
    Date(Date),
    /// Empty for none.
    Category(&'static str),
    /// Empty for none.
    Notes(&'static str),
    /// In equal parts of these categories; empty to join them.
    Parts(&'static [&'static str]),
}

pub const MOST_PARTS: usize = 3;

/// One call of a tool. `R` refers to a row: by its number, or at random.
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
    /// The parts of a split expense, with their categories.
    pub parts: [Option<(i64, &'static str)>; MOST_PARTS],
}

impl Spent {
    /// If a field is given twice, the last one wins, as in a JSON object. None if the parts would not add up.
    pub fn with(self, fields: &[Field]) -> Option<Spent> {
        let mut parts = None;
        let mut filed = None;
        for field in fields {
            match *field {
                Field::Parts(categories) => parts = Some(categories),
                Field::Category(category) => filed = Some(category),
                _ => {}
            }
        }
        let mut spent = self.with_each(fields);
        let divided = |(n, category): (usize, &&'static str), of: usize| {
            let (n, of) = (i64::try_from(n).ok()?, i64::try_from(of).ok()?);
            Some((spent.minor / of + i64::from(n < spent.minor % of), *category))
        };
        match parts {
            Some([]) => spent.parts = Default::default(),
            Some(categories) => {
                if filed.is_some_and(|filed| !filed.is_empty()) || spent.minor < i64::try_from(categories.len()).ok()? {
                    return None;
                }
                let shares = categories.iter().enumerate().map(|part| divided(part, categories.len()));
                spent.parts = Default::default();
                spent.parts.iter_mut().zip(shares).for_each(|(part, share)| *part = share);
                spent.category = "";
            }
            None if self.parts[0].is_none() => {}
            None if filed.is_some() => return None,
            None => spent.parts = self.parts_as(spent.currency).filter(|parts| total(parts) == spent.minor)?,
        }
        Some(spent)
    }

    /// The same decimal amounts in another currency.
    fn parts_as(&self, currency: usize) -> Option<[Option<(i64, &'static str)>; MOST_PARTS]> {
        let (from, to) = (10_i64.pow(CURRENCIES[self.currency].1), 10_i64.pow(CURRENCIES[currency].1));
        let mut parts = self.parts;
        for (minor, _) in parts.iter_mut().flatten() {
            *minor = (*minor * to % from == 0).then_some(*minor * to / from)?;
        }
        Some(parts)
    }

    /// The sum of each category.
    pub fn by_category(&self) -> Vec<(&'static str, i64)> {
        let mut sums: Vec<(&'static str, i64)> = Vec::new();
        for (minor, category) in self.parts.iter().flatten() {
            match sums.iter_mut().find(|(name, _)| name == category) {
                Some((_, sum)) => *sum += minor,
                None => sums.push((category, *minor)),
            }
        }
        let whole = if self.category.is_empty() { "uncategorised" } else { self.category };
        if sums.is_empty() { vec![(whole, self.minor)] } else { sums }
    }

    fn with_each(mut self, fields: &[Field]) -> Spent {
        for field in fields {
            match *field {
                Field::Item(item) => self.item = item,
                Field::Money(minor, currency) => (self.minor, self.currency) = (minor, currency),
                Field::Date(date) => self.date = date,
                Field::Category(category) => self.category = category,
                Field::Notes(notes) => self.notes = notes,
                Field::Parts(_) => {}
            }
        }
        self
    }
}

impl Row {
    pub fn json(&self) -> Value {
        let Row { id, version, spent: Spent { item, minor, currency, date, category, notes, parts } } = *self;
        let (decimal, scale) = (decimal(minor, currency), 10_i64.pow(CURRENCIES[currency].1));
        let number = if minor % scale == 0 { json!(minor / scale) } else { json!(decimal.parse::<f64>().ok()) };
        let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let mut row = json!({
            "kind": "expense", "id": id, "version": version, "item": item, "amount": number, "currency": CURRENCIES[currency].0,
            "money": { "amount": decimal, "currency": CURRENCIES[currency].0 }, "date": date,
            "category": some(category), "notes": some(notes), "owner": USER,
        });
        if parts[0].is_some() {
            let lines = parts.iter().flatten().map(|(minor, category)| {
                json!({ "amount": self::decimal(*minor, currency), "category": category, "note": null })
            });
            row["lines"] = lines.collect();
        }
        row
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
            Field::Parts(categories) => {
                let lines = categories.iter().map(|category| json!({ "category": category }));
                ("lines", lines.collect())
            }
        };
        arguments.insert(name.into(), value);
    }
    arguments
}

fn total(parts: &[Option<(i64, &'static str)>]) -> i64 {
    parts.iter().flatten().map(|(minor, _)| minor).sum()
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
