//! Reads records and rollups, and allocates ids. Nothing here writes a record.

use std::{
    collections::{BTreeMap, HashSet},
    ops::ControlFlow,
};

use jiff::civil::Date;
use serde::Deserialize;

use super::{
    Item, StoreError, TenantStore,
    dynamodb::{self, AttributeValue, GetItem, Query, ReturnValue, UpdateItem},
    failed, get_number,
    keys::{self, BY_NAME, BY_ORDER, PK, Partition, SK},
    number, text,
};
use crate::proposal::{Body, NameKey, Record, Rollup, RollupKey};

/// The limits of DynamoDB for an expression: operators and functions, bytes, and values of one `IN`.
const MAX_OPERATORS: usize = 300;
const MAX_EXPRESSION: usize = 4_096;
const MAX_CHOICES: usize = 100;

/// A list reads at most this many pages of 1 MB. Then it reports that it stopped early.
const MAX_PAGES: usize = 20;

/// Attribute of a name's total whose key has only the hash of the name.
pub(super) const LONG_NAME: &str = "longName";

/// Records of one kind by date, newest first by default.
#[derive(Debug, Clone)]
pub struct ListQuery<'a> {
    pub kind: &'a str,
    /// Inclusive.
    pub from: Date,
    /// Inclusive.
    pub to: Date,
    pub conditions: Vec<Condition>,
    pub limit: usize,
    /// The last record of the previous page.
    pub after: Option<Position>,
    pub oldest_first: bool,
}

/// A record's position in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub date: Date,
    pub id: u64,
}

