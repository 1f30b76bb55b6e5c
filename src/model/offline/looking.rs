//! What was left open in a question about spending, and how it is asked.

use super::{Reply, bounds, bulk, draft, frames, wording};
use crate::phrases::{Class, DateReading, Reader};

/// The question before, with what was left open now said.
pub(super) fn answered(before: &str, answer: &str, reader: Reader) -> Option<Reply> {
    let currency = draft::currency_alone(answer, reader).filter(|_| reader.amounts(before).is_empty());
    if let Some(draft::Said::Exactly(code)) = currency {
        return look(&format!("{before} in {code}"), reader);
    }
    if let Some(text) = bounds::answered(before, answer, reader) {
        return look(&text, reader);
    }
    let unsettled = reader.dates(before);
    let spans: Vec<_> = unsettled
        .into_iter()
        .filter(|found| !matches!(found.reading, DateReading::On(_)))
        .map(|found| found.span)
        .collect();
    // "Last September"; "2025".
    let month = spans.first().and_then(|span| before[span.clone()].split_whitespace().last()).unwrap_or_default();
    let of_year = reader.resolve_range(&format!("{month} {}", answer.trim()));
    let range = of_year.or_else(|_| reader.resolve_range(answer)).ok()?;
    let text =
        format!("{} from {} to {}", wording::without(before, spans, &[Class::BeforeOpenDays]), range.from, range.to);
    look(&text, reader)
}

fn look(text: &str, reader: Reader) -> Option<Reply> {
    bulk::read(text, wording::after_courtesies(text), reader).or_else(|| frames::read(text, reader))
}
