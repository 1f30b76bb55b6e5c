//! Rows that were named, and that nothing is done to: as many are proposed as were named, or it is said which are not.

use super::{Change, Expense, Note, NoteKind, ToolContext, has_number, has_word, words};
use crate::phrases::shown;

/// Of a change or a removal of rows: those the person was shown, or named by number.
pub(super) fn left_out(changes: &[Change], context: &ToolContext<'_>) -> Option<Note> {
    let rows = changes.iter().filter_map(|change| match change {
        Change::Update { before, .. } | Change::Delete { before } | Change::Restore(before) => Some(before.id),
        Change::Create(_) => None,
    });
    let rows: Vec<u64> = rows.collect();
    let text = context.said.last().filter(|_| !rows.is_empty())?;
    let said = words(text);
    // "Put lunch in food": what becomes of a row is no other row.
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
    let numbered = text.match_indices('#').filter_map(|(at, _)| shown::number_first(&text[at..]));
    let shown = context.shown.iter().flat_map(|text| text.lines()).filter_map(shown::number_first).chain(numbered);
    let mut named: Vec<String> = Vec::new();
    for (id, rest) in shown.filter(|(id, _)| !rows.contains(id)) {
        let item = rest.trim_start().strip_prefix('“').and_then(|rest| rest.split_once('”')).map(|(item, _)| item);
        let name = match item {
            _ if has_number(text, id) => format!("#{id}"),
            Some(item) if is_named(item) => format!("“{item}”"),
            _ => continue,
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let text = format!("you also said {}", named.join(" and "));
    (!named.is_empty()).then_some(Note { kind: NoteKind::LeftOut, text })
}
