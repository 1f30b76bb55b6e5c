//! A model that gives the test's answers, and then empty ones.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use sayso::model::{Completing, Completion, Message, Model, ModelError, ModelRequest, ToolCall, ToolChoice};
use serde_json::Value;

#[derive(Default)]
pub struct Scripted {
    script: Mutex<VecDeque<Completion>>,
    requests: Mutex<Vec<ReceivedRequest>>,
}

/// One request to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedRequest {
    pub system: String,
    pub messages: Vec<Message>,
    pub tools: Vec<&'static str>,
    pub choice: ToolChoice,
}

impl Scripted {
    pub fn says(&self, completion: Completion) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).push_back(completion);
    }

    /// Drops the answers that were not given.
    pub fn forget(&self) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub fn requests(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Model for Scripted {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(ReceivedRequest {
            system: request.system.text(),
            messages: request.messages.to_vec(),
            tools: request.tools.iter().map(|tool| tool.name).collect(),
            choice: request.choice,
        });
        let next = self.script.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        if let (Some(pieces), Some(completion)) = (request.pieces, &next) {
            completion.text.split_inclusive(' ').for_each(|word| pieces.add(word));
        }
        Box::pin(async move { Ok::<_, ModelError>(next.unwrap_or_default()) })
    }
}

pub fn calls(calls: impl IntoIterator<Item = (&'static str, Value)>) -> Completion {
    let calls = calls.into_iter().enumerate().map(|(n, (name, arguments))| ToolCall {
        id: format!("call_{n}"),
        name: name.into(),
        arguments,
    });
    Completion::calls(calls.collect())
}

pub fn text(text: &str) -> Completion {
    Completion::text(text)
}
