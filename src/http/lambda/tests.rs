//! The request that the router gets for each event. `tests/suite/lambda.rs` tests statuses and bodies of the whole
//! service.

use std::time::Duration;

use axum::{extract::Request, http::StatusCode, response::AppendHeaders, routing::any};
use http_body_util::BodyExt;
use lambda_runtime::Context;

use super::*;
use crate::identity::VerifiedClaims;

/// Answers with the request it got.
fn echo() -> Router {
    Router::new().fallback(any(async |request: Request| {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map(|body| body.to_bytes().to_vec());
        let values = |name: &str| {
            parts.headers.get_all(name).iter().map(|value| value.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let request = json!({
            "method": parts.method.as_str(),
            "uri": parts.uri.to_string(),
            "accept": values("accept"),
            "cookie": values("cookie"),
            "claims": parts.extensions.get::<VerifiedClaims>().map(|claims| &claims.0),
            "remaining": parts.extensions.get::<Remaining>().map(|Remaining(left)| left.as_millis()),
            "body": body.ok().map(|body| String::from_utf8_lossy(&body).into_owned()),
        });
        ([("content-type", "application/json")], request.to_string())
    }))
}

async fn answered(router: Router, audience: Option<&str>, event: &Value) -> Result<Answer, EventError> {
    let event = LambdaEvent::new(to_raw_value(event).unwrap(), Context::default());
    let remaining = Some(Remaining(Duration::from_secs(9)));
    let audience = audience.map(|one| [one.to_owned()].into());
    answer(router, audience, async || Ok(json!("swept")), remaining, event).await
}

async fn reply(router: Router, event: &Value) -> Result<Value, EventError> {
    match answered(router, None, event).await? {
        FunctionResponse::BufferedResponse(reply) => Ok(serde_json::from_str(reply.get()).unwrap()),
        FunctionResponse::StreamingResponse(_) => panic!("streamed: {event}"),
    }
}

async fn request_of(event: Value) -> Value {
    let reply = reply(echo(), &event).await.unwrap();
    serde_json::from_str(reply["body"].as_str().unwrap()).unwrap()
}

fn http_api(changes: Value) -> Value {
    let mut event = json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/chat",
        "rawQueryString": "",
        "headers": {"accept": "a,b", "host": "api.example.com"},
        "requestContext": {"http": {"method": "POST"}, "stage": "$default"},
        "isBase64Encoded": false,
    });
    event.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    event
}

fn rest_api(changes: Value) -> Value {
    let mut event = json!({
        "resource": "/{proxy+}",
        "path": "/chat",
        "pathParameters": {"proxy": "chat"},
        "httpMethod": "POST",
        "headers": {"Accept": "b", "Host": "api.example.com"},
        "multiValueHeaders": {"Accept": ["a", "b"], "Host": ["api.example.com"]},
        "queryStringParameters": null,
        "multiValueQueryStringParameters": null,
        "requestContext": {"httpMethod": "POST", "stage": "prod", "path": "/prod/chat"},
        "body": null,
        "isBase64Encoded": false,
    });
    event.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    event
}

fn load_balancer(changes: Value) -> Value {
    let mut event = json!({
        "path": "/chat",
        "httpMethod": "POST",
        "multiValueHeaders": {"accept": ["a", "b"], "cookie": ["c=1; d=2"], "host": ["api.example.com"]},
        "requestContext": {"elb": {"targetGroupArn": "arn"}},
        "body": "",
        "isBase64Encoded": false,
    });
    event.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    event
}

#[tokio::test]
async fn every_event_type_becomes_a_complete_request() {
    let claims = json!({"sub": "u"});
    let context = json!({
        "http": {"method": "PUT"}, "stage": "$default", "authorizer": {"jwt": {"claims": claims, "scopes": null}},
    });
    let expected = |claims: &Value, cookies: &[&str], accept: &[&str], body: &str| {
        json!({
            "method": "PUT", "uri": "/chat", "accept": accept, "cookie": cookies, "claims": claims,
            "remaining": 9000, "body": body,
        })
    };
    let event = http_api(json!({"requestContext": context, "cookies": ["c=1", "d=2"], "body": "é"}));
    assert_eq!(request_of(event).await, expected(&claims, &["c=1; d=2"], &["a,b"], "é"));
    let context = json!({"httpMethod": "PUT", "stage": "prod", "authorizer": {"claims": claims}});
    let event = rest_api(json!({"requestContext": context, "httpMethod": "PUT", "body": "é"}));
    assert_eq!(request_of(event).await, expected(&claims, &[], &["a", "b"], "é"));
    let event = load_balancer(json!({"httpMethod": "PUT", "body": "w6k=", "isBase64Encoded": true}));
    assert_eq!(request_of(event).await, expected(&Value::Null, &["c=1; d=2"], &["a", "b"], "é"));
    let single = json!({"multiValueHeaders": null, "headers": {"accept": "b"}, "httpMethod": "PUT"});
    assert_eq!(request_of(load_balancer(single.clone())).await, expected(&Value::Null, &[], &["b"], ""));
    assert_eq!(request_of(rest_api(single)).await, expected(&Value::Null, &[], &["b"], ""));
}

