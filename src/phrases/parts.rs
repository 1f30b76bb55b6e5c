//! Parts of a span: "the last day of October", "first half of 2025", "first ten days of last month".

use jiff::{ToSpan, civil::Date};

use super::{
    DateRange,
    calendar::{self, Period, settled},
    days::digit_day,
    number_words,
    tokens::Line,
    vocabulary::{self, Unit},
};

/// Counted from its beginning, or from its end.
#[derive(Clone, Copy, PartialEq)]
enum Nth {
    First(i32),
    Last,
}

/// What a part is measured in.
enum Piece {
    Unit(Unit),
    Weekend,
    Quarter,
    Half,
}

/// What is no easy part of it is unclear, all of it.
pub(super) fn part(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let start = line.skip(at, &[], &["the"]);
    let (next, nth) = nth(line, start)?;
    // "the second to last day of October"
    let last = line.skip(next, &[], &["to"]);
    if nth != Nth::Last && line.is(last, &["last"]) {
        return part(line, last, today).map(|period| Period { range: None, ..period });
    }
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|_| digits.len() <= 3);
    let counted = line.digits(next).and_then(number).map(|count| (next + 1, count));
    let counted = counted.or_else(|| number_words::cardinal(&line.tokens, next));
    let (noun, count) = counted.unwrap_or((next, 1));
    let piece = piece(line.word(noun)).filter(|_| line.is(noun + 1, &["of", "in"]))?;
    let whole = whole(line, noun + 2, today)?;
    let range = whole.range.and_then(|range| match (nth, piece) {
        (Nth::First(1) | Nth::Last, Piece::Unit(unit)) if counted.is_some() => {
            ends(range, nth, unit, i32::try_from(count).ok()?)
        }
        _ if counted.is_some() => None,
        (nth, piece) => one(range, nth, &piece),
    });
    Some(Period { range, ..settled(whole.end, DateRange::day(today)) })
}

fn nth(line: &Line<'_>, at: usize) -> Option<(usize, Nth)> {
    if line.is(at, &["last", "final"]) {
        return Some((at + 1, Nth::Last));
    }
    if let Some((end, nth, true)) = digit_day(line, at) {
        return Some((end, Nth::First(nth.into())));
    }
    let (end, nth) = number_words::ordinal_words(&line.tokens, at)?;
    Some((end, Nth::First(i32::try_from(nth).ok()?)))
}

fn piece(word: &str) -> Option<Piece> {
    Some(match word {
        "weekend" | "wkend" | "wknd" => Piece::Weekend,
        "quarter" | "qtr" => Piece::Quarter,
        "half" => Piece::Half,
        // "last year in March"
        _ => Piece::Unit(vocabulary::unit(word).filter(|unit| *unit != Unit::Year)?),
    })
}

/// The span that it is a part of: "October", "last month", "the year".
fn whole(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let named = line.skip(at, &[], &["the"]);
    match calendar::so_far_away(line.word(named), 0, today) {
        Some(range) if named > at => Some(settled(named + 1, range)),
        _ => calendar::plain(line, named, today, true),
    }
}

/// So many units from its beginning, or up to its end.
fn ends(whole: DateRange, nth: Nth, unit: Unit, count: i32) -> Option<DateRange> {
    let span = unit.times(count.into());
    let range = match nth {
        Nth::Last => DateRange::new(whole.to.tomorrow().ok()?.checked_sub(span).ok()?, whole.to)?,
        Nth::First(_) => DateRange::new(whole.from, whole.from.checked_add(span).ok()?.yesterday().ok()?)?,
    };
    (whole.contains(range.from) && whole.contains(range.to)).then_some(range)
}

fn one(whole: DateRange, nth: Nth, piece: &Piece) -> Option<DateRange> {
    let is_month = whole == calendar::whole_month(whole.from);
    let is_year = calendar::whole_year(whole.from.year()) == Some(whole);
    match (piece, nth) {
        (Piece::Unit(Unit::Day), Nth::First(nth)) => {
            let day = whole.from.checked_add((nth - 1).days()).ok()?;
            whole.contains(day).then(|| DateRange::day(day))
        }
        // The week of its first day, its first whole week, or its first seven days.
        (Piece::Unit(Unit::Week), _) => None,
        (Piece::Unit(unit @ Unit::Month), Nth::First(nth)) if is_year => {
            let first = whole.from.checked_add((nth - 1).months()).ok()?;
            ends(DateRange::new(first, whole.to)?, Nth::First(1), *unit, 1)
        }
        (Piece::Unit(Unit::Month), Nth::First(2..)) => None,
        (Piece::Unit(unit), _) => ends(whole, nth, *unit, 1),
        (Piece::Half, Nth::First(half @ 1..=2)) if is_month || is_year => {
            let months = if is_year { 6 } else { 0 };
            let days = if is_year { 0 } else { i32::from(whole.to.day()) / 2 };
            let middle = whole.from.checked_add(months.months().days(days)).ok()?;
            let first = DateRange::new(whole.from, middle.yesterday().ok()?);
            if half == 1 { first } else { DateRange::new(middle, whole.to) }
        }
        (Piece::Quarter, _) if is_year => {
            let nth = match nth {
                Nth::Last => 4,
                Nth::First(nth) => nth,
            };
            let first = whole.from.checked_add(((nth - 1) * 3).months()).ok()?;
            ends(DateRange::new(first, whole.to)?, Nth::First(1), Unit::Month, 3)
        }
        _ => None,
    }
}
