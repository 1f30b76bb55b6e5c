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
//! answer set_budget {"step": null}   what the patterns below add to a call of this tool that was asked about
//! answer order                       an order about rows that are there
//! ```
//!
//! An argument that is null, or whose name begins with `_`, is no argument of the tool.

use std::slice;

use serde_json::{Map, Value};

use super::super::wording;
use crate::phrases::{
    Language,
    patterns::{Parts, Patterns, find},
};

include!(concat!(env!("OUT_DIR"), "/frames.rs"));

/// No tool: what the patterns of orders come to.
pub const ORDER: &str = "order";

pub struct Frame {
    section: u16,
    /// Where the list of its parts begins.
    pattern: u16,
    /// It begins with a slot, and has none for an amount.
    pub is_unpriced: bool,
}

/// What stands over patterns.
pub struct Section {
    pub language: Language,
    /// The arguments that the message has to hold.
    pub required: &'static [&'static str],
    pub act: Act,
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
    /// The arguments that its calls always have.
    pub fn fixed(&self) -> Map<String, Value> {
        match &self.act {
            Act::Call(call) => serde_json::from_str(call.fixed).expect("arguments in JSON"),
            Act::Say(_) | Act::Refuse(_) => Map::new(),
        }
    }

    pub fn compares(&self) -> bool {
        matches!(&self.act, Act::Call(Call { compares: true, .. }))
    }

    /// Whether it is of the kind that is told of, and no refusal if none is wanted.
    pub fn is_for(&self, after: Option<&str>, refused: bool) -> bool {
        match &self.act {
            Act::Refuse(_) => refused && after.is_none(),
            Act::Call(call) => !refused && !call.is_answer && call.after == after,
            Act::Say(_) => !refused && after.is_none(),
        }
    }

    /// Whether it may answer a question about a call of the tool. None of those that are called at once.
    pub fn answers(&self, tool: &str) -> bool {
        matches!(&self.act, Act::Call(call) if call.is_answer && call.tool == tool)
    }
}

