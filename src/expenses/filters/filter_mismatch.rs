//! Checks that a query is about the days, the amounts and the owner that the person named. A model may query others and present the
//! result as an answer.

use super::{Filters, ResolvedFilters};
use crate::{
    money::{Amount, Currency},
    phrases::{
        CurrencyMention, DateRange, Reading,
        bounds::{Bound, bound},
    },
    tool::{FilterMatch, StateUpdates, ToolContext},
};

impl ResolvedFilters {
    /// For a sum. Amount bounds are not checked: "have I spent more than £500?" is a question about the sum, not about
    /// rows.
    pub fn state_updates(&self, context: &ToolContext<'_>) -> StateUpdates {
        self.state_updates_with_other_days(context, |_| false)
    }

    /// Like [`Self::state_updates`], for an answer that also covers other days.
    pub fn state_updates_with_other_days(
        &self,
        context: &ToolContext<'_>,
        tells_of: impl Fn(DateRange) -> bool,
    ) -> StateUpdates {
        let filter_match = context
            .user_messages
            .last()
            .map(|said| self.filter_match([self.unmatched_days(said, tells_of, context), None], context));
        StateUpdates { detected_filters: self.detected(), filter_match, ..StateUpdates::default() }
    }

    /// For a list of rows.
    pub fn row_state_updates(&self, context: &ToolContext<'_>) -> StateUpdates {
        let filter_match = context.user_messages.last().map(|said| {
            let amounts = self.unmatched_amounts(said, context);
            self.filter_match([self.unmatched_days(said, |_| false, context), amounts], context)
        });
        StateUpdates { detected_filters: self.detected(), filter_match, ..StateUpdates::default() }
    }

    fn filter_match(&self, unmatched: [Option<&str>; 2], context: &ToolContext<'_>) -> FilterMatch {
        let named = self.owners.mismatch().into_iter().chain(unmatched.into_iter().flatten());
        let named: Vec<String> = named.map(|words| format!("“{words}”")).collect();
        if named.is_empty() {
            return FilterMatch::Matches;
        }
        let queried = [self.owners.described(), self.described(context.style())].into_iter().flatten();
        let queried = queried.reduce(|whose, described| format!("{whose}, {described}"));
        let queried = queried.map_or_else(|| "all expenses".to_owned(), |described| format!("expenses {described}"));
        FilterMatch::Differs { queried, named: named.join(" and ") }
    }

    /// The first days that the person named, if the query is about none of the days named. Nothing is checked if the
    /// page sets the days.
    fn unmatched_days<'s>(
        &self,
        said: &'s str,
        tells_of: impl Fn(DateRange) -> bool,
        context: &ToolContext<'_>,
    ) -> Option<&'s str> {
        // "This month" may end today.
        let until_today = |days: DateRange| DateRange { to: days.to.min(context.today), ..days };
        // "Last September?", "which year?", "2025": the answer narrows the earlier days.
        let answers = context.conversation.is_some() && context.user_messages.len() > 1;
        let narrows = |days: DateRange| answers && days.from <= self.range.from && self.range.to <= days.to;
        let found = context.reader().ranges(said);
        let is_one = |days: DateRange| until_today(days) == until_today(self.range) || narrows(days) || tells_of(days);
        let is_left_out = |at: usize| leaves_out(&said[..at]);
        let page = Filters::of_page(context).unwrap_or_default();
        let first = found.first().filter(|_| {
            page.range.is_none() && !found.iter().any(|found| is_one(found.range) || is_left_out(found.span.start))
        })?;
        said.get(first.span.clone())
    }

    /// "over £50", if the query has no such bound.
    fn unmatched_amounts<'s>(&self, said: &'s str, context: &ToolContext<'_>) -> Option<&'s str> {
        if super::has_bounds(&Filters::of_page(context).unwrap_or_default()) {
            return None;
        }
        let lower = said.to_ascii_lowercase();
        let other = context.reader().amounts(said).into_iter().find_map(|found| {
            let Reading::Exact(amount) = &found.reading else { return None };
            let (side, words) = bound(&lower, &found.span)?;
            let fields = match side {
                Bound::AtLeast | Bound::MoreThan => ["minAmount", "moreThan"],
                Bound::AtMost | Bound::LessThan => ["maxAmount", "lessThan"],
            };
            let currency = match found.currency {
                CurrencyMention::Known(currency) => Some(currency),
                _ => self.currency.or_else(|| Currency::parse(context.currency?).ok()),
            };
            let minor = |amount: &str| Some(Amount::parse(amount).ok()?.in_currency(currency?).ok()?.minor);
            let bounds = fields.into_iter().filter_map(|name| self.detected.get(name)?.as_str());
            let mut bounds = bounds.filter(|_| currency == self.currency);
            (!bounds.any(|bound| minor(bound) == minor(amount))).then_some(words)
        })?;
        said.get(other)
    }
}

/// "everything except October", "before October".
fn leaves_out(before: &str) -> bool {
    const LEAVING: [&str; 14] = [
        "but", "except", "excluding", "without", "not", "before", "außer", "ohne", "vor", "sauf", "sans", "avant",
        "salvo", "menos",
    ];
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    LEAVING.contains(&last.as_str())
}
