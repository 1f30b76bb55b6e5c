//! Reading text: what it says about amounts of money and about days, how sure that is, and what words beside them make of it.
//!
//! Pure functions of the text, of today's date and of how its writer writes numbers. They know no tenant, no default
//! currency and no expenses. What can be read in more than one way is reported as such and never settled here: asking
//! is the caller's part.

use std::{ops::Range, slice};

use jiff::civil::Date;

use crate::money::Currency;
use tokens::Line;

mod among;
mod amounts;
pub mod bounds;
mod calendar;
pub mod choices;
mod clean;
mod composed;
mod conventions;
mod countries;
mod currencies;
mod day_qualifiers;
mod day_words;
mod days;
mod denominations;
mod described;
mod doubts;
mod durations;
mod ends;
pub mod frequency;
mod holidays;
mod hours;
mod incoming;
mod intent;
pub mod interjections;
mod lexicon;
pub mod list_marks;
pub mod memo;
mod month_days;
mod multiples;
mod naming;
mod number_words;
mod numerals;
mod numeric_dates;
mod openings;
pub mod patterns;
mod payers;
mod periods;
pub mod plurals;
mod possessors;
mod qualifiers;
mod resolve;
mod shared_sign;
pub mod spelling;
mod spelt;
mod times;
mod tokens;
mod vocabulary;
mod weekdays;
mod word_table;
mod years;
pub mod yes_no;

#[cfg(test)]
mod foreign_tests;
#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod money_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod reading_tests;
#[cfg(test)]
mod recognizer_tests;
#[cfg(test)]
mod related_tests;
#[cfg(test)]
mod spoken_tests;
#[cfg(test)]
mod tests;

pub use clean::{clean, is_quoted, plain, sentence, upper_first};
pub use conventions::{Conventions, DayOrder, DayStyle, DecimalMark, Style};
pub use currencies::is_word_too;
pub use described::described;
pub use incoming::comes_in;
pub use intent::{Intent, IntentMention, Order, intents};
pub use interjections::{tells_anew, tells_of_known};
pub use lexicon::{Class, Entry, phrase_length};
pub use multiples::{Multiple, part_of};
pub use naming::{is_a_fragment, is_paid_for, left_of_a_day};
pub use payers::given_by;
pub use possessors::{Possessor, PossessorMention, possessors};
pub use qualifiers::{aside, corrects, own_share, takes_back};
pub use resolve::{DateError, DateRange};
pub use shared_sign::SharedSign;
pub use tokens::is_one_of;
pub use yes_no::{PlainAnswer, Verdict, YES_OR_NO, verdict};

/// The languages that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    English,
    German,
    French,
    Spanish,
}

/// What a text is read with: on which day and at what hour, and how its writer writes numbers and days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader {
    pub today: Date,
    /// The hour it is: what happened at a later one was not today.
    pub hour: i8,
    pub conventions: Conventions,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmountMention {
    /// Bytes of the text, sign and currency included.
    pub span: Range<usize>,
    pub reading: Reading,
    pub currency: CurrencyMention,
}

