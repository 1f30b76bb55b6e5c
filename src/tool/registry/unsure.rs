//! `unsure`: an argument of every action, by which a model says that it guesses. The change then waits, and the person
//! reads why.

use serde_json::Value;

use crate::{
    proposal::{Note, NoteKind},
    tool::ToolError,
};

const NAME: &str = "unsure";

/// In characters.
const MAX_REASON: usize = 200;

/// The schema of a tool's arguments with this one.
#[cfg(feature = "local")]
pub(super) fn offered(mut parameters: Value) -> Value {
    let unsure = serde_json::json!({ "type": ["string", "null"], "description": "Only if you guess: what you are not sure of, in a few words." });
    assert!(parameters["properties"][NAME].is_null(), "`{NAME}` is an argument of every action");
    parameters["properties"][NAME] = unsure;
    parameters
}

/// The arguments without it, and a note with the reason.
pub(super) fn take(mut arguments: Value) -> Result<(Value, Option<Note>), ToolError> {
    let reason = match arguments.as_object_mut().and_then(|fields| fields.remove(NAME)) {
        None | Some(Value::Null) => return Ok((arguments, None)),
        Some(Value::String(reason)) => reason,
        Some(_) => return Err(ToolError::Malformed("`unsure` must be text: what you are not sure of".into())),
    };
    // One line without quotes, so that it cannot look like something else of the proposal.
    let line = reason.split_whitespace().collect::<Vec<_>>().join(" ").replace(['“', '”', '"'], "'");
    let line: String = line.chars().filter(|c| !c.is_control()).take(MAX_REASON).collect();
    let note = Note::new(NoteKind::NotStated, "", "request", Value::Null).because("unsure");
    Ok((arguments, Some(if line.trim().is_empty() { note } else { note.said(line) })))
}
