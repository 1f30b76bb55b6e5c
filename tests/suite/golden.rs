//! Items as earlier versions stored them (`golden/*.json`, in DynamoDB's typed JSON). Every later version reads them.
//! After a deployment, these files are never changed or deleted: a new format gets a new file.

use std::{collections::BTreeMap, path::Path, process::Command, slice, time::Duration};

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::civil::{Date, date};
use sayso::{
    expenses::{self, Expense, Line},
    local::{EmbeddedDynamoDb, Storage},
    money::{Currency, Money},
    phrases::Style,
    proposal::{
        Adjustments, Audience, Call, ChangeSet, Chunk, Draft, Event, Manifest, NameKey, Note, NoteKind,
        OperationSummary, Policy, Proposal, ProposalBody, ProposalId, Receipt, Record, Refusal, Rollup, RollupKey,
        RowRef, Run, State, Stopped, contribute, hash_json,
    },
    shown::{Asked, Changes, Counted, Line as ShownLine, List, Shown, ShownRow},
    store::{
        Among, Claim, ClaimKey, Condition, DoneChunk, DueRun, ListQuery, ListedConversation, Position, Settings, Store,
        Turn, TurnContext, TurnOutcome, VectorItem, VectorKey, WaitingProposal, keys, table,
    },
    tool::Registry,
};
use serde_json::{Value, json};

use crate::harness::{
    bench::{Bench, CONVERSATION, Item, USER, after, create, delete, update},
    wire::Wire,
};

const TABLE: &str = "golden";
const TENANT: &str = "golden";

#[tokio::test]
async fn a_stored_proposal_of_every_state_is_read_forever() {
    let (bench, _database) = bench(&[]).await;
    let superseded = shown("superseded");
    let mut pending = shown("pending");
    pending.header.supersedes = Some(superseded.header.id.clone());
    let by = || USER.to_owned();
    let reason = Some("nie, dziękuję".into());
    let states = [
        ("pending", pending.clone()),
        ("executed", shown("executed").with_state(State::Executed { at: after(5_000), by: by(), run: None })),
        ("rejected", shown("rejected").with_state(State::Rejected { at: after(3_000), by: by(), reason })),
        ("stale", shown("stale").with_state(State::Stale { at: after(6_000) })),
        ("expired", shown("expired").with_state(State::Expired { at: after(90_000_000) })),
        ("superseded", superseded.with_state(State::Superseded { at: after(2_000), by: pending.header.id.clone() })),
    ];
    for (name, expected) in states {
        let header = stored(name);
        // The same operations, under each header's own key.
        let mut chunk = stored("chunk");
        let AttributeValue::S(sk) = &header["sk"] else { panic!("a key is text") };
        chunk.insert("sk".into(), AttributeValue::S(format!("{sk}#00000")));
        for item in [header, chunk] {
            bench.put_stored(item).await;
        }
        let found = bench.view().proposal(&expected.header.id).await.expect("it can be read");
        assert_eq!(found, Some(expected), "{name}");
    }
    let executed = shown("executed").with_state(State::Executed { at: after(5_000), by: by(), run: None });
    let version = Receipt::of(&executed).map(|receipt| receipt.data_version);
    assert_eq!(bench.view().last_data_version().await.expect("it can be read"), version);
}

#[tokio::test]
async fn a_stored_run_of_chunks_is_read_forever() {
    let (bench, database) = bench(&["run_chunk", "run_due", "run_settings"]).await;
    let Many { shown, next, adjustments, .. } = many();
    let id = &shown.header.id;
    for (name, state) in run_states() {
        let is_done = name == "run_partial";
        for name in [name, if is_done { "run_done_chunk" } else { "run_next_chunk" }] {
            bench.put_stored(stored(name)).await;
        }
        let mut expected = shown.with_state(state);
        expected.header.adjustments = adjustments[0].clone();
        let found = bench.view().proposal(id).await.expect("it can be read");
        assert_eq!(found.as_ref(), Some(&expected), "{name}");
        let all = bench.view().chunks(&expected, usize::MAX).await.expect("they can be read");
        let done = is_done.then(|| adjustments[1].clone());
        assert_eq!(all, [DoneChunk::first(&expected), DoneChunk { chunk: next.clone(), done }], "{name}");
    }
    let due_at = after(5_000 + 30_000);
    let due = DueRun { tenant: bench.caller.tenant().clone(), id: id.clone(), due_at };
    let shard = keys::due_shard(id);
    let of_all_tenants = Store::new(database.service(), TABLE);
    assert_eq!(of_all_tenants.due_runs(&shard, due_at).await.expect("it can be read"), [due]);
    let context = bench.view().turn_context(USER, CONVERSATION, None).await.expect("it can be read");
    assert_eq!(context.settings, Settings { runs: vec![(id.clone(), due_at)], ..Settings::default() });
}

