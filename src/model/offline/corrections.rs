//! What was meant instead of what was just done or picked: "make it 25", "I meant euros", "no, the other one".
//!
//! Of what still waits, `revising` reads it; here it is done already, or it was a choice between two.

use serde_json::{Value, json};

use super::{
    Message, Question, Reply,
    changing::Changing,
    following, one, options,
    orders::{Order, points_at_it},
    revising, rows,
    shown_rows::{EXPENSE, asks, joined, lines, numbers, shown_last},
    speech, splitting, wording,
};
use crate::{
    money::{Currency, Money},
    phrases::{Class, Reader, Verdict, plurals::are_alike, verdict},
    shown::{Changes, Line, Shown, ShownRow},
};

pub(super) fn read(messages: &[Message], reader: Reader) -> Option<Reply> {
    another_row(messages, reader).or_else(|| restored(messages)).or_else(|| done(messages, reader))
}

/// "bring it back", "restore the coffee": what was deleted last, and nothing that was added.
fn restored(messages: &[Message]) -> Option<Reply> {
    let [before @ .., Message::User(said)] = messages else { return None };
    let command = wording::trimmed(wording::after_courtesies(said), &[], &[Class::BehindUndo]).to_lowercase();
    let (verb, rest) = (wording::first_word(&command), wording::rest(&command));
    let what = match rest.strip_suffix(" back") {
        Some(what) if Class::Brings.contains(&verb) => what,
        _ if Class::Restores.contains(&verb) => rest,
        _ if Class::TakesBackOrder.contains(&verb) && Class::TheDeletion.says(rest).is_some() => "it",
        _ => return None,
    };
    let written = before.iter().rev().find_map(|message| message.shown()?.written.as_ref());
    let name = wording::trimmed(what, &[Class::MyOrThe], &[Class::Expense]).to_lowercase();
    let is_named = |line: &Line| line.name().is_some_and(|own| own.to_lowercase().contains(&name));
    let is_it = |written: &Changes| {
        name.is_empty() || Class::WhatWasDeleted.says(&name).is_some() || written.lines.iter().any(is_named)
    };
    Some(match written {
        Some(written) if written.verbs().first() == Some(&"delete") && is_it(written) => one("undo", json!({})),
        _ => Reply::Say(wording::NOTHING_DELETED.to_owned()),
    })
}

/// "no, the coffee", of what was to be deleted.
fn another_row(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., before, Message::User(said)] = messages else { return None };
    let proposal = before.shown().and_then(|shown| shown.proposal.as_ref())?;
    let told = wording::trimmed(said, &[Class::Please], &[Class::Please]);
    let meant = Class::PlainNo.all().iter().find_map(|(no, _)| {
        let rest = told.get(no.len()..).filter(|_| told[..no.len()].eq_ignore_ascii_case(no))?;
        rest.starts_with([',', '.', ';', ':', '!', ' ']).then_some(rest)
    })?;
    let meant = wording::trimmed(meant, &[Class::MeantFront], &[Class::BehindMeant]);
    let deletes_one = proposal.only().is_some_and(|line| line.verb == "delete");
    let is_no_name = meant.is_empty() || wording::is_filler(meant) || wording::is_negated(meant);
    if !deletes_one || is_no_name || !reader.dates(meant).is_empty() {
        return None;
    }
    if meant.eq_ignore_ascii_case("other") {
        let text = wording::WHICH_TO_DELETE.to_owned();
        return Some(Reply::Ask(Question { text, missing: vec!["expense"], ..Question::default() }));
    }
    let is_number = meant.trim_start_matches('#').parse::<u64>().is_ok();
    let is_name = meant.split_whitespace().count() <= 3
        && meant.chars().all(|letter| letter.is_alphabetic() || " '-&".contains(letter));
    (is_number || is_name).then(|| Changing::deletion(meant, reader).reply(reader))
}

