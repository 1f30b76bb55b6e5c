//! Recomputes rollups, the totals of names and the holders of unique keys from the rows, and reports and repairs those
//! that differ.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{
    Item, StoreError, TenantStore, conditional,
    dynamodb::{CONDITION_FAILED, DeleteItem, PutItem, Query, ReturnOld, TRANSACTION_CONFLICT, old_item},
    failed, get_number, get_text, item,
    keys::{self, BY_ORDER, PK, SK},
    number,
    records::{LONG_NAME, parse_name, parse_rollup},
    text,
};
use crate::proposal::{Contribution, Draft, NameKey, Rollup, RollupKey, contribute, count_name};
use crate::sorted::{Collect, Sort};

pub use unique_keys::KeyDrift;
use unique_keys::{KeyDifference, UniqueKeys};

mod unique_keys;

/// How often a difference is read again before it is reported as busy.
const READS: usize = 5;

/// A sum of no rows is deleted only if its `v` is older: longer than any process lives that read it before, and than
/// clocks differ.
const EMPTY_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The result of reconciling one tenant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reconciliation {
    /// Rows that were read.
    pub rows: usize,
    /// Rollups and totals of names that are stored.
    pub rollups: usize,
    /// Those that were wrong and are repaired now.
    pub drifts: Vec<Drift>,
    /// Those that differed and changed between all reads.
    pub busy: Vec<SumKey>,
    /// Those of zeros only that were deleted.
    pub emptied: usize,
    /// Unique keys that did not name the row that has them, and do now.
    pub keys: Vec<KeyDrift>,
    /// Those whose rows changed between all reads, by their sort keys.
    pub busy_keys: Vec<String>,
}

/// What is recomputed. The total of a name has no days.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SumKey {
    Month(RollupKey),
    Name(NameKey),
}

impl SumKey {
    fn sk(&self) -> String {
        match self {
            SumKey::Month(key) => keys::rollup(key),
            SumKey::Name(key) => keys::name(key),
        }
    }
}

/// A rollup that differed from the sum of its rows. None is a missing rollup, or one of zeros only, which remains when
/// the last row is deleted. Neither side contains days of zeros.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    pub key: SumKey,
    pub stored: Option<Rollup>,
    pub recomputed: Option<Rollup>,
}

/// A rollup as it was read, and the sum of the rows that were read after it.
#[derive(Debug, PartialEq)]
struct Difference {
    stored: Option<Rollup>,
    /// The rollup's `v`. None if no rollup is stored, or if an older program, which did not count changes, stored it.
    revision: Option<u64>,
    recomputed: Option<Rollup>,
}

#[derive(Debug, Default)]
struct Comparison {
    rows: usize,
    rollups: usize,
    differences: BTreeMap<SumKey, Difference>,
    /// Sums of zeros only, as they should be, with their `v`.
    empty: Vec<(SumKey, u64)>,
    /// By sort key.
    keys: BTreeMap<String, KeyDifference>,
}

/// The part of a record that is summed, or has a unique key.
#[derive(Deserialize)]
struct Row {
    id: u64,
    version: u64,
    kind: String,
    owner: String,
    name: Option<String>,
    rollups: Vec<Contribution>,
    #[serde(rename = "uniqueKey")]
    unique_key: Option<String>,
}

