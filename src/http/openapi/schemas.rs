//! Makes the generated schemas as plain as the JSON is.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::route::SchemaOf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Null is the same as nothing.
    Sent,
    /// What is not always there is never null.
    Answered,
}

/// The properties of a type's schema, and whether they are required.
pub fn properties(schema: SchemaOf, generator: &mut SchemaGenerator) -> Vec<(String, Value, bool)> {
    let mut schema = schema(generator).to_value();
    tidy(&mut schema, Direction::Sent);
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().expect("an object").clone();
    let with_required = |(name, schema): (String, Value)| {
        let is_required = required.contains(&json!(name));
        (name, schema, is_required)
    };
    properties.into_iter().map(with_required).collect()
}

pub fn tidy(schema: &mut Value, direction: Direction) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(|schema| tidy(schema, direction)),
        Value::Object(fields) => {
            tidy_fields(fields, direction);
            fields.values_mut().for_each(|schema| tidy(schema, direction));
        }
        _ => {}
    }
}

fn tidy_fields(fields: &mut Map<String, Value>, direction: Direction) {
    // Formats of Rust's numbers.
    let is_of_rust = |format: &Value| format.as_str().is_some_and(|format| !format.starts_with("date"));
    if fields.contains_key("type") && fields.get("format").is_some_and(is_of_rust) {
        fields.remove("format");
    }
    if fields.get("default").is_some_and(Value::is_null) {
        fields.remove("default");
    }
    if let Some(Value::String(description)) = fields.get_mut("description") {
        // The lines of a doc comment.
        *description = description.split("\n\n").map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("\n\n");
    }
    if direction == Direction::Sent || !fields.contains_key("properties") {
        return;
    }
    let required: Vec<Value> = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = fields.get_mut("properties") else { return };
    for (name, property) in properties {
        if let Some(property) = property.as_object_mut() {
            property.remove("default");
        }
        if !required.contains(&json!(name)) {
            without_null(property);
        }
    }
}

/// The schema without null.
pub fn without_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(options)) = schema.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    let Some(Value::Array(options)) = schema.get_mut("anyOf") else { return };
    options.retain(|option| *option != json!({ "type": "null" }));
    let [Value::Object(only)] = options.as_slice() else { return };
    let only = only.clone();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("anyOf");
        for (name, value) in only {
            fields.entry(name).or_insert(value);
        }
    }
}

pub fn take_description(schema: &mut Value) -> String {
    let description = schema.as_object_mut().and_then(|fields| fields.remove("description"));
    description.and_then(|description| description.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Says what the JSON in a field is: an object or a list of objects of another schema.
pub fn refine(schemas: &mut Map<String, Value>, schema: &str, field: &str, element: &str) {
    assert!(schemas.contains_key(element), "there is no schema {element}");
    let property = schemas.get_mut(schema).and_then(|schema| schema.pointer_mut(&format!("/properties/{field}")));
    let property = property.unwrap_or_else(|| panic!("{schema} has no {field}"));
    let reference = json!({ "$ref": format!("#/components/schemas/{element}") });
    let mut refined =
        if property["type"] == "array" { json!({ "type": "array", "items": reference }) } else { reference };
    let description = take_description(property);
    if !description.is_empty() {
        refined["description"] = description.into();
    }
    *property = refined;
}

/// The text of a parameter as its schema's type.
pub fn typed(text: &Value, schema: &Value) -> Value {
    let parsed = || text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| text.clone());
    match schema["type"].as_str() {
        Some("integer" | "boolean") => parsed(),
        Some("array") => json!([text]),
        _ => text.clone(),
    }
}
