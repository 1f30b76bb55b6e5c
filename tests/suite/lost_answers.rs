//! The store fails in every possible way: a change takes effect once, never twice, and the answer is true.

use futures_util::future::join_all;
use rstest::rstest;
use sayso::{model::Model, proposal::Policy};
use serde_json::json;
use std::{sync::Arc, time::Duration};

use crate::harness::{
    Setup,
    scripted::{Scripted, calls},
    wire::Fate::{self, *},
};

const TRANSACT: &str = "TransactWriteItems";

#[rstest]
#[case::dropped_before(&[DropBefore])]
#[case::committed_and_lost(&[CommitThenDrop])]
#[case::conflict(&[Conflict])]
#[case::conflicts(&[Conflict, Conflict, Conflict])]
#[case::in_progress(&[InProgress])]
#[case::throttled(&[Throttle, Throttle])]
#[case::token_mismatch(&[Mismatch])]
#[case::server_error(&[ServerError])]
#[case::lost_then_conflict(&[CommitThenDrop, Conflict])]
#[case::committing_elsewhere(&[ConflictAndRow])]
#[case::everything(&[Conflict, DropBefore, Throttle, CommitThenDrop])]
#[tokio::test]
async fn an_approval_takes_effect_once(#[case] fates: &[Fate]) {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    service.wire.fail(fates.iter().map(|fate| (TRANSACT, *fate)));
    let done = me.decide(&proposal, "approve").await;
    assert_eq!(
        (done.status.as_u16(), done.body["answer"].clone()),
        (200, json!("Added “coffee”, £3.50, 20 Nov 2026 (#1)."))
    );
    let again = me.decide(&proposal, "approve").await;
    assert_eq!(again.body["added"], done.body["added"]);
    assert_eq!(me.rows().await.len(), 1);
    assert_eq!(me.answer("how much did I spend?").await, "You spent £3.50 in total: 1 expense.");
}

/// The second fate is that of the last transaction.
#[rstest]
#[case::committed_and_lost(&[CommitThenDrop])]
#[case::both_committed_and_lost(&[CommitThenDrop, CommitThenDrop])]
#[case::conflict(&[Conflict])]
#[case::lost_then_conflict(&[CommitThenDrop, Conflict])]
#[tokio::test]
async fn a_yes_to_both_takes_effect_once_each(#[case] fates: &[Fate]) {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("tea 2").await;
    service.wire.fail(fates.iter().map(|fate| (TRANSACT, *fate)));
    let said = json!({ "message": "yes to both", "messageId": "m-1" });
    let done = me.chat(said.clone()).await;
    assert_eq!(
        done["answer"],
        "Added 2 expenses, £5.50:\n#1 “coffee”, £3.50, 20 Nov 2026\n#2 “tea”, £2.00, 20 Nov 2026"
    );
    assert_eq!(me.chat(said).await, done);
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn a_yes_to_both_reports_the_first_if_the_second_cannot_be_decided_yet() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("tea 2").await;
    let fates = [[Served].as_slice(), &[Conflict; 5]].concat();
    service.wire.fail(fates.into_iter().map(|fate| (TRANSACT, fate)));
    let said = json!({ "message": "yes to both", "messageId": "m-1" });
    let first = me.chat(said.clone()).await;
    assert_eq!(
        first["answer"],
        "Added “coffee”, £3.50, 20 Nov 2026 (#1).\n\nThen there was a problem. Too much is happening at once. Nothing was \
         changed. Try again in a moment."
    );
    assert_eq!(me.rows().await.len(), 1);
    let again = me.chat(said).await;
    assert_eq!(
        again["answer"],
        "Added 2 expenses, £5.50:\n#1 “coffee”, £3.50, 20 Nov 2026\n#2 “tea”, £2.00, 20 Nov 2026"
    );
    assert_eq!(me.rows().await.len(), 2);
}

