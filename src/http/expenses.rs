//! Expenses for a page that lists them: `/records/expense`, also by amount, and with other readings of the filters where
//! nothing fits.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, Request, State},
    http::Uri,
    response::Response,
};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Map;

use super::{
    HttpError, Id,
    caller::caller,
    in_time,
    records::{check_limit, range, refused, send_list, send_one},
};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    expenses::{
        ExpenseKind, Filters,
        listing::{self, Listing, Order},
    },
    json_fields::FieldError,
    money::Amount,
    tool::NameCache,
};

/// `GET /expenses`.
pub async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let arguments = arguments(&parts.uri)?;
    let filters = Map::new();
    let preferences = async {
        // Only the currency of amounts and the members in the filters are stored.
        if arguments.compares_amounts() || arguments.filters.whose.is_some() {
            app.agent.preferences(&caller).await
        } else {
            Ok(PreferenceSnapshot::default())
        }
    };
    let preferences = in_time(&app, &parts, preferences).await?;
    let names = NameCache::default();
    let context = app.agent.page_context(&caller, (app.now)(), &preferences, &filters, &names);
    send_list(&app, &parts, &context, || listing::list(&context, arguments.clone())).await
}

/// `GET /expenses/{id}`.
pub async fn one(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let id = id.ok().map(|Path(id)| id);
    let sent = send_one(&app, &parts, &caller, &ExpenseKind, id).await?;
    sent.ok_or(HttpError::NoSuchExpense)
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
    whose: Option<String>,
    order: Order,
    limit: Option<usize>,
    cursor: Option<String>,
}

fn arguments(uri: &Uri) -> Result<Listing, FieldError> {
    let Query(parameters) = Query::<Parameters>::try_from_uri(uri).map_err(|_| {
        refused(
            "`from` and `to` are dates like 2026-11-30, `limit` is a number, `minAmount` and `maxAmount` are amounts like \
              12.50, `hasNotes` is true or false, and `order` is newest, oldest, largest or smallest; each at most once",
        )
    })?;
    let Parameters { from, to, limit, cursor, order, .. } = parameters;
    check_limit(limit)?;
    let filters = Filters {
        range: range(from, to)?,
        categories: parameters.category.into_iter().collect(),
        min_amount: parameters.min_amount,
        max_amount: parameters.max_amount,
        currency: parameters.currency,
        text: parameters.text,
        has_notes: parameters.has_notes,
        whose: parameters.whose,
        ..Filters::default()
    };
    Ok(Listing { filters, order, limit, cursor, after: None })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(query: &str) -> Result<Listing, FieldError> {
        arguments(&format!("/expenses?{query}").parse().unwrap())
    }

    #[test]
    fn parameters_narrow_the_list_and_unknown_ones_are_ignored() {
        let query = "from=2026-10-01&category=eating+out&limit=5&cursor=a%2Bb&page=2&minAmount=2.50&maxAmount=9\
                     &currency=EUR&text=ana&hasNotes=true&whose=me&order=largest";
        let amount = |text| Some(Amount::parse(text).unwrap());
        let filters = Filters {
            range: Some("2026-10-01..9999-12-31".into()),
            categories: vec!["eating out".into()],
            min_amount: amount("2.50"),
            max_amount: amount("9"),
            currency: Some("EUR".into()),
            text: Some("ana".into()),
            has_notes: Some(true),
            whose: Some("me".into()),
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
