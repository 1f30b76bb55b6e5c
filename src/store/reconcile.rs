//! Recomputes rollups and the totals of names from their rows, and reports and repairs those that differ.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    Item, StoreError, TenantStore,
    dynamodb::{CONDITION_FAILED, PutItem, Query, ReturnOld, TRANSACTION_CONFLICT, old_item},
    failed, get_number, get_text, item,
    keys::{self, BY_ORDER, PK, SK},
    number,
    records::{LONG_NAME, parse_name, parse_rollup},
    text,
};
use crate::proposal::{Contribution, Draft, NameKey, Rollup, RollupKey, contribute, count_name};
use crate::sorted::{Collect, Sort};

/// How often a difference is read again before it is reported as busy.
const READS: usize = 5;

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
}

/// The part of a record that is summed.
#[derive(Deserialize)]
struct Row {
    kind: String,
    owner: String,
    name: Option<String>,
    rollups: Vec<Contribution>,
}

impl TenantStore<'_> {
    /// Recomputes every rollup and repairs those that are wrong, while other requests write.
    ///
    /// Each transaction that changes rows increments `v` of their rollups. So the sum of rows that are read after `v`
    /// is right while `v` is unchanged, and a repair is conditional on that. (Programs that do not count `v` must be
    /// gone.) A query may see a transaction's rows a moment after its rollup, though: a difference counts only when two
    /// reads in a row agree on it.
    pub async fn reconcile(&self) -> Result<Reconciliation, StoreError> {
        let Comparison { rows, rollups, differences: mut open } = self.compare().await?;
        let mut drifts = Vec::new();
        for _ in 0..READS {
            if open.is_empty() {
                break;
            }
            let mut left = BTreeMap::new();
            for (key, difference) in self.compare().await?.differences {
                // It did not differ in the last read: a write is in progress.
                let Some(before) = open.get(&key) else { continue };
                if *before == difference && self.repair(&key, &difference).await? {
                    let Difference { stored, recomputed, .. } = difference;
                    drifts.push(Drift { key, stored, recomputed });
                } else {
                    left.insert(key, difference);
                }
            }
            open = left;
        }
        drifts.put_in_order(|one, other| one.key.cmp(&other.key));
        Ok(Reconciliation { rows, rollups, drifts, busy: open.into_keys().collect() })
    }

    /// Reads all rollups first, then all rows.
    async fn compare(&self) -> Result<Comparison, StoreError> {
        let (mut comparison, mut stored) = (Comparison::default(), BTreeMap::new());
        for prefix in [keys::ROLLUPS, keys::NAMES] {
            let query = Query::new()
                .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
                .expression_attribute_values(":prefix", text(prefix));
            let read = |item: Item| {
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
            .projection_expression("sk, kind, #owner, #name, rollups")
            .expression_attribute_names("#owner", "owner")
            .expression_attribute_names("#name", "name");
        let (mut rollups, mut names) = (BTreeMap::new(), BTreeMap::new());
        let read_row = |item: Item| {
            let draft = parse_row(item)?;
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
            let recomputed = recomputed.remove(&key).and_then(Rollup::without_zeros);
            comparison.note(key, Difference { stored: rollup.without_zeros(), revision, recomputed });
        }
        for (key, rollup) in recomputed {
            comparison.note(key, Difference { stored: None, revision: None, recomputed: rollup.without_zeros() });
        }
        Ok(comparison)
    }

    /// Returns false if the rollup was written to since it was read.
    async fn repair(&self, key: &SumKey, difference: &Difference) -> Result<bool, StoreError> {
        let Difference { revision, recomputed, .. } = difference;
        // An empty rollup is stored as zeros and not deleted. Otherwise `v` would start again, and an old condition
        // could hold.
        let rollup = recomputed.clone().unwrap_or_default();
        let item = rollup_item(&self.records_key(), key, &rollup, revision.unwrap_or_default() + 1);
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

fn parse_row(item: Item) -> Result<Draft, StoreError> {
    let sk = get_text(&item, SK)?.to_owned();
    let row = serde_dynamo::from_item(item);
    let Row { kind, owner, name, rollups } =
        row.map_err(|_| StoreError::Corrupt(format!("the sums of record {sk} do not parse")))?;
    Ok(Draft { kind, owner, name, rollups, ..Draft::default() })
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
