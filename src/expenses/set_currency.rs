//! `set_currency`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{arguments::refused, setting, spoken_facts::SpokenFacts};
use crate::{
    money::Currency,
    proposal::{Note, NoteKind},
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Propose a default currency for amounts without one. Recorded expenses keep their currency.
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
            return Err(ToolError::Forbidden(
                "your role is viewer, so you can look but not add. Ask an administrator for another role".into(),
            ));
        }
        let currency = Currency::parse(&self.currency).map_err(refused)?;
        let doubt = (!SpokenFacts::new(context, false).is_said_currency(currency))
            .then(|| Note::assumed(setting::KIND, "currency", currency.code()));
        let other = context.given_currency.filter(|given| *given != currency.code());
        let overruled =
            other.map(|given| Note::new(NoteKind::LeftOut, setting::KIND, "currency", given).because("given"));
        Ok(Plan {
            changes: vec![setting::currency(currency, context)?],
            notes: doubt.into_iter().chain(overruled).collect(),
            // The currency applies to later amounts of all users, so this always waits for approval.
            stored: Some(json!({ "currency": currency.code() })),
        })
    }
}
