//! The configuration from the environment. Only this module reads the environment, once.

use std::sync::Arc;

use jiff::{SignedDuration, tz::TimeZone};
use serde_json::Number;

use crate::{
    agent::Defaults, aws::Account, identity::ClaimNames, money::Currency, outbound::Uri, proposal::Policy,
    secrets::Hidden, store::AUDIT,
};

#[cfg(test)]
mod tests;

/// Each field names its variable.
#[derive(Debug, Clone)]
pub struct Config {
    /// `TABLE_NAME`; `sayso` if unset.
    pub table: String,
    /// `AUDIT_DAYS`: how long executed proposals are kept; 400 if unset.
    pub audit: SignedDuration,
    /// `MODEL_PROVIDER`; `offline` if unset.
    pub model: ModelConfig,
    /// `EMBEDDINGS_BASE_URL`; if unset, searches by meaning become searches by words.
    pub embeddings: Option<EmbeddingsConfig>,
    /// `DEFAULT_CURRENCY`, none if unset; `DEFAULT_TIMEZONE`, UTC if unset; `CONFIRM_POLICY`, `risky` if unset.
    pub defaults: Defaults,
    /// `TOOLKITS`; `expenses` if unset. Undoing is always there.
    pub toolkits: Vec<ToolkitName>,
    /// `ROWS_PER_SECOND`: the rate at which runs change rows; 250 if unset.
    pub rows_per_second: u32,
    /// Set by Lambda.
    pub aws: Aws,
    /// `AUTH`; `gateway` if unset.
    pub auth: Auth,
    /// `TENANT_CLAIM`; `custom:tenant_id` if unset. `ROLES_CLAIM`; if unset, every user of a tenant is a member.
    /// `NAME_CLAIM`; `name` if unset.
    pub claim_names: ClaimNames,
    /// How the page signs people in; none if `OIDC_CLIENT_ID` is unset.
    pub sign_in: Option<SignIn>,
    /// `PUBLIC_URL`: the address of the page, with a slash at its end. If unset, a local server's own.
    pub public_url: Option<Uri>,
    /// `STREAM_AUDIENCE`: the clients whose tokens a REST API that streams accepts. If unset, no REST API streams.
    pub stream_audience: Option<Arc<[String]>>,
    /// `RUST_LOG`; `info` if unset, without the embedded database's warnings: failed conditions are normal.
    pub log: String,
    /// Set by the Lambda runtime: `AWS_LAMBDA_RUNTIME_API`.
    pub in_lambda: bool,
    #[cfg(feature = "local")]
    pub local: Local,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelConfig {
    /// Built in; needs neither a network nor a key.
    Offline,
    Remote(RemoteModel),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteModel {
    pub provider: RemoteProvider,
    /// `MODEL_NAME`
    pub name: String,
    /// `MODEL_BASE_URL`; the provider's own if unset.
    pub base: Uri,
    /// `MODEL_SECRET_ID`, or else `MODEL_API_KEY`.
    pub key: KeySource,
    /// `MODEL_PROTOCOL`; `tools` if unset.
    pub protocol: Protocol,
    /// `MODEL_TEMPERATURE`; if unset, none is sent.
    pub temperature: Option<Number>,
}

/// Any server with OpenAI's embeddings API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingsConfig {
    pub base: Uri,
    /// `EMBEDDINGS_MODEL`
    pub name: String,
    /// `EMBEDDINGS_SECRET_ID`, or else `EMBEDDINGS_API_KEY`; a self-hosted server may need none.
    pub key: Option<KeySource>,
}

/// A toolkit that this program can serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolkitName {
    Expenses,
    /// Tasks and notes.
    Workspace,
}

