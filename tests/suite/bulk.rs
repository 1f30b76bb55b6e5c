//! Proposals of many rows: shown as numbers, executed chunk by chunk, stopped, resumed and undone.

use std::{collections::BTreeSet, time::Duration};

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use rstest::rstest;
use sayso::{
    agent::SweepReport,
    local::made_up,
    money::Currency,
    proposal::{
        Audience, Call, ChangeSet, ChangeSetError, Event, Operation, Proposal, ProposalBody, ProposalId, Record, State,
        StoreCall,
    },
    store::Bookkeeping,
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Response, Service, Setup,
    bench::{Item, create, text},
    log::captured_log,
    wire::{Fate::*, TENANT},
};

const TRANSACT: &str = "TransactWriteItems";

/// Less time than a chunk needs.
const HURRY: Duration = Duration::from_millis(7_900);

/// More time than any test takes.
const AMPLE: Duration = Duration::from_secs(600);

/// Half of them are from last year, and need several transactions.
const ROWS: usize = 150;

async fn filled() -> (Service, Vec<Record>) {
    let service = Setup { budget: AMPLE, ..Setup::default() }.start().await;
    let rows = service.fill(ROWS).await;
    service.wire.take();
    (service, rows)
}

fn of_2025(rows: &[Record]) -> Vec<&Record> {
    rows.iter().filter(|row| row.draft.date.year() == 2025).collect()
}

fn minor(rows: &[&Record]) -> i64 {
    rows.iter().flat_map(|row| &row.draft.rollups).map(|contribution| contribution.amount).sum()
}

/// "1,234.56"
fn pounds(minor: i64) -> String {
    let (whole, cents) = (minor / 100, minor % 100);
    let whole = if whole >= 1_000 { format!("{},{:03}", whole / 1_000, whole % 1_000) } else { whole.to_string() };
    format!("£{whole}.{cents:02}")
}

async fn ids(me: &Person<'_>) -> BTreeSet<u64> {
    me.ids_of_all_pages("/expenses?limit=500").await.into_iter().collect()
}

async fn assert_rollups_hold(service: &Service) {
    let (stored, recomputed) = service.rollups().await;
    assert_eq!(stored, recomputed);
}

async fn proposed(me: &Person<'_>, message: &str) -> Value {
    let reply = me.says(message).await;
    assert_eq!(reply["confirmationRequired"], true, "{reply}");
    reply["proposal"].clone()
}

/// Approved, but out of time before the first chunk.
async fn approve_out_of_time(service: &Service, message: &str) -> Value {
    let me = service.person();
    let proposal = proposed(&me, message).await;
    service.grant(HURRY);
    let response = me.decide(&proposal, "approve").await;
    service.grant(AMPLE);
    assert_eq!((response.status.as_u16(), &response.headers["retry-after"]), (202, &"2".parse().unwrap()));
    proposal
}

async fn state(me: &Person<'_>, proposal: &Value) -> Value {
    me.get(&format!("/proposals/{}", proposal["id"].as_str().expect("an id"))).await.body
}

fn done(response: &Response) -> (u16, &Value) {
    (response.status.as_u16(), &response.body["receipt"])
}

#[tokio::test]
async fn a_year_is_shown_in_numbers_deleted_after_one_yes_and_brought_back() {
    let (service, rows) = filled().await;
    let me = service.person();
    let before = me.says("how much did I spend?").await["totals"].clone();
    let of_2025 = of_2025(&rows);
    let (count, sum) = (of_2025.len(), pounds(minor(&of_2025)));

    let shown = me.says("delete everything from last year").await;
    let text = shown["answer"].as_str().expect("an answer");
    assert!(
        text.starts_with(&format!("Delete {count} expenses, {sum}? (yes / no)\nThe first 5 of them:\n1. ")),
        "{text}"
    );
    assert!(text.contains("\nMuch larger than the others:\n- #"), "{text}");
    assert!(text.ends_with("\nChosen: all expenses from 1 Jan 2025 to 31 Dec 2025"), "{text}");
    let proposal = &shown["proposal"];
    assert_eq!((&proposal["count"], proposal["operations"].as_array().map(Vec::len)), (&json!(count), Some(20)));
    let written = service.wire.take().0;
    assert!(written.iter().any(|call| call.operation == "BatchWriteItem"), "more than one transaction takes");
    assert_eq!(
        (&proposal["totals"][0]["count"], &proposal["title"]),
        (&json!(count), &json!(format!("Delete {count} expenses")))
    );
    let outliers = proposal["outliers"].as_array().expect("outliers");
    assert!(outliers.iter().all(|row| row.get("n").is_none() && row["before"]["item"] == "rent"), "{outliers:?}");
    assert_eq!(ids(&me).await.len(), ROWS, "shown, and not done");

    let done = me.says("yes").await;
    assert_eq!(done["answer"], format!("Deleted {count} expenses, {sum}."));
    assert_eq!((&done["receipt"]["count"], done["receipt"].get("skipped")), (&json!(count), None));
    let kept: BTreeSet<u64> = rows.iter().filter(|row| row.draft.date.year() != 2025).map(|row| row.id).collect();
    assert_eq!(ids(&me).await, kept);
    assert_rollups_hold(&service).await;
    assert_eq!(me.says("yes").await["receipt"]["replayed"], true, "a yes said twice is one");

    let shown = me.answer("undo that").await;
    assert!(
        shown.starts_with(&format!("Restore {count} expenses, {sum}? (yes / no)\nThe first 5 of them:")),
        "{shown}"
    );
    assert_eq!(me.answer("yes").await, format!("Restored {count} expenses, {sum}."));
    assert_eq!(ids(&me).await, rows.iter().map(|row| row.id).collect());
    assert_eq!(me.says("how much did I spend?").await["totals"], before);
    assert_rollups_hold(&service).await;

    let items = me.get("/receipts").await.body["items"].clone();
    let counts: Vec<&Value> = items.as_array().expect("items").iter().map(|item| &item["count"]).collect();
    assert_eq!(counts, [count, count], "both are in the history");
}

