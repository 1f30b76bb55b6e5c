//! `list_recurring`: the recurring expenses and their next due days.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    filters::nothing_in_common,
    listing,
    recurring::{KIND, RecurringKind},
};
use crate::tool::{
    Owners, Query, QueryResult, Rendering, StateUpdates, ToolContext, ToolError, listing::first_lines, whose::WHOSE,
};

/// The expenses that repeat every week, month or year, and when each is due next.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRecurring {
    /// "me", "everyone", or a member's name; absent if the person did not say.
    pub whose: Option<String>,
}

impl Query for ListRecurring {
    const NAME: &'static str = "list_recurring";

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at your recurring entries…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let Some(owners) = Owners::resolve(self.whose.as_deref(), context)? else { return Ok(nothing_in_common()) };
        let entries = || context.preferences_of(KIND).filter(|record| owners.includes(&record.draft.owner));
        let is_shared = entries().any(|record| !owners.is_callers(&record.draft.owner));
        let lines = entries().map(|record| {
            let line = RecurringKind.describe(&record.draft, context.style());
            match record.draft.owner.as_str() {
                _ if !is_shared => line,
                owner if owners.is_callers(owner) => format!("{line}, by you"),
                owner => format!("{line}, by {}", context.members.label(owner)),
            }
        });
        let count = entries().count();
        Ok(QueryResult {
            count,
            summary_for_llm: match count {
                0 if owners.owner().is_some_and(|owner| !owners.is_callers(owner)) => {
                    format!("There are no recurring expenses {}.", owners.described().unwrap_or_default())
                }
                0 => "You have no recurring expenses yet. To add one, say “rent 950 every month”. For what was paid already, say \
                      “show subscription expenses”."
                    .to_owned(),
                _ => first_lines(lines, listing::SUMMARY_PREFERENCES),
            },
            state_updates: StateUpdates {
                preferences: entries().map(|record| RecurringKind.row(record)).collect(),
                detected_filters: owners.detected().map(|whose| json!({ WHOSE: whose })),
                ..StateUpdates::default()
            },
            ..QueryResult::default()
        })
    }
}
