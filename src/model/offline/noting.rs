//! What is noted of an expense: a remark, or how it was paid.

use std::ops::Range;

use super::{naming, wording};
use crate::phrases::{Class, CurrencyMention, Hedge, Reader};

/// "note: with Anna", and how it was paid: "paid by card", "in cash".
pub(super) fn split_notes(text: &str, reader: Reader) -> (String, Option<String>) {
    let noted = wording::words(text).into_iter().find_map(|(span, word)| {
        let is_label = span.start > 0 && Class::LabelOfForm.says(&word) == Some("note:");
        let behind = Some(text[span.end..].trim_start()).filter(|_| is_label)?;
        // "note pad" and "note it" note nothing.
        let is_note = |note: &str| {
            let first = wording::first_word(note);
            note.split_whitespace().nth(1).is_some()
                && !Class::NoNote.contains(first)
                && reader.amounts(note).is_empty()
                && reader.dates(note).is_empty()
        };
        let is_apart = || word == "note" && is_note(behind) && is_whole(text[..span.start].trim_end(), reader);
        let note = behind.strip_prefix(':').or_else(|| is_apart().then_some(behind))?;
        Some((span.start, text.len() - note.len()))
    });
    if let Some((at, end)) = noted {
        // "(note: for Dad)"
        let (before, note) = (&text[..at], text[end..].trim());
        let note = if before.ends_with('(') { note.trim_end_matches(')') } else { note };
        let (rest, paid) = split_means(before.trim_end_matches([' ', ',', ';', '(']), reader);
        let notes = paid.into_iter().chain(Some(note.to_owned()).filter(|note| !note.is_empty()));
        return (rest, notes.reduce(|paid, note| paid + ", " + &note));
    }
    split_means(text, reader)
}

/// "vet 86 yesterday", "taxi 12,": a name and its price, with nothing behind them that leads on.
fn is_whole(before: &str, reader: Reader) -> bool {
    let amounts = reader.amounts(before).into_iter().map(|found| found.span.end);
    let days = reader.dates(before).into_iter().map(|found| found.span.end);
    let means = || wording::words(before).last().is_some_and(|(_, word)| Class::Means.contains(word));
    let is_apart = before.ends_with([',', ';', '-', '.']) || amounts.chain(days).any(|end| end == before.len());
    (is_apart || means()) && naming::name_in(before).contains(char::is_alphabetic) && !reader.amounts(before).is_empty()
}

fn split_means(text: &str, reader: Reader) -> (String, Option<String>) {
    match means(text, reader).or_else(|| means_alone(text).map(|span| (span.clone(), span))) {
        Some((span, spoken)) => {
            (without(text, &(paid_before(text, span.start, reader)..span.end)), Some(text[spoken].to_owned()))
        }
        None => (text.to_owned(), None),
    }
}

/// "lunch 12 at the pub paid cash": where "paid" begins, which says no more than the means.
fn paid_before(text: &str, means: usize, reader: Reader) -> usize {
    let is_priced = || reader.amounts(&text[..means]).iter().any(|price| price.span.end < means);
    if reader.hedges(text).iter().any(|found| found.hedge == Hedge::NotMine) {
        return means;
    }
    let last = wording::words(&text[..means]).pop().filter(|(span, word)| {
        Class::PaidByMeans.contains(word) && text[span.end..means].trim().is_empty() && is_priced()
    });
    last.map_or(means, |(span, _)| span.start)
}

fn without(text: &str, span: &Range<usize>) -> String {
    format!("{}{}", text[..span.start].trim_end_matches([' ', ',', ';', '-']), &text[span.end..])
}

/// "taxi 9.60 debit card yesterday": what is bought with nothing that leads to it, beside a name.
fn means_alone(text: &str) -> Option<Range<usize>> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    (0..words.len()).find_map(|at| {
        let span = words[at].0.start..words[at + Class::MeansAlone.length(&said[at..])? - 1].0.end;
        let is_name = |text: &str| naming::name_in(text).contains(char::is_alphabetic);
        (closes(&text[span.end..]) && is_name(&without(text, &span))).then_some(span)
    })
}

