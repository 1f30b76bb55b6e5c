//! Two times, or two things, that a question compares.

use jiff::ToSpan;
use serde_json::json;

use super::{
    Question, Reply, conversation,
    looking::add_range,
    subjects::{about, with_plain_years},
    summing::{EXCEPTIONS, LEADS, says},
    wording,
};
use crate::phrases::{DateRange, Reader, is_one_of};

/// "compare food and travel", "coffee vs tea this month": what each of two comes to, and both.
pub(super) fn of_two(text: &str, reader: Reader) -> Option<Reply> {
    const COMPARE: [&str; 5] = ["compare", "vergleiche", "vergleich", "compara", "comparer"];
    const LINKS: [&str; 10] = ["and", "with", "to", "against", "und", "mit", "et", "avec", "y", "con"];
    // Most messages compare nothing.
    if !["vs", "versus", "ompar", "ergleich"].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let words = wording::words(text);
    let opens = words.first().is_some_and(|(_, word)| is_one_of(word, &COMPARE));
    let is_link =
        |(_, word): &&wording::Word<'_>| matches!(&**word, "vs" | "versus") || opens && is_one_of(word, &LINKS);
    let (link, _) = words.iter().find(is_link)?;
    let days = reader.ranges(text);
    if days.len() > 1 || !reader.amounts(text).is_empty() {
        return None;
    }
    let lower = text.to_lowercase();
    let start = if opens { words[0].0.end } else { 0 };
    let [one, other] = [lower.get(start..link.start)?, lower.get(link.end..)?].map(|side| about(side, None, reader));
    let is_name = |name: &str| (1..=2).contains(&wording::words(name).len()) && !says(name, &EXCEPTIONS);
    let mut arguments = json!({ "category": format!("{one} and {other}") });
    match add_range(&mut arguments, text, reader) {
        _ if ![&one, &other].into_iter().all(|name| is_name(name)) => None,
        Err(question) => Some(Reply::Ask(question)),
        Ok(()) => Some(conversation::one("get_balance", arguments)),
    }
}

/// The days that are compared with as many before them: the later of two that follow each other, or those after "last
/// month" in "more than last month".
pub(super) fn compared(text: &str, reader: Reader) -> Result<DateRange, Reply> {
    let text = with_plain_years(text);
    add_range(&mut json!({}), &text, reader)
        .or_else(|question| if reader.ranges(&text).len() == 2 { Ok(()) } else { Err(Reply::Ask(question)) })?;
    let follows = |before: DateRange, after: DateRange| before.to.tomorrow().is_ok_and(|day| day == after.from);
    match &reader.ranges(&text)[..] {
        // "Food with transport".
        [] if ["with", "to", "and", "vs", "versus"].iter().any(|word| says(&text.to_lowercase(), &[word])) => {
            Err(Reply::Say(wording::CANNOT_COMPARE.to_owned()))
        }
        [] => Err(Reply::Ask(Question {
            text: "Which days should I compare with the days before?".to_owned(),
            options: ["this week", "this month", "this year"].map(str::to_owned).to_vec(),
            missing: vec!["date"],
        })),
        [one] => {
            let lead = wording::trimmed(&text[..one.span.start], &[], &LEADS);
            let lead = wording::words(lead).pop().map(|(_, word)| word).unwrap_or_default();
            let earlier = ["than", "to", "with", "versus", "vs", "against"].contains(&&*lead);
            let range =
                if earlier { next(one.range).filter(|range| range.contains(reader.today)) } else { Some(one.range) };
            range.ok_or_else(|| Reply::Say(wording::CANNOT_COMPARE.to_owned()))
        }
        [one, other] if follows(one.range, other.range) => Ok(other.range),
        [one, other] if follows(other.range, one.range) => Ok(one.range),
        _ => Err(Reply::Say(wording::CANNOT_COMPARE.to_owned())),
    }
}

/// The month after a month, the year after a year, else as many days.
fn next(range: DateRange) -> Option<DateRange> {
    let DateRange { from, to } = range;
    let first = to.tomorrow().ok()?;
    let last = match () {
        () if from == from.first_of_year() && to == from.last_of_year() => first.last_of_year(),
        () if from == from.first_of_month() && to == from.last_of_month() => first.last_of_month(),
        () => to.checked_add(i64::from(from.until(to).ok()?.get_days()).days()).ok()?.tomorrow().ok()?,
    };
    DateRange::new(first, last)
}

/// "Compare October to September" names two times, and not the days from one to the other.
pub(super) fn paired(text: &str, reader: Reader) -> Option<String> {
    let lower = text.to_lowercase();
    let compares = says(&lower, &["compare", "compared"]) && !says(&lower, &["from"]);
    let paired = compares.then(|| text.replace(" to ", " with "))?;
    (paired != text && reader.ranges(&with_plain_years(&paired)).len() == 2).then_some(paired)
}
