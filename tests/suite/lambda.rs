//! The program with a Lambda Runtime API and events in the gateways' form. It uses the real clock, so days, times, ids and
//! hashes are masked.

use std::{collections::BTreeSet, fs, net::TcpListener, path::Path, process::Output};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::{Timestamp, civil::Date, fmt::strtime::BrokenDownTime};
use serde_json::{Value, json};

use crate::harness::{
    events,
    runtime_api::{Function, IN_1970, InvocationResult, in_lambda, now, program},
};

/// In the order in which a person would send them.
const STORY: [&str; 19] = [
    "clarify", "ai-sdk", "ag-ui", "add", "confirm", "list", "balance", "legacy-confirm", "legacy-confirm", "add",
    "reject", "rest-v1", "balance", "form", "conversations", "rest-stream", "alb", "function-url", "scheduled",
];

fn sample(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("events").join(format!("{name}.json"));
    serde_json::from_str(&fs::read_to_string(&path).expect("a sample event")).expect("JSON")
}

/// A sample event with some fields replaced, or removed by null.
fn changed(name: &str, changes: &[(&str, Value)]) -> Value {
    let mut event = sample(name);
    for (pointer, value) in changes {
        let (parent, field) = pointer.rsplit_once('/').expect("a pointer");
        let parent = event.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
        match value {
            Value::Null => parent.remove(field),
            value => parent.insert(field.to_owned(), value.clone()),
        };
    }
    event
}

/// A message through an HTTP API.
fn saying(message: &str) -> Value {
    changed("clarify", &[("/body", json!({ "message": message }).to_string().into())])
}

/// A reply with its body as JSON, and with markers for values that differ between runs.
fn masked(mut reply: Value) -> Value {
    if let Some(body) = reply.get("body").and_then(Value::as_str).filter(|body| !body.is_empty()) {
        reply["body"] = match body.strip_prefix("data: ") {
            // Events without names.
            Some(events) => events.trim_end().split("\n\ndata: ").map(json_or_text).collect(),
            None => json_or_text(body),
        };
    }
    mask(&mut reply);
    reply
}

/// A stream of named events stays text.
fn json_or_text(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_else(|_| body.into())
}

fn mask(value: &mut Value) {
    match value {
        Value::String(text) => {
            *text = mask_spoken_days(text).split(' ').map(mask_word).collect::<Vec<_>>().join(" ");
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            fields.values_mut().for_each(mask);
            // It depends on the masked text.
            fields.remove("content-length");
        }
        _ => {}
    }
}

/// In the form of answers: `21 Nov 2026`.
fn mask_spoken_days(text: &str) -> String {
    let (mut masked, mut rest) = (String::new(), text);
    while let Some(character) = rest.chars().next() {
        // Not "3dec2026" within a digest.
        let spaced = rest.trim_start_matches(|mark: char| mark.is_ascii_digit()).starts_with(' ');
        let day = BrokenDownTime::parse_prefix("%d %b %Y", rest).ok().filter(|_| character.is_ascii_digit() && spaced);
        let (mark, length) =
            day.map_or((character.to_string(), character.len_utf8()), |(_, day)| ("[day]".into(), day));
        masked.push_str(&mark);
        rest = &rest[length..];
    }
    masked
}

fn mask_word(word: &str) -> String {
    let bare = word.trim_matches('"');
    let hexadecimal = |text: &str| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mark = match bare {
        _ if hexadecimal(bare) => format!("[{} digits]", bare.len()),
        _ if bare.rsplit_once('-').is_some_and(|(_, nonce)| hexadecimal(nonce)) => "[version]".to_owned(),
        _ if bare.parse::<Timestamp>().is_ok() => "[time]".to_owned(),
        _ if bare.parse::<Date>().is_ok() => "[day]".to_owned(),
        _ => return word.to_owned(),
    };
    word.replace(bare, &mark)
}

/// Status and body of a reply.
fn status_and_body(reply: &Value) -> (u64, Value) {
    let body = reply["body"].as_str().expect("a body");
    (reply["statusCode"].as_u64().expect("a status"), serde_json::from_str(body).expect("JSON"))
}

fn not_signed_in() -> (u64, Value) {
    let problem = json!({
        "type": "urn:sayso:problem:not-signed-in",
        "title": "Not signed in",
        "status": 401,
        "detail": "Sign in first. The request has no verified claims.",
    });
    (401, problem)
}

