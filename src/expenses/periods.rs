//! The period that another is compared with, and days written so that the person can repeat them in a message.

use jiff::{Span, ToSpan, civil::Date};

use crate::{
    phrases::{DateRange, DayStyle},
    tool::ToolContext,
};

/// A period and the period before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Comparison {
    /// Ends today if the period is not over.
    pub current: DateRange,
    pub previous: DateRange,
    /// The period is not over. Both sides then cover only the days until today.
    pub is_running: bool,
}

/// Whole months are compared with as many whole months before, other days with as many days before. None if the range
/// is open at one end.
pub(super) fn comparison(range: DateRange, today: Date) -> Option<Comparison> {
    if range.from <= DateRange::ALL.from || range.to >= DateRange::ALL.to {
        return None;
    }
    // "This month so far" means this month.
    let this_month = range.from == today.first_of_month() && range.to == today;
    let whole = if this_month { DateRange { to: today.last_of_month(), ..range } } else { range };
    let back = back(whole)?;
    let is_running = whole.from <= today && today < whole.to;
    let current = if is_running { DateRange { to: today, ..whole } } else { whole };
    let end = whole.from.yesterday().ok()?;
    let to = if is_running { current.to.checked_sub(back).ok()?.min(end) } else { end };
    let previous = DateRange::new(whole.from.checked_sub(back).ok()?, to)?;
    Some(Comparison { current, previous, is_running })
}

/// The whole period before.
pub(super) fn period_before(range: DateRange) -> Option<DateRange> {
    if range.from <= DateRange::ALL.from || range.to >= DateRange::ALL.to {
        return None;
    }
    DateRange::new(range.from.checked_sub(back(range)?).ok()?, range.from.yesterday().ok()?)
}

/// "in October 2026", "from 3 Nov 2026 to 9 Nov 2026".
pub(super) fn when(range: DateRange, style: DayStyle) -> String {
    let day = |day| style.written(day);
    let DateRange { from, to } = range;
    match range {
        DateRange::ALL => "in total".to_owned(),
        _ if from == to => format!("on {}", day(from)),
        _ if range.is_year() => format!("in {}", from.year()),
        _ if range.is_month() => format!("in {}", from.strftime("%B %Y")),
        _ if to == DateRange::ALL.to => format!("since {}", day(from)),
        _ if from == DateRange::ALL.from => format!("until {}", day(to)),
        _ => format!("from {} to {}", day(from), day(to)),
    }
}

/// What a query counts of a month or week, if not all of it: "from the 26th, so far". Empty if it counts all.
pub(super) fn cut(period: DateRange, asked: DateRange, today: Date) -> String {
    let from = (period.from < asked.from).then(|| format!("from the {}", ordinal(asked.from.day())));
    let until = match asked.to {
        to if period.contains(today) && today <= to => Some("so far".to_owned()),
        to => (to < period.to).then(|| format!("until the {}", ordinal(to.day()))),
    };
    from.into_iter().chain(until).collect::<Vec<_>>().join(", ")
}

