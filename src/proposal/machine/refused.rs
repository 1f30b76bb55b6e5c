//! What happens after a write whose condition failed: the header or the rows are no longer what they were.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Conflict, Fence, HeaderCheck, Outcome, Progress, Refusal, Settlement, StoreCall, Task, Work,
    decide::{judge, put, submit},
    done,
    execute::commit,
    pause, replay, write,
};
use crate::proposal::{
    Audience, ChangeSet, Note, NoteKind, Operation, Proposal, ProposalBody, ProposalId, ProposalStatus, Record, State,
};

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
            match proposal_with_decision(outcome) {
                Some(proposal) => judge(progress, Some(proposal.with_header(header))),
                None => pause(progress),
            }
        }
        (_, _, HeaderCheck::Failed(_)) => pause(progress),
        (Task::Submit { proposal, rest, policy }, _, HeaderCheck::Passed) if refusal.guard => {
            let (mut proposal, rest, policy) = (proposal.clone(), rest.clone(), *policy);
            let just_added = Note::new(NoteKind::PossibleDuplicate, "", "rows", Value::Null).because("just_added");
            Arc::make_mut(&mut proposal.body).notes.push(just_added);
            submit(Progress { task: Task::Submit { proposal, rest, policy }, work: None, ..progress })
        }
        (_, Some(work), HeaderCheck::Passed) if !refusal.rows.is_empty() || !refusal.taken.is_empty() => {
            rows_changed(progress, *work, refusal.rows, &refusal.taken)
        }
        _ => pause(progress),
    }
}

/// The proposal that a header read later belongs to. For a revision there is none: its header is not the header of the
/// proposal it replaces.
fn proposal_with_decision(outcome: Outcome) -> Option<Proposal> {
    match outcome {
        Outcome::Executed { proposal, .. }
        | Outcome::Executing(proposal)
        | Outcome::Rejected(proposal)
        | Outcome::Expired(proposal) => Some(proposal),
        _ => None,
    }
}

/// A row is stale only if its content changed since it was shown. If only its version changed, the new version becomes
/// the condition. In a run, stale rows are left out; otherwise the whole proposal becomes STALE.
fn rows_changed(
    progress: Progress,
    mut work: Work,
    rows: Vec<(usize, Option<Record>)>,
    taken: &[usize],
) -> (Progress, Option<StoreCall>) {
    let in_run = matches!(work.fence, Fence::Cursor(_));
    let mut changed = Vec::new();
    for index in taken {
        if in_run || is_beside_rows(&work.changes, *index) {
            work.adjustments.skipped.insert(*index);
        } else {
            changed.push((*index, Conflict::Taken));
        }
    }
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
            _ => changed.push((index, now.map_or(Conflict::Deleted, Conflict::Changed))),
        }
    }
    if changed.is_empty() {
        return commit(progress, work);
    }
    let stale = work.proposal.with_state(State::Stale { at: progress.now });
    if matches!(work.fence, Fence::Absent { .. }) {
        // Nothing is stored of it yet. An earlier attempt may still arrive, and fails if the id is taken.
        let outcome = Outcome::Stale { proposal: stale.clone(), changed, revision: None };
        return put(progress, stale, [].into(), None, outcome);
    }
    let settlement = Settlement { header: stale.header.clone() };
    let revision = unchanged_rows(&progress, &work.proposal, &changed);
    let outcome = Outcome::Stale { proposal: stale, changed, revision: revision.clone().map(Box::new) };
    match revision {
        Some(revision) => put(progress, revision, [].into(), Some(settlement), outcome),
        None => write(progress, outcome, StoreCall::Settle(settlement)),
    }
}

/// Whether this is a preference and the change set also has other rows. These are not held up by a preference that is
/// there already.
fn is_beside_rows(changes: &ChangeSet, index: usize) -> bool {
    let is_preference = |operation: &Operation| operation.row().draft.is_preference();
    changes.operations().get(index).is_some_and(is_preference)
        && changes.operations().iter().any(|operation| !is_preference(operation))
}

/// A revision without the rows that changed.
fn unchanged_rows(progress: &Progress, proposal: &Proposal, changed: &[(usize, Conflict)]) -> Option<Proposal> {
    let all = proposal.body.changes.operations();
    let is_changed = |index: usize| changed.iter().any(|(changed, _)| *changed == index);
    let unchanged =
        all.iter().enumerate().filter(|(index, _)| !is_changed(*index)).map(|(_, operation)| operation.clone());
    let changes = ChangeSet::new(unchanged.collect()).ok()?;
    // Preferences alone are not worth a question.
    changes.operations().iter().find(|operation| !operation.row().draft.is_preference())?;
    let left_out = changed.iter().filter_map(|(index, _)| Some(all.get(*index)?.row().row_ref())).collect();
    let mut notes = proposal.body.notes.clone();
    notes.push(Note::changed_since(left_out, Some(all.len())));
    let body = ProposalBody { notes, changes, manifest: None, ..(*proposal.body).clone() };
    let header = &proposal.header;
    let tenant = progress.caller.as_ref()?.tenant().as_str();
    let audience = Audience { tenant, user: &header.user, conversation: &header.conversation };
    let id = ProposalId::derived(&["still holds", tenant, header.id.as_str()]);
    let mut revision = Proposal::new(id, audience, body, progress.now);
    revision.header.supersedes = Some(header.id.clone());
    Some(revision)
}
