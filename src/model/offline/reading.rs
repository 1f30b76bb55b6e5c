//! What words mean by themselves, and what they mean as the answer to a question.

use super::{
    Reply,
    adding::Adding,
    bulk,
    changing::Changing,
    drafting, entries, frames,
    intent::Intent,
    looking,
    options::{self, Asking},
    orders::Order,
    parts, short_questions, small_talk, speech, splitting, wording,
};
use crate::{
    phrases::{Class, Reader, yes_no},
    sorted::Collect,
};

pub(super) fn read(text: &str, reader: Reader) -> Intent {
    if let Some((reply, command)) = frames::meaning(text, reader) {
        return command.map_or(Intent::Look(reply), Intent::Command);
    }
    if let Some(reply) = frames::asked_within(text, reader) {
        return Intent::Look(reply);
    }
    if wording::first_word(text) == "slashcommand" {
        return Intent::Say(wording::UNKNOWN_COMMAND);
    }
    let command = wording::after_courtesies(text);
    if let Some(text) = small_talk::in_a_word(text) {
        return Intent::Say(text);
    }
    if let Some(is_yes) = small_talk::yes_or_no(text) {
        return if is_yes { Intent::Yes } else { Intent::No };
    }
    if speech::is_no(text, reader) {
        return Intent::No;
    }
    // "no, the coffee was 4", "coffee was 4, not 3"
    // "I never bought the shoes, take them off"
    let ordered = || Order::read(text, reader).filter(|order| !order.states && !wording::is_negated(&order.which));
    let is_negated = wording::is_negated(text) && ordered().is_none();
    if (is_negated || Class::Objection.contains(wording::first_word(text)))
        && let Some(correction) = Changing::correction(text, reader)
    {
        return Intent::Change(correction);
    }
    if is_negated || options::number_first(text).is_some() {
        return Intent::Unknown;
    }
    if let Some(intent) = splitting::read(text, command, reader) {
        return intent;
    }
    // "Received 100 and spent 20 on lunch"
    let is_of_both = |why: &&str| *why == wording::NOT_SPENT && drafting::leaves_out_income(text, reader);
    if let Some(why) = speech::refusal(text, reader).filter(|why| !is_of_both(why)) {
        return Intent::Refused(why);
    }
    if let Some(reply) = bulk::read(text, command, reader) {
        return Intent::Look(reply);
    }
    if let Some(changing) = Changing::read(command, reader) {
        return Intent::Change(changing);
    }
    if let Some(reply) = frames::last(text, reader) {
        return Intent::Look(reply);
    }
    if let Some(correction) = Changing::correction(text, reader) {
        return Intent::Change(correction);
    }
    // "lunch is food"
    if let Some(order) = Order::read(text, reader).filter(|order| order.states && !order.points()) {
        return Intent::Change(Changing::of(&order.which, [("category".to_owned(), order.new.into())].inserted()));
    }
    match Adding::read(text, command, reader) {
        Some(adding)
            if adding.may_ask(text)
                && let Some(reply) = short_questions::of_a_name(text, reader) =>
        {
            Intent::Look(reply)
        }
        Some(adding) => Intent::Add(adding),
        None => Intent::Unknown,
    }
}

