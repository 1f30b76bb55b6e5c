//! `update_expense`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    arguments::{currency, refused, spent_on},
    category_preference::{category_from_name, split_place},
    expense::{self, Expense, KIND},
    expense_text::{describe_lines, shown},
    lines::{LineInput, SPLIT_AND_FILED, in_currency, split},
    lookup::{ExpenseReference, find, find_each},
    replace::{Replace, TextField},
};
use crate::{
    money::{Amount, Currency, Money},
    phrases::{DateMention, DateReading},
    proposal::{Change, Record},
    shown::ShownRow,
    tool::{Action, Plan, Question, ToolContext, ToolError},
};

/// Propose to change one expense, found by its id or by a description that fits exactly one. Pass only the fields that
/// the person wants changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateExpense {
    /// The number the person gave (#42).
    pub id: Option<u64>,
    /// The person's words for it, if there is no number: "electricity bill".
    pub description: Option<String>,
    /// Its present amount, if the person identifies it by the amount ("the 12 one").
    pub cost: Option<Amount>,
    /// Its present day, if the person identifies it by the day: YYYY-MM-DD or their words.
    pub on: Option<String>,
    /// Its new name.
    pub item: Option<String>,
    /// Instead of a new name or new notes: only a part of them.
    pub replace: Option<Replace>,
    /// Its new amount, the exact decimal the person said.
    pub amount: Option<Amount>,
    /// Its new currency, as an ISO 4217 code.
    pub currency: Option<String>,
    /// Its new day: YYYY-MM-DD or the person's words.
    pub date: Option<String>,
    /// Its new category; empty for none.
    pub category: Option<String>,
    /// Its new notes; empty for none.
    pub notes: Option<String>,
    /// All its parts, if it is split over categories or its parts change. Empty, with a category, to join the parts
    /// again.
    pub lines: Option<Vec<LineInput>>,
}

impl Action for UpdateExpense {
    const NAME: &'static str = "update_expense";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let pointer = ExpenseReference {
            id: self.id,
            description: self.description.as_deref(),
            cost: self.cost.as_ref(),
            date: self.on.as_deref(),
        };
        // A new name, amount or parts can only be for one expense.
        let is_of_one = self.item.is_some() || self.amount.is_some() || self.lines.is_some();
        let found = if is_of_one { vec![find(pointer, context).await?] } else { find_each(pointer, context).await? };
        let (mut changes, many) = (Vec::new(), found.len() > 1);
        for before in found {
            let row = || context.row_names.reference(KIND, before.id);
            let Some(existing) = Expense::of(&before.draft) else {
                return Err(ToolError::Refused(format!("I cannot read {}, so I did not change it", row())));
            };
            let expense = self.edited(&existing, context).map_err(|error| about(error, &before))?;
            // Of several rows, those that would not change are left out.
            if expense == existing && many {
                continue;
            }
            if let Some(replace) = self.replace.as_ref().filter(|_| expense == existing) {
                return Err(ToolError::Refused(format!("{} has no {}. Say what to change", row(), replace.sought())));
            }
            if expense == existing {
                return Err(ToolError::Refused(format!("{} is already like that. Say what to change", row())));
            }
            let after = expense.draft(&before.draft.owner);
            changes.push(Change::Update { before, after });
        }
        if changes.is_empty() {
            return Err(ToolError::Refused("they are all like that already. Say what to change".into()));
        }
        Ok(Plan { changes, ..Plan::default() })
    }
}

impl UpdateExpense {
    /// The expense with the new values.
    pub fn edited(&self, existing: &Expense, context: &ToolContext<'_>) -> Result<Expense, ToolError> {
        let mut expense = existing.clone();
        if let Some(date) = &self.date {
            expense.date = nearest_year(spent_on(date, context)?, existing.date, context)?;
        }
        if let (Some(amount), None) = (&self.amount, &self.currency) {
            // A number without a currency keeps the row's currency.
            let context = ToolContext { currency: Some(existing.money.currency.code()), ..*context };
            expense.money.currency = currency(&[amount], None, &context)?;
        }
        self.apply(&mut expense)?;
        let is_filed = expense.category.is_some() || self.category.is_some() || !expense.lines.is_empty();
        match (&self.item, &expense.category) {
            (Some(_), None) if !is_filed => {
                (expense.item, expense.category) = category_from_name(expense.item, context)
            }
            // "toys in kids"
            (None, Some(category)) if self.category.is_some() => {
                let named = split_place(&expense.item, true).filter(|(_, behind)| behind.to_lowercase() == *category);
                expense.item = named.map(|(name, _)| name.to_owned()).unwrap_or(expense.item);
            }
            _ => {}
        }
        self.divide(&mut expense, existing, context)?;
        Ok(expense)
    }

