//! Writes many records without proposals, to fill a table for development. Deployed builds do not contain it.

use std::{collections::BTreeMap, time::Duration};

use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};

use super::{
    StoreError, TenantStore, failed, keys,
    proposals::{Addition, name_addition, rollup_addition},
    records::record_item,
    text,
};
use crate::proposal::{Record, contribute, count_name};

/// DynamoDB's limit for one batch.
const BATCH: usize = 25;

impl TenantStore<'_> {
    /// Writes new records with their unique keys, and adds them to the rollups and to the totals of names. This is not
    /// one transaction: after a failure, start with a new table.
    pub async fn import(&self, records: &[Record]) -> Result<(), StoreError> {
        let partition = self.records_key();
        let rows = records.iter().map(|record| record_item(&partition, record));
        let keys = records.iter().filter_map(|record| Some(self.unique_key_item(&record.draft.unique()?, record.id)));
        let items = rows.chain(keys.map(Ok)).collect::<Result<Vec<_>, _>>()?;
        for batch in items.chunks(BATCH) {
            let puts = batch.iter().map(|item| {
                let put = PutRequest::builder().set_item(Some(item.clone())).build().expect("an item is set");
                WriteRequest::builder().put_request(put).build()
            });
            self.write_batch(puts.collect()).await?;
        }
        let (mut rollups, mut names) = (BTreeMap::new(), BTreeMap::new());
        for Record { draft, .. } in records {
            contribute(&mut rollups, draft, 1);
            count_name(&mut names, draft, 1);
        }
        for (key, delta) in rollups {
            self.add(keys::rollup(&key), rollup_addition(&delta)).await?;
        }
        for (key, delta) in names {
            self.add(keys::name(&key), name_addition(&key, &delta)).await?;
        }
        Ok(())
    }

    async fn write_batch(&self, mut items: Vec<WriteRequest>) -> Result<(), StoreError> {
        while !items.is_empty() {
            let request = self.store.client().batch_write_item().request_items(&self.store.table, items);
            let unprocessed = request.send().await.map_err(failed)?.unprocessed_items.unwrap_or_default();
            items = unprocessed.into_values().flatten().collect();
            if !items.is_empty() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Ok(())
    }

    async fn add(&self, sk: String, (expression, values): Addition) -> Result<(), StoreError> {
        let request = self.store.client().update_item().table_name(&self.store.table);
        let request = request.key(keys::PK, text(self.records_key())).key(keys::SK, text(sk));
        let request = request.update_expression(expression).expression_attribute_names("#sum", "sum");
        request.set_expression_attribute_values(Some(values)).send().await.map_err(failed)?;
        Ok(())
    }
}
