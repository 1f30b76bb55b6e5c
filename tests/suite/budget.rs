//! The number of store calls and of sequential round trips for each kind of turn. Calls issued together count once.

use std::sync::Arc;

use sayso::{model::Completion, proposal::Policy};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup,
    scripted::{Scripted, calls, text},
};

/// The round trips of one message, and its operations in order.
async fn trips(service: &Service, me: Person<'_>, body: Value) -> (usize, Vec<String>) {
    service.wire.take();
    let reply = me.chat(body).await;
    assert!(reply["answer"].is_string());
    let (calls, rounds) = service.wire.take();
    (rounds, calls.into_iter().map(|call| call.operation).collect())
}

#[tokio::test]
async fn every_turn_stays_within_its_budget_of_store_calls() {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Always, ..Setup::model(model.clone()) }.start().await;
    let me = service.person();
    let read = ["Query", "Query"];
    let expect = |found: (usize, Vec<String>), rounds: usize, calls: &[&str]| {
        assert_eq!(found, (rounds, calls.iter().map(ToString::to_string).collect()));
    };
    let turn = async |message: &str, answers: Vec<Completion>| {
        answers.into_iter().for_each(|answer| model.says(answer));
        trips(&service, me, json!({ "message": message })).await
    };
    // A person's first turn also stores who they are.
    turn("hello", vec![text("Hello.")]).await;
    let one = |tool: &'static str, arguments: Value| calls([(tool, arguments)]);

    // Settings, preferences and the sums for the prompt beside the conversation; then the turn.
    let question = json!({ "questions": [{ "text": "Which item, and how much?" }] });
    let clarify = turn("I want to add an item", vec![one("ask_questions", question)]).await;
    expect(clarify, 2, &[&read[..], &["PutItem"]].concat());

    // One round trip before the model. Two after it: ids in parallel with the search for duplicates, then the write.
    let add = || one("add_expense", json!({ "item": "lunch", "amount": "12" }));
    let propose = turn("lunch 12", vec![add()]).await;
    expect(propose, 3, &[&read[..], &["UpdateItem", "Query", "TransactWriteItems"]].concat());

    // The conversation has the proposal. No model.
    expect(turn("yes", vec![]).await, 2, &[&read[..], &["TransactWriteItems"]].concat());

    model.says(one("add_expense", json!({ "item": "tea", "amount": "2" })));
    let proposal = me.says("tea 2").await["proposal"].clone();
    let confirm = json!({ "confirm": {
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve",
    }});
    expect(trips(&service, me, confirm.clone()).await, 2, &["Query", "TransactWriteItems"]);
    expect(trips(&service, me, confirm).await, 1, &["Query"]);

    let balance = vec![one("get_balance", json!({ "range": "this month" })), text("You spent £14.00.")];
    expect(turn("how much this month?", balance).await, 3, &[&read[..], &["Query", "PutItem"]].concat());
}

#[tokio::test]
async fn a_message_id_costs_no_round_trip() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let (rounds, calls) = trips(&service, me, json!({ "message": "coffee 3.50", "messageId": "m-1" })).await;
    assert_eq!(rounds, 3);
    assert_eq!(calls, ["PutItem", "Query", "Query", "UpdateItem", "Query", "TransactWriteItems"]);
    let (rounds, _) = trips(&service, me, json!({ "message": "coffee 3.50", "messageId": "m-1" })).await;
    assert_eq!(rounds, 1, "the kept reply is found with the claim");
}

#[tokio::test]
async fn several_expenses_cost_no_more_round_trips_than_one() {
    let service = Setup::default().start().await;
    let (rounds, _) =
        trips(&service, service.person(), json!({ "message": "tea 2, cake 3 and soup 5.50 yesterday" })).await;
    assert_eq!(rounds, 3);
}

#[tokio::test]
async fn a_stream_costs_no_store_call() {
    let (streamed, buffered) = (Setup::default().start().await, Setup::default().start().await);
    for body in [
        json!({ "message": "coffee 3.50", "messageId": "m1" }),
        json!({ "message": "yes" }),
        json!({ "message": "how much this month?" }),
    ] {
        let expected = trips(&buffered, buffered.person(), body.clone()).await;
        streamed.wire.take();
        streamed.person().stream("/chat", body).await;
        let (calls, rounds) = streamed.wire.take();
        assert_eq!((rounds, calls.into_iter().map(|call| call.operation).collect()), expected);
    }
}
