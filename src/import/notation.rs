//! How a file writes numbers and days: what each text votes for, and its value once that is known.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::Guess;
use crate::money::Currency;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    Point,
    Comma,
}

/// Of days in digits. A year of four digits at the beginning is always read as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
    YearFirst,
}

/// A choice between two, of which texts are evidence.
#[derive(Debug, Default)]
struct Votes {
    first: usize,
    second: usize,
    /// Texts that have two meanings.
    open: usize,
}

impl Mark {
    fn letter(self) -> char {
        if self == Mark::Point { '.' } else { ',' }
    }

    fn other(self) -> char {
        if self == Mark::Point { ',' } else { '.' }
    }
}

/// The decimal mark of some amounts.
pub(super) fn decimal_mark<'t>(amounts: impl Iterator<Item = &'t str>, hint: Option<Mark>) -> (Mark, Option<Guess>) {
    let mut votes = Votes::default();
    for amount in amounts {
        let marks: Vec<(usize, char)> =
            amount.char_indices().filter(|(_, letter)| matches!(letter, '.' | ',')).collect();
        let Some((at, last)) = marks.last().copied() else { continue };
        let decimals = amount[at + 1..].chars().take_while(char::is_ascii_digit).count();
        let before = amount[..at].trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let is_alone = marks.iter().all(|(_, mark)| *mark == last);
        let mark = match (is_alone, marks.len(), decimals) {
            (false, ..) => Some(last),
            // Several equal marks stand between thousands.
            (true, 2.., _) => Some(if last == '.' { ',' } else { '.' }),
            (true, _, 3) if before != "0" => None,
            _ => Some(last),
        };
        match mark {
            Some('.') => votes.first += 1,
            Some(_) => votes.second += 1,
            None => votes.open += 1,
        }
    }
    let chosen = |fallback| {
        if votes.first == votes.second {
            fallback
        } else if votes.first > votes.second {
            Mark::Point
        } else {
            Mark::Comma
        }
    };
    let mark = chosen(hint.unwrap_or(Mark::Point));
    let why = match (votes.first, votes.second, votes.open) {
        (1.., 1.., _) => "some amounts have decimals after a point, others after a comma",
        (0, 0, 1..) => "amounts like 1.234 and 1,234 can be a thousand or a little more than one",
        _ => return (mark, None),
    };
    (mark, Some(Guess { setting: "decimalMark", why: why.into() }))
}

/// The order of day and month in some dates.
pub(super) fn date_order<'t>(
    dates: impl Iterator<Item = &'t str>,
    hint: Option<DateOrder>,
    today: Date,
) -> (DateOrder, Option<Guess>) {
    let (mut votes, mut years, mut all) = (Votes::default(), 0, 0);
    for date in dates {
        let Some(Digits { parts, is_dotted }) = Digits::of(date) else { continue };
        all += 1;
        let fits = |order| parts.date(order).is_some_and(|day| day <= today);
        match (parts.is_year_first(), fits(DateOrder::DayFirst), fits(DateOrder::MonthFirst)) {
            (true, ..) => years += 1,
            (_, true, false) => votes.first += 1,
            (_, false, true) => votes.second += 1,
            (_, true, true) if parts.0[0].0 == parts.0[1].0 => {}
            // Nobody writes the month first before a full stop.
            (_, true, true) if is_dotted => votes.first += 1,
            (_, true, true) => votes.open += 1,
            (_, false, false) => {}
        }
    }
    let hint = hint.filter(|hint| *hint != DateOrder::YearFirst).unwrap_or(DateOrder::DayFirst);
    let order = match votes {
        _ if all > 0 && years == all => DateOrder::YearFirst,
        Votes { first, second, .. } if first == second => hint,
        Votes { first, second, .. } if first > second => DateOrder::DayFirst,
        _ => DateOrder::MonthFirst,
    };
    let why = match (votes.first, votes.second, votes.open) {
        (1.., 1.., _) => "some dates have the day first, others the month",
        (0, 0, 1..) => "every date, like 03/04, can have the day or the month first",
        _ => return (order, None),
    };
    (order, Some(Guess { setting: "dateOrder", why: why.into() }))
}

/// Three numbers, each with its number of digits.
struct Parts([(i16, usize); 3]);

struct Digits {
    parts: Parts,
    is_dotted: bool,
}

impl Digits {
    fn of(text: &str) -> Option<Digits> {
        let text = day_part(text);
        if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = |part: &str| part.parse().ok().map(|number| (number, part.len()));
            let parts = Parts([number(&text[..4])?, number(&text[4..6])?, number(&text[6..])?]);
            return Some(Digits { parts, is_dotted: false });
        }
        let text: String = text.chars().filter(|letter| *letter != ' ').collect();
        let mut numbers = text.trim_end_matches('.').split(['-', '/', '.', '\'']).map(|part| {
            let is_number = matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse().ok().map(|number| (number, part.len()))).flatten()
        });
        let parts = Parts([numbers.next()??, numbers.next()??, numbers.next()??]);
        numbers.next().is_none().then(|| Digits { parts, is_dotted: text.contains('.') })
    }
}

impl Parts {
    fn is_year_first(&self) -> bool {
        self.0[0].1 == 4
    }

