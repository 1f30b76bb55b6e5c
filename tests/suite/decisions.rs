//! Decisions by text, by form and by the legacy confirmation. Each takes effect once, whoever sends it and how often.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{
    Setup,
    wire::Fate::{DropBefore, Late},
};

fn problem(response: &crate::harness::Response) -> (u16, &str) {
    (response.status.as_u16(), response.body["type"].as_str().unwrap().trim_start_matches("urn:sayso:problem:"))
}

#[tokio::test]
async fn a_hundred_approvals_at_once_are_one_effect_and_a_hundred_equal_receipts() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    let replies = join_all((0..100).map(|_| me.decide(&proposal, "approve"))).await;
    let receipt = |reply: &Value| {
        let mut receipt = reply["receipt"].clone();
        receipt.as_object_mut().unwrap().remove("replayed");
        receipt
    };
    for reply in &replies {
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert_eq!(receipt(&reply.body), receipt(&replies[0].body));
        assert_eq!(reply.body["added"], replies[0].body["added"]);
        assert_eq!(reply.body["answer"], replies[0].body["answer"]);
    }
    let replayed = replies.iter().filter(|reply| reply.body["receipt"]["replayed"] == true).count();
    assert_eq!(replayed, 99);
    assert_eq!(me.rows().await.len(), 1);
    assert_eq!(me.answer("how much did I spend?").await, "You spent £3.50 in total: 1 expense.");
}

#[tokio::test]
async fn twenty_approvals_that_read_the_same_pending_proposal_have_one_effect() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    service.wire.hold("TransactWriteItems");
    let approvals = join_all((0..20).map(|_| me.decide(&proposal, "approve")));
    let release = async {
        while service.wire.waiting() < 20 {
            tokio::task::yield_now().await;
        }
        service.wire.release();
    };
    let (replies, ()) = tokio::join!(approvals, release);
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(replies.iter().filter(|reply| reply.body["receipt"].get("replayed").is_none()).count(), 1);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn a_second_decision_reports_the_first_one() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = |message: &'static str| async move { me.says(message).await["proposal"].clone() };

    let executed = shown("coffee 3.50").await;
    assert_eq!(me.decide(&executed, "approve").await.status, 200);
    assert_eq!(me.decide(&executed, "approve").await.body["receipt"]["replayed"], true);
    assert_eq!(problem(&me.decide(&executed, "reject").await), (409, "proposal-closed"));

    let rejected = shown("tea 2").await;
    assert_eq!(me.decide(&rejected, "reject").await.status, 200);
    assert_eq!(me.decide(&rejected, "reject").await.status, 200);
    assert_eq!(problem(&me.decide(&rejected, "approve").await), (409, "proposal-closed"));

    let mut forged = shown("cake 4").await;
    forged["fingerprint"] = json!("0".repeat(64));
    assert_eq!(problem(&me.decide(&forged, "approve").await), (422, "fingerprint-mismatch"));

    let expired = shown("soup 5").await;
    service.advance(Duration::from_hours(24));
    assert_eq!(problem(&me.decide(&expired, "approve").await), (410, "proposal-expired"));
    let read = me.get(&format!("/proposals/{}", expired["id"].as_str().unwrap())).await;
    assert_eq!(read.body["state"], "EXPIRED");
    assert_eq!(me.rows().await.len(), 1);
}

/// The approval was sent before the expiry, and arrives after somebody else was told to say it again.
#[tokio::test]
async fn an_approval_that_arrives_after_it_was_said_to_have_expired_has_no_effect() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    let transact = "TransactWriteItems";
    service.wire.fail([Late, DropBefore, DropBefore, DropBefore, DropBefore].map(|fate| (transact, fate)));
    assert_eq!(problem(&me.decide(&proposal, "approve").await), (503, "outcome-unknown"));
    service.advance(Duration::from_hours(24));
    assert_eq!(problem(&me.decide(&proposal, "approve").await), (410, "proposal-expired"));
    assert_eq!(service.wire.arrive_late().await, [400]);
    service.wire.take();
    assert_eq!(problem(&me.decide(&proposal, "approve").await), (410, "proposal-expired"));
    assert_eq!(service.wire.take().0.len(), 1, "it was closed before");
    assert_eq!(me.rows().await.len(), 0);
}

