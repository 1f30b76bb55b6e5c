//! A part of the build script: tables of the words in the files of the lexicon, so that the program reads no file when it
//! starts.
//!
//! ```text
//! # A comment stands before a name.
//! [currency: GBP]      a class, and what its words say if they say anything
//! pound, pounds        words and phrases, between commas and ends of lines
//!
//! [currency]           the same, of several that say different things
//! GBP: pound, pounds
//! EUR: euro, euros
//! ```

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::Path,
};

use crate::tables::{camel, place, table, word_table, write};

const FOLDER: &str = "src";

const LISTS: &str = "model/offline/lists.txt";

const FILES: [(&str, Option<&str>); 10] = [
    ("phrases/lexicon/any.txt", None),
    ("phrases/lexicon/en.txt", Some("English")),
    ("phrases/lexicon/de.txt", Some("German")),
    ("phrases/lexicon/fr.txt", Some("French")),
    ("phrases/lexicon/es.txt", Some("Spanish")),
    (LISTS, None),
    ("phrases/yes_no/en.txt", Some("English")),
    ("phrases/yes_no/de.txt", Some("German")),
    ("phrases/yes_no/fr.txt", Some("French")),
    ("phrases/yes_no/es.txt", Some("Spanish")),
];

/// A power of two. Some two words share a bucket.
const BUCKETS: usize = 2_048;

#[derive(Clone)]
struct Section {
    file: &'static str,
    class: String,
    language: Option<&'static str>,
    says: String,
    phrases: Vec<String>,
}

/// What is found by a word.
#[derive(Default)]
struct Entry<'p> {
    /// Where it stands first.
    start: usize,
    sections: Vec<usize>,
    /// Where phrases begin, their texts and their sections.
    phrases: Vec<(usize, &'p str, usize)>,
}

/// Writes the text of all phrases and the tables into it. The classes and their phrases.
pub fn compile(out: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut sections = Vec::new();
    for (name, language) in FILES {
        let path = format!("{FOLDER}/{name}");
        println!("cargo::rerun-if-changed={path}");
        sections.extend(read(name, &fs::read_to_string(&path).expect("a file of the lexicon"), language));
    }
    let of_lists = |section: &&Section| section.file == LISTS;
    for Section { class, .. } in sections.iter().filter(of_lists) {
        let is_twice = sections.iter().any(|other| other.file != LISTS && other.class == *class);
        assert!(!is_twice, "[{class}] is in {LISTS} and in the lexicon: two classes of one name would be one");
    }
    // Those of a class stand together, in the order of the files.
    sections.sort_by(|one, other| one.class.cmp(&other.class));
    let mut classes: Vec<&str> = sections.iter().map(|section| section.class.as_str()).collect();
    classes.dedup();
    let mut code = format!(
        "/// The classes of the sections.\n#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]\npub enum Class {{ {} }}\n\
         const CLASSES: usize = {};\n",
        classes.join(", "),
        classes.len()
    );
    let starts = classes.iter().map(|class| sections.partition_point(|section| section.class.as_str() < *class));
    table(&mut code, "CLASS_STARTS", "u16", starts.chain([sections.len()]));
    let mut text = String::new();
    write_words(&mut code, &mut text, &sections);
    write_sections(&mut code, &mut text, &sections);
    write(out, "lexicon", &text, &code);
    let mut phrases = BTreeMap::<String, BTreeSet<String>>::new();
    sections.into_iter().for_each(|section| phrases.entry(section.class).or_default().extend(section.phrases));
    phrases
}

