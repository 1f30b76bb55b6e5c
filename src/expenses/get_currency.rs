//! `get_currency`: the currency of amounts without one.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool::{Query, QueryResult, ToolContext, ToolError};

/// The default currency.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetCurrency {}

impl Query for GetCurrency {
    const NAME: &'static str = "get_currency";

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at your settings…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        const HOW: &str = "To change it, say “my currency is EUR”.";
        let summary_for_llm = match context.currency {
            Some(code) if context.given_currency.is_some() => {
                format!("Your currency is {code}. The app sets it.")
            }
            Some(code) => format!("Your currency is {code}. {HOW}"),
            None => "You have not set a currency, so I ask each time. To set one, say “my currency is EUR”.".to_owned(),
        };
        Ok(QueryResult { count: 1, summary_for_llm, ..QueryResult::default() })
    }
}
