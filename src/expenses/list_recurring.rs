//! `list_recurring`: what comes back, and when next.

use schemars::JsonSchema;
use serde::Deserialize;

use super::recurring::{KIND, RecurringKind};
use crate::tool::{Query, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError};

/// The expenses that come back every week, month or year, and when each is due next.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRecurring {}

impl Query for ListRecurring {
    const NAME: &'static str = "list_recurring";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let lines: Vec<String> =
            context.remembered(KIND).map(|record| RecurringKind.describe(&record.draft, context.style())).collect();
        Ok(QueryResult {
            count: lines.len(),
            summary_for_llm: match lines.is_empty() {
                true => "Nothing recurs. Say what does, like “rent 950 every month”.".to_owned(),
                false => lines.join("\n"),
            },
            items: None,
            state_updates: StateUpdates {
                remembered: context.remembered(KIND).map(|record| RecurringKind.row(record)).collect(),
                ..StateUpdates::default()
            },
        })
    }
}
