//! Change sets: everything that writes is one, or several in a row. Preview, fingerprint, transaction, receipt and
//! rollup deltas are functions of it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::record::{Draft, Record, Rollup, RollupKey, contribute};

/// DynamoDB's limit for one transaction.
pub const TRANSACTION_ACTIONS: usize = 100;

/// Header, chunk, open-proposal entry and its oldest sibling, turn, message claim, duplicate guard and arguments entry.
pub const RESERVED_ACTIONS: usize = 8;

/// Rows and rollups that one transaction can change.
pub const CHUNK_ACTIONS: usize = TRANSACTION_ACTIONS - RESERVED_ACTIONS;

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

/// How a change set was done where that differs from what was shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Adjustments {
    /// Left out, by index: the row is not as it was shown any more.
    pub skipped: BTreeSet<usize>,
    /// The version that was found, by index, where everything shown still held.
    pub versions: BTreeMap<usize, u64>,
}

/// What an operation does to its row, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    Add,
    Restore,
    Change,
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeSetError {
    #[error("there is nothing to change")]
    Empty,
    #[error("#{0} would change twice at once. Say one change at a time")]
    SameRowTwice(u64),
    #[error("these are too many changes at once ({changes}, and {limit} are allowed). Say fewer at a time")]
    TooMany { changes: usize, limit: usize },
    #[error("this is too much text at once. Say less at a time")]
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
        no_row_twice(&operations)?;
        let changes = operations.len() + rollup_deltas(&operations).len();
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

    /// As it was done.
    pub fn adjusted(&self, adjustments: &Adjustments) -> Vec<Operation> {
        let done = self.0.iter().enumerate().filter(|(index, _)| !adjustments.skipped.contains(index));
        done.map(|(index, operation)| match adjustments.versions.get(&index) {
            Some(version) => operation.rebased(*version),
            None => operation.clone(),
        })
        .collect()
    }
}

/// Numbers the creates, in order, from the first id of each kind. A restored row gets a version that it never had,
/// however often it came and went: the time in milliseconds, since no row changes more often than that.
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

/// What the rollups gain and lose, merged; entries that change nothing are left out.
pub fn rollup_deltas<'o>(operations: impl IntoIterator<Item = &'o Operation>) -> BTreeMap<RollupKey, Rollup> {
    let mut deltas: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
    for operation in operations {
        for (record, sign) in operation.sides() {
            contribute(&mut deltas, &record.draft.rollups, sign);
        }
    }
    deltas.retain(|_, delta| !delta.is_neutral());
    deltas
}

pub(super) fn no_row_twice(operations: &[Operation]) -> Result<(), ChangeSetError> {
    let mut seen = BTreeSet::new();
    let twice = operations.iter().map(Operation::row).find(|row| !seen.insert((&row.draft.kind, row.id)));
    twice.map_or(Ok(()), |row| Err(ChangeSetError::SameRowTwice(row.id)))
}

impl Adjustments {
    pub fn is_none(&self) -> bool {
        *self == Adjustments::default()
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

    /// The same on a row whose version has gone on, while its content is what was shown.
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

    /// Whether everything that was shown of the row is still so: then it may be changed as it was agreed to.
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

    /// What the rollups lose (−1) and gain (1).
    pub(super) fn sides(&self) -> impl Iterator<Item = (&Record, i64)> {
        let sides = [(self.before(), -1), (self.after(), 1)];
        sides.into_iter().filter_map(|(record, sign)| Some((record?, sign)))
    }

    /// As it is stored in a list, with its comma.
    pub(super) fn bytes(&self) -> usize {
        serde_json::to_vec(self).map_or(CHUNK_BYTES, |json| json.len() + 1)
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
