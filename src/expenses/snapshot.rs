//! A few lines about the expenses of this and last month for the prompt: sums and category names, no rows. They tell
//! the model what it can query.

use std::{cmp::Reverse, collections::BTreeMap};

use jiff::{ToSpan, civil::Date};

use super::{expense, expense_text::amount as written};
use crate::{
    phrases::Style,
    proposal::{Rollup, RollupKey},
    sorted::Sort,
};

/// Number of categories named.
const TOP: usize = 5;

/// Number of currencies with a sum.
const CURRENCIES: usize = 5;

/// None if there are no expenses in these months.
pub(super) fn snapshot(rollups: &BTreeMap<RollupKey, Rollup>, caller: &str, today: Date) -> Option<String> {
    let this = today.first_of_month();
    let mut lines = of_month(rollups, caller, this, TOP);
    lines.extend(of_month(rollups, caller, this.saturating_sub(1.month()), 0));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Sum and count.
type Total = (i128, i64);

/// `top`: how many categories are named.
fn of_month(rollups: &BTreeMap<RollupKey, Rollup>, caller: &str, month: Date, top: usize) -> Vec<String> {
    let is_of = |key: &RollupKey| key.kind == expense::KIND && (key.year, key.month) == (month.year(), month.month());
    let (mut own, mut all) = (BTreeMap::<&str, Total>::new(), BTreeMap::<&str, Total>::new());
    let mut groups: BTreeMap<(&str, &str), i128> = BTreeMap::new();
    // A rollup whose records are all counted in another group has a sum and no count.
    for (key, rollup) in rollups.iter().filter(|(key, rollup)| is_of(key) && (rollup.sum, rollup.count) != (0, 0)) {
        add(&mut all, &key.unit, rollup);
        if key.owner == caller {
            add(&mut own, &key.unit, rollup);
            *groups.entry((&key.unit, &key.group)).or_default() += rollup.sum;
        }
    }
    let month = month.strftime("%B %Y");
    let mut lines = Vec::new();
    for (unit, total @ (amount, count)) in all.iter().take(CURRENCIES) {
        let written = |amount| written(unit, amount, Style::default()).0;
        let Some(own) = own.get(unit) else {
            lines.push(format!("In {month}: {} {unit} in {count}, all of other people.", written(*amount)));
            continue;
        };
        let mut largest: Vec<_> = groups.iter().filter(|((of, _), _)| of == unit).collect();
        largest.put_in_order_of(|((_, group), amount)| (Reverse(**amount), *group));
        let named = largest.into_iter().take(top).map(|((_, group), amount)| format!("“{group}” {}", written(*amount)));
        let named = named.collect::<Vec<_>>().join(", ");
        let named = if named.is_empty() { named } else { format!("; most of it {named}") };
        let mut line = format!("In {month}: {} {unit} in {}{named}.", written(own.0), own.1);
        if own != total {
            line.push_str(&format!(" Everyone together: {} {unit} in {count}.", written(*amount)));
        }
        lines.push(line);
    }
    lines
}

fn add<'u>(totals: &mut BTreeMap<&'u str, Total>, unit: &'u str, rollup: &Rollup) {
    let total = totals.entry(unit).or_default();
    *total = (total.0 + rollup.sum, total.1 + rollup.count);
}
