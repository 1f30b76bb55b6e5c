//! Rows by the words of their names, and by groups of rollups, without reading all rows.
//!
//! The distinct names of a kind are read at most once a turn; then the rows of the names that match are read by the index
//! of names, and no other row is. Rollups tell the days that have rows of a group; then the rows of those days are read.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use jiff::civil::Date;
use tokio::sync::OnceCell;

use super::ToolContext;
use crate::{
    proposal::{NameKey, Record, Rollup, RollupKey},
    sorted::Sort,
    store::{Among, Condition, Excerpt, ListQuery, Page, Position, StoreError},
};

/// As many names are always read by the index.
const FEW: usize = 100;

/// More names than this are never read by the index.
const MOST: usize = 1_000;

/// The store reads so many names in the time of one page of rows.
const NAMES_A_PAGE: usize = 16;

/// Rows in a page of the store, about.
const ROWS_A_PAGE: u128 = 2_000;

/// So many rows by date for each row that is asked for are read before only the days of groups are.
const FIRST: usize = 4;

/// Days that rows of groups are read from, one after the other. The last may contain days without such rows.
const SPANS: usize = 100;

/// The distinct names of a kind's rows, of one owner or of all.
#[derive(Debug, Default)]
pub struct Names {
    all: Vec<NameTotal>,
    /// Of all names. A row with several units counts several times.
    rows: u64,
    /// There are too many, so some were not read. Then they do not tell which rows have a word.
    is_cut: bool,
}

/// The rows with one name and unit, of one owner.
#[derive(Debug)]
pub struct NameTotal {
    pub owner: Box<str>,
    pub name: Box<str>,
    pub unit: Box<str>,
    /// In minor units.
    pub sum: i128,
    pub count: i64,
}

/// Pages that all look-ups of a turn read, besides the first of each name. A message can describe many rows.
const LOOK_UP_PAGES: usize = 100;

/// What was read in this turn.
#[derive(Debug, Default)]
pub struct NameCache {
    /// By kind and owner.
    names: Mutex<BTreeMap<CacheKey, Arc<OnceCell<Arc<Names>>>>>,
    /// Pages that look-ups have read.
    looked_up: AtomicUsize,
}

type CacheKey = (String, Option<String>);

impl NameCache {
    /// The names of the kind's rows, of one owner or of all. Calls at the same time share one read.
    pub async fn of(
        &self,
        context: &ToolContext<'_>,
        kind: &str,
        owner: Option<&str>,
    ) -> Result<Arc<Names>, StoreError> {
        let cell = {
            let mut cells = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry((kind.to_owned(), owner.map(str::to_owned))).or_default())
        };
        let read = || async {
            let mut names = Names::default();
            let add = |key: NameKey, total: Rollup| {
                let (owner, name, unit) = (key.owner.into(), key.name.into(), key.unit.into());
                names.rows += u64::try_from(total.count).unwrap_or_default();
                names.all.push(NameTotal { owner, name, unit, sum: total.sum, count: total.count });
            };
            let are_all = context.store.each_name(kind, owner, add).await?;
            Ok(Arc::new(Names { is_cut: !are_all, ..names }))
        };
        cell.get_or_try_init(read).await.cloned()
    }

    /// Forgets what was read, because rows may have changed.
    pub fn clear(&self) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Names {
    /// Those that meet the conditions, as far as they are about words.
    pub fn matching<'n>(&'n self, conditions: &'n [Condition]) -> impl Iterator<Item = &'n NameTotal> {
        let is_met = |name: &str| conditions.iter().all(|condition| condition.is_met_by_name(Some(name)));
        self.all.iter().filter(move |total| is_met(&total.name))
    }

    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// Some names, and how many rows have them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NamedRows {
    pub names: BTreeSet<String>,
    /// A row with several units counts several times.
    pub rows: u64,
}

impl NamedRows {
    pub fn of<'n>(totals: impl IntoIterator<Item = &'n NameTotal>) -> NamedRows {
        let mut named = NamedRows::default();
        for total in totals {
            named.rows += u64::try_from(total.count).unwrap_or_default();
            if !named.names.contains(&*total.name) {
                named.names.insert(total.name.clone().into());
            }
        }
        named
    }

    /// Whether it is faster to read rows of all names by date than the rows of these names by the index. Where many rows
    /// match, `limit` of them are found soon.
    fn are_dense(&self, all: u64, limit: usize) -> bool {
        let wanted = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let read = (u128::from(wanted) * u128::from(all) / u128::from(self.rows.max(1))).min(all.into());
        let pages = usize::try_from(read / ROWS_A_PAGE).unwrap_or(usize::MAX);
        self.names.len() > MOST || (self.names.len() > FEW && self.names.len() / NAMES_A_PAGE > pages)
    }
}