#[tokio::test]
async fn a_stored_row_and_its_sums_are_read_forever() {
    let (bench, _database) = bench(&["expense", "rollup", "rollup_counted", "counter"]).await;
    let row = Record { id: 2, version: 2, draft: tea_changed().draft(USER) };
    assert_eq!(bench.view().record("E", 2).await.expect("it can be read").as_ref(), Some(&row));
    let query = ListQuery {
        kind: "E",
        among: Among::All,
        from: date(2026, 11, 18),
        to: date(2026, 11, 18),
        conditions: vec![Condition::Contains("item", vec!["tea".into()]), Condition::AtLeast("minor", 420)],
        limit: 1,
        after: None,
        oldest_first: false,
    };
    assert_eq!(bench.view().list(&query).await.expect("it can be read").records, slice::from_ref(&row));
    assert_eq!(Expense::of(&row.draft), Some(tea_changed()));
    let key = RollupKey {
        kind: "E".into(),
        owner: USER.into(),
        year: 2026,
        month: 11,
        unit: "GBP".into(),
        group: "żółć & co#1".into(),
    };
    let days = [(18, (420, 1)), (19, (0, 0)), (20, (950, 1))].into();
    let older = (key, Rollup { sum: 1_370, count: 2, days, ..Rollup::default() });
    let key = RollupKey {
        kind: "E".into(),
        owner: USER.into(),
        year: 2026,
        month: 12,
        unit: "EUR".into(),
        group: "uncategorised".into(),
    };
    let counted = (key, Rollup { sum: 2_500, count: 1, days: [(1, (2_500, 1))].into(), ..Rollup::default() });
    let sums = bench.view().rollups("E", date(2026, 11, 1), date(2026, 12, 31)).await.expect("it can be read");
    assert_eq!(sums, BTreeMap::from([older, counted]));
    assert_eq!(bench.view().allocate_ids("E", 1).await.expect("an id"), 4);
}

#[tokio::test]
async fn a_stored_row_of_an_import_is_read_forever() {
    let (bench, _database) = bench(&["expense_imported"]).await;
    let imported = Expense { bank_id: Some("F#1 ü".into()), ..tea_changed() };
    let row = Record { id: 10, version: 1, draft: imported.draft(USER) };
    assert_eq!(Expense::of(&row.draft), Some(imported));
    assert_eq!(bench.view().record("E", 10).await.expect("it can be read"), Some(row));
}

#[tokio::test]
async fn a_stored_row_in_parts_and_their_sums_are_read_forever() {
    let (bench, _database) = bench(&["expense_split", "rollup_parts"]).await;
    let draft = split().draft(USER);
    let row = Record { id: 9, version: 1, draft };
    assert_eq!(bench.view().record("E", 9).await.expect("it can be read").as_ref(), Some(&row));
    assert_eq!(Expense::of(&row.draft), Some(split()));
    let day = date(2026, 11, 20);
    let groups = vec!["household".to_owned()];
    let (field, list, none) = ("category", "categories", "uncategorised");
    let of_household = Condition::InGroup { field, list, none, groups };
    let query = ListQuery {
        kind: "E",
        among: Among::All,
        from: day,
        to: day,
        conditions: vec![of_household],
        limit: 1,
        after: None,
        oldest_first: false,
    };
    assert_eq!(bench.view().list(&query).await.expect("it can be read").records, [row]);
    let key = RollupKey {
        kind: "E".into(),
        owner: USER.into(),
        year: 2026,
        month: 11,
        unit: "GBP".into(),
        group: "household".into(),
    };
    let days = [(2, (0, 0)), (3, (1_000, 1)), (20, (2_000, 0))].into();
    let parts = [(2, 0), (20, 1)].into();
    let sums = bench.view().rollups("E", day, day).await.expect("it can be read");
    assert_eq!(sums, BTreeMap::from([(key, Rollup { sum: 3_000, count: 1, days, parts })]));
}

