//! The words of commands: which to look for, which to strip, and what is said back.
//!
//! No grammar and no meaning: what a command does with its words is for the other modules.

use std::{borrow::Cow, ops::Range};

use crate::{
    phrases::{
        Class,
        interjections::{REACTIONS, is_interjection},
    },
    sorted::Sort,
};

pub(super) const HELLO: &str = "I keep track of your expenses. Try “coffee 3.50 yesterday” or “how much did I spend this month?”. Say “help” to see what else you can say.";
pub(super) const HELP: &str = "I keep track of your expenses. Say it in your own words:\n\
    - to add: “coffee 3.50 yesterday”, “Tesco 42 in food”\n\
    - to ask: “how much did I spend this month?”, “spending by category”, “show food over 20 in October”\n\
    - to change: “change the coffee to 4”, “delete the coffee”, “undo”\n\
    - for a budget: “budget 200 a month for food”, “how are my budgets?”\n\
    - for what comes back: “rent 950 every month on the 1st”, “what are my subscriptions?”";
pub(super) const UNKNOWN: &str = "I didn't understand that. Nothing was changed. Try “lunch 12 today”, “show expenses over £50 in October” or “change 42 to 45”.";
/// Asked when no expense was named.
pub(super) const WHICH_TO_DELETE: &str = "Which expense should I delete?";
pub(super) const UNKNOWN_COMMAND: &str = "I don't know that command. Nothing was changed. In plain words, say “lunch 12 today”, “budget 200 a month for food” or “help”.";
pub(super) const NOTHING_WAITING: &str =
    "Nothing is waiting for a yes or no. To take back what was done last, say “undo that”.";
pub(super) const NOTHING_DELETED: &str =
    "I can only bring back what you deleted just before. To undo your last change, say “undo”.";
pub(super) const NEITHER: &str = "I could not tell if that is a yes or a no. Nothing was changed. Please say just “yes” or “no”, or what should be different, like “make it 4”.";
pub(super) const WAITS: &str = "Nothing is written until you say yes, and “undo” takes it back afterwards. Please say “yes” or “no”, or what should be different.";
pub(super) const UNDECIDED: &str = "No problem. Nothing changes until you say yes.";
pub(super) const WELCOME: &str = "You're welcome.";
pub(super) const GOODBYE: &str = "Goodbye. Come back any time.";
pub(super) const WELL: &str = "I'm fine, thanks. Tell me what you spent, or ask what you have spent so far.";
pub(super) const OUT_OF_SCOPE: &str = "I can't help with that. I only keep track of expenses. Try “coffee 3.50 yesterday” or “how much on food this month?”.";
pub(super) const CANNOT_COMPARE: &str =
    "I can only compare days with the same number of days before. Try “compare this month with last month”.";
pub(super) const NO_WEEKDAYS: &str =
    "I can't search by day of the week. Try “spending by weekday this month” or “how much last weekend?”.";
pub(super) const ONLY_FIRST: &str = "I can only show the first ones of a list. Try “top 3 expenses in October”.";
pub(super) const ONE_DAY: &str =
    "I can only move expenses to one day. Nothing was changed. Try “move all uber to 3 November”.";
pub(super) const NO_ONE_AMOUNT: &str =
    "I can't set one amount for many expenses. Nothing was changed. Change them one by one, like “change 42 to 45”.";
pub(super) const THAT_WAS_ALL: &str = "That is all. There are no more.";
pub(super) const NOT_SO_OFTEN: &str = "I can repeat an expense every week, month or year, like “rent 950 every month on the 1st”. To add it once, leave out how often.";
pub(super) const ONLY_ITS_AMOUNT: &str = "I can only change the amount of a recurring expense. Nothing was changed. For the rest, say it again, like “netflix 12 every month on the 3rd”.";
pub(super) const SAY_IT_WHOLE: &str =
    "I don't remember what that was about. Please say all of it, like “how much did I spend on lunch yesterday”.";
pub(super) const IN_TOTAL_OF_WHAT: &str =
    "In total of what? Try “how much did I spend on petrol?” or “how much did I spend in October?”.";
