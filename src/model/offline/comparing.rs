//! The days that a question compares.

use jiff::ToSpan;

use super::{Question, Reply, wording};
use crate::phrases::{DateRange, Reader};

/// Of some days, and those they are compared with: the days, and the others if they are not just those before. A month
/// that was named and is not over is no “this month”: all of the other one counts.
pub(super) fn compared_days(
    days: [Option<DateRange>; 2],
    are_named: bool,
    reader: Reader,
) -> Result<(DateRange, Option<DateRange>), Reply> {
    let is_over = |after: DateRange| !are_named || after.to < reader.today;
    let follows =
        |before: DateRange, after: DateRange| before.to.tomorrow().is_ok_and(|day| day == after.from) && is_over(after);
    match days {
        [None, None] => Err(Reply::Ask(Question {
            text: "Which days should I compare with the days before?".to_owned(),
            options: ["this week", "this month", "this year"].map(str::to_owned).to_vec(),
            missing: vec!["date"],
        })),
        [Some(days), None] => Ok((days, None)),
        [None, Some(before)] => {
            let now = next(before).filter(|range| range.contains(reader.today));
            now.map(|now| (now, None)).ok_or_else(|| Reply::Say(wording::CANNOT_COMPARE.to_owned()))
        }
        [Some(one), Some(other)] if follows(one, other) => Ok((other, None)),
        [Some(one), Some(other)] => Ok((one, Some(other).filter(|other| !follows(*other, one)))),
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
