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
    store::{ListQuery, Position, StoreError, TenantStore, VectorItem, VectorKey},
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
            let filled = async {
                // A search during this work stores a later time, so its request is kept.
                store.want_vectors(now).await?;
                for kind in self.registry.kinds() {
                    fill(store, embeddings, kind, &mut made).await?;
                }
                Ok::<(), FillError>(store.vectors_filled(now).await?)
            };
            match timeout_at(deadline, filled).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a tenant's expenses could not all be made searchable by meaning");
                    if let Err(error) = store.want_vectors(now + PAUSE).await {
                        tracing::warn!(%error, "the next sweep tries again at once");
                    }
                }
                // The next sweep continues.
                Err(_) => break,
            }
        }
        Ok(made)
    }
}

/// Compares records and vectors in windows, newest first. Both are ordered by day and id.
async fn fill(
    store: TenantStore<'_>,
    embeddings: &dyn Embeddings,
    kind: &dyn RecordKind,
    made: &mut usize,
) -> Result<(), FillError> {
    let Some(meaning) = kind.search().and_then(Search::meaning) else { return Ok(()) };
    let DateRange { from, to } = DateRange::ALL;
    let mut after = None;
    loop {
        let query =
            ListQuery { kind: kind.prefix(), from, to, conditions: vec![], limit: WINDOW, after, oldest_first: false };
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
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
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
