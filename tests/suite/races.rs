//! Simultaneous decisions: one wins, receipts are equal, and nothing is doubled or lost.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::{StreamExt, future::join_all, stream};
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{
    Person, Response, Service, Setup,
    bench::text,
    wire::{
        Fate::{self, *},
        TENANT,
    },
};

const TRANSACT: &str = "TransactWriteItems";

async fn service() -> Service {
    Setup { budget: Duration::from_secs(600), ..Setup::default() }.start().await
}

async fn assert_rollups_hold(service: &Service) {
    let (stored, recomputed) = service.rollups().await;
    assert_eq!(stored, recomputed);
}

/// Without the fields that mark a repetition.
fn receipt(response: &Response) -> Value {
    let mut receipt = response.body["receipt"].clone();
    if let Some(receipt) = receipt.as_object_mut() {
        receipt.remove("replayed");
    }
    receipt
}

/// All orders of this many calls of each of two tasks.
fn orders(each: usize) -> Vec<Vec<usize>> {
    let all = (0..1_u32 << (2 * each)).filter(|bits| bits.count_ones() as usize == each);
    all.map(|bits| (0..2 * each).map(|n| usize::from(bits >> n & 1 == 1)).collect()).collect()
}

#[tokio::test]
async fn two_approvals_have_one_effect_in_every_order_of_calls() {
    let service = service().await;
    let me = service.person();
    for (n, order) in orders(3).iter().enumerate() {
        let proposal = me.says(&format!("add item{n} 3.50")).await["proposal"].clone();
        let (first, second) =
            service.wire.turnstile.run(order, me.decide(&proposal, "approve"), me.decide(&proposal, "approve")).await;
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200), "{order:?}");
        assert_eq!(receipt(&first), receipt(&second), "{order:?}");
        assert_eq!(me.rows().await.len(), n + 1, "{order:?}");
    }
    assert_rollups_hold(&service).await;
}

#[rstest]
#[case::lost_before(DropBefore)]
#[case::lost_after(CommitThenDrop)]
#[case::conflict(Conflict)]
#[case::throttled(Throttle)]
#[case::in_progress(InProgress)]
#[case::broken(ServerError)]
#[tokio::test]
async fn two_approvals_with_a_failure_have_one_effect_in_every_order(#[case] fate: Fate, #[values(0, 1)] at: usize) {
    let service = service().await;
    let me = service.person();
    for (n, order) in orders(3).iter().enumerate() {
        let proposal = me.says(&format!("add item{n} 3.50")).await["proposal"].clone();
        service.wire.fail(std::iter::repeat_n((TRANSACT, Served), at).chain([(TRANSACT, fate)]));
        let (first, second) =
            service.wire.turnstile.run(order, me.decide(&proposal, "approve"), me.decide(&proposal, "approve")).await;
        service.wire.clear();
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200), "{order:?}");
        assert_eq!(receipt(&first), receipt(&second), "{order:?}");
        assert_eq!(me.rows().await.len(), n + 1, "{order:?}");
    }
    assert_rollups_hold(&service).await;
}

#[tokio::test]
async fn one_of_an_approval_and_a_rejection_wins_in_every_order() {
    let service = service().await;
    let me = service.person();
    let mut winners = BTreeSet::new();
    let mut rows = 0;
    for (n, order) in orders(3).iter().enumerate() {
        let proposal = me.says(&format!("add item{n} 3.50")).await["proposal"].clone();
        let (yes, no) =
            service.wire.turnstile.run(order, me.decide(&proposal, "approve"), me.decide(&proposal, "reject")).await;
        let won = (yes.status.as_u16(), no.status.as_u16());
        assert!(matches!(won, (200, 409) | (409, 200)), "{order:?}: {won:?}");
        rows += usize::from(won.0 == 200);
        assert_eq!(me.rows().await.len(), rows, "{order:?}");
        winners.insert(won);
    }
    assert_eq!(winners.len(), 2, "each wins somewhere");
}

/// Load, start, two chunks, and the load of the second: five calls each.
const CALLS_OF_A_RUN: usize = 5;

#[tokio::test]
async fn two_requests_of_one_run_execute_each_chunk_once_in_many_orders() {
    for order in orders(CALLS_OF_A_RUN).iter().step_by(40) {
        two_runners(order).await;
    }
}

#[tokio::test]
#[ignore = "minutes; `make torture` runs it"]
async fn torture_two_requests_of_one_run_execute_each_chunk_once_in_every_order() {
    for order in &orders(CALLS_OF_A_RUN) {
        two_runners(order).await;
    }
}

