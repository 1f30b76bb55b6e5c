//! Properties of change sets: an accepted set fits one transaction, sums follow approved operations, and a fingerprint
//! covers everything that was shown.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
    sync::Arc,
};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{Timestamp, civil::date};
use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{TestCaseError, TestCaseResult, TestRunner, contextualize_config},
};
use sayso::{
    identity::{Caller, TenantId},
    local::{EmbeddedDynamoDb, Storage},
    model::Message,
    proposal::{
        Audience, Body, Call, ChangeSet, ChangeSetError, Conflict, Contribution, Decision, Draft, Event, Fingerprint,
        Operation, Outcome, Policy, Proposal, ProposalBody, ProposalId, Record, Rollup, RollupKey, State, StoreCall,
        Task, change_set::CHUNK_BYTES, contribute, hash_json, hash_text, rollup_deltas,
    },
    shown::{Changes, Shown},
    store::{Among, Bookkeeping, ClaimKey, ListQuery, Store, Turn, TurnOutcome, WaitingProposal, keys, table},
};
use serde_json::{Value, json};

use crate::harness::{
    NOW, Setup,
    bench::{self, CONVERSATION, after, caller, create, delete, proposal, run, spent, update},
    scripted::{self, Scripted},
    wire::{Fate, TENANT, Wire},
};

/// DynamoDB's limits: actions and bytes of a transaction, bytes of an item.
const ACTIONS: usize = 100;
const TRANSACTION: usize = 4 * 1024 * 1024;
const ITEM: usize = 400 * 1024;

const TENANT_NAME: &str = "acme";

#[test]
fn an_accepted_set_fits_one_transaction() {
    let outgoing = Outgoing::new();
    check(24, (some_operations(), some_pads()), |(operations, pads)| {
        let operations = operations.iter().enumerate().map(|(n, op)| padded(op, pads[n % pads.len()])).collect();
        let Ok(changes) = ChangeSet::new(operations) else { return Ok(()) };
        let rows: BTreeSet<_> = changes.operations().iter().map(|op| (&op.row().draft.kind, op.row().id)).collect();
        prop_assert_eq!(rows.len(), changes.operations().len());
        outgoing.check(&changes);
        Ok(())
    });
}

#[test]
fn the_largest_sets_fit_and_one_operation_more_is_refused() {
    let outgoing = Outgoing::new();
    let own = |id: u64| format!("group {id}");
    let row = |id: u64, group: &str| Record { id, version: 1, draft: spent("x", 1, "GBP", group, date(2026, 11, 20)) };
    let kinds: [(&dyn Fn(u64) -> Operation, usize); 7] = [
        // One rollup and one name for all of them.
        (&|id| create(id, row(id, "food").draft), 89),
        (&|id| delete(&row(id, "food")), 89),
        // One rollup or one name each, and two if a row moves from one to another.
        (&|id| create(id, row(id, &own(id)).draft), 45),
        (&|id| create(id, Draft { name: Some(own(id)), ..row(id, "food").draft }), 45),
        (&|id| update(&row(id, &own(id)), row(id, &own(id + 1_000)).draft), 30),
        (&|id| update(&row(id, "food"), Draft { name: Some(own(id)), ..row(id, "food").draft }), 45),
        // No rollup and no name, because no sum changes.
        (&|id| update(&row(id, "food"), Draft { duplicate_key: None, ..row(id, "food").draft }), 91),
    ];
    for (operation, most) in kinds {
        let set = |count: usize| ChangeSet::new((1..).take(count).map(operation).collect());
        outgoing.check(&set(most).expect("it fits"));
        let refused = set(most + 1).expect_err("one too many");
        assert!(matches!(refused, ChangeSetError::TooMany { limit: 91, .. }), "{refused:?}");
    }
    assert_eq!(
        ChangeSet::new((1..).take(90).map(kinds[0].0).collect()).unwrap_err().to_string(),
        "these are too many changes at once (92, and 91 are allowed). Say fewer at a time"
    );
}