    fn date(&self, order: DateOrder) -> Option<Date> {
        let [first, second, third] = self.0;
        let (year, month, day) = match order {
            _ if self.is_year_first() => (first, second, third),
            DateOrder::DayFirst => (third, second, first),
            DateOrder::MonthFirst => (third, first, second),
            DateOrder::YearFirst => (first, second, third),
        };
        if !matches!(year.1, 2 | 4) {
            return None;
        }
        let year = if year.1 == 4 { year.0 } else { 2000 + year.0 - if year.0 >= 70 { 100 } else { 0 } };
        Date::new(year, month.0.try_into().ok()?, day.0.try_into().ok()?).ok()
    }
}

/// A date, also with a time behind it or with the name of a month.
pub(super) fn date(text: &str, order: DateOrder) -> Option<Date> {
    match Digits::of(text) {
        Some(digits) => digits.parts.date(order),
        None => named_month(text),
    }
}

/// Without a time: "2026-11-20T10:00:00Z", "20.11.2026 10:00".
fn day_part(text: &str) -> &str {
    let text = text.trim();
    let end = text.find('T').filter(|at| text[..*at].ends_with(|letter: char| letter.is_ascii_digit()));
    let text = end.map_or(text, |end| &text[..end]);
    match text.rsplit_once(' ') {
        Some((day, time)) if time.contains(':') => day_part(day),
        _ => text,
    }
}

/// The beginnings of the names of months in English, German, French and Spanish.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz"],
    &["apr", "avr", "abr"],
    &["may", "mai"],
    &["jun", "juin"],
    &["jul", "juil"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

/// "20 Nov 2026", "20-Nov-26", "Nov 20, 2026"
fn named_month(text: &str) -> Option<Date> {
    let lower = day_part(text).to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second, third) = (words.next()?, words.next()?, words.next()?);
    let month = |word: &str| {
        let begins = |name: &&str| word.starts_with(*name);
        let at = MONTHS.iter().position(|names| names.iter().any(begins))?;
        i16::try_from(at + 1).ok().map(|month| (month, 2))
    };
    let number = |word: &str| word.parse().ok().map(|number| (number, word.len()));
    let (day, month) = match month(first) {
        Some(month) => (number(second)?, month),
        None => (number(first)?, month(second)?),
    };
    let year = number(third).filter(|(_, digits)| matches!(digits, 2 | 4))?;
    Parts([day, month, year]).date(DateOrder::DayFirst).filter(|_| words.next().is_none() && day.1 <= 2)
}

/// An amount as a plain decimal, and the currency beside it. The error says what is wrong.
pub(super) fn amount(text: &str, mark: Mark) -> Result<(String, Option<Currency>), String> {
    let wrong = || format!("“{}” is no amount", text.trim());
    let mut letters = String::new();
    let (mut digits, mut is_negative) = (String::new(), false);
    for letter in text.trim().chars() {
        match letter {
            '0'..='9' | '.' | ',' => digits.push(letter),
            '-' | '−' | '–' if digits.is_empty() && !is_negative => is_negative = true,
            '(' if digits.is_empty() && !is_negative => is_negative = true,
            ')' if is_negative => {}
            '+' if digits.is_empty() => {}
            // Behind the number too: "12,50-".
            '-' | '−' if !is_negative => is_negative = true,
            ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’' => {}
            letter if letter.is_alphabetic() || "€£$¥₹".contains(letter) => letters.push(letter),
            _ => return Err(wrong()),
        }
    }
    let currency = Currency::parse(&letters.to_uppercase()).ok();
    if currency.is_none() && letters.chars().any(|letter| letter.is_ascii_alphabetic()) {
        return Err(wrong());
    }
    let (whole, decimals) = match digits.rsplit_once(mark.letter()) {
        Some((whole, decimals)) => (whole, decimals),
        None => (digits.as_str(), ""),
    };
    let groups: Vec<&str> = whole.split(mark.other()).collect();
    let last = groups.len() - 1;
    let is_grouped = |(at, group): (usize, &&str)| match (at, group.len()) {
        (0, 1..=3) | (_, 3) => true,
        // India groups by two before the last three.
        (at, 2) => at != last,
        _ => false,
    };
    let is_whole = groups.len() == 1 || groups.iter().enumerate().all(is_grouped);
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = groups.iter().all(|group| is_number(group)) && is_number(decimals);
    if !is_whole || !is_plain || (whole.is_empty() && decimals.is_empty()) {
        let place = if mark == Mark::Point { "a point" } else { "a comma" };
        return Err(format!("{}; decimals stand behind {place}", wrong()));
    }
    let whole = groups.concat();
    let whole = whole.trim_start_matches('0');
    let decimals = if decimals.is_empty() { String::new() } else { format!(".{decimals}") };
    let sign = if is_negative { "-" } else { "" };
    Ok((format!("{sign}{}{decimals}", if whole.is_empty() { "0" } else { whole }), currency))
}

/// The amount with the other sign.
pub(super) fn negated(amount: &str) -> String {
    amount.strip_prefix('-').map_or_else(|| format!("-{amount}"), str::to_owned)
}

pub(super) fn is_zero(amount: &str) -> bool {
    amount.bytes().all(|byte| !(b'1'..=b'9').contains(&byte))
}
