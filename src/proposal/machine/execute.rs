//! Executes a proposal in one transaction or in several. The write gate is here.

use std::sync::Arc;

use super::{
    Approved, Fence, HeaderCheck, Outcome, Phase, Progress, Refusal, Settlement, StoreCall, Task, Work,
    decide::{judge, put, submit},
    done, pause, replay, write,
};
use crate::proposal::{
    Adjustments, Audience, ChangeSet, Chunk, Note, NoteKind, OperationSummary, Proposal, ProposalBody, ProposalId,
    ProposalStatus, Receipt, Record, Run, State,
};

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
    let Some(manifest) = proposal.body.manifest.as_ref() else { return done(progress, Outcome::Halted(proposal)) };
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
        _ => done(progress, Outcome::Halted(proposal)),
    }
}

pub(super) fn commit_chunk(progress: Progress, proposal: Proposal, chunk: Chunk) -> (Progress, Option<StoreCall>) {
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

pub(super) fn refused(progress: Progress, outcome: Outcome, refusal: Refusal) -> (Progress, Option<StoreCall>) {
    let work = progress.work.clone();
    match (&progress.task, work, refusal.header) {
        // Another request executed this chunk or stopped the run. The header tells which, and that request continues.
        (_, Some(work), HeaderCheck::Failed(Some(header))) if matches!(work.fence, Fence::Cursor(_)) => {
            let proposal = work.proposal.with_header(header);
            let outcome = match proposal.header.status(progress.now) {
                ProposalStatus::Executing => Outcome::Executing(proposal),
                _ => replay(proposal),
            };
            done(progress, outcome)
        }
        // Operations never change, so the header alone shows what won the race.
        (Task::Decide { .. }, _, HeaderCheck::Failed(Some(header))) if header.state != State::Pending => {
            match decided(outcome) {
                Some(proposal) => judge(progress, Some(proposal.with_header(header))),
                None => pause(progress),
            }
        }
        (_, _, HeaderCheck::Failed(_)) => pause(progress),
        (Task::Submit { proposal, rest, policy }, _, HeaderCheck::Passed) if refusal.guard => {
            let (mut proposal, rest, policy) = (proposal.clone(), rest.clone(), *policy);
            let text = "the same was added a moment ago".into();
            Arc::make_mut(&mut proposal.body).notes.push(Note { kind: NoteKind::PossibleDuplicate, text });
            submit(Progress { task: Task::Submit { proposal, rest, policy }, work: None, ..progress })
        }
        (_, Some(work), HeaderCheck::Passed) if !refusal.rows.is_empty() => rows_changed(progress, *work, refusal.rows),
        _ => pause(progress),
    }
}

/// The proposal that a header read later belongs to. For a revision there is none: its header is not the header of the
/// proposal it replaces.
pub(super) fn decided(outcome: Outcome) -> Option<Proposal> {
    match outcome {
        Outcome::Executed { proposal, .. } | Outcome::Executing(proposal) | Outcome::Rejected(proposal) => {
            Some(proposal)
        }
        _ => None,
    }
}

/// A row is stale only if its content changed since it was shown. If only its version changed, the new version becomes
/// the condition. In a run, stale rows are left out; otherwise the whole proposal becomes STALE.
pub(super) fn rows_changed(
    progress: Progress,
    mut work: Work,
    rows: Vec<(usize, Option<Record>)>,
) -> (Progress, Option<StoreCall>) {
    let in_run = matches!(work.fence, Fence::Cursor(_));
    let mut changed = Vec::new();
    for (index, now) in rows {
        let holds = work.changes.operations().get(index).is_some_and(|operation| operation.still_holds(now.as_ref()));
        // Only once: a row that changes back and forth must not block the others for ever.
        match &now {
            Some(now) if holds && !work.adjustments.versions.contains_key(&index) => {
                work.adjustments.versions.insert(index, now.version);
            }
            _ if in_run => {
                work.adjustments.versions.remove(&index);
                work.adjustments.skipped.insert(index);
            }
            _ => changed.push((index, now)),
        }
    }
    if changed.is_empty() {
        return commit(progress, work);
    }
    let proposal = work.proposal;
    match &progress.task {
        Task::Decide { .. } => {
            let stale = proposal.with_state(State::Stale { at: progress.now });
            let settlement = Settlement { header: stale.header.clone() };
            let revision = unchanged_rows(&progress, &proposal, &changed);
            let outcome = Outcome::Stale { proposal: stale, changed, revision: revision.clone().map(Box::new) };
            match revision {
                Some(revision) => put(progress, revision, [].into(), Some(settlement), outcome),
                None => write(progress, outcome, StoreCall::Settle(settlement)),
            }
        }
        _ => done(progress, Outcome::Stale { proposal, changed, revision: None }),
    }
}

/// A revision without the rows that changed.
pub(super) fn unchanged_rows(
    progress: &Progress,
    proposal: &Proposal,
    changed: &[(usize, Option<Record>)],
) -> Option<Proposal> {
    let all = proposal.body.changes.operations();
    let is_changed = |index: usize| changed.iter().any(|(changed, _)| *changed == index);
    let unchanged =
        all.iter().enumerate().filter(|(index, _)| !is_changed(*index)).map(|(_, operation)| operation.clone());
    let changes = ChangeSet::new(unchanged.collect()).ok()?;
    // Preferences alone are not worth a question.
    changes.operations().iter().find(|operation| !operation.row().draft.is_preference())?;
    let left_out: Vec<String> =
        changed.iter().filter_map(|(index, _)| Some(format!("#{}", all.get(*index)?.row().id))).collect();
    let text = format!("{} of {} changed since then: {}", left_out.len(), all.len(), left_out.join(", "));
    let mut notes = proposal.body.notes.clone();
    notes.push(Note { kind: NoteKind::LeftOut, text });
    let body = ProposalBody { call: proposal.body.call.clone(), notes, changes, manifest: None };
    let header = &proposal.header;
    let tenant = progress.caller.as_ref()?.tenant().as_str();
    let audience = Audience { tenant, user: &header.user, conversation: &header.conversation };
    let id = ProposalId::derived(&["still holds", tenant, header.id.as_str()]);
    let mut revision = Proposal::new(id, audience, body, progress.now);
    revision.header.supersedes = Some(header.id.clone());
    Some(revision)
}
