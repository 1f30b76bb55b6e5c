//! An answer that is a currency and nothing else.

use super::{adding::Said, drafting, wording};
use crate::{
    money::Currency,
    phrases::{Class, Reader, is_word_too},
};

pub(super) fn currency_alone(answer: &str, reader: Reader) -> Option<Said> {
    let name = wording::trimmed(answer, &[Class::BeforeCurrency], &[Class::Please]);
    if let Some(code) = Currency::parse(name).ok().filter(|_| !is_word_too(name)) {
        return Some(Said::Exactly(code.code().to_owned()));
    }
    Some(drafting::currency(&reader.currency(name))).filter(|said| *said != Said::Nothing)
}
