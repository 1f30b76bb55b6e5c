//! The requests to each provider, and how its answers are read. The snapshots are complete requests.

use std::sync::Arc;

use jiff::civil::date;
use proptest::prelude::*;
use sayso::{
    expenses,
    model::{
        CallOutcome, Completion, Ending, Message, Model, ModelError, ModelRequest, System, ToolCall, ToolChoice,
        anthropic::Anthropic,
        json::JsonProtocol,
        openai::OpenAi,
        provider::{
            Endpoint,
            Failure::{self, KeyRefused, OutOfCredit, Rejected, TooLong, Transient},
            Provider,
        },
    },
    tool::Registry,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::harness::{
    property,
    scripted::{ReceivedRequest, Scripted, text},
};

fn openai() -> OpenAi {
    OpenAi { model: "some-model".into(), temperature: None }
}

fn anthropic() -> Anthropic {
    Anthropic { model: "some-model".into(), temperature: None }
}

fn system() -> System {
    System { rules: "Be brief.".into(), now: "Today is 2026-11-20 (Friday).".into() }
}

/// The registered tools.
fn registry() -> Registry {
    Registry::new(|| std::time::Duration::ZERO, &[expenses::toolkit()]).unwrap()
}

fn user(text: &str) -> Message {
    Message::User(text.into())
}

fn outcome(call_id: &str, content: &str, refused: bool) -> CallOutcome {
    CallOutcome { call_id: call_id.into(), content: content.into(), refused, nothing_found: false }
}

/// Encodes with two of the tools, to keep the snapshot readable.
fn encode(provider: &dyn Provider, messages: &[Message], choice: ToolChoice) -> Value {
    let registry = registry();
    let tools: Vec<_> = registry
        .specs()
        .iter()
        .filter(|tool| ["get_balance", "delete_expense"].contains(&tool.name))
        .cloned()
        .collect();
    let system = system();
    let request = ModelRequest {
        people: &[],
        system: &system,
        today: date(2026, 11, 20),
        hour: 12,
        conventions: Default::default(),
        messages,
        page_rows: &[],
        tools: &tools,
        choice,
        deadline: deadline(),
        pieces: None,
    };
    body(provider, &request)
}

fn body(provider: &dyn Provider, request: &ModelRequest<'_>) -> Value {
    serde_json::from_slice(&provider.encode(request)).expect("a body is JSON")
}

fn deadline() -> Instant {
    Instant::now() + std::time::Duration::from_secs(60)
}

/// A history from the client, a round with a refused call, and the last round.
fn conversation(native: &Completion) -> Vec<Message> {
    let calls = native.calls.clone();
    let outcomes = vec![outcome(&calls[0].id, "You spent £3.50.", false), outcome(&calls[1].id, "not found", true)];
    vec![
        Message::assistant("Hello."),
        user("hi"),
        user("coffee 3.50"),
        Message::assistant("Noted?"),
        user("what did I spend, and delete #7"),
        Message::Assistant { text: native.text.clone(), calls, native: native.native.clone(), shown: None },
        Message::Outcomes(outcomes),
        user("(The application: …)"),
    ]
}

fn from_openai() -> Completion {
    let call = |id: &str, name: &str, arguments: &str| {
        json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments },
            "extra_content": { "google": { "thought_signature": "c2lnbmVk" } } })
    };
    let message = json!({ "role": "assistant", "content": null, "refusal": null, "annotations": [],
        "reasoning_content": "…",
        "tool_calls": [call("a1", "get_balance", "{}"), call("a2", "delete_expense", "{\"id\": 7}")] });
    let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] });
    openai().decode(body.to_string().as_bytes()).unwrap()
}

fn from_anthropic() -> Completion {
    let body = json!({ "role": "assistant", "stop_reason": "tool_use", "content": [
        { "type": "thinking", "thinking": "Let me see.", "signature": "c2lnbmVk" },
        { "type": "redacted_thinking", "data": "aGlkZGVu" },
        { "type": "text", "text": "One moment." },
        { "type": "tool_use", "id": "a1", "name": "get_balance", "input": {} },
        { "type": "tool_use", "id": "a2", "name": "delete_expense", "input": { "id": 7 } },
    ]});
    anthropic().decode(body.to_string().as_bytes()).unwrap()
}

