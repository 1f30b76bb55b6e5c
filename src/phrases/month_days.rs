//! Days named by their place in a month, with it or alone: "20 Nov", "le 1er mars 2026", "mayo 5", "am 3.3.", "the 3rd",
//! "on the 27", "el día 5".
//!
//! A word that says another thing in another of the languages only counts where the writer's language or the words beside
//! it settle it; else it is reported as unclear, or left.

use jiff::{ToSpan, civil::Date};

use super::{
    DateRange, Language, calendar, currencies,
    day_words::{closes, is_after_price},
    days::{checked, digit_day, in_unknown_year, in_year, known_year, latest, on, unclear, year},
    denominations::is_money,
    lexicon::Class,
    number_words,
    periods::Point,
    tokens::Line,
    vocabulary, years,
};

/// With its month: "20th of November 2025", "May twenty-first", "el 3 de marzo de 2026", "15te Oktober".
pub(super) fn month_and_day(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    // "since the 1st of November"
    let the = line.is(at, &["the"]) && vocabulary::month(line, at + 1).is_none();
    let led = line.is(at, Class::LeadToDay);
    let start = line.skip(at + usize::from(the || led), &[], Class::BeforeDayNumber);
    if let Some(day) = dotted(line, start, led, today) {
        return Some(day);
    }
    let behind = day_then_month(line, at, start, today);
    let is_month_first = behind.is_none();
    let Dated { end, month, day, language } = behind.or_else(|| month_then_day(line, start, led))?;
    let unless_first = |holds: bool| holds && !is_month_first;
    let dashed = line.glued_mark(end).is_some_and(|mark| "-/".contains(mark)) && line.glued(end + 1);
    let next = if dashed { end + 1 } else { line.skip(end, &['.'], &[]) };
    let is_bare = end == start + 2 && !led && matches!(language, Language::English | Language::Spanish);
    if unless_first(is_bare && line.digits(start).is_some()) {
        // "coffee 3 nov.18"
        if line.glued_mark(end) == Some('.') && line.glued(end + 1) && digit_day(line, end + 1).is_some() {
            return Some(unclear(end + 2));
        }
        // "12 Nov 5" can be the 12th or the 5th.
        let is_day = digit_day(line, end).is_some_and(|(after, ..)| after == end + 1 && line.ends(after));
        if is_day && !line.glued(end) && vocabulary::unit(line, end + 1).is_none() {
            return Some(unclear(end + 1 + usize::from(year(line, end + 1).is_some())));
        }
    }
    match years::behind(line, next, today) {
        Some((end, Some(year))) => return Some(in_year(end, year, month, day)),
        Some((end, None)) => return Some(in_unknown_year(end)),
        None => {}
    }
    // "18. November 25", which in English would be a day and a price.
    let is_foreign = language != Language::English || line.digits(start).is_some() && line.mark(start + 1) == Some('.');
    if let Some(end) = short_year(line, end, today).filter(|_| unless_first(is_foreign)) {
        return Some(unclear(end));
    }
    let next = line.skip(next, &[','], &[]);
    // "Oct-16" can be a year's; and in American Spanish, the number behind a month may be a price.
    let may_be_year = !line.glued(start) && day >= 10 && matches!(line.glued_mark(start + 1), Some('-' | '/'));
    let is_alone = || start == 0 && line.tokens.len() == end;
    let priced = || (0..line.tokens.len()).any(|other| other != start + 1 && line.digits(other).is_some());
    if is_month_first && (may_be_year || language == Language::Spanish && !is_alone() && !priced()) {
        return Some(unclear(end));
    }
    let number_follows = number_words::is_number_word(line.word(line.skip(next, &[], &["the"])));
    Some(if number_follows { unclear(next + 1) } else { latest(end, month, day, today) })
}

struct Dated {
    end: usize,
    month: i8,
    day: i8,
    language: Language,
}

fn day_then_month(line: &Line<'_>, at: usize, start: usize, today: Date) -> Option<Dated> {
    if !line.starts(start) {
        return None;
    }
    let led = line.is(at, Class::LeadToDay);
    let counted = || {
        let (end, day) = number_words::foreign_cardinal(line, start)?;
        let day = i8::try_from(day?).ok().filter(|day| *day <= 31)?;
        (led || line.is(end, &["de"])).then_some((end, day, false))
    };
    let spelt = || number_words::day_in_words(line, start).map(|(end, day)| (end, day, true));
    let (end, day, marked) = number_words::numbered(line, start).or_else(spelt).or_else(counted)?;
    let link = line.skip(end, &['-', '/'], Class::BetweenDayAndMonth);
    let word = line.word(link);
    let (month, language) = vocabulary::month_and_language(line, link)?;
    let after = line.skip(line.skip(link + 1, &['.'], &[]), &[','], &[]);
    let linked = led || link > end;
    let is_settled = || {
        let own = line.conventions.language;
        let is_own = own == Some(language) || word == "mai" && own == Some(Language::French);
        let priced = is_after_price(line, at) && closes(line, link + 1);
        linked || marked || is_own || priced || years::behind(line, after, today).is_some()
    };
    let is_month = match language {
        Language::English => line.digits(start).is_some() || linked || vocabulary::is_plain_month(line, link),
        _ => !Class::MonthOrName.contains(word) || is_settled(),
    };
    // "lunch 12 March 8th"
    let is_price = link == start + 1 && digit_day(line, after).is_some_and(|(_, _, ordinal)| ordinal);
    (is_month && !is_price).then_some(Dated { end: link + 1, month, day, language })
}

