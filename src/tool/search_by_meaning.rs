//! Search by meaning for any kind: finds the rows that are about what a person describes, even if they use other words.
//!
//! Without an endpoint for embeddings it searches by words. Rows without an embedding are searched by words too. The
//! answer says so.

use std::{
    cmp::{Ordering, Reverse},
    collections::HashMap,
};

use jiff::{ToSpan, civil::Date, tz::TimeZone};

use super::{
    RecordKind, ToolContext, ToolError,
    listing::{self, Listed},
    names,
    row_filter::RowFilter,
    search,
    word_match::WordMatch,
    words::words,
};
use crate::{
    model::embeddings::{Embeddings, QueryVector},
    phrases::DateRange,
    sorted::Sort,
    store::{Excerpt, StoreError, VectorKey},
};

/// The closest texts are always shown, at least this many.
const MIN_SHOWN: usize = 3;

/// Other texts must be closer than the mean by this many standard deviations. The mean differs between embedding
/// models.
const MIN_DEVIATIONS: f64 = 1.5;

/// Rows with the same text that are shown, newest first. More of them add no information.
const MAX_EQUAL: usize = 3;

const NOT_SET_UP: &str = "I cannot search by meaning here, so I searched for the words.";
const NOT_THERE: &str = "I cannot search by meaning right now, so I searched for the words.";

/// Rows by meaning, closest first. `limit` must come from [`search::checked`].
pub async fn by_meaning(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    query: &str,
    limit: usize,
) -> Result<Listed, ToolError> {
    let by_words = async |why: &str| by_words(context, kind, filter, query, limit, why).await;
    let Some(embeddings) = context.embeddings else { return by_words(NOT_SET_UP).await };
    let (distances, rows) = tokio::join!(
        Distances::read(query, embeddings, kind, filter.range, context),
        Rows::read(query, kind, filter, context)
    );
    let (Some(distances), rows) = (distances?, rows?) else { return by_words(NOT_THERE).await };
    let found = Found::of(&distances, &rows);
    if found.unread > 0 || (distances.by_id.len() > found.close.len() && filter.is_everything()) {
        request_embeddings(context).await;
    }
    if found.close.is_empty() && found.unread > 0 {
        let why = format!(
            "I cannot search your {} by meaning yet, so I searched for the words. Ask again in a few minutes.",
            kind.noun(2)
        );
        return by_words(&why).await;
    }
    let is_cut = !(distances.are_all && rows.are_all);
    let records = listing::rows(context, kind, &found.best(limit)).await?;
    let headline = match records.is_empty() {
        true => listing::no_match(kind, filter),
        false => found.headline(kind, query, records.len(), is_cut),
    };
    Ok(Listed { headline, records, ..Listed::default() })
}

async fn by_words(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    query: &str,
    limit: usize,
    why: &str,
) -> Result<Listed, ToolError> {
    let named = ["a ", "an ", "the ", "my ", "some "].iter().find_map(|article| query.strip_prefix(article));
    let found = search::by_words(context, kind, filter, named.unwrap_or(query), limit).await?;
    Ok(Listed { headline: format!("{why}\n{}", found.headline), ..found })
}

/// How close each row is to the query.
struct Distances {
    /// The row's version and the cosine, by row id.
    by_id: HashMap<u64, (u64, f32)>,
    are_all: bool,
    /// Vectors were read back to this day.
    until: Date,
}

impl Distances {
    /// None if the query has no embedding.
    async fn read(
        query: &str,
        embeddings: &dyn Embeddings,
        kind: &dyn RecordKind,
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
        let all =
            context.store.each_vector(kind.prefix(), (range.from, range.to), embeddings.space(), &mut add).await?;
        if all {
            distances.until = range.from;
        }
        Ok(Some(Distances { are_all: all, ..distances }))
    }
}

/// The rows that meet the filters.
struct Rows {
    /// Id, version, day, and whether the row contains the words of the query.
    all: Vec<(u64, u64, Date, bool)>,
    are_all: bool,
}

impl Rows {
    async fn read(
        query: &str,
        kind: &dyn RecordKind,
        filter: &RowFilter<'_>,
        context: &ToolContext<'_>,
    ) -> Result<Rows, StoreError> {
        let fields = kind.search().map_or(&[][..], |search| search.word_fields());
        let mut wanted = WordMatch::new(query);
        let mut all = Vec::new();
        let mut add = |row: Excerpt| {
            if filter.fits(&row.body) {
                let says =
                    |wanted: &mut WordMatch| wanted.fit(&row.body, fields).is_some_and(|fit| wanted.is_sure(fit));
                all.push((row.id, row.version, row.date, wanted.as_mut().is_some_and(says)));
            }
        };
        let are_all = names::each(context, &filter.query(kind.prefix(), 1, None), &mut add).await?;
        // Rows of several names are in no order.
        all.put_in_order_of(|(id, _, date, _)| Reverse((*date, *id)));
        Ok(Rows { all, are_all })
    }
}

struct Found {
    /// Cosine, day and id, closest first.
    close: Vec<(f32, Date, u64)>,
    /// Ids of rows without an embedding that contain the words.
    literal: Vec<u64>,
    /// Number of rows without an embedding.
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
        found.close.put_in_order(|one, other| other.partial_cmp(one).unwrap_or(Ordering::Equal));
        found
    }

    fn best(&self, limit: usize) -> Vec<u64> {
        // Equal texts have equal cosines.
        let texts: Vec<&[(f32, Date, u64)]> = self.close.chunk_by(|(one, ..), (other, ..)| one == other).collect();
        let cosines = || texts.iter().map(|alike| f64::from(alike[0].0));
        let count = texts.len() as f64;
        let mean = cosines().sum::<f64>() / count;
        let deviation = (cosines().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count).sqrt();
        let least = mean + MIN_DEVIATIONS * deviation;
        let shown = texts.iter().zip(cosines()).enumerate();
        let shown = shown.filter(|(place, (_, cosine))| *place < MIN_SHOWN || *cosine >= least);
        let rows = shown.flat_map(|(_, (alike, _))| alike.iter().take(MAX_EQUAL).map(|(_, _, id)| *id));
        self.literal.iter().copied().chain(rows).take(limit).collect()
    }

    fn headline(&self, kind: &dyn RecordKind, query: &str, shown: usize, is_cut: bool) -> String {
        let query = words(query);
        let query = query.trim();
        let mut headline = match shown {
            1 => format!("Closest in meaning to “{query}”:"),
            n => format!("{n} {} close in meaning to “{query}”, closest first:", kind.noun(2)),
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

/// Asks the sweeper to create the missing embeddings. A failure does not change the answer.
async fn request_embeddings(context: &ToolContext<'_>) {
    // Yesterday in the tenant's zone is a day that has begun in every zone.
    let from = context.today.saturating_sub(1.day()).to_zoned(TimeZone::UTC);
    let left = match from {
        Ok(from) => context.store.want_vectors(from.timestamp()).await,
        Err(_) => return,
    };
    if let Err(error) = left {
        tracing::warn!(%error, "the sweeper could not be asked for vectors");
    }
}