pub(super) const NOTHING_SPENT: &str = "Good for you! Then there is nothing to add.";
pub(super) const DROPPED: &str = "OK, nothing was changed.";
pub(super) const NOT_ADDED: &str = "OK, nothing was added.";
pub(super) const NOT_SPENT: &str =
    "I only record what you spent: no refunds, income, transfers or debts. Nothing was added.";
pub(super) const NOT_WHOLE: &str = "I didn't understand that. Nothing was changed. Please say it in one sentence, like “coffee 3.50 yesterday”, “change the coffee to 4” or “show expenses over 5”.";
pub(super) const CANNOT_LOOK: &str = "I can't answer that. I can add up and list expenses by days, category, amount or words. Try “how much on food this month?” or “show uber in October”.";
pub(super) const NOT_SO_MANY: &str = "I don't know which expenses you mean. Nothing was changed. Try “delete 42”, “delete the coffee from yesterday”, “delete everything from last year” or “put all uber in transport”.";
pub(super) const ONE_CHANGE: &str = "I didn't understand all of that. Nothing was changed. Please say one change at a time, like “change 42 to 45” or “move the coffee to yesterday”.";

pub(super) const NUMBER_OR_AMOUNT: &str = "Is that the number of an expense, or an amount? Say “put #42 in food” for the expense with that number, or \
     “food £42” to add a new one.";

pub(super) fn not_here(tool: &str) -> String {
    let what = Class::NotHere.says(tool).unwrap_or("do that");
    format!("I can't {what} here.")
}

/// A word in lower case, and where it stands.
pub(super) type Word<'t> = (Range<usize>, Cow<'t, str>);

/// The words of a text. Apostrophes belong to words.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::with_capacity(text.len() / 4 + 1);
    found.extend(each_word(text));
    found
}

/// Whether one of its words is of the class.
pub(super) fn says(text: &str, class: Class) -> bool {
    each_word(text).any(|(_, word)| class.contains(word))
}

fn each_word(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = past(text, at, false);
        at = past(text, start, true);
        (start < at).then(|| (start..at, lower(&text[start..at])))
    })
}

/// Past the letters from there on that are of words, or past those that are not. Most are ASCII, and need not be decoded.
fn past(text: &str, from: usize, words: bool) -> usize {
    let mut at = from;
    while let Some(byte) = text.as_bytes().get(at) {
        let (is_of_word, length) = OF_WORDS.get(usize::from(*byte)).map_or_else(
            || text[at..].chars().next().map_or((false, 1), |letter| (is_of_word(letter), letter.len_utf8())),
            |known| (*known, 1),
        );
        if is_of_word != words {
            break;
        }
        at += length;
    }
    at
}

/// Of each ASCII letter, whether it is of a word.
const OF_WORDS: [bool; 128] = {
    let (mut found, mut at) = ([false; 128], 0_u8);
    while (at as usize) < found.len() {
        found[at as usize] = matches!(at, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'\'' | b'#' | b'&');
        at += 1;
    }
    found
};

/// The one that stands last, without a look at those before it.
fn last_word(text: &str) -> Option<Word<'_>> {
    let end = text.trim_end_matches(|letter| !is_of_word(letter)).len();
    let start = text[..end].trim_end_matches(is_of_word).len();
    each_word(&text[start..end]).next().map(|(_, word)| (start..end, word))
}

fn is_of_word(letter: char) -> bool {
    match OF_WORDS.get(letter as usize) {
        Some(is_of_word) => *is_of_word,
        None => letter == '’' || letter.is_alphanumeric(),
    }
}

/// Most words are written in small letters, and need no copy.
fn lower(word: &str) -> Cow<'_, str> {
    match word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    }
}

/// The text after the words in front that only greet, or react to what was said before: "hi coffee 3", "thanks, make it 4".
pub(super) fn after_reactions(text: &str) -> &str {
    let mut rest = text;
    let readers = [after_address, after_pause, after_greeting, after_reaction];
    while let Some(after) = readers.iter().find_map(|read| read(rest)) {
        rest = after.trim_start();
    }
    rest
}

