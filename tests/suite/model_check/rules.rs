//! Rules that hold in every state, and situations that a check has to reach.

use std::collections::BTreeSet;

use sayso::proposal::{
    ChangeSet, Decision, Event, Header, HeaderCheck, NoteKind, Operation, OperationSummary, Outcome, Progress,
    Proposal, ProposalId, ProposalStatus, Receipt, State, Task,
};

use super::{
    history::History,
    memo::Id,
    people::{id, me, now},
    requests::{Request, TableFacts},
    table::{GUARD_WINDOW, Table},
    world::Check,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Once,
    Approved,
    Overwrites,
    Rollups,
    OneHolder,
    Holders,
    Registered,
    CursorGrows,
    Decided,
    ChunksFirst,
    CanFinish,
    CanDecide,
    Recorded,
    Accounted,
    AskedTwice,
    LoneChunk,
    Executed,
    Stopped,
    Rejected,
    Stale,
    Expired,
    Waiting,
    Progress,
    Halted,
    Busy,
    Told,
    Asked,
    Ended,
}

pub const RULES: [(Rule, &str); 28] = [
    (Rule::Once, "an operation takes effect at most once"),
    (Rule::Approved, "only what was shown and approved takes effect"),
    (Rule::Overwrites, "no other change is overwritten"),
    (Rule::Rollups, "rollups are the sums of the rows"),
    (Rule::OneHolder, "two live rows never hold the same unique key"),
    (Rule::Holders, "each unique key names the row that holds it, and none is kept without a row"),
    (Rule::Registered, "a run is registered exactly while it is executing"),
    (Rule::CursorGrows, "the cursor only grows"),
    (Rule::Decided, "what is decided stays decided"),
    (Rule::ChunksFirst, "a header names no chunk that was never written"),
    (Rule::CanFinish, "whoever goes on with a run finishes it"),
    (Rule::CanDecide, "what waits can be decided"),
    (Rule::Recorded, "what is kept tells what was done"),
    (Rule::Accounted, "done, skipped and not done are all there is"),
    (Rule::AskedTwice, "the same is not added twice within minutes unasked"),
    (Rule::LoneChunk, "a chunk does not come to life again"),
    (Rule::Executed, "who is told that it is done is told what was stored and done"),
    (Rule::Stopped, "after an acknowledged stop nothing more is done"),
    (Rule::Rejected, "an acknowledged rejection means no effect"),
    (Rule::Stale, "stale means no effect"),
    (Rule::Expired, "what is said to have expired has no effect"),
    (Rule::Waiting, "what is said to wait is there"),
    (Rule::Progress, "what is said to be done of a run is done"),
    (Rule::Halted, "a chunk that was lost is not done, and none after it"),
    (Rule::Busy, "busy means that the request wrote nothing"),
    (Rule::Told, "what took effect was acknowledged, or somebody is in doubt"),
    (Rule::Asked, "a message that was answered with a question proposes and does nothing"),
    (Rule::Ended, "a request that ended asks for nothing more"),
];

impl Rule {
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    pub fn name(self) -> &'static str {
        let (rule, name) = RULES[self as usize];
        assert_eq!(rule, self, "they are listed in order");
        name
    }
}

/// Situations that a check has to reach, so that it does not pass without testing anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    Waiting,
    AskedDuplicate,
    Executed,
    Replayed,
    Partial,
    StoppedMidway,
    Executing,
    Halted,
    Rejected,
    Stale,
    StillHolds,
    Closed,
    Expired,
    NotFound,
    Altered,
    Forbidden,
    Mismatch,
    Busy,
    Unknown,
    Superseded,
    UndoneTwice,
    Failed,
    Rebased,
    LateTookEffect,
    LateRefused,
    FinishedByAnother,
    TwoRunners,
    DiedWritingChunks,
    Forgotten,
    Finished,
    Asked,
}

impl Met {
    pub fn bit(self) -> u64 {
        1 << self as u64
    }

