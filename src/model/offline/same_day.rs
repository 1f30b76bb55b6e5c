//! What was bought beside what was just added, in a message of its own: "yesterday coffee 3", and then "and a bun 2".

use jiff::civil::Date;

use super::{Message, Reply, shown_rows::EXPENSE, wording};
use crate::{
    phrases::{Class, Reader, interjections::is_interjection},
    shown::Shown,
};

/// On the day of what was added before, where no other is said. Grounding says that it is assumed.
pub(super) fn with_day_before(messages: &[Message], reply: Reply, reader: Reader) -> Reply {
    let ([.., told, Message::User(said)], Reply::Calls(calls)) = (messages, &reply) else { return reply };
    let goes_on = || {
        let words = wording::words(said);
        let is_now = words.iter().any(|(_, word)| Class::Now.contains(word));
        let first = words.iter().find(|(_, word)| !is_interjection(word));
        !is_now && first.is_some_and(|(_, word)| Class::Also.contains(word))
    };
    let is_undated = || calls.iter().all(|call| call.name == "add_expense" && call.arguments["date"].is_null());
    if !is_undated() || !goes_on() || !reader.ranges(said).is_empty() {
        return reply;
    }
    let Some(day) = told.shown().and_then(day_of).filter(|day| *day != reader.today) else { return reply };
    let Reply::Calls(mut calls) = reply else { return reply };
    calls.iter_mut().for_each(|call| call.arguments["date"] = day.to_string().into());
    Reply::Calls(calls)
}

/// The one day of all expenses that were added, or that the only one to add has.
fn day_of(told: &Shown) -> Option<Date> {
    let proposed = told.proposal.as_ref().filter(|proposal| !proposal.is_numbered());
    let added = told.written.as_ref().or(proposed)?.lines.iter().filter(|line| !line.is_side_effect);
    let mut days = added.map(|line| line.after.as_ref().filter(|row| line.verb == "add" && row.kind == EXPENSE)?.date);
    let day = days.next()??;
    days.all(|other| other == Some(day)).then_some(day)
}
