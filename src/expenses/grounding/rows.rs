//! Finds rows that the person named and that the proposal does not change.

use serde_json::{Value, json};

use super::{Change, Expense, Note, ToolContext, also_said, has_word, words};
use crate::{expenses::expense::KIND, proposal::RowRef};

/// For updates, deletions and restores: notes the rows that the message also names.
pub(super) fn check_left_out(changes: &[Change], context: &ToolContext<'_>) -> Option<Note> {
    let rows = changes.iter().filter_map(|change| match change {
        Change::Update { before, .. } | Change::Delete { before } | Change::Restore(before) => Some(before.id),
        Change::Create(_) => None,
    });
    let rows: Vec<u64> = rows.collect();
    // "Everything but the coffee", "the taxi, not the coffee": the message excludes rows.
    let text = context.user_messages.last().filter(|text| !rows.is_empty() && !leaves_out(text))?;
    let said = words(text);
    // "Put lunch in food": "food" is a new value, not another row.
    let drafts = changes.iter().flat_map(|change| match change {
        Change::Update { before, after } => vec![&before.draft, after],
        change => vec![change.draft()],
    });
    let meant = drafts.filter_map(Expense::of).map(|expense| {
        let told = [Some(expense.item), expense.category, expense.notes];
        words(&told.into_iter().flatten().collect::<Vec<_>>().join(" "))
    });
    let meant = meant.collect::<String>();
    let is_named = |item: &str| {
        let own = words(item);
        let mut named = own.split_whitespace().peekable();
        named.peek().is_some() && named.all(|word| has_word(&said, word) && !has_word(&meant, word))
    };
    // A bare number may be an amount, except in a deletion.
    let deletes = changes.iter().all(|change| matches!(change, Change::Delete { .. }));
    let is_numbered = |id: u64| {
        let is_told = has_word(&meant, &id.to_string());
        let row = RowRef { kind: KIND.into(), id };
        let names = context.row_names;
        !is_told && (names.names(text, &row) || deletes && names.is_pointed_at(text, &row))
    };
    let numbered =
        context.row_names.numbered(text).into_iter().filter(|(kind, _)| kind.is_none_or(|kind| kind == KIND));
    let shown = context.visible_answers.iter().flat_map(|answer| &answer.rows).filter(|row| row.kind == KIND);
    let shown = shown.map(|row| (row.id, row.name.as_deref()));
    let mut named: Vec<Value> = Vec::new();
    let numbered = numbered.take(NAMED).map(|(_, id)| (id, None));
    for (id, item) in shown.chain(numbered).filter(|(id, _)| !rows.contains(id)) {
        let name = match item {
            _ if is_numbered(id) => json!({ "id": id }),
            Some(item) if is_named(item) => json!({ "item": item }),
            _ => continue,
        };
        if !named.contains(&name) && named.len() < NAMED {
            named.push(name);
        }
    }
    (!named.is_empty()).then(|| also_said(named))
}

/// Rows named in one note.
const NAMED: usize = 5;

fn leaves_out(text: &str) -> bool {
    const LEAVING: [&str; 16] = [
        "but", "except", "excluding", "without", "not", "don't", "keep", "außer", "ohne", "nicht", "sauf", "sans",
        "pas", "salvo", "menos", "sin",
    ];
    let lower = text.to_lowercase();
    lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').any(|word| LEAVING.contains(&word))
}
