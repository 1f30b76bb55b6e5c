//! Vectors of records, for search by meaning. They are a copy that can be rebuilt and are used for nothing else. Each
//! vector has the version of the record that it was made from.

use std::ops::ControlFlow;

use jiff::{Timestamp, civil::Date};

use super::{
    Item, Position, Store, StoreError, TenantStore, conditional,
    dynamodb::{AttributeValue, DeleteItem, GetItem, Query, UpdateItem, WriteRequest, as_bytes},
    failed, get_number, get_text, item,
    keys::{self, DUE, PK, Partition, SK, WANTED, WANTED_SHARD},
    number, text,
};
use crate::{identity::TenantId, phrases::DateRange};

/// A search reads at most this many pages of 1 MB: about 20,000 vectors of a usual model.
const MAX_PAGES: usize = 32;

/// Tenants that one sweep serves.
const TENANTS: i32 = 100;

/// The record of a vector, and the version it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorKey {
    pub position: Position,
    /// The record's version.
    pub version: u64,
    /// Which model made it; see `model::embeddings`.
    pub space: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorItem {
    pub key: VectorKey,
    pub bytes: Vec<u8>,
}

/// A request for missing vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedVectors {
    /// How often it was asked for.
    requests: u64,
    /// The kind whose records are being worked on, and the last one that is done. The newest records are the first.
    pub cursor: Option<(String, Position)>,
}

impl Store {
    /// Tenants that have records without a vector.
    pub async fn vectors_wanted(&self, now: Timestamp) -> Result<Vec<TenantId>, StoreError> {
        let input = Query::new()
            .table_name(&self.table)
            .index_name(DUE)
            .key_condition_expression("dueShard = :shard AND dueAt <= :now")
            .expression_attribute_values(":shard", text(WANTED_SHARD))
            .expression_attribute_values(":now", text(keys::due_at(now)))
            .limit(TENANTS);
        let items = self.dynamodb.call(input).await.map_err(failed)?.items;
        let tenants = items.iter().filter_map(|item| keys::parse_vectors(get_text(item, PK).ok()?));
        Ok(tenants.map(TenantId::of_stored).collect())
    }
}

