//! The filters as clients and tools send them, before they are resolved.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{
    json_fields::{FieldError, Fields, at_most, wrong},
    money::Amount,
    phrases::clean,
    tool::{PageFilters, ToolContext, ToolError},
};

/// In characters, for one filter.
const MAX_FILTER: usize = 200;
pub(super) const MAX_CATEGORIES: usize = 20;

pub(super) const PAGE_FILTERS: PageFilters =
    PageFilters { names: &NAMES, check: |active| Filters::parse(active).map(|_| ()) };

const NAMES: [&str; 12] = [
    "range", "category", "categories", "words", "minAmount", "maxAmount", "moreThan", "lessThan", "currency", "text",
    "hasNotes", "without",
];

/// The filters of lists. Days have the same names in every list, so `range` is none of them.
pub(super) const OF_LISTS: &[&str] = NAMES.split_at(1).1;

/// The filters that are active on a page, or that a tool is called with. The doc comments of fields are for models.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Filters {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    pub range: Option<String>,
    /// In one of these; at most 20.
    #[serde(alias = "category", default, deserialize_with = "one_or_several", skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// "Everything but rent": excludes these categories and item names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The item must contain all these words: "uber". Words in quotes stand beside each other, and a minus excludes:
    /// `"green tea" -decaf`.
    pub words: Option<String>,
    /// "At least": inclusive.
    pub min_amount: Option<Amount>,
    /// "At most": inclusive.
    pub max_amount: Option<Amount>,
    /// "Over": exclusive.
    pub more_than: Option<Amount>,
    /// "Under": exclusive.
    pub less_than: Option<Amount>,
    /// ISO 4217 code: only expenses in it. Amounts are compared in it, or in the person's own currency.
    pub currency: Option<String>,
    /// Each of these words must be the beginning of a word in item, notes or category. Quotes and minus as in `words`.
    pub text: Option<String>,
    pub has_notes: Option<bool>,
    // Pages have it as a filter of the core, where it can also be a user id.
    /// "me", "everyone", or a member's name; absent if the person did not say.
    pub whose: Option<String>,
}

/// A text is a list of one.
fn one_or_several<'de, D: Deserializer<'de>>(names: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a category or a list of categories")]
    enum Named {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Option::deserialize(names)? {
        None => vec![],
        Some(Named::One(name)) => vec![name],
        Some(Named::Several(names)) => names,
    })
}

impl Filters {
    /// The page's filters. They apply to every query.
    pub fn of_page(context: &ToolContext<'_>) -> Result<Filters, ToolError> {
        let active = Fields::at("activeFilters", context.filters);
        Filters::parse(&active).map_err(|error| ToolError::Refused(error.to_string()))
    }

    /// Reads query parameters. A value is a text or a list of texts.
    pub fn of_parameters(parameters: &Fields<'_>) -> Result<Filters, FieldError> {
        let mut typed = parameters.fields.clone();
        for (name, value) in &mut typed {
            match (name.as_str(), value.as_str()) {
                ("hasNotes", Some(flag)) => *value = flag.parse::<bool>().map_or_else(|_| value.take(), Value::from),
                ("categories" | "without", Some(_)) => *value = Value::Array(vec![value.take()]),
                _ => {}
            }
        }
        Filters::parse(&Fields::at(&parameters.name, &typed))
    }

    /// Accepts the shape of `detectedFilters`. A range may also be in words.
    fn parse(active: &Fields<'_>) -> Result<Filters, FieldError> {
        let text = |name| -> Result<Option<String>, FieldError> {
            let given = active.text(name)?;
            given.map(|given| at_most(&active.path(name), given, MAX_FILTER)).transpose()?;
            Ok(given.map(clean).filter(|given| !given.is_empty()))
        };
        let amount = |name| {
            let given = active.get(name).map(|given| serde_json::from_value(given.clone()));
            given.transpose().map_err(|_| wrong(&active.path(name), "an amount, like \"12.50\""))
        };
        let has_notes = active.has("hasNotes").then(|| active.flag("hasNotes")).transpose()?;
        Ok(Filters {
            without: listed_names(active, "without")?,
            range: filtered_range(active)?,
            categories: filtered_categories(active)?,
            words: text("words")?,
            min_amount: amount("minAmount")?,
            max_amount: amount("maxAmount")?,
            more_than: amount("moreThan")?,
            less_than: amount("lessThan")?,
            currency: active.currency()?,
            text: text("text")?,
            has_notes,
            whose: None,
        })
    }
}

fn filtered_range(active: &Fields<'_>) -> Result<Option<String>, FieldError> {
    if !active.get("range").is_some_and(Value::is_object) {
        return Ok(active.text("range")?.map(clean));
    }
    let Some(range) = active.object("range")? else { return Ok(None) };
    let end = |name| range.text(name)?.ok_or_else(|| wrong(&range.path(name), "a date"));
    Ok(Some(format!("{}..{}", end("from")?, end("to")?)))
}

/// Reads `category` or `categories`.
fn filtered_categories(active: &Fields<'_>) -> Result<Vec<String>, FieldError> {
    let one = active.text("category")?;
    let many = listed_names(active, "categories")?;
    if one.is_some() && !many.is_empty() {
        let detail = format!("send one of `{}` and `{}`", active.path("category"), active.path("categories"));
        return Err(FieldError::Unprocessable(detail));
    }
    Ok(one.map(clean).into_iter().filter(|name| !name.is_empty()).chain(many).collect())
}

fn listed_names(active: &Fields<'_>, field: &str) -> Result<Vec<String>, FieldError> {
    let many = active.list(field)?.unwrap_or_default();
    if many.len() > MAX_CATEGORIES {
        let detail = format!("`{}` has more than {MAX_CATEGORIES} names. Send fewer", active.path(field));
        return Err(FieldError::TooLarge(detail));
    }
    let named = |name: &Value| name.as_str().map(clean).ok_or_else(|| wrong(&active.path(field), "a list of text"));
    let many = many.iter().map(named).collect::<Result<Vec<_>, _>>()?;
    Ok(many.into_iter().filter(|name| !name.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn detected_filters_are_accepted_as_filters() {
        let filters = |filters: Value| Filters::parse(&Fields::of("activeFilters", &filters).unwrap());
        let food = Filters { categories: vec!["food".into()], ..Filters::default() };
        assert_eq!(filters(json!({"category": "food", "range": null})), Ok(food));
        let november = Filters { range: Some("2026-11-01..2026-11-30".into()), ..Filters::default() };
        let detected = json!({"range": {"from": "2026-11-01", "to": "2026-11-30"}});
        assert_eq!(filters(detected), Ok(november));
        let all = json!({
            "range": "last month", "categories": ["food", "eating out"], "words": "uber", "minAmount": "5", "maxAmount": 20,
            "moreThan": "4.99", "lessThan": 20.5, "currency": "EUR", "text": "ana", "hasNotes": false,
        });
        let amount = |text| Some(Amount::parse(text).unwrap());
        let expected = Filters {
            without: vec![],
            range: Some("last month".into()),
            categories: vec!["food".into(), "eating out".into()],
            words: Some("uber".into()),
            min_amount: amount("5"),
            max_amount: amount("20"),
            more_than: amount("4.99"),
            less_than: amount("20.5"),
            currency: Some("EUR".into()),
            text: Some("ana".into()),
            has_notes: Some(false),
            whose: None,
        };
        assert_eq!(filters(all), Ok(expected));
    }
}
