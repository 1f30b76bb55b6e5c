//! What an answer showed, asked and did, as data. Later messages refer to it; the text of an answer is only for people.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::proposal::{Call, ProposalId, Record, RowRef};

/// Rows of one answer that are stored. Of the first of them, what people saw is stored too.
const ROWS: usize = 100;
const DESCRIBED: usize = 20;

/// Sums of one answer that are stored.
const SUMS: usize = 200;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Shown {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// Without those of `written` and `proposal`. Rows of a list come first, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<ShownRow>,
    /// The query that `rows` come from, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<List>,
    /// Sums that were found: unit and decimal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sums: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Changes>,
    /// The proposals that the answer tells the end of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<ProposalId>,
    /// What was declined to be changed or deleted, and is still there. The answer does not tell it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<ShownRow>,
    /// The proposals that were only mentioned, after something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<ProposalId>,
    /// What the answer proposed, while it waits. It is stored with the waiting proposal.
    #[serde(skip)]
    pub proposal: Option<Changes>,
    /// What the answer mentioned at its end, if nothing else waits. It is stored with the waiting proposal too.
    #[serde(skip)]
    pub mentioned: Option<Changes>,
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Asked {
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What the answer must contain, e.g. `amount`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What the options stand for, as arguments of the tool that asked, like `{"id": 42}`. Empty if they are only text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
    /// The person's words that fit several rows, if the question is which of them is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The questions, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<AskedPart>,
    /// Nothing else came after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_at_the_end: bool,
}

/// One of several questions that were asked together, with its own options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct AskedPart {
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A list of rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct List {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    /// How many of the rows the text has.
    pub lines: usize,
    /// More rows or groups come after these.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
    /// The days of the largest or smallest group, "from..to", where only that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Other rows come before these.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
}

/// A row as people saw it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ShownRow {
    pub kind: String,
    pub id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// In minor units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Group and amount, if it is in several groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<(String, i64)>,
}

/// The operations of a proposal or of receipts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Changes {
    /// All rows, without side effects.
    pub counts: Vec<Counted>,
    /// The operations in their order, or the first ones of many.
    pub lines: Vec<Line>,
    /// The codes of the notes on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// In lower case, like "add" or "complete".
    pub verb: String,
    pub kind: String,
    pub rows: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Line {
    pub verb: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ShownRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ShownRow>,
    /// It comes along with what the person asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_side_effect: bool,
}

