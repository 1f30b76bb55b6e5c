//! The requests and answers of DynamoDB's protocol that the store uses, as data.
//!
//! The names are those of the AWS API. The SDK's own types bring codecs for the whole API and take several times the
//! CPU; the tests read the same table with the SDK.
//!
//! <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB.html>

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
pub use serde_dynamo::AttributeValue;

use crate::aws::{Failure, Operation};

/// A stored item, or the key of one.
pub type Item = HashMap<String, AttributeValue>;

/// The code of a refusal because the condition does not hold.
pub const CONDITION_FAILED: &str = "ConditionalCheckFailedException";

/// The code of a refusal because a transaction is writing to the item.
pub const TRANSACTION_CONFLICT: &str = "TransactionConflictException";

/// A request, or a part of one: optional texts, other optional fields, and maps.
macro_rules! request {
    ($(#[$doc:meta])* $name:ident {
        $(texts { $($text:ident,)* })?
        $(fields { $($field:ident: $type:ty,)* })?
        $(maps { $($map:ident: $value:ty,)* })?
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "PascalCase")]
        pub struct $name {
            $($(#[serde(skip_serializing_if = "Option::is_none")]
            $text: Option<String>,)*)?
            $($(#[serde(skip_serializing_if = "Option::is_none")]
            $field: Option<$type>,)*)?
            $($(#[serde(skip_serializing_if = "HashMap::is_empty", default)]
            $map: HashMap<String, $value>,)*)?
        }

        impl $name {
            pub fn new() -> $name {
                $name::default()
            }

            $($(pub fn $text(mut self, $text: impl Into<String>) -> $name {
                self.$text = Some($text.into());
                self
            })*)?

            $($(pub fn $field(mut self, $field: impl Into<Option<$type>>) -> $name {
                self.$field = $field.into();
                self
            })*)?

            $($(pub fn $map(mut self, name: impl Into<String>, value: impl Into<$value>) -> $name {
                self.$map.insert(name.into(), value.into());
                self
            })*)?
        }
    };
}

/// A request that is a call, with its answer.
macro_rules! operation {
    ($name:ident: $target:literal -> $output:ty) => {
        impl Operation for $name {
            const TARGET: &'static str = concat!("DynamoDB_20120810.", $target);
            const CONTENT_TYPE: &'static str = "application/x-amz-json-1.0";
            type Output = $output;
        }
    };
}

request!(GetItem {
    texts { table_name, }
    fields { consistent_read: bool, }
    maps { key: AttributeValue, }
});
operation!(GetItem: "GetItem" -> ItemOutput);

request!(Query {
    texts { table_name, index_name, key_condition_expression, filter_expression, projection_expression, }
    fields { consistent_read: bool, scan_index_forward: bool, limit: i32, exclusive_start_key: Item, }
    maps { expression_attribute_names: String, expression_attribute_values: AttributeValue, }
});
operation!(Query: "Query" -> QueryOutput);

request!(PutItem {
    texts { table_name, condition_expression, }
    fields { item: Item, return_values_on_condition_check_failure: ReturnOld, }
    maps { expression_attribute_values: AttributeValue, }
});
operation!(PutItem: "PutItem" -> ItemOutput);

request!(UpdateItem {
    texts { table_name, update_expression, condition_expression, }
    fields { return_values: ReturnValue, return_values_on_condition_check_failure: ReturnOld, }
    maps {
        key: AttributeValue, expression_attribute_names: String, expression_attribute_values: AttributeValue,
    }
});
operation!(UpdateItem: "UpdateItem" -> ItemOutput);

request!(DeleteItem {
    texts { table_name, condition_expression, }
    fields { return_values_on_condition_check_failure: ReturnOld, }
    maps { key: AttributeValue, expression_attribute_values: AttributeValue, }
});
operation!(DeleteItem: "DeleteItem" -> ItemOutput);

request!(
    /// A condition on an item that a transaction does not write.
    ConditionCheck {
        texts { table_name, condition_expression, }
        maps { key: AttributeValue, expression_attribute_values: AttributeValue, }
    }
);

request!(BatchGetItem { maps { request_items: Keys, } });
operation!(BatchGetItem: "BatchGetItem" -> BatchGetOutput);

request!(
    /// The keys of the items to read from one table.
    Keys {
        fields { keys: Vec<Item>, consistent_read: bool, }
    }
);

request!(BatchWriteItem { maps { request_items: Vec<WriteRequest>, } });
operation!(BatchWriteItem: "BatchWriteItem" -> BatchWriteOutput);

request!(TransactWriteItems { fields { transact_items: Vec<Action>, } });
operation!(TransactWriteItems: "TransactWriteItems" -> Nothing);

/// One of the actions of a transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Action {
    Put(PutItem),
    Update(UpdateItem),
    Delete(DeleteItem),
    ConditionCheck(ConditionCheck),
}

/// One of the writes of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum WriteRequest {
    #[serde(rename_all = "PascalCase", rename = "PutRequest")]
    Put { item: Item },
    #[serde(rename_all = "PascalCase", rename = "DeleteRequest")]
    Delete { key: Item },
}

/// What is returned if a condition does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReturnOld {
    AllOld,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReturnValue {
    UpdatedNew,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ItemOutput {
    pub item: Option<Item>,
    pub attributes: Option<Item>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct QueryOutput {
    pub items: Vec<Item>,
    pub last_evaluated_key: Option<Item>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct BatchGetOutput {
    pub responses: HashMap<String, Vec<Item>>,
    pub unprocessed_keys: HashMap<String, Keys>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct BatchWriteOutput {
    pub unprocessed_items: HashMap<String, Vec<WriteRequest>>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Nothing {}

/// Why a transaction was cancelled: one reason for each action, in order.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct CancellationReason {
    pub code: Option<String>,
    pub item: Option<Item>,
}

impl UpdateItem {
    /// Adds all of these to the values of the expressions.
    pub fn values(mut self, values: HashMap<String, AttributeValue>) -> UpdateItem {
        self.expression_attribute_values.extend(values);
        self
    }
}

impl Keys {
    pub fn into_keys(self) -> Vec<Item> {
        self.keys.unwrap_or_default()
    }
}

/// The item for which a condition did not hold, if the request asked for it and there is one.
pub fn old_item(failure: &Failure) -> Option<Item> {
    let ItemOutput { item, .. } = failure.refusal()?.details()?;
    item.filter(|item| !item.is_empty())
}

/// The reasons of a cancelled transaction.
pub fn cancellation_reasons(failure: &Failure) -> Option<Vec<CancellationReason>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Cancelled {
        cancellation_reasons: Vec<CancellationReason>,
    }
    let Cancelled { cancellation_reasons } = failure.refusal()?.details()?;
    Some(cancellation_reasons)
}

/// The value, if it is a text.
pub fn as_text(value: &AttributeValue) -> Option<&str> {
    match value {
        AttributeValue::S(text) => Some(text),
        _ => None,
    }
}

/// The digits of the value, if it is a number.
pub fn as_digits(value: &AttributeValue) -> Option<&str> {
    match value {
        AttributeValue::N(digits) => Some(digits),
        _ => None,
    }
}

/// The value, if it is bytes.
pub fn as_bytes(value: &AttributeValue) -> Option<&[u8]> {
    match value {
        AttributeValue::B(bytes) => Some(bytes),
        _ => None,
    }
}