#[tokio::test]
async fn an_approval_a_millisecond_before_expiry_counts_and_at_expiry_does_not() {
    let day = Duration::from_hours(24);
    for (wait, status) in [(day - Duration::from_millis(1), 200), (day, 410), (day + Duration::from_millis(1), 410)] {
        let service = Setup::default().start().await;
        let me = service.person();
        let proposal = me.says("coffee 3.50").await["proposal"].clone();
        service.advance(wait);
        assert_eq!(me.decide(&proposal, "approve").await.status, status, "{wait:?}");
    }
}

#[tokio::test]
async fn the_second_of_two_approvals_of_one_row_is_stale() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("yes").await;
    let phone = me.chat(json!({ "message": "change #1 to 4", "conversationId": "phone" })).await["proposal"].clone();
    let laptop = me.chat(json!({ "message": "delete #1", "conversationId": "laptop" })).await["proposal"].clone();
    assert_eq!(me.decide(&phone, "approve").await.status, 200);
    let late = me.decide(&laptop, "approve").await;
    assert_eq!(problem(&late), (409, "proposal-stale"));
    assert_eq!(
        late.body["detail"],
        "Nothing was changed, because #1 is now “coffee”, £4.00, 20 Nov 2026 (it was “coffee”, £3.50, 20 Nov 2026). Say \
         it again if you still want it."
    );
    assert_eq!(late.body["changed"][0]["money"]["amount"], "4.00");
    assert_eq!(problem(&me.decide(&laptop, "approve").await), (409, "proposal-closed"));
    assert_eq!(me.rows().await[0]["version"], 2);
}

#[tokio::test]
async fn a_typed_yes_asks_which_when_two_things_wait() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("tea 2").await;
    let which = me.says("yes").await;
    assert_eq!(
        which["answer"],
        "Yes to which one? Say a number, or “both”.\n1. Add “coffee”, £3.50, 20 Nov 2026\n2. Add “tea”, £2.00, 20 Nov 2026"
    );
    assert_eq!(me.rows().await.len(), 0);
    assert_eq!(me.answer("2").await, "Added “tea”, £2.00, 20 Nov 2026 (#2).");
    assert_eq!(me.answer("yes").await, "Do you mean this?\nAdd “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(me.answer("yes").await, "Added “coffee”, £3.50, 20 Nov 2026 (#1).");
}

#[tokio::test]
async fn a_yes_to_both_executes_each_and_has_both_receipts() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("tea 2").await;
    me.says("yes").await;
    let done = me.says("both").await;
    assert_eq!(
        done["answer"],
        "Added 2 expenses, £5.50:\n#1 “coffee”, £3.50, 20 Nov 2026\n#2 “tea”, £2.00, 20 Nov 2026"
    );
    let added: Vec<_> = done["added"].as_array().unwrap().iter().map(|row| row["item"].clone()).collect();
    assert_eq!(added, ["coffee", "tea"]);
    let receipts = done["receipts"].as_array().unwrap();
    assert_eq!((receipts.len(), &receipts[1]), (2, &done["receipt"]));
    assert_eq!(me.rows().await.len(), 2);
    assert_eq!(me.answer("how much did I spend?").await, "You spent £5.50 in total: 2 expenses.");
}

#[tokio::test]
async fn an_option_sent_back_unchanged_selects_that_proposal() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 and bun 1").await;
    me.says("tea 2 and cake 4").await;
    let which = me.says("yes").await;
    let option = which["question"]["options"][1].as_str().unwrap();
    assert_eq!(option, "2. Add 2 expenses, £6.00: “tea”, “cake”");
    assert_eq!(me.says(option).await["added"][0]["item"], "tea");
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn a_yes_to_both_after_a_question_asks_which() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("tea 2").await;
    assert_eq!(me.says("lunch 4 or 5").await["question"]["missing"], json!(["amount"]));
    assert_eq!(
        me.answer("yes to both").await,
        "Yes to which one? Say a number, or “both”.\n1. Add “coffee”, £3.50, 20 Nov 2026\n2. Add “tea”, £2.00, 20 Nov 2026"
    );
    assert_eq!(me.rows().await.len(), 0);
}

