//! A part of the build script: the rows of `times/*.txt` as tables, so that the program reads no file when it starts.
//! `times.rs` explains the notation.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::Path,
};

use crate::tables::{camel, sort, table, word_table, write};

const FOLDER: &str = "src/phrases/times";

const FILES: [&str; 5] = ["any.txt", "en.txt", "de.txt", "fr.txt", "es.txt"];

/// The kinds of rows, and the table in `slots.rs` that has what they come to: a day that is counted from another day; any
/// other day; a week or the like that is counted from this one; any other span; a part of a day; days of one month or week;
/// an hour; a week or the like where spending is asked for.
const KINDS: [(&str, &str); 8] = [
    ("outer", "DAYS"),
    ("day", "DAYS"),
    ("whole", "SPANS"),
    ("span", "SPANS"),
    ("part", "SPANS"),
    ("days", "SPANS"),
    ("hour", "SPANS"),
    ("asked", "SPANS"),
];

/// A power of two.
const BUCKETS: usize = 512;

enum Part {
    Words(Vec<String>),
    Mark(char),
    Slot(String),
    Group {
        options: Vec<Vec<Part>>,
        is_optional: bool,
    },
    Many(Box<Part>),
    /// By its place in the patterns.
    Named(usize),
    Behind(Box<Part>),
    Look {
        part: Box<Part>,
        is_there: bool,
    },
}

struct Row {
    kind: usize,
    meaning: String,
    told: String,
    parts: Vec<Part>,
}

/// What the files have.
#[derive(Default)]
struct Source {
    rows: Vec<Row>,
    /// Those with a name. A later file may use the name for another.
    patterns: Vec<Vec<Part>>,
    names: HashMap<String, usize>,
}

pub fn compile(out: &Path, classes: BTreeSet<String>) {
    let mut source = Source::default();
    for name in FILES {
        let path = format!("{FOLDER}/{name}");
        println!("cargo::rerun-if-changed={path}");
        source.read(&path, &fs::read_to_string(&path).expect("a file of phrases about time"));
    }

    let (mut known, mut text, mut code) = (BTreeSet::new(), String::new(), String::new());
    let rows = source.rows.iter().map(|row| &row.parts);
    rows.chain(&source.patterns).flatten().for_each(|part| part.collect_words(&mut known));
    let mut words: Vec<(&str, usize)> = Vec::new();
    for word in known {
        words.push((word, text.len()));
        text.push_str(word);
    }
    sort(&mut words, BUCKETS);
    let listed: Vec<(usize, &str)> = words.iter().map(|(word, start)| (*start, *word)).collect();
    word_table(&mut code, "BY_WORD", &listed, BUCKETS);

    let ids = words.iter().zip(0..).map(|((word, _), id)| (*word, id)).collect();
    let mut tables = Tables { classes, ids, ..Tables::default() };
    for pattern in &source.patterns {
        let list = tables.list_of_parts(pattern);
        tables.patterns.push(list);
    }
    let mut firsts = Firsts::default();
    let mut rows = Vec::new();
    for (at, Row { kind, meaning, told, parts }) in source.rows.iter().enumerate() {
        firsts.add(&source.patterns, parts, at);
        let (parts, of) = (tables.list_of_parts(parts), KINDS[*kind].1);
        rows.push(format!("Row {{ kind: {kind}, meaning: place({of}, {meaning:?}), told: {told:?}, parts: {parts} }}"));
    }
    for (place, (kind, _)) in KINDS.iter().enumerate() {
        code.push_str(&format!("const KIND_{}: u8 = {place};\n", kind.to_uppercase()));
    }
    table(&mut code, "ROWS", "Row", rows);
    let firsts_of = |tables: &mut Tables, rows: &[usize]| {
        let kinds = rows.iter().fold(0, |kinds, row| kinds | 1 << source.rows[*row].kind);
        let rows = tables.firsts.list(rows.iter().map(ToString::to_string).collect());
        format!("Firsts {{ kinds: {kinds}, rows: {rows} }}")
    };
    let of_words: Vec<String> = words
        .iter()
        .map(|(word, _)| firsts_of(&mut tables, firsts.words.get(*word).map_or(&[], |rows| rows)))
        .collect();
    table(&mut code, "WORDS", "Firsts", of_words);
    let of_slots: Vec<String> = firsts
        .slots
        .iter()
        .map(|(slot, rows)| format!("({}, {})", tables.slot(slot), firsts_of(&mut tables, rows)))
        .collect();
    table(&mut code, "SLOTS_AT_FIRST", "(Slot, Firsts)", of_slots);
    table(&mut code, "FIRST_ROWS", "u16", tables.firsts.all);
    table(&mut code, "IDS", "u16", tables.words.all);
    table(&mut code, "OPTIONS", "List", tables.options.all);
    table(&mut code, "PARTS", "Part", tables.parts.all);
    write(out, "times", &text, &code);
}