#[tokio::test]
async fn stored_preferences_are_read_forever() {
    let names = [
        "settings",
        "preference_currency",
        "preference_decimal_mark",
        "preference_day_order",
        "preference_sign",
        "preference_category",
        "budget",
        "recurring",
    ];
    let (bench, _database) = bench(&names).await;
    let (settings, preferences) = bench.view().preferences().await.expect("it can be read");
    assert_eq!(settings.timezone.as_deref(), Some("Europe/London"), "what the operator set");
    let draft = |kind: &str, day: Date, body: Value, unique_key: &str| Draft {
        kind: kind.into(),
        owner: USER.into(),
        body: serde_json::from_value(body).expect("a body"),
        date: day,
        unique_key: Some(unique_key.into()),
        ..Draft::default()
    };
    let category = "żółć & co#1";
    let budget = json!({ "category": category, "period": "month", "minor": 20_000, "currency": "GBP" });
    let filed = json!({ "item": "Costa ☕", "words": " costa ", "category": category });
    let recurring = json!({
        "item": "Miete 🏠", "minor": 95_000, "currency": "GBP", "category": category, "every": "month",
        "start": "2026-08-31", "next": "2026-11-30", "until": "2027-02-28",
    });
    let expected = [
        (2, draft("MB", date(2026, 11, 20), budget, "month|żółć & co#1")),
        (7, draft("MC", date(2026, 11, 3), filed, " costa ")),
        (3, draft("MR", date(2026, 8, 31), recurring, "month| miete |ann")),
        (1, draft("MS", date(2026, 11, 20), json!({ "currency": "EUR" }), "currency")),
        (2, draft("MS", date(2026, 11, 20), json!({ "decimalMark": "comma" }), "decimalMark")),
        (3, draft("MS", date(2026, 11, 20), json!({ "dayOrder": "dayFirst" }), "dayOrder")),
        (4, draft("MS", date(2026, 11, 20), json!({ "sign": "kr", "means": "SEK" }), "sign|kr")),
    ];
    let expected = expected.map(|(id, draft)| Record { id, version: 1, draft });
    assert_eq!(preferences, expected);
    let registry = Registry::new(|| Duration::ZERO, &[expenses::toolkit()]).expect("a toolkit");
    let read: Vec<String> = preferences
        .iter()
        .map(|record| {
            let kind = registry.kind_of(&record.draft.kind).expect("its kind");
            kind.describe(&record.draft, Style::default())
        })
        .collect();
    let told = [
        "the budget for żółć & co#1, £200.00 a month",
        "“Costa ☕” as żółć & co#1",
        "“Miete 🏠”, £950.00 every month on day 31, or on the last day of a shorter month, from 30 Nov 2026 until 28 Feb 2027, in żółć & co#1",
        "EUR as your currency",
        "that you write a comma before decimals: 1.234 is 1234",
        "that you write the day first: 3/4 is 3 April",
        "“kr” as SEK",
    ];
    assert_eq!(read, told);
    // The budget's unique key is taken.
    bench.put_stored(stored("unique_key")).await;
    let again = Draft { date: date(2026, 11, 21), ..preferences[0].draft.clone() };
    let refusal = Refusal { taken: vec![0], ..Refusal::default() };
    let again = bench.proposal("again", vec![create(9, again)], after(0));
    assert_eq!(bench.commit_at_once(&again, after(0)).await, Event::Refused(refusal));
}

#[tokio::test]
async fn stored_totals_of_names_are_read_forever() {
    let (bench, _database) = bench(&["name_total", "name_total_long"]).await;
    let total = |name: String, sum: i128, count: i64| {
        let key = NameKey { kind: "E".into(), owner: USER.into(), name, unit: "GBP".into() };
        (key, Rollup { sum, count, ..Rollup::default() })
    };
    let mut found = Vec::new();
    bench.view().each_name("E", Some(USER), |key, total| found.push((key, total))).await.expect("they can be read");
    assert_eq!(found, [total("herbata #1".into(), 840, 2), total("żółć ".repeat(30), 420, 1)]);
}

