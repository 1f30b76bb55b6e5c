//! Average spending per day, week, month, year or expense.
//!
//! Only whole periods count, from the first period with an expense to the last period that is over. Periods between
//! them without an expense count too. Of named days, all periods count from the first expense of all, whatever is
//! averaged. The period in which the first expense of all was written counts only if no other does. If none counts, the
//! average is per expense. The answer names the periods and what was left out.

use std::collections::BTreeMap;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    budget::Period,
    expense::KIND,
    expense_text::{self, listed},
    filters::{ResolvedFilters, nothing_in_common},
    get_balance::{CUT, totals},
    page_filters::Filters,
    periods::when,
    sums::{By, Sum, Sums, find_sums},
    voice,
};
use crate::{
    phrases::{DateRange, Style, upper_first},
    store::{Among, ListQuery},
    tool::{QueryResult, ToolContext, ToolError},
};

/// The unit of an average.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    Day,
    Week,
    Month,
    Year,
    Expense,
}

pub(super) async fn averaged(context: &ToolContext<'_>, asked: Filters, per: Per) -> Result<QueryResult, ToolError> {
    let Some((resolved, sums)) = find_sums(context, asked, By::Day).await? else { return Ok(nothing_in_common()) };
    let cut = if sums.is_cut { CUT } else { "" };
    let told = |text: String| QueryResult {
        count: usize::try_from(sums.count()).unwrap_or_default(),
        summary_for_llm: format!("{cut}{text}"),
        state_updates: resolved.state_updates(context),
        ..QueryResult::default()
    };
    let style = context.style();
    let Some(first) = sums.days().min() else {
        let spent = voice::spent(&resolved.owners, &sums.totals());
        let days = when(resolved.range, style.days);
        return Ok(told(format!("{spent} nothing{} {days}, so there is no average.", resolved.spoken())));
    };
    let began = began(context, &resolved, &sums, per.around(first)).await?;
    let (per, whole, why) = match Whole::of(per, &sums, (resolved.range, began), context.today) {
        Some(whole) => (per, whole, String::new()),
        None => (Per::Expense, Whole::of_all(resolved.range), no_average(per, first, &resolved, context)),
    };
    let counted = within(&sums, whole.range);
    let (averages, headline) = headline(per, &whole, &counted, &resolved, style);
    let all = voice::amounts(&counted, style);
    let text = format!("{why}{headline}: {all} {}.", basis(per, &whole, &sums, &resolved, context));
    let aggregation = averages.iter().map(|Average { unit, minor, count, .. }| {
        let amount = expense_text::amount(unit, *minor, Style::default()).0;
        json!({ "key": format!("average per {}", per.word()), "currency": unit, "amount": amount, "count": count })
    });
    let result = told(text);
    let state_updates = result.state_updates.with_field("aggregation", aggregation.collect());
    let state_updates = state_updates.with_field("totals", totals(&counted, &resolved.owners));
    Ok(QueryResult { state_updates, ..result })
}

/// The day of the first expense of all, if the first period with one that was asked for may have begun before it, or the
/// named days begin before that period. It is read only if the sums do not have it.
async fn began(
    context: &ToolContext<'_>,
    resolved: &ResolvedFilters,
    sums: &Sums,
    period: DateRange,
) -> Result<Option<Date>, ToolError> {
    let is_later = period.from > resolved.range.from && resolved.range.from > DateRange::ALL.from;
    let first = sums.days().min().filter(|first| period.from < *first && resolved.range.from <= period.from);
    if !is_later && (first.is_none() || resolved.described(context.style()).is_none() && !sums.is_cut) {
        return Ok(first);
    }
    let conditions = resolved.owners.condition().into_iter().collect();
    let DateRange { from, to } = DateRange::ALL;
    let oldest =
        ListQuery { kind: KIND, among: Among::All, from, to, conditions, limit: 1, after: None, oldest_first: true };
    Ok(context.store.list(&oldest).await?.records.first().map(|record| record.draft.date))
}