impl TenantStore<'_> {
    /// Recomputes every rollup and unique key and repairs those that are wrong, while other requests write.
    ///
    /// Each transaction that changes rows increments `v` of their rollups. So the sum of rows that are read after `v`
    /// is right while `v` is unchanged, and a repair is conditional on that. (Programs that do not count `v` must be
    /// gone.) A query may see a transaction's rows a moment after its rollup, though: a difference counts only when two
    /// reads in a row agree on it.
    ///
    /// Sums of no rows are deleted if they have not changed for some days and no run is under way: what it adds to has a
    /// `v` from its approval on.
    pub async fn reconcile(&self, now: Timestamp) -> Result<Reconciliation, StoreError> {
        let Comparison { rows, rollups, differences: mut open, empty, keys: mut open_keys } = self.compare().await?;
        let emptied = self.delete_empty(empty, now).await?;
        let (mut drifts, mut keys) = (Vec::new(), Vec::new());
        for _ in 0..READS {
            if open.is_empty() && open_keys.is_empty() {
                break;
            }
            let (mut left, mut left_keys) = (BTreeMap::new(), BTreeMap::new());
            let found = self.compare().await?;
            for (sk, difference) in found.keys {
                let Some(before) = open_keys.get(&sk) else { continue };
                if *before == difference && self.repair_key(&sk, &difference).await? {
                    keys.push(difference.into());
                } else {
                    left_keys.insert(sk, difference);
                }
            }
            open_keys = left_keys;
            for (key, difference) in found.differences {
                // It did not differ in the last read: a write is in progress.
                let Some(before) = open.get(&key) else { continue };
                if *before == difference && self.repair(&key, &difference, now).await? {
                    let Difference { stored, recomputed, .. } = difference;
                    drifts.push(Drift { key, stored, recomputed });
                } else {
                    left.insert(key, difference);
                }
            }
            open = left;
        }
        drifts.put_in_order(|one, other| one.key.cmp(&other.key));
        let (busy, busy_keys) = (open.into_keys().collect(), open_keys.into_keys().collect());
        Ok(Reconciliation { rows, rollups, drifts, busy, emptied, keys, busy_keys })
    }

    /// Reads all rollups and unique keys first, then all rows.
    async fn compare(&self) -> Result<Comparison, StoreError> {
        let (mut comparison, mut stored, mut unique) = (Comparison::default(), BTreeMap::new(), UniqueKeys::default());
        for prefix in [keys::ROLLUPS, keys::NAMES, keys::UNIQUE_KEYS] {
            let query = Query::new()
                .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
                .expression_attribute_values(":prefix", text(prefix));
            let read = |item: Item| {
                if prefix == keys::UNIQUE_KEYS {
                    unique.store(get_text(&item, SK)?, get_number(&item, "id")?);
                    return Ok(());
                }
                let (key, rollup) = match prefix {
                    keys::NAMES => parse_name(&item).map(|(key, total)| (SumKey::Name(key), total))?,
                    _ => parse_rollup(&item).map(|(key, rollup)| (SumKey::Month(key), rollup))?,
                };
                let revision = item.contains_key("v").then(|| get_number(&item, "v")).transpose()?;
                comparison.rollups += 1;
                stored.insert(key, (rollup, revision));
                Ok(())
            };
            self.query_all(query, read).await?;
        }

        // Only rows have this index's key in this partition.
        let rows = Query::new()
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk")
            .projection_expression("sk, id, #version, kind, #owner, #name, rollups, uniqueKey")
            .expression_attribute_names("#version", "version")
            .expression_attribute_names("#owner", "owner")
            .expression_attribute_names("#name", "name");
        let (mut rollups, mut names) = (BTreeMap::new(), BTreeMap::new());
        let read_row = |item: Item| {
            let (id, version, draft) = parse_row(item)?;
            unique.read(&draft, id, version);
            contribute(&mut rollups, &draft, 1);
            count_name(&mut names, &draft, 1);
            comparison.rows += 1;
            Ok(())
        };
        self.query_all(rows, read_row).await?;
        let months = rollups.into_iter().map(|(key, rollup)| (SumKey::Month(key), rollup));
        let names = names.into_iter().map(|(key, total)| (SumKey::Name(key), total));
        let mut recomputed: BTreeMap<SumKey, Rollup> = months.chain(names).inserted();

        for (key, (rollup, revision)) in stored {
            let (stored, recomputed) =
                (rollup.without_zeros(), recomputed.remove(&key).and_then(Rollup::without_zeros));
            if let (None, None, Some(v)) = (&stored, &recomputed, revision) {
                comparison.empty.push((key.clone(), v));
            }
            comparison.note(key, Difference { stored, revision, recomputed });
        }
        for (key, rollup) in recomputed {
            comparison.note(key, Difference { stored: None, revision: None, recomputed: rollup.without_zeros() });
        }
        comparison.keys = unique.differences();
        Ok(comparison)
    }

    /// Returns how many were deleted.
    async fn delete_empty(&self, empty: Vec<(SumKey, u64)>, now: Timestamp) -> Result<usize, StoreError> {
        let before = u64::try_from((now - EMPTY_KEPT).as_millisecond()).unwrap_or_default();
        let empty: Vec<(SumKey, u64)> = empty.into_iter().filter(|(_, v)| *v < before).collect();
        if empty.is_empty() || !self.settings().await?.runs.is_empty() {
            return Ok(0);
        }
        let mut deleted = 0;
        for (key, v) in empty {
            let delete = DeleteItem::new()
                .table_name(&self.store.table)
                .key(PK, text(self.records_key()))
                .key(SK, text(key.sk()))
                // It does not exist if this call's answer was lost and it is sent again.
                .condition_expression("attribute_not_exists(pk) OR v = :v")
                .expression_attribute_values(":v", number(v));
            match self.store.dynamodb.call(delete).await {
                Err(failure) if failure.code() == Some(TRANSACTION_CONFLICT) => {}
                result => deleted += usize::from(conditional(result)?.is_some()),
            }
        }
        Ok(deleted)
    }

    /// Returns false if the rollup was written to since it was read.
    async fn repair(&self, key: &SumKey, difference: &Difference, now: Timestamp) -> Result<bool, StoreError> {
        let Difference { revision, recomputed, .. } = difference;
        // An empty rollup is stored as zeros first. It is deleted when nobody can have an older `v` of it.
        let rollup = recomputed.clone().unwrap_or_default();
        let began = || u64::try_from(now.as_millisecond()).unwrap_or_default();
        let item = rollup_item(&self.records_key(), key, &rollup, revision.unwrap_or_else(began) + 1);
        let put = PutItem::new()
            .table_name(&self.store.table)
            .item(item.clone())
            .return_values_on_condition_check_failure(ReturnOld::AllOld);
        let put = match revision {
            Some(v) => put.condition_expression("v = :v").expression_attribute_values(":v", number(v)),
            None => put.condition_expression("attribute_not_exists(v)"),
        };
        let Err(error) = self.store.dynamodb.call(put).await else { return Ok(true) };
        match error.code() {
            // The stored item is this repair, if its answer was lost and the SDK sent it again.
            Some(CONDITION_FAILED) => Ok(old_item(&error).as_ref() == Some(&item)),
            Some(TRANSACTION_CONFLICT) => Ok(false),
            _ => Err(failed(error)),
        }
    }
}

