//! The patterns of messages, which `compile.rs` reads:
//!
//! ```text
//! call list_expenses {"limit": 1}    what the patterns below come to: a call, or `say` and a text or its name
//!   <ask> [the] {words} <when>*      a pattern, in the notation of `phrases/patterns/compile.rs`
//! ```
//!
//! A call that changes something may be said in several messages. Its lines go on with what it needs:
//!
//! ```text
//! require item amount               arguments without which a pattern does not fit
//! ask amount How much is {item}? | 5 | 10    a question, with options, for an argument that no slot holds
//! now I only know …                 an answer about days in the past, where other days are no argument
//! after MB                          only behind an answer that showed one row of this kind
//! last                              only where nothing else is read, like what stands under `refuse`
//! answer set_budget {"step": null}   what the patterns below add to a call of this tool that was asked about
//! answer order                       an order about rows that are there
//! ```
//!
//! Behind a row, "{row}", "{price}" and "{next}" are its name, its price and when it is due after its own day.
//!
//! An argument that is null, or whose name begins with `_`, is no argument of the tool.

use serde_json::{Map, Value};

use super::super::wording;
use crate::phrases::{
    Language,
    patterns::{Parts, Patterns, find},
};

include!(concat!(env!("OUT_DIR"), "/frames.rs"));

/// No tool: what the patterns of orders come to.
pub const ORDER: &str = "order";
/// No tool either: of what is said of rows without an order.
pub const STATE: &str = "state";

pub struct Frame {
    section: u16,
    /// Where the list of its parts begins.
    pattern: u16,
    /// It begins with a slot, and has none for an amount.
    pub is_unpriced: bool,
}

/// What stands over patterns.
#[derive(Debug)]
pub struct Section {
    pub language: Language,
    pub head: Head,
    /// The tool that is called, or what is said.
    pub said: &'static str,
    /// The arguments that a call always has, as JSON.
    fixed: &'static str,
    pub compares: bool,
    /// The arguments that the message has to hold.
    pub required: &'static [&'static str],
    pub asks: &'static [Ask],
    /// The kind of the row that was shown before.
    after: Option<&'static str>,
    /// What is said about days in the past. Other days are now, and no argument.
    pub now: Option<&'static str>,
    /// It is for what nothing else reads.
    pub is_last: bool,
    /// Other sections answer questions about a call of its tool.
    pub has_answers: bool,
}

impl Frame {
    pub fn section(&self) -> &'static Section {
        &SECTIONS[usize::from(self.section)]
    }

    pub fn pattern(&self) -> Parts<'static> {
        Parts(PATTERNS.list(self.pattern))
    }
}

impl Section {
    pub fn fixed(&self) -> Map<String, Value> {
        serde_json::from_str(self.fixed).expect("arguments in JSON")
    }

    /// Whether it is of the kind that is told of, and for what nothing else reads if that is wanted.
    pub fn is_for(&self, after: Option<&str>, is_last: bool) -> bool {
        self.head != Head::Answer && self.is_last == is_last && self.after == after
    }

