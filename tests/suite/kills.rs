//! Kills the program before and after every store call of a request. After the request is repeated, the approved change
//! has happened once, and nothing else has.

use std::collections::HashSet;

use jiff::civil::date;
use sayso::proposal::Record;
use serde_json::{Value, json};

use crate::harness::{
    bench::spent,
    kill::Sent,
    scenario::{Client, Run, Scenario, each_kill, each_pair_of_kills},
};

const ALWAYS: &[(&str, &str)] = &[("CONFIRM_POLICY", "always")];
/// As fast as possible.
const UNPACED: &[(&str, &str)] = &[("CONFIRM_POLICY", "always"), ("ROWS_PER_SECOND", "1000000")];
const RISKY: &[(&str, &str)] = &[("CONFIRM_POLICY", "risky")];

const BATCH: usize = 20;

const ADD: Scenario = Scenario {
    settings: ALWAYS,
    whole: true,
    prepare: |me| {
        add_unrelated_rows(me);
        shown(me, &[add("coffee", 4)])
    },
    act: approval,
    again: approval,
    oracle: |run| {
        assert_eq!(changed(run), (vec!["coffee"], vec![]));
        assert_eq!(run.new_receipts(), [&run.prepared["id"]]);
    },
};

const ADD_SEVERAL: Scenario = Scenario {
    prepare: |me| {
        add_unrelated_rows(me);
        shown(me, &several())
    },
    oracle: |run| {
        assert_eq!(changed(run), (vec!["one of several"; BATCH], vec![]));
        assert_eq!(run.new_receipts(), [&run.prepared["id"]]);
    },
    ..ADD
};

const UNDO: Scenario = Scenario {
    prepare: |me| {
        add_unrelated_rows(me);
        let done = approved(me, &several());
        me.post(&undo_of(&done), json!({}))["proposal"].clone()
    },
    oracle: |run| {
        assert_eq!(changed(run), (vec![], vec!["one of several"; BATCH]));
        assert_eq!(run.new_receipts(), [&run.prepared["id"]]);
    },
    ..ADD
};

/// An undo that is proposed but not approved.
const UNDO_SHOWN: Scenario = Scenario {
    prepare: |me| {
        add_unrelated_rows(me);
        approved(me, &several()[..3])
    },
    act: undo_once,
    again: undo_once,
    oracle: |run| {
        assert_eq!(run.before, run.after);
        assert_eq!(run.answer.body["proposal"]["operations"].as_array().map(Vec::len), Some(3));
    },
    ..ADD
};

const ADD_AT_ONCE: Scenario = Scenario {
    settings: RISKY,
    prepare: |me| {
        add_unrelated_rows(me);
        Value::Null
    },
    act: message_once,
    again: message_once,
    oracle: |run| {
        assert_eq!(changed(run), (vec!["coffee"], vec![]));
        assert_eq!(run.new_receipts(), [&run.answer.body["receipt"]["proposalId"]]);
    },
    ..ADD
};

/// Two transactions for two proposals.
const BOTH: Scenario = Scenario {
    whole: false,
    prepare: |me| {
        me.add_rows(vec![spent("rent", 95_000, "GBP", "housing", date(2025, 1, 1))]);
        for said in ["coffee 3.50 on 5 February 2025", "tea 2 on 6 February 2025"] {
            me.post("/chat", json!({ "message": said }));
        }
        Value::Null
    },
    act: both_once,
    again: both_once,
    oracle: |run| {
        assert_eq!(changed(run), (vec!["tea", "coffee"], vec![]));
        let told = run.answer.body["receipts"].as_array().expect("receipts").iter();
        let told: HashSet<_> = told.map(|receipt| receipt["proposalId"].as_str().expect("an id")).collect();
        assert_eq!(told, run.new_receipts().into_iter().map(String::as_str).collect());
        assert_eq!(
            run.answer.body["answer"],
            "Added 2 expenses, £5.50:\n#2 “coffee”, £3.50, 5 Feb 2025\n#3 “tea”, £2.00, 6 Feb 2025"
        );
    },
    ..ADD
};

/// A revision, and its approval.
const YES_AND: Scenario = Scenario {
    settings: RISKY,
    prepare: |me| {
        me.add_rows(vec![spent("rent", 95_000, "GBP", "housing", date(2025, 1, 1))]);
        me.post("/chat", json!({ "message": "coffee 3.50 on 5 February 2025 and taxi 9 on 6 February 2025" }))
    },
    act: yes_and_once,
    again: yes_and_once,
    oracle: |run| {
        assert_eq!(changed(run), (vec!["tea", "taxi", "coffee"], vec![]));
        assert_eq!(run.new_receipts(), [&run.answer.body["receipt"]["proposalId"]]);
    },
    ..ADD
};

/// Three transactions: a first, a last and one between.
const TWO_HUNDRED: Scenario =
    Scenario { prepare: |me| many(me, 200), oracle: |run| all_gone(run, 200), ..FIVE_HUNDRED };

/// Six transactions.
const FIVE_HUNDRED: Scenario =
    Scenario { settings: UNPACED, whole: false, prepare: |me| many(me, 500), oracle: |run| all_gone(run, 500), ..ADD };

const FIVE_THOUSAND: Scenario =
    Scenario { prepare: |me| many(me, 5_000), oracle: |run| all_gone(run, 5_000), ..FIVE_HUNDRED };

