//! A whole argument read as one day or one range of days, or the reason why not in words to pass on.
//!
//! It accepts what `dates` and `ranges` read, and the forms programs write; nothing may be left over.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{
    DateReading, DayStyle, Reader, clean,
    lexicon::Class,
    periods::{Found, When},
};

/// Days from `from` to `to`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DateRange {
    pub from: Date,
    pub to: Date,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DateError {
    #[error("{text:?} can be {}. Say which one", either(.options))]
    Ambiguous { text: String, options: Vec<Date> },
    #[error("{0}. Give a day that exists, like 2026-11-20")]
    Impossible(String),
    #[error("I don't understand the day {0:?}. Write it like 2026-11-20, \"20 Nov 2026\" or \"yesterday\"")]
    NotADate(String),
    #[error("I don't understand the days {0:?}. Write them like \"last month\", 2026-11 or 2026-11-01..2026-11-20")]
    NotARange(String),
    #[error("the range {0:?} ends before it starts. Give the earlier day first")]
    Backwards(String),
}

impl DateRange {
    pub const ALL: Self = Self { from: jiff::civil::date(1970, 1, 1), to: jiff::civil::date(9999, 12, 31) };

    /// None when it would end before it begins.
    pub fn new(from: Date, to: Date) -> Option<Self> {
        (from <= to).then_some(Self { from, to })
    }

    pub fn day(day: Date) -> Self {
        Self { from: day, to: day }
    }

    pub fn contains(&self, day: Date) -> bool {
        (self.from..=self.to).contains(&day)
    }

    /// All of one month.
    pub fn is_month(&self) -> bool {
        self.from == self.from.first_of_month() && self.to == self.from.last_of_month()
    }

    /// All of one year.
    pub fn is_year(&self) -> bool {
        self.from == self.from.first_of_year() && self.to == self.from.last_of_year()
    }

    /// For a person to read.
    pub fn written(&self, style: DayStyle) -> String {
        let Self { from, to } = *self;
        let brief = style == DayStyle::DayMonth;
        match *self {
            Self::ALL => "all time".to_owned(),
            _ if from == to => style.written(from),
            _ if self.is_year() => from.year().to_string(),
            _ if self.is_month() => from.strftime("%B %Y").to_string(),
            _ if to == Self::ALL.to => format!("since {}", style.written(from)),
            _ if from == Self::ALL.from => format!("until {}", style.written(to)),
            _ if brief && (from.year(), from.month()) == (to.year(), to.month()) => {
                format!("{}–{}", from.day(), style.written(to))
            }
            _ if brief && from.year() == to.year() => format!("{} – {}", from.strftime("%-d %b"), style.written(to)),
            _ => format!("{} – {}", style.written(from), style.written(to)),
        }
    }
}

impl fmt::Display for DateRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.written(DayStyle::default()))
    }
}

pub(super) fn date(argument: &str, reader: &Reader) -> Result<Date, DateError> {
    let text = clean(argument);
    let refused = || DateError::NotADate(shortened(&text));
    match whole(&text, reader).ok_or_else(refused)? {
        When::Day(reading) => settled(reading, &text)?.ok_or_else(refused),
        When::Period(range) if range.from == range.to => Ok(range.from),
        When::Period(_) => Err(refused()),
    }
}

pub(super) fn range(argument: &str, reader: &Reader) -> Result<DateRange, DateError> {
    let text = clean(argument);
    if Class::AllTime.says(&text.to_lowercase()).is_some() {
        return Ok(DateRange::ALL);
    }
    if let Some((from, to)) = text.split_once("..") {
        let (from, to) = (bound(from, reader)?, bound(to, reader)?);
        return DateRange::new(from, to).ok_or_else(|| DateError::Backwards(shortened(&text)));
    }
    let refused = || DateError::NotARange(shortened(&text));
    match whole(&text, reader).ok_or_else(refused)? {
        When::Period(range) => Ok(range),
        When::Day(reading) => settled(reading, &text)?.map(DateRange::day).ok_or_else(refused),
    }
}

/// Pages ask for open ends with days in years that nobody means in words, like 9999.
fn bound(text: &str, reader: &Reader) -> Result<Date, DateError> {
    let written = text.parse::<Date>().ok().filter(|date| date.to_string() == text);
    written.map_or_else(|| date(text, reader), Ok)
}

/// The one phrase that the text is, but for small words around it.
fn whole(text: &str, reader: &Reader) -> Option<When> {
    let mut found = reader.times(text);
    let Found { span, when } = found.pop().filter(|_| found.is_empty())?;
    let before = text[..span.start].trim().to_lowercase();
    let after = text[span.end..].trim_matches([' ', '.', '!', '?', ',']);
    (after.is_empty() && (before.is_empty() || Class::BeforeTimeAlone.contains(before))).then_some(when)
}

/// None when nothing can be offered to choose from.
fn settled(reading: DateReading, text: &str) -> Result<Option<Date>, DateError> {
    match reading {
        DateReading::On(day) => Ok(Some(day)),
        DateReading::Ambiguous(options) if options.is_empty() => Ok(None),
        DateReading::Ambiguous(options) => Err(DateError::Ambiguous { text: shortened(text), options }),
        DateReading::Impossible(why) => Err(DateError::Impossible(why)),
    }
}

fn either(options: &[Date]) -> String {
    options.iter().map(|day| day.strftime("%-d %B %Y").to_string()).collect::<Vec<_>>().join(" or ")
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
