//! Long histories of random requests, compared with a reference model: afterwards rows, sums and receipts must be
//! equal.
//!
//! `PROPTEST_CASES` sets the number of histories, `PROPTEST_RNG_SEED` selects others.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use jiff::{Timestamp, civil::date};
use proptest::{
    prelude::*,
    sample::{Index, select},
    test_runner::{RngSeed, TestCaseResult, TestRunner, contextualize_config},
};
use reference::{Change, Reference, State};
use rows::{CURRENCIES, Field, Operation, Row, Spent, arguments};
use serde_json::{Value, json};

use crate::{
    change_sets::shown,
    harness::{
        NOW, Person, Response, Service, Setup,
        bench::caller,
        scripted::{Scripted, calls, text},
        wire::{Fate, TENANT},
    },
};

mod reference;
mod rows;

const TENANT_NAME: &str = "acme";
const USER: &str = "ann";
const ROLE: &str = "admin";

/// The number of waiting proposals that a conversation lists.
const LISTED: usize = 5;

/// One request. Its target is selected when it runs, from what exists then.
#[derive(Debug, Clone)]
enum Step {
    /// A message, or a legacy confirmation.
    Propose {
        operations: Vec<Operation<Index>>,
        said: bool,
    },
    /// A new category or a deletion, for all rows with a word.
    ProposeForAll {
        word: &'static str,
        category: Option<&'static str>,
    },
    Edit {
        which: Which,
        exclude: Vec<Index>,
        edits: Vec<(Index, Vec<Field>)>,
    },
    /// The fate of the first transaction does not change the outcome.
    Approve {
        which: Which,
        fate: Option<Fate>,
    },
    Reject {
        which: Which,
    },
    /// Of any receipt.
    Undo(Index),
}

#[derive(Debug, Clone)]
enum Which {
    Last,
    Any(Index),
}

