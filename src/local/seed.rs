//! Generates expenses, to test the service with many rows. The same count, tenant and day give the same rows.

use jiff::civil::Date;
use serde_json::json;

use super::{LocalError, build};
use crate::{
    config::Config,
    expenses::Expense,
    identity::{Caller, ClaimNames, VerifiedClaims},
    money::{Currency, Money},
    proposal::{Draft, Record},
};

/// The rows are spread over this many days until today.
const DAYS: u64 = 730;

/// The owner of the rows, which is also the user of a request without headers.
const OWNER: &str = "me";

/// Item, category, and usual price in minor units of a currency with two decimals.
const USUAL: [(&str, &str, u64); 12] = [
    ("coffee", "food", 350),
    ("lunch", "food", 950),
    ("groceries", "groceries", 4_200),
    ("bus ticket", "transport", 280),
    ("taxi", "transport", 1_450),
    ("cinema", "entertainment", 1_200),
    ("book", "entertainment", 1_099),
    ("electricity bill", "utilities", 7_800),
    ("phone bill", "utilities", 2_500),
    ("pharmacy", "health", 1_320),
    ("shoes", "shopping", 6_500),
    ("rent", "housing", 95_000),
];

/// Writes `count` expenses and their rollups for a tenant.
pub async fn seed(config: Config, count: usize, tenant: &str) -> Result<(), LocalError> {
    let currency =
        config.defaults.currency.as_deref().and_then(|code| Currency::parse(code).ok()).unwrap_or(Currency::GBP);
    let caller = owner(tenant)?;
    let (app, _dynamodb) = build(config).await?;
    let today = (app.now)().to_zoned(app.agent.defaults.timezone.clone()).date();
    let store = app.agent.store.tenant(caller.tenant());
    let drafts = made_up(count, currency, today);
    let Some(kind) = drafts.first().map(|draft| draft.kind.clone()) else { return Ok(()) };
    let first = store.allocate_ids(&kind, count).await?;
    let records: Vec<Record> = (first..).zip(drafts).map(|(id, draft)| Record { id, version: 1, draft }).collect();
    store.import(&records).await?;
    println!("wrote {count} expenses for tenant {tenant}");
    Ok(())
}

pub(super) fn owner(tenant: &str) -> Result<Caller, LocalError> {
    let names =
        ClaimNames { tenant: "tenant".into(), user: "user".into(), name: "name".into(), roles: Some("roles".into()) };
    let claims = [("tenant", json!(tenant)), ("user", json!(OWNER)), ("roles", json!("admin"))];
    let claims = VerifiedClaims(claims.map(|(name, claim)| (name.to_owned(), claim)).into());
    Caller::from_claims(&claims, &names).map_err(|_| LocalError::Tenant(tenant.into()))
}

/// Expenses over the last two years.
pub fn made_up(count: usize, currency: Currency, today: Date) -> Vec<Draft> {
    let mut numbers = Numbers(1);
    (0..count).map(|_| numbers.expense(currency, today).draft(OWNER)).collect()
}

/// A linear congruential generator (Knuth's MMIX constants). Its high bits are random enough for this.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn expense(&mut self, currency: Currency, today: Date) -> Expense {
        let usual = self.below(USUAL.len() as u64);
        let (item, category, price) = USUAL[usize::try_from(usual).expect("an index")];
        // From half to one and a half of the usual price.
        let cents = price / 2 + self.below(price + 1);
        let ago = i64::try_from(self.below(DAYS)).expect("two years of days");
        Expense {
            item: item.into(),
            money: Money { minor: minor(cents, currency), currency },
            date: today.saturating_sub(jiff::Span::new().days(ago)),
            category: Some(category.into()),
            notes: None,
            lines: vec![],
            bank_id: None,
        }
    }
}

fn minor(cents: u64, currency: Currency) -> i64 {
    let cents = i64::try_from(cents).expect("a price");
    (cents * 10_i64.pow(currency.exponent()) / 100).max(1)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_same_arguments_give_the_same_rows() {
        let make = || made_up(500, Currency::GBP, date(2026, 11, 21));
        assert_eq!(make(), make());
        assert!(make().iter().all(|draft| (date(2024, 11, 21)..=date(2026, 11, 21)).contains(&draft.date)));
    }
}