/// A condition in code.
pub type Keep<'k> = &'k (dyn Fn(&Record) -> bool + Sync);

/// How the rows of a query are read.
enum Route {
    /// No name matches.
    Nothing,
    /// By the names, with the conditions that are not about words.
    Names(Vec<String>, Vec<Condition>),
    /// By date. Conditions about words are checked row by row.
    Date,
}

impl Route {
    async fn of(context: &ToolContext<'_>, query: &ListQuery<'_>) -> Result<Route, StoreError> {
        if !query.conditions.iter().any(Condition::is_about_words) {
            return Ok(Route::Date);
        }
        let names = context.names.of(context, query.kind, query.owner()).await?;
        if names.is_cut {
            return Ok(Route::Date);
        }
        let named = NamedRows::of(names.matching(&query.conditions));
        Ok(match named.names.is_empty() {
            true => Route::Nothing,
            false if named.are_dense(names.rows, query.limit) => Route::Date,
            false => {
                let others = query.conditions.iter().filter(|condition| !condition.is_about_words());
                Route::Names(named.names.into_iter().collect(), others.cloned().collect())
            }
        })
    }
}

/// A list as the store reads it. Conditions about words are met by reading names, those about groups by reading rollups.
pub async fn list(
    context: &ToolContext<'_>,
    query: &ListQuery<'_>,
    keep: Option<Keep<'_>>,
) -> Result<Page, StoreError> {
    let (names, conditions) = match Route::of(context, query).await? {
        Route::Nothing => return Ok(Page::default()),
        Route::Names(names, conditions) => (names, conditions),
        Route::Date => match groups(query) {
            Some(groups) => return list_in_groups(context, query, groups, keep).await,
            None => return read(context, query, keep).await,
        },
    };
    read(context, &ListQuery { among: Among::Names(&names), conditions, ..query.clone() }, keep).await
}

/// A list of the few rows that a description fits. All of a turn share a number of pages; after these, they stop early.
pub async fn look_up(context: &ToolContext<'_>, query: &ListQuery<'_>) -> Result<Page, StoreError> {
    let left = LOOK_UP_PAGES.saturating_sub(context.names.looked_up.load(Ordering::Relaxed));
    if left == 0 {
        return Ok(Page { stopped_early: true, ..Page::default() });
    }
    let named;
    let query = match Route::of(context, query).await? {
        Route::Nothing => return Ok(Page::default()),
        Route::Names(names, conditions) => {
            named = names;
            ListQuery { among: Among::Names(&named), conditions, ..query.clone() }
        }
        Route::Date => query.clone(),
    };
    let pages = left + query.names();
    let mut unread = pages;
    let page = context.store.list_within(&query, &mut unread).await?;
    let read = (pages - unread).saturating_sub(query.names());
    context.names.looked_up.fetch_add(read, Ordering::Relaxed);
    Ok(page)
}

async fn read(context: &ToolContext<'_>, query: &ListQuery<'_>, keep: Option<Keep<'_>>) -> Result<Page, StoreError> {
    match keep {
        Some(keep) => context.store.list_where(query, keep).await,
        None => context.store.list(query).await,
    }
}

/// The groups of rollups that the query's rows add to.
fn groups<'q>(query: &'q ListQuery<'_>) -> Option<&'q [String]> {
    query.conditions.iter().find_map(|condition| match condition {
        Condition::InGroup { groups, .. } => Some(groups.as_slice()),
        _ => None,
    })
}

