//! The store and the state machine without a service: requests of one tenant, step by step.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{Timestamp, civil::Date};
use sayso::{
    identity::{Caller, ClaimNames, VerifiedClaims},
    proposal::{
        Audience, Body, Call, ChangeSet, Contribution, Decision, Draft, Event, Operation, Outcome, Policy, Progress,
        Proposal, ProposalBody, ProposalId, Record, StoreCall, Task, hash_text, step,
    },
    store::{Bookkeeping, Store, TenantStore, keys::Partition},
};
use serde_json::json;

use super::NOW;

/// The owner of rows from [`spent`], and the user of the bench's requests.
pub const USER: &str = "ann";

pub const CONVERSATION: &str = "kitchen";

pub type Item = HashMap<String, AttributeValue>;

#[derive(Debug, Clone)]
pub struct Bench {
    pub store: Store,
    pub caller: Caller,
}

impl Bench {
    pub fn new(store: Store, tenant: &str) -> Bench {
        Bench { store, caller: caller(tenant, USER, "member") }
    }

    pub fn view(&self) -> TenantStore<'_> {
        self.store.tenant(self.caller.tenant())
    }

    pub fn partition(&self) -> String {
        Partition::records(self.caller.tenant()).as_str().to_owned()
    }

    /// The same name gives the same proposal.
    pub fn proposal(&self, name: &str, operations: Vec<Operation>, at: Timestamp) -> Proposal {
        proposal(&self.caller, name, operations, at)
    }

    /// Stores a waiting proposal.
    pub async fn put(&self, proposal: &Proposal) -> Event {
        self.put_with(proposal, &Bookkeeping::default()).await
    }

    pub async fn put_with(&self, proposal: &Proposal, bookkeeping: &Bookkeeping) -> Event {
        let call = StoreCall::Put { proposal: proposal.clone(), settles: None };
        self.view().perform(call, bookkeeping).await.expect("the store decides")
    }

    /// Tries the transaction that approves a proposal as this request has read it.
    pub async fn commit(&self, believed: &Proposal, at: Timestamp) -> Event {
        self.commit_with(believed, at, &Bookkeeping::default()).await
    }

    pub async fn commit_with(&self, believed: &Proposal, at: Timestamp, bookkeeping: &Bookkeeping) -> Event {
        self.view().perform(self.approval(believed, at), bookkeeping).await.expect("the store decides")
    }

    pub fn approval(&self, believed: &Proposal, at: Timestamp) -> StoreCall {
        let task = Task::Decide { id: believed.header.id.clone(), fingerprint: None, decision: Decision::Approve };
        write(&self.caller, at, task, Some(believed))
    }

    /// Tries the transaction that stores and executes a proposal at once.
    pub async fn commit_at_once(&self, proposal: &Proposal, at: Timestamp) -> Event {
        let task = Task::Submit { proposal: proposal.clone(), rest: [].into(), policy: Policy::Never };
        let call = write(&self.caller, at, task, None);
        self.view().perform(call, &Bookkeeping::default()).await.expect("the store decides")
    }

    pub async fn reject(&self, believed: &Proposal, at: Timestamp) -> Event {
        let decision = Decision::Reject { reason: Some("not now".into()) };
        let task = Task::Decide { id: believed.header.id.clone(), fingerprint: None, decision };
        let call = write(&self.caller, at, task, Some(believed));
        self.view().perform(call, &Bookkeeping::default()).await.expect("the store decides")
    }

    /// Stores and approves a proposal.
    pub async fn carry_out(&self, name: &str, operations: Vec<Operation>, at: Timestamp) -> Proposal {
        let proposal = self.proposal(name, operations, at);
        assert_eq!(self.put(&proposal).await, Event::Committed);
        assert_eq!(self.commit(&proposal, at).await, Event::Committed);
        self.view().proposal(&proposal.header.id).await.expect("the store answers").expect("it was put")
    }

    /// All stored items of the tenant, by partition and sort key.
    pub async fn contents(&self) -> BTreeMap<(String, String), Item> {
        let tenant = self.caller.tenant();
        let mut contents = BTreeMap::new();
        let mut partitions =
            vec![Partition::records(tenant), Partition::proposals(tenant), Partition::conversations(tenant)];
        while let Some(partition) = partitions.pop() {
            let query = self.store.client().query().table_name(self.store.table()).consistent_read(true);
            let query = query.key_condition_expression("pk = :pk");
            let pk = AttributeValue::S(partition.as_str().into());
            let output = query.expression_attribute_values(":pk", pk).send().await.expect("the store answers");
            for item in output.items.unwrap_or_default() {
                let id = text(&item, "sk").strip_prefix("P#").and_then(ProposalId::parse);
                partitions.extend(id.map(|id| Partition::chunks(tenant, &id)));
                contents.insert((text(&item, "pk"), text(&item, "sk")), item);
            }
        }
        contents
    }
}

