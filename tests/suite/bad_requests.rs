//! Invalid requests. Each is refused with a problem that says what to do, or read in its only possible meaning. None is
//! a server error, and none leaves a partial write.

use std::{
    convert::Infallible,
    sync::{Arc, OnceLock},
};

use axum::body::Body;
use futures_util::stream;
use http::{Method, StatusCode};
use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::{Value, json};

use crate::harness::{Person, Response, Service, Setup, property, scripted::Scripted};

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// A service whose model requests are recorded.
async fn watched() -> (Service, Arc<Scripted>) {
    let model = Arc::new(Scripted::default());
    (Setup::model(model.clone()).start().await, model)
}

async fn post_bytes(person: Person<'_>, body: impl Into<Vec<u8>>) -> Response {
    person.send_with(Method::POST, "/chat", body.into(), JSON).await
}

/// Status, type and detail of a problem. Also checks the parts that every problem must have.
fn problem(response: &Response) -> (u16, &str, &str) {
    let text = |name: &str| response.body[name].as_str().unwrap_or_else(|| panic!("no {name} in {}", response.body));
    assert_eq!(response.headers["content-type"], "application/problem+json");
    assert_eq!(response.body["status"], response.status.as_u16());
    assert!(!text("title").is_empty() && !text("detail").is_empty(), "{}", response.body);
    check_headers(response);
    let slug = text("type").strip_prefix("urn:sayso:problem:").expect("a type of ours");
    (response.status.as_u16(), slug, text("detail"))
}

fn check_headers(response: &Response) {
    let kept = if response.headers.contains_key("etag") { "private, no-cache" } else { "no-store" };
    assert_eq!(response.headers["cache-control"], kept);
    assert_eq!(response.headers["x-content-type-options"], "nosniff");
}

fn nested(levels: usize) -> String {
    format!(r#"{{"message": "tea 2", "x": {}1{}}}"#, "[".repeat(levels), "]".repeat(levels))
}

#[tokio::test]
async fn anything_but_a_json_object_is_refused_before_any_store_or_model_call() {
    let (service, model) = watched().await;
    let me = service.person();
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b" \r\n\t".to_vec(),
        b"\xef\xbb\xbf".to_vec(),
        b"hello".to_vec(),
        b"message=coffee".to_vec(),
        b"null".to_vec(),
        b"true".to_vec(),
        b"7".to_vec(),
        b"1e999".to_vec(),
        b"\"coffee 3.50\"".to_vec(),
        b"[]".to_vec(),
        b"[{\"message\": \"coffee 3.50\"}]".to_vec(),
        b"{\"message\": \"coffee 3.50\"".to_vec(),
        b"{\"message\": \"coffee 3.50\"}{}".to_vec(),
        b"{'message': 'coffee 3.50'}".to_vec(),
        b"{\"message\": \"coffee 3.50\",}".to_vec(),
        b"{\"message\": NaN}".to_vec(),
        b"{\"message\": \"x\", \"n\": 1e400}".to_vec(),
        b"{\"message\": \"\xff\xfe\"}".to_vec(),
        b"{\"message\": \"\xc3\"}".to_vec(),
        b"{\"message\": \"\xed\xa0\x80\"}".to_vec(),
        b"{\"message\": \"\\ud800\"}".to_vec(),
        b"{\"message\": \"\\udc00 3.50\"}".to_vec(),
        b"{\"message\": \"\\ud800\\u0041\"}".to_vec(),
        b"{\"message\": \"\x00\"}".to_vec(),
        b"\xff\xfe{\x00}\x00".to_vec(),
        b"{\"message\": \"a\", \"message\": \"b\"}".to_vec(),
        b"{\"message\": \"a\", \"\\u006dessage\": \"b\"}".to_vec(),
        b"{\"message\": \"a\", \"x\": {\"y\": [{\"z\": 1, \"z\": 1}]}}".to_vec(),
        b"{\"confirm\": {\"tool\": \"add_expense\", \"args\": {\"item\": \"a\", \"item\": \"b\", \"amount\": 1}}}"
            .to_vec(),
        nested(10_000).into_bytes(),
        "{\"a\":".repeat(10_000).into_bytes(),
    ];
    for body in bodies {
        let response = post_bytes(me, body.clone()).await;
        let (status, slug, detail) = problem(&response);
        let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        assert_eq!((status, slug), (400, "malformed-request"), "{shown}");
        assert!(detail.contains("Send ") || detail.contains("must be a JSON object"), "{shown}: {detail}");
        assert_eq!(service.wire.take(), (vec![], 0), "{shown}");
        assert_eq!(model.requests(), [], "{shown}");
    }
}

