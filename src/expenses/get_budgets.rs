//! `get_budgets`: the status of each budget today.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    arguments::refused,
    budget::{Budget, BudgetKind, KIND, Period, category_of_budget, time_left},
    expense::{self, NO_CATEGORY},
    listing,
};
use crate::{
    money::Money,
    phrases::DateRange,
    proposal::{Rollup, RollupKey},
    tool::{
        Owners, Query, QueryResult, StateUpdates, ToolContext, ToolError, Watch, WatchedSums, listing::first_lines,
        shown_row,
    },
};

/// How each budget stands: spent, left, and for how many days. A budget counts what everyone spent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetBudgets {
    /// Only of this category.
    pub category: Option<String>,
}

impl Query for GetBudgets {
    const NAME: &'static str = "get_budgets";

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at your budgets…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let said = self.category.as_deref().map_or(Ok(None), expense::category).map_err(refused)?;
        let category = said.map(|said| category_of_budget(said, context));
        let asked = |view: &Value| category.as_deref().is_none_or(|category| view["category"] == category);
        let year = (context.today.first_of_year(), context.today.last_of_year());
        // A week can begin in one year and end in the next.
        let week = Period::Week.around(context.today);
        let any = context.preferences_of(KIND).next().is_some();
        let rollups = match any {
            true => context.store.rollups(expense::KIND, year.0.min(week.from), year.1.max(week.to)).await?,
            false => BTreeMap::new(),
        };
        let (caller, reader) = (context.caller.user().as_str(), context.reader());
        let all = context.preferences_of(KIND);
        let found = all.filter_map(|record| Some((record, BudgetKind.status(record, &rollups, caller, reader)?)));
        let (rows, found): (Vec<_>, Vec<_>) = found.filter(|(_, status)| asked(&status.view)).unzip();
        let lines = found.iter().map(|status| {
            format!("{} ({})", status.line.trim_end_matches('.'), time_left(&status.view, context.style()))
        });
        let budgets = context.preferences_of(KIND).filter_map(|record| Budget::of(&record.draft));
        let budgets = budgets.filter(|budget| category.is_none() || budget.category == category);
        let lines = [first_lines(lines, listing::SUMMARY_PREFERENCES)].into_iter();
        let is_of_one = Owners::resolve(None, context)?.is_none_or(|owners| owners.owner().is_some());
        let everyones = is_of_one.then(|| "A budget counts what everyone spent.".to_owned());
        let lines = lines.chain(uncounted(budgets, category.is_some(), &rollups, context)).chain(everyones);
        let summary = match (found.is_empty(), &category) {
            (true, None) => "You have no budget yet. To set one, say “budget 200 a month for food”.".to_owned(),
            (true, Some(category)) => {
                format!("You have no budget for {category} yet. To set one, say “budget 200 a month for {category}”.")
            }
            (false, _) => lines.collect::<Vec<_>>().join("\n"),
        };
        Ok(QueryResult {
            count: found.len(),
            summary_for_llm: summary,
            rows: rows.into_iter().map(|record| shown_row(&BudgetKind, record)).collect(),
            state_updates: match found.is_empty() {
                true => StateUpdates::default(),
                false => {
                    let views = found.into_iter().map(|status| status.view).collect();
                    StateUpdates::default().with_field("budgets", views)
                }
            },
            ..QueryResult::default()
        })
    }
}

/// Spending without a category, which no category budget counts. `is_one`: only one category is asked about. Then it is
/// told only if nothing is in that budget yet, or it would be exceeded with it.
fn uncounted(
    budgets: impl Iterator<Item = Budget>,
    is_one: bool,
    rollups: &BTreeMap<RollupKey, Rollup>,
    context: &ToolContext<'_>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for Budget { period, money: Money { currency, minor: whole }, category } in budgets {
        let Some(category) = category else { continue };
        let DateRange { from, to } = period.around(context.today);
        let spent_on = |group: String| {
            let unit = currency.code().into();
            WatchedSums { kind: expense::KIND, from, to, unit, group: Some(group) }.sum(rollups)
        };
        let Ok(minor @ 1..) = i64::try_from(spent_on(NO_CATEGORY.into())) else { continue };
        let spent = spent_on(category);
        let left = i128::from(whole) - spent;
        if is_one && spent != 0 && !(0..i128::from(minor)).contains(&left) {
            continue;
        }
        let spent = Money { minor, currency }.written(context.style().money);
        let line =
            format!("{spent} spent this {} has no category, so it is not part of any category budget.", period.word());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
