//! Recomputes a tenant's rollups from its rows, and prints what was wrong.

use super::{LocalError, build, seed};
use crate::{
    config::Config,
    proposal::{NameKey, Rollup, RollupKey},
    store::{Drift, KeyDrift, Reconciliation, SumKey},
};

/// Reads all rows and rollups of a tenant, and repairs the rollups that are wrong.
pub async fn reconcile(config: Config, tenant: &str) -> Result<(), LocalError> {
    let caller = seed::owner(tenant)?;
    let (app, _dynamodb) = build(config).await?;
    let found = app.agent.store.tenant(caller.tenant()).reconcile((app.now)()).await?;
    println!("{}", report(tenant, &found));
    finished(&found)
}

fn finished(Reconciliation { busy, busy_keys, .. }: &Reconciliation) -> Result<(), LocalError> {
    let busy = busy.len() + busy_keys.len();
    if busy == 0 { Ok(()) } else { Err(LocalError::Busy(busy)) }
}

fn report(tenant: &str, found: &Reconciliation) -> String {
    let Reconciliation { rows, rollups, drifts, busy, emptied, keys, busy_keys } = found;
    let mut lines = vec![format!("read {rows} rows and {rollups} rollups of tenant {tenant}; sums are in minor units")];
    lines.extend(drifts.iter().map(drift));
    lines.extend(busy.iter().map(|key| format!("{}: written to each time it was looked at, not repaired", name(key))));
    lines.extend(keys.iter().map(key_drift));
    let busy_key = |key: &String| format!("{key}: its rows were written to each time it was looked at, not repaired");
    lines.extend(busy_keys.iter().map(busy_key));
    if *emptied > 0 {
        lines.push(format!("deleted {emptied} rollups that no rows add up to"));
    }
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

fn key_drift(KeyDrift { kind, stored, holder }: &KeyDrift) -> String {
    let row = |id: &Option<u64>| id.map_or_else(|| "nothing".to_owned(), |id| format!("row {id}"));
    format!("{kind}: a unique key stored as of {}; recomputed {}; repaired", row(stored), row(holder))
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
        let keys = vec![KeyDrift { kind: "MB".into(), stored: Some(3), holder: None }];
        let (drifts, busy, busy_keys) = (drifts.into(), vec![key("utilities")], vec!["U#MB#1f".into()]);
        let found = Reconciliation { rows: 6, rollups: 5, drifts, busy, emptied: 2, keys, busy_keys };
        let expected = r#"read 6 rows and 5 rollups of tenant t1; sums are in minor units
E 2026-03 "me" GBP "a \"b\"\n": stored sum 1250, count 2; recomputed sum 1300, count 2; wrong on days 20; repaired
E 2026-03 "me" GBP "food": stored nothing; recomputed sum 1250, count 2; wrong on days 7, 20; repaired
E 2026-03 "me" GBP "taxi": stored sum 1250, count 3; recomputed sum 1250, count 2; its days were right; repaired
E 2026-03 "me" GBP "travel": stored sum -1250, count 2; recomputed nothing; wrong on days 7, 20; repaired
E "me" GBP called "bus \"42\"": stored sum 280, count 1; recomputed sum 560, count 2; its days were right; repaired
E 2026-03 "me" GBP "utilities": written to each time it was looked at, not repaired
MB: a unique key stored as of row 3; recomputed nothing; repaired
U#MB#1f: its rows were written to each time it was looked at, not repaired
deleted 2 rollups that no rows add up to"#;
        assert_eq!(report("t1", &found), expected);
        assert!(matches!(finished(&found), Err(LocalError::Busy(2))));
        assert!(finished(&Reconciliation { busy: vec![], busy_keys: vec![], ..found }).is_ok());
    }

    #[test]
    fn the_report_says_that_nothing_was_wrong() {
        let found = Reconciliation { rows: 6, rollups: 5, ..Reconciliation::default() };
        let expected = "read 6 rows and 5 rollups of tenant t1; sums are in minor units\n\
                        every rollup is what its rows add up to";
        assert_eq!(report("t1", &found), expected);
    }
}
