//! Proposals with more operations than one transaction can carry. They are packed into chunks when they are proposed,
//! and chained by hashes: the fingerprint covers the first chunk and the manifest, the manifest has the hash of the
//! second chunk, and each chunk has the hash of the next. So an approval covers every row, and the header's size does
//! not depend on their number.

use crate::sorted::Sort;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    change_set::{CHUNK_ACTIONS, CHUNK_BYTES, ChangeSet, ChangeSetError, Operation, nothing_twice},
    fingerprint::ChunkId,
    operation_summary::OperationSummary,
    record::{Draft, NameKey, RollupKey, UniqueKey},
};

/// Rows of one proposal.
pub const MAX_OPERATIONS: usize = 10_000;

/// Bytes of all chunks of one proposal, as JSON.
pub const MAX_BYTES: usize = 10_000_000;

/// Outliers that are shown.
const OUTLIERS: usize = 3;

/// An outlier is at least this many times the median of its unit.
const OUTLYING: i64 = 5;

/// Facts about operations that do not fit one chunk. The fingerprint covers them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Manifest {
    pub chunks: usize,
    pub summary: OperationSummary,
    /// Far larger than the others in their unit, the largest first.
    pub outliers: Vec<Operation>,
    /// The owners of the rows.
    pub owners: BTreeSet<String>,
    /// The second chunk.
    pub next: ChunkId,
}

/// The operations of one transaction.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Chunk {
    pub changes: ChangeSet,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ChunkId>,
}

/// Operations as they are stored: the first chunk beside the header, the others by their hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    pub first: ChangeSet,
    /// None if there is only one chunk.
    pub manifest: Option<Manifest>,
    /// In order.
    pub rest: Vec<Chunk>,
}

impl Chunk {
    pub fn id(&self) -> ChunkId {
        ChunkId::of(self)
    }
}

/// Packs operations in order into as few chunks as possible, limited by rows, rollups, unique keys and bytes of a
/// transaction. Errors: too many operations, too many bytes, a row or a unique key twice.
pub fn pack(operations: Vec<Operation>) -> Result<Packed, ChangeSetError> {
    if operations.len() > MAX_OPERATIONS {
        return Err(ChangeSetError::TooMany { changes: operations.len(), limit: MAX_OPERATIONS });
    }
    nothing_twice(&operations)?;
    let preview = Preview::of(&operations);
    let mut chunks = split(operations)?.into_iter();
    let first = chunks.next().ok_or(ChangeSetError::Empty)?;
    let mut rest = Vec::new();
    let mut next = None;
    for changes in chunks.rev() {
        let chunk = Chunk { changes, next };
        next = Some(chunk.id());
        rest.push(chunk);
    }
    rest.reverse();
    let Preview { summary, outliers, owners } = preview;
    let manifest = next.map(|next| Manifest { chunks: rest.len() + 1, summary, outliers, owners, next });
    Ok(Packed { first, manifest, rest })
}

fn split(operations: Vec<Operation>) -> Result<Vec<ChangeSet>, ChangeSetError> {
    let (mut chunks, mut chunk) = (Vec::new(), Vec::new());
    let (mut keys, mut chunk_bytes, mut all_bytes) = (SharedItems::default(), 1, 0);
    for operation in operations {
        let bytes = operation.bytes();
        all_bytes += bytes;
        if all_bytes > MAX_BYTES {
            return Err(ChangeSetError::TooLarge);
        }
        let own = SharedItems::of(&operation);
        if chunk.len() + 1 + keys.len_with(&own) > CHUNK_ACTIONS || chunk_bytes + bytes > CHUNK_BYTES {
            // A single operation may be too large for any chunk; `ChangeSet::new` below reports that.
            if !chunk.is_empty() {
                chunks.push(ChangeSet::new(std::mem::take(&mut chunk))?);
            }
            (keys, chunk_bytes) = (SharedItems::default(), 1);
        }
        keys.extend(own);
        chunk_bytes += bytes;
        chunk.push(operation);
    }
    chunks.push(ChangeSet::new(chunk)?);
    Ok(chunks)
}