impl ToolkitName {
    pub const ALL: [(&'static str, ToolkitName); 2] =
        [("expenses", ToolkitName::Expenses), ("workspace", ToolkitName::Workspace)];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteProvider {
    Anthropic,
    /// Any server with OpenAI's Chat Completions API.
    OpenAi,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The id of a secret in Secrets Manager.
    Secret(String),
    /// For local runs and benchmarks.
    Given(Hidden),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The provider's own tool calls.
    Tools,
    /// One JSON object an answer, for models without tool calls.
    Json,
}

/// Each field names its variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aws {
    /// `AWS_REGION` or `AWS_DEFAULT_REGION`, `us-east-1` if unset; `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_SESSION_TOKEN`.
    pub account: Account,
    /// `AWS_ENDPOINT_URL_DYNAMODB` or `AWS_ENDPOINT_URL`; the region's own if unset.
    pub dynamodb: Option<String>,
    /// `AWS_ENDPOINT_URL_SECRETS_MANAGER` or `AWS_ENDPOINT_URL`; the region's own if unset.
    pub secrets_manager: Option<String>,
}

/// An OpenID provider, for the page. Each field names its variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    /// `OIDC_ISSUER`, as tokens name it.
    pub issuer: String,
    /// `OIDC_CLIENT_ID`
    pub client_id: String,
    /// `OIDC_SCOPE`; `openid profile` if unset.
    pub scope: String,
    /// The origins that the page calls: the issuer's, and `OIDC_TOKEN_ORIGIN` if set.
    pub origins: Vec<String>,
}

/// How callers are authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// By claims that the gateway's authorizer has verified.
    Gateway,
    /// By headers that anybody can write.
    #[cfg(feature = "local")]
    Dev,
}

#[cfg(feature = "local")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// `LOCAL_ADDR`
    pub addr: std::net::SocketAddr,
    /// `LOCAL_DATA`: the file of the embedded DynamoDB, if no other DynamoDB is set.
    pub data: std::path::PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable} {problem}; {remedy}")]
pub struct ConfigError {
    pub variable: &'static str,
    pub problem: String,
    pub remedy: String,
}

impl ModelConfig {
    /// The model's name for the start message.
    pub fn name(&self) -> &str {
        match self {
            ModelConfig::Offline => "offline",
            ModelConfig::Remote(remote) => &remote.name,
        }
    }
}

/// A partition takes about 1,000 write units a second. A row with its entry in the local index takes about four,
/// because transactions count twice.
const ROWS_PER_SECOND: u32 = 250;

impl Config {
    pub fn from_env() -> Result<Config, ConfigError> {
        Config::read(|name| std::env::var(name).ok())
    }

    /// An empty variable counts as unset.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Result<Config, ConfigError> {
        let get = |name: &str| lookup(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let or = |name: &str, default: &str| get(name).unwrap_or_else(|| default.into());
        let names = ClaimNames {
            tenant: or("TENANT_CLAIM", "custom:tenant_id"),
            user: "sub".into(),
            name: or("NAME_CLAIM", "name"),
            roles: get("ROLES_CLAIM"),
        };
        let defaults = Defaults {
            currency: get("DEFAULT_CURRENCY").map(currency).transpose()?,
            timezone: get("DEFAULT_TIMEZONE").map_or(Ok(TimeZone::UTC), timezone)?,
            policy: get("CONFIRM_POLICY").map_or(Ok(Policy::default()), policy)?,
        };
        let model = model(&or("MODEL_PROVIDER", "offline"), get)?;
        let toolkits = toolkits(&or("TOOLKITS", "expenses"))?;
        check_understood(&model, &toolkits)?;
        Ok(Config {
            table: table(or("TABLE_NAME", "sayso"))?,
            audit: get("AUDIT_DAYS").map_or(Ok(AUDIT), audit)?,
            rows_per_second: get("ROWS_PER_SECOND").map_or(Ok(ROWS_PER_SECOND), rows_per_second)?,
            model,
            embeddings: embeddings(get)?,
            defaults,
            toolkits,
            aws: aws(get)?,
            auth: auth(&or("AUTH", "gateway"))?,
            claim_names: names,
            sign_in: sign_in(get)?,
            public_url: get("PUBLIC_URL").map(public_url).transpose()?,
            stream_audience: get("STREAM_AUDIENCE")
                .map(|list| list.split(',').map(|id| id.trim().to_owned()).collect()),
            log: or("RUST_LOG", "info,dynoxide=error"),
            in_lambda: get("AWS_LAMBDA_RUNTIME_API").is_some(),
            #[cfg(feature = "local")]
            local: Local {
                addr: addr(&or("LOCAL_ADDR", "127.0.0.1:8787"))?,
                data: or("LOCAL_DATA", "data/sayso.db").into(),
            },
        })
    }
}

