//! CSV files: their delimiter, the place of the table in the file, and an entry for each of its lines.

use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::{
    Column, Delimiter, Entry, Guess, Hints, MAX_RECORDS, Part, Reading, Rejection, Role, Settings, Sign, Unreadable,
    check_count,
    columns::{self, Layout, Line, SAMPLE},
    notation::{self, Mark, amount, date, date_order, is_zero, negated},
};
use crate::money::Currency;

/// A cell with so many line ends begins with a quotation mark that nothing closes.
const MOST_LINES: usize = 20;

const DELIMITERS: [Delimiter; 4] = [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab, Delimiter::Bar];

pub(super) fn read(text: &str, given: &Settings, hints: Hints) -> Result<Reading, Unreadable> {
    let delimiter = given.delimiter.unwrap_or_else(|| delimiter(text));
    let lines = lines(text, delimiter, MAX_RECORDS + 1);
    check_count(lines.len())?;
    let start = start(&lines);
    let layout = columns::layout(&lines[start..], given)?;
    let before =
        lines[..start].iter().map(|line| Rejection::new(line.number, &line.text(), "it stands before the table"));
    let rejections = before.collect();
    let body = &lines[start + usize::from(layout.has_header)..];
    let in_columns = |roles: &'static [Role]| {
        let columns: Vec<usize> = roles.iter().filter_map(|role| layout.column(*role)).collect();
        body.iter().flat_map(move |line| columns.clone().into_iter().map(|at| line.cell(at)))
    };
    let amounts = || in_columns(&[Role::Amount, Role::Debit, Role::Credit]);
    let (mark, mark_guess) = notation::decimal_mark(amounts(), hints.decimal_mark);
    let (order, order_guess) = date_order(in_columns(&[Role::Date]), hints.date_order, hints.today);
    let mark = given.decimal_mark.unwrap_or(if layout.is_own { Mark::Point } else { mark });
    let order = given.date_order.unwrap_or(order);
    let read: Vec<Result<(String, Option<Currency>), String>> =
        layout.column(Role::Amount).map_or(vec![], |at| body.iter().map(|line| amount(line.cell(at), mark)).collect());
    let (spending, sign_guess) = sign(read.iter().flatten().map(|(amount, _)| amount.as_str()), layout.is_own);
    let beside = read.iter().flatten().find_map(|(_, currency)| *currency);
    let settings = Settings {
        delimiter: Some(delimiter),
        header: Some(layout.has_header),
        columns: Some(layout.roles.clone()),
        decimal_mark: Some(mark),
        date_order: Some(order),
        spending: layout.column(Role::Amount).map(|_| given.spending.unwrap_or(spending)),
        currency: given.currency.or(layout.currency).or(beside),
        ..Settings::default()
    };
    let guesses = [
        mark_guess.filter(|_| given.decimal_mark.is_none() && !layout.is_own),
        order_guess.filter(|_| given.date_order.is_none()),
        sign_guess.filter(|_| given.spending.is_none()),
        layout.guess.clone(),
    ];
    let columns = shown(&layout, lines.get(start), body);
    let table = Table { layout, mark, order, spending: settings.spending.unwrap_or(Sign::Positive) };
    let mut reading =
        Reading { settings, guesses: guesses.into_iter().flatten().collect(), columns, entries: vec![], rejections };
    for line in body {
        match table.entry(line) {
            Ok(entry) => reading.entries.push(entry),
            Err(reason) => reading.rejections.push(Rejection::new(line.number, &line.text(), reason)),
        }
    }
    Ok(reading)
}

/// A table whose columns are known.
struct Table {
    layout: Layout,
    mark: Mark,
    order: notation::DateOrder,
    spending: Sign,
}

