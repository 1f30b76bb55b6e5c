//! The mixes of requests that are checked.

use std::sync::Arc;

use sayso::proposal::{Chunk, Decision, Note, Operation, Policy, Proposal, Task};

use super::{
    people::{
        a_moment_later, approve, bulk, create, create_with_key, decide, delete, delete_with_key, draft, id, me,
        mistaken, now, reject, resume, revise, row, rows, single, stop, strangers, submit, too_late, update, update_to,
        with_key,
    },
    rules::Met,
    table::Table,
    world::{Check, Step},
};

/// The start of a check, and the situations that it has to reach.
pub type Scenario = fn() -> (Check, &'static [Met]);

fn three_chunks() -> (Proposal, Arc<[Chunk]>) {
    bulk(id(1), now(), vec![vec![update(1)], vec![delete(2), create(10)], vec![update(3)]])
}

fn two_chunks() -> (Proposal, Arc<[Chunk]>) {
    bulk(id(1), now(), vec![vec![update(1)], vec![update(2), create(10)]])
}

/// Two approvals and a rejection, while another writer changes the rows.
pub fn two_yes_and_a_no() -> (Check, &'static [Met]) {
    let shown = single(1, vec![update(1), delete(2)]);
    let check = Check {
        name: "two_yes_and_a_no",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![vec![approve(&shown)], vec![approve(&shown)], vec![reject(&shown)]],
        faults: 2,
        retries: 1,
        writes: 1,
        edited: vec![1],
        touched: vec![1],
        ..Check::default()
    };
    use Met::{Closed, Executed, LateRefused, LateTookEffect, Rebased, Rejected, Replayed, Stale, StillHolds};
    (check, &[Executed, Replayed, Rejected, Stale, StillHolds, Closed, Rebased, LateTookEffect, LateRefused])
}

/// An approval, an edit, and a rejection of the edit.
pub fn a_change_of_mind() -> (Check, &'static [Met]) {
    let shown = single(1, vec![update(1)]);
    let revision = bulk(id(2), now(), vec![vec![update_to(1, 777)]]);
    let check = Check {
        name: "a_change_of_mind",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![
            vec![approve(&shown)],
            vec![revise(&shown, revision.clone()), approve(&revision.0)],
            vec![reject(&shown)],
        ],
        faults: 2,
        retries: 1,
        ..Check::default()
    };
    use Met::{Closed, Executed, LateRefused, Rejected, Superseded};
    (check, &[Executed, Rejected, Superseded, Closed, LateRefused])
}

/// An approval in time, one too late, and TTL deletes the expired proposal.
pub fn a_yes_too_late() -> (Check, &'static [Met]) {
    let shown = single(1, vec![update(1)]);
    let check = Check {
        name: "a_yes_too_late",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![
            vec![approve(&shown)],
            vec![decide(too_late(), &shown, Decision::Approve)],
            vec![submit((shown.clone(), [].into()), Policy::Always)],
        ],
        // More is for `make torture`: with two there are three million states.
        faults: 1,
        retries: 1,
        forgets: true,
        ..Check::default()
    };
    use Met::{Executed, Expired, Forgotten, NotFound, Replayed, Waiting};
    (check, &[Executed, Replayed, Expired, NotFound, Forgotten, Waiting])
}

/// One message sent twice, and another with the same content, each executed at once.
pub fn added_at_once() -> (Check, &'static [Met]) {
    let message = || submit((single(1, vec![create(10)]), [].into()), Policy::Risky);
    let mut like_it = create(11);
    if let Operation::Create { after } = &mut like_it {
        after.draft = draft(1_000);
    }
    let check = Check {
        name: "added_at_once",
        start: rows(),
        seats: vec![
            vec![message()],
            vec![message()],
            vec![submit((single(2, vec![like_it]), [].into()), Policy::Risky)],
        ],
        faults: 2,
        retries: 1,
        ..Check::default()
    };
    use Met::{AskedDuplicate, Executed, LateRefused, LateTookEffect, Replayed};
    (check, &[Executed, Replayed, AskedDuplicate, LateTookEffect, LateRefused])
}

/// Changes that the policy executes at once.
pub fn changed_at_once() -> (Check, &'static [Met]) {
    let message = || submit((single(1, vec![update(1)]), [].into()), Policy::Never);
    let check = Check {
        name: "changed_at_once",
        start: rows(),
        seats: vec![
            vec![message()],
            vec![message()],
            vec![submit((single(2, vec![update_to(1, 777)]), [].into()), Policy::Never)],
        ],
        faults: 2,
        retries: 1,
        writes: 1,
        edited: vec![1],
        touched: vec![1],
        ..Check::default()
    };
    use Met::{Executed, Rebased, Replayed, Stale};
    (check, &[Executed, Replayed, Stale, Rebased])
}

/// Three rows want the same unique key, two by approval and one at once. Another writer frees it.
pub fn one_key_for_three() -> (Check, &'static [Met]) {
    let (one, other) = (single(1, vec![create_with_key(10)]), single(2, vec![create_with_key(11), update(1)]));
    let check = Check {
        name: "one_key_for_three",
        start: rows().with_waiting(&one, &[]).with_waiting(&other, &[]),
        seats: vec![
            vec![approve(&one)],
            vec![approve(&other)],
            vec![submit((single(3, vec![create_with_key(12)]), [].into()), Policy::Never)],
        ],
        faults: 2,
        retries: 1,
        writes: 1,
        removed: vec![10, 11, 12],
        ..Check::default()
    };
    use Met::{Closed, Executed, LateRefused, LateTookEffect, Replayed, Stale, StillHolds};
    (check, &[Executed, Replayed, Stale, StillHolds, Closed, LateTookEffect, LateRefused])
}

/// A run wants a unique key that another row gives up and a third one wants.
pub fn a_run_and_a_key() -> (Check, &'static [Met]) {
    let (shown, rest) = bulk(id(1), now(), vec![vec![update(1)], vec![delete_with_key(5), create_with_key(10)]]);
    let other = single(2, vec![create_with_key(11)]);
    let check = Check {
        name: "a_run_and_a_key",
        start: Table::new(vec![row(1), with_key(row(5))]).with_waiting(&shown, &rest).with_waiting(&other, &[]),
        seats: vec![vec![approve(&shown)], vec![approve(&other)], vec![resume(&shown)]],
        faults: 1,
        retries: 1,
        writes: 1,
        edited: vec![5],
        removed: vec![5],
        ..Check::default()
    };
    (check, &[Met::Executed, Met::Partial, Met::Stale, Met::TwoRunners])
}

/// A proposal in chunks is submitted twice, then approved.
pub fn many_rows_are_shown() -> (Check, &'static [Met]) {
    let made = three_chunks();
    let check = Check {
        name: "many_rows_are_shown",
        start: rows(),
        seats: vec![
            vec![submit(made.clone(), Policy::Risky), approve(&made.0)],
            vec![submit(made.clone(), Policy::Risky)],
        ],
        faults: 2,
        retries: 1,
        ..Check::default()
    };
    use Met::{DiedWritingChunks, Executed, LateRefused, Waiting};
    (check, &[Waiting, Executed, DiedWritingChunks, LateRefused])
}

/// One client approves a run, another resumes it, and a third stops it.
pub fn many_rows_and_a_stop() -> (Check, &'static [Met]) {
    let (shown, rest) = three_chunks();
    let check = Check {
        name: "many_rows_and_a_stop",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![approve(&shown)], vec![resume(&shown)], vec![stop(&shown)]],
        faults: 1,
        retries: 1,
        out_of_time: true,
        ..Check::default()
    };
    use Met::{Closed, Executed, Executing, Finished, FinishedByAnother, LateRefused, StoppedMidway, TwoRunners};
    (check, &[Executed, Executing, StoppedMidway, Closed, TwoRunners, FinishedByAnother, LateRefused, Finished])
}

