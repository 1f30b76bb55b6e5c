//! What a field of an expense becomes.

use super::{Changing, CurrencyMention, DateReading, Reader, Reading, speech, which_amount, which_day, wording};
use crate::phrases::Class;

impl Changing {
    pub(super) fn value(&mut self, value: &str, field: Option<&'static str>, reader: Reader) {
        let value = value.trim().trim_end_matches(['.', '!', '?', ' ']).trim_matches(['"', '“', '”']);
        // "Chai, not tea"
        let denied = wording::words(value)
            .into_iter()
            .find(|(span, word)| Class::NotThat.contains(word) && value[..span.start].trim_end().ends_with(','));
        let value = denied.map_or(value, |(span, _)| value[..span.start].trim_end_matches([' ', ',']));
        match field {
            Some(field @ ("item" | "category" | "notes")) => self.set(field, value.to_owned()),
            Some("date") => self.day(value, reader),
            Some("currency") => match super::currency_alone(value, reader) {
                Some(super::Said::Exactly(code)) => self.set("currency", code),
                _ => self.ask("Which currency should it be?", "currency"),
            },
            Some(_) => self.amount(value, reader),
            None if !reader.amounts(value).is_empty() => self.amount(value, reader),
            None if !reader.dates(value).is_empty() => self.day(value, reader),
            None if let Some(super::Said::Exactly(code)) = super::currency_alone(value, reader) => {
                self.set("currency", code);
            }
            None => {
                self.unplaced = Some(value.to_owned());
                self.ask("Is that its new name, category or notes? Say it like “rename 42 to flat white”.", "item")
            }
        }
    }

    pub(super) fn day(&mut self, value: &str, reader: Reader) {
        let days = reader.dates(value);
        let beside = wording::without(value, days.iter().map(|day| day.span.clone()), &[Class::BeforeNewDay]);
        if days.len() == 1 && !wording::trimmed(&beside, &[], &[Class::BehindValue]).is_empty() {
            self.declined = Some(wording::ONE_CHANGE);
        }
        match &days[..] {
            [one] => match &one.reading {
                DateReading::On(date) => self.set("date", date.to_string()),
                unsettled => {
                    self.question = Some(which_day(unsettled.clone(), reader));
                    self.field = Some("date");
                }
            },
            _ => {
                self.ask("Which day should it be?", "date");
                self.field = Some("date");
            }
        }
    }

    pub(super) fn amount(&mut self, value: &str, reader: Reader) {
        let value = &speech::without_roughly(value, reader);
        let found = reader.amounts(value);
        let [one] = &found[..] else {
            if found.len() > 1 {
                self.declined = Some(wording::ONE_CHANGE);
            }
            self.ask("What is the new amount?", "amount");
            self.field = Some("amount");
            return;
        };
        let leftover = wording::trimmed(&value[one.span.end..], &[], &[Class::BehindSeveral]).len()
            + wording::trimmed(&value[..one.span.start], &[Class::Be], &[]).len();
        match (&one.reading, &one.currency) {
            _ if leftover > 0 => self.declined = Some(wording::ONE_CHANGE),
            (Reading::Ambiguous(options), _) => {
                self.question = Some(which_amount(options, reader));
                self.field = Some("amount");
            }
            (Reading::Exact(amount), currency) => {
                self.set("amount", amount.clone());
                // Which of those that share a sign is meant, the tools ask.
                if let CurrencyMention::Known(currency) = currency {
                    self.set("currency", currency.code().to_owned());
                }
            }
        }
    }
}
