//! A number that may be of the name, and the one behind it the price.

use std::ops::Range;

use super::{Marked, Said, currency, name_in, wording};
use crate::{
    model::offline::{draft::Numbered, parts},
    phrases::{AmountMention, Class, CurrencyMention, Reader, Reading},
};

impl Marked<'_> {
    /// "iphone 15 999", "dinner for 2 40": what ends it, and the rest if that is the price.
    pub(super) fn numbered(&self, segment: &Range<usize>, prices: &[&AmountMention]) -> Option<Numbered> {
        let (price, from, currency) = match prices {
            [_, price] if price.currency == CurrencyMention::None => match &price.reading {
                Reading::Exact(amount) => (amount.clone(), price.span.start, Said::Nothing),
                Reading::Ambiguous(_) => return None,
            },
            // Read as "15 999" too, and in a currency as "12 350 yen".
            [one] if !matches!(one.reading, Reading::Exact(_)) => {
                let said = &self.text[one.span.clone()];
                let digits = said.trim_end_matches(|mark: char| !mark.is_ascii_digit());
                let (rest, last) =
                    digits.rsplit_once(' ').filter(|(rest, _)| rest.starts_with(char::is_alphanumeric))?;
                let named = if digits.len() < said.len() { currency(&one.currency) } else { Said::Nothing };
                (last.to_owned(), one.span.start + rest.len(), named)
            }
            _ => return None,
        };
        let is_last = prices.last().is_some_and(|last| self.closes(last, segment));
        // The article of "un livre" is said as an amount.
        let weight = prices.first().filter(|first| prices.len() > 1 && first.currency != CurrencyMention::None);
        let before = self.undated(weight.map_or(segment.start, |first| first.span.start)..from);
        let name =
            if weight.is_some() { wording::trimmed(&before, &[], &[Class::BehindItem]) } else { name_in(&before) };
        let either = prices.windows(2).any(|pair| self.is_either(pair[0], pair[1]));
        let is_plain = !name.contains([',', ';', '-']) && !either;
        let is_named = is_last && is_plain && name.chars().any(char::is_alphabetic);
        is_named.then(|| Numbered { price, name: name.to_owned(), currency })
    }
}

/// "gta 6 for 69.99": a plain number behind a name, and behind "for" what can only be the price: it ends the message, is
/// the larger one, and no hour or day.
pub(super) fn take_numbers_of_names(text: &str, amounts: &mut Vec<AmountMention>, reader: Reader) {
    let [number, price] = &amounts[..] else { return };
    let (count, Reading::Exact(value)) = (&text[number.span.clone()], &price.reading) else { return };
    let behind = text[price.span.end..].trim();
    let ends = behind.is_empty() || reader.dates(behind).iter().any(|day| day.span == (0..behind.len()));
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let at_most = |digits: &str, most: u32| digits.parse::<u32>().is_ok_and(|it| it <= most);
    let may_be_time = at_most(whole, 31) && (at_most(decimals, 12) || at_most(whole, 24) && at_most(decimals, 59));
    let is_price = price.currency != CurrencyMention::None || decimals.len() == 2 && !may_be_time;
    let is_larger = parts::scaled(count) < parts::scaled(value);
    let before = wording::words(&text[..number.span.start]).pop();
    let is_of_name = count.bytes().all(|byte| byte.is_ascii_digit())
        && before.is_some_and(|(span, word)| {
            span.end + 1 == number.span.start && !Class::NamingFront.contains(&word) && !Class::For.contains(&word)
        });
    let between = text.get(number.span.end..price.span.start).unwrap_or_default();
    if ends && is_price && is_larger && is_of_name && between.trim().eq_ignore_ascii_case("for") {
        amounts.remove(0);
    }
}
