//! The state machine behind every write: `step(progress, event) → (progress, store call)`.
//!
//! A [`Progress`] is the state of one request: submit a proposal, decide one, or resume a run. The caller performs the
//! store call that it gets and passes the result to the next step, including a missing answer. The condition inside the
//! transaction (the fence) makes every step safe to repeat.
//!
//! A proposal of several chunks is a *run*: approval makes it EXECUTING, then each chunk is one transaction. The fence
//! of a chunk is the number of chunks that are done, so each chunk is executed once. Any request may resume an
//! unfinished run.

use std::sync::Arc;

use jiff::Timestamp;

use decide::{begin, judge};
use execute::{altered, check_chunk, written};
use refused::refused;

use super::{
    Adjustments, Chunk, ChunkId, Fingerprint, Header, Operation, Policy, Proposal, ProposalId, Receipt, Record, State,
    Stopped, change_set::ChangeSet,
};
use crate::identity::Caller;

mod decide;
mod execute;
mod refused;

/// How many store calls may end without a clear result before the person is told to try again.
pub const MAX_ATTEMPTS: u8 = 5;

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Task {
    /// Stores a new proposal, or executes it at once if the policy allows. `rest`: its chunks after the first.
    Submit { proposal: Proposal, rest: Arc<[Chunk]>, policy: Policy },
    /// `fingerprint` is none if the client cannot know it: for a confirmation by tool and arguments, or a late plain
    /// answer.
    Decide { id: ProposalId, fingerprint: Option<Fingerprint>, decision: Decision },
    /// Resumes an approved run. It needs no further approval.
    Resume { id: ProposalId },
}

/// A person's decision about a proposal. `R` is what a revision is made from: the edits, or the new proposal itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Decision<R = Revision> {
    Approve,
    Reject {
        reason: Option<String>,
    },
    /// Replaces it by a new proposal, which waits in its place.
    Revise(R),
    /// Executes no further chunk.
    Stop,
}

/// A proposal that replaces another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision {
    pub proposal: Box<Proposal>,
    /// Its chunks after the first.
    pub rest: Arc<[Chunk]>,
}

/// The next call to the store. Each write is one transaction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StoreCall {
    /// Strongly consistent.
    Load(ProposalId),
    LoadChunk {
        id: ProposalId,
        chunk: ChunkId,
    },
    /// Writes chunks before any header refers to them. Their key is the hash of their content, so this can be repeated.
    PutChunks {
        header: Header,
        chunks: Arc<[Chunk]>,
    },
    /// Writes a proposal if its id is new, and settles the one it replaces in the same transaction. It waits, or it is
    /// STALE because it was refused when it was to be executed at once.
    Put {
        proposal: Proposal,
        settles: Option<Settlement>,
    },
    Settle(Settlement),
    /// Makes an EXECUTING header STOPPED or HALTED, whatever its cursor. No chunk is executed after it.
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

/// The result of a store call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    Begin,
    Loaded(Option<Proposal>),
    /// There is a header, but the operations beside it are not those that were shown; or it is of a run, and there are
    /// none.
    Altered(Header),
    LoadedChunk(Option<Chunk>),
    /// The transaction, or all chunks, were written.
    Committed,
    /// A condition of the transaction failed. Nothing was written.
    Refused(Refusal),
    /// Nothing was written, for a transient reason: a conflicting transaction or throttling.
    Conflict,
    /// There was no answer, or one that does not tell whether it was written.
    Unknown,
    Woke,
    /// The call was not sent: too little time is left for it.
    OutOfTime,
}

/// The conditions that failed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Refusal {
    pub header: HeaderCheck,
    pub guard: bool,
    /// Rows that are no longer as they were shown: the operation's index and the current row.
    pub rows: Vec<(usize, Option<Record>)>,
    /// Indexes of operations whose unique key another row has.
    pub taken: Vec<usize>,
}

/// Why an operation is no longer possible.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Conflict {
    /// The row is now like this.
    Changed(Record),
    Deleted,
    /// Another row has its unique key.
    Taken,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum HeaderCheck {
    #[default]
    Passed,
    /// With the stored header, if there is one.
    Failed(Option<Header>),
}

/// A header that leaves PENDING without any other effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Settlement {
    pub header: Header,
}

/// Permission to write. Only this module can make one:
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
    /// The chunk that is executed; none is the first.
    chunk: Option<ChunkId>,
    operations: Vec<Operation>,
    adjustments: Adjustments,
    fence: Fence,
}