/// Two clients approve a run and one rejects it, while another writer changes some rows.
pub fn many_rows_that_change() -> (Check, &'static [Met]) {
    let (shown, rest) = two_chunks();
    let check = Check {
        name: "many_rows_that_change",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![approve(&shown)], vec![approve(&shown)], vec![reject(&shown)]],
        faults: 1,
        writes: 2,
        edited: vec![1, 2],
        touched: vec![2],
        removed: vec![1],
        ..Check::default()
    };
    use Met::{Executed, Partial, Rebased, Rejected, Replayed, TwoRunners};
    (check, &[Executed, Replayed, Rejected, Partial, Rebased, TwoRunners])
}

/// Two runs on the same rows at once.
pub fn two_runs() -> (Check, &'static [Met]) {
    let (one, rest) = two_chunks();
    let (other, other_rest) = bulk(id(2), now(), vec![vec![update_to(2, 777)], vec![delete(1)]]);
    let check = Check {
        name: "two_runs",
        start: rows().with_waiting(&one, &rest).with_waiting(&other, &other_rest),
        seats: vec![vec![approve(&one)], vec![approve(&other)], vec![resume(&one)]],
        faults: 1,
        retries: 1,
        ..Check::default()
    };
    (check, &[Met::Executed, Met::Partial, Met::TwoRunners])
}