    pub fn of_outcome(outcome: &Outcome) -> u64 {
        let duplicate =
            |proposal: &Proposal| proposal.body.notes.iter().any(|note| note.kind == NoteKind::PossibleDuplicate);
        let met = match outcome {
            Outcome::Waiting(proposal) if proposal.header.supersedes.is_some() => vec![Met::Waiting, Met::Superseded],
            Outcome::Waiting(proposal) if duplicate(proposal) => vec![Met::Waiting, Met::AskedDuplicate],
            Outcome::Waiting(_) => vec![Met::Waiting],
            Outcome::Executed { proposal, receipt, replayed } => {
                let mut met = vec![if *replayed { Met::Replayed } else { Met::Executed }];
                met.extend(receipt.halted.then_some(Met::Halted));
                let standing = proposal.header.status(now());
                met.extend((standing == ProposalStatus::Partial).then_some(Met::Partial));
                let midway = standing == ProposalStatus::Stopped && receipt.not_done > 0 && receipt.summary.rows() > 0;
                met.extend(midway.then_some(Met::StoppedMidway));
                met.extend((proposal.header.id == id(31)).then_some(Met::UndoneTwice));
                met
            }
            Outcome::Executing(_) => vec![Met::Executing],
            Outcome::Rejected(_) => vec![Met::Rejected],
            Outcome::Stale { revision: Some(_), .. } => vec![Met::Stale, Met::StillHolds],
            Outcome::Stale { .. } => vec![Met::Stale],
            Outcome::Closed(_) => vec![Met::Closed],
            Outcome::Expired(_) => vec![Met::Expired],
            Outcome::NotFound => vec![Met::NotFound],
            Outcome::Altered(_) => vec![Met::Altered],
            Outcome::Forbidden => vec![Met::Forbidden],
            Outcome::FingerprintMismatch => vec![Met::Mismatch],
            Outcome::Busy => vec![Met::Busy],
            Outcome::Unknown => vec![Met::Unknown],
        };
        met.into_iter().fold(0, |all, met| all | met.bit())
    }

    pub fn of_late(event: &Event) -> u64 {
        match event {
            Event::Committed => Met::LateTookEffect.bit(),
            Event::Refused(refusal) if refusal.header != HeaderCheck::Passed => Met::LateRefused.bit(),
            _ => 0,
        }
    }
}

impl Check {
    pub fn table_facts(&self, table: Id) -> TableFacts {
        self.memos.of_tables.get(0, table, || {
            let stored = self.memos.tables.get(table);
            let mut broken = breaks(&stored);
            for header in stored.headers.values() {
                let (rule, holds) = match header.state {
                    State::Executing { .. } => (Rule::CanFinish, self.can_finish(table, &header.id)),
                    State::Pending if !stored.history.altered => (Rule::CanDecide, self.can_decide(table, header)),
                    _ => continue,
                };
                broken |= if holds { 0 } else { rule.bit() };
            }
            // TTL deletes a month after expiry. Here it may delete during an approval, which is harder. One answer can
            // then be wrong: that there is no such proposal.
            // So it can if the first chunk of what was executed is lost: TTL may have deleted it before its header.
            let is_untold = |header: &Header| !stored.bodies.contains_key(&header.id) && !header.is_run_cut_off();
            let is_told = stored.history.forgotten.is_empty() && !stored.headers.values().any(is_untold);
            let has_effects = !stored.history.effects.is_empty() && is_told;
            TableFacts { broken, has_effects }
        })
    }

    /// One request without failures finishes it, as far as its chunks exist.
    fn can_finish(&self, table: Id, id: &ProposalId) -> bool {
        let is_damaged = self.memos.tables.get(table).history.damaged.contains(id);
        let request = self.start_request(Progress::resume(id.clone(), now()));
        let Some((table, request)) = self.finish(table, request) else { return false };
        self.meet(Met::Finished.bit());
        let met = self.facts(request).met;
        let is_registered = self.memos.tables.get(table).runs.contains(id);
        let is_ended = met & (Met::Halted.bit() | Met::Altered.bit()) != 0;
        let is_done = met & Met::Executed.bit() != 0 || is_ended && is_damaged;
        is_done && !is_registered
    }

    /// A yes executes it, or starts a run that can be finished.
    fn can_decide(&self, table: Id, header: &Header) -> bool {
        let history = &self.memos.tables.get(table).history;
        let (is_damaged, is_forgotten) = (history.damaged.contains(&header.id), history.forgotten.contains(&header.id));
        let task = Task::Decide { id: header.id.clone(), fingerprint: None, decision: Decision::Approve };
        let request = self.start_request(Progress::new(me(), header.created_at, task));
        let Some((_, request)) = self.finish(table, request) else { return false };
        let met = self.facts(request).met;
        met & (Met::Executed.bit() | Met::Stale.bit()) != 0
            || met & Met::Halted.bit() != 0 && is_damaged
            || met & Met::NotFound.bit() != 0 && (is_forgotten || is_damaged)
    }

    /// Whether the proposal of this task was stored.
    pub fn is_stored(&self, table: Id, task: &Task) -> bool {
        let Task::Submit { proposal, .. } = task else { panic!("a message submits something") };
        self.memos.tables.get(table).headers.contains_key(&proposal.header.id)
    }

