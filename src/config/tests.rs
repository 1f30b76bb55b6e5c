//! The configuration that is read from variables, and the errors for invalid ones.

use super::*;

fn read(set: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::read(|name| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned()))
}

#[test]
fn without_variables_the_defaults_apply() {
    let config = read(&[("CONFIRM_POLICY", " ")]).unwrap();
    assert_eq!((config.table.as_str(), config.model, config.auth), ("sayso", ModelConfig::Offline, Auth::Gateway));
    let Defaults { currency, timezone, policy } = config.defaults;
    assert_eq!((currency, timezone, policy), (None, TimeZone::UTC, Policy::Risky));
    assert_eq!(config.toolkits, [ToolkitName::Expenses]);
    assert!(!config.in_lambda);
}

#[test]
fn variables_replace_the_defaults() {
    let config = read(&[
        ("DEFAULT_CURRENCY", "gbp"),
        ("DEFAULT_TIMEZONE", "Asia/Tokyo"),
        ("CONFIRM_POLICY", "always"),
        ("AUDIT_DAYS", "30"),
        ("TENANT_CLAIM", "org"),
        ("NAME_CLAIM", "nickname"),
        ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001"),
    ]);
    let config = config.unwrap();
    assert_eq!((config.defaults.currency.as_deref(), config.defaults.policy), (Some("GBP"), Policy::Always));
    assert_eq!(config.defaults.timezone.iana_name(), Some("Asia/Tokyo"));
    assert_eq!((config.claim_names.tenant.as_str(), config.audit.as_hours()), ("org", 30 * 24));
    assert_eq!(config.claim_names.name, "nickname");
    assert!(config.in_lambda);
}

#[test]
fn the_public_address_ends_with_a_slash() {
    for (given, kept) in [
        ("https://sayso.example.com", "https://sayso.example.com/"),
        ("https://sayso.example.com/stream", "https://sayso.example.com/stream/"),
        ("https://sayso.example.com/stream/", "https://sayso.example.com/stream/"),
    ] {
        let config = read(&[("PUBLIC_URL", given)]).unwrap();
        assert_eq!(config.public_url.map(|url| url.to_string()).as_deref(), Some(kept));
    }
}

#[test]
fn an_origin_is_written_like_a_browser_writes_it() {
    for (url, expected) in [
        ("https://Sayso.Example.com/stream/", "https://sayso.example.com"),
        ("https://sayso.example.com:443/", "https://sayso.example.com"),
        ("http://127.0.0.1:8787/", "http://127.0.0.1:8787"),
        ("http://[::1]:80/", "http://[::1]"),
    ] {
        assert_eq!(origin(&url.parse().unwrap()), expected);
    }
}

#[test]
fn an_address_has_no_user_query_or_fragment() {
    for text in
        ["https://me@example.com", "https://example.com/?a=b", "https://example.com/#a", "ftp://example.com", "/x"]
    {
        assert!(read(&[("PUBLIC_URL", text)]).is_err(), "{text}");
    }
}

