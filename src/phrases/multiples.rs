//! A count of things and the price of one: "3 beers at 5.20", "two tickets at 9.50 each".
//!
//! It does not say that this was paid: "at 5.20" may still be the price of all.

use std::ops::Range;

use super::{
    AmountMention, CurrencyMention, Hedge, HedgeMention, Reading, currencies, day_words,
    lexicon::Class,
    number_words, periods,
    plurals::are_alike,
    tokens::{Kind, Line},
};
use crate::money::{Money, shifted};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiple {
    /// Bytes of the text, from the count to what is said of one.
    pub span: Range<usize>,
    /// The price of one, as its mention.
    pub amount: Range<usize>,
    pub count: u32,
    /// "each", "x": it is the price of one, and not of all.
    pub is_sure: bool,
    price: Reading,
}

impl Multiple {
    /// Whether all of them cost this.
    pub fn comes_to(&self, total: Money) -> bool {
        let price = self.price().and_then(|price| Money::parse(price, total.currency).ok());
        price.is_some_and(|price| price.minor.checked_mul(i64::from(self.count)) == Some(total.minor))
    }

    /// What all of them cost, and one of them.
    pub fn prices(&self) -> Option<[String; 2]> {
        let price = self.price()?;
        let places = price.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let all = price.replace('.', "").parse::<u64>().ok()?.checked_mul(self.count.into())?;
        Some([shifted(&all.to_string(), -i32::try_from(places).ok()?), price.to_owned()])
    }

    /// "9.50 each" is no whole price, so its only reading is in doubt there.
    fn price(&self) -> Option<&str> {
        if let [price] = self.price.all() { Some(price) } else { None }
    }
}

/// More of one thing is a number of something else: "route 140 bus at 2.50".
const MOST: u64 = 99;

/// Only where one count stands before the price, in the same part of the sentence.
pub(super) fn mentions(line: &Line<'_>, amounts: &[AmountMention], hedges: &[HedgeMention]) -> Vec<Multiple> {
    let found = amounts.iter().filter_map(|amount| {
        let first = line.tokens.iter().position(|token| token.span.start >= amount.span.start)?;
        let next =
            line.tokens.iter().position(|token| token.span.start >= amount.span.end).unwrap_or(line.tokens.len());
        let is_price = amount.currency != CurrencyMention::None || line.text[amount.span.clone()].contains(['.', ',']);
        // "photo 10 x 15" is how large it is.
        let multiple = |span, count, is_sure| Multiple {
            span,
            amount: amount.span.clone(),
            count,
            is_sure,
            price: amount.reading.clone(),
        };
        // "cinema tickets 2 x 11.50"
        let is_priced = |at: usize| at > 0 && line.mark(at - 1).is_some_and(currencies::is_sign);
        let times = first.checked_sub(2).filter(|at| !is_priced(*at)).and_then(|at| Some((at, count(line, at)?)));
        if let Some((at, (end, count))) = times
            && line.is(first - 1, Class::MultipliedBy) | line.mark(first - 1).is_some_and(|mark| "×*".contains(mark))
            && (end == first || end == first - 1)
        {
            let span = line.tokens[at].span.start..amount.span.end;
            return Some(multiple(span, count, is_price));
        }
        // "pint 5.80 x 3"; of "3 x 2" either may be the price.
        let is_factor = line.is(next, Class::MultipliedBy) || line.mark(next).is_some_and(|mark| "×*".contains(mark));
        let behind =
            count(line, next + 1).filter(|(end, _)| is_price && is_factor && (line.ends(*end) || line.is_joint(*end)));
        if let Some((end, count)) = behind {
            let span = amount.span.start..line.tokens[end - 1].span.end;
            return Some(multiple(span, count, is_price));
        }
        let said = Class::OfOne.all().iter().find_map(|(phrase, _)| line.whole_phrase(next, phrase));
        // "2 nights at 85 a night"
        let one = line.word(next + 1);
        let is_one_of = |things: usize| line.is(next, Class::AOrPer) && are_alike(one, line.word(things));
        // "2.40 each box" counts boxes.
        let ends = |end: usize| {
            day_words::closes(line, end) || line.is(end, Class::FunctionWord) || periods::begins(line, end)
        };
        let is_each = said.is_some_and(ends);
        let said = said.map(|end| line.span(first, end));
        let hedged =
            hedges.iter().find(|hedge| hedge.hedge == Hedge::Each && hedge.amount.as_ref() == Some(&amount.span));
        let of_one = said.or_else(|| hedged.map(|hedge| hedge.span.clone()))?;
        // "two sandwiches, £3.20 each"
        let clause = match line.clause(first) {
            own if own == first && line.follows_mark(own, ',') => line.clause(own - 1),
            own => own,
        };
        let is_amount = |at: usize| amounts.iter().any(|amount| amount.span.contains(&line.tokens[at].span.start));
        let mut counts = (clause..first).filter(|at| !is_amount(*at)).filter_map(|at| Some((at, count(line, at)?)));
        let (at, (end, count)) = counts.next()?;
        let is_of_things = !line.word(end).is_empty()
            && end < first
            && !line.is(end, Class::BeforeUnitPrice)
            && !line.is(end, Class::For);
        let is_led = at == clause || (clause..at).all(|at| line.is(at, Class::LeadToCount));
        let span = line.tokens[at].span.start..of_one.end.max(amount.span.end);
        // Of "4 friends 20 each" everybody may have paid.
        let is_sure = (is_each || is_one_of(end)) && !line.is(end, Class::Paying);
        (counts.all(|(next, _)| next < end) && is_of_things && (is_led || is_one_of(end)))
            .then(|| multiple(span, count, is_sure))
    });
    found.collect()
}

