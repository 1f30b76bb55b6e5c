//! A short summary of operations: counts by verb and kind, and sums by unit. It is shown when there are too many
//! operations to list.

use serde::{Deserialize, Serialize};

use super::change_set::{Operation, Verb};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct OperationSummary {
    /// In the order of first appearance.
    pub counts: Vec<Count>,
    /// By unit: units are never summed together.
    pub sums: Vec<Sum>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Count {
    pub verb: Verb,
    pub kind: String,
    pub rows: usize,
}

/// A sum over the rows after the change, or before their deletion.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sum {
    pub unit: String,
    pub kind: String,
    /// In the unit's minor units. It is wider than an amount, and text in JSON, whose numbers are narrower.
    #[serde(with = "as_text")]
    pub amount: i128,
    pub rows: usize,
}

impl OperationSummary {
    pub fn of<'o>(operations: impl IntoIterator<Item = &'o Operation>) -> OperationSummary {
        let mut summary = OperationSummary::default();
        for operation in operations {
            summary.count(operation.verb(), &operation.row().draft.kind, 1);
            let draft = &operation.after().unwrap_or_else(|| operation.row()).draft;
            for (n, contribution) in draft.rollups.iter().enumerate() {
                // A row that adds to several groups counts once.
                let is_first = draft.rollups[..n].iter().all(|earlier| earlier.unit != contribution.unit);
                summary.sum(&contribution.unit, &draft.kind, contribution.amount.into(), usize::from(is_first));
            }
        }
        summary
    }

    pub fn add(&mut self, other: &OperationSummary) {
        for Count { verb, kind, rows } in &other.counts {
            self.count(*verb, kind, *rows);
        }
        for Sum { unit, kind, amount, rows } in &other.sums {
            self.sum(unit, kind, *amount, *rows);
        }
    }

    pub fn rows(&self) -> usize {
        self.counts.iter().map(|count| count.rows).sum()
    }

    fn count(&mut self, verb: Verb, kind: &str, rows: usize) {
        match self.counts.iter_mut().find(|count| count.verb == verb && count.kind == kind) {
            Some(count) => count.rows += rows,
            None => self.counts.push(Count { verb, kind: kind.to_owned(), rows }),
        }
    }

    fn sum(&mut self, unit: &str, kind: &str, amount: i128, rows: usize) {
        match self.sums.binary_search_by(|sum| (sum.unit.as_str(), sum.kind.as_str()).cmp(&(unit, kind))) {
            Ok(found) => {
                self.sums[found].amount += amount;
                self.sums[found].rows += rows;
            }
            Err(place) => {
                self.sums.insert(place, Sum { unit: unit.to_owned(), kind: kind.to_owned(), amount, rows });
            }
        }
    }
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(amount: &i128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(amount)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(Error::custom)
    }
}
