//! `propose_operations`: one change for all selected expenses, or several different changes, in one proposal.

use std::{collections::BTreeSet, ops::Range};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    add_expense::AddExpense,
    delete_expense::DeleteExpense,
    expense::{Expense, KIND},
    kind::ExpenseKind,
    note_text,
    page_filters::Filters,
    replace::Replace,
    spoken_facts::assumed,
    update_expense::UpdateExpense,
};
use crate::{
    money::Amount,
    proposal::{Change, Draft, Note, NoteKind, Record},
    tool::{
        Action, Plan, ToolContext, ToolError,
        selection::{self, Pointing},
    },
};
use select_rows::{SelectedRows, by_number, find_each};

mod select_rows;

/// Different changes in one proposal. Each may read many rows.
const EACH: usize = 500;

/// Propose one change for all expenses that match filters ("delete everything from last year", "put all taxis in
/// transport"), or several different changes together. The person is shown their number and sum, and nothing is changed
/// before their yes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeOperations {
    /// The expenses to select, if one change is for all of them. Only filters that the person said.
    select: Option<Selection>,
    /// What to change about the selected ones. If absent, they are deleted.
    change: Option<NewFields>,
    /// Instead of `select`: different changes that belong together.
    #[serde(default)]
    operations: Vec<OneOperation>,
}

/// Rows named in the note about rows that are left out.
const NAMED: usize = 3;

const WHICH_ONES: &str = "Which expenses do you mean? Say their days, category, name or numbers.";

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    #[serde(flatten)]
    filters: Filters,
    /// Only the rows with these numbers, if the person refers to rows they were shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ids: Vec<u64>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFields {
    item: Option<String>,
    /// Instead of a new `item` or `notes`: a part of them, where it stands ("Tesco Express to Tesco everywhere").
    replace: Option<Replace>,
    amount: Option<Amount>,
    currency: Option<String>,
    /// YYYY-MM-DD or the person's words.
    date: Option<String>,
    /// Empty for none.
    category: Option<String>,
    /// Empty for none.
    notes: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum OneOperation {
    Add(AddExpense),
    Update(UpdateExpense),
    Delete(DeleteExpense),
}

impl Action for ProposeOperations {
    const NAME: &'static str = "propose_operations";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        match (self.select, self.operations) {
            (Some(selection), operations) if operations.is_empty() => {
                plan_selected(selection, self.change, context).await
            }
            (None, operations) if !operations.is_empty() && self.change.is_none() => {
                plan_each(operations, context).await
            }
            _ => Err(ToolError::Malformed("give `select`, with or without `change`, or `operations` alone".into())),
        }
    }
}

async fn plan_each(operations: Vec<OneOperation>, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
    let mut all = Plan::default();
    if operations.len() > EACH {
        let text = format!("at most {EACH} different changes at once. If they are all the same, use `select`");
        return Err(ToolError::Refused(text));
    }
    for operation in operations {
        let plan = match operation {
            OneOperation::Add(add) => add.plan(context).await?,
            OneOperation::Update(update) => update.plan(context).await?,
            OneOperation::Delete(delete) => delete.plan(context).await?,
        };
        all.changes.extend(plan.changes);
        all.notes.extend(plan.notes);
    }
    Ok(all)
}

/// Selects the rows now. Rows that match the filters later are not changed.
async fn plan_selected(
    mut selection: Selection,
    change: Option<NewFields>,
    context: &ToolContext<'_>,
) -> Result<Plan, ToolError> {
    selection::check_role(context)?;
    let pointing = Pointing::of(context, &ExpenseKind);
    let numbered = !selection.ids.is_empty();
    if numbered && selection.filters != Filters::default() {
        return Err(ToolError::Malformed("give `ids` alone, without filters".into()));
    }
    let replace = change.as_ref().and_then(|fields| fields.replace.clone());
    let is_everything = Filters { whose: None, ..selection.filters.clone() } == Filters::default();
    if let Some(replace) = replace.as_ref().filter(|_| !numbered) {
        replace.narrow(&mut selection.filters);
    }
    let unused_filters = if numbered { vec![] } else { unused_filters(&selection, change.as_ref(), context) };
    let found = match numbered {
        true => {
            pointing.check_numbers()?;
            vec![by_number(&selection.ids, context).await?]
        }
        false => find_each(&mut selection.filters, context).await?,
    };
    let chosen: Vec<String> = found.iter().map(|found| found.chosen.clone()).collect();
    let (rows, split) = partition_split_rows(found, change.as_ref());
    if !numbered {
        pointing.check_fitting(rows.len(), is_everything, WHICH_ONES)?;
    }
    let mut plan = Plan { stored: Some(arguments(&selection, change.as_ref())), ..Plan::default() };
    let mut unchanged = 0;
    for before in rows {
        match &change {
            None => plan.changes.push(Change::Delete { before }),
            Some(fields) => match fields.applied(&before, context)? {
                Some(after) => plan.changes.push(Change::Update { before, after }),
                None => unchanged += 1,
            },
        }
    }
    plan.notes.extend(left_out(&split));
    if plan.changes.is_empty() {
        if let Some(why) = plan.notes.first().and_then(|note| note_text::of_expense(note, context.style())) {
            return Err(ToolError::Refused(format!("{why}. Nothing was changed")));
        }
        let text = match &replace {
            Some(replace) if unchanged > 0 => format!("none of them has {}, or all are like that", replace.sought()),
            None if unchanged > 0 => "they are all like that already".to_owned(),
            _ => "I found no such expenses".to_owned(),
        };
        let chosen = chosen.join(", and ");
        return Err(ToolError::Refused(format!("{text} ({chosen}), so nothing was changed")));
    }
    plan.notes.push(selection::chosen_note(&ExpenseKind, chosen));
    plan.notes.extend(unused_filters);
    plan.notes.extend(selection::unsupported(context, &ExpenseKind, &plan.changes, numbered));
    Ok(plan)
}

