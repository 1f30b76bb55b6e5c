//! Amounts of money in a text, with the currency said beside them.
//!
//! A number that is part of a date, a time, an id, a percentage or a quantity is not one. It knows no default currency
//! and no sense of which amounts are likely.

use super::{
    AmountMention, CurrencyMention, Language, Reading,
    currencies::{self, Named},
    day_words::closes,
    doubts::{is_between, is_count, is_doubtful},
    foreign_hours, minor_units, numerals,
    periods::{self, Found},
    shown::unnumbered,
    spelt,
    tokens::{Kind, Line},
    vocabulary,
};
use crate::money::MoneyStyle;

/// Beside what the text says about time.
pub(super) fn mentions(line: &Line<'_>, times: &[Found]) -> Vec<AmountMention> {
    let mut found: Vec<AmountMention> = Vec::new();
    let mut bare = None;
    let (mut at, mut free) = (0, 0);
    while at < line.tokens.len() {
        let token = &line.tokens[at].span;
        let timed = times.iter().any(|time| time.span.start < token.end && token.start < time.span.end);
        // A sign within it is of the time.
        free = if timed { at + 1 } else { free };
        match number(line, at).filter(|_| !timed) {
            Some(number) => match money(line, at, free, number) {
                (end, Some(mention)) => {
                    found.push(mention);
                    (at, free) = (end, end);
                }
                (end, None) => {
                    bare = bare.or_else(|| spelt::price(line, at, end));
                    at = end;
                }
            },
            None => at += 1,
        }
    }
    // Beside another amount it is part of a name: "dinner for four 80".
    if found.is_empty() { bare.into_iter().collect() } else { found }
}

/// A number and where it ends.
struct Number {
    end: usize,
    reading: Reading,
    one_group: Option<char>,
    in_words: bool,
}

fn number(line: &Line<'_>, at: usize) -> Option<Number> {
    if let Some(numeral) = numerals::numeral(&line.tokens, at, line.text) {
        let numerals::Numeral { end, reading, one_group } = numeral;
        return Some(Number { end, reading, one_group, in_words: false });
    }
    let (end, reading) = spelt::number(line, at)?;
    Some(Number { end, reading, one_group: None, in_words: true })
}

/// The mention that the number at `at` is, unless it is no amount of money; and where to go on.
fn money(line: &Line<'_>, at: usize, free: usize, number: Number) -> (usize, Option<AmountMention>) {
    let (start, prefix, negative) = leading(line, at, free);
    let mut places = scale(line, number.end, prefix.is_some());
    let mut end = number.end + usize::from(places > 0);
    let suffix = trailing(line, end, prefix.is_some());
    let mut contradicted = false;
    if let Some((after, named)) = &suffix {
        end = *after;
        // "£3.50p", "9,50p": pounds and pence of one number. "64.2 cents" is a price.
        let decimals = matches!(&number.reading, Reading::Exact(one) if one.contains('.')) && line.glued(number.end);
        let twice = named.places < 0 && (prefix.is_some() || decimals);
        contradicted = twice;
        places += if twice { 0 } else { named.places };
        let scaled = scale(line, end, true);
        if places == 0 && scaled > 0 {
            (places, end) = (scaled, end + 1);
        }
    }
    let named = prefix.is_some() || suffix.is_some();
    let label = label(line, end, &number.reading);
    let is_unnamed = number.in_words && !spelt::is_note(line, number.end);
    if !named && (is_unnamed || is_something_else(line, at, number.end, places, label.is_some())) {
        return (number.end, None);
    }
    if !named
        && places == 0
        && let Some(both) = minor_units::after_number(line, start, number.end, &number.reading)
    {
        return both;
    }
    let prefix_places = prefix.as_ref().map_or(0, |named| named.places);
    let currency = [prefix, suffix.map(|(_, named)| named)]
        .into_iter()
        .flatten()
        .fold(CurrencyMention::None, |currency, named| currencies::combined(currency, named.currency));
    let currency = line.conventions.meant(currency);
    let (past, reading) = match label {
        Some(Label { end, either: Some(either) }) if !named => (Some(end), either),
        Some(Label { end, .. }) => (Some(end), number.reading),
        None => (None, number.reading),
    };
    let reading = grouped(line, reading, number.one_group, &currency, places);
    let mut reading = signed(shifted(reading, places + prefix_places), negative);
    let sign_between = is_between(line, number.end, end);
    let doubt = is_doubtful(line, (start, at), number.end, end, named);
    let major_end = end;
    if named && places == 0 && past.is_none() {
        (end, reading) = minor_units::after_major(line, end, reading);
    }
    if doubt || contradicted || sign_between && end == major_end {
        reading = doubtful(reading);
    }
    (past.unwrap_or(end), Some(AmountMention { span: line.span(start, end), reading, currency }))
}