#[rstest]
#[case::dropped_before(&[DropBefore])]
#[case::committed_and_lost(&[CommitThenDrop])]
#[case::conflicts(&[Conflict, Conflict])]
#[case::committed_lost_and_conflict(&[CommitThenDrop, Conflict])]
#[tokio::test]
async fn an_add_executed_at_once_takes_effect_once(#[case] fates: &[Fate]) {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    service.wire.fail(fates.iter().map(|fate| (TRANSACT, *fate)));
    let said = json!({ "message": "Add electricity bill £200 today", "messageId": "m-1" });
    let done = me.chat(said.clone()).await;
    assert_eq!(done["answer"], "Added “electricity bill”, £200.00, 20 Nov 2026 (#1).");
    assert_eq!(me.chat(said).await["added"], done["added"]);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn a_commit_that_arrives_late_has_no_effect() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    service.wire.fail([(TRANSACT, Late), (TRANSACT, Conflict)]);
    let done = me.decide(&proposal, "approve").await;
    assert_eq!(done.status, 200);
    // After the ten minutes for which DynamoDB remembers a client request token.
    service.advance(Duration::from_mins(11));
    assert_eq!(service.wire.arrive_late().await, [400]);
    assert_eq!(me.decide(&proposal, "approve").await.body["added"], done.body["added"]);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn an_add_at_once_that_arrives_late_has_no_effect() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    service.wire.fail([(TRANSACT, Late)]);
    let said = json!({ "message": "coffee 3.50", "messageId": "m-1" });
    let done = me.chat(said.clone()).await;
    assert_eq!(service.wire.arrive_late().await, [400]);
    assert_eq!(me.chat(said).await, done);
    assert_eq!(me.rows().await.len(), 1);
}

/// The fates of the transactions: the add, the add again, which is refused, and the record of that.
#[rstest]
#[case::first_call_late(
    &[Late],
    "Nothing was changed, because there is already another budget like the budget for food, £200.00 a month. \
     Say it again if you still want it."
)]
#[case::and_the_record_lost(
    &[Late, Served, DropBefore],
    "Nothing was changed, because there is already another budget like the budget for food, £200.00 a month. \
     Say it again if you still want it."
)]
#[case::and_the_answer_lost(
    &[Late, Served, CommitThenDrop],
    "Something had changed in the meantime, so nothing was done. Say it again if you still want it."
)]
#[tokio::test]
async fn a_refused_add_at_once_that_arrives_late_has_no_effect(#[case] fates: &[Fate], #[case] told: &str) {
    let service = Setup::policy(Policy::Never).start().await;
    let [ann, bob] = ["ann", "bob"].map(|user| service.who("demo", user, "admin"));
    let said = json!({ "message": "food budget £200 a month", "messageId": "m-1" });
    // Ann's budget gets its id when Bob's is written.
    service.wire.hold("UpdateItem");
    let (refused, ()) = tokio::join!(ann.chat(said.clone()), async {
        service.wire.held().await;
        service.wire.hold_after("UpdateItem", 1);
        assert_eq!(bob.says("food budget £300 a month").await["confirmationRequired"], false);
        service.wire.fail(fates.iter().map(|fate| (TRANSACT, *fate)));
        service.wire.release();
    });
    assert_eq!(refused["answer"], told);
    bob.says("remove the food budget").await;
    assert_eq!(service.wire.arrive_late().await, [400]);
    assert_eq!(ann.chat(said).await, refused);
    let none = "You have no budget yet. To set one, say “budget 200 a month for food”.";
    assert_eq!(ann.answer("show my budgets").await, none);
}

/// The first attempt gets no answers and gives up. The second one understands the message differently.
#[rstest]
#[case::added_at_once(Policy::Risky)]
#[case::shown(Policy::Always)]
#[tokio::test]
async fn an_attempt_that_arrives_after_a_later_one_has_answered_has_no_effect(#[case] policy: Policy) {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    model.says(calls([("ask_questions", json!({ "questions": [{ "text": "Which coffee?" }] }))]));
    let service = Setup { policy, ..Setup::model(model) }.start().await;
    let me = service.person();
    let said = json!({ "message": "coffee 3.50", "messageId": "m-1" });
    service.wire.fail([Late, DropBefore, DropBefore, DropBefore, DropBefore].map(|fate| (TRANSACT, fate)));
    assert_eq!(me.post("/chat", said.clone()).await.status, 503);
    let asked = me.chat(said.clone()).await;
    assert_eq!(asked["answer"], "Which coffee?");
    assert_eq!(service.wire.arrive_late().await, [400]);
    assert_eq!((me.rows().await, me.chat(said).await), (vec![], asked));
    assert_eq!(me.get("/proposals?state=waiting").await.body["items"], json!([]));
}

