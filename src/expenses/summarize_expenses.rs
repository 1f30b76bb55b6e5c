//! `summarize_expenses`: sums by group, the largest groups, and comparisons with the period before.

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
    averages::{Per, averaged},
    budget::Period,
    expense::NO_CATEGORY,
    expense_text::{self, listed},
    filters::{ResolvedFilters, nothing_in_common, resolve_filters},
    get_balance::{CUT, are_categories, names_in, totals},
    page_filters::Filters,
    periods::{self, Comparison, when},
    shares::{percent, share_of},
    suggestions,
    sums::{By, Sum, Sums, date_items, find_sums, grouped},
    voice,
};
use crate::{
    phrases::{DateRange, Style},
    shown::List,
    sorted::{Collect, Sort},
    tool::{Owners, Query, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError},
};

const DEFAULT_TOP: usize = 20;
const MAX_TOP: usize = 50;

/// Sums by category, month, week, day, weekday or item, per currency. Can compare two periods.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SummarizeExpenses {
    by: By,
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    /// A category or an item name, or several categories, which are added up: "food and transport".
    category: Option<String>,
    /// "Everything but rent": excludes these categories and item names.
    #[serde(default)]
    without: Vec<String>,
    /// The item must contain all these words: "uber". Words in quotes stand beside each other, and a minus excludes:
    /// `"green tea" -decaf`.
    words: Option<String>,
    /// ISO 4217 code: only expenses in it. Nothing is converted.
    currency: Option<String>,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
    /// Number of groups: at most 50, 20 if absent.
    top: Option<usize>,
    /// `smallest` counts groups with expenses only. If absent: `largest` for categories, weekdays and items, `newest` for months, weeks and days.
    order: Option<GroupOrder>,
    /// Compare with the period before: the month before a month, otherwise the same number of days before. Of a period
    /// that is not over, with the same days of the one before.
    #[serde(default)]
    compare: bool,
    /// Compare with these days, if the person named both: "more in June than in May". All days of both count, even if
    /// one is not over.
    than: Option<String>,
    /// A category or an item name: the percentage that is spent on it, of all that the other arguments select. With `by`
    /// "none".
    share_of: Option<String>,
    /// An average instead of a sum, with `by` "none": per day, week, month, year or expense ("average price").
    average: Option<Per>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GroupOrder {
    Largest,
    Newest,
    Smallest,
}

impl Query for SummarizeExpenses {
    const NAME: &'static str = "summarize_expenses";

    fn status(&self, context: &ToolContext<'_>) -> String {
        periods::looking_at(self.range.as_deref(), context)
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let top = self.top.unwrap_or(DEFAULT_TOP);
        if !(1..=MAX_TOP).contains(&top) {
            return Err(ToolError::Refused(format!(
                "I can show 1 to {MAX_TOP} groups. Ask for fewer, or for fewer days"
            )));
        }
        let Self { range, category, words, without, currency, whose, .. } = self;
        let filters = Filters { range, words, without, currency, whose, ..Filters::default() };
        let filters = match category {
            Some(category) => of_categories(context, filters, category).await?,
            None => filters,
        };
        if let Some(per) = self.average {
            if self.by != By::None || self.compare || self.than.is_some() {
                let text = "an average has no groups and no comparison: pass by \"none\", or leave out average";
                return Err(ToolError::Refused(text.into()));
            }
            return averaged(context, filters, per).await;
        }
        if let Some(part) = self.share_of {
            if self.by != By::None || self.compare || self.than.is_some() {
                let text = "the share of one has no groups and no comparison: pass by \"none\", or leave out share_of";
                return Err(ToolError::Refused(text.into()));
            }
            return share_of(context, filters, part).await;
        }
        let order = self.order.unwrap_or(match self.by {
            By::Category | By::Weekday | By::Item | By::None => GroupOrder::Largest,
            By::Month | By::Week | By::Day => GroupOrder::Newest,
        });
        let (style, today) = (context.style(), context.today);
        let mut summary = if self.compare || self.than.is_some() {
            let Some(asked) = resolve_filters(&filters, context)? else { return Ok(nothing_in_common()) };
            let comparison = compared(asked.range, self.than.as_deref(), context)?;
            let resolved = if asked.conditions.is_empty() {
                asked
            } else {
                resolve_for_both(context, filters, comparison).await?
            };
            let (now, before) = (resolved.within(comparison.current), resolved.within(comparison.previous));
            let (sums, before) = tokio::try_join!(grouped(context, &now, self.by), grouped(context, &before, self.by))?;
            Summary { by: self.by, resolved: now, sums, before: Some((comparison, before)), style, today }
        } else {
            let Some((resolved, sums)) = find_sums(context, filters, self.by).await? else {
                return Ok(nothing_in_common());
            };
            Summary { by: self.by, resolved, sums, before: None, style, today }
        };
        if (self.by, order) == (By::Item, GroupOrder::Newest) {
            date_items(context, &summary.resolved, &mut summary.sums).await?;
        }
        Ok(summary.result(top, order, context))
    }
}