/// What says which year or week a price was for: "20.00 week 47".
struct Label {
    end: usize,
    /// What was paid, if it may be the number that follows.
    either: Option<Reading>,
}

/// "350 year 9" may be the price for the ninth year, "2 week 40" the one for two weeks.
fn label(line: &Line<'_>, at: usize, reading: &Reading) -> Option<Label> {
    const UNITS: [&str; 24] = [
        "year", "month", "week", "day", "night", "hour", "min", "yr", "wk", "jahr", "monat", "woche", "tag", "stunde",
        "année", "mois", "semaine", "jour", "heure", "año", "mes", "semana", "día", "hora",
    ];
    const PLURALS: [&str; 7] = ["years", "months", "weeks", "days", "nights", "hours", "mins"];
    let (Some(digits), Reading::Exact(value)) = (line.digits(at + 1), reading) else { return None };
    let (is_one, is_many) = (line.is(at, &UNITS), line.is(at, &PLURALS));
    let is_price = value.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 2);
    // "one day 15", "2 hours 5": how long it was.
    let counts = !is_price && (is_many || value == "1");
    let is_whole = line.starts(at + 1) && line.ends(at + 2) && trailing(line, at + 2, false).is_none();
    if !(is_one || is_many) || counts || !is_whole || scale(line, at + 2, false) > 0 || periods::begins(line, at) {
        return None;
    }
    let either = Reading::Ambiguous(vec![value.clone(), digits.to_owned()]);
    Some(Label { end: at + 2, either: (is_many || !is_price).then_some(either) })
}

/// The currency and the sign before a number.
fn leading(line: &Line<'_>, at: usize, free: usize) -> (usize, Option<Named>, bool) {
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
        // "Rs. 500", "Fr. 3.50"
        if mark == '.' && before > free && line.is(before - 1, &["rs", "fr", "sfr"]) {
            let name = if line.word(before - 1) == "rs" { "rs" } else { "chf" };
            return Some((before - 1, currencies::word(name, name)?));
        }
        let qualified = before.checked_sub(1).filter(|word| *word >= free && line.glued(before));
        if let Some(named) = qualified.and_then(|word| currencies::qualified_sign(line.word(word), mark)) {
            return Some((before - 1, named));
        }
        return currencies::sign(mark).filter(|named| named.places == 0).map(|named| (before, named));
    }
    let (written, lower) = (line.tokens[before].text, line.word(before));
    let code = written.len() <= 4
        && !matches!(lower, "p" | "all" | "top" | "won" | "lev" | "rand" | "lari" | "lira" | "lire" | "baht")
        && (lower != "ft" || written == "Ft");
    let named = currencies::word(written, lower).filter(|named| code && named.places >= 0 && line.starts(before))?;
    Some((before, named))
}

/// The currency after a number, perhaps with a country before it.
pub(super) fn trailing(line: &Line<'_>, at: usize, prefixed: bool) -> Option<(usize, Named)> {
    if let Some(mark) = line.mark(at) {
        let named = currencies::sign(mark)?;
        let of_next = !line.glued(at) && line.glued(at + 1) || prefixed && line.digits(at + 1).is_some();
        return (!of_next).then_some((at + 1, named));
    }
    // "12 in euros"
    let at = at
        + usize::from(
            line.word(at) == "in"
                && currencies::word(line.tokens.get(at + 1)?.text, line.word(at + 1))
                    .is_some_and(|named| named.places == 0),
        );
    let token = line.tokens.get(at)?;
    let lower = line.word(at);
    // "40 p.P." is for each of several.
    let english = matches!(line.conventions.language, None | Some(Language::English));
    let shortened = line.glued_mark(at + 1) == Some('.') && line.glued(at + 2) && !line.word(at + 2).is_empty();
    if lower == "p" && (shortened || !english && !line.glued(at)) {
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
    if lower == "c" && line.glued(at) && line.ends(at + 1) {
        return currencies::sign('¢').map(|named| (at + 1, named));
    }
    // "5 HK$"
    if let Some(mark) = line.glued_mark(at + 1)
        && let Some(named) = currencies::qualified_sign(lower, mark)
        && !(line.glued(at + 2) && line.digits(at + 2).is_some())
    {
        return Some((at + 2, named));
    }
    let ends = line.tokens.get(at + 1).is_none_or(|next| next.mark().is_some_and(|mark| ",;.!?".contains(mark)))
        || line.is(at + 1, &["and", "on", "yesterday", "today", "for"]);
    let code = || currencies::code_after(token.text, lower).filter(|named| named.is_known() || ends);
    if line.is(at + 1, &["sterling", "esterlina", "esterlinas"])
        && let Some(named) = currencies::of_country(lower, line.word(at + 1)).filter(Named::is_known)
    {
        return Some((at + 2, named));
    }
    if let Some(named) = currencies::word(token.text, lower).or_else(code) {
        let whole = !line.glued(at + 1) || line.mark(at + 1).is_some();
        let next = line.word(at + 1);
        let goes_on = || !next.is_empty() && !closes(line, at + 1) && !periods::begins(line, at + 1);
        let is_of_name = currencies::may_begin(token.text, next) && goes_on();
        return whole.then(|| (at + 1, if is_of_name { named.asked() } else { named }));
    }
    // "new zealand dollars", "hong kong dollars"
    let country = at + usize::from(line.is(at, &["new", "hong"]));
    let named = currencies::is_country(line.word(country))
        .then(|| currencies::of_country(line.word(country), line.word(country + 1)))??;
    Some((country + 2, named))
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
        "k" if glued => 3,
        "m" | "mn" | "mm" | "mln" if glued && named => 6,
        "b" | "bn" if glued && named => 9,
        "hundred" => 2,
        "thousand" | "grand" | "tausend" => 3,
        "mil" if line.conventions.language == Some(Language::Spanish) => 3,
        "lakh" | "lakhs" => 5,
        "million" | "millions" | "millionen" | "mio" | "millón" | "millones" | "mn" | "mln" => 6,
        "crore" | "crores" => 7,
        "billion" | "bn" => 9,
        "trillion" => 12,
        _ => 0,
    }
}

