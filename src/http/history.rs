//! What a page reads about the person: who they are, their conversations and what waits for their decision.

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State},
    http::Uri,
    response::Response,
};
use serde::Deserialize;

use super::{
    HttpError, Id,
    caller::caller,
    in_time,
    lists::List,
    ok,
    parameters::{self, checked_limit, refused},
};
use crate::{app::App, json_fields::FieldError, store::TurnPlace};

const LIMIT: usize = 20;
const MAX_LIMIT: usize = 100;

/// Which part of a list.
#[derive(Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct Place {
    /// How many at most; 20 if absent.
    #[cfg_attr(feature = "local", schemars(range(min = 1, max = MAX_LIMIT)))]
    limit: Option<usize>,
    /// `nextCursor` of the part before.
    cursor: Option<String>,
}

/// `GET /me`.
pub async fn me(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    parameters::known(&parts.uri, &[])?;
    Ok(ok(&in_time(&app, &parts, app.agent.person(&caller)).await?))
}

/// `GET /conversations`: the caller's, newest first.
pub async fn conversations(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let (limit, cursor) = place(&parts.uri)?;
    let read = app.agent.conversations(&caller, cursor.as_ref(), limit);
    let (items, next) = in_time(&app, &parts, read).await?;
    Ok(ok(&List { items, next_cursor: next.map(|next| next.to_string()) }))
}

/// `GET /conversations/{id}/turns`: newest first. An unknown conversation has none.
pub async fn turns(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let (limit, cursor) = place(&parts.uri)?;
    let Path(id) = id.map_err(|_| HttpError::NoSuchRoute)?;
    let read = app.agent.turns(&caller, &id, cursor.as_ref(), limit);
    let (items, next) = in_time(&app, &parts, read).await?;
    Ok(ok(&List { items, next_cursor: next.map(|next| next.to_string()) }))
}

/// `GET /proposals?state=waiting`: those that wait for the caller, newest first.
pub async fn waiting(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    if parameters::known(&parts.uri, &["state"])? != [("state".to_owned(), "waiting".to_owned())] {
        return Err(refused("`state` must be `waiting`: no other proposals are listed").into());
    }
    let items = in_time(&app, &parts, app.agent.waiting(&caller, (app.now)())).await?;
    Ok(ok(&List { items, next_cursor: None }))
}

/// How many are asked for, and after which.
fn place(uri: &Uri) -> Result<(usize, Option<TurnPlace>), FieldError> {
    let Place { limit, cursor } =
        parameters::read_only(uri, &["cursor", "limit"], "`limit` is a number and `cursor` a text, each")?;
    let cursor = cursor.map(|cursor| TurnPlace::parse(&cursor).ok_or(()));
    let cursor = cursor.transpose().map_err(|()| refused("`cursor` is none that this list gave out"))?;
    Ok((checked_limit(limit, LIMIT, MAX_LIMIT)?, cursor))
}
