//! Checks where one name ends and the next begins.

use serde_json::json;

use super::{SpokenFacts, assumed, can_mean, has_word};
use crate::{
    expenses::{
        category_preference::{is_filing_request, split_place},
        expense::{Expense, words},
    },
    money::Money,
    phrases::{AmountMention, Class, CurrencyMention, DateMention, Language, Reader, Reading},
    proposal::Note,
};

/// "lunch 9 Pret": capitalised words after the price are a place, if nothing before it is capitalised.
fn is_place(before: &str, after: &str, reader: Reader) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let end = reader.dates(after).first().map_or(after.len(), |day| day.span.start);
    let after = after[..end].trim_end().trim_end_matches(" on");
    let mut after = after.split_whitespace().filter(|word| word.starts_with(char::is_alphabetic)).peekable();
    // A sentence begins with a capital too.
    let begins = usize::from(before.split_whitespace().count() > 1);
    after.peek().is_some() && after.all(capital) && !before.split_whitespace().skip(begins).any(capital)
}

impl SpokenFacts<'_> {
    /// "Lunch 12 with all the team": words on both sides of the amount are one name if a joining word or mark follows the
    /// amount, and if there is only one expense, and nothing is told behind its price.
    pub(super) fn check_split_name(&self, expense: &Expense) -> Option<Note> {
        let item = words(&expense.item);
        let (before, after) = self.around_price(expense)?;
        let is_place =
            is_place(before, after, self.context.reader()) || after.trim_start().starts_with(['@', '(', '-', '–']);
        let is_list = after.trim_start().starts_with(':');
        let after = self.past_days(after);
        let (before, after) = (words(before), words(after));
        let is_in = |side: &str, other: &str| {
            item.split_whitespace().any(|word| has_word(side, word) && !has_word(other, word))
        };
        let is_measure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let joined = after
            .split_whitespace()
            .next()
            .is_some_and(|word| Class::GoesOnWithName.contains(word) || is_measure(word))
            || is_place;
        // "coffee 3.20 costa", "shoes 45 Clarks for the wedding"
        let is_short = after.split_whitespace().count() <= 2;
        let is_told = after.split_whitespace().any(|word| Class::ClauseWord.contains(word));
        let is_of_one = !self.several && (is_short || !is_told && !is_list);
        (is_in(&before, &after) && is_in(&after, &before) && !joined && !is_of_one)
            .then(|| assumed("item", &*expense.item))
    }

    /// "yesterday at 4pm for the kids"
    fn past_days<'t>(&self, after: &'t str) -> &'t str {
        let days = self.context.reader().dates(after);
        let leads = |day: &&DateMention| after[..day.span.start].trim().is_empty();
        days.first().filter(leads).map_or(after, |day| &after[day.span.end..])
    }

    /// "Cinema 12 in fun": "fun" may be a place or a new category.
    pub(super) fn check_place(&self, expense: &Expense) -> Option<Note> {
        const OF_PLACES: [&str; 18] = [
            "the", "a", "an", "my", "our", "der", "dem", "den", "die", "das", "la", "le", "les", "el", "los", "las",
            "un", "una",
        ];
        let (_, place) =
            split_place(&expense.item, is_filing_request(self.context)).filter(|_| expense.category.is_none())?;
        let (first, is_german) =
            (place.split(' ').next()?, self.context.conventions.language == Some(Language::German));
        // A capitalised place, except in German: "in Paris".
        let is_name = first.starts_with(char::is_uppercase) && !is_german;
        let is_plain = place.split(' ').count() <= 2 && place.chars().all(|mark| mark.is_alphabetic() || mark == ' ');
        let is_behind = self.around_price(expense).is_some_and(|(_, after)| after.contains(place));
        (is_plain && is_behind && !is_name && !OF_PLACES.contains(&first))
            .then(|| assumed("item", &*expense.item).because("place").said(place))
    }

    /// "I walked, it was 14": the item is an activity of the person, not something bought.
    pub(super) fn is_activity(&self, item: &str) -> bool {
        let item = words(item);
        let first = item.split_whitespace().next().unwrap_or_default();
        ["i", "we", "je"].iter().any(|who| self.words.contains(&format!(" {who} {first} ")))
    }

    /// "30 was food yesterday", right after an answer about another expense: it may be part of that expense.
    pub(super) fn check_detached(&self, expense: &Expense) -> Option<Note> {
        const WAS: [&str; 8] = ["was", "were", "war", "waren", "c'était", "c’était", "era", "fue"];
        let (before, after) = self.around_price(expense).filter(|_| !self.context.visible_answers.is_empty())?;
        let is_telling =
            before.trim().is_empty() && after.split_whitespace().next().is_some_and(|it| WAS.contains(&it));
        is_telling.then(|| assumed("item", &*expense.item).because("of_its_own"))
    }

    /// The text before and after the price.
    fn around_price(&self, expense: &Expense) -> Option<(&str, &str)> {
        let reader = self.context.reader();
        let text = self.context.user_messages.iter().rev().find(|text| !reader.amounts(text).is_empty())?;
        let price = reader.amounts(text).into_iter().find(|mention| match &mention.reading {
            Reading::Exact(amount) => Money::parse(amount, expense.money.currency) == Ok(expense.money),
            Reading::Ambiguous(_) => false,
        })?;
        Some((&text[..price.span.start], &text[price.span.end..]))
    }

    /// "Windows 11 licence 99": 11 may be part of a name or the price of a first expense.
    pub(super) fn check_run_on_prices(&self, created: &[Expense]) -> Option<Note> {
        const JOINING: [&str; 7] = ["and", "plus", "then", "also", "und", "et", "y"];
        let text = self.context.user_messages.last().filter(|_| created.len() > 1)?;
        let amounts = self.context.reader().amounts(text);
        let costing =
            |mention: &AmountMention| created.iter().find(|expense| can_mean(&mention.reading, expense.money));
        let is_bare = |mention: &AmountMention| mention.currency == CurrencyMention::None;
        let run_on = |pair: &[AmountMention]| {
            let is_whole = text[pair[0].span.clone()].bytes().all(|byte| byte.is_ascii_digit());
            let between = &text[pair[0].span.end..pair[1].span.start];
            let is_plain = between.chars().all(|mark| mark.is_alphabetic() || " '’-".contains(mark));
            let is_joined = words(between).split_whitespace().any(|word| JOINING.contains(&word));
            pair.iter().all(is_bare) && is_whole && is_plain && !is_joined
        };
        let runs: Vec<bool> = amounts.windows(2).map(run_on).collect();
        // Three amounts in a row are a list.
        let is_alone = |at: usize| runs[at] && (at == 0 || !runs[at - 1]) && !runs.get(at + 1).is_some_and(|run| *run);
        let at = (0..runs.len()).find(|at| is_alone(*at))?;
        let (one, other) = (costing(&amounts[at])?, costing(&amounts[at + 1])?);
        let between = words(&text[amounts[at].span.end..amounts[at + 1].span.start]);
        let of_between = words(&other.item).split_whitespace().all(|word| has_word(&between, word));
        (one.item != other.item && of_between).then(|| assumed("item", json!([one.item, other.item])).because("two"))
    }
}
