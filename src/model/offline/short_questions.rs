//! Questions that are no sentence: "last week", "uber in October", "Tesco?", "show #5".
//!
//! Each word of them is a name, a time, a bound or a number; with any other word they are somebody else's to read.

use serde_json::json;

use super::{Reply, bounds, frames, one, speech, wording};
use crate::phrases::{Class, RangeMention, Reader};

/// What alone can be nothing else.
pub(super) fn read(text: &str, reader: Reader) -> Option<Reply> {
    let lower = text.to_lowercase();
    // "last week", and no day.
    let is_period = || matches!(&reader.ranges(text)[..], [found] if found.range.from < found.range.to);
    if is_days(text, reader) && (is_period() || Class::DayFromToday.contains(&lower) || lower.ends_with('?')) {
        return how_much(&lower, reader);
    }
    let name = lower.strip_suffix('?').map(str::trim).filter(|name| is_name(name, reader));
    if let Some(name) = name {
        let field = if Class::CommonCategory.says(name).is_some() { "category" } else { "words" };
        return Some(one("list_expenses", json!({ field: name })));
    }
    if text.starts_with('#') {
        return frames::read(&format!("show {text}"), reader);
    }
    of_a_name(text, reader)
}

/// "uber in October", "food over 20 this month", "coffee yesterday?": a name in days that nothing is bought in.
pub(super) fn of_a_name(text: &str, reader: Reader) -> Option<Reply> {
    let asks = text.trim_end().ends_with('?');
    // Most messages name no span of days, and that is known by now.
    if !asks && !reader.ranges(text).iter().any(|found| found.range.from < found.range.to) {
        return None;
    }
    let lower = &text.to_lowercase();
    let plain = bounds::cut(lower, reader)?;
    let ranges = reader.ranges(&plain);
    let lasts = |found: &RangeMention| {
        let lead = wording::words(&plain[..found.span.start]).pop();
        let is_long = found.range.from.tomorrow().is_ok_and(|next| next < found.range.to);
        is_long && found.range.from <= reader.today && lead.is_none_or(|(_, word)| word != "for")
    };
    if !asks && !ranges.iter().any(lasts) {
        return None;
    }
    let days = reader.dates(&plain).into_iter().map(|found| found.span);
    let spans = ranges.into_iter().map(|found| found.span).chain(days);
    let left = wording::without(&plain, spans, &[Class::BeforeDays]);
    let names = wording::trimmed(&left, &[Class::SpentOn], &[Class::BehindTotal]);
    let mut each = names.split(['&', '+']).flat_map(|names| names.split(" and "));
    let are_names = each.all(|name| is_name(name.trim(), reader));
    if !are_names && (asks || !names.is_empty()) {
        return None;
    }
    let on = if names.is_empty() { "" } else { "on " };
    how_much(&format!("{on}{lower}"), reader).filter(|reply| !matches!(reply, Reply::Say(_)))
}

fn how_much(what: &str, reader: Reader) -> Option<Reply> {
    frames::read(&format!("how much {what}"), reader)
}

/// "yesterday", "last week", and nothing else.
fn is_days(text: &str, reader: Reader) -> bool {
    let ranges = reader.ranges(text);
    ranges.len() == 1
        && wording::without(text, [ranges[0].span.clone()], &[Class::BeforePeriod])
            .trim_matches(['?', '.', '!'])
            .is_empty()
}

/// One word, or two, that could only be what something is called.
fn is_name(text: &str, reader: Reader) -> bool {
    (1..=2).contains(&wording::words(text).len())
        && text.chars().all(|letter| letter.is_alphabetic() || letter == ' ')
        && !wording::says(text, Class::Glue)
        && reader.dates(text).is_empty()
        && reader.ranges(text).is_empty()
        && reader.amounts(text).is_empty()
        && !wording::is_filler(text)
        && !speech::is_no_statement(text)
}

#[cfg(test)]
mod tests;
