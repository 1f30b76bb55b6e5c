//! A plain yes, no or pick, read by code: no model decides about a person's money.
//!
//! Only a message of which every word is in the closed lists of `yes_no/*.txt` counts.

use super::{
    interjections,
    lexicon::{Class, Sense, past},
};

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

/// What a message says of which all words are known: “yes”, “no” or one of its kinds, “undo” or “unsure”.
///
/// A yes has a word that says yes and none that says no; a no the other way round. Anything else is neither.
fn verdict(message: &str) -> Option<&'static str> {
    let words = plain_words(message);
    let said: Vec<&str> = each_answer(interjections::after_sighs(&words)).collect::<Option<_>>()?;
    let meant: Vec<&'static str> = (0..said.len()).map(|at| meant(&said, at)).collect();
    let has = |wanted: &[&str]| meant.iter().any(|says| wanted.contains(says));
    let says_yes = has(&["yes", "certain"]);
    let nos = || meant.iter().filter_map(no_of);
    let only = |kind: &str| nos().all(|no| no == kind);
    match nos().next() {
        _ if has(&["unsure"]) => Some("unsure"),
        _ if has(&["other"]) || message.contains('?') => None,
        Some(_) if says_yes => None,
        // "Undo the delete" names something.
        Some("undo") if only("undo") && !meant.iter().all(is_undo_alone) => None,
        Some(first) if only(first) => Some(first),
        Some(_) => Some("decline"),
        None if has(&["pause"]) => Some("unsure"),
        None if has(&["beside no"]) || said.first() == Some(&"thanks") => None,
        None => (says_yes || has(&["weak yes"])).then_some("yes"),
    }
}

