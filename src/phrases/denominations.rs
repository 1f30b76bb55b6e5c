//! What stands beside a number and says of what it is: a currency, its sign or its name, and "thousand" or "lakh".

use super::{
    CurrencyMention, DecimalMark, Language, countries,
    currencies::{self, Named},
    day_words::closes,
    hours::is_short_hour,
    lexicon::Class,
    periods,
    tokens::Line,
};

/// A currency stands there.
pub(super) fn is_money(line: &Line<'_>, at: usize) -> bool {
    line.mark(at).is_some_and(currencies::is_sign) || currencies::at(line, at).is_some()
}

/// The currency and the sign before a number.
pub(super) fn leading(line: &Line<'_>, at: usize, free: usize) -> (usize, Option<Named>, bool) {
    let minus = |at: usize| at > free && line.mark(at - 1).is_some_and(|mark| "-–−".contains(mark)) && line.glued(at);
    let inner = usize::from(minus(at));
    let number = at - inner;
    let (mut start, named) = match prefix(line, number, free) {
        Some((start, named)) => (start, Some(named)),
        None => (number, None),
    };
    let outer = usize::from(inner == 0 && minus(start) && line.starts(start - 1));
    let signed = outer == 1 || inner == 1 && (named.is_some() || line.starts(number));
    if signed {
        start -= outer;
    } else {
        start += if named.is_none() { inner } else { 0 };
    }
    (start, named, signed)
}

fn prefix(line: &Line<'_>, at: usize, free: usize) -> Option<(usize, Named)> {
    let before = at.checked_sub(1).filter(|before| *before >= free)?;
    if let Some(mark) = line.mark(before) {
        let led = before.checked_sub(1).filter(|word| *word >= free);
        let by_word = led.and_then(|word| {
            let written = line.tokens[word].text;
            match (line.word(word), mark) {
                // "Rs. 500", "Fr. 3.50"
                ("rs", '.') => currencies::word("rs", "rs"),
                (word, '.') if Class::FrancsWithPoint.contains(word) => Some(currencies::major("CHF")),
                // "S/ 25"
                ("s", '/') if written == "S" && line.glued(before) && line.starts(word) => {
                    Some(currencies::major("PEN").asked())
                }
                // "US$5", "US $5"
                (lower, _) => {
                    let is_code = written.len() > 1 && written.bytes().all(|byte| byte.is_ascii_uppercase());
                    let is_joined = line.glued(before) || line.glued(at) && is_code;
                    currencies::qualified_sign(lower, mark).filter(|_| is_joined)
                }
            }
        });
        if let Some(named) = by_word {
            return Some((before - 1, named));
        }
        return currencies::sign(mark).filter(|named| named.places == 0).map(|named| (before, named));
    }
    // "dollars canadiens 20"
    let behind = before.checked_sub(1).filter(|name| *name >= free).and_then(|name| countries::behind_name(line, name));
    if let Some((_, named)) = behind.filter(|(end, _)| *end == at) {
        return Some((before - 1, named));
    }
    let (written, lower) = (line.tokens[before].text, line.word(before));
    // "R273.00"
    if written == "R" && line.glued(at) && line.starts(before) && line.glued_mark(at + 1) == Some('.') {
        return Some((before, currencies::major("ZAR").asked()));
    }
    let named = currencies::at(line, before).filter(|_| line.starts(before))?;
    if let Some(led) = countries::led_by(line, before, free) {
        return Some(led);
    }
    let short = written.len() <= 4
        && named.places >= 0
        && !Class::NoCurrencyBefore.contains(lower)
        && (lower != "ft" || written == "Ft");
    // "dog pound 20"
    let named = if lower == "pound" && before > 0 { named.asked() } else { named };
    (short || currencies::is_said_first(lower)).then_some((before, named))
}