impl Table {
    fn entry(&self, line: &Line) -> Result<Entry, String> {
        let text = |role: Role| {
            let text = self.layout.column(role).map_or("", |at| line.cell(at));
            // Our own export puts an apostrophe before what looks like a formula.
            if self.layout.is_own { text.strip_prefix('\'').unwrap_or(text) } else { text }
        };
        let optional = |role: Role| Some(text(role)).filter(|text| !text.is_empty()).map(str::to_owned);
        let day = text(Role::Date);
        let date = date(day, self.order);
        let date = date
            .ok_or_else(|| if day.is_empty() { "there is no date".into() } else { format!("“{day}” is no date") })?;
        let (spent, beside) = self.spent(line)?;
        let currency = match text(Role::Currency) {
            "" => beside,
            code => Some(Currency::parse(code).map_err(|error| error.to_string())?),
        };
        let (name, notes) = match (optional(Role::Name), optional(Role::Notes)) {
            (Some(name), notes) => (name, notes),
            (None, notes) => (notes.ok_or("there is no name")?, None),
        };
        let parts: Vec<Part> = match text(Role::Lines) {
            "" => vec![],
            parts => serde_json::from_str(parts).map_err(|_| "the parts cannot be read")?,
        };
        Ok(Entry {
            line: line.number,
            date,
            name,
            notes,
            amount: spent,
            currency,
            category: optional(Role::Category),
            bank_id: optional(Role::BankId),
            parts,
        })
    }

    fn spent(&self, line: &Line) -> Result<(String, Option<Currency>), String> {
        let cell = |role: Role| self.layout.column(role).map_or("", |at| line.cell(at));
        let read = |text: &str| amount(text, self.mark);
        let given = |role: Role| -> Result<Option<(String, Option<Currency>)>, String> {
            let text = cell(role);
            let read = if text.is_empty() { None } else { Some(read(text)?) };
            Ok(read.filter(|(amount, _)| !is_zero(amount)))
        };
        let absolute = |amount: String| amount.trim_start_matches('-').to_owned();
        if self.layout.column(Role::Amount).is_some() {
            let (amount, currency) = match cell(Role::Amount) {
                "" => return Err("there is no amount".into()),
                text => read(text)?,
            };
            let amount = if self.spending == Sign::Negative { negated(&amount) } else { amount };
            return if is_zero(&amount) { Err("the amount is zero".into()) } else { Ok((amount, currency)) };
        }
        match (given(Role::Debit)?, given(Role::Credit)?) {
            (Some((debit, currency)), None) => Ok((absolute(debit), currency)),
            (None, Some((credit, currency))) => Ok((format!("-{}", absolute(credit)), currency)),
            (Some(_), Some(_)) => Err("it has both a debit and a credit".into()),
            (None, None) => Err("there is no amount".into()),
        }
    }
}

/// All records, without blank ones. After a quotation mark that nothing closes, quotation marks mean nothing.
fn lines(text: &str, delimiter: Delimiter, most: usize) -> Vec<Line> {
    let (mut lines, cut) = records(text, delimiter, true, most);
    let Some((at, number)) = cut else { return lines };
    let (rest, _) = records(&text[at..], delimiter, false, most.saturating_sub(lines.len()));
    lines.extend(rest.into_iter().map(|line| Line { number: line.number + number - 1, ..line }));
    lines
}

/// The records, and the offset and the line of one that does not end.
fn records(text: &str, delimiter: Delimiter, quoting: bool, most: usize) -> (Vec<Line>, Option<(usize, usize)>) {
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(letter(delimiter)).quoting(quoting).trim(Trim::All);
    let mut reader = reader.from_reader(text.as_bytes());
    let (mut record, mut lines) = (StringRecord::new(), Vec::new());
    while lines.len() < most && reader.read_record(&mut record).is_ok_and(|is_one| is_one) {
        // The reader counts from the end of the record before, which may be some blank lines earlier.
        let place = record.position().map_or((0, 1), |at| (usize::try_from(at.byte()).unwrap_or(0), at.line()));
        let begin = &text[place.0..];
        let blank = begin.len() - begin.trim_start_matches(['\r', '\n']).len();
        let number = usize::try_from(place.1).unwrap_or(0) + begin[..blank].matches('\n').count();
        let end = usize::try_from(reader.position().byte()).unwrap_or(text.len());
        let is_open = || text[place.0..end].matches('"').count() % 2 == 1;
        let breaks = record.iter().map(|cell| cell.matches('\n').count()).max().unwrap_or(0);
        if quoting && breaks > 0 && (breaks >= MOST_LINES || is_open()) {
            return (lines, Some((place.0 + blank, number)));
        }
        let cells: Vec<String> = record.iter().map(|cell| cleaned(cell, quoting)).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            lines.push(Line { number, cells });
        }
    }
    (lines, None)
}

