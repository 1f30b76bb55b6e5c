//! The history: what was approved and done, the newest first.

use std::sync::Arc;

use axum::{
    extract::{Query, Request, State},
    response::Response,
};
use serde::{Deserialize, Serialize};

use super::{HttpError, caller::caller, in_time, ok, request::RequestError};
use crate::{agent::AuditView, app::App, proposal::is_data_version};

const LIMIT: usize = 20;

/// Each is read by itself.
const MAX_LIMIT: usize = 50;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Parameters {
    limit: Option<usize>,
    cursor: Option<String>,
}

/// `GET /receipts`.
pub async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct List {
        count: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<String>,
        items: Vec<AuditView>,
    }
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let refused = |what: &str| RequestError::Malformed(format!("{what}; correct it or leave it out"));
    let Query(Parameters { limit, cursor }) =
        Query::try_from_uri(&parts.uri).map_err(|_| refused("`limit` is a number, at most once"))?;
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(refused(&format!("`limit` must be a number from 1 to {MAX_LIMIT}")).into());
    }
    if cursor.as_deref().is_some_and(|cursor| !is_data_version(cursor)) {
        return Err(refused("`cursor` is none that this list gave out").into());
    }
    let (items, next_cursor) = in_time(&app, &parts, app.agent.receipts(&caller, cursor.as_deref(), limit)).await?;
    Ok(ok(&List { count: items.len(), next_cursor, items }))
}
