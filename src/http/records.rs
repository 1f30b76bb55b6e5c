//! Records of any kind that can be searched, for a page that lists them. Each answer has a strong `ETag`.

use std::{fmt::Display, sync::Arc};

use axum::{
    extract::{Path, Query, Request, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use data_encoding::HEXLOWER;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{HttpError, Id, caller::caller, deadline, in_time, json_response};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    identity::Caller,
    json_fields::{FieldError, Fields},
    phrases::DateRange,
    tool::{
        NameCache, Owners, QueryResult, RecordKind, Registry, ToolContext, ToolError,
        listing::{self, LIMITS, Paging},
        row_filter::RowFilter,
        row_view,
        whose::WHOSE,
    },
};

/// Parameters that every list has. A kind sees the others.
const COMMON: [&str; 7] = ["cursor", "from", "limit", "order", "range", "to", WHOSE];

/// `GET /records/{kind}`.
pub async fn list(State(app): State<Arc<App>>, kind: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let kind = kind.ok().and_then(|Path(name)| listed_kind(&app.agent.registry, &name));
    let kind = kind.ok_or(HttpError::NoSuchRecord)?;
    let asked = parameters(&parts.uri)?;
    let preferences = async {
        // Without filters nothing depends on them.
        if asked.filters.is_empty() && asked.whose.is_none() {
            Ok(PreferenceSnapshot::default())
        } else {
            app.agent.preferences(&caller).await
        }
    };
    let preferences = in_time(&app, &parts, preferences).await?;
    let active = Map::new();
    let names = NameCache::default();
    let context = app.agent.page_context(&caller, (app.now)(), &preferences, &active, &names);
    let filter = filter(kind, &asked, &context)?;
    send_list(&app, &parts, &context, || listing::list(&context, kind, &filter, &asked.paging)).await
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

/// A page of rows with the version of the data that it is of.
pub async fn send_list<F>(
    app: &App,
    parts: &Parts,
    context: &ToolContext<'_>,
    list: impl Fn() -> F,
) -> Result<Response, HttpError>
where
    F: Future<Output = Result<QueryResult, ToolError>>,
{
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct List {
        items: Vec<Value>,
        count: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<String>,
        data_version: String,
    }
    let read = || {
        // The list is read again after an unfinished run, which may change names.
        context.names.clear();
        let found = list();
        async move {
            let found = async { found.await.map_err(HttpError::from) };
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
    let list = List {
        count: found.count,
        items,
        next_cursor: found.state_updates.next_cursor,
        data_version: version.unwrap_or_else(|| "0".into()),
    };
    Ok(tagged(&list, parts))
}

/// None if there is no such row.
pub async fn send_one(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    kind: &dyn RecordKind,
    id: Option<String>,
) -> Result<Option<Response>, HttpError> {
    let Some(id) = id.and_then(|id| id.parse().ok()) else { return Ok(None) };
    let store = app.agent.store.tenant(caller.tenant());
    let record = in_time(app, parts, store.record(kind.prefix(), id)).await?;
    Ok(record.map(|record| tagged(&row_view(kind, &record), parts)))
}

/// The days as the person's words name them; none if there is neither.
pub fn range(from: Option<Date>, to: Option<Date>) -> Result<Option<String>, FieldError> {
    match (from, to) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) if from > to => Err(refused("`from` must not be after `to`")),
        (from, to) => Ok(Some(format!("{}..{}", from.unwrap_or(DateRange::ALL.from), to.unwrap_or(DateRange::ALL.to)))),
    }
}

pub fn check_limit(limit: Option<usize>) -> Result<usize, FieldError> {
    LIMITS.of(limit).map_err(|_| refused(format!("`limit` must be a number from 1 to {}", LIMITS.most)))
}

pub fn refused(what: impl Display) -> FieldError {
    FieldError::Malformed(format!("{what}. Correct it or leave it out"))
}

/// A kind that declares no search has no list.
fn listed_kind<'r>(registry: &'r Registry, name: &str) -> Option<&'r dyn RecordKind> {
    registry.kind_named(name).filter(|kind| kind.search().is_some())
}

#[derive(Debug, PartialEq)]
struct Parameters {
    range: Option<String>,
    /// The name of a filter of every kind.
    whose: Option<String>,
    paging: Paging,
    /// Each a text, or a list of texts if it is there several times.
    filters: Map<String, Value>,
}

/// One that every list has is refused if it is malformed or repeated. The others are the kind's to read.
fn parameters(uri: &Uri) -> Result<Parameters, FieldError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Common {
        from: Option<Date>,
        to: Option<Date>,
        order: Order,
        limit: Option<usize>,
        cursor: Option<String>,
        whose: Option<String>,
    }
    #[derive(Default, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        #[default]
        Newest,
        Oldest,
    }
    let unreadable = || {
        refused(
            "`from` and `to` are dates like 2026-11-30, `limit` is a number, and `order` is newest or oldest; each at \
             most once",
        )
    };
    let Query(Common { from, to, order, limit, cursor, whose }) = Query::try_from_uri(uri).map_err(|_| unreadable())?;
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| unreadable())?;
    let mut filters: Map<String, Value> = Map::new();
    for (name, text) in pairs.into_iter().filter(|(name, _)| !COMMON.contains(&name.as_str())) {
        match filters.get_mut(&name) {
            None => {
                filters.insert(name, text.into());
            }
            Some(Value::Array(texts)) => texts.push(text.into()),
            Some(first) => *first = vec![first.take(), text.into()].into(),
        }
    }
    let paging = Paging { limit: check_limit(limit)?, cursor, after: None, oldest_first: order == Order::Oldest };
    Ok(Parameters { range: range(from, to)?, whose, paging, filters })
}

fn filter(
    kind: &dyn RecordKind,
    asked: &Parameters,
    context: &ToolContext<'_>,
) -> Result<RowFilter<'static>, HttpError> {
    let search = kind.search().ok_or(HttpError::NoSuchRecord)?;
    let filter = search.filter(&Fields::root(&asked.filters), context).map_err(|error| match error {
        ToolError::Malformed(detail) => refused(detail).into(),
        error => HttpError::Tool(error),
    })?;
    let filter = match Owners::resolve(asked.whose.as_deref(), context)? {
        Some(owners) => filter.of(&owners),
        None => filter,
    };
    let Some(range) = &asked.range else { return Ok(filter) };
    let range = context.reader().resolve_range(range).map_err(|error| ToolError::Refused(error.to_string()))?;
    Ok(filter.within(range, context.style()))
}

fn tagged(body: &impl Serialize, parts: &Parts) -> Response {
    let body = serde_json::to_vec(body).expect("rows always serialise");
    let tag = format!("\"{}\"", HEXLOWER.encode(&Sha256::digest(&body)));
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