#[tokio::test]
async fn every_matching_row_is_recategorised_and_the_sums_move() {
    let (service, rows) = filled().await;
    let me = service.person();
    let coffees: Vec<&Record> = rows.iter().filter(|row| row.draft.body["item"] == "coffee").collect();
    let shown = me.answer("put all coffee in treats").await;
    assert!(shown.starts_with(&format!("Change {} expenses", coffees.len())), "{shown}");
    assert!(shown.contains("category food → treats"), "{shown}");
    me.says("yes").await;
    assert_rollups_hold(&service).await;
    let treats = me.says("how much on treats?").await;
    assert_eq!(treats["totals"][0]["count"], coffees.len());
    let again = me.answer("put all coffee in treats").await;
    assert!(again.contains("They are all like that already"), "{again}");
}

#[tokio::test]
async fn rows_with_changed_content_are_left_out_and_rows_with_equal_content_are_not() {
    let (service, rows) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    let of_2025 = of_2025(&rows);
    // In the first chunk, and in the last.
    let last = of_2025.len() - 1;
    let (changed, back, gone) = (of_2025[3].id, of_2025[last].id, of_2025[last - 5].id);
    let other = service.who("demo", "me", "admin");
    let edit = async |id: u64, item: &str| {
        let body = json!({ "conversationId": "other", "message": format!("rename #{id} to {item}") });
        other.chat(body).await;
        other.chat(json!({ "conversationId": "other", "message": "yes" })).await;
    };
    edit(changed, "something else").await;
    let name = of_2025[last].draft.body["item"].as_str().expect("a name").to_owned();
    edit(back, "for a moment").await;
    edit(back, &name).await;
    other.chat(json!({ "conversationId": "other", "message": format!("delete #{gone}") })).await;
    other.chat(json!({ "conversationId": "other", "message": "yes" })).await;

    let count = of_2025.len() - 2;
    let response = me.decide(&proposal, "approve").await;
    let text = response.body["answer"].as_str().expect("an answer");
    assert!(text.starts_with(&format!("Deleted {count} expenses, ")), "{text}");
    assert!(text.ends_with(" 2 were skipped, because they changed after you saw them."), "{text}");
    assert_eq!((&response.body["receipt"]["count"], &response.body["receipt"]["skipped"]), (&json!(count), &json!(2)));
    assert_eq!(state(&me, &proposal).await["state"], "PARTIAL");
    let left = ids(&me).await;
    assert!(left.contains(&changed) && !left.contains(&back) && !left.contains(&gone));
    assert_rollups_hold(&service).await;

    me.post(&format!("/proposals/{}/undo", proposal["id"].as_str().expect("an id")), json!({})).await;
    me.says("yes").await;
    let restored = ids(&me).await;
    assert_eq!(restored.len(), ROWS - 1, "what was done is back, and what somebody else deleted is not");
    assert!(!restored.contains(&gone));
    assert_rollups_hold(&service).await;
}

#[rstest]
#[case::by_the_same_approval("approve")]
#[case::by_asking_for_it("get")]
#[case::by_a_later_message("chat")]
#[case::by_looking_at_a_list("list")]
#[case::by_the_schedule("sweep")]
#[tokio::test]
async fn an_interrupted_run_is_finished(#[case] by: &str) {
    let (service, rows) = filled().await;
    let me = service.person();
    let proposal = approve_out_of_time(&service, "delete everything from last year").await;
    assert_eq!(ids(&me).await.len(), ROWS);
    let soon = service.sweep().await;
    assert_eq!(soon, SweepReport::default(), "whoever approved it may still be at it");
    me.says("how much did I spend?").await;
    assert_eq!(ids(&me).await.len(), ROWS);
    service.advance(Duration::from_secs(31));
    match by {
        "approve" => assert_eq!(done(&me.decide(&proposal, "approve").await).0, 200),
        "get" => assert_eq!(state(&me, &proposal).await["state"], "EXECUTED"),
        "list" => assert_eq!(ids(&me).await.len(), ROWS - of_2025(&rows).len()),
        "chat" => assert_eq!(
            me.says("how much did I spend last year?").await["answer"],
            "You spent nothing in 2025.",
            "the answer knows what was finished for it"
        ),
        _ => assert_eq!(service.sweep().await, SweepReport { finished: 1, ..SweepReport::default() }),
    }
    assert_eq!(ids(&me).await.len(), ROWS - of_2025(&rows).len());
    let (first, second) = (me.decide(&proposal, "approve").await, me.decide(&proposal, "approve").await);
    assert_eq!((done(&first), &first.body["receipt"]["count"]), (done(&second), &json!(of_2025(&rows).len())));
    assert_rollups_hold(&service).await;
    service.advance(Duration::from_secs(60));
    assert_eq!(service.sweep().await, SweepReport::default(), "nothing is left to do");
}

/// Executes `n` chunks; then the store fails.
async fn interrupt_after(service: &Service, proposal: &Value, n: usize) -> Response {
    let chunks = std::iter::repeat_n((TRANSACT, Served), n + 1);
    service.wire.fail(chunks.chain(std::iter::repeat_n((TRANSACT, Throttle), 5)));
    service.person().decide(proposal, "approve").await
}

