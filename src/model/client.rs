//! The HTTP client for models: sends what a provider's codec wrote, and reads the answer within its limits.
//!
//! This is the only layer that retries a model. It knows keys, time and failures; it does not know the content of
//! requests.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use breaker::Breaker;
use bytes::Bytes;
use streaming::Streaming;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::{
    Completing, Model, ModelError, ModelRequest, Preparing,
    provider::{Endpoint, Failure, Provider},
};
use crate::{
    outbound::{
        HeaderMap, HeaderName, HeaderValue, IDLE, Method, Outbound, Request, SendError, StatusCode, Uri, header,
    },
    secrets::{Hidden, Secret, SecretError},
};

mod breaker;
mod retry_after;
mod streaming;

/// After the first attempt.
const RETRIES: u8 = 2;

/// A request that has no answer after this time counts as a failure of the model.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit for opening a connection ahead of use.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// In bytes. Completions have a few thousand; embeddings of a batch have some hundred thousand.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

pub struct Remote<E> {
    pub(super) endpoint: E,
    base: Uri,
    /// The address of all requests.
    address: Uri,
    key: Key,
    /// The pause before the given retry.
    pause: fn(retry: u8) -> Duration,
    outbound: Outbound,
    breaker: Breaker,
    born: Instant,
    /// In milliseconds since this client was created.
    last_used: AtomicU64,
}

pub enum Key {
    Given(Hidden),
    Secret(Secret),
}

/// Reads the body of a 200.
type Decode<'d, T> = &'d (dyn Fn(&[u8]) -> Result<T, ModelError> + Sync);

/// The result of one attempt.
enum Sent<T> {
    Answered(Result<T, ModelError>),
    KeyRefused,
    /// A retry may succeed.
    Failed {
        cause: &'static str,
        retry_after: Option<Duration>,
    },
}

impl<E: Endpoint> Remote<E> {
    /// Sends nothing. Key and connection are created at the first use.
    pub fn new(endpoint: E, outbound: Outbound, base: Uri, key: Key, pause: fn(u8) -> Duration) -> Remote<E> {
        let address = format!("{}/{}", base.to_string().trim_end_matches('/'), endpoint.path());
        Remote {
            endpoint,
            base,
            address: address.parse().expect("a path below an address is one"),
            key,
            pause,
            outbound,
            breaker: Breaker::default(),
            born: Instant::now(),
            last_used: AtomicU64::new(0),
        }
    }

    /// Sends a request, and retries where that may help, until the deadline.
    async fn exchange<T>(
        &self,
        body: Vec<u8>,
        deadline: Instant,
        decode: Decode<'_, T>,
        streaming: Option<Streaming<'_>>,
    ) -> Result<T, ModelError> {
        self.breaker.check()?;
        let patient = deadline.saturating_duration_since(Instant::now()) >= TIMEOUT;
        let sent = timeout_at(deadline, self.send(Bytes::from(body), deadline, decode, streaming)).await;
        let result = sent.unwrap_or(Err(ModelError::Timeout));
        // A deadline that was too short says nothing about the model.
        if patient || !matches!(result, Err(ModelError::Timeout)) {
            self.breaker.record(result.as_ref().err());
        }
        result
    }

    /// The same without a caller's deadline.
    pub(super) async fn exchange_within<T>(
        &self,
        patience: Duration,
        body: Vec<u8>,
        decode: Decode<'_, T>,
    ) -> Result<T, ModelError> {
        self.exchange(body, Instant::now() + patience, decode, None).await
    }

    async fn send<T>(
        &self,
        body: Bytes,
        deadline: Instant,
        decode: Decode<'_, T>,
        streaming: Option<Streaming<'_>>,
    ) -> Result<T, ModelError> {
        let mut key = self.key.current().await?;
        let mut retry = 0;
        loop {
            let sent = self.attempt(&key, body.clone(), decode, streaming).await;
            if let (Some(streaming), false) = (streaming, matches!(sent, Sent::Answered(Ok(_)))) {
                streaming.pieces.restart();
            }
            let (cause, retry_after) = match sent {
                Sent::Answered(answer) => return answer,
                Sent::KeyRefused if retry < RETRIES => {
                    key = self.key.other_than(&key).await?;
                    retry += 1;
                    continue;
                }
                Sent::KeyRefused => return Err(ModelError::NoKey("refused")),
                Sent::Failed { cause, retry_after } => (cause, retry_after),
            };
            let pause = retry_after.unwrap_or_else(|| (self.pause)(retry));
            let too_late = Instant::now() + pause >= deadline;
            match retry_after {
                Some(retry_after) if too_late || retry == RETRIES => return Err(ModelError::Busy { retry_after }),
                None if too_late || retry == RETRIES => return Err(ModelError::Unavailable(cause)),
                _ => sleep(pause).await,
            }
            retry += 1;
        }
    }

