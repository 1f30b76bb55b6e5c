//! Fields that a kind declares, and what follows from them: values from JSON, texts about changes and JSON rows.

use jiff::{ToSpan, civil::Date};
use serde_json::{Map, Value, json};

use super::{
    Question, RecordKind, ToolContext, ToolError,
    plain_text::{capped, plain},
    words::{name, words},
};
use crate::{
    json_fields::{Fields, wrong},
    phrases::{DateError, Style},
    proposal::{Body, Draft, Note, Record},
    sorted::Collect,
};

/// Of a text in a line, in characters.
const SHOWN_TEXT: usize = 200;

/// A kind whose values are declared. It then has grounding and edits.
pub trait FieldKind: RecordKind {
    /// In the order in which changes are described. Each is a text in the body, under its name.
    fn fields(&self) -> &'static [Field];

    /// Sets what follows from the new values: the day, the duplicate key, other fields of the body.
    fn derive(&self, before: &Draft, after: &mut Draft, today: Date);
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// In the body, in arguments and in JSON rows.
    pub name: &'static str,
    /// For people, after "the".
    pub label: &'static str,
    pub value: FieldValue,
}

#[derive(Debug, Clone, Copy)]
pub enum FieldValue {
    /// A text that every row has. At most so many characters, as in the other texts.
    Title {
        chars: usize,
    },
    Text {
        chars: usize,
    },
    /// A name that several rows share. It is stored in lower case.
    Name {
        chars: usize,
    },
    /// A day to come: a weekday alone is the next such day.
    DayAhead,
    /// A new row has the first.
    Choice(&'static [Choice]),
}

#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub stored: &'static str,
    /// For people.
    pub shown: &'static str,
    /// The person said it if they said one of these words.
    pub said_by: &'static [&'static str],
}

impl Field {
    /// The value as it is stored. None if the text is empty.
    ///
    /// # Errors
    /// [`ToolError::Ask`] for an ambiguous day, [`ToolError::Malformed`] for a choice that does not exist,
    /// [`ToolError::Refused`] for a text that is too long or not a day.
    pub fn read(&self, text: &str, context: &ToolContext<'_>) -> Result<Option<String>, ToolError> {
        match self.value {
            FieldValue::Title { chars } | FieldValue::Text { chars } => self.cleaned(text, chars),
            FieldValue::Name { chars } => self.cleaned(&text.to_lowercase(), chars),
            FieldValue::DayAhead => Ok(day_ahead(text, context)?.map(|day| day.to_string())),
            FieldValue::Choice(choices) => match choices.iter().find(|choice| choice.stored == text) {
                Some(choice) => Ok(Some(choice.stored.to_owned())),
                None => {
                    let names: Vec<&str> = choices.iter().map(|choice| choice.stored).collect();
                    Err(wrong(self.name, &names.join(" or ")).into())
                }
            },
        }
    }

    /// A stored value for people.
    pub fn shown(&self, value: &str, style: Style) -> String {
        match self.value {
            FieldValue::Title { .. } | FieldValue::Text { .. } => quoted(value),
            FieldValue::Name { .. } => value.to_owned(),
            FieldValue::DayAhead => {
                value.parse().map_or_else(|_| value.to_owned(), |day: Date| style.days.written(day))
            }
            FieldValue::Choice(choices) => {
                choices.iter().find(|choice| choice.stored == value).map_or(value, |choice| choice.shown).to_owned()
            }
        }
    }

    fn cleaned(&self, text: &str, chars: usize) -> Result<Option<String>, ToolError> {
        let text = capped(&format!("the {}", self.label), plain(text), chars).map_err(ToolError::Refused)?;
        Ok((!text.is_empty()).then_some(text))
    }

    fn is_missing(&self, body: &Body) -> bool {
        let has_words = |value: &Value| value.as_str().is_some_and(|text| !words(text).trim().is_empty());
        matches!(self.value, FieldValue::Title { .. }) && !body.get(self.name).is_some_and(has_words)
    }
}

/// The stored value of a field.
pub fn stored<'d>(draft: &'d Draft, name: &str) -> Option<&'d str> {
    draft.body.get(name)?.as_str()
}

