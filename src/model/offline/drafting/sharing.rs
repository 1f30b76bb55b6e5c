//! Words behind a price that say with whom it was shared, and how: "split with Anna", "half each", "50/50".
//!
//! How much one's own part was is not worked out; grounding says that all of it would be added.

use super::super::wording;
use crate::phrases::{self, Class, Hedge, Reader};

/// Without those words, beside what was paid: "drinks 20 split between me and Anna yesterday", "split drinks 20 with
/// Anna".
pub(in super::super) fn unshared(said: &str, reader: Reader) -> String {
    if !reader.hedges(said).iter().any(|found| found.hedge == Hedge::Shared) {
        return said.to_owned();
    }
    let text = after_verb(said);
    let is_split = text.len() < said.len();
    let words = wording::words(text);
    let is_shared =
        |at: &usize| is_split && Class::SplitWith.contains(&*words[*at].1) || is_shared(text, &words, *at, reader);
    let cut = (1..words.len()).find(is_shared).and_then(|at| {
        // "and we", "it was"
        let leads = words[..at].iter().rev().take_while(|(_, word)| Class::SharingLeading.contains(word)).count();
        let (paid, shared) = (&text[..words[at - leads].0.start], &text[words[at].0.start..]);
        let is_parted = words[at..].iter().any(|(_, word)| Class::CommonCategory.contains(word));
        (!reader.amounts(paid).is_empty() && !is_parted).then_some((paid, shared))
    });
    let Some((paid, shared)) = cut else { return text.to_owned() };
    // "half each, taxi 5"
    let marks = [", ", "; "].iter().filter_map(|mark| shared.find(mark));
    let joints = wording::words(shared).into_iter().filter(|(_, word)| Class::And.contains(word));
    let next = marks.chain(joints.map(|(span, _)| shared[..span.start].trim_end().len())).min();
    let next = next.filter(|next| !reader.amounts(&shared[*next..]).is_empty()).unwrap_or(shared.len());
    let day = reader.dates(&shared[..next]).first().map_or("", |day| &shared[day.span.clone()]);
    // "split with Tom so my half is 30": which of the two it was is asked.
    let own = phrases::own_share(&shared[..next]).map_or("", |own| &shared[own.start..next]);
    let own = Some(own).filter(|own| !reader.amounts(own).is_empty());
    format!("{paid}{day}{}{}", own.map(|own| format!(", {own}")).unwrap_or_default(), &shared[next..])
}

/// Without "split" before what was shared with somebody.
fn after_verb(text: &str) -> &str {
    let words = wording::words(text);
    let [(_, verb), others @ ..] = &words[..] else { return text };
    let is_with = |(_, word): &wording::Word<'_>| Class::SplitWith.contains(word);
    if Class::Split.contains(verb) && others.iter().any(is_with) { wording::rest(text) } else { text }
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
