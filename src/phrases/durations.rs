//! How long: "3 days", "a fortnight", "1 month and 21 days".

use jiff::{Span, ToSpan};

use super::{lexicon::Class, number_words, tokens::Line, vocabulary};

/// "1 month and 21 days", "2 Wochen und 3 Tagen".
pub(super) fn length(line: &Line<'_>, at: usize) -> Option<(usize, Span)> {
    let mut span = Span::new();
    let mut end = at;
    let mut next = at;
    while let Some((after, more)) = quantity(line, next) {
        span = span
            .try_days(i64::from(span.get_days()) + i64::from(more.get_days()))
            .and_then(|sum| sum.try_months(i64::from(span.get_months()) + i64::from(more.get_months())))
            .and_then(|sum| sum.try_years(i64::from(span.get_years()) + i64::from(more.get_years())))
            .ok()?;
        end = after;
        next = line.skip(end, &[','], Class::And);
    }
    (end > at).then_some((end, span))
}

/// In digits or in words of any language.
pub(super) fn number(line: &Line<'_>, at: usize) -> Option<(usize, i64)> {
    let digits = || line.digits(at).filter(|digits| digits.len() <= 4)?.parse().ok().map(|count| (at + 1, count));
    let (end, count) = digits().or_else(|| number_words::any_cardinal(line, at))?;
    Some((end, i64::try_from(count).ok().filter(|count| *count <= 9999)?))
}

fn quantity(line: &Line<'_>, at: usize) -> Option<(usize, Span)> {
    let (end, count) = if line.is(at, Class::OneOfALength) { (at + 1, 1) } else { number(line, at)? };
    // "coffee 3 day before yesterday"
    let of_price = line.word(end) == "day" && line.is(end + 1, Class::RelatesDays) && count != 1;
    let short = line.glued(end) && line.word(end + 1) == "ago";
    let unit = match line.word(end) {
        _ if line.is(end, Class::Fortnight) => 14.days(),
        "d" if short => 1.day(),
        "w" if short => 7.days(),
        "y" if short => 1.year(),
        _ => vocabulary::any_unit(line, end).filter(|_| !of_price)?,
    };
    Some((end + 1, unit.checked_mul(count).ok()?))
}
