//! The environment, read once. Nothing else in the crate reads it, except the AWS SDK for its own variables.

use jiff::tz::TimeZone;

use crate::{agent::Defaults, identity::ClaimNames, money::Currency, proposal::Policy};

/// Each field names its variable.
#[derive(Debug, Clone)]
pub struct Config {
    /// `TABLE_NAME`; `sayso` if unset.
    pub table: String,
    /// `MODEL_PROVIDER`; `offline` if unset.
    pub model: ModelProvider,
    /// `DEFAULT_CURRENCY`, none if unset; `DEFAULT_TIMEZONE`, UTC if unset; `CONFIRM_POLICY`, `risky` if unset.
    pub defaults: Defaults,
    /// `AUTH`; `gateway` if unset.
    pub auth: Auth,
    /// `TENANT_CLAIM` and `ROLES_CLAIM`; those of Amazon Cognito if unset.
    pub claim_names: ClaimNames,
    /// `RUST_LOG`; `info` if unset, without what the embedded database warns of: refused conditions are daily business.
    pub log: String,
    /// Set by the Lambda runtime: `AWS_LAMBDA_RUNTIME_API`.
    pub in_lambda: bool,
    #[cfg(feature = "local")]
    pub local: Local,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelProvider {
    /// Built in: needs neither a network nor a key.
    Offline,
}

/// Who vouches for a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// Claims that the gateway's authorizer has verified.
    Gateway,
    /// Headers that anybody can write.
    #[cfg(feature = "local")]
    Dev,
}

#[cfg(feature = "local")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// `LOCAL_ADDR`
    pub addr: std::net::SocketAddr,
    /// `LOCAL_DATA`
    pub data: std::path::PathBuf,
    /// `AWS_ENDPOINT_URL_DYNAMODB`: used instead of the embedded DynamoDB.
    pub dynamodb: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable} {problem}; {remedy}")]
pub struct ConfigError {
    pub variable: &'static str,
    pub problem: String,
    pub remedy: String,
}

impl ModelProvider {
    pub fn name(self) -> &'static str {
        match self {
            ModelProvider::Offline => "offline",
        }
    }
}

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
            roles: or("ROLES_CLAIM", "cognito:groups"),
        };
        let defaults = Defaults {
            currency: get("DEFAULT_CURRENCY").map(currency).transpose()?,
            timezone: get("DEFAULT_TIMEZONE").map_or(Ok(TimeZone::UTC), timezone)?,
            policy: get("CONFIRM_POLICY").map_or(Ok(Policy::default()), policy)?,
        };
        Ok(Config {
            table: table(or("TABLE_NAME", "sayso"))?,
            model: model(&or("MODEL_PROVIDER", "offline"))?,
            defaults,
            auth: auth(&or("AUTH", "gateway"))?,
            claim_names: names,
            log: or("RUST_LOG", "info,dynoxide=error"),
            in_lambda: get("AWS_LAMBDA_RUNTIME_API").is_some(),
            #[cfg(feature = "local")]
            local: Local {
                addr: addr(&or("LOCAL_ADDR", "127.0.0.1:8787"))?,
                data: or("LOCAL_DATA", "data/sayso.db").into(),
                dynamodb: get("AWS_ENDPOINT_URL_DYNAMODB"),
            },
        })
    }
}

fn table(name: String) -> Result<String, ConfigError> {
    let fits =
        (3..=255).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    if fits { Ok(name) } else { Err(wrong("TABLE_NAME", &name, "no table name", "set 3 to 255 of a-z A-Z 0-9 _ . -")) }
}