#[test]
fn the_longest_texts_fit_and_a_character_more_is_refused() {
    let outgoing = Outgoing::new();
    // A character that JSON writes as it is, one that it escapes, one that it writes as a code, and a wide one.
    for (character, bytes, rows) in [('x', 1, 89), ('x', 1, 1), ('"', 2, 1), ('\u{1}', 6, 1), ('🍜', 4, 1)] {
        let operations = |notes: usize| {
            let base = spent("x", 1, "GBP", "food", date(2026, 11, 20));
            let mut operations: Vec<_> = (1..rows).map(|id| padded(&create(id, base.clone()), 2_500)).collect();
            let mut last = base;
            last.body.insert("notes".into(), json!(character.to_string().repeat(notes)));
            operations.push(create(rows, last));
            operations
        };
        let empty = serde_json::to_vec(&operations(0)).expect("operations are JSON").len();
        let longest = (CHUNK_BYTES - empty) / bytes;
        outgoing.check(&ChangeSet::new(operations(longest)).expect("it fits"));
        let refused = ChangeSet::new(operations(longest + 1)).expect_err("too long");
        assert_eq!(refused.to_string(), "this is too much text at once. Say less at a time");
    }
}

#[tokio::test]
async fn too_much_text_is_refused_without_a_server_error() {
    // Each has the maximum length of a tool's argument, with the widest characters.
    let (item, notes) = ("𝒳".repeat(120), "𝒴".repeat(500));
    for (count, status) in [(30, 200), (60, 422), (90, 422)] {
        let model = Arc::new(Scripted::default());
        let service = Setup::model(model.clone()).start().await;
        let one = |n| json!({ "item": format!("{n}{}", &item[8..]), "amount": "1", "notes": notes });
        model.says(scripted::calls((0..count).map(|n| ("add_expense", one(n)))));
        let response = service.person().post("/chat", json!({ "message": "add them all", "messageId": "m1" })).await;
        let (calls, _) = service.wire.take();
        for call in calls.iter().filter(|call| call.operation == "TransactWriteItems") {
            let actions = call.body["TransactItems"].as_array().expect("actions");
            assert_within_limits(actions);
        }
        assert_eq!(response.status.as_u16(), status, "{}", response.body["detail"]);
    }
}

#[tokio::test]
async fn a_reply_too_long_to_be_stored_is_sent_and_its_turn_is_stored() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    let caller = caller("demo", "me", "admin");
    let rows = (1..=300).map(|id| {
        let mut draft = spent("x", 1, "GBP", "food", date(2026, 11, 20));
        draft.body.insert("notes".into(), json!("𝒴".repeat(500)));
        Record { id, version: 1, draft }
    });
    let rows: Vec<Record> = rows.collect();
    TENANT.scope("demo".into(), service.store.tenant(caller.tenant()).import(&rows)).await.expect("rows");
    service.wire.take();
    model.says(scripted::calls([("list_expenses", json!({ "limit": 500 }))]));
    model.says(scripted::text("Here they are."));
    let message = json!({ "message": "list everything", "messageId": "m1" });
    let listed = service.person().chat(message).await;
    assert_eq!(listed["listed"].as_array().map(Vec::len), Some(300));
    let (calls, _) = service.wire.take();
    for call in calls.iter().filter(|call| ["PutItem", "TransactWriteItems"].contains(&call.operation.as_str())) {
        let actions = call.body["TransactItems"].as_array().cloned();
        assert_within_limits(&actions.unwrap_or_else(|| vec![json!({ "Put": call.body })]));
    }
    // Its reply is too large to be repeated: the message sent again is a new turn, and TTL deletes the claim.
    let claim = service.store.client().get_item().table_name("sayso").key("pk", AttributeValue::S("T#demo#C".into()));
    let claim = claim.key("sk", AttributeValue::S(format!("me#default#M#{}", hash_text("m1"))));
    let claim = TENANT.scope("demo".into(), claim.send()).await.expect("an answer").item.expect("a claim");
    let kept = NOW.parse::<Timestamp>().expect("a time").as_second() + 30 * 24 * 3_600;
    assert_eq!((claim["ttl"].as_n(), claim.get("reply")), (Ok(&kept.to_string()), None));
    // The conversation is stored all the same.
    model.requests();
    model.says(scripted::text("You are welcome."));
    service.person().says("thanks").await;
    let heard = model.requests();
    let said = heard[0].messages.iter().map(|message| match message {
        Message::User(text) | Message::Assistant { text, .. } => text.as_str(),
        Message::Outcomes(_) => "outcomes",
    });
    assert_eq!(said.collect::<Vec<_>>(), ["list everything", "Here they are.", "thanks"]);
}

