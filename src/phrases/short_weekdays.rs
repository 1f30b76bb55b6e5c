//! Weekdays in their short forms, of which some are other words: "mon coffee 3", "sat and sun", "coffee wed 4.50".

use jiff::civil::{Date, Weekday};

use super::{
    Language, day_words,
    days::{Day, on, recent, unclear},
    ends,
    lexicon::Class,
    tokens::Line,
    vocabulary,
};

/// "mon coffee 3, tue cake 4": a short form that opens a clause, or stands before a price. "Mon" is also what French say for "my",
/// and "sun" and "sat" begin names.
pub(super) fn day(line: &Line<'_>, at: usize, weekday: Weekday, today: Date) -> Option<Day> {
    let opens = at == 0 || line.mark(at - 1).is_some_and(|mark| ",;:.".contains(mark)) || line.follows(at, &["and"]);
    let headed = line.mark(at + 1) == Some(':');
    let leads =
        headed || !line.word(at + 1).is_empty() && !line.glued(at + 1) && !line.is(at + 1, Class::AfterSunOrSat);
    let beside = || (0..line.tokens.len()).any(|other| other != at && vocabulary::weekday(line.word(other)).is_some());
    let is_french = line.conventions.language == Some(Language::French);
    let recent = recent(weekday, today)?;
    // "coffee wed 4.50"
    let price = line.skip(at + 1, &['£', '$', '€'], &[]);
    let between_price = line.digits(price).is_some()
        && !line.glued(at + 1)
        && !line.before(at, 1).is_empty()
        && !line.follows(at, &["the", "to", "for"]);
    match line.word(at) {
        "mon" if is_french => None,
        "mon" | "sat" | "sun" if between_price => Some(unclear(at + 1)),
        _ if between_price => Some(on(at + 1, recent)),
        _ if !opens || !leads => None,
        "mon" | "sat" | "sun" if !headed && !beside() => Some(unclear(at + 1)),
        _ => Some(on(at + 1, recent)),
    }
}

/// Short forms like "sun" and "sat" are words too.
pub(super) fn is_meant(line: &Line<'_>, at: usize) -> bool {
    // "mon to fri", "sat & sun"
    let is_weekday = |at: usize| vocabulary::weekday(line.word(at)).is_some() && !line.is(at + 1, Class::AfterSunOrSat);
    if ends::is_link(line, at + 1) && is_weekday(at + 2)
        || at >= 2 && ends::is_link(line, at - 1) && is_weekday(at - 2) && is_weekday(at)
    {
        return true;
    }
    line.follows(at, &["on", "since", "until", "till", "from", "to", "between", "by", "before", "after"])
        || line.is(at + 1, Class::BehindWeekday)
        || day_words::is_after_price(line, at) && day_words::closes(line, at + 1)
        || [line.word(at + 1), line.before(at, 1)].into_iter().any(|word| vocabulary::weekday(word).is_some())
        || line.tokens.get(at + 1).is_none()
        || line.mark(at + 1).is_some_and(|mark| ".,!?;)".contains(mark)) && line.ends(at + 1)
}
