//! Lists of records by date: of all records of a kind, of one owner, or of those with certain names.
//!
//! The records of one owner are a list in the index of owners, so what others wrote is not read.
//!
//! The records of one name are a list in the index of names. The lists of several names are merged by date, so a
//! position means the same with one name, with several and without. The lists of some days are merged in the same way.

use std::{
    collections::{HashSet, VecDeque},
    vec,
};

use futures_util::{StreamExt, TryStreamExt, future::try_join_all, stream};
use jiff::civil::Date;
use serde::Deserialize;

use super::{
    Item, StoreError, TenantStore,
    dynamodb::Query,
    failed,
    keys::{self, BY_NAME, BY_ORDER, BY_OWNER},
    records::{Condition, parse_record},
    text,
};
use crate::proposal::{Body, Record};

/// A list reads at most this many pages of 1 MB, and one for each name. Then it reports that it stopped early.
const MAX_PAGES: usize = 20;

/// Names whose lists are begun at the same time.
const AT_ONCE: usize = 16;

/// Pages in memory at the same time if all records of several names are read.
const PAGES_AT_ONCE: usize = 4;

/// Records of one kind by date, newest first by default.
#[derive(Debug, Clone)]
pub struct ListQuery<'a> {
    pub kind: &'a str,
    pub among: Among<'a>,
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

/// The records that a list reads.
#[derive(Debug, Clone, Copy)]
pub enum Among<'a> {
    All,
    /// Those with one of these names, each named once. They are read by the index of names, and no other record is.
    Names(&'a [String]),
    /// Those of these days, from one to another, in the order of the list and without a day twice.
    Days(&'a [(Date, Date)]),
}

/// A record's position in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub date: Date,
    pub id: u64,
}

/// The part of a record that a scan over many reads: enough to match, order and sum it, and too little to write it
/// back.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Excerpt {
    pub id: u64,
    pub version: u64,
    pub owner: String,
    pub date: Date,
    #[serde(default)]
    pub name: Option<String>,
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

/// A part of a list that is read page by page: the records of one name or of some days, or all of a kind.
struct Source<'q> {
    index: Index<'q>,
    from: Date,
    to: Date,
    /// The next record of the list.
    next: Option<Record>,
    /// What was read behind it.
    read: vec::IntoIter<Item>,
    /// Records are read up to here.
    read_to: Option<Position>,
    /// Records of the next page; a page of 1 MB if absent.
    page: Option<usize>,
}

