//! How long: "3 days", "a fortnight", "1 month and 21 days".

use jiff::Span;

use super::{
    number_words,
    tokens::Line,
    vocabulary::{self, Unit},
};

/// "1 month and 21 days".
pub(super) fn duration(line: &Line<'_>, at: usize) -> Option<(usize, Span)> {
    let mut span = Span::new();
    let mut end = at;
    let mut next = at;
    while let Some((after, count, unit)) = quantity(line, next) {
        span = match unit {
            Unit::Day => span.try_days(i64::from(span.get_days()) + count),
            Unit::Week => span.try_days(i64::from(span.get_days()) + count * 7),
            Unit::Month => span.try_months(i64::from(span.get_months()) + count),
            Unit::Year => span.try_years(i64::from(span.get_years()) + count),
        }
        .ok()?;
        end = after;
        next = line.skip(end, &[','], &["and"]);
    }
    (end > at).then_some((end, span))
}

fn quantity(line: &Line<'_>, at: usize) -> Option<(usize, i64, Unit)> {
    let (end, count) = match line.digits(at) {
        Some(digits) => (at + 1, digits.parse().ok().filter(|_| digits.len() <= 4)?),
        None if line.is(at, &["a", "an"]) => (at + 1, 1),
        None => number_words::cardinal(&line.tokens, at)?,
    };
    let count = i64::try_from(count).ok().filter(|count| *count <= 9999)?;
    // "coffee 3 day before yesterday"
    let of_price = line.word(end) == "day" && line.is(end + 1, &["before", "after"]) && count != 1;
    let short = line.glued(end) && line.word(end + 1) == "ago";
    let unit = match line.word(end) {
        "fortnight" | "fortnights" => return Some((end + 1, count * 2, Unit::Week)),
        "d" if short => Unit::Day,
        "w" if short => Unit::Week,
        "y" if short => Unit::Year,
        word => vocabulary::unit(word).filter(|_| !of_price)?,
    };
    Some((end + 1, count, unit))
}
