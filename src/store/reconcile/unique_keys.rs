//! Compares the items of unique keys with the rows that have the keys, and repairs those that name another row.

use std::collections::BTreeMap;

use crate::{
    proposal::Draft,
    store::{
        StoreError, TenantStore,
        dynamodb::{Action, ConditionCheck, DeleteItem, PutItem, TransactWriteItems},
        failed, item,
        keys::{self, PK, SK},
        number, text,
        transaction::{delete_action, put_action},
    },
};

/// A unique key that named another row than the one that has it, by their numbers. None is no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDrift {
    pub kind: String,
    pub stored: Option<u64>,
    pub holder: Option<u64>,
}

/// A unique key as it was read, and the rows that were read after it.
#[derive(Debug, PartialEq)]
pub(super) struct KeyDifference {
    kind: String,
    /// The row that it names, and the version of this row if there is one.
    stored: Option<(u64, Option<u64>)>,
    /// The row that has it, and its version. Of several, the oldest.
    holder: Option<(u64, u64)>,
}

/// Unique keys, and the rows that were read after them.
#[derive(Default)]
pub(super) struct UniqueKeys {
    /// The row that each names, by sort key.
    stored: BTreeMap<String, u64>,
    /// The versions of these rows, by kind and number.
    versions: BTreeMap<(String, u64), Option<u64>>,
    /// The rows that have each key, with their versions.
    having: BTreeMap<String, BTreeMap<u64, u64>>,
}

impl UniqueKeys {
    pub fn store(&mut self, sk: &str, id: u64) {
        self.stored.insert(sk.to_owned(), id);
        self.versions.insert((kind_of(sk), id), None);
    }

    pub fn read(&mut self, draft: &Draft, id: u64, version: u64) {
        if let Some(known) = self.versions.get_mut(&(draft.kind.clone(), id)) {
            *known = Some(version);
        }
        if let Some(key) = draft.unique() {
            self.having.entry(keys::unique_key(&key)).or_default().insert(id, version);
        }
    }

    pub fn differences(self) -> BTreeMap<String, KeyDifference> {
        let UniqueKeys { mut stored, versions, mut having } = self;
        stored.retain(|sk, id| {
            let is_right = having.get(sk).is_some_and(|having| having.contains_key(id));
            if is_right {
                having.remove(sk);
            }
            !is_right
        });
        let mut differences: BTreeMap<String, KeyDifference> = BTreeMap::new();
        for (sk, id) in stored {
            let kind = kind_of(&sk);
            let version = versions.get(&(kind.clone(), id)).copied().flatten();
            differences.insert(sk, KeyDifference { kind, stored: Some((id, version)), holder: None });
        }
        for (sk, having) in having {
            let kind = kind_of(&sk);
            let none = KeyDifference { kind, stored: None, holder: None };
            differences.entry(sk).or_insert(none).holder = having.into_iter().next();
        }
        differences
    }
}

fn kind_of(sk: &str) -> String {
    keys::parse_unique_key(sk).unwrap_or_default().to_owned()
}

impl From<KeyDifference> for KeyDrift {
    fn from(KeyDifference { kind, stored, holder }: KeyDifference) -> KeyDrift {
        KeyDrift { kind, stored: stored.map(|(id, _)| id), holder: holder.map(|(id, _)| id) }
    }
}

impl TenantStore<'_> {
    /// Returns false if the key or a row that it depends on was written to since it was read. While a key names a row that
    /// does not have it, no transaction can give it to this row; so what was read of the rows decides.
    pub(super) async fn repair_key(&self, sk: &str, difference: &KeyDifference) -> Result<bool, StoreError> {
        let KeyDifference { kind, stored, holder } = difference;
        let check = |id: u64, version: Option<u64>| {
            let check = ConditionCheck::new()
                .table_name(&self.store.table)
                .key(PK, text(self.records_key()))
                .key(SK, text(keys::record(kind, id)));
            Action::ConditionCheck(match version {
                Some(version) => {
                    let check = check.condition_expression("version = :version");
                    check.expression_attribute_values(":version", number(version))
                }
                None => check.condition_expression("attribute_not_exists(pk)"),
            })
        };
        let rows = stored.iter().copied().chain(holder.map(|(id, version)| (id, Some(version))));
        let mut actions: Vec<Action> = rows.map(|(id, version)| check(id, version)).collect();
        // If it is as it should be already, this call's answer was lost and it is sent again.
        let place = || [(PK, text(self.records_key())), (SK, text(sk))];
        actions.push(match (holder, stored) {
            (Some((holder, _)), stored) => {
                let [pk, sk] = place();
                let put = PutItem::new().table_name(&self.store.table).item(item([pk, sk, ("id", number(holder))]));
                let put = put.expression_attribute_values(":holder", number(holder));
                put_action(match stored {
                    None => put.condition_expression("attribute_not_exists(pk) OR id = :holder"),
                    Some((id, _)) => put
                        .condition_expression("id = :stored OR id = :holder")
                        .expression_attribute_values(":stored", number(id)),
                })
            }
            (None, stored) => {
                let delete =
                    place().into_iter().fold(DeleteItem::new(), |delete, (name, value)| delete.key(name, value));
                let id = stored.map(|(id, _)| id).unwrap_or_default();
                let delete = delete.table_name(&self.store.table).expression_attribute_values(":stored", number(id));
                delete_action(delete.condition_expression("attribute_not_exists(pk) OR id = :stored"))
            }
        });
        match self.store.dynamodb.call(TransactWriteItems::new().transact_items(actions)).await {
            Ok(_) => Ok(true),
            Err(failure) if failure.code() == Some("TransactionCanceledException") => Ok(false),
            Err(failure) => Err(failed(failure)),
        }
    }
}
