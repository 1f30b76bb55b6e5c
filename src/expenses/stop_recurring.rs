//! `stop_recurring`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    budget::Period,
    lookup::told_apart,
    recurring::{Recurring, RecurringKind, pointer, with_words},
};
use crate::{
    proposal::Change,
    tool::{Action, Plan, Question, Rendering, ToolContext, ToolError},
};

/// Propose to stop a recurring expense. The person is not asked about it again. Expenses already added stay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRecurring {
    /// The person's words for it: "rent".
    pub item: String,
    /// How often it repeats, only if the person said so.
    pub every: Option<Period>,
}

impl Action for StopRecurring {
    const NAME: &'static str = "stop_recurring";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let telling = told_apart(&self.item);
        let mut found = with_words(&telling, context);
        let is_every = |entry: Recurring| self.every.is_none_or(|every| entry.every == every);
        found.retain(|record| Recurring::of(&record.draft).is_none_or(is_every));
        let name = telling.join(" ");
        match found.as_slice() {
            [] => Err(ToolError::Refused(format!(
                "there is no recurring expense “{name}”. To delete an expense, say “delete {name}”"
            ))),
            [only] if !context.caller.may_change(&only.draft.owner) => {
                let text = format!("“{name}” belongs to someone else. Ask them or an administrator to stop it");
                Err(ToolError::Forbidden(text))
            }
            [only] => Ok(Plan { changes: vec![Change::Delete { before: (*only).clone() }], ..Plan::default() }),
            several => Err(ToolError::ask(Question {
                text: "Which one should I stop?".into(),
                options: several.iter().map(|record| RecurringKind.describe(&record.draft, context.style())).collect(),
                missing: vec!["item".into()],
                values: several.iter().map(|record| pointer(record)).collect(),
                ..Question::default()
            })),
        }
    }
}
