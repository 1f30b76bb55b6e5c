//! Questions and orders in German, French and Spanish, put into the English words that the rest of the grammar reads.
//!
//! Only what opens like one of them is touched. Days and amounts stay as they were said, and so do names: what has no
//! English word here is about something, or is refused like any word that is not understood.

use super::wording;
use crate::phrases::Reader;

/// A phrase, and what it is in English.
type Phrases = &'static [(&'static str, &'static str)];

/// None for everything else.
pub(super) fn in_english(text: &str, reader: Reader) -> Option<String> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    let (_, phrases) = LANGUAGES.iter().find(|(openings, _)| openings.iter().any(|opening| begins(&said, opening)))?;
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
            Some((phrase, put)) => (at + phrase.split(' ').count(), *put),
            None if is_day(at) => (at + 1, ""),
            None => (at + 1, &text[words[at].0.clone()]),
        };
        let between = &text[copied..words[at].0.start];
        // The sign or point of an amount.
        english.push_str(if is_day(at) { " " } else { between });
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
    Some(english.trim_start_matches(['¿', ' ', '-']).split_whitespace().collect::<Vec<_>>().join(" "))
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
        ],
        &[
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
            ("auf", "to"),
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
        &["combien", "qu'ai je", "montre", "montrez", "affiche", "supprime", "supprimez", "efface", "modifie"],
        &[
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
        ],
        &[
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
