//! What is ordered about expenses that are there, as the patterns of `frames/orders.txt` read it: which of them, and what
//! becomes of them. The rows are for others to find.

use std::{cell::RefCell, collections::VecDeque, ops::Range};

use serde_json::Value;

use super::{draft::currency_alone, fields, frames, speech, wording};
use crate::phrases::{
    AmountMention, Class, Reader, Reading,
    memo::{Last, remembered},
};

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Order {
    pub deletes: bool,
    /// The verb is of many: "clear".
    pub clears: bool,
    /// It says how something is: "lunch is food".
    pub states: bool,
    /// The verb puts something into a category.
    pub files: bool,
    /// The words for the rows. Empty if there are none.
    pub which: String,
    pub field: Option<&'static str>,
    /// What becomes of it. Empty if that is not said.
    pub new: String,
    /// What it cost, exactly.
    pub old: Option<String>,
}

thread_local! {
    static ORDERS: Last<Option<Order>> = const { RefCell::new(VecDeque::new()) };
    static STATED: Last<Option<Order>> = const { RefCell::new(VecDeque::new()) };
}

impl Order {
    pub fn read(text: &str, reader: Reader) -> Option<Order> {
        remembered(&ORDERS, &reader, text, || Order::ordered(text, frames::ORDER, reader))
    }

    fn ordered(text: &str, kind: &str, reader: Reader) -> Option<Order> {
        let plain = speech::without_roughly(text, reader);
        let exact = |said: &Value| plain != text && said["deletes"] == true;
        let said = frames::order(&plain, kind, reader)?;
        // "Under 5" is no guess of what a row costs.
        let said = if exact(&said) { frames::order(text, kind, reader)? } else { said };
        let words = |name: &str| said[name].as_str().map(str::to_owned);
        // "Add a note pad 5" is something new.
        if said["unpriced"] == true && words("new").is_some_and(|new| !reader.amounts(&new).is_empty()) {
            return None;
        }
        let order = Order {
            deletes: said["deletes"] == true,
            clears: said["clears"] == true,
            states: said["states"] == true,
            files: said["files"] == true,
            which: words("which").unwrap_or_default(),
            field: said["field"].as_str().and_then(fields::named),
            new: words("new").or_else(|| words("category")).unwrap_or_default(),
            old: words("old").and_then(|old| match &reader.amounts(&old)[..] {
                [AmountMention { reading: Reading::Exact(old), .. }] => Some(old.clone()),
                _ => None,
            }),
        };
        let asks = || text.contains('?') || Class::WordsAsking.contains(wording::first_word(text));
        (!order.states || !asks()).then_some(order)
    }

    /// "the tea was 4", "lunch was yesterday": what is said of the price or the day of what is there.
    pub fn stating(text: &str, reader: Reader) -> Option<Order> {
        remembered(&STATED, &reader, text, || Order::stated(text, reader))
    }

    fn stated(text: &str, reader: Reader) -> Option<Order> {
        let plain = ["->", "=>", "→"].iter().fold(text.to_owned(), |text, arrow| text.replace(arrow, " to "));
        let order = Order::ordered(&plain, frames::STATE, reader)
            .or_else(|| Order::read(&plain, reader).filter(|order| !order.new.is_empty()))?;
        let which = wording::trimmed(&order.which, &[Class::Asides], &[Class::BehindCorrected]).to_owned();
        let is_named = !which.is_empty()
            && !wording::is_filler(&which)
            && !Class::NotCorrected.contains(wording::first_word(&which))
            && matches!(order.field, Some("amount" | "date"))
            && !text.contains('?');
        is_named.then_some(Order { which, ..order })
    }

    /// "change lunch to 13 and coffee to 4", "put it in food, then make it 14".
    pub fn all(text: &str, reader: Reader) -> Vec<Order> {
        let verb = wording::first_word(text);
        let mut found: Vec<(Range<usize>, Order)> = Vec::new();
        let mut start = 0;
        for Range { start: end, end: next } in joints(text).into_iter().chain(std::iter::once(text.len()..text.len())) {
            let piece = text[start.min(end)..end].trim();
            if piece.is_empty() {
                start = next;
                continue;
            }
            let goes_on = || {
                Order::read(&format!("{verb} {piece}"), reader).filter(|order| !order.new.is_empty() && !order.states)
            };
            let order = Order::read(piece, reader).filter(|order| !order.states);
            let order = if found.is_empty() { order } else { order.or_else(goes_on) };
            match (order, found.last_mut()) {
                (Some(order), None) if order.is_whole() || next == text.len() => found.push((0..end, order)),
                (Some(order), Some((_, last))) if order.is_whole() && last.is_whole() => {
                    found.push((start..end, order));
                }
                // "fish and chips to 4", "rename it to fish and chips".
                (_, Some((place, last))) => {
                    let Some(longer) = Order::read(&text[place.start..end], reader) else { return vec![] };
                    (*place, *last) = (place.start..end, longer);
                }
                (_, None) => continue,
            }
            start = next;
        }
        found.into_iter().map(|(_, order)| order).collect()
    }

    fn is_whole(&self) -> bool {
        self.deletes || !self.new.is_empty()
    }

    /// It names none, or only points at one that was spoken of.
    pub fn points(&self) -> bool {
        points_at_it(&self.which)
    }

    /// The category that it puts something in.
    pub fn category(&self, reader: Reader) -> Option<&str> {
        let is_of_it = (self.field == Some("category") || self.field == Some("place")) && !self.deletes;
        let new = wording::trimmed(&self.new, &[Class::The], &[Class::BehindCategory]);
        let is_name = (1..=3).contains(&wording::words(new).len())
            && new.chars().all(|mark| mark.is_alphabetic() || " '-&".contains(mark));
        let is_other = Class::Nowhere.contains(new) || currency_alone(new, reader).is_some();
        let is_day = || !reader.dates(new).is_empty() || !reader.ranges(new).is_empty();
        (is_of_it && is_name && !is_other && !is_day()).then_some(new)
    }

    /// The same of these rows, which are known.
    pub fn of(self, which: String) -> Order {
        Order { which, files: false, clears: false, ..self }
    }
}

/// "it", "the last one", or no words at all.
pub(super) fn points_at_it(which: &str) -> bool {
    let plain = wording::trimmed(which, &[Class::BeforeKnownRow], &[Class::RowNamed]).to_lowercase();
    plain.is_empty() || Class::It.contains(&plain) || speech::is_the_last(&plain)
}

/// What is between two pieces of a text: "and", "then", a comma.
fn joints(text: &str) -> Vec<Range<usize>> {
    let words = wording::words(text);
    let joint = |pair: &[wording::Word<'_>]| {
        let [(before, _), (joint, word)] = pair else { return None };
        let is_joined = text[before.end..joint.start].contains([',', ';']);
        match Class::JoinsOrders.contains(word) {
            true => Some(before.end..joint.end),
            false => is_joined.then_some(before.end..joint.start),
        }
    };
    words.windows(2).filter_map(joint).collect()
}
