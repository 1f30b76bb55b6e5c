//! Grounding of declared fields: the values that the person did not say are shown as assumptions, and the change waits.

use jiff::{ToSpan, civil::Date};
use serde_json::Value;

use super::{
    Grounding, ToolContext,
    fields::{Field, FieldKind, FieldValue, initial},
    find_row::telling_words,
    words::words,
};
use crate::{
    phrases::{DateReading, plurals::forms},
    proposal::{Body, Change, Note, Record},
};

impl<K: FieldKind> Grounding for K {
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        let spoken = Spoken { kind: self, context, words: words(&context.user_messages.join(" ")) };
        let mut unsaid = Vec::new();
        for change in changes {
            match change {
                Change::Create(draft) => unsaid.extend(spoken.unsaid(&initial(self.fields()), &draft.body)),
                Change::Update { before, after } => {
                    unsaid.extend(spoken.unsaid_row(before));
                    unsaid.extend(spoken.unsaid(&before.draft.body, &after.body));
                }
                Change::Delete { before: row } | Change::Restore(row) => unsaid.extend(spoken.unsaid_row(row)),
            }
        }
        unsaid
    }
}

/// Notes about rows of a change that needs no approval: the person must name each by its number or by its whole title
/// (`title`: by the words the model looked for), and must not say the opposite ("not finished").
pub fn uncertain_rows(
    kind: &dyn FieldKind,
    rows: &[Record],
    title: Option<&str>,
    context: &ToolContext<'_>,
) -> Vec<Note> {
    const NOT: [&str; 12] =
        ["not", "never", "don't", "didn't", "haven't", "hasn't", "isn't", "won't", "cannot", "can't", "nicht", "pas"];
    let spoken = Spoken { kind, context, words: words(&context.user_messages.join(" ")) };
    let says_all = |text: &str| {
        let text = words(text);
        telling_words(kind, &text).all(|word| spoken.says(word))
    };
    let is_named = |row: &Record| {
        let is_numbered =
            || context.user_messages.iter().any(|said| context.row_names.is_pointed_at(said, &row.row_ref()));
        title.map_or_else(|| is_numbered() || says_all(&kind.title(&row.draft).unwrap_or_default()), says_all)
    };
    let unnamed = rows.iter().filter(|row| !is_named(row));
    let unnamed = unnamed.map(|row| Note::assumed_row(row.row_ref()));
    let last = context.user_messages.last().map(|said| said.replace('’', "'").to_lowercase()).unwrap_or_default();
    let mut tokens = last.split(|mark: char| !(mark.is_alphanumeric() || mark == '\''));
    let opposite = tokens
        .find(|word| NOT.contains(word))
        .map(|word| Note::assumed(kind.prefix(), "change", Value::Null).said(word));
    unnamed.chain(opposite).collect()
}

struct Spoken<'a> {
    kind: &'a dyn FieldKind,
    context: &'a ToolContext<'a>,
    words: String,
}

impl Spoken<'_> {
    /// Of the fields that are new.
    fn unsaid(&self, before: &Body, after: &Body) -> Vec<Note> {
        let unsaid = self.kind.fields().iter().filter_map(|field| {
            let value = after.get(field.name).filter(|value| before.get(field.name) != Some(*value))?.as_str()?;
            (!self.is_said(field, value)).then(|| Note::assumed(self.kind.prefix(), field.name, value))
        });
        unsaid.collect()
    }

    fn is_said(&self, field: &Field, value: &str) -> bool {
        match field.value {
            FieldValue::Title { .. } | FieldValue::Text { .. } | FieldValue::Name { .. } => {
                words(value).split_whitespace().all(|word| self.says(word))
            }
            FieldValue::DayAhead => value.parse().is_ok_and(|day| self.says_day(day)),
            FieldValue::Choice(choices) => {
                let mut said_by =
                    choices.iter().filter(|choice| choice.stored == value).flat_map(|choice| choice.said_by);
                said_by.any(|word| self.says(word))
            }
        }
    }

    /// A row must have been named by its number or by a word of its title, or shown just before.
    fn unsaid_row(&self, row: &Record) -> Option<Note> {
        let title = words(&self.kind.title(&row.draft).unwrap_or_default());
        let is_named = telling_words(self.kind, &title).any(|word| self.says(word));
        let is_known = is_named || self.context.names_row(&row.row_ref());
        (!is_known).then(|| Note::assumed_row(row.row_ref()))
    }

    /// In the singular or the plural.
    fn says(&self, word: &str) -> bool {
        forms(word).iter().any(|form| self.words.contains(&format!(" {form} ")))
    }

    /// The reader takes the last such day, and the field has the next.
    fn says_day(&self, value: Date) -> bool {
        let (reader, today) = (self.context.reader(), self.context.today);
        let next = |day: Date| [day.saturating_add(1.week()), day.saturating_add(1.year())];
        let is_it = |day: Date| day == value || day < today && next(day).contains(&value);
        self.context.user_messages.iter().any(|text| {
            let is_said =
                reader.dates(text).iter().any(|said| matches!(said.reading, DateReading::On(day) if is_it(day)));
            is_said || reader.ranges(text).iter().any(|said| is_it(said.range.to))
        })
    }
}
