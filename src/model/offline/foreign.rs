//! Questions and orders in German, French and Spanish, put into the English words that the rest of the grammar reads.
//!
//! Only what opens like one of them is touched. Days and amounts stay as they were said, and so do names: what has no
//! English word here is about something, or is refused like any word that is not understood.

use std::ops::Range;

use super::{speech, wording};
use crate::phrases::Reader;

/// A phrase, and what it is in English.
type Phrases = &'static [(&'static str, &'static str)];

/// None for everything else.
pub(super) fn in_english(text: &str, reader: Reader) -> Option<String> {
    const ALL: [&str; 8] = [
        "liste",
        "alle ausgaben",
        "meine ausgaben",
        "toutes mes dépenses",
        "mes dépenses",
        "lista",
        "todos mis gastos",
        "mis gastos",
    ];
    if ALL.contains(&wording::trimmed(text, &[], &["bitte"]).to_lowercase().as_str()) {
        return Some("show all expenses".to_owned());
    }
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    let opened = LANGUAGES.iter().find(|(openings, _)| openings.iter().any(|opening| begins(&said, opening)));
    match opened {
        Some((_, phrases)) => Some(translated(text, &words, phrases, reader)),
        None => corrected(text, &words, reader).or_else(|| how_often(text, &words)),
    }
}

/// "Kaffee doch 4", "non, plutôt 4", "mach 4 draus": what is said of an amount after such a word is its correction.
fn corrected(text: &str, words: &[(Range<usize>, String)], reader: Reader) -> Option<String> {
    const CORRECTING: [&str; 7] = ["doch", "plutôt", "mejor", "en fait", "en realidad", "mach", "mache"];
    let said: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    let (at, phrase) = (0..words.len()).find_map(|at| {
        let phrase = CORRECTING.iter().find(|phrase| begins(&said[at..], phrase))?;
        Some((at, phrase))
    })?;
    let name = wording::trimmed(&text[..words[at].0.start], &speech::ASIDES, &["war", "était", "era"]);
    let rest = text[words[at + phrase.split(' ').count() - 1].0.end..].trim_end_matches(['.', '!']).trim();
    let made = rest.strip_suffix("draus").or_else(|| rest.strip_suffix("daraus"));
    let amount = made.unwrap_or(rest).trim();
    let [found] = &reader.amounts(amount)[..] else { return None };
    let alone = found.span == (0..amount.len()) && made.is_some() == phrase.starts_with("mach");
    alone.then(|| if name.is_empty() { format!("no, it was {amount}") } else { format!("the {name} was {amount}") })
}

/// "Miete 900 jeden Monat": an expense that says how often.
fn how_often(text: &str, words: &[(Range<usize>, String)]) -> Option<String> {
    const RATES: Phrases = &[
        ("jeden monat", "every month"),
        ("jede woche", "every week"),
        ("jedes jahr", "every year"),
        ("monatlich", "every month"),
        ("wöchentlich", "every week"),
        ("jährlich", "every year"),
        ("pro monat", "every month"),
        ("im monat", "every month"),
        ("pro woche", "every week"),
        ("pro jahr", "every year"),
        ("chaque mois", "every month"),
        ("chaque semaine", "every week"),
        ("chaque année", "every year"),
        ("par mois", "every month"),
        ("par semaine", "every week"),
        ("par an", "every year"),
        ("cada mes", "every month"),
        ("cada semana", "every week"),
        ("cada año", "every year"),
        ("al mes", "every month"),
        ("por mes", "every month"),
        ("a la semana", "every week"),
        ("por semana", "every week"),
        ("al año", "every year"),
        ("mensuel", "every month"),
        ("mensuelle", "every month"),
        ("hebdomadaire", "every week"),
        ("annuel", "every year"),
        ("annuelle", "every year"),
        ("mensual", "every month"),
        ("semanal", "every week"),
        ("anual", "every year"),
    ];
    let said: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    (0..words.len()).find_map(|at| {
        let is_meant = |phrase: &str| phrase != "im monat" || said.contains(&"budget");
        let (phrase, put) = RATES.iter().find(|(phrase, _)| begins(&said[at..], phrase) && is_meant(phrase))?;
        let last = at + phrase.split(' ').count() - 1;
        Some(format!("{}{put}{}", &text[..words[at].0.start], &text[words[last].0.end..]))
    })
}

