//! `delete_expense`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::lookup::{ExpenseReference, find_each};
use crate::{
    money::Amount,
    proposal::Change,
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Propose to delete one expense, by its id or by a description that fits exactly one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteExpense {
    /// The number the person gave (#42).
    pub id: Option<u64>,
    /// The person's words for it, if there is no number: "electricity bill". "last": the one that was written last.
    pub description: Option<String>,
    /// Its amount, if the person identifies it by the amount ("the 12 one").
    pub cost: Option<Amount>,
    /// Its day, or a range of days, if the person said one.
    pub date: Option<String>,
}

impl Action for DeleteExpense {
    const NAME: &'static str = "delete_expense";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let pointer = ExpenseReference {
            id: self.id,
            description: self.description.as_deref(),
            cost: self.cost.as_ref(),
            date: self.date.as_deref(),
        };
        let found = find_each(pointer, context).await?;
        Ok(Plan { changes: found.into_iter().map(|before| Change::Delete { before }).collect(), ..Plan::default() })
    }
}
