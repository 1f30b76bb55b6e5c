//! OpenAI's Chat Completions, which many servers support. Only fields that all of them understand are sent.
//!
//! <https://platform.openai.com/docs/api-reference/chat>

use serde::Serialize;
use serde_json::{Map, Number, Value, json};

use super::{
    CallOutcome, Completion, Ending, Message, ModelError, ModelRequest, ToolCall, ToolChoice, ToolSpec,
    provider::{Collector, Endpoint, Failure, Provider, written},
};

mod streamed;

#[derive(Debug, Clone)]
pub struct OpenAi {
    pub model: String,
    /// The provider's default if none: some models take no temperature.
    pub temperature: Option<Number>,
}

impl Endpoint for OpenAi {
    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        headers(key)
    }

    fn failure(&self, status: u16, body: &[u8]) -> Failure {
        failure(status, body)
    }

    fn settings(&self) -> &'static str {
        "MODEL_NAME and MODEL_BASE_URL"
    }
}

impl Provider for OpenAi {
    fn encode(&self, request: &ModelRequest<'_>) -> Vec<u8> {
        let system = json!({ "role": "system", "content": request.system.text() });
        let choice = match request.choice {
            ToolChoice::Auto => "auto",
            ToolChoice::None => "none",
        };
        let body = Body {
            model: &self.model,
            temperature: self.temperature.as_ref(),
            messages: [system].into_iter().chain(request.messages.iter().flat_map(message)).collect(),
            tools: request.tools.iter().map(tool).collect(),
            tool_choice: Some(choice).filter(|_| !request.tools.is_empty()),
            stream: request.pieces.is_some(),
        };
        written(&body)
    }

    fn decode(&self, body: &[u8]) -> Result<Completion, ModelError> {
        let body: Value = serde_json::from_slice(body).map_err(|_| INVALID_ANSWER)?;
        let choice = body.pointer("/choices/0").ok_or(INVALID_ANSWER)?;
        let message = choice.get("message").and_then(Value::as_object).ok_or(INVALID_ANSWER)?;
        let refused = message.get("refusal").is_some_and(|refusal| !refusal.is_null());
        let ending = match choice.get("finish_reason").and_then(Value::as_str) {
            _ if refused => Ending::Refused,
            Some("stop" | "tool_calls" | "function_call") => Ending::Complete,
            Some("length") => Ending::Truncated,
            Some("content_filter") => Ending::Refused,
            _ => Ending::Unknown,
        };
        // Empty fields are left out: some servers refuse the nulls that they sent themselves.
        let mut native: Map<String, Value> = message.clone();
        native.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|values| !values.is_empty()));
        native.entry("role").or_insert_with(|| "assistant".into());
        let calls = native.get_mut("tool_calls").and_then(Value::as_array_mut);
        let calls = calls.map(|calls| read_calls(calls)).transpose()?.unwrap_or_default();
        let text = message.get("content").map(read_text).unwrap_or_default();
        Ok(Completion { text, calls, ending, confirmation_suggested: false, native: Some(Value::Object(native)) })
    }

    fn collector(&self) -> Box<dyn Collector> {
        Box::new(streamed::Completion::default())
    }
}

pub(super) fn headers(key: &str) -> Vec<(&'static str, String)> {
    vec![("authorization", format!("Bearer {key}"))]
}

pub(super) fn failure(status: u16, body: &[u8]) -> Failure {
    let error: Value = serde_json::from_slice(body).unwrap_or_default();
    let says = |name: &str, text: &str| {
        error.pointer(&format!("/error/{name}")).and_then(Value::as_str).is_some_and(|value| value.contains(text))
    };
    match status {
        401 | 403 => Failure::KeyRefused,
        402 => Failure::OutOfCredit,
        429 if says("code", "insufficient_quota") || says("type", "insufficient_quota") => Failure::OutOfCredit,
        413 => Failure::TooLong,
        400 if says("code", "context_length_exceeded") || says("message", "context length") => Failure::TooLong,
        408 | 409 | 425 | 429 | 500.. => Failure::Transient,
        _ => Failure::Rejected,
    }
}

const INVALID_ANSWER: ModelError = ModelError::Unavailable("its answer is no chat completion");

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a Number>,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: &'a ToolSpec,
}

fn tool(spec: &ToolSpec) -> Tool<'_> {
    Tool { r#type: "function", function: spec }
}

fn message(message: &Message) -> Vec<Value> {
    match message {
        Message::User(text) => vec![json!({ "role": "user", "content": text })],
        Message::Assistant { native: Some(native), .. } => vec![native.clone()],
        Message::Assistant { text, calls, native: None, .. } => {
            let mut message = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                message["tool_calls"] = calls.iter().map(write_call).collect();
            }
            vec![message]
        }
        Message::Outcomes(outcomes) => outcomes.iter().map(outcome).collect(),
    }
}

fn write_call(call: &ToolCall) -> Value {
    let arguments = match &call.arguments {
        Value::String(no_json) => no_json.clone(),
        arguments => arguments.to_string(),
    };
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

/// The API has no field for a failure, so the text says it.
fn outcome(CallOutcome { call_id, content, refused, .. }: &CallOutcome) -> Value {
    let content = if *refused { format!("Error: {content}") } else { content.clone() };
    json!({ "role": "tool", "tool_call_id": call_id, "content": content })
}

/// Some servers send no ids, or one id twice. Outcomes need a unique id of their call.
fn read_calls(calls: &mut [Value]) -> Result<Vec<ToolCall>, ModelError> {
    let mut read: Vec<ToolCall> = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter_mut().enumerate() {
        let call = call.as_object_mut().ok_or(INVALID_ANSWER)?;
        let given = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = match given {
            Some(id) if read.iter().all(|other| other.id != id) => id.to_owned(),
            _ => format!("call_{index}_of_{}", read.len() + 1),
        };
        call.insert("id".into(), json!(id));
        let function = call.get("function").ok_or(INVALID_ANSWER)?;
        let name = function.get("name").and_then(Value::as_str).ok_or(INVALID_ANSWER)?.to_owned();
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) if text.trim().is_empty() => json!({}),
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone())),
            Some(arguments) if !arguments.is_null() => arguments.clone(),
            _ => json!({}),
        };
        read.push(ToolCall { id, name, arguments });
    }
    Ok(read)
}

/// Text, or a list of parts.
fn read_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => String::new(),
    }
}
