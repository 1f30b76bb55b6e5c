//! The DynamoDB behaviour that the store relies on, case by case, on two independent emulators, so that a peculiarity
//! of one cannot become an assumption.

use std::{cmp::Reverse, collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use aws_sdk_dynamodb::types::{AttributeValue, KeySchemaElement, KeyType, ProjectionType, ScalarAttributeType};
use futures_util::future::join_all;
use jiff::{
    Timestamp,
    civil::{Date, date},
};
use sayso::{
    local::{EmbeddedDynamoDb, Storage},
    proposal::{
        Decision, Event, Fingerprint, HeaderCheck, LIFETIME, NameKey, Policy, Proposal, ProposalId, Receipt, Record,
        Refusal, Revision, Rollup, RollupKey, RowRef, State, StoreCall, Task, hash_json,
    },
    shown::{Changes, Shown, ShownRow},
    store::{
        Among, Bookkeeping, Claim, ClaimKey, Condition, Excerpt, GUARD_WINDOW, ListQuery, Page, Position, Settings,
        Store, StoreError, Turn, TurnContext, TurnOutcome, VectorItem, VectorKey, WaitingProposal, keys, table,
    },
};
use serde_json::{Value, json};

use crate::harness::{
    bench::{self, Bench, CONVERSATION, USER, after, create, delete, spent, update},
    moto::Moto,
    wire::{EVERYBODY, TENANT, Wire},
};

const TABLE: &str = "conformance";

/// Lists every case once, for both databases.
macro_rules! cases {
    ($($case:ident,)*) => {
        mod embedded {
            $(#[tokio::test]
            async fn $case() {
                let database = super::EmbeddedDynamoDb::start(super::Storage::Memory).expect("an embedded database");
                let service = super::Wire::watching(database.service(), stringify!($case));
                let store = super::Store::new(service, super::TABLE);
                super::table::create_if_absent(&store.client(), super::TABLE).await.expect("a table");
                super::$case(super::Bench::new(store, stringify!($case))).await;
            })*
        }

        #[tokio::test]
        async fn the_store_conforms_on_moto() {
            let moto = Moto::start();
            let store = |tenant| Store::new(Wire::watching(moto.service("dynamodb"), tenant), TABLE);
            table::create_if_absent(&store("nobody").client(), TABLE).await.expect("a table");
            let mut failed: Vec<String> = Vec::new();
            $(let bench = Bench::new(store(stringify!($case)), stringify!($case));
            failed.extend(failure(stringify!($case), $case(bench)).await);)*
            assert!(failed.is_empty(), "{}", failed.join("\n"));
        }
    };
}

cases![
    the_table_has_its_keys_and_indexes,
    a_proposal_is_read_back_completely,
    a_second_proposal_with_the_same_id_gets_the_header_of_the_first,
    an_approval_writes_everything_at_once,
    a_second_approval_gets_the_header_of_the_first,
    an_approval_with_another_fingerprint_writes_nothing,
    an_approval_is_valid_until_the_millisecond_of_expiry,
    an_approval_after_a_rejection_writes_nothing,
    a_rejection_is_stored_and_deletes_the_waiting_entry,
    a_revision_supersedes_the_old_proposal,
    a_changed_row_stops_the_transaction_and_is_returned,
    executing_at_once_is_one_transaction,
    the_same_content_within_minutes_is_stopped_by_its_guard,
    a_changed_row_moves_in_lists_and_rollups,
    a_deleted_row_leaves_rollups_of_zero,
    a_wrong_rollup_is_repaired_and_concurrent_writes_count,
    ids_are_consecutive_and_never_given_twice,
    a_message_is_claimed_once,
    a_claim_expires_only_after_its_lease,
    a_released_claim_is_free_and_an_answered_one_stays,
    what_an_earlier_attempt_sent_arrives_in_vain,
    a_conversation_starts_from_its_last_four_turns,
    a_sixth_waiting_proposal_displaces_the_oldest,
    a_large_waiting_proposal_is_read_by_itself,
    lists_are_bounded_inclusively_and_newest_first,
    pages_visit_every_row_once,
    lists_can_start_with_the_oldest,
    a_page_continues_after_a_deleted_row,
    rows_of_several_names_are_one_list,
    rows_of_one_owner_are_one_list,
    rows_of_some_days_are_one_list,
    conditions_filter_and_combine,
    days_flags_and_negations_are_conditions_too,
    a_scan_reads_every_row_as_an_excerpt,
    vectors_are_listed_like_their_records_and_found_by_the_sweeper,
    the_first_read_has_the_rollups_from_a_month_on,
    names_have_totals_by_owner_and_unit,
    no_name_can_forge_a_key,
    a_name_too_long_for_a_key_is_refused_completely,
    an_altered_chunk_is_never_shown_or_executed,
    a_proposal_whose_header_was_deleted_is_gone,
    an_unreadable_item_is_corrupt,
    settings_are_read_and_have_defaults,
    the_data_version_is_that_of_the_last_receipt,
    a_proposal_is_found_by_its_call,
];

async fn failure(name: &str, case: impl Future<Output = ()> + Send + 'static) -> Option<String> {
    tokio::spawn(case).await.err().map(|error| format!("{name}: {error}"))
}

async fn the_table_has_its_keys_and_indexes(bench: Bench) {
    let described = bench.store.client().describe_table().table_name(TABLE).send().await.unwrap().table.unwrap();
    let schema = |schema: &[KeySchemaElement]| -> Vec<(String, KeyType)> {
        schema.iter().map(|key| (key.attribute_name.clone(), key.key_type.clone())).collect()
    };
    let keys = |hash: &str, range: &str| vec![(hash.to_owned(), KeyType::Hash), (range.to_owned(), KeyType::Range)];
    assert_eq!(schema(described.key_schema()), keys("pk", "sk"));
    let locals = described.local_secondary_indexes().iter().map(|index| {
        let projection = index.projection().and_then(|projection| projection.projection_type.clone());
        (index.index_name().unwrap_or_default(), schema(index.key_schema()), projection)
    });
    let mut locals: Vec<_> = locals.collect();
    locals.sort_by_key(|(name, ..)| *name);
    let all = Some(ProjectionType::All);
    assert_eq!(locals, ["byName", "byOrder", "byOwner"].map(|name| (name, keys("pk", name), all.clone())));
    let globals = described.global_secondary_indexes().iter().map(|index| {
        let projection = index.projection().and_then(|projection| projection.projection_type.clone());
        (index.index_name().unwrap_or_default(), schema(index.key_schema()), projection)
    });
    let globals: Vec<_> = globals.collect();
    assert_eq!(globals, [("due", keys("dueShard", "dueAt"), Some(ProjectionType::KeysOnly))]);
    let attributes = described.attribute_definitions().iter();
    let attributes: BTreeMap<&str, _> =
        attributes.map(|attribute| (attribute.attribute_name(), attribute.attribute_type())).collect();
    let expected =
        ["byName", "byOrder", "byOwner", "dueAt", "dueShard", "pk", "sk"].map(|name| (name, &ScalarAttributeType::S));
    assert_eq!(attributes, BTreeMap::from(expected));
}

async fn a_proposal_is_read_back_completely(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap(), None);
    assert_eq!(bench.put(&shown).await, Event::Committed);
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap(), Some(shown.clone()));
    let load = StoreCall::Load(shown.header.id.clone());
    let loaded = bench.view().perform(load, &Bookkeeping::default()).await.unwrap();
    assert_eq!(loaded, Event::Loaded(Some(shown)));
}

async fn a_second_proposal_with_the_same_id_gets_the_header_of_the_first(bench: Bench) {
    let first = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&first).await;
    let before = bench.contents().await;
    let second = bench.proposal("lunch", vec![create(2, tea())], after(1));
    assert_eq!(bench.put(&second).await, refused_by(&first));
    let at_once = bench.commit_at_once(&second, after(2)).await;
    assert_eq!(at_once, refused_by(&first));
    assert_eq!(bench.contents().await, before);
}

