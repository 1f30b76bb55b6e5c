//! When a change set may be executed at once, and when it waits for a yes.

use serde::{Deserialize, Serialize};

use super::{ChangeSet, Note, Operation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Every write waits.
    Always,
    /// One new record is added at once if nothing about it is doubtful; everything else waits.
    #[default]
    Risky,
    /// Any one-row write executes at once if nothing about it is doubtful.
    Never,
    /// The rows were looked at, and may be written at once: only a note makes them wait. Nobody sets it.
    Cleared,
}

impl Policy {
    pub fn waits(self, changes: &ChangeSet, notes: &[Note]) -> bool {
        self.waits_for(&changes.operations().iter().collect::<Vec<_>>(), notes)
    }

    /// Any note is a doubt: something assumed, unusual, left out or possibly a duplicate.
    pub fn waits_for(self, rows: &[&Operation], notes: &[Note]) -> bool {
        match (self, rows) {
            (Policy::Always, _) => true,
            _ if !notes.is_empty() => true,
            (Policy::Cleared, _) => false,
            (Policy::Risky, [only @ Operation::Create { .. }]) => only.is_restored(),
            (Policy::Never, [_]) => false,
            _ => true,
        }
    }

    pub fn parse(text: &str) -> Option<Policy> {
        match text {
            "always" => Some(Policy::Always),
            "risky" => Some(Policy::Risky),
            "never" => Some(Policy::Never),
            _ => None,
        }
    }
}