#[test]
fn an_empty_set_and_two_changes_of_one_row_are_refused() {
    assert_eq!(ChangeSet::new(vec![]), Err(ChangeSetError::Empty));
    let twice = ChangeSetError::SameRowTwice;
    check(16, (some_operations(), any::<Index>(), any::<Index>()), |(operations, again, place)| {
        let Ok(changes) = ChangeSet::new(operations) else { return Ok(()) };
        let row = again.get(changes.operations()).row().clone();
        for operation in [delete(&row), update(&row, row.draft.clone()), create(row.id, row.draft.clone())] {
            let mut operations = changes.operations().to_vec();
            operations.insert(place.index(operations.len() + 1), operation);
            prop_assert_eq!(ChangeSet::new(operations), Err(twice(row.row_ref())));
        }
        Ok(())
    });
}

#[test]
fn a_set_and_its_inverse_leave_the_sums_as_they_were() {
    check(40, some_operations(), |operations| {
        let Ok(changes) = ChangeSet::new(operations) else { return Ok(()) };
        let inverse = changes.operations().iter().map(|operation| match operation {
            Operation::Create { after } => delete(after),
            Operation::Update { before, after } => Operation::Update { before: after.clone(), after: before.clone() },
            Operation::Delete { before } => Operation::Create { after: before.clone() },
        });
        let inverse = ChangeSet::new(inverse.collect()).expect("an inverse is as large");
        let mut sums = rollup_deltas(changes.operations());
        for (key, delta) in rollup_deltas(inverse.operations()) {
            add(sums.entry(key).or_default(), &delta);
        }
        prop_assert_eq!(shown(sums), BTreeMap::new());
        Ok(())
    });
}

#[test]
fn a_stored_set_reads_as_the_same_set() {
    check(24, some_operations(), |operations| {
        let Ok(changes) = ChangeSet::new(operations) else { return Ok(()) };
        let stored = serde_json::to_string(&changes).expect("operations are JSON");
        prop_assert_eq!(serde_json::from_str::<ChangeSet>(&stored).expect("it was accepted once"), changes);
        Ok(())
    });
}

#[test]
fn a_fingerprint_changes_with_everything_shown_and_nothing_else() {
    check(40, (some_operations(), any::<Index>(), 0..10_usize), |(operations, place, change)| {
        let Ok(changes) = ChangeSet::new(operations) else { return Ok(()) };
        let audience = Audience { tenant: "acme", user: "ann", conversation: "kitchen" };
        let original = fingerprint(audience, &changes, "a", 0);
        prop_assert_eq!(&fingerprint(audience, &changes, "b", 1), &original);

        let mut operations = changes.operations().to_vec();
        let index = place.index(operations.len());
        let operation = &mut operations[index];
        let audience = match change {
            0 => Audience { tenant: "acm", ..audience },
            1 => Audience { user: "bob", ..audience },
            2 => Audience { conversation: "", ..audience },
            // A character cannot move from one part to the next.
            3 => Audience { tenant: "acmea", user: "nn", ..audience },
            4 => {
                alter(operation, |record| record.version += 1);
                audience
            }
            5 => {
                alter(operation, |record| record.id += 1_000);
                audience
            }
            6 => {
                alter(operation, |record| record.draft.rollups[0].amount += 1);
                audience
            }
            7 => {
                alter(operation, |record| drop(record.draft.body.insert("notes".into(), json!("more"))));
                audience
            }
            8 => {
                operations.remove(index);
                audience
            }
            _ => {
                alter(operation, |record| record.draft.owner.push('x'));
                audience
            }
        };
        // The altered set may be invalid.
        if let Ok(altered) = ChangeSet::new(operations) {
            prop_assert_ne!(fingerprint(audience, &altered, "a", 0), original);
        }
        Ok(())
    });
}