async fn an_approval_writes_everything_at_once(bench: Bench) {
    let operations = vec![create(1, lunch()), create(2, tea()), create(3, train())];
    let shown = bench.proposal("three", operations, after(0));
    bench.put(&shown).await;
    assert_eq!(bench.context().await.waiting.len(), 1);
    assert_eq!(bench.claim(("m1", "yes"), 5).await, Claim::Fresh);
    let (key, turn, reply) = (claim_key("m1", "yes", 5), turn(5, "yes"), json!({ "answer": "done" }));
    let bookkeeping = Bookkeeping {
        turn: Some((prefix(), turn.clone())),
        claim: Some((key.clone(), Some(reply.clone()))),
        ..Bookkeeping::default()
    };
    assert_eq!(bench.commit_with(&shown, after(5), &bookkeeping).await, Event::Committed);

    let executed = executed(&shown, 5);
    let found = bench.view().proposal(&shown.header.id).await.unwrap();
    assert_eq!(found.as_ref(), Some(&executed));
    assert_eq!(found.as_ref().and_then(Receipt::of), Receipt::of(&executed));
    let rows = [(3, train()), (2, tea()), (1, lunch())].map(|(id, draft)| Record { id, version: 1, draft });
    assert_eq!(bench.rows().await, rows);
    assert_eq!(bench.view().record("E", 2).await.unwrap().as_ref(), Some(&rows[1]));
    let expected = BTreeMap::from([
        rollup(2026, 11, "GBP", "food", 1_250, 2, &[(19, 950, 1), (20, 300, 1)]),
        rollup(2026, 12, "EUR", "travel", 4_000, 1, &[(1, 4_000, 1)]),
    ]);
    assert_eq!(bench.rollups().await, expected);
    let context = TurnContext { turns: vec![turn], ..TurnContext::default() };
    assert_eq!(bench.context().await, context);
    assert_eq!(bench.view().claim(&key, after(6)).await.unwrap(), Claim::Answered(reply));
}

async fn a_second_approval_gets_the_header_of_the_first(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    assert_eq!(bench.commit(&shown, after(5)).await, Event::Committed);
    let before = bench.contents().await;
    let standing = Record { id: 1, version: 1, draft: lunch() };
    let refusal = Refusal {
        header: HeaderCheck::Failed(Some(executed(&shown, 5).header)),
        rows: vec![(0, Some(standing))],
        ..Refusal::default()
    };
    assert_eq!(bench.commit(&shown, after(7)).await, Event::Refused(refusal));
    assert_eq!(bench.contents().await, before);
}

async fn an_approval_with_another_fingerprint_writes_nothing(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    let before = bench.contents().await;
    let mut forged = shown.clone();
    forged.header.fingerprint = Fingerprint("0".repeat(64));
    assert_eq!(bench.commit(&forged, after(5)).await, refused_by(&shown));
    let mut unheard_of = shown.clone();
    unheard_of.header.id = ProposalId::random([7; 16]);
    let refusal = Refusal { header: HeaderCheck::Failed(None), ..Refusal::default() };
    assert_eq!(bench.commit(&unheard_of, after(5)).await, Event::Refused(refusal));
    assert_eq!(bench.contents().await, before);
}

async fn an_approval_is_valid_until_the_millisecond_of_expiry(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    let before = bench.contents().await;
    // The state machine would not ask for this, and the store must refuse it anyway.
    let mut believed = shown.clone();
    believed.header.expires_at += LIFETIME;
    let expiry = i64::try_from(LIFETIME.as_millis()).unwrap();
    for late in [expiry + 1, expiry] {
        assert_eq!(bench.commit(&believed, after(late)).await, refused_by(&shown));
    }
    assert_eq!(bench.contents().await, before);
    assert_eq!(bench.commit(&believed, after(expiry - 1)).await, Event::Committed);
}

async fn an_approval_after_a_rejection_writes_nothing(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    bench.reject(&shown, after(3)).await;
    let before = bench.contents().await;
    assert_eq!(bench.commit(&shown, after(5)).await, refused_by(&rejected(&shown, 3)));
    assert_eq!(bench.contents().await, before);
}

async fn a_rejection_is_stored_and_deletes_the_waiting_entry(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    assert_eq!(bench.reject(&shown, after(3)).await, Event::Committed);
    let rejected = rejected(&shown, 3);
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap().as_ref(), Some(&rejected));
    assert_eq!(bench.context().await, TurnContext::default());
    assert_eq!(bench.reject(&shown, after(4)).await, refused_by(&rejected));
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap(), Some(rejected));
}

async fn a_revision_supersedes_the_old_proposal(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    let mut revision = bench.proposal("lunch, revised", vec![create(1, tea())], after(3));
    revision.header.supersedes = Some(shown.header.id.clone());
    let decision = Decision::Revise(Revision { proposal: Box::new(revision.clone()), rest: [].into() });
    let task = Task::Decide { id: shown.header.id.clone(), fingerprint: None, decision };
    let call = bench::write(&bench.caller, after(3), task, Some(&shown));
    let bookkeeping = Bookkeeping { summary: "tea".into(), ..Bookkeeping::default() };
    assert_eq!(bench.view().perform(call.clone(), &bookkeeping).await.unwrap(), Event::Committed);

    let superseded = shown.with_state(State::Superseded { at: after(3), by: revision.header.id.clone() });
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap(), Some(superseded.clone()));
    assert_eq!(bench.view().proposal(&revision.header.id).await.unwrap(), Some(revision.clone()));
    assert_eq!(bench.context().await.waiting, [waiting(&revision, "tea")]);
    assert_eq!(bench.commit(&shown, after(4)).await, refused_by(&superseded));
    assert_eq!(bench.commit(&revision, after(5)).await, Event::Committed);
}

async fn a_changed_row_stops_the_transaction_and_is_returned(bench: Bench) {
    let rows = vec![create(1, lunch()), create(2, tea()), create(3, train())];
    bench.carry_out("rows", rows, after(0)).await;
    let row = |id: u64, draft| Record { id, version: 1, draft };
    let (first, second, third) = (row(1, lunch()), row(2, tea()), row(3, train()));
    let dearer = |row: &Record| Record { version: 2, draft: spent("dearer", 999, "GBP", "food", DAY), ..row.clone() };
    let operations = vec![
        update(&first, dearer(&first).draft),
        update(&second, dearer(&second).draft),
        delete(&third),
        create(4, tea()),
    ];
    let shown = bench.proposal("stale", operations, after(2));
    bench.put(&shown).await;
    bench.carry_out("meanwhile", vec![update(&second, lunch()), delete(&third)], after(3)).await;
    let before = bench.contents().await;
    let refusal =
        Refusal { rows: vec![(1, Some(Record { version: 2, ..row(2, lunch()) })), (2, None)], ..Refusal::default() };
    assert_eq!(bench.commit(&shown, after(5)).await, Event::Refused(refusal));
    assert_eq!(bench.contents().await, before);
}

async fn executing_at_once_is_one_transaction(bench: Bench) {
    let lunch_now = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    assert_eq!(bench.commit_at_once(&lunch_now, after(0)).await, Event::Committed);
    assert_eq!(bench.view().proposal(&lunch_now.header.id).await.unwrap(), Some(executed(&lunch_now, 0)));
    assert_eq!(bench.context().await, TurnContext::default());
    let row = Record { id: 1, version: 1, draft: lunch() };
    assert_eq!(bench.rows().await, std::slice::from_ref(&row));
    let expected = BTreeMap::from([rollup(2026, 11, "GBP", "food", 950, 1, &[(19, 950, 1)])]);
    assert_eq!(bench.rollups().await, expected);
    let before = bench.contents().await;
    let refusal = Refusal {
        header: HeaderCheck::Failed(Some(executed(&lunch_now, 0).header)),
        guard: true,
        rows: vec![(0, Some(row))],
        taken: vec![],
    };
    assert_eq!(bench.commit_at_once(&lunch_now, after(1)).await, Event::Refused(refusal));
    assert_eq!(bench.contents().await, before);
}

async fn the_same_content_within_minutes_is_stopped_by_its_guard(bench: Bench) {
    let named = |name: &str, id: u64, at: i64| bench.proposal(name, vec![create(id, lunch())], after(at));
    bench.commit_at_once(&named("first", 1, 0), after(0)).await;
    let before = bench.contents().await;
    let window = i64::try_from(GUARD_WINDOW.as_millis()).unwrap();
    for at in [0, 1, window] {
        let refusal = Refusal { guard: true, ..Refusal::default() };
        assert_eq!(bench.commit_at_once(&named("second", 2, at), after(at)).await, Event::Refused(refusal));
    }
    assert_eq!(bench.contents().await, before);
    // Other content is not affected, and neither is an approval.
    let other = bench.proposal("other", vec![create(3, tea())], after(1));
    assert_eq!(bench.commit_at_once(&other, after(1)).await, Event::Committed);
    bench.carry_out("approved", vec![create(4, lunch())], after(2)).await;
    let later = window + 1;
    assert_eq!(bench.commit_at_once(&named("second", 2, later), after(later)).await, Event::Committed);
    let again = later + window;
    let refusal = Refusal { guard: true, ..Refusal::default() };
    assert_eq!(bench.commit_at_once(&named("third", 5, again), after(again)).await, Event::Refused(refusal));
}

