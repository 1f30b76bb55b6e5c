//! The `undo` tool.

use std::collections::{BTreeMap, HashMap};

use futures_util::future::try_join_all;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    proposal::{Change, Note, Operation, Proposal, ProposalId, Record, State},
    store::{DoneChunk, StoreError, TenantStore},
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Propose to take back what the person approved last, or what a receipt names. Undoing an undo does it again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// The id of the receipt, only if the person or the page named one.
    pub receipt: Option<String>,
}

impl Action for Undo {
    const NAME: &'static str = "undo";

    const AFTER_A_WRITE: Option<&'static str> = Some("undo that");

    /// Rows that changed since are left as they are.
    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let done = match &self.receipt {
            Some(id) => named(id, context).await?,
            None => last(context).await?,
        };
        still_kept(&done, context)?;
        let chunks = context.store.chunks(&done, done.chunks_done()).await?;
        let operations: Vec<Operation> = chunks.iter().flat_map(DoneChunk::operations).collect();
        let mut now = current_rows(&context.store, &operations).await?;
        let arguments = json!({ "receipt": done.header.id });
        let mut plan = Plan { stored: Some(arguments), ..Plan::default() };
        let mut left = Vec::new();
        for operation in &operations {
            let row = operation.row();
            let found = now.remove(&(row.draft.kind.clone(), row.id));
            if is_undone(operation, found.as_ref()) {
                continue;
            }
            match inverse_of(operation, found) {
                Some(change) if !is_replaced(&change, context) => plan.changes.push(change),
                _ => left.push(row.row_ref()),
            }
        }
        if operations.is_empty() {
            return Err(ToolError::Refused("nothing was done, so there is nothing to undo".into()));
        }
        if plan.changes.is_empty() && left.is_empty() {
            return Err(ToolError::Refused("that is undone already".into()));
        }
        if plan.changes.is_empty() {
            let rows = context.row_names.references(&left);
            return Err(ToolError::Refused(format!("{rows} changed since then, so I cannot undo it")));
        }
        if !left.is_empty() {
            plan.notes.push(Note::changed_since(left, None));
        }
        Ok(plan)
    }
}

/// In days, because DynamoDB deletes an item within days after its TTL.
fn still_kept(done: &Proposal, context: &ToolContext<'_>) -> Result<(), ToolError> {
    let days = context.store.audit().as_hours() / 24;
    let State::Executed { at, .. } = done.header.state else { return Ok(()) };
    let since = at.to_zoned(TimeZone::UTC).date().duration_until(context.today);
    if since.as_hours() / 24 <= days {
        return Ok(());
    }
    Err(ToolError::Refused(format!("that was done more than {days} days ago, so it cannot be undone")))
}

/// Whether the row is as it was before the operation.
fn is_undone(operation: &Operation, now: Option<&Record>) -> bool {
    operation.before().map(|before| &before.draft) == now.map(|now| &now.draft)
}

/// None if the row's content has changed since the operation. A later version with the same content is fine.
fn inverse_of(operation: &Operation, now: Option<Record>) -> Option<Change> {
    match (operation.after(), now) {
        (None, None) => Some(operation.inverse()),
        (Some(after), Some(now)) if after.draft == now.draft => Some(operation.with_after(now).inverse()),
        _ => None,
    }
}

/// Whether another preference has the unique key of the row to restore.
fn is_replaced(change: &Change, context: &ToolContext<'_>) -> bool {
    let Change::Restore(row) = change else { return false };
    let unique = row.draft.unique();
    let mut others = context.preferences.iter().filter(|other| other.id != row.id);
    unique.is_some() && others.any(|other| other.draft.unique() == unique)
}

/// The current rows, by kind and id.
async fn current_rows(
    store: &TenantStore<'_>,
    operations: &[Operation],
) -> Result<HashMap<(String, u64), Record>, StoreError> {
    let mut ids: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in operations.iter().map(Operation::row) {
        ids.entry(&row.draft.kind).or_default().push(row.id);
    }
    let of_kinds = ids.into_iter().map(|(kind, ids)| async move {
        let records = store.records(kind, &ids).await?;
        Ok::<_, StoreError>(records.into_iter().map(move |(id, record)| ((kind.to_owned(), id), record)))
    });
    Ok(try_join_all(of_kinds).await?.into_iter().flatten().collect())
}

async fn named(id: &str, context: &ToolContext<'_>) -> Result<Proposal, ToolError> {
    let unknown = || ToolError::Refused("this receipt does not exist".into());
    let id = ProposalId::parse(id).ok_or_else(unknown)?;
    let found = context.store.proposal(&id).await?.ok_or_else(unknown)?;
    match found.header.state {
        State::Executed { .. } => Ok(found),
        State::Executing { .. } => Err(still_running()),
        _ => Err(ToolError::Refused("that was never done, so there is nothing to undo".into())),
    }
}

async fn last(context: &ToolContext<'_>) -> Result<Proposal, ToolError> {
    let nothing = || ToolError::Refused("there is nothing to undo yet".into());
    let last = context.store.last_approved_by(context.caller.user().as_str(), 1).await?;
    let last = last.into_iter().next().ok_or_else(nothing)?;
    if matches!(last.state, State::Executing { .. }) {
        return Err(still_running());
    }
    let gone = || ToolError::Refused("what you approved last is no longer kept, so it cannot be undone".into());
    context.store.proposal(&last.id).await?.ok_or_else(gone)
}

fn still_running() -> ToolError {
    ToolError::Refused("that is not finished yet. Wait, or say “stop”, and then undo it".into())
}
