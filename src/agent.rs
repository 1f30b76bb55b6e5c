//! One turn of the conversation: clarify → propose → confirm → execute.
//!
//! A turn starts from what the store remembers of the conversation. A plain yes or no is read by code and decides what
//! was shown; everything else goes through the loop in `think`, which ends in an answer, a question or a proposal.
//! Nothing here knows expenses, DynamoDB or HTTP.

use std::{
    panic::{AssertUnwindSafe, resume_unwind},
    sync::Arc,
    time::Duration,
};

use data_encoding::HEXLOWER;
use futures_util::{FutureExt, future::try_join_all};
use jiff::{Timestamp, tz::TimeZone};
use plain_answer::PlainDecision;
use serde_json::{Map, Value};
use tokio::time::Instant;
use tracing::Instrument;
use turn::{CurrentTurn, Recorded};
use wording::Wording;

use crate::{
    identity::Caller,
    model::{Message, Model, embeddings::Embeddings},
    phrases::{Conventions, DateRange, PlainAnswer, Style, yes_no},
    proposal::{Call, ChunkId, Decision, Fingerprint, Policy, ProposalId, Record, State, data_version},
    store::{Claim, ClaimKey, DoneChunk, ListQuery, Store, StoreError, TenantStore, TurnOutcome},
    tool::{Edits, RecordKind, Registry, SnapshotList, ToolContext, Totals},
};

pub use error::TurnError;
pub use preferences::PreferenceSnapshot;
pub use prompt::RULES;
pub use reply::{AuditView, OperationOutcome, OperationView, Progress, ProposalView, ReceiptView, Reply, Total};
pub use runs::SweepReport;

mod decide;
mod due_items;
mod edit;
mod error;
mod false_write_claims;
mod merge_results;
mod model_loop;
mod plain_answer;
mod planned_changes;
mod preferences;
mod prompt;
mod propose;
mod rate_limit;
mod reply;
mod runs;
mod turn;
mod unknown_kind;
mod vectors;
mod wording;

/// What letting go of a claim may take beyond the deadline: less than `app` keeps back for sending.
const RELEASE_TIME: Duration = Duration::from_millis(250);

pub struct Agent {
    pub store: Store,
    pub registry: Registry,
    pub model: Arc<dyn Model>,
    /// Asked when the model does not answer; what it surely understands, it calls tools for.
    pub fallback: Option<Arc<dyn Model>>,
    /// For searches by meaning.
    pub embeddings: Option<Arc<dyn Embeddings>>,
    pub defaults: Defaults,
    /// How long to wait before the given attempt of a store call.
    pub pause: fn(attempt: u8) -> Duration,
    /// How fast a run may go; none is as fast as it can.
    pub rows_per_second: Option<u32>,
}

/// What holds where neither the message, the client nor the tenant says otherwise.
#[derive(Debug, Clone)]
pub struct Defaults {
    pub currency: Option<String>,
    pub timezone: TimeZone,
    pub policy: Policy,
}

/// When something must be there, and nothing else is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    pub answer: Instant,
    /// What the model says: after it there is something to write.
    pub model: Instant,
}

#[derive(Debug, Clone)]
pub struct TurnRequest {
    pub caller: Caller,
    /// When the request arrived.
    pub at: Timestamp,
    /// Random: names what has no message id.
    pub nonce: [u8; 16],
    /// When the answer must be there.
    pub deadline: Deadline,
    pub conversation: String,
    pub message_id: Option<String>,
    pub input: Input,
    /// Sent by clients that keep the conversation themselves; it replaces the stored turns.
    pub history: Option<Vec<Message>>,
    pub user_context: UserContext,
    /// The page's, as it sent them.
    pub filters: Map<String, Value>,
    /// The name of the kind of record that the page is about.
    pub scope: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Message(String),
    Decision {
        id: ProposalId,
        fingerprint: Fingerprint,
        decision: Decision<Edits>,
    },
    /// Legacy: a confirmation that names the call and not the proposal.
    Call(Call),
    /// An action that a page offers, as a person would ask for it: it is proposed, and waits.
    Action {
        call: Call,
        said: String,
    },
}

/// Where a list of operations goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationsFrom {
    pub chunk: usize,
    /// So many come before.
    pub operation: usize,
    pub id: ChunkId,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserContext {
    pub timezone: Option<String>,
    pub currency: Option<String>,
    pub locale: Option<String>,
}

