//! "Put it in food", of what waits.

use serde_json::json;

use super::{
    Message, Reply,
    changing::{Changing, IT},
    conversation::one,
};
use crate::phrases::Reader;

/// The row that waits.
pub(super) fn of_what_was_added(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., told, Message::User(said)] = messages else { return None };
    let told = told.shown()?;
    let (_, category) = Changing::put_in(said, reader).filter(|(it, _)| IT.contains(&it.to_lowercase().as_str()))?;
    let waits = told.proposal.as_ref().is_some_and(|proposal| !proposal.is_numbered());
    waits.then(|| one("revise_proposal", json!({ "edits": [{ "line": 1, "fields": { "category": category } }] })))
}
