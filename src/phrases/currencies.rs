//! The signs, codes and words people name currencies with.
//!
//! A sign that several currencies share names all of them; which one is meant is not decided here.

use super::{CurrencyMention, tokens::is_one_of, vocabulary};
use crate::money::Currency;

/// A word, sign or code beside a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub currency: CurrencyMention,
    /// By how many places the number is shifted: pence are -2, `MEUR` is 6.
    pub places: i32,
}

pub(super) fn sign(mark: char) -> Option<Named> {
    let codes: &[&str] = match mark {
        '$' | '＄' | '﹩' => DOLLARS_AND_PESOS,
        '£' | '￡' => &["GBP"],
        '€' => &["EUR"],
        '¥' | '￥' => &["JPY", "CNY"],
        '₹' => &["INR"],
        '¢' | '￠' => return Some(Named { currency: mention(CENTS), places: -2 }),
        '₩' | '￦' => &["KRW"],
        '₺' => &["TRY"],
        '₽' => &["RUB"],
        '₪' => &["ILS"],
        '฿' => &["THB"],
        '₫' => &["VND"],
        '₱' => &["PHP"],
        '₦' => &["NGN"],
        '₴' => &["UAH"],
        '₡' => &["CRC"],
        '₾' => &["GEL"],
        '₭' => &["LAK"],
        '₸' => &["KZT"],
        '₮' => &["MNT"],
        '₵' => &["GHS"],
        '₲' => &["PYG"],
        '֏' => &["AMD"],
        '₼' => &["AZN"],
        '¤' | '؋' | '৳' | '៛' | '﷼' | '\u{20a0}'..='\u{20cf}' => &[],
        _ => return None,
    };
    Some(major(codes))
}

/// A word directly before a sign: `US$`, `nzd$`.
pub(super) fn qualified_sign(word: &str, mark: char) -> Option<Named> {
    if sign('$')? != sign(mark)? {
        return None;
    }
    let code = match word {
        "us" | "u" => "USD",
        "c" | "ca" | "can" | "cdn" => "CAD",
        "a" | "au" | "aus" => "AUD",
        "nz" => "NZD",
        "hk" => "HKD",
        "s" | "sg" => "SGD",
        "r" => "BRL",
        "mex" | "mx" => "MXN",
        "nt" => "TWD",
        "j" => "JMD",
        code => return Currency::parse(code).ok().map(known),
    };
    Currency::parse(code).ok().map(known)
}

/// A currency's word or code. Codes that are also English words only count in capitals, and then are worth asking about.
pub(super) fn word(written: &str, lower: &str) -> Option<Named> {
    // "deux millions d'euros"
    if let Some(codes) = by_name(lower.strip_prefix("d'").unwrap_or(lower)) {
        return Some(major(codes));
    }
    if let Some(codes) = minor_units(lower) {
        return Some(Named { currency: mention(codes), places: -2 });
    }
    // Fish and shoes as well.
    if lower == "soles" {
        return Some(major(&["PEN"]).asked());
    }
    // Egyptian pounds, and an article.
    if written == "LE" {
        return Some(major(&["EGP"]));
    }
    // Feet, unless it is written as forints are.
    if lower == "ft" {
        let forint = major(&["HUF"]);
        return Some(if written == "Ft" { forint } else { forint.asked() });
    }
    if is_one_of(lower, COMMON_CODES) {
        return Currency::parse(lower).ok().map(known);
    }
    let capitals = written.bytes().all(|byte| byte.is_ascii_uppercase());
    if !capitals {
        return None;
    }
    if let Some(code) = written.strip_prefix(['M', 'T']).filter(|code| code.len() == 3) {
        let named = Currency::parse(code).ok()?;
        let places = if written.starts_with('M') { 6 } else { 3 };
        return Some(Named { currency: CurrencyMention::Known(named), places });
    }
    let currency = Currency::parse(written).ok().filter(|_| written.len() == 3)?;
    Some(if is_one_of(lower, ENGLISH_CODES) { major(&[currency.code()]).asked() } else { known(currency) })
}

