//! Adds, changes, deletes and edits rows of a kind with declared fields.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    Editing, Plan, RecordKind, ToolContext, ToolError,
    fields::{FieldKind, initial, with_values},
    find_row::RowPointer,
    selection,
};
use crate::proposal::{Change, Draft, Record};

/// Plans one new row. `values` has the names of the declared fields.
pub fn add(kind: &dyn FieldKind, values: &impl Serialize, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
    selection::check_role(context)?;
    let empty = Draft {
        kind: kind.prefix().into(),
        owner: context.caller.user().to_string(),
        body: initial(kind.fields()),
        date: context.today,
        rollups: vec![],
        duplicate_key: None,
    };
    let draft = with_values(kind, &empty, &map(values), context)?;
    Ok(Plan { changes: vec![Change::Create(draft)], ..Plan::default() })
}

/// Plans new values for the row that the person means.
pub async fn update(
    kind: &dyn FieldKind,
    which: &RowPointer,
    values: &(impl Serialize + Sync),
    context: &ToolContext<'_>,
) -> Result<Plan, ToolError> {
    change(kind, vec![which.find(kind, &[], context).await?], values, context)
}

/// Plans new values for rows that the person named. Rows that have them already stay as they are.
pub fn change(
    kind: &dyn FieldKind,
    rows: Vec<Record>,
    values: &(impl Serialize + Sync),
    context: &ToolContext<'_>,
) -> Result<Plan, ToolError> {
    let named: Vec<String> = rows.iter().map(|row| format!("#{}", row.id)).collect();
    let new_row = |row: &Record| new_draft(kind, &row.draft, values, context);
    let changes = selection::changes(kind, rows, Some(&new_row), &named.join(", "))?;
    Ok(Plan { changes, ..Plan::default() })
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
    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        with_values(self, draft, &fields, context)
    }
}

fn map(values: &impl Serialize) -> Map<String, Value> {
    json!(values).as_object().cloned().unwrap_or_default()
}
