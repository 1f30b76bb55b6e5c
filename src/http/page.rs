//! The web page: its files, which `build.rs` embeds, and what it must know before anybody signs in.
//!
//! The files are the same for everybody and need no sign-in.

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{HttpError, Id, ok, records::matches_tag};
use crate::{
    app::App,
    config::{Auth, SignIn},
};

struct File {
    /// Like `vendor/preact.js`.
    name: &'static str,
    media_type: &'static str,
    hash: &'static str,
    gzip: &'static [u8],
}

// `VERSION`, `FILES` and `OPENAPI`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The address changes with the content.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";
const IF_UNCHANGED: &str = "no-cache";

/// `GET /`.
pub async fn index(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    send(&app, "index.html", IF_UNCHANGED, request.headers())
}

/// `GET /manifest.webmanifest`.
pub async fn manifest(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    send(&app, "manifest.webmanifest", IF_UNCHANGED, request.headers())
}

/// `GET /service-worker.js`. It controls the addresses beside it.
pub async fn service_worker(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    send(&app, "service-worker.js", IF_UNCHANGED, request.headers())
}

/// `GET /page/{file}`, with or without the version before the name.
pub async fn file(State(app): State<Arc<App>>, name: Id, request: Request) -> Result<Response, HttpError> {
    let Path(name) = name.map_err(|_| HttpError::NoSuchRoute)?;
    match name.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix('/')) {
        Some(name) => send(&app, name, FOR_GOOD, request.headers()),
        None => send(&app, &name, IF_UNCHANGED, request.headers()),
    }
}

/// `GET /openapi.json`: this interface as an OpenAPI document.
pub async fn openapi(State(app): State<Arc<App>>, request: Request) -> Response {
    send_file(&app, &OPENAPI, IF_UNCHANGED, request.headers())
}

/// What the page must know before anybody signs in. `version` is that of its files.
#[derive(Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(tag = "auth", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Config<'a> {
    /// Nobody signs in: a server for development.
    #[cfg(feature = "local")]
    Dev { version: &'a str },
    /// OpenID Connect, with the authorization code grant and PKCE.
    Oidc { issuer: &'a str, client_id: &'a str, scope: &'a str, version: &'a str },
}

/// `GET /config.json`: how to sign in.
pub async fn config(State(app): State<Arc<App>>) -> Result<Response, HttpError> {
    let config = match (app.auth, &app.sign_in) {
        #[cfg(feature = "local")]
        (Auth::Dev, _) => Config::Dev { version: VERSION },
        (Auth::Gateway, Some(sign_in)) => {
            let SignIn { issuer, client_id, scope, .. } = sign_in;
            Config::Oidc { issuer, client_id, scope, version: VERSION }
        }
        (Auth::Gateway, None) => return Err(HttpError::NoSignIn),
    };
    Ok(ok(&config))
}

fn send(app: &App, name: &str, caching: &'static str, headers: &HeaderMap) -> Result<Response, HttpError> {
    let file = FILES.iter().find(|file| file.name == name).ok_or(HttpError::NoSuchRoute)?;
    Ok(send_file(app, file, caching, headers))
}

/// Every browser reads gzip, so there is no other form.
fn send_file(app: &App, file: &File, caching: &'static str, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", file.hash);
    let mut response = if matches_tag(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let types = [(header::CONTENT_TYPE, file.media_type), (header::CONTENT_ENCODING, "gzip")];
        (types, file.gzip).into_response()
    };
    let fields = response.headers_mut();
    fields.insert(header::ETAG, HeaderValue::from_str(&tag).expect("hexadecimal digits in quotes"));
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    fields.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    fields.insert(header::CONTENT_SECURITY_POLICY, content_security_policy(app));
    response
}

/// Nothing but the page's own files and requests, and those of the sign-in.
fn content_security_policy(app: &App) -> HeaderValue {
    let origins = app.sign_in.iter().flat_map(|sign_in| &sign_in.origins);
    let connect: String = origins.map(|origin| format!(" {origin}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'{connect}; img-src 'self' data:; \
         manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("origins are ASCII")
}
