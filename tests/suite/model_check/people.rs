//! The rows, proposals and requests of the checks.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use sayso::{
    identity::{Caller, ClaimNames, VerifiedClaims},
    proposal::{
        Audience, Call, ChangeSet, Chunk, Contribution, Decision, Draft, Fingerprint, LIFETIME, Manifest, Operation,
        OperationSummary, Policy, Proposal, ProposalBody, ProposalId, Record, Revision, Task,
    },
};
use serde_json::json;

use super::{
    table::{TENANT, Table},
    world::Step,
};

pub fn now() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub fn a_moment_later() -> Timestamp {
    now() + SignedDuration::from_millis(1)
}

pub fn too_late() -> Timestamp {
    now() + LIFETIME + SignedDuration::from_millis(1)
}

pub fn me() -> Caller {
    caller("me")
}

pub fn caller(user: &str) -> Caller {
    let names =
        ClaimNames { tenant: "tenant".into(), user: "user".into(), name: "name".into(), roles: Some("roles".into()) };
    let claims = [("tenant", TENANT), ("user", user), ("roles", "member")];
    let claims = claims.map(|(name, claim)| (name.to_owned(), json!(claim)));
    Caller::from_claims(&VerifiedClaims(claims.into()), &names).unwrap()
}

pub fn id(n: u8) -> ProposalId {
    ProposalId::random([n; 16])
}

pub fn draft(amount: i64) -> Draft {
    let date = jiff::civil::date(2026, 11, 20);
    Draft {
        kind: "E".into(),
        owner: "me".into(),
        body: [("minor".to_owned(), json!(amount))].into(),
        date,
        rollups: vec![Contribution { date, unit: "GBP".into(), group: "food".into(), amount }],
        duplicate_key: Some("coffee".into()),
        ..Draft::default()
    }
}

/// Changes the amount. Applied twice, it gives the first amount again.
pub fn changed(before: &Draft) -> Draft {
    let amount = before.rollups[0].amount;
    let after = draft(if amount >= 10_000 { amount - 10_000 } else { amount + 10_000 });
    Draft { unique_key: before.unique_key.clone(), ..after }
}

pub fn row(id: u64) -> Record {
    Record { id, version: 1, draft: draft(i64::try_from(id).unwrap() * 100) }
}

pub fn update(id: u64) -> Operation {
    update_to(id, i64::try_from(id).unwrap() * 100 + 50)
}

pub fn update_to(id: u64, amount: i64) -> Operation {
    Operation::Update { before: row(id), after: Record { id, version: 2, draft: draft(amount) } }
}

pub fn create(id: u64) -> Operation {
    Operation::Create { after: row(id) }
}

pub fn delete(id: u64) -> Operation {
    Operation::Delete { before: row(id) }
}

pub fn rows() -> Table {
    Table::new(vec![row(1), row(2), row(3), row(4)])
}

/// The only unique key.
pub fn with_key(row: Record) -> Record {
    Record { draft: Draft { unique_key: Some("rent".into()), ..row.draft }, ..row }
}

pub fn create_with_key(id: u64) -> Operation {
    Operation::Create { after: with_key(row(id)) }
}

pub fn delete_with_key(id: u64) -> Operation {
    Operation::Delete { before: with_key(row(id)) }
}

pub fn single(n: u8, operations: Vec<Operation>) -> Proposal {
    bulk(id(n), now(), vec![operations]).0
}

/// A proposal of these chunks.
pub fn bulk(id: ProposalId, at: Timestamp, chunks: Vec<Vec<Operation>>) -> (Proposal, Arc<[Chunk]>) {
    let all: Vec<Operation> = chunks.concat();
    let count = chunks.len();
    let mut chunks = chunks.into_iter().map(|operations| ChangeSet::new(operations).unwrap());
    let first = chunks.next().unwrap();
    let mut rest: Vec<Chunk> = Vec::new();
    for changes in chunks.rev() {
        let next = rest.last().map(Chunk::id);
        rest.push(Chunk { changes, next });
    }
    rest.reverse();
    let manifest = rest.first().map(|second| Manifest {
        chunks: count,
        summary: OperationSummary::of(&all),
        outliers: vec![],
        owners: ["me".to_owned()].into(),
        next: second.id(),
    });
    let call = Call { tool: "change".into(), arguments: json!({}) };
    let body = ProposalBody { call, notes: vec![], changes: first, manifest, is_watched: false };
    let audience = Audience { tenant: TENANT, user: "me", conversation: "default" };
    (Proposal::new(id, audience, body, at), rest.into())
}

pub fn ask(at: Timestamp, task: Task) -> Step {
    Step::Ask { at, by: me(), task }
}

pub fn decide(at: Timestamp, proposal: &Proposal, decision: Decision) -> Step {
    let fingerprint = Some(proposal.header.fingerprint.clone());
    ask(at, Task::Decide { id: proposal.header.id.clone(), fingerprint, decision })
}

pub fn approve(proposal: &Proposal) -> Step {
    decide(now(), proposal, Decision::Approve)
}

pub fn reject(proposal: &Proposal) -> Step {
    decide(now(), proposal, Decision::Reject { reason: None })
}

pub fn stop(proposal: &Proposal) -> Step {
    decide(a_moment_later(), proposal, Decision::Stop)
}

pub fn revise(proposal: &Proposal, (revision, rest): (Proposal, Arc<[Chunk]>)) -> Step {
    decide(now(), proposal, Decision::Revise(Revision { proposal: Box::new(revision), rest }))
}

/// An approved run can be resumed at any time, even after its proposal would have expired.
pub fn resume(proposal: &Proposal) -> Step {
    Step::Resume { at: too_late(), id: proposal.header.id.clone() }
}

pub fn submit((proposal, rest): (Proposal, Arc<[Chunk]>), policy: Policy) -> Step {
    ask(proposal.header.created_at, Task::Submit { proposal, rest, policy })
}

pub fn mistaken(proposal: &Proposal) -> Step {
    let fingerprint = Some(Fingerprint("another".into()));
    ask(now(), Task::Decide { id: proposal.header.id.clone(), fingerprint, decision: Decision::Approve })
}

pub fn strangers(proposal: &Proposal) -> Step {
    let task = Task::Decide { id: proposal.header.id.clone(), fingerprint: None, decision: Decision::Approve };
    Step::Ask { at: now(), by: caller("you"), task }
}
