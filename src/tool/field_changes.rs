//! Adds, changes, deletes and edits rows of a kind with declared fields.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    Editing, Plan, RecordKind, ToolContext, ToolError,
    field_grounding::uncertain_rows,
    fields::{FieldKind, initial, with_values},
    find_row::RowPointer,
    selection,
};
use crate::proposal::{Change, Draft, Operation, Record, Risk};

/// Plans one new row. `values` has the names of the declared fields.
pub fn add(kind: &dyn FieldKind, values: &impl Serialize, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
    selection::check_role(context)?;
    let draft = new_row(kind, &map(values), context)?;
    Ok(Plan { changes: vec![Change::Create(draft)], ..Plan::default() })
}

fn new_row(kind: &dyn FieldKind, values: &Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
    let empty = Draft {
        kind: kind.prefix().into(),
        owner: context.caller.user().to_string(),
        body: initial(kind.fields()),
        date: context.today,
        ..Draft::default()
    };
    with_values(kind, &empty, values, context)
}

/// Plans new values for the row that the person means.
pub async fn update(
    kind: &dyn FieldKind,
    which: &RowPointer,
    values: &(impl Serialize + Sync),
    context: &ToolContext<'_>,
) -> Result<Plan, ToolError> {
    let title = which.title.as_deref().filter(|_| which.id.is_none());
    change(kind, vec![which.find(kind, &[], context).await?], title, values, context)
}

/// Plans new values for rows that the person named, by `title` or else by number. Rows that have them already stay as
/// they are. A change of low risk needs no approval, so there the rows must be certain.
pub fn change(
    kind: &dyn FieldKind,
    rows: Vec<Record>,
    title: Option<&str>,
    values: &(impl Serialize + Sync),
    context: &ToolContext<'_>,
) -> Result<Plan, ToolError> {
    let named: Vec<String> = rows.iter().map(|row| format!("#{}", row.id)).collect();
    let new_row = |row: &Record| new_draft(kind, &row.draft, values, context);
    let changes = selection::changes(kind, rows.clone(), Some(&new_row), &named.join(", "))?;
    let notes = if changes.iter().any(|change| is_low_risk(kind, change)) {
        uncertain_rows(kind, &rows, title, context)
    } else {
        vec![]
    };
    Ok(Plan { changes, notes, ..Plan::default() })
}

fn is_low_risk(kind: &dyn FieldKind, change: &Change) -> bool {
    let Change::Update { before, after } = change else { return false };
    let after = Record { draft: after.clone(), ..before.clone() };
    kind.risk(&Operation::Update { before: before.clone(), after }) == Risk::Low
}

/// Plans to delete the row that the person means.
pub async fn delete(kind: &dyn RecordKind, which: &RowPointer, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
    let before = which.find(kind, &[], context).await?;
    Ok(Plan { changes: vec![Change::Delete { before }], ..Plan::default() })
}

/// None if the row has these values already.
pub fn new_draft(
    kind: &dyn FieldKind,
    row: &Draft,
    values: &impl Serialize,
    context: &ToolContext<'_>,
) -> Result<Option<Draft>, ToolError> {
    let after = with_values(kind, row, &map(values), context)?;
    Ok((after != *row).then_some(after))
}

impl<K: FieldKind> Editing for K {
    fn created(&self, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        new_row(self, &fields, context)
    }

    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        with_values(self, draft, &fields, context)
    }
}

fn map(values: &impl Serialize) -> Map<String, Value> {
    json!(values).as_object().cloned().unwrap_or_default()
}
