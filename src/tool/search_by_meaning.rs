//! Search by meaning of any kind: the rows that are about what a person describes, whatever words they say it in.
//!
//! Where there is no endpoint for embeddings, or rows it has not read yet, words have to do, and the answer says so.

use std::{cmp::Ordering, collections::HashMap};

use jiff::{ToSpan, civil::Date, tz::TimeZone};

use super::{
    RecordKind, ToolContext, ToolError,
    listing::{self, Listed},
    row_filter::RowFilter,
    search,
    word_match::WordMatch,
    words::words,
};
use crate::{
    model::embeddings::{Embeddings, QueryVector},
    phrases::DateRange,
    store::{Excerpt, StoreError, VectorKey},
};

/// So many texts are shown however little they stand out: something is always closest.
const CLOSEST: usize = 3;

/// Others have to be so much closer than usual, in standard deviations. How close is usual differs from model to model.
const STANDING_OUT: f64 = 1.5;

/// Rows that say the same, the newest: the hundredth coffee tells nothing about coffee.
const ALIKE: usize = 3;

const NOT_SET_UP: &str = "I cannot search by meaning here, so I searched for the words.";
const NOT_THERE: &str = "I cannot search by meaning right now, so I searched for the words.";

/// The closest first. `limit` is as [`search::checked`] gives it.
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
    let headline = found.headline(kind, query, records.len(), is_cut);
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

/// The rows that fit the filters.
struct Rows {
    /// Id, version, day, and whether the words of the query are in it.
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
        let are_all = context.store.each(&filter.query(kind.prefix(), 1, None), &mut add).await?;
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

    fn headline(&self, kind: &dyn RecordKind, query: &str, shown: usize, is_cut: bool) -> String {
        let query = words(query);
        let query = query.trim();
        let mut headline = match shown {
            0 => format!("There are no {} to search.", kind.noun(2)),
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
