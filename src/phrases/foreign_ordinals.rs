//! Numbers of days and places in a row, in German, French and Spanish: "5.", "1er", "14ten", "dritter", "primero".

use super::{
    days, foreign_numbers,
    tokens::{Line, place},
};

/// Behind a number in digits.
pub(super) const ENDINGS: &[&str] = &["er", "e", "ère", "te", "ten", "ter", "tes", "ste", "sten", "ster", "º"];

/// In digits: where it ends, and whether a dot or an ending says that it is an ordinal.
pub(super) fn numbered(line: &Line<'_>, at: usize) -> Option<(usize, i8, bool)> {
    let (end, day, english) = days::digit_day(line, at)?;
    let marked = line.glued(end) && line.is(end, ENDINGS) || line.glued_mark(end) == Some('.');
    Some((end + usize::from(marked), day, marked || english))
}

/// In one word, as it stands before a month or a weekday.
pub(super) fn spelt(word: &str) -> Option<i8> {
    const FRENCH: [&str; 5] = ["premier", "deuxième", "troisième", "quatrième", "cinquième"];
    const SPANISH: [&str; 5] = ["primero", "segundo", "tercero", "cuarto", "quinto"];
    let number = |place: usize| i8::try_from(place + 1).ok();
    if let Some(place) = [FRENCH, SPANISH].iter().find_map(|words| place(words, word)) {
        return number(place);
    }
    match word {
        "primer" => return Some(1),
        "tercer" => return Some(3),
        _ => {}
    }
    german(word)
}

/// "fünften", "dritter"
pub(super) fn german(word: &str) -> Option<i8> {
    // Looking for the parts of a word takes long.
    if !word.ends_with(['e', 'n', 'r']) || !(word.starts_with("er") || foreign_numbers::may_be_german(word)) {
        return None;
    }
    let number = |ending: &&str| {
        let stem = word.strip_suffix(*ending)?;
        match stem {
            "er" => Some(1),
            "drit" => Some(3),
            "sieb" => Some(7),
            "ach" => Some(8),
            _ => foreign_numbers::german(stem).and_then(|day| i8::try_from(day).ok()),
        }
    };
    ["sten", "ster", "ste", "ten", "ter", "te"].iter().find_map(number).filter(|day| (1..=31).contains(day))
}
