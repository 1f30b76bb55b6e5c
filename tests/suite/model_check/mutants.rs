//! Leaves out one condition of the store at a time: some rule has to fail. Conditions without such a rule are listed
//! with the reason.
//!
//! The checks inside `step` (who may decide, the content of a further chunk, the order of chunks and header) are not
//! conditions of the table and cannot be left out here.

use rstest::rstest;
use stateright::{Checker, HasDiscoveries, Model};

use super::{
    rules::Rule,
    scenarios::{self, Scenario},
    table::Guard,
    world::Check,
};

#[rstest]
#[case::approve_pending(Guard::ApprovePending, scenarios::two_yes_and_a_no, Rule::Rejected)]
#[case::approve_fingerprint(Guard::ApproveFingerprint, scenarios::the_same_id_again, Rule::Approved)]
#[case::chunk_executing(Guard::ChunkExecuting, scenarios::many_rows_and_a_stop, Rule::Stopped)]
#[case::chunk_cursor(Guard::ChunkCursor, scenarios::many_rows_that_change, Rule::Accounted)]
#[case::put_absent(Guard::PutAbsent, scenarios::many_rows_are_shown, Rule::Decided)]
#[case::execute_absent(Guard::ExecuteAbsent, scenarios::one_key_for_three, Rule::Stale)]
#[case::refused_kept(Guard::RefusedKept, scenarios::one_key_for_three, Rule::Stale)]
#[case::expired_closed(Guard::ExpiredClosed, scenarios::a_yes_too_late, Rule::Expired)]
#[case::settle_pending(Guard::SettlePending, scenarios::two_yes_and_a_no, Rule::Decided)]
#[case::settle_fingerprint(Guard::SettleFingerprint, scenarios::the_same_id_again, Rule::Rejected)]
#[case::stop_executing(Guard::StopExecuting, scenarios::many_rows_and_a_stop, Rule::Decided)]
#[case::row_version(Guard::RowVersion, scenarios::two_yes_and_a_no, Rule::Overwrites)]
#[case::row_absent(Guard::RowAbsent, scenarios::undone_by_two, Rule::Overwrites)]
#[case::key_free(Guard::KeyFree, scenarios::one_key_for_three, Rule::OneHolder)]
#[case::keys_together(Guard::KeysTogether, scenarios::a_run_and_a_key, Rule::Holders)]
#[case::chunk_kept(Guard::ChunkKept, scenarios::a_chunk_is_lost, Rule::LoneChunk)]
#[case::first_missed(Guard::FirstMissed, scenarios::a_first_chunk_is_lost, Rule::CanFinish)]
#[case::intact(Guard::Intact, scenarios::a_chunk_is_lost, Rule::Approved)]
#[case::duplicate(Guard::Duplicate, scenarios::added_at_once, Rule::AskedTwice)]
#[case::chunks_written(Guard::ChunksWritten, scenarios::many_rows_are_shown, Rule::ChunksFirst)]
#[case::together(Guard::Together, scenarios::two_yes_and_a_no, Rule::Rejected)]
#[case::rollups_together(Guard::RollupsTogether, scenarios::a_change_of_mind, Rule::Rollups)]
#[case::skipped_deltas(Guard::SkippedDeltas, scenarios::many_rows_that_change, Rule::Rollups)]
#[case::run_opened(Guard::RunOpened, scenarios::many_rows_and_a_stop, Rule::Registered)]
#[case::run_closed(Guard::RunClosed, scenarios::many_rows_and_a_stop, Rule::Registered)]
#[case::run_closed_by_stop(Guard::RunClosedByStop, scenarios::many_rows_and_a_stop, Rule::Registered)]
#[case::adjustments_kept(Guard::AdjustmentsKept, scenarios::many_rows_that_change, Rule::Recorded)]
#[case::claim_held(Guard::ClaimHeld, scenarios::a_message_understood_differently, Rule::Asked)]
#[case::unknown_told(Guard::UnknownTold, scenarios::an_outage, Rule::Busy)]
fn a_guard_that_is_left_out_is_noticed(#[case] guard: Guard, #[case] scenario: Scenario, #[case] rule: Rule) {
    let check = Check { without: Some(guard), watched: Some(rule), ..scenario().0 };
    let checker = check.checker().finish_when(HasDiscoveries::Any).spawn_bfs().join();
    let found = checker.discovery(rule.name());
    println!("{guard:?}: {} states, {}", checker.unique_state_count(), rule.name());
    assert!(found.is_some(), "without {guard:?} no state breaks: {}", rule.name());
    println!("{}", super::describe(checker.model(), found.unwrap()));
}

/// Conditions that another check covers.
///
/// - `ApproveUnexpired`: `step` has compared the same two times before it asks for the commit, and neither changes.
/// - `ConflictFirst`: a stale proposal is stored only if its id is new or still PENDING, so a commit in progress wins.
/// - `ChunkFingerprint`, `StopFingerprint`: a header that is EXECUTING is never deleted, so its id has one fingerprint.
#[rstest]
#[case::approve_unexpired(Guard::ApproveUnexpired, scenarios::a_yes_too_late)]
#[case::conflict_first(Guard::ConflictFirst, scenarios::changed_at_once)]
#[case::conflict_first_with_a_key(Guard::ConflictFirst, scenarios::one_key_for_three)]
#[case::chunk_fingerprint(Guard::ChunkFingerprint, scenarios::two_runs)]
#[case::stop_fingerprint(Guard::StopFingerprint, scenarios::many_rows_and_a_stop)]
fn a_guard_behind_another_is_not_missed(#[case] guard: Guard, #[case] scenario: Scenario) {
    let (check, wanted) = scenario();
    super::explore(Check { without: Some(guard), faults: 1, ..check }, wanted);
}
