//! The category that a person gave an item. It is offered the next time the item is added without a category.
//!
//! A preference is shown with an expense that waits for approval. It is never added to an expense that is written at
//! once.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    budget::{Budget, KIND as BUDGET},
    expense::{Expense, KIND as EXPENSE, words},
    spoken_facts::SpokenFacts,
};
use crate::{
    phrases::{Class, Style, plurals::are_alike},
    proposal::{Body, Change, Draft, Note, Operation, Record},
    sorted::Collect,
    tool::{PreferenceOffer, Preferences, RecordKind, Rendering, ToolContext, ToolError},
};

/// Prefix of the record keys.
pub const KIND: &str = "MC";

pub struct CategoryPreferenceKind;

struct CategoryPreference {
    item: String,
    category: String,
}

impl RecordKind for CategoryPreferenceKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "category"
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "remembered category" } else { "remembered categories" }
    }

    fn preferences(&self) -> Option<&dyn Preferences> {
        Some(self)
    }
}

impl Rendering for CategoryPreferenceKind {
    fn describe(&self, draft: &Draft, _: Style) -> String {
        match CategoryPreference::of(draft) {
            Some(CategoryPreference { item, category }) => format!("“{item}” as {category}"),
            None => "a category that I cannot read".into(),
        }
    }

    fn describe_change(&self, _: &Draft, after: &Draft, style: Style) -> String {
        self.describe(after, style)
    }

    fn row(&self, record: &Record) -> Value {
        let preference = CategoryPreference::of(&record.draft);
        json!({
            "kind": "category",
            "id": record.id,
            "item": preference.as_ref().map(|preference| &preference.item),
            "category": preference.as_ref().map(|preference| &preference.category),
            "version": record.version,
        })
    }
}

impl Preferences for CategoryPreferenceKind {
    fn side_effect(&self, operation: &Operation, style: Style) -> Option<String> {
        Some(describe_side_effect(self, operation, style))
    }

