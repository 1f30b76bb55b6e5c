//! The differences between model providers, as pure functions: no I/O, no clock, no stored key.

use serde::Serialize;
use serde_json::Value;

use super::{Completion, ModelError, ModelRequest, sse::Event};

/// The protocol of a provider's server, for any kind of request.
pub trait Endpoint: Send + Sync {
    /// Below the base URL, for example `messages`.
    fn path(&self) -> &'static str;

    /// All headers of a request, including the key.
    fn headers(&self, key: &str) -> Vec<(&'static str, String)>;

    /// The meaning of a status other than 200.
    fn failure(&self, status: u16, body: &[u8]) -> Failure;

    /// The settings to check when every request is rejected.
    fn settings(&self) -> &'static str;
}

/// An endpoint that completes conversations.
pub trait Provider: Endpoint {
    /// The request's body, as JSON. It asks for a stream if somebody receives the pieces.
    fn encode(&self, request: &ModelRequest<'_>) -> Vec<u8>;

    /// Reads the body of a 200.
    fn decode(&self, body: &[u8]) -> Result<Completion, ModelError>;

    /// For one streamed answer.
    fn collector(&self) -> Box<dyn Collector>;
}

/// Puts the events of a streamed answer together to the body that the same answer has if it is not streamed, so that
/// there is one way to read an answer.
pub trait Collector: Send {
    fn read(&mut self, event: &Event) -> Collected;

    /// None if the end of the answer has not come.
    fn whole(self: Box<Self>) -> Option<Value>;
}

/// What an event of a streamed answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collected {
    /// It adds this to the text.
    Text(String),
    /// It adds something else, or nothing.
    Other,
    /// The answer is whole.
    End,
    /// The provider reports an error, which has this status if it is not streamed.
    Failed(u16),
    /// It is no event of this provider.
    Invalid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Overloaded, rate limited or failing for a moment.
    Transient,
    KeyRefused,
    OutOfCredit,
    TooLong,
    /// It will never be accepted: for example a wrong model name, or an invalid request.
    Rejected,
}

/// A request as JSON. One has tens of kilobytes, mostly the prompt and the tools.
pub(super) fn written(request: &impl Serialize) -> Vec<u8> {
    let mut json = Vec::with_capacity(32 * 1024);
    serde_json::to_writer(&mut json, request).expect("JSON is always written");
    json
}