fn fits(schema: &str, request: &Value) {
    let path = format!("{}/tests/suite/schemas/{schema}.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(request).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, [""; 0], "{request:#}");
}

#[test]
fn requests_match_the_published_schemas() {
    let turns = [
        ("first", vec![user("coffee 3.50")], ToolChoice::Auto),
        ("tools", conversation(&from_openai()), ToolChoice::Auto),
        ("last", conversation(&from_openai()), ToolChoice::None),
    ];
    for (name, messages, choice) in turns {
        let request = encode(&openai(), &messages, choice);
        fits("openai", &request);
        insta::assert_json_snapshot!(format!("openai_{name}"), request);
    }
    let turns = [
        ("first", vec![user("coffee 3.50")], ToolChoice::Auto),
        ("tools", conversation(&from_anthropic()), ToolChoice::Auto),
        ("last", conversation(&from_anthropic()), ToolChoice::None),
    ];
    for (name, messages, choice) in turns {
        let request = encode(&anthropic(), &messages, choice);
        fits("anthropic", &request);
        insta::assert_json_snapshot!(format!("anthropic_{name}"), request);
    }
}

#[test]
fn every_registered_tool_fits_every_provider() {
    let (registry, system, messages) = (registry(), system(), [user("hi")]);
    let request = ModelRequest {
        people: &[],
        system: &system,
        today: date(2026, 11, 20),
        hour: 12,
        conventions: Default::default(),
        messages: &messages,
        page_rows: &[],
        tools: registry.specs(),
        choice: ToolChoice::Auto,
        deadline: deadline(),
        pieces: None,
    };
    fits("openai", &body(&openai(), &request));
    fits("anthropic", &body(&anthropic(), &request));
}

#[test]
fn signed_parts_are_sent_back_unchanged() {
    let request = encode(&anthropic(), &conversation(&from_anthropic()), ToolChoice::Auto);
    let assistant = request["messages"].as_array().unwrap().iter().rfind(|message| message["role"] == "assistant");
    assert_eq!(assistant.map(|message| message["content"].clone()), from_anthropic().native);
    let request = encode(&openai(), &conversation(&from_openai()), ToolChoice::Auto);
    let assistant = request["messages"].as_array().unwrap().iter().rfind(|message| message["role"] == "assistant");
    assert_eq!(assistant.cloned(), from_openai().native);
    assert_eq!(assistant.unwrap()["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "c2lnbmVk");
}

#[test]
fn every_ending_is_recognised() {
    let of_openai = |reason: Value| {
        let body = json!({ "choices": [{ "message": { "content": "x" }, "finish_reason": reason }] });
        openai().decode(body.to_string().as_bytes()).map(|completion| completion.ending)
    };
    for (reason, ending) in [
        (json!("stop"), Ending::Complete),
        (json!("tool_calls"), Ending::Complete),
        (json!("function_call"), Ending::Complete),
        (json!("length"), Ending::Truncated),
        (json!("content_filter"), Ending::Refused),
        (json!("tired"), Ending::Unknown),
        (json!(null), Ending::Unknown),
    ] {
        assert_eq!(of_openai(reason.clone()), Ok(ending), "{reason}");
    }
    let refusal = json!({ "choices": [{ "message": { "content": null, "refusal": "no" }, "finish_reason": "stop" }] });
    let refused = openai().decode(refusal.to_string().as_bytes()).unwrap();
    assert_eq!((refused.ending, refused.text.as_str()), (Ending::Refused, ""));
    let of_anthropic = |reason: &str| {
        let body = json!({ "content": [{ "type": "text", "text": "x" }], "stop_reason": reason });
        anthropic().decode(body.to_string().as_bytes()).map(|completion| completion.ending)
    };
    for (reason, ending) in [
        ("end_turn", Ok(Ending::Complete)),
        ("tool_use", Ok(Ending::Complete)),
        ("stop_sequence", Ok(Ending::Complete)),
        ("max_tokens", Ok(Ending::Truncated)),
        ("refusal", Ok(Ending::Refused)),
        ("pause_turn", Ok(Ending::Paused)),
        ("model_context_window_exceeded", Err(ModelError::TooLong)),
        ("tired", Ok(Ending::Unknown)),
    ] {
        assert_eq!(of_anthropic(reason), ending, "{reason}");
    }
}

#[test]
fn malformed_calls_are_read() {
    let read = |calls: Value| {
        let body = json!({ "choices": [{ "message": { "tool_calls": calls }, "finish_reason": "tool_calls" }] });
        openai().decode(body.to_string().as_bytes())
    };
    let call = |id: &str, arguments: Value| ToolCall { id: id.into(), name: "f".into(), arguments };
    let written =
        |id: Value, arguments: Value| json!({ "id": id, "function": { "name": "f", "arguments": arguments } });
    for (arguments, expected) in [
        (json!("{\"a\": 1}"), json!({ "a": 1 })),
        (json!(""), json!({})),
        (json!(null), json!({})),
        (json!({ "a": 1 }), json!({ "a": 1 })),
        (json!("{\"a\": "), json!("{\"a\": ")),
    ] {
        let read = read(json!([written(json!("1"), arguments)])).unwrap();
        assert_eq!(read.calls, [call("1", expected)]);
    }
    let twice = read(json!([
        written(json!("1"), json!("{}")),
        written(json!("1"), json!("{}")),
        written(json!(null), json!("{}"))
    ]))
    .unwrap();
    let ids: Vec<&str> = twice.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["1", "call_1_of_2", "call_2_of_3"]);
    let native = twice.native.unwrap();
    let native: Vec<&str> =
        native["tool_calls"].as_array().unwrap().iter().map(|call| call["id"].as_str().unwrap()).collect();
    assert_eq!(native, ids, "outcomes name the calls that go back");
}

#[test]
fn every_failure_is_recognised() {
    let quota = json!({ "error": { "type": "insufficient_quota", "code": "insufficient_quota", "message": "…" } });
    let context = json!({ "error": { "code": "context_length_exceeded" } });
    let prompt =
        json!({ "error": { "type": "invalid_request_error", "message": "prompt is too long: 210000 tokens" } });
    let credit = json!({ "error": { "message": "Your credit balance is too low to access the API." } });
    let none = json!({});
    let cases: [(u16, &Value, Failure, Failure); 15] = [
        (400, &none, Rejected, Rejected),
        (400, &context, TooLong, Rejected),
        (400, &prompt, Rejected, TooLong),
        (400, &credit, Rejected, OutOfCredit),
        (401, &none, KeyRefused, KeyRefused),
        (402, &none, OutOfCredit, OutOfCredit),
        (403, &none, KeyRefused, KeyRefused),
        (404, &none, Rejected, Rejected),
        (408, &none, Transient, Transient),
        (413, &none, TooLong, TooLong),
        (422, &none, Rejected, Rejected),
        (429, &none, Transient, Transient),
        (429, &quota, OutOfCredit, Transient),
        (503, &none, Transient, Transient),
        (529, &none, Transient, Transient),
    ];
    for (status, body, of_openai, of_anthropic) in cases {
        let body = body.to_string();
        let failures = (openai().failure(status, body.as_bytes()), anthropic().failure(status, body.as_bytes()));
        assert_eq!(failures, (of_openai, of_anthropic), "{status} {body}");
    }
}

#[test]
fn an_invalid_answer_is_an_error_and_never_a_panic() {
    for provider in [&openai() as &dyn Provider, &anthropic()] {
        for body in [
            "",
            "<html>",
            "null",
            "[]",
            "{}",
            "7",
            r#"{"error": {"message": "…"}}"#,
            r#"{"choices": []}"#,
            r#"{"choices": [{"message": null}]}"#,
            r#"{"content": "x", "stop_reason": "end_turn"}"#,
            r#"{"content": [{"type": "tool_use"}], "stop_reason": "tool_use"}"#,
            r#"{"choices": [{"message": {"tool_calls": [7]}}]}"#,
        ] {
            let read = provider.decode(body.as_bytes());
            assert!(matches!(read, Err(ModelError::Unavailable(_))), "{body}: {read:?}");
        }
    }
    let json = some_json().prop_map(|json| json.to_string().into_bytes());
    let bodies = prop_oneof![prop::collection::vec(any::<u8>(), 0..64), json];
    let mut runner = property(2_000);
    let result = runner.run(&(bodies, any::<u16>()), |(body, status)| {
        for provider in [&openai() as &dyn Provider, &anthropic()] {
            if let Ok(completion) = provider.decode(&body) {
                let calls: Vec<CallOutcome> =
                    completion.calls.iter().map(|call| outcome(&call.id, "x", false)).collect();
                let assistant = Message::Assistant {
                    text: completion.text,
                    calls: completion.calls,
                    native: completion.native.clone(),
                    shown: None,
                };
                let request = encode(provider, &[user("hi"), assistant, Message::Outcomes(calls)], ToolChoice::Auto);
                let sent = request["messages"].as_array().cloned().unwrap_or_default();
                let native = completion.native.unwrap_or_default();
                let empty = native.as_array().is_some_and(Vec::is_empty);
                prop_assert!(empty || sent.iter().any(|message| *message == native || message["content"] == native));
            }
            provider.failure(status, &body);
        }
        Ok(())
    });
    result.unwrap();
}

/// What a provider may send, with known fields in unexpected places.
fn some_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec!["text", "tool_use", "end_turn", "stop", "tool_calls", "", "{}", "x"])
            .prop_map(Value::from),
    ];
    let names = [
        "choices", "message", "content", "tool_calls", "function", "name", "arguments", "id", "type", "text", "input",
        "stop_reason", "finish_reason", "error", "refusal",
    ];
    leaf.prop_recursive(6, 48, 4, move |inner| {
        let field = (prop::sample::select(names.to_vec()), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(field, 0..5)
                .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

/// The result of the JSON protocol for these answers of a model that only completes text.
async fn in_json(answers: &[&str], choice: ToolChoice) -> (Result<Completion, ModelError>, Vec<ReceivedRequest>) {
    let model = Arc::new(Scripted::default());
    answers.iter().for_each(|answer| model.says(text(answer)));
    let (registry, system) = (registry(), system());
    let tools: Vec<_> = registry.specs().iter().filter(|tool| tool.name == "get_balance").cloned().collect();
    let messages = conversation(&from_anthropic());
    let request = ModelRequest {
        people: &[],
        system: &system,
        today: date(2026, 11, 20),
        hour: 12,
        conventions: Default::default(),
        messages: &messages,
        page_rows: &[],
        tools: &tools,
        choice,
        deadline: deadline(),
        pieces: None,
    };
    let completion = JsonProtocol(Inner(model.clone())).complete(request).await;
    (completion, model.requests())
}

struct Inner(Arc<Scripted>);

impl Model for Inner {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> sayso::model::Completing<'a> {
        self.0.complete(request)
    }
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments }
}

#[tokio::test]
async fn the_json_protocol_accepts_only_its_own_format() {
    let balance = r#"{"type": "tool_call", "tool": "get_balance", "args": {}}"#;
    let suggested =
        r#"{"type":"tool_call","tool":"get_balance","args":{},"confirmationSuggested":true,"confirmationMessage":"?"}"#;
    let asked = json!({ "questions": [{ "text": "How much?" }] });
    let calls = |calls: Vec<ToolCall>| Completion::calls(calls);
    for (answer, expected) in [
        (r#"{"type": "answer", "content": "Hello."}"#.to_owned(), Completion::text("Hello.")),
        (" ```json\n{\"type\": \"answer\", \"content\": \"Hello.\"}\n``` ".to_owned(), Completion::text("Hello.")),
        (
            r#"{"type": "clarify", "question": "How much?"}"#.to_owned(),
            calls(vec![call("call_1", "ask_questions", asked)]),
        ),
        (balance.to_owned(), calls(vec![call("call_1", "get_balance", json!({}))])),
        (
            format!("[{balance}, {balance}]"),
            calls(vec![call("call_1", "get_balance", json!({})), call("call_2", "get_balance", json!({}))]),
        ),
        (
            suggested.to_owned(),
            Completion { confirmation_suggested: true, ..calls(vec![call("call_1", "get_balance", json!({}))]) },
        ),
    ] {
        let (completion, requests) = in_json(&[&answer], ToolChoice::Auto).await;
        assert_eq!((completion, requests.len()), (Ok(expected), 1), "{answer}");
    }
    for wrong in [
        "Hello.",
        "",
        "{}",
        "[]",
        r#"{"type": "answer"}"#,
        r#"{"type": "answer", "content": "x", "done": true}"#,
        r#"{"type": "confirm", "content": "x"}"#,
        r#"{"type": "answer", "content": "x"} {"type": "answer", "content": "y"}"#,
        r#"[{"type": "answer", "content": "x"}, {"type": "clarify", "question": "y"}]"#,
        r#"Sure: {"type": "answer", "content": "x"}"#,
    ] {
        let (completion, requests) =
            in_json(&[wrong, r#"{"type": "answer", "content": "Hello."}"#], ToolChoice::Auto).await;
        assert_eq!((completion, requests.len()), (Ok(Completion::text("Hello.")), 2), "{wrong}: one more try");
        let (completion, requests) = in_json(&[wrong, wrong, wrong], ToolChoice::Auto).await;
        let error = ModelError::Unavailable("its answer is no JSON of the contract");
        assert_eq!((completion, requests.len()), (Err(error), 2), "{wrong}: and no more");
    }
    let (completion, requests) = in_json(&[balance, balance], ToolChoice::None).await;
    assert!(completion.is_err() && requests.len() == 2, "no tool can be called in the last round");
}

#[tokio::test]
async fn the_json_protocol_sends_everything_as_text() {
    let (_, requests) = in_json(&[r#"{"type": "answer", "content": "Hello."}"#], ToolChoice::Auto).await;
    let ReceivedRequest { system, messages, tools, choice } = &requests[0];
    assert_eq!((tools.len(), *choice), (0, ToolChoice::None));
    let messages: Vec<Value> = messages
        .iter()
        .map(|message| match message {
            Message::User(text) => json!({ "user": text }),
            Message::Assistant { text, calls, native, .. } => {
                assert!(calls.is_empty() && native.is_none());
                json!({ "assistant": text })
            }
            Message::Outcomes(_) => panic!("outcomes are said in words"),
        })
        .collect();
    insta::assert_json_snapshot!("json_protocol", json!({ "system": system, "messages": messages }));
}