#[tokio::test]
async fn a_run_reports_its_progress_and_can_be_stopped() {
    let (service, rows) = filled().await;
    let me = service.person();
    let count = of_2025(&rows).len();
    let proposal = proposed(&me, "delete everything from last year").await;
    let response = interrupt_after(&service, &proposal, 1).await;
    assert_eq!(response.status, 202);
    let done_first = response.body["progress"]["done"].as_u64().expect("a number");
    assert!((1..count as u64).contains(&done_first));
    let left = ROWS - usize::try_from(done_first).expect("a few");
    assert_eq!(response.body["progress"], json!({ "done": done_first, "skipped": 0, "total": count }));
    assert_eq!(ids(&me).await.len(), left);
    let refused = me.decide(&proposal, "reject").await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let early = me.answer("undo").await;
    assert!(early.contains("not finished yet"), "{early}");

    let stopped = me.decide(&proposal, "stop").await;
    let receipt = &stopped.body["receipt"];
    assert_eq!((stopped.status.as_u16(), &receipt["count"]), (200, &json!(done_first)));
    assert_eq!(receipt["notDone"], count as u64 - done_first);
    let text = stopped.body["answer"].as_str().expect("an answer");
    let not_done = count as u64 - done_first;
    assert!(text.ends_with(&format!(" {not_done} were skipped, because it was stopped.")), "{text}");
    assert_eq!(state(&me, &proposal).await["state"], "STOPPED");
    for decision in ["approve", "stop"] {
        assert_eq!(me.decide(&proposal, decision).await.body["receipt"]["count"], done_first, "nothing goes on");
    }
    service.advance(Duration::from_secs(60));
    assert_eq!(service.sweep().await, SweepReport::default());
    assert_eq!(ids(&me).await.len(), left);
    assert_rollups_hold(&service).await;

    me.says("undo that").await;
    me.says("yes").await;
    assert_eq!(ids(&me).await.len(), ROWS, "what was done of it is taken back");
}

#[tokio::test]
async fn a_no_stops_a_run_in_progress() {
    let (service, _) = filled().await;
    let me = service.person();
    me.says("delete everything from last year").await;
    service.grant(HURRY);
    let working = me.post("/chat", json!({ "message": "yes" })).await;
    assert_eq!(working.status, 202);
    let text = working.body["answer"].as_str().expect("an answer");
    assert!(text.starts_with("Deleting ") && text.contains(": 0 done so far."), "{text}");
    let stopped = me.answer("stop").await;
    assert!(stopped.starts_with("Nothing was done. "), "{stopped}");
    service.advance(Duration::from_secs(60));
    service.grant(AMPLE);
    service.sweep().await;
    assert_eq!(ids(&me).await.len(), ROWS);
}

#[tokio::test]
async fn a_repeated_yes_with_the_same_message_id_resumes_the_run() {
    let (service, rows) = filled().await;
    let me = service.person();
    me.says("delete everything from last year").await;
    service.grant(HURRY);
    let yes = json!({ "message": "yes", "messageId": "m-1" });
    assert_eq!(me.post("/chat", yes.clone()).await.status, 202);
    service.grant(AMPLE);
    let finished = me.chat(yes.clone()).await;
    assert_eq!(finished["receipt"]["count"], of_2025(&rows).len());
    assert_eq!(me.chat(yes).await, finished, "now it is answered");
}

#[rstest]
#[case::lost_before(DropBefore)]
#[case::lost_after(CommitThenDrop)]
#[case::late(Late)]
#[case::conflict(Conflict)]
#[case::throttled(Throttle)]
#[case::in_progress(InProgress)]
#[case::broken(ServerError)]
#[tokio::test]
async fn each_row_of_a_run_is_changed_once_whatever_happens_to_any_transaction(
    #[case] fate: crate::harness::wire::Fate,
    #[values(0, 1, 2)] at: usize,
) {
    let (service, rows) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    service.wire.fail(std::iter::repeat_n((TRANSACT, Served), at).chain([(TRANSACT, fate)]));
    let response = me.decide(&proposal, "approve").await;
    service.wire.arrive_late().await;
    let again = me.decide(&proposal, "approve").await;
    assert_eq!(again.body["receipt"]["count"], of_2025(&rows).len(), "{}", response.body);
    assert_eq!(ids(&me).await.len(), ROWS - of_2025(&rows).len());
    assert_rollups_hold(&service).await;
    service.advance(Duration::from_secs(60));
    assert_eq!(service.sweep().await, SweepReport::default());
}

#[tokio::test]
async fn many_approvals_at_once_are_one_run_with_one_receipt() {
    let (service, rows) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    let responses = join_all((0..20).map(|_| me.decide(&proposal, "approve"))).await;
    assert!(responses.iter().all(|response| matches!(response.status.as_u16(), 200 | 202 | 503)));
    let receipts: BTreeSet<String> = join_all((0..3).map(|_| me.decide(&proposal, "approve")))
        .await
        .iter()
        .map(|it| it.body["receipt"].to_string())
        .collect();
    assert_eq!(receipts.len(), 1, "{receipts:?}");
    assert_eq!(ids(&me).await.len(), ROWS - of_2025(&rows).len());
    assert_rollups_hold(&service).await;
}

#[tokio::test]
async fn incompletely_written_chunks_are_not_referred_to() {
    let (service, rows) = filled().await;
    let me = service.person();
    service.wire.fail(std::iter::repeat_n(("BatchWriteItem", Unprocessed), 25));
    let said = json!({ "message": "delete everything from last year", "messageId": "m-1" });
    let refused = me.post("/chat", said.clone()).await;
    assert_eq!(refused.status, 503, "{}", refused.body);
    let calls = service.wire.take().0;
    assert!(calls.iter().all(|call| call.operation != TRANSACT || !call.body.to_string().contains("PENDING")));
    assert_eq!(me.chat(said).await["proposal"]["count"], of_2025(&rows).len(), "the same message again is shown");
}

