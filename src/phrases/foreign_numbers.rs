//! Whole numbers in German, French and Spanish words, up to a million: "fünfundzwanzig", "quatre-vingt-dix", "treinta y
//! cinco".
//!
//! All words of a number are read, or none of it is: "vingt" of "quatre-vingts" would be another amount.

use super::{
    Language, Reading, spelt,
    tokens::{self, Line},
};

/// Where the number words end, and what they come to; None for words that make no number together.
pub(super) fn cardinal(line: &Line<'_>, at: usize) -> Option<(usize, Option<u64>)> {
    let (end, parts, language) = longest(line, at)?;
    Some((end, sum(&parts, language)))
}

/// The same as an amount, where words that make no number may be major and minor units: "zwölf fünfzig".
pub(super) fn amount(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let (end, parts, language) = longest(line, at)?;
    // Eleven in Spanish, and a word of English.
    let doubtful = line.word(at) == "once" && line.conventions.language != Some(Language::Spanish);
    let linked = (at..end).any(|at| line.mark(at).is_some() || line.is(at, LINKS));
    let reading = match sum(&parts, language) {
        Some(value) if !doubtful => spelt::together(&[value]),
        None if !linked => spelt::together(&parts),
        _ => Reading::Ambiguous(Vec::new()),
    };
    Some((end, reading))
}

const LINKS: &[&str] = &["et", "y", "und"];

fn longest(line: &Line<'_>, at: usize) -> Option<(usize, Vec<u64>, Language)> {
    let languages = [Language::German, Language::French, Language::Spanish].into_iter();
    let runs = languages.filter_map(|language| run(line, at, language).map(|(end, parts)| (end, parts, language)));
    runs.max_by_key(|(end, ..)| *end)
}

/// The longest row of such words, with "et", "y", "und" and hyphens between them.
fn run(line: &Line<'_>, at: usize, language: Language) -> Option<(usize, Vec<u64>)> {
    let word = match language {
        Language::English => return None,
        Language::German => german,
        Language::French => french,
        Language::Spanish => spanish,
    };
    // The French plural comes after a number; by itself it is a coin.
    if line.word(at) == "cents" {
        return None;
    }
    let first = word(line.word(at))?;
    let mut values = vec![first];
    let mut end = at + 1;
    loop {
        let next = match line.mark(end) {
            Some('-') => end + 1,
            _ => line.skip(end, &[], LINKS),
        };
        let Some(value) = word(line.word(next)) else { return Some((end, values)) };
        values.push(value);
        end = next + 1;
    }
}

/// Each part must be smaller than the place before it leaves room for.
fn sum(values: &[u64], language: Language) -> Option<u64> {
    let french = language == Language::French;
    let (mut thousands, mut rest) = (0_u64, 0_u64);
    for &value in values {
        let low = rest % 100;
        rest = match value {
            1000 if thousands == 0 => {
                thousands = rest.max(1) * 1000;
                0
            }
            100 if rest < 10 && (rest == 0 || language != Language::Spanish) => rest.max(1) * 100,
            // "quatre-vingts"
            20 if low == 4 && french => rest - 4 + 80,
            1..=9 if low.is_multiple_of(10) && low != 10 => rest + value,
            // "soixante-dix", "quatre-vingt-quinze"
            10..=19 if french && matches!(low, 60 | 80) => rest + value,
            10..=99 if low == 0 => rest + value,
            101..=999 if rest == 0 => value,
            _ => return None,
        };
    }
    Some(thousands + rest)
}

pub(super) fn german(word: &str) -> Option<u64> {
    // Looking for the parts of a word takes long.
    if !may_be_german(word) {
        return None;
    }
    let part = |part: &str, empty: u64| if part.is_empty() { Some(empty) } else { german_below_thousand(part) };
    match parted(word, "tausend") {
        Some((before, after)) => Some(part(before, 1)? * 1000 + part(after.strip_prefix("und").unwrap_or(after), 0)?),
        None => german_below_thousand(word),
    }
}

