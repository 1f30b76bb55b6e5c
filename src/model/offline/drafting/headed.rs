//! A category that is said before all that is in it.

use super::Draft;
use crate::phrases::{CATEGORIES, Class, Reader};

pub(super) fn drafts(text: &str, reader: Reader) -> Option<Vec<Draft>> {
    let (category, rest) = headed(text)?;
    let mut drafts = super::drafts(rest, reader);
    drafts.iter_mut().for_each(|draft| draft.category = draft.category.take().or(Some(category.to_owned())));
    Some(drafts)
}

/// "in food: pizza 9, kebab 7": the category of all that follows, and that.
fn headed(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once(':')?;
    let (lead, name) = head.trim().split_once(' ').unwrap_or(("", head.trim()));
    let led = Class::BeforeHeading.contains(lead.to_lowercase());
    let is_name = !name.is_empty() && name.chars().all(char::is_alphabetic);
    let is_category = || lead.is_empty() && CATEGORIES.contains(&name.to_lowercase().as_str());
    (is_name && rest.starts_with(' ') && (led || is_category())).then_some((name, rest))
}
