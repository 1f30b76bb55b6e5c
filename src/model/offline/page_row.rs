//! "This", said where the page shows one row. "That" and "it" are what the conversation is about.

use std::borrow::Cow;

use super::{Message, conversation::plain, one_line::in_one_line, wording};
use crate::{
    phrases::Reader,
    shown::{Asked, List, Shown, ShownRow},
};

/// The messages, if the last one names the row of the page: as if the last answer had shown the row.
pub(super) fn named_in<'m>(messages: &'m [Message], page: &[ShownRow], reader: Reader) -> Cow<'m, [Message]> {
    let ([row], [before @ .., Message::User(said)]) = (page, messages) else { return Cow::Borrowed(messages) };
    let text = plain(&in_one_line(said, reader), reader);
    if before.last().and_then(Message::shown).is_some_and(is_open) || !points(&text, reader) {
        return Cow::Borrowed(messages);
    }
    let list = List { lines: 1, ..List::default() };
    let shown = Shown { rows: vec![row.clone()], list: Some(list), ..Shown::default() };
    Cow::Owned([before, &[Message::answer("", shown), Message::User(said.clone())]].concat())
}

/// It asks something, and the message may answer.
fn is_open(told: &Shown) -> bool {
    told.proposal.is_some() || told.asked.as_ref().is_some_and(|Asked { is_at_the_end, .. }| *is_at_the_end)
}

/// "This month" is a time.
fn points(text: &str, reader: Reader) -> bool {
    let times: Vec<_> = reader.ranges(text).into_iter().map(|found| found.span).collect();
    let is_time = |at: usize| times.iter().any(|time| time.contains(&at));
    wording::words(text).iter().any(|(at, word)| word.eq_ignore_ascii_case("this") && !is_time(at.start))
}
