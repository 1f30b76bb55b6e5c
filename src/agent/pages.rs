//! What pages read outside a conversation: proposals, their operations, receipts, and the context for lists.

use futures_util::future::try_join_all;
use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::{
    Agent, PreferenceSnapshot, TurnError,
    reply::{AuditView, ListedReceipt, OperationOutcome, OperationView, ProposalView},
};
use crate::{
    identity::Caller,
    phrases::{Conventions, Style},
    proposal::{ChunkId, Header, ProposalId, State},
    store::{DoneChunk, StoreError, TenantStore},
    tool::{NameCache, ToolContext},
};

/// The position in a list of operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationsFrom {
    pub chunk: usize,
    /// The number of operations before this position.
    pub operation: usize,
    pub id: ChunkId,
}

/// What its place in the list tells: the time, the id, and of a run the number of chunks.
fn unreadable(data_version: &str) -> ListedReceipt {
    let mut parts = data_version.split('-');
    let millis = parts.next().and_then(|millis| millis.parse().ok());
    ListedReceipt::Unreadable {
        executed_at: millis.and_then(|millis| Timestamp::from_millisecond(millis).ok()),
        proposal_id: parts.next().unwrap_or_default().to_owned(),
        unreadable: "What is stored of this receipt cannot be read, so it cannot be shown or undone. What it changed \
                     stays changed. Tell the people who run this service.",
    }
}

impl Agent {
    /// The proposal in its current state. An unfinished run is continued first, until the deadline if there is one.
    pub async fn proposal(
        &self,
        caller: &Caller,
        id: &ProposalId,
        now: Timestamp,
        run_until: Option<Instant>,
    ) -> Result<ProposalView, TurnError> {
        let store = self.store.tenant(caller.tenant());
        let mut proposal = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        if let (State::Executing { .. }, Some(deadline)) = (&proposal.header.state, run_until) {
            self.resume(store, id, now, deadline).await?;
            proposal = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        }
        Ok(self.wording(Style::default()).proposal_view(&proposal, now)?)
    }

    /// The operations of a proposal with their outcomes, one chunk at a time, and the next position.
    pub async fn operations(
        &self,
        caller: &Caller,
        id: &ProposalId,
        from: Option<OperationsFrom>,
    ) -> Result<(Vec<OperationView>, Option<OperationsFrom>), TurnError> {
        let store = self.store.tenant(caller.tenant());
        let proposal = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        let named = from.as_ref().map(|from| from.id.clone());
        let (number, before, found) = match from {
            None => (0, 0, Some(DoneChunk::first(&proposal))),
            Some(OperationsFrom { chunk, operation, id: of }) => {
                (chunk, operation, store.done_chunk(id, &of, chunk < proposal.chunks_done()).await?)
            }
        };
        let DoneChunk { chunk, done } = found.ok_or(TurnError::NoSuchProposal)?;
        if named.is_some_and(|named| named != chunk.id()) {
            let text = format!("a chunk of proposal {id} is not what was shown");
            return Err(StoreError::Corrupt(text).into());
        }
        let mut views = self.wording(Style::default()).operation_views(chunk.changes.operations())?;
        for (index, view) in views.iter_mut().enumerate() {
            view.n += before;
            view.outcome = done.as_ref().map(|adjustments| match adjustments.skipped.contains(&index) {
                true => OperationOutcome::Skipped,
                false => OperationOutcome::Done,
            });
        }
        let operation = before + views.len();
        let next = chunk.next.map(|id| OperationsFrom { chunk: number + 1, operation, id });
        Ok((views, next))
    }

    /// Checks that a proposal can be undone.
    pub async fn undoable(&self, caller: &Caller, id: &ProposalId, now: Timestamp) -> Result<(), TurnError> {
        let store = self.store.tenant(caller.tenant());
        let found = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        match found.header.state {
            State::Executed { at, .. } if at + store.audit() < now => {
                Err(TurnError::TooOld(store.audit().as_hours() / 24))
            }
            _ => Ok(()),
        }
    }

    /// Receipts, newest first, optionally before a data version; and the next data version. An unfinished run has no
    /// receipt. A receipt that cannot be read does not hide the others.
    pub async fn receipts(
        &self,
        caller: &Caller,
        before: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<ListedReceipt>, Option<String>), TurnError> {
        let store = self.store.tenant(caller.tenant());
        let listed = store.receipts(before, limit).await?;
        let next = listed.last().filter(|_| listed.len() == limit).map(|last| last.data_version.clone());
        let views = listed.into_iter().map(|listed| async move {
            match self.receipt(store, listed.header).await {
                Err(StoreError::Corrupt(reason)) => {
                    tracing::error!(reason, receipt = listed.data_version, "a receipt cannot be read");
                    Ok(Some(unreadable(&listed.data_version)))
                }
                view => Ok::<_, StoreError>(view?.map(|view| ListedReceipt::Readable(Box::new(view)))),
            }
        });
        Ok((try_join_all(views).await?.into_iter().flatten().collect(), next))
    }

    async fn receipt(
        &self,
        store: TenantStore<'_>,
        header: Result<Header, StoreError>,
    ) -> Result<Option<AuditView>, StoreError> {
        let Some(proposal) = store.proposal(&header?.id).await? else { return Ok(None) };
        self.wording(Style::default()).audit_view(&proposal)
    }

    /// The context of tools outside a conversation, for pages that show lists.
    pub fn page_context<'a>(
        &'a self,
        caller: &'a Caller,
        now: Timestamp,
        snapshot: &'a PreferenceSnapshot,
        filters: &'a Map<String, Value>,
        names: &'a NameCache,
    ) -> ToolContext<'a> {
        let now = now.to_zoned(self.defaults.timezone.clone());
        ToolContext {
            caller,
            today: now.date(),
            hour: now.hour(),
            zone: &self.defaults.timezone,
            conventions: Conventions::default(),
            currency: snapshot.currency.as_deref().or(self.defaults.currency.as_deref()),
            given_currency: None,
            preferences: &snapshot.preferences,
            user_messages: &[],
            visible_answers: &[],
            page_rows: &[],
            scope: None,
            row_names: self.registry.row_names(),
            conversation: None,
            filters,
            members: &snapshot.members,
            store: self.store.tenant(caller.tenant()),
            names,
            embeddings: self.embeddings.as_deref(),
        }
    }
}
