//! The numbered rows that a question offers, and which of them an answer means.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::{
    options::{self, Asking},
    wording,
};
use crate::{
    money::{Currency, Money},
    only::Only,
    phrases::{AmountMention, Class, CurrencyMention, DateMention, DateReading, Reader, Reading},
    shown::ShownRow,
    sorted::Sort,
};

/// A row that a question offers.
pub(super) struct Offered {
    pub row: ShownRow,
    /// The option as it was read, without its number and in lower case.
    label: String,
}

/// The rows of a question. Where a model wrote it, only their numbers and words are known, and they may be in its text.
pub(super) fn offered(asking: &Asking) -> Vec<Offered> {
    if asking.proposes {
        return vec![];
    }
    let options = (0..).zip(&asking.options).filter_map(|(at, option)| {
        let label = options::number_first(option).map_or(option.as_str(), |(_, label)| label);
        Some((asking.row_number(at)?, label))
    });
    let is_open = asking.options.is_empty() && asking.rows.is_empty();
    let text = asking.text.match_indices('#').filter(|_| is_open).map(|(at, _)| &asking.text[at..]);
    let mut offered: Vec<Offered> = Vec::new();
    for (id, label) in options.chain(text.filter_map(options::number_first)) {
        let known = asking.rows.iter().find(|row| row.id == id).cloned();
        let row = known.unwrap_or(ShownRow { id, ..ShownRow::default() });
        let label =
            wording::trimmed(label.split('#').next().unwrap_or_default(), &[], &[Class::JoinsLabels]).to_lowercase();
        if offered.iter().all(|other| other.row.id != id) {
            offered.push(Offered { row, label });
        }
    }
    offered
}

pub(super) fn both(answer: &str, rows: &[Offered]) -> Option<Vec<u64>> {
    let says = Class::BothOfTwo.says(&wording::after_courtesies(answer).trim_end_matches('.').to_lowercase()).is_some();
    (says && rows.len() == 2).then(|| rows.iter().map(|offered| offered.row.id).collect())
}

pub(super) fn picked(answer: &str, rows: &[Offered], reader: Reader) -> Option<u64> {
    if let Some((number, label)) = options::number_first(answer) {
        let said = options::letters(label);
        let fits =
            |offered: &&Offered| offered.row.id == number && options::letters(&offered.label).contains(said.trim());
        return rows.iter().find(fits).map(|offered| offered.row.id);
    }
    let name = wording::trimmed(answer, &[Class::RowsFront], &[Class::BehindChosenRow]).to_lowercase();
    let numbered = name.trim_start_matches('#').parse::<u64>().ok();
    if let Some(offered) = numbered.and_then(|number| rows.iter().find(|offered| offered.row.id == number)) {
        return Some(offered.row.id);
    }
    if name.is_empty() && answer.to_lowercase().contains("expense") && rows.len() == 1 {
        return Some(rows[0].row.id);
    }
    if let Some(place) = options::place(&name, rows.len()) {
        return rows.get(place).map(|offered| offered.row.id);
    }
    if let Some(id) = by_rank(&name, rows.iter().map(|offered| &offered.row)) {
        return Some(id);
    }
    // What fits one row only: a part of it, its amount, its day.
    let only = |fits: &dyn Fn(&Offered) -> bool| {
        rows.iter().filter(|offered| fits(offered)).only().map(|offered| offered.row.id)
    };
    let named = || only(&|offered| !name.is_empty() && numbered.is_none() && offered.label.contains(&name));
    let price = || {
        let price = reader.amounts(&name).into_iter().next()?;
        only(&|offered| costs(&offered.row, &price))
    };
    let said_day = || match &reader.dates(&name)[..] {
        [DateMention { reading: DateReading::On(day), .. }] if reader.amounts(&name).is_empty() => Some(*day),
        _ => None,
    };
    named().or_else(price).or_else(|| said_day().and_then(|said| only(&|offered| offered.row.date == Some(said))))
}

/// Whether this is what the row costs. The currency need not be said.
pub(super) fn costs(row: &ShownRow, price: &AmountMention) -> bool {
    let (Some(minor), Some(currency)) = (row.amount, row.unit.as_deref().and_then(|unit| Currency::parse(unit).ok()))
    else {
        return false;
    };
    let is_of_it = match &price.currency {
        CurrencyMention::Known(known) => *known == currency,
        CurrencyMention::None | CurrencyMention::Ambiguous(_) => true,
    };
    let Reading::Exact(value) = &price.reading else { return false };
    is_of_it && Money::parse(value, currency).is_ok_and(|money| money.minor == minor)
}

/// "the cheaper one", "the latest": None if two are alike in that, or in different currencies.
pub(super) fn by_rank<'r>(name: &str, rows: impl Iterator<Item = &'r ShownRow>) -> Option<u64> {
    let name = wording::trimmed(name, &[Class::The], &[Class::One]);
    let said = |rank: Class| rank.says(name).is_some();
    let by_amount = said(Class::Cheaper) || said(Class::Dearer);
    if !by_amount && !said(Class::Older) && !said(Class::Newer) {
        return None;
    }
    let mut ranked = Vec::new();
    let mut currencies = BTreeSet::new();
    for row in rows {
        currencies.insert(row.unit.as_deref()?);
        ranked.push((if by_amount { (row.amount?, Date::ZERO) } else { (0, row.date?) }, row.id));
    }
    ranked.put_in_order(Ord::cmp);
    if said(Class::Dearer) || said(Class::Newer) {
        ranked.reverse();
    }
    let first = *ranked.first()?;
    let clear = (currencies.len() == 1 || !by_amount) && ranked.get(1).is_none_or(|next| next.0 != first.0);
    clear.then_some(first.1)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{tests::reader, written_out_tests},
        *,
    };

    fn rows(question: &str) -> Vec<Offered> {
        offered(&written_out_tests::asking(question))
    }

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
