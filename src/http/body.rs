//! Reads a request's body up to a limit, whatever length the client announced.

use std::error::Error;

use axum::{body::Body, http::HeaderMap};
use bytes::Bytes;
use data_encoding::DecodeError;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

use super::json;
use crate::json_fields::FieldError;

/// In bytes. A usual request is many times smaller.
pub const MAX_BODY: usize = 64 * 1024;

pub async fn read_object(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, FieldError> {
    let bytes = read(headers, body).await?;
    json::parse_object(&bytes).map_err(|error| FieldError::Malformed(error.to_string()))
}

pub async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, FieldError> {
    let announced = headers.get("content-length").and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(too_large());
    }
    match Limited::new(body, MAX_BODY).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(error) if is_base64_error(&*error) => Err(FieldError::Malformed(
            "the gateway's Base64 of the body cannot be decoded. Send the whole request again".into(),
        )),
        Err(_) => Err(FieldError::Malformed("the body ended early. Send the whole request again".into())),
    }
}

/// Also finds the error behind wrappers.
fn is_base64_error(error: &(dyn Error + 'static)) -> bool {
    error.is::<DecodeError>() || error.source().is_some_and(is_base64_error)
}

fn too_large() -> FieldError {
    FieldError::TooLarge(format!("the body is larger than {} KiB. Send a shorter message or history", MAX_BODY / 1024))
}
