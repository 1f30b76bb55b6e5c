//! Compares what a turn did with what the recording did from the same state. Words are not compared.

use std::collections::BTreeSet;

use super::observed::{Act, Facts, Observed, in_words};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// It asks, or waits for a yes, where the recording acts or answers.
    Asked,
    /// Each difference.
    Wrong(Vec<String>),
    /// No model answered.
    Failed,
}

pub fn judge(before: &Observed, recorded: &Observed, got: &Observed) -> Verdict {
    if got.reply.status.is_server_error() {
        return Verdict::Failed;
    }
    let verdict = match (before.rows != recorded.rows, before.rows != got.rows) {
        (recorded_writes, true) => {
            let early = if recorded_writes { None } else { Some("wrote what the recording does not write".to_owned()) };
            of(early.into_iter().chain(differences("the table", &recorded.facts(), &got.facts())).collect())
        }
        (true, false) => did_not_write(recorded, got),
        (false, false) => wrote_nothing(recorded, got),
    };
    match verdict {
        Verdict::Right => of(differences("what waits", &recorded.waiting.concat(), &got.waiting.concat())),
        other => other,
    }
}

/// Where the recording writes.
fn did_not_write(recorded: &Observed, got: &Observed) -> Verdict {
    let written = recorded.written();
    match got.act() {
        Act::Asks => Verdict::Asked,
        Act::Proposes(shown) => match differences("what it shows", &written, &shown) {
            same if same.is_empty() => Verdict::Asked,
            different => Verdict::Wrong(different),
        },
        Act::Says => Verdict::Wrong(differences("what it wrote", &written, &[])),
    }
}

/// Where the recording writes nothing either.
fn wrote_nothing(recorded: &Observed, got: &Observed) -> Verdict {
    match (recorded.act(), got.act()) {
        (Act::Proposes(expected), Act::Proposes(shown)) => of(differences("what it shows", &expected, &shown)),
        (Act::Asks, Act::Asks) => Verdict::Right,
        (_, Act::Asks) => Verdict::Asked,
        (Act::Asks, Act::Proposes(shown)) => {
            let shown = shown.iter().map(|shown| format!("it shows {}", in_words(shown)));
            Verdict::Wrong(["it does not ask".to_owned()].into_iter().chain(shown).collect())
        }
        (Act::Asks, Act::Says) => Verdict::Wrong(vec!["it does not ask".to_owned()]),
        (Act::Proposes(expected), Act::Says) => Verdict::Wrong(differences("what it shows", &expected, &[])),
        (Act::Says, Act::Proposes(shown)) => Verdict::Wrong(differences("what it shows", &[], &shown)),
        (Act::Says, Act::Says) => of(found_otherwise(recorded, got)),
    }
}

/// Of two answers: other rows, or other sums. A model may look up something else, so only what both have is compared.
fn found_otherwise(recorded: &Observed, got: &Observed) -> Vec<String> {
    let ids = |of: &Observed| {
        let rows = of.reply.body["listed"].as_array()?;
        Some(rows.iter().map(|row| format!("#{}", row["id"])).collect::<BTreeSet<_>>())
    };
    let list = |ids: BTreeSet<String>| Vec::from_iter(ids).join(", ");
    let rows = ids(recorded).zip(ids(got)).filter(|(recorded, got)| recorded != got);
    let rows = rows.map(|(recorded, got)| format!("it lists {}, the recording {}", list(got), list(recorded)));
    let sums = ["totals", "balance"].iter().filter_map(|field| {
        let (recorded, got) = (&recorded.reply.body[field], &got.reply.body[field]);
        let differ = !recorded.is_null() && !got.is_null() && recorded != got;
        differ.then(|| format!("its {field} are {got}, in the recording {recorded}"))
    });
    rows.into_iter().chain(sums).collect()
}

fn of(differences: Vec<String>) -> Verdict {
    if differences.is_empty() { Verdict::Right } else { Verdict::Wrong(differences) }
}

/// What is missing, and what is there besides.
fn differences(place: &str, expected: &[Facts], got: &[Facts]) -> Vec<String> {
    let mut besides = got.to_vec();
    let mut missing = expected.to_vec();
    for same in [|expected: &Facts, got: &Facts| expected == got, is_as_said] {
        missing.retain(|expected| {
            let found = besides.iter().position(|got| same(expected, got));
            found.map(|at| besides.remove(at)).is_none()
        });
    }
    let missing = missing.iter().map(|facts| format!("{place} lacks: {}", in_words(facts)));
    missing.chain(besides.iter().map(|facts| format!("{place} has besides: {}", in_words(facts)))).collect()
}

/// A category counts only where the recording has one.
fn is_as_said(expected: &Facts, got: &Facts) -> bool {
    let got = got.iter().filter(|(name, _)| !name.ends_with("category") || expected.contains_key(*name));
    got.eq(expected.iter())
}
