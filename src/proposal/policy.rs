//! Decides whether a change set is executed at once or waits for a yes.

use serde::{Deserialize, Serialize};

use super::{ChangeSet, Note, Operation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Every write waits.
    Always,
    /// One new record, or one change of low risk, is written at once if it has no note. Everything else waits.
    #[default]
    Risky,
    /// A write of one row is executed at once if there is no note on it.
    Never,
    /// It was already decided that the rows need not wait, so only a note makes them wait. Never a tenant's setting.
    Cleared,
}

/// How much harm a change can do if it was not meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Risk {
    #[default]
    AsUsual,
    /// It is easily seen and taken back, like a task that was ticked off.
    Low,
}

impl Policy {
    pub fn waits(self, changes: &ChangeSet, notes: &[Note]) -> bool {
        let rows = changes.operations().iter().map(|operation| (operation, Risk::AsUsual));
        self.waits_for(&rows.collect::<Vec<_>>(), notes)
    }

    /// Any note makes the rows wait, whatever its kind.
    pub fn waits_for(self, rows: &[(&Operation, Risk)], notes: &[Note]) -> bool {
        match (self, rows) {
            (Policy::Always, _) => true,
            _ if !notes.is_empty() => true,
            (Policy::Cleared, _) => false,
            (Policy::Risky, [(only @ Operation::Create { .. }, _)]) => only.is_restored(),
            (Policy::Risky, [(_, Risk::Low)]) => false,
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