#[tokio::test]
async fn the_sample_events_tell_a_story() {
    let function = Function::start().await;
    let mut story = vec![];
    for name in STORY {
        story.push(json!({ "event": name, "reply": masked(function.invoke(&sample(name)).await) }));
    }
    insta::assert_json_snapshot!(story);
}

#[test]
fn every_sample_event_is_in_the_story() {
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("events")).expect("a folder");
    let files = folder.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"));
    let samples: BTreeSet<String> = files.filter_map(|file| Some(file.strip_suffix(".json")?.to_owned())).collect();
    assert_eq!(samples, STORY.iter().map(ToString::to_string).collect());
}

#[tokio::test]
async fn a_request_without_claims_is_unauthorized() {
    let function = Function::start().await;
    let forged = json!({
        "content-type": "application/json", "x-tenant-id": "demo", "x-user-id": "me", "x-roles": "admin",
        "authorization": "Bearer x.y.z", "x-amzn-oidc-data": "x.y.z", "tenant_id": "demo",
    });
    let body =
        json!({ "message": "tea 2", "requestContext": { "authorizer": { "jwt": { "claims": { "sub": "me" } } } } });
    for event in [
        changed("add", &[("/requestContext/authorizer", Value::Null), ("/headers", forged.clone())]),
        changed("add", &[("/requestContext/authorizer", json!({ "jwt": { "claims": {}, "scopes": null } }))]),
        changed("add", &[("/requestContext/authorizer", Value::Null), ("/body", body.to_string().into())]),
        changed("rest-v1", &[("/requestContext/authorizer", Value::Null), ("/headers", forged.clone())]),
        changed("rest-v1", &[("/requestContext/authorizer", json!({}))]),
        changed("alb", &[]),
        changed("alb", &[("/headers", forged.clone()), ("/multiValueHeaders", Value::Null)]),
        changed("function-url", &[]),
        changed("function-url", &[("/requestContext/authorizer", Value::Null), ("/headers", forged)]),
    ] {
        assert_eq!(status_and_body(&function.invoke(&event).await), not_signed_in(), "{event}");
    }
}

#[tokio::test]
async fn claims_are_read_from_every_type_of_authorizer() {
    let function = Function::start().await;
    let claims =
        |tenant: &str, groups: &str| json!({ "sub": "u1", "custom:tenant_id": tenant, "cognito:groups": groups });
    let http_api = |authorizer: Value| changed("list", &[("/requestContext/authorizer", authorizer)]);
    let rest_api = |authorizer: Value| changed("rest-v1", &[("/requestContext/authorizer", authorizer)]);
    for (event, status) in [
        (http_api(json!({ "jwt": { "claims": claims("t1", "[admin member]"), "scopes": null } })), 200),
        (http_api(json!({ "jwt": { "claims": claims("[t1 t2]", "[admin]"), "scopes": null } })), 403),
        (http_api(json!({ "jwt": { "claims": claims("t1", "[guest]"), "scopes": ["openid"] } })), 403),
        (http_api(json!({ "lambda": claims("t1", "member") })), 200),
        (http_api(json!({ "lambda": { "sub": "u1", "custom:tenant_id": ["t1"], "cognito:groups": ["member"] } })), 403),
        (http_api(json!({ "lambda": { "sub": "u1", "custom:tenant_id": "t1", "cognito:groups": ["member"] } })), 200),
        (rest_api(json!({ "claims": claims("t1", "admin,member") })), 200),
        (rest_api(json!({ "claims": claims("t1,t2", "admin") })), 403),
        (
            rest_api(json!({ "principalId": "u1", "integrationLatency": 7, "sub": "u1", "custom:tenant_id": "t1",
            "cognito:groups": "viewer" })),
            200,
        ),
        (rest_api(json!({ "principalId": "u1", "integrationLatency": 7 })), 403),
    ] {
        assert_eq!(function.invoke(&event).await["statusCode"], status, "{event}");
    }
}

#[tokio::test]
async fn tenants_do_not_see_each_other() {
    let function = Function::start().await;
    function.invoke(&sample("add")).await;
    function.invoke(&sample("confirm")).await;
    let theirs = changed("list", &[("/requestContext/authorizer/jwt/claims/custom:tenant_id", "t2".into())]);
    let count =
        async |event: &Value| status_and_body(&function.invoke(event).await).1["items"].as_array().map(Vec::len);
    assert_eq!((count(&sample("list")).await, count(&theirs).await), (Some(2), Some(0)));
}

