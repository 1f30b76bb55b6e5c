//! What each file says, and what holds for all files.

use std::collections::BTreeSet;

use jiff::civil::date;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn hints() -> Hints {
    Hints { today: date(2026, 11, 20), currency: None, decimal_mark: None, date_order: None }
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/suite/files/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn of_text(text: &str) -> Reading {
    read(text.as_bytes(), &Settings::default(), hints()).unwrap()
}

/// All that was read, a line for each part.
fn told(reading: &Reading) -> String {
    let settings = serde_json::to_string(&reading.settings).unwrap();
    let guesses = reading.guesses.iter().map(|guess| format!("guess {}: {}", guess.setting, guess.why));
    let entries = reading.entries.iter().map(|entry| format!("entry {}", serde_json::to_string(entry).unwrap()));
    let rejections = reading.rejections.iter().map(|it| format!("rejected {}: {} ({})", it.line, it.text, it.reason));
    let lines: Vec<String> = [settings].into_iter().chain(guesses).chain(entries).chain(rejections).collect();
    lines.join("\n")
}

#[rstest]
fn a_file_is_read_as_its_bank_wrote_it(
    #[values("german.csv", "us.csv", "uk.csv", "swiss.csv", "plain.csv", "bank.ofx", "card.xml.ofx", "quicken.qif")]
    name: &str,
) {
    let reading = read(&file(name), &Settings::default(), hints()).unwrap();
    insta::with_settings!({ snapshot_path => "../../tests/suite/files", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, told(&reading));
    });
}

#[test]
fn every_detected_setting_can_be_corrected() {
    let given = |settings: serde_json::Value| serde_json::from_value::<Settings>(settings).unwrap();
    let settings = given(serde_json::json!({ "dateOrder": "month-first" }));
    let reading = read(&file("uk.csv"), &settings, hints()).unwrap();
    assert_eq!((reading.entries[0].date, reading.guesses), (date(2026, 3, 11), vec![]));
    let text = "a;b;c;d\n1,50;2.000;2026-11-20;tea\n";
    let all = given(serde_json::json!({
        "format": "csv", "encoding": "utf-8", "delimiter": ";", "header": true, "decimalMark": "comma",
        "dateOrder": "year-first", "spending": "negative", "currency": "EUR",
        "columns": ["ignored", "amount", "date", "name"],
    }));
    let reading = read(text.as_bytes(), &all, hints()).unwrap();
    assert_eq!(reading.settings, all);
    assert_eq!((reading.entries[0].amount.as_str(), reading.entries[0].name.as_str()), ("-2000", "tea"));
    let detected = read(text.as_bytes(), &of_text(text).settings, hints()).unwrap();
    assert_eq!((detected.settings, detected.entries), (of_text(text).settings, of_text(text).entries));
}

#[rstest]
#[case("1.234\n1.5", Mark::Point, None)]
#[case("1.234,50", Mark::Comma, None)]
#[case("1,234.50", Mark::Point, None)]
#[case("1.234.567", Mark::Comma, None)]
#[case("0.500", Mark::Point, None)]
#[case("12", Mark::Point, None)]
#[case("1.234\n12", Mark::Point, Some("amounts like 1.234 and 1,234 can be a thousand or a little more than one"))]
#[case("1,5\n1.5\n2,5", Mark::Comma, Some("some amounts have decimals after a point, others after a comma"))]
fn the_decimal_mark_follows_from_the_amounts(#[case] amounts: &str, #[case] mark: Mark, #[case] guess: Option<&str>) {
    let (found, why) = notation::decimal_mark(amounts.lines(), None);
    assert_eq!((found, why.map(|guess| guess.why)), (mark, guess.map(str::to_owned)));
}

#[rstest]
#[case("13/02/2026", DateOrder::DayFirst, false)]
#[case("02/13/2026\n01/02/2026", DateOrder::MonthFirst, false)]
// The other order would be in the future.
#[case("12/10/2026\n05/05/2026", DateOrder::DayFirst, false)]
#[case("10/12/2026", DateOrder::MonthFirst, false)]
#[case("03.04.2026", DateOrder::DayFirst, false)]
#[case("2026-04-03", DateOrder::YearFirst, false)]
#[case("03/04/2026", DateOrder::DayFirst, true)]
#[case("13/02/2026\n02/13/2026\n01/20/2026", DateOrder::MonthFirst, true)]
fn the_order_of_dates_follows_from_them(#[case] dates: &str, #[case] order: DateOrder, #[case] is_guess: bool) {
    let (found, guess) = notation::date_order(dates.lines(), None, date(2026, 11, 20));
    assert_eq!((found, guess.is_some()), (order, is_guess));
}

#[rstest]
#[case("2026-11-20T10:00:00Z", Some(date(2026, 11, 20)))]
#[case("20.11.2026 10:00", Some(date(2026, 11, 20)))]
#[case("20261120", Some(date(2026, 11, 20)))]
#[case("5 mars 26", Some(date(2026, 3, 5)))]
#[case("Nov 5, 2026", Some(date(2026, 11, 5)))]
#[case("20-Nov-98", Some(date(1998, 11, 20)))]
#[case("31/02/2026", None)]
#[case("20/11", None)]
#[case("1/2/3", None)]
#[case("soon", None)]
fn dates_are_read_in_their_usual_forms(#[case] text: &str, #[case] day: Option<Date>) {
    assert_eq!(notation::date(text, DateOrder::DayFirst), day);
}