/// The condition of the transaction that executes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Fence {
    /// The header is PENDING, has this fingerprint and has not expired.
    Pending,
    /// The header does not exist, and none of these contents was added within the duplicate guard's window.
    Absent { guards: Vec<String> },
    /// The header is EXECUTING, and this many of its chunks are done.
    Cursor(usize),
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    Waiting(Proposal),
    Executed {
        proposal: Proposal,
        receipt: Receipt,
        replayed: bool,
    },
    /// Some chunks are done. The run will be resumed.
    Executing(Proposal),
    Rejected(Proposal),
    /// Rows changed since they were shown, and nothing was written. `revision` is a new waiting proposal of the
    /// unchanged rows, if there are any.
    Stale {
        proposal: Proposal,
        /// By the operation's index.
        changed: Vec<(usize, Conflict)>,
        revision: Option<Box<Proposal>>,
    },
    /// It was decided differently before.
    Closed(Proposal),
    Expired(Proposal),
    NotFound,
    /// Its operations are not those that were shown, so it cannot be decided or told. If it was a run, it has ended.
    Altered(ProposalId),
    Forbidden,
    FingerprintMismatch,
    /// Nothing was written.
    Busy,
    /// It may or may not have been written. Asking again is safe and tells which.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Progress {
    /// None for a run that the service resumes itself.
    caller: Option<Caller>,
    /// When the request arrived. Expiry is judged by this time throughout.
    now: Timestamp,
    task: Task,
    phase: Phase,
    /// The chunk in execution, kept for a row that has changed.
    work: Option<Box<Work>>,
    /// The last known state of an unfinished run, which this request or another will finish.
    run: Option<Box<Proposal>>,
    attempts: u8,
    /// A write had no clear answer, so it may have happened.
    unsure: bool,
}

/// One transaction's part of a proposal, as it was before.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Work {
    proposal: Proposal,
    changes: ChangeSet,
    /// The next chunk of the run.
    next: Option<ChunkId>,
    adjustments: Adjustments,
    fence: Fence,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Phase {
    Start,
    Loading,
    LoadingChunk(Box<Proposal>),
    /// Chunks are being written; then comes the write that makes them visible.
    WritingChunks {
        then: Box<(Outcome, StoreCall)>,
    },
    /// A write is in progress; this is the outcome if it is committed.
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

    /// Resumes a run without a caller: its approval is enough.
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

    /// The outcome if the current write is committed. It can be stored with that write.
    pub fn if_committed(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Writing(outcome) => Some(outcome),
            _ => None,
        }
    }
}

impl StoreCall {
    /// Whether this is part of a run, which can also be resumed later.
    pub fn can_wait(&self) -> bool {
        match self {
            StoreCall::LoadChunk { .. } => true,
            StoreCall::Commit(approved) => matches!(approved.fence, Fence::Cursor(_)),
            _ => false,
        }
    }

    /// The proposal whose run this ends because its next chunk is missing or altered.
    pub fn halts(&self) -> Option<&ProposalId> {
        match self {
            StoreCall::Stop { header, stopped } if stopped.by.is_none() => Some(&header.id),
            _ => None,
        }
    }

    /// The number of rows of a run that this would write.
    pub fn rows(&self) -> usize {
        match self {
            StoreCall::Commit(approved) if self.can_wait() => approved.operations.len(),
            _ => 0,
        }
    }
}

impl Approved {
    /// In its new state: EXECUTED or EXECUTING.
    pub fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    /// The chunk that is executed; none is the first.
    pub fn chunk(&self) -> Option<&ChunkId> {
        self.chunk.as_ref()
    }

    /// Whether this approves a run. It writes no records yet.
    pub fn starts_run(&self) -> bool {
        matches!((&self.fence, &self.proposal.header.state), (Fence::Pending, State::Executing { .. }))
    }

    /// The operations to write; none when a run only starts.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operations with their indexes in the chunk.
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

/// Makes one step. An event that does not fit the phase changes nothing.
pub fn step(progress: Progress, event: Event) -> (Progress, Option<StoreCall>) {
    match (progress.phase.clone(), event) {
        (Phase::Start, Event::Begin) => begin(progress),
        (Phase::Loading, Event::Loaded(found)) => judge(progress, found),
        (Phase::Loading, Event::Altered(header)) => altered(progress, header),
        (Phase::LoadingChunk(proposal), Event::LoadedChunk(found)) => check_chunk(progress, *proposal, found),
        (Phase::WritingChunks { then }, Event::Committed) => write(progress, then.0, then.1),
        (Phase::Writing(outcome), Event::Committed) => written(progress, *outcome),
        (Phase::Writing(outcome), Event::Refused(refusal)) => refused(progress, *outcome, refusal),
        // The header is read again to report how far the run came. If that read fails, the run may still be stopped.
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

/// The role is checked again at approval, not only when the change is proposed.
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
