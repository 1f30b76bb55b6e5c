//! Lambda events: HTTP requests from a gateway go to the same router as everywhere else.
//!
//! HTTP API, REST API, load balancer and function URL are recognised by the event's shape. Claims come from the
//! authorizer's part of the request context, never from headers. This module does not know routes, or what claims mean.

use std::{
    collections::{BTreeMap, HashMap},
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Response},
};
use data_encoding::BASE64;
use futures_util::{FutureExt, stream};
use http_body_util::{BodyExt, Collected};
use lambda_http::{
    Adapter, Service,
    aws_lambda_events::apigw::ApiGatewayRequestAuthorizer,
    lambda_runtime::{self, Diagnostic, LambdaEvent},
    request::LambdaRequest,
    service_fn,
    tower::ServiceExt,
};
use serde::Deserialize;
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};
use tracing::Instrument;

use super::{HttpError, Remaining};
use crate::{agent::SweepReport, app::App, identity::VerifiedClaims};

#[cfg(test)]
mod tests;

/// Serves events until the environment is shut down, several in parallel if `AWS_LAMBDA_MAX_CONCURRENCY` allows it.
pub async fn serve(app: App) -> Result<(), lambda_http::Error> {
    let app = Arc::new(app);
    let router = super::service(Arc::clone(&app));
    let cold = Arc::new(AtomicBool::new(true));
    lambda_runtime::run_concurrent(service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let cold_start = cold.swap(false, Ordering::Relaxed);
        // An error span, so that no log filter removes the request's id.
        let span = tracing::error_span!("request", request_id = event.context.request_id, cold_start);
        let remaining = app.remaining(event.context.deadline).map(Remaining);
        let swept = sweep(Arc::clone(&app), remaining);
        answer(router.clone(), swept, remaining, event).instrument(span)
    }))
    .await
}

/// An error that ends an invocation without a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum EventError {
    #[error(
        "this event is not served; send an HTTP request (API Gateway HTTP or REST API, load balancer, function URL) or \
         an EventBridge scheduled event"
    )]
    NotServed,
    /// The panic was logged where it happened.
    #[error("the event could not be handled; see the log of this request")]
    Failed,
}

impl From<EventError> for Diagnostic {
    fn from(error: EventError) -> Diagnostic {
        Diagnostic { error_type: format!("{error:?}"), error_message: error.to_string() }
    }
}

