//! Countries said beside a currency's name: "swiss francs", "dänische Kronen", "dollars canadiens".
//!
//! Which of the currencies of that name it is; a country whose own is called otherwise settles none.

use super::{
    currencies::{self, Named},
    day_words::closes,
    lexicon::Class,
    periods, spelt,
    tokens::Line,
};
use crate::money::Currency;

/// "new zealand dollars", "thai baht", "US-Dollar", "u.s. dollars": the words before the currency's name, and the name.
fn known_before_name(line: &Line<'_>, at: usize) -> Option<(usize, Named)> {
    let first = line.word(at);
    let dotted = first == "u" && line.mark(at + 1) == Some('.') && line.word(at + 2) == "s";
    let led = line.is(at, Class::BeginsCountry);
    let country = if dotted { at + 2 } else { at + usize::from(led && !line.word(at + 2).is_empty()) };
    let name = line.skip(country + 1, if dotted { &['.'] } else { &['-'] }, Class::WithinCountry);
    of(if dotted { "us" } else { line.word(country) }, line.word(name)).map(|named| (name + 1, named))
}

/// What stands between a number and a currency's name is of the name, even where no country of these is said.
pub(super) fn before_name(line: &Line<'_>, at: usize) -> Option<(usize, Named)> {
    if let Some(known) = known_before_name(line, at) {
        return Some(known);
    }
    let (word, name) = (line.word(at), line.word(at + 1));
    let codes = Class::Currency.says(name).filter(|_| word.starts_with(char::is_alphabetic))?;
    let is_adjective = line.is(at, Class::AdjectiveOfCountry)
        || word.len() > 4 && Class::EndingOfCountry.all().iter().any(|(end, _)| word.ends_with(end));
    let is_said = !Class::CurrencyOrName.contains(name)
        && !line.is(at, Class::FunctionWord)
        && !periods::begins(line, at)
        && spelt::in_words(line, at).is_none();
    let ends = closes(line, at + 2) && line.digits(at + 2).is_none() || periods::begins(line, at + 2);
    // "nigerian naira" are one country's, and which francs the french are is not known.
    let named = match codes.len() {
        3 if is_adjective => currencies::major(codes),
        _ if is_adjective => currencies::unusable(),
        _ => currencies::major(codes).asked(),
    };
    (is_adjective || is_said && ends).then_some((at + 2, named))
}

/// "dollars canadiens", "dollars de hong kong": past the name, where the country follows it.
pub(super) fn behind_name(line: &Line<'_>, at: usize) -> Option<(usize, Named)> {
    if line.word(at + 1) == "de" {
        let country = line.skip(at + 2, &[], &["hong"]);
        return of(line.word(country), line.word(at)).filter(Named::is_known).map(|named| (country + 1, named));
    }
    let country = line.word(at + 1);
    if country == "cfa" && line.is(at, Class::Franc) {
        return Some((at + 2, currencies::major("XOF XAF")));
    }
    let is_one =
        country.ends_with('s') && country != "swiss" || country.starts_with("esterlin") || country == "sterling";
    let named = of(country, line.word(at)).filter(Named::is_known)?;
    // "20 dollars jamaican" may be of the food.
    if !is_one && country.len() > 4 && closes(line, at + 2) {
        return Some((at + 2, named.asked()));
    }
    (is_one && (country != "us" || line.tokens[at + 1].text == "US")).then_some((at + 2, named))
}

/// "canadian dollars 20": the words of a country that end before the name at `at`.
pub(super) fn led_by(line: &Line<'_>, at: usize, free: usize) -> Option<(usize, Named)> {
    (at.saturating_sub(4).max(free)..at).find_map(|start| {
        let (end, named) = known_before_name(line, start)?;
        (end == at + 1 && named.is_known()).then_some((start, named))
    })
}

/// "swiss francs": a country's word and the currency's.
fn of(country: &str, name: &str) -> Option<Named> {
    let codes = Class::Currency.says(name)?;
    let is_said = |word: &str| match word.bytes().all(|byte| byte.is_ascii_uppercase()) {
        true => country.eq_ignore_ascii_case(word),
        false => country.starts_with(word),
    };
    let (_, sense) = Class::Country.all().iter().find(|(word, _)| is_said(word))?;
    let code = sense.says;
    // Pounds and crowns are those of Britain and the north, where no country is said.
    let is_meant = codes.contains(code)
        || Class::WeightOrMoney.contains(name) && matches!(code, "EGP" | "LBP" | "SYP")
        || Class::Crown.contains(name) && matches!(code, "CZK" | "SEK" | "NOK" | "DKK" | "ISK");
    let currency = Currency::parse(code).ok().filter(|_| is_meant);
    Some(currency.map_or_else(currencies::unusable, currencies::known))
}
