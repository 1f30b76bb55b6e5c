//! Reconciling rollups with their rows: differences are found and repaired, and concurrent writes are not lost.

use std::{collections::BTreeMap, pin::pin};

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::{Either, select};
use jiff::civil::date;
use sayso::{
    proposal::{Contribution, Draft, Event, NameKey, ProposalId, Record, Rollup, RollupKey, UniqueKey},
    store::{Drift, KeyDrift, Reconciliation, SumKey, keys},
};
use serde_json::Value;

use crate::harness::{
    Service, Setup,
    bench::{Bench, Item, USER, after, create, delete, spent},
    wire::{Fate, TENANT},
};

/// A service with expenses of one tenant, and its store.
struct Books {
    service: Service,
    bench: Bench,
}

/// How a rollup is made wrong.
#[derive(Debug, Clone, Copy)]
enum Wrong {
    Sum,
    Missing,
    /// Stored by an older program, which did not count changes.
    Uncounted,
}

impl Books {
    async fn of(rows: &[Record]) -> Books {
        let service = Setup::default().start().await;
        let books = Books { bench: Bench::new(service.store.clone(), "demo"), service };
        let operations: Vec<_> = rows.iter().map(|row| create(row.id, row.draft.clone())).collect();
        if !operations.is_empty() {
            books.within(books.bench.carry_out("rows", operations, after(0))).await;
        }
        books.service.wire.take();
        books
    }

    /// Calls the store for the tenant.
    async fn within<T>(&self, call: impl Future<Output = T>) -> T {
        TENANT.scope("demo".into(), call).await
    }

    async fn reconcile(&self) -> Reconciliation {
        self.within(self.bench.view().reconcile(after(60_000))).await.expect("the store answers")
    }

    /// Reconciles while something else happens.
    async fn reconcile_while(&self, meanwhile: impl Future<Output = ()>) -> Reconciliation {
        match select(pin!(self.reconcile()), pin!(self.within(meanwhile))).await {
            Either::Left((found, _)) => panic!("it ended too early: {found:?}"),
            Either::Right(((), reconciling)) => reconciling.await,
        }
    }

    /// Does something while a call is held.
    async fn once_held(&self, happens: impl Future<Output = ()>) {
        self.service.wire.held().await;
        happens.await;
        self.service.wire.release();
    }

    async fn add_tea(&self) {
        let shown = self.bench.proposal("tea", vec![create(9, tea().draft)], after(5));
        assert_eq!(self.bench.put(&shown).await, Event::Committed);
        assert_eq!(self.bench.commit(&shown, after(5)).await, Event::Committed);
    }

    async fn rollups(&self) -> BTreeMap<RollupKey, Rollup> {
        let (view, from, to) = (self.bench.view(), date(2026, 1, 1), date(2026, 12, 31));
        let of_kinds = async { tokio::try_join!(view.rollups("E", from, to), view.rollups("I", from, to)) };
        let (expenses, others) = self.within(of_kinds).await.expect("the store answers");
        expenses.into_iter().chain(others).collect()
    }

    async fn totals(&self) -> Value {
        self.service.person().says("how much did I spend this month?").await["totals"].take()
    }

    async fn item(&self, sk: &str) -> Option<Item> {
        self.within(self.bench.contents()).await.remove(&(self.bench.partition(), sk.to_owned()))
    }

    /// The changes that were counted, and when the count began.
    async fn revision(&self, key: &RollupKey) -> Option<(i64, i64)> {
        let item = self.item(&keys::rollup(key)).await?;
        let v: i64 = item.get("v")?.as_n().expect("a number").parse().expect("a number");
        let noon = after(0).as_millisecond();
        let began = [0, 60_000].into_iter().rfind(|began| noon + began <= v).expect("a time");
        Some((v - noon - began, began))
    }

    async fn put(&self, item: Item) {
        let put = self.bench.store.client().put_item().table_name(self.bench.store.table()).set_item(Some(item));
        self.within(put.send()).await.expect("it can be stored");
    }

    async fn delete(&self, sk: &str) {
        let delete = self.bench.store.client().delete_item().table_name(self.bench.store.table());
        let delete = delete.key("pk", AttributeValue::S(self.bench.partition()));
        self.within(delete.key("sk", AttributeValue::S(sk.into())).send()).await.expect("it can be deleted");
    }