/// What a phrase says beside the others.
fn meant(said: &[&'static str], at: usize) -> &'static str {
    let is_beside = |says: &&&str| !matches!(**says, "filler" | "beside no" | "thanks");
    let before = said[..at].iter().rev().find(is_beside);
    let after = said[at + 1..].iter().find(is_beside);
    match (said[at], before == Some(&"not") || after == Some(&"not after")) {
        ("yes" | "weak yes", true) => "filler",
        (says, true) if says.starts_with("verb ") => "filler",
        ("certain" | "knows", true) => "unsure",
        // "Not wrong", "don't stop".
        ("no" | "decline" | "not" | "cancel" | "stop" | "undo", true) | ("knows", false) => "other",
        (says, _) => says,
    }
}

fn no_of(says: &&'static str) -> Option<&'static str> {
    match *says {
        "no" | "not" | "not after" => Some("no"),
        no @ ("decline" | "cancel" | "stop" | "undo") => Some(no),
        _ => None,
    }
}

fn is_undo_alone(says: &&str) -> bool {
    matches!(*says, "undo" | "filler" | "thanks" | "pause")
}

pub fn read(message: &str) -> Option<PlainAnswer> {
    match verdict(message) {
        Some("yes") => return Some(PlainAnswer::Yes(None)),
        Some("no" | "decline" | "cancel" | "stop") => return Some(PlainAnswer::No(None)),
        None if !message.contains('?') => {}
        _ => return None,
    }
    let words = plain_words(message);
    let words = interjections::after_sighs(&words);
    if let Some(n) = pick(words) {
        return Some(PlainAnswer::Pick(n));
    }
    // "2 yes" says no more and no less than "yes to 2".
    if let Some((rest, last @ ("yes" | "no"))) = words.rsplit_once(' ')
        && let Some(n) = pick(rest)
    {
        return Some(if last == "yes" { PlainAnswer::Yes(Some(n)) } else { PlainAnswer::No(Some(n)) });
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

/// "Maybe", "not sure", "wait": neither yes nor no, and nothing else.
pub fn is_unsure(message: &str) -> bool {
    verdict(message) == Some("unsure")
}

/// A yes, a no, or anything else that is said to what waits, and no more.
pub fn answers(message: &str) -> bool {
    verdict(message).is_some()
}

/// A no after which nothing is to be corrected: "forget it".
pub fn declines(message: &str) -> bool {
    matches!(verdict(message), Some("decline" | "cancel" | "stop"))
}

/// What is said to something that is under way.
pub fn is_stop(message: &str) -> bool {
    verdict(message) == Some("stop")
}

/// Whether what the yes says is done by it, if anything, is what is done: "yes, delete it" adds nothing. `verbs` are those
/// of what waits.
pub fn agrees(message: &str, verbs: &[&str]) -> bool {
    each_answer(&plain_words(message))
        .flatten()
        .filter_map(|says| says.strip_prefix("verb "))
        .all(|verb| does(verb, verbs))
}

/// That, and nothing else.
fn does(verb: &str, verbs: &[&str]) -> bool {
    !verbs.is_empty() && verbs.iter().all(|done| *done == verb || verb == "save" && matches!(*done, "add" | "change"))
}

/// "Save it", "speichern", "ok, bin it": the order to do what waits, and nothing else. `count`: the rows that wait, if the
/// same is done to all of them.
pub fn orders(message: &str, verbs: &[&str], count: Option<usize>) -> bool {
    let words = plain_words(message);
    let words = without_courtesy(words.strip_prefix("please ").unwrap_or(&words));
    // As many as are shown, not one more.
    let points = |verb: &str, rest: &str| match rest {
        "it" | "that" | "this" => count == Some(1) || matches!(verb, "add" | "save"),
        "them" | "them all" | "all of them" => count.is_some_and(|count| count > 1),
        "both" | "them both" | "both of them" => count == Some(2),
        _ => false,
    };
    let pointing = || {
        let (says, rest) = first_answer(words)?;
        says.strip_prefix("verb ").filter(|verb| points(verb, rest) && *verb != "change")
    };
    // "Bin it" may be said of what is proposed, and of the row where a yes stands before it.
    let in_one = |words: &str| Class::WholeOrder.says(words);
    let agreed = || {
        let mut parts = words.match_indices(' ').map(|(at, _)| words.split_at(at));
        parts.find_map(|(yes, rest)| in_one(rest.trim_start()).filter(|_| verdict(yes) == Some("yes")))
    };
    let ordered = in_one(words).filter(|_| verdict(words).is_none()).or_else(pointing).or_else(agreed);
    ordered.is_some_and(|ordered| !message.contains('?') && does(ordered, verbs))
}

/// "Undo", and no more.
pub fn undoes(message: &str) -> bool {
    verdict(message) == Some("undo")
}

/// What takes back what was done, where nothing waits that it would be a no to.
pub fn cancels(message: &str) -> bool {
    verdict(message) == Some("cancel")
}

/// "Yes, and tea 2": a yes to what was shown, perhaps, and something else with it.
pub fn goes_on_after_yes(message: &str) -> bool {
    let words = plain_words(message);
    let first = first_answer(&words);
    let begins = first.is_some_and(|(says, rest)| matches!(says, "yes" | "weak yes") && !rest.is_empty());
    begins && verdict(message).is_none() && read(message).is_none()
}

/// The yes of "yes please, and tea 2": it is plain on its own, "and" joins the rest to it, and no word of the rest takes
/// anything back.
pub fn joined_yes(message: &str) -> Option<&str> {
    let is_join = |word: &str| Class::Joining.contains(word);
    let before = message.split_inclusive(char::is_whitespace).take_while(|word| !is_join(&plain_words(word)));
    let (yes, rest) = message.split_at(before.map(str::len).sum());
    let takes_back = |word: &str| {
        Class::Limiting.contains(word)
            || Class::PlainAnswer
                .says(word)
                .is_some_and(|says| no_of(&says).is_some() || matches!(says, "unsure" | "pause"))
    };
    let rest: Vec<String> = rest.split_whitespace().map(plain_words).collect();
    let adds = rest.iter().any(|word| !word.is_empty() && !is_join(word));
    let is_plain = verdict(yes) == Some("yes") && adds && !message.contains('?');
    (is_plain && !rest.iter().any(|word| takes_back(word))).then_some(yes)
}

/// Without what is said after an answer and changes nothing.
pub(super) fn without_courtesy(words: &str) -> &str {
    let mut behind = Class::BehindAnswer.all().iter();
    behind.find_map(|(end, _)| words.strip_suffix(end)?.strip_suffix(' ')).unwrap_or(words)
}

pub(super) fn verb(word: &str) -> Option<&'static str> {
    Class::PlainAnswer.says(word)?.strip_prefix("verb ")
}

/// "No, the other one": a no to what was shown, and what is meant instead.
pub fn goes_on_after_no(message: &str) -> bool {
    let words = message.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = words.find(|c: char| !c.is_alphanumeric()).unwrap_or(words.len());
    let (first, rest) = words.split_at(end);
    let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let points = matches!(first.to_lowercase().as_str(), "no" | "nope") && Class::AfterNo.contains(&next);
    let breaks = points || rest.trim_start().starts_with([',', '.', ';', ':', '!', '–', '—', '-']);
    let goes_on = rest.chars().any(char::is_alphanumeric);
    let is_no = matches!(Class::PlainAnswer.says(&first.to_lowercase()), Some("no" | "cancel" | "stop"));
    breaks && goes_on && is_no
}

/// The longest phrase of a plain answer that the words begin with: what it says, and the rest.
fn first_answer(words: &str) -> Option<(&'static str, &str)> {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let longer = |(phrase, sense): (&'static str, &'static Sense)| {
        let behind = words.strip_prefix(phrase)?;
        let (stretch, rest) = behind.split_at(behind.find(' ').unwrap_or(behind.len()));
        let is_it = stretch.is_empty() || unstretched(&words[..phrase.len() + stretch.len()]) == phrase;
        is_it.then_some((sense.says, rest.trim_start()))
    };
    Class::PlainAnswer.phrases(first).find_map(longer).or_else(|| {
        let sense = Class::PlainAnswer.sense(first).or_else(|| Class::PlainAnswer.sense(unstretched(first)))?;
        Some((sense.says, rest))
    })
}

/// What each phrase of the message says. None for a word that is no plain answer.
fn each_answer(words: &str) -> impl Iterator<Item = Option<&'static str>> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let first = first_answer(Some(rest).filter(|rest| !rest.is_empty())?);
        rest = first.map_or_else(|| rest.split_once(' ').map_or("", |(_, after)| after), |(_, after)| after);
        Some(first.map(|(says, _)| says))
    })
}

