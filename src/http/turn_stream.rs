//! A turn that is answered while it runs: a task, and a body that sends what it does. A [`Writer`] knows the format.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, future::ready, stream};
use serde::Serialize;
use serde_json::{Value, json};
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

/// Writes the events of one turn in a format of server-sent events.
pub trait Writer: Send + 'static {
    /// What is sent before the turn begins.
    fn begin(&mut self) -> Vec<u8>;
    fn event(&mut self, event: TurnEvent) -> Vec<u8>;
    /// Nothing is sent after this.
    fn end(&mut self, result: Result<Reply, HttpError>) -> Vec<u8>;
}

/// An event without a name. JSON has no line ends, so its data is one line.
pub fn data(value: &impl Serialize) -> Vec<u8> {
    let json = serde_json::to_vec(value).expect("events always serialise");
    [b"data: ", json.as_slice(), b"\n\n"].concat()
}

/// What every format tells of a status.
pub fn status(text: &str, tool: Option<&str>) -> Value {
    match tool {
        Some(tool) => json!({ "text": text, "tool": tool }),
        None => json!({ "text": text }),
    }
}

/// A turn in progress.
struct Running {
    events: UnboundedReceiver<TurnEvent>,
    turn: JoinHandle<Result<Reply, TurnError>>,
    writer: Box<dyn Writer>,
}

pub fn respond(app: Arc<App>, turn: TurnRequest, mut writer: Box<dyn Writer>) -> Response {
    let (sender, events) = Events::channel();
    let turn = TurnRequest { events: Some(sender), ..turn };
    // A task, so that the turn also ends if the client leaves. The body ends after it.
    let turn = tokio::spawn(async move { app.agent.respond(&turn).await }.in_current_span());
    let begun = writer.begin();
    let running = Running { events, turn, writer };
    let rest = stream::unfold(Some(running), async |running| Some(next(running?).await));
    let pieces = stream::iter([begun]).chain(rest).filter(|piece| ready(!piece.is_empty()));
    let body = pieces.map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
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
        Ok(Some(event)) => (running.writer.event(event), Some(running)),
        // The turn has ended.
        Ok(None) => {
            let result = running.turn.await.map_err(|_| HttpError::BrokenOff);
            (running.writer.end(result.and_then(|reply| Ok(reply?))), None)
        }
    }
}
