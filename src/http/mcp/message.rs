//! JSON-RPC messages: what each must have, and the errors of the protocol.

use std::sync::LazyLock;

use axum::{
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Map, Value, json};

use crate::{
    http::{json::JsonError, ok},
    json_fields::{FieldError, short},
    phrases::sentence,
};

pub const REVISION: &str = "2026-07-28";

/// Revisions with a handshake, newest first.
pub const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const VERSION_HEADER: &str = "mcp-protocol-version";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

pub enum Received<'m> {
    Request(Request<'m>),
    Notification,
}

pub struct Request<'m> {
    pub id: &'m Value,
    pub method: &'m str,
    pub params: &'m Map<String, Value>,
    pub era: Era,
}

/// What a client of this revision can do comes with each request. An older one said it in a session, and there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Current {
        /// It shows forms to the person.
        has_forms: bool,
    },
}

#[derive(Debug)]
pub struct McpError {
    status: StatusCode,
    code: i32,
    message: String,
    data: Option<Value>,
    id: Option<Value>,
}

const NOT_JSON: i32 = -32700;
const NO_REQUEST: i32 = -32600;
const NO_METHOD: i32 = -32601;
const PARAMETERS: i32 = -32602;
const INTERNAL: i32 = -32603;
const HEADER_MISMATCH: i32 = -32020;
const UNSUPPORTED_VERSION: i32 = -32022;

pub fn read<'m>(headers: &HeaderMap, body: &'m Map<String, Value>) -> Result<Received<'m>, McpError> {
    let method = body.get("method").and_then(Value::as_str);
    let (true, Some(method)) = (body.get("jsonrpc").is_some_and(|version| version == "2.0"), method) else {
        return Err(McpError::no_request("the message must have `jsonrpc` \"2.0\" and a `method`"));
    };
    let id = match body.get("id") {
        None => return Ok(Received::Notification),
        Some(id) if id.is_string() || id.is_u64() || id.is_i64() => id,
        Some(_) => return Err(McpError::no_request("`id` must be text or a whole number")),
    };
    let with_id = |error: McpError| McpError { id: Some(id.clone()), ..error };
    let params = match body.get("params") {
        None => &NONE,
        Some(params) => {
            params.as_object().ok_or_else(|| with_id(McpError::parameters("`params` must be an object")))?
        }
    };
    let era = era(headers, method, params).map_err(with_id)?;
    Ok(Received::Request(Request { id, method, params, era }))
}

fn era(headers: &HeaderMap, method: &str, params: &Map<String, Value>) -> Result<Era, McpError> {
    let named = header(headers, VERSION_HEADER)?;
    let meta = match params.get("_meta") {
        None => None,
        Some(meta) => Some(meta.as_object().ok_or_else(|| McpError::parameters("`_meta` must be an object"))?),
    };
    let Some(version) = meta.and_then(|meta| meta.get(VERSION)) else {
        return match named {
            _ if method == "initialize" => Ok(Era::Legacy),
            None => Ok(Era::Legacy),
            Some(named) if LEGACY.contains(&named) => Ok(Era::Legacy),
            Some(REVISION) => Err(McpError::parameters(&format!("`_meta` must have `{VERSION}`"))),
            Some(named) => Err(McpError::unsupported(named)),
        };
    };
    let version = version.as_str().ok_or_else(|| McpError::parameters(&format!("`{VERSION}` must be text")))?;
    same(VERSION_HEADER, named, version)?;
    if version != REVISION {
        return Err(McpError::unsupported(version));
    }
    same("mcp-method", header(headers, "mcp-method")?, method)?;
    if method == "tools/call" {
        let name = params.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| McpError::parameters("`name` must be the name of a tool"))?;
        let sent = header(headers, "mcp-name")?.map(decoded).transpose()?;
        same("mcp-name", sent.as_deref(), name)?;
    }
    let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES)).and_then(Value::as_object);
    let capabilities =
        capabilities.ok_or_else(|| McpError::parameters(&format!("`_meta` must have `{CAPABILITIES}`, an object")))?;
    // An empty object means forms.
    let forms = capabilities.get("elicitation").and_then(Value::as_object);
    Ok(Era::Current { has_forms: forms.is_some_and(|modes| modes.is_empty() || modes.contains_key("form")) })
}

