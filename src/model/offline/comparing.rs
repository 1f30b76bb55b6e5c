//! The days that a question compares.

use jiff::ToSpan;

use super::{Question, Reply, wording};
use crate::phrases::{DateRange, Reader};

/// Of some days, and those they are compared with. A comparison is with the days right before.
pub(super) fn compared_days(days: [Option<DateRange>; 2], reader: Reader) -> Result<DateRange, Reply> {
    let follows = |before: DateRange, after: DateRange| before.to.tomorrow().is_ok_and(|day| day == after.from);
    let compared = match days {
        [None, None] => {
            return Err(Reply::Ask(Question {
                text: "Which days should I compare with the days before?".to_owned(),
                options: ["this week", "this month", "this year"].map(str::to_owned).to_vec(),
                missing: vec!["date"],
            }));
        }
        [Some(days), None] => Some(days),
        [None, Some(before)] => next(before).filter(|range| range.contains(reader.today)),
        [Some(one), Some(other)] if follows(one, other) => Some(other),
        [Some(one), Some(other)] => follows(other, one).then_some(one),
    };
    compared.ok_or_else(|| Reply::Say(wording::CANNOT_COMPARE.to_owned()))
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
