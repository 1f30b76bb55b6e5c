//! Fills in what searches by meaning need: a vector for every record that says something. On nobody's way: a search that
//! finds records without one leaves word, and the sweeper comes along.

use std::collections::{BTreeMap, HashMap};

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
    tool::RecordKind,
};

/// Records that are looked at at once.
const WINDOW: usize = 500;

/// An endpoint that fails is left alone for so long, unless somebody searches again.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);

#[derive(Debug, thiserror::Error)]
enum FillError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Agent {
    /// For one tenant after the other, as long as there is time. How many vectors were made.
    pub(super) async fn fill_vectors(&self, now: Timestamp, deadline: Instant) -> Result<usize, StoreError> {
        let Some(embeddings) = self.embeddings.as_deref() else { return Ok(0) };
        let mut made = 0;
        for tenant in self.store.vectors_wanted(now).await? {
            let store = self.store.tenant(&tenant);
            let filled = async {
                for kind in self.registry.kinds() {
                    fill(store, embeddings, kind, &mut made).await?;
                }
                Ok::<(), FillError>(store.vectors_filled().await?)
            };
            match timeout_at(deadline, filled).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a tenant's expenses could not all be made searchable by meaning");
                    store.want_vectors(now + PAUSE).await?;
                }
                // The next sweep finds what this one has done.
                Err(_) => break,
            }
        }
        Ok(made)
    }
}

/// Window by window, newest first: both records and vectors are ordered by day and number.
async fn fill(
    store: TenantStore<'_>,
    embeddings: &dyn Embeddings,
    kind: &dyn RecordKind,
    made: &mut usize,
) -> Result<(), FillError> {
    let Some(meaning) = kind.meaning() else { return Ok(()) };
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
                // Many say the same, and are asked about once.
                missing.entry(meaning(&record.draft)).or_default().push(record);
            }
        }
        // Their records were deleted, or are listed under another day by now.
        let gone: Vec<Position> = there.into_keys().collect();
        store.delete_vectors(kind.prefix(), &gone).await?;
        let texts: Vec<&str> = missing.keys().map(String::as_str).collect();
        for texts in texts.chunks(BATCH) {
            let vectors = embeddings.embed(texts).await?;
            let item = |(text, vector): (&&str, &Vector)| {
                let item = |record: &&Record| VectorItem {
                    key: VectorKey {
                        position: position(record),
                        version: record.version,
                        space: embeddings.space().to_owned(),
                    },
                    bytes: vector.bytes().to_vec(),
                };
                missing[*text].iter().map(item).collect::<Vec<_>>()
            };
            let items: Vec<VectorItem> = texts.iter().zip(&vectors).flat_map(item).collect();
            store.put_vectors(kind.prefix(), &items).await?;
            *made += items.len();
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

fn position(record: &Record) -> Position {
    Position { date: record.draft.date, id: record.id }
}
