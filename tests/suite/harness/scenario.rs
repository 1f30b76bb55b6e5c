//! Scenarios for kill tests, and their runner: it kills the program, starts it again, repeats the request and checks
//! the stored items.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::civil::date;
use sayso::{
    local::{EmbeddedDynamoDb, Storage},
    outbound::{Connection, Outbound, SendError},
    proposal::{Draft, Record, Rollup, RollupKey, contribute},
    store::{Among, ListQuery, Store, keys},
};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::{
    bench::{Bench, caller},
    kill::{Answer, Kill, Program, Sent, Side},
};

/// A request without a final answer is repeated at most this often.
const PATIENCE: usize = 10;

pub struct Scenario {
    /// Variables of the program.
    pub settings: &'static [(&'static str, &'static str)],
    /// Whether the change happens in one transaction, so that nobody ever sees half of it.
    pub whole: bool,
    /// Its result is passed to the other functions.
    pub prepare: fn(&Client<'_>) -> Value,
    /// The program is killed during this request.
    pub act: fn(&Value) -> Sent,
    /// Sent to the restarted program until there is a final answer.
    pub again: fn(&Value) -> Sent,
    /// Checks that hold in the end, wherever the program was killed.
    pub oracle: fn(&Run),
}

/// A client of one tenant, for requests without kills.
pub struct Client<'a> {
    rig: &'a Rig,
    tenant: &'a str,
}

/// One run of a scenario, with or without kills.
pub struct Run {
    pub prepared: Value,
    pub before: Books,
    pub after: Books,
    /// The final answer.
    pub answer: Answer,
    /// From the last start of the program (or from the end of the preparation) to the answer.
    pub calls: Vec<String>,
    /// How many kills took place.
    pub kills: usize,
}

/// The stored rows, sums and receipts of a tenant.
#[derive(Debug, Clone, PartialEq)]
pub struct Books {
    pub rows: Vec<Record>,
    /// Proposal ids, newest first.
    pub receipts: Vec<String>,
}

/// One database for all runs. Each run has its own tenant.
pub struct Rig {
    runtime: Runtime,
    dynamodb: EmbeddedDynamoDb,
    store: Store,
    outbound: Outbound,
    settings: &'static [(&'static str, &'static str)],
    program: Program,
    runs: usize,
}

/// Kills the program at every store call, in every possible way.
pub fn each_kill(scenario: &Scenario) {
    let mut rig = Rig::new(scenario.settings);
    let undisturbed = rig.run(scenario, &[]);
    for kill in kills(&undisturbed.calls) {
        let run = rig.run(scenario, &[kill]);
        assert_eq!(run.kills, 1);
        run.assert_same_result(&undisturbed);
    }
}

/// Kills the program at every store call, and again at every store call of the repeated request.
pub fn each_pair_of_kills(scenario: &Scenario) {
    let mut rig = Rig::new(scenario.settings);
    let undisturbed = rig.run(scenario, &[]);
    for first in kills(&undisturbed.calls) {
        let again = rig.run(scenario, std::slice::from_ref(&first)).calls;
        let runs = kills(&again).into_iter().map(|second| {
            let run = rig.run(scenario, &[first.clone(), second]);
            run.assert_same_result(&undisturbed);
            run.kills
        });
        // Calls that were sent together with the first killed call may have arrived or not, which changes the remaining
        // calls.
        assert_eq!(runs.max(), Some(2), "{first:?}");
    }
}

/// A late read is the same as a lost one, so it is left out.
fn kills(calls: &[String]) -> Vec<Kill> {
    let mut kills = Vec::new();
    for (n, operation) in calls.iter().enumerate() {
        let nth = calls[..=n].iter().filter(|call| *call == operation).count();
        let reads = ["GetItem", "BatchGetItem", "Query"].contains(&operation.as_str());
        let sides = [Side::Before, Side::After, Side::Late].into_iter().filter(|side| !reads || *side != Side::Late);
        kills.extend(sides.map(|side| Kill { operation: operation.clone(), nth, side }));
    }
    kills
}

impl Rig {
    pub fn new(settings: &'static [(&'static str, &'static str)]) -> Rig {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let dynamodb = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
        let store = Store::new(dynamodb.service(), "sayso");
        let program = Program::start(&runtime, &dynamodb.endpoint(), settings);
        Rig { runtime, dynamodb, store, outbound: Outbound::default(), settings, program, runs: 0 }
    }

