//! The program killed before and after every store call of a request: once it is asked again, what was approved has
//! happened once, and nothing else has.

use jiff::civil::date;
use sayso::proposal::Record;
use serde_json::{Value, json};

use crate::harness::{
    bench::spent,
    kill::Sent,
    scenario::{Client, Run, Scenario, each_kill, each_pair_of_kills},
};

const ALWAYS: &[(&str, &str)] = &[("CONFIRM_POLICY", "always")];
const RISKY: &[(&str, &str)] = &[("CONFIRM_POLICY", "risky")];

const BATCH: usize = 20;

const ADD: Scenario = Scenario {
    settings: ALWAYS,
    whole: true,
    prepare: |me| {
        live_here(me);
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
        live_here(me);
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
        live_here(me);
        let done = approved(me, &several());
        me.post(&undo_of(&done), json!({}))["proposal"].clone()
    },
    oracle: |run| {
        assert_eq!(changed(run), (vec![], vec!["one of several"; BATCH]));
        assert_eq!(run.new_receipts(), [&run.prepared["id"]]);
    },
    ..ADD
};

/// It is asked for, and not approved.
const UNDO_SHOWN: Scenario = Scenario {
    prepare: |me| {
        live_here(me);
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
        live_here(me);
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

#[test]
fn an_approval_killed_anywhere_happens_once() {
    each_kill(&ADD);
}

#[test]
fn an_approval_of_several_rows_killed_anywhere_happens_once_and_whole() {
    each_kill(&ADD_SEVERAL);
}

#[test]
fn an_undo_killed_anywhere_happens_once_and_whole() {
    each_kill(&UNDO);
}

#[test]
fn an_undo_that_is_asked_for_again_after_a_kill_waits_once_and_does_nothing() {
    each_kill(&UNDO_SHOWN);
}

#[test]
fn an_add_without_asking_killed_anywhere_and_said_again_happens_once() {
    each_kill(&ADD_AT_ONCE);
}

#[test]
#[ignore = "takes long: each kill again at each store call of what is sent after it"]
fn an_approval_killed_twice_happens_once() {
    each_pair_of_kills(&ADD);
}

/// Rows that nobody touches, and something that waits and is never approved.
fn live_here(me: &Client<'_>) {
    me.has([1, 2].map(|month| spent("rent", 95_000, "GBP", "housing", date(2025, month, 1))).into());
    shown(me, &[add("nobody said yes", 3)]);
}

fn several() -> Vec<Value> {
    (0..BATCH).map(|n| add("one of several", n)).collect()
}

/// Over some months and currencies.
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

/// The items of the rows that are new, and of those that are gone.
fn changed(run: &Run) -> (Vec<&str>, Vec<&str>) {
    (items(run.gained()), items(run.lost()))
}

fn items(rows: Vec<&Record>) -> Vec<&str> {
    rows.into_iter().map(|row| row.draft.body["item"].as_str().expect("an item")).collect()
}
