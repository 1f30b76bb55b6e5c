//! Reads a request's body up to a limit, whatever length the client announced.

use std::error::Error;

use axum::{
    body::{Body, Bytes},
    http::HeaderMap,
};
use base64::DecodeError;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

use super::json;
use crate::json_fields::FieldError;

/// In bytes. A usual request is many times smaller.
pub const MAX_BODY: usize = 64 * 1024;

/// In bytes, of a request with a file. Lambda takes 6 MB, of which Base64 costs a third.
pub const MAX_IMPORT: usize = 4 * 1024 * 1024;

/// In bytes, of a body in which a chat kit sends its whole conversation.
pub const MAX_CONVERSATION: usize = 1024 * 1024;

pub async fn read_object(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, FieldError> {
    parsed(&read(headers, body, MAX_BODY).await?)
}

pub async fn read_import(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, FieldError> {
    parsed(&read(headers, body, MAX_IMPORT).await?)
}

/// How large it can be depends on what it has.
pub async fn read_chat(
    headers: &HeaderMap,
    body: Body,
    limit: impl Fn(&Map<String, Value>) -> usize,
) -> Result<Map<String, Value>, FieldError> {
    let bytes = read(headers, body, MAX_IMPORT).await?;
    let object = parsed(&bytes);
    let limit = object.as_ref().map_or(MAX_BODY, limit);
    if bytes.len() > limit { Err(too_large(limit)) } else { object }
}

fn parsed(bytes: &[u8]) -> Result<Map<String, Value>, FieldError> {
    json::parse_object(bytes).map_err(|error| FieldError::Malformed(error.to_string()))
}

pub async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, FieldError> {
    if announced(headers).is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(limit)),
        Err(error) if is_base64_error(&*error) => Err(FieldError::Malformed(
            "the gateway's Base64 of the body cannot be decoded. Send the whole request again".into(),
        )),
        Err(_) => Err(FieldError::Malformed("the body ended early. Send the whole request again".into())),
    }
}

/// The body's length, as the client says it.
fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get("content-length").and_then(|length| length.to_str().ok()?.parse().ok())
}

/// Also finds the error behind wrappers.
fn is_base64_error(error: &(dyn Error + 'static)) -> bool {
    error.is::<DecodeError>() || error.source().is_some_and(is_base64_error)
}

fn too_large(limit: usize) -> FieldError {
    let what = match limit {
        MAX_IMPORT => "Send the file in parts, split by period",
        _ => "Send a shorter message or history",
    };
    FieldError::TooLarge(format!("the body is larger than {} KiB. {what}", limit / 1024))
}