/// No name goes on there.
fn closes(rest: &str) -> bool {
    let rest = rest.trim_start();
    !rest.starts_with(char::is_alphabetic) || Class::After.contains(wording::first_word(rest))
}

/// How it was paid: all words that say so, and those that are noted, which are the same without "both".
///
/// Only where nothing else can be meant: a "gift card" is bought, and so is a card that something is spent "on".
fn means(text: &str, reader: Reader) -> Option<(Range<usize>, Range<usize>)> {
    let words = wording::words(text);
    let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
    words.iter().enumerate().find_map(|(lead, (_, led))| {
        let end = (lead + 1..words.len()).find(|next| !Class::KindOfMeans.contains(word(*next))).unwrap_or(words.len());
        let end = if word(end - 1) == "debit" && !Class::Means.contains(word(end)) { end - 1 } else { end };
        let (means, next) = (word(end), word(end + 1));
        // "paid 9 cash for lunch", "paid cash 9"
        let is_cash = Class::Cash.contains(means) || means == "bar" && Class::BehindCash.contains(next);
        let is_paid = || {
            Class::PaidByMeans.contains(led)
                || led.ends_with(|it: char| it.is_ascii_digit())
                || reader.currency(led) != CurrencyMention::None
        };
        // "petrol 40 and snacks 5, all cash", "both with amex"
        let is_of_all = |at: usize| at > 0 && Class::OfAll.contains(word(at));
        // "tyres kwik fit 312 card", "dinner 41 on monday, card"; "£3 card for mum" and "flowers 20, card 3.50" are bought.
        let is_behind = || {
            let (told, next) = (words[lead - usize::from(is_of_all(lead))].0.end, &text[words[end].0.end..]);
            // Of several commas it may be one of a list.
            let is_parted = |between: &str| between.matches(',').count() == 1 && between.trim_end().ends_with(',');
            let is_apart = |price: usize| {
                let is_day = || reader.dates(text).iter().any(|day| day.span.end == told);
                price == told || price < told && (is_day() || is_parted(&text[price..words[end].0.start]))
            };
            let prices = reader.amounts(text);
            Class::MeansBehindPrice.contains(means)
                && !next.trim_start().starts_with(char::is_alphabetic)
                && (prices.len() == 1 || is_of_all(lead))
                && prices.last().is_some_and(|price| is_apart(price.span.end))
                && naming::name_in(&text[..told]).contains(char::is_alphabetic)
        };
        let alone = end == lead + 1 && end < words.len() && (is_cash && is_paid() || is_behind());
        // "both on card", "lunch 12 on amex", "petrol 58 on the amex"; "spent 5 at the shop on a card" bought one.
        let is_on = || {
            let before = &text[..words[lead].0.start];
            let is_kind = (lead + 1..end).any(|at| word(at) != "a");
            let is_priced = || reader.amounts(text).iter().any(|price| price.span.end == before.trim_end().len());
            (is_kind || lead > 0 && is_of_all(lead - 1) || is_priced())
                && naming::name_in(before).contains(char::is_alphabetic)
        };
        let leads = Class::BeforeMeans.contains(led) || led == "on" && is_on();
        // "mit Karte bezahlt"
        let last = end + usize::from(leads && Class::PaidByMeans.contains(next));
        let closes = closes(&text[words.get(last)?.0.end..]);
        let led_by = lead - usize::from(lead > 0 && Class::PaidByMeans.contains(word(lead - 1)));
        let start = match alone {
            true => end - usize::from(is_of_all(lead)),
            false => led_by - usize::from(led_by > 0 && is_of_all(led_by - 1)),
        };
        (closes && (alone || leads && Class::Means.contains(means))).then(|| {
            let spoken = start + usize::from(is_of_all(start));
            (words[start].0.start..words[last].0.end, words[spoken].0.start..words[last].0.end)
        })
    })
}
