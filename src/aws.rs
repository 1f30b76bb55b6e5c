//! Calls to AWS's JSON services: signs requests, sends them and reads the answers.
//!
//! The SDK's client costs several times the CPU of everything else in a call, and a tenth of the program's size. This
//! program needs credentials from the environment, a time limit and up to three attempts. This module does not know
//! what the calls are for.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::time::{Instant, timeout_at};

use crate::{
    hidden::Hidden,
    outbound::{Connection, HeaderName, HeaderValue, Method, Request, Response, Uri, header},
};
use signature::{Signer, ToSign};

mod signature;

/// The time limit of one attempt: a call that hangs must leave time for another.
const ATTEMPT: Duration = Duration::from_secs(4);

/// The time limit of a call with all its attempts; a turn has 25 s.
const CALL: Duration = Duration::from_secs(9);

/// After the first attempt.
const RETRIES: u8 = 2;

/// Region and credentials, which Lambda puts into a function's environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub region: String,
    pub access_key: String,
    pub secret_key: Hidden,
    /// A role's keys come with one.
    pub session_token: Option<Hidden>,
}

impl Account {
    pub fn new(region: &str, access_key: &str, secret_key: &str, session_token: Option<String>) -> Account {
        Account {
            region: region.into(),
            access_key: access_key.into(),
            secret_key: Hidden(secret_key.into()),
            session_token: session_token.map(Hidden),
        }
    }
}

/// One AWS service for this account.
#[derive(Debug, Clone)]
pub struct Service {
    pub account: Account,
    /// Without a path.
    pub endpoint: String,
    pub connection: Arc<dyn Connection>,
    time: Time,
    /// The endpoint; none if it is no address.
    uri: Option<Uri>,
    signer: Arc<Signer>,
}

/// The clock and the pauses of calls.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    /// The time for signatures, which are valid for some minutes.
    pub now: fn() -> Timestamp,
    /// The pause before the given retry.
    pub pause: fn(retry: u8) -> Duration,
}

/// A request as data, and the type of its answer.
pub trait Operation: Serialize + Sync {
    /// The value of the header `x-amz-target`.
    const TARGET: &'static str;
    const CONTENT_TYPE: &'static str;
    type Output: DeserializeOwned;
}

/// Why there is no output.
#[derive(Debug)]
pub enum Failure {
    /// The request could not be made, so it was not sent.
    NotSent,
    /// There was no answer. The call may have taken effect.
    NotAnswered(String),
    /// The answer cannot be read. If the status says success, the call took effect.
    Unreadable {
        status: u16,
    },
    Refused(Refusal),
}

/// The service's own error.
pub struct Refusal {
    pub status: u16,
    pub code: String,
    message: String,
    body: Bytes,
}

impl Service {
    /// Uses AWS's own endpoint if `endpoint` is none. `name` is the name in signatures and host names, for example
    /// `dynamodb`.
    pub fn new(
        name: &'static str,
        account: Account,
        endpoint: Option<String>,
        connection: impl Connection + 'static,
        time: Time,
    ) -> Service {
        let endpoint =
            endpoint.unwrap_or_else(|| format!("https://{name}.{}.{}", account.region, domain(&account.region)));
        let signer = Arc::new(Signer::new(name, account.clone()));
        let uri = endpoint.parse().ok();
        Service { account, endpoint, connection: Arc::new(connection), time, uri, signer }
    }

    /// The same service over another connection.
    pub fn over(self, connection: impl Connection + 'static) -> Service {
        Service { connection: Arc::new(connection), ..self }
    }

