//! A currency that is said once, of all that is listed.

use super::{Said, wording};
use crate::{
    model::offline::draft::settled,
    phrases::{Class, CurrencyMention, Reader, is_word_too},
};

/// "in euros: hotel 120, taxi 18", "hotel 120, taxi 18 (in euros)": the rest, and that currency.
pub(in crate::model::offline) fn in_one_currency(text: &str, reader: Reader) -> Option<(String, Said)> {
    let is_priced = |rest: &str| !reader.amounts(rest).is_empty();
    if let Some((head, rest)) = text.split_once(':')
        && let Some((before, currency)) = said_alone(head, reader).filter(|_| is_priced(rest))
    {
        let mark = if before.is_empty() { "" } else { ":" };
        return Some((format!("{before}{mark} {}", rest.trim_start()).trim_start().to_owned(), currency));
    }
    let first = text.split_once(',');
    let last = || text.rsplit_once(',').map(|(rest, last)| (last, rest));
    let bracketed =
        || text.trim_end_matches(['.', ' ']).strip_suffix(')')?.rsplit_once(" (").map(|(rest, last)| (last, rest));
    let apart = [first, last(), bracketed()].into_iter().flatten().find_map(|(said, rest)| {
        let (_, currency) = said_alone(said, reader).filter(|(before, _)| before.is_empty() && is_priced(rest))?;
        Some((rest.trim().to_owned(), currency))
    });
    apart.or_else(|| within(text, reader))
}

/// "1250 for flights in USD on Monday". "Euro Disney" and "sterling silver" go on behind it.
fn within(text: &str, reader: Reader) -> Option<(String, Said)> {
    let words = wording::words(text);
    let is_led = |pair: &&[wording::Word<'_>]| Class::InCurrency.contains(&*pair[0].1) && !is_word_too(&pair[1].1);
    let days = reader.dates(text);
    let ends = |end: usize| {
        let behind = text[end..].trim_start();
        let is_day = || days.iter().any(|day| day.span.start == text.len() - behind.len());
        behind.is_empty() || is_day() || Class::MessageLeads.contains(wording::first_word(behind))
    };
    let (span, currency) = words.windows(2).filter(is_led).find_map(|pair| {
        let span = pair[0].0.start..pair[1].0.end;
        Some((span.clone(), settled(&text[pair[1].0.clone()], reader).filter(|_| ends(span.end))?))
    })?;
    let rest = wording::without(text, [span], &[]);
    let is_of_one = matches!(&reader.amounts(&rest)[..], [found] if found.currency == CurrencyMention::None);
    is_of_one.then_some((rest, currency))
}

/// "all in euros", "EUR", and what stands before it.
fn said_alone(said: &str, reader: Reader) -> Option<(&str, Said)> {
    let words = wording::words(said);
    let Some(at) = words.iter().rposition(|(_, word)| Class::InCurrency.contains(word)) else {
        let name = said.trim();
        let is_one = words.len() <= 1 && !name.is_empty() && !is_word_too(&name.to_lowercase());
        return Some(("", is_one.then(|| settled(name, reader))??));
    };
    let before = wording::trimmed(&said[..words[at].0.start], &[], &[Class::OfAll]);
    Some((before, settled(said[words[at].0.end..].trim(), reader)?))
}
