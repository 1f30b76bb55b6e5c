//! The state machine behind every write: `step(progress, event) → (progress, store call)`.
//!
//! A [`Progress`] is one request on its way (submit a proposal, or decide one). The shell performs the store call it is
//! handed and feeds back what the store said, including nothing at all. The fence is the condition inside the
//! transaction, so a step may be repeated after any answer, or none, without a second effect.

use jiff::Timestamp;

use super::{
    Fingerprint, Header, Note, NoteKind, Operation, Policy, Proposal, ProposalId, Receipt, Record, Standing, State,
};
use crate::identity::Caller;

/// How often a store call may fail to say what happened before the person is told to try again.
pub const MAX_ATTEMPTS: u8 = 5;

/// What a request wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Task {
    /// Show a new proposal and wait, or execute it at once if the policy lets it.
    Submit { proposal: Proposal, policy: Policy },
    /// `fingerprint` is absent where nobody can name it: confirmation by tool and arguments, or a late plain answer.
    Decide { id: ProposalId, fingerprint: Option<Fingerprint>, verdict: Verdict },
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Verdict {
    Approve,
    Reject {
        reason: Option<String>,
    },
    /// Replace it by a new revision, which waits in its place.
    Revise(Box<Proposal>),
}

/// What the store must do next. Each write is one transaction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StoreCall {
    /// Strongly consistent.
    Load(ProposalId),
    /// Keep a waiting proposal, provided its id is new; settle the one it replaces in the same transaction.
    Put {
        proposal: Proposal,
        settles: Option<Settlement>,
    },
    Settle(Settlement),
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
    Committed,
    /// The transaction was cancelled by one of its conditions; nothing was written.
    Refused(Refusal),
    /// Nothing was written, for a passing reason: a conflicting transaction, throttling.
    Conflict,
    /// No answer, or one that does not tell whether it was written.
    Unknown,
    Woke,
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
///     Approved { proposal, fence: Fence::Pending }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Approved {
    proposal: Proposal,
    fence: Fence,
}

