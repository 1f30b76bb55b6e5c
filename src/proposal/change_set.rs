//! A change set is a list of operations for one transaction. Every write is one change set, or several in a row.
//! Preview, fingerprint, transaction, receipt and rollup deltas are functions of it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::record::{Draft, NameKey, Record, Rollup, RollupKey, RowRef, UniqueKey, contribute, count_name};

/// DynamoDB's limit for one transaction.
pub const TRANSACTION_ACTIONS: usize = 100;

/// Actions for header, chunk, waiting entry, the waiting entry it displaces, turn, message claim, member, duplicate
/// guard and arguments entry.
pub const RESERVED_ACTIONS: usize = 9;

/// How many rows, rollups, totals of names and unique keys one transaction can change.
pub const CHUNK_ACTIONS: usize = TRANSACTION_ACTIONS - RESERVED_ACTIONS;

/// Bytes of one chunk as JSON with its call and notes. DynamoDB allows 400 KB an item and 4 MB a transaction.
pub const CHUNK_BYTES: usize = 300_000;

/// A change that a tool plans, before creates have ids.
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
    /// A row that existed before, in its last state and with its own id.
    Restore(Record),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Operation {
    Create { after: Record },
    Update { before: Record, after: Record },
    Delete { before: Record },
}

/// Operations of one transaction, no two on the same row.
///
/// The limits apply to a new change set only. One that was stored is read as it is, whatever the limits are now.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeSet(Vec<Operation>);

/// How the execution of a change set differed from what was shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Adjustments {
    /// Indexes of operations that were left out: their rows have changed.
    pub skipped: BTreeSet<usize>,
    /// By index: the row's version at execution, if its content was still as shown.
    pub versions: BTreeMap<usize, u64>,
}

/// What an operation does to its row, as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    Add,
    Restore,
    Change,
    Delete,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeSetError {
    #[error("there is nothing to change")]
    Empty,
    #[error("one of these rows would change twice at once. Say one change at a time")]
    SameRowTwice(RowRef),
    #[error("two of these are for the same thing, and there can be only one. Say it once")]
    SameKeyTwice,
    #[error("these are too many changes at once ({changes}, and {limit} are allowed). Say fewer at a time")]
    TooMany { changes: usize, limit: usize },
    #[error("this is too much text at once. Say less at a time")]
    TooLarge,
}

impl Change {
    /// The row after the change; for a deletion, the row before it.
    /// The record that it is about, as it is stored.
    pub fn before(&self) -> Option<&Record> {
        match self {
            Change::Create(_) | Change::Restore(_) => None,
            Change::Update { before, .. } | Change::Delete { before } => Some(before),
        }
    }

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
        nothing_twice(&operations)?;
        let shared = rollup_deltas(&operations).len() + name_deltas(&operations).len();
        let changes = operations.len() + shared + key_changes((0..).zip(&operations)).len();
        if changes > CHUNK_ACTIONS {
            return Err(ChangeSetError::TooMany { changes, limit: CHUNK_ACTIONS });
        }
        if 1 + operations.iter().map(Operation::bytes).sum::<usize>() > CHUNK_BYTES {
            return Err(ChangeSetError::TooLarge);
        }
        Ok(ChangeSet(operations))
    }

    pub fn operations(&self) -> &[Operation] {
        &self.0
    }

    /// The operations that were executed.
    pub fn adjusted(&self, adjustments: &Adjustments) -> Vec<Operation> {
        let done = self.0.iter().enumerate().filter(|(index, _)| !adjustments.skipped.contains(index));
        done.map(|(index, operation)| match adjustments.versions.get(&index) {
            Some(version) => operation.rebased(*version),
            None => operation.clone(),
        })
        .collect()
    }
}

/// Gives ids to the creates, in order, from the first free id of each kind. A restored row gets a version that it never
/// had before: the time in milliseconds, since no row changes more often than that.
pub fn number(changes: Vec<Change>, mut next_ids: BTreeMap<String, u64>, now: Timestamp) -> Vec<Operation> {
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
    operations.collect()
}

/// What the operations add to the rollups, merged. Entries that change nothing are left out.
pub fn rollup_deltas<'o>(operations: impl IntoIterator<Item = &'o Operation>) -> BTreeMap<RollupKey, Rollup> {
    let mut deltas: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
    for operation in operations {
        for (record, sign) in operation.sides() {
            contribute(&mut deltas, &record.draft, sign);
        }
    }
    deltas.retain(|_, delta| !delta.is_neutral());
    deltas
}