#[test]
fn a_fingerprint_does_not_depend_on_the_order_of_keys() {
    let with = |place: &str| {
        let mut draft = spent("x", 1, "GBP", "food", date(2026, 11, 20));
        draft.body.insert("place".into(), serde_json::from_str(place).expect("JSON"));
        let changes = ChangeSet::new(vec![create(1, draft)]).expect("a set");
        fingerprint(Audience { tenant: "acme", user: "ann", conversation: "kitchen" }, &changes, "a", 0)
    };
    let (one, other) = (r#"{"street": "ulica", "at": {"x": 1, "y": 2.0}}"#, r#"{"at":{"y":2,"x":1},"street":"ulica"}"#);
    assert_eq!(with(one), with(other));
    assert_ne!(with(one), with(r#"{"at": {"x": 2, "y": 1}, "street": "ulica"}"#));
    let call = |arguments: &str| {
        let arguments = serde_json::from_str(arguments).expect("JSON");
        hash_json(&Call { tool: "add_expense".into(), arguments })
    };
    assert_eq!(call(one), call(other));
}

#[test]
fn rows_and_sums_match_a_simple_model_after_any_history() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let database = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
    let store = Store::new(database.service(), "histories");
    runtime.block_on(table::create_if_absent(&store.client(), "histories")).expect("a table");
    let tenants = std::cell::Cell::new(0);
    check(8, prop::collection::vec(some_step(), 1..12), |steps| {
        tenants.set(tenants.get() + 1);
        let tenant = format!("tenant{}", tenants.get());
        let store = Store::new(Wire::watching(database.service(), &tenant), "histories");
        let mut history = History::new(store, &tenant);
        runtime.block_on(async {
            for step in steps {
                history.take(step).await;
            }
            history.check().await
        })
    });
}

/// A transaction that is captured and never sent.
struct Outgoing {
    runtime: tokio::runtime::Runtime,
    wire: Wire,
    store: Store,
    caller: Caller,
}

impl Outgoing {
    fn new() -> Outgoing {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let database = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
        let wire = Wire::over(&database.service());
        let service = wire.under(database.service());
        Outgoing { runtime, wire, store: Store::new(service, "outgoing"), caller: caller(TENANT_NAME, "ann", "admin") }
    }

    /// Checks the transactions that show and approve it and, for a single operation, the one that executes it at once,
    /// each with the largest bookkeeping.
    fn check(&self, changes: &ChangeSet) {
        let shown = proposal(&self.caller, "large", changes.operations().to_vec(), after(0));
        let task = Task::Decide { id: shown.header.id.clone(), fingerprint: None, decision: Decision::Approve };
        let mut calls = vec![
            StoreCall::Put { proposal: shown.clone(), settles: None },
            bench::write(&self.caller, after(1), task, Some(&shown)),
        ];
        if changes.operations().len() == 1 {
            let task = Task::Submit { proposal: shown, rest: [].into(), policy: Policy::Never };
            calls.push(bench::write(&self.caller, after(1), task, None));
        }
        for call in calls {
            assert_within_limits(&self.actions(call));
        }
    }

    fn actions(&self, call: StoreCall) -> Vec<Value> {
        self.wire.take();
        self.wire.fail([("TransactWriteItems", Fate::DropBefore)]);
        let view = self.store.tenant(self.caller.tenant());
        let bookkeeping = everything_else(self.caller.tenant());
        let sent = TENANT.scope(TENANT_NAME.into(), view.perform(call, &bookkeeping));
        assert_eq!(self.block_on(sent), Event::Unknown);
        let (mut calls, _) = self.wire.take();
        let Value::Array(actions) = calls.remove(0).body["TransactItems"].take() else { panic!("no transaction") };
        actions
    }

    fn block_on<T>(&self, call: impl Future<Output = Result<T, sayso::store::StoreError>>) -> T {
        self.runtime.block_on(call).expect("the store decides")
    }
}

fn everything_else(tenant: &TenantId) -> Bookkeeping {
    let displaced = WaitingProposal {
        id: ProposalId::derived(&[tenant.as_str(), "displaced"]),
        fingerprint: Fingerprint("0".repeat(64)),
        summary: "x".repeat(1_000),
        changes: Changes::default(),
        shown_at: after(-1_000),
        expires_at: after(1_000),
    };
    let said = "x".repeat(4_000);
    let turn = Turn {
        at: after(0),
        nonce: "n".into(),
        message: said.clone(),
        answer: said,
        shown: Shown::default(),
        outcome: TurnOutcome::Answered,
        message_id: None,
        is_click: false,
    };
    let key = ClaimKey::new("ann", CONVERSATION, "message", "payload", "n");
    Bookkeeping {
        member: Some(("ann".into(), Some("Anna".into()))),
        turn: Some((keys::conversation("ann", CONVERSATION), turn)),
        claim: Some((key, Some(json!({ "answer": "x".repeat(4_000) })))),
        summary: "x".repeat(1_000),
        changes: Changes::default(),
        displaced: vec![displaced],
    }
}

fn assert_within_limits(actions: &[Value]) {
    assert!(actions.len() <= ACTIONS, "{} actions", actions.len());
    let of = |action: &Value| {
        let (_, action) = action.as_object().expect("an action").iter().next().expect("its kind");
        action.clone()
    };
    let keys = actions.iter().map(of).map(|action| {
        let key = if action["Item"].is_object() { &action["Item"] } else { &action["Key"] };
        (key["pk"].to_string(), key["sk"].to_string())
    });
    assert_eq!(keys.collect::<BTreeSet<_>>().len(), actions.len(), "two actions on one item");
    let sizes: Vec<usize> = actions.iter().map(of).map(|action| size_of_fields(&action["Item"])).collect();
    assert!(sizes.iter().all(|size| *size <= ITEM), "{sizes:?}");
    // Deletes and updates send less than their JSON.
    let bytes: usize = actions.iter().map(|action| action.to_string().len()).sum();
    assert!(bytes <= TRANSACTION, "{bytes} bytes");
}

/// The size of an item:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>.
fn size_of_fields(fields: &Value) -> usize {
    let fields = fields.as_object().into_iter().flatten();
    fields.map(|(name, value)| name.len() + size_of_value(value)).sum()
}

fn size_of_value(value: &Value) -> usize {
    let (kind, value) = value.as_object().expect("a typed value").iter().next().expect("its type");
    match (kind.as_str(), value) {
        ("S", Value::String(text)) => text.len(),
        ("N", Value::String(digits)) => digits.len() / 2 + 2,
        ("M", fields) => 3 + fields.as_object().map_or(0, serde_json::Map::len) + size_of_fields(fields),
        ("L", Value::Array(values)) => 3 + values.iter().map(|value| 1 + size_of_value(value)).sum::<usize>(),
        _ => 1,
    }
}

/// A tenant's rows as a map, to compare with the store.
struct History {
    store: Store,
    tenant: String,
    now: i64,
    rows: BTreeMap<u64, Record>,
    last_id: u64,
}

#[derive(Debug, Clone)]
struct Spent {
    minor: i64,
    currency: usize,
    category: usize,
    month: i8,
    day: i8,
}

#[derive(Debug, Clone)]
enum Step {
    Add {
        user: usize,
        spent: Spent,
    },
    Edit {
        user: usize,
        row: Index,
        spent: Spent,
    },
    Delete {
        user: usize,
        row: Index,
    },
    /// Two proposals for one row, both approved.
    Race {
        row: Index,
        first: Spent,
        second: Spent,
    },
    /// One proposal that adds, changes and deletes.
    Several {
        adds: Vec<Spent>,
        edits: Vec<(Index, Spent)>,
        deletes: Vec<Index>,
    },
    Reject {
        row: Index,
    },
}

const PEOPLE: [(&str, &str); 3] = [("ann", "member"), ("bob", "member"), ("root", "admin")];

impl History {
    fn new(store: Store, tenant: &str) -> History {
        History { store, tenant: tenant.into(), now: 0, rows: BTreeMap::new(), last_id: 0 }
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Add { user, spent } => {
                let operation = self.create(user, &spent).await;
                self.change(user, vec![operation]).await;
            }
            Step::Edit { user, row, spent } => {
                let Some(row) = self.pick(row) else { return };
                let operation = update(&row, spent.draft(&row.draft.owner));
                self.change(user, vec![operation]).await;
            }
            Step::Delete { user, row } => {
                let Some(row) = self.pick(row) else { return };
                self.change(user, vec![delete(&row)]).await;
            }
            Step::Race { row, first, second } => {
                let Some(row) = self.pick(row) else { return };
                let (first, second) = (first.draft(&row.draft.owner), second.draft(&row.draft.owner));
                let first = self.show(2, vec![update(&row, first)]).await;
                let second = self.show(2, vec![update(&row, second)]).await;
                self.approve(2, &first).await;
                let outcome = self.decide(2, &second, Decision::Approve).await;
                let stale = second.with_state(State::Stale { at: self.at() });
                let standing = self.rows.get(&row.id).cloned().map_or(Conflict::Deleted, Conflict::Changed);
                assert_eq!(outcome, Outcome::Stale { proposal: stale, changed: vec![(0, standing)], revision: None });
            }
            Step::Several { adds, edits, deletes } => {
                let mut operations = Vec::new();
                for spent in &adds {
                    operations.push(self.create(2, spent).await);
                }
                let mut seen = BTreeSet::new();
                for (row, spent) in edits {
                    let row = self.pick(row).filter(|row| seen.insert(row.id));
                    operations.extend(row.map(|row| update(&row, spent.draft(&row.draft.owner))));
                }
                for row in deletes {
                    let row = self.pick(row).filter(|row| seen.insert(row.id));
                    operations.extend(row.map(|row| delete(&row)));
                }
                if !operations.is_empty() {
                    self.change(2, operations).await;
                }
            }
            Step::Reject { row } => {
                let Some(row) = self.pick(row) else { return };
                let shown = self.show(2, vec![delete(&row)]).await;
                let outcome = self.decide(2, &shown, Decision::Reject { reason: None }).await;
                let state = State::Rejected { at: self.at(), by: "root".into(), reason: None };
                assert_eq!(outcome, Outcome::Rejected(shown.with_state(state)));
            }
        }
    }

    /// Proposes and approves, or is forbidden to, and applies the same to the map.
    async fn change(&mut self, user: usize, operations: Vec<Operation>) {
        let caller = self.caller(user);
        let may = operations.iter().all(|operation| caller.may_change(&operation.row().draft.owner));
        if may {
            let shown = self.show(user, operations).await;
            return self.approve(user, &shown).await;
        }
        let proposal = self.proposal(user, operations);
        let task = Task::Submit { proposal, rest: [].into(), policy: Policy::Always };
        assert_eq!(run(&self.store, &caller, self.at(), task).await, Outcome::Forbidden);
    }

    async fn show(&mut self, user: usize, operations: Vec<Operation>) -> Proposal {
        self.now += 1_000;
        let proposal = self.proposal(user, operations);
        let task = Task::Submit { proposal: proposal.clone(), rest: [].into(), policy: Policy::Always };
        let outcome = run(&self.store, &self.caller(user), self.at(), task).await;
        assert_eq!(outcome, Outcome::Waiting(proposal.clone()));
        proposal
    }

    async fn approve(&mut self, user: usize, shown: &Proposal) {
        let outcome = self.decide(user, shown, Decision::Approve).await;
        assert!(matches!(outcome, Outcome::Executed { replayed: false, .. }), "{outcome:?}");
        for operation in shown.body.changes.operations() {
            match operation.after() {
                Some(after) => self.rows.insert(after.id, after.clone()),
                None => self.rows.remove(&operation.row().id),
            };
        }
        // A repeated approval by any caller has no further effect.
        let again = self.decide(2, shown, Decision::Approve).await;
        assert!(matches!(again, Outcome::Executed { replayed: true, .. }), "{again:?}");
    }

    async fn decide(&self, user: usize, shown: &Proposal, decision: Decision) -> Outcome {
        let fingerprint = Some(shown.header.fingerprint.clone());
        let task = Task::Decide { id: shown.header.id.clone(), fingerprint, decision };
        run(&self.store, &self.caller(user), self.at(), task).await
    }

    async fn create(&mut self, user: usize, spent: &Spent) -> Operation {
        let id = self.store.tenant(self.caller(user).tenant()).allocate_ids("E", 1).await.expect("an id");
        assert_eq!(id, self.last_id + 1);
        self.last_id = id;
        create(id, spent.draft(PEOPLE[user].0))
    }

    async fn check(&self) -> TestCaseResult {
        let caller = self.caller(0);
        let view = self.store.tenant(caller.tenant());
        let (from, to) = (date(2026, 1, 1), date(2026, 12, 31));
        let query = ListQuery {
            kind: "E",
            among: Among::All,
            from,
            to,
            conditions: vec![],
            limit: 1_000,
            after: None,
            oldest_first: false,
        };
        let mut rows: Vec<Record> = self.rows.values().cloned().collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.draft.date, row.id)));
        prop_assert_eq!(&view.list(&query).await.expect("the store answers").records, &rows);
        let mut sums: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
        rows.iter().for_each(|row| contribute(&mut sums, &row.draft, 1));
        prop_assert_eq!(shown(view.rollups("E", from, to).await.expect("the store answers")), shown(sums));
        let found = view.reconcile(after(0)).await.expect("the store answers");
        prop_assert_eq!((found.rows, found.drifts, found.busy), (rows.len(), vec![], vec![]));
        Ok(())
    }

    fn proposal(&self, user: usize, operations: Vec<Operation>) -> Proposal {
        proposal(&self.caller(user), &self.now.to_string(), operations, self.at())
    }

    fn pick(&self, row: Index) -> Option<Record> {
        let rows: Vec<&Record> = self.rows.values().collect();
        (!rows.is_empty()).then(|| (*row.get(&rows)).clone())
    }

    fn caller(&self, user: usize) -> Caller {
        caller(&self.tenant, PEOPLE[user].0, PEOPLE[user].1)
    }

    fn at(&self) -> Timestamp {
        after(self.now)
    }
}

