//! The requests in progress, and everything that can happen to them and to the table.

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use sayso::{
    identity::Caller,
    proposal::{Event, HeaderCheck, ProposalId, Refusal, StoreCall, Task},
};

use super::{
    memo::Id,
    requests::{COMMITTED, CONFLICT, Memos, OUT_OF_TIME, UNKNOWN},
    rules::{Met, Rule},
    table::{Guard, Table},
};

pub const SEATS: usize = 3;

/// A state. Each field is an id in one of the check's memos, or a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct World {
    pub table: Id,
    pub seats: [Seat; SEATS],
    /// Failures that may still happen.
    pub faults: u8,
    /// How often a client may still repeat its request.
    pub retries: u8,
    /// How often another writer may still change a row.
    pub writes: u8,
    /// How many chunks may still be lost.
    pub damages: u8,
    /// A bit for each rule that this state breaks. It is derived from the other fields.
    pub broken: u32,
}

/// A client and its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seat {
    /// The index of the client's current step.
    pub step: u8,
    /// 0 if the process was killed.
    pub request: Id,
    /// Chunks that have arrived, of those being written.
    pub arrived: u8,
    /// A call that the sender gave up and that may still arrive.
    pub late: Id,
    pub late_arrived: u8,
    /// Whether the current request sent the late call.
    pub late_is_own: bool,
    /// Whether another attempt has claimed the message of the late call since.
    pub late_lost_claim: bool,
    /// Whether a transaction of the current attempt has stored its reply to the message.
    pub replied: bool,
    /// Whether a later attempt has replied to the message with a question.
    pub asked: bool,
    /// The answer after which the client repeated the request.
    pub earlier: Id,
    /// Whether this request has written something.
    pub wrote: bool,
    /// Whether the client was told that something was written, or that this is unknown.
    pub told: bool,
    /// Whether the process was killed during a run.
    pub left_run: bool,
}