fn ordinal(day: i8) -> String {
    let ending = match (day, day % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{day}{ending}")
}

/// What a query of expenses does, for the person who waits: "Looking at your expenses in October 2026…".
pub(super) fn looking_at(range: Option<&str>, context: &ToolContext<'_>) -> String {
    match range.and_then(|range| context.reader().resolve_range(range).ok()) {
        Some(range) if range != DateRange::ALL => {
            format!("Looking at your expenses {}…", when(range, context.style().days))
        }
        _ => "Looking at your expenses…".to_owned(),
    }
}

fn back(range: DateRange) -> Option<Span> {
    let DateRange { from, to } = range;
    if from == from.first_of_month() && to == to.last_of_month() {
        let months = (i32::from(to.year()) - i32::from(from.year())) * 12 + i32::from(to.month() - from.month()) + 1;
        return Some(months.months());
    }
    let days = from.until(to).ok()?.get_days() + 1;
    Some(days.days())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rstest::rstest;

    use super::*;
    use crate::phrases::{Conventions, Reader};

    fn range(text: &str) -> DateRange {
        reader().resolve_range(text).unwrap()
    }

    const TODAY: Date = date(2026, 11, 20);

    fn reader() -> Reader {
        Reader { today: TODAY, hour: 12, conventions: Conventions::default() }
    }

    #[rstest]
    #[case("last month", "2026-10-01..2026-10-31", "2026-09-01..2026-09-30", false)]
    #[case("this month", "2026-11-01..2026-11-20", "2026-10-01..2026-10-20", true)]
    #[case("2026-11-01..2026-11-20", "2026-11-01..2026-11-20", "2026-10-01..2026-10-20", true)]
    #[case("this week", "2026-11-16..2026-11-20", "2026-11-09..2026-11-13", true)]
    #[case("last week", "2026-11-09..2026-11-15", "2026-11-02..2026-11-08", false)]
    #[case("this year", "2026-01-01..2026-11-20", "2025-01-01..2025-11-20", true)]
    #[case("2025", "2025-01-01..2025-12-31", "2024-01-01..2024-12-31", false)]
    #[case("2026-11-03..2026-11-09", "2026-11-03..2026-11-09", "2026-10-27..2026-11-02", false)]
    #[case("2026-03", "2026-03-01..2026-03-31", "2026-02-01..2026-02-28", false)]
    #[case("today", "2026-11-20..2026-11-20", "2026-11-19..2026-11-19", false)]
    fn a_period_is_compared_with_the_same_period_before(
        #[case] asked: &str,
        #[case] current: &str,
        #[case] previous: &str,
        #[case] is_running: bool,
    ) {
        let expected = Comparison { current: range(current), previous: range(previous), is_running };
        assert_eq!(comparison(range(asked), TODAY), Some(expected));
    }

    #[test]
    fn the_31st_of_a_month_is_compared_with_a_whole_shorter_month() {
        let today = date(2026, 3, 30);
        let march = DateRange { from: date(2026, 3, 1), to: date(2026, 3, 31) };
        let february = DateRange { from: date(2026, 2, 1), to: date(2026, 2, 28) };
        let current = DateRange { to: today, ..march };
        assert_eq!(comparison(march, today), Some(Comparison { current, previous: february, is_running: true }));
    }

    #[test]
    fn a_range_without_an_end_has_no_comparison() {
        assert_eq!(comparison(DateRange::ALL, TODAY), None);
        assert_eq!(comparison(DateRange { from: date(2026, 1, 1), ..DateRange::ALL }, TODAY), None);
        assert_eq!(period_before(DateRange { to: TODAY, ..DateRange::ALL }), None);
    }

    #[rstest]
    #[case("2026-10", "2026", "")]
    #[case("2026-10", "2026-10-13..2026-11-20", "from the 13th")]
    #[case("2026-10", "2026-09-01..2026-10-22", "until the 22nd")]
    #[case("2026-10", "2026-10-01..2026-10-31", "")]
    #[case("2026-11", "2026", "so far")]
    #[case("2026-11", "2026-11-03..2026-11-20", "from the 3rd, so far")]
    #[case("2026-11", "2026-11-11..2026-11-19", "from the 11th, until the 19th")]
    #[case("2026-11-16..2026-11-22", "all", "so far")]
    fn a_period_that_is_cut_or_not_over_says_what_counts(
        #[case] period: &str,
        #[case] asked: &str,
        #[case] told: &str,
    ) {
        assert_eq!(cut(range(period), range(asked), TODAY), told);
    }

    #[rstest]
    fn days_are_written_as_messages_can_repeat_them(
        #[values("2026-11-03", "2026-10", "2025", "2026-11-03..2026-11-09", "2025-12-30..2026-01-02")] text: &str,
    ) {
        let said = when(range(text), DayStyle::default());
        assert_eq!(reader().resolve_range(&said), Ok(range(text)), "{said}");
    }
}
