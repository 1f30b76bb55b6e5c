//! The events of gateways that carry an HTTP request, and the form of their replies.
//!
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html>,
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html>,
//! <https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html>

use std::collections::{BTreeMap, HashMap};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, header, response::Parts},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use futures_util::stream;
use lambda_runtime::MetadataPrelude;
use serde::{
    Deserialize, Serialize,
    de::{Deserializer, IgnoredAny},
};
use serde_json::{Map, Value};

use crate::identity::VerifiedClaims;
use crate::sorted::Collect;

/// What an event can have. A field that its type does not have is empty.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Event {
    request_context: Context,
    http_method: Option<String>,
    path: Option<String>,
    resource: Option<String>,
    raw_path: Option<String>,
    route_key: Option<String>,
    #[serde(default, deserialize_with = "or_empty")]
    path_parameters: HashMap<String, String>,
    raw_query_string: Option<String>,
    #[serde(default, deserialize_with = "or_empty")]
    query_string_parameters: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "or_empty")]
    multi_value_query_string_parameters: BTreeMap<String, Vec<String>>,
    #[serde(default, deserialize_with = "or_empty")]
    headers: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "or_empty")]
    multi_value_headers: BTreeMap<String, Vec<String>>,
    #[serde(default, deserialize_with = "or_empty")]
    cookies: Vec<String>,
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

#[derive(Deserialize)]
struct Context {
    http: Option<Http>,
    elb: Option<IgnoredAny>,
    stage: Option<String>,
    #[serde(default, deserialize_with = "or_empty")]
    authorizer: Map<String, Value>,
}

#[derive(Deserialize)]
struct Http {
    method: String,
}

/// Which gateway sent an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gateway {
    /// Also of function URLs.
    HttpApi,
    RestApi,
    LoadBalancer,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply {
    status_code: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_description: Option<String>,
    headers: BTreeMap<String, String>,
    multi_value_headers: BTreeMap<String, Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cookies: Option<Vec<String>>,
    body: String,
    is_base64_encoded: bool,
}

impl Event {
    /// None if the event holds no HTTP request.
    pub fn gateway(&self) -> Option<Gateway> {
        match (&self.request_context, &self.http_method) {
            (Context { http: Some(_), .. }, _) => Some(Gateway::HttpApi),
            (Context { elb: Some(_), .. }, Some(_)) => Some(Gateway::LoadBalancer),
            (_, Some(_)) => Some(Gateway::RestApi),
            _ => None,
        }
    }

    /// None if method, path and query form no valid request.
    pub fn into_request(mut self, gateway: Gateway) -> Option<Request> {
        let path = self.path(gateway);
        let path = escape(path.strip_prefix('/').unwrap_or(path));
        let target = match self.query(gateway).as_str() {
            "" => format!("/{path}"),
            query => format!("/{path}?{}", escape(query)),
        };
        let mut request = Request::new(body(self.body.take().unwrap_or_default(), self.is_base64_encoded));
        *request.uri_mut() = target.parse().ok()?;
        *request.method_mut() = self.method()?;
        if let Some(claims) = self.claims(gateway) {
            request.extensions_mut().insert(claims);
        }
        *request.headers_mut() = self.into_headers();
        Some(request)
    }

    fn method(&self) -> Option<Method> {
        let of_context = self.request_context.http.as_ref().map(|http| &http.method);
        of_context.or(self.http_method.as_ref())?.parse().ok()
    }

    /// The path that the router knows, without the stage or base path of the gateway.
    fn path(&self, gateway: Gateway) -> &str {
        let (path, route) = match gateway {
            // A route is like `GET /expenses`.
            Gateway::HttpApi => {
                (&self.raw_path, self.route_key.as_deref().and_then(|key| Some(key.split_once(' ')?.1)))
            }
            Gateway::RestApi => {
                (&self.path, self.resource.as_deref().filter(|resource| !resource.ends_with("$default")))
            }
            Gateway::LoadBalancer => return self.path.as_deref().unwrap_or_default(),
        };
        let path = path.as_deref().unwrap_or_default();
        match route {
            Some(route) => within_route(path, route, &self.path_parameters),
            None => without_stage(path, self.request_context.stage.as_deref()),
        }
    }

    /// As the client sent it, or equivalent.
    fn query(&self, gateway: Gateway) -> String {
        if let Some(query) = &self.raw_query_string {
            return query.clone();
        }
        let last = self.query_string_parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let all = self.multi_value_query_string_parameters.iter();
        let all: Vec<(&str, &str)> =
            all.flat_map(|(name, all)| all.iter().map(|value| (name.as_str(), value.as_str()))).collect();
        let parameters = if all.is_empty() { last.collect() } else { all };
        match gateway {
            // It does not decode them.
            Gateway::LoadBalancer => {
                parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
            }
            _ => form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish(),
        }
    }