/// The steps of a client, in order.
#[derive(Debug, Clone)]
pub enum Step {
    Ask {
        at: Timestamp,
        by: Caller,
        task: Task,
    },
    /// The same, with a claim: a message with an id. A later attempt repeats the reply of an earlier one; if there is none,
    /// it understands the message differently and replies with a question.
    Message {
        at: Timestamp,
        by: Caller,
        task: Task,
    },
    Resume {
        at: Timestamp,
        id: ProposalId,
    },
    /// Plans an undo from the current table, and submits it.
    Undo {
        at: Timestamp,
        of: ProposalId,
        id: ProposalId,
    },
    /// Approves the proposal with this id.
    Approve {
        at: Timestamp,
        id: ProposalId,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Happening {
    Served(usize),
    ChunkArrives(usize, usize),
    OutOfTime(usize),
    Conflict(usize),
    AnswerLost(usize),
    /// The call gets no answer, and may still arrive.
    GivenUp(usize),
    Killed(usize),
    LateArrives(usize),
    LateChunkArrives(usize, usize),
    /// A late call takes effect and conflicts with another, whose conditions on rows fail.
    Collide {
        late: usize,
        with: usize,
    },
    Again(usize),
    Next(usize),
    Edited(u64),
    Touched(u64),
    Removed(u64),
    /// DynamoDB's TTL deletes an undecided proposal: its header, and later its chunks.
    HeaderDeleted(usize),
    ChunksDeleted(usize),
    ChunkLost(usize),
    ChunkAltered(usize),
    FirstLost(usize),
    FirstAltered(usize),
}

#[derive(Default)]
pub struct Check {
    pub name: &'static str,
    pub start: Table,
    pub seats: Vec<Vec<Step>>,
    pub faults: u8,
    pub retries: u8,
    pub writes: u8,
    /// Rows that another writer edits, touches or removes.
    pub edited: Vec<u64>,
    pub touched: Vec<u64>,
    pub removed: Vec<u64>,
    pub damages: u8,
    /// Whether chunks can also be altered. Otherwise they can only be lost.
    pub alters: bool,
    /// Whether DynamoDB's TTL deletes waiting proposals.
    pub forgets: bool,
    pub out_of_time: bool,
    pub without: Option<Guard>,
    /// None checks all rules.
    pub watched: Option<Rule>,
    pub memos: Memos,
    pub met: AtomicU64,
}

impl Check {
    pub fn first(&self) -> World {
        let mut table = self.memos.tables.id(self.start.clone());
        let mut seats = [Seat::default(); SEATS];
        for n in 0..self.seats.len() {
            let (next, request) = self.begin(table, n, 0).expect("the first step needs nothing");
            (table, seats[n].request) = (next, request);
        }
        let Check { faults, retries, writes, damages, .. } = *self;
        let mut world = World { table, seats, faults, retries, writes, damages, broken: 0 };
        world.broken = self.broken(&world);
        world
    }

    pub fn possible(&self, world: &World, happenings: &mut Vec<Happening>) {
        for (n, seat) in world.seats.iter().enumerate().take(self.seats.len()) {
            let facts = self.facts(seat.request);
            if seat.late != 0 {
                self.possible_late(world, n, happenings);
            }
            if facts.ended || seat.request == 0 {
                if world.retries > 0 {
                    happenings.push(Happening::Again(n));
                }
                if facts.ended && usize::from(seat.step) + 1 < self.seats[n].len() {
                    happenings.push(Happening::Next(n));
                }
                continue;
            }
            if facts.chunks > 0 {
                let missing = (0..usize::from(facts.chunks)).filter(|k| seat.arrived & (1 << k) == 0);
                happenings.extend(missing.map(|k| Happening::ChunkArrives(n, k)));
            } else {
                happenings.push(Happening::Served(n));
            }
            if facts.can_wait && self.out_of_time {
                happenings.push(Happening::OutOfTime(n));
            }
            if world.faults > 0 {
                happenings.push(Happening::Killed(n));
                if facts.reads {
                    happenings.push(Happening::GivenUp(n));
                } else if facts.chunks > 0 {
                    happenings.push(Happening::Conflict(n));
                } else {
                    happenings.extend([Happening::Conflict(n), Happening::AnswerLost(n), Happening::GivenUp(n)]);
                }
            }
        }
        if world.writes > 0 || self.forgets || world.damages > 0 {
            self.possible_from_outside(world, happenings);
        }
    }

    fn possible_late(&self, world: &World, n: usize, happenings: &mut Vec<Happening>) {
        let seat = &world.seats[n];
        match &*self.memos.calls.get(seat.late) {
            StoreCall::PutChunks { chunks, .. } => {
                let missing = (0..chunks.len()).filter(|k| seat.late_arrived & (1 << k) == 0);
                happenings.extend(missing.map(|k| Happening::LateChunkArrives(n, k)));
            }
            _ => happenings.push(Happening::LateArrives(n)),
        }
        // With the guard this is a late arrival followed by a conflict.
        if self.without == Some(Guard::ConflictFirst) {
            let others = (0..self.seats.len()).filter(|with| {
                let facts = self.facts(world.seats[*with].request);
                facts.call != 0 && !facts.reads && facts.chunks == 0
            });
            happenings.extend(others.map(|with| Happening::Collide { late: n, with }));
        }
    }

    pub fn next(&self, world: &World, happening: Happening) -> World {
        let mut world = *world;
        match happening {
            Happening::Served(n) => {
                let facts = self.facts(world.seats[n].request);
                let event = self.effect(&mut world, n, facts.call, true);
                if facts.rebased && event == COMMITTED {
                    self.meet(Met::Rebased.bit());
                }
                self.tell(&mut world, n, event);
            }
            Happening::ChunkArrives(n, k) => {
                let facts = self.facts(world.seats[n].request);
                world.table = self.arrive(world.table, facts.call, k);
                let seat = &mut world.seats[n];
                seat.arrived |= 1 << k;
                let left = facts.chunks - u8::try_from(seat.arrived.count_ones()).expect("there are few");
                if left == u8::from(self.without == Some(Guard::ChunksWritten)) {
                    self.tell(&mut world, n, COMMITTED);
                }
            }
            Happening::OutOfTime(n) => self.tell(&mut world, n, OUT_OF_TIME),
            Happening::Conflict(n) => {
                world.faults -= 1;
                let seat = world.seats[n];
                if self.facts(seat.request).chunks > 0 {
                    self.leave_on_its_way(&mut world, n);
                }
                self.tell(&mut world, n, CONFLICT);
            }
            Happening::AnswerLost(n) => {
                world.faults -= 1;
                let facts = self.facts(world.seats[n].request);
                self.effect(&mut world, n, facts.call, true);
                self.tell_nothing(&mut world, n);
            }
            Happening::GivenUp(n) => {
                world.faults -= 1;
                if !self.facts(world.seats[n].request).reads {
                    self.leave_on_its_way(&mut world, n);
                }
                self.tell_nothing(&mut world, n);
            }
            Happening::Killed(n) => {
                world.faults -= 1;
                let facts = self.facts(world.seats[n].request);
                if facts.chunks > 0 && world.seats[n].arrived > 0 {
                    self.meet(Met::DiedWritingChunks.bit());
                }
                if !facts.reads {
                    self.leave_on_its_way(&mut world, n);
                }
                let seat = &mut world.seats[n];
                seat.left_run |= facts.can_wait;
                (seat.request, seat.arrived, seat.told) = (0, 0, true);
            }
            Happening::LateArrives(n) => {
                let seat = world.seats[n];
                let event = self.effect(&mut world, n, seat.late, seat.late_is_own);
                self.meet(match event {
                    0 => 0,
                    event => Met::of_late(&self.memos.events.get(event)),
                });
                (world.seats[n].late, world.seats[n].late_is_own) = (0, false);
            }
            Happening::LateChunkArrives(n, k) => {
                let late = world.seats[n].late;
                world.table = self.arrive(world.table, late, k);
                let seat = &mut world.seats[n];
                seat.late_arrived |= 1 << k;
                let call = self.memos.calls.get(late);
                let StoreCall::PutChunks { chunks, .. } = &*call else { panic!("it writes no chunks") };
                if seat.late_arrived.count_ones() as usize == chunks.len() {
                    (seat.late, seat.late_arrived, seat.late_is_own) = (0, 0, false);
                }
            }
            Happening::Collide { late, with } => {
                let seat = world.seats[late];
                self.effect(&mut world, late, seat.late, seat.late_is_own);
                world.seats[late].late = 0;
                let (_, event) = self.serve(world.table, self.facts(world.seats[with].request).call);
                let received = match Event::clone(&self.memos.events.get(event)) {
                    Event::Refused(refusal)
                        if refusal.guard || !refusal.rows.is_empty() || !refusal.taken.is_empty() =>
                    {
                        Event::Refused(Refusal { header: HeaderCheck::Passed, ..refusal })
                    }
                    _ => Event::Conflict,
                };
                let received = self.memos.events.id(received);
                self.tell(&mut world, with, received);
            }
            Happening::Again(n) if self.message(&world, n).is_some() => {
                world.retries -= 1;
                let seat = &mut world.seats[n];
                if !seat.replied && !seat.asked {
                    self.meet(Met::Asked.bit());
                    (seat.asked, seat.request) = (true, 0);
                    (seat.late_is_own, seat.late_lost_claim) = (false, seat.late != 0);
                }
            }
            Happening::Again(n) => {
                world.retries -= 1;
                let seat = world.seats[n];
                self.sit_down(&mut world, n, seat.step);
                if seat.request != 0 {
                    world.seats[n].earlier = seat.request;
                }
            }
            Happening::Next(n) => {
                let seat = world.seats[n];
                self.sit_down(&mut world, n, seat.step + 1);
                world.seats[n].earlier = 0;
            }
            Happening::Edited(_) | Happening::Touched(_) | Happening::Removed(_) => {
                world.writes -= 1;
                world.table = self.happen(world.table, happening);
            }
            Happening::ChunkLost(_)
            | Happening::ChunkAltered(_)
            | Happening::FirstLost(_)
            | Happening::FirstAltered(_) => {
                world.damages -= 1;
                world.table = self.happen(world.table, happening);
            }
            Happening::HeaderDeleted(_) | Happening::ChunksDeleted(_) => {
                self.meet(Met::Forgotten.bit());
                world.table = self.happen(world.table, happening);
            }
        }
        world.broken = self.broken(&world);
        world
    }

    /// The client's request starts, again or for the next step.
    fn sit_down(&self, world: &mut World, n: usize, step: u8) {
        let facts = self.facts(world.seats[n].request);
        let (table, request) = self.begin(world.table, n, step).unwrap_or((world.table, 0));
        world.table = table;
        let seat = &mut world.seats[n];
        seat.told |= facts.tells;
        (seat.step, seat.request, seat.arrived) = (step, request, 0);
        (seat.late_is_own, seat.wrote, seat.left_run) = (false, false, false);
    }

    /// The task of a client's message, if its current step is one.
    fn message(&self, world: &World, n: usize) -> Option<&Task> {
        match &self.seats[n][usize::from(world.seats[n].step)] {
            Step::Message { task, .. } => Some(task),
            _ => None,
        }
    }

    fn leave_on_its_way(&self, world: &mut World, n: usize) {
        let seat = &mut world.seats[n];
        if seat.late == 0 {
            (seat.late, seat.late_arrived, seat.late_is_own) = (self.facts(seat.request).call, seat.arrived, true);
        }
    }

    /// What a call does to the table.
    fn effect(&self, world: &mut World, n: usize, call: Id, own: bool) -> Id {
        if !own && world.seats[n].late_lost_claim && self.without != Some(Guard::ClaimHeld) {
            let refusal = Refusal { header: HeaderCheck::Failed(None), ..Refusal::default() };
            return self.memos.events.id(Event::Refused(refusal));
        }
        let (table, event) = self.serve(world.table, call);
        world.seats[n].replied |= own && event == COMMITTED && self.message(world, n).is_some();
        world.seats[n].wrote |= own && table != world.table;
        world.table = table;
        event
    }

    fn tell_nothing(&self, world: &mut World, n: usize) {
        let received = if self.without == Some(Guard::UnknownTold) { CONFLICT } else { UNKNOWN };
        self.tell(world, n, received);
    }

    fn tell(&self, world: &mut World, n: usize, event: Id) {
        let before = world.seats[n].request;
        let after = self.receive(before, event);
        let seat = &mut world.seats[n];
        (seat.request, seat.arrived) = (after, 0);
        // An error does not tell what was written.
        seat.told |= after == 0;
        let facts = self.facts(after);
        let executed = facts.met & Met::Executed.bit() != 0;
        let left = world.seats.iter().any(|seat| seat.left_run);
        let runners = world.seats.iter().filter(|seat| self.facts(seat.request).can_wait).count();
        let met = [
            (executed && left && self.facts(before).can_wait, Met::FinishedByAnother),
            (runners > 1, Met::TwoRunners),
            (after == 0, Met::Failed),
        ];
        let met = met.iter().filter(|(is, _)| *is).map(|(_, met)| met.bit()).fold(facts.met, |all, bit| all | bit);
        self.meet(met);
    }

    pub fn meet(&self, met: u64) {
        if self.met.load(Ordering::Relaxed) & met != met {
            self.met.fetch_or(met, Ordering::Relaxed);
        }
    }

    /// A bit for each rule that does not hold.
    fn broken(&self, world: &World) -> u32 {
        let table = self.table_facts(world.table);
        let mut broken = table.broken;
        let (mut all_ended, mut told) = (true, false);
        for (n, seat) in world.seats.iter().enumerate().take(self.seats.len()) {
            let facts = self.facts(seat.request);
            if facts.ended {
                broken |= self.answer_broken(world.table, seat.request);
            }
            if seat.earlier != 0 {
                broken |= self.answer_broken(world.table, seat.earlier);
            }
            if seat.asked && self.message(world, n).is_some_and(|task| self.is_stored(world.table, task)) {
                broken |= Rule::Asked.bit();
            }
            if facts.busy && seat.wrote {
                broken |= Rule::Busy.bit();
            }
            all_ended &= facts.ended;
            told |= seat.told || facts.tells;
        }
        if all_ended && !told && table.has_effects {
            broken |= Rule::Told.bit();
        }
        broken
    }
}
