//! OFX of both generations, as SGML without closing tags and as XML. Banks write both with mistakes, so only the
//! transactions are looked for, and only their tags are read.

use super::{
    Entry, Reading, Rejection, Settings, Sign, Unreadable, check_count, find_tag,
    notation::{DateOrder, Mark, amount, date, is_zero, negated},
};
use crate::money::Currency;

/// A transaction's text and the number of its first line.
struct Block<'t> {
    line: usize,
    text: &'t str,
    currency: Option<Currency>,
}

pub(super) fn read(text: &str, given: &Settings) -> Result<Reading, Unreadable> {
    let blocks = blocks(text);
    check_count(blocks.len())?;
    let spending = given.spending.unwrap_or(Sign::Negative);
    let mut reading = Reading {
        settings: Settings {
            spending: Some(spending),
            currency: blocks.iter().find_map(|block| block.currency),
            ..Settings::default()
        },
        ..Reading::default()
    };
    for block in &blocks {
        match entry(block, spending) {
            Ok(entry) => reading.entries.push(entry),
            Err(reason) => reading.rejections.push(Rejection::new(block.line, &on_one_line(block.text), reason)),
        }
    }
    if blocks.is_empty() {
        reading.rejections.push(Rejection::new(
            1,
            text.lines().next().unwrap_or_default(),
            "the file has no transaction",
        ));
    }
    Ok(reading)
}

fn entry(block: &Block<'_>, spending: Sign) -> Result<Entry, String> {
    let day = raw(block.text, "DTPOSTED").ok_or("there is no date")?;
    let date = day.get(..8).and_then(|digits| date(digits, DateOrder::YearFirst));
    let date = date.ok_or_else(|| format!("“{day}” is no date"))?;
    let text = raw(block.text, "TRNAMT").ok_or("there is no amount")?;
    // OFX has no mark between thousands, so the last mark is that of the decimals.
    let mark = if text.rfind(',') > text.rfind('.') { Mark::Comma } else { Mark::Point };
    let (amount, _) = amount(text, mark)?;
    if is_zero(&amount) {
        return Err("the amount is zero".into());
    }
    let text = |tag| raw(block.text, tag).map(unescaped).filter(|text| !text.is_empty());
    let memo = text("MEMO");
    let name = text("NAME").or_else(|| memo.clone()).or_else(|| text("TRNTYPE")).ok_or("there is no name")?;
    Ok(Entry {
        line: block.line,
        date,
        notes: memo.filter(|memo| *memo != name),
        name,
        amount: if spending == Sign::Negative { negated(&amount) } else { amount },
        currency: block.currency,
        category: None,
        bank_id: text("FITID"),
        parts: vec![],
    })
}

/// From each opening tag of a transaction to its end, or to what follows it.
fn blocks(text: &str) -> Vec<Block<'_>> {
    const OPEN: &str = "<STMTTRN>";
    let (mut blocks, mut rest, mut line, mut currency) = (Vec::new(), text, 1, None);
    while let Some(at) = find_tag(rest, OPEN) {
        let before = &rest[..at];
        currency = last_currency(before).or(currency);
        line += before.matches('\n').count();
        rest = &rest[at + OPEN.len()..];
        let ends = ["</STMTTRN>", OPEN, "</BANKTRANLIST>"];
        let end = find_first(rest, &ends).unwrap_or(rest.len());
        blocks.push(Block { line, text: &rest[..end], currency });
        line += rest[..end].matches('\n').count();
        rest = &rest[end..];
    }
    blocks
}

/// Where the first of some tags is. All begin with `<`.
fn find_first(text: &str, tags: &[&str]) -> Option<usize> {
    let is_one = |at: &usize| {
        let rest = &text.as_bytes()[*at..];
        tags.iter().any(|tag| rest.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag.as_bytes())))
    };
    text.match_indices('<').map(|(at, _)| at).find(is_one)
}

/// Of the statement that a transaction is in.
fn last_currency(before: &str) -> Option<Currency> {
    let at = before.to_ascii_uppercase().rfind("<CURDEF>")?;
    Currency::parse(raw(&before[at..], "CURDEF")?).ok()
}

/// The text behind a tag, up to the next tag or the end of the line.
fn raw<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let open = format!("<{tag}>");
    let value = &text[find_tag(text, &open)? + open.len()..];
    let end = value.find(['<', '\r', '\n']).unwrap_or(value.len());
    Some(value[..end].trim()).filter(|value| !value.is_empty())
}

fn unescaped(text: &str) -> String {
    const NAMED: [(&str, &str); 6] =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    let named = NAMED.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter));
    on_one_line(&named)
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