#[tokio::test]
async fn the_router_gets_the_address_that_was_sent() {
    let query = |all: Value| json!({"multiValueQueryStringParameters": all, "queryStringParameters": {"a": "last"}});
    for (event, uri) in [
        (http_api(json!({"rawQueryString": "a=1+2&a=%26%3D&b"})), "/chat?a=1+2&a=%26%3D&b"),
        (http_api(json!({"rawQueryString": "a=é \"#"})), "/chat?a=%C3%A9%20%22%23"),
        (http_api(json!({"rawPath": "/proposals/a%2Fb%20c"})), "/proposals/a%2Fb%20c"),
        (http_api(json!({"rawPath": "/proposals/a b?é#"})), "/proposals/a%20b%3F%C3%A9%23"),
        (http_api(json!({"rawPath": "/a/../b/%2e%2e/./c"})), "/a/../b/%2e%2e/./c"),
        (http_api(json!({"rawPath": "//evil.example/chat"})), "//evil.example/chat"),
        (http_api(json!({"rawPath": ""})), "/"),
        (http_api(json!({"rawPath": null})), "/"),
        (http_api(json!({"headers": {"host": "no host at all", "x-forwarded-proto": "::"}})), "/chat"),
        (rest_api(query(json!({"a": ["1 2", "&=+%"]}))), "/chat?a=1+2&a=%26%3D%2B%25"),
        (rest_api(json!({"queryStringParameters": {"a": "1"}})), "/chat?a=1"),
        (
            rest_api(json!({"path": "/v1/proposals/a%2Fb", "pathParameters": {"proxy": "proposals/a%2Fb"}})),
            "/proposals/a%2Fb",
        ),
        (rest_api(json!({"path": "/v1/chat/"})), "/chat/"),
        (rest_api(json!({"path": "/v1", "resource": "/", "pathParameters": null})), "/"),
        (load_balancer(query(json!({"a": ["1+2", "%26%3D"]}))), "/chat?a=1+2&a=%26%3D"),
        (load_balancer(json!({"queryStringParameters": {"a": "%C3%A9"}})), "/chat?a=%C3%A9"),
        (load_balancer(json!({"path": "/proposals/a%2Fb"})), "/proposals/a%2Fb"),
    ] {
        assert_eq!(request_of(event.clone()).await["uri"], uri, "{event}");
    }
    let long = http_api(json!({"rawPath": format!("/{}", "x".repeat(70_000))}));
    assert_eq!(reply(echo(), &long).await.unwrap()["statusCode"], 404);
}

#[tokio::test]
async fn a_body_that_is_not_base64_cannot_be_read() {
    for text in ["!", "e30", "é"] {
        let event = http_api(json!({"body": text, "isBase64Encoded": true}));
        assert_eq!(request_of(event).await["body"], Value::Null, "{text}");
    }
    let event = http_api(json!({"body": "/wA=", "isBase64Encoded": true}));
    assert_eq!(request_of(event).await["body"], "\u{fffd}\0");
}

