//! Countries said beside a currency's name: "swiss francs", "dänische Kronen", "dollars canadiens".
//!
//! Which of the currencies of that name it is; a country whose own is called otherwise settles none.

use super::{
    CurrencyMention,
    currencies::{self, Named},
    day_words::closes,
    periods, spelt,
    tokens::Line,
};
use crate::money::Currency;

/// How a country's words begin in the four languages; what is written in capitals is a whole one.
const COUNTRIES: [(&str, &[&str]); 78] = [
    ("USD", &["US", "USA", "americ", "amerik", "améric", "estadounid"]),
    ("CAD", &["canad", "kanad"]),
    ("AUD", &["austral", "aussie", "AU"]),
    ("NZD", &["zealand", "neusee", "néo", "neozel", "kiwi", "NZ"]),
    ("HKD", &["kong", "hongkong", "HK"]),
    ("SGD", &["singap", "SING", "SG"]),
    ("TWD", &["taiw", "NT"]),
    ("JMD", &["jamai"]),
    ("TTD", &["trinid"]),
    ("BBD", &["barbad"]),
    ("BSD", &["baham"]),
    ("BZD", &["beliz"]),
    ("BMD", &["bermud"]),
    ("FJD", &["fiji", "fidschi", "fidji"]),
    ("XCD", &["caribbean"]),
    ("NAD", &["namib"]),
    ("GBP", &["brit", "engl", "angl", "ingl", "sterling", "esterl", "UK", "GB"]),
    ("EGP", &["egypt", "ägypt", "égypt", "egip"]),
    ("LBP", &["leban", "liban"]),
    ("SYP", &["syri", "siri"]),
    ("CHF", &["swiss", "schweiz", "suiss", "suiz"]),
    ("XPF", &["polynes", "pacifi"]),
    ("RWF", &["rwand", "ruand"]),
    ("JPY", &["japan", "japon"]),
    ("CNY", &["chines", "chinois", "china", "chino"]),
    ("INR", &["india", "indis", "indien", "indio"]),
    ("PKR", &["pakist"]),
    ("NPR", &["nepal", "népal"]),
    ("LKR", &["lank"]),
    ("MUR", &["mauriti", "maurici"]),
    ("SCR", &["seychel"]),
    ("MXN", &["mexi"]),
    ("PHP", &["philip", "filip", "pinoy"]),
    ("ARS", &["argent"]),
    ("CLP", &["chile", "chili"]),
    ("COP", &["colomb", "kolumb"]),
    ("UYU", &["urugu"]),
    ("DOP", &["domini"]),
    ("CUP", &["cuba", "kuba"]),
    ("SEK", &["swed", "schwed", "suéd", "sued", "suec"]),
    ("NOK", &["norw", "norv", "norue"]),
    ("DKK", &["danis", "dänis", "danois", "danes"]),
    ("ISK", &["iceland", "island", "isländ"]),
    ("CZK", &["czech", "tschech", "tchèq", "chec"]),
    ("TRY", &["turk", "türk", "turq", "turc"]),
    ("KWD", &["kuwait", "koweit", "koweït"]),
    ("BHD", &["bahr"]),
    ("JOD", &["jordan"]),
    ("IQD", &["iraq", "irak"]),
    ("DZD", &["alger", "argel", "algér"]),
    ("TND", &["tunis", "tunes"]),
    ("LYD", &["liby", "libi"]),
    ("RSD", &["serb"]),
    ("SAR", &["saud", "saoud"]),
    ("QAR", &["qatar", "katar"]),
    ("OMR", &["oman"]),
    ("YER", &["yemen", "jemen"]),
    ("IRR", &["iran"]),
    ("AED", &["emirat", "UAE", "dubai"]),
    ("MAD", &["moroc", "marok", "maroc", "marroq"]),
    ("KES", &["keny", "keni"]),
    ("TZS", &["tansan", "tanzan"]),
    ("UGX", &["ugand", "ougand"]),
    ("SOS", &["somal"]),
    ("RUB", &["rus"]),
    ("BYN", &["belar", "bielor", "biélor"]),
    ("RON", &["roman", "rumän", "roum", "rum"]),
    ("MDL", &["moldo", "moldau", "moldaw"]),
    ("THB", &["thai", "thaï", "tailand"]),
    ("ILS", &["israel", "israél"]),
    ("ZAR", &["african", "südaf", "sudaf"]),
    ("MYR", &["malays", "malais", "malas"]),
    ("PLN", &["poli", "poln", "polon", "pola"]),
    ("KRW", &["korea", "corea", "corée", "südkorea"]),
    ("BRL", &["brazil", "brasil", "brési"]),
    ("GHS", &["ghan"]),
    ("IDR", &["indones", "indonés"]),
    ("KHR", &["cambo", "kambo", "camboy"]),
];

