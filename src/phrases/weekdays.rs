//! Weekdays: "Friday", "Friday evening", "am Montag", "el viernes 13", "Mo., 16.11.", "mon coffee 3", "sat and sun".
//!
//! Their short forms are words too. In other languages than English, with no article and no known language they may be
//! names.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};

use super::{
    DateReading, Language,
    day_words::{self, closes, is_after_price},
    days::{checked, on, read, recent, unclear, year},
    denominations::is_money,
    ends,
    lexicon::Class,
    month_days::{day_of_month, latest_of_month, month_and_day},
    number_words,
    numeric_dates::numeric,
    periods::{Point, When},
    times,
    tokens::Line,
    vocabulary,
};

pub(super) fn weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    // "mon-wed"
    let joined = line.mark(at.wrapping_sub(1)) == Some('-') && vocabulary::weekday(line, at.wrapping_sub(2)).is_some();
    if !line.starts(at) && !joined {
        return None;
    }
    let led = usize::from(line.is(at, Class::LeadToDay));
    let start = at + led;
    let word = line.word(start);
    let english = vocabulary::weekday(line, start).filter(|_| led == 0).map(|weekday| (weekday, Language::English));
    let Some((weekday, language)) = english.or_else(|| vocabulary::foreign_weekday(line, start)) else {
        return short(line, at, today);
    };
    let end = times::part_of_day(line, start + 1);
    let is_english = english.is_some();
    // A weekday of some month, or one whose day is said in a way not read here.
    let next = line.skip(line.skip(end, &['.'], &[]), &[','], &[]);
    let of_month = || vocabulary::month(line, next).map(|_| unclear(next + 1));
    let day = dated(line, end, weekday, today).or_else(of_month);
    if day.is_some() {
        return day;
    }
    let is_short = !word.trim_end_matches("'s").ends_with("day");
    if is_english && is_short && !is_meant(line, at) {
        return short_in_english(line, at, weekday, today);
    }
    // "monday.com"
    let is_address =
        line.glued_mark(start + 1) == Some('.') && line.glued(start + 2) && !line.word(start + 2).is_empty();
    if is_english && (is_address || day_words::is_name(line, at)) || word == "mardi" && line.is(start + 1, &["gras"]) {
        return None;
    }
    let counted = number_words::is_number_word(line.before(at, 1));
    if counted
        || led == 0 && line.follows(at, Class::BeforeEach)
        || line.follows(at, Class::Few)
        || line.is(end, Class::BehindComingWeekday)
    {
        return Some(unclear(start + 1));
    }
    let gone = line.skip(end, &[], &["just"]);
    let end = if line.is(gone, &["gone"]) { gone + 1 } else { end };
    let past = recent(weekday, today)?;
    // "tickets 30 for Friday": beside a price, what is bought for a Friday may be for the next one.
    let is_beside_price = || word.ends_with("'s") || is_after_price(line, at - 1) || line.digits(end).is_some();
    let is_aimed = || line.follows(at, Class::For) && is_beside_price();
    if is_aimed() || is_due(line, at) {
        let coming = past.checked_add(7.days()).ok()?;
        return Some(read(end, DateReading::Ambiguous(vec![past, coming])));
    }
    if let Some(day) = numbered(line, end, (weekday, language), today) {
        return Some(day);
    }
    let settled = is_english
        || led == 1
        || line.conventions.language == Some(language)
        || line.follows(at, Class::SinceMonth)
        || at > 0 && closes(line, end);
    let reading = if settled { DateReading::On(past) } else { DateReading::Ambiguous(vec![past]) };
    Some(read(end, reading))
}

/// "pay the gas bill on Friday", "I need to pay 60 for it on Friday", "bill 82 due Friday"; "pay 12 lunch monday" adds.
fn is_due(line: &Line<'_>, at: usize) -> bool {
    let says = |at: usize, what: &str| line.sense(at, Class::ToBePaid).is_some_and(|(_, sense)| sense.says == what);
    let is_order = |at: usize| {
        let is_led = line.follows(at, &["to"]) || line.follows(at, Class::Please);
        says(at, "order") && (is_led || at == 0 && line.digits(1).is_none())
    };
    (0..at).any(is_order) || (1..=2).any(|back| at >= back && says(at - back, "due"))
}

/// "Monday, 16 Nov", "Friday the 20th", "Montag, den 16. November".
fn dated(line: &Line<'_>, end: usize, weekday: Weekday, today: Date) -> Option<Point> {
    let next = line.skip(line.skip(line.skip(end, &['.'], &[]), &[','], &[]), &[], Class::DeclinedArticle);
    let day = numeric(line, next, today).or_else(|| month_and_day(line, next, today));
    let day = day.or_else(|| day_of_month(line, next, today));
    day.map(|day| checked(day, weekday))
}

/// "vendredi 13", "Freitag, der 13.", "Friday the 13": the day of that number, if it is such a weekday; else it may be a price.
fn numbered(line: &Line<'_>, end: usize, (weekday, named): (Weekday, Language), today: Date) -> Option<Point> {
    let next = line.skip(end, &[','], &[]);
    let number = line.skip(next, &[], Class::ArticleBehindWeekday);
    let (end, day, marked) = number_words::numbered(line, number).filter(|_| !line.glued(number))?;
    if line.glued(end) && !line.ends(end) {
        return None;
    }
    // "am Freitag 20": no day is said so in German.
    let bare = number == next && !marked && matches!(named, Language::German | Language::English);
    if bare || is_money(line, end) || vocabulary::any_unit(line, end).is_some() || line.is(end, Class::Hour) {
        return None;
    }
    let day = checked(latest_of_month(end, day, today)?, weekday);
    let is_priced = (0..line.tokens.len()).any(|at| at != number && line.digits(at).is_some());
    match day.when {
        When::Day(DateReading::Impossible(_)) if named != Language::English => {
            (number > next || marked || is_priced).then(|| unclear(end))
        }
        _ => Some(day),
    }
}

