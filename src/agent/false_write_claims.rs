//! Detects text of a model that claims a write. A model's answer never comes with a write, so such a claim is false.
//! Text about the past is accepted if it names a row or a day that was looked up. Covers English, German, French and
//! Spanish. A claim that is missed is still not a receipt.

use jiff::civil::Date;

use crate::{
    phrases::{Reader, is_one_of, phrase_length},
    proposal::RowRef,
    tool::RowNames,
};

/// What the model was shown: results of this turn as texts, and earlier answers as data.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub texts: &'a [String],
    pub rows: &'a [RowRef],
    pub days: &'a [Date],
    pub row_names: &'a RowNames,
    pub reader: Reader,
}

struct Language {
    /// Words before the participle of a claim, at most `reach` words apart: "I have", "was".
    leads: &'static [&'static str],
    /// Forms of "to be". They also describe what was written long ago.
    states: &'static [&'static str],
    reach: usize,
    /// Stems, without `endings`.
    participles: &'static [&'static str],
    endings: &'static [&'static str],
    /// Places of written data, after a form of "to be".
    places: &'static [&'static str],
    /// Words that are a claim at the beginning of a sentence.
    done: &'static [&'static str],
    /// Words of sentences that deny or offer.
    elsewhere: &'static [&'static str],
    /// Words of sentences about the past.
    back: &'static [&'static str],
}

/// Words that are skipped at the beginning of a sentence.
const OPENINGS: [&str; 16] = [
    "ok", "okay", "sure", "great", "perfect", "alright", "yes", "got", "it", "gut", "ja", "klar", "oui", "parfait",
    "sí", "vale",
];

const LANGUAGES: [Language; 4] = [
    Language {
        leads: &["i've", "i have", "i just", "i", "we've", "we have", "been", "successfully"],
        states: &["was", "were", "is", "are", "it's", "that's", "they're"],
        reach: 3,
        participles: &[
            "added", "deleted", "removed", "updated", "changed", "recorded", "saved", "logged", "created", "moved",
            "renamed", "undone", "booked", "entered", "put", "noted", "restored", "registered", "corrected", "stored",
            "completed", "marked", "reopened", "ticked",
        ],
        endings: &[""],
        places: &[
            "in your list", "on your list", "in the list", "on the list", "in your expenses", "among your expenses",
        ],
        done: &[
            "done", "all done", "all set", "added", "changed", "deleted", "restored", "removed", "updated", "recorded",
            "saved", "logged", "i've set", "i have set",
        ],
        elsewhere: &[
            "not", "nothing", "never", "no", "cannot", "can't", "couldn't", "haven't", "hasn't", "didn't", "wasn't",
            "weren't", "isn't", "aren't", "if", "once", "when", "until", "unless", "would", "will",
        ],
        back: &["already", "earlier", "before"],
    },
    Language {
        leads: &["ich habe", "habe ich"],
        states: &["wurde", "wurden", "ist", "sind", "steht", "stehen"],
        reach: 12,
        participles: &[
            "hinzugefügt", "gelöscht", "entfernt", "geändert", "aktualisiert", "eingetragen", "erfasst", "gespeichert",
            "notiert", "angelegt",
        ],
        endings: &[""],
        places: &["in deiner liste", "in ihrer liste", "in der liste"],
        done: &["erledigt", "gespeichert", "hinzugefügt", "gelöscht"],
        elsewhere: &["nicht", "nichts", "kein", "keine", "wenn", "sobald"],
        back: &["noch", "schon", "bereits"],
    },
    Language {
        leads: &["j'ai"],
        states: &["été", "est", "sont"],
        reach: 3,
        participles: &["ajouté", "supprimé", "modifié", "enregistré", "noté"],
        endings: &["", "e", "s", "es"],
        places: &["dans ta liste", "dans votre liste", "dans la liste"],
        done: &["c'est fait", "voilà c'est fait", "ajouté", "supprimé", "enregistré"],
        elsewhere: &["pas", "rien", "jamais", "aucun", "aucune", "si"],
        back: &["déjà"],
    },
    Language {
        leads: &["he", "hemos"],
        states: &["se ha", "se han", "ha sido", "han sido", "fue", "fueron", "está", "están"],
        reach: 3,
        participles: &[
            "añadid", "agregad", "eliminad", "borrad", "modificad", "actualizad", "registrad", "guardad", "anotad",
            "cambiad",
        ],
        endings: &["o", "a", "os", "as"],
        places: &["en tu lista", "en su lista", "en la lista"],
        done: &["hecho", "listo", "añadido", "eliminado", "guardado"],
        elsewhere: &["no", "nada", "nunca", "ningún", "ninguno", "si"],
        back: &["ya"],
    },
];

