//! What lies on one side of a day or a span: "since Monday", "avant lundi", "bis Freitag".

use jiff::civil::Date;

use super::{DateRange, Language, lexicon::Class, tokens::Line};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Since,
    After,
    Before,
    Until,
    /// People differ: the 15th may belong to it or not.
    Either,
}

impl Side {
    /// Past the words that say so, and whether they are English.
    pub fn read(line: &Line<'_>, at: usize) -> Option<(usize, Side, bool)> {
        let (end, sense) = line.sense(at, Class::Boundary)?;
        let side = match sense.says {
            "since" => Side::Since,
            "after" => Side::After,
            "before" => Side::Before,
            "until" => Side::Until,
            _ => Side::Either,
        };
        Some((end, side, sense.language == Some(Language::English)))
    }

    pub fn of(self, DateRange { from, to }: DateRange, today: Date) -> Option<DateRange> {
        match self {
            Side::Since => DateRange::new(from, today),
            Side::After => DateRange::new(to.tomorrow().ok()?, today),
            Side::Before => DateRange::new(DateRange::ALL.from, from.yesterday().ok()?),
            Side::Until => DateRange::new(DateRange::ALL.from, to),
            Side::Either => None,
        }
    }
}
