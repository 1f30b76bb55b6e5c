//! HTTP: turns requests into agent turns, and replies and errors into responses.
//!
//! The local server and Lambda use the same router. It knows routes, limits and statuses; it does not know models, the
//! table or how a turn is answered.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Path, Request, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::timeout_at;

use crate::{
    agent::{Deadline, Progress, TurnRequest},
    app::App,
    identity::Caller,
    proposal::ProposalId,
    store::StoreError,
};

pub use problem::HttpError;

use events::NamedEvents;
use request::{DecisionKind, RequestError, TurnInput};
use turn_stream::Writer;

mod ag_ui;
mod ai_sdk;
mod body;
mod caller;
mod events;
mod export;
mod history;
mod imports;
mod json;
mod kit;
pub mod lambda;
mod lists;
mod mcp;
#[cfg(feature = "local")]
pub mod openapi;
mod overview;
mod page;
mod parameters;
mod problem;
mod receipts;
mod records;
mod request;
mod turn_stream;

pub fn service(app: Arc<App>) -> Router {
    Router::new()
        .route("/chat", post(chat))
        .route("/api/chat", post(chat))
        .route("/chat/{id}/stream", get(resume_stream))
        .route("/api/chat/{id}/stream", get(resume_stream))
        .route("/ag-ui", post(run_agent))
        .route("/me", get(history::me))
        .route("/conversations", get(history::conversations))
        .route("/conversations/{id}/turns", get(history::turns))
        .route("/proposals", get(history::waiting))
        .route("/proposals", post(change_by_form))
        .route("/proposals/{id}", get(proposal))
        .route("/proposals/{id}/operations", get(receipts::operations))
        .route("/proposals/{id}/confirm", post(confirm))
        .route("/proposals/{id}/reject", post(reject))
        .route("/proposals/{id}/stop", post(stop))
        .route("/proposals/{id}/undo", post(undo))
        .route("/imports", post(imports::import))
        .route("/receipts", get(receipts::list))
        .route("/expenses", get(records::expenses))
        .route("/expenses/{id}", get(records::expense))
        .route("/expenses/export", get(export::expenses))
        .route("/sums", get(overview::sums))
        .route("/budgets", get(overview::budgets))
        .route("/recurring", get(overview::recurring))
        .route("/preferences", get(overview::preferences))
        .route("/records/{kind}", get(records::list))
        .route("/records/{kind}/{id}", get(records::one))
        .route("/mcp", post(mcp::post))
        .route("/mcp", get(mcp::no_stream))
        .route("/.well-known/oauth-protected-resource", get(mcp::resource))
        .route("/.well-known/oauth-protected-resource/mcp", get(mcp::resource))
        .route("/", get(page::index))
        .route("/page/{*file}", get(page::file))
        .route("/manifest.webmanifest", get(page::manifest))
        .route("/service-worker.js", get(page::service_worker))
        .route("/config.json", get(page::config))
        .route("/openapi.json", get(page::openapi))
        .route("/health", get(health))
        .fallback(async || HttpError::NoSuchRoute)
        .method_not_allowed_fallback(async || HttpError::MethodNotAllowed)
        .layer(from_fn(add_headers))
        .with_state(app)
}

/// A request extension: how long the host lets this request run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remaining(pub Duration);

/// A path parameter. One that cannot be decoded is treated as unknown.
type Id = Result<Path<String>, PathRejection>;

async fn chat(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, body) = request.into_parts();
    let caller = caller::caller(&app, &parts);
    let deadline = deadline(&app, &parts);
    let limit = |body: &Map<String, Value>| match body {
        body if ai_sdk::is_request(body) => body::MAX_CONVERSATION,
        body if body.contains_key("attachments") => body::MAX_IMPORT,
        _ => body::MAX_BODY,
    };
    let body = match body::read_chat(&parts.headers, body, limit).await {
        Ok(body) => body,
        Err(error) => return Err(caller.err().map_or(error.into(), HttpError::from)),
    };
    if ai_sdk::is_request(&body) {
        let answered = async {
            let caller = caller?;
            let (input, stream) = ai_sdk::read(&body, &app.agent.registry)?;
            respond(&app, caller, deadline, input, Form::Events(Box::new(stream))).await
        };
        return Ok(answered.await.map_or_else(HttpError::into_text_response, ai_sdk::with_headers));
    }
    if let Some(file) = request::attachment(&body)? {
        return imports::chat(&app, &parts, caller?, deadline, &body, file).await;
    }
    let input = request::chat(&body, &parts.headers, &app.agent.registry);
    respond(&app, caller?, deadline, input?, Form::accepted(&parts)).await
}

/// A page of the AI SDK that was loaded again asks for the rest of an answer. What was decided or executed meanwhile, the
/// next request tells.
async fn resume_stream(State(app): State<Arc<App>>, id: Id, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    match (caller::caller(&app, &parts), id) {
        (Ok(_), Ok(_)) => StatusCode::NO_CONTENT.into_response(),
        (Ok(_), Err(_)) => HttpError::NoSuchRoute.into_text_response(),
        (Err(error), _) => HttpError::from(error).into_text_response(),
    }
}

async fn run_agent(State(app): State<Arc<App>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let answered = async {
        let caller = caller::caller(&app, &parts)?;
        let deadline = deadline(&app, &parts);
        let body = body::read_chat(&parts.headers, body, |_| body::MAX_CONVERSATION).await?;
        let (input, events) = ag_ui::read(&body, (app.nonce)(), &app.agent.registry)?;
        respond(&app, caller, deadline, input, Form::Events(Box::new(events))).await
    };
    answered.await.unwrap_or_else(HttpError::into_text_response)
}

