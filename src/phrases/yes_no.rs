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

/// What a message says to what waits, and no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Yes,
    No,
    /// A no after which nothing is to be corrected: "forget it".
    Decline,
    /// What takes back what was done, where nothing waits that it would be a no to.
    Cancel,
    /// What is said to something that is under way.
    Stop,
    Undo,
    /// "Maybe", "not sure", "wait".
    Unsure,
}

/// What a message says of which all words are known.
///
/// A yes has a word that says yes and none that says no; a no the other way round. Anything else is neither.
pub fn verdict(message: &str) -> Option<Verdict> {
    let words = plain_words(message);
    let said: Vec<&str> = each_answer(interjections::after_sighs(&words)).collect::<Option<_>>()?;
    let meant: Vec<&'static str> = (0..said.len()).map(|at| meant(&said, at)).collect();
    let has = |wanted: &[&str]| meant.iter().any(|says| wanted.contains(says));
    let says_yes = has(&["yes", "certain"]);
    let nos = || meant.iter().filter_map(no_of);
    let only = |kind: Verdict| nos().all(|no| no == kind);
    let names_nothing =
        |says: &&'static str| is_undo_alone(says) || no_of(says) == Some(Verdict::No) || *says == "beside no";
    match nos().next() {
        _ if has(&["unsure"]) => Some(Verdict::Unsure),
        // "No, wait"
        Some(Verdict::No) if meant.last() == Some(&"pause") => Some(Verdict::Unsure),
        _ if has(&["other"]) || message.contains('?') => None,
        Some(_) if says_yes => None,
        // "Undo the delete" names something.
        Some(Verdict::Undo) if only(Verdict::Undo) && !meant.iter().all(is_undo_alone) => None,
        Some(first) if only(first) => Some(first),
        // "No, undo that", "that was wrong, undo it": what is said last counts.
        Some(_) if nos().next_back() == Some(Verdict::Undo) && meant.iter().all(names_nothing) => Some(Verdict::Undo),
        Some(_) => Some(Verdict::Decline),
        None if has(&["pause"]) => Some(Verdict::Unsure),
        None if has(&["beside no"]) || said.first() == Some(&"thanks") => None,
        None => (says_yes || has(&["weak yes"])).then_some(Verdict::Yes),
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

fn no_of(says: &&str) -> Option<Verdict> {
    Some(match *says {
        "no" | "not" | "not after" => Verdict::No,
        "decline" => Verdict::Decline,
        "cancel" => Verdict::Cancel,
        "stop" => Verdict::Stop,
        "undo" => Verdict::Undo,
        _ => return None,
    })
}

fn is_undo_alone(says: &&str) -> bool {
    matches!(*says, "undo" | "filler" | "thanks" | "pause")
}

pub fn read(message: &str) -> Option<PlainAnswer> {
    match verdict(message) {
        Some(Verdict::Yes) => return Some(PlainAnswer::Yes(None)),
        Some(Verdict::Undo | Verdict::Unsure) => return None,
        Some(_) => return Some(PlainAnswer::No(None)),
        None if message.contains('?') => return None,
        None => {}
    }
    let words = plain_words(message);
    let words = interjections::after_sighs(&words);
    if let Some(n) = pick(words) {
        return Some(PlainAnswer::Pick(n));
    }
    let answer = |word: &str, n: usize| match Class::NumberedAnswer.says(word)? {
        "yes" => Some(PlainAnswer::Yes(Some(n))),
        _ => Some(PlainAnswer::No(Some(n))),
    };
    // "2 yes" says no more and no less than "yes to 2".
    if let Some((rest, last)) = words.rsplit_once(' ')
        && let Some(answer) = pick(rest).and_then(|n| answer(last, n))
    {
        return Some(answer);
    }
    let (first, rest) = words.split_once(' ')?;
    let n = pick(rest.strip_prefix("to ").unwrap_or(rest))?;
    // "No. 2" is a number.
    let is_number = first == "no" && message.trim_start().to_lowercase().starts_with("no.");
    if is_number { Some(PlainAnswer::Pick(n)) } else { answer(first, n) }
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
    let points = |verb: &str, rest: &str| match Class::RowsMeant.says(rest) {
        Some("one") => count == Some(1) || matches!(verb, "add" | "save"),
        Some("several") => count.is_some_and(|count| count > 1),
        Some("two") => count == Some(2),
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
        parts.find_map(|(yes, rest)| in_one(rest.trim_start()).filter(|_| verdict(yes) == Some(Verdict::Yes)))
    };
    let ordered = in_one(words).filter(|_| verdict(words).is_none()).or_else(pointing).or_else(agreed);
    ordered.is_some_and(|ordered| !message.contains('?') && does(ordered, verbs))
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
    let is_plain = verdict(yes) == Some(Verdict::Yes) && adds && !message.contains('?');
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
    let says = Class::PlainAnswer.says(&first.to_lowercase());
    let points = says == Some("no") && Class::AfterNo.contains(&next);
    let breaks = points || rest.trim_start().starts_with([',', '.', ';', ':', '!', '–', '—', '-']);
    let goes_on = rest.chars().any(char::is_alphanumeric);
    breaks && goes_on && matches!(says, Some("no" | "cancel" | "stop"))
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
    let words = words.strip_suffix(" one").unwrap_or(words);
    let words = past(words, |first, _| Class::Choosing.contains(first));
    let ordinal = Class::PlaceInList.says(words).and_then(|place| place.parse().ok());
    ordinal.or_else(|| words.strip_prefix('#').unwrap_or(words).parse().ok().filter(|n| (1..=5).contains(n)))
}

#[cfg(test)]
mod tests;
