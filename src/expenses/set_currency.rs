//! `set_currency`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    add_expense::refused,
    grounding::{Said, assumed},
    preference,
};
use crate::{
    money::Currency,
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Propose which currency is meant from now on where none is named. What is recorded keeps its own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetCurrency {
    /// ISO 4217 code of the currency the person named.
    pub currency: String,
}

impl Action for SetCurrency {
    const NAME: &'static str = "set_currency";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !context.caller.may_add() {
            return Err(ToolError::Forbidden("viewers can look but not add; ask an administrator for the role".into()));
        }
        let currency = Currency::parse(&self.currency).map_err(refused)?;
        let doubt = (!Said::new(context, false).is_said_currency(currency))
            .then(|| assumed(format!("the currency, {currency}")));
        Ok(Plan {
            changes: vec![preference::currency(currency, context)?],
            notes: doubt.into_iter().collect(),
            // It is what everybody's amounts mean from then on, so it waits whatever else is in the proposal.
            stored: Some(json!({ "currency": currency.code() })),
        })
    }
}