impl Agent {
    /// By the request's deadline. A write that is cut off may or may not happen; asking again tells.
    pub async fn respond(&self, request: &TurnRequest) -> Result<Reply, TurnError> {
        let turn =
            AssertUnwindSafe(tokio::time::timeout_at(request.deadline.answer, self.turn(request))).catch_unwind().await;
        if let Ok(Ok(Ok(reply))) = turn {
            return Ok(reply);
        }
        // The message can be sent again at once; if this fails too, the claim lapses by itself.
        if let Some(claim) = request.claim() {
            let store = self.store.tenant(request.caller.tenant());
            match tokio::time::timeout_at(request.deadline.answer + RELEASE_TIME, store.release(&claim)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "a message claim could not be released"),
                Err(_) => tracing::warn!("a message claim was not released in time"),
            }
        }
        match turn {
            Ok(in_time) => in_time.unwrap_or(Err(TurnError::OutcomeUnknown)),
            Err(panic) => resume_unwind(panic),
        }
    }

    async fn turn(&self, request: &TurnRequest) -> Result<Reply, TurnError> {
        match &request.input {
            Input::Message(message) => self.handle_message(request, message).await,
            Input::Decision { id, fingerprint, decision } => {
                self.decide_by_form(request, id, fingerprint, decision).await
            }
            Input::Call(call) => self.confirm_call(request, call).await,
            Input::Action { call, said } => self.propose_call(request, call, said).await,
        }
    }

    /// As it stands. If it is unfinished, what can be done of it by the deadline is done first.
    pub async fn proposal(
        &self,
        caller: &Caller,
        id: &ProposalId,
        now: Timestamp,
        deadline: Instant,
    ) -> Result<ProposalView, TurnError> {
        let store = self.store.tenant(caller.tenant());
        let mut proposal = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        if matches!(proposal.header.state, State::Executing { .. }) {
            self.resume(store, id, now, deadline).await?;
            proposal = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        }
        Ok(self.wording(Style::default()).proposal_view(&proposal, now)?)
    }

    /// The operations of a proposal with what became of each, chunk by chunk; and where to go on.
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

    /// Whether this is something that can still be taken back.
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

    /// What was done, the newest first: before the given data version, or the last of all. Then where to go on. A run
    /// that is not finished has no receipt yet.
    pub async fn receipts(
        &self,
        caller: &Caller,
        before: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<AuditView>, Option<String>), TurnError> {
        let store = self.store.tenant(caller.tenant());
        let headers = store.receipts(before, limit).await?;
        let next = headers.last().filter(|_| headers.len() == limit).and_then(data_version);
        let proposals = try_join_all(headers.iter().map(|header| store.proposal(&header.id))).await?;
        let views = proposals
            .iter()
            .flatten()
            .filter_map(|proposal| self.wording(Style::default()).audit_view(proposal).transpose());
        Ok((views.collect::<Result<_, _>>()?, next))
    }

    /// What tools may see outside a conversation, for pages that draw lists.
    pub fn page_context<'a>(
        &'a self,
        caller: &'a Caller,
        now: Timestamp,
        snapshot: &'a PreferenceSnapshot,
        filters: &'a Map<String, Value>,
    ) -> ToolContext<'a> {
        let now = now.to_zoned(self.defaults.timezone.clone());
        ToolContext {
            caller,
            today: now.date(),
            hour: now.hour(),
            conventions: Conventions::default(),
            currency: snapshot.currency.as_deref().or(self.defaults.currency.as_deref()),
            given_currency: None,
            preferences: &snapshot.preferences,
            user_messages: &[],
            visible_answers: &[],
            scope: None,
            row_names: self.registry.row_names(),
            conversation: None,
            filters,
            store: self.store.tenant(caller.tenant()),
            embeddings: self.embeddings.as_deref(),
        }
    }

    async fn handle_message(&self, request: &TurnRequest, message: &str) -> Result<Reply, TurnError> {
        if yes_no::read(message).is_none() {
            // While the store is asked. Nobody waits for it: what it could not do, the completion does itself.
            let model = self.model.clone();
            tokio::spawn(async move { model.prepare().await }.in_current_span());
        }
        let store = self.store.tenant(request.caller.tenant());
        let claim = request.claim();
        let claiming = async {
            match &claim {
                Some(key) => store.claim(key, request.at).await,
                None => Ok(Claim::Fresh),
            }
        };
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation);
        let recorded = self.recorded(store, request.scope.as_deref(), message);
        let (claimed, context, recorded) = tokio::join!(claiming, context, recorded);
        match claimed? {
            Claim::Fresh => {
                let context = context?;
                // What may be about to be stopped is not gone on with first.
                let stops = yes_no::is_stop(message) || matches!(yes_no::read(message), Some(PlainAnswer::No(_)));
                if !stops {
                    self.resume_due(store, &context.settings.runs, request.at, request.deadline.answer).await;
                }
                let turn = CurrentTurn::new(request, store, context, claim, message, self);
                self.answer(CurrentTurn { recorded, ..turn }).await
            }
            Claim::Answered(reply) => read_reply(reply),
            Claim::Working => Err(TurnError::StillAnswering),
            Claim::Reused => Err(TurnError::MessageIdReused),
        }
    }

    /// For the prompt, if one will be read, side by side. A turn does without rather than fail.
    async fn recorded(&self, store: TenantStore<'_>, scope: Option<&str>, message: &str) -> Recorded {
        if !self.model.reads_prompts() || yes_no::read(message).is_some() || yes_no::is_stop(message) {
            return Recorded::default();
        }
        let kinds = self.registry.kinds().filter(|kind| kind.totals().and_then(Totals::overview).is_some());
        let kinds = kinds.map(RecordKind::prefix);
        let overviews = kinds.map(async |kind| Ok((kind, store.overview(kind).await?)));
        let lists = self.registry.snapshot_lists(scope).map(async |(kind, list)| {
            let DateRange { from, to } = DateRange::ALL;
            let SnapshotList { title, conditions, limit } = list;
            let query =
                ListQuery { kind: kind.prefix(), from, to, conditions, limit, after: None, oldest_first: false };
            let line = |record: &Record| format!("#{} {}", record.id, kind.describe(&record.draft, Style::default()));
            Ok((title, store.list(&query).await?.records.iter().map(line).collect()))
        });
        let (overviews, lists) = tokio::join!(try_join_all(overviews), try_join_all(lists));
        let lost = |error: &StoreError| tracing::warn!(%error, "what there is could not be read for the prompt");
        Recorded {
            overviews: overviews.inspect_err(lost).unwrap_or_default().into_iter().collect(),
            lists: lists.inspect_err(lost).unwrap_or_default(),
        }
    }

    async fn answer(&self, turn: CurrentTurn<'_>) -> Result<Reply, TurnError> {
        let meant = turn.plain_decision();
        let decided = match &meant {
            Some(PlainDecision::Decide { proposals, .. }) => proposals.iter().map(|named| named.id.clone()).collect(),
            _ => vec![],
        };
        let reply = match meant {
            Some(plain) => self.apply_plain_decision(&turn, plain).await?,
            None => self.run_model_loop(&turn).await?,
        };
        Ok(self.with_due_question(&turn, &decided, reply).await)
    }

    /// Keeps a turn that wrote nothing else, then answers. The answer is not worth less if keeping it fails.
    async fn conclude(
        &self,
        turn: &CurrentTurn<'_>,
        reply: Reply,
        turn_outcome: TurnOutcome,
    ) -> Result<Reply, TurnError> {
        let reply = turn.finish(reply);
        if let Err(error) = turn.store.conclude(&turn.bookkeeping(&reply, turn_outcome)).await {
            tracing::warn!(%error, "a turn could not be kept");
        }
        Ok(reply)
    }

    fn wording(&self, style: Style) -> Wording<'_> {
        Wording { registry: &self.registry, style }
    }
}

impl TurnRequest {
    /// How the person writes, and is written to, as far as their locale says so.
    pub fn conventions(&self) -> Conventions {
        self.user_context.locale.as_deref().map_or_else(Conventions::default, Conventions::of_locale)
    }

    /// Of its message, if that has an id.
    fn claim(&self) -> Option<ClaimKey> {
        let (Input::Message(message), Some(id)) = (&self.input, &self.message_id) else { return None };
        let nonce = HEXLOWER.encode(&self.nonce);
        Some(ClaimKey::new(self.caller.user().as_str(), &self.conversation, id, message, &nonce))
    }
}

fn read_reply(stored: Value) -> Result<Reply, TurnError> {
    serde_json::from_value(stored).map_err(|error| StoreError::Corrupt(format!("a kept reply: {error}")).into())
}