/// The parts of an event that make up the HTTP request.
struct EventParts {
    path: String,
    /// As the client sent it, if the event still has it in that form.
    query: Option<String>,
    body: Option<String>,
    is_base64: bool,
    claims: Option<VerifiedClaims>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct BusEvent {
    detail_type: String,
}

/// Handlers turn their own panics into replies. This catches the others: the runtime would quote the panic's message.
async fn answer(
    router: Router,
    swept: impl Future<Output = Result<Value, EventError>>,
    remaining: Option<Remaining>,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<Box<RawValue>, EventError> {
    let result = AssertUnwindSafe(deliver(router, swept, remaining, event)).catch_unwind().await;
    result.unwrap_or(Err(EventError::Failed))
}

async fn deliver(
    router: Router,
    swept: impl Future<Output = Result<Value, EventError>>,
    remaining: Option<Remaining>,
    LambdaEvent { payload, context }: LambdaEvent<Box<RawValue>>,
) -> Result<Box<RawValue>, EventError> {
    let mut envelope: LambdaRequest = serde_json::from_str(payload.get()).map_err(|_| EventError::NotServed)?;
    let Some(event_parts) = unpack(&mut envelope) else {
        return scheduled(payload.get(), swept).await;
    };
    let mut event_parts = Some(event_parts);
    // The envelope still has the method and headers, and it decides the form of the reply.
    let service = service_fn(move |request: lambda_http::Request| {
        let event_parts = event_parts.take().expect("the adapter calls this once");
        let (parts, _) = request.into_parts();
        let request = event_parts.into_request(parts, remaining);
        let router = router.clone();
        async move {
            match request {
                Some(request) => router.oneshot(request).await.map(BufferedResponse),
                None => Ok(BufferedResponse(HttpError::NoSuchRoute.into_response())),
            }
        }
    });
    let response = Adapter::from(service).call(LambdaEvent::new(envelope, context));
    let Ok(response) = response.await;
    to_raw_value(&response).map_err(|_| EventError::Failed)
}

/// A response that is sent at once. The response type of `lambda_http` detects a character set first, which needs large
/// tables.
struct BufferedResponse(Response);

impl lambda_http::IntoResponse for BufferedResponse {
    fn into_response(self) -> Pin<Box<dyn Future<Output = lambda_http::Response<lambda_http::Body>> + Send>> {
        let (parts, body) = self.0.into_parts();
        Box::pin(async move {
            // The body is in memory, so reading it cannot fail.
            let bytes = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
            let body = match String::from_utf8(bytes.into()) {
                Ok(text) => lambda_http::Body::Text(text),
                Err(binary) => lambda_http::Body::Binary(binary.into_bytes()),
            };
            lambda_http::Response::from_parts(parts, body)
        })
    }
}

/// Takes from an envelope what `lambda_http` would rewrite (paths) or panic on (bodies, hosts, raw queries). None if
/// the envelope holds no HTTP request.
fn unpack(envelope: &mut LambdaRequest) -> Option<EventParts> {
    match envelope {
        LambdaRequest::ApiGatewayV2(event) => {
            event.headers.remove(header::HOST);
            let context = &mut event.request_context;
            context.domain_name = None;
            let stage = context.stage.take();
            let path = event.raw_path.take().unwrap_or_default();
            let route = event.route_key.as_deref().and_then(|key| Some(key.split_once(' ')?.1));
            Some(EventParts {
                path: router_path(&path, route, &event.path_parameters, stage.as_deref()).into(),
                query: event.raw_query_string.take(),
                body: event.body.take(),
                is_base64: event.is_base64_encoded,
                claims: context.authorizer.take().and_then(http_api_claims),
            })
        }
        LambdaRequest::ApiGatewayV1(event) => {
            prefer_all_values(&mut event.headers, &mut event.multi_value_headers);
            let context = &mut event.request_context;
            context.domain_name = None;
            let stage = context.stage.take();
            let path = event.path.take().unwrap_or_default();
            let route = event.resource.as_deref().filter(|route| !route.ends_with("$default"));
            Some(EventParts {
                path: router_path(&path, route, &event.path_parameters, stage.as_deref()).into(),
                query: None,
                body: event.body.take(),
                is_base64: event.is_base64_encoded,
                claims: rest_api_claims(std::mem::take(&mut context.authorizer.fields)),
            })
        }
        LambdaRequest::Alb(event) => {
            prefer_all_values(&mut event.headers, &mut event.multi_value_headers);
            Some(EventParts {
                path: event.path.take().unwrap_or_default(),
                query: None,
                body: event.body.take(),
                is_base64: event.is_base64_encoded,
                // Its `x-amzn-oidc-data` is a header, which anybody who can reach the function can write.
                claims: None,
            })
        }
        _ => None,
    }
}

/// The scheduled event resumes unfinished runs once a minute.
async fn scheduled(
    event: &str,
    swept: impl Future<Output = Result<Value, EventError>>,
) -> Result<Box<RawValue>, EventError> {
    match serde_json::from_str(event) {
        Ok(BusEvent { detail_type }) if detail_type == "Scheduled Event" => {
            to_raw_value(&swept.await?).map_err(|_| EventError::Failed)
        }
        _ => Err(EventError::NotServed),
    }
}

async fn sweep(app: Arc<App>, remaining: Option<Remaining>) -> Result<Value, EventError> {
    let swept = app.sweep(remaining.map(|Remaining(left)| left)).await.map_err(|error| {
        tracing::error!(%error, "unfinished runs could not be looked for");
        EventError::Failed
    })?;
    let SweepReport { finished, unfinished, failed, stuck, vectors } = swept;
    // The deployment's alarm reads this line, and also fires if it is missing.
    tracing::info!(finished, unfinished, failed, stuck_runs = stuck, vectors, "went on with unfinished runs");
    Ok(json!({ "status": "ok", "swept": swept }))
}

impl EventParts {
    /// None if path and query form no valid address.
    fn into_request(self, mut parts: Parts, remaining: Option<Remaining>) -> Option<Request> {
        let path = escape(self.path.strip_prefix('/').unwrap_or(&self.path));
        let target = match self.query.as_deref().or(parts.uri.query()) {
            None | Some("") => format!("/{path}"),
            Some(query) => format!("/{path}?{}", escape(query)),
        };
        parts.uri = target.parse().ok()?;
        parts.extensions.clear();
        if let Some(remaining) = remaining {
            parts.extensions.insert(remaining);
        }
        if let Some(claims) = self.claims {
            parts.extensions.insert(claims);
        }
        Some(Request::from_parts(parts, body(self.body.unwrap_or_default(), self.is_base64)))
    }
}

/// Invalid Base64 becomes a body that fails when it is read, so that the reader reports it.
fn body(text: String, is_base64: bool) -> Body {
    if !is_base64 {
        return Body::from(text);
    }
    match BASE64.decode(text.as_bytes()) {
        Ok(bytes) => Body::from(bytes),
        Err(error) => Body::from_stream(stream::iter([Err::<Vec<u8>, _>(error)])),
    }
}

/// The claims of the JWT authorizer, or the context that a Lambda authorizer returned.
fn http_api_claims(authorizer: ApiGatewayRequestAuthorizer) -> Option<VerifiedClaims> {
    let claims: BTreeMap<String, Value> = match authorizer.jwt {
        Some(jwt) => jwt.claims.into_iter().map(|(name, value)| (name, Value::String(value))).collect(),
        None => authorizer.fields.into_iter().collect(),
    };
    (!claims.is_empty()).then_some(VerifiedClaims(claims))
}

/// The claims of the user pool authorizer, or the context that a Lambda authorizer returned.
fn rest_api_claims(mut fields: HashMap<String, Value>) -> Option<VerifiedClaims> {
    let claims: BTreeMap<String, Value> = match fields.remove("claims") {
        Some(Value::Object(claims)) => claims.into_iter().collect(),
        _ => fields.into_iter().collect(),
    };
    (!claims.is_empty()).then_some(VerifiedClaims(claims))
}

/// The path that the router knows, without the stage or base path of the gateway.
fn router_path<'a>(
    path: &'a str,
    route: Option<&str>,
    parameters: &HashMap<String, String>,
    stage: Option<&str>,
) -> &'a str {
    match route {
        Some(route) => within_route(path, route, parameters),
        None => without_stage(path, stage),
    }
}

