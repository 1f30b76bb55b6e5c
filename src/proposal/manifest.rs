//! More operations than one transaction can carry: packed into chunks, frozen when they are proposed, and chained by
//! their hashes. The fingerprint covers the first chunk and the manifest, the manifest names the second chunk by its
//! hash, and each chunk the one after it; so what is approved is every row of it, and no header grows with their number.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    change_set::{CHUNK_ACTIONS, CHUNK_BYTES, ChangeSet, ChangeSetError, Operation, no_row_twice},
    fingerprint::ChunkId,
    record::RollupKey,
    tally::Tally,
};

/// Rows of one approval.
pub const MAX_OPERATIONS: usize = 10_000;

/// All chunks of one approval, as JSON.
pub const MAX_BYTES: usize = 16_000_000;

/// Rows shown because they stand out.
const OUTLIERS: usize = 3;

/// How many times the median an amount is that stands out.
const OUTLYING: i64 = 5;

/// What is said and known of operations that are too many for one chunk. Covered by the fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Manifest {
    pub chunks: usize,
    pub tally: Tally,
    /// Far larger than the others in their unit, the largest first.
    pub outliers: Vec<Operation>,
    /// Whose rows they are.
    pub owners: BTreeSet<String>,
    /// The second chunk.
    pub next: ChunkId,
}

/// One transaction's share.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Chunk {
    pub changes: ChangeSet,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ChunkId>,
}

/// Operations as they are kept: the first chunk beside the header, the rest by their hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    pub first: ChangeSet,
    /// None if the first chunk is all.
    pub manifest: Option<Manifest>,
    /// In order.
    pub rest: Vec<Chunk>,
}

impl Chunk {
    pub fn id(&self) -> ChunkId {
        ChunkId::of(self)
    }
}

/// In their order, as few chunks as fit: by the rows and rollups that a transaction may touch, and by bytes.
pub fn pack(operations: Vec<Operation>) -> Result<Packed, ChangeSetError> {
    if operations.len() > MAX_OPERATIONS {
        return Err(ChangeSetError::TooMany { changes: operations.len(), limit: MAX_OPERATIONS });
    }
    no_row_twice(&operations)?;
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
    let Preview { tally, outliers, owners } = preview;
    let manifest = next.map(|next| Manifest { chunks: rest.len() + 1, tally, outliers, owners, next });
    Ok(Packed { first, manifest, rest })
}

fn split(operations: Vec<Operation>) -> Result<Vec<ChangeSet>, ChangeSetError> {
    let (mut chunks, mut chunk) = (Vec::new(), Vec::new());
    let (mut keys, mut chunk_bytes, mut all_bytes) = (BTreeSet::<RollupKey>::new(), 1, 0);
    for operation in operations {
        let bytes = operation.bytes();
        all_bytes += bytes;
        if all_bytes > MAX_BYTES {
            return Err(ChangeSetError::TooLarge);
        }
        let own: BTreeSet<RollupKey> = operation.contributions().map(|(contribution, _)| contribution.key()).collect();
        let new = own.difference(&keys).count();
        if chunk.len() + 1 + keys.len() + new > CHUNK_ACTIONS || chunk_bytes + bytes > CHUNK_BYTES {
            // The first one of all may not fit by itself; that is said below.
            if !chunk.is_empty() {
                chunks.push(ChangeSet::new(std::mem::take(&mut chunk))?);
            }
            (keys, chunk_bytes) = (BTreeSet::new(), 1);
        }
        keys.extend(own);
        chunk_bytes += bytes;
        chunk.push(operation);
    }
    chunks.push(ChangeSet::new(chunk)?);
    Ok(chunks)
}

struct Preview {
    tally: Tally,
    outliers: Vec<Operation>,
    owners: BTreeSet<String>,
}

impl Preview {
    fn of(operations: &[Operation]) -> Preview {
        let tally = Tally::of(operations);
        let mut outliers = Vec::new();
        for sum in &tally.sums {
            let in_unit = |operation: &&Operation| unit_amount(operation, &sum.unit).is_some();
            let mut of_unit: Vec<&Operation> = operations.iter().filter(in_unit).collect();
            of_unit.sort_by_key(|operation| std::cmp::Reverse(unit_amount(operation, &sum.unit)));
            let median = of_unit.get(of_unit.len() / 2).and_then(|middle| unit_amount(middle, &sum.unit));
            let stands_out = |operation: &&&Operation| {
                unit_amount(operation, &sum.unit) > median.map(|median| median.saturating_mul(OUTLYING))
            };
            outliers.extend(of_unit.iter().take(OUTLIERS).filter(stands_out).map(|operation| (*operation).clone()));
        }
        let owners = operations.iter().map(|operation| operation.row().draft.owner.clone()).collect();
        Preview { tally, outliers, owners }
    }
}

fn unit_amount(operation: &Operation, unit: &str) -> Option<i64> {
    let record = operation.after().unwrap_or_else(|| operation.row());
    record.draft.rollups.iter().find(|contribution| contribution.unit == unit).map(|contribution| contribution.amount)
}