    pub fn answer_broken(&self, table: Id, request: Id) -> u32 {
        self.memos
            .answers_broken
            .get(table, request, || answer_breaks(&self.memos.tables.get(table), &self.memos.requests.get(request)))
    }
}

fn breaks(table: &Table) -> u32 {
    let history = &table.history;
    let of_every_header = |holds: &dyn Fn(&Header) -> bool| table.headers.values().all(holds);
    let executing = table.headers.values().filter(|header| matches!(header.state, State::Executing { .. }));
    let rules = [
        (Rule::Once, history.effects.values().all(|effects| effects.len() == 1)),
        (Rule::Approved, history.effects.iter().all(|(name, _)| is_approved(table, name))),
        (Rule::Overwrites, !history.overwrote),
        (Rule::Rollups, table.rollups == table.recomputed()),
        (
            Rule::OneHolder,
            table.keys_of_rows().map(|(key, _)| key).collect::<BTreeSet<_>>().len() == table.keys_of_rows().count(),
        ),
        (Rule::Holders, table.keys == table.keys_of_rows().collect()),
        (Rule::Registered, executing.map(|header| &header.id).eq(&table.runs)),
        (Rule::CursorGrows, of_every_header(&|header| history.reached.get(&header.id) == cursor(header).as_ref())),
        (Rule::Decided, of_every_header(&|header| history.decided.get(&header.id).is_none_or(|s| *s == header.state))),
        (Rule::ChunksFirst, of_every_header(&|header| has_its_chunks(table, header))),
        (Rule::Recorded, of_every_header(&|header| is_recorded(table, header))),
        (Rule::Accounted, of_every_header(&|header| is_accounted_for(table, header))),
        (
            Rule::AskedTwice,
            history.unasked.values().all(|times| {
                times.iter().enumerate().all(|(n, at)| times[..n].iter().all(|before| *at - GUARD_WINDOW > *before))
            }),
        ),
        (Rule::Halted, history.lost.iter().all(|(id, n)| table.headers.get(id).and_then(cursor) <= Some(*n))),
        (Rule::LoneChunk, table.chunks.values().all(|chunk| chunk.content.is_some())),
    ];
    rules.iter().filter(|(_, holds)| !holds).fold(0, |broken, (rule, _)| broken | rule.bit())
}

fn cursor(header: &Header) -> Option<usize> {
    match &header.state {
        State::Executing { run, .. } | State::Executed { run: Some(run), .. } => Some(run.cursor),
        _ => None,
    }
}

/// Every effect is an operation that was shown under the fingerprint of an approved proposal.
fn is_approved(table: &Table, name: &(ProposalId, usize, usize)) -> bool {
    let (id, chunk, index) = name;
    let Some(header) = table.headers.get(id) else { return false };
    let is_approved = matches!(header.state, State::Executing { .. } | State::Executed { .. });
    let shown = table.history.shown(header).and_then(|chunks| chunks.get(*chunk)?.get(*index));
    let drafts = |operation: &Operation| {
        (operation.verb(), operation.row().id, operation.before().map(|r| r.draft.clone()), operation.after().cloned())
    };
    let same = |done: &Operation, shown: &Operation| {
        let (done, shown) = (drafts(done), drafts(shown));
        (&done.0, done.1, &done.2, done.3.map(|row| row.draft))
            == (&shown.0, shown.1, &shown.2, shown.3.map(|r| r.draft))
    };
    let effects = &table.history.effects[name];
    is_approved
        && shown.is_some_and(|shown| {
            effects.iter().all(|(fingerprint, done)| *fingerprint == header.fingerprint && same(done, shown))
        })
}

/// All chunks that the manifest counts exist, unless one was lost later.
fn has_its_chunks(table: &Table, header: &Header) -> bool {
    let History { forgotten, damaged, .. } = &table.history;
    let Some(body) = table.bodies.get(&header.id) else {
        return forgotten.contains(&header.id) || damaged.contains(&header.id);
    };
    let all = body.body.manifest.as_ref().map_or(1, |manifest| manifest.chunks);
    let further = table.chunks.keys().filter(|(id, _)| *id == header.id).count();
    table.history.damaged.contains(&header.id) || further + 1 >= all
}