/// "Mo. 16.11.", "mar 17 nov", "am Sa": short forms, which are words too.
fn short(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let led = usize::from(line.is(at, Class::LeadToDay));
    let start = at + led;
    let (weekday, languages) = vocabulary::short_weekday(line, start)?;
    let dot = usize::from(line.glued_mark(start + 1) == Some('.'));
    let end = start + 1 + dot;
    let is_own = line.conventions.language.is_none_or(|own| languages.contains(&own));
    let day = dated(line, end, weekday, today).filter(|_| is_own);
    if day.is_some() {
        return day;
    }
    let language = line.conventions.language.filter(|language| languages.contains(language))?;
    let capital = line.tokens[start].text.starts_with(char::is_uppercase);
    // "So" and "do" are words, "le jeu" is a game, and "Fr. 20" a price.
    let is_sure = if language == Language::German { capital } else { dot == 1 || language == Language::Spanish };
    let priced = line.digits(end).is_some() || is_after_price(line, at);
    if (led == 0 && dot == 0) || !is_sure || line.word(start) == "fr" && priced {
        return None;
    }
    if let Some(day) = numbered(line, end, (weekday, language), today) {
        return Some(day);
    }
    let spoken = led == 1 || line.tokens.get(end).is_some() || is_after_price(line, at) || line.follows(at, &["bis"]);
    if dot == 0 && line.word(start) == "mar" {
        return None;
    }
    let date = recent(weekday, today)?;
    spoken.then(|| on(end, date))
}

/// "mar 17 nov", which in English begins with a day of March; and "3 mar. 10 nov.", which does so with a price.
pub(super) fn march(line: &Line<'_>, at: usize, today: Date) -> Option<Option<Point>> {
    if line.word(at) == "mar" {
        if let Some(day) = short(line, at, today) {
            return Some(Some(day));
        }
        let languages = [Some(Language::French), Some(Language::Spanish)];
        let number = number_words::numbered(line, at + 1);
        let (end, ..) = number.filter(|_| languages.contains(&line.conventions.language))?;
        if is_money(line, end) {
            return Some(None);
        }
        let plain = year(line, line.skip(end, &[','], &[])).is_none() && line.ends(end);
        return plain.then(|| Some(unclear(end)));
    }
    let leads = line.digits(at).is_some() && line.word(at + 1) == "mar";
    (leads && short(line, at + 1, today).is_some_and(|day| day.end > at + 3)).then_some(None)
}

/// "12 wed", "12 wed card" and "12 weds lunch": forms of more than three letters are no other word. "Wed dress" and "fri
/// rice" are bought.
fn is_sure(line: &Line<'_>, at: usize) -> bool {
    closes(line, at + 1) || line.is(at + 1, Class::MeansOfPayment) || line.word(at).len() > "wed".len()
}

/// "mon coffee 3, tue cake 4": a short form that opens a clause, or stands before a price. "Mon" is also what French say for "my",
/// and "sun" and "sat" begin names.
fn short_in_english(line: &Line<'_>, at: usize, weekday: Weekday, today: Date) -> Option<Point> {
    let opens = at == 0 || line.mark(at - 1).is_some_and(|mark| ",;:.".contains(mark)) || line.follows(at, &["and"]);
    let headed = line.mark(at + 1) == Some(':');
    let leads =
        headed || !line.word(at + 1).is_empty() && !line.glued(at + 1) && !line.is(at + 1, Class::AfterSunOrSat);
    let beside = || (0..line.tokens.len()).any(|other| other != at && vocabulary::weekday(line, other).is_some());
    let is_french = line.conventions.language == Some(Language::French);
    let recent = recent(weekday, today)?;
    // "coffee wed 4.50"
    let price = line.skip(at + 1, &['£', '$', '€'], &[]);
    let between_price = line.digits(price).is_some()
        && !line.glued(at + 1)
        && !line.before(at, 1).is_empty()
        && !line.follows(at, Class::BeforeNoWeekday);
    if is_french && line.word(at) == "mon" || !(between_price || opens && leads) {
        return None;
    }
    let is_unclear = line.is(at, Class::WeekdayOrWord) && (between_price || !headed && !beside());
    Some(if is_unclear { unclear(at + 1) } else { on(at + 1, recent) })
}

/// Short forms like "sun" and "sat" are words too.
fn is_meant(line: &Line<'_>, at: usize) -> bool {
    // "mon to fri", "sat & sun"
    let is_weekday = |at: usize| vocabulary::weekday(line, at).is_some() && !line.is(at + 1, Class::AfterSunOrSat);
    if ends::is_link(line, at + 1) && is_weekday(at + 2)
        || at >= 2 && ends::is_link(line, at - 1) && is_weekday(at - 2) && is_weekday(at)
    {
        return true;
    }
    line.follows(at, Class::BeforeDay) && !line.follows(at, Class::For)
        || line.is(at + 1, Class::BehindWeekday)
        || is_after_price(line, at) && is_sure(line, at)
        || [at + 1, at.wrapping_sub(1)].into_iter().any(|beside| vocabulary::weekday(line, beside).is_some())
        || line.tokens.get(at + 1).is_none()
        || line.mark(at + 1).is_some_and(|mark| ".,!?;)".contains(mark)) && line.ends(at + 1)
}
