//! Proposals: what a person is shown, and the pure state machine behind every write.
//!
//! ```text
//! PENDING ─approve→ EXECUTED                                   one chunk: one transaction
//!         ─approve→ EXECUTING ─…→ EXECUTED, PARTIAL,           chunk by chunk
//!                                 STOPPED, HALTED
//!         ─reject→ REJECTED   ─rows changed→ STALE   ─edit→ SUPERSEDED
//! new     ─policy→ EXECUTED   ─rows changed→ STALE             at once, without PENDING
//! ```
//! EXPIRED is computed from `expires_at`, and stored when somebody is told. Nothing here does I/O or reads a clock, the
//! environment or randomness: the same code runs in the Lambda, in the property tests and in the model checker.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use change_set::{
    Adjustments, Change, ChangeSet, ChangeSetError, KeyChange, Operation, Verb, key_changes, name_deltas, number,
    rollup_deltas,
};
pub use fingerprint::{ChunkId, Fingerprint, ProposalId, hash_json, hash_text};
pub use machine::{
    Approved, Conflict, Decision, Event, Fence, HeaderCheck, Outcome, Progress, Refusal, Revision, Settlement,
    StoreCall, Task, step,
};
pub use manifest::{Chunk, Manifest, Packed, pack};
pub use note::{Note, NoteKind, Why};
pub use operation_summary::{Count, OperationSummary, Sum};
pub use policy::{Policy, Risk};
pub use receipt::{Receipt, data_version, is_data_version};
pub use record::{
    Body, Contribution, Draft, NameKey, Record, Rollup, RollupKey, RowRef, UniqueKey, contribute, count_name,
    is_preference,
};

pub mod change_set;
pub mod fingerprint;
pub mod machine;
pub mod manifest;
pub mod note;
pub mod operation_summary;
pub mod policy;
pub mod receipt;
pub mod record;

/// The version of all stored formats. Items of older versions stay readable.
pub const SCHEMA: u32 = 1;

/// The bytes that a manifest may have in addition to a full chunk: an item holds 400 KB.
const MANIFEST_BYTES: usize = 50_000;

/// How long a proposal can be decided.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proposal {
    pub header: Header,
    /// Shared: it never changes and can be large.
    pub body: Arc<ProposalBody>,
}

/// The part that changes. It is small, so that a decision is cheap however many operations there are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Header {
    pub id: ProposalId,
    /// The `SCHEMA` of the program that made it. The fingerprint includes it.
    pub schema: u32,
    pub fingerprint: Fingerprint,
    /// The user it was shown to.
    pub user: String,
    pub conversation: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub supersedes: Option<ProposalId>,
    pub state: State,
    /// How its first chunk was executed.
    pub adjustments: Adjustments,
}

/// The progress of a proposal with several chunks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Run {
    /// When the run began, or the last chunk was executed.
    pub touched_at: Timestamp,
    /// The number of executed chunks, which is the index of the next one.
    pub cursor: usize,
    /// The next chunk; none for the first.
    pub next: Option<ChunkId>,
    pub done: OperationSummary,
    /// Rows that were not changed, because they no longer are as they were shown.
    pub skipped: usize,
    #[serde(skip)]
    pub stopped: Option<Stopped>,
}

/// The end of a run before its last chunk. What was done stays.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stopped {
    pub at: Timestamp,
    /// None: it halted, because the next chunk was missing or altered.
    pub by: Option<String>,
}

/// The part that never changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProposalBody {
    /// The tool call behind it, for clients that confirm by tool and arguments.
    pub call: Call,
    pub notes: Vec<Note>,
    /// All operations, or those of the first chunk.
    pub changes: ChangeSet,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// A preference, like a budget, is about sums that it changes, so its approval reads the preferences.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_watched: bool,
}

