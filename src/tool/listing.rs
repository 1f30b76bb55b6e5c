//! Lists for any kind by day: pages with cursors, rows by number, and the text of a list.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{
    Owners, PageQuery, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError, names, row_filter::RowFilter,
    row_view, shown_row,
};
use crate::{
    json_fields::Fields,
    phrases::DateRange,
    proposal::{Record, hash_text},
    shown::List,
    store::{ListQuery, Position},
};

/// Rows in the text, unless more were asked for. Clients get all rows.
const SUMMARY_ROWS: usize = 20;
/// Of the rows in the text.
const SUMMARY_BYTES: usize = 16_000;

/// Said of a list that there is more of than can be counted.
const MORE: &str = "and there are more";

/// The orders of every list.
pub const NEWEST: &str = "newest";
pub const OLDEST: &str = "oldest";

/// Numbers of rows in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The default.
    pub usual: usize,
    pub most: usize,
}

/// The limits of a list with pages.
pub const LIMITS: Limits = Limits { usual: 100, most: 500 };

impl Limits {
    pub fn of(self, asked: Option<usize>) -> Result<usize, ToolError> {
        let (limit, most) = (asked.unwrap_or(self.usual), self.most);
        if (1..=most).contains(&limit) {
            return Ok(limit);
        }
        Err(ToolError::Refused(format!("a list can have 1 to {most} rows. Ask for fewer, and then for more")))
    }
}

/// The part of a list to read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paging {
    pub limit: usize,
    /// `nextCursor` of the previous page.
    pub cursor: Option<String>,
    /// Instead of a cursor: the number of the last row shown.
    pub after: Option<u64>,
    pub oldest_first: bool,
}

impl Paging {
    pub fn first(limit: usize) -> Paging {
        Paging { limit, ..Paging::default() }
    }

    /// Whether this is a later page.
    pub fn continues(&self) -> bool {
        self.cursor.is_some() || self.after.is_some()
    }
}

/// Rows that a query found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    pub headline: String,
    pub records: Vec<Record>,
    /// Number of all matching rows, if known.
    pub total: Option<u64>,
    pub next_cursor: Option<String>,
    /// How many were asked for, if that was said.
    pub asked: Option<usize>,
}

impl Listed {
    pub fn result(self, kind: &dyn RecordKind, filter: &RowFilter<'_>, context: &ToolContext<'_>) -> QueryResult {
        let is_cut = self.total.is_some_and(|total| total > self.records.len() as u64);
        let part = List { has_more: self.next_cursor.is_some() || is_cut, ..List::default() };
        QueryResult {
            state_updates: StateUpdates {
                total: self.total,
                next_cursor: self.next_cursor,
                detected_filters: filter.detected(),
                ..StateUpdates::default()
            },
            ..of_records(kind, (self.headline, &self.records), self.asked, part, context)
        }
    }
}

/// A headline and rows, the first of them also in the text. `part` says whether others come before or after them.
pub fn of_records(
    kind: &dyn RecordKind,
    (headline, records): (String, &[Record]),
    asked: Option<usize>,
    part: List,
    context: &ToolContext<'_>,
) -> QueryResult {
    let (text, lines) = text(kind, headline, records, asked.unwrap_or_default().max(SUMMARY_ROWS), context);
    let view = |record: &Record| {
        let mut row = row_view(kind, record);
        context.members.name_owner(&mut row);
        row
    };
    QueryResult {
        count: records.len(),
        summary_for_llm: text,
        items: Some(records.iter().map(view).collect()),
        rows: records.iter().map(|record| shown_row(kind, record)).collect(),
        list: List { lines, has_more: part.has_more || records.len() > lines, ..part },
        ..QueryResult::default()
    }
}

