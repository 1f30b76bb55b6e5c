//! Days written in digits, like `2026-11-20`, `20/11/2026` and `20-Nov-26`.
//!
//! Day first or month first is settled when one of them is no day, or by what is known of the writer; no habit is assumed.

use jiff::civil::Date;

use super::{
    DateReading, DayOrder, DecimalMark, composed,
    day_words::closes,
    days::{impossible, in_unknown_year, known_year, latest, most_recent, on, read, unclear},
    lexicon::Class,
    periods::{Point, When},
    tokens::Line,
    vocabulary,
};

pub(super) fn numeric(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let first = line.digits(at).filter(|_| line.starts(at))?;
    let separator = line.glued_mark(at + 1).filter(|mark| "/-.".contains(*mark))?;
    if !line.glued(at + 2) || separator == '/' && composed::is_fraction(line, at) {
        return None;
    }
    let three_parts = line.glued_mark(at + 3) == Some(separator) && line.glued(at + 4);
    let Some(third) = line.digits(at + 4).filter(|_| three_parts) else {
        let has_comma = line.conventions.decimal_mark == Some(DecimalMark::Comma);
        let leads = separator == '.' && leads_a_price(line, at);
        let is_day = !three_parts && (separator == '/' || leads || line.follows(at, &["on"]));
        if separator == '/' && is_part_of_something(line, at) {
            return None;
        }
        let mut day = two_parts(line, at, today).filter(|_| is_day)?;
        let dotted = line.mark(at + 3) == Some('.');
        day.end += usize::from(leads && dotted);
        // To many it may be a price as well; "1/2 baguette" is a half to all.
        let halves = separator == '/' && is_half(line, at);
        if let (true, When::Day(DateReading::On(date))) = (leads && !has_comma && !dotted || halves, &day.when) {
            day.when = When::Day(DateReading::Ambiguous(vec![*date]));
        }
        return Some(day);
    };
    let time_follows = line.word(at + 5).starts_with('t') && line.glued(at + 5);
    // `month_days` reads "13.11.25".
    if !line.ends(at + 5) && !time_follows || separator == '.' && first.len() != 4 && third.len() != 4 {
        return None;
    }
    let month = vocabulary::any_month(line, at + 2);
    let second = line.digits(at + 2);
    let (year, orders) = match (first.len(), third.len()) {
        (4, 1..=2) => (first, vec![(second, Some(third))]),
        (1..=2, 2 | 4) if month.is_some() => (third, vec![(None, Some(first))]),
        (1..=2, 2 | 4) => (third, vec![(second, Some(first)), (Some(first), second)]),
        _ => return None,
    };
    let year = full_year(year);
    let Some(year) = year.filter(|year| (1970..=2100).contains(year)) else {
        return Some(in_unknown_year(at + 5));
    };
    let number = |digits: Option<&str>| digits.and_then(|digits| digits.parse::<i8>().ok());
    let read = orders.into_iter().filter_map(|(m, d)| Date::new(year, month.or_else(|| number(m))?, number(d)?).ok());
    let mut read = usual(line, read.collect());
    // "26-11-18": a year may be first, too.
    if first.len() == 2 && third.len() == 2 && year < today.year() - 1 {
        let of = |digits: Option<&str>| digits.and_then(|digits| digits.parse().ok());
        let turned = full_year(first).and_then(|year| Date::new(year, of(second)?, of(line.digits(at + 4))?).ok());
        read.extend(turned.filter(|day| day.year() <= today.year() && day.year() > year));
    }
    Some(one_of(line, at, at + 5, read))
}

/// "1/2 kg", "1/3 of the rent", "payment 2/4".
fn is_part_of_something(line: &Line<'_>, at: usize) -> bool {
    let part = |at: usize| line.digits(at).and_then(|digits| digits.parse::<u8>().ok()).filter(|part| *part <= 16);
    let is_part = part(at).is_some() && part(at) < part(at + 2) && line.ends(at + 3);
    is_part && (line.is(at + 3, Class::Measure) || line.follows(at, Class::NumberedPart))
}

/// "1/2 baguette": before a noun it may be a day, as in "1/2 coffee 3".
fn is_half(line: &Line<'_>, at: usize) -> bool {
    let parts = line.digits(at).zip(line.digits(at + 2));
    let is_half = parts.is_some_and(|parts| matches!(parts, ("1", "2" | "3" | "4") | ("2" | "3", "3" | "4")));
    is_half && parts.is_some_and(|(part, of)| part < of) && !line.word(at + 3).is_empty() && !closes(line, at + 3)
}

