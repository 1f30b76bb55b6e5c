//! Where one name ends and the next begins.

use std::ops::Range;

use super::{Said, assumed, has_word, may_be};
use crate::{
    expenses::expense::{Expense, words},
    money::Money,
    phrases::{AmountMention, CurrencyMention, Reader, Reading},
    proposal::Note,
};

/// "lunch 9 Pret": a capital behind the price where nothing else has one.
fn is_place(text: &str, price: Range<usize>, reader: Reader) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let day = reader.dates(text).into_iter().find(|day| day.span.start >= price.end);
    let end = day.map_or(text.len(), |day| day.span.start);
    let (before, after) = (&text[..price.start], text[price.end..end].trim_end().trim_end_matches(" on"));
    let mut after = after.split_whitespace().filter(|word| word.starts_with(char::is_alphabetic)).peekable();
    after.peek().is_some() && after.all(capital) && !before.split_whitespace().any(capital)
}

impl Said<'_> {
    /// "Lunch 12 Christmas": what stands on both sides of the amount is one name only if a word joins the two.
    pub(super) fn in_two(&self, expense: &Expense) -> Option<Note> {
        const JOINTS: [&str; 25] = [
            "home", "at", "from", "in", "to", "with", "for", "of", "on", "by", "and", "the", "a", "an", "my", "bei",
            "mit", "für", "von", "chez", "avec", "pour", "de", "por", "para",
        ];
        let reader = self.context.reader();
        let text = self.context.said.iter().rev().find(|text| !reader.amounts(text).is_empty())?;
        let price = reader.amounts(text).into_iter().find(|mention| match &mention.reading {
            Reading::Exact(amount) => Money::parse(amount, expense.money.currency) == Ok(expense.money),
            Reading::Ambiguous(_) => false,
        })?;
        let item = words(&expense.item);
        let (before, after) = (words(&text[..price.span.start]), words(&text[price.span.end..]));
        let is_in = |side: &str, other: &str| {
            item.split_whitespace().any(|word| has_word(side, word) && !has_word(other, word))
        };
        let is_measure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let joined = after.split_whitespace().next().is_some_and(|word| JOINTS.contains(&word) || is_measure(word))
            || is_place(text, price.span.clone(), reader);
        (is_in(&before, &after) && is_in(&after, &before) && !joined)
            .then(|| assumed(format!("the name, “{}”", expense.item)))
    }

    /// "Windows 11 licence 99": a plain number between the words of one name, or the price of the first of two things.
    pub(super) fn in_a_row(&self, created: &[Expense]) -> Option<Note> {
        const JOINING: [&str; 7] = ["and", "plus", "then", "also", "und", "et", "y"];
        let text = self.context.said.last().filter(|_| created.len() > 1)?;
        let amounts = self.context.reader().amounts(text);
        let costing = |mention: &AmountMention| created.iter().find(|expense| may_be(&mention.reading, expense.money));
        let is_bare = |mention: &AmountMention| mention.currency == CurrencyMention::None;
        let run_on = |pair: &[AmountMention]| {
            let is_whole = text[pair[0].span.clone()].bytes().all(|byte| byte.is_ascii_digit());
            let between = &text[pair[0].span.end..pair[1].span.start];
            let is_plain = between.chars().all(|mark| mark.is_alphabetic() || " '’-".contains(mark));
            let is_joined = words(between).split_whitespace().any(|word| JOINING.contains(&word));
            pair.iter().all(is_bare) && is_whole && is_plain && !is_joined
        };
        let runs: Vec<bool> = amounts.windows(2).map(run_on).collect();
        // Three in a row are a list.
        let is_alone = |at: usize| runs[at] && (at == 0 || !runs[at - 1]) && !runs.get(at + 1).is_some_and(|run| *run);
        let at = (0..runs.len()).find(|at| is_alone(*at))?;
        let (one, other) = (costing(&amounts[at])?, costing(&amounts[at + 1])?);
        let between = words(&text[amounts[at].span.end..amounts[at + 1].span.start]);
        let of_between = words(&other.item).split_whitespace().all(|word| has_word(&between, word));
        (one.item != other.item && of_between)
            .then(|| assumed(format!("that “{}” and “{}” are two expenses", one.item, other.item)))
    }
}