async fn two_runners(order: &[usize]) {
    let service = service().await;
    service.fill(60).await;
    let me = service.person();
    let proposal = me.says("delete everything").await["proposal"].clone();
    let (first, second) =
        service.wire.turnstile.run(order, me.decide(&proposal, "approve"), me.decide(&proposal, "approve")).await;
    for response in [&first, &second] {
        assert!(matches!(response.status.as_u16(), 200 | 202), "{order:?}: {}", response.body);
    }
    let last = me.decide(&proposal, "approve").await;
    assert_eq!(last.body["receipt"]["count"], 60, "{order:?}");
    for response in [first, second].iter().filter(|response| response.status == 200) {
        assert_eq!(receipt(response), receipt(&last), "{order:?}");
    }
    assert_eq!(me.rows().await.len(), 0, "{order:?}");
    assert_rollups_hold(&service).await;
}

#[tokio::test]
async fn each_of_many_proposals_has_one_winner_among_many_decisions() {
    race(12, 12).await;
}

#[tokio::test]
#[ignore = "minutes; `make torture` runs it"]
async fn torture_a_thousand_proposals_are_approved_a_hundred_times_each() {
    race(1_000, 100).await;
}

/// Each proposal is approved this many times at once, beside a rejection, an edit, and a change of another row.
async fn race(proposals: usize, approvals: usize) {
    let service = service().await;
    let me = service.person();
    me.says("add bystander 1").await;
    me.says("yes").await;
    let mut shown = Vec::new();
    for n in 0..proposals {
        let reply =
            me.chat(json!({ "conversationId": format!("c{n}"), "message": format!("add item{n} {}", n + 1) })).await;
        shown.push(reply["proposal"].clone());
    }
    let decisions =
        (0..approvals + 2).flat_map(|turn| shown.iter().enumerate().map(move |(n, shown)| (turn, n, shown)));
    let deciding = decisions.map(|(turn, n, proposal)| async move {
        let kind = match turn {
            // Early in some rounds, so that they can win.
            2 if n % 3 == 0 => "reject",
            1 if n % 5 == 0 => "edit",
            turn if turn == approvals / 2 && n % 7 == 0 => "bystander",
            _ => "approve",
        };
        (n, kind, act(&me, kind, n, proposal).await)
    });
    let decided: Vec<(usize, &str, Response)> = stream::iter(deciding).buffer_unordered(64).collect().await;

    let mut receipts: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    for (n, kind, response) in &decided {
        match (*kind, response.status.as_u16()) {
            ("approve", 200) => {
                receipts.entry(*n).or_default().insert(receipt(response).to_string());
            }
            ("reject" | "edit", 200) => {
                refused.insert(*n);
            }
            ("approve" | "reject" | "edit", 409 | 422) | ("bystander", _) => {}
            (_, status) => panic!("{kind}: {status} {}", response.body),
        }
    }
    assert!(receipts.values().all(|receipts| receipts.len() == 1), "equal receipts");
    let executed: BTreeSet<usize> = receipts.keys().copied().collect();
    assert!(executed.is_disjoint(&refused), "what was taken back was not done");
    assert_eq!(executed.len() + refused.len(), proposals, "each was decided one way or the other");
    let mut items = BTreeMap::<String, usize>::new();
    let mut page = me.get("/expenses?limit=500").await.body;
    loop {
        for row in page["items"].as_array().expect("items") {
            *items.entry(row["item"].as_str().expect("a name").to_owned()).or_default() += 1;
        }
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        page = me.get(&format!("/expenses?limit=500&cursor={cursor}")).await.body;
    }
    items.retain(|item, _| item.starts_with("item"));
    let expected: BTreeMap<String, usize> = executed.iter().map(|n| (format!("item{n}"), 1)).collect();
    assert_eq!(items, expected, "none lost, none doubled");
    assert_rollups_hold(&service).await;
    println!("{} approvals of {proposals} proposals: {} executed", decided.len(), executed.len());
}

async fn act(me: &Person<'_>, kind: &str, n: usize, proposal: &Value) -> Response {
    match kind {
        "edit" => {
            let body = json!({ "conversationId": format!("c{n}"), "confirm": {
                "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "edit",
                "edits": { "1": { "amount": "99999" } },
            }});
            me.post("/chat", body).await
        }
        "bystander" => {
            let said = |message: String| json!({ "conversationId": format!("b{n}"), "message": message });
            me.post("/chat", said(format!("change #1 to {}", n + 2))).await;
            me.post("/chat", said("yes".into())).await
        }
        decision => me.decide(proposal, decision).await,
    }
}

#[tokio::test]
async fn edits_of_single_rows_during_a_run_are_not_lost() {
    let service = service().await;
    let rows = service.fill(120).await;
    let me = service.person();
    let proposal = me.says("put all coffee in treats").await["proposal"].clone();
    let coffees: Vec<u64> = rows.iter().filter(|row| row.draft.body["item"] == "coffee").map(|row| row.id).collect();
    let renames = coffees.iter().step_by(2).map(|id| async move {
        let said = |message: &str| json!({ "conversationId": format!("c{id}"), "message": message });
        me.chat(said(&format!("rename #{id} to espresso"))).await;
        me.post("/chat", said("yes")).await
    });
    let (approved, _) = tokio::join!(me.decide(&proposal, "approve"), join_all(renames));
    assert_eq!(approved.status, 200, "{}", approved.body);
    let (done, skipped) = (&approved.body["receipt"]["count"], &approved.body["receipt"]["skipped"]);
    let all = me.get("/expenses?limit=500").await.body["items"].as_array().expect("items").clone();
    let treats = all.iter().filter(|row| row["category"] == "treats").count();
    assert_eq!(*done, treats);
    assert_eq!(treats as u64 + skipped.as_u64().unwrap_or(0), coffees.len() as u64);
    assert_rollups_hold(&service).await;
}

