//! Checks the currency or category at the end of a list, which may apply to the whole list.

use super::{Expense, Note, SpokenFacts, assumed, can_mean, has_word, words};
use crate::phrases::CurrencyMention;

impl SpokenFacts<'_> {
    /// Notes the doubt in "Coffee 3 and tea 2 euros" and "aldi 5 and lidl 6 category groceries".
    pub(super) fn check_last_of_list(&self, created: &[Expense]) -> Vec<Note> {
        let ([before @ .., last], Some(text)) = (created, self.context.user_messages.last()) else { return vec![] };
        if before.is_empty() {
            return vec![];
        }
        let amounts = self.context.reader().amounts(text);
        let is_mixed = before.iter().any(|expense| expense.money.currency != last.money.currency);
        let bare = |expense: &Expense| {
            let mut bare = amounts.iter().filter(|found| found.currency == CurrencyMention::None);
            let found = bare.find(|found| can_mean(&found.reading, expense.money))?;
            let (said, code) = (&text[found.span.clone()], expense.money.currency.code());
            Some(assumed("currency", code).said(said))
        };
        let mut notes: Vec<Note> = created.iter().filter(|_| is_mixed).filter_map(bare).collect();
        let closing = words(amounts.last().map_or("", |found| &text[found.span.end..]));
        let closes = |category: &&String| words(category).split_whitespace().all(|word| has_word(&closing, word));
        if let Some(category) = last.category.as_ref().filter(closes)
            && before.iter().all(|expense| expense.category.is_none())
        {
            notes.push(assumed("category", &**category).because("last").named(Some(last.item.clone())));
        }
        notes
    }
}
