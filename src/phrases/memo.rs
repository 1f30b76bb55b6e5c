//! What was read last. A message is looked at by many, and each asks what it says anew.
//!
//! It only saves time: what stands here is a function of the text and of its reader.

use std::{cell::RefCell, collections::VecDeque};

use super::{AmountMention, HedgeMention, Reader, periods::Found};

/// Texts that are kept: a message, and parts of it.
const KEPT: usize = 8;

/// Longer ones are read each time, in bytes.
const LONGEST: usize = 1_000;

thread_local! {
    static AMOUNTS: Last<AmountMention> = const { RefCell::new(VecDeque::new()) };
    static HEDGES: Last<HedgeMention> = const { RefCell::new(VecDeque::new()) };
    static TIMES: Last<Found> = const { RefCell::new(VecDeque::new()) };
}

type Last<T> = RefCell<VecDeque<(Reader, String, Vec<T>)>>;

pub(super) fn amounts(reader: &Reader, text: &str, read: impl FnOnce() -> Vec<AmountMention>) -> Vec<AmountMention> {
    AMOUNTS.with(|last| remembered(last, reader, text, read))
}

pub(super) fn hedges(reader: &Reader, text: &str, read: impl FnOnce() -> Vec<HedgeMention>) -> Vec<HedgeMention> {
    HEDGES.with(|last| remembered(last, reader, text, read))
}

pub(super) fn times(reader: &Reader, text: &str, read: impl FnOnce() -> Vec<Found>) -> Vec<Found> {
    TIMES.with(|last| remembered(last, reader, text, read))
}

fn remembered<T: Clone>(last: &Last<T>, reader: &Reader, text: &str, read: impl FnOnce() -> Vec<T>) -> Vec<T> {
    let found = last.borrow().iter().find(|(by, of, _)| of == text && by == reader).map(|(.., found)| found.clone());
    found.unwrap_or_else(|| {
        let found = read();
        if text.len() <= LONGEST {
            let mut last = last.borrow_mut();
            last.truncate(KEPT - 1);
            last.push_front((*reader, text.to_owned(), found.clone()));
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::phrases::{Conventions, Reader};

    #[test]
    fn another_day_or_another_way_of_writing_is_read_anew() {
        let on =
            |day, locale| Reader { today: date(2026, 11, day), hour: 12, conventions: Conventions::of_locale(locale) };
        let read = |reader: Reader| (reader.amounts("tea 1.234 yesterday"), reader.dates("tea 1.234 yesterday"));
        let first = read(on(20, "en-GB"));
        for other in [on(21, "en-GB"), on(20, "de-DE")] {
            assert_ne!(read(other), first);
        }
        assert_eq!(read(on(20, "en-GB")), first);
    }

    #[test]
    fn more_texts_than_are_kept_are_all_read() {
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        for _ in 0..2 {
            for amount in 1..20 {
                let text = format!("tea {amount}");
                let found = reader.amounts(&text);
                assert_eq!(&text[found[0].span.clone()], amount.to_string());
            }
        }
    }
}