#[tokio::test]
async fn a_stored_member_is_read_forever() {
    let (bench, _database) = bench(&["member"]).await;
    let members = bench.view().settings_from(None).await.expect("it can be read").members;
    assert_eq!(members.iter().collect::<Vec<_>>(), [("anna#ż", Some("Anna Żółć"))]);
}

#[tokio::test]
async fn a_stored_guard_stops_the_same_content_forever() {
    let (bench, _database) = bench(&["guard"]).await;
    let again = bench.proposal("again", vec![create(9, tea_changed().draft(USER))], after(1_000));
    let refusal = Refusal { guard: true, ..Refusal::default() };
    assert_eq!(bench.commit_at_once(&again, after(1_000)).await, Event::Refused(refusal));
}

#[tokio::test]
async fn stored_vectors_and_the_request_for_them_are_read_forever() {
    let (bench, database) = bench(&["vector", "wanted"]).await;
    let position = Position { date: date(2026, 11, 18), id: 2 };
    let mut found = Vec::new();
    let mut read = |key: VectorKey, bytes: &[u8]| found.push(VectorItem { key, bytes: bytes.to_vec() });
    let days = (date(2026, 11, 18), date(2026, 11, 18));
    assert!(bench.view().each_vector("E", days, "model@3", &mut read).await.expect("they can be read"));
    let key = VectorKey { position, version: 2, space: "model@3".into() };
    assert_eq!(found, [VectorItem { key, bytes: vec![1, 2, 3, 255] }]);
    let of_all_tenants = Store::new(database.service(), TABLE);
    let tenant = bench.caller.tenant().clone();
    assert_eq!(of_all_tenants.vectors_wanted(after(35_000)).await.expect("it can be read"), [tenant]);
    let wanted = bench.view().wanted_vectors().await.expect("it can be read").expect("a request");
    assert_eq!(wanted.cursor, Some(("E".into(), position)));
    // The number of requests is that of the item.
    bench.view().vectors_filled(&wanted).await.expect("an answer");
    assert_eq!(bench.view().wanted_vectors().await.expect("it can be read"), None);
}

#[tokio::test]
async fn a_stored_conversation_is_read_forever() {
    let (bench, _database) = bench(&["turn", "claim", "claim_working", "waiting", "arguments", "settings"]).await;
    let pending = shown("pending");
    let settings = Settings { timezone: Some("Europe/London".into()), policy: Some(Policy::Risky), runs: vec![] };
    let context = TurnContext {
        settings,
        turns: vec![turn()],
        waiting: vec![waiting(&pending)],
        proposals: vec![pending.clone()],
        ..TurnContext::default()
    };
    assert_eq!(bench.view().turn_context(USER, CONVERSATION, None).await.expect("it can be read"), context);
    let turns = bench.view().turns(USER, CONVERSATION, None, 5).await.expect("they can be read");
    assert_eq!(turns, (vec![turn()], None));
    let listed = bench.view().waiting(USER).await.expect("it can be read");
    let listed: Vec<(String, Proposal)> =
        listed.into_iter().map(|one| (one.conversation, one.proposal.expect("it can be read"))).collect();
    assert_eq!(listed, [(CONVERSATION.to_owned(), pending.clone())]);
    let listed = ListedConversation { id: CONVERSATION.into(), last_at: turn().at, title: turn().message };
    assert_eq!(bench.view().conversations(USER, None, 5).await.expect("they can be read"), (vec![listed], None));
    let claim = async |message: &str| {
        let key = ClaimKey::new(USER, CONVERSATION, message, "lunch 9.50", "nonce1");
        bench.view().claim(&key, after(1)).await.expect("it can be read")
    };
    assert_eq!(claim("m1").await, Claim::Answered(reply()));
    assert_eq!(claim("m2").await, Claim::Working);
    let hash = hash_json(&pending.body.call);
    let found = bench.view().proposal_by_arguments(USER, &hash).await.expect("it can be read");
    assert_eq!(found, Some(pending.header.id));
}

