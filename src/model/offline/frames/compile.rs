//! A part of the build script: the files of patterns as tables. `grammar.rs` explains them.

use std::{collections::BTreeSet, path::Path};

use crate::{
    patterns::Parts,
    reader::{Patterns, all},
    tables::{camel, table},
};

const FOLDER: &str = "src/model/offline/frames";

/// A further language, or a further toolkit, is a further file.
const FILES: [(&str, &str); 4] = [
    ("English", "en budgets recurring missing commands settings following orders loose"),
    ("German", "de"),
    ("French", "fr"),
    ("Spanish", "es"),
];

pub fn compile(out: &Path, closed: &BTreeSet<String>) {
    let (mut patterns, mut sections) = (Patterns::default(), Vec::new());
    for (language, files) in FILES {
        patterns.forget_names();
        for name in files.split(' ') {
            let mut lines: Vec<(String, String)> = Vec::new();
            for line in patterns.read(&format!("{FOLDER}/{name}.txt")) {
                let (head, said) = line.split_once(' ').unwrap_or((&line, ""));
                if head.is_empty() {
                    patterns.add(said);
                    sections.push((language, lines.clone()));
                    continue;
                }
                match head {
                    "call" | "answer" | "say" | "refuse" => lines.clear(),
                    "require" => lines.retain(|(known, _)| known != head),
                    "ask" | "after" | "now" | "last" => {}
                    _ => panic!("{line}"),
                }
                lines.push((head.to_owned(), said.to_owned()));
            }
        }
    }
    patterns.assign_numbers();
    // The tools that questions are asked about.
    let answered: BTreeSet<&str> =
        sections.iter().filter(|(_, lines)| lines[0].0 == "answer").map(|(_, lines)| tool(lines)).collect();
    let (mut known, mut frames) = (Vec::new(), Vec::new());
    let (mut by_need, mut open) = (vec![Vec::new(); patterns.words.len()], Vec::new());
    for ((language, lines), at) in sections.iter().zip(0_u16..) {
        let pattern = patterns.rows[usize::from(at)].clone();
        let needs = needs(&patterns, &pattern, closed);
        if needs.is_empty() {
            open.push(at);
        }
        needs.into_iter().for_each(|word| by_need[usize::from(word)].push(at));
        let holds_amount = ["money", "bound"].iter().any(|slot| patterns.holds(&pattern, slot));
        let is_unpriced = patterns.first_words(all(&pattern)).is_none() && !holds_amount;
        let section = section(language, lines, answered.contains(tool(lines)));
        let place = known.iter().position(|known| *known == section).unwrap_or(known.len());
        if place == known.len() {
            known.push(section);
        }
        let pattern = patterns.list(pattern);
        frames.push(format!("Frame {{ section: {place}, pattern: {pattern}, is_unpriced: {is_unpriced} }}"));
    }
    let mut code = format!("const OPEN: u16 = {};\n", patterns.list(open));
    table(&mut code, "SECTIONS", "Section", known);
    table(&mut code, "FRAMES", "Frame", frames);
    let by_need: Vec<u16> = by_need.into_iter().map(|frames| patterns.list(frames)).collect();
    table(&mut code, "BY_NEED", "u16", by_need);
    table(&mut code, "HELD", "Slot", patterns.slots.iter().map(|name| slot(name)));
    patterns.write(out, "frames", code);
}

fn slot(name: &str) -> String {
    match name.split_once('=') {
        Some((argument, value)) => format!("Slot(Kind::Fixed({value:?}), {argument:?})"),
        None => format!("Slot::of({name:?})"),
    }
}

/// What stands over patterns, as Rust.
fn section(language: &str, lines: &[(String, String)], has_answers: bool) -> String {
    let all = |head: &'static str| lines.iter().filter(move |(known, _)| known == head).map(|(_, said)| said.as_str());
    let (head, said) = &lines[0];
    let (said, fixed) = match head.as_str() {
        "call" | "answer" => {
            let (tool, fixed) = said.split_once(' ').unwrap_or((said, "{}"));
            (format!("{tool:?}"), fixed)
        }
        _ if said.contains(' ') => (format!("{said:?}"), "{}"),
        _ => (format!("wording::{}", said.to_uppercase()), "{}"),
    };
    let asks = all("ask").map(|ask| {
        let (argument, rest) = ask.split_once(' ').expect("an argument and a question");
        let texts: Vec<&str> = rest.split(" | ").collect();
        format!("Ask {{ argument: {argument:?}, text: {:?}, options: &{:?} }}", texts[0], &texts[1..])
    });
    format!(
        "Section {{ language: Language::{language}, head: Head::{}, said: {said}, fixed: {fixed:?}, compares: {}, \
         required: &{:?}, asks: &[{}], after: {:?}, now: {:?}, is_last: {}, \
         has_answers: {has_answers} }}",
        camel(head),
        fixed.contains("\"compare\":"),
        all("require").flat_map(|names| names.split(' ')).collect::<Vec<_>>(),
        asks.collect::<Vec<_>>().join(", "),
        all("after").next(),
        all("now").next(),
        head == "refuse" || all("last").next().is_some()
    )
}

/// What is called or answered, if anything is.
fn tool(lines: &[(String, String)]) -> &str {
    lines[0].1.split(' ').next().unwrap_or_default()
}

/// A message that fits has one of these words. Most messages have some of the words that sentences are made of.
fn needs(patterns: &Patterns, pattern: &[u16], closed: &BTreeSet<String>) -> Vec<u16> {
    let is_common = |word: &&u16| closed.contains(&patterns.words[usize::from(**word)]);
    let words = Parts(pattern).filter_map(|part| patterns.first_words(part));
    words.min_by_key(|words| (words.iter().filter(is_common).count(), words.len())).unwrap_or_default()
}
