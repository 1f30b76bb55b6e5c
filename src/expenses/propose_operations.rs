//! `propose_operations`: one change for all selected expenses, or several different changes, in one proposal.

use std::{collections::BTreeSet, ops::Range};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    add_expense::AddExpense,
    delete_expense::DeleteExpense,
    expense::{Expense, KIND},
    kind::ExpenseKind,
    note_text,
    page_filters::Filters,
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

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The person's words ("last year"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    category: Option<String>,
    /// If there are several: one of these.
    #[serde(default)]
    categories: Vec<String>,
    /// "Everything but rent": excludes these categories and item names.
    #[serde(default)]
    without: Vec<String>,
    /// The item must contain all these words: "uber".
    words: Option<String>,
    /// "At least": inclusive.
    min_amount: Option<Amount>,
    /// "At most": inclusive.
    max_amount: Option<Amount>,
    /// "Over": exclusive.
    more_than: Option<Amount>,
    /// "Under": exclusive.
    less_than: Option<Amount>,
    /// ISO 4217 code: only expenses in it.
    currency: Option<String>,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
    /// Only the rows with these numbers, if the person refers to rows they were shown.
    #[serde(default)]
    ids: Vec<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFields {
    item: Option<String>,
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
    if numbered && selection.filters() != Filters::default() {
        return Err(ToolError::Malformed("give `ids` alone, without filters".into()));
    }
    let unused_filters = if numbered { vec![] } else { unused_filters(&selection, change.as_ref(), context) };
    let found = match numbered {
        true => {
            pointing.check_numbers()?;
            vec![by_number(&selection.ids, context).await?]
        }
        false => find_each(&mut selection, context).await?,
    };
    let chosen: Vec<String> = found.iter().map(|found| found.chosen.clone()).collect();
    let (rows, split) = partition_split_rows(found, change.as_ref());
    if !numbered {
        let is_everything = Filters { whose: None, ..selection.filters() } == Filters::default();
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
        let text = if unchanged > 0 { "they are all like that already" } else { "I found no such expenses" };
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
    let bounds = [&selection.min_amount, &selection.max_amount, &selection.more_than, &selection.less_than];
    let dated = selection.range.is_some() || change.is_some_and(|fields| fields.date.is_some());
    let bounded = bounds.into_iter().any(Option::is_some) || change.is_some_and(|fields| fields.amount.is_some());
    let days = || reader.ranges(said).into_iter().map(|found| found.span).next();
    let amount = || reader.amounts(said).into_iter().map(|found| found.span).next();
    let spans = [(!dated).then(days).flatten(), (!bounded).then(amount).flatten()];
    let note = |span: Range<usize>| assumed("select", Value::Null).because("all").said(&said[span]);
    spans.into_iter().flatten().map(note).collect()
}

/// The arguments with resolved values, so that they mean the same later.
fn arguments(selection: &Selection, change: Option<&NewFields>) -> Value {
    let mut select = Map::new();
    if selection.ids.is_empty() {
        let texts = [
            ("range", selection.range.clone()),
            ("category", selection.category.clone()),
            ("words", selection.words.clone()),
            ("currency", selection.currency.clone()),
            ("whose", selection.whose.clone()),
        ];
        let amounts = [
            ("min_amount", &selection.min_amount),
            ("max_amount", &selection.max_amount),
            ("more_than", &selection.more_than),
            ("less_than", &selection.less_than),
        ];
        let amounts = amounts.into_iter().map(|(name, amount)| (name, amount.as_ref().map(ToString::to_string)));
        let given = texts.into_iter().chain(amounts).filter_map(|(name, text)| Some((name.to_owned(), json!(text?))));
        select.extend(given);
        let lists = [("categories", &selection.categories), ("without", &selection.without)];
        let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
        select.extend(lists.map(|(name, names)| (name.to_owned(), json!(names))));
    } else {
        select.insert("ids".into(), json!(selection.ids));
    }
    let mut arguments = json!({ "select": select });
    if let Some(fields) = change {
        arguments["change"] = fields.arguments();
    }
    arguments
}

impl Selection {
    fn filters(&self) -> Filters {
        let Selection { range, category, categories, without, words, currency, whose, .. } = self.clone();
        let Selection { min_amount, max_amount, more_than, less_than, .. } = self.clone();
        Filters {
            range,
            categories: category.into_iter().chain(categories).collect(),
            without,
            words,
            min_amount,
            max_amount,
            more_than,
            less_than,
            currency,
            whose,
            ..Filters::default()
        }
    }
}

impl NewFields {
    /// None if the row would not change.
    fn applied(&self, before: &Record, context: &ToolContext<'_>) -> Result<Option<Draft>, ToolError> {
        let Some(existing) = Expense::of(&before.draft) else {
            let row = context.row_names.reference(KIND, before.id);
            return Err(ToolError::Refused(format!("I cannot read {row}. Leave it out")));
        };
        let NewFields { item, amount, currency, date, category, notes } = self;
        let update = UpdateExpense {
            id: None,
            description: None,
            cost: None,
            on: None,
            item: item.clone(),
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

    fn arguments(&self) -> Value {
        let NewFields { item, amount, currency, date, category, notes } = self;
        let amount = amount.as_ref().map(ToString::to_string);
        let texts = [
            ("item", item.clone()),
            ("amount", amount),
            ("currency", currency.clone()),
            ("date", date.clone()),
            ("category", category.clone()),
            ("notes", notes.clone()),
        ];
        texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?)))).collect::<Map<_, _>>().into()
    }
}
