//! Decides what a request does to its proposal.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Decision, Fence, Outcome, Phase, Progress, Revision, Settlement, StoreCall, Task, done,
    execute::{advance, execute, start_run},
    load, may_execute, replay, write,
};
use crate::proposal::{Chunk, Fingerprint, Operation, Proposal, ProposalStatus, State, Stopped};

pub(super) fn begin(progress: Progress) -> (Progress, Option<StoreCall>) {
    match &progress.task {
        Task::Submit { proposal, .. } if !may_execute(&progress, proposal) => done(progress, Outcome::Forbidden),
        Task::Submit { .. } => submit(progress),
        Task::Decide { .. } | Task::Resume { .. } => load(progress),
    }
}

pub(super) fn submit(progress: Progress) -> (Progress, Option<StoreCall>) {
    let Task::Submit { proposal, rest, policy } = &progress.task else { return (progress, None) };
    let (proposal, rest) = (proposal.clone(), rest.clone());
    if proposal.body.manifest.is_some() || policy.waits(&proposal.body.changes, &proposal.body.notes) {
        return put(progress, proposal.clone(), rest, None, Outcome::Waiting(proposal));
    }
    let guards = proposal.body.changes.operations().iter().filter_map(|op| match op {
        Operation::Create { after } if !op.is_restored() => {
            Some(format!("{}-{}", after.draft.duplicate_key.as_ref()?, after.draft.date))
        }
        _ => None,
    });
    let fence = Fence::Absent { guards: guards.collect() };
    execute(progress, proposal, fence)
}

/// The header is written last: chunks that no header refers to are invisible.
pub(super) fn put(
    progress: Progress,
    proposal: Proposal,
    rest: Arc<[Chunk]>,
    settles: Option<Settlement>,
    outcome: Outcome,
) -> (Progress, Option<StoreCall>) {
    let header = proposal.header.clone();
    let call = StoreCall::Put { proposal, settles };
    if rest.is_empty() {
        return write(progress, outcome, call);
    }
    let phase = Phase::WritingChunks { then: Box::new((outcome, call)) };
    (Progress { phase, ..progress }, Some(StoreCall::PutChunks { header, chunks: rest }))
}

/// Continues a request with the proposal that was found.
pub(super) fn judge(progress: Progress, found: Option<Proposal>) -> (Progress, Option<StoreCall>) {
    match (&progress.task, found) {
        (Task::Submit { .. }, None) => submit(progress),
        (Task::Submit { .. }, Some(existing)) if existing.header.status(progress.now) == ProposalStatus::Expired => {
            expire(progress, existing)
        }
        (Task::Submit { .. }, Some(existing)) => {
            let outcome = submitted_before(existing, progress.now);
            done(progress, outcome)
        }
        (Task::Decide { .. } | Task::Resume { .. }, None) => done(progress, Outcome::NotFound),
        (Task::Decide { fingerprint, decision, .. }, Some(proposal)) => {
            let (fingerprint, decision) = (fingerprint.clone(), decision.clone());
            decide(progress, proposal, fingerprint, decision)
        }
        (Task::Resume { .. }, Some(proposal)) => match proposal.header.status(progress.now) {
            ProposalStatus::Executing => advance(progress, proposal),
            status if status.is_executed() => done(progress, replay(proposal)),
            _ => done(progress, Outcome::Closed(proposal)),
        },
    }
}

