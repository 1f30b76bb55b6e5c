//! A few lines about all expenses for the prompt: sums and category names, no rows. They tell the model what it can
//! query.

use std::{cmp::Reverse, collections::BTreeMap};

use jiff::civil::{Date, date};

use super::expense_text::amount as written;
use crate::{phrases::Style, store::Overview};

/// Number of categories named.
const TOP: usize = 5;

/// Number of currencies with a sum.
const CURRENCIES: usize = 5;

/// None if there are no expenses.
pub(super) fn snapshot(overview: &Overview, today: Date) -> Option<String> {
    let all: i64 = overview.months.values().map(|(_, count)| count).sum();
    let first = overview.months.keys().next()?;
    let since = match overview.first {
        Some(first) => format!("the first on {}", Style::default().days.written(first)),
        None => format!("since {}", date(first.year, first.month, 1).strftime("%B %Y")),
    };
    let at_least = if overview.is_cut { "more than " } else { "" };
    let mut text = format!("{at_least}{all} expenses, {since}.");
    let mut sums: BTreeMap<&str, (i128, i64)> = BTreeMap::new();
    let mut groups: BTreeMap<(&str, &str), i128> = BTreeMap::new();
    for (key, (amount, count)) in &overview.months {
        if (key.year, key.month) == (today.year(), today.month()) {
            let sum = sums.entry(&key.unit).or_default();
            *sum = (sum.0 + amount, sum.1 + count);
            *groups.entry((&key.unit, &key.group)).or_default() += amount;
        }
    }
    let month = today.strftime("%B %Y");
    if sums.is_empty() {
        text.push_str(&format!("\nNone in {month}."));
    }
    for (unit, (amount, count)) in sums.iter().take(CURRENCIES) {
        let mut top: Vec<(&str, i128)> =
            groups.iter().filter(|((of, _), _)| of == unit).map(|((_, group), amount)| (*group, *amount)).collect();
        top.sort_by_key(|(group, amount)| (Reverse(*amount), *group));
        let top: Vec<String> = top
            .into_iter()
            .take(TOP)
            .map(|(group, amount)| format!("“{group}” {}", written(unit, amount, Style::default()).0))
            .collect();
        let amount = written(unit, *amount, Style::default()).0;
        text.push_str(&format!("\nIn {month}: {amount} {unit} in {count}; most of it {}.", top.join(", ")));
    }
    Some(text)
}