/// Three letters directly after a number: any currency's code, or one that nobody here knows.
pub(super) fn code_after(written: &str, lower: &str) -> Option<Named> {
    const OTHER_WORDS: [&str; 41] = [
        "gym", "fly", "dry", "spy", "sky", "cry", "shy", "why", "rye", "fry", "try", "sly", "tbh", "btw", "lbs", "pcs",
        "kgs", "mrs", "hrs", "yrs", "mth", "bbq", "kfc", "nhs", "dvd", "tvs", "pts", "wks", "tgi", "pls", "plz", "thx",
        "sms", "pdf", "gps", "vat", "tax", "atm", "lhr", "usb", "led",
    ];
    if written.len() != 3 || !written.bytes().all(|byte| byte.is_ascii_alphabetic()) || is_one_of(lower, ENGLISH_CODES)
    {
        // A name, or lei.
        return matches!(lower, "ron" | "rub").then(|| major(&[&lower.to_uppercase()]).asked());
    }
    if let Ok(currency) = Currency::parse(written) {
        return Some(known(currency));
    }
    let is_day = vocabulary::weekday(lower).is_some() || vocabulary::month(lower).is_some();
    let capitals = written.bytes().all(|byte| byte.is_ascii_uppercase());
    let unspoken = !lower.contains(['a', 'e', 'i', 'o', 'u']);
    let code = (capitals || unspoken) && !is_day && !is_one_of(lower, &OTHER_WORDS);
    code.then_some(Named { currency: CurrencyMention::Ambiguous(Vec::new()), places: 0 })
}

/// "that's all", "mad": a code that is a word as well, and not in capitals.
pub fn is_word_too(code: &str) -> bool {
    ENGLISH_CODES.contains(&code.to_ascii_lowercase().as_str()) && code.bytes().any(|byte| byte.is_ascii_lowercase())
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

const DOLLARS_AND_PESOS: &[&str] = &[
    "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU", "DOP", "JMD", "TTD", "BBD",
    "BSD", "BZD", "BMD", "KYD", "XCD", "GYD", "SRD", "FJD", "BND", "NAD", "LRD", "SBD",
];
const DOLLARS: &[&str] = &[
    "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "JMD", "TTD", "BBD", "BSD", "BZD", "BMD", "KYD", "XCD", "GYD",
    "SRD", "FJD", "BND", "NAD", "LRD", "SBD",
];
const CENTS: &[&str] = &["USD", "EUR", "CAD", "AUD", "NZD", "SGD", "HKD", "ZAR"];
const COMMON_CODES: &[&str] = &[
    "usd", "gbp", "eur", "jpy", "cny", "inr", "chf", "cad", "aud", "nzd", "sek", "nok", "dkk", "isk", "sgd", "hkd",
    "twd", "pln", "czk", "huf", "zar", "aed", "sar", "mxn", "brl", "krw", "ils", "thb", "myr", "php", "idr", "vnd",
    "ngn", "kes", "egp", "pkr", "kwd", "qar", "uah",
];
/// Codes that are words, names or abbreviations as well.
const ENGLISH_CODES: &[&str] = &[
    "all", "amd", "ang", "bam", "bob", "cop", "cup", "cve", "ern", "fkp", "gel", "gip", "kid", "lak", "mad", "mop",
    "mur", "pen", "ron", "rub", "sos", "std", "stn", "top", "try", "wst",
];

/// What goes on from a currency's word as a name: "6 euro car parks", "20 php course". None is for anything.
const NAMED_AFTER: [(&str, Option<&[&str]>); 5] = [
    ("euro", Some(&["car", "disney", "garages", "millions", "star", "tunnel", "parcs", "shop", "wings"])),
    ("dollar", Some(&["shave", "tree", "general", "store", "shop"])),
    ("crown", Some(&["paints", "plaza", "court"])),
    ("php", None),
    ("cad", None),
];

/// A word in small letters that may be of the name behind it.
pub(super) fn may_begin(written: &str, next: &str) -> bool {
    let names = |of: &&(&str, Option<&[&str]>)| of.0 == written;
    NAMED_AFTER.iter().find(names).is_some_and(|(_, with)| with.is_none_or(|with| with.contains(&next)))
}

const RUPEES: &[&str] = &["INR", "PKR", "LKR", "NPR", "MUR", "SCR"];
const KRONER: &[&str] = &["SEK", "NOK", "DKK", "ISK"];
const KRONER_AND_KORUNY: &[&str] = &["SEK", "NOK", "DKK", "ISK", "CZK"];
const FRANCS: &[&str] = &["CHF", "XAF", "XOF", "XPF", "RWF"];
const PESOS: &[&str] = &["MXN", "PHP", "ARS", "CLP", "COP", "UYU", "DOP", "CUP"];
const DINARS: &[&str] = &["KWD", "BHD", "JOD", "IQD", "DZD", "TND", "LYD", "RSD"];
const RIYALS: &[&str] = &["SAR", "QAR", "OMR", "YER", "IRR"];
const SHILLINGS: &[&str] = &["KES", "TZS", "UGX", "SOS"];

/// What several currencies are called alike, of which a person means one. Weights and small coins are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SharedSign(usize);

const SHARED: [(&str, &[&str]); 13] = [
    ("$", DOLLARS_AND_PESOS),
    ("kr", KRONER_AND_KORUNY),
    ("¥", &["JPY", "CNY"]),
    ("rupee", RUPEES),
    ("franc", FRANCS),
    ("peso", PESOS),
    ("dinar", DINARS),
    ("riyal", RIYALS),
    ("shilling", SHILLINGS),
    ("dirham", &["AED", "MAD"]),
    ("lira", &["TRY", "LBP", "SYP"]),
    ("rouble", &["RUB", "BYN"]),
    ("leu", &["RON", "MDL"]),
];

impl SharedSign {
    pub fn named(sign: &str) -> Option<SharedSign> {
        SHARED.iter().position(|(known, _)| *known == sign).map(SharedSign)
    }

    /// What they have in common: "dollars" are no pesos, but both are written "$".
    pub fn of(any: &[Currency]) -> Option<SharedSign> {
        (0..SHARED.len()).map(SharedSign).find(|sign| any.len() > 1 && any.iter().all(|one| sign.is_shared_by(*one)))
    }

    pub fn is_shared_by(self, currency: Currency) -> bool {
        SHARED[self.0].1.contains(&currency.code())
    }

    pub fn as_str(self) -> &'static str {
        SHARED[self.0].0
    }
}