async fn a_changed_row_moves_in_lists_and_rollups(bench: Bench) {
    bench.carry_out("rows", vec![create(1, lunch()), create(2, tea())], after(0)).await;
    let before = Record { id: 1, version: 1, draft: lunch() };
    let moved = spent("lunch", 1_100, "EUR", "travel", date(2026, 12, 24));
    bench.carry_out("move", vec![update(&before, moved.clone())], after(1)).await;
    let moved = Record { id: 1, version: 2, draft: moved };
    let tea = Record { id: 2, version: 1, draft: tea() };
    assert_eq!(bench.rows().await, [moved.clone(), tea.clone()]);
    assert_eq!(bench.listed(date(2026, 11, 1), date(2026, 11, 30)).await, std::slice::from_ref(&tea));
    let expected = BTreeMap::from([
        rollup(2026, 11, "GBP", "food", 300, 1, &[(19, 0, 0), (20, 300, 1)]),
        rollup(2026, 12, "EUR", "travel", 1_100, 1, &[(24, 1_100, 1)]),
    ]);
    assert_eq!(bench.rollups().await, expected);

    let back = spent("lunch", 1_100, "EUR", "travel", date(2026, 12, 2));
    bench.carry_out("day", vec![update(&moved, back.clone())], after(2)).await;
    assert_eq!(bench.rows().await, [Record { id: 1, version: 3, draft: back }, tea]);
    let key = RollupKey {
        kind: "E".into(),
        owner: USER.into(),
        year: 2026,
        month: 12,
        unit: "EUR".into(),
        group: "travel".into(),
    };
    let expected = rollup(2026, 12, "EUR", "travel", 1_100, 1, &[(2, 1_100, 1), (24, 0, 0)]);
    assert_eq!(bench.rollups().await.get(&key), Some(&expected.1));
}

async fn a_deleted_row_leaves_rollups_of_zero(bench: Bench) {
    bench.carry_out("rows", vec![create(1, lunch()), create(2, tea())], after(0)).await;
    let rows = [(1, lunch()), (2, tea())].map(|(id, draft)| delete(&Record { id, version: 1, draft }));
    bench.carry_out("delete", rows.into(), after(1)).await;
    assert_eq!(bench.rows().await, []);
    assert_eq!(bench.view().record("E", 1).await.unwrap(), None);
    let expected = BTreeMap::from([rollup(2026, 11, "GBP", "food", 0, 0, &[(19, 0, 0), (20, 0, 0)])]);
    assert_eq!(bench.rollups().await, expected);
}

async fn a_wrong_rollup_is_repaired_and_concurrent_writes_count(bench: Bench) {
    let done = bench.carry_out("two", vec![create(1, lunch()), create(2, train())], after(0)).await;
    let month = |month, unit, group| keys::rollup(&rollup(2026, month, unit, group, 0, 0, &[]).0);
    let [food, travel] = &[month(11, "GBP", "food"), month(12, "EUR", "travel")];
    let right = bench.rollups().await;
    let stored = |contents: &BTreeMap<(String, String), bench::Item>, sk: &str| {
        contents.get(&(bench.partition(), sk.to_owned())).cloned().expect("a rollup")
    };
    let contents = bench.contents().await;
    let mut wrong = stored(&contents, food);
    wrong.insert("s19".into(), AttributeValue::N("-5".into()));
    bench.put_raw(wrong).await;
    bench.delete_raw(&(bench.partition(), travel.to_owned())).await;
    let found = bench.view().reconcile(after(20)).await.unwrap();
    assert_eq!((found.rows, found.rollups, found.drifts.len(), found.busy), (2, 3, 2, vec![]));
    assert_eq!(bench.rollups().await, right);
    let repaired = bench.contents().await;
    let v = |sk: &str| stored(&repaired, sk).remove("v");
    let counted = [after(0), after(20)].map(|began| began.as_millisecond());
    let counted = [counted[0] + 2, counted[1] + 1].map(|v| Some(AttributeValue::N(v.to_string())));
    assert_eq!([v(food), v(travel)], counted);
    let rows = done.body.changes.operations().iter().filter_map(|operation| operation.after());
    bench.carry_out("none", rows.map(delete).collect(), after(10)).await;
    let found = bench.view().reconcile(after(20)).await.unwrap();
    assert_eq!((found.rows, found.rollups, found.drifts, found.busy), (0, 4, vec![], vec![]));
}

async fn ids_are_consecutive_and_never_given_twice(bench: Bench) {
    let allocate = async |kind: &str, count| bench.view().allocate_ids(kind, count).await.unwrap();
    assert_eq!(allocate("E", 1).await, 1);
    assert_eq!(allocate("E", 3).await, 2);
    assert_eq!(allocate("E", 1).await, 5);
    assert_eq!(allocate("B", 2).await, 1);
    let mut firsts = join_all((0..20).map(|_| allocate("E", 2))).await;
    firsts.sort_unstable();
    assert_eq!(firsts, (0..20).map(|n| 6 + 2 * n).collect::<Vec<u64>>());
}

async fn a_message_is_claimed_once(bench: Bench) {
    let message = ("m1", "coffee 3.50");
    let claims = join_all((0..8).map(|n| bench.claim(message, n))).await;
    assert_eq!(claims.iter().filter(|claim| **claim == Claim::Fresh).count(), 1);
    assert_eq!(claims.iter().filter(|claim| **claim == Claim::Working).count(), 7);
    assert_eq!(bench.claim(("m1", "tea 2"), 9).await, Claim::Reused);
    assert_eq!(bench.claim(("m2", "tea 2"), 9).await, Claim::Fresh);
    let elsewhere = ClaimKey::new(USER, "hall", "m1", "coffee 3.50", "nonce9");
    assert_eq!(bench.view().claim(&elsewhere, after(9)).await.unwrap(), Claim::Fresh);
    let reply = json!({ "answer": "Add “coffee”?", "count": 1, "items": [null, 1.5] });
    for (n, claim) in (0..).zip(claims) {
        let concluded = bench.view().conclude(&answered_by(message, n, Some(reply.clone()))).await;
        assert_eq!(concluded.is_ok(), claim == Claim::Fresh, "{n}");
    }
    assert_eq!(bench.claim(message, 10).await, Claim::Answered(reply.clone()));
    assert_eq!(bench.claim(message, 3_600_000).await, Claim::Answered(reply));
    assert_eq!(bench.claim(("m1", "tea 2"), 10).await, Claim::Reused);
}

async fn a_claim_expires_only_after_its_lease(bench: Bench) {
    let lease = i64::try_from(Duration::from_secs(60).as_millis()).unwrap();
    let message = ("m1", "coffee 3.50");
    assert_eq!(bench.claim(message, 0).await, Claim::Fresh);
    // The SDK may have sent the same call twice.
    assert_eq!(bench.claim(message, 0).await, Claim::Fresh);
    assert_eq!(bench.claim(message, 1).await, Claim::Working);
    assert_eq!(bench.claim(message, lease).await, Claim::Working);
    assert_eq!(bench.claim(message, lease + 1).await, Claim::Fresh);
    assert_eq!(bench.claim(message, lease + 2).await, Claim::Working);
}

async fn a_released_claim_is_free_and_an_answered_one_stays(bench: Bench) {
    let message = ("m1", "coffee 3.50");
    let release = async |at| bench.view().release(&claim_key("m1", "coffee 3.50", at)).await.unwrap();
    release(0).await;
    assert_eq!(bench.claim(message, 0).await, Claim::Fresh);
    release(1).await;
    assert_eq!(bench.claim(message, 1).await, Claim::Working, "a claim is its own turn's to release");
    release(0).await;
    assert_eq!(bench.claim(message, 1).await, Claim::Fresh);
    bench.view().conclude(&answered_by(message, 1, Some(json!("done")))).await.unwrap();
    release(1).await;
    assert_eq!(bench.claim(message, 2).await, Claim::Answered(json!("done")));
}

