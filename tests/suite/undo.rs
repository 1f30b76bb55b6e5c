//! Undo of approved changes: shown first, executed once, and undoable itself.

use std::time::Duration;

use sayso::proposal::Policy;
use serde_json::{Value, json};

use crate::harness::{Person, Service, Setup};

async fn service() -> Service {
    Setup::default().start().await
}

/// The total that the person sees.
async fn balance(me: &Person<'_>) -> Value {
    me.says("how much did I spend this month?").await["totals"].clone()
}

async fn shown(me: &Person<'_>, message: &str) -> (String, Value) {
    let reply = me.says(message).await;
    assert_eq!(reply["confirmationRequired"], true, "{reply}");
    (reply["answer"].as_str().expect("an answer").to_owned(), reply["proposal"].clone())
}

#[tokio::test]
async fn an_add_and_its_undo_can_be_undone_after_a_yes() {
    let service = service().await;
    let me = service.person();
    me.says("add coffee 3.50").await;
    me.says("yes").await;
    let (rows, spent) = (me.rows().await, balance(&me).await);

    let (question, _) = shown(&me, "undo that").await;
    assert_eq!(question, "Delete #1 “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(me.rows().await, rows, "shown, and not done");
    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Deleted #1 “coffee”, £3.50, 20 Nov 2026.");
    assert_eq!((me.rows().await, balance(&me).await), (vec![], json!([])));

    let (question, proposal) = shown(&me, "undo that").await;
    assert_eq!(question, "Restore #1 “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(proposal["operations"][0]["op"], "restore");
    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Restored #1 “coffee”, £3.50, 20 Nov 2026.");
    let (mut restored, again) = (rows, me.rows().await);
    assert!(again[0]["version"].as_u64() > Some(1), "a version that it never had");
    restored[0]["version"] = again[0]["version"].clone();
    assert_eq!((again, balance(&me).await), (restored, spent));
}

#[tokio::test]
async fn an_undo_restores_a_changed_and_a_deleted_row() {
    let service = service().await;
    let me = service.person();
    for message in ["add coffee 3.50", "yes", "change #1 to 4.20", "yes"] {
        me.says(message).await;
    }
    let (question, _) = shown(&me, "undo").await;
    assert_eq!(question, "Change #1 “coffee”, £4.20, 20 Nov 2026: amount £4.20 → £3.50? (yes / no)");
    me.says("yes").await;
    assert_eq!(me.rows().await[0]["money"]["amount"], "3.50");

    for message in ["delete the coffee", "yes", "take it back", "yes"] {
        me.says(message).await;
    }
    let row = me.rows().await[0].clone();
    assert_eq!((&row["id"], &row["money"]["amount"]), (&json!(1), &json!("3.50")));
    assert_eq!(balance(&me).await[0]["amount"], "3.50");
}

#[tokio::test]
async fn rows_that_changed_since_stay_and_the_rest_is_undone() {
    let service = service().await;
    let me = service.person();
    let both = me.says("add coffee 3.50 and lunch 12").await["proposal"].clone();
    me.says("yes").await;
    for message in ["change #1 to 4.20", "yes"] {
        me.says(message).await;
    }
    let undo = format!("/proposals/{}/undo", both["id"].as_str().expect("an id"));
    let reply = me.post(&undo, json!({})).await.body;
    assert_eq!(
        reply["answer"],
        "Delete #2 “lunch”, £12.00, 20 Nov 2026? (yes / no)\n\
         Left out: #1 changed since then"
    );
    me.decide(&reply["proposal"], "approve").await;
    assert_eq!(balance(&me).await[0]["amount"], "4.20");
    let again = me.post(&undo, json!({})).await;
    assert_eq!(again.status.as_u16(), 422, "{}", again.body);
    // #2 is undone already.
    let detail = "#1 changed since then, so I cannot undo it.";
    assert_eq!(again.body["detail"], detail);
}

#[tokio::test]
async fn what_is_undone_is_not_undone_again() {
    let service = service().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("yes").await;
    for (message, undone) in [("delete the coffee", "#1"), ("change #1 to 4.20", "#1"), ("add tea 2", "#2")] {
        let proposal = me.says(message).await["proposal"].clone();
        me.decide(&proposal, "approve").await;
        let undo = format!("/proposals/{}/undo", proposal["id"].as_str().expect("an id"));
        let proposed = me.post(&undo, json!({})).await.body;
        assert!(proposed["answer"].as_str().expect("text").contains(undone), "{proposed}");
        me.decide(&proposed["proposal"], "approve").await;
        let again = me.post(&undo, json!({})).await;
        assert_eq!(
            (again.status.as_u16(), &again.body["detail"]),
            (422, &json!("That is undone already.")),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_row_with_its_content_restored_can_be_undone() {
    let service = service().await;
    let me = service.person();
    let add = me.says("add coffee 3.50").await["proposal"].clone();
    for message in ["yes", "delete the coffee", "yes", "undo", "yes"] {
        me.says(message).await;
    }
    let undo = me.post(&format!("/proposals/{}/undo", add["id"].as_str().expect("an id")), json!({})).await;
    assert_eq!(undo.body["answer"], "Delete #1 “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(me.decide(&undo.body["proposal"], "approve").await.status.as_u16(), 200);
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_approval_is_refused_if_its_row_was_deleted_and_restored_since() {
    let service = service().await;
    let me = service.person();
    let say = async |conversation: &str, message: &str| {
        service.advance(Duration::from_millis(1));
        me.chat(json!({ "message": message, "conversationId": conversation })).await
    };
    for message in ["add coffee 3.50", "yes"] {
        say("laptop", message).await;
    }
    say("laptop", "delete the coffee").await;
    let deleted = say("laptop", "yes").await["receipt"]["proposalId"].clone();
    for message in ["undo", "yes", "change the coffee to 4.20", "yes"] {
        say("laptop", message).await;
    }
    let old = say("phone", "delete the coffee").await["proposal"].clone();
    for message in ["delete the coffee", "yes"] {
        say("laptop", message).await;
    }
    service.advance(Duration::from_millis(1));
    let undo = format!("/proposals/{}/undo", deleted.as_str().expect("an id"));
    let restore = me.post(&undo, json!({ "conversationId": "laptop" })).await.body["proposal"].clone();
    assert_eq!(me.decide(&restore, "approve").await.status.as_u16(), 200);
    for message in ["change the coffee to 9", "yes"] {
        say("laptop", message).await;
    }
    assert_eq!(me.decide(&old, "approve").await.status.as_u16(), 409);
    assert_eq!((me.rows().await.len(), &balance(&me).await[0]["amount"]), (1, &json!("9.00")));
}

#[tokio::test]
async fn one_idempotency_key_for_two_receipts_is_two_undos() {
    let service = service().await;
    let me = service.person();
    let mut done = Vec::new();
    for message in ["add coffee 3.50", "add tea 2"] {
        done.push(me.says(message).await["proposal"]["id"].as_str().expect("an id").to_owned());
        me.says("yes").await;
    }
    let undo = async |id: &str| me.post(&format!("/proposals/{id}/undo"), json!({ "messageId": "k" })).await.body;
    let (first, second, again) = (undo(&done[0]).await, undo(&done[1]).await, undo(&done[0]).await);
    assert_eq!(first["answer"], "Delete #1 “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(second["answer"], "Delete #2 “tea”, £2.00, 20 Nov 2026? (yes / no)");
    assert_eq!(first["proposal"]["id"], again["proposal"]["id"]);
}

#[tokio::test]
async fn an_undo_waits_under_every_policy() {
    let service = Setup::policy(Policy::Never).start().await;
    let me = service.person();
    me.says("add coffee 3.50 today").await;
    shown(&me, "undo").await;
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn an_undo_from_an_old_page_never_undoes_a_newer_change() {
    let service = service().await;
    let me = service.person();
    for message in ["add coffee 3.50", "yes", "undo that"] {
        me.says(message).await;
    }
    let legacy = json!({ "confirm": { "tool": "undo", "args": {} } });
    let reply = me.chat(legacy).await;
    assert_eq!(reply["confirmationRequired"], true, "{reply}");
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn one_of_two_undos_of_a_receipt_takes_effect() {
    let service = service().await;
    let me = service.person();
    for message in ["add coffee 3.50", "yes"] {
        me.says(message).await;
    }
    let ask = |conversation: &str| me.chat(json!({ "message": "undo that", "conversationId": conversation }));
    let (one, other) = tokio::join!(ask("phone"), ask("laptop"));
    let approve = |reply: &Value| {
        let proposal = reply["proposal"].clone();
        async move { me.decide(&proposal, "approve").await.status.as_u16() }
    };
    let (one, other) = tokio::join!(approve(&one), approve(&other));
    assert_eq!([one.min(other), one.max(other)], [200, 409]);
    assert_eq!((me.rows().await, balance(&me).await), (vec![], json!([])));
}

#[tokio::test]
async fn users_undo_their_own_changes_and_never_another_tenants() {
    let service = service().await;
    let (ann, bob) = (service.who("demo", "ann", "member"), service.who("demo", "bob", "member"));
    let stranger = service.who("other", "eve", "admin");
    let add = ann.says("add coffee 3.50").await["proposal"].clone();
    ann.says("yes").await;
    assert_eq!(bob.answer("undo that").await, "There is nothing to undo yet.");
    let path = format!("/proposals/{}/undo", add["id"].as_str().expect("an id"));
    assert_eq!(bob.post(&path, json!({})).await.status.as_u16(), 403, "its rows are somebody else's");
    let elsewhere = stranger.post(&path, json!({})).await;
    let nowhere = stranger.post(&format!("/proposals/{}/undo", "0".repeat(32)), json!({})).await;
    assert_eq!((elsewhere.status.as_u16(), elsewhere.bytes), (404, nowhere.bytes));
    assert_eq!(ann.rows().await.len(), 1);
}

#[tokio::test]
async fn a_proposal_that_was_not_executed_cannot_be_undone() {
    let service = service().await;
    let me = service.person();
    let add = me.says("add coffee 3.50").await["proposal"].clone();
    let reply = me.post(&format!("/proposals/{}/undo", add["id"].as_str().expect("an id")), json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.body["detail"]),
        (422, &json!("That was never done, so there is nothing to undo."))
    );
}

#[tokio::test]
async fn changes_older_than_the_audit_period_cannot_be_undone() {
    const DAY: u64 = 24 * 60 * 60;
    let service = service().await;
    let me = service.person();
    let add = me.says("add coffee 3.50").await["proposal"].clone();
    me.says("yes").await;
    let undo = format!("/proposals/{}/undo", add["id"].as_str().expect("an id"));
    service.advance(Duration::from_secs(400 * DAY));
    assert_eq!(me.post(&undo, json!({})).await.status.as_u16(), 200);
    service.advance(Duration::from_secs(DAY));
    let gone = me.post(&undo, json!({})).await;
    assert_eq!((gone.status.as_u16(), &gone.body["type"]), (410, &json!("urn:sayso:problem:receipt-expired")));
    assert_eq!(me.answer("undo that").await, "That was done more than 400 days ago, so it cannot be undone.");
}

#[tokio::test]
async fn an_undo_waits_even_where_an_add_does_not() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["add coffee 3.50 today", "delete the coffee", "yes"] {
        me.says(message).await;
    }
    shown(&me, "undo").await;
    assert_eq!(me.rows().await, Vec::<Value>::new());
    me.says("yes").await;
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn the_history_lists_executed_proposals_page_by_page_newest_first() {
    let service = service().await;
    let me = service.person();
    for (item, amount) in [("coffee", "3.50"), ("lunch", "12"), ("tea", "2")] {
        me.says(&format!("add {item} {amount}")).await;
        service.advance(Duration::from_secs(1));
        me.says("yes").await;
    }
    let first = me.get("/receipts?limit=2").await.body;
    let texts = |page: &Value| -> Vec<Value> {
        page["items"].as_array().expect("items").iter().map(|item| item["operations"][0]["text"].clone()).collect()
    };
    assert_eq!(texts(&first), ["“tea”, £2.00, 20 Nov 2026", "“lunch”, £12.00, 20 Nov 2026"]);
    assert_eq!(first["count"], 2);
    let mut last = first["items"][0].clone();
    let (id, fingerprint) = (last["proposalId"].clone(), last["fingerprint"].clone());
    let row = last["operations"][0]["after"].take();
    assert_eq!((&row["item"], &row["owner"]), (&json!("tea"), &json!("me")));
    assert_eq!(
        last,
        json!({
            "proposalId": id, "fingerprint": fingerprint, "tool": "add_expense", "conversationId": "default",
            "title": "Added 1 expense", "count": 1, "askedBy": "me", "askedAt": "2026-11-20T12:00:02Z",
            "approvedAt": "2026-11-20T12:00:03Z",
            "executedBy": "me", "executedAt": "2026-11-20T12:00:03Z",
            "operations": [
                { "n": 1, "op": "add", "kind": "expense", "text": "“tea”, £2.00, 20 Nov 2026", "after": null },
            ],
            "warnings": [],
        })
    );
    let cursor = first["nextCursor"].as_str().expect("there is more");
    let second = me.get(&format!("/receipts?limit=2&cursor={cursor}")).await.body;
    assert_eq!(texts(&second), ["“coffee”, £3.50, 20 Nov 2026"]);
    assert_eq!(second.get("nextCursor"), None);
    for wrong in ["limit=0", "limit=51", "limit=x", "cursor=1", "cursor=RECEIPT%23"] {
        assert_eq!(me.get(&format!("/receipts?{wrong}")).await.status.as_u16(), 400, "{wrong}");
    }
    let stranger = service.who("other", "eve", "admin");
    assert_eq!(stranger.get("/receipts").await.body, json!({ "count": 0, "items": [] }));
}

#[tokio::test]
async fn the_persons_own_last_change_is_found_behind_any_number_of_others() {
    let service = Setup::policy(Policy::Never).start().await;
    let [ann, bob] = ["ann", "bob"].map(|user| service.who("demo", user, "member"));
    ann.says("add coffee 3.50").await;
    for n in 0..101 {
        bob.says(&format!("add item{n} 2")).await;
        service.advance(Duration::from_secs(1));
    }
    assert_eq!(ann.answer("undo that").await, "Delete #1 “coffee”, £3.50, 20 Nov 2026? (yes / no)");
}
