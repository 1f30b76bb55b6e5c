//! An overview of a tenant's records of one kind: each month's sums and the first day, from rollups only, in one round trip.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::operation::query::{QueryInput, builders::QueryInputBuilder};
use jiff::civil::Date;

use super::{StoreError, TenantStore, failed, get_number, get_text, keys, records::parse_rollup, text};
use crate::proposal::RollupKey;

/// How many rollups are searched for the first day. The first month rarely has more groups.
const FIRST_DAY_ROLLUPS: i32 = 25;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overview {
    /// The sum in minor units, and the count.
    pub months: BTreeMap<RollupKey, (i128, i64)>,
    /// The date of the first record. None if there is no record, or if more than these rollups would have to be read.
    pub first: Option<Date>,
    /// True if there are older months than these.
    pub is_cut: bool,
}

impl TenantStore<'_> {
    /// Two queries in parallel, of one page each.
    pub async fn overview(&self, kind: &str) -> Result<Overview, StoreError> {
        let months = self.rollup_query(kind).projection_expression("sk, #sum, n").scan_index_forward(false);
        let months = months.expression_attribute_names("#sum", "sum").build();
        let first = self.rollup_query(kind).limit(FIRST_DAY_ROLLUPS).build();
        let (months, first) =
            tokio::try_join!(self.store.dynamodb.call(months), self.store.dynamodb.call(first)).map_err(failed)?;
        let mut overview = Overview { is_cut: months.last_evaluated_key.is_some(), ..Overview::default() };
        for item in months.items.unwrap_or_default() {
            let key = keys::parse_rollup(get_text(&item, keys::SK)?);
            let key = key.ok_or_else(|| StoreError::Corrupt("a rollup's key".into()))?;
            let (sum, count) = (get_number(&item, "sum")?, get_number(&item, "n")?);
            // A rollup whose records are all counted in another group has a sum and no count.
            if (sum, count) != (0, 0) {
                overview.months.insert(key, (sum, count));
            }
        }
        let all = first.last_evaluated_key.is_none();
        let rollups = first.items.unwrap_or_default();
        let rollups = rollups.iter().map(parse_rollup).collect::<Result<Vec<_>, _>>()?;
        let days = rollups.iter().flat_map(|(key, rollup)| {
            let days = rollup.days.iter().filter(|(_, (_, count))| *count != 0);
            days.filter_map(|(day, _)| Date::new(key.year, key.month, *day).ok())
        });
        let first = days.min();
        // A month that was read only in part may have an earlier day.
        let month = |date: Date| (date.year(), date.month());
        let whole = |date: &Date| all || rollups.last().is_some_and(|(key, _)| (key.year, key.month) > month(*date));
        overview.first = first.filter(whole);
        Ok(overview)
    }

    fn rollup_query(&self, kind: &str) -> QueryInputBuilder {
        QueryInput::builder()
            .table_name(&self.store.table)
            .key_condition_expression("pk = :pk AND begins_with(sk, :rollups)")
            .expression_attribute_values(":pk", text(self.records_key()))
            .expression_attribute_values(":rollups", text(keys::rollups(kind)))
            .consistent_read(true)
    }
}