/// What there can be one of, said twice, by whom the second time; the answer to the second yes; and the number of rows that were written beside.
#[rstest]
#[case::budget(
    ["food budget £200 a month", "food budget £300 a month"],
    "bob",
    "Nothing was changed, because there is already another budget like the budget for food, £300.00 a month. \
     Say it again if you still want it."
)]
#[case::recurring(
    ["rent £950 every month", "rent £900 every month"],
    "ann",
    "Nothing was changed, because there is already another recurring entry like “rent”, £900.00 every month \
     from 20 Nov 2026. Say it again if you still want it."
)]
#[case::setting(
    ["my currency is EUR", "my currency is USD"],
    "bob",
    "Nothing was changed, because there is already another setting like USD as your currency. \
     Say it again if you still want it."
)]
#[case::filing(
    ["costa 3.50 in food", "costa 4.20 in travel"],
    "bob",
    "Added “costa”, £4.20, 20 Nov 2026, in travel (#2).\n\
     Left out, because there is already another remembered category like “costa” as travel."
)]
#[tokio::test]
async fn what_there_can_be_one_of_is_written_once_and_the_second_answer_says_so(
    #[case] messages: [&str; 2],
    #[case] other_person: &str,
    #[case] second: &str,
) {
    let service = Setup { currency: Some("GBP"), ..Setup::default() }.start().await;
    let [ann, bob] = ["ann", other_person].map(|user| service.who("demo", user, "admin"));
    let [first, other] = messages;
    let (shown, later) = (ann.says(first).await["proposal"].clone(), bob.says(other).await["proposal"].clone());
    assert_eq!(ann.decide(&shown, "approve").await.status, 200);
    let response = bob.decide(&later, "approve").await;
    let told = response.body["detail"].as_str().or(response.body["answer"].as_str());
    assert_eq!(told, Some(second), "{}", response.body);
    // It exists once, so saying it again changes it.
    assert_eq!(unique_keys(&service).await, 1);
    let again = bob.says(other).await["proposal"].clone();
    let verbs: Vec<&Value> = again["operations"].as_array().expect("operations").iter().map(|row| &row["op"]).collect();
    assert_eq!(verbs.last(), Some(&&json!("change")), "{again}");
    assert_eq!(bob.decide(&again, "approve").await.status, 200);
    assert_eq!(unique_keys(&service).await, 1);
}

#[tokio::test]
async fn two_approvals_of_the_same_budget_write_it_once_in_every_order() {
    let service = service().await;
    let [ann, bob] = ["ann", "bob"].map(|user| service.who("demo", user, "admin"));
    for (n, order) in orders(2).iter().enumerate() {
        let message = format!("item{n} budget £200 a month");
        let (first, second) =
            (ann.says(&message).await["proposal"].clone(), bob.says(&message).await["proposal"].clone());
        let (one, other) =
            service.wire.turnstile.run(order, ann.decide(&first, "approve"), bob.decide(&second, "approve")).await;
        let mut statuses = [one.status.as_u16(), other.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{order:?}: {} {}", one.body, other.body);
        assert_eq!(unique_keys(&service).await, n + 1, "{order:?}");
    }
}

#[tokio::test]
async fn a_deleted_budget_is_not_restored_beside_a_new_one() {
    let service = service().await;
    let me = service.person();
    for message in ["food budget £200 a month", "yes", "remove the food budget", "yes"] {
        me.says(message).await;
    }
    assert_eq!(unique_keys(&service).await, 0);
    let undo = me.says("undo").await["proposal"].clone();
    let new = me.says("food budget £300 a month").await["proposal"].clone();
    assert_eq!(me.decide(&new, "approve").await.status, 200);
    assert_eq!(unique_keys(&service).await, 1, "the new one");
    let refused = me.decide(&undo, "approve").await;
    assert_eq!((refused.status.as_u16(), &refused.body["type"]), (409, &json!("urn:sayso:problem:proposal-stale")));
    assert_eq!(me.says("show my budgets").await["budgets"][0]["money"]["amount"], "300.00");
}

async fn unique_keys(service: &Service) -> usize {
    let query = service.store.client().query().table_name("sayso").key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", AttributeValue::S("T#demo".into()));
    let items = TENANT.scope("demo".into(), query.send()).await.expect("items").items.unwrap_or_default();
    items.iter().filter(|item| text(item, "sk").starts_with("U#")).count()
}
