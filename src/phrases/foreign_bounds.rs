//! Days that one day bounds, in German, French and Spanish: "seit dem 1. November", "avant lundi", "hasta el 15".

use jiff::civil::Date;

use super::{
    DateRange,
    foreign_spans::{Link, end, link},
    foreign_within::{before, quantity},
    periods::endpoint,
    tokens::Line,
    vocabulary,
};

/// What lies on one side of a day.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Since,
    After,
    Before,
    Until,
}

/// Past the words that say so; whether an article is among them, and whether a year may be the end.
fn boundary(line: &Line<'_>, at: usize) -> Option<(usize, Side, bool, bool)> {
    let (next, side, years) = match (line.word(at), line.word(at + 1)) {
        ("avant", "hier") => return None,
        ("antes", "de") if line.word(at + 2) == "ayer" => return None,
        ("seit" | "depuis" | "desde" | "dès", _) => (at + 1, Side::Since, true),
        ("ab", _) => (at + 1, Side::Since, false),
        ("à" | "a", "partir" | "compter" | "contar") if line.is(at + 2, &["de", "du", "del"]) => {
            (at + 3, Side::Since, true)
        }
        ("à" | "a", "partir" | "compter") if line.word(at + 2).starts_with("d'") => (at + 2, Side::Since, true),
        ("nach" | "après" | "tras", _) => (at + 1, Side::After, true),
        ("después" | "despues", "de" | "del") => (at + 2, Side::After, true),
        ("vor" | "vorm" | "avant", _) => (at + 1, Side::Before, true),
        ("antes", "de" | "del") => (at + 2, Side::Before, true),
        ("bis" | "hasta" | "jusqu'au" | "jusqu'à" | "jusqu'en", _) => (at + 1, Side::Until, false),
        _ => return None,
    };
    let led = line.is(next - 1, &["du", "del", "jusqu'au", "vorm"]);
    let next = line.skip(next, &[], &["einschließlich", "inklusive"]);
    Some((next, side, led, years))
}

pub(super) fn bounded(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, Option<DateRange>)> {
    let (next, side, led, years) = boundary(line, at)?;
    // "seit 3 Tagen"
    if line.is(at, &["seit", "depuis"])
        && let Some((end, count, unit)) = quantity(line, next)
    {
        return Some((end, DateRange::new(before(today, count, unit)?, today)));
    }
    let year = || endpoint(line, next, today, true).filter(|_| years);
    let point = match end(line, next, led, today).or_else(year)? {
        Ok(point) => point,
        Err((end, _)) => return Some((end, None)),
    };
    let DateRange { from, to } = point.range;
    let range = match side {
        Side::Since => DateRange::new(from, today),
        Side::After => to.tomorrow().ok().and_then(|from| DateRange::new(from, today)),
        Side::Before => from.yesterday().ok().and_then(|to| DateRange::new(DateRange::ALL.from, to)),
        Side::Until => DateRange::new(DateRange::ALL.from, to),
    };
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
        || vocabulary::foreign_month(word).is_some()
        || vocabulary::month(word).is_some()
        || vocabulary::foreign_unit(word).is_some()
        || line.is(before, &["heute", "gestern", "hier", "ayer", "hoy"])
}