const FUNCTION_WORDS: [&str; 37] = [
    "a", "an", "the", "my", "our", "your", "his", "her", "in", "of", "for", "on", "at", "to", "with", "and", "or",
    "per", "is", "was", "not", "und", "mit", "für", "et", "de", "des", "pour", "y", "por", "para", "en", "el", "la",
    "los", "les", "die",
];

/// Names of currencies that are a shop's, a weight's or a verb's as well.
const IN_NAMES: [&str; 18] = [
    "pound", "buck", "crown", "pfund", "livre", "livres", "libra", "libras", "sterling", "lira", "lire", "won", "rand",
    "lev", "lari", "marks", "kr", "rs",
];

/// "new zealand dollars", "thai baht", "US-Dollar", "u.s. dollars": the words before the currency's name, and the name.
fn known_before_name(line: &Line<'_>, at: usize) -> Option<(usize, Named)> {
    let first = line.word(at);
    if first.is_empty() {
        return None;
    }
    let dotted = first == "u" && line.mark(at + 1) == Some('.') && line.word(at + 2) == "s";
    let led = line.is(at, &["new", "hong", "south", "sri", "saudi", "west", "east", "eastern", "united", "arab"]);
    let country = if dotted { at + 2 } else { at + usize::from(led && !line.word(at + 2).is_empty()) };
    let name = line.skip(country + 1, if dotted { &['.'] } else { &['-'] }, &["arabian", "cfa"]);
    // Most words behind a number lead to no name.
    if !led && currencies::by_name(line.word(name)).is_none() {
        return None;
    }
    of(if dotted { "us" } else { line.word(country) }, line.word(name)).map(|named| (name + 1, named))
}

/// What stands between a number and a currency's name is of the name, even where no country of these is said.
pub(super) fn before_name(line: &Line<'_>, at: usize) -> Option<(usize, Named)> {
    if let Some(known) = known_before_name(line, at) {
        return Some(known);
    }
    let (word, name) = (line.word(at), line.word(at + 1));
    let codes = currencies::by_name(name).filter(|_| word.starts_with(char::is_alphabetic))?;
    let is_adjective = line.is(at, &["french", "dutch"])
        || word.len() > 4 && ["ish", "ian", "ese", "ean"].iter().any(|end| word.ends_with(end));
    let is_said = !IN_NAMES.contains(&name)
        && !line.is(at, &FUNCTION_WORDS)
        && !periods::begins(line, at)
        && spelt::in_words(line, at).is_none();
    let ends = closes(line, at + 2) && line.digits(at + 2).is_none() || periods::begins(line, at + 2);
    // "nigerian naira" are one country's, and which francs the french are is not known.
    let named = match codes {
        [_] if is_adjective => Named { currency: currencies::mention(codes), places: 0 },
        _ if is_adjective => currencies::unusable(),
        _ => Named { currency: currencies::mention(codes), places: 0 }.asked(),
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
    if country == "cfa" && line.is(at, &["franc", "francs"]) {
        return Some((at + 2, Named { currency: currencies::mention(&["XOF", "XAF"]), places: 0 }));
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
    let starts = (at.saturating_sub(4)..at).filter(|start| *start >= free);
    let mut found = starts.filter_map(|start| {
        let (end, named) = known_before_name(line, start).filter(|(end, named)| *end == at + 1 && named.is_known())?;
        (end > start).then_some((start, named))
    });
    found.next()
}

/// "swiss francs": a country's word and the currency's.
fn of(country: &str, name: &str) -> Option<Named> {
    let codes = currencies::by_name(name)?;
    let is_said = |word: &&str| match word.bytes().all(|byte| byte.is_ascii_uppercase()) {
        true => country.eq_ignore_ascii_case(word),
        false => country.starts_with(*word),
    };
    let (code, _) = COUNTRIES.iter().find(|(_, words)| words.iter().any(is_said))?;
    // Pounds and crowns are those of Britain and the north, where no country is said.
    let is_meant = codes.contains(code)
        || matches!(name, "pound" | "pounds") && matches!(*code, "EGP" | "LBP" | "SYP")
        || matches!(name, "crown" | "crowns" | "kroner" | "kronor")
            && matches!(*code, "CZK" | "SEK" | "NOK" | "DKK" | "ISK");
    let currency = Currency::parse(code).ok().filter(|_| is_meant);
    let currency = currency.map_or(CurrencyMention::Ambiguous(Vec::new()), CurrencyMention::Known);
    Some(Named { currency, places: 0 })
}