/// A proposal of many rows is revised to as many others.
pub fn many_rows_are_revised() -> (Check, &'static [Met]) {
    let (shown, rest) = two_chunks();
    let revision = bulk(id(2), now(), vec![vec![update_to(1, 777)], vec![update(2)], vec![update(3)]]);
    let check = Check {
        name: "many_rows_are_revised",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![revise(&shown, revision.clone()), approve(&revision.0)], vec![approve(&shown)]],
        faults: 2,
        retries: 1,
        ..Check::default()
    };
    use Met::{Closed, DiedWritingChunks, Executed, Superseded};
    (check, &[Executed, Superseded, Closed, DiedWritingChunks])
}

/// A chunk is lost or altered.
pub fn a_chunk_is_lost() -> (Check, &'static [Met]) {
    let (shown, rest) = three_chunks();
    let check = Check {
        name: "a_chunk_is_lost",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![approve(&shown)], vec![resume(&shown)]],
        faults: 1,
        retries: 1,
        damages: 1,
        alters: true,
        ..Check::default()
    };
    (check, &[Met::Executed, Met::Halted, Met::Altered])
}

/// A chunk is lost, perhaps the first, which has what was shown. Then the run ends, and cannot be told.
pub fn a_first_chunk_is_lost() -> (Check, &'static [Met]) {
    let (shown, rest) = two_chunks();
    let check = Check {
        name: "a_first_chunk_is_lost",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![approve(&shown)], vec![resume(&shown)], vec![stop(&shown)]],
        faults: 1,
        damages: 1,
        ..Check::default()
    };
    (check, &[Met::Executed, Met::Halted, Met::Altered, Met::NotFound])
}

/// An executed proposal is undone, and the undo too.
pub fn an_undo_of_an_undo() -> (Check, &'static [Met]) {
    let (shown, rest) = bulk(id(1), now(), vec![vec![update(1)], vec![delete(2)]]);
    let undo = |of: u8, n: u8| Step::Undo { at: a_moment_later(), of: id(of), id: id(n) };
    let yes = |n: u8| Step::Approve { at: a_moment_later(), id: id(n) };
    let check = Check {
        name: "an_undo_of_an_undo",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![approve(&shown), undo(1, 30), yes(30), undo(30, 31), yes(31)], vec![approve(&shown)]],
        faults: 1,
        retries: 1,
        writes: 1,
        edited: vec![1],
        touched: vec![1],
        ..Check::default()
    };
    (check, &[Met::Executed, Met::UndoneTwice, Met::Partial])
}