/// The index that a source is read by, and what its keys begin with after the kind.
#[derive(Clone, Copy)]
enum Index<'q> {
    Order,
    Owner(&'q str),
    Name(&'q str),
}

impl TenantStore<'_> {
    pub async fn list(&self, query: &ListQuery<'_>) -> Result<Page, StoreError> {
        self.list_within(query, &mut query.most_pages()).await
    }

    /// Like [`Self::list`], with another limit of pages: what it reads is taken from `left`.
    pub async fn list_within(&self, query: &ListQuery<'_>, left: &mut usize) -> Result<Page, StoreError> {
        self.merged(query, query.sources(true), left, &|_| true).await
    }

    /// Like [`Self::list`], with a condition in code in addition to those of the query.
    pub async fn list_where(
        &self,
        query: &ListQuery<'_>,
        keep: &(dyn Fn(&Record) -> bool + Sync),
    ) -> Result<Page, StoreError> {
        self.merged(query, query.sources(false), &mut query.most_pages(), keep).await
    }

    /// Like [`Self::list_where`], in one page of so many records.
    pub async fn list_begin(
        &self,
        query: &ListQuery<'_>,
        records: usize,
        keep: &(dyn Fn(&Record) -> bool + Sync),
    ) -> Result<Page, StoreError> {
        let sources = vec![Source { page: Some(records), ..query.source(query.index()) }];
        self.merged(query, sources, &mut 1, keep).await
    }

    /// Passes every matching record to `read`; in order, if the query has at most one name. Returns whether these were
    /// all: it reads no more pages than a list does.
    pub async fn each(
        &self,
        query: &ListQuery<'_>,
        read: &mut (dyn FnMut(Excerpt) + Send),
    ) -> Result<bool, StoreError> {
        self.each_of(query, query.most_pages(), read).await
    }

    /// Like [`Self::each`], with another limit of pages.
    pub async fn each_of(
        &self,
        query: &ListQuery<'_>,
        pages: usize,
        read: &mut (dyn FnMut(Excerpt) + Send),
    ) -> Result<bool, StoreError> {
        let fields =
            ["id", "version", "owner", "date", "name", "body"].map(|name| (format!("#{name}"), name.to_owned()));
        let input = |source: Source<'_>| {
            let input = self.input(query, &source)?;
            let input = fields.iter().fold(input, |input, (alias, name)| input.expression_attribute_names(alias, name));
            Ok(input.projection_expression("#id, #version, #owner, #date, #name, #body"))
        };
        let mut left = pages;
        let unread = query.sources(false).into_iter().map(input).collect::<Result<VecDeque<Query>, StoreError>>();
        let mut unread = unread?;
        while !unread.is_empty() {
            if left == 0 {
                return Ok(false);
            }
            let now: Vec<Query> = unread.drain(..unread.len().min(PAGES_AT_ONCE).min(left)).collect();
            left -= now.len();
            let pages: Vec<_> = now.iter().map(|input| self.store.dynamodb.call(input.clone())).collect();
            for (input, page) in now.into_iter().zip(try_join_all(pages).await.map_err(failed)?) {
                for item in page.items {
                    let excerpt = serde_dynamo::from_item(item);
                    let excerpt: Excerpt =
                        excerpt.map_err(|_| StoreError::Corrupt("a record does not parse".into()))?;
                    if query.has_words(excerpt.name.as_deref()) {
                        read(excerpt);
                    }
                }
                let more = page.last_evaluated_key.map(|last| input.exclusive_start_key(last));
                unread.extend(more);
            }
        }
        Ok(true)
    }

    /// Reads the sources only as far as the list needs.
    async fn merged<'q>(
        &self,
        query: &ListQuery<'_>,
        mut sources: Vec<Source<'q>>,
        left: &mut usize,
        keep: &(dyn Fn(&Record) -> bool + Sync),
    ) -> Result<Page, StoreError> {
        let later = match query.among {
            Among::Days(days) => sources.split_off(days.len().min(AT_ONCE)),
            Among::All | Among::Names(_) => vec![],
        };
        let begun = sources.into_iter().map(|mut source| async {
            self.read_on(query, &mut source).await?;
            Ok::<_, StoreError>(source)
        });
        let begun = stream::iter(begun.collect::<Vec<_>>());
        let mut sources: Vec<Source<'_>> = begun.buffered(AT_ONCE).try_collect().await?;
        *left = left.saturating_sub(sources.len());
        sources.extend(later);
        let is_in_list = |record: &Record| query.has_words(record.draft.name.as_deref()) && keep(record);
        let (mut page, mut known) = (Page::default(), HashSet::new());
        loop {
            for source in &mut sources {
                source.advance(&is_in_list)?;
            }
            let places = sources.iter_mut().filter_map(|source| Some((source.place()?, source)));
            let next = match query.oldest_first {
                true => places.min_by_key(|(place, _)| *place),
                false => places.max_by_key(|(place, _)| *place),
            };
            let Some((place, source)) = next else { return Ok(page) };
            match source.next.take() {
                Some(_) if page.records.len() == query.limit => {
                    page.next = page.records.last().map(Position::of);
                    return Ok(page);
                }
                // A row whose day or name changes while pages are read can be met twice.
                Some(record) if known.insert(record.id) => page.records.push(record),
                Some(_) => {}
                None if *left == 0 => return Ok(Page { next: Some(place), stopped_early: true, ..page }),
                None => {
                    *left -= 1;
                    self.read_on(query, source).await?;
                }
            }
        }
    }

    /// Reads the next page of a source.
    async fn read_on(&self, query: &ListQuery<'_>, source: &mut Source<'_>) -> Result<(), StoreError> {
        let limit = source.page.map(|page| i32::try_from(page).unwrap_or(i32::MAX));
        let input = self.input(query, source)?.limit(limit);
        let output = self.store.dynamodb.call(input).await.map_err(failed)?;
        source.read = output.items.into_iter();
        source.page = source.page.map(|page| page.saturating_mul(4));
        let last = output.last_evaluated_key;
        source.read_to = last.map(|last| position(&last, source.index.name())).transpose()?;
        Ok(())
    }

    /// The records of a source after those that were read.
    fn input(&self, query: &ListQuery<'_>, source: &Source<'_>) -> Result<Query, StoreError> {
        let (index, kind) = (source.index, query.kind);
        let (low, high) = match index {
            Index::Order => keys::record_order_bounds(kind, source.from, source.to),
            Index::Owner(owner) => keys::record_by_owner_bounds(kind, owner, source.from, source.to),
            Index::Name(name) => keys::record_by_name_bounds(kind, name, source.from, source.to),
        };
        let order = |Position { date, id }| match index {
            Index::Order => keys::record_order(kind, date, id),
            Index::Owner(owner) => keys::record_by_owner(kind, owner, date, id),
            Index::Name(name) => keys::record_by_name(kind, name, date, id),
        };
        // Ids are whole numbers, so the next position is known, and its record need not exist.
        let (low, high) = match source.read_to.or(query.after) {
            None => (low, high),
            Some(read) if query.oldest_first => (order(Position { id: read.id.saturating_add(1), ..read }), high),
            Some(read) => (low, order(Position { id: read.id.saturating_sub(1), ..read })),
        };
        let input = Query::new()
            .table_name(&self.store.table)
            .index_name(index.name())
            .key_condition_expression(format!("pk = :pk AND {} BETWEEN :low AND :high", index.name()))
            .expression_attribute_values(":pk", text(self.records_key()))
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high))
            .consistent_read(true)
            .scan_index_forward(query.oldest_first);
        Condition::filters(&query.filters(index), input)
    }
}

