//! Sentences that are no expense to add, however much like one they look: refusals, corrections, plans and small talk.

use std::borrow::Cow;

use super::{naming::name_in, wording};
use crate::phrases::{self, Class, Hedge, Reader, frequency, interjections::takes_back};

/// A no, and nothing else that could be meant.
pub(super) fn is_no(text: &str, reader: Reader) -> bool {
    let words = wording::words(text);
    // "no wait, it was Monday"
    let tells_a_day = || words.iter().any(|(_, word)| Class::WasOrIs.contains(word)) && !reader.dates(text).is_empty();
    if text.contains('?') || !reader.amounts(text).is_empty() || tells_a_day() {
        return false;
    }
    let lower = text.to_lowercase();
    let starts = words.first().is_some_and(|(_, word)| Class::Noes.contains(word));
    let says = || Class::SaysNo.all().iter().any(|(phrase, _)| lower.contains(phrase));
    let cancels = || {
        words.iter().any(|(_, word)| Class::Cancel.contains(word))
            && words.iter().all(|(_, word)| Class::AroundCancel.contains(word))
    };
    words.len() <= 6 && (starts || says() || cancels())
}

/// Why this is nothing to record, as far as its words say so.
pub(super) fn refusal(text: &str, reader: Reader) -> Option<&'static str> {
    let words: Vec<_> = wording::words(text).into_iter().map(|(_, word)| word).collect();
    let is_said_first =
        |word: &&Cow<'_, str>| Class::any(&[Class::Okay, Class::Sigh, Class::Apology, Class::Pause], word);
    let said = &words[words.iter().take_while(is_said_first).count()..];
    if words.first().is_some_and(|word| Class::NoRefusals.contains(word))
        || reader.amounts(text).is_empty() && said.first().is_none_or(|word| word != "page")
    {
        return None;
    }
    if is_not_spent(text, reader) {
        return Some(wording::NOT_SPENT);
    }
    if recurs(&words) {
        return Some(wording::NOT_SO_OFTEN);
    }
    Class::Fragments.length(said).map(|_| wording::NOT_WHOLE)
}

/// It came in, or was only moved.
pub(super) fn is_not_spent(text: &str, reader: Reader) -> bool {
    phrases::comes_in(text) || is_only_given(text, reader)
}

/// "got 20 from mum": beside who gave it, nothing is named that it was spent on.
fn is_only_given(text: &str, reader: Reader) -> bool {
    if !wording::says(text, Class::From) {
        return false;
    }
    phrases::given_by(text).is_some_and(|giver| {
        let amounts = reader.amounts(text).into_iter().map(|found| found.span);
        let days = reader.dates(text).into_iter().map(|found| found.span);
        name_in(&wording::without(text, amounts.chain(days).chain([giver]), &[])).is_empty()
    })
}