/// The currency after a number, perhaps with a country before it.
pub(super) fn trailing(line: &Line<'_>, at: usize, prefixed: bool) -> Option<(usize, Named)> {
    if let Some(mark) = line.mark(at) {
        let named = currencies::sign(mark)?;
        // "5 €12", "5 $.50"; but "12 €, gestern"
        let number = at + 1 + usize::from(line.mark(at + 1).is_some_and(|mark| ".-–−".contains(mark)));
        let before_next = line.glued(at + 1) && line.glued(number) && line.digits(number).is_some();
        let of_next = !line.glued(at) && before_next || prefixed && line.digits(at + 1).is_some();
        return (!of_next).then(|| refined(line, at + 1, named));
    }
    // "$20 US"
    if prefixed && let Some(code) = code_of_dollars(line, at).filter(|_| closes(line, at + 1)) {
        return Some((at + 1, code));
    }
    // "12 in euros"
    let is_led = line.word(at) == "in" && currencies::at(line, at + 1).is_some_and(|named| named.places == 0);
    let at = at + usize::from(is_led);
    let token = line.tokens.get(at)?;
    let lower = line.word(at);
    // "40 p.P." is for each of several.
    let english = matches!(line.conventions.language, None | Some(Language::English));
    let shortened = line.glued_mark(at + 1) == Some('.') && line.glued(at + 2) && !line.word(at + 2).is_empty();
    if lower == "p" && (shortened || is_short_hour(line, at.wrapping_sub(1)) || !english && !line.glued(at)) {
        return None;
    }
    let of_next = line.glued(at + 1) && line.digits(at + 1).is_some();
    if of_next || prefixed && line.digits(at + 1).is_some() {
        return None;
    }
    // "shelf 6 ft 30" is so long.
    let is_length = || (0..line.tokens.len()).any(|other| other + 1 != at && line.digits(other).is_some());
    if token.text == "ft" && is_length() {
        return None;
    }
    let is_last = || line.glued(at) && line.ends(at + 1) || closes(line, at + 1) || periods::begins(line, at + 1);
    // "12 ct eggs" are twelve in English.
    let is_cent = || Class::CentOrCarat.contains(lower) && line.conventions.language != Some(Language::English);
    if is_cent() || (lower == "c" || Class::CentOrCarat.contains(lower)) && is_last() {
        return currencies::sign('¢').map(|named| (at + 1, named));
    }
    // "50 Fr." may be a Friday, and "50 Rp" rupiahs.
    let german = line.conventions.language == Some(Language::German);
    if token.text == "Fr" && is_last() {
        let swiss = german && line.conventions.decimal_mark == Some(DecimalMark::Point);
        let named = currencies::major("CHF");
        return Some((at + 1, if swiss { named } else { named.asked() }));
    }
    if token.text == "Rp" && german && is_last() {
        return currencies::word("rappen", "rappen").map(|named| (at + 1, named));
    }
    // "5 HK$", "20 US-$", "45 E£"
    let sign = at + 1 + usize::from(line.glued_mark(at + 1) == Some('-') && line.glued(at + 2));
    if let Some(mark) = line.glued_mark(sign)
        && token.text.len() <= 3
        && token.text.starts_with(char::is_alphabetic)
        && !(line.glued(sign + 1) && line.digits(sign + 1).is_some())
        && currencies::is_sign(mark)
        && scale(line, at, true) == 0
    {
        return Some((sign + 1, currencies::qualified_sign(lower, mark).unwrap_or_else(currencies::unusable)));
    }
    let ends = line.tokens.get(at + 1).is_none_or(|next| next.mark().is_some_and(|mark| ",;.!?".contains(mark)))
        || line.is(at + 1, Class::BehindCode);
    let code = || currencies::code_after(line, at).filter(|named| named.is_known() || ends);
    if let Some(named) = currencies::at(line, at).or_else(code) {
        if let Some(of_country) = countries::behind_name(line, at) {
            return Some(of_country);
        }
        let whole = !line.glued(at + 1) || line.mark(at + 1).is_some();
        let next = line.word(at + 1);
        let goes_on = || !next.is_empty() && !closes(line, at + 1) && !periods::begins(line, at + 1);
        let is_of_name = currencies::may_begin(token.text, next) && goes_on();
        let named = if is_of_name { named.asked() } else { named };
        return whole.then(|| refined(line, at + 1, named));
    }
    countries::before_name(line, at)
}

/// The currency of a line that is "1" and its name.
pub(super) fn currency(line: &Line<'_>) -> CurrencyMention {
    match trailing(line, 1, false) {
        Some((end, named)) if end == line.tokens.len() && named.places == 0 => line.conventions.meant(named.currency),
        _ => CurrencyMention::None,
    }
}

/// By how many places a word after a number makes it larger.
pub(super) fn scale(line: &Line<'_>, at: usize, named: bool) -> i32 {
    let glued = line.glued(at);
    let whole = line.ends(at + 1) || !line.glued(at + 1) || line.mark(at + 1).is_some();
    match line.word(at) {
        _ if !whole => 0,
        "t" if line.mark(at + 1).is_some_and(currencies::is_sign) => 3,
        // "£1.5 m", and nothing behind it that is so long.
        "m" if named && line.ends(at + 1) && line.word(at + 1).is_empty() && line.digits(at + 1).is_none() => 6,
        word if glued && named && Class::ShortMillion.contains(word) => 6,
        word if glued && named && Class::ShortBillion.contains(word) => 9,
        "mil" if line.conventions.language == Some(Language::Spanish) => 3,
        word => Class::Places.sense(word).and_then(|sense| i32::try_from(sense.number()).ok()).unwrap_or(0),
    }
}

/// Past a word that makes a number larger: "2 Mio. €", "2 millions de $".
pub(super) fn past_scale(line: &Line<'_>, at: usize, places: i32) -> usize {
    if places == 0 {
        return at;
    }
    let more = line.glued_mark(at + 1) == Some('.') || places >= 6 && line.word(at + 1) == "de";
    if more && trailing(line, at + 2, false).is_some() { at + 2 } else { at + 1 }
}

/// "20$ CAD", "20 dollars AUD": which of several it is, said behind it.
fn refined(line: &Line<'_>, at: usize, named: Named) -> (usize, Named) {
    let any = match &named.currency {
        CurrencyMention::Ambiguous(any) if any.len() > 1 => any,
        _ => return (at, named),
    };
    let is_one_of = |code: &Named| matches!(code.currency, CurrencyMention::Known(one) if any.contains(&one));
    let closed = line.tokens.get(at).is_some_and(|token| token.text.len() == 3) || closes(line, at + 1);
    match code_of_dollars(line, at).filter(|code| closed && is_one_of(code)) {
        Some(code) => (at + 1, Named { places: named.places, ..code }),
        None => (at, named),
    }
}

/// "US", "CAD": what is written in capitals before a dollar sign, too.
fn code_of_dollars(line: &Line<'_>, at: usize) -> Option<Named> {
    let written = line.tokens.get(at)?.text;
    let is_code = matches!(written.len(), 2 | 3) && written.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code.then(|| currencies::qualified_sign(line.word(at), '$')).flatten()
}
