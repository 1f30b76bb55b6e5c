//! Messages to suggest after an answer. Each works without a model, so a page can send it as it is.

use super::{filters::ResolvedFilters, periods, sums::By};
use crate::{
    phrases::{Class, DateRange},
    proposal::Record,
    tool::{Owners, ToolContext, Whose},
};

/// After a list: its sum, the largest expenses unless they were asked for, and the days before.
pub(super) fn after_list(resolved: &ResolvedFilters, with_largest: bool, context: &ToolContext<'_>) -> Vec<String> {
    let Some(subject) = subject(resolved, context) else { return vec![] };
    let Some(Voice { sum, the, whose }) = Voice::of(&resolved.owners) else { return vec![] };
    let days = days(resolved.range, context);
    let before = earlier(resolved, context).map(|days| format!("show {whose}expenses{subject}{days}"));
    let sum = format!("{sum}{subject}{days}?");
    let largest = with_largest.then(|| format!("show {the} biggest expenses{subject}{days}"));
    [Some(sum), largest, before].into_iter().flatten().collect()
}

/// After a sum: its parts and the days before. After sums by category: the first category.
pub(super) fn after_sum(
    resolved: &ResolvedFilters,
    by: By,
    first: Option<&str>,
    context: &ToolContext<'_>,
) -> Vec<String> {
    let Some(subject) = subject(resolved, context) else { return vec![] };
    let Some(Voice { sum, whose, .. }) = Voice::of(&resolved.owners) else { return vec![] };
    let days = days(resolved.range, context);
    let first = first.filter(|name| by == By::Category && is_sayable(name, context));
    let rows = match first {
        Some(name) => format!("show {whose}expenses on {name}{days}"),
        None => format!("show {whose}expenses{subject}{days}"),
    };
    let groups = (by != By::Category && subject.is_empty()).then(|| format!("{whose}spending by category{days}"));
    let before = match periods::period_before(resolved.range) {
        Some(before) if subject.is_empty() && resolved.range.is_month() => {
            let month = |range: DateRange| range.from.strftime("%B %Y").to_string();
            let spending = if whose.is_empty() { String::new() } else { format!("{whose}spending in ") };
            Some(format!("compare {spending}{} with {}", month(resolved.range), month(before)))
        }
        _ => earlier(resolved, context).map(|days| format!("{sum}{subject}{days}?")),
    };
    groups.into_iter().chain([rows]).chain(before).collect()
}

/// The words of a suggestion that keep whose expenses an answer was about.
struct Voice {
    sum: &'static str,
    /// Before "biggest".
    the: &'static str,
    /// Before "expenses".
    whose: &'static str,
}

impl Voice {
    /// None for a member, whose name a message without a model cannot say.
    fn of(owners: &Owners) -> Option<Voice> {
        match owners.whose {
            Whose::Unsaid if owners.is_shared() => Some(Voice { sum: "how much was spent", the: "the", whose: "" }),
            Whose::Unsaid => Some(Voice { sum: "how much did I spend", the: "the", whose: "" }),
            Whose::Own => Some(Voice { sum: "how much did I spend", the: "my", whose: "my " }),
            Whose::Everyone => Some(Voice { sum: "how much did we spend", the: "our", whose: "our " }),
            Whose::Member(_) => None,
        }
    }
}

/// After a search with results: all expenses with the name of the best result.
pub(super) fn after_search(found: &[Record], context: &ToolContext<'_>) -> Vec<String> {
    let name = found.first().and_then(|record| record.draft.name.as_deref()).unwrap_or_default();
    let word = name.split_whitespace().find(|word| is_sayable(word, context));
    word.map(|word| format!("show expenses with {word}")).into_iter().collect()
}

/// " on food". None if the filters cannot be said in a short question.
fn subject(resolved: &ResolvedFilters, context: &ToolContext<'_>) -> Option<String> {
    if !resolved.can_use_rollups() || resolved.currency.is_some() || resolved.range.to == DateRange::ALL.to {
        let everything = resolved.range == DateRange::ALL && resolved.conditions.is_empty();
        return (everything && resolved.can_use_rollups()).then(String::new);
    }
    match resolved.categories.as_slice() {
        [] => Some(String::new()),
        [one] if is_sayable(one, context) => Some(format!(" on {one}")),
        _ => None,
    }
}

fn days(range: DateRange, context: &ToolContext<'_>) -> String {
    if range == DateRange::ALL { String::new() } else { format!(" {}", periods::when(range, context.style().days)) }
}

fn earlier(resolved: &ResolvedFilters, context: &ToolContext<'_>) -> Option<String> {
    periods::period_before(resolved.range).map(|before| days(before, context))
}

/// Whether a name cannot be mistaken for days, an amount or a part of the question.
fn is_sayable(name: &str, context: &ToolContext<'_>) -> bool {
    let reader = context.reader();
    name.chars().all(char::is_alphabetic)
        // Three letters may be a currency code.
        && name.chars().count() > 3
        && !Class::Closed.contains(name)
        && reader.amounts(name).is_empty()
        && reader.ranges(name).is_empty()
        && reader.dates(name).is_empty()
}