impl Spent {
    fn draft(&self, owner: &str) -> Draft {
        let currency = ["GBP", "EUR", "JPY"][self.currency];
        let category = ["food", "travel", "a#b"][self.category];
        let draft = spent("thing", self.minor, currency, category, date(2026, self.month, self.day));
        Draft { owner: owner.into(), ..draft }
    }
}

fn some_spent() -> impl Strategy<Value = Spent> {
    (1..1_000_000_i64, 0..3_usize, 0..3_usize, 9..12_i8, 1..=30_i8)
        .prop_map(|(minor, currency, category, month, day)| Spent { minor, currency, category, month, day })
}

fn some_step() -> impl Strategy<Value = Step> {
    let (user, row) = (|| 0..PEOPLE.len(), any::<Index>);
    prop_oneof![
        4 => (user(), some_spent()).prop_map(|(user, spent)| Step::Add { user, spent }),
        4 => (user(), row(), some_spent()).prop_map(|(user, row, spent)| Step::Edit { user, row, spent }),
        2 => (user(), row()).prop_map(|(user, row)| Step::Delete { user, row }),
        2 => (row(), some_spent(), some_spent()).prop_map(|(row, first, second)| Step::Race { row, first, second }),
        3 => (
            prop::collection::vec(some_spent(), 0..5),
            prop::collection::vec((row(), some_spent()), 0..4),
            prop::collection::vec(row(), 0..3),
        )
            .prop_map(|(adds, edits, deletes)| Step::Several { adds, edits, deletes }),
        1 => row().prop_map(|row| Step::Reject { row }),
    ]
}

