//! A category that stands beside an expense without a word that says so: "lunch 12 food", "coffee, 3.50, food".

use super::{category_length, lists, name_in, wording};
use crate::phrases::{Class, Reader, is_one_of};

/// What parts it from the rest.
const MARKS: [char; 10] = [',', ';', '|', '-', '–', '>', '(', '@', '#', ':'];

/// With "in food" at the end, of one expense that has a name besides.
pub(in crate::model::offline) fn with_category(text: &str, reader: Reader) -> Option<String> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    // Most messages have none, and the rest takes long to find.
    (0..said.len()).find_map(|at| category_length(&said[at..]))?;
    let amounts = reader.amounts(text);
    let [price] = &amounts[..] else { return None };
    let days: Vec<usize> = reader.dates(text).into_iter().map(|found| found.span.start).collect();
    let is_name = |text: &str| {
        let days: Vec<_> = reader.dates(text).into_iter().map(|found| found.span).collect();
        name_in(&wording::without(text, &days, &[])).contains(char::is_alphabetic)
    };
    let is_command = said.first().is_some_and(|first| lists::COMMANDS.contains(first) || *first == "split");
    if is_command || text.to_ascii_lowercase().contains("note") {
        return None;
    }
    (0..words.len()).find_map(|at| {
        let length = category_length(&said[at..])?;
        let (start, end) = (words[at].0.start, words[at + length - 1].0.end);
        let behind = text[end..].trim_start();
        let before =
            text[..start].trim_end_matches(MARKS).trim_end_matches(|mark| mark == ' ' || MARKS.contains(&mark));
        let between = &text[before.len()..start];
        let is_marked = between.contains(MARKS) && !before.to_lowercase().ends_with("category");
        let is_tagged = between.ends_with(['@', '#']);
        let ends = behind.is_empty()
            || behind.starts_with([',', ';', ')']) && !is_name(behind)
            || days.contains(&(text.len() - behind.len()));
        let is_behind = before.len() == price.span.end && is_name(&text[..price.span.start]);
        let is_first = || wording::trimmed(before, &lists::NAMING_FRONT, &[]).is_empty();
        // "food 12 lunch", and not "food 12 for Anna" or "rent 950 every month".
        let heads = || {
            let joins = ["with", "at", "from", "and", "of", "the"];
            let after = wording::words(&text[price.span.end..]);
            let is_plain = |(at, (_, word)): (usize, &wording::Word<'_>)| {
                !Class::Closed.contains(word) && !lists::MEANS.contains(&&**word) || at > 0 && is_one_of(word, &joins)
            };
            let is_of_one_day = || reader.ranges(text).iter().all(|found| found.range.from == found.range.to);
            text.get(end..price.span.start).is_some_and(|between| between.trim().is_empty())
                && is_first()
                && after.iter().enumerate().all(is_plain)
                && is_of_one_day()
        };
        let opens = || is_first() && (behind.starts_with("- ") || behind.starts_with(['|', '>']));
        let is_meant = is_tagged || ends && (is_marked || is_behind) || heads() || opens();
        let rest = behind.trim_start_matches(|mark| mark == ' ' || mark == ')' || MARKS.contains(&mark));
        let kept = format!("{before} {rest}");
        let unpriced = kept.replacen(&text[price.span.clone()], "", 1);
        (is_meant && is_name(&unpriced)).then(|| format!("{kept} in {}", &text[start..end]))
    })
}