#[test]
fn an_error_names_variable_value_and_remedy() {
    let cases = [
        (("AUDIT_DAYS", "0"), "AUDIT_DAYS is \"0\", which is no number of days; set it to 1 to 3650"),
        (
            ("MODEL_PROVIDER", "gpt"),
            "MODEL_PROVIDER is \"gpt\", which is no model provider; set it to anthropic, openai or offline",
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
        (
            ("TOOLKITS", "expenses,gardens"),
            "TOOLKITS is \"expenses,gardens\", which is no list of toolkits: there is no \"gardens\"; set it to one or \
             more of expenses, workspace, with commas",
        ),
        (
            ("TOOLKITS", "expenses, expenses"),
            "TOOLKITS is \"expenses, expenses\", which is a list with \"expenses\" twice; set it to one or more of \
             expenses, workspace, with commas",
        ),
    ];
    for (variable, message) in cases {
        assert_eq!(read(&[variable]).unwrap_err().to_string(), message);
    }
}

#[test]
fn the_offline_interpreter_needs_expenses() {
    let remote = read(&[("MODEL_PROVIDER", "openai"), ("MODEL_NAME", "m"), ("MODEL_API_KEY", "k")]);
    assert_eq!(check_understood(&remote.unwrap().model, &[]), Ok(()));
    assert_eq!(check_understood(&ModelConfig::Offline, &[ToolkitName::Expenses]), Ok(()));
    assert_eq!(
        check_understood(&ModelConfig::Offline, &[ToolkitName::Workspace]).unwrap_err().to_string(),
        "MODEL_PROVIDER is \"offline\", which is a model for expenses only, and TOOLKITS does not name expenses; set it to \
         anthropic or openai, or add expenses to TOOLKITS"
    );
}

#[test]
fn a_remote_model_has_a_name_an_address_and_a_key() {
    let read = |set: &[(&str, &str)]| read(set).map(|config| config.model);
    let remote = |provider, base: &str, key, protocol| {
        let base = base.parse().unwrap();
        ModelConfig::Remote(RemoteModel { provider, name: "m".into(), base, key, protocol, temperature: None })
    };
    let given = KeySource::Given(Hidden("k".into()));
    let anthropic = [("MODEL_PROVIDER", "anthropic"), ("MODEL_NAME", "m"), ("MODEL_API_KEY", "k")];
    let expected = remote(RemoteProvider::Anthropic, "https://api.anthropic.com", given.clone(), Protocol::Tools);
    assert_eq!(read(&anthropic), Ok(expected));
    let openai = [
        ("MODEL_PROVIDER", "openai"),
        ("MODEL_NAME", "m"),
        ("MODEL_API_KEY", "k"),
        ("MODEL_SECRET_ID", "s"),
        ("MODEL_BASE_URL", "http://127.0.0.1:9/v1"),
        ("MODEL_PROTOCOL", "json"),
    ];
    let secret = KeySource::Secret("s".into());
    assert_eq!(
        read(&openai),
        Ok(remote(RemoteProvider::OpenAi, "http://127.0.0.1:9/v1", secret, Protocol::Json)),
        "the secret wins"
    );
    assert!(!format!("{:?}", read(&anthropic)).contains("\"k\""), "a key is not to be seen");
}

#[test]
fn an_endpoint_for_embeddings_has_a_model_and_may_have_a_key() {
    let read = |set: &[(&str, &str)]| read(set).map(|config| config.embeddings);
    let local = [("EMBEDDINGS_BASE_URL", "http://127.0.0.1:9/v1"), ("EMBEDDINGS_MODEL", "m")];
    let base: Uri = "http://127.0.0.1:9/v1".parse().unwrap();
    let whole = |key| Ok(Some(EmbeddingsConfig { base: base.clone(), name: "m".into(), key }));
    assert_eq!(read(&local), whole(None));
    let secret = [local[0], local[1], ("EMBEDDINGS_SECRET_ID", "s"), ("EMBEDDINGS_API_KEY", "k")];
    assert_eq!(read(&secret), whole(Some(KeySource::Secret("s".into()))), "the secret wins");
    assert_eq!(read(&local[1..]), Ok(None), "without an address there is none");
    let error = "EMBEDDINGS_MODEL is not set; set it to the server's name of a model";
    assert_eq!(read(&local[..1]).unwrap_err().to_string(), error);
}

#[test]
fn a_missing_setting_of_a_remote_model_is_named() {
    let whole = [("MODEL_PROVIDER", "openai"), ("MODEL_NAME", "m"), ("MODEL_API_KEY", "k")];
    let without = |name: &str| {
        let set: Vec<_> = whole.iter().copied().filter(|(variable, _)| *variable != name).collect();
        read(&set).unwrap_err().to_string()
    };
    assert_eq!(without("MODEL_NAME"), "MODEL_NAME is not set; set it to the provider's name of a model");
    assert_eq!(
        without("MODEL_API_KEY"),
        "MODEL_SECRET_ID is not set; set it to the secret that holds the provider's key"
    );
    for (variable, value) in
        [("MODEL_PROTOCOL", "xml"), ("MODEL_BASE_URL", "ftp://x"), ("MODEL_BASE_URL", "https://me@x/v1?a=b")]
    {
        let set: Vec<_> = whole.iter().copied().chain([(variable, value)]).collect();
        assert_eq!(read(&set).unwrap_err().variable, variable, "{value}");
    }
}

#[test]
fn a_temperature_is_in_the_range_of_its_provider() {
    let read = |provider: &str, text: &str| {
        let whole = [("MODEL_PROVIDER", provider), ("MODEL_NAME", "m"), ("MODEL_API_KEY", "k")];
        let set: Vec<_> = whole.into_iter().chain([("MODEL_TEMPERATURE", text)]).collect();
        match read(&set).map_err(|error| error.to_string())?.model {
            ModelConfig::Remote(remote) => Ok(remote.temperature.map(|temperature| temperature.to_string())),
            ModelConfig::Offline => panic!("it is a remote one"),
        }
    };
    let sent = |text: &str| Ok(Some(text.to_owned()));
    for (provider, text) in [("openai", "0"), ("openai", "0.25"), ("openai", "2"), ("anthropic", "1.0")] {
        assert_eq!(read(provider, text), sent(text), "{provider} {text}");
    }
    assert_eq!(read("openai", ""), Ok(None), "an empty one counts as unset");
    let refused = |text: &str, most: u8| {
        Err(format!(
            "MODEL_TEMPERATURE is {text:?}, which is no temperature of this provider; \
             set it to a number from 0 to {most}, like 0.2, or leave it unset"
        ))
    };
    for (provider, text, most) in [
        ("openai", "2.01", 2),
        ("openai", "-0.1", 2),
        ("openai", "warm", 2),
        ("openai", "NaN", 2),
        ("anthropic", "1.1", 1),
    ] {
        assert_eq!(read(provider, text), refused(text, most), "{provider} {text}");
    }
}

#[cfg(not(feature = "local"))]
#[test]
fn a_deployed_build_has_no_development_headers() {
    assert_eq!(read(&[("AUTH", "dev")]).unwrap_err().variable, "AUTH");
}