#[tokio::test]
async fn a_decodable_body_is_read_whatever_its_content_type() {
    let service = Setup::default().start().await;
    let me = service.person();
    let expected = "Add “coffee”, £3.50, 20 Nov 2026? (yes / no)";
    for body in [
        "\u{feff}{\"message\": \"coffee 3.50\"}".to_owned(),
        "\r\n\t {\"message\": \"coffee 3.50\"} \n".to_owned(),
        "{\"message\": \"cof\\u0000fee 3.50\"}".to_owned(),
        "{\"message\": \"\\ufeffcoffee\\u200b 3.50\\u0007\"}".to_owned(),
        "{\"m\\u0065ssage\": \"\\u0063offee\\r\\n3.50\"}".to_owned(),
        nested(31).replace("tea 2", "coffee 3.50"),
    ] {
        let response = post_bytes(me, body.clone()).await;
        assert_eq!((response.status, &response.body["answer"]), (StatusCode::OK, &json!(expected)), "{body}");
        me.says("no").await;
    }
    let emoji = post_bytes(me, r#"{"message": "\ud83c\udf55 12"}"#).await;
    assert_eq!(emoji.status, StatusCode::OK, "{}", emoji.body);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_whatever_length_was_announced() {
    let (service, model) = watched().await;
    let me = service.person();
    let large = format!(r#"{{"message": "tea 2", "x": "{}"}}"#, "x".repeat(64 * 1024)).into_bytes();
    let small = br#"{"message": "tea 2"}"#.to_vec();
    let chunked = |bytes: &[u8]| {
        let chunks: Vec<Result<Vec<u8>, Infallible>> = bytes.chunks(1000).map(|chunk| Ok(chunk.to_vec())).collect();
        Body::from_stream(stream::iter(chunks))
    };
    let announced = |length: &'static str| [("content-length", length)];
    let post = async |body: Body, headers: &[(&str, &str)]| me.send_body(Method::POST, "/chat", body, headers).await;
    for response in [
        post(Body::from(large.clone()), &[]).await,
        post(Body::from(large.clone()), &announced("20")).await,
        post(chunked(&large), &[]).await,
        post(chunked(&large), &announced("20")).await,
        post(Body::from(small.clone()), &announced("4194305")).await,
        post(Body::from(small.clone()), &announced("18446744073709551615")).await,
        me.post("/chat", json!({ "message": "x".repeat(4001) })).await,
        me.post("/chat", json!({ "question": "é".repeat(4001) })).await,
        me.post("/chat", json!({ "message": "x", "history": vec![json!({ "role": "user", "content": "x" }); 41] }))
            .await,
        me.post("/chat", json!({ "message": "x", "history": [{ "role": "user", "content": "x".repeat(8001) }] })).await,
    ] {
        let (status, slug, detail) = problem(&response);
        assert_eq!((status, slug), (413, "too-large"));
        assert!(detail.contains(". Send "), "{detail}");
    }
    assert_eq!(service.wire.take(), (vec![], 0));
    assert_eq!(model.requests(), []);
    assert_eq!(post(chunked(&small), &[]).await.status, 200);
    assert_eq!(me.post("/chat", json!({ "message": "é".repeat(4000) })).await.status, 200);
}

#[tokio::test]
async fn an_incomplete_body_is_refused() {
    let (service, model) = watched().await;
    let broken = std::io::Error::other("the connection was reset");
    let body = Body::from_stream(stream::iter([Ok(br#"{"message": "tea 2"}"#.to_vec()), Err(broken)]));
    let response = service.person().send_body(Method::POST, "/chat", body, &[]).await;
    assert_eq!(problem(&response), (400, "malformed-request", "The body ended early. Send the whole request again."));
    assert_eq!((service.wire.take(), model.requests()), ((vec![], 0), vec![]));
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_named() {
    let (service, model) = watched().await;
    let me = service.person();
    let confirm = |fields: Value| json!({ "confirm": fields });
    for (body, field) in [
        (json!({ "message": ["x"] }), "message"),
        (json!({ "question": true }), "question"),
        (json!({ "message": "x", "messageId": 7 }), "messageId"),
        (json!({ "message": "x", "messageId": "" }), "messageId"),
        (json!({ "message": "x", "messageId": "x".repeat(129) }), "messageId"),
        (json!({ "message": "x", "conversationId": {} }), "conversationId"),
        (json!({ "message": "x", "conversationId": "a\u{0}b" }), "conversationId"),
        (json!({ "message": "x", "history": "x" }), "history"),
        (json!({ "message": "x", "history": [null] }), "history[0]"),
        (json!({ "message": "x", "history": [{ "role": "user" }] }), "history[0].content"),
        (json!({ "message": "x", "history": [{ "role": "tool", "content": "x" }] }), "history[0].role"),
        (json!({ "message": "x", "userContext": [] }), "userContext"),
        (json!({ "message": "x", "userContext": { "currency": 1 } }), "userContext.currency"),
        (json!({ "message": "x", "userContext": { "locale": 1 } }), "userContext.locale"),
        (json!({ "message": "x", "activeFilters": 1 }), "activeFilters"),
        (json!({ "message": "x", "applyFiltersToQuery": 1 }), "applyFiltersToQuery"),
        (
            json!({ "message": "x", "applyFiltersToQuery": true, "activeFilters": { "category": 1 } }),
            "activeFilters.category",
        ),
        (confirm(json!([])), "confirm"),
        (confirm(json!({ "tool": 1, "args": {} })), "confirm.tool"),
        (confirm(json!({ "tool": "add_expense", "args": "item" })), "confirm.args"),
        (confirm(json!({ "decision": "maybe" })), "confirm.decision"),
        (confirm(json!({ "decision": "approve" })), "confirm.proposalId"),
        (confirm(json!({ "decision": "approve", "proposalId": 1 })), "confirm.proposalId"),
        (confirm(json!({ "decision": "approve", "proposalId": "x", "fingerprint": 1 })), "confirm.fingerprint"),
    ] {
        let response = me.post("/chat", body.clone()).await;
        let (status, slug, detail) = problem(&response);
        assert_eq!((status, slug), (400, "malformed-request"), "{body}");
        assert!(detail.contains(&format!("`{field}`")), "{body}: {detail}");
    }
    assert_eq!((service.wire.take(), model.requests()), ((vec![], 0), vec![]));
}

#[tokio::test]
async fn an_impossible_value_is_refused_with_the_possible_ones() {
    let (service, model) = watched().await;
    let me = service.person();
    let decision = |decision: &str| json!({ "confirm": { "decision": decision, "proposalId": "0".repeat(32), "fingerprint": "x" } });
    let partly = |field: &str, value: Value| {
        let mut body = decision("approve");
        body["confirm"][field] = value;
        body
    };
    for (body, remedy) in [
        (json!({ "message": "x", "userContext": { "timezone": "Mars/Base" } }), "Send an IANA name"),
        (json!({ "message": "x", "userContext": { "timezone": "../../etc/passwd" } }), "Send an IANA name"),
        (json!({ "message": "x", "userContext": { "timezone": "\u{0}" } }), "Send an IANA name"),
        (json!({ "message": "x", "userContext": { "currency": "XXX" } }), "Give its three-letter code"),
        (json!({ "message": "x", "userContext": { "currency": "XAU" } }), "Give its three-letter code"),
        (json!({ "message": "x", "userContext": { "currency": "£" } }), "Give its three-letter code"),
        (
            json!({ "message": "x", "applyFiltersToQuery": true, "activeFilters": { "tenant": "x" } }),
            "It can have `range`, `category`",
        ),
        (
            json!({ "message": "x", "applyFiltersToQuery": true, "activeFilters": { "currency": "ABC" } }),
            "Give its three-letter code",
        ),
        (decision("edit"), "`confirm.exclude` lists operations by number"),
        (partly("exclude", json!([1])), "need the decision `edit`"),
        (partly("edits", json!({ "1": {} })), "need the decision `edit`"),
        (partly("fingerprint", Value::Null), "Send the one of the proposal that was shown"),
    ] {
        let response = me.post("/chat", body.clone()).await;
        let (status, slug, detail) = problem(&response);
        assert_eq!((status, slug), (422, "unprocessable"), "{body}");
        assert!(detail.contains(remedy), "{body}: {detail}");
    }
    assert_eq!((service.wire.take(), model.requests()), ((vec![], 0), vec![]));
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_cannot_name_a_tenant() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    let mut body = json!({
        "message": "tea 2", "state": "EXECUTED", "version": 7, "tenant": "evil", "tenantId": "evil", "user": "eve",
        "roles": ["admin"], "x-tenant-id": "evil", "userContext": { "tenant": "evil" }, "today": "1999-01-01",
    });
    let shown = me.chat(body.clone()).await;
    assert_eq!(shown["answer"], "Add “tea”, £2.00, 20 Nov 2026? (yes / no)");
    body["confirm"] = json!({
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve",
        "tenant": "evil", "version": 9, "state": "EXECUTED", "operations": [], "amount": 1_000_000,
    });
    let done = me.chat(body).await;
    assert_eq!(done["answer"], "Added “coffee”, £3.50, 20 Nov 2026 (#1).");
    assert_eq!((&done["added"][0]["owner"], &done["added"][0]["version"]), (&json!("me"), &json!(1)));
    assert_eq!(service.who("evil", "eve", "admin").rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_unknown_tool_argument_is_refused_and_nothing_is_written() {
    let service = Setup::default().start().await;
    let me = service.person();
    let call = |tool: &str, args: Value| json!({ "confirm": { "tool": tool, "args": args } });
    let add = |field: &str, value: Value| {
        let mut args = json!({ "item": "coffee", "amount": 3.5 });
        args[field] = value;
        call("add_expense", args)
    };
    for body in [
        add("tenant", json!("evil")),
        add("state", json!("EXECUTED")),
        add("version", json!(1)),
        add("owner", json!("eve")),
        add("id", json!(1)),
        add("amount", json!({ "minor": 350 })),
        add("amount", Value::Null),
        add("item", json!(7)),
        call("add_expense", json!({ "item": "coffee" })),
        call("add_expense", json!({ "item": "coffee", "Amount": 1 })),
        call("delete_expense", json!({ "id": -1 })),
        call("delete_expense", json!({ "id": 1, "tenant": "evil" })),
        call("update_expense", json!({ "id": 1, "expectedVersion": 1, "amount": 1 })),
        call("get_balance", json!({})),
        call("list_expenses", json!({})),
        call("ask_questions", json!({ "questions": [{ "text": "?" }] })),
        call("drop_table", json!({})),
        call("", json!({})),
        call("batch", json!({})),
        call("batch", json!({ "calls": [{ "tool": "batch", "args": { "calls": [] } }] })),
        call("batch", json!({ "calls": [{ "tool": "add_expense", "args": { "item": "a", "tenant": "evil" } }] })),
    ] {
        let response = me.post("/chat", body.clone()).await;
        let (status, slug, _) = problem(&response);
        assert_eq!((status, slug), (422, "unprocessable"), "{body}");
        let (calls, _) = service.wire.take();
        let writes: Vec<_> = calls.iter().filter(|call| !["Query", "GetItem"].contains(&&*call.operation)).collect();
        assert!(writes.is_empty(), "{body}: {writes:?}");
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_unknown_address_and_a_wrong_method_are_problems() {
    let (service, model) = watched().await;
    let me = service.person();
    for path in [
        "/index.html", "/chats", "/chat/", "/api", "/expenses/1/2", "/proposal", "/proposals/x/confirm/y", "/%00", "//",
    ] {
        let response = me.post(path, json!({})).await;
        let (status, slug, _) = problem(&response);
        assert_eq!((status, slug), (404, "no-such-route"), "{path}");
    }
    for (method, path, allow) in [
        (Method::GET, "/chat", "POST"),
        (Method::PUT, "/api/chat", "POST"),
        (Method::OPTIONS, "/chat", "POST"),
        (Method::DELETE, "/expenses", "GET,HEAD"),
        (Method::PATCH, "/expenses/1", "GET,HEAD"),
        (Method::POST, "/health", "GET,HEAD"),
        (Method::GET, "/proposals/1/confirm", "POST"),
        (Method::from_bytes(b"BREW").unwrap(), "/proposals/1", "GET,HEAD"),
    ] {
        let response = me.send(method.clone(), path, vec![]).await;
        let (status, slug, _) = problem(&response);
        assert_eq!((status, slug), (405, "method-not-allowed"), "{method} {path}");
        assert_eq!(response.headers["allow"], allow, "{method} {path}");
    }
    assert_eq!((service.wire.take(), model.requests()), ((vec![], 0), vec![]));
}

#[tokio::test]
async fn exactly_one_tenant_one_user_and_a_role_are_required() {
    let (service, model) = watched().await;
    let me = service.person();
    for header in ["x-tenant-id", "x-user-id", "x-roles"] {
        let response = me.send_with(Method::POST, "/chat", b"{\"message\": \"x\"}".to_vec(), &[(header, "x")]).await;
        // A caller may have several roles, and the highest counts.
        let expected = if header == "x-roles" { 200 } else { 403 };
        assert_eq!(response.status, expected, "{header}: {}", response.body);
    }
    service.wire.take();
    model.requests();
    let long = "x".repeat(129);
    for (tenant, user, role) in [
        ("", "me", "admin"),
        (" ", "me", "admin"),
        ("a b", "me", "admin"),
        ("[a b]", "me", "admin"),
        ("a,b", "me", "admin"),
        ("é", "me", ""),
        (&long, "me", "admin"),
        ("demo", "", "admin"),
        ("demo", &long, "admin"),
        ("demo", "me", ""),
        ("demo", "me", "superadmin"),
    ] {
        let who = service.who(tenant, user, role);
        for (method, path) in [(Method::POST, "/chat"), (Method::GET, "/expenses"), (Method::GET, "/expenses/1")] {
            // The caller is checked before the body.
            let response = who.send(method, path, b"not JSON".to_vec()).await;
            assert_eq!(problem(&response).0, 403, "{tenant:?} {user:?} {role:?} {path}");
        }
    }
    assert_eq!((service.wire.take(), model.requests()), ((vec![], 0), vec![]));
}

#[tokio::test]
async fn malformed_ids_give_the_same_problem_as_unknown_ids() {
    let service = Setup::default().start().await;
    let me = service.person();
    let unknown = "f".repeat(32);
    let malformed =
        ["x", "F", "%20", "%ff", "..%2Fx", &"f".repeat(31), &"f".repeat(33), &"F".repeat(32), "%00", &"9".repeat(5000)];
    let absent = |response: &Response| (problem(response).0, problem(response).1 == "no-such-proposal");
    let (path, body) = (|id: &str| format!("/proposals/{id}"), json!({ "fingerprint": "x" }));
    let read = me.get(&path(&unknown)).await;
    let confirmed = me.post(&format!("{}/confirm", path(&unknown)), body.clone()).await;
    assert_eq!((absent(&read), absent(&confirmed)), ((404, true), (404, true)));
    for id in malformed {
        let same = |response: Response, like: &Response| {
            assert_eq!(
                (response.status, &response.headers, &response.bytes),
                (like.status, &like.headers, &like.bytes)
            );
        };
        same(me.get(&path(id)).await, &read);
        same(me.post(&format!("{}/confirm", path(id)), body.clone()).await, &confirmed);
        same(me.post(&format!("{}/reject", path(id)), body.clone()).await, &confirmed);
        let form = json!({ "confirm": { "decision": "approve", "proposalId": id, "fingerprint": "x" } });
        same(me.post("/chat", form).await, &confirmed);
    }
    let row = me.get("/expenses/99").await;
    assert_eq!((problem(&row).0, problem(&row).1), (404, "no-such-expense"));
    for id in ["x", "-1", "1.0", "1e3", "%ff", "%00", "18446744073709551616", " 1", "１"] {
        let id = percent_encoding::utf8_percent_encode(id, percent_encoding::CONTROLS).to_string();
        assert_eq!(me.get(&format!("/expenses/{}", id.replace(' ', "%20"))).await.bytes, row.bytes, "{id}");
    }
}

#[tokio::test]
async fn a_fingerprint_that_was_not_shown_approves_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    let shown = proposal["fingerprint"].as_str().unwrap().to_owned();
    let path = format!("/proposals/{}", proposal["id"].as_str().unwrap());
    for forged in ["", " ", "x", &shown[1..], &shown.to_uppercase(), &format!("{shown} "), &"0".repeat(60_000)] {
        for decision in ["confirm", "reject"] {
            let response = me.post(&format!("{path}/{decision}"), json!({ "fingerprint": forged })).await;
            let (status, slug, detail) = problem(&response);
            assert_eq!((status, slug), (422, "fingerprint-mismatch"));
            assert!(detail.contains("Read the proposal again"), "{detail}");
        }
    }
    assert_eq!(me.get(&path).await.body["state"], "PENDING");
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_cursor_is_only_valid_for_its_own_list() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 and tea 2 and cake 4").await;
    me.says("yes").await;
    let first = me.get("/expenses?limit=2").await.body;
    let cursor = first["nextCursor"].as_str().expect("there is more").to_owned();
    let second = me.get(&format!("/expenses?limit=1&cursor={cursor}")).await.body;
    assert_eq!((second["count"].clone(), second["items"][0]["item"].clone()), (json!(1), json!("coffee")));
    let mut tampered: Vec<String> = (0..cursor.len())
        .map(|at| {
            let other = if cursor.as_bytes()[at] == b'A' { "B" } else { "A" };
            format!("/expenses?limit=2&cursor={}{other}{}", &cursor[..at], &cursor[at + 1..])
        })
        .collect();
    tampered.extend([
        format!("/expenses?limit=2&from=2026-01-01&cursor={cursor}"),
        format!("/expenses?limit=2&category=food&cursor={cursor}"),
        "/expenses?cursor=%00".to_owned(),
        "/expenses?cursor=AAAA".to_owned(),
        format!("/expenses?cursor={}", "A".repeat(256)),
    ]);
    service.wire.take();
    for path in tampered {
        let response = me.get(&path).await;
        let (status, slug, detail) = problem(&response);
        assert_eq!((status, slug), (400, "malformed-request"), "{path}");
        assert!(detail.contains("Leave it out to start again"), "{detail}");
    }
    let (calls, _) = service.wire.take();
    assert!(calls.iter().all(|call| call.operation == "Query"), "{calls:?}");
    let elsewhere = service.who("acme", "me", "admin");
    assert_eq!(elsewhere.get(&format!("/expenses?limit=2&cursor={cursor}")).await.status, 400);
}

#[tokio::test]
async fn a_list_may_have_no_first_or_no_last_day() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 yesterday and tea 2 today").await;
    me.says("yes").await;
    for (query, items) in [
        ("from=2026-11-20", json!(["tea"])),
        ("to=2026-11-19", json!(["coffee"])),
        ("from=2026-11-19&to=2026-11-20", json!(["tea", "coffee"])),
        ("from=1970-01-01&to=9999-12-31", json!(["tea", "coffee"])),
        ("from=0001-01-01", json!(["tea", "coffee"])),
        ("from=2026-11-21", json!([])),
    ] {
        let response = me.get(&format!("/expenses?{query}")).await;
        assert_eq!(response.status, 200, "{query}: {}", response.body);
        let found: Vec<_> = response.body["items"].as_array().unwrap().iter().map(|row| row["item"].clone()).collect();
        assert_eq!(json!(found), items, "{query}");
    }
}

/// By way of the generic address, too.
#[tokio::test]
async fn expenses_are_the_same_at_both_addresses() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 yesterday and tea 2 and 9 euros for a cake").await;
    me.says("yes").await;
    let cursor = me.get("/expenses?limit=1").await.body["nextCursor"].as_str().expect("there is more").to_owned();
    for rest in [
        "".to_owned(),
        "?from=2026-11-20".to_owned(),
        "?from=0001-01-01&to=2026-11-19".to_owned(),
        "?limit=2&order=oldest".to_owned(),
        format!("?limit=1&cursor={cursor}"),
        "?text=coffee".to_owned(),
        "?minAmount=3".to_owned(),
        "?currency=EUR&maxAmount=9.00&category=nothing".to_owned(),
        "?hasNotes=false".to_owned(),
        "?order=largest&currency=GBP".to_owned(),
        "?words=coffee&without=tea&without=cake".to_owned(),
        "?page=2".to_owned(),
        "?hasNotes=1".to_owned(),
        "?currency=XYZ".to_owned(),
        "?limit=0".to_owned(),
        "?from=2026-11-02&to=2026-11-01".to_owned(),
        "?cursor=AAAA".to_owned(),
        "/1".to_owned(),
    ] {
        let (alias, generic) =
            (me.get(&format!("/expenses{rest}")).await, me.get(&format!("/records/expense{rest}")).await);
        assert_eq!((alias.status, alias.headers.get("etag")), (generic.status, generic.headers.get("etag")), "{rest}");
        assert_eq!(alias.bytes, generic.bytes, "{rest}");
    }
    let tag = me.get("/records/expense").await.headers["etag"].to_str().unwrap().to_owned();
    let again = me.send_with(Method::GET, "/records/expense", vec![], &[("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
}

#[tokio::test]
async fn malformed_parameters_of_records_are_refused() {
    let service = Setup::default().start().await;
    for query in [
        "limit=501", "limit=x", "limit=1&limit=2", "from=2026-02-30", "order=best", "category=a&category=b",
        "minAmount=much", "hasNotes=1", "range=today", "page=2",
    ] {
        let response = service.person().get(&format!("/records/expense?{query}")).await;
        let (status, slug, detail) = problem(&response);
        assert_eq!((status, slug), (400, "malformed-request"), "{query}");
        assert!(detail.ends_with(". Correct it or leave it out."), "{detail}");
    }
}

#[tokio::test]
async fn a_parameter_that_a_list_does_not_know_is_named_with_those_that_it_knows() {
    let toolkits = vec![sayso::workspace::toolkit()];
    let service = Setup { toolkits, ..Setup::default() }.start().await;
    for (address, detail) in [
        (
            "/expenses?item=tea",
            "There is no parameter \"item\" here, only `cursor`, `from`, `limit`, `order`, `to`, `whose`, `category`, \
             `categories`, `words`, `minAmount`, `maxAmount`, `moreThan`, `lessThan`, `currency`, `text`, `hasNotes`, \
             `without`. Correct it or leave it out.",
        ),
        (
            "/records/task?item=tea",
            "There is no parameter \"item\" here, only `cursor`, `from`, `limit`, `order`, `to`, `whose`, `text`, \
             `words`. Correct it or leave it out.",
        ),
        (
            "/receipts?from=2026-11-01",
            "There is no parameter \"from\" here, only `cursor`, `limit`. Correct it or leave it out.",
        ),
    ] {
        let response = service.person().get(address).await;
        assert_eq!(problem(&response), (400, "malformed-request", detail), "{address}");
    }
}

#[tokio::test]
async fn records_that_are_not_there_look_the_same_whatever_the_reason() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("yes").await;
    assert_eq!(me.get("/records/expense/1").await.status, 200);
    let missing = me.get("/records/expense/99").await;
    assert_eq!((problem(&missing).0, problem(&missing).1), (404, "no-such-record"));
    for path in [
        "/records/expense/x",
        "/records/expense/%ff",
        "/records/nothing",
        "/records/nothing?limit=x",
        "/records/nothing/1",
        "/records/%ff",
        "/records/E/1",
        "/records/budget",
        "/records/budget/1",
    ] {
        let response = me.get(path).await;
        assert_eq!((response.status, &response.bytes), (missing.status, &missing.bytes), "{path}");
    }
    let other = service.who("acme", "me", "admin");
    assert_eq!(other.get("/records/expense/1").await.bytes, missing.bytes);
    assert_eq!(other.get("/records/expense").await.body["items"], json!([]));
}

#[tokio::test]
async fn an_unchanged_list_is_not_sent_again() {
    let service = Setup::default().start().await;
    let me = service.person();
    let first = me.get("/expenses").await;
    let tag = first.headers["etag"].to_str().unwrap().to_owned();
    let again = async |tag: &str| me.send_with(Method::GET, "/expenses", vec![], &[("if-none-match", tag)]).await;
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let same = again(&known).await;
        assert_eq!(
            (same.status, same.bytes.len(), &same.headers["etag"]),
            (StatusCode::NOT_MODIFIED, 0, &first.headers["etag"])
        );
        check_headers(&same);
    }
    for unknown in ["", "x", "\"x\"", tag.trim_matches('"')] {
        assert_eq!(again(unknown).await.bytes, first.bytes);
    }
    me.says("coffee 3.50").await;
    assert_eq!(again(&tag).await.status, 304, "a proposal changes no list");
    me.says("yes").await;
    let changed = again(&tag).await;
    assert_eq!((changed.status, changed.body["count"].clone()), (StatusCode::OK, json!(1)));
    assert_ne!(changed.headers["etag"], first.headers["etag"]);
    check_headers(&changed);
}

/// The body of every type of problem that a client can cause.
#[tokio::test]
async fn every_problem_has_its_documented_body() {
    let service = Setup::default().start().await;
    let me = service.person();
    let confirm = |proposal: &Value| {
        json!({ "confirm": {
            "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve",
        }})
    };
    let unknown = json!({ "id": "0".repeat(32), "fingerprint": "x" });
    let mut problems = vec![
        post_bytes(me, "[]").await,
        me.post("/chat", json!({ "message": "x".repeat(4001) })).await,
        me.post("/chat", json!({ "message": "x", "userContext": { "currency": "XYZ" } })).await,
        service.who("", "me", "admin").get("/expenses").await,
        service.who("demo", "me", "viewer").post("/chat", json!({ "message": "coffee 3.50" })).await,
        me.get("/nowhere").await,
        me.get("/chat").await,
        me.get("/expenses/1").await,
        me.get("/records/expense/1").await,
        me.post("/chat", confirm(&unknown)).await,
        me.get("/expenses?cursor=AAAA").await,
    ];
    let mut forged = me.says("coffee 3.50").await["proposal"].clone();
    forged["fingerprint"] = json!("x");
    problems.push(me.post("/chat", confirm(&forged)).await);
    me.chat(json!({ "message": "hello", "messageId": "m-1" })).await;
    problems.push(me.post("/chat", json!({ "message": "other", "messageId": "m-1" })).await);
    for problem in &problems {
        self::problem(problem);
    }
    let bodies: Vec<&str> = problems.iter().map(|problem| str::from_utf8(&problem.bytes).unwrap()).collect();
    insta::assert_snapshot!(bodies.join("\n"), @r#"
    {"type":"urn:sayso:problem:malformed-request","title":"The request cannot be read","status":400,"detail":"The body must be a JSON object, like {\"message\": \"coffee 3.50\"}."}
    {"type":"urn:sayso:problem:too-large","title":"Too much at once","status":413,"detail":"`message` is longer than 4000 characters. Send a shorter one."}
    {"type":"urn:sayso:problem:unprocessable","title":"The request cannot be done","status":422,"detail":"`userContext.currency`: I don't know the currency \"XYZ\". Give its three-letter code, like GBP, EUR or USD."}
    {"type":"urn:sayso:problem:forbidden","title":"Not allowed","status":403,"detail":"The token must name exactly one tenant. Sign in again, or ask your administrator."}
    {"type":"urn:sayso:problem:forbidden","title":"Not allowed","status":403,"detail":"Your role is viewer, so you can look but not add. Ask an administrator for another role."}
    {"type":"urn:sayso:problem:no-such-route","title":"Nothing here","status":404,"detail":"There is nothing at this address. Send messages to POST /chat, or read GET /expenses."}
    {"type":"urn:sayso:problem:method-not-allowed","title":"Method not allowed","status":405,"detail":"This address does not support this method. The Allow header lists the supported ones."}
    {"type":"urn:sayso:problem:no-such-expense","title":"No such expense","status":404,"detail":"This expense does not exist. Read GET /expenses to see which ones do."}
    {"type":"urn:sayso:problem:no-such-record","title":"No such record","status":404,"detail":"This record does not exist. Check the kind and the id in the address."}
    {"type":"urn:sayso:problem:no-such-proposal","title":"No such proposal","status":404,"detail":"This proposal does not exist. Say again what you want."}
    {"type":"urn:sayso:problem:malformed-request","title":"The request cannot be read","status":400,"detail":"The cursor does not belong to this list. Leave it out to start again."}
    {"type":"urn:sayso:problem:fingerprint-mismatch","title":"Not what was shown","status":422,"detail":"This is not what was shown. Read the proposal again, and send its current fingerprint."}
    {"type":"urn:sayso:problem:message-id-reused","title":"Message id used before","status":422,"detail":"This message id was already used for another message. Send the new message with a new id."}
    "#);
}

/// The problem includes the current proposal, so that a page can show it.
#[tokio::test]
async fn a_problem_with_a_decision_shows_the_proposal() {
    let service = Setup::default().start().await;
    let me = service.person();
    let rejected = me.says("coffee 3.50").await["proposal"].clone();
    me.says("no").await;
    let late = me.says("tea 2").await["proposal"].clone();
    service.advance(std::time::Duration::from_hours(24));
    for (proposal, status, slug, state) in
        [(rejected, 409, "proposal-closed", "REJECTED"), (late, 410, "proposal-expired", "EXPIRED")]
    {
        let response = me.decide(&proposal, "approve").await;
        assert_eq!((problem(&response).0, problem(&response).1), (status, slug));
        assert!(problem(&response).2.contains("Say it again"), "{}", problem(&response).2);
        let mut expected = proposal.clone();
        expected["state"] = json!(state);
        assert_eq!(response.body["proposal"], expected);
    }
}

#[tokio::test]
async fn every_answer_has_the_documented_headers() {
    let service = Setup::default().start().await;
    let me = service.person();
    for response in [
        me.post("/chat", json!({ "message": "coffee 3.50" })).await,
        me.post("/api/chat", json!({ "message": "yes" })).await,
        me.get("/expenses").await,
        me.get("/expenses/1").await,
        me.get("/health").await,
        me.send(Method::HEAD, "/expenses", vec![]).await,
    ] {
        assert_eq!(response.status, 200, "{}", response.body);
        assert_eq!(response.headers["content-type"], "application/json");
        check_headers(&response);
    }
}

/// One service for all cases of a property, because starting one takes longer than a case.
fn with_service(check: impl Fn(&tokio::runtime::Runtime, Person<'_>, &mut TestRunner)) {
    static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
    let runtime =
        RUNTIME.get_or_init(|| tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime"));
    let service = runtime.block_on(Setup::default().start());
    check(runtime, service.person(), &mut property(128));
}

fn answered(response: &Response) -> Result<(), TestCaseError> {
    prop_assert!(response.status.as_u16() < 500, "{} {}", response.status, response.body);
    prop_assert!(response.body.is_object(), "{} {:?}", response.status, response.bytes);
    if response.status != 200 {
        problem(response);
    }
    Ok(())
}

#[test]
fn arbitrary_bytes_never_cause_a_server_error() {
    with_service(|runtime, me, runner| {
        let bytes = proptest::collection::vec(any::<u8>(), 0..200);
        let result = runner.run(&bytes, |bytes| answered(&runtime.block_on(post_bytes(me, bytes))));
        result.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

#[test]
fn arbitrary_json_never_causes_a_server_error() {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "approve", "reject", "add_expense", "delete_expense", "batch", "user", "yes", "3.50"
        ])
        .prop_map(Value::from),
    ];
    let names = vec![
        "message", "question", "history", "role", "content", "confirm", "tool", "args", "item", "amount", "currency",
        "date", "category", "notes", "calls", "arguments", "id", "decision", "proposalId", "fingerprint",
        "conversationId", "messageId", "userContext", "timezone", "activeFilters", "applyFiltersToQuery", "range",
    ];
    let names = prop::sample::select(names).prop_map(str::to_owned);
    let value = leaf.prop_recursive(4, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    with_service(|runtime, me, runner| {
        let result = runner.run(&value, |body| answered(&runtime.block_on(me.post("/chat", body))));
        result.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

#[test]
fn valid_requests_with_changed_bytes_never_cause_a_server_error() {
    const VALID: [&str; 5] = [
        r#"{"message": "coffee 3.50 yesterday and lunch 12 today", "messageId": "m-1", "conversationId": "c"}"#,
        r#"{"confirm": {"tool": "add_expense", "args": {"item": "tea", "amount": "2.00", "date": "2026-11-19"}}}"#,
        r#"{"confirm": {"proposalId": "00000000000000000000000000000001", "fingerprint": "x", "decision": "approve"}}"#,
        r#"{"history": [{"role": "user", "content": "coffee"}, {"role": "user", "content": "3.50"}]}"#,
        r#"{"message": "how much?", "userContext": {"timezone": "Asia/Tokyo", "currency": "JPY"}, "activeFilters": {"range": "2026-11"}, "applyFiltersToQuery": true}"#,
    ];
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..3_u8);
    let cases = (prop::sample::select(&VALID[..]), prop::collection::vec(change, 1..4));
    with_service(|runtime, me, runner| {
        let result = runner.run(&cases, |(valid, changes)| {
            let mut body = valid.as_bytes().to_vec();
            for (at, byte, kind) in changes {
                let at = at.index(body.len());
                match kind {
                    0 => body[at] = byte,
                    1 => body.insert(at, byte),
                    _ => drop(body.remove(at)),
                }
            }
            answered(&runtime.block_on(post_bytes(me, body)))
        });
        result.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

#[test]
fn arbitrary_addresses_never_cause_a_server_error() {
    let query = "(limit|cursor|from|to|category|x)=[ -~]{0,20}(&(from|to|limit|category)=[0-9a-z%+-]{0,12}){0,2}";
    let path = format!("/[!-~]{{0,30}}|/expenses\\?{query}|/(expenses|proposals)/[!-~]{{0,40}}");
    // The page itself is no JSON.
    let is_address = |path: &String| path.parse::<http::Uri>().is_ok_and(|uri| uri.path() != "/");
    let path = path.as_str().prop_filter("an address", is_address);
    with_service(|runtime, me, runner| {
        let result = runner.run(&path, |path| answered(&runtime.block_on(me.get(&path))));
        result.unwrap_or_else(|failure| panic!("{failure}"));
    });
}
