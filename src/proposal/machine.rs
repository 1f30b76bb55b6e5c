//! The state machine behind every write: `step(progress, event) → (progress, store call)`.
//!
//! A [`Progress`] is one request on its way (submit a proposal, decide one, or go on with a run). The shell performs the
//! store call it is handed and feeds back what the store said, including nothing at all. The fence is the condition
//! inside the transaction, so a step may be repeated after any answer, or none, without a second effect.
//!
//! A proposal of several chunks is a *run*: approving it makes it EXECUTING, and then each chunk is one transaction,
//! fenced by the number of chunks done. Whoever finds a run unfinished goes on with it; of several, one gets each chunk.

use std::sync::Arc;

use jiff::Timestamp;

use decide::{begin, judge};
use execute::{check_chunk, refused, written};

use super::{
    Adjustments, Chunk, ChunkId, Fingerprint, Header, Operation, Policy, Proposal, ProposalId, Receipt, Record,
    Stopped, change_set::ChangeSet,
};
use crate::identity::Caller;

mod decide;
mod execute;

/// How often a store call may fail to say what happened before the person is told to try again.
pub const MAX_ATTEMPTS: u8 = 5;

/// What a request wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Task {
    /// Show a new proposal and wait, or execute it at once if the policy lets it. `rest`: its chunks after the first.
    Submit { proposal: Proposal, rest: Arc<[Chunk]>, policy: Policy },
    /// `fingerprint` is absent where nobody can name it: confirmation by tool and arguments, or a late plain answer.
    Decide { id: ProposalId, fingerprint: Option<Fingerprint>, decision: Decision },
    /// Go on with what was approved before. Nobody has to be asked again.
    Resume { id: ProposalId },
}

/// What a person decides about a proposal. `R` is what a revision is made from: the edits, or the new proposal itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Decision<R = Revision> {
    Approve,
    Reject {
        reason: Option<String>,
    },
    /// Replace it by a new revision, which waits in its place.
    Revise(R),
    /// Leave undone what is not done yet.
    Stop,
}

/// A proposal that replaces another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision {
    pub proposal: Box<Proposal>,
    /// Its chunks after the first.
    pub rest: Arc<[Chunk]>,
}

/// What the store must do next. Each write is one transaction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StoreCall {
    /// Strongly consistent.
    Load(ProposalId),
    LoadChunk {
        id: ProposalId,
        chunk: ChunkId,
    },
    /// Keep chunks that no header names yet. They are named by their content, so this can be repeated.
    PutChunks {
        header: Header,
        chunks: Arc<[Chunk]>,
    },
    /// Keep a waiting proposal, provided its id is new; settle the one it replaces in the same transaction.
    Put {
        proposal: Proposal,
        settles: Option<Settlement>,
    },
    Settle(Settlement),
    /// A header that is EXECUTING becomes STOPPED, wherever it stands: no chunk is done after it.
    Stop {
        header: Header,
        stopped: Stopped,
    },
    Commit(Approved),
    /// Wait a little, with jitter, before the given attempt.
    Pause {
        attempt: u8,
    },
}

/// What the store said.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    Begin,
    Loaded(Option<Proposal>),
    LoadedChunk(Option<Chunk>),
    /// It was written: all of it, or all chunks.
    Committed,
    /// The transaction was cancelled by one of its conditions; nothing was written.
    Refused(Refusal),
    /// Nothing was written, for a passing reason: a conflicting transaction, throttling.
    Conflict,
    /// No answer, or one that does not tell whether it was written.
    Unknown,
    Woke,
    /// The call was not sent: there is not enough time left to see it through.
    OutOfTime,
}

/// Which conditions failed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Refusal {
    pub header: HeaderCheck,
    pub guard: bool,
    /// The rows that are no longer as they were shown: their operation's index and what stands there now.
    pub rows: Vec<(usize, Option<Record>)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum HeaderCheck {
    #[default]
    Passed,
    /// With the header that stands there, if any.
    Failed(Option<Header>),
}

/// A header that leaves PENDING without any other effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Settlement {
    pub header: Header,
}

