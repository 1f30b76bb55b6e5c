//! A plain yes, no or pick, read by code: no model decides about a person's money.
//!
//! Only a message that is nothing else counts, in English, German, French or Spanish.

use super::interjections;

/// How whatever waits is asked about.
pub const YES_OR_NO: &str = "(yes / no)";

/// What a person said about something that waits, by its number if they were shown numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainAnswer {
    Yes(Option<usize>),
    No(Option<usize>),
    Pick(usize),
}

impl PlainAnswer {
    /// Of those that were listed, the one that is meant; and whether it is a yes, if that was said.
    pub fn numbered(self) -> Option<(usize, Option<bool>)> {
        match self {
            PlainAnswer::Pick(n) => Some((n, None)),
            PlainAnswer::Yes(n) => Some((n?, Some(true))),
            PlainAnswer::No(n) => Some((n?, Some(false))),
        }
    }
}

/// A yes begins with one of these, and only what is in [`AFTER_YES`], another one, or what it says it does goes with it: "yes but 45" is none.
const YES: &[&str] = &[
    "y", "yes", "ye", "yep", "yeah", "yea", "yup", "ok", "okay", "sure", "correct", "confirm", "confirmed", "approve",
    "approved", "agreed", "absolutely", "definitely", "exactly", "perfect", "go ahead", "do it", "please do",
    "please do it", "do that", "sounds good", "looks good", "thats right", "thats correct", "fine", "thats fine",
    "thats great", "ja", "jo", "jep", "jawohl", "klar", "na klar", "genau", "einverstanden", "passt", "stimmt", "oui",
    "ouais", "exact", "parfait", "daccord", "bien sûr", "cest bon", "vas y", "si", "sí", "vale", "claro", "dale",
    "exacto", "correcto", "perfecto", "de acuerdo", "go on", "alright", "all right", "k", "gerne", "actually yes",
    "of course", "sure thing", "certainly", "natürlich", "selbstverständlich", "bien entendu", "évidemment",
    "por supuesto", "desde luego", "👍", "✅",
];

const AFTER_YES: &[&str] = &[
    "please", "pls", "thanks", "thank you", "do it", "do that", "do them", "do both", "go ahead", "both", "all",
    "all of it", "all of them", "both of them", "thats right", "thats fine", "thats correct", "that is right", "it is",
    "looks good", "sounds good", "good", "great", "fine", "right", "then", "bitte", "danke", "gerne", "gern", "doch",
    "merci", "por favor", "gracias",
];

const NO: &[&str] = &[
    "n", "no", "nope", "nah", "cancel", "cancel it", "cancel that", "no cancel", "no thanks", "no thank you", "dont",
    "do not", "no dont", "stop", "never mind", "nevermind", "reject", "rejected", "forget it", "forget that",
    "forget about it", "scrap that", "scrap it", "drop it", "drop that", "bin it", "discard it", "leave it", "no no",
    "no way", "not that one", "not ok", "not now", "not today", "not this time", "not this week", "not this month",
    "not this year", "actually no", "no actually", "keep it", "no keep it", "actually keep it", "no actually keep it",
    "no leave it", "skip", "skip it", "skip this one", "skip this month", "absolutely not", "ok no", "ok cancel",
    "no please", "please no", "please dont", "no neither", "no to both", "nee", "nein", "nein danke", "abbrechen",
    "nö", "lieber nicht", "doch nicht", "bitte nicht", "nicht jetzt", "jetzt nicht", "pas maintenant", "ahora no",
    "vergiss es", "lass es", "surtout pas", "jamais de la vie", "olvídalo", "olvidalo", "déjalo", "dejalo",
    "para nada", "nvm", "i dont think so", "dont think so", "rather not", "id rather not", "no i dont think so", "non",
    "non merci", "annuler", "annule", "annulez", "laisse tomber", "no gracias", "cancelar", "cancela", "anular",
    "anula", "storno", "stornieren", "of course not", "certainly not", "natürlich nicht", "bien sûr que non",
    "claro que no", "por supuesto que no", "mejor no", "👎", "❌",
];

