//! Records are the rows that change sets consist of. A record has an owner, a date to list it by and contributions to
//! rollups; this module does not know what a toolkit stores in it.

use crate::sorted::Collect;
use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A toolkit's own fields, in canonical (sorted) order.
pub type Body = BTreeMap<String, Value>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Record {
    /// Small, and unique for its tenant and kind. People type it ("delete 42").
    pub id: u64,
    /// 1 when created; each change adds 1. A restored row gets the time in milliseconds, which it never had before.
    pub version: u64,
    #[serde(flatten)]
    pub draft: Draft,
}

/// Which row is meant: ids are counted by kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowRef {
    /// The prefix of its sort key.
    pub kind: String,
    pub id: u64,
}

/// What only one row of a tenant can have, for example the budget of a category and period.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UniqueKey {
    pub kind: String,
    pub key: String,
}

/// A record before it has an id and a version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Draft {
    /// The prefix of its sort key, for example `E`.
    pub kind: String,
    /// The user it belongs to.
    pub owner: String,
    pub body: Body,
    /// The date that lists are ordered and limited by.
    pub date: Date,
    /// The normalised name it is found by, and whose records are counted and summed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub rollups: Vec<Contribution>,
    /// Equal for two records that may be the same one entered twice.
    #[serde(rename = "duplicateKey")]
    pub duplicate_key: Option<String>,
    /// Only one record of this kind can have it: a second one cannot be written.
    #[serde(rename = "uniqueKey", default, skip_serializing_if = "Option::is_none")]
    pub unique_key: Option<String>,
}

impl Record {
    pub fn row_ref(&self) -> RowRef {
        RowRef { kind: self.draft.kind.clone(), id: self.id }
    }
}

impl Draft {
    pub fn unique(&self) -> Option<UniqueKey> {
        Some(UniqueKey { kind: self.kind.clone(), key: self.unique_key.clone()? })
    }

    /// Whether it is stored beside the tenant's settings and read with them by every turn.
    pub fn is_preference(&self) -> bool {
        is_preference(&self.kind)
    }
}

/// Whether records with this prefix are stored beside the tenant's settings. Prefixes that begin with `M` are.
pub fn is_preference(prefix: &str) -> bool {
    prefix.starts_with('M')
}

/// What one record adds to a month's rollup.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Contribution {
    pub date: Date,
    /// For example a currency. Different units are never summed.
    pub unit: String,
    /// For example a category.
    pub group: String,
    /// In the unit's minor units.
    pub amount: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RollupKey {
    /// The prefix of the kind whose records it sums: kinds are never summed with each other.
    pub kind: String,
    /// The user whose records it sums.
    pub owner: String,
    pub year: i16,
    pub month: i8,
    pub unit: String,
    pub group: String,
}

/// Sum and count of a month, and of each of its days that has records; or of a name, without days.
///
/// A record that adds to several groups on one day is counted in the first group only, so that counts can be summed
/// over groups. In the other groups it is a part.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Rollup {
    /// In the unit's minor units. It is wider than an amount, so that no number of rows overflows it.
    pub sum: i128,
    pub count: i64,
    pub days: BTreeMap<i8, (i128, i64)>,
    /// By day: records that are counted in another group.
    pub parts: BTreeMap<i8, i64>,
}

/// The records of one kind, owner and unit that have one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameKey {
    pub kind: String,
    pub owner: String,
    pub name: String,
    pub unit: String,
}

impl Contribution {
    /// Of the rollup that a record adds it to.
    pub fn key(&self, Draft { kind, owner, .. }: &Draft) -> RollupKey {
        RollupKey {
            kind: kind.clone(),
            owner: owner.clone(),
            year: self.date.year(),
            month: self.date.month(),
            unit: self.unit.clone(),
            group: self.group.clone(),
        }
    }
}

impl Draft {
    /// The contributions with whether each is a further one of its day and unit: only the first is counted.
    fn contributions(&self) -> impl Iterator<Item = (&Contribution, bool)> {
        self.rollups.iter().enumerate().map(|(n, contribution)| {
            let Contribution { date, unit, .. } = contribution;
            (contribution, self.rollups[..n].iter().any(|earlier| earlier.date == *date && earlier.unit == *unit))
        })
    }

    /// The names that count it: one for each unit, or one without a unit if it adds to no sum.
    pub fn name_keys(&self) -> BTreeSet<NameKey> {
        let Some(name) = &self.name else { return BTreeSet::new() };
        let of_unit = |unit: &str| NameKey {
            kind: self.kind.clone(),
            owner: self.owner.clone(),
            name: name.clone(),
            unit: unit.to_owned(),
        };
        let units: BTreeSet<&str> = self.rollups.iter().map(|contribution| contribution.unit.as_str()).inserted();
        if units.is_empty() { [of_unit("")].into() } else { units.into_iter().map(of_unit).inserted() }
    }
}

/// Adds the contributions of a record to the rollups, or subtracts them with `sign` −1.
pub fn contribute(rollups: &mut BTreeMap<RollupKey, Rollup>, record: &Draft, sign: i64) {
    for (contribution, is_further) in record.contributions() {
        let Contribution { date, amount, .. } = contribution;
        let rollup = rollups.entry(contribution.key(record)).or_default();
        let (amount, count) = (i128::from(sign) * i128::from(*amount), if is_further { 0 } else { sign });
        rollup.sum += amount;
        rollup.count += count;
        let day = rollup.days.entry(date.day()).or_default();
        *day = (day.0 + amount, day.1 + count);
        if is_further {
            *rollup.parts.entry(date.day()).or_default() += sign;
        }
    }
}

/// Counts a record under its name and adds its amounts, or subtracts them with `sign` −1.
pub fn count_name(names: &mut BTreeMap<NameKey, Rollup>, record: &Draft, sign: i64) {
    for key in record.name_keys() {
        let of_unit = record.rollups.iter().filter(|contribution| contribution.unit == key.unit);
        let sum: i128 = of_unit.map(|contribution| i128::from(contribution.amount)).sum();
        let total = names.entry(key).or_default();
        total.sum += i128::from(sign) * sum;
        total.count += sign;
    }
}

impl Rollup {
    /// Whether adding this changes nothing.
    pub fn is_neutral(&self) -> bool {
        let parts = self.parts.values().all(|part| *part == 0);
        parts && self.sum == 0 && self.count == 0 && self.days.values().all(|day| *day == (0, 0))
    }

    /// Removes days and parts of zero. None if nothing is left.
    pub fn without_zeros(mut self) -> Option<Rollup> {
        self.days.retain(|_, day| *day != (0, 0));
        self.parts.retain(|_, part| *part != 0);
        (!self.is_neutral()).then_some(self)
    }
}
