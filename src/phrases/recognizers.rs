//! Somebody else's cases: whatever is read as one exact thing must be what they say it is.

use std::{fs, path::Path};

use jiff::civil::Date;
use serde_json::Value;

use super::{
    AmountMention, CurrencyMention, DateReading, Reading,
    tests::{READER, reader},
};

/// What a specification resolves one phrase to, and where that phrase is.
struct Expected<'c> {
    text: &'c str,
    resolution: &'c Value,
}

#[test]
fn single_dates_agree() {
    let Some(cases) = cases("DateParser.json") else { return };
    let (mut read, mut wrong) = (0, Vec::new());
    for case in &cases {
        let input = input(case);
        let expected = expected(case);
        for found in reader(reference(case)).dates(input) {
            let DateReading::On(date) = found.reading else { continue };
            let agreed = expected
                .iter()
                .any(|one| one.resolution["date"] == date.to_string() && overlaps(input, one, &found.span));
            read += usize::from(agreed);
            if !agreed {
                wrong.push(format!("{input:?}: {:?} as {date}", &input[found.span]));
            }
        }
    }
    println!("single dates: {read} of {} read", cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read >= 70, "only {read} read");
}

/// Their ends of named periods are exclusive, those of "from X to Y" are as said; "last 3 weeks" ends yesterday there,
/// and today here.
#[test]
fn ranges_agree() {
    let Some(cases) = cases("DatePeriodParser.json") else { return };
    let (mut read, mut wrong) = (0, Vec::new());
    for case in &cases {
        let (input, today) = (input(case), reference(case));
        let expected = expected(case);
        for found in reader(today).ranges(input) {
            let said = found.range;
            let (from, after) = (said.from.to_string(), said.to.tomorrow().unwrap_or(said.to).to_string());
            let text = input[found.span.clone()].to_lowercase();
            let paired = ["to", "until", "till", "through", "and", "-"].iter().any(|word| text.contains(word));
            let month_named = said.to == said.to.last_of_month();
            let agrees = |one: &&Expected<'_>| {
                let (start, end) = (&one.resolution["startDate"], &one.resolution["endDate"]);
                let looking_back = said.to == today
                    && *end == today.to_string()
                    && *start == said.from.yesterday().unwrap_or(today).to_string();
                let starts_last = paired
                    && month_named
                    && (*end == said.to.first_of_month().to_string() || *end == said.to.first_of_year().to_string());
                *start == from && (*end == after || paired && *end == said.to.to_string() || starts_last)
                    || looking_back
            };
            let agreed = expected.iter().filter(|one| overlaps(input, one, &found.span)).any(|one| agrees(&one));
            read += usize::from(agreed);
            if !agreed {
                wrong.push(format!("{input:?}: {text:?} as {from}..{}", said.to));
            }
        }
    }
    println!("ranges: {read} of {} read", cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read >= 70, "only {read} read");
}

#[test]
fn amounts_of_money_agree() {
    let Some(cases) = cases("CurrencyModel.json") else { return };
    let (mut read, mut wrong) = (0, Vec::new());
    for case in &cases {
        let input = input(case);
        let expected = expected(case);
        for found in READER.amounts(input) {
            let Reading::Exact(value) = &found.reading else { continue };
            let meant =
                expected.iter().find(|one| one.resolution["value"].is_string() && overlaps(input, one, &found.span));
            match meant {
                Some(one) if same_money(one.resolution, value, &found) => read += 1,
                None if found.currency == CurrencyMention::None => {}
                _ => wrong.push(format!("{input:?}: {:?} as {value} {:?}", &input[found.span.clone()], found.currency)),
            }
        }
    }
    println!("amounts: {read} of {} read", cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read >= 160, "only {read} read");
}

fn same_money(resolution: &Value, value: &str, found: &AmountMention) -> bool {
    let hundredths = matches!(resolution["unit"].as_str(), Some("Cent" | "Pence" | "Penny"));
    let (meant, read): (f64, f64) =
        (resolution["value"].as_str().unwrap_or_default().parse().unwrap(), value.parse().unwrap());
    let meant = if hundredths { meant / 100.0 } else { meant };
    let currency = match (&resolution["isoCurrency"], &found.currency) {
        (Value::String(code), CurrencyMention::Known(currency)) => code == currency.code(),
        (Value::String(code), CurrencyMention::Ambiguous(many)) => {
            many.is_empty() || many.iter().any(|one| one.code() == code)
        }
        _ => true,
    };
    (meant - read).abs() <= meant.abs() * 1e-12 && currency
}

fn cases(name: &str) -> Option<Vec<Value>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/recognizers-text"));
    let Ok(text) = fs::read_to_string(folder.join(name)) else {
        println!("skipped: there is no {} here", folder.join(name).display());
        return None;
    };
    Some(serde_json::from_str(text.trim_start_matches('\u{feff}')).expect(name))
}

fn input(case: &Value) -> &str {
    case["Input"].as_str().expect("Input")
}

fn reference(case: &Value) -> Date {
    let at = case["Context"]["ReferenceDateTime"].as_str().unwrap_or("2019-06-15");
    at[..10].parse().expect("ReferenceDateTime")
}

fn expected<'c>(case: &'c Value) -> Vec<Expected<'c>> {
    let results = case["Results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let one = |result: &'c Value| {
        let past = &result["Value"]["PastResolution"];
        let resolution = if past.is_null() { &result["Resolution"] } else { past };
        Expected { text: result["Text"].as_str().expect("Text"), resolution }
    };
    results.iter().map(one).collect()
}

fn overlaps(input: &str, expected: &Expected<'_>, span: &std::ops::Range<usize>) -> bool {
    let (input, text) = (input.to_lowercase(), expected.text.to_lowercase());
    input.match_indices(&text).any(|(start, _)| start < span.end && span.start < start + text.len())
}
