//! Streamed answers of both providers, from an endpoint that controls single bytes. What is collected is what the same
//! answer is without streaming.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::civil::date;
use sayso::{
    model::{
        Completion, Message, Model, ModelError, ModelRequest, System, TextPieces, ToolChoice,
        anthropic::Anthropic,
        client::{Key, Remote},
        json::JsonProtocol,
        openai::OpenAi,
        provider::Provider,
    },
    outbound::Outbound,
    secrets::Hidden,
};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::Instant};

use crate::harness::endpoint::{self, Act, Endpoint};

/// The pieces of text, with a mark where the answer began again.
#[derive(Default)]
struct Pieces {
    all: Mutex<Vec<String>>,
    came: Notify,
}

impl TextPieces for Pieces {
    fn add(&self, piece: &str) {
        self.push(piece);
    }

    fn restart(&self) {
        self.push("(again)");
    }
}

impl Pieces {
    fn push(&self, piece: &str) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(piece.to_owned());
        self.came.notify_one();
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Pieces")
    }
}

fn remote<P: Provider>(provider: P, endpoint: &Endpoint) -> Remote<P> {
    let key = Key::Given(Hidden("sk".into()));
    Remote::new(provider, Outbound::default(), endpoint.base.clone(), key, |_| Duration::ZERO)
}

fn openai(endpoint: &Endpoint) -> Remote<OpenAi> {
    remote(OpenAi { model: "m".into(), temperature: None }, endpoint)
}

fn anthropic(endpoint: &Endpoint) -> Remote<Anthropic> {
    remote(Anthropic { model: "m".into(), temperature: None }, endpoint)
}

async fn ask(model: &dyn Model, pieces: Option<&Pieces>) -> Result<Completion, ModelError> {
    let system = System { rules: "Be brief.".into(), now: "Today is Friday.".into() };
    let messages = [Message::User("hi".into())];
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
        deadline: Instant::now() + Duration::from_secs(60),
        pieces: pieces.map(|pieces| pieces as &dyn TextPieces),
    };
    model.complete(request).await
}

fn streams(body: &str) -> Act {
    Act::with(200, "content-type", "text/event-stream; charset=utf-8", body.as_bytes())
}

/// The events of Anthropic, each with its type as its name.
fn named(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type")))
        .collect()
}

/// The chunks of OpenAI.
fn chunks(deltas: &[Value], finish_reason: &str) -> String {
    let chunk = |delta: &Value, reason: Value| {
        let choices = json!([{ "index": 0, "delta": delta, "finish_reason": reason }]);
        format!("data: {}\n\n", json!({ "object": "chat.completion.chunk", "choices": choices }))
    };
    let deltas: String = deltas.iter().map(|delta| chunk(delta, Value::Null)).collect();
    format!("{deltas}{}data: [DONE]\n\n", chunk(&json!({}), finish_reason.into()))
}

fn from_anthropic() -> (String, Value) {
    let delta = |index: usize, delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    let start =
        |index: usize, block: &Value| json!({ "type": "content_block_start", "index": index, "content_block": block });
    let stop = |index: usize| json!({ "type": "content_block_stop", "index": index });
    let message = json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m",
        "stop_reason": null, "stop_sequence": null, "usage": { "input_tokens": 25, "output_tokens": 1 } });
    let call = json!({ "type": "tool_use", "id": "t1", "name": "get_balance", "input": {} });
    let bare = json!({ "type": "tool_use", "id": "t2", "name": "list_expenses", "input": {} });
    let events = [
        json!({ "type": "message_start", "message": message }),
        start(0, &json!({ "type": "thinking", "thinking": "", "signature": "" })),
        json!({ "type": "ping" }),
        delta(0, json!({ "type": "thinking_delta", "thinking": "Let me " })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "see." })),
        delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        stop(0),
        start(1, &json!({ "type": "text", "text": "" })),
        delta(1, json!({ "type": "text_delta", "text": "You spent" })),
        delta(1, json!({ "type": "text_delta", "text": " £3.50 é." })),
        stop(1),
        start(2, &call),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "{\"range\": \"la" })),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "st month\"}" })),
        stop(2),
        start(3, &bare),
        stop(3),
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use", "stop_sequence": null },
            "usage": { "output_tokens": 40 } }),
        json!({ "type": "message_stop" }),
    ];
    let whole = json!({ "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
        "stop_sequence": null, "usage": { "input_tokens": 25, "output_tokens": 40 }, "content": [
            { "type": "thinking", "thinking": "Let me see.", "signature": "c2ln" },
            { "type": "text", "text": "You spent £3.50 é." },
            { "type": "tool_use", "id": "t1", "name": "get_balance", "input": { "range": "last month" } },
            bare,
        ] });
    (named(&events), whole)
}

