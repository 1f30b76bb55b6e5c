//! How something was paid: "both paid with my debit card", "in cash", "card".
//!
//! Only where nothing else can be meant: a "gift card" is bought, and so is a card that something is spent "on".

use std::ops::Range;

use super::{naming, wording};
use crate::phrases::{Class, CurrencyMention, Hedge, Reader};

/// The words that say how an expense was paid.
pub(super) struct Means {
    /// All of them.
    pub words: Range<usize>,
    /// Those that are noted: without "both", and without "paid" before a bare "cash".
    pub noted: Range<usize>,
    /// "Both", "all".
    pub is_of_all: bool,
    pub says_paid: bool,
}

pub(super) fn of(text: &str, reader: Reader) -> Option<Means> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let prices: Vec<_> = reader.amounts(text).into_iter().map(|price| price.span).collect();
    (0..said.len()).find_map(|first| {
        let clause = Clause::at(text, &words, &said, &prices, first, reader)?;
        (!clause.goes_on() && clause.is_meant()).then(|| clause.means(&words))
    })
}

/// The text without those words.
pub(super) fn without(text: &str, span: &Range<usize>) -> String {
    format!("{}{}", text[..span.start].trim_end_matches([' ', ',', ';', '-']), &text[span.end..])
}

/// "Both paid with my debit card", by the places of its words. What is not said is empty.
struct Clause<'t> {
    text: &'t str,
    reader: Reader,
    said: &'t [&'t str],
    prices: &'t [Range<usize>],
    of_all: Range<usize>,
    paid: Range<usize>,
    lead: Range<usize>,
    kinds: Range<usize>,
    means: usize,
    /// Where it stands in the text.
    span: Range<usize>,
}

impl<'t> Clause<'t> {
    /// The words from there on.
    fn at(
        text: &'t str,
        words: &[wording::Word<'_>],
        said: &'t [&'t str],
        prices: &'t [Range<usize>],
        first: usize,
        reader: Reader,
    ) -> Option<Self> {
        let is = |at: usize, class: Class| said.get(at).is_some_and(|word| class.contains(word));
        let paid = first + usize::from(first > 0 && is(first, Class::OfAll));
        let lead = paid + usize::from(is(paid, Class::PaidByMeans));
        let is_led = is(lead, Class::BeforeMeans) || said.get(lead) == Some(&"on");
        let kinds = lead + usize::from(is_led);
        let alone = |from: usize| Some(from + said.get(from..).and_then(|rest| Class::MeansAlone.length(rest))? - 1);
        let last = (kinds..said.len()).find(|at| !is(*at, Class::KindOfMeans)).unwrap_or(said.len());
        // "con la tarjeta de crédito"
        let means = match alone(kinds).or_else(|| alone(last).filter(|_| is_led)) {
            Some(means) => means,
            None => {
                // "with debit"
                let means = if is(last, Class::Means) { last } else { last.checked_sub(1)? };
                (means >= kinds && is(means, Class::Means)).then_some(means)?
            }
        };
        // "mit Karte bezahlt"
        let end = means + 1 + usize::from(is_led && is(means + 1, Class::PaidByMeans));
        let span = words[first].0.start..words[end - 1].0.end;
        let (of_all, paid, lead, kinds) = (first..paid, paid..lead, lead..kinds, kinds..means);
        Some(Self { text, reader, said, prices, of_all, paid, lead, kinds, means, span })
    }

    fn before(&self) -> &str {
        self.text[..self.span.start].trim_end()
    }

    fn behind(&self) -> &str {
        self.text[self.span.end..].trim_start()
    }

    /// A name goes on behind it.
    fn goes_on(&self) -> bool {
        let behind = self.behind();
        let start = self.text.len() - behind.len();
        let is_price = || self.prices.iter().any(|price| price.start == start);
        let is_day = || self.reader.dates(self.text).iter().any(|day| day.span.start == start);
        let goes_on = behind.starts_with(char::is_alphabetic) && !Class::After.contains(wording::first_word(behind));
        goes_on && !is_price() && !is_day()
    }

    fn is_meant(&self) -> bool {
        match &self.said[self.lead.clone()] {
            ["on"] => self.is_behind_on(),
            [_] => true,
            _ if Class::MeansAlone.length(&self.said[self.kinds.start..]).is_some() => {
                !self.is_led() && naming::is_named(&without(self.text, &self.span))
            }
            _ => self.is_bare(),
        }
    }

    /// A word before it leads to it, that is read with it where both may say how it was paid.
    fn is_led(&self) -> bool {
        let last = self.of_all.start.checked_sub(1).map_or("", |at| self.said[at]);
        Class::BeforeMeans.contains(last) || last == "on"
    }

