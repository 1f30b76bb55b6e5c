//! `search_expenses`: finds the rows that match words best, misspelt words included.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ExpenseKind,
    filters::{nothing_in_common, resolve_filters},
    page_filters::Filters,
    periods, suggestions,
};
use crate::tool::{Query, QueryResult, ToolContext, ToolError, search};

const DEFAULT_LIMIT: usize = 20;

/// Search item, notes and category for words, the best match first. Misspelt words are found too.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchExpenses {
    /// The words to search for: "uber airport". Only the first 8 words count.
    query: String,
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
    /// At most 50; 20 if absent.
    limit: Option<usize>,
}

impl Query for SearchExpenses {
    const NAME: &'static str = "search_expenses";

    fn status(&self, context: &ToolContext<'_>) -> String {
        periods::looking_at(self.range.as_deref(), context)
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = search::checked(&self.query, self.limit, DEFAULT_LIMIT)?;
        let filters = Filters { range: self.range, whose: self.whose, ..Filters::default() };
        let Some(resolved) = resolve_filters(&filters, context)? else {
            return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
        };
        let filter = resolved.rows(None, context.style());
        let found = search::by_words(context, &ExpenseKind, &filter, &self.query, limit).await?;
        let suggestions = suggestions::after_search(&found.records, context);
        let mut found = found.result(&ExpenseKind, &filter, context);
        found.state_updates.suggestions = suggestions;
        found.state_updates.filter_match = resolved.row_state_updates(context).filter_match;
        Ok(found)
    }
}
