//! A plain yes, no or pick, read by code: no model decides about a person's money.
//!
//! Only a message that is nothing else counts, in English, German, French or Spanish. "Yes but 45" is not a yes.

/// What a person said about something that waits, by its number if they were shown numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainAnswer {
    Yes(Option<usize>),
    No(Option<usize>),
    Pick(usize),
}

const YES: &[&str] = &[
    "y", "yes", "yep", "yeah", "yup", "ok", "okay", "sure", "correct", "confirm", "confirmed", "approve", "approved",
    "go ahead", "do it", "please do", "yes please", "yes do it", "yes go ahead", "yes confirm", "ok do it",
    "ok go ahead", "okay do it", "sounds good", "looks good", "thats right", "yes thats right", "yes yes",
    "yes yes yes", "ja", "ja bitte", "ja genau", "genau", "einverstanden", "oui", "ouais", "oui merci", "daccord",
    "bien sûr", "cest bon", "si", "sí", "sí por favor", "si por favor", "vale", "claro", "de acuerdo", "👍", "✅",
];

const NO: &[&str] = &[
    "n", "no", "nope", "nah", "cancel", "cancel it", "cancel that", "no cancel", "no thanks", "no thank you", "dont",
    "do not", "no dont", "stop", "never mind", "nevermind", "reject", "rejected", "forget it", "forget that",
    "forget about it", "scrap that", "scrap it", "drop it", "drop that", "bin it", "discard it", "leave it", "no no",
    "no way", "not that one", "not ok", "not now", "not today", "not this time", "not this week", "not this month",
    "not this year", "actually no", "no actually", "keep it", "no keep it", "actually keep it", "no actually keep it",
    "no leave it", "skip", "skip it", "skip this one", "skip this month", "absolutely not", "ok no", "ok cancel",
    "nein", "nein danke", "abbrechen", "lieber nicht", "non", "non merci", "annuler", "annule", "laisse tomber",
    "no gracias", "cancelar", "cancela", "mejor no", "👎", "❌",
];

/// What is said to something that is under way.
const STOP: &[&str] =
    &["stop", "stop it", "stop that", "stop now", "please stop", "stop please", "halt", "abort", "stopp", "arrête"];

pub fn is_stop(message: &str) -> bool {
    let plain: String = message.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).collect();
    STOP.contains(&plain.trim().to_lowercase().as_str())
}

const ORDINALS: &[&str] = &["first", "second", "third", "fourth", "fifth"];

pub fn read(message: &str) -> Option<PlainAnswer> {
    if message.contains('?') {
        return None;
    }
    let words = plain_words(message);
    if YES.contains(&words.as_str()) {
        return Some(PlainAnswer::Yes(None));
    }
    if NO.contains(&words.as_str()) {
        return Some(PlainAnswer::No(None));
    }
    if let Some(n) = pick(&words) {
        return Some(PlainAnswer::Pick(n));
    }
    let (first, rest) = words.split_once(' ')?;
    let n = pick(rest.strip_prefix("to ").unwrap_or(rest))?;
    match first {
        "yes" | "approve" | "confirm" => Some(PlainAnswer::Yes(Some(n))),
        "no" | "cancel" | "reject" => Some(PlainAnswer::No(Some(n))),
        _ => None,
    }
}

/// "No, the other one": a no to what was shown, and what is meant instead.
pub fn goes_on_after_no(message: &str) -> bool {
    let words = message.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = words.find(|c: char| !c.is_alphanumeric()).unwrap_or(words.len());
    let (first, rest) = words.split_at(end);
    let breaks = rest.trim_start().starts_with([',', '.', ';', ':', '!', '–', '—', '-']);
    let goes_on = rest.chars().any(char::is_alphanumeric);
    breaks && goes_on && NO.contains(&first.to_lowercase().as_str())
}

fn plain_words(message: &str) -> String {
    let kept = message.to_lowercase().replace(['\'', '’'], "");
    let kept =
        kept.replace(|c: char| (c.is_ascii_punctuation() || matches!(c, '¡' | '¿')) && c != '#' && c != '-', " ");
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pick(words: &str) -> Option<usize> {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let words = words.strip_suffix(" one").unwrap_or(words);
    let words = words.strip_prefix("number ").unwrap_or(words);
    let ordinal = ORDINALS.iter().position(|ordinal| *ordinal == words).map(|n| n + 1);
    ordinal.or_else(|| words.strip_prefix('#').unwrap_or(words).parse().ok().filter(|n| (1..=5).contains(n)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{PlainAnswer::*, *};

    #[rstest]
    #[case("no, the other one", true)]
    #[case("Nope. Tea 2", true)]
    #[case("nein, Tee 2", true)]
    #[case("no", false)]
    #[case("No!", false)]
    #[case("no idea, coffee 3", false)]
    #[case("yes, and tea 2", false)]
    #[case("nobody, 3", false)]
    fn a_no_with_something_else_after_it_takes_back_what_was_shown(#[case] message: &str, #[case] expected: bool) {
        assert_eq!(goes_on_after_no(message), expected, "{message}");
    }

    #[rstest]
    #[case("yes", Some(Yes(None)))]
    #[case(" Yes! ", Some(Yes(None)))]
    #[case("OK, do it.", Some(Yes(None)))]
    #[case("that’s right", Some(Yes(None)))]
    #[case("👍", Some(Yes(None)))]
    #[case("Ja, bitte!", Some(Yes(None)))]
    #[case("D’accord.", Some(Yes(None)))]
    #[case("¡Sí!", Some(Yes(None)))]
    #[case("Nein.", Some(No(None)))]
    #[case("Non, merci", Some(No(None)))]
    #[case("no, gracias", Some(No(None)))]
    #[case("not this month", Some(No(None)))]
    #[case("No, actually, keep it!", Some(No(None)))]
    #[case("vielleicht", None)]
    #[case("peut-être", None)]
    #[case("ja, aber 45", None)]
    #[case("ja und Kaffee 3", None)]
    #[case("no", Some(No(None)))]
    #[case("Don't!", Some(No(None)))]
    #[case("cancel", Some(No(None)))]
    #[case("never mind", Some(No(None)))]
    #[case("2", Some(Pick(2)))]
    #[case("the second one", Some(Pick(2)))]
    #[case("yes to 1", Some(Yes(Some(1))))]
    #[case("no 2", Some(No(Some(2))))]
    #[case("reject the first one", Some(No(Some(1))))]
    #[case("yes?", None)]
    #[case("absolutely not", Some(No(None)))]
    #[case("yes but 45", None)]
    #[case("yes and add lunch 12", None)]
    #[case("no, yesterday", None)]
    #[case("not yet", None)]
    #[case("yes 45", None)]
    #[case("yes -1", None)]
    #[case("yesterday", None)]
    #[case("okra 3.50", None)]
    #[case("", None)]
    fn only_a_message_that_is_nothing_else_counts(#[case] message: &str, #[case] expected: Option<PlainAnswer>) {
        assert_eq!(read(message), expected);
    }
}
