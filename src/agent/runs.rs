//! Continues unfinished runs. The next request of the tenant does this, or the sweeper.

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use tokio::time::Instant;

use super::{Agent, TurnError, rate_limit::slice};
use crate::{
    identity::Caller,
    proposal::{Outcome, Progress, ProposalId},
    store::{Bookkeeping, DueRun, StoreError, TenantStore},
};

/// Runs that the sweeper continues concurrently. Each is of another proposal.
const CONCURRENT_RUNS: usize = 4;

/// A run that is due for this long is counted for the alarm.
const STUCK: SignedDuration = SignedDuration::from_mins(15);

/// When a run that failed is tried again.
const TRY_AGAIN: SignedDuration = SignedDuration::from_mins(10);

/// The result of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SweepReport {
    pub finished: usize,
    /// No time was left. The next sweep continues.
    pub unfinished: usize,
    /// The reason is in the log.
    pub failed: usize,
    /// Runs that are due for too long, failed more than once, or ended early.
    pub stuck: usize,
    /// Embeddings created for searches by meaning.
    pub vectors: usize,
}

impl Agent {
    /// Continues a run until it is done or time is out. The run is approved, so any caller may continue it.
    pub async fn resume(
        &self,
        store: TenantStore<'_>,
        id: &ProposalId,
        now: Timestamp,
        deadline: Instant,
    ) -> Result<Outcome, TurnError> {
        let progress = Progress::resume(id.clone(), now);
        let (outcome, _) = self.drive(store, progress, None, deadline, None, |_| Ok(Bookkeeping::default())).await?;
        Ok(outcome)
    }

    /// Continues the due runs of a tenant. Errors are logged, because the person must still get their answer.
    pub(super) async fn resume_due(
        &self,
        store: TenantStore<'_>,
        runs: &[(ProposalId, Timestamp)],
        now: Timestamp,
        deadline: Instant,
    ) {
        let slice = slice(deadline);
        for (id, due_at) in runs.iter().filter(|(_, due_at)| *due_at <= now) {
            self.resume_one(store, id, *due_at, now, slice).await;
        }
    }

    /// Continues one due run. The reason of a failure is logged.
    async fn resume_one(
        &self,
        store: TenantStore<'_>,
        id: &ProposalId,
        due_at: Timestamp,
        now: Timestamp,
        deadline: Instant,
    ) -> SweepReport {
        let outcome = self.resume(store, id, now, deadline).await;
        match outcome {
            Ok(Outcome::Executing(_)) => {
                let late = due_at + STUCK < now;
                SweepReport { unfinished: 1, stuck: usize::from(late), ..SweepReport::default() }
            }
            // It was logged where it ended.
            Ok(Outcome::Executed { receipt, .. }) if receipt.halted => {
                SweepReport { failed: 1, stuck: 1, ..SweepReport::default() }
            }
            Ok(Outcome::Altered(_)) => SweepReport { failed: 1, stuck: 1, ..SweepReport::default() },
            Ok(Outcome::Executed { .. } | Outcome::Closed(_)) => SweepReport { finished: 1, ..SweepReport::default() },
            Ok(Outcome::NotFound) => {
                tracing::error!(proposal = %id, "the proposal of an unfinished run does not exist");
                if let Err(error) = store.forget_run(id).await {
                    tracing::error!(%error, proposal = %id, "the entry of a run could not be removed");
                }
                SweepReport { failed: 1, stuck: 1, ..SweepReport::default() }
            }
            Ok(_) => self.postpone(store, id, due_at, now, &"the outcome is not known").await,
            Err(error) => self.postpone(store, id, due_at, now, &error).await,
        }
    }

    /// A run that failed is tried again later, so that it holds up neither the others nor the tenant's requests.
    async fn postpone(
        &self,
        store: TenantStore<'_>,
        id: &ProposalId,
        due_at: Timestamp,
        now: Timestamp,
        reason: &(dyn std::fmt::Display + Sync),
    ) -> SweepReport {
        tracing::error!(%reason, proposal = %id, "a run could not be gone on with");
        let failures = store.postpone_run(id, due_at, now + TRY_AGAIN).await.unwrap_or_else(|error| {
            tracing::error!(%error, proposal = %id, "a run could not be postponed");
            None
        });
        let stuck = failures.is_some_and(|failures| failures > 1);
        SweepReport { failed: 1, stuck: usize::from(stuck), ..SweepReport::default() }
    }

    /// Reads, and checks for due runs at the same time. If there is one, continues it and reads again.
    pub async fn read_settled<T, E, F: Future<Output = Result<T, E>>>(
        &self,
        caller: &Caller,
        now: Timestamp,
        deadline: Instant,
        read: impl Fn() -> F,
    ) -> Result<T, E> {
        let store = self.store.tenant(caller.tenant());
        // Reads before continuing anything, so that an invalid request fails early.
        let (found, settings) = tokio::try_join!(read(), async { Ok(store.settings().await) })?;
        match settings {
            Ok(settings) if settings.runs.iter().any(|(_, due_at)| *due_at <= now) => {
                self.resume_due(store, &settings.runs, now, deadline).await;
                read().await
            }
            _ => Ok(found),
        }
    }

    /// Continues the due runs of all tenants. Remaining time is used for missing embeddings.
    pub async fn sweep(&self, now: Timestamp, deadline: Instant) -> Result<SweepReport, StoreError> {
        let shards = stream::iter(crate::store::keys::due_shards())
            .map(|shard| async move { self.store.due_runs(&shard, now).await });
        let due: Vec<Vec<DueRun>> = shards.buffered(CONCURRENT_RUNS).try_collect().await?;
        let runs = stream::iter(due.into_iter().flatten()).map(|run| async move {
            self.resume_one(self.store.tenant(&run.tenant), &run.id, run.due_at, now, deadline).await
        });
        let swept: Vec<SweepReport> = runs.buffer_unordered(CONCURRENT_RUNS).collect().await;
        let vectors = self.fill_vectors(now, deadline).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "vectors could not be filled in");
            0
        });
        Ok(swept.into_iter().fold(SweepReport { vectors, ..SweepReport::default() }, |all, one| SweepReport {
            finished: all.finished + one.finished,
            unfinished: all.unfinished + one.unfinished,
            failed: all.failed + one.failed,
            stuck: all.stuck + one.stuck,
            ..all
        }))
    }
}
