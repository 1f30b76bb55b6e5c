//! Questions and orders in German, French and Spanish, put into the English words that the rest of the grammar reads.
//!
//! Only what opens like one of them is touched. Days and amounts stay as they were said, and so do names: what has no
//! English word here is about something, or is refused like any word that is not understood.

use std::sync::LazyLock;

use super::{lists, speech, wording};
use crate::phrases::{Reader, interjections, is_one_of, phrase_length};

/// How a question or an order begins, and what its words are in English.
struct Translation {
    openings: Vec<&'static str>,
    phrases: Vec<(&'static str, &'static str)>,
}

static TRANSLATIONS: LazyLock<[Translation; 3]> = LazyLock::new(|| {
    [include_str!("foreign/de.txt"), include_str!("foreign/fr.txt"), include_str!("foreign/es.txt")]
        .map(Translation::read)
});

impl Translation {
    fn read(file: &'static str) -> Translation {
        let lines = || file.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let pair = |line: &'static str| line.split_once(" =").map(|(phrase, english)| (phrase, english.trim_start()));
        Translation {
            openings: lines().filter(|line| pair(line).is_none()).collect(),
            phrases: lines().filter_map(pair).collect(),
        }
    }
}

/// None for everything else.
pub(super) fn in_english(text: &str, reader: Reader) -> Option<String> {
    if lists::ALL.contains(&wording::trimmed(text, &[], &["bitte"]).to_lowercase().as_str()) {
        return Some("show all expenses".to_owned());
    }
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let lead = determiners(text, &words);
    let open = &said[lead..];
    let opened = TRANSLATIONS.iter().find(|one| one.openings.iter().any(|opening| begins(open, opening)));
    let english = opened.map(|one| translated(text, &words, &one.phrases, reader));
    // But for "my 3 biggest".
    let is_unpriced = || reader.amounts(text).iter().all(|found| found.span.end <= words[lead].0.start);
    match english.filter(|english| !opens_a_name(open, english) || is_unpriced()) {
        Some(english) => Some(english),
        None => {
            added(text, &words).or_else(|| objected(text, &words, reader)).or_else(|| corrected(text, &words, reader))
        }
    }
}

