//! The changes planned by the calls of one message, before they become a proposal; and the tool names of proposals that
//! no model call made.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;

use super::{Agent, TurnError};
use crate::{
    model::ToolCall,
    proposal::{Call, Change, ChangeSetError, Note, RowRef, change_set::CHUNK_ACTIONS},
    sorted::Collect,
    store::{StoreError, TenantStore},
    tool::Plan,
};

/// The tool name for a proposal of several calls, for clients that do not send ids.
pub(super) const BATCH_TOOL: &str = "batch";

/// The tool name of a proposal that asks about a due item, and of its revisions.
pub(super) const DUE_TOOL: &str = "due";

pub(super) struct PlannedChanges {
    pub call: Call,
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
    /// Why the changes wait although nothing else is in doubt: the person's words do not state them.
    pub not_stated: Option<Note>,
}

impl PlannedChanges {
    /// Merges all actions that the model called in one round.
    pub fn merge(plans: Vec<(&ToolCall, Plan)>) -> PlannedChanges {
        let calls = plans.iter().map(|(call, plan)| {
            let arguments = plan.stored.as_ref().unwrap_or(&call.arguments);
            Call { tool: call.name.clone(), arguments: arguments.clone() }
        });
        let calls: Vec<Call> = calls.collect();
        let call = match <[Call; 1]>::try_from(calls) {
            Ok([call]) => call,
            Err(calls) => Call { tool: BATCH_TOOL.into(), arguments: serde_json::json!({ "calls": calls }) },
        };
        let (mut changes, mut notes) = (Vec::new(), Vec::new());
        for (_, plan) in plans {
            changes.extend(plan.changes);
            notes.extend(plan.notes);
        }
        PlannedChanges { call, changes, notes, not_stated: None }
    }
}

impl Agent {
    /// Changes that do not fit one approval.
    pub(super) fn impossible(&self, error: &ChangeSetError) -> TurnError {
        TurnError::Unprocessable(match error {
            ChangeSetError::SameRowTwice(RowRef { kind, id }) => {
                let row = self.registry.row_names().reference(kind, *id);
                format!("{row} would change twice at once. Say one change at a time")
            }
            error => error.to_string(),
        })
    }
}

/// Checked first, because each call may read many rows and more calls cannot fit in one approval.
pub(super) fn check_count(calls: usize) -> Result<(), TurnError> {
    let too_many = ChangeSetError::TooMany { changes: calls, limit: CHUNK_ACTIONS };
    if calls > CHUNK_ACTIONS { Err(TurnError::Unprocessable(too_many.to_string())) } else { Ok(()) }
}

/// An id for each record that would be created, by kind.
pub(super) async fn new_ids(store: &TenantStore<'_>, changes: &[Change]) -> Result<BTreeMap<String, u64>, StoreError> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let created = changes.iter().filter(|change| matches!(change, Change::Create(_)));
    for draft in created.map(Change::draft) {
        *counts.entry(&draft.kind).or_default() += 1;
    }
    let allocations = counts.into_iter().map(|(kind, count)| async move {
        Ok::<_, StoreError>((kind.to_owned(), store.allocate_ids(kind, count).await?))
    });
    Ok(try_join_all(allocations).await?.into_iter().inserted())
}