fn translated(text: &str, words: &[(Range<usize>, String)], phrases: Phrases, reader: Reader) -> String {
    let said: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
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
    let mut words = phrase.split(' ');
    let mut said = said.iter();
    words.all(|word| said.next().is_some_and(|said| *said == word))
}

/// How a question or an order begins, and what its words are.
const LANGUAGES: [(&[&str], Phrases); 3] = [
    (
        &[
            "wie viel",
            "wieviel",
            "wie viele",
            "was habe ich",
            "was haben wir",
            "zeig",
            "zeige",
            "lösche",
            "lösch",
            "entferne",
            "ändere",
            "ändre",
            "mach das rückgängig",
            "mache das rückgängig",
            "rückgängig",
            "nimm das zurück",
        ],
        &[
            ("mach das rückgängig", "undo that"),
            ("mache das rückgängig", "undo that"),
            ("rückgängig machen", "undo that"),
            ("rückgängig", "undo that"),
            ("nimm das zurück", "undo that"),
            ("die letzte ausgabe", "that"),
            ("den letzten eintrag", "that"),
            ("alles", "everything"),
            ("auf", "to"),
            ("wie viel habe ich", "how much did i spend"),
            ("wieviel habe ich", "how much did i spend"),
            ("wie viel haben wir", "how much did we spend"),
            ("was habe ich", "what did i buy"),
            ("was haben wir", "what did we buy"),
            ("wie viel", "how much"),
            ("wieviel", "how much"),
            ("wie viele", "how many"),
            ("habe ich", "did i"),
            ("ausgegeben", ""),
            ("gekauft", ""),
            ("bezahlt", ""),
            ("im durchschnitt", "on average"),
            ("durchschnittlich", "on average"),
            ("pro monat", "per month"),
            ("pro woche", "per week"),
            ("pro tag", "per day"),
            ("nach kategorien", "by category"),
            ("nach kategorie", "by category"),
            ("mehr als", "more than"),
            ("weniger als", "less than"),
            ("insgesamt", "in total"),
            ("bisher", "so far"),
            ("zeige", "show"),
            ("zeig", "show"),
            ("mir", "me"),
            ("meine", "my"),
            ("meinen", "my"),
            ("alle", "all"),
            ("ausgaben", "expenses"),
            ("lösche", "delete"),
            ("lösch", "delete"),
            ("entferne", "delete"),
            ("ändere", "change"),
            ("ändre", "change"),
            ("den", "the"),
            ("die", "the"),
            ("das", "the"),
            ("für", "for"),
            ("von", "from"),
            ("ohne", "without"),
            ("außer", "except"),
            ("nicht", "not"),
            ("über", "over"),
            ("unter", "under"),
            ("und", "and"),
            ("oder", "or"),
            ("bitte", "please"),
        ],
    ),
    (
        &[
            "combien",
            "qu'ai je",
            "montre",
            "montrez",
            "affiche",
            "supprime",
            "supprimez",
            "efface",
            "modifie",
            "change le",
            "change la",
            "annule",
            "annuler",
        ],
        &[
            ("annule ça", "undo that"),
            ("annuler ça", "undo that"),
            ("annule cela", "undo that"),
            ("annule la dernière dépense", "undo that"),
            ("annule la dernière", "undo that"),
            ("annule", "cancel"),
            ("annuler", "cancel"),
            ("la dernière dépense", "that"),
            ("la dernière", "that"),
            ("ça", "that"),
            ("cela", "that"),
            ("toutes mes dépenses", "all my expenses"),
            ("toutes les dépenses", "all expenses"),
            ("tout", "everything"),
            ("change", "change"),
            ("combien de fois", "how many times"),
            ("combien", "how much"),
            ("qu'ai je", "what did i"),
            ("ai je", "did i"),
            ("j'ai", "did i"),
            ("avons nous", "did we"),
            ("dépensé", "spend"),
            ("depensé", "spend"),
            ("acheté", "buy"),
            ("payé", "pay"),
            ("en moyenne", "on average"),
            ("par mois", "per month"),
            ("par semaine", "per week"),
            ("par jour", "per day"),
            ("par catégorie", "by category"),
            ("plus de", "more than"),
            ("moins de", "less than"),
            ("au total", "in total"),
            ("montre", "show"),
            ("montrez", "show"),
            ("affiche", "show"),
            ("moi", "me"),
            ("mes", "my"),
            ("mon", "my"),
            ("toutes", "all"),
            ("dépenses", "expenses"),
            ("supprime", "delete"),
            ("supprimez", "delete"),
            ("efface", "delete"),
            ("modifie", "change"),
            ("à", "to"),
            ("le", "the"),
            ("la", "the"),
            ("les", "the"),
            ("pour", "for"),
            ("en", "on"),
            ("sur", "on"),
            ("de", "of"),
            ("du", "from"),
            ("sans", "without"),
            ("sauf", "except"),
            ("pas", "not"),
            ("et", "and"),
            ("ou", "or"),
        ],
    ),
    (
        &[
            "cuánto",
            "cuanto",
            "cuántos",
            "qué compré",
            "que compré",
            "muestra",
            "muéstrame",
            "muestrame",
            "enséñame",
            "borra",
            "elimina",
            "cambia",
            "modifica",
            "bórralo",
            "borralo",
            "elimínalo",
            "deshaz",
            "deshazlo",
            "deshacer",
            "presupuesto",
        ],
        &[
            ("bórralo", "delete that"),
            ("borralo", "delete that"),
            ("elimínalo", "delete that"),
            ("deshaz eso", "undo that"),
            ("deshaz", "undo that"),
            ("deshazlo", "undo that"),
            ("deshacer", "undo that"),
            ("el último gasto", "that"),
            ("lo último", "that"),
            ("eso", "that"),
            ("esto", "that"),
            ("todos mis gastos", "all my expenses"),
            ("todos los gastos", "all expenses"),
            ("todo", "everything"),
            ("presupuesto", "budget"),
            ("cada mes", "every month"),
            ("cada semana", "every week"),
            ("a la semana", "per week"),
            ("al año", "per year"),
            ("para", "for"),
            ("cuántas veces", "how many times"),
            ("cuánto", "how much"),
            ("cuanto", "how much"),
            ("cuántos", "how many"),
            ("qué", "what"),
            ("que", "what"),
            ("he gastado", "did i spend"),
            ("hemos gastado", "did we spend"),
            ("gasté", "did i spend"),
            ("gaste", "did i spend"),
            ("gastamos", "did we spend"),
            ("compré", "did i buy"),
            ("pagué", "did i pay"),
            ("de media", "on average"),
            ("en promedio", "on average"),
            ("al mes", "per month"),
            ("por mes", "per month"),
            ("por semana", "per week"),
            ("por día", "per day"),
            ("por categoría", "by category"),
            ("más de", "more than"),
            ("menos de", "less than"),
            ("en total", "in total"),
            ("muéstrame", "show me"),
            ("muestrame", "show me"),
            ("enséñame", "show me"),
            ("muestra", "show"),
            ("mis", "my"),
            ("todos", "all"),
            ("gastos", "expenses"),
            ("borra", "delete"),
            ("elimina", "delete"),
            ("cambia", "change"),
            ("modifica", "change"),
            ("a", "to"),
            ("el", "the"),
            ("la", "the"),
            ("los", "the"),
            ("las", "the"),
            ("en", "on"),
            ("por", "for"),
            ("de", "of"),
            ("del", "from"),
            ("sin", "without"),
            ("excepto", "except"),
            ("salvo", "except"),
            ("no", "not"),
            ("y", "and"),
            ("o", "or"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::{super::tests::reader, *};

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
            ("lösche das Kino von gestern", "delete the Kino from gestern"),
            ("Combien ai-je dépensé le mois dernier ?", "how much did i spend le mois dernier?"),
            ("supprime le café", "delete the café"),
            ("¿Cuánto gasté en comida esta semana?", "how much did i spend on comida esta semana?"),
            ("cambia el café a 3,60", "change the café to 3,60"),
            ("wie viel habe ich ohne Miete ausgegeben?", "how much did i spend without Miete?"),
        ] {
            assert_eq!(in_english(text, reader()).map(|it| it.to_lowercase()), Some(english.to_lowercase()), "{text}");
        }
        for text in ["Kaffee 3,50 gestern", "coffee 3", "how much did I spend?", "la comida 12"] {
            assert_eq!(in_english(text, reader()), None, "{text}");
        }
    }
}
