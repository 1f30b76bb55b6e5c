//! The expense and its stored record.

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    money::{Currency, Money},
    proposal::{Body, Contribution, Draft, hash_text},
    sorted::Collect,
    tool::plain_text::{capped, plain},
};

pub use crate::tool::words::{name, words};

/// Prefix of the record keys.
pub const KIND: &str = "E";

/// The kind's name for programs.
pub const NAME: &str = "expense";

/// The rollup group of expenses without a category.
pub const NO_CATEGORY: &str = "uncategorised";

/// In the body and in JSON rows.
pub const BANK_ID: &str = "bankId";

pub const ITEM_CHARS: usize = 120;
const CATEGORY_CHARS: usize = 40;
pub const NOTES_CHARS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expense {
    pub item: String,
    pub money: Money,
    pub date: Date,
    pub category: Option<String>,
    pub notes: Option<String>,
    /// The parts of a split expense: none, or at least two whose sum is `money`. A split expense has no category of its
    /// own.
    pub lines: Vec<Line>,
    /// What the bank calls it, if it was imported.
    pub bank_id: Option<String>,
}

/// A part of a split expense, in the expense's currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub minor: i64,
    pub category: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Expense {
    pub fn draft(&self, owner: &str) -> Draft {
        let Expense { item, money, date, category, notes, lines, bank_id } = self;
        let parts = self.parts();
        let mut body = Body::from([
            ("item".to_owned(), json!(item)),
            ("minor".to_owned(), json!(money.minor)),
            ("currency".to_owned(), json!(money.currency.code())),
        ]);
        body.extend(category.as_ref().map(|category| ("category".to_owned(), json!(category))));
        body.extend(notes.as_ref().map(|notes| ("notes".to_owned(), json!(notes))));
        body.extend(bank_id.as_ref().map(|id| (BANK_ID.to_owned(), json!(id))));
        if !lines.is_empty() {
            let categories: BTreeSet<&str> = parts.iter().map(|(category, _)| *category).inserted();
            // Filters use this.
            body.insert("categories".into(), json!(categories));
            body.insert("lines".into(), json!(lines));
        }
        let contribution = |(group, amount): &(&str, i64)| Contribution {
            date: *date,
            unit: money.currency.code().into(),
            group: (*group).into(),
            amount: *amount,
        };
        Draft {
            kind: KIND.into(),
            owner: owner.into(),
            body,
            date: *date,
            name: Some(name(item)),
            rollups: parts.iter().map(contribution).collect(),
            unique_key: None,
            duplicate_key: Some(hash_text(&format!("{}|{}|{}", words(item), money.minor, money.currency.code()))),
        }
    }

    /// None if the record is not an expense or cannot be read.
    pub fn of(draft: &Draft) -> Option<Expense> {
        if draft.kind != KIND {
            return None;
        }
        let text = |name: &str| draft.body.get(name).and_then(Value::as_str).map(str::to_owned);
        let lines = draft.body.get("lines").map_or(Ok(vec![]), |lines| serde_json::from_value(lines.clone()));
        Some(Expense {
            item: text("item")?,
            money: Money {
                minor: draft.body.get("minor")?.as_i64()?,
                currency: Currency::parse(&text("currency")?).ok()?,
            },
            date: draft.date,
            category: text("category"),
            notes: text("notes"),
            lines: lines.ok()?,
            bank_id: text(BANK_ID),
        })
    }

    /// Minor units per rollup group.
    pub fn parts(&self) -> Vec<(&str, i64)> {
        match self.lines.as_slice() {
            [] => vec![(self.category.as_deref().unwrap_or(NO_CATEGORY), self.money.minor)],
            lines => by_category(lines),
        }
    }
}

/// Minor units per category, in the order of the first part of each.
pub fn by_category(lines: &[Line]) -> Vec<(&str, i64)> {
    let mut sums: Vec<(&str, i64)> = Vec::new();
    for Line { minor, category, .. } in lines {
        match sums.iter_mut().find(|(name, _)| name == category) {
            Some((_, sum)) => *sum += minor,
            None => sums.push((category, *minor)),
        }
    }
    sums
}

/// The item's name without markup, safe to show. An error if it is empty or too long.
pub fn item(text: &str) -> Result<String, String> {
    let item = plain(text);
    if words(&item).trim().is_empty() {
        return Err("the name is missing. Say what you bought".into());
    }
    capped("the item", item, ITEM_CHARS)
}

/// In lower case, because categories are compared without case. None for no category. An error if it is too long.
pub fn category(text: &str) -> Result<Option<String>, String> {
    let group = group(text)?;
    Ok((!group.is_empty() && group != NO_CATEGORY).then_some(group))
}

/// The group of rollups: a category or [`NO_CATEGORY`].
pub fn group(text: &str) -> Result<String, String> {
    capped("the category", plain(text).to_lowercase(), CATEGORY_CHARS)
}

pub fn notes(text: &str) -> Result<Option<String>, String> {
    let notes = plain(text);
    if notes.is_empty() {
        return Ok(None);
    }
    capped("the notes", notes, NOTES_CHARS).map(Some)
}