/// Names with commas between them, each at most once.
fn toolkits(list: &str) -> Result<Vec<ToolkitName>, ConfigError> {
    let known = ToolkitName::ALL.map(|(name, _)| name).join(", ");
    let remedy = format!("set it to one or more of {known}, with commas");
    let mut toolkits = Vec::new();
    for name in list.split(',').map(str::trim) {
        let Some((_, toolkit)) = ToolkitName::ALL.iter().find(|(known, _)| *known == name) else {
            return Err(wrong("TOOLKITS", list, &format!("no list of toolkits: there is no {name:?}"), &remedy));
        };
        if toolkits.contains(toolkit) {
            return Err(wrong("TOOLKITS", list, &format!("a list with {name:?} twice"), &remedy));
        }
        toolkits.push(*toolkit);
    }
    Ok(toolkits)
}

/// The offline interpreter would answer no message about anything else.
fn check_understood(model: &ModelConfig, toolkits: &[ToolkitName]) -> Result<(), ConfigError> {
    if *model != ModelConfig::Offline || toolkits.contains(&ToolkitName::Expenses) {
        return Ok(());
    }
    let problem = "a model for expenses only, and TOOLKITS does not name expenses";
    let remedy = "set it to anthropic or openai, or add expenses to TOOLKITS";
    Err(wrong("MODEL_PROVIDER", "offline", problem, remedy))
}

fn aws(get: impl Fn(&str) -> Option<String>) -> Result<Aws, ConfigError> {
    let endpoint = |variable: &'static str| {
        let given = get(variable).map(|text| (variable, text));
        let given = given.or_else(|| Some(("AWS_ENDPOINT_URL", get("AWS_ENDPOINT_URL")?)));
        given.map(|(variable, text)| http_url(variable, text, "http://127.0.0.1:8000")).transpose()
    };
    let endpoint = |variable| Ok(endpoint(variable)?.map(|url| url.to_string()));
    let or = |name: &str, default: &str| get(name).unwrap_or_else(|| default.into());
    Ok(Aws {
        account: Account::new(
            &or("AWS_REGION", &or("AWS_DEFAULT_REGION", "us-east-1")),
            &or("AWS_ACCESS_KEY_ID", ""),
            &or("AWS_SECRET_ACCESS_KEY", ""),
            get("AWS_SESSION_TOKEN"),
        ),
        dynamodb: endpoint("AWS_ENDPOINT_URL_DYNAMODB")?,
        secrets_manager: endpoint("AWS_ENDPOINT_URL_SECRETS_MANAGER")?,
    })
}

fn table(name: String) -> Result<String, ConfigError> {
    let fits =
        (3..=255).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    if fits { Ok(name) } else { Err(wrong("TABLE_NAME", &name, "no table name", "set 3 to 255 of a-z A-Z 0-9 _ . -")) }
}

fn audit(days: String) -> Result<SignedDuration, ConfigError> {
    let fits = days.parse::<u16>().ok().filter(|days| (1..=3_650).contains(days));
    let fits = fits.map(|days| SignedDuration::from_hours(i64::from(days) * 24));
    fits.ok_or_else(|| wrong("AUDIT_DAYS", &days, "no number of days", "set it to 1 to 3650"))
}

fn rows_per_second(rows: String) -> Result<u32, ConfigError> {
    let fits = rows.parse().ok().filter(|rows| (20..=1_000_000).contains(rows));
    fits.ok_or_else(|| wrong("ROWS_PER_SECOND", &rows, "no number of rows", "set it to 20 to 1000000"))
}