/// The phrases, and what is found by their first words.
fn write_words(code: &mut String, text: &mut String, sections: &[Section]) {
    let mut lengths = Vec::new();
    let mut entries: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        let start = text.len();
        for phrase in &section.phrases {
            let word = phrase.split(' ').next().expect("a first word");
            let entry = entries.entry(word).or_insert_with(|| Entry { start: text.len(), ..Entry::default() });
            if word == phrase {
                entry.sections.push(at);
            } else {
                entry.phrases.push((text.len(), phrase, at));
            }
            text.push_str(phrase);
            text.push('\n');
        }
        lengths.push(text.len() - start);
    }
    table(code, "LENGTHS", "u16", lengths);
    let mut words: Vec<(&str, Entry<'_>)> = entries.into_iter().collect();
    words.sort_by_key(|(_, entry)| entry.start);
    let listed: Vec<(usize, &str)> = words.iter().map(|(word, entry)| (entry.start, *word)).collect();
    word_table(code, "BY_WORD", &listed, BUCKETS);

    let mut lists: Vec<usize> = Vec::new();
    // Most words have one meaning, which needs no list.
    let mut known: HashMap<Vec<usize>, usize> = (0..sections.len()).map(|at| (vec![at], at)).collect();
    let (mut found, mut phrases) = (Vec::new(), Vec::new());
    for (_, mut entry) in words {
        let senses = entry.sections.len();
        let sense = *known.entry(entry.sections.clone()).or_insert_with(|| {
            lists.append(&mut entry.sections);
            lists.len() - senses
        });
        // Most words begin no phrase. Zeros are small in the zip.
        let (phrase, count) = if entry.phrases.is_empty() { (0, 0) } else { (phrases.len(), entry.phrases.len()) };
        found.push(format!("Word {{ senses: ({sense}, {senses}), phrases: ({phrase}, {count}) }}"));
        // The longer first.
        entry.phrases.sort_by_key(|(_, phrase, _)| std::cmp::Reverse(phrase.matches(' ').count()));
        phrases.extend(entry.phrases);
    }
    table(code, "WORDS", "Word", found);
    table(code, "LISTS", "u16", lists);
    let phrase = |(start, _, sense)| format!("Phrase {{ start: {start}, sense: {sense} }}");
    table(code, "PHRASES", "Phrase", phrases.into_iter().map(phrase));
}

/// What the sections say, behind the phrases.
fn write_sections(code: &mut String, text: &mut String, sections: &[Section]) {
    let phrases = text.len();
    let senses = sections.iter().map(|Section { class, language, says, .. }| {
        let language = language.map_or("None".to_owned(), |language| format!("Some(Language::{language})"));
        let start = text[phrases..].find(says).map_or(text.len(), |at| phrases + at);
        if start == text.len() {
            text.push_str(says);
        }
        format!("(Class::{class}, {language}, {})", place(start, says))
    });
    table(code, "SECTIONS", "(Class, Option<Language>, Place)", senses);
}

fn read(path: &'static str, text: &str, language: Option<&'static str>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut known = BTreeSet::new();
    let mut lines = text.lines().filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            let is_placed = lines.peek().is_some_and(|next| next.starts_with(['#', '[']));
            assert!(is_placed, "{path}: a comment stands before a name: {line}");
        } else if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let (class, says) = name.split_once(": ").unwrap_or((name, ""));
            sections.push(Section {
                file: path,
                class: camel(class),
                language,
                says: says.to_owned(),
                phrases: Vec::new(),
            });
        } else {
            let last = sections.last().unwrap_or_else(|| panic!("{path}: a name stands before words: {line}"));
            let mut words = line;
            if let Some((says, said_so)) = line.split_once(": ") {
                sections.push(Section { says: says.to_owned(), phrases: Vec::new(), ..last.clone() });
                words = said_so;
            }
            let section = sections.last_mut().expect("a section");
            for phrase in words.split(',').map(str::trim) {
                assert!(!phrase.is_empty(), "{path}: a phrase is missing between commas: {line}");
                let (class, says) = (section.class.clone(), section.says.clone());
                assert!(known.insert((class, says, phrase)), "{path}: {phrase} is twice in [{}]", section.class);
                section.phrases.push(phrase.to_owned());
            }
        }
    }
    sections.retain(|section| !section.phrases.is_empty());
    sections
}
