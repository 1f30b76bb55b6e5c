//! What the turns before those that the model sees were about: said, added, changed, listed, asked and decided, from the
//! stored data of the turns. No model writes it, so it costs no call and says nothing that was not so.

use serde_json::Value;

use crate::{
    phrases::Style,
    proposal::RowRef,
    shown::{Changes, Shown, ShownRow},
    store::{Turn, TurnOutcome},
    tool::Registry,
};

/// Of all lines together.
const BYTES: usize = 2_000;

/// In characters, of what was said or asked.
const QUOTED: usize = 120;

/// Rows named in one line.
const ROWS: usize = 5;

/// For the prompt. Quoted as JSON, so that what a line quotes cannot end it.
pub(super) fn described(turns: &[Turn], registry: &Registry) -> Option<String> {
    let lines: String = lines(turns, registry).into_iter().map(|line| format!("\n- {}", Value::from(line))).collect();
    (!lines.is_empty()).then(|| format!("Earlier in this conversation, before the messages you see:{lines}"))
}

/// The newest turns that fit, oldest first.
fn lines(turns: &[Turn], registry: &Registry) -> Vec<String> {
    let mut left = BYTES;
    let fitting = turns.iter().rev().map(|turn| line(turn, registry)).take_while(|line| {
        let fits = line.len() <= left;
        left = left.saturating_sub(line.len());
        fits
    });
    let mut lines: Vec<String> = fitting.collect();
    lines.reverse();
    lines
}

fn line(turn: &Turn, registry: &Registry) -> String {
    let Shown { asked, rows, list, written, .. } = &turn.shown;
    let mut told = Vec::new();
    told.extend(written.as_ref().map(|written| changed(written, registry)));
    let is_list = list.as_ref().is_some_and(|list| list.call.is_some());
    told.extend((is_list || !rows.is_empty() && written.is_none()).then(|| {
        let found = listed(rows.iter(), registry);
        if found.is_empty() { "no rows".to_owned() } else { format!("showed {found}") }
    }));
    told.extend(asked.as_ref().map(|asked| format!("asked “{}”", short(&asked.text))));
    told.extend(match &turn.outcome {
        TurnOutcome::ShowedProposal(_) => Some("proposed a change".to_owned()),
        TurnOutcome::Decided(_) if written.is_none() => Some("nothing was written".to_owned()),
        _ => None,
    });
    if told.is_empty() {
        told.push("answered".to_owned());
    }
    format!("The person: “{}”. You: {}.", short(&turn.message), told.join("; "))
}

/// "add #3 “coffee”, £3.50, 2026-11-20"
fn changed(changes: &Changes, registry: &Registry) -> String {
    let own = changes.lines.iter().filter(|line| !line.is_side_effect);
    let named = own.clone().take(ROWS).filter_map(|line| {
        let row = line.after.as_ref().or(line.before.as_ref())?;
        Some(format!("{} {}", line.verb, row_text(row, registry)))
    });
    let named: Vec<String> = named.collect();
    let all: usize = changes.counts.iter().map(|count| count.rows).sum();
    let more = all.saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("done: {}{more}", named.join(", "))
}

fn listed<'r>(rows: impl ExactSizeIterator<Item = &'r ShownRow>, registry: &Registry) -> String {
    let more = rows.len().saturating_sub(ROWS);
    let named: Vec<String> = rows.take(ROWS).map(|row| row_text(row, registry)).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    named.join(", ") + &more
}

/// "#3 “coffee”, £3.50, 2026-11-20"
fn row_text(row: &ShownRow, registry: &Registry) -> String {
    let RowRef { kind, id } = row.row_ref();
    let totals = registry.kind_of(&kind).ok().and_then(|kind| kind.totals());
    let amount = row
        .amount
        .zip(row.unit.as_deref())
        .zip(totals)
        .map(|((minor, unit), totals)| totals.amount(unit, minor.into(), Style::default()).1);
    let name = row.name.as_deref().map(|name| format!(" “{}”", short(name))).unwrap_or_default();
    let day = row.date.map(|day| day.to_string());
    let facts = amount.into_iter().chain(day).map(|fact| format!(", {fact}")).collect::<String>();
    format!("{}{name}{facts}", registry.row_names().reference(&kind, id))
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