/// Most words begin like no number.
pub(super) fn may_be_german(word: &str) -> bool {
    matches!(
        word.as_bytes().first_chunk(),
        Some(
            b"ei"
                | b"zw"
                | b"dr"
                | b"vi"
                | b"f\xc3"
                | b"fu"
                | b"se"
                | b"si"
                | b"ac"
                | b"ne"
                | b"ze"
                | b"el"
                | b"hu"
                | b"ta"
        )
    )
}

fn german_below_thousand(word: &str) -> Option<u64> {
    match parted(word, "hundert") {
        Some((before, after)) => {
            let hundreds = if before.is_empty() { 1 } else { german_digit(before)? };
            let after = after.strip_prefix("und").unwrap_or(after);
            Some(hundreds * 100 + if after.is_empty() { 0 } else { german_below_hundred(after)? })
        }
        None => german_below_hundred(word),
    }
}

fn german_below_hundred(word: &str) -> Option<u64> {
    if let Some(value) = german_digit(word) {
        return Some(value);
    }
    if let Some((unit, tens)) = word.split_once("und") {
        return Some(german_digit(unit)? + german_tens(tens)?);
    }
    Some(match word {
        "zehn" => 10,
        "elf" => 11,
        "zwölf" | "zwoelf" => 12,
        "sechzehn" => 16,
        "siebzehn" => 17,
        _ => {
            return german_tens(word)
                .or_else(|| Some(german_digit(word.strip_suffix("zehn")?)? + 10).filter(|_| !word.starts_with("ein")));
        }
    })
}

fn german_digit(word: &str) -> Option<u64> {
    Some(match word {
        "ein" | "eins" | "eine" | "einen" | "einem" => 1,
        "zwei" | "zwo" => 2,
        "drei" => 3,
        "vier" => 4,
        "fünf" | "fuenf" => 5,
        "sechs" => 6,
        "sieben" => 7,
        "acht" => 8,
        "neun" => 9,
        _ => return None,
    })
}

fn german_tens(word: &str) -> Option<u64> {
    Some(match word {
        "zwanzig" => 20,
        "dreißig" | "dreissig" => 30,
        "vierzig" => 40,
        "fünfzig" | "fuenfzig" => 50,
        "sechzig" => 60,
        "siebzig" => 70,
        "achtzig" => 80,
        "neunzig" => 90,
        _ => return None,
    })
}

fn french(word: &str) -> Option<u64> {
    const ONES: [&str; 16] = [
        "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
        "quatorze", "quinze", "seize",
    ];
    Some(match word {
        "une" => 1,
        "vingt" | "vingts" => 20,
        "trente" => 30,
        "quarante" => 40,
        "cinquante" => 50,
        "soixante" => 60,
        "septante" => 70,
        "huitante" | "octante" => 80,
        "nonante" => 90,
        "cent" | "cents" => 100,
        "mille" => 1000,
        _ => return place(&ONES, word),
    })
}

fn spanish(word: &str) -> Option<u64> {
    const ONES: [&str; 29] = [
        "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece",
        "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós",
        "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
    ];
    const HUNDREDS: [&str; 8] =
        ["doscient", "trescient", "cuatrocient", "quinient", "seiscient", "setecient", "ochocient", "novecient"];
    let hundreds = word.strip_suffix("os").or_else(|| word.strip_suffix("as"));
    if let Some(hundreds) = hundreds.and_then(|stem| place(&HUNDREDS, stem)) {
        return Some((hundreds + 1) * 100);
    }
    Some(match word {
        "un" | "una" => 1,
        "veintiún" | "veintiun" => 21,
        "veintidos" => 22,
        "veintitres" => 23,
        "veintiseis" => 26,
        "dieciseis" => 16,
        "treinta" => 30,
        "cuarenta" => 40,
        "cincuenta" => 50,
        "sesenta" => 60,
        "setenta" => 70,
        "ochenta" => 80,
        "noventa" => 90,
        "cien" | "ciento" => 100,
        "mil" => 1000,
        _ => return place(&ONES, word),
    })
}

fn place(words: &[&str], word: &str) -> Option<u64> {
    tokens::place(words, word).map(|index| index as u64 + 1)
}

/// What stands before and after a part of a word. Most words are too short to have one.
fn parted<'w>(word: &'w str, part: &str) -> Option<(&'w str, &'w str)> {
    if word.len() < part.len() { None } else { word.split_once(part) }
}
