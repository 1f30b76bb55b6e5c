//! What the chat kits' own clients cannot show: requests that they never send, and the exact answer to them.
//! `tests/clients` has the kits' clients.

use std::{sync::Arc, time::Duration};

use http::{Method, StatusCode};
use http_body_util::BodyExt;
use sayso::model::{Completing, Model, ModelError, ModelRequest};
use serde_json::{Value, json};

use crate::harness::{
    Person, Response, Service, Setup,
    scripted::{Scripted, text},
};

const AI_SDK: &str = "/api/chat";
const AG_UI: &str = "/ag-ui";

/// A message of a person, as each kit sends it.
fn saying(kit: &str, id: &str, text: &str) -> Value {
    match kit {
        AI_SDK => {
            json!({ "id": "c1", "messages": [{ "id": id, "role": "user", "parts": [{ "type": "text", "text": text }] }] })
        }
        _ => json!({ "threadId": "c1", "runId": "r1", "messages": [{ "id": id, "role": "user", "content": text }] }),
    }
}

/// An approval, as each kit sends it.
fn approving(kit: &str, approval: &str) -> Value {
    let part = json!({ "type": "dynamic-tool", "state": "approval-responded", "approval": { "id": approval, "approved": true } });
    match kit {
        AI_SDK => {
            json!({ "id": "c1", "messageId": "a1", "messages": [{ "id": "a1", "role": "assistant", "parts": [part] }] })
        }
        _ => json!({ "threadId": "c1", "runId": "r2", "messages": [], "resume":
            [{ "interruptId": approval, "status": "resolved", "payload": { "approved": true } }] }),
    }
}

/// The events of a stream, without the mark of its end.
async fn events(person: &Person<'_>, path: &str, body: Value) -> Vec<Value> {
    let response = person.open(path, body).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    let text = std::str::from_utf8(&bytes).expect("UTF-8");
    let text = if path == AI_SDK { text.strip_suffix("data: [DONE]\n\n").expect("the end") } else { text };
    let events = text.split_terminator("\n\n");
    events.map(|event| serde_json::from_str(event.strip_prefix("data: ").expect(event)).expect(event)).collect()
}

/// The id that an approval of the shown proposal names.
async fn approval_of(person: &Person<'_>, kit: &str, message: &str) -> String {
    let events = events(person, kit, saying(kit, message, message)).await;
    let id = match kit {
        AI_SDK => {
            events.iter().find(|event| event["type"] == "tool-approval-request").map(|event| &event["approvalId"])
        }
        _ => events.last().map(|event| &event["outcome"]["interrupts"][0]["id"]),
    };
    id.and_then(Value::as_str).expect("a proposal").to_owned()
}

fn text_of(response: &Response) -> (u16, &str, &str) {
    let media_type = response.headers["content-type"].to_str().expect("text");
    (response.status.as_u16(), media_type, std::str::from_utf8(&response.bytes).expect("UTF-8"))
}

#[tokio::test]
async fn text_that_is_not_the_answer_is_not_left_in_the_message() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    for kit in [AI_SDK, AG_UI] {
        // An amount from nowhere.
        model.says(text("Here it is. You spent £999.99 in all. That is a lot. "));
        model.says(text("I found nothing. Is that it?"));
        let events = events(&service.person(), kit, saying(kit, kit, "my coffee?")).await;
        let shown: Vec<&Value> = events.iter().filter(|event| event["name"] != "sayso.status").collect();
        let id = &shown[1]["messageId"];
        let status = json!({ "type": "data-status", "data": { "text": "Thinking…" }, "transient": true });
        let expected = match kit {
            AI_SDK => json!([
                { "type": "start" },
                status,
                { "type": "start-step" },
                { "type": "text-start", "id": "t1" },
                { "type": "text-delta", "id": "t1", "delta": "Here it is." },
                { "type": "reset-step" },
                status,
                { "type": "text-start", "id": "t2" },
                { "type": "text-delta", "id": "t2", "delta": "I found nothing." },
                { "type": "text-delta", "id": "t2", "delta": " Is that it?" },
                { "type": "text-end", "id": "t2" },
                { "type": "finish-step" },
                { "type": "finish", "finishReason": "stop" },
            ]),
            _ => json!([
                { "type": "RUN_STARTED", "threadId": "c1", "runId": "r1" },
                { "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" },
                { "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": "I found nothing. Is that it?" },
                { "type": "TEXT_MESSAGE_END", "messageId": id },
                { "type": "RUN_FINISHED", "threadId": "c1", "runId": "r1", "outcome": { "type": "success" } },
            ]),
        };
        assert_eq!(json!(shown), expected);
    }
}

