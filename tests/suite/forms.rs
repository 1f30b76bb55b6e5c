//! Changes by form: a page adds, changes and deletes rows without a message, through the same gate as everything else.

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};

use crate::harness::{
    Person, Response, Service, Setup,
    wire::Fate::{CommitThenDrop, Conflict, DropBefore, Served},
};

async fn service() -> Service {
    Setup::default().start().await
}

fn create(item: &str, amount: &str) -> Value {
    json!({ "op": "create", "kind": "expense", "fields": { "item": item, "amount": amount, "date": "2026-11-19" } })
}

/// What a click on a form's button sends.
fn click(operation: Value) -> Value {
    json!({ "operations": [operation], "approve": true })
}

async fn done(person: &Person<'_>, body: Value) -> Value {
    let Response { status, body, .. } = person.post("/proposals", body).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

async fn refused(person: &Person<'_>, body: Value) -> (u16, String) {
    let Response { status, body, .. } = person.post("/proposals", body).await;
    (status.as_u16(), body["detail"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned())
}

fn coffee() -> Value {
    json!({
        "id": 1, "kind": "expense", "item": "coffee", "amount": 3.5, "currency": "GBP",
        "money": { "amount": "3.50", "currency": "GBP" }, "date": "2026-11-19", "category": null, "notes": null,
        "owner": "me", "version": 1,
    })
}

#[tokio::test]
async fn a_click_writes_exactly_the_form_with_a_receipt_that_can_be_undone() {
    let service = service().await;
    let me = service.person();
    let reply = done(&me, click(create("coffee", "3.50"))).await;
    assert_eq!(reply["answer"], "Added “coffee”, £3.50, 19 Nov 2026 (#1).");
    assert_eq!((&reply["added"], &reply["confirmationRequired"]), (&json!([coffee()]), &json!(false)));
    let receipt = me.get("/receipts").await.body["items"][0].clone();
    assert_eq!(receipt["proposalId"], reply["receipt"]["proposalId"]);
    let undo = format!("/proposals/{}/undo", receipt["proposalId"].as_str().expect("an id"));
    let proposal = me.post(&undo, json!({})).await.body["proposal"].clone();
    assert_eq!(me.decide(&proposal, "approve").await.body["answer"], "Deleted #1 “coffee”, £3.50, 19 Nov 2026.");
    assert_eq!(me.rows().await, Vec::<Value>::new());
    let (stored, recomputed) = service.rollups().await;
    assert_eq!(stored, recomputed);
}

#[tokio::test]
async fn a_row_is_changed_and_deleted_as_the_page_showed_it() {
    let service = service().await;
    let me = service.person();
    done(&me, click(create("coffee", "3.50"))).await;
    let update = |version: u64, fields: Value| {
        click(json!({ "op": "update", "kind": "expense", "id": 1, "version": version, "fields": fields }))
    };
    let changed = done(&me, update(1, json!({ "amount": "4.20", "category": "food", "notes": null }))).await;
    assert_eq!(
        changed["answer"],
        "Changed #1 “coffee”, £3.50, 19 Nov 2026: amount £3.50 → £4.20, category none → food."
    );
    let outdated = me.post("/proposals", update(1, json!({ "amount": "5" }))).await;
    let row = me.rows().await[0].clone();
    assert_eq!(
        (outdated.status, outdated.body),
        (
            StatusCode::CONFLICT,
            json!({
                "type": "urn:sayso:problem:row-changed", "title": "Changed since it was shown", "status": 409,
                "detail": "Expense #1 has changed since it was shown. Nothing was changed. Look at it again.",
                "changed": [row],
            })
        )
    );
    let delete = click(json!({ "op": "delete", "kind": "expense", "id": 1, "version": 2 }));
    done(&me, delete.clone()).await;
    assert_eq!(me.rows().await, Vec::<Value>::new());
    assert_eq!(refused(&me, delete).await, (404, "There is no expense #1. It may have been deleted.".into()));
}

#[tokio::test]
async fn without_a_click_the_changes_wait_as_one_proposal() {
    let service = service().await;
    let me = service.person();
    for item in ["coffee", "tea"] {
        done(&me, click(create(item, "2"))).await;
    }
    let delete = |id: u64| json!({ "op": "delete", "kind": "expense", "id": id });
    let reply = done(&me, json!({ "operations": [delete(1), delete(2), create("cake", "4")] })).await;
    let proposal = &reply["proposal"];
    assert_eq!((&reply["confirmationRequired"], &proposal["count"]), (&json!(true), &json!(3)));
    let waiting = me.get("/proposals?state=waiting").await.body;
    assert_eq!(waiting["items"][0]["id"], proposal["id"]);
    assert_eq!(me.rows().await.len(), 2);
    let receipt = me.decide(proposal, "approve").await.body["receipt"].clone();
    let titles = [&proposal["title"], &receipt["title"]];
    assert_eq!(titles, ["Delete 2 expenses and add 1 expense", "Deleted 2 expenses and added 1 expense"]);
    assert_eq!(me.rows().await.iter().map(|row| &row["item"]).collect::<Vec<_>>(), ["cake"]);
}

#[tokio::test]
async fn the_same_message_id_writes_once_and_gives_the_same_reply() {
    let service = service().await;
    let me = service.person();
    let with_id = |operation: Value| json!({ "operations": [operation], "approve": true, "messageId": "m" });
    let add = done(&me, with_id(create("coffee", "3.50"))).await;
    let delete = with_id(json!({ "op": "delete", "kind": "expense", "id": 1 }));
    for (again, mut first) in [(with_id(create("coffee", "3.50")), add), (delete.clone(), done(&me, delete).await)] {
        first["receipt"]["replayed"] = true.into();
        assert_eq!(done(&me, again).await, first);
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_click_that_was_interrupted_goes_on_when_it_is_sent_again() {
    for fates in [vec![Served, DropBefore], vec![Served, CommitThenDrop], vec![CommitThenDrop]] {
        let service = service().await;
        let me = service.person();
        let interrupted = [fates.clone(), vec![Conflict; 5]].concat();
        service.wire.fail(interrupted.into_iter().map(|fate| ("TransactWriteItems", fate)));
        let mut body = click(create("coffee", "3.50"));
        body["messageId"] = "m".into();
        let first = me.post("/proposals", body.clone()).await;
        assert!(first.status.is_server_error() || first.status.is_success(), "{}", first.body);
        service.wire.clear();
        let again = done(&me, body).await;
        assert_eq!(again["answer"], "Added “coffee”, £3.50, 19 Nov 2026 (#1).", "{fates:?}");
        assert_eq!(me.rows().await, [coffee()], "{fates:?}");
        assert_eq!(me.get("/proposals?state=waiting").await.body, json!({ "items": [] }), "{fates:?}");
    }
}

#[tokio::test]
async fn a_possible_duplicate_is_written_and_noted_in_the_receipt() {
    let service = service().await;
    let me = service.person();
    done(&me, click(create("coffee", "3.50"))).await;
    service.advance(Duration::from_secs(1));
    done(&me, click(create("coffee", "3.50"))).await;
    assert_eq!(me.rows().await.len(), 2);
    let receipts = me.get("/receipts").await.body;
    let kinds =
        |n: usize| receipts["items"][n]["warnings"].as_array().expect("warnings").iter().map(|note| &note["kind"]);
    assert_eq!(kinds(0).collect::<Vec<_>>(), ["possible_duplicate"]);
    assert_eq!(kinds(1).count(), 0);
}

#[tokio::test]
async fn what_a_form_leaves_empty_stays_empty() {
    let service = service().await;
    let me = service.person();
    for message in ["costa 3.50 in food", "yes"] {
        me.says(message).await;
    }
    let said = me.says("costa 4").await["proposal"]["operations"][0]["after"]["category"].clone();
    let filled_in = done(&me, click(create("costa", "4"))).await["added"][0]["category"].clone();
    assert_eq!((said, filled_in), (json!("food"), Value::Null));
}

#[tokio::test]
async fn what_is_remembered_can_be_forgotten_by_form() {
    let service = service().await;
    let me = service.person();
    for message in ["budget 200 a month for food", "yes"] {
        me.says(message).await;
    }
    let budget = me.says("how are my budgets?").await["budgets"][0].clone();
    let delete = json!({ "op": "delete", "kind": "budget", "id": budget["id"] });
    assert_eq!(done(&me, click(delete)).await["receipt"]["count"], 1);
    assert_eq!(me.says("how are my budgets?").await.get("budgets"), None);
}

#[tokio::test]
async fn forms_keep_the_rules_of_roles_and_owners() {
    let service = service().await;
    done(&service.who("demo", "anna", "member"), click(create("coffee", "3.50"))).await;
    let delete = click(json!({ "op": "delete", "kind": "expense", "id": 1 }));
    let viewer = refused(&service.who("demo", "vic", "viewer"), click(create("tea", "2"))).await;
    assert_eq!(viewer, (403, "Viewers can look but not change. Ask an administrator for another role.".into()));
    let other = refused(&service.who("demo", "ben", "member"), delete.clone()).await;
    let text = "Expense #1 belongs to someone else. Ask them or an administrator to change it.";
    assert_eq!(other, (403, text.into()));
    let elsewhere = refused(&service.who("other", "anna", "admin"), delete.clone()).await;
    assert_eq!(elsewhere, (404, "There is no expense #1. It may have been deleted.".into()));
    done(&service.who("demo", "root", "admin"), delete).await;
}

#[tokio::test]
async fn a_form_that_cannot_be_done_is_refused_with_what_to_correct() {
    let service = service().await;
    let me = service.person();
    done(&me, click(create("coffee", "3.50"))).await;
    let with = |name: &str, value: Value| {
        let mut operation = create("tea", "2");
        operation["fields"][name] = value;
        click(operation)
    };
    let update = |fields: Value| click(json!({ "op": "update", "kind": "expense", "id": 1, "fields": fields }));
    for (body, status, detail) in [
        (
            json!({}),
            400,
            "`operations` is missing. Send a list like [{ \"op\": \"delete\", \"kind\": \"expense\", \"id\": 42 }].",
        ),
        (
            click(json!({ "op": "drop", "kind": "expense" })),
            400,
            "`operations[0].op` must be `create`, `update` or `delete`.",
        ),
        (click(json!({ "op": "delete", "kind": "expense" })), 400, "`operations[0].id` is missing."),
        (click(json!({ "op": "create", "kind": "expense" })), 400, "`operations[0].fields` is missing."),
        (
            click(json!({ "op": "create", "kind": "budget", "fields": {} })),
            422,
            "Budgets cannot be added or changed by form. Say it in the chat.",
        ),
        (
            click(json!({ "op": "delete", "kind": "car", "id": 1 })),
            422,
            "There is no kind \"car\". It can be `expense`, `budget`, `category`, `recurring`, `setting`, `tenantSetting`.",
        ),
        (with("amount", json!("0")), 422, "The amount must be more than zero. Say how much you paid."),
        (with("date", json!("2026-12-01")), 422, "1 Dec 2026 is in the future. Which day was it?"),
        (update(json!({ "amount": "3.50" })), 422, "Expense #1 is already like that. Change something first."),
        (
            json!({ "operations": [create("tea", "2"), create("", "2")] }),
            422,
            "`operations[1]`: the name is missing. Say what you bought.",
        ),
    ] {
        assert_eq!(refused(&me, body).await, (status, detail.to_owned()));
    }
    assert_eq!(refused(&me, with("owner", json!("ben"))).await.0, 422);
    assert_eq!(me.rows().await, [coffee()]);
}

#[tokio::test]
async fn a_form_is_told_in_the_conversation_that_it_names_and_in_no_other() {
    let service = service().await;
    let me = service.person();
    done(&me, click(create("coffee", "3.50"))).await;
    assert_eq!(me.get("/conversations").await.body, json!({ "items": [] }));
    let mut body = click(create("tea", "2"));
    body["conversationId"] = "a".into();
    let reply = done(&me, body).await;
    assert_eq!(reply["conversationId"], "a");
    let turns = me.get("/conversations/a/turns").await.body;
    let turn = &turns["items"][0];
    assert_eq!(turns["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&turn["message"], &turn["answer"], &turn["proposals"]),
        (
            &json!("Add “tea”, £2.00, 19 Nov 2026"),
            &json!("Added “tea”, £2.00, 19 Nov 2026 (#2)."),
            &json!([reply["receipt"]["proposalId"]])
        )
    );
}
