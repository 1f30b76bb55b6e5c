//! Proposal headers as items.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};

use super::{
    Item, StoreError, conversations, get_number, get_text, get_time, item,
    keys::{self, BY_ORDER, PK, SK, TTL},
    millis, number, text, ttl,
};
use crate::proposal::{Fingerprint, Header, SCHEMA, State, data_version};

/// Undecided and refused proposals are kept this long past their expiry; then DynamoDB's TTL deletes them.
pub(super) const UNDECIDED_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// `audit`: how long executed ones are kept, which are the audit trail.
pub(super) fn header_item(partition: &str, header: &Header, audit: SignedDuration) -> Item {
    let mut item = item([
        (PK, text(partition)),
        (SK, text(keys::header(&header.id))),
        ("schema", number(header.schema)),
        ("proposal", text(header.id.as_str())),
        ("fingerprint", text(&header.fingerprint.0)),
        ("user", text(&header.user)),
        ("conversation", text(&header.conversation)),
        ("createdAt", millis(header.created_at)),
        ("expiresAt", millis(header.expires_at)),
        ("state", text(state_name(&header.state))),
        ("chunks", number(1)),
        (TTL, kept_until(header, audit)),
    ]);
    if let Some(superseded) = &header.supersedes {
        item.insert("supersedes".into(), text(superseded.as_str()));
    }
    item.extend(decision_attributes(header).into_iter().map(|(name, value)| (name.to_owned(), value)));
    item
}

pub(super) fn parse_header(item: &Item) -> Result<Header, StoreError> {
    let decided_at = || get_time(item, "decidedAt");
    let state = match get_text(item, "state")? {
        "PENDING" => State::Pending,
        "EXECUTED" => State::Executed { at: decided_at()?, by: get_text(item, "decidedBy")?.into() },
        "REJECTED" => {
            let reason = get_text(item, "reason").ok().map(str::to_owned);
            State::Rejected { at: decided_at()?, by: get_text(item, "decidedBy")?.into(), reason }
        }
        "STALE" => State::Stale { at: decided_at()? },
        "SUPERSEDED" => State::Superseded { at: decided_at()?, by: conversations::parse_id(item, "supersededBy")? },
        other => return Err(StoreError::Corrupt(format!("unknown state {other}"))),
    };
    let schema: u32 = get_number(item, "schema")?;
    if schema > SCHEMA {
        return Err(StoreError::Corrupt(format!("schema {schema} is newer than this program")));
    }
    let supersedes = item.contains_key("supersedes").then(|| conversations::parse_id(item, "supersedes"));
    Ok(Header {
        id: conversations::parse_id(item, "proposal")?,
        schema,
        fingerprint: Fingerprint(get_text(item, "fingerprint")?.into()),
        user: get_text(item, "user")?.into(),
        conversation: get_text(item, "conversation")?.into(),
        created_at: get_time(item, "createdAt")?,
        expires_at: get_time(item, "expiresAt")?,
        supersedes: supersedes.transpose()?,
        state,
    })
}

pub(super) fn state_name(state: &State) -> &'static str {
    match state {
        State::Pending => "PENDING",
        State::Executed { .. } => "EXECUTED",
        State::Rejected { .. } => "REJECTED",
        State::Stale { .. } => "STALE",
        State::Superseded { .. } => "SUPERSEDED",
    }
}

pub(super) fn decision_attributes(header: &Header) -> Vec<(&'static str, AttributeValue)> {
    let at = |at: &Timestamp| ("decidedAt", millis(*at));
    match &header.state {
        State::Pending => vec![],
        State::Executed { at: time, by } => {
            let order = keys::receipt_order(&data_version(*time, &header.id));
            vec![at(time), ("decidedBy", text(by)), (BY_ORDER, text(order))]
        }
        State::Rejected { at: time, by, reason } => {
            let reason = reason.as_ref().map(|reason| ("reason", text(reason)));
            [at(time), ("decidedBy", text(by))].into_iter().chain(reason).collect()
        }
        State::Stale { at: time } => vec![at(time)],
        State::Superseded { at: time, by } => vec![at(time), ("supersededBy", text(by.as_str()))],
    }
}

pub(super) fn kept_until(header: &Header, audit: SignedDuration) -> AttributeValue {
    ttl(kept(header, audit), SignedDuration::ZERO)
}

/// DynamoDB deletes within days of the time it is told: the chunk must outlast its header.
pub(super) fn chunk_kept_until(header: &Header, audit: SignedDuration) -> AttributeValue {
    ttl(kept(header, audit), SignedDuration::from_hours(7 * 24))
}

fn kept(header: &Header, audit: SignedDuration) -> Timestamp {
    match &header.state {
        State::Executed { at, .. } => *at + audit,
        _ => header.expires_at + UNDECIDED_KEPT,
    }
}