impl ListQuery<'_> {
    /// The only owner of the records that it can find.
    pub fn owner(&self) -> Option<&str> {
        self.conditions.iter().find_map(|condition| match condition {
            Condition::OwnedBy(owner) => Some(owner.as_str()),
            _ => None,
        })
    }

    /// The index of records that are not read by their names.
    fn index(&self) -> Index<'_> {
        self.owner().map_or(Index::Order, Index::Owner)
    }

    /// The conditions that not every record of the index meets.
    fn filters(&self, index: Index<'_>) -> Vec<&Condition> {
        let is_met = |condition: &Condition| match (index, condition) {
            (Index::Owner(one), Condition::OwnedBy(owner)) => one == owner,
            _ => false,
        };
        self.conditions.iter().filter(|condition| !is_met(condition)).collect()
    }

    /// `keeps_all`: nothing but the conditions is asked of a record. If the sources have no other records than those of
    /// the list, one more than `limit` shows whether there is a next page.
    fn sources(&self, keeps_all: bool) -> Vec<Source<'_>> {
        let wanted = self.limit.saturating_add(1);
        let is_dense = |index| keeps_all && self.filters(index).is_empty();
        match self.among {
            Among::All => {
                let index = self.index();
                vec![Source { page: is_dense(index).then_some(wanted), ..self.source(index) }]
            }
            Among::Names(names) => {
                let share = (wanted / names.len().max(1)).saturating_mul(2).saturating_add(2).min(wanted);
                let source = |name| {
                    let index = Index::Name(name);
                    let page = if is_dense(index) { share } else { share.max(SPARSE / names.len().max(1)) };
                    Source { page: Some(page), ..self.source(index) }
                };
                names.iter().map(|name| source(name.as_str())).collect()
            }
            Among::Days(days) => days.iter().map(|days| self.source_of_days(*days)).collect(),
        }
    }

    fn source<'s>(&self, index: Index<'s>) -> Source<'s> {
        let ListQuery { from, to, .. } = *self;
        Source { index, from, to, next: None, read: vec![].into_iter(), read_to: None, page: None }
    }

    /// It is read when the list comes to these days.
    fn source_of_days(&self, (from, to): (Date, Date)) -> Source<'_> {
        let begin = match self.oldest_first {
            true => self.after.into_iter().fold(Position { date: from, id: 0 }, Position::max),
            false => self.after.into_iter().fold(Position { date: to, id: keys::MAX_ID }, Position::min),
        };
        Source { from, to, read_to: Some(begin), ..self.source(self.index()) }
    }

    /// How many names it is limited to.
    pub fn names(&self) -> usize {
        if let Among::Names(names) = self.among { names.len() } else { 0 }
    }

    fn most_pages(&self) -> usize {
        let more = match self.among {
            Among::All => 0,
            Among::Names(names) => names.len(),
            Among::Days(days) => days.len(),
        };
        MAX_PAGES + more
    }

    fn has_words(&self, name: Option<&str>) -> bool {
        self.conditions.iter().all(|condition| condition.is_met_by_name(name))
    }
}

/// Records in the first pages of the names together, if some of them are not in the list.
const SPARSE: usize = 200;

impl Index<'_> {
    fn name(self) -> &'static str {
        match self {
            Index::Order => BY_ORDER,
            Index::Owner(_) => BY_OWNER,
            Index::Name(_) => BY_NAME,
        }
    }
}

impl Source<'_> {
    /// Finds the next record among those that were read.
    fn advance(&mut self, is_in_list: &dyn Fn(&Record) -> bool) -> Result<(), StoreError> {
        while self.next.is_none() {
            let Some(item) = self.read.next() else { break };
            self.next = Some(parse_record(item)?).filter(is_in_list);
        }
        Ok(())
    }

    /// Where its next record is, or where it is to be read on. None at the end.
    fn place(&self) -> Option<Position> {
        self.next.as_ref().map(Position::of).or(self.read_to)
    }
}

impl Position {
    fn of(record: &Record) -> Position {
        Position { date: record.draft.date, id: record.id }
    }
}

fn position(key: &Item, index: &str) -> Result<Position, StoreError> {
    let order = keys::parse_record_order(super::get_text(key, index)?);
    let (date, id) = order.ok_or_else(|| StoreError::Corrupt("the position of a record".into()))?;
    Ok(Position { date, id })
}
