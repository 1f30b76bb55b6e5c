//! The words that something about time can begin with: whatever stands before any other word, no reader of days or
//! spans need be asked.

use super::{
    Language,
    currencies::is_sign,
    day_words,
    lexicon::{Class, Sense},
    number_words, times,
    tokens::{Kind, Line, Openings},
    vocabulary,
};

/// What a token is to a phrase about time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    Nothing,
    /// It begins one where another part follows: "the", "on".
    Lead,
    /// It may be a part, and begins none: "3" at the end.
    Part,
    Begins,
}

/// Most words of a message are what was bought, and forty readers would look at each of them in vain; half of those need
/// not be asked at all where nothing is in another language than English.
pub(super) fn of<'l>(line: &'l Line<'_>) -> &'l Openings {
    line.openings.get_or_init(|| read(line))
}

fn read(line: &Line<'_>) -> Openings {
    let own = line.conventions.language;
    let mut foreign = own.is_some_and(|own| own != Language::English);
    let mut all = Vec::with_capacity(line.tokens.len());
    for (here, token) in line.tokens.iter().enumerate() {
        let (opening, is_foreign) = match &token.kind {
            Kind::Digits(_) => (number(line, here), is_ordinal(line, here)),
            Kind::Word(word) if is_english(line, here, word) => (led(line, here), false),
            Kind::Word(word) if is_foreign(line, here, word) => (led(line, here), true),
            _ => (Opening::Nothing, false),
        };
        all.push(opening);
        foreign |= is_foreign;
    }
    let is_part = |here: usize| match all[here] {
        Opening::Part | Opening::Begins => true,
        Opening::Nothing => times::time_word(line, here).is_some(),
        Opening::Lead => false,
    };
    let begins = |here: usize| match all[here] {
        Opening::Begins => true,
        Opening::Lead => (here + 1..all.len()).take(FARTHEST).any(is_part),
        Opening::Nothing | Opening::Part => false,
    };
    let month = (0..all.len()).any(|here| vocabulary::any_month(line, here).is_some());
    Openings { at: (0..all.len()).map(begins).collect(), foreign, month }
}

/// Behind a lead: "in the other half of the week".
const FARTHEST: usize = 4;

fn led(line: &Line<'_>, at: usize) -> Opening {
    if line.is(at, Class::LeadsToTime) { Opening::Lead } else { Opening::Begins }
}

/// "3.50" and "£45" can be no day, and "950" at the end begins none. Most numbers of a message are such.
fn number(line: &Line<'_>, at: usize) -> Opening {
    let decimals = || line.digits(at + 2).filter(|_| line.glued(at + 1) && line.glued(at + 2) && line.ends(at + 3));
    let is_decimal = || {
        let is_pointed = line.mark(at + 1).is_some_and(|mark| ".,".contains(mark));
        is_pointed && decimals().is_some_and(|digits| digits.len() == 2 && *digits > *"31" || digits == "00")
    };
    let is_last = line.tokens.len() == at + 1 && line.digits(at).is_some_and(|digits| digits.len() != 4);
    let is_behind = |is: fn(char) -> bool| at > 0 && line.glued(at) && line.mark(at - 1).is_some_and(is);
    let is_behind_point = || is_behind(|mark| ".,".contains(mark)) && at > 1 && line.digits(at - 2).is_some();
    if is_behind(is_sign) || is_behind_point() || is_decimal() {
        return Opening::Nothing;
    }
    if is_last { Opening::Part } else { Opening::Begins }
}

/// "1er", "5." and "14.10.", but not 3.50.
fn is_ordinal(line: &Line<'_>, at: usize) -> bool {
    let is_dotted = |at: usize| line.digits(at).is_some() && line.glued_mark(at + 1) == Some('.');
    line.glued(at + 1) && line.is(at + 1, Class::ForeignOrdinalEnding)
        || is_dotted(at) && (!line.glued(at + 2) || line.digits(at + 2).is_none() || is_dotted(at + 2))
}

fn is_english(line: &Line<'_>, at: usize, word: &str) -> bool {
    let is_english = |sense: &Sense| sense.language == Some(Language::English);
    line.senses(at, Class::OpensTime).any(is_english)
        || word.strip_suffix("'s").is_some_and(|word| Class::OpensTime.senses(word).any(is_english))
        || day_words::is_misspelt(word)
}

fn is_foreign(line: &Line<'_>, at: usize, word: &str) -> bool {
    // "Freitagabend" is in no list.
    line.is(at, Class::OpensTime)
        || word.strip_prefix("d'").is_some_and(|word| Class::OpensTime.contains(word))
        || word.contains("tag")
        || number_words::german(word).is_some()
        || number_words::german_ordinal(word).is_some()
}

#[cfg(test)]
mod tests;
