//! Expenses for a page that lists them. Each answer has a strong `ETag`.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use data_encoding::HEXLOWER;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{HttpError, Id, caller::caller, deadline, in_time, json_response, request::RequestError};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    expenses::{
        ExpenseKind, Filters, KIND,
        listing::{self, LIMITS, Listing, Order},
    },
    money::Amount,
    phrases::DateRange,
    tool::row_view,
};

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
    let arguments = arguments(&parts.uri)?;
    let filters = Map::new();
    let preferences = async {
        // Only the style of amounts in the filters depends on preferences.
        if arguments.compares_amounts() {
            app.agent.preferences(&caller).await
        } else {
            Ok(PreferenceSnapshot::default())
        }
    };
    let preferences = in_time(&app, &parts, preferences).await?;
    let context = app.agent.page_context(&caller, (app.now)(), &preferences, &filters);
    let read = || async {
        let found = async { listing::list(&context, arguments.clone()).await.map_err(HttpError::from) };
        let version = async { context.store.last_data_version().await.map_err(HttpError::from) };
        tokio::try_join!(found, version)
    };
    let deadline = deadline(&app, &parts).answer;
    let settled = app.agent.read_settled(&caller, (app.now)(), deadline, read);
    let (found, version) = in_time(&app, &parts, settled).await?;
    let list = List {
        count: found.count,
        items: found.items.unwrap_or_default(),
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
    let store = app.agent.store.tenant(caller.tenant());
    let record = in_time(&app, &parts, store.record(KIND, id)).await?;
    let record = record.ok_or(HttpError::NoSuchExpense)?;
    Ok(tagged(&row_view(&ExpenseKind, &record), &parts))
}

/// Unknown parameters are ignored. A known one that is malformed or repeated is refused.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[serde(rename_all = "camelCase")]
struct Parameters {
    from: Option<Date>,
    to: Option<Date>,
    category: Option<String>,
    min_amount: Option<Amount>,
    max_amount: Option<Amount>,
    currency: Option<String>,
    text: Option<String>,
    has_notes: Option<bool>,
    order: Order,
    limit: Option<usize>,
    cursor: Option<String>,
}

fn arguments(uri: &Uri) -> Result<Listing, RequestError> {
    let refused =
        |error: &dyn std::fmt::Display| RequestError::Malformed(format!("{error}. Correct it or leave it out"));
    let Query(parameters) = Query::<Parameters>::try_from_uri(uri).map_err(|_| {
        refused(
            &"`from` and `to` are dates like 2026-11-30, `limit` is a number, `minAmount` and `maxAmount` are amounts like \
              12.50, `hasNotes` is true or false, and `order` is newest, oldest, largest or smallest; each at most once",
        )
    })?;
    let Parameters { from, to, limit, cursor, order, .. } = parameters;
    if limit.is_some_and(|limit| LIMITS.of(Some(limit)).is_err()) {
        return Err(refused(&format!("`limit` must be a number from 1 to {}", LIMITS.most)));
    }
    let range = match (from, to) {
        (None, None) => None,
        (Some(from), Some(to)) if from > to => return Err(refused(&"`from` must not be after `to`")),
        (from, to) => Some(format!("{}..{}", from.unwrap_or(DateRange::ALL.from), to.unwrap_or(DateRange::ALL.to))),
    };
    let filters = Filters {
        range,
        categories: parameters.category.into_iter().collect(),
        min_amount: parameters.min_amount,
        max_amount: parameters.max_amount,
        currency: parameters.currency,
        text: parameters.text,
        has_notes: parameters.has_notes,
        ..Filters::default()
    };
    Ok(Listing { filters, order, limit, cursor, after: None })
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
fn matches_tag(headers: &HeaderMap, tag: &str) -> bool {
    let tags = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag_sent| tag_sent == "*" || tag_sent.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(query: &str) -> Result<Listing, RequestError> {
        arguments(&format!("/expenses?{query}").parse().unwrap())
    }

    #[test]
    fn parameters_narrow_the_list_and_unknown_ones_are_ignored() {
        let query = "from=2026-10-01&category=eating+out&limit=5&cursor=a%2Bb&page=2&minAmount=2.50&maxAmount=9\
                     &currency=EUR&text=ana&hasNotes=true&order=largest";
        let amount = |text| Some(Amount::parse(text).unwrap());
        let filters = Filters {
            range: Some("2026-10-01..9999-12-31".into()),
            categories: vec!["eating out".into()],
            min_amount: amount("2.50"),
            max_amount: amount("9"),
            currency: Some("EUR".into()),
            text: Some("ana".into()),
            has_notes: Some(true),
            ..Filters::default()
        };
        let expected =
            Listing { filters, order: Order::Largest, limit: Some(5), cursor: Some("a+b".into()), after: None };
        assert_eq!(read(query), Ok(expected));
        let range = |query| read(query).unwrap().filters.range;
        assert_eq!(range("to=2026-10-01").as_deref(), Some("1970-01-01..2026-10-01"));
        assert_eq!(read(""), Ok(Listing::default()));
    }

    #[rstest]
    fn malformed_parameters_are_refused(
        #[values(
            "limit=0",
            "limit=501",
            "limit=x",
            "limit=-1",
            "limit=1&limit=2",
            "from=2026-02-30",
            "from=yesterday",
            "minAmount=much",
            "hasNotes=1",
            "order=best",
            "from=2026-11-02&to=2026-11-01"
        )]
        query: &str,
    ) {
        let refused = read(query).unwrap_err().to_string();
        assert!(refused.ends_with(". Correct it or leave it out"), "{refused}");
    }
}
