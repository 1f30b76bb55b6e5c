//! The filter for rows of one kind: days, conditions that the store checks, and an optional predicate for the rest.

use std::{slice, sync::Arc};

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{
    Owners, ToolError,
    whose::WHOSE,
    word_query::{WordQuery, has_term, spaced_forms},
    words::words,
};
use crate::{
    phrases::{DateRange, Style, plurals::forms},
    proposal::Body,
    store::{Among, Condition, ListQuery, Position},
};

/// An expression of the store has room for this many words in all their forms.
const MAX_WORDS: usize = 12;

/// Selects all rows until it is narrowed.
#[derive(Clone)]
pub struct RowFilter<'a> {
    pub range: DateRange,
    pub conditions: Vec<Condition>,
    predicate: Option<Predicate<'a>>,
    /// Identifies the predicate, because closures cannot be compared.
    shape: String,
    detected: Map<String, Value>,
    described: Vec<String>,
    owners: Owners,
}

type Predicate<'a> = Arc<dyn Fn(&Body) -> bool + Send + Sync + 'a>;

impl Default for RowFilter<'_> {
    fn default() -> Self {
        RowFilter {
            range: DateRange::ALL,
            conditions: vec![],
            predicate: None,
            shape: String::new(),
            detected: Map::new(),
            described: vec![],
            owners: Owners::default(),
        }
    }
}

impl<'a> RowFilter<'a> {
    /// For a toolkit that resolves and describes its filters itself.
    pub fn resolved(
        range: DateRange,
        conditions: Vec<Condition>,
        detected: Map<String, Value>,
        described: Option<String>,
    ) -> Self {
        RowFilter { range, conditions, detected, described: described.into_iter().collect(), ..RowFilter::default() }
    }

    /// Only records of these owners.
    pub fn of(mut self, owners: &Owners) -> Self {
        self.conditions.extend(owners.condition());
        self.detected.extend(owners.detected().map(|whose| (WHOSE.to_owned(), whose.into())));
        self.owners = owners.clone();
        self
    }

    pub fn owners(&self) -> &Owners {
        &self.owners
    }

    /// Requires every word of the texts, in singular or plural, in one of these fields. A field is a text, or a list of texts.
    pub fn of_words(fields: &'a [&'a str], texts: &[&str]) -> Result<Self, ToolError> {
        let query = word_query(texts.iter().copied(), "the words have")?;
        if query.is_empty() {
            return Ok(RowFilter::default());
        }
        let (text, described) = (query.text(), query.described("with ", " in it"));
        let filter = RowFilter::default().fitting(format!("|{text}"), move |body| {
            let values = fields.iter().filter_map(|field| body.get(*field));
            let texts = values.flat_map(|value| value.as_array().map_or(slice::from_ref(value), Vec::as_slice));
            let texts: Vec<String> = texts.filter_map(Value::as_str).map(words).collect();
            let has = |term: &String| texts.iter().any(|text| has_term(text, term));
            query.wanted.iter().all(has) && !query.left_out.iter().any(has)
        });
        Ok(filter.told("words", json!(text), described))
    }

    /// Limits the day under which records are listed.
    pub fn within(mut self, range: DateRange, style: Style) -> Self {
        self.range = range;
        if range == DateRange::ALL {
            return self;
        }
        self.told("range", json!({ "from": range.from, "to": range.to }), days(range, style))
    }

    /// The field has one of these texts. Any text if there is none.
    pub fn one_of(mut self, field: &'static str, choices: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let choices: Vec<String> = choices.into_iter().map(Into::into).collect();
        let (value, condition) = match choices.as_slice() {
            [] => return self,
            [one] => (json!(one), Condition::Equals(field, one.clone())),
            several => (json!(several), Condition::In(field, several.to_vec())),
        };
        self.conditions.push(condition);
        self.told(field, value, format!("with {field} {}", choices.join(" or ")))
    }

    /// The field has a day (`YYYY-MM-DD`) between the two, both inclusive. Rows without a day do not match.
    pub fn between(mut self, field: &'static str, from: Option<Date>, to: Option<Date>, style: Style) -> Self {
        let range = DateRange { from: from.unwrap_or(DateRange::ALL.from), to: to.unwrap_or(DateRange::ALL.to) };
        if range == DateRange::ALL {
            return self;
        }
        self.conditions.extend(from.map(|from| Condition::From(field, from)));
        self.conditions.extend(to.map(|to| Condition::Until(field, to)));
        self.told(field, json!({ "from": from, "to": to }), format!("{field} {}", days(range, style)))
    }

    /// The field has all words of the text, in the singular or the plural. The field must be stored as [`words`]
    /// returns it.
    pub fn with_words(mut self, field: &'static str, text: Option<&str>) -> Result<Self, ToolError> {
        let query = word_query(text, "the words have")?;
        if query.is_empty() {
            return Ok(self);
        }
        let has = |term: &String| Condition::Contains(field, spaced_forms(term));
        self.conditions.extend(query.wanted.iter().map(has));
        self.conditions.extend(query.left_out.iter().map(|term| Condition::Not(Box::new(has(term)))));
        Ok(self.told("words", json!(query.text()), query.described("with ", " in it")))
    }

    /// The name has all words of the text, in the singular or the plural.
    pub fn named(mut self, text: &str) -> Result<Self, ToolError> {
        self.conditions.extend(about_names(&query_of_names([text])?));
        Ok(self)
    }

    /// Adds conditions without a description.
    pub fn and(mut self, conditions: impl IntoIterator<Item = Condition>) -> Self {
        self.conditions.extend(conditions);
        self
    }

    /// Adds a check that conditions cannot express. `shape` identifies it.
    pub fn fitting(mut self, shape: String, predicate: impl Fn(&Body) -> bool + Send + Sync + 'a) -> Self {
        self.shape = shape;
        self.predicate = Some(Arc::new(predicate));
        self
    }

    /// Adds to `detectedFilters` and to the description for the person.
    pub fn told(mut self, name: &str, value: Value, words: String) -> Self {
        self.detected.insert(name.to_owned(), value);
        self.described.push(words);
        self
    }

    /// Whether a row that meets days and conditions also meets the predicate.
    pub fn fits(&self, body: &Body) -> bool {
        self.predicate.as_ref().is_none_or(|predicate| predicate(body))
    }

    /// Whether the store checks the whole filter.
    pub fn is_said_by_conditions(&self) -> bool {
        self.predicate.is_none()
    }

    pub fn is_everything(&self) -> bool {
        self.range == DateRange::ALL && self.conditions.is_empty() && self.is_said_by_conditions()
    }

    /// `detectedFilters` of a reply.
    pub fn detected(&self) -> Option<Value> {
        (!self.detected.is_empty()).then(|| self.detected.clone().into())
    }

    /// A description that the person can check. None if nothing is filtered.
    pub fn described(&self) -> Option<String> {
        self.owners
            .described()
            .into_iter()
            .chain(self.described_rows())
            .reduce(|whose, rows| format!("{whose}, {rows}"))
    }

    /// Like [`Self::described`], without the owners.
    pub fn described_rows(&self) -> Option<String> {
        (!self.described.is_empty()).then(|| self.described.join(", "))
    }

    /// Identifies the list, so that a cursor works for this list only.
    pub fn shape(&self) -> String {
        format!("{:?}|{:?}{}", self.range, self.conditions, self.shape)
    }

    /// The query for the store, newest first.
    pub fn query(&self, kind: &'static str, limit: usize, after: Option<Position>) -> ListQuery<'static> {
        let (DateRange { from, to }, conditions) = (self.range, self.conditions.clone());
        ListQuery { kind, among: Among::All, from, to, conditions, limit, after, oldest_first: false }
    }
}

