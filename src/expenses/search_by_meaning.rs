//! `search_by_meaning`: the rows that are about what a person describes, whatever words they say it in.
//!
//! Where there is no endpoint for embeddings, or rows it has not read yet, words have to do, and the answer says so.

use std::{cmp::Ordering, collections::HashMap};

use jiff::{ToSpan, civil::Date, tz::TimeZone};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    expense::{KIND, words},
    filters::{ResolvedFilters, nothing_in_common, resolve_filters},
    listing,
    search::Search,
    search_expenses::{SearchExpenses, checked},
    suggestions,
};
use crate::{
    model::embeddings::{Embeddings, QueryVector},
    phrases::{DateRange, described},
    store::{Excerpt, StoreError, VectorKey},
    tool::{Filters, Gate, Query, QueryResult, StateUpdates, ToolContext, ToolError},
};

const DEFAULT_LIMIT: usize = 10;

/// So many texts are shown however little they stand out: something is always closest.
const CLOSEST: usize = 3;

/// Others have to be so much closer than usual, in standard deviations. How close is usual differs from model to model.
const STANDING_OUT: f64 = 1.5;

/// Rows that say the same, the newest: the hundredth coffee tells nothing about coffee.
const ALIKE: usize = 3;

const NOT_SET_UP: &str = "I cannot search by meaning here, so I searched for the words.";
const NOT_THERE: &str = "I cannot search by meaning right now, so I searched for the words.";
const NOT_READY: &str =
    "I cannot search your expenses by meaning yet, so I searched for the words. Ask again in a few minutes.";

/// Search for what the person describes, which the rows may say in other words ("gifts", "things for the garden").
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchByMeaning {
    /// The description, in the person's words.
    query: String,
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    /// At most 50; 10 if absent.
    limit: Option<usize>,
}

impl Query for SearchByMeaning {
    const NAME: &'static str = "search_by_meaning";

    const GATE: Option<Gate> = Some(|input| input.said.last().is_some_and(|said| described(said).is_some()));

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = checked(&self.query, self.limit, DEFAULT_LIMIT)?;
        let filters = Filters { range: self.range.clone(), ..Filters::default() };
        let Some(resolved) = resolve_filters(&filters, context)? else {
            return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
        };
        let Some(embeddings) = context.embeddings else { return self.by_words(NOT_SET_UP, context).await };
        let (distances, rows) = tokio::join!(
            Distances::read(&self.query, embeddings, resolved.range, context),
            Rows::read(&self.query, &resolved, context)
        );
        let (Some(distances), rows) = (distances?, rows?) else { return self.by_words(NOT_THERE, context).await };
        let found = Found::of(&distances, &rows);
        if found.unread > 0 || (distances.by_id.len() > found.close.len() && resolved.is_everything()) {
            request_embeddings(context).await;
        }
        if found.close.is_empty() && found.unread > 0 {
            return self.by_words(NOT_READY, context).await;
        }
        let is_cut = !(distances.are_all && rows.are_all);
        let ids: Vec<u64> = found.best(limit);
        let records = listing::rows(context, &ids).await?;
        Ok(QueryResult {
            count: records.len(),
            summary_for_llm: listing::lines(
                found.headline(&self.query, records.len(), is_cut),
                &records,
                context.style(),
            ),
            items: listing::items(&records),
            state_updates: StateUpdates {
                suggestions: suggestions::after_search(&records, context),
                ..resolved.row_state_updates(context)
            },
        })
    }
}

impl SearchByMeaning {
    async fn by_words(self, why: &str, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let SearchByMeaning { query, range, limit } = self;
        let named = ["a ", "an ", "the ", "my ", "some "].iter().find_map(|article| query.strip_prefix(article));
        let query = named.unwrap_or(&query).to_owned();
        let limit = limit.or(Some(DEFAULT_LIMIT));
        let result = SearchExpenses { query, range, limit }.run(context).await?;
        Ok(QueryResult { summary_for_llm: format!("{why}\n{}", result.summary_for_llm), ..result })
    }
}

/// How close the rows' meanings are to what is looked for.
struct Distances {
    /// The row's version, and the cosine.
    by_id: HashMap<u64, (u64, f32)>,
    are_all: bool,
    /// The last day that was read.
    until: Date,
}

