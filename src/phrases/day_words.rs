//! Words that are about a day and do not settle which: misspelt days, feasts, "the weekend", days that may be to come;
//! and names made of days.

use jiff::{ToSpan, civil::Date};

use super::{
    days::{Day, digit_day},
    spelling::is_near,
    tokens::Line,
    vocabulary,
};

/// The day soon to come that is said with the same words as a past one: "25 Dec" in November, "the 22nd" on the 21st.
pub(super) fn coming(line: &Line<'_>, at: usize, day: &Day, today: Date) -> Option<Date> {
    if let Some((month, day)) = day.yearless {
        let years = [today.year(), today.year().checked_add(1)?];
        let soon = today.checked_add(60.days()).ok()?;
        let weekday = vocabulary::weekday(line.word(at)).is_some();
        let mut days = years.into_iter().filter_map(|year| Date::new(year, month, day).ok());
        return days.find(|date| *date > today && *date <= soon && !weekday);
    }
    let start = line.skip(at, &[], &["the"]);
    let (end, number, ordinal) = digit_day(line, start)?;
    let months = [today.first_of_month(), today.first_of_month().checked_add(1.month()).ok()?];
    let mut days = months.into_iter().filter_map(|month| Date::new(month.year(), month.month(), number).ok());
    let soon = today.checked_add(7.days()).ok()?;
    days.find(|date| *date > today && *date <= soon && ordinal && end == day.end)
}

/// Where such words end, if they stand there.
pub(super) fn unsettled(line: &Line<'_>, at: usize) -> Option<usize> {
    const SHORT: [&str; 9] = ["yday", "ystd", "yest", "ystday", "tmrw", "tmr", "tmw", "tomoz", "tomo"];
    const FEASTS: [&str; 7] = ["halloween", "christmas", "xmas", "easter", "thanksgiving", "valentines", "diwali"];
    let feast_day = |at: usize| match (line.word(at), line.word(at + 1), line.word(at + 2)) {
        ("new", "year" | "years" | "year's", "eve" | "day") => Some(at + 3),
        ("christmas" | "xmas", "eve" | "day", _) | ("boxing" | "valentines" | "valentine's", "day", _) => Some(at + 2),
        ("good", "friday", _) => Some(at + 2),
        _ => None,
    };
    if !line.starts(at) {
        return None;
    }
    let weekend =
        line.is(at, &["over", "during", "at", "on"]) && line.is(at + 1, &["the"]) && line.word(at + 2) == "weekend";
    if weekend {
        return Some(at + 3);
    }
    if line.word(at) == "the" && line.word(at + 1) == "weekend" && line.tokens.get(at + 2).is_none() {
        return Some(at + 2);
    }
    if let Some(end) = feast_day(at) {
        return Some(end);
    }
    let on_feast = line.is(at, &FEASTS) && line.follows(at, &["on"]);
    (on_feast || line.is(at, &SHORT) || is_misspelt(line.word(at))).then_some(at + 1)
}

/// "sunday roast" and "black friday" name what was bought.
pub(super) fn is_name(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, &["black", "cyber", "ash", "shrove", "pancake", "taco", "casual", "freaky", "tgi"])
        || line.is(at, &["sunday"]) && line.is(at + 1, &["roast", "roasts", "times", "paper", "papers", "school"])
}

fn is_misspelt(word: &str) -> bool {
    const DAYS: [(&str, usize); 9] = [
        ("yesterday", 2),
        ("tomorrow", 2),
        ("monday", 1),
        ("tuesday", 1),
        ("wednesday", 2),
        ("thursday", 1),
        ("friday", 1),
        ("saturday", 1),
        ("sunday", 1),
    ];
    const WORDS: [&str; 7] = ["sundae", "sundry", "sunda", "frida", "moonday", "monday's", "faraday"];
    let known = word.ends_with("'s") || WORDS.contains(&word) || word.len() < 5;
    !known && DAYS.iter().any(|(day, most)| word != *day && is_near(word, day, *most))
}