#[rstest]
#[case::missing(None)]
#[case::altered(Some(json!({ "changes": [] })))]
#[tokio::test]
async fn an_altered_chunk_halts_the_run_for_good_and_is_reported_once(
    #[case] instead: Option<Value>,
    #[values("approval", "sweep")] by: &str,
) {
    let (service, rows) = filled().await;
    let me = service.person();
    let (log, _guard) = captured_log();
    let proposal = match by {
        "approval" => proposed(&me, "delete everything from last year").await,
        _ => approve_out_of_time(&service, "delete everything from last year").await,
    };
    tamper(&service, &proposal, instead).await;
    if by == "sweep" {
        service.advance(Duration::from_secs(31));
        assert_eq!(service.sweep().await, SweepReport { failed: 1, stuck: 1, ..SweepReport::default() });
    }
    let response = me.decide(&proposal, "approve").await;
    let (left, all) = (ids(&me).await.len(), of_2025(&rows).len());
    let done = ROWS - left;
    assert!(done > 0 && done < all, "the first chunk, and nothing after it: {left}");
    let receipt = &response.body["receipt"];
    assert_eq!(
        (response.status.as_u16(), &receipt["count"], &receipt["notDone"]),
        (200, &json!(done), &json!(all - done))
    );
    let text = response.body["answer"].as_str().expect("an answer");
    let rest = format!(" {} were skipped, because the rest of the list is damaged or lost.", all - done);
    assert!(text.ends_with(&rest), "{text}");
    assert_eq!(state(&me, &proposal).await["state"], "HALTED");

    service.advance(Duration::from_secs(16 * 60));
    assert_eq!(service.sweep().await, SweepReport::default(), "it is no longer met by anybody");
    for decision in ["approve", "stop"] {
        assert_eq!(me.decide(&proposal, decision).await.body["receipt"]["count"], done, "{decision}");
    }
    let log = String::from_utf8(log.lock().expect("no writer panicked").clone()).expect("text");
    assert_eq!(log.lines().filter(|line| line.contains("\"ERROR\"")).count(), 1, "{log}");
    me.says("undo that").await;
    assert_eq!(me.says("yes").await["receipt"]["count"], done);
    assert_eq!(ids(&me).await.len(), ROWS);
    assert_rollups_hold(&service).await;
}

/// Nothing can be told of it, because its first chunk holds what was shown.
#[rstest]
#[tokio::test]
async fn a_first_chunk_that_is_altered_or_missing_halts_the_run_for_good_and_is_reported_once(
    #[values("altered", "missing")] how: &str,
    #[values("approval", "stop", "sweep")] by: &str,
) {
    let (service, rows) = filled().await;
    let me = service.person();
    let (log, _guard) = captured_log();
    let proposal = approve_out_of_time(&service, "delete everything from last year").await;
    let key =
        |sk: &str| [("pk", "T#demo#P".into()), ("sk", format!("P#{}{sk}", proposal["id"].as_str().expect("an id")))];
    let client = service.store.client();
    if how == "missing" {
        let delete = client.delete_item().table_name("sayso");
        let delete =
            key("#00000").into_iter().fold(delete, |delete, (name, value)| delete.key(name, AttributeValue::S(value)));
        TENANT.scope("demo".into(), delete.send()).await.expect("deleted");
    } else {
        let update = client.update_item().table_name("sayso").update_expression("SET body = :body");
        let update = update.expression_attribute_values(":body", AttributeValue::S("{}".into()));
        let update =
            key("#00000").into_iter().fold(update, |update, (name, value)| update.key(name, AttributeValue::S(value)));
        TENANT.scope("demo".into(), update.send()).await.expect("written");
    }
    match by {
        "sweep" => {
            service.advance(Duration::from_secs(31));
            assert_eq!(service.sweep().await, SweepReport { failed: 1, stuck: 1, ..SweepReport::default() });
        }
        "stop" => assert_eq!(me.decide(&proposal, "stop").await.status, 500),
        _ => assert_eq!(me.decide(&proposal, "approve").await.status, 500),
    }
    let get = client.get_item().table_name("sayso");
    let get = key("").into_iter().fold(get, |get, (name, value)| get.key(name, AttributeValue::S(value)));
    let header = TENANT.scope("demo".into(), get.send()).await.expect("an answer").item.expect("a header");
    assert_eq!(text(&header, "state"), "HALTED");

    for _ in 0..2 {
        service.advance(Duration::from_secs(16 * 60));
        assert_eq!(service.sweep().await, SweepReport::default(), "it is no longer met by anybody");
    }
    let log = String::from_utf8(log.lock().expect("no writer panicked").clone()).expect("text");
    assert_eq!(log.lines().filter(|line| line.contains("a run ended early")).count(), 1, "{log}");
    assert_eq!(ids(&me).await.len(), rows.len());
    assert_rollups_hold(&service).await;
}

/// Deletes the last chunk, or replaces it.
async fn tamper(service: &Service, proposal: &Value, instead: Option<Value>) {
    let client = service.store.client();
    let id = proposal["id"].as_str().expect("an id");
    let query = client.query().table_name("sayso").key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", AttributeValue::S(format!("T#demo#P#{id}")));
    let changing = async {
        let mut item = query.send().await.expect("chunks").items.expect("chunks").pop().expect("a chunk");
        match instead {
            Some(body) => {
                item.insert("body".into(), AttributeValue::S(body.to_string()));
                client.put_item().table_name("sayso").set_item(Some(item)).send().await.expect("written");
            }
            None => {
                let (pk, sk) = (item.remove("pk").expect("a key"), item.remove("sk").expect("a key"));
                let delete = client.delete_item().table_name("sayso").key("pk", pk).key("sk", sk);
                delete.send().await.expect("deleted");
            }
        }
    };
    TENANT.scope("demo".into(), changing).await;
}

