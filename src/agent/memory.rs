//! What is remembered, and what only comes along with what was asked for: settings that a person's answer made, what
//! is learned from their words, and what is offered back to them.
//!
//! Which records are remembered, and what they mean, is their kind's to say.

use std::collections::BTreeMap;

use jiff::civil::Date;
use tokio::time::{Instant, timeout_at};

use super::{Agent, RELEASING, TurnRequest, reply::Reply, turn::CurrentTurn};
use crate::{
    identity::Caller,
    phrases::{Reader, Style},
    proposal::{Change, Note, Operation, Outcome, Policy, Receipt, Record, rollup_deltas},
    store::{Settings, StoreError, TenantStore, TurnContext},
    tool::{Offer, Status, ToolContext, Watch},
};

/// When and where an answer is made.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub store: TenantStore<'a>,
    pub reader: Reader,
    /// When it must be there.
    pub deadline: Instant,
}

#[derive(Default)]
pub struct Remembered {
    pub currency: Option<String>,
    pub memory: Vec<Record>,
}

impl Agent {
    /// What a turn starts from, with what is remembered in force.
    pub(super) async fn context(
        &self,
        store: TenantStore<'_>,
        request: &TurnRequest,
    ) -> Result<TurnContext, StoreError> {
        let mut context = store.turn_context(request.caller.user().as_str(), &request.conversation).await?;
        self.set(&context.memory, &mut context.settings);
        Ok(context)
    }

    /// What is remembered outside a conversation, for pages.
    pub async fn remembered(&self, caller: &Caller) -> Result<Remembered, StoreError> {
        let (mut settings, memory) = self.store.tenant(caller.tenant()).remembered().await?;
        self.set(&memory, &mut settings);
        Ok(Remembered { currency: settings.currency, memory })
    }

    fn set(&self, memory: &[Record], settings: &mut Settings) {
        for record in memory {
            // A kind of a program with more toolkits means nothing here.
            if let Ok(kind) = self.registry.kind_of(&record.draft.kind) {
                kind.set(&record.draft, settings);
            }
        }
    }

    /// Asked of every change that a model plans, like its doubts.
    pub(super) fn learned(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Change> {
        let mut learned: Vec<Change> = self.registry.kinds().flat_map(|kind| kind.learned(changes, context)).collect();
        if !learned.is_empty() {
            let mut room = context.room();
            learned.retain(|change| {
                let fits = !matches!(change, Change::Create(_)) || room > 0;
                room = room.saturating_sub(usize::from(matches!(change, Change::Create(_))));
                fits
            });
        }
        learned
    }

    /// Whether the rows among these operations wait. What is remembered about them is filled in if they do; if not, they
    /// are written as they were said, and it is offered after that.
    pub(super) fn completed(
        &self,
        operations: &mut [Operation],
        notes: &mut Vec<Note>,
        policy: Policy,
        context: &ToolContext<'_>,
    ) -> Result<(Policy, Vec<Offer>), StoreError> {
        let (mut rows, mut offers) = (Vec::new(), Vec::new());
        for (index, operation) in operations.iter().enumerate() {
            let kind = self.registry.kind_of(&operation.row().draft.kind)?;
            if kind.aside(operation, Style::default()).is_some() {
                continue;
            }
            rows.push(operation);
            if let Operation::Create { after } = operation
                && !operation.is_restored()
                && let Some(offer) = kind.offer(&after.draft, context)
            {
                offers.push((index, offer));
            }
        }
        if !policy.waits_for(&rows, notes) {
            return Ok((Policy::Cleared, offers.into_iter().map(|(_, offer)| offer).collect()));
        }
        for (index, Offer { draft, note, .. }) in offers {
            let after = operations[index].row().clone();
            operations[index] = Operation::Create { after: Record { draft, ..after } };
            notes.push(note);
        }
        Ok((Policy::Always, vec![]))
    }

    /// A reply to a write, with how what is remembered about the sums stands that it touched. A reply is worth as much
    /// without: if the store does not answer in time, it goes as it is.
    pub(super) async fn with_statuses(
        &self,
        at: Moment<'_>,
        memory: &[Record],
        outcomes: &[Outcome],
        mut reply: Reply,
    ) -> Reply {
        let receipts = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Executed { receipt, .. } => Some(receipt),
            _ => None,
        });
        let touched = self.touched(at.reader.today, memory, &receipts.collect::<Vec<_>>());
        let (Some(from), Some(to)) =
            (touched.iter().map(|(_, watch)| watch.from).min(), touched.iter().map(|(_, watch)| watch.to).max())
        else {
            return reply;
        };
        let rollups = match timeout_at(at.deadline, at.store.rollups(from, to)).await {
            Ok(Ok(rollups)) => rollups,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the sums after a write could not be read");
                return reply;
            }
            Err(_) => return reply,
        };
        reply.measured = Some(reply.answer.len());
        for (record, _) in &touched {
            let kind = self.registry.kind_of(&record.draft.kind).ok();
            if let Some(Status { line, view }) = kind.and_then(|kind| kind.status(record, &rollups, at.reader)) {
                reply.answer.push_str(&format!("\n{line}"));
                reply.budgets.push(view);
            }
        }
        reply
    }

    /// What is remembered, as the last of the receipts left it, and is about sums that they changed, or was itself changed.
    fn touched(&self, today: Date, memory: &[Record], receipts: &[&Receipt]) -> Vec<(Record, Watch)> {
        let operations = || receipts.iter().flat_map(|receipt| &receipt.operations);
        let written: BTreeMap<_, _> = operations()
            .filter(|operation| operation.row().draft.is_remembered())
            .map(|operation| ((operation.row().draft.kind.as_str(), operation.row().id), operation.after()))
            .collect();
        let standing = memory.iter().filter(|row| !written.contains_key(&(row.draft.kind.as_str(), row.id)));
        let all = standing.map(|row| (row, false)).chain(written.values().flatten().map(|row| (*row, true)));
        let deltas = rollup_deltas(operations());
        // Of several chunks only the first is at hand.
        let in_part = receipts.iter().any(|receipt| receipt.tally.rows() != receipt.operations.len());
        let watched = all.filter_map(|(row, written)| {
            let watch = self.registry.kind_of(&row.draft.kind).ok()?.watches(&row.draft, today)?;
            let seen = written || in_part || deltas.iter().any(|(key, delta)| watch.sees(key, delta));
            seen.then(|| (row.clone(), watch))
        });
        watched.collect()
    }

    /// Without what was learned from rows that were edited or left out.
    pub(super) fn still_learned(&self, operations: Vec<Operation>) -> Result<Vec<Operation>, StoreError> {
        let mut belongs = Vec::new();
        for operation in &operations {
            let kind = self.registry.kind_of(&operation.row().draft.kind)?;
            let rows = operations.iter().filter_map(|row| Some(&row.after()?.draft)).collect::<Vec<_>>();
            let learned = operation.after().filter(|_| kind.aside(operation, Style::default()).is_some());
            belongs.push(learned.is_none_or(|learned| kind.belongs(&learned.draft, &rows)));
        }
        let kept = operations.into_iter().zip(belongs).filter(|(_, belongs)| *belongs);
        Ok(kept.map(|(operation, _)| operation).collect())
    }
}

impl<'a> CurrentTurn<'a> {
    pub fn moment(&self) -> Moment<'a> {
        Moment {
            store: self.store,
            reader: Reader { today: self.today, hour: self.hour, conventions: self.conventions },
            deadline: self.request.deadline.answer - RELEASING,
        }
    }
}