#[tokio::test]
async fn an_approval_that_was_not_shown_to_the_person_writes_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    for kit in [AI_SDK, AG_UI] {
        let shown = approval_of(&me, kit, "coffee 3.50").await;
        let [id, fingerprint, showing] = shown.split('.').collect::<Vec<_>>().try_into().expect("three parts");
        let unknown = "This proposal does not exist. Say again what you want.";
        let other = "This is not what was shown. Read the proposal again, and send its current fingerprint.";
        let member = "You may not change this. Ask its owner or an administrator.";
        let (zeros, of_other) = ("0".repeat(32), "0".repeat(64));
        for (person, approval, refusal) in [
            (service.who("other", "me", "admin"), shown.clone(), unknown),
            (service.who("demo", "you", "member"), shown.clone(), member),
            (me, format!("{zeros}.{fingerprint}.{showing}"), unknown),
            (me, format!("{id}.{of_other}.{showing}"), other),
        ] {
            let call = format!("{}.{showing}", approval.split('.').next().unwrap_or_default());
            let events = events(&person, kit, approving(kit, &approval)).await;
            let result = &events[1];
            match kit {
                AI_SDK => assert_eq!(
                    json!(events[1..]),
                    json!([
                        { "type": "tool-output-error", "toolCallId": call, "errorText": refusal },
                        { "type": "start-step" },
                        { "type": "finish-step" },
                        { "type": "finish", "finishReason": "stop" },
                    ])
                ),
                _ => {
                    let content: Value = serde_json::from_str(result["content"].as_str().unwrap()).unwrap();
                    assert_eq!((&result["toolCallId"], &content["error"]), (&json!(call), &json!(refusal)));
                    assert_eq!(events.last().unwrap()["outcome"], json!({ "type": "success" }));
                }
            }
        }
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_request_of_another_shape_is_refused_in_words() {
    let service = Setup::default().start().await;
    let me = service.person();
    let parts = |parts: Value| json!({ "id": "c1", "messages": [{ "id": "u1", "role": "user", "parts": parts }] });
    let run = |fields: Value| {
        let mut run = saying(AG_UI, "u1", "tea 2");
        run.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        run
    };
    let resume = |entry: Value| run(json!({ "resume": [entry] }));
    let forged = format!("{}.x.00000000", "0".repeat(32));
    let no_message = "The message is missing. Send `message` with some text, or `confirm`.";
    for (path, body, status, detail) in [
        (AI_SDK, parts(json!("tea 2")), 400, "`messages[0].parts` must be a list."),
        (AI_SDK, parts(json!([])), 400, no_message),
        (AI_SDK, parts(json!(["tea 2"])), 400, "`messages[0].parts[0]` must be an object."),
        (AI_SDK, parts(json!([{ "type": "text", "text": 2 }])), 400, "`messages[0].parts[0].text` must be text."),
        (
            AI_SDK,
            parts(json!([{ "type": "file", "url": "data:," }])),
            422,
            "`messages[0].parts[0]` is a file, and files are not read. Send its content as text.",
        ),
        (AI_SDK, json!({ "messages": saying(AI_SDK, "u1", "tea 2")["messages"] }), 400, "`id` is missing."),
        (AI_SDK, approving(AI_SDK, "p1"), 404, "This proposal does not exist. Say again what you want."),
        (AG_UI, json!({ "threadId": "c1" }), 400, "`runId` is missing."),
        (AG_UI, json!({ "threadId": "c1", "runId": "r1", "messages": [] }), 400, no_message),
        (
            AG_UI,
            run(json!({ "messages": [{ "id": "u1", "role": "user", "content": 2 }] })),
            400,
            "`messages[0].content` must be text.",
        ),
        (
            AG_UI,
            run(json!({ "resume": [1, 2] })),
            422,
            "`resume` has several entries, and a run has one interrupt at most. Send one entry.",
        ),
        (
            AG_UI,
            resume(json!({ "interruptId": "p1", "status": "resolved" })),
            404,
            "This proposal does not exist. Say again what you want.",
        ),
        (
            AG_UI,
            resume(json!({ "interruptId": forged, "status": "done" })),
            400,
            "`resume[0].status` must be `resolved` or `cancelled`.",
        ),
        (AG_UI, resume(json!({ "interruptId": forged, "status": "resolved" })), 400, "`resume[0].payload` is missing."),
        (
            AG_UI,
            resume(json!({ "interruptId": forged, "status": "resolved", "payload": { "approved": "yes" } })),
            400,
            "`resume[0].payload.approved` must be true or false.",
        ),
    ] {
        let refused = me.post(path, body).await;
        assert_eq!(text_of(&refused), (status, "text/plain; charset=utf-8", detail));
    }
    let nobody = service.who("demo", "", "member");
    let refusal = (403, "text/plain; charset=utf-8", "The token must name exactly one user. Sign in again.");
    for kit in [AI_SDK, AG_UI] {
        assert_eq!(text_of(&nobody.post(kit, saying(kit, "u1", "tea 2")).await), refusal);
    }
    assert_eq!(text_of(&nobody.get("/api/chat/c1/stream").await), refusal);
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_long_conversation_is_read_and_megabytes_are_not() {
    let service = Setup::default().start().await;
    let me = service.person();
    let long = |kit: &str, length: usize| {
        let mut body = saying(kit, "u1", "tea 2");
        body["messages"]
            .as_array_mut()
            .unwrap()
            .insert(0, json!({ "id": "a1", "role": "assistant", "x": "x".repeat(length) }));
        body
    };
    for kit in [AI_SDK, AG_UI] {
        assert_eq!(me.open(kit, long(kit, 1_000_000)).await.status(), StatusCode::OK);
        assert_eq!(me.open(kit, long(kit, 1_100_000)).await.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
}

#[tokio::test]
async fn what_the_posted_history_says_of_proposals_is_not_read() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = approval_of(&me, AI_SDK, "coffee 3.50").await;
    let approved = approving(AI_SDK, &shown)["messages"][0].clone();
    let user = |text: &str| saying(AI_SDK, text, text)["messages"][0].clone();
    // The approval is in a message that the request does not name, or names one of the person's.
    for (named, message) in [(json!(null), "tea 2"), (json!("cake 4"), "cake 4")] {
        let body = json!({ "id": "c1", "messageId": named, "messages": [approved, user(message)] });
        let events = events(&me, AI_SDK, body).await;
        assert!(events.iter().any(|event| event["type"] == "tool-approval-request"), "{events:?}");
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
    // The input of the call is another one than what was shown.
    let mut body = approving(AI_SDK, &shown);
    body["messages"][0]["parts"][0]["input"] = json!({ "operations": [{ "op": "delete", "id": 1 }] });
    body["messages"][0]["parts"][0]["toolCallId"] = json!("other");
    let events = events(&me, AI_SDK, body).await;
    let receipt = &events[1]["output"]["receipt"];
    assert_eq!(
        (&events[1]["type"], &receipt["operations"][0]["text"]),
        (&json!("tool-output-available"), &json!("“coffee”, £3.50, 20 Nov 2026"))
    );
}

#[tokio::test]
async fn an_approval_of_a_run_that_is_not_finished_goes_on_with_it() {
    for kit in [AI_SDK, AG_UI] {
        let service = Setup { budget: Duration::from_secs(600), ..Setup::default() }.start().await;
        let rows = service.fill(150).await;
        let total = rows.iter().filter(|row| row.draft.date.year() == 2025).count();
        let me = service.person();
        let approval = approval_of(&me, kit, "delete everything from last year").await;
        service.grant(Duration::from_millis(7_900));
        let begun = events(&me, kit, approving(kit, &approval)).await;
        let progress = json!({ "progress": { "done": 0, "skipped": 0, "total": total } });
        let result =
            begun.iter().find(|event| event["type"] == "TOOL_CALL_RESULT" || event["type"] == "tool-output-available");
        let result = result.expect("a result");
        match kit {
            AI_SDK => assert_eq!((&result["output"], &result["preliminary"]), (&progress, &json!(true))),
            _ => assert_eq!(result["content"], progress.to_string()),
        }
        service.grant(Duration::from_secs(600));
        let mut body = approving(kit, &approval);
        if kit == AI_SDK {
            let part = &mut body["messages"][0]["parts"][0];
            (part["state"], part["preliminary"]) = (json!("output-available"), json!(true));
        }
        let finished = events(&me, kit, body).await;
        let receipt = match kit {
            AI_SDK => finished.iter().find_map(|event| event["output"].get("receipt").cloned()),
            _ => finished.iter().find(|event| event["name"] == "sayso.receipt").map(|event| event["value"].clone()),
        };
        assert_eq!(receipt.expect("a receipt")["count"], total);
    }
}

#[tokio::test]
async fn a_turn_that_fails_ends_the_stream_with_the_error_of_the_kit() {
    struct Broken;
    impl Model for Broken {
        fn complete<'a>(&'a self, _: ModelRequest<'a>) -> Completing<'a> {
            Box::pin(async { Err(ModelError::Unavailable("broken")) })
        }
    }
    let service = Setup::model(Arc::new(Broken)).start().await;
    let text = "The assistant is not available right now. Nothing was changed. Try again in a moment.";
    for kit in [AI_SDK, AG_UI] {
        let events = events(&service.person(), kit, saying(kit, kit, "my coffee?")).await;
        let expected = match kit {
            AI_SDK => json!({ "type": "error", "errorText": text }),
            _ => json!({ "type": "RUN_ERROR", "message": text, "code": "model-unavailable" }),
        };
        assert_eq!(events.last(), Some(&expected));
    }
}

#[tokio::test]
async fn the_persons_context_is_read_where_the_kit_puts_it() {
    let service = Setup::default().start().await;
    let context = json!({ "currency": "EUR", "timezone": "Europe/Berlin" });
    for (kit, context) in
        [(AI_SDK, json!({ "userContext": context })), (AG_UI, json!({ "forwardedProps": { "userContext": context } }))]
    {
        let mut body = saying(kit, kit, "coffee 3.50");
        body.as_object_mut().unwrap().extend(context.as_object().unwrap().clone());
        let events = events(&service.person(), kit, body).await;
        let text = events.iter().find_map(|event| event["delta"].as_str());
        assert_eq!(text.map(|text| text.split('?').next()), Some(Some("Add “coffee”, €3.50, 20 Nov 2026")));
    }
}

#[tokio::test]
async fn there_is_nothing_to_resume() {
    let service: Service = Setup::default().start().await;
    for path in ["/api/chat/c1/stream", "/chat/c1/stream"] {
        let response = service.person().send(Method::GET, path, vec![]).await;
        assert_eq!((response.status, response.bytes), (StatusCode::NO_CONTENT, vec![]));
    }
}
