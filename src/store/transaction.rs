//! A transaction under construction, and the meaning of its failure.

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::{
        CancellationReason, TransactWriteItem,
        builders::{DeleteBuilder, PutBuilder, UpdateBuilder},
    },
};

use super::{Item, StoreError, failed, headers::parse_header, records::parse_record};
use crate::{
    aws::is_throttling,
    proposal::{Event, HeaderCheck, Refusal},
};

/// DynamoDB reports failed conditions by position, so every action has a role.
#[derive(Default)]
pub(super) struct Transaction {
    pub actions: Vec<TransactWriteItem>,
    pub roles: Vec<Role>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    Header,
    Guard,
    Row(usize),
    /// The unique key that an operation's row takes.
    UniqueKey(usize),
    Other,
}

impl Transaction {
    pub fn push(&mut self, role: Role, action: TransactWriteItem) {
        self.actions.push(action);
        self.roles.push(role);
    }
}

pub(super) fn read_failure(error: SdkError<TransactWriteItemsError>, roles: &[Role]) -> Result<Event, StoreError> {
    let SdkError::ServiceError(service) = &error else { return Ok(Event::Unknown) };
    match service.err() {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            read_cancellation(cancelled.cancellation_reasons(), roles).unwrap_or_else(|| Err(failed(error)))
        }
        // The token belongs to a call that is still running, or to another body: only a read can tell.
        TransactWriteItemsError::TransactionInProgressException(_)
        | TransactWriteItemsError::IdempotentParameterMismatchException(_) => Ok(Event::Unknown),
        other if is_throttling(other.code()) => Ok(Event::Conflict),
        _ if service.raw().status().is_server_error() => Ok(Event::Unknown),
        _ => Err(failed(error)),
    }
}

/// None if a reason is neither a failed condition nor transient.
fn read_cancellation(reasons: &[CancellationReason], roles: &[Role]) -> Option<Result<Event, StoreError>> {
    let mut refusal = Refusal::default();
    let (mut refused, mut transient) = (false, false);
    for (reason, role) in reasons.iter().zip(roles) {
        match reason.code().unwrap_or("None") {
            "None" => {}
            "ConditionalCheckFailed" => {
                refused = true;
                if let Err(error) = refusal.note(*role, reason.item()) {
                    return Some(Err(error));
                }
            }
            "TransactionConflict" => transient = true,
            code if is_throttling(Some(code)) => transient = true,
            _ => return None,
        }
    }
    match (refused, transient) {
        // A header that passes beside a conflict proves nothing: its lock may be held by this proposal's own commit.
        (true, true) if refusal.header == HeaderCheck::Passed => Some(Ok(Event::Conflict)),
        (true, _) => Some(Ok(Event::Refused(refusal))),
        (false, true) => Some(Ok(Event::Conflict)),
        (false, false) => None,
    }
}

impl Refusal {
    fn note(&mut self, role: Role, found: Option<&Item>) -> Result<(), StoreError> {
        let found = found.filter(|item| !item.is_empty());
        match role {
            Role::Header => self.header = HeaderCheck::Failed(found.map(parse_header).transpose()?),
            Role::Guard => self.guard = true,
            Role::UniqueKey(index) => self.taken.push(index),
            Role::Row(index) => self.rows.push((index, found.cloned().map(parse_record).transpose()?)),
            // Only a missing chunk fails here; reading the header again will report it.
            Role::Other => self.header = HeaderCheck::Failed(None),
        }
        Ok(())
    }
}

pub(super) fn put_action(put: PutBuilder) -> TransactWriteItem {
    TransactWriteItem::builder().put(put.build().expect("a table and an item are set")).build()
}

pub(super) fn update_action(update: UpdateBuilder) -> TransactWriteItem {
    let update = update.build().expect("a table, a key and an expression are set");
    TransactWriteItem::builder().update(update).build()
}

pub(super) fn delete_action(delete: DeleteBuilder) -> TransactWriteItem {
    TransactWriteItem::builder().delete(delete.build().expect("a table and a key are set")).build()
}