impl TenantStore<'_> {
    /// Passes the vectors of one space to `read`, newest record first, with one page in memory at a time. Returns
    /// whether these were all.
    pub async fn each_vector(
        &self,
        kind: &str,
        days: (Date, Date),
        space: &str,
        read: &mut (dyn FnMut(VectorKey, &[u8]) + Send),
    ) -> Result<bool, StoreError> {
        let input = self.vector_query(keys::record_order_bounds(kind, days.0, days.1));
        let mut take = |item: Item| {
            let key = parse_key(&item)?;
            let bytes = item.get("x").and_then(as_bytes);
            if let Some(bytes) = bytes.filter(|_| key.space == space) {
                read(key, bytes);
            }
            Ok(ControlFlow::Continue(()))
        };
        Ok(self.pages(input, MAX_PAGES, &mut take).await?.is_none())
    }

    /// Keys of the vectors of records that are listed after one position and up to another. Without the other, of all
    /// records after it.
    pub async fn vector_keys(
        &self,
        kind: &str,
        after: Option<Position>,
        up_to: Option<Position>,
    ) -> Result<Vec<VectorKey>, StoreError> {
        let DateRange { from, to } = DateRange::ALL;
        let (first, last) = keys::record_order_bounds(kind, from, to);
        let order = |position: Position| keys::record_order(kind, position.date, position.id);
        let input = self.vector_query((up_to.map_or(first, order), after.map_or(last, order)));
        let input = input.projection_expression("sk, v, s");
        let mut found = Vec::new();
        let mut take = |item: Item| {
            found.push(parse_key(&item)?);
            Ok(ControlFlow::Continue(()))
        };
        self.pages(input, usize::MAX, &mut take).await?;
        found.retain(|key| Some(key.position) != after);
        Ok(found)
    }

    pub async fn put_vectors(&self, kind: &str, vectors: &[VectorItem]) -> Result<(), StoreError> {
        let request = |VectorItem { key, bytes }: &VectorItem| {
            let item = item([
                (PK, text(self.vectors_key())),
                (SK, text(keys::record_order(kind, key.position.date, key.position.id))),
                ("v", number(key.version)),
                ("s", text(&key.space)),
                ("x", AttributeValue::B(bytes.clone())),
            ]);
            WriteRequest::Put { item }
        };
        self.write_batches(vectors, request).await
    }

    pub async fn delete_vectors(&self, kind: &str, positions: &[Position]) -> Result<(), StoreError> {
        let request = |position: &Position| {
            let sk = keys::record_order(kind, position.date, position.id);
            let key = item([(PK, text(self.vectors_key())), (SK, text(sk))]);
            WriteRequest::Delete { key }
        };
        self.write_batches(positions, request).await
    }

    /// Asks for missing vectors to be made: the first sweep at `from` or later makes them. Work that has begun goes on
    /// where it is, and begins again afterwards.
    pub async fn want_vectors(&self, from: Timestamp) -> Result<(), StoreError> {
        let input = self.wanted_update("SET dueShard = :shard, dueAt = :from ADD requests :one");
        let input = input
            .expression_attribute_values(":shard", text(WANTED_SHARD))
            .expression_attribute_values(":from", text(keys::due_at(from)))
            .expression_attribute_values(":one", number(1));
        self.store.dynamodb.call(input).await.map_err(failed)?;
        Ok(())
    }

    /// The request for vectors, if there is one.
    pub async fn wanted_vectors(&self) -> Result<Option<WantedVectors>, StoreError> {
        let input = GetItem::new().table_name(&self.store.table).consistent_read(true);
        let input = input.key(PK, text(self.vectors_key())).key(SK, text(WANTED));
        let Some(item) = self.store.dynamodb.call(input).await.map_err(failed)?.item else { return Ok(None) };
        let parse = |cursor: &str| {
            let (kind, _) = cursor.split_once('#')?;
            let (date, id) = keys::parse_record_order(cursor)?;
            Some((kind.to_owned(), Position { date, id }))
        };
        let cursor = get_text(&item, "reached").ok().and_then(parse);
        Ok(Some(WantedVectors { requests: get_number(&item, "requests")?, cursor }))
    }

    /// Stores how far the records have vectors, so that the next sweep goes on there.
    pub async fn vectors_reached(&self, kind: &str, position: Position) -> Result<(), StoreError> {
        let input = self.wanted_update("SET reached = :reached").condition_expression("attribute_exists(pk)");
        let reached = keys::record_order(kind, position.date, position.id);
        self.update_wanted(input.expression_attribute_values(":reached", text(reached))).await
    }

    /// The work failed and is tried again later, unless there was another request meanwhile.
    pub async fn postpone_vectors(&self, wanted: &WantedVectors, until: Timestamp) -> Result<(), StoreError> {
        let input = self.wanted_update("SET dueAt = :until").condition_expression("requests = :seen");
        let input = input.expression_attribute_values(":seen", number(wanted.requests));
        self.update_wanted(input.expression_attribute_values(":until", text(keys::due_at(until)))).await
    }

    /// Ends the requests for vectors that were seen. If there was another one meanwhile, the work begins again.
    pub async fn vectors_filled(&self, wanted: &WantedVectors) -> Result<(), StoreError> {
        let input = DeleteItem::new().table_name(&self.store.table);
        let input = input.key(PK, text(self.vectors_key())).key(SK, text(WANTED));
        let input = input.condition_expression("requests = :seen");
        let input = input.expression_attribute_values(":seen", number(wanted.requests));
        if conditional(self.store.dynamodb.call(input).await)?.is_some() {
            return Ok(());
        }
        let again = self.wanted_update("REMOVE reached").condition_expression("attribute_exists(pk)");
        self.update_wanted(again).await
    }

    fn wanted_update(&self, expression: &str) -> UpdateItem {
        let input = UpdateItem::new().table_name(&self.store.table).update_expression(expression);
        input.key(PK, text(self.vectors_key())).key(SK, text(WANTED))
    }

    /// A condition that fails is no error: the request is served, or there is another one.
    async fn update_wanted(&self, input: UpdateItem) -> Result<(), StoreError> {
        conditional(self.store.dynamodb.call(input).await).map(drop)
    }

    fn vector_query(&self, (low, high): (String, String)) -> Query {
        Query::new()
            .table_name(&self.store.table)
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":pk", text(self.vectors_key()))
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high))
            .scan_index_forward(false)
    }

    fn vectors_key(&self) -> String {
        Partition::vectors(self.tenant).as_str().to_owned()
    }
}

fn parse_key(item: &Item) -> Result<VectorKey, StoreError> {
    let corrupt = || StoreError::Corrupt("a vector's key".into());
    let (date, id) = keys::parse_record_order(get_text(item, SK)?).ok_or_else(corrupt)?;
    let space = get_text(item, "s")?.to_owned();
    Ok(VectorKey { position: Position { date, id }, version: get_number(item, "v")?, space })
}
