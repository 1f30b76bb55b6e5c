//! The composition root: builds all parts and connects them. Clocks and randomness enter here only.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use jiff::Timestamp;
use tokio::time::Instant;

use crate::{
    agent::{Agent, Deadline, SweepReport},
    aws::{Service, Time},
    config::{
        Auth, Aws, Config, EmbeddingsConfig, KeySource, ModelConfig, Protocol, RemoteModel, RemoteProvider, SignIn,
        ToolkitName,
    },
    expenses,
    identity::ClaimNames,
    model::{
        Model,
        anthropic::Anthropic,
        client::{Key, Remote},
        embeddings::{Embeddings, OpenAiEmbeddings},
        json::JsonProtocol,
        offline::Offline,
        openai::OpenAi,
        provider::Provider,
    },
    outbound::{Outbound, Uri},
    receipts,
    secrets::{Hidden, Secret},
    store::{Store, StoreError},
    tenant,
    tool::{Registry, RegistryError, Toolkit},
    workspace,
};

/// The time of a turn. API Gateway ends a request after 30 s.
const BUDGET: Duration = Duration::from_secs(25);

/// The time that is reserved for work after the model's answer, if the turn has enough.
const WRITING: Duration = Duration::from_secs(8);

/// The time that is reserved to send the answer, out of what the host grants.
const SENDING: Duration = Duration::from_millis(500);

pub struct App {
    pub agent: Agent,
    pub auth: Auth,
    pub claim_names: ClaimNames,
    /// Of the page; none if it is not set up.
    pub sign_in: Option<SignIn>,
    /// Of the page, with a slash at its end; none if it is not known.
    pub public_url: Option<Uri>,
    /// The clients whose tokens a REST API that streams accepts, if there is one.
    pub stream_audience: Option<Arc<[String]>>,
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// The longest time for an answer.
    pub budget: Duration,
    /// Random bytes for ids of requests that bring none.
    pub nonce: Box<dyn Fn() -> [u8; 16] + Send + Sync>,
}

impl App {
    pub fn build(config: Config, dynamodb: Service, outbound: Outbound) -> Result<App, RegistryError> {
        let (model, embeddings) = (model(&config, outbound.clone()), embeddings(&config, outbound));
        // The offline interpreter only understands expenses.
        let has_fallback =
            matches!(config.model, ModelConfig::Remote(_)) && config.toolkits.contains(&ToolkitName::Expenses);
        let agent = Agent {
            store: Store::new(dynamodb, config.table).keeping(config.audit),
            registry: Registry::new(since_start, &toolkits(&config.toolkits))?,
            model,
            embeddings,
            fallback: has_fallback.then(|| Arc::new(Offline) as Arc<dyn Model>),
            defaults: config.defaults,
            pause,
            rows_per_second: Some(config.rows_per_second),
        };
        Ok(App {
            agent,
            auth: config.auth,
            claim_names: config.claim_names,
            sign_in: config.sign_in,
            public_url: config.public_url,
            stream_audience: config.stream_audience,
            now: Box::new(now),
            budget: BUDGET,
            nonce: Box::new(nonce),
        })
    }
}

impl App {
    /// The deadline of a request that has just arrived. `remaining` is the time that the host grants; none if unknown.
    pub fn deadline(&self, remaining: Option<Duration>) -> Deadline {
        let granted = remaining.map(|remaining| remaining.saturating_sub(SENDING));
        let granted = granted.map_or(self.budget, |granted| granted.min(self.budget));
        let now = Instant::now();
        Deadline { answer: now + granted, model: now + granted - WRITING.min(granted / 3) }
    }

    /// Resumes unfinished runs, for as long as the host grants.
    pub async fn sweep(&self, remaining: Option<Duration>) -> Result<SweepReport, StoreError> {
        let granted = remaining.unwrap_or(self.budget).saturating_sub(SENDING);
        self.agent.sweep((self.now)(), Instant::now() + granted).await
    }

