//! Preferences and side effects: settings from a person's answers, preferences inferred from their words, and offers to
//! use them.
//!
//! The kinds define which records are preferences and what they mean.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use jiff::civil::Date;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::{Agent, RELEASE_TIME, reply::Reply, turn::CurrentTurn};
use crate::{
    identity::{Caller, Members},
    phrases::{Reader, Style},
    proposal::{Change, Note, Operation, Outcome, Policy, Receipt, Record, Rollup, RollupKey, rollup_deltas},
    sorted::Collect,
    store::{StoreError, TenantStore, TurnContext},
    tool::{PreferenceOffer, Preferences, RecordKind, SumStatus, ToolContext, WatchedSums},
};

/// The store, the time and the style for a reply.
#[derive(Clone, Copy)]
pub(super) struct ReplyContext<'a> {
    pub caller: &'a Caller,
    pub store: TenantStore<'a>,
    pub reader: Reader,
    /// The rollups after the write from this day on, if they were read.
    pub rollups: Option<(Date, &'a BTreeMap<RollupKey, Rollup>)>,
    /// When the reply must be ready.
    pub deadline: Instant,
}

#[derive(Default)]
pub struct PreferenceSnapshot {
    pub currency: Option<String>,
    pub preferences: Vec<Record>,
    pub members: Members,
}

impl Agent {
    /// The preferences outside a conversation, for pages.
    pub async fn preferences(&self, caller: &Caller) -> Result<PreferenceSnapshot, StoreError> {
        let TurnContext { preferences, members, .. } = self.store.tenant(caller.tenant()).settings_from(None).await?;
        let currency = self.registry.reading_preferences(&preferences).currency;
        Ok(PreferenceSnapshot { currency, preferences, members })
    }

    /// Everybody who shares the caller's records.
    pub async fn members(&self, caller: &Caller) -> Result<Members, StoreError> {
        Ok(self.store.tenant(caller.tenant()).settings_from(None).await?.members)
    }

