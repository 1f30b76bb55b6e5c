//! QIF: a line for each field, which a letter names, and `^` behind each transaction.

use super::{
    Entry, Hints, Part, Reading, Rejection, Settings, Sign, Unreadable, check_count,
    notation::{DateOrder, Mark, amount, date, date_order, decimal_mark, is_zero, negated},
};

/// Lists of transactions. Others are accounts, categories and securities.
const TYPES: [&str; 5] = ["bank", "ccard", "cash", "oth a", "oth l"];

/// The fields of a transaction, with the number of its first line.
struct Block<'t> {
    line: usize,
    fields: Vec<(char, &'t str)>,
    is_transaction: bool,
    /// `^` stands behind it.
    is_closed: bool,
}

impl<'t> Block<'t> {
    fn field(&self, letter: char) -> Option<&'t str> {
        self.fields.iter().find(|(own, _)| *own == letter).map(|(_, text)| *text).filter(|text| !text.is_empty())
    }

    fn text(&self) -> String {
        self.fields.iter().map(|(letter, text)| format!("{letter}{text}")).collect::<Vec<_>>().join(" | ")
    }
}

pub(super) fn read(text: &str, given: &Settings, hints: Hints) -> Result<Reading, Unreadable> {
    let blocks = blocks(text);
    check_count(blocks.len())?;
    let transactions = || blocks.iter().filter(|block| block.is_transaction);
    let amounts = transactions().flat_map(|block| block.fields.iter().filter(|(letter, _)| "TU$".contains(*letter)));
    let (mark, mark_guess) = decimal_mark(amounts.map(|(_, text)| *text), hints.decimal_mark);
    let days = transactions().filter_map(|block| block.field('D'));
    let (order, order_guess) = date_order(days, hints.date_order, hints.today);
    let mark = given.decimal_mark.unwrap_or(mark);
    let order = given.date_order.unwrap_or(order);
    let spending = given.spending.unwrap_or(Sign::Negative);
    let guesses =
        [mark_guess.filter(|_| given.decimal_mark.is_none()), order_guess.filter(|_| given.date_order.is_none())];
    let mut reading = Reading {
        settings: Settings {
            decimal_mark: Some(mark),
            date_order: Some(order),
            spending: Some(spending),
            ..Settings::default()
        },
        guesses: guesses.into_iter().flatten().collect(),
        ..Reading::default()
    };
    for block in &blocks {
        match entry(block, mark, order, spending) {
            Ok(entry) => reading.entries.push(entry),
            Err(reason) => reading.rejections.push(Rejection::new(block.line, &block.text(), reason)),
        }
    }
    Ok(reading)
}

fn entry(block: &Block<'_>, mark: Mark, order: DateOrder, spending: Sign) -> Result<Entry, String> {
    if !block.is_transaction {
        return Err("it is in no list of transactions".into());
    }
    if !block.is_closed {
        return Err("the file ends in the middle of it".into());
    }
    let day = block.field('D').ok_or("there is no date")?;
    let date = date(day, order).ok_or_else(|| format!("“{day}” is no date"))?;
    let spent = |text: &str| -> Result<String, String> {
        let (amount, _) = amount(text, mark)?;
        Ok(if spending == Sign::Negative { negated(&amount) } else { amount })
    };
    let amount = spent(block.field('T').or_else(|| block.field('U')).ok_or("there is no amount")?)?;
    if is_zero(&amount) {
        return Err("the amount is zero".into());
    }
    let memo = block.field('M').map(str::to_owned);
    let name = block.field('P').map(str::to_owned).or_else(|| memo.clone()).ok_or("there is no name")?;
    let parts = parts(block, spent)?;
    // In brackets stands the account that the money went to.
    let category = block.field('L').filter(|category| !category.starts_with('['));
    Ok(Entry {
        line: block.line,
        date,
        notes: memo.filter(|memo| *memo != name),
        name,
        amount,
        currency: None,
        category: category.filter(|_| parts.is_empty()).map(str::to_owned),
        bank_id: None,
        parts,
    })
}

/// `S` begins a part, `E` is its note and `$` its amount.
fn parts(block: &Block<'_>, spent: impl Fn(&str) -> Result<String, String>) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = Vec::new();
    for (letter, text) in &block.fields {
        match (letter, parts.last_mut()) {
            ('S', _) => parts.push(Part { amount: String::new(), category: (*text).to_owned(), note: None }),
            ('E', Some(part)) => part.note = Some((*text).to_owned()).filter(|note| !note.is_empty()),
            ('$', Some(part)) => part.amount = spent(text)?,
            _ => {}
        }
    }
    Ok(parts)
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut fields, mut begin, mut is_transaction) = (Vec::new(), Vec::new(), 1, true);
    let lines = text.lines().map(str::trim).enumerate().map(|(at, line)| (at + 1, line));
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let mut letters = line.chars();
        match letters.next() {
            Some('!') => {
                let kind = line.to_lowercase();
                let of_type = kind.strip_prefix("!type:").map(str::trim);
                // An option says nothing about what follows.
                is_transaction = match of_type {
                    Some(name) => TYPES.contains(&name),
                    None => is_transaction && !kind.starts_with("!account"),
                };
            }
            Some('^') if fields.is_empty() => {}
            Some('^') => {
                blocks.push(Block {
                    line: begin,
                    fields: std::mem::take(&mut fields),
                    is_transaction,
                    is_closed: true,
                });
            }
            Some(letter) => {
                if fields.is_empty() {
                    begin = number;
                }
                fields.push((letter, letters.as_str().trim()));
            }
            None => {}
        }
    }
    if !fields.is_empty() {
        blocks.push(Block { line: begin, fields, is_transaction, is_closed: false });
    }
    blocks
}
