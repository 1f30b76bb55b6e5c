//! The table's keys and indexes for development and tests, which cannot be changed on an existing table.
//! `infra/template.yaml` defines the deployed table.

pub use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::{
    config::{BehaviorVersion, Region},
    error::SdkError,
    operation::create_table::{CreateTableError, builders::CreateTableFluentBuilder},
    types::{
        AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, LocalSecondaryIndex,
        Projection, ProjectionType, ScalarAttributeType,
    },
};

use super::keys::{BY_NAME, BY_ORDER, BY_OWNER, DUE, DUE_AT, DUE_SHARD, PK, SK};
use crate::{aws::Service, local::sdk};

/// An SDK client that uses the same connections.
pub(super) fn client(dynamodb: &Service) -> Client {
    let Service { account, endpoint, connection, .. } = dynamodb;
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(sdk::http_client(connection))
        .endpoint_url(endpoint)
        .region(Region::new(account.region.clone()))
        .credentials_provider(sdk::credentials(account));
    Client::from_conf(config.build())
}

/// Creates the table if it does not exist.
pub async fn create_if_absent(client: &Client, name: &str) -> Result<(), Box<SdkError<CreateTableError>>> {
    match definition(client, name).send().await {
        Ok(_) => Ok(()),
        Err(error) if error.as_service_error().is_some_and(CreateTableError::is_resource_in_use_exception) => Ok(()),
        Err(error) => Err(Box::new(error)),
    }
}

fn definition(client: &Client, name: &str) -> CreateTableFluentBuilder {
    let local = |name: &str| {
        let index = LocalSecondaryIndex::builder()
            .index_name(name)
            .set_key_schema(Some(vec![key(PK, KeyType::Hash), key(name, KeyType::Range)]))
            .projection(Projection::builder().projection_type(ProjectionType::All).build());
        index.build().expect("a name, a schema and a projection are set")
    };
    let due = GlobalSecondaryIndex::builder()
        .index_name(DUE)
        .set_key_schema(Some(vec![key(DUE_SHARD, KeyType::Hash), key(DUE_AT, KeyType::Range)]))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build());
    client
        .create_table()
        .table_name(name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some([PK, SK, BY_ORDER, BY_NAME, BY_OWNER, DUE_SHARD, DUE_AT].map(attribute).into()))
        .set_key_schema(Some(vec![key(PK, KeyType::Hash), key(SK, KeyType::Range)]))
        .set_local_secondary_indexes(Some([BY_ORDER, BY_NAME, BY_OWNER].map(local).into()))
        .global_secondary_indexes(due.build().expect("a name, a schema and a projection are set"))
}

fn key(name: &str, role: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(role).build().expect("a name and a role are set")
}

fn attribute(name: &str) -> AttributeDefinition {
    let definition = AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S);
    definition.build().expect("a name and a type are set")
}
