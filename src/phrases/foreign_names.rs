//! What days, months and spans of days are called in German, French and Spanish.
//!
//! Only what a word can mean, and in which language, never what it means in its sentence.

use jiff::civil::Weekday;

use super::{Language, vocabulary::Unit};

pub(super) const PARTS_OF_DAY: &[&str] = &["morgen", "früh", "vormittag", "mittag", "nachmittag", "abend", "nacht"];

pub(super) fn unit(word: &str) -> Option<Unit> {
    // Most words are none, and this is asked about each of them many times.
    if !begins_with(word, b"twmjdsa") {
        return None;
    }
    Some(match word {
        "tag" | "tage" | "tagen" | "jour" | "jours" | "día" | "días" | "dia" | "dias" => Unit::Day,
        "woche" | "wochen" | "semaine" | "semaines" | "semana" | "semanas" => Unit::Week,
        "monat" | "monate" | "monaten" | "monats" | "mois" | "mes" | "meses" => Unit::Month,
        "jahr" | "jahre" | "jahren" | "jahres" | "an" | "ans" | "année" | "año" | "años" => Unit::Year,
        _ => return None,
    })
}

/// Those that are written as in English are read there.
pub(super) fn month(word: &str) -> Option<(i8, Language)> {
    use Language::{French, German, Spanish};
    const MONTHS: [(&str, i8, Language); 52] = [
        ("januar", 1, German),
        ("jänner", 1, German),
        ("februar", 2, German),
        ("feber", 2, German),
        ("märz", 3, German),
        ("maerz", 3, German),
        ("mär", 3, German),
        ("mai", 5, German),
        ("juni", 6, German),
        ("juli", 7, German),
        ("oktober", 10, German),
        ("okt", 10, German),
        ("dezember", 12, German),
        ("dez", 12, German),
        ("janvier", 1, French),
        ("janv", 1, French),
        ("février", 2, French),
        ("fevrier", 2, French),
        ("févr", 2, French),
        ("fevr", 2, French),
        ("fév", 2, French),
        ("fev", 2, French),
        ("mars", 3, French),
        ("avril", 4, French),
        ("avr", 4, French),
        ("juin", 6, French),
        ("juillet", 7, French),
        ("juil", 7, French),
        ("août", 8, French),
        ("aout", 8, French),
        ("septembre", 9, French),
        ("octobre", 10, French),
        ("novembre", 11, French),
        ("décembre", 12, French),
        ("decembre", 12, French),
        ("déc", 12, French),
        ("enero", 1, Spanish),
        ("febrero", 2, Spanish),
        ("marzo", 3, Spanish),
        ("abril", 4, Spanish),
        ("abr", 4, Spanish),
        ("mayo", 5, Spanish),
        ("junio", 6, Spanish),
        ("julio", 7, Spanish),
        ("agosto", 8, Spanish),
        ("setiembre", 9, Spanish),
        ("septiembre", 9, Spanish),
        ("octubre", 10, Spanish),
        ("noviembre", 11, Spanish),
        ("diciembre", 12, Spanish),
        ("dic", 12, Spanish),
        ("ene", 1, Spanish),
    ];
    let word = word.strip_prefix("d'").unwrap_or(word);
    if !begins_with(word, b"jfmoadsne") || word.len() > 10 {
        return None;
    }
    MONTHS.iter().find(|(name, ..)| *name == word).map(|(_, month, language)| (*month, *language))
}

pub(super) fn weekday(word: &str) -> Option<(Weekday, Language)> {
    use Language::{French, German, Spanish};
    // "Freitagabend", "freitags"
    if !begins_with(word, b"mdfsljv") || word.len() < 5 {
        return None;
    }
    let mut parts = PARTS_OF_DAY.iter().chain(&["s"]).filter_map(|part| word.strip_suffix(part));
    let day = if word.len() > 6 { parts.find(|day| day.ends_with("tag")) } else { None };
    Some(match day.unwrap_or(word) {
        "montag" => (Weekday::Monday, German),
        "dienstag" => (Weekday::Tuesday, German),
        "mittwoch" => (Weekday::Wednesday, German),
        "donnerstag" => (Weekday::Thursday, German),
        "freitag" => (Weekday::Friday, German),
        "samstag" | "sonnabend" => (Weekday::Saturday, German),
        "sonntag" => (Weekday::Sunday, German),
        "lundi" => (Weekday::Monday, French),
        "mardi" => (Weekday::Tuesday, French),
        "mercredi" => (Weekday::Wednesday, French),
        "jeudi" => (Weekday::Thursday, French),
        "vendredi" => (Weekday::Friday, French),
        "samedi" => (Weekday::Saturday, French),
        "dimanche" => (Weekday::Sunday, French),
        "lunes" => (Weekday::Monday, Spanish),
        "martes" => (Weekday::Tuesday, Spanish),
        "miércoles" | "miercoles" => (Weekday::Wednesday, Spanish),
        "jueves" => (Weekday::Thursday, Spanish),
        "viernes" => (Weekday::Friday, Spanish),
        "sábado" | "sabado" => (Weekday::Saturday, Spanish),
        "domingo" => (Weekday::Sunday, Spanish),
        _ => return None,
    })
}

fn begins_with(word: &str, letters: &[u8]) -> bool {
    word.as_bytes().first().is_some_and(|first| letters.contains(first))
}

/// The short forms of weekdays, and whose they are.
pub(super) fn short_weekday(word: &str) -> Option<(Weekday, &'static [Language])> {
    use Language::{French, German, Spanish};
    if word.len() > 4 {
        return None;
    }
    Some(match word {
        "mo" => (Weekday::Monday, &[German]),
        "di" => (Weekday::Tuesday, &[German]),
        "mi" => (Weekday::Wednesday, &[German]),
        "do" => (Weekday::Thursday, &[German]),
        "fr" => (Weekday::Friday, &[German]),
        "sa" => (Weekday::Saturday, &[German]),
        "so" => (Weekday::Sunday, &[German]),
        "lun" => (Weekday::Monday, &[French, Spanish]),
        "mar" => (Weekday::Tuesday, &[French, Spanish]),
        "mer" => (Weekday::Wednesday, &[French]),
        "jeu" => (Weekday::Thursday, &[French]),
        "ven" => (Weekday::Friday, &[French]),
        "sam" => (Weekday::Saturday, &[French]),
        "dim" => (Weekday::Sunday, &[French]),
        "mié" | "mie" => (Weekday::Wednesday, &[Spanish]),
        "jue" => (Weekday::Thursday, &[Spanish]),
        "vie" => (Weekday::Friday, &[Spanish]),
        "sáb" | "sab" => (Weekday::Saturday, &[Spanish]),
        "dom" => (Weekday::Sunday, &[Spanish]),
        _ => return None,
    })
}
