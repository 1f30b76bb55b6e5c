//! Records and rollups: reads, and id allocation. Nothing here writes a record.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::{
    operation::{
        get_item::GetItemInput,
        query::{QueryInput, QueryOutput, builders::QueryInputBuilder},
        update_item::UpdateItemInput,
    },
    types::{AttributeValue, ReturnValue},
};
use jiff::civil::Date;

use super::{
    Item, StoreError, TenantStore, failed, get_number,
    keys::{self, BY_ORDER, PK, Partition, SK},
    number, text,
};
use crate::proposal::{Record, Rollup, RollupKey};

/// A list reads at most this many pages of 1 MB, then says that it stopped.
const MAX_PAGES: usize = 20;

/// Records of one kind by date, newest first.
#[derive(Debug, Clone)]
pub struct ListQuery<'a> {
    pub kind: &'a str,
    /// Inclusive.
    pub from: Date,
    /// Inclusive.
    pub to: Date,
    pub conditions: Vec<Condition>,
    pub limit: usize,
    /// The last record already seen.
    pub after: Option<Position>,
}

/// Where a record stands in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub date: Date,
    pub id: u64,
}

/// A hard filter on a field of the body.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The record's own `likeness`.
    Like(String),
    /// The record's own `owner`.
    OwnedBy(String),
    Equals(&'static str, String),
    Contains(&'static str, String),
    AtLeast(&'static str, i64),
    AtMost(&'static str, i64),
    Absent(&'static str),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    pub records: Vec<Record>,
    /// Where to go on; none at the end.
    pub next: Option<Position>,
    /// Reading stopped before `limit` records were found: `next` goes on from there.
    pub stopped_early: bool,
}

impl TenantStore<'_> {
    /// Allocates `count` ids and returns the first. No id is ever given twice; a retried allocation leaves a gap.
    pub async fn allocate_ids(&self, kind: &str, count: usize) -> Result<u64, StoreError> {
        let output = self
            .store
            .dynamodb
            .call(
                UpdateItemInput::builder()
                    .table_name(&self.store.table)
                    .key(PK, text(self.records_key()))
                    .key(SK, text(keys::SEQ))
                    .update_expression("ADD #kind :n")
                    .expression_attribute_names("#kind", kind)
                    .expression_attribute_values(":n", number(count))
                    .return_values(ReturnValue::UpdatedNew)
                    .build(),
            )
            .await
            .map_err(failed)?;
        let last: u64 = get_number(&output.attributes.unwrap_or_default(), kind)?;
        Ok(last + 1 - count as u64)
    }

    pub async fn record(&self, kind: &str, id: u64) -> Result<Option<Record>, StoreError> {
        let output = self
            .store
            .dynamodb
            .call(
                GetItemInput::builder()
                    .table_name(&self.store.table)
                    .key(PK, text(self.records_key()))
                    .key(SK, text(keys::record(kind, id)))
                    .consistent_read(true)
                    .build(),
            )
            .await
            .map_err(failed)?;
        output.item.map(parse_record).transpose()
    }

    pub async fn list(&self, query: &ListQuery<'_>) -> Result<Page, StoreError> {
        let mut records: Vec<Record> = Vec::new();
        let mut start = query.after.map(|after| self.start_key(query.kind, after));
        for _ in 0..MAX_PAGES {
            let page = self.list_page(query, start).await?;
            for item in page.items.unwrap_or_default() {
                records.push(parse_record(item)?);
                if records.len() > query.limit {
                    records.truncate(query.limit);
                    let next = records.last().map(|last| Position { date: last.draft.date, id: last.id });
                    return Ok(Page { records, next, stopped_early: false });
                }
            }
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(Page { records, next: None, stopped_early: false });
            }
        }
        let next = start.and_then(|key| keys::parse_record_order(key.get(BY_ORDER)?.as_s().ok()?));
        let next = next.map(|(date, id)| Position { date, id });
        Ok(Page { records, next, stopped_early: true })
    }

    /// The rollups of every month that the range touches, whole; `from` and `to` are inclusive.
    pub async fn rollups(&self, from: Date, to: Date) -> Result<BTreeMap<RollupKey, Rollup>, StoreError> {
        let (low, high) = keys::rollup_bounds(from, to);
        let query = QueryInput::builder()
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high));
        let mut rollups = BTreeMap::new();
        let read = |item: Item| {
            let (key, rollup) = parse_rollup(&item)?;
            rollups.insert(key, rollup);
            Ok(())
        };
        self.query_all(query, read).await?;
        Ok(rollups)
    }

    /// Every item that a query of the tenant's records partition finds, strongly consistent; `:pk` is that partition.
    pub(super) async fn query_all(
        &self,
        query: QueryInputBuilder,
        mut read: impl FnMut(Item) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let query = query
            .table_name(&self.store.table)
            .expression_attribute_values(":pk", text(self.records_key()))
            .consistent_read(true);
        let mut start = None;
        loop {
            let page = query.clone().set_exclusive_start_key(start).build();
            let page = self.store.dynamodb.call(page).await.map_err(failed)?;
            page.items.unwrap_or_default().into_iter().try_for_each(&mut read)?;
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(());
            }
        }
    }

    async fn list_page(&self, query: &ListQuery<'_>, start: Option<Item>) -> Result<QueryOutput, StoreError> {
        let (low, high) = keys::record_order_bounds(query.kind, query.from, query.to);
        let mut input = QueryInput::builder()
            .table_name(&self.store.table)
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk AND byOrder BETWEEN :low AND :high")
            .expression_attribute_values(":pk", text(self.records_key()))
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high))
            .set_exclusive_start_key(start)
            .consistent_read(true)
            .scan_index_forward(false);
        if query.conditions.is_empty() {
            // One more than asked for tells whether there is a next page.
            input = input.limit(i32::try_from(query.limit + 1).unwrap_or(i32::MAX));
        }
        let mut filters = Vec::new();
        for (n, condition) in query.conditions.iter().enumerate() {
            let (path, value, filter) = condition.filter(n);
            filters.push(filter);
            if let Some(value) = value {
                input = input.expression_attribute_values(format!(":v{n}"), value);
            }
            for (name, part) in path.split('.').zip(["a", "b"]) {
                input = input.expression_attribute_names(format!("#{part}{n}"), name);
            }
        }
        if !filters.is_empty() {
            input = input.filter_expression(filters.join(" AND "));
        }
        self.store.dynamodb.call(input.build()).await.map_err(failed)
    }

    fn start_key(&self, kind: &str, Position { date, id }: Position) -> Item {
        let order = keys::record_order(kind, date, id);
        super::item([(PK, text(self.records_key())), (SK, text(keys::record(kind, id))), (BY_ORDER, text(order))])
    }

    pub(super) fn records_key(&self) -> String {
        Partition::records(self.tenant).as_str().to_owned()
    }
}

