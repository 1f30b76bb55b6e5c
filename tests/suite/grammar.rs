//! Properties of the phrase grammar on any text: it reads nothing that is not there, and it reads back every text that
//! the service writes.

use jiff::{
    ToSpan,
    civil::{Date, date},
};
use proptest::{prelude::*, test_runner::TestRunner};
use sayso::{
    money::{Currency, Money},
    phrases::{Conventions, DateReading, Reader, Reading},
};

const LOCALES: [&str; 14] =
    ["", "en", "en-US", "en-GB", "en-CA", "de-DE", "de-CH", "fr-FR", "fr-CA", "fr-CH", "es", "es-ES", "es-MX", "ja-JP"];

fn locale() -> impl Strategy<Value = &'static str> {
    prop::sample::select(LOCALES.as_slice())
}

fn reader(locale: &str, today: Date) -> Reader {
    Reader { today, hour: 12, conventions: Conventions::of_locale(locale) }
}

/// Words, digits and symbols of four languages, in any order.
fn phrase_like() -> impl Strategy<Value = String> {
    const PIECES: &str = "£ $ € kr 1 12 31 1.234 1,234 3.50 3,50 2026 11 / - . , from to between and of the Nov March März mars \
                          mayo february last next this week month Friday lundi lunes Montag 3rd 1er ago vor hace il y a days \
                          Tagen jours días two zwei deux dos hundred hundert cent cien mil million euros livres p since until \
                          today gestern hier ayer mañana morgen Q3 H1 ½ ٣ k % # ' half first quarter now past USD am le el de \
                          quatre vingt und et und";
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let piece = prop::sample::select(pieces);
    prop::collection::vec((piece, prop::bool::ANY), 0..12).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, gap)| format!("{piece}{}", if gap { " " } else { "" })).collect()
    })
}

/// The digits without leading and trailing zeros.
fn telling(digits: &str) -> String {
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

fn reads_only_what_is_there(text: &str, reader: Reader) {
    let mut last = 0;
    for found in reader.amounts(text) {
        let span = &text[found.span.clone()];
        assert!(found.span.start >= last && !span.is_empty());
        last = found.span.end;
        let plain =
            !span.chars().any(|c| c.is_alphabetic() || c.is_numeric() && !c.is_ascii_digit() || "¢％".contains(c));
        if let (Reading::Exact(number), true) = (&found.reading, plain) {
            assert_eq!(telling(number), telling(span), "{text:?}");
        }
    }
    last = 0;
    for found in reader.dates(text) {
        let span = &text[found.span.clone()];
        assert!(found.span.start >= last && !span.is_empty());
        last = found.span.end;
        let plain = span.is_ascii() && !span.chars().any(char::is_alphabetic);
        let (DateReading::On(day), true) = (&found.reading, plain) else { continue };
        // An hour belongs to today.
        if span.contains(':') && *day == reader.today {
            continue;
        }
        let numbers: Vec<i64> =
            span.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
        assert!(
            numbers.contains(&i64::from(day.day())) && numbers.contains(&i64::from(day.month())),
            "{text:?} as {day}"
        );
    }
    for found in reader.ranges(text) {
        assert!(!text[found.span].is_empty() && found.range.from <= found.range.to);
    }
    let _ = (reader.resolve_date(text), reader.resolve_range(text));
}

fn is_read_back(minor: i64, code: &str, day: Date, reader: Reader) {
    let style = reader.conventions.style;
    let money = Money { minor, currency: Currency::parse(code).expect(code) };
    let written = money.written(style.money);
    let found = reader.amounts(&written);
    let [found] = &found[..] else { panic!("{written} is {} amounts", found.len()) };
    assert_eq!(found.span, 0..written.len(), "{written}");
    let readings = match &found.reading {
        Reading::Exact(one) => std::slice::from_ref(one),
        Reading::Ambiguous(many) => many,
    };
    // Three digits after a single separator are ambiguous without known conventions.
    let is_read_back = readings.iter().any(|reading| Money::parse(reading, money.currency) == Ok(money));
    assert!(is_read_back, "{written} is read as {readings:?}");
    let written = style.days.written(day);
    match reader.dates(&written).remove(0).reading {
        DateReading::On(read) => assert_eq!(read, day, "{written}"),
        DateReading::Ambiguous(options) => assert!(options.contains(&day), "{written}"),
        DateReading::Impossible(why) => panic!("{written}: {why}"),
    }
}

fn texts() -> impl Strategy<Value = (String, &'static str, i32)> {
    let text = prop_oneof![any::<String>(), phrase_like(), "[0-9.,' /:£$€-]{0,20}"];
    (text, locale(), -2_000_000_i32..2_000_000)
}

fn amounts_and_days() -> impl Strategy<Value = (i64, &'static str, i32, &'static str)> {
    let code = prop::sample::select(vec!["GBP", "EUR", "USD", "JPY", "KWD", "CHF"]);
    (1_i64..100_000_000_000, code, 0_i32..47_000, locale())
}

fn run(cases: u32) {
    let mut runner = TestRunner::new(ProptestConfig { cases, ..ProptestConfig::default() });
    let today = date(2026, 11, 20);
    runner
        .run(&texts(), |(text, locale, days)| {
            reads_only_what_is_there(&text, reader(locale, today.checked_add(days.days()).unwrap_or(today)));
            Ok(())
        })
        .expect("no text is misread");
    runner
        .run(&amounts_and_days(), |(minor, code, days, locale)| {
            is_read_back(minor, code, date(1970, 1, 2).checked_add(days.days()).expect("a day"), reader(locale, today));
            Ok(())
        })
        .expect("what is written is read back");
}

#[test]
fn readings_come_from_the_text_and_written_text_reads_back() {
    run(256);
}

#[test]
#[ignore = "takes minutes: make torture"]
fn torture_the_grammar_under_all_conventions() {
    run(300_000);
}