/// Among how many a price was shared equally: "my half", "split 3 ways".
pub(super) fn parts(line: &Line<'_>, hedges: &[HedgeMention]) -> Option<u32> {
    let mut shared = hedges.iter().filter(|found| found.hedge == Hedge::Shared);
    shared.find_map(|found| {
        let from = |start: usize| line.tokens.iter().position(|token| token.span.start >= start);
        let (first, end) = (from(found.span.start)?, from(found.span.end).unwrap_or(line.tokens.len()));
        let named = (first..end).find_map(|at| line.senses(at, Class::Parts).next()?.number().try_into().ok());
        let counted =
            || count(line, line.skip(end, &[], Class::SplitBetween)).filter(|(end, _)| line.is(*end, Class::Sharers));
        named.or_else(|| counted().map(|(_, count)| count))
    })
}

/// One of so many equal parts of a price, if it has no more than two decimals.
pub fn part_of(price: &str, parts: u32) -> Option<String> {
    let decimals = price.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let all = price.replace('.', "").parse::<u64>().ok()?;
    let more = [0, 2_usize.checked_sub(decimals)?].into_iter().find(|more| {
        let scaled = 10_u64.checked_pow(u32::try_from(*more).unwrap_or(0)).and_then(|ten| all.checked_mul(ten));
        scaled.is_some_and(|scaled| scaled % u64::from(parts) == 0)
    })?;
    let part = all * 10_u64.pow(u32::try_from(more).ok()?) / u64::from(parts);
    Some(shifted(&part.to_string(), -i32::try_from(decimals + more).ok()?))
}

/// Two or more, in digits or in words, and where it ends.
fn count(line: &Line<'_>, at: usize) -> Option<(usize, u32)> {
    let whole = || {
        let is_glued = line.glued(at + 1) && !matches!(line.tokens[at + 1].kind, Kind::Word(_))
            || line.glued(at) && line.mark(at - 1).is_some_and(|mark| ".,".contains(mark));
        Some((at + 1, line.digits(at).filter(|_| !is_glued)?.parse::<u64>().ok()?))
    };
    let (end, count) = whole().or_else(|| number_words::any_cardinal(line, at))?;
    // "3x coffee"
    let end = line.skip(end, &[], Class::MultipliedBy);
    Some((end, u32::try_from(count).ok().filter(|count| (2..=MOST).contains(&u64::from(*count)))?))
}
