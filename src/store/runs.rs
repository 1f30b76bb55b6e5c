//! Proposals of several chunks: their chunks as items, and the index entries of unfinished runs.
//!
//! An unfinished run has an item in the sparse index `due`, which the sweeper reads, and an attribute of the tenant's
//! settings, which every turn reads anyway. Both are written by the transaction that starts the run and deleted by the
//! one that ends it.

use std::collections::{BTreeSet, HashMap};

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};

use super::{
    Item, Store, StoreError, TenantStore, conditional, conversations,
    dynamodb::{
        AttributeValue, BatchGetItem, BatchWriteItem, DeleteItem, GetItem, Keys, Query, ReturnValue,
        TransactWriteItems, UpdateItem, WriteRequest, as_digits,
    },
    failed, get_json, get_number, get_text,
    headers::{adjustments, kept_until},
    item, json,
    keys::{self, DUE, DUE_AT, DUE_SHARD, META, PK, Partition, SK, TTL},
    millis, number,
    records::parse_record,
    text,
    transaction::{Role, Transaction, delete_action, update_action},
};
use crate::{
    identity::TenantId,
    proposal::{Adjustments, Chunk, ChunkId, Event, Header, Operation, Proposal, ProposalId, Record, SCHEMA, Stopped},
    sorted::{Collect, Sort},
};

/// Another request may resume a run when no chunk was done for this long, which is longer than a request takes. This
/// only saves work: if two requests process a run, each chunk is still done once.
const RESUME_AFTER: SignedDuration = SignedDuration::from_secs(30);

/// DynamoDB's limits for one batch.
const WRITE_BATCH: usize = 25;
const READ_BATCH: usize = 100;

/// Batches that are read in parallel.
const PARALLEL_BATCHES: usize = 4;

/// Runs of one shard that one sweep continues.
const DUE_RUNS: usize = 100;

/// How often a batch is sent when nothing of it is processed.
const BATCH_ATTEMPTS: u8 = 5;

/// A run that may be resumed now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueRun {
    pub tenant: TenantId,
    pub id: ProposalId,
    pub due_at: Timestamp,
}

/// A chunk and its result.
#[derive(Debug, Clone, PartialEq)]
pub struct DoneChunk {
    pub chunk: Chunk,
    /// None if the chunk was not executed, or not yet.
    pub done: Option<Adjustments>,
}

impl DoneChunk {
    pub fn first(proposal: &Proposal) -> DoneChunk {
        let Proposal { header, body } = proposal;
        let next = body.manifest.as_ref().map(|manifest| manifest.next.clone());
        let done = (proposal.chunks_done() > 0).then(|| header.adjustments.clone());
        DoneChunk { chunk: Chunk { changes: body.changes.clone(), next }, done }
    }

    /// The operations that were executed.
    pub fn operations(&self) -> Vec<Operation> {
        self.done.as_ref().map(|adjustments| self.chunk.changes.adjusted(adjustments)).unwrap_or_default()
    }
}

impl Store {
    /// Due runs of all tenants in one shard, the longest due first.
    pub async fn due_runs(&self, shard: &str, now: Timestamp) -> Result<Vec<DueRun>, StoreError> {
        let input = Query::new()
            .table_name(&self.table)
            .index_name(DUE)
            .key_condition_expression("dueShard = :shard AND dueAt <= :now")
            .expression_attribute_values(":shard", text(shard))
            .expression_attribute_values(":now", text(keys::due_at(now)));
        let items = self.dynamodb.call(input).await.map_err(failed)?.items;
        let runs = items.iter().filter_map(|item| match parse_due(item) {
            Ok(run) => Some(run),
            // One unreadable entry must not hold up the others.
            Err(error) => {
                tracing::error!(%error, "an unfinished run cannot be read");
                None
            }
        });
        Ok(runs.take(DUE_RUNS).collect())
    }
}

