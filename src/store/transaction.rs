//! A transaction under construction, and the meaning of its failure.

use super::{
    FULL, Item, StoreError,
    dynamodb::{Action, CancellationReason, DeleteItem, PutItem, UpdateItem, cancellation_reasons},
    failed,
    headers::parse_header,
    records::parse_record,
};
use crate::{
    aws::{Failure, is_throttling},
    proposal::{Event, HeaderCheck, Refusal},
};

/// DynamoDB reports failed conditions by position, so every action has a role.
#[derive(Default)]
pub(super) struct Transaction {
    pub actions: Vec<Action>,
    pub roles: Vec<Role>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    Header,
    Guard,
    Row(usize),
    /// The unique key that an operation's row takes.
    UniqueKey(usize),
    /// The claim of the message that is answered.
    Claim,
    Other,
}

impl Transaction {
    pub fn push(&mut self, role: Role, action: Action) {
        self.actions.push(action);
        self.roles.push(role);
    }
}

pub(super) fn read_failure(failure: Failure, roles: &[Role]) -> Result<Event, StoreError> {
    let Some(refusal) = failure.refusal() else { return Ok(Event::Unknown) };
    match refusal.code.as_str() {
        "TransactionCanceledException" => {
            let reasons = cancellation_reasons(&failure).unwrap_or_default();
            read_cancellation(&reasons, roles).unwrap_or_else(|| Err(failed(failure)))
        }
        // The token belongs to a call that is still running, or to another body: only a read can tell.
        "TransactionInProgressException" | "IdempotentParameterMismatchException" => Ok(Event::Unknown),
        code if is_throttling(code) => Ok(Event::Conflict),
        _ if refusal.status >= 500 => Ok(Event::Unknown),
        _ => Err(failed(failure)),
    }
}

/// None if a reason is neither a failed condition nor transient.
fn read_cancellation(reasons: &[CancellationReason], roles: &[Role]) -> Option<Result<Event, StoreError>> {
    let mut refusal = Refusal::default();
    let (mut refused, mut transient) = (false, false);
    for (reason, role) in reasons.iter().zip(roles) {
        match reason.code.as_deref().unwrap_or("None") {
            "None" => {}
            "ConditionalCheckFailed" => {
                refused = true;
                if let Err(error) = refusal.note(*role, reason.item.as_ref()) {
                    return Some(Err(error));
                }
            }
            "TransactionConflict" => transient = true,
            // The codes of single calls end with `Exception`.
            code if FULL.strip_suffix("Exception") == Some(code) => return Some(Err(StoreError::Full)),
            code if is_throttling(code) => transient = true,
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
            Role::Claim => return Err(StoreError::ClaimLost),
            // Only a missing chunk fails here; reading the header again will report it.
            Role::Other => self.header = HeaderCheck::Failed(None),
        }
        Ok(())
    }
}

pub(super) fn put_action(put: PutItem) -> Action {
    Action::Put(put)
}

pub(super) fn update_action(update: UpdateItem) -> Action {
    Action::Update(update)
}

pub(super) fn delete_action(delete: DeleteItem) -> Action {
    Action::Delete(delete)
}
