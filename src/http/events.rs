//! A turn as a stream of server-sent events: what it does, then its reply.
//!
//! Only the last event counts: `done` has the whole reply, `error` a problem. A stream without either broke off; the same
//! message id sent again gives the stored reply.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use tokio::{sync::mpsc::UnboundedReceiver, task::JoinHandle, time::timeout};
use tracing::Instrument;

use super::HttpError;
use crate::{
    agent::{Events, Reply, TurnError, TurnEvent, TurnRequest},
    app::App,
};

pub const MEDIA_TYPE: &str = "text/event-stream";

/// Proxies close connections on which nothing is sent for a time.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A turn in progress.
struct Running {
    events: UnboundedReceiver<TurnEvent>,
    turn: JoinHandle<Result<Reply, TurnError>>,
}

pub fn respond(app: Arc<App>, turn: TurnRequest) -> Response {
    let (sender, events) = Events::channel();
    let turn = TurnRequest { events: Some(sender), ..turn };
    // A task, so that the turn also ends if the client leaves. The body ends after it.
    let turn = tokio::spawn(async move { app.agent.respond(&turn).await }.in_current_span());
    let body = stream::unfold(Some(Running { events, turn }), async |running| {
        let (frames, running) = next(running?).await;
        Some((Ok::<_, Infallible>(Bytes::from(frames)), running))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        // Nginx collects an answer before it sends it, unless this header is there.
        ("x-accel-buffering".parse().expect("a name"), HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(body)).into_response()
}

/// What is sent next. None: that is the end.
async fn next(mut running: Running) -> (Vec<u8>, Option<Running>) {
    match timeout(KEEP_ALIVE, running.events.recv()).await {
        Err(_) => (b": keep-alive\n\n".to_vec(), Some(running)),
        Ok(Some(event)) => (turn_event(event), Some(running)),
        // The turn has ended.
        Ok(None) => match running.turn.await {
            Ok(Ok(reply)) => (last_events(&reply), None),
            Ok(Err(error)) => (event("error", HttpError::from(error).into_event_data()), None),
            Err(_) => (event("error", HttpError::Panicked.into_event_data()), None),
        },
    }
}

fn turn_event(turn_event: TurnEvent) -> Vec<u8> {
    match turn_event {
        TurnEvent::Status { text, tool: None } => event("status", data(&json!({ "text": text }))),
        TurnEvent::Status { text, tool } => event("status", data(&json!({ "text": text, "tool": tool }))),
        TurnEvent::Delta(text) => event("delta", data(&json!({ "text": text }))),
        TurnEvent::Reset => event("reset", data(&json!({}))),
        TurnEvent::Progress(progress) => event("progress", data(&progress)),
    }
}

fn last_events(reply: &Reply) -> Vec<u8> {
    let receipts = if reply.receipts.is_empty() { reply.receipt.as_slice() } else { &reply.receipts };
    let proposal = reply.proposal.iter().map(|proposal| event("proposal", data(proposal)));
    let receipts = receipts.iter().map(|receipt| event("receipt", data(receipt)));
    proposal.chain(receipts).chain([event("done", data(reply))]).flatten().collect()
}

fn data(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("events always serialise")
}

/// JSON has no line ends, so the data is one line.
fn event(name: &str, data: Vec<u8>) -> Vec<u8> {
    [b"event: ", name.as_bytes(), b"\ndata: ", &data, b"\n\n"].concat()
}