fn from_openai() -> (String, Value) {
    let call = |index: usize, id: Value, name: Value, arguments: &str| {
        json!({ "tool_calls": [{ "index": index, "id": id, "type": "function",
            "function": { "name": name, "arguments": arguments } }] })
    };
    let deltas = [
        json!({ "role": "assistant", "content": "", "refusal": null }),
        json!({ "content": "You spent" }),
        json!({ "content": " £3.50 é." }),
        json!({ "reasoning_content": "Let me " }),
        json!({ "reasoning_content": "see." }),
        call(0, "a1".into(), "get_balance".into(), ""),
        call(1, "a2".into(), "list_expenses".into(), "{}"),
        call(0, Value::Null, Value::Null, "{\"range\": \"la"),
        // Some servers repeat them.
        call(0, "a1".into(), "get_balance".into(), "st month\"}"),
    ];
    let whole = |id: &str, name: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } });
    let calls = [whole("a1", "get_balance", "{\"range\": \"last month\"}"), whole("a2", "list_expenses", "{}")];
    let message = json!({ "role": "assistant", "content": "You spent £3.50 é.", "refusal": null,
        "reasoning_content": "Let me see.", "tool_calls": calls });
    let usage = "data: {\"choices\":[],\"usage\":{\"total_tokens\":9}}\n\n";
    let whole = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] });
    (format!(": a comment\n\ndata:\n\n{usage}{}", chunks(&deltas, "tool_calls")), whole)
}

/// The streamed form of an answer, and the one that is not streamed, with each provider.
async fn both(test: impl AsyncFn(&dyn Model, &Endpoint, (String, Value))) {
    let endpoint = Endpoint::start().await;
    test(&anthropic(&endpoint), &endpoint, from_anthropic()).await;
    let endpoint = Endpoint::start().await;
    test(&openai(&endpoint), &endpoint, from_openai()).await;
}

#[tokio::test]
async fn a_streamed_answer_is_the_answer_that_is_not_streamed() {
    both(async |model, endpoint, (stream, whole)| {
        endpoint.will(Act::says(&whole));
        let expected = ask(model, None).await;
        assert!(expected.is_ok(), "{expected:?}");
        assert_eq!(endpoint.requests().pop().expect("a request").body.get("stream"), None);
        let pieces = Pieces::default();
        for line_end in ["\n", "\r\n", "\r"] {
            endpoint.will(streams(&stream.replace('\n', line_end)));
            assert_eq!(ask(model, Some(&pieces)).await, expected);
            assert_eq!(pieces.take(), ["You spent", " £3.50 é."]);
            assert_eq!(endpoint.requests().pop().expect("a request").body["stream"], true);
        }
        // A server that does not stream.
        endpoint.will(Act::says(&whole));
        assert_eq!(ask(model, Some(&pieces)).await, expected);
        assert_eq!(pieces.take(), [""; 0]);
        assert_eq!(endpoint.connections(), 1, "a connection is used again after a stream");
    })
    .await;
}

