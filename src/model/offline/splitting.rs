//! One expense in parts: "tesco 50: food 30, household 20", "split £50 at tesco, half food, half household", "split 42
//! into food 30 and the rest household".
//!
//! Only what says so is read as parts: a colon after what was bought and paid, the word "split", a rest, halves, or parts
//! that come to exactly what was paid. Whether the parts add up is for the tools to say.

use serde_json::{Map, Value, json};

use super::{
    adding::Adding,
    changing::Changing,
    draft::{Draft, Said, currency},
    drafting::drafts,
    intent::Intent,
    parts::{Part, Share, arguments, category, leaves, of, parts, sum},
    speech, wording,
};
use crate::{
    money::{Currency, Money},
    phrases::{AmountMention, Class, DateReading, Reader, Reading},
    shown::ShownRow,
    sorted::Collect,
};

/// What parts the whole from its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Colon,
    /// "split".
    Verb,
    Comma,
}

pub(super) fn read(said: &str, command: &str, reader: Reader) -> Option<Intent> {
    if said.contains('?') || speech::is_no_statement(said) {
        return None;
    }
    if let Some(joined) = joined(command) {
        return Some(joined);
    }
    let (text, date) = dated(command, reader)?;
    let (head, tail, mark) = cut(&text, reader)?;
    let parts = parts(tail, reader)?;
    let is_split = Class::Splits.contains(wording::first_word(head));
    if let Some(changing) = is_split.then(|| changed(wording::rest(head), &parts, reader)).flatten() {
        return Some(Intent::Change(changing));
    }
    let whole = whole(if is_split { wording::rest(head) } else { head }, &parts, reader)?;
    let known = |part: &Part| Class::CommonCategory.says(&part.category.to_lowercase()).is_some();
    let all_known = parts.iter().all(known);
    let told = matches!(reader.amounts(head)[..], [_]);
    let unsaid = parts.iter().any(|part| part.share == Share::Unsaid);
    let (rests, halves) = (of(&parts, Share::Rest), of(&parts, Share::Half));
    let words = wording::words(tail);
    let is_even = words.iter().any(|(_, word)| Class::Evenly.contains(word));
    let is_even = is_even && of(&parts, Share::Unsaid) == parts.len();
    let is_divided = is_even || rests == 1 && halves == 0 || halves == 2 && parts.len() == 2;
    let adds_up = leaves(&parts, &whole.amount) == Some(0);
    // Parts that leave something over, or expenses that are called like categories.
    let names_category = |item: &String| Class::CommonCategory.says(&item.to_lowercase()).is_some();
    let is_named = !whole.item.as_ref().is_none_or(names_category);
    let is_short = all_known && is_named && leaves(&parts, &whole.amount) > Some(0);
    let is_whole = match mark {
        Mark::Verb => told || adds_up,
        Mark::Colon => !unsaid && (parts.len() > 1 || all_known) && (told || adds_up && all_known),
        Mark::Comma => told && (is_even || !unsaid) && parts.len() > 1 && (is_divided || adds_up || is_short),
    };
    if !is_whole || whole.item.as_deref().is_some_and(speech::is_a_command) {
        return None;
    }
    // "tesco 50, 30 food": what is paid first is of what was said the other way round. Else the sum may be by chance.
    let opens = |found: &AmountMention| wording::trimmed(&tail[..found.span.start], &[], &[]).is_empty();
    let is_turned = reader.amounts(tail).first().is_some_and(opens)
        && reader.amounts(head).last().is_some_and(|found| head[found.span.end..].trim().is_empty());
    let is_told = is_divided || words.iter().any(|(_, word)| Class::OfWhich.contains(word));
    let is_sure = mark != Mark::Comma || is_told || adds_up && all_known && is_named && is_turned;
    // After a rest there is nothing more to divide.
    let past = parts.iter().position(|part| part.share == Share::Rest).filter(|rest| *rest > 0);
    let apart = match past.and_then(|rest| Some((rest + 1, parts.get(rest + 1)?.at))) {
        Some((own, at)) => {
            let split = Draft { date: date.clone(), lines: arguments(&parts[..own]), ..whole.clone() };
            let others = drafts(&tail[at..], reader).into_iter().map(|draft| Draft { date: date.clone(), ..draft });
            std::iter::once(split).chain(others).collect()
        }
        None if is_sure => vec![],
        None => drafts(command, reader),
    };
    let draft = Draft { date, lines: arguments(&parts), ..whole };
    Some(Intent::Add(Adding::split(draft, apart, command)))
}