impl std::fmt::Display for SharedSign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The currencies of that name; none where it is one that cannot be used.
pub(super) fn by_name(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "pound" | "pounds" | "quid" | "sterling" => &["GBP"],
        "euro" | "euros" | "euro's" => &["EUR"],
        // Weights too, and books.
        "pfund" | "livre" | "livres" | "libra" | "libras" => &["GBP", "EGP", "LBP", "SYP"],
        "dollar" | "dollars" | "buck" | "bucks" | "dólar" | "dólares" | "dolares" => DOLLARS,
        "yen" | "yens" | "yenes" => &["JPY"],
        "yuan" | "yuans" | "rmb" | "renminbi" | "kuai" | "元" => &["CNY"],
        "rupee" | "rupees" | "rs" | "rupien" | "roupie" | "roupies" | "rupia" | "rupias" => RUPEES,
        "kr" | "crown" | "crowns" => KRONER,
        "krona" | "kronor" => &["SEK", "ISK"],
        "krone" | "kroner" => &["NOK", "DKK"],
        "kronen" | "couronne" | "couronnes" | "coronas" => KRONER_AND_KORUNY,
        "kč" | "koruna" => &["CZK"],
        "franc" | "francs" | "francos" => FRANCS,
        "franken" | "sfr" => &["CHF"],
        "zł" | "zl" | "zloty" | "zlotys" | "zlotych" | "złoty" | "złote" | "złotych" => &["PLN"],
        "lira" | "liras" | "lire" => &["TRY", "LBP", "SYP"],
        "tl" => &["TRY"],
        "won" => &["KRW"],
        "rouble" | "roubles" | "ruble" | "rubles" | "rubel" | "rublos" => &["RUB", "BYN"],
        "shekel" | "shekels" | "schekel" | "nis" => &["ILS"],
        "baht" | "bahts" => &["THB"],
        "dong" => &["VND"],
        "naira" | "nairas" => &["NGN"],
        "peso" | "pesos" => PESOS,
        "dirham" | "dirhams" | "dh" | "dhs" => &["AED", "MAD"],
        "dinar" | "dinars" => DINARS,
        "kd" => &["KWD"],
        "fcfa" => &["XOF", "XAF"],
        "bolívares" | "bolivares" | "bolivars" => &["VES"],
        "pataca" | "patacas" => &["MOP"],
        "pula" => &["BWP"],
        "gourde" | "gourdes" => &["HTG"],
        "cordobas" | "córdobas" => &["NIO"],
        "colones" => &["CRC"],
        "guaraníes" | "guaranies" => &["PYG"],
        "afghani" | "afghanis" => &["AFN"],
        "rp" => &["IDR"],
        "riyal" | "riyals" | "rial" | "rials" => RIYALS,
        "ringgit" | "ringgits" | "rm" => &["MYR"],
        "rupiah" | "rupiahs" => &["IDR"],
        "forint" | "forints" => &["HUF"],
        "leu" | "lei" => &["RON", "MDL"],
        "hryvnia" | "hryvnias" => &["UAH"],
        "shilling" | "shillings" => SHILLINGS,
        "cedi" | "cedis" => &["GHS"],
        "rand" | "rands" => &["ZAR"],
        "taka" => &["BDT"],
        "reais" => &["BRL"],
        "lari" => &["GEL"],
        "tenge" => &["KZT"],
        "kyat" | "kyats" => &["MMK"],
        "kip" => &["LAK"],
        "riel" | "riels" => &["KHR"],
        "tugrik" | "tugriks" | "tögrög" => &["MNT"],
        "birr" => &["ETB"],
        "kwacha" => &["ZMW", "MWK"],
        "manat" => &["AZN", "TMT"],
        "quetzal" | "quetzales" => &["GTQ"],
        "lempira" | "lempiras" => &["HNL"],
        "boliviano" | "bolivianos" => &["BOB"],
        "leva" | "lev" | "lv" | "kuna" | "kunas" | "markka" | "guilder" | "guilders" | "peseta" | "pesetas"
        | "marks" | "drachma" | "drachmas" | "bitcoin" | "bitcoins" | "btc" | "satoshi" | "satoshis" | "eth" => &[],
        _ => return None,
    })
}

