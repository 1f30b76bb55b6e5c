//! The model under test, with what its server is asked and what it charges, and the model of the recording.

use std::{
    ops::{AddAssign, Sub},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
};

use sayso::model::{
    Completing, Completion, Model, ModelError, ModelRequest, Preparing,
    provider::{Collector, Endpoint, Failure, Provider},
};
use serde_json::Value;

#[derive(Debug, Default)]
pub struct Meter {
    calls: AtomicU64,
    input: AtomicU64,
    output: AtomicU64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Requests, also those that failed.
    pub calls: u64,
    /// In tokens, with those that a provider cached.
    pub input: u64,
    pub output: u64,
}

impl Meter {
    pub fn spent(&self) -> Spent {
        Spent { calls: self.calls.load(SeqCst), input: self.input.load(SeqCst), output: self.output.load(SeqCst) }
    }

    fn charge(&self, answer: &[u8]) {
        let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
        let sum = |names: &[&str]| names.iter().filter_map(|name| answer["usage"][name].as_u64()).sum();
        let input = sum(&["prompt_tokens", "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]);
        self.input.fetch_add(input, SeqCst);
        self.output.fetch_add(sum(&["completion_tokens", "output_tokens"]), SeqCst);
    }
}

impl Sub for Spent {
    type Output = Spent;

    fn sub(self, earlier: Spent) -> Spent {
        Spent {
            calls: self.calls - earlier.calls,
            input: self.input - earlier.input,
            output: self.output - earlier.output,
        }
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, more: Spent) {
        self.calls += more.calls;
        self.input += more.input;
        self.output += more.output;
    }
}

/// A provider whose requests are counted.
pub struct Metered<P> {
    pub provider: P,
    pub meter: Arc<Meter>,
}

impl<P: Endpoint> Endpoint for Metered<P> {
    fn path(&self) -> &'static str {
        self.provider.path()
    }

    /// Written once for every request that is sent.
    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        self.meter.calls.fetch_add(1, SeqCst);
        self.provider.headers(key)
    }

    fn failure(&self, status: u16, body: &[u8]) -> Failure {
        self.provider.failure(status, body)
    }

    fn settings(&self) -> &'static str {
        self.provider.settings()
    }
}

impl<P: Provider> Provider for Metered<P> {
    fn encode(&self, request: &ModelRequest<'_>) -> Vec<u8> {
        self.provider.encode(request)
    }

    fn decode(&self, body: &[u8]) -> Result<Completion, ModelError> {
        self.meter.charge(body);
        self.provider.decode(body)
    }

    fn collector(&self) -> Box<dyn Collector> {
        self.provider.collector()
    }
}

/// The model under test.
#[derive(Clone)]
pub struct Tested {
    pub model: Arc<dyn Model>,
    pub meter: Arc<Meter>,
    pub most_calls: u64,
}

impl Tested {
    pub fn is_used_up(&self) -> bool {
        self.meter.spent().calls >= self.most_calls
    }
}

/// Lets the recorded or the tested model answer, so that a conversation can be brought to any turn without the tested
/// one.
pub struct Either {
    recorded: Arc<dyn Model>,
    tested: Tested,
    is_tested: AtomicBool,
    /// What the tested model wrote without calling a tool.
    texts: Mutex<Vec<String>>,
    /// Of the tested model.
    error: Mutex<Option<ModelError>>,
}

impl Either {
    pub fn new(recorded: Arc<dyn Model>, tested: Tested) -> Either {
        Either { recorded, tested, is_tested: AtomicBool::new(false), texts: Mutex::default(), error: Mutex::default() }
    }

    /// For the turns that follow.
    pub fn test(&self, is_tested: bool) {
        self.is_tested.store(is_tested, SeqCst);
    }

    /// Since the last time.
    pub fn texts(&self) -> Vec<String> {
        std::mem::take(&mut *self.texts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Why the tested model did not answer, the last time that it did not. People are not told it.
    pub fn error(&self) -> Option<ModelError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn current(&self) -> &dyn Model {
        if self.is_tested.load(SeqCst) { &*self.tested.model } else { &*self.recorded }
    }
}

impl Model for Either {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a> {
        Box::pin(async move {
            let is_tested = self.is_tested.load(SeqCst);
            if is_tested && self.tested.is_used_up() {
                return Err(ModelError::Unavailable("no more calls may be made"));
            }
            let completion = self.current().complete(request).await.inspect_err(|error| {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
            })?;
            if is_tested && completion.calls.is_empty() {
                self.texts.lock().unwrap_or_else(PoisonError::into_inner).push(completion.text.clone());
            }
            Ok(completion)
        })
    }

    fn reads_prompts(&self) -> bool {
        self.current().reads_prompts()
    }

    fn toolkits(&self) -> Option<&'static [&'static str]> {
        self.current().toolkits()
    }

    fn prepare(&self) -> Preparing<'_> {
        self.current().prepare()
    }
}
