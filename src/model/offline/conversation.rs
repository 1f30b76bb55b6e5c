//! What the person means by the last message, given the questions it may answer.
//!
//! Only the person's own words are interpreted. What the assistant showed and asked is data.

use super::{
    Call, Message, Question, Reply,
    adding::Adding,
    after_row, bulk,
    changing::Changing,
    corrections, following, frames,
    intent::Intent,
    one_line::in_one_line,
    options::{self, Asking, question_in},
    orders::{Order, points_at_it},
    price_phrases,
    reading::{answered, read},
    revising, rows, same_day, short_questions, small_talk, speech, suggesting, wording,
};
use crate::{
    phrases::{Class, Reader, Verdict, verdict, yes_no},
    shown::Shown,
};

pub(super) fn reply(messages: &[Message], reader: Reader) -> Reply {
    if let [before @ .., Message::User(said)] = messages {
        let line = in_one_line(said, reader);
        // "Yes and tea 2", of what waits; "right and tight gin 30" is bought.
        let waits = before.last().and_then(Message::shown).is_some_and(|told| told.proposal.is_some());
        let yes = yes_no::joined_yes(&line).filter(|_| waits).map_or(0, str::len);
        let plain = plain(&line[yes..], reader);
        if plain != *said {
            // "Hello again" is more than "again".
            if let Some(reply @ Reply::Say(_)) = frames::read(&line, reader) {
                return reply;
            }
            return reply_to(&[before, &[Message::User(plain)]].concat(), reader);
        }
    }
    reply_to(messages, reader)
}

/// Without what only reacts to what was said before, and with the plain words for what something came to.
pub(super) fn plain(line: &str, reader: Reader) -> String {
    let told = after_reason(wording::after_reactions(line), reader);
    price_phrases::with_was(told, reader).unwrap_or_else(|| told.to_owned())
}

/// "Sam paid half, so make it 29": what is ordered, without why.
fn after_reason(line: &str, reader: Reader) -> &str {
    let words = wording::words(line);
    let is_so = |at: &usize| *at > 0 && Class::Therefore.contains(&*words[*at].1);
    let Some((so, _)) = (0..words.len()).rfind(is_so).map(|at| &words[at]) else { return line };
    let ordered = line[so.end..].trim_start();
    // "Dinner 58, Sam paid half so make it 29" names an expense of its own.
    let is_new = !reader.amounts(&line[..so.start]).is_empty();
    let is_of_it = !is_new && Order::read(ordered, reader).is_some_and(|order| points_at_it(&order.which));
    if is_of_it { ordered } else { line }
}

/// "lunch was 9" is said of a row; where the tools found none that is called so, it was bought.
pub(super) fn of_no_row(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., Message::User(said), Message::Assistant { calls, .. }, Message::Outcomes(outcomes)] = messages else {
        return None;
    };
    let ([call], [outcome]) = (&calls[..], &outcomes[..]) else { return None };
    let is_none = call.name == "update_expense" && outcome.nothing_found;
    let plain = |said: String| price_phrases::with_was(&said, reader).unwrap_or(said);
    let line = plain(in_one_line(said, reader));
    let states = |line: &String| speech::states_a_price(line, reader);
    // "USD", in which currency it was.
    let whole = || Some(plain(read_chain(&messages[..messages.len() - 2], reader)?.1)).filter(states);
    let line = Some(line).filter(|_| is_none)?;
    let line = if states(&line) { line } else { whole()? };
    let Order { which, new, .. } = Order::stating(&line, reader)?;
    if speech::is_of_price(&which) {
        return None;
    }
    let text = format!("{which} {new}");
    let adding = Adding::read(&line, &text, reader)?;
    adding.is_complete(reader).then(|| adding.reply(reader))
}