/// "yessss", "nooo".
fn unstretched(word: &str) -> &str {
    let last = word.chars().last().unwrap_or_default();
    let start = word.trim_end_matches(last).len();
    if word[start..].chars().count() < 3 { word } else { &word[..start + last.len_utf8()] }
}

pub(super) fn plain_words(message: &str) -> String {
    let lower = message.to_lowercase();
    let mut words = String::with_capacity(lower.len());
    let mut is_apart = false;
    // Nor the colour of a hand.
    for letter in lower.chars().filter(|letter| !matches!(letter, '\'' | '’' | '🏻'..='🏿')) {
        let parts = letter.is_ascii_punctuation() && !matches!(letter, '#' | '-') || matches!(letter, '¡' | '¿');
        if parts || letter.is_whitespace() {
            is_apart = !words.is_empty();
            continue;
        }
        if std::mem::take(&mut is_apart) {
            words.push(' ');
        }
        words.push(letter);
    }
    words
}

fn pick(words: &str) -> Option<usize> {
    let words = without_courtesy(words);
    let words = past(words.strip_suffix(" one").unwrap_or(words), Class::Choosing);
    let ordinal = Class::PlaceInList.says(words).and_then(|place| place.parse().ok());
    ordinal.or_else(|| words.strip_prefix('#').unwrap_or(words).parse().ok().filter(|n| (1..=5).contains(n)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{PlainAnswer::*, *};

    #[test]
    fn a_phrase_of_a_language_says_one_thing() {
        let mut known = std::collections::BTreeSet::new();
        let all = Class::PlainAnswer.all().iter();
        let twice: Vec<&str> = all
            .filter(|(phrase, sense)| !known.insert((format!("{:?}", sense.language), *phrase)))
            .map(|(phrase, _)| *phrase)
            .collect();
        assert_eq!(twice, [""; 0]);
    }

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
    #[case("yes, and tea 2", Some("yes, "))]
    #[case("Yes please and also tea 2", Some("Yes please "))]
    #[case("ja, und Tee 2", Some("ja, "))]
    #[case("yes, tea 2", None)]
    #[case("yes and", None)]
    #[case("yes and no, tea 2", None)]
    #[case("yes, and tea 2 but not the cake", None)]
    #[case("yes, and tea 2 instead of the coffee", None)]
    #[case("yes, and tea 2 without the cake", None)]
    #[case("yes, and maybe tea 2", None)]
    #[case("yes to the coffee and tea 2", None)]
    #[case("no, and tea 2", None)]
    #[case("maybe, and tea 2", None)]
    #[case("yes, and was tea 2?", None)]
    #[case("coffee 3 and tea 2", None)]
    fn a_yes_that_is_joined_to_more_is_plain_on_its_own(#[case] message: &str, #[case] expected: Option<&str>) {
        assert_eq!(joined_yes(message), expected, "{message}");
    }

    #[rstest]
    #[case("yes, delete it", &["delete"], true)]
    #[case("yes, delete it", &["add"], false)]
    #[case("yes please save them", &["add"], true)]
    #[case("yup, save it", &["change"], true)]
    #[case("yup, save it", &["delete"], false)]
    #[case("yes, delete it", &["delete", "add"], false)]
    #[case("yes, delete it", &["delete", "complete"], false)]
    #[case("yes", &["delete", "add"], true)]
    #[case("yes", &[], true)]
    #[case("ok, delete it", &[], false)]
    #[case("yes, add it", &["remember"], false)]
    #[case("sure, get rid of it", &["delete"], true)]
    #[case("sure, get rid of it", &["add"], false)]
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
    #[case("get rid of it", &["delete"], Some(1), true)]
    #[case("okay then, bin it", &["delete"], Some(1), true)]
    #[case("okay then, bin it", &["add"], Some(1), false)]
    #[case("bin it", &["delete"], Some(1), false)]
    #[case("no, bin it", &["delete"], Some(1), false)]
    #[case("yes but bin it", &["delete"], Some(1), false)]
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
    #[case("Spot on, mate!", Some(Yes(None)))]
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
    #[case("right, go ahead and delete", Some(Yes(None)))]
    #[case("yeah right", None)]
    #[case("leave it, doesn't matter", Some(No(None)))]
    #[case("don't get rid of it", Some(No(None)))]
    #[case("no I made a mistake sorry", Some(No(None)))]
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
    #[case("yes but", None)]
    #[case("ok but this", None)]
    #[case("ja aber", None)]
    #[case("oui mais", None)]
    #[case("yes hmm", None)]
    #[case("that's it", None)]
    #[case("I want to go", None)]
    #[case("yes, also this", None)]
    #[case("thanks, that's fine", None)]
    #[case("ok, no", Some(No(None)))]
    #[case("wait, no", Some(No(None)))]
    #[case("not sure", None)]
    #[case("that is not right", Some(No(None)))]
    #[case("das passt nicht", Some(No(None)))]
    #[case("please don't add it", Some(No(None)))]
    #[case("don't stop", None)]
    #[case("absolutely not", Some(No(None)))]
    #[case("yes but 45", None)]
    #[case("yes and add lunch 12", None)]
    #[case("no, yesterday", None)]
    #[case("not yet", None)]
    #[case("yes 45", None)]
    #[case("yes -1", None)]
    #[case("yessss!!", Some(Yes(None)))]
    #[case("nooo", Some(No(None)))]
    #[case("yse", Some(Yes(None)))]
    #[case("oki", Some(Yes(None)))]
    #[case("oki, no", Some(No(None)))]
    #[case("naah", Some(No(None)))]
    #[case("dismiss", Some(No(None)))]
    #[case("cancle that", Some(No(None)))]
    #[case("canel", Some(No(None)))]
    #[case("jaa", Some(Yes(None)))]
    #[case("abrechen", Some(No(None)))]
    #[case("annulle", Some(No(None)))]
    #[case("canselar", Some(No(None)))]
    #[case("ya", None)]
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

    /// Labelled messages. None of another kind is a yes.
    #[rstest]
    #[case::yes(include_str!("../../tests/utterances/yes.txt"), &["yes"], 295)]
    #[case::no(include_str!("../../tests/utterances/no.txt"), &["no", "decline", "cancel", "stop"], 310)]
    #[case::cancel(include_str!("../../tests/utterances/cancel.txt"), &["no", "decline", "cancel", "stop"], 200)]
    #[case::unsure(include_str!("../../tests/utterances/unsure.txt"), &["unsure"], 155)]
    #[case::other(include_str!("../../tests/utterances/other.txt"), &[], 0)]
    #[case::add(include_str!("../../tests/utterances/add_expense.txt"), &[], 0)]
    #[case::update(include_str!("../../tests/utterances/update.txt"), &[], 0)]
    #[case::delete(include_str!("../../tests/utterances/delete.txt"), &[], 0)]
    #[case::list(include_str!("../../tests/utterances/list.txt"), &[], 0)]
    #[case::greeting(include_str!("../../tests/utterances/greeting.txt"), &[], 0)]
    #[case::help(include_str!("../../tests/utterances/help.txt"), &[], 0)]
    fn labelled_messages_are_read(#[case] messages: &str, #[case] expected: &[&str], #[case] at_least: usize) {
        let read = |message: &&str| verdict(message).is_some_and(|verdict| expected.contains(&verdict));
        let right = messages.lines().filter(read).count();
        let is_wrong = |message: &&str| verdict(message) == Some("yes") && !expected.contains(&"yes");
        let wrong: Vec<&str> = messages.lines().filter(is_wrong).collect();
        assert_eq!(wrong, Vec::<&str>::new());
        let missed = || messages.lines().filter(|message| !read(message)).collect::<Vec<_>>();
        assert!(right >= at_least, "{right} read; not read: {:?}", missed());
    }
}
