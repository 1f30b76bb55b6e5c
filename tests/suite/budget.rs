//! The number of sequential round trips to the store for each kind of turn. Calls issued together count once.

use sayso::proposal::Policy;
use serde_json::{Value, json};

use crate::harness::{Person, Service, Setup};

/// The round trips of one message, and its operations in order.
async fn trips(service: &Service, me: Person<'_>, body: Value) -> (usize, Vec<String>) {
    service.wire.take();
    let reply = me.chat(body).await;
    assert!(reply["answer"].is_string());
    let (calls, rounds) = service.wire.take();
    (rounds, calls.into_iter().map(|call| call.operation).collect())
}

#[tokio::test]
async fn every_turn_stays_within_its_budget_of_round_trips() {
    let service = Setup::default().start().await;
    let me = service.person();
    let say = |text: &str| json!({ "message": text });
    let read = ["Query", "Query"];

    let clarify = trips(&service, me, say("I want to add an item")).await;
    assert_eq!(clarify, (2, [&read[..], &["PutItem"]].concat().iter().map(ToString::to_string).collect()));

    // One round trip before the model. Two after it: ids in parallel with the search for duplicates, then the write.
    let propose = trips(&service, me, say("electricity bill, £200")).await;
    let expected = [&read[..], &["UpdateItem", "Query", "TransactWriteItems"]].concat();
    assert_eq!(propose, (3, expected.iter().map(ToString::to_string).collect()));

    // Two reads, one transaction, no model.
    let typed = trips(&service, me, say("yes")).await;
    assert_eq!(
        typed,
        (3, [&read[..], &["Query", "TransactWriteItems"]].concat().iter().map(ToString::to_string).collect())
    );

    let proposal = me.says("lunch 12").await["proposal"].clone();
    let confirm = json!({ "confirm": {
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve",
    }});
    let form = trips(&service, me, confirm.clone()).await;
    // The proposal is read in parallel with preferences, which nothing waits for.
    assert!(form.0 <= 2, "{form:?}");
    assert_eq!(form.1, ["Query", "Query", "TransactWriteItems"]);
    let replay = trips(&service, me, confirm).await;
    assert_eq!(replay, (1, vec!["Query".into(), "Query".into()]));

    let balance = trips(&service, me, say("how much did I spend this month?")).await;
    assert_eq!(balance, (3, [&read[..], &["Query", "PutItem"]].concat().iter().map(ToString::to_string).collect()));
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
