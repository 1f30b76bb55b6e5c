//! Words that are about a day and do not settle which: misspelt days, "the weekend", "a while ago", days that may be to
//! come; and names made of days.

use jiff::civil::Date;

use super::{
    Conventions, DateReading, Language, currencies,
    days::{self, on, read},
    denominations::is_money,
    holidays,
    lexicon::Class,
    periods::Point,
    spelling::{can_be_near, is_near, letters},
    tokens::Line,
};
use crate::sorted::Sort;

/// Such words, if they stand there.
pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    if !line.starts(at) {
        return None;
    }
    let hier = || if line.is(at, &["hier"]) { here_or_yesterday(line, at, today) } else { None };
    let misspelt = || {
        let meant = near(line.word(at)).filter(|_| is_misspelt(line.word(at)));
        let mut days: Vec<Date> = meant.filter_map(|word| alone(word, line.conventions, today)).collect();
        days.put_in_order(Ord::cmp);
        days.dedup();
        (!days.is_empty()).then(|| read(at + 1, DateReading::Ambiguous(days)))
    };
    holidays::day(line, at, today).or_else(hier).or_else(misspelt)
}

/// "hier" is yesterday in French, and here in German.
fn here_or_yesterday(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let yesterday = today.yesterday().ok()?;
    let french = (0..line.tokens.len()).any(|of| line.is(of, Class::SaysFrench) || of != at && is_french(line, of));
    match line.conventions.language {
        Some(Language::French) => Some(on(at + 1, yesterday)),
        None if french => Some(on(at + 1, yesterday)),
        Some(Language::German) => None,
        _ => Some(read(at + 1, DateReading::Ambiguous(vec![yesterday, today]))),
    }
}

/// No other language has this word.
fn is_french(line: &Line<'_>, at: usize) -> bool {
    let mut languages = line.languages(at).peekable();
    languages.peek().is_some() && languages.all(|language| language == Some(Language::French))
}

/// "around the 5th"; but "what about Friday?"
pub(super) fn is_roughly(line: &Line<'_>, at: usize) -> bool {
    let led = line.word(at.wrapping_sub(1)) == "um" && line.is(at, &["den"]);
    led || line.follows(at, Class::Roughly) || line.follows(at, &["about"]) && is_after_price(line, at - 1)
}

/// What follows is no noun, which would make a name of the words before it: "the weekend market".
pub(super) fn closes(line: &Line<'_>, end: usize) -> bool {
    line.word(end).is_empty() && line.ends(end) || line.is(end, Class::AfterPhrase)
}

/// Right behind a number, or a currency behind one.
pub(super) fn is_after_price(line: &Line<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let named = line.word(before).len() != 1 && is_money(line, before);
    line.digits(before).is_some() || named && before > 0 && line.digits(before - 1).is_some()
}

pub(super) fn is_price(line: &Line<'_>, at: usize) -> bool {
    line.digits(at + usize::from(line.mark(at).is_some_and(currencies::is_sign))).is_some()
}

/// "sunday roast" and "black friday" name what was bought.
pub(super) fn is_name(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, Class::BeforeDayOfName) || line.is(at, &["sunday"]) && line.is(at + 1, Class::OfSunday)
}

pub(super) fn is_misspelt(word: &str) -> bool {
    (5..=12).contains(&word.len())
        && !word.ends_with("'s")
        && near(word).next().is_some()
        && !Class::NearToDay.contains(word)
}

/// The words for days that are written almost so.
fn near(word: &str) -> impl Iterator<Item = &'static str> {
    let own = letters(word);
    [(Class::LongDay, 2), (Class::ShortDay, 1)].into_iter().flat_map(move |(class, most)| {
        let days = class.all().iter().map(|(day, _)| *day);
        days.filter(move |day| can_be_near(own, letters(day), most) && is_near(word, day, most) && word != *day)
    })
}

fn alone(word: &str, conventions: Conventions, today: Date) -> Option<Date> {
    Some(days::day(&Line::new(word, conventions), 0, today)?.range()?.from)
}