/// A bare number that is part of a time, an id, a quantity, a range or a name.
/// "1. coffee 3", where a line begins.
fn numbers_a_line(line: &Line<'_>, at: usize) -> bool {
    let marked = line.glued_mark(at + 1).is_some_and(|mark| ".)".contains(mark)) && !line.glued(at + 2);
    let start = line.tokens[at].span.start;
    marked && (at == 0 || line.text[line.tokens[at - 1].span.end..start].contains('\n')) && {
        let own = line.text[start..].lines().next().unwrap_or_default();
        unnumbered(own).len() < own.len()
    }
}

pub(super) fn is_something_else(line: &Line<'_>, at: usize, end: usize, places: i32, labelled: bool) -> bool {
    const IDS: [&str; 20] = [
        "expense", "id", "row", "entry", "number", "no", "nr", "ref", "reference", "invoice", "order", "receipt",
        "route", "platform", "flight", "size", "größe", "taille", "pointure", "talla",
    ];
    const COUNTED: [&str; 62] = [
        "x", "ft", "kg", "g", "gram", "grams", "kilo", "kilos", "mg", "ml", "cl", "l", "litre", "litres", "liter",
        "liters", "lb", "lbs", "oz", "km", "miles", "cm", "mm", "gb", "tb", "people", "pack", "packs", "pcs", "pieces",
        "tickets", "bottles", "times", "expenses", "items", "entries", "rows", "purchases", "transactions", "night",
        "nights", "kids", "children", "adults", "guests", "pint", "pints", "nächte", "nuits", "noches", "personen",
        "personnes", "personas", "friends", "mates", "colleagues", "freunden", "kollegen", "amis", "collègues",
        "amigos", "amigas",
    ];
    // "Cinema 20 kids 8" may be two prices, "babysitter 40 night" has one.
    const FEW: [&str; 17] = [
        "night", "nights", "kids", "children", "adults", "guests", "pint", "pints", "friends", "mates", "colleagues",
        "freunden", "kollegen", "amis", "collègues", "amigos", "amigas",
    ];
    if numbers_a_line(line, at) {
        return true;
    }
    let integer = end == at + 1;
    let glued_before = line.glued(at) && at > 0;
    let joined_before = glued_before
        && match line.tokens[at - 1].kind {
            Kind::Word(_) | Kind::Digits(_) | Kind::OddNumber => true,
            Kind::Mark('#' | '/' | '_' | '@' | '*' | '\\') => true,
            Kind::Mark('-' | ':' | '.' | ',') => {
                line.glued(at - 1)
                    && !matches!(
                        line.tokens.get(at.wrapping_sub(2)).map(|token| &token.kind),
                        Some(Kind::Mark(_)) | None
                    )
                    && !is_dash_after_letter(line, at)
            }
            _ => false,
        };
    let next = end + usize::from(places > 0);
    let joined_after = line.glued(next)
        && match line.tokens[next].kind {
            Kind::Word(_) => places == 0,
            // "9.99/month"
            Kind::Mark('/') => line.glued(next + 1) && vocabulary::unit(line.word(next + 1)).is_none(),
            Kind::Mark(mark) => mark == '%' || ":_-@".contains(mark) && line.glued(next + 1),
            _ => false,
        };
    // "3,50 am 3. März": no time is written with a comma, and to Germans "am" is "on the".
    let german = line.conventions.language == Some(Language::German) || line.text[line.span(at, end)].contains(',');
    let is_hour = line.digits(at).is_some_and(|digits| digits.parse::<u8>().is_ok_and(|hour| hour <= 24));
    let timed = line.word(next) == "am" && !german && !periods::begins(line, next)
        || line.word(next) == "pm" && is_hour
        || line.is(next, &["uhr", "o'clock", "percent", "pct", "hours", "hrs", "hour", "minutes", "mins", "min"])
        || line.mark(next) == Some('%')
        || line.is(next, &["a", "p"]) && line.mark(next + 1) == Some('.') && line.word(next + 2) == "m"
        || integer && line.follows(at, &["at"]) && is_hour && !line.is(next, &["each", "apiece", "per"]);
    let counts = integer && is_count(line, at, next);
    let others = || (0..line.tokens.len()).any(|other| other != at && line.digits(other).is_some());
    let is_many = line.digits(at).and_then(|digits| digits.parse::<u32>().ok()).is_none_or(|count| count > 12);
    let is_price = line.is(next, &FEW) && (is_many || !others());
    let counted = counts && !is_price
        || line.is(next, &COUNTED)
            && !is_price
            && !(line.digits(next + 1).is_some() && (line.word(next) == "times" || !integer))
        || vocabulary::unit(line.word(next)).is_some() && !periods::begins(line, next)
        || foreign_hours::is_length(line, at, next)
        || line.mark(next) == Some('@') && line.digits(next + 1).is_some();
    // "8.50 no 9", "petrol, no 16"
    let refused =
        line.follows(at, &["no"]) && at > 1 && (line.digits(at - 2).is_some() || line.mark(at - 2) == Some(','));
    // "flight 80"; "flight 80 to Berlin" has a number.
    let ends = line.word(next).is_empty() || line.is(next, &["and", "und", "et", "y"]) || periods::begins(line, next);
    let priced = line.follows(at, &["flight"]) && ends;
    let id = integer
        && (line.follows(at, &IDS) && !refused && !priced || line.mark(at.wrapping_sub(1)) == Some('#') && at > 0);
    joined_before
        || joined_after
        || (timed || counted) && !labelled
        || id
        || integer && foreign_hours::is_hour(line, at)
}

