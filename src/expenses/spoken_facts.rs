//! The facts in the person's messages. Proposed changes are checked against them.

use std::ops::Range;

use serde_json::{Value, json};

use super::expense::{KIND, words};
use crate::{
    money::{Currency, Money},
    phrases::{self, CurrencyMention, Multiple, RangeMention, Reading, frequency},
    proposal::{Note, NoteKind},
    tool::ToolContext,
};

pub struct SpokenFacts<'a> {
    pub context: &'a ToolContext<'a>,
    /// All messages as normalised words.
    pub words: String,
    /// Amounts that no change has used yet, newest first.
    pub amounts: Vec<SpokenAmount>,
    pub dates: Vec<jiff::civil::Date>,
    /// The person said something about the time, even if not the exact day.
    pub timed: bool,
    pub several: bool,
    /// Prefix of the kind of record that is checked.
    pub kind: &'static str,
}

pub struct SpokenAmount {
    pub text: String,
    pub span: Range<usize>,
    pub reading: Reading,
    pub currency: CurrencyMention,
    /// Index of the message.
    pub message: usize,
    /// Of which it may be the price of one.
    multiple: Option<Multiple>,
}

impl<'a> SpokenFacts<'a> {
    pub fn new(context: &'a ToolContext<'a>, several: bool) -> SpokenFacts<'a> {
        let (mut amounts, mut dates, mut timed) = (Vec::new(), Vec::new(), false);
        for (n, text) in context.user_messages.iter().enumerate().rev() {
            let multiples = context.reader().multiples(text);
            amounts.extend(context.reader().amounts(text).into_iter().map(|mention| SpokenAmount {
                text: text[mention.span.clone()].to_owned(),
                multiple: multiples.iter().find(|found| found.amount == mention.span).cloned(),
                span: mention.span,
                reading: mention.reading,
                currency: mention.currency,
                message: n,
            }));
            let said = context.reader().dates(text);
            // "Rent for October", in November: it may have been paid then.
            let is_when = |found: &RangeMention| {
                found.range.to < context.today || !phrases::is_paid_for(text, found, context.today)
            };
            timed |= !said.is_empty() || context.reader().ranges(text).iter().any(is_when);
            dates.extend(said.iter().filter_map(|mention| mention.reading.only()));
        }
        let words = words(&context.user_messages.join(" ").replace('@', " at "));
        SpokenFacts { context, words, amounts, dates, timed, several, kind: KIND }
    }

    /// Uses up one spoken amount, so that an amount said once supports one change only.
    pub fn match_amount(&mut self, money: Money, existing: Option<Money>) -> Option<Note> {
        let code = money.currency.code();
        let kept = existing.is_some_and(|existing| existing.currency == money.currency);
        let is_said = || self.is_said_currency(money.currency);
        let same = |existing: Money| Money::parse(&existing.decimal(), money.currency) == Ok(money);
        if !kept && existing.is_some_and(same) && is_said() {
            return None;
        }
        let answered = || answered_currency(self.context) == Some(money.currency);
        let understood = || kept || self.context.currency == Some(code) || answered() || is_said();
        let found = |understood| self.amounts.iter().position(|spoken| spoken.is(money, understood));
        // An amount that was said with the currency needs no other word for it.
        let Some(index) = found(false).or_else(|| found(true)) else {
            return Some(Note::assumed(self.kind, "amount", money_fields(money)));
        };
        let is_understood = self.amounts[index].is(money, false) || understood();
        let spoken = self.amounts.remove(index);
        (!is_understood).then(|| Note::assumed(self.kind, "currency", code).said(spoken.text))
    }

    /// By code or by name.
    pub fn is_said_currency(&self, currency: Currency) -> bool {
        let reader = self.context.reader();
        let signs = self.context.user_messages.iter().flat_map(|text| text.split_whitespace());
        self.words.split_whitespace().chain(signs).any(|word| {
            word.eq_ignore_ascii_case(currency.code()) || reader.currency(word) == CurrencyMention::Known(currency)
        })
    }

    /// Today counts as said, unless the person said something else about the time.
    pub fn is_said_date(&self, date: jiff::civil::Date) -> bool {
        self.dates.contains(&date) || !self.timed && date == self.context.today
    }

    /// All words of the text, singular or plural.
    pub fn is_said(&self, text: &str) -> bool {
        words(text)
            .split_whitespace()
            .all(|word| ["", "s", "es"].iter().any(|ending| has_word(&self.words, &format!("{word}{ending}"))))
    }
}

impl SpokenAmount {
    /// `understood`: the currency may be left unsaid.
    pub fn is(&self, money: Money, understood: bool) -> bool {
        let currency = match &self.currency {
            CurrencyMention::None => understood,
            CurrencyMention::Known(currency) => *currency == money.currency,
            CurrencyMention::Ambiguous(any) => any.contains(&money.currency) && understood,
        };
        currency && (self.is_exactly(money) || self.multiple.as_ref().is_some_and(|multiple| multiple.comes_to(money)))
    }

    fn is_exactly(&self, money: Money) -> bool {
        let amount = match &self.reading {
            Reading::Exact(amount) => amount,
            // "Twelve fifty": as a price it is said so.
            Reading::Ambiguous(options) => match options.as_slice() {
                [price, _] if self.is_in_words() && decimals(price) == 2 => price,
                _ => return false,
            },
        };
        Money::parse(amount, money.currency) == Ok(money)
    }

    fn is_in_words(&self) -> bool {
        !self.text.contains(|mark: char| mark.is_numeric())
    }
}

fn decimals(amount: &str) -> usize {
    amount.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The currency, if the last message is an answer that names only a currency.
pub fn answered_currency(context: &ToolContext<'_>) -> Option<Currency> {
    const AROUND: [&str; 8] = ["in", "it", "its", "was", "were", "is", "all", "please"];
    let [_, .., answer] = context.user_messages else { return None };
    let spoken = words(answer);
    let name = spoken.split_whitespace().filter(|word| !AROUND.contains(word)).collect::<Vec<_>>().join(" ");
    if let Ok(currency) = Currency::parse(&name) {
        return Some(currency);
    }
    let sign = if name.is_empty() { answer.trim() } else { name.as_str() };
    match context.reader().currency(sign) {
        CurrencyMention::Known(currency) => Some(currency),
        _ => None,
    }
}

/// Whether one of the readings is this amount.
pub fn can_mean(reading: &Reading, money: Money) -> bool {
    reading.all().iter().any(|amount| Money::parse(amount, money.currency) == Ok(money))
}

/// `words` must come from [`words`].
pub fn has_word(words: &str, word: &str) -> bool {
    words.contains(&format!(" {word} "))
}

/// The messages without rates such as "a month", for an amount per period.
pub fn by_the_period(context: &ToolContext<'_>) -> Vec<String> {
    context.user_messages.iter().map(|said| frequency::without_rates(said)).collect()
}

/// A note about a value of an expense.
pub fn assumed(field: &str, value: impl Into<Value>) -> Note {
    Note::assumed(KIND, field, value)
}

/// A note about what the person said and what is not proposed: texts, or rows by `id` or `item`.
pub fn also_said(values: Vec<impl Into<Value>>) -> Note {
    let values: Vec<Value> = values.into_iter().map(Into::into).collect();
    Note::new(NoteKind::LeftOut, KIND, "said", values).because("also_said")
}

/// The fields of a record that have its amount.
pub fn money_fields(money: Money) -> Value {
    json!({ "minor": money.minor, "currency": money.currency.code() })
}