/// Lists that stand one behind the other in a table. Equal ones stand there once.
#[derive(Default)]
struct Lists {
    all: Vec<String>,
    known: HashMap<Vec<String>, usize>,
}

impl Lists {
    fn list(&mut self, list: Vec<String>) -> String {
        let length = list.len();
        let start = *self.known.entry(list).or_insert_with_key(|list| {
            self.all.extend_from_slice(list);
            self.all.len() - length
        });
        format!("List {{ start: {start}, length: {length} }}")
    }
}

#[derive(Default)]
struct Tables<'s> {
    classes: BTreeSet<String>,
    ids: HashMap<&'s str, usize>,
    patterns: Vec<String>,
    words: Lists,
    options: Lists,
    parts: Lists,
    firsts: Lists,
}

impl Tables<'_> {
    fn list_of_parts(&mut self, parts: &[Part]) -> String {
        let parts = parts.iter().map(|part| self.part(part)).collect();
        self.parts.list(parts)
    }

    fn part(&mut self, part: &Part) -> String {
        match part {
            Part::Words(words) => {
                let ids = words.iter().map(|word| self.ids[word.as_str()].to_string()).collect();
                format!("Part::Words({})", self.words.list(ids))
            }
            Part::Mark(mark) => format!("Part::Mark({mark:?})"),
            Part::Slot(name) => format!("Part::Slot({})", self.slot(name)),
            Part::Group { options, is_optional } => {
                let options = options.iter().map(|option| self.list_of_parts(option)).collect();
                format!("Part::Group {{ options: {}, is_optional: {is_optional} }}", self.options.list(options))
            }
            Part::Many(part) => format!("Part::Many({})", self.list_of_parts(std::slice::from_ref(part))),
            Part::Named(place) => format!("Part::Named({})", self.patterns[*place]),
            Part::Behind(part) => format!("Part::Behind({})", self.list_of_parts(std::slice::from_ref(part))),
            Part::Look { part, is_there } => {
                let part = self.list_of_parts(std::slice::from_ref(part));
                format!("Part::Look {{ part: {part}, is_there: {is_there} }}")
            }
        }
    }

    /// A slot, or a class of the lexicon.
    fn slot(&self, name: &str) -> String {
        let class = Some(camel(name)).filter(|class| self.classes.contains(class));
        let class = class.map_or("None".to_owned(), |class| format!("Some(Class::{class})"));
        format!("Slot::of({name:?}, {class})")
    }
}

impl Part {
    fn collect_words<'p>(&'p self, known: &mut BTreeSet<&'p str>) {
        match self {
            Part::Words(words) => known.extend(words.iter().map(String::as_str)),
            Part::Group { options, .. } => options.iter().flatten().for_each(|part| part.collect_words(known)),
            Part::Many(part) | Part::Behind(part) | Part::Look { part, .. } => part.collect_words(known),
            Part::Mark(_) | Part::Slot(_) | Part::Named(_) => {}
        }
    }
}