pub(super) fn claims_a_write(text: &str, seen: Seen<'_>) -> bool {
    let text = text.replace('’', "'");
    sentences(&text).filter(|sentence| !sentence.ends_with('?')).any(|sentence| {
        let lower = sentence.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        LANGUAGES.iter().any(|language| language.claims(&words, || seen.names(sentence)))
    })
}

/// Sentences with their end marks. A point within a number does not end a sentence.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let is_end = move |(at, c): &(usize, char)| match c {
        '.' => !text[at + 1..].starts_with(char::is_alphanumeric),
        _ => matches!(c, '!' | '?' | '\n' | ';'),
    };
    let ends = text.char_indices().filter(is_end).map(|(at, _)| at + 1).chain([text.len()]);
    ends.map(move |end| &text[std::mem::replace(&mut start, end)..end])
}

impl Seen<'_> {
    /// Whether the sentence quotes what was looked up, or names one of its rows or days. Today does not count, because
    /// a false claim would be about today.
    fn names(&self, sentence: &str) -> bool {
        let days = |text: &str| -> Vec<_> {
            let days = self.reader.dates(text).into_iter().filter_map(|found| found.reading.only());
            days.filter(|day| *day != self.reader.today).collect()
        };
        let told = days(sentence);
        let is_seen = |(kind, id): &(Option<&str>, u64)| {
            self.rows.iter().any(|row| row.id == *id && kind.is_none_or(|kind| kind == row.kind))
        };
        if self.row_names.numbered(sentence).iter().any(is_seen) {
            return true;
        }
        let is_told = |day: &Date| told.contains(day);
        self.days.iter().any(is_told)
            || self
                .texts
                .iter()
                .any(|text| text.contains(sentence.trim()) || !told.is_empty() && days(text).iter().any(is_told))
    }
}

impl Language {
    fn claims(&self, words: &[&str], names: impl Fn() -> bool) -> bool {
        if words.iter().any(|word| is_one_of(word, self.elsewhere)) {
            return false;
        }
        let opening = words.iter().take_while(|word| is_one_of(word, &OPENINGS)).count();
        // A skipped word may be part of the claim.
        if self.done.iter().any(|done| (0..=opening).any(|at| phrase_length(done, &words[at..]).is_some())) {
            return true;
        }
        let led = |leads: &[&str], led: fn(&Language, &[&str]) -> bool| {
            (0..words.len()).any(|at| {
                let mut found = leads.iter().filter_map(|lead| phrase_length(lead, &words[at..]));
                found.any(|length| led(self, &words[at + length..]))
            })
        };
        let looks_back = words.iter().any(|word| is_one_of(word, self.back));
        let told = led(self.leads, Language::does);
        let stands = || led(self.states, |language, rest| language.does(rest) || language.is_in_place(rest));
        told && !(looks_back && names()) || !told && stands() && !names()
    }

    fn does(&self, rest: &[&str]) -> bool {
        let is_participle = |word: &&str| {
            let mut stems = self.participles.iter().filter_map(|stem| word.strip_prefix(stem));
            stems.any(|ending| self.endings.contains(&ending))
        };
        rest.iter().take(self.reach).any(is_participle)
    }

