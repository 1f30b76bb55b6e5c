//! Reads a request's body up to a limit, whatever length the client announced.

use std::error::Error;

use axum::{
    body::{Body, Bytes},
    http::HeaderMap,
};
use data_encoding::DecodeError;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

use super::json;
use crate::json_fields::FieldError;

/// In bytes. A usual request is many times smaller.
pub const MAX_BODY: usize = 64 * 1024;

/// In bytes, of a request with a file. Lambda takes 6 MB, of which Base64 costs a third.
pub const MAX_IMPORT: usize = 4 * 1024 * 1024;

pub async fn read_object(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, FieldError> {
    parse(&read(headers, body, MAX_BODY).await?)
}

pub async fn read_import(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, FieldError> {
    parse(&read(headers, body, MAX_IMPORT).await?)
}

/// A message may have a file.
pub async fn read_message(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, FieldError> {
    let bytes = read(headers, body, MAX_IMPORT).await?;
    let read = parse(&bytes);
    let has_file = read.as_ref().is_ok_and(|body| body.contains_key("attachments"));
    if bytes.len() > MAX_BODY && !has_file { Err(too_large(MAX_BODY)) } else { read }
}

fn parse(bytes: &[u8]) -> Result<Map<String, Value>, FieldError> {
    json::parse_object(bytes).map_err(|error| FieldError::Malformed(error.to_string()))
}

async fn read(headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, FieldError> {
    let announced = headers.get("content-length").and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > most as u64) {
        return Err(too_large(most));
    }
    match Limited::new(body, most).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(most)),
        Err(error) if is_base64_error(&*error) => {
            let detail = "the gateway's Base64 of the body cannot be decoded. Send the whole request again";
            Err(FieldError::Malformed(detail.into()))
        }
        Err(_) => Err(FieldError::Malformed("the body ended early. Send the whole request again".into())),
    }
}

/// Also finds the error behind wrappers.
fn is_base64_error(error: &(dyn Error + 'static)) -> bool {
    error.is::<DecodeError>() || error.source().is_some_and(is_base64_error)
}

fn too_large(most: usize) -> FieldError {
    let what = match most {
        MAX_BODY => "Send a shorter message or history",
        _ => "Send the file in parts, split by period",
    };
    FieldError::TooLarge(format!("the body is larger than {} KiB. {what}", most / 1024))
}