#[tokio::test]
async fn all_except_some_leaves_out_rows_that_were_not_shown_too() {
    let (service, rows) = filled().await;
    let me = service.person();
    me.says("delete everything from last year").await;
    let of_2025 = of_2025(&rows);
    let kept: Vec<&&Record> = of_2025.iter().filter(|row| row.draft.body["item"] != "taxi").collect();
    let revised = me.says("all except the taxis").await;
    assert_eq!(revised["proposal"]["count"], kept.len(), "{}", revised["answer"]);
    me.says("yes").await;
    let left = me.says("show taxi from last year").await;
    assert_eq!(left["count"], of_2025.len() - kept.len());
    assert_eq!(ids(&me).await.len(), ROWS - kept.len());
    assert_rollups_hold(&service).await;
}

#[tokio::test]
async fn an_unshown_line_can_be_left_out_by_its_number() {
    let (service, rows) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    let body = json!({ "confirm": {
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "edit", "exclude": [60, 61],
    }});
    let revised = me.chat(body).await["proposal"].clone();
    assert_eq!(revised["count"], of_2025(&rows).len() - 2);
    assert_eq!(me.decide(&revised, "approve").await.body["receipt"]["count"], revised["count"]);
    assert_eq!(me.decide(&proposal, "approve").await.status, 409);
}

#[tokio::test]
async fn these_is_asked_about_if_only_part_of_the_list_was_shown() {
    for (answer, count) in
        [("all", None), ("all of them", None), ("only the 20 listed", Some(20)), ("just those", Some(20))]
    {
        let (service, rows) = filled().await;
        let me = service.person();
        let in_food = rows.iter().filter(|row| row.draft.body.get("category") == Some(&json!("food"))).count();
        me.says("show food expenses").await;
        let asked = me.says("delete these").await;
        let options = json!(["only the 20 listed", format!("all {in_food}")]);
        assert_eq!((&asked["question"]["options"], asked.get("proposal")), (&options, None), "{asked}");
        let shown = me.says(answer).await;
        assert_eq!(shown["proposal"]["count"], count.unwrap_or(in_food), "{shown}");
    }
}

#[tokio::test]
async fn these_are_those_of_the_last_answer_also_while_something_waits() {
    let (service, rows) = filled().await;
    let me = service.person();
    let in_food = rows.iter().filter(|row| row.draft.body.get("category") == Some(&json!("food"))).count();
    let waits = me.says("add a boat 20000").await;
    assert_eq!(waits["confirmationRequired"], true, "{waits}");
    me.says("show food expenses").await;
    let asked = me.says("delete these").await;
    let options = json!(["only the 20 listed", format!("all {in_food}")]);
    assert_eq!((&asked["question"]["options"], asked.get("proposal")), (&options, None), "{asked}");
}

#[tokio::test]
async fn a_member_selects_only_own_rows() {
    let (service, _) = filled().await;
    let other = service.who("demo", "bob", "member");
    for message in ["add tea 2", "yes"] {
        other.says(message).await;
    }
    let shown = other.says("delete everything").await;
    assert_eq!(shown["answer"], "Delete #151 “tea”, £2.00, 20 Nov 2026? (yes / no)\nChosen: all your expenses");
}

#[tokio::test]
async fn a_role_taken_away_before_the_yes_leaves_it_waiting() {
    let (service, _) = filled().await;
    let admin = service.who("demo", "boss", "admin");
    let proposal = proposed(&admin, "delete everything from last year").await;
    let member = service.who("demo", "boss", "member");
    assert_eq!(member.decide(&proposal, "approve").await.status, 403, "other people's rows are in it");
    assert_eq!(state(&admin, &proposal).await["state"], "PENDING");
    assert_eq!(ids(&admin).await.len(), ROWS);
}

#[tokio::test]
async fn nobody_of_another_tenant_finds_a_run() {
    let (service, _) = filled().await;
    let proposal = approve_out_of_time(&service, "delete everything from last year").await;
    let stranger = service.who("other", "me", "admin");
    for decision in ["approve", "stop"] {
        assert_eq!(stranger.decide(&proposal, decision).await.status, 404);
    }
    assert_eq!(stranger.get(&format!("/proposals/{}", proposal["id"].as_str().expect("an id"))).await.status, 404);
}

#[tokio::test]
async fn a_small_proposal_is_executed_if_the_shown_content_is_unchanged() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["add coffee 3.50", "yes"] {
        me.says(message).await;
    }
    let proposal = proposed(&me, "change #1 to 4").await;
    for message in ["rename #1 to espresso", "yes", "rename #1 to coffee", "yes"] {
        me.chat(json!({ "conversationId": "other", "message": message })).await;
    }
    let changed = me.decide(&proposal, "approve").await;
    assert_eq!(changed.body["answer"], "Changed #1 “coffee”, £3.50, 20 Nov 2026: amount £3.50 → £4.00.");
    assert_eq!(changed.body["updated"], json!(me.rows().await), "with the version it has");
    let again = me.decide(&proposal, "approve").await;
    assert_eq!((&again.body["receipt"]["replayed"], &again.body["updated"]), (&json!(true), &changed.body["updated"]));
    assert_rollups_hold(&service).await;
}

#[tokio::test]
async fn the_unchanged_rows_of_a_stale_proposal_are_proposed_again() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["add coffee 3.50, lunch 12 and tea 2", "yes"] {
        me.says(message).await;
    }
    me.says("delete 1 and 2 and 3").await;
    for message in ["change #2 to 13", "yes"] {
        me.chat(json!({ "conversationId": "other", "message": message })).await;
    }
    let reply = me.says("yes").await;
    assert_eq!(
        reply["answer"],
        "Nothing was changed, because #2 is now “lunch”, £13.00, 20 Nov 2026 (it was “lunch”, £12.00, 20 Nov 2026). \
         Do you still want this?\nDelete 2 expenses, £5.50? (yes / no)\n1. “coffee”, £3.50, 20 Nov 2026\n2. “tea”, £2.00, 20 Nov 2026\n\
         Left out: 1 of 3 changed since then: #2"
    );
    assert_eq!(reply["confirmationRequired"], true);
    assert_eq!(me.rows().await.len(), 3);
    me.says("yes").await;
    assert_eq!(me.rows().await[0]["item"], "lunch");
    assert_eq!(me.rows().await.len(), 1);
    assert_rollups_hold(&service).await;
}

