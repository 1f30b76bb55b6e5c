//! Whether words claim that something was written. An answer never comes with a write, so such words are false, whatever
//! the model meant by them. English, German, French and Spanish; a claim that is missed is still no receipt.

struct Language {
    /// What a claim's participle follows, within `reach` words.
    leads: &'static [&'static str],
    reach: usize,
    participles: &'static [&'static str],
    /// A claim by itself, at the start of a sentence.
    done: &'static [&'static str],
    /// Words of a sentence that denies, offers or looks back.
    elsewhere: &'static [&'static str],
}

const LANGUAGES: [Language; 4] = [
    Language {
        leads: &[
            "i've", "i have", "i just", "i", "we've", "we have", "has been", "have been", "successfully", "it's been",
        ],
        reach: 3,
        participles: &[
            "added", "deleted", "removed", "updated", "changed", "recorded", "saved", "logged", "created", "moved",
            "renamed", "undone", "booked", "entered",
        ],
        done: &["done", "all done", "all set", "added", "deleted", "removed", "updated", "recorded", "saved", "logged"],
        elsewhere: &[
            "not", "nothing", "never", "no", "cannot", "can't", "couldn't", "haven't", "hasn't", "didn't", "if",
            "once", "when", "would", "will", "already", "earlier", "before",
        ],
    },
    Language {
        leads: &["ich habe", "habe ich", "wurde", "wurden", "ist", "sind"],
        reach: 12,
        participles: &[
            "hinzugefügt", "gelöscht", "entfernt", "geändert", "aktualisiert", "eingetragen", "erfasst", "gespeichert",
            "notiert", "angelegt",
        ],
        done: &["erledigt", "gespeichert", "hinzugefügt", "gelöscht"],
        elsewhere: &["nicht", "nichts", "kein", "keine", "noch", "wenn", "sobald", "schon", "bereits"],
    },
    Language {
        leads: &["j'ai", "a été", "ont été", "est", "sont"],
        reach: 3,
        participles: &[
            "ajouté", "ajoutée", "ajoutés", "ajoutées", "supprimé", "supprimée", "supprimés", "supprimées", "modifié",
            "modifiée", "modifiés", "modifiées", "enregistré", "enregistrée", "enregistrés", "enregistrées", "noté",
        ],
        done: &["c'est fait", "voilà c'est fait", "ajouté", "supprimé", "enregistré"],
        elsewhere: &["pas", "rien", "jamais", "aucun", "aucune", "si", "déjà"],
    },
    Language {
        leads: &["he", "hemos", "se ha", "se han", "ha sido", "han sido"],
        reach: 3,
        participles: &[
            "añadido", "agregado", "eliminado", "borrado", "modificado", "actualizado", "registrado", "guardado",
            "anotado", "cambiado",
        ],
        done: &["hecho", "listo", "añadido", "eliminado", "guardado"],
        elsewhere: &["no", "nada", "nunca", "ningún", "ninguno", "si", "ya"],
    },
];

pub(super) fn claims_a_write(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    text.split_inclusive(['.', '!', '?', '\n', ';']).filter(|sentence| !sentence.ends_with('?')).any(|sentence| {
        let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        LANGUAGES.iter().any(|language| language.claims(&words))
    })
}

impl Language {
    fn claims(&self, words: &[&str]) -> bool {
        if words.iter().any(|word| self.elsewhere.contains(word)) {
            return false;
        }
        self.done.iter().any(|done| starts_with(words, done))
            || (0..words.len()).any(|at| self.leads.iter().any(|lead| self.led(&words[at..], lead)))
    }

    fn led(&self, words: &[&str], lead: &str) -> bool {
        let length = lead.split(' ').count();
        starts_with(words, lead) && words[length..].iter().take(self.reach).any(|word| self.participles.contains(word))
    }
}

fn starts_with(words: &[&str], phrase: &str) -> bool {
    phrase.split(' ').enumerate().all(|(at, word)| words.get(at) == Some(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_noticed() {
        for text in [
            "Done! I've added coffee.",
            "I’ve just now added coffee, £3.50.",
            "Your coffee has been recorded.",
            "All set.\nAnything else?",
            "Sure. Added your coffee for £3.50",
            "I deleted the taxi.",
            "Ich habe den Kaffee für 3,50 € heute hinzugefügt.",
            "C’est fait.",
            "La dépense a été supprimée.",
            "He añadido el café.",
        ] {
            assert!(claims_a_write(text), "{text}");
        }
    }

    #[test]
    fn other_words_are_not() {
        for text in [
            "You spent £215.50 in all: 3 expenses.",
            "Nothing has been changed.",
            "I have not added it: say the amount first.",
            "Should I say that I have added it?",
            "The last one was added on 3 November.",
            "I already added it earlier; it is #5.",
            "Once you say yes, it has been recorded for good.",
            "Ich habe nichts gelöscht.",
            "Je n'ai rien ajouté.",
            "No he borrado nada.",
            "I can show what you added last week.",
            "What did you buy, and how much was it?",
        ] {
            assert!(!claims_a_write(text), "{text}");
        }
    }
}
