//! A turn as a stream of events: what is shown before the reply, and that only the reply counts.

use std::{sync::Arc, time::Duration};

use http::{Method, StatusCode};
use http_body_util::BodyExt;
use sayso::{
    model::{Completing, Completion, Model, ModelError, ModelRequest, offline::Offline},
    proposal::Policy,
};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup, events,
    scripted::{Scripted, calls, text},
};

const THINKING: &str = "Thinking…";

async fn scripted(policy: Policy) -> (Arc<Scripted>, Service) {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy, ..Setup::model(model.clone()) }.start().await;
    (model, service)
}

fn status(words: &str) -> (String, Value) {
    ("status".into(), json!({ "text": words }))
}

fn looking_up(tool: &str, words: &str) -> (String, Value) {
    ("status".into(), json!({ "text": words, "tool": tool }))
}

fn delta(words: &str) -> (String, Value) {
    ("delta".into(), json!({ "text": words }))
}

fn reset() -> (String, Value) {
    ("reset".into(), json!({}))
}

/// Events before the last one, and what the last one says.
fn shown_and_answer(mut events: Vec<(String, Value)>) -> (Vec<(String, Value)>, String) {
    let done = events::last(&events, "done");
    events.pop();
    (events, done["answer"].as_str().expect("an answer").to_owned())
}

#[tokio::test]
async fn an_answer_comes_sentence_by_sentence_with_what_was_looked_up() {
    let (model, service) = scripted(Policy::Risky).await;
    model.says(Completion {
        text: "Let me look that up. One moment".into(),
        ..calls([("get_balance", json!({ "range": "2026-10" })), ("list_recurring", json!({}))])
    });
    model.says(text("You spent nothing in October. Nothing\nelse is there. Is that it?"));
    let events = service.person().stream("/chat", json!({ "message": "how much in October?" })).await;
    let (shown, answer) = shown_and_answer(events);
    let expected = [
        status(THINKING),
        delta("Let me look that up."),
        reset(),
        looking_up("get_balance", "Looking at your expenses in October 2026…"),
        looking_up("list_recurring", "Looking at your recurring entries…"),
        status(THINKING),
        delta("You spent nothing in October."),
        delta(" Nothing\n"),
        delta("else is there."),
        delta(" Is that it?"),
    ];
    assert_eq!(shown, expected);
    assert_eq!(answer, "You spent nothing in October. Nothing\nelse is there. Is that it?");
}

#[tokio::test]
async fn the_last_event_is_the_reply_as_it_is_without_a_stream() {
    let (streamed, buffered) = (Setup::policy(Policy::Risky).start().await, Setup::policy(Policy::Risky).start().await);
    for body in [
        json!({ "message": "coffee 3.50", "messageId": "m1" }),
        json!({ "message": "coffee 3.50", "messageId": "m1" }),
        json!({ "message": "delete the coffee" }),
        json!({ "message": "yes" }),
        json!({ "message": "what did I spend" }),
    ] {
        let events = streamed.person().stream("/chat", body.clone()).await;
        let reply = buffered.person().chat(body).await;
        assert_eq!(events::last(&events, "done"), reply);
        let shown = |name: &str| events.iter().find(|(event, _)| event == name).map(|(_, data)| data);
        assert_eq!(shown("proposal"), reply.get("proposal"));
        assert_eq!(shown("receipt"), reply.get("receipt"));
    }
    assert_eq!(streamed.person().rows().await, buffered.person().rows().await);
}

#[tokio::test]
async fn a_false_sentence_is_never_shown() {
    let (model, service) = scripted(Policy::Risky).await;
    for first in [
        // A claim of a write that did not happen.
        "Sure, let me see. I have added your coffee for you. Anything else? ",
        // An amount from nowhere.
        "Here it is. You spent £999.99 in all. That is a lot. ",
    ] {
        model.says(text(first));
        model.says(text("I found nothing."));
        let (shown, answer) =
            shown_and_answer(service.person().stream("/chat", json!({ "message": "my coffee?" })).await);
        let begins = first.split_inclusive('.').next().expect("a sentence");
        let expected = [status(THINKING), delta(begins), reset(), status(THINKING), delta("I found nothing.")];
        assert_eq!(shown, expected);
        assert_eq!(answer, "I found nothing.");
    }
    // Again wrong: the note comes with the reply, and nothing wrong before it.
    model.says(text("You spent £999.99. So much. "));
    model.says(text("It was £999.99. Really. "));
    let (shown, answer) = shown_and_answer(service.person().stream("/chat", json!({ "message": "my coffee?" })).await);
    let corrected = "It was £999.99. Really. \n\n“£999.99” is not from your records. I did not look it up.";
    assert_eq!(shown, [status(THINKING), status(THINKING), delta(corrected)]);
    assert_eq!(answer, corrected);
}

#[tokio::test]
async fn a_run_tells_its_progress() {
    let service = Setup { budget: Duration::from_secs(600), ..Setup::default() }.start().await;
    let rows = service.fill(150).await;
    let me = service.person();
    let proposal = me.says("delete everything from last year").await["proposal"].clone();
    let total = rows.iter().filter(|row| row.draft.date.year() == 2025).count();
    let path = format!("/proposals/{}/confirm", proposal["id"].as_str().expect("an id"));
    let events = me.stream(&path, json!({ "fingerprint": proposal["fingerprint"] })).await;
    let done = events::last(&events, "done");
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    let chunks = names.iter().filter(|name| **name == "progress").count();
    assert!(chunks > 1, "{names:?}");
    assert_eq!(names[chunks..], ["receipt", "done"]);
    let progress = |event: &(String, Value)| event.1["done"].as_u64().expect("a number");
    let counted: Vec<u64> = events[..chunks].iter().map(progress).collect();
    assert!(counted.windows(2).all(|two| two[0] < two[1]), "{counted:?}");
    assert_eq!(events[0].1, json!({ "done": 0, "skipped": 0, "total": total }));
    assert_eq!((&done["receipt"]["count"], &done["progress"]), (&json!(total), &Value::Null));
}

