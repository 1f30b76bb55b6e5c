//! The actions on tasks and notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    entry::{DUE, NOTE, NoteValues, STATUS, Status, TASK, TaskValues},
    query::{Filters, is_overdue},
};
use crate::{
    phrases::DateRange,
    proposal::Record,
    store::Condition,
    tool::{
        Action, Plan, ToolContext, ToolError, field_changes,
        find_row::RowPointer,
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
    which: RowPointer,
    change: TaskValues,
}

/// Propose to change one note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateNote {
    which: RowPointer,
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
pub struct DeleteTask(RowPointer);

/// Propose to delete one note.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DeleteNote(RowPointer);

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

    const ONLY_ADDS: bool = true;

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        field_changes::add(&TASK, &self.0, context)
    }
}

impl Action for AddNote {
    const NAME: &'static str = "add_note";

    const ONLY_ADDS: bool = true;

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        field_changes::add(&NOTE, &self.0, context)
    }
}

impl Action for UpdateTask {
    const NAME: &'static str = "update_task";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        field_changes::update(&TASK, &self.which, &self.change, context).await
    }
}

impl Action for UpdateNote {
    const NAME: &'static str = "update_note";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        field_changes::update(&NOTE, &self.which, &self.change, context).await
    }
}

impl Action for CompleteTasks {
    const NAME: &'static str = "complete_tasks";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        selection::check_role(context)?;
        let is_open = Condition::Not(Box::new(Condition::Equals(STATUS.name, Status::Completed.name().into())));
        let rows = match self.ids.as_slice() {
            [] => {
                let which = RowPointer { title: self.title.clone(), ..RowPointer::default() };
                vec![which.find(&TASK, &[is_open], context).await?]
            }
            ids => selection::numbered(context, &TASK, ids).await?,
        };
        let completed = TaskValues { status: Some(Status::Completed), ..TaskValues::default() };
        let title = self.title.as_deref().filter(|_| self.ids.is_empty());
        field_changes::change(&TASK, rows, title, &completed, context)
    }
}

impl Action for DeleteTask {
    const NAME: &'static str = "delete_task";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        field_changes::delete(&TASK, &self.0, context).await
    }
}

impl Action for DeleteNote {
    const NAME: &'static str = "delete_note";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        field_changes::delete(&NOTE, &self.0, context).await
    }
}

impl Action for ProposeTaskOperations {
    const NAME: &'static str = "propose_task_operations";

    async fn plan(mut self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !self.ids.is_empty() && self.select != Filters::default() {
            return Err(ToolError::Malformed("give `ids` or `select`, and not both".into()));
        }
        let filter = self.select.rows(&TASK, context)?;
        if self.ids.is_empty() {
            // Stored, because the person's words do not come with the arguments.
            self.select.whose = filter.owners().detected().map(str::to_owned);
        }
        let selection = if self.ids.is_empty() { Selection::Filter(&filter) } else { Selection::Numbers(&self.ids) };
        let change = self
            .change
            .as_ref()
            .map(|change| |row: &Record| field_changes::new_draft(&TASK, &row.draft, change, context));
        let change = change.as_ref().map(|change| change as NewRow<'_>);
        selection::plan(context, &TASK, selection, change, self.resolved(context)?).await
    }
}

impl ProposeTaskOperations {
    /// The arguments with dates instead of the person's words for them, so that they mean the same later.
    fn resolved(&self, context: &ToolContext<'_>) -> Result<Value, ToolError> {
        let mut arguments = json!(self);
        if let Some(due) = self.select.due.as_deref().filter(|due| !is_overdue(due)) {
            let days = context.reader().resolve_range(due);
            let DateRange { from, to } = days.map_err(|error| ToolError::Refused(error.to_string()))?;
            arguments["select"]["due"] = format!("{from}..{to}").into();
        }
        if let Some(due) = self.change.as_ref().and_then(|change| change.due.as_deref()) {
            arguments["change"]["due"] = DUE.read(due, context)?.unwrap_or_default().into();
        }
        Ok(arguments)
    }
}
