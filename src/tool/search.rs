//! Word search for any kind: the rows that match words best, misspelt words included.

use std::{cmp::Reverse, collections::BTreeSet};

use jiff::civil::Date;

use super::{
    QueryResult, RecordKind, ToolContext, ToolError,
    listing::{self, Listed, Paging},
    row_filter::RowFilter,
    word_match::{MatchScore, WordMatch},
    words::words,
};
use crate::store::Excerpt;

/// Rows.
const MAX_LIMIT: usize = 50;

/// Rows in place of a list that is empty.
const NEAREST: usize = 10;

/// In characters.
const MAX_QUERY: usize = 200;

/// Rows by words, best match first. `limit` must come from [`checked`].
pub async fn by_words(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    query: &str,
    limit: usize,
) -> Result<Listed, ToolError> {
    let fields = kind.search().map_or(&[][..], |search| search.word_fields());
    let mut wanted = WordMatch::new(query).ok_or_else(no_word)?;
    let mut best: BTreeSet<Reverse<(MatchScore, Date, u64)>> = BTreeSet::new();
    let mut found = 0_u64;
    let mut rank = |excerpt: Excerpt| {
        let fit = wanted.fit(&excerpt.body, fields).filter(|_| filter.fits(&excerpt.body));
        let Some(fit) = fit else { return };
        found += 1;
        best.insert(Reverse((fit, excerpt.date, excerpt.id)));
        if best.len() > limit {
            best.pop_last();
        }
    };
    let all = context.store.each(&filter.query(kind.prefix(), limit, None), &mut rank).await?;
    let sure = best.first().is_none_or(|Reverse((fit, ..))| wanted.is_sure(*fit));
    let ids: Vec<u64> = best.into_iter().map(|Reverse((_, _, id))| id).collect();
    let records = listing::rows(context, kind, &ids).await?;
    let headline = headline(kind, query, records.len() as u64, found, sure, all);
    Ok(Listed { headline, records, total: all.then_some(found), next_cursor: None })
}

/// Matching rows by day. Where none has all words, the rows without the filter of words that match them best.
pub async fn list_or_nearest(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    without_words: &RowFilter<'_>,
    words: Option<&str>,
    paging: &Paging,
) -> Result<QueryResult, ToolError> {
    let found = listing::list(context, kind, filter, paging).await?;
    let is_over = found.count > 0 || found.state_updates.next_cursor.is_some() || paging.continues();
    let Some(words) = words.filter(|_| !is_over) else { return Ok(found) };
    let nearest = by_words(context, kind, without_words, words, NEAREST.min(paging.limit)).await?;
    Ok(nearest.result(kind, without_words, context))
}

/// Checks the query and returns the limit: `usual` if absent.
pub fn checked(query: &str, limit: Option<usize>, usual: usize) -> Result<usize, ToolError> {
    let limit = limit.unwrap_or(usual);
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

/// Repeats the query without its punctuation.
fn headline(kind: &dyn RecordKind, query: &str, shown: u64, found: u64, sure: bool, all: bool) -> String {
    let (query, one, many) = (words(query), kind.noun(1), kind.noun(2));
    let query = query.trim();
    let mut headline = match (found, sure) {
        (0, _) => format!("Nothing matches “{query}”."),
        (_, false) => format!("Nothing matches “{query}” exactly. This is close:"),
        (1, true) => format!("1 {one} matches “{query}”:"),
        (n, true) if n == shown => format!("{n} {many} match “{query}”, best first:"),
        (n, true) => format!("{shown} of {n} {many} that match “{query}”, best first:"),
    };
    if !all {
        headline.push_str(" (I searched only the newest, because there are too many. Name days for older ones.)");
    }
    headline
}