#[tokio::test]
async fn a_repeated_yes_after_a_lost_answer_gets_the_receipt() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    service.wire.fail([(TRANSACT, CommitThenDrop)]);
    let first = me.says("yes").await;
    for _ in 0..3 {
        let again = me.says("yes").await;
        let told = first["answer"].as_str().expect("an answer");
        assert_eq!(again["answer"], format!("This was already done:\n{told}"));
        assert_eq!(again["receipt"]["replayed"], true);
    }
    assert_eq!(me.answer("no").await, "This is already done, so it is too late to say no. Say “undo” to undo it.");
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn conflicts_without_end_are_reported_and_nothing_was_written() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    service.wire.fail([(TRANSACT, Conflict); 10]);
    service.wire.take();
    let busy = me.decide(&proposal, "approve").await;
    assert_eq!((busy.status.as_u16(), busy.body["type"].clone()), (503, json!("urn:sayso:problem:busy")));
    assert!(busy.headers.contains_key("retry-after"));
    let (calls, _) = service.wire.take();
    assert_eq!(calls.iter().filter(|call| call.operation == TRANSACT).count(), 5, "retries are bounded");
    assert_eq!(me.rows().await.len(), 0);
}

#[tokio::test]
async fn an_unknown_outcome_is_reported_as_unknown_and_a_repetition_tells_it() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("coffee 3.50").await["proposal"].clone();
    service.wire.fail([(TRANSACT, DropBefore); 5]);
    let unknown = me.decide(&proposal, "approve").await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.body["type"].clone()),
        (503, json!("urn:sayso:problem:outcome-unknown"))
    );
    assert_eq!(me.decide(&proposal, "approve").await.status, 200);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn the_same_request_twice_at_once_is_one_model_call_and_one_proposal() {
    let model = Arc::new(Scripted::default());
    for _ in 0..2 {
        model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    }
    let service = Setup::model(model.clone()).start().await;
    let me = service.person();
    let said = json!({ "message": "coffee 3.50", "messageId": "m-1" });
    let replies = join_all((0..2).map(|_| me.post("/chat", said.clone()))).await;
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(model.requests().len(), 1);
    let shown = me.chat(said).await;
    assert!(replies.iter().any(|reply| reply.body == shown), "the same reply, later");
}

#[tokio::test]
async fn a_failed_turn_releases_its_claim() {
    let service = Setup::default().start().await;
    let me = service.person();
    let said = json!({ "message": "coffee 3.50", "messageId": "m-1" });
    service.wire.fail([(TRANSACT, Conflict); 5]);
    assert_eq!(me.post("/chat", said.clone()).await.status, 503);
    assert_eq!(me.chat(said).await["confirmationRequired"], true);
}

#[tokio::test]
async fn a_repeated_message_after_a_lost_answer_gets_the_same_proposal() {
    let service = Setup::default().start().await;
    let me = service.person();
    let said = json!({ "message": "coffee 3.50", "messageId": "m-1" });
    service.wire.fail([(TRANSACT, CommitThenDrop)]);
    let first = me.chat(said.clone()).await;
    let second = me.chat(said).await;
    assert_eq!(first["proposal"], second["proposal"]);
    me.says("yes").await;
    assert_eq!(me.rows().await.len(), 1);
}

/// A decision needs no model, so a scripted model that is asked would fail this test.
#[tokio::test]
async fn a_plain_yes_asks_no_model() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    let service = Setup::model(model.clone() as Arc<dyn Model>).start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    assert_eq!(model.requests().len(), 1);
    me.says("yes").await;
    assert_eq!(model.requests().len(), 0);
    assert_eq!(me.rows().await.len(), 1);
}
