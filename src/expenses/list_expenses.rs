//! `list_expenses`: rows by filters, in any order, by words that may be misspelt, or by their numbers.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ExpenseKind,
    filters::{nothing_in_common, resolve_filters},
    listing::{self, Listing, Order},
    page_filters::Filters,
    periods, suggestions,
};
use crate::tool::{
    Query, QueryResult, ToolContext, ToolError,
    listing::{LIMITS, Listed, numbered},
    search,
};

/// Rows of a search.
const BEST: usize = 20;

/// List expenses by filters, or search them for words.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListExpenses {
    #[serde(flatten)]
    filters: Filters,
    /// Words to look for in item, notes and category, misspelt ones too: "uber airport". Quotes and minus as in `words`.
    /// The best match comes first, and only the first 8 words count. Not with `order`, `cursor` or `after`.
    search: Option<String>,
    /// `newest` if absent. `largest` and `smallest` are by amount, in one currency.
    order: Option<Order>,
    /// At most 500, 100 if absent; of a search at most 50, 20 if absent.
    limit: Option<usize>,
    /// `nextCursor` of the page before, with the same filters. A list by amount has no pages.
    cursor: Option<String>,
    /// Instead of a cursor: the number of the last row of this list that the person saw.
    after: Option<u64>,
    /// Instead of all other arguments: the rows with these numbers ("show #5").
    #[serde(default)]
    ids: Vec<u64>,
}

impl Query for ListExpenses {
    const NAME: &'static str = "list_expenses";

    fn status(&self, context: &ToolContext<'_>) -> String {
        periods::looking_at(self.filters.range.as_deref(), context)
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        if !self.ids.is_empty() {
            let alone = self == ListExpenses { ids: self.ids.clone(), ..ListExpenses::default() };
            return match alone {
                true => numbered(context, &ExpenseKind, &self.ids, LIMITS.usual).await,
                false => Err(ToolError::Malformed("give `ids` alone, without filters".into())),
            };
        }
        let ListExpenses { filters, search, order, limit, cursor, after, .. } = self;
        let Some(query) = search else {
            return listing::list(context, Listing { filters, order, limit, cursor, after }).await;
        };
        if order.is_some() || cursor.is_some() || after.is_some() {
            let text = "a search lists the best match first and has no pages. Leave out `order`, `cursor` and `after`";
            return Err(ToolError::Malformed(text.into()));
        }
        let (asked, limit) = (limit, search::checked(&query, limit, BEST)?);
        let Some(resolved) = resolve_filters(&filters, context)? else {
            return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
        };
        let filter = resolved.rows(None, context.style());
        let found = search::by_words(context, &ExpenseKind, &filter, &query, limit).await?;
        let suggestions = suggestions::after_search(&found.records, context);
        let mut found = Listed { asked, ..found }.result(&ExpenseKind, &filter, context);
        found.state_updates.suggestions = suggestions;
        found.state_updates.filter_match = resolved.row_state_updates(context).filter_match;
        Ok(found)
    }
}
