//! Answers about several things that wait: for all of them, or for one by its number or name.
//!
//! As with a plain yes or no, only a message that is nothing else counts.

use super::{
    interjections,
    lexicon::{Class, past},
    yes_no::{plain_words, verb, without_courtesy},
};
use crate::only::Only;

/// "Skip 1", "not 2", "the 2 for tea": some word and the number of one that was listed. It may be a choice, and is no order
/// of its own.
pub fn may_choose(message: &str, count: usize) -> bool {
    let words = plain_words(message);
    if !words.is_empty() && words.split(' ').all(|word| Class::Choice.contains(word)) {
        return true;
    }
    let number = |word: &str| word.trim_start_matches('#').parse().is_ok_and(|n| (1..=count).contains(&n));
    let mut others = words.split(' ').filter(|word| !number(word));
    let is_plain = |word: &str| word.len() <= 7 && word.chars().all(char::is_alphabetic);
    words.split(' ').count() <= 3 && words.split(' ').any(number) && others.all(is_plain)
}

/// "Both", "yes to all of them", "neither": an answer for all of so many that were listed, and whether it is a yes, if
/// that was said.
pub fn for_all(message: &str, count: usize) -> Option<Option<bool>> {
    if message.contains('?') || count < 2 {
        return None;
    }
    let words = plain_words(message);
    let words = interjections::after_sighs(&words);
    let words = without_courtesy(words);
    let says = |words: &str, is_order: bool| match Class::Altogether.says(words) {
        Some("both") => count == 2,
        Some("three") => count == 3,
        // "Delete everything" is more than what was listed.
        Some("all") => !is_order,
        says => says == Some("named"),
    };
    match Class::Altogether.says(words) {
        Some("none") => return Some(Some(false)),
        Some("neither") if count == 2 => return Some(Some(false)),
        _ => {}
    }
    let (verdict, rest) = verdict_first(words);
    match rest.split_once(' ') {
        Some((first, what)) if verdict == Some(true) && verb(first).is_some() => says(what, true).then_some(verdict),
        _ => says(rest, false).then_some(verdict),
    }
}

/// What one of several things that wait is called, if it is about one row, and what is done to it.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    pub name: Option<&'a str>,
    pub verb: &'a str,
}

/// "The lunch", "yes to the dinner": which of them has that name and no other, and whether it is a yes, if that was said.
pub fn names_one(message: &str, waiting: &[Named<'_>]) -> Option<(usize, Option<bool>)> {
    let words = plain_words(message);
    let words = without_courtesy(&words);
    let words = words.strip_suffix(" one").unwrap_or(words);
    let (verdict, rest) = verdict_first(words);
    let name = past(rest, |first, _| Class::Choosing.contains(first));
    let is_named = |waits: &Named<'_>| waits.name.is_some_and(|named| plain_words(named) == name);
    // "Drop the tea" can mean the row that is to be deleted.
    let is_clear = |waits: &Named<'_>| {
        let doubtful =
            verdict == Some(false) && words.split(' ').next().is_some_and(|verb| Class::VerbOfNo.contains(verb));
        !(doubtful && waits.verb == "delete")
    };
    let named = (0..waiting.len()).filter(|at| is_named(&waiting[*at])).only()?;
    (!message.contains('?') && is_clear(&waiting[named])).then_some((named, verdict))
}

/// Past the yes or no that it begins with, and past what leads to what that is said to.
fn verdict_first(words: &str) -> (Option<bool>, &str) {
    let after = |class: Class| {
        let said: Vec<&str> = words.split(' ').collect();
        let length = class.length(&said)?;
        Some(words.splitn(length + 1, ' ').nth(length).unwrap_or_default())
    };
    let (verdict, rest) = match (after(Class::YesTo), after(Class::NoTo)) {
        (Some(rest), _) => (Some(true), rest),
        (None, Some(rest)) => (Some(false), rest),
        (None, None) => (None, words),
    };
    (verdict, past(rest, |first, _| Class::BeforeChoiceNamed.contains(first)))
}

#[cfg(test)]
mod tests;
