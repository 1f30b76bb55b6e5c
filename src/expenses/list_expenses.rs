//! `list_expenses`, and the list that pages draw.

use data_encoding::BASE64URL_NOPAD;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    ExpenseKind,
    add_expense::refused,
    expense::{self, KIND, NO_CATEGORY},
};
use crate::{
    money::{Amount, Currency},
    phrases::{DateRange, resolve_range},
    proposal::hash_text,
    store::{Condition, ListQuery},
    tool::{Query, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError},
};

const DEFAULT_LIMIT: usize = 100;
pub const MAX_LIMIT: usize = 500;

/// Rows that the model reads; the page gets them all.
const SUMMARY_ROWS: usize = 20;

/// List expenses, newest first, by range, category and amount.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListExpenses {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    pub range: Option<String>,
    pub category: Option<String>,
    /// Inclusive, in the currency the person uses.
    pub min_amount: Option<Amount>,
    /// Inclusive.
    pub max_amount: Option<Amount>,
    /// At most 500; 100 if absent.
    pub limit: Option<usize>,
    /// `nextCursor` of the page before, with the same filters.
    pub cursor: Option<String>,
}

impl Query for ListExpenses {
    const NAME: &'static str = "list_expenses";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        list(context, self).await
    }
}

pub async fn list(context: &ToolContext<'_>, arguments: ListExpenses) -> Result<QueryResult, ToolError> {
    let limit = arguments.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ToolError::Refused(format!("limit must be from 1 to {MAX_LIMIT}; use the cursor for more")));
    }
    let Some(range) = narrowed_range(arguments.range.as_deref(), context)? else { return Ok(nothing("No such days.")) };
    let categories = narrowed_categories(arguments.category.as_deref(), context)?;
    let mut conditions: Vec<Condition> = categories.iter().map(|category| in_category(category)).collect();
    conditions.extend(amount_bounds(&arguments, context)?);
    let shape = hash_text(&format!("{}|{range:?}|{conditions:?}", context.caller.tenant()));
    let after = arguments.cursor.as_deref().map(|cursor| open_cursor(cursor, &shape)).transpose()?;
    let first_page = after.is_none();
    let query = ListQuery { kind: KIND, from: range.from, to: range.to, conditions, limit, after };
    let page = context.store.list(&query).await?;

    let items: Vec<_> = page.records.iter().map(|record| ExpenseKind.row(record)).collect();
    let lines = page.records.iter().take(SUMMARY_ROWS);
    let lines: Vec<String> =
        lines.map(|record| format!("#{} {}", record.id, ExpenseKind.describe(&record.draft))).collect();
    let headline = match (items.len(), page.next.is_some()) {
        (0, false) => "No expenses match.".to_owned(),
        (1, false) => "1 expense:".to_owned(),
        (n, false) => format!("{n} expenses:"),
        (n, true) => format!("The newest {n} expenses, and there are more:"),
    };
    let hidden = items.len().saturating_sub(lines.len());
    let rest = if hidden > 0 { format!("\n… and {hidden} more") } else { String::new() };
    let summary = [vec![headline], lines].concat().join("\n") + &rest;
    let total = (first_page && page.next.is_none()).then_some(items.len() as u64);
    Ok(QueryResult {
        count: items.len(),
        summary_for_llm: summary,
        items,
        state_updates: StateUpdates {
            total,
            next_cursor: page.next.map(|order| seal_cursor(&order, &shape)),
            detected_filters: detected(&range, &categories),
            ..StateUpdates::default()
        },
    })
}

/// The asked range within the page's; None if they have no day in common.
pub(super) fn narrowed_range(asked: Option<&str>, context: &ToolContext<'_>) -> Result<Option<DateRange>, ToolError> {
    let resolve = |text: &str| resolve_range(text, context.today).map_err(refused);
    let asked = asked.map(resolve).transpose()?.unwrap_or(DateRange::ALL);
    let page = context.filters.range.as_deref().map(resolve).transpose()?.unwrap_or(DateRange::ALL);
    Ok(DateRange::new(asked.from.max(page.from), asked.to.min(page.to)))
}

/// Each of these must hold.
pub(super) fn narrowed_categories(asked: Option<&str>, context: &ToolContext<'_>) -> Result<Vec<String>, ToolError> {
    let named = [asked, context.filters.category.as_deref()].into_iter().flatten();
    let mut categories: Vec<String> =
        named.map(expense::group).collect::<Result<_, _>>().map_err(ToolError::Refused)?;
    categories.retain(|category| !category.is_empty());
    categories.dedup();
    Ok(categories)
}

fn in_category(category: &str) -> Condition {
    match category {
        NO_CATEGORY => Condition::Absent("category"),
        category => Condition::Equals("category", category.into()),
    }
}

pub(super) fn detected(range: &DateRange, categories: &[String]) -> Option<serde_json::Value> {
    let mut filters = serde_json::Map::new();
    if *range != DateRange::ALL {
        filters.insert("range".into(), json!({ "from": range.from, "to": range.to }));
    }
    if let Some(category) = categories.first() {
        filters.insert("category".into(), json!(category));
    }
    (!filters.is_empty()).then_some(filters.into())
}

pub(super) fn nothing(summary: &str) -> QueryResult {
    QueryResult { summary_for_llm: summary.into(), ..QueryResult::default() }
}

/// Amounts compare within one currency only.
fn amount_bounds(arguments: &ListExpenses, context: &ToolContext<'_>) -> Result<Vec<Condition>, ToolError> {
    if arguments.min_amount.is_none() && arguments.max_amount.is_none() {
        return Ok(vec![]);
    }
    let code = context.currency.ok_or_else(|| ToolError::Refused("say in which currency".into()))?;
    let currency = Currency::parse(code).map_err(refused)?;
    let minor = |amount: &Amount| amount.in_currency(currency).map(|money| money.minor).map_err(refused);
    let mut conditions = vec![Condition::Equals("currency", currency.code().into())];
    if let Some(amount) = &arguments.min_amount {
        conditions.push(Condition::AtLeast("minor", minor(amount)?));
    }
    if let Some(amount) = &arguments.max_amount {
        conditions.push(Condition::AtMost("minor", minor(amount)?));
    }
    Ok(conditions)
}

/// A position that only fits the list it came from. It grants nothing: the tenant is added when it is used.
fn seal_cursor(order: &str, shape: &str) -> String {
    BASE64URL_NOPAD.encode(format!("{}{order}", &hash_text(&format!("{shape}|{order}"))[..16]).as_bytes())
}

fn open_cursor(cursor: &str, shape: &str) -> Result<String, ToolError> {
    let refused = || ToolError::Refused("cursor does not belong to this list: leave it out to start again".into());
    let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).map_err(|_| refused())?;
    let text = String::from_utf8(bytes).map_err(|_| refused())?;
    let (seal, order) = text.split_at_checked(16).ok_or_else(refused)?;
    let fits = seal == &hash_text(&format!("{shape}|{order}"))[..16];
    if fits { Ok(order.to_owned()) } else { Err(refused()) }
}