#[tokio::test]
async fn a_yes_to_both_reports_each_by_number_if_one_is_stale() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("yes").await;
    me.says("change the coffee to 4").await;
    me.says("tea 2").await;
    let phone = service.person();
    let changed = phone.chat(json!({ "message": "change #1 to 5", "conversationId": "phone" })).await;
    phone.decide(&changed["proposal"], "approve").await;
    let done = me.answer("yes to both").await;
    assert_eq!(
        done,
        "1. Nothing was changed, because #1 is now “coffee”, £5.00, 20 Nov 2026 (it was “coffee”, £3.50, 20 Nov 2026). Say it \
         again if you still want it.\n2. Added “tea”, £2.00, 20 Nov 2026 (#2)."
    );
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn a_yes_after_a_question_is_not_taken_for_an_approval() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    let asked = me.says("lunch 4 or 5").await;
    assert_eq!(asked["question"]["missing"], json!(["amount"]));
    let shown = me.says("yes").await;
    assert_eq!(shown["answer"], "Do you mean this?\nAdd “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(me.rows().await.len(), 0);
    me.says("yes").await;
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn a_no_after_a_question_decides_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("lunch 4 or 5").await;
    assert_eq!(me.answer("no").await, "This still needs your yes or no:\nAdd “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    me.says("no").await;
    assert_eq!(
        me.answer("yes").await,
        "You said no to this before, and nothing was changed. Say it again if you want it now."
    );
    assert_eq!(me.rows().await.len(), 0);
}

#[tokio::test]
async fn an_ok_some_turns_after_a_proposal_shows_it_again() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    for side_effect in ["how much did I spend?", "show my budget"] {
        me.says(side_effect).await;
        assert_eq!(me.answer("ok").await, "Do you mean this?\nAdd “coffee”, £3.50, 20 Nov 2026? (yes / no)");
        assert_eq!(me.rows().await.len(), 0);
    }
    assert_eq!(me.answer("ok").await, "Added “coffee”, £3.50, 20 Nov 2026 (#1).");
}

#[tokio::test]
async fn a_typed_yes_to_an_expired_proposal_says_so() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    service.advance(Duration::from_hours(25));
    assert_eq!(
        me.answer("yes").await,
        "It is too late to answer this, and nothing was changed. Say it again if you still want it."
    );
    assert_eq!(me.rows().await.len(), 0);
}

#[tokio::test]
async fn a_legacy_confirmation_finds_its_proposal_by_tool_and_arguments() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("coffee 3.50 yesterday").await["proposal"].clone();
    let confirm = json!({ "confirm": { "tool": shown["tool"], "args": shown["args"] } });
    let done = me.chat(confirm.clone()).await;
    assert_eq!(done["added"][0]["item"], "coffee");
    let again = me.chat(confirm).await;
    assert_eq!((again["receipt"]["replayed"].clone(), again["added"].clone()), (json!(true), done["added"].clone()));
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn a_legacy_confirmation_of_an_unshown_call_waits() {
    let service = Setup::default().start().await;
    let me = service.person();
    let confirm = json!({ "confirm": { "tool": "add_expense", "args": { "item": "coffee", "amount": 3.5 } } });
    let shown = me.chat(confirm.clone()).await;
    assert_eq!(shown["confirmationRequired"], true);
    assert_eq!(me.rows().await.len(), 0);
    assert_eq!(me.chat(confirm).await["added"][0]["money"]["amount"], "3.50");
}

#[tokio::test]
async fn a_role_taken_away_before_approval_leaves_the_proposal_pending() {
    let service = Setup::default().start().await;
    let member = service.who("demo", "ann", "member");
    let proposal = member.says("coffee 3.50").await["proposal"].clone();
    let viewer = service.who("demo", "ann", "viewer");
    assert_eq!(problem(&viewer.decide(&proposal, "approve").await), (403, "forbidden"));
    let path = format!("/proposals/{}", proposal["id"].as_str().unwrap());
    assert_eq!(viewer.get(&path).await.body["state"], "PENDING");
    assert_eq!(member.decide(&proposal, "approve").await.status, 200);
}