#[tokio::test]
async fn a_reply_has_the_form_of_its_event_type() {
    let router = |kind: &'static str, body: &'static [u8]| {
        Router::new().fallback(any(async move || {
            let cookies = AppendHeaders([("set-cookie", "c=1"), ("set-cookie", "d=2")]);
            (StatusCode::CREATED, [("content-type", kind), ("vary", "a")], cookies, body)
        }))
    };
    let all = |kind: &str| json!({"content-type": [kind], "content-length": ["2"], "set-cookie": ["c=1", "d=2"], "vary": ["a"]});
    let http_api = reply(router("text/csv", b"hi"), &http_api(json!({}))).await.unwrap();
    let expected = json!({
        "statusCode": 201, "headers": {"content-type": "text/csv", "content-length": "2", "vary": "a"},
        "multiValueHeaders": {}, "cookies": ["c=1", "d=2"], "body": "hi", "isBase64Encoded": false,
    });
    assert_eq!(http_api, expected);
    let rest_api = reply(router("image/png", b"\xffi"), &rest_api(json!({}))).await.unwrap();
    let expected = json!({
        "statusCode": 201, "headers": {}, "multiValueHeaders": all("image/png"), "body": "/2k=", "isBase64Encoded": true,
    });
    assert_eq!(rest_api, expected);
    let load_balancer = reply(router("application/problem+json", b"hi"), &load_balancer(json!({}))).await.unwrap();
    assert_eq!(load_balancer["statusDescription"], "201 Created");
    assert_eq!(load_balancer["multiValueHeaders"], all("application/problem+json"));
    assert_eq!((&load_balancer["body"], &load_balancer["isBase64Encoded"]), (&json!("hi"), &json!(false)));
}

#[tokio::test]
async fn where_a_rest_api_streams_its_replies_have_the_streamed_form_and_no_others() {
    let router = Router::new().fallback(any(async || {
        let pieces = ["event: done\n", "data: {}\n\n"].map(|piece| Ok(Bytes::from(piece)));
        let broken = [Err(std::io::Error::other("broken"))];
        let body = axum::body::Body::from_stream(futures_util::stream::iter(pieces.into_iter().chain(broken)));
        let twice = AppendHeaders([("vary", "a"), ("vary", "b"), ("content-type", "text/event-stream")]);
        (StatusCode::ACCEPTED, twice, body)
    }));
    let FunctionResponse::StreamingResponse(StreamResponse { metadata_prelude, stream }) =
        answered(router.clone(), Some("page"), &rest_api(json!({}))).await.unwrap()
    else {
        panic!("buffered");
    };
    let expected = json!({
        "statusCode": 202,
        "headers": {
            "vary": "a, b", "content-type": "text/event-stream", "access-control-allow-origin": "*",
            "access-control-expose-headers": "retry-after",
        },
        "cookies": [],
    });
    assert_eq!(serde_json::to_value(metadata_prelude).unwrap(), expected);
    let pieces: Vec<Bytes> = stream.map(|Ok(piece)| piece).collect().await;
    assert_eq!(pieces, ["event: done\n", "data: {}\n\n"]);
    for event in [http_api(json!({})), load_balancer(json!({}))] {
        let answer = answered(echo(), Some("page"), &event).await.unwrap();
        assert!(matches!(answer, FunctionResponse::BufferedResponse(_)), "{event}");
    }
}

#[tokio::test]
async fn a_scheduled_event_sweeps_and_any_other_event_is_refused() {
    for source in ["aws.events", "aws.scheduler"] {
        let event = json!({"source": source, "detail-type": "Scheduled Event", "detail": {}});
        assert_eq!(reply(echo(), &event).await, Ok(json!("swept")));
    }
    for event in
        [json!({"Records": []}), json!({"detail-type": "Other"}), json!("x"), json!(null), json!({"httpMethod": "GET"})]
    {
        assert_eq!(reply(echo(), &event).await, Err(EventError::NotServed), "{event}");
    }
}

#[tokio::test]
async fn an_answer_that_lambda_would_refuse_is_a_problem() {
    // Quotation marks are escaped in a reply, so this is larger than it looks.
    let large = Router::new().fallback(any(async || "\"".repeat(4 * 1024 * 1024)));
    let reply = reply(large, &http_api(json!({}))).await.unwrap();
    let body: Value = serde_json::from_str(reply["body"].as_str().unwrap()).unwrap();
    assert_eq!((&reply["statusCode"], &body["type"]), (&json!(422), &json!("urn:sayso:problem:answer-too-large")));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_a_problem_and_no_part_of_it() {
    let pieces = || futures_util::stream::iter([Ok("a part"), Err(std::io::Error::other("a fault"))]);
    let broken = Router::new().fallback(any(async move || axum::body::Body::from_stream(pieces())));
    let reply = reply(broken, &http_api(json!({}))).await.unwrap();
    let body: Value = serde_json::from_str(reply["body"].as_str().unwrap()).unwrap();
    assert_eq!((&reply["statusCode"], &body["type"]), (&json!(503), &json!("urn:sayso:problem:store-unavailable")));
}
