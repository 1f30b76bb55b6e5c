//! Finding the one expense that a person means, by its number or by a description that matches exactly one.

use super::{
    add_expense::refused,
    expense::{KIND, words},
};
use crate::{
    phrases,
    proposal::Record,
    store::{Condition, ListQuery},
    tool::{Question, RecordKind, ToolContext, ToolError},
};

/// Rows offered when a description fits several.
const OPTIONS: usize = 5;

/// Words that describe nothing.
const FILLERS: &[&str] = &["a", "an", "the", "my", "that", "this", "expense", "one", "entry", "item"];

/// How a person points at a row.
pub struct Pointer<'a> {
    pub id: Option<u64>,
    pub description: Option<&'a str>,
    /// The day it is listed under.
    pub date: Option<&'a str>,
}

/// The record, or a question with the rows that it could be.
pub async fn find(pointer: Pointer<'_>, context: &ToolContext<'_>) -> Result<Result<Record, Question>, ToolError> {
    let record = match (pointer.id, pointer.description) {
        (Some(id), _) => match context.store.record(KIND, id).await? {
            Some(record) => record,
            None => {
                return Err(ToolError::Refused(format!(
                    "there is no expense #{id}: list the expenses to see their numbers"
                )));
            }
        },
        (None, Some(description)) => match describe(description, pointer.date, context).await? {
            Ok(record) => record,
            Err(question) => return Ok(Err(question)),
        },
        (None, None) => {
            let text = "Which expense? Say its number or what it was.".into();
            return Ok(Err(Question { text, missing: vec!["expense".into()], ..Question::default() }));
        }
    };
    if !context.caller.may_change(&record.draft.owner) {
        let text = format!("#{} belongs to someone else; ask them or an administrator to change it", record.id);
        return Err(ToolError::Forbidden(text));
    }
    Ok(Ok(record))
}

async fn describe(
    description: &str,
    date: Option<&str>,
    context: &ToolContext<'_>,
) -> Result<Result<Record, Question>, ToolError> {
    let spoken = words(description);
    let telling: Vec<&str> = spoken.split_whitespace().filter(|word| !FILLERS.contains(word)).take(6).collect();
    if telling.is_empty() {
        return Err(ToolError::Refused("the description names nothing: say what it was, or its number".into()));
    }
    let range = date.map(|date| phrases::resolve_range(date, context.today)).transpose().map_err(refused)?;
    let range = range.unwrap_or(phrases::DateRange::ALL);
    let query = ListQuery {
        kind: KIND,
        from: range.from,
        to: range.to,
        conditions: telling.iter().map(|word| Condition::Contains("words", format!(" {word} "))).collect(),
        limit: OPTIONS + 1,
        after: None,
    };
    let page = context.store.list(&query).await?;
    let name = telling.join(" ");
    let mut mine: Vec<Record> =
        page.records.iter().filter(|record| context.caller.may_change(&record.draft.owner)).cloned().collect();
    if page.stopped_early {
        return Err(ToolError::Refused(format!(
            "there is too much to look through for “{name}”: say its number or its day"
        )));
    }
    if mine.len() == 1 && page.next.is_none() {
        return Ok(Ok(mine.remove(0)));
    }
    if page.records.is_empty() {
        return Err(ToolError::Refused(format!("no expense matches “{name}”: list the expenses to see what is there")));
    }
    if mine.is_empty() {
        return Err(ToolError::Forbidden(format!("the expenses that match “{name}” belong to someone else")));
    }
    let options =
        mine.iter().take(OPTIONS).map(|row| format!("#{} {}", row.id, super::ExpenseKind.describe(&row.draft)));
    let more = if mine.len() > OPTIONS || page.next.is_some() { " (the newest of them)" } else { "" };
    let text = format!("Which “{name}” do you mean?{more}");
    Ok(Err(Question { text, options: options.collect(), missing: vec!["expense".into()] }))
}
