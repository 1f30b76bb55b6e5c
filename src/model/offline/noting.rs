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

/// How all of it was paid. Of several, each may have been paid in its own way: "train 20 by card, bus 3 in cash".
fn split_means(text: &str, reader: Reader) -> (String, Option<String>) {
    let is_of_one = reader.amounts(text).len() < 2;
    let is_of_all = |means: &Means| {
        let (before, behind) = (text[..means.words.start].trim_end(), &text[means.words.end..]);
        let is_last = behind.trim().is_empty() && (means.is_paid || before.ends_with([',', ';']));
        let is_first = !has_name(before) && reader.amounts(before).is_empty();
        is_of_one || means.is_of_all || is_first || is_last
    };
    match means(text, reader).filter(is_of_all) {
        Some(Means { words, noted, .. }) => (without(text, &words), Some(text[noted].to_owned())),
        None => (text.to_owned(), None),
    }
}

/// How an expense was paid.
pub(super) struct Means {
    /// All words that say so.
    pub words: Range<usize>,
    /// Those that are noted: the same without "both".
    pub noted: Range<usize>,
    is_of_all: bool,
    is_paid: bool,
}

fn without(text: &str, span: &Range<usize>) -> String {
    format!("{}{}", text[..span.start].trim_end_matches([' ', ',', ';', '-']), &text[span.end..])
}

fn has_name(text: &str) -> bool {
    naming::name_in(text).contains(char::is_alphabetic)
}

/// "Both paid with my debit card": the places of the words, those between being empty where nothing is said.
struct Spoken {
    paid: Range<usize>,
    lead: Range<usize>,
    kinds: Range<usize>,
    end: usize,
}

impl Spoken {
    /// The words from there on, behind "both".
    fn at(said: &[&str], from: usize) -> Option<Self> {
        let is = |at: usize, class: Class| said.get(at).is_some_and(|word| class.contains(word));
        let lead = from + usize::from(is(from, Class::PaidByMeans));
        let is_led = is(lead, Class::BeforeMeans) || said.get(lead) == Some(&"on");
        let kinds = lead + usize::from(is_led);
        let named = said.get(kinds..).and_then(|rest| Class::MeansAlone.length(rest)).map(|length| kinds + length - 1);
        let means = named.or_else(|| (kinds..said.len()).find(|at| !is(*at, Class::KindOfMeans))).unwrap_or(said.len());
        // "with debit"
        let means = if is(means, Class::Means) || named.is_some() { means } else { means.checked_sub(1)? };
        let is_one = means >= kinds && (is(means, Class::Means) || named.is_some());
        // "mit Karte bezahlt"
        let end = means + 1 + usize::from(is_led && is(means + 1, Class::PaidByMeans));
        is_one.then_some(Self { paid: from..lead, lead: lead..kinds, kinds: kinds..means, end })
    }
}

