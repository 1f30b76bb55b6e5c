//! Creates missing embeddings for searches by meaning. No request waits for this: a search that misses some stores a
//! request, and the sweeper serves it.

use std::collections::{BTreeMap, HashMap};

use futures_util::{FutureExt, future::BoxFuture};
use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, timeout_at};

use super::Agent;
use crate::{
    model::{
        ModelError,
        embeddings::{BATCH, Embeddings, Vector},
    },
    phrases::DateRange,
    proposal::Record,
    store::{Among, ListQuery, Position, StoreError, TenantStore, VectorItem, VectorKey, WantedVectors},
    tool::{RecordKind, Search},
};

/// Records read at a time.
const WINDOW: usize = 500;

/// A text that every endpoint accepts.
const TEST_TEXT: &str = "coffee";

/// How long an endpoint that fails is not called, unless there is a new search.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);

#[derive(Debug, thiserror::Error)]
enum FillError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Agent {
    /// Serves one tenant after the other until the deadline. Returns the number of vectors created.
    pub(super) async fn fill_vectors(&self, now: Timestamp, deadline: Instant) -> Result<usize, StoreError> {
        let Some(embeddings) = self.embeddings.as_deref() else { return Ok(0) };
        let mut made = 0;
        for tenant in self.store.vectors_wanted(now).await? {
            let store = self.store.tenant(&tenant);
            let wanted = match store.wanted_vectors().await {
                Ok(Some(wanted)) => wanted,
                Ok(None) => continue,
                Err(error) => {
                    tracing::warn!(%error, "the next sweep tries again");
                    continue;
                }
            };
            let filled = async {
                self.fill(store, embeddings, &wanted, &mut made).await?;
                Ok::<(), FillError>(store.vectors_filled(&wanted).await?)
            };
            match timeout_at(deadline, filled).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a tenant's expenses could not all be made searchable by meaning");
                    if let Err(error) = store.postpone_vectors(&wanted, now + PAUSE).await {
                        tracing::warn!(%error, "the next sweep tries again at once");
                    }
                }
                // The next sweep continues.
                Err(_) => break,
            }
        }
        Ok(made)
    }

    /// Goes on where an earlier sweep ended. Records that are newer than that come first, up to one that has its vector.
    async fn fill(
        &self,
        store: TenantStore<'_>,
        embeddings: &dyn Embeddings,
        wanted: &WantedVectors,
        made: &mut usize,
    ) -> Result<(), FillError> {
        let kinds: Vec<&dyn RecordKind> = self.registry.kinds().collect();
        let begun = wanted.cursor.as_ref().and_then(|(prefix, position)| {
            let kind = kinds.iter().position(|kind| kind.prefix() == prefix)?;
            Some((kind, *position))
        });
        if begun.is_some() {
            for kind in &kinds {
                let mut after = None;
                loop {
                    let window = fill_window(store, embeddings, *kind, after, made).await?;
                    after = window.next.filter(|_| window.was_missing);
                    if after.is_none() {
                        break;
                    }
                }
            }
        }
        let (first, position) = begun.map_or((0, None), |(kind, position)| (kind, Some(position)));
        for (n, kind) in kinds.iter().enumerate().skip(first) {
            let mut after = position.filter(|_| n == first);
            loop {
                after = fill_window(store, embeddings, *kind, after, made).await?.next;
                let Some(reached) = after else { break };
                store.vectors_reached(kind.prefix(), reached).await?;
            }
        }
        Ok(())
    }
}

/// The result of one window.
#[derive(Default)]
struct Window {
    /// The last record; none if there are no more.
    next: Option<Position>,
    /// Whether a record had no vector of its present version.
    was_missing: bool,
}

/// Compares records with their vectors, newest first. Both are ordered by day and id.
async fn fill_window(
    store: TenantStore<'_>,
    embeddings: &dyn Embeddings,
    kind: &dyn RecordKind,
    after: Option<Position>,
    made: &mut usize,
) -> Result<Window, FillError> {
    let Some(meaning) = kind.search().and_then(Search::meaning) else { return Ok(Window::default()) };
    let DateRange { from, to } = DateRange::ALL;
    let query = ListQuery {
        kind: kind.prefix(),
        among: Among::All,
        from,
        to,
        conditions: vec![],
        limit: WINDOW,
        after,
        oldest_first: false,
    };
    let page = store.list(&query).await?;
    let there = store.vector_keys(kind.prefix(), after, page.next).await?;
    let mut there: HashMap<Position, VectorKey> = there.into_iter().map(|key| (key.position, key)).collect();
    let mut missing: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for record in &page.records {
        let is_fresh = |key: &VectorKey| key.version == record.version && key.space == embeddings.space();
        if there.remove(&position(record)).as_ref().is_none_or(|key| !is_fresh(key)) {
            // Records with equal texts share one call.
            missing.entry(meaning(&record.draft)).or_default().push(record);
        }
    }
    // Their records were deleted or moved to another day.
    let gone: Vec<Position> = there.into_keys().collect();
    store.delete_vectors(kind.prefix(), &gone).await?;
    let texts: Vec<&str> = missing.keys().map(String::as_str).collect();
    for texts in texts.chunks(BATCH) {
        let vectors = each(embeddings, texts).await?;
        let item = |(text, vector): (&&str, &Option<Vector>)| {
            let item = |record: &&Record| VectorItem {
                key: VectorKey {
                    position: position(record),
                    version: record.version,
                    space: embeddings.space().to_owned(),
                },
                bytes: vector.as_ref().map(|vector| vector.bytes().to_vec()).unwrap_or_default(),
            };
            missing[*text].iter().map(item).collect::<Vec<_>>()
        };
        let items: Vec<VectorItem> = texts.iter().zip(&vectors).flat_map(item).collect();
        store.put_vectors(kind.prefix(), &items).await?;
        *made += items.iter().filter(|item| !item.bytes.is_empty()).count();
    }
    Ok(Window { next: page.next, was_missing: !missing.is_empty() })
}

/// None for a text that the endpoint refuses. It is stored without a vector, so that it is not sent again until it
/// changes. Finds such texts by splitting the batch in halves.
fn each<'a>(
    embeddings: &'a dyn Embeddings,
    texts: &'a [&'a str],
) -> BoxFuture<'a, Result<Vec<Option<Vector>>, ModelError>> {
    async move {
        match (embeddings.embed(texts).await, texts) {
            (Ok(vectors), _) => Ok(vectors.into_iter().map(Some).collect()),
            (Err(ModelError::Rejected | ModelError::TooLong), [_]) => {
                // If the endpoint refuses the test text too, the endpoint is at fault and not this text.
                embeddings.embed(&[TEST_TEXT]).await?;
                tracing::warn!("the embeddings endpoint refuses what an expense says; it is found by its words only");
                Ok(vec![None])
            }
            (Err(ModelError::Rejected | ModelError::TooLong), _) => {
                let (one, other) = texts.split_at(texts.len() / 2);
                let mut vectors = each(embeddings, one).await?;
                vectors.extend(each(embeddings, other).await?);
                Ok(vectors)
            }
            (Err(error), _) => Err(error),
        }
    }
    .boxed()
}

fn position(record: &Record) -> Position {
    Position { date: record.draft.date, id: record.id }
}
