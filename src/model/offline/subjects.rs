//! What a question about spending is about: a category, or words of items, once time and money are taken out.

use std::ops::Range;

use super::{currency::currency_alone, lists, wording};
use crate::phrases::{Reader, is_one_of};

/// "on food", "for groceries": what is left there when time and money are taken out.
pub(super) fn category_after(lower: &str, leads: &[&str], reader: Reader) -> Option<String> {
    let text = bare(lower, reader);
    let words = wording::words(&text);
    let lead = words.iter().rposition(|(_, word)| is_one_of(word, leads))?;
    let rest = &text[words[lead].0.end..];
    named(wording::trimmed(
        rest,
        &["the", "my", "our", "category"],
        &["category", "expenses", "so", "far", "please", "total", "all"],
    ))
}

/// The words of a question that say neither what to do, nor when, nor how much: it is about these.
pub(super) fn about(lower: &str, category: Option<&str>, reader: Reader) -> String {
    let text = bare(lower, reader);
    let without = category.map_or(text.clone(), |category| text.replacen(category, " ", 1));
    let numbered = limit(lower).is_some();
    let kept = wording::words(&without).into_iter().map(|(_, word)| word).filter(|word| {
        let counts = numbered && count(word).is_some();
        !(counts || is_one_of(word, &lists::GLUE) || category.is_some() && word == "category")
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// "on weekends", "every Monday": which day of the week it was is nothing that can be looked for.
pub(super) fn is_of_weekdays(text: &str) -> bool {
    wording::words(text).windows(2).any(|pair| {
        let (lead, word) = (&*pair[0].1, &*pair[1].1);
        let many = word.strip_suffix('s').is_some_and(|day| lists::WEEKDAYS.contains(&day));
        match lead {
            "on" | "at" | "during" => many,
            "every" | "each" | "per" => lists::WEEKDAYS.contains(&word),
            _ => false,
        }
    })
}

fn bare(lower: &str, reader: Reader) -> String {
    without_figures(lower, &lists::SUBJECTS_LEADS, reader)
}

/// Without times, amounts, and the words that lead to them.
pub(super) fn without_figures(lower: &str, leads: &[&str], reader: Reader) -> String {
    let plain = with_plain_years(lower);
    let times = reader.ranges(&plain).into_iter().map(|found| found.span);
    let amounts = reader.amounts(&plain).into_iter().map(|found| found.span);
    wording::without(&plain, &times.chain(amounts).collect::<Vec<_>>(), leads)
}

/// One name, or several that are joined.
fn named(text: &str) -> Option<String> {
    let names = text.split(',').flat_map(|names| names.split(" and "));
    let count = names.map(|name| wording::words(name).len()).max().unwrap_or_default();
    let pronoun = matches!(text, "i" | "me" | "it" | "that" | "this" | "everything" | "average" | "far");
    ((1..=3).contains(&count) && !pronoun).then(|| text.to_owned())
}

/// How many rows are asked for: "the last two expenses", and one of "my last expense".
pub(super) fn limit(lower: &str) -> Option<u64> {
    const COUNTED: [&str; 5] = ["expenses", "purchases", "entries", "items", "transactions"];
    const ONE: [&str; 5] = ["expense", "purchase", "entry", "item", "transaction"];
    let words = wording::words(lower);
    let pairs = || words.windows(2).map(|pair| (&*pair[0].1, &pair[1].0, &*pair[1].1));
    if pairs().any(|(rank, _, noun)| LATEST.contains(&rank) && ONE.contains(&noun)) {
        return Some(1);
    }
    let of_time = |span: &Range<usize>| lower[span.end..].trim_start().starts_with(['d', 'w', 'm', 'y']);
    let ranked = pairs().filter(|(rank, span, _)| (LATEST.contains(rank) || *rank == "top") && !of_time(span));
    let counted = pairs().filter(|(_, _, noun)| COUNTED.contains(noun)).map(|(number, ..)| number);
    ranked.map(|(.., number)| number).chain(counted).filter_map(count).find(|limit| (1..=500).contains(limit))
}

fn count(word: &str) -> Option<u64> {
    let spelt = lists::SUBJECTS_WORDS.iter().position(|known| *known == word).map(|index| index as u64 + 2);
    spelt.or_else(|| word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit())))
}

const LATEST: [&str; 4] = ["last", "latest", "recent", "newest"];

/// A word that means something and was understood as nothing: what points at rows, a place in an order that no list
/// has, an hour, and what leads to a day or an amount that is not there ("since my last haircut").
pub(super) fn leaves_something_out(lower: &str, reader: Reader) -> bool {
    const PLACES: [&str; 6] = ["first", "oldest", "earliest", "third", "next", "previous"];
    const HOURS: [&str; 7] = ["morning", "mornings", "afternoon", "afternoons", "evening", "evenings", "nights"];
    let bare = bare(lower, reader);
    if bare.ends_with(" that") {
        return true;
    }
    let sign = lower.split(' ').any(|word| is_sign(word.trim_end_matches(['?', '.', '!', ',']), reader));
    sign || wording::words(&bare).iter().any(|(_, word)| {
        [&lists::SUBJECTS_POINTING[..], &PLACES, &HOURS, &lists::SUBJECTS_LEADING]
            .iter()
            .any(|words| is_one_of(word, words))
    })
}

fn is_sign(word: &str, reader: Reader) -> bool {
    !word.is_empty() && !word.contains(char::is_alphanumeric) && currency_alone(word, reader).is_some()
}

/// In a question about what was spent, a year after "for" or "of" is a year.
pub(super) fn with_plain_years(text: &str) -> String {
    let mut plain = text.to_owned();
    for (span, word) in
        wording::words(text).windows(2).rev().map(|pair| (pair[0].0.clone(), (&*pair[0].1, &*pair[1].1)))
    {
        let year = word.1.len() == 4 && (word.1.starts_with("19") || word.1.starts_with("20"));
        if year && matches!(word.0, "for" | "expenses") {
            plain.replace_range(span, "in");
        }
    }
    plain
}
