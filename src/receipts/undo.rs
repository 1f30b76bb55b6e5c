//! `undo`.

use futures_util::future::try_join_all;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    proposal::{Change, Note, NoteKind, Operation, Proposal, ProposalId, Record, State},
    store::{StoreError, TenantStore},
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Somebody's own last receipt is looked for among the tenant's last ones.
const LOOKED_THROUGH: usize = 100;

/// Propose to take back what the person approved last, or what a receipt names. Undoing an undo does it again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// The id of the receipt, only if the person or the page named one.
    pub receipt: Option<String>,
}

impl Action for Undo {
    const NAME: &'static str = "undo";

    /// What became of a row since stays as it is.
    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let done = match &self.receipt {
            Some(id) => named(id, context).await?,
            None => last(context).await?,
        };
        still_kept(&done, context)?;
        let operations = done.body.changes.operations();
        let now = try_join_all(operations.iter().map(|operation| standing(&context.store, operation.row()))).await?;
        let meant = json!({ "receipt": done.header.id });
        let mut plan = Plan { stored: Some(meant), ..Plan::default() };
        let mut kept = Vec::new();
        for (operation, now) in operations.iter().zip(now) {
            match taken_back(operation, now) {
                Some(change) => plan.changes.push(change),
                None => kept.push(format!("#{}", operation.row().id)),
            }
        }
        let (rows, are) = (kept.join(", "), if kept.len() == 1 { "is" } else { "are" });
        if plan.changes.is_empty() {
            let text = format!("{rows} {are} not as that left it any more, so there is nothing to undo");
            return Err(ToolError::Refused(text));
        }
        if !kept.is_empty() {
            let text = format!("{rows} {are} not as that left it any more, and stays as it is");
            plan.notes.push(Note { kind: NoteKind::LeftOut, text });
        }
        Ok(plan)
    }
}

/// By days: DynamoDB deletes within days of the time it is told.
fn still_kept(done: &Proposal, context: &ToolContext<'_>) -> Result<(), ToolError> {
    let days = context.store.audit().as_hours() / 24;
    let State::Executed { at, .. } = done.header.state else { return Ok(()) };
    let since = at.to_zoned(TimeZone::UTC).date().duration_until(context.today);
    if since.as_hours() / 24 <= days {
        return Ok(());
    }
    Err(ToolError::Refused(format!("that was done more than {days} days ago and can no longer be undone")))
}

/// None if the row is not as the operation left it. Its version may have gone on, if its content came back.
fn taken_back(operation: &Operation, now: Option<Record>) -> Option<Change> {
    match (operation.after(), now) {
        (None, None) => Some(operation.inverse()),
        (Some(after), Some(now)) if after.draft == now.draft => Some(operation.with_after(now).inverse()),
        _ => None,
    }
}

async fn standing(store: &TenantStore<'_>, row: &Record) -> Result<Option<Record>, StoreError> {
    store.record(&row.draft.kind, row.id).await
}

async fn named(id: &str, context: &ToolContext<'_>) -> Result<Proposal, ToolError> {
    let unknown = || ToolError::Refused("there is no such receipt".into());
    let id = ProposalId::parse(id).ok_or_else(unknown)?;
    let found = context.store.proposal(&id).await?.ok_or_else(unknown)?;
    match found.header.state {
        State::Executed { .. } => Ok(found),
        _ => Err(ToolError::Refused("that was never done, so there is nothing to undo".into())),
    }
}

async fn last(context: &ToolContext<'_>) -> Result<Proposal, ToolError> {
    let user = context.caller.user().as_str();
    let headers = context.store.receipts(None, LOOKED_THROUGH).await?;
    let own = headers.into_iter().find(|header| matches!(&header.state, State::Executed { by, .. } if by == user));
    let nothing = || ToolError::Refused("there is nothing to undo: you have approved nothing yet".into());
    let header = own.ok_or_else(nothing)?;
    context.store.proposal(&header.id).await?.ok_or_else(nothing)
}
