//! Patterns of words and slots, which the build script makes from text. `patterns/compile.rs` explains the notation.

use std::iter;

/// As many words as are searched one by one.
pub const STEP: usize = 8;

/// Of one kind of patterns.
pub struct Patterns {
    /// The words in the order of their bytes, each on a line. Its place is the number of a word.
    pub words: &'static str,
    /// Where every `STEP`th word begins.
    pub steps: &'static [u16],
    /// One behind the other, each behind its length.
    pub lists: &'static [u16],
    /// Of each pattern with a name: where its list begins, and that of the words it can begin with. That is empty if it can
    /// begin with anything else.
    pub names: &'static [(u16, u16)],
}

impl Patterns {
    /// The number of a word, if patterns have it.
    pub fn word(&self, word: &str) -> Option<u16> {
        let (text, word) = (self.words.as_bytes(), word.as_bytes());
        // The end of a line comes before all letters.
        let is_behind = |step: &u16| {
            let line = &text[usize::from(*step)..];
            let begun = &line[..word.len().min(line.len())];
            begun > word || begun == word && line[word.len()] != b'\n'
        };
        let step = self.steps.partition_point(|step| !is_behind(step)).checked_sub(1)?;
        let lines = text[usize::from(self.steps[step])..].split(|byte| *byte == b'\n');
        let place = lines.take(STEP).position(|known| known == word)?;
        u16::try_from(step * STEP + place).ok()
    }

    /// All of a pattern with a name.
    pub fn whole(&self, name: u16) -> Parts<'static> {
        Parts(self.list(self.names[usize::from(name)].0))
    }

    pub fn list(&self, start: u16) -> &'static [u16] {
        let start = usize::from(start);
        &self.lists[start + 1..][..usize::from(self.lists[start])]
    }

    /// A pattern with a name, if it may begin with that word.
    pub fn named(&self, name: u16, word: Option<u16>) -> Option<Parts<'static>> {
        let (start, firsts) = self.names[usize::from(name)];
        let firsts = self.list(firsts);
        let may_begin = firsts.is_empty() || word.is_some_and(|word| firsts.binary_search(&word).is_ok());
        may_begin.then(|| Parts(self.list(start)))
    }
}

/// Parts of a pattern, as numbers. Those of words come first. In any other the highest bits are its kind, and the rest is
/// what it says: a number, or how many of the numbers that follow are its own.
#[derive(Clone, Copy)]
pub struct Parts<'p>(pub &'p [u16]);

#[derive(Clone, Copy)]
pub struct Part<'p> {
    pub kind: u16,
    pub said: u16,
    pub own: Parts<'p>,
}

pub const KIND_AT: u32 = 11;
pub const SAID: u16 = (1 << KIND_AT) - 1;
/// All numbers of words are below it.
pub const WORDS: u16 = SLOT << KIND_AT;

pub const WORD: u16 = 0;
pub const SLOT: u16 = 8;
pub const MARK: u16 = 9;
pub const NAMED: u16 = 10;
/// One after the other.
pub const ALL: u16 = 11;
pub const ONE_OF: u16 = 12;
/// One of them, or nothing.
pub const PERHAPS: u16 = 13;
/// Any number of times.
pub const MANY: u16 = 14;
/// It ends there.
pub const BEHIND: u16 = 15;
/// It begins there.
pub const AHEAD: u16 = 16;
/// It does not begin there.
pub const ABSENT: u16 = 17;

pub const MARKS: [char; 13] = ['^', '$', ',', '.', ':', '-', '–', '—', '/', '+', '(', ')', '&'];

impl<'p> Parts<'p> {
    /// Of ways to go on, those that may begin with that word. Most begin with another.
    pub fn ways(mut self, word: Option<u16>) -> impl Iterator<Item = Part<'p>> {
        let word = word.unwrap_or(WORDS);
        iter::from_fn(move || {
            while let [way, rest @ ..] = self.0 {
                let length = if way >> KIND_AT == ALL { usize::from(way & SAID) } else { 0 };
                let first = if length == 0 { *way } else { rest[0] };
                if first >= WORDS || first == word {
                    break;
                }
                self.0 = &rest[length..];
            }
            self.next()
        })
    }
}

impl<'p> Iterator for Parts<'p> {
    type Item = Part<'p>;

    fn next(&mut self) -> Option<Part<'p>> {
        let (first, rest) = self.0.split_first()?;
        let (kind, said) = if *first < WORDS { (WORD, *first) } else { (first >> KIND_AT, first & SAID) };
        let (own, rest) = rest.split_at(if kind < ALL { 0 } else { said.into() });
        self.0 = rest;
        Some(Part { kind, said, own: Parts(own) })
    }
}

/// The place of a name in a table, when the program is built.
pub const fn find<T>(table: &[(&str, T)], name: &str) -> Option<usize> {
    let mut at = 0;
    while at < table.len() {
        if is_same(table[at].0, name) {
            return Some(at);
        }
        at += 1;
    }
    None
}

pub const fn is_same(one: &str, other: &str) -> bool {
    let (one, other, mut at) = (one.as_bytes(), other.as_bytes(), 0);
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