/// Other amounts of the parts that were shown: of all of them, and then of the whole; or of some.
pub(super) fn restated(shown: &ShownRow, said: &str, reader: Reader) -> Option<Map<String, Value>> {
    let currency = Currency::parse(shown.unit.as_deref()?).ok()?;
    let standing = shown.parts.iter().map(|(category, minor)| Part {
        share: Share::Amount(Money { minor: *minor, currency }.decimal()),
        category: category.clone(),
        at: 0,
    });
    let mut standing: Vec<Part> = standing.collect();
    if standing.is_empty() {
        return None;
    }
    let said = parts(said, reader).filter(|parts| sum(parts).is_some())?;
    let all = said.len();
    for Part { share, category, .. } in said {
        let same = |part: &&mut Part| part.category.eq_ignore_ascii_case(&category);
        standing.iter_mut().find(same)?.share = share;
    }
    let mut fields: Map<String, Value> = [("lines".to_owned(), arguments(&standing).into())].inserted();
    if all == standing.len() {
        fields.insert("amount".to_owned(), sum(&standing)?.into());
    }
    Some(fields)
}

/// "30 of that was food, the rest household", said of the expense with that number.
pub(super) fn of_written(id: u64, said: &str, reader: Reader) -> Option<Changing> {
    let lines = arguments(&of_that(said, reader)?).into();
    Some(Changing::of(&id.to_string(), [("lines".to_owned(), lines)].inserted()))
}

/// The same of what waits, if it is all of it.
pub(super) fn of_shown(said: &str, reader: Reader) -> Option<Map<String, Value>> {
    let parts = of_that(said, reader)?;
    let is_all = of(&parts, Share::Rest) == 1 || of(&parts, Share::Half) == 2;
    is_all.then(|| [("lines".to_owned(), arguments(&parts).into())].inserted())
}

fn of_that(said: &str, reader: Reader) -> Option<Vec<Part>> {
    let said = wording::trimmed(said, &[Class::Asides], &[Class::Please]);
    let paid = reader.amounts(said).first().map(|found| found.span.clone());
    let half = said.get(..4).filter(|half| half.eq_ignore_ascii_case("half")).map(|half| 0..half.len());
    let first = paid.filter(|span| span.start == 0).or(half)?;
    let words = wording::words(said);
    let next = words.iter().position(|(span, _)| span.start >= first.end)?;
    let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
    let points = Class::WasOrIs.contains(word(next))
        || Class::OfThatPart.contains(word(next)) && Class::ThatPart.contains(word(next + 1));
    if said.contains('?') || !reader.dates(said).is_empty() {
        return None;
    }
    let parts = parts(said, reader).filter(|parts| points || of(parts, Share::Rest) == 1)?;
    (of(&parts, Share::Unsaid) == 0).then_some(parts)
}

/// "join 42 as groceries".
fn joined(command: &str) -> Option<Intent> {
    let verb = wording::first_word(command);
    if !Class::JoinsParts.contains(&verb) {
        return None;
    }
    let said = wording::rest(command);
    let words = wording::words(said);
    let at = words.iter().rev().find(|(_, word)| Class::AsCategory.contains(word));
    let (target, name) = at.map_or((said, ""), |(span, _)| (&said[..span.start], &said[span.end..]));
    let name = category(name);
    let mut changes: Map<String, Value> = [("lines".to_owned(), json!([]))].inserted();
    changes.extend(name.map(|name| ("category".to_owned(), json!(name))));
    Some(Intent::Change(Changing::of(target, changes)))
}

/// An expense that is there: by its number, or by what it is called. A bare number that the parts come to is an amount.
fn changed(target: &str, parts: &[Part], reader: Reader) -> Option<Changing> {
    let name = wording::trimmed(target, &[Class::BeforeSplitRow], &[Class::BehindSplitRow]);
    let amounts = reader.amounts(name);
    let is_number = name.trim_start_matches('#').bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty();
    let is_meant = match is_number {
        true => name.starts_with('#') || sum(parts).as_deref() != Some(name),
        false => amounts.is_empty() && !name.is_empty() && (name.len() < target.len() || sum(parts).is_none()),
    };
    is_meant.then(|| Changing::of(name, [("lines".to_owned(), json!(arguments(parts)))].inserted()))
}

