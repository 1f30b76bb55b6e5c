//! "Put it in food", of what was just added.

use serde_json::json;

use super::{
    Message, Reply,
    changing::{Changing, IT},
    conversation::one,
    corrections::EXPENSE,
};
use crate::phrases::Reader;

/// The row that was added last, or the one that waits.
pub(super) fn of_what_was_added(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., told, Message::User(said)] = messages else { return None };
    let told = told.shown()?;
    let (_, category) = Changing::put_in(said, reader).filter(|(it, _)| IT.contains(&it.to_lowercase().as_str()))?;
    if told.proposal.as_ref().is_some_and(|proposal| !proposal.is_numbered()) {
        return Some(one("revise_proposal", json!({ "edits": [{ "line": 1, "fields": { "category": category } }] })));
    }
    let added = told.written.as_ref()?.only().filter(|line| line.verb == "add")?.after.as_ref()?;
    let is_expense = added.kind == EXPENSE;
    is_expense.then(|| one("update_expense", json!({ "id": added.id, "category": category })))
}
