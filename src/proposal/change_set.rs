//! Change sets: everything that writes is one. Preview, fingerprint, transaction, receipt and rollup deltas are
//! functions of it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::record::{Draft, Record, Rollup, RollupKey};

/// DynamoDB's limit for one transaction.
pub const TRANSACTION_ACTIONS: usize = 100;

/// Header, chunk, open-proposal entry and its oldest sibling, turn, message claim, duplicate guard and arguments entry.
pub const RESERVED_ACTIONS: usize = 8;

/// One chunk, as JSON, with its call and notes: well below DynamoDB's 400 KB an item, and ten times below 4 MB a
/// transaction.
pub const CHUNK_BYTES: usize = 300_000;

/// What a tool plans, before creates have ids.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    Create(Draft),
    Update {
        before: Record,
        after: Draft,
    },
    Delete {
        before: Record,
    },
    /// A row that was there before, as it was last, under its own number.
    Restore(Record),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Operation {
    Create { after: Record },
    Update { before: Record, after: Record },
    Delete { before: Record },
}

/// Operations that one transaction can carry, no two on one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Operation>")]
pub struct ChangeSet(Vec<Operation>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeSetError {
    #[error("there is nothing to change")]
    Empty,
    #[error("#{0} would be changed twice at once; say one change at a time")]
    SameRowTwice(u64),
    #[error("that is more than one approval can hold ({actions} changes, at most {limit}); say fewer at a time")]
    TooManyActions { actions: usize, limit: usize },
    #[error("that is too much text for one approval; say fewer at a time")]
    TooLarge,
}

impl Change {
    /// As it would be, or as it is for the last time.
    pub fn draft(&self) -> &Draft {
        match self {
            Change::Create(draft) | Change::Update { after: draft, .. } => draft,
            Change::Delete { before: record } | Change::Restore(record) => &record.draft,
        }
    }
}

impl ChangeSet {
    pub fn new(operations: Vec<Operation>) -> Result<ChangeSet, ChangeSetError> {
        if operations.is_empty() {
            return Err(ChangeSetError::Empty);
        }
        let mut seen = BTreeSet::new();
        for operation in &operations {
            let row = operation.row();
            if !seen.insert((&row.draft.kind, row.id)) {
                return Err(ChangeSetError::SameRowTwice(row.id));
            }
        }
        let set = ChangeSet(operations);
        let (actions, limit) = (set.0.len() + set.rollup_deltas().len(), TRANSACTION_ACTIONS - RESERVED_ACTIONS);
        if actions > limit {
            return Err(ChangeSetError::TooManyActions { actions, limit });
        }
        let bytes = serde_json::to_vec(&set.0).map_or(usize::MAX, |json| json.len());
        if bytes > CHUNK_BYTES {
            return Err(ChangeSetError::TooLarge);
        }
        Ok(set)
    }

    /// Numbers the creates, in order, from the first id of each kind. A restored row gets a version that it never had,
    /// however often it came and went: the time in milliseconds, since no row changes more often than that.
    pub fn number(
        changes: Vec<Change>,
        mut next_ids: BTreeMap<String, u64>,
        now: Timestamp,
    ) -> Result<ChangeSet, ChangeSetError> {
        let new_version = u64::try_from(now.as_millisecond()).unwrap_or_default();
        let operations = changes.into_iter().map(|change| match change {
            Change::Create(draft) => {
                let next = next_ids.entry(draft.kind.clone()).or_insert(1);
                let id = std::mem::replace(next, *next + 1);
                Operation::Create { after: Record { id, version: 1, draft } }
            }
            Change::Update { before, after } => {
                let after = Record { id: before.id, version: before.version + 1, draft: after };
                Operation::Update { before, after }
            }
            Change::Delete { before } => Operation::Delete { before },
            Change::Restore(before) => {
                let version = new_version.max(before.version + 1);
                Operation::Create { after: Record { version, ..before } }
            }
        });
        ChangeSet::new(operations.collect())
    }

    pub fn operations(&self) -> &[Operation] {
        &self.0
    }

    /// What the rollups gain and lose, merged; entries that change nothing are left out.
    pub fn rollup_deltas(&self) -> BTreeMap<RollupKey, Rollup> {
        let mut deltas: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
        let signed = self.0.iter().flat_map(|op| [(op.before(), -1), (op.after(), 1)]);
        for (record, sign) in signed.filter_map(|(record, sign)| Some((record?, sign))) {
            for contribution in &record.draft.rollups {
                deltas.entry(contribution.key()).or_default().apply(contribution, sign);
            }
        }
        deltas.retain(|_, delta| !delta.is_neutral());
        deltas
    }
}

impl TryFrom<Vec<Operation>> for ChangeSet {
    type Error = ChangeSetError;

    fn try_from(operations: Vec<Operation>) -> Result<ChangeSet, ChangeSetError> {
        ChangeSet::new(operations)
    }
}

impl Operation {
    /// What takes it back.
    pub fn inverse(&self) -> Change {
        match self {
            Operation::Create { after } => Change::Delete { before: after.clone() },
            Operation::Update { before, after } => {
                Change::Update { before: after.clone(), after: before.draft.clone() }
            }
            Operation::Delete { before } => Change::Restore(before.clone()),
        }
    }

    /// The same, as if it had left this row.
    pub fn with_after(&self, after: Record) -> Operation {
        match self {
            Operation::Create { .. } => Operation::Create { after },
            Operation::Update { before, .. } => Operation::Update { before: before.clone(), after },
            Operation::Delete { .. } => self.clone(),
        }
    }

    /// A row that was there before.
    pub fn is_restored(&self) -> bool {
        matches!(self, Operation::Create { after } if after.version > 1)
    }

    pub fn before(&self) -> Option<&Record> {
        match self {
            Operation::Create { .. } => None,
            Operation::Update { before, .. } | Operation::Delete { before } => Some(before),
        }
    }

    pub fn after(&self) -> Option<&Record> {
        match self {
            Operation::Create { after } | Operation::Update { after, .. } => Some(after),
            Operation::Delete { .. } => None,
        }
    }

    /// The record that says whose row this is: as it stands, or as it would be created.
    pub fn row(&self) -> &Record {
        match self {
            Operation::Create { after } => after,
            Operation::Update { before, .. } | Operation::Delete { before } => before,
        }
    }
}
