//! A model of the table for proposals, with exactly the conditions of the transactions in `store`. All conditions of a
//! call are checked together, and all its effects happen or none. Unconditional writes of the same transactions (turns,
//! waiting entries) are left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::{SignedDuration, Timestamp};
use sayso::proposal::{
    Adjustments, Approved, Chunk, ChunkId, Event, Fence, Header, HeaderCheck, Operation, Proposal, ProposalBody,
    ProposalId, Record, Refusal, Rollup, RollupKey, Settlement, State, Stopped, StoreCall, UniqueKey, key_changes,
    rollup_deltas,
};

use super::history::History;

/// As in `store`.
pub const GUARD_WINDOW: SignedDuration = SignedDuration::from_mins(5);

pub const TENANT: &str = "t";

/// The condition that a mutant's table leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Guard {
    /// An approval requires the header to be PENDING.
    ApprovePending,
    /// An approval requires the fingerprint that was shown.
    ApproveFingerprint,
    /// An approval requires a header that has not expired.
    ApproveUnexpired,
    /// A chunk requires an EXECUTING run.
    ChunkExecuting,
    /// A chunk requires the number of executed chunks that it was made for.
    ChunkCursor,
    /// A chunk requires the fingerprint that was shown.
    ChunkFingerprint,
    /// A waiting proposal requires an unused id.
    PutAbsent,
    /// Execution at once requires an unused id.
    ExecuteAbsent,
    /// What was refused at once takes its id.
    RefusedKept,
    /// What is said to have expired is closed.
    ExpiredClosed,
    /// A rejection or a replacement requires the header to be PENDING.
    SettlePending,
    /// … with the fingerprint that was shown.
    SettleFingerprint,
    /// A stop requires an EXECUTING run.
    StopExecuting,
    /// … with the fingerprint that was shown.
    StopFingerprint,
    /// A row must have the version that was shown.
    RowVersion,
    /// A created row must not exist.
    RowAbsent,
    /// A unique key that a row takes must be free, or belong to the row that gives it up.
    KeyFree,
    /// An executed chunk must exist.
    ChunkKept,
    /// A run without its first chunk is not taken for one that TTL deleted.
    FirstMissed,
    /// The operations that were read must match the fingerprint.
    Intact,
    /// The same content must not have been added within the guard's window.
    Duplicate,
    /// The writer gets an answer only when the chunks are written.
    ChunksWritten,
    /// Rows and header change together.
    Together,
    /// Rollups change with the rows.
    RollupsTogether,
    /// Unique keys change hands with the rows.
    KeysTogether,
    /// Skipped rows add nothing to rollups.
    SkippedDeltas,
    /// The start of a run adds it to the list of unfinished runs.
    RunOpened,
    /// … its end removes it.
    RunClosed,
    /// … a stop removes it.
    RunClosedByStop,
    /// A chunk's adjustments are stored with it.
    AdjustmentsKept,
    /// Failed conditions beside a conflict count as a conflict.
    ConflictFirst,
    /// What an attempt at a message writes requires that no other attempt has claimed the message since.
    ClaimHeld,
    /// A missing answer does not count as "nothing was written".
    UnknownTold,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Table {
    pub headers: BTreeMap<ProposalId, Header>,
    /// First chunks, each with its manifest.
    pub bodies: BTreeMap<ProposalId, Body>,
    /// Further chunks, by proposal and name.
    pub chunks: BTreeMap<(ProposalId, String), KeptChunk>,
    pub rows: BTreeMap<u64, Record>,
    pub rollups: BTreeMap<RollupKey, Rollup>,
    /// The id of the row that has each unique key.
    pub keys: BTreeMap<UniqueKey, u64>,
    /// When each content was added.
    pub guards: BTreeMap<String, Timestamp>,
    /// The list of unfinished runs.
    pub runs: BTreeSet<ProposalId>,
    /// A record of everything that happened, which no table has.
    pub history: History,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Body {
    pub body: Arc<ProposalBody>,
    /// Whether it matches the fingerprint. It is hashed once here instead of with every read.
    pub intact: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeptChunk {
    /// None for a deleted chunk that came back as an item with nothing but a `ttl`.
    pub content: Option<Chunk>,
    pub adjusted: Adjustments,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Served {
    Said(Event),
    /// An error that ends the request: stored items are invalid.
    Failed,
}

impl Table {
    pub fn new(rows: Vec<Record>) -> Table {
        let mut table = Table { rows: rows.into_iter().map(|row| (row.id, row)).collect(), ..Table::default() };
        table.rollups = table.recomputed();
        table.keys = table.keys_of_rows().collect();
        table
    }

    /// Adds a proposal that already waits.
    pub fn with_waiting(mut self, proposal: &Proposal, rest: &[Chunk]) -> Table {
        self.history.show(proposal, rest);
        for chunk in rest {
            self.put_chunk(&proposal.header.id, chunk);
        }
        self.put_new(proposal);
        self
    }

    pub fn proposal(&self, id: &ProposalId) -> Option<Proposal> {
        let (header, body) = (self.headers.get(id)?, self.bodies.get(id)?);
        Some(Proposal { header: header.clone(), body: body.body.clone() })
    }

    pub fn chunk(&self, id: &ProposalId, chunk: &ChunkId) -> Option<&KeptChunk> {
        self.chunks.get(&(id.clone(), chunk.as_str().to_owned()))
    }

    pub fn serve(&mut self, call: &StoreCall, without: Option<Guard>) -> Served {
        Served::Said(match call {
            StoreCall::Load(id) => return self.load(id, without),
            StoreCall::LoadChunk { id, chunk } => match self.chunk(id, chunk) {
                Some(KeptChunk { content: None, .. }) => return Served::Failed,
                found => Event::LoadedChunk(found.and_then(|kept| kept.content.clone())),
            },
            StoreCall::PutChunks { .. } => unreachable!("chunks arrive one by one"),
            StoreCall::Pause { .. } => Event::Woke,
            StoreCall::Put { proposal, settles } => self.put(proposal, settles.as_ref(), without),
            StoreCall::Settle(settlement) => match self.check_pending(settlement, without) {
                HeaderCheck::Passed => {
                    let expires = matches!(settlement.header.state, State::Expired { .. });
                    if !expires || without != Some(Guard::ExpiredClosed) {
                        self.settle(settlement);
                    }
                    Event::Committed
                }
                header => Event::Refused(Refusal { header, ..Refusal::default() }),
            },
            StoreCall::Stop { header, stopped } => self.stop(header, stopped, without),
            StoreCall::Commit(approved) => self.commit(approved, without),
        })
    }

    pub fn put_chunk(&mut self, id: &ProposalId, chunk: &Chunk) {
        let kept = KeptChunk { content: Some(chunk.clone()), adjusted: Adjustments::default() };
        self.chunks.insert((id.clone(), chunk.id().as_str().to_owned()), kept);
    }

    fn load(&self, id: &ProposalId, without: Option<Guard>) -> Served {
        let Some(header) = self.headers.get(id) else { return Served::Said(Event::Loaded(None)) };
        match self.bodies.get(id) {
            None if header.is_run_cut_off() && without != Some(Guard::FirstMissed) => {
                Served::Said(Event::Altered(header.clone()))
            }
            None => Served::Said(Event::Loaded(None)),
            Some(body) if !body.intact && without != Some(Guard::Intact) => {
                Served::Said(Event::Altered(header.clone()))
            }
            Some(body) => {
                let proposal = Proposal { header: header.clone(), body: body.body.clone() };
                Served::Said(Event::Loaded(Some(proposal)))
            }
        }
    }

    fn put(&mut self, proposal: &Proposal, settles: Option<&Settlement>, without: Option<Guard>) -> Event {
        let mut refusal = Refusal::default();
        let taken = self.headers.get(&proposal.header.id);
        if taken.is_some() && without != Some(Guard::PutAbsent) {
            refusal.header = HeaderCheck::Failed(taken.cloned());
        }
        // Both are conditions on the header. The later one is reported.
        let standing = settles.map(|settlement| self.check_pending(settlement, without));
        if let Some(failed @ HeaderCheck::Failed(_)) = standing {
            refusal.header = failed;
        }
        if refusal != Refusal::default() {
            return Event::Refused(refusal);
        }
        if proposal.header.state != State::Pending && without == Some(Guard::RefusedKept) {
            return Event::Committed;
        }
        self.history.show(proposal, &[]);
        self.put_new(proposal);
        if let Some(settlement) = settles {
            self.settle(settlement);
        }
        Event::Committed
    }

    fn put_new(&mut self, proposal: &Proposal) {
        let Proposal { header, body } = proposal;
        self.headers.insert(header.id.clone(), header.clone());
        let intact = proposal.is_intact(TENANT);
        self.bodies.insert(header.id.clone(), Body { body: body.clone(), intact });
        self.history.note(header);
    }

    fn check_pending(&self, settlement: &Settlement, without: Option<Guard>) -> HeaderCheck {
        let passes = |header: &Header| {
            (header.state == State::Pending || without == Some(Guard::SettlePending))
                && (header.fingerprint == settlement.header.fingerprint || without == Some(Guard::SettleFingerprint))
        };
        match self.headers.get(&settlement.header.id) {
            Some(header) if passes(header) => HeaderCheck::Passed,
            other => HeaderCheck::Failed(other.cloned()),
        }
    }

    fn settle(&mut self, settlement: &Settlement) {
        self.update_header(&settlement.header);
    }

    /// The answer does not contain the stored header.
    fn stop(&mut self, header: &Header, stopped: &Stopped, without: Option<Guard>) -> Event {
        let refused = Event::Refused(Refusal { header: HeaderCheck::Failed(None), ..Refusal::default() });
        let Some(standing) = self.headers.get_mut(&header.id) else { return refused };
        let is_executing = matches!(standing.state, State::Executing { .. });
        let is_same = standing.fingerprint == header.fingerprint;
        if !is_executing && without != Some(Guard::StopExecuting) || !is_same && without != Some(Guard::StopFingerprint)
        {
            return refused;
        }
        let (State::Executing { at, by, run } | State::Executed { at, by, run: Some(run) }) = &standing.state else {
            return refused;
        };
        let mut run = run.clone();
        run.stopped = Some(stopped.clone());
        standing.state = State::Executed { at: *at, by: by.clone(), run: Some(run) };
        let header = standing.clone();
        self.history.note(&header);
        if without != Some(Guard::RunClosedByStop) {
            self.runs.remove(&header.id);
        }
        Event::Committed
    }

    fn commit(&mut self, approved: &Approved, without: Option<Guard>) -> Event {
        let mut refusal = self.check_commit(approved, without);
        for (index, operation) in approved.indexed_operations() {
            let now = self.rows.get(&operation.row().id);
            let passes = match operation.before() {
                None => now.is_none() || without == Some(Guard::RowAbsent),
                Some(before) => {
                    now.is_some_and(|now| now.version == before.version || without == Some(Guard::RowVersion))
                }
            };
            if !passes {
                refusal.rows.push((index, now.cloned()));
            }
        }
        for (key, change) in key_changes(approved.indexed_operations()) {
            let Some((index, _)) = change.to else { continue };
            if self.keys.get(&key).copied() != change.from && without != Some(Guard::KeyFree) {
                refusal.taken.push(index);
            }
        }
        if refusal != Refusal::default() {
            if without == Some(Guard::Together) && refusal.rows.is_empty() {
                self.change_rows(approved, without);
            }
            return Event::Refused(refusal);
        }
        self.change_header(approved, without);
        self.change_rows(approved, without);
        Event::Committed
    }

    fn check_commit(&self, approved: &Approved, without: Option<Guard>) -> Refusal {
        let header = &approved.proposal().header;
        let (State::Executed { at, .. } | State::Executing { at, .. }) = &header.state else {
            panic!("only what is approved is committed")
        };
        let standing = self.headers.get(&header.id);
        let holds = |guard: Guard, condition: &dyn Fn(&Header) -> bool| {
            without == Some(guard) || standing.is_some_and(condition)
        };
        let mut refusal = Refusal::default();
        let passes = match approved.fence() {
            Fence::Pending => {
                standing.is_some()
                    && holds(Guard::ApprovePending, &|standing| standing.state == State::Pending)
                    && holds(Guard::ApproveFingerprint, &|standing| standing.fingerprint == header.fingerprint)
                    && holds(Guard::ApproveUnexpired, &|standing| standing.expires_at > *at)
            }
            Fence::Cursor(done) => {
                standing.is_some()
                    && holds(Guard::ChunkExecuting, &|header| matches!(header.state, State::Executing { .. }))
                    && holds(Guard::ChunkFingerprint, &|standing| standing.fingerprint == header.fingerprint)
                    && holds(Guard::ChunkCursor, &|standing| chunks_done(standing) == Some(*done))
            }
            Fence::Absent { guards } => {
                let lapsed = |added_at: &Timestamp| *added_at < *at - GUARD_WINDOW;
                let added = |guard| self.guards.get(guard).is_some_and(|added_at| !lapsed(added_at));
                refusal.guard = without != Some(Guard::Duplicate) && guards.iter().any(added);
                standing.is_none() || without == Some(Guard::ExecuteAbsent)
            }
        };
        if !passes {
            refusal.header = HeaderCheck::Failed(standing.cloned());
        }
        let is_kept = match approved.chunk() {
            _ if matches!(approved.fence(), Fence::Absent { .. }) => true,
            None => self.bodies.contains_key(&header.id),
            Some(chunk) => self.chunk(&header.id, chunk).is_some() || without == Some(Guard::ChunkKept),
        };
        if !is_kept {
            refusal.header = HeaderCheck::Failed(None);
        }
        refusal
    }

    fn change_header(&mut self, approved: &Approved, without: Option<Guard>) {
        let header = &approved.proposal().header;
        match approved.fence() {
            Fence::Absent { guards } => {
                let State::Executed { at, .. } = &header.state else { panic!("it is executed at once") };
                self.history.show(approved.proposal(), &[]);
                self.put_new(approved.proposal());
                for guard in guards {
                    self.guards.insert(guard.clone(), *at);
                    self.history.unasked.entry(guard.clone()).or_default().push(*at);
                }
            }
            Fence::Pending => {
                self.update_header(header);
                if matches!(header.state, State::Executing { .. }) && without != Some(Guard::RunOpened) {
                    self.runs.insert(header.id.clone());
                }
            }
            Fence::Cursor(_) => {
                self.update_header(header);
                if matches!(header.state, State::Executed { .. }) && without != Some(Guard::RunClosed) {
                    self.runs.remove(&header.id);
                }
            }
        }
        if let Some(chunk) = approved.chunk() {
            let name = (header.id.clone(), chunk.as_str().to_owned());
            let empty = KeptChunk { content: None, adjusted: Adjustments::default() };
            let kept = self.chunks.entry(name).or_insert(empty);
            if !approved.adjustments().is_none() && without != Some(Guard::AdjustmentsKept) {
                kept.adjusted = approved.adjustments().clone();
            }
        }
    }

    fn change_rows(&mut self, approved: &Approved, without: Option<Guard>) {
        for (index, operation) in approved.indexed_operations() {
            let id = operation.row().id;
            let now = match operation.after() {
                Some(after) => self.rows.insert(id, after.clone()),
                None => self.rows.remove(&id),
            };
            self.history.take_effect(approved, index, operation, now.as_ref());
        }
        if without != Some(Guard::KeysTogether) {
            self.move_keys(approved.indexed_operations());
        }
        match without {
            Some(Guard::RollupsTogether) => {}
            Some(Guard::SkippedDeltas) if approved.chunk().is_none() && !approved.adjustments().skipped.is_empty() => {
                self.add_to_rollups(approved.proposal().body.changes.operations());
            }
            _ => self.add_to_rollups(approved.operations()),
        }
    }

    /// Attributes are set one by one, so those that the new state does not have stay.
    fn update_header(&mut self, header: &Header) {
        let standing = self.headers.entry(header.id.clone()).or_insert_with(|| header.clone());
        standing.state = header.state.clone();
        if !header.adjustments.is_none() {
            standing.adjustments = header.adjustments.clone();
        }
        let standing = standing.clone();
        self.history.note(&standing);
    }

    pub fn move_keys<'o>(&mut self, operations: impl IntoIterator<Item = (usize, &'o Operation)>) {
        for (key, change) in key_changes(operations) {
            match change.to {
                Some((_, id)) => self.keys.insert(key, id),
                None => self.keys.remove(&key),
            };
        }
    }

    pub fn keys_of_rows(&self) -> impl Iterator<Item = (UniqueKey, u64)> {
        self.rows.values().filter_map(|row| Some((row.draft.unique()?, row.id)))
    }

    pub fn add_to_rollups(&mut self, operations: &[Operation]) {
        for (key, delta) in rollup_deltas(operations) {
            let total = self.rollups.entry(key).or_default();
            total.sum += delta.sum;
            total.count += delta.count;
            for (day, (sum, count)) in delta.days {
                let day = total.days.entry(day).or_default();
                *day = (day.0 + sum, day.1 + count);
            }
            for (day, part) in delta.parts {
                *total.parts.entry(day).or_default() += part;
            }
        }
        let rollups = std::mem::take(&mut self.rollups).into_iter();
        self.rollups = rollups.filter_map(|(key, total)| Some((key, total.without_zeros()?))).collect();
    }

    /// The rollups as recomputed from the rows.
    pub fn recomputed(&self) -> BTreeMap<RollupKey, Rollup> {
        let rows = self.rows.values().map(|row| Operation::Create { after: row.clone() }).collect::<Vec<_>>();
        let rollups = rollup_deltas(&rows).into_iter();
        rollups.filter_map(|(key, total)| Some((key, total.without_zeros()?))).collect()
    }
}

/// The header's attribute, which stays after the run.
pub fn chunks_done(header: &Header) -> Option<usize> {
    match &header.state {
        State::Executing { run, .. } | State::Executed { run: Some(run), .. } => Some(run.cursor),
        _ => None,
    }
}
