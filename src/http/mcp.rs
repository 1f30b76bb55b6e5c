//! MCP, the Model Context Protocol: other assistants call the registry's tools. Revision 2026-07-28, and older clients
//! as far as they need no session.
//!
//! A request is one POST and its answer one JSON object; nothing is kept between requests. This module translates: a
//! call becomes a turn, and a proposal becomes a form that the client shows to the person.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    HttpError, body,
    caller::caller,
    json::{JsonError, parse_object},
    ok,
};
use crate::{
    app::App,
    config::{SignIn, origin},
    identity::IdentityError,
};
use message::{Era, LEGACY, McpError, REVISION, Received, Request as McpRequest};

mod call;
mod message;
mod tools;

/// How long clients may keep the lists. They change with a deployment.
const LISTS_LAST_MS: u64 = 300_000;

const INSTRUCTIONS: &str = "These are the records of the person who signed in. Pass on what the person said and never \
                            make up values. A tool that changes something shows the person a form, and writes only \
                            after they approve it. Say that something was done only if the status is `done`.";

/// `POST /mcp`.
pub async fn post(State(app): State<Arc<App>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    answer(&app, &parts, body).await.unwrap_or_else(|refused| match refused {
        Refused::Mcp(error) => error.into_response(),
        Refused::Http(error) => with_metadata_address(&app, error),
    })
}

/// `GET /mcp`: there is no stream of messages. A gateway has to know the route to say so.
pub async fn no_stream() -> Response {
    ([(header::ALLOW, "POST")], HttpError::MethodNotAllowed).into_response()
}

/// `GET /.well-known/oauth-protected-resource`: who gives tokens for these tools (RFC 9728).
pub async fn resource(State(app): State<Arc<App>>) -> Result<Response, HttpError> {
    let (Some(url), Some(SignIn { issuer, scope, .. })) = (&app.public_url, &app.sign_in) else {
        return Err(HttpError::NoResource);
    };
    Ok(ok(&json!({
        "resource": below(url, "mcp"),
        "resource_name": NAME,
        "authorization_servers": [issuer],
        "scopes_supported": scope.split_whitespace().collect::<Vec<_>>(),
        "bearer_methods_supported": ["header"],
    })))
}

const NAME: &str = "sayso";

enum Refused {
    Mcp(McpError),
    Http(HttpError),
}

impl From<McpError> for Refused {
    fn from(error: McpError) -> Refused {
        Refused::Mcp(error)
    }
}

async fn answer(app: &Arc<App>, parts: &Parts, body: Body) -> Result<Response, Refused> {
    check_origin(app, &parts.headers)?;
    let caller = caller(app, parts).map_err(|error| Refused::Http(error.into()))?;
    let body = body::read(&parts.headers, body, body::MAX_BODY).await.map_err(McpError::of_body)?;
    let body = parse_object(&body).map_err(|error| match error {
        JsonError::NotAnObject => McpError::no_request("the body must be one JSON-RPC message. Send each by itself"),
        error => McpError::not_json(&error),
    })?;
    let request = match message::read(&parts.headers, &body)? {
        Received::Request(request) => request,
        Received::Notification => return Ok(StatusCode::ACCEPTED.into_response()),
    };
    let result = match (request.method, &request.era) {
        ("initialize", Era::Legacy) => Ok(initialized(app, &request)),
        ("ping", Era::Legacy) => Ok(json!({})),
        ("server/discover", Era::Current { .. }) => Ok(discovered(app)),
        ("tools/list", _) => listed(app, &request),
        ("tools/call", _) => call::call(app, parts, caller, &request).await,
        (method, _) => Err(McpError::no_method(method)),
    };
    match result {
        Ok(result) => Ok(ok(&json!({ "jsonrpc": "2.0", "id": request.id, "result": marked(result, &request.era) }))),
        Err(error) => Err(error.answering(&request).into()),
    }
}

/// Pages of other sites could reach a server on the person's machine.
fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), McpError> {
    let own = app.public_url.as_ref().map(origin);
    let is_own = |origin: &HeaderValue| own.as_ref().is_some_and(|own| origin.as_bytes() == own.as_bytes());
    if headers.get_all(header::ORIGIN).iter().all(is_own) { Ok(()) } else { Err(McpError::foreign_origin()) }
}

fn with_metadata_address(app: &App, error: HttpError) -> Response {
    let is_signed_out = matches!(error, HttpError::Identity(IdentityError::NoClaims));
    let mut response = error.into_response();
    if let (true, Some(url)) = (is_signed_out, &app.public_url) {
        let challenge =
            format!("Bearer resource_metadata=\"{}\"", below(url, ".well-known/oauth-protected-resource/mcp"));
        let challenge = HeaderValue::try_from(challenge).expect("an address is ASCII");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

fn below(url: &Uri, path: &str) -> String {
    format!("{url}{path}")
}

fn server_info() -> Value {
    json!({ "name": NAME, "title": NAME, "version": env!("CARGO_PKG_VERSION") })
}

/// The toolkits say which tool is for what.
fn instructions(app: &App) -> String {
    [INSTRUCTIONS].into_iter().chain(app.agent.registry.guidance(None).map(str::trim)).collect::<Vec<_>>().join("\n\n")
}

fn discovered(app: &App) -> Value {
    json!({
        "supportedVersions": [REVISION],
        "capabilities": { "tools": {} },
        "instructions": instructions(app),
        "ttlMs": LISTS_LAST_MS,
        "cacheScope": "public",
    })
}

fn initialized(app: &App, request: &McpRequest<'_>) -> Value {
    let asked = request.params.get("protocolVersion").and_then(Value::as_str);
    let version = LEGACY.into_iter().find(|known| asked == Some(*known)).unwrap_or(LEGACY[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": server_info(),
        "instructions": instructions(app),
    })
}

fn listed(app: &App, request: &McpRequest<'_>) -> Result<Value, McpError> {
    if request.params.contains_key("cursor") {
        return Err(McpError::parameters("the list has one page. Leave out `cursor`"));
    }
    Ok(json!({
        "tools": tools::list(&app.agent.registry),
        "ttlMs": LISTS_LAST_MS,
        "cacheScope": "public",
    }))
}

/// Adds what each result of the current revision has.
fn marked(mut result: Value, era: &Era) -> Value {
    if let Era::Current { .. } = era {
        result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server_info() });
        if result.get("resultType").is_none() {
            result["resultType"] = "complete".into();
        }
    }
    result
}
