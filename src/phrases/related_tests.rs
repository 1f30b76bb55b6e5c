//! Days and spans that other days, spans and years beside them make: "the day before last Friday", "no later than the 15th".

use super::{
    Conventions, Reader,
    tests::{READER, TODAY, check, shown_amounts, shown_amounts_of, shown_date, shown_dates, shown_ranges},
};

fn dates_of(locale: &str, text: &str) -> String {
    let reader = Reader { conventions: Conventions::of_locale(locale), ..READER };
    let shown = reader.dates(text).into_iter().map(|found| shown_date(found.reading));
    shown.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_day_with_a_bound_is_no_single_day() {
    check(
        &[
            ("spent since the 1st of november", "2026-11-01..2026-11-20"),
            ("spent after the 1st november", "2026-11-02..2026-11-20"),
            ("spent before the 15th of November", "1970-01-01..2026-11-14"),
            ("spent up to and including the 10th of november", "1970-01-01..2026-11-10"),
            ("spent prior to the 15th", "1970-01-01..2026-11-14"),
            ("spent no later than 10 november", "1970-01-01..2026-11-10"),
            ("spent not before 10 november", "2026-11-10..2026-11-20"),
            ("spent later than 10 november", "2026-11-11..2026-11-20"),
            ("spent earlier than last month", "1970-01-01..2026-09-30"),
            ("spent on or after the 10th of november", "2026-11-10..2026-11-20"),
            ("spent on or before 10 november", "1970-01-01..2026-11-10"),
            ("spent as of the 1st of november", ""),
            ("spent beginning with the 10th of november", ""),
            ("spent through 2025", ""),
            ("spent as of today", "2026-11-20..2026-11-20"),
            ("older than 1 october", "1970-01-01..2026-09-30"),
            ("coffee 3 on the 1st of november", "2026-11-01..2026-11-01"),
            ("the bill from the 1st of november", "2026-11-01..2026-11-01"),
        ],
        |text| shown_ranges(text, TODAY),
    );
}

#[test]
fn days_by_their_numbers_are_of_the_month_that_is_named_once() {
    check(
        &[
            ("from the 13th to 15th July", "2026-07-13..2026-07-15"),
            ("between the 1st and the 15th of October", "2026-10-01..2026-10-15"),
            ("the 1st - 15th October 2025", "2025-10-01..2025-10-15"),
            ("July 13th to the 15th", "2026-07-13..2026-07-15"),
            ("July 13 thru 15", "2026-07-13..2026-07-15"),
            ("from 13 to the 15th of July", "2026-07-13..2026-07-15"),
            ("from the 13th to the 15th of last month", "2026-10-13..2026-10-15"),
            ("the 25th of October to the 5th of November", "2026-10-25..2026-11-05"),
            ("May eighth to tenth", "2026-05-08..2026-05-10"),
            ("the fifth to the ninth of November", "2026-11-05..2026-11-09"),
            ("13th and 14th July", "2026-07-13..2026-07-14"),
            ("the 13th, 14th and 15th of july", "2026-07-13..2026-07-15"),
            ("13/14 July", "2026-07-13..2026-07-14"),
            ("between July 13th and 15th", "2026-07-13..2026-07-15"),
            ("13th of July to the 15th", "2026-07-13..2026-07-15"),
            ("5 or 6 november", ""),
            ("july 13, 14.50", "2026-07-13..2026-07-13"),
            ("November 5 & 6 hotel 200", ""),
            ("July 13 and 14", "2026-07-13..2026-07-14"),
            ("12 and 14 July", ""),
            ("from the 1st to the 15th", "2026-11-01..2026-11-15"),
            ("lunch 12, 14 July", "2026-07-14..2026-07-14"),
            ("July 13 and 2 coffees", "2026-07-13..2026-07-13"),
            ("fifth november", "2026-11-05..2026-11-05"),
            ("Sunday, March, 8th", "2026-03-08..2026-03-08"),
        ],
        |text| shown_ranges(text, TODAY),
    );
    check(
        &[
            ("July 13 and 14", ""),
            ("12 and 14 July", ""),
            ("from 13 to the 15th of July", ""),
            ("lunch 12, 14 July", "12"),
            ("lunch 12 March 8th", "12"),
            ("coffee 12 and cake 5 on 14 July", "12, 5"),
        ],
        shown_amounts,
    );
}

#[test]
fn a_part_of_a_span_is_not_the_whole() {
    check(
        &[
            ("last day of october", "2026-10-31..2026-10-31"),
            ("the first day of last month", "2026-10-01..2026-10-01"),
            ("first ten days of october", "2026-10-01..2026-10-10"),
            ("the last 3 days of october", "2026-10-29..2026-10-31"),
            ("first three months of this year", "2026-01-01..2026-03-31"),
            ("last week of october", ""),
            ("the second week of october", ""),
            ("last wkend of July", ""),
            ("last working day of october", ""),
            ("first few days of october", ""),
            ("the second to last day of october", ""),
            ("last day of the month", "2026-11-30..2026-11-30"),
            ("first half of october", "2026-10-01..2026-10-15"),
            ("the second half of 2025", "2025-07-01..2025-12-31"),
            ("last quarter of 2025", "2025-10-01..2025-12-31"),
            ("20th of the current month", "2026-11-20..2026-11-20"),
            ("10th last month", "2026-10-10..2026-10-10"),
            ("10 of this month", "2026-11-10..2026-11-10"),
            ("first monday of the month", "2026-11-02..2026-11-02"),
            ("this time last week", ""),
            ("first day of school 30", ""),
            ("spent 20 of this month's budget", ""),
        ],
        |text| shown_ranges(text, TODAY),
    );
}

#[test]
fn a_day_counted_from_another_is_not_the_other() {
    check(
        &[
            ("the day before last friday", "2026-11-12"),
            ("day before monday", "2026-11-15"),
            ("the evening before 10 november", "2026-11-09"),
            ("the weekend before 10 november", "|"),
            ("the 2 weeks before 15 november", "|"),
            ("the third friday after 1 october", "|"),
            ("the month before october", "|"),
            ("3 fridays from now", "|"),
            ("18 Nov (Wednesday)", "2026-11-18"),
            ("Jul 18, Fri", "impossible"),
            ("monday from last week", "2026-11-09"),
            ("a week before last friday", "2026-11-06"),
            ("the day before last tuesday", "2026-11-16|2026-11-09|"),
            ("night before last tuesday", "2026-11-16|2026-11-09|"),
            ("coffee 3 the 4th or 5th", "|"),
            ("2 days before 10 november", "2026-11-08"),
            ("the day after the 3rd of march", "2026-03-04"),
            ("the day after christmas 2025", "2025-12-26"),
            ("3 days before the 25th", "2026-10-22|2026-11-22|"),
            ("the friday before 10 Nov", "2026-11-06"),
            ("the monday after 1 November", "2026-11-02"),
            ("the closest Monday to Oct 5th", "|"),
            ("the week before 10 November", "|"),
            ("the friday before last", "2026-11-06"),
            ("friday after next", "|"),
            ("two fridays ago", "2026-11-06"),
            ("coffee 3 day before yesterday", "2026-11-18"),
            ("coffee 3 days before yesterday", "2026-11-16"),
            ("a week ago yesterday", "2026-11-12"),
            ("a year ago today", "2025-11-20"),
            ("a week ago last friday", "2026-11-06"),
            ("two weeks ago on friday", "2026-11-06"),
            ("saturday two weeks ago", "2026-10-31|2026-11-07|"),
            ("monday the week before last", "2026-11-02"),
            ("Tuesday, last week", "2026-11-10"),
            ("on Tuesday (last week)", "2026-11-10"),
            ("last week, monday", "2026-11-09"),
            ("friday last month", "|"),
            ("last friday week", "|"),
            ("yesterday week", "|"),
            ("a fortnight ago", "2026-11-06"),
            ("3d ago", "2026-11-17"),
            ("lunch 12 an hour ago", "2026-11-20"),
            ("lunch 12 5 minutes ago", "2026-11-20"),
        ],
        |text| shown_dates(text, TODAY),
    );
    assert_eq!(shown_amounts("coffee 3 day before yesterday"), "3");
}

#[test]
fn a_year_is_said_in_many_ways() {
    check(
        &[
            ("November 12,2025", "2025-11-12"),
            ("18 Nov '25", "2025-11-18"),
            ("Nov 18, ’25", "2025-11-18"),
            ("sept 18th of 2025", "2025-09-18"),
            ("2025 Mar 18", "2025-03-18"),
            ("tv 1999 march 5", "|"),
            ("5 march 2 years ago", "2024-03-05"),
            ("christmas two years ago", "2024-12-25"),
            ("thanksgiving of next year", "|"),
            ("mid-2025", "|"),
            ("on March 5 of last year", "2025-03-05"),
            ("last year on March 5", "2025-03-05"),
            ("march 5 two years ago", "2024-03-05"),
            ("nov.18", "2026-11-18"),
            ("Nov/18/2026", "2026-11-18"),
            ("coffee 3 nov.18", "|"),
            ("thanksgiving 2025", "|"),
            ("black friday 2025", "|"),
            ("end of 2025", "|"),
            ("summer 2025", "|"),
            ("jewish new year 2026", "|"),
            ("maundy thursday", "|"),
            ("easter mon", "|"),
            ("friday the 13", "2026-11-13"),
        ],
        |text| shown_dates(text, TODAY),
    );
    check(
        &[
            ("in Nov '25", "2025-11-01..2025-11-30"),
            ("last year in March", "2025-03-01..2025-03-31"),
            ("in March two years ago", "2024-03-01..2024-03-31"),
            ("Sep-2026", "2026-09-01..2026-09-30"),
            ("4th quarter 2025", "2025-10-01..2025-12-31"),
            ("third quarter", "2026-07-01..2026-09-30"),
            ("2024 - 2025", "2024-01-01..2025-12-31"),
        ],
        |text| shown_ranges(text, TODAY),
    );
    for text in ["18 Nov '25", "2025 Mar 18", "march 5 two years ago", "end of 2025", "easter 2025", "2024 - 2025"] {
        assert_eq!(shown_amounts(text), "", "{text}");
    }
}

#[test]
fn a_span_is_said_by_its_end_or_by_its_weekdays() {
    check(
        &[
            ("week ending 15 Nov", "2026-11-09..2026-11-15"),
            ("month ending 31 October", "2026-10-01..2026-10-31"),
            ("the two weeks to 15 Nov", ""),
            ("year to October", ""),
            ("year to date", "2026-01-01..2026-11-20"),
            ("january to date", "2026-01-01..2026-11-20"),
            ("since the start of october", "2026-10-01..2026-11-20"),
            ("since the beginning of the year", "2026-01-01..2026-11-20"),
            ("all year", "2026-01-01..2026-12-31"),
            ("yday", "2026-11-19..2026-11-19"),
            ("quarter ending 30 september", "2026-07-01..2026-09-30"),
            ("year ending march 2026", "2025-04-01..2026-03-31"),
            ("mtd", "2026-11-01..2026-11-20"),
            ("the week before last", "2026-11-02..2026-11-08"),
            ("the month before last", "2026-09-01..2026-09-30"),
            ("this past weekend", "2026-11-14..2026-11-15"),
            ("last qtr", "2026-07-01..2026-09-30"),
            ("last 24 hours", ""),
            ("spending mon to fri", "2026-11-16..2026-11-20"),
            ("food mon-wed", "2026-11-16..2026-11-18"),
            ("spent sat and sun", "2026-11-14..2026-11-14, 2026-11-15..2026-11-15"),
            ("monday to friday of last week", "2026-11-09..2026-11-13"),
            ("mon to fri last week", "2026-11-09..2026-11-13"),
            ("jan to today", "2026-01-01..2026-11-20"),
            ("september to november", "2026-09-01..2026-11-30"),
            ("spending except Friday", ""),
            ("everything but yesterday", ""),
            ("not including october", ""),
            ("sat nav 50 and sun cream 4", ""),
        ],
        |text| shown_ranges(text, TODAY),
    );
}

#[test]
fn a_number_beside_a_day_is_read_as_its_writer_means_it() {
    for (locale, text, dates, amounts) in [
        ("en-GB", "coffee wed 4.50", "2026-11-18", "4.50"),
        ("en-GB", "coffee sat 4", "|", "4"),
        ("en-GB", "the sun 2.50", "", "2.50"),
        ("en-GB", "coffee 3 26/11/18", "2018-11-26|2026-11-18|", "3"),
        ("en-GB", "coffee thurs £4.50", "2026-11-19", "4.50 GBP"),
        ("en-GB", "coffee 3 13.11.25", "2025-11-13", "3"),
        ("en-US", "coffee 3 13.11.25", "2025-11-13", "3"),
        ("en-GB", "coffee 3 26-11-18", "2018-11-26|2026-11-18|", "3"),
        ("en-GB", "coffee 3 18-11-26", "2026-11-18", "3"),
        ("en-GB", "parking 1/2 hour 2.00", "", "2.00"),
        ("en-GB", "cheese 1/2 kg 4.20", "", "4.20"),
        ("en-GB", "payment 2/4 25", "", "25"),
        ("en-GB", "1/2 baguette 1.20", "2026-02-01|", "1.20"),
        ("en-GB", "coffee 1/2 3.00", "2026-02-01", "3.00"),
        ("en-GB", "13/11 coffee 3", "2026-11-13", "3"),
    ] {
        let reader = Reader { conventions: Conventions::of_locale(locale), ..READER };
        let read = (dates_of(locale, text), shown_amounts_of(&reader, text));
        assert_eq!(read, (dates.to_owned(), amounts.to_owned()), "{locale}: {text}");
    }
}
