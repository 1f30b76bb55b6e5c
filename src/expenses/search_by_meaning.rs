//! `search_by_meaning`: finds expenses by a description, even if they use other words.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ExpenseKind,
    filters::{nothing_in_common, resolve_filters},
    page_filters::Filters,
    suggestions,
};
use crate::{
    phrases::{Intent, Order, described, intents},
    tool::{Gate, Query, QueryResult, ToolContext, ToolError, search, search_by_meaning::by_meaning},
};

const DEFAULT_LIMIT: usize = 10;

/// Search by meaning for what the person describes ("gifts", "things for the garden"), if no name, word or category fits it.
/// The rows may use other words. What else the person said is a filter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchByMeaning {
    /// The description, in the person's words.
    query: String,
    #[serde(flatten)]
    filters: Filters,
    /// At most 50; 10 if absent.
    limit: Option<usize>,
}

impl Query for SearchByMeaning {
    const NAME: &'static str = "search_by_meaning";

    const GATE: Option<Gate> = Some(|input| {
        let looks = |said: &str| {
            let found = intents(said, &[]);
            found.iter().any(|found| matches!(found.intent, Intent::Question | Intent::Order(Order::Look)))
        };
        input.said.last().is_some_and(|said| described(said).is_some() || input.has_embeddings && looks(said))
    });

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Searching your expenses…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = search::checked(&self.query, self.limit, DEFAULT_LIMIT)?;
        let Some(resolved) = resolve_filters(&self.filters, context)? else {
            return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
        };
        let filter = resolved.rows(None, context.style());
        let found = by_meaning(context, &ExpenseKind, &filter, &self.query, limit).await?;
        let suggestions = suggestions::after_search(&found.records, context);
        let mut found = found.result(&ExpenseKind, &filter, context);
        found.state_updates.suggestions = suggestions;
        found.state_updates.filter_match = resolved.row_state_updates(context).filter_match;
        Ok(found)
    }
}