/// Of these, what is also said to take back what was done.
const CANCEL: &[&str] = &[
    "cancel", "cancel it", "cancel that", "annuler", "annule", "annulez", "cancelar", "cancela", "anular", "anula",
    "storno", "stornieren",
];

/// What a yes says is done by it: the verb of a proposal, and other words for it.
const VERBS: [(&str, &[&str]); 3] = [
    ("add", &["add", "save", "log", "record", "book", "enter"]),
    ("delete", &["delete", "remove"]),
    ("change", &["change", "update"]),
];

/// The same in one word that leaves nothing open.
const ORDERS: [(&str, &[&str]); 2] = [
    (
        "add",
        &[
            "speichern", "eintragen", "hinzufügen", "ajoute-le", "ajoute-la", "enregistre-le", "enregistre-la",
            "guárdalo", "guardalo", "añádelo", "agrégalo", "agregalo", "apúntalo", "apuntalo",
        ],
    ),
    ("delete", &["löschen", "supprime-le", "supprime-la", "bórralo", "borralo", "elimínalo", "eliminalo"]),
];

/// What is said to something that is under way.
const STOP: &[&str] =
    &["stop", "stop it", "stop that", "stop now", "please stop", "stop please", "halt", "abort", "stopp", "arrête"];

pub fn is_stop(message: &str) -> bool {
    let plain: String = message.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).collect();
    STOP.contains(&plain.trim().to_lowercase().as_str())
}

/// The places of those that were listed.
const ORDINALS: [&[&str]; 5] = [
    &["first", "one", "eins", "erste", "ersten", "premier", "première", "uno", "primero", "primera"],
    &["second", "two", "zwei", "zweite", "zweiten", "deuxième", "deux", "dos", "segundo", "segunda"],
    &["third", "three", "drei", "dritte", "dritten", "troisième", "trois", "tres", "tercero", "tercera"],
    &["fourth", "four", "vier", "vierte", "quatrième", "quatre", "cuatro", "cuarto", "cuarta"],
    &["fifth", "five", "fünf", "fünfte", "cinquième", "cinq", "cinco", "quinto", "quinta"],
];

pub fn read(message: &str) -> Option<PlainAnswer> {
    if message.contains('?') {
        return None;
    }
    let words = plain_words(message);
    let words = interjections::after_sighs(&words);
    if NO.contains(&words) || is_cancel(words) {
        return Some(PlainAnswer::No(None));
    }
    if is_yes(words) {
        return Some(PlainAnswer::Yes(None));
    }
    if let Some(n) = pick(words) {
        return Some(PlainAnswer::Pick(n));
    }
    let (first, rest) = words.split_once(' ')?;
    let n = pick(rest.strip_prefix("to ").unwrap_or(rest))?;
    match first {
        "yes" | "approve" | "confirm" | "accept" => Some(PlainAnswer::Yes(Some(n))),
        // "No. 2" is a number.
        "no" if message.trim_start().to_lowercase().starts_with("no.") => Some(PlainAnswer::Pick(n)),
        "no" | "cancel" | "reject" => Some(PlainAnswer::No(Some(n))),
        _ => None,
    }
}

/// Whether what the yes says is done by it, if anything, is what is done: "yes, delete it" adds nothing. `verbs` are those
/// of what waits.
pub fn agrees(message: &str, verbs: &[&str]) -> bool {
    let words = plain_words(message);
    words.split(' ').filter_map(verb).all(|verb| does(verb, verbs))
}

/// That, and nothing else.
fn does(verb: &str, verbs: &[&str]) -> bool {
    !verbs.is_empty() && verbs.iter().all(|done| *done == verb)
}

