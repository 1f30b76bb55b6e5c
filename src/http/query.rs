//! The query parameters of an address.

use axum::{extract::Query, http::Uri};
use serde_json::{Map, Value, json};

use super::records::refused;
use crate::json_fields::FieldError;

/// The names of filters that can be there several times.
const LISTS: [&str; 2] = ["categories", "without"];

/// One that is there several times has all its values.
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// # Errors
    /// A name that is not among `known`, or is there twice although it is no list.
    pub fn read(uri: &Uri, known: &[&str]) -> Result<Parameters, FieldError> {
        let unreadable = |_| refused("the query of the address cannot be read");
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(unreadable)?;
        for (n, (name, _)) in pairs.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let name: String = name.chars().take(40).collect();
                let none = "this address has no parameters";
                let which = if known.is_empty() { none.to_owned() } else { format!("the parameters are {known}") };
                return Err(refused(format!("there is no parameter {name:?}: {which}")));
            }
            if !LISTS.contains(&name.as_str()) && pairs[..n].iter().any(|(other, _)| other == name) {
                return Err(refused(format!("`{name}` is there twice")));
            }
        }
        Ok(Parameters(pairs))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All but these, each a text, or a list of texts if it is a list.
    pub fn values(&self, but: &[&str]) -> Map<String, Value> {
        let mut values = Map::new();
        for (name, value) in self.0.iter().filter(|(name, _)| !but.contains(&name.as_str())) {
            if LISTS.contains(&name.as_str()) {
                let list = values.entry(name).or_insert_with(|| json!([]));
                list.as_array_mut().into_iter().for_each(|list| list.push(value.as_str().into()));
            } else {
                values.insert(name.clone(), value.as_str().into());
            }
        }
        values
    }

    /// `limit`.
    pub fn limit(&self, default: usize, most: usize) -> Result<usize, FieldError> {
        let Some(limit) = self.get("limit") else { return Ok(default) };
        let limit = limit.parse().ok().filter(|limit| (1..=most).contains(limit));
        limit.ok_or_else(|| refused(format!("`limit` must be a number from 1 to {most}")))
    }

    /// `cursor`, read with this function.
    pub fn cursor<T>(&self, parse: fn(&str) -> Option<T>) -> Result<Option<T>, FieldError> {
        let cursor = self.get("cursor").map(|cursor| parse(cursor).ok_or(()));
        cursor.transpose().map_err(|()| refused("`cursor` is none that this list gave out"))
    }
}