    async fn tamper(&self, key: &RollupKey, attributes: &[(&str, Option<i64>)]) {
        let item = self.item(&keys::rollup(key)).await.expect("a rollup");
        self.put(with(item, attributes)).await;
    }

    async fn spoil(&self, key: &RollupKey, wrong: Wrong) {
        match wrong {
            Wrong::Sum => self.tamper(key, &[("sum", Some(1)), ("s19", Some(1))]).await,
            Wrong::Missing => self.delete(&keys::rollup(key)).await,
            Wrong::Uncounted => self.tamper(key, &[("sum", Some(1)), ("s19", Some(1)), ("v", None)]).await,
        }
    }

    /// The operations of the store calls since the last time.
    fn operations(&self) -> Vec<String> {
        self.service.wire.take().0.into_iter().map(|call| call.operation).collect()
    }
}

#[tokio::test]
async fn usual_requests_leave_no_drift_and_each_change_is_counted() {
    let books = Books::of(&[]).await;
    assert_eq!(books.reconcile().await, Reconciliation::default());
    let me = books.service.person();
    let messages = ["add coffee 3.50", "lunch 12 yesterday and taxi 8.20", "change #1 to 4.20", "delete the taxi"];
    for message in messages.into_iter().chain(["undo that"]) {
        me.says(message).await;
        let done = me.says("yes").await;
        assert!(done["receipt"].is_object(), "{message}: {done}");
    }
    for message in ["tea 2", "no", "how much did I spend?"] {
        me.says(message).await;
    }
    books.service.wire.take();
    let right = Reconciliation { rows: 3, rollups: 4, ..Reconciliation::default() };
    assert_eq!(books.reconcile().await, right);
    assert_eq!(books.operations(), ["Query"; 4]);
    let uncategorised = RollupKey { owner: "me".into(), ..key("GBP", "uncategorised") };
    assert_eq!(books.revision(&uncategorised).await, Some((5, 0)));

    for message in ["delete #1", "delete #2", "delete #3"] {
        me.says(message).await;
        me.says("yes").await;
    }
    assert_eq!(books.reconcile().await, Reconciliation { rows: 0, ..right }, "zeros are what no rows add up to");
}

#[tokio::test]
async fn each_drift_is_found_reported_and_repaired_once() {
    let books = Books::of(&[lunch(), row(2, 300, "GBP", "food", 20), train(), taxi()]).await;
    let (food, travel, taxis, ghost) =
        (key("GBP", "food"), key("EUR", "travel"), key("GBP", "taxi"), key("JPY", "ghost"));
    let (right, stored) = (books.totals().await, books.rollups().await);

    books.tamper(&food, &[("sum", Some(999))]).await;
    books.tamper(&travel, &[("s20", Some(1)), ("n20", Some(7))]).await;
    let mut leftover = books.item(&keys::rollup(&taxis)).await.expect("a rollup");
    books.delete(&keys::rollup(&taxis)).await;
    leftover.insert("sk".into(), AttributeValue::S(keys::rollup(&ghost)));
    books.put(leftover).await;
    let name = NameKey { kind: "E".into(), owner: USER.into(), name: "something".into(), unit: "GBP".into() };
    books.put(with(books.item(&keys::name(&name)).await.expect("a total"), &[("n", Some(7))])).await;
    assert_ne!(books.totals().await, right);

    let found = books.reconcile().await;
    let food_right = rollup(1_250, 2, &[(19, 950, 1), (20, 300, 1)]);
    let travel_right = rollup(4_000, 1, &[(20, 4_000, 1)]);
    let taxi_right = rollup(800, 1, &[(18, 800, 1)]);
    let drifts = vec![
        drift(&travel, Some(rollup(4_000, 1, &[(20, 1, 7)])), Some(travel_right.clone())),
        drift(&food, Some(Rollup { sum: 999, ..food_right.clone() }), Some(food_right.clone())),
        drift(&taxis, None, Some(taxi_right.clone())),
        drift(&ghost, Some(taxi_right.clone()), None),
        Drift { key: SumKey::Name(name), stored: Some(rollup(2_050, 7, &[])), recomputed: Some(rollup(2_050, 3, &[])) },
    ];
    assert_eq!(found, Reconciliation { rows: 4, rollups: 5, drifts, ..Reconciliation::default() });
    let repaired = stored.into_iter().chain([(ghost.clone(), Rollup::default())]).collect::<BTreeMap<_, _>>();
    assert_eq!(books.rollups().await, repaired);
    assert_eq!(books.totals().await, right);
    let mut revisions = Vec::new();
    for key in [&travel, &food, &taxis, &ghost] {
        revisions.push(books.revision(key).await.expect("a revision"));
    }
    assert_eq!(revisions, [(2, 0), (2, 0), (1, 60_000), (2, 0)]);

    books.operations();
    assert_eq!(books.reconcile().await, Reconciliation { rows: 4, rollups: 6, ..Reconciliation::default() });
    assert_eq!(books.operations(), ["Query"; 4]);
    // A repaired rollup can be changed like any other.
    books.within(books.bench.carry_out("no taxi", vec![delete(&taxi())], after(9))).await;
    assert_eq!(books.rollups().await[&taxis], rollup(0, 0, &[(18, 0, 0)]));
    assert_eq!(books.reconcile().await, Reconciliation { rows: 3, rollups: 6, ..Reconciliation::default() });
}