#[tokio::test]
async fn a_stage_or_a_base_path_before_the_route_is_removed() {
    let function = Function::start().await;
    let http_api = |stage: &str, route: &str, path: &str| {
        let changes = [("/requestContext/stage", stage.into()), ("/routeKey", route.into()), ("/rawPath", path.into())];
        changed("list", &changes)
    };
    let rest_api = |resource: &str, path: &str, parameters: Value| {
        let changes = [("/resource", resource.into()), ("/path", path.into()), ("/pathParameters", parameters)];
        changed("rest-v1", &changes)
    };
    for (event, status) in [
        (http_api("$default", "GET /expenses", "/expenses"), 200),
        (http_api("prod", "GET /expenses", "/prod/expenses"), 200),
        (http_api("prod", "$default", "/prod/expenses"), 200),
        (http_api("expenses", "$default", "/expenses/expenses"), 200),
        // The page.
        (http_api("expenses", "$default", "/expenses"), 200),
        (http_api("exp", "$default", "/expenses"), 200),
        (http_api("prod", "$default", "/prod/prod/expenses"), 404),
        (rest_api("/{proxy+}", "/expenses", json!({ "proxy": "expenses" })), 200),
        (rest_api("/expenses", "/expenses", Value::Null), 200),
        (rest_api("/{proxy+}", "/v1/money/expenses", json!({ "proxy": "expenses" })), 200),
        (rest_api("/expenses", "/prod/expenses", Value::Null), 200),
        (rest_api("/{proxy+}", "/prod/expenses", json!({ "proxy": "prod/expenses" })), 404),
        (changed("rest-v1", &[("/resource", Value::Null)]), 200),
        (rest_api("$default", "/prod/expenses", Value::Null), 200),
        (rest_api("/expenses/{id}", "/v1/expenses/7", json!({ "id": "7" })), 404),
    ] {
        assert_eq!(function.invoke(&event).await["statusCode"], status, "{event}");
    }
}

/// A message through a REST API that streams.
fn streaming(message: &str, accept: &str) -> Value {
    let body = json!({ "message": message }).to_string();
    let changes = [("/body", body.into()), ("/multiValueHeaders/Accept", json!([accept]))];
    changed("rest-stream", &changes)
}

#[tokio::test]
async fn behind_a_rest_api_that_streams_every_reply_has_the_streamed_form() {
    let function =
        Function::start_with(&[("STREAM_AUDIENCE", "other, 3n4b5urk1ft4fl3mg5e62d9ado"), ("DEFAULT_CURRENCY", "GBP")])
            .await;
    let invoke = async |event: &Value| match function.invoke_by(now() + 60_000, &event.to_string()).await {
        InvocationResult::Streamed(head, body) => (head, body),
        other => panic!("{event}: {other:?}"),
    };
    let head = |status: u16, headers: Value| {
        let mut all = json!({ "x-content-type-options": "nosniff", "access-control-allow-origin": "*",
            "access-control-expose-headers": "retry-after" });
        all.as_object_mut().expect("an object").extend(headers.as_object().expect("an object").clone());
        json!({ "statusCode": status, "headers": all, "cookies": [] })
    };
    let (found, body) = invoke(&streaming("how much did I spend?", "text/event-stream")).await;
    let headers =
        json!({ "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" });
    assert_eq!(found, head(200, headers));
    let events = events::read(body.as_bytes());
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["status", "status", "status", "delta", "done"]);
    assert_eq!(events[4].1["answer"], "You spent nothing.");

    // Also replies that are no streams, and errors.
    let (found, body) = invoke(&streaming("how much did I spend?", "application/json")).await;
    let headers = json!({ "content-type": "application/json", "cache-control": "no-store" });
    assert_eq!(found, head(200, headers));
    assert_eq!(serde_json::from_str::<Value>(&body).expect("JSON")["answer"], "You spent nothing.");
    // The token of another client of the user pool is none.
    for (pointer, value) in
        [("/requestContext/authorizer", Value::Null), ("/requestContext/authorizer/claims/aud", "another".into())]
    {
        let (found, body) = invoke(&changed("rest-stream", &[(pointer, value)])).await;
        assert_eq!(
            (&found["statusCode"], serde_json::from_str::<Value>(&body).expect("JSON")),
            (&json!(401), not_signed_in().1)
        );
    }

    // The HTTP API cannot stream: the events come in one piece.
    let event = changed("clarify", &[("/headers/accept", "text/event-stream".into())]);
    let reply = function.invoke(&event).await;
    assert_eq!(reply["headers"]["content-type"], "text/event-stream");
    assert_eq!(events::read(reply["body"].as_str().expect("text").as_bytes()).last().expect("an event").0, "done");
}

