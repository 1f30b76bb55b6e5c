//! What was read last. A message is looked at by many, and each asks what it says anew.
//!
//! It only saves time: what stands here is a function of the text and of its reader.

use std::{cell::RefCell, collections::VecDeque, thread::LocalKey};

use super::{AmountMention, HedgeMention, Reader, periods::Found};

/// Texts that are kept: a message, and parts of it.
const KEPT: usize = 8;

/// Longer ones are read each time, in bytes.
const LONGEST: usize = 1_000;

thread_local! {
    pub(super) static AMOUNTS: Last<Vec<AmountMention>> = const { RefCell::new(VecDeque::new()) };
    pub(super) static HEDGES: Last<Vec<HedgeMention>> = const { RefCell::new(VecDeque::new()) };
    pub(super) static TIMES: Last<Vec<Found>> = const { RefCell::new(VecDeque::new()) };
}

/// The texts that were read last, each with what was read.
pub type Last<T> = RefCell<VecDeque<(Reader, String, T)>>;

/// What is read of a text, anew if it was not read lately.
pub fn remembered<T: Clone>(
    last: &'static LocalKey<Last<T>>,
    reader: &Reader,
    text: &str,
    read: impl FnOnce() -> T,
) -> T {
    let is_it = |(by, of, _): &&(Reader, String, T)| of == text && by == reader;
    let found = last.with_borrow(|last| last.iter().find(is_it).map(|(.., found)| found.clone()));
    found.unwrap_or_else(|| {
        let found = read();
        if text.len() <= LONGEST {
            last.with_borrow_mut(|last| {
                last.truncate(KEPT - 1);
                last.push_front((*reader, text.to_owned(), found.clone()));
            });
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
