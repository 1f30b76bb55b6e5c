//! The signs, codes and words people name currencies with.
//!
//! A sign that several currencies share names all of them; which one is meant is not decided here.

use super::{CurrencyMention, lexicon::Class, tokens::Line, vocabulary};
use crate::money::Currency;

/// A word, sign or code beside a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub currency: CurrencyMention,
    /// By how many places the number is shifted: pence are -2, `MEUR` is 6.
    pub places: i32,
}

/// The codes of the currencies that are written so; none of a sign that nobody here knows.
fn codes_of(mark: char) -> Option<&'static str> {
    let said = Class::Sign.says(mark.encode_utf8(&mut [0; 4]));
    let is_unknown = matches!(mark, '\u{20a0}'..='\u{20cf}');
    said.or(is_unknown.then_some(""))
}

pub(super) fn is_sign(mark: char) -> bool {
    codes_of(mark).is_some()
}

pub(super) fn sign(mark: char) -> Option<Named> {
    let named = major(codes_of(mark)?);
    Some(if matches!(mark, '¢' | '￠') { Named { places: -2, ..named } } else { named })
}

/// A word directly before a sign: `US$`, `nzd$`.
pub(super) fn qualified_sign(word: &str, mark: char) -> Option<Named> {
    if codes_of(mark)? != codes_of('$')? {
        return None;
    }
    let code = Class::BeforeDollar.says(word).unwrap_or(word);
    Currency::parse(code).ok().map(known)
}

/// A currency's word or code. Codes that are also English words only count in capitals, and then are worth asking about.
pub(super) fn word(written: &str, lower: &str) -> Option<Named> {
    // "deux millions d'euros"
    if let Some(codes) = Class::Currency.says(lower.strip_prefix("d'").unwrap_or(lower)) {
        return Some(major(codes));
    }
    if let Some(codes) = Class::MinorUnit.says(lower) {
        return Some(Named { places: -2, ..major(codes) });
    }
    if let Some(code) = Class::CurrencyAsWritten.says(written) {
        return Some(major(code));
    }
    if let Some(code) = Class::WordOrCurrency.says(lower) {
        return Some(major(code).asked());
    }
    if Class::CommonCode.contains(lower) {
        return Currency::parse(lower).ok().map(known);
    }
    if !is_in_capitals(written) {
        return None;
    }
    if let Some(code) = written.strip_prefix(['M', 'T']).filter(|code| code.len() == 3) {
        let named = Currency::parse(code).ok()?;
        let places = if written.starts_with('M') { 6 } else { 3 };
        return Some(Named { places, ..known(named) });
    }
    let currency = Currency::parse(written).ok().filter(|_| written.len() == 3)?;
    Some(if Class::CodeOrWord.contains(lower) { major(currency.code()).asked() } else { known(currency) })
}

/// The same of the word there. Most words are of no such class, which is known of them without a search.
pub(super) fn at(line: &Line<'_>, at: usize) -> Option<Named> {
    let (written, lower) = (line.tokens.get(at)?.text, line.word(at));
    let known = [Class::Currency, Class::MinorUnit, Class::WordOrCurrency, Class::CommonCode];
    let may_be = line.is(at, known) || lower.starts_with("d'");
    if may_be || is_in_capitals(written) { word(written, lower) } else { None }
}

/// Three letters directly after a number: any currency's code, or one that nobody here knows.
pub(super) fn code_after(line: &Line<'_>, at: usize) -> Option<Named> {
    let (written, lower) = (line.tokens.get(at)?.text, line.word(at));
    if written.len() != 3
        || !written.bytes().all(|byte| byte.is_ascii_alphabetic())
        || Class::CodeOrWord.contains(lower)
    {
        // A name, or lei.
        return Class::CodeOfLeiOrRubles.contains(lower).then(|| major(&lower.to_uppercase()).asked());
    }
    if let Ok(currency) = Currency::parse(written) {
        return Some(known(currency));
    }
    let is_day = vocabulary::weekday(line, at).is_some() || vocabulary::month(line, at).is_some();
    let unspoken = !lower.contains(['a', 'e', 'i', 'o', 'u']);
    let code = (is_in_capitals(written) || unspoken) && !is_day && !Class::NoCode.contains(lower);
    code.then(unusable)
}

fn is_in_capitals(written: &str) -> bool {
    written.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// "that's all", "mad": a code that is a word as well, and not in capitals.
pub fn is_word_too(code: &str) -> bool {
    Class::CodeOrWord.contains(code.to_ascii_lowercase().as_str()) && code.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Both are said of one number: `$10 CAD`.
pub(super) fn combined(first: CurrencyMention, second: CurrencyMention) -> CurrencyMention {
    use CurrencyMention::{Ambiguous, Known, None};
    match (first, second) {
        (None, other) | (other, None) => other,
        (Known(one), Known(other)) if one == other => Known(one),
        (Known(one), Known(other)) => Ambiguous(vec![one, other]),
        (Ambiguous(many), Known(one)) | (Known(one), Ambiguous(many)) if many.contains(&one) => Known(one),
        (Ambiguous(many), Known(one)) | (Known(one), Ambiguous(many)) => Ambiguous(with(many, one)),
        (Ambiguous(many), Ambiguous(others)) => {
            let shared: Vec<Currency> = many.iter().copied().filter(|one| others.contains(one)).collect();
            Ambiguous(if shared.is_empty() { many } else { shared })
        }
    }
}

/// A word in small letters that may be of the name behind it.
pub(super) fn may_begin(written: &str, next: &str) -> bool {
    Class::CodeBeforeName.contains(written) || Class::NamedAfter.senses(next).any(|sense| sense.says == written)
}

/// "dollars 20", "cents 50": what a shop, a dog or a weight may be called as well stands first in a name.
pub(super) fn is_said_first(word: &str) -> bool {
    let codes = Class::Currency.says(word).or_else(|| Class::MinorUnit.says(word));
    let is_known = codes.is_some_and(|codes| !codes.is_empty());
    word.len() > 4 && is_known && !Class::CurrencyInName.contains(word)
}

/// One that was named and is not known.
pub(super) fn unusable() -> Named {
    major("")
}

/// Of currencies with these codes.
pub(super) fn major(codes: &str) -> Named {
    let currencies: Vec<Currency> = codes.split(' ').filter_map(|code| Currency::parse(code).ok()).collect();
    let currency = match currencies[..] {
        [one] => CurrencyMention::Known(one),
        _ => CurrencyMention::Ambiguous(currencies),
    };
    Named { currency, places: 0 }
}

pub(super) fn known(currency: Currency) -> Named {
    Named { currency: CurrencyMention::Known(currency), places: 0 }
}

fn with(mut many: Vec<Currency>, one: Currency) -> Vec<Currency> {
    many.push(one);
    many
}

impl Named {
    pub fn is_known(&self) -> bool {
        matches!(self.currency, CurrencyMention::Known(_))
    }

    pub fn asked(self) -> Self {
        let currency = match self.currency {
            CurrencyMention::Known(one) => CurrencyMention::Ambiguous(vec![one]),
            other => other,
        };
        Self { currency, ..self }
    }
}
