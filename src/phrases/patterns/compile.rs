//! A part of the build script: patterns as tables, so that the program reads no text when it starts.
//!
//! ```text
//! <part> = (morning|evening)    a name for a pattern, in the files behind it too
//! last night [<part>]           words, (one|of these), [perhaps], <name>, {slot} and marks
//! in< {length}                  behind a word that is no part of it
//! a {thing}* &day !night        any number of times; such a word stands there, and no such word
//! latest {order=newest}         a value of an argument, of which no word is read
//! ^ the {any unit} $            these and others are marks, if the patterns have marks
//! \( \)                         these marks
//! # a comment
//! ```

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
};

use crate::{
    patterns::{
        ABSENT, AHEAD, ALL, BEHIND, KIND_AT, MANY, MARK, MARKS, NAMED, ONE_OF, PERHAPS, Part, Parts, SAID, SLOT, STEP,
        WORD, WORDS,
    },
    tables::{table, write},
};

#[derive(Default)]
pub struct Patterns {
    pub has_marks: bool,
    /// By their numbers.
    pub words: Vec<String>,
    pub slots: Vec<String>,
    /// A name may be used again for another pattern.
    names: Vec<String>,
    named: Vec<Vec<u16>>,
    /// The first name that is known.
    known: usize,
    /// Those without a name.
    pub rows: Vec<Vec<u16>>,
    lists: Vec<u16>,
    starts: HashMap<Vec<u16>, u16>,
}