impl Comparison {
    fn note(&mut self, key: SumKey, difference: Difference) {
        if difference.stored != difference.recomputed {
            self.differences.insert(key, difference);
        }
    }
}

fn parse_row(item: Item) -> Result<(u64, u64, Draft), StoreError> {
    let sk = get_text(&item, SK)?.to_owned();
    let row = serde_dynamo::from_item(item);
    let Row { id, version, kind, owner, name, rollups, unique_key } =
        row.map_err(|_| StoreError::Corrupt(format!("the sums of record {sk} do not parse")))?;
    Ok((id, version, Draft { kind, owner, name, rollups, unique_key, ..Draft::default() }))
}

fn rollup_item(partition: &str, key: &SumKey, rollup: &Rollup, revision: u64) -> Item {
    let mut item = item([
        (PK, text(partition)),
        (SK, text(key.sk())),
        ("sum", number(rollup.sum)),
        ("n", number(rollup.count)),
        ("v", number(revision)),
    ]);
    for (day, (sum, count)) in &rollup.days {
        item.insert(format!("s{day:02}"), number(sum));
        item.insert(format!("n{day:02}"), number(count));
    }
    if let SumKey::Name(NameKey { name, .. }) = key
        && keys::is_hashed(name)
    {
        item.insert(LONG_NAME.into(), text(name));
    }
    item.extend(rollup.parts.iter().map(|(day, part)| (format!("p{day:02}"), number(part))));
    item
}
