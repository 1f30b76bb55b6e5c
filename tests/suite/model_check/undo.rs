//! Plans an undo from the stored items, as the service does.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use sayso::proposal::{Change, ChangeSet, Chunk, Operation, Proposal, ProposalId, Record, State, number};

use super::{people::bulk, rules::as_kept, table::Table};

/// The inverse of the executed operations, without rows that changed since: one chunk for each original chunk.
pub fn plan(table: &Table, of: &ProposalId, id: ProposalId, at: Timestamp) -> Option<(Proposal, Arc<[Chunk]>)> {
    let header = table.headers.get(of)?;
    let State::Executed { .. } = header.state else { return None };
    let operations = as_kept(table, header)?;
    let changes: Vec<Change> = operations
        .iter()
        .filter_map(|operation| taken_back(operation, table.rows.get(&operation.row().id).cloned()))
        .collect();
    let operations = number(changes, BTreeMap::new(), at);
    let size = operations.len().div_ceil(2).max(1);
    let chunks: Vec<Vec<Operation>> = operations.chunks(size).map(<[Operation]>::to_vec).collect();
    (!chunks.is_empty()).then(|| bulk(id, at, chunks))
}

fn taken_back(operation: &Operation, now: Option<Record>) -> Option<Change> {
    match (operation.after(), now) {
        (None, None) => Some(operation.inverse()),
        (Some(after), Some(now)) if after.draft == now.draft => Some(operation.with_after(now).inverse()),
        _ => None,
    }
}

/// Different operations from those that were shown.
pub fn tampered(changes: &ChangeSet) -> ChangeSet {
    let altered = changes.operations().iter().map(|operation| match operation.after() {
        Some(after) => {
            let mut after = after.clone();
            after.draft.body.insert("minor".to_owned(), 1_000_000.into());
            operation.with_after(after)
        }
        None => Operation::Create { after: Record { id: 66, ..operation.row().clone() } },
    });
    ChangeSet::new(altered.collect()).expect("it is as small as it was")
}
