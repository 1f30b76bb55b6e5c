//! Expenses as a kind of record, with the capabilities that it declares.

use jiff::ToSpan;
use serde_json::{Map, Value};

use super::{
    add_expense::AddExpense,
    asked_again,
    expense::{Expense, KIND, NAME},
    expense_text, grounding, note_text,
    snapshot::snapshot,
    update_expense::UpdateExpense,
};
use crate::{
    phrases::{self, DateRange, Reader, Style},
    proposal::{Change, Draft, Note, Record},
    store::Condition,
    tool::{
        Duplicates, Editing, Grounding, OverviewText, RecordKind, Rendering, Search, ToolContext, ToolError, Totals,
    },
};

/// A duplicate may be this many days away, if the message may repeat a known expense.
const NEAR_DAYS: i64 = 7;

pub struct ExpenseKind;

impl RecordKind for ExpenseKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        NAME
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "expense" } else { "expenses" }
    }

    fn grounding(&self) -> Option<&dyn Grounding> {
        Some(self)
    }

    fn editing(&self) -> Option<&dyn Editing> {
        Some(self)
    }

    fn duplicates(&self) -> Option<&dyn Duplicates> {
        Some(self)
    }

    fn totals(&self) -> Option<&dyn Totals> {
        Some(self)
    }

    fn search(&self) -> Option<&dyn Search> {
        Some(self)
    }
}

impl Rendering for ExpenseKind {
    fn describe(&self, draft: &Draft, style: Style) -> String {
        expense_text::describe(draft, style)
    }

    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String {
        expense_text::describe_change(before, after, style)
    }

    fn row(&self, record: &Record) -> Value {
        expense_text::row(record)
    }

    fn title(&self, draft: &Draft) -> Option<String> {
        Expense::of(draft).map(|expense| expense.item)
    }

    fn note(&self, note: &Note, style: Style) -> Option<String> {
        note_text::of_expense(note, style)
    }
}

impl Grounding for ExpenseKind {
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        grounding::unsupported(changes, context)
    }
}

impl Editing for ExpenseKind {
    fn created(&self, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        let new: AddExpense =
            serde_json::from_value(Value::Object(fields)).map_err(|error| ToolError::Malformed(error.to_string()))?;
        Ok(new.expense(context)?.draft(context.caller.user().as_str()))
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

    fn question_about(&self, note: &Note) -> Option<&'static str> {
        asked_again::question(note)
    }

    fn answered(&self, field: &str, said: &str, reader: Reader) -> Option<Map<String, Value>> {
        asked_again::answer(field, said, reader)
    }
}

impl Duplicates for ExpenseKind {
    /// "The lunch was 14" may mean an existing lunch with another amount, and "was 14 on Friday" one on another day.
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

    fn unusual(&self, draft: &Draft) -> Option<Note> {
        expense_text::unusual(Expense::of(draft)?.money)
    }
}

impl Totals for ExpenseKind {
    fn amount(&self, unit: &str, minor: i128, style: Style) -> (String, String) {
        expense_text::amount(unit, minor, style)
    }

    fn overview(&self) -> Option<OverviewText> {
        Some(snapshot)
    }
}