impl TenantStore<'_> {
    /// One of a proposal's further chunks as it was stored. The caller checks that it is the approved one. None if it
    /// is missing or cannot be read.
    pub async fn chunk(&self, id: &ProposalId, chunk: &ChunkId) -> Result<Option<Chunk>, StoreError> {
        let Some(item) = self.chunk_item(id, chunk).await? else { return Ok(None) };
        if get_number::<u32>(&item, "schema").is_ok_and(|schema| schema > SCHEMA) {
            return Err(StoreError::Corrupt("the schema of a chunk is newer than this program".into()));
        }
        Ok(get_json(&item, "body").ok())
    }

    async fn chunk_item(&self, id: &ProposalId, chunk: &ChunkId) -> Result<Option<Item>, StoreError> {
        let input = GetItem::new().table_name(&self.store.table).consistent_read(true);
        let input = input.key(PK, text(self.chunks_key(id))).key(SK, text(keys::chunk(chunk)));
        Ok(self.store.dynamodb.call(input).await.map_err(failed)?.item)
    }

    /// The same, with its adjustments if it was executed.
    pub async fn done_chunk(
        &self,
        id: &ProposalId,
        chunk: &ChunkId,
        is_done: bool,
    ) -> Result<Option<DoneChunk>, StoreError> {
        let Some(item) = self.chunk_item(id, chunk).await? else { return Ok(None) };
        let done = is_done.then(|| adjustments(&item)).transpose()?;
        Ok(Some(DoneChunk { chunk: get_json(&item, "body")?, done }))
    }

    /// The first `many` chunks in order, each checked against the hash in the one before. Chunks that were never
    /// executed are deleted earlier than those that were.
    pub async fn chunks(&self, proposal: &Proposal, many: usize) -> Result<Vec<DoneChunk>, StoreError> {
        let header = &proposal.header;
        let done = proposal.chunks_done();
        let first = DoneChunk::first(proposal);
        let mut next = first.chunk.next.clone();
        let mut chunks = vec![first];
        let mut stored =
            if next.is_some() && many > 1 { self.stored_chunks(&header.id).await? } else { HashMap::new() };
        while let Some(id) = next.filter(|_| chunks.len() < many) {
            let lost = || StoreError::Corrupt(format!("a chunk of proposal {} is missing", header.id));
            let item = stored.remove(&keys::chunk(&id)).ok_or_else(lost)?;
            let chunk: Chunk = get_json(&item, "body")?;
            if chunk.id() != id {
                return Err(StoreError::Corrupt(format!("a chunk of proposal {} is not what was shown", header.id)));
            }
            next = chunk.next.clone();
            let done = (chunks.len() < done).then(|| adjustments(&item)).transpose()?;
            chunks.push(DoneChunk { chunk, done });
        }
        Ok(chunks)
    }

    /// By sort key.
    async fn stored_chunks(&self, id: &ProposalId) -> Result<HashMap<String, Item>, StoreError> {
        let items = self.query_chunks(id, Query::new()).await?;
        items.into_iter().map(|item| Ok((get_text(&item, SK)?.to_owned(), item))).collect()
    }

    async fn query_chunks(&self, id: &ProposalId, query: Query) -> Result<Vec<Item>, StoreError> {
        let query = query
            .table_name(&self.store.table)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", text(self.chunks_key(id)))
            .consistent_read(true);
        let (mut items, mut start) = (Vec::new(), None);
        loop {
            let page = query.clone().exclusive_start_key(start);
            let page = self.store.dynamodb.call(page).await.map_err(failed)?;
            items.extend(page.items);
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(items);
            }
        }
    }

    /// Keeps the further chunks of a proposal that is being approved as long as its header: they were stored to be
    /// deleted soon, and a run may take long. This can be repeated.
    pub(super) async fn keep_chunks(&self, header: &Header) -> Result<(), StoreError> {
        let until = kept_until(header, self.store.audit);
        let keys = Query::new().projection_expression("sk, #ttl").expression_attribute_names("#ttl", TTL);
        let left = self.query_chunks(&header.id, keys).await?.into_iter().filter(|item| item.get(TTL) != Some(&until));
        let updates = left.map(|item| self.keep_chunk_item(&header.id, item, until.clone())).collect::<Vec<_>>();
        stream::iter(updates).buffer_unordered(PARALLEL_BATCHES).try_collect().await
    }

    async fn keep_chunk_item(&self, id: &ProposalId, item: Item, until: AttributeValue) -> Result<(), StoreError> {
        let input = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.chunks_key(id)))
            .key(SK, text(get_text(&item, SK)?))
            .update_expression("SET #ttl = :until")
            // A chunk that is gone must not come back as an item with nothing but a `ttl`.
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":until", until);
        // If it is gone, the run will halt there.
        conditional(self.store.dynamodb.call(input).await).map(drop)
    }

    pub(super) fn chunks_key(&self, id: &ProposalId) -> String {
        Partition::chunks(self.tenant, id).as_str().to_owned()
    }

    /// The current rows with these ids, read in parallel batches. An id may be there twice.
    pub async fn records(&self, kind: &str, ids: &[u64]) -> Result<HashMap<u64, Record>, StoreError> {
        // DynamoDB refuses a batch with a key twice.
        let ids: Vec<u64> = ids.iter().copied().inserted::<BTreeSet<u64>>().into_iter().collect();
        let batches: Vec<_> = ids.chunks(READ_BATCH).map(|ids| self.read_batch(kind, ids)).collect();
        // A partition gives 3,000 read units a second, and a strongly consistent row takes one.
        let found: Vec<Vec<Record>> = stream::iter(batches).buffered(PARALLEL_BATCHES).try_collect().await?;
        Ok(found.into_iter().flatten().map(|record| (record.id, record)).collect())
    }

    async fn read_batch(&self, kind: &str, ids: &[u64]) -> Result<Vec<Record>, StoreError> {
        let key = |id: &u64| item([(PK, text(self.records_key())), (SK, text(keys::record(kind, *id)))]);
        let mut missing: Vec<Item> = ids.iter().map(key).collect();
        let mut records = Vec::new();
        let mut attempt = 0;
        while attempt < BATCH_ATTEMPTS {
            self.store.dynamodb.pause_before(attempt).await;
            let wanted = Keys::new().keys(missing).consistent_read(true);
            let input = BatchGetItem::new().request_items(&self.store.table, wanted);
            let output = self.store.dynamodb.call(input).await.map_err(failed)?;
            let found: Vec<Item> = output.responses.into_values().flatten().collect();
            attempt = if found.is_empty() { attempt + 1 } else { 1 };
            records.extend(found.into_iter().map(parse_record).collect::<Result<Vec<_>, _>>()?);
            missing = output.unprocessed_keys.into_values().flat_map(Keys::into_keys).collect();
            if missing.is_empty() {
                return Ok(records);
            }
        }
        Err(StoreError::Unavailable("some rows could not be read".into()))
    }

    /// Writes chunks before any header refers to them. The state machine repeats what fails.
    pub(super) async fn put_chunks(&self, header: &Header, chunks: &[Chunk]) -> Result<Event, StoreError> {
        match self.write_batches(chunks, |chunk| self.chunk_request(header, chunk)).await {
            Ok(()) => Ok(Event::Committed),
            Err(StoreError::Unavailable(_)) => Ok(Event::Conflict),
            Err(error) => Err(error),
        }
    }

    /// Writes each item by itself, in no order.
    pub(super) async fn write_batches<T>(
        &self,
        all: &[T],
        request: impl Fn(&T) -> WriteRequest,
    ) -> Result<(), StoreError> {
        for batch in all.chunks(WRITE_BATCH) {
            let mut left: Vec<WriteRequest> = batch.iter().map(&request).collect();
            let mut attempt = 0;
            while !left.is_empty() && attempt < BATCH_ATTEMPTS {
                self.store.dynamodb.pause_before(attempt).await;
                let before = left.len();
                let input = BatchWriteItem::new().request_items(&self.store.table, left);
                let output = self.store.dynamodb.call(input).await.map_err(failed)?;
                left = output.unprocessed_items.into_values().flatten().collect();
                attempt = if left.len() < before { 1 } else { attempt + 1 };
            }
            if !left.is_empty() {
                return Err(StoreError::Unavailable("some items could not be written".into()));
            }
        }
        Ok(())
    }

    fn chunk_request(&self, header: &Header, chunk: &Chunk) -> WriteRequest {
        let item = item([
            (PK, text(self.chunks_key(&header.id))),
            (SK, text(keys::chunk(&chunk.id()))),
            ("schema", number(header.schema)),
            ("body", json(chunk)),
            (TTL, kept_until(header, self.store.audit)),
        ]);
        WriteRequest::Put { item }
    }

    pub(super) fn open_run(&self, transaction: &mut Transaction, header: &Header, at: Timestamp) {
        let due = at + RESUME_AFTER;
        let run = item([
            (PK, text(self.proposals_key())),
            (SK, text(keys::run(&header.id))),
            (DUE_SHARD, text(keys::due_shard(&header.id))),
            (DUE_AT, text(keys::due_at(due))),
        ]);
        transaction.push(Role::Other, conversations::put(&self.store.table, run));
        let update = self.settings_update(&header.id).update_expression("SET #run = :due");
        transaction.push(Role::Other, update_action(update.expression_attribute_values(":due", millis(due))));
    }

    pub(super) fn close_run(&self, transaction: &mut Transaction, id: &ProposalId) {
        let delete = DeleteItem::new().table_name(&self.store.table);
        let delete = delete.key(PK, text(self.proposals_key())).key(SK, text(keys::run(id)));
        transaction.push(Role::Other, delete_action(delete));
        let update = self.settings_update(id).update_expression("REMOVE #run");
        transaction.push(Role::Other, update_action(update));
    }

    fn settings_update(&self, id: &ProposalId) -> UpdateItem {
        UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.records_key()))
            .key(SK, text(META))
            .expression_attribute_names("#run", keys::run(id))
    }

    /// Stops a run, whichever chunk is in progress: that chunk either commits first, or finds the run stopped.
    pub(super) fn stop(&self, header: &Header, stopped: &Stopped) -> Transaction {
        let mut transaction = Transaction::default();
        let update = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.proposals_key()))
            .key(SK, text(keys::header(&header.id)))
            .condition_expression("#state = :executing AND fingerprint = :fingerprint")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":executing", text("EXECUTING"))
            .expression_attribute_values(":fingerprint", text(&header.fingerprint.0))
            .expression_attribute_values(":at", millis(stopped.at));
        let update = match &stopped.by {
            Some(by) => update
                .update_expression("SET #state = :stopped, stoppedAt = :at, stoppedBy = :by")
                .expression_attribute_values(":stopped", text("STOPPED"))
                .expression_attribute_values(":by", text(by)),
            None => update
                .update_expression("SET #state = :halted, stoppedAt = :at")
                .expression_attribute_values(":halted", text("HALTED")),
        };
        transaction.push(Role::Header, update_action(update));
        self.close_run(&mut transaction, &header.id);
        transaction
    }

    /// Removes the entries of a run whose proposal does not exist.
    pub async fn forget_run(&self, id: &ProposalId) -> Result<(), StoreError> {
        let mut transaction = Transaction::default();
        // It deletes nothing: only its condition counts.
        let check = DeleteItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.proposals_key()))
            .key(SK, text(keys::first_chunk(id)))
            .condition_expression("attribute_not_exists(pk)");
        transaction.push(Role::Other, delete_action(check));
        self.close_run(&mut transaction, id);
        let input = TransactWriteItems::new().transact_items(transaction.actions);
        self.store.dynamodb.call(input).await.map(drop).map_err(failed)
    }

    /// Lets a run that failed wait until it is tried again, so that it holds up no other. Returns how often it has
    /// failed, or none if it is no longer due as it was.
    pub async fn postpone_run(
        &self,
        id: &ProposalId,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        let input = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.proposals_key()))
            .key(SK, text(keys::run(id)))
            .update_expression("SET dueAt = :until ADD failures :one")
            .condition_expression("dueAt = :due")
            .expression_attribute_values(":due", text(keys::due_at(due_at)))
            .expression_attribute_values(":until", text(keys::due_at(until)))
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::UpdatedNew);
        let Some(output) = conditional(self.store.dynamodb.call(input).await)? else { return Ok(None) };
        let failures = get_number(&output.attributes.unwrap_or_default(), "failures")?;
        // For the tenant's own requests. If this is lost, they try it once more.
        let input = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.records_key()))
            .key(SK, text(META))
            .update_expression("SET #run = :until")
            .condition_expression("#run = :due")
            .expression_attribute_names("#run", keys::run(id))
            .expression_attribute_values(":due", millis(due_at))
            .expression_attribute_values(":until", millis(until));
        conditional(self.store.dynamodb.call(input).await)?;
        Ok(Some(failures))
    }
}

/// The unfinished runs in a tenant's settings.
pub(super) fn unfinished(settings: &Item) -> Vec<(ProposalId, Timestamp)> {
    let due = |value: &AttributeValue| Timestamp::from_millisecond(as_digits(value)?.parse().ok()?).ok();
    let runs = settings
        .iter()
        .filter_map(|(name, value)| Some((ProposalId::parse(name.strip_prefix(keys::RUNS)?)?, due(value)?)));
    let mut runs: Vec<_> = runs.collect();
    runs.put_in_order(Ord::cmp);
    runs
}

fn parse_due(item: &Item) -> Result<DueRun, StoreError> {
    let corrupt = || StoreError::Corrupt("an entry of an unfinished run".into());
    let tenant = keys::parse_proposals(get_text(item, PK)?).ok_or_else(corrupt)?;
    let id = get_text(item, SK)?.strip_prefix(keys::RUNS).and_then(ProposalId::parse).ok_or_else(corrupt)?;
    let due_at = keys::parse_due_at(get_text(item, DUE_AT)?).ok_or_else(corrupt)?;
    Ok(DueRun { tenant: TenantId::of_stored(tenant), id, due_at })
}