/// "lunch:12", "lunch,12": the mark parts the two.
fn is_dash_after_letter(line: &Line<'_>, at: usize) -> bool {
    line.mark(at - 1).is_some_and(|mark| ":,".contains(mark))
        && at >= 2
        && matches!(line.tokens[at - 2].kind, Kind::Word(_))
}

/// What `1,234` is, as far as the currency or the writer's habit tells.
fn grouped(
    line: &Line<'_>,
    reading: Reading,
    one_group: Option<char>,
    currency: &CurrencyMention,
    places: i32,
) -> Reading {
    let (Reading::Ambiguous(options), Some(mark)) = (&reading, one_group) else { return reading };
    let [joined, decimal] = &options[..] else { return reading };
    let few_decimals = match currency {
        CurrencyMention::None => false,
        CurrencyMention::Known(one) => one.exponent() <= 2,
        CurrencyMention::Ambiguous(many) => !many.is_empty() && many.iter().all(|one| one.exponent() <= 2),
    };
    let three_decimals = matches!(currency, CurrencyMention::Known(one) if one.exponent() == 3);
    // A space may also part two numbers: "bus 12 350 yen".
    let parts_so = || !mark.is_whitespace() || line.conventions.style.money == MoneyStyle::SpacedComma;
    let exact = match line.conventions.decimal_mark.map(|own| own.is(mark)) {
        // The writer parts thousands with it; "1.234 million" says otherwise.
        Some(false) if places == 0 && !three_decimals && parts_so() => joined,
        Some(true) if places > 0 || three_decimals => decimal,
        None if mark == ',' && few_decimals && places == 0 => joined,
        None if mark == '.' && (places > 0 || three_decimals) => decimal,
        _ => return reading,
    };
    Reading::Exact(exact.clone())
}

fn shifted(reading: Reading, places: i32) -> Reading {
    if places == 0 {
        return reading;
    }
    map(reading, |decimal| crate::money::shifted(decimal, places))
}

fn signed(reading: Reading, negative: bool) -> Reading {
    if negative { map(reading, |decimal| format!("-{decimal}")) } else { reading }
}

pub(super) fn doubtful(reading: Reading) -> Reading {
    match reading {
        Reading::Exact(one) => Reading::Ambiguous(vec![one]),
        many @ Reading::Ambiguous(_) => many,
    }
}

fn map(reading: Reading, change: impl Fn(&str) -> String) -> Reading {
    match reading {
        Reading::Exact(one) => Reading::Exact(change(&one)),
        Reading::Ambiguous(many) => Reading::Ambiguous(many.iter().map(|one| change(one)).collect()),
    }
}
