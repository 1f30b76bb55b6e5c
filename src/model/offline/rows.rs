//! The numbered rows that a question offers, and which of them an answer means.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::{options, wording};
use crate::{
    money::Currency,
    phrases::{CurrencyMention, DateMention, DateReading, Reader, Reading},
};

/// The numbered rows a question offers, each with what is said of it.
pub(super) fn rows(question: &str) -> Vec<(u64, String)> {
    let mut rows: Vec<(u64, String)> = Vec::new();
    for part in question.split('#').skip(1) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        let Ok(id) = digits.parse() else { continue };
        let label = part[digits.len()..].split('\n').next().unwrap_or_default();
        if rows.iter().all(|(known, _)| *known != id) {
            rows.push((id, wording::trimmed(label, &[], &["or", "and"]).to_lowercase()));
        }
    }
    rows
}

pub(super) fn both(answer: &str, rows: &[(u64, String)]) -> Option<Vec<u64>> {
    let says = matches!(wording::after_courtesies(answer).trim_end_matches('.'), "both" | "Both" | "both of them");
    (says && rows.len() == 2).then(|| rows.iter().map(|(id, _)| *id).collect())
}

pub(super) fn picked(answer: &str, rows: &[(u64, String)], reader: Reader) -> Option<u64> {
    let front = [
        "the", "delete", "remove", "number", "no", "id", "expense", "it", "is", "it's", "i", "mean", "that", "change",
        "update",
    ];
    if let Some((number, label)) = options::number_first(answer) {
        let said = options::letters(label);
        let fits = |row: &&(u64, String)| row.0 == number && options::letters(&row.1).contains(said.trim());
        return rows.iter().find(fits).map(|(id, _)| *id);
    }
    let name = wording::trimmed(answer, &front, &["one", "please", "expense"]).to_lowercase();
    let numbered = name.trim_start_matches('#').parse::<u64>().ok();
    if let Some(id) = numbered.and_then(|number| rows.iter().find(|row| row.0 == number)) {
        return Some(id.0);
    }
    if name.is_empty() && answer.to_lowercase().contains("expense") && rows.len() == 1 {
        return Some(rows[0].0);
    }
    if let Some(place) = options::place(&name, rows.len()) {
        return rows.get(place).map(|(id, _)| *id);
    }
    if let Some(id) = by_rank(&name, rows, reader) {
        return Some(id);
    }
    // What fits one row only: a part of it, its amount, its day.
    let only = |fits: &dyn Fn(&str) -> bool| {
        let fitting: Vec<u64> = rows.iter().filter(|(_, label)| fits(label)).map(|(id, _)| *id).collect();
        if let [id] = fitting[..] { Some(id) } else { None }
    };
    let named = || only(&|label| !name.is_empty() && numbered.is_none() && label.contains(&name));
    let price = amount(&name, reader);
    let cost = || {
        let (said, currency) = price?;
        only(&|label| amount(label, reader).is_some_and(|of| of.0 == said && (currency.is_none() || of.1 == currency)))
    };
    let said_day = || match &reader.dates(&name)[..] {
        [DateMention { reading: DateReading::On(day), .. }] if reader.amounts(&name).is_empty() => Some(*day),
        _ => None,
    };
    named().or_else(cost).or_else(|| said_day().and_then(|said| only(&|label| day(label, reader) == Some(said))))
}

