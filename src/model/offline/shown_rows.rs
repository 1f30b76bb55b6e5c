//! The rows that an answer showed.

use super::Message;
use crate::shown::{Line, Shown, ShownRow};

/// What was shown, the last first. An answer in words alone, like that something was not understood, shows nothing.
pub(super) fn shown_last(before: &[Message]) -> impl Iterator<Item = &Shown> {
    before.iter().rev().filter_map(Message::shown).filter(|told| **told != Shown::default())
}

/// Whether the answer asked for something. What it asks behind a list is not of its rows.
pub(super) fn asks(told: &Shown) -> bool {
    told.asked.is_some() && told.list.is_none() || told.proposal.is_some()
}

/// The expenses that the lines of the answer begin with.
pub(super) fn lines(told: &Shown) -> Vec<&ShownRow> {
    let written = told.written.iter().filter(|written| written.is_numbered());
    let written = written.flat_map(|written| &written.lines).filter(|line| !line.is_side_effect).filter_map(Line::row);
    let listed = told.rows.iter().take(told.list.as_ref().map_or(0, |list| list.lines));
    listed.chain(written).filter(|row| row.kind == EXPENSE).collect()
}

pub(super) fn numbers(told: &Shown) -> Vec<u64> {
    lines(told).iter().map(|row| row.id).collect()
}

/// Prefix of the kind of record that this interpreter knows.
pub(super) const EXPENSE: &str = "E";

pub(super) fn joined(numbers: &[u64]) -> String {
    numbers.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(" and ")
}
