//! Reads files of banks and of other programs: CSV, OFX, QIF, and what sayso exported itself.
//!
//! Everything here is a function of the file's bytes, the settings that the person corrected and what is known of them.
//! How a file is written is detected from its content. What the content does not decide is marked as a guess. Every line
//! becomes an entry or a rejection with its reason.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::money::Currency;

pub use encoding::Encoding;
pub use notation::{DateOrder, Mark};

mod columns;
mod csv_file;
mod encoding;
mod json_file;
mod notation;
mod ofx;
mod qif;
#[cfg(test)]
mod tests;

/// Entries of one file: as many as one proposal has rows.
pub const MAX_ENTRIES: usize = 10_000;

/// Lines or records of one file, readable or not. Without a limit a small file could fill the memory.
const MAX_RECORDS: usize = 30_000;

/// Of a line in a rejection, in characters.
const SHOWN: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Csv,
    Ofx,
    Qif,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Delimiter {
    #[serde(rename = ",")]
    Comma,
    #[serde(rename = ";")]
    Semicolon,
    #[serde(rename = "tab")]
    Tab,
    #[serde(rename = "|")]
    Bar,
}

/// The sign of an amount that was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    Negative,
    Positive,
}

/// What a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    Date,
    Amount,
    /// What was spent, if a second column has what came in.
    Debit,
    Credit,
    Name,
    Notes,
    Category,
    Currency,
    BankId,
    /// The parts of a split expense, as our own export writes them.
    Lines,
    Ignored,
}

/// How a file is written. As given, what is absent is detected. As detected, what does not apply to the format is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Settings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<Delimiter>,
    /// Whether the first line of the table has the names of the columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// Of each column, from the left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<Role>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal_mark: Option<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_order: Option<DateOrder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spending: Option<Sign>,
    /// Of entries that name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// What is known of the person.
#[derive(Debug, Clone, Copy)]
pub struct Hints {
    pub today: Date,
    pub currency: Option<Currency>,
    pub decimal_mark: Option<Mark>,
    pub date_order: Option<DateOrder>,
}

/// A setting that the file does not decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Guess {
    pub setting: &'static str,
    pub why: String,
}

/// Something that was spent or came in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The number of its first line, from 1. In a JSON file, its place in the list.
    pub line: usize,
    pub date: Date,
    pub name: String,
    /// An exact decimal. More than zero if it was spent, less if it came in.
    pub amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The bank's identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// A part of a split expense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// An exact decimal.
    pub amount: String,
    pub category: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A line that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejection {
    pub line: usize,
    pub text: String,
    pub reason: String,
}

/// A column of a table, for the person who corrects what it has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its first values.
    pub sample: Vec<String>,
}

/// All that a file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    pub settings: Settings,
    pub guesses: Vec<Guess>,
    pub columns: Vec<Column>,
    pub entries: Vec<Entry>,
    pub rejections: Vec<Rejection>,
}

/// A file that cannot be read at all, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("the file is empty. Choose one with transactions")]
    Empty,
    #[error(
        "the file is no text, so no transactions can be read. Export the transactions from the bank or the spreadsheet as \
         CSV, OFX or QIF"
    )]
    Binary,
    #[error("the file is not in {0}. Leave `settings.encoding` out, or set another one")]
    WrongEncoding(&'static str),
    #[error("the file is not valid JSON: {0}. Export it again as a whole")]
    Json(String),
    #[error(
        "`settings.columns` has a role twice, or both an amount and a debit or credit. Give each role to one column"
    )]
    Columns,
    #[error(
        "the file has too much for one import, which can have {MAX_ENTRIES} transactions. Split it by period, and import the \
         parts one after the other"
    )]
    TooMany,
}

fn check_count(records: usize) -> Result<(), Unreadable> {
    if records > MAX_RECORDS { Err(Unreadable::TooMany) } else { Ok(()) }
}

/// Reads a file as its content and the settings say.
pub fn read(bytes: &[u8], given: &Settings, hints: Hints) -> Result<Reading, Unreadable> {
    let (text, encoding) = encoding::decode(bytes, given.encoding)?;
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    // Old programs end a line with a carriage return.
    let text = if text.contains('\n') { text } else { text.replace('\r', "\n").into() };
    let format = given.format.unwrap_or_else(|| format(&text));
    let mut reading = match format {
        Format::Csv => csv_file::read(&text, given, hints)?,
        Format::Ofx => ofx::read(&text, given)?,
        Format::Qif => qif::read(&text, given, hints)?,
        Format::Json => json_file::read(&text)?,
    };
    if reading.entries.len() > MAX_ENTRIES {
        return Err(Unreadable::TooMany);
    }
    let own = |reading: &Reading| reading.settings.currency.or(given.currency).or(hints.currency);
    reading.settings = Settings {
        format: Some(format),
        encoding: Some(encoding),
        currency: given.currency.or_else(|| own(&reading)),
        ..reading.settings
    };
    Ok(reading)
}

fn format(text: &str) -> Format {
    let begin = text.trim_start();
    let has = |tag: &str| find_tag(text, tag).is_some();
    match begin.chars().next() {
        Some('[' | '{') => Format::Json,
        Some('!') => Format::Qif,
        _ if begin.starts_with("OFXHEADER") || has("<OFX>") || has("<STMTTRN>") => Format::Ofx,
        _ => Format::Csv,
    }
}

/// Where an ASCII text is, in any case.
fn find_tag(text: &str, tag: &str) -> Option<usize> {
    let (text, tag) = (text.as_bytes(), tag.as_bytes());
    text.windows(tag.len()).position(|window| window.eq_ignore_ascii_case(tag))
}

impl Rejection {
    fn new(line: usize, text: &str, reason: impl Into<String>) -> Rejection {
        let text = text.trim();
        let cut: String = text.chars().take(SHOWN).collect();
        let more = if cut.len() < text.len() { "…" } else { "" };
        Rejection { line, text: format!("{cut}{more}"), reason: reason.into() }
    }
}
