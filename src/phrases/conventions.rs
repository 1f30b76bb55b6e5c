//! How a person writes numbers and days, as far as it is known: from their locale, or from what they once answered.
//!
//! What regions of a language disagree about stays unknown, and is asked about where it matters. No currency and no
//! time zone follows from any of this.
//! The regions are those of Unicode CLDR 46, without the ones whose people often write otherwise.

use jiff::civil::Date;

use super::{CurrencyMention, Language, SharedSign};
use crate::money::{Currency, MoneyStyle};

/// Nothing is known of whoever has the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Conventions {
    pub language: Option<Language>,
    pub decimal_mark: Option<DecimalMark>,
    pub day_order: Option<DayOrder>,
    /// Which currency is meant by what several share: as many as are needed at a time.
    pub signs: [Option<(SharedSign, Currency)>; 4],
    /// The currency that is meant where none is named.
    pub own: Option<Currency>,
    /// How replies write for them.
    pub style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DecimalMark {
    Point,
    Comma,
}

/// Of days in digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DayOrder {
    DayFirst,
    MonthFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Style {
    pub money: MoneyStyle,
    pub days: DayStyle,
}

/// How a day is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DayStyle {
    /// `20 Nov 2026`
    #[default]
    DayMonth,
    /// `Nov 20, 2026`
    MonthDay,
    /// `20.11.2026`
    Dotted,
    /// `20/11/2026`
    Slashed,
}

impl Conventions {
    /// Of a BCP 47 tag, like `de-CH`, `es_MX` or `en-Latn-GB`. Nothing is known of other languages.
    pub fn of_locale(tag: &str) -> Conventions {
        let mut parts = tag.split(['-', '_']);
        let language = parts.next().unwrap_or_default().to_ascii_lowercase();
        // Extensions, which follow a single letter, name no region.
        let region = parts.take_while(|part| part.len() > 1).find(|part| is_region(part));
        let region = region.map_or("-".to_owned(), str::to_ascii_uppercase);
        LOCALES.lines().find_map(|row| row_of(row, &language, &region)).unwrap_or_default()
    }

    /// What the person said themselves counts for more than their locale.
    pub fn with_marks(self, decimal_mark: Option<DecimalMark>, day_order: Option<DayOrder>) -> Conventions {
        Conventions {
            decimal_mark: decimal_mark.or(self.decimal_mark),
            day_order: day_order.or(self.day_order),
            ..self
        }
    }

    /// Of the same sign the last one counts.
    pub fn with_signs(self, signs: &[(SharedSign, Currency)], own: Option<Currency>) -> Conventions {
        let is_last = |at: &usize| !signs[at + 1..].iter().any(|(sign, _)| *sign == signs[*at].0);
        let mut last = (0..signs.len()).rev().filter(is_last).map(|at| signs[at]);
        Conventions { signs: std::array::from_fn(|_| last.next()), own, ..self }
    }

    /// Whoever has one of those that share a sign as their own means that.
    pub(super) fn meant(&self, said: CurrencyMention) -> CurrencyMention {
        let CurrencyMention::Ambiguous(any) = &said else { return said };
        let sign = self.signs[0].and_then(|_| SharedSign::of(any));
        let known = || self.signs.iter().flatten().find(|(known, _)| Some(*known) == sign).map(|(_, meant)| *meant);
        let meant = self.own.filter(|own| any.contains(own)).or_else(|| known().filter(|meant| any.contains(meant)));
        meant.map_or(said, CurrencyMention::Known)
    }
}

impl DayStyle {
    pub fn written(self, day: Date) -> String {
        let format = match self {
            DayStyle::DayMonth => "%-d %b %Y",
            DayStyle::MonthDay => "%b %-d, %Y",
            DayStyle::Dotted => "%-d.%-m.%Y",
            DayStyle::Slashed => "%-d/%-m/%Y",
        };
        day.strftime(format).to_string()
    }
}

/// Two letters, or three digits; scripts have four letters.
fn is_region(part: &str) -> bool {
    part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic())
        || part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit())
}

const LOCALES: &str = include_str!("locales.txt");

/// What a row of the list says, if it is of that language and region.
fn row_of(row: &str, language: &str, region: &str) -> Option<Conventions> {
    let [said, regions, mark, order, money, days] = row.split(' ').collect::<Vec<_>>()[..] else { return None };
    if said != language || regions != "*" && !regions.split(',').any(|known| known == region) {
        return None;
    }
    Some(Conventions {
        language: named(language, &LANGUAGES),
        decimal_mark: named(mark, &[(".", DecimalMark::Point), (",", DecimalMark::Comma)]),
        day_order: named(order, &[("day-first", DayOrder::DayFirst), ("month-first", DayOrder::MonthFirst)]),
        style: Style {
            money: named(money, &MONEY_STYLES).unwrap_or_default(),
            days: named(days, &DAY_STYLES).unwrap_or_default(),
        },
        ..Conventions::default()
    })
}

const LANGUAGES: [(&str, Language); 4] =
    [("en", Language::English), ("de", Language::German), ("fr", Language::French), ("es", Language::Spanish)];

const MONEY_STYLES: [(&str, MoneyStyle); 3] =
    [("apostrophe", MoneyStyle::Apostrophe), ("comma", MoneyStyle::Comma), ("spaced-comma", MoneyStyle::SpacedComma)];

const DAY_STYLES: [(&str, DayStyle); 3] =
    [("month-day", DayStyle::MonthDay), ("dotted", DayStyle::Dotted), ("slashed", DayStyle::Slashed)];

fn named<T: Copy>(name: &str, known: &[(&str, T)]) -> Option<T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}
