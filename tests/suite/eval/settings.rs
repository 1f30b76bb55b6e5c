//! The settings of a run, from the environment.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use sayso::{
    config::{Config, KeySource, ModelConfig, Protocol, RemoteModel, RemoteProvider},
    model::{
        Model,
        anthropic::Anthropic,
        client::{Key, Remote},
        json::JsonProtocol,
        offline::Offline,
        openai::OpenAi,
        provider::Provider,
    },
    outbound::Outbound,
};

use super::{
    meter::{Meter, Metered, Tested},
    run::Plan,
    table::Prices,
};
use crate::harness::conversation::{Conversation, Setting};

/// Secrets Manager is not asked.
const NO_KEY: &str = "unset MODEL_SECRET_ID, and set MODEL_API_KEY to the provider's key";

const MOST_CALLS: u64 = 500;

/// As long as in the service.
const SECONDS: u64 = 25;

/// Time, which tests replace.
#[derive(Clone, Copy)]
pub struct Times {
    pub clock: fn() -> Duration,
    /// Before a retry of a request.
    pub retry: fn(u8) -> Duration,
    /// Before a turn that failed is tried once more: a model that is asked too often is waited for.
    pub longest: Duration,
}

impl Default for Times {
    fn default() -> Times {
        Times {
            clock: since_start,
            retry: |retry| Duration::from_millis(500 << retry.min(3)),
            longest: Duration::from_secs(60),
        }
    }
}

pub struct Settings {
    pub plan: Plan,
    /// `EVAL_ONLY`: a part of their names; all if unset.
    only: Option<String>,
    /// `EVAL_LIMIT`; all if unset.
    limit: Option<usize>,
    is_offline: bool,
}

impl Settings {
    /// The model as the service is told it, and the settings of the run.
    pub fn read(lookup: impl Fn(&str) -> Option<String>, times: Times) -> Result<Settings, String> {
        let config = Config::read(&lookup).map_err(|error| match error.variable {
            "MODEL_SECRET_ID" => NO_KEY.to_owned(),
            _ => error.to_string(),
        })?;
        let get = |name: &str| lookup(name).filter(|text| !text.trim().is_empty());
        let number = |name: &str| {
            let read = |text: String| text.trim().parse::<u64>().map_err(|_| wrong(name, &text, "a whole number"));
            get(name).map(read).transpose()
        };
        let price = |name: &str| {
            let read = |text: String| {
                let price = text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
                price.ok_or_else(|| wrong(name, &text, "the price of a million tokens, like 0.25"))
            };
            get(name).map(read).transpose()
        };
        let prices = match (price("EVAL_INPUT_PRICE")?, price("EVAL_OUTPUT_PRICE")?) {
            (Some(input), Some(output)) => Some(Prices { input, output }),
            (None, None) => None,
            _ => return Err("set both EVAL_INPUT_PRICE and EVAL_OUTPUT_PRICE, or none".into()),
        };
        let size = |number: Option<u64>| number.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let plan = Plan {
            tested: tested(&config.model, times, number("EVAL_CALLS")?.unwrap_or(MOST_CALLS))?,
            prices,
            most_wrong: size(number("EVAL_MAX_WRONG")?).unwrap_or(0),
            budget: Duration::from_secs(number("EVAL_TURN_SECONDS")?.unwrap_or(SECONDS)),
            patience: times.longest,
            clock: times.clock,
        };
        let is_offline = config.model == ModelConfig::Offline;
        Ok(Settings { plan, only: get("EVAL_ONLY"), limit: size(number("EVAL_LIMIT")?), is_offline })
    }

    /// Those that the model can be asked to hold, spread over all.
    pub fn choose<'c>(&self, written: &'c [Conversation]) -> Vec<&'c Conversation> {
        let fits = |conversation: &&Conversation| {
            let setting = Setting::of(&conversation.script);
            let named = self.only.as_ref().is_none_or(|part| conversation.name.contains(part.as_str()));
            named && !setting.down && (setting.offline || !self.is_offline)
        };
        let fitting: Vec<&Conversation> = written.iter().filter(fits).collect();
        let count = self.limit.unwrap_or(usize::MAX).min(fitting.len());
        (0..count).map(|n| fitting[n * fitting.len() / count]).collect()
    }
}

fn wrong(name: &str, text: &str, what: &str) -> String {
    format!("{name} is {text:?}; set it to {what}, or leave it unset")
}

fn tested(config: &ModelConfig, times: Times, most_calls: u64) -> Result<Tested, String> {
    let meter = Arc::<Meter>::default();
    let model = match config {
        ModelConfig::Offline => Arc::new(Offline),
        ModelConfig::Remote(remote) => {
            let KeySource::Given(key) = &remote.key else {
                return Err(NO_KEY.into());
            };
            let (model, temperature) = (remote.name.clone(), remote.temperature.clone());
            let key = Key::Given(key.clone());
            match remote.provider {
                RemoteProvider::Anthropic => client(Anthropic { model, temperature }, remote, key, times, &meter),
                RemoteProvider::OpenAi => client(OpenAi { model, temperature }, remote, key, times, &meter),
            }
        }
    };
    Ok(Tested { model, meter, most_calls })
}

fn client<P: Provider + 'static>(
    provider: P,
    remote: &RemoteModel,
    key: Key,
    times: Times,
    meter: &Arc<Meter>,
) -> Arc<dyn Model> {
    let provider = Metered { provider, meter: Arc::clone(meter) };
    let model = Remote::new(provider, Outbound::default(), remote.base.clone(), key, times.retry);
    match remote.protocol {
        Protocol::Tools => Arc::new(model),
        Protocol::Json => Arc::new(JsonProtocol(model)),
    }
}

fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
