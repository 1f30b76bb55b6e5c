//! Hours of a day and lengths of time, whose numbers are no amounts: "um halb 4", "à 9 heures 30", "a las 8 de la tarde",
//! "2 Stunden", "3 hours 40".

use super::{currencies, lexicon::Class, periods, times, tokens::Line, vocabulary};

/// An hour in digits: no currency or length, and no decimals.
pub(super) fn hour(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let hour = line.digits(at).filter(|digits| digits.len() <= 2)?.parse().ok().filter(|hour| *hour <= 24)?;
    let is_other = has_decimals(line, at + 1) || vocabulary::foreign_unit(line.word(at + 1)).is_some();
    (!is_other && !is_money(line, at + 1)).then_some((at + 1, hour))
}

/// The minutes of an hour. Behind it they may be a price, if there is none beside.
pub(super) fn minutes(line: &Line<'_>, at: usize) -> Option<usize> {
    line.digits(at).filter(|digits| digits.len() == 2 && digits < &"60")?;
    let is_price = |other: usize| line.digits(other).is_some() && !line.is(other + 1, Class::Hour);
    let others = || (0..line.tokens.len()).any(|other| other != at && is_price(other));
    let is_whole = !has_decimals(line, at + 1) && !is_money(line, at + 1);
    (is_whole && (line.glued(at) || others())).then_some(at + 1)
}

fn has_decimals(line: &Line<'_>, at: usize) -> bool {
    line.glued_mark(at).is_some_and(|mark| ".,".contains(mark)) && line.glued(at + 1)
}

/// A currency stands there.
pub(super) fn is_money(line: &Line<'_>, at: usize) -> bool {
    let Some(token) = line.tokens.get(at) else { return false };
    token.mark().is_some_and(currencies::is_sign) || currencies::word(token.text, line.word(at)).is_some()
}

/// The number there is said as one of a clock.
pub(super) fn is_hour(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, Class::BeforeHourInDigits)
        && (1..=3.min(at)).any(|back| times::hour(line, at - back).is_some_and(|(end, _)| end > at))
        || is_minutes(line, at)
            && (2..=5.min(at)).any(|back| times::hour(line, at - back).is_some_and(|(end, _)| end > at))
        || is_linked(line, at + 1) && line.is(at + 3, Class::Hour)
}

/// "9 bis 17 Uhr": between two numbers of one kind.
fn is_linked(line: &Line<'_>, at: usize) -> bool {
    let from = at > 1 && line.is(at - 2, &["de", "du", "entre", "von"]) && line.is(at, &["à", "a"]);
    let linked = line.is(at, &["bis", "oder", "ou", "o"]) || line.mark(at).is_some_and(|mark| "-–".contains(mark));
    (from || linked) && line.digits(at + 1).is_some()
}

/// "15 Uhr 20", "2 hours 15", "3 hours and 40": they may be minutes.
pub(super) fn is_minutes(line: &Line<'_>, at: usize) -> bool {
    hours_before(line, at).is_some()
        && line.digits(at).is_some_and(|digits| digits.len() == 2 && *digits < *"60")
        && !has_decimals(line, at + 1)
}

/// "in 3 hours 40": the minutes of how long it took.
pub(super) fn is_time_taken(line: &Line<'_>, at: usize) -> bool {
    is_minutes(line, at) && hours_before(line, at).is_some_and(|hours| line.follows(hours, Class::LeadToTimeTaken))
}

/// "10k in 52:30", "5k in 24 minutes": so far in that time.
pub(super) fn is_distance(line: &Line<'_>, end: usize) -> bool {
    let is_clock = line.mark(end + 2) == Some(':') && line.digits(end + 3).is_some();
    line.word(end) == "in" && line.digits(end + 1).is_some() && (is_clock || line.is(end + 2, Class::LengthOfTime))
}

/// The number of the hours that stand before it.
fn hours_before(line: &Line<'_>, at: usize) -> Option<usize> {
    let end = at - usize::from(line.follows(at, &["and", "und", "et", "y"]));
    let hours = end.checked_sub(2).filter(|_| line.follows(end, Class::Hour))?;
    line.digits(hours).filter(|hours| hours.len() <= 2).map(|_| hours)
}

/// "2 Stunden", "12 mois", "1 día": how long it was.
pub(super) fn is_length(line: &Line<'_>, at: usize, end: usize) -> bool {
    if is_linked(line, end) && is_length(line, end + 1, end + 2) {
        return true;
    }
    let few = end == at + 1 || end == at + 3 && line.digits(at + 2).is_some_and(|decimals| decimals.len() == 1);
    let said = line.is(end, Class::Periods) || line.is(end, Class::OnePeriod) && line.digits(at) == Some("1");
    few && said && !line.glued(end) && !periods::begins(line, end)
}
