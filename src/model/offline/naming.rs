//! What a thing is called, in the words that are left around an amount and a day.
//!
//! It knows no amounts and no days, and does not say whether something is to be added.

use super::{speech, wording};
use crate::phrases::{is_one_of, phrase_length};

/// Without the words around it. What greets may also begin a name, as in "Just Eat" and "Well Pharmacy": it only goes
/// before a mark or another word of that kind.
pub(super) fn name_in(text: &str) -> &str {
    // "Kino hat 20 gekostet", "tea 2 or so"
    const CLOSING: [&str; 7] =
        [" hat gekostet", " or so", " oder so", " más o menos", " mas o menos", " plus ou moins", " mehr oder weniger"];
    let text = CLOSING.iter().find_map(|closing| text.strip_suffix(closing)).unwrap_or(text);
    let mut name = wording::trimmed(after_particle(text), FRONT, BACK);
    // "the taxi, it turned out to be 14"
    if let Some(before) = name.strip_suffix("turned out to be").or_else(|| name.strip_suffix("turned out")) {
        name = wording::trimmed(before, FRONT, BACK);
    }
    // "new expense coffee"
    let calls_it = |word: &str| matches!(word, "expense" | "expenses" | "entry" | "item" | "purchase");
    if wording::first_word(name) == "new" && calls_it(&wording::first_word(wording::rest(name))) {
        name = wording::trimmed(wording::rest(name), FRONT, BACK);
    }
    while let Some(rest) = after_greeting(name) {
        name = wording::trimmed(rest, FRONT, BACK);
    }
    if is_company(text) { "" } else { with_me(text, with_total(text, name)) }
}

/// "Total war game": before a bare name it does not sum anything up.
fn with_total<'t>(text: &'t str, name: &'t str) -> &'t str {
    let led = !name.is_empty() && wording::first_word(text) == "total" && wording::rest(text).starts_with(name);
    let start = text.len() - text.trim_start().len();
    if led { text[start..].get(.."total ".len() + name.len()).unwrap_or(name) } else { name }
}

/// "spent 12 with Anna": with whom, and not for what.
fn is_company(text: &str) -> bool {
    const WITH: [&str; 4] = ["with", "mit", "avec", "con"];
    let words = wording::words(text);
    let is_led = |(_, word): &&wording::Word<'_>| is_one_of(word, FRONT) && word != "with";
    words.iter().find(|word| !is_led(word)).is_some_and(|(_, word)| is_one_of(word, &WITH))
}

/// What of a message expenses are read in: the words that only lead up to it may be the beginning of a name.
pub(super) fn body<'t>(text: &'t str, command: &'t str) -> &'t str {
    let lead = text.strip_suffix(command).unwrap_or_default();
    let words = wording::words(lead);
    let Some((span, _)) = words.last().filter(|(_, word)| is_one_of(word, &wording::GREETINGS)) else {
        return command;
    };
    if after_greeting(&text[span.start..]).is_some() { command } else { &text[span.start..] }
}

/// "lunch for Tom and me": who it was for is no filler.
fn with_me<'t>(text: &'t str, name: &'t str) -> &'t str {
    const WITH: &str = " and me";
    let end = text.find(WITH).filter(|at| !name.is_empty() && text[..*at].ends_with(name));
    end.map_or(name, |at| &text[at - name.len()..at + WITH.len()])
}

/// "put down 3 for coffee", "paid off the card"; "pour le ciné", where "la Redoute" is a name.
fn after_particle(text: &str) -> &str {
    const VERBS: [&str; 28] = [
        "put down", "write down", "note down", "jot down", "paid off", "payed off", "pay off", "picked up", "pick up",
        "shelled out", "forked out", "splashed out", "money on", "cash on", "fui al", "fui a", "für das", "für den",
        "für die", "pour le", "pour la", "pour les", "para el", "para la", "para los", "para las", "por el", "por la",
    ];
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let leads = said.iter().take_while(|word| FRONT.contains(word)).count();
    let last = (0..=leads).find_map(|at| {
        let length = VERBS.iter().find_map(|verb| phrase_length(verb, &said[at..]))?;
        Some(at + length - 1)
    });
    last.map_or(text, |last| &text[words[last].0.end..])
}

