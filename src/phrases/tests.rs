//! What texts are read as, case by case.

use jiff::civil::date;

use super::*;
use crate::money::MoneyStyle;

pub(super) const TODAY: Date = date(2026, 11, 20);

/// Nothing is known of the writer.
pub(super) const READER: Reader = reader(TODAY);

pub(super) const fn reader(today: Date) -> Reader {
    let style = Style { money: MoneyStyle::Point, days: DayStyle::DayMonth };
    Reader {
        today,
        hour: 12,
        conventions: Conventions {
            language: None,
            decimal_mark: None,
            day_order: None,
            signs: [None; 4],
            own: None,
            style,
        },
    }
}

/// A Friday; an amount as "12.50 GBP", "1234|1.234", with "?" before a currency that is not settled.
pub(super) fn shown_amounts(text: &str) -> String {
    shown_amounts_of(&READER, text)
}

pub(super) fn shown_amounts_of(reader: &Reader, text: &str) -> String {
    let shown = reader.amounts(text).into_iter().map(|found| {
        let number = match found.reading {
            Reading::Exact(one) => one,
            Reading::Ambiguous(many) => format!("{}|", many.join("|")),
        };
        match found.currency {
            CurrencyMention::None => number,
            CurrencyMention::Known(one) => format!("{number} {one}"),
            CurrencyMention::Ambiguous(many) => format!("{number} ?{}", many.first().map_or("", |one| one.code())),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

pub(super) fn shown_dates(text: &str, today: Date) -> String {
    let shown = reader(today).dates(text).into_iter().map(|found| shown_date(found.reading));
    shown.collect::<Vec<_>>().join(", ")
}

pub(super) fn shown_date(reading: DateReading) -> String {
    match reading {
        DateReading::On(one) => one.to_string(),
        DateReading::Ambiguous(many) => format!("{}|", many.iter().map(Date::to_string).collect::<Vec<_>>().join("|")),
        DateReading::Impossible(_) => "impossible".to_owned(),
    }
}

pub(super) fn shown_ranges(text: &str, today: Date) -> String {
    let shown = reader(today).ranges(text).into_iter().map(|found| format!("{}..{}", found.range.from, found.range.to));
    shown.collect::<Vec<_>>().join(", ")
}

/// Every case that differs, at once.
pub(super) fn check(cases: &[(&str, &str)], read: impl Fn(&str) -> String) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(text, expected)| read(text) != *expected)
        .map(|(text, expected)| format!("{text:?}: {:?}, not {expected:?}", read(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn text_is_cleaned() {
    check(
        &[
            ("  a \n\t b  ", "a b"),
            ("a\u{200b}b\u{feff}", "ab"),
            ("\u{202e}evil\u{2066}", "evil"),
            ("e\u{301}", "é"),
            ("e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "é\u{302}\u{303}\u{304}"),
            ("½ kg ２", "½ kg ２"),
            ("a\0b\u{7}", "ab"),
            ("£\u{a0}5", "£ 5"),
            ("\u{200d}", ""),
        ],
        clean,
    );
}

#[test]
fn amounts_are_read_exactly_or_as_ambiguous() {
    check(
        &[
            ("lunch 12", "12"),
            ("3.50", "3.50"),
            ("3.500 KWD", "3.500 KWD"),
            ("30 omr", "30 OMR"),
            ("30 RM, 5 R$, 5 HK$", "30 MYR, 5 BRL, 5 HKD"),
            ("30 xyz", "30 ?"),
            ("bread 2 dec 25 2025", ""),
            ("£200", "200 GBP"),
            ("£ 200", "200 GBP"),
            ("200 pounds", "200 GBP"),
            ("200 quid", "200 GBP"),
            ("twenty-five euros", "25 EUR"),
            ("two hundred and fifty pounds", "250 GBP"),
            ("two thousand and twenty pounds", "2020 GBP"),
            ("three quarters of a million euros", "750000 EUR"),
            ("12,50", "12.50"),
            ("12,5 €", "12.5 EUR"),
            ("1.234", "1234|1.234|"),
            ("1,234", "1234|1.234|"),
            ("€1.234", "1234|1.234| EUR"),
            ("£1,234", "1234 GBP"),
            ("1,234 KWD", "1234|1.234| KWD"),
            ("1,234.50", "1234.50"),
            ("1.234,50", "1234.50"),
            ("1 234,50", "1234.50"),
            ("1'234.50", "1234.50"),
            ("1,234,567", "1234567"),
            ("12,34,567.89", "1234567.89"),
            ("1 234", "1234|234|"),
            ("1\u{a0}234", "1234"),
            ("0.125", "0.125"),
            ("1234.567", "1234.567"),
            ("1.2.3", "|"),
            ("007", "7|"),
            (".50", "0.50|"),
            ("$1.5k", "1500 ?USD"),
            ("2 million", "2000000"),
            ("£2m", "2000000 GBP"),
            ("1.234 million", "1234000"),
            ("5 grand", "5000"),
            ("50p", "0.50 GBP"),
            ("5 pence", "0.05 GBP"),
            ("99c", "0.99 ?USD"),
            ("3 dollars 50 cents", "3.50 ?USD"),
            ("9 50p", "9.50|0.50| GBP"),
            ("9 5p", "9.05|0.05| GBP"),
            ("9.00 50p", "9.00|0.50| GBP"),
            ("lunch 9 and 50p", "9.50|0.50| GBP"),
            ("coffee 3 and 50p tip", "3, 0.50 GBP"),
            ("3 Euro 50 Cent", "3.50 EUR"),
            ("lunch 9,50p", "9.50| GBP"),
            ("2 cokes 50p", "0.50 GBP"),
            ("3 pounds 50", "3.50 GBP"),
            ("3 pounds 50 tea", "3.50|3| GBP"),
            ("3 pounds and 50", "3.50|3| GBP"),
            ("$5", "5 ?USD"),
            ("US$5", "5 USD"),
            ("nzd$15", "15 NZD"),
            ("$10 CAD", "10 CAD"),
            ("£5 USD", "5 ?GBP"),
            ("¥500", "500 ?JPY"),
            ("500 yen", "500 JPY"),
            ("100 kr", "100 ?SEK"),
            ("100 swedish kronor", "100 SEK"),
            ("Rs. 500", "500 ?INR"),
            ("50 dirhams", "50 ?AED"),
            ("0.01 btc", "0.01 ?"),
            ("USD115.5", "115.5 USD"),
            ("10 usd 20 eur", "10 USD, 20 EUR"),
            ("coffee cup 5", "5"),
            ("200 TRY", "200 ?TRY"),
            ("try 5", "5"),
            ("-5", "-5"),
            ("-£5", "-5 GBP"),
            ("£-5", "-5 GBP"),
            ("lunch - 5", "5"),
            ("1٬234٫50", "1234.50"),
            ("١٢٫٥٠", "12.50"),
            ("１２．５０", "12.50"),
            ("१२", "12"),
            ("1٢", "|"),
            ("2½", "|"),
            ("½", "|"),
            ("3 and a half pounds", "3.5 GBP"),
            ("half a million pounds", "500000 GBP"),
            ("two and a half million pounds", "2500000 GBP"),
            ("2 pounds of apples", "2| GBP"),
            ("bought milk for 2, bread 1.5 and eggs for 3", "2, 1.5, 3"),
            ("2 coffees £7", "7 GBP"),
            ("2 coffees 7", "7"),
            ("bought 2 shirts", ""),
            ("£3.50p", "3.50| GBP"),
            ("lunch 12 in GBP", "12 GBP"),
            ("12 in euros", "12 EUR"),
            ("bus 2.80 x2", "2.80|"),
            ("netflix 10.99/month", "10.99"),
            ("gym 30 pm", "30"),
            ("gym at 7 pm", ""),
            ("2 beers at 6 each", "6|"),
            ("lunch 8.50 no 9", "8.50, 9"),
            ("dinner 40 drinks 20", "40, 20"),
            ("lunch 12 x 3", "3|"),
            ("coffee £3 x 2", "3| GBP, 2|"),
            ("half of £60", "60| GBP"),
            ("2 coffees £3 each", "3| GBP"),
            ("12€50", "12.50 EUR"),
            ("lunch 12 nov 5", ""),
            ("flight BA123 200", "200"),
            ("gas 40 20/11", "40"),
            ("3 1/2 pounds", "3.5 GBP"),
        ],
        shown_amounts,
    );
}

#[test]
fn other_numbers_are_not_amounts() {
    for text in [
        "12/11/2026", "2026-11-20", "20 Nov", "Nov 20", "20 November 2025", "the 3rd", "3 days ago", "10:30", "5pm",
        "5 pm", "at 7", "#42", "expense 42", "id 42", "20%", "20 percent", "2kg", "500ml", "2x", "2 kg", "A4",
        "iPhone15", "covid-19", "12-pack", "last 7 days", "in 2025", "3 weeks", "October 2025", "one more",
        "last 5 expenses", "1st", "24/7", "1/2",
    ] {
        assert_eq!(shown_amounts(text), "", "{text}");
    }
}

#[test]
fn days_are_read() {
    check(
        &[
            ("today", "2026-11-20"),
            ("yesterday morning", "2026-11-19"),
            ("last night", "2026-11-19"),
            ("the day before yesterday", "2026-11-18"),
            ("tomorrow", "2026-11-21"),
            ("3 days ago", "2026-11-17"),
            ("two weeks ago", "2026-11-06"),
            ("a month ago", "2026-10-20"),
            ("half a year ago", "|"),
            ("a few days ago", "|"),
            ("over a year ago", "|"),
            ("Friday", "2026-11-20"),
            ("on Thursday", "2026-11-19"),
            ("on Saturday", "2026-11-14"),
            ("last Friday", "2026-11-13"),
            ("last Saturday", "2026-11-14"),
            ("last Tuesday", "2026-11-17|2026-11-10|"),
            ("next Friday", "2026-11-27"),
            ("next Saturday", "2026-11-21|2026-11-28|"),
            ("this Monday", "2026-11-16"),
            ("Monday last week", "2026-11-09"),
            ("last week on Monday", "2026-11-09"),
            ("every Friday", "|"),
            ("sun cream 5", ""),
            ("sat nav 50", ""),
            ("on sat", "2026-11-14"),
            ("20 Nov", "2026-11-20"),
            ("21 Nov", "2025-11-21|2026-11-21|"),
            ("25/12", "2025-12-25|2026-12-25|"),
            ("20 Jan", "2026-01-20"),
            ("Nov 20th", "2026-11-20"),
            ("20 November 2025", "2025-11-20"),
            ("20th of November, 2025", "2025-11-20"),
            ("1 Dec last year", "2025-12-01"),
            ("2026-11-05", "2026-11-05"),
            ("20/11/2026", "2026-11-20"),
            ("11/20/2026", "2026-11-20"),
            ("11/11/2026", "2026-11-11"),
            ("03/04/2026", "2026-04-03|2026-03-04|"),
            ("03/04", "2026-04-03|2026-03-04|"),
            ("20/11", "2026-11-20"),
            ("5.11.2026", "2026-11-05|2026-05-11|"),
            ("13.5.2015", "2015-05-13"),
            ("the 3rd", "2026-11-03"),
            ("on the 25th", "2026-10-25|2026-11-25|"),
            ("on the 28th", "2026-10-28|2026-11-28|"),
            ("on the 30th", "2026-10-30|2026-11-30|"),
            ("on the 31st", "2026-10-31"),
            ("tea 2 el día 30", "2026-10-30|2026-11-30|"),
            ("the 31st", "2026-10-31"),
            ("lunch 12 on the 15", "2026-11-15"),
            ("the 27", ""),
            ("Oct-2", "2026-10-02"),
            ("Oct-16", "|"),
            ("Oct2", "2026-10-02"),
            ("lunch on 4-22", "2026-04-22"),
            ("08/12,2015", "2015-12-08|2015-08-12|"),
            ("the first Friday of July", "2026-07-03"),
            ("the last Friday in this month", "2026-11-27"),
            ("the third Wednesday of last month", "2026-10-21"),
            ("the fifth Friday of October 2026", "2026-10-30"),
            ("the fifth Friday of September 2026", "|"),
            ("second Sunday", "|"),
            ("Thursday the twelfth", "2026-11-12"),
            ("12 Nov two thousand and twenty", "2020-11-12"),
            ("5 May nineteen ninety nine", "1999-05-05"),
            ("3rd party insurance 20", ""),
            ("31st of this month", "impossible"),
            ("Friday the 13th", "2026-11-13"),
            ("friday 13th", "2026-11-13"),
            ("12 Nov 5", "|"),
            ("12 Nov 5.50", "2026-11-12"),
            ("Nov 5 12", "2026-11-05"),
            ("Monday the 13th", "impossible"),
            ("Monday 16 Nov", "2026-11-16"),
            ("30 Feb", "impossible"),
            ("30 Feb 2026", "impossible"),
            ("29 Feb", "impossible"),
            ("29 Feb 2024", "2024-02-29"),
            ("29 Feb 2025", "impossible"),
            ("31/02/2026", "impossible"),
            ("5 December 1391", "impossible"),
            ("2101-01-01", "impossible"),
            ("9999-12-31", "impossible"),
            ("1969-12-31", "impossible"),
            ("today or 2 days from now", "2026-11-20, 2026-11-22"),
            ("24/7", ""),
            ("24/07", "2026-07-24"),
            ("version 1.2.3", ""),
            ("lunch Nov 20 12.50", "2026-11-20"),
            ("may 5 pounds", ""),
        ],
        |text| shown_dates(text, TODAY),
    );
}

#[test]
fn spans_of_days_are_read() {
    check(
        &[
            ("today", "2026-11-20..2026-11-20"),
            ("this week", "2026-11-16..2026-11-22"),
            ("last week", "2026-11-09..2026-11-15"),
            ("this month", "2026-11-01..2026-11-30"),
            ("last month", "2026-10-01..2026-10-31"),
            ("this year", "2026-01-01..2026-12-31"),
            ("last year", "2025-01-01..2025-12-31"),
            ("last quarter", "2026-07-01..2026-09-30"),
            ("last weekend", "2026-11-14..2026-11-15"),
            ("last 7 days", "2026-11-14..2026-11-20"),
            ("past 3 months", "2026-08-21..2026-11-20"),
            ("in October", "2026-10-01..2026-10-31"),
            ("in December", "2025-12-01..2025-12-31"),
            ("last December", "2025-12-01..2025-12-31"),
            ("last October", ""),
            ("October 2025", "2025-10-01..2025-10-31"),
            ("in 2025", "2025-01-01..2025-12-31"),
            ("2025", "2025-01-01..2025-12-31"),
            ("2025-02", "2025-02-01..2025-02-28"),
            ("Q1 2026", "2026-01-01..2026-03-31"),
            ("since Monday", "2026-11-16..2026-11-20"),
            ("since 1 Nov", "2026-11-01..2026-11-20"),
            ("from 10 Nov on", "2026-11-10..2026-11-20"),
            ("from 10 Nov onwards", "2026-11-10..2026-11-20"),
            ("October onwards", "2026-10-01..2026-11-20"),
            ("last week Monday to Wednesday", "2026-11-09..2026-11-11"),
            ("last week Monday to Friday", "2026-11-09..2026-11-13"),
            ("from 1 Nov to 5 Nov", "2026-11-01..2026-11-05"),
            ("from 1 Nov to 30 Nov", "2026-11-01..2026-11-30"),
            ("between 1 and 5 November", "2026-11-01..2026-11-05"),
            ("1-5 Nov", "2026-11-01..2026-11-05"),
            ("from 20 Dec to 5 Jan", "2025-12-20..2026-01-05"),
            ("from 20 Dec to 5 Jan 2025", "2024-12-20..2025-01-05"),
            ("between January and March", "2026-01-01..2026-03-31"),
            ("from yesterday to last week", ""),
            ("before October", "1970-01-01..2026-09-30"),
            ("until yesterday", "1970-01-01..2026-11-19"),
            ("from 03/04 to 05/04", ""),
            ("early last month", ""),
            ("the first week of October", "2026-10-01..2026-10-07"),
            ("beginning of 2025", ""),
            ("the week of the 18th", "2026-11-16..2026-11-22"),
            ("week commencing 2 Nov", "2026-11-02..2026-11-08"),
            ("w/c 2 Nov", "2026-11-02..2026-11-08"),
            ("2 weeks starting 2 Nov", "2026-11-02..2026-11-15"),
            ("11/2025", "2025-11-01..2025-11-30"),
            ("2025 / 3", "2025-03-01..2025-03-31"),
            ("the third quarter of 2025", "2025-07-01..2025-09-30"),
            ("H1 2025", "2025-01-01..2025-06-30"),
            ("2025H2", "2025-07-01..2025-12-31"),
            ("H2", ""),
            ("2023-2025", "2023-01-01..2025-12-31"),
            ("from 4 to November 12", "2026-11-04..2026-11-12"),
            ("June of nineteen ninety nine", "1999-06-01..1999-06-30"),
            ("I may march", ""),
            ("expense 2025", ""),
        ],
        |text| shown_ranges(text, TODAY),
    );
}

#[test]
fn calendars_have_edges() {
    for (text, today, expected) in [
        ("last month", date(2026, 3, 31), "2026-02-01..2026-02-28"),
        ("last month", date(2028, 3, 31), "2028-02-01..2028-02-29"),
        ("last month", date(2026, 1, 1), "2025-12-01..2025-12-31"),
        ("last week", date(2027, 1, 1), "2026-12-21..2026-12-27"),
        ("this week", date(2027, 1, 1), "2026-12-28..2027-01-03"),
        ("last weekend", date(2026, 11, 22), "2026-11-14..2026-11-15"),
        ("a month ago", date(2026, 3, 31), "2026-02-28..2026-02-28"),
        ("a year ago", date(2028, 2, 29), "2027-02-28..2027-02-28"),
        ("29 Feb", date(2028, 2, 29), "2028-02-29..2028-02-29"),
        ("29 Feb", date(2027, 11, 28), ""),
        ("yesterday", date(2028, 3, 1), "2028-02-29..2028-02-29"),
        ("the 31st", date(2026, 4, 1), "2026-03-31..2026-03-31"),
        ("31 Dec", date(2027, 1, 1), "2026-12-31..2026-12-31"),
        ("past 1 month", date(2026, 3, 31), "2026-03-01..2026-03-31"),
        ("last quarter", date(2026, 2, 10), "2025-10-01..2025-12-31"),
    ] {
        assert_eq!(shown_ranges(text, today), expected, "{text} on {today}");
    }
}

#[test]
fn whole_arguments_are_resolved() {
    let on = |text: &str| READER.resolve_date(text).map(|day| day.to_string()).map_err(|error| error.to_string());
    assert_eq!(on("2026-11-05").as_deref(), Ok("2026-11-05"));
    assert_eq!(on(" on the 3rd. ").as_deref(), Ok("2026-11-03"));
    assert!(on("03/04/2026").unwrap_err().contains("3 April 2026 or 4 March 2026. Say which"));
    assert!(on("30 Feb").unwrap_err().contains("there is no 30 February"));
    for text in
        ["", "soon", "last month", "yesterday and today", "2026-11-05 or so", "a few days ago", "2026-11", "20261105"]
    {
        assert!(matches!(READER.resolve_date(text), Err(DateError::NotADate(_))), "{text}");
    }
    let range =
        |text: &str| READER.resolve_range(text).map(|range| range.to_string()).map_err(|error| error.to_string());
    for (text, expected) in [
        ("2026-11", "November 2026"),
        ("2026-11-01..2026-11-05", "1–5 Nov 2026"),
        ("2025-12-30..2026-01-02", "30 Dec 2025 – 2 Jan 2026"),
        ("2026-10-30..2026-11-02", "30 Oct – 2 Nov 2026"),
        ("all time", "all time"),
        ("ever", "all time"),
        ("last year", "2025"),
        ("yesterday", "19 Nov 2026"),
        ("in October", "October 2026"),
        ("for last month", "October 2026"),
        ("until 5 Nov", "until 5 Nov 2026"),
    ] {
        assert_eq!(range(text).as_deref(), Ok(expected), "{text}");
    }
    assert!(range("2026-11-05..2026-11-01").unwrap_err().contains("ends before it starts"));
    assert!(range("2026-11-05..soon").unwrap_err().contains("the day \"soon\""));
    assert!(range("sometime").unwrap_err().contains("the days \"sometime\""));
    let range = DateRange { from: date(2026, 11, 1), to: date(2026, 11, 5) };
    assert_eq!(serde_json::to_string(&range).unwrap(), r#"{"from":"2026-11-01","to":"2026-11-05"}"#);
}
