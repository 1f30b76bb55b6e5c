//! What a request means for the proposal that it is about.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Fence, Outcome, Phase, Progress, Settlement, StoreCall, Task, Verdict, done,
    execute::{advance, execute, start_run},
    load, may_execute, replay, write,
};
use crate::proposal::{Chunk, Fingerprint, Operation, Proposal, Standing, State, Stopped};

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
            Some(format!("{}-{}", after.draft.likeness.as_ref()?, after.draft.date))
        }
        _ => None,
    });
    let fence = Fence::Absent { guards: guards.collect() };
    execute(progress, proposal, fence)
}

/// The header comes last: chunks that none names are invisible.
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

/// What a proposal that was found means for this request.
pub(super) fn judge(progress: Progress, found: Option<Proposal>) -> (Progress, Option<StoreCall>) {
    match (&progress.task, found) {
        (Task::Submit { .. }, None) => submit(progress),
        (Task::Submit { .. }, Some(existing)) => {
            let outcome = submitted_before(existing, progress.now);
            done(progress, outcome)
        }
        (Task::Decide { .. } | Task::Resume { .. }, None) => done(progress, Outcome::NotFound),
        (Task::Decide { fingerprint, verdict, .. }, Some(proposal)) => {
            let (fingerprint, verdict) = (fingerprint.clone(), verdict.clone());
            decide(progress, proposal, fingerprint, verdict)
        }
        (Task::Resume { .. }, Some(proposal)) => match proposal.header.standing(progress.now) {
            Standing::Executing => advance(progress, proposal),
            Standing::Executed | Standing::Partial | Standing::Stopped => done(progress, replay(proposal)),
            _ => done(progress, Outcome::Closed(proposal)),
        },
    }
}

pub(super) fn decide(
    progress: Progress,
    proposal: Proposal,
    fingerprint: Option<Fingerprint>,
    verdict: Verdict,
) -> (Progress, Option<StoreCall>) {
    let Some(caller) = progress.caller.clone().filter(|caller| caller.may_change(&proposal.header.user)) else {
        return done(progress, Outcome::Forbidden);
    };
    if fingerprint.as_ref().is_some_and(|shown| *shown != proposal.header.fingerprint) {
        return done(progress, Outcome::FingerprintMismatch);
    }
    let (now, by) = (progress.now, caller.user().to_string());
    match (proposal.header.standing(now), verdict) {
        (Standing::Executed | Standing::Partial | Standing::Stopped, Verdict::Approve)
        | (Standing::Stopped, Verdict::Stop) => done(progress, replay(proposal)),
        (Standing::Executing, Verdict::Approve) => advance(progress, proposal),
        (Standing::Executing, Verdict::Stop) => {
            let call = StoreCall::Stop { header: proposal.header, stopped: Stopped { at: now, by } };
            (Progress { phase: Phase::Stopping, ..progress }, Some(call))
        }
        (Standing::Rejected, Verdict::Reject { .. }) => done(progress, Outcome::Rejected(proposal)),
        (Standing::Expired, _) => done(progress, Outcome::Expired(proposal)),
        (Standing::Pending, Verdict::Approve) if !may_execute(&progress, &proposal) => {
            done(progress, Outcome::Forbidden)
        }
        (Standing::Pending, Verdict::Approve) if proposal.body.manifest.is_some() => start_run(progress, proposal, by),
        (Standing::Pending, Verdict::Approve) => execute(progress, proposal, Fence::Pending),
        // Nothing of it is done, and nothing will be.
        (Standing::Pending, Verdict::Stop) => decide(progress, proposal, fingerprint, Verdict::Reject { reason: None }),
        (Standing::Pending, Verdict::Reject { reason }) => {
            let rejected = proposal.with_state(State::Rejected { at: now, by, reason });
            let call = StoreCall::Settle(Settlement { header: rejected.header.clone() });
            write(progress, Outcome::Rejected(rejected), call)
        }
        (Standing::Superseded, Verdict::Revise { revision, .. }) if is_superseded_by(&proposal, &revision) => {
            let outcome = submitted_before(*revision, now);
            done(progress, outcome)
        }
        (Standing::Pending, Verdict::Revise { revision, .. }) if !may_execute(&progress, &revision) => {
            done(progress, Outcome::Forbidden)
        }
        (Standing::Pending, Verdict::Revise { revision, rest }) => {
            let (revision, superseded) = supersede(&proposal, *revision, now);
            put(progress, revision.clone(), rest, Some(superseded), Outcome::Waiting(revision))
        }
        _ => done(progress, Outcome::Closed(proposal)),
    }
}

pub(super) fn supersede(proposal: &Proposal, mut revision: Proposal, at: Timestamp) -> (Proposal, Settlement) {
    revision.header.supersedes = Some(proposal.header.id.clone());
    let superseded = proposal.with_state(State::Superseded { at, by: revision.header.id.clone() });
    (revision, Settlement { header: superseded.header })
}

/// What became of a proposal that this request, or the same one before it, made.
fn submitted_before(existing: Proposal, now: Timestamp) -> Outcome {
    match existing.header.standing(now) {
        Standing::Pending => Outcome::Waiting(existing),
        Standing::Executing => Outcome::Executing(existing),
        Standing::Executed | Standing::Partial | Standing::Stopped => replay(existing),
        Standing::Expired => Outcome::Expired(existing),
        Standing::Rejected | Standing::Stale | Standing::Superseded => Outcome::Closed(existing),
    }
}

fn is_superseded_by(proposal: &Proposal, revision: &Proposal) -> bool {
    matches!(&proposal.header.state, State::Superseded { by, .. } if *by == revision.header.id)
}