    /// Called for all changes that a model plans.
    pub(super) fn infer_preferences(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Change> {
        let mut inferred = self.registry.infer_preferences(changes, context);
        if !inferred.is_empty() {
            let mut remaining_capacity = context.remaining_capacity();
            inferred.retain(|change| {
                let fits = !matches!(change, Change::Create(_)) || remaining_capacity > 0;
                remaining_capacity =
                    remaining_capacity.saturating_sub(usize::from(matches!(change, Change::Create(_))));
                fits
            });
        }
        inferred
    }

    /// Applies the policy. If the rows wait, stored values are filled into new rows, and the result is `Always`.
    /// Otherwise the result is `Cleared`: the rows are written as said, and the values are offered after the write.
    /// `not_stated` makes the rows wait if nothing else does.
    pub(super) fn apply_policy(
        &self,
        operations: &mut [Operation],
        (notes, not_stated): (&mut Vec<Note>, Option<Note>),
        policy: Policy,
        context: &ToolContext<'_>,
    ) -> Result<(Policy, Vec<PreferenceOffer>), StoreError> {
        let (mut rows, mut offers) = (Vec::new(), Vec::new());
        for (index, operation) in operations.iter().enumerate() {
            if self.registry.side_effect(operation, Style::default())?.is_some() {
                continue;
            }
            rows.push((operation, self.registry.kind_of(&operation.row().draft.kind)?.risk(operation)));
            if let Operation::Create { after } = operation
                && !operation.is_restored()
            {
                let mut beside = self.registry.preferences_beside(&after.draft.kind);
                let offer = beside.find_map(|preferences| preferences.offer(&after.draft, context));
                offers.extend(offer.map(|offer| (index, offer)));
            }
        }
        if !policy.waits_for(&rows, notes) {
            let Some(not_stated) = not_stated else {
                return Ok((Policy::Cleared, offers.into_iter().map(|(_, offer)| offer).collect()));
            };
            notes.push(not_stated);
        }
        for (index, PreferenceOffer { draft, note, .. }) in offers {
            let after = operations[index].row().clone();
            operations[index] = Operation::Create { after: Record { draft, ..after } };
            notes.push(note);
        }
        Ok((Policy::Always, vec![]))
    }

    /// Adds the status of each record about sums that the write changed, like budgets. If the store does not answer in
    /// time, the reply is sent without it.
    pub(super) async fn with_statuses(
        &self,
        at: ReplyContext<'_>,
        preferences: &[Record],
        outcomes: &[Outcome],
        mut reply: Reply,
    ) -> Reply {
        let receipts = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Executed { receipt, .. } => Some(receipt),
            _ => None,
        });
        let affected_preferences =
            self.affected_preferences(at.reader.today, preferences, &receipts.collect::<Vec<_>>());
        if affected_preferences.is_empty() {
            return reply;
        }
        let watched = || affected_preferences.iter().map(|(_, watch)| watch);
        let known = at.rollups.filter(|(from, _)| watched().all(|watch| *from <= watch.from));
        let rollups = match known {
            Some((_, rollups)) => rollups.clone(),
            None => match timeout_at(at.deadline, watched_rollups(at.store, watched())).await {
                Ok(Ok(rollups)) => rollups,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the sums after a write could not be read");
                    return reply;
                }
                Err(_) => return reply,
            },
        };
        let start = reply.waiting_offset.unwrap_or(reply.answer.len());
        let mut end = start;
        for (record, _) in &affected_preferences {
            let watch = self.registry.kind_of(&record.draft.kind).ok().and_then(RecordKind::watch);
            if let Some(SumStatus { line, field, view }) =
                watch.and_then(|watch| watch.status(record, &rollups, at.caller.user().as_str(), at.reader))
            {
                let line = format!("\n{line}");
                reply.answer.insert_str(end, &line);
                end += line.len();
                if !self.registry.reply_fields().contains_key(field) {
                    tracing::error!(field, "a status is put into a field of the reply that no toolkit declares");
                    continue;
                }
                if let Value::Array(views) = reply.found.fields.entry(field).or_insert_with(|| Value::Array(vec![])) {
                    views.push(view);
                }
            }
        }
        reply.statuses = Some(start..end);
        reply
    }

    /// The preferences, as the last receipt left them, that are about changed sums or were changed themselves.
    fn affected_preferences(
        &self,
        today: Date,
        preferences: &[Record],
        receipts: &[&Receipt],
    ) -> Vec<(Record, WatchedSums)> {
        let operations: Vec<&Operation> = receipts.iter().flat_map(|receipt| &receipt.operations).collect();
        // Only the first chunk of a receipt is loaded.
        let in_part = receipts.iter().any(|receipt| receipt.summary.rows() != receipt.operations.len());
        self.watching(today, preferences, &operations, in_part)
    }

    /// Whether a preference is about sums that the operations change, or is changed itself.
    pub(super) fn is_watched(&self, operations: &[Operation], preferences: &[Record], today: Date) -> bool {
        !self.watching(today, preferences, &operations.iter().collect::<Vec<_>>(), false).is_empty()
    }

    /// `in_part`: there are more operations than these.
    fn watching(
        &self,
        today: Date,
        preferences: &[Record],
        operations: &[&Operation],
        in_part: bool,
    ) -> Vec<(Record, WatchedSums)> {
        let written: BTreeMap<_, _> = operations
            .iter()
            .filter(|operation| operation.row().draft.is_preference())
            .map(|operation| ((operation.row().draft.kind.as_str(), operation.row().id), operation.after()))
            .inserted();
        let unwritten = preferences.iter().filter(|row| !written.contains_key(&(row.draft.kind.as_str(), row.id)));
        let all = unwritten.map(|row| (row, false)).chain(written.values().flatten().map(|row| (*row, true)));
        let deltas = rollup_deltas(operations.iter().copied());
        let watched = all.filter_map(|(row, written)| {
            let watch = self.registry.kind_of(&row.draft.kind).ok()?.watch()?.watched_sums(&row.draft, today)?;
            let seen = written || in_part || deltas.iter().any(|(key, delta)| watch.is_affected_by(key, delta));
            seen.then(|| (row.clone(), watch))
        });
        watched.collect()
    }

    /// Removes inferred preferences whose rows were edited or left out.
    pub(super) fn without_orphan_preferences(&self, operations: Vec<Operation>) -> Result<Vec<Operation>, StoreError> {
        let mut still_applies = Vec::new();
        for operation in &operations {
            let preferences = self.registry.kind_of(&operation.row().draft.kind)?.preferences();
            let rows = operations.iter().filter_map(|row| Some(&row.after()?.draft)).collect::<Vec<_>>();
            let inferred =
                |preferences: &&dyn Preferences| preferences.side_effect(operation, Style::default()).is_some();
            let inferred = preferences.filter(inferred).zip(operation.after());
            still_applies.push(inferred.is_none_or(|(kind, inferred)| kind.still_applies(&inferred.draft, &rows)));
        }
        let kept = operations.into_iter().zip(still_applies).filter(|(_, still_applies)| *still_applies);
        Ok(kept.map(|(operation, _)| operation).collect())
    }
}

/// Reads the rollups of all watched days, with one concurrent read per kind.
async fn watched_rollups(
    store: TenantStore<'_>,
    watched: impl Iterator<Item = &WatchedSums>,
) -> Result<BTreeMap<RollupKey, Rollup>, StoreError> {
    let mut days = BTreeMap::<&str, (Date, Date)>::new();
    for WatchedSums { kind, from, to, .. } in watched {
        let days = days.entry(kind).or_insert((*from, *to));
        *days = (days.0.min(*from), days.1.max(*to));
    }
    let reads = days.into_iter().map(|(kind, (from, to))| store.rollups(kind, from, to));
    Ok(try_join_all(reads).await?.into_iter().flatten().inserted())
}

impl<'a> CurrentTurn<'a> {
    pub fn reply_context(&self) -> ReplyContext<'a> {
        ReplyContext {
            caller: &self.request.caller,
            store: self.store,
            reader: Reader { today: self.today, hour: self.hour, conventions: self.conventions },
            rollups: None,
            deadline: self.request.deadline.answer - RELEASE_TIME,
        }
    }
}