/// What must hold in the transaction that executes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Fence {
    /// The header is PENDING, has this fingerprint and has not expired.
    Pending,
    /// The header does not exist, and none of these contents was added in the last minutes.
    Absent { guards: Vec<String> },
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
    Rejected(Proposal),
    /// Rows changed since they were shown; nothing was written.
    Stale {
        proposal: Proposal,
        changed: Vec<(usize, Option<Record>)>,
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
    caller: Caller,
    /// When the request arrived; expiry is judged by it throughout.
    now: Timestamp,
    task: Task,
    phase: Phase,
    attempts: u8,
    unsure: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Phase {
    Start,
    Loading,
    /// A write is under way; if it is committed, this is the outcome.
    Writing(Box<Outcome>),
    Pausing,
    Done(Box<Outcome>),
}

impl Progress {
    pub fn new(caller: Caller, now: Timestamp, task: Task) -> Progress {
        Progress { caller, now, task, phase: Phase::Start, attempts: 0, unsure: false }
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

impl Approved {
    /// In the state it will have: EXECUTED.
    pub fn proposal(&self) -> &Proposal {
        &self.proposal
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
        (Phase::Writing(outcome), Event::Committed) => done(progress, *outcome),
        (Phase::Writing(outcome), Event::Refused(refusal)) => refused(progress, *outcome, refusal),
        (Phase::Loading | Phase::Writing(_), Event::Conflict) => pause(progress),
        (Phase::Writing(_), Event::Unknown) => pause(Progress { unsure: true, ..progress }),
        (Phase::Loading, Event::Unknown) => pause(progress),
        (Phase::Pausing, Event::Woke) => load(progress),
        _ => (progress, None),
    }
}

fn begin(progress: Progress) -> (Progress, Option<StoreCall>) {
    match &progress.task {
        Task::Submit { proposal, .. } if !may_execute(&progress.caller, proposal) => done(progress, Outcome::Forbidden),
        Task::Submit { .. } => submit(progress),
        Task::Decide { .. } => load(progress),
    }
}

fn submit(progress: Progress) -> (Progress, Option<StoreCall>) {
    let Task::Submit { proposal, policy } = &progress.task else { return (progress, None) };
    let proposal = proposal.clone();
    if policy.waits(&proposal.body.changes, &proposal.body.notes) {
        let call = StoreCall::Put { proposal: proposal.clone(), settles: None };
        return write(progress, Outcome::Waiting(proposal), call);
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

/// What a proposal that was found means for this request.
fn judge(progress: Progress, found: Option<Proposal>) -> (Progress, Option<StoreCall>) {
    match (&progress.task, found) {
        (Task::Submit { .. }, None) => submit(progress),
        (Task::Submit { .. }, Some(existing)) => {
            let outcome = submitted_before(existing, progress.now);
            done(progress, outcome)
        }
        (Task::Decide { .. }, None) => done(progress, Outcome::NotFound),
        (Task::Decide { fingerprint, verdict, .. }, Some(proposal)) => {
            let (fingerprint, verdict) = (fingerprint.clone(), verdict.clone());
            decide(progress, proposal, fingerprint, verdict)
        }
    }
}

fn decide(
    progress: Progress,
    proposal: Proposal,
    fingerprint: Option<Fingerprint>,
    verdict: Verdict,
) -> (Progress, Option<StoreCall>) {
    if !progress.caller.may_change(&proposal.header.user) {
        return done(progress, Outcome::Forbidden);
    }
    if fingerprint.is_some_and(|shown| shown != proposal.header.fingerprint) {
        return done(progress, Outcome::FingerprintMismatch);
    }
    let (now, by) = (progress.now, progress.caller.user().to_string());
    match (proposal.header.standing(now), verdict) {
        (Standing::Executed, Verdict::Approve) => done(progress, replay(proposal)),
        (Standing::Rejected, Verdict::Reject { .. }) => done(progress, Outcome::Rejected(proposal)),
        (Standing::Expired, _) => done(progress, Outcome::Expired(proposal)),
        (Standing::Pending, Verdict::Approve) if !may_execute(&progress.caller, &proposal) => {
            done(progress, Outcome::Forbidden)
        }
        (Standing::Pending, Verdict::Approve) => execute(progress, proposal, Fence::Pending),
        (Standing::Pending, Verdict::Reject { reason }) => {
            let rejected = proposal.with_state(State::Rejected { at: now, by, reason });
            let call = StoreCall::Settle(Settlement { header: rejected.header.clone() });
            write(progress, Outcome::Rejected(rejected), call)
        }
        (Standing::Superseded, Verdict::Revise(revision)) if is_superseded_by(&proposal, &revision) => {
            let outcome = submitted_before(*revision, now);
            done(progress, outcome)
        }
        (Standing::Pending, Verdict::Revise(revision)) if !may_execute(&progress.caller, &revision) => {
            done(progress, Outcome::Forbidden)
        }
        (Standing::Pending, Verdict::Revise(mut revision)) => {
            revision.header.supersedes = Some(proposal.header.id.clone());
            let superseded = proposal.with_state(State::Superseded { at: now, by: revision.header.id.clone() });
            let settles = Some(Settlement { header: superseded.header });
            let call = StoreCall::Put { proposal: (*revision).clone(), settles };
            write(progress, Outcome::Waiting(*revision), call)
        }
        (Standing::Executed | Standing::Rejected | Standing::Stale | Standing::Superseded, _) => {
            done(progress, Outcome::Closed(proposal))
        }
    }
}

/// The write gate: the one place where an [`Approved`] is made.
fn execute(progress: Progress, proposal: Proposal, fence: Fence) -> (Progress, Option<StoreCall>) {
    let (at, by) = (progress.now, progress.caller.user().to_string());
    let proposal = proposal.with_state(State::Executed { at, by });
    let Some(receipt) = Receipt::of(&proposal) else { return (progress, None) };
    let outcome = Outcome::Executed { proposal: proposal.clone(), receipt, replayed: false };
    write(progress, outcome, StoreCall::Commit(Approved { proposal, fence }))
}

fn refused(progress: Progress, outcome: Outcome, refusal: Refusal) -> (Progress, Option<StoreCall>) {
    match (&progress.task, outcome, refusal.header) {
        // Operations never change, so the header alone tells the loser of a race what happened.
        (
            Task::Decide { .. },
            Outcome::Executed { proposal, .. } | Outcome::Rejected(proposal) | Outcome::Stale { proposal, .. },
            HeaderCheck::Failed(Some(header)),
        ) if header.state != State::Pending => judge(progress, Some(proposal.with_header(header))),
        (_, _, HeaderCheck::Failed(_)) => pause(progress),
        (Task::Submit { proposal, policy }, _, HeaderCheck::Passed) if refusal.guard => {
            let mut proposal = proposal.clone();
            let text = "the same was added a moment ago".into();
            proposal.body.notes.push(Note { kind: NoteKind::PossibleDuplicate, text });
            let task = Task::Submit { proposal, policy: *policy };
            submit(Progress { task, ..progress })
        }
        (Task::Submit { .. }, Outcome::Executed { proposal, .. }, HeaderCheck::Passed) => {
            done(progress, Outcome::Stale { proposal, changed: refusal.rows })
        }
        (Task::Decide { .. }, Outcome::Executed { proposal, .. }, HeaderCheck::Passed) => {
            let stale = proposal.with_state(State::Stale { at: progress.now });
            let call = StoreCall::Settle(Settlement { header: stale.header.clone() });
            write(progress, Outcome::Stale { proposal: stale, changed: refusal.rows }, call)
        }
        _ => pause(progress),
    }
}

/// What became of a proposal that this request, or the same one before it, made.
fn submitted_before(existing: Proposal, now: Timestamp) -> Outcome {
    match existing.header.standing(now) {
        Standing::Pending => Outcome::Waiting(existing),
        Standing::Executed => replay(existing),
        Standing::Expired => Outcome::Expired(existing),
        Standing::Rejected | Standing::Stale | Standing::Superseded => Outcome::Closed(existing),
    }
}

fn is_superseded_by(proposal: &Proposal, revision: &Proposal) -> bool {
    matches!(&proposal.header.state, State::Superseded { by, .. } if *by == revision.header.id)
}

fn may_execute(caller: &Caller, proposal: &Proposal) -> bool {
    proposal.body.changes.operations().iter().all(|op| caller.may_change(&op.row().draft.owner))
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
        Task::Decide { id, .. } => id.clone(),
    };
    (Progress { phase: Phase::Loading, ..progress }, Some(StoreCall::Load(id)))
}

fn write(progress: Progress, if_committed: Outcome, call: StoreCall) -> (Progress, Option<StoreCall>) {
    (Progress { phase: Phase::Writing(Box::new(if_committed)), ..progress }, Some(call))
}

fn pause(progress: Progress) -> (Progress, Option<StoreCall>) {
    let attempts = progress.attempts + 1;
    if attempts >= MAX_ATTEMPTS {
        let outcome = if progress.unsure { Outcome::Unknown } else { Outcome::Busy };
        return done(progress, outcome);
    }
    (Progress { attempts, phase: Phase::Pausing, ..progress }, Some(StoreCall::Pause { attempt: attempts }))
}

fn done(progress: Progress, outcome: Outcome) -> (Progress, Option<StoreCall>) {
    (Progress { phase: Phase::Done(Box::new(outcome)), ..progress }, None)
}
