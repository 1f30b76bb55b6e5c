//! Which of the amounts that are said is what something cost, and of how much of the text it is the price.

use std::ops::Range;

use super::{Marked, Said, currency, name_in, wording};
use crate::{
    model::offline::{draft::Numbered, fields::is_money, parts},
    money::Currency,
    phrases::{self, AmountMention, Class, CurrencyMention, Reader, Reading},
};

impl Marked<'_> {
    /// "spent 50 on food and drinks": one price, said of all that comes after it. A number there may be a price of its own.
    pub(super) fn is_of_one_price(&self, link: &Range<usize>) -> bool {
        let [price] = &self.amounts[..] else { return false };
        let Some(between) = self.text.get(price.span.end..link.start) else { return false };
        let is_plain = self.text[link.start..].bytes().all(|byte| !byte.is_ascii_digit());
        let is_list = &self.text[link.clone()] != "," || self.is_paid(price, &(0..self.text.len()));
        // "£7.80 sandwich and drink", "Ikea £143 lamp and shelves"; "coffee £3 costa and cake" names a second one.
        let first = wording::first_word(between);
        let names = || {
            let before = self.undated(0..price.span.start);
            let is_shop = !before.contains(' ') && before.starts_with(char::is_uppercase);
            let name = self.undated(price.span.end..link.start);
            is_money(price) && (name_in(&before).is_empty() || is_shop) && name_in(&name).contains(char::is_alphabetic)
        };
        (Class::PaidFor.contains(&first) || names()) && is_plain && is_list
    }

    /// The amounts it may cost. Beside one with a currency, numbers without belong to the name ("2 coffees £7").
    pub(super) fn prices(&self, segment: &Range<usize>) -> Vec<&AmountMention> {
        let all: Vec<_> = self.amounts.iter().filter(|found| segment.contains(&found.span.start)).collect();
        let named: Vec<_> = all.iter().copied().filter(|found| found.currency != CurrencyMention::None).collect();
        // "3 or 4 pounds"
        let is_one_of = all.windows(2).any(|pair| self.is_either(pair[0], pair[1]));
        if let ([named], Some(last)) = (&named[..], all.last())
            && self.may_be_weight(named, last, segment)
        {
            return vec![named, last];
        }
        // "paid 12 for 3 coffees"
        if let [paid, count] = all[..]
            && named.is_empty()
            && self.is_paid(paid, segment)
            && self.text[paid.span.end..count.span.start].trim() == "for"
            && self.text[count.span.end..segment.end].trim_start().starts_with(char::is_alphabetic)
        {
            return vec![paid];
        }
        if named.len() == 1 && !is_one_of { named } else { all }
    }

    /// "spent 12", and not what twelve cost.
    fn is_paid(&self, price: &AmountMention, segment: &Range<usize>) -> bool {
        let before = wording::words(&self.text[segment.start..price.span.start]);
        before.last().is_some_and(|(_, word)| Class::BeforePaid.contains(word))
    }

    /// "5 pound turkey 30", "deux livres pour 20": before a name and another price, a currency's word may be a weight, a
    /// book or what a thing is for.
    fn may_be_weight(&self, named: &AmountMention, last: &AmountMention, segment: &Range<usize>) -> bool {
        if last.currency != CurrencyMention::None || last.span.start < named.span.end {
            return false;
        }
        let (before, said) = (&self.text[segment.start..named.span.start], &self.text[named.span.clone()]);
        let is_word = said.starts_with(char::is_alphanumeric)
            && said
                .split_whitespace()
                .last()
                .is_some_and(|word| word.chars().all(char::is_alphabetic) && Currency::parse(word).is_err());
        is_word
            && !self.is_paid(named, segment)
            && wording::trimmed(before, &[Class::NamingFront], &[Class::BehindItem]).is_empty()
            && self.closes(last, segment)
    }

    /// Nothing but days and courtesies comes after it.
    fn closes(&self, price: &AmountMention, segment: &Range<usize>) -> bool {
        wording::trimmed(&self.undated(price.span.end..segment.end), &[Class::NamingFront], &[Class::BehindItem])
            .is_empty()
    }

    fn undated(&self, part: Range<usize>) -> String {
        let days = self.days(&part).map(|(span, _)| span.start - part.start..span.end - part.start);
        wording::without(&self.text[part.clone()], days, &[Class::NamingLeads])
    }

    /// "3 or 4", "120 reduced to 75", "between 20 and 25": one of them was paid.
    pub(super) fn is_either(&self, first: &AmountMention, second: &AmountMention) -> bool {
        let between = &self.text[first.span.end.min(second.span.start)..second.span.start];
        let lead = self.text[..first.span.start].split_whitespace().next_back().unwrap_or_default().to_lowercase();
        let spans = Class::OpensPair.contains(&lead);
        phrases::takes_back(between) || spans && Class::And.contains(between.trim())
    }

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
