//! A part of the build script: patterns as tables, so that the program reads no text when it starts.
//!
//! ```text
//! <part> = (morning|evening)    a name for a pattern, in the files behind it too
//! last night [<part>]           words, (one|of these), [perhaps], <name>, {slot} and marks
//! in< {length}                  behind a word that is no part of it
//! a {thing}* &day !night        any number of times; such a word stands there, and no such word
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
        ABSENT, AHEAD, ALL, BEHIND, KIND_AT, MANY, MARK, MARKS, NAMED, ONE_OF, PERHAPS, Part, Parts, SAID, SLOT, WORDS,
    },
    tables::{sort, table, write},
    word_table::bucket,
};

#[derive(Default)]
pub struct Patterns {
    has_marks: bool,
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
    text: String,
    buckets: Vec<String>,
    lists: Vec<u16>,
    starts: HashMap<Vec<u16>, u16>,
}

/// What can stand first.
#[derive(Default)]
pub struct Firsts {
    pub words: BTreeSet<u16>,
    pub slots: BTreeSet<u16>,
    pub may_be_empty: bool,
}

impl Firsts {
    /// Whether it begins with one of the words.
    pub fn are_words(&self) -> bool {
        self.slots.is_empty() && !self.may_be_empty
    }
}

impl Patterns {
    pub fn of(has_marks: bool) -> Patterns {
        Patterns { has_marks, ..Patterns::default() }
    }

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
        let until = |ends: &[char]| rest.split_once(ends).expect("an end");
        let mark = |mark| said(MARK, MARKS.iter().position(|known| *known == mark).expect("a mark"));
        let mut read = Vec::new();
        match first {
            '(' | '[' => {
                while !text.starts_with([')', ']']) {
                    *text = &text[1..];
                    let way = self.parts(text);
                    read.extend(if Parts(&way).count() == 1 { way } else { block(ALL, way) });
                }
                *text = &text[1..];
                read = block(if first == '(' { ONE_OF } else { PERHAPS }, read);
            }
            '<' => {
                let (name, rest) = until(&['>']);
                *text = rest;
                let known = self.names[self.known..].iter().rposition(|known| known == name);
                read.push(said(NAMED, self.known + known.unwrap_or_else(|| panic!("there is no <{name}>"))));
            }
            '{' => {
                let (name, rest) = until(&['}']);
                *text = rest;
                read.push(said(SLOT, place(&mut self.slots, name)));
            }
            '!' | '&' => {
                *text = rest;
                let looked_for = rest.chars().next().expect("what is looked for");
                read = block(if first == '&' { AHEAD } else { ABSENT }, self.part(text, looked_for));
            }
            '\\' => {
                let escaped = rest.chars().next().expect("a mark");
                *text = &rest[escaped.len_utf8()..];
                read.push(mark(escaped));
            }
            _ if self.has_marks && MARKS.contains(&first) => {
                *text = rest;
                read.push(mark(first));
            }
            _ => {
                let (word, rest) = text.split_at(text.find([' ', '|', ')', ']', '<', '*']).unwrap_or(text.len()));
                *text = rest;
                read.push(number(place(&mut self.words, word)));
            }
        }
        for (mark, kind) in [('*', MANY), ('<', BEHIND)] {
            if let Some(rest) = text.strip_prefix(mark) {
                *text = rest;
                read = block(kind, read);
            }
        }
        read
    }

    /// Call it when all is read: words get the numbers that the program finds.
    pub fn assign_numbers(&mut self) {
        let buckets = self.words.len().next_power_of_two() / 4;
        let mut words: Vec<(&str, usize)> = self.words.iter().map(String::as_str).zip(0..).collect();
        sort(&mut words, buckets);
        let mut numbers = vec![0; words.len()];
        for (at, (word, before)) in words.iter().enumerate() {
            let known = self.buckets.len().max(bucket(word, buckets) + 1);
            self.buckets.resize(known, format!("({at}, {})", self.text.len()));
            self.text.extend([*word, "\n"]);
            numbers[*before] = number(at);
        }
        self.buckets.resize(buckets + 1, format!("({}, {})", words.len(), self.text.len()));
        self.words = words.iter().map(|(word, _)| (*word).to_owned()).collect();
        let all = || self.named.iter().chain(&self.rows).flatten();
        let is_unused = |(at, _): &(usize, &String)| all().all(|part| *part != said(NAMED, *at));
        let unused: Vec<&String> = self.names.iter().enumerate().filter(is_unused).map(|(_, name)| name).collect();
        assert!(unused.is_empty(), "nothing uses {unused:?}");
        for part in self.named.iter_mut().chain(&mut self.rows).flatten().filter(|part| **part < WORDS) {
            *part = numbers[usize::from(*part)];
        }
    }

    pub fn firsts(&self, pattern: &[u16]) -> Firsts {
        self.firsts_of(Part::All(Parts(pattern)))
    }

    pub fn firsts_of(&self, part: Part<'_>) -> Firsts {
        let mut firsts = Firsts::default();
        firsts.may_be_empty = self.may_be_empty(part, &mut firsts);
        firsts
    }

    fn may_be_empty(&self, part: Part<'_>, firsts: &mut Firsts) -> bool {
        match part {
            Part::Word(word) => {
                firsts.words.insert(word);
                false
            }
            Part::Slot(slot) => {
                firsts.slots.insert(slot);
                false
            }
            Part::Named(name) => self.may_be_empty(Part::All(Parts(&self.named[usize::from(name)])), firsts),
            Part::All(mut parts) => parts.all(|part| self.may_be_empty(part, firsts)),
            Part::OneOf(ways) => ways.filter(|way| self.may_be_empty(*way, firsts)).count() > 0,
            Part::Perhaps(parts) | Part::Many(parts) => {
                parts.for_each(|part| _ = self.may_be_empty(part, firsts));
                true
            }
            Part::Mark(_) | Part::Behind(_) | Part::Ahead(_) | Part::Absent(_) => true,
        }
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
        let named = self.named.clone().into_iter().map(|pattern| {
            let firsts = self.firsts(&pattern);
            let words = if firsts.are_words() { firsts.words.into_iter().collect() } else { Vec::new() };
            format!("({}, {})", self.list(pattern), self.list(words))
        });
        let named: Vec<String> = named.collect();
        table(&mut code, "BUCKETS", "(u16, u16)", &self.buckets);
        table(&mut code, "NAMES", "(u16, u16)", named);
        table(&mut code, "LISTS", "u16", &self.lists);
        code.push_str(
            "static PATTERNS: Patterns =
                Patterns { words: TEXT, buckets: &BUCKETS, lists: &LISTS, names: &NAMES };\n",
        );
        write(out, name, &self.text, &code);
    }
}

fn number(number: usize) -> u16 {
    u16::try_from(number).expect("a smaller number")
}

fn said(kind: u16, number: usize) -> u16 {
    assert!(number <= usize::from(SAID), "{number} is too much");
    kind << KIND_AT | self::number(number)
}

fn said_by(part: u16) -> usize {
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
