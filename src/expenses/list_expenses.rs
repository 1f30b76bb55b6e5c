//! `list_expenses`, and the list that pages draw.

use data_encoding::BASE64URL_NOPAD;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ExpenseKind,
    add_expense::refused,
    expense::{self, KIND, NO_CATEGORY},
    filters::{self, narrowed_categories, narrowed_range, nothing},
    get_balance::sums,
};
use crate::{
    money::{Amount, Currency},
    phrases::DateRange,
    proposal::hash_text,
    store::{Condition, ListQuery, Position},
    tool::{Query, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError},
};

const DEFAULT_LIMIT: usize = 100;
pub const MAX_LIMIT: usize = 500;

/// Rows that the model reads; the page gets them all.
const SUMMARY_ROWS: usize = 20;

/// Said of a list that there is more of.
const NEWEST_FIRST: &str = "newest first";

/// List expenses, newest first, by range, category and amount.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListExpenses {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    pub range: Option<String>,
    pub category: Option<String>,
    /// Words that the item must have, all of them: "uber".
    pub words: Option<String>,
    /// "At least": inclusive.
    pub min_amount: Option<Amount>,
    /// "At most": inclusive.
    pub max_amount: Option<Amount>,
    /// "Over": exclusive.
    pub more_than: Option<Amount>,
    /// "Under": exclusive.
    pub less_than: Option<Amount>,
    /// ISO 4217 code: only expenses in it. Amounts are compared in it, or in the person's own currency.
    pub currency: Option<String>,
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
    let Some(Narrowed { range, categories, conditions }) = narrowed(&arguments, context)? else {
        return Ok(nothing("No such days."));
    };
    let shape = hash_text(&format!("{}|{range:?}|{conditions:?}", context.caller.tenant()));
    let after = arguments.cursor.as_deref().map(|cursor| open_cursor(cursor, &shape, &range)).transpose()?;
    let first_page = after.is_none();
    let query = ListQuery { kind: KIND, from: range.from, to: range.to, conditions, limit, after };
    let page = context.store.list(&query).await?;

    let items: Vec<_> = page.records.iter().map(|record| ExpenseKind.row(record)).collect();
    let lines = page.records.iter().take(SUMMARY_ROWS);
    let lines: Vec<String> = lines
        .map(|record| format!("#{} {}", record.id, ExpenseKind.describe(&record.draft, context.style())))
        .collect();
    let total = match &page.next {
        None if first_page => Some(items.len() as u64),
        // Rollups know how many there are, unless words or amounts narrow them.
        Some(_) if query.conditions.len() == categories.len() => {
            let rollups = context.store.rollups(range.from, range.to).await?;
            let count: i64 = sums(&rollups, &range, &categories).values().map(|(_, count)| count).sum();
            u64::try_from(count).ok()
        }
        _ => None,
    };
    let headline = match (items.len(), page.next.is_some(), total) {
        (0, false, _) => "No expenses match.".to_owned(),
        (1, false, _) => "1 expense:".to_owned(),
        (n, false, _) => format!("{n} expenses:"),
        (n, true, Some(total)) => format!("{n} of {total} expenses, {NEWEST_FIRST}:"),
        (n, true, None) => format!("{n} expenses, {NEWEST_FIRST}, and there are more:"),
    };
    let hidden = items.len().saturating_sub(lines.len());
    let rest = if hidden > 0 { format!("\n… and {hidden} more") } else { String::new() };
    let summary = [vec![headline], lines].concat().join("\n") + &rest;
    Ok(QueryResult {
        count: items.len(),
        summary_for_llm: summary,
        items,
        state_updates: StateUpdates {
            total,
            next_cursor: page.next.map(|position| seal_cursor(&position, &shape)),
            detected_filters: detected(&range, &categories, &arguments),
            ..StateUpdates::default()
        },
    })
}

/// What is looked for, within what the page has active.
pub(super) struct Narrowed {
    pub range: DateRange,
    pub categories: Vec<String>,
    pub conditions: Vec<Condition>,
}

