//! `set_tenant`.

use jiff::tz::{self, TimeZone};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::setting::Setting;
use crate::{
    identity::Role,
    proposal::Policy,
    sorted::Collect,
    tool::{Action, Gate, Plan, ToolContext, ToolError},
};

/// Propose when changes wait for a yes, or the time zone, for everybody who shares the records. Only administrators can.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetTenant {
    /// "always": every change waits for a yes. "risky": a plain new row is saved at once. "never": a plain change of one
    /// row is saved at once.
    pub policy: Option<String>,
    /// Its IANA name, like "Europe/Berlin", or only the city.
    pub timezone: Option<String>,
}

impl Action for SetTenant {
    const NAME: &'static str = "set_tenant";

    const GATE: Option<Gate> = Some(|input| input.said.iter().any(|said| is_about_settings(said)));

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if context.caller.role() != Role::Admin {
            let text = "only an administrator can change this for everybody. Ask one to say it here";
            return Err(ToolError::Forbidden(text.into()));
        }
        let policy = self.policy.as_deref().map(|name| {
            Policy::parse(name).ok_or_else(|| ToolError::Refused("`policy` is always, risky or never".into()))
        });
        let wanted: Vec<Setting> = [
            policy.transpose()?.map(Setting::Policy),
            self.timezone.as_deref().map(zone).transpose()?.map(Setting::Timezone),
        ]
        .into_iter()
        .flatten()
        .collect();
        if wanted.is_empty() {
            return Err(ToolError::Malformed("say `policy` or `timezone`".into()));
        }
        let changes: Vec<_> = wanted.iter().filter_map(|setting| setting.change(context)).collect();
        if changes.is_empty() {
            return Err(ToolError::Refused("it is set like that already".into()));
        }
        if context.remaining_capacity() < changes.len() {
            return Err(ToolError::Refused(
                "I cannot remember more. Remove a setting or another thing that I remember first".into(),
            ));
        }
        let stored = wanted.iter().flat_map(Setting::body).map(|(name, value)| (name, json!(value)));
        // It applies to everybody, so it always waits for approval.
        Ok(Plan { changes, stored: Some(Value::Object(stored.inserted())), ..Plan::default() })
    }
}

/// "Europe/Berlin", and "Berlin" if only one place is called so.
fn zone(said: &str) -> Result<String, ToolError> {
    let said = said.trim().replace(' ', "_");
    if let Ok(found) = TimeZone::get(&said)
        && let Some(name) = found.iana_name()
    {
        return Ok(name.to_owned());
    }
    let is_city = |name: &String| name.rsplit('/').next().is_some_and(|city| city.eq_ignore_ascii_case(&said));
    let named = tz::db().available().map(|name| name.to_string()).filter(is_city);
    match &named.collect::<Vec<_>>()[..] {
        [only] => Ok(only.clone()),
        _ => Err(ToolError::Refused("I don't know this time zone. Say it like “Europe/Berlin”".into())),
    }
}

/// Words of a message that may be about these settings.
fn is_about_settings(said: &str) -> bool {
    const WORDS: [&str; 16] = [
        "ask", "asking", "confirm", "confirmation", "approve", "approval", "zone", "timezone", "zeitzone", "frag",
        "frage", "bestätigen", "fuseau", "demande", "zona", "pregunta",
    ];
    said.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
