//! What holds for every text.

use proptest::prelude::*;

use super::{
    tests::{READER, TODAY},
    *,
};

/// Words, digits and marks that phrases are made of, in any order.
fn phrase_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "£", "$", "kr", "1", "12", "1,234", "3.50", "2026", "11", "31", "/", "-", ".", ",", "from", "to", "between",
        "and", "Nov", "February", "last", "next", "this", "week", "month", "Friday", "sun", "the", "3rd", "ago",
        "days", "a", "two", "hundred", "million", "p", "pounds", "of", "since", "until", "today", "Q3", "½", "٣", "k",
        "%", "#", "'", "half", "first", "now", "past", "USD", "weeks", "halloween", "christmas", "at", "noon", "back",
        "other", "end", "vor", "drei", "Tagen", "am", "hier", "fifty", "fiver", "couple", "tickets", "2", "year",
        "hour", "livres", "Pfund", "@", "x", "p", "9",
    ]);
    prop::collection::vec((piece, prop::bool::ANY), 0..12).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, gap)| format!("{piece}{}", if gap { " " } else { "" })).collect()
    })
}

proptest! {
    #[test]
    fn any_text_is_read_without_fault(text in prop_oneof![any::<String>(), phrase_like(), "[0-9.,' /:£$-]{0,20}"], days in -2_000_000_i32..2_000_000) {
        use jiff::ToSpan;
        let today = TODAY.checked_add(days.days()).unwrap_or(TODAY);
        let reader = Reader { today, hour: 12, conventions: Conventions::default() };
        let amounts = reader.amounts(&text).into_iter().map(|found| found.span);
        let dates = reader.dates(&text).into_iter().map(|found| found.span);
        let ranges = reader.ranges(&text).into_iter().map(|found| found.span);
        let times: Vec<_> = reader.times(&text).into_iter().map(|found| found.span).collect();
        let overlap = reader.amounts(&text).into_iter().find(|amount| times.iter().any(|time| time.start < amount.span.end && amount.span.start < time.end));
        prop_assert_eq!(overlap, None, "beside {:?}", times);
        for spans in [amounts.collect::<Vec<_>>(), dates.collect(), ranges.collect()] {
            let mut last = 0;
            for span in spans {
                prop_assert!(text.get(span.clone()).is_some_and(|part| !part.is_empty()) && span.start >= last);
                last = span.end;
            }
        }
        let _ = (reader.resolve_date(&text), reader.resolve_range(&text));
    }

    #[test]
    fn exact_amounts_are_plain_decimals(text in phrase_like()) {
        for found in READER.amounts(&text) {
            let numbers = match found.reading {
                Reading::Exact(one) => vec![one],
                Reading::Ambiguous(many) => many,
            };
            for number in &numbers {
                prop_assert!(crate::money::Amount::parse(number).is_ok() || number.len() > 15, "{number}");
            }
        }
    }

    #[test]
    fn clean_text_is_clean(text in any::<String>()) {
        let once = clean(&text);
        prop_assert_eq!(clean(&once), once.clone());
        prop_assert!(!once.chars().any(char::is_control));
    }

    #[test]
    fn numbers_written_out_are_read_back(whole in 0_u32..100_000_000, cents in 0_u32..100) {
        let groups = format!("{whole}");
        let grouped: String = groups.chars().enumerate().map(|(index, digit)| {
            if index > 0 && (groups.len() - index).is_multiple_of(3) { format!(",{digit}") } else { digit.to_string() }
        }).collect();
        let expected = Reading::Exact(format!("{whole}.{cents:02}"));
        for text in [format!("£{grouped}.{cents:02}"), format!("{}.{cents:02}", whole), format!("€{},{cents:02}", grouped.replace(',', "."))] {
            let found = READER.amounts(&text);
            prop_assert_eq!(found.len(), 1, "{}", text);
            prop_assert_eq!(&found[0].reading, &expected, "{}", text);
        }
    }
}