/// "@expensebot lunch 8", "bot, lunch 8"
fn after_address(text: &str) -> Option<&str> {
    let (is_mention, name) = text.strip_prefix('@').map_or((false, text), |name| (true, name));
    let end = name.find([' ', ',', ':'])?;
    let (addressee, rest) = (name[..end].to_lowercase(), name[end..].trim_start_matches([',', ':']));
    let is_called = name[end..].starts_with([',', ':']) && Class::OwnName.contains(&*addressee);
    let is_mentioned = is_mention && Class::EndOfOwnName.all().iter().any(|(ending, _)| addressee.ends_with(ending));
    (is_called || is_mentioned).then_some(rest)
}

fn after_reaction(text: &str) -> Option<&str> {
    let (span, word) = each_word(text).next().filter(|(span, word)| span.start == 0 && Class::any(&REACTIONS, word))?;
    let rest = &text[span.end..];
    let exclaimed = || rest.strip_prefix(' ').filter(|_| Class::Exclamation.contains(&*word));
    rest.strip_prefix([',', '!', '.']).or_else(exclaimed).filter(|after| after.contains(char::is_alphanumeric))
}

/// "hang on it was 8.50"
fn after_pause(text: &str) -> Option<&str> {
    const LONGEST: usize = 4;
    let words: Vec<_> = each_word(text).take(LONGEST).collect();
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let length = Class::Pause.length(&said).filter(|length| *length > 1)?;
    Some(text[words[length - 1].0.end..].trim_start_matches([',', '.', '…', '!', ' '])).filter(|rest| !rest.is_empty())
}

fn after_greeting(text: &str) -> Option<&str> {
    let mut words = each_word(text);
    let (span, word) = words.next().filter(|(span, _)| span.start == 0)?;
    let (second, next) = words.next()?;
    let bare = |end: usize| text[end..].trim_start_matches([',', '!', '.', ':', ' ']);
    let rest = match &*word {
        word if Class::Hello.contains(word) && Class::BehindHello.contains(&next) => bare(second.end),
        word if Class::Greeting.contains(word) => bare(span.end),
        word if Class::GoodDay.contains(word) && Class::Daytime.contains(&*next) => bare(second.end),
        "buenas" if Class::BehindBuenas.contains(&next) => bare(second.end),
        // "morning coffee 3"
        word if Class::GreetingWithMark.contains(word) => text[span.end..].strip_prefix([',', '!', '.'])?,
        _ => return None,
    };
    (!Class::NamedAfterGreeting.contains(&next) && rest.contains(char::is_alphanumeric)).then_some(rest)
}

/// The text after the words in front that only lead up to a command.
pub(super) fn after_courtesies(text: &str) -> &str {
    after(text, &[Class::Courtesies])
}

/// The text after those words in front.
pub(super) fn after<'t>(text: &'t str, front: &[Class]) -> &'t str {
    let leads = each_word(text).take_while(|(_, word)| Class::any(front, word));
    // Signs stay: "-5" and "£5" begin before their first word.
    leads.last().map_or(text, |(span, _)| text[span.end..].trim_start_matches([' ', ',', '!', ':', ';']))
}

pub(super) fn first_word(text: &str) -> Cow<'_, str> {
    each_word(text).next().map(|(_, word)| word).unwrap_or_default()
}

/// What is left after the first word.
pub(super) fn rest(text: &str) -> &str {
    each_word(text).next().map_or("", |(span, _)| text[span.end..].trim())
}

/// "record player", "entry fee": it begins with a word that leads to a name elsewhere.
fn is_name_like_an_order(first: &str, text: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    let begins = |name: &str| {
        let head = text.get(..name.len()).filter(|head| head.eq_ignore_ascii_case(name));
        head.is_some_and(|head| ends(&text[head.len()..]))
    };
    Class::NameLikeAnOrder.phrases(first).any(|(name, _)| begins(name))
}

