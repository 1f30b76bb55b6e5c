//! Words behind a price that say with whom it was shared, and how: "split with Anna", "half each", "50/50".
//!
//! How much one's own part was is not worked out; grounding says that all of it would be added.

use super::super::wording;
use crate::phrases::{CATEGORIES, Class, Hedge, Reader, is_one_of};

/// Without those words, after what was paid: "drinks 20 split between me and Anna yesterday".
pub(in super::super) fn unshared(text: &str, reader: Reader) -> String {
    let words = wording::words(text);
    let cut = (1..words.len()).find(|at| is_shared(text, &words, *at, reader)).and_then(|at| {
        // "and we", "it was"
        let leads = words[..at].iter().rev().take_while(|(_, word)| Class::SharingLeading.contains(word)).count();
        let (paid, shared) = (&text[..words[at - leads].0.start], &text[words[at].0.start..]);
        let is_split = words[at..].iter().any(|(_, word)| is_one_of(word, &CATEGORIES));
        let is_said = || reader.hedges(text).iter().any(|found| found.hedge == Hedge::Shared);
        let is_known = !reader.amounts(paid).is_empty() && !is_split && is_said();
        is_known.then_some((paid, shared))
    });
    let Some((paid, shared)) = cut else { return text.to_owned() };
    // "half each, taxi 5"
    let marks = [", ", "; "].iter().filter_map(|mark| shared.find(mark));
    let joints = wording::words(shared).into_iter().filter(|(_, word)| Class::And.contains(word));
    let next = marks.chain(joints.map(|(span, _)| shared[..span.start].trim_end().len())).min();
    let next = next.filter(|next| !reader.amounts(&shared[*next..]).is_empty()).unwrap_or(shared.len());
    let day = reader.dates(&shared[..next]).first().map_or("", |day| &shared[day.span.clone()]);
    format!("{paid}{day}{}", &shared[next..])
}

fn is_shared(text: &str, words: &[wording::Word<'_>], at: usize, reader: Reader) -> bool {
    let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
    let splits = Class::Split.contains(word(at));
    if splits && Class::SplitWith.contains(word(at + 1)) {
        return true;
    }
    // "banana split": of a name, where nothing parts it from what was paid.
    let between = &text[words[at - 1].0.end..words[at].0.start];
    let is_apart = between.contains([',', '.'])
        || Class::SharingLeading.contains(word(at - 1))
        || word(at - 1).ends_with(|last: char| last.is_ascii_digit());
    let said: Vec<&str> = words[at..].iter().take(4).map(|(_, word)| &**word).collect();
    let ends = |length: usize| {
        let Some((next, word)) = words.get(at + length) else { return true };
        let between = &text[words[at + length - 1].0.end..next.start];
        between.contains([',', ';', '.'])
            || Class::BehindHalf.contains(word)
            || reader.dates(text).iter().any(|day| day.span.start == next.start)
    };
    let halves = || Class::Halves.length(&said).is_some_and(ends);
    is_apart && (splits && (Class::HowShared.contains(word(at + 1)) || word(at + 2) == "ways" || ends(1)) || halves())
}
