//! A streamed answer of Anthropic's Messages API.
//!
//! <https://docs.anthropic.com/en/docs/build-with-claude/streaming>

use serde_json::{Map, Value, json};

use crate::model::{
    provider::{Collected, Collector},
    sse::Event,
};

#[derive(Debug, Default)]
pub struct Message {
    message: Map<String, Value>,
    blocks: Vec<Block>,
    has_ended: bool,
}

#[derive(Debug)]
struct Block {
    content: Map<String, Value>,
    /// The arguments of a call, as text.
    input: String,
}

impl Collector for Message {
    fn read(&mut self, event: &Event) -> Collected {
        let Ok(Value::Object(mut fields)) = serde_json::from_str(&event.data) else { return Collected::Invalid };
        let object = |field: Option<Value>| match field {
            Some(Value::Object(fields)) => Some(fields),
            _ => None,
        };
        let kind = fields.remove("type");
        match kind.as_ref().and_then(Value::as_str) {
            Some("message_start") => {
                let Some(message) = object(fields.remove("message")) else { return Collected::Invalid };
                self.message = message;
                Collected::Other
            }
            Some("content_block_start") => match object(fields.remove("content_block")) {
                Some(content) if index(&fields) == Some(self.blocks.len()) => {
                    self.blocks.push(Block { content, input: String::new() });
                    Collected::Other
                }
                _ => Collected::Invalid,
            },
            Some("content_block_delta") => {
                let block = index(&fields).and_then(|index| self.blocks.get_mut(index));
                let read = block.zip(object(fields.remove("delta"))).map(|(block, delta)| block.read(delta));
                read.unwrap_or(Collected::Invalid)
            }
            Some("message_delta") => {
                self.message.extend(object(fields.remove("delta")).unwrap_or_default());
                let usage = self.message.entry("usage").or_insert_with(|| json!({})).as_object_mut();
                if let Some((usage, last)) = usage.zip(object(fields.remove("usage"))) {
                    usage.extend(last);
                }
                Collected::Other
            }
            Some("message_stop") => {
                self.has_ended = true;
                Collected::End
            }
            Some("error") => Collected::Failed(status(fields.get("error"))),
            // `ping`, `content_block_stop`, and types that are added later.
            Some(_) => Collected::Other,
            None => Collected::Invalid,
        }
    }

    fn whole(mut self: Box<Self>) -> Option<Value> {
        self.message.insert("content".into(), self.blocks.into_iter().map(Block::whole).collect());
        self.has_ended.then_some(Value::Object(self.message))
    }
}

impl Block {
    fn read(&mut self, mut delta: Map<String, Value>) -> Collected {
        let kind = delta.remove("type");
        match (kind.as_ref().and_then(Value::as_str), delta.into_iter().next()) {
            (Some("text_delta"), Some((_, Value::String(text)))) => {
                append(&mut self.content, "text", &text);
                Collected::Text(text)
            }
            (Some("input_json_delta"), Some((_, Value::String(json)))) => {
                self.input.push_str(&json);
                Collected::Other
            }
            // One citation after another.
            (Some("citations_delta"), Some((_, citation))) => {
                let citations = self.content.entry("citations").or_insert(Value::Null);
                match citations.as_array_mut() {
                    Some(citations) => citations.push(citation),
                    None => *citations = Value::Array(vec![citation]),
                }
                Collected::Other
            }
            // `thinking` and its `signature`, which must be sent back unchanged.
            (Some(_), Some((field, Value::String(text)))) => {
                append(&mut self.content, &field, &text);
                Collected::Other
            }
            (Some(_), _) => Collected::Other,
            (None, _) => Collected::Invalid,
        }
    }

    /// Arguments that are no JSON stay text.
    fn whole(mut self) -> Value {
        if !self.input.trim().is_empty() {
            let input = serde_json::from_str(&self.input).unwrap_or(Value::String(self.input));
            self.content.insert("input".into(), input);
        }
        Value::Object(self.content)
    }
}

fn index(fields: &Map<String, Value>) -> Option<usize> {
    fields.get("index")?.as_u64()?.try_into().ok()
}

fn append(fields: &mut Map<String, Value>, name: &str, more: &str) {
    match fields.get_mut(name) {
        Some(Value::String(text)) => text.push_str(more),
        _ => drop(fields.insert(name.to_owned(), more.into())),
    }
}

/// The status of an error, by its type.
fn status(error: Option<&Value>) -> u16 {
    match error.and_then(|error| error["type"].as_str()) {
        Some("invalid_request_error") => 400,
        Some("authentication_error") => 401,
        Some("billing_error") => 402,
        Some("permission_error") => 403,
        Some("not_found_error") => 404,
        Some("request_too_large") => 413,
        Some("rate_limit_error") => 429,
        Some("overloaded_error") => 529,
        _ => 500,
    }
}
