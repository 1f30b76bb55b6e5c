//! The actions on tasks and notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    entry::{Entry, EntryKind, NOTE, NoteValues, Status, TASK, TaskValues},
    find::Pointer,
    query::Filters,
};
use crate::{
    proposal::{Change, Record},
    store::Condition,
    tool::{
        Action, Plan, ToolContext, ToolError,
        selection::{self, NewRow, Selection},
    },
};

/// Propose one new task, with its title. For several, make one call for each, all in the same response.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AddTask(TaskValues);

/// Propose one new note, with its title. For several, make one call for each, all in the same response.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AddNote(NoteValues);

/// Propose to change one task. To tick tasks off, use complete_tasks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateTask {
    which: Pointer,
    change: TaskValues,
}

/// Propose to change one note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateNote {
    which: Pointer,
    change: NoteValues,
}

/// Propose to tick off tasks: some by number, or one by its title.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompleteTasks {
    #[serde(default)]
    ids: Vec<u64>,
    /// The person's words for its title, if there is no number.
    title: Option<String>,
}

/// Propose to delete one task.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DeleteTask(Pointer);

/// Propose to delete one note.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DeleteNote(Pointer);

/// Propose one change for all tasks that fit filters, or delete them ("complete all overdue tasks", "delete all my
/// tasks"). It reaches all of them, also those that you have not seen.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeTaskOperations {
    #[serde(default)]
    select: Filters,
    /// Instead of `select`: the numbers of rows that the person pointed at.
    #[serde(default)]
    ids: Vec<u64>,
    /// What to change about them. If absent, they are deleted.
    change: Option<TaskValues>,
}

impl Action for AddTask {
    const NAME: &'static str = "add_task";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        added(&TASK, &self.0, Entry { status: Some(Status::Todo), ..Entry::default() }, context)
    }
}

impl Action for AddNote {
    const NAME: &'static str = "add_note";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        added(&NOTE, &self.0.into(), Entry::default(), context)
    }
}

impl Action for UpdateTask {
    const NAME: &'static str = "update_task";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        changed(&TASK, vec![self.which.find(&TASK, &[], context).await?], &self.change, context)
    }
}

impl Action for UpdateNote {
    const NAME: &'static str = "update_note";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        changed(&NOTE, vec![self.which.find(&NOTE, &[], context).await?], &self.change.into(), context)
    }
}

impl Action for CompleteTasks {
    const NAME: &'static str = "complete_tasks";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        selection::check_role(context)?;
        let is_open = Condition::Not(Box::new(Condition::Equals("status", Status::Completed.name().into())));
        let called = Pointer { title: self.title, ..Pointer::default() };
        let rows = match self.ids.as_slice() {
            [] => vec![called.find(&TASK, &[is_open], context).await?],
            ids => selection::numbered(context, &TASK, ids).await?,
        };
        changed(&TASK, rows, &TaskValues { status: Some(Status::Completed), ..TaskValues::default() }, context)
    }
}

impl Action for DeleteTask {
    const NAME: &'static str = "delete_task";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let before = self.0.find(&TASK, &[], context).await?;
        Ok(Plan { changes: vec![Change::Delete { before }], ..Plan::default() })
    }
}

impl Action for DeleteNote {
    const NAME: &'static str = "delete_note";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let before = self.0.find(&NOTE, &[], context).await?;
        Ok(Plan { changes: vec![Change::Delete { before }], ..Plan::default() })
    }
}

impl Action for ProposeTaskOperations {
    const NAME: &'static str = "propose_task_operations";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !self.ids.is_empty() && self.select != Filters::default() {
            return Err(ToolError::Malformed("give `ids` or `select`, and not both".into()));
        }
        let filter = self.select.rows(&TASK, context)?;
        let selection = if self.ids.is_empty() { Selection::Filter(&filter) } else { Selection::Numbers(&self.ids) };
        let change = self.change.as_ref().map(|change| |row: &Record| change.redrafted(&row.draft, &TASK, context));
        let change = change.as_ref().map(|change| change as NewRow<'_>);
        selection::plan(context, &TASK, selection, change, json!(self)).await
    }
}

fn added(kind: &EntryKind, values: &TaskValues, empty: Entry, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
    selection::check_role(context)?;
    let entry = values.applied(&Entry { day: context.today, ..empty }, kind, context)?;
    let changes = vec![Change::Create(entry.draft(kind, context.caller.user().as_str()))];
    Ok(Plan { changes, ..Plan::default() })
}

/// Of rows that the person named, those that are not so already.
fn changed(kind: &EntryKind, rows: Vec<Record>, to: &TaskValues, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
    let named: Vec<String> = rows.iter().map(|row| format!("#{}", row.id)).collect();
    let new_row = |row: &Record| to.redrafted(&row.draft, kind, context);
    let changes = selection::changes(kind, rows, Some(&new_row), &named.join(", "))?;
    Ok(Plan { changes, ..Plan::default() })
}