fn month_then_day(line: &Line<'_>, at: usize, led: bool) -> Option<Dated> {
    let (month, language) = vocabulary::month_and_language(line, at).filter(|_| line.starts(at))?;
    let found = |holds: bool, end: usize, day: i8| holds.then_some(Dated { end, month, day, language });
    if language == Language::Spanish {
        let (end, day, _) = number_words::numbered(line, at + 1)?;
        // They are names, too.
        let is_name = line.conventions.language != Some(language) && line.is(at, Class::MonthOrName);
        let is_other = is_name || line.glued(at + 1) || !line.ends(end) || line.follows(at, &["de"]);
        return found(!is_other && !is_money(line, end), end, day);
    }
    // "du mar. 17 nov."
    if language != Language::English || led {
        return None;
    }
    let joined = matches!(line.glued_mark(at + 1), Some('-' | '/')) && line.glued(at + 2);
    let marks: &[char] = if joined { &['-', '/'] } else { &['.'] };
    // "March, 8th"
    let comma = line.mark(at + 1) == Some(',')
        && digit_day(line, at + 2).is_some_and(|(end, _, ordinal)| {
            ordinal && line.word(end) != "of" && vocabulary::month(line, end).is_none()
        });
    let next = if comma { at + 2 } else { line.skip(line.skip(at + 1, marks, &[]), &[], &["the"]) };
    if let Some((end, day, ordinal)) = digit_day(line, next) {
        let more = line.glued_mark(end) == Some('-')
            || line.glued_mark(end).is_some_and(|mark| ",/".contains(mark)) && year(line, end + 1).is_some();
        let pointed = line.glued_mark(at + 1) == Some('.');
        let whole = !line.glued(next) || joined || pointed || next == at + 1;
        return found((line.ends(end) || more) && (ordinal || !is_money(line, end)) && whole, end, day);
    }
    let (end, day) = number_words::ordinal_words(line, next).or_else(|| number_words::cardinal(line, next))?;
    // "The November one" is one of several.
    let is_one_of_several = line.is(next, &["one"]) && line.follows(at, &["the"]);
    let day = i8::try_from(day).ok().filter(|day| *day <= 31)?;
    found(!is_one_of_several, end, day)
}

fn short_year(line: &Line<'_>, at: usize, today: Date) -> Option<usize> {
    let years = today.year() % 100 - 1..=today.year() % 100;
    let digits = line.digits(at).filter(|digits| digits.len() == 2 && !line.glued(at) && line.ends(at + 1))?;
    let is_year = digits.parse().is_ok_and(|year: i16| years.contains(&year)) && closes(line, at + 1);
    let is_money = line.mark(at + 1).is_some_and(currencies::is_sign);
    (is_year && !is_money).then_some(at + 1)
}

/// `3.3.`, `3. 3.`, `3.3.26`, day first as wherever days are written with dots.
pub(super) fn dotted(line: &Line<'_>, at: usize, led: bool, today: Date) -> Option<Point> {
    let german = line.conventions.language == Some(Language::German);
    let part = |at: usize| line.digits(at).filter(|digits| digits.len() <= 2)?.parse::<i8>().ok();
    let dot = |at: usize| line.glued_mark(at) == Some('.');
    let (day, month) = (part(at)?, part(at + 2)?);
    if !dot(at + 1) || !(1..=31).contains(&day) || !(1..=12).contains(&month) {
        return None;
    }
    let close = line.glued(at + 2);
    let year = line.digits(at + 4).filter(|digits| {
        let short = digits.len() == 2 && close && line.glued(at + 4);
        dot(at + 3) && (short || digits.len() == 4 && line.glued(at + 4) == close) && line.ends(at + 5)
    });
    if let Some(digits) = year {
        let year = match digits.len() {
            2 => Some(2000 + digits.parse::<i16>().ok()?).filter(|year| *year <= today.year() + 1),
            _ => known_year(digits),
        };
        return Some(year.map_or_else(|| in_unknown_year(at + 5), |year| in_year(at + 5, year, month, day)));
    }
    let parted = !line.glued(at + 4) || line.mark(at + 4).is_some_and(|mark| "-–".contains(mark));
    let whole = dot(at + 3) && parted && (led || german);
    // "am 15.10": after an hour, "am" is English.
    let bare = close && line.ends(at + 3) && !dot(at + 3) && led && (german || at < 2 || line.digits(at - 2).is_none());
    if !(whole || bare && !is_money(line, at + 3)) {
        return None;
    }
    Some(latest(at + 3 + usize::from(whole), month, day, today))
}