/// For a kind without a list of its own: the rows that have the words in one of the fields.
pub async fn of_page(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    word_fields: &[&str],
    asked: &PageQuery,
) -> Result<QueryResult, ToolError> {
    let filters = Fields::root(&asked.filters);
    let texts = [filters.text("words")?, filters.text("text")?];
    let mut filter = RowFilter::of_words(word_fields, &texts.into_iter().flatten().collect::<Vec<_>>())?;
    if let Some(owners) = Owners::resolve(asked.whose.as_deref(), context)? {
        filter = filter.of(&owners);
    }
    if let Some(range) = &asked.range {
        let range = context.reader().resolve_range(range).map_err(|error| ToolError::Refused(error.to_string()))?;
        filter = filter.within(range, context.style());
    }
    let (limit, cursor, oldest_first) = (asked.limit, asked.cursor.clone(), asked.order == OLDEST);
    list(context, kind, &filter, &Paging { limit, cursor, oldest_first, after: None }).await
}

/// Matching rows by day, with a headline.
pub async fn list(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    paging: &Paging,
) -> Result<QueryResult, ToolError> {
    let mut listed = page(context, kind, filter, paging).await?;
    listed.headline = headline(kind, filter, paging, &listed, "");
    let found = listed.result(kind, filter, context);
    Ok(QueryResult { list: List { continues: paging.continues(), ..found.list }, ..found })
}