/// The name has the word or phrase in the singular or the plural.
pub fn has_word(term: &str) -> Condition {
    Condition::HasWord(forms(term))
}

/// The name has every word and phrase, and none of those that are left out.
pub fn about_names(query: &WordQuery) -> impl Iterator<Item = Condition> {
    let left_out = query.left_out.iter().map(|term| Condition::Not(Box::new(has_word(term))));
    query.wanted.iter().map(|term| has_word(term)).chain(left_out)
}

/// All words of the texts. `which` is the subject of the error message: "the words have".
pub fn word_query<'t>(texts: impl IntoIterator<Item = &'t str>, which: &str) -> Result<WordQuery, ToolError> {
    all_words(texts, which, WordQuery::new)
}

/// Like [`word_query`], for words of names.
pub fn query_of_names<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<WordQuery, ToolError> {
    all_words(texts, "the words have", WordQuery::of_names)
}

fn all_words<'t>(
    texts: impl IntoIterator<Item = &'t str>,
    which: &str,
    read: fn(&str) -> WordQuery,
) -> Result<WordQuery, ToolError> {
    let mut all = WordQuery::default();
    for text in texts.into_iter().filter(|text| !text.trim().is_empty()) {
        let query = read(text);
        if query.is_empty() {
            return Err(ToolError::Refused(format!("{which} no letters. Say a word, or leave it out")));
        }
        all = all.and(query);
    }
    if all.count() > MAX_WORDS {
        return Err(ToolError::Refused(format!("I can look for at most {MAX_WORDS} words at once. Use fewer")));
    }
    Ok(all)
}

/// "on 3 Nov 2026", "from 3 Nov 2026 to 9 Nov 2026", "since 3 Nov 2026".
pub fn days(range: DateRange, style: Style) -> String {
    let DateRange { from, to } = range;
    let day = |day| style.days.written(day);
    match (from == DateRange::ALL.from, to == DateRange::ALL.to) {
        _ if from == to => format!("on {}", day(from)),
        (true, false) => format!("until {}", day(to)),
        (false, true) => format!("since {}", day(from)),
        _ => format!("from {} to {}", day(from), day(to)),
    }
}
