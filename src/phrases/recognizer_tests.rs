//! Somebody else's cases: whatever is read as one exact thing must be what they say it is. `make accuracy` prints the
//! figures.

use std::{collections::BTreeMap, fs, path::Path};

use jiff::civil::Date;
use serde_json::Value;

use super::{AmountMention, Conventions, CurrencyMention, DateReading, RangeMention, Reader, Reading};

/// What a specification resolves one phrase to, and where that phrase is.
struct Expected<'c> {
    text: &'c str,
    resolution: &'c Value,
}

/// What became of one thing that a specification says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Correct,
    /// Reported as unclear or as impossible, so the person is asked.
    Asked,
    /// Taken for no time or amount at all.
    Missed,
    Wrong,
    /// No expense says such a thing, or nobody could know what it is.
    Excluded(&'static str),
}

/// Prints the figures, and fails beyond the limits that DESIGN.md gives.
fn report(what: &str, outcomes: &[(Outcome, String)]) {
    let count = |wanted: Outcome| outcomes.iter().filter(|(outcome, _)| *outcome == wanted).count();
    let (correct, asked) = (count(Outcome::Correct), count(Outcome::Asked));
    let (missed, wrong) = (count(Outcome::Missed), count(Outcome::Wrong));
    let mut excluded: BTreeMap<&str, usize> = BTreeMap::new();
    for (outcome, _) in outcomes {
        if let Outcome::Excluded(why) = outcome {
            *excluded.entry(why).or_default() += 1;
        }
    }
    let all = correct + asked + missed + wrong;
    let share = |part: usize| part as f64 * 100.0 / all as f64;
    println!(
        "{what}: {correct} of {all} correct ({:.1} %), {asked} asked, {missed} not read, {wrong} silently wrong ({:.1} %)",
        share(correct),
        share(wrong)
    );
    for (why, count) in excluded {
        println!("    left out: {count} {why}");
    }
    let others =
        outcomes.iter().filter(|(outcome, _)| matches!(outcome, Outcome::Asked | Outcome::Missed | Outcome::Wrong));
    for (outcome, text) in others {
        println!("    {}: {text}", format!("{outcome:?}").to_lowercase());
    }
    assert!(share(wrong) <= 1.0, "{what}: too many are silently wrong");
    assert!(share(correct) >= 90.0, "{what}: too few are read");
}

/// They are of American English, which says how days in digits are ordered.
fn american(today: Date) -> Reader {
    Reader { today, hour: 12, conventions: Conventions::of_locale("en-US") }
}

#[test]
fn single_dates_agree() {
    let Some(cases) = cases("DateParser.json") else { return };
    let mut outcomes = Vec::new();
    for case in &cases {
        let (input, today) = (input(case), reference(case));
        let found = american(today).dates(input);
        let expected = expected(case);
        for one in &expected {
            let date: Option<Date> = one.resolution["date"].as_str().and_then(|date| date.parse().ok());
            let read: Vec<_> = found.iter().filter(|found| overlaps(input, one, &found.span)).collect();
            let outcome = match (&read[..], date) {
                ([found], Some(date)) if found.reading == DateReading::On(date) => Outcome::Correct,
                ([found], Some(date)) if date.year() == 1 && matches!(found.reading, DateReading::Impossible(_)) => {
                    Outcome::Correct
                }
                ([found], _) if matches!(found.reading, DateReading::On(_)) => Outcome::Wrong,
                (_, Some(date)) if date > today => Outcome::Excluded("have not come yet"),
                (_, Some(date)) if date.year() > 1 && date.year() < 1970 => Outcome::Excluded("are before 1970"),
                _ if is_of_a_story(one.text) => Outcome::Excluded("are days of a story (\"the next day\")"),
                _ if is_bare_number(one.text) => {
                    Outcome::Excluded("are bare numbers, which are amounts where money is spoken of (\"4.22\")")
                }
                _ if one.text.contains("few") => Outcome::Excluded("name no exact day (\"a few days ago\")"),
                _ if is_nth_of_no_month(one.text) => {
                    Outcome::Excluded("are the nth weekday of no month (\"third Tuesday\")")
                }
                ([found], _) if matches!(&found.reading, DateReading::Impossible(why) if why.contains("not a ")) => {
                    Outcome::Excluded("name a weekday that the day is not")
                }
                ([], _) => Outcome::Missed,
                _ => Outcome::Asked,
            };
            outcomes.push((outcome, format!("{input:?} on {today}")));
        }
        let unexpected = found.iter().filter(|found| matches!(found.reading, DateReading::On(_)));
        let unexpected = unexpected.filter(|found| !expected.iter().any(|one| overlaps(input, one, &found.span)));
        outcomes.extend(unexpected.map(|_| (Outcome::Wrong, format!("{input:?} on {today}"))));
    }
    report("single dates", &outcomes);
}

fn is_of_a_story(text: &str) -> bool {
    let text = text.to_lowercase();
    let told = ["next day", "last day", "past day", "this day", "the day", "my day"];
    told.iter().any(|told| text == *told || text == format!("the {told}"))
}

fn is_nth_of_no_month(text: &str) -> bool {
    let words: Vec<String> = text.to_lowercase().split(' ').map(str::to_owned).collect();
    matches!(&words[..], [nth, day] if ["first", "second", "third", "fourth", "fifth"].contains(&nth.as_str()) && day.ends_with("day"))
}

fn is_bare_number(text: &str) -> bool {
    text.trim_start_matches("the ").parse::<f64>().is_ok()
}