/// "every other week", "jeden Monat": what comes back is not added once.
fn recurs(words: &[Cow<'_, str>]) -> bool {
    let is_time = |word: &str| {
        Class::OtherTime.contains(word)
            || Class::Every.contains(word)
            || word.trim_end_matches('s').ends_with("day") && !Class::DayFromToday.contains(word)
    };
    let after_every = |pair: &[Cow<'_, str>]| Class::BeforeEach.contains(&pair[0]) && is_time(&pair[1]);
    let counted = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) || Class::CountsFewer.contains(word);
    let every_few = |of: &[Cow<'_, str>]| Class::BeforeEach.contains(&of[0]) && counted(&of[1]) && is_time(&of[2]);
    let often =
        |of: &[Cow<'_, str>]| Class::HowOften.contains(&of[0]) && Class::AOrPer.contains(&of[1]) && is_time(&of[2]);
    let said: Vec<&str> = words.iter().map(|word| &**word).collect();
    // "im Monat" is within it.
    let is_foreign = |at: usize| said[at] != "im" && frequency::foreign(&said[at..]).is_some();
    // "daily mail" is a name.
    let at_the_end = words.last().is_some_and(|word| Class::AdverbAtTheEnd.contains(word));
    words.windows(3).any(|of| every_few(of) || often(of))
        || at_the_end
        || (0..said.len()).any(is_foreign)
        || words.windows(2).any(after_every)
        || words.iter().any(|word| Class::EveryTwoWeeks.contains(word))
}

/// It says something of what was just spoken of: "with Anna", "double it", "I only paid half".
pub(super) fn points_back(command: &str) -> bool {
    let words = wording::words(command);
    let is = |at: Option<&wording::Word<'_>>, all: Class| at.is_some_and(|(_, word)| all.contains(word));
    let word = |at: usize| words.get(at).map_or("", |(_, word)| word);
    // "it cost 12 for the taxi" and "they charged me 5 for parking" say what.
    let behind: Vec<&str> = words.iter().skip(1).map(|(_, word)| &**word).collect();
    let costs = word(1) == "cost" || Class::CostsSomebody.length(&behind).is_some();
    let names = costs && words.iter().any(|(_, word)| word == "for" || word == "to");
    is(words.first(), Class::SpeechLeads) && !names || is(words.last(), Class::ChangedShare)
}

/// "the tea was 4", and neither that it should be 4 nor that it was 4 after all.
pub(super) fn states_a_price(text: &str, reader: Reader) -> bool {
    let [price] = &reader.amounts(text)[..] else { return false };
    let said = wording::words(&text[..price.span.start]);
    let is_was = |(_, word): &wording::Word<'_>| Class::WasPaid.contains(word);
    said.last().is_some_and(is_was) && !said.iter().any(|(_, word)| takes_back(word))
}

/// "the last one", "la dernière": what was done before, and no name.
pub(super) fn is_the_last(name: &str) -> bool {
    let bare = wording::trimmed(name, &[], &[Class::LastThing]);
    Class::LastAdded.says(&bare.to_lowercase()).is_some()
}

/// "lunch please, it was a mistake": without why, as far as that points at nothing.
pub(super) fn without_reason(target: &str, reader: Reader) -> &str {
    let words = wording::words(target);
    let why = words.windows(2).find(|pair| {
        let is_apart = target[pair[0].0.end..pair[1].0.start].contains([',', ';', '.', '-']);
        pair[1].1 == "because" || is_apart && Class::Reasons.contains(&*pair[1].1)
    });
    let Some(kept) = why.map(|pair| pair[0].0.end) else { return target };
    let rest = &target[kept..];
    let names_more = rest.contains(['#', '&']) || wording::words(rest).iter().any(|(_, word)| word == "and");
    let points = names_more || !reader.amounts(rest).is_empty() || !reader.dates(rest).is_empty();
    if points { target } else { &target[..kept] }
}

/// Without "about" and the like beside an amount: it is asked about where the amount is shown.
pub(super) fn without_roughly(text: &str, reader: Reader) -> String {
    let rough = reader.hedges(text).into_iter().filter(|found| found.hedge == Hedge::Roughly && found.amount.is_some());
    wording::without(text, rough.map(|found| found.span), &[])
}

/// "no, it was 4": an amount, and no name of anything.
pub(super) fn is_price_only(text: &str, reader: Reader) -> bool {
    match &reader.amounts(text)[..] {
        [found] => {
            let rest = wording::without(text, [found.span.clone()], &[]);
            wording::trimmed(&rest, &[Class::AroundPrice], &[Class::BehindValue]).is_empty()
        }
        _ => false,
    }
}

/// "£60 from clarks", "22 yesterday at the barber", "to work 9": a price, and where or what for it was.
pub(super) fn is_price_of_it(text: &str, reader: Reader) -> bool {
    let [price] = &reader.amounts(text)[..] else { return false };
    let is_first = wording::trimmed(&text[..price.span.start], &[Class::BeforeLonePrice], &[]).is_empty();
    let days = reader.dates(text).into_iter().map(|day| day.span).chain([price.span.clone()]);
    let rest = wording::without(text, days, &[]);
    let link = wording::first_word(wording::after(&rest, &[Class::BeforeLonePrice]));
    match is_first {
        true => Class::BehindLonePrice.contains(&link),
        false => Class::SpeechLinks.contains(&link) && wording::trimmed(&text[price.span.end..], &[], &[]).is_empty(),
    }
}

/// "22 yesterday at the barber": where something was bought.
pub(super) fn place_behind(text: &str, reader: Reader) -> Option<String> {
    let [price] = &reader.amounts(text)[..] else { return None };
    let days = reader.dates(text).into_iter().map(|day| day.span).chain(std::iter::once(0..price.span.end));
    let rest = wording::without(text, days, &[]);
    Class::LeadsToShop
        .contains(wording::first_word(&rest))
        .then(|| wording::trimmed(&rest, &[], &[Class::BehindItem]).to_owned())
}

/// "the usual 22", "7 percent off so 65": what is said of a price names nothing that was bought.
pub(super) fn is_of_price(name: &str) -> bool {
    let says_so = |word: &str| Class::OfPrice.contains(word) || word.bytes().all(|byte| byte.is_ascii_digit());
    wording::words(name).iter().all(|(_, word)| says_so(word))
}

/// "have I paid rent 950?", "lunch 12?": nothing was said to be so. "Can you add lunch 12?" is an order.
fn is_question(text: &str) -> bool {
    let words = wording::words(text);
    let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
    let asks = Class::AsksByAuxiliary.contains(word(0)) && Class::Asker.contains(word(1));
    let done = Class::Done.contains(word(0));
    let ordered = !done && Class::Orders.contains(wording::first_word(wording::after_courtesies(text)));
    (asks || text.trim_end().ends_with('?')) && !ordered
}

/// Questions, orders to someone else, and plans.
pub(super) fn is_no_statement(text: &str) -> bool {
    let lower = text.to_lowercase();
    Class::SpeechOpeners.contains(wording::first_word(wording::after(text, &[Class::GoesOn])))
        || is_question(text)
        || Class::IsPlanned.all().iter().any(|(plan, _)| lower.contains(plan))
}

/// "both but the coffee was 4", "scrap that, tea 2": said of what was shown.
pub(super) fn is_of_what_was_shown(text: &str) -> bool {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let goes_on = |end: usize| said[end..].iter().find(|word| !Class::Please.contains(word));
    // "The second was yesterday and 4."
    let placed = wording::words(wording::trimmed(text, &[Class::BeforePlace], &[]));
    let is_of_row = matches!(&placed[..], [(_, place), (_, verb), ..]
        if Class::PlaceOfRow.contains(place) && (verb == "should" || Class::WasPaid.contains(verb)));
    is_of_row
        || Class::Retracting.length(&said).is_some()
        || Class::BothShown.length(&said).and_then(goes_on).is_some_and(|word| Class::ButOfBoth.contains(word))
}

/// "over 200", "more than 20 please": a bound, and nothing that was bought.
pub(super) fn is_a_bound(text: &str, reader: Reader) -> bool {
    let amounts = reader.amounts(text).into_iter().map(|found| found.span);
    let bounds = Class::Compares.contains(wording::first_word(text));
    bounds && wording::is_filler(&wording::without(text, amounts, &[]))
}

/// Words that ask for something else than adding, where a name should be.
pub(super) fn is_a_command(item: &str) -> bool {
    let first = wording::first_word(item);
    // "Budget airline" is bought; for anything else one is set.
    let is_kind = || first == "budget" && Class::Cheap.contains(wording::first_word(wording::rest(item)));
    Class::Commands.contains(&first) && !is_kind() || item.to_lowercase().starts_with("go ahead") || points_at_one(item)
}

/// "the second one", "the cheaper one": one of some, and no name.
fn points_at_one(item: &str) -> bool {
    let words = wording::words(wording::trimmed(item, &[Class::BeforePlace], &[]));
    match &words[..] {
        [(_, place), (_, one)] => Class::Ones.contains(one) && Class::PlaceOfRow.contains(place),
        _ => false,
    }
}