/// The filters with a category or an item name, or with several categories.
async fn of_categories(context: &ToolContext<'_>, filters: Filters, category: String) -> Result<Filters, ToolError> {
    let names = names_in(&category)?;
    let ever = Filters { range: None, ..filters.clone() };
    if names.len() > 1 && are_categories(context, &ever, Some(category.clone()), &names).await? {
        return Ok(Filters { categories: names, ..filters });
    }
    let filters = Filters { categories: vec![category], ..filters };
    if let [one, _, ..] = &names[..] {
        // Expenses that several names fit would count twice.
        let found = find_sums(context, Filters { range: None, ..filters.clone() }, By::None).await?;
        if found.is_none_or(|(_, sums)| sums.groups.is_empty()) {
            return Err(ToolError::Refused(format!(
                "I can only do that for one name at a time, or for several categories. Ask for “{one}” alone"
            )));
        }
    }
    Ok(filters)
}

/// The page's filters apply to both periods.
fn compared(range: DateRange, than: Option<&str>, context: &ToolContext<'_>) -> Result<Comparison, ToolError> {
    let refused = |text: String| ToolError::Refused(text);
    let resolved = |range: Option<&str>| {
        let range = range.map(|range| context.reader().resolve_range(range)).transpose();
        range.map_err(|error| refused(error.to_string()))
    };
    let named = resolved(than)?.map(|previous| Comparison { current: range, previous, is_running: false });
    let comparison = named
        .or_else(|| periods::comparison(range, context.today))
        .ok_or_else(|| refused("say which days to compare, like “last month”".into()))?;
    let page = resolved(Filters::of_page(context)?.range.as_deref())?.unwrap_or(DateRange::ALL);
    let DateRange { from, to } = comparison.previous;
    if page.contains(from) && page.contains(to) {
        return Ok(comparison);
    }
    let before = when(comparison.previous, context.style().days);
    Err(refused(format!(
        "the filter on the page leaves out the days to compare with ({before}). Remove that filter first"
    )))
}

/// Reads a name once for both periods together, so that it means the same in both.
async fn resolve_for_both(
    context: &ToolContext<'_>,
    asked: Filters,
    Comparison { current, previous, .. }: Comparison,
) -> Result<ResolvedFilters, ToolError> {
    let (from, to) = (previous.from.min(current.from), previous.to.max(current.to));
    let both = Filters { range: Some(format!("{from}..{to}")), ..asked };
    let found = find_sums(context, both, By::None).await?;
    found.map(|(resolved, _)| resolved).ok_or_else(|| ToolError::Refused("no day is in both periods".into()))
}

struct Summary {
    by: By,
    resolved: ResolvedFilters,
    sums: Sums,
    before: Option<(Comparison, Sums)>,
    style: Style,
    today: Date,
}

/// A group in one currency.
struct Line<'a> {
    key: &'a str,
    unit: &'a str,
    sum: Sum,
    /// In minor units. Only if the group can exist in both periods.
    previous: Option<i128>,
}