/// The items that rows of one transaction change together.
#[derive(Default)]
struct SharedItems {
    rollups: BTreeSet<RollupKey>,
    names: BTreeSet<NameKey>,
    unique: BTreeSet<UniqueKey>,
}

impl SharedItems {
    fn of(operation: &Operation) -> SharedItems {
        let rows = || operation.sides().map(|(record, _)| &record.draft);
        SharedItems {
            rollups: rows().flat_map(|row| row.rollups.iter().map(|contribution| contribution.key(row))).collect(),
            names: rows().flat_map(Draft::name_keys).collect(),
            unique: rows().filter_map(Draft::unique).collect(),
        }
    }

    fn len_with(&self, other: &SharedItems) -> usize {
        self.rollups.union(&other.rollups).count()
            + self.names.union(&other.names).count()
            + self.unique.union(&other.unique).count()
    }

    fn extend(&mut self, other: SharedItems) {
        self.rollups.extend(other.rollups);
        self.names.extend(other.names);
        self.unique.extend(other.unique);
    }
}

struct Preview {
    summary: OperationSummary,
    outliers: Vec<Operation>,
    owners: BTreeSet<String>,
}

impl Preview {
    fn of(operations: &[Operation]) -> Preview {
        let summary = OperationSummary::of(operations);
        let mut outliers = Vec::new();
        for sum in &summary.sums {
            let in_unit = |operation: &&Operation| unit_amount(operation, &sum.unit).is_some();
            let mut of_unit: Vec<&Operation> = operations.iter().filter(in_unit).collect();
            of_unit.put_in_order_of(|operation| std::cmp::Reverse(unit_amount(operation, &sum.unit)));
            let median = of_unit.get(of_unit.len() / 2).and_then(|middle| unit_amount(middle, &sum.unit));
            let stands_out = |operation: &&&Operation| {
                unit_amount(operation, &sum.unit) > median.map(|median| median.saturating_mul(OUTLYING))
            };
            outliers.extend(of_unit.iter().take(OUTLIERS).filter(stands_out).map(|operation| (*operation).clone()));
        }
        let owners = operations.iter().map(|operation| operation.row().draft.owner.clone()).collect();
        Preview { summary, outliers, owners }
    }
}