fn after_greeting(text: &str) -> Option<&str> {
    if let Some((_, rest)) = text.split_once([',', '!', ':', ';', '…']).filter(|(said, _)| speech::is_filler(said)) {
        return Some(rest);
    }
    let words = wording::words(text);
    let (span, _) = words.first().filter(|(_, word)| is_one_of(word, &wording::GREETINGS))?;
    let rest = &text[span.end..];
    let next = words.get(1).map_or("", |(_, word)| &**word);
    let is_apart = rest.starts_with([',', '!', ':', ';', '.', '…']);
    let goes_on = rest.starts_with(' ') && (is_one_of(next, FRONT) || is_one_of(next, &wording::GREETINGS));
    (is_apart || goes_on).then_some(rest)
}

pub(super) const FRONT: &[&str] = &[
    "ugh", "forgot", "je", "suis", "allé", "allée", "ich", "habe", "j'ai", "dépensé", "payé", "acheté", "gasté",
    "pagué", "compré", "hmm", "um", "ok", "okay", "please", "add", "log", "record", "enter", "put", "note", "track",
    "save", "register", "create", "i", "we", "i've", "have", "spent", "spend", "paid", "pay", "bought", "buy", "took",
    "got", "for", "on", "of", "at", "to", "a", "an", "the", "my", "some", "was", "were", "is", "it", "that", "expense",
    "expenses", "item", "items", "entry", "purchase", "purchases", "something", "and", "also", "then", "about",
    "around", "roughly", "approximately", "only", "actually", "sorry", "probably", "maybe", "cost", "costs", "price",
    "total", "think", "with", "another", "called", "named", "in", "want", "like", "für", "pour", "por", "para", "en",
    "au", "aux", "chez", "bei", "beim", "ein", "eine", "einen", "un", "une", "una", "hab", "pls", "ive", "payed",
    "went", "between", "entre", "zwischen", "had", "blew", "dropped", "splurged", "wasted", "wir", "haben", "bitte",
    "auch", "noch", "kannst", "könntest", "du", "nous", "avons", "encore", "aussi", "autre", "costó", "también",
    "otro", "otra", "say", "exactly", "genau", "exactement", "exactamente", "yeah", "yep", "yup", "fürs", "gave",
    "donated",
];

pub(super) const BACK: &[&str] = &[
    "no", "again", "too", "also", "please", "for", "on", "of", "at", "to", "the", "a", "was", "were", "is", "cost",
    "costs", "costing", "came", "comes", "and", "thanks", "in", "it", "about", "around", "me", "think", "i", "or",
    "be", "sorry", "wait", "actually", "total", "from", "today's", "as", "under", "over", "with", "each", "expense",
    "add", "that", "spent", "dépensé", "payé", "gasté", "j'ai", "habe", "ausgegeben", "bezahlt", "gekauft", "für",
    "um", "pour", "por", "para", "à", "paid", "payed", "pls", "they", "kostete", "kosteten", "kostet", "gekostet",
    "coûté", "coûte", "coûtait", "costó", "bitte", "eintragen", "hinzufügen", "notieren", "svp", "stp", "favor",
    "pagué", "y", "et", "und", "only", "just", "exactly", "nur", "genau", "seulement", "exactement", "exactamente",
    "roughly", "approximately", "approx", "like", "maybe", "ungefähr", "environ", "thereabouts",
];

/// Before an amount or a day, what leads to it.
pub(super) const LEADS: &[&str] = &[
    "for", "on", "of", "at", "from", "in", "to", "the", "was", "since", "by", "cost", "für", "um", "pour", "por",
    "para", "à", "am", "vom", "den", "le", "el", "en",
];