/// Sets of every size. Some are too large, and some change a row twice.
fn some_operations() -> impl Strategy<Value = Vec<Operation>> {
    (prop_oneof![1..5_usize, 20..50_usize, 80..110_usize], prop_oneof![Just(3_u8), Just(200)]).prop_flat_map(
        |(count, groups)| {
            let operations = prop::collection::vec((0..3_u8, some_draft(groups), some_draft(groups)), count);
            let ids = (1..5_u64, prop_oneof![9 => Just(1_u64), 1 => Just(0)]);
            (operations, ids).prop_map(|(operations, (first, stride))| {
                let numbered = operations.into_iter().zip(0..);
                let operations = numbered.map(|((kind, before, after), n)| {
                    let record = Record { id: first + stride * n, version: 1 + n % 3, draft: before };
                    match kind {
                        0 => Operation::Create { after: record },
                        1 => update(&record, after),
                        _ => delete(&record),
                    }
                });
                operations.collect()
            })
        },
    )
}

fn some_draft(groups: u8) -> impl Strategy<Value = Draft> {
    let contribution = (1..=12_i8, 1..=28_i8, 0..groups, any::<bool>(), any::<i32>());
    // Mostly in one group, sometimes in several.
    let groups = prop_oneof![3 => Just(1), 1 => 2..=4_u8];
    (contribution, groups, "[a-z\"#%ż🍜]{0,12}").prop_map(|((month, day, group, euro, amount), groups, item)| {
        let unit = if euro { "EUR" } else { "GBP" };
        let date = date(2026, month, day);
        let amount = i64::from(amount);
        let contribution = |n| Contribution {
            date,
            unit: unit.into(),
            group: format!("group#{}", group + n),
            amount: amount + i64::from(n),
        };
        Draft {
            kind: "E".into(),
            owner: "ann".into(),
            body: Body::from([("item".to_owned(), json!(item)), ("minor".to_owned(), json!(amount))]),
            date,
            rollups: (0..groups).map(contribution).collect(),
            ..Draft::default()
        }
    })
}