/// A change of the one row that the answer before said was written.
fn done(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [before @ .., Message::User(said)] = messages else { return None };
    let told = spoken_of(before, said)?;
    // "That was wrong, undo it"
    if verdict(said) == Some(Verdict::Undo) {
        return Some(one("undo", json!({})));
    }
    let of_list = || of_listed(listed_last(before)?, said, reader);
    if let Some(change) = of_known(told, said, reader).or_else(of_list) {
        return Some(change.reply(reader));
    }
    let row = || row_written(told).map(|row| row.id).or_else(|| only_row(told));
    let asked = wording::trimmed(wording::after_courtesies(said), &[], &[Class::Please]).to_lowercase();
    if Class::ShowsIt.says(&asked).is_some() {
        return row().map(|id| one("list_expenses", json!({ "ids": [id] })));
    }
    if Class::TheSame.says(&asked).is_some() && first_verb(told) == Some("add") {
        return row_written(told).and_then(repeated);
    }
    let has_written = |told: &Shown| told.written.is_some();
    if before.last().and_then(Message::shown).is_some_and(has_written) && verdict(said) == Some(Verdict::Cancel) {
        return Some(one("undo", json!({})));
    }
    if let Some(change) = of_several(told, said, reader) {
        return Some(change);
    }
    if let Some(Order { deletes: true, which, .. }) = Order::read(wording::after_courtesies(said), reader) {
        let is_last = speech::is_the_last(wording::trimmed(&which, &[Class::BeforeKnownRow], &[]));
        // The row that is to be changed.
        let changed = told.proposal.as_ref().and_then(Changes::only).filter(|line| line.verb == "change");
        if let Some(id) = changed.and_then(Line::known_row).filter(|_| points_at_it(&which) && !is_last) {
            return Some(one("delete_expense", json!({ "id": id })));
        }
        if let Some(two) = last_two(&which, messages) {
            return Some(Changing::deletion(&joined(&two), reader).reply(reader));
        }
        if is_last && let Some(id) = last_added(messages) {
            return Some(one("delete_expense", json!({ "id": id })));
        }
    }
    let written = row_written(told);
    // "and 4.50 today" is of another one.
    let joins = Class::And.contains(wording::first_word(said)) && !reader.amounts(said).is_empty();
    let id = row().filter(|_| written.is_some() && !joins || wording::says(said, Class::It))?;
    if written.is_some_and(|row| revising::denies_another(&[row], said, reader)) {
        return None;
    }
    let mut arguments = revising::edited(said, reader)?;
    arguments.insert("id".into(), id.into());
    Some(one("update_expense", Value::Object(arguments)))
}

/// Bought once more, by its name and its price. What is split would have to be split anew.
fn repeated(row: &ShownRow) -> Option<Reply> {
    if !row.parts.is_empty() {
        return None;
    }
    let currency = Currency::parse(row.unit.as_deref()?).ok()?;
    let amount = Money { minor: row.amount?, currency }.decimal();
    Some(one("add_expense", json!({ "item": row.name, "amount": amount, "currency": currency.code() })))
}

/// "The train was 45", where a row that was shown before is called so and what waits only has the word: "sandwich on the
/// train".
pub(super) fn names_another_row(messages: &[Message], proposal: &Changes, reader: Reader) -> bool {
    let [before @ .., Message::User(said)] = messages else { return false };
    let Some(Order { which, .. }) = Order::stating(said, reader) else { return false };
    let is_called_so = |row: &ShownRow| {
        let own = row.name.as_deref().map(wording::words).unwrap_or_default();
        let named = wording::words(&which);
        named.len() <= own.len() && own.iter().zip(&named).all(|((_, own), (_, word))| are_alike(own, word))
    };
    let mut waiting = proposal.lines.iter().flat_map(Line::rows);
    !waiting.any(is_called_so) && before.iter().filter_map(Message::shown).flat_map(Shown::all_rows).any(is_called_so)
}

/// What the last answer showed that showed something. For "it", an earlier one where it only told sums of some days, which
/// are of nothing else.
pub(super) fn spoken_of<'m>(before: &'m [Message], said: &str) -> Option<&'m Shown> {
    shown_last(before).find(|told| !wording::says(said, Class::It) || !following::sums_up(told))
}

/// What "the first one" may be of. Behind a list, one of its rows may have been about to change.
fn listed_last(before: &[Message]) -> Option<&Shown> {
    let has_several = |changes: &Changes| changes.only().is_none();
    shown_last(before).find(|told| {
        told.list.is_some()
            || told.written.is_some()
            || told.asked.is_some()
            || told.proposal.as_ref().is_some_and(has_several)
    })
}