fn model(provider: &str, get: impl Fn(&str) -> Option<String>) -> Result<ModelConfig, ConfigError> {
    let (provider, base) = match provider {
        "offline" => return Ok(ModelConfig::Offline),
        "anthropic" => (RemoteProvider::Anthropic, "https://api.anthropic.com"),
        "openai" => (RemoteProvider::OpenAi, "https://api.openai.com/v1"),
        _ => {
            let remedy = "set it to anthropic, openai or offline";
            return Err(wrong("MODEL_PROVIDER", provider, "no model provider", remedy));
        }
    };
    let key = key(get("MODEL_SECRET_ID"), get("MODEL_API_KEY"));
    let key = key.ok_or_else(|| missing("MODEL_SECRET_ID", "set it to the secret that holds the provider's key"))?;
    Ok(ModelConfig::Remote(RemoteModel {
        provider,
        name: get("MODEL_NAME").ok_or_else(|| missing("MODEL_NAME", "set it to the provider's name of a model"))?,
        base: http_url(
            "MODEL_BASE_URL",
            get("MODEL_BASE_URL").unwrap_or_else(|| base.into()),
            "https://api.openai.com/v1",
        )?,
        key,
        protocol: get("MODEL_PROTOCOL").map_or(Ok(Protocol::Tools), protocol)?,
        temperature: get("MODEL_TEMPERATURE").map(|text| temperature(&text, provider)).transpose()?,
    }))
}

fn embeddings(get: impl Fn(&str) -> Option<String>) -> Result<Option<EmbeddingsConfig>, ConfigError> {
    let key = key(get("EMBEDDINGS_SECRET_ID"), get("EMBEDDINGS_API_KEY"));
    let name = get("EMBEDDINGS_MODEL");
    let Some(base) = get("EMBEDDINGS_BASE_URL") else { return Ok(None) };
    let base = http_url("EMBEDDINGS_BASE_URL", base, "https://api.openai.com/v1")?;
    let name = name.ok_or_else(|| missing("EMBEDDINGS_MODEL", "set it to the server's name of a model"))?;
    Ok(Some(EmbeddingsConfig { base, name, key }))
}

/// The secret has priority.
fn key(secret: Option<String>, given: Option<String>) -> Option<KeySource> {
    secret.map(KeySource::Secret).or_else(|| Some(KeySource::Given(Hidden(given?))))
}

fn http_url(variable: &'static str, text: String, example: &str) -> Result<Uri, ConfigError> {
    let url = text.parse::<Uri>().ok().filter(|url| {
        let is_plain = !text.contains(['@', '?', '#']);
        url.scheme_str().is_some_and(|scheme| ["http", "https"].contains(&scheme))
            && url.host().is_some_and(|host| !host.is_empty())
            && is_plain
    });
    // The part before an @ can be a password.
    let shown = if text.contains('@') { "…" } else { &text };
    url.ok_or_else(|| wrong(variable, shown, "no plain HTTP address", &format!("set one like {example}")))
}

fn protocol(name: String) -> Result<Protocol, ConfigError> {
    match name.as_str() {
        "tools" => Ok(Protocol::Tools),
        "json" => Ok(Protocol::Json),
        _ => Err(wrong("MODEL_PROTOCOL", &name, "no protocol", "set it to tools or json")),
    }
}

/// As it was written. Each provider refuses what is above its most.
fn temperature(text: &str, provider: RemoteProvider) -> Result<Number, ConfigError> {
    let most = match provider {
        RemoteProvider::Anthropic => 1,
        RemoteProvider::OpenAi => 2,
    };
    let number = text.parse::<Number>().ok();
    let fits = number
        .filter(|number| number.as_f64().is_some_and(|temperature| (0.0..=f64::from(most)).contains(&temperature)));
    let remedy = || format!("set it to a number from 0 to {most}, like 0.2, or leave it unset");
    fits.ok_or_else(|| wrong("MODEL_TEMPERATURE", text, "no temperature of this provider", &remedy()))
}

