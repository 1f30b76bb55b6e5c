//! What a message says of an expense, as far as it says it.

use serde_json::Value;

use super::wording;
use crate::{
    money::Currency,
    phrases::{Class, CurrencyMention, DateRange, DateReading, Reader, is_word_too},
};

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Draft {
    pub item: Option<String>,
    pub numbered: Option<Numbered>,
    pub amount: Said,
    pub currency: Said,
    pub date: Option<DateReading>,
    /// The days it was one of, where that is all that was said.
    pub within: Option<DateRange>,
    pub category: Option<String>,
    pub notes: Option<String>,
    /// Its parts, as arguments.
    pub lines: Vec<Value>,
}

/// Of two numbers after the name, the second, and the name with the first in it: "iphone 15 999".
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Numbered {
    pub price: String,
    pub name: String,
    pub currency: Said,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Said {
    #[default]
    Nothing,
    /// With a sign that many share, like "$": the tools know which of them is the person's own.
    Shared,
    Exactly(String),
    OneOf(Vec<String>),
}

impl Said {
    pub fn exactly(self) -> Option<String> {
        match self {
            Self::Exactly(text) => Some(text),
            _ => None,
        }
    }
}

/// A bare "$" or "kr" is left to the tools: they know whether the tenant's own currency is one of those.
pub(super) fn currency(mention: &CurrencyMention) -> Said {
    match mention {
        CurrencyMention::None => Said::Nothing,
        CurrencyMention::Known(currency) => Said::Exactly(currency.code().to_owned()),
        CurrencyMention::Ambiguous(many) if many.is_empty() => Said::OneOf(vec![]),
        CurrencyMention::Ambiguous(_) => Said::Shared,
    }
}

/// An answer that is a currency and nothing else.
pub(super) fn currency_alone(answer: &str, reader: Reader) -> Option<Said> {
    let name = wording::trimmed(answer, &[Class::BeforeCurrency], &[Class::Please]);
    if let Some(code) = Currency::parse(name).ok().filter(|_| !is_word_too(name)) {
        return Some(Said::Exactly(code.code().to_owned()));
    }
    Some(currency(&reader.currency(name))).filter(|said| *said != Said::Nothing)
}

/// A name that several currencies share, beside no amount, is asked about: "in dollars".
pub(super) fn settled(name: &str, reader: Reader) -> Option<Said> {
    match (currency_alone(name, reader)?, reader.currency(name)) {
        (Said::Shared, CurrencyMention::Ambiguous(any)) => Some(offered(&any)),
        (said, _) => Some(said),
    }
}

/// The most usual of those that share a sign.
pub(super) fn offered(any: &[Currency]) -> Said {
    const OFFERED: usize = 4;
    Said::OneOf(any.iter().take(OFFERED).map(|one| one.code().to_owned()).collect())
}