    /// Whether it may answer a question about a call of the tool. None of those that are called at once.
    pub fn answers(&self, tool: &str) -> bool {
        self.head == Head::Answer && self.said == tool
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Head {
    Call,
    Answer,
    Say,
    /// Of what cannot be done, where nothing else is read.
    Refuse,
}

/// A question for an argument.
#[derive(Debug)]
pub struct Ask {
    pub argument: &'static str,
    pub text: &'static str,
    pub options: &'static [&'static str],
}

/// What it holds, and of which argument of the call that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(pub Kind, pub &'static str);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The days, and those they are compared with.
    Days,
    Than,
    Bound,
    Count,
    Rows,
    MoreRows,
    /// Of a row, without a mark. No year.
    Number,
    /// An amount that bounds nothing.
    Exactly,
    /// Any one word.
    Any,
    Currency,
    Name,
    /// A name as it is said, with its article.
    Description,
    /// In a list.
    Names,
    /// Of a usual category.
    Known,
    /// Two names that are compared, which make the category.
    Pair,
    /// The second of two names that make the category.
    Second,
    /// A name in the person's own words, of whatever they pay for.
    Free,
    /// An amount, with its currency.
    Money,
    /// An amount that is no more.
    OldMoney,
    /// A week, a month or a year.
    Every,
    /// What comes back more or less often than tools know.
    Often,
    /// One row, with its mark.
    Row,
    /// As it was written.
    Text,
    /// A day in the person's own words.
    DayWords,
    /// Anything, in the person's own words.
    Said,
    /// An amount as it was written.
    Price,
    /// A day as it was written.
    Day,
    /// What an expense has.
    Field,
    /// It holds no word, and has this value.
    Fixed(&'static str),
}

const SLOTS: &[(&str, Slot)] = &[
    ("range", Slot(Kind::Days, "range")),
    ("than", Slot(Kind::Than, "range")),
    ("bound", Slot(Kind::Bound, "bound")),
    ("limit", Slot(Kind::Count, "limit")),
    ("top", Slot(Kind::Count, "top")),
    // How many, for a tool that cannot be asked for so many.
    ("count", Slot(Kind::Count, "")),
    ("ids", Slot(Kind::Rows, "ids")),
    ("more-ids", Slot(Kind::MoreRows, "ids")),
    ("number", Slot(Kind::Number, "ids")),
    ("exactly", Slot(Kind::Exactly, "amount")),
    ("any", Slot(Kind::Any, "")),
    ("currency", Slot(Kind::Currency, "currency")),
    ("category", Slot(Kind::Name, "category")),
    ("words", Slot(Kind::Name, "words")),
    ("text", Slot(Kind::Name, "text")),
    ("query", Slot(Kind::Name, "search")),
    ("share", Slot(Kind::Name, "share_of")),
    ("description", Slot(Kind::Description, "query")),
    ("without", Slot(Kind::Names, "without")),
    ("categories", Slot(Kind::Names, "categories")),
    ("known", Slot(Kind::Known, "category")),
    ("name", Slot(Kind::Name, "")),
    ("entry", Slot(Kind::Name, "item")),
    ("pair", Slot(Kind::Pair, "category")),
    ("and-category", Slot(Kind::Second, "category")),
    ("subject", Slot(Kind::Free, "category")),
    ("item", Slot(Kind::Free, "item")),
    ("money", Slot(Kind::Money, "amount")),
    ("old-money", Slot(Kind::OldMoney, "")),
    ("period", Slot(Kind::Every, "period")),
    ("every", Slot(Kind::Every, "every")),
    ("often", Slot(Kind::Often, "")),
    ("row", Slot(Kind::Row, "id")),
    ("timezone", Slot(Kind::Text, "timezone")),
    ("rest", Slot(Kind::Text, "rest")),
    ("starting", Slot(Kind::DayWords, "starting")),
    ("until", Slot(Kind::DayWords, "until")),
    // Days to come: "Friday" is the next one.
    ("due", Slot(Kind::DayWords, "range")),
    ("which", Slot(Kind::Said, "which")),
    ("new", Slot(Kind::Said, "new")),
    ("price", Slot(Kind::Price, "new")),
    ("old", Slot(Kind::Price, "old")),
    ("day", Slot(Kind::Day, "new")),
    ("field", Slot(Kind::Field, "field")),
];

impl Slot {
    const fn of(name: &str) -> Slot {
        SLOTS[find(SLOTS, name).expect("a slot")].1
    }

    /// Of a pattern.
    pub fn held(number: u16) -> Slot {
        HELD[usize::from(number)]
    }
}

/// Those that may fit, in the order of the files.
pub fn of_words(words: &[Option<u16>]) -> impl Iterator<Item = &'static Frame> {
    let needed = words.iter().flatten().flat_map(|word| PATTERNS.list(BY_NEED[usize::from(*word)]));
    let mut may_fit = vec![false; FRAMES.len()];
    needed.chain(PATTERNS.list(OPEN)).for_each(|at| may_fit[usize::from(*at)] = true);
    FRAMES.iter().zip(may_fit).filter(|(_, may_fit)| *may_fit).map(|(frame, _)| frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_each_call_are_json() {
        for section in &SECTIONS {
            assert!(section.fixed().keys().all(|name| !name.is_empty()));
        }
    }
}
