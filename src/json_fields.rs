//! Reads the fields of a JSON object, and says where a wrong one is.

use serde_json::{Map, Value};

use crate::{money::Currency, phrases::clean};

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    TooLarge(String),
    /// The syntax is valid, but no such thing can be meant.
    #[error("{0}")]
    Unprocessable(String),
}

/// An object of the body and its path for error messages. An absent field and `null` are the same.
pub struct Fields<'a> {
    pub name: String,
    pub fields: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub fn root(fields: &'a Map<String, Value>) -> Fields<'a> {
        Fields { name: String::new(), fields }
    }

    pub fn at(path: &str, fields: &'a Map<String, Value>) -> Fields<'a> {
        Fields { name: path.to_owned(), fields }
    }

    pub fn of(path: &str, value: &'a Value) -> Result<Fields<'a>, FieldError> {
        let fields = value.as_object().ok_or_else(|| wrong(path, "an object"))?;
        Ok(Fields { name: path.to_owned(), fields })
    }

    pub fn path(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, FieldError> {
        let text = self.get(name).map(|value| value.as_str().ok_or_else(|| wrong(&self.path(name), "text")));
        text.transpose()
    }

    pub fn required_text(&self, name: &str) -> Result<&'a str, FieldError> {
        self.text(name)?.ok_or_else(|| self.missing(name))
    }

    fn missing(&self, name: &str) -> FieldError {
        FieldError::Malformed(format!("`{}` is missing", self.path(name)))
    }

    pub fn flag(&self, name: &str) -> Result<bool, FieldError> {
        let Some(value) = self.get(name) else { return Ok(false) };
        value.as_bool().ok_or_else(|| wrong(&self.path(name), "true or false"))
    }

    pub fn required_flag(&self, name: &str) -> Result<bool, FieldError> {
        self.get(name).ok_or_else(|| self.missing(name))?;
        self.flag(name)
    }

    pub fn required_object(&self, name: &str) -> Result<Fields<'a>, FieldError> {
        self.object(name)?.ok_or_else(|| self.missing(name))
    }

    pub fn object(&self, name: &str) -> Result<Option<Fields<'a>>, FieldError> {
        self.get(name).map(|value| Fields::of(&self.path(name), value)).transpose()
    }

    pub fn list(&self, name: &str) -> Result<Option<&'a [Value]>, FieldError> {
        let list = self.get(name).map(|value| value.as_array().ok_or_else(|| wrong(&self.path(name), "a list")));
        Ok(list.transpose()?.map(Vec::as_slice))
    }

    /// An ISO 4217 code in any case.
    pub fn currency(&self) -> Result<Option<String>, FieldError> {
        let currency = self.text("currency")?.map(|code| {
            let currency = Currency::parse(code).map(|currency| currency.code().to_owned());
            currency.map_err(|error| FieldError::Unprocessable(format!("`{}`: {error}", self.path("currency"))))
        });
        currency.transpose()
    }
}

pub fn at_most(name: &str, text: &str, characters: usize) -> Result<(), FieldError> {
    // No text has more characters than bytes, which are cheaper to count.
    if text.len() <= characters || text.chars().count() <= characters {
        return Ok(());
    }
    Err(FieldError::TooLarge(format!("`{name}` is longer than {characters} characters. Send a shorter one")))
}

/// At most 40 characters, for error messages.
pub fn short(text: &str) -> String {
    clean(text).chars().take(40).collect()
}

pub fn wrong(path: &str, expected: &str) -> FieldError {
    FieldError::Malformed(format!("`{path}` must be {expected}"))
}
