//! Exact money: a count of minor units and a currency, read from and written as decimal text.
//!
//! This module has no exchange rates and no floats. It does not know which style a person uses, or which amounts make
//! sense: zero and negative amounts are read, and callers may refuse them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A currency of ISO 4217 that people pay in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(iso_currency::Currency);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("I don't know the currency {0:?}. Give its three-letter code, like GBP, EUR or USD")]
pub struct UnknownCurrency(pub String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    pub minor: i64,
    pub currency: Currency,
}

/// A decimal number without a currency: `-?digits(.digits)?`, at most 18 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Amount(String);

/// How numbers and amounts are written for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoneyStyle {
    /// `€1,234.50`
    #[default]
    Point,
    /// `1.234,50 €`
    Comma,
    /// `1 234,50 €`, with a space that does not break the line.
    SpacedComma,
    /// `€1’234.50`
    Apostrophe,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("{text} has too many decimals: {currency} has {allowed}. Give the exact amount")]
    TooManyDecimals { text: String, currency: Currency, allowed: u32 },
    #[error("this amount is too large. The largest is 1,000,000,000,000")]
    TooLarge,
    #[error("{0:?} is not an amount. Write it in digits, like 12.50")]
    NotANumber(String),
}

impl Currency {
    pub const GBP: Self = Self(iso_currency::Currency::GBP);
    pub const EUR: Self = Self(iso_currency::Currency::EUR);
    pub const USD: Self = Self(iso_currency::Currency::USD);

    /// An ISO 4217 code in any case. Precious metals, funds and test codes are refused.
    pub fn parse(code: &str) -> Result<Self, UnknownCurrency> {
        iso_currency::Currency::from_code(&code.trim().to_ascii_uppercase())
            .filter(|iso| iso.exponent().is_some() && !iso.is_special() && !iso.is_fund())
            .map(Self)
            .ok_or_else(|| UnknownCurrency(code.chars().take(20).collect()))
    }

    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The number of decimals of its amounts.
    pub fn exponent(self) -> u32 {
        u32::from(self.0.exponent().unwrap_or(2))
    }

    /// A common sign; none if the sign would need an explanation.
    pub fn symbol(self) -> Option<&'static str> {
        match self.code() {
            "GBP" => Some("£"),
            "EUR" => Some("€"),
            "USD" => Some("$"),
            "INR" => Some("₹"),
            "JPY" => Some("¥"),
            _ => None,
        }
    }
}

impl Money {
    /// Parses `-?digits(.digits)?`. Decimals that the currency does not have must be zeros.
    pub fn parse(decimal_text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let amount = plain(decimal_text)?;
        let (negative, whole, fraction) = parts(&amount);
        let allowed = currency.exponent() as usize;
        let (decimals, excess) = fraction.split_at(fraction.len().min(allowed));
        if excess.bytes().any(|digit| digit != b'0') {
            return Err(MoneyError::TooManyDecimals { text: amount, currency, allowed: currency.exponent() });
        }
        let magnitude: i64 = format!("{whole}{decimals:0<allowed$}").parse().map_err(|_| MoneyError::TooLarge)?;
        let limit = (MAX_MAJOR * 10_i64.pow(currency.exponent())).min(MAX_MINOR);
        if magnitude > limit {
            return Err(MoneyError::TooLarge);
        }
        Ok(Self { minor: if negative { -magnitude } else { magnitude }, currency })
    }

    /// `12.50`, which `parse` reads back.
    pub fn decimal(self) -> String {
        let (sign, whole, fraction) = self.digits();
        if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }

    /// With sign or code, for people.
    pub fn written(self, style: MoneyStyle) -> String {
        let (sign, whole, fraction) = self.digits();
        let mark = match style {
            _ if fraction.is_empty() => "",
            MoneyStyle::Point | MoneyStyle::Apostrophe => ".",
            MoneyStyle::Comma | MoneyStyle::SpacedComma => ",",
        };
        let number = format!("{}{mark}{fraction}", style.grouped(&whole));
        match (self.currency.symbol(), style) {
            (Some(symbol), MoneyStyle::Point | MoneyStyle::Apostrophe) => format!("{sign}{symbol}{number}"),
            (Some(symbol), _) => format!("{sign}{number} {symbol}"),
            (None, _) => format!("{sign}{number} {}", self.currency),
        }
    }

    fn digits(self) -> (&'static str, String, String) {
        let sign = if self.minor < 0 { "-" } else { "" };
        let exponent = self.currency.exponent() as usize;
        let digits = format!("{:0>width$}", self.minor.unsigned_abs(), width = exponent + 1);
        let (whole, fraction) = digits.split_at(digits.len() - exponent);
        (sign, whole.to_owned(), fraction.to_owned())
    }
}

