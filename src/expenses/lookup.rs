//! Finding the one expense that a person means, by its number or by a description that matches exactly one.

use super::{
    add_expense::refused,
    expense::{KIND, words},
    filters::called,
    recurring::{self, RecurringKind},
};
use crate::{
    identity::Role,
    phrases,
    proposal::Record,
    store::{Condition, ListQuery},
    tool::{Question, RecordKind, ToolContext, ToolError},
};

/// Rows offered when a description fits several.
const OPTIONS: usize = 5;

/// How an entry is offered that comes back.
const RECURRING: &str = "the recurring entry ";

/// Words that describe nothing.
pub(super) const FILLERS: &[&str] = &["a", "an", "the", "my", "that", "this", "expense", "one", "entry", "item"];

/// How a person points at a row.
pub struct Pointer<'a> {
    pub id: Option<u64>,
    pub description: Option<&'a str>,
    /// The day it is listed under.
    pub date: Option<&'a str>,
}

/// The record; or, as an error, a question with the rows that it could be.
pub async fn find(pointer: Pointer<'_>, context: &ToolContext<'_>) -> Result<Record, ToolError> {
    let record = match (pointer.id, pointer.description) {
        (Some(id), _) => match context.store.record(KIND, id).await? {
            Some(record) => record,
            None => {
                return Err(ToolError::Refused(format!(
                    "there is no expense #{id}: a list has the numbers, like “show expenses this week”"
                )));
            }
        },
        (None, Some(description)) => describe(description, pointer.date, context).await?,
        (None, None) => {
            let text = "Which expense? Say its number or what it was.".into();
            return Err(ToolError::Ask(Question { text, missing: vec!["expense".into()], ..Question::default() }));
        }
    };
    if !context.caller.may_change(&record.draft.owner) {
        let text = format!("#{} belongs to someone else; ask them or an administrator to change it", record.id);
        return Err(ToolError::Forbidden(text));
    }
    Ok(record)
}

async fn describe(description: &str, date: Option<&str>, context: &ToolContext<'_>) -> Result<Record, ToolError> {
    if !context.caller.may_add() {
        return Err(ToolError::Forbidden("viewers can look but not change; ask an administrator for the role".into()));
    }
    let spoken = words(description);
    let telling: Vec<&str> = spoken.split_whitespace().filter(|word| !FILLERS.contains(word)).take(6).collect();
    if telling.is_empty() {
        return Err(ToolError::Refused("the description names nothing: say what it was, or its number".into()));
    }
    let range = date.map(|date| context.reader().resolve_range(date)).transpose().map_err(refused)?;
    let range = range.unwrap_or(phrases::DateRange::ALL);
    let names = telling.iter().map(|word| called(word));
    // Others' rows are not in the way of one's own.
    let own = Condition::OwnedBy(context.caller.user().to_string());
    let query = ListQuery {
        kind: KIND,
        from: range.from,
        to: range.to,
        conditions: names.chain((context.caller.role() != Role::Admin).then_some(own)).collect(),
        limit: OPTIONS + 1,
        after: None,
    };
    let page = context.store.list(&query).await?;
    let name = telling.join(" ");
    let mut rows = page.records;
    if page.stopped_early {
        return Err(ToolError::Refused(format!(
            "there is too much to look through for “{name}”: say its number or its day"
        )));
    }
    let written = |record: &Record| RecurringKind.describe(&record.draft, context.style());
    // What has its day is no entry that comes back.
    let is_expense = || context.said.last().is_some_and(|said| words(said).contains(" expense "));
    let recurring = if date.is_none() && !is_expense() { recurring::called(&telling, context) } else { vec![] };
    if rows.len() == 1 && page.next.is_none() && recurring.is_empty() {
        return Ok(rows.remove(0));
    }
    if let ([], [first, ..]) = (rows.as_slice(), recurring.as_slice()) {
        let entry = written(first);
        let text = format!(
            "no expense is called “{name}”, but this recurs: {entry}. Say “stop {name}” to end it, or how much it is now, \
             like “{name} 12 every month”"
        );
        return Err(ToolError::Refused(text));
    }
    if rows.is_empty() {
        let yours = if context.caller.role() == Role::Admin { "no expense" } else { "no expense of yours" };
        let text = format!("{yours} is called “{name}”: say it in other words, or look for it, like “find {name}”");
        return Err(ToolError::Refused(text));
    }
    let options = rows
        .iter()
        .take(OPTIONS)
        .map(|row| format!("#{} {}", row.id, super::ExpenseKind.describe(&row.draft, context.style())));
    let options = options.chain(recurring.iter().map(|entry| format!("{RECURRING}{}", written(entry))));
    let more = if rows.len() > OPTIONS || page.next.is_some() { " (the newest of them)" } else { "" };
    let text = format!("Which “{name}” do you mean?{more}");
    Err(ToolError::Ask(Question { text, options: options.collect(), missing: vec!["expense".into()] }))
}
