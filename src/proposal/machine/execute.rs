//! Executes a proposal in one transaction or in several. The write gate is here.

use super::{Approved, Fence, Outcome, Phase, Progress, StoreCall, Work, done, write};
use crate::proposal::{Adjustments, Chunk, Header, OperationSummary, Proposal, Receipt, Run, State, Stopped};

/// Executes a proposal with one chunk.
pub(super) fn execute(progress: Progress, proposal: Proposal, fence: Fence) -> (Progress, Option<StoreCall>) {
    let changes = proposal.body.changes.clone();
    commit(progress, Work { proposal, changes, next: None, adjustments: Adjustments::default(), fence })
}

/// Starts an approved run. From here on it continues until it is done or stopped, whoever resumes it.
pub(super) fn start_run(progress: Progress, proposal: Proposal, by: String) -> (Progress, Option<StoreCall>) {
    let now = progress.now;
    let run =
        Run { touched_at: now, cursor: 0, next: None, done: OperationSummary::default(), skipped: 0, stopped: None };
    let proposal = proposal.with_state(State::Executing { at: now, by, run: Box::new(run) });
    let outcome = Outcome::Executing(proposal.clone());
    let (operations, adjustments) = (vec![], Adjustments::default());
    let approved = Approved { proposal, chunk: None, operations, adjustments, fence: Fence::Pending };
    write(progress, outcome, StoreCall::Commit(approved))
}

/// Executes the next chunk of a run.
pub(super) fn advance(progress: Progress, proposal: Proposal) -> (Progress, Option<StoreCall>) {
    let State::Executing { run, .. } = &proposal.header.state else { return (progress, None) };
    let progress = Progress { run: Some(Box::new(proposal.clone())), ..progress };
    // The first chunk is stored beside the header and was checked against the fingerprint when it was read.
    let Some(manifest) = proposal.body.manifest.as_ref() else { return halt(progress, proposal.header) };
    match &run.next {
        None => {
            let chunk = Chunk { changes: proposal.body.changes.clone(), next: Some(manifest.next.clone()) };
            commit_chunk(progress, proposal, chunk)
        }
        Some(chunk) => {
            let call = StoreCall::LoadChunk { id: proposal.header.id.clone(), chunk: chunk.clone() };
            (Progress { phase: Phase::LoadingChunk(Box::new(proposal)), ..progress }, Some(call))
        }
    }
}

pub(super) fn check_chunk(
    progress: Progress,
    proposal: Proposal,
    found: Option<Chunk>,
) -> (Progress, Option<StoreCall>) {
    let State::Executing { run, .. } = &proposal.header.state else { return (progress, None) };
    match found {
        Some(chunk) if Some(chunk.id()) == run.next => commit_chunk(progress, proposal, chunk),
        _ => halt(progress, proposal.header),
    }
}

/// The first chunk is not the approved one. No later read can mend that, so a run ends.
pub(super) fn altered(progress: Progress, header: Header) -> (Progress, Option<StoreCall>) {
    match header.state {
        State::Executing { .. } => halt(progress, header),
        _ => done(progress, Outcome::Altered(header.id)),
    }
}

/// Ends a run whose next chunk is missing or is not the approved one.
fn halt(progress: Progress, header: Header) -> (Progress, Option<StoreCall>) {
    let stopped = Stopped { at: progress.now, by: None };
    let call = StoreCall::Stop { header, stopped };
    (Progress { phase: Phase::Stopping, ..progress }, Some(call))
}

fn commit_chunk(progress: Progress, proposal: Proposal, chunk: Chunk) -> (Progress, Option<StoreCall>) {
    let State::Executing { run, .. } = &proposal.header.state else { return (progress, None) };
    let fence = Fence::Cursor(run.cursor);
    let Chunk { changes, next } = chunk;
    commit(progress, Work { proposal, changes, next, adjustments: Adjustments::default(), fence })
}

/// The write gate. Only this function and [`start_run`], which writes no record, make an [`Approved`].
pub(super) fn commit(progress: Progress, work: Work) -> (Progress, Option<StoreCall>) {
    let Work { proposal, changes, next, adjustments, fence } = &work;
    let operations = changes.adjusted(adjustments);
    let (mut after, chunk) = match &proposal.header.state {
        State::Executing { at, by, run } => {
            let mut run = run.clone();
            let chunk = run.next.take();
            run.touched_at = progress.now;
            run.cursor += 1;
            run.next = next.clone();
            run.done.add(&OperationSummary::of(&operations));
            run.skipped += adjustments.skipped.len();
            let (at, by) = (*at, by.clone());
            let state = match next {
                Some(_) => State::Executing { at, by, run },
                None => State::Executed { at, by, run: Some(run) },
            };
            (proposal.with_state(state), chunk)
        }
        _ => {
            let Some(caller) = &progress.caller else { return (progress, None) };
            let (at, by) = (progress.now, caller.user().to_string());
            (proposal.with_state(State::Executed { at, by, run: None }), None)
        }
    };
    if chunk.is_none() {
        after.header.adjustments = adjustments.clone();
    }
    let outcome = match Receipt::of(&after) {
        Some(receipt) => Outcome::Executed { proposal: after.clone(), receipt, replayed: false },
        None => Outcome::Executing(after.clone()),
    };
    let (adjustments, fence) = (adjustments.clone(), fence.clone());
    let call = StoreCall::Commit(Approved { proposal: after, chunk, operations, adjustments, fence });
    write(Progress { work: Some(Box::new(work)), ..progress }, outcome, call)
}

/// Continues a run; every other write ends the request.
pub(super) fn written(progress: Progress, outcome: Outcome) -> (Progress, Option<StoreCall>) {
    match outcome {
        Outcome::Executing(proposal) => advance(Progress { attempts: 0, unsure: false, ..progress }, proposal),
        outcome => done(progress, outcome),
    }
}
