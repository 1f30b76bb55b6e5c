//! Reads records, rollups and names, and allocates ids. Nothing here writes a record.

use std::{collections::BTreeMap, ops::ControlFlow};

use jiff::civil::Date;

use super::{
    Item, StoreError, TenantStore,
    dynamodb::{self, AttributeValue, GetItem, Query, ReturnValue, UpdateItem},
    failed, get_number,
    keys::{self, BY_NAME, BY_ORDER, BY_OWNER, PK, Partition, SK},
    number, text,
};
use crate::proposal::{NameKey, Record, Rollup, RollupKey};

/// The limits of DynamoDB for an expression: operators and functions, bytes, and values of one `IN`.
const MAX_OPERATORS: usize = 300;
const MAX_EXPRESSION: usize = 4_096;
const MAX_CHOICES: usize = 100;

/// A read of names or sums reads at most this many pages of 1 MB. One has some 10,000 names or 5,000 rollups.
const SUM_PAGES: usize = 20;

/// Attribute of a name's total whose key has only the hash of the name.
pub(super) const LONG_NAME: &str = "longName";

/// A condition on a field of the body.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Compares the record's own `duplicate_key`.
    DuplicateOf(String),
    /// Compares the record's own `owner`. Only records of this owner are read, unless they are read by their names.
    OwnedBy(String),
    Equals(&'static str, String),
    /// The record's own `name` has one of these words or phrases. The store reads the records of every name to check it; where
    /// the names are known, [`super::Among::Names`] reads only theirs.
    HasWord(Vec<String>),
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
    /// It adds to one of these groups of rollups: the field, or an element of its list, is the group. Records without
    /// both are in the group `none`.
    InGroup {
        field: &'static str,
        list: &'static str,
        none: &'static str,
        groups: Vec<String>,
    },
    /// Also of records without the field.
    Not(Box<Condition>),
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
        self.rollups_of(kind, (from, to), usize::MAX).await.map(|(rollups, _)| rollups)
    }

    /// Like [`Self::rollups`], without the oldest if there are too many. Returns also whether these were all.
    pub async fn newest_rollups(
        &self,
        kind: &str,
        from: Date,
        to: Date,
    ) -> Result<(BTreeMap<RollupKey, Rollup>, bool), StoreError> {
        self.rollups_of(kind, (from, to), SUM_PAGES).await
    }

    async fn rollups_of(
        &self,
        kind: &str,
        (from, to): (Date, Date),
        most: usize,
    ) -> Result<(BTreeMap<RollupKey, Rollup>, bool), StoreError> {
        let (low, high) = keys::rollup_bounds(from, to);
        let query = Query::new()
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high))
            .scan_index_forward(false);
        let mut rollups = BTreeMap::new();
        let read = |item: Item| {
            let (key, rollup) = parse_rollup(&item)?;
            if key.kind == kind {
                rollups.insert(key, rollup);
            }
            Ok(())
        };
        let are_all = self.query_until(query, read, page_limit(most)).await?;
        Ok((rollups, are_all))
    }

    /// The names of a kind's records, of one owner or of all, with their totals. Names without a record are left out.
    pub async fn names(&self, kind: &str, owner: Option<&str>) -> Result<BTreeMap<NameKey, Rollup>, StoreError> {
        let mut names = BTreeMap::new();
        self.each_name(kind, owner, |key, total| drop(names.insert(key, total))).await?;
        Ok(names)
    }

    /// Like [`Self::names`], with one page of names in memory at a time. Returns whether these were all.
    pub async fn each_name(
        &self,
        kind: &str,
        owner: Option<&str>,
        mut read: impl FnMut(NameKey, Rollup) + Send,
    ) -> Result<bool, StoreError> {
        let query = Query::new()
            .key_condition_expression("pk = :pk AND begins_with(sk, :names)")
            .expression_attribute_values(":names", text(keys::names(kind, owner)))
            .projection_expression(format!("sk, #sum, n, {LONG_NAME}"))
            .expression_attribute_names("#sum", "sum");
        let read = |item: Item| {
            let (key, total) = parse_name(&item)?;
            if total.count > 0 {
                read(key, total);
            }
            Ok(())
        };
        self.query_until(query, read, page_limit(SUM_PAGES)).await
    }

    /// Every item of a query on the tenant's records partition, strongly consistent. `:pk` is that partition.
    pub(super) async fn query_all(
        &self,
        query: Query,
        read: impl FnMut(Item) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.query_until(query, read, |_| false).await.map(drop)
    }

    /// Like [`Self::query_all`], without the pages after a last key that is far enough. Returns whether it read all.
    pub(super) async fn query_until(
        &self,
        query: Query,
        mut read: impl FnMut(Item) -> Result<(), StoreError>,
        mut is_enough: impl FnMut(&Item) -> bool,
    ) -> Result<bool, StoreError> {
        let query = query
            .table_name(&self.store.table)
            .expression_attribute_values(":pk", text(self.records_key()))
            .consistent_read(true);
        let mut start = None;
        loop {
            let page = query.clone().exclusive_start_key(start);
            let page = self.store.dynamodb.call(page).await.map_err(failed)?;
            page.items.into_iter().try_for_each(&mut read)?;
            let Some(last) = page.last_evaluated_key else { return Ok(true) };
            if is_enough(&last) {
                return Ok(false);
            }
            start = Some(last);
        }
    }

    pub(super) fn records_key(&self) -> String {
        Partition::records(self.tenant).as_str().to_owned()
    }
}