#[tokio::test]
async fn each_row_of_a_large_proposal_can_be_read_with_its_result() {
    let (service, rows) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    let of_2025 = of_2025(&rows);
    let changed = of_2025[0].id;
    for message in [format!("rename #{changed} to other"), "yes".into()] {
        me.chat(json!({ "conversationId": "other", "message": message })).await;
    }
    let path = format!("/proposals/{}/operations", proposal["id"].as_str().expect("an id"));
    let read = async || me.items_of_all_pages(&path).await;
    let shown = read().await;
    assert_eq!(
        shown.iter().map(|item| item["n"].as_u64()).collect::<Vec<_>>(),
        (1..=shown.len() as u64).map(Some).collect::<Vec<_>>()
    );
    let ids = |items: &[Value]| items.iter().filter_map(|item| item["before"]["id"].as_u64()).collect::<BTreeSet<_>>();
    assert_eq!(ids(&shown), of_2025.iter().map(|row| row.id).collect());
    assert!(shown.iter().all(|item| item.get("outcome").is_none()), "nothing is done");
    me.decide(&proposal, "approve").await;
    let (skipped, done): (Vec<Value>, Vec<Value>) =
        read().await.into_iter().partition(|item| item["outcome"] == "skipped");
    assert_eq!(ids(&skipped), BTreeSet::from([changed]));
    assert_eq!((done.len(), done.iter().all(|item| item["outcome"] == "done")), (of_2025.len() - 1, true));
    for cursor in ["x", "1-2", "1-2-3", "99999999-1-a"] {
        assert_eq!(me.get(&format!("{path}?cursor={cursor}")).await.status, 400, "{cursor}");
    }
    let stranger = service.who("other", "me", "admin");
    assert_eq!(stranger.get(&path).await.status, 404);
}

#[tokio::test]
async fn an_unclear_selection_of_rows_is_asked_about() {
    let (service, _) = filled().await;
    let me = service.person();
    me.says("how much on food?").await;
    for message in ["delete them all", "delete these", "put all of these in groceries"] {
        let reply = me.says(message).await;
        assert_eq!(reply.get("proposal"), None, "{message}: {}", reply["answer"]);
    }
}

#[tokio::test]
async fn stop_stops_a_run_whatever_was_said_since() {
    let (service, _) = filled().await;
    let me = service.person();
    let run = approve_out_of_time(&service, "delete everything from last year").await;
    me.says("add coffee 3.50").await;
    me.says("how much did I spend?").await;
    service.advance(Duration::from_secs(60));
    let stopped = me.answer("Stop!").await;
    assert!(stopped.starts_with("Nothing was done. "), "{stopped}");
    assert_eq!(state(&me, &run).await["state"], "STOPPED");
    let again = me.answer("stop").await;
    assert!(!again.contains("already done"), "{again}");
    assert_eq!(ids(&me).await.len(), ROWS);
}

#[tokio::test]
async fn stopping_a_pending_proposal_rejects_it() {
    let (service, _) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    assert_eq!(me.decide(&proposal, "stop").await.status, 200);
    assert_eq!(state(&me, &proposal).await["state"], "REJECTED");
    assert_eq!(me.decide(&proposal, "approve").await.status, 409);
    assert_eq!(ids(&me).await.len(), ROWS);
}

#[tokio::test]
async fn the_executed_part_of_a_stopped_run_can_be_undone_after_its_other_chunks_were_deleted() {
    let (service, _) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    interrupt_after(&service, &proposal, 1).await;
    let stopped = me.decide(&proposal, "stop").await;
    let done = stopped.body["receipt"]["count"].as_u64().expect("a number");
    tamper(&service, &proposal, None).await;
    let history = me.get("/receipts").await.body["items"][0].clone();
    assert_eq!((&history["stoppedBy"], &history["approvedAt"]), (&json!("me"), &json!("2026-11-20T12:00:00Z")));
    me.says("undo that").await;
    assert_eq!(me.says("yes").await["receipt"]["count"], done);
    assert_eq!(ids(&me).await.len(), ROWS);
    assert_rollups_hold(&service).await;
}

/// Two days after a proposal expires, and `AUDIT_DAYS` after an approval, in seconds from the start of the test.
const UNDECIDED: i64 = (24 + 48) * 3_600;
const DECIDED: i64 = 400 * 24 * 3_600;