/// Item and amount, without parts. What is not said of the whole is the sum of its parts.
fn whole(head: &str, parts: &[Part], reader: Reader) -> Option<Draft> {
    let amounts = reader.amounts(head);
    let (amount, currency) = match amounts.as_slice() {
        [] => (Said::Exactly(sum(parts)?), Said::Nothing),
        [AmountMention { reading: Reading::Exact(amount), currency: mention, .. }] => {
            (Said::Exactly(amount.clone()), currency(mention))
        }
        _ => return None,
    };
    let spans = amounts.iter().map(|found| found.span.clone());
    let rest = wording::without(head, spans, &[Class::BeforeSplitPrice]);
    let name = wording::trimmed(&rest, &[Class::NamingFront], &[Class::BehindItem, Class::BehindShared]);
    // "Notes:" and "category:" say more of one expense.
    let last = wording::words(head).pop().map(|(_, word)| word).unwrap_or_default();
    if Class::LabelBehind.contains(&last) || amounts.is_empty() && name.is_empty() {
        return None;
    }
    let item = (!name.is_empty() && !wording::is_filler(name)).then(|| name.to_owned());
    let is_short = item.as_ref().is_none_or(|item| item.split_whitespace().count() <= 6);
    is_short.then(|| Draft { item, amount, currency, ..Draft::default() })
}

/// Without the only day that is said; None if there are several, or it is not clear.
fn dated(text: &str, reader: Reader) -> Option<(String, Option<DateReading>)> {
    if reader.ranges(text).iter().any(|found| found.range.from != found.range.to) {
        return None;
    }
    match reader.dates(text).as_slice() {
        [] => Some((text.to_owned(), None)),
        [found] if matches!(found.reading, DateReading::On(_)) => {
            let kept = wording::without(text, [found.span.clone()], &[Class::BeforeSplitAmount]);
            Some((kept.trim().to_owned(), Some(found.reading.clone())))
        }
        _ => None,
    }
}

fn cut(text: &str, reader: Reader) -> Option<(&str, &str, Mark)> {
    let bracketed = || text.trim_end_matches(['.', ' ']).strip_suffix(')')?.split_once(" (");
    if let Some((head, tail)) = text.split_once(": ").or_else(|| text.split_once(" = ")).or_else(bracketed) {
        return Some((head, tail, Mark::Colon));
    }
    let words = wording::words(text);
    let link = |from: usize| {
        let mut after = words.iter().filter(|(span, _)| span.start >= from);
        after.find(|(_, word)| Class::AmongParts.contains(word)).map(|(span, _)| span.clone())
    };
    // "dinner 90, split between food and travel"
    if let Some((verb, _)) = words.iter().skip(1).find(|(_, word)| Class::WasSplit.contains(word)) {
        // "split with Anna" is another thing.
        let after = wording::first_word(&text[verb.end..]);
        let plain = !after.is_empty() && !Class::NoPart.contains(&after);
        let tail = link(verb.end).map(|link| link.end).or_else(|| plain.then_some(verb.end))?;
        return Some((&text[..verb.start], &text[tail..], Mark::Verb));
    }
    let divides = Class::Splits.contains(&words.first()?.1);
    if !divides && !text.contains([',', ';']) && words.iter().all(|(_, word)| word != "half") {
        return None;
    }
    // No comma of an amount.
    let paid = reader.amounts(text).into_iter().next().map(|found| found.span.end);
    if divides {
        let from = paid.unwrap_or_default();
        let link = link(0).or_else(|| text[from..].find(',').map(|at| from + at..from + at + 1))?;
        return Some((&text[..link.start], &text[link.end..], Mark::Verb));
    }
    let paid = paid?;
    let comma = text[paid..].find([',', ';']).map(|at| (paid + at, paid + at + 1));
    let half = words.iter().find(|(span, word)| span.start >= paid && word == "half");
    let half = half.map(|(span, _)| (span.start, span.start));
    let (end, start) = [comma, half].into_iter().flatten().min()?;
    Some((&text[..end], &text[start..], Mark::Comma))
}