/// Why there is no average per week, month or the like, before that per expense.
fn no_average(per: Per, first: Date, resolved: &ResolvedFilters, context: &ToolContext<'_>) -> String {
    let (word, running) = (per.word(), per.around(context.today));
    let this = if per == Per::Day { "today".to_owned() } else { format!("this {word}") };
    let why = match resolved.range {
        DateRange { from, .. } if running.contains(from) => format!("{this} is not over"),
        DateRange::ALL if running.contains(first) => format!("the first expense{} was {this}", resolved.spoken()),
        range if running.contains(first) => {
            format!("the first expense{} {} was {this}", resolved.spoken(), when(range, context.style().days))
        }
        _ => format!("these days have no whole {word}"),
    };
    format!("There is no average per {word} yet, because {why}. ")
}

struct Average<'a> {
    unit: &'a str,
    minor: i128,
    is_exact: bool,
    count: i64,
}

impl<'a> Average<'a> {
    fn of(unit: &'a str, amount: i128, count: i64) -> Average<'a> {
        let (minor, is_exact) = half_even(amount, count.into());
        Average { unit, minor, is_exact, count }
    }

    fn written(&self, style: Style) -> String {
        let written = expense_text::amount(self.unit, self.minor, style).1;
        if self.is_exact { written } else { format!("about {written}") }
    }
}

/// The periods that count, or all expenses. `range` covers all their days.
struct Whole {
    range: DateRange,
    count: i64,
    /// The only one began before this day, that of the first expense of all.
    since: Option<Date>,
}

impl Whole {
    /// Per expense, the sums have the count.
    fn of_all(range: DateRange) -> Whole {
        Whole { range, count: 0, since: None }
    }

    fn of(per: Per, sums: &Sums, (asked, began): (DateRange, Option<Date>), today: Date) -> Option<Whole> {
        if per == Per::Expense {
            return Some(Whole::of_all(asked));
        }
        // For an average per day, a named range counts from its first day, even before the first expense.
        let is_named = asked.from > DateRange::ALL.from;
        let next = |period: DateRange| Some(per.around(period.to.tomorrow().ok()?));
        let first = sums.days().min()?;
        let mut first = per.around(match began.filter(|_| is_named) {
            _ if is_named && per == Per::Day => asked.from,
            Some(began) => first.min(began.max(asked.from)),
            None => first,
        });
        if first.from < asked.from {
            first = next(first)?;
        }
        let is_over = |period: &DateRange| period.to <= asked.to && period.to < today;
        let from = |first: DateRange, since| {
            let over = std::iter::successors(Some(first), |period| next(*period)).take_while(is_over);
            let (count, last) = over.fold((0, None), |(count, _), period| (count + 1, Some(period)));
            let range = DateRange { from: first.from, to: last?.to };
            sums.days().any(|day| range.contains(day)).then_some(Whole { range, count, since })
        };
        match began.filter(|began| first.from < *began && first.contains(*began)) {
            None => from(first, None),
            since => next(first).and_then(|second| from(second, None)).or_else(|| from(first, since)),
        }
    }
}

impl Per {
    fn word(self) -> &'static str {
        match self {
            Per::Day => "day",
            Per::Week => "week",
            Per::Month => "month",
            Per::Year => "year",
            Per::Expense => "expense",
        }
    }

    fn around(self, day: Date) -> DateRange {
        match self {
            Per::Day | Per::Expense => DateRange::day(day),
            Per::Week => Period::Week.around(day),
            Per::Month => Period::Month.around(day),
            Per::Year => Period::Year.around(day),
        }
    }
}