/// Without a headline. The total is known if the page is the whole list.
pub async fn page(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    paging: &Paging,
) -> Result<Listed, ToolError> {
    let Paging { limit, oldest_first, .. } = *paging;
    let oldest = if oldest_first { "|oldest" } else { "" };
    let shape = hash_text(&format!("{}|{}|{}{oldest}", context.caller.tenant(), kind.prefix(), filter.shape()));
    let after = match (&paging.cursor, paging.after) {
        (None, Some(id)) => Some(position(context, kind, id, &filter.range).await?),
        (cursor, None) => cursor.as_deref().map(|cursor| open_cursor(cursor, &shape, &filter.range)).transpose()?,
        (Some(_), Some(_)) => return Err(ToolError::Malformed("give `cursor` or `after`, and not both".into())),
    };
    let query = ListQuery { oldest_first, ..filter.query(kind.prefix(), limit, after) };
    let fits = |record: &Record| filter.fits(&record.draft.body);
    let keep = (!filter.is_said_by_conditions()).then_some(&fits as names::Keep<'_>);
    let page = names::list(context, &query, keep).await?;
    Ok(Listed {
        total: (page.next.is_none() && after.is_none()).then_some(page.records.len() as u64),
        next_cursor: page.next.map(|position| seal_cursor(&position, &shape)),
        records: page.records,
        asked: None,
        headline: String::new(),
    })
}

/// `note` is added to a first page of several rows.
pub fn headline(kind: &dyn RecordKind, filter: &RowFilter<'_>, paging: &Paging, listed: &Listed, note: &str) -> String {
    let (first, order) = if paging.oldest_first { ("oldest", ", oldest first") } else { ("newest", "") };
    let many = kind.noun(2);
    match (listed.records.len(), listed.next_cursor.is_some(), listed.total) {
        (0, false, _) if paging.continues() => "That is all. There are no more.".to_owned(),
        (0, false, _) => no_match(kind, filter),
        (n, false, _) if paging.continues() => format!("The last {n} of the list:"),
        (1, true, Some(total)) if paging.continues() => format!("The next one of {total} {many}:"),
        (n, true, Some(total)) if n > 0 && paging.continues() => format!("The next {n} of {total} {many}:"),
        (0, true, _) => format!("None of the {first} {many} match, {MORE} to look through. Say “more”, or name days."),
        (1, false, _) => format!("1 {}:", kind.noun(1)),
        (n, false, _) => format!("{n} {many}{order}{note}:"),
        (n, true, Some(total)) => format!("{n} of {total} {many}, {first} first{note}:"),
        (1, true, None) => format!("The {first} {}, {MORE}:", kind.noun(1)),
        (n, true, None) => format!("{n} {many}, {first} first{note}, {MORE}:"),
    }
}

/// The headline if nothing matches.
pub fn no_match(kind: &dyn RecordKind, filter: &RowFilter<'_>) -> String {
    let many = kind.noun(2);
    match filter.described() {
        Some(described) => format!("I found no {many} {described}."),
        None => format!("There are no {many}."),
    }
}

/// Rows by number, in the given order, without deleted ones.
pub async fn rows(context: &ToolContext<'_>, kind: &dyn RecordKind, ids: &[u64]) -> Result<Vec<Record>, ToolError> {
    let mut found = context.store.records(kind.prefix(), ids).await?;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// A list of rows by number. The headline names the numbers that do not exist.
pub async fn numbered(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    ids: &[u64],
    most: usize,
) -> Result<QueryResult, ToolError> {
    if ids.len() > most {
        return Err(ToolError::Refused(format!("at most {most} numbers at once. Give fewer")));
    }
    let records = rows(context, kind, ids).await?;
    let missing = ids.iter().filter(|id| records.iter().all(|record| record.id != **id));
    let missing: Vec<String> = missing.map(|id| format!("There is no {} #{id}.", kind.noun(1))).collect();
    let headline = missing.join("\n");
    let found = of_records(kind, (headline, &records), Some(ids.len()), List::default(), context);
    Ok(QueryResult { summary_for_llm: found.summary_for_llm.trim_start().to_owned(), ..found })
}

/// A headline and the first rows that fit, and how many these are. Each says whose it is, unless all are the caller's.
fn text(
    kind: &dyn RecordKind,
    headline: String,
    records: &[Record],
    most: usize,
    context: &ToolContext<'_>,
) -> (String, usize) {
    let caller = context.caller.user().as_str();
    let is_told = records.iter().any(|record| record.draft.owner != caller);
    let rows = records.iter().take(most).map(|record| {
        let owner = match record.draft.owner.as_str() {
            _ if !is_told => String::new(),
            owner if owner == caller => ", by you".to_owned(),
            owner => format!(", by {}", context.members.label(owner)),
        };
        format!("#{} {}{owner}", record.id, kind.describe(&record.draft, context.style()))
    });
    let rows: Vec<String> = rows.collect();
    let mut left = SUMMARY_BYTES;
    let fits = |row: &&String| {
        left = left.saturating_sub(row.len());
        left > 0
    };
    let fitting = rows.iter().take_while(fits).count();
    let hidden = records.len() - fitting;
    let more = if hidden > 0 { format!("\n… and {hidden} more") } else { String::new() };
    (format!("{headline}\n{}{more}", rows[..fitting].join("\n")).trim_end().to_owned(), fitting)
}

/// The first lines, and how many more there are.
pub fn first_lines(mut lines: impl Iterator<Item = String>, most: usize) -> String {
    let mut shown: Vec<String> = lines.by_ref().take(most).collect();
    let hidden = lines.count();
    shown.extend((hidden > 0).then(|| format!("… and {hidden} more")));
    shown.join("\n")
}

/// The position of a row that was shown.
async fn position(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    id: u64,
    range: &DateRange,
) -> Result<Position, ToolError> {
    let row = context.store.record(kind.prefix(), id).await?.filter(|row| range.contains(row.draft.date));
    let gone = || {
        let row = context.row_names.reference(kind.prefix(), id);
        ToolError::Refused(format!("{row} is not in that list any more. Ask for the list again"))
    };
    row.map(|row| Position { date: row.draft.date, id }).ok_or_else(gone)
}

/// A cursor that is valid for its own list only. It grants no access, because the tenant is added when it is used.
fn seal_cursor(position: &Position, shape: &str) -> String {
    let text = format!("{}/{}", position.date, position.id);
    BASE64_URL_SAFE_NO_PAD.encode(format!("{}{text}", &hash_text(&format!("{shape}|{text}"))[..16]).as_bytes())
}

fn open_cursor(cursor: &str, shape: &str, range: &DateRange) -> Result<Position, ToolError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.as_bytes()).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let position = text.as_deref().and_then(|text| text.split_at_checked(16)).and_then(|(seal, text)| {
        let (date, id) = text.split_once('/')?;
        let position = Position { date: date.parse().ok()?, id: id.parse().ok()? };
        let fits = seal == &hash_text(&format!("{shape}|{text}"))[..16] && range.contains(position.date);
        fits.then_some(position)
    });
    position.ok_or(ToolError::BadCursor)
}