    /// Sends a call, and retries transient failures: three attempts at most.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, Failure> {
        read(&self.send(O::TARGET, O::CONTENT_TYPE, body(&operation), RETRIES).await?)
    }

    /// Waits before the rest of a batch is sent again.
    pub async fn pause_before(&self, attempt: u8) {
        if let Some(retry) = attempt.checked_sub(1) {
            tokio::time::sleep((self.time.pause)(retry)).await;
        }
    }

    /// Sends once, for calls that must not be retried here.
    pub async fn call_once<O: Operation>(&self, operation: O) -> Result<O::Output, Failure> {
        read(&self.send(O::TARGET, O::CONTENT_TYPE, body(&operation), 0).await?)
    }

    async fn send(
        &self,
        target: &'static str,
        content_type: &'static str,
        body: Bytes,
        retries: u8,
    ) -> Result<Response, Failure> {
        // One timer at a time: each one that is set wakes the runtime.
        let ends = Instant::now() + CALL;
        let mut sent = 0;
        loop {
            match self.attempt(target, content_type, body.clone(), ends).await {
                Err(failure) if sent < retries && failure.is_transient() => {}
                result => return result,
            }
            let paused = timeout_at(ends, tokio::time::sleep((self.time.pause)(sent))).await;
            paused.map_err(|_| no_answer_in_time())?;
            sent += 1;
        }
    }

    async fn attempt(
        &self,
        target: &'static str,
        content_type: &'static str,
        body: Bytes,
        ends: Instant,
    ) -> Result<Response, Failure> {
        let request = self.request(target, content_type, body).ok_or(Failure::NotSent)?;
        let until = ends.min(Instant::now() + ATTEMPT);
        let sent = timeout_at(until, self.connection.send(request)).await.map_err(|_| no_answer_in_time())?;
        let response = sent.map_err(|error| Failure::NotAnswered(error.to_string()))?;
        if response.status().is_success() { Ok(response) } else { Err(refusal(response)) }
    }

    /// None if a value does not fit into a header.
    fn request(&self, target: &'static str, content_type: &'static str, body: Bytes) -> Option<Request> {
        let uri = self.uri.as_ref()?;
        let host = uri.authority()?.as_str();
        let to_sign = ToSign { host, target, content_type, body: &body };
        let signed = self.signer.sign(&to_sign, (self.time.now)());
        let mut authorization = HeaderValue::try_from(signed.authorization).ok()?;
        authorization.set_sensitive(true);
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri.clone();
        let headers = request.headers_mut();
        headers.insert(header::HOST, HeaderValue::from_str(host).ok()?);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(HeaderName::from_static("x-amz-target"), HeaderValue::from_static(target));
        headers.insert(HeaderName::from_static("x-amz-date"), HeaderValue::try_from(signed.date).ok()?);
        if let Some(token) = &self.account.session_token {
            let mut token = HeaderValue::from_str(&token.0).ok()?;
            token.set_sensitive(true);
            headers.insert(HeaderName::from_static("x-amz-security-token"), token);
        }
        headers.insert(header::AUTHORIZATION, authorization);
        Some(request)
    }
}

impl Failure {
    /// Whether the same call may succeed later: there was no answer, or a transient error.
    pub fn is_transient(&self) -> bool {
        match self {
            Failure::NotSent => false,
            Failure::Refused(refusal) => refusal.status >= 500 || is_throttling(&refusal.code),
            Failure::NotAnswered(_) | Failure::Unreadable { .. } => true,
        }
    }

    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Failure::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// The code of a refusal.
    pub fn code(&self) -> Option<&str> {
        self.refusal().map(|refusal| refusal.code.as_str())
    }
}

impl Refusal {
    /// The fields beside code and message; none if the body has other ones.
    pub fn details<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }
}

/// The body is left out: it can hold whole items.
impl std::fmt::Debug for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Refusal({}, {})", self.status, self.code)
    }
}

/// A short text for the log. Bodies are left out: they can hold whole items or a key.
impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::NotSent => formatter.write_str("the call could not be made"),
            Failure::NotAnswered(cause) => formatter.write_str(cause),
            Failure::Unreadable { status } => write!(formatter, "an answer of status {status} that cannot be read"),
            Failure::Refused(Refusal { code, message, .. }) => write!(formatter, "{code}: {message}"),
        }
    }
}

pub fn is_throttling(code: &str) -> bool {
    matches!(
        code,
        "ProvisionedThroughputExceededException"
            | "ProvisionedThroughputExceeded"
            | "RequestLimitExceeded"
            | "ThrottlingException"
            | "ThrottlingError"
            // A single-item call that met a transaction in progress.
            | "TransactionConflictException"
    )
}

fn domain(region: &str) -> &'static str {
    if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" }
}

fn body(operation: &impl Serialize) -> Bytes {
    let mut json = Vec::with_capacity(4096);
    serde_json::to_writer(&mut json, operation).expect("requests always serialise");
    json.into()
}

fn read<T: DeserializeOwned>(response: &Response) -> Result<T, Failure> {
    let (status, body) = (response.status().as_u16(), response.body());
    // serde would also read an array as the fields of an answer.
    let read = body.starts_with(b"{").then(|| serde_json::from_slice(body).ok()).flatten();
    read.ok_or(Failure::Unreadable { status })
}

fn refusal(response: Response) -> Failure {
    #[derive(Deserialize)]
    struct Error {
        #[serde(rename = "__type")]
        kind: String,
        #[serde(alias = "Message", default)]
        message: String,
    }
    let (status, body) = (response.status().as_u16(), response.into_body());
    let Ok(Error { kind, message }) = serde_json::from_slice(&body) else { return Failure::Unreadable { status } };
    // Like `com.amazonaws.dynamodb.v20120810#ValidationException`.
    let code = kind.rsplit('#').next().unwrap_or_default().to_owned();
    Failure::Refused(Refusal { status, code, message, body })
}

fn no_answer_in_time() -> Failure {
    Failure::NotAnswered("there was no answer in time".into())
}
