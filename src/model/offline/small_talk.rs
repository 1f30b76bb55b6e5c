//! Words that are about no expense: yes and no with nothing to decide, greetings, thanks, and what is no business of
//! an expense tracker.

use super::{conversation::Intent, lists, wording};
use crate::phrases::{PlainAnswer, interjections::PRAISE, is_one_of, phrase_length, yes_no};

/// None if it may be about expenses.
pub(super) fn read(text: &str) -> Option<Intent> {
    said(text).map(Intent::Say).or_else(|| match yes_no::read(text) {
        Some(PlainAnswer::Yes(None)) => Some(Intent::Yes),
        Some(PlainAnswer::No(None)) => Some(Intent::No),
        _ => together(text),
    })
}

/// What is answered to words that are about nothing.
pub(super) fn said(text: &str) -> Option<&'static str> {
    let plain = wording::trimmed(text, &[], &["sayso"]).to_lowercase().replace('’', "'");
    let plain = plain.trim_start_matches(['¡', '¿']);
    let asks_or_counts = text.contains(|mark: char| mark == '?' || mark.is_ascii_digit())
        || ["did ", "have ", "had "].iter().any(|opening| plain.starts_with(opening));
    if !asks_or_counts && lists::NOTHING.iter().any(|said| plain.contains(said)) {
        return Some(wording::NOTHING_SPENT);
    }
    if yes_no::is_unsure(text) {
        return Some(wording::UNDECIDED);
    }
    Some(match plain.replace(',', "").as_str() {
        praise if PRAISE.contains(praise) => wording::WELCOME,
        "" => wording::HELP,
        "that's all" | "ok that's all" | "das ist alles" | "es todo" | "thats all" | "that's it" | "thats it"
        | "that's it for now" | "i'm done" | "im done" | "nothing else" | "das war's" | "das wars"
        | "das war alles" | "c'est tout" | "eso es todo" | "tschüss" | "adiós" => wording::GOODBYE,
        _ => return None,
    })
}

/// "thanks, bye": what is said last is answered.
fn together(text: &str) -> Option<Intent> {
    const LONGEST: usize = 60;
    let (first, last) = text.split_once([',', '!', '.']).or_else(|| text.split_once(' '))?;
    said(first).filter(|_| text.len() <= LONGEST)?;
    read(last).filter(|last| matches!(last, Intent::Say(_)))
}

/// "Are you sure?", "what happens if I say yes?"
pub(super) fn is_about_what_waits(text: &str) -> bool {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    lists::ABOUT_WHAT_WAITS.iter().any(|phrase| phrase_length(phrase, &said).is_some())
}

/// A question or an order that says nothing of money or of what is kept here.
pub(super) fn is_out_of_scope(text: &str) -> bool {
    let words = wording::words(text);
    let opens = words.first().is_some_and(|(_, word)| is_one_of(word, &lists::SMALL_TALK_OPENERS));
    (opens || text.contains('?')) && words.len() > 1 && !words.iter().any(|(_, word)| is_one_of(word, &lists::OURS))
}
