//! Records of any kind that can be searched, for a page that lists them. Each answer has a strong `ETag`.

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use ring::digest::{SHA256, digest};
use serde::Serialize;
use serde_json::Map;

use super::{
    HttpError, Id,
    caller::caller,
    deadline, in_time, json_response,
    lists::RowList,
    parameters::{self, refused},
};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    expenses::ExpenseKind,
    identity::Caller,
    tool::{NameCache, RecordKind, Registry, ToolError, listing, row_view},
};

/// `GET /records/{kind}`.
pub async fn list(State(app): State<Arc<App>>, kind: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let kind = kind.ok().and_then(|Path(name)| listed_kind(&app.agent.registry, &name));
    send_list(&app, &parts, &caller, kind.ok_or(HttpError::NoSuchRecord)?).await
}

/// `GET /expenses`, the same as `/records/expense`.
pub async fn expenses(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    send_list(&app, &parts, &caller, &ExpenseKind).await
}

/// `GET /records/{kind}/{id}`.
pub async fn one(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let Path((name, id)) = path.map_err(|_| HttpError::NoSuchRecord)?;
    let kind = listed_kind(&app.agent.registry, &name).ok_or(HttpError::NoSuchRecord)?;
    let sent = send_one(&app, &parts, &caller, kind, Some(id)).await?;
    sent.ok_or(HttpError::NoSuchRecord)
}

/// `GET /expenses/{id}`.
pub async fn expense(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let id = id.ok().map(|Path(id)| id);
    let sent = send_one(&app, &parts, &caller, &ExpenseKind, id).await?;
    sent.ok_or(HttpError::NoSuchExpense)
}

/// A page of rows with the version of the data that it is of.
async fn send_list(app: &App, parts: &Parts, caller: &Caller, kind: &dyn RecordKind) -> Result<Response, HttpError> {
    let search = kind.search().ok_or(HttpError::NoSuchRecord)?;
    let asked = parameters::of_list(&parts.uri, search)?;
    let preferences = async {
        // Without filters nothing depends on them.
        if asked.filters.is_empty() && asked.whose.is_none() && !search.orders().contains(&asked.order.as_str()) {
            Ok(PreferenceSnapshot::default())
        } else {
            app.agent.preferences(caller).await
        }
    };
    let preferences = in_time(app, parts, preferences).await?;
    let (active, names) = (Map::new(), NameCache::default());
    let context = &app.agent.page_context(caller, (app.now)(), &preferences, &active, &names);
    let read = || {
        // The list is read again after an unfinished run, which may change names.
        context.names.clear();
        let found = match search.list() {
            Some(list) => list(context, &asked),
            None => listing::of_page(context, kind, search.word_fields(), &asked).boxed(),
        };
        async move {
            let found = async {
                found.await.map_err(|error| match error {
                    ToolError::Malformed(detail) => refused(detail).into(),
                    error => HttpError::Tool(error),
                })
            };
            let version = async { context.store.last_data_version().await.map_err(HttpError::from) };
            let members = async {
                let is_read = !context.members.is_empty();
                if is_read { Ok(context.members.clone()) } else { app.agent.members(context.caller).await }
            };
            let members = async { members.await.map_err(HttpError::from) };
            tokio::try_join!(found, version, members)
        }
    };
    let settled = app.agent.read_settled(context.caller, (app.now)(), deadline(app, parts).answer, read);
    let (found, version, members) = in_time(app, parts, settled).await?;
    let mut items = found.items.unwrap_or_default();
    items.iter_mut().for_each(|row| members.name_owner(row));
    let list = RowList {
        count: found.count,
        items,
        next_cursor: found.state_updates.next_cursor,
        data_version: version.unwrap_or_else(|| "0".into()),
    };
    Ok(tagged(&list, parts))
}

/// None if there is no such row.
async fn send_one(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    kind: &dyn RecordKind,
    id: Option<String>,
) -> Result<Option<Response>, HttpError> {
    let Some(id) = id.and_then(|id| id.parse().ok()) else { return Ok(None) };
    let store = app.agent.store.tenant(caller.tenant());
    let record = async { store.record(kind.prefix(), id).await.map_err(HttpError::from) };
    let members = async { app.agent.members(caller).await.map_err(HttpError::from) };
    let (record, members) = in_time(app, parts, async { tokio::try_join!(record, members) }).await?;
    Ok(record.map(|record| {
        let mut row = row_view(kind, &record);
        members.name_owner(&mut row);
        tagged(&row, parts)
    }))
}

/// A kind that declares no search has no list.
fn listed_kind<'r>(registry: &'r Registry, name: &str) -> Option<&'r dyn RecordKind> {
    registry.kind_named(name).filter(|kind| kind.search().is_some())
}

fn tagged(body: &impl Serialize, parts: &Parts) -> Response {
    let body = serde_json::to_vec(body).expect("rows always serialise");
    let tag = format!("\"{}\"", hex::encode(digest(&SHA256, &body).as_ref()));
    let mut response =
        if matches_tag(&parts.headers, &tag) { StatusCode::NOT_MODIFIED.into_response() } else { json_response(body) };
    let tag = HeaderValue::from_str(&tag).expect("hexadecimal digits in quotes");
    response.headers_mut().insert(header::ETAG, tag);
    // A browser may store it if it validates it each time.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

/// `If-None-Match` compares weakly (RFC 9110, 13.1.2).
pub fn matches_tag(headers: &HeaderMap, tag: &str) -> bool {
    let tags = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag_sent| tag_sent == "*" || tag_sent.trim_start_matches("W/") == tag)
}
