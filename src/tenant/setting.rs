//! A setting of the tenant as a kind of record: when changes wait, and the time zone.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::{
    phrases::Style,
    proposal::{Body, Change, Draft, Operation, Policy, Record},
    tool::{Preferences, ReadingPreferences, RecordKind, Rendering, ToolContext},
};

/// The owner of settings: no member is called so, and only administrators change what is not their own.
const NOBODY: &str = "";

/// Prefix of the record keys.
pub const KIND: &str = "MT";

pub struct SettingKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    Policy(Policy),
    /// A name of the IANA database that this program knows.
    Timezone(String),
}

impl RecordKind for SettingKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "tenantSetting"
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "setting" } else { "settings" }
    }

    fn preferences(&self) -> Option<&dyn Preferences> {
        Some(self)
    }
}

impl Rendering for SettingKind {
    fn describe(&self, draft: &Draft, _: Style) -> String {
        match Setting::of(draft) {
            Some(Setting::Policy(Policy::Always)) => "ask everybody before every change".into(),
            Some(Setting::Policy(Policy::Never)) => "save a plain change of one row at once for everybody".into(),
            Some(Setting::Policy(_)) => "ask everybody before every change except a plain new row".into(),
            Some(Setting::Timezone(name)) => format!("use {name} as the time zone for everybody"),
            None => "a setting that I cannot read".into(),
        }
    }

    fn describe_change(&self, _: &Draft, after: &Draft, style: Style) -> String {
        self.describe(after, style)
    }

    fn row(&self, record: &Record) -> Value {
        let mut row = json!({ "id": record.id, "version": record.version });
        if let (Some(setting), Some(fields)) = (Setting::of(&record.draft), row.as_object_mut()) {
            fields.extend(setting.body());
        }
        row
    }
}

impl Preferences for SettingKind {
    fn side_effect(&self, operation: &Operation, style: Style) -> Option<String> {
        Some(match operation.after() {
            Some(after) => self.describe(&after.draft, style),
            None => format!("no longer {}", self.describe(&operation.row().draft, style)),
        })
    }

    fn apply(&self, draft: &Draft, reading: &mut ReadingPreferences) {
        match Setting::of(draft) {
            Some(Setting::Policy(policy)) => reading.policy = Some(policy),
            Some(Setting::Timezone(name)) => reading.timezone = Some(name),
            None => {}
        }
    }
}

impl Setting {
    fn of(draft: &Draft) -> Option<Setting> {
        let (name, value) = draft.body.iter().next()?;
        match (name.as_str(), value.as_str()?) {
            ("policy", value) => Policy::parse(value).map(Setting::Policy),
            ("timezone", name) => TimeZone::get(name).ok().map(|_| Setting::Timezone(name.to_owned())),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Setting::Policy(_) => "policy",
            Setting::Timezone(_) => "timezone",
        }
    }

    pub fn body(&self) -> Body {
        let value = match self {
            Setting::Policy(policy) => json!(policy),
            Setting::Timezone(name) => json!(name),
        };
        Body::from([(self.name().to_owned(), value)])
    }

    /// None if it is set like this already. There is one record of each setting.
    pub fn change(&self, context: &ToolContext<'_>) -> Option<Change> {
        let known =
            context.preferences_of(KIND).rfind(|record| record.draft.unique_key.as_deref() == Some(self.name()));
        let draft = Draft {
            kind: KIND.into(),
            owner: NOBODY.into(),
            body: self.body(),
            date: context.today,
            unique_key: Some(self.name().to_owned()),
            ..Draft::default()
        };
        match known {
            None => Some(Change::Create(draft)),
            Some(before) if before.draft.body == draft.body => None,
            Some(before) => {
                let after = Draft { date: before.draft.date, ..draft };
                Some(Change::Update { before: before.clone(), after })
            }
        }
    }
}