#[tokio::test]
async fn the_benchmarks_rows_have_the_stored_format() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/seed.py");
    let printed = Command::new("python3").arg(script).args([TENANT, "3"]).output().expect("Python");
    let (bench, _database) = bench(&[]).await;
    for line in String::from_utf8(printed.stdout).expect("text").lines() {
        bench.put_stored(parsed(line)).await;
    }
    let always = (date(2000, 1, 1), date(2100, 1, 1));
    let query = ListQuery {
        kind: "E",
        among: Among::All,
        from: always.0,
        to: always.1,
        conditions: vec![],
        limit: 9,
        after: None,
        oldest_first: false,
    };
    let found = bench.view().list(&query).await.expect("it can be read").records;
    let mut sums: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
    for (n, record) in found.iter().enumerate() {
        let minor = 100 + i64::try_from(n).expect("a few");
        let money = Money { minor, currency: Currency::parse("GBP").expect("a currency") };
        let (item, date) = (format!("Purchase number {n}"), record.draft.date);
        let draft =
            Expense { item, money, date, category: None, notes: None, lines: vec![], bank_id: None }.draft("seed");
        assert_eq!(record, &Record { id: n as u64 + 1, version: 1, draft });
        contribute(&mut sums, &record.draft, 1);
    }
    assert_eq!(found.len(), 3);
    assert_eq!(bench.view().rollups("E", always.0, always.1).await.expect("it can be read"), sums);
    assert_eq!(bench.view().allocate_ids("E", 1).await.expect("an id"), 4);
}

impl Bench {
    async fn put_stored(&self, item: Item) {
        self.store.client().put_item().table_name(TABLE).set_item(Some(item)).send().await.expect("it can be stored");
    }
}

/// A new database with these items.
async fn bench(names: &[&str]) -> (Bench, EmbeddedDynamoDb) {
    let database = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
    let store = Store::new(Wire::watching(database.service(), TENANT), TABLE);
    table::create_if_absent(&store.client(), TABLE).await.expect("a table");
    let bench = Bench::new(store, TENANT);
    for name in names {
        bench.put_stored(stored(name)).await;
    }
    (bench, database)
}

fn stored(name: &str) -> Item {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/golden").join(name).with_extension("json");
    let json = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parsed(&json)
}

fn parsed(json: &str) -> Item {
    let fields: BTreeMap<String, Value> = serde_json::from_str(json).expect("an item");
    fields.into_iter().map(|(name, value)| (name, typed(&value))).collect()
}

fn typed(value: &Value) -> AttributeValue {
    let (kind, value) = value.as_object().expect("a typed value").iter().next().expect("its type");
    match (kind.as_str(), value) {
        ("S", Value::String(text)) => AttributeValue::S(text.clone()),
        ("N", Value::String(digits)) => AttributeValue::N(digits.clone()),
        ("BOOL", Value::Bool(truth)) => AttributeValue::Bool(*truth),
        ("NULL", _) => AttributeValue::Null(true),
        ("L", Value::Array(values)) => AttributeValue::L(values.iter().map(typed).collect()),
        ("M", Value::Object(fields)) => {
            AttributeValue::M(fields.iter().map(|(name, value)| (name.clone(), typed(value))).collect())
        }
        ("B", Value::String(base64)) => {
            AttributeValue::B(Blob::new(BASE64_STANDARD.decode(base64.as_bytes()).expect("Base64")))
        }
        _ => panic!("{kind} is not stored"),
    }
}