impl Summary {
    fn result(&self, top: usize, order: GroupOrder, context: &ToolContext<'_>) -> QueryResult {
        let mut lines = self.lines();
        let counts = self.sums.totals();
        // Grouped by currency. The currency with the most expenses comes first.
        let rank = |unit: &str| Reverse(counts.get(unit).map_or(0, |sum| sum.count));
        match order {
            GroupOrder::Largest => {
                lines.put_in_order_of(|line| (rank(line.unit), line.unit, Reverse(line.sum.amount), line.key));
            }
            GroupOrder::Newest => {
                lines.put_in_order_of(|line| (Reverse(line.sum.last), rank(line.unit), line.unit, line.key));
            }
            GroupOrder::Smallest => {
                lines.retain(|line| line.sum.own() > 0);
                let is_cut = |line: &Line<'_>| !self.cut(line).is_empty();
                lines.put_in_order_of(|line| (rank(line.unit), line.unit, is_cut(line), line.sum.amount, line.key));
            }
        }
        let extreme = match (order, &self.before) {
            (GroupOrder::Newest, _) | (_, Some(_)) => None,
            _ => {
                lines.first().filter(|_| top == 1 && self.by != By::None).map(|line| self.extreme(line, &lines, order))
            }
        };
        let all = lines.len();
        lines.truncate(top);
        let group = lines.first().filter(|_| extreme.is_some()).and_then(|line| self.days_of(line));
        let group = group.map(|days| format!("{}..{}", days.from, days.to));
        let count = self.sums.count();
        let first = lines.first().map(|line| line.key);
        let suggestions =
            if count == 0 { vec![] } else { suggestions::after_sum(&self.resolved, self.by, first, context) };
        // Other days that the answer covers: the period before, cut or whole, and each day, week or month that is a
        // group.
        let compared = self.before.as_ref().map(|(Comparison { current, previous, .. }, _)| {
            [*previous, DateRange { to: current.from.yesterday().unwrap_or(previous.to), ..*previous }]
        });
        let whole = self.resolved.range;
        let is_told = |days: DateRange| {
            compared.is_some_and(|compared| compared.contains(&days))
                || matches!(self.by, By::Month | By::Week | By::Day)
                    && whole.from <= days.from
                    && days.to.min(context.today) <= whole.to
        };
        QueryResult {
            count: usize::try_from(count).unwrap_or_default(),
            summary_for_llm: extreme.unwrap_or_else(|| self.text(&lines, all)),
            list: List { has_more: all > lines.len(), group, ..List::default() },
            state_updates: StateUpdates {
                total: Some(all as u64),
                suggestions,
                ..self.resolved.state_updates_with_other_days(context, is_told)
            }
            .with_field("totals", totals(&counts, &self.resolved.owners))
            .with_field("aggregation", lines.iter().map(|line| line.value(&self.resolved.owners)).collect()),
            ..QueryResult::default()
        }
    }

