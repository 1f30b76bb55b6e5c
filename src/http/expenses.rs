//! The rows that a page draws, each answer with a strong `ETag`.

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use data_encoding::HEXLOWER;
use jiff::civil::Date;
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{HttpError, Id, caller::caller, json_response, request::RequestError};
use crate::{
    app::App,
    expenses::{
        ExpenseKind, KIND,
        list_expenses::{self, ListExpenses},
    },
    phrases::clean,
    tool::{Filters, RecordKind},
};

const MAX_LIMIT: usize = 500;

/// In bytes.
const MAX_PARAMETER: usize = 256;

/// `GET /expenses`.
pub async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct List {
        items: Vec<Value>,
        count: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<String>,
        data_version: String,
    }
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let arguments = arguments(parts.uri.query().unwrap_or_default())?;
    let filters = Filters::default();
    let context = app.agent.page_context(&caller, (app.now)(), &filters);
    let found = async { list_expenses::list(&context, arguments).await.map_err(HttpError::from) };
    let version = async { context.store.last_data_version().await.map_err(HttpError::from) };
    let (found, version) = tokio::try_join!(found, version)?;
    let list = List {
        count: found.items.len(),
        items: found.items,
        next_cursor: found.state_updates.next_cursor,
        data_version: version.unwrap_or_else(|| "0".into()),
    };
    Ok(tagged(&list, &parts))
}

/// `GET /expenses/{id}`.
pub async fn one(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let id = id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(HttpError::NoSuchExpense)?;
    let record = app.agent.store.tenant(caller.tenant()).record(KIND, id).await?;
    let record = record.ok_or(HttpError::NoSuchExpense)?;
    Ok(tagged(&ExpenseKind.row(&record), &parts))
}

fn arguments(query: &str) -> Result<ListExpenses, RequestError> {
    let from = parameter(query, "from")?.map(|text| date("from", &text)).transpose()?;
    let to = parameter(query, "to")?.map(|text| date("to", &text)).transpose()?;
    let range = match (from, to) {
        (None, None) => None,
        (Some(from), Some(to)) if from > to => {
            return Err(RequestError::Malformed("`from` must not be after `to`".into()));
        }
        (from, to) => Some(format!("{}..{}", from.unwrap_or(FIRST_DAY), to.unwrap_or(LAST_DAY))),
    };
    Ok(ListExpenses {
        range,
        category: parameter(query, "category")?
            .map(|category| clean(&category))
            .filter(|category| !category.is_empty()),
        min_amount: None,
        max_amount: None,
        limit: parameter(query, "limit")?.map(|text| limit(&text)).transpose()?,
        cursor: parameter(query, "cursor")?,
    })
}

const FIRST_DAY: Date = Date::constant(1970, 1, 1);
const LAST_DAY: Date = Date::constant(9999, 12, 31);

/// A query parameter; an empty one counts as absent.
fn parameter(query: &str, name: &str) -> Result<Option<String>, RequestError> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut values = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).filter(|value| !value.is_empty());
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(RequestError::Malformed(format!("`{name}` is there twice; send it once")));
    }
    let spaced = value.replace('+', " ");
    match percent_decode_str(&spaced).decode_utf8() {
        Ok(text) if text.len() <= MAX_PARAMETER => Ok(Some(text.into_owned())),
        _ => Err(RequestError::Malformed(format!("`{name}` must be UTF-8 text of at most {MAX_PARAMETER} bytes"))),
    }
}

fn date(name: &str, text: &str) -> Result<Date, RequestError> {
    let date = text.parse::<Date>().ok().filter(|date| date.to_string() == text);
    date.ok_or_else(|| RequestError::Malformed(format!("`{name}` must be a date, like 2026-11-30")))
}

fn limit(text: &str) -> Result<usize, RequestError> {
    let limit = text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
    limit.ok_or_else(|| RequestError::Malformed(format!("`limit` must be a number from 1 to {MAX_LIMIT}")))
}

fn tagged(body: &impl Serialize, parts: &Parts) -> Response {
    let body = serde_json::to_vec(body).expect("rows always serialise");
    let tag = format!("\"{}\"", HEXLOWER.encode(&Sha256::digest(&body)));
    let mut response =
        if is_known(&parts.headers, &tag) { StatusCode::NOT_MODIFIED.into_response() } else { json_response(body) };
    let tag = HeaderValue::from_str(&tag).expect("hexadecimal digits in quotes");
    response.headers_mut().insert(header::ETAG, tag);
    response
}

/// `If-None-Match` compares weakly (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = (Option<String>, Option<String>, Option<usize>, Option<String>);

    fn read(query: &str) -> Result<Read, RequestError> {
        arguments(query).map(|found| (found.range, found.category, found.limit, found.cursor))
    }

    #[test]
    fn parameters_narrow_the_list_and_unknown_ones_are_ignored() {
        assert_eq!(read("page=2&from="), Ok((None, None, None, None)));
        let expected = (Some("2026-10-01..9999-12-31".into()), Some("eating out".into()), Some(5), Some("a+b".into()));
        assert_eq!(read("from=2026-10-01&category=eating+out&limit=5&cursor=a%2Bb"), Ok(expected));
        assert_eq!(read("to=2026-10-01").unwrap().0, Some("1970-01-01..2026-10-01".into()));
    }

    #[test]
    fn malformed_parameters_are_refused() {
        for query in [
            "limit=0",
            "limit=501",
            "limit=x",
            "limit=-1",
            "limit=1&limit=2",
            "from=2026-02-30",
            "from=yesterday",
            "from=2026-01-01T00:00",
            "from=2026-02-01&to=2026-01-01",
            "category=%ff",
            "cursor=%00%ff",
        ] {
            assert!(matches!(read(query), Err(RequestError::Malformed(_))), "{query}");
        }
    }

    #[test]
    fn a_tag_is_recognised_in_a_list_and_as_weak() {
        let known = |value: &'static str| {
            is_known(&HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(value))]), "\"a\"")
        };
        assert_eq!(
            ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*", "\"b\"", "a"].map(known),
            [true, true, true, true, false, false]
        );
    }
}