fn decide(
    progress: Progress,
    proposal: Proposal,
    fingerprint: Option<Fingerprint>,
    decision: Decision,
) -> (Progress, Option<StoreCall>) {
    let Some(caller) = progress.caller.clone().filter(|caller| caller.may_change(&proposal.header.user)) else {
        return done(progress, Outcome::Forbidden);
    };
    if fingerprint.as_ref().is_some_and(|shown| *shown != proposal.header.fingerprint) {
        return done(progress, Outcome::FingerprintMismatch);
    }
    let (now, by) = (progress.now, caller.user().to_string());
    match (proposal.header.status(now), decision) {
        (status, Decision::Approve) if status.is_executed() => done(progress, replay(proposal)),
        (ProposalStatus::Stopped | ProposalStatus::Halted, Decision::Stop) => done(progress, replay(proposal)),
        (ProposalStatus::Executing, Decision::Approve) => advance(progress, proposal),
        (ProposalStatus::Executing, Decision::Stop) => {
            let call = StoreCall::Stop { header: proposal.header, stopped: Stopped { at: now, by: Some(by) } };
            (Progress { phase: Phase::Stopping, ..progress }, Some(call))
        }
        (ProposalStatus::Rejected, Decision::Reject { .. }) => done(progress, Outcome::Rejected(proposal)),
        (ProposalStatus::Expired, _) => expire(progress, proposal),
        (ProposalStatus::Pending, Decision::Approve) if !may_execute(&progress, &proposal) => {
            done(progress, Outcome::Forbidden)
        }
        (ProposalStatus::Pending, Decision::Approve) if proposal.body.manifest.is_some() => {
            start_run(progress, proposal, by)
        }
        (ProposalStatus::Pending, Decision::Approve) => execute(progress, proposal, Fence::Pending),
        // Nothing was executed yet, so to stop is to reject.
        (ProposalStatus::Pending, Decision::Stop) => {
            decide(progress, proposal, fingerprint, Decision::Reject { reason: None })
        }
        (ProposalStatus::Pending, Decision::Reject { reason }) => {
            let rejected = proposal.with_state(State::Rejected { at: now, by, reason });
            let call = StoreCall::Settle(Settlement { header: rejected.header.clone() });
            write(progress, Outcome::Rejected(rejected), call)
        }
        (ProposalStatus::Superseded, Decision::Revise(Revision { proposal: revision, .. }))
            if is_superseded_by(&proposal, &revision) =>
        {
            let outcome = submitted_before(*revision, now);
            done(progress, outcome)
        }
        (ProposalStatus::Pending, Decision::Revise(Revision { proposal: revision, .. }))
            if !may_execute(&progress, &revision) =>
        {
            done(progress, Outcome::Forbidden)
        }
        (ProposalStatus::Pending, Decision::Revise(Revision { proposal: revision, rest })) => {
            let (revision, superseded) = supersede(&proposal, *revision, now);
            put(progress, revision.clone(), rest, Some(superseded), Outcome::Waiting(revision))
        }
        _ => done(progress, Outcome::Closed(proposal)),
    }
}

/// Closes it before anybody is told: they will say it again, and an approval from before the expiry may still arrive.
fn expire(progress: Progress, proposal: Proposal) -> (Progress, Option<StoreCall>) {
    if proposal.header.state != State::Pending {
        return done(progress, Outcome::Expired(proposal));
    }
    let expired = proposal.with_state(State::Expired { at: progress.now });
    let call = StoreCall::Settle(Settlement { header: expired.header.clone() });
    write(progress, Outcome::Expired(expired), call)
}

fn supersede(proposal: &Proposal, mut revision: Proposal, at: Timestamp) -> (Proposal, Settlement) {
    revision.header.supersedes = Some(proposal.header.id.clone());
    let superseded = proposal.with_state(State::Superseded { at, by: revision.header.id.clone() });
    (revision, Settlement { header: superseded.header })
}

/// The current state of a proposal that this request made, or an earlier request with the same message.
fn submitted_before(existing: Proposal, now: Timestamp) -> Outcome {
    match existing.header.status(now) {
        ProposalStatus::Pending => Outcome::Waiting(existing),
        ProposalStatus::Executing => Outcome::Executing(existing),
        ProposalStatus::Expired => Outcome::Expired(existing),
        status if status.is_executed() => replay(existing),
        _ => Outcome::Closed(existing),
    }
}

fn is_superseded_by(proposal: &Proposal, revision: &Proposal) -> bool {
    matches!(&proposal.header.state, State::Superseded { by, .. } if *by == revision.header.id)
}
