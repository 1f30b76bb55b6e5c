//! How a day or an amount that is not settled is asked about.

use super::Question;
use crate::phrases::{DateReading, DecimalMark, Reader, upper_first};

/// "last September" in November: this year's to some, and last year's to others.
pub(super) fn which_days(said: &str, reader: Reader) -> Question {
    let (day, month) =
        (reader.conventions.style.days.written(reader.today.first_of_month()), reader.today.strftime("%B %Y"));
    let text = format!("Which days do you mean by “{said}”? Name them, like “since {day}” or “{month}”.");
    Question { text, options: Vec::new(), missing: vec!["date"] }
}

pub(super) fn which_day(reading: DateReading, reader: Reader) -> Question {
    let which = || "Which day do you mean?".to_owned();
    let written = |day: &jiff::civil::Date| reader.conventions.style.days.written(*day);
    let (text, options) = match reading {
        DateReading::Impossible(why) => (format!("{}. Which day was it?", upper_first(&why)), Vec::new()),
        DateReading::Ambiguous(many) => (which(), many.iter().map(written).collect()),
        DateReading::On(_) => (which(), Vec::new()),
    };
    Question { text, options, missing: vec!["date"] }
}

pub(super) fn which_amount(options: &[String], reader: Reader) -> Question {
    let mut options: Vec<String> = options.iter().map(|option| with_mark(option, reader)).collect();
    options.dedup();
    let text = match &options[..] {
        [one, other] => format!("Is that {one} or {other}?"),
        _ => "What is the exact amount?".to_owned(),
    };
    Question { text, options: if options.len() > 1 { options } else { Vec::new() }, missing: vec!["amount"] }
}

/// A plain decimal as the person writes it: to some, `1.234` is a thousand and more.
pub(super) fn with_mark(plain: &str, reader: Reader) -> String {
    match reader.conventions.decimal_mark {
        Some(DecimalMark::Comma) => plain.replace('.', ","),
        _ => plain.to_owned(),
    }
}
