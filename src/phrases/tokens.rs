//! Text cut into words, runs of digits and single marks.
//!
//! It knows how digits are written in many scripts, and nothing of what the words or numbers mean.

use std::{borrow::Cow, cell::OnceCell, ops::Range};

use super::{
    Conventions, DecimalMark, Language,
    lexicon::{Class, Entry, Sense},
};

#[derive(Debug, Clone)]
pub(super) struct Token<'t> {
    pub span: Range<usize>,
    /// As written.
    pub text: &'t str,
    pub kind: Kind<'t>,
    /// No white space between this token and the one before.
    pub glued: bool,
    /// What the lexicon has of the word, once it was asked for.
    entry: OnceCell<Entry>,
    /// The number that phrases about time have for it, once it was asked for.
    pub time_word: OnceCell<Option<u16>>,
    /// The slots of phrases about time that begin with it, a bit each, once they were asked for.
    pub begins: OnceCell<u64>,
    /// Whether a phrase about time begins with it, once one was looked for.
    pub opens_time: OnceCell<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// In lower case.
    Word(Cow<'t, str>),
    /// In ASCII, however they were written.
    Digits(Cow<'t, str>),
    /// Something numeric that is not a run of digits of one script: `½`, `²`, `1٢`.
    OddNumber,
    Mark(char),
}

impl Token<'_> {
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// None if it is no word.
    fn entry(&self) -> Option<&Entry> {
        let word = self.word()?;
        Some(self.entry.get_or_init(|| Entry::of(word)))
    }

    pub fn digits(&self) -> Option<&str> {
        match &self.kind {
            Kind::Digits(digits) => Some(digits),
            _ => None,
        }
    }

    pub fn mark(&self) -> Option<char> {
        match self.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }
}

/// Words to look for: a list, a class of the lexicon, or several of them.
pub(super) trait Words: Copy {
    fn have(self, token: &Token<'_>) -> bool;
}

impl<const N: usize> Words for &[&str; N] {
    fn have(self, token: &Token<'_>) -> bool {
        token.word().is_some_and(|word| is_one_of(word, self))
    }
}

impl Words for Class {
    fn have(self, token: &Token<'_>) -> bool {
        token.entry().is_some_and(|entry| entry.has(self))
    }
}

impl<const N: usize> Words for [Class; N] {
    fn have(self, token: &Token<'_>) -> bool {
        token.entry().is_some_and(|entry| self.iter().any(|class| entry.has(*class)))
    }
}

pub fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.contains(&word)
}

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let end = at + token_length(&text[at..], first);
        if !first.is_whitespace() {
            let glued = found.last().is_some_and(|before| before.span.end == at);
            let text = &text[at..end];
            found.push(Token {
                span: at..end,
                text,
                kind: kind(text, first),
                glued,
                entry: OnceCell::new(),
                time_word: OnceCell::new(),
                begins: OnceCell::new(),
                opens_time: OnceCell::new(),
            });
        }
        at = end;
    }
    found
}

/// In bytes, white space included.
fn token_length(rest: &str, first: char) -> usize {
    let run = |part: fn(char) -> bool| rest.find(|letter| !part(letter)).unwrap_or(rest.len());
    if first.is_numeric() {
        return run(char::is_numeric);
    }
    if !first.is_alphabetic() {
        return first.len_utf8();
    }
    let mut length = run(char::is_alphabetic);
    // Apostrophes belong to the word they are in.
    while let Some(after) =
        rest[length..].strip_prefix(['\'', '’']).filter(|after| after.starts_with(char::is_alphabetic))
    {
        length = rest.len() - after.len();
        length += after.find(|letter: char| !letter.is_alphabetic()).unwrap_or(after.len());
    }
    length
}

fn kind(text: &str, first: char) -> Kind<'_> {
    if first.is_numeric() {
        return ascii_digits(text).map_or(Kind::OddNumber, Kind::Digits);
    }
    if first.is_alphabetic() {
        return Kind::Word(lower(text));
    }
    Kind::Mark(first)
}

/// Most words are written in small letters, and need no copy.
fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.to_lowercase().replace('’', "'"))
}