/// On one line, without the mark of the end of a file.
fn cleaned(cell: &str, quoting: bool) -> String {
    let cell = cell.trim_matches(['\u{1a}', '\u{feff}', '\u{a0}']);
    let cell = if quoting { cell } else { cell.trim_matches('"') };
    if cell.contains(['\n', '\r', '\t']) {
        cell.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        cell.trim().to_owned()
    }
}

fn letter(delimiter: Delimiter) -> u8 {
    match delimiter {
        Delimiter::Comma => b',',
        Delimiter::Semicolon => b';',
        Delimiter::Tab => b'\t',
        Delimiter::Bar => b'|',
    }
}

/// The one by which most lines have as many columns, and among these the one with a date and an amount.
fn delimiter(text: &str) -> Delimiter {
    let score = |delimiter: &Delimiter| {
        let lines = lines(text, *delimiter, SAMPLE);
        let (width, count) = width(&lines);
        let is_complete =
            columns::layout(&lines[start(&lines)..], &Settings::default()).is_ok_and(|layout| layout.is_complete);
        (width > 1, is_complete, count * width.saturating_sub(1))
    };
    DELIMITERS.into_iter().rev().max_by_key(score).unwrap_or(Delimiter::Comma)
}

/// The number of columns that most lines have, and the number of these lines.
fn width(lines: &[Line]) -> (usize, usize) {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for line in lines.iter().take(SAMPLE) {
        *counts.entry(line.cells.len()).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(width, count)| (count * width.saturating_sub(1), *width)).unwrap_or((0, 0))
}

/// The index of the first line of the table.
fn start(lines: &[Line]) -> usize {
    let (width, _) = width(lines);
    // A last column without a name is sometimes left out of the header, or only in it.
    let is_of_table = |line: &Line| line.cells.len() > 1 && line.cells.len() + 1 >= width;
    lines.iter().position(is_of_table).unwrap_or(0)
}

/// Of amounts in one column, whether those that were spent are negative.
fn sign<'a>(amounts: impl Iterator<Item = &'a str>, is_own: bool) -> (Sign, Option<Guess>) {
    let (negative, positive): (Vec<&str>, Vec<&str>) =
        amounts.filter(|amount| !is_zero(amount)).partition(|amount| amount.starts_with('-'));
    match (negative.len(), positive.len()) {
        _ if is_own => (Sign::Positive, None),
        (0, _) => (Sign::Positive, None),
        (negative, positive) if negative >= positive => (Sign::Negative, None),
        _ => {
            let why = "most amounts are positive, so these can be what was spent or what came in";
            (Sign::Positive, Some(Guess { setting: "spending", why: why.into() }))
        }
    }
}

fn shown(layout: &Layout, header: Option<&Line>, body: &[Line]) -> Vec<Column> {
    let header = header.filter(|_| layout.has_header);
    let column = |at: usize| Column {
        name: header.map(|line| line.cell(at).to_owned()).filter(|name| !name.is_empty()),
        sample: body.iter().map(|line| line.cell(at).to_owned()).filter(|cell| !cell.is_empty()).take(3).collect(),
    };
    (0..layout.roles.len()).map(column).collect()
}