impl Condition {
    /// The path it looks at, what it compares with, and the expression.
    fn filter(&self, n: usize) -> (String, Option<AttributeValue>, String) {
        let body = |field: &str| format!("body.{field}");
        match self {
            Condition::Like(value) => ("likeness".into(), Some(text(value)), format!("#a{n} = :v{n}")),
            Condition::OwnedBy(value) => ("owner".into(), Some(text(value)), format!("#a{n} = :v{n}")),
            Condition::Equals(field, value) => (body(field), Some(text(value)), format!("#a{n}.#b{n} = :v{n}")),
            Condition::Contains(field, value) => {
                (body(field), Some(text(value)), format!("contains(#a{n}.#b{n}, :v{n})"))
            }
            Condition::AtLeast(field, value) => (body(field), Some(number(value)), format!("#a{n}.#b{n} >= :v{n}")),
            Condition::AtMost(field, value) => (body(field), Some(number(value)), format!("#a{n}.#b{n} <= :v{n}")),
            Condition::Absent(field) => (body(field), None, format!("attribute_not_exists(#a{n}.#b{n})")),
        }
    }
}

pub(super) fn record_item(partition: &str, record: &Record) -> Result<Item, StoreError> {
    let corrupt = |error: serde_dynamo::Error| StoreError::Corrupt(format!("record {}: {error}", record.id));
    let mut item: Item = serde_dynamo::to_item(record).map_err(corrupt)?;
    item.insert(PK.into(), text(partition));
    item.insert(SK.into(), text(keys::record(&record.draft.kind, record.id)));
    item.insert(BY_ORDER.into(), text(keys::record_order(&record.draft.kind, record.draft.date, record.id)));
    item.insert("schema".into(), number(crate::proposal::SCHEMA));
    Ok(item)
}

pub(super) fn parse_record(item: Item) -> Result<Record, StoreError> {
    let sk = item.get(SK).and_then(|sk| sk.as_s().ok()).cloned().unwrap_or_default();
    serde_dynamo::from_item(item).map_err(|_| StoreError::Corrupt(format!("record {sk} does not parse")))
}

pub(super) fn parse_rollup(item: &Item) -> Result<(RollupKey, Rollup), StoreError> {
    let sk = super::get_text(item, SK)?;
    let key = keys::parse_rollup(sk).ok_or_else(|| StoreError::Corrupt("a rollup's key".into()))?;
    let mut rollup = Rollup { sum: get_number(item, "sum")?, count: get_number(item, "n")?, ..Rollup::default() };
    for day in 1..=31 {
        let name = format!("s{day:02}");
        if item.contains_key(&name) {
            rollup.days.insert(day, (get_number(item, &name)?, get_number(item, &format!("n{day:02}"))?));
        }
    }
    Ok((key, rollup))
}
