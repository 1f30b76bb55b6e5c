//! What is said before all that follows: the category of all, or where they were bought.

use super::{Draft, Said, name_in, speech, wording};
use crate::phrases::{Class, CurrencyMention, Reader};

pub(super) fn drafts(text: &str, reader: Reader) -> Option<Vec<Draft>> {
    let (head, rest) = text.split_once(':').filter(|(_, rest)| rest.starts_with(' '))?;
    if let Some(category) = category(head.trim()) {
        let mut drafts = super::drafts(rest, reader);
        drafts.iter_mut().for_each(|draft| draft.category = draft.category.take().or(Some(category.to_owned())));
        return Some(drafts);
    }
    titled(head.trim(), rest, reader)
}

/// "in food: pizza 9, kebab 7"
fn category(head: &str) -> Option<&str> {
    let (lead, name) = head.split_once(' ').unwrap_or(("", head));
    let led = Class::BeforeHeading.contains(lead.to_lowercase());
    let is_name = !name.is_empty() && name.chars().all(char::is_alphabetic);
    let is_category = || lead.is_empty() && Class::CommonCategory.says(&name.to_lowercase()).is_some();
    (is_name && (led || is_category())).then_some(name)
}

/// "shopping at Walmart: fruit 20, meat 25": noted of each.
fn titled(head: &str, rest: &str, reader: Reader) -> Option<Vec<Draft>> {
    let words = wording::words(head);
    let is_of_shop =
        |(_, word): &wording::Word<'_>| Class::LeadsToShop.contains(word) || Class::Shopping.contains(word);
    let is_told = |(_, word): &wording::Word<'_>| Class::ClauseWord.contains(word);
    // "Home Depot: screws 23, paint 46"; "here you go" and "dollars please" name no shop.
    let is_name = || {
        let is_plain = |(_, word): &wording::Word<'_>| {
            let is_money = reader.currency(word) != CurrencyMention::None;
            !Class::Closed.contains(word) && !Class::OwnName.contains(word) && !is_money
        };
        words.len() <= 3 && words.iter().all(is_plain) && !name_in(head).is_empty()
    };
    let is_title = (words.len() > 1 && words.iter().any(is_of_shop) || is_name())
        && !words.iter().any(is_told)
        && !speech::is_not_spent(head, reader)
        && reader.amounts(head).is_empty()
        && reader.dates(head).is_empty()
        && reader.ranges(head).is_empty();
    let mut drafts = if is_title { super::drafts(rest, reader) } else { return None };
    let are_whole = drafts.iter().all(|draft| draft.item.is_some() && draft.amount != Said::Nothing);
    drafts.iter_mut().for_each(|draft| draft.notes = draft.notes.take().or(Some(head.to_owned())));
    (are_whole && drafts.len() > 1).then_some(drafts)
}