/// How many words lead up to "größten Ausgaben" and its like: "meine 3", "les".
fn determiners(text: &str, words: &[wording::Word<'_>]) -> usize {
    let lead = usize::from(words.first().is_some_and(|(_, word)| is_one_of(word, &lists::DETERMINERS)));
    let count = words.get(lead).is_some_and(|(span, word)| {
        let is_signed = text[..span.start].ends_with(['-', '–', '−']);
        word.len() < 3 && word.bytes().all(|byte| byte.is_ascii_digit()) && !is_signed
    });
    let end = lead + usize::from(count);
    if end < words.len() { end } else { 0 }
}

/// "sans plomb 60", "gastos de envío 5", "résumé 9": with a price, such an opening is of a name, but for "gastos de más de 5".
fn opens_a_name(said: &[&str], english: &str) -> bool {
    const COMPARING: [&str; 3] = [" over ", " under ", " between "];
    (lists::FOREIGN_EDITS.contains(&said[0]) || lists::NOUNS.contains(&said[0]))
        && !COMPARING.iter().any(|comparing| english.contains(comparing))
}

/// "füge Kaffee 3 hinzu": only the verb, so that the name stays as it was said.
fn added(text: &str, words: &[wording::Word<'_>]) -> Option<String> {
    let (verb, _) = words.first().filter(|(_, word)| is_one_of(word, &lists::FOREIGN_VERBS))?;
    let rest = wording::trimmed(
        &text[verb.end..],
        &[],
        &["hinzu", "ein", "bitte", "s'il", "te", "vous", "plaît", "por", "favor"],
    );
    (!rest.is_empty()).then(|| format!("add {rest}"))
}

/// "Kaffee doch 4", "non, plutôt 4", "mach 4 draus", "c'était hier", "nicht 3, sondern 4": an amount or a day after such
/// a word is what was meant instead.
fn corrected(text: &str, words: &[wording::Word<'_>], reader: Reader) -> Option<String> {
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let (at, phrase) = (0..words.len()).find_map(|at| {
        let phrase = lists::FOREIGN_CORRECTING.iter().find(|phrase| begins(&said[at..], phrase))?;
        Some((at, phrase))
    })?;
    let name = wording::trimmed(&text[..words[at].0.start], &lists::ASIDES, &[]);
    let name = wording::trimmed(name, &[], &["me", "m'a"]);
    let is_none = speech::is_filler(name) || is_value(wording::trimmed(name, &["nicht"], &[]), reader);
    let name = if is_none { "" } else { name };
    let rest = text[words[at + phrase.split(' ').count() - 1].0.end..].trim_end_matches(['.', '!']).trim();
    if is_negative(rest) {
        return None;
    }
    let made = rest.strip_suffix("draus").or_else(|| rest.strip_suffix("daraus"));
    // But for "no 42", which is a number of something.
    let meant = made.unwrap_or(rest).trim_start_matches("no,");
    let meant = wording::trimmed(meant, &["à", "de", "a", "era", "c'était", "dicho"], &[]);
    // Without the words around it, it may be German.
    let is_french = ["plutôt", "en fait", "c'était", "était", "étaient"].contains(phrase);
    let meant = if is_french && meant == "hier" { "yesterday" } else { meant };
    if !is_value(meant, reader) || made.is_some() != phrase.starts_with("mach") {
        return None;
    }
    let pointing = name.is_empty() || lists::FOREIGN_POINTING.contains(&name.to_lowercase().as_str());
    Some(if pointing { format!("no, it was {meant}") } else { format!("the {name} was {meant}") })
}

/// "Entschuldigung, 4": a value after an apology or an objection alone.
fn objected(text: &str, words: &[wording::Word<'_>], reader: Reader) -> Option<String> {
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let first = said.iter().take_while(|word| interjections::is_interjection(word)).count();
    let objects = said[..first].iter().any(|word| interjections::takes_back(word));
    let rest = &text[words.get(first.checked_sub(1)?)?.0.end..];
    let value = wording::trimmed(rest, &[], &["bitte"]);
    // An apology refuses nothing that is still asked. After an English no, it is read as it is.
    let lead =
        if said[..first].iter().any(|word| interjections::OBJECTIONS.contains(word)) { "no, it was" } else { "sorry," };
    (objects && said[0] != "no" && !is_negative(rest) && is_value(value, reader)).then(|| format!("{lead} {value}"))
}

/// "-5": its sign is no mark of the sentence.
fn is_negative(rest: &str) -> bool {
    let signed = rest.trim_start_matches([' ', ',', ':', ';', '.', '!']).strip_prefix(['-', '–', '−']);
    signed.is_some_and(|value| value.trim_start().starts_with(|mark: char| !mark.is_alphabetic()))
}

/// One amount or one day, and nothing else.
fn is_value(text: &str, reader: Reader) -> bool {
    let amounts = reader.amounts(text).into_iter().map(|found| found.span);
    let spans: Vec<_> = amounts.chain(reader.dates(text).into_iter().map(|found| found.span)).collect();
    matches!(&spans[..], [span] if *span == (0..text.len()))
}

fn translated(text: &str, words: &[wording::Word<'_>], phrases: &[(&str, &str)], reader: Reader) -> String {
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let days = reader
        .ranges(text)
        .into_iter()
        .map(|found| found.span)
        .chain(reader.dates(text).into_iter().map(|found| found.span));
    let mut days: Vec<_> = days.collect();
    days.sort_by_key(|span| span.start);
    days.dedup();
    let is_day = |at: usize| days.iter().any(|span| span.contains(&words[at].0.start));
    let (mut english, mut at, mut copied) = (String::new(), 0, 0);
    while at < words.len() {
        // The longest comes first.
        let found = phrases.iter().find(|(phrase, _)| !is_day(at) && begins(&said[at..], phrase));
        let (end, put) = match found {
            // What points at nothing behind it points at what was spoken of.
            Some((_, "the")) if at > 0 && at + 1 == words.len() => (at + 1, "that"),
            Some((phrase, put)) => (at + phrase.split(' ').count(), *put),
            None if is_day(at) => (at + 1, ""),
            None => (at + 1, &text[words[at].0.clone()]),
        };
        let between = &text[copied..words[at].0.start];
        // The sign or point of an amount.
        english.push_str(if is_day(at) || between == "-" { " " } else { between });
        english.push_str(put);
        copied = words[end - 1].0.end;
        at = end;
    }
    english.push_str(text[copied..].trim_end_matches(|mark: char| mark == '?' || mark.is_whitespace()));
    english.truncate(english.trim_end().len());
    for day in days {
        english.push(' ');
        english.push_str(&text[day]);
    }
    if text.contains('?') {
        english.push('?');
    }
    english.trim_start_matches(['¿', ' ', '-']).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn begins(said: &[&str], phrase: &str) -> bool {
    phrase_length(phrase, said).is_some()
}

#[cfg(test)]
mod tests {
    use super::{super::tests::reader, *};

    #[test]
    fn corrections_are_put_into_english_around_their_names() {
        for (text, english) in [
            ("Kaffee doch 4", "the Kaffee was 4"),
            ("doch 4", "no, it was 4"),
            ("nicht 3,50 sondern 4,50", "no, it was 4,50"),
            ("no 3 sino 4", "no, it was 4"),
            ("nee, doch 3,50", "no, it was 3,50"),
            ("el taxi me costó 12", "the taxi was 12"),
            ("Entschuldigung, 4,50", "sorry, 4,50"),
            ("ach quatsch! 4,50", "no, it was 4,50"),
            ("désolé 3,50 €", "sorry, 3,50 €"),
            ("perdón, ayer", "sorry, ayer"),
            ("non, 65", "no, it was 65"),
            ("mach 25 draus", "no, it was 25"),
            ("non, plutôt 5", "no, it was 5"),
            ("c'était hier", "no, it was yesterday"),
            ("le café était à 5", "the café was 5"),
            ("der Kaffee war gestern", "the Kaffee was gestern"),
            ("no, fue ayer", "no, it was ayer"),
            ("en realidad 5 €", "no, it was 5 €"),
            ("setze das Budget für Essen auf 200 pro Monat", "set the Budget for Essen to 200 per month"),
            ("füge den Kuchen der Oma 3 hinzu", "add den Kuchen der Oma 3"),
            ("lösche alles", "delete everything"),
            ("supprime-le", "delete that"),
            ("deshazlo", "undo that"),
            ("Liste", "show all expenses"),
        ] {
            assert_eq!(in_english(text, reader()).as_deref(), Some(english), "{text}");
        }
        for text in [
            "mach 3 rasierer 12", "mejor amigo 10", "liste de courses 40", "doch noch Kaffee 3", "Essen im Monat 3",
            "ach 4", "no, 4", "erreur café 4",
        ] {
            assert_eq!(in_english(text, reader()), None, "{text}");
        }
    }

    #[test]
    fn a_change_of_mind_is_put_into_english() {
        for (text, english) in [
            ("sí, pero el café 3", "yes, but the café 3"),
            ("oui mais le café 3", "yes but the café 3"),
            ("ja, aber der Kaffee 3", "yes, but the Kaffee 3"),
            ("vale pero 45", "ok but 45"),
            ("solo el café", "only the café"),
            ("sin el pan", "without the pan"),
            ("seulement le café", "only the café"),
            ("oui, sans le pain", "yes, without the pain"),
            ("nur den Kaffee", "only the Kaffee"),
            ("ohne Kuchen", "without Kuchen"),
            ("nur die über 10", "only the over 10"),
            ("todo menos el pan", "everything except the pan"),
        ] {
            assert_eq!(in_english(text, reader()).as_deref(), Some(english), "{text}");
        }
    }

    #[test]
    fn questions_and_orders_are_put_into_english_around_their_days_and_amounts() {
        for (text, english) in [
            (
                "Wie viel habe ich letzte Woche für Lebensmittel ausgegeben?",
                "how much did i spend for Lebensmittel letzte Woche?",
            ),
            ("was habe ich gestern gekauft?", "what did i buy gestern?"),
            ("zeig meine Ausgaben vom 1. bis 5. November", "show my expenses vom 1. bis 5. November"),
            ("ändere Kaffee auf 3,60 €", "change Kaffee to 3,60 €"),
            ("erhöhe das Budget für Essen um 50", "increase the Budget for Essen by 50"),
            ("sube el presupuesto de comida a 50", "increase the budget of comida to 50"),
            ("lösche das Kino von gestern", "delete the Kino from gestern"),
            ("Combien ai-je dépensé le mois dernier ?", "how much did i spend le mois dernier?"),
            ("supprime le café", "delete the café"),
            ("¿Cuánto gasté en comida esta semana?", "how much did i spend on comida esta semana?"),
            ("cambia el café a 3,60", "change the café to 3,60"),
            ("wie viel habe ich ohne Miete ausgegeben?", "how much did i spend without Miete?"),
            ("Ausgaben über 50", "expenses over 50"),
            ("dépenses de plus de 50", "expenses over 50"),
            ("dépenses supérieures à 50 €", "expenses over 50 €"),
            ("gastos de más de 50", "expenses over 50"),
            ("gastos entre 20 y 50", "expenses between 20 and 50"),
        ] {
            assert_eq!(in_english(text, reader()).map(|it| it.to_lowercase()), Some(english.to_lowercase()), "{text}");
        }
        for text in [
            "Kaffee 3,50 gestern", "coffee 3", "how much did I spend?", "la comida 12", "gastos de envío 5",
            "sans plomb 60", "Solo Pizza 12",
        ] {
            assert_eq!(in_english(text, reader()), None, "{text}");
        }
    }
}