/// The only value of a header.
fn header<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, McpError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(McpError::mismatch(&format!("the header {name} must be ASCII"))),
        },
        (Some(_), Some(_)) => Err(McpError::mismatch(&format!("the header {name} is there twice"))),
    }
}

fn same(name: &str, sent: Option<&str>, body: &str) -> Result<(), McpError> {
    match sent {
        Some(sent) if sent == body => Ok(()),
        Some(sent) => {
            let text = format!("the header {name} is {:?}, and the body has {:?}", short(sent), short(body));
            Err(McpError::mismatch(&text))
        }
        None => Err(McpError::mismatch(&format!("the header {name} is missing. The body has {:?}", short(body)))),
    }
}

/// Clients encode what is not plain ASCII.
fn decoded(value: &str) -> Result<String, McpError> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(value.to_owned());
    };
    let decoded = BASE64_STANDARD.decode(encoded.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.ok_or_else(|| McpError::mismatch("the header mcp-name is no Base64 of a text"))
}

impl McpError {
    fn new(status: StatusCode, code: i32, message: &str) -> McpError {
        McpError { status, code, message: sentence(message), data: None, id: None }
    }

    pub fn of_body(error: FieldError) -> McpError {
        match error {
            FieldError::TooLarge(text) => McpError::new(StatusCode::PAYLOAD_TOO_LARGE, NO_REQUEST, &text),
            FieldError::Malformed(text) | FieldError::Unprocessable(text) => {
                McpError::new(StatusCode::BAD_REQUEST, NOT_JSON, &text)
            }
        }
    }

    pub fn not_json(error: &JsonError) -> McpError {
        McpError::new(StatusCode::BAD_REQUEST, NOT_JSON, &error.to_string())
    }

    pub fn no_request(text: &str) -> McpError {
        McpError::new(StatusCode::BAD_REQUEST, NO_REQUEST, text)
    }

    pub fn foreign_origin() -> McpError {
        let text = "pages of other sites cannot call these tools. Call them without the header Origin";
        McpError::new(StatusCode::FORBIDDEN, NO_REQUEST, text)
    }

    pub fn no_method(method: &str) -> McpError {
        let text = format!("there is no method {:?}. There are tools/list and tools/call", short(method));
        McpError::new(StatusCode::NOT_FOUND, NO_METHOD, &text)
    }

    pub fn parameters(text: &str) -> McpError {
        McpError::new(StatusCode::BAD_REQUEST, PARAMETERS, text)
    }

    /// An error on this side.
    pub fn internal(status: StatusCode, text: &str) -> McpError {
        McpError::new(status, INTERNAL, text)
    }

    fn mismatch(text: &str) -> McpError {
        McpError::new(StatusCode::BAD_REQUEST, HEADER_MISMATCH, text)
    }

    fn unsupported(requested: &str) -> McpError {
        let data = json!({ "supported": [REVISION, LEGACY[0]], "requested": short(requested) });
        let error = McpError::new(StatusCode::BAD_REQUEST, UNSUPPORTED_VERSION, "unsupported protocol version");
        McpError { data: Some(data), ..error }
    }

    /// As the answer to a request. Before this revision, an error was an answer like any other.
    pub fn answering(self, request: &Request<'_>) -> McpError {
        let status = if request.era == Era::Legacy { StatusCode::OK } else { self.status };
        McpError { status, id: Some(request.id.clone()), ..self }
    }
}

impl From<FieldError> for McpError {
    fn from(error: FieldError) -> McpError {
        McpError::parameters(&error.to_string())
    }
}

impl IntoResponse for McpError {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        let mut answer = json!({ "jsonrpc": "2.0", "error": error });
        if let Some(id) = self.id {
            answer["id"] = id;
        }
        (self.status, ok(&answer)).into_response()
    }
}