    /// The first kill is during `act`, each further kill during the request that follows the one before.
    pub fn run(&mut self, scenario: &Scenario, kills: &[Kill]) -> Run {
        self.runs += 1;
        // Printed if anything below fails.
        println!("killed at {kills:?}");
        let tenant = format!("t{}", self.runs);
        let prepared = (scenario.prepare)(&Client { rig: self, tenant: &tenant });
        let before = self.books(&tenant);
        let (mut seen, mut late, mut killed) = (vec![], vec![], 0);
        self.program.arm(kills.first().cloned());
        let mut sent = (scenario.act)(&prepared);
        let answer = (0..PATIENCE).find_map(|_| match self.send(&tenant, &sent) {
            Ok(answer) if is_final(&answer) => Some(answer),
            Ok(_) => {
                self.let_claims_lapse(&tenant);
                None
            }
            Err(error) => {
                assert!(self.program.was_killed(), "{error}");
                killed += 1;
                seen.push(self.books(&tenant));
                late.extend(self.program.late());
                self.program = Program::start(&self.runtime, &self.dynamodb.endpoint(), self.settings);
                self.program.arm(kills.get(killed).cloned());
                sent = (scenario.again)(&prepared);
                None
            }
        });
        let answer = answer.expect("a final answer");
        let calls = self.program.calls();
        self.program.arm(None);
        let after = self.books(&tenant);
        for request in late {
            self.runtime.block_on(self.outbound.send(request)).expect("the database answers");
        }
        let again = self.send(&tenant, &(scenario.again)(&prepared)).expect("nothing kills it now");
        assert_eq!(without_replayed(&again), without_replayed(&answer));
        assert_eq!(self.books(&tenant), after);
        let halves = seen.iter().filter(|books| **books != before && **books != after);
        assert!(!scenario.whole || halves.count() == 0, "half of it was seen");
        let run = Run { prepared, before, after, answer, calls, kills: killed };
        (scenario.oracle)(&run);
        run
    }

    fn send(&self, tenant: &str, sent: &Sent) -> Result<Answer, SendError> {
        self.runtime.block_on(self.program.send(tenant, sent))
    }

    /// Reads them, and checks that the sums are those of the rows.
    fn books(&self, tenant: &str) -> Books {
        let caller = caller(tenant, "me", "admin");
        let store = self.store.tenant(caller.tenant());
        let (from, to) = (date(1, 1, 1), date(9999, 12, 31));
        let query = ListQuery {
            kind: "E",
            among: Among::All,
            from,
            to,
            conditions: vec![],
            limit: 100_000,
            after: None,
            oldest_first: false,
        };
        let stored =
            async { tokio::try_join!(store.list(&query), store.rollups("E", from, to), store.receipts(None, 1_000)) };
        let (page, rollups, receipts) = self.runtime.block_on(stored).expect("the store answers");
        assert_eq!(page.next, None);
        let mut sums: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
        page.records.iter().for_each(|row| contribute(&mut sums, &row.draft, 1));
        assert_eq!(crate::change_sets::shown(rollups), sums);
        Books {
            rows: page.records,
            receipts: receipts
                .into_iter()
                .map(|listed| listed.header.expect("it can be read").id.to_string())
                .collect(),
        }
    }

    /// Expires the claims: the claim of a killed turn stays valid for a minute.
    fn let_claims_lapse(&self, tenant: &str) {
        let bench = Bench { store: self.store.clone(), caller: caller(tenant, "me", "admin") };
        let table = self.store.table();
        let lapse = async {
            for ((pk, sk), item) in bench.contents().await {
                if item.contains_key("startedAt") && !item.contains_key("reply") {
                    let update = self.store.client().update_item().table_name(table);
                    let update = update.key(keys::PK, AttributeValue::S(pk)).key(keys::SK, AttributeValue::S(sk));
                    let update = update.update_expression("SET startedAt = :past");
                    let update = update.expression_attribute_values(":past", AttributeValue::N("0".into()));
                    update.send().await.expect("the store answers");
                }
            }
        };
        self.runtime.block_on(lapse);
    }
}

impl Client<'_> {
    /// Writes rows that exist from the start.
    pub fn add_rows(&self, drafts: Vec<Draft>) {
        let caller = caller(self.tenant, "me", "admin");
        let store = self.rig.store.tenant(caller.tenant());
        let import = async {
            let first = store.allocate_ids("E", drafts.len()).await?;
            let rows = (first..).zip(drafts).map(|(id, draft)| Record { id, version: 1, draft });
            store.import(&rows.collect::<Vec<_>>()).await
        };
        self.rig.runtime.block_on(import).expect("the store answers");
    }

    /// Anything but 200 fails the test.
    pub fn post(&self, path: &str, body: Value) -> Value {
        let sent = Sent { path: path.into(), headers: vec![], body };
        let answer = self.rig.send(self.tenant, &sent).expect("nothing kills it yet");
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }
}

impl Run {
    /// Rows that are new or have changed.
    pub fn gained(&self) -> Vec<&Record> {
        self.after.rows.iter().filter(|row| !self.before.rows.contains(row)).collect()
    }

    pub fn lost(&self) -> Vec<&Record> {
        self.before.rows.iter().filter(|row| !self.after.rows.contains(row)).collect()
    }

    pub fn new_receipts(&self) -> Vec<&String> {
        self.after.receipts.iter().filter(|id| !self.before.receipts.contains(id)).collect()
    }

    /// Equal except for ids: an id that was allocated before a kill is not used again.
    fn assert_same_result(&self, undisturbed: &Run) {
        let drafts = |run: &Run| run.after.rows.iter().map(|row| row.draft.clone()).collect::<Vec<Draft>>();
        assert_eq!(drafts(self), drafts(undisturbed));
        let end = |run: &Run| (run.after.receipts.len(), run.answer.status);
        assert_eq!(end(self), end(undisturbed));
    }
}

fn is_final(answer: &Answer) -> bool {
    answer.status != 503 && answer.status != 202 && answer.body["type"] != "urn:sayso:problem:still-answering"
}

fn without_replayed(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Some(receipt) = answer.body.get_mut("receipt").and_then(Value::as_object_mut) {
        receipt.remove("replayed");
    }
    answer
}
