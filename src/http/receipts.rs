//! The history of executed proposals, newest first, and the operations of each.

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State},
    response::Response,
};
use serde::Deserialize;

use super::{
    HttpError, Id,
    caller::caller,
    deadline, in_time,
    lists::CountedList,
    ok,
    parameters::{self, refused},
    request::RequestError,
};
use crate::{
    agent::OperationsFrom,
    app::App,
    proposal::{ChunkId, ProposalId, is_data_version, manifest::MAX_OPERATIONS},
};

const LIMIT: usize = 20;
const NO_CURSOR: &str = "`cursor` is none that this list gave out";

/// `GET /proposals/{id}/operations`: all operations; a reply may have only the first ones.
pub async fn operations(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let id = id.ok().and_then(|Path(id)| ProposalId::parse(&id)).ok_or(RequestError::NoSuchProposal)?;
    parameters::known(&parts.uri, &["cursor"])?;
    let Parameters { cursor, .. } = parameters::read(&parts.uri, || NO_CURSOR.to_owned())?;
    let from = cursor.as_deref().map(|cursor| parse_cursor(cursor).ok_or_else(|| refused(NO_CURSOR))).transpose()?;
    let (items, next) = in_time(&app, &parts, app.agent.operations(&caller, &id, from)).await?;
    let next_cursor = next.map(|next| format!("{}-{}-{}", next.chunk, next.operation, next.id.as_str()));
    Ok(ok(&CountedList { count: items.len(), next_cursor, items }))
}

fn parse_cursor(cursor: &str) -> Option<OperationsFrom> {
    let mut parts = cursor.splitn(3, '-');
    let (chunk, operation) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    // No proposal has more.
    let possible = chunk < MAX_OPERATIONS && operation < MAX_OPERATIONS;
    Some(OperationsFrom { chunk, operation, id: ChunkId::parse(parts.next()?)? }).filter(|_| possible)
}

/// Each receipt is a read of its own.
const MAX_LIMIT: usize = 50;

#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Parameters {
    /// How many at most; 20 if absent.
    #[cfg_attr(feature = "local", schemars(range(min = 1, max = MAX_LIMIT)))]
    limit: Option<usize>,
    /// `nextCursor` of the part before.
    cursor: Option<String>,
}

/// `GET /receipts`.
pub async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    parameters::known(&parts.uri, &["cursor", "limit"])?;
    let form = || "`limit` is a number, and `cursor` a text; each at most once".to_owned();
    let Parameters { limit, cursor } = parameters::read(&parts.uri, form)?;
    let limit = parameters::checked_limit(limit, LIMIT, MAX_LIMIT)?;
    if cursor.as_deref().is_some_and(|cursor| !is_data_version(cursor)) {
        return Err(refused(NO_CURSOR).into());
    }
    let read = || app.agent.receipts(&caller, cursor.as_deref(), limit);
    let settled = app.agent.read_settled(&caller, (app.now)(), deadline(&app, &parts).answer, read);
    let (items, next_cursor) = in_time(&app, &parts, settled).await?;
    Ok(ok(&CountedList { count: items.len(), next_cursor, items }))
}
