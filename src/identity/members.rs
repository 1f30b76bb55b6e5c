//! The people who share a tenant's records.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Caller;

/// Everybody who has used a tenant and may add records, by user id, with their display names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Members(BTreeMap<String, Option<String>>);

impl Members {
    pub fn add(&mut self, user: String, name: Option<String>) {
        self.0.insert(user, name);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// User ids and display names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.0.iter().map(|(user, name)| (user.as_str(), name.as_deref()))
    }

    /// The members except this one.
    pub fn others(&self, caller: &Caller) -> impl Iterator<Item = (&str, Option<&str>)> {
        let own = caller.user().as_str().to_owned();
        self.iter().filter(move |(user, _)| *user != own)
    }

    /// The caller as a member, if this is not known yet. A token without a name does not take a known name away.
    pub fn unknown(&self, caller: &Caller) -> Option<(String, Option<String>)> {
        let known = self.0.get(caller.user().as_str());
        let is_known = known.is_some_and(|known| caller.name().is_none() || known.as_deref() == caller.name());
        let name = caller.name().map(str::to_owned);
        (caller.may_add() && !is_known).then(|| (caller.user().to_string(), name))
    }

    /// What people call this member: the display name, with the user id if several have the name, if it is the id of
    /// another member, or if none is known.
    pub fn label(&self, user: &str) -> String {
        let Some(Some(name)) = self.0.get(user) else { return user.to_owned() };
        let same = self.iter().filter(|(_, other)| other.is_some_and(|other| other.eq_ignore_ascii_case(name)));
        let is_another_id = name != user && self.0.contains_key(name);
        if is_another_id || same.count() > 1 { format!("{name} ({user})") } else { name.clone() }
    }

    /// Adds `ownerName` to the JSON object of a row, if the name of its owner is known.
    pub fn name_owner(&self, row: &mut Value) {
        let name = row["owner"].as_str().and_then(|owner| self.0.get(owner)?.clone());
        if let (Some(name), Some(fields)) = (name, row.as_object_mut()) {
            fields.insert("ownerName".to_owned(), name.into());
        }
    }
}
