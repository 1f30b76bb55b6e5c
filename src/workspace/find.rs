//! Finding the one row that a person means.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{entry::EntryKind, grounding::FILLERS};
use crate::{
    proposal::Record,
    store::Condition,
    tool::{Question, RecordKind, Rendering, ToolContext, ToolError, row_filter::RowFilter, selection, words::words},
};

/// Rows offered where several are called so.
const OPTIONS: usize = 5;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pointer {
    /// The number the person gave (#4).
    pub id: Option<u64>,
    /// The person's words for its title, if there is no number.
    pub title: Option<String>,
}

impl Pointer {
    /// The row of this number, or else the only one that meets the conditions and is called so.
    pub async fn find(
        &self,
        kind: &EntryKind,
        conditions: &[Condition],
        context: &ToolContext<'_>,
    ) -> Result<Record, ToolError> {
        selection::check_role(context)?;
        let (title, noun) = (self.title.as_deref().unwrap_or_default().trim(), kind.name());
        let mut rows = match self.id {
            Some(id) => selection::numbered(context, kind, &[id]).await?,
            None if title.is_empty() => {
                let text = format!("Which {noun}? Say its number or its title.");
                return Err(ToolError::Ask(Question { text, ..Question::default() }));
            }
            None => called(title, kind, conditions, context).await?,
        };
        if let [] = rows.as_slice() {
            return Err(ToolError::Refused(format!(
                "there is no such {noun} “{}”. Say its title or its number",
                words(title).trim()
            )));
        }
        if rows.len() == 1 {
            return Ok(rows.remove(0));
        }
        rows.truncate(OPTIONS);
        let line = |row: &Record| format!("#{} {}", row.id, kind.describe(&row.draft, context.style()));
        let options = rows.iter().map(line).collect();
        let text = format!("Which {noun} do you mean?");
        Err(ToolError::Ask(Question {
            text,
            options,
            rows: rows.iter().map(Record::row_ref).collect(),
            ..Question::default()
        }))
    }
}

/// Those with all of the words; of these, the one with no other words in its title.
async fn called(
    title: &str,
    kind: &EntryKind,
    conditions: &[Condition],
    context: &ToolContext<'_>,
) -> Result<Vec<Record>, ToolError> {
    let spaced = words(title);
    let telling: Vec<&str> = spaced.split_whitespace().filter(|word| !FILLERS.contains(word)).collect();
    let filter = RowFilter::default().with_words("words", Some(&telling.join(" ")))?.and(conditions.iter().cloned());
    let rows = selection::matching(context, kind, &filter).await?;
    let is_it = |row: &&Record| kind.title(&row.draft).is_some_and(|title| words(&title) == spaced);
    match rows.iter().filter(is_it).collect::<Vec<_>>().as_slice() {
        [only] => Ok(vec![(*only).clone()]),
        _ => Ok(rows),
    }
}
