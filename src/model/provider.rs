//! The differences between model providers, as pure functions: no I/O, no clock, no stored key.

use super::{Completion, ModelError, ModelRequest};

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
    /// The request's body, as JSON.
    fn encode(&self, request: &ModelRequest<'_>) -> Vec<u8>;

    /// Reads the body of a 200.
    fn decode(&self, body: &[u8]) -> Result<Completion, ModelError>;
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
