//! The number of store calls and of sequential round trips for each kind of turn. Calls issued together count once.

use std::sync::Arc;

use jiff::civil::date;
use rstest::rstest;
use sayso::{
    expenses::Expense,
    model::Completion,
    money::{Currency, Money},
    proposal::{Policy, Record},
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup, caller,
    scripted::{Scripted, calls, text},
    wire::TENANT,
};

/// The round trips of one message, and its operations in order.
async fn trips(service: &Service, me: Person<'_>, body: Value) -> (usize, Vec<String>) {
    service.wire.take();
    let reply = me.chat(body).await;
    assert!(reply["answer"].is_string());
    let (calls, rounds) = service.wire.take();
    (rounds, calls.into_iter().map(|call| call.operation).collect())
}

#[rstest]
#[tokio::test]
async fn every_turn_stays_within_its_budget_of_store_calls(#[values(false, true)] has_id: bool) {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Always, ..Setup::model(model.clone()) }.start().await;
    let me = service.person();
    // The message is claimed at the same time as the first reads, so an id costs no round trip.
    let claim = if has_id { &["PutItem"][..] } else { &[] };
    let read = [claim, &["Query", "Query"]].concat();
    // The claim is concluded with the turn.
    let conclude = if has_id { ["TransactWriteItems"] } else { ["PutItem"] };
    let expect = |found: (usize, Vec<String>), rounds: usize, calls: &[&str]| {
        assert_eq!(found, (rounds, calls.iter().map(ToString::to_string).collect()));
    };
    let id = |mut body: Value, n: usize| {
        if has_id {
            body["messageId"] = json!(format!("m{n}"));
        }
        body
    };
    let turn = async |n: usize, message: &str, answers: Vec<Completion>| {
        answers.into_iter().for_each(|answer| model.says(answer));
        trips(&service, me, id(json!({ "message": message }), n)).await
    };
    // A person's first turn also stores who they are.
    turn(0, "hello", vec![text("Hello.")]).await;
    let one = |tool: &'static str, arguments: Value| calls([(tool, arguments)]);

    // Settings, preferences and the sums for the prompt beside the conversation; then the turn.
    let question = json!({ "questions": [{ "text": "Which item, and how much?" }] });
    let clarify = turn(1, "I want to add an item", vec![one("ask_questions", question)]).await;
    expect(clarify, 2, &[&read[..], &conclude].concat());

    // One round trip before the model. Two after it: ids in parallel with the search for duplicates, then the write.
    let add = || one("add_expense", json!({ "item": "lunch", "amount": "12" }));
    let propose = turn(2, "lunch 12", vec![add()]).await;
    expect(propose, 3, &[&read[..], &["UpdateItem", "Query", "TransactWriteItems"]].concat());

    // The conversation has the proposal. No model.
    expect(turn(3, "yes", vec![]).await, 2, &[&read[..], &["TransactWriteItems"]].concat());

    model.says(one("add_expense", json!({ "item": "tea", "amount": "2" })));
    let proposal = me.says("tea 2").await["proposal"].clone();
    let confirm = json!({ "confirm": {
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve",
    }});
    let click = trips(&service, me, id(confirm.clone(), 4)).await;
    // A click needs no claim: its proposal tells whether it was decided.
    expect(click, 2, &["Query", "TransactWriteItems"]);
    expect(trips(&service, me, id(confirm, 4)).await, 1, &["Query"]);

    let balance = vec![one("get_balance", json!({ "range": "this month" })), text("You spent £14.00.")];
    expect(turn(5, "how much this month?", balance).await, 3, &[&read[..], &["Query"], &conclude].concat());

    // What was answered already is found with the claim.
    if has_id {
        expect(turn(5, "how much this month?", vec![]).await, 1, &read);
    }
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

/// Expenses of £1.00 in so many categories with long names: 1,500 of their rollups are more than a page of 1 MB.
async fn keep_in_categories(service: &Service, count: u64) {
    let money = Money { minor: 100, currency: Currency::GBP };
    let record = |id: u64| {
        let (item, category) = (format!("Thing {}", id % 9), Some(format!("{id:04}{}", "x".repeat(700))));
        let date = date(2026, 11, 2);
        let expense = Expense { item, money, date, category, notes: None, lines: vec![], bank_id: None };
        Record { id, version: 1, draft: expense.draft("me") }
    };
    let caller = caller("demo", "me");
    let keeping = async {
        let store = service.store.tenant(caller.tenant());
        store.allocate_ids("E", usize::try_from(count).expect("a few")).await.expect("ids");
        store.import(&(1..=count).map(record).collect::<Vec<_>>()).await.expect("rows");
    };
    TENANT.scope("demo".into(), keeping).await;
}

#[tokio::test]
async fn a_turn_reads_one_page_of_sums_at_most_and_tells_the_model_that_there_are_more() {
    const CUT: &str = "These sums are not complete";
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Always, ..Setup::model(model.clone()) }.start().await;
    let me = service.person();
    model.says(calls([("set_budget", json!({ "amount": "5000" }))]));
    me.says("budget 5000 a month").await;
    me.says("yes").await;
    let mut told = Vec::new();
    for more in [5, 1_500] {
        keep_in_categories(&service, more).await;
        service.wire.take();
        model.says(text("Hello."));
        me.says("hello").await;
        let (calls, _) = service.wire.take();
        let first = calls.iter().filter(|call| call.body["ExpressionAttributeValues"][":high"]["S"] == "M~");
        let prompt = model.requests().pop().expect("a request").system;
        told.push((first.count(), prompt.contains("In November 2026"), prompt.contains(CUT)));
    }
    assert_eq!(told, [(1, true, false), (1, true, true)]);

    // The status of a budget is of all sums.
    let before = me.get("/budgets").await.body["items"][0]["spent"].clone();
    model.says(calls([("add_expense", json!({ "item": "tea", "amount": "2" }))]));
    let shown = me.says("tea 2").await["proposal"].clone();
    let spent = me.decide(&shown, "approve").await.body["budgets"][0]["spent"].clone();
    // The first five were imported again.
    assert_eq!((before, spent), (json!("1505.00"), json!("1507.00")));
}
