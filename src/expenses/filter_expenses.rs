//! `filter_expenses`: lists by any field of an expense, also ordered by amount.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    listing::{self, Listing, Order},
    page_filters::Filters,
    periods,
};
use crate::{
    money::Amount,
    tool::{Query, QueryResult, ToolContext, ToolError},
};

const MAX_CATEGORIES: usize = 20;

/// List expenses by several categories, by text in item, notes or category, or by whether they have notes; also ordered
/// by amount ("the five largest").
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterExpenses {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    /// One of these; at most 20.
    #[serde(default)]
    categories: Vec<String>,
    /// "Everything but rent": excludes these categories and item names.
    #[serde(default)]
    without: Vec<String>,
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
    /// Each of these words must be the beginning of a word in item, notes or category.
    text: Option<String>,
    has_notes: Option<bool>,
    /// `newest` if absent.
    #[serde(default)]
    order: Order,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
    /// At most 500; 100 if absent.
    limit: Option<usize>,
    /// `nextCursor` of the page before, with the same filters; only for the newest first.
    cursor: Option<String>,
}

impl Query for FilterExpenses {
    const NAME: &'static str = "filter_expenses";

    fn status(&self, context: &ToolContext<'_>) -> String {
        periods::looking_at(self.range.as_deref(), context)
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        if self.categories.len() > MAX_CATEGORIES {
            return Err(ToolError::Refused(format!(
                "at most {MAX_CATEGORIES} categories at once. Name fewer, or none for all"
            )));
        }
        let FilterExpenses { order, limit, cursor, .. } = self;
        let filters = Filters {
            range: self.range,
            categories: self.categories,
            without: self.without,
            min_amount: self.min_amount,
            max_amount: self.max_amount,
            more_than: self.more_than,
            less_than: self.less_than,
            currency: self.currency,
            whose: self.whose,
            text: self.text,
            has_notes: self.has_notes,
            ..Filters::default()
        };
        listing::list(context, Listing { filters, order, limit, cursor, after: None }).await
    }
}
