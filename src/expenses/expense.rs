//! An expense, and how it becomes a record and words.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::grounding;
use crate::{
    money::{Currency, Money},
    phrases,
    proposal::{Body, Change, Contribution, Draft, Note, Record, hash_text},
    tool::{RecordKind, ToolContext},
};

/// The prefix of an expense's keys.
pub const KIND: &str = "E";

/// The rollup group of expenses without a category.
const NO_CATEGORY: &str = "uncategorised";

const ITEM_CHARS: usize = 120;
const CATEGORY_CHARS: usize = 40;
const NOTES_CHARS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expense {
    pub item: String,
    pub money: Money,
    pub date: Date,
    pub category: Option<String>,
    pub notes: Option<String>,
}

pub struct ExpenseKind;

impl Expense {
    pub fn draft(&self, owner: &str) -> Draft {
        let Expense { item, money, date, category, notes } = self;
        let mut body = Body::from([
            ("item".to_owned(), json!(item)),
            // What descriptions are matched against.
            ("words".to_owned(), json!(words(item))),
            ("minor".to_owned(), json!(money.minor)),
            ("currency".to_owned(), json!(money.currency.code())),
        ]);
        body.extend(category.as_ref().map(|category| ("category".to_owned(), json!(category))));
        body.extend(notes.as_ref().map(|notes| ("notes".to_owned(), json!(notes))));
        Draft {
            kind: KIND.into(),
            owner: owner.into(),
            body,
            date: *date,
            rollups: vec![Contribution {
                date: *date,
                unit: money.currency.code().into(),
                group: category.clone().unwrap_or_else(|| NO_CATEGORY.into()),
                amount: money.minor,
            }],
            likeness: Some(hash_text(&format!("{}|{}|{}", words(item), money.minor, money.currency.code()))),
        }
    }

    /// None if the record is not an expense, or one that this program cannot read.
    pub fn of(draft: &Draft) -> Option<Expense> {
        let text = |name: &str| draft.body.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Expense {
            item: text("item")?,
            money: Money {
                minor: draft.body.get("minor")?.as_i64()?,
                currency: Currency::parse(&text("currency")?).ok()?,
            },
            date: draft.date,
            category: text("category"),
            notes: text("notes"),
        })
    }
}

/// An item's name, safe to show: what is stored is data and never markup.
pub fn item(text: &str) -> Result<String, String> {
    let item = plain(text);
    if item.chars().filter(|c| c.is_alphanumeric()).count() == 0 {
        return Err("what was bought is missing: say its name".into());
    }
    capped("the item", item, ITEM_CHARS)
}

/// Categories are equal whatever their case.
pub fn category(text: &str) -> Result<Option<String>, String> {
    let category = plain(text).to_lowercase();
    if category.is_empty() || category == NO_CATEGORY {
        return Ok(None);
    }
    capped("the category", category, CATEGORY_CHARS).map(Some)
}

pub fn notes(text: &str) -> Result<Option<String>, String> {
    let notes = plain(text);
    if notes.is_empty() {
        return Ok(None);
    }
    capped("the notes", notes, NOTES_CHARS).map(Some)
}

/// Lower-case words with a space on either side of each, so that `contains(" tea ")` finds no "steak".
pub fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

/// Without control and direction characters, and without what makes links, images, code or quotes.
fn plain(text: &str) -> String {
    let kept: String = phrases::clean(text).chars().filter(|c| !"[]<>`“”\"\\".contains(*c)).collect();
    kept.trim().to_owned()
}

fn capped(what: &str, text: String, limit: usize) -> Result<String, String> {
    match text.chars().count() {
        n if n > limit => Err(format!("{what} has {n} characters, at most {limit} are kept: say it shorter")),
        _ => Ok(text),
    }
}

impl RecordKind for ExpenseKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "expense" } else { "expenses" }
    }

    fn describe(&self, draft: &Draft) -> String {
        let Some(expense) = Expense::of(draft) else { return "an expense that cannot be read".into() };
        let category = expense.category.map(|category| format!(", in {category}")).unwrap_or_default();
        let notes = expense.notes.map(|notes| format!(" (“{notes}”)")).unwrap_or_default();
        format!("“{}”, {}, {}{category}{notes}", expense.item, expense.money, day(expense.date))
    }

    fn describe_change(&self, before: &Draft, after: &Draft) -> String {
        let (Some(before), Some(after)) = (Expense::of(before), Expense::of(after)) else {
            return "an expense that cannot be read".into();
        };
        let none = || "none".to_owned();
        let fields = [
            ("item", format!("“{}”", before.item), format!("“{}”", after.item)),
            ("amount", before.money.to_string(), after.money.to_string()),
            ("date", day(before.date), day(after.date)),
            ("category", before.category.unwrap_or_else(none), after.category.unwrap_or_else(none)),
            ("notes", before.notes.unwrap_or_else(none), after.notes.unwrap_or_else(none)),
        ];
        let changes = fields.into_iter().filter(|(_, before, after)| before != after);
        changes.map(|(name, before, after)| format!("{name} {before} → {after}")).collect::<Vec<_>>().join(", ")
    }

    /// `amount` is the number that existing pages expect; `money` is exact.
    fn row(&self, record: &Record) -> Value {
        let Some(expense) = Expense::of(&record.draft) else {
            return json!({ "id": record.id, "version": record.version });
        };
        let decimal = expense.money.decimal();
        json!({
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
        })
    }

    fn amount(&self, unit: &str, minor: i128) -> (String, String) {
        match (Currency::parse(unit), i64::try_from(minor)) {
            (Ok(currency), Ok(minor)) => {
                let money = Money { minor, currency };
                (money.decimal(), money.to_string())
            }
            _ => (minor.to_string(), format!("{minor} minor units of {unit}")),
        }
    }

    fn doubts(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        grounding::doubts(changes, context)
    }
}

/// A legacy number for a decimal; whole amounts stay whole.
pub fn number(decimal: &str) -> Value {
    let whole = decimal
        .split_once('.')
        .map_or(decimal, |(whole, fraction)| if fraction.bytes().all(|digit| digit == b'0') { whole } else { decimal });
    whole.parse::<i64>().map(Value::from).or_else(|_| whole.parse::<f64>().map(Value::from)).unwrap_or_default()
}

pub fn day(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}
