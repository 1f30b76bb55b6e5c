//! What differs between the providers of models, as pure functions: no I/O, no clock, no key that is kept.

use super::{Completion, ModelError, ModelRequest};

/// How a provider is spoken to, whatever is asked of it.
pub trait Endpoint: Send + Sync {
    /// Below the base URL, e.g. `messages`.
    fn path(&self) -> &'static str;

    /// What a request carries besides its body, the key included.
    fn headers(&self, key: &str) -> Vec<(&'static str, String)>;

    /// What a status other than 200 means.
    fn failure(&self, status: u16, body: &[u8]) -> Failure;

    /// What to look at when every request is rejected.
    fn settings(&self) -> &'static str;
}

/// One that completes conversations.
pub trait Provider: Endpoint {
    /// The body, as JSON.
    fn encode(&self, request: &ModelRequest<'_>) -> Vec<u8>;

    /// The body of a 200.
    fn decode(&self, body: &[u8]) -> Result<Completion, ModelError>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Overloaded, rate limited or broken for a moment.
    Transient,
    KeyRefused,
    OutOfCredit,
    TooLong,
    /// It will never be accepted: a wrong model name, a request that the provider does not like.
    Rejected,
}
