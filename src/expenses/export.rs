//! Expenses as files for other programs: CSV, JSON, and the journals of hledger and beancount.
//!
//! A file is written in pieces, so that it need not fit into memory. What cannot be written completely ends with a line
//! that says so.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};
use unicode_normalization::char::is_combining_mark;

use super::expense::NO_CATEGORY;

/// The columns of a CSV file. The import reads them.
pub const COLUMNS: [&str; 11] =
    ["id", "date", "item", "amount", "currency", "category", "notes", "lines", "bankId", "owner", "ownerName"];

/// The last line of a file that is not complete.
const BROKEN: &str = "INCOMPLETE: this export broke off here. Export it again.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Csv,
    Json,
    Hledger,
    Beancount,
}

impl Format {
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Csv => "text/csv; charset=utf-8",
            Format::Json => "application/json",
            Format::Hledger | Format::Beancount => "text/plain; charset=utf-8",
        }
    }

    pub fn file_name(self) -> &'static str {
        match self {
            Format::Csv => "expenses.csv",
            Format::Json => "expenses.json",
            Format::Hledger => "expenses.journal",
            Format::Beancount => "expenses.beancount",
        }
    }
}

/// Writes rows as clients see them, one page after the other.
#[derive(Debug)]
pub struct Writer {
    format: Format,
    rows: usize,
    /// Accounts and commodities that were declared.
    declared: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: u64,
    date: String,
    item: String,
    money: Amount,
    category: Option<String>,
    notes: Option<String>,
    #[serde(default)]
    lines: Vec<Part>,
    bank_id: Option<String>,
    owner: String,
    owner_name: Option<String>,
}

#[derive(Deserialize)]
struct Amount {
    amount: String,
    currency: String,
}

#[derive(Deserialize)]
struct Part {
    amount: String,
    category: String,
    note: Option<String>,
}

impl Writer {
    pub fn new(format: Format) -> Writer {
        Writer { format, rows: 0, declared: BTreeSet::new() }
    }

    pub fn begin(&self) -> String {
        match self.format {
            Format::Csv => csv_line(&COLUMNS.map(str::to_owned)),
            Format::Json => "[".into(),
            Format::Hledger => "; Expenses, exported by sayso\ndecimal-mark .\naccount assets:unknown\n".into(),
            Format::Beancount => {
                "; Expenses, exported by sayso\noption \"title\" \"Expenses\"\n1970-01-01 open Assets:Unknown\n".into()
            }
        }
    }

    pub fn rows(&mut self, rows: &[Value]) -> String {
        let mut text = String::new();
        for row in rows {
            self.rows += 1;
            text.push_str(&self.row(row));
        }
        text
    }

    /// The number of rows stands at the end of a complete journal.
    pub fn end(&self) -> String {
        match self.format {
            Format::Csv => String::new(),
            Format::Json => "\n]\n".into(),
            Format::Hledger | Format::Beancount => format!("\n; End: {} expenses\n", self.rows),
        }
    }

    /// In place of the end, after a fault. Readers of journals and JSON refuse the file; in CSV it is a line without a date.
    pub fn broken(&self) -> String {
        format!("\n{BROKEN}\n")
    }

    fn row(&mut self, row: &Value) -> String {
        if self.format == Format::Json {
            return format!("{}\n{row}", if self.rows > 1 { "," } else { "" });
        }
        let unreadable = || format!("expense {} is stored but cannot be read", row["id"]);
        match (self.format, Row::deserialize(row)) {
            (Format::Csv, Ok(row)) => csv_row(row),
            (Format::Csv, Err(_)) => csv_line(&[row["id"].to_string(), String::new(), unreadable()]),
            (_, Err(_)) => format!("\n; {}\n", unreadable()),
            (Format::Hledger, Ok(row)) => self.hledger(&row),
            (_, Ok(row)) => self.beancount(&row),
        }
    }

    fn hledger(&mut self, row: &Row) -> String {
        let currency = &row.money.currency;
        let mut text = String::new();
        if self.declared.insert(currency.clone()) {
            // The mark must be there even without decimals.
            let decimals =
                row.money.amount.split_once('.').map_or(String::new(), |(_, decimals)| "0".repeat(decimals.len()));
            text.push_str(&format!("\ncommodity 1000.{decimals} {currency}\n"));
        }
        let postings: Vec<(String, &str, Option<&str>)> =
            row.parts().map(|(amount, category, note)| (hledger_account(category), amount, note)).collect();
        for (account, ..) in &postings {
            if self.declared.insert(account.clone()) {
                text.push_str(&format!("account {account}\n"));
            }
        }
        // With a status and a code, a name may begin with any sign.
        text.push_str(&format!("\n{} * ({}) {}\n", row.date, row.id, of_journal(&row.item)));
        for (name, value) in row.facts() {
            text.push_str(&format!("    ; {name}: {}\n", of_journal(value)));
        }
        for (account, amount, note) in postings {
            let note =
                note.map(|note| format!("  ; {}", of_journal(note).replace([':', '['], " "))).unwrap_or_default();
            text.push_str(&format!("    {account}  {amount} {currency}{note}\n"));
        }
        text.push_str(&format!("    assets:unknown  {} {currency}\n", negated(&row.money.amount)));
        text
    }