/// The digits in ASCII, when all are of one script.
fn ascii_digits(text: &str) -> Option<Cow<'_, str>> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Cow::Borrowed(text));
    }
    let zero = zero_of(text.chars().next()?)?;
    let digit = |character: char| {
        let value = u32::from(character).checked_sub(zero).filter(|value| *value < 10)?;
        char::from_digit(value, 10)
    };
    text.chars().map(digit).collect()
}

/// "12.50,18 Nov": the mark ends the number, and a day begins behind it. Between a word and a number it parts the two.
fn part_numbers(tokens: &mut [Token<'_>], conventions: Conventions) {
    for at in 1..tokens.len().saturating_sub(1) {
        let Some(mark @ (',' | ';')) = tokens[at].mark() else { continue };
        let ([before @ .., last, _], [first, rest @ ..]) = tokens.split_at(at + 1) else { continue };
        // "2024-11-20,Groceries,54.30"
        if last.word().is_some() != first.word().is_some() && tokens[at].glued && first.glued {
            tokens[at + 1].glued = false;
            continue;
        }
        let Some(last) = last.digits().filter(|_| tokens[at].glued && first.glued) else { continue };
        let decimals = last.len() == 2 && before.last().is_some_and(|dot| dot.mark() == Some('.') && dot.glued);
        let month = |token: &Token<'_>| token.word().is_some_and(is_month);
        let Some(second) = rest.first() else { continue };
        let has_digits = |at: usize| rest.get(at).is_some_and(|token| token.digits().is_some());
        let is_day = match (first.digits().map(str::len), second.mark()) {
            (None, _) => month(first) && has_digits(0),
            (Some(1 | 2), None) => month(second),
            (Some(1 | 2), Some('/')) | (Some(4), Some('-')) => has_digits(1),
            (Some(1 | 2), Some('.')) => {
                has_digits(1) && rest.get(2).is_some_and(|dot| dot.glued && dot.mark() == Some('.'))
            }
            _ => false,
        };
        let is_point = conventions.decimal_mark == Some(DecimalMark::Point);
        if is_day && (mark == ';' || decimals || is_point || first.digits().is_none()) {
            tokens[at + 1].glued = false;
        }
    }
}

fn is_month(word: &str) -> bool {
    Class::Month.contains(word.strip_prefix("d'").unwrap_or(word))
}

fn zero_of(digit: char) -> Option<u32> {
    const ZEROS: [u32; 25] = [
        0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
        0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0xa620, 0xa8d0, 0xff10,
    ];
    ZEROS.into_iter().find(|zero| (*zero..zero + 10).contains(&u32::from(digit)))
}

/// A text, how its writer writes, and its tokens, read by position; positions outside it hold nothing.
pub(super) struct Line<'t> {
    pub text: &'t str,
    pub conventions: Conventions,
    pub tokens: Vec<Token<'t>>,
    /// Once they were asked for.
    pub openings: OnceCell<Openings>,
}

/// Where a phrase about time may begin in a line.
pub(super) struct Openings {
    pub at: Vec<bool>,
    pub foreign: bool,
    /// Something names a month.
    pub month: bool,
}

impl Openings {
    pub fn is_at(&self, at: usize) -> bool {
        self.at.get(at) == Some(&true)
    }
}

impl<'t> Line<'t> {
    pub fn new(text: &'t str, conventions: Conventions) -> Self {
        let mut tokens = tokens(text);
        part_numbers(&mut tokens, conventions);
        Self { text, conventions, tokens, openings: OnceCell::new() }
    }

    /// The word there in lower case, or "".
    pub fn word(&self, at: usize) -> &str {
        self.tokens.get(at).and_then(Token::word).unwrap_or_default()
    }

    /// The word so many tokens before, or "".
    pub fn before(&self, at: usize, distance: usize) -> &str {
        at.checked_sub(distance).map_or("", |at| self.word(at))
    }

    pub fn is(&self, at: usize, words: impl Words) -> bool {
        self.tokens.get(at).is_some_and(|token| words.have(token))
    }

    pub fn follows(&self, at: usize, words: impl Words) -> bool {
        at > 0 && self.is(at - 1, words)
    }

    /// Whether a phrase of the class may stand there: its first word does.
    pub fn may_be(&self, at: usize, class: Class) -> bool {
        self.tokens.get(at).and_then(Token::entry).is_some_and(|entry| entry.begins(class))
    }

