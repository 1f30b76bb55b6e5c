//! Words that are about no expense: yes and no with nothing to decide, greetings, thanks, and what is no business of
//! an expense tracker.

use super::{frames, wording};
use crate::phrases::{Class, PlainAnswer, Reader, Verdict, verdict, yes_no};

/// Whether it is a yes, or a no, with nothing to decide.
pub(super) fn yes_or_no(text: &str) -> Option<bool> {
    match yes_no::read(text)? {
        PlainAnswer::Yes(None) => Some(true),
        PlainAnswer::No(None) => Some(false),
        _ => None,
    }
}

/// What is answered to words that are about nothing.
pub(super) fn said(text: &str, reader: Reader) -> Option<&'static str> {
    const LONGEST: usize = 40;
    let is_short = text.len() <= LONGEST && !text.contains(|letter: char| letter.is_ascii_digit());
    in_a_word(text).or_else(|| if is_short { frames::small_talk(text, reader) } else { None })
}

/// The same, but for what patterns read.
pub(super) fn in_a_word(text: &str) -> Option<&'static str> {
    // "Is that more or less?" asks.
    let asks = text.ends_with('?') && Class::SmallTalkOpeners.contains(wording::first_word(text));
    if verdict(text) == Some(Verdict::Unsure) && !asks {
        return Some(wording::UNDECIDED);
    }
    let plain = wording::trimmed(text, &[], &[Class::OwnName]).to_lowercase();
    match plain.is_empty() {
        true => Some(wording::HELP),
        false => Class::Praise.contains(plain.replace('’', "'").replace(',', "")).then_some(wording::WELCOME),
    }
}

/// "Are you sure?", "what happens if I say yes?"
pub(super) fn is_about_what_waits(text: &str) -> bool {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    Class::AboutWhatWaits.length(&said).is_some()
}

/// A question or an order that says nothing of money or of what is kept here.
pub(super) fn is_out_of_scope(text: &str) -> bool {
    let words = wording::words(text);
    let opens = words.first().is_some_and(|(_, word)| Class::SmallTalkOpeners.contains(word));
    (opens || text.contains('?')) && words.len() > 1 && !words.iter().any(|(_, word)| Class::Ours.contains(word))
}