impl Condition {
    /// Adds the filter of those that DynamoDB can check.
    ///
    /// # Errors
    /// [`StoreError::TooManyConditions`] if they do not fit into one expression.
    pub(super) fn filters(conditions: &[&Condition], mut input: Query) -> Result<Query, StoreError> {
        let mut filters = Vec::new();
        for (n, condition) in conditions.iter().enumerate() {
            let Some((path, values, filter)) = condition.filter(n) else { continue };
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
        let fits = has_room && conditions.iter().all(|condition| condition.has_few_choices());
        if fits { Ok(input.filter_expression(expression)) } else { Err(StoreError::TooManyConditions) }
    }

    /// Whether only the words of a record's name are compared.
    pub fn is_about_words(&self) -> bool {
        match self {
            Condition::HasWord(_) => true,
            Condition::Not(condition) => condition.is_about_words(),
            _ => false,
        }
    }

    /// Whether a record with this name meets it, as far as it is about words.
    pub fn is_met_by_name(&self, name: Option<&str>) -> bool {
        match self {
            Condition::HasWord(words) => {
                let is_whole = |before: &str, after: &str| {
                    (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
                };
                let has = |name: &str, wanted: &str| {
                    let mut found = name.match_indices(wanted);
                    found.any(|(at, _)| is_whole(&name[..at], &name[at + wanted.len()..]))
                };
                name.is_some_and(|name| words.iter().any(|wanted| has(name, wanted)))
            }
            Condition::Not(condition) if condition.is_about_words() => !condition.is_met_by_name(name),
            _ => true,
        }
    }

    /// An empty list of choices has no expression.
    fn has_few_choices(&self) -> bool {
        match self {
            Condition::Not(condition) => condition.has_few_choices(),
            Condition::In(_, choices) => (1..=MAX_CHOICES).contains(&choices.len()),
            Condition::Contains(_, parts) => !parts.is_empty(),
            Condition::InGroup { groups, .. } => !groups.is_empty(),
            _ => true,
        }
    }

    /// The field names, the values and the filter expression. None if it is about words.
    fn filter(&self, n: usize) -> Option<(String, Vec<AttributeValue>, String)> {
        let body = |field: &str| format!("body.{field}");
        let (own, path, value) = (format!("#a{n}"), format!("#a{n}.#b{n}"), format!(":v{n}x0"));
        Some(match self {
            Condition::DuplicateOf(key) => ("duplicateKey".into(), vec![text(key)], format!("{own} = {value}")),
            Condition::OwnedBy(owner) => ("owner".into(), vec![text(owner)], format!("{own} = {value}")),
            Condition::HasWord(_) => return None,
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
                let (names, values, filter) = condition.filter(n)?;
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
            Condition::InGroup { field, list, none, groups } => {
                let values: Vec<AttributeValue> = groups.iter().filter(|group| *group != none).map(text).collect();
                let listed = format!("#a{n}.#c{n}");
                let alike = (0..values.len())
                    .map(|place| format!("{path} = :v{n}x{place} OR contains({listed}, :v{n}x{place})"));
                let absent = format!("attribute_not_exists({path}) AND attribute_not_exists({listed})");
                let has_none = groups.iter().any(|group| group == none);
                let any: Vec<String> = alike.chain(has_none.then_some(absent)).collect();
                (format!("body.{field}.{list}"), values, format!("({})", any.join(" OR ")))
            }
        })
    }
}

/// Whether so many pages were read, for [`TenantStore::query_until`].
fn page_limit(most: usize) -> impl FnMut(&Item) -> bool {
    let mut pages = 0;
    move |_| {
        pages += 1;
        pages == most
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
    item.insert(BY_OWNER.into(), text(keys::record_by_owner(&draft.kind, &draft.owner, draft.date, *id)));
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
    Ok((key, parse_total(item)?))
}

/// Without days, which a name does not have.
fn parse_total(item: &Item) -> Result<Rollup, StoreError> {
    Ok(Rollup { sum: get_number(item, "sum")?, count: get_number(item, "n")?, ..Rollup::default() })
}

fn parse_sums(item: &Item) -> Result<Rollup, StoreError> {
    let mut rollup = parse_total(item)?;
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