/// None if no day is left.
pub(super) fn narrowed(arguments: &ListExpenses, context: &ToolContext<'_>) -> Result<Option<Narrowed>, ToolError> {
    let Some(range) = narrowed_range(arguments.range.as_deref(), context)? else { return Ok(None) };
    let categories = narrowed_categories(arguments.category.as_deref(), context)?;
    let mut conditions: Vec<Condition> = categories.iter().map(|category| in_category(category)).collect();
    let words = arguments.words.as_deref().map(expense::words).unwrap_or_default();
    conditions.extend(words.split_whitespace().map(|word| Condition::Contains("words", format!(" {word} "))));
    conditions.extend(amount_bounds(arguments, context)?);
    Ok(Some(Narrowed { range, categories, conditions }))
}

/// Whether a list, as it was answered, had more rows than it showed.
pub(super) fn is_partial(shown: &str) -> bool {
    let headline = shown.lines().next().unwrap_or_default();
    headline.contains(NEWEST_FIRST) || shown.lines().any(|line| line.starts_with("… and ") && line.ends_with(" more"))
}

fn in_category(category: &str) -> Condition {
    match category {
        NO_CATEGORY => Condition::Absent("category"),
        category => Condition::Equals("category", category.into()),
    }
}

fn detected(range: &DateRange, categories: &[String], arguments: &ListExpenses) -> Option<Value> {
    let ListExpenses { words, min_amount, max_amount, more_than, less_than, currency, .. } = arguments;
    let amount = |amount: &Option<Amount>| amount.as_ref().map(ToString::to_string);
    let texts = [
        ("words", words.clone()),
        ("minAmount", amount(min_amount)),
        ("maxAmount", amount(max_amount)),
        ("moreThan", amount(more_than)),
        ("lessThan", amount(less_than)),
        ("currency", currency.clone()),
    ];
    let mut filters = filters::detected(range, categories);
    filters.extend(texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?)))));
    (!filters.is_empty()).then_some(filters.into())
}

/// Amounts compare within one currency only.
fn amount_bounds(arguments: &ListExpenses, context: &ToolContext<'_>) -> Result<Vec<Condition>, ToolError> {
    let ListExpenses { min_amount, max_amount, more_than, less_than, currency, .. } = arguments;
    // Whether it is the lower bound, and how many minor units inside of it.
    let bounds = [(min_amount, true, 0), (max_amount, false, 0), (more_than, true, 1), (less_than, false, -1)];
    let bounds = bounds.into_iter().filter_map(|(amount, lower, inside)| Some((amount.as_ref()?, lower, inside)));
    let bounds: Vec<(&Amount, bool, i64)> = bounds.collect();
    if bounds.is_empty() && currency.is_none() {
        return Ok(vec![]);
    }
    let code = currency.as_deref().or(context.currency);
    let code =
        code.ok_or_else(|| ToolError::Refused("say in which currency: amounts compare only within one".into()))?;
    let currency = Currency::parse(code).map_err(refused)?;
    let mut conditions = vec![Condition::Equals("currency", currency.code().into())];
    for (amount, lower, inside) in bounds {
        let minor = amount.in_currency(currency).map_err(refused)?.minor + inside;
        conditions.push(if lower { Condition::AtLeast("minor", minor) } else { Condition::AtMost("minor", minor) });
    }
    Ok(conditions)
}

/// A position that only fits the list it came from. It grants nothing: the tenant is added when it is used.
fn seal_cursor(position: &Position, shape: &str) -> String {
    let text = format!("{}/{}", position.date, position.id);
    BASE64URL_NOPAD.encode(format!("{}{text}", &hash_text(&format!("{shape}|{text}"))[..16]).as_bytes())
}

fn open_cursor(cursor: &str, shape: &str, range: &DateRange) -> Result<Position, ToolError> {
    let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let position = text.as_deref().and_then(|text| text.split_at_checked(16)).and_then(|(seal, text)| {
        let (date, id) = text.split_once('/')?;
        let position = Position { date: date.parse().ok()?, id: id.parse().ok()? };
        let fits = seal == &hash_text(&format!("{shape}|{text}"))[..16] && range.contains(position.date);
        fits.then_some(position)
    });
    position.ok_or(ToolError::BadCursor)
}
