//! A part of the build script: writes tables as Rust.

use std::{fmt::Display, fs, path::Path};

use crate::word_table::{STEP, bucket};

/// Of words in the order in which they stand in the text: rows that are alike are small in the zip.
pub fn word_table(code: &mut String, name: &str, words: &[(usize, &str)], buckets: usize) {
    let mut numbers: Vec<(usize, usize)> = words.iter().map(|(_, word)| bucket(word, buckets)).zip(0..).collect();
    numbers.sort_unstable();
    let starts = (0..=buckets).map(|start| numbers.partition_point(|(bucket, _)| *bucket < start));
    table(code, "STARTS", "u16", starts);
    table(code, "NUMBERS", "u16", numbers.iter().map(|(_, number)| *number));
    table(code, "PLACES", "u32", words.iter().step_by(STEP).map(|(start, _)| *start));
    let gap = |before: usize, at: usize| if before / STEP == at / STEP { words[at].0 - words[before].0 } else { 0 };
    table(code, "GAPS", "u16", [0].into_iter().chain((0..words.len() - 1).map(|before| gap(before, before + 1))));
    code.push_str(&format!(
        "static {name}: WordTable =
            WordTable {{ text: TEXT, starts: &STARTS, numbers: &NUMBERS, places: &PLACES, gaps: &GAPS }};\n"
    ));
}

pub fn place(start: usize, text: &str) -> String {
    assert!(start < 1 << 24 && text.len() < 1 << 8, "no place for {text}");
    format!("Place({})", start | text.len() << 24)
}

pub fn table<T: Display>(code: &mut String, name: &str, of: &str, rows: impl IntoIterator<Item = T>) {
    let rows: Vec<String> = rows.into_iter().map(|row| row.to_string()).collect();
    code.push_str(&format!("static {name}: [{of}; {}] = [{}];\n", rows.len(), rows.join(",\n")));
}

/// "BoundBefore" of "bound before".
pub fn camel(name: &str) -> String {
    let word = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split(' ').map(word).collect()
}

/// A text, and the tables that have places in it.
pub fn write(out: &Path, name: &str, text: &str, code: &str) {
    let file = out.join(format!("{name}.txt"));
    fs::write(&file, text).expect("the text");
    let code = format!("static TEXT: &str = include_str!({file:?});\n{code}");
    fs::write(out.join(format!("{name}.rs")), code).expect("the tables");
}