#[tokio::test]
async fn pieces_come_before_the_answer_is_whole() {
    both(async |model, endpoint, (stream, _)| {
        let bytes = endpoint::bytes(200, &[("content-type", "text/event-stream".into())], stream.as_bytes());
        // Within the two bytes of "é".
        let cut = bytes.iter().position(|byte| *byte == 0xc3).expect("é") + 1;
        let (go_on, pieces) = (Arc::new(Notify::new()), Pieces::default());
        endpoint.will(Act::InTwo(bytes[..cut].to_vec(), go_on.clone(), bytes[cut..].to_vec()));
        let watching = async {
            pieces.came.notified().await;
            assert_eq!(pieces.take(), ["You spent"]);
            go_on.notify_one();
        };
        let (answer, ()) = tokio::join!(ask(model, Some(&pieces)), watching);
        assert_eq!(answer.expect("an answer").text, "You spent £3.50 é.");
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_a_failed_attempt_wherever_it_breaks() {
    both(async |model, endpoint, (stream, whole)| {
        endpoint.will(Act::says(&whole));
        let expected = ask(model, None).await;
        let bytes = endpoint::bytes(200, &[("content-type", "text/event-stream".into())], stream.as_bytes());
        let head = bytes.len() - stream.len();
        for cut in (head..bytes.len() - 20).step_by(97) {
            let pieces = Pieces::default();
            endpoint.will(Act::Cut(bytes.clone(), cut));
            endpoint.will(streams(&stream));
            assert_eq!(ask(model, Some(&pieces)).await, expected, "cut at {cut}");
            let pieces = pieces.take();
            let again = pieces.iter().position(|piece| piece == "(again)").expect("a second attempt");
            assert_eq!(pieces[again + 1..], ["You spent", " £3.50 é."]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_stream_without_its_end_is_a_failed_attempt() {
    for (stream, is_whole) in [
        (from_anthropic().0.replace("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", ""), false),
        (
            from_openai()
                .0
                .replace("data: [DONE]\n\n", "")
                .replace("\"finish_reason\":\"tool_calls\"", "\"finish_reason\":null"),
            false,
        ),
        // Some servers leave it out. The reason of the end came.
        (from_openai().0.replace("data: [DONE]\n\n", ""), true),
    ] {
        let endpoint = Endpoint::start().await;
        (0..3).for_each(|_| endpoint.will(streams(&stream)));
        let pieces = Pieces::default();
        let answer = match stream.contains("message_start") {
            true => ask(&anthropic(&endpoint), Some(&pieces)).await,
            false => ask(&openai(&endpoint), Some(&pieces)).await,
        };
        if is_whole {
            assert_eq!(answer.expect("an answer").text, "You spent £3.50 é.");
        } else {
            assert_eq!(answer, Err(ModelError::Unavailable("its answer was cut off")), "{stream}");
            assert_eq!(endpoint.requests().len(), 3, "three attempts in all");
            assert_eq!(pieces.take().last().map(String::as_str), Some("(again)"), "nothing of it stays");
        }
    }
}

#[tokio::test]
async fn an_error_within_a_stream_is_handled_like_its_status() {
    let error = |kind: &str| named(&[json!({ "type": "error", "error": { "type": kind, "message": "…" } })]);
    let chunk = |error: Value| format!("data: {}\n\n", json!({ "error": error }));
    let transient = || ModelError::Unavailable("it is overloaded or failing");
    for (is_anthropic, stream, expected, requests) in [
        (true, error("overloaded_error"), transient(), 3),
        (true, error("something_new"), transient(), 3),
        (true, error("invalid_request_error"), ModelError::Rejected, 1),
        (true, error("billing_error"), ModelError::OutOfCredit, 1),
        (false, chunk(json!({ "message": "…", "code": 503 })), transient(), 3),
        (false, chunk(json!({ "message": "…", "type": "server_error" })), transient(), 3),
        (false, chunk(json!({ "code": "insufficient_quota" })), ModelError::OutOfCredit, 1),
        (false, chunk(json!({ "code": 400, "message": "…" })), ModelError::Rejected, 1),
        (false, "data: {nonsense\n\n".into(), ModelError::Unavailable("its answer is no chat completion"), 1),
        (
            true,
            "data: {\"type\":\"content_block_delta\",\"index\":7}\n\n".into(),
            ModelError::Unavailable("its answer is no message"),
            1,
        ),
    ] {
        let endpoint = Endpoint::start().await;
        (0..3).for_each(|_| endpoint.will(streams(&stream)));
        let pieces = Pieces::default();
        let answer = match is_anthropic {
            true => ask(&anthropic(&endpoint), Some(&pieces)).await,
            false => ask(&openai(&endpoint), Some(&pieces)).await,
        };
        assert_eq!(answer, Err(expected), "{stream}");
        assert_eq!(endpoint.requests().len(), requests, "{stream}");
    }
}

#[tokio::test]
async fn a_stream_has_the_limit_of_an_answer() {
    let endpoint = Endpoint::start().await;
    let long = "x".repeat(1024);
    endpoint.will(streams(&chunks(&vec![json!({ "content": long }); 1100], "stop")));
    let answer = ask(&openai(&endpoint), Some(&Pieces::default())).await;
    assert_eq!(answer, Err(ModelError::Unavailable("its answer is too large")));
}

#[tokio::test]
async fn answers_in_the_json_protocol_are_not_streamed() {
    let endpoint = Endpoint::start().await;
    let content = json!({ "type": "answer", "content": "Hello." }).to_string();
    endpoint.will(Act::says(&json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }] })));
    let pieces = Pieces::default();
    assert_eq!(ask(&JsonProtocol(openai(&endpoint)), Some(&pieces)).await, Ok(Completion::text("Hello.")));
    assert_eq!(pieces.take(), [""; 0]);
    assert_eq!(endpoint.requests().pop().expect("a request").body.get("stream"), None);
}