/// What is meant after a question was answered, and the words that say so.
pub(super) fn answered(open: Intent, said: &str, asking: &Asking, answer: &str, reader: Reader) -> (Intent, String) {
    let fresh = read(answer, reader);
    let new = |intent| (intent, answer.to_owned());
    let merged = |intent| (intent, format!("{said} {answer}"));
    match (open, fresh) {
        // The words of an offered entry are an order too.
        (Intent::Command(_), fresh @ Intent::Command(_)) if entries::picked(answer, asking).is_none() => new(fresh),
        (Intent::Command(command), fresh) => match command.answered(asking, answer, reader) {
            Some(command) => merged(Intent::Command(command)),
            None => new(fresh),
        },
        (Intent::Add(adding), Intent::No) if !adding.is_complete(reader) || parts::asks(asking) => {
            new(Intent::Dropped(wording::NOT_ADDED))
        }
        (Intent::Change(changing), Intent::No) if changing.is_open(asking, reader) => {
            new(Intent::Dropped(wording::DROPPED))
        }
        (Intent::Change(changing), fresh) => {
            let is_command = match &fresh {
                Intent::Add(adding) => adding.explicit,
                fresh => matches!(fresh, Intent::Change(_) | Intent::Look(_) | Intent::Command(_) | Intent::Say(_)),
            };
            match changing.answered(asking, answer, is_command, reader) {
                Some(changing) => merged(Intent::Change(changing)),
                None => new(fresh),
            }
        }
        (Intent::Add(adding), fresh @ (Intent::Refused(_) | Intent::Change(Changing { corrects: Some(_), .. }))) => {
            match corrected(adding, &fresh, asking, answer, reader) {
                Some(adding) => merged(Intent::Add(adding)),
                None => new(fresh),
            }
        }
        // There is nothing to say yes to: it is asked once more.
        (Intent::Add(adding), Intent::Yes) if !adding.is_complete(reader) => (Intent::Add(adding), said.to_owned()),
        (
            Intent::Add(_),
            fresh @ (Intent::Change(_) | Intent::Look(_) | Intent::Command(_) | Intent::Say(_) | Intent::Yes),
        ) => new(fresh),
        // "I don't know" names nothing that was bought.
        (Intent::Add(adding), Intent::Unknown)
            if !adding.has_items()
                && (wording::is_negated(answer)
                    || answer.contains('?')
                    || speech::is_no_statement(answer)
                    || yes_no::goes_on_after_yes(answer)) =>
        {
            new(Intent::Unknown)
        }
        (Intent::Add(adding), fresh) => {
            let whole = match &fresh {
                Intent::Add(other) => Some(other),
                _ => None,
            };
            match adding.answered(whole, asking, answer, reader) {
                Some(adding) => merged(Intent::Add(adding)),
                None => new(fresh),
            }
        }
        (Intent::Look(Reply::Ask(_)), fresh @ (Intent::Unknown | Intent::Add(_))) => {
            match (looking::answered(said, answer, reader), fresh) {
                (Some(reply), _) => merged(Intent::Look(reply)),
                (None, Intent::Add(adding)) if adding.is_complete(reader) => new(Intent::Add(adding)),
                (None, _) => new(Intent::Unknown),
            }
        }
        // An order by amount, which the tools have in one currency only.
        (Intent::Look(Reply::Calls(_)), fresh @ (Intent::Unknown | Intent::Add(_))) if asking.is_for("currency") => {
            looking::answered(said, answer, reader).map_or_else(|| new(fresh), |reply| merged(Intent::Look(reply)))
        }
        // After "no, the other one".
        (Intent::No, Intent::Unknown | Intent::Add(_)) if asking.is_for("expense") && !wording::is_negated(answer) => {
            merged(Intent::Change(Changing::deletion(answer, reader)))
        }
        (_, fresh) => new(fresh),
    }
}

/// "no, it was 4" and "the coffee was 4" say what the coffee was, when that was asked.
fn corrected(adding: Adding, fresh: &Intent, asking: &Asking, answer: &str, reader: Reader) -> Option<Adding> {
    let about = match fresh {
        Intent::Change(changing) => {
            let says = |name: &str| {
                let points = Class::EachOfThem.contains(name) || Class::It.contains(name);
                points || !adding.has_items() || adding.is_about(name) || speech::is_of_price(name)
            };
            changing.corrects.as_deref().is_some_and(says)
        }
        _ => speech::is_price_only(answer, reader),
    };
    if adding.is_complete(reader) || !about {
        return None;
    }
    adding.answered(None, asking, answer, reader)
}