/// Extra length of a row's text: mostly none.
fn some_pads() -> impl Strategy<Value = Vec<usize>> {
    let pad = prop_oneof![4 => Just(0_usize), 1 => 0..4_000_usize, 1 => 50_000..301_000_usize];
    prop::collection::vec(pad, 1..8)
}

fn padded(operation: &Operation, pad: usize) -> Operation {
    let mut operation = operation.clone();
    if pad > 0 {
        alter(&mut operation, |record| drop(record.draft.body.insert("notes".into(), json!("x".repeat(pad)))));
    }
    operation
}

/// Alters the row after the change or, for a deletion, before it.
fn alter(operation: &mut Operation, alter: impl FnOnce(&mut Record)) {
    match operation {
        Operation::Create { after } | Operation::Update { after, .. } => alter(after),
        Operation::Delete { before } => alter(before),
    }
}

fn fingerprint(audience: Audience<'_>, changes: &ChangeSet, name: &str, at: i64) -> Fingerprint {
    let call = Call { tool: name.into(), arguments: json!({ "name": name }) };
    let body = ProposalBody { call, notes: vec![], changes: changes.clone(), manifest: None, is_watched: false };
    Proposal::new(ProposalId::derived(&[name]), audience, body, after(at)).header.fingerprint
}

fn add(sum: &mut Rollup, delta: &Rollup) {
    sum.sum += delta.sum;
    sum.count += delta.count;
    for (day, (amount, count)) in &delta.days {
        let day = sum.days.entry(*day).or_default();
        *day = (day.0 + amount, day.1 + count);
    }
    delta.parts.iter().for_each(|(day, part)| *sum.parts.entry(*day).or_default() += part);
}

/// Without rollups of zero.
pub fn shown(sums: BTreeMap<RollupKey, Rollup>) -> BTreeMap<RollupKey, Rollup> {
    sums.into_iter().filter_map(|(key, rollup)| Some((key, rollup.without_zeros()?))).collect()
}

fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config =
        ProptestConfig { cases, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(contextualize_config(config)).run(&strategy, test).unwrap_or_else(|error| panic!("{error}"));
}
