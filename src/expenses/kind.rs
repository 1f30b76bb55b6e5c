//! Expenses as a kind of record: their words, and how clients see them.

use jiff::{ToSpan, civil::Date};
use serde_json::{Map, Value, json};

use super::{
    add_expense::unusual,
    category_preference,
    expense::{Expense, KIND},
    grounding, lines, search_by_meaning,
    snapshot::snapshot,
    update_expense::UpdateExpense,
};
use crate::{
    money::{Currency, Money},
    phrases::{self, DateRange, Style},
    proposal::{Change, Draft, Note, Record},
    store::{Condition, Overview},
    tool::{PreferenceOffer, RecordKind, ToolContext, ToolError},
};

/// How far from its day something may be that is told of anew.
const NEAR_DAYS: i64 = 7;

pub struct ExpenseKind;

impl RecordKind for ExpenseKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "expense" } else { "expenses" }
    }

    /// "The lunch was 14" may tell of a lunch that is there with another amount, and "was 14 on Friday" on another day.
    fn possible_duplicates(&self, draft: &Draft, said: &[String]) -> Option<(Condition, DateRange)> {
        let says = |tells: fn(&str) -> bool| said.last().is_some_and(|text| tells(text));
        let item = || Expense::of(draft).map(|expense| Condition::Equals("item", expense.item));
        let condition = says(phrases::tells_of_known)
            .then(item)
            .flatten()
            .or_else(|| draft.duplicate_key.clone().map(Condition::DuplicateOf))?;
        let days = if says(phrases::tells_anew) { NEAR_DAYS } else { 0 };
        let (from, to) = (draft.date.saturating_sub(days.days()), draft.date.saturating_add(days.days()));
        Some((condition, DateRange { from, to }))
    }

    fn describe(&self, draft: &Draft, style: Style) -> String {
        let Some(expense) = Expense::of(draft) else { return "an expense that I cannot read".into() };
        let category = expense.category.map(|category| format!(", in {category}")).unwrap_or_default();
        let notes = expense.notes.map(|notes| format!(" (“{notes}”)")).unwrap_or_default();
        let (money, day) = (expense.money.written(style.money), style.days.written(expense.date));
        let parts = match expense.lines.as_slice() {
            [] => String::new(),
            lines => format!(" ({})", lines::described(lines, ", ", expense.money.currency, style)),
        };
        format!("“{}”, {money}{parts}, {day}{category}{notes}", expense.item)
    }

    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String {
        let (Some(before), Some(after)) = (Expense::of(before), Expense::of(after)) else {
            return "an expense that I cannot read".into();
        };
        let none = || "none".to_owned();
        let filed = |Expense { category, lines, money, .. }: &Expense| match lines.as_slice() {
            [] => category.clone().unwrap_or_else(none),
            lines => lines::described(lines, " + ", money.currency, style),
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

    /// `amount` is the number that existing pages expect; `money` is exact.
    fn row(&self, record: &Record) -> Value {
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
            row["lines"] = lines::view(&expense.lines, expense.money.currency);
        }
        row
    }

    fn amount(&self, unit: &str, minor: i128, style: Style) -> (String, String) {
        match (Currency::parse(unit), i64::try_from(minor)) {
            (Ok(currency), Ok(minor)) => {
                let money = Money { minor, currency };
                (money.decimal(), money.written(style.money))
            }
            _ => (minor.to_string(), format!("{minor} minor units of {unit}")),
        }
    }

    fn unusual(&self, draft: &Draft, style: Style) -> Option<Note> {
        unusual(Expense::of(draft)?.money, style)
    }

    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        if let Some(pointer) = fields.keys().find(|name| matches!(name.as_str(), "id" | "description" | "cost" | "on"))
        {
            return Err(ToolError::Malformed(format!("an expense has no `{pointer}`")));
        }
        let edit: UpdateExpense =
            serde_json::from_value(Value::Object(fields)).map_err(|error| ToolError::Malformed(error.to_string()))?;
        let unreadable = || ToolError::Refused("I cannot read this expense".into());
        Ok(edit.edited(&Expense::of(draft).ok_or_else(unreadable)?, context)?.draft(&draft.owner))
    }

    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        grounding::unsupported(changes, context)
    }

    fn meaning(&self) -> Option<fn(&Draft) -> String> {
        Some(search_by_meaning::meaning)
    }

    fn snapshot(&self, overview: &Overview, today: Date) -> Option<String> {
        snapshot(overview, today)
    }

    fn preference_offer(&self, draft: &Draft, context: &ToolContext<'_>) -> Option<PreferenceOffer> {
        category_preference::preference_offer(draft, context)
    }
}

/// A legacy number for a decimal; whole amounts stay whole.
pub fn number(decimal: &str) -> Value {
    let whole = decimal
        .split_once('.')
        .map_or(decimal, |(whole, fraction)| if fraction.bytes().all(|digit| digit == b'0') { whole } else { decimal });
    whole.parse::<i64>().map(Value::from).or_else(|_| whole.parse::<f64>().map(Value::from)).unwrap_or_default()
}