fn model(name: &str) -> Result<ModelProvider, ConfigError> {
    let problem = match name {
        "offline" => return Ok(ModelProvider::Offline),
        "anthropic" | "openai" => "not built in yet",
        _ => "no model provider",
    };
    Err(wrong("MODEL_PROVIDER", name, problem, "set it to offline"))
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

fn currency(code: String) -> Result<String, ConfigError> {
    let known = Currency::parse(&code).map(|currency| currency.code().to_owned());
    known.map_err(|_| wrong("DEFAULT_CURRENCY", &code, "no ISO 4217 code", "set one like GBP, or leave it unset"))
}

fn timezone(name: String) -> Result<TimeZone, ConfigError> {
    let known = TimeZone::get(&name);
    known.map_err(|_| wrong("DEFAULT_TIMEZONE", &name, "no known time zone", "set an IANA name like Europe/London"))
}

fn policy(name: String) -> Result<Policy, ConfigError> {
    let known = Policy::parse(&name);
    known.ok_or_else(|| wrong("CONFIRM_POLICY", &name, "no policy", "set it to always, risky or never"))
}

#[cfg(feature = "local")]
fn addr(text: &str) -> Result<std::net::SocketAddr, ConfigError> {
    let addr = text.parse();
    addr.map_err(|_| wrong("LOCAL_ADDR", text, "no address with a port", "set one like 127.0.0.1:8787"))
}

fn wrong(variable: &'static str, value: &str, problem: &str, remedy: &str) -> ConfigError {
    ConfigError { variable, problem: format!("is {value:?}, which is {problem}"), remedy: remedy.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::read(|name| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn without_any_variable_the_defaults_hold() {
        let config = read(&[("CONFIRM_POLICY", " ")]).unwrap();
        assert_eq!(
            (config.table.as_str(), config.model, config.auth),
            ("sayso", ModelProvider::Offline, Auth::Gateway)
        );
        let Defaults { currency, timezone, policy } = config.defaults;
        assert_eq!((currency, timezone, policy), (None, TimeZone::UTC, Policy::Risky));
        assert!(!config.in_lambda);
    }

    #[test]
    fn variables_are_taken_over() {
        let config = read(&[
            ("DEFAULT_CURRENCY", "gbp"),
            ("DEFAULT_TIMEZONE", "Asia/Tokyo"),
            ("CONFIRM_POLICY", "always"),
            ("TENANT_CLAIM", "org"),
            ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001"),
        ]);
        let config = config.unwrap();
        assert_eq!((config.defaults.currency.as_deref(), config.defaults.policy), (Some("GBP"), Policy::Always));
        assert_eq!(config.defaults.timezone.iana_name(), Some("Asia/Tokyo"));
        assert_eq!(config.claim_names.tenant, "org");
        assert!(config.in_lambda);
    }

    #[test]
    fn an_error_names_variable_value_and_remedy() {
        let cases = [
            (
                ("MODEL_PROVIDER", "openai"),
                "MODEL_PROVIDER is \"openai\", which is not built in yet; set it to offline",
            ),
            (("AUTH", "jwks"), "AUTH is \"jwks\", which is not built in yet; set it to gateway"),
            (("TABLE_NAME", "x"), "TABLE_NAME is \"x\", which is no table name; set 3 to 255 of a-z A-Z 0-9 _ . -"),
            (
                ("DEFAULT_CURRENCY", "pounds"),
                "DEFAULT_CURRENCY is \"pounds\", which is no ISO 4217 code; set one like GBP, or leave it unset",
            ),
            (
                ("DEFAULT_TIMEZONE", "London"),
                "DEFAULT_TIMEZONE is \"London\", which is no known time zone; set an IANA name like Europe/London",
            ),
            (
                ("CONFIRM_POLICY", "yolo"),
                "CONFIRM_POLICY is \"yolo\", which is no policy; set it to always, risky or never",
            ),
        ];
        for (variable, message) in cases {
            assert_eq!(read(&[variable]).unwrap_err().to_string(), message);
        }
    }

    #[cfg(not(feature = "local"))]
    #[test]
    fn a_deployed_build_has_no_development_headers() {
        assert_eq!(read(&[("AUTH", "dev")]).unwrap_err().variable, "AUTH");
    }
}
