//! Reads a streamed answer while it arrives, and gives it as the response that is not streamed.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use crate::{
    model::{
        TextPieces,
        provider::{Collected, Collector},
        sse::EventReader,
    },
    outbound::{Body, HeaderMap, Outbound, Request, Response, SendError, StatusCode, header},
};

/// How long the end of the body is waited for after the end of the answer. A connection whose body was read to its end
/// is used again.
const DRAINING: Duration = Duration::from_millis(100);

#[derive(Clone, Copy)]
pub(super) struct Streaming<'s> {
    pub collector: &'s (dyn Fn() -> Box<dyn Collector> + Sync),
    pub pieces: &'s dyn TextPieces,
}

/// Sends a request. Servers that do not stream, and errors, are read as without streaming.
pub(super) async fn exchange(
    outbound: &Outbound,
    request: Request,
    limit: usize,
    streaming: Option<Streaming<'_>>,
) -> Result<Response, SendError> {
    let (mut head, body) = outbound.open(request, limit).await?.into_parts();
    let streaming = streaming.filter(|_| head.status == StatusCode::OK && is_stream(&head.headers));
    let Some(streaming) = streaming else { return Ok(Response::from_parts(head, body.whole().await?)) };
    let (status, body) = read(body, streaming).await?;
    head.status = status;
    Ok(Response::from_parts(head, body))
}

/// The status and the body that the answer has if it is not streamed.
async fn read(mut body: Body, streaming: Streaming<'_>) -> Result<(StatusCode, Bytes), SendError> {
    let (mut reader, mut collector) = (EventReader::default(), (streaming.collector)());
    let mut has_ended = false;
    while let (false, Some(bytes)) = (has_ended, body.next().await) {
        // Some servers send empty events to keep the connection.
        for event in reader.read(&bytes?).into_iter().filter(|event| !event.data.trim().is_empty()) {
            match collector.read(&event) {
                Collected::Text(text) => streaming.pieces.add(&text),
                Collected::Other => {}
                Collected::End => has_ended = true,
                Collected::Failed(status) => {
                    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                    return Ok((status, event.data.into()));
                }
                // It is read as an answer, and is none.
                Collected::Invalid => return Ok((StatusCode::OK, event.data.into())),
            }
        }
    }
    let whole = collector.whole().ok_or_else(|| SendError::CutOff(String::new()))?;
    if has_ended {
        let _ = timeout(DRAINING, async { while let Some(Ok(_)) = body.next().await {} }).await;
    }
    Ok((StatusCode::OK, whole.to_string().into()))
}

fn is_stream(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    media_type.is_some_and(|media_type| media_type.trim_start().to_ascii_lowercase().starts_with("text/event-stream"))
}
