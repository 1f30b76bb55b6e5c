//! How a person writes numbers and days, as far as it is known: from their locale, or from what they once answered.
//!
//! What regions of a language disagree about stays unknown, and is asked about where it matters. No currency and no
//! time zone follows from any of this.
//! The regions are those of Unicode CLDR 46, without the ones whose people often write otherwise.

use jiff::civil::Date;

use super::{CurrencyMention, SharedSign};
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    English,
    German,
    French,
    Spanish,
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
        let region =
            parts.take_while(|part| part.len() > 1).find(|part| matches!(part.len(), 2 | 3) && is_region(part));
        let region = region.map(str::to_ascii_uppercase).unwrap_or_default();
        match language.as_str() {
            "en" => english(&region),
            "de" => german(&region),
            "fr" => french(&region),
            "es" => spanish(&region),
            _ => Conventions::default(),
        }
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

    pub(super) fn meant(&self, said: CurrencyMention) -> CurrencyMention {
        let CurrencyMention::Ambiguous(any) = &said else { return said };
        let sign = self.signs[0].and_then(|_| SharedSign::of(any));
        let known = self.signs.iter().flatten().find(|(known, _)| Some(*known) == sign);
        // Whoever has one of them as their own means that.
        let is_own = self.own.is_some_and(|own| any.contains(&own));
        known
            .filter(|(_, currency)| any.contains(currency) && !is_own)
            .map_or(said, |(_, currency)| CurrencyMention::Known(*currency))
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

impl DecimalMark {
    pub(super) fn is(self, mark: char) -> bool {
        match self {
            DecimalMark::Point => matches!(mark, '.' | '．'),
            DecimalMark::Comma => matches!(mark, ',' | '，'),
        }
    }
}

const POINT: Option<DecimalMark> = Some(DecimalMark::Point);
const COMMA: Option<DecimalMark> = Some(DecimalMark::Comma);
const DAY_FIRST: Option<DayOrder> = Some(DayOrder::DayFirst);
const MONTH_FIRST: Option<DayOrder> = Some(DayOrder::MonthFirst);

/// Two letters, or three digits; scripts have four letters.
fn is_region(part: &str) -> bool {
    part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic())
        || part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn english(region: &str) -> Conventions {
    let (decimal_mark, day_order, days) = match region {
        "US" => (POINT, MONTH_FIRST, DayStyle::MonthDay),
        "GB" | "IE" | "AU" | "NZ" | "IN" | "SG" | "MT" | "NG" | "KE" | "GH" | "PK" | "HK" => {
            (POINT, DAY_FIRST, DayStyle::DayMonth)
        }
        // Canadians write days both ways; "en" alone is sent from everywhere that speaks it.
        "" | "CA" => (POINT, None, DayStyle::DayMonth),
        _ => (None, None, DayStyle::DayMonth),
    };
    let style = Style { money: MoneyStyle::Point, days };
    Conventions { language: Some(Language::English), decimal_mark, day_order, style, ..Conventions::default() }
}

fn german(region: &str) -> Conventions {
    let (decimal_mark, money) = match region {
        "CH" | "LI" => (POINT, MoneyStyle::Apostrophe),
        _ => (COMMA, MoneyStyle::Comma),
    };
    let style = Style { money, days: DayStyle::Dotted };
    Conventions {
        language: Some(Language::German),
        decimal_mark,
        day_order: DAY_FIRST,
        style,
        ..Conventions::default()
    }
}

fn french(region: &str) -> Conventions {
    // Money is written with a point in Switzerland, other numbers with a comma; Canadians write days both ways.
    let (decimal_mark, day_order, style) = match region {
        "CH" => (None, DAY_FIRST, Style { money: MoneyStyle::Apostrophe, days: DayStyle::Dotted }),
        "CA" => (COMMA, None, Style { money: MoneyStyle::SpacedComma, days: DayStyle::DayMonth }),
        _ => (COMMA, DAY_FIRST, Style { money: MoneyStyle::SpacedComma, days: DayStyle::Slashed }),
    };
    Conventions { language: Some(Language::French), decimal_mark, day_order, style, ..Conventions::default() }
}

fn spanish(region: &str) -> Conventions {
    let (decimal_mark, money) = match region {
        "MX" | "DO" | "GT" | "HN" | "NI" | "PA" | "PE" | "PR" | "SV" | "US" | "419" => (POINT, MoneyStyle::Point),
        // "es" alone is sent from both sides of the ocean.
        "" => (None, MoneyStyle::Point),
        _ => (COMMA, MoneyStyle::Comma),
    };
    let (day_order, days) = match region {
        "US" | "PR" | "PA" => (None, DayStyle::DayMonth),
        _ => (DAY_FIRST, DayStyle::Slashed),
    };
    let style = Style { money, days };
    Conventions { language: Some(Language::Spanish), decimal_mark, day_order, style, ..Conventions::default() }
}
