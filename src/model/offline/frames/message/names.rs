//! What a name may be in a message: "food", "rent and the taxis", "microsoft 365".

use std::ops::Range;

use serde_json::{Value, json};

use super::{Found, Held, Message, Sort};
use crate::{
    model::offline::{draft::currency_alone, frames::grammar::Kind},
    phrases::{Class, Entry},
};

impl Message {
    /// One to three words, or several such joined by "and".
    pub(super) fn names(&self, kind: Kind, at: usize, sort: Sort) -> Vec<Held> {
        const COST: usize = 3;
        const LONGEST_NAME: usize = 6;
        let is_free = kind == Kind::Free;
        let start = at + usize::from(sort.has(Class::BeforeName, &self.entries[at]));
        let mut held = Vec::new();
        for end in start + 1..=self.words.len().min(start + LONGEST_NAME) {
            if !self.goes_on(end - 1, is_free && end - 1 > start) {
                break;
            }
            if self.is_of_days(start..end) {
                continue;
            }
            let Some(names) = self.names_in(start..end, is_free, sort) else { continue };
            let is_known = |name: &&str| Class::CommonCategory.says(name).is_some() || *name == "uncategorised";
            if kind == Kind::Known && !names.iter().all(is_known) {
                continue;
            }
            let value = match kind {
                Kind::Names => json!(names),
                Kind::Description => json!(self.lower[self.places[at].start..self.places[end - 1].end]),
                Kind::Free => json!(self.text[self.places[start].start..self.places[end - 1].end]),
                _ => json!(names.join(" and ")),
            };
            let cost = if kind == Kind::Known { 1 } else { COST * (end - start) };
            held.push((end, cost, Found::Value(value)));
        }
        held
    }

    /// "food or rent", "food or on rent"
    pub(super) fn pairs(&self, at: usize, sort: Sort) -> Vec<Held> {
        let mut pairs = Vec::new();
        for (end, cost, one) in self.names(Kind::Name, at, sort) {
            let next = end
                + 1
                + usize::from(self.words.get(end + 1).is_some_and(|word| Class::BeforeOtherCategory.contains(word)));
            if !self.words.get(end).is_some_and(|said| Class::Between.contains(said)) || next >= self.words.len() {
                continue;
            }
            for (end, more, other) in self.names(Kind::Name, next, sort) {
                if let (Found::Value(Value::String(one)), Found::Value(Value::String(other))) = (&one, &other) {
                    pairs.push((end, cost + more, Found::Value(format!("{one} and {other}").into())));
                }
            }
        }
        pairs
    }

    /// "rent and the taxis" without articles. None if they begin or end with words that sentences are made of.
    fn names_in(&self, words: Range<usize>, is_free: bool, sort: Sort) -> Option<Vec<&str>> {
        const LONGEST: usize = 3;
        let is_closed = |word: &Entry| word.has(Class::Closed) && !(is_free && sort.has(Class::ClosedButNoun, word));
        let mut names = Vec::new();
        let mut rest = words;
        loop {
            let is_joint = |at: &usize| *at > rest.start && self.is_behind_comma(*at) || self.is_and_or(*at);
            let and = rest.clone().find(is_joint).unwrap_or(rest.end);
            let is_led = rest.start < and && sort.has(Class::BeforeName, &self.entries[rest.start]);
            let name = rest.start + usize::from(is_led)..and;
            let words = self.entries.get(name.clone())?;
            let ([first, ..], [.., last]) = (words, words) else { return None };
            let is_inside = |word: &Entry| !is_closed(word) || sort.has(Class::ClosedWithinName, word);
            let is_elsewhere = || words.iter().any(|word| word.has(Class::NoExpense));
            // "Budget hotel 80"
            let is_cheap = || name.start > 0 && self.words[name.start - 1] == "budget" && first.has(Class::Cheap);
            if words.len() > LONGEST
                || is_closed(first)
                || is_closed(last)
                || !words.iter().all(is_inside)
                || !is_free && is_elsewhere() && !self.is_spent_on(name.start)
                || is_free && is_cheap()
            {
                return None;
            }
            let is_money = words.len() == 1 && currency_alone(&self.words[name.start], self.reader).is_some();
            let name = &self.lower[self.places[name.start].start..self.places[name.end - 1].end];
            if is_money || !name.contains(char::is_alphabetic) {
                return None;
            }
            names.push(name);
            if and == rest.end {
                return Some(names);
            }
            rest.start = and + usize::from(self.is_and_or(and));
        }
    }

    /// "The summer" of "in the summer".
    fn is_of_days(&self, words: Range<usize>) -> bool {
        let may_hold =
            |found: &(usize, Found)| matches!(found, (end, Found::Days(_) | Found::OpenDays(_)) if *end >= words.end);
        self.spans(false)[..words.start].iter().flatten().any(may_hold)
    }

    fn is_and_or(&self, at: usize) -> bool {
        self.entries[at].has(Class::AndOr)
    }

    fn is_behind_comma(&self, at: usize) -> bool {
        self.text[self.places[at - 1].end..self.places[at].start].contains(',')
    }

    /// "my savings account" is no question about expenses, "spent on savings" and "show savings expenses" are.
    fn is_spent_on(&self, name: usize) -> bool {
        let follows_on = name > 0 && self.words[name - 1] == "on";
        follows_on || self.entries.iter().any(|word| word.has(Class::Spending))
    }

    /// Whether a word may be part of a name. Only what is paid for has numbers in it: "microsoft 365".
    pub(super) fn goes_on(&self, at: usize, may_be_number: bool) -> bool {
        let word = &self.words[at];
        let is_typed = self.spans(false)[at].iter().any(|(_, found)| !matches!(found, Found::Open(_)));
        // "mp3" is a word.
        let is_number = word.contains('#')
            || !word.starts_with(char::is_alphabetic) && word.contains(|letter: char| letter.is_ascii_digit());
        !is_typed && (!is_number || may_be_number && !self.amounts().iter().any(|(from, ..)| *from == at))
    }
}