/// Only where nothing else can be meant: a "gift card" is bought, and so is a card that something is spent "on".
pub(super) fn means(text: &str, reader: Reader) -> Option<Means> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let prices: Vec<_> = reader.amounts(text).into_iter().map(|price| price.span).collect();
    (0..words.len()).find_map(|first| {
        let is_of_all = first > 0 && Class::OfAll.contains(said[first]);
        let spoken = Spoken::at(&said, first + usize::from(is_of_all))?;
        let span = words[first].0.start..words[spoken.end - 1].0.end;
        let (before, behind) = (text[..span.start].trim_end(), text[span.end..].trim_start());
        let is_price = || prices.iter().any(|price| price.start == text.len() - behind.len());
        let goes_on = behind.starts_with(char::is_alphabetic) && !Class::After.contains(wording::first_word(behind));
        if goes_on && !is_price() {
            return None;
        }
        let is_priced = prices.iter().any(|price| price.end <= before.len());
        let is_led = first > 0 && (Class::BeforeMeans.contains(said[first - 1]) || said[first - 1] == "on");
        let is_alone = || Class::MeansAlone.length(&said[spoken.kinds.start..]).is_some();
        let is_meant = match &said[spoken.lead.clone()] {
            // "both on card", "lunch 12 on amex", "petrol 58 on the amex"; "spent 5 at the shop on a card" bought one.
            ["on"] => {
                let is_kind = spoken.kinds.clone().any(|at| said[at] != "a");
                let is_behind = prices.iter().any(|price| price.end == before.len());
                // "paid 30 on my card for lunch"
                let is_sure = spoken.kinds.clone().any(|at| !Class::ArticleOfMeans.contains(said[at]));
                is_sure || (is_kind || is_of_all || is_behind) && has_name(before)
            }
            [_] => true,
            _ if is_alone() => !is_led && has_name(&without(text, &span)),
            _ => is_bare_means(text, &span, (is_of_all, !spoken.paid.is_empty()), reader),
        };
        // "paid cash 9" tells what was done, "at the Crown paid contactless" how.
        let tells = !spoken.paid.is_empty() && spoken.lead.is_empty();
        let is_of_payer = || reader.hedges(text).iter().any(|found| found.hedge == Hedge::NotMine);
        let from = if tells && (!is_priced || is_of_payer()) { spoken.kinds.start } else { first };
        let noted = if tells { spoken.kinds.start } else { spoken.paid.start };
        let is_paid = !spoken.paid.is_empty();
        let [words, noted] = [from, noted].map(|at| words[at].0.start..span.end);
        is_meant.then_some(Means { words, noted, is_of_all, is_paid })
    })
}

/// "9 cash for lunch", "tyres kwik fit 312 card", "dinner 41 on monday, card", "30 for shoes at Clarks card": no word
/// leads to it, but it stands apart. "£3 card for mum" and "flowers 20, card 3.50" are bought.
fn is_bare_means(text: &str, span: &Range<usize>, (is_of_all, is_paid): (bool, bool), reader: Reader) -> bool {
    let (before_means, behind) = (text[..span.start].trim_end(), text[span.end..].trim_start());
    let before = wording::words(before_means);
    let (told, last) = before.last().map_or((0, ""), |(span, word)| (span.end, word));
    let words = wording::words(&text[span.clone()]);
    let [.., (_, means)] = &words[..] else { return false };
    let is_cash =
        Class::Cash.contains(means) || means == "bar" && Class::BehindCash.contains(wording::first_word(behind));
    let is_number = last.ends_with(|it: char| it.is_ascii_digit()) || reader.currency(last) != CurrencyMention::None;
    if is_cash && (is_number || is_paid) {
        return true;
    }
    let prices = reader.amounts(text);
    let Some(price) = prices.last().map(|price| price.span.end).filter(|price| *price <= told) else { return false };
    let is_day = || reader.dates(text).iter().any(|day| day.span.end == told);
    // Of several commas it may be one of a list.
    let between = text[price..span.start].trim_end();
    let is_parted = || between.matches(',').count() == 1 && between.ends_with(',');
    // "at Pets at Home card"; "at Tesco gift card" and "at Aldi for a Christmas card" one is bought.
    let is_placed = || {
        let words = wording::words(&text[price..told]);
        let lead = words.iter().rposition(|(_, word)| Class::LeadsToShop.contains(word));
        let shop = lead.map_or("", |lead| &text[price + words[lead].0.end..told]);
        let is_name = shop.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
        is_name && !shop.is_empty() && told == before_means.len()
    };
    // "52 to the plumber cash"; "a ticket for johnny cash" is bought.
    let is_whom = |(_, word): &wording::Word<'_>| Class::MyOrThe.contains(word);
    let is_of_payment = || is_cash && before.iter().rev().take(3).skip(1).any(is_whom);
    Class::MeansBehindPrice.contains(means)
        && (price == told || is_day() || is_parted() || is_placed() || is_of_payment())
        && !behind.starts_with(char::is_alphabetic)
        && (prices.len() == 1 || is_of_all)
        && has_name(&text[..told])
}