/// The only key to the write gate. Nothing but this module can make one:
///
/// ```compile_fail
/// use sayso::proposal::{Approved, Fence, Proposal};
/// fn forge(proposal: Proposal) -> Approved {
///     Approved { proposal, chunk: None, operations: vec![], adjustments: Default::default(), fence: Fence::Pending }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Approved {
    proposal: Proposal,
    /// Which chunk is done; none is the first.
    chunk: Option<ChunkId>,
    operations: Vec<Operation>,
    adjustments: Adjustments,
    fence: Fence,
}

/// What must hold in the transaction that executes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Fence {
    /// The header is PENDING, has this fingerprint and has not expired.
    Pending,
    /// The header does not exist, and none of these contents was added in the last minutes.
    Absent { guards: Vec<String> },
    /// The header is EXECUTING, and so many of its chunks are done.
    Cursor(usize),
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    Waiting(Proposal),
    Executed {
        proposal: Proposal,
        receipt: Receipt,
        replayed: bool,
    },
    /// Some of its chunks are done, and others not yet; somebody will go on with it.
    Executing(Proposal),
    /// The next chunk is missing, or not what was approved. Nothing more is done.
    Halted(Proposal),
    Rejected(Proposal),
    /// Rows changed since they were shown; nothing was written. What still holds waits, if there is any.
    Stale {
        proposal: Proposal,
        changed: Vec<(usize, Option<Record>)>,
        revision: Option<Box<Proposal>>,
    },
    /// Decided otherwise before.
    Closed(Proposal),
    Expired(Proposal),
    NotFound,
    Forbidden,
    FingerprintMismatch,
    /// Nothing was written.
    Busy,
    /// It may or may not have been written; asking again is safe and tells.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Progress {
    /// None for a run that goes on by itself.
    caller: Option<Caller>,
    /// When the request arrived; expiry is judged by it throughout.
    now: Timestamp,
    task: Task,
    phase: Phase,
    /// What is being executed, for when a row turns out to have changed.
    work: Option<Box<Work>>,
    /// A run as it was last seen under way: what is left of it will be done, by this request or another.
    run: Option<Box<Proposal>>,
    attempts: u8,
    unsure: bool,
}

/// One transaction's share of a proposal, as it stood before.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Work {
    proposal: Proposal,
    changes: ChangeSet,
    /// Within a run.
    next: Option<ChunkId>,
    adjustments: Adjustments,
    fence: Fence,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Phase {
    Start,
    Loading,
    LoadingChunk(Box<Proposal>),
    /// Chunks are on their way; then comes the write that makes them visible.
    WritingChunks {
        then: Box<(Outcome, StoreCall)>,
    },
    /// A write is under way; if it is committed, this is the outcome.
    Writing(Box<Outcome>),
    Stopping,
    Pausing,
    Done(Box<Outcome>),
}

impl Progress {
    pub fn new(caller: Caller, now: Timestamp, task: Task) -> Progress {
        Progress {
            caller: Some(caller),
            now,
            task,
            phase: Phase::Start,
            work: None,
            run: None,
            attempts: 0,
            unsure: false,
        }
    }

    /// Goes on with a run on nobody's behalf but that of who approved it.
    pub fn resume(id: ProposalId, now: Timestamp) -> Progress {
        let task = Task::Resume { id };
        Progress { caller: None, now, task, phase: Phase::Start, work: None, run: None, attempts: 0, unsure: false }
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// What will be answered if the write that is under way is committed; it can be stored along with it.
    pub fn if_committed(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Writing(outcome) => Some(outcome),
            _ => None,
        }
    }
}

impl StoreCall {
    /// Whether this is part of a run that can also go on later.
    pub fn can_wait(&self) -> bool {
        match self {
            StoreCall::LoadChunk { .. } => true,
            StoreCall::Commit(approved) => matches!(approved.fence, Fence::Cursor(_)),
            _ => false,
        }
    }

    /// Rows of a run that this would write.
    pub fn rows(&self) -> usize {
        match self {
            StoreCall::Commit(approved) if self.can_wait() => approved.operations.len(),
            _ => 0,
        }
    }
}

impl Approved {
    /// In the state it will have: EXECUTED, or EXECUTING.
    pub fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    /// Which chunk is done; none is the first.
    pub fn chunk(&self) -> Option<&ChunkId> {
        self.chunk.as_ref()
    }

    /// What takes effect. Nothing, when a run only begins.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// With the index that each has in its chunk.
    pub fn indexed_operations(&self) -> impl Iterator<Item = (usize, &Operation)> {
        let skipped = &self.adjustments.skipped;
        (0..).filter(|index| !skipped.contains(index)).zip(&self.operations)
    }

