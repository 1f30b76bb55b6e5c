//! The port to a language model: the request of a turn, and the model's answer.
//!
//! A model proposes tool calls and text. No tool confirms, executes or names a tenant, so nothing here can write.
//! Providers are pure codecs behind this port; [`offline`] needs neither a network nor a key.

use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use tokio::time::Instant;

use crate::{
    phrases::Conventions,
    shown::{Shown, ShownRow},
};

pub mod anthropic;
pub mod client;
pub mod embeddings;
pub mod json;
pub mod offline;
pub mod openai;
pub mod provider;
mod sse;

pub trait Model: Send + Sync {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a>;

    /// Whether the model uses the system prompt. If not, nothing is read to build it.
    fn reads_prompts(&self) -> bool {
        true
    }

    /// The names of the toolkits whose messages the model understands; none is all.
    fn toolkits(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Fetches a key and opens a connection ahead of the next completion. A completion without it takes longer and has
    /// the same result.
    fn prepare(&self) -> Preparing<'_> {
        Box::pin(std::future::ready(()))
    }
}

pub type Preparing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

pub type Completing<'a> = Pin<Box<dyn Future<Output = Result<Completion, ModelError>> + Send + 'a>>;

/// One round of the model loop.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    pub system: &'a System,
    /// Today in the tenant's time zone.
    pub today: Date,
    /// The hour of the day in the tenant's time zone.
    pub hour: i8,
    /// How the person writes numbers and dates.
    pub conventions: Conventions,
    /// The display names of the others who share the records.
    pub people: &'a [String],
    /// Oldest first. The model answers the last one.
    pub messages: &'a [Message],
    /// The rows that the page shows beside the conversation. The system prompt has them in words.
    pub page_rows: &'a [ShownRow],
    /// The same in every round of a turn: providers check earlier calls against it, and cache the common start of
    /// requests.
    pub tools: &'a [ToolSpec],
    pub choice: ToolChoice,
    /// A later answer is not used.
    pub deadline: Instant,
    /// Gets the text while it arrives, from models that can stream it. The completion has the whole text again.
    pub pieces: Option<&'a dyn TextPieces>,
}

/// Receives the text of an answer in pieces.
pub trait TextPieces: fmt::Debug + Send + Sync {
    fn add(&self, piece: &str);

    /// The attempt failed. The next piece is the beginning of another answer.
    fn restart(&self);
}

/// The system prompt in two parts, because providers cache the common start of requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct System {
    /// The same in every turn.
    pub rules: String,
    /// The facts of this turn.
    pub now: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    Auto,
    /// The model must answer with text.
    None,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User(String),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
        native: Native,
        /// Of an earlier answer: what it showed, for code that must not read its text.
        shown: Option<Arc<Shown>>,
    },
    /// One outcome for every call of the assistant message before it.
    Outcomes(Vec<CallOutcome>),
}

/// A message in its provider's own form, for the rounds of one turn. It is sent back unchanged: it may hold signed
/// parts, such as a model's thinking, and the provider refuses the request if they are missing or differ.
pub type Native = Option<Value>;

#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// An object, or text if the model wrote invalid JSON.
    pub arguments: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CallOutcome {
    pub call_id: String,
    /// The text for the model: a query's `summary_for_llm`, or the reason a call was refused.
    pub content: String,
    pub refused: bool,
    /// It was refused because nothing is called what the person said.
    pub nothing_found: bool,
}

/// A tool as the model sees it.
#[derive(Debug, Clone, Serialize)]
pub struct ToolSpec {
    pub name: &'static str,
    /// A text.
    pub description: Box<RawValue>,
    /// A JSON Schema. These are the largest part of a request and always the same, so they are written once.
    pub parameters: Box<RawValue>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub ending: Ending,
    /// The model asks to have its calls confirmed. It does not decide what text the person sees for that.
    pub confirmation_suggested: bool,
    pub native: Native,
}

/// Why a completion ended. Its calls are only used if it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    #[default]
    Complete,
    /// The model reached its output limit.
    Truncated,
    Refused,
    /// The provider paused a long turn. Sent back unchanged, it continues.
    Paused,
    /// A reason that this program does not know.
    Unknown,
}

impl System {
    pub fn text(&self) -> String {
        format!("{}\n\n{}", self.rules, self.now)
    }
}

impl Message {
    /// A text message of the assistant.
    pub fn assistant(text: impl Into<String>) -> Message {
        Message::Assistant { text: text.into(), calls: Vec::new(), native: None, shown: None }
    }

    /// An earlier answer, with what it showed.
    pub fn answer(text: impl Into<String>, shown: Shown) -> Message {
        let shown = Some(Arc::new(shown));
        Message::Assistant { text: text.into(), calls: Vec::new(), native: None, shown }
    }

    /// What an earlier answer showed, if that is known.
    pub fn shown(&self) -> Option<&Shown> {
        match self {
            Message::Assistant { shown, .. } => shown.as_deref(),
            Message::User(_) | Message::Outcomes(_) => None,
        }
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

/// It is logged, so it never holds a provider's response or a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("the model did not answer in time")]
    Timeout,
    /// Unreachable, failing or invalid answers, after retries.
    #[error("the model is unavailable: {0}")]
    Unavailable(&'static str),
    /// The provider asks for a longer pause than the turn may take.
    #[error("the model asks to wait {} s", .retry_after.as_secs())]
    Busy { retry_after: Duration },
    /// Repeating does not help until the operator has paid or raised a limit.
    #[error("the model's account has no credit left")]
    OutOfCredit,
    /// The key is missing, or was refused twice: the cached one, and the one that was read again.
    #[error("the model's key is not to be had or is refused: {0}")]
    NoKey(&'static str),
    /// The provider rejects the request, and would reject it again.
    #[error("the model is unavailable: it rejects the request")]
    Rejected,
    #[error("the conversation is longer than the model can read")]
    TooLong,
}