/// Adds, changes or deletes rows without a message.
async fn change_by_form(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, body) = request.into_parts();
    let caller = caller::caller(&app, &parts)?;
    let deadline = deadline(&app, &parts);
    let body = body::read_object(&parts.headers, body).await?;
    let input = request::form(&body, &parts.headers, &app.agent.registry)?;
    respond(&app, caller, deadline, input, Form::accepted(&parts)).await
}

async fn confirm(state: State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    decide(DecisionKind::Approve, state, id, request).await
}

async fn reject(state: State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    decide(DecisionKind::Reject, state, id, request).await
}

async fn stop(state: State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    decide(DecisionKind::Stop, state, id, request).await
}

async fn decide(
    kind: DecisionKind,
    State(app): State<Arc<App>>,
    id: Id,
    request: Request,
) -> Result<Response, HttpError> {
    let (parts, body) = request.into_parts();
    let caller = caller::caller(&app, &parts)?;
    let deadline = deadline(&app, &parts);
    let body = body::read_object(&parts.headers, body).await?;
    let Path(id) = id.map_err(|_| RequestError::NoSuchProposal)?;
    let input = request::decision(kind, &id, &body, &parts.headers, &app.agent.registry)?;
    respond(&app, caller, deadline, input, Form::accepted(&parts)).await
}

/// Proposes to undo a receipt. The proposal waits like any other.
async fn undo(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, body) = request.into_parts();
    let caller = caller::caller(&app, &parts)?;
    let deadline = deadline(&app, &parts);
    let body = body::read_object(&parts.headers, body).await?;
    let Path(id) = id.map_err(|_| RequestError::NoSuchProposal)?;
    let input = request::undo(&id, &body, &parts.headers, &app.agent.registry)?;
    let id = ProposalId::parse(&id).ok_or(RequestError::NoSuchProposal)?;
    in_time(&app, &parts, app.agent.undoable(&caller, &id, (app.now)())).await?;
    respond(&app, caller, deadline, input, Form::accepted(&parts)).await
}

fn deadline(app: &App, parts: &Parts) -> Deadline {
    app.deadline(parts.extensions.get::<Remaining>().map(|Remaining(time)| *time))
}

/// Limits a read to the deadline of the answer, so that a slow store is reported in time.
async fn in_time<T, E>(app: &App, parts: &Parts, read: impl Future<Output = Result<T, E>>) -> Result<T, HttpError>
where
    HttpError: From<E>,
{
    match timeout_at(deadline(app, parts).answer, read).await {
        Ok(read) => Ok(read?),
        Err(_) => Err(StoreError::Unavailable("it did not answer before the deadline".into()).into()),
    }
}

/// How a turn is answered.
enum Form {
    /// With its reply, in one piece.
    Json,
    Events(Box<dyn Writer>),
}

impl Form {
    /// What the client accepts of the service's own forms.
    fn accepted(parts: &Parts) -> Form {
        match accepts(&parts.headers, turn_stream::MEDIA_TYPE) {
            true => Form::Events(Box::new(NamedEvents)),
            false => Form::Json,
        }
    }
}

async fn respond(
    app: &Arc<App>,
    caller: Caller,
    deadline: Deadline,
    input: TurnInput,
    form: Form,
) -> Result<Response, HttpError> {
    let turn = TurnRequest {
        caller,
        at: (app.now)(),
        nonce: (app.nonce)(),
        deadline,
        conversation: input.conversation,
        message_id: input.message_id,
        input: input.input,
        history: input.history,
        user_context: input.user_context,
        filters: input.filters,
        scope: input.scope,
        events: None,
    };
    match form {
        Form::Events(writer) => Ok(turn_stream::respond(Arc::clone(app), turn, writer)),
        Form::Json => {
            let reply = app.agent.respond(&turn).await?;
            let status = if reply.progress.is_some() { StatusCode::ACCEPTED } else { StatusCode::OK };
            Ok(progressing(reply.progress.as_ref(), status, &reply))
        }
    }
}

/// Tells the client to ask again while a run is in progress.
fn progressing(progress: Option<&Progress>, status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = (status, ok(body)).into_response();
    if progress.is_some() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

#[derive(Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
struct ProposalParameters {
    /// `false`: an unfinished run is shown as it is. Otherwise it goes on first.
    run: Option<bool>,
}

/// `GET /proposals/{id}`: with `run=false` as it is stored, without continuing its run.
async fn proposal(State(app): State<Arc<App>>, id: Id, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller::caller(&app, &parts)?;
    let id = id.ok().and_then(|Path(id)| ProposalId::parse(&id)).ok_or(RequestError::NoSuchProposal)?;
    let ProposalParameters { run } = parameters::read_only(&parts.uri, &["run"], "`run` is true or false,")?;
    let run_until = run.unwrap_or(true).then(|| deadline(&app, &parts).answer);
    let view = in_time(&app, &parts, app.agent.proposal(&caller, &id, (app.now)(), run_until)).await?;
    Ok(progressing(view.progress.as_ref(), StatusCode::OK, &view))
}

/// Whether the client accepts a media type by name. `q=0` refuses it.
fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let named = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|values| values.split(',')).any(|named| {
        let mut parts = named.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(media_type));
        let is_refused =
            parts.any(|part| part.strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty()));
        is_named && !is_refused
    })
}

#[derive(Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
struct Health {
    /// `ok`
    status: &'static str,
}

async fn health() -> Response {
    ok(&Health { status: "ok" })
}

fn ok(body: &impl Serialize) -> Response {
    json_response(serde_json::to_vec(body).expect("replies always serialise"))
}

fn json_response(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], Body::from(body)).into_response()
}

/// Replies are private: no cache stores them, unless the route allows a browser to.
async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