#[rstest]
#[case::pending("PENDING", UNDECIDED)]
#[case::rejected("REJECTED", UNDECIDED)]
#[case::superseded("SUPERSEDED", UNDECIDED)]
#[case::stale("STALE", UNDECIDED)]
#[case::executing("EXECUTING", DECIDED)]
#[case::executed("EXECUTED", DECIDED)]
#[case::partial("PARTIAL", DECIDED)]
#[case::stopped("STOPPED", DECIDED)]
#[case::halted("HALTED", DECIDED)]
#[tokio::test]
async fn everything_of_a_proposal_is_kept_as_long_as_its_end_says(#[case] end: &str, #[case] kept: i64) {
    let (service, rows) = filled().await;
    let me = service.person();
    let said =
        if end == "STALE" { format!("delete #{}", rows[0].id) } else { "delete everything from last year".into() };
    let proposal = proposed(&me, &said).await;
    match end {
        "REJECTED" => drop(me.decide(&proposal, "reject").await),
        "EXECUTING" => drop(interrupt_after(&service, &proposal, 1).await),
        "STOPPED" => {
            interrupt_after(&service, &proposal, 1).await;
            me.decide(&proposal, "stop").await;
        }
        "SUPERSEDED" => {
            let body = json!({ "confirm": {
                "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "edit", "exclude": [1],
            }});
            me.chat(body).await;
        }
        "STALE" | "PARTIAL" => {
            let row = if end == "STALE" { rows[0].id } else { of_2025(&rows)[0].id };
            for message in [format!("change #{row} to 9999"), "yes".into()] {
                me.chat(json!({ "conversationId": "other", "message": message })).await;
            }
            me.decide(&proposal, "approve").await;
        }
        "HALTED" => {
            tamper(&service, &proposal, Some(json!([]))).await;
            me.decide(&proposal, "approve").await;
        }
        "EXECUTED" => drop(me.decide(&proposal, "approve").await),
        _ => {}
    }
    let (stored, elsewhere) = stored(&service, &proposal).await;
    assert_eq!(text(&stored[0], "state"), end);
    assert_eq!(stored.len(), if end == "STALE" { 2 } else { 1 + proposal_chunks(&stored) }, "a header and all chunks");
    assert_eq!(stored.iter().map(lifetime).collect::<BTreeSet<_>>(), BTreeSet::from([kept]), "header and chunks");
    assert_eq!(elsewhere.iter().map(lifetime).collect::<BTreeSet<_>>(), BTreeSet::from([UNDECIDED]), "its entries");
}

/// The header, then all chunks; and the entries by which conversations and older clients find it.
async fn stored(service: &Service, proposal: &Value) -> (Vec<Item>, Vec<Item>) {
    let id = proposal["id"].as_str().expect("an id");
    let client = service.store.client();
    let read = async |partition: &str| {
        let query = client.query().table_name("sayso").key_condition_expression("pk = :pk");
        let query = query.expression_attribute_values(":pk", AttributeValue::S(partition.into()));
        TENANT.scope("demo".into(), query.send()).await.expect("items").items.unwrap_or_default()
    };
    let mut own = read("T#demo#P").await;
    own.retain(|item| text(item, "sk").starts_with(&format!("P#{id}")));
    own.extend(read(&format!("T#demo#P#{id}")).await);
    let mut entries = read("T#demo#C").await;
    entries.retain(|item| text(item, "proposal") == id);
    (own, entries)
}

fn proposal_chunks(stored: &[Item]) -> usize {
    stored[0]["chunks"].as_n().expect("a number").parse().expect("a number")
}

fn lifetime(item: &Item) -> i64 {
    let began = crate::harness::NOW.parse::<jiff::Timestamp>().expect("a time").as_second();
    item["ttl"].as_n().expect("a number").parse::<i64>().expect("a number") - began
}

#[tokio::test]
async fn a_proposal_whose_first_chunk_was_deleted_before_its_header_is_gone() {
    let (service, _) = filled().await;
    let me = service.person();
    let proposal = proposed(&me, "delete everything from last year").await;
    let id = proposal["id"].as_str().expect("an id");
    let delete = service.store.client().delete_item().table_name("sayso");
    let delete = delete.key("pk", AttributeValue::S("T#demo#P".into()));
    let delete = delete.key("sk", AttributeValue::S(format!("P#{id}#00000")));
    TENANT.scope("demo".into(), delete.send()).await.expect("deleted");
    assert_eq!(me.get(&format!("/proposals/{id}")).await.status, 404);
    for decision in ["approve", "reject"] {
        assert_eq!(me.decide(&proposal, decision).await.status, 404, "{decision}");
    }
}

#[tokio::test]
async fn runs_that_fail_do_not_hold_up_the_others() {
    let (service, rows) = filled().await;
    let me = service.person();
    let broken = async |n: usize| {
        let text = |value: String| AttributeValue::S(value);
        let id = format!("{n:030}00");
        let run =
            [("sk", text(format!("RUN#{id}"))), ("dueShard", text("0".into())), ("dueAt", text(format!("{n:015}")))];
        let header = [("sk", text(format!("P#{id}"))), ("state", text("PAID".into()))];
        let chunk = [("sk", text(format!("P#{id}#00000"))), ("body", text("{}".into()))];
        for item in [run.to_vec(), header.to_vec(), chunk.to_vec()] {
            let put = service.store.client().put_item().table_name("sayso").item("pk", text("T#demo#P".into()));
            let put = item.into_iter().fold(put, |put, (name, value)| put.item(name, value));
            TENANT.scope("demo".into(), put.send()).await.expect("written");
        }
    };
    for n in 0..100 {
        broken(n).await;
    }
    // It is in the same shard, and due after them.
    let mut proposal = Value::Null;
    while !proposal["id"].as_str().is_some_and(|id| id.ends_with(['0', '4', '8', 'd'])) {
        me.says("no").await;
        proposal = proposed(&me, "delete everything from last year").await;
    }
    service.grant(HURRY);
    me.decide(&proposal, "approve").await;
    service.grant(AMPLE);
    service.advance(Duration::from_secs(31));
    let first = service.sweep().await;
    assert_eq!(first, SweepReport { failed: 100, ..SweepReport::default() });
    assert_eq!(service.sweep().await, SweepReport { finished: 1, ..SweepReport::default() });
    assert_eq!(ids(&me).await.len(), ROWS - of_2025(&rows).len());
    service.advance(Duration::from_secs(11 * 60));
    let again = service.sweep().await;
    assert_eq!(again, SweepReport { failed: 100, stuck: 100, ..SweepReport::default() }, "they are tried again");
}

