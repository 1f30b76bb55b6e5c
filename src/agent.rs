//! One turn of a conversation: clarify → propose → confirm → execute.
//!
//! A turn starts with the stored state of the conversation. Code reads a plain yes or no and decides the shown
//! proposal. All other messages go through the model loop, which returns an answer, a question or a proposal. This
//! module does not depend on expenses, DynamoDB or HTTP.

use std::{sync::Arc, time::Duration};

use futures_util::future::try_join_all;
use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use plain_answer::PlainDecision;
use serde_json::{Map, Value};
use tokio::time::Instant;
use tracing::Instrument;
use turn::CurrentTurn;
use wording::Wording;

use crate::{
    identity::Caller,
    model::{Message, Model, embeddings::Embeddings},
    phrases::{Conventions, DateRange, PlainAnswer, Style, yes_no},
    proposal::{Call, Decision, Fingerprint, Policy, ProposalId, Record},
    store::{Among, Claim, ClaimKey, ListQuery, Store, StoreError, TenantStore, TurnOutcome},
    tool::{Edits, Question, Registry, SnapshotList},
};

pub use error::TurnError;
pub use events::{Events, TurnEvent};
pub use form::{Form, FormChange, FormOperation};
#[cfg(feature = "local")]
pub use history::{ConversationView, ListedWaiting, PersonView, TurnView, WaitingView};
pub use pages::OperationsFrom;
pub use preferences::PreferenceSnapshot;
pub use prompt::RULES;
pub use reply::{
    AuditView, ListedReceipt, OperationOutcome, OperationView, Progress, ProposalView, ReceiptView, Reply, Total,
};
pub use runs::SweepReport;

mod asked_again;
mod decide;
mod due_items;
mod earlier_turns;
mod edit;
mod error;
mod events;
mod extend;
mod false_write_claims;
mod form;
mod history;
mod intent;
mod merge_results;
mod model_loop;
mod page_view;
mod pages;
mod partial_answer;
mod plain_answer;
mod planned_changes;
mod preferences;
mod prompt;
mod propose;
mod query;
mod rate_limit;
mod reply;
mod runs;
mod turn;
mod unknown_kind;
mod vectors;
mod wording;

/// Time after the deadline for releasing a claim. Less than the time that `app` reserves for sending.
const RELEASE_TIME: Duration = Duration::from_millis(250);

pub struct Agent {
    pub store: Store,
    pub registry: Registry,
    pub model: Arc<dyn Model>,
    /// Called if the model does not answer. It calls tools only if it understands the message with certainty.
    pub fallback: Option<Arc<dyn Model>>,
    /// For searches by meaning, if configured.
    pub embeddings: Option<Arc<dyn Embeddings>>,
    pub defaults: Defaults,
    /// The delay before an attempt of a store call.
    pub pause: fn(attempt: u8) -> Duration,
    /// The write rate of a run. None: unlimited.
    pub rows_per_second: Option<u32>,
}

/// Values that apply if message, client and tenant set none.
#[derive(Debug, Clone)]
pub struct Defaults {
    pub currency: Option<String>,
    pub timezone: TimeZone,
    pub policy: Policy,
}

/// Deadlines of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    pub answer: Instant,
    /// Earlier than `answer`, to leave time for writes after the model's response.
    pub model: Instant,
}