#[test]
fn rows_sums_and_receipts_match_the_approvals_after_any_history() {
    let config = ProptestConfig {
        cases: 3,
        rng_seed: RngSeed::Fixed(1),
        // Below the time limit of a test.
        max_shrink_time: 60_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    // Enough rows that all of them need several transactions.
    let adds = prop::collection::vec(prop::collection::vec(some_add(), 38..40), 2);
    let histories = (adds, prop::collection::vec(some_step(), 45..55));
    let in_chunks = Cell::new(0);
    let split = Cell::new(0);
    let run = TestRunner::new(contextualize_config(config)).run(&histories, |(adds, steps)| {
        let first = adds.into_iter().flat_map(|operations| {
            [Step::Propose { operations, said: false }, Step::Approve { which: Which::Last, fate: None }]
        });
        runtime.block_on(async {
            let mut history = History::start().await;
            for step in first.into_iter().chain(steps) {
                history.take(step).await?;
                history.check().await?;
                let rows = history.reference.rows.values();
                split.set(split.get() + rows.filter(|row| row.spent.parts[0].is_some()).count());
            }
            in_chunks
                .set(in_chunks.get() + history.reference.done.iter().filter(|n| history.is_in_chunks(**n)).count());
            Ok(())
        })
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    println!("{} approvals took several transactions, {} split rows were looked at", in_chunks.get(), split.get());
    assert!(in_chunks.get() > 0, "no history changed many rows at once");
    assert!(split.get() > 0, "no history had a split row");
}

struct History {
    service: Service,
    model: Arc<Scripted>,
    reference: Reference,
    /// The proposals that clients got, by their number in the reference model.
    proposals: Vec<Value>,
    /// The waiting proposals of the conversation, oldest first. It lists only some.
    listed: Vec<usize>,
    receipts: BTreeMap<usize, Value>,
    steps: u64,
}

impl History {
    async fn start() -> History {
        let model = Arc::new(Scripted::default());
        let service = Setup::model(model.clone()).start().await;
        let reference = Reference::default();
        History { service, model, reference, proposals: vec![], listed: vec![], receipts: BTreeMap::new(), steps: 0 }
    }

    async fn take(&mut self, step: Step) -> TestCaseResult {
        self.steps += 1;
        self.service.advance(Duration::from_secs(1));
        self.service.wire.take();
        match step {
            Step::Propose { operations, said } => {
                let operations = self.resolve(&operations);
                if operations.is_empty() {
                    return Ok(());
                }
                let response = self.propose(&operations, said).await;
                let waits = self.reference.propose(&operations);
                self.shown(response, waits)
            }
            Step::ProposeForAll { word, category } => {
                let mut args =
                    if word.is_empty() { json!({ "select": {} }) } else { json!({ "select": { "words": word } }) };
                if let Some(category) = category {
                    args["change"] = json!({ "category": category });
                }
                self.model.says(calls([("propose_operations", args)]));
                let waits = self.reference.propose_for_all(word, category);
                if !waits {
                    self.model.says(text("There is nothing like that."));
                }
                let response = self.person().post("/chat", json!({ "message": "as we discussed" })).await;
                self.shown(response, waits)
            }
            Step::Edit { which, exclude, edits } => {
                let Some(n) = self.target(&which) else { return Ok(()) };
                let lines = self.reference.proposals[n].0.len();
                let exclude: BTreeSet<usize> = exclude.iter().map(|line| line.index(lines) + 1).collect();
                let edits: BTreeMap<_, _> =
                    edits.into_iter().map(|(line, fields)| (line.index(lines) + 1, fields)).collect();
                let fields = edits.iter().map(|(line, fields)| (line.to_string(), arguments(fields).into()));
                let fields: serde_json::Map<String, Value> = fields.collect();
                let response = self.decide(n, json!({ "decision": "edit", "exclude": exclude, "edits": fields })).await;
                let waits = self.reference.edit(n, &exclude, &edits);
                self.revised(response, waits)
            }
            Step::Approve { which, fate } => {
                let Some(n) = self.target(&which) else { return Ok(()) };
                if self.reference.proposals[n].1 == State::Waiting {
                    self.service.wire.fail(fate.map(|fate| ("TransactWriteItems", fate)));
                }
                let response = self.decide(n, json!({ "decision": "approve" })).await;
                let before = self.reference.proposals.len();
                let done = self.reference.approve(n);
                prop_assert_eq!(response.status.as_u16(), if done { 200 } else { 409 }, "{}", response.body);
                match done {
                    true => self.receipt(n, &response.body),
                    false if self.reference.proposals.len() > before => {
                        let revision = response.body["revision"].clone();
                        prop_assert!(revision.is_object(), "{}", response.body);
                        self.last_is(revision)
                    }
                    false => {
                        prop_assert_eq!(response.body.get("revision"), None);
                        Ok(())
                    }
                }
            }
            Step::Reject { which } => {
                let Some(n) = self.target(&which) else { return Ok(()) };
                let response = self.decide(n, json!({ "decision": "reject" })).await;
                let rejected = self.reference.reject(n);
                prop_assert_eq!(response.status.as_u16(), if rejected { 200 } else { 409 }, "{}", response.body);
                Ok(())
            }
            Step::Undo(which) => {
                if self.reference.done.is_empty() {
                    return Ok(());
                }
                let n = *which.get(&self.reference.done);
                let path = format!("/proposals/{}/undo", self.proposals[n]["id"].as_str().expect("an id"));
                let response = self.person().post(&path, json!({})).await;
                let waits = self.reference.undo(n, self.now());
                self.shown(response, waits)
            }
        }
    }

    async fn propose(&self, operations: &[Operation<u64>], said: bool) -> Response {
        let planned = operations.iter().map(Operation::call);
        if said {
            self.model.says(calls(planned));
            return self.person().post("/chat", json!({ "message": "as we discussed" })).await;
        }
        let planned = planned.map(|(tool, args)| json!({ "tool": tool, "args": args })).collect::<Vec<_>>();
        // Repeated arguments would be an approval.
        let args = json!({ "calls": planned, "page": self.steps });
        self.person().post("/chat", json!({ "confirm": { "tool": "batch", "args": args } })).await
    }

    async fn decide(&self, n: usize, mut confirm: Value) -> Response {
        confirm["proposalId"] = self.proposals[n]["id"].clone();
        confirm["fingerprint"] = self.proposals[n]["fingerprint"].clone();
        self.person().post("/chat", json!({ "confirm": confirm })).await
    }

    /// Checks that a proposal is shown if the reference model shows one, with the same content.
    fn shown(&mut self, response: Response, waits: bool) -> TestCaseResult {
        if waits {
            self.repeated(&response.body["proposal"])?;
        }
        self.revised(response, waits)
    }

    /// The same for a revision.
    fn revised(&mut self, response: Response, waits: bool) -> TestCaseResult {
        let proposal = response.body["proposal"].clone();
        // A refusal is a problem or a text.
        prop_assert_eq!(response.status.is_success() && !proposal.is_null(), waits, "{}", response.body);
        if waits { self.last_is(proposal) } else { Ok(()) }
    }

    /// A repeated message makes no second proposal: the newest replaces the waiting one.
    fn repeated(&mut self, proposal: &Value) -> TestCaseResult {
        let (changes, _) = self.reference.proposals.last().expect("it was shown").clone();
        let same = |n: &&usize| self.proposals[**n]["fingerprint"] == proposal["fingerprint"];
        let waiting = |n: &&usize| self.reference.proposals[**n].1 == State::Waiting;
        if let Some(n) = self.listed.iter().filter(waiting).find(same) {
            prop_assert_eq!(&self.reference.proposals[*n].0, &changes);
            self.reference.proposals[*n].1 = State::Closed;
        }
        Ok(())
    }

    fn last_is(&mut self, proposal: Value) -> TestCaseResult {
        let (changes, _) = self.reference.proposals.last().expect("it was shown");
        let shown = lines(&proposal);
        self.listed.retain(|n| self.reference.proposals[*n].1 == State::Waiting);
        if self.listed.len() == LISTED {
            self.listed.remove(0);
        }
        self.listed.push(self.proposals.len());
        prop_assert_eq!(&proposal["count"], changes.len());
        prop_assert_eq!(&shown, &changes.iter().take(shown.len()).map(line).collect::<Vec<_>>());
        if shown.len() < changes.len() {
            self.reference.in_chunks.insert(self.reference.proposals.len() - 1);
        }
        self.proposals.push(proposal);
        Ok(())
    }

    /// Checks that the shown operations were executed, and that a repeated approval gives the same receipt.
    fn receipt(&mut self, n: usize, reply: &Value) -> TestCaseResult {
        let mut receipt = reply["receipt"].clone();
        receipt.as_object_mut().expect("a receipt").remove("replayed");
        let (changes, _) = &self.reference.proposals[n];
        let done = lines(&receipt);
        prop_assert_eq!(&receipt["count"], changes.len());
        prop_assert_eq!(&done, &changes.iter().take(done.len()).map(line).collect::<Vec<_>>());
        let first = self.receipts.entry(n).or_insert_with(|| receipt.clone());
        prop_assert_eq!(&receipt, first);
        Ok(())
    }

    async fn check(&self) -> TestCaseResult {
        let (me, caller) = (self.person(), caller(TENANT_NAME, USER, ROLE));
        let store = self.service.store.tenant(caller.tenant());
        self.model.says(calls([("get_balance", json!({}))]));
        self.model.says(text("That is all."));
        let kept = TENANT.scope(TENANT_NAME.to_owned(), async {
            tokio::try_join!(store.rollups("E", date(1, 1, 1), date(9999, 12, 31)), store.receipts(None, 1_000))
        });
        let (listed, balance, kept) =
            tokio::join!(me.get("/expenses?limit=500"), me.says("how much did I spend?"), kept);
        let (rollups, receipts) = kept.expect("the store answers");

        let mut rows: Vec<&Row> = self.reference.rows.values().collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.spent.date, row.id)));
        prop_assert_eq!(&listed.body["items"], &rows.into_iter().map(Row::json).collect::<Value>());
        prop_assert_eq!(shown(rollups), self.reference.rollups());
        prop_assert_eq!(&balance["totals"], &self.reference.totals());
        let receipts: Vec<String> =
            receipts.iter().map(|listed| listed.header.as_ref().expect("it can be read").id.to_string()).collect();
        let done = self.reference.done.iter().rev();
        prop_assert_eq!(receipts, done.map(|n| self.proposals[*n]["id"].as_str().expect("an id")).collect::<Vec<_>>());
        Ok(())
    }

    fn is_in_chunks(&self, n: usize) -> bool {
        self.reference.in_chunks.contains(&n)
    }

    /// Maps the operations to existing rows, each used once.
    fn resolve(&self, meant: &[Operation<Index>]) -> Vec<Operation<u64>> {
        let mut rows: Vec<u64> = self.reference.rows.keys().copied().collect();
        let mut pick = |row: &Index| (!rows.is_empty()).then(|| rows.remove(row.index(rows.len())));
        let resolved = meant.iter().filter_map(|meant| match meant {
            Operation::Add(fields) => Some(Operation::Add(fields.clone())),
            Operation::Change(row, fields) => Some(Operation::Change(pick(row)?, fields.clone())),
            Operation::Delete(row) => Some(Operation::Delete(pick(row)?)),
        });
        resolved.collect()
    }

    /// The last waiting proposal, if there is one.
    fn target(&self, which: &Which) -> Option<usize> {
        let waits = |(_, state): &(_, State)| *state == State::Waiting;
        let last = self.reference.proposals.iter().rposition(waits).filter(|_| matches!(which, Which::Last));
        last.or_else(|| which.of(self.proposals.len()))
    }

    fn person(&self) -> Person<'_> {
        self.service.who(TENANT_NAME, USER, ROLE)
    }

    /// In milliseconds since 1970.
    fn now(&self) -> u64 {
        let start = NOW.parse::<Timestamp>().expect("a time").as_millisecond();
        u64::try_from(start).expect("it is after 1970") + self.steps * 1_000
    }
}

