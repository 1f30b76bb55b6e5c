//! Recomputes a tenant's rollups from its rows, and prints what was wrong.

use super::{LocalError, build, seed};
use crate::{
    config::Config,
    proposal::{NameKey, Rollup, RollupKey},
    store::{Drift, Reconciliation, SumKey},
};

/// Reads all rows and rollups of a tenant, and repairs the rollups that are wrong.
pub async fn reconcile(config: Config, tenant: &str) -> Result<(), LocalError> {
    let caller = seed::owner(tenant)?;
    let (app, _dynamodb) = build(config).await?;
    let found = app.agent.store.tenant(caller.tenant()).reconcile().await?;
    println!("{}", report(tenant, &found));
    finished(&found)
}

fn finished(Reconciliation { busy, .. }: &Reconciliation) -> Result<(), LocalError> {
    if busy.is_empty() { Ok(()) } else { Err(LocalError::Busy(busy.len())) }
}

fn report(tenant: &str, found: &Reconciliation) -> String {
    let Reconciliation { rows, rollups, drifts, busy } = found;
    let mut lines = vec![format!("read {rows} rows and {rollups} rollups of tenant {tenant}; sums are in minor units")];
    lines.extend(drifts.iter().map(drift));
    lines.extend(busy.iter().map(|key| format!("{}: written to each time it was looked at, not repaired", name(key))));
    if drifts.is_empty() && busy.is_empty() {
        lines.push("every rollup is what its rows add up to".into());
    }
    lines.join("\n")
}

fn drift(Drift { key, stored, recomputed }: &Drift) -> String {
    let totals = |rollup: &Option<Rollup>| match rollup {
        Some(Rollup { sum, count, parts, .. }) if !parts.is_empty() => {
            format!("sum {sum}, count {count} and {} counted elsewhere", parts.values().sum::<i64>())
        }
        Some(Rollup { sum, count, .. }) => format!("sum {sum}, count {count}"),
        None => "nothing".to_owned(),
    };
    let on = |rollup: &Option<Rollup>, day| {
        let of_day = |rollup: &Rollup| (rollup.days.get(&day).copied(), rollup.parts.get(&day).copied());
        rollup.as_ref().map(of_day).unwrap_or_default()
    };
    let days = (1..=31).filter(|day| on(stored, *day) != on(recomputed, *day));
    let days: Vec<String> = days.map(|day| day.to_string()).collect();
    let days =
        if days.is_empty() { "its days were right".into() } else { format!("wrong on days {}", days.join(", ")) };
    format!("{}: stored {}; recomputed {}; {days}; repaired", name(key), totals(stored), totals(recomputed))
}

/// Free text is quoted.
fn name(key: &SumKey) -> String {
    match key {
        SumKey::Month(RollupKey { kind, owner, year, month, unit, group }) => {
            format!("{kind} {year:04}-{month:02} {owner:?} {unit} {group:?}")
        }
        SumKey::Name(NameKey { kind, owner, name, unit }) => format!("{kind} {owner:?} {unit} called {name:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_a_line_for_each_drift() {
        let key = |group: &str| {
            let (kind, owner, unit, group) = ("E".into(), "me".into(), "GBP".into(), group.into());
            SumKey::Month(RollupKey { kind, owner, year: 2026, month: 3, unit, group })
        };
        let called = SumKey::Name(NameKey {
            kind: "E".into(),
            owner: "me".into(),
            name: "bus \"42\"".into(),
            unit: "GBP".into(),
        });
        let total = |sum, count| Some(Rollup { sum, count, ..Rollup::default() });
        let rollup = |sum, count| {
            let days = [(7, (950, 1)), (20, (sum - 950, 1))].into();
            Some(Rollup { sum, count, days, ..Rollup::default() })
        };
        let drifts = [
            (key("a \"b\"\n"), rollup(1_250, 2), rollup(1_300, 2)),
            (key("food"), None, rollup(1_250, 2)),
            (key("taxi"), rollup(1_250, 3), rollup(1_250, 2)),
            (key("travel"), rollup(-1_250, 2), None),
            (called, total(280, 1), total(560, 2)),
        ];
        let drifts = drifts.map(|(key, stored, recomputed)| Drift { key, stored, recomputed });
        let found = Reconciliation { rows: 6, rollups: 5, drifts: drifts.into(), busy: vec![key("utilities")] };
        let expected = r#"read 6 rows and 5 rollups of tenant t1; sums are in minor units
E 2026-03 "me" GBP "a \"b\"\n": stored sum 1250, count 2; recomputed sum 1300, count 2; wrong on days 20; repaired
E 2026-03 "me" GBP "food": stored nothing; recomputed sum 1250, count 2; wrong on days 7, 20; repaired
E 2026-03 "me" GBP "taxi": stored sum 1250, count 3; recomputed sum 1250, count 2; its days were right; repaired
E 2026-03 "me" GBP "travel": stored sum -1250, count 2; recomputed nothing; wrong on days 7, 20; repaired
E "me" GBP called "bus \"42\"": stored sum 280, count 1; recomputed sum 560, count 2; its days were right; repaired
E 2026-03 "me" GBP "utilities": written to each time it was looked at, not repaired"#;
        assert_eq!(report("t1", &found), expected);
        assert!(matches!(finished(&found), Err(LocalError::Busy(1))));
        assert!(finished(&Reconciliation { busy: vec![], ..found }).is_ok());
    }

    #[test]
    fn the_report_says_that_nothing_was_wrong() {
        let found = Reconciliation { rows: 6, rollups: 5, ..Reconciliation::default() };
        let expected = "read 6 rows and 5 rollups of tenant t1; sums are in minor units\n\
                        every rollup is what its rows add up to";
        assert_eq!(report("t1", &found), expected);
    }
}