async fn what_an_earlier_attempt_sent_arrives_in_vain(bench: Bench) {
    let lease = i64::try_from(Duration::from_secs(60).as_millis()).unwrap();
    let message = ("m1", "coffee 3.50");
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    assert_eq!(bench.claim(message, 0).await, Claim::Fresh);
    // While this attempt has the claim, it can write more than once, and the last reply is repeated.
    bench.view().conclude(&answered_by(message, 0, None)).await.unwrap();
    assert_eq!(bench.claim(message, lease + 1).await, Claim::Fresh);
    let arrives_in_vain = async || {
        let before = bench.contents().await;
        let earlier = answered_by(message, 0, Some(json!("added")));
        for call in [
            bench.approval(&shown, after(1)),
            StoreCall::Put { proposal: bench.proposal("tea", vec![create(2, tea())], after(1)), settles: None },
        ] {
            let result = bench.view().perform(call, &earlier).await;
            assert!(matches!(result, Err(StoreError::ClaimLost)), "{result:?}");
        }
        assert!(bench.view().conclude(&earlier).await.is_err());
        assert_eq!(bench.contents().await, before);
    };
    arrives_in_vain().await;
    bench.view().conclude(&answered_by(message, lease + 1, Some(json!("Which day?")))).await.unwrap();
    arrives_in_vain().await;
    assert_eq!(bench.claim(message, lease + 2).await, Claim::Answered(json!("Which day?")));
    // Its turn gave it up, or TTL deleted it.
    assert_eq!(bench.claim(("m2", "coffee 3.50"), 0).await, Claim::Fresh);
    bench.view().release(&claim_key("m2", "coffee 3.50", 0)).await.unwrap();
    assert!(bench.view().conclude(&answered_by(("m2", "coffee 3.50"), 0, Some(json!("added")))).await.is_err());
    assert_eq!(bench.claim(("m2", "coffee 3.50"), 1).await, Claim::Fresh);
}

async fn a_conversation_starts_from_its_last_four_turns(bench: Bench) {
    assert_eq!(bench.context().await, TurnContext::default());
    let id = ProposalId::random([3; 16]);
    let listed = TurnOutcome::AskedWhich { proposals: vec![id.clone()], approve: false };
    let turns = [
        turn(1, "one"),
        Turn { outcome: TurnOutcome::Asked, ..turn(20, "two") },
        Turn { outcome: TurnOutcome::ShowedProposal(id), ..turn(300, "three") },
        Turn { outcome: listed, ..turn(4_000, "") },
        turn(5_000, "five"),
        turn(60_000, "six"),
    ];
    for (seen, turn) in turns.iter().enumerate() {
        // A claim of the same conversation, and turns of another one, are not returned.
        assert_eq!(bench.claim((&turn.nonce, ""), 0).await, Claim::Fresh);
        let bookkeeping = Bookkeeping {
            turn: Some((prefix(), turn.clone())),
            claim: Some((claim_key(&turn.nonce, "", 0), Some(json!("done")))),
            ..Bookkeeping::default()
        };
        bench.view().conclude(&bookkeeping).await.unwrap();
        let other = (keys::conversation(USER, "kitchen#T"), turn.clone());
        bench.view().conclude(&Bookkeeping { turn: Some(other), ..Bookkeeping::default() }).await.unwrap();
        assert_eq!(bench.context().await.turns, turns[seen.saturating_sub(3)..=seen]);
    }
    let earlier = async |seen, count| bench.view().earlier_turns(USER, CONVERSATION, seen, count).await.unwrap();
    assert_eq!(earlier(4, 10).await, turns[..2]);
    assert_eq!(earlier(4, 1).await, turns[1..2]);
    assert_eq!(earlier(6, 10).await, []);
}

async fn a_large_waiting_proposal_is_read_by_itself(bench: Bench) {
    let rows = (1..=40).map(|id| create(id, lunch())).collect();
    let large = bench.proposal("large", rows, after(0));
    bench.put(&large).await;
    let context = bench.context().await;
    assert_eq!((context.waiting.len(), context.proposals), (1, vec![]));
    assert_eq!(bench.view().proposal(&large.header.id).await.unwrap(), Some(large));
}

async fn a_sixth_waiting_proposal_displaces_the_oldest(bench: Bench) {
    bench
        .view()
        .conclude(&Bookkeeping { turn: Some((prefix(), turn(0, "hello"))), ..Bookkeeping::default() })
        .await
        .unwrap();
    let mut shown: Vec<(Proposal, WaitingProposal)> = Vec::new();
    for n in 0..7 {
        let summary = format!("lunch {n}");
        let proposal = bench.proposal(&summary, vec![create(n + 1, lunch())], after(n.cast_signed()));
        let context = bench.context().await;
        let displaced = context.waiting.iter().take((context.waiting.len() + 1).saturating_sub(5)).cloned().collect();
        let bookkeeping = Bookkeeping { summary: summary.clone(), displaced, ..Bookkeeping::default() };
        assert_eq!(bench.put_with(&proposal, &bookkeeping).await, Event::Committed);
        shown.push((proposal.clone(), waiting(&proposal, &summary)));
        let (proposals, newest) = shown.iter().rev().take(5).rev().cloned().unzip();
        let turns = vec![turn(0, "hello")];
        let expected = TurnContext { turns, waiting: newest, proposals, ..TurnContext::default() };
        assert_eq!(bench.context().await, expected);
    }
    // A displaced proposal can still be decided by its id.
    assert_eq!(bench.commit(&shown[0].0, after(50)).await, Event::Committed);
}

async fn lists_are_bounded_inclusively_and_newest_first(bench: Bench) {
    let days = [(1, 9, 30), (2, 10, 1), (3, 10, 31), (4, 10, 31), (10, 10, 31), (5, 11, 1), (6, 10, 15)];
    let rows = days.map(|(id, month, day)| (id, spent("x", 1, "GBP", "food", date(2026, month, day))));
    bench.carry_out("rows", rows.into_iter().map(|(id, draft)| create(id, draft)).collect(), after(0)).await;
    let ids = async |from, to| bench.listed(from, to).await.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(date(2026, 10, 1), date(2026, 10, 31)).await, [10, 4, 3, 6, 2]);
    assert_eq!(ids(date(2026, 10, 31), date(2026, 10, 31)).await, [10, 4, 3]);
    assert_eq!(ids(date(2026, 10, 2), date(2026, 10, 30)).await, [6]);
    assert_eq!(ids(date(1, 1, 1), date(9999, 12, 31)).await, [5, 10, 4, 3, 6, 2, 1]);
    assert_eq!(ids(date(2026, 12, 1), date(2026, 12, 31)).await, [0; 0]);
}

async fn pages_visit_every_row_once(bench: Bench) {
    let rows = (1..=23).map(|id| create(id, spent(parity(id), 1, "GBP", "food", some_day(id))));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    let even = Condition::Equals("item", parity(0).into());
    for conditions in [vec![], vec![even]] {
        let whole = bench.list(&conditions, 100, None).await;
        let half = |row: &Record| conditions.is_empty() || row.id.is_multiple_of(2);
        assert_eq!(whole.records, bench.rows().await.into_iter().filter(half).collect::<Vec<_>>());
        assert_eq!((whole.next, whole.stopped_early), (None, false));
        let count = whole.records.len();
        for limit in [1, 2, 7, count, count + 1] {
            let (mut seen, mut next, mut pages) = (Vec::new(), None, 0);
            loop {
                let page = bench.list(&conditions, limit, next).await;
                assert!(page.records.len() <= limit && !page.stopped_early);
                (seen, pages) = ([seen, page.records].concat(), pages + 1);
                next = page.next;
                if next.is_none() {
                    break;
                }
            }
            assert_eq!((seen, pages), (whole.records.clone(), count.div_ceil(limit)), "{limit} a page");
        }
    }
}

async fn lists_can_start_with_the_oldest(bench: Bench) {
    let rows = (1..=23).map(|id| create(id, spent(parity(id), 1, "GBP", "food", some_day(id))));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    let mut expected = bench.rows().await;
    expected.reverse();
    let (mut seen, mut next) = (Vec::new(), None);
    loop {
        let page = bench.view().list(&ListQuery { oldest_first: true, ..query(&[], 7, next) }).await.unwrap();
        (seen, next) = ([seen, page.records].concat(), page.next);
        if next.is_none() {
            break;
        }
    }
    assert_eq!(seen, expected);
}

async fn a_page_continues_after_a_deleted_row(bench: Bench) {
    let rows = (1..=5).map(|id| create(id, spent("x", 1, "GBP", "food", DAY)));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    let first = bench.list(&[], 2, None).await;
    assert_eq!(first.records.iter().map(|row| row.id).collect::<Vec<_>>(), [5, 4]);
    bench.carry_out("gone", vec![delete(&first.records[1])], after(1)).await;
    let second = bench.list(&[], 2, first.next).await;
    assert_eq!(second.records.iter().map(|row| row.id).collect::<Vec<_>>(), [3, 2]);
}