    /// Keeps the sum of the parts equal to the amount. Asks for the parts if they cannot be calculated.
    fn divide(&self, expense: &mut Expense, existing: &Expense, context: &ToolContext<'_>) -> Result<(), ToolError> {
        let is_filed = expense.category.is_some() && self.category.is_some();
        match self.lines.as_deref() {
            Some([]) => expense.lines.clear(),
            Some(_) if is_filed => return Err(ToolError::Refused(SPLIT_AND_FILED.into())),
            Some(lines) => {
                expense.lines = split(lines, expense.money, context.style())?;
                expense.category = None;
            }
            None if existing.lines.is_empty() => {}
            None if self.category.is_none() && existing.money == expense.money => {}
            None => {
                let converted = in_currency(&existing.lines, existing.money.currency, expense.money);
                if let (Some(lines), None) = (converted, &self.category) {
                    expense.lines = lines;
                    return Ok(());
                }
                let parts = describe_lines(&existing.lines, ", ", existing.money.currency, context.style());
                let (asked, missing) = match &expense.category {
                    Some(category) => (format!("Is all of it {category} now?"), "all"),
                    None => ("How much is each part now?".into(), "lines"),
                };
                let text = format!("“{}” is split: {parts}. {asked}", existing.item);
                return Err(ToolError::ask(Question {
                    text,
                    options: vec![],
                    missing: vec![missing.into()],
                    rows: vec![ShownRow { name: Some(existing.item.clone()), ..ShownRow::default() }],
                    ..Question::default()
                }));
            }
        }
        Ok(())
    }

    fn apply(&self, expense: &mut Expense) -> Result<(), ToolError> {
        if let Some(replace) = &self.replace {
            if self.item.is_some() && replace.field == TextField::Item
                || self.notes.is_some() && replace.field == TextField::Notes
            {
                return Err(ToolError::Malformed("give a new text or `replace`, and not both".into()));
            }
            replace.apply(expense)?;
        }
        let currency = self.currency.as_deref().map(Currency::parse).transpose().map_err(refused)?;
        if self.amount.is_some() || currency.is_some() {
            let existing = expense.money.decimal();
            let amount = self.amount.as_ref().map_or(existing.as_str(), Amount::as_str);
            expense.money = Money::parse(amount, currency.unwrap_or(expense.money.currency)).map_err(refused)?;
        }
        if expense.money.minor <= 0 {
            return Err(ToolError::Refused("the amount must be more than zero. Say how much you paid".into()));
        }
        if let Some(item) = &self.item {
            expense.item = expense::item(item).map_err(refused)?;
        }
        if let Some(category) = &self.category {
            expense.category = expense::category(category).map_err(refused)?;
        }
        if let Some(notes) = &self.notes {
            expense.notes = expense::notes(notes).map_err(refused)?;
        }
        Ok(())
    }
}

/// A question that names the expense names this row.
fn about(error: ToolError, row: &Record) -> ToolError {
    match error {
        ToolError::Ask(question) => {
            let rows = question.rows.iter().map(|_| shown(row)).collect();
            ToolError::ask(Question { rows, ..*question })
        }
        other => other,
    }
}

/// "The 15th", said about an expense of 14 October, means 15 October. Asks if the named weekday is another one.
fn nearest_year(day: Date, existing: Date, context: &ToolContext<'_>) -> Result<Date, ToolError> {
    let written = |day: Date| context.style().days.written(day);
    let value = |day: Date| json!({ "date": day });
    if context.visible_answers.iter().any(|shown| shown.values.contains(&value(day))) {
        return Ok(day);
    }
    let reader = context.reader();
    let said = context.user_messages.iter().rev().find_map(|text| {
        let is_it = |found: &DateMention| found.reading == DateReading::On(day);
        Some(&text[reader.dates(text).into_iter().find(is_it)?.span])
    });
    match said.and_then(|words| reader.nearer(words, day, existing)) {
        Some(near) if near.day() == day.day() => Ok(near),
        Some(near) => Err(ToolError::ask(Question {
            text: "Which day do you mean?".into(),
            options: vec![written(near), written(day)],
            missing: vec!["date".into()],
            values: vec![value(near), value(day)],
            ..Question::default()
        })),
        None => Ok(day),
    }
}