impl MoneyStyle {
    /// Groups the digits by thousands.
    pub fn grouped(self, digits: &str) -> String {
        let mark = match self {
            MoneyStyle::Point => ',',
            MoneyStyle::Comma => '.',
            MoneyStyle::SpacedComma => '\u{202f}',
            MoneyStyle::Apostrophe => '’',
        };
        let parted = digits.char_indices().flat_map(|(index, digit)| {
            let first = index > 0 && (digits.len() - index).is_multiple_of(3);
            first.then_some(mark).into_iter().chain([digit])
        });
        parted.collect()
    }
}

impl Amount {
    /// Parses `12.5` or `"1e3"`, exactly.
    pub fn parse(text: &str) -> Result<Self, MoneyError> {
        let amount = plain(text)?;
        if amount.bytes().filter(u8::is_ascii_digit).count() > MAX_DIGITS {
            return Err(MoneyError::TooLarge);
        }
        Ok(Self(amount))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn in_currency(&self, currency: Currency) -> Result<Money, MoneyError> {
        Money::parse(&self.0, currency)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.written(MoneyStyle::default()))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = UnknownCurrency;

    fn from_str(code: &str) -> Result<Self, UnknownCurrency> {
        Self::parse(code)
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl de::Visitor<'_> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an amount, as a number or as text like \"12.50\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
        Amount::parse(text).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Amount, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Amount, E> {
        self.visit_str(&number.to_string())
    }

    /// A double is exact to 15 digits. A number with more may differ from what was written.
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Amount, E> {
        let text = number.to_string();
        let significant = text.trim_start_matches(['-', '0', '.']).trim_end_matches('0');
        if significant.bytes().filter(u8::is_ascii_digit).count() > 15 {
            return Err(E::custom(format!("{text} cannot be read exactly: give the amount as text, like \"12.50\"")));
        }
        self.visit_str(&text)
    }
}

const MAX_MAJOR: i64 = 1_000_000_000_000;
/// Below 2^53, so that no JSON reader rounds a count of minor units.
const MAX_MINOR: i64 = 9_000_000_000_000_000;
const MAX_DIGITS: usize = 18;

/// Converts to `-?digits(.digits)?` without leading zeros and without an exponent.
fn plain(text: &str) -> Result<String, MoneyError> {
    let refused = || MoneyError::NotANumber(text.chars().take(40).collect());
    let trimmed = text.trim();
    let (mantissa, exponent) = match trimmed.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| refused())?),
        None => (trimmed, 0),
    };
    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return Err(refused());
    }
    if exponent.unsigned_abs() > 20 || digits.len() > 40 {
        return Err(MoneyError::TooLarge);
    }
    let moved = shifted(digits, exponent);
    Ok(if moved.bytes().any(|byte| matches!(byte, b'1'..=b'9')) { format!("{sign}{moved}") } else { moved })
}

/// Moves the point of plain decimal text to the right, or to the left if `places` is negative.
pub(crate) fn shifted(decimal: &str, places: i32) -> String {
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    let distance = usize::try_from(places.unsigned_abs()).unwrap_or(usize::MAX);
    let (whole, fraction) = if places >= 0 {
        let fraction = format!("{fraction:0<distance$}");
        let (moved, rest) = fraction.split_at(distance);
        (format!("{whole}{moved}"), rest.to_owned())
    } else {
        let whole = format!("{whole:0>width$}", width = distance + 1);
        let (rest, moved) = whole.split_at(whole.len() - distance);
        (rest.to_owned(), format!("{moved}{fraction}"))
    };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        trimmed => trimmed,
    };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

fn parts(amount: &str) -> (bool, &str, &str) {
    let digits = amount.strip_prefix('-').unwrap_or(amount);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    (digits.len() < amount.len(), whole, fraction)
}

