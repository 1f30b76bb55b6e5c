//! Whether the person's own words state a change. What they did not state waits for approval, under every policy.

use serde_json::Value;

use super::Agent;
use crate::{
    phrases::{Intent, Order, intents},
    proposal::{Change, Note, NoteKind, Operation, Record},
    tool::ToolContext,
};

impl Agent {
    /// The reason why the words do not state the changes. `queried`: the model read stored rows in this turn, and one
    /// of these may have suggested the changes.
    pub(super) fn not_stated(&self, changes: &[&Change], queried: bool, context: &ToolContext<'_>) -> Option<Note> {
        if queried {
            return Some(not_stated().because("queried"));
        }
        let said = context.user_messages;
        let verbs: Vec<&str> = changes.iter().filter_map(|change| self.own_verb(change)).collect();
        let doubt = |said: &[String]| said.iter().find_map(|text| doubt(text, changes, &verbs));
        // An earlier message counts only as far as the last one does not say everything itself.
        let (earlier, last) = said.split_at(said.len().saturating_sub(1));
        doubt(last).or_else(|| {
            let found = doubt(earlier)?;
            let context = ToolContext { user_messages: last, ..*context };
            (!self.unsupported(changes, &context).is_empty()).then_some(found)
        })
    }

    /// The kind's own verb for the change, like "Complete".
    fn own_verb(&self, change: &Change) -> Option<&'static str> {
        let Change::Update { before, after } = change else { return None };
        let after = Record { draft: after.clone(), ..before.clone() };
        let operation = Operation::Update { before: before.clone(), after };
        Some(self.registry.kind_of(&before.draft.kind).ok()?.verb(&operation)?.imperative)
    }
}

fn doubt(text: &str, changes: &[&Change], verbs: &[&str]) -> Option<Note> {
    let found = intents(text, verbs);
    let doubted = found.iter().find_map(|mention| match mention.intent {
        Intent::Question => Some(not_stated().because("question")),
        Intent::Order(order) if changes.iter().all(|change| is_done_by(order, change)) => None,
        _ => Some(not_stated().said(&text[mention.span.clone()])),
    });
    let deletes = changes.iter().any(|change| matches!(change, Change::Delete { .. }));
    let is_ordered = found.iter().any(|mention| mention.intent == Intent::Order(Order::Delete));
    doubted.or_else(|| (deletes && !is_ordered).then(not_stated))
}

/// A preference is set: it makes no difference whether there was one before.
fn is_done_by(order: Order, change: &Change) -> bool {
    let is_set = change.draft().is_preference();
    match (change, order) {
        (Change::Restore(_), _) => true,
        (Change::Create(_) | Change::Update { .. }, Order::Add | Order::Change) if is_set => true,
        (Change::Create(_), Order::Add) | (Change::Update { .. }, Order::Change) => true,
        (Change::Delete { .. }, Order::Delete) => true,
        _ => false,
    }
}

fn not_stated() -> Note {
    Note::new(NoteKind::NotStated, "", "request", Value::Null)
}