/// Separates the rows that can be changed as a whole from split rows that cannot. Each row appears once.
fn partition_split_rows(found: Vec<SelectedRows>, change: Option<&NewFields>) -> (Vec<Record>, Vec<Record>) {
    let of_parts = change.is_some_and(|fields| fields.amount.is_some() || fields.category.is_some());
    let (mut rows, mut split) = (Vec::new(), Vec::new());
    for SelectedRows { rows: some, resolved, .. } in found {
        let (meant, unfit): (Vec<Record>, Vec<Record>) = some.into_iter().partition(|row| {
            let Some(expense) = Expense::of(&row.draft).filter(|expense| !expense.lines.is_empty()) else {
                return true;
            };
            let meant =
                |(category, _): &(&str, i64)| resolved.as_ref().is_none_or(|resolved| resolved.is_in_group(category));
            !of_parts && expense.parts().iter().all(meant)
        });
        rows.extend(meant);
        split.extend(unfit);
    }
    let mut known = BTreeSet::new();
    rows.retain(|row: &Record| known.insert(row.id));
    split.retain(|row: &Record| known.insert(row.id));
    (rows, split)
}

fn left_out(split: &[Record]) -> Option<Note> {
    let named = split.iter().take(NAMED).filter_map(|row| {
        let expense = Expense::of(&row.draft)?;
        let categories: Vec<&str> = expense.parts().into_iter().map(|(category, _)| category).collect();
        Some(json!({ "id": row.id, "item": expense.item, "categories": categories }))
    });
    let value = json!({ "rows": named.collect::<Vec<_>>(), "more": split.len().saturating_sub(NAMED) });
    (!split.is_empty()).then(|| Note::new(NoteKind::LeftOut, KIND, "lines", value).because("split"))
}

/// Notes for days and amounts that the person said and that are neither a filter nor a new value.
fn unused_filters(selection: &Selection, change: Option<&NewFields>, context: &ToolContext<'_>) -> Vec<Note> {
    let Some(said) = context.user_messages.last() else { return vec![] };
    let reader = context.reader();
    let Filters { min_amount, max_amount, more_than, less_than, .. } = &selection.filters;
    let bounds = [min_amount, max_amount, more_than, less_than];
    let dated = selection.filters.range.is_some() || change.is_some_and(|fields| fields.date.is_some());
    let bounded = bounds.into_iter().any(Option::is_some) || change.is_some_and(|fields| fields.amount.is_some());
    let days = || reader.ranges(said).into_iter().map(|found| found.span).next();
    let amount = || reader.amounts(said).into_iter().map(|found| found.span).next();
    let spans = [(!dated).then(days).flatten(), (!bounded).then(amount).flatten()];
    let note = |span: Range<usize>| assumed("select", Value::Null).because("all").said(&said[span]);
    spans.into_iter().flatten().map(note).collect()
}

/// The arguments with resolved values, so that they mean the same later.
fn arguments(selection: &Selection, change: Option<&NewFields>) -> Value {
    let mut arguments = json!({ "select": given(selection) });
    if let Some(fields) = change {
        arguments["change"] = given(fields);
    }
    arguments
}

/// What is absent is left out.
fn given(arguments: impl Serialize) -> Value {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(arguments) else { return Value::Null };
    fields.retain(|_, value| !value.is_null());
    fields.into()
}

impl NewFields {
    /// None if the row would not change.
    fn applied(&self, before: &Record, context: &ToolContext<'_>) -> Result<Option<Draft>, ToolError> {
        let Some(existing) = Expense::of(&before.draft) else {
            let row = context.row_names.reference(KIND, before.id);
            return Err(ToolError::Refused(format!("I cannot read {row}. Leave it out")));
        };
        let NewFields { item, replace, amount, currency, date, category, notes } = self;
        let update = UpdateExpense {
            id: None,
            description: None,
            cost: None,
            on: None,
            item: item.clone(),
            replace: replace.clone(),
            amount: amount.clone(),
            currency: currency.clone(),
            date: date.clone(),
            category: category.clone(),
            notes: notes.clone(),
            lines: None,
        };
        let expense = update.edited(&existing, context)?;
        Ok((expense != existing).then(|| expense.draft(&before.draft.owner)))
    }
}