#[tokio::test]
async fn a_run_whose_proposal_is_gone_is_reported_once() {
    let (service, _) = filled().await;
    let me = service.person();
    let proposal = approve_out_of_time(&service, "delete everything from last year").await;
    for sk in ["", "#00000"] {
        let delete = service.store.client().delete_item().table_name("sayso");
        let delete = delete.key("pk", AttributeValue::S("T#demo#P".into()));
        let sk = format!("P#{}{sk}", proposal["id"].as_str().expect("an id"));
        let delete = delete.key("sk", AttributeValue::S(sk));
        TENANT.scope("demo".into(), delete.send()).await.expect("deleted");
    }
    service.advance(Duration::from_secs(31));
    assert_eq!(service.sweep().await, SweepReport { failed: 1, stuck: 1, ..SweepReport::default() });
    service.advance(Duration::from_secs(16 * 60));
    assert_eq!(service.sweep().await, SweepReport::default());
    assert_eq!(ids(&me).await.len(), ROWS);
}

#[tokio::test]
async fn one_receipt_that_cannot_be_read_does_not_hide_the_others() {
    let service = Setup::policy(sayso::proposal::Policy::Never).start().await;
    let me = service.person();
    let mut done = Vec::new();
    for message in ["coffee 3.50", "lunch 12", "tea 2"] {
        done.push(me.says(message).await["receipt"]["proposalId"].as_str().expect("an id").to_owned());
        service.advance(Duration::from_secs(1));
    }
    for (sk, name, value) in
        [(format!("P#{}", done[0]), "state", "PAID"), (format!("P#{}#00000", done[1]), "body", "{}")]
    {
        let update = service.store.client().update_item().table_name("sayso");
        let update = update.key("pk", AttributeValue::S("T#demo#P".into())).key("sk", AttributeValue::S(sk));
        let update = update.update_expression("SET #name = :value").expression_attribute_names("#name", name);
        let update = update.expression_attribute_values(":value", AttributeValue::S(value.into()));
        TENANT.scope("demo".into(), update.send()).await.expect("written");
    }
    let unreadable = |id: &str, at: &str| {
        json!({
            "proposalId": id, "executedAt": at,
            "unreadable": "What is stored of this receipt cannot be read, so it cannot be shown or undone. \
                           What it changed stays changed. Tell the people who run this service.",
        })
    };
    let listed = me.get("/receipts").await;
    let items = listed.body["items"].as_array().expect("items");
    assert_eq!((items.len(), &items[0]["proposalId"]), (3, &json!(done[2])), "{}", listed.body);
    let others = [unreadable(&done[1], "2026-11-20T12:00:01Z"), unreadable(&done[0], "2026-11-20T12:00:00Z")];
    assert_eq!(items[1..], others);
    let page = me.get("/receipts?limit=2").await.body;
    let next = format!("/receipts?limit=2&cursor={}", page["nextCursor"].as_str().expect("a cursor"));
    assert_eq!(me.get(&next).await.body["items"], json!([others[1]]));

    // A program without the toolkit of a kind.
    let setup = Setup { toolkits: vec![sayso::receipts::toolkit()], ..Setup::default() };
    let without = setup.after(&service);
    let listed = without.person().get("/receipts").await.body;
    assert_eq!(listed["items"][0], unreadable(&done[2], "2026-11-20T12:00:02Z"));
}

#[tokio::test]
async fn a_stored_change_set_beyond_the_limits_is_still_shown() {
    let service = Setup::default().start().await;
    let caller = crate::harness::caller("demo", "me");
    let drafts = made_up(92, Currency::GBP, jiff::civil::date(2026, 11, 20));
    let operations: Vec<Operation> = (1..).zip(drafts).map(|(id, draft)| create(id, draft)).collect();
    let too_many = ChangeSet::new(operations.clone());
    assert!(matches!(too_many, Err(ChangeSetError::TooMany { .. })), "{too_many:?}");
    let body = ProposalBody {
        call: Call { tool: "add_expense".into(), arguments: json!({}) },
        notes: vec![],
        changes: serde_json::from_value(json!(operations)).expect("it is read as it is"),
        manifest: None,
        is_watched: false,
    };
    let at = crate::harness::NOW.parse().expect("a time");
    let audience = Audience { tenant: "demo", user: "me", conversation: "default" };
    let done = State::Executed { at, by: "me".into(), run: None };
    let proposal = Proposal::new(ProposalId::derived(&["demo", "large"]), audience, body, at).with_state(done);
    let call = StoreCall::Put { proposal, settles: None };
    let none = Bookkeeping::default();
    let storing = async { service.store.tenant(caller.tenant()).perform(call, &none).await.expect("an answer") };
    assert_eq!(TENANT.scope("demo".into(), storing).await, Event::Committed);
    let receipts = service.person().get("/receipts").await.body;
    let told = (receipts["items"].as_array().map(Vec::len), &receipts["items"][0]["count"]);
    assert_eq!(told, (Some(1), &json!(92)), "{receipts}");
    assert_eq!(receipts["items"][0].get("unreadable"), None);
}

#[tokio::test]
async fn a_full_partition_is_reported_and_nothing_was_written() {
    let service = Setup::default().start().await;
    let me = service.person();
    let proposal = me.says("add coffee 3.50").await["proposal"].clone();
    for operation in [TRANSACT, "PutItem"] {
        service.wire.fail([(operation, Full)]);
        let response = match operation {
            TRANSACT => me.decide(&proposal, "approve").await,
            _ => me.post("/chat", json!({ "message": "tea 2", "messageId": "m-1" })).await,
        };
        service.wire.clear();
        let told = (response.status.as_u16(), &response.body["type"], &response.body["detail"]);
        let detail = "Nothing was written, because your data has reached the most that can be stored. Delete what you \
                      no longer need, and tell the people who run this service.";
        assert_eq!(told, (507, &json!("urn:sayso:problem:storage-full"), &json!(detail)), "{operation}");
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
    assert_eq!(me.decide(&proposal, "approve").await.status, 200);
}
