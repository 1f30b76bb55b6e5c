//! Weekdays in German, French and Spanish: "am Montag", "lundi dernier", "el viernes 13", "Mo., 16.11."
//!
//! With no article and no known language they may be names.

use jiff::civil::{Date, Weekday};

use super::{
    DateReading, Language,
    day_words::{closes, is_after_price},
    days::{self, Day, unclear},
    foreign_hours::is_money,
    lexicon::Class,
    month_days::day_of_recent_month,
    number_words, times,
    tokens::Line,
    vocabulary,
};

pub(super) fn weekday(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let led = usize::from(line.is(at, Class::LeadToDay));
    let start = at + led;
    let Some((weekday, language)) = vocabulary::foreign_weekday(line.word(start)) else {
        return short(line, at, today);
    };
    if line.word(start) == "mardi" && line.word(start + 1) == "gras" {
        return None;
    }
    let end = times::part_of_day(line, start + 1);
    if let Some(day) = days::behind_weekday(line, end, weekday, today) {
        return Some(day);
    }
    if line.follows(at, &["für", "pour", "para"]) && days::is_aimed(line, at, end) {
        return days::past_or_coming(end, weekday, today);
    }
    if let Some(day) = numbered(line, end, (weekday, language), today) {
        return Some(day);
    }
    let settled = led == 1
        || line.conventions.language == Some(language)
        || line.follows(at, &["seit", "depuis", "desde"])
        || is_after_price(line, at) && closes(line, end);
    let date = days::recent(weekday, today)?;
    Some(if settled {
        days::on(end, date)
    } else {
        Day { end, reading: DateReading::Ambiguous(vec![date]), yearless: None }
    })
}

/// "vendredi 13", "Freitag, der 13.": the day of that number, if it is such a weekday; else it may be a price.
fn numbered(line: &Line<'_>, end: usize, (weekday, named): (Weekday, Language), today: Date) -> Option<Day> {
    let next = line.skip(end, &[','], &[]);
    let number = line.skip(next, &[], &["den", "dem", "der", "le", "el"]);
    let (end, day, marked) = number_words::numbered(line, number).filter(|_| !line.glued(number))?;
    if line.glued(end) && !line.ends(end) {
        return None;
    }
    // "am Freitag 20": no day is said so in German.
    let bare = number == next && !marked && named == Language::German;
    if bare || is_money(line, end) || vocabulary::foreign_unit(line.word(end)).is_some() || line.is(end, Class::Hour) {
        return None;
    }
    let date = day_of_recent_month(day, today).filter(|date| date.weekday() == weekday);
    let is_priced = (0..line.tokens.len()).any(|at| at != number && line.digits(at).is_some());
    match date {
        Some(date) => Some(days::on(end, date)),
        None if number > next || marked || is_priced && number == end - 1 && next == number => Some(unclear(end)),
        None => None,
    }
}

/// "Mo. 16.11.", "mar 17 nov", "am Sa": short forms, which are words too.
fn short(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let led = usize::from(line.is(at, Class::LeadToDay));
    let start = at + led;
    let (weekday, languages) = vocabulary::short_weekday(line.word(start))?;
    let dot = usize::from(line.glued_mark(start + 1) == Some('.'));
    let end = start + 1 + dot;
    let language = line.conventions.language;
    if let Some(day) =
        days::behind_weekday(line, end, weekday, today).filter(|_| language.is_none_or(|own| languages.contains(&own)))
    {
        return Some(day);
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
    let date = days::recent(weekday, today)?;
    spoken.then(|| days::on(end, date))
}

/// "mar 17 nov", which in English begins with a day of March; and "3 mar. 10 nov.", which does so with a price.
pub(super) fn march(line: &Line<'_>, at: usize, today: Date) -> Option<Option<Day>> {
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
        let plain = days::year(line, line.skip(end, &[','], &[])).is_none() && line.ends(end);
        return plain.then(|| Some(unclear(end)));
    }
    let leads = line.digits(at).is_some() && line.word(at + 1) == "mar";
    (leads && short(line, at + 1, today).is_some_and(|day| day.end > at + 3)).then_some(None)
}
