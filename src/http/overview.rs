//! What a page shows beside its rows: sums, budgets, recurring expenses and everything that is remembered.

use std::{collections::HashMap, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{Uri, request::Parts},
    response::Response,
};
use serde_json::{Map, Value};

use super::{
    HttpError,
    caller::caller,
    deadline, in_time,
    lists::List,
    ok,
    parameters::{self, refused},
};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    expenses::{ExpenseKind, Filters, get_budgets::GetBudgets, list_recurring::ListRecurring, page_sums},
    identity::Caller,
    json_fields::{FieldError, Fields},
    tool::{NameCache, Query, RecordKind, ToolContext, ToolError, whose::WHOSE},
};

/// `GET /sums`: by category, month, week, day, item or not at all.
pub async fn sums(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let person = Person::read(&app, &parts).await?;
    let asked = parameters::of_sums(&parts.uri, ExpenseKind.search().expect("expenses can be searched"))?;
    let filters = Filters::of_parameters(&Fields::root(&asked.filters)).map_err(|error| match error {
        FieldError::Malformed(detail) => refused(detail),
        error => error,
    })?;
    let filters = Filters { range: asked.range, whose: asked.whose, ..filters };
    let read = async || page_sums::sums(&person.context(&app), filters.clone(), asked.by).await;
    Ok(ok(&person.settled(&app, &parts, read).await?))
}

/// `GET /budgets`: each with what is spent and left today.
pub async fn budgets(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let category = one(&parts.uri, "category")?;
    let person = Person::read(&app, &parts).await?;
    let read = async || GetBudgets { category: category.clone() }.run(&person.context(&app)).await;
    let mut found = person.settled(&app, &parts, read).await?;
    let budgets = match found.state_updates.fields.remove("budgets") {
        Some(Value::Array(budgets)) => budgets,
        _ => vec![],
    };
    Ok(ok(&List::all(budgets)))
}

/// `GET /recurring`: each with its next day.
pub async fn recurring(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let whose = one(&parts.uri, WHOSE)?;
    let person = Person::read(&app, &parts).await?;
    let found = ListRecurring { item: None, range: None, whose }.run(&person.context(&app)).await?;
    Ok(ok(&List::all(found.state_updates.preferences)))
}

/// `GET /preferences`: all that is remembered, with the names by which it can be deleted.
pub async fn preferences(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    parameters::known(&parts.uri, &[])?;
    let person = Person::read(&app, &parts).await?;
    Ok(ok(&List::all(app.agent.preference_views(&person.preferences.preferences))))
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

/// The only parameter that an address has.
fn one(uri: &Uri, name: &str) -> Result<Option<String>, FieldError> {
    let mut values: HashMap<String, String> =
        parameters::read_only(uri, &[name], &format!("`{name}` is a name and there"))?;
    Ok(values.remove(name))
}
