//! What a page shows beside its rows: sums, budgets, recurring expenses and everything that is remembered.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::request::Parts,
    response::Response,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    HttpError,
    caller::caller,
    deadline, in_time, ok,
    query::Parameters,
    records::{range, refused},
};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    expenses::{
        By, Filters,
        get_budgets::GetBudgets,
        list_recurring::ListRecurring,
        page_sums::{self, PARAMETERS},
    },
    identity::Caller,
    json_fields::{FieldError, Fields},
    tool::{NameCache, Query, ToolContext, ToolError, whose::WHOSE},
};

#[derive(Serialize)]
struct List {
    items: Value,
}

/// `GET /sums`: by category, month, week, day, item or not at all.
pub async fn sums(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let person = Person::read(&app, &parts).await?;
    let (by, filters) = asked(&parts)?;
    let read = async || page_sums::sums(&person.context(&app), filters.clone(), by).await;
    Ok(ok(&person.settled(&app, &parts, read).await?))
}

/// `GET /budgets`: each with what is spent and left today.
pub async fn budgets(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let category = Parameters::read(&parts.uri, &["category"])?.get("category").map(str::to_owned);
    let person = Person::read(&app, &parts).await?;
    let read = async || GetBudgets { category: category.clone() }.run(&person.context(&app)).await;
    let mut found = person.settled(&app, &parts, read).await?;
    Ok(ok(&List { items: found.state_updates.fields.remove("budgets").unwrap_or_else(|| json!([])) }))
}

/// `GET /recurring`: each with its next day.
pub async fn recurring(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let whose = Parameters::read(&parts.uri, &[WHOSE])?.get(WHOSE).map(str::to_owned);
    let person = Person::read(&app, &parts).await?;
    let found = ListRecurring { whose }.run(&person.context(&app)).await?;
    Ok(ok(&List { items: found.state_updates.preferences.into() }))
}

/// `GET /preferences`: all that is remembered, with the names by which it can be deleted.
pub async fn preferences(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    Parameters::read(&parts.uri, &[])?;
    let person = Person::read(&app, &parts).await?;
    Ok(ok(&List { items: app.agent.preference_views(&person.preferences.preferences)?.into() }))
}

/// What every query of these pages needs.
struct Person {
    caller: Caller,
    preferences: PreferenceSnapshot,
    names: NameCache,
    filters: Map<String, Value>,
}

impl Person {
    async fn read(app: &App, parts: &Parts) -> Result<Person, HttpError> {
        let caller = caller(app, parts)?;
        let preferences = in_time(app, parts, app.agent.preferences(&caller)).await?;
        Ok(Person { caller, preferences, names: NameCache::default(), filters: Map::new() })
    }

    fn context<'a>(&'a self, app: &'a App) -> ToolContext<'a> {
        app.agent.page_context(&self.caller, (app.now)(), &self.preferences, &self.filters, &self.names)
    }

    /// Reads again after an unfinished run, which may change sums and names.
    async fn settled<T, F: Future<Output = Result<T, ToolError>>>(
        &self,
        app: &App,
        parts: &Parts,
        read: impl Fn() -> F,
    ) -> Result<T, HttpError> {
        let read = || {
            self.names.clear();
            let found = read();
            async { found.await.map_err(HttpError::from) }
        };
        let settled = app.agent.read_settled(&self.caller, (app.now)(), deadline(app, parts).answer, read);
        in_time(app, parts, settled).await
    }
}

fn asked(parts: &Parts) -> Result<(By, Filters), HttpError> {
    let parameters = Parameters::read(&parts.uri, &PARAMETERS)?;
    let day = |name: &str| {
        let day = parameters
            .get(name)
            .map(|day| day.parse().map_err(|_| refused(format!("`{name}` is a date like 2026-11-30"))));
        day.transpose()
    };
    let by = By::deserialize(json!(parameters.get("by").unwrap_or("none")));
    let by = by.map_err(|_| refused("`by` is none, category, month, week, day or item"))?;
    let values = parameters.values(&["by", "from", "to", WHOSE]);
    let filters = Filters::of_parameters(&Fields::root(&values)).map_err(|error| match error {
        FieldError::Malformed(detail) => refused(detail),
        error => error,
    })?;
    let whose = parameters.get(WHOSE).map(str::to_owned);
    Ok((by, Filters { range: range(day("from")?, day("to")?)?, whose, ..filters }))
}
