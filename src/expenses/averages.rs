//! Average spending per day, week, month, year or expense.
//!
//! Only whole periods count, from the first period with an expense to the last period that is over. Periods between
//! them without an expense count too. The answer names the periods and what was left out.

use std::collections::BTreeMap;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    ExpenseKind,
    budget::Period,
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
    tool::{QueryResult, RecordKind, ToolContext, ToolError},
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
    let Some(whole) = Whole::of(per, &sums, resolved.range, context.today) else {
        return Ok(told(no_average(per, &sums, &resolved, context.style())));
    };
    let counted = within(&sums, whole.range);
    let (averages, headline) = headline(per, &whole, &counted, &resolved, context.style());
    let all = voice::amounts(&counted, context.style());
    let text = format!("{headline}: {all} {}.", basis(per, &whole, &sums, &resolved, context));
    let aggregation = averages.iter().map(|Average { unit, minor, count, .. }| {
        let amount = expense_text::amount(unit, *minor, Style::default()).0;
        json!({ "key": format!("average per {}", per.word()), "currency": unit, "amount": amount, "count": count })
    });
    let result = told(text);
    let state_updates = result.state_updates.with_field("aggregation", aggregation.collect());
    let state_updates = state_updates.with_field("totals", totals(&counted, &resolved.owners));
    Ok(QueryResult { state_updates, ..result })
}

/// The answer if nothing was spent or the first period is not over.
fn no_average(per: Per, sums: &Sums, resolved: &ResolvedFilters, style: Style) -> String {
    let (owners, on, totals) = (&resolved.owners, resolved.spoken(), sums.totals());
    let (spent, days) = (voice::spent(owners, &totals), when(resolved.range, style.days));
    let count = usize::try_from(sums.count()).unwrap_or_default();
    if count == 0 {
        return format!("{spent} nothing{on} {days}, so there is no average.");
    }
    let (word, noun) = (per.word(), ExpenseKind.noun(count));
    let (all, share) = (voice::amounts(&totals, style), voice::share(owners, &totals, style));
    format!(
        "There is no average per {word} yet, because your first {word} is not over. {spent} {all}{on} {days}{share}: \
         {count} {noun}."
    )
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
}

impl Whole {
    fn of(per: Per, sums: &Sums, asked: DateRange, today: Date) -> Option<Whole> {
        let first = sums.days().min()?;
        if per == Per::Expense {
            return Some(Whole { range: asked, count: i64::try_from(sums.count()).unwrap_or(i64::MAX) });
        }
        // For an average per day, a named range counts from its first day, even before the first expense.
        let named = per == Per::Day && asked.from > DateRange::ALL.from;
        let mut range = per.around(if named { asked.from } else { first });
        if range.from < asked.from {
            range = per.around(range.to.tomorrow().ok()?);
        }
        let (from, mut whole) = (range.from, None);
        let mut count = 0;
        while range.to <= asked.to && range.to < today {
            count += 1;
            whole = Some(Whole { range: DateRange { from, to: range.to }, count });
            range = per.around(range.to.tomorrow().ok()?);
        }
        whole
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
    let (word, n, style) = (per.word(), whole.count, context.style());
    let plural = if n == 1 { "" } else { "s" };
    if per == Per::Expense {
        return format!("for {n} expense{plural} {}", when(resolved.range, style.days));
    }
    let of = if per == Per::Day { "" } else { "whole " };
    let text = format!("in {n} {of}{word}{plural} ({})", whole.range.written(style.days));
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
