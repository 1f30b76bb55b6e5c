//! Filters by declared fields, of queries and of pages.

use super::{
    ToolContext, ToolError,
    fields::{Field, FieldValue},
    row_filter::RowFilter,
};
use crate::{
    json_fields::{FieldError, Fields, at_most},
    phrases::DateRange,
    store::Condition,
};

/// Of one filter of a page, in characters.
const MAX_FILTER: usize = 200;

impl RowFilter<'_> {
    /// Only rows whose field has this value. Of a day, the text is a range. All rows if there is no text.
    ///
    /// # Errors
    /// Those of [`Field::read`].
    pub fn with_field(self, field: &Field, text: Option<&str>, context: &ToolContext<'_>) -> Result<Self, ToolError> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(self) };
        if let FieldValue::DayAhead = field.value {
            let days = context.reader().resolve_range(text);
            let DateRange { from, to } = days.map_err(|error| ToolError::Refused(error.to_string()))?;
            let (has_from, has_to) = (from != DateRange::ALL.from, to != DateRange::ALL.to);
            return Ok(self.between(field.name, has_from.then_some(from), has_to.then_some(to), context.style()));
        }
        let Some(value) = field.read(text, context)? else { return Ok(self) };
        let shown = field.shown(&value, context.style());
        let told = match field.value {
            FieldValue::Name { .. } => format!("in {shown}"),
            FieldValue::Choice(_) => format!("that are {shown}"),
            _ => format!("with {} {shown}", field.label),
        };
        let condition = Condition::Equals(field.name, value.clone());
        Ok(self.and([condition]).told(field.name, value.into(), told))
    }
}

/// A filter of a page, as text.
pub fn page_text(active: &Fields<'_>, name: &str) -> Result<Option<String>, FieldError> {
    let given = active.text(name)?;
    given.map(|given| at_most(&active.path(name), given, MAX_FILTER)).transpose()?;
    Ok(given.map(str::to_owned))
}

/// A filter of a page by days: words, or an object with `from` and `to`.
pub fn page_days(active: &Fields<'_>, name: &str) -> Result<Option<String>, FieldError> {
    let Some(days) = active.get(name).filter(|days| days.is_object()) else { return page_text(active, name) };
    let days = Fields::of(&active.path(name), days)?;
    let end = |name, open: String| days.text(name).map(|end| end.map_or(open, str::to_owned));
    let DateRange { from, to } = DateRange::ALL;
    Ok(Some(format!("{}..{}", end("from", from.to_string())?, end("to", to.to_string())?)))
}