#[rstest]
#[case("-1,024.10", Mark::Point, Some("-1024.10"))]
#[case("1.234,5 €", Mark::Comma, Some("1234.5"))]
#[case("12,50-", Mark::Comma, Some("-12.50"))]
#[case("(12.50)", Mark::Point, Some("-12.50"))]
#[case("−3", Mark::Point, Some("-3"))]
#[case("1'034.50", Mark::Point, Some("1034.50"))]
#[case("1,00,000.00", Mark::Point, Some("100000.00"))]
#[case(".50", Mark::Point, Some("0.50"))]
#[case("12,50", Mark::Point, None)]
#[case("1.2.3", Mark::Point, None)]
#[case("12.50 CR", Mark::Point, None)]
#[case("-", Mark::Point, None)]
#[case("", Mark::Point, None)]
fn amounts_are_read_exactly_or_not_at_all(#[case] text: &str, #[case] mark: Mark, #[case] read: Option<&str>) {
    let found = notation::amount(text, mark).ok().map(|(amount, _)| amount);
    assert_eq!(found.as_deref(), read);
}

#[test]
fn after_a_quotation_mark_that_nothing_closes_each_line_is_read_by_itself() {
    let rows: String = (1..=60).map(|n| format!("2026-11-01,\"tea {n}\",2.50\n")).collect();
    let text = format!("Date,Name,Amount\n2026-11-01,\"open,1.00\n{rows}");
    let reading = of_text(&text);
    let lines: Vec<usize> = reading.entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, (2..=62).collect::<Vec<_>>());
    assert_eq!([&*reading.entries[0].name, &*reading.entries[8].name], ["open", "tea 8"]);
    let at_the_end = of_text("Date,Name,Amount\n2026-11-01,\"open,1.00\n2026-11-02,tea,2\n");
    assert_eq!(at_the_end.entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), [2, 3]);
}

#[rstest]
#[case(b"", Unreadable::Empty)]
#[case(b" \r\n ", Unreadable::Empty)]
#[case(b"PK\x03\x04\x00\x00", Unreadable::Binary)]
#[case(b"\x89PNG\r\n\x1a\n\x00\x00", Unreadable::Binary)]
#[case(b"\xff\xfea", Unreadable::WrongEncoding("UTF-16"))]
fn what_is_no_text_is_refused(#[case] bytes: &[u8], #[case] error: Unreadable) {
    assert_eq!(read(bytes, &Settings::default(), hints()), Err(error));
}

#[test]
fn a_text_without_a_table_asks_for_the_columns() {
    let reading = of_text("dear bank,\nplease send me\nmy money\n");
    assert_eq!(reading.guesses, [Guess { setting: "columns", why: "no column has dates".into() }]);
    assert_eq!(reading.entries, []);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes, &Settings::default(), hints());
    }

    #[test]
    fn any_text_is_read_in_every_format(text in ".{0,300}", format in 0_usize..4) {
        let format = [Format::Csv, Format::Ofx, Format::Qif, Format::Json][format];
        let _ = read(text.as_bytes(), &Settings { format: Some(format), ..Settings::default() }, hints());
    }

    #[test]
    fn texts_like_those_of_banks_are_read(
        text in "((!Type:Bank|D[0-9/']{0,9}|T-?[0-9.,]{0,6}|P[a-z]{0,3}|\\^|<STMTTRN>|<DTPOSTED>[0-9]{0,9}|<TRNAMT>-?[0-9.,é]{0,5}|<NAME>é?|</STMTTRN>)\n?){0,30}",
        is_ofx in any::<bool>(),
    ) {
        let format = Some(if is_ofx { Format::Ofx } else { Format::Qif });
        let _ = read(text.as_bytes(), &Settings { format, ..Settings::default() }, hints());
    }

    #[test]
    fn every_line_of_a_table_is_an_entry_or_a_rejection(
        lines in prop::collection::vec("[0-9a-c/.,; -]{0,25}|20(19|26)-0[1-9]-1[0-9];[a-z]{1,5};-?[0-9]{1,3},[0-9]{2}", 1..40)
    ) {
        let text = lines.join("\n");
        prop_assume!(!text.trim().is_empty());
        let settings = Settings { format: Some(Format::Csv), header: Some(false), ..Settings::default() };
        let reading = read(text.as_bytes(), &settings, hints()).unwrap();
        let delimiter = match reading.settings.delimiter {
            Some(Delimiter::Semicolon) => ';',
            Some(Delimiter::Comma) => ',',
            Some(Delimiter::Tab) => '\t',
            _ => '|',
        };
        let is_filled = |line: &str| line.chars().any(|letter| letter != delimiter && letter != ' ');
        let filled: BTreeSet<usize> =
            lines.iter().enumerate().filter(|(_, line)| is_filled(line)).map(|(at, _)| at + 1).collect();
        let entries = reading.entries.iter().map(|entry| entry.line);
        let told: Vec<usize> = entries.chain(reading.rejections.iter().map(|rejection| rejection.line)).collect();
        prop_assert_eq!(told.len(), filled.len());
        prop_assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), filled);
    }
}