/// Their ends of named periods are exclusive, those of "from X to Y" are as said; "last 3 weeks" ends yesterday there,
/// and today here.
#[test]
fn ranges_agree() {
    let Some(cases) = cases("DatePeriodParser.json") else { return };
    let mut outcomes = Vec::new();
    for case in &cases {
        let (input, today) = (input(case), reference(case));
        let reader = american(today);
        let (found, days) = (reader.ranges(input), reader.dates(input));
        let expected = expected(case);
        for one in &expected {
            let read: Vec<_> = found.iter().filter(|found| overlaps(input, one, &found.span)).collect();
            let asked = days.iter().any(|found| overlaps(input, one, &found.span));
            let ends =
                [&one.resolution["startDate"], &one.resolution["endDate"]].map(|end| end.as_str().unwrap_or_default());
            let outcome = match &read[..] {
                [found] if agrees(input, found, ends, today) => Outcome::Correct,
                [_, ..] => Outcome::Wrong,
                [] if ends[1] > today.to_string().as_str() && ends[0] >= today.to_string().as_str() => {
                    Outcome::Excluded("have not come yet")
                }
                [] if ends.iter().any(|end| !end.is_empty() && *end < "1970") => Outcome::Excluded("are before 1970"),
                [] if is_rough(one.text) => Outcome::Excluded(
                    "have no agreed ends (\"early\", \"rest of\", \"more than\", seasons) or are decades",
                ),
                [] if is_counted_week(one.text) => {
                    Outcome::Excluded("are weeks by number, which are counted in several ways")
                }
                [] if one.text.to_lowercase().contains("same") => {
                    Outcome::Excluded("refer to days told elsewhere (\"the same week\")")
                }
                [] if one.text.to_lowercase().contains("wed, 22 of jan") => {
                    Outcome::Excluded("name a weekday that the day is not")
                }
                [] if asked => Outcome::Asked,
                [] => Outcome::Missed,
            };
            outcomes.push((outcome, format!("{input:?} on {today}")));
        }
        let unexpected = found.iter().filter(|found| !expected.iter().any(|one| overlaps(input, one, &found.span)));
        outcomes.extend(unexpected.map(|_| (Outcome::Wrong, format!("{input:?} on {today}"))));
    }
    report("ranges", &outcomes);
}

fn is_counted_week(text: &str) -> bool {
    let text = text.to_lowercase();
    let counted =
        ["first", "second", "third", "fourth", "last"].iter().any(|nth| text.contains(&format!("{nth} week of")));
    counted || text.starts_with("week ") && text[5..].starts_with(|first: char| first.is_ascii_digit())
}

fn agrees(input: &str, found: &RangeMention, [start, end]: [&str; 2], today: Date) -> bool {
    let said = found.range;
    let (from, after) = (said.from.to_string(), said.to.tomorrow().unwrap_or(said.to).to_string());
    let text = input[found.span.clone()].to_lowercase();
    let paired = ["to", "until", "till", "through", "and", "-"].iter().any(|word| text.contains(word));
    let looking_back =
        said.to == today && end == today.to_string() && start == said.from.yesterday().unwrap_or(today).to_string();
    let starts_last = paired
        && said.to == said.to.last_of_month()
        && (end == said.to.first_of_month().to_string() || end == said.to.first_of_year().to_string());
    start == from && (end == after || paired && end == said.to.to_string() || starts_last) || looking_back
}

fn is_rough(text: &str) -> bool {
    const ROUGH: [&str; 30] = [
        "middle", "more", "less", "decades", "century", "centuries", "seventies", "noughties", "tens", "thousands",
        "70", "1970s", "70s", "early", "late", "mid", "beginning", "end", "rest", "start", "later", "earlier",
        "spring", "summer", "autumn", "fall", "winter", "decade", "few", "couple",
    ];
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|mark: char| !mark.is_alphanumeric()).collect();
    ROUGH.iter().any(|rough| words.contains(rough)) || text.ends_with("0s")
}

#[test]
fn amounts_of_money_agree() {
    let Some(cases) = cases("CurrencyModel.json") else { return };
    let mut outcomes = Vec::new();
    let reader = american(reference(&Value::Null));
    for case in &cases {
        let input = input(case);
        let found = reader.amounts(input);
        let expected = expected(case);
        for one in &expected {
            let read: Vec<_> = found.iter().filter(|found| overlaps(input, one, &found.span)).collect();
            let settled = matches!(&read[..], [AmountMention { reading: Reading::Exact(_), .. }]);
            let outcome = match (&read[..], one.resolution["value"].is_string()) {
                (_, false) => Outcome::Excluded("are a currency without an amount"),
                ([found], _) if settled && same_money(one.resolution, found) => Outcome::Correct,
                ([_], _) if settled => Outcome::Wrong,
                ([], _) => Outcome::Missed,
                _ => Outcome::Asked,
            };
            outcomes.push((outcome, format!("{input:?}")));
        }
        let named = found.iter().filter(|found| found.currency != CurrencyMention::None);
        let unexpected = named.filter(|found| matches!(found.reading, Reading::Exact(_)));
        let unexpected = unexpected.filter(|found| !expected.iter().any(|one| overlaps(input, one, &found.span)));
        outcomes.extend(unexpected.map(|_| (Outcome::Wrong, format!("{input:?}"))));
    }
    report("amounts", &outcomes);
}

fn same_money(resolution: &Value, found: &AmountMention) -> bool {
    let Reading::Exact(value) = &found.reading else { return false };
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