    /// The time until a host's deadline, which is in milliseconds since 1970. None if it has passed: emulators send 0.
    pub fn remaining(&self, deadline: u64) -> Option<Duration> {
        let now = u64::try_from((self.now)().as_millisecond()).ok()?;
        deadline.checked_sub(now).filter(|left| *left > 0).map(Duration::from_millis)
    }
}

/// Those of the settings, and those that every tenant has.
pub fn toolkits(names: &[ToolkitName]) -> Vec<Toolkit> {
    let named = names.iter().map(|name| match name {
        ToolkitName::Expenses => expenses::toolkit(),
        ToolkitName::Workspace => workspace::toolkit(),
    });
    named.chain([receipts::toolkit(), tenant::toolkit()]).collect()
}

fn model(config: &Config, outbound: Outbound) -> Arc<dyn Model> {
    let ModelConfig::Remote(remote) = &config.model else { return Arc::new(Offline) };
    let key = key(&remote.key, config, &outbound);
    let (model, temperature) = (remote.name.clone(), remote.temperature.clone());
    match remote.provider {
        RemoteProvider::Anthropic => in_protocol(Anthropic { model, temperature }, remote, key, outbound),
        RemoteProvider::OpenAi => in_protocol(OpenAi { model, temperature }, remote, key, outbound),
    }
}

fn embeddings(config: &Config, outbound: Outbound) -> Option<Arc<dyn Embeddings>> {
    let EmbeddingsConfig { base, name, key: source } = config.embeddings.as_ref()?;
    let key = source.as_ref().map_or_else(|| Key::Given(Hidden::default()), |source| key(source, config, &outbound));
    Some(Arc::new(Remote::new(OpenAiEmbeddings::new(name, base), outbound, base.clone(), key, model_pause)))
}

fn key(source: &KeySource, config: &Config, outbound: &Outbound) -> Key {
    match source {
        KeySource::Given(key) => Key::Given(key.clone()),
        KeySource::Secret(id) => Key::Secret(Secret::new(id, secrets_manager(&config.aws, outbound.clone()))),
    }
}

fn in_protocol<P: Provider + 'static>(
    provider: P,
    remote: &RemoteModel,
    key: Key,
    outbound: Outbound,
) -> Arc<dyn Model> {
    let model = Remote::new(provider, outbound, remote.base.clone(), key, model_pause);
    match remote.protocol {
        Protocol::Tools => Arc::new(model),
        Protocol::Json => Arc::new(JsonProtocol(model)),
    }
}

const TIME: Time = Time { now, pause };

pub fn dynamodb(aws: &Aws, outbound: Outbound) -> Service {
    Service::new("dynamodb", aws.account.clone(), aws.dynamodb.clone(), outbound, TIME)
}

fn secrets_manager(aws: &Aws, outbound: Outbound) -> Service {
    Service::new("secretsmanager", aws.account.clone(), aws.secrets_manager.clone(), outbound, TIME)
}

/// The pause between attempts of a call to AWS.
fn pause(attempt: u8) -> Duration {
    jitter(25, 400, attempt)
}

/// The pause between attempts of a call to a model.
fn model_pause(retry: u8) -> Duration {
    Duration::from_millis(200) + jitter(400, 3_000, retry)
}

/// Exponential backoff with full jitter, in milliseconds, so that clients that collided do not collide again.
fn jitter(first: u64, most: u64, attempt: u8) -> Duration {
    let longest = first.saturating_mul(1 << attempt.min(10)).min(most);
    let random = getrandom::u64().unwrap_or(longest);
    Duration::from_millis(random % (longest + 1))
}

/// In whole milliseconds, as times are stored: an answer must be equal before and after it is stored.
fn now() -> Timestamp {
    Timestamp::from_millisecond(Timestamp::now().as_millisecond()).expect("the present is in range")
}

fn nonce() -> [u8; 16] {
    let mut nonce = [0; 16];
    getrandom::fill(&mut nonce).expect("the operating system provides randomness");
    nonce
}

/// A monotonic clock.
fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_stay_under_their_cap() {
        for (attempt, cap) in [(0, 25), (1, 50), (4, 400), (255, 400)] {
            assert!((0..100).all(|_| pause(attempt) <= Duration::from_millis(cap)));
        }
    }
}
