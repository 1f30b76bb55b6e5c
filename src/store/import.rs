//! Writes many records without proposals, to fill a table for development. Deployed builds do not contain it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{
    StoreError, TenantStore, conditional,
    dynamodb::{PutItem, UpdateItem, WriteRequest},
    failed, keys,
    proposals::{Addition, name_addition, rollup_addition},
    records::record_item,
    text,
};
use crate::proposal::{Record, contribute, count_name};
use crate::sorted::Collect;

impl TenantStore<'_> {
    /// Writes new records with their unique keys, adds them to the rollups and to the totals of names, and makes their
    /// owners members. This is not one transaction: after a failure, start with a new table.
    pub async fn import(&self, records: &[Record]) -> Result<(), StoreError> {
        let partition = self.records_key();
        let rows = records.iter().map(|record| record_item(&partition, record));
        let keys = records.iter().filter_map(|record| Some(self.unique_key_item(&record.draft.unique()?, record.id)));
        let items = rows.chain(keys.map(Ok)).collect::<Result<Vec<_>, _>>()?;
        self.write_batches(&items, |item| WriteRequest::Put { item: item.clone() }).await?;
        let (mut rollups, mut names) = (BTreeMap::new(), BTreeMap::new());
        for Record { draft, .. } in records {
            contribute(&mut rollups, draft, 1);
            count_name(&mut names, draft, 1);
        }
        for owner in records.iter().map(|record| &record.draft.owner).inserted::<BTreeSet<_>>() {
            let put = PutItem::new().table_name(&self.store.table).item(self.member_item(owner, None));
            conditional(self.store.dynamodb.call(put.condition_expression("attribute_not_exists(pk)")).await)?;
        }
        for (key, delta) in rollups {
            self.add(keys::rollup(&key), rollup_addition(&delta, Timestamp::UNIX_EPOCH)).await?;
        }
        for (key, delta) in names {
            self.add(keys::name(&key), name_addition(&key, &delta, Timestamp::UNIX_EPOCH)).await?;
        }
        Ok(())
    }

    async fn add(&self, sk: String, (expression, values): Addition) -> Result<(), StoreError> {
        let update = UpdateItem::new().table_name(&self.store.table).update_expression(expression);
        let update = update.key(keys::PK, text(self.records_key())).key(keys::SK, text(sk));
        let update = update.expression_attribute_names("#sum", "sum").values(values);
        self.store.dynamodb.call(update).await.map_err(failed)?;
        Ok(())
    }
}
