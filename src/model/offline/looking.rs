//! What was left open in a question about spending, and how it is asked.

use super::{Question, Reply, adding::Said, bounds, bulk, currency::currency_alone, frames, wording};
use crate::phrases::{Class, DateReading, DecimalMark, Reader, upper_first};

/// The question before, with what was left open now said.
pub(super) fn answered(before: &str, answer: &str, reader: Reader) -> Option<Reply> {
    if let (Some(Said::Exactly(code)), []) = (currency_alone(answer, reader), reader.amounts(before).as_slice()) {
        return look(&format!("{before} in {code}"), reader);
    }
    if let Some(text) = bounds::answered(before, answer, reader) {
        return look(&text, reader);
    }
    let unsettled = reader.dates(before);
    let spans: Vec<_> = unsettled
        .into_iter()
        .filter(|found| !matches!(found.reading, DateReading::On(_)))
        .map(|found| found.span)
        .collect();
    // "Last September"; "2025".
    let month = spans.first().and_then(|span| before[span.clone()].split_whitespace().last()).unwrap_or_default();
    let of_year = reader.resolve_range(&format!("{month} {}", answer.trim()));
    let range = of_year.or_else(|_| reader.resolve_range(answer)).ok()?;
    let text =
        format!("{} from {} to {}", wording::without(before, &spans, &[Class::BeforeOpenDays]), range.from, range.to);
    look(&text, reader)
}

fn look(text: &str, reader: Reader) -> Option<Reply> {
    bulk::read(text, wording::after_courtesies(text), reader).or_else(|| frames::read(text, reader))
}

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
