//! What a message means by itself.

use super::{Reply, adding::Adding, changing::Changing, frames::Command};

/// A message read by itself.
#[derive(Debug, Clone)]
pub(super) enum Intent {
    Add(Adding),
    Change(Changing),
    Look(Reply),
    Command(Command),
    Say(&'static str),
    /// A no to what was asked.
    Dropped(&'static str),
    /// About expenses, and nothing that can be done.
    Refused(&'static str),
    Yes,
    No,
    Unknown,
}
