//! The days and the bounds of amounts that a text names, and where.

use std::ops::Range;

use super::Found;
use crate::{
    model::offline::{
        bounds,
        questions::{which_day, which_days},
    },
    only::Only,
    phrases::{AmountMention, Class, CurrencyMention, DateRange, DateReading, RangeMention, Reader, bounds::bound},
};

pub(super) fn days_in(text: &str, reader: Reader) -> Vec<(Range<usize>, Found)> {
    let ranges = reader.ranges(text);
    let days = |found: &RangeMention| Found::Days(reader.asked(&text[found.span.clone()]).unwrap_or(found.range));
    let mut found: Vec<_> = ranges.iter().map(|found| (found.span.clone(), days(found))).collect();
    // "October and November": one right after the other.
    for pair in ranges.windows(2) {
        let [RangeMention { span: one, range: first }, RangeMention { span: other, range: last }] = pair else {
            continue;
        };
        if text[one.end..other.start].trim() == "and" && first.to.tomorrow().is_ok_and(|day| day == last.from) {
            found.push((one.start..other.end, Found::Joined(DateRange { from: first.from, to: last.to })));
        }
    }
    for open in reader.dates(text) {
        // What was spent is not ahead: "on the 3rd" is the last one.
        if let DateReading::Ambiguous(days) = &open.reading
            && let Some(day) = days.iter().filter(|day| **day <= reader.today).only()
        {
            found.push((open.span, Found::Days(DateRange { from: *day, to: *day })));
            continue;
        }
        if !matches!(open.reading, DateReading::On(_)) && !ranges.iter().any(|range| range.span == open.span) {
            let question = match &open.reading {
                DateReading::Ambiguous(days) if days.is_empty() => which_days(&text[open.span.clone()], reader),
                _ => which_day(open.reading, reader),
            };
            found.push((open.span, Found::OpenDays(question)));
        }
    }
    found
}

/// The second text is the first in small letters.
pub(super) fn bounds_in(text: &str, lower: &str, reader: Reader) -> Vec<(Range<usize>, Found)> {
    let amounts = reader.amounts(text);
    let spans: Vec<_> = amounts.iter().map(|found| found.span.clone()).collect();
    let open_or_bounds = |bounds: Result<_, _>| bounds.map_or_else(Found::Open, Found::Bounds);
    if let Some(both) = bounds::between(lower, &spans) {
        return vec![(both, open_or_bounds(bounds::of(&amounts, true, lower, reader)))];
    }
    let alone = |found: &AmountMention| {
        let bound = bound(lower, &found.span).map(|(_, span)| span);
        // "From 2025" is a year.
        let is_year = bound.as_ref().is_some_and(|bound| {
            Class::LeadsToYear.contains(lower[bound.start..found.span.start].trim())
                && found.currency == CurrencyMention::None
                && reader.month_or_year(&lower[found.span.clone()]).is_some()
        });
        if is_year {
            return [None, None].into_iter().flatten();
        }
        let bounds = open_or_bounds(bounds::of(std::slice::from_ref(found), false, lower, reader));
        let exactly = bounds::money(found, &["min_amount", "max_amount"]).filter(|_| bound.is_none());
        let exactly = exactly.map(|exactly| (found.span.clone(), Found::Amount(exactly)));
        [Some((bound.unwrap_or(found.span.clone()), bounds)), exactly].into_iter().flatten()
    };
    amounts.iter().flat_map(alone).collect()
}
