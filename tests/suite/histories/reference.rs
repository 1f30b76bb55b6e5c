//! A reference model of the service: a map of rows, and the effect of each step on it.

use std::collections::{BTreeMap, BTreeSet};

use sayso::proposal::{Rollup, RollupKey};
use serde_json::{Value, json};

use super::rows::{CURRENCIES, Field, Operation, Row, Spent, decimal};

/// The row before and after a change.
pub type Change = (Option<Row>, Option<Row>);

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State {
    Waiting,
    Done,
    Rejected,
    /// Superseded or stale.
    Closed,
}

#[derive(Debug, Default)]
pub struct Reference {
    pub rows: BTreeMap<u64, Row>,
    last_id: u64,
    /// In the order in which they were shown.
    pub proposals: Vec<(Vec<Change>, State)>,
    /// Proposals of several transactions. Changed rows are left out of them.
    pub in_chunks: BTreeSet<usize>,
    /// Executed proposals, in order.
    pub done: Vec<usize>,
}

impl Reference {
    /// Returns whether a proposal is shown, which is then the last one. The same holds for edits and undos.
    pub fn propose(&mut self, operations: &[Operation<u64>]) -> bool {
        let mut id = self.last_id;
        let changes = operations.iter().map(|operation| match operation {
            Operation::Add(fields) => {
                id += 1;
                Some((None, Some(Row { id, version: 1, spent: Spent::default().with(fields)? })))
            }
            Operation::Change(id, fields) => {
                let row = *self.rows.get(id)?;
                let spent = row.spent.with(fields)?;
                (spent != row.spent).then_some((Some(row), Some(Row { version: row.version + 1, spent, ..row })))
            }
            Operation::Delete(id) => Some((Some(*self.rows.get(id)?), None)),
        });
        let changes: Option<Vec<Change>> = changes.collect();
        let Some(changes) = changes else { return false };
        // Ids are allocated before the changes are validated.
        self.last_id = id;
        self.show(changes)
    }