/// The end of the path that the route covers. The part before it is a stage or a custom domain's base path.
fn within_route<'a>(path: &'a str, route: &str, parameters: &HashMap<String, String>) -> &'a str {
    let segments = |path: &str| path.split('/').filter(|segment| !segment.is_empty()).count();
    let covered = |segment: &str| {
        let greedy = segment.strip_prefix('{').and_then(|segment| segment.strip_suffix("+}"));
        greedy.and_then(|name| parameters.get(name)).map_or(1, |rest| segments(rest))
    };
    let covered: usize = route.split('/').filter(|segment| !segment.is_empty()).map(covered).sum();
    let Some(last) = covered.checked_sub(1) else { return "/" };
    let start = path.trim_end_matches('/').rmatch_indices('/').nth(last);
    start.map_or(path, |(start, _)| &path[start..])
}

/// Removes the stage once: a path may itself begin with the stage's name.
fn without_stage<'a>(path: &'a str, stage: Option<&str>) -> &'a str {
    let rest = path.strip_prefix('/').and_then(|path| path.strip_prefix(stage?));
    match rest {
        Some("") => "/",
        Some(rest) if rest.starts_with('/') => rest,
        _ => path,
    }
}

/// Gateways send the last value of every header, all values, or both. With both, the last values must not replace all.
fn prefer_all_values(last: &mut HeaderMap, all: &mut HeaderMap) {
    if !all.is_empty() {
        last.clear();
    }
    last.remove(header::HOST);
    all.remove(header::HOST);
}

/// Some gateways decode the path. Characters that an address cannot contain are escaped again.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        if byte.is_ascii_graphic() && !b"#?\"<>\\^`{|}".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