/// A condition on a field of the body.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Compares the record's own `duplicate_key`.
    DuplicateOf(String),
    /// Compares the record's own `owner`.
    OwnedBy(String),
    Equals(&'static str, String),
    /// One of these texts.
    In(&'static str, Vec<String>),
    Is(&'static str, bool),
    /// Any one of these.
    Contains(&'static str, Vec<String>),
    AtLeast(&'static str, i64),
    AtMost(&'static str, i64),
    /// A day, as ISO text; inclusive.
    From(&'static str, Date),
    /// A day, as ISO text; inclusive.
    Until(&'static str, Date),
    Absent(&'static str),
    Present(&'static str),
    /// The field, or an element of its list, has one of these values. None among the values matches a record without
    /// both.
    OneOf {
        field: &'static str,
        list: &'static str,
        choices: Vec<Option<String>>,
    },
    /// Also of records without the field.
    Not(Box<Condition>),
}

/// The part of a record that a scan over many reads: enough to match, order and sum it, and too little to write it
/// back.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Excerpt {
    pub id: u64,
    pub version: u64,
    pub owner: String,
    pub date: Date,
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    pub records: Vec<Record>,
    /// The position to continue from; none at the end.
    pub next: Option<Position>,
    /// Reading stopped before `limit` records were found; `next` continues.
    pub stopped_early: bool,
}

impl TenantStore<'_> {
    /// Allocates `count` ids and returns the first. No id is given twice; a repeated allocation leaves a gap.
    pub async fn allocate_ids(&self, kind: &str, count: usize) -> Result<u64, StoreError> {
        let output = self
            .store
            .dynamodb
            .call(
                UpdateItem::new()
                    .table_name(&self.store.table)
                    .key(PK, text(self.records_key()))
                    .key(SK, text(keys::SEQ))
                    .update_expression("ADD #kind :n")
                    .expression_attribute_names("#kind", kind)
                    .expression_attribute_values(":n", number(count))
                    .return_values(ReturnValue::UpdatedNew),
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
                GetItem::new()
                    .table_name(&self.store.table)
                    .key(PK, text(self.records_key()))
                    .key(SK, text(keys::record(kind, id)))
                    .consistent_read(true),
            )
            .await
            .map_err(failed)?;
        output.item.map(parse_record).transpose()
    }

    pub async fn list(&self, query: &ListQuery<'_>) -> Result<Page, StoreError> {
        // One more than `limit` shows whether there is a next page.
        let enough = query.conditions.is_empty().then(|| i32::try_from(query.limit + 1).unwrap_or(i32::MAX));
        let input = self.list_input(query)?.limit(enough);
        self.list_of(query, input, &|_| true).await
    }

    /// Like [`Self::list`], with a condition in code in addition to those of the query.
    pub async fn list_where(
        &self,
        query: &ListQuery<'_>,
        keep: &(dyn Fn(&Record) -> bool + Sync),
    ) -> Result<Page, StoreError> {
        self.list_of(query, self.list_input(query)?, keep).await
    }

    /// Passes every matching record to `read`, in order, with one page in memory at a time. Returns whether these were
    /// all: it reads no more pages than a list does.
    pub async fn each(
        &self,
        query: &ListQuery<'_>,
        read: &mut (dyn FnMut(Excerpt) + Send),
    ) -> Result<bool, StoreError> {
        let names = ["id", "version", "owner", "date", "body"].map(|name| (format!("#{name}"), name.to_owned()));
        let input = names
            .into_iter()
            .fold(self.list_input(query)?, |input, (alias, name)| input.expression_attribute_names(alias, name));
        let input = input.projection_expression("#id, #version, #owner, #date, #body");
        let mut take = |item: Item| {
            let excerpt = serde_dynamo::from_item(item);
            read(excerpt.map_err(|_| StoreError::Corrupt("a record does not parse".into()))?);
            Ok(ControlFlow::Continue(()))
        };
        Ok(self.pages(input, MAX_PAGES, &mut take).await?.is_none())
    }

    async fn list_of(
        &self,
        query: &ListQuery<'_>,
        input: Query,
        keep: &(dyn Fn(&Record) -> bool + Sync),
    ) -> Result<Page, StoreError> {
        let (mut page, mut known) = (Page::default(), HashSet::new());
        let mut take = |item: Item| {
            let record = parse_record(item)?;
            // A row whose day changes while pages are read can be met twice.
            if !known.contains(&record.id) && keep(&record) {
                known.insert(record.id);
                if page.records.len() == query.limit {
                    page.next = page.records.last().map(|last| Position { date: last.draft.date, id: last.id });
                    return Ok(ControlFlow::Break(()));
                }
                page.records.push(record);
            }
            Ok(ControlFlow::Continue(()))
        };
        let unread = self.pages(input, MAX_PAGES, &mut take).await?;
        let order = |key: &Item| keys::parse_record_order(dynamodb::as_text(key.get(BY_ORDER)?)?);
        let unread = unread.as_ref().and_then(order).map(|(date, id)| Position { date, id });
        Ok(Page { stopped_early: unread.is_some(), next: page.next.or(unread), ..page })
    }

    /// Reads page by page until there is no more, or `take` breaks. Returns the last key that was read if the page
    /// limit is reached.
    pub(super) async fn pages(
        &self,
        input: Query,
        most: usize,
        take: &mut (dyn FnMut(Item) -> Result<ControlFlow<()>, StoreError> + Send),
    ) -> Result<Option<Item>, StoreError> {
        let mut input = input;
        for page in 1.. {
            let output = self.store.dynamodb.call(input.clone()).await.map_err(failed)?;
            for item in output.items {
                if take(item)?.is_break() {
                    return Ok(None);
                }
            }
            let Some(last) = output.last_evaluated_key else { break };
            if page == most {
                return Ok(Some(last));
            }
            input = input.exclusive_start_key(last);
        }
        Ok(None)
    }

    /// The complete rollups of one kind, of every month that the inclusive range touches.
    pub async fn rollups(&self, kind: &str, from: Date, to: Date) -> Result<BTreeMap<RollupKey, Rollup>, StoreError> {
        let (low, high) = keys::rollup_bounds(from, to);
        let query = Query::new()
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high));
        let mut rollups = BTreeMap::new();
        let read = |item: Item| {
            let (key, rollup) = parse_rollup(&item)?;
            if key.kind == kind {
                rollups.insert(key, rollup);
            }
            Ok(())
        };
        self.query_all(query, read).await?;
        Ok(rollups)
    }

    /// The names of a kind's records, of one owner or of all, with their totals. Names without a record are left out.
    pub async fn names(&self, kind: &str, owner: Option<&str>) -> Result<BTreeMap<NameKey, Rollup>, StoreError> {
        let query = Query::new()
            .key_condition_expression("pk = :pk AND begins_with(sk, :names)")
            .expression_attribute_values(":names", text(keys::names(kind, owner)));
        let mut names = BTreeMap::new();
        let read = |item: Item| {
            let (key, total) = parse_name(&item)?;
            if total.count > 0 {
                names.insert(key, total);
            }
            Ok(())
        };
        self.query_all(query, read).await?;
        Ok(names)
    }

    /// Every item of a query on the tenant's records partition, strongly consistent. `:pk` is that partition.
    pub(super) async fn query_all(
        &self,
        query: Query,
        mut read: impl FnMut(Item) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let query = query
            .table_name(&self.store.table)
            .expression_attribute_values(":pk", text(self.records_key()))
            .consistent_read(true);
        let mut start = None;
        loop {
            let page = query.clone().exclusive_start_key(start);
            let page = self.store.dynamodb.call(page).await.map_err(failed)?;
            page.items.into_iter().try_for_each(&mut read)?;
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(());
            }
        }
    }

    fn list_input(&self, query: &ListQuery<'_>) -> Result<Query, StoreError> {
        let (low, high) = keys::record_order_bounds(query.kind, query.from, query.to);
        let mut input = Query::new()
            .table_name(&self.store.table)
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk AND byOrder BETWEEN :low AND :high")
            .expression_attribute_values(":pk", text(self.records_key()))
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high))
            .exclusive_start_key(query.after.map(|after| self.start_key(query.kind, after)))
            .consistent_read(true)
            .scan_index_forward(query.oldest_first);
        let mut filters = Vec::new();
        for (n, condition) in query.conditions.iter().enumerate() {
            let (path, values, filter) = condition.filter(n);
            filters.push(filter);
            for (place, value) in values.into_iter().enumerate() {
                input = input.expression_attribute_values(format!(":v{n}x{place}"), value);
            }
            for (name, part) in path.split('.').zip(["a", "b", "c"]) {
                input = input.expression_attribute_names(format!("#{part}{n}"), name);
            }
        }
        if filters.is_empty() {
            return Ok(input);
        }
        let expression = filters.join(" AND ");
        let has_room = expression.len() <= MAX_EXPRESSION && operators(&expression) <= MAX_OPERATORS;
        let fits = has_room && query.conditions.iter().all(Condition::has_few_choices);
        if fits { Ok(input.filter_expression(expression)) } else { Err(StoreError::TooManyConditions) }
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
    /// An empty list of choices has no expression.
    fn has_few_choices(&self) -> bool {
        match self {
            Condition::Not(condition) => condition.has_few_choices(),
            Condition::In(_, choices) => (1..=MAX_CHOICES).contains(&choices.len()),
            Condition::Contains(_, parts) => !parts.is_empty(),
            Condition::OneOf { choices, .. } => !choices.is_empty(),
            _ => true,
        }
    }

    /// The field names, the values and the filter expression.
    fn filter(&self, n: usize) -> (String, Vec<AttributeValue>, String) {
        let body = |field: &str| format!("body.{field}");
        let (own, path, value) = (format!("#a{n}"), format!("#a{n}.#b{n}"), format!(":v{n}x0"));
        match self {
            Condition::DuplicateOf(key) => ("duplicateKey".into(), vec![text(key)], format!("{own} = {value}")),
            Condition::OwnedBy(owner) => ("owner".into(), vec![text(owner)], format!("{own} = {value}")),
            Condition::Equals(field, same) => (body(field), vec![text(same)], format!("{path} = {value}")),
            Condition::In(field, choices) => {
                let places: Vec<String> = (0..choices.len()).map(|place| format!(":v{n}x{place}")).collect();
                let among = format!("{path} IN ({})", places.join(", "));
                (body(field), choices.iter().map(text).collect(), among)
            }
            Condition::Is(field, is) => (body(field), vec![AttributeValue::Bool(*is)], format!("{path} = {value}")),
            Condition::From(field, day) => (body(field), vec![text(day.to_string())], format!("{path} >= {value}")),
            Condition::Until(field, day) => (body(field), vec![text(day.to_string())], format!("{path} <= {value}")),
            Condition::Not(condition) => {
                let (names, values, filter) = condition.filter(n);
                // DynamoDB refuses parentheses around parentheses.
                let is_one = filter.starts_with('(');
                (names, values, if is_one { format!("NOT {filter}") } else { format!("NOT ({filter})") })
            }
            Condition::Contains(field, parts) => {
                let any: Vec<String> =
                    (0..parts.len()).map(|place| format!("contains({path}, :v{n}x{place})")).collect();
                (body(field), parts.iter().map(text).collect(), format!("({})", any.join(" OR ")))
            }
            Condition::AtLeast(field, least) => (body(field), vec![number(least)], format!("{path} >= {value}")),
            Condition::AtMost(field, most) => (body(field), vec![number(most)], format!("{path} <= {value}")),
            Condition::Absent(field) => (body(field), vec![], format!("attribute_not_exists({path})")),
            Condition::Present(field) => (body(field), vec![], format!("attribute_exists({path})")),
            Condition::OneOf { field, list, choices } => {
                let values: Vec<AttributeValue> = choices.iter().flatten().map(text).collect();
                let listed = format!("#a{n}.#c{n}");
                let alike = (0..values.len())
                    .map(|place| format!("{path} = :v{n}x{place} OR contains({listed}, :v{n}x{place})"));
                let absent = format!("attribute_not_exists({path}) AND attribute_not_exists({listed})");
                let any: Vec<String> = alike.chain(choices.contains(&None).then_some(absent)).collect();
                (format!("body.{field}.{list}"), values, format!("({})", any.join(" OR ")))
            }
        }
    }
}

/// The operators and functions of an expression.
fn operators(expression: &str) -> usize {
    let words = expression.split([' ', '(', ')', ',']);
    words.filter(|word| !word.is_empty() && !word.starts_with(['#', ':'])).count()
}

pub(super) fn record_item(partition: &str, record: &Record) -> Result<Item, StoreError> {
    let corrupt = |error: serde_dynamo::Error| StoreError::Corrupt(format!("record {}: {error}", record.id));
    let mut item: Item = serde_dynamo::to_item(record).map_err(corrupt)?;
    item.insert(PK.into(), text(partition));
    item.insert(SK.into(), text(keys::record(&record.draft.kind, record.id)));
    let Record { id, draft, .. } = record;
    item.insert(BY_ORDER.into(), text(keys::record_order(&draft.kind, draft.date, *id)));
    if let Some(name) = &draft.name {
        item.insert(BY_NAME.into(), text(keys::record_by_name(&draft.kind, name, draft.date, *id)));
    }
    item.insert("schema".into(), number(crate::proposal::SCHEMA));
    Ok(item)
}

pub(super) fn parse_record(item: Item) -> Result<Record, StoreError> {
    let sk = item.get(SK).and_then(dynamodb::as_text).unwrap_or_default().to_owned();
    serde_dynamo::from_item(item).map_err(|_| StoreError::Corrupt(format!("record {sk} does not parse")))
}

pub(super) fn parse_rollup(item: &Item) -> Result<(RollupKey, Rollup), StoreError> {
    let key = keys::parse_rollup(super::get_text(item, SK)?);
    Ok((key.ok_or_else(|| StoreError::Corrupt("a rollup's key".into()))?, parse_sums(item)?))
}

pub(super) fn parse_name(item: &Item) -> Result<(NameKey, Rollup), StoreError> {
    let key = keys::parse_name(super::get_text(item, SK)?);
    let (mut key, is_hashed) = key.ok_or_else(|| StoreError::Corrupt("the key of a name's total".into()))?;
    if is_hashed {
        super::get_text(item, LONG_NAME)?.clone_into(&mut key.name);
    }
    Ok((key, parse_sums(item)?))
}

fn parse_sums(item: &Item) -> Result<Rollup, StoreError> {
    let mut rollup = Rollup { sum: get_number(item, "sum")?, count: get_number(item, "n")?, ..Rollup::default() };
    for day in 1..=31 {
        let name = format!("s{day:02}");
        if item.contains_key(&name) {
            rollup.days.insert(day, (get_number(item, &name)?, get_number(item, &format!("n{day:02}"))?));
        }
        let name = format!("p{day:02}");
        if item.contains_key(&name) {
            rollup.parts.insert(day, get_number(item, &name)?);
        }
    }
    Ok(rollup)
}
