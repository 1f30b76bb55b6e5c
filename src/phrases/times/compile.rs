//! A part of the build script: the rows of `times/*.txt` as tables. `times.rs` explains the notation.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use crate::{
    patterns::WORDS,
    reader::{Patterns, all, said_by},
    tables::{camel, table},
};

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

/// What stands over a row.
#[derive(Default, Clone)]
struct Section {
    kind: usize,
    meaning: String,
    told: String,
}

pub fn compile(out: &Path, classes: &BTreeMap<String, BTreeSet<String>>) {
    let mut patterns = Patterns::default();
    patterns.has_marks = true;
    let mut sections = Vec::new();
    for name in FILES {
        read(&format!("{FOLDER}/{name}"), &mut patterns, &mut sections);
    }
    patterns.assign_numbers();
    let mut code = String::new();
    let (mut of_words, mut of_slots) = (vec![Vec::new(); patterns.words.len()], vec![Vec::new(); patterns.slots.len()]);
    let mut rows = Vec::new();
    for (Section { kind, meaning, told }, at) in sections.iter().zip(0_u16..) {
        let pattern = patterns.rows[usize::from(at)].clone();
        let mut firsts = BTreeSet::new();
        patterns.firsts(all(&pattern), &mut firsts);
        for first in firsts {
            let of = if first < WORDS { &mut of_words[usize::from(first)] } else { &mut of_slots[said_by(first)] };
            of.push(at);
        }
        let (parts, of) = (patterns.list(pattern), KINDS[*kind].1);
        let meaning = format!("find({of}, {meaning:?}).expect(\"a meaning\")");
        rows.push(format!("Row {{ kind: {kind}, meaning: {meaning}, told: {told:?}, parts: {parts} }}"));
    }
    table(&mut code, "ROWS", "Row", rows);
    for (place, (kind, _)) in KINDS.iter().enumerate() {
        code.push_str(&format!("const KIND_{}: u8 = {place};\n", kind.to_uppercase()));
    }
    let mut firsts = |rows: Vec<u16>| {
        let kinds = rows.iter().fold(0, |kinds, row| kinds | 1 << sections[usize::from(*row)].kind);
        format!("Firsts {{ kinds: {kinds}, rows: {} }}", patterns.list(rows))
    };
    let of_words: Vec<String> = of_words.into_iter().map(&mut firsts).collect();
    table(&mut code, "WORDS", "Firsts", of_words);
    let of_slots: Vec<String> = of_slots.into_iter().map(&mut firsts).collect();
    // A slot, or a class of the lexicon.
    let slots = patterns.slots.iter().zip(of_slots).map(|(name, firsts)| {
        let class = Some(camel(name)).filter(|class| classes.contains_key(class));
        let class = class.map_or("None".to_owned(), |class| format!("Some(Class::{class})"));
        format!("(Slot::of({name:?}, {class}), {firsts})")
    });
    table(&mut code, "HELD", "(Slot, Firsts)", slots);
    patterns.write(out, "times", code);
}

fn read(path: &str, patterns: &mut Patterns, sections: &mut Vec<Section>) {
    let mut section = Section::default();
    for line in patterns.read(path) {
        let head = || line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ');
        let known = head().and_then(|(name, rest)| Some((KINDS.iter().position(|kind| kind.0 == name)?, rest)));
        if let Some((kind, rest)) = known {
            let (meaning, told) = rest.split_once(' ').unwrap_or((rest, ""));
            section = Section { kind, meaning: meaning.to_owned(), told: told.to_owned() };
        } else {
            patterns.add(&line);
            sections.push(section.clone());
        }
    }
}