impl schemars::JsonSchema for Amount {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Amount".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["string", "number"] })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::parse(code).expect(code)
    }

    #[test]
    fn only_currencies_for_payments_are_accepted() {
        assert_eq!(currency("gbp"), Currency::GBP);
        assert_eq!((currency("JPY").exponent(), currency("KWD").exponent()), (0, 3));
        for refused in ["XXX", "XAU", "XTS", "XDR", "BOV", "CLF", "ABC", "", "£", "GBPX", "ＧＢＰ"] {
            assert!(Currency::parse(refused).is_err(), "{refused}");
        }
        assert_eq!(serde_json::to_string(&Currency::EUR).unwrap(), "\"EUR\"");
        assert_eq!(serde_json::from_str::<Currency>("\"eur\"").unwrap(), Currency::EUR);
        assert!(serde_json::from_str::<Currency>("\"kr\"").is_err());
    }

    #[test]
    fn money_is_read_and_shown_exactly() {
        for (text, code, minor, decimal, shown) in [
            ("12.5", "GBP", 1250, "12.50", "£12.50"),
            ("1234.50", "GBP", 123_450, "1234.50", "£1,234.50"),
            ("12.500", "EUR", 1250, "12.50", "€12.50"),
            ("-5", "USD", -500, "-5.00", "-$5.00"),
            ("0.05", "INR", 5, "0.05", "₹0.05"),
            ("1200.0", "JPY", 1200, "1200", "¥1,200"),
            ("1.234", "KWD", 1234, "1.234", "1.234 KWD"),
            ("12.50", "CHF", 1250, "12.50", "12.50 CHF"),
            ("-0", "GBP", 0, "0.00", "£0.00"),
            ("+007", "GBP", 700, "7.00", "£7.00"),
            ("1e3", "GBP", 100_000, "1000.00", "£1,000.00"),
            ("1000000000000", "GBP", 100_000_000_000_000, "1000000000000.00", "£1,000,000,000,000.00"),
        ] {
            let money = Money::parse(text, currency(code)).expect(text);
            assert_eq!((money.minor, money.decimal().as_str(), money.to_string().as_str()), (minor, decimal, shown));
        }
    }

    #[test]
    fn money_is_written_in_each_style() {
        for (style, shown) in [
            (MoneyStyle::Comma, ["-1.234.567,50 €", "1.200 ¥", "12,50 CHF"]),
            (MoneyStyle::SpacedComma, ["-1\u{202f}234\u{202f}567,50 €", "1\u{202f}200 ¥", "12,50 CHF"]),
            (MoneyStyle::Apostrophe, ["-€1’234’567.50", "¥1’200", "12.50 CHF"]),
        ] {
            let written = [(-123_456_750, "EUR"), (1200, "JPY"), (1250, "CHF")]
                .map(|(minor, code)| Money { minor, currency: currency(code) }.written(style));
            assert_eq!(written, shown);
        }
    }

    #[test]
    fn inexact_money_is_refused() {
        let refusal = |text: &str, code: &str| Money::parse(text, currency(code)).unwrap_err().to_string();
        assert!(refusal("12.505", "GBP").contains("too many decimals"));
        assert!(refusal("12.5", "JPY").contains("too many decimals"));
        assert!(refusal("1000000000000.01", "GBP").contains("too large"));
        assert!(refusal("9999999999999", "KWD").contains("too large"));
        assert!(refusal("1e400", "GBP").contains("too large"));
        for text in ["", "-", ".", ".5", "5.", "1,5", "NaN", "inf", "1e", "0x10", "١٢", "１２", "1_000", "1 2", "--1"]
        {
            assert!(refusal(text, "GBP").contains("not an amount"), "{text}");
        }
    }

    #[test]
    fn amounts_come_from_numbers_and_text() {
        let read = |json: &str| serde_json::from_str::<Amount>(json).map(|amount| amount.0).map_err(drop);
        for (json, amount) in [
            ("12.5", "12.5"),
            ("12", "12"),
            ("-3", "-3"),
            ("\"12.50\"", "12.50"),
            ("0.1", "0.1"),
            ("1e2", "100"),
            ("\"1.25e1\"", "12.5"),
            ("\"5e-2\"", "0.05"),
            ("123456789012345678", "123456789012345678"),
        ] {
            assert_eq!(read(json).as_deref(), Ok(amount), "{json}");
        }
        for json in [
            "NaN", "1e400", "\"1e400\"", "0.30000000000000004", "12345678901234567.89", "1234567890123456789", "null",
            "[]", "\"£5\"", "\"1,234\"", "\"1e999999999999\"", "true",
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn formatted_money_parses_to_the_same_value(minor in -MAX_MINOR..=MAX_MINOR, code in "GBP|JPY|KWD|CHF") {
            let money = Money { minor, currency: currency(&code) };
            match Money::parse(&money.decimal(), money.currency) {
                Ok(read) => prop_assert_eq!(read, money),
                Err(error) => prop_assert_eq!(error, MoneyError::TooLarge),
            }
        }

        #[test]
        fn parsing_any_text_does_not_panic(text in any::<String>(), number in any::<f64>()) {
            let _ = Money::parse(&text, Currency::GBP);
            let _ = Amount::parse(&text);
            let _ = serde_json::from_str::<Amount>(&number.to_string());
        }
    }
}
