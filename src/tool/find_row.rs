//! Finds the one row that a person means, by its number or by its title.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Question, RecordKind, ToolContext, ToolError, row_filter::RowFilter, selection, words::words};
use crate::{proposal::Record, store::Condition};

/// Rows offered if several have the title.
const OPTIONS: usize = 5;

/// Words of a title that do not tell rows apart. The nouns of the kind are among them, too.
const FILLERS: [&str; 7] = ["a", "an", "the", "my", "to", "that", "this"];

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pointer")]
pub struct RowPointer {
    /// The number the person gave (#4).
    pub id: Option<u64>,
    /// The person's words for its title, if there is no number.
    pub title: Option<String>,
}

impl RowPointer {
    /// The row with this number, or else the only row with this title that meets the conditions. The kind must store
    /// its words in the field `words`.
    ///
    /// # Errors
    /// [`ToolError::Ask`] if several rows have the title, [`ToolError::Refused`] if there is none.
    pub async fn find(
        &self,
        kind: &dyn RecordKind,
        conditions: &[Condition],
        context: &ToolContext<'_>,
    ) -> Result<Record, ToolError> {
        selection::check_role(context)?;
        let (title, noun) = (self.title.as_deref().unwrap_or_default().trim(), kind.noun(1));
        let mut rows = match self.id {
            Some(id) => selection::numbered(context, kind, &[id]).await?,
            None if title.is_empty() => {
                let text = format!("Which {noun}? Say its number or its title.");
                return Err(ToolError::ask(Question { text, ..Question::default() }));
            }
            None => titled(title, kind, conditions, context).await?,
        };
        if rows.is_empty() {
            let title = words(title);
            let text = format!("there is no such {noun} “{}”. Say its title or its number", title.trim());
            return Err(ToolError::Refused(text));
        }
        if rows.len() == 1 {
            return Ok(rows.remove(0));
        }
        rows.truncate(OPTIONS);
        let line = |row: &Record| format!("#{} {}", row.id, kind.describe(&row.draft, context.style()));
        let options = rows.iter().map(line).collect();
        let values = rows.iter().map(|row| json!({ "id": row.id })).collect();
        let text = format!("Which {noun} do you mean?");
        let rows = rows.iter().map(|row| super::shown_row(kind, row)).collect();
        Err(ToolError::ask(Question { text, options, rows, values, ..Question::default() }))
    }
}

/// The words of a title that tell which row is meant.
pub fn telling_words<'w>(kind: &dyn RecordKind, spaced: &'w str) -> impl Iterator<Item = &'w str> {
    let nouns = [kind.noun(1), kind.noun(2)];
    spaced.split_whitespace().filter(move |word| !FILLERS.contains(word) && !nouns.contains(word))
}

/// The rows with all words in the title, or else in any text; of these, only the one whose title has no other words, if
/// there is one.
async fn titled(
    title: &str,
    kind: &dyn RecordKind,
    conditions: &[Condition],
    context: &ToolContext<'_>,
) -> Result<Vec<Record>, ToolError> {
    let spaced = words(title);
    let telling = telling_words(kind, &spaced).collect::<Vec<_>>().join(" ");
    let filter = RowFilter::default().and(conditions.iter().cloned());
    let mut rows = selection::matching(context, kind, &filter.clone().named(&telling)?).await?;
    if rows.is_empty() {
        rows = selection::matching(context, kind, &filter.with_words("words", Some(&telling))?).await?;
    }
    let is_exact = |row: &&Record| kind.title(&row.draft).is_some_and(|title| words(&title) == spaced);
    match rows.iter().filter(is_exact).collect::<Vec<_>>().as_slice() {
        [only] => Ok(vec![(*only).clone()]),
        _ => Ok(rows),
    }
}