/// What is said of the one row that was written or listed just before.
pub(super) fn of_known(told: &Shown, said: &str, reader: Reader) -> Option<Changing> {
    let of_only = || of_it(said, only_row(told)?, reader);
    of_written(told, said, reader).or_else(of_only)
}

/// Orders with the number of the row in the place of "it": "move it to Friday", "delete".
fn of_it(said: &str, id: u64, reader: Reader) -> Option<Changing> {
    let orders = Order::all(wording::after_courtesies(said), reader);
    let of_it = |order: Order| order.points().then(|| order.of(joined(&[id])));
    Changing::of_all(orders.into_iter().map(of_it).collect::<Option<_>>()?, reader)
}

/// What is said of the one row that was written just before.
fn of_written(told: &Shown, said: &str, reader: Reader) -> Option<Changing> {
    let row = row_written(told)?;
    let id = row.id;
    let denies_another = || revising::denies_another(&[row], said, reader);
    // "lunch was yesterday", of the lunch that was just added.
    let is_own = |name: &str| row.name.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(name));
    if let Some(Order { which, new, field, .. }) = Order::stating(said, reader)
        && (speech::is_the_last(&which) || is_own(&which) && field == Some("date"))
    {
        return Some(Changing::of_row(id, field, &new, reader));
    }
    if let Some(new) = row.name.as_ref().and_then(|own| named_instead(own, said, reader)) {
        return Some(Changing::of_row(id, Some("item"), &new, reader));
    }
    // "60, not 50", of what is split: its parts are asked for, and answered.
    if !row.parts.is_empty()
        && !denies_another()
        && revising::edited(said, reader).is_some_and(|fields| !fields.contains_key("date"))
        && let plain = revising::without_old(said, reader).0
        && let [price] = &reader.amounts(&plain)[..]
    {
        return Some(Changing::of_row(id, None, &plain[price.span.clone()], reader));
    }
    if let Some((field, value)) = revising::alone(said, reader)
        && !denies_another()
    {
        return Some(Changing::of_row(id, Some(field), &value, reader));
    }
    splitting::of_written(id, said, reader).or_else(|| of_it(said, id, reader))
}

/// "meal deal, not sandwich", of a sandwich; "it was Lidl, not Aldi", of the groceries at Aldi.
fn named_instead(own: &str, said: &str, reader: Reader) -> Option<String> {
    const LONGEST: usize = 3;
    let is_name = |new: &&str| {
        let length = wording::words(new).len();
        let says_more = || !reader.amounts(new).is_empty() || !reader.dates(new).is_empty();
        (1..=LONGEST).contains(&length) && !says_more() && Order::read(new, reader).is_none()
    };
    let leads = [Class::RevisingLeads, Class::IndefiniteArticle];
    let lower = said.to_lowercase();
    Class::InPlaceOf.all().iter().find_map(|(phrase, _)| {
        let at = lower.find(&format!(" {phrase} "))?;
        let old = wording::trimmed(said.get(at + phrase.len() + 2..)?, &leads, &[Class::BehindValue]);
        let new = wording::trimmed(said.get(..at)?, &leads, &[]).trim_end_matches(',');
        let words = wording::words(own);
        let is_old = |at: &usize| {
            let (start, end) = (words[*at].0.start, words[*at].0.start + old.len());
            words.iter().any(|(span, _)| span.end == end) && own[start..end].eq_ignore_ascii_case(old)
        };
        let start = (0..words.len()).find(is_old).map(|at| words[at].0.start)?;
        Some(new).filter(is_name).map(|new| format!("{}{new}{}", &own[..start], &own[start + old.len()..]))
    })
}

/// "they were yesterday", "both in euros", of rows that were added or listed together.
fn of_several(told: &Shown, said: &str, reader: Reader) -> Option<Reply> {
    let numbers = numbers(told);
    if numbers.len() < 2 || asks(told) || has_more(told) || first_verb(told) == Some("delete") {
        return None;
    }
    let mut arguments = revising::of_all(said, numbers.len(), first_verb(told) == Some("add"), reader)?;
    arguments.insert("description".into(), joined(&numbers).into());
    Some(one("update_expense", Value::Object(arguments)))
}

