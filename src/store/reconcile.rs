//! Reconciling: rollups are recomputed from their rows, and what differs is reported and repaired.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::{
    operation::{
        put_item::{PutItemError, PutItemInput},
        query::QueryInput,
    },
    types::ReturnValuesOnConditionCheckFailure,
};
use serde::Deserialize;

use super::{
    Item, StoreError, TenantStore, failed, get_number, get_text, item,
    keys::{self, BY_ORDER, PK, SK},
    number,
    records::parse_rollup,
    text,
};
use crate::proposal::{Contribution, Rollup, RollupKey, contribute};

/// How often what differs is looked at again.
const LOOKS: usize = 5;

/// What a tenant's rollups were found to be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reconciliation {
    /// How many rows were read.
    pub rows: usize,
    /// How many rollups were stored.
    pub rollups: usize,
    /// What was wrong and is repaired.
    pub drifts: Vec<Drift>,
    /// What differed, and was written to each time it was looked at.
    pub busy: Vec<RollupKey>,
}

/// A rollup that was not what its rows add up to. None is one that is missing or of nothing but zeros, which is what
/// taking the last row away leaves; neither side has days of zeros.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    pub key: RollupKey,
    pub stored: Option<Rollup>,
    pub recomputed: Option<Rollup>,
}

/// A rollup as it was read, and what the rows that were read after it add up to.
#[derive(Debug, PartialEq)]
struct Difference {
    stored: Option<Rollup>,
    /// None where nothing is stored, or by a program that did not count yet.
    revision: Option<u64>,
    recomputed: Option<Rollup>,
}

#[derive(Debug, Default)]
struct Look {
    rows: usize,
    rollups: usize,
    differences: BTreeMap<RollupKey, Difference>,
}

#[derive(Deserialize)]
struct Row {
    rollups: Vec<Contribution>,
}

impl TenantStore<'_> {
    /// Recomputes every rollup and repairs those that are wrong, beside whatever else is written.
    ///
    /// Each transaction that changes rows counts up `v` of the rollups that they add to. So what rows that are read
    /// after `v` add up to is right as long as `v` stands, and a repair is conditional on that. (Programs that do not
    /// count yet must be gone.) A query may see a transaction's rows a moment after its rollup, though: a difference
    /// counts only when two looks in a row agree on it.
    pub async fn reconcile(&self) -> Result<Reconciliation, StoreError> {
        let Look { rows, rollups, differences: mut open } = self.look().await?;
        let mut drifts = Vec::new();
        for _ in 0..LOOKS {
            if open.is_empty() {
                break;
            }
            let mut left = BTreeMap::new();
            for (key, difference) in self.look().await?.differences {
                // It was right a look ago: a write under way.
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
        drifts.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(Reconciliation { rows, rollups, drifts, busy: open.into_keys().collect() })
    }

    /// All rollups first, then all rows.
    async fn look(&self) -> Result<Look, StoreError> {
        let (mut look, mut stored, mut recomputed) = (Look::default(), BTreeMap::new(), BTreeMap::new());
        let rollups = QueryInput::builder()
            .key_condition_expression("pk = :pk AND begins_with(sk, :rollups)")
            .expression_attribute_values(":rollups", text(keys::ROLLUPS));
        let read_rollup = |item: Item| {
            let (key, rollup) = parse_rollup(&item)?;
            let revision = item.contains_key("v").then(|| get_number(&item, "v")).transpose()?;
            look.rollups += 1;
            stored.insert(key, (rollup, revision));
            Ok(())
        };
        self.query_all(rollups, read_rollup).await?;

        // Nothing but rows has this index's key in this partition.
        let rows = QueryInput::builder()
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk")
            .projection_expression("sk, rollups");
        let read_row = |item: Item| {
            contribute(&mut recomputed, &parse_row(item)?.rollups, 1);
            look.rows += 1;
            Ok(())
        };
        self.query_all(rows, read_row).await?;

        for (key, (rollup, revision)) in stored {
            let recomputed = recomputed.remove(&key).and_then(Rollup::without_zeros);
            look.note(key, Difference { stored: rollup.without_zeros(), revision, recomputed });
        }
        for (key, rollup) in recomputed {
            look.note(key, Difference { stored: None, revision: None, recomputed: rollup.without_zeros() });
        }
        Ok(look)
    }

    /// Whether it is repaired now; not if it was written to since it was read.
    async fn repair(&self, key: &RollupKey, difference: &Difference) -> Result<bool, StoreError> {
        let Difference { revision, recomputed, .. } = difference;
        // A rollup of nothing is stored as zeros and not deleted: `v` would start anew, and an old one could fit again.
        let rollup = recomputed.clone().unwrap_or_default();
        let item = rollup_item(&self.records_key(), key, &rollup, revision.unwrap_or_default() + 1);
        let put = PutItemInput::builder()
            .table_name(&self.store.table)
            .set_item(Some(item.clone()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let put = match revision {
            Some(v) => put.condition_expression("v = :v").expression_attribute_values(":v", number(v)),
            None => put.condition_expression("attribute_not_exists(v)"),
        };
        let Err(error) = self.store.dynamodb.call(put.build()).await else { return Ok(true) };
        match error.as_service_error() {
            // What stands there is this very repair, if its answer was lost and it was sent again.
            Some(PutItemError::ConditionalCheckFailedException(old)) => Ok(old.item() == Some(&item)),
            Some(error) if error.is_transaction_conflict_exception() => Ok(false),
            _ => Err(failed(error)),
        }
    }
}

impl Look {
    fn note(&mut self, key: RollupKey, difference: Difference) {
        if difference.stored != difference.recomputed {
            self.differences.insert(key, difference);
        }
    }
}

fn parse_row(item: Item) -> Result<Row, StoreError> {
    let sk = get_text(&item, SK)?.to_owned();
    serde_dynamo::from_item(item).map_err(|_| StoreError::Corrupt(format!("the sums of record {sk} do not parse")))
}

fn rollup_item(partition: &str, key: &RollupKey, rollup: &Rollup, revision: u64) -> Item {
    let mut item = item([
        (PK, text(partition)),
        (SK, text(keys::rollup(key))),
        ("sum", number(rollup.sum)),
        ("n", number(rollup.count)),
        ("v", number(revision)),
    ]);
    for (day, (sum, count)) in &rollup.days {
        item.insert(format!("s{day:02}"), number(sum));
        item.insert(format!("n{day:02}"), number(count));
    }
    item.extend(rollup.parts.iter().map(|(day, part)| (format!("p{day:02}"), number(part))));
    item
}
