//! What was bought beside what was just added, in a message of its own: "yesterday coffee 3", and then "and a bun 2".

use super::{Message, Reply, wording};
use crate::phrases::{DateReading, Reader, interjections::is_interjection, is_one_of};

/// On the day of what was added before, where no other is said. Grounding says that it is assumed.
pub(super) fn on_that_day(messages: &[Message], reply: Reply, reader: Reader) -> Reply {
    const ALSO: [&str; 11] =
        ["and", "also", "plus", "und", "auch", "außerdem", "et", "aussi", "y", "también", "además"];
    let ([.., Message::Assistant { text: told, .. }, Message::User(said)], Reply::Calls(calls)) = (messages, &reply)
    else {
        return reply;
    };
    let goes_on = || {
        let words = wording::words(said);
        let is_now = words.iter().any(|(_, word)| is_one_of(word, &["now", "jetzt", "maintenant", "ahora"]));
        let first = words.iter().find(|(_, word)| !is_interjection(word));
        !is_now && first.is_some_and(|(_, word)| is_one_of(word, &ALSO))
    };
    let is_undated = || calls.iter().all(|call| call.name == "add_expense" && call.arguments["date"].is_null());
    if !is_undated() || !goes_on() || !reader.ranges(said).is_empty() {
        return reply;
    }
    let Some(day) = day_of(told, reader).filter(|day| *day != reader.today) else { return reply };
    let Reply::Calls(mut calls) = reply else { return reply };
    calls.iter_mut().for_each(|call| call.arguments["date"] = day.to_string().into());
    Reply::Calls(calls)
}

/// The one day of all that was added, or is to be.
fn day_of(told: &str, reader: Reader) -> Option<jiff::civil::Date> {
    if !["Added ", "Add “"].iter().any(|opening| told.starts_with(opening)) {
        return None;
    }
    // What comes back is of no day.
    let rows = told.lines().filter_map(|line| line.split_once('”')).filter(|(name, _)| !name.starts_with("Possible"));
    let mut days = rows.map_while(|(_, row)| {
        let is_once = !row.contains(" every ");
        match reader.dates(row).first()?.reading {
            DateReading::On(day) if is_once => Some(day),
            _ => None,
        }
    });
    let day = days.next()?;
    days.all(|other| other == day).then_some(day)
}