async fn rows_of_several_names_are_one_list(bench: Bench) {
    let long = "é".repeat(300);
    let names = ["tea", "tea cake", "🍕#~", long.as_str(), "steak"];
    let rows = (1..=24_u64)
        .map(|id| create(id, spent(names[usize::try_from(id).unwrap() % 5], 1, "GBP", "food", some_day(id))));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    let all = bench.rows().await;
    let of = |some: &[&str]| -> Vec<String> { some.iter().map(|name| (*name).to_owned()).collect() };
    for some in [of(&["tea"]), of(&["tea", "tea cake", "🍕#~"]), of(&[&long, "none"]), of(&[])] {
        for (oldest_first, conditions) in [(false, vec![]), (true, vec![Condition::AtLeast("minor", 1)])] {
            let named = |row: &&Record| row.draft.name.as_ref().is_some_and(|name| some.contains(name));
            let mut expected: Vec<Record> = all.iter().filter(named).cloned().collect();
            if oldest_first {
                expected.reverse();
            }
            for limit in [1, 3, 100] {
                let (mut seen, mut next) = (Vec::new(), None);
                loop {
                    let whole = query(&conditions, limit, next);
                    let page = bench
                        .view()
                        .list(&ListQuery { among: Among::Names(&some), oldest_first, ..whole })
                        .await
                        .unwrap();
                    assert!(page.records.len() <= limit && !page.stopped_early);
                    (seen, next) = ([seen, page.records].concat(), page.next);
                    if next.is_none() {
                        break;
                    }
                }
                assert_eq!(seen, expected, "{some:?}, {limit} a page");
            }
            let mut ids = Vec::new();
            let whole = ListQuery { among: Among::Names(&some), ..query(&conditions, 0, None) };
            assert!(bench.view().each(&whole, &mut |row: Excerpt| ids.push(row.id)).await.unwrap());
            ids.sort_unstable();
            expected.sort_by_key(|row| row.id);
            assert_eq!(ids, expected.iter().map(|row| row.id).collect::<Vec<_>>());
        }
    }
    let word = |word: &str| Condition::HasWord(vec![word.into()]);
    let cakes = bench.list(&[word("tea"), Condition::Not(Box::new(word("cake")))], 100, None).await.records;
    assert!(!cakes.is_empty() && cakes.iter().all(|row| row.draft.name.as_deref() == Some("tea")));
}

async fn rows_of_one_owner_are_one_list(bench: Bench) {
    // One begins like another, and one has a separator.
    let owners = ["ann", "anna", "b#ü%", USER];
    let draft = |id: u64| {
        let owner = owners[usize::try_from(id).unwrap() % owners.len()].to_owned();
        sayso::proposal::Draft { owner, ..spent(parity(id / 4), 1, "GBP", "food", some_day(id)) }
    };
    // Nobody writes rows of others, so they are imported.
    let rows: Vec<Record> = (1..=40).map(|id| Record { id, version: 1, draft: draft(id) }).collect();
    bench.view().import(&rows).await.unwrap();
    // Some get another owner, some another day, some both.
    let changed = rows.iter().filter(|row| row.id % 5 < 3).map(|row| {
        let (owner, date) = (draft(row.id + row.id % 5).owner, some_day(row.id + (row.id % 5) / 2));
        Record { version: 2, draft: sayso::proposal::Draft { owner, date, ..row.draft.clone() }, ..row.clone() }
    });
    bench.view().import(&changed.collect::<Vec<_>>()).await.unwrap();
    let all = bench.rows().await;
    let (from, to) = (date(2026, 2, 3), date(2026, 4, 20));
    let spans = [(date(2026, 4, 1), to), (from, date(2026, 2, 20))];
    let even = Condition::Equals("item", parity(0).into());
    for owner in owners.into_iter().chain(["an"]) {
        let own = Condition::OwnedBy(owner.into());
        for (oldest_first, conditions) in [(false, vec![own.clone()]), (true, vec![even.clone(), own])] {
            for days in [None, Some(spans)] {
                let mut spans = days.unwrap_or_default();
                if oldest_first {
                    spans.reverse();
                }
                let among = if days.is_some() { Among::Days(&spans) } else { Among::All };
                let is_within = |day: Date, (from, to): (Date, Date)| from <= day && day <= to;
                let is_listed = |row: &&Record| {
                    let day = row.draft.date;
                    row.draft.owner == owner
                        && is_within(day, (from, to))
                        && days.is_none_or(|days| days.into_iter().any(|days| is_within(day, days)))
                        && (conditions.len() == 1 || row.draft.name.as_deref() == Some(parity(0)))
                };
                let mut expected: Vec<Record> = all.iter().filter(is_listed).cloned().collect();
                if oldest_first {
                    expected.reverse();
                }
                for limit in [1, 3, 100] {
                    let (mut seen, mut next) = (Vec::new(), None);
                    loop {
                        let whole = query(&conditions, limit, next);
                        let asked = ListQuery { among, from, to, oldest_first, ..whole };
                        let page = bench.view().list(&asked).await.unwrap();
                        assert!(page.records.len() <= limit && !page.stopped_early);
                        (seen, next) = ([seen, page.records].concat(), page.next);
                        if next.is_none() || days.is_some() {
                            break;
                        }
                    }
                    let expected = if days.is_some() { &expected[..limit.min(expected.len())] } else { &expected };
                    assert_eq!(seen, expected, "{owner}, {limit} a page");
                }
                let mut ids = Vec::new();
                let whole = ListQuery { among, from, to, oldest_first, ..query(&conditions, 0, None) };
                assert!(bench.view().each(&whole, &mut |row: Excerpt| ids.push(row.id)).await.unwrap());
                ids.sort_unstable();
                expected.sort_by_key(|row| row.id);
                assert_eq!(ids, expected.iter().map(|row| row.id).collect::<Vec<_>>());
            }
        }
    }
}

async fn rows_of_some_days_are_one_list(bench: Bench) {
    let day = |id: u64| date(2026, 3, i8::try_from(id).unwrap());
    let rows = (1..=28_u64).map(|id| create(id, spent(parity(id), 1, "GBP", "food", day(id))));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    // More spans than are read at the same time.
    let spans: Vec<(Date, Date)> = (1..=19).map(|n| (day(n), day(n))).chain([(day(21), day(24))]).collect();
    let wanted: Vec<u64> = (1..=19).chain(21..=24).collect();
    for (oldest_first, limit) in [(true, 4), (false, 5), (true, 100), (false, 100)] {
        let (mut spans, mut wanted) = (spans.clone(), wanted.clone());
        if !oldest_first {
            spans.reverse();
            wanted.reverse();
        }
        let (mut seen, mut next) = (Vec::new(), None);
        loop {
            let ahead =
                |day: Date| next.is_none_or(|at: Position| if oldest_first { day >= at.date } else { day <= at.date });
            let spans: Vec<(Date, Date)> =
                spans.iter().filter(|(from, to)| ahead(*from) || ahead(*to)).copied().collect();
            let query = ListQuery { among: Among::Days(&spans), oldest_first, ..query(&[], limit, next) };
            let page = bench.view().list(&query).await.unwrap();
            seen.extend(page.records.iter().map(|row| row.id));
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        assert_eq!(seen, wanted, "{limit} a page");
    }
}

async fn conditions_filter_and_combine(bench: Bench) {
    let drafts = [("green tea", 300), ("steak", 2_000), ("tea", 250), ("iced tea", 301)];
    let rows = (1..).zip(drafts).map(|(id, (item, minor))| create(id, spent(item, minor, "GBP", "food", DAY)));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    let ids = async |conditions: &[Condition]| {
        bench.list(conditions, 100, None).await.records.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&[Condition::Equals("item", "tea".into())]).await, [3]);
    assert_eq!(ids(&[Condition::Contains("item", vec![" tea".into()])]).await, [4, 1]);
    assert_eq!(ids(&[Condition::AtLeast("minor", 300)]).await, [4, 2, 1]);
    assert_eq!(ids(&[Condition::AtMost("minor", 300)]).await, [3, 1]);
    assert_eq!(ids(&[Condition::AtLeast("minor", 300), Condition::AtMost("minor", 301)]).await, [4, 1]);
    let like = spent("steak", 2_000, "GBP", "", DAY).duplicate_key.unwrap();
    assert_eq!(ids(&[Condition::DuplicateOf(like)]).await, [2]);
    let both = [Condition::Contains("item", vec!["tea".into()]), Condition::AtMost("minor", 299)];
    assert_eq!(ids(&both).await, [3]);
    assert_eq!(ids(&[Condition::Equals("no such field", "tea".into())]).await, [0; 0]);
    let mut noted = spent("cake", 400, "GBP", "food", DAY);
    noted.body.insert("notes".into(), json!("for Ana"));
    bench.carry_out("noted", vec![create(5, noted)], after(1)).await;
    assert_eq!(ids(&[Condition::Present("notes")]).await, [5]);
    assert_eq!(ids(&[Condition::Absent("notes"), Condition::AtMost("minor", 300)]).await, [3, 1]);
    let in_group = |field, list, groups: &[&str]| {
        let groups = groups.iter().map(|group| (*group).to_owned()).collect();
        Condition::InGroup { field, list, none: "-", groups }
    };
    let one_of = |field, groups: &[&str]| in_group(field, "no such list", groups);
    assert_eq!(ids(&[one_of("item", &["tea", "cake"])]).await, [5, 3]);
    assert_eq!(ids(&[one_of("notes", &["for Ana", "-"]), Condition::AtLeast("minor", 400)]).await, [5, 2]);
    assert_eq!(ids(&[one_of("notes", &["-"]), one_of("item", &["cake", "steak"])]).await, [2]);
    let mut of_two = spent("market", 900, "GBP", "food", DAY);
    of_two.body.insert("sorts".into(), json!(["fish", "tea leaves"]));
    bench.carry_out("of two", vec![create(6, of_two)], after(2)).await;
    let among = |groups: &[&str]| in_group("item", "sorts", groups);
    assert_eq!(ids(&[among(&["fish"])]).await, [6]);
    assert_eq!(ids(&[among(&["tea leaves", "cake"])]).await, [6, 5]);
    // A part of a value does not match.
    assert_eq!(ids(&[among(&["leaves"])]).await, [0; 0]);
    let neither = in_group("notes", "sorts", &["-"]);
    assert_eq!(ids(&[neither.clone(), Condition::AtLeast("minor", 400)]).await, [2]);
    assert_eq!(ids(&[neither, Condition::Equals("item", "market".into())]).await, [0; 0]);
}

