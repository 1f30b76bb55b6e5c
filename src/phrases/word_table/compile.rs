//! A part of the build script: writes tables as Rust.

use std::{fmt::Display, fs, path::Path};

use crate::word_table::bucket;

/// Puts rows in the order of the buckets of their words.
pub fn sort<T>(rows: &mut [(&str, T)], buckets: usize) {
    rows.sort_by_key(|(word, _)| bucket(word, buckets));
}

/// Of sorted words, and where they stand in the text.
pub fn word_table(code: &mut String, name: &str, words: &[(usize, &str)], buckets: usize) {
    let starts = (0..=buckets).map(|start| words.partition_point(|(_, word)| bucket(word, buckets) < start));
    table(code, "STARTS", "u16", starts);
    table(code, "PLACES", "u32", words.iter().map(|(start, _)| *start));
    code.push_str(&format!(
        "static {name}: WordTable = WordTable {{ text: TEXT, starts: &STARTS, places: &PLACES }};\n"
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