    /// "both on card", "lunch 12 on amex", "paid 30 on my card for lunch"; "spent 5 at the shop on a card" bought one.
    fn is_behind_on(&self) -> bool {
        let mut kinds = self.kinds.clone();
        let is_sure = kinds.clone().any(|at| !Class::ArticleOfMeans.contains(self.said[at]));
        let is_kind = kinds.any(|at| self.said[at] != "a");
        let is_behind_price = || self.prices.iter().any(|price| price.end == self.before().len());
        is_sure || (is_kind || self.is_of_all() || is_behind_price()) && naming::is_named(self.before())
    }

    /// "9 cash for lunch", "tyres kwik fit 312 card", "dinner 41 on monday, card", "30 for shoes at Clarks card": no word
    /// leads to it, but it stands apart. "£3 card for mum" and "flowers 20, card 3.50" are bought.
    fn is_bare(&self) -> bool {
        let before = wording::words(self.before());
        let (told, last) = before.last().map_or((0, ""), |(span, word)| (span.end, word));
        let currency = || self.reader.currency(last) != CurrencyMention::None;
        let is_number = || last.ends_with(|it: char| it.is_ascii_digit()) || currency();
        if self.is_cash() && (self.says_paid() || is_number()) {
            return true;
        }
        let Some(price) = self.prices.last().map(|price| price.end).filter(|price| *price <= told) else {
            return false;
        };
        let is_day = || self.reader.dates(self.text).iter().any(|day| day.span.end == told);
        // Of several commas it may be one of a list.
        let between = self.text[price..self.span.start].trim_end();
        let is_parted = || between.matches(',').count() == 1 && between.ends_with(',');
        // "pushchair 60 gumtree cash"
        let ends = || self.is_cash() && self.behind().is_empty() && naming::is_named(self.before_price());
        let is_apart =
            price == told || is_day() || is_parted() || self.is_behind_shop(price) || self.is_for_somebody() || ends();
        Class::MeansBehindPrice.contains(self.said[self.means])
            && is_apart
            && (self.prices.len() == 1 || self.is_of_all())
            && naming::is_named(&self.text[..told])
    }

    fn before_price(&self) -> &str {
        self.prices.first().map_or("", |price| &self.text[..price.start])
    }

    fn is_cash(&self) -> bool {
        let means = self.said[self.means];
        Class::Cash.contains(means) || means == "bar" && Class::BehindCash.contains(wording::first_word(self.behind()))
    }

    /// "at Pets at Home card"; "at Tesco gift card" and "at Aldi for a Christmas card" one is bought.
    fn is_behind_shop(&self, price: usize) -> bool {
        let before = &self.before()[price..];
        let words = wording::words(before);
        let lead = words.iter().rposition(|(_, word)| Class::LeadsToShop.contains(word));
        let shop = lead.map_or("", |lead| &before[words[lead].0.end..]);
        let is_name = |word: &str| word.starts_with(char::is_uppercase);
        !shop.is_empty() && !shop.ends_with(',') && shop.split_whitespace().all(is_name)
    }

    /// "52 to the plumber cash"; "a ticket for johnny cash" is bought.
    fn is_for_somebody(&self) -> bool {
        let first = self.of_all.start;
        self.is_cash()
            && (first.saturating_sub(3)..first.saturating_sub(1)).any(|at| Class::MyOrThe.contains(self.said[at]))
    }

    fn is_of_all(&self) -> bool {
        !self.of_all.is_empty()
    }

    fn says_paid(&self) -> bool {
        !self.paid.is_empty()
    }

    fn means(&self, words: &[wording::Word<'_>]) -> Means {
        // "Paid" before a bare "cash" leads to it, and is no part of the note.
        let is_led_by_paid = self.says_paid() && self.lead.is_empty();
        let noted = if is_led_by_paid { self.kinds.start } else { self.paid.start };
        // "Paid cash 9" and "Anna paid cash" need it to be read, "at the Crown paid contactless" does not.
        let is_priced = self.prices.iter().any(|price| price.end <= self.before().len());
        let is_of_payer = || self.reader.hedges(self.text).iter().any(|found| found.hedge == Hedge::NotMine);
        let stays = is_led_by_paid && (!is_priced || is_of_payer());
        let first = if stays { self.kinds.start } else { self.of_all.start };
        let [words, noted] = [first, noted].map(|at| words[at].0.start..self.span.end);
        Means { words, noted, is_of_all: self.is_of_all(), says_paid: self.says_paid() }
    }
}
