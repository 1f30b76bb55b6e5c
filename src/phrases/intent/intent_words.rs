//! The words of [`super`], in English, German, French and Spanish. Of phrases that begin alike, the longer comes first.

use super::Order;

/// In front of a clause. They change nothing.
pub(super) const COURTESIES: &[&str] = &[
    "please", "pls", "and", "also", "then", "now", "just", "but", "yes", "no", "yeah", "bitte", "mal", "und", "auch",
    "dann", "ja", "nein", "s'il te plaît", "s'il vous plaît", "et", "aussi", "puis", "oui", "non", "por favor", "y",
    "también", "luego", "sí", "go ahead and", "quickly", "real quick", "thank you",
];

/// In front of an order. What follows is no question: "can you add coffee 3.50?"
pub(super) const POLITE: &[&str] = &[
    "don't forget to", "do not forget to", "would you mind", "can you please", "could you please", "can you", "can u",
    "can i", "can we", "could you", "could u", "could i", "could we", "may i", "will you", "would you",
    "i want you to", "i need you to", "i'd like you to", "i would like you to", "i'd like to", "i would like to",
    "i want to", "i need to", "we want to", "we need to", "i have to", "help me", "let me", "let us", "let's", "lets",
    "remember to", "you can", "you could", "kannst du", "könntest du", "würdest du", "magst du", "willst du",
    "können sie", "könnten sie", "würden sie", "könnt ihr", "kann ich", "können wir", "darf ich", "ich möchte",
    "ich will", "ich würde gerne", "ich würde gern", "tu peux", "tu pourrais", "peux tu", "pourrais tu", "vous pouvez",
    "vous pourriez", "pouvez vous", "pourriez vous", "est ce que tu peux", "est ce que tu pourrais",
    "est ce que vous pouvez", "est ce que je peux", "puis je", "je peux", "je veux", "je voudrais", "j'aimerais",
    "puedes", "podrías", "puede", "podría", "podéis", "me puedes", "me podrías", "puedo", "podemos", "quiero",
    "quisiera", "me gustaría", "necesito",
];

/// A question, whatever follows.
pub(super) const ASKING: &[&str] = &[
    "what", "what's", "whats", "how", "how's", "hows", "why", "whose", "when's", "where's", "who's", "was hab",
    "was habe", "was haben", "was hat", "was kostet", "was kostete", "was war", "was ist", "wie", "wann", "wieviel",
    "wieso", "weshalb", "warum", "welche", "welcher", "welches", "welchen", "soll ich", "sollte ich", "sollen wir",
    "habe ich", "hab ich", "haben wir", "hatte ich", "muss ich", "gibt es", "qu'est", "qu'ai", "combien", "pourquoi",
    "quel", "quelle", "quels", "quelles", "est ce", "ai je", "as tu", "avons nous", "dois je", "devrais je", "faut il",
    "à quel", "qué", "cuánto", "cuanto", "cuánta", "cuanta", "cuántos", "cuántas", "cuándo", "dónde", "quién", "cuál",
    "por qué", "cómo", "debería", "debo",
];

/// A question if a verb follows: "when did I". "When I was in town" is none.
pub(super) const SUBORDINATE: &[&str] =
    &["when", "where", "who", "which", "wo", "wer", "wohin", "quand", "où", "qui", "cuando", "donde"];

pub(super) const AUXILIARIES: &[&str] = &[
    "did", "do", "does", "was", "were", "is", "are", "has", "have", "had", "can", "could", "should", "would", "will",
    "paid", "bought", "hab", "habe", "hat", "haben", "war", "waren", "ist", "est", "ai", "a", "as", "étaient", "était",
    "he", "has", "ha", "fue", "está",
];

/// A question if a subject follows: "is it", "was the".
pub(super) const ASKING_BEFORE_A_SUBJECT: &[&str] = &[
    "was", "wasn't", "were", "weren't", "is", "isn't", "are", "aren't", "does", "doesn't", "should", "shouldn't",
    "would", "wouldn't", "could", "couldn't", "can", "can't", "will", "won't", "shall", "might", "has", "hasn't", "am",
];

pub(super) const SUBJECTS: &[&str] = &[
    "i", "we", "you", "he", "she", "they", "it", "there", "that", "this", "the", "my", "our", "your", "these", "those",
    "anyone", "anybody", "someone",
];

/// A question if a pronoun follows. "Had the fish" and "did the shopping" are none.
pub(super) const ASKING_BEFORE_I: &[&str] = &["did", "didn't", "do", "don't", "have", "haven't", "had", "hadn't"];

pub(super) const PRONOUNS: &[&str] = &["i", "we", "you", "he", "she", "they", "it", "anyone", "anybody", "someone"];

/// A question, anywhere in the sentence.
pub(super) const WITHIN: &[&str] = &[
    "how much", "how many", "what did", "what was", "did i", "should i", "do i", "i wonder", "wondering", "wie viel",
    "wieviel", "combien", "cuánto",
];

/// Nothing is said to be so.
pub(super) const SUPPOSING: &[&str] = &[
    "if", "unless", "suppose", "supposing", "imagine i", "imagine we", "imagine that", "assuming", "assume",
    "hypothetically", "in case", "maybe", "perhaps", "possibly", "probably", "might", "would", "wouldn't",
    "planning to", "planning on", "plan to", "thinking of", "thinking about", "considering", "dreaming of",
    "hoping to", "hope to", "intend to", "tempted to", "wenn", "falls ich", "falls wir", "falls es", "angenommen",
    "vielleicht", "eventuell", "womöglich", "wahrscheinlich", "würde", "würden", "überlege", "überlegen", "ich plane",
    "wir planen", "si je", "si j'achète", "si j'achetais", "si on", "si nous", "supposons", "imaginons", "peut être",
    "sans doute", "j'envisage", "je pense acheter", "achèterais", "quizás", "quizá", "tal vez", "a lo mejor",
    "supongamos", "si compro", "si comprara", "si pago", "si gasto", "si me", "si yo", "pienso comprar", "compraría",
    "imagina",
];

