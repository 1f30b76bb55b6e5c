//! Word search for any kind: the rows that match words best, misspelt words included.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use jiff::civil::Date;

use super::{
    QueryResult, RecordKind, ToolContext, ToolError,
    listing::{self, Listed, Paging},
    names::{self, NameTotal, NamedRows},
    row_filter::RowFilter,
    word_match::{MatchScore, WordMatch},
    word_query::WordQuery,
};
use crate::{
    proposal::Record,
    store::{Excerpt, ListQuery, StoreError},
};

/// Pages of rows whose texts are compared, each 1 MB.
const PAGES: usize = 4;

/// Names that match differently well and are read one after the other.
const LEVELS: usize = 6;

/// Rows.
const MAX_LIMIT: usize = 50;

/// Rows in place of a list that is empty.
const NEAREST: usize = 10;

/// In characters.
const MAX_QUERY: usize = 200;

/// Rows by words, best match first. `limit` must come from [`checked`].
///
/// All names are compared. Other texts are compared only if too few names have all words, and only those of the newest
/// rows.
pub async fn by_words(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    query: &str,
    limit: usize,
) -> Result<Listed, ToolError> {
    let fields = kind.search().map_or(&[][..], |search| search.word_fields());
    let mut wanted = WordMatch::new(query).ok_or_else(no_word)?;
    let rows = filter.query(kind.prefix(), limit, None);
    let matching = MatchingNames::of(context, &rows, &mut wanted).await?;
    let mut best = Best { limit, rows: BTreeSet::new(), known: HashMap::new() };
    let has_enough = matching.complete >= limit as u64;
    if has_enough {
        best.add_named(matching.read(context, &rows, filter, &wanted, fields).await?, &mut wanted, fields);
        if best.complete(&wanted) >= limit {
            // A row can have in its other texts what is left out.
            let is_known = filter.is_everything() && !wanted.leaves_out() && !matching.is_cut;
            let total = is_known.then_some(matching.rows);
            let headline = named_headline(kind, query, limit, total, best.is_sure(&wanted));
            return best.listed(context, kind, headline, total).await;
        }
    }
    let mut found = 0_u64;
    let mut rank = |row: Excerpt| {
        let fit = wanted.fit(&row.body, fields).filter(|_| filter.fits(&row.body));
        found += u64::from(fit.is_some());
        fit.into_iter().for_each(|fit| best.add(fit, row.date, row.id));
    };
    let all = context.store.each_of(&rows, PAGES, &mut rank).await?;
    if !all && !has_enough {
        best.add_named(matching.read(context, &rows, filter, &wanted, fields).await?, &mut wanted, fields);
    }
    let shown = best.rows.len() as u64;
    let searched = match (all, matching.is_cut) {
        (true, _) => Searched::Everything,
        (false, false) => Searched::AllNames,
        (false, true) => Searched::SomeNames,
    };
    let headline = headline(kind, query, shown, if all { found } else { shown }, best.is_sure(&wanted), searched);
    best.listed(context, kind, headline, all.then_some(found)).await
}

/// The names that have words of a query.
struct MatchingNames {
    /// Best match first.
    levels: Vec<NamedRows>,
    /// Rows with these names.
    rows: u64,
    /// Rows whose names have all words.
    complete: u64,
    /// There are too many names, so some were not compared.
    is_cut: bool,
}

/// What a search compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Searched {
    Everything,
    /// Other texts only of the newest rows.
    AllNames,
    /// … and not all names.
    SomeNames,
}

impl MatchingNames {
    async fn of(
        context: &ToolContext<'_>,
        rows: &ListQuery<'_>,
        wanted: &mut WordMatch,
    ) -> Result<MatchingNames, StoreError> {
        let names = context.names.of(context, rows.kind, rows.owner()).await?;
        let mut levels: BTreeMap<Reverse<MatchScore>, Vec<&NameTotal>> = BTreeMap::new();
        for total in names.matching(&rows.conditions) {
            let fit = wanted.fit_texts(|| [&*total.name].into_iter());
            fit.into_iter().for_each(|fit| levels.entry(Reverse(fit)).or_default().push(total));
        }
        let levels: Vec<(bool, NamedRows)> =
            levels.into_iter().map(|(Reverse(fit), totals)| (wanted.has_all(fit), NamedRows::of(totals))).collect();
        Ok(MatchingNames {
            rows: levels.iter().map(|(_, named)| named.rows).sum(),
            complete: levels.iter().filter(|(has_all, _)| *has_all).map(|(_, named)| named.rows).sum(),
            levels: levels.into_iter().map(|(_, named)| named).collect(),
            is_cut: names.is_cut(),
        })
    }

    /// As many rows as the query asks for, those with the best names.
    async fn read(
        &self,
        context: &ToolContext<'_>,
        rows: &ListQuery<'_>,
        filter: &RowFilter<'_>,
        wanted: &WordMatch,
        fields: &[&str],
    ) -> Result<Vec<Record>, StoreError> {
        let mut read: Vec<Record> = Vec::new();
        for named in self.levels.iter().take(LEVELS) {
            let query = ListQuery { limit: rows.limit - read.len(), ..rows.clone() };
            let fits = |record: &Record| filter.fits(&record.draft.body) && wanted.allows(&record.draft.body, fields);
            read.extend(names::named(context, &query, named, &fits).await?.records);
            if read.len() >= rows.limit {
                break;
            }
        }
        Ok(read)
    }
}