    /// One change for all rows with this word, newest first: a new category, or a deletion.
    pub fn propose_for_all(&mut self, word: &str, category: Option<&'static str>) -> bool {
        let mut rows: Vec<Row> = self.rows.values().filter(|row| row.spent.item.contains(word)).copied().collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.spent.date, row.id)));
        // Split rows are not given one category.
        rows.retain(|row| category.is_none() || row.spent.parts[0].is_none());
        let changes = rows.into_iter().map(|row| match category {
            None => (Some(row), None),
            Some(category) => {
                (Some(row), Some(Row { version: row.version + 1, spent: Spent { category, ..row.spent }, ..row }))
            }
        });
        let changes = changes.filter(|(before, after)| before.map(|row| row.spent) != after.map(|row| row.spent));
        let changes = changes.collect();
        self.show(changes)
    }

    /// Lines are numbered from 1.
    pub fn edit(&mut self, n: usize, exclude: &BTreeSet<usize>, edits: &BTreeMap<usize, Vec<Field>>) -> bool {
        let (old, State::Waiting) = self.proposals[n].clone() else { return false };
        let mut changes = Vec::new();
        for (line, (before, mut after)) in (1..).zip(&old).map(|(line, change)| (line, *change)) {
            if exclude.contains(&line) {
                continue;
            }
            match (edits.get(&line), &mut after) {
                (Some(fields), Some(row)) => match row.spent.with(fields) {
                    Some(spent) => row.spent = spent,
                    None => return false,
                },
                (Some(_), None) => return false,
                (None, _) => {}
            }
            if before.map(|row| row.spent) != after.map(|row| row.spent) {
                changes.push((before, after));
            }
        }
        let shown = changes != old && self.show(changes);
        if shown {
            self.proposals[n].1 = State::Closed;
        }
        shown
    }

    /// Rows that changed since stay as they are. A restored row gets a version that it never had.
    pub fn undo(&mut self, n: usize, now: u64) -> bool {
        let (done, State::Done) = &self.proposals[n] else { return false };
        let back = done.iter().filter_map(|(before, after)| match (before, after, self.rows.get(&id(before, after))) {
            (Some(before), None, None) => Some((None, Some(Row { version: now.max(before.version + 1), ..*before }))),
            (before, Some(after), Some(row)) if row.spent == after.spent => {
                Some((Some(*row), before.map(|before| Row { version: row.version + 1, ..before })))
            }
            _ => None,
        });
        let back = back.collect();
        self.show(back)
    }

    /// Returns whether it is executed, now or before. A row is unchanged if its content is as shown, whatever its
    /// version. If some rows have changed, the others are shown again.
    pub fn approve(&mut self, n: usize) -> bool {
        let (changes, State::Waiting) = self.proposals[n].clone() else { return self.proposals[n].1 == State::Done };
        let now = |(before, after): &Change| self.rows.get(&id(before, after)).copied();
        let holds = |change: &Change| now(change).map(|row| row.spent) == change.0.map(|row| row.spent);
        let (kept, changed): (Vec<Change>, Vec<Change>) = changes.iter().partition(|change| holds(change));
        if !changed.is_empty() && !self.in_chunks.contains(&n) {
            self.proposals[n].1 = State::Closed;
            self.show(kept);
            return false;
        }
        let found = kept.iter().map(|change| (now(change), change.1)).map(|(before, after)| match (before, after) {
            (Some(before), Some(after)) => (Some(before), Some(Row { version: before.version + 1, ..after })),
            other => other,
        });
        let found: Vec<Change> = found.collect();
        for (before, after) in &found {
            self.rows.remove(&id(before, after));
            self.rows.extend(after.map(|row| (row.id, row)));
        }
        self.proposals[n] = (found, State::Done);
        self.done.push(n);
        true
    }

    /// Returns whether it is rejected, now or before.
    pub fn reject(&mut self, n: usize) -> bool {
        let state = &mut self.proposals[n].1;
        *state = if *state == State::Waiting { State::Rejected } else { *state };
        *state == State::Rejected
    }

    fn show(&mut self, changes: Vec<Change>) -> bool {
        let rows: BTreeSet<u64> = changes.iter().map(|(before, after)| id(before, after)).collect();
        let fits = !changes.is_empty() && rows.len() == changes.len();
        self.proposals.extend(fits.then_some((changes, State::Waiting)));
        fits
    }

    /// By currency.
    pub fn totals(&self) -> Value {
        let totals = CURRENCIES.iter().enumerate().filter_map(|(currency, (code, _))| {
            let spent = self.rows.values().filter(|row| row.spent.currency == currency);
            let (sum, count) = spent.fold((0, 0), |(sum, count), row| (sum + row.spent.minor, count + 1));
            (count > 0).then(|| json!({ "currency": code, "amount": decimal(sum, currency), "count": count }))
        });
        totals.collect()
    }

    pub fn rollups(&self) -> BTreeMap<RollupKey, Rollup> {
        let mut rollups: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
        for spent in self.rows.values().map(|row| row.spent) {
            let (date, unit) = (spent.date, CURRENCIES[spent.currency].0);
            for (n, (group, minor)) in spent.by_category().into_iter().enumerate() {
                let (year, month, unit, group) = (date.year(), date.month(), unit.to_owned(), group.to_owned());
                let rollup = rollups
                    .entry(RollupKey { kind: "E".into(), owner: super::USER.into(), year, month, unit, group })
                    .or_default();
                let day = rollup.days.entry(date.day()).or_default();
                let counted = i64::from(n == 0);
                *day = (day.0 + i128::from(minor), day.1 + counted);
                (rollup.sum, rollup.count) = (rollup.sum + i128::from(minor), rollup.count + counted);
                if n > 0 {
                    *rollup.parts.entry(date.day()).or_default() += 1;
                }
            }
        }
        rollups
    }
}

fn id(before: &Option<Row>, after: &Option<Row>) -> u64 {
    before.or(*after).map(|row| row.id).expect("a row on one side")
}