#[tokio::test]
async fn a_rollup_without_a_change_count_is_repaired_only_if_it_is_wrong() {
    let books = Books::of(&[lunch(), train()]).await;
    let (food, travel) = (key("GBP", "food"), key("EUR", "travel"));
    books.tamper(&travel, &[("v", None)]).await;
    books.spoil(&food, Wrong::Uncounted).await;
    let found = books.reconcile().await;
    let (wrong, right) = (rollup(1, 1, &[(19, 1, 1)]), rollup(950, 1, &[(19, 950, 1)]));
    let drifts = vec![drift(&food, Some(wrong), Some(right.clone()))];
    assert_eq!(found, Reconciliation { rows: 2, rollups: 4, drifts, ..Reconciliation::default() });
    assert_eq!(books.rollups().await[&food], right);
    assert_eq!((books.revision(&food).await, books.revision(&travel).await), (Some((1, 60_000)), None));
}

#[tokio::test]
async fn a_write_between_reading_rows_and_the_repair_is_not_lost() {
    for wrong in [Wrong::Sum, Wrong::Missing, Wrong::Uncounted] {
        let books = Books::of(&[lunch()]).await;
        let food = key("GBP", "food");
        books.spoil(&food, wrong).await;
        books.service.wire.hold("PutItem");
        let found = books.reconcile_while(books.once_held(books.add_tea())).await;
        let stored = match wrong {
            Wrong::Missing => rollup(300, 1, &[(20, 300, 1)]),
            Wrong::Sum | Wrong::Uncounted => rollup(301, 2, &[(19, 1, 1), (20, 300, 1)]),
        };
        let right = rollup(1_250, 2, &[(19, 950, 1), (20, 300, 1)]);
        assert_eq!(found.drifts, [drift(&food, Some(stored), Some(right.clone()))], "{wrong:?}");
        assert_eq!((found.busy, books.rollups().await), (vec![], BTreeMap::from([(food, right)])), "{wrong:?}");
        assert_eq!(books.reconcile().await.drifts, [], "{wrong:?}");
    }
}

#[tokio::test]
async fn a_write_between_reading_rollups_and_rows_is_no_drift() {
    let books = Books::of(&[lunch()]).await;
    books.service.wire.hold_after("Query", 1);
    let found = books.reconcile_while(books.once_held(books.add_tea())).await;
    assert_eq!(found, Reconciliation { rows: 2, rollups: 2, ..Reconciliation::default() });
    assert_eq!(books.operations().iter().filter(|operation| *operation == "PutItem").count(), 0);
    let right = rollup(1_250, 2, &[(19, 950, 1), (20, 300, 1)]);
    assert_eq!(books.rollups().await, BTreeMap::from([(key("GBP", "food"), right)]));
}

