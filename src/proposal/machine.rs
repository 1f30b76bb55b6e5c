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

use super::{
    Adjustments, Audience, Chunk, ChunkId, Fingerprint, Header, Note, NoteKind, Operation, Policy, Proposal,
    ProposalBody, ProposalId, Receipt, Record, Run, Standing, State, Stopped, Tally, change_set::ChangeSet,
};
use crate::identity::Caller;

/// How often a store call may fail to say what happened before the person is told to try again.
pub const MAX_ATTEMPTS: u8 = 5;

/// What a request wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Task {
    /// Show a new proposal and wait, or execute it at once if the policy lets it. `rest`: its chunks after the first.
    Submit { proposal: Proposal, rest: Arc<[Chunk]>, policy: Policy },
    /// `fingerprint` is absent where nobody can name it: confirmation by tool and arguments, or a late plain answer.
    Decide { id: ProposalId, fingerprint: Option<Fingerprint>, verdict: Verdict },
    /// Go on with what was approved before. Nobody has to be asked again.
    Resume { id: ProposalId },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Verdict {
    Approve,
    Reject {
        reason: Option<String>,
    },
    /// Replace it by a new revision, which waits in its place.
    Revise {
        revision: Box<Proposal>,
        rest: Arc<[Chunk]>,
    },
    /// Leave undone what is not done yet.
    Stop,
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
        Progress { caller: Some(caller), now, task, phase: Phase::Start, work: None, attempts: 0, unsure: false }
    }

    /// Goes on with a run on nobody's behalf but that of who approved it.
    pub fn resume(id: ProposalId, now: Timestamp) -> Progress {
        let task = Task::Resume { id };
        Progress { caller: None, now, task, phase: Phase::Start, work: None, attempts: 0, unsure: false }
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
        (Phase::Stopping, Event::Committed | Event::Refused(_)) => load(progress),
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

fn begin(progress: Progress) -> (Progress, Option<StoreCall>) {
    match &progress.task {
        Task::Submit { proposal, .. } if !may_execute(&progress, proposal) => done(progress, Outcome::Forbidden),
        Task::Submit { .. } => submit(progress),
        Task::Decide { .. } | Task::Resume { .. } => load(progress),
    }
}

fn submit(progress: Progress) -> (Progress, Option<StoreCall>) {
    let Task::Submit { proposal, rest, policy } = &progress.task else { return (progress, None) };
    let (proposal, rest) = (proposal.clone(), rest.clone());
    if proposal.body.manifest.is_some() || policy.waits(&proposal.body.changes, &proposal.body.notes) {
        return put(progress, proposal.clone(), rest, None, Outcome::Waiting(proposal));
    }
    let guards = proposal.body.changes.operations().iter().filter_map(|op| match op {
        Operation::Create { after } if !op.is_restored() => {
            Some(format!("{}-{}", after.draft.likeness.as_ref()?, after.draft.date))
        }
        _ => None,
    });
    let fence = Fence::Absent { guards: guards.collect() };
    execute(progress, proposal, fence)
}

/// The header comes last: chunks that none names are invisible.
fn put(
    progress: Progress,
    proposal: Proposal,
    rest: Arc<[Chunk]>,
    settles: Option<Settlement>,
    outcome: Outcome,
) -> (Progress, Option<StoreCall>) {
    let header = proposal.header.clone();
    let call = StoreCall::Put { proposal, settles };
    if rest.is_empty() {
        return write(progress, outcome, call);
    }
    let phase = Phase::WritingChunks { then: Box::new((outcome, call)) };
    (Progress { phase, ..progress }, Some(StoreCall::PutChunks { header, chunks: rest }))
}

/// What a proposal that was found means for this request.
fn judge(progress: Progress, found: Option<Proposal>) -> (Progress, Option<StoreCall>) {
    match (&progress.task, found) {
        (Task::Submit { .. }, None) => submit(progress),
        (Task::Submit { .. }, Some(existing)) => {
            let outcome = submitted_before(existing, progress.now);
            done(progress, outcome)
        }
        (Task::Decide { .. } | Task::Resume { .. }, None) => done(progress, Outcome::NotFound),
        (Task::Decide { fingerprint, verdict, .. }, Some(proposal)) => {
            let (fingerprint, verdict) = (fingerprint.clone(), verdict.clone());
            decide(progress, proposal, fingerprint, verdict)
        }
        (Task::Resume { .. }, Some(proposal)) => match proposal.header.standing(progress.now) {
            Standing::Executing => advance(progress, proposal),
            Standing::Executed | Standing::Partial | Standing::Stopped => done(progress, replay(proposal)),
            _ => done(progress, Outcome::Closed(proposal)),
        },
    }
}

fn decide(
    progress: Progress,
    proposal: Proposal,
    fingerprint: Option<Fingerprint>,
    verdict: Verdict,
) -> (Progress, Option<StoreCall>) {
    let Some(caller) = progress.caller.clone().filter(|caller| caller.may_change(&proposal.header.user)) else {
        return done(progress, Outcome::Forbidden);
    };
    if fingerprint.is_some_and(|shown| shown != proposal.header.fingerprint) {
        return done(progress, Outcome::FingerprintMismatch);
    }
    let (now, by) = (progress.now, caller.user().to_string());
    match (proposal.header.standing(now), verdict) {
        (Standing::Executed | Standing::Partial | Standing::Stopped, Verdict::Approve)
        | (Standing::Stopped, Verdict::Stop) => done(progress, replay(proposal)),
        (Standing::Executing, Verdict::Approve) => advance(progress, proposal),
        (Standing::Executing, Verdict::Stop) => {
            let call = StoreCall::Stop { header: proposal.header, stopped: Stopped { at: now, by } };
            (Progress { phase: Phase::Stopping, ..progress }, Some(call))
        }
        (Standing::Rejected, Verdict::Reject { .. }) => done(progress, Outcome::Rejected(proposal)),
        (Standing::Expired, _) => done(progress, Outcome::Expired(proposal)),
        (Standing::Pending, Verdict::Approve) if !may_execute(&progress, &proposal) => {
            done(progress, Outcome::Forbidden)
        }
        (Standing::Pending, Verdict::Approve) if proposal.body.manifest.is_some() => start_run(progress, proposal, by),
        (Standing::Pending, Verdict::Approve) => execute(progress, proposal, Fence::Pending),
        (Standing::Pending, Verdict::Reject { reason }) => {
            let rejected = proposal.with_state(State::Rejected { at: now, by, reason });
            let call = StoreCall::Settle(Settlement { header: rejected.header.clone() });
            write(progress, Outcome::Rejected(rejected), call)
        }
        (Standing::Superseded, Verdict::Revise { revision, .. }) if is_superseded_by(&proposal, &revision) => {
            let outcome = submitted_before(*revision, now);
            done(progress, outcome)
        }
        (Standing::Pending, Verdict::Revise { revision, .. }) if !may_execute(&progress, &revision) => {
            done(progress, Outcome::Forbidden)
        }
        (Standing::Pending, Verdict::Revise { revision, rest }) => {
            let (revision, superseded) = supersede(&proposal, *revision, now);
            put(progress, revision.clone(), rest, Some(superseded), Outcome::Waiting(revision))
        }
        _ => done(progress, Outcome::Closed(proposal)),
    }
}

fn supersede(proposal: &Proposal, mut revision: Proposal, at: Timestamp) -> (Proposal, Settlement) {
    revision.header.supersedes = Some(proposal.header.id.clone());
    let superseded = proposal.with_state(State::Superseded { at, by: revision.header.id.clone() });
    (revision, Settlement { header: superseded.header })
}

/// Of a proposal with one chunk: all of it.
fn execute(progress: Progress, proposal: Proposal, fence: Fence) -> (Progress, Option<StoreCall>) {
    let changes = proposal.body.changes.clone();
    commit(progress, Work { proposal, changes, next: None, adjustments: Adjustments::default(), fence })
}

/// Approved, and nothing done yet. From here on it goes on whoever asks, until it is done or stopped.
fn start_run(progress: Progress, proposal: Proposal, by: String) -> (Progress, Option<StoreCall>) {
    let now = progress.now;
    let run = Run { touched_at: now, cursor: 0, next: None, done: Tally::default(), skipped: 0, stopped: None };
    let proposal = proposal.with_state(State::Executing { at: now, by, run: Box::new(run) });
    let outcome = Outcome::Executing(proposal.clone());
    let (operations, adjustments) = (vec![], Adjustments::default());
    let approved = Approved { proposal, chunk: None, operations, adjustments, fence: Fence::Pending };
    write(progress, outcome, StoreCall::Commit(approved))
}

/// The next chunk of a run.
fn advance(progress: Progress, proposal: Proposal) -> (Progress, Option<StoreCall>) {
    let State::Executing { run, .. } = &proposal.header.state else { return (progress, None) };
    // The first is kept beside the header, and was checked against the fingerprint when it was read.
    let Some(manifest) = proposal.body.manifest.as_ref() else { return done(progress, Outcome::Halted(proposal)) };
    match &run.next {
        None => {
            let chunk = Chunk { changes: proposal.body.changes.clone(), next: Some(manifest.next.clone()) };
            commit_chunk(progress, proposal, chunk)
        }
        Some(chunk) => {
            let call = StoreCall::LoadChunk { id: proposal.header.id.clone(), chunk: chunk.clone() };
            (Progress { phase: Phase::LoadingChunk(Box::new(proposal)), ..progress }, Some(call))
        }
    }
}

fn check_chunk(progress: Progress, proposal: Proposal, found: Option<Chunk>) -> (Progress, Option<StoreCall>) {
    let State::Executing { run, .. } = &proposal.header.state else { return (progress, None) };
    match found {
        Some(chunk) if Some(chunk.id()) == run.next => commit_chunk(progress, proposal, chunk),
        _ => done(progress, Outcome::Halted(proposal)),
    }
}

fn commit_chunk(progress: Progress, proposal: Proposal, chunk: Chunk) -> (Progress, Option<StoreCall>) {
    let State::Executing { run, .. } = &proposal.header.state else { return (progress, None) };
    let fence = Fence::Cursor(run.cursor);
    let Chunk { changes, next } = chunk;
    commit(progress, Work { proposal, changes, next, adjustments: Adjustments::default(), fence })
}

/// The write gate: with [`start_run`], which writes no record, the one place where an [`Approved`] is made.
fn commit(progress: Progress, work: Work) -> (Progress, Option<StoreCall>) {
    let Work { proposal, changes, next, adjustments, fence } = &work;
    let operations = changes.adjusted(adjustments);
    let (mut after, chunk) = match &proposal.header.state {
        State::Executing { at, by, run } => {
            let mut run = run.clone();
            let chunk = run.next.take();
            run.touched_at = progress.now;
            run.cursor += 1;
            run.next = next.clone();
            run.done.add(&Tally::of(&operations));
            run.skipped += adjustments.skipped.len();
            let (at, by) = (*at, by.clone());
            let state = match next {
                Some(_) => State::Executing { at, by, run },
                None => State::Executed { at, by, run: Some(run) },
            };
            (proposal.with_state(state), chunk)
        }
        _ => {
            let Some(caller) = &progress.caller else { return (progress, None) };
            let (at, by) = (progress.now, caller.user().to_string());
            (proposal.with_state(State::Executed { at, by, run: None }), None)
        }
    };
    if chunk.is_none() {
        after.header.adjustments = adjustments.clone();
    }
    let outcome = match Receipt::of(&after) {
        Some(receipt) => Outcome::Executed { proposal: after.clone(), receipt, replayed: false },
        None => Outcome::Executing(after.clone()),
    };
    let (adjustments, fence) = (adjustments.clone(), fence.clone());
    let call = StoreCall::Commit(Approved { proposal: after, chunk, operations, adjustments, fence });
    write(Progress { work: Some(Box::new(work)), ..progress }, outcome, call)
}

/// A run goes on; everything else ends with what was written.
fn written(progress: Progress, outcome: Outcome) -> (Progress, Option<StoreCall>) {
    match outcome {
        Outcome::Executing(proposal) => advance(Progress { attempts: 0, unsure: false, ..progress }, proposal),
        outcome => done(progress, outcome),
    }
}

fn refused(progress: Progress, outcome: Outcome, refusal: Refusal) -> (Progress, Option<StoreCall>) {
    let work = progress.work.clone();
    match (&progress.task, work, refusal.header) {
        // Somebody else has done this chunk, or stopped the run: the header tells, and they go on.
        (_, Some(work), HeaderCheck::Failed(Some(header))) if matches!(work.fence, Fence::Cursor(_)) => {
            let proposal = work.proposal.with_header(header);
            let outcome = match proposal.header.standing(progress.now) {
                Standing::Executing => Outcome::Executing(proposal),
                _ => replay(proposal),
            };
            done(progress, outcome)
        }
        // Operations never change, so the header alone tells the loser of a race what happened.
        (Task::Decide { .. }, _, HeaderCheck::Failed(Some(header))) if header.state != State::Pending => {
            match decided(outcome) {
                Some(proposal) => judge(progress, Some(proposal.with_header(header))),
                None => pause(progress),
            }
        }
        (_, _, HeaderCheck::Failed(_)) => pause(progress),
        (Task::Submit { proposal, rest, policy }, _, HeaderCheck::Passed) if refusal.guard => {
            let (mut proposal, rest, policy) = (proposal.clone(), rest.clone(), *policy);
            let text = "the same was added a moment ago".into();
            Arc::make_mut(&mut proposal.body).notes.push(Note { kind: NoteKind::PossibleDuplicate, text });
            submit(Progress { task: Task::Submit { proposal, rest, policy }, work: None, ..progress })
        }
        (_, Some(work), HeaderCheck::Passed) if !refusal.rows.is_empty() => rows_changed(progress, *work, refusal.rows),
        _ => pause(progress),
    }
}

/// Of a write by decision, what a header read later belongs to. A revision's header says nothing of what it replaces.
fn decided(outcome: Outcome) -> Option<Proposal> {
    match outcome {
        Outcome::Executed { proposal, .. } | Outcome::Executing(proposal) | Outcome::Rejected(proposal) => {
            Some(proposal)
        }
        _ => None,
    }
}

/// Staleness is about what was shown: where all of it still holds, the version that was found is the fence. What does
/// not hold is left out of a run, and makes a single transaction stale.
fn rows_changed(
    progress: Progress,
    mut work: Work,
    rows: Vec<(usize, Option<Record>)>,
) -> (Progress, Option<StoreCall>) {
    let in_run = matches!(work.fence, Fence::Cursor(_));
    let mut changed = Vec::new();
    for (index, now) in rows {
        let holds = work.changes.operations().get(index).is_some_and(|operation| operation.still_holds(now.as_ref()));
        // Once: a row that changes and changes back all the time must not keep the others from being done.
        match &now {
            Some(now) if holds && !work.adjustments.versions.contains_key(&index) => {
                work.adjustments.versions.insert(index, now.version);
            }
            _ if in_run => {
                work.adjustments.versions.remove(&index);
                work.adjustments.skipped.insert(index);
            }
            _ => changed.push((index, now)),
        }
    }
    if changed.is_empty() {
        return commit(progress, work);
    }
    let proposal = work.proposal;
    match &progress.task {
        Task::Decide { .. } => {
            let stale = proposal.with_state(State::Stale { at: progress.now });
            let settlement = Settlement { header: stale.header.clone() };
            let revision = what_holds(&progress, &proposal, &changed);
            let ended = Outcome::Stale { proposal: stale, changed, revision: revision.clone().map(Box::new) };
            match revision {
                Some(revision) => put(progress, revision, [].into(), Some(settlement), ended),
                None => write(progress, ended, StoreCall::Settle(settlement)),
            }
        }
        _ => done(progress, Outcome::Stale { proposal, changed, revision: None }),
    }
}

/// A revision without the rows that changed.
fn what_holds(progress: &Progress, proposal: &Proposal, changed: &[(usize, Option<Record>)]) -> Option<Proposal> {
    let all = proposal.body.changes.operations();
    let is_changed = |index: usize| changed.iter().any(|(changed, _)| *changed == index);
    let kept = all.iter().enumerate().filter(|(index, _)| !is_changed(*index)).map(|(_, operation)| operation.clone());
    let changes = ChangeSet::new(kept.collect()).ok()?;
    let left_out: Vec<String> =
        changed.iter().filter_map(|(index, _)| Some(format!("#{}", all.get(*index)?.row().id))).collect();
    let text = format!("{} of {} changed since: {}", left_out.len(), all.len(), left_out.join(", "));
    let mut notes = proposal.body.notes.clone();
    notes.push(Note { kind: NoteKind::LeftOut, text });
    let body = ProposalBody { call: proposal.body.call.clone(), notes, changes, manifest: None };
    let header = &proposal.header;
    let tenant = progress.caller.as_ref()?.tenant().as_str();
    let audience = Audience { tenant, user: &header.user, conversation: &header.conversation };
    let id = ProposalId::derived(&["still holds", tenant, header.id.as_str()]);
    let mut revision = Proposal::new(id, audience, body, progress.now);
    revision.header.supersedes = Some(header.id.clone());
    Some(revision)
}

/// What became of a proposal that this request, or the same one before it, made.
fn submitted_before(existing: Proposal, now: Timestamp) -> Outcome {
    match existing.header.standing(now) {
        Standing::Pending => Outcome::Waiting(existing),
        Standing::Executing => Outcome::Executing(existing),
        Standing::Executed | Standing::Partial | Standing::Stopped => replay(existing),
        Standing::Expired => Outcome::Expired(existing),
        Standing::Rejected | Standing::Stale | Standing::Superseded => Outcome::Closed(existing),
    }
}

fn is_superseded_by(proposal: &Proposal, revision: &Proposal) -> bool {
    matches!(&proposal.header.state, State::Superseded { by, .. } if *by == revision.header.id)
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
        let outcome = match (&progress.phase, progress.work) {
            // It was approved, so what is left of it will be done, by this request or another.
            (Phase::LoadingChunk(proposal), _) => Outcome::Executing((**proposal).clone()),
            (_, Some(work)) if matches!(work.fence, Fence::Cursor(_)) => Outcome::Executing(work.proposal),
            _ if progress.unsure => Outcome::Unknown,
            _ => Outcome::Busy,
        };
        return done(Progress { work: None, ..progress }, outcome);
    }
    (Progress { attempts, phase: Phase::Pausing, ..progress }, Some(StoreCall::Pause { attempt: attempts }))
}

fn done(progress: Progress, outcome: Outcome) -> (Progress, Option<StoreCall>) {
    (Progress { phase: Phase::Done(Box::new(outcome)), work: None, ..progress }, None)
}