/// Without those words and marks at either end.
pub(super) fn trimmed<'t>(text: &'t str, front: &[Class], back: &[Class]) -> &'t str {
    let mut kept = edges(text);
    loop {
        let first = each_word(kept)
            .next()
            .filter(|(span, word)| span.start == 0 && Class::any(front, word) && !is_glued(&kept[span.end..]))
            .filter(|(_, word)| !is_name_like_an_order(word, kept));
        let shorter = match first {
            Some((span, _)) => &kept[span.end..],
            None => match last_word(kept).filter(|(span, word)| span.end == kept.len() && Class::any(back, word)) {
                Some((span, _)) => &kept[..span.start],
                None => return kept,
            },
        };
        kept = edges(shorter);
    }
}

/// "A/C", "in-ear": what goes on without a space is one name.
fn is_glued(after: &str) -> bool {
    after.strip_prefix(['/', '-']).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

/// Without the marks at either end. A bracket that is closed within stays with what it closes, "coffee (with Anna)", and
/// a sign with its number, "-5".
fn edges(text: &str) -> &str {
    let is_edge = |mark: char| mark.is_whitespace() || ".,;:!?-–—=|>*\"“”@~≈".contains(mark);
    let sign = text.find(|mark| !is_edge(mark)).and_then(|at| {
        let is_number = text[at..].starts_with(|mark: char| mark.is_ascii_digit());
        text[..at].char_indices().next_back().filter(|(_, mark)| is_number && matches!(mark, '-' | '–'))
    });
    if let Some((at, _)) = sign {
        return text[at..].trim_end_matches(is_edge);
    }
    let mut kept = text.trim_matches(is_edge);
    loop {
        let opened = |inner: &str| inner.rfind('(').map(|at| inner[at + 1..].trim().is_empty());
        let shorter = match (kept.strip_prefix(['(', ')']), kept.strip_suffix([')', '('])) {
            (Some(inner), _) if kept.starts_with(')') || !inner.contains(')') => inner,
            (_, Some(inner)) if kept.ends_with('(') || opened(inner).is_none_or(|nothing| nothing) => inner,
            (Some(inner), Some(_)) if inner.find(')') == Some(inner.len() - 1) => inner,
            _ => return kept,
        };
        kept = shorter.trim_matches(is_edge);
    }
}

/// The text with those spans taken out, and the words just before each that led to it.
pub(super) fn without(text: &str, spans: impl IntoIterator<Item = Range<usize>>, leads: &[Class]) -> String {
    without_all(text, spans.into_iter().collect(), leads)
}

fn without_all(text: &str, mut spans: Vec<Range<usize>>, leads: &[Class]) -> String {
    spans.put_in_order_of(|span| span.start);
    let mut kept = String::new();
    let mut from = 0;
    for span in spans {
        if span.start < from {
            from = from.max(span.end);
            continue;
        }
        // "(4.50)"
        let bracketed = text[from..span.start].strip_suffix('(').zip(text[span.end..].strip_prefix(')'));
        let (before, end) = bracketed.map_or((&text[from..span.start], span.end), |(before, _)| (before, span.end + 1));
        kept.push_str(trimmed_end(before, leads));
        kept.push(' ');
        from = end;
    }
    kept.push_str(&text[from..]);
    let mut parted = String::with_capacity(kept.len());
    for word in kept.split_whitespace() {
        parted.push_str(if parted.is_empty() { "" } else { " " });
        parted.push_str(word);
    }
    parted
}

fn trimmed_end<'t>(text: &'t str, leads: &[Class]) -> &'t str {
    let mut kept = text;
    while let Some((span, _)) =
        last_word(kept).filter(|(span, word)| Class::any(leads, word) && kept[span.end..].trim().is_empty())
    {
        kept = &kept[..span.start];
    }
    kept
}

/// Words that are the name of nothing.
pub(super) fn is_filler(text: &str) -> bool {
    let words = words(text);
    !words.is_empty() && words.iter().all(|(_, word)| Class::Fillers.contains(word) || is_interjection(word))
}

pub(super) fn count(word: &str) -> Option<u64> {
    let spelt = Class::Counts.sense(word).map(|sense| sense.number());
    spelt.or_else(|| word.parse().ok()).filter(|count| (1..=500).contains(count))
}

pub(super) fn is_negated(text: &str) -> bool {
    let is_one = |word: &str| Class::Negations.contains(word.replace(['\'', '’'], ""));
    words(text).iter().take(6).any(|(_, word)| is_one(word))
}