/// The averages, and the beginning of the answer, which has them and the caller's own.
fn headline<'a>(
    per: Per,
    whole: &Whole,
    counted: &BTreeMap<&'a str, Sum>,
    resolved: &ResolvedFilters,
    style: Style,
) -> (Vec<Average<'a>>, String) {
    let (owners, on) = (&resolved.owners, resolved.spoken());
    // An average per expense uses the number of expenses in the same currency.
    let averaged = |of: fn(&Sum) -> (i128, i64)| -> Vec<Average<'a>> {
        let sums = counted.iter().map(|(unit, sum)| (*unit, of(sum))).filter(|(_, (_, count))| *count > 0);
        let average =
            |(unit, (amount, count))| Average::of(unit, amount, if per == Per::Expense { count } else { whole.count });
        sums.map(average).collect()
    };
    let written = |averages: &[Average<'_>]| listed(averages.iter().map(|average| average.written(style)).collect());
    let averages = averaged(|sum| (sum.amount, sum.count));
    let amounts = written(&averages);
    let is_split = owners.tells_share() && counted.values().any(|sum| sum.by_others);
    let yours = match written(&averaged(|sum| sum.yours)) {
        _ if !is_split => String::new(),
        none if none.is_empty() => ", of which you nothing".to_owned(),
        yours if per == Per::Expense => format!(", yours {yours}"),
        yours => format!(", of which you {yours}"),
    };
    let headline = match per {
        Per::Expense => {
            format!("An expense{}{on} was {amounts} on average{yours}", voice::of_owner(owners))
        }
        per => format!("{} {amounts} a {} on average{on}{yours}", voice::spent(owners, counted), per.word()),
    };
    (averages, headline)
}

/// "in 6 whole months (May – October 2026); this month is not over, so it is left out"
fn basis(per: Per, whole: &Whole, sums: &Sums, resolved: &ResolvedFilters, context: &ToolContext<'_>) -> String {
    let (word, style) = (per.word(), context.style());
    let n = if per == Per::Expense { i64::try_from(sums.count()).unwrap_or(i64::MAX) } else { whole.count };
    let plural = if n == 1 { "" } else { "s" };
    if per == Per::Expense {
        return format!("for {n} expense{plural} {}", when(resolved.range, style.days));
    }
    let of = if per == Per::Day || whole.since.is_some() { "" } else { "whole " };
    let days = whole.range.written(style.days);
    let since = whole.since.map(|since| format!(", from the first expense on {}", style.days.written(since)));
    let text = format!("in {n} {of}{word}{plural} ({days}{})", since.unwrap_or_default());
    let mut others = sums.days().filter(|day| !whole.range.contains(*day)).peekable();
    if others.peek().is_none() {
        return text;
    }
    let running = per.around(context.today);
    let this = if per == Per::Day { "today".to_owned() } else { format!("this {word}") };
    if others.all(|day| running.contains(day)) {
        format!("{text}. {} is not over, so it is left out", upper_first(&this))
    } else {
        format!("{text}. Days outside a whole {word} are left out")
    }
}

fn within(sums: &Sums, range: DateRange) -> BTreeMap<&str, Sum> {
    let mut totals: BTreeMap<&str, Sum> = BTreeMap::new();
    for ((_, unit), sum) in sums.groups.iter().filter(|(_, sum)| range.contains(sum.last)) {
        totals.entry(unit).or_default().add(*sum);
    }
    totals
}

/// The quotient, rounded half to even, and whether it is exact.
fn half_even(amount: i128, count: i128) -> (i128, bool) {
    let (whole, rest) = (amount.div_euclid(count), amount.rem_euclid(count));
    let up = match (rest * 2).cmp(&count) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => whole % 2 != 0,
        std::cmp::Ordering::Greater => true,
    };
    (whole + i128::from(up), rest == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_rounded_to_even_and_marked_inexact() {
        let quotients = [(10, 5), (5, 2), (7, 2), (10, 3), (11, 3), (0, 4)].map(|(sum, count)| half_even(sum, count));
        assert_eq!(quotients, [(2, true), (2, false), (4, false), (3, false), (4, false), (0, true)]);
    }
}