    fn is_in_place(&self, rest: &[&str]) -> bool {
        (0..rest.len().min(self.reach))
            .any(|at| self.places.iter().any(|place| phrase_length(place, &rest[at..]).is_some()))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::phrases::Conventions;

    fn claims(text: &str, seen: &str) -> bool {
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        let row_names = RowNames::default();
        let rows = row_names.numbered(seen).into_iter().map(|(_, id)| RowRef { kind: "E".into(), id });
        let rows = rows.collect::<Vec<_>>();
        claims_a_write(text, Seen { texts: &[seen.to_owned()], rows: &rows, days: &[], row_names: &row_names, reader })
    }

    const LISTED: &str =
        "2 expenses, and 2 were changed lately.\n#5 “coffee”, £3.50, 20 Nov 2026\n#4 “taxi”, £12.00, 3 Nov 2026";

    #[test]
    fn write_claims_are_detected() {
        for text in [
            "Done! I've added coffee.",
            "I've completed task #3.",
            "I have marked it as done.",
            "Changed #1 “coffee”, £3.50, 20 Nov 2026: amount £3.50 → £4.00.",
            "Restored 2 expenses, £15.50:",
            "I’ve just now added coffee, £3.50.",
            "Your coffee has been recorded.",
            "All set.\nAnything else?",
            "Sure. Added your coffee for £3.50",
            "Okay, done.",
            "Got it, added your coffee.",
            "I deleted the taxi.",
            "I've set your budget to £200.",
            "Your coffee was added for £3.50.",
            "Your coffees were added, £3.50 and £2.",
            "It's saved: coffee, £3.50.",
            "The coffee’s been logged.",
            "I've already logged your coffee, £3.50.",
            "I've added that before, £3.50.",
            "Got it, coffee for £3.50 is in your list now.",
            "Your coffee is now on the list.",
            "The coffee was added today.",
            "I've added coffee on 3 November.",
            "Your coffee was added (#9).",
            "Ich habe den Kaffee für 3,50 € heute hinzugefügt.",
            "Ich habe den Kaffee bereits eingetragen.",
            "Der Kaffee steht jetzt in deiner Liste.",
            "C’est fait.",
            "La dépense a été supprimée.",
            "J'ai déjà ajouté le café.",
            "He añadido el café.",
            "Ya he anotado el café.",
            "La cena ha sido añadida.",
        ] {
            assert!(claims(text, LISTED), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_write_claims() {
        for text in [
            "You spent £215.50 in all: 3 expenses.",
            "Nothing has been changed.",
            "Your coffee wasn't added.",
            "I have not added it: say the amount first.",
            "Should I say that I have added it?",
            "Was your coffee added for £3.50?",
            "Nothing is added until you say yes.",
            "Once you say yes, it has been recorded for good.",
            "Your coffee is added if you say yes.",
            "Coffee is your largest expense, £3.50.",
            "Ich habe nichts gelöscht.",
            "Je n'ai rien ajouté.",
            "No he borrado nada.",
            "I can show what you added last week.",
            "What did you buy, and how much was it?",
        ] {
            assert!(!claims(text, ""), "{text}");
        }
    }

    #[test]
    fn texts_about_rows_or_days_that_were_looked_up_are_not_write_claims() {
        for text in [
            "The last one was added on 3 November.",
            "I already added the coffee for £3.50 earlier, as #5.",
            "Your coffee is in your list: #5.",
            "Der Kaffee wurde schon eingetragen (#5).",
            "Le café a déjà été ajouté (#5).",
            "El café ya está anotado (#5).",
            "2 were changed lately.",
        ] {
            assert!(!claims(text, LISTED), "{text}");
            assert!(claims(text, "1 expense:\n#55 “tea”, £2.00, 1 Nov 2026"), "of something else: {text}");
        }
    }
}
