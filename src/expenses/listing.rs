//! The lists of `list_expenses` and of pages.
//!
//! A list by day is read one page at a time, with a cursor. A list by amount reads all matching rows and keeps the
//! first ones. It has no cursor, because the next page would read all rows again.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ExpenseKind,
    expense_text::{self, listed as joined},
    filters::{
        NotCompared, OtherReadings, ResolvedFilters, any_name, any_word, currency_of, nothing_in_common, other_name,
        resolve_filters,
    },
    get_balance::TO_COME,
    page_filters::Filters,
    suggestions,
    sums::{By, Sums, exact_sums, grouped},
};
use crate::{
    proposal::Record,
    shown::List,
    store::Excerpt,
    tool::{
        QueryResult, Question, StateUpdates, ToolContext, ToolError,
        listing::{self, LIMITS, Paging},
        names,
    },
};

/// For budgets and recurring expenses, which have no pages.
pub(super) const SUMMARY_PREFERENCES: usize = 50;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    pub filters: Filters,
    /// By day, newest first, if absent.
    pub order: Option<Order>,
    pub limit: Option<usize>,
    pub cursor: Option<String>,
    /// The number of the last row shown.
    pub after: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    #[default]
    Newest,
    Oldest,
    Largest,
    Smallest,
}

pub async fn list(context: &ToolContext<'_>, listing: Listing) -> Result<QueryResult, ToolError> {
    let limit = LIMITS.of(listing.limit)?;
    let Some(asked) = resolve_filters(&listing.filters, context)? else {
        return Ok(QueryResult { items: Some(vec![]), ..nothing_in_common() });
    };
    let found = rows_of(context, asked.clone(), limit, &listing).await;
    // Other readings are tried only on a first page, because a cursor belongs to one list.
    let is_none = match &found {
        Ok(found) if found.count > 0 || found.state_updates.next_cursor.is_some() => false,
        // If the list has no rows at all, the rows shown came from another list.
        Ok(_) if listing.after.is_some() => {
            let whole = Listing { after: None, ..listing.clone() };
            rows_of(context, asked, 1, &whole).await?.count == 0
        }
        Ok(_) => listing.cursor.is_none(),
        Err(error) => matches!(error, ToolError::BadCursor),
    };
    if !is_none {
        let found = found?;
        let is_first = listing.cursor.is_none() && listing.after.is_none();
        return match is_first && listing.filters.categories.len() > 1 {
            true => Ok(with_note(found, &not_listed(context, &listing.filters).await?)),
            false => Ok(found),
        };
    }
    if let Some(other) = any_name(&listing.filters, context)
        && let Some(found) = rows_if_any(context, other, limit, &listing).await?
    {
        return Ok(with_note(found, "\n(Each has one of these names. None is in a category with one of them.)"));
    }
    let mut others = OtherReadings::of(&listing.filters);
    while let Some((reading, other)) = others.next(context).await? {
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

/// Like [`list`], without other readings: a page cannot say that its rows are not those that it asked for.
pub async fn list_exactly(context: &ToolContext<'_>, listing: Listing) -> Result<QueryResult, ToolError> {
    let limit = LIMITS.of(listing.limit)?;
    match resolve_filters(&listing.filters, context)? {
        Some(asked) => rows_of(context, asked, limit, &listing).await,
        None => Ok(nothing_in_common()),
    }
}

/// The categories among several that nothing ever was in: what has such a name is not listed with the others.
async fn not_listed(context: &ToolContext<'_>, asked: &Filters) -> Result<String, ToolError> {
    let ever = Filters { categories: asked.categories.clone(), whose: asked.whose.clone(), ..Filters::default() };
    let Some((exact, sums)) = exact_sums(context, &ever, By::Category).await? else { return Ok(String::new()) };
    let is_missing = |name: &&String| sums.groups.keys().all(|(category, _)| category != *name);
    let note = |name| format!("\n(None is in a category “{name}”. To see what has that name, say “show {name}”.)");
    Ok(exact.categories.iter().filter(is_missing).map(note).collect())
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
    match listing.order.unwrap_or_default() {
        Order::Newest | Order::Oldest => by_day(context, resolved, limit, listing).await,
        _ if listing.cursor.is_some() || listing.after.is_some() => Err(ToolError::Refused(
            "a list by amount has no next page. Ask for more rows at once, or for fewer days".into(),
        )),
        order => by_amount(context, resolved, (limit, listing.limit), order).await,
    }
}

/// The note if a category was read as a name, a name as a category, or either as what is called by another name.
fn reading_note(asked: &Filters, reading: &Filters) -> String {
    if let Some(said) = other_name(asked, reading) {
        return format!("\n(None is called “{said}”.)");
    }
    if let (None, Some(text)) = (&asked.text, &reading.text) {
        let text = text.trim_matches('"');
        return format!("\n(These have “{text}” in their notes. None is called “{text}”.)");
    }
    match (asked.categories.as_slice(), &asked.words, &reading.words) {
        ([category], _, Some(_)) => {
            format!("\n(These have the name “{category}”. None is in a category “{category}”.)")
        }
        (_, Some(name), None) => format!("\n(These are in the category “{name}”. None has the name “{name}”.)"),
        _ => String::new(),
    }
}

async fn by_day(
    context: &ToolContext<'_>,
    resolved: ResolvedFilters,
    limit: usize,
    listing: &Listing,
) -> Result<QueryResult, ToolError> {
    let Listing { cursor, after, order, .. } = listing.clone();
    let paging = Paging { limit, cursor, after, oldest_first: order == Some(Order::Oldest) };
    let others = NotCompared::default();
    let filter = resolved.rows(Some(&others), context.style());
    let mut listed = listing::page(context, &ExpenseKind, &filter, &paging).await?;
    // Rollups know how many there are, unless more than days, categories and currency narrow them.
    if listed.next_cursor.is_some() && resolved.can_use_rollups() {
        let all = grouped(context, &resolved, By::None).await?;
        listed.total = (!all.is_cut).then(|| all.count());
    }
    let is_part = listed.next_cursor.is_some();
    // "The last 3 coffees" have a sum; a page of a longer list has none that was asked for.
    let is_summed = match listing.limit {
        Some(limit) => limit > 1,
        None => resolved.has_bounds() && !is_part,
    };
    let note = if is_summed { total_note(&listed.records, is_part, &resolved, context) } else { String::new() };
    listed.asked = listing.limit;
    listed.headline = listing::headline(&ExpenseKind, &filter, &paging, &listed, &note);
    let is_none = listed.records.is_empty();
    let suggestions = if is_none { vec![] } else { suggestions::after_list(&resolved, !paging.oldest_first, context) };
    let mut found = listed.result(&ExpenseKind, &filter, context);
    drop(filter);
    if is_none && resolved.range.from > context.today {
        found.summary_for_llm.push_str(TO_COME);
    }
    found.list.continues = paging.continues();
    found.summary_for_llm.push_str(&not_compared(&others.counts(), is_part));
    found.state_updates.suggestions = suggestions;
    found.state_updates.filter_match = resolved.row_state_updates(context).filter_match;
    Ok(found)
}

/// The first rows of one currency by amount. Equal amounts are newest first.
#[derive(Default)]
struct First {
    /// The sort key, day and id of each row.
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
    (limit, asked): (usize, Option<usize>),
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
    let all = names::each(context, &resolved.query(limit), &mut rank).await?;
    let own = context.currency.filter(|own| currencies.contains_key(*own));
    // A single row is given for each currency. Pages list one currency.
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
    let records = listing::rows(context, &ExpenseKind, &ids).await?;
    let headline = match records.len() as u64 {
        0 if all => listing::no_match(&ExpenseKind, &resolved.rows(None, context.style())),
        n => by_amount_headline(n, seen, all, each, order, &of(&resolved, context)),
    };
    let part = List { has_more: !all || !each && seen > records.len() as u64, ..List::default() };
    let found = listing::of_records(&ExpenseKind, (headline, &records), asked, part, context);
    Ok(QueryResult {
        summary_for_llm: found.summary_for_llm + &not_compared(&others, !all),
        state_updates: StateUpdates {
            total: all.then_some(seen),
            detected_filters: detected,
            suggestions: if records.is_empty() { vec![] } else { suggestions::after_list(&resolved, false, context) },
            ..resolved.row_state_updates(context)
        },
        ..found
    })
}

/// `of`: what the list is of.
fn by_amount_headline(shown: u64, seen: u64, all: bool, each: bool, order: Order, of: &str) -> String {
    let by = if order == Order::Largest { "largest" } else { "smallest" };
    match (shown, all) {
        (0, _) => "None of the newest expenses match. There are too many older ones, so name days.".to_owned(),
        (_, true) if each => format!("The {by} in each currency{of}:"),
        (1, true) if seen == 1 => format!("1 expense{of}:"),
        (n, true) if n == seen => format!("{n} expenses, {by} first{of}:"),
        (n, true) => format!("{n} of {seen} expenses, {by} first{of}:"),
        (n, false) => {
            format!("{n} of the newest {seen} expenses, {by} first{of}. There are too many older ones, so name days:")
        }
    }
}

/// " (in food, without “rent”)": also what an earlier question said.
fn of(resolved: &ResolvedFilters, context: &ToolContext<'_>) -> String {
    resolved.described_in_short(context.style()).map(|described| format!(" ({described})")).unwrap_or_default()
}

/// ", £9.00 in total (in food, over 5)", or ", £6.50 for these" of the first rows. Sums have no amount bounds, so a list
/// with bounds states its total.
fn total_note(records: &[Record], is_part: bool, resolved: &ResolvedFilters, context: &ToolContext<'_>) -> String {
    let sums = Sums::of(records, resolved);
    let spoken = sums.totals().into_iter().map(|(unit, sum)| expense_text::amount(unit, sum.amount, context.style()).1);
    match is_part {
        true => format!(", {} for these", joined(spoken.collect())),
        false => format!(", {} in total{}", joined(spoken.collect()), of(resolved, context)),
    }
}

/// Notes the rows in other currencies. `is_part`: not all rows were read, so there may be more.
fn not_compared(others: &BTreeMap<String, u64>, is_part: bool) -> String {
    let line = |(code, seen): (&String, &u64)| match is_part {
        true => format!("\n(Not included: at least {seen} in {code})"),
        false => format!("\n(Not included: {seen} in {code})"),
    };
    others.iter().map(line).collect()
}

fn which_currency(currencies: BTreeMap<String, First>) -> ToolError {
    ToolError::ask(Question {
        text: "In which currency? I can only compare amounts of one currency.".into(),
        options: currencies.into_keys().take(6).collect(),
        missing: vec!["currency".into()],
        ..Question::default()
    })
}