impl Patterns {
    /// The lines of a file that give no pattern a name.
    pub fn read(&mut self, path: &str) -> Vec<String> {
        println!("cargo::rerun-if-changed={path}");
        let file = fs::read_to_string(path).expect("a file of patterns");
        let mut others = Vec::new();
        for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((name, pattern)) = line.strip_prefix('<').and_then(|line| line.split_once("> = ")) {
                let pattern = self.pattern(pattern);
                self.names.push(name.to_owned());
                self.named.push(pattern);
            } else {
                others.push(line.to_owned());
            }
        }
        others
    }

    pub fn forget_names(&mut self) {
        self.known = self.names.len();
    }

    pub fn add(&mut self, pattern: &str) {
        let pattern = self.pattern(pattern);
        self.rows.push(pattern);
    }

    fn pattern(&mut self, pattern: &str) -> Vec<u16> {
        let mut rest = pattern;
        let parts = self.parts(&mut rest);
        assert!(rest.is_empty(), "{rest:?} is left of {pattern}");
        parts
    }

    /// Up to what closes a group, or the end.
    fn parts(&mut self, text: &mut &str) -> Vec<u16> {
        let mut parts = Vec::new();
        loop {
            *text = text.trim_start();
            match text.chars().next() {
                None | Some('|' | ')' | ']') => return parts,
                Some(first) => parts.extend(self.part(text, first)),
            }
        }
    }

    fn part(&mut self, text: &mut &str, first: char) -> Vec<u16> {
        let rest = &text[first.len_utf8()..];
        let until = |end: char| rest.split_once(end).expect("an end");
        let mark = |mark| vec![said(MARK, MARKS.iter().position(|known| *known == mark).expect("a mark"))];
        let (mut read, mut rest) = match first {
            '(' | '[' => {
                let mut ways = Vec::new();
                while !text.starts_with([')', ']']) {
                    *text = &text[1..];
                    let way = self.parts(text);
                    ways.extend(if Parts(&way).count() == 1 { way } else { block(ALL, way) });
                }
                (block(if first == '(' { ONE_OF } else { PERHAPS }, ways), &text[1..])
            }
            '<' => {
                let (name, rest) = until('>');
                let known = self.names[self.known..].iter().rposition(|known| known == name);
                (vec![said(NAMED, self.known + known.unwrap_or_else(|| panic!("there is no <{name}>")))], rest)
            }
            '{' => {
                let (name, rest) = until('}');
                (vec![said(SLOT, place(&mut self.slots, name))], rest)
            }
            '!' | '&' => {
                *text = rest;
                let looked_for = self.part(text, rest.chars().next().expect("what is looked for"));
                (block(if first == '&' { AHEAD } else { ABSENT }, looked_for), *text)
            }
            '\\' => (mark(rest.chars().next().expect("a mark")), &rest[1..]),
            _ if self.has_marks && MARKS.contains(&first) => (mark(first), rest),
            _ => {
                let (word, rest) = text.split_at(text.find([' ', '|', ')', ']', '<', '*']).unwrap_or(text.len()));
                (vec![number(place(&mut self.words, word))], rest)
            }
        };
        for (mark, kind) in [('*', MANY), ('<', BEHIND)] {
            if let Some(after) = rest.strip_prefix(mark) {
                (read, rest) = (block(kind, read), after);
            }
        }
        *text = rest;
        read
    }

    /// When all is read: gives words the numbers that the program finds.
    pub fn assign_numbers(&mut self) {
        let unsorted = std::mem::take(&mut self.words);
        let mut words: Vec<(&str, usize)> = unsorted.iter().map(String::as_str).zip(0..).collect();
        words.sort_unstable();
        self.words = words.iter().map(|(word, _)| (*word).to_owned()).collect();
        let mut numbers = vec![0; words.len()];
        words.iter().zip(0..).for_each(|((_, before), number)| numbers[*before] = number);
        let mut is_used = vec![false; self.names.len()];
        for part in self.named.iter_mut().chain(&mut self.rows).flatten() {
            if *part < WORDS {
                *part = numbers[usize::from(*part)];
            } else if *part >> KIND_AT == NAMED {
                is_used[said_by(*part)] = true;
            }
        }
        let unused = self.names.iter().zip(is_used).find(|(_, is_used)| !is_used);
        assert_eq!(unused, None, "nothing uses this name");
    }

    /// Collects the words and slots that a part can begin with. Whether it may be empty.
    pub fn firsts(&self, part: Part<'_>, firsts: &mut BTreeSet<u16>) -> bool {
        let Part { kind, said, mut own } = part;
        match kind {
            SLOT if self.slots[usize::from(said)].contains('=') => true,
            WORD | SLOT => {
                firsts.insert(if kind == WORD { said } else { SLOT << KIND_AT | said });
                false
            }
            NAMED => self.firsts(all(&self.named[usize::from(said)]), firsts),
            ALL => own.all(|part| self.firsts(part, firsts)),
            ONE_OF | PERHAPS | MANY => own.filter(|way| self.firsts(*way, firsts)).count() > 0 || kind != ONE_OF,
            _ => true,
        }
    }

    /// The words that it can begin with, if it begins with one of them.
    pub fn first_words(&self, part: Part<'_>) -> Option<Vec<u16>> {
        let mut firsts = BTreeSet::new();
        let may_be_empty = self.firsts(part, &mut firsts);
        (!may_be_empty && firsts.iter().all(|first| *first < WORDS)).then(|| firsts.into_iter().collect())
    }

    pub fn holds(&self, pattern: &[u16], slot: &str) -> bool {
        pattern.iter().any(|part| match part >> KIND_AT {
            SLOT => self.slots[said_by(*part)] == slot,
            NAMED => self.holds(&self.named[said_by(*part)], slot),
            _ => false,
        })
    }

    /// Where the list stands. Equal ones stand there once.
    pub fn list(&mut self, list: Vec<u16>) -> u16 {
        *self.starts.entry(list).or_insert_with_key(|list| {
            let start = number(self.lists.len());
            self.lists.push(number(list.len()));
            self.lists.extend(list);
            start
        })
    }

    pub fn write(mut self, out: &Path, name: &str, mut code: String) {
        let names = self.named.clone().into_iter().map(|pattern| {
            let firsts = self.first_words(all(&pattern)).unwrap_or_default();
            format!("({}, {})", self.list(pattern), self.list(firsts))
        });
        let names: Vec<String> = names.collect();
        table(&mut code, "NAMES", "(u16, u16)", names);
        table(&mut code, "LISTS", "u16", &self.lists);
        let mut steps = Vec::new();
        let mut text = String::new();
        for words in self.words.chunks(STEP) {
            steps.push(text.len());
            words.iter().for_each(|word| text.extend([word, "\n"]));
        }
        table(&mut code, "STEPS", "u16", steps);
        code.push_str(
            "pub static PATTERNS: Patterns =
                Patterns { words: TEXT, steps: &STEPS, lists: &LISTS, names: &NAMES };\n",
        );
        write(out, name, &text, &code);
    }
}

pub fn all(pattern: &[u16]) -> Part<'_> {
    Part { kind: ALL, said: 0, own: Parts(pattern) }
}

fn number(number: usize) -> u16 {
    u16::try_from(number).expect("a smaller number")
}

fn said(kind: u16, number: usize) -> u16 {
    assert!(number <= usize::from(SAID), "{number} is too much");
    kind << KIND_AT | self::number(number)
}

pub fn said_by(part: u16) -> usize {
    usize::from(part & SAID)
}

fn block(kind: u16, parts: Vec<u16>) -> Vec<u16> {
    [said(kind, parts.len())].into_iter().chain(parts).collect()
}

/// Of a name among others, or behind them.
fn place(known: &mut Vec<String>, name: &str) -> usize {
    known.iter().position(|known| known == name).unwrap_or_else(|| {
        known.push(name.to_owned());
        known.len() - 1
    })
}
