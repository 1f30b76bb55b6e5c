//! The receipts toolkit: undoes what was approved. It knows proposals and records of every kind, but no kind's words.

use crate::tool::{Registry, RegistryError, Toolkit};

pub mod undo;

pub fn toolkit() -> Toolkit {
    Toolkit::new("receipts", include_str!("receipts/guidance.md"), register)
}

fn register(registry: Registry) -> Result<Registry, RegistryError> {
    registry.action::<undo::Undo>()
}
