//! Stores records, rollups, proposals and conversations in DynamoDB. This module knows keys, conditions and
//! transactions; it does not know toolkits, models or HTTP. Only [`TenantStore::perform`] writes records: it performs
//! the calls of the proposal state machine and returns DynamoDB's answer as an event.

use jiff::{SignedDuration, Timestamp};

use crate::{
    aws::{Failure, Service},
    identity::TenantId,
    proposal::{Policy, ProposalId},
};

use dynamodb::{AttributeValue, CONDITION_FAILED, Item, as_digits, as_text};

pub use conversations::{Bookkeeping, Claim, ClaimKey, Turn, TurnContext, TurnOutcome, WaitingProposal};
pub use history::{ListedConversation, ListedProposal, TurnPlace};
pub use lists::{Among, Excerpt, ListQuery, Page, Position};
pub use proposals::{GUARD_WINDOW, ListedReceipt};
pub use reconcile::{Drift, KeyDrift, Reconciliation, SumKey};
pub use records::Condition;
pub use runs::{DoneChunk, DueRun};
pub use vectors::{VectorItem, VectorKey, WantedVectors};

pub mod conversations;
mod dynamodb;
mod headers;
mod history;
#[cfg(feature = "local")]
mod import;
pub mod keys;
mod lists;
mod proposals;
mod reconcile;
mod records;
mod runs;
#[cfg(feature = "local")]
pub mod table;
mod transaction;
mod vectors;

/// How long executed proposals are kept by default.
pub const AUDIT: SignedDuration = SignedDuration::from_hours(400 * 24);

#[derive(Debug, Clone)]
pub struct Store {
    dynamodb: Service,
    table: String,
    /// How long executed proposals are kept. They can be read and undone until then.
    audit: SignedDuration,
}

/// The store, limited to one tenant: no call can name another tenant's keys.
#[derive(Debug, Clone, Copy)]
pub struct TenantStore<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
}

impl TenantStore<'_> {
    /// How long executed proposals are kept. They can be read and undone until then.
    pub fn audit(&self) -> SignedDuration {
        self.store.audit
    }
}

/// A tenant's settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    pub timezone: Option<String>,
    pub policy: Option<Policy>,
    /// Unfinished runs, and the time from which another request may resume each.
    pub runs: Vec<(ProposalId, Timestamp)>,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Throttled, timed out or unreachable after retries. The call may or may not have taken effect.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    #[error("the store refused a call: {0}")]
    Refused(String),
    #[error("a stored item cannot be read: {0}")]
    Corrupt(String),
    /// The message is no longer this attempt's to answer: it was sent again, and another attempt claimed it, or this one
    /// gave its claim up. Nothing was written.
    #[error("another attempt answers this message")]
    ClaimLost,
    /// The partition has reached DynamoDB's limit of 10 GB for items with local indexes. Nothing was written.
    #[error("a partition of the tenant is full")]
    Full,
    /// The conditions of a query do not fit into one expression. Nothing was read.
    #[error("these are too many filters, or too many values for one filter. Name fewer")]
    TooManyConditions,
}

impl StoreError {
    pub fn altered(id: &ProposalId) -> StoreError {
        StoreError::Corrupt(format!("the operations of proposal {id} are not those that were shown"))
    }
}

impl Store {
    pub fn new(dynamodb: Service, table: impl Into<String>) -> Store {
        Store { dynamodb, table: table.into(), audit: AUDIT }
    }

    pub fn keeping(self, audit: SignedDuration) -> Store {
        Store { audit, ..self }
    }

    pub fn tenant<'a>(&'a self, tenant: &'a TenantId) -> TenantStore<'a> {
        TenantStore { store: self, tenant }
    }

    /// The SDK's own client, for development and tests.
    #[cfg(feature = "local")]
    pub fn client(&self) -> table::Client {
        table::client(&self.dynamodb)
    }

    pub fn table(&self) -> &str {
        &self.table
    }
}

/// DynamoDB's code for a full partition.
const FULL: &str = "ItemCollectionSizeLimitExceededException";

/// `Unavailable` for throttling and a missing answer, `Full` for a full partition, `Refused` for everything else.
fn failed(failure: Failure) -> StoreError {
    let cause = failure.to_string();
    match failure.code() {
        Some(FULL) => StoreError::Full,
        _ if failure.is_transient() => StoreError::Unavailable(cause),
        _ => StoreError::Refused(cause),
    }
}

/// None if the condition does not hold.
fn conditional<T>(result: Result<T, Failure>) -> Result<Option<T>, StoreError> {
    match result {
        Err(failure) if failure.code() == Some(CONDITION_FAILED) => Ok(None),
        result => result.map(Some).map_err(failed),
    }
}

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn number(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

fn millis(at: Timestamp) -> AttributeValue {
    number(at.as_millisecond())
}

/// DynamoDB's TTL counts seconds.
fn ttl(at: Timestamp, lifetime: SignedDuration) -> AttributeValue {
    number((at + lifetime).as_second())
}

fn get_text<'a>(item: &'a Item, name: &str) -> Result<&'a str, StoreError> {
    let value = item.get(name).and_then(as_text);
    value.ok_or_else(|| StoreError::Corrupt(format!("attribute {name} is missing or no text")))
}

fn get_number<N: std::str::FromStr>(item: &Item, name: &str) -> Result<N, StoreError> {
    let value = item.get(name).and_then(as_digits).and_then(|digits| digits.parse().ok());
    value.ok_or_else(|| StoreError::Corrupt(format!("attribute {name} is missing or no number")))
}

fn get_id(item: &Item, name: &str) -> Result<ProposalId, StoreError> {
    ProposalId::parse(get_text(item, name)?)
        .ok_or_else(|| StoreError::Corrupt(format!("attribute {name} is no proposal id")))
}

fn get_time(item: &Item, name: &str) -> Result<Timestamp, StoreError> {
    let millis = get_number(item, name)?;
    Timestamp::from_millisecond(millis).map_err(|_| StoreError::Corrupt(format!("attribute {name} is no time")))
}

fn get_json<T: serde::de::DeserializeOwned>(item: &Item, name: &str) -> Result<T, StoreError> {
    // The parser's own message can quote stored data, so it is not passed on.
    serde_json::from_str(get_text(item, name)?)
        .map_err(|error| StoreError::Corrupt(format!("attribute {name}, column {}", error.column())))
}

fn json(value: &impl serde::Serialize) -> AttributeValue {
    text(serde_json::to_string(value).expect("stored types always serialise"))
}

fn item<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Item {
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn settings(item: Option<Item>) -> Settings {
    let Some(item) = item else { return Settings::default() };
    let get = |name: &str| get_text(&item, name).ok().map(str::to_owned);
    Settings {
        timezone: get("timezone"),
        policy: get("policy").and_then(|policy| Policy::parse(&policy)),
        runs: runs::unfinished(&item),
    }
}