/// Where many rows are in the groups, the first rows by date are enough. Rollups are read at the same time: they tell the
/// days of the other rows.
async fn list_in_groups(
    context: &ToolContext<'_>,
    query: &ListQuery<'_>,
    groups: &[String],
    keep: Option<Keep<'_>>,
) -> Result<Page, StoreError> {
    let (keep, store) = (keep.unwrap_or(&|_: &Record| true), context.store);
    let first = store.list_begin(query, query.limit.saturating_add(1).saturating_mul(FIRST), keep);
    let rollups = store.newest_rollups(query.kind, query.from, query.to);
    let (first, (rollups, are_all)) = tokio::try_join!(first, rollups)?;
    if !first.stopped_early {
        return Ok(first);
    }
    let has_group =
        |key: &RollupKey| groups.contains(&key.group) && query.owner().is_none_or(|owner| owner == key.owner);
    let rollups = rollups.into_iter().filter(|(key, _)| has_group(key));
    let days = days(rollups, &ListQuery { after: first.next, ..query.clone() });
    let found = first.records.len();
    // One more row than the limit tells whether there is a next page.
    let limit = query.limit.saturating_sub(found).max(1);
    let among = if are_all { Among::Days(&days) } else { Among::All };
    let rest = ListQuery { among, after: first.next, limit, ..query.clone() };
    let rest = store.list_where(&rest, keep).await?;
    if found < query.limit {
        return Ok(Page { records: [first.records, rest.records].concat(), ..rest });
    }
    let last = first.records.last().map(|last| Position { date: last.draft.date, id: last.id });
    let next = if rest.records.is_empty() { rest.next } else { last };
    Ok(Page { records: first.records, next, stopped_early: rest.records.is_empty() && rest.stopped_early })
}

/// The days with rows after the query's position, in the order of the list: from one to another, at most [`SPANS`].
fn days(rollups: impl Iterator<Item = (RollupKey, Rollup)>, query: &ListQuery<'_>) -> Vec<(Date, Date)> {
    let of_month = |(key, Rollup { days, parts, .. }): (RollupKey, Rollup)| {
        let has_rows = |day: &i8| days[day].1 != 0 || parts.get(day).is_some_and(|parts| *parts != 0);
        let dates = days.keys().filter(|day| has_rows(day)).filter_map(|day| Date::new(key.year, key.month, *day).ok());
        dates.collect::<Vec<_>>()
    };
    let is_ahead = |day: &Date| match query.after {
        Some(Position { date, .. }) if query.oldest_first => *day >= date,
        Some(Position { date, .. }) => *day <= date,
        None => true,
    };
    let is_asked = |day: &Date| query.from <= *day && *day <= query.to && is_ahead(day);
    let mut days: Vec<Date> = rollups.flat_map(of_month).filter(is_asked).collect();
    days.put_in_order(Date::cmp);
    days.dedup();
    if !query.oldest_first {
        days.reverse();
    }
    let mut spans: Vec<(Date, Date)> = Vec::new();
    for day in days {
        let is_full = spans.len() == SPANS;
        match spans.last_mut() {
            Some((_, to)) if query.oldest_first && (is_full || to.tomorrow().ok() == Some(day)) => *to = day,
            Some((from, _)) if !query.oldest_first && (is_full || from.yesterday().ok() == Some(day)) => *from = day,
            _ => spans.push((day, day)),
        }
    }
    spans
}

/// Every row of a query, as the store reads it. Conditions about words are met by reading names. Rows of several names
/// are in no order.
pub async fn each(
    context: &ToolContext<'_>,
    query: &ListQuery<'_>,
    read: &mut (dyn FnMut(Excerpt) + Send),
) -> Result<bool, StoreError> {
    let whole = ListQuery { limit: usize::MAX, ..query.clone() };
    match Route::of(context, &whole).await? {
        Route::Nothing => Ok(true),
        Route::Names(names, conditions) => {
            context.store.each(&ListQuery { among: Among::Names(&names), conditions, ..whole }, read).await
        }
        Route::Date => context.store.each(&whole, read).await,
    }
}

/// Rows with these names, newest first.
pub async fn named(
    context: &ToolContext<'_>,
    query: &ListQuery<'_>,
    named: &NamedRows,
    keep: Keep<'_>,
) -> Result<Page, StoreError> {
    let names = context.names.of(context, query.kind, query.owner()).await?;
    if named.are_dense(names.rows, query.limit) {
        let has_name = |record: &Record| record.draft.name.as_ref().is_some_and(|name| named.names.contains(name));
        return context.store.list_where(query, &|record| has_name(record) && keep(record)).await;
    }
    let names: Vec<String> = named.names.iter().cloned().collect();
    context.store.list_where(&ListQuery { among: Among::Names(&names), ..query.clone() }, keep).await
}