/// The last message is in one line and plain.
fn reply_to(messages: &[Message], reader: Reader) -> Reply {
    // "That's all" corrects nothing that was said before.
    if let [.., Message::Assistant { .. }, Message::User(said)] = messages
        && let Some(answer) = small_talk::said(said, reader)
    {
        let is_open = |shown: &Shown| shown.proposal.is_some() || !shown.waiting.is_empty() || shown.asked.is_some();
        let waits = messages.iter().rev().find_map(Message::shown).is_none_or(is_open);
        return Reply::Say(
            if answer == wording::UNDECIDED && !waits { wording::NOTHING_WAITING } else { answer }.to_owned(),
        );
    }
    if let Some(reply) = revised(messages, reader) {
        return reply;
    }
    if let Some(answered) = answered_late(messages, reader) {
        return answered.reply(reader);
    }
    let special = bulk::of_what_was_listed(messages, reader)
        .or_else(|| the_other(messages, reader))
        .or_else(|| corrections::read(messages, reader))
        .or_else(|| following::read(messages, |whole| reply(&[Message::User(whole.to_owned())], reader), reader));
    if let Some(reply) = special {
        return reply;
    }
    if let Some(reply) = after_row::read(messages, reader) {
        return reply;
    }
    let Some((mut intent, text, _)) = read_chain(messages, reader) else {
        return Reply::Say(wording::HELP.to_owned());
    };
    if let Intent::Change(change) = &mut intent
        && !corrections::tells_several(messages)
    {
        change.take_last();
    }
    // While something waits, what has no amount may be an answer to it in other words: "put it in", "log out", "edit".
    let may_answer = match &intent {
        Intent::Yes | Intent::No => true,
        // "Was it 3 or 4, let me check" states no price.
        Intent::Add(adding) if text.split(',').any(|part| verdict(part) == Some(Verdict::Unsure)) => {
            !adding.is_complete(reader)
        }
        Intent::Add(adding) => adding.has_no_amount(),
        Intent::Change(change) => !change.has_target(),
        _ => false,
    };
    let told = messages.iter().rev().nth(1).and_then(Message::shown);
    if told.is_some_and(|shown| shown.proposal.is_some() || !shown.waiting.is_empty()) {
        if may_answer {
            return Reply::Say(wording::NEITHER.to_owned());
        }
        if matches!(intent, Intent::Unknown | Intent::Look(Reply::Say(_))) && small_talk::is_about_what_waits(&text) {
            return Reply::Say(wording::WAITS.to_owned());
        }
    }
    match same_day::with_day_before(messages, act(intent, &text, reader), reader) {
        Reply::Say(text) if text == wording::UNKNOWN && told.is_some_and(|shown| shown.proposal.is_some()) => {
            Reply::Say(wording::NEITHER.to_owned())
        }
        reply => reply,
    }
}

/// What is said of what waits, if it was shown or mentioned last.
fn revised(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., told, Message::User(said)] = messages else { return None };
    let told = told.shown()?;
    let waiting = told.proposal.as_ref().or(told.mentioned.as_ref())?;
    if corrections::names_another_row(messages, waiting, reader) {
        return None;
    }
    let arguments = match &told.proposal {
        Some(_) if let Some(question) = revising::which_currency(said, reader) => return Some(Reply::Say(question)),
        Some(shown) => revising::read(shown, said, reader),
        None => revising::of_mentioned(told, said, reader),
    };
    Some(Reply::Calls(vec![Call { name: "revise_proposal", arguments: arguments? }]))
}

/// Of two that were offered, the one that was not picked. The question is answered anew with it.
fn the_other(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [
        before @ ..,
        asked @ Message::Assistant { .. },
        Message::User(picked),
        Message::Assistant { .. },
        Message::User(said),
    ] = messages
    else {
        return None;
    };
    let plain = wording::trimmed(said, &[Class::BeforeCorrection], &[Class::Please]);
    Class::TheOther.says(&plain.to_lowercase())?;
    let asking = question_in(std::slice::from_ref(asked));
    let offered = rows::offered(&asking);
    let other = match &offered[..] {
        [one, other] => {
            let taken = rows::picked(picked, &offered, reader)?;
            let left = if taken == one.row.id { other.row.id } else { one.row.id };
            format!("#{left}")
        }
        [] => options::other(picked, &asking)?.to_owned(),
        _ => return None,
    };
    let messages = [before, &[asked.clone(), Message::User(other)]].concat();
    Some(reply(&messages, reader))
}

/// What the last message means, with those before it that it goes on from; all of their words; and what is still to be
/// added, where something else was asked in the place of an answer.
fn read_chain(messages: &[Message], reader: Reader) -> Option<(Intent, String, Option<Adding>)> {
    let mut turns = chain(messages, reader).into_iter().peekable();
    let (_, mut text, first) = turns.next()?;
    let mut intent = first.map_or_else(|| read(&text, reader), Intent::Change);
    // The question that a query came between, and what it was asked about.
    let mut left: Option<(Asking, Adding)> = None;
    while let Some((asking, answer, _)) = turns.next() {
        let asking = left.take().map_or(asking, |(open, _)| open);
        let answer = options::chosen(&answer, &asking).unwrap_or(answer);
        let (next, merged) = answered(intent.clone(), &text, &asking, &answer, reader);
        if let (Intent::Add(adding), Intent::Look(Reply::Calls(_))) = (&intent, &next)
            && !adding.is_complete(reader)
        {
            left = Some((asking, adding.clone()));
        }
        // "Hello" between a question and its answer changes neither, and nor does a query.
        let is_talk = matches!(
            next,
            Intent::Say(_) | Intent::Refused(_) | Intent::Look(Reply::Say(_)) | Intent::Yes | Intent::Unknown
        );
        if turns.peek().is_none() || !is_talk && left.is_none() {
            (intent, text) = (next, merged);
        }
    }
    Some((intent, text, left.map(|(_, adding)| adding)))
}

