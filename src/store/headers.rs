//! Proposal headers as items.

use jiff::{SignedDuration, Timestamp};

use super::{
    Item, StoreError,
    dynamodb::AttributeValue,
    get_id, get_json, get_number, get_text, get_time, item, json,
    keys::{self, BY_NAME, BY_ORDER, PK, SK, TTL},
    millis, number, text, ttl,
};
use crate::proposal::{Adjustments, Fingerprint, Header, Run, SCHEMA, State, Stopped, data_version};

/// How long what was never executed is kept after it expires: a member who proposes much must not fill the tenant's
/// partition. Then DynamoDB's TTL deletes it.
pub(super) const UNDECIDED_KEPT: SignedDuration = SignedDuration::from_hours(2 * 24);

/// Attributes of a header, and of a chunk.
pub(super) const CHUNKS_DONE: &str = "chunksDone";
pub(super) const ADJUSTED: &str = "adjusted";

/// `audit`: how long executed proposals are kept. They are the audit trail.
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
    let decided_by = || get_text(item, "decidedBy").map(str::to_owned);
    let state = match get_text(item, "state")? {
        "PENDING" => State::Pending,
        "EXECUTING" => State::Executing { at: decided_at()?, by: decided_by()?, run: Box::new(parse_run(item)?) },
        "EXECUTED" | "PARTIAL" | "STOPPED" | "HALTED" => {
            let run = item.contains_key("run").then(|| parse_run(item)).transpose()?.map(Box::new);
            State::Executed { at: decided_at()?, by: decided_by()?, run }
        }
        "REJECTED" => {
            let reason = get_text(item, "reason").ok().map(str::to_owned);
            State::Rejected { at: decided_at()?, by: decided_by()?, reason }
        }
        "STALE" => State::Stale { at: decided_at()? },
        "EXPIRED" => State::Expired { at: decided_at()? },
        "SUPERSEDED" => State::Superseded { at: decided_at()?, by: get_id(item, "supersededBy")? },
        other => return Err(StoreError::Corrupt(format!("unknown state {other}"))),
    };
    let schema: u32 = get_number(item, "schema")?;
    if schema > SCHEMA {
        return Err(StoreError::Corrupt(format!("schema {schema} is newer than this program")));
    }
    let supersedes = item.contains_key("supersedes").then(|| get_id(item, "supersedes"));
    Ok(Header {
        id: get_id(item, "proposal")?,
        schema,
        fingerprint: Fingerprint(get_text(item, "fingerprint")?.into()),
        user: get_text(item, "user")?.into(),
        conversation: get_text(item, "conversation")?.into(),
        created_at: get_time(item, "createdAt")?,
        expires_at: get_time(item, "expiresAt")?,
        supersedes: supersedes.transpose()?,
        state,
        adjustments: adjustments(item)?,
    })
}

fn parse_run(item: &Item) -> Result<Run, StoreError> {
    let run: Run = get_json(item, "run")?;
    let by = || item.contains_key("stoppedBy").then(|| get_text(item, "stoppedBy").map(str::to_owned)).transpose();
    let stopped = || Ok(Stopped { at: get_time(item, "stoppedAt")?, by: by()? });
    let stopped = item.contains_key("stoppedAt").then(stopped).transpose()?;
    Ok(Run { stopped, ..run })
}

/// The adjustments in a header or a chunk.
pub(super) fn adjustments(item: &Item) -> Result<Adjustments, StoreError> {
    item.contains_key(ADJUSTED).then(|| get_json(item, ADJUSTED)).transpose().map(Option::unwrap_or_default)
}

pub(super) fn state_name(state: &State) -> &'static str {
    match state {
        State::Pending => "PENDING",
        State::Executing { .. } => "EXECUTING",
        State::Executed { run: Some(run), .. } if run.is_halted() => "HALTED",
        State::Executed { run: Some(run), .. } if run.stopped.is_some() => "STOPPED",
        State::Executed { run: Some(run), .. } if run.skipped > 0 => "PARTIAL",
        State::Executed { .. } => "EXECUTED",
        State::Rejected { .. } => "REJECTED",
        State::Stale { .. } => "STALE",
        State::Expired { .. } => "EXPIRED",
        State::Superseded { .. } => "SUPERSEDED",
    }
}

pub(super) fn decision_attributes(header: &Header) -> Vec<(&'static str, AttributeValue)> {
    let at = |at: &Timestamp| ("decidedAt", millis(*at));
    let of_run = |decided_at, by: &String, run: Option<&Run>| {
        let order = data_version(header).map(|version| {
            let by_user = keys::receipt_of_user(by, &version);
            [(BY_ORDER, text(keys::receipt_order(&version))), (BY_NAME, text(by_user))]
        });
        let run = run.map(|run| [("run", json(run)), (CHUNKS_DONE, number(run.cursor))]);
        let adjusted = (!header.adjustments.is_none()).then(|| (ADJUSTED, json(&header.adjustments)));
        let decided = [decided_at, ("decidedBy", text(by))].into_iter();
        decided.chain(order.into_iter().flatten()).chain(run.into_iter().flatten()).chain(adjusted).collect()
    };
    match &header.state {
        State::Pending => vec![],
        State::Executing { at: time, by, run } => of_run(at(time), by, Some(run)),
        State::Executed { at: time, by, run } => of_run(at(time), by, run.as_deref()),
        State::Rejected { at: time, by, reason } => {
            let reason = reason.as_ref().map(|reason| ("reason", text(reason)));
            [at(time), ("decidedBy", text(by))].into_iter().chain(reason).collect()
        }
        State::Stale { at: time } | State::Expired { at: time } => vec![at(time)],
        State::Superseded { at: time, by } => vec![at(time), ("supersededBy", text(by.as_str()))],
    }
}

/// When TTL deletes the header, its chunks and everything else of the proposal. The time of an executed proposal is
/// fixed by its approval, however long it runs and however it ends.
pub(super) fn kept_until(header: &Header, audit: SignedDuration) -> AttributeValue {
    match &header.state {
        State::Executed { at, .. } | State::Executing { at, .. } => ttl(*at, audit),
        _ => ttl(header.expires_at, UNDECIDED_KEPT),
    }
}
