//! An answer that is a currency and nothing else.

use super::{
    draft::{self, Said},
    wording,
};
use crate::{
    money::Currency,
    phrases::{Class, CurrencyMention, Reader, is_word_too},
};

pub(super) fn currency_alone(answer: &str, reader: Reader) -> Option<Said> {
    let name = wording::trimmed(answer, &[Class::BeforeCurrency], &[Class::Please]);
    if let Some(code) = Currency::parse(name).ok().filter(|_| !is_word_too(name)) {
        return Some(Said::Exactly(code.code().to_owned()));
    }
    Some(draft::currency(&reader.currency(name))).filter(|said| *said != Said::Nothing)
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
