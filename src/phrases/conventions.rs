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
        of_region(&language, region.map(str::to_ascii_uppercase).as_deref())
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

/// How people of a region write, or all whose region is not said. None where they differ.
fn of_region(language: &str, region: Option<&str>) -> Conventions {
    use DayStyle::{DayMonth, Dotted, MonthDay, Slashed};
    use Language::{English, French, German, Spanish};
    let (point, comma) = (Some(DecimalMark::Point), Some(DecimalMark::Comma));
    let (day_first, month_first) = (Some(DayOrder::DayFirst), Some(DayOrder::MonthFirst));
    let (language, decimal_mark, day_order, money, days) = match (language, region) {
        ("en", Some("US")) => (English, point, month_first, MoneyStyle::Point, MonthDay),
        ("en", Some("GB" | "IE" | "AU" | "NZ" | "IN" | "SG" | "MT" | "NG" | "KE" | "GH" | "PK" | "HK")) => {
            (English, point, day_first, MoneyStyle::Point, DayMonth)
        }
        // Canadians write days both ways; "en" alone is sent from everywhere that speaks it.
        ("en", None | Some("CA")) => (English, point, None, MoneyStyle::Point, DayMonth),
        ("en", _) => (English, None, None, MoneyStyle::Point, DayMonth),
        ("de", Some("CH" | "LI")) => (German, point, day_first, MoneyStyle::Apostrophe, Dotted),
        ("de", _) => (German, comma, day_first, MoneyStyle::Comma, Dotted),
        // Money is written with a point in Switzerland, other numbers with a comma; Canadians write days both ways.
        ("fr", Some("CH")) => (French, None, day_first, MoneyStyle::Apostrophe, Dotted),
        ("fr", Some("CA")) => (French, comma, None, MoneyStyle::SpacedComma, DayMonth),
        ("fr", _) => (French, comma, day_first, MoneyStyle::SpacedComma, Slashed),
        ("es", Some("US" | "PR" | "PA")) => (Spanish, point, None, MoneyStyle::Point, DayMonth),
        ("es", Some("MX" | "DO" | "GT" | "HN" | "NI" | "PE" | "SV" | "419")) => {
            (Spanish, point, day_first, MoneyStyle::Point, Slashed)
        }
        // "es" alone is sent from both sides of the ocean.
        ("es", None) => (Spanish, None, day_first, MoneyStyle::Point, Slashed),
        ("es", _) => (Spanish, comma, day_first, MoneyStyle::Comma, Slashed),
        _ => return Conventions::default(),
    };
    let style = Style { money, days };
    Conventions { language: Some(language), decimal_mark, day_order, style, ..Conventions::default() }
}
