//! Lists: what `list_expenses`, `filter_expenses` and pages have in common.
//!
//! Newest first they are read a page at a time, with a cursor. By amount every row that fits is looked at, and the first
//! of them are kept; they have no cursor, because what comes next would be another look at all of them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use data_encoding::BASE64URL_NOPAD;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    expense::KIND,
    expense_text::{self, listed},
    filters::{ResolvedFilters, any_word, currency_of, nothing_in_common, readings, resolve_filters},
    suggestions,
    sums::{By, Sums, grouped},
};
use crate::{
    phrases::{
        DateRange, Style,
        shown::{LAST, MORE, NEXT},
    },
    proposal::{Record, hash_text},
    store::{Excerpt, ListQuery, Page, Position},
    tool::{Filters, QueryResult, Question, StateUpdates, ToolContext, ToolError},
};

const DEFAULT_LIMIT: usize = 100;
pub const MAX_LIMIT: usize = 500;

/// Rows that the model reads; the page gets them all.
const SUMMARY_ROWS: usize = 20;

/// Of budgets and what recurs, which have no pages to turn.
pub(super) const SUMMARY_PREFERENCES: usize = 50;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    pub filters: Filters,
    pub order: Order,
    pub limit: Option<usize>,
    pub cursor: Option<String>,
    /// The last row that was shown, by its number.
    pub after: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    #[default]
    Newest,
    Oldest,
    /// By amount, in one currency.
    Largest,
    /// By amount, in one currency.
    Smallest,
}

impl Listing {
    /// In a currency that it does not name.
    pub fn compares_amounts(&self) -> bool {
        let Filters { currency, min_amount, max_amount, .. } = &self.filters;
        currency.is_none()
            && (min_amount.is_some() || max_amount.is_some() || matches!(self.order, Order::Largest | Order::Smallest))
    }

    /// From a page of it before.
    fn continues(&self) -> bool {
        self.cursor.is_some() || self.after.is_some()
    }
}

pub async fn list(context: &ToolContext<'_>, listing: Listing) -> Result<QueryResult, ToolError> {
    let limit = listing.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ToolError::Refused(format!(
            "a list can have 1 to {MAX_LIMIT} rows. Ask for fewer, and then for more"
        )));
    }
    let Some(asked) = resolve_filters(&listing.filters, context)? else {
        return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
    };
    let found = rows_of(context, asked.clone(), limit, &listing).await;
    // A cursor fits the list that it came from.
    let is_none = match &found {
        Ok(found) if found.count > 0 || found.state_updates.next_cursor.is_some() => false,
        // Where there is no such row at all, what was shown were others.
        Ok(_) if listing.after.is_some() => {
            let whole = Listing { after: None, ..listing.clone() };
            rows_of(context, asked, 1, &whole).await?.count == 0
        }
        Ok(_) => listing.cursor.is_none(),
        Err(error) => matches!(error, ToolError::BadCursor),
    };
    if !is_none {
        return found;
    }
    for reading in readings(&listing.filters) {
        let Ok(Some(other)) = resolve_filters(&reading, context) else { continue };
        if let Some(found) = rows_if_any(context, other, limit, &listing).await? {
            return Ok(with_note(found, &reading_note(&listing.filters, &reading)));
        }
    }
    if let Some(other) = any_word(&listing.filters, context)
        && let Some(found) = rows_if_any(context, other, limit, &listing).await?
    {
        return Ok(with_note(found, "\n(None of these has all the words. Each has one of them.)"));
    }
    found
}

async fn rows_if_any(
    context: &ToolContext<'_>,
    resolved: ResolvedFilters,
    limit: usize,
    listing: &Listing,
) -> Result<Option<QueryResult>, ToolError> {
    match rows_of(context, resolved, limit, listing).await {
        Err(ToolError::Fault(fault)) => Err(ToolError::Fault(fault)),
        found => Ok(found.ok().filter(|found| found.count > 0)),
    }
}

fn with_note(mut found: QueryResult, more: &str) -> QueryResult {
    found.summary_for_llm.push_str(more);
    found
}

async fn rows_of(
    context: &ToolContext<'_>,
    resolved: ResolvedFilters,
    limit: usize,
    listing: &Listing,
) -> Result<QueryResult, ToolError> {
    match listing.order {
        Order::Newest | Order::Oldest => by_day(context, resolved, limit, listing).await,
        _ if listing.cursor.is_some() => Err(ToolError::Refused(
            "a list by amount has no next page. Ask for more rows at once, or for fewer days".into(),
        )),
        order => by_amount(context, resolved, limit, order).await,
    }
}

