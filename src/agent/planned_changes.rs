//! What the calls of one message would change, before it becomes a proposal; and the names of the calls that no model
//! made.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;

use super::TurnError;
use crate::{
    model::ToolCall,
    proposal::{Call, Change, ChangeSetError, Note, change_set::CHUNK_ACTIONS},
    store::{StoreError, TenantStore},
    tool::Plan,
};

/// Several calls are known to clients without ids as one call of this name.
pub(super) const BATCH_TOOL: &str = "batch";

/// The call of a proposal that asks about a due item, also after the person changed it.
pub(super) const DUE_TOOL: &str = "due";

pub(super) struct PlannedChanges {
    pub call: Call,
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
}

impl PlannedChanges {
    /// Of all actions that the model called in one round.
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
        PlannedChanges { call, changes, notes }
    }
}

/// More could never be one approval, and each may read a lot before that is found out.
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
    Ok(try_join_all(allocations).await?.into_iter().collect())
}
