//! Describes the filters in words, so that the person can check them.

use serde_json::Value;

use super::{super::periods::when, ResolvedFilters};
use crate::{
    phrases::{DateRange, Style},
    tool::{row_filter::days, word_query::WordQuery},
};

impl ResolvedFilters {
    /// All active filters, with those of the page. None if there is no filter.
    pub fn described(&self, style: Style) -> Option<String> {
        self.with_days(days(self.range, style))
    }

    /// The same, with the name of a month or year.
    pub fn described_in_short(&self, style: Style) -> Option<String> {
        self.with_days(when(self.range, style.days))
    }

    fn with_days(&self, days: String) -> Option<String> {
        let mut parts = Vec::new();
        if self.range != DateRange::ALL {
            parts.push(days);
        }
        if !self.categories.is_empty() {
            parts.push(format!("in {}", self.categories.join(" or ")));
        }
        let said = |name: &str| self.detected.get(name).and_then(Value::as_str);
        parts.extend(said("words").map(|words| WordQuery::of_names(words).described("called ", "")));
        parts.extend(said("text").map(|text| WordQuery::new(text).described("with the word ", "")));
        let bounds =
            [("of at least", "minAmount"), ("of at most", "maxAmount"), ("over", "moreThan"), ("under", "lessThan")];
        match (said("minAmount"), said("maxAmount")) {
            (Some(least), Some(most)) if least == most => parts.push(format!("of {least}")),
            _ => parts.extend(bounds.into_iter().filter_map(|(words, name)| Some(format!("{words} {}", said(name)?)))),
        }
        parts.extend(said("currency").map(|currency| format!("in {currency}")));
        let noted = self.detected.get("hasNotes").and_then(Value::as_bool);
        parts.extend(noted.map(|noted| if noted { "with notes".to_owned() } else { "without notes".to_owned() }));
        let without: Vec<String> = self.without.iter().map(|left_out| format!("“{}”", left_out.name)).collect();
        parts.extend((!without.is_empty()).then(|| format!("without {}", without.join(" or "))));
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
