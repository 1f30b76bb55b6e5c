//! `search_expenses`: the rows that fit words best, also misspelt ones.

use std::{cmp::Reverse, collections::BTreeSet};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    expense::words,
    filters::{nothing_in_common, resolve_filters},
    listing,
    search::{MatchScore, Search},
    suggestions,
};
use crate::{
    store::Excerpt,
    tool::{Filters, Query, QueryResult, StateUpdates, ToolContext, ToolError},
};

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 50;

/// In characters.
const MAX_QUERY: usize = 200;

/// Search item, notes and category for words, the best first; misspelt ones are found too.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchExpenses {
    /// What is looked for: "uber airport". At most 8 words count.
    pub(super) query: String,
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    pub(super) range: Option<String>,
    /// At most 50; 20 if absent.
    pub(super) limit: Option<usize>,
}

impl Query for SearchExpenses {
    const NAME: &'static str = "search_expenses";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = checked(&self.query, self.limit, DEFAULT_LIMIT)?;
        let mut search = Search::new(&self.query).ok_or_else(no_word)?;
        let filters = Filters { range: self.range, ..Filters::default() };
        let Some(resolved) = resolve_filters(&filters, context)? else {
            return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
        };
        let mut best: BTreeSet<Reverse<(MatchScore, Date, u64)>> = BTreeSet::new();
        let mut found = 0_u64;
        let mut rank = |excerpt: Excerpt| {
            let fit = search.fit(&excerpt.body).filter(|_| resolved.fits(&excerpt.body));
            let Some(fit) = fit else { return };
            found += 1;
            best.insert(Reverse((fit, excerpt.date, excerpt.id)));
            if best.len() > limit {
                best.pop_last();
            }
        };
        let all = context.store.each(&resolved.query(limit, None), &mut rank).await?;
        let sure = best.first().is_none_or(|Reverse((fit, ..))| search.is_sure(*fit));
        let ids: Vec<u64> = best.into_iter().map(|Reverse((_, _, id))| id).collect();
        let records = listing::rows(context, &ids).await?;
        let headline = headline(&self.query, records.len() as u64, found, sure, all);
        Ok(QueryResult {
            count: records.len(),
            summary_for_llm: listing::lines(headline, &records, context.style()),
            items: listing::items(&records),
            state_updates: StateUpdates {
                total: all.then_some(found),
                suggestions: suggestions::after_search(&records, context),
                ..resolved.row_state_updates(context)
            },
        })
    }
}

/// How many rows are wanted, of a query that can be looked for.
pub(super) fn checked(query: &str, limit: Option<usize>, default: usize) -> Result<usize, ToolError> {
    let limit = limit.unwrap_or(default);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ToolError::Refused(format!("I can show 1 to {MAX_LIMIT} rows. Ask for fewer, or name days")));
    }
    if query.chars().count() > MAX_QUERY {
        return Err(ToolError::Refused(format!("the search has more than {MAX_QUERY} characters. Use fewer words")));
    }
    if query.chars().any(char::is_alphanumeric) { Ok(limit) } else { Err(no_word()) }
}

fn no_word() -> ToolError {
    ToolError::Refused("there is no word to look for. Say one".into())
}

/// What was looked for is said back without its marks.
fn headline(query: &str, shown: u64, found: u64, sure: bool, all: bool) -> String {
    let query = words(query);
    let query = query.trim();
    let mut headline = match (found, sure) {
        (0, _) => format!("Nothing matches “{query}”."),
        (_, false) => format!("Nothing matches “{query}” exactly. This is close:"),
        (1, true) => format!("1 expense matches “{query}”:"),
        (n, true) if n == shown => format!("{n} expenses match “{query}”, best first:"),
        (n, true) => format!("{shown} of {n} expenses that match “{query}”, best first:"),
    };
    if !all {
        headline.push_str(" (I searched only the newest, because there are too many. Name days for older ones.)");
    }
    headline
}
