//! MCP where no client can show it: when time passes, and when the store fails.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{Person, Setup, wire::Fate};

const TRANSACT: &str = "TransactWriteItems";

/// A call of a tool by a client that shows forms.
struct ToolCall<'a> {
    person: Person<'a>,
    name: &'static str,
    arguments: Value,
}

impl ToolCall<'_> {
    async fn send(&self, mut params: Value) -> (StatusCode, Value) {
        params["name"] = self.name.into();
        params["arguments"] = self.arguments.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", self.name)];
        let response = self.person.send_with(Method::POST, "/mcp", body.into_bytes(), &headers).await;
        (response.status, response.body)
    }

    /// Asks, and returns what says yes.
    async fn ask(&self) -> Value {
        let (_, asked) = self.send(json!({})).await;
        let yes = json!({ "confirm": { "action": "accept", "content": { "approve": true } } });
        json!({ "requestState": asked["result"]["requestState"], "inputResponses": yes })
    }
}

fn coffee(person: Person<'_>) -> ToolCall<'_> {
    ToolCall { person, name: "add_expense", arguments: json!({ "item": "coffee", "amount": "3.50" }) }
}

#[tokio::test]
async fn a_form_that_is_answered_after_a_day_writes_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    let call = coffee(me);
    let yes = call.ask().await;
    service.advance(Duration::from_secs(25 * 60 * 60));
    let (status, late) = call.send(yes).await;
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
    let call = coffee(me);
    let yes = call.ask().await;
    service.wire.fail(std::iter::repeat_n((TRANSACT, Fate::Throttle), 5));
    let (status, busy) = call.send(yes.clone()).await;
    let message = "Too much is happening at once. Nothing was changed. Try again in a moment.";
    let error = json!({ "code": -32603, "message": message });
    assert_eq!((status, busy), (StatusCode::SERVICE_UNAVAILABLE, json!({ "jsonrpc": "2.0", "id": 1, "error": error })));
    assert_eq!(me.rows().await, Vec::<Value>::new());
    let (status, done) = call.send(yes).await;
    assert_eq!((status, &done["result"]["structuredContent"]["status"]), (StatusCode::OK, &json!("done")));
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn a_yes_to_many_rows_tells_that_they_are_being_written() {
    let service = Setup { budget: Duration::from_secs(600), ..Setup::default() }.start().await;
    service.fill(150).await;
    let arguments = json!({ "select": { "range": "2025" } });
    let call = ToolCall { person: service.person(), name: "propose_operations", arguments };
    let yes = call.ask().await;
    // Less time than a chunk needs.
    service.grant(Duration::from_millis(7_900));
    let (status, begun) = call.send(yes.clone()).await;
    let begun = &begun["result"]["structuredContent"];
    assert_eq!((status, &begun["status"], begun.get("receipt")), (StatusCode::OK, &json!("running"), None));
    service.grant(Duration::from_secs(600));
    let (_, ended) = call.send(yes).await;
    let ended = &ended["result"]["structuredContent"];
    assert_eq!((&ended["status"], &ended["receipt"]["count"]), (&json!("done"), &begun["progress"]["total"]));
}
