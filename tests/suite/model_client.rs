//! The HTTP client for models, with an endpoint that fails in every way. Answers come in time, retries are at most two,
//! and errors never quote the provider.

use std::{sync::Arc, time::Duration};

use jiff::civil::date;
use sayso::{
    model::{
        Completion, Message, Model, ModelError, ModelRequest, System, ToolChoice,
        anthropic::Anthropic,
        client::{Key, Remote},
        openai::OpenAi,
        provider::Provider,
    },
    outbound::Outbound,
    secrets::Hidden,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::harness::endpoint::{self, Act, Endpoint, ReceivedRequest};

const CANARY: &str = "sk-canary-7f3a";

fn remote(endpoint: &Endpoint) -> Remote<OpenAi> {
    remote_of(OpenAi { model: "m".into(), temperature: None }, endpoint)
}

fn remote_of<P: Provider>(provider: P, endpoint: &Endpoint) -> Remote<P> {
    let key = Key::Given(Hidden(CANARY.into()));
    Remote::new(provider, Outbound::default(), endpoint.base.clone(), key, |_| Duration::ZERO)
}

async fn ask(model: &dyn Model, within: Duration) -> Result<Completion, ModelError> {
    let system = System { rules: "Be brief.".into(), now: "Today is Friday.".into() };
    let messages = [Message::User("my salary is 4242".into())];
    let request = ModelRequest {
        people: &[],
        system: &system,
        today: date(2026, 11, 20),
        hour: 12,
        conventions: Default::default(),
        messages: &messages,
        page_rows: &[],
        tools: &[],
        choice: ToolChoice::Auto,
        deadline: Instant::now() + within,
        pieces: None,
    };
    model.complete(request).await
}

/// More than enough.
const MINUTE: Duration = Duration::from_secs(60);

fn hello() -> Value {
    json!({ "choices": [{ "message": { "role": "assistant", "content": "Hello." }, "finish_reason": "stop" }] })
}

fn text_of(result: Result<Completion, ModelError>) -> Result<String, ModelError> {
    result.map(|completion| completion.text)
}

fn unavailable(cause: &'static str) -> Result<String, ModelError> {
    Err(ModelError::Unavailable(cause))
}

#[tokio::test]
async fn transient_failures_are_retried_at_most_twice() {
    for status in [408, 429, 500, 502, 503, 529] {
        let endpoint = Endpoint::start().await;
        let model = remote(&endpoint);
        for failures in 0..=2 {
            (0..failures).for_each(|_| endpoint.will(Act::status(status, &json!({ "error": "busy" }))));
            endpoint.will(Act::says(&hello()));
            assert_eq!(text_of(ask(&model, MINUTE).await), Ok("Hello.".into()), "{status}");
            assert_eq!(endpoint.requests().len(), failures + 1, "{status}");
        }
        (0..4).for_each(|_| endpoint.will(Act::status(status, &json!({}))));
        assert_eq!(text_of(ask(&model, MINUTE).await), unavailable("it is overloaded or failing"), "{status}");
        assert_eq!(endpoint.requests().len(), 3, "{status}: three sendings in all");
    }
}

#[tokio::test]
async fn permanent_failures_are_not_retried() {
    for (status, body, expected) in [
        (400, json!({ "error": { "code": "context_length_exceeded" } }), ModelError::TooLong),
        (400, json!({ "error": { "message": "bad" } }), ModelError::Rejected),
        (404, json!({ "error": { "message": "no such model" } }), ModelError::Rejected),
        (302, json!({}), ModelError::Rejected),
        (200, json!({ "error": "…" }), ModelError::Unavailable("its answer is no chat completion")),
    ] {
        let endpoint = Endpoint::start().await;
        endpoint.will(Act::status(status, &body));
        assert_eq!(ask(&remote(&endpoint), MINUTE).await, Err(expected), "{status}");
        assert_eq!(endpoint.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_temperature_is_sent_as_it_was_set_and_otherwise_not_at_all() {
    let endpoint = Endpoint::start().await;
    for text in [None, Some("0"), Some("0.25")] {
        let temperature = text.map(|text| text.parse().expect("a number"));
        let openai = remote_of(OpenAi { model: "m".into(), temperature: temperature.clone() }, &endpoint);
        let anthropic = remote_of(Anthropic { model: "m".into(), temperature }, &endpoint);
        for model in [&openai as &dyn Model, &anthropic] {
            endpoint.will(Act::status(400, &json!({})));
            assert_eq!(ask(model, MINUTE).await, Err(ModelError::Rejected));
        }
        let sent = endpoint.requests().into_iter().map(|request| request.body.get("temperature").map(Value::to_string));
        assert_eq!(sent.collect::<Vec<_>>(), [text.map(str::to_owned), text.map(str::to_owned)]);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_key() {
    let (endpoint, elsewhere) = (Endpoint::start().await, Endpoint::start().await);
    endpoint.will(Act::with(307, "location", &elsewhere.base.to_string(), b""));
    assert_eq!(text_of(ask(&remote(&endpoint), MINUTE).await), Err(ModelError::Rejected));
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn a_short_retry_after_is_waited_for_and_a_long_one_fails_at_once() {
    let endpoint = Endpoint::start().await;
    let model = remote(&endpoint);
    endpoint.will(Act::with(429, "retry-after-ms", "1", b"{}"));
    endpoint.will(Act::says(&hello()));
    assert_eq!(text_of(ask(&model, MINUTE).await), Ok("Hello.".into()));
    assert_eq!(endpoint.requests().len(), 2);
    for (name, value, seconds) in [("retry-after", "61", 61), ("retry-after-ms", "90000", 90)] {
        endpoint.will(Act::with(429, name, value, b"{}"));
        let busy = ModelError::Busy { retry_after: Duration::from_secs(seconds) };
        assert_eq!(ask(&model, MINUTE).await, Err(busy));
        assert_eq!(endpoint.requests().len(), 1, "sent once");
    }
}

#[tokio::test]
async fn without_credit_the_model_is_called_once_and_then_not_at_all() {
    let endpoint = Endpoint::start().await;
    let model = remote(&endpoint);
    let spent = json!({ "error": { "code": "insufficient_quota", "message": "You exceeded your current quota" } });
    endpoint.will(Act::status(429, &spent));
    endpoint.will(Act::says(&hello()));
    for _ in 0..3 {
        assert_eq!(ask(&model, MINUTE).await, Err(ModelError::OutOfCredit));
    }
    assert_eq!(endpoint.requests().len(), 1);
}

#[tokio::test]
async fn a_model_that_always_fails_is_not_called_for_a_while() {
    let endpoint = Endpoint::start().await;
    let model = remote(&endpoint);
    for _ in 0..5 {
        assert_eq!(text_of(ask(&model, MINUTE).await), unavailable("it is overloaded or failing"));
    }
    assert_eq!(endpoint.requests().len(), 15);
    let opened = unavailable("it failed too often, and is not asked for a moment");
    assert_eq!((text_of(ask(&model, MINUTE).await), endpoint.requests().len()), (opened, 0));
}

#[tokio::test]
async fn silence_and_single_bytes_end_at_the_deadline() {
    let answer = endpoint::bytes(200, &[], hello().to_string().as_bytes());
    for act in [Act::Hang, Act::Drip(answer)] {
        let endpoint = Endpoint::start().await;
        endpoint.will(act);
        assert_eq!(ask(&remote(&endpoint), Duration::from_millis(300)).await, Err(ModelError::Timeout));
    }
}

#[tokio::test]
async fn an_incomplete_answer_is_discarded_and_requested_again() {
    let call =
        json!({ "id": "1", "type": "function", "function": { "name": "add_expense", "arguments": "{\"a\":1}" } });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let answer = json!({ "choices": [{ "message": message, "finish_reason": "tool_calls" }] });
    let answer = endpoint::bytes(200, &[], answer.to_string().as_bytes());
    let endpoint = Endpoint::start().await;
    let model = remote(&endpoint);
    for at in 0..answer.len() {
        endpoint.will(Act::Cut(answer.clone(), at));
        endpoint.will(Act::says(&hello()));
        let completion = ask(&model, MINUTE).await.unwrap_or_else(|error| panic!("cut at {at}: {error}"));
        assert_eq!(
            (completion.text.as_str(), completion.calls.len(), endpoint.requests().len()),
            ("Hello.", 0, 2),
            "{at}"
        );
    }
}

#[tokio::test]
async fn an_invalid_answer_gives_an_error_that_does_not_quote_it() {
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    let large = vec![b' '; 1024 * 1024 + 1];
    let html = format!("<html>4242 {CANARY}</html>");
    for (act, cause) in [
        (Act::with(200, "content-type", "text/html", html.as_bytes()), "its answer is no chat completion"),
        (Act::with(200, "content-encoding", "gzip", &gzip), "its answer is no chat completion"),
        (Act::with(200, "content-type", "application/json", &large), "its answer is too large"),
        (Act::with(200, "content-type", "application/json", b""), "its answer is no chat completion"),
    ] {
        let endpoint = Endpoint::start().await;
        endpoint.will(act);
        let error = ask(&remote(&endpoint), MINUTE).await.unwrap_err();
        assert_eq!(error, ModelError::Unavailable(cause));
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(CANARY) && !shown.contains("4242"), "{shown}");
        assert_eq!(endpoint.requests().len(), 1, "{cause}: not asked again");
    }
}

#[tokio::test]
async fn a_missing_endpoint_is_an_error_in_time() {
    let endpoint = Endpoint::start().await;
    let model = remote(&endpoint);
    drop(endpoint);
    assert_eq!(text_of(ask(&model, MINUTE).await), unavailable("it cannot be reached"));
}

#[tokio::test]
async fn a_connection_is_opened_once_ahead_and_used_for_the_request() {
    let endpoint = Endpoint::start().await;
    let model = Arc::new(remote(&endpoint));
    model.prepare().await;
    model.prepare().await;
    endpoint.will(Act::says(&hello()));
    assert_eq!(text_of(ask(&*model, MINUTE).await), Ok("Hello.".into()));
    model.prepare().await;
    let requests: Vec<(String, String)> =
        endpoint.requests().into_iter().map(|ReceivedRequest { method, path, .. }| (method, path)).collect();
    let pair = |method: &str, path: &str| (method.to_owned(), path.to_owned());
    assert_eq!(requests, [pair("HEAD", "/v1"), pair("POST", "/v1/chat/completions")]);
    assert_eq!(endpoint.connections(), 1);
}

#[tokio::test]
async fn the_key_goes_into_its_header_and_nowhere_else() {
    let endpoint = Endpoint::start().await;
    endpoint.will(Act::says(&hello()));
    assert!(ask(&remote(&endpoint), MINUTE).await.is_ok());
    let mut request = endpoint.requests().remove(0);
    assert_eq!(request.headers.remove("authorization"), Some(format!("Bearer {CANARY}")));
    assert!(!format!("{request:?}").contains(CANARY));
    assert_eq!(request.headers["content-type"], "application/json");
}

#[tokio::test]
async fn a_given_key_that_is_refused_is_not_tried_again() {
    let endpoint = Endpoint::start().await;
    endpoint.takes_only("another");
    let model = remote(&endpoint);
    assert_eq!(ask(&model, MINUTE).await, Err(ModelError::NoKey("refused")));
    assert_eq!(endpoint.requests().len(), 1);
}