impl Shown {
    /// All rows, each once.
    pub fn all_rows(&self) -> Vec<&ShownRow> {
        let changes = self.written.iter().chain(&self.proposal).flat_map(|changes| &changes.lines);
        let changed = changes.flat_map(Line::rows);
        let mut rows: Vec<&ShownRow> = Vec::new();
        for row in self.rows.iter().chain(changed) {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows
    }

    /// Joins what a message that decided several proposals did.
    pub fn and(self, next: Shown) -> Shown {
        let written = match (self.written, next.written) {
            (Some(one), Some(next)) => Some(one.and(next)),
            (one, next) => one.or(next),
        };
        Shown {
            rows: [self.rows, next.rows].concat(),
            sums: [self.sums, next.sums].concat(),
            decided: [self.decided, next.decided].concat(),
            kept: [self.kept, next.kept].concat(),
            written,
            proposal: next.proposal.or(self.proposal),
            ..next
        }
    }

    /// The rows as they are stored.
    pub fn capped(mut self) -> Shown {
        self.rows.truncate(ROWS);
        self.sums.truncate(SUMS);
        let lines = self.written.iter_mut().flat_map(|changes| changes.lines.iter_mut().skip(DESCRIBED));
        let changed = lines.flat_map(|line| line.before.iter_mut().chain(&mut line.after));
        self.kept.truncate(DESCRIBED);
        for row in self.rows.iter_mut().skip(DESCRIBED).chain(changed) {
            *row = ShownRow::of(row.row_ref());
        }
        self
    }
}

/// The sums in the fields of a reply: an object with a currency has decimals, and so may an object beside it or in it.
pub fn sums_in(fields: &Value, unit: Option<&str>, sums: &mut Vec<(String, String)>) {
    match fields {
        Value::Array(values) => values.iter().for_each(|value| sums_in(value, unit, sums)),
        Value::Object(fields) => {
            let inside = || fields.values().find_map(|value| value.get("currency"));
            let own = fields.get("currency").or_else(inside).and_then(Value::as_str);
            fields.values().for_each(|value| sums_in(value, own.or(unit), sums));
        }
        Value::String(text) if is_decimal(text) => {
            let sum = unit.map(|unit| (unit.to_owned(), text.clone()));
            sums.extend(sum.filter(|sum| !sums.contains(sum)));
        }
        _ => {}
    }
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

impl ShownRow {
    pub fn of(row: RowRef) -> ShownRow {
        ShownRow { kind: row.kind, id: row.id, ..ShownRow::default() }
    }

    pub fn described(record: &Record, name: Option<String>) -> ShownRow {
        let rollups = &record.draft.rollups;
        let parts = rollups.iter().map(|part| (part.group.clone(), part.amount));
        ShownRow {
            name,
            date: Some(record.draft.date),
            amount: (!rollups.is_empty()).then(|| rollups.iter().map(|part| part.amount).sum()),
            unit: rollups.first().map(|part| part.unit.clone()),
            parts: if rollups.len() > 1 { parts.collect() } else { vec![] },
            ..ShownRow::of(record.row_ref())
        }
    }

    pub fn row_ref(&self) -> RowRef {
        RowRef { kind: self.kind.clone(), id: self.id }
    }

    pub fn is(&self, row: &RowRef) -> bool {
        self.id == row.id && self.kind == row.kind
    }
}

impl Changes {
    /// The verbs of the rows, each for one sort of row; those of the side effects if there are no rows.
    pub fn verbs(&self) -> Vec<&str> {
        match self.counts.as_slice() {
            [] => self.lines.iter().map(|line| &*line.verb).collect(),
            counts => counts.iter().map(|count| &*count.verb).collect(),
        }
    }

    /// The number of rows, if the same is done to all of them.
    pub fn count(&self) -> Option<usize> {
        match self.counts.as_slice() {
            [] => Some(self.lines.len()),
            [only] => Some(only.rows),
            _ => None,
        }
    }

    /// The only row that it is about.
    pub fn only(&self) -> Option<&Line> {
        let is_own = |line: &&Line| self.counts.is_empty() || !line.is_side_effect;
        self.lines.iter().find(is_own).filter(|_| self.count() == Some(1))
    }

    /// Whether people saw numbered lines.
    pub fn is_numbered(&self) -> bool {
        self.counts.iter().map(|count| count.rows).sum::<usize>() > 1
    }

    /// Whether there are more operations than lines.
    pub fn is_sampled(&self) -> bool {
        let lines = self.lines.iter().filter(|line| !line.is_side_effect);
        self.counts.iter().map(|count| count.rows).sum::<usize>() > lines.count()
    }

    /// Joins the changes of one message.
    pub fn and(mut self, next: Changes) -> Changes {
        for count in next.counts {
            match self.counts.iter_mut().find(|known| known.verb == count.verb && known.kind == count.kind) {
                Some(known) => known.rows += count.rows,
                None => self.counts.push(count),
            }
        }
        self.lines.extend(next.lines);
        self.doubts.extend(next.doubts);
        self
    }
}

impl Line {
    /// The row as it was and is.
    pub fn rows(&self) -> impl Iterator<Item = &ShownRow> {
        self.before.iter().chain(&self.after)
    }

    /// The row before the change, or as it was created.
    pub fn row(&self) -> Option<&ShownRow> {
        self.before.as_ref().or(self.after.as_ref())
    }

    pub fn name(&self) -> Option<&str> {
        self.row()?.name.as_deref()
    }

    /// The number of the row, if it existed before, so that people saw it.
    pub fn known_row(&self) -> Option<u64> {
        let was_there = self.before.is_some() && !self.is_side_effect || self.verb == "restore";
        self.row().filter(|_| was_there).map(|row| row.id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sums_are_the_decimals_of_objects_with_a_currency_or_beside_one() {
        let fields = json!({
            "aggregation": [{ "key": "food", "currency": "GBP", "amount": "9.50", "previous": "-1", "count": 2 }],
            "budgets": [{ "limit": { "amount": "200.00", "currency": "EUR" }, "spent": "12.00", "until": "2026-11-30" }],
            "balance": 14.0,
            "totals": [{ "currency": "GBP", "amount": "9.50", "yours": { "amount": "3" } }],
            "version": "1.2",
        });
        let mut sums = Vec::new();
        sums_in(&fields, None, &mut sums);
        let mut found: Vec<(&str, &str)> = sums.iter().map(|(unit, sum)| (&**unit, &**sum)).collect();
        found.sort_unstable();
        assert_eq!(found, [("EUR", "12.00"), ("EUR", "200.00"), ("GBP", "-1"), ("GBP", "3"), ("GBP", "9.50")]);
    }
}