/// "the cheaper one", "the latest": None if two are alike in that, or in different currencies.
pub(super) fn by_rank(name: &str, rows: &[(u64, String)], reader: Reader) -> Option<u64> {
    const CHEAP: [&str; 6] = ["cheaper", "cheapest", "smaller", "smallest", "lower", "lowest"];
    const DEAR: [&str; 8] =
        ["dearer", "dearest", "bigger", "biggest", "larger", "largest", "more expensive", "most expensive"];
    const OLD: [&str; 4] = ["older", "oldest", "earlier", "earliest"];
    const NEW: [&str; 6] = ["newer", "newest", "later", "latest", "most recent", "more recent"];
    let name = wording::trimmed(name, &["the"], &["one"]);
    let said = |words: &[&str]| words.contains(&name);
    let by_amount = said(&CHEAP) || said(&DEAR);
    if !by_amount && !said(&OLD) && !said(&NEW) {
        return None;
    }
    let mut ranked = Vec::new();
    let mut currencies = BTreeSet::new();
    for (id, label) in rows {
        let (minor, currency) = amount(label, reader)?;
        currencies.insert(currency);
        let day = day(label, reader)?;
        ranked.push((if by_amount { (minor, Date::ZERO) } else { (0, day) }, *id));
    }
    ranked.sort_unstable();
    if said(&DEAR) || said(&NEW) {
        ranked.reverse();
    }
    let clear = (currencies.len() == 1 || !by_amount) && ranked.get(1).is_none_or(|next| next.0 != ranked[0].0);
    clear.then_some(ranked[0].1)
}

/// What a row says after its name.
fn figures(label: &str) -> &str {
    label.split_once("”, ").map_or(label, |(_, figures)| figures)
}

/// In thousandths, so that 9 is 9.00.
fn amount(label: &str, reader: Reader) -> Option<(i64, Option<Currency>)> {
    let found = reader.amounts(figures(label)).into_iter().next()?;
    let Reading::Exact(value) = found.reading else { return None };
    let (whole, part) = value.split_once('.').unwrap_or((&value, ""));
    let currency = match found.currency {
        CurrencyMention::Known(currency) => Some(currency),
        _ => None,
    };
    Some((format!("{whole}{part:0<3}").parse().ok()?, currency))
}

fn day(label: &str, reader: Reader) -> Option<Date> {
    match reader.dates(figures(label)).into_iter().next()?.reading {
        DateReading::On(day) => Some(day),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::reader, *};

    const UBERS: &str = "Which “uber” do you mean?\n- #9 “uber”, £12.00, 12 Nov 2026, in transport\n\
                         - #6 “uber 4 two”, £9.50, 9 Nov 2026\n- #5 “uber”, £30.00, 3 Oct 2026, in transport";

    #[test]
    fn a_row_is_picked_by_its_number_price_day_or_place_in_an_order() {
        let rows = rows(UBERS);
        for (answer, row) in [
            ("the 9", Some(9)),
            ("#5", Some(5)),
            ("the 9.50 one", Some(6)),
            ("12", Some(9)),
            ("£30", Some(5)),
            ("€30", None),
            ("nov 9", Some(6)),
            ("the one on the 12th", Some(9)),
            ("the one from 3 October", Some(5)),
            ("the cheaper one", Some(6)),
            ("the most expensive", Some(5)),
            ("the older one", Some(5)),
            ("the latest", Some(9)),
            ("the second one", Some(6)),
            ("two", Some(6)),
            ("the one in transport", None),
            ("lunch 8", None),
        ] {
            assert_eq!(picked(answer, &rows, reader()), row, "{answer}");
        }
    }

    #[test]
    fn rows_that_are_alike_are_not_told_apart_by_that() {
        let alike = "- #1 “tea”, £2.00, 3 Nov 2026\n- #2 “tea”, £2.00, 3 Nov 2026";
        let apart = "- #1 “tea”, £2.00, 3 Nov 2026\n- #2 “tea”, €1.00, 4 Nov 2026";
        let pick = |question: &str, answer: &str| picked(answer, &rows(question), reader());
        assert_eq!(["the 2.00", "3 nov", "the cheaper", "the older"].map(|answer| pick(alike, answer)), [None; 4]);
        assert_eq!(["the cheaper", "the older"].map(|answer| pick(apart, answer)), [None, Some(1)]);
        assert_eq!((both("both", &rows(alike)), both("both", &rows(UBERS))), (Some(vec![1, 2]), None));
    }
}