    fn beancount(&mut self, row: &Row) -> String {
        let currency = &row.money.currency;
        let postings: Vec<(String, &str, Option<&str>)> =
            row.parts().map(|(amount, category, note)| (beancount_account(category), amount, note)).collect();
        let mut text = String::new();
        for (account, ..) in &postings {
            if self.declared.insert(account.clone()) {
                text.push_str(&format!("\n1970-01-01 open {account}\n"));
            }
        }
        text.push_str(&format!("\n{} * {}\n  id: \"{}\"\n", row.date, quoted(&row.item), row.id));
        for (name, value) in row.facts() {
            text.push_str(&format!("  {name}: {}\n", quoted(value)));
        }
        for (account, amount, note) in postings {
            text.push_str(&format!("  {account}  {amount} {currency}\n"));
            text.push_str(&note.map(|note| format!("    note: {}\n", quoted(note))).unwrap_or_default());
        }
        text.push_str(&format!("  Assets:Unknown  {} {currency}\n", negated(&row.money.amount)));
        text
    }
}

impl Row {
    /// Amount, category and note of each posting.
    fn parts(&self) -> impl Iterator<Item = (&str, &str, Option<&str>)> {
        let whole = (self.money.amount.as_str(), self.category.as_deref().unwrap_or(NO_CATEGORY), None);
        let whole = self.lines.is_empty().then_some(whole);
        let lines = self.lines.iter().map(|line| (line.amount.as_str(), line.category.as_str(), line.note.as_deref()));
        whole.into_iter().chain(lines)
    }

    fn facts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let facts = [
            ("notes", self.notes.as_deref()),
            ("bank", self.bank_id.as_deref()),
            ("owner", Some(self.owner_name.as_deref().unwrap_or(&self.owner))),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

fn csv_row(row: Row) -> String {
    let lines = match row.lines.as_slice() {
        [] => String::new(),
        lines => {
            let line = |Part { amount, category, note }: &Part| match note {
                Some(note) => json!({ "amount": amount, "category": category, "note": note }),
                None => json!({ "amount": amount, "category": category }),
            };
            lines.iter().map(line).collect::<Value>().to_string()
        }
    };
    let text = |text: Option<String>| text.as_deref().map(escaped).unwrap_or_default();
    csv_line(&[
        row.id.to_string(),
        row.date,
        escaped(&row.item),
        row.money.amount,
        row.money.currency,
        text(row.category),
        text(row.notes),
        lines,
        text(row.bank_id),
        escaped(&row.owner),
        text(row.owner_name),
    ])
}

/// A spreadsheet would calculate a text that begins like a formula. An apostrophe is also written before an apostrophe,
/// so that one can always be taken off again.
fn escaped(text: &str) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\'') => format!("'{text}"),
        _ => text.to_owned(),
    }
}

fn csv_line(cells: &[String]) -> String {
    let cell = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n"
}

fn negated(amount: &str) -> String {
    amount.strip_prefix('-').map_or_else(|| format!("-{amount}"), str::to_owned)
}

/// A semicolon would begin a comment, and two spaces end an account.
fn of_journal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(';', ",")
}

fn hledger_account(category: &str) -> String {
    format!("expenses:{}", of_journal(category).replace(':', "-"))
}