    fn claims(&mut self, gateway: Gateway) -> Option<VerifiedClaims> {
        let mut authorizer = std::mem::take(&mut self.request_context.authorizer);
        let mut take = |name: &str| match authorizer.remove(name) {
            Some(Value::Object(fields)) => Some(fields),
            _ => None,
        };
        let claims = match gateway {
            // The JWT authorizer's, or the context that a Lambda authorizer returned.
            Gateway::HttpApi => match take("jwt") {
                Some(mut jwt) => match jwt.remove("claims") {
                    Some(Value::Object(claims)) => claims,
                    _ => Map::new(),
                },
                None => take("lambda").unwrap_or_default(),
            },
            // The user pool authorizer's, or the context that a Lambda authorizer returned.
            Gateway::RestApi => take("claims").unwrap_or(authorizer),
            // Its `x-amzn-oidc-data` is a header, which anybody who can reach the function can write.
            Gateway::LoadBalancer => Map::new(),
        };
        (!claims.is_empty()).then(|| VerifiedClaims(claims.into_iter().collect()))
    }

    /// Gateways send the last value of every header, all values, or both. What is no valid header is left out.
    fn into_headers(self) -> HeaderMap {
        let last = self.headers.into_iter().map(|(name, value)| (name, vec![value]));
        let all = if self.multi_value_headers.is_empty() { last.inserted() } else { self.multi_value_headers };
        let mut headers = HeaderMap::with_capacity(all.len());
        for (name, values) in &all {
            let Ok(name) = HeaderName::try_from(name) else { continue };
            for value in values.iter().filter_map(|value| HeaderValue::try_from(value).ok()) {
                headers.append(&name, value);
            }
        }
        headers.remove(header::HOST);
        if let (false, Ok(cookies)) = (self.cookies.is_empty(), HeaderValue::try_from(self.cookies.join("; "))) {
            headers.insert(header::COOKIE, cookies);
        }
        headers
    }
}

impl Reply {
    pub fn new(gateway: Gateway, head: &Parts, body: Bytes) -> Reply {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in &head.headers {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            all.entry(name.as_str().to_owned()).or_default().push(value);
        }
        let cookies = if gateway == Gateway::HttpApi { all.remove(header::SET_COOKIE.as_str()) } else { None };
        let joined = all.iter().map(|(name, values)| (name.clone(), values.join(", "))).inserted();
        let (headers, multi_value_headers) = match gateway {
            Gateway::HttpApi => (joined, BTreeMap::new()),
            // It would send the values of both.
            Gateway::RestApi => (BTreeMap::new(), all),
            // It reads either, depending on a setting.
            Gateway::LoadBalancer => (joined, all),
        };
        let status_description = (gateway == Gateway::LoadBalancer).then(|| head.status.to_string());
        let (body, is_base64_encoded) = match String::from_utf8(body.into()) {
            Ok(text) => (text, false),
            Err(binary) => (BASE64_STANDARD.encode(binary.as_bytes()), true),
        };
        Reply {
            status_code: head.status.as_u16(),
            status_description,
            headers,
            multi_value_headers,
            cookies: (gateway == Gateway::HttpApi).then(|| cookies.unwrap_or_default()),
            body,
            is_base64_encoded,
        }
    }
}

/// The head of a streamed reply. A gateway takes one value of a header, and the end of the body tells its length.
pub(super) fn prelude(head: &Parts) -> MetadataPrelude {
    let mut headers = HeaderMap::with_capacity(head.headers.len() + 2);
    for name in head.headers.keys().filter(|name| **name != header::CONTENT_LENGTH) {
        let values: Vec<&[u8]> = head.headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
        headers.extend(HeaderValue::from_bytes(&values.join(&b", "[..])).ok().map(|value| (name.clone(), value)));
    }
    // The page is at another address. Nothing is sent along with a request but the token that the page puts into it.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    MetadataPrelude { status_code: head.status, headers, cookies: vec![] }
}

/// Gateways write null for nothing.
fn or_empty<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Invalid Base64 becomes a body that fails when it is read, so that the reader reports it.
fn body(text: String, is_base64: bool) -> Body {
    if !is_base64 {
        return Body::from(text);
    }
    match BASE64_STANDARD.decode(text.as_bytes()) {
        Ok(bytes) => Body::from(bytes),
        Err(error) => Body::from_stream(stream::iter([Err::<Vec<u8>, _>(error)])),
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