impl ProposalBody {
    /// Returns itself if one stored item can hold it; otherwise `TooLarge`. The call and the notes count as well as the
    /// operations.
    pub fn fit(self) -> Result<ProposalBody, ChangeSetError> {
        let bytes = serde_json::to_vec(&self).map_or(usize::MAX, |json| json.len());
        if bytes > change_set::CHUNK_BYTES + MANIFEST_BYTES { Err(ChangeSetError::TooLarge) } else { Ok(self) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Call {
    pub tool: String,
    #[serde(rename = "args")]
    pub arguments: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum State {
    Pending,
    /// Approved, with chunks left to execute.
    Executing {
        at: Timestamp,
        by: String,
        run: Box<Run>,
    },
    /// Executed completely, or until it was stopped. `run` is set if it had several chunks.
    Executed {
        at: Timestamp,
        by: String,
        run: Option<Box<Run>>,
    },
    Rejected {
        at: Timestamp,
        by: String,
        reason: Option<String>,
    },
    Stale {
        at: Timestamp,
    },
    /// Somebody was told that it has expired.
    Expired {
        at: Timestamp,
    },
    Superseded {
        at: Timestamp,
        by: ProposalId,
    },
}

/// The state that clients see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "ProposalState"))]
#[serde(rename_all = "UPPERCASE")]
pub enum ProposalStatus {
    Pending,
    Expired,
    Executing,
    Executed,
    /// Executed except for rows that had changed.
    Partial,
    /// Stopped by a person before its end.
    Stopped,
    /// Ended before its last chunk, because the next one was missing or altered.
    Halted,
    Rejected,
    Stale,
    Superseded,
}

impl ProposalStatus {
    /// Executed completely, or until it ended early.
    pub fn is_executed(self) -> bool {
        use ProposalStatus::{Executed, Halted, Partial, Stopped};
        matches!(self, Executed | Partial | Stopped | Halted)
    }
}

/// The people and the conversation that a proposal is shown to.
#[derive(Debug, Clone, Copy)]
pub struct Audience<'a> {
    pub tenant: &'a str,
    pub user: &'a str,
    pub conversation: &'a str,
}

impl Proposal {
    pub fn new(id: ProposalId, audience: Audience<'_>, body: ProposalBody, created_at: Timestamp) -> Proposal {
        let header = Header {
            id,
            schema: SCHEMA,
            fingerprint: fingerprint(SCHEMA, audience, &body),
            user: audience.user.into(),
            conversation: audience.conversation.into(),
            created_at,
            expires_at: created_at + LIFETIME,
            supersedes: None,
            state: State::Pending,
            adjustments: Adjustments::default(),
        };
        Proposal { header, body: Arc::new(body) }
    }

    /// Whether the operations still have the fingerprint in the header.
    pub fn is_intact(&self, tenant: &str) -> bool {
        let audience = Audience { tenant, user: &self.header.user, conversation: &self.header.conversation };
        fingerprint(self.header.schema, audience, &self.body) == self.header.fingerprint
    }

    /// The number of transactions that have executed a part of it.
    pub fn chunks_done(&self) -> usize {
        self.header.chunks_done()
    }

    /// This proposal with a header that was read later.
    pub fn with_header(&self, header: Header) -> Proposal {
        Proposal { header, body: self.body.clone() }
    }

    pub fn with_state(&self, state: State) -> Proposal {
        self.with_header(Header { state, ..self.header.clone() })
    }
}

impl Run {
    pub fn is_halted(&self) -> bool {
        self.stopped.as_ref().is_some_and(|stopped| stopped.by.is_none())
    }
}

impl Header {
    /// The number of transactions that have executed a part of the proposal.
    pub fn chunks_done(&self) -> usize {
        match &self.state {
            State::Executed { run: None, .. } => 1,
            State::Executing { run, .. } | State::Executed { run: Some(run), .. } => run.cursor,
            _ => 0,
        }
    }

    /// Whether it is a run that is not over, or that ended because something of it was missing or altered.
    pub fn is_run_cut_off(&self) -> bool {
        match &self.state {
            State::Executing { .. } => true,
            State::Executed { run: Some(run), .. } => run.is_halted(),
            _ => false,
        }
    }

    pub fn status(&self, now: Timestamp) -> ProposalStatus {
        match &self.state {
            State::Pending if self.expires_at <= now => ProposalStatus::Expired,
            State::Pending => ProposalStatus::Pending,
            State::Executing { .. } => ProposalStatus::Executing,
            State::Executed { run: None, .. } => ProposalStatus::Executed,
            State::Executed { run: Some(run), .. } if run.is_halted() => ProposalStatus::Halted,
            State::Executed { run: Some(run), .. } if run.stopped.is_some() => ProposalStatus::Stopped,
            State::Executed { run: Some(run), .. } if run.skipped > 0 => ProposalStatus::Partial,
            State::Executed { .. } => ProposalStatus::Executed,
            State::Rejected { .. } => ProposalStatus::Rejected,
            State::Stale { .. } => ProposalStatus::Stale,
            State::Expired { .. } => ProposalStatus::Expired,
            State::Superseded { .. } => ProposalStatus::Superseded,
        }
    }
}

fn fingerprint(schema: u32, audience: Audience<'_>, body: &ProposalBody) -> Fingerprint {
    #[derive(Serialize)]
    struct Claim<'a> {
        schema: u32,
        tenant: &'a str,
        user: &'a str,
        conversation: &'a str,
        operations: &'a [Operation],
        #[serde(skip_serializing_if = "Option::is_none")]
        manifest: Option<&'a Manifest>,
    }
    let Audience { tenant, user, conversation } = audience;
    Fingerprint::of(&Claim {
        schema,
        tenant,
        user,
        conversation,
        operations: body.changes.operations(),
        manifest: body.manifest.as_ref(),
    })
}