impl Which {
    fn of(&self, count: usize) -> Option<usize> {
        match self {
            Which::Last => count.checked_sub(1),
            Which::Any(index) => (count > 0).then(|| index.index(count)),
        }
    }
}

fn lines(proposal: &Value) -> Vec<[Value; 2]> {
    let operations = proposal["operations"].as_array().expect("operations");
    operations.iter().map(|line| [line["before"].clone(), line["after"].clone()]).collect()
}

fn line((before, after): &Change) -> [Value; 2] {
    [before, after].map(|row| row.map_or(Value::Null, |row| row.json()))
}

fn some_step() -> impl Strategy<Value = Step> {
    let fate = prop_oneof![
        6 => Just(None),
        6 => select(&[
            Fate::DropBefore,
            Fate::CommitThenDrop,
            Fate::Conflict,
            Fate::InProgress,
            Fate::Throttle,
            Fate::ServerError,
        ]).prop_map(Some),
    ];
    let edits = prop::collection::vec((any::<Index>(), some_fields()), 0..3);
    prop_oneof![
        5 => (prop::collection::vec(some_operation(), 1..8), any::<bool>())
            .prop_map(|(operations, said)| Step::Propose { operations, said }),
        3 => (select(&["coffee", "bill", ""]), select(&[None, Some("food"), Some("travel")]))
            .prop_map(|(word, category)| Step::ProposeForAll { word, category }),
        4 => (some_which(), prop::collection::vec(any::<Index>(), 0..3), edits)
            .prop_map(|(which, exclude, edits)| Step::Edit { which, exclude, edits }),
        8 => (some_which(), fate).prop_map(|(which, fate)| Step::Approve { which, fate }),
        1 => some_which().prop_map(|which| Step::Reject { which }),
        4 => any::<Index>().prop_map(Step::Undo),
    ]
}