/// "Save it", "speichern": the order to do what waits, and nothing else. `count`: the rows that wait, if the same is done
/// to all of them.
pub fn orders(message: &str, verbs: &[&str], count: Option<usize>) -> bool {
    let words = plain_words(message);
    let words = words.strip_prefix("please ").unwrap_or(&words);
    let after = [" please", " pls", " now", " then", " thanks", " bitte", " svp", " por favor"];
    let words = after.iter().find_map(|after| words.strip_suffix(after)).unwrap_or(words);
    // As many as are shown, not one more.
    let points = |verb: &str, rest: &str| match rest {
        "it" | "that" | "this" => count == Some(1) || verb == "add",
        "them" | "them all" | "all of them" => count.is_some_and(|count| count > 1),
        "both" | "them both" | "both of them" => count == Some(2),
        _ => false,
    };
    let pointing = || {
        let (first, rest) = words.split_once(' ')?;
        verb(first).filter(|verb| points(verb, rest) && *verb != "change")
    };
    let in_one = ORDERS.iter().find(|(_, orders)| orders.contains(&words)).map(|(verb, _)| *verb);
    in_one.or_else(pointing).is_some_and(|ordered| !message.contains('?') && does(ordered, verbs))
}

/// "Undo", and no more.
pub fn undoes(message: &str) -> bool {
    matches!(plain_words(message).as_str(), "undo" | "undo that" | "undo it" | "undo this" | "rückgängig" | "deshacer")
}

/// What takes back what was done, where nothing waits that it would be a no to.
pub fn cancels(message: &str) -> bool {
    is_cancel(&plain_words(message))
}

fn is_cancel(words: &str) -> bool {
    let plain = [" please", " pls", " bitte", " por favor"].iter().find_map(|after| words.strip_suffix(after));
    CANCEL.contains(&plain.unwrap_or(words))
}

/// "Yes, and tea 2": a yes to what was shown, perhaps, and something else with it.
pub fn goes_on_after_yes(message: &str) -> bool {
    let words = plain_words(message);
    read(message).is_none() && after_one_of(&words, &[YES]).is_some_and(|rest| !rest.is_empty())
}

fn is_yes(words: &str) -> bool {
    let Some(mut rest) = after_one_of(words, &[YES]) else { return false };
    while !rest.is_empty() {
        let Some(next) = after_one_of(rest, &[YES, AFTER_YES]).or_else(|| after_verb(rest)) else { return false };
        rest = next;
    }
    true
}

/// Past the longest of these phrases that it begins with.
pub(super) fn after_one_of<'w>(words: &'w str, phrases: &[&[&str]]) -> Option<&'w str> {
    let rest = |phrase: &&str| words.strip_prefix(*phrase).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    // Most begin with another letter.
    let near = |phrase: &&&str| phrase.as_bytes().first() == words.as_bytes().first();
    let shortest = phrases.iter().copied().flatten().filter(near).filter_map(rest).min_by_key(|rest| rest.len())?;
    Some(shortest.trim_start())
}

/// "delete it", "save them all".
fn after_verb(words: &str) -> Option<&str> {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    verb(first)?;
    Some(after_one_of(rest, &[&["it", "that", "this", "them", "both", "all"]]).unwrap_or(rest))
}

pub(super) fn verb(word: &str) -> Option<&'static str> {
    VERBS.iter().find(|(_, words)| words.contains(&word)).map(|(verb, _)| *verb)
}

/// "No, the other one": a no to what was shown, and what is meant instead.
pub fn goes_on_after_no(message: &str) -> bool {
    let words = message.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = words.find(|c: char| !c.is_alphanumeric()).unwrap_or(words.len());
    let (first, rest) = words.split_at(end);
    const ON: [&str; 12] = ["the", "i", "it", "its", "it's", "that", "delete", "change", "make", "add", "my", "meant"];
    let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let points = matches!(first.to_lowercase().as_str(), "no" | "nope") && ON.contains(&next.as_str());
    let breaks = points || rest.trim_start().starts_with([',', '.', ';', ':', '!', '–', '—', '-']);
    let goes_on = rest.chars().any(char::is_alphanumeric);
    breaks && goes_on && NO.contains(&first.to_lowercase().as_str())
}