/// A DynamoDB query may see some items of a transaction before the others.
#[tokio::test]
async fn a_partly_visible_transaction_is_no_drift() {
    let books = Books::of(&[lunch(), tea()]).await;
    let sk = keys::record("E", tea().id);
    let unseen = books.item(&sk).await.expect("a row");
    books.delete(&sk).await;
    let right = books.rollups().await;
    books.operations();
    books.service.wire.hold_after("Query", 4);
    let found = books.reconcile_while(books.once_held(books.put(unseen))).await;
    assert_eq!(found, Reconciliation { rows: 1, rollups: 2, ..Reconciliation::default() });
    assert_eq!(
        books.operations(),
        ["Query", "Query", "Query", "Query", "Query", "PutItem", "Query", "Query", "Query"],
        "the row is all that was put"
    );
    assert_eq!(books.rollups().await, right);
}

#[tokio::test]
async fn a_drift_is_not_repaired_while_a_transaction_is_partly_visible() {
    let books = Books::of(&[lunch(), tea()]).await;
    let (food, sk) = (key("GBP", "food"), keys::record("E", tea().id));
    let unseen = books.item(&sk).await.expect("a row");
    books.delete(&sk).await;
    let right = books.rollups().await;
    let late = books.item(&keys::rollup(&food)).await.expect("a rollup");
    let late = with(late, &[("sum", Some(1_300)), ("s19", Some(1_000)), ("v", Some(2))]);
    let early = [("sum", Some(1_000)), ("n", Some(1)), ("s20", None), ("n20", None), ("v", Some(1))];
    books.put(with(late.clone(), &early)).await;
    let name = NameKey { kind: "E".into(), owner: USER.into(), name: "something".into(), unit: "GBP".into() };
    let late_name = books.item(&keys::name(&name)).await.expect("a total");
    books.put(with(late_name.clone(), &[("sum", Some(950)), ("n", Some(1)), ("v", Some(0))])).await;
    books.service.wire.hold_after("Query", 4);
    let meanwhile = async {
        books
            .once_held(async {
                books.put(late).await;
                books.put(late_name).await;
            })
            .await;
        books.service.wire.hold_after("Query", 3);
        books.once_held(books.put(unseen)).await;
    };
    let found = books.reconcile_while(meanwhile).await;
    let wrong = rollup(1_300, 2, &[(19, 1_000, 1), (20, 300, 1)]);
    let drifts = vec![drift(&food, Some(wrong), Some(right[&food].clone()))];
    assert_eq!(found, Reconciliation { rows: 1, rollups: 2, drifts, ..Reconciliation::default() });
    assert_eq!(books.rollups().await, right);
}

#[tokio::test]
async fn a_repair_with_a_lost_answer_is_reported_once() {
    let books = Books::of(&[lunch()]).await;
    let food = key("GBP", "food");
    books.spoil(&food, Wrong::Sum).await;
    books.operations();
    books.service.wire.fail([("PutItem", Fate::CommitThenDrop)]);
    let found = books.reconcile().await;
    let (wrong, right) = (rollup(1, 1, &[(19, 1, 1)]), rollup(950, 1, &[(19, 950, 1)]));
    let drifts = vec![drift(&food, Some(wrong), Some(right.clone()))];
    assert_eq!(found, Reconciliation { rows: 1, rollups: 2, drifts, ..Reconciliation::default() });
    assert_eq!(books.operations(), [["Query"; 8].as_slice(), &["PutItem"; 2]].concat());
    assert_eq!(books.rollups().await[&food], right);
}

#[tokio::test]
async fn a_rollup_that_changes_at_every_read_is_reported_as_busy() {
    let books = Books::of(&[lunch(), train()]).await;
    let (food, travel) = (key("GBP", "food"), key("EUR", "travel"));
    books.spoil(&food, Wrong::Sum).await;
    let before = books.item(&keys::rollup(&food)).await;
    books.operations();
    // Each of five attempts is sent three times.
    books.service.wire.fail([("PutItem", Fate::ItemConflict); 15]);
    let found = books.reconcile().await;
    let busy = vec![SumKey::Month(food.clone())];
    assert_eq!(found, Reconciliation { rows: 2, rollups: 4, busy, ..Reconciliation::default() });
    let tries = books.operations();
    assert_eq!(tries.iter().filter(|operation| *operation == "PutItem").count(), 15);
    assert_eq!(tries.iter().filter(|operation| *operation == "Query").count(), 4 + 5 * 4);
    assert_eq!(books.item(&keys::rollup(&food)).await, before);

    // A repairable rollup does not wait for one that is not.
    books.tamper(&travel, &[("sum", Some(1))]).await;
    books.service.wire.fail([("PutItem", Fate::ItemConflict); 3]);
    let found = books.reconcile().await;
    let drifted: Vec<SumKey> = found.drifts.into_iter().map(|drift| drift.key).collect();
    assert_eq!((drifted, found.busy), (vec![SumKey::Month(travel), SumKey::Month(food)], vec![]));
    assert_eq!(books.reconcile().await.drifts, []);
}

