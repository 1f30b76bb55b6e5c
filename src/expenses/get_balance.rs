//! `get_balance`: sums from rollups, however many rows there are.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    ExpenseKind,
    filters::{detected, narrowed_categories, narrowed_range, nothing},
    kind::number,
};
use crate::{
    phrases::{DateRange, Style},
    proposal::{Rollup, RollupKey},
    tool::{Query, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError},
};

/// How much was spent, per currency, over any range of days.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetBalance {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    pub range: Option<String>,
    pub category: Option<String>,
}

impl Query for GetBalance {
    const NAME: &'static str = "get_balance";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let Some(range) = narrowed_range(self.range.as_deref(), context)? else { return Ok(nothing("No such days.")) };
        let categories = narrowed_categories(self.category.as_deref(), context)?;
        let rollups = context.store.rollups(range.from, range.to).await?;
        let sums = sums(&rollups, &range, &categories);

        let totals: Vec<_> = sums
            .iter()
            .map(|(currency, (sum, count))| {
                json!({ "currency": currency, "amount": ExpenseKind.amount(currency, *sum, context.style()).0, "count": count })
            })
            .collect();
        let balance = match sums.iter().next() {
            None => Some(json!(0)),
            Some((currency, (sum, _))) if sums.len() == 1 => {
                Some(number(&ExpenseKind.amount(currency, *sum, context.style()).0))
            }
            Some(_) => None,
        };
        let count: i64 = sums.values().map(|(_, count)| count).sum();
        Ok(QueryResult {
            count: usize::try_from(count).unwrap_or_default(),
            summary_for_llm: summary(&sums, &range, &categories, count, context.style()),
            items: vec![],
            state_updates: StateUpdates {
                balance,
                totals: Some(totals.into()),
                detected_filters: Some(detected(&range, &categories))
                    .filter(|filters| !filters.is_empty())
                    .map(Into::into),
                ..StateUpdates::default()
            },
        })
    }
}

/// Sum and count by currency, of the days within the range.
pub(super) fn sums(
    rollups: &BTreeMap<RollupKey, Rollup>,
    range: &DateRange,
    categories: &[String],
) -> BTreeMap<String, (i128, i64)> {
    let mut sums: BTreeMap<String, (i128, i64)> = BTreeMap::new();
    for (key, rollup) in rollups {
        if !categories.iter().all(|category| *category == key.group) {
            continue;
        }
        let within = |day: i8| jiff::civil::Date::new(key.year, key.month, day).is_ok_and(|day| range.contains(day));
        let days = rollup.days.iter().filter(|(day, _)| within(**day)).map(|(_, sums)| sums);
        let (sum, count) = days.fold((0, 0), |(sum, count), day| (sum + day.0, count + day.1));
        if count > 0 {
            let total = sums.entry(key.unit.clone()).or_default();
            *total = (total.0 + sum, total.1 + count);
        }
    }
    sums
}

fn summary(
    sums: &BTreeMap<String, (i128, i64)>,
    range: &DateRange,
    categories: &[String],
    count: i64,
    style: Style,
) -> String {
    let on = categories.first().map(|category| format!(" on {category}")).unwrap_or_default();
    let when = match *range {
        DateRange::ALL => " in all".to_owned(),
        range if range.from == range.to => format!(" on {}", range.written(style.days)),
        range => format!(" ({})", range.written(style.days)),
    };
    if let ([], Some(category)) = (sums.keys().collect::<Vec<_>>().as_slice(), categories.first()) {
        let when = if *range == DateRange::ALL { String::new() } else { when };
        return format!("There is no expense in the category “{category}”{when}.");
    }
    if sums.is_empty() {
        return format!("You spent nothing{when}.");
    }
    let spoken: Vec<String> = sums.iter().map(|(unit, (sum, _))| ExpenseKind.amount(unit, *sum, style).1).collect();
    let noun = ExpenseKind.noun(usize::try_from(count).unwrap_or_default());
    format!("You spent {}{on}{when}: {count} {noun}.", spoken.join(" and "))
}
