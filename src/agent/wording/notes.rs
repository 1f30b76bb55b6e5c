//! Notes in words. A kind words the notes that are about its own fields.

use serde_json::Value;

use super::Wording;
use crate::{
    agent::reply::NoteView,
    phrases::sentence,
    proposal::{Draft, Note, NoteKind, Record, RowRef},
    store::StoreError,
};

impl Wording<'_> {
    pub fn note_views(&self, notes: &[Note]) -> Result<Vec<NoteView>, StoreError> {
        notes.iter().map(|note| Ok(NoteView { kind: note.kind, text: self.note(note)? })).collect()
    }

    pub(super) fn labelled_note(&self, note: &Note) -> Result<String, StoreError> {
        let label = match note.kind {
            NoteKind::Assumed => "Assumed",
            NoteKind::PossibleDuplicate => "Possible duplicate",
            NoteKind::UnusualAmount => "Unusual amount",
            NoteKind::LeftOut => "Left out",
            NoteKind::Chosen => "Chosen",
            NoteKind::NotStated => return Ok(sentence(&self.note(note)?)),
        };
        Ok(format!("{label}: {}", self.note(note)?))
    }

    fn note(&self, note: &Note) -> Result<String, StoreError> {
        Ok(match (note.kind, &*note.why.code) {
            (NoteKind::PossibleDuplicate, _) => self.duplicate(note)?,
            (NoteKind::NotStated, why) => format!("{}, so this waits for your yes", not_stated(why, note)),
            (NoteKind::Chosen, _) => texts(&note.value).join(", and "),
            (_, "changed_since") => self.changed_since(&note.value)?,
            (_, "excluded") => {
                let names = texts(&note.value["names"]).iter().map(|name| format!(", “{name}”")).collect::<String>();
                format!("{} of them{names}", note.value["count"])
            }
            _ => {
                let kind = if note.of.is_empty() { None } else { Some(self.registry.kind_of(&note.of)?) };
                let noun = kind.map_or("row", |kind| kind.noun(1));
                let own = kind.and_then(|kind| kind.note(note, self.style));
                own.unwrap_or_else(|| default_text(note, noun))
            }
        })
    }

    fn duplicate(&self, note: &Note) -> Result<String, StoreError> {
        let read = |error| StoreError::Corrupt(format!("the row of a note: {error}"));
        let line = |draft: &Draft| Ok::<_, StoreError>(self.registry.kind_of(&draft.kind)?.describe(draft, self.style));
        Ok(match &*note.why.code {
            "known" => {
                let row: Record = serde_json::from_value(note.value.clone()).map_err(read)?;
                let name = self.registry.row_names().reference(&row.draft.kind, row.id);
                format!("you already have {name} {}", line(&row.draft)?)
            }
            "twice" => {
                let draft: Draft = serde_json::from_value(note.value.clone()).map_err(read)?;
                format!("{} is in this list twice", line(&draft)?)
            }
            _ => "the same was added a moment ago".to_owned(),
        })
    }

    fn changed_since(&self, value: &Value) -> Result<String, StoreError> {
        let rows: Vec<RowRef> = serde_json::from_value(value["rows"].clone())
            .map_err(|error| StoreError::Corrupt(format!("the rows of a note: {error}")))?;
        let names = self.registry.row_names().references(&rows);
        Ok(match value["all"].as_u64() {
            Some(all) => format!("{} of {all} changed since then: {names}", rows.len()),
            None => format!("{names} changed since then"),
        })
    }
}

fn not_stated(why: &str, note: &Note) -> String {
    match (why, &note.why.said) {
        ("unsure", Some(said)) => format!("the assistant is not sure (“{said}”)"),
        ("unsure", None) => "the assistant is not sure".to_owned(),
        ("queried", _) => "something was looked up first".to_owned(),
        ("question", _) => "you asked a question".to_owned(),
        (_, Some(said)) => format!("you said “{said}”"),
        (_, None) => "you did not say to delete it".to_owned(),
    }
}

fn default_text(note: &Note, noun: &str) -> String {
    let values: Vec<String> = note.values().iter().map(plain).collect();
    let value = if values.is_empty() { String::new() } else { format!(", {}", values.join(" and ")) };
    let said = note.why.said.as_ref().map(|said| format!(" (you said “{said}”)")).unwrap_or_default();
    match &*note.field {
        "id" => format!("which {noun}{}", value.replacen(", ", ", #", 1)),
        field => format!("the {field}{value}{said}"),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