/// A number as plain decimal text, `-?digits(.digits)?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    Exact(String),
    /// It can be read in these ways; none when it is an amount that nobody could read exactly.
    Ambiguous(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CurrencyMention {
    None,
    Known(Currency),
    /// The likeliest first; empty when a currency was named that cannot be used.
    Ambiguous(Vec<Currency>),
}

/// What a sentence may say of an amount that is no plain price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hedge {
    /// "around 20", "20 or so".
    Roughly,
    /// "4 bagels at 1.50", "lunch for 2": one of several, or no price at all.
    Each,
    /// "coffee 3 twice", "daily coffee 3".
    Repeated,
    /// "will pay 50", "supposed to be 12".
    ToCome,
    /// "maybe", "if".
    Unsure,
    /// "split with Anna", "my half".
    Shared,
    /// "Anna paid".
    NotMine,
    /// "save 50", "100 left", "reimbursed".
    NotSpent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HedgeMention {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub hedge: Hedge,
    /// Of the amount that it stands beside, if it is about that one.
    pub amount: Option<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateMention {
    pub span: Range<usize>,
    pub reading: DateReading,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateReading {
    On(Date),
    /// It can be read in these ways; none when it speaks of a day that these words do not settle ("a few days ago").
    Ambiguous(Vec<Date>),
    /// No such day, and why.
    Impossible(String),
}

impl Reading {
    /// All that it can be read as.
    pub fn all(&self) -> &[String] {
        match self {
            Reading::Exact(one) => slice::from_ref(one),
            Reading::Ambiguous(many) => many,
        }
    }
}

impl DateReading {
    /// All days that it can be.
    pub fn days(&self) -> &[Date] {
        match self {
            DateReading::On(day) => slice::from_ref(day),
            DateReading::Ambiguous(days) => days,
            DateReading::Impossible(_) => &[],
        }
    }

    pub fn only(&self) -> Option<Date> {
        match self {
            DateReading::On(day) => Some(*day),
            _ => None,
        }
    }

    fn shifted(self, shift: impl Fn(Date) -> Option<Date>) -> Option<DateReading> {
        Some(match self {
            DateReading::On(day) => DateReading::On(shift(day)?),
            DateReading::Ambiguous(days) => DateReading::Ambiguous(days.into_iter().map(shift).collect::<Option<_>>()?),
            DateReading::Impossible(why) => DateReading::Impossible(why),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeMention {
    pub span: Range<usize>,
    pub range: DateRange,
}

impl Reader {
    /// The amounts of money, from left to right, never overlapping. Dates, times, ids, percentages and quantities are
    /// not.
    pub fn amounts(&self, text: &str) -> Vec<AmountMention> {
        memo::remembered(&memo::AMOUNTS, self, text, || {
            let line = self.line(text);
            amounts::mentions(&line, &self.times_in(&line))
        })
    }

    /// The currency that a text is, and nothing else: a name, a code or a sign.
    pub fn currency(&self, name: &str) -> CurrencyMention {
        denominations::currency(&Line::new(&format!("1 {name}"), self.conventions))
    }

    /// The days, from left to right. A day without a year, or only a weekday, is the most recent such day.
    pub fn dates(&self, text: &str) -> Vec<DateMention> {
        self.times(text).into_iter().filter_map(periods::Found::into_date).collect()
    }

    /// The spans of days; a single day is a span of one. What is not settled is left out: `dates` reports it.
    pub fn ranges(&self, text: &str) -> Vec<RangeMention> {
        self.times(text).into_iter().filter_map(periods::Found::into_range).collect()
    }

    /// Whether something about time begins before that place of the text.
    pub fn has_time_before(&self, text: &str, end: usize) -> bool {
        self.times(text).first().is_some_and(|found| found.span.start < end)
    }

    /// "two months ago": all of the month where it is asked what was spent then.
    pub fn asked(&self, text: &str) -> Option<DateRange> {
        times::asked(&self.line(text), self.today)
    }

    /// "oct", "2025": what may also be a name.
    pub fn month_or_year(&self, word: &str) -> Option<DateRange> {
        let is_known = Class::Month.contains(word) || Class::Season.contains(word) || word.parse::<u16>().is_ok();
        let with = |lead: &&str| {
            let text = format!("{lead} {word}");
            let found = self.ranges(&text);
            found.first().filter(|found| found.span.end == text.len()).map(|found| found.range)
        };
        ["in", "im", "en"].iter().filter(|_| is_known).find_map(with)
    }

    /// What makes it something else than that so much was paid once, from left to right.
    pub fn hedges(&self, text: &str) -> Vec<HedgeMention> {
        memo::remembered(&memo::HEDGES, self, text, || {
            let line = self.line(text);
            let times = self.times_in(&line);
            let to_come = hours::still_to_come(&line, &times, self.today, self.hour);
            let days: Vec<_> = times.into_iter().map(|found| found.span).collect();
            let mut found = qualifiers::mentions(&line, &self.amounts(text), &days);
            found.extend(to_come.map(|span| HedgeMention { span, hedge: Hedge::ToCome, amount: None }));
            found
        })
    }

    /// A count of things and the price of one, from left to right.
    pub fn multiples(&self, text: &str) -> Vec<Multiple> {
        multiples::mentions(&self.line(text), &self.amounts(text), &self.hedges(text))
    }

    /// Among how many a price was shared equally, where a text says so.
    pub fn parts(&self, text: &str) -> Option<u32> {
        multiples::parts(&self.line(text), &self.hedges(text))
    }

    /// A whole argument as one day: what `dates` reads, with nothing left over.
    pub fn resolve_date(&self, argument: &str) -> Result<Date, DateError> {
        resolve::date(argument, self)
    }

    /// A whole argument as days from one to another: what `ranges` reads, and the forms programs write.
    pub fn resolve_range(&self, argument: &str) -> Result<DateRange, DateError> {
        resolve::range(argument, self)
    }

    fn times(&self, text: &str) -> Vec<periods::Found> {
        memo::remembered(&memo::TIMES, self, text, || periods::scan(&self.line(text), self.today, self.hour))
    }

    fn times_in(&self, line: &Line<'_>) -> Vec<periods::Found> {
        memo::remembered(&memo::TIMES, self, line.text, || periods::scan(line, self.today, self.hour))
    }

    fn line<'t>(&self, text: &'t str) -> Line<'t> {
        Line::new(text, self.conventions)
    }
}
