//! Days that one day bounds, in German, French and Spanish: "seit dem 1. November", "avant lundi", "hasta el 15".

use jiff::civil::Date;

use super::{
    DateRange, durations,
    foreign_spans::{Link, end, link},
    periods::endpoint,
    sides::Side,
    tokens::Line,
    vocabulary,
};

/// Past the words that say so; whether an article is among them, and whether a year may be the end.
fn boundary(line: &Line<'_>, at: usize) -> Option<(usize, Side, bool, bool)> {
    let (next, side) = Side::read(line, at, false)?;
    // "à partir d'octobre"
    let is_open = line.is(next - 1, &["partir", "compter"]) && !line.word(next).starts_with("d'");
    // "avant-hier", "antes de ayer"
    let is_day =
        line.is(at, &["avant"]) && line.is(next, &["hier"]) || line.is(at, &["antes"]) && line.is(next, &["ayer"]);
    if is_open || is_day {
        return None;
    }
    let led = line.is(next - 1, &["du", "del", "jusqu'au", "vorm"]);
    let years = side != Side::Until && !line.is(at, &["ab"]);
    Some((line.skip(next, &[], &["einschließlich", "inklusive"]), side, led, years))
}

pub(super) fn bounded(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<DateRange>)> {
    let (next, side, led, years) = boundary(line, at)?;
    // "seit 3 Tagen"
    if line.is(at, &["seit", "depuis"])
        && let Some((end, length)) = durations::length(line, next)
    {
        return Some((end, DateRange::new(today.checked_sub(length).ok()?, today)));
    }
    let year = || endpoint(line, next, today, true).filter(|_| years);
    let point = match end(line, next, led, today).or_else(year)? {
        Ok(point) => point,
        Err((end, _)) => return Some((end, None)),
    };
    let range = side.of(point.range, today);
    // It may be soon, and it may be the far end of what was not read.
    let is_near = matches!(side, Side::Since | Side::After) || point.coming.is_none();
    let goes_on = link(line, point.end).is_some_and(|(_, link)| matches!(link, Link::To | Link::Dash));
    let settled = range.filter(|_| is_near && !is_far_end(line, at, side) && !goes_on);
    Some((point.end, settled))
}

fn is_far_end(line: &Line<'_>, at: usize, side: Side) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let word = line.word(before);
    // "vingt jours avant le 3 mars"
    if side != Side::Until {
        return vocabulary::foreign_unit(word).is_some();
    }
    line.digits(before).is_some()
        || line.mark(before) == Some('.') && before > 0 && line.digits(before - 1).is_some()
        || vocabulary::foreign_weekday(word).is_some()
        || vocabulary::any_month(word).is_some()
        || vocabulary::foreign_unit(word).is_some()
        || line.is(before, &["heute", "gestern", "hier", "ayer", "hoy"])
}