#[tokio::test]
async fn only_an_admin_may_decide_for_another_user() {
    let service = Setup::default().start().await;
    let ann = service.who("demo", "ann", "member");
    let proposal = ann.says("coffee 3.50").await["proposal"].clone();
    let bob = service.who("demo", "bob", "member");
    assert_eq!(problem(&bob.decide(&proposal, "approve").await), (403, "forbidden"));
    assert_eq!(problem(&bob.decide(&proposal, "reject").await), (403, "forbidden"));
    let root = service.who("demo", "root", "admin");
    let done = root.decide(&proposal, "approve").await;
    assert_eq!(
        (done.body["added"][0]["owner"].clone(), done.body["receipt"]["executedBy"].clone()),
        (json!("ann"), json!("root"))
    );
}

#[tokio::test]
async fn members_change_their_own_rows_and_viewers_none() {
    let service = Setup::default().start().await;
    let ann = service.who("demo", "ann", "member");
    ann.says("coffee 3.50").await;
    ann.says("yes").await;
    let bob = service.who("demo", "bob", "member");
    assert_eq!(problem(&bob.post("/chat", json!({ "message": "delete #1" })).await), (403, "forbidden"));
    let viewer = service.who("demo", "eve", "viewer");
    assert_eq!(problem(&viewer.post("/chat", json!({ "message": "tea 2" })).await), (403, "forbidden"));
    assert_eq!(viewer.answer("how much was spent in total?").await, "Together £3.50 in total: 1 expense.");
}

#[tokio::test]
async fn a_members_own_row_is_found_among_the_rows_of_others() {
    let service = Setup::default().start().await;
    for (user, messages) in [("ann", vec!["coffee 1"]), ("bob", vec!["coffee 2", "coffee 3", "coffee 4", "coffee 5"])] {
        let person = service.who("demo", user, "member");
        for message in messages {
            person.says(message).await;
            person.says("yes").await;
        }
    }
    let ann = service.who("demo", "ann", "member");
    assert_eq!(ann.answer("delete the coffee").await, "Delete #1 “coffee”, £1.00, 20 Nov 2026? (yes / no)");
}

#[tokio::test]
async fn ids_of_another_tenant_look_like_unknown_ids() {
    let service = Setup::default().start().await;
    let ann = service.who("acme", "ann", "admin");
    let proposal = ann.says("coffee 3.50").await["proposal"].clone();
    ann.decide(&proposal, "approve").await;
    let eve = service.who("evil", "eve", "admin");
    let mut unknown = proposal.clone();
    unknown["id"] = json!("f".repeat(32));
    let (theirs, nobodys) = (eve.decide(&proposal, "approve").await, eve.decide(&unknown, "approve").await);
    assert_eq!((theirs.status.as_u16(), &theirs.bytes), (404, &nobodys.bytes));
    let path = |proposal: &Value| format!("/proposals/{}", proposal["id"].as_str().unwrap());
    assert_eq!(eve.get(&path(&proposal)).await.bytes, eve.get(&path(&unknown)).await.bytes);
    assert_eq!(eve.get("/expenses/1").await.bytes, eve.get("/expenses/99").await.bytes);
    assert_eq!(eve.get("/expenses").await.body["items"], json!([]));
}

#[tokio::test]
async fn tenants_whose_names_look_like_keys_stay_separate() {
    let service = Setup::default().start().await;
    let tenants = ["1", "12", "1#P", "1#C", "T#1", "1%23P"];
    for (n, tenant) in tenants.iter().enumerate() {
        let person = service.who(tenant, "me", "admin");
        person.says(&format!("coffee {}", n + 1)).await;
        person.says("yes").await;
    }
    for (n, tenant) in tenants.iter().enumerate() {
        let rows = service.who(tenant, "me", "admin").rows().await;
        assert_eq!(rows.iter().map(|row| row["amount"].clone()).collect::<Vec<_>>(), [json!(n + 1)], "{tenant}");
    }
}