/// The values of a new row that nobody has to say.
pub fn initial(fields: &[Field]) -> Body {
    let choices = fields.iter().filter_map(|field| match field.value {
        FieldValue::Choice([first, ..]) => Some((field.name.to_owned(), json!(first.stored))),
        _ => None,
    });
    choices.inserted()
}

/// The row with new values. An empty text deletes the value. The words of titles and texts are stored in the field
/// `words`.
///
/// # Errors
/// Those of [`Field::read`]; [`ToolError::Malformed`] for an unknown name, [`ToolError::Refused`] without a title.
pub fn with_values(
    kind: &dyn FieldKind,
    row: &Draft,
    values: &Map<String, Value>,
    context: &ToolContext<'_>,
) -> Result<Draft, ToolError> {
    let (fields, given, mut after) = (kind.fields(), Fields::root(values), row.clone());
    if let Some(unknown) = values.keys().find(|name| fields.iter().all(|field| field.name != **name)) {
        return Err(ToolError::Malformed(format!("unknown field `{unknown}`")));
    }
    for field in fields {
        match given.text(field.name)?.map(|text| field.read(text, context)).transpose()? {
            Some(Some(value)) => drop(after.body.insert(field.name.to_owned(), value.into())),
            Some(None) => drop(after.body.remove(field.name)),
            None => {}
        }
        if field.is_missing(&after.body) {
            return Err(ToolError::Refused(format!("the {} is missing. Say what it is about", field.label)));
        }
    }
    let texts = fields.iter().filter(|field| matches!(field.value, FieldValue::Title { .. } | FieldValue::Text { .. }));
    let texts: Vec<&str> = texts.filter_map(|field| stored(&after, field.name)).collect();
    let words = words(&texts.join(" "));
    after.body.insert("words".into(), words.into());
    let title = fields.iter().find(|field| matches!(field.value, FieldValue::Title { .. }));
    after.name = title.and_then(|title| stored(&after, title.name)).map(name);
    kind.derive(row, &mut after, context.today);
    Ok(after)
}

/// The fields that differ: "project home → work".
pub fn describe_change(fields: &[Field], before: &Draft, after: &Draft, style: Style) -> String {
    let changed = fields.iter().filter_map(|field| {
        let shown = |draft| stored(draft, field.name).map_or("none".to_owned(), |value| field.shown(value, style));
        let (before, after) = (shown(before), shown(after));
        (before != after).then(|| format!("{} {before} → {after}", field.name))
    });
    changed.collect::<Vec<_>>().join(", ")
}

/// A note about the value of a field, in words.
pub fn note_text(fields: &[Field], note: &Note, style: Style) -> Option<String> {
    let (field, value) = (fields.iter().find(|field| field.name == note.field)?, note.value.as_str()?);
    let shown = match field.value {
        FieldValue::Name { .. } => quoted(value),
        _ => field.shown(value, style),
    };
    Some(format!("the {}, {shown}", field.label))
}

/// The JSON object for clients.
pub fn row(fields: &[Field], record: &Record) -> Value {
    let mut row = json!({ "id": record.id, "owner": record.draft.owner, "version": record.version });
    for field in fields {
        row[field.name] = json!(stored(&record.draft, field.name));
    }
    row
}

/// In quotes; of a long text the beginning.
pub fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN_TEXT).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("“{cut}{more}”")
}

fn day_ahead(words: &str, context: &ToolContext<'_>) -> Result<Option<Date>, ToolError> {
    let is_weekday = |day: Date| day.strftime("%A").to_string().eq_ignore_ascii_case(words.trim());
    match context.reader().resolve_date(words) {
        _ if words.trim().is_empty() => Ok(None),
        Ok(day) if day < context.today && is_weekday(day) => Ok(Some(day.saturating_add(1.week()))),
        Ok(day) => Ok(Some(day)),
        Err(DateError::Ambiguous { options, .. }) => Err(ToolError::ask(Question {
            text: "Which day do you mean?".into(),
            options: options.iter().map(|day| context.style().days.written(*day)).collect(),
            ..Question::default()
        })),
        Err(error) => Err(ToolError::Refused(error.to_string())),
    }
}