/// What the operations add to the totals of names, merged. Entries that change nothing are left out.
pub fn name_deltas<'o>(operations: impl IntoIterator<Item = &'o Operation>) -> BTreeMap<NameKey, Rollup> {
    let mut deltas: BTreeMap<NameKey, Rollup> = BTreeMap::new();
    for operation in operations {
        for (record, sign) in operation.sides() {
            count_name(&mut deltas, &record.draft, sign);
        }
    }
    deltas.retain(|_, delta| !delta.is_neutral());
    deltas
}

/// What the operations do to one unique key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyChange {
    /// The id of the row that gives it up.
    pub from: Option<u64>,
    /// The index of the operation whose row takes it, and the row's id.
    pub to: Option<(usize, u64)>,
}

/// The unique keys that change hands, with the indexes of the operations in their chunk.
pub fn key_changes<'o>(operations: impl IntoIterator<Item = (usize, &'o Operation)>) -> BTreeMap<UniqueKey, KeyChange> {
    let mut changes: BTreeMap<UniqueKey, KeyChange> = BTreeMap::new();
    for (index, operation) in operations {
        let unique = |record: Option<&Record>| record.and_then(|record| record.draft.unique());
        let (before, after) = (unique(operation.before()), unique(operation.after()));
        let id = operation.row().id;
        if before != after {
            before.into_iter().for_each(|key| changes.entry(key).or_default().from = Some(id));
            after.into_iter().for_each(|key| changes.entry(key).or_default().to = Some((index, id)));
        }
    }
    changes
}

/// No row may change twice, and no two rows may take the same unique key.
pub(super) fn nothing_twice(operations: &[Operation]) -> Result<(), ChangeSetError> {
    let (mut rows, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations {
        let row = operation.row();
        if !rows.insert((&row.draft.kind, row.id)) {
            return Err(ChangeSetError::SameRowTwice(row.row_ref()));
        }
        let unique = operation.after().and_then(|after| after.draft.unique());
        if unique.is_some_and(|key| !keys.insert(key)) {
            return Err(ChangeSetError::SameKeyTwice);
        }
    }
    Ok(())
}

impl Adjustments {
    pub fn is_none(&self) -> bool {
        *self == Adjustments::default()
    }
}

impl Operation {
    /// The change that undoes this operation.
    pub fn inverse(&self) -> Change {
        match self {
            Operation::Create { after } => Change::Delete { before: after.clone() },
            Operation::Update { before, after } => {
                Change::Update { before: after.clone(), after: before.draft.clone() }
            }
            Operation::Delete { before } => Change::Restore(before.clone()),
        }
    }

    /// The same operation with another resulting row.
    pub fn with_after(&self, after: Record) -> Operation {
        match self {
            Operation::Create { .. } => Operation::Create { after },
            Operation::Update { before, .. } => Operation::Update { before: before.clone(), after },
            Operation::Delete { .. } => self.clone(),
        }
    }

    /// The same operation on a later version of the row with the same content.
    fn rebased(&self, version: u64) -> Operation {
        let at = |record: &Record, version| Record { version, ..record.clone() };
        match self {
            Operation::Create { .. } => self.clone(),
            Operation::Update { before, after } => {
                Operation::Update { before: at(before, version), after: at(after, version + 1) }
            }
            Operation::Delete { before } => Operation::Delete { before: at(before, version) },
        }
    }

    /// Whether the row's content is still as it was shown, so that the approved change may be executed.
    pub fn still_holds(&self, now: Option<&Record>) -> bool {
        self.before().is_some() && self.before().map(|before| &before.draft) == now.map(|now| &now.draft)
    }

    pub fn verb(&self) -> Verb {
        match self {
            Operation::Create { .. } if self.is_restored() => Verb::Restore,
            Operation::Create { .. } => Verb::Add,
            Operation::Update { .. } => Verb::Change,
            Operation::Delete { .. } => Verb::Delete,
        }
    }

    /// The rows that the rollups lose (−1) and gain (1).
    pub(super) fn sides(&self) -> impl Iterator<Item = (&Record, i64)> {
        let sides = [(self.before(), -1), (self.after(), 1)];
        sides.into_iter().filter_map(|(record, sign)| Some((record?, sign)))
    }

    /// Its length in a JSON list, with the comma.
    pub(super) fn bytes(&self) -> usize {
        serde_json::to_vec(self).map_or(CHUNK_BYTES, |json| json.len() + 1)
    }

    /// Whether this creates a row that existed before.
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

    /// The row that says whom this concerns: before the change, or as created.
    pub fn row(&self) -> &Record {
        match self {
            Operation::Create { after } => after,
            Operation::Update { before, .. } | Operation::Delete { before } => before,
        }
    }
}
