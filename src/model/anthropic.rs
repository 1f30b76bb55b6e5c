//! Anthropic's Messages API.
//!
//! <https://docs.anthropic.com/en/api/messages>

use serde::Serialize;
use serde_json::{Number, Value, json, value::RawValue};

use super::{
    CallOutcome, Completion, Ending, Message, ModelError, ModelRequest, ToolCall, ToolChoice, ToolSpec,
    provider::{Collector, Endpoint, Failure, Provider, written},
};

mod streamed;

/// In tokens, required by the API. It is enough for the longest answer that one proposal can use (about 90 calls), and
/// every current model allows it.
const MAX_TOKENS: u32 = 8192;

#[derive(Debug, Clone)]
pub struct Anthropic {
    pub model: String,
    /// The provider's default if none: some models take no temperature.
    pub temperature: Option<Number>,
}

impl Endpoint for Anthropic {
    fn path(&self) -> &'static str {
        "v1/messages"
    }

    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        vec![("x-api-key", key.to_owned()), ("anthropic-version", "2023-06-01".to_owned())]
    }

    fn failure(&self, status: u16, body: &[u8]) -> Failure {
        let error: Value = serde_json::from_slice(body).unwrap_or_default();
        let says = |text: &str| {
            error.pointer("/error/message").and_then(Value::as_str).is_some_and(|message| message.contains(text))
        };
        match status {
            401 | 403 => Failure::KeyRefused,
            402 => Failure::OutOfCredit,
            400 if says("credit balance") => Failure::OutOfCredit,
            413 => Failure::TooLong,
            400 if says("prompt is too long") => Failure::TooLong,
            408 | 409 | 425 | 429 | 500.. => Failure::Transient,
            _ => Failure::Rejected,
        }
    }

    fn settings(&self) -> &'static str {
        "MODEL_NAME and MODEL_BASE_URL"
    }
}

impl Provider for Anthropic {
    fn encode(&self, request: &ModelRequest<'_>) -> Vec<u8> {
        let choice = match request.choice {
            ToolChoice::Auto => json!({ "type": "auto" }),
            ToolChoice::None => json!({ "type": "none" }),
        };
        let body = Body {
            model: &self.model,
            temperature: self.temperature.as_ref(),
            max_tokens: MAX_TOKENS,
            // The cached prefix begins with the tools and ends after the rules.
            system: json!([
                { "type": "text", "text": request.system.rules, "cache_control": { "type": "ephemeral" } },
                { "type": "text", "text": request.system.now },
            ]),
            messages: messages(request.messages),
            tools: request.tools.iter().map(tool).collect(),
            tool_choice: Some(choice).filter(|_| !request.tools.is_empty()),
            stream: request.pieces.is_some(),
        };
        written(&body)
    }

    fn decode(&self, body: &[u8]) -> Result<Completion, ModelError> {
        let mut body: Value = serde_json::from_slice(body).map_err(|_| INVALID_ANSWER)?;
        let ending = match body.get("stop_reason").and_then(Value::as_str) {
            Some("end_turn" | "tool_use" | "stop_sequence") => Ending::Complete,
            Some("max_tokens") => Ending::Truncated,
            Some("refusal") => Ending::Refused,
            Some("pause_turn") => Ending::Paused,
            Some("model_context_window_exceeded") => return Err(ModelError::TooLong),
            _ => Ending::Unknown,
        };
        let content = body.get_mut("content").map(Value::take).ok_or(INVALID_ANSWER)?;
        let blocks = content.as_array().ok_or(INVALID_ANSWER)?;
        let of_type = |name: &'static str| blocks.iter().filter(move |block| block["type"] == name);
        let text = of_type("text").filter_map(|block| block["text"].as_str()).collect();
        let calls = of_type("tool_use").map(read_call).collect::<Option<_>>().ok_or(INVALID_ANSWER)?;
        Ok(Completion { text, calls, ending, confirmation_suggested: false, native: Some(content) })
    }

    fn collector(&self) -> Box<dyn Collector> {
        Box::new(streamed::Message::default())
    }
}

const INVALID_ANSWER: ModelError = ModelError::Unavailable("its answer is no message");

/// Tools are the largest part of a request and always the same, so their JSON is written once.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a Number>,
    max_tokens: u32,
    system: Value,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a RawValue,
    input_schema: &'a RawValue,
}

fn tool(spec: &ToolSpec) -> Tool<'_> {
    Tool { name: spec.name, description: &spec.description, input_schema: &spec.parameters }
}

/// The API requires the user first, alternating roles, and no empty text.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    if matches!(messages.first(), Some(Message::Assistant { .. })) {
        turns.push(("user", vec![text("(The conversation began earlier.)")]));
    }
    for message in messages {
        let (role, blocks) = match message {
            Message::User(words) => ("user", words_of(words)),
            Message::Assistant { native: Some(Value::Array(blocks)), .. } => ("assistant", blocks.clone()),
            Message::Assistant { text, calls, .. } => {
                ("assistant", words_of(text).into_iter().chain(calls.iter().map(write_call)).collect())
            }
            Message::Outcomes(outcomes) => ("user", outcomes.iter().map(outcome).collect()),
        };
        match turns.last_mut() {
            Some((last, content)) if *last == role => content.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => turns.push((role, blocks)),
        }
    }
    turns.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn words_of(words: &str) -> Vec<Value> {
    if words.trim().is_empty() { vec![] } else { vec![text(words)] }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn write_call(call: &ToolCall) -> Value {
    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments })
}

fn read_call(block: &Value) -> Option<ToolCall> {
    let text = |name: &str| block.get(name)?.as_str().map(str::to_owned);
    Some(ToolCall { id: text("id")?, name: text("name")?, arguments: block.get("input")?.clone() })
}

fn outcome(CallOutcome { call_id, content, refused, .. }: &CallOutcome) -> Value {
    json!({ "type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": refused })
}
