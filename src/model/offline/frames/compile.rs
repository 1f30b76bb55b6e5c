//! A part of the build script: the files of patterns as tables. `grammar.rs` explains the notation.

use std::{collections::BTreeSet, path::Path};

use crate::{patterns::Parts, reader::Patterns, tables::table};

const FOLDER: &str = "src/model/offline/frames";

/// A further language, or a further toolkit, is a further file.
const FILES: [(&str, &[&str]); 4] = [
    (
        "English",
        &[
            "en.txt", "budgets.txt", "recurring.txt", "missing.txt", "commands.txt", "settings.txt", "following.txt",
            "orders.txt",
        ],
    ),
    ("German", &["de.txt"]),
    ("French", &["fr.txt"]),
    ("Spanish", &["es.txt"]),
];

/// What stands over patterns.
#[derive(Default, Clone)]
struct Section {
    head: String,
    said: String,
    asks: Vec<String>,
    required: String,
    after: Option<String>,
    now: Option<String>,
}

impl Section {
    fn add(&mut self, head: &str, said: &str) {
        let said = said.to_owned();
        match head {
            "call" | "answer" | "say" | "refuse" => *self = Section { head: head.into(), said, ..Section::default() },
            "require" => self.required = said,
            "ask" => self.asks.push(said),
            "after" => self.after = Some(said),
            "now" => self.now = Some(said),
            _ => panic!("{head} {said}"),
        }
    }

    fn code(&self, language: &str) -> String {
        let Section { head, said, asks, required, after, now } = self;
        let required: Vec<&str> = required.split_terminator(' ').collect();
        let text = if said.contains(' ') { format!("{said:?}") } else { format!("wording::{}", said.to_uppercase()) };
        let act = match head.as_str() {
            "say" => format!("Act::Say({text})"),
            "refuse" => format!("Act::Refuse({text})"),
            _ => {
                let (tool, fixed) = said.split_once(' ').unwrap_or((said, "{}"));
                let (compares, is_answer) = (fixed.contains("\"compare\":"), head == "answer");
                let asks: Vec<String> = asks.iter().map(|ask| ask_code(ask)).collect();
                format!(
                    "Act::Call(Call {{ tool: {tool:?}, fixed: {fixed:?}, compares: {compares}, asks: &[{}], after: \
                     {after:?}, now: {now:?}, is_answer: {is_answer} }})",
                    asks.join(", ")
                )
            }
        };
        format!("Section {{ language: Language::{language}, required: &{required:?}, act: {act} }}")
    }
}

fn ask_code(ask: &str) -> String {
    let (argument, rest) = ask.split_once(' ').expect("an argument and a question");
    let mut parts = rest.split(" | ");
    let text = parts.next().expect("a question");
    let options: Vec<&str> = parts.collect();
    format!("Ask {{ argument: {argument:?}, text: {text:?}, options: &{options:?} }}")
}

pub fn compile(out: &Path, closed: &BTreeSet<String>) {
    let (mut patterns, mut sections) = (Patterns::of(false), Vec::new());
    for (language, files) in FILES {
        patterns.forget_names();
        for name in files {
            let mut section = Section::default();
            for line in patterns.read(&format!("{FOLDER}/{name}")) {
                match line.split_once(' ').unwrap_or((&line, "")) {
                    ("", pattern) => {
                        patterns.add(pattern);
                        sections.push((language, section.clone()));
                    }
                    (head, said) => section.add(head, said),
                }
            }
        }
    }
    patterns.assign_numbers();
    let mut code = String::new();
    let (mut acts, mut frames) = (Vec::new(), Vec::new());
    let (mut by_need, mut open) = (vec![Vec::new(); patterns.words.len()], Vec::new());
    for ((language, section), at) in sections.iter().zip(0_u16..) {
        let pattern = patterns.rows[usize::from(at)].clone();
        let needs = needs(&patterns, &pattern, closed);
        if needs.is_empty() {
            open.push(at);
        }
        needs.iter().for_each(|word| by_need[usize::from(*word)].push(at));
        let is_unpriced = !patterns.firsts(&pattern).are_words() && !patterns.holds(&pattern, "money");
        let act = section.code(language);
        let section = acts.iter().position(|known| *known == act).unwrap_or(acts.len());
        if section == acts.len() {
            acts.push(act);
        }
        let pattern = patterns.list(pattern);
        frames.push(format!("Frame {{ section: {section}, pattern: {pattern}, is_unpriced: {is_unpriced} }}"));
    }
    table(&mut code, "SECTIONS", "Section", acts);
    table(&mut code, "FRAMES", "Frame", frames);
    let by_need: Vec<u16> = by_need.into_iter().map(|frames| patterns.list(frames)).collect();
    table(&mut code, "BY_NEED", "u16", by_need);
    code.push_str(&format!("const OPEN: u16 = {};\n", patterns.list(open)));
    table(&mut code, "HELD", "Slot", patterns.slots.iter().map(|name| format!("Slot::of({name:?})")));
    patterns.write(out, "frames", code);
}

/// A message that fits has one of these words. Most messages have some of the words that sentences are made of.
fn needs(patterns: &Patterns, pattern: &[u16], closed: &BTreeSet<String>) -> BTreeSet<u16> {
    let parts = Parts(pattern).map(|part| patterns.firsts_of(part)).filter(|firsts| firsts.are_words());
    let common = |words: &BTreeSet<u16>| {
        words.iter().filter(|word| closed.contains(&patterns.words[usize::from(**word)])).count()
    };
    parts.map(|firsts| firsts.words).min_by_key(|words| (common(words), words.len())).unwrap_or_default()
}