impl Source {
    fn read(&mut self, path: &str, file: &str) {
        let (mut kind, mut meaning, mut told) = (0, "", "");
        for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let section = || line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ');
            let known = section().and_then(|(name, rest)| Some((KINDS.iter().position(|kind| kind.0 == name)?, rest)));
            if let Some((at, rest)) = known {
                kind = at;
                (meaning, told) = rest.split_once(' ').unwrap_or((rest, ""));
            } else if let Some((name, pattern)) = line.split_once(" = ") {
                self.names.insert(name.trim_matches(['<', '>']).to_owned(), self.patterns.len());
                let pattern = self.whole(path, pattern);
                self.patterns.push(pattern);
            } else {
                let (meaning, told, parts) = (meaning.to_owned(), told.to_owned(), self.whole(path, line));
                self.rows.push(Row { kind, meaning, told, parts });
            }
        }
    }

    fn whole(&self, path: &str, pattern: &str) -> Vec<Part> {
        let mut rest = pattern;
        let parts = self.parts(&mut rest);
        assert!(rest.is_empty(), "{path}: {rest:?} is left of {pattern}");
        parts
    }

    /// Up to what closes a group, or the end.
    fn parts(&self, text: &mut &str) -> Vec<Part> {
        let mut parts = Vec::new();
        loop {
            *text = text.trim_start();
            match text.chars().next() {
                None | Some('|' | ')' | ']') => return parts,
                Some(first) => parts.push(self.part(text, first)),
            }
        }
    }

    fn part(&self, text: &mut &str, first: char) -> Part {
        let mark = |text: &mut &str| *text = &text[first.len_utf8()..];
        let read = match first {
            '(' | '[' => {
                let mut options = Vec::new();
                while !text.starts_with([')', ']']) {
                    mark(text);
                    options.push(self.parts(text));
                }
                mark(text);
                let word = |option: &Vec<Part>| match &option[..] {
                    [Part::Words(words)] => Some(words.clone()),
                    _ => None,
                };
                match options.iter().map(word).collect::<Option<Vec<_>>>() {
                    Some(words) if first == '(' => Part::Words(words.concat()),
                    _ => Part::Group { options, is_optional: first == '[' },
                }
            }
            '<' => {
                let (name, rest) = text[1..].split_once('>').expect("a name that ends");
                *text = rest;
                let place = *self.names.get(name).unwrap_or_else(|| panic!("there is no <{name}>"));
                match &self.patterns[place][..] {
                    [Part::Words(words)] => Part::Words(words.clone()),
                    _ => Part::Named(place),
                }
            }
            '{' => {
                let (name, rest) = text[1..].split_once('}').expect("a slot that ends");
                *text = rest;
                Part::Slot(name.to_owned())
            }
            '^' | '$' | ',' | '.' | ':' | '-' | '–' | '—' | '/' | '+' => {
                mark(text);
                Part::Mark(first)
            }
            '!' | '&' => {
                mark(text);
                let looked_for = text.chars().next().expect("what is looked for");
                Part::Look { part: Box::new(self.part(text, looked_for)), is_there: first == '&' }
            }
            '\\' => {
                let (escaped, rest) = text[1..].split_at(1);
                *text = rest;
                Part::Mark(escaped.chars().next().expect("a mark"))
            }
            _ => {
                let end = text.find([' ', '|', ')', ']', '<']).unwrap_or(text.len());
                let (word, rest) = text.split_at(end);
                *text = rest;
                Part::Words(vec![word.to_owned()])
            }
        };
        if text.starts_with('*') {
            *text = &text[1..];
            return Part::Many(Box::new(read));
        }
        if text.starts_with('<') {
            *text = &text[1..];
            return Part::Behind(Box::new(read));
        }
        read
    }
}

/// Rows by what they can begin with.
#[derive(Default)]
struct Firsts {
    words: BTreeMap<String, Vec<usize>>,
    slots: BTreeMap<String, Vec<usize>>,
}

impl Firsts {
    /// False where the parts may all be left out.
    fn add(&mut self, patterns: &[Vec<Part>], parts: &[Part], row: usize) -> bool {
        let add = |rows: &mut Vec<usize>| {
            if rows.last() != Some(&row) {
                rows.push(row);
            }
        };
        for part in parts {
            match part {
                Part::Words(words) => words.iter().for_each(|word| add(self.words.entry(word.clone()).or_default())),
                Part::Slot(slot) => add(self.slots.entry(slot.clone()).or_default()),
                Part::Group { options, is_optional } => {
                    let empty = options.iter().filter(|option| !self.add(patterns, option, row)).count();
                    if empty == 0 && !is_optional {
                        return true;
                    }
                    continue;
                }
                Part::Many(part) => {
                    self.add(patterns, std::slice::from_ref(part), row);
                    continue;
                }
                Part::Named(place) if !self.add(patterns, &patterns[*place], row) => continue,
                Part::Named(_) => {}
                Part::Mark(_) | Part::Behind(_) | Part::Look { .. } => continue,
            }
            return true;
        }
        false
    }
}