async fn days_flags_and_negations_are_conditions_too(bench: Bench) {
    let bodies = [
        json!({ "due": "2026-11-19", "done": false, "status": "todo" }),
        json!({ "due": "2026-11-20", "done": true, "status": "completed" }),
        json!({ "due": "2027-01-01", "status": "in_progress" }),
        json!({ "done": false }),
    ];
    let rows = (1..).zip(bodies).map(|(id, fields)| {
        let mut draft = spent("x", 1, "GBP", "food", DAY);
        draft.body.extend(fields.as_object().expect("fields").clone());
        create(id, draft)
    });
    bench.carry_out("rows", rows.collect(), after(0)).await;
    let ids = async |conditions: &[Condition]| {
        bench.list(conditions, 100, None).await.records.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let not = |condition| Condition::Not(Box::new(condition));
    let among = |choices: &[&str]| Condition::In("status", choices.iter().map(|choice| (*choice).into()).collect());
    assert_eq!(ids(&[Condition::From("due", date(2026, 11, 20))]).await, [3, 2]);
    assert_eq!(ids(&[Condition::Until("due", date(2026, 11, 20))]).await, [2, 1]);
    let day = [Condition::From("due", date(2026, 11, 20)), Condition::Until("due", date(2026, 11, 20))];
    assert_eq!(ids(&day).await, [2]);
    assert_eq!(ids(&[Condition::Is("done", false)]).await, [4, 1]);
    assert_eq!(ids(&[Condition::Is("done", true)]).await, [2]);
    assert_eq!(ids(&[among(&["todo", "in_progress"])]).await, [3, 1]);
    assert_eq!(ids(&[not(among(&["todo", "in_progress"]))]).await, [4, 2]);
    assert_eq!(ids(&[not(Condition::Equals("status", "completed".into())), Condition::Present("due")]).await, [3, 1]);
    let (list, groups) = ("no such list", vec!["-".to_owned()]);
    let none = Condition::InGroup { field: "status", list, none: "-", groups };
    assert_eq!(ids(&[not(none)]).await, [3, 2, 1]);
}

async fn a_scan_reads_every_row_as_an_excerpt(bench: Bench) {
    let rows = (1..=9).map(|id| create(id, spent(parity(id), 1, "GBP", "food", some_day(id))));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    for conditions in [vec![], vec![Condition::Equals("item", parity(0).into())]] {
        let mut seen = Vec::new();
        let all = bench.view().each(&query(&conditions, 0, None), &mut |excerpt: Excerpt| seen.push(excerpt)).await;
        let rows = bench.list(&conditions, 100, None).await.records.into_iter();
        let rows: Vec<Excerpt> = rows
            .map(|row| {
                let sayso::proposal::Draft { owner, date, name, body, .. } = row.draft;
                Excerpt { id: row.id, version: row.version, owner, date, name, body }
            })
            .collect();
        assert_eq!((all.unwrap(), seen), (true, rows));
    }
    let even = |row: &Record| row.id.is_multiple_of(2);
    let first = bench.view().list_where(&query(&[], 2, None), &even).await.unwrap();
    let next = bench.view().list_where(&query(&[], 2, first.next), &even).await.unwrap();
    let kept = [first.records, next.records].concat();
    assert_eq!(kept, bench.rows().await.into_iter().filter(even).collect::<Vec<_>>());
    assert_eq!((kept.len(), next.next), (4, None));
}

async fn vectors_are_listed_like_their_records_and_found_by_the_sweeper(bench: Bench) {
    let item = |id: u64, version, space: &str| VectorItem {
        key: VectorKey { position: Position { date: some_day(id), id }, version, space: space.into() },
        bytes: vec![u8::try_from(id).unwrap(), 0, 255],
    };
    // More than a batch takes.
    let all: Vec<VectorItem> = (1..=30).map(|id| item(id, 1, "one")).collect();
    bench.view().put_vectors("E", &all).await.unwrap();
    bench.view().put_vectors("E", &[item(7, 2, "one"), item(8, 1, "other")]).await.unwrap();
    let mut expected = all;
    (expected[6], expected[7]) = (item(7, 2, "one"), item(8, 1, "other"));
    expected.sort_by_key(|item| Reverse((item.key.position.date, item.key.position.id)));
    let keys: Vec<VectorKey> = expected.iter().map(|item| item.key.clone()).collect();
    assert_eq!(bench.view().vector_keys("E", None, None).await.unwrap(), keys);
    let (after, up_to) = (keys[3].position, keys[9].position);
    assert_eq!(bench.view().vector_keys("E", Some(after), Some(up_to)).await.unwrap(), keys[4..=9]);
    assert_eq!(bench.view().vector_keys("E", Some(keys[29].position), None).await.unwrap(), []);

    let (from, to) = (date(2026, 2, 1), date(2026, 4, 1));
    let mut seen = Vec::new();
    let mut read = |key, bytes: &[u8]| seen.push(VectorItem { key, bytes: bytes.to_vec() });
    assert!(bench.view().each_vector("E", (from, to), "one", &mut read).await.unwrap());
    expected.retain(|item| item.key.space == "one" && (from..=to).contains(&item.key.position.date));
    assert_eq!(seen, expected);

    bench.view().delete_vectors("E", &keys[..28].iter().map(|key| key.position).collect::<Vec<_>>()).await.unwrap();
    assert_eq!(bench.view().vector_keys("E", None, None).await.unwrap(), keys[28..]);

    let wanted = async |at| {
        let found = bench.store.vectors_wanted(Timestamp::from_second(at).unwrap());
        TENANT.scope(EVERYBODY.into(), found).await.unwrap()
    };
    bench.view().want_vectors(Timestamp::from_second(100).unwrap()).await.unwrap();
    assert_eq!(wanted(99).await, []);
    assert_eq!(wanted(100).await.len(), 1);
    let request = async || bench.view().wanted_vectors().await.unwrap().unwrap();
    let first = request().await;
    let reached = keys[20].position;
    bench.view().vectors_reached("E", reached).await.unwrap();
    bench.view().want_vectors(Timestamp::from_second(101).unwrap()).await.unwrap();
    assert_eq!(request().await.cursor, Some(("E".into(), reached)), "work that has begun goes on");
    bench.view().postpone_vectors(&first, Timestamp::from_second(900).unwrap()).await.unwrap();
    assert_eq!(wanted(101).await.len(), 1, "asked for by somebody else since");
    bench.view().vectors_filled(&first).await.unwrap();
    assert_eq!((wanted(101).await.len(), request().await.cursor), (1, None), "it begins again");
    let second = request().await;
    bench.view().postpone_vectors(&second, Timestamp::from_second(900).unwrap()).await.unwrap();
    assert_eq!((wanted(899).await.len(), wanted(900).await.len()), (0, 1));
    bench.view().vectors_filled(&second).await.unwrap();
    assert_eq!(bench.view().wanted_vectors().await.unwrap(), None);
    assert_eq!(wanted(900).await, []);
}

async fn the_first_read_has_the_rollups_from_a_month_on(bench: Bench) {
    let day = |month, day| date(2026, month, day);
    let rows = vec![
        create(1, spent("old", 9, "GBP", "gone", day(9, 30))),
        create(2, spent("tea", 250, "GBP", "food", day(10, 9))),
        create(3, spent("bus", 280, "GBP", "transport", day(11, 3))),
        create(4, spent("tea", 300, "GBP", "food", day(12, 30))),
    ];
    bench.carry_out("rows", rows, after(0)).await;
    let months = |context: TurnContext| context.rollups.into_keys().map(|key| key.month).collect::<Vec<_>>();
    let read = async |from| months(bench.view().turn_context(USER, CONVERSATION, from).await.unwrap());
    assert_eq!(read(Some(day(10, 31))).await, [10, 11, 12]);
    assert_eq!(read(None).await, [0; 0]);
}

async fn names_have_totals_by_owner_and_unit(bench: Bench) {
    let anna = |mut draft: sayso::proposal::Draft| {
        draft.owner = "anna".into();
        draft
    };
    let long = "x".repeat(300);
    let rows = vec![
        create(1, spent("tea", 250, "GBP", "food", DAY)),
        create(2, spent("tea", 300, "GBP", "food", date(2025, 1, 1))),
        create(3, spent("tea", 400, "EUR", "food", DAY)),
        create(5, spent(&long, 100, "GBP", "food", DAY)),
        create(6, spent("gone", 100, "GBP", "food", DAY)),
    ];
    bench.carry_out("rows", rows, after(0)).await;
    let theirs = Record { id: 4, version: 1, draft: anna(spent("tea", 900, "GBP", "food", DAY)) };
    bench.view().import(&[theirs]).await.unwrap();
    let rows = bench.rows().await;
    let row = |id: u64| rows.iter().find(|row| row.id == id).unwrap();
    let mut renamed = row(3).draft.clone();
    renamed.name = Some("té".into());
    let changes = vec![delete(row(6)), update(row(3), renamed)];
    bench.carry_out("changes", changes, after(1)).await;
    let total = |owner: &str, name: &str, unit: &str, sum: i128, count: i64| {
        let key = NameKey { kind: "E".into(), owner: owner.into(), name: name.into(), unit: unit.into() };
        (key, Rollup { sum, count, ..Rollup::default() })
    };
    let own = [total(USER, "tea", "GBP", 550, 2), total(USER, "té", "EUR", 400, 1), total(USER, &long, "GBP", 100, 1)];
    let all = own.clone().into_iter().chain([total("anna", "tea", "GBP", 900, 1)]);
    assert_eq!(bench.view().names("E", Some(USER)).await.unwrap(), own.clone().into());
    assert_eq!(bench.view().names("E", None).await.unwrap(), all.collect());
}

async fn no_name_can_forge_a_key(bench: Bench) {
    let names =
        ["food", "a#b", "a", "b#c", "a%23b", "%", "L#2026-11", "~", "", " ", "żółć", "🍜🍜", "A", "a/b.c-d_e", "\u{0}"];
    let rows = (1..).zip(names).map(|(id, name)| create(id, spent("x", 10, "GBP", name, DAY)));
    bench.carry_out("rows", rows.collect(), after(0)).await;
    // A unit whose end looks like the start of a group.
    let units = vec![
        create(100, spent("x", 10, "GBP#a", "b", DAY)),
        create(101, spent("x", 10, "GBP", "a#b#", DAY)),
        create(102, spent("x", 10, "", "GBP#a", DAY)),
    ];
    bench.carry_out("units", units, after(1)).await;
    let pairs = names.map(|name| ("GBP", name)).into_iter().chain([("GBP#a", "b"), ("GBP", "a#b#"), ("", "GBP#a")]);
    let expected: BTreeMap<_, _> =
        pairs.map(|(unit, group)| rollup(2026, 11, unit, group, 10, 1, &[(20, 10, 1)])).collect();
    assert_eq!(expected.len(), names.len() + 3);
    assert_eq!(bench.rollups().await, expected);

    let people = [("a", "b"), ("a#b", "c"), ("a", "b#c"), ("a%23b", "c"), ("a", "b#T"), ("a", "b#"), ("ą", "🍜")];
    let said = |n: usize| turn(0, people[n].1);
    for (n, (user, conversation)) in people.into_iter().enumerate() {
        let kept = Some((keys::conversation(user, conversation), said(n)));
        bench.view().conclude(&Bookkeeping { turn: kept, ..Bookkeeping::default() }).await.unwrap();
    }
    for (n, (user, conversation)) in people.into_iter().enumerate() {
        let context = bench.view().turn_context(user, conversation, None).await.unwrap();
        assert_eq!(context, TurnContext { turns: vec![said(n)], ..TurnContext::default() }, "{user} {conversation}");
    }
}

async fn a_name_too_long_for_a_key_is_refused_completely(bench: Bench) {
    let longest = "x".repeat(1_024 - format!("L#2026-11#E#{USER}#GBP#").len());
    bench.carry_out("longest", vec![create(1, spent("x", 10, "GBP", &longest, DAY))], after(0)).await;
    let before = bench.contents().await;
    let at_once = |name: &str| {
        let proposal = bench.proposal("longer", vec![create(2, spent("y", 10, "GBP", name, DAY))], after(1));
        let task = Task::Submit { proposal, rest: [].into(), policy: Policy::Never };
        bench::write(&bench.caller, after(1), task, None)
    };
    for name in [format!("{longest}x"), "x".repeat(1_025), "#".repeat(400)] {
        let result = bench.view().perform(at_once(&name), &Bookkeeping::default()).await;
        assert!(matches!(result, Err(StoreError::Refused(_))), "{result:?}");
    }
    assert_eq!(bench.contents().await, before);
}

async fn an_altered_chunk_is_never_shown_or_executed(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    let chunk = (format!("{}#P", bench.partition()), keys::first_chunk(&shown.header.id));
    let intact = bench.contents().await[&chunk].clone();
    let body = bench::text(&intact, "body");
    for altered in [body.replace("950", "951"), body.replace("\"ann\"", "\"bob\""), body.replace('{', ""), "[]".into()]
    {
        let mut item = intact.clone();
        item.insert("body".into(), AttributeValue::S(altered));
        bench.put_raw(item).await;
        assert_corrupt(&bench.view().proposal(&shown.header.id).await);
    }
    bench.delete_raw(&chunk).await;
    // TTL may delete it before its header.
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap(), None);
    // A request that read it before the loss does not execute it either.
    let before = bench.contents().await;
    let refusal = Refusal { header: HeaderCheck::Failed(None), ..Refusal::default() };
    assert_eq!(bench.commit(&shown, after(1)).await, Event::Refused(refusal));
    assert_eq!(bench.contents().await, before);
}