/// Mostly the newest proposal, because old ones are rarely executable.
fn some_which() -> impl Strategy<Value = Which> {
    prop_oneof![2 => Just(Which::Last), 1 => any::<Index>().prop_map(Which::Any)]
}

fn some_operation() -> impl Strategy<Value = Operation<Index>> {
    prop_oneof![
        3 => some_add(),
        5 => (any::<Index>(), some_fields()).prop_map(|(row, fields)| Operation::Change(row, fields)),
        1 => any::<Index>().prop_map(Operation::Delete),
    ]
}

fn some_add() -> impl Strategy<Value = Operation<Index>> {
    (some_item(), some_money(), some_date(), some_fields())
        .prop_map(|(item, money, date, more)| [vec![item, money, date], more].concat())
        .prop_filter("parts that add up", |fields| Spent::default().with(fields).is_some())
        .prop_map(Operation::Add)
}

fn some_fields() -> impl Strategy<Value = Vec<Field>> {
    let category = select(&["", "food", "eating out", "a#b"]).prop_map(Field::Category);
    let notes = select(&["", "with Ann & Bob", "żółć 🍜"]).prop_map(Field::Notes);
    const PARTS: [&[&str]; 4] =
        [&[], &["food", "household"], &["travel", "food", "travel"], &["a#b", "food", "household"]];
    let parts = select(&PARTS).prop_map(Field::Parts);
    let field =
        prop_oneof![3 => some_item(), 3 => some_money(), 3 => some_date(), 3 => category, 3 => notes, 1 => parts];
    prop::collection::vec(field, 1..4)
}

fn some_item() -> impl Strategy<Value = Field> {
    select(&["coffee", "electricity bill", "ramen 🍜"]).prop_map(Field::Item)
}

fn some_money() -> impl Strategy<Value = Field> {
    let minor = prop_oneof![1..500_i64, 1..50_i64, Just(99_999_999)];
    (minor, 0..CURRENCIES.len()).prop_map(|(minor, currency)| Field::Money(minor, currency))
}

/// In the last months, and at the limits of stored dates.
fn some_date() -> impl Strategy<Value = Field> {
    let edges = select(vec![date(1970, 1, 1), date(2024, 2, 29), date(2026, 11, 20)]);
    prop_oneof![4 => (9..=10_i8, 1..=30_i8).prop_map(|(month, day)| date(2026, month, day)), 1 => edges]
        .prop_map(Field::Date)
}
