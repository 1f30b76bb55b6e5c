//! The port to a language model: what a turn asks of it, and what comes back.
//!
//! A model proposes tool calls and words; it holds no tool that confirms, executes or names a tenant, so nothing here
//! can write. Providers are pure codecs behind this port; [`offline`] needs neither a network nor a key.

use std::{future::Future, pin::Pin};

use jiff::civil::Date;
use serde_json::Value;

pub mod offline;

pub trait Model: Send + Sync {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a>;
}

pub type Completing<'a> = Pin<Box<dyn Future<Output = Result<Completion, ModelError>> + Send + 'a>>;

/// One round of the loop.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    pub system: &'a str,
    /// Today in the tenant's time zone.
    pub today: Date,
    /// Oldest first; the last one is what the model must react to.
    pub messages: &'a [Message],
    /// Empty in the last round: the model must answer in words.
    pub tools: &'a [ToolSpec],
}

#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User(String),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// One outcome for every call of the assistant message before it.
    Outcomes(Vec<CallOutcome>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
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
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: String,
    pub parameters: Value,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    pub text: String,
    pub calls: Vec<ToolCall>,
}

#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("the model did not answer in time")]
    Timeout,
    #[error("the model is unavailable: {0}")]
    Unavailable(&'static str),
}