#[tokio::test]
async fn one_tenant_is_reconciled_and_no_other() {
    let books = Books::of(&[lunch()]).await;
    let other = Bench::new(books.service.store.clone(), "demo2");
    let sum = async {
        let rollups = other.view().rollups("E", date(2026, 1, 1), date(2026, 12, 31)).await.expect("the store answers");
        rollups[&key("GBP", "food")].clone()
    };
    let theirs = async {
        other.carry_out("rows", vec![create(1, lunch().draft)], after(0)).await;
        let partition = AttributeValue::S(other.partition());
        let update = other.store.client().update_item().table_name(other.store.table()).key("pk", partition);
        let update = update.key("sk", AttributeValue::S(keys::rollup(&key("GBP", "food"))));
        let update = update.update_expression("ADD s19 :one");
        let update = update.expression_attribute_values(":one", AttributeValue::N("1".into()));
        update.send().await.expect("it can be stored");
    };
    TENANT.scope("demo2".into(), theirs).await;
    assert_eq!(books.reconcile().await, Reconciliation { rows: 1, rollups: 2, ..Reconciliation::default() });
    assert_eq!(TENANT.scope("demo2".into(), sum).await, rollup(950, 1, &[(19, 951, 1)]));
    let found = TENANT.scope("demo2".into(), other.view().reconcile(after(60_000))).await.expect("the store answers");
    assert_eq!(found.drifts.len(), 1);
}

#[tokio::test]
async fn rows_of_every_kind_count_in_the_months_of_their_contributions() {
    // A purchase paid over three months, in two groups.
    let contribution = |month, group: &str| Contribution {
        date: date(2026, month, 1),
        unit: "GBP".into(),
        group: group.into(),
        amount: 100,
    };
    let rollups = (10..=12).flat_map(|month| [contribution(month, "food"), contribution(month, "taxi")]);
    let paid_off = Draft { kind: "I".into(), rollups: rollups.collect(), ..lunch().draft };
    let books = Books::of(&[lunch(), Record { id: 1, version: 1, draft: paid_off }]).await;
    let right = books.rollups().await;
    assert_eq!(books.reconcile().await, Reconciliation { rows: 2, rollups: 9, ..Reconciliation::default() });
    for key in right.keys() {
        books.delete(&keys::rollup(key)).await;
    }
    let found = books.reconcile().await;
    let expected: Vec<Drift> = right.iter().map(|(key, rollup)| drift(key, None, Some(rollup.clone()))).collect();
    assert_eq!((found.drifts, books.rollups().await), (expected, right));
}

#[tokio::test]
async fn several_pages_of_rows_and_rollups_are_read_completely() {
    let groups = ["a", "b", "c", "d"];
    let rows: Vec<Record> = (1..).zip(groups).map(|(id, group)| row(id, 100, "GBP", group, 20)).collect();
    let books = Books::of(&rows).await;
    let last = key("GBP", "d");
    books.tamper(&last, &[("n", Some(2))]).await;
    // Three of these fill a page.
    let padding = AttributeValue::S("x".repeat(350_000));
    for ((pk, _), mut item) in books.within(books.bench.contents()).await {
        if pk == books.bench.partition() {
            item.insert("padding".into(), padding.clone());
            books.put(item).await;
        }
    }
    books.operations();
    let found = books.reconcile().await;
    let right = rollup(100, 1, &[(20, 100, 1)]);
    let drifts = vec![drift(&last, Some(Rollup { count: 2, ..right.clone() }), Some(right))];
    assert_eq!(found, Reconciliation { rows: 4, rollups: 5, drifts, ..Reconciliation::default() });
    assert_eq!(books.operations(), ["Query"; 12].into_iter().chain(["PutItem"]).collect::<Vec<_>>());
}

