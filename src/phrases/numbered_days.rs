//! Days of one month, said by their numbers: "1-5 Nov", "from the 13th to the 15th of July", "July 13 and 14".

use jiff::civil::Date;

use super::{
    DateRange,
    calendar::{Period, in_month, is_month, named_period, numbered},
    currencies,
    day_words::closes,
    days::digit_day,
    number_words,
    tokens::Line,
    vocabulary,
};

/// Days said by their numbers alone.
struct Numbers {
    end: usize,
    from: i8,
    to: i8,
    /// They are one span; what is not is unclear.
    whole: bool,
    /// "the 1st to the 15th"
    articled: bool,
    ordinal: bool,
    /// They are listed, not the ends of a span.
    listed: bool,
}

pub(super) fn numbered_days(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    if let Some(month) = vocabulary::month(line.word(at)).filter(|_| line.starts(at)) {
        let start = line.skip(at + 1, &['.'], &["between", "from"]);
        let between = line.follows(at, &["between"]) || line.follows(start, &["between"]);
        let days = numbers(line, start, between)?;
        let money = currencies::word(line.tokens.get(days.end).map_or("", |next| next.text), line.word(days.end));
        let period = of_month(line, days.end, month, &days, today)?;
        // "July 13 and 14 coffees"
        let clear = !days.listed || days.ordinal || closes(line, period.end);
        let range = period.range.filter(|_| clear);
        return money.is_none().then_some(Period { range, ..period });
    }
    if let Some((end, month, days)) = into_month(line, at) {
        // Reaching past today it may as well be another year's.
        let read = in_month(line, end, month, days, today)?;
        return Some(Period { range: read.range.filter(|range| range.to <= today), ..read });
    }
    let days = numbers(line, at, line.follows(at, &["between"])).filter(|_| line.starts(at))?;
    let next = line.skip(days.end, &[], &["of", "in"]);
    if let Some(month) = vocabulary::month(line.word(next)) {
        let end = line.skip(next + 1, &['.'], &[]);
        return of_month(line, end, month, &days, today);
    }
    let Some(first) = named_period(line, days.end, today).filter(|(_, range)| is_month(range)) else {
        // "3rd to 5th": some days of some month.
        let are_days = days.ordinal && !days.articled && !days.listed;
        return are_days.then_some(Period { end: days.end, range: None, yearless: None });
    };
    let (end, DateRange { from, .. }) = first;
    let range = numbered(from.year(), from.month(), (days.from, days.to)).filter(|_| days.whole);
    Some(Period { end, range, yearless: None })
}

fn of_month(line: &Line<'_>, end: usize, month: i8, days: &Numbers, today: Date) -> Option<Period> {
    let read = in_month(line, end, month, (days.from, days.to), today)?;
    Some(Period { range: read.range.filter(|_| days.whole), ..read })
}

fn numbers(line: &Line<'_>, at: usize, between: bool) -> Option<Numbers> {
    let (mut end, from, mut ordinal) = number(line, at)?;
    let mut articled = line.word(at) == "the";
    let (mut to, mut count, mut whole, mut listed, mut last_is_linked) = (from, 1, true, false, true);
    loop {
        let (spans, linked) = match (line.word(end), line.mark(end)) {
            ("to" | "until" | "till" | "through" | "thru", _) | (_, Some('-' | '–' | '—')) => (true, true),
            ("and", _) if between => (true, true),
            ("and" | "or", _) | (_, Some('&' | '+')) => (false, true),
            (_, Some('/')) if line.glued(end) && line.glued(end + 1) => (false, true),
            (_, Some(',')) => (false, false),
            _ => break,
        };
        let next = line.skip(end + 1, &[], &["and"]);
        let Some((after, day, is_ordinal)) = number(line, next) else { break };
        let ends = line.ends(after) || line.glued_mark(after) == Some('/') || is_ordinal;
        // "coffee 12 and 5 July"
        if !ends || !spans && day <= to {
            break;
        }
        whole &= if spans { count == 1 } else { count == 1 || listed };
        whole &= spans || day == to + 1 && line.word(end) != "or";
        articled |= line.word(next) == "the";
        (to, end, listed) = (day, after, listed || !spans);
        (ordinal, count, last_is_linked) = (ordinal && is_ordinal, count + 1, linked || next > end + 1);
    }
    // "lunch 12, 14 July"
    (count > 1 && (last_is_linked || ordinal)).then_some(Numbers { end, from, to, whole, articled, ordinal, listed })
}

/// "13", "the 13th", "thirteenth": where it ends, and whether it is an ordinal.
fn number(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let start = line.skip(at, &[], &["the"]);
    let spelt = || {
        let (end, day) = number_words::ordinal_words(&line.tokens, start)?;
        Some((end, i8::try_from(day).ok().filter(|day| *day <= 31)?, true))
    };
    digit_day(line, start).or_else(spelt)
}

/// "from 4 to January 22"
fn into_month(line: &Line<'_>, at: usize) -> Option<(usize, i8, (i8, i8))> {
    let (end, from, _) = digit_day(line, at).filter(|_| line.follows(at, &["from", "between"]))?;
    let month = vocabulary::month(line.word(end + 1)).filter(|_| line.is(end, &["to", "until", "till", "and"]))?;
    let (end, to, _) = digit_day(line, end + 2)?;
    line.ends(end).then_some((end, month, (from, to)))
}