impl Distances {
    /// None if the endpoint does not say where in its space to look.
    async fn read(
        query: &str,
        embeddings: &dyn Embeddings,
        range: DateRange,
        context: &ToolContext<'_>,
    ) -> Result<Option<Distances>, StoreError> {
        let embedded = embeddings.embed(&[query.trim()]).await;
        let embedded = embedded.inspect_err(|error| tracing::warn!(%error, "a query has no embedding"));
        let Some(query) = embedded.ok().and_then(|vectors| Some(vectors.first()?.query_vector())) else {
            return Ok(None);
        };
        let mut distances = Distances { by_id: HashMap::new(), are_all: true, until: range.to };
        let mut add = |key: VectorKey, bytes: &[u8]| {
            distances.until = key.position.date;
            distances
                .by_id
                .extend(QueryVector::cosine(&query, bytes).map(|cosine| (key.position.id, (key.version, cosine))));
        };
        let all = context.store.each_vector(KIND, (range.from, range.to), embeddings.space(), &mut add).await?;
        if all {
            distances.until = range.from;
        }
        Ok(Some(Distances { are_all: all, ..distances }))
    }
}

/// The rows that fit the filters.
struct Rows {
    /// Id, version, day, and whether the words of the query are in it.
    all: Vec<(u64, u64, Date, bool)>,
    are_all: bool,
}

impl Rows {
    async fn read(query: &str, resolved: &ResolvedFilters, context: &ToolContext<'_>) -> Result<Rows, StoreError> {
        let mut search = Search::new(query);
        let mut all = Vec::new();
        let mut add = |row: Excerpt| {
            if resolved.fits(&row.body) {
                let says = |search: &mut Search| search.fit(&row.body).is_some_and(|fit| search.is_sure(fit));
                all.push((row.id, row.version, row.date, search.as_mut().is_some_and(says)));
            }
        };
        let are_all = context.store.each(&resolved.query(DEFAULT_LIMIT, None), &mut add).await?;
        Ok(Rows { all, are_all })
    }
}

struct Found {
    /// The closest first.
    close: Vec<(f32, Date, u64)>,
    /// Rows whose meaning is not known, but that say the words.
    literal: Vec<u64>,
    /// Rows whose meaning is not known.
    unread: usize,
}

impl Found {
    fn of(distances: &Distances, rows: &Rows) -> Found {
        let mut found = Found { close: vec![], literal: vec![], unread: 0 };
        for (id, version, date, says) in rows.all.iter().filter(|(_, _, date, _)| *date >= distances.until) {
            match distances.by_id.get(id).filter(|(of, _)| of == version) {
                Some((_, cosine)) => found.close.push((*cosine, *date, *id)),
                None => {
                    found.unread += 1;
                    found.literal.extend(says.then_some(*id));
                }
            }
        }
        found.close.sort_by(|one, other| other.partial_cmp(one).unwrap_or(Ordering::Equal));
        found
    }

    fn best(&self, limit: usize) -> Vec<u64> {
        // Of equal texts the cosines are equal.
        let texts: Vec<&[(f32, Date, u64)]> = self.close.chunk_by(|(one, ..), (other, ..)| one == other).collect();
        let cosines = || texts.iter().map(|alike| f64::from(alike[0].0));
        let count = texts.len() as f64;
        let mean = cosines().sum::<f64>() / count;
        let deviation = (cosines().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count).sqrt();
        let least = mean + STANDING_OUT * deviation;
        let shown = texts.iter().zip(cosines()).enumerate();
        let shown = shown.filter(|(place, (_, cosine))| *place < CLOSEST || *cosine >= least);
        let rows = shown.flat_map(|(_, (alike, _))| alike.iter().take(ALIKE).map(|(_, _, id)| *id));
        self.literal.iter().copied().chain(rows).take(limit).collect()
    }

    fn headline(&self, query: &str, shown: usize, is_cut: bool) -> String {
        let query = words(query);
        let query = query.trim();
        let mut headline = match shown {
            0 => "There are no expenses to search.".to_owned(),
            1 => format!("Closest in meaning to “{query}”:"),
            n => format!("{n} expenses close in meaning to “{query}”, closest first:"),
        };
        if self.unread > 0 {
            let unread = self.unread;
            headline.push_str(&format!(" (Searched by words only: {unread} new or changed.)"));
        }
        if is_cut {
            headline.push_str(" (I searched only the newest, because there are too many. Name days for older ones.)");
        }
        headline
    }
}

/// For the sweeper, which makes what is missing. An answer is not worth less without it.
async fn request_embeddings(context: &ToolContext<'_>) {
    // Wherever the person is, that day has begun everywhere.
    let from = context.today.saturating_sub(1.day()).to_zoned(TimeZone::UTC);
    let left = match from {
        Ok(from) => context.store.want_vectors(from.timestamp()).await,
        Err(_) => return,
    };
    if let Err(error) = left {
        tracing::warn!(%error, "the sweeper could not be asked for vectors");
    }
}