    fn lines(&self) -> Vec<Line<'_>> {
        let comparable = matches!(self.by, By::Category | By::Weekday | By::Item | By::None);
        let before = self.before.as_ref().filter(|_| comparable).map(|(_, sums)| &sums.groups);
        let now = self.sums.groups.iter().map(|(group, sum)| (group, *sum));
        let gone = before.into_iter().flatten().filter(|(group, _)| !self.sums.groups.contains_key(*group));
        let gone = gone.map(|(group, sum)| (group, Sum { last: sum.last, ..Sum::default() }));
        let previous = |group| before.map(|before| before.get(group).map_or(0, |sum| sum.amount));
        let line = |(group, sum)| {
            let (key, unit): &(String, String) = group;
            Line { key, unit, sum, previous: previous(group) }
        };
        now.chain(gone).map(line).collect()
    }

    /// The answer if only the largest or only the smallest group was asked for.
    fn extreme(&self, line: &Line<'_>, lines: &[Line<'_>], order: GroupOrder) -> String {
        let of = match self.by {
            By::Day | By::Weekday | By::Category | By::Item => "on",
            By::Month => "in",
            By::Week | By::None => "in the",
        };
        let (amount, count) = (self.money(line.unit, line.sum.amount), line.sum.own());
        let noun = ExpenseKind.noun(usize::try_from(count).unwrap_or_default());
        let sums = [(line.unit, line.sum)].inserted();
        let (how, others) = match order {
            GroupOrder::Smallest => ("least", self.not_smallest(line, lines)),
            GroupOrder::Largest | GroupOrder::Newest => ("most", String::new()),
        };
        let spent = voice::spent_the(how, &self.resolved.owners, &self.sums.totals());
        let (named, share) = (self.group(line), self.share(&sums));
        format!("{spent} {of} {named}: {amount} for {count} {noun}{share}.{others}\n{}", self.headline())
    }

    /// What has less than the smallest group and does not count: periods that are cut, and those without expenses.
    fn not_smallest(&self, smallest: &Line<'_>, lines: &[Line<'_>]) -> String {
        let is_less = |line: &&Line<'_>| line.unit == smallest.unit && line.sum.amount < smallest.sum.amount;
        let mut others: Vec<String> = lines.iter().filter(is_less).map(|line| self.group(line)).collect();
        if self.has_empty_periods(lines) {
            others.push(format!("{}s without expenses", self.by.word()));
        }
        if others.is_empty() { String::new() } else { format!(" Not counted: {}.", listed(others)) }
    }

    /// Whether a day, week or month of the range has no expense. The first one of all days is that of an expense.
    fn has_empty_periods(&self, lines: &[Line<'_>]) -> bool {
        let DateRange { from, to } = self.resolved.range;
        let first = if from > DateRange::ALL.from { Some(from) } else { lines.iter().map(|line| line.sum.last).min() };
        let next = |period: &DateRange| self.around(period.to.tomorrow().ok()?);
        let periods = std::iter::successors(first.and_then(|first| self.around(first)), next);
        let count = periods.take_while(|period| period.from <= to.min(self.today)).count();
        lines.iter().map(|line| line.key).inserted::<BTreeSet<_>>().len() < count
    }

    /// The day, week or month of a group that is one.
    fn around(&self, day: Date) -> Option<DateRange> {
        if self.by == By::Day { Some(DateRange::day(day)) } else { Some(self.by.period()?.around(day)) }
    }

    /// What of it was asked about.
    fn days_of(&self, line: &Line<'_>) -> Option<DateRange> {
        let (whole, own) = (self.resolved.range, self.around(line.sum.last)?);
        DateRange::new(own.from.max(whole.from), own.to.min(whole.to))
    }

    fn text(&self, lines: &[Line<'_>], all: usize) -> String {
        let mut text = self.headline();
        if self.by == By::None || lines.is_empty() {
            return text;
        }
        text.push_str(&format!("\nBy {}:", self.by.word()));
        let whole = self.whole();
        for line in lines {
            text.push_str(&format!("\n- {}", self.line(line, whole)));
        }
        if all > lines.len() {
            text.push_str(&format!("\n({} more)", all - lines.len()));
        }
        if self.by == By::Category && lines.iter().all(|line| line.key == NO_CATEGORY) {
            text.push_str("\n(None of these has a category. Try “spending by item”.)");
        }
        text
    }

    /// What each category or item is told as a share of, in minor units. None if that would need several currencies,
    /// or if the answer compares.
    fn whole(&self) -> Option<i128> {
        let totals = self.sums.totals();
        let is_of_parts = matches!(self.by, By::Category | By::Weekday | By::Item) && self.sums.groups.len() > 1;
        let is_one = totals.len() == 1 && self.before.is_none() && !self.sums.is_cut;
        totals.into_values().next().filter(|_| is_of_parts && is_one).map(|sum| sum.amount)
    }

    /// "groceries: £812.40 (38 expenses, 26 %)".
    fn line(&self, line: &Line<'_>, whole: Option<i128>) -> String {
        let (amount, sum) = (|minor| self.money(line.unit, minor), line.sum);
        let share = self.share(&[(line.unit, sum)].inserted());
        let count = match whole {
            Some(whole) => {
                let noun = ExpenseKind.noun(usize::try_from(sum.own()).unwrap_or_default());
                format!("{} {noun}, {}", sum.own(), percent(sum.amount, whole))
            }
            None => sum.own().to_string(),
        };
        let text = format!("{}: {} ({count}){share}", self.group(line), amount(sum.amount));
        let Some(previous) = line.previous else { return text };
        match sum.amount - previous {
            0 => format!("{text}, as much as before"),
            _ if previous == 0 => format!("{text}, nothing before"),
            more if more > 0 => format!("{text}, {} more than before", amount(more)),
            less => format!("{text}, {} less than before", amount(-less)),
        }
    }

    fn headline(&self) -> String {
        let is_cut = self.sums.is_cut || self.before.as_ref().is_some_and(|(_, before)| before.is_cut);
        format!("{}{}", if is_cut { CUT } else { "" }, self.spent())
    }

    fn spent(&self) -> String {
        let ResolvedFilters { range, .. } = &self.resolved;
        let (on, of) = (self.resolved.spoken(), voice::of_owner(&self.resolved.owners));
        let now = self.sums.totals();
        let (subject, share) = (self.subject(&now), self.share(&now));
        let days = self.named(*range);
        let count = usize::try_from(self.sums.count()).unwrap_or_default();
        let spent = match count {
            // The question asks for the number of expenses.
            0 if self.is_count() => format!("There were no expenses{of}{on} {days}."),
            n if self.is_count() => {
                let within = if *range == DateRange::ALL { String::new() } else { format!(" {days}") };
                format!("{n} {}{of}{on}{within}: {} in total{share}.", ExpenseKind.noun(n), self.spoken(&now))
            }
            0 if *range == DateRange::ALL => format!("{subject} nothing{on}."),
            0 => format!("{subject} nothing{on} {days}."),
            n => format!("{subject} {}{on} {days}{share}: {n} {}.", self.spoken(&now), ExpenseKind.noun(n)),
        };
        let Some((comparison, before)) = &self.before else { return spent };
        let before = before.totals();
        let sums = if before.is_empty() { String::new() } else { self.spoken(&before) + &self.share(&before) };
        let days = self.named(comparison.previous);
        let (days, sums) = match (comparison.is_running, before.is_empty()) {
            (true, true) => ("in the same days of the previous period".to_owned(), format!(" ({days})")),
            (true, false) => ("in the same days of the previous period".to_owned(), format!(" ({days}: {sums})")),
            (false, true) => (days, String::new()),
            (false, false) => (days, format!(" ({sums})")),
        };
        match self.changes(&now, &before) {
            _ if before.is_empty() => format!("{spent} {} nothing{on} {days}{sums}.", self.subject(&before)),
            None => format!("{spent} That is as much as {days}{sums}."),
            Some(changes) => format!("{spent} That is {changes} than {days}{sums}."),
        }
    }

    /// The group of a line, as people call it, and what of it counts.
    fn group(&self, line: &Line<'_>) -> String {
        let name = match (self.by, line.key.parse()) {
            (By::Day, Ok(date)) => self.style.days.written(date),
            (By::Week, Ok(monday)) => format!("week of {}", self.style.days.written(monday)),
            (By::Month, _) => line.sum.last.strftime("%B %Y").to_string(),
            (By::Weekday, _) => format!("{}s", line.key),
            (By::Item, _) => format!("“{}”", line.key),
            _ => line.key.to_owned(),
        };
        match self.cut(line) {
            none if none.is_empty() => name,
            cut => format!("{name} ({cut})"),
        }
    }

    /// "from the 26th": what counts of a month or week that the range cuts, or that is not over.
    fn cut(&self, line: &Line<'_>) -> String {
        let cut = |period: Period| periods::cut(period.around(line.sum.last), self.resolved.range, self.today);
        self.by.period().map(cut).unwrap_or_default()
    }

    /// Of two that are compared, one may not be over.
    fn named(&self, days: DateRange) -> String {
        let is_open = self.before.is_some() && days.contains(self.today) && self.today < days.to;
        when(days, self.style.days) + if is_open { " so far" } else { "" }
    }

    fn is_count(&self) -> bool {
        self.by == By::None && self.before.is_none()
    }

    fn subject(&self, sums: &BTreeMap<&str, Sum>) -> String {
        voice::spent(&self.resolved.owners, sums)
    }

    fn share(&self, sums: &BTreeMap<&str, Sum>) -> String {
        voice::share(&self.resolved.owners, sums, self.style)
    }

    fn spoken(&self, sums: &BTreeMap<&str, Sum>) -> String {
        voice::amounts(sums, self.style)
    }

    /// "£3.50 more and €4.00 less". None if no currency changed.
    fn changes(&self, now: &BTreeMap<&str, Sum>, before: &BTreeMap<&str, Sum>) -> Option<String> {
        let units: BTreeSet<&&str> = now.keys().chain(before.keys()).inserted();
        let minor = |sums: &BTreeMap<&str, Sum>, unit: &str| sums.get(unit).map_or(0, |sum| sum.amount);
        let changes = units.into_iter().filter_map(|unit| match minor(now, unit) - minor(before, unit) {
            0 => None,
            more if more > 0 => Some(format!("{} more", self.money(unit, more))),
            less => Some(format!("{} less", self.money(unit, -less))),
        });
        let changes: Vec<String> = changes.collect();
        (!changes.is_empty()).then(|| listed(changes))
    }

    fn money(&self, unit: &str, minor: i128) -> String {
        expense_text::amount(unit, minor, self.style).1
    }
}

impl Line<'_> {
    fn value(&self, owners: &Owners) -> Value {
        let amount = |minor| expense_text::amount(self.unit, minor, Style::default()).0;
        let Line { key, unit, sum, previous } = self;
        let mut value = json!({ "key": key, "currency": unit, "amount": amount(sum.amount), "count": sum.own() });
        if let Some(previous) = previous {
            value["previous"] = json!(amount(*previous));
        }
        voice::with_share(value, owners, unit, sum)
    }
}