/// "the 3rd", "on the 27", "the 20th of last month", "am 5.", "el día 5", and "le 5" where nothing follows: the most recent
/// such day.
pub(super) fn day_of_month(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let (led, alone) = (line.is(at, Class::LeadToDay), line.is(at, Class::BeforeDayAlone));
    let the = line.is(at, &["the"]);
    let start = at + usize::from(led || the);
    let number = line.skip(start, &[], Class::BeforeDayNumber);
    let before = at.wrapping_sub(1 + usize::from(line.follows_mark(at, ',')));
    let behind_weekday = vocabulary::weekday(line, before).is_some();
    // "Friday the fifteen"
    let counted = || number_words::cardinal(line, number).filter(|(_, day)| the && behind_weekday && *day <= 31);
    let counted = || counted().and_then(|(end, day)| Some((end, i8::try_from(day).ok()?)));
    let spelt = || number_words::day_in_words(line, number).or_else(counted).map(|(end, day)| (end, day, true));
    let digits = number_words::numbered(line, number).filter(|_| line.starts(number));
    let (end, day, marked) = digits.or_else(spelt)?;
    let month = calendar::named(line, line.skip(end, &[','], &[]), today);
    let month = month.and_then(|named| Some((named.end, named.range().filter(DateRange::is_month)?)));
    if let Some((end, month)) = month.filter(|_| led || marked || line.is(end, &["of"])) {
        return Some(in_year(end, month.from.year(), month.from.month(), day));
    }
    let end = end - usize::from(!led && line.mark(end - 1).is_some());
    let ordinal = line.is(end - 1, Class::OrdinalEnding);
    // "20th Friday"; the "2nd Friday" may be one of a month.
    if let Some(weekday) = vocabulary::weekday(line, end).filter(|_| ordinal) {
        let found = latest_of_month(end + 1, day, today).map(|found| checked(found, weekday));
        let is_it = |found: &Point| day > 5 && found.range().is_some();
        return Some(found.filter(is_it).unwrap_or_else(|| unclear(end + 1)));
    }
    let priced = line.digits(end).is_some() || line.mark(end).is_some_and(currencies::is_sign);
    let ends = line.tokens.get(end).is_none() || line.mark(end).is_some() && line.ends(end) && !priced;
    let is_day = match (led, line.digits(number).is_some()) {
        (true, is_digits) => {
            // "le 16 à 18h", "el 16 a las 18"
            let hour = line.skip(end, &[], &["a"]);
            let timed = line.is(hour, Class::BeforeHourInDigits) && line.digits(hour + 1).is_some();
            (alone && (is_digits && (marked || ends) || timed) || number > start) && !line.glued(end)
        }
        // "lunch 5th 12", "lunch 12 5th"
        (_, true) => {
            let is_led = line.follows(at, Class::BeforeDay) || behind_weekday;
            // Alone, "1st" to "5th" may be one of what was listed.
            let bare = (the || at > 0) && priced || line.tokens.get(end).is_none() && (the || at > 0 || day > 5);
            let alone = the && (ends || line.is(end, Class::BehindDay));
            ordinal && (is_led || bare || alone) && vocabulary::unit(line, end).is_none()
                || the && line.follows(at, &["on"]) && ends
        }
        _ => {
            let is_led = line.follows(at, &["on"]) && !line.is(number, &["second"]) || behind_weekday;
            the && is_led && closes(line, end)
        }
    };
    let of_month = line.is(end, &["of"]) || vocabulary::any_month(line, end).is_some();
    if is_day && !of_month { latest_of_month(end, day, today) } else { None }
}

/// The most recent day of that number, today included; one that is to come may be meant if it is twice as near.
pub(super) fn latest_of_month(end: usize, day: i8, today: Date) -> Option<Point> {
    let months = (-1..12).filter_map(|back| today.first_of_month().checked_sub(back.months()).ok());
    let days = months.filter_map(|month| Date::new(month.year(), month.month(), day).ok());
    let (past, to_come): (Vec<Date>, Vec<Date>) = days.partition(|date| *date <= today);
    let past = *past.first()?;
    let coming = to_come.last().copied().filter(|date| date.duration_since(today) * 2 <= today.duration_since(past));
    Some(Point { coming, ..on(end, past) })
}
