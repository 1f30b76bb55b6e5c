//! `list_expenses`: the plain list, newest first.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ExpenseKind,
    listing::{self, Listing},
    page_filters::Filters,
    periods,
};
use crate::{
    money::Amount,
    tool::{
        Query, QueryResult, ToolContext, ToolError,
        listing::{LIMITS, numbered},
    },
};

/// List expenses, newest first, by range, category and amount.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListExpenses {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    category: Option<String>,
    /// "Everything but rent": excludes these categories and item names.
    #[serde(default)]
    without: Vec<String>,
    /// The item must contain all these words: "uber".
    words: Option<String>,
    /// "At least": inclusive.
    min_amount: Option<Amount>,
    /// "At most": inclusive.
    max_amount: Option<Amount>,
    /// "Over": exclusive.
    more_than: Option<Amount>,
    /// "Under": exclusive.
    less_than: Option<Amount>,
    /// ISO 4217 code: only expenses in it. Amounts are compared in it, or in the person's own currency.
    currency: Option<String>,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
    /// At most 500; 100 if absent.
    limit: Option<usize>,
    /// `nextCursor` of the page before, with the same filters.
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
        periods::looking_at(self.range.as_deref(), context)
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        if !self.ids.is_empty() {
            let alone = self == ListExpenses { ids: self.ids.clone(), ..ListExpenses::default() };
            return match alone {
                true => numbered(context, &ExpenseKind, &self.ids, LIMITS.usual).await,
                false => Err(ToolError::Malformed("give `ids` alone, without filters".into())),
            };
        }
        let ListExpenses { limit, cursor, after, category, .. } = self;
        let filters = Filters {
            range: self.range,
            categories: category.into_iter().collect(),
            without: self.without,
            words: self.words,
            min_amount: self.min_amount,
            max_amount: self.max_amount,
            more_than: self.more_than,
            less_than: self.less_than,
            currency: self.currency,
            whose: self.whose,
            ..Filters::default()
        };
        listing::list(context, Listing { filters, limit, cursor, after, ..Listing::default() }).await
    }
}
