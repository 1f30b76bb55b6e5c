//! The port to a language model: what a turn asks of it, and what comes back.
//!
//! A model proposes tool calls and words; it holds no tool that confirms, executes or names a tenant, so nothing here
//! can write. Providers are pure codecs behind this port; [`offline`] needs neither a network nor a key.

use std::{future::Future, pin::Pin, time::Duration};

use jiff::civil::Date;
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use crate::phrases::Conventions;

pub mod anthropic;
pub mod client;
pub mod embeddings;
pub mod json;
pub mod offline;
pub mod openai;
pub mod provider;

pub trait Model: Send + Sync {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a>;

    /// Whether what the system prompt says makes a difference to it: only then is anything read for it.
    fn reads_prompts(&self) -> bool {
        true
    }

    /// Fetches what the next completion needs and can be had before it is asked for: a key, a connection. A completion
    /// that was not prepared takes longer and is the same.
    fn prepare(&self) -> Preparing<'_> {
        Box::pin(std::future::ready(()))
    }
}

pub type Preparing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

pub type Completing<'a> = Pin<Box<dyn Future<Output = Result<Completion, ModelError>> + Send + 'a>>;

/// One round of the loop.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    pub system: &'a System,
    /// Today in the tenant's time zone.
    pub today: Date,
    /// The hour it is there.
    pub hour: i8,
    /// How the person writes numbers and days.
    pub conventions: Conventions,
    /// Oldest first; the last one is what the model must react to.
    pub messages: &'a [Message],
    /// The same in every round of a turn: providers want to know what was called, and cache what begins alike.
    pub tools: &'a [ToolSpec],
    pub choice: ToolChoice,
    /// An answer that comes later is of no use.
    pub deadline: Instant,
}

/// What a model is told before the conversation: apart, because providers cache what begins alike.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct System {
    /// The same in every turn.
    pub rules: String,
    /// True right now.
    pub now: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    Auto,
    /// The model must answer in words.
    None,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User(String),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
        native: Native,
    },
    /// One outcome for every call of the assistant message before it.
    Outcomes(Vec<CallOutcome>),
}

/// A message in its provider's own form, for the rounds of one turn. It goes back untouched, because it may hold signed
/// parts, such as a model's thinking, that are refused if they are missing or differ.
pub type Native = Option<Value>;

#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// An object; or text, where what the model wrote is no JSON.
    pub arguments: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CallOutcome {
    pub call_id: String,
    /// What the model reads: a query's `summary_for_llm`, or the reason a call was refused.
    pub content: String,
    pub refused: bool,
}

/// A tool as the model sees it; `parameters` is a JSON Schema.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: String,
    pub parameters: Value,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub ending: Ending,
    /// The model would rather have its calls confirmed. What a person is then shown is not the model's to say.
    pub confirmation_suggested: bool,
    pub native: Native,
}

/// Why a completion ended. Its calls are only worth something if it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    #[default]
    Complete,
    /// At the limit of what a model may write at once.
    Truncated,
    Refused,
    /// The provider paused a long turn; sent back as it is, it goes on.
    Paused,
    /// For a reason that this program does not know.
    Unknown,
}

impl System {
    pub fn text(&self) -> String {
        format!("{}\n\n{}", self.rules, self.now)
    }
}

impl Message {
    /// Plain words of the assistant.
    pub fn assistant(text: impl Into<String>) -> Message {
        Message::Assistant { text: text.into(), calls: Vec::new(), native: None }
    }
}

impl Completion {
    pub fn text(text: impl Into<String>) -> Completion {
        Completion { text: text.into(), ..Completion::default() }
    }

    pub fn calls(calls: Vec<ToolCall>) -> Completion {
        Completion { calls, ..Completion::default() }
    }
}

/// Never holds what a provider sent, nor a key: it is logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("the model did not answer in time")]
    Timeout,
    /// Unreachable, failing or talking nonsense, after retries.
    #[error("the model is unavailable: {0}")]
    Unavailable(&'static str),
    /// It asks to be left alone for longer than the turn may take.
    #[error("the model asks to wait {} s", .retry_after.as_secs())]
    Busy { retry_after: Duration },
    /// Asking again will not help until the operator has paid or raised a limit.
    #[error("the model's account has no credit left")]
    OutOfCredit,
    /// Missing, or refused twice: once as cached, once as read again.
    #[error("the model's key is not to be had or is refused: {0}")]
    NoKey(&'static str),
    /// Sent again, it would be again.
    #[error("the model is unavailable: it rejects the request")]
    Rejected,
    #[error("the conversation is longer than the model can read")]
    TooLong,
}