/// Just before an order: it is not to be done.
pub(super) const NEGATIONS: &[&str] = &[
    "don't", "dont", "do not", "doesn't", "not", "never", "no need to", "no need", "rather not", "must not", "mustn't",
];

/// Anywhere in a sentence with an order.
pub(super) const NEGATIONS_AFTER: &[&str] = &["nicht", "kein", "keine", "keinen", "keines", "pas", "jamais", "niemals"];

/// A negated order in one.
pub(super) const FORBIDDING: &[&str] = &[
    "n'ajoute", "n'ajoutez", "n'enregistre", "n'enregistrez", "ne note", "ne notez", "n'inscris", "no añadas",
    "no agregues", "no registres", "no apuntes", "no anotes", "no guardes", "no pongas", "no incluyas", "no añadir",
    "no agregar", "no registrar", "no borres", "no elimines",
];

pub(super) const ADD: &[&str] = &[
    "add", "adding", "log", "logging", "record", "recording", "enter", "entering", "note down", "note", "put", "save",
    "track", "register", "create", "book", "jot down", "jot", "write down", "include", "insert", "remind me to",
    "make a note", "füge", "füg", "trage", "trag", "notiere", "notier", "speichere", "speicher", "erfasse", "erfass",
    "buche", "schreibe", "schreib", "merke", "merk", "ajoute", "ajouter", "ajoutez", "note", "noter", "notez",
    "enregistre", "enregistrer", "enregistrez", "inscris", "inscrire", "mets", "mettre", "añade", "añadir", "añádeme",
    "agrega", "agregar", "anota", "anotar", "apunta", "apuntar", "registra", "registrar", "guarda", "guardar", "pon",
];

pub(super) const CHANGE: &[&str] = &[
    "change", "changing", "update", "updating", "edit", "editing", "rename", "modify", "adjust", "correct", "fix",
    "move", "replace", "increase", "decrease", "raise", "lower", "complete", "finish", "tick off", "tick", "mark",
    "check off", "reopen", "set", "make", "ändere", "änder", "korrigiere", "aktualisiere", "benenne", "verschiebe",
    "modifie", "modifier", "modifiez", "corrige", "corriger", "corrigez", "renomme", "renommer", "remplace", "cambia",
    "cambiar", "modifica", "modificar", "corregir", "actualiza", "actualizar", "edita", "editar",
];

pub(super) const DELETE: &[&str] = &[
    "delete", "deleting", "remove", "removing", "erase", "undo", "revert", "discard", "get rid of", "cancel", "drop",
    "clear", "scrap", "forget", "stop", "take out", "take off", "throw out", "lösche", "lösch", "entferne", "entfern",
    "streiche", "streich", "storniere", "supprime", "supprimer", "supprimez", "efface", "effacer", "effacez", "enlève",
    "enlever", "enlevez", "retire", "retirer", "retirez", "annule", "annuler", "annulez", "borra", "borrar", "bórrame",
    "elimina", "eliminar", "quita", "quitar", "cancela", "cancelar", "anula", "anular",
];

pub(super) const LOOK: &[&str] = &[
    "show", "list", "find", "search", "look up", "look for", "tell me", "tell us", "give me", "display", "check",
    "compare", "sum up", "remind me", "zeig", "zeige", "liste", "suche", "finde", "sag mir", "sage mir", "gib mir",
    "montre", "montrer", "montrez", "affiche", "afficher", "affichez", "cherche", "trouve", "dis moi", "dites moi",
    "muestra", "mostrar", "muéstrame", "lista", "busca", "buscar", "dime", "enséñame",
];

/// Orders that are as often nouns, or no orders to a list: "check 40". They count only before [`POINTING`].
pub(super) const WEAK: &[&str] = &[
    "correct", "fix", "move", "replace", "increase", "decrease", "raise", "lower", "complete", "finish", "mark", "set",
    "make", "tick", "drop", "clear", "scrap", "forget", "stop", "take out", "take off", "show", "list", "display",
    "check", "compare", "retire", "liste", "lista", "note",
];

pub(super) const POINTING: &[&str] = &[
    "the", "my", "me", "us", "all", "it", "that", "this", "those", "these", "them", "everything", "every", "last",
    "any", "our", "both", "for", "den", "die", "das", "alle", "alles", "mir", "meine", "meinen", "le", "la", "les",
    "l'", "mes", "mon", "ma", "tout", "toutes", "tous", "el", "los", "las", "mi", "mis", "todo", "todos", "todas",
    "expense", "expenses", "task", "tasks", "note", "notes",
];

/// Orders at the end of a clause, and what is to be done with something.
pub(super) const CLOSING: [(&[&str], Order); 4] = [
    (&["löschen", "entfernen", "streichen", "stornieren", "rückgängig"], Order::Delete),
    (&["ändern", "korrigieren", "aktualisieren", "umbenennen", "verschieben", "abhaken"], Order::Change),
    (&["anzeigen", "zeigen", "auflisten", "suchen"], Order::Look),
    (&["eintragen", "hinzufügen", "notieren", "erfassen", "speichern", "verbuchen", "vermerken"], Order::Add),
];