#[tokio::test]
async fn sums_of_no_rows_are_deleted_when_nobody_can_have_an_older_count_of_them() {
    const WEEK: i64 = 7 * 24 * 3_600_000;
    let books = Books::of(&[lunch(), train()]).await;
    let (food, travel) = (key("GBP", "food"), key("EUR", "travel"));
    books.within(books.bench.carry_out("no lunch", vec![delete(&lunch())], after(5))).await;
    let reconciled = async |millis| books.within(books.bench.view().reconcile(after(millis))).await.expect("an answer");
    let right = Reconciliation { rows: 1, rollups: 4, ..Reconciliation::default() };
    assert_eq!(reconciled(WEEK).await, right, "it was changed in this week");
    let run = (keys::run(&ProposalId::derived(&["long ago"])), AttributeValue::N("1".into()));
    let meta = [("pk", books.bench.partition()), ("sk", "META".to_owned())];
    let meta = meta.map(|(name, value)| (name.to_owned(), AttributeValue::S(value)));
    books.put(meta.clone().into_iter().chain([run]).collect()).await;
    assert_eq!(reconciled(WEEK + 100).await, right, "a run that was approved long ago can add to it");
    books.put(meta.into()).await;

    // It is made again while it is deleted.
    books.service.wire.hold("DeleteItem");
    let again = async {
        let shown = books.bench.proposal("again", vec![create(9, lunch().draft)], after(WEEK));
        assert_eq!(books.bench.put(&shown).await, Event::Committed);
        assert_eq!(books.bench.commit(&shown, after(WEEK)).await, Event::Committed);
    };
    let view = books.bench.view();
    let reconciling = books.within(view.reconcile(after(WEEK + 100)));
    let found = match select(pin!(reconciling), pin!(books.within(books.once_held(again)))).await {
        Either::Left((found, _)) => panic!("it ended too early: {found:?}"),
        Either::Right(((), reconciling)) => reconciling.await.expect("an answer"),
    };
    assert_eq!((found.emptied, found.drifts), (0, vec![]));
    books.within(books.bench.carry_out("none", vec![delete(&Record { id: 9, ..lunch() })], after(WEEK + 5))).await;
    books.service.wire.take();

    let names =
        |unit: &str| NameKey { kind: "E".into(), owner: USER.into(), name: "something".into(), unit: unit.into() };
    let emptied = Reconciliation { emptied: 2, ..right.clone() };
    books.service.wire.fail([("DeleteItem", Fate::CommitThenDrop)]);
    assert_eq!(reconciled(2 * WEEK + 200).await, emptied);
    assert_eq!(books.item(&keys::rollup(&food)).await, None);
    assert_eq!(books.item(&keys::name(&names("GBP"))).await, None);
    assert!(books.item(&keys::rollup(&travel)).await.is_some());
    assert_eq!(reconciled(2 * WEEK + 300).await, Reconciliation { rollups: 2, ..right });
    // Its count begins later than all that anybody read before.
    books.within(books.bench.carry_out("once more", vec![create(1, lunch().draft)], after(2 * WEEK + 400))).await;
    let v = books.item(&keys::rollup(&food)).await.and_then(|item| item.get("v").cloned());
    assert_eq!(v, Some(AttributeValue::N((after(2 * WEEK + 400).as_millisecond() + 1).to_string())));
}

/// Expenses do not have unique keys, but any row can.
fn with_key(record: Record, unique_key: &str) -> Record {
    Record { draft: Draft { unique_key: Some(unique_key.into()), ..record.draft }, ..record }
}