/// One operation of each kind, and a note of each kind.
fn shown(name: &str) -> Proposal {
    let tea_row = Record { id: 2, version: 1, draft: tea().draft(USER) };
    let cinema = Record { id: 3, version: 1, draft: cinema().draft(USER) };
    let operations = vec![create(1, lunch().draft(USER)), update(&tea_row, tea_changed().draft(USER)), delete(&cinema)];
    let notes = vec![
        Note::assumed("E", "date", "2026-11-20").named(Some("lunch".into())).said("the 20th"),
        Note::new(NoteKind::PossibleDuplicate, "E", "rows", json!(tea_row)).because("known"),
        Note::new(NoteKind::UnusualAmount, "E", "amount", json!({ "minor": 950, "currency": "GBP" })),
        Note::new(NoteKind::LeftOut, "E", "said", json!(["5", { "item": "cake" }])).because("also_said"),
    ];
    let body = ProposalBody {
        call: Call {
            tool: "batch".into(),
            arguments: json!({ "calls": [{ "tool": "delete_expense", "args": { "id": 3, "sure": true, "why": null } }] }),
        },
        notes,
        changes: ChangeSet::new(operations).expect("a set"),
        manifest: None,
        is_watched: false,
    };
    let audience = Audience { tenant: TENANT, user: USER, conversation: CONVERSATION };
    Proposal::new(ProposalId::derived(&[TENANT, name]), audience, body, after(0))
}

/// A proposal of two chunks and the results: the cinema had changed, and the tea had changed and changed back.
struct Many {
    shown: Proposal,
    next: Chunk,
    adjustments: [Adjustments; 2],
    done: [OperationSummary; 2],
}

fn many() -> Many {
    let tea_row = Record { id: 2, version: 1, draft: tea().draft(USER) };
    let cinema = Record { id: 3, version: 1, draft: cinema().draft(USER) };
    let first = vec![create(1, lunch().draft(USER)), delete(&cinema)];
    let second = vec![update(&tea_row, tea_changed().draft(USER))];
    let all = [first.clone(), second.clone()].concat();
    let next = Chunk { changes: ChangeSet::new(second.clone()).expect("a set"), next: None };
    let manifest = Manifest {
        chunks: 2,
        summary: OperationSummary::of(&all),
        outliers: vec![delete(&cinema)],
        owners: [USER.to_owned()].into(),
        next: next.id(),
    };
    let body = ProposalBody {
        call: Call {
            tool: "propose_operations".into(), arguments: json!({ "select": { "category": "żółć & co#1" } })
        },
        notes: vec![Note::changed_since(vec![RowRef { kind: "E".into(), id: 3 }], Some(2))],
        changes: ChangeSet::new(first.clone()).expect("a set"),
        manifest: Some(manifest),
        is_watched: false,
    };
    let audience = Audience { tenant: TENANT, user: USER, conversation: CONVERSATION };
    let adjustments = [
        Adjustments { skipped: [1].into(), versions: BTreeMap::new() },
        Adjustments { skipped: [].into(), versions: [(0, 3)].into() },
    ];
    let done = [OperationSummary::of(&first[..1]), OperationSummary::of(&[&first[..1], &second].concat())];
    Many {
        shown: Proposal::new(ProposalId::derived(&[TENANT, "many"]), audience, body, after(0)),
        next,
        adjustments,
        done,
    }
}

