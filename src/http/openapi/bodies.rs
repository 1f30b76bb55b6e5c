//! What requests send. `request` reads it by hand, so that each error can say what to send instead.

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::rows::Filters;
use crate::{
    http::request::{MAX_HISTORY, MAX_HISTORY_TURN, MAX_ID, MAX_MESSAGE, MAX_REASON},
    money::Amount,
    proposal::ProposalId,
};

#[derive(JsonSchema)]
#[serde(untagged)]
pub enum ChatRequest {
    Message(Box<MessageRequest>),
    Decision(Box<DecisionRequest>),
    AiSdk(Box<AiSdkRequest>),
}

/// What the Vercel AI SDK sends. Only ids, approvals and the person's own words are read. The answer is its UI message
/// stream, and an error its text.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiSdkRequest {
    /// The conversation.
    #[schemars(length(min = 1, max = MAX_ID))]
    pub id: String,
    pub messages: Vec<UiMessage>,
    /// The message of the assistant that has the approval, if this is a decision.
    pub message_id: Option<String>,
}

/// At least one has `parts`.
#[derive(JsonSchema)]
pub struct UiMessage {
    pub id: String,
    pub role: String,
    pub parts: Vec<Map<String, Value>>,
}

/// What AG-UI sends. Only ids, `resume` and the person's own words are read.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunAgentInput {
    /// The conversation.
    #[schemars(length(min = 1, max = MAX_ID))]
    pub thread_id: String,
    pub run_id: String,
    pub messages: Vec<Map<String, Value>>,
    /// The answer to the interrupt of the last run.
    #[schemars(length(max = 1))]
    pub resume: Option<Vec<ResumeEntry>>,
    /// `userContext`, `scope` and `activeFilters` as in a message.
    pub forwarded_props: Option<Map<String, Value>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResumeEntry {
    pub interrupt_id: String,
    pub status: ResumeStatus,
    /// `{ "approved": true, "reason": "…" }`, if it is resolved.
    pub payload: Option<Map<String, Value>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResumeStatus {
    Resolved,
    Cancelled,
}

/// A JSON-RPC message of MCP. Without an `id` it is a notification.
#[derive(JsonSchema)]
pub struct McpMessage {
    /// `2.0`
    pub jsonrpc: String,
    /// A text or a whole number.
    pub id: Option<Value>,
    pub method: String,
    pub params: Option<Map<String, Value>>,
}

/// A message of the person.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageRequest {
    #[schemars(length(min = 1, max = MAX_MESSAGE), regex(pattern = r"\S"))]
    pub message: String,
    /// The earlier messages, if the client keeps the conversation itself.
    #[schemars(length(max = MAX_HISTORY))]
    pub history: Option<Vec<HistoryTurn>>,
    /// A file to import, with `name`, `content` or `base64`, and `settings` as in `POST /imports`.
    #[schemars(length(max = 1))]
    pub attachments: Option<Vec<Map<String, Value>>>,
    #[serde(flatten)]
    pub turn: TurnFields,
}

/// A decision about a proposal.
#[derive(JsonSchema)]
pub struct DecisionRequest {
    pub confirm: Decision,
    #[serde(flatten)]
    pub turn: TurnFields,
}

#[derive(JsonSchema)]
pub struct HistoryTurn {
    pub role: Author,
    #[schemars(length(max = MAX_HISTORY_TURN))]
    pub content: String,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    User,
    Assistant,
}

/// What every turn can have.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnFields {
    /// The conversation; `default` if absent.
    #[schemars(length(min = 1, max = MAX_ID))]
    pub conversation_id: Option<String>,
    /// An idempotency key: the same request sent again is one turn. The same as the header `Idempotency-Key`.
    #[schemars(length(min = 1, max = MAX_ID))]
    pub message_id: Option<String>,
    pub user_context: Option<UserContext>,
    pub scope: Option<Scope>,
    /// Filters for every query and bulk change of this turn, if `applyFiltersToQuery` is true.
    pub active_filters: Option<SentFilters>,
    pub apply_filters_to_query: Option<bool>,
}

/// Filters of rows, in the form of `detectedFilters`.
#[derive(JsonSchema)]
pub struct SentFilters {
    #[serde(flatten)]
    pub filters: Filters<Amount>,
}

#[derive(JsonSchema)]
pub struct UserContext {
    /// An IANA name, like `Europe/London`. Days are read in it.
    pub timezone: Option<String>,
    /// The ISO 4217 code of amounts without a currency.
    pub currency: Option<String>,
    /// Like `de-DE`. It decides how `1.234` and `3/4` are read and written.
    pub locale: Option<String>,
}