/// Two undos of the same proposal at once.
pub fn undone_by_two() -> (Check, &'static [Met]) {
    let shown = single(1, vec![delete(2)]);
    let undo = |n: u8| Step::Undo { at: a_moment_later(), of: id(1), id: id(n) };
    let yes = |n: u8| Step::Approve { at: a_moment_later(), id: id(n) };
    let check = Check {
        name: "undone_by_two",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![vec![approve(&shown), undo(30), yes(30)], vec![approve(&shown), undo(32), yes(32)]],
        faults: 2,
        retries: 1,
        ..Check::default()
    };
    (check, &[Met::Executed, Met::Stale])
}

/// Most calls get no answer.
pub fn an_outage() -> (Check, &'static [Met]) {
    let shown = single(1, vec![update(1)]);
    let check = Check {
        name: "an_outage",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![vec![approve(&shown)], vec![reject(&shown)]],
        faults: 6,
        retries: 1,
        ..Check::default()
    };
    (check, &[Met::Busy, Met::Unknown, Met::Executed, Met::Rejected])
}

/// Most calls get no answer during a run.
pub fn an_outage_of_many_rows() -> (Check, &'static [Met]) {
    let (shown, rest) = two_chunks();
    let check = Check {
        name: "an_outage_of_many_rows",
        start: rows().with_waiting(&shown, &rest),
        seats: vec![vec![approve(&shown)], vec![stop(&shown)]],
        faults: 6,
        ..Check::default()
    };
    (check, &[Met::Busy, Met::Unknown, Met::Executed, Met::Executing])
}

/// A caller without the right role, and one with another fingerprint.
pub fn others_say_yes() -> (Check, &'static [Met]) {
    let shown = single(1, vec![update(1)]);
    let check = Check {
        name: "others_say_yes",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![vec![strangers(&shown)], vec![mistaken(&shown)], vec![reject(&shown)]],
        faults: 3,
        retries: 1,
        ..Check::default()
    };
    (check, &[Met::Forbidden, Met::Mismatch, Met::Rejected])
}

/// A message is sent again after its proposal was deleted, with different content.
pub fn the_same_id_again() -> (Check, &'static [Met]) {
    let shown = single(1, vec![update(1)]);
    let other = bulk(id(1), now(), vec![vec![update_to(1, 777)]]);
    let check = Check {
        name: "the_same_id_again",
        start: rows().with_waiting(&shown, &[]),
        seats: vec![vec![approve(&shown)], vec![reject(&shown)], vec![submit(other, Policy::Always)]],
        faults: 1,
        retries: 1,
        forgets: true,
        ..Check::default()
    };
    (check, &[Met::Executed, Met::Rejected, Met::Waiting, Met::Forgotten, Met::Mismatch])
}

/// Two messages, one executed at once and one shown. If an attempt at one ends without a reply, the next one asks a
/// question.
pub fn a_message_understood_differently() -> (Check, &'static [Met]) {
    let message = |proposal, policy| {
        vec![Step::Message { at: now(), by: me(), task: Task::Submit { proposal, rest: [].into(), policy } }]
    };
    let check = Check {
        name: "a_message_understood_differently",
        start: rows(),
        seats: vec![
            message(single(1, vec![create(10)]), Policy::Never),
            message(single(2, vec![update(1)]), Policy::Always),
        ],
        faults: 3,
        retries: 3,
        ..Check::default()
    };
    use Met::{Asked, Executed, LateRefused, LateTookEffect, Replayed, Waiting};
    (check, &[Asked, Executed, Replayed, Waiting, LateTookEffect, LateRefused])
}

/// A proposal with an assumption waits, whatever the policy.
pub fn a_doubt() -> (Check, &'static [Met]) {
    let mut doubtful = single(1, vec![create(10)]);
    let note = Note::assumed("E", "date", "2026-11-20");
    Arc::make_mut(&mut doubtful.body).notes.push(note);
    let check = Check {
        name: "a_doubt",
        start: rows(),
        seats: vec![
            vec![submit((doubtful.clone(), [].into()), Policy::Risky), approve(&doubtful)],
            vec![reject(&doubtful)],
        ],
        faults: 2,
        retries: 1,
        ..Check::default()
    };
    (check, &[Met::Waiting, Met::Executed, Met::Rejected, Met::NotFound])
}
