//! What queries are narrowed by: what was asked, within what the page has active.

use serde_json::{Map, Value, json};

use super::{add_expense::refused, expense};
use crate::{
    phrases::DateRange,
    tool::{QueryResult, ToolContext, ToolError},
};

/// The asked range within the page's; None if they have no day in common.
pub fn narrowed_range(asked: Option<&str>, context: &ToolContext<'_>) -> Result<Option<DateRange>, ToolError> {
    let resolve = |text: &str| context.reader().resolve_range(text).map_err(refused);
    let asked = asked.map(resolve).transpose()?.unwrap_or(DateRange::ALL);
    let page = context.filters.range.as_deref().map(resolve).transpose()?.unwrap_or(DateRange::ALL);
    Ok(DateRange::new(asked.from.max(page.from), asked.to.min(page.to)))
}

/// Each of these must hold.
pub fn narrowed_categories(asked: Option<&str>, context: &ToolContext<'_>) -> Result<Vec<String>, ToolError> {
    let named = [asked, context.filters.category.as_deref()].into_iter().flatten().filter(|name| !name.is_empty());
    let mut categories: Vec<String> =
        named.map(expense::group).collect::<Result<_, _>>().map_err(ToolError::Refused)?;
    if categories.iter().any(String::is_empty) {
        return Err(ToolError::Refused("the category has no letters: name one, or leave it out".into()));
    }
    categories.dedup();
    Ok(categories)
}

/// For the page: the filters as they were understood.
pub fn detected(range: &DateRange, categories: &[String]) -> Map<String, Value> {
    let mut filters = Map::new();
    if *range != DateRange::ALL {
        filters.insert("range".into(), json!({ "from": range.from, "to": range.to }));
    }
    if let Some(category) = categories.first() {
        filters.insert("category".into(), json!(category));
    }
    filters
}

pub fn nothing(summary: &str) -> QueryResult {
    QueryResult { summary_for_llm: summary.into(), ..QueryResult::default() }
}
