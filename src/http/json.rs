//! Strict JSON: one object, no repeated key at any depth, nested no deeper than a request needs.
//!
//! Parsers differ in which of two equal keys they keep. So a repeated key could make the checked value differ from the
//! used one. This module does not know what a request means.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The object in the body is level 1.
pub const MAX_DEPTH: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    #[error("the body is empty. Send a JSON object")]
    Empty,
    #[error("the body is not UTF-8 text. Send a JSON object in UTF-8")]
    NotText,
    #[error("the body is not valid JSON: {0}. Send one JSON object")]
    Invalid(serde_json::Error),
    #[error("the body must be a JSON object, like {{\"message\": \"coffee 3.50\"}}")]
    NotAnObject,
}

pub fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, JsonError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| JsonError::NotText)?;
    if text.trim().is_empty() {
        return Err(JsonError::Empty);
    }
    match serde_json::from_str(text).map_err(JsonError::Invalid)? {
        Strict(Value::Object(object)) => Ok(object),
        _ => Err(JsonError::NotAnObject),
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        Level { left: MAX_DEPTH }.deserialize(deserializer).map(Strict)
    }
}

/// Reads a value with at most this many levels in it.
#[derive(Clone, Copy)]
struct Level {
    left: usize,
}

impl Level {
    fn deeper<E: de::Error>(self) -> Result<Level, E> {
        let left = self.left.checked_sub(1);
        left.map(|left| Level { left }).ok_or_else(|| E::custom(format!("nested deeper than {MAX_DEPTH} levels")))
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let level = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(level)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let level = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                let key: String = key.chars().take(40).collect();
                return Err(de::Error::custom(format!("the key {key:?} is there twice")));
            }
            object.insert(key, entries.next_value_seed(level)?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn nested(levels: usize) -> Vec<u8> {
        format!("{{\"a\":{}1{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1)).into_bytes()
    }

    #[test]
    fn an_object_is_read_unchanged() {
        let text = "\u{feff} {\"a\": [1, -2, 0.5, null, true, {\"b\": \"\\u00e9\\u0000\"}]} ";
        let expected = json!({"a": [1, -2, 0.5, null, true, {"b": "é\0"}]});
        assert_eq!(Value::Object(parse_object(text.as_bytes()).unwrap()), expected);
    }

    #[test]
    fn anything_but_one_strict_object_is_refused_with_a_reason() {
        let refused: [(&[u8], &str); 12] = [
            (b"", "empty"),
            (b" \n", "empty"),
            (b"{\"a\": 1", "EOF"),
            (b"{\"a\": 1} x", "trailing characters"),
            (b"[1]", "must be a JSON object"),
            (b"\"text\"", "must be a JSON object"),
            (b"{\"a\": 1, \"a\": 2}", "the key \"a\" is there twice"),
            (b"{\"x\": [{\"a\": 1, \"\\u0061\": 2}]}", "the key \"a\" is there twice"),
            (b"{\"a\": \"\xff\"}", "not UTF-8"),
            (b"{\"a\": \"\\ud800\"}", "hex escape"),
            (b"{\"a\": 1e400}", "out of range"),
            (b"{\"a\": NaN}", "expected"),
        ];
        for (bytes, reason) in refused {
            let error = parse_object(bytes).unwrap_err().to_string();
            assert!(error.contains(reason), "{error} for {}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        assert!(parse_object(&nested(MAX_DEPTH)).is_ok());
        for levels in [MAX_DEPTH + 1, 10_000] {
            let error = parse_object(&nested(levels)).unwrap_err().to_string();
            assert!(error.contains("nested deeper than 32 levels"), "{error}");
        }
    }
}