pub fn caller(tenant: &str, user: &str, role: &str) -> Caller {
    let names = ClaimNames { tenant: "t".into(), user: "u".into(), name: "name".into(), roles: Some("r".into()) };
    let claims = [("t", tenant), ("u", user), ("r", role)].map(|(name, claim)| (name.to_owned(), json!(claim)));
    Caller::from_claims(&VerifiedClaims(claims.into()), &names).expect("claims that name a caller")
}

/// The same name gives the same proposal.
pub fn proposal(caller: &Caller, name: &str, operations: Vec<Operation>, at: Timestamp) -> Proposal {
    let (tenant, user) = (caller.tenant().as_str(), caller.user().as_str());
    let changes = ChangeSet::new(operations).expect("changes that fit together");
    let call = Call { tool: "test".into(), arguments: json!({ "name": name }) };
    let audience = Audience { tenant, user, conversation: CONVERSATION };
    Proposal::new(
        ProposalId::derived(&[tenant, name]),
        audience,
        ProposalBody { call, notes: vec![], changes, manifest: None, is_watched: false },
        at,
    )
}

/// The first write that the state machine asks for, after it has read `found`.
pub fn write(caller: &Caller, at: Timestamp, task: Task, found: Option<&Proposal>) -> StoreCall {
    let (progress, call) = step(Progress::new(caller.clone(), at, task), Event::Begin);
    let call = match call {
        Some(StoreCall::Load(_)) => step(progress, Event::Loaded(found.cloned())).1,
        call => call,
    };
    call.expect("a request that comes to a write")
}

/// Runs a whole request: performs the state machine's calls until there is an outcome.
pub async fn run(store: &Store, caller: &Caller, at: Timestamp, task: Task) -> Outcome {
    let view = store.tenant(caller.tenant());
    let (mut progress, mut event) = (Progress::new(caller.clone(), at, task), Event::Begin);
    loop {
        let (next, call) = step(progress, event);
        progress = next;
        if let Some(outcome) = progress.outcome() {
            return outcome.clone();
        }
        let call = call.expect("a machine without an outcome asks for something");
        event = view.perform(call, &Bookkeeping::default()).await.expect("the store decides");
    }
}

/// Noon plus this many milliseconds.
pub fn after(millis: i64) -> Timestamp {
    let noon: Timestamp = NOW.parse().expect("a time");
    Timestamp::from_millisecond(noon.as_millisecond() + millis).expect("a time")
}

/// An expense as the toolkit stores it.
pub fn spent(item: &str, minor: i64, currency: &str, category: &str, date: Date) -> Draft {
    let body = Body::from([
        ("item".to_owned(), json!(item)),
        ("minor".to_owned(), json!(minor)),
        ("currency".to_owned(), json!(currency)),
    ]);
    let contribution = Contribution { date, unit: currency.into(), group: category.into(), amount: minor };
    Draft {
        kind: "E".into(),
        owner: USER.into(),
        body,
        date,
        name: Some(item.into()),
        rollups: vec![contribution],
        unique_key: None,
        duplicate_key: Some(hash_text(&format!("{item}|{minor}|{currency}"))),
    }
}

pub fn create(id: u64, draft: Draft) -> Operation {
    Operation::Create { after: Record { id, version: 1, draft } }
}

pub fn update(before: &Record, draft: Draft) -> Operation {
    let after = Record { id: before.id, version: before.version + 1, draft };
    Operation::Update { before: before.clone(), after }
}

pub fn delete(before: &Record) -> Operation {
    Operation::Delete { before: before.clone() }
}

pub fn text(item: &Item, name: &str) -> String {
    item.get(name).and_then(|value| value.as_s().ok()).cloned().unwrap_or_default()
}
