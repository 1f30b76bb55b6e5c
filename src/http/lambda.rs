//! Lambda events: HTTP requests from a gateway go to the same router as everywhere else.
//!
//! HTTP API, REST API, load balancer and function URL are recognised by the event's shape. Claims come from the
//! authorizer's part of the request context, never from headers. This module does not know routes, or what claims mean.
//!
//! A REST API that streams wants every reply in the streamed form, and the others want none: an event does not say what
//! its gateway wants, so the setting `STREAM_AUDIENCE` does.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Router,
    body::{BodyDataStream, Bytes},
    http::Extensions,
    response::{IntoResponse, Response},
};
use event::{Event, Gateway, Reply};
use futures_util::{
    StreamExt,
    future::{Ready, ready},
    stream::FilterMap,
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use lambda_runtime::{
    Diagnostic, FunctionResponse, LambdaEvent, Runtime, StreamResponse, service_fn, tower::ServiceExt,
};
use serde::Deserialize;
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};
use tracing::Instrument;

use super::{HttpError, Remaining};
use crate::{agent::SweepReport, app::App, identity::VerifiedClaims};

mod event;
#[cfg(test)]
mod tests;

/// Serves events until the environment is shut down, several in parallel if `AWS_LAMBDA_MAX_CONCURRENCY` allows it.
pub async fn serve(app: App) -> Result<(), lambda_runtime::Error> {
    let app = Arc::new(app);
    let router = super::service(Arc::clone(&app));
    let cold = Arc::new(AtomicBool::new(true));
    let handler = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let cold_start = cold.swap(false, Ordering::Relaxed);
        // An error span, so that no log filter removes the request's id.
        let span = tracing::error_span!("request", request_id = event.context.request_id, cold_start);
        let remaining = app.remaining(event.context.deadline).map(Remaining);
        let app = Arc::clone(&app);
        let audience = app.stream_audience.clone();
        // Boxed when it is needed: its future is large, and that of each event is moved several times.
        let swept = move || Box::pin(sweep(app, remaining));
        answer(router.clone(), audience, swept, remaining, event).instrument(span)
    });
    // Without the runtime's own span, whose fields would be formatted for every event a second time.
    Runtime::new(handler).run_concurrent().await
}

/// An error that ends an invocation without a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum EventError {
    #[error(
        "this event is not served; send an HTTP request (API Gateway HTTP or REST API, load balancer, function URL) or \
         an EventBridge scheduled event"
    )]
    NotServed,
    /// The cause was logged where it happened.
    #[error("the event could not be handled; see the log of this request")]
    Failed,
}

impl From<EventError> for Diagnostic {
    fn from(error: EventError) -> Diagnostic {
        Diagnostic { error_type: format!("{error:?}"), error_message: error.to_string() }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct BusEvent {
    detail_type: String,
}

/// In bytes, of a reply that is not streamed.
/// <https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html>
const MAX_REPLY: usize = 6 * 1024 * 1024;

/// Buffered, or in the streamed form.
type Answer = FunctionResponse<Box<RawValue>, Pieces>;

type Piece = Result<Bytes, Infallible>;
type Pieces = FilterMap<BodyDataStream, Ready<Option<Piece>>, fn(Result<Bytes, axum::Error>) -> Ready<Option<Piece>>>;

async fn answer<S: Future<Output = Result<Value, EventError>>>(
    router: Router,
    audience: Option<Arc<[String]>>,
    swept: impl FnOnce() -> S,
    remaining: Option<Remaining>,
    LambdaEvent { payload, .. }: LambdaEvent<Box<RawValue>>,
) -> Result<Answer, EventError> {
    let read = |event: Event| Some((event.gateway()?, event));
    let Some((gateway, event)) = serde_json::from_str(payload.get()).ok().and_then(read) else {
        return scheduled(payload.get(), swept).await.map(FunctionResponse::BufferedResponse);
    };
    let audience = audience.filter(|_| gateway == Gateway::RestApi);
    let response = match event.into_request(gateway) {
        Some(mut request) => {
            remaining.map(|remaining| request.extensions_mut().insert(remaining));
            if let Some(audience) = &audience {
                only_for(audience, request.extensions_mut());
            }
            let Ok(response) = router.oneshot(request).await;
            response
        }
        None => HttpError::NoSuchRoute.into_response(),
    };
    if audience.is_some() {
        return Ok(FunctionResponse::StreamingResponse(streamed(response)));
    }
    let reply = match buffered(gateway, response).await? {
        Ok(reply) => reply,
        // Never a part of an answer that looks like all of it.
        Err(error) => buffered(gateway, error.into_response()).await?.map_err(|_| EventError::Failed)?,
    };
    Ok(FunctionResponse::BufferedResponse(reply))
}

/// The whole reply, if Lambda takes it.
async fn buffered(gateway: Gateway, response: Response) -> Result<Result<Box<RawValue>, HttpError>, EventError> {
    let (head, body) = response.into_parts();
    let body = match Limited::new(body, MAX_REPLY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Ok(Err(HttpError::AnswerTooLarge)),
        Err(_) => return Ok(Err(HttpError::BrokenOff)),
    };
    let reply = to_raw_value(&Reply::new(gateway, &head, body)).map_err(|_| EventError::Failed)?;
    Ok(if reply.get().len() > MAX_REPLY { Err(HttpError::AnswerTooLarge) } else { Ok(reply) })
}

/// The authorizer of a REST API accepts tokens of every client of its user pool. Claims of others are left out.
fn only_for(audience: &[String], extensions: &mut Extensions) {
    let is_for = |claims: &VerifiedClaims| {
        claims.0.get("aud").and_then(Value::as_str).is_some_and(|id| audience.iter().any(|one| one == id))
    };
    if !extensions.get().is_some_and(is_for) {
        extensions.remove::<VerifiedClaims>();
    }
}

/// The head, and the body as it comes. The runtime would write an error of the body into it as text, so there is none: what
/// can break off says so itself.
fn streamed(response: Response) -> StreamResponse<Pieces> {
    let (head, body) = response.into_parts();
    let stream: Pieces = body.into_data_stream().filter_map(|piece| ready(piece.ok().map(Ok)));
    StreamResponse { metadata_prelude: event::prelude(&head), stream }
}

/// The scheduled event resumes unfinished runs once a minute.
async fn scheduled<S: Future<Output = Result<Value, EventError>>>(
    event: &str,
    swept: impl FnOnce() -> S,
) -> Result<Box<RawValue>, EventError> {
    match serde_json::from_str(event) {
        Ok(BusEvent { detail_type }) if detail_type == "Scheduled Event" => {
            to_raw_value(&swept().await?).map_err(|_| EventError::Failed)
        }
        _ => Err(EventError::NotServed),
    }
}

async fn sweep(app: Arc<App>, remaining: Option<Remaining>) -> Result<Value, EventError> {
    let swept = app.sweep(remaining.map(|Remaining(left)| left)).await.map_err(|error| {
        tracing::error!(%error, "unfinished runs could not be looked for");
        EventError::Failed
    })?;
    let SweepReport { finished, unfinished, failed, stuck, vectors } = swept;
    // The deployment's alarm reads this line, and also fires if it is missing.
    tracing::info!(finished, unfinished, failed, stuck_runs = stuck, vectors, "went on with unfinished runs");
    Ok(json!({ "status": "ok", "swept": swept }))
}