/// Letters, digits and dashes, the first one a capital letter or a digit.
fn beancount_account(category: &str) -> String {
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || letter.is_alphabetic() && !is_combining_mark(letter);
    let words = category.split(|letter| !is_kept(letter)).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    let name = words.collect::<Vec<String>>().join("-");
    match name.chars().next() {
        Some(first) if first.is_uppercase() || first.is_ascii_digit() => format!("Expenses:{name}"),
        Some(_) => format!("Expenses:C-{name}"),
        None => "Expenses:Other".into(),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn written(format: Format, rows: &[Value]) -> String {
        let mut writer = Writer::new(format);
        format!("{}{}{}", writer.begin(), writer.rows(rows), writer.end())
    }

    fn rows() -> [Value; 2] {
        [
            json!({
                "id": 1, "date": "2026-11-19", "item": "=SUM(A1), \"x\"", "category": "eating out", "notes": "-a; b",
                "money": { "amount": "-3.50", "currency": "GBP" }, "owner": "ann", "ownerName": "Ann", "bankId": "F1",
            }),
            json!({
                "id": 2, "date": "2026-11-20", "item": "Tesco", "category": null, "notes": null, "owner": "bob",
                "money": { "amount": "500", "currency": "JPY" },
                "lines": [
                    { "amount": "300", "category": "food", "note": null },
                    { "amount": "200", "category": "household", "note": "soap" },
                ],
            }),
        ]
    }

    #[test]
    fn csv_has_every_field_and_no_formula() {
        let expected = "id,date,item,amount,currency,category,notes,lines,bankId,owner,ownerName\r\n\
            1,2026-11-19,\"'=SUM(A1), \"\"x\"\"\",-3.50,GBP,eating out,'-a; b,,F1,ann,Ann\r\n\
            2,2026-11-20,Tesco,500,JPY,,,\"[{\"\"amount\"\":\"\"300\"\",\"\"category\"\":\"\"food\"\"},\
            {\"\"amount\"\":\"\"200\"\",\"\"category\"\":\"\"household\"\",\"\"note\"\":\"\"soap\"\"}]\",,bob,\r\n";
        assert_eq!(written(Format::Csv, &rows()), expected);
    }

    #[test]
    fn journals_declare_what_they_use() {
        let expected = "; Expenses, exported by sayso\ndecimal-mark .\naccount assets:unknown\n\n\
            commodity 1000.00 GBP\naccount expenses:eating out\n\n\
            2026-11-19 * (1) =SUM(A1), \"x\"\n    ; notes: -a, b\n    ; bank: F1\n    ; owner: Ann\n    \
            expenses:eating out  -3.50 GBP\n    assets:unknown  3.50 GBP\n\n\
            commodity 1000. JPY\naccount expenses:food\naccount expenses:household\n\n\
            2026-11-20 * (2) Tesco\n    ; owner: bob\n    expenses:food  300 JPY\n    \
            expenses:household  200 JPY  ; soap\n    assets:unknown  -500 JPY\n\n; End: 2 expenses\n";
        assert_eq!(written(Format::Hledger, &rows()), expected);
        let expected = "; Expenses, exported by sayso\noption \"title\" \"Expenses\"\n1970-01-01 open Assets:Unknown\n\n\
            1970-01-01 open Expenses:Eating-Out\n\n\
            2026-11-19 * \"=SUM(A1), \\\"x\\\"\"\n  id: \"1\"\n  notes: \"-a; b\"\n  bank: \"F1\"\n  owner: \"Ann\"\n  \
            Expenses:Eating-Out  -3.50 GBP\n  Assets:Unknown  3.50 GBP\n\n\
            1970-01-01 open Expenses:Food\n\n1970-01-01 open Expenses:Household\n\n\
            2026-11-20 * \"Tesco\"\n  id: \"2\"\n  owner: \"bob\"\n  Expenses:Food  300 JPY\n  \
            Expenses:Household  200 JPY\n    note: \"soap\"\n  Assets:Unknown  -500 JPY\n\n; End: 2 expenses\n";
        assert_eq!(written(Format::Beancount, &rows()), expected);
    }

    #[test]
    fn json_is_a_list_of_the_rows_and_stays_open_if_it_breaks_off() {
        let read: Value = serde_json::from_str(&written(Format::Json, &rows())).unwrap();
        assert_eq!(read, json!(rows()));
        let mut writer = Writer::new(Format::Json);
        let broken = format!("{}{}{}", writer.begin(), writer.rows(&rows()), writer.broken());
        assert!(serde_json::from_str::<Value>(&broken).is_err());
    }

    #[test]
    fn a_row_that_cannot_be_read_is_named() {
        let row = [json!({ "id": 7, "version": 1 })];
        assert!(written(Format::Csv, &row).ends_with("7,,expense 7 is stored but cannot be read\r\n"));
        assert!(written(Format::Hledger, &row).contains("; expense 7 is stored but cannot be read\n"));
    }

    #[rstest]
    #[case("food", "Expenses:Food")]
    #[case("eating out", "Expenses:Eating-Out")]
    #[case("öl & gas", "Expenses:Öl-Gas")]
    #[case("a:b", "Expenses:A-B")]
    #[case("2nd home", "Expenses:2nd-Home")]
    #[case("食品", "Expenses:C-食品")]
    #[case("🍕", "Expenses:Other")]
    fn categories_become_accounts_of_beancount(#[case] category: &str, #[case] account: &str) {
        assert_eq!(beancount_account(category), account);
    }

    proptest! {
        #[test]
        fn no_text_cell_is_a_formula(text in "[=+@'\t -]*.{0,10}") {
            let escaped = escaped(&text);
            prop_assert!(!escaped.starts_with(['=', '+', '-', '@', '\t', '\r']));
            let plain = escaped.strip_prefix('\'').unwrap_or(&escaped);
            prop_assert_eq!(plain, text);
        }
    }
}