/// What is asked again behind the answer to a query, because nothing was added yet.
pub(super) fn left_open(messages: &[Message], reader: Reader) -> Option<String> {
    let [.., Message::User(_)] = messages else { return None };
    let asked = messages.iter().rev().find_map(Message::shown)?.asked.is_some();
    let (.., left) = read_chain(messages, reader).filter(|_| asked)?;
    left?.asks_again(reader)
}

/// The day or the price of what is still to be added, said right behind the answer to a query. It might go on from that
/// answer, but it was asked for once more.
fn answered_late(messages: &[Message], reader: Reader) -> Option<Adding> {
    let [before @ .., Message::User(said)] = messages else { return None };
    let told = before.last()?.shown().filter(|told| told.asked.is_some() && told.list.is_some())?;
    let is_day = || match &reader.dates(said)[..] {
        [day] => wording::trimmed(&wording::without(said, [day.span.clone()], &[]), &[], &[]).is_empty(),
        _ => false,
    };
    if told.proposal.is_some() || !speech::is_price_only(said, reader) && !is_day() {
        return None;
    }
    match read_chain(messages, reader)? {
        (Intent::Add(adding), ..) if adding.is_complete(reader) && adding.has_items() => Some(adding),
        _ => None,
    }
}

fn act(intent: Intent, said: &str, reader: Reader) -> Reply {
    match intent {
        Intent::Add(adding)
            if adding.is_a_name_alone() && Class::CommonCategory.says(&said.to_lowercase()).is_some() =>
        {
            let text = format!("How much did you pay for {said}? To see what you spent on it, say “show {said}”.");
            Reply::Ask(Question { text, options: Vec::new(), missing: vec!["amount"] })
        }
        Intent::Add(adding) => adding.reply(reader),
        Intent::Change(changing) => changing.reply(reader),
        Intent::Look(Reply::Say(text)) if text == wording::CANNOT_LOOK => {
            suggesting::did_you_mean(said, reader).map_or(Reply::Say(text), Reply::Ask)
        }
        Intent::Look(reply) => reply,
        Intent::Command(command) => command.reply(),
        Intent::Say(text) | Intent::Dropped(text) | Intent::Refused(text) => Reply::Say(text.to_owned()),
        Intent::Yes | Intent::No => Reply::Say(wording::NOTHING_WAITING.to_owned()),
        Intent::Unknown if let Some(reply) = short_questions::read(said, reader) => reply,
        Intent::Unknown if small_talk::is_out_of_scope(said) => Reply::Say(wording::OUT_OF_SCOPE.to_owned()),
        Intent::Unknown if let Some(question) = suggesting::did_you_mean(said, reader) => Reply::Ask(question),
        Intent::Unknown => Reply::Say(wording::UNKNOWN.to_owned()),
    }
}

/// The last message and those before it that it goes on from, each with the question it answers, and with the change of
/// the row that was shown just before.
fn chain(messages: &[Message], reader: Reader) -> Vec<(Asking, String, Option<Changing>)> {
    let mut turns = Vec::new();
    let mut rest = messages;
    while let Some((Message::User(text), before)) = rest.split_last() {
        let asked = before.iter().rposition(|message| matches!(message, Message::User(_)));
        let asking = question_before(before);
        let is_last = turns.is_empty();
        let said = if is_last { text.clone() } else { wording::after_reactions(&in_one_line(text, reader)).to_owned() };
        let english = if is_last { None } else { price_phrases::with_was(&said, reader) };
        // What the last message corrects is answered before it is read here.
        let told = corrections::spoken_of(before, &said).filter(|_| asking.is_empty() && !is_last);
        let change = told.and_then(|told| corrections::of_known(told, &said, reader));
        // What was shown asks for a yes or a no, and for nothing that goes on from what was said before.
        let goes_on = !asking.is_empty() && !asking.proposes;
        turns.push((asking, english.unwrap_or(said), change));
        match asked {
            Some(at) if goes_on && turns.len() < LONGEST_CHAIN => rest = &messages[..=at],
            _ => break,
        }
    }
    turns.reverse();
    turns
}

const LONGEST_CHAIN: usize = 8;

/// The question that the next message may answer: of the last answer, or of one before it where those since show nothing.
fn question_before(messages: &[Message]) -> Asking {
    let mut rest = messages;
    loop {
        let said = rest.iter().rposition(|message| matches!(message, Message::User(_)));
        let told = &rest[said.map_or(0, |at| at + 1)..];
        let asking = question_in(told);
        let shows_nothing = || told.iter().all(|message| message.shown().is_none_or(|told| *told == Shown::default()));
        match said {
            Some(at) if asking.is_empty() && !told.is_empty() && shows_nothing() => rest = &rest[..at],
            _ => return asking,
        }
    }
}