    /// What the word there can mean as one of the class.
    pub fn senses(&self, at: usize, class: Class) -> impl Iterator<Item = &'static Sense> + use<'_, 't> {
        let entry = self.tokens.get(at).and_then(Token::entry).filter(|entry| entry.has(class));
        entry.into_iter().flat_map(move |entry| entry.found.senses(class))
    }

    /// The language of each meaning of a word.
    pub fn languages(&self, at: usize) -> impl Iterator<Item = Option<Language>> + use<'_, 't> {
        self.tokens.get(at).and_then(Token::entry).into_iter().flat_map(Entry::languages)
    }

    /// Where the longest phrase of the class that stands there ends.
    pub fn phrase(&self, at: usize, class: Class) -> Option<usize> {
        self.sense(at, class).map(|(end, _)| end)
    }

    /// Where the longest phrase of the class that stands there ends, and what it says.
    pub fn sense(&self, at: usize, class: Class) -> Option<(usize, &'static Sense)> {
        let entry = self.tokens.get(at)?.entry().filter(|entry| entry.begins(class))?;
        let mut phrases = entry.found.phrases(class);
        let whole = phrases.find_map(|(phrase, sense)| Some((self.whole_phrase(at, phrase)?, sense)));
        whole.or_else(|| Some((at + 1, entry.found.senses(class).next()?)))
    }

    /// Where the phrase ends, if it stands there.
    pub fn whole_phrase(&self, at: usize, phrase: &str) -> Option<usize> {
        let first = self.word(at);
        if first.is_empty() || !phrase.starts_with(first) {
            return None;
        }
        let mut end = at;
        for word in phrase.split(' ') {
            // "peut-être", "p.P."
            let dotted = self.glued_mark(end) == Some('.') && self.glued(end + 1);
            end += usize::from(end > at && (self.glued_mark(end) == Some('-') || dotted));
            if self.word(end) != word {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    pub fn follows_mark(&self, at: usize, mark: char) -> bool {
        at > 0 && self.mark(at - 1) == Some(mark)
    }

    /// "and", or a mark that parts one thing from the next.
    pub fn is_joint(&self, at: usize) -> bool {
        let is_mark = self.mark(at).is_some_and(|mark| ",;.".contains(mark)) && !self.glued(at + 1);
        is_mark || self.is(at, Class::And)
    }

    /// Where what belongs to the word there begins.
    pub fn clause(&self, at: usize) -> usize {
        (0..at).rev().find(|at| self.is_joint(*at)).map_or(0, |joint| joint + 1)
    }

    pub fn digits(&self, at: usize) -> Option<&str> {
        self.tokens.get(at)?.digits()
    }

    pub fn mark(&self, at: usize) -> Option<char> {
        self.tokens.get(at)?.mark()
    }

    pub fn glued(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.glued)
    }

    /// The mark there when nothing parts it from what is before it.
    pub fn glued_mark(&self, at: usize) -> Option<char> {
        self.mark(at).filter(|_| self.glued(at))
    }

    pub fn span(&self, start: usize, end: usize) -> Range<usize> {
        self.tokens[start].span.start..self.tokens[end - 1].span.end
    }

    /// Past one such mark or word, if it is there.
    pub fn skip(&self, at: usize, marks: &[char], words: impl Words) -> usize {
        let skipped = self.mark(at).is_some_and(|mark| marks.contains(&mark)) || self.is(at, words);
        at + usize::from(skipped)
    }

    /// A number or word begins here: what is before it is not part of it.
    pub fn starts(&self, at: usize) -> bool {
        if !self.glued(at) {
            return true;
        }
        let opens = self.mark(at - 1).is_some_and(|mark| "([{\"'“‘|,;:–—".contains(mark));
        opens && !(self.glued(at - 1) && at >= 2 && !matches!(self.tokens[at - 2].kind, Kind::Word(_) | Kind::Mark(_)))
    }

    /// A number ends before here: no more digits or letters stick to it.
    pub fn ends(&self, at: usize) -> bool {
        if !self.glued(at) {
            return true;
        }
        let Some(mark) = self.mark(at) else { return false };
        match mark {
            '.' | ',' | ':' | '\'' | '’' => !self.glued(at + 1) || self.mark(at + 1).is_some(),
            ';' | '!' | '?' | ')' | ']' | '}' | '"' | '”' | '|' | '–' | '—' => true,
            _ => false,
        }
    }
}