    fn infer(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Change> {
        let mut inferred: Vec<Change> = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let mut left = context.remaining_to_infer(KIND);
        for expense in changes.iter().filter_map(with_new_category) {
            let (Some(category), item) = (&expense.category, words(&expense.item)) else { continue };
            let is_its_name = || category_from_name(expense.item.clone(), context).1.as_ref() == Some(category);
            if seen.contains(&item) || is_its_name() || !SpokenFacts::new(context, false).is_said(category) {
                continue;
            }
            let preference = CategoryPreference { item: expense.item, category: category.clone() };
            let known = known_preference(&item, context);
            seen.push(item);
            match known {
                Some(before)
                    if CategoryPreference::of(&before.draft).is_some_and(|other| other.category == *category) => {}
                // A preference of another user stays as it is.
                Some(before) if !context.caller.may_change(&before.draft.owner) => {}
                Some(before) => inferred.push(Change::Update {
                    before: before.clone(),
                    after: Draft { owner: before.draft.owner.clone(), ..preference.draft(context) },
                }),
                None if left == 0 => {}
                None => {
                    left -= 1;
                    inferred.push(Change::Create(preference.draft(context)));
                }
            }
        }
        inferred
    }

    fn still_applies(&self, preference: &Draft, rows: &[&Draft]) -> bool {
        let Some(CategoryPreference { item, category }) = CategoryPreference::of(preference) else { return false };
        let mut spent = rows.iter().filter_map(|row| Expense::of(row));
        spent.any(|expense| words(&expense.item) == words(&item) && expense.category.as_ref() == Some(&category))
    }

    /// The category that this item had last, if the person did not name one this time.
    fn offer(&self, draft: &Draft, context: &ToolContext<'_>) -> Option<PreferenceOffer> {
        let expense = Expense::of(draft).filter(|expense| expense.category.is_none() && expense.lines.is_empty())?;
        let record = known_preference(&words(&expense.item), context)?;
        let CategoryPreference { item, category } = CategoryPreference::of(&record.draft)?;
        let said_on = record.draft.date;
        let note = Note::assumed(EXPENSE, "category", &*category).because("remembered").named(Some(item));
        let note = note.said(said_on.to_string());
        let said_on = context.style().days.written(said_on);
        let say = format!("put it in {category}");
        Some(PreferenceOffer {
            note,
            invitation: format!("Say “{say}” to use the same category as on {said_on}."),
            say,
            draft: Expense { category: Some(category), ..expense }.draft(&draft.owner),
        })
    }
}

/// Takes the category from the item's name: "food 20" is named after a category, "toys in kids" ends with one.
pub fn category_from_name(item: String, context: &ToolContext<'_>) -> (String, Option<String>) {
    if let Some((name, behind)) = split_place(&item, is_filing_request(context))
        && let Some(category) = category_of(behind, context)
        // "Add taxi 12 to gym": "gym" is a category only if it is a common one, because it may be a destination.
        && (!item[name.len()..].starts_with(" to ") || Class::CommonCategory.says(&category).is_some())
    {
        return (name.to_owned(), Some(category));
    }
    if let Some((name, category)) = behind_price(&item, context) {
        return (name, Some(category));
    }
    // "Rent 900": some file it under housing.
    let is_heading = |category: &str| category != "rent";
    // "Groceries at Lidl"; a "gift from mum" is not filed under gifts.
    let goods = || Some(before_shop(&item)?.to_lowercase());
    let from_goods =
        || goods().and_then(|goods| category_among(&goods, context, is_heading).filter(|own| *own == goods));
    let category = category_among(&item, context, is_heading).or_else(from_goods);
    let category = category.filter(|_| known_preference(&words(&item), context).is_none());
    (item, category)
}

fn before_shop(item: &str) -> Option<&str> {
    let words = item.split_inclusive(' ');
    let mut end = 0;
    for word in words {
        if end > 0 && Class::BeforeShop.contains(word.trim_end().to_lowercase()) {
            return Some(item[..end].trim_end());
        }
        end += word.len();
    }
    None
}

/// "burger 11 treats": the words behind the only price, where they are a category.
fn behind_price(item: &str, context: &ToolContext<'_>) -> Option<(String, String)> {
    let text = context.user_messages.last()?;
    let [price] = &context.reader().amounts(text)[..] else { return None };
    let (before, behind) = (words(&text[..price.span.start]), words(&text[price.span.end..]));
    let at = item
        .len()
        .checked_sub(behind.len())
        .filter(|at| *at > 0 && !before.is_empty() && item.is_char_boundary(*at))?;
    let category = category_of(&behind, context).filter(|_| words(&item[at..]) == behind)?;
    Some((item[..at].trim_end().to_owned(), category))
}

/// Splits "toys in kids" and "add toys 20 to kids" into the name and the words behind it, which may be a category.
pub fn split_place(item: &str, is_filing_request: bool) -> Option<(&str, &str)> {
    const LEADS: [&str; 7] = [" in ", " into ", " under ", " unter ", " auf ", " en ", " dans "];
    let split = |lead: &str| item.rfind(lead).map(|at| (&item[..at], item[at + lead.len()..].trim()));
    // "Add bus 2 to work": "work" is a destination.
    let to = || split(" to ").filter(|(_, behind)| is_filing_request && *behind != "work");
    LEADS.into_iter().find_map(split).or_else(to)
}

/// Whether the message is an order to add something. "Taxi 12 to airport" is not.
pub fn is_filing_request(context: &ToolContext<'_>) -> bool {
    const FILING: [&str; 7] = ["add", "put", "log", "record", "enter", "save", "file"];
    let first = context.user_messages.last().and_then(|text| text.split_whitespace().next());
    first.is_some_and(|first| FILING.iter().any(|verb| first.eq_ignore_ascii_case(verb)))
}

fn category_of(name: &str, context: &ToolContext<'_>) -> Option<String> {
    category_among(name, context, |_| true)
}

/// Prefers the categories of the tenant to the common ones, of which only some may count.
fn category_among(name: &str, context: &ToolContext<'_>, counts: fn(&str) -> bool) -> Option<String> {
    let name = name.to_lowercase();
    let of_items =
        || context.preferences_of(KIND).filter_map(|record| Some(CategoryPreference::of(&record.draft)?.category));
    let budgeted = || context.preferences_of(BUDGET).filter_map(|record| Budget::of(&record.draft)?.category);
    let common = || {
        Class::CommonCategory.all().iter().map(|(name, _)| *name).filter(|category| counts(category)).map(Cow::Borrowed)
    };
    let known = || of_items().chain(budgeted()).map(Cow::Owned).chain(common());
    let exact = known().find(|category| *category == name);
    exact.or_else(|| known().find(|category| are_alike(category, &name))).map(Cow::into_owned)
}

/// Limits the number of preferences, because every turn reads all of them.
pub(super) fn require_capacity(context: &ToolContext<'_>) -> Result<(), ToolError> {
    let full = "I cannot remember more. Remove a budget, a recurring expense or another thing that I remember first";
    if context.remaining_capacity() == 0 { Err(ToolError::Refused(full.into())) } else { Ok(()) }
}

/// The text for a preference that is saved or deleted with another change.
pub(super) fn describe_side_effect(kind: &impl Rendering, operation: &Operation, style: Style) -> String {
    match operation.after() {
        Some(after) => format!("remember {}", kind.describe(&after.draft, style)),
        None => format!("forget {}", kind.describe(&operation.row().draft, style)),
    }
}

/// The category that this item had last.
pub(super) fn remembered(item: &str, context: &ToolContext<'_>) -> Option<String> {
    CategoryPreference::of(&known_preference(&words(item), context)?.draft).map(|known| known.category)
}

/// The last category of this item.
fn known_preference<'a>(item: &str, context: &'a ToolContext<'_>) -> Option<&'a Record> {
    context.preferences_of(KIND).rfind(|record| record.draft.body.get("words").and_then(Value::as_str) == Some(item))
}

/// The expense, if the change sets its category.
fn with_new_category(change: &Change) -> Option<Expense> {
    let before = match change {
        Change::Create(draft) if draft.kind == EXPENSE => None,
        Change::Update { before, after } if after.kind == EXPENSE => Some(Expense::of(&before.draft)?),
        _ => return None,
    };
    let expense = Expense::of(change.draft())?;
    (expense.category.is_some() && before.is_none_or(|before| before.category != expense.category)).then_some(expense)
}

impl CategoryPreference {
    fn of(draft: &Draft) -> Option<CategoryPreference> {
        let text = |name: &str| draft.body.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(CategoryPreference { item: text("item")?, category: text("category")? })
    }

    fn draft(&self, context: &ToolContext<'_>) -> Draft {
        let body = [("item", self.item.clone()), ("words", words(&self.item)), ("category", self.category.clone())];
        Draft {
            kind: KIND.into(),
            owner: context.caller.user().as_str().into(),
            body: body.into_iter().map(|(name, text)| (name.to_owned(), json!(text))).inserted::<Body>(),
            date: context.today,
            unique_key: Some(words(&self.item)),
            ..Draft::default()
        }
    }
}