    async fn attempt<T>(
        &self,
        key: &Hidden,
        body: Bytes,
        decode: Decode<'_, T>,
        streaming: Option<Streaming<'_>>,
    ) -> Sent<T> {
        let failed = |cause| Sent::Failed { cause, retry_after: None };
        let request = request(Method::POST, &self.address, self.headers(key), body);
        let response = match streaming::exchange(&self.outbound, request, MAX_ANSWER_BYTES, streaming).await {
            Ok(response) => response,
            Err(SendError::Unreachable(_)) => return failed("it cannot be reached"),
            Err(SendError::CutOff(_)) => return failed("its answer was cut off"),
            Err(SendError::TooLarge) => {
                return Sent::Answered(Err(ModelError::Unavailable("its answer is too large")));
            }
        };
        let (status, retry_after) = (response.status(), retry_after::read(response.headers()));
        let answer = response.into_body();
        self.last_used.store(self.age(), Ordering::Relaxed);
        if status == StatusCode::OK {
            return Sent::Answered(decode(&answer));
        }
        match self.endpoint.failure(status.as_u16(), &answer) {
            Failure::Transient => Sent::Failed { cause: "it is overloaded or failing", retry_after },
            Failure::KeyRefused => Sent::KeyRefused,
            Failure::OutOfCredit => Sent::Answered(Err(ModelError::OutOfCredit)),
            Failure::TooLong => Sent::Answered(Err(ModelError::TooLong)),
            Failure::Rejected => {
                let check = self.endpoint.settings();
                tracing::error!(status = status.as_u16(), "the model rejects requests; check {check}");
                Sent::Answered(Err(ModelError::Rejected))
            }
        }
    }

    /// Opens a connection unless one is probably open: a handshake takes as long as several reads of the store.
    async fn connect(&self) {
        let last_used = self.last_used.load(Ordering::Relaxed);
        if last_used > 0 && self.age() - last_used < u64::try_from(IDLE.as_millis()).unwrap_or(u64::MAX) {
            return;
        }
        let head = request(Method::HEAD, &self.base, HeaderMap::new(), Bytes::new());
        if let Ok(Ok(_)) = timeout(CONNECT_TIMEOUT, self.outbound.exchange(head, MAX_ANSWER_BYTES)).await {
            self.last_used.store(self.age(), Ordering::Relaxed);
        }
    }

    fn headers(&self, key: &Hidden) -> HeaderMap {
        let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        for (name, value) in self.endpoint.headers(&key.0) {
            // A key that is invalid in a header is left out. The provider then refuses the request as for any wrong
            // key.
            if let Ok(mut value) = HeaderValue::try_from(value) {
                value.set_sensitive(true);
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        headers
    }

    fn age(&self) -> u64 {
        u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }
}

impl<P: Provider> Model for Remote<P> {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a> {
        Box::pin(async move {
            let body = self.endpoint.encode(&request);
            let collector = || self.endpoint.collector();
            let streaming = request.pieces.map(|pieces| Streaming { collector: &collector, pieces });
            self.exchange(body, request.deadline, &|answer| self.endpoint.decode(answer), streaming).await
        })
    }

    fn prepare(&self) -> Preparing<'_> {
        Box::pin(async {
            if self.breaker.is_open() {
                return;
            }
            // The completion reports a missing key, if there is one.
            let _ = tokio::join!(self.key.current(), self.connect());
        })
    }
}

impl Key {
    async fn current(&self) -> Result<Hidden, ModelError> {
        match self {
            Key::Given(key) => Ok(key.clone()),
            Key::Secret(secret) => secret.value().await.map_err(no_key),
        }
    }

    async fn other_than(&self, refused: &Hidden) -> Result<Hidden, ModelError> {
        match self {
            Key::Given(_) => Err(no_key(SecretError::Refused)),
            Key::Secret(secret) => secret.other_than(refused).await.map_err(no_key),
        }
    }
}

fn no_key(error: SecretError) -> ModelError {
    ModelError::NoKey(match error {
        SecretError::Unreadable => "the secret cannot be read",
        SecretError::NoText => "the secret holds no plain text",
        SecretError::Refused => "refused",
    })
}

fn request(method: Method, address: &Uri, headers: HeaderMap, body: Bytes) -> Request {
    let mut request = Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = address.clone();
    *request.headers_mut() = headers;
    request
}
