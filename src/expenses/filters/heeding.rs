//! Whether a query is of the days and amounts that the person named. A model may look at others, and tell of them as if they
//! were those.

use super::Narrowed;
use crate::{
    money::{Amount, Currency},
    phrases::{DateRange, Reading, bounds::bound},
    tool::{StateUpdates, ToolContext},
};

impl Narrowed {
    /// What a reply says of what was looked at.
    pub fn updates(&self, context: &ToolContext<'_>) -> StateUpdates {
        self.updates_beside(&[], context)
    }

    /// The same where it is told of other days, too.
    pub fn updates_beside(&self, others: &[DateRange], context: &ToolContext<'_>) -> StateUpdates {
        let unheeded = self.unheeded(others, context);
        StateUpdates { detected_filters: self.detected(), unheeded, ..StateUpdates::default() }
    }

    /// None of these where the page has its own: those hold whatever was said.
    fn unheeded(&self, others: &[DateRange], context: &ToolContext<'_>) -> Option<String> {
        let said = context.said.last()?;
        let page = context.filters;
        let days = self.other_days(said, others, context).filter(|_| page.range.is_none());
        let amounts = self.other_amounts(said, context).filter(|_| !super::has_bounds(page));
        let words: Vec<String> = days.into_iter().chain(amounts).map(|words| format!("“{words}”")).collect();
        let looked = self.described(context.style());
        let looked = looked.map_or_else(|| "all expenses".to_owned(), |described| format!("expenses {described}"));
        (!words.is_empty()).then(|| format!("I looked at {looked}, though you said {}.", words.join(" and ")))
    }

    /// The first that were said, if this is of none that were.
    fn other_days<'s>(&self, said: &'s str, others: &[DateRange], context: &ToolContext<'_>) -> Option<&'s str> {
        // "This month" is until today, too.
        let until_today = |days: DateRange| DateRange { to: days.to.min(context.today), ..days };
        // "Last September?", "which year?", "2025".
        let narrows =
            |days: DateRange| context.said.len() > 1 && days.from <= self.range.from && self.range.to <= days.to;
        let found = context.reader().ranges(said);
        let is_one = |said: DateRange| {
            let mut looked = [&[self.range], others].concat().into_iter();
            looked.any(|days| until_today(days) == until_today(said)) || narrows(said)
        };
        let first = found.first().filter(|_| !found.iter().any(|found| is_one(found.range)))?;
        said.get(first.span.clone())
    }

    /// "over £50", if that is no bound of this.
    fn other_amounts<'s>(&self, said: &'s str, context: &ToolContext<'_>) -> Option<&'s str> {
        let bounds = ["minAmount", "maxAmount", "moreThan", "lessThan"];
        let bounds = bounds.into_iter().filter_map(|name| self.detected.get(name)?.as_str());
        let bounds: Vec<_> = bounds.map(|bound| self.minor(bound, context)).collect();
        let other = context.reader().amounts(said).into_iter().find_map(|found| {
            let Reading::Exact(amount) = &found.reading else { return None };
            let (_, words) = bound(&said.to_ascii_lowercase(), &found.span)?;
            (!bounds.contains(&self.minor(amount, context))).then_some(words)
        })?;
        said.get(other)
    }

    fn minor(&self, amount: &str, context: &ToolContext<'_>) -> Option<i64> {
        let currency = self.currency.or_else(|| Currency::parse(context.currency?).ok())?;
        Some(Amount::parse(amount).ok()?.in_currency(currency).ok()?.minor)
    }
}
