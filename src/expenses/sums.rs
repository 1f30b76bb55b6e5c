//! Sums by group and currency. They come from rollups if rollups are enough; otherwise from the rows, with one page of
//! rows in memory at a time.

use std::collections::BTreeMap;

use jiff::{ToSpan, civil::Date};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    budget::Period,
    expense::{self, Line, NO_CATEGORY, by_category, name},
    filters::{OtherReadings, ResolvedFilters, currency_of, other_name, resolve_filters},
    page_filters::Filters,
};
use crate::{
    phrases::DateRange,
    proposal::{Body, Record},
    store::{Condition, Excerpt},
    tool::{
        ToolContext, ToolError,
        names::{self, NameTotal},
    },
};

/// Rows that are read to order items by their last days.
const NEWEST: usize = 500;

/// What sums are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    Category,
    Month,
    /// From Monday to Sunday.
    Week,
    Day,
    /// All Mondays together, and so on.
    Weekday,
    /// The item that was bought.
    Item,
    /// One sum for everything.
    None,
}

impl By {
    pub(super) fn word(self) -> &'static str {
        match self {
            By::Category => "category",
            By::Month => "month",
            By::Week => "week",
            By::Day => "day",
            By::Weekday => "weekday",
            By::Item | By::None => "item",
        }
    }

    /// The periods that are the groups, if these have several days.
    pub(super) fn period(self) -> Option<Period> {
        match self {
            By::Month => Some(Period::Month),
            By::Week => Some(Period::Week),
            By::Category | By::Day | By::Weekday | By::Item | By::None => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sums {
    /// By group key and currency code.
    pub groups: BTreeMap<(String, String), Sum>,
    /// There were too many rows, so some were not read.
    pub is_cut: bool,
    /// Expenses without a category, where only some categories were asked for.
    pub uncategorised: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sum {
    /// In minor units.
    pub amount: i128,
    pub count: i64,
    /// Parts of split expenses that are already counted in another group.
    pub parts: i64,
    pub last: Date,
    /// The caller's part: amount and number of expenses, parts included.
    pub yours: (i128, i64),
    /// Others have a part.
    pub by_others: bool,
}

pub(super) async fn grouped(context: &ToolContext<'_>, resolved: &ResolvedFilters, by: By) -> Result<Sums, ToolError> {
    if by != By::Item
        && resolved.can_use_rollups()
        && let Some(sums) = rollups(context, resolved, by).await?
    {
        return Ok(sums);
    }
    if let Some(sums) = names_sums(context, resolved, by).await? {
        return Ok(sums);
    }
    let mut sums = Sums::default();
    let query = resolved.query(usize::MAX);
    let mut add = |excerpt: Excerpt| {
        if resolved.fits(&excerpt.body) {
            sums.add_row((&excerpt.owner, excerpt.date, &excerpt.body), resolved, by);
        }
    };
    let all = names::each(context, &query, &mut add).await?;
    sums.is_cut = !all;
    Ok(sums)
}

/// The sums of a query. If there are none, the sums of the first other reading that has some. None if the query and the
/// page exclude each other.
pub(super) async fn find_sums(
    context: &ToolContext<'_>,
    asked: Filters,
    by: By,
) -> Result<Option<(ResolvedFilters, Sums)>, ToolError> {
    let Some((exact, sums)) = exact_sums(context, &asked, by).await? else { return Ok(None) };
    if sums.groups.is_empty() {
        let mut others = OtherReadings::of_sums(&asked);
        while let Some((reading, other)) = others.next(context).await? {
            let other = other.in_place_of(other_name(&asked, &reading));
            let sums = grouped(context, &other, by).await?;
            if !sums.groups.is_empty() {
                return Ok(Some((other, sums)));
            }
        }
    }
    Ok(Some((exact, sums)))
}

/// Like [`find_sums`], without other readings.
pub(super) async fn exact_sums(
    context: &ToolContext<'_>,
    asked: &Filters,
    by: By,
) -> Result<Option<(ResolvedFilters, Sums)>, ToolError> {
    let Some(exact) = resolve_filters(asked, context)? else { return Ok(None) };
    let sums = grouped(context, &exact, by).await?;
    Ok(Some((exact, sums)))
}

impl Sums {
    /// By currency code.
    pub fn totals(&self) -> BTreeMap<&str, Sum> {
        let mut totals: BTreeMap<&str, Sum> = BTreeMap::new();
        for ((_, unit), sum) in &self.groups {
            totals.entry(unit).or_default().add(*sum);
        }
        totals
    }

    /// The days with an expense. Only for sums by day.
    pub fn days(&self) -> impl Iterator<Item = Date> {
        self.groups.values().map(|sum| sum.last)
    }

    /// Number of expenses.
    pub fn count(&self) -> u64 {
        u64::try_from(self.groups.values().map(|sum| sum.count).sum::<i64>()).unwrap_or_default()
    }

    /// Sums the rows that fit.
    pub fn of<'r>(records: &'r [Record], resolved: &ResolvedFilters) -> Self {
        let mut sums = Self::default();
        let row = |record: &'r Record| (record.draft.owner.as_str(), record.draft.date, &record.draft.body);
        records.iter().for_each(|record| sums.add_row(row(record), resolved, By::None));
        sums
    }

    /// Adds the parts of a row that are in the selected categories.
    fn add_row(&mut self, (owner, date, body): (&str, Date, &Body), resolved: &ResolvedFilters, by: By) {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let (Some(minor), Some(unit)) = (body.get("minor").and_then(Value::as_i64), text("currency")) else {
            return;
        };
        let lines = body.get("lines").and_then(|lines| Vec::<Line>::deserialize(lines).ok()).unwrap_or_default();
        let parts = match lines.as_slice() {
            [] => vec![(text("category").unwrap_or(NO_CATEGORY), minor)],
            lines => by_category(lines),
        };
        let parts = parts.into_iter().filter(|(category, _)| resolved.is_in_group(category));
        for (n, (category, minor)) in parts.enumerate() {
            let key = match by {
                By::Item => name(text("item").unwrap_or_default()),
                by => key(by, date, category),
            };
            let (count, parts) = if n == 0 { (1, 0) } else { (0, i64::from(by == By::Category)) };
            let sum = Sum { amount: minor.into(), count, parts, last: date, ..Sum::default() };
            let sum = sum.spent_by(resolved.owners.is_callers(owner));
            self.groups.entry((key, unit.to_owned())).or_default().add(sum);
        }
    }
}

impl Sum {
    pub fn of_one(minor: i64, date: Date, is_callers: bool) -> Sum {
        Sum { amount: minor.into(), count: 1, last: date, ..Sum::default() }.spent_by(is_callers)
    }

    pub fn add(&mut self, other: Sum) {
        let last = if self.own() == 0 { other.last } else { self.last.max(other.last) };
        let (count, parts) = (self.count + other.count, self.parts + other.parts);
        let yours = (self.yours.0 + other.yours.0, self.yours.1 + other.yours.1);
        let by_others = self.by_others || other.by_others;
        *self = Sum { amount: self.amount + other.amount, count, parts, last, yours, by_others };
    }

    fn spent_by(self, is_caller: bool) -> Sum {
        let yours = if is_caller { (self.amount, self.own()) } else { (0, 0) };
        Sum { yours, by_others: !is_caller, ..self }
    }

    /// Number of expenses with an amount in this sum. A split expense counts in each of its groups.
    pub fn own(&self) -> i64 {
        self.count + self.parts
    }
}

pub(super) fn monday(date: Date) -> Date {
    date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days())
}

/// None if rollups cannot tell. With several categories they do not say which parts belong to one expense.
async fn rollups(context: &ToolContext<'_>, resolved: &ResolvedFilters, by: By) -> Result<Option<Sums>, ToolError> {
    let days = resolved.range;
    let (rollups, are_all) = context.store.newest_rollups(expense::KIND, days.from, days.to).await?;
    let mut sums = Sums { is_cut: !are_all, ..Sums::default() };
    for (rollup_key, rollup) in rollups {
        if !resolved.owners.includes(&rollup_key.owner) || !resolved.is_in_currency(&rollup_key.unit) {
            continue;
        }
        let is_wanted = resolved.is_in_group(&rollup_key.group);
        let is_left_out = rollup_key.group == NO_CATEGORY && !resolved.categories.is_empty();
        if !is_wanted && !is_left_out {
            continue;
        }
        for (day, (amount, count)) in rollup.days {
            let Ok(date) = Date::new(rollup_key.year, rollup_key.month, day) else { continue };
            let parts = rollup.parts.get(&day).copied().unwrap_or_default();
            if !is_wanted && resolved.range.contains(date) {
                sums.uncategorised += count;
            } else if count + parts > 0 && resolved.range.contains(date) {
                let key = key(by, date, &rollup_key.group);
                let (count, parts) = match resolved.categories.len() {
                    0 => (count, if by == By::Category { parts } else { 0 }),
                    1 => (count + parts, 0),
                    _ if parts == 0 => (count, 0),
                    _ => return Ok(None),
                };
                let sum = Sum { amount, count, parts, last: date, ..Sum::default() };
                let sum = sum.spent_by(resolved.owners.is_callers(&rollup_key.owner));
                sums.groups.entry((key, rollup_key.unit.clone())).or_default().add(sum);
            }
        }
    }
    Ok(Some(sums))
}

/// Sums of all days by name, or of the names with certain words, from the totals of names. Their last days are unknown.
/// None if the totals cannot tell.
async fn names_sums(context: &ToolContext<'_>, resolved: &ResolvedFilters, by: By) -> Result<Option<Sums>, ToolError> {
    let is_of_names = by == By::Item || by == By::None && resolved.conditions.iter().any(Condition::is_about_words);
    if !is_of_names || resolved.range != DateRange::ALL || !resolved.can_use_names() {
        return Ok(None);
    }
    let query = resolved.query(0);
    let names = context.names.of(context, query.kind, query.owner()).await?;
    if names.is_cut() {
        return Ok(None);
    }
    let mut sums = Sums::default();
    for NameTotal { owner, name, unit, sum, count } in names.matching(&query.conditions) {
        if resolved.is_in_currency(unit) {
            let key = if by == By::Item { name.to_string() } else { key(by, Date::default(), "") };
            let sum = Sum { amount: *sum, count: *count, ..Sum::default() };
            let sum = sum.spent_by(resolved.owners.is_callers(owner));
            sums.groups.entry((key, unit.to_string())).or_default().add(sum);
        }
    }
    Ok(Some(sums))
}

/// Sets the last days of items that were summed without reading rows, as far as the newest rows tell them.
pub(super) async fn date_items(
    context: &ToolContext<'_>,
    resolved: &ResolvedFilters,
    sums: &mut Sums,
) -> Result<(), ToolError> {
    for record in names::list(context, &resolved.query(NEWEST), None).await?.records {
        let (unit, item) = (currency_of(&record.draft.body), record.draft.name.clone());
        if let Some(sum) = unit.zip(item).and_then(|(unit, item)| sums.groups.get_mut(&(item, unit.to_owned()))) {
            sum.last = sum.last.max(record.draft.date);
        }
    }
    Ok(())
}

fn key(by: By, date: Date, group: &str) -> String {
    match by {
        By::Category => group.to_owned(),
        By::Month => date.strftime("%Y-%m").to_string(),
        By::Week => monday(date).to_string(),
        By::Day => date.to_string(),
        By::Weekday => date.strftime("%A").to_string(),
        By::Item | By::None => "all".to_owned(),
    }
}
