//! MCP where no client can show it: when time passes, and when the store fails.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{Person, Setup, wire::Fate};

const TRANSACT: &str = "TransactWriteItems";

async fn calls(person: Person<'_>, mut params: Value) -> (StatusCode, Value) {
    params["name"] = "add_expense".into();
    params["arguments"] = json!({ "item": "coffee", "amount": "3.50" });
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "add_expense")];
    let response = person.send_with(Method::POST, "/mcp", body.into_bytes(), &headers).await;
    (response.status, response.body)
}

/// The call sent again, with a yes to the form.
async fn asked_and_approved(person: Person<'_>) -> Value {
    let (_, asked) = calls(person, json!({})).await;
    let yes = json!({ "confirm": { "action": "accept", "content": { "approve": true } } });
    json!({ "requestState": asked["result"]["requestState"], "inputResponses": yes })
}

#[tokio::test]
async fn a_form_that_is_answered_after_a_day_writes_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    let yes = asked_and_approved(me).await;
    service.advance(Duration::from_secs(25 * 60 * 60));
    let (status, late) = calls(me, yes).await;
    let told = "It is too late to answer this, and nothing was changed. Say it again if you still want it.";
    let content = json!([{ "type": "text", "text": told }]);
    let result = &late["result"];
    assert_eq!((status, &result["content"], &result["isError"]), (StatusCode::OK, &content, &json!(true)));
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_yes_that_met_a_busy_store_can_be_sent_again_and_writes_once() {
    let service = Setup::default().start().await;
    let me = service.person();
    let yes = asked_and_approved(me).await;
    service.wire.fail(std::iter::repeat_n((TRANSACT, Fate::Throttle), 5));
    let (status, busy) = calls(me, yes.clone()).await;
    let message = "Too much is happening at once. Nothing was changed. Try again in a moment.";
    let error = json!({ "code": -32603, "message": message });
    assert_eq!((status, busy), (StatusCode::SERVICE_UNAVAILABLE, json!({ "jsonrpc": "2.0", "id": 1, "error": error })));
    assert_eq!(me.rows().await, Vec::<Value>::new());
    let (status, done) = calls(me, yes).await;
    assert_eq!((status, &done["result"]["structuredContent"]["status"]), (StatusCode::OK, &json!("done")));
    assert_eq!(me.rows().await.len(), 1);
}