#[derive(Debug, Clone)]
pub struct TurnRequest {
    pub caller: Caller,
    /// When the request arrived.
    pub at: Timestamp,
    /// Random. The source of ids for messages without a message id.
    pub nonce: [u8; 16],
    /// When the answer must be ready.
    pub deadline: Deadline,
    pub conversation: String,
    pub message_id: Option<String>,
    pub input: Input,
    /// From clients that keep the conversation themselves. It replaces the stored turns.
    pub history: Option<Vec<Message>>,
    pub user_context: UserContext,
    /// The page's filters, as the client sent them.
    pub filters: Map<String, Value>,
    pub scope: Option<Scope>,
    /// Where the turn says what it does, if the client shows that.
    pub events: Option<Events>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scope {
    /// The name of a kind of record.
    pub kind: String,
    /// The rows in view or selected: kinds by name, and ids.
    pub rows: Vec<(String, u64)>,
    /// The filters of its list. They apply to nothing.
    pub filters: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Message(String),
    Decision {
        id: ProposalId,
        fingerprint: Fingerprint,
        decision: Decision<Edits>,
    },
    /// For older clients: a confirmation with the call instead of the proposal id.
    Call(Call),
    /// Changes by form.
    Form(Form),
    /// What the request lacks is asked for. `said` is stored as the person's message.
    Incomplete {
        said: String,
        question: Question,
    },
    /// An action of a page. It becomes a proposal that waits for approval. `said` is stored as the person's message.
    Action {
        call: Call,
        said: String,
    },
    /// A query that a program calls. It is answered as in a turn, and nothing is stored.
    Query(Call),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserContext {
    pub timezone: Option<String>,
    pub currency: Option<String>,
    pub locale: Option<String>,
}

impl Agent {
    /// Answers before the request's deadline. If a write is interrupted, its result is unknown; the same request sent
    /// again tells it.
    pub async fn respond(&self, request: &TurnRequest) -> Result<Reply, TurnError> {
        // Boxed, because it is large and would be moved several times.
        let turn = tokio::time::timeout_at(request.deadline.answer, Box::pin(self.turn(request)));
        let result = turn.await.unwrap_or(Err(TurnError::OutcomeUnknown));
        if result.is_ok() {
            return result;
        }
        // Releases the claim, so that the message can be sent again at once. Otherwise the claim expires.
        if let Some(claim) = request.claim() {
            let store = self.store.tenant(request.caller.tenant());
            match tokio::time::timeout_at(request.deadline.answer + RELEASE_TIME, store.release(&claim)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "a message claim could not be released"),
                Err(_) => tracing::warn!("a message claim was not released in time"),
            }
        }
        result
    }

    async fn turn(&self, request: &TurnRequest) -> Result<Reply, TurnError> {
        match &request.input {
            Input::Message(message) => self.handle_message(request, message).await,
            Input::Decision { id, fingerprint, decision } => {
                self.decide_by_form(request, id, fingerprint, decision).await
            }
            Input::Call(call) => self.confirm_call(request, call).await,
            Input::Form(form) => self.change_by_form(request, form).await,
            Input::Incomplete { said, question } => self.ask_for_more(request, said, question).await,
            Input::Action { call, said } => self.propose_call(request, call, said).await,
            Input::Query(call) => self.answer_query(request, call).await,
        }
    }

    async fn handle_message(&self, request: &TurnRequest, message: &str) -> Result<Reply, TurnError> {
        let plain = yes_no::read(message);
        if plain.is_none() {
            // Prepares the model while the store is read. Nothing waits for this, because the completion prepares the
            // model if needed.
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
        let prompted = self.model.reads_prompts() && plain.is_none();
        let rollups_from = prompted.then(|| last_month(request.at));
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation, rollups_from);
        let lists = async { if prompted { self.prompt_lists(store, request.kind_in_view()).await } else { vec![] } };
        let page = self.page_in_view(store, request);
        let (claimed, context, lists, page) = tokio::join!(claiming, context, lists, page);
        match claimed? {
            Claim::Fresh => {
                let context = context?;
                // A message that may stop a run does not continue it first.
                let stops = matches!(plain, Some(PlainAnswer::No(_)));
                if !stops {
                    self.resume_due(store, &context.settings.runs, request.at, request.deadline.answer).await;
                }
                let turn = CurrentTurn::new(request, store, context, claim, message, self);
                self.answer(CurrentTurn { lists, page, ..turn }).await
            }
            Claim::Answered(reply) => read_reply(reply),
            Claim::Working => Err(TurnError::StillAnswering),
            Claim::Reused => Err(TurnError::MessageIdReused),
        }
    }

    /// Reads the rows for the prompt, concurrently: titles and lines. Errors are logged, and the prompt is shorter.
    async fn prompt_lists(&self, store: TenantStore<'_>, scope: Option<&str>) -> Vec<(&'static str, Vec<String>)> {
        let lists = self.registry.snapshot_lists(scope).map(async |(kind, list)| {
            let DateRange { from, to } = DateRange::ALL;
            let SnapshotList { title, conditions, limit } = list;
            let query = ListQuery {
                kind: kind.prefix(),
                among: Among::All,
                from,
                to,
                conditions,
                limit,
                after: None,
                oldest_first: false,
            };
            let line = |record: &Record| format!("#{} {}", record.id, kind.describe(&record.draft, Style::default()));
            Ok((title, store.list(&query).await?.records.iter().map(line).collect()))
        });
        let lost = |error: &StoreError| tracing::warn!(%error, "what there is could not be read for the prompt");
        try_join_all(lists).await.inspect_err(lost).unwrap_or_default()
    }

    async fn answer(&self, turn: CurrentTurn<'_>) -> Result<Reply, TurnError> {
        let meant = turn.plain_decision();
        let decided = match &meant {
            Some(PlainDecision::Decide { proposals, .. }) => proposals.iter().map(|named| named.id.clone()).collect(),
            _ => vec![],
        };
        let reply = match meant {
            Some(plain) => self.apply_plain_decision(&turn, plain).await?,
            None if let Some(extended) = turn.own_extension() => self.approve_extension(&turn, extended).await?,
            None => match self.answer_after_no(&turn).await? {
                Some(reply) => reply,
                None => self.run_model_loop(&turn).await?,
            },
        };
        Ok(self.with_due_question(&turn, &decided, reply).await)
    }

    /// Stores a turn that wrote nothing else. If storing fails, the answer is still returned.
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
    /// How numbers and days are read and written, by the person's locale.
    pub fn conventions(&self) -> Conventions {
        self.user_context.locale.as_deref().map_or_else(Conventions::default, Conventions::of_locale)
    }

    fn is_click(&self) -> bool {
        !matches!(self.input, Input::Message(_))
    }

    /// The name of the kind of record that the page shows.
    fn kind_in_view(&self) -> Option<&str> {
        self.scope.as_ref().map(|scope| scope.kind.as_str())
    }

    /// The claim on the message, if it has an id.
    fn claim(&self) -> Option<ClaimKey> {
        let (Input::Message(message), Some(id)) = (&self.input, &self.message_id) else { return None };
        let nonce = hex::encode(self.nonce);
        Some(ClaimKey::new(self.caller.user().as_str(), &self.conversation, id, message, &nonce))
    }
}

/// A day of the month before that of the request, in any time zone.
fn last_month(now: Timestamp) -> Date {
    let earliest = now.to_zoned(TimeZone::UTC).date().saturating_sub(1.day());
    earliest.first_of_month().saturating_sub(1.day())
}

fn read_reply(stored: Value) -> Result<Reply, TurnError> {
    serde_json::from_value(stored).map_err(|error| StoreError::Corrupt(format!("a kept reply: {error}")).into())
}