/// What the page shows, so that “this” can mean it.
#[derive(JsonSchema)]
pub struct Scope {
    /// The name of a kind, like `expense`.
    pub kind: String,
    #[schemars(length(max = 100))]
    pub rows: Option<Vec<ScopeRow>>,
    /// The filters of its list. They apply to nothing.
    pub filters: Option<Map<String, Value>>,
}

#[derive(JsonSchema)]
pub struct ScopeRow {
    pub kind: String,
    pub id: u64,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    pub proposal_id: ProposalId,
    /// That of the proposal as it was shown.
    pub fingerprint: String,
    pub decision: DecisionKind,
    /// Why not.
    #[schemars(length(max = MAX_REASON))]
    pub reason: Option<String>,
    /// `edit`: the numbers of operations to leave out.
    pub exclude: Option<Vec<u64>>,
    /// `edit`: fields to change, by the number of the operation: `{ "1": { "amount": "45" } }`.
    pub edits: Option<Map<String, Value>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionKind {
    Approve,
    Reject,
    Edit,
    Stop,
}

/// Changes without a message. They wait for approval, unless `approve` is true.
#[derive(JsonSchema)]
pub struct ProposalRequest {
    #[schemars(length(min = 1, max = 500))]
    pub operations: Vec<FormOperation>,
    /// True only where a person sees these values and clicks. A program leaves it out: the proposal then waits.
    pub approve: Option<bool>,
    #[serde(flatten)]
    pub turn: TurnFields,
}

#[derive(JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum FormOperation {
    Create {
        /// `expense`, or another kind that can be added by form.
        kind: String,
        fields: FormFields,
    },
    Update {
        kind: String,
        id: u64,
        /// Of the row as it was shown. If it has changed since, nothing is written.
        version: Option<u64>,
        /// Those that change. Null is the same as absent.
        fields: FormFields,
    },
    Delete {
        kind: String,
        id: u64,
        /// Of the row as it was shown. If it has changed since, nothing is written.
        version: Option<u64>,
    },
}

/// The fields of the row. Another field than those of its kind is refused.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum FormFields {
    Expense(ExpenseForm),
    Other(Map<String, Value>),
}

/// A new expense needs `item` and `amount`.
#[derive(JsonSchema)]
pub struct ExpenseForm {
    pub item: Option<String>,
    /// A decimal in major units: `"12.50"`.
    pub amount: Option<Amount>,
    /// An ISO 4217 code; the tenant's if absent.
    pub currency: Option<String>,
    /// A day like `2026-11-20`; today if absent.
    pub date: Option<String>,
    /// Empty for none.
    pub category: Option<String>,
    /// Empty for none.
    pub notes: Option<String>,
    /// The parts of a split expense, which add up to its amount. Empty: no longer split.
    #[schemars(length(max = 20))]
    pub lines: Option<Vec<LineForm>>,
}

#[derive(JsonSchema)]
pub struct LineForm {
    /// Absent for one part that is the rest, or for all parts if they are equal.
    pub amount: Option<Amount>,
    pub category: String,
    pub note: Option<String>,
}

/// A bank's file, or an export of this service. It has `content` or `base64`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileRequest {
    pub name: Option<String>,
    /// The file, if it is text.
    pub content: Option<String>,
    /// The file in Base64.
    pub base64: Option<String>,
    /// Corrections of what the preview detected, in the form of its `settings`.
    pub settings: Option<Map<String, Value>>,
    /// Lines that are added although they were left out.
    pub include: Option<Vec<u64>>,
    /// Lines that are left out.
    pub exclude: Option<Vec<u64>>,
    /// The place of the first row of the preview; `next` of the part before.
    pub from: Option<u64>,
    /// Proposes the expenses.
    pub propose: Option<bool>,
    /// With `propose`, only where a person sees the rows and clicks.
    pub approve: Option<bool>,
    /// The conversation that is told of it; none if absent.
    #[schemars(length(min = 1, max = MAX_ID))]
    pub conversation_id: Option<String>,
    /// An idempotency key: the same request sent again is one turn. The same as the header `Idempotency-Key`.
    #[schemars(length(min = 1, max = MAX_ID))]
    pub message_id: Option<String>,
    pub user_context: Option<UserContext>,
}

/// Decides a waiting proposal.
#[derive(JsonSchema)]
pub struct ApprovalRequest {
    /// That of the proposal as it was shown.
    pub fingerprint: String,
    #[serde(flatten)]
    pub turn: TurnFields,
}

#[derive(JsonSchema)]
pub struct RejectionRequest {
    /// That of the proposal as it was shown.
    pub fingerprint: String,
    /// Why not.
    #[schemars(length(max = MAX_REASON))]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub turn: TurnFields,
}

/// Proposes to undo. It can be empty: `{}`.
#[derive(JsonSchema)]
pub struct UndoRequest {
    #[serde(flatten)]
    pub turn: TurnFields,
}