pub(super) fn plain_words(message: &str) -> String {
    let kept = message.to_lowercase().replace(['\'', '’'], "");
    let kept =
        kept.replace(|c: char| (c.is_ascii_punctuation() || matches!(c, '¡' | '¿')) && c != '#' && c != '-', " ");
    kept.split_whitespace().map(unstretched).collect::<Vec<_>>().join(" ")
}

/// "yessss", "nooo".
fn unstretched(word: &str) -> &str {
    const STRETCHED: [&str; 12] = ["yes", "yep", "yeah", "yea", "yup", "ok", "okay", "no", "nope", "ja", "nein", "oui"];
    let last = word.chars().last().unwrap_or_default();
    let short = &word[..word.trim_end_matches(last).len() + last.len_utf8().min(word.len())];
    if STRETCHED.contains(&short) { short } else { word }
}

fn pick(words: &str) -> Option<usize> {
    const CHOOSING: [&str; 28] = [
        "the ", "number ", "option ", "line ", "take ", "pick ", "choose ", "only ", "just ", "nr ", "nummer ", "die ",
        "das ", "den ", "der ", "nimm ", "nur ", "numéro ", "numero ", "prends ", "le ", "la ", "número ", "opción ",
        "el ", "toma ", "solo ", "seulement ",
    ];
    let words = [" please", " bitte", " one"].iter().fold(words, |words, end| words.strip_suffix(end).unwrap_or(words));
    let led = |words: &str| CHOOSING.iter().find_map(|lead| Some(words.strip_prefix(lead)?.len()));
    let words = &words[words.len() - led(words).unwrap_or(words.len())..];
    let words = &words[words.len() - led(words).unwrap_or(words.len())..];
    let ordinal = ORDINALS.iter().position(|said| said.contains(&words)).map(|n| n + 1);
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
    #[case("no the cake", true)]
    #[case("cancel the cake", false)]
    #[case("no it was 4", true)]
    #[case("no", false)]
    #[case("No!", false)]
    #[case("no idea, coffee 3", false)]
    #[case("yes, and tea 2", false)]
    #[case("nobody, 3", false)]
    fn a_no_with_something_else_after_it_takes_back_what_was_shown(#[case] message: &str, #[case] expected: bool) {
        assert_eq!(goes_on_after_no(message), expected, "{message}");
    }

    #[rstest]
    #[case("yes, delete it", &["delete"], true)]
    #[case("yes, delete it", &["add"], false)]
    #[case("yes please save them", &["add"], true)]
    #[case("yes, delete it", &["delete", "add"], false)]
    #[case("yes, delete it", &["delete", "complete"], false)]
    #[case("yes", &["delete", "add"], true)]
    #[case("yes", &[], true)]
    #[case("ok, delete it", &[], false)]
    #[case("yes, add it", &["remember"], false)]
    fn a_yes_that_says_what_it_does_counts_for_nothing_else(
        #[case] message: &str,
        #[case] verbs: &[&str],
        #[case] expected: bool,
    ) {
        assert_eq!(agrees(message, verbs), expected);
    }

    #[rstest]
    #[case("save it", &["add"], Some(1), true)]
    #[case("please add them", &["add"], Some(2), true)]
    #[case("Add it!", &["add"], Some(2), true)]
    #[case("save both", &["add"], Some(2), true)]
    #[case("ajoute-le", &["add"], Some(1), true)]
    #[case("delete it", &["delete"], Some(1), true)]
    #[case("delete it", &["delete"], Some(2), false)]
    #[case("delete both", &["delete"], Some(1), false)]
    #[case("delete them", &["delete"], Some(1), false)]
    #[case("save both", &["add"], Some(3), false)]
    #[case("add it", &["delete"], Some(1), false)]
    #[case("delete it", &["add"], Some(1), false)]
    #[case("delete it", &["delete", "add"], None, false)]
    #[case("delete it", &["delete", "complete"], None, false)]
    #[case("löschen", &["add"], Some(1), false)]
    #[case("add it?", &["add"], Some(1), false)]
    #[case("add tea", &["add"], Some(1), false)]
    #[case("add", &["add"], Some(1), false)]
    #[case("change it", &["change"], Some(1), false)]
    fn an_order_to_do_just_what_is_shown_is_a_yes_to_it(
        #[case] message: &str,
        #[case] verbs: &[&str],
        #[case] count: Option<usize>,
        #[case] expected: bool,
    ) {
        assert_eq!(orders(message, verbs, count), expected);
    }

    #[rstest]
    #[case("option 2", Some(Pick(2)))]
    #[case("take the first one", Some(Pick(1)))]
    #[case("no. 2", Some(Pick(2)))]
    #[case("no 2", Some(No(Some(2))))]
    #[case("Nr. 2", Some(Pick(2)))]
    #[case("numéro 2", Some(Pick(2)))]
    #[case("la 2", Some(Pick(2)))]
    #[case("2 please", Some(Pick(2)))]
    #[case("accept 1", Some(Yes(Some(1))))]
    #[case("skip 1", None)]
    #[case("tea 2", None)]
    fn one_of_those_listed_is_picked_by_its_number(#[case] message: &str, #[case] expected: Option<PlainAnswer>) {
        assert_eq!(read(message), expected, "{message}");
    }

    #[rstest]
    #[case("annule", true)]
    #[case("Storno, bitte!", true)]
    #[case("cancel that", true)]
    #[case("no", false)]
    #[case("cancel the cake", false)]
    #[case("abbrechen", false)]
    fn what_is_done_is_taken_back_by_words_of_its_own(#[case] message: &str, #[case] expected: bool) {
        assert_eq!(cancels(message), expected);
    }

    #[rstest]
    #[case("of course", Some(Yes(None)))]
    #[case("Sure thing!", Some(Yes(None)))]
    #[case("of course not", Some(No(None)))]
    #[case("por supuesto", Some(Yes(None)))]
    #[case("storno", Some(No(None)))]
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
    #[case("sorry no", Some(No(None)))]
    #[case("hmm, no", Some(No(None)))]
    #[case("I don't think so", Some(No(None)))]
    #[case("nö", Some(No(None)))]
    #[case("Bitte nicht!", Some(No(None)))]
    #[case("surtout pas", Some(No(None)))]
    #[case("nvm", Some(No(None)))]
    #[case("yes pls", Some(Yes(None)))]
    #[case("go on then", Some(Yes(None)))]
    #[case("Alright", Some(Yes(None)))]
    #[case("hmm yes", Some(Yes(None)))]
    #[case("actually, yes", Some(Yes(None)))]
    #[case("well, ok", Some(Yes(None)))]
    #[case("ja gerne", Some(Yes(None)))]
    #[case("sorry, yes but 45", None)]
    #[case("hmm", None)]
    #[case("pas encore", None)]
    #[case("warte", None)]
    #[case("go on holiday", None)]
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
    #[case("yessss!!", Some(Yes(None)))]
    #[case("nooo", Some(No(None)))]
    #[case("yes, both please", Some(Yes(None)))]
    #[case("Yes please, do it", Some(Yes(None)))]
    #[case("Yes, all of them", Some(Yes(None)))]
    #[case("yes, add it", Some(Yes(None)))]
    #[case("Na klar!", Some(Yes(None)))]
    #[case("ok thanks", Some(Yes(None)))]
    #[case("correct", Some(Yes(None)))]
    #[case("yes, correct!", Some(Yes(None)))]
    #[case("yes, delete them all please", Some(Yes(None)))]
    #[case("correct it", None)]
    #[case("ok is that all", None)]
    #[case("ok is that right", None)]
    #[case("ok do you", None)]
    #[case("na ja", None)]
    #[case("yes add tea", None)]
    #[case("yes no", None)]
    #[case("yes not that", None)]
    #[case("all of them", None)]
    #[case("add it", None)]
    #[case("yes all but the tea", None)]
    #[case("please don't", Some(No(None)))]
    #[case("yesterday", None)]
    #[case("okra 3.50", None)]
    #[case("", None)]
    fn only_a_message_that_is_nothing_else_counts(#[case] message: &str, #[case] expected: Option<PlainAnswer>) {
        assert_eq!(read(message), expected);
    }
}