fn many(me: &Client<'_>, rows: usize) -> Value {
    add_unrelated_rows(me);
    me.add_rows(vec![spent("one of many", 250, "GBP", "things", date(2025, 3, 1)); rows]);
    let confirm = json!({ "tool": "propose_operations", "args": { "select": { "words": "many" } } });
    me.post("/chat", json!({ "confirm": confirm }))["proposal"].clone()
}

fn all_gone(run: &Run, rows: usize) {
    assert_eq!((run.gained().len(), run.lost().len()), (0, rows));
    assert_eq!(run.new_receipts(), [&run.prepared["id"]]);
    let receipt = &run.answer.body["receipt"];
    assert_eq!((&receipt["count"], receipt.get("skipped"), receipt.get("notDone")), (&json!(rows), None, None));
}

#[test]
fn an_approval_killed_anywhere_happens_once() {
    each_kill(&ADD);
}

#[test]
fn an_approval_of_several_rows_killed_anywhere_happens_once_and_completely() {
    each_kill(&ADD_SEVERAL);
}

#[test]
fn an_undo_killed_anywhere_happens_once_and_completely() {
    each_kill(&UNDO);
}

#[test]
fn an_undo_requested_again_after_a_kill_waits_once_and_changes_nothing() {
    each_kill(&UNDO_SHOWN);
}

#[test]
fn an_add_at_once_killed_anywhere_and_repeated_happens_once() {
    each_kill(&ADD_AT_ONCE);
}

#[test]
fn a_yes_to_both_killed_anywhere_and_repeated_executes_each_once_and_reports_both() {
    each_kill(&BOTH);
}

#[test]
fn a_yes_with_a_further_expense_killed_anywhere_and_repeated_adds_each_once() {
    each_kill(&YES_AND);
}

#[test]
fn two_hundred_rows_killed_anywhere_are_each_deleted_once() {
    each_kill(&TWO_HUNDRED);
}

#[test]
#[ignore = "minutes; `make torture` runs it"]
fn torture_an_approval_killed_twice_happens_once() {
    each_pair_of_kills(&ADD);
}

#[test]
#[ignore = "minutes; `make torture` runs it"]
fn torture_five_thousand_rows_killed_anywhere_are_each_deleted_once() {
    each_kill(&FIVE_THOUSAND);
}

#[test]
#[ignore = "minutes; `make torture` runs it"]
fn torture_six_chunks_killed_twice_are_each_done_once() {
    each_pair_of_kills(&FIVE_HUNDRED);
}

/// Rows that stay unchanged, and a proposal that is never approved.
fn add_unrelated_rows(me: &Client<'_>) {
    me.add_rows([1, 2].map(|month| spent("rent", 95_000, "GBP", "housing", date(2025, month, 1))).into());
    shown(me, &[add("nobody said yes", 3)]);
}

fn several() -> Vec<Value> {
    (0..BATCH).map(|n| add("one of several", n)).collect()
}

/// Over several months and currencies.
fn add(item: &str, n: usize) -> Value {
    let (month, day, currency) = (n % 3 + 1, n % 28 + 1, ["GBP", "EUR"][n % 2]);
    let date = format!("2025-{month:02}-{day:02}");
    let args = json!({ "item": item, "amount": format!("{n}.50"), "currency": currency, "date": date });
    json!({ "tool": "add_expense", "args": args })
}

fn shown(me: &Client<'_>, calls: &[Value]) -> Value {
    let confirm = json!({ "tool": "batch", "args": { "calls": calls } });
    me.post("/chat", json!({ "confirm": confirm }))["proposal"].clone()
}

fn approved(me: &Client<'_>, calls: &[Value]) -> Value {
    let shown = shown(me, calls);
    me.post("/chat", approval(&shown).body);
    shown
}

fn approval(shown: &Value) -> Sent {
    let confirm = json!({ "proposalId": shown["id"], "fingerprint": shown["fingerprint"], "decision": "approve" });
    Sent { path: "/chat".into(), headers: vec![], body: json!({ "confirm": confirm }) }
}

fn undo_of(done: &Value) -> String {
    format!("/proposals/{}/undo", done["id"].as_str().expect("an id"))
}

fn undo_once(done: &Value) -> Sent {
    Sent { path: undo_of(done), headers: vec![("idempotency-key", "k1".into())], body: json!({}) }
}

fn message_once(_: &Value) -> Sent {
    let body = json!({ "message": "add coffee 4.50 on 5 February 2025" });
    Sent { path: "/chat".into(), headers: vec![("idempotency-key", "k1".into())], body }
}

fn both_once(_: &Value) -> Sent {
    let body = json!({ "message": "yes to both" });
    Sent { path: "/chat".into(), headers: vec![("idempotency-key", "k1".into())], body }
}

fn yes_and_once(_: &Value) -> Sent {
    let body = json!({ "message": "yes, and tea 2 on 7 February 2025" });
    Sent { path: "/chat".into(), headers: vec![("idempotency-key", "k1".into())], body }
}

/// The items of new rows and of deleted rows.
fn changed(run: &Run) -> (Vec<&str>, Vec<&str>) {
    (items(run.gained()), items(run.lost()))
}

fn items(rows: Vec<&Record>) -> Vec<&str> {
    rows.into_iter().map(|row| row.draft.body["item"].as_str().expect("an item")).collect()
}