/// "dollars 20", "cents 50": what a shop, a dog or a weight may be called as well stands first in a name.
pub(super) fn is_said_first(word: &str) -> bool {
    const IN_NAMES: [&str; 11] =
        ["crown", "sterling", "penny", "pennies", "cent", "livre", "livres", "libra", "libras", "pfund", "couronne"];
    let is_known = by_name(word).or_else(|| minor_units(word)).is_some_and(|codes| !codes.is_empty());
    word.len() > 4 && is_known && !IN_NAMES.contains(&word)
}

fn minor_units(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "pence" | "penny" | "pennies" | "p" => &["GBP"],
        "cent" | "cents" => CENTS,
        "rappen" => &["CHF"],
        "centime" | "centimes" => &["EUR", "CHF", "XAF", "XOF"],
        "céntimo" | "céntimos" | "centimos" => &["EUR", "CRC", "VES"],
        "centavo" | "centavos" => &["MXN", "ARS", "BRL", "CLP", "COP", "PHP", "USD"],
        "paise" | "paisa" => &["INR", "PKR", "NPR"],
        _ => return None,
    })
}

/// One that was named and is not known.
pub(super) fn unusable() -> Named {
    Named { currency: CurrencyMention::Ambiguous(Vec::new()), places: 0 }
}

fn major(codes: &[&str]) -> Named {
    Named { currency: mention(codes), places: 0 }
}

fn known(currency: Currency) -> Named {
    Named { currency: CurrencyMention::Known(currency), places: 0 }
}

pub(super) fn mention(codes: &[&str]) -> CurrencyMention {
    let currencies: Vec<Currency> = codes.iter().filter_map(|code| Currency::parse(code).ok()).collect();
    match currencies[..] {
        [one] => CurrencyMention::Known(one),
        _ => CurrencyMention::Ambiguous(currencies),
    }
}

fn with(mut many: Vec<Currency>, one: Currency) -> Vec<Currency> {
    many.push(one);
    many
}

impl Named {
    pub fn is_known(&self) -> bool {
        matches!(self.currency, CurrencyMention::Known(_))
    }

    /// A currency was named that cannot be used.
    pub fn is_unusable(&self) -> bool {
        matches!(&self.currency, CurrencyMention::Ambiguous(any) if any.is_empty())
    }

    pub fn asked(self) -> Self {
        let currency = match self.currency {
            CurrencyMention::Known(one) => CurrencyMention::Ambiguous(vec![one]),
            other => other,
        };
        Self { currency, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_told_by_its_currencies() {
        for (at, (name, codes)) in SHARED.iter().enumerate() {
            let currencies: Vec<_> = codes.iter().map(|code| Currency::parse(code).unwrap()).collect();
            assert_eq!(SharedSign::of(&currencies), Some(SharedSign(at)), "{name}");
            assert_eq!(SharedSign::named(name), Some(SharedSign(at)), "{name}");
        }
        assert_eq!(SharedSign::of(&[Currency::GBP]), None);
    }
}