    pub fn adjustments(&self) -> &Adjustments {
        &self.adjustments
    }

    pub fn fence(&self) -> &Fence {
        &self.fence
    }
}

/// One step. An event that the phase cannot receive changes nothing.
pub fn step(progress: Progress, event: Event) -> (Progress, Option<StoreCall>) {
    match (progress.phase.clone(), event) {
        (Phase::Start, Event::Begin) => begin(progress),
        (Phase::Loading, Event::Loaded(found)) => judge(progress, found),
        (Phase::LoadingChunk(proposal), Event::LoadedChunk(found)) => check_chunk(progress, *proposal, found),
        (Phase::WritingChunks { then }, Event::Committed) => write(progress, then.0, then.1),
        (Phase::Writing(outcome), Event::Committed) => written(progress, *outcome),
        (Phase::Writing(outcome), Event::Refused(refusal)) => refused(progress, *outcome, refusal),
        // Read, to tell how far it came. Should nobody answer, it may be stopped all the same.
        (Phase::Stopping, Event::Committed) => load(Progress { unsure: true, ..progress }),
        (Phase::Stopping, Event::Refused(_)) => load(progress),
        (Phase::LoadingChunk(proposal), Event::OutOfTime) => done(progress, Outcome::Executing(*proposal)),
        (Phase::Writing(_), Event::OutOfTime) => match progress.work.clone() {
            Some(work) => done(progress, Outcome::Executing(work.proposal)),
            None => (progress, None),
        },
        (phase, Event::Conflict | Event::Unknown) if phase.reads() => pause(progress),
        (phase, Event::Conflict) if phase.writes() => pause(progress),
        (phase, Event::Unknown) if phase.writes() => pause(Progress { unsure: true, ..progress }),
        (Phase::Pausing, Event::Woke) => load(progress),
        _ => (progress, None),
    }
}

impl Phase {
    fn reads(&self) -> bool {
        matches!(self, Phase::Loading | Phase::LoadingChunk(_))
    }

    fn writes(&self) -> bool {
        matches!(self, Phase::Writing(_) | Phase::WritingChunks { .. } | Phase::Stopping)
    }
}

/// Asked again when it is approved, and not only when it is proposed.
fn may_execute(progress: &Progress, proposal: &Proposal) -> bool {
    let Some(caller) = &progress.caller else { return false };
    let body = &proposal.body;
    let rest = body.manifest.iter().flat_map(|manifest| &manifest.owners);
    let mut owners = body.changes.operations().iter().map(|operation| &operation.row().draft.owner).chain(rest);
    owners.all(|owner| caller.may_change(owner))
}

fn replay(proposal: Proposal) -> Outcome {
    match Receipt::of(&proposal) {
        Some(receipt) => Outcome::Executed { proposal, receipt, replayed: true },
        None => Outcome::Closed(proposal),
    }
}

fn load(progress: Progress) -> (Progress, Option<StoreCall>) {
    let id = match &progress.task {
        Task::Submit { proposal, .. } => proposal.header.id.clone(),
        Task::Decide { id, .. } | Task::Resume { id } => id.clone(),
    };
    (Progress { phase: Phase::Loading, work: None, ..progress }, Some(StoreCall::Load(id)))
}

fn write(progress: Progress, if_committed: Outcome, call: StoreCall) -> (Progress, Option<StoreCall>) {
    (Progress { phase: Phase::Writing(Box::new(if_committed)), ..progress }, Some(call))
}

fn pause(progress: Progress) -> (Progress, Option<StoreCall>) {
    let attempts = progress.attempts + 1;
    if attempts >= MAX_ATTEMPTS {
        let outcome = match &progress.run {
            Some(run) => Outcome::Executing((**run).clone()),
            None if progress.unsure => Outcome::Unknown,
            None => Outcome::Busy,
        };
        return done(progress, outcome);
    }
    (Progress { attempts, phase: Phase::Pausing, ..progress }, Some(StoreCall::Pause { attempt: attempts }))
}

fn done(progress: Progress, outcome: Outcome) -> (Progress, Option<StoreCall>) {
    (Progress { phase: Phase::Done(Box::new(outcome)), work: None, ..progress }, None)
}