/// Said where a category was taken for a name, or a name for a category.
fn reading_note(asked: &Filters, reading: &Filters) -> String {
    match (asked.categories.as_slice(), &asked.words, &reading.words) {
        ([category], _, Some(_)) => {
            format!("\n(These have the name “{category}”. None is in a category “{category}”.)")
        }
        (_, Some(name), None) => format!("\n(These are in the category “{name}”. None has the name “{name}”.)"),
        _ => String::new(),
    }
}

/// Rows by their numbers, in this order. One that was deleted since is left out.
pub(super) async fn rows(context: &ToolContext<'_>, ids: &[u64]) -> Result<Vec<Record>, ToolError> {
    let mut found = context.store.records(KIND, ids).await?;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Rows by their numbers, whatever else the page has active.
pub async fn numbered(context: &ToolContext<'_>, ids: &[u64]) -> Result<QueryResult, ToolError> {
    if ids.len() > DEFAULT_LIMIT {
        return Err(ToolError::Refused(format!("at most {DEFAULT_LIMIT} numbers at once. Give fewer")));
    }
    let records = rows(context, ids).await?;
    let missing = ids.iter().filter(|id| records.iter().all(|record| record.id != **id));
    let missing: Vec<String> = missing.map(|id| format!("There is no expense #{id}.")).collect();
    let shown = lines(String::new(), &records, context.style());
    let summary = missing.into_iter().chain(shown.lines().filter(|line| !line.is_empty()).map(str::to_owned));
    Ok(QueryResult {
        count: records.len(),
        summary_for_llm: summary.collect::<Vec<_>>().join("\n"),
        items: items(&records),
        ..QueryResult::default()
    })
}

/// A headline and the first rows.
pub(super) fn lines(headline: String, records: &[Record], style: Style) -> String {
    let rows = records.iter().map(|record| format!("#{} {}", record.id, expense_text::describe(&record.draft, style)));
    format!("{headline}\n{}", first_lines(rows, SUMMARY_ROWS)).trim_end().to_owned()
}

/// And how many more there are.
pub(super) fn first_lines(mut lines: impl Iterator<Item = String>, most: usize) -> String {
    let mut shown: Vec<String> = lines.by_ref().take(most).collect();
    let hidden = lines.count();
    shown.extend((hidden > 0).then(|| format!("… and {hidden} more")));
    shown.join("\n")
}

pub(super) fn items(records: &[Record]) -> Option<Vec<Value>> {
    Some(records.iter().map(|record| expense_text::row(record)).collect())
}

async fn by_day(
    context: &ToolContext<'_>,
    resolved: ResolvedFilters,
    limit: usize,
    listing: &Listing,
) -> Result<QueryResult, ToolError> {
    let oldest_first = listing.order == Order::Oldest;
    let oldest = if oldest_first { "|oldest" } else { "" };
    let shape = hash_text(&format!("{}|{}{oldest}", context.caller.tenant(), resolved.shape()));
    let after = match (&listing.cursor, listing.after) {
        (None, Some(id)) => Some(position(id, &resolved, context).await?),
        (cursor, None) => cursor.as_deref().map(|cursor| open_cursor(cursor, &shape, &resolved.range)).transpose()?,
        (Some(_), Some(_)) => return Err(ToolError::Malformed("give `cursor` or `after`, and not both".into())),
    };
    let query = ListQuery { oldest_first, ..resolved.query(limit, after) };
    let others = Mutex::new(BTreeMap::new());
    let page = if resolved.is_said_by_conditions() {
        context.store.list(&query).await?
    } else {
        let keep = |record: &Record| {
            let body = &record.draft.body;
            if let (Some(code), Ok(mut others)) = (resolved.not_compared(body), others.lock()) {
                *others.entry(code.to_owned()).or_default() += 1;
            }
            resolved.fits(body)
        };
        context.store.list_where(&query, &keep).await?
    };
    let others = others.into_inner().unwrap_or_default();
    let total = match &page.next {
        None if after.is_none() => Some(page.records.len() as u64),
        // Rollups know how many there are, unless more than days, categories and currency narrow them.
        Some(_) if resolved.is_of_rollups() => {
            let all = grouped(context, &resolved, By::None).await?;
            (!all.is_cut).then(|| all.count())
        }
        _ => None,
    };
    let headline = by_day_headline(&page, total, &resolved, listing, context);
    let suggestions = if page.records.is_empty() {
        vec![]
    } else {
        suggestions::after_list(&resolved, listing.order == Order::Newest, context)
    };
    Ok(QueryResult {
        count: page.records.len(),
        summary_for_llm: lines(headline, &page.records, context.style()) + &not_compared(&others, page.next.is_some()),
        items: items(&page.records),
        state_updates: StateUpdates {
            total,
            next_cursor: page.next.map(|position| seal_cursor(&position, &shape)),
            suggestions,
            ..resolved.row_state_updates(context)
        },
    })
}

fn by_day_headline(
    page: &Page,
    total: Option<u64>,
    resolved: &ResolvedFilters,
    listing: &Listing,
    context: &ToolContext<'_>,
) -> String {
    let oldest_first = listing.order == Order::Oldest;
    let first = if oldest_first { "oldest" } else { "newest" };
    match (page.records.len(), page.next.is_some(), total) {
        (0, false, _) if listing.continues() => "That is all. There are no more.".to_owned(),
        (0, false, _) => no_match(resolved, context),
        (n, false, _) if listing.continues() => format!("{LAST}{n} of the list:"),
        (n, true, Some(total)) if n > 0 && listing.continues() => format!("{NEXT}{n} of {total} expenses:"),
        (0, true, _) => {
            format!("None of the {first} expenses match, {MORE} to look through. Say “more”, or name days.")
        }
        (1, false, _) => "1 expense:".to_owned(),
        (n, false, _) => {
            let order = if oldest_first { ", oldest first" } else { "" };
            format!("{n} expenses{order}{}:", total_note(&page.records, resolved, context))
        }
        (n, true, Some(total)) => format!("{n} of {total} expenses, {first} first:"),
        (1, true, None) => format!("The {first} expense, {MORE}:"),
        (n, true, None) => format!("{n} expenses, {first} first, {MORE}:"),
    }
}

/// The first rows of one currency by amount, equal ones newest first.
#[derive(Default)]
struct First {
    /// What they are ordered by, and their numbers.
    rows: BTreeSet<(i64, Reverse<Date>, Reverse<u64>)>,
    seen: u64,
}

impl First {
    fn add(&mut self, row: (i64, Reverse<Date>, Reverse<u64>), limit: usize) {
        self.seen += 1;
        self.rows.insert(row);
        if self.rows.len() > limit {
            self.rows.pop_last();
        }
    }
}

async fn by_amount(
    context: &ToolContext<'_>,
    resolved: ResolvedFilters,
    limit: usize,
    order: Order,
) -> Result<QueryResult, ToolError> {
    let mut currencies: BTreeMap<String, First> = BTreeMap::new();
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
    let mut rank = |excerpt: Excerpt| {
        if let Some(code) = resolved.not_compared(&excerpt.body) {
            *others.entry(code.to_owned()).or_default() += 1;
        }
        let minor = excerpt.body.get("minor").and_then(Value::as_i64);
        let fitting = currency_of(&excerpt.body).filter(|_| resolved.fits(&excerpt.body));
        let (Some(minor), Some(currency)) = (minor, fitting) else { return };
        let place = if order == Order::Largest { -minor } else { minor };
        let place = (place, Reverse(excerpt.date), Reverse(excerpt.id));
        currencies.entry(currency.to_owned()).or_default().add(place, limit);
    };
    let all = context.store.each(&resolved.query(limit, None), &mut rank).await?;
    let own = context.currency.filter(|own| currencies.contains_key(*own));
    // The first alone is that of each; a page goes through those of one.
    let each = limit == 1 && currencies.len() > 1 && !context.user_messages.is_empty();
    let compared = match own {
        _ if each => String::new(),
        Some(own) => own.to_owned(),
        None if currencies.len() > 1 => return Err(which_currency(currencies)),
        None => currencies.keys().next().cloned().unwrap_or_default(),
    };
    let shown = match each {
        true => std::mem::take(&mut currencies).into_values().collect(),
        false => vec![currencies.remove(&compared).unwrap_or_default()],
    };
    let seen = shown.iter().map(|first| first.seen).sum();
    others.extend(currencies.into_iter().map(|(code, first)| (code, first.seen)));
    let mut detected = resolved.detected();
    if !others.is_empty() && !each {
        detected.get_or_insert_with(|| json!({}))["currency"] = json!(compared);
    }
    let ids: Vec<u64> = shown.into_iter().flat_map(|first| first.rows).map(|(_, _, Reverse(id))| id).collect();
    let records = rows(context, &ids).await?;
    let headline = match records.len() as u64 {
        0 if all => no_match(&resolved, context),
        n => by_amount_headline(n, seen, all, each, order),
    };
    Ok(QueryResult {
        count: records.len(),
        summary_for_llm: lines(headline, &records, context.style()) + &not_compared(&others, !all),
        items: items(&records),
        state_updates: StateUpdates {
            total: all.then_some(seen),
            detected_filters: detected,
            suggestions: if records.is_empty() { vec![] } else { suggestions::after_list(&resolved, false, context) },
            ..resolved.row_state_updates(context)
        },
    })
}

fn by_amount_headline(shown: u64, seen: u64, all: bool, each: bool, order: Order) -> String {
    let by = if order == Order::Largest { "largest first" } else { "smallest first" };
    match (shown, all) {
        (0, _) => "None of the newest expenses match. There are too many older ones, so name days.".to_owned(),
        (_, true) if each => format!("The {} in each currency:", by.trim_end_matches(" first")),
        (1, true) if seen == 1 => "1 expense:".to_owned(),
        (n, true) if n == seen => format!("{n} expenses, {by}:"),
        (n, true) => format!("{n} of {seen} expenses, {by}:"),
        (n, false) => format!("{n} of the newest {seen} expenses, {by}. There are too many older ones, so name days:"),
    }
}

/// What was looked for, where there is none of it.
fn no_match(resolved: &ResolvedFilters, context: &ToolContext<'_>) -> String {
    match resolved.described(context.style()) {
        Some(described) => format!("I found no expenses {described}."),
        None => "There are no expenses.".to_owned(),
    }
}

/// ", £9.00 on food": sums have no bounds, so a list with bounds says what it comes to.
fn total_note(records: &[Record], resolved: &ResolvedFilters, context: &ToolContext<'_>) -> String {
    if !resolved.has_bounds() {
        return String::new();
    }
    let sums = Sums::of(records, resolved);
    let spoken = sums.totals().into_iter().map(|(unit, sum)| expense_text::amount(unit, sum.amount, context.style()).1);
    let on = resolved.spoken();
    format!(", {}{}", listed(spoken.collect()), if on.is_empty() { " in total" } else { &on })
}

/// Rows in other currencies, of which there may be more where not all were read.
fn not_compared(others: &BTreeMap<String, u64>, is_part: bool) -> String {
    let line = |(code, seen): (&String, &u64)| match is_part {
        true => format!("\n(Not included: at least {seen} in {code})"),
        false => format!("\n(Not included: {seen} in {code})"),
    };
    others.iter().map(line).collect()
}

fn which_currency(currencies: BTreeMap<String, First>) -> ToolError {
    ToolError::Ask(Question {
        text: "In which currency? I can only compare amounts of one currency.".into(),
        options: currencies.into_keys().take(6).collect(),
        missing: vec!["currency".into()],
    })
}

/// Where a row stands that was shown.
async fn position(id: u64, resolved: &ResolvedFilters, context: &ToolContext<'_>) -> Result<Position, ToolError> {
    let row = context.store.record(KIND, id).await?.filter(|row| resolved.range.contains(row.draft.date));
    let gone = || ToolError::Refused(format!("#{id} is not in that list any more. Ask for the list again"));
    row.map(|row| Position { date: row.draft.date, id }).ok_or_else(gone)
}

/// A position that only fits the list it came from. It grants nothing: the tenant is added when it is used.
fn seal_cursor(position: &Position, shape: &str) -> String {
    let text = format!("{}/{}", position.date, position.id);
    BASE64URL_NOPAD.encode(format!("{}{text}", &hash_text(&format!("{shape}|{text}"))[..16]).as_bytes())
}

fn open_cursor(cursor: &str, shape: &str, range: &DateRange) -> Result<Position, ToolError> {
    let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let position = text.as_deref().and_then(|text| text.split_at_checked(16)).and_then(|(seal, text)| {
        let (date, id) = text.split_once('/')?;
        let position = Position { date: date.parse().ok()?, id: id.parse().ok()? };
        let fits = seal == &hash_text(&format!("{shape}|{text}"))[..16] && range.contains(position.date);
        fits.then_some(position)
    });
    position.ok_or(ToolError::BadCursor)
}
