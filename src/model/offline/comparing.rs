//! The days that a question compares.

use super::{Reply, wording};
use crate::phrases::{DateRange, Reader};

/// Of some days, and those they are compared with: the days, and the others if they are not just those before. A month
/// that was named and is not over is no “this month”: all of the other one counts.
pub(super) fn compared_days(
    days: [Option<DateRange>; 2],
    are_named: bool,
    reader: Reader,
) -> Result<(DateRange, Option<DateRange>), Reply> {
    let is_next = |before: DateRange, after: DateRange| before.to.tomorrow().is_ok_and(|day| day == after.from);
    let follows = |before, after: DateRange| is_next(before, after) && !(are_named && after.to >= reader.today);
    match days {
        // The answer names the days.
        [None, None] => {
            Ok((reader.resolve_range("this month").map_err(|_| Reply::Say(wording::CANNOT_COMPARE.to_owned()))?, None))
        }
        [Some(days), None] => Ok((days, None)),
        [None, Some(before)] => {
            let this = match before.from.until(before.to).map_or(0, |span| span.get_days()) {
                0 => "today",
                1..=6 => "this week",
                7..=30 => "this month",
                _ => "this year",
            };
            let now = reader.resolve_range(this).ok().filter(|now| before.to < now.from);
            let now = now.ok_or_else(|| Reply::Say(wording::CANNOT_COMPARE.to_owned()))?;
            Ok((now, Some(before).filter(|before| !is_next(*before, now))))
        }
        [Some(one), Some(other)] if follows(one, other) => Ok((other, None)),
        [Some(one), Some(other)] => Ok((one, Some(other).filter(|other| !follows(*other, one)))),
    }
}