/// The rows that match best.
struct Best {
    limit: usize,
    rows: BTreeSet<Reverse<(MatchScore, Date, u64)>>,
    /// Rows that need not be read again.
    known: HashMap<u64, Record>,
}

impl Best {
    fn add(&mut self, fit: MatchScore, date: Date, id: u64) {
        self.rows.insert(Reverse((fit, date, id)));
        if self.rows.len() > self.limit {
            self.rows.pop_last();
        }
    }

    fn add_named(&mut self, records: Vec<Record>, wanted: &mut WordMatch, fields: &[&str]) {
        for record in records {
            let fit = wanted.fit(&record.draft.body, fields);
            fit.into_iter().for_each(|fit| self.add(fit, record.draft.date, record.id));
            self.known.insert(record.id, record);
        }
    }

    /// Rows with all words.
    fn complete(&self, wanted: &WordMatch) -> usize {
        self.rows.iter().filter(|Reverse((fit, ..))| wanted.has_all(*fit)).count()
    }

    fn is_sure(&self, wanted: &WordMatch) -> bool {
        self.rows.first().is_none_or(|Reverse((fit, ..))| wanted.is_sure(*fit))
    }

    async fn listed(
        mut self,
        context: &ToolContext<'_>,
        kind: &dyn RecordKind,
        headline: String,
        total: Option<u64>,
    ) -> Result<Listed, ToolError> {
        let ids = || self.rows.iter().map(|Reverse((_, _, id))| *id);
        let unread: Vec<u64> = ids().filter(|id| !self.known.contains_key(id)).collect();
        let ids: Vec<u64> = ids().collect();
        let read = listing::rows(context, kind, &unread).await?;
        self.known.extend(read.into_iter().map(|record| (record.id, record)));
        let records = ids.iter().filter_map(|id| self.known.remove(id)).collect();
        Ok(Listed { headline, records, total, ..Listed::default() })
    }
}

/// Matching rows by day. Where none has all words, the rows without the filter of words that match them best.
pub async fn list_or_nearest(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
    without_words: &RowFilter<'_>,
    words: Option<&str>,
    paging: &Paging,
) -> Result<QueryResult, ToolError> {
    let found = listing::list(context, kind, filter, paging).await?;
    let is_over = found.count > 0 || found.state_updates.next_cursor.is_some() || paging.continues();
    let Some(words) = words.filter(|_| !is_over) else { return Ok(found) };
    let nearest = by_words(context, kind, without_words, words, NEAREST.min(paging.limit)).await?;
    Ok(nearest.result(kind, without_words, context))
}

/// Checks the query and returns the limit: `usual` if absent.
pub fn checked(query: &str, limit: Option<usize>, usual: usize) -> Result<usize, ToolError> {
    let limit = limit.unwrap_or(usual);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ToolError::Refused(format!("I can show 1 to {MAX_LIMIT} rows. Ask for fewer, or name days")));
    }
    if query.chars().count() > MAX_QUERY {
        return Err(ToolError::Refused(format!("the search has more than {MAX_QUERY} characters. Use fewer words")));
    }
    if query.chars().any(char::is_alphanumeric) { Ok(limit) } else { Err(no_word()) }
}

fn no_word() -> ToolError {
    ToolError::Refused("there is no word to look for. Say one".into())
}

/// Repeats the query without its punctuation.
fn headline(kind: &dyn RecordKind, query: &str, shown: u64, found: u64, sure: bool, searched: Searched) -> String {
    let (query, one, many) = (WordQuery::new(query).described("", ""), kind.noun(1), kind.noun(2));
    let mut headline = match (found, sure) {
        (0, _) => format!("Nothing matches {query}."),
        (_, false) => format!("Nothing matches {query} exactly. This is close:"),
        (1, true) => format!("1 {one} matches {query}:"),
        (n, true) if n == shown => format!("{n} {many} match {query}, best first:"),
        (n, true) => format!("{shown} of {n} {many} that match {query}, best first:"),
    };
    let names = match searched {
        Searched::Everything => return headline,
        Searched::AllNames => format!("all names, but other words only in the newest {many}"),
        Searched::SomeNames => format!("only a part of the names, and other words only in the newest {many}"),
    };
    headline.push_str(&format!(" (I searched {names}, because there are too many. Name days for older ones.)"));
    headline
}

/// If the names give enough rows, no other texts are searched.
fn named_headline(kind: &dyn RecordKind, query: &str, shown: usize, total: Option<u64>, sure: bool) -> String {
    let (query, one, many) = (WordQuery::new(query).described("", ""), kind.noun(1), kind.noun(2));
    match total {
        _ if !sure => format!("No name matches {query} exactly. This is close:"),
        Some(1) => format!("1 {one} has a name that matches {query}:"),
        Some(total) if total == shown as u64 => {
            format!("{total} {many} have a name that matches {query}, best first:")
        }
        Some(total) => format!("{shown} of {total} {many} whose name matches {query}, best first:"),
        None => format!("{shown} {many} whose name matches {query}, best first. There may be more:"),
    }
}
