//! `list_recurring`: the recurring expenses and their next due days.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    listing,
    recurring::{KIND, RecurringKind},
};
use crate::tool::{Query, QueryResult, Rendering, StateUpdates, ToolContext, ToolError, listing::first_lines};

/// The expenses that repeat every week, month or year, and when each is due next.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRecurring {}

impl Query for ListRecurring {
    const NAME: &'static str = "list_recurring";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let lines = context.preferences_of(KIND).map(|record| RecurringKind.describe(&record.draft, context.style()));
        let count = context.preferences_of(KIND).count();
        Ok(QueryResult {
            count,
            summary_for_llm: match count {
                0 => "You have no recurring expenses yet. To add one, say “rent 950 every month”.".to_owned(),
                _ => first_lines(lines, listing::SUMMARY_PREFERENCES),
            },
            state_updates: StateUpdates {
                preferences: context.preferences_of(KIND).map(|record| RecurringKind.row(record)).collect(),
                ..StateUpdates::default()
            },
            ..QueryResult::default()
        })
    }
}