#[tokio::test]
async fn a_base64_body_is_decoded_and_an_invalid_one_is_refused() {
    let function = Function::start().await;
    let body = |text: &str| changed("clarify", &[("/body", text.into()), ("/isBase64Encoded", true.into())]);
    let good = BASE64_STANDARD.encode(br#"{"message": "how much did I spend?"}"#);
    assert_eq!(status_and_body(&function.invoke(&body(&good)).await).1["answer"], "You spent nothing.");
    let problem = json!({
        "type": "urn:sayso:problem:malformed-request",
        "title": "The request cannot be read",
        "status": 400,
        "detail": "The gateway's Base64 of the body cannot be decoded. Send the whole request again.",
    });
    for bad in ["!", "e30", "{\"message\": \"tea 2\"}", "é", "e3 0="] {
        assert_eq!(status_and_body(&function.invoke(&body(bad)).await), (400, problem.clone()), "{bad}");
    }
    for unreadable in ["", "/w==", "AA=="] {
        assert_eq!(status_and_body(&function.invoke(&body(unreadable)).await).0, 400, "{unreadable}");
    }
    for empty in [Value::Null, "".into()] {
        assert_eq!(status_and_body(&function.invoke(&changed("clarify", &[("/body", empty)])).await).0, 400);
    }
}

#[tokio::test]
async fn an_unknown_event_is_an_error_and_does_not_affect_the_next() {
    let function = Function::start().await;
    for event in
        ["{", "null", "[]", r#"{"Records": []}"#, r#"{"detail-type": "EC2 State Change"}"#, r#"{"version": "2.0"}"#]
    {
        let ended = function.invoke_by(now() + 60_000, event).await;
        let InvocationResult::Failed(error) = ended else { panic!("{event} is answered: {ended:?}") };
        let message = error["errorMessage"].as_str().expect("a message");
        assert!(
            message.contains("failed to deserialize") || message.starts_with("this event is not served; send "),
            "{error}"
        );
        assert_eq!(status_and_body(&function.invoke(&sample("balance")).await).0, 200);
    }
    let outside = changed("clarify", &[("/rawPath", "/events".into()), ("/routeKey", "$default".into())]);
    assert_eq!(status_and_body(&function.invoke(&outside).await).0, 404);
    let pretending = changed("clarify", &[("/body", sample("scheduled").to_string().into())]);
    assert_eq!(status_and_body(&function.invoke(&pretending).await).0, 400);
}

#[tokio::test]
async fn a_deadline_in_1970_is_none() {
    let function = Function::start().await;
    let ended = function.invoke_by(IN_1970, &sample("balance").to_string()).await;
    let InvocationResult::Replied(reply) = ended else { panic!("{ended:?}") };
    assert_eq!(status_and_body(&reply).1["answer"], "You spent nothing.");
}

#[tokio::test]
async fn an_answer_comes_before_the_deadline_even_if_the_database_hangs() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let endpoint = format!("http://{}", silent.local_addr().expect("its address"));
    let function = Function::start_with(&[("AWS_ENDPOINT_URL_DYNAMODB", &endpoint)]).await;
    let problem = json!({
        "type": "urn:sayso:problem:outcome-unknown",
        "title": "Outcome unknown",
        "status": 503,
        "detail": "It is not clear whether this was done. Send the same request again: that is safe, and the answer tells you.",
    });
    // A message with an id also has a claim to release, for which there is no time either.
    let named = json!({ "message": "how much did I spend?", "messageId": "m1" });
    let slow = json!({
        "type": "urn:sayso:problem:store-unavailable",
        "title": "Data unavailable",
        "status": 503,
        "detail": "Your data is not available right now. Send the same request again in a moment.",
    });
    for (event, problem) in [
        (sample("balance"), &problem),
        (changed("balance", &[("/body", named.to_string().into())]), &problem),
        (getting("/expenses"), &slow),
        (getting("/expenses/1"), &slow),
        (getting("/receipts"), &slow),
        (getting(&format!("/proposals/{}", "0".repeat(32))), &slow),
    ] {
        let deadline = now() + 2_000;
        let ended = function.invoke_by(deadline, &event.to_string()).await;
        assert!(now() < deadline, "{} ms late", now() - deadline);
        let InvocationResult::Replied(reply) = ended else { panic!("{ended:?}") };
        assert_eq!(status_and_body(&reply), (503, problem.clone()), "{event}");
    }
}

fn getting(path: &str) -> Value {
    let method = ("/requestContext/http/method", "GET".into());
    changed(
        "balance",
        &[method, ("/rawPath", path.into()), ("/routeKey", format!("GET {path}").into()), ("/body", Value::Null)],
    )
}

#[tokio::test]
async fn four_turns_at_once_run_in_parallel() {
    let function = Function::start_with(&[("AWS_LAMBDA_MAX_CONCURRENCY", "4")]).await;
    function.asked_by(4).await;
    let turn = async |user: &'static str| {
        let claim = [("/requestContext/authorizer/jwt/claims/sub", user.into())];
        let shown = function.invoke(&changed("add", &claim)).await;
        let done = function.invoke(&changed("confirm", &claim)).await;
        (
            status_and_body(&shown).1["confirmationRequired"].clone(),
            status_and_body(&done).1["added"].as_array().map(Vec::len),
        )
    };
    let turns = tokio::join!(turn("u1"), turn("u2"), turn("u3"), turn("u4"));
    let expected = (json!(true), Some(2));
    assert_eq!(turns, (expected.clone(), expected.clone(), expected.clone(), expected));
    let body = ("/body", json!({ "message": "how much did we spend this month?" }).to_string().into());
    let balance = status_and_body(&function.invoke(&changed("balance", &[body])).await).1;
    assert_eq!((&balance["totals"][0]["amount"], &balance["totals"][0]["count"]), (&json!("62.00"), &json!(8)));
}

