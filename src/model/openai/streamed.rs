//! A streamed answer of OpenAI's Chat Completions.
//!
//! <https://platform.openai.com/docs/api-reference/chat-streaming>

use serde_json::{Map, Value, json};

use crate::model::{
    provider::{Collected, Collector},
    sse::Event,
};

#[derive(Debug, Default)]
pub struct Completion {
    message: Map<String, Value>,
    calls: Vec<Call>,
    finish_reason: Value,
    has_ended: bool,
}

#[derive(Debug)]
struct Call {
    index: Option<u64>,
    fields: Map<String, Value>,
    function: Map<String, Value>,
}

impl Collector for Completion {
    fn read(&mut self, event: &Event) -> Collected {
        if event.data.trim() == "[DONE]" {
            self.has_ended = true;
            return Collected::End;
        }
        let Ok(Value::Object(mut chunk)) = serde_json::from_str(&event.data) else { return Collected::Invalid };
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Collected::Failed(status(&chunk["error"]));
        }
        // A chunk without a choice has the usage.
        let Some(choice) = chunk.get_mut("choices").and_then(|choices| choices.get_mut(0)) else {
            return Collected::Other;
        };
        if let Some(reason) = choice.get_mut("finish_reason").filter(|reason| !reason.is_null()) {
            self.finish_reason = reason.take();
        }
        let Some(Value::Object(delta)) = choice.get_mut("delta").map(Value::take) else { return Collected::Other };
        self.add(delta)
    }

    /// Some servers leave out the last event. The reason of the end comes after everything that is used.
    fn whole(mut self: Box<Self>) -> Option<Value> {
        if !self.has_ended && self.finish_reason.is_null() {
            return None;
        }
        if !self.calls.is_empty() {
            self.message.insert("tool_calls".into(), self.calls.into_iter().map(Call::whole).collect());
        }
        Some(json!({ "choices": [{ "message": self.message, "finish_reason": self.finish_reason }] }))
    }
}

impl Completion {
    fn add(&mut self, delta: Map<String, Value>) -> Collected {
        let mut said = None;
        for (name, value) in delta {
            match (name.as_str(), value) {
                ("tool_calls", Value::Array(calls)) => {
                    for call in calls {
                        let Value::Object(call) = call else { return Collected::Invalid };
                        self.add_to_call(call);
                    }
                }
                ("role", role) => drop(self.message.insert(name, role)),
                ("content", Value::String(text)) => {
                    append(&mut self.message, "content", &text);
                    said = Some(text).filter(|text| !text.is_empty());
                }
                (_, Value::String(text)) => append(&mut self.message, &name, &text),
                (_, value) if !value.is_null() => drop(self.message.insert(name, value)),
                _ => drop(self.message.entry(name).or_insert(Value::Null)),
            }
        }
        said.map_or(Collected::Other, Collected::Text)
    }

    /// Some servers number no calls, and send each as a whole.
    fn add_to_call(&mut self, mut part: Map<String, Value>) {
        let index = part.remove("index").as_ref().and_then(Value::as_u64);
        let begins = part.get("id").and_then(Value::as_str).is_some_and(|id| !id.is_empty());
        let position = match index {
            Some(_) => self.calls.iter().position(|call| call.index == index),
            None if begins => None,
            None => self.calls.len().checked_sub(1),
        };
        let position = position.unwrap_or_else(|| {
            self.calls.push(Call { index, fields: Map::new(), function: Map::new() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[position];
        if let Some(Value::Object(function)) = part.remove("function") {
            for (name, value) in function {
                match value {
                    Value::String(text) if name == "arguments" => append(&mut call.function, &name, &text),
                    value => keep_first(&mut call.function, name, value),
                }
            }
        }
        for (name, value) in part {
            keep_first(&mut call.fields, name, value);
        }
    }
}

impl Call {
    fn whole(mut self) -> Value {
        self.fields.insert("function".into(), Value::Object(self.function));
        Value::Object(self.fields)
    }
}

fn append(fields: &mut Map<String, Value>, name: &str, more: &str) {
    match fields.get_mut(name) {
        Some(Value::String(text)) => text.push_str(more),
        _ => drop(fields.insert(name.to_owned(), more.into())),
    }
}

/// Some servers repeat ids and names in every chunk, or send them empty.
fn keep_first(fields: &mut Map<String, Value>, name: String, value: Value) {
    let is_empty = |value: &Value| value.is_null() || value == "";
    if fields.get(&name).is_none_or(is_empty) && !(is_empty(&value) && fields.contains_key(&name)) {
        fields.insert(name, value);
    }
}

/// An error without a known status is worth another attempt.
fn status(error: &Value) -> u16 {
    error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400).unwrap_or(429)
}