#[tokio::test]
async fn errors_before_the_turn_are_responses_and_those_of_the_turn_are_events() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for (path, body, expected) in [
        ("/chat", json!({ "message": 5 }), StatusCode::BAD_REQUEST),
        ("/proposals/x/confirm", json!({ "fingerprint": "00" }), StatusCode::NOT_FOUND),
        ("/nowhere", json!({}), StatusCode::NOT_FOUND),
    ] {
        let response = me.open(path, body).await;
        assert_eq!(
            (response.status(), &response.headers()["content-type"]),
            (expected, &"application/problem+json".parse().expect("a value"))
        );
    }
    me.chat(json!({ "message": "coffee 3.50", "messageId": "m1" })).await;
    let events = me.stream("/chat", json!({ "message": "tea 2", "messageId": "m1" })).await;
    let problem = json!({
        "type": "urn:sayso:problem:message-id-reused", "title": "Message id used before", "status": 422,
        "detail": "This message id was already used for another message. Send the new message with a new id.",
    });
    assert_eq!(events, [("error".to_owned(), problem)]);
}

#[tokio::test]
async fn a_stream_is_sent_only_to_those_who_take_it() {
    let service = Setup::policy(Policy::Risky).start().await;
    service.wire.serves("demo");
    for (accept, media_type) in [
        ("text/event-stream", "text/event-stream"),
        ("application/json, Text/Event-Stream; charset=utf-8; q=0.5", "text/event-stream"),
        ("text/event-stream;q=0, */*", "application/json"),
        ("*/*", "application/json"),
    ] {
        let body = json!({ "message": "help" }).to_string().into_bytes();
        let response = service.person().send_with(Method::POST, "/chat", body, &[("accept", accept)]).await;
        assert_eq!(response.headers["content-type"], media_type, "{accept}");
    }
    let response = service.person().open("/chat", json!({ "message": "help" })).await;
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!((header("cache-control"), header("x-accel-buffering")), ("no-cache".into(), "no".into()));
}

#[tokio::test]
async fn while_nothing_happens_the_connection_is_kept_alive() {
    let service = Setup::model(Arc::new(NeverAnswers)).start().await;
    let events = service.person().stream("/chat", json!({ "message": "coffee 3.50" })).await;
    let problem = json!({
        "type": "urn:sayso:problem:model-unavailable", "title": "The assistant is unavailable", "status": 503,
        "detail": events::last(&events, "error")["detail"],
    });
    // The model has 17 s.
    let expected = [status(THINKING), ("keep-alive".to_owned(), Value::Null), ("error".to_owned(), problem)];
    assert_eq!(events, expected);
}

/// The time passes at once.
struct NeverAnswers;

impl Model for NeverAnswers {
    fn complete<'a>(&'a self, _: ModelRequest<'a>) -> Completing<'a> {
        tokio::time::pause();
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_client_that_leaves_gets_the_stored_reply_with_the_same_message_id() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let coffee = json!({ "message": "coffee 3.50", "messageId": "m1" });
    service.wire.hold("TransactWriteItems");
    let mut body = me.open("/chat", coffee.clone()).await.into_body();
    let first = body.frame().await.expect("an event").expect("a piece");
    assert_eq!(events::read(first.data_ref().expect("data")), [status(THINKING)]);
    service.wire.held().await;
    drop(body);
    let (name, problem) = me.stream("/chat", coffee.clone()).await.pop().expect("an event");
    let expected = json!(["urn:sayso:problem:still-answering", 409, 2]);
    assert_eq!(
        (name.as_str(), json!([problem["type"], problem["status"], problem["retryAfter"]])),
        ("error", expected)
    );
    service.wire.release();
    let reply = loop {
        let events = me.stream("/chat", coffee.clone()).await;
        match events.last().expect("an event") {
            (name, reply) if name == "done" => break reply.clone(),
            (_, problem) => assert_eq!(problem["status"], 409),
        }
    };
    assert_eq!(me.rows().await, [reply["added"][0].clone()]);
}

#[tokio::test]
async fn a_model_that_fails_after_some_text_leaves_none_of_it() {
    let service = Setup { fallback: Some(Arc::new(Offline)), ..Setup::model(Arc::new(BreaksOff)) };
    let service = service.start().await;
    let events = service.person().stream("/chat", json!({ "message": "how much did I spend?" })).await;
    let (shown, answer) = shown_and_answer(events);
    let nothing = "You spent nothing.";
    let expected = [
        status(THINKING),
        delta("Here it comes."),
        reset(),
        status(THINKING),
        looking_up("get_balance", "Looking at your expenses…"),
        status(THINKING),
        delta(nothing),
    ];
    assert_eq!(shown, expected);
    assert!(answer.starts_with(&format!("{nothing}\n\n(Limited mode")), "{answer}");
}

struct BreaksOff;

impl Model for BreaksOff {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a> {
        request.pieces.expect("a stream").add("Here it comes. And th");
        Box::pin(async { Err(ModelError::Unavailable("its answer was cut off")) })
    }
}