#[tokio::test]
async fn logs_are_json_with_the_request_id_and_without_messages() {
    let function = Function::start_with(&[("RUST_LOG", "sayso=info")]).await;
    function.invoke(&saying("add marzipan 3.50 and nougat 4 today")).await;
    function.invoke(&sample("balance")).await;
    let lines = function.stop();
    let spans: Vec<Value> = lines.iter().map(|line| line["span"].clone()).collect();
    let span = |id: &str, cold_start: bool| json!({ "name": "request", "request_id": id, "cold_start": cold_start });
    assert_eq!(spans, [span("0", true), span("0", true), span("1", false)]);
    for line in lines {
        let line = line.to_string();
        assert!(!["marzipan", "nougat", "3.50", "custom:tenant_id"].iter().any(|word| line.contains(word)), "{line}");
    }
}

#[tokio::test]
async fn a_development_build_serves_events_without_claims() {
    let program = Path::new(env!("CARGO_BIN_EXE_sayso"));
    let function = Function::run(in_lambda(program).env("AUTH", "dev")).await;
    let answer = json!({
        "answer": "You spent nothing.",
        "balance": 0,
        "confirmationRequired": false,
        "conversationId": "default",
        "count": 0,
        "totals": [],
    });
    for name in ["balance", "alb", "function-url"] {
        assert_eq!(status_and_body(&function.invoke(&sample(name)).await), (200, answer.clone()), "{name}");
    }
}

#[test]
#[ignore = "it needs what `make deployed` builds: `make release-test`"]
fn the_deployed_program_has_no_development_headers_and_no_database() {
    let Output { status, stderr, .. } = in_lambda(&program()).env("AUTH", "dev").output().expect("it runs");
    let message = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(2), "{message}");
    let expected =
        "sayso: AUTH is \"dev\", which is only there in builds with the feature `local`; set it to gateway\n";
    assert_eq!(message, expected);
    let words = |program: &Path| {
        let program = fs::read(program).expect("the program");
        let text = String::from_utf8_lossy(&program);
        ["dynoxide-rs", "SQLite format 3", "x-tenant-id", "LOCAL_ADDR"].map(|word| text.contains(word))
    };
    assert_eq!(words(Path::new(env!("CARGO_BIN_EXE_sayso"))), [true; 4]);
    assert_eq!(words(&program()), [false; 4]);
}

#[test]
#[ignore = "it needs what `make deployed` builds: `make release-test`"]
fn the_deployed_program_explains_itself_outside_lambda() {
    let Output { status, stderr, .. } = in_lambda(&program()).output().expect("it runs");
    let message = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(2), "{message}");
    let expected =
        "sayso: this build serves Lambda only; the local server is in builds with `--features local` (`make run`)\n";
    assert_eq!(message, expected);
}