async fn a_proposal_whose_header_was_deleted_is_gone(bench: Bench) {
    let shown = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    bench.put(&shown).await;
    bench.delete_raw(&(format!("{}#P", bench.partition()), keys::header(&shown.header.id))).await;
    assert_eq!(bench.view().proposal(&shown.header.id).await.unwrap(), None);
    let refusal = Refusal { header: HeaderCheck::Failed(None), ..Refusal::default() };
    assert_eq!(bench.commit(&shown, after(1)).await, Event::Refused(refusal));
}

async fn an_unreadable_item_is_corrupt(bench: Bench) {
    let shown = bench.carry_out("lunch", vec![create(1, lunch())], after(0)).await;
    let contents = bench.contents().await;
    let header = &contents[&(format!("{}#P", bench.partition()), keys::header(&shown.header.id))];
    let row = &contents[&(bench.partition(), keys::record("E", 1))];
    let alterations = [
        ("schema", AttributeValue::N("2".into())),
        ("state", AttributeValue::S("PAID".into())),
        ("proposal", AttributeValue::S("nobody's".into())),
        ("expiresAt", AttributeValue::S("tomorrow".into())),
        ("expiresAt", AttributeValue::N("99999999999999999".into())),
    ];
    for (name, value) in alterations {
        let mut altered = header.clone();
        altered.insert(name.into(), value);
        bench.put_raw(altered).await;
        assert_corrupt(&bench.view().proposal(&shown.header.id).await);
    }
    let mut altered = row.clone();
    altered.insert("date".into(), AttributeValue::S("2026-02-30".into()));
    bench.put_raw(altered).await;
    assert_corrupt(&bench.view().record("E", 1).await);
    assert_corrupt(&bench.view().list(&query(&[], 1, None)).await);
}

