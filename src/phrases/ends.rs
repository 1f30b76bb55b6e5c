//! Ends of spans, and what one of them bounds: "since Monday", "bis Freitag", "zwischen gestern und heute".

use jiff::civil::Date;

use super::{
    DateRange, Language,
    day_words::closes,
    days,
    lexicon::Class,
    month_days::latest_of_month,
    number_words, openings,
    periods::{Point, When, between, endpoint, finished, onwards},
    times,
    tokens::Line,
    vocabulary,
};

/// Past what stands between two ends.
pub(super) fn connective(line: &Line<'_>, at: usize, opening: Option<&str>) -> Option<usize> {
    let word = line.skip(at, &[','], &[]);
    // "a" is an article in English.
    if line.is(word, Class::Connective) && (line.word(word) != "a" || openings::of(line).foreign) {
        return Some(line.skip(line.skip(word + 1, &[], &["zum"]), &[], Class::Inclusive));
    }
    let and = opening.is_some_and(|opening| Class::OpensPair.contains(opening)) && line.is(at, Class::And);
    let is_weekday = |at: usize| vocabulary::weekday(line, at).is_some();
    let is_month = |at: usize| vocabulary::month(line, at).is_some();
    let is_dash = line.mark(at).is_some_and(|mark| "-–—".contains(mark));
    let are_both = |is: &dyn Fn(usize) -> bool| at > 0 && is(at - 1) && is(at + 1);
    let dash = is_dash && (!line.glued(at) || are_both(&is_weekday) || are_both(&is_month));
    (and || dash).then_some(at + 1)
}

/// Two of a kind stand beside it.
pub(super) fn is_link(line: &Line<'_>, at: usize) -> bool {
    let is_mark = line.mark(at).is_some_and(|mark| "-–—&".contains(mark));
    is_mark || line.is(at, Class::Connective) || line.is(at, &["and"])
}

/// One end of a span, whatever it is.
///
/// `years`: a bare year may be one.
pub(super) fn end(line: &Line<'_>, at: usize, (led, years): (bool, bool), today: Date) -> Option<Point> {
    // "jusqu'au 15", "hasta el 15"
    let number = line.skip(line.skip(at, &[], Class::LeadToDay), &[], Class::BeforeDayNumber);
    if (led || number > at)
        && let Some((end, number, _)) = number_words::numbered(line, number).filter(|(end, ..)| closes(line, *end))
    {
        return latest_of_month(end, number, today);
    }
    if led && let Some(read) = endpoint(line, at - 1, today, false) {
        return Some(read);
    }
    let named = line.skip(at, &[], Class::LeadToDay);
    if vocabulary::foreign_month(line, named).is_some() {
        return endpoint(line, named, today, true);
    }
    let read = endpoint(line, at, today, years).or_else(|| endpoint(line, named, today, years));
    match vocabulary::foreign_weekday(line, named) {
        // Beside the other end it is no name.
        Some((weekday, _)) if read.as_ref().is_none_or(|read| read.end == named + 1) => {
            Some(days::on(named + 1, days::recent(weekday, today)?))
        }
        _ => read,
    }
}

/// "desde octubre hasta ayer", "zwischen gestern und heute", "from 10 November on".
pub(super) fn pair(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, When)> {
    if !line.is(at, Class::OpensSpan) {
        return None;
    }
    let is_english = line.is(at, Class::OpensEnglishSpan);
    let first = end(line, at + 1, (false, is_english), today)?;
    let next = connective(line, first.end, Some(line.word(at)));
    match (next.and_then(|next| end(line, next, (false, is_english), today)), next) {
        (Some(second), _) => finished(line, at, second.end, between(&first, &second, today)),
        _ if !is_english => None,
        _ if first.range().is_none() => Some((first.end, first.when)),
        (None, Some(next)) => Some((next, When::of(None))),
        (None, None) => onwards(line, at, &first, today),
    }
}

/// Past the second end, where a first one that is not settled goes on.
pub(super) fn goes_on(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    Some(end(line, connective(line, at, None)?, (false, false), today)?.end)
}

/// "since Monday", "until 5 Nov", "before October", "no later than the 15th", "seit dem 1. November", "avant lundi".
pub(super) fn bounded(line: &Line<'_>, at: usize, today: Date) -> Option<(usize, When)> {
    let (behind, sense) = line.sense(at, Class::Boundary)?;
    let (side, is_english) = (sense.says, sense.language == Some(Language::English));
    // "avant-hier", "since the start of May", "à partir d'octobre"
    let is_whole = times::day(line, at, today).is_some() || times::span(line, at, today).is_some();
    if is_whole || line.is(behind - 1, Class::CountsFrom) && !line.word(behind).starts_with("d'") {
        return None;
    }
    let inclusive = usize::from(line.word(behind) == "and" && line.word(behind + 1) == "including") * 2;
    let next = line.skip(behind + inclusive, &[], Class::Inclusive);
    let point = match is_english {
        true => endpoint(line, next, today, line.word(at) != "by")?,
        false => {
            let led = line.is(behind - 1, Class::BoundaryWithArticle);
            let years = side != "until" && !line.is(at, &["ab"]);
            end(line, next, (led, years), today)?
        }
    };
    let Some(whole @ DateRange { from, to }) = point.range() else { return Some((point.end, point.when)) };
    // "Before October this year": from its first day.
    let this_year =
        |at: usize| times::whole(line, at, today).filter(|year| at > next && year.end == point.end)?.range();
    let year = point.end.checked_sub(2).and_then(this_year).filter(DateRange::is_year);
    let first = year.map_or(DateRange::ALL.from, |year| year.from);
    let range = match side {
        "since" => DateRange::new(from, today),
        "after" => DateRange::new(to.tomorrow().ok()?, today),
        "before" => DateRange::new(first, from.yesterday().ok()?),
        "until" => DateRange::new(first, to),
        _ if line.word(at) == "as" && whole == DateRange::day(today) => return None,
        // People differ: the 15th may belong to it or not.
        _ => None,
    };
    // It may be soon.
    let is_near = is_english || matches!(side, "since" | "after") || point.coming.is_none();
    let goes_on = connective(line, point.end, None).is_some();
    let settled = When::of(range.filter(|_| is_near && !is_far_end(line, at, side) && !goes_on));
    finished(line, if is_english { next } else { at }, point.end, settled)
}

/// Of a range whose beginning was not read.
fn is_far_end(line: &Line<'_>, at: usize, side: &str) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let is_opened = (1..=4).any(|back| Class::OpensEnglishSpan.contains(line.before(at, back)));
    // "vingt jours avant le 3 mars"
    if is_opened || side != "until" {
        return is_opened || vocabulary::is_foreign_unit(line, before);
    }
    line.digits(before).is_some()
        || line.mark(before) == Some('.') && before > 0 && line.digits(before - 1).is_some()
        || vocabulary::foreign_weekday(line, before).is_some()
        || vocabulary::any_month(line, before).is_some()
        || vocabulary::is_foreign_unit(line, before)
        || line.is(before, Class::DayBesideToday)
}