/// The executed operations, from the stored chunks and adjustments, as an undo reads them.
pub fn as_kept(table: &Table, header: &Header) -> Option<Vec<Operation>> {
    let proposal = table.proposal(&header.id)?;
    let done = match &header.state {
        State::Executed { run: None, .. } => 1,
        _ => cursor(header).unwrap_or_default(),
    };
    let mut operations = Vec::new();
    let mut next = proposal.body.manifest.as_ref().map(|manifest| manifest.next.clone());
    let add = |operations: &mut Vec<Operation>, changes: &ChangeSet, adjustments| {
        operations.extend(changes.adjusted(adjustments));
    };
    for chunk in 0..done {
        if chunk == 0 {
            add(&mut operations, &proposal.body.changes, &header.adjustments);
            continue;
        }
        let kept = table.chunk(&header.id, next.as_ref()?)?;
        let content = kept.content.as_ref()?;
        add(&mut operations, &content.changes, &kept.adjusted);
        next = content.next.clone();
    }
    Some(operations)
}

fn is_recorded(table: &Table, header: &Header) -> bool {
    if table.history.forgotten.contains(&header.id) {
        return true;
    }
    if table.history.damaged.contains(&header.id) || table.history.effects.values().any(|effects| effects.len() > 1) {
        return true;
    }
    let done: Vec<&Operation> = table.history.done(&header.id).map(|(_, operation)| operation).collect();
    as_kept(table, header).is_some_and(|kept| kept.iter().eq(done))
}

fn is_accounted_for(table: &Table, header: &Header) -> bool {
    let (State::Executing { run, .. } | State::Executed { run: Some(run), .. }) = &header.state else { return true };
    let Some(shown) = table.history.shown(header) else { return false };
    let rows = |chunks: &[Vec<Operation>]| chunks.iter().map(Vec::len).sum::<usize>();
    let cursor = run.cursor.min(shown.len());
    let done = table.history.done(&header.id).count();
    let receipt = table.proposal(&header.id).as_ref().and_then(Receipt::of);
    let not_done = receipt.map_or(rows(&shown[cursor..]), |receipt| receipt.not_done);
    run.done == operation_summary(table, &header.id)
        && run.skipped + done == rows(&shown[..cursor])
        && not_done == rows(&shown[cursor..])
}

/// The summary of executed operations, chunk by chunk.
fn operation_summary(table: &Table, id: &ProposalId) -> OperationSummary {
    let mut summary = OperationSummary::default();
    for (_, operation) in table.history.done(id) {
        summary.add(&OperationSummary::of(std::slice::from_ref(operation)));
    }
    summary
}

fn answer_breaks(table: &Table, request: &Request) -> u32 {
    let Some(outcome) = request.progress.outcome() else { return Rule::Ended.bit() };
    if request.call.is_some() {
        return Rule::Ended.bit();
    }
    let has_effects = |id: &ProposalId| table.history.done(id).next().is_some();
    let (rule, holds) = match outcome {
        Outcome::Executed { proposal, receipt, .. } => {
            let id = &proposal.header.id;
            let stored = table.proposal(id).as_ref().and_then(Receipt::of);
            let operations = table.history.done(id).filter(|(chunk, _)| *chunk == 0).map(|(_, operation)| operation);
            // Its first chunk was lost or altered since.
            let is_untold = table.history.altered || stored.is_none() && table.history.damaged.contains(id);
            let holds = (stored.as_ref() == Some(receipt) || is_untold)
                && receipt.summary == operation_summary(table, id)
                && receipt.operations.iter().eq(operations);
            match proposal.header.status(now()) {
                ProposalStatus::Stopped => (Rule::Stopped, holds),
                ProposalStatus::Halted => (Rule::Halted, holds && table.history.damaged.contains(id)),
                _ => (Rule::Executed, holds),
            }
        }
        Outcome::Rejected(proposal) => {
            let Header { id, fingerprint, .. } = &proposal.header;
            let is_it = table.headers.get(id).is_none_or(|header| header.fingerprint == *fingerprint);
            (Rule::Rejected, is_it && !has_effects(id))
        }
        Outcome::Stale { proposal, .. } => (Rule::Stale, !has_effects(&proposal.header.id)),
        // TTL deletes it two days later. Here, the same proposal may be made again at once.
        Outcome::Expired(Proposal { header, .. }) => {
            (Rule::Expired, table.history.forgotten.contains(&header.id) || !has_effects(&header.id))
        }
        Outcome::Waiting(proposal) => {
            let id = &proposal.header.id;
            let stored = table.headers.get(id);
            (
                Rule::Waiting,
                table.history.forgotten.contains(id)
                    || stored.is_some_and(|header| header.fingerprint == proposal.header.fingerprint),
            )
        }
        Outcome::Executing(proposal) => {
            let stored = table.headers.get(&proposal.header.id).and_then(cursor);
            (Rule::Progress, stored >= cursor(&proposal.header))
        }
        _ => (Rule::Ended, true),
    };
    if holds { 0 } else { rule.bit() }
}
