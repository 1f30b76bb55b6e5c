//! The days and the bounds of amounts that a text names, and where.

use std::ops::Range;

use jiff::ToSpan;

use super::{Found, Message, Spans, lower};
use crate::{
    model::offline::{
        bounds,
        questions::{which_day, which_days},
    },
    only::Only,
    phrases::{AmountMention, Class, CurrencyMention, DateRange, DateReading, RangeMention, Reader, bounds::bound},
};

impl Message {
    pub(super) fn spans(&self, compares: bool) -> &Spans {
        let whole = || self.spans.get_or_init(|| self.found_in(&self.without_genitives()));
        if !compares {
            return whole();
        }
        // "Q2 to Q3": what is compared is no span from one to the other.
        if self.lower.contains(" to ") && !self.lower.contains("from ") {
            return self.paired.get_or_init(|| self.found_in(&self.text.replace(" to ", " vs ")));
        }
        // "Between Q2 and Q3" neither, but "between 1 and 15 November" is, and so is what a third span is compared with.
        const BETWEEN: &str = "between ";
        let Some(at) = self.lower.find(BETWEEN) else { return whole() };
        let apart = self.paired.get_or_init(|| {
            let mut text = self.text.clone();
            text.replace_range(at..at + BETWEEN.len(), &" ".repeat(BETWEEN.len()));
            self.found_in(&text)
        });
        let is_span = |found: &Found| match found {
            Found::Days(days) => Some(days.from < days.to),
            _ => None,
        };
        let spans: Vec<bool> = apart.iter().flatten().filter_map(|(_, found)| is_span(found)).collect();
        if spans == [true, true] { apart } else { whole() }
    }

    /// "Last month's expenses", "this weeks total", with every letter where it was.
    pub(super) fn without_genitives(&self) -> String {
        let mut text = self.text.replace("'s ", "   ");
        for (at, pair) in self.words.windows(2).enumerate() {
            // "These last months" are several.
            let are_several = at > 0 && Class::BeforeSeveral.contains(&self.words[at - 1]);
            if !are_several && Class::ThisOrLast.contains(&pair[0]) && Class::GenitiveSpan.contains(&pair[1]) {
                text.replace_range(self.places[at + 1].end - 1..self.places[at + 1].end, " ");
            }
        }
        text
    }

    fn found_in(&self, text: &str) -> Spans {
        let mut spans = vec![Vec::new(); self.places.len()];
        let lower = lower(text);
        for (span, found) in days_in(text, self.reader).into_iter().chain(bounds_in(text, &lower, self.reader)) {
            if let Some(Range { start, end }) = self.words_in(&span) {
                spans[start].push((end, found));
            }
        }
        for (at, held) in spans.iter_mut().enumerate() {
            held.extend(self.lately(at).map(|(end, days)| (end, Found::Days(days))));
        }
        spans
    }

    /// "Lately", "the last few days": of no exact length, so the answer names its days.
    fn lately(&self, at: usize) -> Option<(usize, DateRange)> {
        let length = self.entries[at].begins(Class::Lately).then(|| Class::Lately.length(&self.words[at..]))??;
        let days: i64 = Class::Lately.says(&self.words[at..at + length].join(" "))?.parse().ok()?;
        let today = self.reader.today;
        Some((at + length, DateRange { from: today.saturating_sub((days - 1).days()), to: today }))
    }
}

fn days_in(text: &str, reader: Reader) -> Vec<(Range<usize>, Found)> {
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
fn bounds_in(text: &str, lower: &str, reader: Reader) -> Vec<(Range<usize>, Found)> {
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
