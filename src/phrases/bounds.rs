//! Amounts that bound others: "over £50", "20 or more". "Over" leaves the amount itself out, "at least" does not.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    AtLeast,
    AtMost,
    MoreThan,
    LessThan,
}

const BEFORE: [(Bound, &[&str]); 4] = [
    (
        Bound::AtLeast,
        &[
            "at least", "from", "no less than", "not less than", "not under", "minimum", "nicht unter",
            "nicht weniger als", "pas moins de", "no menos de", "mindestens", "au moins", "al menos", "por lo menos",
        ],
    ),
    (
        Bound::AtMost,
        &[
            "up to", "at most", "no more than", "not more than", "not over", "not above", "maximum", "nicht über",
            "nicht mehr als", "pas plus de", "no más de", "höchstens", "maximal", "au plus", "au maximum",
            "como máximo",
        ],
    ),
    (
        Bound::MoreThan,
        &[
            "over", "above", "more than", "greater than", "bigger than", "exceeding", "über", "mehr als", "plus de",
            "más de",
        ],
    ),
    (
        Bound::LessThan,
        &[
            "under", "below", "less than", "smaller than", "cheaper than", "unter", "weniger als", "moins de",
            "menos de",
        ],
    ),
];
const BEHIND: [(Bound, [&str; 5]); 2] = [
    (Bound::AtLeast, ["+", "and over", "and more", "or over", "or more"]),
    (Bound::AtMost, ["and under", "and less", "or under", "or less", "or below"]),
];

/// What the amount there bounds, and where that is said with it. The text is in small letters.
pub fn bound(lower: &str, amount: &Range<usize>) -> Option<(Bound, Range<usize>)> {
    let (before, after) = (lower[..amount.start].trim_end(), lower[amount.end..].trim_start());
    let ends = |word: &&&str| before.strip_suffix(**word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    let said = BEFORE.iter().find_map(|(bound, words)| Some((*bound, words.iter().find(ends)?)));
    if let Some((bound, word)) = said {
        return Some((bound, before.len() - word.len()..amount.end));
    }
    let said =
        BEHIND.iter().find_map(|(bound, words)| Some((*bound, words.iter().find(|word| after.starts_with(**word))?)));
    said.map(|(bound, word)| (bound, amount.start..lower.len() - after.len() + word.len()))
}
