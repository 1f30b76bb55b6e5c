//! Finds answers that say something else about writing than the table does. It reads every answer that a person gets,
//! and is stricter than the check of the service, so that it also finds what that check lets pass.

use super::observed::Observed;

/// Participles that say that something was written.
const WRITTEN: [&str; 37] = [
    "added", "recorded", "logged", "saved", "deleted", "removed", "changed", "updated", "renamed", "moved", "restored",
    "undone", "stored", "created", "entered", "registered", "noted", "hinzugefügt", "gelöscht", "entfernt", "geändert",
    "gespeichert", "eingetragen", "erfasst", "notiert", "ajouté", "ajoutée", "supprimé", "supprimée", "modifié",
    "enregistré", "enregistrée", "añadido", "agregado", "eliminado", "borrado", "guardado",
];

const DENIALS: [&str; 14] = [
    "not", "nothing", "never", "no", "cannot", "nicht", "nichts", "kein", "keine", "pas", "rien", "aucun", "aucune",
    "nada",
];

/// Words of sentences about what may be written, or was earlier.
const ELSEWHEN: [&str; 19] = [
    "if", "once", "when", "will", "would", "can", "could", "should", "shall", "until", "unless", "before", "already",
    "want", "wenn", "sobald", "bereits", "déjà", "quand",
];

/// Words that a claim can stand behind, at the beginning of a sentence.
const OPENINGS: [&str; 9] = ["ok", "okay", "sure", "great", "perfect", "yes", "done", "got", "it"];

/// The sentence that is false, if one is.
pub fn false_claim(before: &Observed, got: &Observed) -> Option<String> {
    let (answer, changed) = (got.answer(), before.rows != got.rows);
    let claim = claim(answer, got.looked_up());
    match claim {
        Some(claim) if !changed && !got.has("receipt") => Some(claim),
        Some(_) if changed => misnamed(before, got),
        None if changed => sentences(answer).find(|sentence| is_denial(sentence)),
        _ => None,
    }
}

/// The first sentence that says that something was written. Where rows were looked up, a participle may tell of them.
pub fn claim(text: &str, looked_up: bool) -> Option<String> {
    sentences(text).find(|sentence| {
        let words = words(sentence);
        let about_now = !sentence.ends_with('?')
            && !words.iter().any(|word| DENIALS.contains(&word.as_str()) || word.ends_with("n't"))
            && !words.iter().any(|word| ELSEWHEN.contains(&word.as_str()));
        about_now && if looked_up { leads(&words) } else { words.iter().any(|word| is_written(word)) }
    })
}

/// A receipt that is called after another kind of change.
fn misnamed(before: &Observed, got: &Observed) -> Option<String> {
    let gone = before.rows.keys().any(|id| !got.rows.contains_key(id));
    let new = got.rows.keys().any(|id| !before.rows.contains_key(id));
    let other = got.rows.iter().any(|(id, row)| before.rows.get(id).is_some_and(|earlier| earlier != row));
    sentences(got.answer()).find(|sentence| match words(sentence).first().map(String::as_str) {
        Some("added") => !new,
        Some("deleted") => !gone,
        Some("changed") => !other,
        _ => false,
    })
}

fn is_denial(sentence: &str) -> bool {
    let words = words(sentence);
    words.iter().any(|word| DENIALS.contains(&word.as_str()) || word.ends_with("n't"))
        && words.iter().any(|word| is_written(word))
}

/// "Sure, added …", "I have just added …"
fn leads(words: &[String]) -> bool {
    let opening = words.iter().take_while(|word| OPENINGS.contains(&word.as_str())).count();
    let begins = words.get(opening).is_some_and(|word| is_written(word));
    let done = words.windows(2).position(|two| {
        matches!(
            (two[0].as_str(), two[1].as_str()),
            ("i", "have" | "just") | ("ich", "habe") | ("has" | "have", "been")
        )
    });
    let done = done.or_else(|| words.iter().position(|word| ["i've", "j'ai", "he"].contains(&word.as_str())));
    begins || done.is_some_and(|at| words[at..].iter().take(8).any(|word| is_written(word)))
}

fn is_written(word: &str) -> bool {
    WRITTEN.contains(&word)
}

/// Without what stands in quotes: names of rows and advice.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let mut quoted = false;
    let is_open = |c: &char| {
        let was_quoted = quoted;
        quoted = match c {
            '\n' | '”' => false,
            '“' => true,
            '"' => !quoted,
            _ => quoted,
        };
        *c == '\n' || !was_quoted && !quoted
    };
    let open: String = text.chars().filter(is_open).collect();
    let open = open.replace('’', "'").replace(". ", ".\n").replace("! ", "!\n").replace("? ", "?\n");
    open.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect::<Vec<_>>().into_iter()
}

fn words(sentence: &str) -> Vec<String> {
    let lower = sentence.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[test]
fn a_claim_is_a_sentence_about_now_that_says_that_something_was_written() {
    for text in [
        "Consider your coffee added.",
        "All good! Your coffee is now saved.",
        "Nothing else to do. Coffee recorded.",
        "Der Kaffee ist eingetragen.",
        "J'ai ajouté le café.",
    ] {
        assert!(claim(text, false).is_some(), "{text}");
    }
    for text in [
        "Nothing was added.",
        "I haven't added it.",
        "Shall I say that it is added?",
        "If you say yes, it is added.",
        "Its name is “deleted scenes”.",
        "You spent £3.50 in total: 1 expense.",
    ] {
        assert_eq!(claim(text, false), None, "{text}");
    }
    assert_eq!(claim("The last expense that you added is coffee.", true), None, "it was looked up");
    assert!(claim("OK, added. You spent £3.50.", true).is_some(), "it was looked up, and claimed");
}