fn run_states() -> [(&'static str, State); 4] {
    let Many { next, done: [half, whole], .. } = many();
    let by = USER.to_owned();
    let begun =
        Run { touched_at: after(5_000), cursor: 1, next: Some(next.id()), done: half, skipped: 1, stopped: None };
    let finished = Run { touched_at: after(7_000), cursor: 2, next: None, done: whole, ..begun.clone() };
    let ended = |by| Run { stopped: Some(Stopped { at: after(8_000), by }), ..begun.clone() };
    let (stopped, halted) = (ended(Some(by.clone())), ended(None));
    let at = after(5_000);
    [
        ("run_executing", State::Executing { at, by: by.clone(), run: Box::new(begun) }),
        ("run_partial", State::Executed { at, by: by.clone(), run: Some(Box::new(finished)) }),
        ("run_stopped", State::Executed { at, by: by.clone(), run: Some(Box::new(stopped)) }),
        ("run_halted", State::Executed { at, by, run: Some(Box::new(halted)) }),
    ]
}

fn lunch() -> Expense {
    let money = Money { minor: 950, currency: Currency::GBP };
    let category = Some("żółć & co#1".into());
    Expense {
        item: "lunch".into(),
        money,
        date: date(2026, 11, 20),
        category,
        notes: None,
        lines: vec![],
        bank_id: None,
    }
}

fn tea() -> Expense {
    let money = Money { minor: 300, currency: Currency::GBP };
    Expense { item: "tea 🍵".into(), money, date: date(2026, 11, 19), ..lunch() }
}

fn tea_changed() -> Expense {
    let money = Money { minor: 420, currency: Currency::GBP };
    Expense { item: "tea 🍵".into(), money, date: date(2026, 11, 18), notes: Some("100% oolong".into()), ..lunch() }
}

fn cinema() -> Expense {
    let money = Money { minor: 2_500, currency: Currency::EUR };
    Expense {
        item: "cinema".into(),
        money,
        date: date(2026, 12, 1),
        category: None,
        notes: None,
        lines: vec![],
        bank_id: None,
    }
}

fn split() -> Expense {
    let line = |minor, category: &str, note: Option<&str>| Line {
        minor,
        category: category.into(),
        note: note.map(str::to_owned),
    };
    let lines = vec![
        line(2_500, "food", Some("brød")),
        line(500, "żółć & co#1", None),
        line(2_000, "household", None),
        line(500, "food", None),
    ];
    let money = Money { minor: 5_500, currency: Currency::GBP };
    Expense { item: "Tesco 🛒".into(), money, category: None, lines, ..lunch() }
}

fn turn() -> Turn {
    let listed = TurnOutcome::AskedWhich { proposals: vec![shown("pending").header.id], approve: true };
    Turn {
        at: after(1_000),
        nonce: "0000000000000007".into(),
        message: "no dobra".into(),
        answer: "Yes to which one?\n1. Add “lunch”".into(),
        shown: shown_data(),
        outcome: listed,
        message_id: Some("m#1 ü".into()),
        is_click: true,
    }
}

/// Every field of what an answer showed.
fn shown_data() -> Shown {
    let split_row = Record { id: 9, version: 1, draft: split().draft(USER) };
    let row = |record: &Record, name: &str| ShownRow::described(record, Some(name.into()));
    let call = Call { tool: "list_expenses".into(), arguments: json!({ "range": "today" }) };
    Shown {
        asked: Some(Asked {
            text: "Yes to which one?".into(),
            options: vec!["1. Add “lunch”".into()],
            missing: vec!["proposal".into()],
            values: vec![json!({ "id": 9 })],
            name: Some("lunch".into()),
            parts: vec![],
            is_at_the_end: true,
        }),
        rows: vec![row(&split_row, "Tesco 🛒"), ShownRow::of(RowRef { kind: "T".into(), id: 3 })],
        list: Some(List { call: Some(call), lines: 2, has_more: true, group: None, continues: true }),
        written: Some(changes_data()),
        sums: vec![("GBP".into(), "9.50".into())],
        decided: vec![shown("executed").header.id],
        kept: vec![],
        mentioned: None,
        waiting: vec![shown("pending").header.id],
        proposal: None,
    }
}

fn changes_data() -> Changes {
    let tea_row = Record { id: 2, version: 1, draft: tea().draft(USER) };
    let changed = Record { id: 2, version: 2, draft: tea_changed().draft(USER) };
    let row = |record: &Record| Some(ShownRow::described(record, Some("tea 🍵".into())));
    let line =
        |verb: &str, before, after, is_side_effect| ShownLine { verb: verb.into(), before, after, is_side_effect };
    Changes {
        counts: vec![Counted { verb: "change".into(), kind: "E".into(), rows: 1 }],
        lines: vec![
            line("change", row(&tea_row), row(&changed), false),
            line("remember", None, Some(ShownRow::of(RowRef { kind: "MC".into(), id: 1 })), true),
        ],
        doubts: vec!["roughly".into()],
    }
}

fn reply() -> Value {
    json!({ "answer": "Add “lunch”, £9.50?", "confirmationRequired": true, "items": [], "count": 0 })
}

fn waiting(proposal: &Proposal) -> WaitingProposal {
    let header = &proposal.header;
    WaitingProposal {
        id: header.id.clone(),
        fingerprint: header.fingerprint.clone(),
        summary: "Add “lunch”, £9.50, and 2 more".into(),
        changes: changes_data(),
        shown_at: header.created_at,
        expires_at: header.expires_at,
    }
}
