//! Checks the service's state machine under every interleaving of a few requests with lost, late and refused store
//! calls, killed processes, repeating clients, another writer, expiry and lost chunks. The store is a model of
//! DynamoDB's conditions. Each condition is also left out once, to check that a rule fails.

mod history;
mod memo;
mod mutants;
mod outside;
mod people;
mod requests;
mod rules;
mod scenarios;
mod table;
mod undo;
mod world;

use std::sync::atomic::Ordering;

use stateright::{Checker, Model, Path, Property};

use self::{
    rules::{Met, RULES, Rule},
    scenarios::Scenario,
    world::{Check, Happening, World},
};

impl Model for Check {
    type State = World;
    type Action = Happening;

    fn init_states(&self) -> Vec<World> {
        vec![self.first()]
    }

    fn actions(&self, world: &World, happenings: &mut Vec<Happening>) {
        self.possible(world, happenings);
    }

    fn next_state(&self, world: &World, happening: Happening) -> Option<World> {
        Some(self.next(world, happening))
    }

    fn properties(&self) -> Vec<Property<Check>> {
        // One property for all rules, because the checker looks up every name in every state.
        let name = self.watched.map_or("every rule holds", Rule::name);
        vec![Property::always(name, |check: &Check, world: &World| {
            world.broken & check.watched.map_or(u32::MAX, Rule::bit) == 0
        })]
    }
}

/// Explores all states. Returns their number.
fn explore(check: Check, wanted: &[Met]) -> usize {
    let name = check.name;
    let began = std::time::Instant::now();
    let checker = check.checker().threads(2).spawn_bfs().join();
    let states = checker.unique_state_count();
    let check = checker.model();
    println!(
        "{name}: {states} states, {} transitions, depth {}, {} tables, {} requests, {:?}",
        checker.state_count(),
        checker.max_depth(),
        check.memos.tables.len(),
        check.memos.requests.len(),
        began.elapsed(),
    );
    if let Some(path) = checker.discovery("every rule holds") {
        panic!("{name}: {:?}\n{}", broken_rules(&path), describe(check, path));
    }
    let met = check.met.load(Ordering::Relaxed);
    let missed: Vec<&Met> = wanted.iter().filter(|wanted| met & wanted.bit() == 0).collect();
    assert!(missed.is_empty(), "{name}: never met: {missed:?}");
    states
}

fn broken_rules(path: &Path<World, Happening>) -> Vec<&'static str> {
    let broken = path.last_state().broken;
    RULES.iter().filter(|(rule, _)| broken & rule.bit() != 0).map(|(_, name)| *name).collect()
}

/// The path to a state as text: each event, and the requests after it.
fn describe(check: &Check, path: Path<World, Happening>) -> String {
    let states = path.into_vec();
    let happenings = std::iter::once(None).chain(states.iter().map(|(_, happening)| *happening));
    let lines = states.iter().zip(happenings).map(|((world, _), happening)| {
        let requests = world.seats.iter().take(check.seats.len()).map(|seat| {
            let request = (seat.request != 0).then(|| check.memos.requests.get(seat.request));
            let text = request.map_or("gone".into(), |request| match request.progress.outcome() {
                Some(outcome) => format!("{outcome:?}"),
                None => request.call.as_ref().map_or("stuck".into(), |call| format!("{call:?}")),
            });
            let name: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
            if seat.late == 0 { name } else { format!("{name}, and a late call") }
        });
        let requests: Vec<_> = requests.collect();
        let happening = happening.map_or("at first".into(), |happening| format!("{happening:?}"));
        format!("{happening:24} {}", requests.join("; "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks of single transactions.
const AT_ONCE: [Scenario; 11] = [
    scenarios::two_yes_and_a_no,
    scenarios::a_change_of_mind,
    scenarios::a_yes_too_late,
    scenarios::added_at_once,
    scenarios::changed_at_once,
    scenarios::one_key_for_three,
    scenarios::an_outage,
    scenarios::others_say_yes,
    scenarios::the_same_id_again,
    scenarios::a_doubt,
    scenarios::a_message_understood_differently,
];

const IN_CHUNKS: [Scenario; 9] = [
    scenarios::many_rows_are_shown,
    scenarios::many_rows_and_a_stop,
    scenarios::many_rows_that_change,
    scenarios::two_runs,
    scenarios::a_run_and_a_key,
    scenarios::many_rows_are_revised,
    scenarios::a_chunk_is_lost,
    scenarios::a_first_chunk_is_lost,
    scenarios::an_outage_of_many_rows,
];

const TAKEN_BACK: [Scenario; 2] = [scenarios::an_undo_of_an_undo, scenarios::undone_by_two];

/// With this many more failures than usual.
fn explore_all(scenarios: &[Scenario], more: u8, at_least: usize) {
    let checks = scenarios.iter().map(|scenario| scenario());
    let checks = checks.map(|(check, wanted)| explore(Check { faults: check.faults + more, ..check }, wanted));
    let states: usize = checks.sum();
    println!("{states} states in all");
    assert!(states >= at_least, "only {states} states");
}

#[test]
fn every_state_is_sound_with_one_transaction() {
    explore_all(&AT_ONCE, 0, 600_000);
}

#[test]
fn every_state_is_sound_with_chunks() {
    explore_all(&IN_CHUNKS, 0, 700_000);
}

#[test]
fn every_state_is_sound_with_an_undo() {
    explore_all(&TAKEN_BACK, 0, 200_000);
}

#[test]
#[ignore = "it takes minutes: `make torture`"]
fn torture_every_state_is_sound_with_more_failures() {
    explore_all(&[&AT_ONCE[..], &IN_CHUNKS, &TAKEN_BACK].concat(), 1, 10_000_000);
}