pub enum Act {
    Call(Call),
    Say(&'static str),
    /// Of what cannot be done, where nothing else is read.
    Refuse(&'static str),
}

#[derive(Debug)]
pub struct Call {
    pub tool: &'static str,
    /// As JSON.
    fixed: &'static str,
    compares: bool,
    pub asks: &'static [Ask],
    /// The kind of the row that was shown before.
    pub after: Option<&'static str>,
    /// What is said about days in the past. Other days are now, and no argument.
    pub now: Option<&'static str>,
    pub is_answer: bool,
}

/// A question for an argument.
#[derive(Debug)]
pub struct Ask {
    pub argument: &'static str,
    pub text: &'static str,
    pub options: &'static [&'static str],
}

/// Holds an argument of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The days, and those they are compared with.
    Days(usize),
    Bound,
    Count(&'static str),
    Rows,
    MoreRows,
    /// Of a row, without a mark. No year.
    Number,
    /// An amount that bounds nothing.
    Exactly,
    /// Any one word.
    Any,
    Currency,
    Name(&'static str),
    /// A name as it is said, with its article.
    Description,
    /// In a list.
    Names(&'static str),
    /// Of a usual category.
    Known(&'static str),
    /// Two names that are compared, which make the category.
    Pair,
    /// The second of two names that make the category.
    Second,
    /// A name that the tool cannot be asked for.
    Unused,
    /// A name in the person's own words, of whatever they pay for.
    Free(&'static str),
    /// An amount, with its currency.
    Money,
    /// An amount that is no more.
    OldMoney,
    /// A week, a month or a year.
    Every(&'static str),
    /// What comes back more or less often than tools know.
    Often,
    /// One row, with its mark.
    Row,
    /// As it was written.
    Text(&'static str),
    /// A day in the person's own words.
    DayWords(&'static str),
    /// Anything, in the person's own words.
    Said(&'static str),
    /// An amount as it was written.
    Price(&'static str),
    /// A day as it was written.
    Day(&'static str),
    /// What an expense has.
    Field,
}

const SLOTS: &[(&str, Slot)] = &[
    ("range", Slot::Days(0)),
    ("than", Slot::Days(1)),
    ("bound", Slot::Bound),
    ("limit", Slot::Count("limit")),
    ("top", Slot::Count("top")),
    ("ids", Slot::Rows),
    ("more-ids", Slot::MoreRows),
    ("number", Slot::Number),
    ("exactly", Slot::Exactly),
    ("any", Slot::Any),
    ("currency", Slot::Currency),
    ("category", Slot::Name("category")),
    ("words", Slot::Name("words")),
    ("text", Slot::Name("text")),
    ("query", Slot::Name("search")),
    ("share", Slot::Name("share_of")),
    ("description", Slot::Description),
    ("without", Slot::Names("without")),
    ("categories", Slot::Names("categories")),
    ("known", Slot::Known("category")),
    ("name", Slot::Unused),
    ("pair", Slot::Pair),
    ("and-category", Slot::Second),
    ("subject", Slot::Free("category")),
    ("item", Slot::Free("item")),
    ("money", Slot::Money),
    ("old-money", Slot::OldMoney),
    ("period", Slot::Every("period")),
    ("every", Slot::Every("every")),
    ("often", Slot::Often),
    ("row", Slot::Row),
    ("timezone", Slot::Text("timezone")),
    ("rest", Slot::Text("rest")),
    ("starting", Slot::DayWords("starting")),
    ("until", Slot::DayWords("until")),
    // Days to come: "Friday" is the next one.
    ("due", Slot::DayWords("range")),
    ("which", Slot::Said("which")),
    ("new", Slot::Said("new")),
    ("price", Slot::Price("new")),
    ("old", Slot::Price("old")),
    ("day", Slot::Day("new")),
    ("field", Slot::Field),
];

impl Slot {
    const fn of(name: &str) -> Slot {
        SLOTS[find(SLOTS, name).expect("a slot")].1
    }

    /// Of a pattern.
    pub fn held(number: u16) -> Slot {
        HELD[usize::from(number)]
    }

    pub fn argument(&self) -> &'static str {
        match self {
            Slot::Days(_) => "range",
            Slot::Bound => "bound",
            Slot::Rows | Slot::MoreRows | Slot::Number => "ids",
            Slot::Exactly | Slot::Money => "amount",
            Slot::Row => "id",
            Slot::Currency => "currency",
            Slot::Description => "query",
            Slot::Pair | Slot::Second => "category",
            Slot::Unused | Slot::Any | Slot::OldMoney | Slot::Often => "",
            Slot::Count(name)
            | Slot::Name(name)
            | Slot::Names(name)
            | Slot::Known(name)
            | Slot::Free(name)
            | Slot::Text(name)
            | Slot::Every(name)
            | Slot::DayWords(name)
            | Slot::Said(name)
            | Slot::Price(name)
            | Slot::Day(name) => name,
            Slot::Field => "field",
        }
    }
}

/// The number of a word, if patterns have it.
pub fn word(word: &str) -> Option<u16> {
    PATTERNS.word(word)
}

/// A pattern with a name, if it may begin with that word.
pub fn named(name: u16, word: Option<u16>) -> Option<Parts<'static>> {
    PATTERNS.named(name, word)
}

pub fn has_answers(tool: &str) -> bool {
    SECTIONS.iter().any(|section| section.answers(tool))
}

/// Whether an order may need it.
pub fn is_of_order(said: &str) -> bool {
    word(said).is_some_and(|word| needing(word).any(|at| FRAMES[usize::from(*at)].section().answers(ORDER)))
}

/// Those that need the word or another.
fn needing(word: u16) -> slice::Iter<'static, u16> {
    PATTERNS.list(BY_NEED[usize::from(word)]).iter()
}

/// Those that may fit.
pub fn of_words(words: &[Option<u16>]) -> impl Iterator<Item = &'static Frame> {
    let mut may_fit = [false; FRAMES.len()];
    let needed = words.iter().flatten().flat_map(|word| needing(*word));
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