async fn settings_are_read_and_have_defaults(bench: Bench) {
    assert_eq!(bench.view().settings().await.unwrap(), Settings::default());
    let text = |value: &str| AttributeValue::S(value.into());
    let key = [("pk", text(&bench.partition())), ("sk", text("META"))];
    let set = [("timezone", text("Europe/Warsaw")), ("policy", text("never"))];
    let item = key.into_iter().chain(set).map(|(name, value)| (name.to_owned(), value));
    bench.put_raw(item.collect()).await;
    let settings = Settings { timezone: Some("Europe/Warsaw".into()), policy: Some(Policy::Never), runs: vec![] };
    assert_eq!(bench.view().settings().await.unwrap(), settings);
    assert_eq!(bench.context().await, TurnContext { settings, ..TurnContext::default() });
}

async fn the_data_version_is_that_of_the_last_receipt(bench: Bench) {
    let version = async || bench.view().last_data_version().await.unwrap();
    let expected = |proposal: &Proposal| Receipt::of(proposal).map(|receipt| receipt.data_version);
    assert_eq!(version().await, None);
    let rejected = bench.proposal("rejected", vec![create(9, tea())], after(0));
    bench.put(&rejected).await;
    assert_eq!(version().await, None);
    let late = bench.carry_out("late", vec![create(1, lunch())], after(1_000)).await;
    assert_eq!(version().await, expected(&late));
    bench.reject(&rejected, after(2_000)).await;
    bench.carry_out("early", vec![create(2, tea())], after(500)).await;
    assert_eq!(version().await, expected(&late));
    let latest = bench.proposal("latest", vec![create(3, train())], after(3_000));
    bench.commit_at_once(&latest, after(3_000)).await;
    assert_eq!(version().await, expected(&executed(&latest, 3_000)));
}

async fn a_proposal_is_found_by_its_call(bench: Bench) {
    let first = bench.proposal("lunch", vec![create(1, lunch())], after(0));
    let hash = hash_json(&first.body.call);
    let find = async |user: &str| bench.view().proposal_by_arguments(user, &hash).await.unwrap();
    assert_eq!(find(USER).await, None);
    bench.put(&first).await;
    assert_eq!(find(USER).await, Some(first.header.id.clone()));
    assert_eq!(find("bob").await, None);
    let mut second = bench.proposal("again", vec![create(2, lunch())], after(1));
    Arc::make_mut(&mut second.body).call = first.body.call.clone();
    bench.put(&second).await;
    assert_eq!(find(USER).await, Some(second.header.id));
}

impl Bench {
    async fn context(&self) -> TurnContext {
        self.view().turn_context(USER, CONVERSATION, None).await.expect("the store answers")
    }

    async fn claim(&self, (message, payload): (&str, &str), at: i64) -> Claim {
        self.view().claim(&claim_key(message, payload, at), after(at)).await.expect("the store answers")
    }

    async fn rollups(&self) -> BTreeMap<RollupKey, Rollup> {
        self.view().rollups("E", date(2026, 1, 1), date(2027, 1, 1)).await.expect("the store answers")
    }

    async fn rows(&self) -> Vec<Record> {
        self.list(&[], 1_000, None).await.records
    }

    async fn listed(&self, from: Date, to: Date) -> Vec<Record> {
        let query = ListQuery { from, to, ..query(&[], 1_000, None) };
        self.view().list(&query).await.expect("the store answers").records
    }

    async fn list(&self, conditions: &[Condition], limit: usize, after: Option<Position>) -> Page {
        self.view().list(&query(conditions, limit, after)).await.expect("the store answers")
    }

    async fn delete_raw(&self, (pk, sk): &(String, String)) {
        let delete = self.store.client().delete_item().table_name(TABLE);
        let delete = delete.key("pk", AttributeValue::S(pk.clone())).key("sk", AttributeValue::S(sk.clone()));
        delete.send().await.unwrap();
    }

    async fn put_raw(&self, item: bench::Item) {
        self.store.client().put_item().table_name(TABLE).set_item(Some(item)).send().await.expect("the store answers");
    }
}

const DAY: Date = date(2026, 11, 20);

fn lunch() -> sayso::proposal::Draft {
    spent("lunch", 950, "GBP", "food", date(2026, 11, 19))
}

fn tea() -> sayso::proposal::Draft {
    spent("tea", 300, "GBP", "food", DAY)
}

fn train() -> sayso::proposal::Draft {
    spent("train", 4_000, "EUR", "travel", date(2026, 12, 1))
}

/// Days in five months, in no order.
fn some_day(id: u64) -> Date {
    let (month, day) = (i8::try_from(id * 7 % 5 + 1), i8::try_from(id * 11 % 28 + 1));
    date(2026, month.unwrap(), day.unwrap())
}

fn parity(id: u64) -> &'static str {
    if id.is_multiple_of(2) { "even" } else { "odd" }
}

fn query(conditions: &[Condition], limit: usize, after: Option<Position>) -> ListQuery<'static> {
    let (from, to) = (date(2026, 1, 1), date(2027, 12, 31));
    ListQuery {
        kind: "E",
        among: Among::All,
        from,
        to,
        conditions: conditions.to_vec(),
        limit,
        after,
        oldest_first: false,
    }
}

fn rollup(
    year: i16,
    month: i8,
    unit: &str,
    group: &str,
    sum: i128,
    count: i64,
    days: &[(i8, i128, i64)],
) -> (RollupKey, Rollup) {
    let days = days.iter().map(|(day, sum, count)| (*day, (*sum, *count))).collect();
    (
        RollupKey { kind: "E".into(), owner: USER.into(), year, month, unit: unit.into(), group: group.into() },
        Rollup { sum, count, days, ..Rollup::default() },
    )
}

fn executed(proposal: &Proposal, at: i64) -> Proposal {
    proposal.with_state(State::Executed { at: after(at), by: USER.into(), run: None })
}

fn rejected(proposal: &Proposal, at: i64) -> Proposal {
    proposal.with_state(State::Rejected { at: after(at), by: USER.into(), reason: Some("not now".into()) })
}

fn refused_by(standing: &Proposal) -> Event {
    Event::Refused(Refusal { header: HeaderCheck::Failed(Some(standing.header.clone())), ..Refusal::default() })
}

fn waiting(proposal: &Proposal, summary: &str) -> WaitingProposal {
    let header = &proposal.header;
    WaitingProposal {
        id: header.id.clone(),
        fingerprint: header.fingerprint.clone(),
        summary: summary.into(),
        changes: Changes::default(),
        shown_at: header.created_at,
        expires_at: header.expires_at,
    }
}

fn prefix() -> String {
    keys::conversation(USER, CONVERSATION)
}

fn turn(at: i64, said: &str) -> Turn {
    let answer = format!("you said {said}");
    Turn {
        at: after(at),
        nonce: format!("nonce{at}"),
        message: said.into(),
        answer,
        shown: Shown { rows: vec![ShownRow::of(RowRef { kind: "E".into(), id: 7 })], ..Shown::default() },
        outcome: TurnOutcome::Answered,
        message_id: None,
        is_click: false,
    }
}

/// The claim of the turn that began at that time.
fn claim_key(message: &str, payload: &str, at: i64) -> ClaimKey {
    ClaimKey::new(USER, CONVERSATION, message, payload, &format!("nonce{at}"))
}

/// The turn that began at that time, with its answer to the message.
fn answered_by((message, payload): (&str, &str), at: i64, reply: Option<Value>) -> Bookkeeping {
    let claim = Some((claim_key(message, payload, at), reply));
    Bookkeeping { turn: Some((prefix(), turn(at, payload))), claim, ..Bookkeeping::default() }
}

fn assert_corrupt<T: std::fmt::Debug>(result: &Result<T, StoreError>) {
    assert!(matches!(result, Err(StoreError::Corrupt(_))), "{result:?}");
}