fn unit_amount(operation: &Operation, unit: &str) -> Option<i64> {
    let record = operation.after().unwrap_or_else(|| operation.row());
    let of_unit = record.draft.rollups.iter().filter(|contribution| contribution.unit == unit);
    of_unit.map(|contribution| contribution.amount).reduce(i64::saturating_add)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::proposal::{
        Record, RowRef,
        change_set::{RESERVED_ACTIONS, TRANSACTION_ACTIONS, key_changes, rollup_deltas},
        record::Contribution,
    };

    fn row(id: u64, month: i8, group: u8, amount: i64, padding: usize) -> Record {
        let date = date(2026, month, 1);
        let contribution = Contribution { date, unit: "GBP".into(), group: format!("g{group}"), amount };
        let body = [("item".to_owned(), json!("x".repeat(padding)))].into();
        let unique_key = id.is_multiple_of(3).then(|| format!("{id} in {group}"));
        let (kind, owner, rollups) = ("E".into(), "me".into(), vec![contribution]);
        let draft = Draft { kind, owner, body, date, rollups, unique_key, ..Draft::default() };
        Record { id, version: 1, draft }
    }

    fn operations() -> impl Strategy<Value = Vec<Operation>> {
        let one = (1..=12_i8, 0..20_u8, 1..100_000_i64, prop_oneof![9 => 0..300_usize, 1 => 0..60_000_usize], 0..3_u8);
        proptest::collection::vec(one, 1..400).prop_map(|all| {
            let numbered = (1..).zip(all);
            numbered
                .map(|(id, (month, group, amount, padding, kind))| {
                    let before = row(id, month, group, amount, padding);
                    match kind {
                        0 => Operation::Create { after: before },
                        1 => Operation::Delete { before },
                        // Moves the row to another month and group.
                        _ => {
                            let after = row(id, month % 12 + 1, group + 1, amount, padding);
                            Operation::Update { before, after: Record { version: 2, ..after } }
                        }
                    }
                })
                .collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn chunks_contain_all_operations_in_order_and_fit_a_transaction(operations in operations()) {
            let Packed { first, manifest, rest } = pack(operations.clone()).unwrap();
            let mut next = manifest.as_ref().map(|manifest| manifest.next.clone());
            let mut packed = first.operations().to_vec();
            for chunk in &rest {
                prop_assert_eq!(Some(chunk.id()), next);
                next = chunk.next.clone();
                packed.extend(chunk.changes.operations().iter().cloned());
            }
            prop_assert_eq!(next, None);
            prop_assert_eq!(&packed, &operations);
            for changes in std::iter::once(&first).chain(rest.iter().map(|chunk| &chunk.changes)) {
                let keys = key_changes((0..).zip(changes.operations())).len();
                let actions = changes.operations().len() + rollup_deltas(changes.operations()).len() + keys;
                prop_assert!(actions + RESERVED_ACTIONS <= TRANSACTION_ACTIONS);
                prop_assert!(serde_json::to_vec(changes).unwrap().len() <= CHUNK_BYTES);
            }
            if let Some(manifest) = manifest {
                prop_assert_eq!(manifest.chunks, rest.len() + 1);
                prop_assert_eq!(&manifest.summary, &OperationSummary::of(&operations));
                let mut parts = OperationSummary::of(first.operations());
                for chunk in &rest {
                    parts.add(&OperationSummary::of(chunk.changes.operations()));
                }
                prop_assert_eq!(parts.sums, manifest.summary.sums);
            }
        }
    }

    #[test]
    fn an_altered_chunk_has_another_id() {
        let chunk = |amount| {
            let changes = ChangeSet::new(vec![Operation::Delete { before: row(1, 1, 1, amount, 0) }]).unwrap();
            Chunk { changes, next: None }
        };
        assert_ne!(chunk(1).id(), chunk(2).id());
        assert_ne!(chunk(1).id(), Chunk { next: Some(chunk(2).id()), ..chunk(1) }.id());
    }

    #[test]
    fn too_many_operations_and_a_repeated_row_or_key_are_refused() {
        let delete = |id| Operation::Delete { before: row(id, 1, 1, 1, 0) };
        let limit = MAX_OPERATIONS as u64;
        assert!(pack((1..=limit).map(delete).collect()).is_ok());
        let refused = pack((1..=limit + 1).map(delete).collect()).unwrap_err();
        assert_eq!(refused, ChangeSetError::TooMany { changes: MAX_OPERATIONS + 1, limit: MAX_OPERATIONS });
        let twice = (1..=200).chain([7]).map(delete).collect();
        assert_eq!(pack(twice).unwrap_err(), ChangeSetError::SameRowTwice(RowRef { kind: "E".into(), id: 7 }));
        let same = |id| {
            let after = row(id, 1, 1, 1, 0);
            Operation::Create {
                after: Record { draft: Draft { unique_key: Some("rent".into()), ..after.draft }, ..after },
            }
        };
        assert_eq!(
            pack((1..=200).map(delete).chain([same(201), same(202)]).collect()).unwrap_err(),
            ChangeSetError::SameKeyTwice
        );
        let heavy = |id| Operation::Delete { before: row(id, 1, 1, 1, 250_000) };
        assert_eq!(pack((1..=41).map(heavy).collect()).unwrap_err(), ChangeSetError::TooLarge);
    }

    #[test]
    fn outliers_are_shown() {
        let mut rows: Vec<Operation> =
            (1..=200).map(|id| Operation::Delete { before: row(id, 1, 1, 100, 0) }).collect();
        rows.push(Operation::Delete { before: row(500, 1, 1, 95_000, 0) });
        let outliers = pack(rows).unwrap().manifest.unwrap().outliers;
        assert_eq!(outliers.iter().map(|outlier| outlier.row().id).collect::<Vec<_>>(), [500]);
    }
}