fn auth(name: &str) -> Result<Auth, ConfigError> {
    let (problem, remedy) = match name {
        "gateway" => return Ok(Auth::Gateway),
        #[cfg(feature = "local")]
        "dev" => return Ok(Auth::Dev),
        #[cfg(not(feature = "local"))]
        "dev" => ("only there in builds with the feature `local`", "set it to gateway"),
        "jwks" => ("not built in yet", "set it to gateway"),
        _ => ("no way to authenticate", "set it to gateway"),
    };
    Err(wrong("AUTH", name, problem, remedy))
}

fn sign_in(get: impl Fn(&str) -> Option<String>) -> Result<Option<SignIn>, ConfigError> {
    const EXAMPLE: &str = "https://cognito-idp.eu-west-2.amazonaws.com/eu-west-2_EXAMPLE";
    let issuer = get("OIDC_ISSUER");
    let scope = get("OIDC_SCOPE").unwrap_or_else(|| "openid profile".into());
    let token_origin = get("OIDC_TOKEN_ORIGIN");
    let Some(client_id) = get("OIDC_CLIENT_ID") else { return Ok(None) };
    let issuer = issuer.ok_or_else(|| missing("OIDC_ISSUER", "set it to the `iss` of the tokens of OIDC_CLIENT_ID"))?;
    let at_issuer = http_url("OIDC_ISSUER", issuer.clone(), EXAMPLE)?;
    let at_token = token_origin
        .map(|text| http_url("OIDC_TOKEN_ORIGIN", text, "https://example.auth.eu-west-2.amazoncognito.com"));
    let mut origins: Vec<String> = [Some(at_issuer), at_token.transpose()?].iter().flatten().map(origin).collect();
    origins.dedup();
    Ok(Some(SignIn { issuer, client_id, scope, origins }))
}

fn public_url(address: String) -> Result<Uri, ConfigError> {
    let url = http_url("PUBLIC_URL", address, "https://sayso.example.com/")?;
    let text = format!("{}/", url.to_string().trim_end_matches('/'));
    Ok(text.parse().expect("an address with a slash behind it is one"))
}

/// What a browser calls the origin of an address (RFC 6454, section 6.2): without the usual port, in small letters.
pub fn origin(url: &Uri) -> String {
    let (scheme, host) = (url.scheme_str().unwrap_or_default(), url.host().unwrap_or_default());
    let usual = if scheme == "https" { 443 } else { 80 };
    let port = url.port_u16().filter(|port| *port != usual).map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{host}{port}").to_ascii_lowercase()
}

fn currency(code: String) -> Result<String, ConfigError> {
    let currency = Currency::parse(&code).map(|currency| currency.code().to_owned());
    currency.map_err(|_| wrong("DEFAULT_CURRENCY", &code, "no ISO 4217 code", "set one like GBP, or leave it unset"))
}

fn timezone(name: String) -> Result<TimeZone, ConfigError> {
    let timezone = TimeZone::get(&name);
    timezone.map_err(|_| wrong("DEFAULT_TIMEZONE", &name, "no known time zone", "set an IANA name like Europe/London"))
}

fn policy(name: String) -> Result<Policy, ConfigError> {
    let policy = Policy::parse(&name);
    policy.ok_or_else(|| wrong("CONFIRM_POLICY", &name, "no policy", "set it to always, risky or never"))
}

#[cfg(feature = "local")]
fn addr(text: &str) -> Result<std::net::SocketAddr, ConfigError> {
    let addr = text.parse();
    addr.map_err(|_| wrong("LOCAL_ADDR", text, "no address with a port", "set one like 127.0.0.1:8787"))
}

fn missing(variable: &'static str, remedy: &str) -> ConfigError {
    ConfigError { variable, problem: "is not set".into(), remedy: remedy.into() }
}

fn wrong(variable: &'static str, value: &str, problem: &str, remedy: &str) -> ConfigError {
    ConfigError { variable, problem: format!("is {value:?}, which is {problem}"), remedy: remedy.into() }
}