fn first_verb(told: &Shown) -> Option<&str> {
    told.written.as_ref()?.verbs().first().copied()
}

fn has_more(told: &Shown) -> bool {
    told.list.as_ref().is_some_and(|list| list.has_more)
}

/// "both", "my last two expenses": of those that were added one after the other, just before.
fn last_two(rest: &str, messages: &[Message]) -> Option<[u64; 2]> {
    let what = wording::trimmed(rest, &[Class::MyOrThe], &[Class::RowsNamed]);
    let [.., first, Message::User(_), second, Message::User(_)] = messages else { return None };
    let added = |message: &Message| {
        let told = message.shown().filter(|told| first_verb(told) == Some("add"))?;
        row_written(told).map(|row| row.id)
    };
    Class::LastTwo.says(what).is_some().then_some([added(first)?, added(second)?])
}

/// The row that was added last, whatever was asked since; of a list, the last one may be another.
fn last_added(messages: &[Message]) -> Option<u64> {
    let mut told = messages.iter().rev().filter_map(Message::shown);
    let written =
        told.find(|told| told.written.is_some() && !lines(told).is_empty()).filter(|_| !tells_several(messages))?;
    let several = || numbers(written).pop().filter(|_| first_verb(written) == Some("add"));
    row_written(written).map(|row| row.id).or_else(several)
}

/// Whether rows were listed just before, which have a last one too.
pub(super) fn tells_several(messages: &[Message]) -> bool {
    let told = messages.iter().rev().find_map(Message::shown);
    told.is_some_and(|told| told.written.is_none() && numbers(told).len() > 1)
}

/// Of a list with one row, or after a no to what was to become of it.
fn only_row(told: &Shown) -> Option<u64> {
    match (&lines(told)[..], &told.kept[..]) {
        _ if asks(told) => None,
        ([row], _) => Some(row.id),
        ([], [row]) if row.kind == EXPENSE => Some(row.id),
        _ => None,
    }
}

/// "delete the first", "the second one was 4", said of a list that was shown.
fn of_listed(told: &Shown, said: &str, reader: Reader) -> Option<Changing> {
    let (listed, numbers) = (lines(told), numbers(told));
    if numbers.len() < 2 || asks(told) {
        return None;
    }
    let command = wording::trimmed(wording::after_courtesies(said), &[], &[Class::Please]);
    let meant = |name: &str| {
        let is_id = |(_, word): &wording::Word<'_>| word.parse().is_ok_and(|id| numbers.contains(&id));
        let is_place = !name.contains(['#', '.']) && !name.contains("last") && !wording::words(name).iter().any(is_id);
        // "delete 3" names row 3; "1 and 3" are places if no listed row has these numbers.
        let is_plain = |places: &Vec<usize>| places.len() > 1 || !name.bytes().any(|byte| byte.is_ascii_digit());
        let placed = options::places(name, numbers.len()).filter(|places| is_place && is_plain(places));
        let placed = placed.map(|places| places.into_iter().map(|place| numbers[place]).collect::<Vec<_>>());
        placed.or_else(|| Some(vec![rows::by_rank(name, listed.iter().copied()).filter(|_| !has_more(told))?]))
    };
    if let Some(Order { which, new, field, .. }) = Order::stating(command, reader)
        && let Some([id]) = meant(&which).as_deref()
    {
        return Some(Changing::of_row(*id, field, &new, reader));
    }
    let [order] = <[_; 1]>::try_from(Order::all(command, reader)).ok()?;
    let says = |class: Class| class.says(&order.which).is_some();
    let says_all = says(Class::AllOfThem) || numbers.len() == 2 && says(Class::BothWritten);
    let are_all = says_all && !has_more(told) && first_verb(told) != Some("delete");
    let which = if are_all { joined(&numbers) } else { joined(&meant(&order.which)?) };
    Changing::of_all(vec![order.of(which)], reader)
}

/// The one expense that the answer says was added or changed, as it is now.
fn row_written(told: &Shown) -> Option<&ShownRow> {
    let line = told.written.as_ref()?.only().filter(|line| matches!(&*line.verb, "add" | "change"))?;
    line.after.as_ref().filter(|row| row.kind == EXPENSE)
}