/// "22.10 haircut 18": what opens a clause that ends with another number.
fn leads_a_price(line: &Line<'_>, at: usize) -> bool {
    let parts = |at: usize| line.mark(at) == Some(';');
    let end = (at + 3..line.tokens.len()).find(|at| parts(*at)).unwrap_or(line.tokens.len());
    let next = line.skip(at + 3, &['.'], &[]);
    // "1.5 coffee 3"
    let has_comma = line.conventions.decimal_mark == Some(DecimalMark::Comma);
    let is_month = next > at + 3 || has_comma || line.digits(at + 2).is_some_and(|month| month.len() == 2);
    is_month && (at == 0 || parts(at - 1)) && !line.word(next).is_empty() && line.digits(end - 1).is_some()
}

/// `20/11`, with no year; a year after a comma belongs to it.
fn two_parts(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let parse = |at| line.digits(at).filter(|digits| digits.len() <= 2)?.parse::<i8>().ok();
    let (first, second) = (parse(at)?, parse(at + 2)?);
    // With a dot the day is always first: "5.20" is a price.
    let latest_month = if line.mark(at + 1) == Some('.') { second } else { first.min(second) };
    let plausible = (1..=31).contains(&first) && (1..=31).contains(&second) && latest_month <= 12;
    // "24/7" is all the time.
    if !plausible || (line.digits(at), line.digits(at + 2)) == (Some("24"), Some("7")) {
        return None;
    }
    if line.mark(at + 3) == Some(',') && line.glued(at + 4) && line.digits(at + 4).is_some() {
        let year = line.digits(at + 4).and_then(known_year).filter(|_| line.ends(at + 5));
        let Some(year) = year else { return Some(unclear(at + 5)) };
        let orders = [(second, first), (first, second)].into_iter();
        let read = orders.filter_map(|(month, day)| Date::new(year, month, day).ok()).collect();
        return Some(one_of(line, at, at + 5, usual(line, read)));
    }
    if !line.ends(at + 3) {
        return None;
    }
    // With a dot the day is always first.
    let orders = [(second, first), (first, second)].into_iter();
    let orders = orders.take(if line.mark(at + 1) == Some('.') || first == second { 1 } else { 2 });
    let read = orders.filter_map(|(month, day)| Some(((month, day), most_recent(month, day, today)?)));
    Some(match usual(line, read.collect())[..] {
        [((month, day), _)] => latest(at + 3, month, day, today),
        ref read => one_of(line, at, at + 3, read.iter().map(|(_, date)| *date).collect()),
    })
}

/// Of a day read both ways, day first and month first, the way its writer writes days.
fn usual<T>(line: &Line<'_>, mut read: Vec<T>) -> Vec<T> {
    let order = || line.conventions.day_order.or_else(|| shown_order(line));
    match if read.len() == 2 { order() } else { None } {
        Some(DayOrder::DayFirst) => read.truncate(1),
        Some(DayOrder::MonthFirst) => read.drain(..1).for_each(drop),
        _ => {}
    }
    read
}

/// "From 10/11 to 20/11": what another day of the text can only be.
fn shown_order(line: &Line<'_>) -> Option<DayOrder> {
    let part = |at: usize| line.digits(at).filter(|digits| digits.len() <= 2)?.parse().ok();
    let has_year =
        |at: usize| line.mark(at + 3) == Some('.') && line.digits(at + 4).is_some_and(|year| year.len() == 4);
    let parts = |at: usize| match line.mark(at + 1) {
        Some('.') if has_year(at) => Some('.'),
        mark => mark.filter(|mark| *mark == '/'),
    };
    let opens = |at: &usize| parts(*at).is_some_and(|mark| *at == 0 || line.mark(at - 1) != Some(mark));
    (0..line.tokens.len()).filter(opens).find_map(|at| match (part(at)?, part(at + 2)?) {
        (13..=31, 1..=12) => Some(DayOrder::DayFirst),
        (1..=12, 13..=31) => Some(DayOrder::MonthFirst),
        _ => None,
    })
}

fn one_of(line: &Line<'_>, start: usize, end: usize, mut dates: Vec<Date>) -> Point {
    dates.dedup();
    match dates[..] {
        [] => impossible(end, format!("there is no day {}", &line.text[line.span(start, end)])),
        [date] => on(end, date),
        _ => read(end, DateReading::Ambiguous(dates)),
    }
}

pub(super) fn full_year(digits: &str) -> Option<i16> {
    let year: i16 = digits.parse().ok()?;
    Some(match digits.len() {
        2 if year < 70 => 2000 + year,
        2 => 1900 + year,
        _ => year,
    })
}
