//! Expenses that are put somewhere else: in a category, or on another day.

use super::{Changing, IT, Reader, lists, wording};
use crate::{
    model::offline::currency::currency_alone,
    phrases::{CATEGORIES, is_one_of},
};

impl Changing {
    /// "move the taxi to yesterday", "move the taxi to travel".
    pub(super) fn moved(text: &str, reader: Reader) -> Self {
        let to_day = !reader.ranges(text).is_empty() || !reader.dates(text).is_empty();
        let words = wording::words(text);
        let named = words.iter().rev().take_while(|(_, word)| word != "to");
        let plain = named.clone().all(|(_, word)| word.chars().all(char::is_alphabetic)) && named.count() <= 2;
        let field = if plain && !to_day { "category" } else { "date" };
        Self::update(text, Some(field), reader)
    }

    /// "the taxi from transport", to another category: what is moved.
    pub(super) fn category_left<'t>(target: &'t str, value: &str) -> Option<&'t str> {
        let is_category = |name: &str| {
            let name = wording::trimmed(name, &["the", "category"], &["category", "please"]).to_lowercase();
            CATEGORIES.contains(&name.as_str())
        };
        let (rest, from) = target.rsplit_once(" from ")?;
        (is_category(from) || is_category(value) && from.chars().all(char::is_alphabetic)).then_some(rest)
    }

    /// "lunch is food", "that's travel", "in food": what is said to be in a category, and that.
    pub fn classed(text: &str) -> Option<(&str, &str)> {
        const AFTER: [&str; 3] = ["category", "please", "now"];
        // Most messages end in no category.
        let last = text.trim_end_matches(['.', '!', ' ']).rsplit(' ').next().unwrap_or_default();
        if ![&CATEGORIES[..], &AFTER].iter().any(|of| of.iter().any(|it| it.eq_ignore_ascii_case(last))) {
            return None;
        }
        let text = wording::trimmed(text, &lists::ASIDES[5..], &AFTER);
        let words = wording::words(text);
        let ([.., (_, verb), (category, name)], false) = (&words[..], text.contains('?')) else { return None };
        if !is_one_of(name, &CATEGORIES) || lists::WORDS_ASKING.contains(&&*words[0].1) {
            return None;
        }
        let target = match &**verb {
            "that's" | "thats" | "it's" | "its" if words.len() == 2 => "it",
            "in" | "under" | "category" if words.len() == 2 => "it",
            "they're" if words.len() == 2 => "they",
            "is" | "are" => wording::trimmed(&text[..words[words.len() - 2].0.start], &["the", "my"], &[]),
            _ => return None,
        };
        let target = IT.into_iter().find(|it| target.eq_ignore_ascii_case(it)).unwrap_or(target);
        (!target.is_empty()).then_some((target, &text[category.clone()]))
    }

    /// "put dinner in food": an order, of what was just shown.
    pub fn put_in(text: &str, reader: Reader) -> Option<(&str, &str)> {
        const VERBS: [&str; 4] = ["put", "file", "set", "move"];
        let command =
            wording::trimmed(wording::after_courtesies(text), &["but", "yes"], &["please", "too", "then", "category"]);
        let words = wording::words(command);
        let at = words
            .iter()
            .rposition(|(_, word)| matches!(&**word, "in" | "into" | "under" | "to"))
            .filter(|at| *at > 1)?;
        let (name, category) = (&command[words[0].0.end..words[at].0.start], command[words[at].0.end..].trim());
        let category = wording::trimmed(category, &["the"], &[]);
        let is_name = (1..=3).contains(&wording::words(category).len())
            && category.chars().all(|mark| mark.is_alphabetic() || " '-&".contains(mark));
        let is_other = lists::NOWHERE.contains(&category) || currency_alone(category, reader).is_some();
        let is_day = is_other || !reader.dates(category).is_empty() || !reader.ranges(category).is_empty();
        (VERBS.contains(&&*words[0].1) && is_name && !is_day).then_some((name.trim(), category))
    }

    /// "put the taxi in travel"; with a price it is something new.
    pub(super) fn filed(text: &str, reader: Reader) -> Option<Self> {
        Self::filing(text, reader).filter(|filing| filing.declined.is_some() || filing.has_target())
    }

    pub(super) fn filing(text: &str, reader: Reader) -> Option<Self> {
        let words = wording::words(text);
        let (link, _) = words.iter().rfind(|(_, word)| matches!(&**word, "in" | "into" | "under"))?;
        let (target, category) =
            (&text[..link.start], wording::trimmed(&text[link.end..], &["the"], &["category", "please"]));
        let says = |any: &[&str]| words.iter().any(|(_, word)| is_one_of(word, any));
        let number = target.trim().bytes().all(|byte| byte.is_ascii_digit()) && !target.trim().is_empty();
        if number && !category.is_empty() {
            return Some(Self { declined: Some(wording::NUMBER_OR_AMOUNT), ..Self::default() });
        }
        if !reader.amounts(text).is_empty() || category.is_empty() || says(&["all", "everything", "every", "both"]) {
            return None;
        }
        let mut filing = Self { field: Some("category"), ..Self::default() };
        // "put coffee and cake in food" is of both; what goes on after the category is another change.
        let goes_on = wording::words(category).iter().any(|(_, word)| word == "and");
        filing.declined = goes_on.then_some(wording::ONE_CHANGE);
        filing.aim_at(target);
        filing.set("category", category.to_owned());
        Some(filing)
    }
}