#[tokio::test]
async fn unique_keys_name_the_rows_that_have_them_again() {
    let rows = [with_key(lunch(), "a"), with_key(train(), "b"), with_key(taxi(), "c"), tea()];
    let books = Books::of(&rows).await;
    let sk = |key: &str| keys::unique_key(&UniqueKey { kind: "E".into(), key: key.into() });
    let right = books.within(books.bench.contents()).await;
    let of = |key: &str| right[&(books.bench.partition(), sk(key))].clone();
    assert_eq!(books.reconcile().await, Reconciliation { rows: 4, rollups: 5, ..Reconciliation::default() });

    let spoil = async || {
        books.delete(&sk("a")).await;
        books.put(with(of("b"), &[("id", Some(9))])).await;
        books.put(with(of("c"), &[("id", Some(77))])).await;
        let free = with(of("a"), &[("id", Some(9))]);
        books.put(free.into_iter().chain([("sk".into(), AttributeValue::S(sk("free")))]).collect()).await;
    };
    spoil().await;
    let mut found = books.reconcile().await;
    found.keys.sort_by_key(|drift| (drift.holder, drift.stored));
    let drift = |stored, holder| KeyDrift { kind: "E".into(), stored, holder };
    let expected = vec![drift(Some(9), None), drift(None, Some(1)), drift(Some(9), Some(3)), drift(Some(77), Some(4))];
    assert_eq!(found, Reconciliation { rows: 4, rollups: 5, keys: expected, ..Reconciliation::default() });
    assert_eq!(books.within(books.bench.contents()).await, right);

    // Answers that are lost, and a row that gives up its key meanwhile.
    spoil().await;
    books.service.wire.fail([("TransactWriteItems", Fate::CommitThenDrop); 1]);
    assert_eq!((books.reconcile().await.keys.len(), books.within(books.bench.contents()).await), (4, right.clone()));
    books.delete(&sk("a")).await;
    books.service.wire.hold("TransactWriteItems");
    let sold = async {
        books.delete(&keys::record("E", 1)).await;
    };
    let found = books.reconcile_while(books.once_held(sold)).await;
    assert_eq!((found.keys, found.busy_keys, books.item(&sk("a")).await), (vec![], vec![], None));
}

#[tokio::test]
async fn a_key_that_two_rows_have_stays_with_the_one_that_it_names() {
    let books = Books::of(&[with_key(lunch(), "a"), tea()]).await;
    let sk = keys::unique_key(&UniqueKey { kind: "E".into(), key: "a".into() });
    let other = books.item(&keys::record("E", 9)).await.expect("a row");
    let key = AttributeValue::S("a".into());
    books.put(other.into_iter().chain([("uniqueKey".to_owned(), key)]).collect()).await;
    assert_eq!(books.reconcile().await.keys, []);
    books.delete(&sk).await;
    let oldest = KeyDrift { kind: "E".into(), stored: None, holder: Some(1) };
    assert_eq!(books.reconcile().await.keys, [oldest]);
}

/// With attributes set or removed.
fn with(mut item: Item, attributes: &[(&str, Option<i64>)]) -> Item {
    for (name, value) in attributes {
        match value {
            Some(value) => item.insert((*name).into(), AttributeValue::N(value.to_string())),
            None => item.remove(*name),
        };
    }
    item
}

fn lunch() -> Record {
    row(1, 950, "GBP", "food", 19)
}

fn tea() -> Record {
    row(9, 300, "GBP", "food", 20)
}

fn train() -> Record {
    row(3, 4_000, "EUR", "travel", 20)
}

fn taxi() -> Record {
    row(4, 800, "GBP", "taxi", 18)
}

/// In November.
fn row(id: u64, minor: i64, currency: &str, category: &str, day: i8) -> Record {
    Record { id, version: 1, draft: spent("something", minor, currency, category, date(2026, 11, day)) }
}

fn key(unit: &str, group: &str) -> RollupKey {
    let (kind, owner) = ("E".into(), USER.into());
    RollupKey { kind, owner, year: 2026, month: 11, unit: unit.into(), group: group.into() }
}

fn rollup(sum: i128, count: i64, days: &[(i8, i128, i64)]) -> Rollup {
    let days = days.iter().map(|(day, sum, count)| (*day, (*sum, *count))).collect();
    Rollup { sum, count, days, ..Rollup::default() }
}

fn drift(key: &RollupKey, stored: Option<Rollup>, recomputed: Option<Rollup>) -> Drift {
    Drift { key: SumKey::Month(key.clone()), stored, recomputed }
}
